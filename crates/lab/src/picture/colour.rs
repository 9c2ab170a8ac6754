//! Colours that can be told apart without seeing red or green.

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

#[allow(missing_docs)]
impl Colour {
    pub const WALL: Self = Self(38, 44, 56);
    pub const TREES: Self = Self(52, 72, 62);
    pub const GROUND: Self = Self(244, 243, 239);
    pub const SWAMP: Self = Self(188, 203, 164);
    pub const WATER: Self = Self(150, 186, 214);
    pub const OPEN: Self = Self(160, 214, 250);
    pub const PATH: Self = Self(240, 120, 20);
    pub const OUTLINE: Self = Self(30, 30, 34);
    pub const START: Self = Self(30, 160, 90);
    pub const GOAL: Self = Self(205, 40, 60);
}

/// Eight stops of a perceptual ramp from violet to yellow, as in viridis.
const RAMP: [Colour; 8] = [
    Colour(72, 33, 115),
    Colour(67, 62, 133),
    Colour(56, 88, 140),
    Colour(45, 112, 142),
    Colour(37, 133, 142),
    Colour(45, 178, 125),
    Colour(133, 213, 74),
    Colour(236, 229, 27),
];

impl Colour {
    /// The ramp from 0, violet, to 1, yellow.
    pub fn ramp(share: f32) -> Self {
        let at = share.clamp(0.0, 1.0) * (RAMP.len() - 1) as f32;
        let low = (at as usize).min(RAMP.len() - 2);
        RAMP[low].blend(RAMP[low + 1], at - low as f32)
    }

    /// Ground from cheap, 0, to dear, 1.
    pub fn ground(share: f32) -> Self {
        Self::GROUND.blend(Self(120, 96, 74), share)
    }

    /// This colour with that share of another.
    pub fn blend(self, other: Self, share: f32) -> Self {
        let mix =
            |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share).round() as u8;
        Self(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }

    /// The mean of some colours.
    pub fn mean(colours: impl Iterator<Item = Self>) -> Self {
        let (mut sum, mut count) = ([0u32; 3], 0);
        for Self(red, green, blue) in colours {
            sum = [sum[0] + u32::from(red), sum[1] + u32::from(green), sum[2] + u32::from(blue)];
            count += 1;
        }
        let [red, green, blue] = sum.map(|channel| (channel / count.max(1)) as u8);
        Self(red, green, blue)
    }
}
