//! A map that changes: edits, revisions, snapshots, planners that follow.
//!
//! Begin with [`PathWorld`]. A [`WorldBuilder`] gives it kinds of agents and planners, each made by a [`Recipe`]. A
//! [`KindView`] is one kind of agent that asks; a [`Snapshot`] or a [`Reader`] is for other threads. [`Coordinates`] say
//! where the map lies in a game's space. [`Living`] and what belongs to it matter only for an environment of your own.

mod builder;
mod history;
#[cfg(test)]
mod kind_tests;
mod kind_view;
mod requests;
mod saved;
mod snapshot;
#[cfg(test)]
mod tests;
#[cfg(test)]
#[path = "thread_tests.rs"]
mod threads;
mod what_if;
#[cfg(test)]
mod what_if_tests;

pub use crate::background::Background;
pub use crate::clock::Clock;
pub use crate::coordinates::{Coordinates, CoordinatesError, PlanePosition, PositionError};
pub use crate::living::{GridField, Living, LivingField, LivingParts, MeshParts, Saveable};
pub use crate::planners::{LoadWorldError, PlannerId, PlannerStatus, RebuildEvent, RebuildReport};
pub use crate::recipe::{BuildWatch, RebuildError, Recipe};
pub use builder::{BuildWorldError, WorldBuilder};
pub use kind_view::KindView;
pub use snapshot::{Reader, Snapshot};
pub use what_if::WayChange;

use crate::living::{FoundPath, Refused};
use crate::planners::{Planners, WorldId, WorldState};
use crate::pool::ScratchPool;
use crate::requests::Requests;
use arc_swap::ArcSwap;
use highroad_core::field::FlowFields;
use highroad_core::{
    AlternativeOptions, Answer, Cell, Cost, End, Grid, GridMap, Guarantee, Journal, KindId,
    Movement, Path, PathQuery, Planner, Revision, Scratch,
};
use history::History;
use kind_view::Ready;
use snapshot::{View, kind_named};
use std::sync::{Arc, OnceLock};

/// Changes that the journal remembers: a megabyte in large batches, six if each is its own.
const JOURNAL_CHANGES_MAX: usize = 65_536;

/// The name of the kind of agent that a world has from the beginning.
const DEFAULT_KIND: &str = "default";

/// A map, the kinds of agents on it, what has changed, and the planners that answer. The world alone changes the map; other
/// threads read [snapshots](PathWorld::snapshot) of it.
///
/// ```
/// use highroad::{CellRect, PathWorld, Terrain};
/// use highroad::hierarchy::HpaOptions;
/// let map = "........\n........\n........\n".parse()?;
/// let mut world = PathWorld::new(map).with_planner(HpaOptions::default()).build()?;
/// let path = world.find_path((0, 1), (7, 1))?.expect("nothing is in the way");
///
/// world.edit(|edit| _ = edit.fill(CellRect::new((4, 0), (4, 1)), Terrain::WALL))?;
/// assert!(!world.still_valid(&path));
/// world.undo();
/// assert!(world.still_valid(&path));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// One world serves several kinds of agents: see [`PathWorld::with_kind`]. What is asked without naming a kind is asked for
/// the default kind, the one that the world was made with.
///
/// Methods that find something fail with a [`QueryError`](crate::planner::QueryError) if a place lies outside the map or is
/// blocked; that there is no path is an answer, not an error. How long they take depends on the planner that answers: see the
/// table on the page of this [crate].
pub struct PathWorld<E: Living = Grid> {
    id: WorldId,
    /// The environment of each kind of agent.
    kinds: Vec<E>,
    names: Arc<[String]>,
    /// For each kind what can reach what, once somebody has asked.
    parts: Vec<Option<Arc<E::Parts>>>,
    journal: Journal<E::Change>,
    history: History<E::Change>,
    planners: Planners<E>,
    requests: Requests<E>,
    coordinates: Coordinates,
    tick: u64,
    scratch: Scratch,
    pool: Arc<ScratchPool>,
    /// The snapshot of this revision, once somebody has asked for it.
    latest: OnceLock<Snapshot<E>>,
    /// Where readers find it, if there are any.
    published: Option<Arc<ArcSwap<View<E>>>>,
}

