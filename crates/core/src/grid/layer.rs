//! A value for each cell of a map, kept while any cell has one that is not the default.

use super::cell::CellId;
use super::pages::Pages;

/// Values cell by cell; nothing is stored while all are the default.
#[derive(Clone, Debug)]
pub(super) struct Layer<T> {
    /// Present while any cell has another value than the default.
    pages: Option<Pages<T>>,
    /// How many cells have.
    cells: u32,
}

impl<T> Default for Layer<T> {
    fn default() -> Self {
        Self { pages: None, cells: 0 }
    }
}

impl<T: Copy + Default + PartialEq> Layer<T> {
    #[inline]
    pub(super) fn at(&self, id: CellId) -> T {
        self.pages.as_ref().map_or(T::default(), |pages| pages.get(id.index()))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pages.is_none()
    }

    /// How many cells have another value than the default.
    pub(super) fn cell_count(&self) -> u32 {
        self.cells
    }

    /// The values of so many cells from one on; nothing where there are none at all.
    pub(super) fn from(&self, start: usize, length: usize) -> impl Iterator<Item = T> {
        self.runs(start, length).flatten().copied()
    }

    /// The same in runs.
    pub(super) fn runs(&self, start: usize, length: usize) -> impl Iterator<Item = &[T]> {
        self.pages.iter().flat_map(move |pages| pages.runs(start, length))
    }

    /// Sets the value of one of so many cells. Returns the one before.
    pub(super) fn set(&mut self, cell_count: usize, id: CellId, value: T) -> T {
        let before = self.at(id);
        if before == value {
            return before;
        }
        self.pages.get_or_insert_with(|| Pages::new(cell_count)).set(id.index(), value);
        self.cells += u32::from(value != T::default());
        self.cells -= u32::from(before != T::default());
        if self.cells == 0 {
            self.pages = None;
        }
        before
    }

    /// Whether both have the same values on so many cells.
    pub(super) fn is_same(&self, other: &Self, cell_count: usize) -> bool {
        self.cells == other.cells && self.from(0, cell_count).eq(other.from(0, cell_count))
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.pages.as_ref().map_or(0, Pages::memory_bytes)
    }
}
