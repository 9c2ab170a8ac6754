//! Building a world with planners.

use super::PathWorld;
use crate::background::Background;
use crate::clock::Clock;
use crate::coordinates::Coordinates;
use crate::living::Living;
use crate::planners::{Following, PlannerId, WorldId};
use crate::recipe::{BuildWatch, RebuildError, Recipe};
use crate::requests::Requests;
use highroad_core::mesh::{Mesh, MeshEditError, MeshMovement};
use highroad_core::{Grid, KindId, Movement, Planner};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use thiserror::Error;

/// Changed cells up to which a batch is patched at once: some milliseconds of HPA*.
const PATCH_CELLS_MAX: usize = 16_384;

pub(crate) const FOLLOWING: Following =
    Following { patch_cells_max: PATCH_CELLS_MAX, lockstep_ticks: None, rest_ticks: 0 };

/// A world to be built, with its kinds of agents and their planners. Begin with [`PathWorld::with_planner`] or
/// [`PathWorld::with_kind`].
///
/// ```
/// use highroad::{Budget, PathWorld, Terrain};
/// use highroad::grid::Movement;
/// use highroad::hierarchy::HpaOptions;
/// use highroad::world::{PlannerStatus, WorldBuilder};
/// let builder: WorldBuilder = PathWorld::new("....\n....\n".parse()?).with_planner(HpaOptions::default());
/// let builder = builder.with_kind("scout", Movement::default());
/// let mut world = builder
///     .with_patch_limit(0) // follow every edit in the background,
///     .with_lockstep(3)    // and take over three ticks after it was begun
///     .build()?;
/// world.edit(|edit| _ = edit.set((1, 0), Terrain::WALL))?;
/// let hpa = world.planners().next().unwrap();
/// let mut ready_at = Vec::new();
/// for _ in 0..4 {
///     world.tick(Budget::expansions(1000));
///     ready_at.push(world.planner_status(hpa) == Some(PlannerStatus::Ready));
/// }
/// assert_eq!(ready_at, [false, false, true, true]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct WorldBuilder<E: Living = Grid> {
    world: PathWorld<E>,
    recipes: Vec<(KindId, Arc<dyn Recipe<E>>)>,
    following: Following,
}

impl<E: Living> From<PathWorld<E>> for WorldBuilder<E> {
    /// A world to be built that has nothing but its environment yet.
    fn from(world: PathWorld<E>) -> Self {
        Self::new(world)
    }
}

/// A planner or a kind of agent that a world was to have is not possible.
///
/// ```
/// use highroad::PathWorld;
/// use highroad::online::JumpPointSearch;
/// use highroad::world::BuildWorldError;
/// let weighted = PathWorld::new("ABC\n".parse()?); // cells cost 1, 2 and 3
/// let error: BuildWorldError = weighted.with_planner(JumpPointSearch::new()).build().err().unwrap();
/// assert!(error.to_string().starts_with("planner 'jps' of kind 'default': it does not serve the map"));
///
/// use highroad::grid::{Footprint, Movement};
/// let giant = Movement::default().with_footprint(Footprint::new(4)?);
/// let error = PathWorld::new("...\n...\n".parse()?).with_kind("giant", giant).build().err().unwrap();
/// assert_eq!(error.to_string(), "kind 'giant': agents of 4 × 4 cells are larger than the map of 3 × 2 cells");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BuildWorldError {
    /// A planner cannot be built.
    #[error("planner '{planner}' of kind '{kind}': {error}")]
    Planner {
        /// Which kind of agent it was to serve, by its name.
        kind: String,
        /// Which planner.
        planner: String,
        /// Why not.
        error: RebuildError,
    },
    /// No path can be found for a kind of agent.
    #[error("kind '{kind}': {reason}")]
    Kind {
        /// Which kind, by its name.
        kind: String,
        /// Why not.
        reason: String,
    },
}

impl<E: Living> PathWorld<E> {
    /// A world with a planner for its default kind. Of several planners, the first that knows the map as it is
    /// answers; when none does, an exact search.
    pub fn with_planner(self, recipe: impl Recipe<E> + 'static) -> WorldBuilder<E> {
        WorldBuilder::new(self).with_planner(recipe)
    }

    /// The same world elsewhere in the game's space. See [`Coordinates::points_of`] for an example.
    pub fn with_coordinates(mut self, coordinates: Coordinates) -> Self {
        self.coordinates = coordinates;
        self
    }

