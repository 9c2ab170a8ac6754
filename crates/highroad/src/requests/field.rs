//! Fields in progress, and what they answer.

use super::search::Around;
use super::{Reply, ReplyOf, SharedGoal, Wanted};
use crate::living::{Living, LivingField, Refused};
use highroad_core::{KindId, Path};

/// A field settles a cell in a fraction of the time that an abstract search takes for a node.
const SLICES: u64 = 4;
/// Steps of a path that is read off a field, or requests looked at, that count as an expansion.
const STEPS_A_UNIT: u64 = 8;
/// Requests that a field looks at in a row, whether it has settled their starts.
const LOOKS_MAX: usize = 64;
/// Times that an edit may make a shared field begin again before its requests are searched one by one.
pub(super) const RESTARTS_MAX: u32 = 2;

/// A field in progress.
pub(super) struct FieldUnit<E: Living> {
    pub(super) kind: KindId,
    pub(super) field: E::Field,
    pub(super) purpose: Purpose<E::Place>,
    pub(super) restarts: u32,
    pub(super) failed: Option<Refused<E>>,
    /// What it has to say to requests; `None`: they are to be searched for by themselves.
    pub(super) replies: Vec<(u32, Option<ReplyOf<E>>)>,
}

pub(super) enum Purpose<P> {
    /// Paths to one goal, for these requests, the next one to look at among them.
    Goal { goal: P, entries: Vec<u32>, next: usize },
    /// One request's paths to many goals, as far as they are known, or its range; `None` once nobody wants it.
    One { entry: Option<u32>, start: P, cost_max: u64, paths: Vec<Option<Path<P>>> },
}

/// A field that may answer more.
pub(super) struct KeptField<E: Living> {
    pub(super) goal: SharedGoal<E>,
    pub(super) field: E::Field,
}

impl<E: Living> FieldUnit<E> {
    pub(super) fn new(kind: KindId, field: E::Field, purpose: Purpose<E::Place>) -> Self {
        Self { kind, field, purpose, restarts: 0, failed: None, replies: Vec::new() }
    }

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
        self.replies.retain(|(entry, _)| *entry != index);
    }

    /// Whether all is said that it can say now.
    pub(super) fn has_found(&self) -> bool {
        !self.replies.is_empty() && self.entries().next().is_none()
    }

    /// Goes on for a slice, from the beginning if the map has changed. Returns what that counts.
    pub(super) fn advance(&mut self, around: &Around<'_, E>, slice: u64) -> u64 {
        let environment = &around.kinds[self.kind.index()];
        if self.field.revision() != environment.revision() {
            self.restarts += 1;
            let renewed = match &mut self.purpose {
                Purpose::Goal { goal, .. } => self.field.renew_towards(environment, *goal),
                Purpose::One { start, cost_max, paths, .. } => {
                    paths.clear();
                    self.field.renew_away_from(environment, *start, *cost_max)
                }
            };
            self.failed = renewed.err();
        }
        let before = self.field.settled();
        if self.failed.is_none() {
            // What edits have outdated too often goes on to its end at once, so that it has one.
            let at_once =
                matches!(self.purpose, Purpose::One { .. }) && self.restarts > RESTARTS_MAX;
            self.field.advance(if at_once { u64::MAX } else { slice.saturating_mul(SLICES) });
        }
        let settled = (self.field.settled() - before) / SLICES;
        let answered = match &self.purpose {
            Purpose::Goal { .. } => self.answer_some(around, slice.saturating_sub(settled)),
            Purpose::One { .. } => self.answer_one(around, slice.saturating_sub(settled)),
        };
        (settled + answered).max(1)
    }

    /// Answers requests whose starts are settled, for about a slice. Returns what that counts.
    fn answer_some(&mut self, around: &Around<'_, E>, slice: u64) -> u64 {
        let Purpose::Goal { entries, next, .. } = &mut self.purpose else { return 0 };
        let given_up = self.failed.is_some() || self.restarts > RESTARTS_MAX;
        let complete = self.field.is_complete();
        let most = slice.saturating_mul(STEPS_A_UNIT).max(1);
        let (mut steps, mut looks) = (0, 0);
        while looks < LOOKS_MAX.min(entries.len() + 1) && steps < most && !entries.is_empty() {
            looks += 1;
            steps += 1;
            *next = if *next < entries.len() { *next } else { 0 };
            let entry = entries[*next];
            let start = around.entries[entry as usize].ends().map(|(start, _)| start);
            let path =
                start.filter(|_| self.failed.is_none()).and_then(|start| self.field.path(start));
            if path.is_none() && !complete && !given_up {
                *next += 1;
                continue;
            }
            looks = 0;
            steps += path.as_ref().map_or(0, |path| path.steps() as u64);
            entries.swap_remove(*next);
            // What it cannot answer is searched for, also for the nearest cell.
            self.replies.push((entry, path.map(Reply::Ready)));
        }
        steps / STEPS_A_UNIT
    }

    /// Answers the one request of the field, as far as a slice goes. Returns what that counts.
    fn answer_one(&mut self, around: &Around<'_, E>, slice: u64) -> u64 {
        let Purpose::One { entry, paths, .. } = &mut self.purpose else { return 0 };
        let Some(index) = *entry else { return 0 };
        let environment = &around.kinds[self.kind.index()];
        let most = slice.saturating_mul(STEPS_A_UNIT).max(1);
        let mut steps = 0;
        let reply = match (&around.entries[index as usize].request.wanted, &self.failed) {
            (_, Some(error)) => Some(Reply::Failed(error.clone().into())),
            (Wanted::Range { .. }, None) => self.field.is_complete().then(|| {
                let places = self.field.places();
                steps += places.len() as u64;
                Reply::Range(places)
            }),
            (Wanted::Each { goals, .. }, None) => {
                while steps < most
                    && let Some(&goal) = goals.get(paths.len())
                {
                    steps += 1;
                    let open = environment.check_place(goal).is_ok();
                    let known = self.field.is_complete() || self.field.cost(goal).is_some();
                    if open && !known {
                        break;
                    }
                    let path = self.field.path(goal).filter(|_| open);
                    steps += path.as_ref().map_or(0, |path| path.steps() as u64);
                    paths.push(path);
                }
                (paths.len() == goals.len()).then(|| Reply::Each(std::mem::take(paths)))
            }
            (Wanted::Path(_) | Wanted::Nearest(_), None) => None,
        };
        if reply.is_some() {
            *entry = None;
            self.replies.push((index, reply));
        }
        steps / STEPS_A_UNIT
    }
}
