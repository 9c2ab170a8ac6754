//! The search for one request: begun with the first planner that is ready, and continued slice by slice.

use super::Wanted;
use super::queue::Entry;
use crate::field_paths::open_goals;
use crate::living::{Living, Refused};
use crate::planners::Planners;
use highroad_core::{Answer, KindId, Path, PathQuery, Planner, Progress, QueryError, Scratch};
use std::sync::Arc;

/// What beginning a search counts, so that many short ones use up a budget as well.
const BEGINNING: u64 = 16;
/// Times that an edit may make a search begin again before it goes on on the map as it was,
const RESTARTS_MAX: u32 = 3;
/// and times that this may come to nothing before it is searched to its end at once.
const FROZEN_MAX: u32 = 3;
/// Stands for the exact search on the environment itself.
const ONLINE: usize = usize::MAX;

/// A search for one request.
pub(super) struct Search<E: Living> {
    /// `None` once nobody wants it.
    pub(super) entry: Option<u32>,
    scratch: Scratch,
    /// Which planner it has begun with.
    planner: Option<usize>,
    restarts: u32,
    /// What it searches where edits have made it begin again too often.
    frozen: Option<Box<Frozen<E>>>,
    pub(super) found: Found<E>,
}

/// The map as it was when a search began, and the planner that knew it; `None`: the exact search. What is found on it is
/// an answer if it can be walked on the map as it is, at the same cost.
struct Frozen<E: Living> {
    environment: E,
    planner: Option<Arc<dyn Planner<E>>>,
}

impl<E: Living> Default for Search<E> {
    fn default() -> Self {
        let (entry, planner, restarts) = (None, None, 0);
        let (scratch, found) = (Scratch::new(), Found::Nothing);
        Self { entry, scratch, planner, restarts, frozen: None, found }
    }
}

/// What a slice has brought.
pub(super) enum Found<E: Living> {
    Nothing,
    Leg(Path<E::Place>),
    Answer(Result<Answer<E::Place>, Refused<E>>),
}

/// What units read while they work.
pub(super) struct Around<'w, E: Living> {
    /// The environment of each kind of agent.
    pub(super) kinds: &'w [E],
    pub(super) planners: &'w Planners<E>,
    pub(super) entries: &'w [Entry<E>],
}

impl<E: Living> Around<'_, E> {
    fn planner(&self, number: usize, kind: KindId) -> Option<&dyn Planner<E>> {
        if number == ONLINE {
            return Some(self.kinds[kind.index()].exact_search());
        }
        self.planners.get(number, kind).map(|planner| &**planner)
    }

    /// Begins a query with the first planner, from that number on, that knows the environment.
    fn begin(
        &self,
        query: &PathQuery<E::Place>,
        kind: KindId,
        scratch: &mut Scratch,
        first: usize,
    ) -> Result<usize, Refused<E>> {
        let environment = &self.kinds[kind.index()];
        for number in (first..self.planners.len()).chain([ONLINE]) {
            let Some(planner) = self.planner(number, kind) else { continue };
            match planner.begin(environment, query, scratch) {
                Err(QueryError::Stale) => {}
                begun => return begun.map(|()| number),
            }
        }
        Err(QueryError::Stale)
    }
}

/// What it counts at least to write the cells of a path, for planners that do not count it themselves.
fn filling_in<P: Copy>(progress: &Progress<P>) -> u64 {
    let (Progress::Leg(path)
    | Progress::Done(
        Answer::Found(path)
        | Answer::Unreachable { nearest: path }
        | Answer::LimitReached { nearest: path },
    )) = progress
    else {
        return 0;
    };
    path.steps() as u64 / 16
}

impl<E: Living> Search<E> {
    /// Makes ready for a request, in the memory of another.
    pub(super) fn begin(&mut self, entry: u32) {
        self.entry = Some(entry);
        self.planner = None;
        self.restarts = 0;
        self.frozen = None;
        self.found = Found::Nothing;
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.scratch.memory_bytes()
    }

