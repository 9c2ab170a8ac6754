//! Searches on one layer, or on the cells: the common loop, kept inside a corridor.

use super::Pra;
use super::hops::{LayerHop, cost_of_hop};
use super::layer::{Cells, Joint, Kin, Layer, LayerPoint, PARTS, toll_scale};
use crate::grid::shared::Shared;
use crate::grid::{Cell, CellId, Direction, Edition, Grid};
use crate::heuristic::{GridHeuristic, HeuristicKind};
use crate::search::{
    BestFirst, Frontier, Heuristic, NodeTable, OpenList, Outcome, Rising, Run, SearchObserver,
    Settings, TraceEvent, Weight, open_start,
};
use crate::space::{Arrival, NodeId, Space};
use std::ops::Index;

/// What a straight way through a part of a cell counts on a layer: large enough that the ratio of diagonal
/// to straight steps is met within a percent, small enough for 32 bits.
pub(super) const STRAIGHT: u32 = 70;
/// PERF: the most buckets that a search uses; more are finer, and slower to clear.
const SPAN_MAX: u64 = 16_383;

/// How far places lie apart, as a way between them would cost.
#[derive(Clone, Copy)]
pub(super) struct Measure {
    /// What is added for each part that is crossed diagonally.
    aside: u32,
    /// What both ends of a way cost, where all cells cost the same; 0 where they differ.
    uniform: u32,
    /// Twice the cheapest cost.
    cheapest: u32,
}

impl Measure {
    pub(super) fn new(grid: &Grid) -> Self {
        let steps = grid.movement().steps();
        let aside = match grid.movement().rule().has_diagonals() {
            true => {
                let diagonal = STRAIGHT * steps.diagonal() / steps.straight();
                diagonal.clamp(STRAIGHT, 2 * STRAIGHT) - STRAIGHT
            }
            false => STRAIGHT,
        };
        match grid.uniform_cost() {
            Some(_) => Self { aside, uniform: 1, cheapest: 1 },
            None => Self {
                aside,
                uniform: 0,
                cheapest: 2 * grid.cost_range().start() * toll_scale(grid),
            },
        }
    }

    #[inline(always)]
    fn apart(self, a: LayerPoint, b: LayerPoint) -> u32 {
        let (dx, dy) = a.offset(b);
        STRAIGHT * dx.max(dy) + self.aside * dx.min(dy)
    }

    /// What a way between two places may cost. Between the middles of distant groups of very costly cells it is cut off at
    /// 2³², which is more than any way around them.
    #[inline(always)]
    pub(super) fn between(self, a: LayerPoint, b: LayerPoint) -> u32 {
        let toll = match self.uniform {
            0 => u32::from(a.toll) + u32::from(b.toll),
            uniform => uniform,
        };
        self.apart(a, b).saturating_mul(toll)
    }

    /// What it is estimated at: an eighth more than it costs at least, as ways from middle to middle are not
    /// straight.
    ///
    /// PERF: on AcrosstheCape 552 expansions instead of 680, and paths no worse (0.24 % above optimal, not
    /// 0.29); a quarter more makes them worse on other maps.
    #[inline(always)]
    pub(super) fn estimate(self, a: LayerPoint, b: LayerPoint) -> u64 {
        u64::from(self.apart(a, b)) * u64::from(self.cheapest) * 9 / 8
    }
}

/// A set of nodes, emptied in O(1).
#[derive(Default)]
pub(super) struct Marks {
    stamps: Vec<u32>,
    now: u32,
}

impl Marks {
    pub(super) fn clear(&mut self, node_count: usize) {
        if self.now == u32::MAX {
            self.stamps.fill(0);
            self.now = 0;
        }
        self.now += 1;
        if self.stamps.len() < node_count {
            self.stamps.resize(node_count, 0);
        }
    }

    /// Adds a node; whether it is new.
    pub(super) fn insert(&mut self, node: u32) -> bool {
        std::mem::replace(&mut self.stamps[node as usize], self.now) != self.now
    }

