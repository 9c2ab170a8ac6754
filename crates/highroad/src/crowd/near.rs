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
}

impl NearIndex {
    /// Makes it again, for positions that are asked about up to `reach` around.
    pub(super) fn make(&mut self, positions: &[Vector], reach: f64) {
        self.side = reach.max(1e-3);
        // Two tiles for each agent, and more than the three that are looked at in a row.
        let tiles = (positions.len().max(8) * 2).next_power_of_two();
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
    }

    /// Calls `visit` with places in [`NearIndex::order`], tile by tile: all agents within reach of a position are there.
    #[inline]
    pub(super) fn visit(&self, position: Vector, mut visit: impl FnMut(Range<usize>)) {
        let mask = self.across - 1;
        let [column, row] = self.place_of(position);
        for y in 0..3 {
            let row = (row.wrapping_add(y).wrapping_sub(1) & mask) * self.across;
            for x in 0..3 {
                let tile = (row + (column.wrapping_add(x).wrapping_sub(1) & mask)) as usize;
                visit(self.firsts[tile] as usize..self.firsts[tile + 1] as usize);
            }
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        (self.firsts.capacity() + self.order.capacity()) * size_of::<u32>()
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
                }
            }
        }
    }
}
