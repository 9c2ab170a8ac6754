//! From the abstract path to cells; and which cell is nearest when there is no path.

use super::Hpa;
use super::cluster::Exit;
use super::graph::{Terminal, is_among};
use super::levels::RegionId;
use super::query::{HpaMemory, Refining};
use crate::grid::{Cell, Grid, Wanted, nearest_in_few_runs};
use crate::heuristic::{GridHeuristic, HeuristicKind};
use crate::hierarchy::local::{Flood, TIGHTENED_MIN, TIGHTENED_PER_EXPANSION, UNREACHED, unpack};
use crate::planner::{Session, nearest_known, report_cells};
use crate::search::{SearchObserver, TraceKind, Weight, push_ancestors};
use crate::space::NodeId;

/// Where the starts can reach at most so many runs of cells, the nearest of them is found by a flood.
const RUNS_MAX: usize = 512;

/// Follows the last node of a part of the abstract path that ends where a link begins.
const LINK: NodeId = NodeId(u32::MAX);

/// A hop of an abstract path, and the ends of its query.
struct Hop<'a> {
    starts: &'a [Terminal],
    goals: &'a [Terminal],
    /// Costs between them and the nodes of their clusters.
    costs: &'a [u32],
    from: NodeId,
    to: NodeId,
    from_cell: Cell,
    to_cell: Cell,
}

impl Hpa {
    /// Notes the nodes of the abstract path to a goal node; none of it is refined yet.
    pub(super) fn note_abstract_path(
        &self,
        session: &Session<'_, Cell>,
        own: &mut HpaMemory,
        goal: NodeId,
    ) {
        own.abstract_path.clear();
        push_ancestors(&session.work.forward.nodes, goal, &mut own.abstract_path);
        own.abstract_path.reverse();
        own.refined = 0;
        own.path.clear();
    }

    /// The node of the abstract path up to which it has at least so many steps.
    pub(super) fn leg_end(&self, own: &HpaMemory, steps: u32) -> usize {
        let HpaMemory { abstract_path, places, .. } = own;
        let mut done = 0;
        for (at, hop) in abstract_path.windows(2).enumerate() {
            let (dx, dy) = places.cell(hop[0]).offset(places.cell(hop[1]));
            done += dx.max(dy);
            // A leg that ended with a link might have no step.
            if done >= steps && !self.is_link_end(hop[1]) {
                return at + 1;
            }
        }
        abstract_path.len().saturating_sub(1)
    }

