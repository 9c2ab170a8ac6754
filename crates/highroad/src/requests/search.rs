//! The search for one request: begun with the first planner that is ready, and continued slice by slice.

use super::Wanted;
use super::held::{Held, HeldEnvironment, HeldPlanner, walkable_part};
use super::queue::Entry;
use super::slices::Slices;
use crate::field_paths::open_goals;
use crate::living::{Living, Refused};
use crate::planners::Planners;
use highroad_core::{
    Answer, Edition, KindId, Path, PathQuery, Planner, Progress, QueryError, Scratch,
};
use std::sync::Arc;

/// What beginning a search counts, so that many short ones use up a budget as well.
const BEGINNING: u64 = 16;
/// Times that an edit may make a search begin again before it goes on in the environment as it was.
const RESTARTS_MAX: u32 = 3;
/// Times that a search may begin again at all. The last few have gone on in the environment as it was, and found a path
/// that cannot be walked any more.
const BEGINNINGS_MAX: u32 = 2 * RESTARTS_MAX;
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
    /// What it goes on with, whatever edits come.
    pub(super) held: Option<Box<Held<E>>>,
    /// Whose code runs, in case that it panics.
    at_work: usize,
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
            held: None,
            at_work: ONLINE,
            found: Found::Nothing,
        }
    }
}

/// What a slice has brought.
pub(super) enum Found<E: Living> {
    Nothing,
    Leg(Path<E::Place>),
    Answer(Result<Answer<E::Place>, Refused<E>>),
    /// The planner of that number has panicked, with that message; which one, if it may have been replaced since.
    Panicked(usize, Option<u64>, String),
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

    /// What a search that has just begun with the planner of that number can go on with, whatever edits come.
    fn hold(&self, number: usize, kind: KindId) -> Box<Held<E>> {
        let held = |planner: &Arc<dyn Planner<E>>| {
            let recipe = self.planners.recipe(number)?;
            Some(HeldPlanner { planner: Arc::clone(planner), recipe: Arc::clone(recipe) })
        };
        let planner = self.planners.get(number, kind).and_then(held);
        Box::new(Held { place: HeldEnvironment::of(&self.kinds[kind.index()]), planner })
    }

    /// Begins a query with the first planner, from that number on, that knows the environment.
    fn begin(
        &self,
        query: &PathQuery<E::Place>,
        kind: KindId,
        scratch: &mut Scratch,
        first: usize,
        at_work: &mut usize,
    ) -> Result<usize, Refused<E>> {
        let environment = &self.kinds[kind.index()];
        for number in (first..self.planners.len()).chain([ONLINE]) {
            let Some(planner) = self.planner(number, kind) else { continue };
            *at_work = number;
            match planner.begin(environment, query, scratch) {
                Err(QueryError::Stale) => {}
                begun => return begun.map(|()| number),
            }
        }
        Err(QueryError::Stale)
    }
}

/// The path that a slice has brought.
fn path_of<P: Copy>(progress: &Progress<P>) -> Option<&Path<P>> {
    match progress {
        Progress::Leg(path)
        | Progress::Done(
            Answer::Found(path)
            | Answer::Unreachable { nearest: path }
            | Answer::LimitReached { nearest: path },
        ) => Some(path),
        Progress::Running | Progress::Stale => None,
    }
}

