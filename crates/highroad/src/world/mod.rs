//! A map that changes: edits, revisions, snapshots, planners that follow.

mod builder;
mod history;
mod requests;
mod snapshot;
#[cfg(test)]
mod tests;

pub use builder::{BuildWorldError, WorldBuilder};
pub use snapshot::{Reader, Snapshot};

use crate::frame::Frame;
use crate::planners::{Now, PlannerStatus, Planners, RebuildReport};
use crate::pool::ScratchPool;
use crate::requests::Requests;
use arc_swap::ArcSwap;
use highroad_core::{
    Answer, Batch, Cell, Change, EditError, Grid, GridMap, Guarantee, Journal, Movement, Path,
    Query, QueryError, Revision, Scratch,
};
use history::History;
use snapshot::{View, solve};
use std::sync::{Arc, OnceLock};

/// Changed cells that the journal remembers: a megabyte in large batches, six if each is its own.
const JOURNAL_CELLS_MAX: usize = 65_536;

/// A map, how agents move on it, what has changed, and the planners that answer: the single writer.
///
/// ```
/// use highroad::{HpaOptions, Rect, Terrain, World};
/// let map = "........\n........\n........\n".parse()?;
/// let mut world = World::new(map).with(HpaOptions::default()).build()?;
/// let path = world.find_path((0, 1), (7, 1))?.expect("nothing is in the way");
///
/// world.edit(|edit| _ = edit.fill(Rect::new((4, 0), (4, 1)), Terrain::WALL))?;
/// assert!(!world.still_valid(&path));
/// world.undo();
/// assert!(world.still_valid(&path));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct World {
    grid: Grid,
    journal: Journal<Change>,
    history: History,
    planners: Planners,
    requests: Requests,
    frame: Frame,
    tick: u64,
    scratch: Scratch,
    pool: Arc<ScratchPool>,
    /// The snapshot of this revision, once somebody has asked for it.
    latest: OnceLock<Snapshot>,
    /// Where readers find it, if there are any.
    published: Option<Arc<ArcSwap<View>>>,
}

impl World {
    /// A world under the benchmark rules: the profile of the map's palette, corners never cut. Paths are
    /// found by exact search, unless it is given [planners](World::with).
    pub fn new(map: GridMap) -> Self {
        Self::on(Grid::with_defaults(map))
    }

    /// A world whose agents move otherwise.
    pub fn with_movement(map: GridMap, movement: Movement) -> Self {
        Self::on(Grid::new(map, movement))
    }

    /// A world on a grid.
    pub fn on(grid: Grid) -> Self {
        let journal = Journal::new(grid.revision(), JOURNAL_CELLS_MAX);
        Self {
            grid,
            journal,
            history: History::new(JOURNAL_CELLS_MAX),
            planners: Planners::new(builder::FOLLOWING),
            requests: Requests::default(),
            frame: Frame::default(),
            tick: 0,
            scratch: Scratch::new(),
            pool: Arc::default(),
            latest: OnceLock::new(),
            published: None,
        }
    }

    /// The grid as it is now.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// How often it has been changed.
    pub fn revision(&self) -> Revision {
        self.grid.revision()
    }

    /// Where the map lies in the game's space.
    pub fn frame(&self) -> Frame {
        self.frame
    }

    /// The cell at a position in the game's space; `None` outside the map.
    pub fn cell_at(&self, position: [f64; 2]) -> Option<Cell> {
        self.frame.cell_at(self.grid.extent(), position)
    }

    /// Makes one batch of changes: all of them, or none if one lies outside. Returns the revision
    /// that they led to. Planners follow: hierarchies are patched where the batch touches them, indexes
    /// that cannot be are made anew in the background.
    pub fn edit(&mut self, describe: impl FnOnce(&mut Batch)) -> Result<Revision, EditError> {
        let mut batch = Batch::new();
        describe(&mut batch);
        self.apply(&batch)
    }

    /// The same for a batch that is there already.
    pub fn apply(&mut self, batch: &Batch) -> Result<Revision, EditError> {
        self.apply_telling(batch)?;
        Ok(self.grid.revision())
    }

    /// The same, telling which cells differ.
    pub(crate) fn apply_telling(&mut self, batch: &Batch) -> Result<Vec<Change>, EditError> {
        let changes = self.change(batch)?;
        if !changes.is_empty() {
            self.history.push(changes.clone());
        }
        Ok(changes)
    }

    /// Takes back the latest batch that has not been taken back, as an edit of its own. `None` if
    /// there is none, or if it was too long ago.
    pub fn undo(&mut self) -> Option<Revision> {
        let changes = self.history.pop()?;
        // The batch lay inside, and so does what takes it back.
        self.change(&Batch::undoing(&changes)).ok()?;
        Some(self.grid.revision())
    }

    /// Changes cells and lets everything follow.
    fn change(&mut self, batch: &Batch) -> Result<Vec<Change>, EditError> {
        self.forget_snapshot();
        let changes = self.grid.apply(batch)?;
        if !changes.is_empty() {
            self.journal.record(self.grid.revision(), changes.clone());
            self.requests.forget_fields();
            let now = Now { grid: &self.grid, journal: &self.journal, tick: self.tick };
            self.planners.follow(now, &changes, &mut self.scratch);
            self.publish();
        }
        Ok(changes)
    }

