//! Fields: one search from a place, from which many questions are answered.
//!
//! Dijkstra's algorithm from some sources, in slices, in memory of its own. Where steps cost the same both
//! ways, one field shows the way from anywhere to the sources (many agents with one goal) and
//! the way from the sources to anywhere (one agent with many goals, or the range of its movement). Where they do not
//! ([`PaidCells::Entered`](crate::PaidCells::Entered)), a field is of one of the two, and knows nothing of the other.
//!
//! Invariant: what is *settled* has its final cost; a field never gets better by going on, only
//! larger. It holds a snapshot of the grid, and answers for that revision.

use super::mesh::MeshMemory;
use crate::environment::End;
use crate::grid::{Cell, Cost, Grid, Revision};
use crate::online::{Exploration, GridSearch, path_over, reached_cells};
use crate::path::Path;
use crate::planner::{QueryError, check_places};
use crate::search::{Limits, Workspace};
use crate::space::{NodeId, Nodes};

/// Costs and ways between some sources and every cell around them, as far as it has been worked out.
///
/// To settle n cells takes O(n · log n) time at most. A new field takes memory in proportion to the map;
/// [`Field::within_using`] and [`Field::renew`] use memory again. Methods that begin a field fail with a
/// [`QueryError`] if there is no source, or if one lies outside the map or is blocked.
///
/// ```
/// use highroad::Cell;
/// use highroad::field::Field;
/// use highroad::grid::Grid;
/// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
/// let mut field = Field::around(&grid, &[Cell::new(0, 0)])?;
/// field.finish();
/// assert_eq!(field.path_from(Cell::new(3, 2)).unwrap().length(), 5.0);
/// assert_eq!(field.path_to(Cell::new(3, 2)).unwrap().start(), Cell::new(0, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Field {
    grid: Grid,
    work: Workspace,
    exploration: Exploration,
    complete: bool,
}

/// The memory of a field, without the field: to use again for another one, also on another grid. It holds no
/// snapshot of a grid, so that edits copy nothing on its account.
#[derive(Default)]
pub struct FieldMemory {
    pub(super) work: Workspace,
    pub(super) mesh: MeshMemory,
}

impl FieldMemory {
    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.work.memory_bytes() + self.mesh.bytes()
    }
}

