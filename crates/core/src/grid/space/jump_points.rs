//! The cells where a shortest path may turn, as a space: jump point search.
//!
//! Harabor and Grastien, "Online Graph Pruning for Pathfinding on Grid Maps" (2011), and "Improving
//! Jump Point Search" (2014) for scans of many cells at once and for leaving out the cells between a
//! diagonal run and the straight one after it. Of all equal paths only the canonical one is followed
//! (see `grid/canonical.rs`), and of its cells only those are nodes at which it may turn:
//!
//! ```text
//!        a → → t        from x along the diagonal; from each of its cells a look along the row
//!      ／  ↑            and along the column. t is a turning point: it becomes a successor of x,
//!     x    …            by x, the diagonal to a, the row to t. The cells between are never stored.
//! ```
//!
//! Invariant: a successor is reached from its parent by diagonal steps first, then straight ones, so
//! that both the cells between and the last step follow from the two ends alone. If a node was
//! reached by several equal ways, any one of them will do: the proof in `grid/canonical.rs` holds for
//! each optimal arrival.
//!
//! An expansion costs the cells of its diagonals, and for each two scans of a word per 64 cells.

use super::scan::{NEVER_CUT, Window, scan, to_turn};
use crate::grid::{
    ARRIVAL_AT_START, Board, CanonicalMoves, Cell, CellId, DELTAS, Direction, Extent, Grid,
};
use crate::space::{Arrival, NodeId, Space};

/// The jump points of a grid of uniform cost, for the goals of one query.
pub(crate) struct JumpPoints<'g, const RULE: usize> {
    grid: &'g Grid,
    extent: Extent,
    /// The bits of the one domain that all starts lie in; without them, each cell's are looked up.
    boards: Option<Boards<'g>>,
    canonical: &'static CanonicalMoves,
    goals: &'g [Cell],
    straight: u32,
    diagonal: u32,
}

#[derive(Clone, Copy)]
struct Boards<'g> {
    rows: &'g Board,
    columns: &'g Board,
}

impl<'g> Boards<'g> {
    fn of(grid: &'g Grid, cell: Cell) -> Option<Self> {
        Some(Self { rows: grid.board_of(cell)?, columns: grid.column_board_of(cell)? })
    }
}

/// Why planners that read the nine bits around cells alone do not serve a grid.
pub(crate) const SHAPED: &str =
    "borders, heights or links count here, and it looks at the cells alone";

/// Why jump points are of no use on a grid.
pub(crate) fn serves_jump_points(grid: &Grid) -> Result<(), String> {
    if grid.is_shaped() {
        return Err(SHAPED.to_owned());
    }
    let Some(cost) = grid.uniform_cost() else {
        return Err("cells differ in cost".to_owned());
    };
    let movement = grid.movement();
    if !movement.rule().has_diagonals() {
        return Err("it needs diagonal steps".to_owned());
    }
    let (straight, diagonal) = (movement.steps().straight(), movement.steps().diagonal());
    if diagonal == straight || diagonal == 2 * straight {
        return Err(format!(
            "with steps of {straight}/{diagonal} too many ways are equal: a diagonal must cost \
             more than one straight step and less than two"
        ));
    }
    let extent = grid.extent();
    let farthest = u64::from(extent.width()) + u64::from(extent.height());
    if farthest * u64::from(diagonal) * 2 * u64::from(cost) > u64::from(u32::MAX) {
        return Err(format!(
            "terrain so costly that a straight way could cost more than {}",
            u32::MAX
        ));
    }
    Ok(())
}

impl<'g, const RULE: usize> JumpPoints<'g, RULE> {
    /// For cells of that cost.
    pub(crate) fn new(grid: &'g Grid, cell_cost: u32, starts: &[Cell], goals: &'g [Cell]) -> Self {
        let steps = grid.movement().steps();
        let domain = |cell: &Cell| grid.domain_of(*cell);
        let shared = starts.iter().all(|start| domain(start) == domain(&starts[0]));
        Self {
            grid,
            extent: grid.extent(),
            boards: starts.first().filter(|_| shared).and_then(|&start| Boards::of(grid, start)),
            canonical: grid.movement().canonical(),
            goals,
            straight: steps.step(false, 2 * cell_cost),
            diagonal: steps.step(true, 2 * cell_cost),
        }
    }

