//! Requests that one field answers: many with the same goal, one with many goals, a range.

use super::field::{FieldUnit, KeptField, Purpose, RESTARTS_MAX};
use super::unit::Task;
use super::{Reply, Requests, Wanted};
use crate::field_paths::paths_to_each;
use highroad_core::{Cell, Field, Grid, QueryError};

/// Fields kept for requests to come, until the next edit.
const KEPT_MAX: usize = 4;

impl Requests {
    /// Lets a field answer a queued request: one that is there, or a new one if enough wait for the same
    /// goal. `Err`: it is to be searched for by itself.
    pub(super) fn share(&mut self, index: u32, grid: &Grid) -> Result<(), ()> {
        let entry = &self.entries[index as usize];
        let (start, goal) = entry.ends().ok_or(())?;
        if !grid.is_enterable(start) {
            return Err(());
        }
        let turn = entry.turn(index);
        for unit in &mut self.units {
            if let Some(entries) = unit.sharing(goal) {
                entries.push(index);
                unit.hurry(turn);
                self.leave_queue(index);
                return Ok(());
            }
        }
        self.kept.retain(|kept| kept.field.revision() == grid.revision());
        let kept = self.kept.iter().position(|kept| kept.goal == goal);
        if kept.is_none() && self.queued_for(goal) < self.share_min {
            return Err(());
        }
        let field = match kept {
            Some(at) => self.kept.remove(at).field,
            None => Field::around(grid, &[goal]).map_err(drop)?,
        };
        let mut entries = self.all_queued_for(goal);
        entries.retain(|&other| {
            let ends = self.entries[other as usize].ends();
            ends.is_some_and(|(start, _)| grid.is_enterable(start))
        });
        entries.iter().for_each(|&entry| self.leave_queue(entry));
        let purpose = Purpose::Goal { goal, entries };
        let unit = FieldUnit { field, purpose, restarts: 0, failed: None };
        self.push_unit(turn, Task::Field(Box::new(unit)));
        Ok(())
    }

    /// A field for a request of its own.
    pub(super) fn field_for(&self, index: u32, grid: &Grid) -> Result<FieldUnit, QueryError> {
        let (start, cost_max) = match &self.entries[index as usize].request.wanted {
            Wanted::Range { start, cost_max } => (*start, cost_max.0),
            Wanted::Each { start, .. } => (*start, u64::MAX),
            Wanted::Path(query) => (query.starts()[0], u64::MAX),
        };
        let field = Field::within(grid, &[start], cost_max)?;
        let purpose = Purpose::One { entry: Some(index), start, cost_max };
        Ok(FieldUnit { field, purpose, restarts: 0, failed: None })
    }

    /// Hands out what the field of a unit has come to tell.
    pub(super) fn settle_field(&mut self, at: usize, grid: &Grid) {
        let Task::Field(unit) = &mut self.units[at].task else { return };
        let given_up = unit.failed.is_some() || unit.restarts > RESTARTS_MAX;
        let mut replies: Vec<(u32, Option<Reply>)> = Vec::new();
        match &mut unit.purpose {
            Purpose::Goal { entries, .. } => {
                let complete = unit.field.is_complete();
                entries.retain(|&entry| {
                    let Some((start, _)) = self.entries[entry as usize].ends() else {
                        return false;
                    };
                    let path = unit.field.path_from(start);
                    let waits = path.is_none() && !complete && !given_up;
                    if !waits {
                        // What it cannot answer is searched for, also for the nearest cell.
                        replies.push((entry, path.map(Reply::Ready)));
                    }
                    waits
                });
            }
            Purpose::One { entry, .. } => {
                let Some(index) = *entry else { return };
                let reply = match (&self.entries[index as usize].request.wanted, unit.failed) {
                    (_, Some(error)) => Some(Reply::Failed(error.into())),
                    (Wanted::Range { .. }, None) => {
                        let complete = unit.field.is_complete();
                        complete.then(|| Reply::Range(unit.field.cells().collect()))
                    }
                    (Wanted::Each { goals, .. }, None) => {
                        let known = |&goal: &Cell| {
                            unit.field.cost(goal).is_some() || !grid.is_enterable(goal)
                        };
                        let all = unit.field.is_complete() || goals.iter().all(known);
                        all.then(|| Reply::Each(paths_to_each(&mut unit.field, goals)))
                    }
                    (Wanted::Path(_), None) => None,
                };
                if reply.is_some() {
                    *entry = None;
                    replies.push((index, reply));
                }
            }
        }
        for (entry, reply) in replies {
            match reply {
                Some(reply) => self.answer(entry, reply),
                None => {
                    self.entries[entry as usize].alone = true;
                    self.enqueue(entry);
                }
            }
        }
    }

    /// Keeps a field that requests may share later.
    pub(super) fn keep(&mut self, unit: FieldUnit) {
        if let Purpose::Goal { goal, .. } = unit.purpose
            && unit.failed.is_none()
        {
            if self.kept.len() == KEPT_MAX {
                self.kept.remove(0);
            }
            self.kept.push(KeptField { goal, field: unit.field });
        }
    }
}
