//! A field in progress, and the requests that it answers.

use super::SharedGoal;
use crate::living::{Living, LivingField, Refused};
use highroad_core::KindId;

/// A field settles a cell in a fraction of the time that an abstract search takes for a node.
const SLICES: u64 = 4;
/// Times that an edit may make a shared field begin again before its requests are searched one by one.
pub(super) const RESTARTS_MAX: u32 = 2;

/// A field in progress.
pub(super) struct FieldUnit<E: Living> {
    pub(super) kind: KindId,
    pub(super) field: E::Field,
    pub(super) purpose: Purpose<E::Place>,
    pub(super) restarts: u32,
    pub(super) failed: Option<Refused<E>>,
}

pub(super) enum Purpose<P> {
    /// Paths to one goal, for these requests.
    Goal { goal: P, entries: Vec<u32> },
    /// One request's paths to many goals, or its range; `None` once nobody wants it.
    One { entry: Option<u32>, start: P, cost_max: u64 },
}

/// A field that may answer more.
pub(super) struct KeptField<E: Living> {
    pub(super) goal: SharedGoal<E>,
    pub(super) field: E::Field,
}

impl<E: Living> FieldUnit<E> {
    pub(super) fn entries(&self) -> impl Iterator<Item = u32> + '_ {
        let (many, one) = match &self.purpose {
            Purpose::Goal { entries, .. } => (&entries[..], None),
            Purpose::One { entry, .. } => (&[][..], *entry),
        };
        many.iter().copied().chain(one)
    }

    pub(super) fn forget(&mut self, index: u32) {
        match &mut self.purpose {
            Purpose::Goal { entries, .. } => entries.retain(|&entry| entry != index),
            Purpose::One { entry, .. } => *entry = entry.filter(|&entry| entry != index),
        }
    }

    /// Goes on for a slice, from the beginning if the map has changed. Returns what that counts.
    pub(super) fn advance(&mut self, kinds: &[E], slice: u64) -> u64 {
        let environment = &kinds[self.kind.index()];
        if self.field.revision() != environment.revision() {
            self.restarts += 1;
            let renewed = match self.purpose {
                Purpose::Goal { goal, .. } => self.field.renew_towards(environment, goal),
                Purpose::One { start, cost_max, .. } => {
                    self.field.renew_away_from(environment, start, cost_max)
                }
            };
            if let Err(error) = renewed {
                self.failed = Some(error);
                return 1;
            }
        }
        let before = self.field.settled();
        let at_once = matches!(self.purpose, Purpose::One { .. }) && self.restarts > RESTARTS_MAX;
        self.field.advance(if at_once { u64::MAX } else { slice.saturating_mul(SLICES) });
        ((self.field.settled() - before) / SLICES).max(1)
    }
}
