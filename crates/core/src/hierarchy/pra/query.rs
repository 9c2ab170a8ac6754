//! Finding a path: choose a layer, search it, refine what was found.

use super::patch::PatchMemory;
use super::search::Quest;
use super::survey::{FLOOD_LAYER_MAX, Survey};
use super::{Pra, Refinement, StartLayer};
use crate::grid::{
    Cell, Change, Edition, Grid, NearestMemory, nearest_around, nearest_in_few_runs,
};
use crate::heuristic::{GridHeuristic, HeuristicKind};
use crate::hierarchy::local::{Flood, Nearby, look_nearby};
use crate::path::{Path, Smoother};
use crate::planner::{
    Algorithm, Answer, CatchUp, Fault, Guarantee, Memory, PathQuery, Progress, Scratch, Session,
    SketchLayer, answer_within, limit_reached, path_of, report_starts,
};
use crate::search::{Limits, Outcome, Run, SearchObserver, Weight, Workspace, push_ancestors};
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
    /// The ends alone have given the path.
    #[default]
    Near,
    /// A layer is searched.
    Search,
    /// What has been found on a layer is refined.
    Refine,
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
    /// The ends of the path, once they are known.
    pub(super) start: Cell,
    pub(super) goal: Cell,
    /// The path as far as it is refined, the leg in hand, and the points along it.
    pub(super) path: Vec<Cell>,
    pub(super) leg: Vec<Cell>,
    pub(super) points: Vec<Cell>,
    pub(super) nodes: Vec<u32>,
    pub(super) survey: Survey,
    pub(super) edge: Vec<u32>,
    pub(super) way: Vec<Cell>,
    nearby: Nearby,
    near: Vec<Cell>,
    pub(super) smoother: Smoother,
    pub(super) flood: Flood,
    nearest: NearestMemory,
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
        let cells = [&self.path, &self.leg, &self.points, &self.way, &self.near];
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
            + self.tops.capacity() * size_of::<(usize, u32)>()
    }
}

impl Algorithm<Grid> for Pra {
    type Memory = PraMemory;

    fn guarantee_for(&self, _grid: &Grid) -> Guarantee {
        Guarantee::NearOptimal
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
        query: &PathQuery,
        session: &mut Session<'_, Cell>,
        own: &mut PraMemory,
    ) {
        own.forget_trails();
        own.cost_max = query.limits().cost_max;
        own.first_leg = query.first_leg();
        // Layers count in units of their own: the cost of the path itself is judged at the end.
        *session.run = Run::new(Limits { cost_max: u64::MAX, ..query.limits() });
        self.prepare(grid, session, own);
    }

