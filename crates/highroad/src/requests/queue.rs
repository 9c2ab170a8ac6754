//! Who waits for what, and whose turn it is.

use super::{Reply, ReplyOf, Request, RequestError, Requests, SharedGoal, Ticket, Wanted};
use crate::living::Living;
use highroad_core::Path;
use std::cmp::Reverse;

/// Turns of cancelled requests that the queue may hold before it is cleared of them.
const CANCELLED_TURNS_MAX: usize = 64;

/// When a request's turn comes: the highest priority first, then the oldest.
pub(super) type Turn = (u8, Reverse<u64>, u32);

pub(super) struct Entry<E: Living> {
    pub(super) request: Request<E::Place>,
    pub(super) sequence: u64,
    pub(super) state: EntryState<E>,
    /// A leg that has not been handed over.
    pub(super) leg: Option<Path<E::Place>>,
    /// Whether it must not share a field: it was there, and the field could not answer.
    pub(super) alone: bool,
}

pub(super) enum EntryState<E: Living> {
    Free,
    Queued,
    /// Some unit works on it.
    Active,
    Answered(ReplyOf<E>),
}

impl<E: Living> Clone for Entry<E> {
    fn clone(&self) -> Self {
        Self {
            request: self.request.clone(),
            sequence: self.sequence,
            state: match &self.state {
                EntryState::Free => EntryState::Free,
                EntryState::Queued => EntryState::Queued,
                EntryState::Active => EntryState::Active,
                EntryState::Answered(reply) => EntryState::Answered(reply.clone()),
            },
            leg: self.leg.clone(),
            alone: self.alone,
        }
    }
}

impl<E: Living> Entry<E> {
    pub(super) fn turn(&self, index: u32) -> Turn {
        (self.request.priority, Reverse(self.sequence), index)
    }

    /// Whether it waits in the queue, and that turn is its own.
    fn is_queued(&self, turn: Turn) -> bool {
        matches!(self.state, EntryState::Queued) && Reverse(self.sequence) == turn.1
    }

    /// Start and goal, if it can share a field with others: one of each, no limits, no obstacles of its own.
    pub(super) fn ends(&self) -> Option<(E::Place, SharedGoal<E>)> {
        let Wanted::Path(query) = &self.request.wanted else { return None };
        let (&[start], &[goal]) = (query.starts(), query.goals()) else { return None };
        let free = !self.alone && query.limits() == Default::default() && query.is_plain();
        free.then_some((start, (self.request.kind, goal)))
    }

    /// Keeps a leg until it is asked for, joined to the one before if that still waits. After an edit a search begins
    /// again, and so do its legs.
    pub(super) fn add_leg(&mut self, leg: Path<E::Place>) {
        self.leg = Some(match self.leg.take() {
            Some(before) if before.revision() == leg.revision() && before.goal() == leg.start() => {
                let places = [before.places(), &leg.places()[1..]].concat();
                Path::vouched(places, before.cost() + leg.cost(), leg.revision())
            }
            _ => leg,
        });
    }
}

impl<E: Living> Requests<E> {
    pub(crate) fn add(&mut self, request: Request<E::Place>) -> Ticket {
        let sequence = self.next_sequence;
        self.next_sequence += 1;
        let state = EntryState::Free;
        let entry = Entry { request, sequence, state, leg: None, alone: false };
        let index = match self.free.pop() {
            Some(index) => {
                self.entries[index as usize] = entry;
                index
            }
            None => {
                self.entries.push(entry);
                (self.entries.len() - 1) as u32
            }
        };
        self.waiting += 1;
        self.enqueue(index);
        Ticket { world: self.world, entry: index, sequence }
    }

    pub(crate) fn waiting(&self) -> usize {
        self.waiting
    }

    /// The entry of a ticket that is not used up.
    fn entry(&mut self, ticket: Ticket) -> Option<&mut Entry<E>> {
        let entry = self.entries.get_mut(ticket.entry as usize)?;
        let is_free = matches!(entry.state, EntryState::Free);
        let current = ticket.world == self.world && entry.sequence == ticket.sequence && !is_free;
        current.then_some(entry)
    }

