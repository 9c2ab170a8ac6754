//! Level ground: cells with no cheaper cell of their domain beside them, and no border or height that closes a step from or
//! to them, or makes one cost more.
//!
//! ```text
//!   1 1 1 3 3 3      . . . # . .     Two level cells that touch cost the same, or one of them had a cheaper
//!   1 1 1 3 3 3  →   . . . # . .     neighbour. So a way over level cells costs the same a step all along,
//!   1 1 9 1 3 3      . . # . # .     and whatever holds where all terrain is uniform holds on it.
//! ```
//!
//! The bits exist only while cells differ in cost, or borders or heights count: without them, all ground is level. A bit
//! depends on nothing but the three by three cells around it and the steps between them, so an edit changes few.

use super::board::Board;
use super::{Cell, CellRect, Domain, Grid, Terrain};

/// One board a domain, and the same with columns for rows.
#[derive(Clone, Debug)]
pub(super) struct Plateaus {
    rows: Vec<Board>,
    columns: Vec<Board>,
}

impl Plateaus {
    /// The level ground of a grid; `None` where all of it is.
    pub(super) fn of(grid: &Grid) -> Option<Self> {
        if grid.uniform_cost().is_some() {
            return None;
        }
        let rows: Vec<Board> =
            (0..grid.boards.len()).map(|domain| level_board(grid, domain)).collect();
        let columns = rows.iter().map(|board| board.transposed(grid.extent())).collect();
        Some(Self { rows, columns })
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.rows.iter().chain(&self.columns).map(Board::memory_bytes).sum()
    }

    fn set(&mut self, domain: usize, cell: Cell, level: bool) {
        self.rows[domain].set(cell, level);
        self.columns[domain].set(Cell { x: cell.y, y: cell.x }, level);
    }
}

/// With more changes than one cell in so many, all bits are found again.
const CHANGED_MAX: usize = 16;

impl Grid {
    /// Brings level ground up to date after some cells have changed.
    pub(super) fn follow_level_ground(&mut self, changed: impl Iterator<Item = CellRect> + Clone) {
        if self.uniform_cost().is_some() {
            self.plateaus = None;
            return;
        }
        let cell_count: u64 = changed.clone().map(|rect| rect.cell_count()).sum();
        if cell_count > (self.extent().cell_count() / CHANGED_MAX) as u64 {
            self.plateaus = Plateaus::of(self);
            return;
        }
        // Without bits all cells cost the same before, so only the changes can make a difference.
        let mut plateaus = self.plateaus.take().unwrap_or_else(|| Plateaus {
            rows: self.boards.clone(),
            columns: self.column_boards.clone(),
        });
        for changed in changed {
            let near = changed.with_ring().overlap(&self.extent().rect());
            for cell in near.iter().flat_map(CellRect::cells) {
                let level = self.domain_of(cell).filter(|&domain| self.lies_level(cell, domain));
                for domain in 0..self.boards.len() {
                    let level = level.is_some_and(|level| level.index() == domain);
                    plateaus.set(domain, cell, level);
                }
            }
        }
        self.plateaus = Some(plateaus);
    }

    fn lies_level(&self, cell: Cell, domain: Domain) -> bool {
        let cost = |cell: Cell| self.cost_at(self.extent().id_inside(cell));
        let own = cost(cell);
        let same_domain = |&beside: &Cell| self.domain_of(beside) == Some(domain);
        around(cell).filter(same_domain).all(|beside| cost(beside) >= own) && self.is_plain(cell)
    }

    /// The level ground of the domain that an enterable cell lies in, and the same with columns for rows.
    pub(crate) fn level_boards_of(&self, cell: Cell) -> Option<(&Board, &Board)> {
        let domain = self.domain_of(cell)?.index();
        Some(match &self.plateaus {
            Some(level) => (&level.rows[domain], &level.columns[domain]),
            None => (&self.boards[domain], &self.column_boards[domain]),
        })
    }

    /// The level ground of the one domain that cells lie in, if there is any that is not.
    pub(crate) fn level_board_of(&self, cell: Cell) -> Option<&Board> {
        let domain = self.domain_of(cell)?.index();
        self.plateaus.as_ref().map(|level| &level.rows[domain])
    }

    /// Whether all ground is level, since all cells cost the same and nothing is between them.
    #[inline]
    pub(crate) fn is_all_level(&self) -> bool {
        self.plateaus.is_none()
    }

    /// The level ground among 64 cells of a row, from one on, as bits; those that cannot be entered are none.
    #[inline]
    pub(crate) fn level_bits(&self, cell: Cell) -> u64 {
        let boards = self.plateaus.as_ref().map_or(&self.boards, |level| &level.rows);
        boards.iter().fold(0, |bits, board| bits | board.bits_from(cell))
    }

    /// Whether some cells are level ground: rows of up to 64 cells each, as bits, from `origin` on.
    pub(crate) fn is_level(&self, origin: Cell, height: u32, cells: impl Fn(u32) -> u64) -> bool {
        let level = |y| cells(y) & !self.level_bits(Cell::new(origin.x, origin.y + y)) == 0;
        self.is_all_level() || (0..height).all(level)
    }