/// A clone is a copy of pointers: cells, planners, what is being built in the background and what has been answered
/// are shared until one of the two changes them. It goes on exactly as the original would: the same answers at the same
/// ticks. So a lockstep game keeps clones of the ticks that it may have to return to.
///
/// * The clone has the same id: tickets and planners' ids of the original are its own as well.
/// * A planner that is being built in the background is built once, for both. In lockstep it takes over at the same
///   tick in both. When the original gives it up, it is still built for the clone.
/// * Searches under way are repeated by the clone, up to where they stood, when their turn comes.
/// * Readers stay with the original; working memory is not copied.
///
/// Takes time in proportion to the numbers of kinds, planners, waiting requests and remembered batches, not to the map.
///
/// ```
/// use highroad::{Budget, PathWorld, Reply, Request, Terrain};
/// let mut world = PathWorld::new("....\n.##.\n....\n".parse()?);
/// let ticket = world.request(Request::path((0, 0), (3, 2)));
/// let before = world.clone();
/// world.edit(|edit| _ = edit.set((1, 0), Terrain::WALL))?;
///
/// world = before; // roll back
/// world.tick(Budget::unlimited());
/// assert!(matches!(world.poll(ticket), Reply::Ready(path) if path.length() == 5.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<E: Living> Clone for PathWorld<E> {
    fn clone(&self) -> Self {
        Self {
            id: self.id,
            kinds: self.kinds.clone(),
            names: Arc::clone(&self.names),
            parts: self.parts.clone(),
            journal: self.journal.clone(),
            history: self.history.clone(),
            planners: self.planners.clone(),
            requests: self.requests.clone(),
            coordinates: self.coordinates,
            tick: self.tick,
            scratch: Scratch::new(),
            pool: Arc::clone(&self.pool),
            latest: OnceLock::new(),
            published: None,
        }
    }
}

impl PathWorld {
    /// A world under the usual rules, which are those of the MovingAI benchmarks: see [`Grid::with_defaults`]. Paths are
    /// found by exact search, unless it is given [planners](PathWorld::with_planner).
    pub fn new(map: GridMap) -> Self {
        Self::on(Grid::with_defaults(map))
    }

    /// A world whose agents of the default kind move in that way. See [`Movement`] for an example.
    pub fn with_movement(map: GridMap, movement: Movement) -> Self {
        Self::on(Grid::new(map, movement))
    }

    /// The grid of the default kind as it is now.
    pub fn grid(&self) -> &Grid {
        self.environment()
    }

    /// The cell at a position in the game's space; `None` outside the map.
    pub fn cell_at(&self, position: impl PlanePosition) -> Option<Cell> {
        self.coordinates.cell_at(self.grid().extent(), position)
    }

    /// A path of the default kind between the cells at two positions in the game's space; see
    /// [`PathWorld::points_of`] for the way back. For another kind, ask [`PathWorld::of`] with
    /// [`PathWorld::cell_at`].
    ///
    /// ```
    /// use highroad::PathWorld;
    /// use highroad::world::{Coordinates, PositionError};
    /// let mut world = PathWorld::new("....\n.##.\n....\n".parse()?)
    ///     .with_coordinates(Coordinates::new([-4.0, -3.0], 2.0)?);
    /// let path = world.find_path_between([-3.5f32, -2.5], [3.5, 2.5])?.expect("there is a way round");
    /// let points: Vec<[f32; 2]> = world.points_of(&path);
    /// assert_eq!(points.first(), Some(&[-3.0, -2.0]));
    /// let outside = world.find_path_between([-9.0, 0.0], [3.5, 2.5]);
    /// assert!(matches!(outside, Err(PositionError::Outside { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a position lies outside the map, or no path can start or end in its cell.
    pub fn find_path_between<P: PlanePosition>(
        &mut self,
        start: P,
        goal: P,
    ) -> Result<Option<Path>, PositionError> {
        let cell = |end: End, position: P| {
            let outside = PositionError::Outside { end, position: position.to_plane() };
            self.cell_at(position).ok_or(outside)
        };
        let (start, goal) = (cell(End::Start, start)?, cell(End::Goal, goal)?);
        Ok(self.find_path(start, goal)?)
    }

