//! A grid as one query sees it: with obstacles that are there for that query alone, or with ways that are made
//! costlier; and the cells that an agent goes to where a goal is blocked.

use super::cost::StepCosts;
use super::space::{Frames, NearestMemory, Wanted, nearest_reachable};
use super::{Batch, Cell, CellRect, Edition, Grid, Terrain};

impl Grid {
    /// The same grid, at the same revision, with more blocked cells: other agents that stand in the way. Cells outside
    /// are passed over.
    ///
    /// Cells and bits are shared with this grid but for the pages around the blocked cells: O(cells) and a copy of at
    /// most 48 KiB for each page that they lie in.
    ///
    /// ```
    /// use highroad::{Cell, Terrain};
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults("...\n...\n".parse()?);
    /// let crowded = grid.without(&[Cell::new(1, 0)]);
    /// assert!(!crowded.is_enterable(Cell::new(1, 0)));
    /// assert!(grid.is_enterable(Cell::new(1, 0)));
    /// assert_eq!(crowded.revision(), grid.revision());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without(&self, cells: &[Cell]) -> Self {
        let mut batch = Batch::new();
        for &cell in cells.iter().filter(|&&cell| self.extent().contains(cell)) {
            batch.set(cell, Terrain::OBSTACLE);
        }
        self.varied(&batch)
    }

    /// The same grid, at the same revision, where cells within so many columns and rows of a way cost half as much
    /// again.
    pub(crate) fn discouraging(&self, way: &[Cell], margin: u32) -> Self {
        let mut batch = Batch::new();
        for cell in self.around(way, margin) {
            let (Some(cost), Some(surcharge)) = (self.cost_of(cell), self.surcharge_of(cell))
            else {
                continue;
            };
            let more = u16::try_from((cost / 2).max(1)).unwrap_or(u16::MAX);
            let kind = self.kind();
            let own = self.own_surcharges.at(self.extent().id_inside(cell));
            // Together with what all kinds pay, no more than fits.
            let room = u16::MAX - surcharge;
            batch.surcharge_for(kind, CellRect::new(cell, cell), own + more.min(room));
        }
        self.varied(&batch)
    }

    /// The cells within so many columns and rows of a way, each once, row by row.
    pub(crate) fn around(&self, way: &[Cell], margin: u32) -> Vec<Cell> {
        let extent = self.extent();
        let mut cells = Vec::new();
        for &at in way {
            let min = Cell::new(at.x.saturating_sub(margin), at.y.saturating_sub(margin));
            let max = Cell::new(
                at.x.saturating_add(margin).min(extent.width() - 1),
                at.y.saturating_add(margin).min(extent.height() - 1),
            );
            cells.extend(CellRect::new(min, max).cells());
        }
        cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
        cells.dedup();
        cells
    }

    /// A changed copy that counts as the same revision.
    fn varied(&self, batch: &Batch) -> Self {
        let mut varied = self.clone();
        // Whatever the batch names lies inside and is of this kind; else the copy is as the grid.
        drop(varied.apply(batch));
        varied.revision = self.revision;
        varied.edition = Edition::new();
        varied
    }

    /// The enterable cells next to a cell, row by row: the eight around it, or the four that a rule without diagonals
    /// knows. For agents larger than a cell, the places where they touch the cell and do not cover it.
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults("..#\n.#.\n".parse()?);
    /// let beside: Vec<Cell> = grid.beside(Cell::new(1, 1)).collect();
    /// assert_eq!(beside, [(0, 0), (1, 0), (0, 1), (2, 1)].map(Cell::from));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn beside(&self, cell: Cell) -> impl Iterator<Item = Cell> + '_ {
        let diagonals = self.movement().rule().has_diagonals();
        let over = self.places_over(cell);
        let min = Cell::new(over.min().x.saturating_sub(1), over.min().y.saturating_sub(1));
        let max = Cell::new(cell.x.saturating_add(1), cell.y.saturating_add(1));
        let (columns, rows) = (over.min().x..=cell.x, over.min().y..=cell.y);
        let is_beside = move |other: &Cell| {
            let (above, aside) = (columns.contains(&other.x), rows.contains(&other.y));
            above != aside || (diagonals && !above)
        };
        let around = CellRect::new(min, max).cells().filter(is_beside);
        around.filter(|&other| self.is_enterable(other))
    }

    /// The cells nearest to a goal by octile distance, all that are equally near: among those that can be reached from
    /// a start, and perhaps others as near; or, without a look at ways, among those of a start's domain.
    ///
    /// Without a look at ways: O(runs of cells around the goals, as far as the answer is). Otherwise O(runs of the part
    /// of the map that the starts lie in).
    pub(crate) fn nearest_cells(
        &self,
        starts: &[Cell],
        goals: &[Cell],
        reachable: bool,
    ) -> Vec<Cell> {
        let Some(&first) = starts.first() else { return Vec::new() };
        let remoteness = |cell: Cell| goals.iter().map(|&goal| octile(cell, goal)).min();
        let nearest = if reachable {
            let mut memory = NearestMemory::default();
            let measure = |cell| remoteness(cell).unwrap_or(0);
            nearest_reachable(self, starts, goals, measure, &mut memory)
        } else {
            let rank = |cell: Cell| (remoteness(cell), cell.y, cell.x);
            let least = |radius| (Some(octile(Cell::default(), Cell::new(radius, 0))), 0, 0);
            let mut frames = Frames::default();
            frames.begin(first);
            let wanted = Wanted { starts, goals, rank, least, is_reached: |_: Cell| true };
            frames.go_on(self, &wanted, &mut { u64::MAX }).unwrap_or(first)
        };
        let Some(&closest) = goals.iter().min_by_key(|&&goal| octile(nearest, goal)) else {
            return Vec::new();
        };
        // Up to 2,377 cells away, one octile distance is one pair of columns and rows, in any order and to any side.
        let (dx, dy) = nearest.offset(closest);
        let mut cells = Vec::new();
        for &goal in goals {
            for (dx, dy) in [(dx, dy), (dy, dx)] {
                let columns = [goal.x.checked_sub(dx), goal.x.checked_add(dx)];
                for x in columns.into_iter().flatten() {
                    let rows = [goal.y.checked_sub(dy), goal.y.checked_add(dy)];
                    cells.extend(rows.into_iter().flatten().map(|y| Cell { x, y }));
                }
            }
        }
        let domain_of_a_start = |&cell: &Cell| {
            let domain = self.domain_of(cell);
            domain.is_some() && starts.iter().any(|&start| self.domain_of(start) == domain)
        };
        cells.retain(domain_of_a_start);
        cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
        cells.dedup();
        cells
    }
}

/// The octile distance between two cells, in the units of the usual step costs.
fn octile(a: Cell, b: Cell) -> u64 {
    let (dx, dy) = a.offset(b);
    let (long, short) = (u64::from(dx.max(dy)), u64::from(dx.min(dy)));
    let steps = StepCosts::EXACT;
    u64::from(steps.straight()) * (long - short) + u64::from(steps.diagonal()) * short
}
