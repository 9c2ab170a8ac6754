//! The reachable cell nearest to a goal, for queries that have no path.
//!
//! Both ways to find it go over runs of free cells, not single ones: of each run only the cell nearest to a
//! goal can be the answer. Loops of their own because nothing is ordered by cost.
//!
//! * A flood from the starts: O(runs of the part of the map that they lie in), and a bit a cell to mark what was
//!   seen, of which only what was set is cleared. Where borders or heights count, each cell is a run.
//! * Frames around the goals ([`Frames`]), each twice as wide as the one before, where it can be decided whether a cell is
//!   reachable: O(runs around the goals, as far as the answer is), in slices.
//!
//! ```text
//!   # # . . . # .        of the run in the middle, the neighbours are the runs above and below
//!   . [a . . b] #        that lie over a…b; where diagonal steps slip between obstacles, over
//!   . # . # . . .        one cell more on each side
//! ```

use crate::grid::{Board, Cell, Grid, MovementRule};

const WORD_BITS: u32 = 64;

/// Working memory of [`nearest_reachable`].
#[derive(Default)]
pub(crate) struct NearestMemory {
    /// A bit for each padded cell that was seen; all zero between two floods.
    seen: Vec<u64>,
    row_words: usize,
    /// Runs that were seen: padded row, first and last padded column.
    runs: Vec<(u32, u32, u32)>,
    /// The best cell of the first `at` runs.
    best: Option<Cell>,
    at: usize,
    /// The start whose runs are being found.
    start: usize,
}

impl NearestMemory {
    pub(crate) fn memory_bytes(&self) -> usize {
        self.seen.capacity() * size_of::<u64>()
            + self.runs.capacity() * size_of::<(u32, u32, u32)>()
    }

    /// Marks the free run around a cell, unless it is marked.
    fn mark_run(&mut self, board: &Board, row: u32, column: u32) {
        let word = row as usize * self.row_words;
        let seen = self.seen[word + (column / WORD_BITS) as usize];
        if seen >> (column % WORD_BITS) & 1 == 1 {
            return;
        }
        // A word at a time. The border is blocked on both sides.
        let bits = board.row(row);
        let word_at = |column: u32| bits.word((column / WORD_BITS) as usize);
        let (mut first, mut last) = (column, column);
        loop {
            let below = WORD_BITS - 1 - first % WORD_BITS;
            let free = (word_at(first) << below).leading_ones();
            first -= free - 1;
            if first % WORD_BITS != 0 || word_at(first - 1) >> (WORD_BITS - 1) == 0 {
                break;
            }
            first -= 1;
        }
        loop {
            let free = (word_at(last) >> (last % WORD_BITS)).trailing_ones();
            last += free - 1;
            if (last + 1) % WORD_BITS != 0 || word_at(last + 1) & 1 == 0 {
                break;
            }
            last += 1;
        }
        for at in first / WORD_BITS..=last / WORD_BITS {
            let from = first.saturating_sub(at * WORD_BITS);
            let until = (last - at * WORD_BITS).min(WORD_BITS - 1);
            self.seen[word + at as usize] |= !0 << from & !0 >> (WORD_BITS - 1 - until);
        }
        self.runs.push((row, first, last));
    }

    /// Marks one cell, unless it is marked: where borders or heights count, cells of a run are not reached together.
    fn mark_cell(&mut self, cell: Cell) {
        let (row, column) = (cell.y + 1, cell.x + 1);
        let word = row as usize * self.row_words + (column / WORD_BITS) as usize;
        let bit = 1 << (column % WORD_BITS);
        if self.seen[word] & bit == 0 {
            self.seen[word] |= bit;
            self.runs.push((row, column, column));
        }
    }

    /// Makes room for the cells of a grid, none of which is seen.
    fn reset(&mut self, grid: &Grid) {
        let extent = grid.extent();
        self.row_words = (extent.width() as usize + 2).div_ceil(WORD_BITS as usize);
        let words = self.row_words * (extent.height() as usize + 2);
        if self.seen.len() < words {
            self.seen.resize(words, 0);
        }
        self.runs.clear();
    }

    /// Forgets what was seen.
    fn clear(&mut self) {
        for &(row, first, last) in &self.runs {
            let word = row as usize * self.row_words;
            let range = (first / WORD_BITS) as usize..=(last / WORD_BITS) as usize;
            self.seen[word..][range].fill(0);
        }
        self.runs.clear();
    }
}

