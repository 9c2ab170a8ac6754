//! Working on requests: a few at a time, each on a slice, on as many threads as there are.

use super::queue::{Entry, Requests, Turn};
use super::shared::{FieldUnit, Purpose};
use super::{Budget, Reply, TickReport, Wanted};
use crate::planners::Planners;
use highroad_core::{
    Answer, Cell, Grid, Path, Planner, Progress, Query, QueryError, Scratch, online_search,
};
#[cfg(feature = "rayon")]
use rayon::prelude::*;
use std::time::Instant;

/// Requests that are worked on at a time. A constant, since what a tick does must not depend on the number
/// of cores; each search has working memory of its own.
const UNITS_MAX: usize = 8;
/// Expansions between two looks at the queue and the clock: a tenth of a millisecond or less.
const SLICE: u64 = 512;
/// What beginning a search counts, so that many short ones use up a budget as well.
const BEGINNING: u64 = 16;
/// Times that an edit may make a search begin anew before it is searched to its end at once.
const RESTARTS_MAX: u32 = 3;
/// Stands for the exact search on the grid itself.
const ONLINE: usize = usize::MAX;

/// One piece of work in progress.
pub(super) struct Unit {
    /// The turn of the request it was begun for.
    turn: Turn,
    pub(super) task: Task,
    spent: u64,
}

pub(super) enum Task {
    Search(Box<Search>),
    Field(Box<FieldUnit>),
}

/// A search for one request.
#[derive(Default)]
pub(super) struct Search {
    /// `None` once nobody wants it.
    entry: Option<u32>,
    scratch: Scratch,
    /// Which planner it has begun with.
    planner: Option<usize>,
    restarts: u32,
    found: Found,
}

/// What a slice has brought.
#[derive(Default)]
enum Found {
    #[default]
    Nothing,
    Leg(Path),
    Answer(Result<Answer, QueryError>),
}

/// What units read while they work.
struct Around<'w> {
    grid: &'w Grid,
    planners: &'w Planners,
    entries: &'w [Entry],
}

impl Around<'_> {
    fn planner(&self, number: usize) -> Option<&dyn Planner> {
        if number == ONLINE {
            return Some(online_search(self.grid));
        }
        self.planners.get(number).map(|planner| &**planner)
    }

    /// Begins a query with the first planner, from that number on, that knows the grid.
    fn begin(
        &self,
        query: &Query,
        scratch: &mut Scratch,
        first: usize,
    ) -> Result<usize, QueryError> {
        for number in (first..self.planners.len()).chain([ONLINE]) {
            let Some(planner) = self.planner(number) else { continue };
            match planner.begin(self.grid, query, scratch) {
                Err(QueryError::Stale) => {}
                begun => return begun.map(|()| number),
            }
        }
        Err(QueryError::Stale)
    }
}

impl Requests {
    /// Works on requests until the budget is used up, or all are answered.
    pub(crate) fn work(&mut self, grid: &Grid, planners: &Planners, budget: Budget) -> TickReport {
        let begun = budget.micros.map(|micros| (Instant::now(), u128::from(micros)));
        let mut report = TickReport::default();
        let waiting = self.waiting();
        loop {
            let out_of_time = begun.is_some_and(|(at, most)| at.elapsed().as_micros() >= most);
            let left = budget.expansions.saturating_sub(report.expansions);
            if left == 0 || out_of_time {
                break;
            }
            self.fill(grid);
            if self.units.is_empty() {
                break;
            }
            report.expansions += self.advance(grid, planners, left);
            self.settle(grid);
        }
        report.waiting = self.waiting();
        report.answered = (waiting - report.waiting) as u64;
        report
    }

