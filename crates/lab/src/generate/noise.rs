//! Smooth noise in whole numbers: hills without a single rounding that machines could disagree about.
//!
//! Value noise: a lattice of random heights, between which a smooth step (3t² − 2t³) leads from one to the
//! next; finer lattices are laid over it, each half as wide and half as high. A lattice's heights are a
//! hash of their place, so that no memory grows with the map.

use super::Random;
use super::work::{Made, Work};
use highroad::Cell;
use highroad::grid::Extent;

/// Heights are from 0 to just below this.
pub(super) const HEIGHTS: usize = 1 << 16;

/// Binary digits after the point of a share between two heights.
const SHARE_BITS: u32 = 12;

/// Noise that is asked for row by row.
pub(super) struct Noise {
    octaves: Vec<Octave>,
    weights: u32,
}

/// One lattice.
struct Octave {
    /// Cells between its points.
    period: u32,
    weight: u32,
    salt: u64,
    /// Where the map begins between its points, so that no edge of the map is an edge of the lattice.
    shift: (u32, u32),
    /// How far on from a point each cell of a period is, smoothed.
    shares: Vec<u32>,
    /// The heights of the two rows of points around the last row asked for.
    around: Option<(u32, [Vec<u32>; 2])>,
}

impl Noise {
    /// Noise whose hills are some `period` cells across, with that many finer lattices over the first.
    /// Draws three numbers for each lattice.
    pub(super) fn new(period: u32, finer: u32, random: &mut Random) -> Self {
        let mut octaves = Vec::new();
        let mut weights = 0;
        for octave in 0..=finer {
            let period = (period >> octave).max(1);
            let weight = 1 << (finer - octave);
            let salt = random.next_u64();
            let mut shift = || random.below(u64::from(period)) as u32;
            let shift = (shift(), shift());
            let shares = (0..period).map(|at| smooth_share(at, period)).collect();
            weights += weight;
            octaves.push(Octave { period, weight, salt, shift, shares, around: None });
            if period == 1 {
                break;
            }
        }
        Self { octaves, weights }
    }

    /// The heights of a row of the map.
    pub(super) fn row(&mut self, y: u32, heights: &mut [u32]) {
        heights.fill(0);
        for octave in &mut self.octaves {
            octave.add(y, heights);
        }
        for height in heights {
            *height /= self.weights;
        }
    }
}

/// How far a smooth step has come at `at` of `period`.
fn smooth_share(at: u32, period: u32) -> u32 {
    let t = (u64::from(at) << SHARE_BITS) / u64::from(period);
    ((t * t * ((3 << SHARE_BITS) - 2 * t)) >> (2 * SHARE_BITS)) as u32
}

fn between(a: u32, b: u32, share: u32) -> u32 {
    (a * ((1 << SHARE_BITS) - share) + b * share) >> SHARE_BITS
}

impl Octave {
    fn add(&mut self, y: u32, heights: &mut [u32]) {
        let period = self.period;
        let (line, down) = ((y + self.shift.1) / period, (y + self.shift.1) % period);
        let points = (heights.len() as u32 + self.shift.0) / period + 2;
        if self.around.as_ref().is_none_or(|(known, _)| *known != line) {
            let row = |line: u32| (0..points).map(|x| self.height(x, line)).collect();
            self.around = Some((line, [row(line), row(line + 1)]));
        }
        let Some((_, [above, below])) = &self.around else { return };
        let share = self.shares[down as usize];
        let column: Vec<u32> =
            above.iter().zip(below).map(|(&a, &b)| between(a, b, share)).collect();
        let (mut point, mut across) = (0, self.shift.0);
        for height in heights {
            let share = self.shares[across as usize];
            *height += self.weight * between(column[point], column[point + 1], share);
            across += 1;
            if across == period {
                (point, across) = (point + 1, 0);
            }
        }
    }

    /// The height of a point of the lattice.
    fn height(&self, x: u32, y: u32) -> u32 {
        hash(self.salt, x, y) as u32 % HEIGHTS as u32
    }
}

