//! Searches on the nodes of a graph.

use super::estimates::{Estimates, with_heuristic};
use super::search::{GraphSearch, SearchMemory, progress_of, walk_on};
use crate::graph::{EdgeChange, Graph, GraphSpace};
use crate::heuristic::{PositionEstimate, PositionHeuristic};
use crate::planner::{Algorithm, CatchUp, Guarantee, PathQuery, Progress, Session};
use crate::search::{
    Heuristic, Method, NoHeuristic, Outcome, Plan, Queue, SearchObserver, TieRule, Weight, Weighted,
};
use crate::space::{NodeId, Nodes};

/// Runs an expression with the estimates of a search, weights included.
macro_rules! with_estimates {
    ($search:expr, $prepared:expr, $graph:expr, $goals:expr, $name:ident => $body:expr) => {{
        let search: &GraphSearch = $search;
        let weight = search.method.weight();
        if !search.method.is_guided() {
            let $name = NoHeuristic;
            $body
        } else {
            with_heuristic!(
                &search.estimates,
                $prepared,
                inner => {
                    let $name = Weighted { inner, weight };
                    $body
                },
                estimate => {
                    let inner = PositionHeuristic::new($graph, *estimate, $goals);
                    let $name = Weighted { inner, weight };
                    $body
                }
            )
        }
    }};
}

impl GraphSearch {
    /// Whether estimates never exceed costs, apart from the weight; and whether they are consistent as well.
    fn claims(&self) -> (bool, bool) {
        match &self.estimates {
            _ if !self.method.is_guided() => (true, true),
            Estimates::Distance(estimate) => estimate.claims(),
            Estimates::Landmarks(_) | Estimates::True => (true, true),
            Estimates::Clusters(_) | Estimates::Abstract(_) => (true, false),
            Estimates::Given(given) => (given.is_admissible(), given.is_consistent()),
        }
    }

    fn plan(&self, graph: &Graph) -> Plan {
        let (_, consistent) = self.claims();
        let plain = consistent && self.method.weight() <= Weight::ONE;
        let span = match self.method {
            Method::BestFirst { unit_steps: true, .. } => 1,
            _ => 2 * graph.step_max(),
        };
        let queue = match self.tie_rule() {
            TieRule::NewestFirst if self.textbook => Queue::Heap,
            TieRule::NewestFirst => Queue::AnyOrder { span },
            rule => Queue::Ties(rule),
        };
        let queue =
            if self.method == Method::Bidirectional { Queue::AnyOrder { span } } else { queue };
        Plan { method: self.method, settings: self.method.settings(!plain), queue }
    }
}

impl Algorithm<Graph> for GraphSearch {
    type Memory = SearchMemory<PositionEstimate>;

    fn guarantee_for(&self, graph: &Graph) -> Guarantee {
        let (admissible, consistent) = self.claims();
        match self.method {
            Method::Bidirectional => Guarantee::Optimal,
            Method::DepthFirst | Method::BestFirst { greedy: true, .. } => Guarantee::None,
            Method::BestFirst { unit_steps: true, .. } => match graph.uniform_weight() {
                Some(_) => Guarantee::Optimal,
                None => Guarantee::None,
            },
            Method::BestFirst { weight, reopen, .. } => {
                let reopens = consistent || reopen.unwrap_or(true);
                match (admissible && reopens, weight.factor()) {
                    (false, _) => Guarantee::None,
                    (true, factor) if factor <= 1.0 => Guarantee::Optimal,
                    (true, factor) => Guarantee::Bounded(factor),
                }
            }
        }
    }

    fn is_current(&self, graph: &Graph) -> bool {
        self.knows(graph)
    }

    fn start(
        &self,
        graph: &Graph,
        _query: &PathQuery<NodeId>,
        session: &mut Session<'_, NodeId>,
        own: &mut SearchMemory<PositionEstimate>,
    ) {
        own.search.clone_from(self);
        own.walk = None;
        let Session { starts, goals, run, work, .. } = session;
        self.estimates.prepare(graph, goals, work, &mut own.prepared);
        let (plan, count) = (self.plan(graph), Nodes::node_count(graph));
        let (starts, goals) = (&starts[..], &goals[..]);
        with_estimates!(self, own.prepared, graph, goals, heuristic => {
            let (from, to) = (starts.iter().copied(), goals.iter().copied());
            plan.begin(count, from, to, &heuristic, work, run);
        });
    }

    fn run<O: SearchObserver>(
        &self,
        graph: &Graph,
        session: &mut Session<'_, NodeId>,
        own: &mut SearchMemory<PositionEstimate>,
        slice: u64,
        observer: &mut O,
    ) -> Progress<NodeId> {
        let end = session.run.statistics.work().saturating_add(slice);
        if own.walk.is_some() {
            walk_on(graph, session, &mut own.walk, end);
            return Progress::Running;
        }
        let first = session.first_report();
        let search = &own.search;
        let plan = search.plan(graph);
        // The query was checked: no edge is negative.
        let Ok(view) = graph.non_negative() else { return Progress::Stale };
        let space = if search.method == Method::Bidirectional {
            GraphSpace::both_ways(view)
        } else {
            GraphSpace::along(view)
        };
        let Session { starts, goals, run, work, .. } = &mut *session;
        let (starts, goals) = (&starts[..], &goals[..]);
        let outcome: Outcome = with_estimates!(search, own.prepared, graph, goals, heuristic => {
            if O::ACTIVE && first {
                let (from, to) = (starts.iter().copied(), goals.iter().copied());
                plan.report_starts(from, to, &heuristic, observer);
            }
            plan.advance(space, heuristic, work, run, slice, observer)
        });
        let progress = progress_of(graph, session, search.method, outcome, false, &mut own.walk);
        walk_on(graph, session, &mut own.walk, end);
        progress
    }

    fn follow(
        &mut self,
        graph: &Graph,
        _changes: &[EdgeChange],
        _memory: &mut SearchMemory<PositionEstimate>,
    ) -> CatchUp {
        if let Estimates::Distance(estimate) = &mut self.estimates {
            *estimate = estimate.renewed(graph);
        }
        if self.knows(graph) { CatchUp::Done } else { CatchUp::NeedsRebuild }
    }

    fn copy(&self) -> Option<Self> {
        Some(self.clone())
    }

    fn held_bytes(&self) -> usize {
        self.estimates.held_bytes()
    }
}
