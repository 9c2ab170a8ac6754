//! A colony base: open ground, and on it rooms with walls that take no cells, and doors in them.

use super::work::{Made, Work};
use super::{GenerateError, Random};
use highroad::grid::{Border, BorderSide, Extent};
use highroad::{Cell, CellRect, GridMap, Terrain};

/// One room in so many stays a hall, though there is room for a wall.
const HALLS: u64 = 8;

/// Cuts the base in two by a wall with a door, and again, until rooms are small. By induction all of it is connected: each
/// wall has a door, and both sides of it are connected.
///
/// ```text
///   ┌───────┬────┐    The hull has a door on each side that is long enough. For each cut are drawn: whether it is
///   │       │    │    made, where it is, and where its doors are.
///   │       ├─ ──┤
///   ├── ────┤    ╷
///   │            │
///   └──── ──┴────┘
/// ```
pub(super) fn generate(
    extent: Extent,
    room: u32,
    doors_percent: u32,
    random: &mut Random,
    work: &mut Work<'_, '_>,
) -> Made<GridMap> {
    let (width, height) = (extent.width(), extent.height());
    let mut map = GridMap::filled(width, height, Terrain::GROUND).map_err(GenerateError::from)?;
    let margin = |length: u32| room.min(length / 8);
    let (left, top) = (margin(width), margin(height));
    let base = CellRect::new((left, top), (width - 1 - left, height - 1 - top));
    let (min, max) = (base.min(), base.max());
    let mut plan = Plan { map: &mut map, doors_percent, random };
    if left > 0 {
        plan.wall(Wall { side: BorderSide::East, line: left - 1, first: min.y, last: max.y });
        plan.wall(Wall { side: BorderSide::East, line: max.x, first: min.y, last: max.y });
    }
    if top > 0 {
        plan.wall(Wall { side: BorderSide::South, line: top - 1, first: min.x, last: max.x });
        plan.wall(Wall { side: BorderSide::South, line: max.y, first: min.x, last: max.x });
    }
    let mut waiting = vec![base];
    while let Some(part) = waiting.pop() {
        work.piece()?;
        waiting.extend(plan.cut(part, room).into_iter().flatten());
    }
    for _ in 0..height {
        work.row()?;
    }
    Ok(map)
}

/// A wall along the right or the lower borders of the cells of a column or row.
#[derive(Clone, Copy)]
struct Wall {
    side: BorderSide,
    line: u32,
    first: u32,
    last: u32,
}

impl Wall {
    fn cell(&self, along: u32) -> Cell {
        match self.side {
            BorderSide::East => Cell::new(self.line, along),
            BorderSide::South => Cell::new(along, self.line),
        }
    }
}

struct Plan<'a> {
    map: &'a mut GridMap,
    doors_percent: u32,
    random: &'a mut Random,
}

impl Plan<'_> {
    /// Builds a wall with a door, and with a second one in some.
    fn wall(&mut self, wall: Wall) {
        for along in wall.first..=wall.last {
            self.map.set_border(wall.cell(along), wall.side, Border::Closed);
        }
        let length = u64::from(wall.last - wall.first + 1);
        let doors = 1 + u32::from(self.random.chance(u64::from(self.doors_percent), 100));
        for _ in 0..doors {
            let door = wall.first + self.random.below(length) as u32;
            self.map.set_border(wall.cell(door), wall.side, Border::Open);
        }
    }

    /// Cuts a part in two across its longer side, if there is room for it.
    fn cut(&mut self, part: CellRect, room: u32) -> Option<[CellRect; 2]> {
        let (min, max) = (part.min(), part.max());
        let (width, height) = (max.x - min.x + 1, max.y - min.y + 1);
        let upright = width >= height;
        let length = width.max(height);
        let hall = length <= 4 * room && self.random.below(HALLS) == 0;
        if length < 2 * room || hall {
            return None;
        }
        let at = room + self.random.below(u64::from(length - 2 * room + 1)) as u32;
        if upright {
            let line = min.x + at - 1;
            self.wall(Wall { side: BorderSide::East, line, first: min.y, last: max.y });
            let left = CellRect::new(min, (line, max.y));
            return Some([left, CellRect::new((line + 1, min.y), max)]);
        }
        let line = min.y + at - 1;
        self.wall(Wall { side: BorderSide::South, line, first: min.x, last: max.x });
        Some([CellRect::new(min, (max.x, line)), CellRect::new((min.x, line + 1), max)])
    }
}
