//! The environment as it was, for work that edits would otherwise make begin again for ever.
//!
//! A search that edits have outdated a few times goes on in a copy of the environment, with the planner as it was: both
//! share their memory with the world until an edit changes something. So no tick has to run a search to its end, and
//! every request is answered. The answer is then of an older revision, which its path says.
//!
//! ```text
//!   begun ──edit──> begun again ──edit──> … (four times) ──> held: goes on, whatever edits come
//!                                                               │ done
//!                        its path can be walked now ◄───────────┤
//!                        handed out, of its revision            └──> it cannot: held once more, at most three times;
//!                                                                    then the part that can be walked is handed out
//! ```

use crate::living::Living;
use crate::planners::{Index, Planners};
use crate::recipe::Recipe;
use highroad_core::{Answer, Path, Planner, Progress, Revision};
use std::sync::Arc;

/// An environment as it was at a revision.
pub(super) struct HeldEnvironment<E> {
    pub(super) environment: E,
    /// The revision that answers are of. In a loaded world the environment was made by taking edits back, which counts as
    /// edits.
    pub(super) revision: Revision,
}

impl<E: Living> Clone for HeldEnvironment<E> {
    fn clone(&self) -> Self {
        Self { environment: self.environment.clone(), revision: self.revision }
    }
}

impl<E: Living> HeldEnvironment<E> {
    /// As it is now.
    pub(super) fn of(environment: &E) -> Self {
        Self { environment: environment.clone(), revision: environment.revision() }
    }

    /// Whether the environment has changed since.
    pub(super) fn is_outdated(&self, now: &E) -> bool {
        self.revision != now.revision()
    }

    /// A path that was found in it, with the revision that it is of.
    pub(super) fn dated(&self, path: Path<E::Place>) -> Path<E::Place> {
        if path.revision() == self.revision {
            return path;
        }
        Path::vouched(path.places().to_vec(), path.cost(), self.revision)
    }
}

/// A planner as it was, and how it was built.
pub(super) struct HeldPlanner<E: Living> {
    pub(super) planner: Arc<dyn Planner<E>>,
    pub(super) recipe: Arc<dyn Recipe<E>>,
}

impl<E: Living> Clone for HeldPlanner<E> {
    fn clone(&self) -> Self {
        Self { planner: Arc::clone(&self.planner), recipe: Arc::clone(&self.recipe) }
    }
}

/// What a search goes on with, whatever edits come.
pub(super) struct Held<E: Living> {
    pub(super) place: HeldEnvironment<E>,
    /// `None`: the exact search of the environment itself.
    pub(super) planner: Option<HeldPlanner<E>>,
}

impl<E: Living> Clone for Held<E> {
    fn clone(&self) -> Self {
        Self { place: self.place.clone(), planner: self.planner.clone() }
    }
}

impl<E: Living> Held<E> {
    pub(super) fn planner(&self) -> &dyn Planner<E> {
        match &self.planner {
            Some(held) => &*held.planner,
            None => self.place.environment.exact_search(),
        }
    }

    /// Whether a search that holds the planner of that number may go on with it: not if it was replaced by one of
    /// another recipe.
    pub(super) fn may_go_on(&self, number: usize, planners: &Planners<E>) -> bool {
        match (&self.planner, planners.recipe(number)) {
            (Some(held), Some(own)) => Arc::ptr_eq(&held.recipe, own),
            (None, None) => true,
            _ => false,
        }
    }

    /// What the planner has precomputed as bytes, if that can be saved.
    pub(super) fn saved_planner(&self) -> Option<Index> {
        self.planner.as_ref()?.planner.save(&self.place.environment).map(Index)
    }

    /// What a slice has brought, with the revision that it is of.
    pub(super) fn dated(&self, progress: Progress<E::Place>) -> Progress<E::Place> {
        let dated = |path| self.place.dated(path);
        match progress {
            Progress::Leg(leg) => Progress::Leg(dated(leg)),
            Progress::Done(Answer::Found(path)) => Progress::Done(Answer::Found(dated(path))),
            Progress::Done(Answer::Unreachable { nearest }) => {
                Progress::Done(Answer::Unreachable { nearest: dated(nearest) })
            }
            Progress::Done(Answer::LimitReached { nearest }) => {
                Progress::Done(Answer::LimitReached { nearest: dated(nearest) })
            }
            Progress::Running | Progress::Stale => progress,
        }
    }
}

/// The beginning of a path that can be walked in an environment, of its revision. At least the start is left, even if it
/// is blocked: whoever stands there does.
pub(super) fn walkable_part<E: Living>(environment: &E, path: &Path<E::Place>) -> Path<E::Place> {
    let mut places = path.places();
    let cost = loop {
        match environment.price(places) {
            Ok(cost) => break cost,
            Err(fault) if fault.index > 0 && fault.index < places.len() => {
                places = &places[..fault.index];
            }
            Err(_) => {
                places = &places[..1];
                break highroad_core::Cost::ZERO;
            }
        }
    };
    Path::vouched(places.to_vec(), cost, environment.revision())
}
