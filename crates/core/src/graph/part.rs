//! The common loop on part of a graph, from starts that may cost something already: what fields, clusters and
//! regions are made with.

use super::guide::Weighted;
use super::{Adjacency, GraphQuery, GraphQueryError, GraphScratch, Guide, NoGuide, NonNegative};
use crate::search::{BestFirst, Limits, NoTrace, Outcome, Run, Settings, Weight, open_start_at};
use crate::space::{NodeId, PartSpace};

/// What a search looks for in a part of a graph.
pub(super) struct PartQuery<'q, G, F> {
    /// Which edges it goes along.
    pub(super) edges: &'q Adjacency,
    /// The largest weight.
    pub(super) weight_max: u32,
    /// Where it starts, and what each start costs.
    pub(super) seeds: &'q [(NodeId, u64)],
    /// Where it ends; nowhere: it explores everything.
    pub(super) goals: &'q [NodeId],
    pub(super) guide: &'q G,
    /// Which nodes it may enter.
    pub(super) may_enter: F,
}

impl<G: Guide, F: Fn(NodeId) -> bool> PartQuery<'_, G, F> {
    /// Runs the common loop: the goal that was reached.
    pub(super) fn run(self, scratch: &mut GraphScratch) -> Option<NodeId> {
        self.run_until(|_| false, |_| None, scratch)
    }

    /// As [`PartQuery::run`], where besides every node of a kind is a goal, and nodes may have one more step.
    pub(super) fn run_until(
        self,
        is_goal: impl Fn(NodeId) -> bool,
        last_step: impl Fn(NodeId) -> Option<(NodeId, u32)>,
        scratch: &mut GraphScratch,
    ) -> Option<NodeId> {
        let Self { edges, weight_max, seeds, goals, guide, may_enter } = self;
        let GraphScratch { forward: nodes, queues: [open, _], run, .. } = scratch;
        nodes.reset(edges.node_count());
        open.reset(2 * u64::from(weight_max));
        let run = run.insert(Run::new(Limits::default()));
        goals.iter().for_each(|&goal| nodes.mark_goal(goal));
        let settings = Settings { reopen: !guide.is_consistent(), ..Settings::default() };
        for &(node, cost) in seeds {
            let key = settings.key(cost, guide.estimate(node));
            open_start_at(nodes, open, run, node, cost, key);
        }
        let space = PartSpace { edges, may_enter, is_goal, last_step };
        let heuristic = Weighted { guide, weight: Weight::ONE };
        let mut search = BestFirst { space, heuristic, settings, nodes, open, run };
        match search.advance(u64::MAX, &mut NoTrace) {
            Outcome::Goal(node) => Some(node),
            _ => None,
        }
    }
}

/// Dijkstra's algorithm from some nodes to everywhere along those edges of a graph; `scratch` then knows
/// costs and parents.
pub(crate) fn explore_from(
    graph: NonNegative<'_>,
    edges: &Adjacency,
    starts: &[NodeId],
    scratch: &mut GraphScratch,
) -> Result<(), GraphQueryError> {
    GraphQuery::among(starts.to_vec(), Vec::new()).check(graph.graph())?;
    let seeds: Vec<(NodeId, u64)> = starts.iter().map(|&start| (start, 0)).collect();
    let weight_max = graph.graph().weight_max();
    let (guide, may_enter) = (&NoGuide, |_| true);
    PartQuery { edges, weight_max, seeds: &seeds, goals: &[], guide, may_enter }.run(scratch);
    Ok(())
}
