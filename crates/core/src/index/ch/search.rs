//! Queries: join the ends to the graph, climb the hierarchy, fill in the cells.

use super::{ChIndex, GridGraph};
use crate::grid::{Cell, Change, Cost, Grid};
use crate::index::contraction::{Estimate, Reached, RouteScratch};
use crate::index::subgoal::{judged, limit_reached, tell_starts};
use crate::path::{Path, octile_cost_wide};
use crate::planner::{
    CatchUp, Guarantee, Planner, Point, Progress, Query, QueryError, Shape, SketchLayer, Task,
};
use crate::search::{
    Begun, NoTrace, Observer, Run, Scratch, Side, TraceEvent, TraceKind, TraceLog,
};
use crate::space::NodeId;

/// What a query of a [`ChIndex`] needs of a [`Scratch`], beside what a subgoal graph needs.
#[derive(Default)]
pub(crate) struct ChScratch {
    route: RouteScratch,
    /// The cells where the path may turn.
    turns: Vec<Cell>,
    /// The best pair of ends that see each other: start, goal, cost.
    direct: Option<(u32, u32, u64)>,
    /// What a settled node reaches, while a search is watched.
    reached: Vec<Reached>,
}

impl ChScratch {
    pub(crate) fn memory_bytes(&self) -> usize {
        self.route.memory_bytes()
            + self.turns.capacity() * size_of::<Cell>()
            + self.reached.capacity() * size_of::<Reached>()
    }
}

/// Octile distances to the nearest goal, or start.
struct Octile<'a> {
    index: &'a ChIndex,
    ends: [&'a [Cell]; 2],
}

impl Estimate for Octile<'_> {
    #[inline]
    fn estimate(&self, side: usize, rank: u32) -> u64 {
        let cell = self.index.cells[rank as usize];
        let to = |end: Cell| octile_cost_wide(cell, end, self.index.straight, self.index.diagonal);
        match self.ends[1 - side] {
            [end] => to(*end),
            ends => ends.iter().map(|&end| to(end)).min().unwrap_or(0),
        }
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

    fn open_ends(&self, scratch: &mut Scratch, run: &mut Run) {
        let Scratch { subgoal, ch, starts, goals, .. } = scratch;
        let terminals = &subgoal.terminals;
        let octile = Octile { index: self, ends: [starts, goals] };
        ch.route.begin(self.hierarchy.node_count());
        ch.direct = terminals.direct.iter().copied().min_by_key(|&(_, _, cost)| cost);
        let lists =
            [(&terminals.onwards, &terminals.onwards_end), (&terminals.back, &terminals.back_end)];
        for (side, (links, ends)) in lists.into_iter().enumerate() {
            let mut begin = 0;
            for (seed, &end) in (0..).zip(ends) {
                for link in &links[begin..end as usize] {
                    let (rank, cost) = (self.hierarchy.rank_of(link.subgoal), u64::from(link.cost));
                    if ch.route.seed(side, rank, cost, seed, &octile) {
                        run.note_open(ch.route.open_len());
                    }
                }
                begin = end as usize;
            }
        }
    }

    fn resume<O: Observer>(
        &self,
        grid: &Grid,
        scratch: &mut Scratch,
        slice: u64,
        observer: &mut O,
    ) -> Progress {
        if self.grid != grid.edition() || !scratch.runs(self.grid, Task::Index(self.own)) {
            scratch.end();
            return Progress::Stale;
        }
        let seeds_told = scratch.begun.is_some_and(|begun| begun.starts_told);
        tell_starts(grid, scratch, observer);
        if scratch.subgoal.terminals.in_sight(&scratch.starts, &scratch.goals).is_none() {
            match self.climb(grid, scratch, slice, seeds_told, observer) {
                Climbed::Paused => return Progress::Running,
                Climbed::Limit => return Progress::Done(limit_reached(grid, scratch)),
                Climbed::Over => {}
            }
        }
        match self.best_path(grid, scratch) {
            Some(path) => Progress::Done(judged(grid, scratch, path)),
            None => Progress::Done(limit_reached(grid, scratch)),
        }
    }

    /// Goes on for at most `slice` nodes.
    fn climb<O: Observer>(
        &self,
        grid: &Grid,
        scratch: &mut Scratch,
        slice: u64,
        seeds_told: bool,
        observer: &mut O,
    ) -> Climbed {
        let unit = self.unit(grid);
        let Scratch { ch, starts, goals, begun: Some(begun), .. } = scratch else {
            return Climbed::Over;
        };
        let octile = Octile { index: self, ends: [starts, goals] };
        let end = begun.run.slice_end(slice);
        let statistics = &mut begun.run.statistics;
        let event = |kind, reached: Reached| {
            let node = |rank: u32| NodeId(grid.extent().id_inside(self.cells[rank as usize]).0);
            TraceEvent {
                kind,
                node: node(reached.rank),
                parent: node(reached.before),
                g: reached.cost * unit,
                h: octile.estimate(reached.side, reached.rank) * unit,
                side: [Side::Forward, Side::Backward][reached.side],
            }
        };
        if O::ACTIVE && !seeds_told {
            ch.route.seeds().for_each(|seed| observer.event(event(TraceKind::Open, seed)));
        }
        while statistics.expanded < end {
            let mut generated = 0;
            // Told before those that it reaches, though known after.
            let first = ch.reached.len();
            let settled = self.hierarchy.settle_next(&mut ch.route, &octile, |reached| {
                generated += 1;
                if O::ACTIVE {
                    ch.reached.push(reached);
                }
            });
            let Some(settled) = settled else {
                return Climbed::Over;
            };
            statistics.expanded += 1;
            statistics.generated += generated;
            statistics.open_max = statistics.open_max.max(ch.route.open_len() as u64);
            if O::ACTIVE {
                observer.event(event(TraceKind::Expand, settled));
                for reached in ch.reached.drain(first..) {
                    let kind = if reached.improved { TraceKind::Improve } else { TraceKind::Open };
                    observer.event(event(kind, reached));
                }
            }
        }
        if self.hierarchy.is_over(&mut ch.route) {
            Climbed::Over
        } else if statistics.expanded >= begun.run.limits.expansions_max {
            Climbed::Limit
        } else {
            Climbed::Paused
        }
    }

    fn best_path(&self, grid: &Grid, scratch: &mut Scratch) -> Option<Path> {
        let unit = self.unit(grid);
        let Scratch { ch, starts, goals, .. } = scratch;
        let ChScratch { route, turns, direct, .. } = ch;
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
        Some(Path::by_legs(turns.iter().copied(), Cost(cost * unit), grid.revision()))
    }
}

