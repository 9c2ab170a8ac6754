//! Snapshots: one revision of a world, for readers on any thread.

use super::kind_view::{KindView, Ready};
use crate::coordinates::Coordinates;
use crate::living::{FoundPath, Living, Refused};
use crate::pool::ScratchPool;
use crate::recipe::BuildWatch;
use arc_swap::ArcSwap;
use highroad_core::{AlternativeOptions, Answer, Cost, Grid, KindId, Path, PathQuery, Planner};
#[cfg(feature = "rayon")]
use rayon::prelude::*;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// One revision of a world: its environment, and the planners that know it. Cheap to make and to clone, `Send +
/// Sync`, and it stays as it is. Reads like a [`Grid`] of the default kind of agent, and nobody can change it.
///
/// ```
/// use highroad::{PathWorld, Terrain};
/// use highroad::hierarchy::HpaOptions;
/// use highroad::planner::PathQuery;
/// let map = "........\n........\n........\n".parse()?;
/// let mut world = PathWorld::new(map).with_planner(HpaOptions::default()).build()?;
/// let view = world.snapshot();
/// world.edit(|edit| _ = edit.set((3, 1), Terrain::WALL))?;
/// let queries: Vec<PathQuery> = (0..8).map(|x| PathQuery::new((0, 1), (x, 1))).collect();
/// let paths = view.find_many(&queries); // on all cores
/// assert_eq!(paths[7].as_ref().unwrap().as_ref().unwrap().length(), 7.0); // as it was
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Time and errors of its queries are those of [`KindView`].
pub struct Snapshot<E: Living = Grid>(pub(crate) Arc<View<E>>);

impl<E: Living> Clone for Snapshot<E> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

pub(crate) struct View<E: Living> {
    /// The environment of each kind of agent.
    pub(crate) kinds: Vec<E>,
    pub(crate) names: Arc<[String]>,
    /// For each kind the planners that know the environment, the preferred first.
    pub(crate) planners: Vec<Vec<Arc<dyn Planner<E>>>>,
    pub(crate) coordinates: Coordinates,
    pub(crate) pool: Arc<ScratchPool>,
}

impl<E: Living> Deref for Snapshot<E> {
    type Target = E;

    fn deref(&self) -> &E {
        &self.0.kinds[KindId::DEFAULT.index()]
    }
}

impl<E: Living> Snapshot<E> {
    /// Where the map lies in the game's space.
    pub fn coordinates(&self) -> Coordinates {
        self.0.coordinates
    }

