//! Where a disc may be on a grid, and how far it gets.
//!
//! A cell is a square of side one, from (x, y) to (x + 1, y + 1). A disc *fits* where it covers no part of a cell that agents cannot
//! enter, or that lies in another domain than the cell of its middle. Its middle passes from cell to cell only where the grid
//! allows the step, so that borders, cliffs and corners count as they do for paths.

use super::vector::Vector;
use highroad_core::{Cell, Domain, Grid};

/// How much less than its radius a disc has to fit: what rounding may take.
const ROUNDING: f64 = 1e-9;
/// The longest step that looks at all cells it passes.
pub(super) const STEP_MAX: f64 = 0.45;

/// Whether a disc of at most half a cell fits at a position.
///
/// ```
/// use highroad::crowd::fits;
/// use highroad::grid::Grid;
/// let grid = Grid::with_defaults("..\n.#\n".parse()?);
/// assert!(fits(&grid, [1.4, 0.5], 0.4));
/// assert!(!fits(&grid, [1.4, 0.7], 0.4), "it would touch the wall below");
/// assert!(!fits(&grid, [0.2, 0.5], 0.4), "it would leave the map");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fits(grid: &Grid, position: [f64; 2], radius: f64) -> bool {
    let position = Vector::from(position);
    let domain = cell_at(position).and_then(|cell| grid.domain_of(cell));
    domain.is_some_and(|domain| touched_wall(grid, domain, position, radius).is_none())
}

/// How far a disc gets on a straight line to a position: there, beside what is in the way, or nowhere. From where it fits, it
/// gets only to where it fits. Steps longer than 0.45 cells are shortened to that.
///
/// ```
/// use highroad::crowd::slide;
/// use highroad::grid::Grid;
/// let grid = Grid::with_defaults("..\n##\n".parse()?);
/// let [x, y] = slide(&grid, [0.5, 0.5], [0.8, 0.8], 0.4);
/// assert!(x == 0.8 && (y - 0.6).abs() < 1e-6, "along the wall");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn slide(grid: &Grid, from: [f64; 2], to: [f64; 2], radius: f64) -> [f64; 2] {
    slide_disc(grid, from.into(), to.into(), radius).into()
}

/// The cell of a position; `None` outside every map.
#[inline]
pub(crate) fn cell_at(position: Vector) -> Option<Cell> {
    let inside = |at: f64| (0.0..f64::from(u32::MAX)).contains(&at);
    let cell = || Cell::new(position.x as u32, position.y as u32);
    (inside(position.x) && inside(position.y)).then(cell)
}

/// The middle of a cell.
#[inline]
pub(crate) fn middle_of(cell: Cell) -> Vector {
    Vector::new(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5)
}

pub(super) fn slide_disc(grid: &Grid, from: Vector, to: Vector, radius: f64) -> Vector {
    let Some(cell) = cell_at(from) else { return from };
    let Some(domain) = grid.domain_of(cell) else { return from };
    let to = from + (to - from).at_most(STEP_MAX);
    let may_pass = |to: Vector| {
        let other = cell_at(to);
        other == Some(cell) || other.is_some_and(|other| grid.step_cost(cell, other).is_some())
    };
    // Most steps meet no wall. (The part "a crowd" of `crates/determinism` compares debug and release builds of this.)
    let is_free = |to: Vector| may_pass(to) && touched_wall(grid, domain, to, radius).is_none();
    if is_free(to) {
        return to;
    }
    let mut pushed = to;
    for _ in 0..3 {
        let Some(wall) = touched_wall(grid, domain, pushed, radius) else { break };
        let away = pushed - nearest_point(wall, pushed);
        // A middle inside a wall has no way out of its own.
        let Some(away_unit) = away.unit() else { break };
        pushed = pushed + away_unit * (radius - away.length());
    }
    // Away from the wall; one axis alone, the longer first; nothing.
    let (along_x, along_y) = (Vector::new(to.x, from.y), Vector::new(from.x, to.y));
    let longer_x = (to.x - from.x).abs() >= (to.y - from.y).abs();
    let axes = if longer_x { [along_x, along_y] } else { [along_y, along_x] };
    [pushed, axes[0], axes[1]].into_iter().find(|&to| is_free(to)).unwrap_or(from)
}

/// A cell that a disc must not touch and does; the one that it covers most.
fn touched_wall(grid: &Grid, domain: Domain, position: Vector, radius: f64) -> Option<(f64, f64)> {
    let least = radius - ROUNDING;
    // At most half a cell, so that it touches at most two columns and two rows; three, if it lies on a line.
    let (left, right) = ((position.x - least).floor(), (position.x + least).floor());
    let (top, bottom) = ((position.y - least).floor(), (position.y + least).floor());
    let mut worst = (least, None);
    for y in [top, bottom].into_iter().take(1 + usize::from(bottom > top)) {
        for x in [left, right].into_iter().take(1 + usize::from(right > left)) {
            if is_wall(grid, domain, x, y) {
                let gap = (nearest_point((x, y), position) - position).length();
                if gap < worst.0 {
                    worst = (gap, Some((x, y)));
                }
            }
        }
    }
    worst.1
}

/// Whether the cell whose corner that is cannot be entered from a domain.
#[inline]
pub(super) fn is_wall(grid: &Grid, domain: Domain, x: f64, y: f64) -> bool {
    let cell = cell_at(Vector::new(x, y));
    cell.is_none_or(|cell| grid.domain_of(cell) != Some(domain))
}

/// The point of a cell that is nearest to a position.
#[inline]
pub(super) fn nearest_point((x, y): (f64, f64), position: Vector) -> Vector {
    Vector::new(position.x.clamp(x, x + 1.0), position.y.clamp(y, y + 1.0))
}
