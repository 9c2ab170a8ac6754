//! Flow fields: ways from everywhere to some goals, which follow edits.
//!
//! A [`FlowField`] keeps for each cell what the cheapest way to a goal costs, and a byte with the direction of the next
//! step, found when somebody asks for it. Costs are found cheapest first, in slices, and repaired after edits: only cells
//! whose cost changes are looked at, and those around them (`flood.rs`).
//!
//! Invariants: a *settled* cell has its final cost, and so have all cells on its cheapest ways. Costs follow from
//! the grid and the sources alone, and directions from the costs, so that a repaired field equals a new one, cell by cell.
//! (`tests.rs`)
//!
//! [`Field`](super::Field) is the right choice for a question that is asked once: it is quicker to make and cannot be repaired.

mod flood;
mod kept;
mod sources;
#[cfg(test)]
mod tests;

pub use kept::{FlowFields, FlowId};

use super::Field;
use crate::environment::End;
use crate::grid::{
    Cell, CellId, CellRect, Change, Cost, DELTAS, Direction, Grid, GridSpace, Revision,
    ShapedSteps, UniformSteps,
};
use crate::path::Path;
use crate::planner::{QueryError, check_places};
use crate::space::Nodes;
use flood::{Flood, NONE, On, Task};
use sources::Sources;
use std::sync::atomic::{AtomicU8, Ordering};

/// The ways from everywhere to the nearest of some goals. It follows edits of the grid and of its goals, and any number of
/// agents, on any number of threads, can ask it for their next step.
///
/// To make all of it takes O(n · log n) for n cells that can reach a goal; to repair it, the same for the cells whose cost
/// changes. Takes nine bytes a cell of the map, and 17 for a moment while much is repaired. Methods that begin a field fail with a
/// [`QueryError`] if there is no goal, or if one lies outside the map or is blocked.
///
/// ```
/// use highroad::{Cell, Terrain};
/// use highroad::field::{Flow, FlowField};
/// use highroad::grid::{Batch, Grid};
/// let mut grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
/// let mut field = FlowField::towards(&grid, &[Cell::new(3, 1)])?;
/// while field.advance(4) > 0 {} // a few cells at a time
/// assert_eq!(field.next(Cell::new(0, 1)), Some(Cell::new(0, 0)));
/// assert_eq!(field.flow(Cell::new(3, 1)), Flow::Arrived);
///
/// let changes = grid.apply(Batch::new().set((2, 0), Terrain::WALL))?;
/// field.follow(&grid, &changes);
/// field.finish();
/// assert_eq!(field.next(Cell::new(0, 1)), Some(Cell::new(0, 2)));
/// assert_eq!(field.path_from(Cell::new(0, 0)).unwrap().steps(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FlowField {
    grid: Grid,
    sources: Sources,
    flood: Flood,
    /// For each cell 0 as long as nobody has asked, [`ARRIVED`], or 1 + the direction. What it is follows from the costs alone, so
    /// that it does not matter which thread writes it.
    directions: Vec<AtomicU8>,
}

/// A copy goes on as the original would. It takes time and memory in proportion to the cells.
impl Clone for FlowField {
    fn clone(&self) -> Self {
        let copied = |byte: &AtomicU8| AtomicU8::new(byte.load(Ordering::Relaxed));
        Self {
            grid: self.grid.clone(),
            sources: self.sources.clone(),
            flood: self.flood.clone(),
            directions: self.directions.iter().map(copied).collect(),
        }
    }
}

/// The byte of a cell that is a goal.
const ARRIVED: u8 = 9;

/// What a [`FlowField`] knows of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Flow {
    /// It has not been worked out yet, or has to be repaired after an edit.
    Unsettled,
    /// No way leads from it to a goal.
    Unreachable,
    /// It is a goal, and no other goal is cheaper to reach than to stay.
    Arrived,
    /// The next cell of a cheapest way: a neighbour, or the end of a link.
    Next(Cell),
}