    /// The kind of agent of that name.
    ///
    /// ```
    /// use highroad::{Cost, PathWorld, Terrain};
    /// use highroad::grid::{Movement, MovementRule, Profile, StepCosts};
    /// use highroad::planner::PathQuery;
    /// let boat = Profile::movingai().without(Terrain::GROUND);
    /// let boat = Movement::new(boat, MovementRule::FourWay, StepCosts::EXACT)?;
    /// let world = PathWorld::new("..WW\n..WW\n".parse()?).with_kind("boat", boat).build()?;
    /// let view = world.snapshot();
    /// let boat = view.kind("boat").expect("it was just added");
    /// assert!(view.of(boat).unwrap().find_path((2, 0), (3, 1))?.is_some());
    /// // What is asked without naming a kind is asked for the default one.
    /// assert!(view.answer(&PathQuery::new((0, 0), (1, 1)))?.path().is_some());
    /// assert_eq!(view.range((0, 0), Cost::steps(1))?.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn kind(&self, name: &str) -> Option<KindId> {
        kind_named(&self.0.names, name)
    }

    /// A kind of agent, to ask for it; `None` if there is no such kind.
    pub fn of(&self, kind: KindId) -> Option<KindView<'_, E>> {
        let view = &*self.0;
        let environment = view.kinds.get(kind.index())?;
        let planners = Ready::Snapshot(&view.planners[kind.index()]);
        Some(KindView::new(environment, planners, &view.pool))
    }

    fn default_kind(&self) -> KindView<'_, E> {
        let view = &*self.0;
        KindView::new(&view.kinds[0], Ready::Snapshot(&view.planners[0]), &view.pool)
    }

    /// A path of the default kind, as good as its first planner promises; `None` if there is none.
    pub fn find_path(
        &self,
        start: impl Into<E::Place>,
        goal: impl Into<E::Place>,
    ) -> Result<FoundPath<E>, Refused<E>> {
        self.default_kind().find_path(start, goal)
    }

    /// The answer to a query of any kind, with the way to the nearest reachable place where there is no
    /// path. See [`KindView::answer`].
    pub fn answer(&self, query: &PathQuery<E::Place>) -> Result<Answer<E::Place>, Refused<E>> {
        self.default_kind().answer(query)
    }

    /// A path to the nearest of some goals. See [`KindView::find_nearest`].
    ///
    /// ```
    /// use highroad::{Cell, PathWorld};
    /// use highroad::world::Snapshot;
    /// let view: Snapshot = PathWorld::new("......\n......\n".parse()?).snapshot();
    /// let wells = [Cell::new(5, 0), Cell::new(2, 0)];
    /// let nearest = view.find_nearest((0, 0), &wells)?.expect("all is open");
    /// assert_eq!(nearest.goal(), Cell::new(2, 0));
    /// let each = view.find_each((0, 0), &wells)?;
    /// assert_eq!(each[0].as_ref().map(|path| path.steps()), Some(5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_nearest(
        &self,
        start: impl Into<E::Place>,
        goals: &[E::Place],
    ) -> Result<FoundPath<E>, Refused<E>> {
        self.default_kind().find_nearest(start, goals)
    }

    /// A cheapest path to each of some goals, by one search. See [`KindView::find_each`].
    pub fn find_each(
        &self,
        start: impl Into<E::Place>,
        goals: &[E::Place],
    ) -> Result<Vec<FoundPath<E>>, Refused<E>> {
        self.default_kind().find_each(start, goals)
    }

    /// Every place within that cost of a start, with its cost. See [`KindView::range`].
    pub fn range(
        &self,
        start: impl Into<E::Place>,
        cost_max: Cost,
    ) -> Result<Vec<(E::Place, Cost)>, Refused<E>> {
        self.default_kind().range(start, cost_max)
    }

    /// A best path, and others that are reasonably different. See [`KindView::find_alternatives`].
    ///
    /// ```
    /// use highroad::PathWorld;
    /// use highroad::planner::AlternativeOptions;
    /// use highroad::world::Snapshot;
    /// let world = PathWorld::new(".......\n.#####.\n.......\n".parse()?);
    /// let view: Snapshot = world.snapshot();
    /// let options = AlternativeOptions::default().with_margin(0).with_count(1);
    /// assert_eq!(view.find_alternatives((0, 1), (6, 1), &options)?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_alternatives(
        &self,
        start: impl Into<E::Place>,
        goal: impl Into<E::Place>,
        options: &AlternativeOptions,
    ) -> Result<Vec<Path<E::Place>>, Refused<E>>
    where
        E::Place: Ord,
    {
        self.default_kind().find_alternatives(start, goal, options)
    }

    /// Many paths of the default kind, on all cores: the same answers, in the order of the queries, on any number
    /// of them. Without the feature `rayon` it works on this thread.
    pub fn find_many(
        &self,
        queries: &[PathQuery<E::Place>],
    ) -> Vec<Result<FoundPath<E>, Refused<E>>> {
        self.map_many(queries, |answer| answer.map(Answer::path))
    }

    /// As [`Snapshot::find_many`], with whole answers: also the way to the nearest reachable place where there is no path.
    ///
    /// ```
    /// use highroad::PathWorld;
    /// use highroad::planner::{Answer, PathQuery};
    /// let view = PathWorld::new("..#.\n".parse()?).snapshot();
    /// let answers = view.answer_many(&[PathQuery::new((0, 0), (3, 0)), PathQuery::new((0, 0), (1, 0))]);
    /// assert!(matches!(&answers[0], Ok(Answer::Unreachable { nearest }) if nearest.goal() == (1, 0).into()));
    /// assert!(matches!(&answers[1], Ok(Answer::Found(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer_many(
        &self,
        queries: &[PathQuery<E::Place>],
    ) -> Vec<Result<Answer<E::Place>, Refused<E>>> {
        self.map_many(queries, |answer| answer)
    }

    /// As [`Snapshot::find_many`], watched: it reports how many queries are answered, and can be stopped from any thread,
    /// within a query too. `None` if it was stopped.
    ///
    /// ```
    /// use highroad::PathWorld;
    /// use highroad::planner::PathQuery;
    /// use highroad::world::BuildWatch;
    /// let view = PathWorld::new("....\n".parse()?).snapshot();
    /// let (queries, watch) = ([PathQuery::new((0, 0), (3, 0))], BuildWatch::default());
    /// assert_eq!(view.find_many_watched(&queries, &watch).unwrap().len(), 1);
    /// assert_eq!(watch.progress(), (1, 1));
    /// watch.stop();
    /// assert!(view.find_many_watched(&queries, &watch).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_many_watched(
        &self,
        queries: &[PathQuery<E::Place>],
        watch: &BuildWatch,
    ) -> Option<Vec<Result<FoundPath<E>, Refused<E>>>> {
        self.map_many_watched(queries, |answer| answer.map(Answer::path), watch)
    }

    /// As [`Snapshot::answer_many`], watched as [`Snapshot::find_many_watched`] is.
    ///
    /// ```
    /// use highroad::PathWorld;
    /// use highroad::planner::{Answer, PathQuery};
    /// use highroad::world::BuildWatch;
    /// let view = PathWorld::new("..#.\n".parse()?).snapshot();
    /// let queries = [PathQuery::new((0, 0), (3, 0))];
    /// let answers = view.answer_many_watched(&queries, &BuildWatch::default()).expect("nobody stops it");
    /// assert!(matches!(&answers[0], Ok(Answer::Unreachable { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[allow(clippy::type_complexity, reason = "as of answer_many, or nothing")]
    pub fn answer_many_watched(
        &self,
        queries: &[PathQuery<E::Place>],
        watch: &BuildWatch,
    ) -> Option<Vec<Result<Answer<E::Place>, Refused<E>>>> {
        self.map_many_watched(queries, |answer| answer, watch)
    }

    fn map_many<T: Send>(
        &self,
        queries: &[PathQuery<E::Place>],
        turn: impl Fn(Result<Answer<E::Place>, Refused<E>>) -> T + Sync,
    ) -> Vec<T> {
        let ask =
            |kind: &mut KindView<'_, E>, query: &PathQuery<E::Place>| turn(kind.answer(query));
        #[cfg(feature = "rayon")]
        return queries.par_iter().map_init(|| self.default_kind(), ask).collect();
        #[cfg(not(feature = "rayon"))]
        {
            let mut kind = self.default_kind();
            queries.iter().map(|query| ask(&mut kind, query)).collect()
        }
    }

    fn map_many_watched<T: Send>(
        &self,
        queries: &[PathQuery<E::Place>],
        turn: impl Fn(Result<Answer<E::Place>, Refused<E>>) -> T + Sync,
        watch: &BuildWatch,
    ) -> Option<Vec<T>> {
        let (answered, of) = (AtomicU64::new(0), queries.len() as u64);
        let report = |done: u64| watch.report(done, of).is_continue();
        if !report(0) {
            return None;
        }
        let ask = |kind: &mut KindView<'_, E>, query: &PathQuery<E::Place>| {
            let is_wanted = || !watch.is_stopped();
            let answer = turn(kind.answer_while(query, is_wanted)?);
            report(answered.fetch_add(1, Ordering::Relaxed) + 1).then_some(answer)
        };
        #[cfg(feature = "rayon")]
        return queries.par_iter().map_init(|| self.default_kind(), ask).collect();
        #[cfg(not(feature = "rayon"))]
        {
            let mut kind = self.default_kind();
            queries.iter().map(|query| ask(&mut kind, query)).collect()
        }
    }
}

