//! Working on requests: a few at a time, each on a slice, on as many threads as there are.

use super::queue::Turn;
use super::search::{Found, ONLINE, SearchContext};
use super::unit::{Task, Unit};
use super::{Budget, Reply, ReplyOf, RequestError, Requests, TickReport, Wanted};
use crate::clock::Clock;
use crate::living::{Living, Refused};
use crate::planners::{PlannerFault, Planners};
use highroad_core::Answer;
#[cfg(feature = "rayon")]
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Requests that are worked on at a time. A constant, since what a tick does must not depend on the number
/// of cores; each search has working memory of its own.
pub(super) const UNITS_MAX: usize = 8;
/// Expansions between two looks at the queue.
const SLICE: u64 = 512;
/// Expansions between two looks at the clock, where the budget is in time: some microseconds.
const CLOCK_SLICE: u64 = 16;

/// When a tick must end.
#[derive(Clone, Copy)]
pub(crate) struct Deadline<'t> {
    clock: Clock,
    /// When it begins and ends.
    time: Option<(Duration, Duration)>,
    /// Set when the clock panics, on whatever thread.
    clock_panicked: &'t AtomicBool,
}

impl<'t> Deadline<'t> {
    /// That of a tick which begins now.
    pub(crate) fn of(budget: Budget, clock: Clock, clock_panicked: &'t AtomicBool) -> Self {
        let mut this = Self { clock, time: None, clock_panicked };
        this.time = budget.micros.map(|micros| {
            let begin = this.now().unwrap_or_default();
            (begin, begin.saturating_add(Duration::from_micros(micros)))
        });
        this
    }

    /// Whether it is over. It is as well if the clock was set back or has panicked: nobody knows how long it would go on.
    pub(crate) fn has_passed(self) -> bool {
        self.time.is_some_and(|(begin, end)| {
            self.clock_panicked.load(Ordering::Relaxed)
                || self.now().is_none_or(|now| now >= end || now < begin)
        })
    }

    fn now(&self) -> Option<Duration> {
        let now = self.clock.read();
        if now.is_none() {
            self.clock_panicked.store(true, Ordering::Relaxed);
        }
        now
    }

    /// At most so many expansions until the next look at the clock.
    fn slice(self, slice: u64) -> u64 {
        if self.time.is_some() { slice.min(CLOCK_SLICE) } else { slice }
    }
}

impl<E: Living> Requests<E> {
    /// Works on requests until the budget is used up, or all are answered, or a planner panics: that one must be taken
    /// out before work goes on.
    pub(crate) fn work(
        &mut self,
        kinds: &[E],
        planners: &Planners<E>,
        budget: Budget,
        deadline: Deadline<'_>,
        report: &mut TickReport,
    ) -> Vec<PlannerFault> {
        let (waiting, mut faults) = (self.waiting(), Vec::new());
        while faults.is_empty() {
            let left = budget.expansions.saturating_sub(report.expansions);
            if left == 0 || deadline.has_passed() {
                break;
            }
            if let Some(held) = self.retired.pop() {
                // It counts as no expansions: a clone of this world has nothing to free.
                drop(held);
                continue;
            }
            report.expansions += self.fill(kinds, deadline);
            if self.units.is_empty() {
                break;
            }
            report.expansions += self.advance(kinds, planners, left, deadline);
            self.settle(planners, &mut faults);
        }
        report.waiting = self.waiting();
        report.answered += (waiting - report.waiting) as u64;
        faults
    }

    /// Begins work on the most urgent requests, putting less urgent ones back where there is no room. Returns what that
    /// counts.
    fn fill(&mut self, kinds: &[E], deadline: Deadline<'_>) -> u64 {
        let mut looked_at = 0;
        while let Some((priority, sequence, index)) = self.peek() {
            looked_at += 1;
            if looked_at % LOOKS_A_UNIT == 0 && deadline.has_passed() {
                break;
            }
            if self.units.len() >= UNITS_MAX {
                let last = self.units.iter().map(|unit| unit.turn).min();
                match last {
                    Some(last) if last.0 < priority => self.put_back(last),
                    _ => break,
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
        looked_at / LOOKS_A_UNIT
    }

    pub(super) fn push_unit(&mut self, turn: Turn, task: Task<E>) {
        self.units.push(Unit { turn, task, spent: 0 });
    }

    /// Puts the requests of a unit back into the queue; what it has done so far is lost.
    fn put_back(&mut self, turn: Turn) {
        let Some(at) = self.units.iter().position(|unit| unit.turn == turn) else { return };
        match self.units.remove(at).task {
            Task::Search(mut search) => {
                search.entry.into_iter().for_each(|entry| self.enqueue(entry));
                self.retired.extend(search.rest());
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
    fn advance(
        &mut self,
        kinds: &[E],
        planners: &Planners<E>,
        left: u64,
        deadline: Deadline<'_>,
    ) -> u64 {
        let Self { units, entries, .. } = self;
        let context = SearchContext { kinds, planners, entries };
        let urgency = units.iter().map(|unit| unit.turn.0).max();
        let is_urgent = |unit: &Unit<E>| Some(unit.turn.0) == urgency;
        let working = units.iter().filter(|unit| is_urgent(unit)).count();
        let slice = (left / working.max(1) as u64).clamp(1, SLICE);
        let step = |unit: &mut Unit<E>| {
            unit.spent = 0;
            while is_urgent(unit) && unit.spent < slice && !unit.has_found() {
                if deadline.has_passed() {
                    break;
                }
                unit.spent += unit.advance(&context, deadline.slice(slice - unit.spent));
            }
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

    /// Hands out what units have found, in the order they were begun, and adds which planners have panicked.
    fn settle(&mut self, planners: &Planners<E>, faults: &mut Vec<PlannerFault>) {
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
                        Found::Panicked(ONLINE, ..) => {
                            search.entry = None;
                            self.answer(entry, Reply::Failed(RequestError::Panicked));
                        }
                        // It begins again, with another planner.
                        Found::Panicked(number, swap, message) => {
                            let swap = swap.unwrap_or_else(|| planners.swap(number));
                            faults.push(PlannerFault { number, swap, message });
                        }
                    }
                }
                Task::Field(_) => self.settle_field(at),
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
                Task::Search(mut search) => {
                    self.retired.extend(search.rest());
                    self.spare.push(search);
                }
                Task::Field(unit) => self.keep(*unit),
            }
        }
    }
}

/// Requests looked at that count as an expansion.
const LOOKS_A_UNIT: u64 = 4;

fn reply<E: Living>(answer: Result<Answer<E::Place>, Refused<E>>) -> ReplyOf<E> {
    match answer {
        Ok(Answer::Found(path)) => Reply::Ready(path),
        Ok(Answer::Unreachable { nearest }) => Reply::Unreachable(nearest),
        Ok(Answer::LimitReached { nearest }) => Reply::GaveUp(nearest),
        Err(error) => Reply::Failed(error.into()),
    }
}