impl Field {
    /// A field of ways to those goals, with nothing settled yet: for many agents that go to the same place. Where steps
    /// cost the same both ways, it is as [`Field::around`].
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::field::Field;
    /// use highroad::grid::{Grid, Movement, PaidCells};
    /// let movement = Movement::default().with_paid_cells(PaidCells::Entered);
    /// let grid = Grid::new("....\n".parse()?, movement);
    /// let mut field = Field::towards(&grid, &[Cell::new(0, 0)])?;
    /// field.finish();
    /// assert_eq!(field.path_from(Cell::new(3, 0)).unwrap().steps(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn towards(grid: &Grid, goals: &[Cell]) -> Result<Self, QueryError> {
        let mut field = Self::around(grid, goals)?;
        field.exploration.set_backwards();
        Ok(field)
    }

    /// A field around those sources, with nothing settled yet. Where a step may cost something else than the step back,
    /// it is a field of ways from the sources; see [`Field::towards`] for the others.
    pub fn around(grid: &Grid, sources: &[Cell]) -> Result<Self, QueryError> {
        Self::within(grid, sources, u64::MAX)
    }

    /// A field around those sources, up to that cost from the nearest of them.
    ///
    /// ```
    /// use highroad::{Cell, Cost};
    /// use highroad::field::Field;
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults(".....\n".parse()?);
    /// let mut field = Field::within(&grid, &[Cell::new(0, 0)], Cost::steps(2).0)?;
    /// while field.advance(1) {} // one cell a slice
    /// assert_eq!(field.cost(Cell::new(2, 0)), Some(Cost::steps(2)));
    /// assert_eq!(field.cost(Cell::new(3, 0)), None, "it lies beyond");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn within(grid: &Grid, sources: &[Cell], cost_max: u64) -> Result<Self, QueryError> {
        Self::within_using(grid, sources, cost_max, &mut FieldMemory::default())
    }

    /// As [`Field::within`], in memory that is there already, which the field takes and [`Field::into_memory`] gives back.
    /// Then a range takes time in proportion to its cells, whatever the size of the map.
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::field::{Field, FieldMemory};
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
    /// let mut memory = FieldMemory::default();
    /// for start in [Cell::new(0, 0), Cell::new(3, 2)] {
    ///     let mut range = Field::within_using(&grid, &[start], 0, &mut memory)?;
    ///     range.finish();
    ///     assert_eq!(range.cells().map(|(cell, _)| cell).collect::<Vec<_>>(), [start]);
    ///     memory = range.into_memory();
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn within_using(
        grid: &Grid,
        sources: &[Cell],
        cost_max: u64,
        memory: &mut FieldMemory,
    ) -> Result<Self, QueryError> {
        check_places(grid, End::Start, sources)?;
        let mut work = std::mem::take(&mut memory.work);
        let exploration = explore(grid, sources, cost_max, &mut work);
        Ok(Self { grid: grid.clone(), work, exploration, complete: false })
    }

    /// Its memory, for another field.
    pub fn into_memory(self) -> FieldMemory {
        FieldMemory { work: self.work, ..FieldMemory::default() }
    }

    /// Begins again on a grid, in the same memory, as [`Field::towards`]. Fails as that does.
    ///
    /// ```
    /// use highroad::{Cell, Cost};
    /// use highroad::field::Field;
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults("...\n...\n".parse()?);
    /// let mut field = Field::towards(&grid, &[Cell::new(2, 0)])?;
    /// field.renew_towards(&grid, &[Cell::new(1, 0)])?;
    /// assert_eq!(field.settle(Cell::new(0, 0)), Some(Cost::steps(1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn renew_towards(&mut self, grid: &Grid, goals: &[Cell]) -> Result<(), QueryError> {
        self.renew(grid, goals, u64::MAX)?;
        self.exploration.set_backwards();
        Ok(())
    }

    /// Begins again, on the same grid after an edit or on another one, in the same memory.
    ///
    /// ```
    /// use highroad::{Cell, Cost, Terrain};
    /// use highroad::field::Field;
    /// use highroad::grid::{Batch, Grid};
    /// let mut grid = Grid::with_defaults("...\n...\n".parse()?);
    /// let goal = [Cell::new(2, 0)];
    /// let mut field = Field::around(&grid, &goal)?;
    /// assert_eq!(field.settle(Cell::new(0, 0)), Some(Cost::steps(2)));
    /// grid.apply(Batch::new().set((1, 0), Terrain::WALL))?;
    /// field.renew(&grid, &goal, u64::MAX)?;
    /// assert_eq!(field.settle(Cell::new(0, 0)), Some(Cost::steps(4)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn renew(
        &mut self,
        grid: &Grid,
        sources: &[Cell],
        cost_max: u64,
    ) -> Result<(), QueryError> {
        check_places(grid, End::Start, sources)?;
        self.exploration = explore(grid, sources, cost_max, &mut self.work);
        if self.grid.edition() != grid.edition() {
            self.grid = grid.clone();
        }
        self.complete = false;
        Ok(())
    }

    /// Settles up to `slice` more cells, the nearest first. Returns whether there are any left.
    pub fn advance(&mut self, slice: u64) -> bool {
        if !self.complete {
            self.complete = self.exploration.advance(&self.grid, slice, &mut self.work);
        }
        !self.complete
    }

    /// Settles everything.
    pub fn finish(&mut self) {
        while self.advance(u64::MAX) {}
    }

    /// Goes on until that cell is settled, or turns out not to be reachable; returns its cost. See [`Field::renew`] for an
    /// example.
    pub fn settle(&mut self, cell: Cell) -> Option<Cost> {
        /// Cells between two looks.
        const SLICE: u64 = 4096;
        while self.cost(cell).is_none() && self.advance(SLICE) {}
        self.cost(cell)
    }

    /// Whether everything is settled: a cell without a cost cannot be reached, or not within the limit.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// How many cells are settled.
    pub fn settled(&self) -> u64 {
        self.exploration.run.statistics.expanded
    }

    /// The grid that it is for.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The revision that it is for.
    pub fn revision(&self) -> Revision {
        self.grid.revision()
    }

    /// The cost between a cell and the nearest source, if it is settled; in the direction that the field is of.
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        Some(Cost(self.work.forward.nodes.get(self.settled_node(cell)?).g))
    }

    /// The path from a settled cell to the nearest source; `None` also where steps do not cost the same both ways and
    /// the field is not of [ways to its sources](Field::towards).
    pub fn path_from(&mut self, cell: Cell) -> Option<Path> {
        if !self.exploration.is_backwards() && !self.grid.costs_the_same_both_ways() {
            return None;
        }
        let node = self.settled_node(cell)?;
        Some(path_over(&self.grid, self.work.trail_from(node)))
    }

    /// The path from the nearest source to a settled cell; `None` also where steps do not cost the same both ways and
    /// the field is of [ways to its sources](Field::towards).
    pub fn path_to(&mut self, cell: Cell) -> Option<Path> {
        if self.exploration.is_backwards() && !self.grid.costs_the_same_both_ways() {
            return None;
        }
        let node = self.settled_node(cell)?;
        Some(path_over(&self.grid, self.work.trail_to(node)))
    }

    /// Every settled cell with its cost, row by row.
    ///
    /// O(settled cells), and a logarithm for sorting them: the size of the map does not matter.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, Cost)> + '_ {
        let nodes = &self.work.forward.nodes;
        reached_cells(&self.grid, nodes, &self.exploration.starts, self.settled())
    }

    /// Bytes held, beside the snapshot of the grid.
    pub fn memory_bytes(&self) -> usize {
        self.work.memory_bytes()
    }

    fn settled_node(&self, cell: Cell) -> Option<NodeId> {
        let node = self.grid.extent().contains(cell).then(|| self.grid.node(cell))?;
        self.work.forward.nodes.get(node).is_closed().then_some(node)
    }
}

