//! The reachable cell nearest to a goal, for queries that have no path.
//!
//! Both ways to find it go over runs of free cells, not single ones: of each run only the cell nearest to a
//! goal can be the answer. Loops of their own because nothing is ordered by cost.
//!
//! * A flood from the starts: O(runs of the part of the map that they lie in), and a bit a cell to mark what was
//!   seen, of which only what was set is cleared.
//! * Rings around the goals, each twice as wide as the one before, where it can be decided whether a cell is
//!   reachable: O(runs around the goals, as far as the answer is).
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
        let free = |column: u32| {
            board.row(row).word((column / WORD_BITS) as usize) >> (column % WORD_BITS) & 1 == 1
        };
        // The border is blocked on both sides.
        let (mut first, mut last) = (column, column);
        while free(first - 1) {
            first -= 1;
        }
        while free(last + 1) {
            last += 1;
        }
        for column in first..=last {
            self.seen[word + (column / WORD_BITS) as usize] |= 1 << (column % WORD_BITS);
        }
        self.runs.push((row, first, last));
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

/// The cell of the lowest rank that can be reached from a start, where ranks grow with columns and rows from the
/// goals; `None` if the starts can reach more runs of cells than that.
pub(crate) fn nearest_in_few_runs<R: Ord>(
    grid: &Grid,
    starts: &[Cell],
    goals: &[Cell],
    rank: impl Fn(Cell) -> R,
    runs_max: usize,
    flood: &mut NearestMemory,
) -> Option<Cell> {
    flood.reset(grid);
    let aside = u32::from(grid.movement().rule() == MovementRule::AlwaysDiagonal);
    let mut best: Option<(R, Cell)> = None;
    let mut at = 0;
    for &start in starts {
        let Some(board) = grid.board_of(start) else { continue };
        flood.mark_run(board, start.y + 1, start.x + 1);
        while let Some(&(row, first, last)) = flood.runs.get(at) {
            if flood.runs.len() > runs_max {
                flood.clear();
                return None;
            }
            at += 1;
            for goal in goals {
                let cell = Cell::new((goal.x + 1).clamp(first, last) - 1, row - 1);
                improve(&mut best, &rank, cell);
            }
            for beside in [row - 1, row + 1] {
                for_each_run(board, beside, (first - aside, last + aside), |run, _| {
                    flood.mark_run(board, beside, run);
                });
            }
        }
    }
    flood.clear();
    best.map(|(_, cell)| cell)
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

/// The cell of the lowest rank among those that are reached, and `known`, which is. Ranks grow with columns
/// and rows from the goals; `least` gives the lowest rank of a cell so many columns or rows away from
/// all of them. Cells of a run are reached together.
pub(crate) fn nearest_around<R: Ord + Copy>(
    grid: &Grid,
    (starts, goals): (&[Cell], &[Cell]),
    known: Cell,
    rank: impl Fn(Cell) -> R,
    least: impl Fn(u32) -> R,
    is_reached: impl Fn(Cell) -> bool,
) -> Cell {
    let extent = grid.extent();
    let mut best = (rank(known), known);
    // Columns and rows around goals that have been looked at.
    let mut done = None;
    let mut radius = FIRST_RADIUS;
    let farthest = extent.width().max(extent.height());
    while done.is_none_or(|done| done < farthest && least(done + 1) <= best.0) {
        for &goal in goals {
            let rows = goal.y.saturating_sub(radius)..=(goal.y + radius).min(extent.height() - 1);
            let (left, right) =
                (goal.x.saturating_sub(radius), (goal.x + radius).min(extent.width() - 1));
            for y in rows {
                let inner = done.filter(|&done| y.abs_diff(goal.y) <= done);
                let columns = match inner {
                    None => [Some((left, right)), None],
                    Some(done) => [
                        goal.x.checked_sub(done + 1).map(|end| (left, end)),
                        (goal.x + done < right).then(|| (goal.x + done + 1, right)),
                    ],
                };
                for (left, right) in columns.into_iter().flatten() {
                    for board in boards_of(grid, starts) {
                        for_each_run(board, y + 1, (left + 1, right + 1), |first, last| {
                            let cell = Cell::new((goal.x + 1).clamp(first, last) - 1, y);
                            let found = (rank(cell), cell);
                            if found.0 < best.0 && is_reached(cell) {
                                best = found;
                            }
                        });
                    }
                }
            }
        }
        done = Some(radius);
        radius = radius.saturating_mul(2).min(farthest);
    }
    best.1
}

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
                let framed = nearest_around(
                    &grid,
                    (starts, goals),
                    starts[0],
                    |cell| (remoteness(cell), cell.y, cell.x),
                    |radius| (measure.remoteness_at(radius), 0, 0),
                    |cell| starts.iter().any(|&start| parts.connected(start, cell)),
                );
                assert_eq!(framed, flooded, "{starts:?} {goals:?} {rule:?}");
            }
        }
    }
}
