//! Entrances between clusters, and where transitions are placed in them.
//!
//! An entrance is a maximal run of pairs of facing border cells, both enterable in one domain, and where borders or heights
//! count, that can be crossed in the same directions and walked along on both sides. Each gets one or more transitions:
//!
//! ```text
//!   ···│···     a run of six pairs (│ is the border): one in the middle,
//!   ·a─┼─b·     two at the ends, or one every k pairs
//!   ···│···
//! ```
//!
//! **Corners.** Under the rules that allow a diagonal step only past at least one free cell, two cells
//! joined by it are joined by straight steps as well, so straight transitions lose no connection. Where
//! diagonals may slip between two obstacles, each such step across a border is a transition of its own. A transition that
//! leads one way is a node in both clusters, and an exit of both; that of the cluster that it leads into cannot be taken.

use super::layout::Layout;
use crate::grid::{Cell, Direction, Domain, Grid, MovementRule};
use crate::hierarchy::local::CellBox;

/// Where transitions are placed in an entrance.
///
/// ```
/// use highroad::hierarchy::{HpaOptions, Transitions};
/// let few = HpaOptions::default().with_transitions(Transitions::Ends);
/// assert_eq!(HpaOptions::default().transitions, Transitions::Every(16));
/// assert_ne!(few, HpaOptions::default());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    /// The number of the entrance in the cluster; diagonal slips have none.
    pub(super) entrance: Option<u16>,
    /// What a step from pair to pair along the entrance costs, if it is the same all along it and on
    /// both sides.
    pub(super) pace: Option<u32>,
}

/// Finds every crossing out of a cluster.
pub(super) fn crossings(
    grid: &Grid,
    layout: &Layout,
    block: &CellBox,
    policy: Transitions,
    found: &mut Vec<Crossing>,
) {
    found.clear();
    let mut entrance_count = 0u16;
    entrances(grid, block, |entrance| {
        let (number, pace) = (Some(entrance_count), entrance.pace(grid));
        entrance_count += 1;
        entrance.place(grid, policy, |from| {
            let direction = entrance.direction;
            found.push(Crossing { from, direction, entrance: number, pace });
        });
    });
    if grid.movement().rule() == MovementRule::AlwaysDiagonal {
        border_cells(block, |cell| slips(grid, layout, cell, found));
    }
}

/// A run of facing pairs along one side of a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entrance {
    /// From the cluster outwards.
    pub(super) direction: Direction,
    /// The cluster's first cell in it; the others lie to the right or below.
    pub(super) first: Cell,
    pub(super) length: u32,
}

/// Calls `visit` with each entrance of a cluster: top, bottom, left and right, each from its left or upper
/// end on. Both clusters at a side see the same entrances there.
pub(super) fn entrances(grid: &Grid, block: &CellBox, mut visit: impl FnMut(Entrance)) {
    let CellBox { origin, width, height } = *block;
    let (right, bottom) = (origin.x + width - 1, origin.y + height - 1);
    let sides = [
        (Direction::North, origin, width),
        (Direction::South, Cell::new(origin.x, bottom), width),
        (Direction::West, origin, height),
        (Direction::East, Cell::new(right, origin.y), height),
    ];
    for (direction, corner, length) in sides {
        if !grid.extent().contains(neighbour(corner, direction)) {
            continue;
        }
        let cell = |along| beside(corner, direction, along);
        let pair = |along: u32| Pair::of(grid, cell(along), neighbour(cell(along), direction));
        let goes_on = |along: u32| {
            let sides = |along| [cell(along), neighbour(cell(along), direction)];
            let ends = sides(along - 1).into_iter().zip(sides(along));
            !grid.is_shaped()
                || ends.into_iter().all(|(a, b)| is_open(grid, a, b) && is_open(grid, b, a))
        };
        let mut start = 0;
        let mut kind = pair(0);
        while start < length {
            let mut end = start + 1;
            let mut next = None;
            while end < length {
                next = pair(end);
                if next != kind || (kind.is_some() && !goes_on(end)) {
                    break;
                }
                end += 1;
            }
            if kind.is_some() {
                visit(Entrance { direction, first: cell(start), length: end - start });
            }
            (start, kind) = (end, next);
        }
    }
}

