//! The search for one request: begun with the first planner that is ready, and continued slice by slice.

use super::Wanted;
use super::queue::Entry;
use super::slices::Slices;
use crate::field_paths::open_goals;
use crate::living::{Living, Refused};
use crate::planners::Planners;
use highroad_core::{
    Answer, Edition, KindId, Path, PathQuery, Planner, Progress, QueryError, Scratch,
};

/// What beginning a search counts, so that many short ones use up a budget as well.
const BEGINNING: u64 = 16;
/// Times that an edit may make a search begin again before it is searched to its end at once.
const RESTARTS_MAX: u32 = 3;
/// Stands for the exact search on the environment itself.
pub(super) const ONLINE: usize = usize::MAX;

/// A search for one request.
pub(super) struct Search<E: Living> {
    /// `None` once nobody wants it.
    pub(super) entry: Option<u32>,
    scratch: Scratch,
    /// Which planner it has begun with.
    pub(super) planner: Option<usize>,
    /// What it has begun on: the state of the environment, and which planner of that number.
    pub(super) begun_on: Option<(Edition, u64)>,
    pub(super) slices: Slices,
    /// Whether it is a copy that has yet to repeat what the original did.
    repeats: bool,
    pub(super) restarts: u32,
    pub(super) found: Found<E>,
}

impl<E: Living> Default for Search<E> {
    fn default() -> Self {
        Self {
            entry: None,
            scratch: Scratch::new(),
            planner: None,
            begun_on: None,
            slices: Slices::default(),
            repeats: false,
            restarts: 0,
            found: Found::Nothing,
        }
    }
}

/// What a slice has brought.
pub(super) enum Found<E: Living> {
    Nothing,
    Leg(Path<E::Place>),
    Answer(Result<Answer<E::Place>, Refused<E>>),
}

/// What units read while they work.
pub(super) struct SearchContext<'w, E: Living> {
    /// The environment of each kind of agent.
    pub(super) kinds: &'w [E],
    pub(super) planners: &'w Planners<E>,
    pub(super) entries: &'w [Entry<E>],
}

impl<E: Living> SearchContext<'_, E> {
    /// The state that a search begins on: that of the environment, and which planner has that number.
    fn state(&self, number: usize, kind: KindId) -> (Edition, u64) {
        (self.kinds[kind.index()].edition(), self.planners.swap(number))
    }

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
        self.begun_on = None;
        self.slices.clear();
        self.repeats = false;
        self.restarts = 0;
        self.found = Found::Nothing;
    }

    /// A search that goes on where this one stands, in memory of its own.
    pub(super) fn copy(&self) -> Self {
        let (planner, begun_on, slices) = (self.planner, self.begun_on, self.slices.clone());
        Self::repeating(self.entry, planner, begun_on, slices, self.restarts)
    }

    /// A search that first repeats what another has done.
    pub(super) fn repeating(
        entry: Option<u32>,
        planner: Option<usize>,
        begun_on: Option<(Edition, u64)>,
        slices: Slices,
        restarts: u32,
    ) -> Self {
        let repeats = true;
        Self { entry, planner, begun_on, slices, repeats, restarts, ..Self::default() }
    }

    /// Whether it could go on at once: nothing has changed since it began.
    pub(super) fn is_current(&self, kinds: &[E], planners: &Planners<E>, kind: KindId) -> bool {
        let Some(environment) = kinds.get(kind.index()) else { return false };
        let state = |number: usize| (environment.edition(), planners.swap(number));
        self.planner.is_some_and(|number| self.begun_on == Some(state(number)))
    }

    /// Does what the original has done. If the environment has changed since, there is nothing to go on with, and the
    /// search is begun again, as the original is.
    fn repeat(
        &mut self,
        context: &SearchContext<'_, E>,
        query: &PathQuery<E::Place>,
        kind: KindId,
    ) {
        let Some(number) = self.planner else { return };
        if self.begun_on != Some(context.state(number, kind)) {
            return;
        }
        let environment = &context.kinds[kind.index()];
        let Some(planner) = context.planner(number, kind) else { return };
        if planner.begin(environment, query, &mut self.scratch).is_ok() {
            for slice in self.slices.iter() {
                // Legs have been handed out, and an answer would have been.
                match planner.advance(environment, &mut self.scratch, slice) {
                    Progress::Running | Progress::Leg(_) => {}
                    Progress::Done(_) | Progress::Stale => return,
                }
            }
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.scratch.memory_bytes()
    }

    /// Goes on for a slice, beginning (again) where need be. Returns the expansions that took.
    pub(super) fn advance(&mut self, context: &SearchContext<'_, E>, slice: u64) -> u64 {
        let Some(entry) = self.entry else { return 0 };
        let request = &context.entries[entry as usize].request;
        let kind = request.kind;
        let query = match &request.wanted {
            Wanted::Path(query) | Wanted::Nearest(query) => query,
            Wanted::Each { .. } | Wanted::Range { .. } => return 0,
        };
        // Each time that it begins, since an edit may have blocked a goal.
        let environment = &context.kinds[kind.index()];
        let passes_over = matches!(request.wanted, Wanted::Nearest(_));
        let open_query = || passes_over.then(|| open_goals(environment, query.clone()));
        if std::mem::take(&mut self.repeats) {
            self.repeat(context, open_query().as_ref().unwrap_or(query), kind);
        }
        let mut spent = 0;
        // A planner that begins on a grid and then calls itself stale would go on like that for ever.
        let first = if self.restarts > 2 * RESTARTS_MAX { ONLINE } else { 0 };
        // Once on what it had begun, and once afresh.
        for _ in 0..2 {
            let number = match self.planner {
                Some(number) => number,
                None => {
                    let open = open_query();
                    let query = open.as_ref().unwrap_or(query);
                    match context.begin(query, kind, &mut self.scratch, first) {
                        Ok(number) => {
                            spent += BEGINNING;
                            self.begun_on = Some(context.state(number, kind));
                            self.slices.clear();
                            *self.planner.insert(number)
                        }
                        Err(error) => {
                            self.found = Found::Answer(Err(error));
                            return spent + BEGINNING;
                        }
                    }
                }
            };
            let slice = if self.restarts > RESTARTS_MAX { u64::MAX } else { slice };
            let before = self.scratch.statistics().work();
            let progress = match context.planner(number, kind) {
                Some(planner) => {
                    planner.advance(&context.kinds[kind.index()], &mut self.scratch, slice)
                }
                None => Progress::Stale,
            };
            if progress != Progress::Stale {
                self.slices.push(slice);
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
}