/// What it counts at least to write the cells of a path, for planners that do not count it themselves.
fn filling_in<P: Copy>(progress: &Progress<P>) -> u64 {
    path_of(progress).map_or(0, |path| path.steps() as u64 / 16)
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
        self.held = None;
        self.found = Found::Nothing;
    }

    /// Gives up what it holds of the world: it works for nobody any more.
    pub(super) fn rest(&mut self) -> Option<Box<Held<E>>> {
        self.held.take()
    }

    /// A search that goes on where this one stands, in memory of its own.
    pub(super) fn copy(&self) -> Self {
        let (planner, begun_on, slices) = (self.planner, self.begun_on, self.slices.clone());
        let copy = Self::repeating(self.entry, planner, begun_on, slices, self.restarts);
        Self { held: self.held.clone(), ..copy }
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
        let (planner, environment) = match &self.held {
            Some(held) => (held.planner(), &held.place.environment),
            None if self.begun_on != Some(context.state(number, kind)) => return,
            None => {
                let Some(planner) = context.planner(number, kind) else { return };
                (planner, &context.kinds[kind.index()])
            }
        };
        self.at_work = number;
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

    /// Throws away what a panic has left half done.
    pub(super) fn note_panic(&mut self, message: String) {
        self.scratch = Scratch::new();
        self.planner = None;
        let held = self.held.take();
        let swap = held.and_then(|_| self.begun_on.map(|(_, swap)| swap));
        self.found = Found::Panicked(self.at_work, swap, message);
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
        let environment = &context.kinds[kind.index()];
        let passes_over = matches!(request.wanted, Wanted::Nearest(_));
        // Each time that it begins, since an edit may have blocked a goal.
        let open_query = |place: &E| passes_over.then(|| open_goals(place, query.clone()));
        if std::mem::take(&mut self.repeats) {
            let place = self.held.as_ref().map(|held| held.place.environment.clone());
            let open = open_query(place.as_ref().unwrap_or(environment));
            self.repeat(context, open.as_ref().unwrap_or(query), kind);
        }
        if let (Some(held), Some(number)) = (&self.held, self.planner)
            && !held.may_go_on(number, context.planners)
        {
            self.begin_again();
        }
        let mut spent = 0;
        // The part of a path that can still be walked.
        let mut part = None;
        // A planner that begins on a grid and then calls itself stale would go on like that for ever.
        let first = if self.restarts > BEGINNINGS_MAX { ONLINE } else { 0 };
        // Once on what it had begun, and once afresh.
        for _ in 0..2 {
            let number = match self.planner {
                Some(number) => number,
                None => {
                    let open = open_query(environment);
                    let query = open.as_ref().unwrap_or(query);
                    spent += BEGINNING;
                    match context.begin(query, kind, &mut self.scratch, first, &mut self.at_work) {
                        Ok(number) => self.note_beginning(context, number, kind),
                        Err(error) => {
                            self.found = Found::Answer(Err(error));
                            return spent;
                        }
                    }
                }
            };
            if let Some(nearest) = part.take() {
                self.found = Found::Answer(Ok(Answer::LimitReached { nearest }));
                return spent;
            }
            self.at_work = number;
            let before = self.scratch.statistics().work();
            let progress = self.go_on(context, number, kind, slice);
            if progress != Progress::Stale {
                self.slices.push(slice);
                let work = self.scratch.statistics().work().saturating_sub(before);
                spent += work.max(filling_in(&progress));
                let outdated =
                    self.held.as_ref().is_some_and(|held| held.place.is_outdated(environment));
                match path_of(&progress).filter(|_| outdated) {
                    Some(path) if !self.may_hand_out(environment, path) => {
                        let last = self.restarts >= BEGINNINGS_MAX;
                        part = last.then(|| walkable_part(environment, path));
                    }
                    _ => {
                        self.found = match progress {
                            Progress::Leg(leg) => Found::Leg(leg),
                            Progress::Done(answer) => Found::Answer(Ok(answer)),
                            Progress::Running | Progress::Stale => Found::Nothing,
                        };
                        return spent.max(1);
                    }
                }
            }
            self.begin_again();
        }
        spent.max(1)
    }

    /// Goes on for a slice with what it has begun.
    fn go_on(
        &mut self,
        context: &SearchContext<'_, E>,
        number: usize,
        kind: KindId,
        slice: u64,
    ) -> Progress<E::Place> {
        if let Some(held) = &self.held {
            let environment = &held.place.environment;
            return held.dated(held.planner().advance(environment, &mut self.scratch, slice));
        }
        match context.planner(number, kind) {
            Some(planner) => {
                planner.advance(&context.kinds[kind.index()], &mut self.scratch, slice)
            }
            None => Progress::Stale,
        }
    }

    /// Takes note of the planner that it has begun with. Returns its number.
    fn note_beginning(
        &mut self,
        context: &SearchContext<'_, E>,
        number: usize,
        kind: KindId,
    ) -> usize {
        self.begun_on = Some(context.state(number, kind));
        self.slices.clear();
        self.held = (self.restarts > RESTARTS_MAX).then(|| context.hold(number, kind));
        *self.planner.insert(number)
    }

    /// Whether a path of an older revision is handed out: if it can be walked, at the same cost as long as there is hope
    /// for a better one.
    fn may_hand_out(&self, environment: &E, path: &Path<E::Place>) -> bool {
        let last = self.restarts >= BEGINNINGS_MAX;
        environment.price(path.places()).is_ok_and(|cost| cost == path.cost() || last)
    }

    /// Forgets what it has done so far.
    fn begin_again(&mut self) {
        self.planner = None;
        self.held = None;
        self.restarts += 1;
    }
}
