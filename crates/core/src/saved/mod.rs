//! Saved indexes, worlds and simulations: bytes out and in.
//!
//! ```text
//!   8 bytes   "HIGHROAD"
//!   4         what is saved: 1 a subgoal graph, 2 a contraction hierarchy, 3 an
//!             abstraction by cliques, 4 hub labels, 5 a contraction hierarchy of a graph,
//!             6 a world of a grid, 7 a simulation, 8 a world of a graph, 9 labels of corners,
//!             10 a world of a mesh
//!   4         version of the format
//!   8         a fingerprint: of a grid its map, movement and surcharges, of a graph its edges, of a mesh its polygons; 0 for worlds and
//!             simulations
//!   …         lists: 8 bytes for how many words of 32 bits, then the words; worlds and simulations also have
//!             single values and lists of bytes
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
//! Abstractions by cliques (3) are compared with the grid group by group and link by link, as after an edit.

mod encode;

#[doc(hidden)]
pub use encode::Encode;
pub(crate) use encode::{encoded_enum, encoded_struct};

use crate::environment::StableHash;
use thiserror::Error;

const MAGIC: [u8; 8] = *b"HIGHROAD";
const VERSION: u32 = 4;
const HEADER_BYTES: usize = 24;
const HASH_BYTES: usize = 8;

/// What is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
#[allow(missing_docs)]
pub enum Kind {
    Subgoals = 1,
    Hierarchy = 2,
    Cliques = 3,
    Labels = 4,
    GraphHierarchy = 5,
    World = 6,
    Simulation = 7,
    GraphWorld = 8,
    CornerLabels = 9,
    MeshWorld = 10,
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
        /// The byte near which it is.
        at: usize,
    },
}

/// Puts bytes together.
#[doc(hidden)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// With the header of such a file.
    pub fn new(kind: Kind, fingerprint: u64) -> Self {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((kind as u32).to_le_bytes());
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(fingerprint.to_le_bytes());
        Self(bytes)
    }

    /// A list of words.
    pub fn list(&mut self, words: impl ExactSizeIterator<Item = u32>) {
        self.0.extend((words.len() as u64).to_le_bytes());
        self.0.reserve(words.len() * 4);
        words.for_each(|word| self.0.extend(word.to_le_bytes()));
    }

    /// Bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// How many bytes there are, and the bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.raw(&(bytes.len() as u64).to_le_bytes());
        self.raw(bytes);
    }

    /// All bytes, with a hash of them at the end.
    pub fn finish(mut self) -> Vec<u8> {
        let mut hash = StableHash::new();
        hash.mix_bytes(&self.0);
        self.0.extend(hash.value().to_le_bytes());
        self.0
    }
}

/// Takes bytes apart.
#[doc(hidden)]
pub struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    /// Checks everything that can be checked before the lists are read.
    pub fn new(
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

    /// The next bytes, so many as an array has.
    pub fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], LoadError> {
        let Some(&array) = self.bytes[self.at..].first_chunk() else {
            return Err(self.malformed(what));
        };
        self.at += N;
        Ok(array)
    }

    /// What [`Writer::bytes`] has written.
    pub fn bytes(&mut self, what: &'static str) -> Result<&'b [u8], LoadError> {
        let count = u64::from_le_bytes(self.array(what)?);
        if count > self.left() as u64 {
            return Err(self.malformed(what));
        }
        let bytes = &self.bytes[self.at..][..count as usize];
        self.at += bytes.len();
        Ok(bytes)
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The error of content that makes no sense.
    pub fn malformed(&self, what: &'static str) -> LoadError {
        LoadError::Malformed { what, at: self.at }
    }

    /// A list whose words come in groups of `N`.
    pub fn list<const N: usize>(
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
    pub fn finish(self) -> Result<(), LoadError> {
        if self.at == self.bytes.len() { Ok(()) } else { Err(self.malformed("last bytes")) }
    }
}

/// Checks that a list says where others begin: from 0, never falling, to their end.
pub(crate) fn are_beginnings(first: &[u32], end: usize) -> bool {
    first.first() == Some(&0)
        && first.is_sorted()
        && first.last().is_some_and(|&last| last as usize == end)
}
