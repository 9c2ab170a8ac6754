//! Queries: join the ends to the graph, climb the hierarchy, fill in the cells.

use super::{ChIndex, GridGraph};
use crate::grid::{Cell, Cost, Edition, Grid};
use crate::index::contraction::{ClimbMemory, Climbed, ContractionHierarchy, Reached};
use crate::index::subgoal::{Terminals, answer_for};
use crate::path::octile_cost_wide;
use crate::planner::{
    Algorithm, Guarantee, LayerInfo, Memory, PathQuery, Point, Progress, Session, Shape,
    SketchLayer, limit_reached, report_starts,
};
use crate::search::{Heuristic, SearchObserver, Side, TraceEvent, TraceKind};
use crate::space::NodeId;

/// What a query of a [`ChIndex`] needs of a [`Scratch`](crate::Scratch).
#[derive(Default)]
pub struct ChMemory {
    terminals: Terminals,
    climb: ClimbMemory,
    /// The best pair of ends that see each other: start, goal, cost.
    direct: Option<(u32, u32, u64)>,
}

impl Memory for ChMemory {
    fn bytes(&self) -> usize {
        self.terminals.memory_bytes() + self.climb.bytes()
    }
}

/// Octile distances from nodes, by rank, to the nearest of some ends.
struct Octile<'a> {
    index: &'a ChIndex,
    ends: &'a [Cell],
}

impl Heuristic for Octile<'_> {
    #[inline]
    fn estimate(&self, rank: NodeId) -> u64 {
        let cell = self.index.cells[rank.index()];
        let to = |end: Cell| octile_cost_wide(cell, end, self.index.straight, self.index.diagonal);
        match self.ends {
            [end] => to(*end),
            ends => ends.iter().map(|&end| to(end)).min().unwrap_or(0),
        }
    }

    fn is_admissible(&self) -> bool {
        true
    }

    fn is_consistent(&self) -> bool {
        true
    }
}

impl ChIndex {
    /// What a unit of the graph's costs is worth.
    fn unit(&self, grid: &Grid) -> u64 {
        match &self.ground {
            GridGraph::Subgoals(_) => 2 * u64::from(grid.uniform_cost().unwrap_or(1)),
            GridGraph::Cells(_) => 1,
        }
    }

    /// Estimates for the search from the starts, and for that from the goals.
    fn estimates<'a>(&'a self, starts: &'a [Cell], goals: &'a [Cell]) -> [Octile<'a>; 2] {
        [goals, starts].map(|ends| Octile { index: self, ends })
    }

    fn open_ends(&self, session: &mut Session<'_, Cell>, own: &mut ChMemory) {
        let ChMemory { terminals, climb, direct, .. } = own;
        let mut opened = (0, 0);
        {
            let octile = self.estimates(session.starts, session.goals);
            climb.begin(self.hierarchy.node_count());
            *direct = terminals.direct.iter().copied().min_by_key(|&(_, _, cost)| cost);
            let lists = [
                (&terminals.onwards, &terminals.onwards_end),
                (&terminals.back, &terminals.back_end),
            ];
            for (side, (links, ends)) in lists.into_iter().enumerate() {
                let mut begin = 0;
                for (seed, &end) in (0..).zip(ends) {
                    for link in &links[begin..end as usize] {
                        let rank = self.hierarchy.rank_of(link.subgoal);
                        if climb.seed(side, rank, u64::from(link.cost), seed, &octile) {
                            opened = (opened.0 + 1, opened.1.max(climb.open_len() as u64));
                        }
                    }
                    begin = end as usize;
                }
            }
        }
        session.run.statistics.generated = opened.0;
        session.run.statistics.open_max = opened.1;
    }

    /// Goes on for at most `slice` nodes.
    fn climb<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &mut ChMemory,
        slice: u64,
        seeds_reported: bool,
        observer: &mut O,
    ) -> Climbed {
        let unit = self.unit(grid);
        let Session { starts, goals, run, .. } = session;
        let octile = self.estimates(starts, goals);
        let event = |kind, reached: Reached| {
            let node = |rank: u32| NodeId(grid.extent().id_inside(self.cells[rank as usize]).0);
            TraceEvent {
                kind,
                node: node(reached.rank),
                parent: node(reached.before),
                g: reached.cost * unit,
                h: octile[reached.side].estimate(NodeId(reached.rank)) * unit,
                side: [Side::Forward, Side::Backward][reached.side],
            }
        };
        if O::ACTIVE && !seeds_reported {
            own.climb.seeds().for_each(|seed| observer.event(event(TraceKind::Open, seed)));
        }
        self.hierarchy.climb(&mut own.climb, &octile, run, slice, event, observer)
    }

    /// Hands over the cells where the best path turns. Returns what it costs.
    fn find_turns(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &mut ChMemory,
    ) -> Option<Cost> {
        let unit = self.unit(grid);
        let Session { starts, goals, writing, .. } = session;
        let ChMemory { climb: route, direct, .. } = own;
        let turns = &mut writing.places;
        turns.clear();
        let climbed = route.best();
        let cost = match (*direct, climbed) {
            (Some((start, goal, cost)), climbed) if climbed.is_none_or(|best| cost <= best) => {
                turns.extend([starts[start as usize], goals[goal as usize]]);
                cost
            }
            (_, best) => {
                let best = best?;
                let first = self.hierarchy.first_rank(route);
                turns.extend([starts[0], self.cells[first as usize]]);
                let (start, goal) =
                    self.hierarchy.unpack(route, |rank| turns.push(self.cells[rank as usize]));
                turns[0] = starts[start as usize];
                turns.push(goals[goal as usize]);
                best
            }
        };
        Some(Cost(cost * unit))
    }
}

