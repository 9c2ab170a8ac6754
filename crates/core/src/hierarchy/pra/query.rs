//! Finding a path: choose a layer, search it, refine what was found.

use super::layer::NONE;
use super::patch::PatchMemory;
use super::search::Quest;
use super::survey::{FLOOD_LAYER_MAX, Survey};
use super::{Pra, Refinement, StartLayer};
use crate::grid::{
    Cell, Change, DescentMemory, Edition, Frames, Grid, NearestMemory, Wanted, nearest_in_few_runs,
};
use crate::heuristic::{GridHeuristic, HeuristicKind};
use crate::hierarchy::local::{
    Flood, LOOKING, Nearby, TIGHTENED_MIN, TIGHTENED_PER_EXPANSION, Tightening, look_nearby,
};
use crate::path::Smoother;
use crate::planner::{
    Algorithm, Answer, CatchUp, Fault, Guarantee, Memory, PathQuery, Progress, Scratch, Session,
    SketchLayer, end_with, limit_reached, nearest_known, path_of, redirect_if_unreachable,
    report_cells, report_direct, report_start, report_starts,
};
use crate::search::{
    Limits, Outcome, Run, SearchObserver, TraceKind, Weight, Workspace, push_ancestors,
};
use crate::space::NodeId;

/// Where only the next few steps are refined, a search begins on the lowest layer with at most so many nodes:
/// the whole way is searched coarsely.
const NODES_MAX_BY_STEPS: usize = 400;

/// Where the starts can reach at most so many runs of cells, the nearest of them is found by a flood.
const RUNS_MAX: usize = 512;

/// The path of a layer.
#[derive(Default)]
pub(super) struct Trail {
    pub(super) nodes: Vec<u32>,
    /// The node up to which the trail is refined.
    pub(super) done: usize,
    /// Whether anything is left to refine.
    pub(super) open: bool,
}

/// Where a query stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// Nothing is done yet.
    #[default]
    Begin,
    /// There is no path: the cell nearest to a goal is looked for.
    Nearest,
    /// The search is to begin.
    Open,
    /// A layer is searched.
    Search,
    /// What has been found on a layer is refined.
    Refine,
    /// The cells of a leg are filled in from the path of a layer.
    Fill { layer: usize },
    /// The cells of a leg are smoothed.
    Smooth(Smoothing),
}

/// How far the smoothing of a leg has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Smoothing {
    /// It is pulled taut.
    Pull,
    /// It is made cheaper where cells differ in cost.
    Tighten,
}

/// What a query of a [`Pra`] needs of a [`Scratch`].
#[derive(Default)]
pub struct PraMemory {
    pub(crate) patch: PatchMemory,
    stage: Stage,
    /// The search that goes on, and one inside a hop of its path.
    pub(super) quest: Quest,
    pub(super) hop: Quest,
    /// The paths of layers, from the cells up to the layer where the search began.
    pub(super) trails: Vec<Trail>,
    pub(super) top: usize,
    /// The layer from which cells are filled in; 0 where cells are searched.
    pub(super) floor: usize,
    /// The starts and goals that something leads from or to.
    ends: (Vec<Cell>, Vec<Cell>),
    /// The ends of the path, once they are known.
    pub(super) start: Cell,
    pub(super) goal: Cell,
    /// The path as far as it is refined, the leg in hand, and the points along it.
    pub(super) path: Vec<Cell>,
    pub(super) leg: Vec<Cell>,
    pub(super) points: Vec<Cell>,
    pub(super) nodes: Vec<u32>,
    /// Where the link leads that follows the leg in hand.
    pub(super) link_end: Option<Cell>,
    /// Whether they lead to the goal, and how many hops are filled in where the leg is not smoothed.
    pub(super) chunk_is_last: bool,
    pub(super) hops_filled: usize,
    pub(super) survey: Survey,
    pub(super) edge: Vec<u32>,
    pub(super) way: Vec<Cell>,
    nearby: Nearby,
    near: Vec<Cell>,
    pub(super) smoother: Smoother,
    pub(super) flood: Flood,
    nearest: NearestMemory,
    descent: DescentMemory,
    frames: Frames,
    tightening: Tightening,
    /// The topmost ancestors of the starts.
    tops: Vec<(usize, u32)>,
    /// Whether the goal is not one that was asked for, but the cell nearest to it.
    redirected: bool,
    cost_max: u64,
    /// How many steps a first leg should have, if one is still wanted.
    pub(super) first_leg: Option<u32>,
}

