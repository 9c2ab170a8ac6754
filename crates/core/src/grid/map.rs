//! The map: one letter a cell, and how its text looked.

use super::cell::{Cell, CellId, Extent, SizeError};
use super::links::{Link, LinkProblem, Links};
use super::pages::Pages;
use super::relief::{Border, BorderSide, Relief};
use super::terrain::{Palette, Terrain};
use super::text::TextStyle;
use std::ops::RangeInclusive;
use std::sync::Arc;
use thiserror::Error;

/// A grid of terrain, up to [`SIDE_MAX`](super::SIDE_MAX) cells a side, one byte a cell; with borders between cells and
/// heights, if it has any.
///
/// Cloning is cheap (pages are shared and copied on write), and a clone stays as it was. A map knows
/// nothing of agents; put it into a [`Grid`](super::Grid) to find paths on it.
///
/// ```
/// use highroad::{Cell, GridMap, Terrain};
/// let mut map: GridMap = "..#.\n....\n".parse()?;
/// assert_eq!((map.extent().width(), map.extent().height()), (4, 2));
/// assert_eq!(map.terrain(Cell::new(2, 0)), Some(Terrain::WALL));
/// map.set(Cell::new(2, 0), Terrain::SWAMP);
/// assert_eq!(map.to_string(), "..S.\n....\n");
/// # Ok::<(), highroad::grid::MapError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GridMap {
    extent: Extent,
    letters: Pages<u8>,
    /// How many cells have each letter.
    counts: [u32; 256],
    pub(super) style: Arc<TextStyle>,
    relief: Relief,
    links: Links,
}

impl GridMap {
    /// A map of one terrain throughout. O(cells). Fails with a [`SizeError`] unless both sides are from 1 to
    /// [`SIDE_MAX`](super::SIDE_MAX).
    pub fn filled(width: u32, height: u32, terrain: Terrain) -> Result<Self, SizeError> {
        let extent = Extent::new(u64::from(width), u64::from(height))?;
        let row = vec![terrain.letter(); width as usize];
        Ok(Self::from_rows(extent, TextStyle::plain(extent), |_| &row))
    }

    /// A map whose cells a function decides, row by row. O(cells). Fails with a [`SizeError`] unless both sides are from 1 to
    /// [`SIDE_MAX`](super::SIDE_MAX).
    ///
    /// ```
    /// use highroad::{GridMap, Terrain};
    /// let map = GridMap::from_fn(5, 2, |cell| if cell.x == 2 { Terrain::WATER } else { Terrain::GROUND })?;
    /// assert_eq!(map.to_string(), "..W..\n..W..\n");
    /// assert_eq!(map.count(Terrain::WATER), 2);
    /// assert_eq!(map.terrains().collect::<Vec<_>>(), [Terrain::GROUND, Terrain::WATER]);
    /// # Ok::<(), highroad::grid::SizeError>(())
    /// ```
    pub fn from_fn(
        width: u32,
        height: u32,
        mut terrain: impl FnMut(Cell) -> Terrain,
    ) -> Result<Self, SizeError> {
        let extent = Extent::new(u64::from(width), u64::from(height))?;
        let mut map = Self::blank(extent, TextStyle::plain(extent));
        let mut row = vec![0; width as usize];
        for y in 0..height {
            for (x, letter) in (0..width).zip(&mut row) {
                *letter = terrain(Cell { x, y }).letter();
            }
            map.write_row(y, &row);
        }
        Ok(map)
    }