    pub(crate) fn poll(&mut self, ticket: Ticket) -> ReplyOf<E> {
        let Some(entry) = self.entry(ticket) else {
            return Reply::Failed(RequestError::Unknown);
        };
        match std::mem::replace(&mut entry.state, EntryState::Free) {
            EntryState::Answered(reply) => {
                self.free.push(ticket.entry);
                reply
            }
            state => {
                entry.state = state;
                entry.leg.take().map_or(Reply::Pending, Reply::Leg)
            }
        }
    }

    pub(crate) fn cancel(&mut self, ticket: Ticket) -> bool {
        let Some(entry) = self.entry(ticket) else { return false };
        let was_waiting = !matches!(entry.state, EntryState::Answered(_));
        match entry.state {
            EntryState::Queued => {
                self.leave_queue(ticket.entry);
                self.cancelled_turns += 1;
            }
            EntryState::Active => self.abandon(ticket.entry),
            EntryState::Free | EntryState::Answered(_) => {}
        }
        self.waiting -= usize::from(was_waiting);
        self.entries[ticket.entry as usize].state = EntryState::Free;
        self.free.push(ticket.entry);
        if self.cancelled_turns > CANCELLED_TURNS_MAX.max(self.queue.len() / 2) {
            self.cancelled_turns = 0;
            let entries = &self.entries;
            self.queue.retain(|&turn| entries[turn.2 as usize].is_queued(turn));
        }
        was_waiting
    }

    /// Gives a request its last word.
    pub(super) fn answer(&mut self, index: u32, reply: ReplyOf<E>) {
        let entry = &mut self.entries[index as usize];
        entry.leg = None;
        entry.state = EntryState::Answered(reply);
        self.waiting -= 1;
    }

    /// Puts a request (back) into the queue.
    pub(super) fn enqueue(&mut self, index: u32) {
        let entry = &mut self.entries[index as usize];
        entry.state = EntryState::Queued;
        if let Some((_, goal)) = entry.ends() {
            *self.queued_for.entry(goal).or_default() += 1;
        }
        self.queue.push(entry.turn(index));
    }

    /// Whose turn is next.
    pub(super) fn peek(&mut self) -> Option<Turn> {
        while let Some(&turn) = self.queue.peek() {
            if self.entries[turn.2 as usize].is_queued(turn) {
                return Some(turn);
            }
            self.queue.pop();
        }
        None
    }

    /// Takes a request out of the queue to work on it; its turn is passed over later.
    pub(super) fn leave_queue(&mut self, index: u32) {
        let entry = &mut self.entries[index as usize];
        entry.state = EntryState::Active;
        if let Some((_, goal)) = entry.ends()
            && let Some(count) = self.queued_for.get_mut(&goal)
        {
            *count -= 1;
            if *count == 0 {
                self.queued_for.remove(&goal);
            }
        }
    }

    pub(super) fn queued_for(&self, goal: SharedGoal<E>) -> usize {
        self.queued_for.get(&goal).copied().unwrap_or(0)
    }

    /// Every queued request for that goal, the next one first.
    pub(super) fn all_queued_for(&self, goal: SharedGoal<E>) -> Vec<u32> {
        let mut turns: Vec<Turn> = Vec::new();
        for &turn in &self.queue {
            let entry = &self.entries[turn.2 as usize];
            if entry.is_queued(turn) && entry.ends().is_some_and(|(_, wanted)| wanted == goal) {
                turns.push(turn);
            }
        }
        turns.sort_unstable_by(|a, b| b.cmp(a));
        turns.dedup();
        turns.into_iter().map(|(_, _, index)| index).collect()
    }

    /// Stops working on a request that is not wanted any more.
    fn abandon(&mut self, index: u32) {
        for unit in &mut self.units {
            unit.forget(index);
        }
        self.clear_idle_units();
    }
}