    /// Lets flow fields follow all edits that they have not followed yet, for a kind of agent; does nothing for a kind that does
    /// not exist. Call it after edits, before [`FlowFields::advance`].
    ///
    /// ```
    /// use highroad::{Cell, PathWorld, Terrain};
    /// use highroad::field::FlowFields;
    /// use highroad::grid::KindId;
    /// let mut world = PathWorld::new("....\n.##.\n....\n".parse()?);
    /// let mut fields = FlowFields::new(1 << 20);
    /// let castle = fields.open(world.grid(), &[Cell::new(3, 1)])?;
    /// world.edit(|edit| _ = edit.set((2, 0), Terrain::WALL))?;
    /// world.update_fields(KindId::DEFAULT, &mut fields);
    /// fields.advance(1000);
    /// assert_eq!(fields.get(castle).and_then(|field| field.next(Cell::new(0, 1))), Some(Cell::new(0, 2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn update_fields(&self, kind: KindId, fields: &mut FlowFields) {
        let Some(grid) = self.environment_of(kind) else { return };
        let Some(revision) = fields.revision().filter(|&before| before != grid.revision()) else {
            return;
        };
        match self.changes_since(revision) {
            Some(changes) => {
                let concerning = changes.filter(|change| grid.is_concerned_by(change));
                fields.follow(grid, &concerning.copied().collect::<Vec<_>>());
            }
            None => fields.restart(grid),
        }
    }

    /// A path as positions in the game's space: the middles of the cells where it turns, with its start and its goal.
    pub fn points_of<P: PlanePosition>(&self, path: &Path) -> Vec<P> {
        self.coordinates.points_as(path)
    }
}

