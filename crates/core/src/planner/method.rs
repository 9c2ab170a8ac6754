//! From the settings of a search to the loop that runs it: the one place where the choice of
//! method, terrain and open list turns into types.

use super::Guarantee;
use super::query::node_of;
use crate::grid::{Cell, CellId, Edition, Grid};
use crate::search::{
    Begun, BestFirst, Bidirectional, BucketQueue, DepthFirst, Frontier, GridHeuristic, Half,
    Heuristic, HeuristicKind, Limits, Meeting, Observer, Outcome, Run, Scratch, Settings, Weight,
    open_start,
};
use crate::space::{GridSpace, NodeId, Steps, UniformSteps, WeightedSteps};

/// Which search, with its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    BestFirst {
        heuristic: HeuristicKind,
        weight: Weight,
        greedy: bool,
        unit_steps: bool,
        /// `None`: where the heuristic is inconsistent.
        reopen: Option<bool>,
    },
    DepthFirst,
    Bidirectional,
}

/// Whose state a query in progress is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// A search on the grid, by any [`GridSearch`](super::GridSearch).
    Grid(Method),
    /// Jump point search; redirected: to the nearest cell, where there is no path.
    JumpPoints { redirected: bool },
    /// That very edition of a hierarchy.
    Hierarchy(Edition),
    /// That very edition of an exact index.
    Index(Edition),
}

impl Method {
    /// Follows from the heuristic: see the table in [`crate::search`]'s heuristics.
    pub(super) fn guarantee(self, grid: &Grid) -> Guarantee {
        let (rule, steps) = (grid.movement().rule(), grid.movement().steps());
        match self {
            Self::Bidirectional => Guarantee::Optimal,
            Self::DepthFirst | Self::BestFirst { greedy: true, .. } => Guarantee::None,
            Self::BestFirst { unit_steps: true, .. } => {
                // The answer has at most as many steps as a cheapest path, and no step costs more
                // than this factor times another.
                let costs = grid.cost_range();
                let diagonal =
                    if rule.has_diagonals() { steps.diagonal() } else { steps.straight() };
                let dearest = f64::from(diagonal) * f64::from(*costs.end());
                bounded(dearest / (f64::from(steps.straight()) * f64::from(*costs.start())))
            }
            Self::BestFirst { heuristic, weight, reopen, .. } => {
                // Consistent estimates keep the bound of their weight without reopening (Likhachev,
                // Gordon and Thrun 2003); others need it.
                if heuristic.is_consistent(rule, steps) {
                    bounded(weight.factor())
                } else if reopen.unwrap_or(true) {
                    bounded(weight.factor() * heuristic.overestimate(rule, steps))
                } else {
                    Guarantee::None
                }
            }
        }
    }

