//! Entrances between clusters, and where transitions are placed in them.
//!
//! An entrance is a maximal run of pairs of facing border cells, both enterable in one domain. Each
//! gets one or more transitions:
//!
//! ```text
//!   ···│···     a run of six pairs (│ is the border): one in the middle,
//!   ·a─┼─b·     two at the ends, or one every k pairs
//!   ···│···
//! ```
//!
//! **Corners.** Under the rules that allow a diagonal step only past at least one free cell, two cells
//! joined by it are joined by straight steps as well, so straight transitions lose no connection. Where
//! diagonals may slip between two obstacles, each such step across a border is a transition of its own.

use super::layout::{Frame, Layout};
use crate::grid::{Cell, Direction, Domain, Grid, MovementRule};

/// Where transitions are placed in an entrance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transitions {
    /// One in the middle of an entrance narrower than six pairs, else one at each end: Botea, Müller
    /// and Schaeffer (2004).
    Ends,
    /// One in the middle below five pairs, one at each end below seven, else the third from each end:
    /// Harvanová's two constants (2017).
    Thesis,
    /// As few equal pieces as are no longer than that, one in the middle of each. On terrain of
    /// differing cost, at the cheapest pair of the piece.
    Every(u8),
}

impl Default for Transitions {
    fn default() -> Self {
        Self::Every(16)
    }
}

/// A step from a border cell of a cluster into another cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Crossing {
    pub(super) from: Cell,
    pub(super) direction: Direction,
}

/// Finds every crossing out of a cluster.
pub(super) fn crossings(
    grid: &Grid,
    layout: &Layout,
    frame: &Frame,
    policy: Transitions,
    found: &mut Vec<Crossing>,
) {
    found.clear();
    let Frame { origin, width, height } = *frame;
    let (right, bottom) = (origin.x + width - 1, origin.y + height - 1);
    let top_row = |along| Cell::new(origin.x + along, origin.y);
    let bottom_row = |along| Cell::new(origin.x + along, bottom);
    let left_column = |along| Cell::new(origin.x, origin.y + along);
    let right_column = |along| Cell::new(right, origin.y + along);
    straight_side(grid, policy, Direction::North, width, top_row, found);
    straight_side(grid, policy, Direction::South, width, bottom_row, found);
    straight_side(grid, policy, Direction::West, height, left_column, found);
    straight_side(grid, policy, Direction::East, height, right_column, found);
    if grid.movement().rule() == MovementRule::AlwaysDiagonal {
        (0..width).for_each(|along| slips(grid, layout, top_row(along), found));
        if height > 1 {
            (0..width).for_each(|along| slips(grid, layout, bottom_row(along), found));
        }
        let inner = 1..height.saturating_sub(1).max(1);
        for along in inner {
            slips(grid, layout, left_column(along), found);
            if width > 1 {
                slips(grid, layout, right_column(along), found);
            }
        }
    }
}

fn neighbour(cell: Cell, direction: Direction) -> Cell {
    let (dx, dy) = direction.delta();
    Cell::new(cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy))
}

/// The entrances along one side, whose cells `cell(0)`, `cell(1)` … run the same way seen from both
/// clusters.
fn straight_side(
    grid: &Grid,
    policy: Transitions,
    direction: Direction,
    length: u32,
    cell: impl Fn(u32) -> Cell,
    found: &mut Vec<Crossing>,
) {
    if !grid.extent().contains(neighbour(cell(0), direction)) {
        return;
    }
    let pair_domain = |along: u32| -> Option<Domain> {
        let own = grid.domain_of(cell(along))?;
        let other = grid.domain_of(neighbour(cell(along), direction))?;
        (own == other).then_some(own)
    };
    let mut start = 0;
    while start < length {
        let domain = pair_domain(start);
        let mut end = start + 1;
        while end < length && pair_domain(end) == domain {
            end += 1;
        }
        if domain.is_some() {
            let price = |along: u32| {
                let own = grid.cost_of(cell(along)).unwrap_or(0);
                own + grid.cost_of(neighbour(cell(along), direction)).unwrap_or(0)
            };
            let uniform = grid.uniform_cost().is_some();
            place(policy, start, end, uniform, price, |along| {
                found.push(Crossing { from: cell(along), direction });
            });
        }
        start = end;
    }
}