    #[inline(always)]
    pub(super) fn contains(&self, node: u32) -> bool {
        self.stamps.get(node as usize) == Some(&self.now)
    }
}

/// What a search on a layer looks for, and where it may go.
#[derive(Default)]
pub(super) struct Quest {
    pub(super) layer: usize,
    /// The nodes where the search ends.
    pub(super) goals: Vec<u32>,
    /// The cells that the heuristic leads towards.
    pub(super) aims: Vec<Cell>,
    aim_places: Vec<LayerPoint>,
    /// The nodes above whose children it may enter; all, if it is not narrow.
    pub(super) corridor: Marks,
    pub(super) narrow: bool,
    /// Whether there are several starts.
    many: bool,
    /// Whether it may use the links of the map; those of the layer then, and of which abstraction and layer they are.
    pub(super) by_links: bool,
    pub(super) hops: Vec<LayerHop>,
    pub(super) hops_of: Option<(Edition, usize)>,
    /// No way that uses a link is estimated at more.
    cap: u64,
}

impl Quest {
    pub(super) fn memory_bytes(&self) -> usize {
        self.goals.capacity() * 4
            + self.aims.capacity() * size_of::<Cell>()
            + self.aim_places.capacity() * size_of::<LayerPoint>()
            + self.corridor.stamps.capacity() * 4
            + self.hops.capacity() * size_of::<LayerHop>()
    }
}

/// The nodes of a layer.
///
/// PERF: whether nodes are joined one way or by links is known beforehand (`WAYS`): with one more place that visits
/// nodes in the same loop, the visit was a call, and queries took a fifth more instructions.
struct LayerSpace<'a, P: ?Sized, const WAYS: bool> {
    layer: &'a Layer,
    places: &'a P,
    measure: Measure,
    corridor: Option<&'a Marks>,
    /// The links that may be used.
    hops: &'a [LayerHop],
}

impl<P: Index<usize, Output = LayerPoint> + ?Sized, const WAYS: bool> LayerSpace<'_, P, WAYS> {
    /// The steps that cannot be taken back, and links.
    fn expand_ways(&self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        let (places, Layer { kin, .. }) = (self.places, self.layer);
        let own = places[at.node.index()];
        for &other in self.layer.joined(Joint::Onwards, at.node.0) {
            if inside(self.corridor, kin, other) {
                visit(NodeId(other), self.measure.between(own, places[other as usize]));
            }
        }
        if self.hops.is_empty() {
            return;
        }
        for &other in self.layer.joined(Joint::Link, at.node.0) {
            if let Some(cost) = cost_of_hop(self.hops, at.node.0, other)
                && inside(self.corridor, kin, other)
            {
                visit(NodeId(other), cost);
            }
        }
    }
}

impl<P: Index<usize, Output = LayerPoint> + ?Sized, const WAYS: bool> Space
    for LayerSpace<'_, P, WAYS>
{
    fn node_count(&self) -> usize {
        self.layer.capacity()
    }

    #[inline]
    fn expand(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        let (places, Layer { links, kin, .. }) = (self.places, self.layer);
        let own = places[at.node.index()];
        for &other in links.of(at.node.0) {
            if other != at.parent.0 && inside(self.corridor, kin, other) {
                visit(NodeId(other), self.measure.between(own, places[other as usize]));
            }
        }
        if WAYS {
            self.expand_ways(at, visit);
        }
    }
}

#[inline(always)]
fn inside(corridor: Option<&Marks>, kin: &Shared<Kin>, node: u32) -> bool {
    corridor.is_none_or(|corridor| corridor.contains(kin[node as usize].parent))
}

/// The cells inside a corridor.
struct CellSpace<'a, const SHAPED: bool> {
    cells: Cells<'a>,
    kin: &'a Shared<Kin>,
    corridor: Option<&'a Marks>,
    uniform: Option<u32>,
    by_links: bool,
}

