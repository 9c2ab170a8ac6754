//! From the path of a layer to that of the layer below, and to cells.
//!
//! ```text
//!   layer 3     A ───────── B ───────── C            a chunk of the path: its children are the corridor
//!   layer 2     a ─ a' ─── b ─── b' ─ c              searched inside it, to a child of C
//!   cells       from place to place, where one sees the other; else by way of the layers between
//! ```

use super::hops::LayerHop;
use super::layer::PARTS;
use super::query::PraMemory;
use super::search::Quest;
use super::survey::Survey;
use super::{Pra, Refinement};
use crate::grid::{Cell, CellId, Grid};
use crate::hierarchy::local::{Flood, UNREACHED};
use crate::planner::{Session, report_start};
use crate::search::{
    Frontier, Limits, NoTrace, Outcome, Run, SearchObserver, Workspace, push_ancestors,
};
use crate::space::NodeId;

/// A part of a layer's path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk {
    from: usize,
    to: usize,
    /// Whether it leads to the goal.
    last: bool,
    /// The link that the path goes on by.
    link: Option<LayerHop>,
}

/// What a search inside a hop works with.
struct HopSearch<'a> {
    quest: &'a mut Quest,
    frontier: &'a mut Frontier,
    survey: &'a mut Survey,
    flood: &'a mut Flood,
    stack: &'a mut Vec<NodeId>,
    edge: &'a mut Vec<u32>,
}

impl Chunk {
    /// How many nodes it has, less one.
    pub(super) fn len(&self) -> usize {
        self.to - self.from
    }
}

impl Pra {
    /// Takes the next part of a layer's path.
    pub(super) fn next_chunk(&self, grid: &Grid, pra: &mut PraMemory, layer: usize) -> Chunk {
        let legs = self.reports_legs(pra);
        let trail = &pra.trails[layer];
        let (from, end) = (trail.done, trail.nodes.len() - 1);
        let to = match (self.options.steps, pra.first_leg) {
            _ if !legs => end,
            (None, None) => end,
            (steps, first_leg) => {
                let least = from + steps.map_or(1, usize::from);
                let place = |at: usize| self.layers[layer - 1].places[trail.nodes[at] as usize];
                // A step more, as places are not cells.
                let wanted = first_leg.map_or(0, |steps| (steps + 1).saturating_mul(PARTS));
                let far = |&at: &usize| {
                    let (dx, dy) = place(from).offset(place(at));
                    dx.max(dy) >= wanted
                };
                (least..end).find(far).unwrap_or(end)
            }
        };
        // Cells are filled in from link to link.
        let by_links = layer == pra.floor && self.is_lazy() && grid.has_links();
        let link = |at: usize| {
            let [from, to] = [trail.nodes[at], trail.nodes[at + 1]];
            self.hop_between(grid, &pra.quest, from, to).map(|link| (at, link))
        };
        let link = (from..to).find_map(|at| if by_links { link(at) } else { None });
        let trail = &mut pra.trails[layer];
        if let Some((to, link)) = link {
            trail.done = to + 1;
            return Chunk { from, to, last: false, link: Some(link) };
        }
        trail.done = to;
        trail.open = to < end;
        let last = !pra.trails[layer..=pra.top].iter().any(|trail| trail.open);
        Chunk { from, to, last, link: None }
    }

