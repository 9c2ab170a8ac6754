//! Borders and links: where the pointer means them, and what drawing them changes.
//!
//! A click means the border nearest to it. A drag follows the lines between cells from corner to corner:
//!
//! ```text
//!   . . . .        from the corner at the left of the second row to the one
//!   o-+-+ .        two lines lower: two borders below cells, then one beside a cell
//!   . . | .
//! ```

use highroad::Cell;
use highroad::grid::{Batch, Border, Extent, GridMap, Link};
use highroad::planner::Point;

/// A place where lines between cells cross: the upper left corner of the cell of that column and row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corner {
    /// Lines from the left.
    pub x: u32,
    /// Lines from the top.
    pub y: u32,
}

impl Corner {
    /// The corner nearest to a point.
    pub fn nearest(extent: Extent, at: Point) -> Self {
        let line = |at: f32, side: u32| (at.round().max(0.0) as u32).min(side);
        Self { x: line(at.x, extent.width()), y: line(at.y, extent.height()) }
    }
}

/// The cell of a point that lies on the map or just beyond its edge.
pub(super) fn cell_at(extent: Extent, at: Point) -> Cell {
    let inside = |at: f32, side: u32| (at.max(0.0) as u32).min(side - 1);
    Cell::new(inside(at.x, extent.width()), inside(at.y, extent.height()))
}

/// The border nearest to a point: the cell that the point is in, and the one on the other side. `None` at the map's edge,
/// where there is no other cell.
pub fn nearest_border(extent: Extent, at: Point) -> Option<(Cell, Cell)> {
    let cell = cell_at(extent, at);
    let (x, y) = (at.x - cell.x as f32, at.y - cell.y as f32);
    let sides = [(x, (-1, 0)), (1.0 - x, (1, 0)), (y, (0, -1)), (1.0 - y, (0, 1))];
    let (_, (dx, dy)) = sides.into_iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let other = Cell::new(cell.x.checked_add_signed(dx)?, cell.y.checked_add_signed(dy)?);
    extent.contains(other).then_some((cell, other))
}

/// The borders along the lines from a corner to a corner, near to the straight line: for each the cell on the left of
/// the way, and the one on its right. Borders of the map are left out.
pub fn borders_along(extent: Extent, from: Corner, to: Corner) -> Vec<(Cell, Cell)> {
    let (dx, dy) = (to.x.abs_diff(from.x), to.y.abs_diff(from.y));
    let (mut x, mut y) = (from.x, from.y);
    let (mut done_x, mut done_y) = (0u64, 0u64);
    let mut borders = Vec::new();
    let cell = |x: Option<u32>, y: Option<u32>| {
        Some(Cell::new(x?, y?)).filter(|&cell| extent.contains(cell))
    };
    while (x, y) != (to.x, to.y) {
        let goes_across = (2 * done_x + 1) * u64::from(dy) <= (2 * done_y + 1) * u64::from(dx);
        let (low, high, onwards) = if goes_across && x != to.x || y == to.y {
            done_x += 1;
            let onwards = x < to.x;
            let column = if onwards { x } else { x - 1 };
            x = if onwards { x + 1 } else { x - 1 };
            // To the right, the cell above is on the left of the way.
            (cell(Some(column), y.checked_sub(1)), cell(Some(column), Some(y)), onwards)
        } else {
            done_y += 1;
            let onwards = y < to.y;
            let row = if onwards { y } else { y - 1 };
            y = if onwards { y + 1 } else { y - 1 };
            // Downwards, the cell to the right is on the left of the way.
            (cell(x.checked_sub(1), Some(row)), cell(Some(x), Some(row)), !onwards)
        };
        if let (Some(low), Some(high)) = (low, high) {
            borders.push(if onwards { (low, high) } else { (high, low) });
        }
    }
    borders
}

/// What makes borders of pairs of cells; those that lead one way lead from the first cell to the second.
pub(super) fn draw_borders(borders: &[(Cell, Cell)], border: Border) -> Batch {
    let mut batch = Batch::new();
    for &(from, to) in borders {
        batch.border(from, to, border);
    }
    batch
}

