//! Ways of diagonal steps first, then straight ones, between two cells: what jump points and subgoals
//! are joined by.

use crate::grid::Cell;

/// How many steps such a way has.
#[inline]
pub(crate) fn leg_steps(from: Cell, to: Cell) -> u32 {
    let (columns, rows) = from.offset(to);
    columns.max(rows)
}

/// What such a way costs.
#[inline]
pub(crate) fn octile_cost(from: Cell, to: Cell, straight: u32, diagonal: u32) -> u64 {
    octile_cost_wide(from, to, u64::from(straight), u64::from(diagonal))
}

/// The same for costs that are wide already.
#[inline]
pub(crate) fn octile_cost_wide(from: Cell, to: Cell, straight: u64, diagonal: u64) -> u64 {
    let (columns, rows) = from.offset(to);
    let diagonals = u64::from(columns.min(rows));
    let straights = u64::from(columns.max(rows)) - diagonals;
    diagonals * diagonal + straights * straight
}

/// Fills in the cells of the way, less its first, and returns what is left to fill. There must be room
/// for [`leg_steps`] cells.
///
/// PERF: cells are written into memory that is there, by two loops that only add.
#[inline]
pub(crate) fn fill_leg(from: Cell, to: Cell, cells: &mut [Cell]) -> &mut [Cell] {
    let (columns, rows) = from.offset(to);
    let sign = |from: u32, to: u32| i32::from(to > from) - i32::from(to < from);
    let (dx, dy) = (sign(from.x, to.x), sign(from.y, to.y));
    let (diagonals, rest) = cells.split_at_mut(columns.min(rows) as usize);
    let turn = fill_run(from, dx, dy, diagonals);
    let (dx, dy) = if columns > rows { (dx, 0) } else { (0, dy) };
    let (straights, rest) = rest.split_at_mut(columns.abs_diff(rows) as usize);
    fill_run(turn, dx, dy, straights);
    rest
}

#[inline]
fn fill_run(from: Cell, dx: i32, dy: i32, cells: &mut [Cell]) -> Cell {
    let mut at = from;
    for cell in cells {
        at = Cell { x: at.x.wrapping_add_signed(dx), y: at.y.wrapping_add_signed(dy) };
        *cell = at;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leg_goes_diagonally_first() {
        let mut cells = [Cell::default(); 5];
        let rest = fill_leg(Cell::new(4, 4), Cell::new(1, 2), &mut cells);
        assert_eq!(leg_steps(Cell::new(4, 4), Cell::new(1, 2)), 3);
        let rest = fill_leg(Cell::new(1, 2), Cell::new(1, 2), rest);
        assert_eq!(rest.len(), 2, "from a cell to itself there is no step");
        fill_leg(Cell::new(1, 2), Cell::new(1, 4), rest);
        assert_eq!(cells, [(3, 3), (2, 2), (1, 2), (1, 3), (1, 4)].map(Cell::from));
    }
}