    /// The same world with another clock. A loaded world has the system's clock until it is given another. See [`Clock`]
    /// for an example.
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.planners.set_clock(clock);
        self
    }

    /// The same world, which builds planners elsewhere than on a thread of its own while it goes on. A loaded world has its
    /// own thread until it is given something else. See [`Background`] for an example.
    pub fn with_background(mut self, background: Background) -> Self {
        self.planners.set_background(Some(background));
        self
    }

    /// The same world with a given id instead of a random one, before it has planners or requests. Ids distinguish the
    /// tickets and planners of one world from those of another, and are saved with it: machines that run in
    /// [lockstep](WorldBuilder::with_lockstep) and give their worlds the same id have equal save files, byte by byte,
    /// which shows whether they are still in step. (Times that are reported are saved as well: use a [`Clock`] that
    /// stands still, and budgets in expansions.)
    ///
    /// ```
    /// use highroad::PathWorld;
    /// let world = || "....\n".parse().map(PathWorld::new);
    /// assert_eq!(world()?.with_id(7).save(), world()?.with_id(7).save());
    /// assert_ne!(world()?.save(), world()?.save());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_id(mut self, id: u64) -> Self {
        self.id = WorldId::given(id);
        self.planners = self.planners.without_any(self.id, FOLLOWING);
        self.requests = Requests::new(self.id);
        self.latest = OnceLock::new();
        self
    }
}

impl<E: Living> PathWorld<E> {
    /// Adds a planner for a kind of agent, after those that it has. It is built in the background and answers when it is
    /// ready; its [status](PathWorld::planner_status) says how far it is, and whether it cannot serve the map. `None` if
    /// there is no such kind.
    ///
    /// ```
    /// use highroad::PathWorld;
    /// use highroad::catalog::Spec;
    /// use highroad::grid::KindId;
    /// use highroad::planner::Guarantee;
    /// let mut world = PathWorld::new("....\n....\n".parse()?);
    /// let planner = world.add_planner(KindId::DEFAULT, "hpa".parse::<Spec>()?).expect("every world has this kind");
    /// world.finish_rebuilds();
    /// assert_eq!(world.guarantee(planner), Some(Guarantee::NearOptimal));
    /// assert!(world.build_time(planner).is_some());
    /// // Another one in its place:
    /// assert!(world.replace_planner(planner, "jps".parse::<Spec>()?));
    /// world.finish_rebuilds();
    /// assert_eq!(world.guarantee(planner), Some(Guarantee::Optimal));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_planner(
        &mut self,
        kind: KindId,
        recipe: impl Recipe<E> + 'static,
    ) -> Option<PlannerId> {
        self.environment_of(kind)?;
        let planner = self.planners.reserve(kind, Arc::new(recipe));
        self.rebuild(planner);
        Some(planner)
    }

    /// Puts another planner in the place of one: it has the same id and is built in the background. Returns whether there
    /// is such a planner. See [`PathWorld::add_planner`] for an example.
    pub fn replace_planner(
        &mut self,
        planner: PlannerId,
        recipe: impl Recipe<E> + 'static,
    ) -> bool {
        let replaced = self.planners.replace(planner, Arc::new(recipe));
        self.rebuild(planner);
        replaced
    }

    /// How long a planner took to be built in the background, by the clock; `None` if it was not. See
    /// [`PathWorld::add_planner`] for an example.
    pub fn build_time(&self, planner: PlannerId) -> Option<Duration> {
        self.planners.took(planner)
    }

    /// A planner itself, for another thread: while somebody holds it, edits change a duplicate. `None` while it is not
    /// ready.
    ///
    /// ```
    /// use highroad::{PathWorld, Terrain};
    /// use highroad::hierarchy::HpaOptions;
    /// use highroad::planner::{PathQuery, Scratch};
    /// let mut world = PathWorld::new("....\n....\n".parse()?).with_planner(HpaOptions::default()).build()?;
    /// let planner = world.planners().next().and_then(|id| world.shared_planner(id)).expect("it is built");
    /// let grid = world.grid().clone();
    /// let thread = std::thread::spawn(move || {
    ///     planner.solve(&grid, &PathQuery::new((0, 0), (3, 0)), &mut Scratch::new()).map(|answer| answer.path().is_some())
    /// });
    /// world.edit(|edit| _ = edit.set((1, 0), Terrain::WALL))?;
    /// assert!(thread.join().unwrap()?, "it still knows the map as it was");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shared_planner(&self, planner: PlannerId) -> Option<Arc<dyn Planner<E>>> {
        let number = self.planners.number(planner)?;
        self.planners.get(number, self.planners.kind(number)).cloned()
    }

    /// The same world, which can take back its latest batches up to that number of changes together, and the newest batch
    /// in any case.
    ///
    /// ```
    /// use highroad::{PathWorld, Terrain};
    /// let mut world = PathWorld::new("....\n".parse()?).with_history(0);
    /// world.edit(|edit| _ = edit.set((0, 0), Terrain::WALL))?;
    /// world.edit(|edit| _ = edit.set((1, 0), Terrain::WALL))?;
    /// assert!(world.undo().is_some(), "the newest");
    /// assert!(world.undo().is_none(), "and no other");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_history(mut self, changes: usize) -> Self {
        self.history.set_changes_max(changes);
        self
    }
}

