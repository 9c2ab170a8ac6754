//! The memory that queries run in: owned by the caller, reused from query to query.

use super::algorithm::{Algorithm, Identity, Memory};
use super::writing::Writing;
use crate::environment::{Edition, Environment, NodeId};
use crate::search::{Limits, Run, Statistics, Workspace};
use std::any::{Any, TypeId};

/// Working memory for queries of any planner in any environment. Make one a thread and keep it: after the first
/// queries on a map, further ones allocate nothing but the path they return.
///
/// It keeps what all searches share, and for each kind of planner that has used it a part of that planner's own
/// type ([`Algorithm::Memory`](super::Algorithm::Memory)).
#[derive(Default)]
pub struct Scratch {
    pub(crate) work: Workspace,
    parts: Vec<(TypeId, Box<dyn Part>)>,
    pub(super) begun: Option<Begun>,
    /// The sequence of searches that the query under way takes, if it takes more than one.
    pub(super) course: Option<Box<dyn Any + Send + Sync>>,
    /// Whose the latest query was, for drawing.
    pub(super) latest: Option<Identity>,
    statistics: Statistics,
}

/// A query that has begun and not ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Begun {
    pub(crate) edition: Edition,
    pub(crate) planner: Identity,
    pub(crate) run: Run,
    /// Whether observers have been informed of the starts.
    pub(crate) starts_reported: bool,
}

/// A part of a scratch memory, whatever its type.
trait Part: Any + Send + Sync {
    fn bytes(&self) -> usize;
}

/// What a scratch memory keeps for one kind of planner: the ends of its query, and the planner's own memory.
pub(super) struct Kept<P, M> {
    pub(super) starts: Vec<P>,
    pub(super) goals: Vec<P>,
    pub(super) writing: Writing<P>,
    pub(super) own: M,
}

impl<P, M: Default> Default for Kept<P, M> {
    fn default() -> Self {
        let (starts, goals) = (Vec::new(), Vec::new());
        Self { starts, goals, writing: Writing::default(), own: M::default() }
    }
}

impl<P: Send + Sync + 'static, M: Memory> Part for Kept<P, M> {
    fn bytes(&self) -> usize {
        (self.starts.capacity() + self.goals.capacity()) * size_of::<P>()
            + self.writing.memory_bytes()
            + self.own.bytes()
    }
}

impl Scratch {
    /// Empty memory; it grows to what queries need.
    pub fn new() -> Self {
        Self::default()
    }

    /// What the latest query did, so far or in all.
    pub fn statistics(&self) -> Statistics {
        self.begun.map_or(self.statistics, |begun| begun.run.statistics)
    }

