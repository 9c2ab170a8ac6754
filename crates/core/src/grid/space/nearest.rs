//! The reachable cell nearest to a goal, for queries that have no path.
//!
//! A flood over runs of free cells, not single ones: of each run only the cell nearest to a goal can
//! be the answer. A loop of its own because nothing is ordered by cost. O(runs of the part of the map
//! that the starts lie in), and a bit a cell to mark what was seen.
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
    /// A bit for each padded cell that was seen.
    seen: Vec<u64>,
    row_words: usize,
    /// Runs to look around: padded row, first and last padded column.
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
        let is_seen = |seen: &[u64], column: u32| {
            seen[word + (column / WORD_BITS) as usize] >> (column % WORD_BITS) & 1 == 1
        };
        let free = |column: u32| {
            board.row(row).word((column / WORD_BITS) as usize) >> (column % WORD_BITS) & 1 == 1
        };
        if is_seen(&self.seen, column) {
            return;
        }
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
    let extent = grid.extent();
    flood.row_words = (extent.width() as usize + 2).div_ceil(WORD_BITS as usize);
    flood.seen.clear();
    flood.seen.resize(flood.row_words * (extent.height() as usize + 2), 0);
    let aside = u32::from(grid.movement().rule() == MovementRule::AlwaysDiagonal);
    let mut best = (u64::MAX, 0, 0);
    for &start in starts {
        let Some(board) = grid.board_of(start) else { continue };
        flood.runs.clear();
        flood.mark_run(board, start.y + 1, start.x + 1);
        while let Some((row, first, last)) = flood.runs.pop() {
            for goal in goals {
                let cell = Cell::new((goal.x + 1).clamp(first, last) - 1, row - 1);
                best = best.min((remoteness(cell), cell.y, cell.x));
            }
            for beside in [row - 1, row + 1] {
                let bits = board.row(beside);
                let mut column = first - aside;
                while column <= last + aside {
                    // The next free column at or after this one.
                    let word = bits.word((column / WORD_BITS) as usize) >> (column % WORD_BITS);
                    if word == 0 {
                        column = (column / WORD_BITS + 1) * WORD_BITS;
                        continue;
                    }
                    column += word.trailing_zeros();
                    if column > last + aside {
                        break;
                    }
                    flood.mark_run(board, beside, column);
                    while bits.word((column / WORD_BITS) as usize) >> (column % WORD_BITS) & 1 == 1
                    {
                        column += 1;
                    }
                }
            }
        }
    }
    Cell::new(best.2, best.1)
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
}