/// The cell nearest to a goal (by a measure of remoteness; among equals the topmost, then the
/// leftmost) that can be reached from a start.
pub(crate) fn nearest_reachable(
    grid: &Grid,
    starts: &[Cell],
    goals: &[Cell],
    remoteness: impl Fn(Cell) -> u64,
    flood: &mut NearestMemory,
) -> Cell {
    let rank = |cell: Cell| (remoteness(cell), cell.y, cell.x);
    nearest_in_few_runs(grid, starts, goals, rank, usize::MAX, flood).unwrap_or_default()
}

/// The cell of the lowest rank that can be reached from a start. Of each run the cell nearest to a goal must have the
/// lowest. `None` if more runs than that can be reached.
pub(crate) fn nearest_in_few_runs<R: Ord>(
    grid: &Grid,
    starts: &[Cell],
    goals: &[Cell],
    rank: impl Fn(Cell) -> R,
    runs_max: usize,
    flood: &mut NearestMemory,
) -> Option<Cell> {
    flood.begin(grid);
    let mut left = u64::try_from(runs_max).unwrap_or(u64::MAX);
    let found = flood.go_on(grid, starts, goals, rank, &mut left);
    flood.clear();
    found
}

impl NearestMemory {
    /// Sets out from the starts.
    pub(crate) fn begin(&mut self, grid: &Grid) {
        self.clear();
        self.reset(grid);
        (self.best, self.at, self.start) = (None, 0, 0);
    }

    /// Goes on for at most `left` runs: what remains of it when this returns. The cell of the lowest rank that can be
    /// reached from a start, once it is known.
    pub(crate) fn go_on<R: Ord>(
        &mut self,
        grid: &Grid,
        starts: &[Cell],
        goals: &[Cell],
        rank: impl Fn(Cell) -> R,
        left: &mut u64,
    ) -> Option<Cell> {
        let aside = u32::from(grid.movement().rule() == MovementRule::AlwaysDiagonal);
        let mut best = self.best.map(|cell| (rank(cell), cell));
        while let Some(&start) = starts.get(self.start) {
            let Some(board) = grid.board_of(start) else {
                self.start += 1;
                continue;
            };
            if grid.is_shaped() {
                self.mark_cell(start);
            } else {
                self.mark_run(board, start.y + 1, start.x + 1);
            }
            while let Some(&(row, first, last)) = self.runs.get(self.at) {
                if *left == 0 {
                    self.best = best.map(|(_, cell)| cell);
                    return None;
                }
                *left -= 1;
                self.at += 1;
                for goal in goals {
                    let cell = Cell::new((goal.x + 1).clamp(first, last) - 1, row - 1);
                    improve(&mut best, &rank, cell);
                }
                if grid.is_shaped() {
                    let cell = Cell::new(first - 1, row - 1);
                    grid.steps_from(cell).for_each(|(to, _)| self.mark_cell(to));
                    continue;
                }
                for beside in [row - 1, row + 1] {
                    for_each_run(board, beside, (first - aside, last + aside), |run, _| {
                        self.mark_run(board, beside, run);
                    });
                }
            }
            self.start += 1;
        }
        best.map(|(_, cell)| cell)
    }
}

/// Takes a cell of a lower rank than the best.
fn improve<R: Ord>(best: &mut Option<(R, Cell)>, rank: &impl Fn(Cell) -> R, cell: Cell) {
    let rank = rank(cell);
    if best.as_ref().is_none_or(|(least, _)| rank < *least) {
        *best = Some((rank, cell));
    }
}

/// Visits the runs of free cells, cut off at both ends, between two columns of a padded row.
fn for_each_run(
    board: &Board,
    row: u32,
    (first, last): (u32, u32),
    mut visit: impl FnMut(u32, u32),
) {
    let bits = board.row(row);
    let word_at = |column: u32| bits.word((column / WORD_BITS) as usize) >> (column % WORD_BITS);
    let mut column = first;
    while column <= last {
        let word = word_at(column);
        if word == 0 {
            column = (column / WORD_BITS + 1) * WORD_BITS;
            continue;
        }
        let begin = column + word.trailing_zeros();
        if begin > last {
            return;
        }
        // To the end of the run, a word at a time. The border is blocked.
        column = begin;
        loop {
            let length = word_at(column).trailing_ones();
            column += length;
            if length == 0 || column % WORD_BITS != 0 {
                break;
            }
        }
        visit(begin, (column - 1).min(last));
    }
}

