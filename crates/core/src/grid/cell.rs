//! Where a cell is, and how cells are numbered.

use super::edit::CellRect;
use std::fmt;
use thiserror::Error;

/// The longest side a map may have, in cells.
pub const SIDE_MAX: u32 = 16_384;

/// A cell by its column `x` from the left and its row `y` from the top.
///
/// ```
/// use highroad::Cell;
/// assert_eq!(Cell::from((3, 4)), Cell::new(3, 4));
/// assert_eq!(Cell::new(3, 4).offset(Cell::new(1, 5)), (2, 1));
/// assert_eq!(Cell::try_from((3i32, 4i32))?, Cell::new(3, 4));
/// assert_eq!(<(usize, usize)>::from(Cell::new(3, 4)), (3, 4));
/// let refused = Cell::try_from((-1i32, 4i32)).unwrap_err();
/// assert_eq!(refused.to_string(), "column -1 and row 4: each must be from 0 to 4294967295");
/// # Ok::<(), highroad::grid::CellError>(())
/// ```
///
/// With the feature `glam` it converts from and to `UVec2`, and with a check from and to `IVec2`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell {
    /// Column, from the left.
    pub x: u32,
    /// Row, from the top.
    pub y: u32,
}

impl Cell {
    /// The cell in column `x` and row `y`.
    pub const fn new(x: u32, y: u32) -> Self {
        Self { x, y }
    }

    /// Columns and rows between two cells, both as distances.
    pub const fn offset(self, other: Self) -> (u32, u32) {
        (self.x.abs_diff(other.x), self.y.abs_diff(other.y))
    }
}

impl From<(u32, u32)> for Cell {
    fn from((x, y): (u32, u32)) -> Self {
        Self { x, y }
    }
}

impl From<[u32; 2]> for Cell {
    fn from([x, y]: [u32; 2]) -> Self {
        Self { x, y }
    }
}

impl From<Cell> for (u32, u32) {
    fn from(cell: Cell) -> Self {
        (cell.x, cell.y)
    }
}

impl From<Cell> for [u32; 2] {
    fn from(cell: Cell) -> Self {
        [cell.x, cell.y]
    }
}

impl From<Cell> for (usize, usize) {
    fn from(cell: Cell) -> Self {
        (cell.x as usize, cell.y as usize)
    }
}

/// A column or a row that no cell can have, or that the other type cannot express.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("column {x} and row {y}: each must be from 0 to {max}")]
pub struct CellError {
    /// The column.
    pub x: i128,
    /// The row.
    pub y: i128,
    /// The largest that both may be.
    pub max: i128,
}

/// Conversions that not every number survives.
macro_rules! checked_conversions {
    ($($number:ident)*) => {$(
        impl TryFrom<($number, $number)> for Cell {
            type Error = CellError;

            fn try_from((x, y): ($number, $number)) -> Result<Self, CellError> {
                match (u32::try_from(x), u32::try_from(y)) {
                    (Ok(x), Ok(y)) => Ok(Self { x, y }),
                    _ => Err(CellError { x: x as i128, y: y as i128, max: u32::MAX.into() }),
                }
            }
        }
    )*};
}

checked_conversions! { i32 i64 u64 usize }

impl TryFrom<Cell> for (i32, i32) {
    type Error = CellError;

    fn try_from(cell: Cell) -> Result<Self, CellError> {
        match (i32::try_from(cell.x), i32::try_from(cell.y)) {
            (Ok(x), Ok(y)) => Ok((x, y)),
            _ => Err(CellError { x: cell.x.into(), y: cell.y.into(), max: i32::MAX.into() }),
        }
    }
}

#[cfg(feature = "glam")]
mod glam_vectors {
    use super::{Cell, CellError};
    use glam::{IVec2, UVec2};

    impl From<UVec2> for Cell {
        fn from(vector: UVec2) -> Self {
            Self { x: vector.x, y: vector.y }
        }
    }

    impl From<Cell> for UVec2 {
        fn from(cell: Cell) -> Self {
            Self::new(cell.x, cell.y)
        }
    }

    impl TryFrom<IVec2> for Cell {
        type Error = CellError;

        fn try_from(vector: IVec2) -> Result<Self, CellError> {
            Self::try_from((vector.x, vector.y))
        }
    }

    impl TryFrom<Cell> for IVec2 {
        type Error = CellError;