impl<const SHAPED: bool> CellSpace<'_, SHAPED> {
    /// The steps from a cell where borders, heights or links count.
    fn expand_shaped(&self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        let (grid, here) = (self.cells.grid, CellId(at.node.0));
        let steps = grid.movement().steps();
        let own = grid.cost_at(here);
        let moves = self.cells.flat_moves(self.cells.cell(here.0));
        for direction in (0..8u32).filter(|direction| moves >> direction & 1 == 1) {
            let other = CellId(self.cells.step(here.0, direction));
            if !grid.is_closed(here, direction as usize) && inside(self.corridor, self.kin, other.0)
            {
                let diagonal = direction >= Direction::NorthEast as u32;
                let flat = steps.step(diagonal, own + grid.cost_at(other));
                visit(NodeId(other.0), flat + grid.slope(here, other));
            }
        }
        if self.by_links {
            grid.visit_links(here, false, |other, cost| {
                if inside(self.corridor, self.kin, other.0) {
                    visit(NodeId(other.0), cost);
                }
            });
        }
    }
}

impl<const SHAPED: bool> Space for CellSpace<'_, SHAPED> {
    fn node_count(&self) -> usize {
        self.kin.len()
    }

    #[inline]
    fn expand(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        if SHAPED {
            return self.expand_shaped(at, visit);
        }
        let grid = self.cells.grid;
        let steps = grid.movement().steps();
        let cost = |node: u32| self.uniform.unwrap_or_else(|| grid.cost_at(CellId(node)));
        let own = cost(at.node.0);
        let mut moves = self.cells.moves(self.cells.cell(at.node.0));
        while moves != 0 {
            let direction = moves.trailing_zeros();
            moves &= moves - 1;
            let other = self.cells.step(at.node.0, direction);
            if inside(self.corridor, self.kin, other) {
                let diagonal = direction >= Direction::NorthEast as u32;
                visit(NodeId(other), steps.step(diagonal, own + cost(other)));
            }
        }
    }
}

/// Estimates on a layer.
struct LayerHeuristic<'a, P: ?Sized> {
    places: &'a P,
    measure: Measure,
    aims: &'a [LayerPoint],
    cap: u64,
}

impl<P: Index<usize, Output = LayerPoint> + ?Sized> Heuristic for LayerHeuristic<'_, P> {
    #[inline(always)]
    fn estimate(&self, node: NodeId) -> u64 {
        let own = self.places[node.index()];
        let estimate = match self.aims {
            [aim] => self.measure.estimate(own, *aim),
            aims => aims.iter().map(|&aim| self.measure.estimate(own, aim)).min().unwrap_or(0),
        };
        estimate.min(self.cap)
    }

    /// Ways between groups are taken for straight lines, which they are not.
    fn is_admissible(&self) -> bool {
        false
    }

    fn is_consistent(&self) -> bool {
        false
    }
}

/// Reports cells instead of nodes.
struct CellObserver<'a, O> {
    inner: &'a mut O,
    pra: &'a Pra,
    layer: usize,
    /// What one unit of the layer's costs is in the grid's.
    unit: (u64, u64),
}

impl<O: SearchObserver> SearchObserver for CellObserver<'_, O> {
    const ACTIVE: bool = O::ACTIVE;

    fn event(&mut self, event: TraceEvent) {
        let cell = |node: NodeId| {
            NodeId(self.pra.extent.id_inside(self.pra.cell_in(self.layer, node.0)).0)
        };
        let cost = |cost: u64| cost * self.unit.0 / self.unit.1;
        self.inner.event(TraceEvent {
            node: cell(event.node),
            parent: cell(event.parent),
            g: cost(event.g),
            h: cost(event.h),
            ..event
        });
    }
}

/// A search that goes on, but for its open list.
struct Pursuit<'a> {
    pra: &'a Pra,
    grid: &'a Grid,
    quest: &'a Quest,
    nodes: &'a mut NodeTable,
    run: &'a mut Run,
    slice: u64,
}