/// A number for a place, which looks random.
pub(super) fn hash(salt: u64, x: u32, y: u32) -> u64 {
    let place = u64::from(x) << 32 | u64::from(y);
    Random::new(salt ^ place.wrapping_mul(0xd6e8_feb8_6659_fd93)).next_u64() >> 7
}

/// The noise of a map, row by row: first to count its heights, then for the cells.
pub(super) struct Landscape {
    noise: Noise,
    extent: Extent,
    row: Vec<u32>,
}

impl Landscape {
    /// Hills of that size and roughness, and how often each height occurs. Goes over the map once.
    pub(super) fn survey(
        extent: Extent,
        (size, roughness): (u32, u32),
        random: &mut Random,
        work: &mut Work<'_, '_>,
    ) -> Made<(Self, Heights)> {
        let noise = Noise::new(size, roughness, random);
        let mut landscape = Self { noise, extent, row: vec![0; extent.width() as usize] };
        let mut heights = Heights::new();
        landscape.visit(work, |_, height| heights.count(height))?;
        Ok((landscape, heights))
    }

    /// Calls `visit` with each cell and its height, row by row.
    pub(super) fn visit(
        &mut self,
        work: &mut Work<'_, '_>,
        mut visit: impl FnMut(Cell, u32),
    ) -> Made<()> {
        for y in 0..self.extent.height() {
            work.row()?;
            self.noise.row(y, &mut self.row);
            (0..).zip(&self.row).for_each(|(x, &height)| visit(Cell::new(x, y), height));
        }
        Ok(())
    }
}

/// Counts heights, and finds those that a share of them lies below.
pub(super) struct Heights {
    counts: Vec<u64>,
    total: u64,
}

impl Heights {
    pub(super) fn new() -> Self {
        Self { counts: vec![0; HEIGHTS], total: 0 }
    }

    pub(super) fn count(&mut self, height: u32) {
        self.counts[height as usize] += 1;
        self.total += 1;
    }

    /// The height below which as nearly as can be `share` out of `out_of` lie.
    pub(super) fn below(&self, share: u64, out_of: u64) -> u32 {
        let wanted = u128::from(self.total) * u128::from(share) / u128::from(out_of.max(1));
        let mut below = 0;
        for (height, &count) in (0..).zip(&self.counts) {
            if u128::from(below + count) > wanted {
                return height;
            }
            below += count;
        }
        HEIGHTS as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_differ_little_and_far_places_much() {
        let mut noise = Noise::new(32, 0, &mut Random::new(1));
        let mut rows = vec![vec![0; 300]; 100];
        for (y, row) in (0..).zip(&mut rows) {
            noise.row(y, row);
        }
        let all = || rows.iter().flatten().copied();
        assert!(all().all(|height| (height as usize) < HEIGHTS));
        let (low, high) = (all().min().unwrap(), all().max().unwrap());
        assert!(high - low > HEIGHTS as u32 / 2, "{low} to {high}");
        // The steepest place of a smooth step rises by 3/2 of its height in a period.
        let steepest = 3 * HEIGHTS as u32 / (2 * 32) + 64;
        for y in 1..100 {
            for x in 1..300 {
                assert!(rows[y][x].abs_diff(rows[y][x - 1]) < steepest);
                assert!(rows[y][x].abs_diff(rows[y - 1][x]) < steepest);
            }
        }
    }

    #[test]
    fn rows_do_not_depend_on_the_order_in_which_they_are_asked_for() {
        let noise = || Noise::new(9, 4, &mut Random::new(5));
        let (mut forwards, mut backwards) = (noise(), noise());
        let mut first = vec![vec![0; 40]; 30];
        let mut second = first.clone();
        (0..30).for_each(|y| forwards.row(y as u32, &mut first[y]));
        (0..30).rev().for_each(|y| backwards.row(y as u32, &mut second[y]));
        assert_eq!(first, second);
    }

    #[test]
    fn the_height_below_which_a_share_lies() {
        let mut heights = Heights::new();
        (0..1000).for_each(|height| heights.count(height));
        assert_eq!([0, 25, 100].map(|share| heights.below(share, 100)), [0, 250, 65_536]);
        assert_eq!(Heights::new().below(1, 2), 65_536);
    }
}
