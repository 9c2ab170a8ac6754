//! Caves: smoothed noise.
//!
//! Johnson, Yannakakis and Togelius, "Cellular automata for real-time generation of infinite cave
//! levels", 2010: begin with random walls, then, some times over, let every cell become what most
//! of the nine cells around it are. Here the outside counts as wall, and the parts that come about
//! are joined: see [`join_parts`].

use super::Random;
use super::parts::join_parts;
use super::walls::Walls;
use super::work::{Made, Work};
use highroad::grid::Extent;

/// Draws the noise, one draw a cell, row by row; what follows is no matter of chance.
pub(super) fn generate(
    extent: Extent,
    noise_percent: u32,
    steps: u32,
    joined: bool,
    random: &mut Random,
    work: &mut Work<'_, '_>,
) -> Made<Walls> {
    let mut walls = Walls::noise(extent, noise_percent, random, work)?;
    for _ in 0..steps {
        smooth(&mut walls);
        work.row()?;
    }
    if joined {
        join_parts(&mut walls, work)?;
    }
    Ok(walls)
}

/// Makes every cell a wall of whose nine cells around, itself among them, five or more are walls.
///
/// PERF: counts 64 cells at once, in binary digits kept in a word each, and works in place but for
/// copies of three rows. On one core of an AMD EPYC, 16,384 × 16,384 cells take 25 ms a step: the
/// difference between `caves width=16384 height=16384 noise=45 steps=100 joined=yes seed=1`, 4.8 s,
/// and the same with 5 steps, 2.5 s.
fn smooth(walls: &mut Walls) {
    let height = walls.extent().height();
    let mut above = vec![u64::MAX; walls.row(0).len()];
    let mut here = above.clone();
    let mut below = walls.row(0).to_vec();
    for y in 0..height {
        // The rows move up by one: `above` and `here` as they were before this step.
        std::mem::swap(&mut above, &mut here);
        std::mem::swap(&mut here, &mut below);
        if y + 1 < height {
            below.copy_from_slice(walls.row(y + 1));
        } else {
            below.fill(u64::MAX);
        }
        walls.write_row(y, |word| {
            five_or_more(triple(&above, word), triple(&here, word), triple(&below, word))
        });
    }
}

/// For each cell of a word, how many of it and its neighbours to the left and right are walls:
/// the ones and the twos of the count.
#[inline]
fn triple(row: &[u64], word: usize) -> [u64; 2] {
    let before = if word > 0 { row[word - 1] } else { u64::MAX };
    let after = row.get(word + 1).copied().unwrap_or(u64::MAX);
    let here = row[word];
    add_three(here << 1 | before >> (u64::BITS - 1), here, here >> 1 | after << (u64::BITS - 1))
}

/// Adds three digits of equal weight: the sum's digit, and the carry.
#[inline]
fn add_three(a: u64, b: u64, c: u64) -> [u64; 2] {
    [a ^ b ^ c, a & b | c & (a ^ b)]
}

/// Where three counts of 0 to 3 come to five or more.
#[inline]
fn five_or_more(a: [u64; 2], b: [u64; 2], c: [u64; 2]) -> u64 {
    let [ones, carried_two] = add_three(a[0], b[0], c[0]);
    let [some_twos, carried_four] = add_three(a[1], b[1], c[1]);
    let [twos, other_four] = [some_twos ^ carried_two, some_twos & carried_two];
    let [fours, eights] = [carried_four ^ other_four, carried_four & other_four];
    eights | fours & (twos | ones)
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad::Cell;
    use highroad::planner::Watch;

    #[test]
    fn smoothing_words_is_the_same_as_counting_cells() {
        for (width, height) in [(1, 1), (1, 70), (70, 1), (64, 5), (65, 6), (130, 40)] {
            let extent = Extent::new(width, height).unwrap();
            let mut nobody = Watch::none();
            let work = &mut Work::new(&mut nobody, 0);
            let random = &mut Random::new(width);
            let mut walls = generate(extent, 45, 0, false, random, work).unwrap();
            let before = walls.clone();
            smooth(&mut walls);
            for cell in extent.cells() {
                let count = (0..9u32).filter(|n| {
                    let (x, y) = ((cell.x + n % 3).checked_sub(1), (cell.y + n / 3).checked_sub(1));
                    let inside = x.zip(y).map(Cell::from).filter(|&cell| extent.contains(cell));
                    inside.is_none_or(|cell| before.is_wall(cell))
                });
                assert_eq!(walls.is_wall(cell), count.count() >= 5, "{cell} of {width}×{height}");
            }
        }
    }
}
