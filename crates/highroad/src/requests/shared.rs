//! Requests that one field answers: many with the same goal, one with many goals, a range.

use super::field::{Aim, FieldUnit, FieldWork, KeptField, Purpose, RESTARTS_MAX};
use super::unit::Task;
use super::{Reply, ReplyOf, Requests, Wanted};
use crate::field_paths::paths_to_each;
use crate::living::{Living, LivingField, Refused};

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
        let purpose = Purpose::Goal { goal: goal.1, entries };
        let unit = FieldUnit { kind, work, purpose, restarts: 0, failed: None };
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
        let purpose = Purpose::One { entry: Some(index) };
        Ok(FieldUnit { kind, work, purpose, restarts: 0, failed: None })
    }

    /// Hands out what the field of a unit answers. A field that an edit has outdated answers nothing: it is begun again
    /// when its turn comes.
    pub(super) fn settle_field(&mut self, at: usize, kinds: &[E]) {
        let Task::Field(unit) = &mut self.units[at].task else { return };
        let environment = &kinds[unit.kind.index()];
        if unit.failed.is_none() && !unit.work.is_current(environment) {
            return;
        }
        let mut field = None;
        if unit.failed.is_none() {
            match unit.work.field(environment) {
                Ok(current) => field = Some(current),
                Err(error) => unit.failed = Some(error),
            }
        }
        let given_up = unit.failed.is_some() || unit.restarts > RESTARTS_MAX;
        let mut replies: Vec<(u32, Option<ReplyOf<E>>)> = Vec::new();
        match &mut unit.purpose {
            Purpose::Goal { entries, .. } => {
                let complete = field.as_ref().is_some_and(|field| field.is_complete());
                entries.retain(|&entry| {
                    let Some((start, _)) = self.entries[entry as usize].ends() else {
                        return false;
                    };
                    let path = field.as_mut().and_then(|field| field.path(start));
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
                let wanted = &self.entries[index as usize].request.wanted;
                let reply = match (wanted, field, &unit.failed) {
                    (_, _, Some(error)) => Some(Reply::Failed(error.clone().into())),
                    (Wanted::Range { .. }, Some(field), None) => {
                        field.is_complete().then(|| Reply::Range(field.places()))
                    }
                    (Wanted::Each { goals, .. }, Some(field), None) => {
                        let known = |&goal: &E::Place| {
                            field.cost(goal).is_some() || environment.check_place(goal).is_err()
                        };
                        let all = field.is_complete() || goals.iter().all(known);
                        all.then(|| Reply::Each(paths_to_each(environment, field, goals)))
                    }
                    _ => None,
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
