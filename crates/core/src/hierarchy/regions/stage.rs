//! One stage of a query through regions: a search on a graph of regions, or on part of the graph itself.
//!
//! A query is several searches one after the other in the same memory. Each may be interrupted by the end of a slice;
//! expansions are counted over all of them.

use crate::environment::{Environment, NodeId};
use crate::graph::{Graph, GraphSpace, Partition};
use crate::path::Path;
use crate::planner::{Answer, Progress, Session, answer_within, start_of};
use crate::search::{Heuristic, Limits, Outcome, Run, SearchObserver, Side, TraceEvent, TraceKind};
use crate::space::{Arrival, Nodes, Space};

/// The steps of a graph that stay within their region.
pub(super) struct Inside<'p, S> {
    pub(super) space: S,
    pub(super) partition: &'p Partition,
}

impl<S: Space> Space for Inside<'_, S> {
    fn node_count(&self) -> usize {
        self.space.node_count()
    }

    #[inline]
    fn expand(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        let (partition, region) = (self.partition, self.partition.region(at.node));
        self.space.expand(at, &mut |to, cost| {
            if partition.region(to) == region {
                visit(to, cost);
            }
        });
    }
}

/// The edges of a graph that is known to have no negative one.
pub(super) fn edges_of(graph: &Graph) -> GraphSpace<'_> {
    match graph.non_negative() {
        Ok(view) => GraphSpace::along(view),
        Err(edge) => unreachable!("the query was checked: {edge}"),
    }
}

/// Twice the largest weight: how far the keys of a search spread.
pub(super) fn span_of(graph: &Graph) -> u64 {
    2 * u64::from(graph.weight_max())
}

/// Limits do not cut the searches of a query by cost, since those of an abstraction are not the costs of paths: the
/// path is checked when it is whole.
fn stage_run(session: &Session<'_, NodeId>) -> Run {
    let limits = Limits { cost_max: u64::MAX, ..session.limits() };
    Run { statistics: session.run.statistics, ..Run::new(limits) }
}

/// Where the search of a stage begins, each node with what it costs already.
#[derive(Default)]
pub(super) struct Seeds {
    list: Vec<(NodeId, u64)>,
    /// Whether an observer knows of them.
    reported: bool,
}

impl Seeds {
    pub(super) fn bytes(&self) -> usize {
        self.list.capacity() * size_of::<(NodeId, u64)>()
    }

    /// Begins the search of a stage.
    pub(super) fn begin(
        &mut self,
        session: &mut Session<'_, NodeId>,
        graph: &Graph,
        seeds: impl Iterator<Item = (NodeId, u64)>,
        goals: impl Iterator<Item = NodeId>,
        heuristic: &impl Heuristic,
    ) {
        self.list.clear();
        self.list.extend(seeds);
        self.reported = false;
        let mut run = stage_run(session);
        let (nodes, span, list) = (graph.node_count(), span_of(graph), self.list.iter().copied());
        session.work.begin_exploring(nodes, span, list, goals, heuristic, &mut run);
        session.run.statistics = run.statistics;
    }

    /// Goes on with the search of a stage until `end` expansions are counted in all.
    pub(super) fn go_on<O: SearchObserver>(
        &mut self,
        session: &mut Session<'_, NodeId>,
        space: impl Space,
        heuristic: impl Heuristic,
        end: u64,
        observer: &mut O,
    ) -> Outcome {
        if !std::mem::replace(&mut self.reported, true) && O::ACTIVE {
            for &(node, g) in &self.list {
                let (kind, h, side) = (TraceKind::Start, heuristic.estimate(node), Side::Forward);
                observer.event(TraceEvent { kind, node, parent: node, g, h, side });
            }
        }
        let mut run = stage_run(session);
        let slice = end.saturating_sub(run.statistics.expanded);
        let outcome = session.work.go_on_exploring(space, heuristic, &mut run, slice, observer);
        session.run.statistics = run.statistics;
        outcome
    }
}

/// A planner whose queries are several searches one after the other.
pub(super) trait Staged {
    /// What its queries need of a scratch memory.
    type Memory;
    /// Which search a query is in.
    type Stage: Copy + PartialEq;
    /// The search among all nodes, which answers where the others cannot.
    const WHOLE: Self::Stage;

    /// The search that a query is in.
    fn stage(own: &Self::Memory) -> Self::Stage;

    /// Begins the search of a stage. What the stages before have found is in `own`.
    fn begin_stage(
        &self,
        graph: &Graph,
        session: &mut Session<'_, NodeId>,
        own: &mut Self::Memory,
        stage: Self::Stage,
    );

    /// Goes on with the search of the present stage until `end` expansions are counted in all.
    fn go_on<O: SearchObserver>(
        &self,
        graph: &Graph,
        session: &mut Session<'_, NodeId>,
        own: &mut Self::Memory,
        end: u64,
        observer: &mut O,
    ) -> Outcome;

    /// What comes after a stage whose search is over: another stage, or `None` when the path is whole.
    fn after(
        &self,
        session: &mut Session<'_, NodeId>,
        own: &mut Self::Memory,
        reached: Option<NodeId>,
    ) -> Option<Self::Stage>;

    /// The path, when it is whole.
    fn trail(own: &Self::Memory) -> &[NodeId];

    /// Goes on with a query for at most `slice` expansions, from stage to stage.
    fn run_stages<O: SearchObserver>(
        &self,
        graph: &Graph,
        session: &mut Session<'_, NodeId>,
        own: &mut Self::Memory,
        slice: u64,
        observer: &mut O,
    ) -> Progress<NodeId> {
        let end = session.slice_end(slice);
        loop {
            let reached = match self.go_on(graph, session, own, end, observer) {
                Outcome::Paused => return Progress::Running,
                Outcome::Limit => {
                    let nearest = start_of(graph, session);
                    return Progress::Done(Answer::LimitReached { nearest });
                }
                Outcome::Exhausted if Self::stage(own) == Self::WHOLE => {
                    let nearest = start_of(graph, session);
                    return Progress::Done(Answer::Unreachable { nearest });
                }
                Outcome::Exhausted => None,
                Outcome::Goal(reached) => Some(reached),
            };
            match self.after(session, own, reached) {
                Some(stage) => self.begin_stage(graph, session, own, stage),
                None => break,
            }
        }
        let trail = Self::trail(own).to_vec();
        let cost = graph.cost_along(&trail);
        let path = Path::vouched(trail, cost, graph.revision());
        Progress::Done(answer_within(path, session.limits().cost_max, false))
    }
}
