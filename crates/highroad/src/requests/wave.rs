//! Working on requests: a few at a time, each on a slice, on as many threads as there are.

use super::queue::Turn;
use super::search::{Around, Found};
use super::unit::{Task, Unit};
use super::{Budget, Reply, ReplyOf, RequestError, Requests, TickReport, Wanted};
use crate::living::{Living, Refused};
use crate::planners::Planners;
use highroad_core::Answer;
#[cfg(feature = "rayon")]
use rayon::prelude::*;
use std::time::Instant;

/// Requests that are worked on at a time. A constant, since what a tick does must not depend on the number
/// of cores; each search has working memory of its own.
pub(super) const UNITS_MAX: usize = 8;
/// Expansions between two looks at the queue and the clock: a tenth of a millisecond or less.
const SLICE: u64 = 512;

impl<E: Living> Requests<E> {
    /// Works on requests until the budget is used up, or all are answered.
    pub(crate) fn work(
        &mut self,
        kinds: &[E],
        planners: &Planners<E>,
        budget: Budget,
    ) -> TickReport {
        let begun = budget.micros.map(|micros| (Instant::now(), u128::from(micros)));
        let mut report = TickReport::default();
        let waiting = self.waiting();
        loop {
            let out_of_time = begun.is_some_and(|(at, most)| at.elapsed().as_micros() >= most);
            let left = budget.expansions.saturating_sub(report.expansions);
            if left == 0 || out_of_time {
                break;
            }
            self.fill(kinds);
            if self.units.is_empty() {
                break;
            }
            report.expansions += self.advance(kinds, planners, left);
            self.settle(kinds);
        }
        report.waiting = self.waiting();
        report.answered = (waiting - report.waiting) as u64;
        report
    }

    /// Begins work on the most urgent requests, putting less urgent ones back where there is no room.
    fn fill(&mut self, kinds: &[E]) {
        while let Some((priority, sequence, index)) = self.peek() {
            if self.units.len() >= UNITS_MAX {
                let last = self.units.iter().map(|unit| unit.turn).min();
                match last {
                    Some(last) if last.0 < priority => self.put_back(last),
                    _ => return,
                }
            }
            let turn = (priority, sequence, index);
            let request = &self.entries[index as usize].request;
            if request.kind.index() >= kinds.len() {
                let reply = Reply::Failed(RequestError::NoSuchKind(request.kind));
                self.leave_queue(index);
                self.answer(index, reply);
                continue;
            }
            let task = match &request.wanted {
                Wanted::Path(_) | Wanted::Nearest(_) => match self.share(index, kinds) {
                    // A field works on it already, or will.
                    Ok(()) => continue,
                    Err(()) => {
                        self.leave_queue(index);
                        let mut search = self.spare.pop().unwrap_or_default();
                        search.begin(index);
                        Task::Search(search)
                    }
                },
                Wanted::Each { .. } | Wanted::Range { .. } => {
                    self.leave_queue(index);
                    match self.field_for(index, kinds) {
                        Ok(unit) => Task::Field(Box::new(unit)),
                        Err(error) => {
                            self.answer(index, Reply::Failed(error.into()));
                            continue;
                        }
                    }
                }
            };
            self.push_unit(turn, task);
        }
    }

    pub(super) fn push_unit(&mut self, turn: Turn, task: Task<E>) {
        self.units.push(Unit { turn, task, spent: 0 });
    }

    /// Puts the requests of a unit back into the queue; what it has done so far is lost.
    fn put_back(&mut self, turn: Turn) {
        let Some(at) = self.units.iter().position(|unit| unit.turn == turn) else { return };
        match self.units.remove(at).task {
            Task::Search(search) => {
                search.entry.into_iter().for_each(|entry| self.enqueue(entry));
                self.spare.push(search);
            }
            Task::Field(unit) => {
                unit.entries().for_each(|entry| self.enqueue(entry));
                self.keep(*unit);
            }
        }
    }

    /// Lets the most urgent units go on for a slice, which together does not exceed what is `left`;
    /// others wait for them. Returns the expansions that took.
    fn advance(&mut self, kinds: &[E], planners: &Planners<E>, left: u64) -> u64 {
        let Self { units, entries, .. } = self;
        let around = Around { kinds, planners, entries };
        let urgency = units.iter().map(|unit| unit.turn.0).max();
        let is_urgent = |unit: &Unit<E>| Some(unit.turn.0) == urgency;
        let working = units.iter().filter(|unit| is_urgent(unit)).count();
        let slice = (left / working.max(1) as u64).clamp(1, SLICE);
        let step = |unit: &mut Unit<E>| {
            unit.spent = if is_urgent(unit) { unit.advance(&around, slice) } else { 0 };
        };
        #[cfg(feature = "rayon")]
        if working > 1 && rayon::current_num_threads() > 1 {
            units.par_iter_mut().with_max_len(1).for_each(step);
        } else {
            units.iter_mut().for_each(step);
        }
        #[cfg(not(feature = "rayon"))]
        units.iter_mut().for_each(step);
        units.iter().map(|unit| unit.spent).sum()
    }

    /// Hands out what units have found, in the order they were begun.
    fn settle(&mut self, kinds: &[E]) {
        for at in 0..self.units.len() {
            match &mut self.units[at].task {
                Task::Search(search) => {
                    let Some(entry) = search.entry else { continue };
                    match std::mem::replace(&mut search.found, Found::Nothing) {
                        Found::Nothing => {}
                        Found::Leg(leg) => self.entries[entry as usize].add_leg(leg),
                        Found::Answer(answer) => {
                            search.entry = None;
                            self.answer(entry, reply::<E>(answer));
                        }
                    }
                }
                Task::Field(_) => self.settle_field(at, kinds),
            }
        }
        self.clear_idle_units();
    }

    /// Removes units that work for nobody, keeping their memory.
    pub(super) fn clear_idle_units(&mut self) {
        let mut at = 0;
        while at < self.units.len() {
            if self.units[at].is_wanted() {
                at += 1;
                continue;
            }
            // In order, so that units go on in the order they began.
            match self.units.remove(at).task {
                Task::Search(search) => self.spare.push(search),
                Task::Field(unit) => self.keep(*unit),
            }
        }
    }
}

fn reply<E: Living>(answer: Result<Answer<E::Place>, Refused<E>>) -> ReplyOf<E> {
    match answer {
        Ok(Answer::Found(path)) => Reply::Ready(path),
        Ok(Answer::Unreachable { nearest }) => Reply::Unreachable(nearest),
        Ok(Answer::LimitReached { nearest }) => Reply::GaveUp(nearest),
        Err(error) => Reply::Failed(error.into()),
    }
}
