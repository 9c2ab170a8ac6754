//! A city: districts whose streets run in directions of their own, blocks between the streets, and
//! buildings on the blocks.
//!
//! ```text
//!  district ──> turned by an angle of its own ──> blocks between lines ──> lots ──> buildings
//! ```
//!
//! Whether a cell is built upon follows from its place alone, by hashes; only what is cut off at the end is
//! looked for on the whole map. Angles are those of Pythagorean triples: turning is exact in integers.

use super::Random;
use super::noise::hash;
use super::parts::join_parts;
use super::walls::Walls;
use super::work::{Made, Work};
use highroad::Cell;
use highroad::grid::Extent;

/// The parameters of the layout, named as there.
#[derive(Clone, Copy)]
pub(super) struct City {
    pub(super) block: u32,
    pub(super) street: u32,
    pub(super) built_percent: u32,
}

/// Districts are so many blocks across.
const DISTRICT_BLOCKS: i64 = 5;
/// Cosine, sine and what they are parts of: 0°, 13°, 23°, 28° and 37°, some the other way round.
const ANGLES: [(i64, i64, i64); 9] = [
    (1, 0, 1),
    (1, 0, 1),
    (1, 0, 1),
    (40, 9, 41),
    (12, 5, 13),
    (15, 8, 17),
    (4, 3, 5),
    (4, -3, 5),
    (12, -5, 13),
];

/// Draws one number for the districts, one for the blocks.
pub(super) fn generate(
    extent: Extent,
    city: City,
    random: &mut Random,
    work: &mut Work<'_, '_>,
) -> Made<Walls> {
    let plan = Plan { city, districts: random.next_u64(), blocks: random.next_u64() };
    let mut walls = Walls::solid(extent);
    for y in 0..extent.height() {
        work.row()?;
        walls.write_row(y, |word| {
            let first = word as u32 * u64::BITS;
            let last = extent.width().min(first + u64::BITS);
            (first..last)
                .fold(0, |bits, x| bits | u64::from(plan.is_built(Cell::new(x, y))) << (x - first))
        });
    }
    join_parts(&mut walls, work)?;
    Ok(walls)
}

struct Plan {
    city: City,
    districts: u64,
    blocks: u64,
}

/// A place in a district's own directions, in cells.
#[derive(Clone, Copy)]
struct Turned {
    along: i64,
    across: i64,
}

/// Where a cell lies between two lines: how far from each, and the number of the first.
#[derive(Clone, Copy)]
struct Span {
    number: i64,
    from: i64,
    to: i64,
}

impl Span {
    fn length(self) -> i64 {
        self.from + self.to + 1
    }

    /// How far from the nearer end.
    fn inside(self) -> i64 {
        self.from.min(self.to)
    }
}

impl Plan {
    fn is_built(&self, cell: Cell) -> bool {
        let Some((district, place)) = self.district(cell) else { return false };
        let salt = self.blocks ^ district;
        let (Some(along), Some(across)) =
            (self.between_streets(salt, place.along), self.between_streets(!salt, place.across))
        else {
            return false;
        };
        let lot = hash(salt, along.number as u32, across.number as u32);
        lot % 100 < u64::from(self.city.built_percent) && self.on_block(lot / 100, along, across)
    }