impl PathWorld {
    /// A world with another kind of agent beside the default one, by a name of its own.
    ///
    /// ```
    /// use highroad::{PathWorld, Request, Terrain};
    /// use highroad::grid::{Movement, MovementRule, Profile, StepCosts};
    /// use highroad::hierarchy::HpaOptions;
    /// let tank = Profile::movingai().without(Terrain::SWAMP).without(Terrain::WATER);
    /// let tank = Movement::new(tank, MovementRule::NeverCutCorners, StepCosts::EXACT)?;
    /// let mut world = PathWorld::new("..S.\n..S.\n....\n".parse()?)
    ///     .with_planner(HpaOptions::default()) // for the default kind
    ///     .with_kind("tank", tank)
    ///     .with_planner(HpaOptions::default()) // for tanks
    ///     .build()?;
    /// let tank = world.kind("tank").unwrap();
    /// assert_eq!(world.find_path((0, 0), (3, 0))?.unwrap().length(), 3.0, "infantry wades");
    /// assert!(world.of(tank).unwrap().find_path((0, 0), (3, 0))?.unwrap().length() > 3.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_kind(self, name: &str, movement: Movement) -> WorldBuilder {
        WorldBuilder::new(self).with_kind(name, movement)
    }
}

impl WorldBuilder {
    /// One more kind of agent. Planners that are given from here on are for this kind. See [`PathWorld::with_kind`] for an
    /// example.
    pub fn with_kind(mut self, name: &str, movement: Movement) -> Self {
        let PathWorld { kinds, names, .. } = &mut self.world;
        let kind = KindId(kinds.len() as u16);
        let mut grid = kinds[0].another_kind(kind, movement);
        grid.know_parts();
        kinds.push(grid);
        *names = names.iter().cloned().chain([name.to_owned()]).collect();
        self
    }
}

impl PathWorld<Mesh> {
    /// A world with one more kind of agent, beside the default kind. Fails with a [`MeshEditError`] if areas that are
    /// obstacles to this kind cannot be cut.
    ///
    /// ```
    /// use highroad::PathWorld;
    /// use highroad::mesh::{AreaClass, Mesh, MeshMovement, MeshPoint, Obstacle};
    /// let water = AreaClass::new(2)?;
    /// let ground = PathWorld::on(Mesh::from_cells(8, 4, |_, _| true)?);
    /// let mut world = ground.with_kind("cart", MeshMovement::default().forbidding(water))?.build()?;
    /// let river = Obstacle::new(vec![[3.0, 0.0], [5.0, 0.0], [5.0, 4.0], [3.0, 4.0]])?.of_class(water);
    /// world.edit(|edit| _ = edit.place("river", river))?;
    /// let [here, there] = [MeshPoint::new(1.0, 2.0)?, MeshPoint::new(7.0, 2.0)?];
    /// assert!(world.find_path(here, there)?.is_some(), "who can swim");
    /// let cart = world.kind("cart").unwrap();
    /// assert!(world.of(cart).unwrap().find_path(here, there)?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_kind(
        self,
        name: &str,
        movement: MeshMovement,
    ) -> Result<WorldBuilder<Mesh>, MeshEditError> {
        WorldBuilder::new(self).with_kind(name, movement)
    }
}

impl WorldBuilder<Mesh> {
    /// One more kind of agent. Planners that are given from here on are for this kind. See [`PathWorld::with_kind`] for an
    /// example. Fails with a [`MeshEditError`] if areas that are obstacles to this kind cannot be cut.
    pub fn with_kind(mut self, name: &str, movement: MeshMovement) -> Result<Self, MeshEditError> {
        let PathWorld { kinds, names, .. } = &mut self.world;
        let mesh = kinds[0].another_kind(kinds.len() as u16, movement)?;
        kinds.push(mesh);
        *names = names.iter().cloned().chain([name.to_owned()]).collect();
        Ok(self)
    }
}

