//! One kind of agent in a world or a snapshot: what it can ask.

use crate::field_paths::{open_goals, paths_to_each};
use crate::living::{FoundPath, Living, LivingField, Refused};
use crate::planners::Planners;
use crate::pool::{Pooled, ScratchPool};
use highroad_core::{
    AlternativeOptions, Answer, Cost, KindId, Path, PathQuery, Planner, Progress, QueryError,
    alternatives,
};
use std::sync::Arc;

/// A kind of agent in a world or a snapshot: everything it can ask. From [`PathWorld::of`](super::PathWorld::of) or
/// [`Snapshot::of`](super::Snapshot::of).
///
/// ```
/// use highroad::{Cost, PathWorld, Terrain};
/// use highroad::grid::{Movement, MovementRule, Profile, StepCosts};
/// let boat = Movement::new(Profile::movingai().without(Terrain::GROUND), MovementRule::FourWay, StepCosts::EXACT)?;
/// let mut world = PathWorld::new("..WW\n..WW\n".parse()?).with_kind("boat", boat).build()?;
/// let boat = world.kind("boat").expect("it was just added");
/// let path = world.of(boat).unwrap().find_path((2, 0), (3, 1))?;
/// assert_eq!(path.unwrap().steps(), 2);
/// assert!(world.of(boat).unwrap().find_path((0, 0), (3, 1)).is_err(), "a boat cannot start on land");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Whatever it is asked for fails with a [`QueryError`] if the start is not in the map or is blocked; paths and answers fail
/// as well if no goal is left at which a path can end.
pub struct KindView<'v, E: Living> {
    environment: &'v E,
    planners: Ready<'v, E>,
    pool: &'v ScratchPool,
    scratch: Pooled<'v>,
}

/// The planners that know the environment as it is, the preferred first.
pub(super) enum Ready<'v, E: Living> {
    World(&'v Planners<E>),
    Snapshot(&'v [Arc<dyn Planner<E>>]),
}

impl<E: Living> Ready<'_, E> {
    fn of(&self, kind: KindId) -> impl Iterator<Item = &dyn Planner<E>> {
        let (world, snapshot) = match self {
            Self::World(planners) => (Some(planners.ready(kind)), None),
            Self::Snapshot(planners) => (None, Some(planners.iter())),
        };
        world.into_iter().flatten().chain(snapshot.into_iter().flatten()).map(|planner| &**planner)
    }
}

impl<'v, E: Living> KindView<'v, E> {
    pub(super) fn new(environment: &'v E, planners: Ready<'v, E>, pool: &'v ScratchPool) -> Self {
        Self { environment, planners, pool, scratch: pool.take() }
    }

