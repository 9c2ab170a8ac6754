//! Searches on the cells of a grid: where settings, terrain and open list turn into types.

use super::estimates::{Estimates, with_heuristic};
use super::search::{GridSearch, SearchMemory, progress_of, walk_on};
use super::tree::ShortestPathTree;
use crate::environment::End;
use crate::grid::{Cell, Grid, GridSpace, ShapedSteps, UniformSteps, WeightedSteps};
use crate::heuristic::{GridHeuristic, HeuristicKind};
use crate::planner::{
    Algorithm, Guarantee, PathQuery, Progress, QueryError, Scratch, Session, check_places,
    redirect_if_unreachable,
};
use crate::search::{
    BucketQueue, Heuristic, Limits, Method, NoTrace, Outcome, Plan, Queue, Run, SearchObserver,
    TieRule, Weight, Weighted, Workspace,
};
use crate::space::{NodeId, Nodes, Reversed};

/// A heuristic by a table, with remoteness by octile distance.
struct OnGrid<'q, H> {
    inner: H,
    measure: GridHeuristic<'q>,
}

impl<H: Heuristic> Heuristic for OnGrid<'_, H> {
    #[inline(always)]
    fn estimate(&self, node: NodeId) -> u64 {
        self.inner.estimate(node)
    }

    #[inline(always)]
    fn remoteness(&self, node: NodeId, _estimate: Option<u64>) -> Option<u64> {
        self.measure.remoteness(node, None)
    }

    fn is_admissible(&self) -> bool {
        self.inner.is_admissible()
    }

    fn is_consistent(&self) -> bool {
        self.inner.is_consistent()
    }
}

/// Runs an expression with the estimates of a search, weights included.
macro_rules! with_estimates {
    ($search:expr, $prepared:expr, $grid:expr, $goals:expr, $name:ident => $body:expr) => {{
        let (search, grid, goals): (&GridSearch, &Grid, &[Cell]) = ($search, $grid, $goals);
        let weight = search.method.weight();
        let nothing = || GridHeuristic::new(grid, HeuristicKind::Zero, Weight::ONE, goals);
        if !search.method.is_guided() {
            let $name = nothing();
            $body
        } else {
            with_heuristic!(
                &search.estimates,
                $prepared,
                inner => {
                    let inner = OnGrid { inner, measure: nothing() };
                    let $name = Weighted { inner, weight };
                    $body
                },
                kind => {
                    let $name = GridHeuristic::new(grid, *kind, weight, goals);
                    $body
                }
            )
        }
    }};
}

impl GridSearch {
    /// The distance that it estimates by; `None` if by a table.
    fn kind(&self) -> Option<HeuristicKind> {
        match self.estimates {
            _ if !self.method.is_guided() => Some(HeuristicKind::Zero),
            Estimates::Distance(kind) => Some(kind),
            _ => None,
        }
    }

    /// By how much estimates exceed costs at most, apart from the weight; `None` if nothing is known.
    fn overestimate(&self, grid: &Grid) -> Option<f64> {
        let movement = grid.movement();
        match (self.kind(), &self.estimates) {
            (Some(kind), _) => Some(kind.overestimate(movement.rule(), movement.steps())),
            (None, Estimates::Given(given)) => given.is_admissible().then_some(1.0),
            (None, _) => Some(1.0),
        }
    }

    /// Whether estimates, apart from the weight, are consistent.
    fn is_consistent(&self, grid: &Grid) -> bool {
        let movement = grid.movement();
        match (self.kind(), &self.estimates) {
            (Some(kind), _) => kind.is_consistent(movement.rule(), movement.steps()),
            (None, Estimates::Landmarks(_) | Estimates::True) => true,
            (None, Estimates::Given(given)) => given.is_consistent(),
            (None, _) => false,
        }
    }