/// What there is to draw of the hierarchy.
pub(super) static LAYERS: [LayerInfo; 2] = [
    LayerInfo::hidden("edges", "edges and shortcuts that lead up the hierarchy"),
    LayerInfo::hidden(
        "ranks",
        "nodes by rank: each level keeps the more important half of the one below",
    ),
];

/// How many halvings of the ranks are drawn.
const RANK_LAYERS: u32 = 6;

/// A hierarchy to be drawn; `middle` says where the node of a rank lies.
pub(super) fn layers_of(
    hierarchy: &ContractionHierarchy,
    middle: impl Fn(usize) -> Point,
) -> Vec<SketchLayer> {
    let edges = hierarchy.up_edges();
    let lines = edges.map(|(low, high)| [middle(low as usize), middle(high as usize)]);
    let mut layers = vec![LAYERS[0].layer(1, Shape::Lines(lines.collect()))];
    // Each level is the upper half of the one below.
    let count = hierarchy.node_count();
    for level in 1..=RANK_LAYERS {
        let from = count - (count >> (level - 1));
        layers.push(LAYERS[1].layer(level, Shape::Points((from..count).map(&middle).collect())));
    }
    layers
}

impl Algorithm<Grid> for ChIndex {
    type Memory = ChMemory;

    fn guarantee_for(&self, _grid: &Grid) -> Guarantee {
        Guarantee::Optimal
    }

    fn is_current(&self, grid: &Grid) -> bool {
        self.grid == grid.edition()
    }

    fn identity(&self) -> Option<Edition> {
        Some(self.own)
    }

    fn start(
        &self,
        grid: &Grid,
        _query: &PathQuery,
        session: &mut Session<'_, Cell>,
        own: &mut ChMemory,
    ) {
        let (starts, goals) = (&*session.starts, &mut *session.goals);
        match &self.ground {
            GridGraph::Subgoals(map) => own.terminals.join(&**map, grid, starts, goals),
            GridGraph::Cells(cells) => own.terminals.join(cells, grid, starts, goals),
        }
        self.open_ends(session, own);
    }

    fn run<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &mut ChMemory,
        slice: u64,
        observer: &mut O,
    ) -> Progress {
        let seeds_reported = *session.starts_reported;
        report_starts(grid, session, observer);
        if own.terminals.in_sight(session.starts, session.goals).is_none() {
            match self.climb(grid, session, own, slice, seeds_reported, observer) {
                Climbed::Paused => return Progress::Running,
                Climbed::Limit => return Progress::Done(limit_reached(grid, session)),
                Climbed::Over => {}
            }
        }
        match self.find_turns(grid, session, own) {
            Some(cost) => answer_for(grid, session, &own.terminals, cost),
            None => Progress::Done(limit_reached(grid, session)),
        }
    }

    fn held_bytes(&self) -> usize {
        let ground = match &self.ground {
            GridGraph::Subgoals(subgoals) => subgoals.held_bytes(),
            GridGraph::Cells(graph) => graph.memory_bytes(),
        };
        ground + self.hierarchy.memory_bytes() + self.cells.capacity() * size_of::<Cell>()
    }

    fn layers(&self, _grid: &Grid) -> Vec<SketchLayer> {
        layers_of(&self.hierarchy, |rank| Point::middle_of(self.cells[rank]))
    }

    fn to_bytes(&self, _grid: &Grid) -> Option<Vec<u8>> {
        Some(self.save())
    }
}
