//! A hash that is the same on every machine: what saved indexes are checked by.

/// A hash of 64 bits, the same on every machine: words are mixed in one after the other.
///
/// Not proof against someone who wants two things to look alike; two that merely differ have the same
/// hash once in 2⁶⁴ times.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StableHash(u64);

impl StableHash {
    pub(crate) fn new() -> Self {
        Self(0x9E37_79B9_7F4A_7C15)
    }

    #[inline]
    pub(crate) fn mix(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        self.0 = mixed ^ mixed >> 32;
    }

    /// Mixes in bytes, and how many there are.
    pub(crate) fn mix_bytes(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|&word| self.mix(u64::from_le_bytes(word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.mix(u64::from_le_bytes(last));
        self.mix(bytes.len() as u64);
    }

    pub(crate) fn value(self) -> u64 {
        self.0
    }
}
