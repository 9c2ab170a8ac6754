//! Finding a path: join the ends to the graph, search it, fill in the cells, smooth.

use super::Hpa;
use super::cluster::{ClusterBuilder, Exit};
use super::graph::{CellObserver, HpaHeuristic, HpaSpace, Linked, Places, Terminal};
use super::levels::{RegionId, RegionMemory, side_bits};
use super::links::{Links, NodeSlot, target};
use super::reach::MapPart;
use crate::grid::{Cell, Change, DescentMemory, Edition, Frames, Grid, NearestMemory};
use crate::heuristic::{GridHeuristic, HeuristicKind};
use crate::hierarchy::local::{LOOKING, Nearby, Tightening, UNREACHED, look_nearby, unpack};
use crate::path::Smoother;
use crate::planner::{
    Algorithm, CatchUp, Fault, Guarantee, Memory, PathQuery, Progress, Scratch, Session,
    SketchLayer, end_with, limit_reached, path_of, redirect_if_unreachable, report_direct,
    report_joint, report_start, report_starts,
};
use crate::search::{
    BestFirst, BucketQueue, Frontier, Heuristic, Outcome, SearchObserver, Settings, Side, Weight,
    open_start,
};
use crate::space::NodeId;

/// What it counts to join an end to the nodes of its cluster.
const JOINING: u64 = 32;
/// PERF: the most buckets that an abstract search uses; more are finer, and slower to clear.
const SPAN_MAX: u64 = 4_095;

/// Where a query stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// Nothing is done yet.
    #[default]
    Begin,
    /// The ends are to be joined to the graph.
    Join,
    /// There is no path: the cell nearest to a goal is looked for close by.
    Lost,
    /// There is no path: the cell nearest to a goal is looked for around the goals.
    Nearest,
    /// The graph is searched.
    Search,
    /// What has been found is refined up to a node of the abstract path.
    Refine { last: usize, step: Refining },
}

/// How far the refinement of a part of the path has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refining {
    /// Its nodes are to be listed.
    Unfold,
    /// Cells are filled in.
    Fill,
    /// It is pulled taut.
    Pull,
    /// It is made cheaper where cells differ in cost.
    Tighten,
}

/// What a query of an [`Hpa`] needs of a [`Scratch`].
#[derive(Default)]
pub struct HpaMemory {
    stage: Stage,
    pub(crate) builder: ClusterBuilder,
    pub(super) regions: RegionMemory,
    pub(super) starts: Vec<Terminal>,
    pub(super) goals: Vec<Terminal>,
    /// Packed costs between terminals and the nodes of their clusters.
    pub(super) costs: Vec<u32>,
    queue: QueueShape,
    /// Where the search goes on from each start.
    start_links: Links,
    /// Where the nodes lie that the search has seen.
    pub(super) places: Places,
    /// Packed costs from each start to each goal in the same cluster, without leaving it.
    direct: Vec<u32>,
    /// The regions with a start or a goal.
    pub(super) ends: Vec<RegionId>,
    /// What the two ends alone decide.
    nearby: Nearby,
    /// The path between the ends, where these alone decide it.
    pub(super) near: Vec<Cell>,
    /// Whether the goal is not one that was asked for, but the cell nearest to it.
    redirected: bool,
    /// The map's parts that the starts lie in.
    pub(super) parts: Vec<MapPart>,
    pub(super) nearest: NearestMemory,
    pub(super) descent: DescentMemory,
    pub(super) frames: Frames,
    /// The path as far as it is refined.
    pub(super) path: Vec<Cell>,
    /// The node of the abstract path up to which the path is refined.
    pub(super) refined: usize,
    pub(super) abstract_path: Vec<NodeId>,
    /// How many steps a first leg should have, if one is still wanted.
    first_leg: Option<u32>,
    /// The cells of a part of the path while it is refined.
    pub(super) cells: Vec<Cell>,
    /// How many hops of that part are filled in, where it is not smoothed.
    pub(super) hops_filled: usize,
    /// How far that part has been made cheaper.
    pub(super) tightening: Tightening,
    /// A stretch of a path while it is made cheaper.
    pub(super) way: Vec<Cell>,
    /// Where the link ends that this part leads to, as a number in the abstract path; where it begins, the part ends.
    pub(super) link_end: Option<usize>,
    /// The nodes of the part of the abstract path that is being refined.
    pub(super) trail: Vec<NodeId>,
    /// The same nodes, while links of regions are replaced by those of clusters.
    pub(super) unfolded: Vec<NodeId>,
    /// The cells of the nodes in `trail`.
    pub(super) points: Vec<Cell>,
    /// For drawing: the cells of the path's nodes on each level, from the highest level down.
    pub(super) chains: Vec<Vec<Cell>>,
    pub(super) smoother: Smoother,
}

