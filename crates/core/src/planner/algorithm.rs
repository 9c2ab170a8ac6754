//! What the author of a planner writes, and the one implementation of [`Planner`] that follows from it.

use super::course::{Course, Observer};
use super::scratch::{Begun, Kept, Scratch, Session};
use super::{
    CatchUp, Fault, Guarantee, PathQuery, Planner, Progress, QueryError, Searchable, SketchLayer,
};
use crate::environment::{Edition, Environment};
use crate::search::{NoTrace, Run, SearchObserver, TraceLog};
use std::any::TypeId;

/// Memory of a planner's queries, kept in a [`Scratch`] from one query to the next.
pub trait Memory: Default + Send + Sync + 'static {
    /// Bytes held on the heap.
    fn bytes(&self) -> usize;
}

impl Memory for () {
    fn bytes(&self) -> usize {
        0
    }
}

/// A way to find paths. Every algorithm is a [`Planner`]: slices, traces, limits, edits, snapshots and the common
/// test suite come with it.
///
/// What is common to all is done for it: a query is checked before it starts; a query that was begun by another
/// planner, or before an edit, is stale; a query that is done is over.
///
/// ```
/// use highroad::{Cell, Cost, Path};
/// use highroad::environment::Environment;
/// use highroad::grid::Grid;
/// use highroad::planner::{Algorithm, Answer, Guarantee, PathQuery, Planner, Progress, Scratch, Session};
/// use highroad::search::SearchObserver;
///
/// /// Knows the way only if start and goal are neighbours.
/// struct Neighbours;
///
/// impl Algorithm<Grid> for Neighbours {
///     type Memory = ();
///
///     fn guarantee_for(&self, _grid: &Grid) -> Guarantee {
///         Guarantee::None
///     }
///
///     fn start(&self, _: &Grid, _: &PathQuery, _: &mut Session<'_, Cell>, _: &mut ()) {}
///
///     fn run<O: SearchObserver>(
///         &self, grid: &Grid, session: &mut Session<'_, Cell>, _: &mut (), _: u64, _: &mut O,
///     ) -> Progress {
///         let (start, goal) = (session.starts[0], session.goals[0]);
///         Progress::Done(match Path::new(grid, vec![start, goal]) {
///             Ok(path) => Answer::Found(path),
///             Err(_) => {
///                 let nearest = Path::vouched(vec![start], Cost::ZERO, grid.revision());
///                 Answer::Unreachable { nearest }
///             }
///         })
///     }
/// }
///
/// let grid = Grid::with_defaults("...\n".parse()?);
/// let answer = Neighbours.solve(&grid, &PathQuery::new((0, 0), (1, 0)), &mut Scratch::new())?;
/// assert_eq!(answer.path().unwrap().steps(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Algorithm<E: Environment>: Send + Sync + Sized + 'static {
    /// What its queries need of a [`Scratch`].
    type Memory: Memory;

    /// What it promises in that environment.
    fn guarantee_for(&self, environment: &E) -> Guarantee;

    /// Whether it describes the environment as it is. An algorithm that precomputes nothing always does.
    fn is_current(&self, _environment: &E) -> bool {
        true
    }

    /// Distinguishes it from others of the same type, so that a query begun on one does not go on on another. An
    /// algorithm that precomputes something has a number that changes with it: an
    /// [`Edition`](crate::Edition) is one.
    fn identity(&self) -> Option<Edition> {
        None
    }

    /// Starts a query whose ends are known to be good.
    fn start(
        &self,
        environment: &E,
        query: &PathQuery<E::Place>,
        session: &mut Session<'_, E::Place>,
        memory: &mut Self::Memory,
    );

    /// Goes on with the query for at most `slice` expansions, reporting every event to the observer. However a
    /// query is sliced or observed, the answer must be the same. What is no expansion and takes long is sliced as
    /// well, and counted by [`Session::count_beside`].
    fn run<O: SearchObserver>(
        &self,
        environment: &E,
        session: &mut Session<'_, E::Place>,
        memory: &mut Self::Memory,
        slice: u64,
        observer: &mut O,
    ) -> Progress<E::Place>;

    /// Follows an edit at once: see [`Planner::catch_up`].
    fn follow(
        &mut self,
        environment: &E,
        changes: &[E::Change],
        memory: &mut Self::Memory,
    ) -> CatchUp {
        if self.follows_in_slices() {
            return self.follow_on(environment, changes, memory, &mut { u64::MAX });
        }
        if self.is_current(environment) { CatchUp::Done } else { CatchUp::NeedsRebuild }
    }

    /// Follows an edit as far as `left` goes: see [`Planner::catch_up_on`]. An algorithm that follows edits implements
    /// this, and says so by [`Algorithm::follows_in_slices`]; or [`Algorithm::follow`], if it cannot stop half-way.
    fn follow_on(
        &mut self,
        environment: &E,
        changes: &[E::Change],
        memory: &mut Self::Memory,
        _left: &mut u64,
    ) -> CatchUp {
        self.follow(environment, changes, memory)
    }

    /// Whether [`Algorithm::follow_on`] stops half-way.
    fn follows_in_slices(&self) -> bool {
        false
    }

    /// A copy, if it is cheaper than building another: see [`Planner::duplicate`].
    fn copy(&self) -> Option<Self> {
        None
    }

    /// Bytes that it holds beside the environment and the scratch memory.
    fn held_bytes(&self) -> usize {
        0
    }

    /// What a user who chose it should know of it: see [`Planner::remark`].
    fn caveat(&self) -> Option<String> {
        None
    }

    /// Checks every invariant: see [`Planner::verify`].
    fn check_invariants(&self, _environment: &E) -> Result<(), Fault> {
        Ok(())
    }

    /// What it has precomputed, for drawing: see [`Planner::sketch`].
    fn layers(&self, _environment: &E) -> Vec<SketchLayer> {
        Vec::new()
    }

    /// What its latest query did, for drawing: see [`Planner::sketch_query`]. `scratch` is where that query ran.
    fn query_layers(
        &self,
        _environment: &E,
        _memory: &Self::Memory,
        _scratch: &Scratch,
    ) -> Vec<SketchLayer> {
        Vec::new()
    }

    /// Whether it follows an edit that led to the environment as it is, has not come to the end, and saves what is left
    /// to do with the rest.
    fn is_following(&self, _environment: &E) -> bool {
        false
    }

    /// Bytes to be loaded again: see [`Planner::save`].
    fn to_bytes(&self, _environment: &E) -> Option<Vec<u8>> {
        None
    }
}