    /// The environment as this kind sees it.
    pub fn environment(&self) -> &'v E {
        self.environment
    }

    /// A path, as good as the kind's first planner that is ready promises; `None` if there is none
    /// (or if it would cost 2⁴⁴ or more, which no search counts up to).
    pub fn find_path(
        &mut self,
        start: impl Into<E::Place>,
        goal: impl Into<E::Place>,
    ) -> Result<FoundPath<E>, Refused<E>> {
        Ok(self.answer(&PathQuery::new(start, goal))?.path())
    }

    /// The answer to a query of any kind, with the way to the nearest reachable place where there is
    /// no path.
    ///
    /// ```
    /// use highroad::{Cost, PathWorld};
    /// use highroad::grid::KindId;
    /// use highroad::planner::{Answer, PathQuery};
    /// let mut world = PathWorld::new("..#..\n".parse()?);
    /// let mut walkers = world.of(KindId::DEFAULT).expect("every world has it");
    /// let answer = walkers.answer(&PathQuery::new((0, 0), (4, 0)))?;
    /// assert!(matches!(answer, Answer::Unreachable { nearest } if nearest.goal() == (1, 0).into()));
    /// let range = walkers.range((3, 0), Cost::steps(1))?;
    /// assert_eq!(range, [((3, 0).into(), Cost::ZERO), ((4, 0).into(), Cost::steps(1))]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer(&mut self, query: &PathQuery<E::Place>) -> Result<Answer<E::Place>, Refused<E>> {
        for planner in self.planners.of(self.environment.kind()) {
            match planner.solve(self.environment, query, &mut self.scratch) {
                Err(QueryError::Stale) => {}
                answer => return answer,
            }
        }
        let search = self.environment.exact_search();
        search.solve(self.environment, query, &mut self.scratch)
    }

    /// As [`KindView::answer`], in slices of some milliseconds at most; `None` as soon as it is no longer wanted.
    /// `is_wanted` is asked before each slice, on this thread.
    ///
    /// ```
    /// use highroad::PathWorld;
    /// use highroad::grid::KindId;
    /// use highroad::planner::PathQuery;
    /// let mut world = PathWorld::new("....\n".parse()?);
    /// let mut walkers = world.of(KindId::DEFAULT).expect("every world has it");
    /// let query = PathQuery::new((0, 0), (3, 0));
    /// assert!(walkers.answer_while(&query, || false).is_none(), "nobody wants it");
    /// let answer = walkers.answer_while(&query, || true).expect("it is wanted to the end")?;
    /// assert_eq!(answer.path().map(|path| path.steps()), Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer_while(
        &mut self,
        query: &PathQuery<E::Place>,
        is_wanted: impl Fn() -> bool,
    ) -> Option<Result<Answer<E::Place>, Refused<E>>> {
        const SLICE: u64 = 4096;
        let search = self.environment.exact_search();
        let planners = self.planners.of(self.environment.kind());
        for planner in planners.chain([search]) {
            match planner.begin(self.environment, query, &mut self.scratch) {
                Ok(()) => {}
                Err(QueryError::Stale) => continue,
                Err(error) => return Some(Err(error)),
            }
            while is_wanted() {
                match planner.advance(self.environment, &mut self.scratch, SLICE) {
                    Progress::Running | Progress::Leg(_) => {}
                    Progress::Done(answer) => return Some(Ok(answer)),
                    Progress::Stale => return Some(Err(QueryError::Stale)),
                }
            }
            return None;
        }
        Some(Err(QueryError::Stale))
    }

    /// A path to the nearest of some goals. Goals at which no path can end are passed over, as long as there are
    /// others.
    ///
    /// ```
    /// use highroad::{Cell, PathWorld};
    /// use highroad::grid::{Grid, KindId};
    /// use highroad::world::KindView;
    /// let mut world = PathWorld::new("..#...\n......\n".parse()?);
    /// let mut walkers: KindView<'_, Grid> = world.of(KindId::DEFAULT).expect("every world has it");
    /// let wells = [Cell::new(2, 0), Cell::new(5, 0), Cell::new(3, 0)];
    /// let path = walkers.find_nearest((0, 0), &wells)?.expect("two can be reached");
    /// assert_eq!(path.goal(), Cell::new(3, 0));
    /// let each = walkers.find_each((0, 0), &wells)?;
    /// let steps: Vec<_> = each.iter().map(|path| path.as_ref().map(|path| path.steps())).collect();
    /// assert_eq!(steps, [None, Some(5), Some(4)], "in the order of the goals");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_nearest(
        &mut self,
        start: impl Into<E::Place>,
        goals: &[E::Place],
    ) -> Result<FoundPath<E>, Refused<E>> {
        let query = PathQuery::among(vec![start.into()], goals.to_vec());
        Ok(self.answer(&open_goals(self.environment, query))?.path())
    }

    /// A cheapest path to each of some goals, by one search; `None` for those that cannot be reached.
    /// Goals that lie outside or are blocked cannot.
    ///
    /// The search looks at the places that cost no more than the farthest goal, O(n · log n) for n of them at most,
    /// whatever the size of the map. Goals of another part of a grid are known beforehand; on a graph, a goal that cannot
    /// be reached makes it look at every node that can.
    pub fn find_each(
        &mut self,
        start: impl Into<E::Place>,
        goals: &[E::Place],
    ) -> Result<Vec<FoundPath<E>>, Refused<E>> {
        let start = start.into();
        self.with_field(start, u64::MAX, |environment, field| {
            paths_to_each(environment, field, start, goals)
        })
    }

    /// Every place within that cost of a start, with its cost: the range of a movement. On a grid they are listed row
    /// by row, in time in proportion to what is listed, whatever the size of the map. On a graph the
    /// listing takes O(nodes).
    pub fn range(
        &mut self,
        start: impl Into<E::Place>,
        cost_max: Cost,
    ) -> Result<Vec<(E::Place, Cost)>, Refused<E>> {
        self.with_field(start.into(), cost_max.0, |_, field| {
            while field.advance(u64::MAX) {}
            field.places()
        })
    }

    /// A best path, and others that are reasonably different: see
    /// [`alternatives`](crate::planner::alternatives()) for what that means and what it costs.
    ///
    /// ```
    /// use highroad::PathWorld;
    /// use highroad::grid::KindId;
    /// use highroad::planner::AlternativeOptions;
    /// use highroad::world::KindView;
    /// let mut world = PathWorld::new(".......\n.#####.\n.......\n".parse()?);
    /// let mut walkers: KindView<_> = world.of(KindId::DEFAULT).unwrap();
    /// let options = AlternativeOptions::default().with_margin(0).with_shared_percent_max(10);
    /// assert_eq!(walkers.find_alternatives((0, 1), (6, 1), &options)?.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_alternatives(
        &mut self,
        start: impl Into<E::Place>,
        goal: impl Into<E::Place>,
        options: &AlternativeOptions,
    ) -> Result<Vec<Path<E::Place>>, Refused<E>>
    where
        E::Place: Ord,
    {
        let query = PathQuery::new(start, goal);
        alternatives(self.environment, &query, options, &mut self.scratch)
    }

    /// Does something with a field away from a start, in memory of the pool.
    fn with_field<T>(
        &self,
        start: E::Place,
        cost_max: u64,
        work: impl FnOnce(&E, &mut E::Field) -> T,
    ) -> Result<T, Refused<E>> {
        let mut memory = self.pool.take_field();
        let done =
            E::Field::away_from(self.environment, start, cost_max, &mut memory).map(|mut field| {
                let done = work(self.environment, &mut field);
                memory = field.into_memory();
                done
            });
        self.pool.give_field(memory);
        done
    }
}
