//! Colours that can be distinguished without seeing red or green.

use highroad_core::{Footprint, Palette, Shape, SketchLayer, Terrain};

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
    pub const ABSTRACT: Self = Self(128, 74, 200);
    pub const TREE: Self = Self(60, 110, 170);
    pub const AGENT: Self = Self(250, 204, 40);
    pub const TRAIL: Self = Self(206, 80, 170);
}

/// Light or dark: what ground and walls look like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Theme {
    /// Dark walls on light ground.
    #[default]
    Light,
    /// Near-black walls on dark grey ground.
    Dark,
}

impl Theme {
    /// The colour of a terrain on maps of that palette.
    pub fn terrain(self, terrain: Terrain, palette: Palette) -> Colour {
        let light = match (terrain.letter(), palette) {
            (letter @ b'A'..=b'P', Palette::Weighted) => {
                Colour::ground(f32::from(letter - b'A') / 15.0)
            }
            (b'.' | b'G', _) => Colour::GROUND,
            (b'S', _) => Colour::SWAMP,
            (b'W', _) => Colour::WATER,
            (b'T', _) => Colour::TREES,
            _ => Colour::WALL,
        };
        match (self, light) {
            (Self::Light, light) => light,
            (Self::Dark, Colour::WALL) => Colour(17, 18, 22),
            (Self::Dark, Colour::TREES) => Colour(24, 42, 34),
            (Self::Dark, Colour::GROUND) => Colour(66, 70, 79),
            (Self::Dark, Colour::SWAMP) => Colour(78, 92, 58),
            (Self::Dark, Colour::WATER) => Colour(46, 80, 110),
            (Self::Dark, ground) => ground.blend(Colour(20, 20, 24), 0.55),
        }
    }

    /// What lies beyond the map's edge.
    pub fn beyond(self) -> Colour {
        match self {
            Self::Light => Colour(222, 223, 226),
            Self::Dark => Colour(30, 31, 36),
        }
    }

    /// The edge around marks.
    pub fn outline(self) -> Colour {
        match self {
            Self::Light => Colour::OUTLINE,
            Self::Dark => Colour(248, 248, 250),
        }
    }

    /// Lines between cells.
    pub fn grid_lines(self) -> Colour {
        match self {
            Self::Light => Colour(120, 124, 132),
            Self::Dark => Colour(140, 144, 152),
        }
    }

    /// Around the outline, so that marks stand out from walls, too.
    pub fn halo(self) -> Colour {
        match self {
            Self::Light => Colour(248, 248, 250),
            Self::Dark => Colour::OUTLINE,
        }
    }

    /// Borders between cells that are closed, or open one way.
    pub fn border(self) -> Colour {
        match self {
            Self::Light => Colour(150, 40, 24),
            Self::Dark => Colour(255, 140, 110),
        }
    }

    /// Links between cells: without a hue, since every other line has one.
    pub fn link(self) -> Colour {
        match self {
            Self::Light => Colour(24, 26, 32),
            Self::Dark => Colour(246, 247, 250),
        }
    }

    /// The shortest-path tree.
    pub fn tree(self) -> Colour {
        match self {
            Self::Light => Colour(24, 60, 110),
            Self::Dark => Colour(210, 228, 255),
        }
    }
}

/// The colour of a planner's layer: each concept has a hue of its own, whatever planner draws it. Where colours are hard to
/// tell apart, shapes differ: parts are boxes, nodes are dots, edges are thin lines, an abstract path is a chain.
pub fn layer_colour(theme: Theme, layer: &SketchLayer) -> Colour {
    let (light, dark) = match (&layer.shape, layer.info.name) {
        (_, "entrances") => (Colour(0, 140, 158), Colour(86, 214, 228)),
        // Parts that a map is cut into: slate.
        (Shape::Rectangles(_), _) => (Colour(84, 98, 122), Colour(166, 180, 204)),
        // Nodes: blue.
        (Shape::Points(_), _) => (Colour(30, 84, 196), Colour(120, 168, 255)),
        // An abstract path: magenta.
        (Shape::Chain(_), _) => (Colour(190, 24, 132), Colour(255, 110, 196)),
        // Edges: violet.
        _ => (Colour::ABSTRACT, Colour(182, 144, 255)),
    };
    match theme {
        Theme::Light => light,
        Theme::Dark => dark,
    }
}

/// The name of the layer that says how much room there is.
pub const CLEARANCE: &str = "clearance";

/// The colour of a region of a layer, by its number: room for agents is a scale, other numbers mean nothing.
pub fn region_colour(layer: &str, number: u32) -> Colour {
    match layer {
        CLEARANCE => {
            let most = f32::from(Footprint::SIZE_MAX) - 1.0;
            Colour::ramp(number as f32 / most)
        }
        _ => Colour::group(number),
    }
}

/// A colour and how much it covers, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ink {
    /// The colour.
    pub colour: Colour,
    /// How much it covers.
    pub opacity: f32,
}

impl Colour {
    /// This colour, covering so much.
    pub fn at(self, opacity: f32) -> Ink {
        Ink { colour: self, opacity: opacity.clamp(0.0, 1.0) }
    }

    /// A colour for the group of that number: neighbours in number differ much (steps of the golden
    /// angle around the colour circle, in three shades).
    pub fn group(number: u32) -> Self {
        let hue = (number as f32 * 0.618_034).fract() * 6.0;
        let (saturation, value) = [(0.55, 0.95), (0.8, 0.75), (0.4, 0.7)][number as usize % 3];
        let channel = |shift: f32| {
            let at = (hue + shift) % 6.0;
            let share = (at.min(4.0 - at)).clamp(0.0, 1.0);
            ((value - value * saturation * share) * 255.0).round() as u8
        };
        Self(channel(5.0), channel(3.0), channel(1.0))
    }
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

    /// Ground from cheap, 0, to costly, 1.
    pub fn ground(share: f32) -> Self {
        Self::GROUND.blend(Self(120, 96, 74), share)
    }

    /// This colour with that share of another.
    pub fn blend(self, other: Self, share: f32) -> Self {
        let mix =
            |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share).round() as u8;
        Self(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }

    /// Black or white, whichever can be read on this colour.
    pub fn ink(self) -> Self {
        let light = 0.3 * f32::from(self.0) + 0.59 * f32::from(self.1) + 0.11 * f32::from(self.2);
        if light > 130.0 { Self(16, 18, 24) } else { Self(248, 248, 250) }
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
