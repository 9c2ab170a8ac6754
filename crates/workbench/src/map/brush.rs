//! What is drawn: terrain or heights, with brushes of several sizes.

use super::words::terrain_name;
use highroad::grid::{Batch, Palette};
use highroad::{Cell, CellRect, GridMap, Terrain};

/// Sizes that brushes come in, in cells across.
pub const BRUSH_SIZES: [u32; 6] = [1, 2, 3, 5, 9, 17];

/// Terrains to draw with on maps of that palette, with their names.
pub fn brushes(palette: Palette) -> Vec<(Terrain, String)> {
    let named = |terrain: Terrain| {
        let name = match terrain {
            Terrain::WALL => "wall".to_owned(),
            Terrain::TREES => "trees".to_owned(),
            Terrain::GROUND => "ground".to_owned(),
            Terrain::SWAMP => "swamp".to_owned(),
            Terrain::WATER => "water".to_owned(),
            other => format!("cost {}", other.letter() - b'A' + 1),
        };
        (terrain, name)
    };
    let letters: &[u8] = match palette {
        Palette::Standard => b"@.SWT",
        Palette::Weighted => b"@ABCDEFGHIP",
    };
    letters.iter().filter_map(|&letter| Terrain::from_letter(letter)).map(named).collect()
}

/// Terrains that cost 1 to 9, on maps of any palette.
pub fn cost_brushes() -> impl Iterator<Item = (u8, Terrain)> {
    (1..=9).filter_map(|cost| Some((cost, Terrain::from_letter(b'A' + cost - 1)?)))
}

/// Ground of cost 1 on maps of that palette.
pub(super) fn plain_ground(palette: Palette) -> Terrain {
    match palette {
        Palette::Standard => Terrain::GROUND,
        Palette::Weighted => Terrain::from_letter(b'A').unwrap_or(Terrain::GROUND),
    }
}

/// What a cell gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Terrain.
    Terrain(Terrain),
    /// A height; the terrain stays.
    Height(u16),
}

impl Ink {
    /// Draws the cells of a rectangle.
    pub fn fill(self, rect: CellRect, batch: &mut Batch) {
        match self {
            Self::Terrain(terrain) => batch.fill(rect, terrain),
            Self::Height(height) => batch.height(rect, height),
        };
    }

    /// What a cell has of the same sort.
    pub fn at(self, map: &GridMap, cell: Cell) -> Option<Self> {
        match self {
            Self::Terrain(_) => map.terrain(cell).map(Self::Terrain),
            Self::Height(_) => map.height(cell).map(Self::Height),
        }
    }

    /// What takes its place where it is erased: plain ground, or the height 0.
    pub(super) fn erased(self, palette: Palette) -> Self {
        match self {
            Self::Terrain(_) => Self::Terrain(plain_ground(palette)),
            Self::Height(_) => Self::Height(0),
        }
    }

    /// What it is called in a sentence.
    pub fn name(self) -> String {
        match self {
            Self::Terrain(terrain) => match cost_brushes().find(|(_, known)| *known == terrain) {
                Some((cost, _)) => format!("ground of cost {cost}"),
                None => terrain_name(terrain),
            },
            Self::Height(height) => format!("height {height}"),
        }
    }
}

/// What strokes, lines and rectangles are drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Brush {
    /// What is drawn.
    pub ink: Ink,
    /// How many cells it is across.
    pub size: u32,
    /// The height that is drawn, if heights are.
    pub height: u16,
}

impl Default for Brush {
    fn default() -> Self {
        Self { ink: Ink::Terrain(Terrain::WALL), size: 1, height: 4 }
    }
}