    /// Follows from the heuristic.
    fn promise(&self, grid: &Grid) -> Guarantee {
        let (rule, steps) = (grid.movement().rule(), grid.movement().steps());
        match self.method {
            Method::Bidirectional => Guarantee::Optimal,
            Method::DepthFirst | Method::BestFirst { greedy: true, .. } => Guarantee::None,
            Method::BestFirst { unit_steps: true, .. } => {
                // The answer has at most as many steps as a cheapest path, and no step costs more
                // than this factor times another.
                let costs = grid.cost_range();
                let diagonal =
                    if rule.has_diagonals() { steps.diagonal() } else { steps.straight() };
                let most = f64::from(diagonal) * f64::from(*costs.end());
                let most = most + grid.slope_max() as f64 / 2.0;
                let least = f64::from(steps.straight()) * f64::from(*costs.start());
                // Links count as steps; costs here are halved.
                let (cheapest, costliest) = grid.link_costs().map_or((least, most), |links| {
                    (f64::from(*links.start()) / 2.0, f64::from(*links.end()) / 2.0)
                });
                bounded(most.max(costliest) / least.min(cheapest))
            }
            Method::BestFirst { weight, reopen, .. } => {
                // Consistent estimates keep the bound of their weight without reopening (Likhachev,
                // Gordon and Thrun 2003); others need it.
                if self.is_consistent(grid) {
                    return bounded(weight.factor());
                }
                match self.overestimate(grid) {
                    Some(factor) if reopen.unwrap_or(true) => bounded(weight.factor() * factor),
                    _ => Guarantee::None,
                }
            }
        }
    }

    /// Whether every cell is expanded only once its cost is optimal. Then keys never fall, either.
    fn expands_at_optimal_cost(&self, grid: &Grid) -> bool {
        match self.method {
            Method::DepthFirst => false,
            Method::Bidirectional => true,
            Method::BestFirst { weight, greedy, unit_steps, .. } => {
                let estimates_hold = self.is_consistent(grid) && weight <= Weight::ONE;
                estimates_hold && !greedy && !unit_steps
            }
        }
    }

    /// Whether it may leave out all but the canonical of several equal paths.
    fn is_canonical(&self, grid: &Grid) -> bool {
        !self.textbook && self.expands_at_optimal_cost(grid)
    }

    /// How many low bits are zero in every key. On uniform terrain all steps are multiples of twice a
    /// cell's cost, and so are the estimates made of whole steps.
    ///
    /// PERF: half as many buckets, which then fit the first cache.
    fn key_shift(&self, grid: &Grid) -> u32 {
        use HeuristicKind::{Chebyshev, Octile, Zero};
        let whole_steps = match self.method {
            Method::BestFirst { unit_steps: true, .. } => false,
            Method::BestFirst { weight, .. } => match self.kind() {
                Some(Zero) => true,
                Some(Octile | Chebyshev) => weight == Weight::ONE,
                _ => false,
            },
            Method::DepthFirst | Method::Bidirectional => false,
        };
        let cost = grid.uniform_cost().filter(|_| whole_steps);
        cost.map_or(0, |cost| (2 * cost).trailing_zeros())
    }

    /// The span of a bucket queue that would serve; `None` where keys may fall, or rise too far.
    fn bucket_span(&self, grid: &Grid, starts: &[Cell]) -> Option<u64> {
        let most = grid.step_max();
        let span = match self.method {
            Method::BestFirst { unit_steps: true, .. } => 1,
            _ if !self.expands_at_optimal_cost(grid) => return None,
            Method::BestFirst { .. } if self.kind() == Some(HeuristicKind::Zero) => most,
            // Where steps lead one way, a landmark may say at once that there is no way on.
            Method::BestFirst { .. } if self.kind().is_none() && !grid.is_symmetric() => {
                return None;
            }
            // The estimates of several starts may lie any distance apart.
            Method::BestFirst { .. } if starts.len() > 1 => return None,
            // Behind a link that leads one way, an estimate may be any amount higher than before it.
            Method::BestFirst { .. } if !grid.links_lead_both_ways() => return None,
            // A consistent estimate rises by no more than the step costs.
            Method::BestFirst { .. } => 2 * most,
            Method::DepthFirst | Method::Bidirectional => most,
        };
        let span = span >> self.key_shift(grid);
        (span <= BucketQueue::SPAN_MAX).then_some(span)
    }