/// What two facing cells have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pair {
    domain: Domain,
    /// Whether a step leads out, and whether one leads in.
    open: [bool; 2],
}

impl Pair {
    /// `None` if no step leads between them.
    fn of(grid: &Grid, own: Cell, other: Cell) -> Option<Self> {
        let domain = grid.domain_of(own)?;
        if grid.domain_of(other) != Some(domain) {
            return None;
        }
        let open = match grid.is_shaped() {
            true => [is_open(grid, own, other), is_open(grid, other, own)],
            false => [true; 2],
        };
        (open != [false; 2]).then_some(Self { domain, open })
    }
}

fn is_open(grid: &Grid, from: Cell, to: Cell) -> bool {
    grid.walking_cost(from, to).is_some()
}

/// The cell so many places along a side that is left in that direction.
fn beside(first: Cell, direction: Direction, along: u32) -> Cell {
    match direction.delta().0 {
        0 => Cell::new(first.x + along, first.y),
        _ => Cell::new(first.x, first.y + along),
    }
}

fn border_cells(block: &CellBox, mut visit: impl FnMut(Cell)) {
    let CellBox { origin, width, height } = *block;
    for y in 0..height {
        let inner = y > 0 && y + 1 < height;
        let step = if inner { (width - 1).max(1) as usize } else { 1 };
        (0..width).step_by(step).for_each(|x| visit(Cell::new(origin.x + x, origin.y + y)));
    }
}

fn neighbour(cell: Cell, direction: Direction) -> Cell {
    let (dx, dy) = direction.delta();
    Cell::new(cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy))
}

impl Entrance {
    pub(super) fn cell(&self, along: u32) -> Cell {
        beside(self.first, self.direction, along)
    }

    /// The summed costs of a pair's two cells.
    fn price(&self, grid: &Grid, along: u32) -> u32 {
        let cost = |cell| grid.cost_of(cell).unwrap_or(0);
        cost(self.cell(along)) + cost(neighbour(self.cell(along), self.direction))
    }

    /// What a step from pair to pair costs, if it is the same all along and on both sides.
    fn pace(&self, grid: &Grid) -> Option<u32> {
        let cost = grid.cost_of(self.first)?;
        let even = |along| {
            let own = self.cell(along);
            let other = neighbour(own, self.direction);
            grid.cost_of(own) == Some(cost)
                && grid.cost_of(other) == Some(cost)
                && [own, other].into_iter().all(|cell| grid.is_plain(cell))
        };
        let all_even = grid.uniform_cost().is_some() || (0..self.length).all(even);
        all_even.then(|| grid.movement().steps().step(false, 2 * cost))
    }

    /// Calls `put` with the cluster's cell of each transition.
    fn place(&self, grid: &Grid, policy: Transitions, mut put: impl FnMut(Cell)) {
        let uniform = grid.uniform_cost().is_some();
        let price = |along| self.price(grid, along);
        place(policy, 0, self.length, uniform, price, |along| put(self.cell(along)));
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
        let slips = match grid.is_shaped() {
            true => {
                joined(to)
                    && [(cell, to), (to, cell)].into_iter().any(|(a, b)| slips_past(grid, a, b))
            }
            false => joined(to) && !corners.into_iter().any(joined),
        };
        if slips && layout.cluster_of(to) != layout.cluster_of(cell) {
            found.push(Crossing { from: cell, direction, entrance: None, pace: None });
        }
    }
}

/// Whether a diagonal step leads where no two straight steps do.
fn slips_past(grid: &Grid, from: Cell, to: Cell) -> bool {
    let corners = [Cell::new(to.x, from.y), Cell::new(from.x, to.y)];
    let round = |corner: Cell| is_open(grid, from, corner) && is_open(grid, corner, to);
    is_open(grid, from, to) && !corners.into_iter().any(round)
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
            let block = layout.block(layout.cluster_of(cell));
            let mut found = Vec::new();
            crossings(&grid, &layout, &block, Transitions::Ends, &mut found);
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
