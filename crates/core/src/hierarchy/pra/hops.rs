//! The links of the map as searches on a layer see them: ways from group to group, with what they cost there.
//!
//! Links are few, and lie in no list of a layer with their costs: which groups they join follows from the cells where they
//! begin and end. The list is made when a search begins, and kept for the next one on the same layer.

use super::Pra;
use super::layer::{Cells, Graph, Joint, LayerPoint};
use super::search::{Measure, Quest};
use crate::grid::{Cell, Grid};

/// The cheapest link from one group to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LayerHop {
    from: u32,
    to: u32,
    /// What it costs from middle to middle, and what the link alone does, in the layer's unit.
    cost: u32,
    link_cost: u32,
    pub(super) begin: Cell,
    pub(super) end: Cell,
}

/// The most that a hop counts; more than any way of steps.
const COST_MAX: u64 = 1 << 31;

/// What the link between two groups costs, in a sorted list; `None` if there is none.
pub(super) fn cost_of_hop(hops: &[LayerHop], from: u32, to: u32) -> Option<u32> {
    find(hops, from, to).map(|hop| hop.cost)
}

fn find(hops: &[LayerHop], from: u32, to: u32) -> Option<&LayerHop> {
    let at = hops.binary_search_by_key(&(from, to), |hop| (hop.from, hop.to)).ok()?;
    hops.get(at)
}

impl Pra {
    /// Lists the links of a quest's layer, unless they are listed. Returns what a way by one of them is estimated at, at least.
    pub(super) fn find_hops(&self, grid: &Grid, quest: &mut Quest) -> u64 {
        if !quest.by_links || !grid.has_links() {
            quest.hops.clear();
            quest.hops_of = None;
            return u64::MAX;
        }
        let measure = Measure::new(grid);
        if quest.hops_of != Some((self.own, quest.layer)) {
            quest.hops_of = Some((self.own, quest.layer));
            self.list_hops(grid, quest.layer, measure, &mut quest.hops);
        }
        let aims = || quest.aims.iter().map(|&aim| LayerPoint::of_cell(aim, 0));
        let rest = |end: Cell| {
            let end = LayerPoint::of_cell(end, 0);
            aims().map(|aim| measure.estimate(end, aim)).min().unwrap_or(0)
        };
        let least = |hop: &LayerHop| u64::from(hop.link_cost) + rest(hop.end);
        quest.hops.iter().map(least).min().unwrap_or(u64::MAX)
    }

    fn list_hops(&self, grid: &Grid, layer: usize, measure: Measure, hops: &mut Vec<LayerHop>) {
        let (unit, parts) = self.unit(grid);
        let places = &self.layers[layer - 1].places;
        let cells = Cells::new(grid);
        let point = |cell: Cell| cells.place(self.extent.id_inside(cell).0);
        // Both ends may lie in one group that nothing leads out of, and that has nothing above it.
        let group = |cell: Cell| self.ancestor_if_any(self.extent.id_inside(cell).0, layer);
        hops.clear();
        hops.extend(grid.usable_links().filter_map(|(begin, end, cost)| {
            let (from, to) = group(begin).zip(group(end)).filter(|(from, to)| from != to)?;
            let link_cost = (u64::from(cost) * parts / unit.max(1)).min(COST_MAX);
            let there = measure.between(places[from as usize], point(begin));
            let onwards = measure.between(point(end), places[to as usize]);
            let cost = link_cost + u64::from(there) + u64::from(onwards);
            let (cost, link_cost) = (cost.min(COST_MAX) as u32, link_cost as u32);
            Some(LayerHop { from, to, cost, link_cost, begin, end })
        }));
        // Of several between the same groups the cheapest counts.
        hops.sort_unstable();
        hops.dedup_by_key(|hop| (hop.from, hop.to));
    }

    /// The link by which a search has gone from one node of its layer to another; `None` where it went by steps.
    pub(super) fn hop_between(
        &self,
        grid: &Grid,
        quest: &Quest,
        from: u32,
        to: u32,
    ) -> Option<LayerHop> {
        let hop = find(&quest.hops, from, to)?;
        let layer = &self.layers[quest.layer - 1];
        let walks = [Joint::BothWays, Joint::Onwards];
        let walks = walks.into_iter().any(|joint| layer.joined(joint, from).contains(&to));
        let [own, other] = [from, to].map(|node| layer.places[node as usize]);
        (!walks || hop.cost < Measure::new(grid).between(own, other)).then_some(*hop)
    }
}