    fn plan(&self, grid: &Grid, starts: &[Cell]) -> Plan {
        let reopen = !self.is_consistent(grid);
        let mut settings = self.method.settings(reopen);
        if let Method::BestFirst { .. } = self.method {
            settings.key_shift = self.key_shift(grid);
            // A landmark may say that there is no way at all: then a key is cut off.
            settings.keys_exact = self.kind().is_some();
        }
        let queue = match (self.bucket_span(grid, starts), self.tie_rule()) {
            (Some(span), TieRule::NewestFirst) if !self.textbook => Queue::Buckets { span },
            (_, TieRule::NewestFirst) => Queue::Heap,
            (_, rule) => Queue::Ties(rule),
        };
        Plan { method: self.method, settings, queue }
    }

    fn advance_on<H: Heuristic, O: SearchObserver>(
        &self,
        grid: &Grid,
        starts: &[Cell],
        heuristic: H,
        (work, run): (&mut Workspace, &mut Run),
        slice: u64,
        observer: &mut O,
    ) -> Outcome {
        let plan = self.plan(grid, starts);
        let canonical = self.is_canonical(grid);
        match grid.uniform_cost() {
            Some(cost) => {
                let steps = UniformSteps::new(grid, cost, canonical);
                let space = GridSpace::new(grid, starts, steps);
                plan.advance(space, heuristic, work, run, slice, observer)
            }
            None if grid.is_shaped() => {
                let steps = ShapedSteps::new(grid, canonical);
                let space = GridSpace::new(grid, starts, steps);
                plan.advance(space, heuristic, work, run, slice, observer)
            }
            None => {
                let steps = WeightedSteps::new(grid, canonical);
                let space = GridSpace::new(grid, starts, steps);
                plan.advance(space, heuristic, work, run, slice, observer)
            }
        }
    }

    /// Expands everything within limits of the starts: the whole shortest-path tree, when the search
    /// is Dijkstra's. Heuristics play no part. Fails with a [`QueryError`] if there is no start, or if one lies outside the map
    /// or is blocked.
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::grid::Grid;
    /// use highroad::online::GridSearch;
    /// use highroad::planner::Scratch;
    /// use highroad::search::Limits;
    /// let grid = Grid::with_defaults("...\n.#.\n".parse()?);
    /// let mut scratch = Scratch::new();
    /// let search = GridSearch::dijkstra();
    /// let mut tree = search.explore(&grid, &[Cell::new(0, 1)], Limits::default(), &mut scratch)?;
    /// assert_eq!(tree.predecessor(Cell::new(1, 0)), Some(Cell::new(0, 0)));
    /// assert_eq!(tree.path_to(Cell::new(2, 1)).unwrap().length(), 4.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explore<'a>(
        &self,
        grid: &'a Grid,
        starts: &[Cell],
        limits: Limits,
        scratch: &'a mut Scratch,
    ) -> Result<ShortestPathTree<'a>, QueryError> {
        check_places(grid, End::Start, starts)?;
        let work = scratch.work();
        let mut exploration = Exploration::begin(self.clone(), grid, starts, limits, work);
        while !exploration.advance(grid, u64::MAX, work) {}
        scratch.note(exploration.run.statistics);
        Ok(ShortestPathTree::new(grid, scratch, exploration.starts))
    }
}

/// A search without goals, in slices: what fields are made with.
pub(crate) struct Exploration {
    search: GridSearch,
    pub(crate) starts: Vec<Cell>,
    /// Whether ways lead to the starts instead of from them.
    backwards: bool,
    pub(crate) run: Run,
}

impl Exploration {
    /// Sets out from checked starts.
    pub(crate) fn begin(
        search: GridSearch,
        grid: &Grid,
        starts: &[Cell],
        limits: Limits,
        work: &mut Workspace,
    ) -> Self {
        let mut run = Run::new(limits);
        let nothing = GridHeuristic::new(grid, HeuristicKind::Zero, Weight::ONE, &[]);
        let nodes = starts.iter().map(|&start| grid.node(start));
        let count = grid.node_count();
        search.plan(grid, starts).begin(count, nodes, [].into_iter(), &nothing, work, &mut run);
        Self { search, starts: starts.to_vec(), backwards: false, run }
    }

