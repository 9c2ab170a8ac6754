//! Canonical successors: which neighbours need a look, given where one comes from.
//!
//! On uniform terrain most cells can be reached by many paths of equal cost. Of these it is enough
//! to follow one: here, the path that takes its diagonals first (Sturtevant and Rabin, "Canonical
//! Orderings on Grids", 2016; the pruning rules of jump point search, Harabor and Grastien 2011).
//! Coming from *p* to *x*, a neighbour *n* of *x* is left out if
//!
//! * some way *p → n* or *p → y → n* past *x* is cheaper than *p → x → n*, or
//! * *p → x* is straight, *x → n* diagonal, and *p → y* diagonal, *y → n* straight costs the same.
//!
//! ```text
//!   · y n      p → x → n is straight, then diagonal; p → y → n is diagonal, then straight:
//!   p x ·      n is left to y
//! ```
//!
//! Cheapest-first searches still find every optimal cost. Say *n* were the first cell closed at more
//! than its optimal cost, or not at all. Each optimal predecessor *x* of *n* was closed at its own
//! optimal cost before, from some *p*, and left *n* out. Not by the first rule: then there were a
//! cheaper way to *n*. By the second, then *y* is an optimal predecessor as well, with a *straight*
//! step to *n*, and the second rule leaves out only diagonal ones. So *y* did look at *n*.
//!
//! The argument compares ways between cells that touch *x*. So where cells differ in cost it still holds at every *x*
//! whose neighbourhood is of one cost, if all neighbours are looked at elsewhere (`plateaus.rs`; Carlson, Moran and
//! Harabor, "Optimal Pathfinding on Weighted Grid Maps", 2023).
//!
//! A search that may expand cells at more than their optimal cost must look at all neighbours.
//!
//! PERF: `highroad solve builtin:castle` puts 838 entries on the open list instead of 1,482, and holds at
//! most 94 at once instead of 582, for the same 754 expansions.

use super::cost::StepCosts;
use super::rule::{DELTAS, MovementRule};
use std::sync::OnceLock;

/// For each of the nine arrivals (dx + 1 + 3 · (dy + 1) of the step to the cell; 4 for a start) and
/// each neighbourhood, the directions to look at.
///
/// Room for sixteen, so that a masked number needs no check.
pub(crate) type CanonicalMoves = [[u8; 512]; 16];

/// The arrival of a search's first cells, from which all neighbours are looked at.
pub(crate) const ARRIVAL_AT_START: usize = 4;

/// The table of a rule and a pair of step costs. Of the costs only their order counts: whether a diagonal
/// costs as much as a straight step, as much as two, or something between. Made on first use.
pub(crate) fn canonical_moves(rule: MovementRule, steps: StepCosts) -> &'static CanonicalMoves {
    static TABLES: [[OnceLock<Box<CanonicalMoves>>; 3]; 4] =
        [const { [const { OnceLock::new() }; 3] }; 4];
    let order = match steps.diagonal() {
        diagonal if diagonal == steps.straight() => 0,
        diagonal if diagonal == 2 * steps.straight() => 2,
        _ => 1,
    };
    TABLES[rule as usize][order].get_or_init(|| build(rule, steps))
}

fn build(rule: MovementRule, steps: StepCosts) -> Box<CanonicalMoves> {
    let mut table = Box::new([[0; 512]; 16]);
    for (arrival, masks) in table.iter_mut().take(9).enumerate() {
        let parent = (1 - (arrival % 3) as i32, 1 - (arrival / 3) as i32);
        for (pattern, mask) in masks.iter_mut().enumerate() {
            let moves = rule.moves()[pattern];
            *mask = moves;
            if arrival != ARRIVAL_AT_START {
                let block = Block { rule, steps, pattern };
                for direction in (0..8).filter(|&direction| moves >> direction & 1 == 1) {
                    if block.leaves_out(parent, DELTAS[direction]) {
                        *mask &= !(1 << direction);
                    }
                }
            }
        }
    }
    table
}

