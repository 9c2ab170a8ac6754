//! Smoothing: a path pulled taut, leg by leg.
//!
//! From an anchor on the path, visibility [sweeps](super::sweep) look for the farthest turn of the path
//! to which the shortest conceivable way is open, and then along the leg that follows for the last cell
//! of it; that way replaces the stretch, and its end is the next anchor.
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
//! the optimum; about 0.5 % after one pass, 0.02 % after two; a third gains next to nothing. That was
//! with a look at every cell; from turn to turn paths of HPA* on AcrosstheCape stay at 0.090 % in the
//! mean, in 80 µs a query instead of 83. A path on the wrong side of an obstacle stays there: smoothing
//! only pulls.

use super::Path;
use super::sweep::{Octant, Sweep, View};
use crate::grid::{Cell, Grid};

/// How many turns in a row an anchor may fail to see before it gives up on the rest of the path.
const UNSEEN_MAX: u32 = 2;
/// The same where the points of a path are given, which lie farther apart.
const POINTS_UNSEEN_MAX: u32 = 0;

/// Working memory of [`smooth`]. Make one a thread and keep it: after the first paths on a map,
/// further ones allocate nothing but the path that is returned.
#[derive(Clone, Debug, Default)]
pub struct Smoother {
    sweeps: [Sweep; Octant::COUNT],
    /// A bit for each sweep that has begun at the present anchor.
    begun: u8,
    /// Where the legs of the path end: places in its list of cells.
    turns: Vec<u32>,
    /// A path and its turns while they are put together.
    taut: Vec<Cell>,
    taut_turns: Vec<u32>,
    /// What is left to be done with a path.
    plan: &'static [Pass],
    /// How far the first pass is done: the cell or point that it has come to, and the next turn.
    anchor: usize,
    next: usize,
    bounds: Bounds,
}

/// What is done with a whole path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// It is pulled taut from its first cell on.
    Pull,
    /// Its last cell becomes its first.
    Turn,
}

/// The path made shorter where a straighter way is open: never costlier, valid, with the same ends.
///
/// Where cells differ in cost the shorter way may be the costlier one. There, only stretches that begin and end on
/// level ground of one cost are replaced, by ways over that ground, and only where these cost no more. A path that
/// cannot be walked on this grid, or that uses a link, comes back as it is.
///
/// ```
/// use highroad::{Cell, Path};
/// use highroad::grid::Grid;
/// use highroad::path::{Smoother, smooth};
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
    if !walkable || path.links(grid).next().is_some() {
        return path.clone();
    }
    let mut cells = path.cells().to_vec();
    smoother.pull(grid, &mut cells);
    let cost = grid.cost_along(&cells);
    Path::vouched(cells, cost, grid.revision())
}