impl PraMemory {
    pub(super) fn search_on(&mut self) {
        self.stage = Stage::Search;
    }

    /// Forgets what was left of a query for drawing.
    fn forget_trails(&mut self) {
        for trail in &mut self.trails {
            trail.nodes.clear();
            trail.open = false;
        }
    }
}

impl Memory for PraMemory {
    fn bytes(&self) -> usize {
        let trails: usize = self.trails.iter().map(|trail| trail.nodes.capacity() * 4).sum();
        let (from, to) = (&self.ends.0, &self.ends.1);
        let cells = [&self.path, &self.leg, &self.points, &self.way, &self.near, from, to];
        self.patch.memory_bytes()
            + self.quest.memory_bytes()
            + self.hop.memory_bytes()
            + trails
            + cells.map(|cells| cells.capacity() * size_of::<Cell>()).iter().sum::<usize>()
            + (self.nodes.capacity() + self.edge.capacity()) * 4
            + self.survey.memory_bytes()
            + self.smoother.memory_bytes()
            + self.flood.memory_bytes()
            + self.nearest.memory_bytes()
            + self.descent.memory_bytes()
            + self.tops.capacity() * size_of::<(usize, u32)>()
    }
}

impl Algorithm<Grid> for Pra {
    type Memory = PraMemory;

    fn guarantee_for(&self, _grid: &Grid) -> Guarantee {
        Guarantee::NearOptimal
    }

    fn is_current(&self, grid: &Grid) -> bool {
        self.grid == grid.edition() && self.pending.grid.is_none()
    }

    fn identity(&self) -> Option<Edition> {
        Some(self.own)
    }

    fn start(
        &self,
        _grid: &Grid,
        query: &PathQuery,
        session: &mut Session<'_, Cell>,
        own: &mut PraMemory,
    ) {
        own.forget_trails();
        own.cost_max = query.limits().cost_max;
        own.first_leg = query.first_leg();
        own.stage = Stage::Begin;
        own.redirected = false;
        own.link_end = None;
        own.path.clear();
        // Layers count in units of their own: the cost of the path itself is checked at the end.
        *session.run = Run::new(Limits { cost_max: u64::MAX, ..query.limits() });
    }