/// The three by three cells around *x*, which is at (0, 0).
struct Block {
    rule: MovementRule,
    steps: StepCosts,
    pattern: usize,
}

type Offset = (i32, i32);

impl Block {
    fn leaves_out(&self, parent: Offset, next: Offset) -> bool {
        if parent == next {
            return true;
        }
        let (Some(arriving), Some(leaving)) =
            (price(self.steps, parent, (0, 0)), price(self.steps, (0, 0), next))
        else {
            return false;
        };
        let through = arriving + leaving;
        if self.step(parent, next).is_some_and(|direct| direct < through) {
            return true;
        }
        let ways_past = (-1..=1).flat_map(|y| (-1..=1).map(move |x| (x, y)));
        ways_past.filter(|&between| between != (0, 0)).any(|between| {
            let (Some(first), Some(second)) =
                (self.step(parent, between), self.step(between, next))
            else {
                return false;
            };
            let diagonal_first = is_diagonal(parent, between) && !is_diagonal(between, next);
            let straight_first = !is_diagonal(parent, (0, 0)) && is_diagonal((0, 0), next);
            first + second < through
                || (first + second == through && diagonal_first && straight_first)
        })
    }

    /// The cost of a step between two cells of the block, if the rule allows it: as all corner cells
    /// of such a step lie in the block, its bits are enough to decide.
    fn step(&self, from: Offset, to: Offset) -> Option<u32> {
        let cost = price(self.steps, from, to)?;
        let free = |(x, y): Offset| self.pattern >> ((y + 1) * 3 + x + 1) & 1 == 1;
        let mut around = 0;
        for bit in 0..9 {
            let cell = (from.0 + bit % 3 - 1, from.1 + bit / 3 - 1);
            let inside = cell.0.abs() <= 1 && cell.1.abs() <= 1;
            around |= usize::from(inside && free(cell)) << bit;
        }
        let direction = DELTAS.iter().position(|&delta| delta == (to.0 - from.0, to.1 - from.1))?;
        (self.rule.moves()[around] >> direction & 1 == 1).then_some(cost)
    }
}

fn is_diagonal(from: Offset, to: Offset) -> bool {
    from.0 != to.0 && from.1 != to.1
}

/// The cost of a step between neighbours.
fn price(steps: StepCosts, from: Offset, to: Offset) -> Option<u32> {
    let neighbours = from != to && (from.0 - to.0).abs() <= 1 && (from.1 - to.1).abs() <= 1;
    neighbours.then(|| steps.step(is_diagonal(from, to), 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looked_at(arrival: Offset, drawing: &str) -> Vec<Offset> {
        let table = canonical_moves(MovementRule::NeverCutCorners, StepCosts::EXACT);
        let letters = drawing.bytes().filter(|letter| !letter.is_ascii_whitespace());
        let pattern = letters
            .enumerate()
            .fold(0, |bits, (i, letter)| bits | usize::from(letter == b'.') << i);
        let arrival = (arrival.0 + 1 + 3 * (arrival.1 + 1)) as usize;
        let mask = table[arrival][pattern];
        (0..8).filter(|&d| mask >> d & 1 == 1).map(|d| DELTAS[d]).collect()
    }

    #[test]
    fn straight_goes_straight_on_and_diagonal_fans_out() {
        assert_eq!(looked_at((1, 0), "... ... ..."), [(1, 0)]);
        assert_eq!(looked_at((1, -1), "... ... ..."), [(0, -1), (1, 0), (1, -1)]);
        assert_eq!(looked_at((0, 0), "... ... ...").len(), 8);
    }

    #[test]
    fn an_obstacle_behind_forces_a_turn() {
        assert_eq!(looked_at((1, 0), "#.. ... ..."), [(0, -1), (1, 0), (1, -1)]);
        assert_eq!(looked_at((1, 0), "... ... #.."), [(1, 0), (0, 1), (1, 1)]);
        assert_eq!(looked_at((1, 0), "##. ... ..."), [(1, 0)]);
    }
}
