//! The corridor of a path: the cells that its steps depend on.

use super::Path;
use crate::grid::{Cell, CellRect, Change, Grid, step_depends, step_depends_on};

/// Cells between two boxes of a corridor: a look at a box passes over that many.
const STRETCH: usize = 32;

/// The cells of a path and those that its diagonal steps squeeze past, boxed stretch by stretch: a
/// change elsewhere cannot spoil the path.
///
/// Keep it beside a path that is walked while the map changes: asking costs a few comparisons a
/// stretch of 32 cells, and the cells themselves are looked at only where a box contains the change.
///
/// ```
/// use highroad::Cell;
/// use highroad::path::Corridor;
/// let cells = [(0, 0), (1, 1), (2, 1)].map(Cell::from);
/// let corridor = Corridor::of(&cells);
/// assert_eq!(corridor.first_touched(&cells, 0, Cell::new(1, 0)), Some(1)); // squeezed past
/// assert_eq!(corridor.first_touched(&cells, 1, Cell::new(1, 0)), None); // behind by then
/// assert_eq!(corridor.first_touched(&cells, 0, Cell::new(2, 0)), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Corridor {
    /// Of each stretch, with the first cell of the next.
    boxes: Vec<CellRect>,
}

impl Corridor {
    /// The corridor of neighbouring cells. O(cells).
    pub fn of(cells: &[Cell]) -> Self {
        let mut corridor = Self::default();
        corridor.renew(cells);
        corridor
    }

    /// The corridor of other cells, in the same memory. O(cells).
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::path::Corridor;
    /// let mut corridor = Corridor::of(&[Cell::new(0, 0)]);
    /// let cells = [(5, 5), (6, 5), (7, 5)].map(Cell::from);
    /// corridor.renew(&cells); // the agent goes another way
    /// assert_eq!(corridor.first_touched(&cells, 0, Cell::new(7, 5)), Some(2));
    /// ```
    pub fn renew(&mut self, cells: &[Cell]) {
        self.boxes.clear();
        let mut from = 0;
        while from < cells.len() {
            let to = (from + STRETCH + 1).min(cells.len());
            self.boxes.push(surrounding(&cells[from..to]));
            from += STRETCH;
        }
    }

    /// The first cell of the path, as an index above `from`, the step to which depends on `changed`; or
    /// `from` itself, if that very cell has changed. `cells` are those that the corridor was made of. `changed` is a cell or
    /// a rectangle of cells, or for agents larger than a cell all [places over it](Grid::places_over).
    pub fn first_touched(
        &self,
        cells: &[Cell],
        from: usize,
        changed: impl Into<CellRect>,
    ) -> Option<usize> {
        self.touched_by(cells, from, changed.into())
    }

    fn touched_by(&self, cells: &[Cell], from: usize, changed: CellRect) -> Option<usize> {
        match changed.single() {
            Some(cell) => self.first_step(
                (cells, from),
                |rect| rect.contains(cell),
                |from, to| step_depends_on(from, to, cell),
            ),
            None => self.first_step(
                (cells, from),
                |rect| rect.overlaps(&changed),
                |from, to| step_depends(from, to, changed),
            ),
        }
    }

    /// The first step from a cell of the path on that depends on something, which may be so where a box touches it.
    #[inline(always)]
    fn first_step(
        &self,
        (cells, from): (&[Cell], usize),
        touches: impl Fn(&CellRect) -> bool,
        depends: impl Fn(Cell, Cell) -> bool,
    ) -> Option<usize> {
        if cells.get(from).is_some_and(|&at| touches(&at.into())) {
            return Some(from);
        }
        for stretch in from / STRETCH..self.boxes.len() {
            if !touches(&self.boxes[stretch]) {
                continue;
            }
            let first = (stretch * STRETCH).max(from) + 1;
            let last = ((stretch + 1) * STRETCH).min(cells.len().saturating_sub(1));
            let touched = (first..=last).find(|&at| depends(cells[at - 1], cells[at]));
            if touched.is_some() {
                return touched;
            }
        }
        None
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.boxes.capacity() * size_of::<CellRect>()
    }
}

fn surrounding(cells: &[Cell]) -> CellRect {
    let (mut min, mut max) = (cells[0], cells[0]);
    for cell in cells {
        min = Cell::new(min.x.min(cell.x), min.y.min(cell.y));
        max = Cell::new(max.x.max(cell.x), max.y.max(cell.y));
    }
    CellRect::new(min, max)
}

