//! The suite for planners of graphs.

use crate::candidate::Candidate;
use crate::checks::Question;
use crate::outcome::{Failures, Rounds, Summary, Tally};
use crate::posed::{Posed, check_random, query_between};
use crate::random::Random;
use highroad_core::graph::{Edge, Graph};
use highroad_core::{Answer, Cost, Guarantee, NodeId, Path, PathQuery, Planner, Position, Scratch};
use std::fmt;

/// The most nodes of a random graph.
const NODES_MAX: u32 = 30;

/// A graph, with a question about it.
#[derive(Clone)]
pub struct GraphSituation {
    /// The graph.
    pub graph: Graph,
    /// Where the path may start.
    pub starts: Vec<NodeId>,
    /// Where it may end.
    pub goals: Vec<NodeId>,
}

/// Tests a planner of graphs in random situations: edges of both directions and of one, parallel edges, edges from a
/// node to itself, edges that cost nothing and edges that cost as much as can be, nodes with and without positions,
/// several starts and goals, goals that no edge leads to.
pub fn check_graph(candidate: &Candidate<'_, Graph>, rounds: Rounds) -> Result<Summary, Failures> {
    check_random::<_, GraphSituation>(candidate, rounds, NODES_MAX)
}

impl Posed<Graph> for GraphSituation {
    fn random(random: &mut Random, size_max: u32) -> Self {
        Self::random(random, size_max)
    }

    fn environment(&self) -> &Graph {
        &self.graph
    }

    fn check(
        &self,
        candidate: &Candidate<'_, Graph>,
        planner: &dyn Planner<Graph>,
        random: &mut Random,
        scratch: &mut Scratch,
        tally: &mut Tally,
    ) {
        let distances = self.distances();
        let best = self.goals.iter().filter_map(|goal| distances[goal.index()]).min();
        let guarantee = planner.guarantee(&self.graph);
        let right = |answer: &Answer<NodeId>| self.is_right(best, guarantee, answer);
        let check_path = |path: &Path<NodeId>| self.check_path(path);
        let node_of = |node| node;
        let edge = best.unwrap_or_else(|| distances.iter().flatten().copied().max().unwrap_or(0));
        let limits = [edge * u64::from(random.below(120)) / 100, edge, edge.saturating_sub(1)];
        let question = Question {
            environment: &self.graph,
            planner,
            query: self.query(),
            best,
            slack: 0,
            cost_limits: candidate.cost_limits(&limits),
            traces_places: candidate.traces_places,
            shared_places: Vec::new(),
            right: &right,
            check_path: &check_path,
            node_of: &node_of,
        };
        question.check(self, random, scratch, tally);
    }
}

impl GraphSituation {
    /// A random situation on a graph of at most so many nodes.
    pub fn random(random: &mut Random, nodes_max: u32) -> Self {
        let count = 1 + random.below(nodes_max);
        let weight_end = random.pick(&[1, 3, 30, 30, 1000, i32::MAX as u32]);
        let mut edges = Vec::new();
        for _ in 0..random.below(4 * count) {
            let (from, to) = (random.below(count), random.below(count));
            let edge = Edge::new(from, to, random.below(weight_end) as i32);
            edges.push(edge);
            match random.below(4) {
                0 => edges.push(edge.reversed()),
                1 => edges.push(Edge { weight: random.below(weight_end) as i32, ..edge }),
                _ => {}
            }
        }
        let mut graph = Graph::from_edges(count as usize, &edges).expect("edges join nodes");
        if random.below(2) == 0 {
            let mut place = |_| -> Position {
                [random.below(50).into(), random.below(50).into(), random.below(3).into()]
            };
            let positions = (0..count).map(&mut place).collect();
            graph = graph.with_positions(positions).expect("every node has a position");
        }
        let nodes: Vec<NodeId> = (0..count).map(NodeId).collect();
        let (starts, goals) = (random.pick_ends(&nodes), random.pick_ends(&nodes));
        Self { graph, starts, goals }
    }

    /// The question. One start and one goal take the form that holds no lists.
    pub fn query(&self) -> PathQuery<NodeId> {
        query_between(&self.starts, &self.goals)
    }

    /// The distance of each node from the nearest start: edges are relaxed until nothing changes, after Bellman and
    /// Ford, as plainly as can be.
    pub fn distances(&self) -> Vec<Option<u64>> {
        let mut distances = vec![None; self.graph.node_count()];
        for start in &self.starts {
            distances[start.index()] = Some(0);
        }
        loop {
            let mut changed = false;
            for edge in self.graph.edges() {
                let weight = u64::try_from(edge.weight).expect("weights are not negative");
                let by_edge = distances[edge.from.index()].map(|before: u64| before + weight);
                let known = &mut distances[edge.to.index()];
                if by_edge.is_some_and(|cost| known.is_none_or(|known| cost < known)) {
                    *known = by_edge;
                    changed = true;
                }
            }
            if !changed {
                return distances;
            }
        }
    }

    /// Whether an answer to the question, without limits, is right and keeps the planner's promise.
    pub fn is_right(
        &self,
        best: Option<u64>,
        guarantee: Guarantee,
        answer: &Answer<NodeId>,
    ) -> Result<(), String> {
        match (answer, best) {
            (Answer::Found(path), Some(optimal)) => {
                self.check_path(path)?;
                if !self.goals.contains(&path.goal()) {
                    return Err(format!("the path ends at {}, which is no goal", path.goal()));
                }
                let cost = path.cost();
                if !guarantee.holds(cost, Cost(optimal)) {
                    return Err(format!("cost {cost} where {optimal} is best: not {guarantee}"));
                }
                Ok(())
            }
            (Answer::Unreachable { nearest }, None) => {
                self.check_path(nearest)?;
                // Where edges cost nothing, a place is as near as the start.
                if self.starts.contains(&nearest.goal()) || nearest.cost() == Cost::ZERO {
                    return Ok(());
                }
                Err(format!("nearest is {}, which is no start", nearest.goal()))
            }
            (answer, best) => Err(format!("{answer:?}, but the best path costs {best:?}")),
        }
    }

    /// Whether a path starts at a start, and its edges are there and cost what it claims.
    pub fn check_path(&self, path: &Path<NodeId>) -> Result<(), String> {
        path.validate(&self.graph).map_err(|fault| fault.to_string())?;
        if !self.starts.contains(&path.start()) {
            return Err(format!("the path starts at {}, which is no start", path.start()));
        }
        let step = |step: &[NodeId]| {
            let joins = |edge: &Edge| (edge.from, edge.to) == (step[0], step[1]);
            self.graph.edges().filter(joins).map(|edge| edge.weight).min()
        };
        let weights: Option<Vec<i32>> = path.nodes().windows(2).map(step).collect();
        let walked = weights.map(|weights| weights.iter().map(|&weight| weight as u64).sum());
        if walked != Some(path.cost().0) {
            return Err(format!("its edges cost {walked:?}, not {}", path.cost()));
        }
        Ok(())
    }
}

impl fmt::Debug for GraphSituation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { graph, starts, goals } = self;
        writeln!(f, "\n{} nodes, starts {starts:?}, goals {goals:?}", graph.node_count())?;
        let mut places = graph.positions().into_iter().flatten().enumerate();
        places.try_for_each(|(node, place)| writeln!(f, "{node} at {place:?}"))?;
        graph
            .edges()
            .try_for_each(|edge| writeln!(f, "{} to {}: {}", edge.from, edge.to, edge.weight))
    }
}