impl Hpa {
    /// Where the numbers of starts begin, after those of border cells and of the ends of links; goals follow.
    pub(super) fn first_end(&self) -> usize {
        self.layout.node_count() + self.portals.entry_count()
    }

    pub(super) fn start_node(&self, index: usize) -> NodeId {
        NodeId((self.first_end() + index) as u32)
    }

    pub(super) fn goal_node(&self, starts: usize, index: usize) -> NodeId {
        self.start_node(starts + index)
    }

    /// Joins a start to the nodes of its cluster, and to the links that begin in it.
    fn join_start(
        &self,
        grid: &Grid,
        cell: Cell,
        costs: &mut Vec<u32>,
        builder: &mut ClusterBuilder,
    ) -> Terminal {
        let start = self.join(grid, cell, costs);
        if let Some(portal) = self.portals.of(start.cluster) {
            let block = self.layout.block(start.cluster);
            builder.flood_from(grid, &block, cell);
            let begins = portal.gates.begins().iter();
            costs.extend(begins.map(|&begin| builder.flooded_cost(grid, &block, begin, cell)));
        }
        start
    }

    /// Joins a start or a goal to the nodes of its cluster.
    fn join(&self, grid: &Grid, cell: Cell, costs: &mut Vec<u32>) -> Terminal {
        let id = self.layout.cluster_of(cell);
        let (cluster, block) = (self.cluster(id), self.layout.block(id));
        let first = costs.len();
        for node in 0..cluster.node_count() {
            costs.push(cluster.cost_to(grid, &block, cell, node).unwrap_or(UNREACHED));
        }
        Terminal { cell, cluster: id, first }
    }

    /// Joins the nodes of its cluster to a goal: where steps may lead one way, by a flood. The ends of links follow.
    fn join_goal(
        &self,
        grid: &Grid,
        cell: Cell,
        costs: &mut Vec<u32>,
        builder: &mut ClusterBuilder,
    ) -> Terminal {
        let id = self.layout.cluster_of(cell);
        let (cluster, block) = (self.cluster(id), self.layout.block(id));
        let portal = self.portals.of(id);
        if !grid.is_shaped() || (cluster.is_open() && portal.is_none()) {
            return self.join(grid, cell, costs);
        }
        builder.flood_to(grid, &block, cell);
        let first = costs.len();
        let nodes = (0..cluster.node_count()).map(|node| cluster.cell(&block, node));
        let ends = portal.into_iter().flat_map(|portal| portal.gates.ends()).copied();
        costs.extend(nodes.chain(ends).map(|at| builder.flooded_cost(grid, &block, at, cell)));
        Terminal { cell, cluster: id, first }
    }

    /// Notes where a search goes on from each start.
    fn link_starts(&self, starts: &[Terminal], costs: &[u32], links: &mut Links) {
        let exits = |start: &Terminal| self.cluster(start.cluster).exits();
        links.begin(starts.iter().map(|start| exits(start).len()).max().unwrap_or(0));
        for start in starts {
            let cost = |exit: &Exit| costs[start.first + usize::from(exit.node)];
            let reached = exits(start).iter().filter(|exit| cost(exit) != UNREACHED);
            let reached = reached.filter(|exit| exit.cost != UNREACHED);
            let link = |exit: &Exit| target(&self.layout, &self.clusters, exit, cost(exit));
            links.push_row(reached.filter_map(link));
        }
    }

    /// The part of the map that a cell lies in; `None` if it is cut off inside its cluster.
    pub(super) fn part_of(&self, cell: Cell) -> Option<MapPart> {
        let id = self.layout.cluster_of(cell);
        let (cluster, block) = (self.cluster(id), self.layout.block(id));
        let node = (0..cluster.node_count()).find(|&node| cluster.reaches(&block, cell, node))?;
        Some(self.reach.map_part(&self.layout, id, cluster.part(node)))
    }