    /// Every change made after `revision`, oldest first; `None` if the journal no longer knows, and
    /// whoever asks must start afresh.
    pub fn changes_since(&self, revision: Revision) -> Option<impl Iterator<Item = &Change>> {
        self.journal.since(revision)
    }

    /// Whether a path of this world can still be walked at the cost it claims. Mostly that takes a look
    /// at what has changed in its corridor since it was found.
    pub fn still_valid(&self, path: &Path) -> bool {
        if path.revision() == self.revision() {
            return true;
        }
        let untouched = self.journal.since(path.revision());
        let untouched = untouched.is_some_and(|mut changes| !path.is_affected_by(&mut changes));
        untouched || path.validate(&self.grid).is_ok()
    }

    /// Whether any of those changes touches the path's corridor: see [`Path::is_affected_by`].
    pub fn affected<'c>(&self, path: &Path, changes: impl IntoIterator<Item = &'c Change>) -> bool {
        path.is_affected_by(changes)
    }

    /// The world as it is now, for readers on any thread: cheap to make, and it stays as it is.
    pub fn snapshot(&self) -> Snapshot {
        self.latest.get_or_init(|| self.view()).clone()
    }

    fn view(&self) -> Snapshot {
        Snapshot(Arc::new(View {
            grid: self.grid.clone(),
            planners: self.planners.ready().cloned().collect(),
            frame: self.frame,
            pool: Arc::clone(&self.pool),
        }))
    }

    /// For threads that want the latest snapshot while the world changes. As long as there are
    /// readers, every revision is published as it comes about.
    pub fn reader(&mut self) -> Reader {
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

    /// A path, as good as the world's first planner that is ready promises; `None` if there is none
    /// (or if it would cost 2⁴⁴ half-units or more, which no search counts up to).
    pub fn find_path(
        &mut self,
        start: impl Into<Cell>,
        goal: impl Into<Cell>,
    ) -> Result<Option<Path>, QueryError> {
        Ok(self.answer(&Query::new(start, goal))?.path())
    }

    /// The answer to a query of any kind, with the way to the nearest reachable cell where there is
    /// no path.
    pub fn answer(&mut self, query: &Query) -> Result<Answer, QueryError> {
        self.take_over();
        let planners = self.planners.ready().map(|planner| &**planner);
        solve(planners, &self.grid, query, &mut self.scratch)
    }

    /// Lets planners take over that were made in the background and are ready. [`World::tick`],
    /// [`World::find_path`] and [`World::answer`] do so by themselves.
    pub fn take_over(&mut self) {
        let now = Now { grid: &self.grid, journal: &self.journal, tick: self.tick };
        if self.planners.collect(now, &mut self.scratch) {
            self.forget_snapshot();
            self.publish();
        }
    }

    /// Waits until no planner is being made any more; those that wait for the map to stand still are
    /// made at once.
    pub fn finish_rebuilds(&mut self) {
        let now = Now { grid: &self.grid, journal: &self.journal, tick: self.tick };
        self.planners.finish(now, &mut self.scratch);
        self.forget_snapshot();
        self.publish();
    }

    /// Makes a planner anew in the background, by its number in the order they were given.
    pub fn rebuild(&mut self, planner: usize) {
        let now = Now { grid: &self.grid, journal: &self.journal, tick: self.tick };
        self.planners.begin(planner, now);
        self.forget_snapshot();
        self.publish();
    }

    /// Gives up making a planner; until [`World::rebuild`] others answer. Returns whether it was being
    /// made.
    pub fn stop_rebuild(&mut self, planner: usize) -> bool {
        self.planners.stop(planner, self.grid.revision())
    }

    /// How many planners it was given.
    pub fn planner_count(&self) -> usize {
        self.planners.len()
    }

    /// The name of a planner, by its number.
    pub fn planner_name(&self, planner: usize) -> Option<&str> {
        self.planners.name(planner)
    }

    /// What a planner promises on the map as it is, by its number; `None` while it is not ready.
    pub fn guarantee(&self, planner: usize) -> Option<Guarantee> {
        self.planners.get(planner).map(|planner| planner.guarantee(&self.grid))
    }

    /// How a planner stands, by its number.
    pub fn planner_status(&self, planner: usize) -> Option<PlannerStatus> {
        self.planners.status(planner, self.tick)
    }

    /// What has happened to planners in the background since the last call.
    pub fn take_reports(&mut self) -> impl Iterator<Item = RebuildReport> + '_ {
        self.planners.take_reports()
    }

    /// Bytes held by the grid, the planners and all working memory; not what only snapshots hold.
    pub fn memory_bytes(&self) -> usize {
        self.grid.memory_bytes()
            + self.planners.memory_bytes()
            + self.scratch.memory_bytes()
            + self.requests.memory_bytes()
            + self.pool.memory_bytes()
    }
}