    /// From now on explores the ways that lead to the starts; nothing has been explored yet.
    pub(crate) fn set_backwards(&mut self) {
        self.backwards = true;
    }

    /// Whether it explores the ways that lead to the starts.
    pub(crate) fn is_backwards(&self) -> bool {
        self.backwards
    }

    /// Goes on exploring that grid for at most `slice` expansions. Returns whether it is through.
    pub(crate) fn advance(&mut self, grid: &Grid, slice: u64, work: &mut Workspace) -> bool {
        let nothing = GridHeuristic::new(grid, HeuristicKind::Zero, Weight::ONE, &[]);
        let Self { search, starts, backwards, run } = self;
        if *backwards && !grid.is_symmetric() {
            let steps = ShapedSteps::new(grid, search.is_canonical(grid));
            let space = Reversed(GridSpace::new(grid, starts, steps));
            let plan = search.plan(grid, starts);
            return plan.advance(space, nothing, work, run, slice, &mut NoTrace) != Outcome::Paused;
        }
        let outcome = search.advance_on(grid, starts, nothing, (work, run), slice, &mut NoTrace);
        outcome != Outcome::Paused
    }
}

impl Algorithm<Grid> for GridSearch {
    type Memory = SearchMemory<HeuristicKind>;

    fn guarantee_for(&self, grid: &Grid) -> Guarantee {
        self.promise(grid)
    }

    fn is_current(&self, grid: &Grid) -> bool {
        self.knows(grid)
    }

    fn start(
        &self,
        grid: &Grid,
        query: &PathQuery,
        session: &mut Session<'_, Cell>,
        own: &mut SearchMemory<HeuristicKind>,
    ) {
        own.search.clone_from(self);
        own.walk = None;
        // With limits, what counts is what lies within them; and textbooks look at everything.
        own.redirected = query.limits() == Limits::default()
            && !self.textbook
            && redirect_if_unreachable(grid, session, &mut own.descent);
        let Session { starts, goals, run, work, .. } = session;
        self.estimates.prepare(grid, goals, work, &mut own.prepared);
        let start_nodes = starts.iter().map(|&start| grid.node(start));
        let goal_nodes = goals.iter().map(|&goal| grid.node(goal));
        let (plan, count) = (self.plan(grid, starts), grid.node_count());
        with_estimates!(self, own.prepared, grid, goals, heuristic => {
            plan.begin(count, start_nodes, goal_nodes, &heuristic, work, run);
        });
    }

    fn run<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &mut SearchMemory<HeuristicKind>,
        slice: u64,
        observer: &mut O,
    ) -> Progress {
        let end = session.run.statistics.work().saturating_add(slice);
        if own.walk.is_some() {
            walk_on(grid, session, &mut own.walk, end);
            return Progress::Running;
        }
        let first = session.first_report();
        let search = &own.search;
        let Session { starts, goals, run, work, .. } = &mut *session;
        let outcome = with_estimates!(search, own.prepared, grid, goals, heuristic => {
            if O::ACTIVE && first {
                let nodes = |cells: &[Cell]| -> Vec<NodeId> {
                    cells.iter().map(|&cell| grid.node(cell)).collect()
                };
                let (starts_at, goals_at) = (nodes(starts).into_iter(), nodes(goals).into_iter());
                search.plan(grid, starts).report_starts(starts_at, goals_at, &heuristic, observer);
            }
            search.advance_on(grid, starts, heuristic, (work, run), slice, observer)
        });
        let progress =
            progress_of(grid, session, search.method, outcome, own.redirected, &mut own.walk);
        walk_on(grid, session, &mut own.walk, end);
        progress
    }

    fn copy(&self) -> Option<Self> {
        Some(self.clone())
    }

    fn held_bytes(&self) -> usize {
        self.estimates.held_bytes()
    }
}

fn bounded(factor: f64) -> Guarantee {
    if factor <= 1.0 { Guarantee::Optimal } else { Guarantee::Bounded(factor) }
}
