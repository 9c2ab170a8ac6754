//! Long lists in shared pages, copied on write.
//!
//! A copy of an abstraction copies pointers to pages; an edit after that copies the few pages that it writes
//! to. Other than [`Pages`](super::pages::Pages), these lists grow.
//!
//! PERF: so that a map of 4096 × 4096 cells is copied in microseconds, lists of pointers ([`Table`]) are paged as well.

use std::ops::{Index, IndexMut};
use std::sync::Arc;

/// Elements of a page, unless there is a reason for more.
const PAGE_USUAL: usize = 1024;

/// A list of elements of one size, in pages of so many: a power of two.
#[derive(Clone, Debug)]
pub(crate) struct Shared<T, const PAGE: usize = PAGE_USUAL> {
    pages: Vec<Arc<[T; PAGE]>>,
    length: usize,
}

impl<T: Clone + Eq, const PAGE: usize> Eq for Shared<T, PAGE> {}

/// A list of things that are shared one by one.
pub(crate) type Table<T> = Shared<Arc<T>, 64>;

impl<T, const PAGE: usize> Default for Shared<T, PAGE> {
    fn default() -> Self {
        Self { pages: Vec::new(), length: 0 }
    }
}

impl<T: Clone, const PAGE: usize> Shared<T, PAGE> {
    /// The same element so many times, in one page.
    pub(crate) fn filled(element: T, length: usize) -> Self {
        let page = page_of(&element);
        Self { pages: vec![page; length.div_ceil(PAGE)], length }
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        (index < self.length).then(|| &self[index])
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &T> + '_ {
        (0..self.length).map(|index| &self[index])
    }

    pub(crate) fn push(&mut self, element: T) {
        if self.length == self.pages.len() * PAGE {
            self.pages.push(page_of(&element));
        }
        let last = self.length;
        self.length += 1;
        self[last] = element;
    }

    /// All elements, if one page holds them; what follows them means nothing.
    pub(crate) fn in_one_page(&self) -> Option<&[T]> {
        match &self.pages[..] {
            [page] => Some(&page[..]),
            _ => None,
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.pages.len() * (PAGE * size_of::<T>() + 3 * size_of::<usize>())
    }
}

impl<T: Clone, const PAGE: usize> Index<usize> for Shared<T, PAGE> {
    type Output = T;

    #[inline(always)]
    fn index(&self, index: usize) -> &T {
        &self.pages[index / PAGE][index % PAGE]
    }
}

impl<T: Clone, const PAGE: usize> IndexMut<usize> for Shared<T, PAGE> {
    #[inline(always)]
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut Arc::make_mut(&mut self.pages[index / PAGE])[index % PAGE]
    }
}

impl<T: Clone, const PAGE: usize> FromIterator<T> for Shared<T, PAGE> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut list = Self::default();
        elements.into_iter().for_each(|element| list.push(element));
        list
    }
}

impl<T: Clone + PartialEq, const PAGE: usize> PartialEq for Shared<T, PAGE> {
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length && self.iter().eq(other.iter())
    }
}

fn page_of<T: Clone, const PAGE: usize>(element: &T) -> Arc<[T; PAGE]> {
    Arc::new(std::array::from_fn(|_| element.clone()))
}

/// A pool of rooms for short lists of numbers, none of which lies across pages. A room that is larger than a
/// page has one of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    pages: Vec<Arc<[u32]>>,
    /// How much of the last page is in use.
    used: usize,
}

const POOL_BITS: u32 = 11;
const POOL_PAGE: usize = 1 << POOL_BITS;

impl Pool {
    /// A new room of so many numbers; returns its address.
    pub(crate) fn add(&mut self, room: u32) -> u32 {
        let room = room as usize;
        if self.pages.is_empty() || self.used + room > POOL_PAGE {
            self.pages.push(vec![0; room.max(POOL_PAGE)].into());
            self.used = 0;
        }
        let first = self.used;
        self.used += room;
        ((self.pages.len() - 1) << POOL_BITS | first) as u32
    }

    #[inline(always)]
    pub(crate) fn list(&self, first: u32, length: u32) -> &[u32] {
        let Some(page) = self.pages.get((first >> POOL_BITS) as usize) else { return &[] };
        &page[first as usize & (POOL_PAGE - 1)..][..length as usize]
    }

    pub(crate) fn list_mut(&mut self, first: u32, length: u32) -> &mut [u32] {
        let Some(page) = self.pages.get_mut((first >> POOL_BITS) as usize) else { return &mut [] };
        &mut Arc::make_mut(page)[first as usize & (POOL_PAGE - 1)..][..length as usize]
    }

    /// Copies a list from one room to another.
    pub(crate) fn copy(&mut self, from: u32, to: u32, length: u32) {
        let page = |first: u32| (first >> POOL_BITS) as usize;
        let within = |first: u32| first as usize & (POOL_PAGE - 1);
        if length == 0 {
            return;
        }
        let list = within(from)..within(from) + length as usize;
        if page(from) == page(to) {
            Arc::make_mut(&mut self.pages[page(to)]).copy_within(list, within(to));
        } else {
            let source = Arc::clone(&self.pages[page(from)]);
            self.list_mut(to, length).copy_from_slice(&source[list]);
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.pages.iter().map(|page| page.len() * 4 + 4 * size_of::<usize>()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_stays_as_it_was() {
        let mut list: Shared<u32, 1024> = (0..3000).collect();
        let copy = list.clone();
        list[1024] = 7;
        list.push(3000);
        assert!(copy.iter().copied().eq(0..3000) && copy.get(3000).is_none());
        assert_eq!((list[1023], list[1024], list[3000], list.len()), (1023, 7, 3000, 3001));
        assert!(Shared::<_, 1024>::filled(5, 2000).iter().all(|&element| element == 5));
    }

    #[test]
    fn rooms_lie_in_one_page_whatever_their_size() {
        let mut pool = Pool::default();
        let rooms = [4, 2000, 64, 5000, 4, 2048, 8].map(|room| (pool.add(room), room));
        for (number, (first, room)) in (0..).zip(rooms) {
            pool.list_mut(first, room).fill(number);
        }
        let copy = pool.clone();
        pool.copy(rooms[0].0, rooms[1].0, 4);
        pool.copy(rooms[4].0, rooms[6].0, 4);
        for (number, (first, room)) in (0..).zip(rooms) {
            assert!(copy.list(first, room).iter().all(|&entry| entry == number));
        }
        assert_eq!(pool.list(rooms[1].0, 5), [0, 0, 0, 0, 1]);
        assert_eq!(pool.list(rooms[6].0, 5), [4, 4, 4, 4, 6]);
    }
}