    /// A map of the letters in `row(y)`, each row as wide as the extent and of known letters.
    pub(super) fn from_rows<'a>(
        extent: Extent,
        style: TextStyle,
        row: impl Fn(u32) -> &'a [u8],
    ) -> Self {
        let mut map = Self::blank(extent, style);
        for y in 0..extent.height() {
            map.write_row(y, row(y));
        }
        map
    }

    fn blank(extent: Extent, style: TextStyle) -> Self {
        Self {
            extent,
            letters: Pages::new(extent.cell_count()),
            counts: [0; 256],
            style: Arc::new(style),
            relief: Relief::default(),
            links: Links::default(),
        }
    }

    fn write_row(&mut self, y: u32, row: &[u8]) {
        for &letter in row {
            self.counts[usize::from(letter)] += 1;
        }
        let start = self.extent.id_inside(Cell { x: 0, y });
        self.letters.write(start.index(), row);
    }

    /// Columns and rows.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// The terrain of a cell; `None` outside.
    pub fn terrain(&self, cell: Cell) -> Option<Terrain> {
        self.extent.id(cell).map(|id| self.terrain_at(id))
    }

    /// The terrain of a cell by its number.
    #[inline]
    pub(crate) fn terrain_at(&self, id: CellId) -> Terrain {
        Terrain::from_map(self.letters.get(id.index()))
    }

    /// Changes a cell and returns what it was; `None`, and no change, outside.
    ///
    /// A map inside a [`Grid`](super::Grid) is changed by [`Grid::apply`](super::Grid::apply).
    pub fn set(&mut self, cell: Cell, terrain: Terrain) -> Option<Terrain> {
        self.extent.id(cell).map(|id| self.set_at(id, terrain))
    }

    pub(super) fn set_at(&mut self, id: CellId, terrain: Terrain) -> Terrain {
        let before = self.terrain_at(id);
        self.counts[usize::from(before.letter())] -= 1;
        self.counts[usize::from(terrain.letter())] += 1;
        self.letters.set(id.index(), terrain.letter());
        before
    }

    /// Changes so many cells from one on, which have the same terrain.
    pub(super) fn fill_alike(&mut self, first: CellId, cells: u32, terrain: Terrain) {
        self.counts[usize::from(self.terrain_at(first).letter())] -= cells;
        self.counts[usize::from(terrain.letter())] += cells;
        self.letters.fill(first.index(), cells as usize, terrain.letter());
    }

    /// The height of a cell, 0 where nothing else was said; `None` outside. See [`Slopes`](super::Slopes) for what heights
    /// mean.
    pub fn height(&self, cell: Cell) -> Option<u16> {
        self.extent.id(cell).map(|id| self.relief.heights.at(id))
    }

    /// Raises a cell to that height; outside nothing happens.
    ///
    /// A map inside a [`Grid`](super::Grid) is changed by [`Grid::apply`](super::Grid::apply).
    ///
    /// ```
    /// use highroad::{Cell, GridMap};
    /// let mut map: GridMap = "..\n..\n".parse()?;
    /// map.set_height(Cell::new(1, 0), 12);
    /// assert_eq!((map.height(Cell::new(1, 0)), map.height(Cell::new(1, 1))), (Some(12), Some(0)));
    /// assert!(map.has_relief());
    /// # Ok::<(), highroad::grid::MapError>(())
    /// ```
    pub fn set_height(&mut self, cell: Cell, height: u16) {
        if let Some(id) = self.extent.id(cell) {
            self.relief.set_height(self.extent.cell_count(), id, height);
        }
    }

    /// The least and the greatest height of a cell. O(1).
    ///
    /// ```
    /// use highroad::{Cell, GridMap};
    /// let mut map: GridMap = "..\n..\n".parse()?;
    /// map.set_height(Cell::new(1, 0), 12);
    /// assert_eq!(map.height_range(), 0..=12);
    /// # Ok::<(), highroad::grid::MapError>(())
    /// ```
    pub fn height_range(&self) -> RangeInclusive<u16> {
        self.relief.height_range(self.extent.cell_count())
    }

    /// A border of a cell; `None` if the cell or its neighbour lies outside.
    pub fn border(&self, cell: Cell, side: BorderSide) -> Option<Border> {
        let inside = self.extent.contains(side.beyond(cell));
        self.extent.id(cell).filter(|_| inside).map(|id| self.relief.border(id, side))
    }

    /// Opens or closes a border of a cell; outside nothing happens.
    ///
    /// A map inside a [`Grid`](super::Grid) is changed by [`Grid::apply`](super::Grid::apply).
    ///
    /// ```
    /// use highroad::{Cell, GridMap};
    /// use highroad::grid::{Border, BorderSide};
    /// let mut map: GridMap = "..\n..\n".parse()?;
    /// map.set_border(Cell::new(0, 0), BorderSide::East, Border::Closed);
    /// assert_eq!(map.border(Cell::new(0, 0), BorderSide::East), Some(Border::Closed));
    /// assert_eq!(map.border(Cell::new(1, 0), BorderSide::East), None, "there is no cell beyond");
    /// assert_eq!(map.find_path((0, 0), (1, 0))?.unwrap().steps(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_border(&mut self, cell: Cell, side: BorderSide, border: Border) {
        if self.border(cell, side).is_some() {
            let (id, cell_count) = (self.extent.id_inside(cell), self.extent.cell_count());
            self.relief.set_border(cell_count, id, side, border);
        }
    }

    /// Adds a link; what is wrong with it, if it cannot be. See [`GridMap::link_list`] for an example.
    ///
    /// A map inside a [`Grid`](super::Grid) is changed by [`Grid::apply`](super::Grid::apply).
    ///
    /// # Errors
    /// A [`LinkProblem`] if an end lies outside, if it ends where it begins, or by its cost.
    pub fn add_link(&mut self, link: Link) -> Result<(), LinkProblem> {
        link.check(self.extent)?;
        self.links.open(link);
        Ok(())
    }

    /// Takes a link away; whether there was one.
    ///
    /// A map inside a [`Grid`](super::Grid) is changed by [`Grid::apply`](super::Grid::apply).
    ///
    /// ```
    /// use highroad::GridMap;
    /// use highroad::grid::Link;
    /// let mut map: GridMap = "...\n".parse()?;
    /// let link = Link::new((0, 0), (2, 0), 9);
    /// map.add_link(link)?;
    /// assert!(map.remove_link(link) && !map.remove_link(link));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_link(&mut self, link: Link) -> bool {
        self.links.close(link)
    }

    /// All links, sorted.
    ///
    /// ```
    /// use highroad::GridMap;
    /// use highroad::grid::{Link, LinkProblem};
    /// let mut map: GridMap = "..#..\n".parse()?;
    /// map.add_link(Link::new((1, 0), (3, 0), 4756))?;
    /// assert_eq!(map.link_list().len(), 1);
    /// assert_eq!(map.find_path((0, 0), (4, 0))?.unwrap().steps(), 3);
    /// assert_eq!(map.add_link(Link::new((1, 0), (1, 0), 4756)), Err(LinkProblem::ToItself));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn link_list(&self) -> &[Link] {
        self.links.all()
    }

    pub(super) fn links(&self) -> &Links {
        &self.links
    }

    pub(super) fn links_mut(&mut self) -> &mut Links {
        &mut self.links
    }

    /// Whether any border is not open, or any height is not 0.
    pub fn has_relief(&self) -> bool {
        !self.relief.is_flat()
    }

    pub(super) fn relief(&self) -> &Relief {
        &self.relief
    }

    pub(super) fn relief_mut(&mut self) -> &mut Relief {
        &mut self.relief
    }

    /// How many cells are of that terrain.
    pub fn count(&self, terrain: Terrain) -> u32 {
        self.counts[usize::from(terrain.letter())]
    }

    /// Every terrain on the map, in the order of their letters. See [`GridMap::from_fn`] for an example.
    pub fn terrains(&self) -> impl Iterator<Item = Terrain> + '_ {
        Terrain::LETTERS
            .iter()
            .map(|&letter| Terrain::from_map(letter))
            .filter(|&terrain| self.count(terrain) > 0)
    }

    /// How its letters are to be read: weighted as soon as one of `A`–`P` other than `G` and `O`
    /// occurs. See [`GridMap::palette_doubt`] for maps where that is a mistake.
    ///
    /// ```
    /// use highroad::GridMap;
    /// use highroad::grid::{Palette, Profile};
    /// let map: GridMap = "AABB\n".parse()?;
    /// assert_eq!(map.palette(), Palette::Weighted);
    /// assert_eq!(Profile::for_palette(map.palette()), Profile::weighted());
    /// # Ok::<(), highroad::grid::MapError>(())
    /// ```
    pub fn palette(&self) -> Palette {
        if self.terrains().any(is_weighted) { Palette::Weighted } else { Palette::Standard }
    }

    /// What speaks against the [palette](GridMap::palette) that the map is read by: a letter of the weighted maps that
    /// looks like a slip of the pen on a map of the other kind. One `D` on a map of ground, trees and water makes trees
    /// and water blocked and nothing else changes; whoever reads maps from people should pass this on.
    ///
    /// A map is doubtful if it has a weighted letter, and either letters that mean something on other maps alone (`S`,
    /// `T` and `W`) or more ground `.` than weighted letters. O(1) for others; O(cells) to find the first doubtful one.
    ///
    /// ```
    /// use highroad::{Cell, GridMap};
    /// let map: GridMap = "....\n.WD.\n".parse()?;
    /// let doubt = map.palette_doubt().expect("a weighted letter beside water");
    /// assert_eq!((doubt.cell, doubt.count), (Cell::new(2, 1), 1));
    /// assert!(doubt.to_string().starts_with("'D' at (2, 1) makes this a map of weighted terrain"));
    /// let weighted: GridMap = "AAB.\nCCCC\n".parse()?;
    /// assert_eq!(weighted.palette_doubt(), None);
    /// # Ok::<(), highroad::grid::MapError>(())
    /// ```
    pub fn palette_doubt(&self) -> Option<PaletteDoubt> {
        if self.palette() == Palette::Standard {
            return None;
        }
        let weighted = |terrain: &Terrain| is_weighted(*terrain);
        let count: u32 = self.terrains().filter(weighted).map(|terrain| self.count(terrain)).sum();
        let others = [Terrain::SWAMP, Terrain::TREES, Terrain::WATER];
        let foreign = others.iter().any(|&terrain| self.count(terrain) > 0);
        if !foreign && self.count(Terrain::GROUND) <= count {
            return None;
        }
        let cell = self.extent.cells().find(|&cell| self.terrain(cell).is_some_and(is_weighted))?;
        Some(PaletteDoubt { cell, terrain: self.terrain(cell)?, count })
    }

    /// The letters of a row as stored: one or two runs.
    pub(super) fn row_runs(&self, y: u32) -> impl Iterator<Item = &[u8]> {
        let start = self.extent.id_inside(Cell { x: 0, y });
        self.letters.runs(start.index(), self.extent.width() as usize)
    }

    /// The letters of so many cells from one on, as stored.
    pub(super) fn runs(&self, start: usize, length: usize) -> impl Iterator<Item = &[u8]> {
        self.letters.runs(start, length)
    }

    /// Bytes held by cells.
    pub fn memory_bytes(&self) -> usize {
        self.letters.memory_bytes() + self.relief.memory_bytes() + self.links.memory_bytes()
    }
}

