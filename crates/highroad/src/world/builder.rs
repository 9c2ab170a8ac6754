//! Building a world with planners.

use super::PathWorld;
use crate::coordinates::Coordinates;
use crate::living::Living;
use crate::planners::{Following, Planners};
use crate::recipe::{BuildWatch, RebuildError, Recipe};
use highroad_core::{Grid, KindId, Movement};
use std::sync::Arc;
use thiserror::Error;

/// Changed cells up to which a batch is patched at once: some milliseconds of HPA*.
const PATCH_CELLS_MAX: usize = 16_384;

pub(crate) const FOLLOWING: Following =
    Following { patch_cells_max: PATCH_CELLS_MAX, lockstep_ticks: None, rest_ticks: 0 };

/// A world to be built, with its kinds of agents and their planners. Begin with [`PathWorld::with_planner`] or
/// [`PathWorld::with_kind`].
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

/// A planner that a world was to have cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("planner '{planner}' of kind '{kind}': {error}")]
#[non_exhaustive]
pub struct BuildWorldError {
    /// Which kind of agent it was to serve, by its name.
    pub kind: String,
    /// Which planner.
    pub planner: String,
    /// Why not.
    pub error: RebuildError,
}

impl<E: Living> PathWorld<E> {
    /// A world whose default kind shall have a planner. Given several, the first that knows the map as it is
    /// answers; when none does, an exact search.
    pub fn with_planner(self, recipe: impl Recipe<E> + 'static) -> WorldBuilder<E> {
        WorldBuilder::new(self).with_planner(recipe)
    }

    /// The same world elsewhere in the game's space.
    pub fn with_coordinates(mut self, coordinates: Coordinates) -> Self {
        self.coordinates = coordinates;
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
    /// let tank = Profile::movingai().forbid(Terrain::SWAMP).forbid(Terrain::WATER);
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
    /// One more kind of agent. Planners that are given from here on are for this kind.
    pub fn with_kind(mut self, name: &str, movement: Movement) -> Self {
        let PathWorld { kinds, names, .. } = &mut self.world;
        let kind = KindId(kinds.len() as u16);
        kinds.push(kinds[0].another_kind(kind, movement));
        *names = names.iter().cloned().chain([name.to_owned()]).collect();
        self
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

    /// Follows batches of more changes in the background instead of at once; 0: all of them.
    pub fn with_patch_limit(mut self, changes: usize) -> Self {
        self.following.patch_cells_max = changes;
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

    /// Builds the planners and hands out the world.
    pub fn build(self) -> Result<PathWorld<E>, BuildWorldError> {
        let Self { mut world, recipes, following } = self;
        world.planners = Planners::new(world.id, following);
        for (kind, recipe) in recipes {
            let built = recipe.build(&world.kinds[kind.index()], &BuildWatch::default());
            let planner = built.map_err(|error| {
                let kind = world.names[kind.index()].clone();
                BuildWorldError { kind, planner: recipe.name(), error }
            })?;
            world.planners.add(kind, recipe, planner);
        }
        world.forget_snapshot();
        Ok(world)
    }
}