    /// Goes on refining the abstract path up to a node of it, for a slice. Returns whether its cells are at the end of
    /// the path.
    pub(super) fn refine_on<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &mut HpaMemory,
        (last, step): (usize, Refining),
        slice: u64,
        observer: &mut O,
    ) -> bool {
        let mut left = slice;
        let mut next = Some(step);
        while let Some(step) = next {
            if left == 0 {
                break;
            }
            next = match step {
                Refining::Unfold => {
                    self.begin_part(own, last);
                    left = left.saturating_sub(1 + own.points.len() as u64 / 8);
                    let alone = own.points.len() == 1;
                    if alone {
                        self.report_part(grid, TraceKind::Refine, own, observer);
                    }
                    (!alone).then_some(Refining::Fill)
                }
                Refining::Fill if !self.fill(grid, own, &mut left) => Some(step),
                Refining::Fill => {
                    self.report_part(grid, TraceKind::Refine, own, observer);
                    self.options.smooth.then_some(Refining::Pull)
                }
                Refining::Pull => {
                    let HpaMemory { smoother, cells, tightening, .. } = &mut *own;
                    let taut = smoother.go_on(grid, cells, &mut left);
                    let uneven = grid.uniform_cost().is_none();
                    match (taut, uneven) {
                        (false, _) => Some(step),
                        (true, false) => None,
                        (true, true) => {
                            let searched = session.run.statistics.expanded;
                            tightening.begin(TIGHTENED_MIN + TIGHTENED_PER_EXPANSION * searched);
                            Some(Refining::Tighten)
                        }
                    }
                }
                Refining::Tighten => {
                    let HpaMemory { tightening, cells, way, builder, .. } = &mut *own;
                    let flood = &mut builder.flood;
                    let done = tightening.go_on(grid, cells, way, flood, &mut left);
                    (!done).then_some(step)
                }
            };
        }
        session.count_beside((slice - left).max(1));
        if let Some(step) = next {
            own.refine_next(last, step);
            return false;
        }
        if self.options.smooth {
            self.report_part(grid, TraceKind::Smooth, own, observer);
        }
        // The first cell is the last of the part before, unless a link leads there.
        let joint = usize::from(!own.path.is_empty() && !self.begins_behind_link(own));
        own.path.extend_from_slice(&own.cells[joint..]);
        own.refined = own.link_end.unwrap_or(last);
        if own.link_end.is_some() {
            own.refine_next(last, Refining::Unfold);
            return false;
        }
        true
    }

    /// Lists the nodes of the next part of the abstract path: up to where a link begins, or to the last node.
    fn begin_part(&self, own: &mut HpaMemory, last: usize) {
        let HpaMemory { abstract_path, trail, link_end, refined, .. } = &mut *own;
        *link_end = (*refined + 1..=last).find(|&at| self.is_link_end(abstract_path[at]));
        let last = link_end.map_or(last, |at| at - 1);
        trail.clear();
        trail.extend_from_slice(&abstract_path[*refined..=last]);
        self.unfold(own);
        if let Some(begin) = own.link_end.and_then(|at| self.link_begin_of(own, at)) {
            own.chains[self.levels.len()].push(begin);
            if own.points.last() != Some(&begin) {
                own.trail.push(LINK);
                own.points.push(begin);
            }
        }
        own.hops_filled = 0;
        let HpaMemory { smoother, points, cells, .. } = own;
        smoother.begin_through(points, cells);
    }

    /// Whether the part that is being refined begins where a link ends.
    fn begins_behind_link(&self, own: &HpaMemory) -> bool {
        own.abstract_path.get(own.refined).is_some_and(|&at| self.is_link_end(at))
    }

    /// Reports the cells of the part that is being refined, with the link before it.
    fn report_part<O: SearchObserver>(
        &self,
        grid: &Grid,
        kind: TraceKind,
        own: &HpaMemory,
        observer: &mut O,
    ) {
        if let (Some(&before), Some(&first)) = (own.path.last(), own.cells.first())
            && O::ACTIVE
            && self.begins_behind_link(own)
        {
            report_cells(grid, kind, &[before, first], observer);
        }
        report_cells(grid, kind, &own.cells, observer);
    }

    fn is_link_end(&self, node: NodeId) -> bool {
        (self.layout.node_count()..self.first_end()).contains(&node.index())
    }

    /// The cell where the link begins that ends at a node of the abstract path.
    fn link_begin_of(&self, own: &HpaMemory, at: usize) -> Option<Cell> {
        let HpaMemory { abstract_path, starts, costs, places, .. } = own;
        let (from, end) = (abstract_path[at - 1], places.cell(abstract_path[at]));
        if let Some(start) = from.index().checked_sub(self.first_end()) {
            let Terminal { cluster, first, .. } = starts[start];
            let first = first + self.cluster(cluster).node_count();
            return self.link_begin(cluster, end, |begin| costs[first + usize::from(begin)]);
        }
        let (cluster, entry) = match from.index().checked_sub(self.layout.node_count()) {
            Some(entry) => {
                let (portal, end) = self.portals.entry(entry);
                (portal.id, self.cluster(portal.id).node_count() + end)
            }
            None => (self.layout.cluster_of_node(from), self.layout.index_of_node(from)),
        };
        let gates = &self.portals.of(cluster)?.gates;
        self.link_begin(cluster, end, |begin| gates.cost_to_begin(begin, entry))
    }

    /// Replaces the links of regions in the trail by those of the clusters, and notes where its nodes lie.
    fn unfold(&self, own: &mut HpaMemory) {
        let HpaMemory { trail, points, unfolded, regions, places, ends, chains, .. } = own;
        chains.resize_with(self.levels.len() + 1, Vec::new);
        let first_end = self.layout.node_count();
        let inner = |node: NodeId| node.index() < first_end;
        let cell = |node| if inner(node) { self.cell_of_node(node) } else { places.cell(node) };
        for (height, chain) in (1..=self.levels.len()).rev().zip(&mut *chains) {
            chain.extend(trail.iter().map(|&node| cell(node)));
            unfolded.clear();
            unfolded.extend(trail.first());
            for hop in trail.windows(2) {
                let (from, to) = (hop[0], hop[1]);
                let around = |node| {
                    RegionId::around(&self.layout, self.layout.cluster_of_node(node), height)
                };
                // A link of a region leads out of it, and there is neither start nor goal nor link in it.
                let of_region = inner(from)
                    && inner(to)
                    && around(from) != around(to)
                    && !is_among(ends, &around(from));
                if of_region {
                    regions.unfold(self.graph(), around(from), from, to, unfolded);
                } else {
                    unfolded.push(to);
                }
            }
            std::mem::swap(trail, unfolded);
        }
        points.clear();
        points.extend(trail.iter().map(|&node| cell(node)));
        chains[self.levels.len()].extend_from_slice(points);
    }

    pub(super) fn cell_of_node(&self, node: NodeId) -> Cell {
        let id = self.layout.cluster_of_node(node);
        self.cluster(id).cell(&self.layout.block(id), self.layout.index_of_node(node))
    }

    /// Goes on writing the cells of the trail: as they are, or where points see each other straight. Returns whether
    /// all are written.
    fn fill(&self, grid: &Grid, own: &mut HpaMemory, left: &mut u64) -> bool {
        let HpaMemory { starts, goals, costs, trail, points, cells, builder, .. } = own;
        let HpaMemory { smoother, hops_filled, .. } = own;
        let mut fill = |hop: usize, cells: &mut Vec<Cell>| {
            let (from, to) = (trail[hop], trail[hop + 1]);
            let (from_cell, to_cell) = (points[hop], points[hop + 1]);
            let hop = Hop { starts, goals, costs, from, to, from_cell, to_cell };
            self.fill_hop(grid, hop, &mut builder.flood, cells);
            1
        };
        if self.options.smooth {
            return smoother.go_on_through(grid, points, fill, cells, left);
        }
        while *hops_filled + 1 < points.len() && *left > 0 {
            let begin = cells.len();
            fill(*hops_filled, cells);
            *hops_filled += 1;
            *left = left.saturating_sub(1 + (cells.len() - begin) as u64 / 16);
        }
        *hops_filled + 1 >= points.len()
    }

    /// Writes the cells that follow the first one of a hop of the abstract path.
    fn fill_hop(&self, grid: &Grid, ends: Hop<'_>, flood: &mut Flood, cells: &mut Vec<Cell>) {
        let Hop { starts, goals, costs, from, to, from_cell, to_cell } = ends;
        let first = self.first_end();
        let start = from.index().checked_sub(first).map(|index| &starts[index]);
        let linked = self.is_link_end(from);
        let id = match start {
            Some(start) => start.cluster,
            None if linked => self.layout.cluster_of(from_cell),
            None => self.layout.cluster_of_node(from),
        };
        let (cluster, block) = (self.cluster(id), self.layout.block(id));
        let node = self.layout.index_of_node(from);
        if to == LINK || to.index() >= first + starts.len() {
            let goal = match to {
                LINK => to_cell,
                _ => goals[to.index() - first - starts.len()].cell,
            };
            let begin = cells.len();
            let directed = grid.is_shaped() && !cluster.is_open();
            if start.is_some() || directed || linked || to == LINK {
                let Some(board) = grid.board_of(from_cell) else { return };
                flood.enter(grid, board, &block);
                flood.run(grid, block.local(from_cell));
                flood.trace(&block, goal, cells);
                cells.remove(begin);
            } else {
                // The table leads to nodes: from the goal to the node, then the other way round.
                cells.push(goal);
                cluster.walk(grid, &block, goal, node, |cell, _| cells.push(cell));
                cells.pop();
                cells[begin..].reverse();
            }
            return;
        }
        let row = match start {
            Some(start) => &costs[start.first..][..cluster.node_count()],
            None if linked => {
                let (portal, end) = self.portals.entry(from.index() - self.layout.node_count());
                portal.gates.costs_from_end(end)
            }
            None => cluster.costs_from(node),
        };
        let next = self.layout.cluster_of_node(to);
        let entry = self.layout.border_cell(next, &self.layout.block(next), to_cell);
        let price = |exit: &&Exit| unpack(row[usize::from(exit.node)]) + u64::from(exit.cost);
        let can_be_taken = |exit: &&Exit| exit.target == entry && exit.cost != UNREACHED;
        let exits = cluster.exits().iter().filter(can_be_taken);
        let Some(exit) = exits.min_by_key(price) else { return };
        cluster.walk(grid, &block, from_cell, usize::from(exit.node), |cell, _| cells.push(cell));
        cells.push(to_cell);
    }

    /// The cell, among those that the starts can reach, that lies nearest to a goal, where that is quickly found:
    /// by the grid's connected parts, in the starts' own clusters, or in a small part of the map. Otherwise frames around the goals are to be looked
    /// at.
    pub(super) fn nearest_at_hand(
        &self,
        grid: &Grid,
        session: &Session<'_, Cell>,
        own: &mut HpaMemory,
    ) -> Option<Cell> {
        let (starts, goals) = (&*session.starts, &*session.goals);
        let HpaMemory { builder, parts, nearest, frames, descent, .. } = own;
        if grid.is_shaped() {
            nearest.begin(grid);
            return None;
        }
        if let Some(known) = nearest_known(grid, starts, goals, descent) {
            return Some(known);
        }
        let measure = GridHeuristic::new(grid, HeuristicKind::Zero, Weight::ONE, goals);
        let mut best = (measure.remoteness_of(starts[0]), starts[0]);
        // A start that is cut off inside its cluster reaches cells of that alone.
        for &start in starts.iter().filter(|&&start| self.part_of(start).is_none()) {
            let block = self.layout.block(self.layout.cluster_of(start));
            let Some(board) = grid.board_of(start) else { continue };
            builder.flood.enter(grid, board, &block);
            builder.flood.run(grid, block.local(start));
            for local in (0..block.cell_count()).filter(|&at| builder.flood.cost(at) != UNREACHED) {
                best = best.min((measure.remoteness_of(block.cell(local)), block.cell(local)));
            }
        }
        if parts.is_empty() {
            return Some(best.1);
        }
        frames.begin(best.1);
        let rank = |cell: Cell| (measure.remoteness_of(cell), cell);
        nearest_in_few_runs(grid, starts, goals, rank, RUNS_MAX, nearest)
    }

    /// The same where it is not: looks at ever larger squares around the goals, as far as `left` goes. Where steps may lead one
    /// way, floods the map from the starts instead.
    pub(super) fn nearest_in_frames(
        &self,
        grid: &Grid,
        session: &Session<'_, Cell>,
        own: &mut HpaMemory,
        left: &mut u64,
    ) -> Option<Cell> {
        let HpaMemory { parts, frames, nearest, .. } = own;
        let (starts, goals) = (&session.starts[..], &session.goals[..]);
        let measure = GridHeuristic::new(grid, HeuristicKind::Zero, Weight::ONE, goals);
        if grid.is_shaped() {
            let rank = |cell: Cell| (measure.remoteness_of(cell), cell);
            return nearest.go_on(grid, starts, goals, rank, left);
        }
        let wanted = Wanted {
            starts,
            goals,
            rank: |cell: Cell| (measure.remoteness_of(cell), cell),
            least: |radius| (measure.remoteness_at(radius), Cell::new(0, 0)),
            is_reached: |cell| self.part_of(cell).is_some_and(|part| parts.contains(&part)),
        };
        frames.go_on(grid, &wanted, left)
    }
}