/// Whether a letter makes a map one of weighted terrain.
fn is_weighted(terrain: Terrain) -> bool {
    let letter = terrain.letter();
    letter.is_ascii_uppercase() && letter <= b'P' && letter != b'G' && letter != b'O'
}

/// A letter that makes a map one of weighted terrain, and looks like a mistake. From [`GridMap::palette_doubt`].
///
/// ```
/// use highroad::GridMap;
/// use highroad::grid::PaletteDoubt;
/// let map: GridMap = "...\n.D.\n".parse()?;
/// let doubt: PaletteDoubt = map.palette_doubt().unwrap();
/// assert_eq!(doubt.count, 1);
/// # Ok::<(), highroad::grid::MapError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "'{}' at {cell} makes this a map of weighted terrain, where A costs 1 to P 16 and S, T and W are blocked; \
     {count} of its cells have such a letter", .terrain.letter() as char
)]
#[non_exhaustive]
pub struct PaletteDoubt {
    /// The first cell with such a letter, row by row: column and row count from 0.
    pub cell: Cell,
    /// What is there.
    pub terrain: Terrain,
    /// How many cells have such a letter.
    pub count: u32,
}

impl PartialEq for GridMap {
    /// Whether the cells, borders, heights and links are the same; how the text looked does not matter.
    fn eq(&self, other: &Self) -> bool {
        let rows = |map: &Self, y| map.row_runs(y).collect::<Vec<_>>().concat();
        self.extent == other.extent
            && self.counts == other.counts
            && self.relief.is_same(&other.relief, self.extent.cell_count())
            && self.links == other.links
            && (0..self.extent.height()).all(|y| rows(self, y) == rows(other, y))
    }
}

impl Eq for GridMap {}