    /// Goes on for a slice, beginning (again) where need be. Returns the expansions that took.
    pub(super) fn advance(&mut self, around: &Around<'_, E>, slice: u64) -> u64 {
        let Some(entry) = self.entry else { return 0 };
        let request = &around.entries[entry as usize].request;
        let kind = request.kind;
        let query = match &request.wanted {
            Wanted::Path(query) | Wanted::Nearest(query) => query,
            Wanted::Each { .. } | Wanted::Range { .. } => return 0,
        };
        let mut spent = 0;
        if self.frozen.is_some() {
            return self.advance_frozen(around, kind, slice);
        }
        // A planner that begins on a grid and then calls itself stale would go on like that for ever.
        let first = if self.restarts > 3 * RESTARTS_MAX { ONLINE } else { 0 };
        // On what it had begun; else it begins, and goes on with that.
        for _ in 0..3 {
            let number = match self.planner {
                Some(number) => number,
                None => {
                    // Each time that it begins, since an edit may have blocked a goal.
                    let passes_over = matches!(request.wanted, Wanted::Nearest(_));
                    let environment = &around.kinds[kind.index()];
                    let open = passes_over.then(|| open_goals(environment, query.clone()));
                    let query = open.as_ref().unwrap_or(query);
                    spent += BEGINNING;
                    match around.begin(query, kind, &mut self.scratch, first) {
                        Ok(number) => self.planner = Some(number),
                        Err(error) => {
                            self.found = Found::Answer(Err(error));
                            return spent;
                        }
                    }
                    if self.freeze(around, kind) {
                        return spent;
                    }
                    continue;
                }
            };
            let at_once = self.restarts > RESTARTS_MAX + FROZEN_MAX;
            let slice = if at_once { u64::MAX } else { slice };
            let before = self.scratch.statistics().work();
            let progress = match around.planner(number, kind) {
                Some(planner) => {
                    planner.advance(&around.kinds[kind.index()], &mut self.scratch, slice)
                }
                None => Progress::Stale,
            };
            if progress != Progress::Stale {
                let work = self.scratch.statistics().work().saturating_sub(before);
                spent += work.max(filling_in(&progress));
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

    /// Keeps the map as it is for a search that has just begun, if edits have made it begin too often. Returns whether
    /// it has.
    fn freeze(&mut self, around: &Around<'_, E>, kind: KindId) -> bool {
        let too_often = (RESTARTS_MAX + 1..=RESTARTS_MAX + FROZEN_MAX).contains(&self.restarts);
        if too_often && let Some(number) = self.planner {
            let environment = around.kinds[kind.index()].clone();
            let planner = around.planners.get(number, kind).cloned();
            self.frozen = Some(Box::new(Frozen { environment, planner }));
        }
        too_often
    }

    /// The same on the map as it was. If what is found is no answer any more, the search begins again.
    fn advance_frozen(&mut self, around: &Around<'_, E>, kind: KindId, slice: u64) -> u64 {
        let Some(frozen) = &self.frozen else { return 0 };
        let before = self.scratch.statistics().work();
        let planner = match &frozen.planner {
            Some(planner) => &**planner,
            None => frozen.environment.exact_search(),
        };
        let progress = planner.advance(&frozen.environment, &mut self.scratch, slice);
        let work = self.scratch.statistics().work().saturating_sub(before);
        let spent = work.max(filling_in(&progress)).max(1);
        let answer = match progress {
            // A leg is a promise, which the map as it is might not keep.
            Progress::Running | Progress::Leg(_) => return spent,
            Progress::Done(answer) => Some(answer),
            Progress::Stale => None,
        };
        let environment = &around.kinds[kind.index()];
        let answer = if frozen.environment.edition() == environment.edition() {
            answer
        } else {
            answer
                .and_then(Answer::path)
                .filter(|path| {
                    environment.price(path.places()).is_ok_and(|cost| cost == path.cost())
                })
                .map(|path| {
                    let (places, cost) = (path.places().to_vec(), path.cost());
                    Answer::Found(Path::vouched(places, cost, environment.revision()))
                })
        };
        self.frozen = None;
        match answer {
            Some(answer) => self.found = Found::Answer(Ok(answer)),
            None => {
                self.planner = None;
                self.restarts += 1;
            }
        }
        spent
    }
}