/// The kind of agent of that name.
pub(super) fn kind_named(names: &[String], name: &str) -> Option<KindId> {
    names.iter().position(|known| known == name).map(|number| KindId(number as u16))
}

/// Gives threads the latest snapshot while the world is changed elsewhere. Clones are cheap.
///
/// A world that has readers publishes each revision as it comes about; [`Reader::snapshot`] never
/// waits, and never sees half a change.
///
/// ```
/// use highroad::{PathWorld, Terrain};
/// use highroad::world::Reader;
/// let mut world = PathWorld::new("...\n...\n".parse()?);
/// let reader: Reader = world.reader();
/// let other_thread = std::thread::spawn(move || {
///     loop { // a renderer, say
///         let view = reader.snapshot();
///         if view.revision().0 == 1 { return view.find_path((0, 0), (2, 0)).unwrap().unwrap().steps(); }
///     }
/// });
/// world.edit(|edit| _ = edit.set((1, 0), Terrain::WALL))?;
/// assert_eq!(other_thread.join().unwrap(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reader<E: Living = Grid>(pub(crate) Arc<ArcSwap<View<E>>>);

impl<E: Living> Clone for Reader<E> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<E: Living> Reader<E> {
    /// The world as it was last published.
    pub fn snapshot(&self) -> Snapshot<E> {
        Snapshot(self.0.load_full())
    }
}