/// Whose a query is: the planner's type, and which one of that type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    kind: TypeId,
    own: Option<Edition>,
}

fn identity<E: Environment, A: Algorithm<E>>(algorithm: &A) -> Identity {
    Identity { kind: TypeId::of::<A>(), own: algorithm.identity() }
}

/// Goes on with the query in a scratch memory, if it is this algorithm's and the environment has not changed.
#[inline]
pub(super) fn resume_plain<E: Environment, A: Algorithm<E>, O: SearchObserver>(
    algorithm: &A,
    environment: &E,
    scratch: &mut Scratch,
    slice: u64,
    observer: &mut O,
) -> Progress<E::Place> {
    let (kept, work, begun) = scratch.kept::<E::Place, A::Memory>();
    let current = begun.as_mut().filter(|begun| {
        begun.edition == environment.edition() && begun.planner == identity(algorithm)
    });
    let Some(Begun { run, starts_reported, .. }) = current else {
        scratch.end();
        return Progress::Stale;
    };
    let Kept { starts, goals, writing, own } = kept;
    let end = run.statistics.work().saturating_add(slice);
    let mut progress = Progress::Running;
    if !writing.is_begun() {
        let mut session = Session { starts, goals, run, work, writing, starts_reported };
        progress = algorithm.run(environment, &mut session, own, slice, observer);
    }
    if progress == Progress::Running && writing.is_begun() {
        progress = writing.go_on(environment, end, run);
    }
    if matches!(progress, Progress::Done(_) | Progress::Stale) {
        scratch.end();
    }
    progress
}

/// Begins a plain query with an algorithm that knows the environment.
pub(super) fn begin_plain<E: Environment, A: Algorithm<E>>(
    algorithm: &A,
    environment: &E,
    query: &PathQuery<E::Place>,
    scratch: &mut Scratch,
) -> Result<(), QueryError<E::Refusal>> {
    query.check(environment)?;
    let planner = identity(algorithm);
    scratch.latest = Some(planner);
    let (kept, work, begun) = scratch.kept::<E::Place, A::Memory>();
    let Kept { starts, goals, writing, own } = kept;
    writing.forget();
    starts.clear();
    starts.extend_from_slice(query.starts());
    goals.clear();
    goals.extend_from_slice(query.goals());
    let (edition, run) = (environment.edition(), Run::new(query.limits()));
    let begun = begun.insert(Begun { edition, planner, run, starts_reported: false });
    let Begun { run, starts_reported, .. } = begun;
    let mut session = Session { starts, goals, run, work, writing, starts_reported };
    algorithm.start(environment, query, &mut session, own);
    Ok(())
}