    /// How far keys are shifted, and the queue then. Where cells differ in cost the cheapest counts: keys are as fine
    /// as if all terrain were like it. Buckets serve as long as they reach as far as the costliest link; otherwise
    /// the keys of such links wait in a heap.
    fn queue_shape(&self, grid: &Grid, starts: usize) -> QueueShape {
        let region = u64::from(self.options.cluster_side) << side_bits(self.levels.len() as u32);
        let extent = grid.extent();
        let along = |length: u32| region.min(u64::from(length));
        let cells = along(extent.width()) * along(extent.height());
        let costs = grid.cost_range();
        let diagonal = u64::from(grid.movement().steps().diagonal());
        let step = |cost: u32| diagonal * 2 * u64::from(cost);
        // The estimates of several starts may lie as far apart as the map is large.
        let apart = step(*costs.start()) * u64::from(extent.width() + extent.height());
        let apart = if starts > 1 { apart } else { 0 };
        let reach = |cost: u32| 2 * step(cost) * (cells + 1) + apart;
        let span = reach(*costs.start());
        let span_max = if self.levels.is_empty() { SPAN_MAX } else { BucketQueue::SPAN_MAX };
        let mut shift = span.div_ceil(span_max).max(1).next_power_of_two().ilog2();
        if span >> shift >= BucketQueue::SPAN_MAX {
            shift += 1;
        }
        let farthest = reach(*costs.end()) + 2 * grid.slope_max() * (cells + 1);
        // Packed costs are exact only below; otherwise keys might fall.
        let in_buckets = farthest >> shift < BucketQueue::SPAN_MAX && farthest < 1 << 31;
        let in_buckets = in_buckets || grid.uniform_cost().is_some();
        // A link may cost more than any way across a region.
        let in_buckets = in_buckets && self.portals.is_empty();
        let span = (if in_buckets { farthest } else { span } >> shift) + 1;
        QueueShape { shift, span, in_buckets }
    }
}

/// How the open list of an abstract search is laid out.
#[derive(Clone, Copy, Debug, Default)]
struct QueueShape {
    shift: u32,
    span: u64,
    in_buckets: bool,
}

impl QueueShape {
    fn settings(self) -> Settings {
        let key_shift = self.shift;
        Settings { greedy: false, unit_steps: false, reopen: true, key_shift, keys_exact: false }
    }
}

impl Memory for HpaMemory {
    fn bytes(&self) -> usize {
        let terminals = self.starts.capacity() + self.goals.capacity();
        terminals * size_of::<Terminal>()
            + (self.costs.capacity() + self.direct.capacity()) * size_of::<u32>()
            + self.chains.iter().map(|chain| chain.capacity() * size_of::<Cell>()).sum::<usize>()
            + [&self.path, &self.cells, &self.way, &self.near, &self.points]
                .map(|cells| cells.capacity() * size_of::<Cell>())
                .iter()
                .sum::<usize>()
            + self.parts.capacity() * size_of::<MapPart>()
            + self.nearest.memory_bytes()
            + self.descent.memory_bytes()
            + self.start_links.memory_bytes()
            + self.places.memory_bytes()
            + self.builder.memory_bytes()
            + self.regions.memory_bytes()
            + self.ends.capacity() * size_of::<RegionId>()
            + [&self.trail, &self.unfolded, &self.abstract_path]
                .map(|nodes| nodes.capacity() * size_of::<NodeId>())
                .iter()
                .sum::<usize>()
            + self.smoother.memory_bytes()
    }
}

impl Algorithm<Grid> for Hpa {
    type Memory = HpaMemory;

    fn guarantee_for(&self, _grid: &Grid) -> Guarantee {
        Guarantee::NearOptimal
    }

    fn is_current(&self, grid: &Grid) -> bool {
        self.grid == grid.edition() && !self.pending.is_begun()
    }

    fn identity(&self) -> Option<Edition> {
        Some(self.own)
    }

    fn start(
        &self,
        _grid: &Grid,
        query: &PathQuery,
        _session: &mut Session<'_, Cell>,
        own: &mut HpaMemory,
    ) {
        own.chains.iter_mut().for_each(Vec::clear);
        // With a limit on the cost a leg might lead nowhere.
        let unlimited = query.limits().cost_max == u64::MAX;
        own.first_leg = query.first_leg().filter(|_| unlimited);
        own.stage = Stage::Begin;
        own.redirected = false;
    }

