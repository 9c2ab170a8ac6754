//! A number that distinguishes grids by what they are, not by when they were made: what saved indexes are
//! checked by.

use super::{Grid, PaidCells, Slopes};
use crate::environment::StableHash;

impl Grid {
    /// A hash of everything that decides which paths there are and what they cost: the map, the
    /// profile, the rule, the step costs, which cells pay for them, the surcharges, borders, heights, slopes and links. Revisions play no part.
    ///
    /// The same on every machine. O(cells).
    ///
    /// ```
    /// use highroad::Terrain;
    /// use highroad::grid::{Batch, Grid};
    /// let mut grid = Grid::with_defaults("...\n".parse()?);
    /// let before = grid.fingerprint();
    /// let changes = grid.apply(Batch::new().set((1, 0), Terrain::SWAMP))?;
    /// assert_ne!(grid.fingerprint(), before);
    /// grid.apply(&Batch::undoing(&changes))?;
    /// assert_eq!(grid.fingerprint(), before, "though the revision is another");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fingerprint(&self) -> u64 {
        let mut hash = StableHash::new();
        let extent = self.extent();
        hash.mix(u64::from(extent.width()) << 32 | u64::from(extent.height()));
        let movement = self.movement();
        hash.mix(movement.rule() as u64);
        let steps = movement.steps();
        hash.mix(u64::from(steps.straight()) << 32 | u64::from(steps.diagonal()));
        if movement.paid_cells() != PaidCells::Both {
            hash.mix(movement.paid_cells() as u64);
        }
        let footprint = movement.footprint();
        if !footprint.is_cell() {
            hash.mix(u64::from(footprint.size()) << 32 | footprint.cost() as u64);
        }
        let slopes = movement.slopes();
        if slopes != Slopes::new() {
            hash.mix(u64::from(slopes.climb_max()) << 16 | u64::from(slopes.drop_max()));
            hash.mix(u64::from(slopes.uphill()) << 16 | u64::from(slopes.downhill()));
        }
        for terrain in self.map().terrains() {
            let profile = movement.profile();
            let domain =
                profile.domain_of(terrain).map_or(u64::MAX, |domain| domain.index() as u64);
            hash.mix(domain << 32 | u64::from(terrain.letter()) << 16);
            hash.mix(u64::from(profile.raw_cost(terrain)));
        }
        let mut row = Vec::with_capacity(extent.width() as usize);
        for y in 0..extent.height() {
            row.clear();
            self.map().row_runs(y).for_each(|run| row.extend_from_slice(run));
            hash.mix_bytes(&row);
        }
        if self.has_surcharges() {
            let ids = (0..extent.cell_count() as u32).map(super::CellId);
            ids.for_each(|id| hash.mix(u64::from(self.surcharge_at(id))));
        }
        let relief = self.map().relief();
        if !relief.is_flat() {
            let ids = (0..extent.cell_count() as u32).map(super::CellId);
            let of = |id| u64::from(relief.heights.at(id)) << 8 | u64::from(relief.borders.at(id));
            ids.for_each(|id| hash.mix(of(id)));
        }
        for link in self.map().link_list() {
            let cell = |cell: super::Cell| u64::from(cell.x) << 32 | u64::from(cell.y);
            hash.mix(cell(link.from));
            hash.mix(cell(link.to));
            hash.mix(u64::from(link.cost) << 32 | u64::from(link.both_ways) << 16);
            hash.mix(link.kind.map_or(u64::MAX, |kind| kind.index() as u64));
        }
        hash.value()
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Batch, Border, CellRect, Grid, Movement, MovementRule, Profile, StepCosts, Terrain,
    };

    #[test]
    fn what_matters_changes_it_and_what_does_not_leaves_it() {
        let grid = || Grid::with_defaults("..S.\n.#..\n".parse().unwrap());
        let plain = grid().fingerprint();
        let mut changed = grid();
        let mut edit = |describe: &dyn Fn(&mut Batch)| {
            let mut batch = Batch::new();
            describe(&mut batch);
            changed.apply(&batch).unwrap();
            changed.fingerprint()
        };
        let walled = edit(&|batch| _ = batch.set((3, 1), Terrain::WALL));
        assert_ne!(walled, plain);
        let costly = edit(&|batch| _ = batch.surcharge(CellRect::new((0, 0), (0, 0)), 7));
        assert_ne!(costly, walled);
        edit(&|batch| _ = batch.surcharge(CellRect::new((0, 0), (0, 0)), 0));
        let divided = edit(&|batch| _ = batch.border((1, 0), (2, 0), Border::Closed));
        assert_ne!(divided, walled);
        let one_way = edit(&|batch| _ = batch.border((1, 0), (2, 0), Border::OneWay));
        assert_ne!(one_way, divided);
        edit(&|batch| _ = batch.border((1, 0), (2, 0), Border::Open));
        let raised = edit(&|batch| _ = batch.height(CellRect::new((0, 0), (0, 0)), 7));
        assert_ne!(raised, walled);
        edit(&|batch| _ = batch.height(CellRect::new((0, 0), (0, 0)), 0));
        let back = edit(&|batch| _ = batch.set((3, 1), Terrain::GROUND));
        assert_eq!(back, plain, "revisions play no part");
        let under = |profile: Profile, rule, steps| {
            let movement = Movement::new(profile, rule, steps).unwrap();
            Grid::new("..S.\n.#..\n".parse().unwrap(), movement).fingerprint()
        };
        let (profile, rule) = (Profile::movingai, MovementRule::NeverCutCorners);
        assert_eq!(under(profile(), rule, StepCosts::EXACT), plain);
        assert_ne!(under(profile(), MovementRule::FourWay, StepCosts::EXACT), plain);
        assert_ne!(under(profile(), rule, StepCosts::THESIS), plain);
        let swampy = profile().with_cost(Terrain::SWAMP, 2).unwrap();
        assert_ne!(under(swampy, rule, StepCosts::EXACT), plain);
        assert_ne!(under(profile().without(Terrain::SWAMP), rule, StepCosts::EXACT), plain);
        let entered = Movement::default().with_paid_cells(crate::PaidCells::Entered);
        assert_ne!(Grid::new("..S.\n.#..\n".parse().unwrap(), entered).fingerprint(), plain);
        let steep = Movement::default().with_slopes(crate::Slopes::new().with_uphill(5)).unwrap();
        assert_ne!(Grid::new("..S.\n.#..\n".parse().unwrap(), steep).fingerprint(), plain);
        let wide = Movement::default().with_footprint(crate::Footprint::new(2).unwrap());
        assert_ne!(Grid::new("..S.\n.#..\n".parse().unwrap(), wide).fingerprint(), plain);
    }
}
