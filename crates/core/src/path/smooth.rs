//! Smoothing: a path pulled taut, leg by leg.
//!
//! From an anchor on the path, visibility [sweeps](super::sweep) look for the farthest cell of the
//! path to which the shortest conceivable way is open; that way replaces the stretch, and its end is
//! the next anchor.
//!
//! ```text
//!   A o o o o .        A . . . . .
//!   . . . . . o        . o o o o .       F is the farthest cell of the path that A sees;
//!   . # # # . F   →    . # # # . F       from F it goes on.
//!   . . . . o .        . . . . o .
//!   . . . G . .        . . . G . .
//! ```
//!
//! No nearer cell is better for a leg, by the triangle inequality, but the next legs may suffer: going
//! as far as it sees, a leg turns late, often beyond the corner. So a second pass goes from the goal
//! backwards, and turns late from there.
//!
//! PERF: paths through places up to six cells off the optimal path, every 24 cells (as a hierarchy
//! makes them; 200 scenarios each of MovingAI's AcrosstheCape and 32room_004): 4.8 and 6.0 % above
//! the optimum; about 0.5 % after one pass, 0.02 % after two; a third gains next to nothing. A path on
//! the wrong side of an obstacle stays there: smoothing only pulls.

use super::Path;
use super::sweep::{Octant, Sweep, View};
use crate::grid::{Cell, Grid};

/// How many cells in a row an anchor may fail to see before it gives up on the rest of the path.
///
/// PERF: at 64, means are lower by a twentieth, for two thirds more time in mazes.
const UNSEEN_MAX: u32 = 16;
/// The same for points that lie farther apart.
const POINTS_UNSEEN_MAX: u32 = 0;

/// Working memory of [`smooth`]. Make one a thread and keep it: after the first paths on a map,
/// further ones allocate nothing but the path that is returned.
#[derive(Clone, Debug, Default)]
pub struct Smoother {
    sweeps: [Sweep; Octant::COUNT],
    /// A bit for each sweep that has begun at the present anchor.
    begun: u8,
    /// A path while it is put together.
    taut: Vec<Cell>,
}

/// The path made shorter where a straighter way is open: never dearer, valid, with the same ends.
///
/// Where cells differ in cost ([`Grid::uniform_cost`]) the path comes back as it is: the shorter way
/// may be the dearer one. So does a path that cannot be walked on this grid.
///
/// ```
/// use highroad_core::{Cell, Grid, Path, Smoother, smooth};
///
/// let grid = Grid::with_defaults("...\n...\n...\n".parse()?);
/// let cells = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)].map(Cell::from);
/// let path = Path::new(&grid, cells.to_vec())?;
/// let taut = smooth(&grid, &path, &mut Smoother::new());
/// assert_eq!(taut.cells(), [(0, 0), (1, 1), (2, 2)].map(Cell::from));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn smooth(grid: &Grid, path: &Path, smoother: &mut Smoother) -> Path {
    let walkable = path.validate(grid).is_ok();
    if !walkable || grid.uniform_cost().is_none() {
        return path.clone();
    }
    let mut cells = path.cells.clone();
    smoother.pull(grid, &mut cells);
    let cost = grid.cost_along(&cells);
    Path::with_cost(cells, cost, grid.revision())
}

impl Smoother {
    /// Empty memory; it grows to what paths need.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nothing stands in the way between two cells: whether the octile distance (without
    /// diagonal steps, the Manhattan distance) can be walked. Costs of cells play no part.
    pub fn sees(&mut self, grid: &Grid, from: Cell, to: Cell) -> bool {
        self.begun = 0;
        let view = View::new(grid, from).filter(|_| grid.extent().contains(to));
        view.is_some_and(|view| self.sees_from(view, Bounds::of(&[from, to]), from, to))
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.sweeps.iter().map(Sweep::memory_bytes).sum::<usize>()
            + self.taut.capacity() * size_of::<Cell>()
    }

    /// Smooths in place the cells of a path that can be walked; see [`smooth`].
    pub(crate) fn pull(&mut self, grid: &Grid, cells: &mut Vec<Cell>) {
        let (Some(&start), Some(&goal)) = (cells.first(), cells.last()) else { return };
        let Some(view) = View::new(grid, start) else { return };
        if grid.uniform_cost().is_none() {
            return;
        }
        let bounds = Bounds::of(cells);
        self.begun = 0;
        if self.sees_from(view, bounds, start, goal) {
            cells.truncate(1);
            self.push_way(view, start, goal, cells);
            return;
        }
        for _ in 0..2 {
            self.pull_from_first(view, bounds, cells);
            cells.reverse();
        }
    }

