//! Numbers for states, in the order in which they are found.

use crate::space::NodeId;
use std::hash::{Hash, Hasher};

/// States and a table that finds their numbers: open addressing, at most half full. Nothing is ever taken
/// out.
///
/// PERF: a slot holds a number and 32 bits of the hash, so that a look at a state that is not the one asked for
/// is rare. States that differ only in the low bits of their last two words, as neighbours on a grid do, lie
/// in the same sixteen slots: with slots anywhere, waiting for memory was half of all time
/// (`perf record`, A* on an implicit grid of 1024 × 1024).
pub(super) struct States<T> {
    list: Vec<T>,
    slots: Vec<Slot>,
    full: bool,
}

#[derive(Clone, Copy)]
struct Slot {
    tag: u32,
    number: u32,
}

/// From an occupied slot to the next one tried: past the sixteen, so that neighbours which find theirs taken
/// move on together, and odd, so that every slot is tried.
const STEP: usize = 17;

const EMPTY: Slot = Slot { tag: 0, number: u32::MAX };

impl<T: Eq + Hash> States<T> {
    pub(super) fn new() -> Self {
        Self { list: Vec::new(), slots: vec![EMPTY; 1 << 12], full: false }
    }

    /// Forgets all states and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.full = false;
        if self.list.len() > self.slots.len() / 16 {
            self.slots.fill(EMPTY);
        } else {
            // Few slots are taken: each state gives back its own.
            let mask = self.slots.len() - 1;
            for (number, state) in (0..).zip(&self.list) {
                let mut at = hash_of(state).0 & mask;
                // Every state has a slot; those before it on its way may be empty by now.
                for _ in 0..=mask {
                    if self.slots[at].number == number {
                        self.slots[at] = EMPTY;
                        break;
                    }
                    at = (at + STEP) & mask;
                }
            }
        }
        self.list.clear();
    }

    /// Bytes held by numbers and by the states themselves, without what states own elsewhere.
    pub(super) fn memory_bytes(&self) -> usize {
        self.list.capacity() * size_of::<T>() + self.slots.capacity() * size_of::<Slot>()
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether a state was turned away because there are no more numbers.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    #[inline]
    pub(super) fn of(&self, node: NodeId) -> &T {
        &self.list[node.index()]
    }

    pub(super) fn list(&self) -> &[T] {
        &self.list
    }

    /// The number of a state, new or known.
    #[inline]
    pub(super) fn number(&mut self, state: T) -> Option<NodeId> {
        if self.list.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let (place, tag) = hash_of(&state);
        let mask = self.slots.len() - 1;
        let mut at = place & mask;
        loop {
            let slot = self.slots[at];
            if slot.number == EMPTY.number {
                break;
            }
            if slot.tag == tag && self.list[slot.number as usize] == state {
                return Some(NodeId(slot.number));
            }
            at = (at + STEP) & mask;
        }
        let number = self.list.len() as u32;
        if self.list.len() >= EMPTY.number as usize {
            self.full = true;
            return None;
        }
        self.slots[at] = Slot { tag, number };
        self.list.push(state);
        Some(NodeId(number))
    }

    /// Twice as many slots, or more while there are few.
    #[cold]
    fn grow(&mut self) {
        let count = if self.slots.len() < 1 << 16 { 4 } else { 2 } * self.slots.len();
        let mask = count - 1;
        self.slots.clear();
        self.slots.resize(count, EMPTY);
        for (number, state) in (0..).zip(&self.list) {
            let (place, tag) = hash_of(state);
            let mut at = place & mask;
            while self.slots[at].number != EMPTY.number {
                at = (at + STEP) & mask;
            }
            self.slots[at] = Slot { tag, number };
        }
    }
}

/// Where to look for a state first, and its tag.
#[inline]
fn hash_of<T: Hash>(state: &T) -> (usize, u32) {
    let mut mixer = Mixer::default();
    state.hash(&mut mixer);
    // The upper bits of a product are the well mixed ones.
    let block = (mixer.mixed >> 28) as usize;
    (block << 4 | (mixer.low & 15) as usize, mixer.finish() as u32)
}

/// Mixes words by multiplication, and keeps the low bits of the last two apart. The same on every machine,
/// quick for small states, and no shield against someone who chooses states in order to collide.
#[derive(Default)]
struct Mixer {
    mixed: u64,
    low: u64,
}

impl Mixer {
    #[inline]
    fn add(&mut self, word: u64) {
        self.low = self.low << 2 | word & 3;
        // An odd number with its bits spread: 2⁶⁴ divided by the golden ratio.
        self.mixed = (self.mixed.rotate_left(23) ^ word >> 2).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Mixer {
    #[inline]
    fn finish(&self) -> u64 {
        (self.mixed ^ self.low).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 16
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            self.add(u64::from_le_bytes(chunk.try_into().unwrap_or_default()));
        }
        let rest = chunks.remainder();
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.add(u64::from_le_bytes(last));
        }
    }

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.add(u64::from(number));
    }

    #[inline]
    fn write_u16(&mut self, number: u16) {
        self.add(u64::from(number));
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.add(u64::from(number));
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_keep_their_numbers_while_the_table_grows() {
        let mut states = States::new();
        for round in 0..2 {
            for value in 0..5000u64 {
                // Words that differ in their upper bits only, and equal prefixes.
                let number = states.number((value << 40, vec![1u8; value as usize % 11]));
                assert_eq!(number, Some(NodeId(value as u32)), "round {round}");
            }
        }
        assert_eq!((states.len(), states.is_full()), (5000, false));
        // Cleared slot by slot, and all at once.
        for count in [100u64, 4000, 30] {
            states.clear();
            for value in (0..count).rev() {
                let number = states.number((value << 40, vec![1u8; value as usize % 11]));
                assert_eq!(number, Some(NodeId((count - 1 - value) as u32)), "{count}");
            }
            assert_eq!(states.len(), count as usize);
        }
        states.clear();
        for value in 0..5000u64 {
            states.number((value << 40, vec![1u8; value as usize % 11]));
        }
        assert_eq!(states.of(NodeId(7)).0, 7 << 40);
    }
}
