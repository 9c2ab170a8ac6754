//! Queries that take several searches: with obstacles of their own, or with goals that may be blocked.
//!
//! A planner answers plain queries; a course is the sequence of them that one other query takes.
//!
//! ```text
//!   obstacles?  no ───────────────────────> the planner, on the environment
//!               yes, nothing precomputed ─> the planner, on a copy with the obstacles
//!               yes ──────────────────────> the planner, on the environment ── its path meets none ──> answered
//!                                               │ otherwise
//!                                               ▼
//!                                           the exact search, on the copy
//!
//!   as near as possible:   free goals ── none reached ──> cells nearest to a goal that can be reached ──> answered
//!                          all blocked ──> cells nearest to a goal ── none reached ──┘
//! ```
//!
//! Each search begins with what those before have counted, so that the limits of the query are those of all of them.

use super::algorithm::{Identity, begin_plain, resume_plain};
use super::{
    Algorithm, Answer, GoalRule, PathQuery, Planner, Progress, QueryError, Scratch, Searchable,
    check_places,
};
use crate::environment::{Cost, Edition, End};
use crate::path::Path;
use crate::search::{NoTrace, SearchObserver, TraceLog};

/// A query in progress that takes several searches.
pub(super) struct Course<E: Searchable> {
    planner: Identity,
    /// Of the environment that the query was begun in.
    edition: Edition,
    /// The environment with the query's obstacles, if it has some.
    varied: Option<E>,
    who: Who,
    aim: Aim,
    rule: GoalRule,
    /// The goals as asked for.
    asked: Vec<E::Place>,
    /// The plain query that is being answered.
    query: PathQuery<E::Place>,
}

/// Who searches, and where.
#[derive(Clone, Copy, PartialEq)]
enum Who {
    /// The planner, on the environment as it is.
    Planner,
    /// The planner, on the copy with obstacles.
    PlannerAroundObstacles,
    /// The environment's own search, on the copy with obstacles.
    ExactSearch,
}

/// What the goals of the plain query are.
#[derive(Clone, Copy, PartialEq)]
enum Aim {
    /// Goals that were asked for, or places next to them.
    Goals,
    /// The places nearest to a goal, whether they can be reached or not.
    Nearest,
    /// The places nearest to a goal of those that can be reached.
    NearestReachable,
}

/// What an observer needs for a search by a planner whose type is not known.
pub(super) trait Observer: SearchObserver {
    fn advance<E: Searchable>(
        &mut self,
        planner: &dyn Planner<E>,
        environment: &E,
        scratch: &mut Scratch,
        slice: u64,
    ) -> Progress<E::Place>;
}

impl Observer for NoTrace {
    fn advance<E: Searchable>(
        &mut self,
        planner: &dyn Planner<E>,
        environment: &E,
        scratch: &mut Scratch,
        slice: u64,
    ) -> Progress<E::Place> {
        planner.advance(environment, scratch, slice)
    }
}

impl Observer for TraceLog {
    fn advance<E: Searchable>(
        &mut self,
        planner: &dyn Planner<E>,
        environment: &E,
        scratch: &mut Scratch,
        slice: u64,
    ) -> Progress<E::Place> {
        planner.advance_traced(environment, scratch, slice, self)
    }
}

impl<E: Searchable> Course<E> {
    /// Begins a query with a planner that knows the environment.
    pub(super) fn begin<A: Algorithm<E>>(
        algorithm: &A,
        planner: Identity,
        environment: &E,
        query: &PathQuery<E::Place>,
        scratch: &mut Scratch,
    ) -> Result<Self, QueryError<E::Refusal>> {
        environment.check().map_err(QueryError::Unsuitable)?;
        check_places(environment, End::Start, query.starts())?;
        let is_start =
            |place: &E::Place| query.starts().iter().any(|&at| environment.covers(at, *place));
        let obstacles: Vec<E::Place> =
            query.obstacles().iter().copied().filter(|place| !is_start(place)).collect();
        let varied = (!obstacles.is_empty()).then(|| environment.excluding(&obstacles));
        let here = varied.as_ref().unwrap_or(environment);
        let (aim, goals) = first_goals(here, query)?;
        let mut plain =
            PathQuery::among(query.starts().to_vec(), goals).with_limits(query.limits());
        let who = match &varied {
            None => Who::Planner,
            Some(varied) if algorithm.is_current(varied) => Who::PlannerAroundObstacles,
            Some(_) => Who::Planner,
        };
        if let Some(steps) = query.first_leg() {
            plain = plain.with_first_leg(steps);
        }
        let asked = query.goals().to_vec();
        let (edition, rule) = (environment.edition(), query.goal_rule());
        let course = Self { planner, edition, varied, who, aim, rule, asked, query: plain };
        course.begin_search(algorithm, environment, scratch)?;
        Ok(course)
    }

    fn here<'e>(&'e self, environment: &'e E) -> &'e E {
        self.varied.as_ref().unwrap_or(environment)
    }

