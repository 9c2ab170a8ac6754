//! Saved indexes: bytes out and in.
//!
//! ```text
//!   8 bytes   "HIGHROAD"
//!   4         what is saved: 1 a subgoal graph, 2 a contraction hierarchy, 3 an
//!             abstraction by cliques, 4 hub labels, 5 a contraction hierarchy of a graph
//!   4         version of the format
//!   8         a fingerprint: of a grid its map, profile, rule, step costs and surcharges, of a graph its edges
//!   …         lists: 8 bytes for how many words of 32 bits, then the words
//!   8         a hash of everything before
//! ```
//!
//! All numbers are little-endian. A reader checks, in this order: that it is an index, of the right kind
//! and version, whole (the hash), of this grid; then that each list is no longer than the bytes that are
//! left, before it takes memory; then that numbers refer to things that are there, and that every way of which an
//! index puts paths together can be walked in this grid or graph and costs what the index says.
//!
//! So whoever made the bytes: loading takes memory in proportion to the bytes and the map, no query on a loaded
//! index panics or runs without end, and every path that it returns is valid and costs what it says. What is *not*
//! checked is that nothing is missing: an index that somebody has forged may return paths that are not shortest, or
//! find none where there is one. Load indexes of unknown origin only where that does no harm.
//!
//! For abstractions by cliques (3) the promise that every path is valid has not been tested with forged bytes: load them
//! only from a trusted origin.

use crate::environment::StableHash;
use thiserror::Error;

const MAGIC: [u8; 8] = *b"HIGHROAD";
const VERSION: u32 = 2;
const HEADER_BYTES: usize = 24;
const HASH_BYTES: usize = 8;

/// What is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Subgoals = 1,
    Hierarchy = 2,
    Cliques = 3,
    Labels = 4,
    GraphHierarchy = 5,
}

/// Why a saved index cannot be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The bytes are no saved index.
    #[error("these bytes are no saved index: they do not begin with HIGHROAD")]
    NotAnIndex,
    /// Another kind of index.
    #[error("the file holds another kind of index: number {found}, not {expected}")]
    OtherKind {
        /// What the file says.
        found: u32,
        /// What was asked for.
        expected: u32,
    },
    /// Another version of the format.
    #[error("the file is of version {found}; this program reads version {VERSION}")]
    OtherVersion {
        /// What the file says.
        found: u32,
    },
    /// Bytes are missing or have changed.
    #[error("the file of {bytes} bytes is cut short or damaged: its hash does not fit")]
    Damaged {
        /// How many bytes there are.
        bytes: usize,
    },
    /// The index is of another map, profile or rule, of another graph, or of this one before an edit.
    #[error("the index is of another map, profile or rule, or of another graph")]
    OtherGrid,
    /// The content makes no sense, though its hash fits.
    #[error("the file's {what} make no sense (near byte {at})")]
    Malformed {
        /// Which part.
        what: &'static str,
        /// Where.
        at: usize,
    },
}

/// Puts bytes together.
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn new(kind: Kind, fingerprint: u64) -> Self {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((kind as u32).to_le_bytes());
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(fingerprint.to_le_bytes());
        Self(bytes)
    }

    /// A list of words.
    pub(crate) fn list(&mut self, words: impl ExactSizeIterator<Item = u32>) {
        self.0.extend((words.len() as u64).to_le_bytes());
        self.0.reserve(words.len() * 4);
        words.for_each(|word| self.0.extend(word.to_le_bytes()));
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        let mut hash = StableHash::new();
        hash.mix_bytes(&self.0);
        self.0.extend(hash.value().to_le_bytes());
        self.0
    }
}

/// Takes bytes apart.
pub(crate) struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    /// Checks everything that can be checked before the lists are read.
    pub(crate) fn new(
        bytes: &'b [u8],
        kind: Kind,
        fingerprint: impl FnOnce() -> u64,
    ) -> Result<Self, LoadError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(LoadError::NotAnIndex);
        }
        let damaged = LoadError::Damaged { bytes: bytes.len() };
        let Some(end) = bytes.len().checked_sub(HASH_BYTES).filter(|&end| end >= HEADER_BYTES)
        else {
            return Err(damaged);
        };
        let number =
            |at: usize| bytes[at..].first_chunk().map_or(0, |&four| u32::from_le_bytes(four));
        let wide =
            |at: usize| bytes[at..].first_chunk().map_or(0, |&eight| u64::from_le_bytes(eight));
        if number(12) != VERSION {
            return Err(LoadError::OtherVersion { found: number(12) });
        }
        if number(8) != kind as u32 {
            return Err(LoadError::OtherKind { found: number(8), expected: kind as u32 });
        }
        let mut hash = StableHash::new();
        hash.mix_bytes(&bytes[..end]);
        if wide(end) != hash.value() {
            return Err(damaged);
        }
        if wide(16) != fingerprint() {
            return Err(LoadError::OtherGrid);
        }
        Ok(Self { bytes: &bytes[..end], at: HEADER_BYTES })
    }

    pub(crate) fn malformed(&self, what: &'static str) -> LoadError {
        LoadError::Malformed { what, at: self.at }
    }

    /// A list whose words come in groups of `N`.
    pub(crate) fn list<const N: usize>(
        &mut self,
        what: &'static str,
    ) -> Result<impl ExactSizeIterator<Item = [u32; N]> + use<'b, N>, LoadError> {
        let left = &self.bytes[self.at..];
        let Some((&count, left)) = left.split_first_chunk() else {
            return Err(self.malformed(what));
        };
        let count = u64::from_le_bytes(count);
        if count % N as u64 != 0 || count > left.len() as u64 / 4 {
            return Err(self.malformed(what));
        }
        let bytes = &left[..count as usize * 4];
        self.at += 8 + bytes.len();
        let words = bytes.as_chunks::<4>().0;
        let groups = words.as_chunks::<N>().0.iter();
        Ok(groups.map(|group| group.map(u32::from_le_bytes)))
    }

    /// Checks that nothing is left.
    pub(crate) fn finish(self) -> Result<(), LoadError> {
        if self.at == self.bytes.len() { Ok(()) } else { Err(self.malformed("last bytes")) }
    }
}

/// Checks that a list says where others begin: from 0, never falling, to their end.
pub(crate) fn are_beginnings(first: &[u32], end: usize) -> bool {
    first.first() == Some(&0)
        && first.is_sorted()
        && first.last().is_some_and(|&last| last as usize == end)
}