/// The first frame around a goal reaches so many columns and rows.
const FIRST_RADIUS: u32 = 8;

/// A search for the cell of the lowest rank, frame by frame around the goals, in slices.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Frames {
    best: Cell,
    /// Columns and rows around goals that have been looked at.
    done: Option<u32>,
    radius: u32,
    /// The goal whose frame is looked at, and how many of its rows have been.
    goal: usize,
    rows_done: u32,
}

/// Who is looked for, and among which cells. Cells of a run are reached together.
pub(crate) struct Wanted<'a, R, Rank, Least, Reached>
where
    Rank: Fn(Cell) -> R,
    Least: Fn(u32) -> R,
    Reached: Fn(Cell) -> bool,
{
    pub(crate) starts: &'a [Cell],
    pub(crate) goals: &'a [Cell],
    /// Grows with columns and rows from the goals.
    pub(crate) rank: Rank,
    /// The lowest rank of a cell so many columns or rows away from all goals.
    pub(crate) least: Least,
    pub(crate) is_reached: Reached,
}

impl Frames {
    /// Sets out with a cell that is reached.
    pub(crate) fn begin(&mut self, known: Cell) {
        *self = Self { best: known, done: None, radius: FIRST_RADIUS, goal: 0, rows_done: 0 };
    }

    /// Goes on as far as `left` goes: what remains of it when this returns. The cell of the lowest rank among those
    /// that are reached, once it is known.
    pub(crate) fn go_on<R, Rank, Least, Reached>(
        &mut self,
        grid: &Grid,
        wanted: &Wanted<'_, R, Rank, Least, Reached>,
        left: &mut u64,
    ) -> Option<Cell>
    where
        R: Ord + Copy,
        Rank: Fn(Cell) -> R,
        Least: Fn(u32) -> R,
        Reached: Fn(Cell) -> bool,
    {
        let extent = grid.extent();
        let farthest = extent.width().max(extent.height());
        let mut best = ((wanted.rank)(self.best), self.best);
        while self.done.is_none_or(|done| done < farthest && (wanted.least)(done + 1) <= best.0) {
            while let Some(&goal) = wanted.goals.get(self.goal) {
                let first = goal.y.saturating_sub(self.radius);
                let last = (goal.y + self.radius).min(extent.height() - 1);
                for y in first + self.rows_done..=last {
                    if *left == 0 {
                        self.best = best.1;
                        return None;
                    }
                    let looks = self.look_at_row(grid, wanted, goal, y, &mut best);
                    *left = left.saturating_sub(1 + looks / LOOKS_A_UNIT);
                    self.rows_done += 1;
                }
                self.goal += 1;
                self.rows_done = 0;
            }
            self.goal = 0;
            self.done = Some(self.radius);
            self.radius = self.radius.saturating_mul(2).min(farthest);
        }
        Some(best.1)
    }

    /// Looks at the runs of a row in the frame around a goal. Returns how many looks that were.
    fn look_at_row<R, Rank, Least, Reached>(
        &self,
        grid: &Grid,
        wanted: &Wanted<'_, R, Rank, Least, Reached>,
        goal: Cell,
        y: u32,
        best: &mut (R, Cell),
    ) -> u64
    where
        R: Ord + Copy,
        Rank: Fn(Cell) -> R,
        Least: Fn(u32) -> R,
        Reached: Fn(Cell) -> bool,
    {
        let radius = self.radius;
        let (left, right) =
            (goal.x.saturating_sub(radius), (goal.x + radius).min(grid.extent().width() - 1));
        let columns = match self.done.filter(|&done| y.abs_diff(goal.y) <= done) {
            None => [Some((left, right)), None],
            Some(done) => [
                goal.x.checked_sub(done + 1).map(|end| (left, end)),
                (goal.x + done < right).then(|| (goal.x + done + 1, right)),
            ],
        };
        let mut looks = 0;
        for (left, right) in columns.into_iter().flatten() {
            looks += u64::from((right - left) / WORD_BITS);
            for board in boards_of(grid, wanted.starts) {
                for_each_run(board, y + 1, (left + 1, right + 1), |first, last| {
                    let cell = Cell::new((goal.x + 1).clamp(first, last) - 1, y);
                    let found = ((wanted.rank)(cell), cell);
                    looks += 2;
                    if found.0 < best.0 {
                        looks += LOOKS_A_UNIT / 2;
                        if (wanted.is_reached)(cell) {
                            *best = found;
                        }
                    }
                });
            }
        }
        looks
    }
}

