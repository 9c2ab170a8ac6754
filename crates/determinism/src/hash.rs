//! A hash that is the same everywhere: FNV-1a, of 64 bits.

use crate::Part;
use highroad::Path;
use highroad::environment::NodeId;
use highroad::grid::Cell;
use highroad::planner::Answer;

#[derive(Clone, Copy)]
pub(crate) struct Hash {
    value: u64,
    items: u64,
}

impl Default for Hash {
    fn default() -> Self {
        Self { value: 0xCBF2_9CE4_8422_2325, items: 0 }
    }
}

/// What paths go over, as a number.
pub(crate) trait Place: Copy {
    fn number(self) -> u64;
}

impl Place for Cell {
    fn number(self) -> u64 {
        u64::from(self.x) << 32 | u64::from(self.y)
    }
}

impl Place for NodeId {
    fn number(self) -> u64 {
        u64::from(self.0)
    }
}

impl Hash {
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.value = (self.value ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
        self.items += 1;
    }

    pub(crate) fn word(&mut self, word: u64) {
        self.bytes(&word.to_le_bytes());
    }

    pub(crate) fn path<P: Place>(&mut self, path: &Path<P>) {
        self.word(path.cost().0);
        path.places().iter().for_each(|&place| self.word(place.number()));
    }

    pub(crate) fn answer<P: Place>(&mut self, answer: &Answer<P>) {
        let (kind, path) = match answer {
            Answer::Found(path) => (0, path),
            Answer::Unreachable { nearest } => (1, nearest),
            Answer::LimitReached { nearest } => (2, nearest),
        };
        self.word(kind);
        self.path(path);
    }

    /// Anything that can be written out.
    pub(crate) fn text(&mut self, what: &impl std::fmt::Debug) {
        self.bytes(format!("{what:?}").as_bytes());
    }

    pub(crate) fn value(self) -> u64 {
        self.value
    }

    pub(crate) fn part(self, name: impl Into<String>) -> Part {
        Part { name: name.into(), items: self.items, hash: self.value }
    }
}

/// Numbers that look random: SplitMix64.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ mixed >> 31) % end
    }
}
