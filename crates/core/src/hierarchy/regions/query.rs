//! Finding a path by way of regions: the highest level first, then level by level down to the nodes.

use super::stage::{Seeds, Staged, edges_of};
use super::{LAYERS, Level, RegionRefinement, Regions};
use crate::environment::{Edition, Environment, NodeId};
use crate::graph::Graph;
use crate::heuristic::PositionHeuristic;
use crate::planner::{
    Algorithm, Guarantee, Memory, PathQuery, Point, Progress, Scratch, Session, Shape, SketchLayer,
};
use crate::search::{NoHeuristic, Outcome, Relabelled, SearchObserver};
use crate::space::Part;

/// Which search a query is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// On the graph of regions of a level, from 0.
    Route(usize),
    /// Among the nodes of all regions on the route.
    Corridor,
    /// From the region on the route with that number into the next, or in the last one to a goal.
    Leg(usize),
    /// Among all nodes: the corridor is a dead end.
    #[default]
    Whole,
}

/// What a query of [`Regions`] needs of a [`Scratch`](crate::Scratch).
#[derive(Default)]
pub struct RegionsMemory {
    stage: Stage,
    seeds: Seeds,
    /// The regions that the path is looked for in, of the level that was searched last.
    pub(super) route: Vec<NodeId>,
    /// Whether a region of that level is on the route.
    on_route: Vec<bool>,
    /// The path so far, where it is put together leg by leg.
    trail: Vec<NodeId>,
}

impl RegionsMemory {
    /// Whether the corridor of the latest query was a dead end, so that the whole graph was searched.
    pub fn fell_back(&self) -> bool {
        self.stage == Stage::Whole
    }

    fn mark_route(&mut self, region_count: usize) {
        self.on_route.clear();
        self.on_route.resize(region_count, false);
        self.route.iter().for_each(|region| self.on_route[region.index()] = true);
    }
}

impl Memory for RegionsMemory {
    fn bytes(&self) -> usize {
        self.seeds.bytes()
            + (self.route.capacity() + self.trail.capacity()) * size_of::<NodeId>()
            + self.on_route.capacity()
    }
}

impl Regions {
    /// The group that a node is in on a level, from 0.
    fn group(&self, node: NodeId, level: usize) -> NodeId {
        self.levels[..=level].iter().fold(node, |at, level| NodeId(level.groups.region(at)))
    }

    /// The stage below a route that was found on a level.
    fn below(&self, own: &mut RegionsMemory, height: usize) -> Stage {
        own.mark_route(self.levels[height].groups.count());
        own.trail.clear();
        match (height.checked_sub(1), self.options.refinement) {
            (Some(lower), _) => Stage::Route(lower),
            (None, RegionRefinement::Corridor) => Stage::Corridor,
            (None, RegionRefinement::Legs) => Stage::Leg(0),
        }
    }

    /// The first stage: on the highest level, or below it where a table knows its routes.
    fn first_stage(&self, session: &Session<'_, NodeId>, own: &mut RegionsMemory) -> Stage {
        own.route.clear();
        let top = self.levels.len() - 1;
        let Some(table) = &self.table else { return Stage::Route(top) };
        let goals = || session.goals.iter().map(|&goal| self.group(goal, top));
        let pairs = session.starts.iter().map(|&start| self.group(start, top));
        let pairs = pairs.flat_map(|start| goals().map(move |goal| (start, goal)));
        let costs = pairs.filter_map(|(from, to)| Some((table.cost(from, to)?, from, to)));
        let best = costs.min().and_then(|(_, from, to)| table.path(from, to));
        match best {
            Some(route) => {
                own.route = route;
                self.below(own, top)
            }
            None => Stage::Whole,
        }
    }
}

impl Staged for Regions {
    type Memory = RegionsMemory;
    type Stage = Stage;
    const WHOLE: Stage = Stage::Whole;