    /// Begins the next search, which goes on counting where the one before has ended.
    fn begin_search<A: Algorithm<E>>(
        &self,
        algorithm: &A,
        environment: &E,
        scratch: &mut Scratch,
    ) -> Result<(), QueryError<E::Refusal>> {
        match self.who {
            Who::Planner => begin_plain(algorithm, environment, &self.query, scratch),
            Who::PlannerAroundObstacles => {
                begin_plain(algorithm, self.here(environment), &self.query, scratch)
            }
            Who::ExactSearch => {
                let here = self.here(environment);
                here.exact_search().begin(here, &self.query, scratch)
            }
        }
    }

    /// Whether it is a planner's query in an environment of that edition.
    pub(super) fn is_of(&self, planner: Identity, edition: Edition) -> bool {
        self.planner == planner && self.edition == edition
    }

    /// Goes on for a slice.
    pub(super) fn advance<A: Algorithm<E>, O: Observer>(
        &mut self,
        algorithm: &A,
        environment: &E,
        scratch: &mut Scratch,
        slice: u64,
        observer: &mut O,
    ) -> Progress<E::Place> {
        let here = self.here(environment);
        let progress = match self.who {
            Who::Planner => resume_plain(algorithm, environment, scratch, slice, observer),
            Who::PlannerAroundObstacles => resume_plain(algorithm, here, scratch, slice, observer),
            Who::ExactSearch => observer.advance(here.exact_search(), here, scratch, slice),
        };
        match progress {
            // It may lead past an obstacle.
            Progress::Leg(_) if self.is_unsure() => Progress::Running,
            Progress::Done(answer) => self.check_answer(algorithm, environment, scratch, answer),
            other => other,
        }
    }

    /// Whether what the planner finds may lead past an obstacle.
    fn is_unsure(&self) -> bool {
        self.varied.is_some() && self.who == Who::Planner
    }

    /// Whether a path can be walked in spite of the obstacles.
    fn is_clear(&self, path: &Path<E::Place>) -> bool {
        self.varied.as_ref().is_none_or(|varied| varied.price(path.places()) == Ok(path.cost()))
    }

    /// What comes after a search: an answer, or the next search.
    fn check_answer<A: Algorithm<E>>(
        &mut self,
        algorithm: &A,
        environment: &E,
        scratch: &mut Scratch,
        answer: Answer<E::Place>,
    ) -> Progress<E::Place> {
        let starts = self.query.starts();
        match answer {
            Answer::Found(path) if !self.is_unsure() || self.is_clear(&path) => {
                Progress::Done(match self.aim {
                    Aim::Goals => Answer::Found(path),
                    Aim::Nearest | Aim::NearestReachable => Answer::Unreachable { nearest: path },
                })
            }
            Answer::LimitReached { nearest } => {
                let clear = !self.is_unsure() || self.is_clear(&nearest);
                let stay = || Path::vouched(vec![starts[0]], Cost::ZERO, environment.revision());
                let nearest = if clear { nearest } else { stay() };
                Progress::Done(Answer::LimitReached { nearest })
            }
            Answer::Found(_) | Answer::Unreachable { .. } if self.is_unsure() => {
                self.who = Who::ExactSearch;
                self.go_on(algorithm, environment, scratch)
            }
            Answer::Unreachable { .. }
                if self.rule == GoalRule::Nearest && self.aim != Aim::NearestReachable =>
            {
                let here = self.here(environment);
                let goals = here.nearest_places(starts, &self.asked, true);
                self.query = self.query.clone().with_goals(goals);
                self.aim = Aim::NearestReachable;
                self.go_on(algorithm, environment, scratch)
            }
            answer => Progress::Done(answer),
        }
    }

    /// Begins the next search.
    fn go_on<A: Algorithm<E>>(
        &mut self,
        algorithm: &A,
        environment: &E,
        scratch: &mut Scratch,
    ) -> Progress<E::Place> {
        let counted = scratch.statistics();
        match self.begin_search(algorithm, environment, scratch) {
            Ok(()) => {
                scratch.go_on_counting(counted);
                Progress::Running
            }
            Err(_) => Progress::Stale,
        }
    }
}

/// Goals, and what they are.
type Aimed<P> = (Aim, Vec<P>);

/// The goals of the first search, and what they are.
fn first_goals<E: Searchable>(
    here: &E,
    query: &PathQuery<E::Place>,
) -> Result<Aimed<E::Place>, QueryError<E::Refusal>> {
    let goals = query.goals();
    if goals.is_empty() {
        return Err(QueryError::Missing(End::Goal));
    }
    let refused = |reason| QueryError::Refused { end: End::Goal, reason };
    for &goal in goals {
        here.check_exists(goal).map_err(refused)?;
    }
    let is_free = |place: &E::Place| here.check_place(*place).is_ok();
    match query.goal_rule() {
        GoalRule::Exact => {
            check_places(here, End::Goal, goals)?;
            Ok((Aim::Goals, goals.to_vec()))
        }
        GoalRule::Adjacent => {
            let mut beside = Vec::new();
            for &goal in goals {
                here.add_beside(goal, &mut beside);
            }
            if beside.is_empty() {
                Err(QueryError::NothingBeside)
            } else {
                Ok((Aim::Goals, beside))
            }
        }
        GoalRule::Nearest => {
            let free: Vec<E::Place> = goals.iter().copied().filter(is_free).collect();
            if free.is_empty() {
                Ok((Aim::Nearest, here.nearest_places(query.starts(), goals, false)))
            } else {
                Ok((Aim::Goals, free))
            }
        }
    }
}
