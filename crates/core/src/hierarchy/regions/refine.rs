//! Finding a path by way of entrances: join the ends, search among entrances, then find the way between each two.

use super::entrances::{EntranceGraph, LAYERS, NONE};
use super::query::centres_of_nodes;
use super::stage::{Inside, Seeds, Staged, edges_of};
use crate::environment::{Edition, Environment, NodeId};
use crate::graph::{Edge, EdgeChange, Graph, GraphSpace};
use crate::heuristic::PositionHeuristic;
use crate::planner::{
    Algorithm, CatchUp, Guarantee, Memory, PathQuery, Progress, Scratch, Session, Shape,
    SketchLayer,
};
use crate::search::{Heuristic, NoHeuristic, Outcome, Relabelled, SearchObserver};
use crate::space::{Part, Reversed};

/// Which search a query is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// Back from the goals to the entrances of their regions.
    JoinGoals,
    /// From the starts to the entrances of their regions, and to goals there.
    JoinStarts,
    /// Among entrances.
    Entrances,
    /// Within a region, from the stop with that number to the next.
    Leg(usize),
    /// Among all nodes: no way by entrances is known.
    #[default]
    Whole,
}

/// An entrance that is joined to an end of a query.
#[derive(Clone, Copy, Debug)]
struct Join {
    entrance: u32,
    cost: u64,
    /// The start or goal that it is joined to.
    end: NodeId,
}

/// What a query of an [`EntranceGraph`] needs of a [`Scratch`](crate::Scratch).
#[derive(Default)]
pub struct EntrancesMemory {
    stage: Stage,
    seeds: Seeds,
    /// The regions of the ends that are joined.
    regions: Vec<u32>,
    from_starts: Vec<Join>,
    to_goals: Vec<Join>,
    /// For each entrance its place in `to_goals`, or [`NONE`].
    goal_joins: Vec<u32>,
    /// The cost and the nodes of the best way that stays in one region, if there is one.
    direct_cost: Option<u64>,
    direct: Vec<NodeId>,
    /// Start, entrances, goal.
    pub(super) stops: Vec<NodeId>,
    trail: Vec<NodeId>,
}

impl EntrancesMemory {
    /// Whether no way by entrances was known to the latest query, so that the whole graph was searched.
    pub fn fell_back(&self) -> bool {
        self.stage == Stage::Whole
    }
}

impl Memory for EntrancesMemory {
    fn bytes(&self) -> usize {
        self.seeds.bytes()
            + (self.from_starts.capacity() + self.to_goals.capacity()) * size_of::<Join>()
            + (self.regions.capacity() + self.goal_joins.capacity()) * size_of::<u32>()
            + (self.direct.capacity() + self.stops.capacity() + self.trail.capacity())
                * size_of::<NodeId>()
    }
}

/// Estimates for nodes as estimates for entrances; the goal is one more entrance.
struct EntranceHeuristic<'h, H> {
    inner: H,
    nodes: &'h [NodeId],
}

impl<H: Heuristic> Heuristic for EntranceHeuristic<'_, H> {
    #[inline]
    fn estimate(&self, entrance: NodeId) -> u64 {
        self.nodes.get(entrance.index()).map_or(0, |&node| self.inner.estimate(node))
    }

    fn is_admissible(&self) -> bool {
        self.inner.is_admissible()
    }

    fn is_consistent(&self) -> bool {
        self.inner.is_consistent()
    }
}

impl EntranceGraph {
    /// The number of the goal in searches among entrances.
    fn goal_number(&self) -> NodeId {
        NodeId(self.nodes.len() as u32)
    }

    /// The entrances of the regions of some ends that the latest search has come to.
    fn joins(
        &self,
        ends: &[NodeId],
        session: &mut Session<'_, NodeId>,
        regions: &mut Vec<u32>,
        joins: &mut Vec<Join>,
    ) {
        regions.clear();
        regions.extend(ends.iter().map(|&end| self.partition.region(end)));
        regions.sort_unstable();
        regions.dedup();
        joins.clear();
        for &region in &*regions {
            for entrance in self.first[region as usize]..self.first[region as usize + 1] {
                let node = self.nodes[entrance as usize];
                if let Some(cost) = session.work.cost(node) {
                    let end = session.work.trail_to(node)[0];
                    joins.push(Join { entrance, cost, end });
                }
            }
        }
    }

    /// The start, the entrances and the goal of the way that was found.
    fn note_stops(
        &self,
        session: &mut Session<'_, NodeId>,
        own: &mut EntrancesMemory,
        reached: NodeId,
    ) {
        let EntrancesMemory { stops, trail, from_starts, to_goals, goal_joins, .. } = own;
        let found = session.work.trail_to(reached);
        stops.clear();
        let (first, last) = (found[0].0, found[found.len() - 2].index());
        let start = from_starts.iter().find(|join| join.entrance == first);
        stops.extend(start.map(|join| join.end));
        stops.extend(found[..found.len() - 1].iter().map(|at| self.nodes[at.index()]));
        stops.push(to_goals[goal_joins[last] as usize].end);
        stops.dedup();
        trail.clear();
        trail.push(stops[0]);
    }