    fn run<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &mut PraMemory,
        slice: u64,
        observer: &mut O,
    ) -> Progress {
        let mut left = slice;
        report_starts(grid, session, observer);
        loop {
            match own.stage {
                Stage::Near => {
                    return Progress::Done(self.end_with(own, path_of(grid, &own.near)));
                }
                Stage::Search => match self.search(grid, session, own, &mut left, observer) {
                    Outcome::Paused => return Progress::Running,
                    Outcome::Goal(node) => self.note_trail(session, own, node),
                    Outcome::Exhausted | Outcome::Limit => {
                        return Progress::Done(self.give_up(grid, session, own));
                    }
                },
                Stage::Refine => {
                    if let Some(progress) = self.refine(grid, session, own, observer) {
                        return progress;
                    }
                }
            }
        }
    }

    fn follow(&mut self, grid: &Grid, changes: &[Change], own: &mut PraMemory) -> CatchUp {
        match self.apply(grid, changes, &mut own.patch) {
            Some(_) => CatchUp::Done,
            None => CatchUp::NeedsRebuild,
        }
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

    /// Looks at the ends, and begins the search on the start layer. Where there is no path, the nearest
    /// cell becomes the goal.
    fn prepare(&self, grid: &Grid, session: &mut Session<'_, Cell>, own: &mut PraMemory) {
        own.redirected = false;
        own.path.clear();
        let (smooth, lazy) = (self.options.smooth, self.is_lazy());
        own.nearby = match (&session.starts[..], &session.goals[..]) {
            ([start], [goal]) if lazy => {
                let PraMemory { near, smoother, flood, .. } = own;
                look_nearby(grid, *start, *goal, smooth, near, smoother, flood)
            }
            _ => Nearby::Unknown,
        };
        own.stage = Stage::Near;
        if own.nearby == Nearby::Certain {
            return;
        }
        if self.keep_connected(session) == 0 {
            let nearest = self.nearest_cell(grid, session, own);
            session.goals.clear();
            session.goals.push(nearest);
            own.redirected = true;
            self.keep_connected(session);
        }
        self.open_top(grid, session, own);
    }

    /// The cell nearest to a goal that a start can reach: by a flood if that is small, otherwise around the
    /// goals.
    fn nearest_cell(&self, grid: &Grid, session: &Session<'_, Cell>, own: &mut PraMemory) -> Cell {
        let (starts, goals) = (&session.starts[..], &session.goals[..]);
        let measure = GridHeuristic::new(grid, HeuristicKind::Octile, Weight::ONE, goals);
        let rank = |cell: Cell| (measure.remoteness_of(cell), cell.y, cell.x);
        let PraMemory { nearest, tops, .. } = own;
        let flooded = nearest_in_few_runs(grid, starts, goals, rank, RUNS_MAX, nearest);
        if let Some(cell) = flooded {
            return cell;
        }
        let top = |cell: Cell| self.top(self.extent.id_inside(cell).0);
        tops.clear();
        tops.extend(starts.iter().map(|&start| top(start)));
        let least = |radius| (measure.remoteness_at(radius), 0, 0);
        let is_reached = |cell| tops.contains(&top(cell));
        nearest_around(grid, (starts, goals), starts[0], rank, least, is_reached)
    }

    /// Drops starts and goals that no other end can be reached from; returns how many goals remain. Nothing
    /// is dropped where none would.
    fn keep_connected(&self, session: &mut Session<'_, Cell>) -> usize {
        let Session { starts, goals, .. } = session;
        let among =
            |cell: Cell, others: &[Cell]| others.iter().any(|&other| self.connected(cell, other));
        let connected = goals.iter().filter(|&&goal| among(goal, starts)).count();
        if connected > 0 && (starts.len() > 1 || goals.len() > 1) {
            goals.retain(|&goal| among(goal, starts));
            starts.retain(|&start| among(start, goals));
        }
        connected
    }

    /// The layer on which a search should begin, if the ends are far enough apart.
    fn start_layer(&self) -> usize {
        let highest = self.layers.len();
        match self.options.start {
            StartLayer::Half => highest / 2,
            StartLayer::Exactly(layer) => usize::from(layer).min(highest),
            StartLayer::Automatic if self.options.steps.is_some() && self.is_lazy() => {
                let few = |layer: &usize| self.node_count(*layer) <= NODES_MAX_BY_STEPS;
                (1..=highest).find(few).unwrap_or(highest)
            }
            StartLayer::Automatic => self.usual_layer.min(highest),
        }
    }

    /// Begins the search on the highest layer, up to the usual one, where no start is a goal.
    fn open_top(&self, grid: &Grid, session: &mut Session<'_, Cell>, pra: &mut PraMemory) {
        let Session { starts, goals, work, run, .. } = session;
        let id = |cell: &Cell| self.extent.id_inside(*cell).0;
        let height = |cell: &Cell| self.top(id(cell)).0;
        let lowest_top = starts.iter().chain(goals.iter()).map(height).min().unwrap_or(0);
        let usual = self.start_layer().min(lowest_top);
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
        quest.narrow = false;
        quest.goals.clear();
        quest.goals.extend(goals.iter().map(|goal| self.ancestor(id(goal), top)));
        quest.aims.clear();
        quest.aims.extend_from_slice(goals);
        nodes.clear();
        nodes.extend(starts.iter().map(|start| self.ancestor(id(start), top)));
        self.open(grid, quest, nodes, &mut work.forward, run);
        pra.stage = Stage::Search;
    }

    /// Goes on with the search of a layer; `slice` is what is left of it.
    fn search<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &PraMemory,
        slice: &mut u64,
        observer: &mut O,
    ) -> Outcome {
        let Session { work, run, .. } = session;
        let before = run.statistics.expanded;
        let outcome = self.pursue(grid, &own.quest, &mut work.forward, run, *slice, observer);
        *slice -= run.statistics.expanded - before;
        outcome
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
            pra.trails[0].open = false;
            self.take_cells(grid, pra);
        } else {
            let lowest = pra.floor.max(1);
            let layer = (lowest..=pra.top).find(|&layer| pra.trails[layer].open)?;
            let chunk = self.next_chunk(pra, layer);
            if layer > pra.floor {
                self.open_below(grid, session, pra, layer, chunk, observer);
                return None;
            }
            self.fill_chunk(grid, session, pra, layer, chunk);
        }
        self.take_leg(grid, pra)
    }

    /// Adds a leg to the path, and reports it, or the end, if that is wanted.
    fn take_leg(&self, grid: &Grid, pra: &mut PraMemory) -> Option<Progress> {
        let joint = usize::from(!pra.path.is_empty());
        pra.path.extend_from_slice(&pra.leg[joint..]);
        if pra.trails[..=pra.top].iter().any(|trail| trail.open) {
            let wanted = pra.first_leg.take().is_some() || self.options.steps.is_some();
            return wanted.then(|| Progress::Leg(path_of(grid, &pra.leg)));
        }
        let mut path = path_of(grid, &pra.path);
        if pra.nearby == Nearby::Candidate && grid.cost_along(&pra.near) < path.cost() {
            path = path_of(grid, &pra.near);
        }
        Some(Progress::Done(self.end_with(pra, path)))
    }

    /// Whether the path is reported leg by leg. A leg is a promise: not where there may be no path, a better
    /// one, or a limit on the cost.
    pub(super) fn tells_legs(&self, pra: &PraMemory) -> bool {
        !pra.redirected && pra.nearby != Nearby::Candidate && pra.cost_max == u64::MAX
    }

    /// The answer at a limit of expansions: the legs so far, which an agent may be walking already.
    fn give_up(&self, grid: &Grid, session: &Session<'_, Cell>, own: &PraMemory) -> Answer {
        if own.path.is_empty() || !self.tells_legs(own) {
            return limit_reached(grid, session);
        }
        Answer::LimitReached { nearest: path_of(grid, &own.path) }
    }

    fn end_with(&self, own: &PraMemory, path: Path) -> Answer {
        answer_within(path, own.cost_max, own.redirected)
    }
}