    /// The district of a cell and its place there; `None` on the boulevards between districts.
    ///
    /// Districts are what lies nearest to one of some points, of which each square of a lattice has one.
    fn district(&self, cell: Cell) -> Option<(u64, Turned)> {
        let spacing = i64::from(self.city.block) * DISTRICT_BLOCKS;
        let (x, y) = (i64::from(cell.x), i64::from(cell.y));
        let (mut nearest, mut second) = ((i64::MAX, (0, 0), 0), (i64::MAX, (0, 0)));
        for square in 0..9 {
            let (column, row) = (x / spacing + square % 3 - 1, y / spacing + square / 3 - 1);
            let number = hash(self.districts, column as u32, row as u32);
            let jitter = |bits: u64| (bits % spacing as u64) as i64;
            let middle = (
                column * spacing + jitter(number & 0xff_ffff),
                row * spacing + jitter(number >> 24 & 0xff_ffff),
            );
            let distance = (x - middle.0).pow(2) + (y - middle.1).pow(2);
            if distance < nearest.0 {
                second = (nearest.0, nearest.1);
                nearest = (distance, middle, number);
            } else if distance < second.0 {
                second = (distance, middle);
            }
        }
        let (apart_x, apart_y) = (nearest.1.0 - second.1.0, nearest.1.1 - second.1.1);
        let apart = (apart_x.pow(2) + apart_y.pow(2)).isqrt();
        // From the line half-way between both it is this difference, divided by twice what they are apart.
        if second.0.saturating_sub(nearest.0) < i64::from(self.city.street) * apart {
            return None;
        }
        let (cosine, sine, whole) = ANGLES[(nearest.2 >> 48) as usize % ANGLES.len()];
        let place = Turned {
            along: (x * cosine + y * sine).div_euclid(whole),
            across: (y * cosine - x * sine).div_euclid(whole),
        };
        Some((nearest.2, place))
    }

    /// Where a place lies between two streets; `None` on a street.
    fn between_streets(&self, salt: u64, at: i64) -> Option<Span> {
        let block = i64::from(self.city.block);
        let line = |number: i64| {
            let shake = (hash(salt, number as u32, 0) % (block as u64 / 3 + 1)) as i64 - block / 6;
            number * block + shake
        };
        let mut number = at.div_euclid(block);
        if at < line(number) {
            number -= 1;
        } else if at >= line(number + 1) {
            number += 1;
        }
        let (from, to) = (
            at - line(number) - self.half_street(number),
            line(number + 1) - self.half_street(number + 1) - at - 1,
        );
        (from >= 0 && to >= 0).then_some(Span { number, from, to })
    }

    /// Every third street is a wide one, the others are half or a third as wide.
    fn half_street(&self, number: i64) -> i64 {
        let street = i64::from(self.city.street);
        match number.rem_euclid(3) {
            0 => street / 2,
            1 => (street / 4).max(1),
            _ => (street / 6).max(1),
        }
    }

    /// Whether a place on a block that is built upon lies in a building.
    fn on_block(&self, lot: u64, along: Span, across: Span) -> bool {
        let (kind, details) = (lot % 8, lot / 8);
        let pavement = (details % 3) as i64;
        if along.inside() < pavement || across.inside() < pavement {
            return false;
        }
        let depth = 5 + (details / 3 % 6) as i64;
        match kind {
            // Houses around a yard, with a gate.
            0..=2 => {
                let in_yard = along.inside() >= depth && across.inside() >= depth;
                let gate = (along.length() / 2 - along.from).abs() <= 1
                    && (details & 64 == 0) == (across.from < across.to);
                !in_yard && !gate
            }
            // One large house with wings.
            3 => {
                let notch = along.from < along.length() / 3 && across.from < across.length() / 2;
                !notch || details & 64 == 0
            }
            // Rows of houses, each on a lot of its own.
            _ => Self::on_lots(details, along, across),
        }
    }

    /// Whether a place lies in one of the houses that stand apart on a block.
    fn on_lots(details: u64, along: Span, across: Span) -> bool {
        let wide = 9 + (details % 8) as i64;
        let columns = (along.length() / wide).max(1);
        let rows = if across.length() >= 24 { 2 } else { 1 };
        let cut = |span: Span, parts: i64| {
            let part = (span.from * parts / span.length()).min(parts - 1);
            let first = (part * span.length() + parts - 1) / parts;
            let end = ((part + 1) * span.length() + parts - 1) / parts;
            Span { number: part, from: span.from - first, to: end - 1 - span.from }
        };
        let (along, across) = (cut(along, columns), cut(across, rows));
        let house = hash(details, along.number as u32, across.number as u32);
        let garden = |bits: u64| (bits % 4) as i64;
        let inside = along.from >= garden(house)
            && along.to >= garden(house >> 2)
            && across.from >= garden(house >> 4)
            && across.to >= garden(house >> 6);
        // Some houses have a corner cut out, and some lots none.
        let corner = along.from * 2 < along.length() && across.from * 2 < across.length();
        inside && house >> 8 & 7 != 0 && !(corner && house >> 11 & 3 == 0)
    }
}