    /// Goes along edges between regions up to the next pair of stops within one: that leg is searched. `None` when
    /// the path is whole.
    fn next_leg(&self, own: &mut EntrancesMemory, from: usize) -> Option<Stage> {
        for number in from..own.stops.len().saturating_sub(1) {
            let [here, next] = [own.stops[number], own.stops[number + 1]];
            if self.partition.region(here) == self.partition.region(next) {
                return Some(Stage::Leg(number));
            }
            own.trail.push(next);
        }
        None
    }
}

impl Staged for EntranceGraph {
    type Memory = EntrancesMemory;
    type Stage = Stage;
    const WHOLE: Stage = Stage::Whole;

    fn stage(own: &EntrancesMemory) -> Stage {
        own.stage
    }

    fn trail(own: &EntrancesMemory) -> &[NodeId] {
        &own.trail
    }

    fn begin_stage(
        &self,
        graph: &Graph,
        session: &mut Session<'_, NodeId>,
        own: &mut EntrancesMemory,
        stage: Stage,
    ) {
        own.stage = stage;
        let (starts, goals) = (std::mem::take(session.starts), std::mem::take(session.goals));
        let mut seeds = std::mem::take(&mut own.seeds);
        let heuristic = PositionHeuristic::new(graph, self.estimate, &goals);
        let seed = |&node: &NodeId| (node, 0);
        let nowhere = || std::iter::empty::<NodeId>();
        match stage {
            Stage::JoinGoals => {
                seeds.begin(session, graph, goals.iter().map(seed), nowhere(), &NoHeuristic);
            }
            Stage::JoinStarts => {
                seeds.begin(session, graph, starts.iter().map(seed), nowhere(), &NoHeuristic);
            }
            Stage::Entrances => {
                let heuristic = EntranceHeuristic { inner: heuristic, nodes: &self.nodes };
                let from = own.from_starts.iter().map(|join| (NodeId(join.entrance), join.cost));
                seeds.begin(session, &self.graph, from, nowhere(), &heuristic);
            }
            Stage::Leg(number) => {
                let (from, to) = (own.stops[number], own.stops[number + 1]);
                let (from, to) = (std::iter::once((from, 0)), std::iter::once(to));
                seeds.begin(session, graph, from, to, &NoHeuristic);
            }
            Stage::Whole => {
                let (from, to) = (starts.iter().map(seed), goals.iter().copied());
                seeds.begin(session, graph, from, to, &heuristic);
            }
        }
        (*session.starts, *session.goals) = (starts, goals);
        own.seeds = seeds;
    }

    fn go_on<O: SearchObserver>(
        &self,
        graph: &Graph,
        session: &mut Session<'_, NodeId>,
        own: &mut EntrancesMemory,
        end: u64,
        observer: &mut O,
    ) -> Outcome {
        let goals = std::mem::take(session.goals);
        let mut seeds = std::mem::take(&mut own.seeds);
        let heuristic = PositionHeuristic::new(graph, self.estimate, &goals);
        let partition = &self.partition;
        let outcome = match own.stage {
            Stage::JoinGoals => {
                let Ok(view) = graph.non_negative() else { return Outcome::Exhausted };
                let space = Inside { space: Reversed(GraphSpace::both_ways(view)), partition };
                seeds.go_on(session, space, NoHeuristic, end, observer)
            }
            Stage::JoinStarts | Stage::Leg(_) => {
                let space = Inside { space: edges_of(graph), partition };
                seeds.go_on(session, space, NoHeuristic, end, observer)
            }
            Stage::Entrances => {
                let last_step = |entrance: NodeId| {
                    let join = own.goal_joins.get(entrance.index()).copied();
                    let join = own.to_goals.get(join.unwrap_or(NONE) as usize)?;
                    // Within bounds by what was checked when the graph was built.
                    Some((self.goal_number(), u32::try_from(join.cost).ok()?))
                };
                let space = Part {
                    space: edges_of(&self.graph),
                    may_enter: |_| true,
                    is_goal: |number| number == self.goal_number(),
                    last_step,
                };
                let heuristic = EntranceHeuristic { inner: heuristic, nodes: &self.nodes };
                let label =
                    |number: NodeId| self.nodes.get(number.index()).copied().unwrap_or(goals[0]);
                let mut observer = Relabelled { observer, label };
                seeds.go_on(session, space, heuristic, end, &mut observer)
            }
            Stage::Whole => seeds.go_on(session, edges_of(graph), heuristic, end, observer),
        };
        *session.goals = goals;
        own.seeds = seeds;
        outcome
    }

