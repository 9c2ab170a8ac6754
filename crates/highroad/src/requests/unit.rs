//! Units: what is worked on at a time, a search or a field.

use super::field::{FieldUnit, Purpose};
use super::queue::Turn;
use super::search::{Found, Search, SearchContext};
use super::{Reply, RequestError, SharedGoal};
use crate::fault::caught;
use crate::living::Living;
use highroad_core::QueryError;

/// One piece of work in progress.
pub(super) struct Unit<E: Living> {
    /// The turn of the request it was begun for.
    pub(super) turn: Turn,
    pub(super) task: Task<E>,
    pub(super) spent: u64,
}

pub(super) enum Task<E: Living> {
    Search(Box<Search<E>>),
    Field(Box<FieldUnit<E>>),
}

impl<E: Living> Task<E> {
    /// Throws away what a panic has left half done. Requests that shared a field are searched for by themselves.
    fn note_panic(&mut self, message: String) {
        match self {
            Self::Search(search) => search.note_panic(message),
            Self::Field(unit) => {
                let alone = matches!(unit.purpose, Purpose::One { .. });
                let reply = alone.then_some(Reply::Failed(RequestError::Panicked));
                let entries: Vec<u32> = unit.entries().collect();
                unit.replies.clear();
                for entry in entries {
                    unit.forget(entry);
                    unit.replies.push((entry, reply.clone()));
                }
                // So that nobody shares it later.
                unit.failed = Some(QueryError::Stale);
            }
        }
    }
}

impl<E: Living> Unit<E> {
    /// A unit that goes on where this one stands.
    pub(super) fn copy(&self) -> Self {
        let task = match &self.task {
            Task::Search(search) => Task::Search(Box::new(search.copy())),
            Task::Field(unit) => Task::Field(Box::new(unit.copy())),
        };
        Self { turn: self.turn, task, spent: 0 }
    }

    /// Goes on for a slice. Returns the expansions that took.
    pub(super) fn advance(&mut self, context: &SearchContext<'_, E>, slice: u64) -> u64 {
        let task = &mut self.task;
        let advanced = caught(|| match task {
            Task::Search(search) => search.advance(context, slice),
            Task::Field(unit) => unit.advance(context, slice),
        });
        advanced.unwrap_or_else(|message| {
            self.task.note_panic(message);
            1
        })
    }

    /// Whether it has something to hand out.
    pub(super) fn has_found(&self) -> bool {
        match &self.task {
            Task::Search(search) => !matches!(search.found, Found::Nothing),
            Task::Field(unit) => unit.has_found(),
        }
    }

    /// Becomes as urgent as a request that it works for as well.
    pub(super) fn hurry(&mut self, turn: Turn) {
        self.turn = self.turn.max(turn);
    }

    /// Whether some request waits for it.
    pub(super) fn is_wanted(&self) -> bool {
        match &self.task {
            Task::Search(search) => search.entry.is_some(),
            Task::Field(unit) => unit.entries().next().is_some(),
        }
    }

    /// Stops working for a request.
    pub(super) fn forget(&mut self, index: u32) {
        match &mut self.task {
            Task::Search(search) => search.entry = search.entry.filter(|&entry| entry != index),
            Task::Field(unit) => unit.forget(index),
        }
    }

    /// The requests that share its field, if that is the field of a goal.
    pub(super) fn sharing(&mut self, goal: SharedGoal<E>) -> Option<&mut Vec<u32>> {
        match &mut self.task {
            Task::Field(unit) => match &mut unit.purpose {
                Purpose::Goal { goal: own, entries, .. } if (unit.kind, *own) == goal => {
                    Some(entries)
                }
                _ => None,
            },
            Task::Search(_) => None,
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        match &self.task {
            Task::Search(search) => search.memory_bytes(),
            Task::Field(unit) => unit.work.memory_bytes(),
        }
    }
}