/// What takes away every link that begins or ends on a cell.
pub(super) fn close_links(map: &GridMap, cell: Cell) -> Batch {
    let mut batch = Batch::new();
    for &link in map.link_list().iter().filter(|link| link.from == cell || link.to == cell) {
        batch.close_link(link);
    }
    batch
}

/// How links are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkChoice {
    /// What they cost, in straight steps over plain ground.
    pub cost: f64,
    /// Whether they also lead back.
    pub both_ways: bool,
}

impl Default for LinkChoice {
    fn default() -> Self {
        Self { cost: 2.0, both_ways: true }
    }
}

impl LinkChoice {
    /// A link from a cell to a cell, where a straight step costs so much.
    pub(super) fn link(self, from: Cell, to: Cell, step: u64) -> Link {
        let cost = (self.cost * step as f64).round();
        let link = Link::new(from, to, cost.clamp(1.0, f64::from(Link::COST_MAX)) as u32);
        if self.both_ways { link.with_way_back() } else { link }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f32, y: f32) -> Point {
        Point { x, y }
    }

    fn corner(x: u32, y: u32) -> Corner {
        Corner { x, y }
    }

    #[test]
    fn the_border_nearest_to_a_click_is_meant() {
        let extent = Extent::new(4, 3).unwrap();
        let pair = |from: (u32, u32), to: (u32, u32)| Some((from.into(), to.into()));
        assert_eq!(nearest_border(extent, at(1.9, 1.5)), pair((1, 1), (2, 1)));
        assert_eq!(nearest_border(extent, at(2.1, 1.5)), pair((2, 1), (1, 1)));
        assert_eq!(nearest_border(extent, at(1.4, 0.8)), pair((1, 0), (1, 1)));
        assert_eq!(nearest_border(extent, at(0.1, 1.5)), None, "there is no cell beyond");
        assert_eq!(nearest_border(extent, at(3.95, 2.5)), None);
    }

    #[test]
    fn a_drag_follows_the_lines_between_cells() {
        let extent = Extent::new(4, 4).unwrap();
        let along = |from, to| borders_along(extent, from, to);
        let cells = |list: &[[u32; 4]]| -> Vec<(Cell, Cell)> {
            list.iter()
                .map(|&[x, y, to_x, to_y]| (Cell::new(x, y), Cell::new(to_x, to_y)))
                .collect()
        };
        // To the right: from above to below. To the left: the other way round.
        let below = cells(&[[1, 0, 1, 1], [2, 0, 2, 1]]);
        assert_eq!(along(corner(1, 1), corner(3, 1)), below);
        let mut back: Vec<_> = below.iter().map(|&(left, right)| (right, left)).collect();
        back.reverse();
        assert_eq!(along(corner(3, 1), corner(1, 1)), back);
        // Downwards: from the right to the left.
        assert_eq!(along(corner(2, 1), corner(2, 2)), cells(&[[2, 1, 1, 1]]));
        assert_eq!(along(corner(2, 2), corner(2, 1)), cells(&[[1, 1, 2, 1]]));
        // Across, in stairs that touch.
        assert_eq!(along(corner(1, 1), corner(3, 3)).len(), 4);
        assert!(along(corner(0, 0), corner(4, 0)).is_empty(), "the map's edge is no border");
        assert!(along(corner(2, 2), corner(2, 2)).is_empty());
    }

    #[test]
    fn links_cost_steps() {
        let choice = LinkChoice { cost: 1.5, both_ways: true };
        let link = choice.link(Cell::new(0, 0), Cell::new(3, 0), 4756);
        assert_eq!((link.cost, link.both_ways), (7134, true));
        let free = LinkChoice { cost: 0.0, both_ways: false };
        assert_eq!(free.link(Cell::new(0, 0), Cell::new(3, 0), 4756).cost, 1, "the least there is");
    }
}