    /// What the latest search over nodes knows of one: its cost, counted as the search counts, and where it was
    /// reached from, which is itself for a start. `None` where the search has not been.
    ///
    /// ```
    /// use highroad::{Cell, Cost};
    /// use highroad::grid::Grid;
    /// use highroad::online::GridSearch;
    /// use highroad::planner::{PathQuery, Planner, Scratch};
    /// use highroad::space::Nodes;
    /// let grid = Grid::with_defaults("....\n".parse()?);
    /// let mut scratch = Scratch::new();
    /// GridSearch::astar().solve(&grid, &PathQuery::new((0, 0), (3, 0)), &mut scratch)?;
    /// let [before, node] = [Cell::new(1, 0), Cell::new(2, 0)].map(|cell| grid.node(cell));
    /// assert_eq!(scratch.reached(node), Some((Cost::steps(2).0, before)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reached(&self, node: NodeId) -> Option<(u64, NodeId)> {
        self.work.cost(node).zip(self.work.parent(node))
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.work.memory_bytes() + self.parts.iter().map(|(_, part)| part.bytes()).sum::<usize>()
    }

    /// The memory that all searches share, for work that is no query. Ends the query that is under way.
    pub(crate) fn work(&mut self) -> &mut Workspace {
        self.end();
        self.latest = None;
        &mut self.work
    }

    /// Notes what work that is no query did.
    pub(crate) fn note(&mut self, statistics: Statistics) {
        self.statistics = statistics;
    }

    /// Lets the query that has just begun go on counting where another has ended.
    pub(super) fn go_on_counting(&mut self, counted: Statistics) {
        if let Some(begun) = &mut self.begun {
            let Statistics { expanded, generated, reopened, open_max, beside } = counted;
            let own = &mut begun.run.statistics;
            own.expanded += expanded;
            own.generated += generated;
            own.reopened += reopened;
            own.beside += beside;
            own.open_max = own.open_max.max(open_max);
        }
    }

    /// Ends the query; its statistics stay.
    pub(crate) fn end(&mut self) {
        self.statistics = self.statistics();
        self.begun = None;
        self.course = None;
    }

    /// The memory of a planner's own kind, for what it offers beside queries. Ends the query that is under way.
    ///
    /// ```
    /// use highroad::grid::Grid;
    /// use highroad::hierarchy::{Hpa, HpaOptions};
    /// use highroad::planner::{Memory, Scratch};
    /// let grid = Grid::with_defaults("....\n....\n".parse()?);
    /// let hpa = Hpa::build(&grid, HpaOptions::default())?;
    /// let mut scratch = Scratch::new();
    /// let bytes = scratch.memory_of::<Grid, Hpa>(&hpa).bytes();
    /// assert!(bytes <= scratch.memory_bytes());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn memory_of<E: Environment, A: Algorithm<E>>(&mut self, _planner: &A) -> &mut A::Memory {
        self.end();
        self.latest = None;
        &mut self.kept::<E::Place, A::Memory>().0.own
    }

    /// What it keeps for planners with that memory; made when first asked for.
    #[inline]
    pub(super) fn kept<P: Send + Sync + 'static, M: Memory>(
        &mut self,
    ) -> (&mut Kept<P, M>, &mut Workspace, &mut Option<Begun>) {
        let wanted = TypeId::of::<Kept<P, M>>();
        let at = self.parts.iter().position(|(id, _)| *id == wanted);
        let at = at.unwrap_or_else(|| {
            self.parts.push((wanted, Box::new(Kept::<P, M>::default())));
            self.parts.len() - 1
        });
        let part: &mut dyn Any = &mut *self.parts[at].1;
        let Some(kept) = part.downcast_mut() else {
            unreachable!("a part is filed under its own type")
        };
        (kept, &mut self.work, &mut self.begun)
    }

    /// What it keeps for planners with that memory, if any has used it.
    pub(super) fn peek<P: Send + Sync + 'static, M: Memory>(&self) -> Option<&Kept<P, M>> {
        let wanted = TypeId::of::<Kept<P, M>>();
        let (_, part) = self.parts.iter().find(|(id, _)| *id == wanted)?;
        let part: &dyn Any = &**part;
        part.downcast_ref()
    }
}

/// What a query in progress works with: its ends, its limits, and memory that all searches share.
///
/// An [`Algorithm`] gets one for each slice:
///
/// ```
/// use highroad::planner::Session;
/// use highroad::search::{SearchObserver, TraceEvent, TraceKind};
/// use highroad::environment::NodeId;
/// /// Expands nodes of a queue; returns whether the slice was enough.
/// fn run<P>(queue: &mut Vec<NodeId>, session: &mut Session<'_, P>, slice: u64, log: &mut impl SearchObserver) -> bool {
///     if session.first_report() { /* report the starts to the log */ }
///     let end = session.slice_end(slice);
///     while session.statistics().expanded < end {
///         let Some(_node) = queue.pop() else { return true };
///         session.statistics().expanded += 1;
///     }
///     session.count_beside(1); // work that is no expansion, such as putting a path together
///     queue.is_empty() || session.is_exhausted()
/// }
/// ```
pub struct Session<'s, P> {
    /// Where the path may start, as asked for; an algorithm may change it.
    pub starts: &'s mut Vec<P>,
    /// Where the path may end, as asked for; an algorithm may change it, such as to the nearest place where there
    /// is no path.
    pub goals: &'s mut Vec<P>,
    pub(crate) run: &'s mut Run,
    pub(crate) work: &'s mut Workspace,
    pub(crate) writing: &'s mut Writing<P>,
    /// Whether observers have been informed of the starts.
    pub(crate) starts_reported: &'s mut bool,
}

impl<P> Session<'_, P> {
    /// How far the query may go.
    pub fn limits(&self) -> Limits {
        self.run.limits
    }

    /// What the query has done so far: an algorithm counts its expansions here. Budgets and limits depend on it.
    pub fn statistics(&mut self) -> &mut Statistics {
        &mut self.run.statistics
    }

    /// The number of expansions at which a slice ends: that of the slice, or the query's limit.
    pub fn slice_end(&self, slice: u64) -> u64 {
        self.run.slice_end(slice)
    }

    /// Counts work beside expansions: see [`Statistics::beside`].
    pub fn count_beside(&mut self, units: u64) {
        self.run.statistics.beside += units;
    }

    /// Whether the query has used up its limit of expansions.
    pub fn is_exhausted(&self) -> bool {
        self.run.statistics.expanded >= self.run.limits.expansions_max
    }

    /// Whether this is the first call for the query: then observers want to know where it starts. Says so once.
    pub fn first_report(&mut self) -> bool {
        !std::mem::replace(self.starts_reported, true)
    }
}
