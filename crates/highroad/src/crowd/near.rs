//! Who is near: a spatial index of positions.
//!
//! The plane is cut into square tiles, and these are numbered on a torus: tiles that lie a multiple of its size apart share a number.
//! So the index is as large as the crowd, not as the map, neighbouring tiles stay close in memory, and who is far away
//! but has the same number is passed over by the distance. Made by counting, in O(agents), in memory that is used again. The order
//! inside a tile is that of the agents' numbers, whatever the number of threads.

use super::vector::Vector;
use std::ops::Range;

/// An index of positions.
#[derive(Default)]
pub(super) struct NearIndex {
    /// The side of a tile.
    side: f64,
    /// Tiles in a row of the torus, a power of two, and as many rows.
    across: u32,
    /// Where the agents of each tile begin in `order`, and the end.
    firsts: Vec<u32>,
    /// The numbers of agents, tile by tile.
    order: Vec<u32>,
    /// Their positions, in the same order.
    positions: Vec<Vector>,
}

/// Tiles around the own one that are within reach.
const REACH_TILES: u32 = 2;

impl NearIndex {
    /// Makes it again, for positions that are asked about up to `reach` around.
    pub(super) fn make(&mut self, positions: &[Vector], reach: f64) {
        self.side = (reach / f64::from(REACH_TILES)).max(1e-3);
        // Two tiles for each agent, and more than the five that are looked at in a row.
        let tiles = (positions.len().max(32) * 2).next_power_of_two();
        self.across = 1 << tiles.ilog2().div_ceil(2);
        let count = (self.across * self.across) as usize;
        self.firsts.clear();
        self.firsts.resize(count + 1, 0);
        for &position in positions {
            let tile = self.tile_of(position);
            self.firsts[tile + 1] += 1;
        }
        let mut sum = 0;
        for first in &mut self.firsts {
            sum += *first;
            *first = sum;
        }
        self.order.clear();
        self.order.resize(positions.len(), 0);
        // From the back, so that each tile's begin moves from its end to its begin.
        for (number, &position) in positions.iter().enumerate().rev() {
            let tile = self.tile_of(position);
            let end = &mut self.firsts[tile + 1];
            *end -= 1;
            self.order[*end as usize] = number as u32;
        }
        // Each tile's first now stands one place too far right.
        self.firsts.rotate_left(1);
        if let Some(last) = self.firsts.last_mut() {
            *last = positions.len() as u32;
        }
        self.positions.clear();
        self.positions.extend(self.order.iter().map(|&number| positions[number as usize]));
    }

    /// Calls `visit` with places in [`NearIndex::order`], for each row of tiles: all agents within reach of a position are there.
    #[inline]
    pub(super) fn visit(&self, position: Vector, visit: impl FnMut(Range<usize>)) {
        self.visit_block(position, REACH_TILES, visit);
    }

    /// The same for the nearest tiles only: all agents within [`NearIndex::close_reach`] are there.
    #[inline]
    pub(super) fn visit_close(&self, position: Vector, visit: impl FnMut(Range<usize>)) {
        self.visit_block(position, 1, visit);
    }

    /// How far away those may be whom [`NearIndex::visit_close`] finds all.
    pub(super) fn close_reach(&self) -> f64 {
        self.side
    }

    /// Visits all tiles up to so many away.
    #[inline]
    fn visit_block(&self, position: Vector, away: u32, mut visit: impl FnMut(Range<usize>)) {
        let mask = self.across - 1;
        let [column, row] = self.place_of(position);
        let (first, last) = (column.wrapping_sub(away) & mask, column.wrapping_add(away) & mask);
        for y in 0..=2 * away {
            let row = (row.wrapping_add(y).wrapping_sub(away) & mask) * self.across;
            let mut part = |first: u32, last: u32| {
                let (first, end) = ((row + first) as usize, (row + last) as usize + 1);
                visit(self.firsts[first] as usize..self.firsts[end] as usize);
            };
            if first <= last {
                part(first, last);
            } else {
                part(first, mask);
                part(0, last);
            }
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        (self.firsts.capacity() + self.order.capacity()) * size_of::<u32>()
            + self.positions.capacity() * size_of::<Vector>()
    }

    /// Where they are, in the order of [`NearIndex::order`].
    pub(super) fn positions(&self) -> &[Vector] {
        &self.positions
    }

    /// All agents, neighbours in the plane mostly next to each other.
    pub(super) fn order(&self) -> &[u32] {
        &self.order
    }

    #[inline]
    fn place_of(&self, position: Vector) -> [u32; 2] {
        // Positions lie inside a map; whatever else is there gets some tile.
        [(position.x / self.side) as i64 as u32, (position.y / self.side) as i64 as u32]
    }

    #[inline]
    fn tile_of(&self, position: Vector) -> usize {
        let mask = self.across - 1;
        let [column, row] = self.place_of(position);
        ((row & mask) * self.across + (column & mask)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_within_reach_is_found_once() {
        let mut seed = 7_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as f64 / (1_u64 << 31) as f64
        };
        let mut index = NearIndex::default();
        for count in [0, 1, 3, 50, 700] {
            for size in [2.0, 30.0, 400.0] {
                let positions: Vec<Vector> =
                    (0..count).map(|_| Vector::new(random() * size, random() * size)).collect();
                index.make(&positions, 2.5);
                let mut all: Vec<u32> = index.order().to_vec();
                all.sort_unstable();
                assert!(all.into_iter().eq(0..count));
                for &position in &positions {
                    let is_near = |other: usize| (positions[other] - position).length() <= 2.5;
                    let mut found = Vec::new();
                    index.visit(position, |places| {
                        let agents = index.order()[places].iter().map(|&agent| agent as usize);
                        found.extend(agents.filter(|&agent| is_near(agent)));
                    });
                    found.sort_unstable();
                    assert!(found.into_iter().eq((0..positions.len()).filter(|&at| is_near(at))));
                    let is_close = |other: usize| {
                        (positions[other] - position).length() <= index.close_reach()
                    };
                    let mut close = Vec::new();
                    index.visit_close(position, |places| {
                        assert!(places.clone().all(|place| {
                            index.positions()[place] == positions[index.order()[place] as usize]
                        }));
                        let agents = index.order()[places].iter().map(|&agent| agent as usize);
                        close.extend(agents.filter(|&agent| is_close(agent)));
                    });
                    close.sort_unstable();
                    assert!(close.into_iter().eq((0..positions.len()).filter(|&at| is_close(at))));
                }
            }
        }
    }
}
