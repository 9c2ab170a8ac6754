//! Checking every invariant, slowly and by other means than those that established them.

use super::Hpa;
use super::layout::ClusterId;
use crate::grid::{Cell, Direction, Grid};
use crate::hierarchy::local::{CellBox, UNREACHED, pack};
use crate::planner::Fault;

impl Hpa {
    /// Checks that each cluster's costs and tables are exact, that neighbours agree on their transitions,
    /// and that the whole equals one built afresh.
    ///
    /// Costs are proven, not measured again: each table's ways must be walkable, and no step inside the
    /// cluster may lead to a cell more cheaply than the table does.
    pub(super) fn check(&self, grid: &Grid) -> Result<(), Fault> {
        if self.grid != grid.edition() {
            return Err(Fault::new("it describes another edition of the grid"));
        }
        let mut costs = Vec::new();
        for id in (0..self.clusters.len() as u32).map(ClusterId) {
            let (cluster, block) = (self.cluster(id), self.layout.block(id));
            let fault = |problem: &str| Fault::new(problem).near(block.origin);
            for exit in cluster.exits() {
                let (next, number) = (
                    self.layout.cluster_of_border(exit.target),
                    self.layout.number_in_cluster(exit.target),
                );
                let own = cluster.cell(&block, usize::from(exit.node));
                let back = self.cluster(next).exits().iter().find(|back| {
                    Some(usize::from(back.node)) == self.cluster(next).node_at(number)
                        && back.target == self.layout.border_cell(id, &block, own)
                });
                let to = self.cluster(next).node_at(number);
                let to = to.map(|to| self.cluster(next).cell(&self.layout.block(next), to));
                let costs = to.map(|to| [(own, to), (to, own)].map(|(a, b)| step(grid, a, b)));
                if back.is_none_or(|back| Some([exit.cost, back.cost]) != costs) {
                    return Err(fault("an exit has no equal on the other side"));
                }
            }
            for node in 0..cluster.node_count() {
                self.measure_ways(grid, id, node, &mut costs).map_err(|problem| fault(&problem))?;
                check_no_cheaper(grid, &block, &costs).map_err(|problem| fault(&problem))?;
                for from in 0..cluster.node_count() {
                    let measured = costs[block.local(cluster.cell(&block, from))];
                    if measured.map_or(UNREACHED, pack) != cluster.costs_from(from)[node] {
                        return Err(fault("a cost between two nodes is not that of the way"));
                    }
                }
            }
        }
        let afresh =
            Self::build(grid, self.options).map_err(|error| Fault::new(&error.to_string()))?;
        let differing = self.clusters.iter().zip(afresh.clusters.iter()).position(|(a, b)| a != b);
        if let Some(cluster) = differing {
            let block = self.layout.block(ClusterId(cluster as u32));
            return Err(Fault::new("a cluster differs from one built afresh").near(block.origin));
        }
        for (what, same) in [
            ("links differ from those built afresh", self.links == afresh.links),
            ("levels differ from those built afresh", self.levels == afresh.levels),
            ("reachability differs from that built afresh", self.reach == afresh.reach),
            ("ways to links differ from those built afresh", self.portals == afresh.portals),
        ] {
            if !same {
                return Err(Fault::new(what));
            }
        }
        Ok(())
    }

    /// The cost of each cell's way to a node, by walking; `None` where there is none.
    fn measure_ways(
        &self,
        grid: &Grid,
        id: ClusterId,
        node: usize,
        costs: &mut Vec<Option<u64>>,
    ) -> Result<(), String> {
        let (cluster, block) = (self.cluster(id), self.layout.block(id));
        costs.clear();
        for local in 0..block.cell_count() {
            let cell = block.cell(local);
            let here = grid.domain_of(cell).is_some()
                && grid.domain_of(cell) == grid.domain_of(cluster.cell(&block, node))
                && cluster.reaches(&block, cell, node);
            if !here {
                costs.push(None);
                continue;
            }
            let (mut at, mut cost, mut wrong) = (cell, 0u64, false);
            cluster.walk(grid, &block, cell, node, |next, _| {
                let step = grid.walking_cost(at, next);
                wrong |= step.is_none() || !block.contains(next);
                cost += u64::from(step.unwrap_or(0));
                at = next;
            });
            if wrong || at != cluster.cell(&block, node) {
                return Err(format!("the way from {cell} to a transition cannot be walked"));
            }
            costs.push(Some(cost));
        }
        Ok(())
    }
}

/// What a step costs as exits have it.
fn step(grid: &Grid, from: Cell, to: Cell) -> u32 {
    grid.walking_cost(from, to).unwrap_or(UNREACHED)
}

/// Whether no step between two cells of a block makes the way from the first of them cheaper.
fn check_no_cheaper(grid: &Grid, block: &CellBox, costs: &[Option<u64>]) -> Result<(), String> {
    for (local, cost) in costs.iter().enumerate() {
        let cell = block.cell(local);
        for direction in Direction::ALL {
            let (dx, dy) = direction.delta();
            let to = Cell::new(cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy));
            let Some(step) = grid.walking_cost(cell, to).filter(|_| block.contains(to)) else {
                continue;
            };
            let Some(beyond) = costs[block.local(to)] else { continue };
            if cost.is_none_or(|known| known > beyond + u64::from(step)) {
                return Err(format!("a cheaper way leads over {cell} to {to}"));
            }
        }
    }
    Ok(())
}