impl<E: Living> PathWorld<E> {
    /// A world on any environment, such as the graph of a road network.
    ///
    /// ```
    /// use highroad::PathWorld;
    /// use highroad::environment::NodeId;
    /// use highroad::graph::{Edge, Graph};
    /// let mut roads = PathWorld::on(Graph::from_edges(3, &[Edge::new(0, 1, 4), Edge::new(1, 2, 4), Edge::new(0, 2, 9)])?);
    /// assert_eq!(roads.find_path(NodeId(0), NodeId(2))?.unwrap().cost().0, 8);
    /// roads.edit(|edit| _ = edit.set_weight(NodeId(1), NodeId(2), 50))?; // a traffic jam
    /// assert_eq!(roads.find_path(NodeId(0), NodeId(2))?.unwrap().cost().0, 9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on(mut environment: E) -> Self {
        environment.know_parts();
        let id = WorldId::new();
        let journal = Journal::new(environment.revision(), JOURNAL_CHANGES_MAX);
        Self {
            id,
            kinds: vec![environment],
            names: Arc::new([DEFAULT_KIND.to_owned()]),
            parts: Vec::new(),
            journal,
            history: History::new(JOURNAL_CHANGES_MAX),
            planners: Planners::new(id, builder::FOLLOWING, Clock::default()),
            requests: Requests::new(id),
            coordinates: Coordinates::default(),
            tick: 0,
            scratch: Scratch::new(),
            pool: Arc::default(),
            latest: OnceLock::new(),
            published: None,
        }
    }

    /// The environment of the default kind as it is now.
    pub fn environment(&self) -> &E {
        &self.kinds[KindId::DEFAULT.index()]
    }

    /// The environment as a kind of agent sees it now; `None` if there is no such kind. See [`PathWorld::planners_of`] for an
    /// example.
    pub fn environment_of(&self, kind: KindId) -> Option<&E> {
        self.kinds.get(kind.index())
    }

    /// The kind of agent of that name.
    pub fn kind(&self, name: &str) -> Option<KindId> {
        kind_named(&self.names, name)
    }

    /// Every kind of agent with its name, the default kind first.
    pub fn kinds(&self) -> impl Iterator<Item = (KindId, &str)> {
        let numbers = (0..self.kinds.len() as u16).map(KindId);
        numbers.zip(self.names.iter().map(String::as_str))
    }

    /// A kind of agent, to ask for it; `None` if there is no such kind. Planners that were built in the background and
    /// are ready take over first.
    pub fn of(&mut self, kind: KindId) -> Option<KindView<'_, E>> {
        self.take_over();
        let environment = self.kinds.get(kind.index())?;
        Some(KindView::new(environment, Ready::World(&self.planners), &self.pool))
    }

    fn default_kind(&mut self) -> KindView<'_, E> {
        self.take_over();
        KindView::new(&self.kinds[0], Ready::World(&self.planners), &self.pool)
    }

    /// How often it has been changed.
    pub fn revision(&self) -> Revision {
        self.environment().revision()
    }

    /// Where the map lies in the game's space.
    pub fn coordinates(&self) -> Coordinates {
        self.coordinates
    }

    /// Makes one batch of changes for all kinds of agents: all of them, or none if one cannot be made. Returns the
    /// revision that they led to.
    ///
    /// Planners follow. HPA* rebuilds up to about a dozen clusters at once; what a larger batch leaves undone continues in
    /// ticks within their budget, and until then other planners answer, or an exact search. Planners that cannot stop
    /// half-way, such as PRA*, follow at once. Indexes that cannot follow are built again in the background.
    ///
    /// Fails if a change cannot be made: see [`EditError`](crate::grid::EditError) for grids and
    /// [`GraphEditError`](crate::graph::GraphEditError) for graphs. Takes time in proportion to the changes, and to patch
    /// hierarchies around them.
    pub fn edit(&mut self, describe: impl FnOnce(&mut E::Batch)) -> Result<Revision, E::EditError> {
        let mut batch = E::Batch::default();
        describe(&mut batch);
        self.apply(&batch)
    }

    /// As [`PathWorld::edit`], with a batch that exists already.
    pub fn apply(&mut self, batch: &E::Batch) -> Result<Revision, E::EditError> {
        self.apply_reporting(batch)?;
        Ok(self.revision())
    }

    /// The same, and reports what differs.
    pub(crate) fn apply_reporting(
        &mut self,
        batch: &E::Batch,
    ) -> Result<Arc<[E::Change]>, E::EditError> {
        let changes = self.change(batch)?;
        if !changes.is_empty() {
            self.history.push_edit(Arc::clone(&changes));
        }
        Ok(changes)
    }

    /// Takes back the latest batch that has not been taken back, as an edit of its own. `None` if
    /// there is none, or if it was too long ago.
    pub fn undo(&mut self) -> Option<Revision> {
        self.undo_reporting()?;
        Some(self.revision())
    }

    /// The same, and reports what differs.
    pub(crate) fn undo_reporting(&mut self) -> Option<Arc<[E::Change]>> {
        let changes = self.history.pop()?;
        // The batch could be made, and so can what takes it back.
        let back = self.change(&E::undoing(&changes)).ok()?;
        self.history.push_undone(Arc::clone(&back));
        Some(back)
    }

    /// Makes the batch again that was taken back last, as an edit of its own. `None` if there is none, or if an edit came
    /// after it was taken back.
    ///
    /// ```
    /// use highroad::{PathWorld, Terrain};
    /// let mut world = PathWorld::new("...\n".parse()?);
    /// world.edit(|edit| _ = edit.set((1, 0), Terrain::WALL))?;
    /// assert!(world.can_undo() && !world.can_redo());
    /// world.undo();
    /// assert!(world.grid().is_enterable((1, 0).into()) && world.can_redo());
    /// world.redo();
    /// assert!(!world.grid().is_enterable((1, 0).into()) && world.can_undo());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn redo(&mut self) -> Option<Revision> {
        self.redo_reporting()?;
        Some(self.revision())
    }

    /// The same, and reports what differs.
    pub(crate) fn redo_reporting(&mut self) -> Option<Arc<[E::Change]>> {
        let undone = self.history.pop_undone()?;
        let again = self.change(&E::undoing(&undone)).ok()?;
        self.history.push(Arc::clone(&again));
        Some(again)
    }

    /// Whether there is a batch to take back. See [`PathWorld::redo`] for an example.
    pub fn can_undo(&self) -> bool {
        self.history.can_undo()
    }

    /// Whether there is a batch to make again. See [`PathWorld::redo`] for an example.
    pub fn can_redo(&self) -> bool {
        self.history.can_redo()
    }

    /// Changes the environment and lets everything follow.
    fn change(&mut self, batch: &E::Batch) -> Result<Arc<[E::Change]>, E::EditError> {
        trace_span!("edit", revision = self.revision().0);
        self.forget_snapshot();
        let changes: Arc<[E::Change]> = E::apply_to_all(&mut self.kinds, batch)?.into();
        if !changes.is_empty() {
            for (parts, environment) in self.parts.iter_mut().zip(&self.kinds) {
                match parts.as_mut().map(Arc::get_mut) {
                    Some(Some(own)) => own.follow(environment, &changes),
                    // A clone needs them as they are: found again when somebody asks.
                    _ => *parts = None,
                }
            }
            self.journal.record(self.revision(), Arc::clone(&changes));
            self.requests.forget_fields();
            let now = WorldState { kinds: &self.kinds, journal: &self.journal, tick: self.tick };
            self.planners.follow(now, &changes, &mut self.scratch);
            self.publish();
        }
        trace_event!("edited", changes = changes.len(), revision = self.revision().0);
        Ok(changes)
    }

    /// Every change made after `revision`, oldest first; `None` if the journal no longer knows, and
    /// whoever asks must start from the environment as it is.
    ///
    /// ```
    /// use highroad::{PathWorld, Terrain};
    /// let mut world = PathWorld::new("....\n....\n".parse()?);
    /// let drawn = world.revision(); // what a picture of the map shows
    /// let path = world.find_path((0, 0), (3, 0))?.expect("all is open");
    /// world.edit(|edit| _ = edit.set((0, 1), Terrain::WALL).set((1, 1), Terrain::SWAMP))?;
    /// let changes = world.changes_since(drawn).expect("it was just now");
    /// let changes: Vec<_> = changes.copied().collect();
    /// assert_eq!(changes.len(), 2, "two cells to draw again");
    /// assert!(!world.affected(&path, &changes));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn changes_since(&self, revision: Revision) -> Option<impl Iterator<Item = &E::Change>> {
        self.journal.since(revision)
    }

    /// Whether a path of the default kind can still be walked at the cost it claims. Mostly that takes a look
    /// at what has changed along it since it was found; if that is too long ago, every step is checked.
    pub fn still_valid(&self, path: &Path<E::Place>) -> bool {
        self.still_valid_for(KindId::DEFAULT, path)
    }

    /// As [`PathWorld::still_valid`], for another kind; no path is valid for a kind that does not exist.
    ///
    /// ```
    /// use highroad::{PathWorld, Terrain};
    /// use highroad::grid::KindId;
    /// let mut world = PathWorld::new("....\n....\n".parse()?);
    /// let path = world.find_path((0, 0), (3, 0))?.expect("all is open");
    /// world.edit(|edit| _ = edit.set((2, 0), Terrain::WALL))?;
    /// assert!(!world.still_valid_for(KindId::DEFAULT, &path));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn still_valid_for(&self, kind: KindId, path: &Path<E::Place>) -> bool {
        let Some(environment) = self.environment_of(kind) else { return false };
        if path.revision() == environment.revision() {
            return true;
        }
        let changes = self.journal.since(path.revision());
        let untouched = changes.is_some_and(|changes| !environment.touches(path, changes));
        untouched || path.validate(environment).is_ok()
    }

    /// Whether any of those changes touches a path of the default kind.
    pub fn affected<'c>(
        &self,
        path: &Path<E::Place>,
        changes: impl IntoIterator<Item = &'c E::Change>,
    ) -> bool {
        self.environment().touches(path, changes)
    }

    /// The world as it is now, for readers on any thread: cheap to make, and it stays as it is.
    pub fn snapshot(&self) -> Snapshot<E> {
        self.latest.get_or_init(|| self.view()).clone()
    }

    fn view(&self) -> Snapshot<E> {
        let ready = |environment: &E| self.planners.ready(environment.kind()).cloned().collect();
        Snapshot(Arc::new(View {
            kinds: self.kinds.clone(),
            names: Arc::clone(&self.names),
            planners: self.kinds.iter().map(ready).collect(),
            coordinates: self.coordinates,
            pool: Arc::clone(&self.pool),
        }))
    }

    /// For threads that want the latest snapshot while the world changes. As long as there are
    /// readers, every revision is published as it comes about.
    pub fn reader(&mut self) -> Reader<E> {
        let latest = self.snapshot();
        let published = self.published.get_or_insert_with(|| Arc::new(ArcSwap::new(latest.0)));
        Reader(Arc::clone(published))
    }

    /// Lets go of this revision's snapshot, so that planners nobody else holds are changed in place.
    fn forget_snapshot(&mut self) {
        self.latest = OnceLock::new();
        if self.published.as_ref().is_some_and(|published| Arc::strong_count(published) == 1) {
            self.published = None;
        }
    }

    fn publish(&mut self) {
        if let Some(published) = &self.published {
            published.store(self.latest.get_or_init(|| self.view()).clone().0);
        }
    }

    /// A path of the default kind, as good as its first planner that is ready promises. See [`KindView::find_path`].
    pub fn find_path(
        &mut self,
        start: impl Into<E::Place>,
        goal: impl Into<E::Place>,
    ) -> Result<FoundPath<E>, Refused<E>> {
        self.default_kind().find_path(start, goal)
    }

    /// The answer to a query of any kind, with the way to the nearest reachable place where there is
    /// no path. See [`KindView::answer`].
    pub fn answer(&mut self, query: &PathQuery<E::Place>) -> Result<Answer<E::Place>, Refused<E>> {
        self.default_kind().answer(query)
    }

    /// A path to the nearest of some goals. See [`KindView::find_nearest`].
    pub fn find_nearest(
        &mut self,
        start: impl Into<E::Place>,
        goals: &[E::Place],
    ) -> Result<FoundPath<E>, Refused<E>> {
        self.default_kind().find_nearest(start, goals)
    }

    /// A cheapest path to each of some goals, by one search. See [`KindView::find_each`].
    pub fn find_each(
        &mut self,
        start: impl Into<E::Place>,
        goals: &[E::Place],
    ) -> Result<Vec<FoundPath<E>>, Refused<E>> {
        self.default_kind().find_each(start, goals)
    }

    /// Every place within that cost of a start, with its cost. See [`KindView::range`].
    pub fn range(
        &mut self,
        start: impl Into<E::Place>,
        cost_max: Cost,
    ) -> Result<Vec<(E::Place, Cost)>, Refused<E>> {
        self.default_kind().range(start, cost_max)
    }

    /// A best path of the default kind, and others that are reasonably different: escape routes, patrols that do not all
    /// walk the same street. See [`KindView::find_alternatives`].
    ///
    /// ```
    /// use highroad::PathWorld;
    /// use highroad::planner::AlternativeOptions;
    /// let mut world = PathWorld::new(".......\n.#####.\n.......\n".parse()?);
    /// let options = AlternativeOptions::default().with_margin(0);
    /// let ways = world.find_alternatives((0, 1), (6, 1), &options)?;
    /// assert_eq!(ways.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_alternatives(
        &mut self,
        start: impl Into<E::Place>,
        goal: impl Into<E::Place>,
        options: &AlternativeOptions,
    ) -> Result<Vec<Path<E::Place>>, Refused<E>>
    where
        E::Place: Ord,
    {
        self.default_kind().find_alternatives(start, goal, options)
    }

    /// Whether a path leads from one place to another for a kind of agent: on a grid looked up in connected parts that
    /// follow edits, on a graph a definite "no" in the same way and else a search. On a graph the first call finds
    /// the parts, in time in proportion to the graph. `false` for a kind that does not exist, and for places at which no path
    /// can start or end.
    ///
    /// ```
    /// use highroad::{PathWorld, Terrain};
    /// use highroad::grid::KindId;
    /// let mut world = PathWorld::new("..#..\n..#..\n".parse()?);
    /// assert!(!world.is_reachable(KindId::DEFAULT, (0, 0), (4, 1)));
    /// world.edit(|edit| _ = edit.set((2, 1), Terrain::GROUND))?;
    /// assert!(world.is_reachable(KindId::DEFAULT, (0, 0), (4, 1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_reachable(
        &mut self,
        kind: KindId,
        from: impl Into<E::Place>,
        to: impl Into<E::Place>,
    ) -> bool {
        let (from, to) = (from.into(), to.into());
        let Some(environment) = self.kinds.get(kind.index()) else { return false };
        if [from, to].iter().any(|&place| environment.check_place(place).is_err()) {
            return false;
        }
        if let Some(known) = environment.knows_reachable(from, to) {
            return known;
        }
        self.parts.resize_with(self.kinds.len(), || None);
        let found = &mut self.parts[kind.index()];
        let parts = match environment.kept_parts() {
            Some(parts) => parts,
            None => found.get_or_insert_with(|| Arc::new(E::Parts::of(environment))),
        };
        match parts.is_reachable(from, to) {
            Some(known) => known,
            None => self
                .of(kind)
                .is_some_and(|mut view| matches!(view.find_path(from, to), Ok(Some(_)))),
        }
    }

    /// Lets planners take over that were built in the background and are ready, and those that have not followed an
    /// edit to the end do so. Everything that asks for paths does so by itself; [`PathWorld::tick`] does it within
    /// its budget. Call it before you take a
    /// [`PathWorld::snapshot`] without either.
    ///
    /// ```
    /// use highroad::{PathWorld, Terrain};
    /// use highroad::index::HubOptions;
    /// use highroad::world::{PlannerStatus, RebuildError};
    /// let mut world = PathWorld::new("....\n....\n".parse()?).with_planner(HubOptions::default()).build()?;
    /// let labels = world.planners().next().unwrap();
    /// world.rebuild(labels); // in the background
    /// while world.planner_status(labels) != Some(PlannerStatus::Ready) {
    ///     world.take_over();
    /// }
    /// // A long build can be given up.
    /// world.edit(|edit| _ = edit.set((1, 0), Terrain::WALL))?;
    /// assert!(world.stop_rebuild(labels));
    /// assert_eq!(world.planner_status(labels), Some(PlannerStatus::Idle(RebuildError::Stopped)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_over(&mut self) {
        self.follow_on(u64::MAX, || false);
    }

    /// Lets planners take over that are ready, and those go on that have not followed an edit to the end. Returns what
    /// that took.
    fn follow_on(&mut self, slice: u64, is_over: impl Fn() -> bool) -> u64 {
        let now = WorldState { kinds: &self.kinds, journal: &self.journal, tick: self.tick };
        let collected = self.planners.collect(now, &mut self.scratch);
        let (spent, ready) = self.planners.catch_up(now, &mut self.scratch, slice, is_over);
        if collected || ready {
            self.forget_snapshot();
            self.publish();
        }
        spent
    }

    /// Waits until no planner is being built any more; those that wait for the map to stand still are
    /// built at once.
    pub fn finish_rebuilds(&mut self) {
        let now = WorldState { kinds: &self.kinds, journal: &self.journal, tick: self.tick };
        self.planners.finish(now, &mut self.scratch);
        self.planners.catch_up(now, &mut self.scratch, u64::MAX, || false);
        self.forget_snapshot();
        self.publish();
    }

    /// Builds a planner again in the background. Does nothing for a planner of another world. See [`PathWorld::take_over`] for an
    /// example.
    pub fn rebuild(&mut self, planner: PlannerId) {
        let Some(number) = self.planners.number(planner) else { return };
        let now = WorldState { kinds: &self.kinds, journal: &self.journal, tick: self.tick };
        self.planners.begin(number, now);
        self.forget_snapshot();
        self.publish();
    }

    /// Gives up building a planner; until [`PathWorld::rebuild`] others answer. Returns whether it was being
    /// built.
    pub fn stop_rebuild(&mut self, planner: PlannerId) -> bool {
        let revision = self.revision();
        let number = self.planners.number(planner);
        number.is_some_and(|number| self.planners.stop(number, revision))
    }

    /// The planners of the default kind, the preferred first.
    pub fn planners(&self) -> impl Iterator<Item = PlannerId> + '_ {
        self.planners_of(KindId::DEFAULT)
    }

    /// The planners of a kind, the preferred first.
    ///
    /// ```
    /// use highroad::PathWorld;
    /// use highroad::grid::{KindId, Movement};
    /// use highroad::hierarchy::HpaOptions;
    /// use highroad::index::HubOptions;
    /// use highroad::planner::Guarantee;
    /// let world = PathWorld::new("....\n....\n".parse()?)
    ///     .with_kind("scout", Movement::default())
    ///     .with_planner(HubOptions::default())
    ///     .with_planner(HpaOptions::default())
    ///     .build()?;
    /// let scout = world.kind("scout").unwrap();
    /// let promises: Vec<_> = world.planners_of(scout).filter_map(|planner| world.guarantee(planner)).collect();
    /// assert_eq!(promises, [Guarantee::Optimal, Guarantee::NearOptimal]);
    /// assert_eq!(world.planners_of(KindId::DEFAULT).count(), 0, "exact search answers for the default kind");
    /// assert!(world.memory_bytes() > world.environment_of(scout).unwrap().memory_bytes());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn planners_of(&self, kind: KindId) -> impl Iterator<Item = PlannerId> + '_ {
        self.planners.ids(kind)
    }

    /// A planner itself, to inspect or save it; `None` while it is not ready.
    pub fn planner(&self, planner: PlannerId) -> Option<&dyn Planner<E>> {
        let number = self.planners.number(planner)?;
        self.planners.get(number, self.planners.kind(number)).map(|planner| &**planner)
    }

    /// The name of a planner; `None` for one of another world.
    pub fn planner_name(&self, planner: PlannerId) -> Option<&str> {
        self.planners.name(planner)
    }

    /// What a planner promises on the map as it is; `None` while it is not ready.
    pub fn guarantee(&self, planner: PlannerId) -> Option<Guarantee> {
        let kind = self.planners.kind(self.planners.number(planner)?);
        Some(self.planner(planner)?.guarantee(self.environment_of(kind)?))
    }

    /// The state of a planner; `None` for one of another world. See [`PlannerId`] for an example.
    pub fn planner_status(&self, planner: PlannerId) -> Option<PlannerStatus> {
        self.planners.status(planner, self.tick)
    }

    /// What has happened to planners in the background since the last call.
    pub fn take_reports(&mut self) -> impl Iterator<Item = RebuildReport> + '_ {
        self.planners.take_reports()
    }

    /// Bytes held by the map, the planners and all working memory; not what only snapshots hold.
    pub fn memory_bytes(&self) -> usize {
        self.environment().shared_bytes()
            + self.kinds.iter().map(Living::own_bytes).sum::<usize>()
            + self.planners.memory_bytes()
            + self.parts.iter().flatten().map(|parts| parts.memory_bytes()).sum::<usize>()
            + self.scratch.memory_bytes()
            + self.requests.memory_bytes()
            + self.pool.memory_bytes()
    }
}