impl Pursuit<'_> {
    fn on_cells<Q: OpenList, O: SearchObserver>(self, open: &mut Q, observer: &mut O) -> Outcome {
        let Self { pra, grid, quest, nodes, run, slice } = self;
        let settings = pra.settings(grid, quest);
        let corridor = quest.narrow.then_some(&quest.corridor);
        let uniform = grid.uniform_cost();
        let heuristic = GridHeuristic::new(grid, HeuristicKind::Octile, Weight::ONE, &quest.aims);
        let (cells, by_links) = (Cells::new(grid), quest.by_links);
        let kin = &pra.cells;
        if grid.is_shaped() {
            let space = CellSpace::<true> { cells, kin, corridor, uniform, by_links };
            BestFirst { space, heuristic, settings, nodes, open, run }.advance(slice, observer)
        } else {
            let space = CellSpace::<false> { cells, kin, corridor, uniform, by_links };
            BestFirst { space, heuristic, settings, nodes, open, run }.advance(slice, observer)
        }
    }

    fn on_layer<Q: OpenList, O: SearchObserver>(
        self,
        layer: &Layer,
        open: &mut Q,
        observer: &mut O,
    ) -> Outcome {
        let Self { pra, grid, quest, nodes, run, slice } = self;
        let settings = pra.settings(grid, quest);
        let corridor = quest.narrow.then_some(&quest.corridor);
        let (measure, aims, cap) = (Measure::new(grid), &quest.aim_places[..], quest.cap);
        let unit = pra.unit(grid);
        let hops = if quest.by_links { &quest.hops[..] } else { &[] };
        let mut observer = CellObserver { inner: observer, pra, layer: quest.layer, unit };
        macro_rules! advance {
            ($places:expr, $ways:literal) => {{
                let places = $places;
                let space = LayerSpace::<_, $ways> { layer, places, measure, corridor, hops };
                let heuristic = LayerHeuristic { places, measure, aims, cap };
                BestFirst { space, heuristic, settings, nodes, open, run }
                    .advance(slice, &mut observer)
            }};
        }
        match (layer.places.in_one_page(), layer.ways.is_empty()) {
            (Some(places), true) => advance!(places, false),
            (Some(places), false) => advance!(places, true),
            (None, true) => advance!(&layer.places, false),
            (None, false) => advance!(&layer.places, true),
        }
    }
}

impl Pra {
    /// How far keys are shifted, and the span of the queue then. Where cells differ in cost the cheapest counts: keys
    /// are as fine as if all terrain were like it, and those that costly cells lead to wait in a heap.
    fn queue_shape(&self, grid: &Grid, quest: &Quest) -> (u32, u64) {
        let cheapest = *grid.cost_range().start();
        let longest = match quest.layer {
            0 => {
                let diagonal = 2 * u64::from(grid.movement().steps().diagonal());
                let step = diagonal * u64::from(cheapest);
                // Several starts may lie any distance apart.
                let sides = u64::from(self.extent.width() + self.extent.height());
                step + if quest.many { step * sides } else { 0 }
            }
            _ => {
                // A node may reach from one corner of the map to another.
                let corners = [(0, 0), (self.extent.width() - 1, self.extent.height() - 1)];
                let toll = cheapest * toll_scale(grid);
                let [a, b] = corners.map(|corner| LayerPoint::of_cell(corner.into(), toll));
                u64::from(Measure::new(grid).between(a, b))
            }
        };
        let span = 2 * longest;
        let shift = span.div_ceil(SPAN_MAX).max(1).next_power_of_two().ilog2();
        (shift, (span >> shift) + 1)
    }

    fn settings(&self, grid: &Grid, quest: &Quest) -> Settings {
        let (key_shift, _) = self.queue_shape(grid, quest);
        Settings {
            greedy: false,
            unit_steps: false,
            reopen: quest.layer == 0,
            key_shift,
            keys_exact: false,
        }
    }

