//! How the open parts of four by four blocks join inside a larger block.

use super::leaf::{EAST, NORTH, SOUTH, WEST};

/// Children of a block in a row and in a column, and the logarithm of that.
pub(super) const FAN: u32 = 1 << FAN_BITS;
pub(super) const FAN_BITS: u32 = 2;
pub(super) const CHILDREN: usize = (FAN * FAN) as usize;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Joint {
    /// Where the open parts of each child begin in `joined`, and where the last end.
    pub(super) first: [u32; CHILDREN + 1],
    /// The block's part of each child's open part. Open parts of the block come first.
    pub(super) joined: Box<[u32]>,
    /// The sides that each open part of the block touches.
    pub(super) sides: Box<[u8]>,
}

impl Joint {
    /// Numbers the sets of children's parts. `sides` are those of its child that each of them touches.
    pub(super) fn new(
        first: [u32; CHILDREN + 1],
        sets: &mut [u32],
        sides: impl Fn(usize, u32) -> u8,
    ) -> Self {
        const UNKNOWN: u32 = u32::MAX;
        let mut touched = vec![0u8; sets.len()];
        for child in 0..CHILDREN {
            let outer = outer_sides(child);
            for part in first[child]..first[child + 1] {
                let root = find(sets, part) as usize;
                touched[root] |= sides(child, part - first[child]) & outer;
            }
        }
        let mut joined = vec![UNKNOWN; sets.len()];
        let mut open: Vec<u8> = Vec::new();
        let mut count = 0;
        for is_open in [true, false] {
            for part in 0..sets.len() {
                let root = find(sets, part as u32) as usize;
                if (touched[root] != 0) != is_open {
                    continue;
                }
                if joined[root] == UNKNOWN {
                    joined[root] = count;
                    count += 1;
                    if is_open {
                        open.push(touched[root]);
                    }
                }
                joined[part] = joined[root];
            }
        }
        Self { first, joined: joined.into(), sides: open.into() }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.joined.len() * size_of::<u32>() + self.sides.len()
    }
}

/// The sides that a child shares with its block.
fn outer_sides(child: usize) -> u8 {
    let (x, y) = (child as u32 % FAN, child as u32 / FAN);
    let side = |is_outer: bool, side: u8| if is_outer { side } else { 0 };
    side(y == 0, NORTH) | side(x == FAN - 1, EAST) | side(y == FAN - 1, SOUTH) | side(x == 0, WEST)
}

/// Joins two sets.
pub(super) fn unite(sets: &mut [u32], a: u32, b: u32) {
    let (a, b) = (find(sets, a), find(sets, b));
    sets[a.max(b) as usize] = a.min(b);
}

/// The smallest member of a set; the way to it gets shorter.
fn find(sets: &mut [u32], mut at: u32) -> u32 {
    while sets[at as usize] != at {
        sets[at as usize] = sets[sets[at as usize] as usize];
        at = sets[at as usize];
    }
    at
}
