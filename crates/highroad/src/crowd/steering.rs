//! Where to walk in continuous space: from the next steps of a flow field or of a path to a point ahead.

use super::ground::{cell_at, is_wall, middle_of, nearest_point};
use super::step::ARRIVAL;
use super::vector::Vector;
use highroad_core::field::{Flow, FlowField};
use highroad_core::{Cell, Grid};

/// Cells that an agent looks ahead.
const CELLS_AHEAD: usize = 8;

/// What a flow field means to an agent at a position. From [`aim`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Aim {
    /// The field does not know yet.
    Unsettled,
    /// No way leads to a goal, or the position lies outside the map.
    Unreachable,
    /// Walk straight to that point; a goal if `is_goal`.
    Walk {
        /// The farthest of the next points of the way to which a disc gets on a straight line.
        point: [f64; 2],
        /// Whether it is a goal: slow down.
        is_goal: bool,
    },
    /// A link begins here; it leads to that cell.
    Link(Cell),
}

/// Where an agent goes next that follows a flow field: the farthest point on the middles of the next eight cells that its disc
/// reaches on a straight line. So ways become smooth, and corners are rounded, as one walks.
///
/// ```
/// use highroad::Cell;
/// use highroad::crowd::{Aim, aim};
/// use highroad::field::FlowField;
/// use highroad::grid::Grid;
/// let grid = Grid::with_defaults("......\n....#.\n......\n".parse()?);
/// let mut field = FlowField::towards(&grid, &[Cell::new(5, 1)])?;
/// assert_eq!(aim(&field, [0.5, 1.5], 0.4), Aim::Unsettled);
/// field.finish();
/// let Aim::Walk { point: [x, _], is_goal } = aim(&field, [0.5, 1.5], 0.4) else { panic!("there is a way") };
/// assert!(x > 3.0 && !is_goal, "round the wall");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn aim(field: &FlowField, position: [f64; 2], radius: f64) -> Aim {
    aim_of(field, position.into(), radius)
}

pub(super) fn aim_of(field: &FlowField, position: Vector, radius: f64) -> Aim {
    let Some(first) = cell_at(position) else { return Aim::Unreachable };
    let mut ahead = [first; CELLS_AHEAD];
    let (mut count, mut is_goal) = (0, false);
    let mut at = first;
    while count < CELLS_AHEAD {
        match field.flow(at) {
            Flow::Next(next) if at.x.abs_diff(next.x) <= 1 && at.y.abs_diff(next.y) <= 1 => {
                ahead[count] = next;
                count += 1;
                at = next;
            }
            Flow::Next(next) if count == 0 => return Aim::Link(next),
            // One walks to where the link begins.
            Flow::Next(_) => break,
            Flow::Arrived => {
                is_goal = true;
                break;
            }
            Flow::Unsettled if count == 0 => return Aim::Unsettled,
            Flow::Unreachable if count == 0 => return Aim::Unreachable,
            _ => break,
        }
    }
    if count == 0 {
        return Aim::Walk { point: middle_of(first).into(), is_goal };
    }
    // The farthest first; the next cell can always be walked to.
    let number = farthest(field.grid(), position, first, &ahead[..count], radius).unwrap_or(0);
    let point = middle_of(ahead[number]).into();
    Aim::Walk { point, is_goal: is_goal && number + 1 == count }
}