    fn stage(own: &RegionsMemory) -> Stage {
        own.stage
    }

    fn trail(own: &RegionsMemory) -> &[NodeId] {
        &own.trail
    }

    fn begin_stage(
        &self,
        graph: &Graph,
        session: &mut Session<'_, NodeId>,
        own: &mut RegionsMemory,
        stage: Stage,
    ) {
        own.stage = stage;
        let (starts, goals) = (std::mem::take(session.starts), std::mem::take(session.goals));
        let mut seeds = std::mem::take(&mut own.seeds);
        let heuristic = PositionHeuristic::new(graph, self.estimate, &goals);
        let seed = |node: NodeId| (node, 0u64);
        let in_corridor = |node: &&NodeId| own.on_route[self.group(**node, 0).index()];
        match stage {
            Stage::Route(height) => {
                let above = self.levels.get(height + 1);
                let may_enter = |region: &NodeId| may_enter(above, &own.on_route, *region);
                let group = |&node: &NodeId| self.group(node, height);
                let from = starts.iter().map(group).filter(may_enter).map(seed);
                let to = goals.iter().map(group).filter(may_enter);
                seeds.begin(session, &self.levels[height].graph, from, to, &NoHeuristic);
            }
            Stage::Corridor => {
                let from = starts.iter().filter(in_corridor).copied().map(seed);
                let to = goals.iter().filter(in_corridor).copied();
                seeds.begin(session, graph, from, to, &heuristic);
            }
            Stage::Leg(number) => {
                let region = own.route[number];
                let is_here = |node: &&NodeId| self.group(**node, 0) == region;
                // Where the leg before has ended; the first begins at the starts.
                let from = match own.trail.last() {
                    Some(last) => std::slice::from_ref(last),
                    None => &starts,
                };
                let is_start = |node: &&NodeId| !own.trail.is_empty() || is_here(node);
                let from = from.iter().filter(is_start).copied().map(seed);
                let is_last = number + 1 == own.route.len();
                let to = goals.iter().filter(|_| is_last).filter(is_here).copied();
                seeds.begin(session, graph, from, to, &NoHeuristic);
            }
            Stage::Whole => {
                let (from, to) = (starts.iter().copied().map(seed), goals.iter().copied());
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
        own: &mut RegionsMemory,
        end: u64,
        observer: &mut O,
    ) -> Outcome {
        let goals = std::mem::take(session.goals);
        let mut seeds = std::mem::take(&mut own.seeds);
        let heuristic = PositionHeuristic::new(graph, self.estimate, &goals);
        let region = |node: NodeId| self.group(node, 0);
        let outcome = match own.stage {
            Stage::Route(height) => {
                let (level, above) = (&self.levels[height], self.levels.get(height + 1));
                let may_enter = |region| may_enter(above, &own.on_route, region);
                let space = Part::of(edges_of(&level.graph), may_enter);
                let label = |region: NodeId| level.heads[region.index()];
                let mut observer = Relabelled { observer, label };
                seeds.go_on(session, space, NoHeuristic, end, &mut observer)
            }
            Stage::Corridor => {
                let may_enter = |node| own.on_route[region(node).index()];
                let space = Part::of(edges_of(graph), may_enter);
                seeds.go_on(session, space, heuristic, end, observer)
            }
            Stage::Leg(number) => {
                let (here, next) = (own.route[number], own.route.get(number + 1).copied());
                let space = Part {
                    space: edges_of(graph),
                    may_enter: |node| region(node) == here || Some(region(node)) == next,
                    is_goal: |node| Some(region(node)) == next,
                    last_step: |_| None,
                };
                seeds.go_on(session, space, NoHeuristic, end, observer)
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
        own: &mut RegionsMemory,
        reached: Option<NodeId>,
    ) -> Option<Stage> {
        let Some(reached) = reached else { return Some(Stage::Whole) };
        let found = session.work.trail_to(reached);
        match own.stage {
            Stage::Route(height) => {
                own.route.clear();
                own.route.extend_from_slice(found);
                Some(self.below(own, height))
            }
            Stage::Leg(number) => {
                let known = usize::from(!own.trail.is_empty());
                own.trail.extend_from_slice(&found[known..]);
                (number + 1 < own.route.len()).then_some(Stage::Leg(number + 1))
            }
            Stage::Corridor | Stage::Whole => {
                own.trail.clear();
                own.trail.extend_from_slice(found);
                None
            }
        }
    }
}

/// Whether a region lies in one that is on the route of the level above; on the highest level any region does.
fn may_enter(above: Option<&Level>, on_route: &[bool], region: NodeId) -> bool {
    above.is_none_or(|above| on_route[above.groups.region(region) as usize])
}

impl Algorithm<Graph> for Regions {
    type Memory = RegionsMemory;

    fn guarantee_for(&self, _graph: &Graph) -> Guarantee {
        Guarantee::None
    }

    fn is_current(&self, graph: &Graph) -> bool {
        self.graph == graph.edition()
    }

    fn identity(&self) -> Option<Edition> {
        Some(self.own)
    }

    fn start(
        &self,
        graph: &Graph,
        _query: &PathQuery<NodeId>,
        session: &mut Session<'_, NodeId>,
        own: &mut RegionsMemory,
    ) {
        let stage = self.first_stage(session, own);
        self.begin_stage(graph, session, own, stage);
    }

    fn run<O: SearchObserver>(
        &self,
        graph: &Graph,
        session: &mut Session<'_, NodeId>,
        own: &mut RegionsMemory,
        slice: u64,
        observer: &mut O,
    ) -> Progress<NodeId> {
        self.run_stages(graph, session, own, slice, observer)
    }

    fn held_bytes(&self) -> usize {
        let level = |level: &Level| {
            (level.groups.regions().len() + level.heads.len()) * 4 + level.graph.memory_bytes()
        };
        self.levels.iter().map(level).sum::<usize>()
            + self.table.as_ref().map_or(0, |table| table.memory_bytes())
    }

    fn layers(&self, graph: &Graph) -> Vec<SketchLayer> {
        let Some(mut centres) = centres_of_nodes(graph) else { return Vec::new() };
        let mut layers = Vec::new();
        for (number, level) in (1..).zip(&self.levels) {
            centres = level.centres(&centres);
            let line =
                |edge: crate::graph::Edge| [centres[edge.from.index()], centres[edge.to.index()]];
            let lines = level.graph.edges().map(line).collect();
            layers.push(LAYERS[0].layer(number, Shape::Lines(lines)));
        }
        layers
    }

    fn query_layers(
        &self,
        graph: &Graph,
        own: &RegionsMemory,
        _scratch: &Scratch,
    ) -> Vec<SketchLayer> {
        let Some(centres) = centres_of_nodes(graph) else { return Vec::new() };
        let centres = self.levels[0].centres(&centres);
        let chain = own.route.iter().filter_map(|region| centres.get(region.index()).copied());
        vec![LAYERS[1].layer(1, Shape::Chain(chain.collect()))]
    }
}

/// Where nodes lie, for drawing.
pub(super) fn centres_of_nodes(graph: &Graph) -> Option<Vec<Point>> {
    Some(graph.positions()?.iter().map(|&position| Point::of_position(position)).collect())
}

impl Level {
    /// The middle of each group, given where its members lie.
    fn centres(&self, members: &[Point]) -> Vec<Point> {
        let mut sums = vec![(0.0, 0.0, 0.0); self.groups.count()];
        for (point, &group) in members.iter().zip(self.groups.regions()) {
            let sum = &mut sums[group as usize];
            *sum = (sum.0 + point.x, sum.1 + point.y, sum.2 + 1.0);
        }
        sums.into_iter().map(|(x, y, count)| Point { x: x / count, y: y / count }).collect()
    }
}