    /// Begins a search from some nodes of the quest's layer.
    pub(super) fn open(
        &self,
        grid: &Grid,
        quest: &mut Quest,
        starts: &[u32],
        frontier: &mut Frontier,
        run: &mut Run,
    ) {
        quest.many = starts.len() > 1;
        let settings = self.settings(grid, quest);
        let (_, span) = self.queue_shape(grid, quest);
        let Frontier { nodes, buckets, any_order, .. } = frontier;
        let key = |quest: &Quest, node| {
            let node = NodeId(node);
            let estimate = match quest.layer {
                0 => GridHeuristic::new(grid, HeuristicKind::Octile, Weight::ONE, &quest.aims)
                    .estimate(node),
                layer => {
                    let places = &self.layers[layer - 1].places;
                    let (measure, aims) = (Measure::new(grid), &quest.aim_places);
                    LayerHeuristic { places, measure, aims, cap: quest.cap }.estimate(node)
                }
            };
            settings.key(0, estimate)
        };
        if let Some(above) = quest.layer.checked_sub(1) {
            nodes.reset(self.layers[above].capacity());
            quest.aim_places.clear();
            quest.aim_places.extend(quest.aims.iter().map(|&aim| LayerPoint::of_cell(aim, 0)));
            quest.cap = self.find_hops(grid, quest);
        } else {
            nodes.reset(self.cells.len());
        }
        quest.goals.iter().for_each(|&goal| nodes.mark_goal(NodeId(goal)));
        let keys = || starts.iter().map(|&start| key(quest, start));
        if grid.uniform_cost().is_some() {
            buckets.reset(span, keys().min().unwrap_or(0));
            for &start in starts {
                open_start(nodes, buckets, run, NodeId(start), key(quest, start));
            }
        } else {
            any_order.reset(span);
            for &start in starts {
                open_start(nodes, any_order, run, NodeId(start), key(quest, start));
            }
        }
    }

    /// Goes on with a search.
    pub(super) fn pursue<O: SearchObserver>(
        &self,
        grid: &Grid,
        quest: &Quest,
        frontier: &mut Frontier,
        run: &mut Run,
        slice: u64,
        observer: &mut O,
    ) -> Outcome {
        let Frontier { nodes, buckets, any_order, .. } = frontier;
        let pursuit = Pursuit { pra: self, grid, quest, nodes, run, slice };
        match (quest.layer.checked_sub(1), grid.uniform_cost().is_some()) {
            (None, true) => pursuit.on_cells(buckets, observer),
            (None, false) => pursuit.on_cells(any_order, observer),
            (Some(above), true) => {
                pursuit.on_layer(&self.layers[above], &mut Rising(buckets), observer)
            }
            (Some(above), false) => {
                pursuit.on_layer(&self.layers[above], &mut Rising(any_order), observer)
            }
        }
    }

    /// What the costs of a layer are multiplied with and divided by to become the grid's.
    pub(super) fn unit(&self, grid: &Grid) -> (u64, u64) {
        let parts = u64::from(STRAIGHT * PARTS);
        let straight = u64::from(grid.movement().steps().straight());
        match grid.uniform_cost() {
            Some(cost) => (straight * 2 * u64::from(cost), parts),
            None => (straight, parts * u64::from(toll_scale(grid))),
        }
    }

    /// Widens the corridor by rings of neighbours. `edge` holds the nodes that it consists of.
    pub(super) fn widen(
        &self,
        layer: usize,
        edge: &mut Vec<u32>,
        corridor: &mut Marks,
        margin: u8,
    ) {
        let mut begin = 0;
        for _ in 0..margin {
            let end = edge.len();
            for at in begin..end {
                for &other in self.layers[layer - 1].links.of(edge[at]) {
                    if corridor.insert(other) {
                        edge.push(other);
                    }
                }
            }
            begin = end;
        }
    }
}