    fn after(
        &self,
        session: &mut Session<'_, NodeId>,
        own: &mut EntrancesMemory,
        reached: Option<NodeId>,
    ) -> Option<Stage> {
        match (own.stage, reached) {
            (Stage::JoinGoals, _) => {
                let goals = std::mem::take(session.goals);
                let EntrancesMemory { regions, to_goals, goal_joins, .. } = own;
                to_goals.iter().for_each(|join| goal_joins[join.entrance as usize] = NONE);
                self.joins(&goals, session, regions, to_goals);
                for (place, join) in (0..).zip(&*to_goals) {
                    goal_joins[join.entrance as usize] = place;
                }
                *session.goals = goals;
                Some(Stage::JoinStarts)
            }
            (Stage::JoinStarts, _) => {
                let starts = std::mem::take(session.starts);
                self.joins(&starts, session, &mut own.regions, &mut own.from_starts);
                *session.starts = starts;
                own.note_direct(session);
                Some(Stage::Entrances)
            }
            (Stage::Entrances, Some(reached)) => {
                let cost = session.work.cost(reached);
                if own.direct_cost.is_some_and(|direct| cost.is_none_or(|cost| direct <= cost)) {
                    return own.go_directly();
                }
                self.note_stops(session, own, reached);
                self.next_leg(own, 0)
            }
            (Stage::Entrances, None) if own.direct_cost.is_some() => own.go_directly(),
            (Stage::Leg(number), Some(reached)) => {
                own.trail.extend_from_slice(&session.work.trail_to(reached)[1..]);
                self.next_leg(own, number + 1)
            }
            (Stage::Whole, Some(reached)) => {
                own.trail.clear();
                own.trail.extend_from_slice(session.work.trail_to(reached));
                None
            }
            (_, None) => Some(Stage::Whole),
        }
    }
}

impl EntrancesMemory {
    /// Notes the best way from a start to a goal that stays in one region.
    fn note_direct(&mut self, session: &mut Session<'_, NodeId>) {
        let costs = session.goals.iter().filter_map(|&goal| Some((session.work.cost(goal)?, goal)));
        let best = costs.min();
        self.direct.clear();
        self.direct_cost = best.map(|(cost, _)| cost);
        if let Some((_, goal)) = best {
            self.direct.extend_from_slice(session.work.trail_to(goal));
        }
    }

    fn go_directly(&mut self) -> Option<Stage> {
        std::mem::swap(&mut self.trail, &mut self.direct);
        self.stops.clear();
        None
    }
}

impl Algorithm<Graph> for EntranceGraph {
    type Memory = EntrancesMemory;

    fn guarantee_for(&self, _graph: &Graph) -> Guarantee {
        if self.per_pair.is_none() { Guarantee::Optimal } else { Guarantee::NearOptimal }
    }

    fn is_current(&self, graph: &Graph) -> bool {
        self.whole == graph.edition()
    }

    fn identity(&self) -> Option<Edition> {
        Some(self.own)
    }

    fn follow(
        &mut self,
        graph: &Graph,
        changes: &[EdgeChange],
        _own: &mut EntrancesMemory,
    ) -> CatchUp {
        self.patch(graph, changes)
    }

    fn start(
        &self,
        graph: &Graph,
        _query: &PathQuery<NodeId>,
        session: &mut Session<'_, NodeId>,
        own: &mut EntrancesMemory,
    ) {
        // Other graphs may have used the memory.
        own.to_goals.clear();
        own.goal_joins.clear();
        own.goal_joins.resize(self.nodes.len(), NONE);
        own.stops.clear();
        self.begin_stage(graph, session, own, Stage::JoinGoals);
    }

    fn run<O: SearchObserver>(
        &self,
        graph: &Graph,
        session: &mut Session<'_, NodeId>,
        own: &mut EntrancesMemory,
        slice: u64,
        observer: &mut O,
    ) -> Progress<NodeId> {
        self.run_stages(graph, session, own, slice, observer)
    }

    fn held_bytes(&self) -> usize {
        (2 * self.numbers.len() + self.nodes.len() + self.first.len()) * 4
            + self.graph.memory_bytes()
    }

    fn layers(&self, graph: &Graph) -> Vec<SketchLayer> {
        let Some(points) = centres_of_nodes(graph) else { return Vec::new() };
        let point = |number: NodeId| points[self.nodes[number.index()].index()];
        let line = |edge: Edge| [point(edge.from), point(edge.to)];
        let entrances = self.nodes.iter().map(|node| points[node.index()]).collect();
        vec![
            LAYERS[0].layer(1, Shape::Points(entrances)),
            LAYERS[1].layer(1, Shape::Lines(self.graph.edges().map(line).collect())),
        ]
    }

    fn query_layers(
        &self,
        graph: &Graph,
        own: &EntrancesMemory,
        _scratch: &Scratch,
    ) -> Vec<SketchLayer> {
        let Some(points) = centres_of_nodes(graph) else { return Vec::new() };
        let stops = own.stops.iter().map(|node| points[node.index()]).collect();
        vec![LAYERS[2].layer(1, Shape::Chain(stops))]
    }
}
