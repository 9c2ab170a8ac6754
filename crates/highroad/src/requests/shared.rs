//! Requests that one field answers: many with the same goal, one with many goals, a range.

use super::field::{Aim, FieldUnit, FieldWork, KeptField, Purpose};
use super::unit::Task;
use super::{Requests, Wanted};
use crate::living::{Living, Refused};

/// Fields kept for requests to come, until the next edit.
const KEPT_MAX: usize = 4;

impl<E: Living> Requests<E> {
    /// Lets a field answer a queued request: one that is there, or a new one if enough wait for the same
    /// goal. `Err`: it is to be searched for by itself.
    pub(super) fn share(&mut self, index: u32, kinds: &[E]) -> Result<(), ()> {
        let entry = &self.entries[index as usize];
        let (start, goal) = entry.ends().ok_or(())?;
        let (kind, environment) = (goal.0, &kinds[goal.0.index()]);
        environment.check_place(start).map_err(drop)?;
        // A field would have to settle everything to find that out.
        if environment.knows_reachable(start, goal.1) == Some(false) {
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
        self.kept.retain(|kept| {
            kinds.get(kept.goal.0.index()).is_some_and(|kind| kept.work.is_current(kind))
        });
        let kept = self.kept.iter().position(|kept| kept.goal == goal);
        if kept.is_none() && self.queued_for(goal) < self.share_min {
            return Err(());
        }
        let work = match kept {
            Some(at) => self.kept.remove(at).work,
            None => FieldWork::begin(environment, Aim::Towards(goal.1)).map_err(drop)?,
        };
        let mut entries = self.all_queued_for(goal);
        entries.retain(|&other| {
            let ends = self.entries[other as usize].ends();
            ends.is_some_and(|(start, _)| environment.check_place(start).is_ok())
        });
        entries.iter().for_each(|&entry| self.leave_queue(entry));
        let purpose = Purpose::Goal { goal: goal.1, entries, next: 0 };
        let unit = FieldUnit::new(kind, work, purpose);
        self.push_unit(turn, Task::Field(Box::new(unit)));
        Ok(())
    }

    /// A field for a request of its own.
    pub(super) fn field_for(&self, index: u32, kinds: &[E]) -> Result<FieldUnit<E>, Refused<E>> {
        let request = &self.entries[index as usize].request;
        let kind = request.kind;
        let (start, cost_max) = match &request.wanted {
            Wanted::Range { start, cost_max } => (*start, cost_max.0),
            Wanted::Each { start, .. } => (*start, u64::MAX),
            Wanted::Path(query) | Wanted::Nearest(query) => (query.starts()[0], u64::MAX),
        };
        let work = FieldWork::begin(&kinds[kind.index()], Aim::AwayFrom(start, cost_max))?;
        let purpose = Purpose::one(index);
        Ok(FieldUnit::new(kind, work, purpose))
    }

    /// Hands out what the field of a unit answers.
    pub(super) fn settle_field(&mut self, at: usize) {
        let Task::Field(unit) = &mut self.units[at].task else { return };
        let mut replies = std::mem::take(&mut unit.replies);
        for (entry, reply) in replies.drain(..) {
            match reply {
                Some(reply) => self.answer(entry, reply),
                None => {
                    self.entries[entry as usize].alone = true;
                    self.enqueue(entry);
                }
            }
        }
        if let Task::Field(unit) = &mut self.units[at].task {
            unit.replies = replies;
        }
    }

    /// Keeps a field that requests may share later.
    pub(super) fn keep(&mut self, unit: FieldUnit<E>) {
        if let Purpose::Goal { goal, .. } = unit.purpose
            && unit.failed.is_none()
        {
            if self.kept.len() == KEPT_MAX {
                self.kept.remove(0);
            }
            self.kept.push(KeptField { goal: (unit.kind, goal), work: unit.work });
        }
    }
}