    fn run<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &mut HpaMemory,
        slice: u64,
        observer: &mut O,
    ) -> Progress {
        report_starts(grid, session, observer);
        let end = session.run.statistics.work().saturating_add(slice);
        loop {
            let left = end.saturating_sub(session.run.statistics.work());
            let ended = match own.stage {
                Stage::Begin => self.look_at_ends(grid, session, own, observer),
                Stage::Join => {
                    self.join_ends(grid, session, own);
                    self.report_joints(grid, own, observer);
                    None
                }
                Stage::Lost => {
                    self.look_at_hand(grid, session, own);
                    None
                }
                Stage::Nearest => {
                    self.look_for_nearest(grid, session, own, left);
                    None
                }
                Stage::Search => match self.search(grid, session, own, left, observer) {
                    Outcome::Paused => return Progress::Running,
                    Outcome::Goal(node) => {
                        self.note_abstract_path(session, own, node);
                        let last = own.abstract_path.len() - 1;
                        let last = self.first_leg_end(own).unwrap_or(last);
                        own.stage = Stage::Refine { last, step: Refining::Unfold };
                        None
                    }
                    // Where steps may lead one way, only the search can say that there is no path.
                    Outcome::Exhausted if grid.is_shaped() && !own.redirected => {
                        // It is searched again, for the nearest cell.
                        let starts = session.starts.iter().filter(|_| O::ACTIVE);
                        starts.for_each(|&at| report_start(grid, at, session.goals, observer));
                        own.stage = Stage::Lost;
                        None
                    }
                    Outcome::Exhausted | Outcome::Limit => {
                        return Progress::Done(limit_reached(grid, session));
                    }
                },
                Stage::Refine { last, step } => {
                    let refined = self.refine_on(grid, session, own, (last, step), left, observer);
                    refined.then(|| self.end_refinement(grid, session, own, last, observer))
                }
            };
            if let Some(progress) = ended {
                return progress;
            }
            if session.run.statistics.work() >= end {
                return Progress::Running;
            }
        }
    }

    fn follow_on(
        &mut self,
        grid: &Grid,
        changes: &[Change],
        own: &mut HpaMemory,
        left: &mut u64,
    ) -> CatchUp {
        let HpaMemory { builder, regions, .. } = own;
        if !self.note_changes(grid, changes) {
            return CatchUp::NeedsRebuild;
        }
        let done = self.patch_on(grid, builder, regions, left);
        if done { CatchUp::Done } else { CatchUp::Unfinished }
    }

    fn follows_in_slices(&self) -> bool {
        true
    }

    fn copy(&self) -> Option<Self> {
        Some(self.clone())
    }

    fn held_bytes(&self) -> usize {
        self.abstraction_bytes()
    }

    fn check_invariants(&self, grid: &Grid) -> Result<(), Fault> {
        self.check(grid)
    }

    fn layers(&self, grid: &Grid) -> Vec<SketchLayer> {
        self.draw(grid)
    }

    fn query_layers(&self, _: &Grid, own: &HpaMemory, _: &Scratch) -> Vec<SketchLayer> {
        self.draw_query(own)
    }
}