impl FlowField {
    /// A field of ways to the nearest of those goals, with nothing settled yet.
    pub fn towards(grid: &Grid, goals: &[Cell]) -> Result<Self, QueryError> {
        let sources: Vec<(Cell, Cost)> = goals.iter().map(|&goal| (goal, Cost::ZERO)).collect();
        Self::with_starting_costs(grid, &sources)
    }

    /// A field of ways to goals each of which has a cost of its own that is added to that of the way, at most 2⁶⁰: a
    /// less attractive goal, a queue in front of a door.
    ///
    /// ```
    /// use highroad::{Cell, Cost};
    /// use highroad::field::FlowField;
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults(".......\n".parse()?);
    /// let doors = [(Cell::new(0, 0), Cost::steps(3)), (Cell::new(6, 0), Cost::ZERO)];
    /// let mut field = FlowField::with_starting_costs(&grid, &doors)?;
    /// field.finish();
    /// assert_eq!(field.next(Cell::new(2, 0)), Some(Cell::new(3, 0)), "people queue at the nearer door");
    /// assert_eq!(field.next(Cell::new(1, 0)), Some(Cell::new(0, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_starting_costs(grid: &Grid, goals: &[(Cell, Cost)]) -> Result<Self, QueryError> {
        check_goals(grid, goals)?;
        let mut field = Self {
            grid: grid.clone(),
            sources: Sources::of(grid.extent(), goals),
            flood: Flood::default(),
            directions: Vec::new(),
        };
        field.begin();
        Ok(field)
    }

    /// A field of ways that lead away from some places: what an animal does that flees from hunters. Each cell is a goal whose
    /// starting cost falls with its distance from the nearest place, `courage_percent` of it. With 100 an animal runs to the
    /// nearest place that is farther away than all around it; with more it also passes closer to a hunter to get away
    /// farther, 120 being usual.
    ///
    /// Takes the time of a whole field at once. After an edit, or when hunters have moved, make another one.
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::field::FlowField;
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults(".......\n".parse()?);
    /// let mut field = FlowField::away_from(&grid, &[Cell::new(2, 0)], 120)?;
    /// field.finish();
    /// assert_eq!(field.next(Cell::new(3, 0)), Some(Cell::new(4, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn away_from(
        grid: &Grid,
        places: &[Cell],
        courage_percent: u16,
    ) -> Result<Self, QueryError> {
        let mut distances = Field::around(grid, places)?;
        distances.finish();
        let farthest = distances.cells().map(|(_, cost)| cost.0).max().unwrap_or(0);
        // A search counts up to 2⁴⁴, so that the product fits.
        let start = |cost: Cost| Cost((farthest - cost.0) * u64::from(courage_percent) / 100);
        let goals: Vec<(Cell, Cost)> =
            distances.cells().map(|(cell, cost)| (cell, start(cost))).collect();
        Self::with_starting_costs(grid, &goals)
    }

    /// A field of ways to what is not known yet: to the nearest cell that somebody knows, can enter, and that an unknown cell touches. So a
    /// game explores by itself. Fails with a [`QueryError`] if nothing is left to explore. O(cells) to begin; to go on as more becomes
    /// known, give a field the goals that are left ([`FlowField::set_goals`]) or make another one.
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::field::FlowField;
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults("......\n".parse()?);
    /// let mut ways = FlowField::exploring(&grid, |cell| cell.x < 4)?;
    /// ways.finish();
    /// assert_eq!(ways.path_from(Cell::new(1, 0)).map(|path| path.goal()), Some(Cell::new(3, 0)));
    /// assert!(FlowField::exploring(&grid, |_| true).is_err(), "everything is known");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exploring(grid: &Grid, is_known: impl Fn(Cell) -> bool) -> Result<Self, QueryError> {
        let extent = grid.extent();
        let is_edge = |cell: &Cell| {
            let around = CellRect::from(*cell).with_ring().overlap(&extent.rect());
            around.is_some_and(|around| around.cells().any(|near| !is_known(near)))
        };
        let open = extent.cells().filter(|&cell| is_known(cell) && grid.is_enterable(cell));
        Self::towards(grid, &open.filter(is_edge).collect::<Vec<_>>())
    }

    /// Begins again with other goals, on a grid of any size, in the same memory. Fails as [`FlowField::towards`], and is then as
    /// it was.
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::field::FlowField;
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults("....\n".parse()?);
    /// let mut field = FlowField::towards(&grid, &[Cell::new(3, 0)])?;
    /// field.renew(&grid, &[Cell::new(0, 0)])?;
    /// field.finish();
    /// assert_eq!(field.next(Cell::new(2, 0)), Some(Cell::new(1, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn renew(&mut self, grid: &Grid, goals: &[Cell]) -> Result<(), QueryError> {
        check_places(grid, End::Goal, goals)?;
        let goals: Vec<(Cell, Cost)> = goals.iter().map(|&goal| (goal, Cost::ZERO)).collect();
        self.grid = grid.clone();
        self.sources = Sources::of(grid.extent(), &goals);
        self.begin();
        Ok(())
    }

    /// Gives it other goals, and repairs what that changes: for a goal that moves a little, or places of which some have been
    /// explored. Fails as [`FlowField::towards`], and is then as it was.
    ///
    /// ```
    /// use highroad::{Cell, Cost};
    /// use highroad::field::FlowField;
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults(".......\n".parse()?);
    /// let mut field = FlowField::towards(&grid, &[Cell::new(0, 0), Cell::new(6, 0)])?;
    /// field.finish();
    /// field.set_goals(&[(Cell::new(6, 0), Cost::ZERO)])?;
    /// field.finish();
    /// assert_eq!(field.cost(Cell::new(1, 0)), Some(Cost::steps(5)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_goals(&mut self, goals: &[(Cell, Cost)]) -> Result<(), QueryError> {
        check_goals(&self.grid, goals)?;
        let sources = Sources::of(self.grid.extent(), goals);
        let differing = self.sources.differing(&sources);
        self.sources = sources;
        self.run(Task::Doubt(&differing));
        Ok(())
    }

    /// Follows an edit: `grid` is the grid as it is now, `changes` are all that has changed since the field was made or has
    /// followed last; more does no harm. What they change becomes unsettled, until [`FlowField::advance`] has repaired it. A goal that is blocked
    /// now does not count until it is open again. O(changed cells). A grid of another size begins again with the goals inside it.
    pub fn follow(&mut self, grid: &Grid, changes: &[Change]) {
        let same = grid.extent() == self.grid.extent() && grid.movement() == self.grid.movement();
        if !same {
            self.restart(grid);
            return;
        }
        self.grid = grid.clone();
        let inside = grid.extent().rect();
        let around = |rect: CellRect| rect.with_ring().overlap(&inside);
        let rects: Vec<_> =
            grid.effects_of(changes).iter().filter_map(|effect| around(effect.rect)).collect();
        let cells = rects.iter().flat_map(|rect| rect.cells());
        let ids: Vec<u32> = cells.map(|cell| grid.extent().id_inside(cell).0).collect();
        self.run(Task::Doubt(&ids));
    }

    /// Begins again with the same goals on a grid as it is, when nobody knows what has changed: goals outside it are gone.
    ///
    /// ```
    /// use highroad::{Cell, Cost, Terrain};
    /// use highroad::field::FlowField;
    /// use highroad::grid::{Batch, Grid};
    /// let mut grid = Grid::with_defaults("...\n...\n".parse()?);
    /// let mut field = FlowField::towards(&grid, &[Cell::new(2, 0)])?;
    /// grid.apply(Batch::new().set((1, 0), Terrain::WALL))?;
    /// field.restart(&grid);
    /// assert_eq!(field.settle(Cell::new(0, 0)), Some(Cost::steps(4)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restart(&mut self, grid: &Grid) {
        self.grid = grid.clone();
        self.sources.fit(grid.extent());
        self.begin();
    }

    /// Goes on for up to `slice` looks at a cell. Returns how many it has taken; 0 if everything is settled.
    pub fn advance(&mut self, slice: u64) -> u64 {
        self.run(Task::Work(slice))
    }

    /// Settles everything.
    pub fn finish(&mut self) {
        while self.advance(u64::MAX) > 0 {}
    }

    /// Goes on until a cell is settled; returns its cost, or `None` if no way leads from it to a goal.
    ///
    /// ```
    /// use highroad::{Cell, Cost};
    /// use highroad::field::FlowField;
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults("....#.\n".parse()?);
    /// let mut field = FlowField::towards(&grid, &[Cell::new(0, 0)])?;
    /// assert_eq!(field.settle(Cell::new(2, 0)), Some(Cost::steps(2)));
    /// assert_eq!(field.settle(Cell::new(5, 0)), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn settle(&mut self, cell: Cell) -> Option<Cost> {
        /// Looks between two questions.
        const SLICE: u64 = 1024;
        while self.cost(cell).is_none() && self.advance(SLICE) > 0 {}
        self.cost(cell)
    }

    /// Whether everything is settled: from a cell without a cost no way leads to a goal.
    pub fn is_complete(&self) -> bool {
        self.flood.is_complete()
    }

    /// What the cheapest way from a cell to a goal costs, with the starting cost of that goal; `None` if it is not settled, or if
    /// there is no way.
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        let id = self.grid.extent().id(cell)?;
        let cost = self.flood.cost(id.0);
        (cost < self.flood.limit()).then_some(Cost(cost))
    }

    /// Where to go from a cell: the first of the directions, in their order, in which a cheapest way leads.
    ///
    /// The first agent that asks for a cell finds the direction among up to eight; others read a byte.
    pub fn flow(&self, cell: Cell) -> Flow {
        let Some(id) = self.grid.extent().id(cell) else { return Flow::Unreachable };
        let cost = self.flood.cost(id.0);
        if cost == NONE {
            let known = self.flood.is_complete() || !self.grid.is_enterable(cell);
            return if known { Flow::Unreachable } else { Flow::Unsettled };
        }
        if cost >= self.flood.limit() {
            return Flow::Unsettled;
        }
        match self.directions[id.index()].load(Ordering::Relaxed) {
            0 => self.find_direction(cell, id, cost),
            ARRIVED => Flow::Arrived,
            byte => Flow::Next(neighbour(cell, byte - 1)),
        }
    }

    /// The next cell on a cheapest way; `None` where [`FlowField::flow`] says anything else.
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::field::FlowField;
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults("....\n".parse()?);
    /// let mut field = FlowField::towards(&grid, &[Cell::new(0, 0)])?;
    /// assert_eq!(field.next(Cell::new(2, 0)), None, "it is not settled yet");
    /// field.finish();
    /// let mut agents = [Cell::new(2, 0), Cell::new(3, 0)];
    /// while let [Some(first), Some(second)] = agents.map(|agent| field.next(agent)) {
    ///     agents = [first, second];
    /// }
    /// assert_eq!(agents, [Cell::new(0, 0), Cell::new(1, 0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn next(&self, cell: Cell) -> Option<Cell> {
        match self.flow(cell) {
            Flow::Next(next) => Some(next),
            _ => None,
        }
    }

    /// The path of an agent on a settled cell, to show it or to keep it; its goal is the nearest. O(its length).
    pub fn path_from(&self, cell: Cell) -> Option<Path> {
        self.cost(cell)?;
        // Costs fall with each step, so that it ends.
        let cells: Vec<Cell> = std::iter::successors(Some(cell), |&at| self.next(at)).collect();
        let cost = self.grid.cost_along(&cells);
        Some(Path::vouched(cells, cost, self.grid.revision()))
    }

    /// The goals, with their starting costs, in the order of their rows.
    pub fn goals(&self) -> impl Iterator<Item = (Cell, Cost)> + '_ {
        let extent = self.grid.extent();
        self.sources.all().iter().map(move |&(id, cost)| (extent.cell(CellId(id)), Cost(cost)))
    }

    /// The grid that it is for.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The revision that it is for.
    pub fn revision(&self) -> Revision {
        self.grid.revision()
    }

    /// Bytes held, beside the snapshot of the grid.
    pub fn memory_bytes(&self) -> usize {
        self.flood.memory_bytes() + self.sources.memory_bytes() + self.directions.capacity()
    }

    /// What a new field on a grid takes at least.
    fn bytes_of(grid: &Grid) -> usize {
        grid.node_count().saturating_mul(size_of::<u64>() + 1)
    }

    fn begin(&mut self) {
        let count = self.grid.node_count();
        self.directions.clear();
        self.directions.resize_with(count, AtomicU8::default);
        let step_max = self.grid.step_max();
        self.flood.begin(count, step_max);
        let goals: Vec<u32> = self.sources.all().iter().map(|&(id, _)| id).collect();
        self.run(Task::Doubt(&goals));
    }

    /// Lets the flood do something on the grid as it is, and forgets the directions that may be others then. Returns how many
    /// looks at a cell it has taken.
    fn run(&mut self, task: Task<'_>) -> u64 {
        let Self { grid, sources, flood, directions } = self;
        let spent = match grid.uniform_cost().filter(|_| !grid.is_shaped()) {
            Some(cost) => {
                let space = GridSpace::new(grid, &[], UniformSteps::new(grid, cost, false));
                flood.run(&mut On { grid, sources, space }, task)
            }
            None => {
                let space = GridSpace::new(grid, &[], ShapedSteps::new(grid, false));
                flood.run(&mut On { grid, sources, space }, task)
            }
        };
        flood.take_touched(grid.extent().width() as usize, |cells| {
            let end = cells.end.min(directions.len());
            directions[cells.start.min(end)..end].iter_mut().for_each(|byte| *byte.get_mut() = 0);
        });
        spent
    }

    /// Finds the direction of a settled cell, and keeps it unless links decide it.
    fn find_direction(&self, cell: Cell, id: CellId, cost: u64) -> Flow {
        let keep = |byte: u8| self.directions[id.index()].store(byte, Ordering::Relaxed);
        if self.sources.cost_of(id.0) == cost {
            keep(ARRIVED);
            return Flow::Arrived;
        }
        let leads_on = |to: CellId, step: u32| {
            let rest = self.flood.cost(to.0);
            rest != NONE && rest + u64::from(step) == cost
        };
        // What is far away may change without a word to this cell: where links begin, nothing is kept.
        let (mut has_links, mut by_link) = (false, None);
        self.grid.visit_links(id, false, |to, step| {
            has_links = true;
            by_link = by_link.or(leads_on(to, step).then(|| self.grid.extent().cell(to)));
        });
        if let Some(to) = by_link {
            return Flow::Next(to);
        }
        for direction in Direction::ALL {
            let to = neighbour(cell, direction as u8);
            let step = self.grid.walking_cost(cell, to).zip(self.grid.extent().id(to));
            if step.is_some_and(|(step, to)| leads_on(to, step)) {
                if !has_links {
                    keep(1 + direction as u8);
                }
                return Flow::Next(to);
            }
        }
        // Every settled cost is that of a goal or of a step to another settled cell.
        Flow::Unreachable
    }
}

fn check_goals(grid: &Grid, goals: &[(Cell, Cost)]) -> Result<(), QueryError> {
    let cells: Vec<Cell> = goals.iter().map(|&(goal, _)| goal).collect();
    check_places(grid, End::Goal, &cells)
}

/// The neighbour in a direction; far outside every map if there is none.
#[inline]
fn neighbour(cell: Cell, direction: u8) -> Cell {
    let (columns, rows) = DELTAS[usize::from(direction & 7)];
    Cell::new(cell.x.wrapping_add_signed(columns), cell.y.wrapping_add_signed(rows))
}
