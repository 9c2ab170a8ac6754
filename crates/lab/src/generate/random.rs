//! Random numbers from a seed.

/// A source of random numbers that gives the same ones for the same seed on every machine.
///
/// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA
/// 2014), with the constants of Vigna's `splitmix64.c`: eight bytes of state, a period of 2⁶⁴, and
/// good enough to pass BigCrush. Not for secrets.
///
/// ```
/// use highroad_lab::generate::Random;
/// let mut random = Random::new(7);
/// let die = 1 + random.below(6);
/// assert!((1..=6).contains(&die));
/// assert_eq!(Random::new(7).next_u64(), Random::new(7).next_u64());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: u64,
    /// Bytes to draw from first, the last one first.
    given: Vec<u8>,
}

impl Random {
    /// The source that begins with `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed, given: Vec::new() }
    }

    /// A source that takes what it draws from bytes, and goes on as [`Random::new`]`(0)` after them. So that a fuzzer
    /// has something to work on, [`Random::below`] takes one byte for a bound up to 256, and eight for larger ones.
    ///
    /// ```
    /// use highroad_lab::generate::Random;
    /// let mut random = Random::of_bytes(&[7, 100]);
    /// assert_eq!([random.below(256), random.below(60)], [7, 40]);
    /// assert_eq!(random.next_u64(), Random::new(0).next_u64());
    /// ```
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self { state: 0, given: bytes.iter().rev().copied().collect() }
    }

    /// The next 64 bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        if !self.given.is_empty() {
            return u64::from_le_bytes([0; 8].map(|_: u8| self.given.pop().unwrap_or(0)));
        }
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, and without, `bound`, each equally likely; 0 if `bound` is 0.
    ///
    /// Lemire, "Fast Random Integer Generation in an Interval", 2019: the upper half of a product,
    /// drawn again in the rare case that would favour some numbers. How many times it draws depends
    /// on nothing but the state and the bound.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        if let Some(drawn) = self.given_below(bound) {
            return drawn;
        }
        let mut product = u128::from(self.next_u64()) * u128::from(bound);
        if (product as u64) < bound {
            let unfair = bound.wrapping_neg() % bound;
            while (product as u64) < unfair {
                product = u128::from(self.next_u64()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }

    /// A number below a bound that is drawn from given bytes.
    fn given_below(&mut self, bound: u64) -> Option<u64> {
        match bound {
            _ if self.given.is_empty() => None,
            0 => Some(0),
            1..=256 => self.given.pop().map(|byte| u64::from(byte) % bound),
            _ => Some(self.next_u64() % bound),
        }
    }

    /// True `hits` times `out_of` on average: never for 0 hits, always for `out_of` or more.
    #[inline]
    pub fn chance(&mut self, hits: u64, out_of: u64) -> bool {
        self.below(out_of) < hits
    }

    /// Puts the items into a random order, each equally likely (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u64 + 1) as usize;
            items.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_reference_implementation() {
        let mut random = Random::new(1_234_567);
        let numbers: [u64; 5] = std::array::from_fn(|_| random.next_u64());
        let reference = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(numbers, reference);
    }

    #[test]
    fn numbers_below_a_bound_are_all_drawn_about_equally_often() {
        let mut random = Random::new(1);
        let mut counts = [0; 7];
        for _ in 0..70_000 {
            counts[random.below(7) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_700..10_300).contains(count)), "{counts:?}");
    }

    #[test]
    fn unfair_draws_are_drawn_again() {
        // Of 2⁶⁴ numbers, a bound of 2⁶³ + 1 can use little more than half.
        let bound = (1 << 63) + 1;
        let mut random = Random::new(2);
        let mut below_half = 0;
        for _ in 0..10_000 {
            let number = random.below(bound);
            assert!(number < bound);
            below_half += u32::from(number < bound / 2);
        }
        assert!((4_800..5_200).contains(&below_half), "{below_half}");
        let mut drawn = 0;
        let mut plain = Random::new(2);
        while plain != random {
            plain.next_u64();
            drawn += 1;
            assert!(drawn < 30_000);
        }
        assert!(drawn > 15_000, "{drawn} draws for 10,000 numbers");
    }

    #[test]
    fn the_ends_of_the_range_are_no_surprise() {
        let mut random = Random::new(3);
        for _ in 0..100 {
            assert_eq!(random.below(0), 0);
            assert_eq!(random.below(1), 0);
            assert!(!random.chance(0, 100));
            assert!(random.chance(100, 100));
            assert!(random.chance(u64::MAX, 1));
        }
    }

    #[test]
    fn a_shuffle_makes_every_order_equally_often() {
        let mut random = Random::new(4);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..24_000 {
            let mut items = [0, 1, 2, 3];
            random.shuffle(&mut items);
            *counts.entry(items).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 24);
        assert!(counts.values().all(|count| (880..1_120).contains(count)), "{counts:?}");
        random.shuffle::<u8>(&mut []);
    }
}