    /// Writes what the cells of a row cost, from one on; 0 for those that cannot be entered.
    pub(crate) fn write_costs(&self, first: Cell, costs: &mut [u32]) {
        if self.place_costs.is_some() {
            for (x, cost) in (first.x..).zip(costs) {
                *cost = self.cost_of(Cell { x, ..first }).unwrap_or(0);
            }
            return;
        }
        let start = self.extent().id_inside(first).index();
        let profile = self.movement.profile();
        // PERF: run by run. Letter by letter through all runs took a third of a query of HPA* where one cell is costly.
        let mut left = &mut *costs;
        for letters in self.ground.map.runs(start, left.len()) {
            let (here, after) = left.split_at_mut(letters.len());
            for (cost, &letter) in here.iter_mut().zip(letters) {
                *cost = u32::from(profile.raw_cost(Terrain::from_map(letter)));
            }
            left = after;
        }
        if self.own_surcharges.is_empty() {
            let mut left = costs;
            for surcharges in self.ground.surcharges.runs(start, left.len()) {
                let (here, after) = left.split_at_mut(surcharges.len());
                for (cost, &surcharge) in here.iter_mut().zip(surcharges) {
                    *cost += if *cost > 0 { u32::from(surcharge) } else { 0 };
                }
                left = after;
            }
        } else {
            for (id, cost) in (start as u32..).zip(costs).filter(|(_, cost)| **cost > 0) {
                *cost += u32::from(self.surcharge_at(super::CellId(id)));
            }
        }
    }
}

/// A cell and those around it, also outside the map.
fn around(cell: Cell) -> impl Iterator<Item = Cell> {
    let at = move |place: i32| {
        let (dx, dy) = (place % 3 - 1, place / 3 - 1);
        Cell::new(cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy))
    };
    (0..9).map(at)
}

fn level_board(grid: &Grid, domain: usize) -> Board {
    let extent = grid.extent();
    let width = extent.width() as usize;
    // What cells of the domain cost in the row above, in this one and in the one below; others count as too
    // costly for any to be cheaper.
    let mut rows: [Vec<u32>; 3] = std::array::from_fn(|_| vec![u32::MAX; width + 2]);
    let fill = |row: &mut [u32], y: u32| {
        if y >= extent.height() {
            row.fill(u32::MAX);
            return;
        }
        grid.write_costs(Cell::new(0, y), &mut row[1..=width]);
        let bits = grid.boards[domain].row(y + 1);
        for (x, cost) in row.iter_mut().enumerate() {
            if bits.word(x / 64) >> (x % 64) & 1 == 0 {
                *cost = u32::MAX;
            }
        }
    };
    fill(&mut rows[1], 0);
    Board::build(extent, |y, bits| {
        fill(&mut rows[2], y + 1);
        for x in 0..width {
            let own = rows[1][x + 1];
            let cheaper = |row: &Vec<u32>| row[x..x + 3].iter().any(|&cost| cost < own);
            let level = own != u32::MAX && !rows.iter().any(cheaper);
            bits.set(x, level && grid.is_plain(Cell::new(x as u32, y)));
        }
        rows.rotate_left(1);
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Batch, GridMap};

    /// What the bits say, by their definition.
    fn check(grid: &Grid) {
        for cell in grid.extent().cells() {
            let Some(domain) = grid.domain_of(cell) else { continue };
            let level = grid.is_level(cell, 1, |_| 1);
            assert_eq!(level, grid.lies_level(cell, domain), "{cell}");
            let (rows, columns) = grid.level_boards_of(cell).expect("it can be entered");
            let turned = columns.bits_from(Cell::new(cell.y, cell.x)) & 1 == 1;
            assert_eq!((rows.bits_from(cell) & 1 == 1, turned), (level, level), "{cell}");
        }
    }

    #[test]
    fn edits_leave_the_level_ground_that_a_new_grid_has() {
        let drawing = "....#...WW\n#.....#.WW\n..#....WWW\n.......#..\n";
        let mut grid = Grid::with_defaults(drawing.parse::<GridMap>().expect("a drawing"));
        check(&grid);
        for (cell, surcharge) in [((1, 1), 5), ((2, 1), 2), ((8, 1), 9), ((1, 1), 0), ((4, 0), 3)] {
            let mut batch = Batch::new();
            batch.surcharge(CellRect::new(cell, cell), surcharge);
            grid.apply(&batch).expect("inside the map");
            check(&grid);
        }
        let mut batch = Batch::new();
        batch.set((4, 0), Terrain::GROUND);
        batch.set((2, 1), Terrain::WALL);
        grid.apply(&batch).expect("inside the map");
        check(&grid);
    }

    #[test]
    fn a_weighted_map_has_level_ground_from_the_start() {
        let drawing = "AAACCC\nAAACCC\nAAIACC\nABCDEF\n";
        check(&Grid::with_defaults(drawing.parse::<GridMap>().expect("a drawing")));
    }
}
