//! Where agents larger than a cell can stand, and what that costs, kept in step with the map.

use super::footprint::{PlaceCosts, Run, places_over, visit_places};
use super::{Cell, CellRect, Change, Footing, Grid};

impl Grid {
    /// Finds what all places cost agents larger than a cell.
    pub(super) fn price_places(&mut self) {
        let (extent, footprint) = (self.extent(), self.movement.footprint());
        let base = u32::from(self.movement.profile().cost_min());
        let mut costs = PlaceCosts::new(base);
        let cells = self.ground.map.terrains();
        let mut cells = cells.filter_map(|terrain| self.movement.profile().cost_of(terrain));
        let all_cost_base = cells.all(|cost| u32::from(cost) == base);
        if all_cost_base && !self.has_surcharges() {
            let places = self.boards.iter().map(|board| board.count(extent)).sum();
            costs.count(None, Some(base), places);
        } else {
            for y in 0..extent.height() {
                let row = Run { y, first: 0, last: extent.width() - 1 };
                visit_places(
                    footprint,
                    row,
                    |cell| self.ground_footing(cell),
                    |cell, footing| {
                        let cost = footing.map(|footing| footing.cost);
                        costs.set(extent.cell_count(), extent.id_inside(cell), None, cost);
                    },
                );
            }
        }
        self.place_costs = Some(costs);
        self.has_own_costs = true;
    }

    /// Keeps bits and costs of places in step with the cells that have just changed. Returns the places that differ.
    pub(super) fn follow_places(&mut self, changes: &[Change]) -> Vec<CellRect> {
        let (extent, footprint) = (self.extent(), self.movement.footprint());
        let concerning = changes.iter().filter(|change| self.is_concerned_by(change));
        let mut rects: Vec<CellRect> = Vec::new();
        let mut differing: Vec<(Cell, Option<Footing>)> = Vec::new();
        for run in places_over(footprint, concerning.map(|change| change.rect)) {
            visit_places(
                footprint,
                run,
                |cell| self.ground_footing(cell),
                |cell, footing| {
                    if self.footing(cell) != footing {
                        differing.push((cell, footing));
                    }
                },
            );
            for (cell, after) in differing.drain(..) {
                let before = self.footing(cell);
                let [old, new] =
                    [before, after].map(|footing| footing.map(|footing| footing.domain));
                if old != new {
                    old.into_iter().for_each(|domain| self.set_bit(domain, cell, false));
                    new.into_iter().for_each(|domain| self.set_bit(domain, cell, true));
                }
                let [old, new] = [before, after].map(|footing| footing.map(|footing| footing.cost));
                if let Some(costs) = &mut self.place_costs {
                    costs.set(extent.cell_count(), extent.id_inside(cell), old, new);
                }
                match rects.last_mut() {
                    Some(last) if (last.max().x + 1, last.max().y) == (cell.x, cell.y) => {
                        *last = CellRect::new(last.min(), cell);
                    }
                    _ => rects.push(cell.into()),
                }
            }
        }
        rects
    }
}