    /// The estimates of a query.
    pub(super) fn estimates<'q>(self, grid: &Grid, goals: &'q [Cell]) -> GridHeuristic<'q> {
        match self {
            Self::BestFirst { heuristic, weight, .. } => {
                GridHeuristic::new(grid, heuristic, weight, goals)
            }
            _ => GridHeuristic::new(grid, HeuristicKind::Zero, Weight::ONE, goals),
        }
    }

    fn settings(self, grid: &Grid) -> Settings {
        let Self::BestFirst { heuristic, greedy, unit_steps, reopen, .. } = self else {
            return Settings::default();
        };
        let movement = grid.movement();
        let consistent = heuristic.is_consistent(movement.rule(), movement.steps());
        let reopen = !greedy && reopen.unwrap_or(!consistent);
        let key_shift = self.key_shift(grid);
        Settings { greedy, unit_steps, reopen, key_shift, keys_exact: true }
    }

    /// Whether every cell is expanded only once its cost is optimal. Then keys never fall, either.
    fn expands_at_optimal_cost(self, grid: &Grid) -> bool {
        let (rule, steps) = (grid.movement().rule(), grid.movement().steps());
        match self {
            Self::DepthFirst => false,
            Self::Bidirectional => true,
            Self::BestFirst { heuristic, weight, greedy, unit_steps, .. } => {
                let estimates_hold = heuristic.is_consistent(rule, steps) && weight <= Weight::ONE;
                estimates_hold && !greedy && !unit_steps
            }
        }
    }

    /// How many low bits are zero in every key. On uniform terrain all steps are multiples of twice a
    /// cell's cost, and so are the estimates made of whole steps.
    ///
    /// PERF: half as many buckets, which then fit the first cache.
    fn key_shift(self, grid: &Grid) -> u32 {
        use HeuristicKind::{Chebyshev, Octile, Zero};
        let whole_steps = match self {
            Self::BestFirst { unit_steps: true, .. } => false,
            Self::BestFirst { heuristic, weight, .. } => {
                heuristic == Zero
                    || weight == Weight::ONE && matches!(heuristic, Octile | Chebyshev)
            }
            Self::DepthFirst | Self::Bidirectional => false,
        };
        let cost = grid.uniform_cost().filter(|_| whole_steps);
        cost.map_or(0, |cost| (2 * cost).trailing_zeros())
    }

    /// The span of a bucket queue that would serve; `None` where keys may fall, or rise too far.
    fn bucket_span(self, grid: &Grid, starts: &[Cell]) -> Option<u64> {
        let diagonal = u64::from(grid.movement().steps().diagonal());
        let dearest = diagonal * 2 * u64::from(*grid.cost_range().end());
        let span = match self {
            Self::BestFirst { unit_steps: true, .. } => 1,
            _ if !self.expands_at_optimal_cost(grid) => return None,
            Self::BestFirst { heuristic: HeuristicKind::Zero, .. } => dearest,
            // The estimates of several starts may lie any distance apart.
            Self::BestFirst { .. } if starts.len() > 1 => return None,
            // A consistent estimate rises by no more than the step costs.
            Self::BestFirst { .. } => 2 * dearest,
            Self::DepthFirst | Self::Bidirectional => dearest,
        };
        let span = span >> self.key_shift(grid);
        (span <= BucketQueue::SPAN_MAX).then_some(span)
    }

    /// Sets up a query on checked places; with no goals, everything will be explored.
    pub(super) fn begin(
        self,
        grid: &Grid,
        limits: Limits,
        starts: &[Cell],
        goals: &[Cell],
        scratch: &mut Scratch,
    ) {
        let extent = grid.extent();
        let estimates = self.estimates(grid, goals);
        let settings = self.settings(grid);
        let span = self.bucket_span(grid, starts);
        let mut run = Run::new(limits);
        let nodes = &mut scratch.forward.nodes;
        nodes.reset(extent.cell_count());
        scratch.stack.clear();
        scratch.meeting = None;
        let start_nodes = starts.iter().map(|&start| node_of(extent, start));
        for node in start_nodes.clone() {
            run.note_nearest(estimates.remoteness_of(grid.extent().cell(CellId(node.0))), 0, node);
        }
        if self == Self::Bidirectional {
            let goal_nodes = goals.iter().map(|&goal| (node_of(extent, goal), 0));
            scratch.backward.nodes.reset(extent.cell_count());
            open_all(&mut scratch.backward, span, &mut run, goal_nodes);
            scratch.meeting = starts
                .iter()
                .find(|start| goals.contains(start))
                .map(|&shared| Meeting { cost: 0, node: node_of(extent, shared) });
        } else {
            goals.iter().for_each(|&goal| nodes.mark_goal(node_of(extent, goal)));
        }
        if self == Self::DepthFirst {
            for node in start_nodes {
                nodes.open(node, nodes.get(node), 0, node);
                scratch.stack.push(node);
                run.note_open(scratch.stack.len());
            }
        } else {
            let keyed = start_nodes.map(|node| (node, settings.key(0, estimates.estimate(node))));
            open_all(&mut scratch.forward, span, &mut run, keyed);
        }
        scratch.hold(starts, goals);
        let task = Task::Grid(self);
        scratch.begun = Some(Begun { edition: grid.edition(), task, run, starts_told: false });
    }

    /// Goes on with the query that has begun by this method.
    pub(super) fn advance<O: Observer>(
        self,
        grid: &Grid,
        scratch: &mut Scratch,
        slice: u64,
        observer: &mut O,
    ) -> Outcome {
        match grid.uniform_cost() {
            Some(cost) => {
                let canonical = self.expands_at_optimal_cost(grid);
                let steps = UniformSteps::new(grid, cost, canonical);
                self.advance_on(grid, steps, scratch, slice, observer)
            }
            None => self.advance_on(grid, WeightedSteps(grid), scratch, slice, observer),
        }
    }

    fn advance_on<S: Steps, O: Observer>(
        self,
        grid: &Grid,
        steps: S,
        scratch: &mut Scratch,
        slice: u64,
        observer: &mut O,
    ) -> Outcome {
        let Scratch {
            forward, backward, stack, begun: Some(begun), meeting, starts, goals, ..
        } = scratch
        else {
            return Outcome::Exhausted;
        };
        let space = GridSpace::new(grid, starts, steps);
        let heuristic = self.estimates(grid, goals);
        let settings = self.settings(grid);
        let buckets_serve = self.bucket_span(grid, starts).is_some();
        let (nodes, run) = (&mut forward.nodes, &mut begun.run);
        macro_rules! best_first {
            ($open:expr) => {
                BestFirst { space, heuristic, settings, nodes, open: $open, run }
                    .advance(slice, observer)
            };
        }
        macro_rules! bidirectional {
            ($forward:expr, $backward:expr) => {{
                let forward = Half { nodes, open: $forward };
                let backward = Half { nodes: &mut backward.nodes, open: $backward };
                let halves = [forward, backward];
                Bidirectional { space, heuristic, halves, best: meeting, run }
                    .advance(slice, observer)
            }};
        }
        match self {
            Self::DepthFirst => {
                DepthFirst { space, heuristic, nodes, stack, run }.advance(slice, observer)
            }
            Self::BestFirst { .. } if buckets_serve => best_first!(&mut forward.buckets),
            Self::BestFirst { .. } => best_first!(&mut forward.heap),
            Self::Bidirectional if buckets_serve => {
                bidirectional!(&mut forward.buckets, &mut backward.buckets)
            }
            Self::Bidirectional => bidirectional!(&mut forward.heap, &mut backward.heap),
        }
    }
}

/// Puts starts with their keys on the open list that serves.
fn open_all(
    frontier: &mut Frontier,
    span: Option<u64>,
    run: &mut Run,
    starts: impl Iterator<Item = (NodeId, u64)>,
) {
    let Frontier { nodes, buckets, heap } = frontier;
    heap.clear();
    buckets.reset(0, 0);
    for (index, (node, key)) in starts.enumerate() {
        match span {
            Some(span) => {
                if index == 0 {
                    buckets.reset(span, key);
                }
                open_start(nodes, buckets, run, node, key);
            }
            None => open_start(nodes, heap, run, node, key),
        }
    }
}

fn bounded(factor: f64) -> Guarantee {
    if factor <= 1.0 { Guarantee::Optimal } else { Guarantee::Bounded(factor) }
}