enum Climbed {
    Paused,
    Limit,
    Over,
}

impl Planner for ChIndex {
    fn guarantee(&self, _grid: &Grid) -> Guarantee {
        Guarantee::Optimal
    }

    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), QueryError> {
        scratch.end();
        if self.grid != grid.edition() {
            return Err(QueryError::Stale);
        }
        query.check(grid)?;
        scratch.hold(query.starts(), query.goals());
        let Scratch { subgoal, starts, goals, flood, .. } = scratch;
        match &self.ground {
            GridGraph::Subgoals(map) => subgoal.terminals.join(&**map, grid, starts, goals, flood),
            GridGraph::Cells(cells) => subgoal.terminals.join(cells, grid, starts, goals, flood),
        }
        let mut run = Run::new(query.limits());
        self.open_ends(scratch, &mut run);
        let task = Task::Index(self.own);
        scratch.begun = Some(Begun { edition: grid.edition(), task, run, starts_told: false });
        Ok(())
    }

    fn advance(&self, grid: &Grid, scratch: &mut Scratch, slice: u64) -> Progress {
        self.resume(grid, scratch, slice, &mut NoTrace)
    }

    fn advance_traced(
        &self,
        grid: &Grid,
        scratch: &mut Scratch,
        slice: u64,
        log: &mut TraceLog,
    ) -> Progress {
        self.resume(grid, scratch, slice, log)
    }

    fn catch_up(&mut self, grid: &Grid, _changes: &[Change], _scratch: &mut Scratch) -> CatchUp {
        if self.grid == grid.edition() { CatchUp::Done } else { CatchUp::NeedsRebuild }
    }

    fn memory_bytes(&self) -> usize {
        let ground = match &self.ground {
            GridGraph::Subgoals(subgoals) => subgoals.memory_bytes(),
            GridGraph::Cells(graph) => graph.memory_bytes(),
        };
        ground + self.hierarchy.memory_bytes() + self.cells.capacity() * size_of::<Cell>()
    }

    fn sketch(&self, _grid: &Grid) -> Vec<SketchLayer> {
        let middle = |rank: usize| Point::middle_of(self.cells[rank]);
        let edges = self.hierarchy.up_edges();
        let lines = edges.map(|(low, high)| [middle(low as usize), middle(high as usize)]);
        let mut layers = vec![SketchLayer {
            name: "edges",
            help: "edges and shortcuts that lead up the hierarchy",
            level: 1,
            shape: Shape::Lines(lines.collect()),
        }];
        // Each level is the upper half of the one below.
        let count = self.cells.len();
        for level in 1..=RANK_LAYERS {
            let from = count - (count >> (level - 1));
            layers.push(SketchLayer {
                name: "ranks",
                help: "nodes by rank: each level keeps the more important half of the one below",
                level,
                shape: Shape::Points((from..count).map(middle).collect()),
            });
        }
        layers
    }
}

/// How many halvings of the ranks are drawn.
const RANK_LAYERS: u32 = 6;
