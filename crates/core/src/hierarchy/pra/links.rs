//! Which nodes of a layer are neighbours: a list a node, in one array that can be patched.
//!
//! ```text
//!   spans   [first 0, 5 of 8] [first 8, 3 of 4] …
//!   pool    a b c d e · · · | f g h · | …
//! ```
//!
//! The array lies in pages that are shared with copies and copied on write; no list lies across two of them.
//! A list that outgrows its room moves to a larger one; rooms come in multiples of four and are used again.

use crate::grid::shared::{Pool, Shared};

/// How many entries a room grows by.
const ROOM: u32 = 4;

#[derive(Clone, Copy, Debug, Default)]
struct Span {
    first: u32,
    length: u32,
    room: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    spans: Shared<Span>,
    pool: Pool,
    /// Rooms that nobody uses, by their size in steps of [`ROOM`].
    vacant: Vec<Vec<u32>>,
    /// How long all lists are together.
    count: usize,
}

impl Links {
    /// The neighbours of a node.
    #[inline(always)]
    pub(super) fn of(&self, node: u32) -> &[u32] {
        let span = self.spans[node as usize];
        self.pool.list(span.first, span.length)
    }

    /// The same where lists may have no room yet for a node: it has no neighbours then.
    #[inline]
    pub(super) fn get(&self, node: u32) -> &[u32] {
        if (node as usize) < self.spans.len() { self.of(node) } else { &[] }
    }

    /// How many neighbours all nodes have together.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Makes room for nodes with smaller numbers than this.
    pub(super) fn grow(&mut self, node_count: usize) {
        while self.spans.len() < node_count {
            self.spans.push(Span::default());
        }
    }

    pub(super) fn push(&mut self, node: u32, neighbour: u32) {
        self.grow(node as usize + 1);
        let span = self.spans[node as usize];
        if span.length == span.room {
            self.move_to_room(node, span.room + ROOM);
        }
        let span = &mut self.spans[node as usize];
        span.length += 1;
        self.count += 1;
        self.pool.list_mut(span.first, span.length)[span.length as usize - 1] = neighbour;
    }

    pub(super) fn remove(&mut self, node: u32, neighbour: u32) {
        if node as usize >= self.spans.len() {
            return;
        }
        let span = self.spans[node as usize];
        let list = self.pool.list_mut(span.first, span.length);
        if let Some(at) = list.iter().position(|&other| other == neighbour) {
            list.copy_within(at + 1.., at);
            self.spans[node as usize].length -= 1;
            self.count -= 1;
        }
    }

    /// Forgets the neighbours of a node, and its room.
    pub(super) fn clear(&mut self, node: u32) {
        if node as usize >= self.spans.len() {
            return;
        }
        let span = std::mem::take(&mut self.spans[node as usize]);
        self.count -= span.length as usize;
        self.vacate(span);
    }

    /// Replaces the neighbours of a node.
    pub(super) fn set(&mut self, node: u32, neighbours: &[u32]) {
        let length = neighbours.len() as u32;
        if length == 0 && node as usize >= self.spans.len() {
            return;
        }
        self.grow(node as usize + 1);
        if self.spans[node as usize].room < length {
            self.move_to_room(node, length.next_multiple_of(ROOM));
        }
        let span = &mut self.spans[node as usize];
        self.count = self.count + length as usize - span.length as usize;
        span.length = length;
        self.pool.list_mut(span.first, length).copy_from_slice(neighbours);
    }

    fn move_to_room(&mut self, node: u32, room: u32) {
        let old = self.spans[node as usize];
        let first = match self.vacant.get_mut((room / ROOM) as usize).and_then(Vec::pop) {
            Some(first) => first,
            None => self.pool.add(room),
        };
        self.pool.copy(old.first, first, old.length);
        self.spans[node as usize] = Span { first, length: old.length, room };
        self.vacate(old);
    }

    fn vacate(&mut self, span: Span) {
        if span.room == 0 {
            return;
        }
        let class = (span.room / ROOM) as usize;
        if self.vacant.len() <= class {
            self.vacant.resize_with(class + 1, Vec::new);
        }
        self.vacant[class].push(span.first);
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let vacant: usize = self.vacant.iter().map(|rooms| rooms.capacity() * 4 + 24).sum();
        self.spans.memory_bytes() + self.pool.memory_bytes() + vacant
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_grow_shrink_and_use_rooms_again() {
        let mut links = Links::default();
        links.grow(3);
        for neighbour in 0..9 {
            links.push(1, neighbour);
        }
        links.push(0, 7);
        links.remove(1, 4);
        assert_eq!(links.of(1), [0, 1, 2, 3, 5, 6, 7, 8]);
        assert_eq!((links.of(0), links.of(2)), (&[7][..], &[][..]));
        let bytes = links.memory_bytes();
        links.clear(1);
        links.set(2, &[1, 2, 3, 4, 5]);
        assert_eq!((links.of(1), links.of(2)), (&[][..], &[1, 2, 3, 4, 5][..]));
        assert_eq!(links.count(), 6);
        assert!(links.memory_bytes() <= bytes + 24 * 4 + 64, "a room of eight was there");
    }
}