    /// Begins the search on the layer below, inside the corridor of a chunk.
    pub(super) fn open_below<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        pra: &mut PraMemory,
        layer: usize,
        chunk: Chunk,
        observer: &mut O,
    ) {
        let Session { work, run, .. } = session;
        let PraMemory { quest, trails, edge, path, goal, start, .. } = pra;
        let here = path.last().copied().unwrap_or(*start);
        let end = trails[layer].nodes[chunk.to];
        edge.clear();
        edge.extend_from_slice(&trails[layer].nodes[chunk.from..=chunk.to]);
        quest.layer = layer - 1;
        quest.by_links = true;
        quest.goals.clear();
        quest.aims.clear();
        if chunk.last {
            quest.goals.push(self.ancestor(self.extent.id_inside(*goal).0, layer - 1));
            quest.aims.push(*goal);
        } else {
            quest.goals.extend(self.children(layer, end));
            quest.aims.push(self.cell_in(layer, end));
        }
        // Costs that differ are met by a choice of ways.
        let margin = self.options.margin.max(u8::from(grid.uniform_cost().is_none()));
        self.narrow(quest, edge, margin);
        let from = self.ancestor(self.extent.id_inside(here).0, layer - 1);
        self.open(grid, quest, &[from], &mut work.forward, run);
        if O::ACTIVE {
            report_start(grid, self.cell_in(layer - 1, from), &quest.aims, observer);
        }
        pra.search_on();
    }

    /// Confines a quest to the children of some nodes above, and of those around them.
    fn narrow(&self, quest: &mut Quest, edge: &mut Vec<u32>, margin: u8) {
        quest.narrow = true;
        quest.corridor.clear(self.layers[quest.layer].capacity());
        edge.iter().for_each(|&node| {
            quest.corridor.insert(node);
        });
        self.widen(quest.layer + 1, edge, &mut quest.corridor, margin);
    }

    /// Makes a leg of cells that were searched, up to the next link.
    pub(super) fn take_cells(&self, grid: &Grid, pra: &mut PraMemory) {
        let PraMemory { trails, leg, link_end, .. } = pra;
        let trail = &mut trails[0];
        let cell = |node: u32| self.extent.cell(CellId(node));
        let is_link = |hop: &[u32]| grid.link_between(cell(hop[0]), cell(hop[1])).is_some();
        let nodes = &trail.nodes[trail.done..];
        let link = if grid.has_links() { nodes.windows(2).position(is_link) } else { None };
        leg.clear();
        leg.extend(nodes[..link.map_or(nodes.len(), |at| at + 1)].iter().map(|&node| cell(node)));
        *link_end = link.map(|at| cell(nodes[at + 1]));
        trail.done += link.map_or(0, |at| at + 1);
        trail.open = link.is_some();
    }

    /// Begins to make a leg of cells of a chunk.
    pub(super) fn begin_chunk(&self, pra: &mut PraMemory, layer: usize, chunk: Chunk) {
        let PraMemory { trails, leg, points, nodes, path, goal, smoother, .. } = pra;
        let end = match chunk.link {
            Some(link) => Some(link.begin),
            None => chunk.last.then_some(*goal),
        };
        nodes.clear();
        nodes.extend_from_slice(&trails[layer].nodes[chunk.from..=chunk.to]);
        if nodes.len() == 1 && end.is_some_and(|end| path.last() != Some(&end)) {
            nodes.push(nodes[0]);
        }
        points.clear();
        points.extend(path.last());
        points.extend(nodes[1..].iter().map(|&node| self.cell_in(layer, node)));
        if let (Some(last), Some(end)) = (points.last_mut(), end) {
            *last = end;
        }
        pra.link_end = chunk.link.map(|link| link.end);
        pra.chunk_is_last = chunk.last;
        pra.hops_filled = 0;
        smoother.begin_through(points, leg);
    }

    /// Goes on filling in the cells of a leg, as far as `left` goes. Returns whether all are there.
    pub(super) fn fill_on(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        pra: &mut PraMemory,
        layer: usize,
        left: &mut u64,
    ) -> bool {
        let Workspace { backward: frontier, stack, .. } = &mut *session.work;
        let PraMemory { leg, points, nodes, goal, hop, edge, way, chunk_is_last, .. } = pra;
        let PraMemory { survey, smoother, flood, hops_filled, .. } = pra;
        // Between links cells are joined by steps; the thesis knows groups alone.
        hop.by_links = !self.is_lazy();
        let mut search = HopSearch { quest: hop, frontier, survey, flood, stack, edge };
        if !self.is_lazy() {
            let end = chunk_is_last.then_some(*goal);
            self.walk(grid, &mut search, (points[0], end), nodes, *goal, leg);
            *left = left.saturating_sub(leg.len() as u64);
            return true;
        }
        let mut fill = |hop: usize, cells: &mut Vec<Cell>| {
            let groups = [nodes[hop], nodes[hop + 1]];
            self.fill_hop(grid, &mut search, layer, groups, [points[hop], points[hop + 1]], cells)
        };
        if self.options.smooth {
            return smoother.go_on_through(grid, points, fill, leg, left);
        }
        let uniform = grid.uniform_cost().is_some();
        while *hops_filled + 1 < points.len() && *left > 0 {
            let (hop, begin) = (*hops_filled, leg.len());
            let ends = [points[hop], points[hop + 1]];
            if uniform && smoother.sees(grid, ends[0], ends[1]) {
                way.clear();
                way.extend_from_slice(&ends);
                smoother.pull(grid, way);
                leg.extend_from_slice(&way[1..]);
            } else {
                *left = left.saturating_sub(fill(hop, leg));
            }
            *hops_filled += 1;
            *left = left.saturating_sub(1 + (leg.len() - begin) as u64 / 16);
        }
        *hops_filled + 1 >= points.len()
    }

    /// Writes the cells that follow the first of two, each inside one of two neighbouring groups, and returns what
    /// that counts: the cheapest way inside the first and its neighbours; or, where these are too large, layer by layer inside the
    /// two.
    fn fill_hop(
        &self,
        grid: &Grid,
        search: &mut HopSearch<'_>,
        layer: usize,
        groups: [u32; 2],
        ends: [Cell; 2],
        cells: &mut Vec<Cell>,
    ) -> u64 {
        let HopSearch { survey, flood, .. } = search;
        let between = (ends[0], Some(ends[1]));
        let flooded = self.flood_around(grid, layer, groups[0], between, survey, flood);
        if let Some((block, units)) = flooded
            && flood.cost(block.local(ends[1])) != UNREACHED
        {
            let joint = cells.len();
            flood.trace(&block, ends[1], cells);
            cells.remove(joint);
            return units;
        }
        search.edge.clear();
        search.edge.extend(groups);
        let [from, to] = ends.map(|cell| self.extent.id_inside(cell).0);
        let mut expanded = 0;
        for below in (0..layer).rev() {
            search.quest.layer = below;
            search.quest.goals.clear();
            search.quest.goals.push(self.ancestor(to, below));
            expanded += self.find_inside(grid, search, self.ancestor(from, below), ends[1]);
        }
        cells.extend(search.edge.iter().skip(1).map(|&node| self.extent.cell(CellId(node))));
        expanded + flooded.map_or(0, |(_, units)| units)
    }

    /// Searches inside the groups on the edge, and leaves the path there. Returns how many nodes were expanded.
    fn find_inside(&self, grid: &Grid, search: &mut HopSearch<'_>, from: u32, aim: Cell) -> u64 {
        let HopSearch { quest, frontier, stack, edge, .. } = search;
        quest.aims.clear();
        quest.aims.push(aim);
        self.narrow(quest, edge, 0);
        let mut run = Run::new(Limits::default());
        self.open(grid, quest, &[from], frontier, &mut run);
        let outcome = self.pursue(grid, quest, frontier, &mut run, u64::MAX, &mut NoTrace);
        edge.clear();
        if let Outcome::Goal(node) = outcome {
            stack.clear();
            push_ancestors(&frontier.nodes, node, stack);
            edge.extend(stack.iter().rev().map(|node| node.0));
        }
        run.statistics.expanded
    }

    /// The thesis's way from cells to cells: from each group into the next, at the neighbour that seems best
    /// or at the first one found; and in the last, to the end if there is one.
    fn walk(
        &self,
        grid: &Grid,
        search: &mut HopSearch<'_>,
        (start, end): (Cell, Option<Cell>),
        groups: &[u32],
        goal: Cell,
        cells: &mut Vec<Cell>,
    ) {
        cells.clear();
        cells.push(start);
        let cell = |node: &u32| self.extent.cell(CellId(*node));
        search.quest.layer = 0;
        let mut here = self.extent.id_inside(start).0;
        for hop in groups.windows(2).filter(|hop| hop[0] != hop[1]) {
            search.edge.clear();
            search.edge.extend_from_slice(hop);
            search.quest.goals.clear();
            search.quest.goals.extend(self.children(1, hop[1]));
            self.find_inside(grid, search, here, goal);
            if self.options.refinement == Refinement::ThesisGreedy {
                self.enter_first(grid, search.edge, hop[1]);
            }
            cells.extend(search.edge[1..].iter().map(cell));
            here = search.edge.last().copied().unwrap_or(here);
        }
        if let (Some(end), Some(&last)) = (end, groups.last()) {
            search.edge.clear();
            search.edge.push(last);
            search.quest.goals.clear();
            search.quest.goals.push(self.extent.id_inside(end).0);
            self.find_inside(grid, search, here, goal);
            cells.extend(search.edge[1..].iter().map(cell));
        }
    }

    /// Ends a way at the first neighbour found in a group.
    fn enter_first(&self, grid: &Grid, way: &mut [u32], group: u32) {
        if let [.., before, end] = way {
            let cells = super::layer::Cells::new(grid);
            let mut first = None;
            super::layer::Graph::visit(&cells, *before, |other| {
                if self.cells[other as usize].parent == group {
                    first = first.or(Some(other));
                }
            });
            *end = first.unwrap_or(*end);
        }
    }
}
