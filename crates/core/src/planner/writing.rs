//! Writing the answer: the path as a list of places with its cost, slice by slice.
//!
//! A path may have as many places as the map has cells, so that even copying it takes longer than a slice. A planner
//! hands over the places as it has them; they are written out when it has returned.

use super::{Answer, Progress, answer_within};
use crate::environment::{Cost, Environment};
use crate::path::Path;
use crate::search::Run;

/// Places that are written for each unit of work.
const PLACES_A_UNIT: u64 = 16;

/// What a path that is written is the answer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The query, if it costs no more than this.
    Path { cost_max: u64 },
    /// The query has no path; this leads to the nearest place.
    Nearest,
    /// The query's limits were used up; this leads to the nearest place among those looked at.
    Limit,
}

/// A path that is being written.
pub(crate) struct Writing<P> {
    /// Its places, from the start or from the goal on.
    pub(crate) places: Vec<P>,
    backwards: bool,
    ending: Option<Ending>,
    written: Vec<P>,
    cost: u64,
}

impl<P> Default for Writing<P> {
    fn default() -> Self {
        let (places, written) = (Vec::new(), Vec::new());
        Self { places, backwards: false, ending: None, written, cost: 0 }
    }
}

impl<P> Writing<P> {
    pub(super) fn memory_bytes(&self) -> usize {
        (self.places.capacity() + self.written.capacity()) * size_of::<P>()
    }

    /// Ends a query with the path over its places, given from the start on, or `backwards`.
    pub(crate) fn begin(&mut self, ending: Ending, backwards: bool) {
        self.ending = Some(ending);
        self.backwards = backwards;
        self.cost = 0;
        // The path is the caller's, who gets it with no more memory than it needs.
        self.written = Vec::with_capacity(self.places.len());
    }

    pub(super) fn is_begun(&self) -> bool {
        self.ending.is_some()
    }

    pub(super) fn forget(&mut self) {
        self.ending = None;
        self.written = Vec::new();
    }
}

impl<P: Copy + PartialEq> Writing<P> {
    /// Goes on until so much work has been done; the answer, once all is written.
    pub(super) fn go_on<E: Environment<Place = P>>(
        &mut self,
        environment: &E,
        end: u64,
        run: &mut Run,
    ) -> Progress<P> {
        let Some(ending) = self.ending else { return Progress::Stale };
        let left = end.saturating_sub(run.statistics.work());
        let done = self.written.len();
        let most = usize::try_from(left.saturating_mul(PLACES_A_UNIT)).unwrap_or(usize::MAX);
        let until = done.saturating_add(most).min(self.places.len());
        if self.backwards {
            let count = self.places.len();
            self.written.extend(self.places[count - until..count - done].iter().rev());
        } else {
            self.written.extend_from_slice(&self.places[done..until]);
        }
        // From the last place that was written before: each step counts once.
        self.cost += environment.known_price(&self.written[done.saturating_sub(1)..until]).0;
        run.statistics.beside += (until - done) as u64 / PLACES_A_UNIT;
        if until < self.places.len() {
            return Progress::Running;
        }
        self.ending = None;
        let written = std::mem::take(&mut self.written);
        let path = Path::vouched(written, Cost(self.cost), environment.revision());
        Progress::Done(match ending {
            Ending::Path { cost_max } => answer_within(path, cost_max, false),
            Ending::Nearest => Answer::Unreachable { nearest: path },
            Ending::Limit => Answer::LimitReached { nearest: path },
        })
    }
}