/// Goes on with whatever query is in a scratch memory.
#[inline]
fn resume<E: Searchable, A: Algorithm<E>, O: Observer>(
    algorithm: &A,
    environment: &E,
    scratch: &mut Scratch,
    slice: u64,
    observer: &mut O,
) -> Progress<E::Place> {
    let Some(course) = scratch.course.take() else {
        return resume_plain(algorithm, environment, scratch, slice, observer);
    };
    let (planner, edition) = (identity(algorithm), environment.edition());
    let course = course.downcast::<Course<E>>().ok();
    let Some(mut course) = course.filter(|course| course.is_of(planner, edition)) else {
        scratch.end();
        return Progress::Stale;
    };
    let progress = course.advance(algorithm, environment, scratch, slice, observer);
    if matches!(progress, Progress::Done(_) | Progress::Stale) {
        scratch.end();
    } else {
        scratch.course = Some(course);
    }
    progress
}

impl<E: Searchable, A: Algorithm<E>> Planner<E> for A {
    fn guarantee(&self, environment: &E) -> Guarantee {
        self.guarantee_for(environment)
    }

    fn begin(
        &self,
        environment: &E,
        query: &PathQuery<E::Place>,
        scratch: &mut Scratch,
    ) -> Result<(), QueryError<E::Refusal>> {
        scratch.end();
        if !self.is_current(environment) {
            return Err(QueryError::Stale);
        }
        if query.is_plain() {
            return begin_plain(self, environment, query, scratch);
        }
        let course = Course::begin(self, identity(self), environment, query, scratch)?;
        scratch.course = Some(Box::new(course));
        Ok(())
    }

    fn advance(&self, environment: &E, scratch: &mut Scratch, slice: u64) -> Progress<E::Place> {
        resume(self, environment, scratch, slice, &mut NoTrace)
    }

    fn advance_traced(
        &self,
        environment: &E,
        scratch: &mut Scratch,
        slice: u64,
        log: &mut TraceLog,
    ) -> Progress<E::Place> {
        resume(self, environment, scratch, slice, log)
    }

    fn catch_up(
        &mut self,
        environment: &E,
        changes: &[E::Change],
        scratch: &mut Scratch,
    ) -> CatchUp {
        let (kept, ..) = scratch.kept::<E::Place, A::Memory>();
        self.follow(environment, changes, &mut kept.own)
    }

    fn catch_up_on(
        &mut self,
        environment: &E,
        changes: &[E::Change],
        scratch: &mut Scratch,
        left: &mut u64,
    ) -> CatchUp {
        let (kept, ..) = scratch.kept::<E::Place, A::Memory>();
        self.follow_on(environment, changes, &mut kept.own, left)
    }

    fn duplicate(&self) -> Option<Box<dyn Planner<E>>> {
        Some(Box::new(self.copy()?))
    }

    fn memory_bytes(&self) -> usize {
        self.held_bytes()
    }

    fn remark(&self) -> Option<String> {
        self.caveat()
    }

    fn verify(&self, environment: &E) -> Result<(), Fault> {
        self.check_invariants(environment)
    }

    fn sketch(&self, environment: &E) -> Vec<SketchLayer> {
        if self.is_current(environment) { self.layers(environment) } else { Vec::new() }
    }

    fn sketch_query(&self, environment: &E, scratch: &Scratch) -> Vec<SketchLayer> {
        if scratch.latest != Some(identity(self)) || !self.is_current(environment) {
            return Vec::new();
        }
        match scratch.peek::<E::Place, A::Memory>() {
            Some(kept) => self.query_layers(environment, &kept.own, scratch),
            None => Vec::new(),
        }
    }

    fn save(&self, environment: &E) -> Option<Vec<u8>> {
        let known = self.is_current(environment) || self.is_following(environment);
        known.then(|| self.to_bytes(environment)).flatten()
    }
}