/// Calls `put` with the places of the transitions in the entrance `start..end`.
fn place(
    policy: Transitions,
    start: u32,
    end: u32,
    uniform: bool,
    price: impl Fn(u32) -> u32,
    mut put: impl FnMut(u32),
) {
    let length = end - start;
    let mut pair = |first: u32, second: u32| {
        put(first);
        put(second);
    };
    match policy {
        Transitions::Ends if length >= 6 => pair(start, end - 1),
        Transitions::Thesis if length >= 7 => pair(start + 2, end - 3),
        Transitions::Thesis if length >= 5 => pair(start, end - 1),
        Transitions::Ends | Transitions::Thesis => put(start + length / 2),
        Transitions::Every(step) => {
            let pieces = length.div_ceil(u32::from(step).max(1));
            for piece in 0..pieces {
                let (first, past) =
                    (start + length * piece / pieces, start + length * (piece + 1) / pieces);
                let middle = first + (past - first) / 2;
                let nearness = |along: u32| (price(along), along.abs_diff(middle), along);
                let cheapest = || (first..past).min_by_key(|&along| nearness(along));
                put(if uniform { middle } else { cheapest().unwrap_or(middle) });
            }
        }
    }
}

/// Diagonal steps out of the cluster between two cells that cannot be entered.
fn slips(grid: &Grid, layout: &Layout, cell: Cell, found: &mut Vec<Crossing>) {
    let Some(domain) = grid.domain_of(cell) else { return };
    for direction in Direction::ALL.into_iter().filter(|direction| direction.is_diagonal()) {
        let to = neighbour(cell, direction);
        let joined = |other: Cell| grid.domain_of(other) == Some(domain);
        let corners = [Cell::new(to.x, cell.y), Cell::new(cell.x, to.y)];
        if joined(to)
            && !corners.into_iter().any(joined)
            && layout.cluster_of(to) != layout.cluster_of(cell)
        {
            found.push(Crossing { from: cell, direction });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(policy: Transitions, length: u32) -> Vec<u32> {
        let mut places = Vec::new();
        place(policy, 10, 10 + length, true, |_| 0, |along| places.push(along - 10));
        places
    }

    #[test]
    fn policies_place_as_they_say() {
        assert_eq!(places(Transitions::Ends, 5), [2]);
        assert_eq!(places(Transitions::Ends, 6), [0, 5]);
        assert_eq!(places(Transitions::Thesis, 4), [2]);
        assert_eq!(places(Transitions::Thesis, 6), [0, 5]);
        assert_eq!(places(Transitions::Thesis, 10), [2, 7]);
        assert_eq!(places(Transitions::Every(16), 16), [8]);
        assert_eq!(places(Transitions::Every(16), 32), [8, 24]);
        assert_eq!(places(Transitions::Every(16), 17), [4, 12]);
        assert_eq!(places(Transitions::Every(1), 3), [0, 1, 2]);
    }

    #[test]
    fn both_clusters_see_the_same_transitions() {
        let drawing = "....#...\n#.....#.\n..#.....\n.......#\n";
        let grid = Grid::with_defaults(drawing.parse().unwrap());
        let layout = Layout::new(grid.extent(), 4).unwrap();
        let crossings_of = |cell| {
            let frame = layout.frame(layout.cluster_of(cell));
            let mut found = Vec::new();
            crossings(&grid, &layout, &frame, Transitions::Ends, &mut found);
            found
        };
        let east: Vec<(Cell, Cell)> = crossings_of(Cell::new(0, 0))
            .iter()
            .map(|crossing| (crossing.from, neighbour(crossing.from, crossing.direction)))
            .collect();
        let west: Vec<(Cell, Cell)> = crossings_of(Cell::new(7, 0))
            .iter()
            .map(|crossing| (neighbour(crossing.from, crossing.direction), crossing.from))
            .collect();
        assert_eq!(east, west);
        assert_eq!(east, [(Cell::new(3, 2), Cell::new(4, 2))], "one run of three pairs");
    }
}
