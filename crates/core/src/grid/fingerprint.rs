//! A number that distinguishes grids by what they are, not by when they were made: what saved indexes are
//! checked by.

use super::Grid;
use crate::environment::StableHash;

impl Grid {
    /// A hash of everything that decides which paths there are and what they cost: the map, the
    /// profile, the rule, the step costs and the surcharges. Revisions play no part.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = StableHash::new();
        let extent = self.extent();
        hash.mix(u64::from(extent.width()) << 32 | u64::from(extent.height()));
        let movement = self.movement();
        hash.mix(movement.rule() as u64);
        let steps = movement.steps();
        hash.mix(u64::from(steps.straight()) << 32 | u64::from(steps.diagonal()));
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
        hash.value()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Batch, CellRect, Grid, Movement, MovementRule, Profile, StepCosts, Terrain};

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
        let swampy = profile().cost(Terrain::SWAMP, 2).unwrap();
        assert_ne!(under(swampy, rule, StepCosts::EXACT), plain);
        assert_ne!(under(profile().forbid(Terrain::SWAMP), rule, StepCosts::EXACT), plain);
    }
}
