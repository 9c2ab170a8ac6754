//! A long array in shared pages, copied on write.
//!
//! Cloning copies one pointer, and the first write after it those of the pages, so a snapshot of a map is
//! cheap and stays as it was while the writer goes on. At 16 Ki elements a page the largest map has 16,384 byte pages.

use std::sync::Arc;

const PAGE_BITS: u32 = 14;
const PAGE: usize = 1 << PAGE_BITS;

#[derive(Clone, Debug)]
pub(crate) struct Pages<T> {
    pages: Arc<[Arc<[T; PAGE]>]>,
}

impl<T: Copy + Default> Pages<T> {
    /// At least `length` elements, all default; untouched pages are one and the same.
    pub(crate) fn new(length: usize) -> Self {
        let blank = Arc::new([T::default(); PAGE]);
        Self { pages: vec![blank; length.div_ceil(PAGE)].into() }
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> T {
        self.pages[index >> PAGE_BITS][index & (PAGE - 1)]
    }

    pub(crate) fn set(&mut self, index: usize, value: T) {
        self.page_mut(index)[index & (PAGE - 1)] = value;
    }

    /// The page of an element, for this array alone.
    fn page_mut(&mut self, index: usize) -> &mut [T; PAGE] {
        Arc::make_mut(&mut Arc::make_mut(&mut self.pages)[index >> PAGE_BITS])
    }

    /// Copies `values` in, from element `start` on.
    pub(crate) fn write(&mut self, mut start: usize, mut values: &[T]) {
        while !values.is_empty() {
            let offset = start & (PAGE - 1);
            let (now, later) = values.split_at(values.len().min(PAGE - offset));
            let page = self.page_mut(start);
            page[offset..offset + now.len()].copy_from_slice(now);
            start += now.len();
            values = later;
        }
    }

    /// Sets `length` elements from `start` on.
    pub(crate) fn fill(&mut self, mut start: usize, length: usize, value: T) {
        let end = start + length;
        while start < end {
            let offset = start & (PAGE - 1);
            let count = (end - start).min(PAGE - offset);
            self.page_mut(start)[offset..offset + count].fill(value);
            start += count;
        }
    }

    /// The stored runs that make up `length` elements from `start` on.
    pub(crate) fn runs(&self, start: usize, length: usize) -> impl Iterator<Item = &[T]> {
        let end = start + length;
        let mut at = start;
        std::iter::from_fn(move || {
            (at < end).then(|| {
                let offset = at & (PAGE - 1);
                let count = (end - at).min(PAGE - offset);
                let run = &self.pages[at >> PAGE_BITS][offset..offset + count];
                at += count;
                run
            })
        })
    }

    /// Bytes held, counting a page shared among several places of this array once a place.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.pages.len() * (PAGE * size_of::<T>() + size_of::<Arc<()>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_stays_as_it_was() {
        let mut pages = Pages::<u8>::new(40_000);
        pages.write(16_380, b"across pages");
        let snapshot = pages.clone();
        pages.set(16_384, b'!');
        assert_eq!(snapshot.runs(16_380, 12).collect::<Vec<_>>().concat(), b"across pages");
        assert_eq!(pages.runs(16_380, 12).collect::<Vec<_>>().concat(), b"acro!s pages");
        assert_eq!(pages.get(39_999), 0);
        pages.fill(16_383, 16_386, 7);
        assert_eq!([16_382, 16_383, 32_768, 32_769].map(|at| pages.get(at)), [b'r', 7, 7, 0]);
    }
}
