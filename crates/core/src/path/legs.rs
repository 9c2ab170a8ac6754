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

/// Adds the cells of the way, less its first.
#[inline]
pub(crate) fn push_leg(from: Cell, to: Cell, cells: &mut Vec<Cell>) {
    let (columns, rows) = from.offset(to);
    let sign = |from: u32, to: u32| i32::from(to > from) - i32::from(to < from);
    let (dx, dy) = (sign(from.x, to.x), sign(from.y, to.y));
    let diagonals = columns.min(rows);
    push_run(from, dx, dy, diagonals, cells);
    let turn = moved(from, dx, dy, diagonals);
    let (dx, dy) = if columns > rows { (dx, 0) } else { (0, dy) };
    push_run(turn, dx, dy, columns.abs_diff(rows), cells);
}

/// Adds so many cells in a direction.
///
/// PERF: a cell as one number is a vector of two to the compiler, and written at once. Columns and rows on
/// their own were put together in memory and read back in wide words, which waits for each to arrive: 2 ns
/// a cell on maze512-8-7, where a path has 1,879; so it is 0.8.
#[inline]
fn push_run(from: Cell, dx: i32, dy: i32, count: u32, cells: &mut Vec<Cell>) {
    // Row above column: no column of a run is below zero, so that nothing is borrowed from the row.
    let first = u64::from(from.y) << 32 | u64::from(from.x);
    let step = (i64::from(dy) << 32).wrapping_add(i64::from(dx)) as u64;
    cells.extend((1..=u64::from(count)).map(|steps| {
        let cell = first.wrapping_add(steps.wrapping_mul(step));
        Cell { x: cell as u32, y: (cell >> 32) as u32 }
    }));
}

#[inline]
fn moved(cell: Cell, dx: i32, dy: i32, steps: u32) -> Cell {
    Cell {
        x: cell.x.wrapping_add_signed(dx.wrapping_mul(steps as i32)),
        y: cell.y.wrapping_add_signed(dy.wrapping_mul(steps as i32)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leg_goes_diagonally_first() {
        let mut cells = Vec::new();
        push_leg(Cell::new(4, 4), Cell::new(1, 2), &mut cells);
        assert_eq!(leg_steps(Cell::new(4, 4), Cell::new(1, 2)), 3);
        push_leg(Cell::new(1, 2), Cell::new(1, 2), &mut cells);
        assert_eq!(cells.len(), 3, "from a cell to itself there is no step");
        push_leg(Cell::new(1, 2), Cell::new(1, 4), &mut cells);
        assert_eq!(cells, [(3, 3), (2, 2), (1, 2), (1, 3), (1, 4)].map(Cell::from));
    }

    #[test]
    fn long_legs_are_whole() {
        let (from, to) = (Cell::new(40, 3), Cell::new(9, 20));
        let mut cells = vec![from];
        push_leg(from, to, &mut cells);
        assert_eq!(cells.len(), 1 + leg_steps(from, to) as usize);
        assert_eq!(cells.last(), Some(&to));
        let steps = cells.windows(2).map(|step| step[0].offset(step[1]));
        assert!(steps.enumerate().all(|(at, step)| step == (1, u32::from(at < 17))));
    }
}
