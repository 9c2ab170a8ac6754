//! Where the labels of a start and of a goal meet.
//!
//! The labels of the start's links, with what the links cost, are entered in a list by hub; then the
//! labels of the goal's links are looked up in it. The list is never cleared: values of a later query
//! begin lower.
//!
//! ```text
//!   value of a hub   16 bits: falls from query to query │ 34 bits: distance │ 14 bits: which link
//! ```
//!
//! So the smallest value is that of this query, if it has one, with the smallest distance, and names the
//! link that it came by.

use super::flat::Labels;
use super::pruned::Entry;
use crate::index::subgoal::Link;

const LINK_BITS: u32 = 14;
const DISTANCE_BITS: u32 = 34;
const TURN_BITS: u32 = LINK_BITS + DISTANCE_BITS;
const TURNS: u64 = 1 << (u64::BITS - TURN_BITS - 1);

/// Links that can be distinguished at a time.
const LINKS_MAX: usize = 1 << LINK_BITS;

/// The list by hub.
#[derive(Default)]
pub(super) struct Slots {
    values: Vec<u64>,
    /// What values of this query begin with.
    turn: u64,
}

/// The best meeting of two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Meeting {
    pub(super) cost: u64,
    /// Of that, from the start to the hub.
    pub(super) onwards_cost: u64,
    /// By which of the links onwards, and of those back.
    pub(super) onwards: u32,
    pub(super) back: u32,
    /// Where their nodes are in the hub's tree.
    pub(super) places: [u32; 2],
}

impl Slots {
    /// Forgets all values.
    fn begin(&mut self, hub_count: usize) {
        if self.turn == 0 || self.values.len() < hub_count {
            self.turn = TURNS;
            self.values.clear();
            self.values.resize(hub_count, TURNS << TURN_BITS);
        }
        self.turn -= 1;
    }

    #[inline]
    fn enter(&mut self, labels: &Labels, link: Link, number: u32) {
        let offset =
            (u64::from(link.cost) << LINK_BITS | u64::from(number)) + (self.turn << TURN_BITS);
        let layout = labels.layout;
        for &packed in labels.of(link.subgoal) {
            let value = (layout.distance(packed) << LINK_BITS) + offset;
            let slot = &mut self.values[layout.hub(packed) as usize];
            *slot = value.min(*slot);
        }
    }

    /// Adds the hubs that labels of links know, each once, with the least distance.
    pub(super) fn merge(&mut self, labels: &Labels, links: &[Link], merged: &mut Vec<Entry>) {
        self.begin(labels.nodes.len());
        let none = self.turn << TURN_BITS | ((1 << TURN_BITS) - 1);
        for &link in links {
            for entry in labels.entries_of(link.subgoal) {
                if self.values[entry.hub as usize] > none {
                    self.values[entry.hub as usize] = none;
                    merged.push(entry);
                }
            }
            self.enter(labels, link, 0);
        }
        for entry in merged {
            entry.distance = distance_in(self.values[entry.hub as usize]) as u32;
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.values.capacity() * size_of::<u64>()
    }
}

/// A meeting as it is found.
#[derive(Clone, Copy)]
struct Best {
    value: u64,
    /// As it is kept in the label of a link back.
    entry: u64,
    back: u32,
}

impl Best {
    /// Looks up the hubs of a link back.
    #[inline]
    fn look_up(&mut self, slots: &Slots, labels: &Labels, link: Link, number: u32) {
        let layout = labels.layout;
        let mut found = None;
        for &packed in labels.of(link.subgoal) {
            let distance = (layout.distance(packed) + u64::from(link.cost)) << LINK_BITS;
            let value = slots.values[layout.hub(packed) as usize] + distance;
            if value < self.value {
                self.value = value;
                found = Some(packed);
            }
        }
        if let Some(packed) = found {
            self.entry = packed;
            self.back = number;
        }
    }
}

/// The distance in a value.
fn distance_in(value: u64) -> u64 {
    value >> LINK_BITS & ((1 << DISTANCE_BITS) - 1)
}

/// Links of one end, and for each the least that a path by way of it can cost.
#[derive(Clone, Copy)]
pub(super) struct End<'a> {
    pub(super) links: &'a [Link],
    pub(super) least: &'a [u64],
}

impl End<'_> {
    fn promising(&self) -> Option<usize> {
        (0..self.links.len()).min_by_key(|&at| self.least[at])
    }
}

impl Labels {
    /// The cheapest way from some links to others, if there is any.
    pub(super) fn meet(
        &self,
        slots: &mut Slots,
        onwards: End<'_>,
        back: End<'_>,
    ) -> Option<Meeting> {
        let mut best: Option<Meeting> = None;
        for begin in (0..onwards.links.len()).step_by(LINKS_MAX) {
            let end = (begin + LINKS_MAX).min(onwards.links.len());
            let some = End { links: &onwards.links[begin..end], least: &onwards.least[begin..end] };
            if let Some(mut met) = self.meet_some(slots, some, back)
                && best.is_none_or(|best| met.cost < best.cost)
            {
                met.onwards += begin as u32;
                best = Some(met);
            }
        }
        best
    }

    fn meet_some(&self, slots: &mut Slots, onwards: End<'_>, back: End<'_>) -> Option<Meeting> {
        slots.begin(self.nodes.len());
        let none = slots.turn << TURN_BITS | ((1 << TURN_BITS) - 1);
        let mut best = Best { value: none, entry: 0, back: 0 };
        let (first, last) = (onwards.promising()?, back.promising()?);
        // The links that lead most towards each other first: what cannot be cheaper is left out.
        slots.enter(self, onwards.links[first], first as u32);
        best.look_up(slots, self, back.links[last], last as u32);
        let mut bound = distance_in(best.value);
        for (at, &link) in onwards.links.iter().enumerate() {
            if at != first && onwards.least[at] < bound {
                slots.enter(self, link, at as u32);
            }
        }
        best.look_up(slots, self, back.links[last], last as u32);
        for (at, &link) in back.links.iter().enumerate() {
            bound = distance_in(best.value);
            if at != last && back.least[at] < bound {
                best.look_up(slots, self, link, at as u32);
            }
        }
        if best.value == none {
            return None;
        }
        let hub = self.layout.hub(best.entry);
        let value = slots.values[hub as usize];
        let onwards_at = (value & ((1 << LINK_BITS) - 1)) as u32;
        let label = self.of(onwards.links[onwards_at as usize].subgoal);
        let at = label.partition_point(|&packed| self.layout.hub(packed) < hub);
        Some(Meeting {
            cost: distance_in(best.value),
            onwards_cost: distance_in(value),
            onwards: onwards_at,
            back: best.back,
            places: [self.place(label[at]), self.place(best.entry)],
        })
    }
}
