//! A field in progress, and the requests that it answers.

use highroad_core::{Cell, Field, Grid, QueryError};

/// A field settles a cell in a fraction of the time that an abstract search takes for a node.
const SLICES: u64 = 4;
/// Times that an edit may make a shared field begin anew before its requests are searched one by one.
pub(super) const RESTARTS_MAX: u32 = 2;

/// A field in progress.
pub(super) struct FieldUnit {
    pub(super) field: Field,
    pub(super) purpose: Purpose,
    pub(super) restarts: u32,
    pub(super) failed: Option<QueryError>,
}

pub(super) enum Purpose {
    /// Paths to one goal, for these requests.
    Goal { goal: Cell, entries: Vec<u32> },
    /// One request's paths to many goals, or its range; `None` once nobody wants it.
    One { entry: Option<u32>, start: Cell, cost_max: u64 },
}

/// A field that may answer more.
pub(super) struct KeptField {
    pub(super) goal: Cell,
    pub(super) field: Field,
}

impl FieldUnit {
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

    /// Goes on for a slice, anew if the map has changed. Returns what that counts.
    pub(super) fn advance(&mut self, grid: &Grid, slice: u64) -> u64 {
        if self.field.revision() != grid.revision() {
            self.restarts += 1;
            let (source, cost_max) = match self.purpose {
                Purpose::Goal { goal, .. } => (goal, u64::MAX),
                Purpose::One { start, cost_max, .. } => (start, cost_max),
            };
            if let Err(error) = self.field.renew(grid, &[source], cost_max) {
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