    /// How far to go in a straight direction to a turning point or a goal; `None` if there is only a
    /// wall.
    #[inline]
    fn jump_straight(&self, boards: Boards<'g>, from: Cell, direction: usize) -> Option<u32> {
        let (dx, dy) = DELTAS[direction];
        let (board, line, at) =
            if dx != 0 { (boards.rows, from.y, from.x) } else { (boards.columns, from.x, from.y) };
        let on_line = |goal: &Cell| if dx != 0 { goal.y == from.y } else { goal.x == from.x };
        if RULE == NEVER_CUT && !self.goals.iter().any(on_line) {
            return to_turn(board, line, at, dx + dy > 0);
        }
        let met = scan::<RULE>(board, line, at, dx + dy > 0);
        let mut nearest = if met.turn { Some(met.distance) } else { None };
        for goal in self.goals.iter().filter(|goal| on_line(goal)) {
            let ahead = if dx != 0 {
                (goal.x.wrapping_sub(from.x) as i32).wrapping_mul(dx)
            } else {
                (goal.y.wrapping_sub(from.y) as i32).wrapping_mul(dy)
            };
            if ahead > 0 && (ahead as u32) < nearest.unwrap_or(met.distance) {
                nearest = Some(ahead as u32);
            }
        }
        nearest
    }

    /// Looks along a diagonal, and from each of its cells along row and column.
    #[inline]
    fn visit_diagonal(
        &self,
        boards: Boards<'g>,
        from: Cell,
        direction: usize,
        visit: &mut impl FnMut(NodeId, u32),
    ) {
        let (dx, dy) = DELTAS[direction];
        let across = if dx > 0 { Direction::East } else { Direction::West } as usize;
        let down = if dy > 0 { Direction::South } else { Direction::North } as usize;
        let arrival = (dx + 1 + 3 * (dy + 1)) as usize;
        let natural = 1 << across | 1 << down | 1 << direction;
        let (mut at, mut cost) = (from, 0);
        // The step that the caller found allowed.
        loop {
            at = moved(at, (dx, dy), 1);
            cost += self.diagonal;
            let pattern = boards.rows.neighbourhood(at);
            let moves = self.canonical[arrival & 15][pattern & 511];
            let turn = moves & !natural != 0;
            if turn || self.goals.contains(&at) {
                visit(self.node(at), cost);
                return;
            }
            for (straight, delta) in [(across, (dx, 0)), (down, (0, dy))] {
                if moves >> straight & 1 == 1
                    && let Some(distance) = self.jump_straight(boards, at, straight)
                {
                    let to = moved(at, delta, distance);
                    visit(self.node(to), cost + distance * self.straight);
                }
            }
            if moves >> direction & 1 == 0 {
                return;
            }
        }
    }

    /// As [`JumpPoints::visit_diagonal`], where no corner may be cut: there is nothing to turn to on the
    /// diagonal itself, and the words of each step give those of the next.
    #[inline]
    fn visit_clear_diagonal<const RIGHT: bool, const DOWN: bool>(
        &self,
        boards: Boards<'g>,
        from: Cell,
        visit: &mut impl FnMut(NodeId, u32),
    ) {
        let (dx, dy) = (if RIGHT { 1 } else { -1 }, if DOWN { 1 } else { -1 });
        let across = if RIGHT { Direction::East } else { Direction::West } as usize;
        let aside = if DOWN { Direction::South } else { Direction::North } as usize;
        let mut rows = Window::<DOWN, RIGHT>::new(boards.rows, from.y, from.x);
        let mut columns = Window::<RIGHT, DOWN>::new(boards.columns, from.x, from.y);
        let only_goal = if let &[goal] = self.goals { Some(goal) } else { None };
        let (mut at, mut cost) = (from, 0);
        while rows.is_next_free() && columns.is_next_free() {
            rows.slide();
            if !rows.is_free() {
                return;
            }
            columns.slide();
            at = moved(at, (dx, dy), 1);
            cost += self.diagonal;
            if only_goal.is_none_or(|goal| at.x == goal.x || at.y == goal.y) {
                if self.goals.contains(&at) {
                    visit(self.node(at), cost);
                    return;
                }
                for straight in [across, aside] {
                    if let Some(distance) = self.jump_straight(boards, at, straight) {
                        let to = moved(at, DELTAS[straight], distance);
                        visit(self.node(to), cost + distance * self.straight);
                    }
                }
                continue;
            }
            if let Some(distance) = rows.to_turn() {
                let to = moved(at, (dx, 0), distance);
                visit(self.node(to), cost + distance * self.straight);
            }
            if let Some(distance) = columns.to_turn() {
                let to = moved(at, (0, dy), distance);
                visit(self.node(to), cost + distance * self.straight);
            }
        }
    }