impl Hpa {
    /// Looks at the ends alone. If they decide the path, it is written next.
    fn look_at_ends<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &mut HpaMemory,
        observer: &mut O,
    ) -> Option<Progress> {
        own.redirected |= redirect_if_unreachable(grid, session, &mut own.descent);
        own.nearby = match (&session.starts[..], &session.goals[..]) {
            ([start], [goal]) if self.options.direct => {
                let HpaMemory { near, smoother, builder, .. } = own;
                let (flood, smooth) = (&mut builder.flood, self.options.smooth);
                look_nearby(grid, *start, *goal, smooth, near, smoother, flood)
            }
            _ => Nearby::Unknown,
        };
        session.count_beside(LOOKING);
        own.stage = Stage::Join;
        (own.nearby == Nearby::Certain).then(|| {
            report_direct(grid, &own.near, observer);
            end_with(session, &own.near, session.limits().cost_max, own.redirected)
        })
    }

    /// Reports which nodes the ends were joined to.
    fn report_joints<O: SearchObserver>(&self, grid: &Grid, own: &HpaMemory, observer: &mut O) {
        if !O::ACTIVE {
            return;
        }
        let starts = own.starts.iter().map(|end| (end, Side::Forward));
        let goals = own.goals.iter().map(|end| (end, Side::Backward));
        for (end, side) in starts.chain(goals) {
            let (cluster, block) = (self.cluster(end.cluster), self.layout.block(end.cluster));
            for node in 0..cluster.node_count() {
                let cost = own.costs[end.first + node];
                if cost != UNREACHED {
                    let to = cluster.cell(&block, node);
                    report_joint(grid, (end.cell, side), to, unpack(cost), observer);
                }
            }
        }
    }

    /// Joins the ends to the graph, and begins to search it. Where there is no path, the nearest cell is looked for.
    fn join_ends(&self, grid: &Grid, session: &mut Session<'_, Cell>, own: &mut HpaMemory) {
        self.join_all(grid, session, own);
        session.count_beside(JOINING * (session.starts.len() + session.goals.len()) as u64);
        if own.redirected || grid.is_shaped() || self.some_pair_connected(own) {
            self.open_starts(grid, session, own);
            own.stage = Stage::Search;
            return;
        }
        own.stage = Stage::Lost;
    }

    /// There is no path: looks for the nearest cell where that is quickly found.
    fn look_at_hand(&self, grid: &Grid, session: &mut Session<'_, Cell>, own: &mut HpaMemory) {
        session.count_beside(LOOKING);
        match self.nearest_at_hand(grid, session, own) {
            Some(nearest) => self.redirect(session, own, nearest),
            None => own.stage = Stage::Nearest,
        }
    }

    /// Goes on looking for the nearest cell.
    fn look_for_nearest(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &mut HpaMemory,
        slice: u64,
    ) {
        let mut left = slice;
        let found = self.nearest_in_frames(grid, session, own, &mut left);
        session.count_beside(slice - left);
        if let Some(nearest) = found {
            self.redirect(session, own, nearest);
        }
    }

    /// Makes the nearest cell the goal.
    fn redirect(&self, session: &mut Session<'_, Cell>, own: &mut HpaMemory, nearest: Cell) {
        session.goals.clear();
        session.goals.push(nearest);
        own.redirected = true;
        own.stage = Stage::Begin;
    }

    fn join_all(&self, grid: &Grid, session: &Session<'_, Cell>, own: &mut HpaMemory) {
        let HpaMemory { starts, goals, costs, start_links, direct, ends, builder, .. } = own;
        costs.clear();
        starts.clear();
        goals.clear();
        direct.clear();
        let join = |&cell: &Cell| self.join_start(grid, cell, costs, builder);
        starts.extend(session.starts.iter().map(join));
        let join = |&cell: &Cell| self.join_goal(grid, cell, costs, builder);
        goals.extend(session.goals.iter().map(join));
        self.link_starts(starts, costs, start_links);
        ends.clear();
        for terminal in starts.iter().chain(&*goals) {
            let around = |height| RegionId::around(&self.layout, terminal.cluster, height);
            ends.extend((1..=self.levels.len()).map(around));
        }
        self.portals.push_regions(&self.layout, self.levels.len(), ends);
        ends.sort_unstable();
        ends.dedup();
        for start in &*starts {
            self.measure_direct(grid, start, goals, builder, direct);
        }
    }

    fn open_starts(&self, grid: &Grid, session: &mut Session<'_, Cell>, own: &mut HpaMemory) {
        let Session { work, run, goals: goal_cells, .. } = session;
        let forward = &mut work.forward;
        let HpaMemory { starts, goals, places, queue, .. } = own;
        places.make_room(self.goal_node(starts.len(), goals.len()).index());
        for (index, start) in starts.iter().enumerate() {
            places.note(self.start_node(index), NodeSlot::of(start.cell));
        }
        for (index, goal) in goals.iter().enumerate() {
            places.note(self.goal_node(starts.len(), index), NodeSlot::of(goal.cell));
        }
        forward.nodes.reset(self.goal_node(starts.len(), goals.len()).index());
        for index in 0..goals.len() {
            forward.nodes.mark_goal(self.goal_node(starts.len(), index));
        }
        let heuristic = self.heuristic(grid, places, goal_cells);
        let shape = self.queue_shape(grid, starts.len());
        *queue = shape;
        let settings = shape.settings();
        let key = |index| settings.key(0, heuristic.estimate(self.start_node(index)));
        let floor = (0..starts.len()).map(key).min().unwrap_or(0);
        let Frontier { nodes, buckets, any_order, .. } = forward;
        if shape.in_buckets {
            buckets.reset(shape.span, floor);
        } else {
            any_order.reset(shape.span);
        }
        for index in 0..starts.len() {
            let node = self.start_node(index);
            if shape.in_buckets {
                open_start(nodes, buckets, run, node, key(index));
            } else {
                open_start(nodes, any_order, run, node, key(index));
            }
        }
    }

    fn heuristic<'a>(
        &'a self,
        grid: &Grid,
        places: &'a Places,
        goal_cells: &'a [Cell],
    ) -> HpaHeuristic<'a> {
        let inner = GridHeuristic::new(grid, HeuristicKind::Octile, Weight::ONE, goal_cells);
        HpaHeuristic { places, inner }
    }

    /// The costs from a start to the goals in its own cluster, without leaving it.
    fn measure_direct(
        &self,
        grid: &Grid,
        start: &Terminal,
        goals: &[Terminal],
        builder: &mut ClusterBuilder,
        direct: &mut Vec<u32>,
    ) {
        let block = self.layout.block(start.cluster);
        if goals.iter().any(|goal| goal.cluster == start.cluster)
            && let Some(board) = grid.board_of(start.cell)
        {
            builder.flood.enter(grid, board, &block);
            builder.flood.run(grid, block.local(start.cell));
        }
        direct.extend(goals.iter().map(|goal| {
            let here = goal.cluster == start.cluster;
            if here { builder.flood.cost(block.local(goal.cell)) } else { UNREACHED }
        }));
    }

    /// Up to where the path is refined for the first leg, if one is wanted and the path is longer.
    fn first_leg_end(&self, own: &mut HpaMemory) -> Option<usize> {
        let steps = own.first_leg.take()?;
        let end = self.leg_end(own, steps);
        // A leg is a promise: not where there may be no path, or a better one.
        let decided =
            end + 1 < own.abstract_path.len() && !own.redirected && own.nearby != Nearby::Candidate;
        decided.then_some(end)
    }

    /// What to say once the path is refined up to a node of the abstract one.
    fn end_refinement<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &mut HpaMemory,
        refined: usize,
        observer: &mut O,
    ) -> Progress {
        let last = own.abstract_path.len() - 1;
        if refined < last {
            own.stage = Stage::Refine { last, step: Refining::Unfold };
            return Progress::Leg(path_of(grid, &own.path));
        }
        let near = own.nearby == Nearby::Candidate
            && grid.cost_along(&own.near) < grid.cost_along(&own.path);
        if near {
            report_direct(grid, &own.near, observer);
        }
        let cells = if near { &own.near } else { &own.path };
        end_with(session, cells, session.limits().cost_max, own.redirected)
    }

    fn search<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &mut HpaMemory,
        slice: u64,
        observer: &mut O,
    ) -> Outcome {
        let QueueShape { in_buckets, .. } = own.queue;
        let settings = own.queue.settings();
        let Session { work, run, goals: goal_cells, .. } = session;
        let forward = &mut work.forward;
        let HpaMemory { starts, goals, costs, start_links, places, direct, ends, .. } = own;
        let mut observer = CellObserver { inner: observer, grid, places };
        let Frontier { nodes, buckets, any_order, .. } = forward;
        let space = HpaSpace { hpa: self, starts, goals, costs, start_links, places, direct, ends };
        let heuristic = self.heuristic(grid, places, goal_cells);
        if !self.portals.is_empty() {
            let space = Linked(space);
            BestFirst { space, heuristic, settings, nodes, open: any_order, run }
                .advance(slice, &mut observer)
        } else if in_buckets {
            BestFirst { space, heuristic, settings, nodes, open: buckets, run }
                .advance(slice, &mut observer)
        } else {
            BestFirst { space, heuristic, settings, nodes, open: any_order, run }
                .advance(slice, &mut observer)
        }
    }

    /// Whether a path leads from some start to some goal.
    fn some_pair_connected(&self, own: &mut HpaMemory) -> bool {
        let HpaMemory { parts, direct, starts, goals, .. } = own;
        parts.clear();
        parts.extend(starts.iter().filter_map(|start| self.part_of(start.cell)));
        direct.iter().any(|&cost| cost != UNREACHED)
            || goals
                .iter()
                .any(|goal| self.part_of(goal.cell).is_some_and(|part| parts.contains(&part)))
    }
}

impl HpaMemory {
    /// Goes on to another step of the refinement.
    pub(super) fn refine_next(&mut self, last: usize, step: Refining) {
        self.stage = Stage::Refine { last, step };
    }
}