/// Where an agent goes next that follows a path, and how many of its cells it has passed by then: the farthest point on the middles of
/// the next cells that its disc reaches on a straight line. `passed` is what the call before has returned, 0 at first; it never falls.
/// Ask again when the agent has come to another cell, or to the point.
///
/// [`Aim::Unreachable`] means that it was pushed so far off its path that it should look for another one.
///
/// ```
/// use highroad::Cell;
/// use highroad::crowd::{Aim, aim_along};
/// use highroad::grid::Grid;
/// let grid = Grid::with_defaults("....\n....\n....\n".parse()?);
/// let path = [(0, 0), (1, 1), (2, 1), (3, 2)].map(Cell::from);
/// let (aim, passed) = aim_along(&grid, &path, 0, [0.5, 0.5], 0.4);
/// assert_eq!(aim, Aim::Walk { point: [3.5, 2.5], is_goal: true }, "nothing is in the way");
/// assert_eq!(passed, 0);
/// assert_eq!(aim_along(&grid, &path, passed, [2.3, 1.6], 0.4).1, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn aim_along(
    grid: &Grid,
    path: &[Cell],
    passed: usize,
    position: [f64; 2],
    radius: f64,
) -> (Aim, usize) {
    let position = Vector::from(position);
    let (Some(own), false) = (cell_at(position), passed >= path.len()) else {
        return (Aim::Unreachable, passed);
    };
    let touches = |from: Cell, to: Cell| from.x.abs_diff(to.x) <= 1 && from.y.abs_diff(to.y) <= 1;
    // What it looks at ends where a link begins.
    let ahead = &path[passed..path.len().min(passed + CELLS_AHEAD + 1)];
    let steps = ahead.windows(2).take_while(|step| touches(step[0], step[1])).count();
    let walkable = &ahead[..=steps];
    let here = walkable.iter().rposition(|&cell| cell == own);
    if let Some(here) = here.filter(|&here| here == steps) {
        return (at_end(grid, path, passed + here, own, position), passed + here);
    }
    let first = here.map_or(0, |here| here + 1);
    let target = farthest(grid, position, own, &walkable[first..], radius)
        .map(|number| first + number)
        .or_else(|| {
            // From the middle of nowhere at least to where a single step leads.
            let mut near = (first..walkable.len()).rev();
            near.find(|&number| grid.step_cost(own, walkable[number]).is_some())
        });
    let Some(target) = target else { return (Aim::Unreachable, passed) };
    let distance = |number: &usize| (middle_of(walkable[*number]) - position).length_squared();
    let nearest = (0..target).min_by(|a, b| distance(a).total_cmp(&distance(b)));
    let on = passed + here.or(nearest).unwrap_or(0);
    let is_goal = passed + target + 1 == path.len();
    (Aim::Walk { point: middle_of(walkable[target]).into(), is_goal }, on)
}

/// What to do in the last cell of a path, or in one where a link begins.
fn at_end(grid: &Grid, path: &[Cell], at: usize, own: Cell, position: Vector) -> Aim {
    let (middle, next) = (middle_of(own), path.get(at + 1).copied());
    match next.filter(|&next| grid.step_cost(own, next).is_some()) {
        Some(next) if (middle - position).length() < ARRIVAL => Aim::Link(next),
        _ => Aim::Walk { point: middle.into(), is_goal: next.is_none() },
    }
}

/// The last of the next cells of a way that a disc reaches on a straight line, over ground that costs no more than any cell of
/// the way up to there; `None` if it reaches none of them.
fn farthest(
    grid: &Grid,
    position: Vector,
    own: Cell,
    ahead: &[Cell],
    radius: f64,
) -> Option<usize> {
    // Where borders count, only steps do.
    if grid.is_shaped() {
        return None;
    }
    let mut cost_max = [u32::MAX; CELLS_AHEAD + 1];
    if grid.uniform_cost().is_none() {
        let mut least = grid.cost_of(own).unwrap_or(0);
        for (cost_max, &cell) in cost_max.iter_mut().zip(ahead) {
            least = least.min(grid.cost_of(cell).unwrap_or(0));
            *cost_max = least;
        }
    }
    (0..ahead.len().min(CELLS_AHEAD + 1))
        .rev()
        .find(|&number| is_free(grid, position, middle_of(ahead[number]), radius, cost_max[number]))
}

/// Whether a disc gets from one position to another on a straight line, over ground of one domain that costs no more than the cell
/// where it begins. On grids with borders or heights only steps from cell to cell say so, and this is `false`.
///
/// ```
/// use highroad::crowd::reaches;
/// use highroad::grid::Grid;
/// let grid = Grid::with_defaults(".....\n..#..\n.....\n".parse()?);
/// assert!(reaches(&grid, [0.5, 0.5], [4.5, 0.5], 0.4));
/// assert!(!reaches(&grid, [0.5, 0.5], [4.5, 2.5], 0.4), "through the wall");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reaches(grid: &Grid, from: [f64; 2], to: [f64; 2], radius: f64) -> bool {
    let (from, to) = (Vector::from(from), Vector::from(to));
    let is_near = (to - from).length_squared() <= LINE_MAX * LINE_MAX;
    let Some(own) = cell_at(from).filter(|_| is_near && !grid.is_shaped()) else { return false };
    let cost_max = grid.uniform_cost().or_else(|| grid.cost_of(own));
    cost_max.is_some_and(|cost_max| is_free(grid, from, to, radius, cost_max))
}