        fn try_from(cell: Cell) -> Result<Self, CellError> {
            <(i32, i32)>::try_from(cell).map(|(x, y)| Self::new(x, y))
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// A cell by its number: row by row, from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CellId(pub u32);

impl CellId {
    /// The number as an index into per-cell arrays.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A map's side is zero or longer than [`SIDE_MAX`].
///
/// ```
/// use highroad::{GridMap, Terrain};
/// use highroad::grid::SizeError;
/// let error: SizeError = GridMap::filled(0, 5, Terrain::GROUND).unwrap_err();
/// assert_eq!(error.to_string(), "a map of 0 × 5 cells: each side must be from 1 to 16384");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a map of {width} × {height} cells: each side must be from 1 to {SIDE_MAX}")]
pub struct SizeError {
    /// Columns asked for.
    pub width: u64,
    /// Rows asked for.
    pub height: u64,
}

/// How many columns and rows a map has; turns cells into numbers and back, each in O(1).
///
/// ```
/// use highroad::Cell;
/// use highroad::grid::{CellId, Extent};
/// let extent = Extent::new(4, 3)?;
/// assert_eq!(extent.id(Cell::new(1, 2)), Some(CellId(9)));
/// assert_eq!(extent.cell(CellId(9)), Cell::new(1, 2));
/// assert!(!extent.contains(Cell::new(4, 0)));
/// # Ok::<(), highroad::grid::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    width: u32,
    height: u32,
    /// ⌈2⁴³ / width⌉: see [`Extent::cell`].
    reciprocal: u64,
}

const RECIPROCAL_BITS: u32 = 43;

impl Extent {
    /// An extent of `width` × `height` cells. Fails with a [`SizeError`] unless both are from 1 to [`SIDE_MAX`].
    pub fn new(width: u64, height: u64) -> Result<Self, SizeError> {
        let allowed = 1..=u64::from(SIDE_MAX);
        if !allowed.contains(&width) || !allowed.contains(&height) {
            return Err(SizeError { width, height });
        }
        Ok(Self {
            width: width as u32,
            height: height as u32,
            reciprocal: (1u64 << RECIPROCAL_BITS).div_ceil(width),
        })
    }

    /// Number of columns.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Number of rows.
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Number of cells.
    pub const fn cell_count(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Whether the cell lies inside.
    pub const fn contains(&self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }

    /// The cell's number, if it lies inside.
    pub fn id(&self, cell: Cell) -> Option<CellId> {
        self.contains(cell).then(|| self.id_inside(cell))
    }

    /// The number of a cell that is known to lie inside.
    pub(crate) const fn id_inside(&self, cell: Cell) -> CellId {
        CellId(cell.y * self.width + cell.x)
    }

    /// The cell of a number below [`Extent::cell_count`].
    #[inline]
    pub const fn cell(&self, id: CellId) -> Cell {
        // A division by the width, done as a multiplication: with r = ⌈2⁴³/w⌉ the error r·w − 2⁴³ is
        // below w ≤ 2¹⁴ and n < 2²⁸, so (n·r) >> 43 is exact; n·r < 2⁵⁷ + 2²⁸ does not wrap.
        let y = ((id.0 as u64 * self.reciprocal) >> RECIPROCAL_BITS) as u32;
        Cell { x: id.0.wrapping_sub(y.wrapping_mul(self.width)), y }
    }

    /// All its cells as a rectangle.
    ///
    /// ```
    /// use highroad::CellRect;
    /// use highroad::grid::Extent;
    /// assert_eq!(Extent::new(4, 2)?.rect(), CellRect::new((0, 0), (3, 1)));
    /// # Ok::<(), highroad::grid::SizeError>(())
    /// ```
    pub fn rect(&self) -> CellRect {
        CellRect::new((0, 0), (self.width - 1, self.height - 1))
    }

    /// Every cell, row by row.
    pub fn cells(&self) -> impl DoubleEndedIterator<Item = Cell> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell { x, y }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_turn_back_into_the_same_cells_at_every_width() {
        for width in (1..=130).chain([1023, 1024, 1025, 9973, 16_383, 16_384]) {
            let extent = Extent::new(width, 16_384).unwrap();
            for y in [0, 1, 2, 777, 16_382, 16_383] {
                for x in [0, width / 2, width - 1] {
                    let cell = Cell::new(x as u32, y);
                    assert_eq!(extent.cell(extent.id(cell).unwrap()), cell, "width {width}");
                }
            }
        }
    }

    #[test]
    fn sides_out_of_range_are_refused() {
        for (width, height) in [(0, 1), (1, 0), (16_385, 1), (1, u64::MAX)] {
            assert_eq!(Extent::new(width, height), Err(SizeError { width, height }));
        }
    }
}