fn explore(grid: &Grid, sources: &[Cell], cost_max: u64, work: &mut Workspace) -> Exploration {
    let limits = Limits { cost_max, ..Limits::default() };
    Exploration::begin(GridSearch::dijkstra(), grid, sources, limits, work)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planner::{PathQuery, Planner, Scratch};
    use crate::{Batch, Terrain};

    fn grid() -> Grid {
        Grid::with_defaults(
            ".....#.\n.###.#.\n.#...#.\n.#.###.\n.......\n######.\n".parse().unwrap(),
        )
    }

    #[test]
    fn a_field_agrees_with_a_search_for_every_cell_both_ways_however_it_is_sliced() {
        let grid = grid();
        let source = Cell::new(2, 2);
        let mut scratch = Scratch::new();
        for slice in [1, 3, u64::MAX] {
            let mut field = Field::around(&grid, &[source]).unwrap();
            while field.advance(slice) {}
            for cell in grid.extent().cells().filter(|&cell| grid.is_enterable(cell)) {
                let answer =
                    GridSearch::astar().solve(&grid, &PathQuery::new(cell, source), &mut scratch);
                let optimal = answer.unwrap().path().map(|path| path.cost());
                assert_eq!(field.cost(cell), optimal, "{cell}");
                let (Some(from), Some(to)) = (field.path_from(cell), field.path_to(cell)) else {
                    continue;
                };
                assert_eq!((from.start(), from.goal()), (cell, source));
                assert_eq!((to.start(), to.goal()), (source, cell));
                assert_eq!((from.validate(&grid), to.validate(&grid)), (Ok(()), Ok(())));
                assert_eq!(Some(from.cost()), optimal);
            }
        }
    }

    /// With costs of the entered cell a way there and the way back differ: one field for each.
    #[test]
    fn fields_know_which_way_they_lead_where_costs_differ_by_direction() {
        use crate::{Movement, MovementRule, PaidCells, Profile, StepCosts};
        let swampy = Profile::movingai().with_cost(Terrain::SWAMP, 5).unwrap();
        let movement = Movement::new(swampy, MovementRule::default(), StepCosts::EXACT).unwrap();
        let movement = movement.with_paid_cells(PaidCells::Entered);
        let grid = Grid::new("..SS..\n.S..S.\nS.#..S\n..S...\n".parse().unwrap(), movement);
        let source = Cell::new(3, 1);
        let mut scratch = Scratch::new();
        let mut best = |from: Cell, to: Cell| {
            let answer =
                GridSearch::dijkstra().solve(&grid, &PathQuery::new(from, to), &mut scratch);
            answer.unwrap().path().map(|path| path.cost())
        };
        let mut away = Field::around(&grid, &[source]).unwrap();
        away.finish();
        let mut towards = Field::towards(&grid, &[source]).unwrap();
        towards.finish();
        let mut renewed = Field::around(&grid, &[Cell::new(0, 0)]).unwrap();
        renewed.renew_towards(&grid, &[source]).unwrap();
        renewed.finish();
        let mut differ = 0;
        for cell in grid.extent().cells().filter(|&cell| grid.is_enterable(cell)) {
            assert_eq!(away.cost(cell), best(source, cell), "to {cell}");
            assert_eq!(towards.cost(cell), best(cell, source), "from {cell}");
            assert_eq!(renewed.cost(cell), towards.cost(cell), "from {cell}");
            let (to, from) = (away.path_to(cell).unwrap(), towards.path_from(cell).unwrap());
            assert_eq!((to.validate(&grid), from.validate(&grid)), (Ok(()), Ok(())));
            assert_eq!((Some(to.cost()), Some(from.cost())), (away.cost(cell), towards.cost(cell)));
            assert_eq!((away.path_from(cell), towards.path_to(cell)), (None, None));
            differ += usize::from(to.cost() != from.cost());
        }
        assert!(differ > 5, "{differ}");
    }

    #[test]
    fn it_settles_no_more_than_it_must_and_no_costlier_cell_than_its_limit() {
        let grid = grid();
        let source = Cell::new(0, 0);
        let straight = u64::from(grid.step_cost(source, Cell::new(1, 0)).unwrap());
        let mut field = Field::within(&grid, &[source], 3 * straight).unwrap();
        field.finish();
        let within: Vec<Cell> = field.cells().map(|(cell, _)| cell).collect();
        let expected = [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (0, 2), (0, 3)].map(Cell::from);
        assert_eq!(within, expected);
        assert_eq!(field.settled(), 7);
        assert!(field.is_complete() && field.cost(Cell::new(4, 0)).is_none());
        assert_eq!(field.cost(Cell::new(99, 0)), None);
        assert!(
            Field::around(&grid, &[]).is_err() && Field::around(&grid, &[(1, 1).into()]).is_err()
        );
    }

    /// What a look at every cell finds.
    fn look_at_every_cell(field: &Field) -> Vec<(Cell, Cost)> {
        let extent = field.grid().extent();
        extent.cells().filter_map(|cell| Some((cell, field.cost(cell)?))).collect()
    }

    #[test]
    fn cells_are_listed_row_by_row_however_few_of_the_map_they_are() {
        let text: String = (0..60u32)
            .map(|y| {
                let row =
                    (0..80u32).map(|x| if (x * 7 + y * 13 + x * y) % 5 < 1 { '#' } else { '.' });
                row.chain(['\n']).collect::<String>()
            })
            .collect();
        let grid = Grid::with_defaults(text.parse().unwrap());
        let free = |&cell: &Cell| grid.is_enterable(cell);
        let sources: Vec<Cell> = grid.extent().cells().filter(free).step_by(997).collect();
        let straight = 2 * u64::from(grid.movement().steps().straight());
        let mut memory = FieldMemory::default();
        for count in 1..=sources.len() {
            for steps in [0, 1, 3, 5, 20, 200] {
                let sources = [&sources[..count], &sources[..1]].concat();
                let mut field =
                    Field::within_using(&grid, &sources, steps * straight, &mut memory).unwrap();
                // In the middle of a search as well: what is open is not settled.
                field.advance(7);
                assert!(field.cells().eq(look_at_every_cell(&field)), "{count} {steps}");
                field.finish();
                assert!(field.cells().eq(look_at_every_cell(&field)), "{count} {steps}");
                assert_eq!(field.cells().count() as u64, field.settled());
                memory = field.into_memory();
            }
        }
    }

    #[test]
    fn a_field_stays_with_its_revision_until_it_is_renewed() {
        let mut grid = grid();
        let mut field = Field::around(&grid, &[Cell::new(0, 0)]).unwrap();
        let mut batch = Batch::new();
        batch.set((0, 2), Terrain::WALL).set((4, 1), Terrain::WALL);
        grid.apply(&batch).unwrap();
        assert!(field.settle(Cell::new(0, 4)).is_some());
        assert_eq!(field.revision(), Revision(0));
        field.renew(&grid, &[Cell::new(0, 0)], u64::MAX).unwrap();
        assert_eq!(field.settle(Cell::new(0, 4)), None);
        assert_eq!(field.revision(), Revision(1));
    }
}
