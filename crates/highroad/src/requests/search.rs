//! The search for one request: begun with the first planner that is ready, and continued slice by slice.

use super::Wanted;
use super::queue::Entry;
use crate::planners::Planners;
use highroad_core::{
    Answer, Grid, Path, Planner, Progress, Query, QueryError, Scratch, online_search,
};

/// What beginning a search counts, so that many short ones use up a budget as well.
const BEGINNING: u64 = 16;
/// Times that an edit may make a search begin anew before it is searched to its end at once.
const RESTARTS_MAX: u32 = 3;
/// Stands for the exact search on the grid itself.
const ONLINE: usize = usize::MAX;

/// A search for one request.
#[derive(Default)]
pub(super) struct Search {
    /// `None` once nobody wants it.
    pub(super) entry: Option<u32>,
    scratch: Scratch,
    /// Which planner it has begun with.
    planner: Option<usize>,
    restarts: u32,
    pub(super) found: Found,
}

/// What a slice has brought.
#[derive(Default)]
pub(super) enum Found {
    #[default]
    Nothing,
    Leg(Path),
    Answer(Result<Answer, QueryError>),
}

/// What units read while they work.
pub(super) struct Around<'w> {
    pub(super) grid: &'w Grid,
    pub(super) planners: &'w Planners,
    pub(super) entries: &'w [Entry],
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
    pub(super) fn begin(&mut self, entry: u32) {
        self.entry = Some(entry);
        self.planner = None;
        self.restarts = 0;
        self.found = Found::Nothing;
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.scratch.memory_bytes()
    }

    /// Goes on for a slice, beginning (anew) where need be. Returns the expansions that took.
    pub(super) fn advance(&mut self, around: &Around<'_>, slice: u64) -> u64 {
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