impl<E: Living> WorldBuilder<E> {
    fn new(world: PathWorld<E>) -> Self {
        Self { world, recipes: Vec::new(), following: FOLLOWING }
    }

    /// One more planner of the kind that was named last, to answer where those before cannot.
    pub fn with_planner(mut self, recipe: impl Recipe<E> + 'static) -> Self {
        let kind = KindId(self.world.kinds.len() as u16 - 1);
        self.recipes.push((kind, Arc::new(recipe)));
        self
    }

    /// Planners follow batches that change more than `places` cells of a grid, or edges of a graph, in the background
    /// instead of at once; with 0, all batches. Meanwhile an exact search answers.
    pub fn with_patch_limit(mut self, places: usize) -> Self {
        self.following.patch_cells_max = places;
        self
    }

    /// Builds a planner that cannot follow edits again only when the map has stood still for so many
    /// [ticks](PathWorld::tick), and not after every edit. Meanwhile others answer: give one that follows
    /// edits as well.
    ///
    /// ```
    /// use highroad::{Budget, PathWorld, Terrain};
    /// use highroad::hierarchy::HpaOptions;
    /// use highroad::index::HubOptions;
    /// use highroad::world::PlannerStatus;
    /// let mut world = PathWorld::new("....\n.##.\n....\n".parse()?)
    ///     .with_planner(HubOptions::default())
    ///     .with_planner(HpaOptions::default())
    ///     .with_rest_ticks(2)
    ///     .build()?;
    /// let labels = world.planners().next().unwrap();
    /// world.edit(|edit| { edit.set((0, 1), Terrain::WALL); })?;
    /// assert_eq!(world.planner_status(labels), Some(PlannerStatus::Waiting { ticks: 2 }));
    /// assert!(world.find_path((0, 0), (3, 2))?.is_some(), "HPA* answers");
    /// world.tick(Budget::expansions(1000));
    /// world.tick(Budget::expansions(1000));
    /// world.finish_rebuilds();
    /// assert_eq!(world.planner_status(labels), Some(PlannerStatus::Ready));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_rest_ticks(mut self, ticks: u64) -> Self {
        self.following.rest_ticks = ticks;
        self
    }

    /// For games that run in step on several machines: a planner that is built in the background takes
    /// over exactly so many [ticks](PathWorld::tick) after it was begun, and is waited for if it is
    /// late. Every machine then answers by the same planner at the same tick.
    pub fn with_lockstep(mut self, ticks: u64) -> Self {
        self.following.lockstep_ticks = Some(ticks);
        self
    }

    /// Builds the planners and returns the world. Fails with a [`BuildWorldError`] that names the first kind of agent
    /// that is larger than the map, or the first planner that does not serve it. Takes the time that the planners take.
    pub fn build(self) -> Result<PathWorld<E>, BuildWorldError> {
        self.build_watched(&BuildWatch::default())
    }

    /// As [`WorldBuilder::build`], with the progress of the planner that is being built. Fails with
    /// [`RebuildError::Stopped`] when the watch is stopped, from any thread.
    ///
    /// ```
    /// use highroad::PathWorld;
    /// use highroad::hierarchy::HpaOptions;
    /// use highroad::world::{BuildWatch, BuildWorldError, RebuildError};
    /// let watch = BuildWatch::default();
    /// watch.stop(); // mostly by another thread
    /// let world = PathWorld::new("....\n....\n".parse()?).with_planner(HpaOptions::default());
    /// let stopped = world.build_watched(&watch).err();
    /// assert!(matches!(stopped, Some(BuildWorldError::Planner { error: RebuildError::Stopped, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build_watched(self, watch: &BuildWatch) -> Result<PathWorld<E>, BuildWorldError> {
        let Self { mut world, recipes, following } = self;
        for (environment, name) in world.kinds.iter().zip(&*world.names) {
            let impossible = |reason: E::Refusal| BuildWorldError::Kind {
                kind: name.clone(),
                reason: reason.to_string(),
            };
            environment.check().map_err(impossible)?;
        }
        world.planners = world.planners.without_any(world.id, following);
        for (kind, recipe) in recipes {
            trace_span!(
                "build",
                planner = recipe.name(),
                kind = world.names[kind.index()].as_str()
            );
            let built = recipe.build(&world.kinds[kind.index()], watch);
            let planner = built.map_err(|error| {
                let kind = world.names[kind.index()].clone();
                BuildWorldError::Planner { kind, planner: recipe.name(), error }
            })?;
            world.planners.add(kind, recipe, planner);
        }
        world.forget_snapshot();
        Ok(world)
    }
}
