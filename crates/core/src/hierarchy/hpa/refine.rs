//! From the abstract path to cells; and which cell is nearest when there is no path.

use super::Hpa;
use super::cluster::Exit;
use super::flood::UNREACHED;
use super::query::HpaScratch;
use crate::grid::{Cell, Grid};
use crate::search::{GridHeuristic, HeuristicKind, Scratch, Weight};
use crate::space::NodeId;

impl Hpa {
    /// Writes the cells of the way to a goal node.
    pub(super) fn refine(&self, grid: &Grid, scratch: &mut Scratch, goal: NodeId) {
        let Scratch { forward, hpa, .. } = scratch;
        let HpaScratch { starts, goals, costs, cells, trail, builder, places, .. } = hpa;
        trail.clear();
        let mut at = goal;
        loop {
            trail.push(at);
            let parent = forward.nodes.parent(at);
            if parent == at {
                break;
            }
            at = parent;
        }
        trail.reverse();
        cells.clear();
        let first = self.layout.node_count();
        for hop in trail.windows(2) {
            let (from, to) = (hop[0], hop[1]);
            let start = from.index().checked_sub(first).map(|index| starts[index]);
            let (id, cell) = match start {
                Some(start) => (start.cluster, start.cell),
                None => (self.layout.cluster_of_node(from), places.cell(from)),
            };
            let (cluster, frame) = (self.cluster(id), self.layout.frame(id));
            let node = self.layout.index_of_node(from);
            if start.is_some() {
                cells.push(cell);
            }
            if let Some(index) = to.index().checked_sub(first + starts.len()) {
                let goal = goals[index].cell;
                if start.is_some() {
                    let Some(board) = grid.board_of(cell) else { return };
                    builder.flood.enter(grid, board, &frame);
                    builder.flood.run(grid, frame.local(cell));
                    cells.pop();
                    builder.flood.trace(&frame, goal, cells);
                } else {
                    // The table leads to nodes: from the goal to the node, then the other way round.
                    let turn = cells.len();
                    cells.push(goal);
                    cluster.walk(grid, &frame, goal, node, |cell, _| cells.push(cell));
                    cells.pop();
                    cells[turn..].reverse();
                }
                continue;
            }
            let row = match start {
                Some(start) => &costs[start.first..][..cluster.node_count()],
                None => cluster.costs_from(node),
            };
            let price = |exit: &&Exit| row[usize::from(exit.node)].saturating_add(exit.cost);
            let next = self.layout.cluster_of_node(to);
            let next_frame = self.layout.frame(next);
            let entry = self.layout.border_cell(next, &next_frame, places.cell(to));
            let exits = cluster.exits().iter().filter(|exit| exit.target == entry);
            let Some(exit) = exits.min_by_key(price) else { return };
            cluster.walk(grid, &frame, cell, usize::from(exit.node), |cell, _| cells.push(cell));
            cells.push(places.cell(to));
        }
    }

    /// The cell, among those that the starts can reach, that lies nearest to a goal: looks at the starts'
    /// own clusters, then at ever larger squares around the goals.
    pub(super) fn nearest_cell(&self, grid: &Grid, scratch: &mut Scratch) -> Cell {
        let Scratch { hpa, starts, goals, .. } = scratch;
        let HpaScratch { builder, parts, .. } = hpa;
        let measure = GridHeuristic::new(grid, HeuristicKind::Zero, Weight::ONE, goals);
        let mut best = (measure.remoteness_of(starts[0]), starts[0]);
        for &start in &*starts {
            let frame = self.layout.frame(self.layout.cluster_of(start));
            let Some(board) = grid.board_of(start) else { continue };
            builder.flood.enter(grid, board, &frame);
            builder.flood.run(grid, frame.local(start));
            for local in (0..frame.cell_count()).filter(|&at| builder.flood.cost(at) != UNREACHED) {
                best = best.min((measure.remoteness_of(frame.cell(local)), frame.cell(local)));
            }
        }
        let reached = |cell| self.part_of(cell).is_some_and(|part| parts.contains(&part));
        let extent = grid.extent();
        for radius in 0..extent.width().max(extent.height()) {
            if parts.is_empty() || measure.remoteness_at(radius) > best.0 {
                break;
            }
            for &goal in &*goals {
                for cell in ring(goal, radius).filter(|&cell| grid.is_enterable(cell)) {
                    let candidate = (measure.remoteness_of(cell), cell);
                    if candidate < best && reached(cell) {
                        best = candidate;
                    }
                }
            }
        }
        best.1
    }
}

/// The cells at a distance of `radius` columns or rows, also outside the map.
fn ring(middle: Cell, radius: u32) -> impl Iterator<Item = Cell> {
    let radius = radius as i32;
    let at = move |dx: i32, dy: i32| {
        Cell::new(middle.x.wrapping_add_signed(dx), middle.y.wrapping_add_signed(dy))
    };
    let rows = (-radius..=radius).flat_map(move |dx| [at(dx, -radius), at(dx, radius)]);
    let columns = (1 - radius..radius).flat_map(move |dy| [at(-radius, dy), at(radius, dy)]);
    rows.chain(columns)
}