/// Looks at words and runs that count as an expansion.
const LOOKS_A_UNIT: u64 = 16;

/// The bits of the domains that some cells lie in, each once.
fn boards_of<'g>(grid: &'g Grid, cells: &'g [Cell]) -> impl Iterator<Item = &'g Board> {
    let is_first = |at: usize| {
        let domain = grid.domain_of(cells[at]);
        !cells[..at].iter().any(|&other| grid.domain_of(other) == domain)
    };
    (0..cells.len()).filter(move |&at| is_first(at)).filter_map(|at| grid.board_of(cells[at]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{GridMap, Movement, Profile, StepCosts};
    use crate::heuristic::{GridHeuristic, HeuristicKind};
    use crate::search::Weight;

    fn nearest(drawing: &str, rule: MovementRule, start: (u32, u32), goal: (u32, u32)) -> Cell {
        let map: GridMap = drawing.parse().unwrap();
        let movement = Movement::new(Profile::movingai(), rule, StepCosts::EXACT).unwrap();
        let grid = Grid::new(map, movement);
        let goals = [goal.into()];
        let measure = GridHeuristic::new(&grid, HeuristicKind::Octile, Weight::ONE, &goals);
        let remoteness = |cell| measure.remoteness_of(cell);
        nearest_reachable(&grid, &[start.into()], &goals, remoteness, &mut NearestMemory::default())
    }

    #[test]
    fn rules_reach_different_cells() {
        let drawing = "....#.\n..##.#\n.#..#.\n";
        let never = MovementRule::NeverCutCorners;
        assert_eq!(nearest(drawing, never, (0, 0), (5, 2)), Cell::new(3, 0));
        let always = MovementRule::AlwaysDiagonal;
        assert_eq!(nearest(drawing, always, (0, 0), (5, 2)), Cell::new(5, 2));
    }

    #[test]
    fn a_cell_shut_in_is_its_own_nearest() {
        assert_eq!(nearest("#.#\n###\n", MovementRule::FourWay, (1, 0), (1, 0)), Cell::new(1, 0));
    }

    #[test]
    fn frames_around_goals_find_what_a_flood_finds() {
        let free = |x: u32, y: u32| {
            (x * 7 + y * 13 + x * y * 3) % 11 < 6 || (x / 9 + y / 7).is_multiple_of(3)
        };
        for rule in MovementRule::ALL {
            let text: String = (0..150)
                .flat_map(|y| {
                    let row = (0..200).map(move |x| if free(x, y) { '.' } else { '#' });
                    row.chain(['\n'])
                })
                .collect();
            let movement = Movement::new(Profile::movingai(), rule, StepCosts::EXACT).unwrap();
            let grid = Grid::new(text.parse().unwrap(), movement);
            let parts = crate::Connectivity::of(&grid);
            let cells: Vec<Cell> =
                grid.extent().cells().filter(|&c| grid.is_enterable(c)).collect();
            let mut memory = NearestMemory::default();
            for at in 0..400 {
                let pick = |step: usize| cells[at * step % cells.len()];
                let (starts, goals) = ([pick(7919), pick(104_729)], [pick(6151), pick(3079)]);
                let count = 1 + at % 2;
                let (starts, goals) = (&starts[..count], &goals[..1 + at / 2 % 2]);
                let measure = GridHeuristic::new(&grid, HeuristicKind::Zero, Weight::ONE, goals);
                let remoteness = |cell| measure.remoteness_of(cell);
                let flooded = nearest_reachable(&grid, starts, goals, remoteness, &mut memory);
                let wanted = Wanted {
                    starts,
                    goals,
                    rank: |cell: Cell| (remoteness(cell), cell.y, cell.x),
                    least: |radius| (measure.remoteness_at(radius), 0, 0),
                    is_reached: |cell| starts.iter().any(|&start| parts.connected(start, cell)),
                };
                let mut frames = Frames::default();
                frames.begin(starts[0]);
                let slice = [1, 7, u64::MAX][at % 3];
                let framed = loop {
                    if let Some(cell) = frames.go_on(&grid, &wanted, &mut { slice }) {
                        break cell;
                    }
                };
                assert_eq!(framed, flooded, "{starts:?} {goals:?} {rule:?}");
            }
        }
    }
}