    /// A path from point to point in `cells`, pulled taut. Where one point sees another, nothing
    /// between them is needed; for a hop whose end its first point does not see, `fill` writes the cells
    /// that follow that point.
    pub(crate) fn pull_through(
        &mut self,
        grid: &Grid,
        points: &[Cell],
        mut fill: impl FnMut(usize, &mut Vec<Cell>),
        cells: &mut Vec<Cell>,
    ) {
        cells.clear();
        cells.extend(points.first());
        let Some(view) = points.first().and_then(|&start| View::new(grid, start)) else { return };
        let bounds = Bounds::of(points);
        let mut anchor = 0;
        while anchor + 1 < points.len() {
            let farthest = self.farthest_seen(view, bounds, points, anchor, POINTS_UNSEEN_MAX);
            if farthest == anchor {
                fill(anchor, cells);
                anchor += 1;
            } else {
                self.push_way(view, points[anchor], points[farthest], cells);
                anchor = farthest;
            }
        }
        let bounds = Bounds::of(cells);
        for _ in 0..2 {
            cells.reverse();
            self.pull_from_first(view, bounds, cells);
        }
    }

    /// One pass: each leg goes to the farthest cell that its first one sees.
    fn pull_from_first(&mut self, view: View<'_>, bounds: Bounds, cells: &mut Vec<Cell>) {
        let mut taut = std::mem::take(&mut self.taut);
        taut.clear();
        taut.push(cells[0]);
        let mut anchor = 0;
        while anchor + 1 < cells.len() {
            let farthest = self.farthest_seen(view, bounds, cells, anchor, UNSEEN_MAX);
            assert!(farthest > anchor, "the step from {} is not allowed", cells[anchor]);
            self.push_way(view, cells[anchor], cells[farthest], &mut taut);
            anchor = farthest;
        }
        self.taut = std::mem::replace(cells, taut);
    }

    fn farthest_seen(
        &mut self,
        view: View<'_>,
        bounds: Bounds,
        cells: &[Cell],
        anchor: usize,
        unseen_max: u32,
    ) -> usize {
        self.begun = 0;
        let mut farthest = anchor;
        let mut unseen = 0;
        for (at, &cell) in cells.iter().enumerate().skip(anchor + 1) {
            if self.sees_from(view, bounds, cells[anchor], cell) {
                farthest = at;
                unseen = 0;
            } else if unseen == unseen_max {
                break;
            } else {
                unseen += 1;
            }
        }
        farthest
    }

    /// Whether an anchor sees a cell; begins the sweep that tells, unless it has begun.
    #[inline]
    fn sees_from(&mut self, view: View<'_>, bounds: Bounds, anchor: Cell, cell: Cell) -> bool {
        let octant = Octant::of(view.rule, anchor, cell);
        let sweep = &mut self.sweeps[octant.index()];
        if self.begun >> octant.index() & 1 == 0 {
            self.begun |= 1 << octant.index();
            sweep.begin(view, octant, anchor, bounds.corner(anchor, cell));
        }
        sweep.sees(view, cell)
    }

    /// Appends the way, less its first cell, from an anchor to a cell that it has just seen.
    fn push_way(&self, view: View<'_>, anchor: Cell, cell: Cell, cells: &mut Vec<Cell>) {
        self.sweeps[Octant::of(view.rule, anchor, cell).index()].push_way(view, cell, cells);
    }
}

/// The smallest rectangle around a path. Sweeps need not leave it, as no way they are asked for does.
#[derive(Clone, Copy)]
struct Bounds {
    min: Cell,
    max: Cell,
}

impl Bounds {
    fn of(cells: &[Cell]) -> Self {
        let first = cells[0];
        cells.iter().fold(Self { min: first, max: first }, |bounds, cell| Self {
            min: Cell { x: bounds.min.x.min(cell.x), y: bounds.min.y.min(cell.y) },
            max: Cell { x: bounds.max.x.max(cell.x), y: bounds.max.y.max(cell.y) },
        })
    }

    /// The corner towards which `to` lies from `from`.
    fn corner(self, from: Cell, to: Cell) -> Cell {
        Cell {
            x: if to.x < from.x { self.min.x } else { self.max.x },
            y: if to.y < from.y { self.min.y } else { self.max.y },
        }
    }
}