/// The longest line that is looked at, in cells: more than any map has.
const LINE_MAX: f64 = 1e6;

/// Whether a disc gets from a position to another on a straight line over ground of one domain that costs no more than that. It looks at
/// every cell that may be near enough, row by row.
fn is_free(grid: &Grid, from: Vector, to: Vector, radius: f64, cost_max: u32) -> bool {
    let Some(domain) = cell_at(from).and_then(|cell| grid.domain_of(cell)) else { return false };
    let checks_costs = cost_max != u32::MAX && grid.uniform_cost().is_none();
    let costs_more = |x: f64, y: f64| {
        let cost = cell_at(Vector::new(x, y)).and_then(|cell| grid.cost_of(cell));
        cost.is_none_or(|cost| cost > cost_max)
    };
    let line = to - from;
    let length_squared = line.length_squared();
    let (top, bottom) = (from.y.min(to.y) - radius, from.y.max(to.y) + radius);
    let mut y = top.floor();
    while y <= bottom {
        // The part of the line that comes near this row.
        let (low, high) = (y - radius, y + 1.0 + radius);
        let (mut begin, mut end) = (0.0_f64, 1.0_f64);
        if line.y.abs() > 1e-12 {
            let crossings = [(low - from.y) / line.y, (high - from.y) / line.y];
            begin = begin.max(crossings[0].min(crossings[1]));
            end = end.min(crossings[0].max(crossings[1]));
        }
        if begin <= end {
            let ends = [from.x + line.x * begin, from.x + line.x * end];
            let last = ends[0].max(ends[1]) + radius;
            let mut x = (ends[0].min(ends[1]) - radius).floor();
            while x <= last {
                if (is_wall(grid, domain, x, y) || checks_costs && costs_more(x, y))
                    && comes_near((x, y), from, line, length_squared, radius)
                {
                    return false;
                }
                x += 1.0;
            }
        }
        y += 1.0;
    }
    true
}

/// Whether a line comes nearer to a cell than that: it crosses the cell, one of its ends is near, or a corner is near to it.
fn comes_near(
    cell: (f64, f64),
    from: Vector,
    line: Vector,
    length_squared: f64,
    radius: f64,
) -> bool {
    let least = (radius - 1e-9) * (radius - 1e-9);
    let is_near =
        |position: Vector| (nearest_point(cell, position) - position).length_squared() < least;
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    let is_passed = |(x, y): (f64, f64)| {
        let corner = Vector::new(cell.0 + x, cell.1 + y) - from;
        let along = match length_squared > 0.0 {
            true => (corner.dot(line) / length_squared).clamp(0.0, 1.0),
            false => 0.0,
        };
        (corner - line * along).length_squared() < least
    };
    is_near(from)
        || is_near(from + line)
        || corners.into_iter().any(is_passed)
        || crosses(cell, from, line)
}

/// Whether a line passes through a cell: the parts of it in the cell's column and in its row have something in common.
fn crosses(cell: (f64, f64), from: Vector, line: Vector) -> bool {
    let part = |first: f64, from: f64, line: f64| {
        if line.abs() < 1e-12 {
            let inside = (first..=first + 1.0).contains(&from);
            return if inside { (0.0, 1.0) } else { (1.0, 0.0) };
        }
        let ends = [(first - from) / line, (first + 1.0 - from) / line];
        (ends[0].min(ends[1]), ends[0].max(ends[1]))
    };
    let (column, row) = (part(cell.0, from.x, line.x), part(cell.1, from.y, line.y));
    column.0.max(row.0).max(0.0) <= column.1.min(row.1).min(1.0)
}