impl Smoother {
    /// Empty memory; it grows to what paths need.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nothing stands in the way between two cells: whether one can be reached from the other in as few
    /// columns and rows, diagonally where possible, as on an open grid (without diagonal steps, in as many steps as
    /// the Manhattan distance). What cells cost plays no part here, unlike in [`smooth`]; but where borders or heights
    /// count ([`Grid::is_shaped`]), only ground that is level and of one cost is looked over.
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::grid::Grid;
    /// use highroad::path::Smoother;
    /// let grid = Grid::with_defaults("....\n.#..\n....\n".parse()?);
    /// let mut smoother = Smoother::new();
    /// assert!(smoother.sees(&grid, Cell::new(0, 0), Cell::new(3, 1)));
    /// assert!(!smoother.sees(&grid, Cell::new(0, 0), Cell::new(2, 2)), "the wall is in the way");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sees(&mut self, grid: &Grid, from: Cell, to: Cell) -> bool {
        self.begun = 0;
        let view = View::new(grid, from).filter(|_| grid.extent().contains(to));
        view.is_some_and(|view| self.sees_from(view, Bounds::of(&[from, to]), from, to))
    }

    /// Whether the straightest way between two cells is open, and no way costs less.
    pub(crate) fn sees_cheapest(&mut self, grid: &Grid, from: Cell, to: Cell) -> bool {
        self.begun = 0;
        let view = View::level(grid, from).filter(|view| view.is_cheapest(from));
        view.is_some_and(|view| self.sees_from(view, Bounds::of(&[from, to]), from, to))
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.sweeps.iter().map(Sweep::memory_bytes).sum::<usize>()
            + self.taut.capacity() * size_of::<Cell>()
            + (self.turns.capacity() + self.taut_turns.capacity()) * size_of::<u32>()
    }

    /// Smooths in place the cells of a path that can be walked; see [`smooth`].
    pub(crate) fn pull(&mut self, grid: &Grid, cells: &mut Vec<Cell>) {
        self.begin_pull(grid, cells);
        let mut all = u64::MAX;
        self.go_on(grid, cells, &mut all);
    }

    /// Begins to smooth in place the cells of a path that can be walked; [`Smoother::go_on`] continues.
    pub(crate) fn begin_pull(&mut self, grid: &Grid, cells: &mut Vec<Cell>) {
        self.plan = &[];
        let (Some(&start), Some(&goal)) = (cells.first(), cells.last()) else { return };
        let Some(view) = View::level(grid, start) else { return };
        self.bounds = Bounds::of(cells);
        self.begun = 0;
        if self.sees_from(view, self.bounds, start, goal) && view.gains(cells) {
            cells.truncate(1);
            self.push_way(view, start, goal, cells);
            return;
        }
        self.turns.clear();
        self.push_turns(cells, 0);
        self.plan = &[Pass::Pull, Pass::Turn, Pass::Pull, Pass::Turn];
        (self.anchor, self.next) = (0, 0);
    }

    /// Begins a path through some points; [`Smoother::go_on_through`] writes it.
    pub(crate) fn begin_through(&mut self, points: &[Cell], cells: &mut Vec<Cell>) {
        cells.clear();
        cells.extend(points.first());
        self.turns.clear();
        (self.anchor, self.next) = (0, 0);
        self.bounds = Bounds::of(points);
    }

    /// Writes a path from point to point, as far as `left` goes: what remains of it when this returns. Where one point
    /// sees another, and nothing is cheaper than the ground between, nothing else is needed; for other hops `fill`
    /// writes the cells that follow the first point, and returns what that counts. Returns whether all is written; then [`Smoother::go_on`] pulls
    /// it taut.
    pub(crate) fn go_on_through(
        &mut self,
        grid: &Grid,
        points: &[Cell],
        mut fill: impl FnMut(usize, &mut Vec<Cell>) -> u64,
        cells: &mut Vec<Cell>,
        left: &mut u64,
    ) -> bool {
        self.plan = &[];
        let Some(view) = points.first().and_then(|&start| View::level(grid, start)) else {
            return true;
        };
        while self.anchor + 1 < points.len() {
            if *left == 0 {
                return false;
            }
            let anchor = self.anchor;
            let beyond = points[anchor + 1..].iter().copied();
            let begin = cells.len() - 1;
            match self.farthest_seen(view, self.bounds, points[anchor], beyond, POINTS_UNSEEN_MAX) {
                Some(farthest) if view.is_cheapest(points[anchor]) => {
                    self.anchor += 1 + farthest;
                    self.push_way(view, cells[begin], points[self.anchor], cells);
                    self.turns.push(cells.len() as u32 - 1);
                }
                _ => {
                    *left = left.saturating_sub(fill(anchor, cells));
                    self.push_turns(cells, begin);
                    self.anchor += 1;
                }
            }
            *left = left.saturating_sub(self.units(cells.len() - begin));
        }
        self.bounds = Bounds::of(cells);
        self.plan = &[Pass::Turn, Pass::Pull, Pass::Turn, Pass::Pull];
        (self.anchor, self.next) = (0, 0);
        true
    }

    /// Goes on with what has begun, as far as `left` goes: what remains of it when this returns. Returns whether the
    /// path is taut.
    pub(crate) fn go_on(&mut self, grid: &Grid, cells: &mut Vec<Cell>, left: &mut u64) -> bool {
        let Some(view) = cells.first().and_then(|&start| View::level(grid, start)) else {
            return true;
        };
        while let [pass, rest @ ..] = self.plan {
            if *left == 0 {
                return false;
            }
            match pass {
                Pass::Turn => {
                    self.turn_round(cells);
                    *left = left.saturating_sub(cells.len() as u64 / 256);
                }
                Pass::Pull if !self.pull_from_first(view, cells, left) => return false,
                Pass::Pull => {}
            }
            self.plan = rest;
        }
        true
    }

    /// What it counts to have gone on for so many cells.
    fn units(&self, cells: usize) -> u64 {
        let begun = |(octant, _): &(usize, &Sweep)| self.begun >> octant & 1 == 1;
        let words: usize =
            self.sweeps.iter().enumerate().filter(begun).map(|(_, sweep)| sweep.word_count()).sum();
        1 + cells as u64 / 16 + words as u64 / 128
    }

    /// Notes where a path changes direction, from a place in it on.
    fn push_turns(&mut self, cells: &[Cell], begin: usize) {
        let step = |at: usize| {
            let (from, to) = (cells[at - 1], cells[at]);
            (to.x.wrapping_sub(from.x), to.y.wrapping_sub(from.y))
        };
        for at in begin + 1..cells.len() {
            if at + 1 == cells.len() || step(at) != step(at + 1) {
                self.turns.push(at as u32);
            }
        }
    }

    /// Makes the goal the start.
    fn turn_round(&mut self, cells: &mut [Cell]) {
        cells.reverse();
        let last = cells.len() as u32 - 1;
        self.turns.pop();
        self.turns.reverse();
        self.turns.iter_mut().for_each(|turn| *turn = last - *turn);
        self.turns.push(last);
    }

    /// One pass: each leg goes to the farthest turn that its first cell sees, and beyond it as far along
    /// the next leg as it sees. Returns whether it has come to the end.
    fn pull_from_first(&mut self, view: View<'_>, cells: &mut Vec<Cell>, left: &mut u64) -> bool {
        let (mut taut, mut taut_turns) =
            (std::mem::take(&mut self.taut), std::mem::take(&mut self.taut_turns));
        let turns = std::mem::take(&mut self.turns);
        let bounds = self.bounds;
        let (mut anchor, mut next) = (self.anchor, self.next);
        if anchor == 0 {
            taut.clear();
            taut_turns.clear();
            taut.push(cells[0]);
        }
        while anchor + 1 < cells.len() && *left > 0 {
            let from = cells[anchor];
            let beyond = turns[next..].iter().map(|&turn| cells[turn as usize]);
            let (mut seen, mut unseen) =
                match self.farthest_seen(view, bounds, from, beyond, UNSEEN_MAX) {
                    Some(farthest) => {
                        next += farthest + 1;
                        let seen = turns[next - 1] as usize;
                        (seen, turns.get(next).map_or(seen + 1, |&turn| turn as usize))
                    }
                    // The next cell is always seen.
                    None => (anchor + 1, turns[next] as usize),
                };
            while unseen - seen > 1 {
                let middle = usize::midpoint(seen, unseen);
                if self.sees_from(view, bounds, from, cells[middle]) {
                    seen = middle;
                } else {
                    unseen = middle;
                }
            }
            let open = self.sees_from(view, bounds, from, cells[seen]);
            if open && view.gains(&cells[anchor..=seen]) {
                self.push_way(view, from, cells[seen], &mut taut);
            } else {
                taut.extend_from_slice(&cells[anchor + 1..=seen]);
            }
            taut_turns.push(taut.len() as u32 - 1);
            *left = left.saturating_sub(self.units(seen - anchor));
            anchor = seen;
            if turns.get(next).is_some_and(|&turn| turn as usize == anchor) {
                next += 1;
            }
        }
        if anchor + 1 < cells.len() {
            (self.anchor, self.next) = (anchor, next);
            (self.taut, self.taut_turns, self.turns) = (taut, taut_turns, turns);
            return false;
        }
        (self.anchor, self.next) = (0, 0);
        (self.taut, self.taut_turns) = (std::mem::replace(cells, taut), turns);
        self.turns = taut_turns;
        true
    }

    /// The number of the farthest of some cells that an anchor sees.
    fn farthest_seen(
        &mut self,
        view: View<'_>,
        bounds: Bounds,
        anchor: Cell,
        cells: impl Iterator<Item = Cell>,
        unseen_max: u32,
    ) -> Option<usize> {
        self.begun = 0;
        let mut farthest = None;
        let mut unseen = 0;
        for (at, cell) in cells.enumerate() {
            if self.sees_from(view, bounds, anchor, cell) {
                farthest = Some(at);
                unseen = 0;
            } else if unseen == unseen_max {
                break;
            } else {
                unseen += 1;
            }
        }
        farthest
    }

    /// Whether an anchor sees a cell; begins the sweep that finds out, unless it has begun.
    #[inline]
    fn sees_from(&mut self, view: View<'_>, bounds: Bounds, anchor: Cell, cell: Cell) -> bool {
        let octant = Octant::of(view.rule, anchor, cell);
        let sweep = &mut self.sweeps[octant.index()];
        if self.begun >> octant.index() & 1 == 0 {
            if !view.may_begin(anchor) {
                return false;
            }
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
#[derive(Clone, Copy, Debug, Default)]
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