impl Path {
    /// Its corridor, to be kept beside it.
    pub fn corridor(&self) -> Corridor {
        Corridor::of(self.cells())
    }

    /// Whether any of those changes touches the path's corridor: a cell that an agent of the grid's kind covers on it, or one
    /// that a diagonal step squeezes past; where borders or heights have changed, also one beside those. What is not affected can be walked as before, at the same cost. Changes that do
    /// not concern the kind are passed over. O(cells of the path), and for each change a look at one box for every 32 cells.
    ///
    /// ```
    /// use highroad::{GridMap, Terrain};
    /// use highroad::grid::{Batch, Grid};
    /// let map: GridMap = "....\n....\n....\n".parse()?;
    /// let path = map.find_path((0, 0), (3, 0))?.expect("all is open");
    /// let mut grid = Grid::with_defaults(map);
    /// let elsewhere = grid.apply(Batch::new().set((1, 2), Terrain::WALL))?;
    /// assert!(!path.is_affected_by(&grid, &elsewhere));
    /// let on_it = grid.apply(Batch::new().set((2, 0), Terrain::WALL))?;
    /// assert!(path.is_affected_by(&grid, &on_it));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_affected_by<'c>(
        &self,
        grid: &Grid,
        changes: impl IntoIterator<Item = &'c Change>,
    ) -> bool {
        let mut corridor = None;
        changes.into_iter().filter(|change| grid.is_concerned_by(change)).any(|change| {
            let corridor = corridor.get_or_insert_with(|| self.corridor());
            corridor.first_touched(self.cells(), 0, grid.places_touched_by(change)).is_some()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Batch, Grid, GridMap, Terrain};
    use crate::online::GridSearch;
    use crate::planner::{PathQuery, Planner, Scratch};
    use proptest::prelude::*;

    proptest! {
        /// The corridor against what it stands for: exactly the cells of the path, and whatever makes
        /// a step of it impossible.
        #[test]
        fn a_change_outside_the_corridor_leaves_the_path_as_it_was(
            seed in 0u32..1000,
            changed in (0u32..48, 0u32..48),
            from in 0usize..60,
        ) {
            let map = GridMap::from_fn(48, 48, |cell| {
                let mixed = (cell.x.wrapping_mul(73) ^ cell.y.wrapping_mul(151) ^ seed)
                    .wrapping_mul(2_654_435_761) >> 24;
                if mixed < 60 && cell.x % 47 != 0 { Terrain::WALL } else { Terrain::GROUND }
            });
            let mut grid = Grid::with_defaults(map.unwrap());
            let query = PathQuery::new((0, 0), (47, 47));
            let path = GridSearch::astar().solve(&grid, &query, &mut Scratch::new());
            let Some(path) = path.ok().and_then(|answer| answer.path()) else { return Ok(()) };
            let cells = path.cells();
            let from = from.min(path.steps());
            let touched = path.corridor().first_touched(cells, from, Cell::from(changed));
            let mut batch = Batch::new();
            batch.set(changed, Terrain::WALL);
            let changes = grid.apply(&batch).unwrap();
            if changes.is_empty() {
                // It was a wall before: on no path, at most squeezed past, which this rule forbids.
                prop_assert_eq!(touched, None);
                return Ok(());
            }
            let broken = (from + 1..cells.len())
                .find(|&at| grid.step_cost(cells[at - 1], cells[at]).is_none());
            let buried = cells[from] == Cell::from(changed);
            prop_assert_eq!(touched, if buried { Some(from) } else { broken });
            prop_assert_eq!(path.is_affected_by(&grid, &changes), path.validate(&grid).is_err());
        }
    }

    #[test]
    fn a_path_of_one_cell_has_a_corridor_of_one_cell() {
        let cells = [Cell::new(3, 3)];
        let corridor = Corridor::of(&cells);
        assert_eq!(corridor.first_touched(&cells, 0, Cell::new(3, 3)), Some(0));
        assert_eq!(corridor.first_touched(&cells, 0, Cell::new(3, 4)), None);
        assert_eq!(Corridor::of(&[]).first_touched(&[], 0, Cell::new(3, 4)), None);
    }
}