    #[inline]
    fn node(&self, cell: Cell) -> NodeId {
        NodeId(self.extent.id_inside(cell).0)
    }

    /// The directions worth a look, given the last step of the way from the parent.
    #[inline]
    fn moves(&self, boards: Boards<'g>, at: Arrival, cell: Cell) -> u8 {
        let arrival = if at.node == at.parent {
            ARRIVAL_AT_START
        } else {
            let (dx, dy) = last_step(self.extent.cell(CellId(at.parent.0)), cell);
            (dx + 1 + 3 * (dy + 1)) as usize
        };
        self.canonical[arrival & 15][boards.rows.neighbourhood(cell) & 511]
    }
}

const NORTH_EAST: usize = Direction::NorthEast as usize;
const SOUTH_EAST: usize = Direction::SouthEast as usize;
const SOUTH_WEST: usize = Direction::SouthWest as usize;

/// The last step of a way of diagonal steps first, then straight ones.
#[inline]
fn last_step(from: Cell, to: Cell) -> (i32, i32) {
    let (columns, rows) = from.offset(to);
    let sign = |from: u32, to: u32| i32::from(to > from) - i32::from(to < from);
    (
        if columns >= rows { sign(from.x, to.x) } else { 0 },
        if rows >= columns { sign(from.y, to.y) } else { 0 },
    )
}

#[inline]
fn moved(cell: Cell, (dx, dy): (i32, i32), times: u32) -> Cell {
    Cell {
        x: cell.x.wrapping_add_signed(dx * times as i32),
        y: cell.y.wrapping_add_signed(dy * times as i32),
    }
}

impl<const RULE: usize> Space for JumpPoints<'_, RULE> {
    fn node_count(&self) -> usize {
        self.extent.cell_count()
    }

    #[inline]
    fn expand(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        let cell = self.extent.cell(CellId(at.node.0));
        let Some(boards) = self.boards.or_else(|| Boards::of(self.grid, cell)) else {
            return;
        };
        let mut moves = self.moves(boards, at, cell);
        while moves != 0 {
            let direction = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            if RULE == NEVER_CUT && direction >= 4 {
                match direction {
                    NORTH_EAST => self.visit_clear_diagonal::<true, false>(boards, cell, visit),
                    SOUTH_EAST => self.visit_clear_diagonal::<true, true>(boards, cell, visit),
                    SOUTH_WEST => self.visit_clear_diagonal::<false, true>(boards, cell, visit),
                    _ => self.visit_clear_diagonal::<false, false>(boards, cell, visit),
                }
            } else if direction >= 4 {
                self.visit_diagonal(boards, cell, direction, visit);
            } else if let Some(distance) = self.jump_straight(boards, cell, direction) {
                let to = moved(cell, DELTAS[direction], distance);
                visit(self.node(to), distance * self.straight);
            }
        }
    }
}

/// Runs code with the rule as a constant.
macro_rules! with_rule {
    ($rule:expr, $name:ident => $code:expr) => {
        match $rule {
            crate::grid::MovementRule::AtMostOneObstacle => {
                const $name: usize = crate::grid::AT_MOST_ONE;
                $code
            }
            crate::grid::MovementRule::AlwaysDiagonal => {
                const $name: usize = crate::grid::ALWAYS;
                $code
            }
            _ => {
                const $name: usize = crate::grid::NEVER_CUT;
                $code
            }
        }
    };
}
pub(crate) use with_rule;