    /// Begins work on the most urgent requests, putting less urgent ones back where there is no room.
    fn fill(&mut self, grid: &Grid) {
        while let Some((priority, sequence, index)) = self.peek() {
            if self.units.len() >= UNITS_MAX {
                let last = self.units.iter().map(|unit| unit.turn).min();
                match last {
                    Some(last) if last.0 < priority => self.put_back(last),
                    _ => return,
                }
            }
            let turn = (priority, sequence, index);
            let task = match &self.entries[index as usize].request.wanted {
                Wanted::Path(_) => match self.share(index, grid) {
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
                    match self.field_for(index, grid) {
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

    pub(super) fn push_unit(&mut self, turn: Turn, task: Task) {
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
    fn advance(&mut self, grid: &Grid, planners: &Planners, left: u64) -> u64 {
        let Self { units, entries, .. } = self;
        let around = Around { grid, planners, entries };
        let urgency = units.iter().map(|unit| unit.turn.0).max();
        let is_urgent = |unit: &Unit| Some(unit.turn.0) == urgency;
        let working = units.iter().filter(|unit| is_urgent(unit)).count();
        let slice = (left / working.max(1) as u64).clamp(1, SLICE);
        let step = |unit: &mut Unit| {
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
    fn settle(&mut self, grid: &Grid) {
        for at in 0..self.units.len() {
            match &mut self.units[at].task {
                Task::Search(search) => {
                    let Some(entry) = search.entry else { continue };
                    match std::mem::replace(&mut search.found, Found::Nothing) {
                        Found::Nothing => {}
                        Found::Leg(leg) => self.entries[entry as usize].leg = Some(leg),
                        Found::Answer(answer) => {
                            search.entry = None;
                            self.answer(entry, reply(answer));
                        }
                    }
                }
                Task::Field(_) => self.settle_field(at, grid),
            }
        }
        self.clear_idle_units();
    }
}

fn reply(answer: Result<Answer, QueryError>) -> Reply {
    match answer {
        Ok(Answer::Found(path)) => Reply::Ready(path),
        Ok(Answer::Unreachable { nearest }) => Reply::Unreachable(nearest),
        Ok(Answer::LimitReached { nearest }) => Reply::GaveUp(nearest),
        Err(error) => Reply::Failed(error.into()),
    }
}

impl Unit {
    /// Goes on for a slice. Returns the expansions that took.
    fn advance(&mut self, around: &Around<'_>, slice: u64) -> u64 {
        match &mut self.task {
            Task::Search(search) => search.advance(around, slice),
            Task::Field(unit) => unit.advance(around.grid, slice),
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
    pub(super) fn sharing(&mut self, goal: Cell) -> Option<&mut Vec<u32>> {
        match &mut self.task {
            Task::Field(unit) => match &mut unit.purpose {
                Purpose::Goal { goal: own, entries } if *own == goal => Some(entries),
                _ => None,
            },
            Task::Search(_) => None,
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        match &self.task {
            Task::Search(search) => search.memory_bytes(),
            Task::Field(unit) => unit.field.memory_bytes(),
        }
    }
}

/// What it counts to fill in the cells of a path: a hierarchy expands few nodes and then walks over all
/// of them, twice as fast as others expand.
fn filling_in(progress: &Progress) -> u64 {
    let (Progress::Leg(path)
    | Progress::Done(
        Answer::Found(path)
        | Answer::Unreachable { nearest: path }
        | Answer::LimitReached { nearest: path },
    )) = progress
    else {
        return 0;
    };
    path.steps() as u64 / 2
}

impl Search {
    /// Makes ready for a request, in the memory of another.
    fn begin(&mut self, entry: u32) {
        self.entry = Some(entry);
        self.planner = None;
        self.restarts = 0;
        self.found = Found::Nothing;
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.scratch.memory_bytes()
    }

    /// Goes on for a slice, beginning (anew) where need be. Returns the expansions that took.
    fn advance(&mut self, around: &Around<'_>, slice: u64) -> u64 {
        let Some(entry) = self.entry else { return 0 };
        let Wanted::Path(query) = &around.entries[entry as usize].request.wanted else { return 0 };
        let mut spent = 0;
        // A planner that begins on a grid and then calls itself stale would go on like that for ever.
        let first = if self.restarts > 2 * RESTARTS_MAX { ONLINE } else { 0 };
        // Once on what it had begun, and once afresh.
        for _ in 0..2 {
            let number = match self.planner {
                Some(number) => number,
                None => match around.begin(query, &mut self.scratch, first) {
                    Ok(number) => {
                        spent += BEGINNING;
                        *self.planner.insert(number)
                    }
                    Err(error) => {
                        self.found = Found::Answer(Err(error));
                        return spent + BEGINNING;
                    }
                },
            };
            let slice = if self.restarts > RESTARTS_MAX { u64::MAX } else { slice };
            let before = self.scratch.statistics().expanded;
            let progress = match around.planner(number) {
                Some(planner) => planner.advance(around.grid, &mut self.scratch, slice),
                None => Progress::Stale,
            };
            if progress != Progress::Stale {
                spent += self.scratch.statistics().expanded.saturating_sub(before);
                spent += filling_in(&progress);
                self.found = match progress {
                    Progress::Leg(leg) => Found::Leg(leg),
                    Progress::Done(answer) => Found::Answer(Ok(answer)),
                    Progress::Running | Progress::Stale => Found::Nothing,
                };
                return spent.max(1);
            }
            self.planner = None;
            self.restarts += 1;
        }
        spent.max(1)
    }
}