    fn run<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &mut PraMemory,
        slice: u64,
        observer: &mut O,
    ) -> Progress {
        report_starts(grid, session, observer);
        let end = session.run.statistics.work().saturating_add(slice);
        loop {
            let mut left = end.saturating_sub(session.run.statistics.work());
            let before = left;
            let progress = match own.stage {
                Stage::Begin => self.look_at_ends(grid, session, own, observer),
                Stage::Nearest => {
                    if let Some(nearest) = self.nearest_in_frames(grid, session, own, &mut left) {
                        self.redirect(session, own, nearest);
                    }
                    None
                }
                Stage::Open => {
                    self.open_top(grid, session, own);
                    None
                }
                Stage::Search => match self.search(grid, session, own, left, observer) {
                    Outcome::Paused => return Progress::Running,
                    Outcome::Goal(node) => {
                        self.note_trail(session, own, node);
                        None
                    }
                    // Where steps may lead one way, only the search can say that there is no path.
                    Outcome::Exhausted
                        if grid.is_shaped() && !own.redirected && own.path.is_empty() =>
                    {
                        // It is searched again, for the nearest cell.
                        let starts = session.starts.iter().filter(|_| O::ACTIVE);
                        starts.for_each(|&at| report_start(grid, at, session.goals, observer));
                        self.look_for_nearest(grid, session, own);
                        None
                    }
                    Outcome::Exhausted | Outcome::Limit => {
                        return Progress::Done(self.give_up(grid, session, own));
                    }
                },
                Stage::Refine => self.refine(grid, session, own, observer),
                Stage::Fill { layer } => {
                    if self.fill_on(grid, session, own, layer, &mut left) {
                        self.end_filling(grid, session, own, observer)
                    } else {
                        None
                    }
                }
                Stage::Smooth(step) => {
                    let smoothed = self.smooth_on(grid, session, own, step, &mut left);
                    if smoothed {
                        report_cells(grid, TraceKind::Smooth, &own.leg, observer);
                        self.take_leg(grid, session, own, observer)
                    } else {
                        None
                    }
                }
            };
            session.count_beside(before - left);
            if let Some(progress) = progress {
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
        own: &mut PraMemory,
        left: &mut u64,
    ) -> CatchUp {
        if !self.note_changes(grid, changes) {
            return CatchUp::NeedsRebuild;
        }
        if *left == u64::MAX {
            self.patch_at_once(grid, &mut own.patch);
            return CatchUp::Done;
        }
        let done = self.patch_on(grid, &mut own.patch, left);
        if done { CatchUp::Done } else { CatchUp::Unfinished }
    }

    fn follows_in_slices(&self) -> bool {
        true
    }

    fn is_following(&self, grid: &Grid) -> bool {
        self.pending.grid == Some(grid.edition())
    }

    /// Copies pointers to pages.
    fn copy(&self) -> Option<Self> {
        Some(self.clone())
    }

    fn held_bytes(&self) -> usize {
        self.abstraction_bytes()
    }

    fn check_invariants(&self, grid: &Grid) -> Result<(), Fault> {
        self.check(grid)
    }

    fn layers(&self, _grid: &Grid) -> Vec<SketchLayer> {
        self.draw()
    }

    fn query_layers(&self, _: &Grid, own: &PraMemory, _: &Scratch) -> Vec<SketchLayer> {
        self.draw_query(own)
    }

    fn to_bytes(&self, grid: &Grid) -> Option<Vec<u8>> {
        self.save(grid).ok()
    }
}

impl Pra {
    /// Whether the places of a path may be joined directly where they see each other.
    pub(super) fn is_lazy(&self) -> bool {
        self.options.refinement == Refinement::Lazy
    }

    /// Looks at the ends alone. If they decide the path, it is written next.
    fn look_at_ends<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &mut PraMemory,
        observer: &mut O,
    ) -> Option<Progress> {
        let (smooth, lazy) = (self.options.smooth, self.is_lazy());
        own.redirected |= redirect_if_unreachable(grid, session, &mut own.descent);
        own.nearby = match (&session.starts[..], &session.goals[..]) {
            ([start], [goal]) if lazy => {
                let PraMemory { near, smoother, flood, .. } = own;
                look_nearby(grid, *start, *goal, smooth, near, smoother, flood)
            }
            _ => Nearby::Unknown,
        };
        session.count_beside(LOOKING);
        own.stage = Stage::Open;
        if own.nearby == Nearby::Certain {
            report_direct(grid, &own.near, observer);
            return Some(end_with(session, &own.near, own.cost_max, own.redirected));
        }
        if self.keep_connected(grid, session) == 0 && !own.redirected {
            self.look_for_nearest(grid, session, own);
        }
        None
    }

    /// There is no path: looks for the nearest cell.
    fn look_for_nearest(&self, grid: &Grid, session: &mut Session<'_, Cell>, own: &mut PraMemory) {
        session.count_beside(LOOKING);
        match self.nearest_at_hand(grid, session, own) {
            Some(nearest) => self.redirect(session, own, nearest),
            None => own.stage = Stage::Nearest,
        }
    }

    /// Makes the nearest cell the goal.
    fn redirect(&self, session: &mut Session<'_, Cell>, own: &mut PraMemory, nearest: Cell) {
        session.goals.clear();
        session.goals.push(nearest);
        own.redirected = true;
        own.stage = Stage::Begin;
    }

    /// The cell nearest to a goal that a start can reach, if the grid keeps its connected
    /// parts or that is a small part of the map. Otherwise frames around the goals are to be looked at.
    fn nearest_at_hand(
        &self,
        grid: &Grid,
        session: &Session<'_, Cell>,
        own: &mut PraMemory,
    ) -> Option<Cell> {
        let (starts, goals) = (&session.starts[..], &session.goals[..]);
        let measure = GridHeuristic::new(grid, HeuristicKind::Octile, Weight::ONE, goals);
        let rank = |cell: Cell| (measure.remoteness_of(cell), cell.y, cell.x);
        let PraMemory { nearest, tops, frames, descent, .. } = own;
        if grid.is_shaped() {
            nearest.begin(grid);
            return None;
        }
        if let Some(known) = nearest_known(grid, starts, goals, descent) {
            return Some(known);
        }
        tops.clear();
        tops.extend(starts.iter().map(|&start| self.top(self.extent.id_inside(start).0)));
        frames.begin(starts[0]);
        nearest_in_few_runs(grid, starts, goals, rank, RUNS_MAX, nearest)
    }

    /// The same where it is not: looks at ever larger squares around the goals, as far as `left` goes. Where steps may lead one
    /// way, floods the map from the starts instead.
    fn nearest_in_frames(
        &self,
        grid: &Grid,
        session: &Session<'_, Cell>,
        own: &mut PraMemory,
        left: &mut u64,
    ) -> Option<Cell> {
        let (starts, goals) = (&session.starts[..], &session.goals[..]);
        let measure = GridHeuristic::new(grid, HeuristicKind::Octile, Weight::ONE, goals);
        let PraMemory { tops, frames, nearest, .. } = own;
        if grid.is_shaped() {
            let rank = |cell: Cell| (measure.remoteness_of(cell), cell.y, cell.x);
            return nearest.go_on(grid, starts, goals, rank, left);
        }
        let wanted = Wanted {
            starts,
            goals,
            rank: |cell: Cell| (measure.remoteness_of(cell), cell.y, cell.x),
            least: |radius| (measure.remoteness_at(radius), 0, 0),
            is_reached: |cell| tops.contains(&self.top(self.extent.id_inside(cell).0)),
        };
        frames.go_on(grid, &wanted, left)
    }

    /// Drops starts and goals that no other end can be reached from; returns how many goals remain. Nothing
    /// is dropped where none would, nor where steps may lead one way: there only a search can say what can be reached.
    fn keep_connected(&self, grid: &Grid, session: &mut Session<'_, Cell>) -> usize {
        let Session { starts, goals, .. } = session;
        if grid.is_shaped() {
            return goals.iter().filter(|&&goal| self.may_join(goal, starts)).count();
        }
        let among =
            |cell: Cell, others: &[Cell]| others.iter().any(|&other| self.connected(cell, other));
        let connected = goals.iter().filter(|&&goal| among(goal, starts)).count();
        if connected > 0 && (starts.len() > 1 || goals.len() > 1) {
            goals.retain(|&goal| among(goal, starts));
            starts.retain(|&start| among(start, goals));
        }
        connected
    }

    /// Whether something leads from a cell or to it, and the same is true of one of some others; or it is one of them.
    fn may_join(&self, cell: Cell, others: &[Cell]) -> bool {
        let is_placed = |cell: Cell| self.cells[self.extent.id_inside(cell).index()].parent != NONE;
        others.contains(&cell) || (is_placed(cell) && others.iter().any(|&other| is_placed(other)))
    }

    /// The layer on which a search should begin, if the ends are far enough apart.
    fn start_layer(&self, grid: &Grid) -> usize {
        let highest = self.layers.len();
        match self.options.start {
            StartLayer::Half => highest / 2,
            StartLayer::Exactly(layer) => usize::from(layer).min(highest),
            StartLayer::Automatic if self.options.steps.is_some() && self.is_lazy() => {
                let few = |layer: &usize| self.node_count(*layer) <= NODES_MAX_BY_STEPS;
                (1..=highest).find(few).unwrap_or(highest)
            }
            // Which link is the best one to take shows a layer further down.
            //
            // PERF: on AcrosstheCape with 200 links paths are 0.60 % above optimal instead of 1.96, in the same time
            // (`--example ground`).
            StartLayer::Automatic if grid.has_links() => {
                self.usual_layer.min(highest).saturating_sub(1)
            }
            StartLayer::Automatic => self.usual_layer.min(highest),
        }
    }

    /// Begins the search on the highest layer, up to the usual one, where no start is a goal.
    fn open_top(&self, grid: &Grid, session: &mut Session<'_, Cell>, pra: &mut PraMemory) {
        let Session { starts, goals, work, run, .. } = session;
        let id = |cell: &Cell| self.extent.id_inside(*cell).0;
        let height = |cell: &Cell| self.top(id(cell)).0;
        // Where steps may lead one way, ends that nothing leads to or from are still there.
        let (mut from, mut to) = std::mem::take(&mut pra.ends);
        from.clear();
        to.clear();
        let shaped = grid.is_shaped();
        from.extend(starts.iter().filter(|&&start| !shaped || self.may_join(start, goals)));
        to.extend(goals.iter().filter(|&&goal| !shaped || self.may_join(goal, starts)));
        let (starts, goals) = (&from, &to);
        let lowest_top = starts.iter().chain(goals.iter()).map(height).min().unwrap_or(0);
        let usual = self.start_layer(grid).min(lowest_top);
        let meets = |layer: &usize| {
            let ancestor = |cell| self.ancestor(id(cell), *layer);
            goals
                .iter()
                .map(ancestor)
                .any(|goal| starts.iter().any(|start| ancestor(start) == goal))
        };
        let top = (1..=usual).rev().find(|layer| !meets(layer)).unwrap_or(0);
        pra.top = top;
        pra.floor = match self.options.refinement {
            Refinement::Lazy => top.min(FLOOD_LAYER_MAX),
            Refinement::Layers => 0,
            Refinement::Thesis | Refinement::ThesisGreedy => top.min(1),
        };
        pra.forget_trails();
        if pra.trails.len() <= top {
            pra.trails.resize_with(top + 1, Trail::default);
        }
        let PraMemory { quest, nodes, .. } = pra;
        quest.layer = top;
        quest.by_links = true;
        quest.narrow = false;
        quest.goals.clear();
        quest.goals.extend(goals.iter().map(|goal| self.ancestor(id(goal), top)));
        quest.aims.clear();
        quest.aims.extend_from_slice(goals);
        nodes.clear();
        nodes.extend(starts.iter().map(|start| self.ancestor(id(start), top)));
        self.open(grid, quest, nodes, &mut work.forward, run);
        pra.ends = (from, to);
        pra.stage = Stage::Search;
    }

    /// Goes on with the search of a layer.
    fn search<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &PraMemory,
        slice: u64,
        observer: &mut O,
    ) -> Outcome {
        let Session { work, run, .. } = session;
        self.pursue(grid, &own.quest, &mut work.forward, run, slice, observer)
    }

    /// Takes over the path that a search has found.
    fn note_trail(&self, session: &mut Session<'_, Cell>, pra: &mut PraMemory, goal: NodeId) {
        let Session { work, starts, goals, .. } = session;
        let Workspace { forward, stack, .. } = &mut **work;
        stack.clear();
        push_ancestors(&forward.nodes, goal, stack);
        let layer = pra.quest.layer;
        let trail = &mut pra.trails[layer];
        trail.nodes.clear();
        trail.nodes.extend(stack.iter().rev().map(|node| node.0));
        trail.done = 0;
        trail.open = true;
        if layer == pra.top {
            // Which of several starts and goals it was.
            let ends = (trail.nodes[0], goal.0);
            let stands_for = |cell: &&Cell, node: u32| {
                self.is_ancestor(self.extent.id_inside(**cell).0, layer, node)
            };
            let start = starts.iter().find(|cell| stands_for(cell, ends.0));
            let goal = goals.iter().find(|cell| stands_for(cell, ends.1));
            pra.start = start.copied().unwrap_or(starts[0]);
            pra.goal = goal.copied().unwrap_or(goals[0]);
            pra.path.push(pra.start);
        }
        pra.stage = Stage::Refine;
    }

    /// Refines what has been found a layer further: begins the next search, or adds cells to the path. Tells
    /// how the query stands if there is something to report.
    fn refine<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        pra: &mut PraMemory,
        observer: &mut O,
    ) -> Option<Progress> {
        // Cells that were searched need no refinement: they are a leg.
        if pra.quest.layer == 0 && pra.trails[0].open {
            self.take_cells(grid, pra);
            session.count_beside(1 + pra.leg.len() as u64 / 32);
            report_cells(grid, TraceKind::Refine, &pra.leg, observer);
            if !self.options.smooth || pra.leg.len() == 1 {
                return self.take_leg(grid, session, pra, observer);
            }
            pra.smoother.begin_pull(grid, &mut pra.leg);
            pra.stage = Stage::Smooth(Smoothing::Pull);
            return None;
        }
        let lowest = pra.floor.max(1);
        let layer = (lowest..=pra.top).find(|&layer| pra.trails[layer].open)?;
        let chunk = self.next_chunk(grid, pra, layer);
        session.count_beside(1 + chunk.len() as u64 / 8);
        if layer > pra.floor {
            self.open_below(grid, session, pra, layer, chunk, observer);
        } else {
            self.begin_chunk(pra, layer, chunk);
            pra.stage = Stage::Fill { layer };
        }
        None
    }

    /// Goes on once the cells of a leg are filled in.
    fn end_filling<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        pra: &mut PraMemory,
        observer: &mut O,
    ) -> Option<Progress> {
        report_cells(grid, TraceKind::Refine, &pra.leg, observer);
        let (smooth, lazy) = (self.options.smooth, self.is_lazy());
        if !smooth || (!lazy && grid.uniform_cost().is_none()) || pra.leg.len() == 1 {
            return self.take_leg(grid, session, pra, observer);
        }
        if !lazy {
            pra.smoother.begin_pull(grid, &mut pra.leg);
        }
        pra.stage = Stage::Smooth(Smoothing::Pull);
        None
    }

    /// Goes on smoothing a leg. Returns whether it is smooth.
    fn smooth_on(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        pra: &mut PraMemory,
        step: Smoothing,
        left: &mut u64,
    ) -> bool {
        let PraMemory { smoother, tightening, leg, way, flood, .. } = pra;
        match step {
            Smoothing::Pull => {
                if !smoother.go_on(grid, leg, left) {
                    return false;
                }
                if grid.uniform_cost().is_none() && self.is_lazy() {
                    tightening.begin(
                        TIGHTENED_MIN + TIGHTENED_PER_EXPANSION * session.run.statistics.expanded,
                    );
                    pra.stage = Stage::Smooth(Smoothing::Tighten);
                    return false;
                }
            }
            Smoothing::Tighten => {
                if !tightening.go_on(grid, leg, way, flood, left) {
                    return false;
                }
            }
        }
        true
    }

    /// Adds a leg to the path, and reports it, or the end, if that is wanted.
    fn take_leg<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        pra: &mut PraMemory,
        observer: &mut O,
    ) -> Option<Progress> {
        pra.stage = Stage::Refine;
        if let (Some(end), Some(&begin)) = (pra.link_end.take(), pra.leg.last()) {
            report_cells(grid, TraceKind::Refine, &[begin, end], observer);
            if self.options.smooth {
                report_cells(grid, TraceKind::Smooth, &[begin, end], observer);
            }
            pra.leg.push(end);
        }
        let joint = usize::from(!pra.path.is_empty());
        pra.path.extend_from_slice(&pra.leg[joint..]);
        if pra.trails[..=pra.top].iter().any(|trail| trail.open) {
            // The path goes on behind a link, though legs may not be wanted.
            if !self.reports_legs(pra) {
                return None;
            }
            let wanted = pra.first_leg.take().is_some() || self.options.steps.is_some();
            return wanted.then(|| Progress::Leg(path_of(grid, &pra.leg)));
        }
        let near = pra.nearby == Nearby::Candidate
            && grid.cost_along(&pra.near) < grid.cost_along(&pra.path);
        if near {
            report_direct(grid, &pra.near, observer);
        }
        let cells = if near { &pra.near } else { &pra.path };
        Some(end_with(session, cells, pra.cost_max, pra.redirected))
    }

    /// Whether the path is reported leg by leg. A leg is a promise: not where there may be no path, a better
    /// one, or a limit on the cost.
    pub(super) fn reports_legs(&self, pra: &PraMemory) -> bool {
        !pra.redirected && pra.nearby != Nearby::Candidate && pra.cost_max == u64::MAX
    }

    /// The answer at a limit of expansions: the legs so far, which an agent may be walking already.
    fn give_up(&self, grid: &Grid, session: &Session<'_, Cell>, own: &PraMemory) -> Answer {
        if own.path.is_empty() || !self.reports_legs(own) {
            return limit_reached(grid, session);
        }
        Answer::LimitReached { nearest: path_of(grid, &own.path) }
    }
}
