//! Random situations: mixed terrain, surcharges, several starts and goals, all rules and all pairs of step costs.

use crate::situation::Situation;
use highroad_core::{
    Batch, Cell, CellRect, Domain, GridMap, MovementRule, PaidCells, Profile, StepCosts, Terrain,
};
use std::collections::BTreeMap;

/// Numbers that follow from a seed and are the same on every machine: splitmix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number, below an end that is above 0.
    pub fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % u64::from(end)) as u32
    }

    /// One of some values.
    pub fn pick<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u32) as usize].clone()
    }

    /// One value in three out of four cases, two or three otherwise.
    pub(crate) fn pick_ends<T: Clone>(&mut self, values: &[T]) -> Vec<T> {
        let count = if self.below(4) < 3 { 1 } else { 2 + self.below(2) };
        (0..count).map(|_| self.pick(values)).collect()
    }

    /// Sizes of slices, at least one of which is not zero.
    pub(crate) fn slices(&mut self) -> Vec<u64> {
        let mut slices: Vec<u64> =
            (0..self.below(6)).map(|_| self.pick(&[0, 1, 2, 3, 10, 100])).collect();
        slices.push(1);
        slices
    }
}

/// A kind of map: its letters besides walls, and what they mean to the agent.
type Mixture = (&'static [u8], Profile);

fn terrain(letter: u8) -> Terrain {
    Terrain::from_letter(letter).expect("a terrain's letter")
}

fn mixtures() -> [Mixture; 7] {
    let cost = |profile: Profile, letter: u8, cost: u16| {
        profile.with_cost(terrain(letter), cost).expect("costs begin at 1")
    };
    let swampy = cost(Profile::movingai(), b'S', 4);
    let weighted = [(b'A', 1), (b'B', 2), (b'E', 5), (b'P', 16)]
        .into_iter()
        .fold(swampy.clone(), |profile, (letter, price)| cost(profile, letter, price));
    // Swamp and water are domains of their own, and `B` is water.
    let swamp_domain = Domain::new(3).expect("there are four domains");
    let parted = weighted
        .clone()
        .with_domain(Terrain::SWAMP, swamp_domain)
        .with_domain(terrain(b'B'), Domain::WATER);
    let costly = cost(weighted.clone(), b'P', 900);
    [
        (b".", Profile::movingai()),
        (b"....SSWW", swampy),
        (b"..ABEP", weighted.clone()),
        (b"...SSWWABEP", weighted),
        (b"...SSWWABEP", parted),
        (b"..BP", costly),
        (b"SP", Profile::weighted()),
    ]
}

impl Situation {
    /// A random situation on a map of at most so many columns and rows, whose starts and goals agents may stand on.
    pub fn random(random: &mut Random, side_max: u32) -> Self {
        let (width, height) = (1 + random.below(side_max), 1 + random.below(side_max));
        let (letters, profile) = random.pick(&mixtures());
        let wall_percent = random.pick(&[0, 10, 25, 40, 60]);
        let mut map = GridMap::from_fn(width, height, |_| {
            let wall = random.below(100) < wall_percent;
            terrain(if wall { b'@' } else { random.pick(letters) })
        })
        .expect("the sides are small");
        if map.terrains().all(|at| profile.cost_of(at).is_none()) {
            map.set(Cell::new(0, 0), Terrain::GROUND);
        }
        let all: Vec<Cell> = map.extent().cells().collect();
        let may_stand =
            |at: &Cell| map.terrain(*at).is_some_and(|at| profile.cost_of(at).is_some());
        let free: Vec<Cell> = all.iter().copied().filter(may_stand).collect();
        let surcharged = if random.below(2) == 0 { 0 } else { 1 + random.below(11) };
        // Amounts on both sides of what a bucket queue spans.
        let mut surcharge = |_| (random.pick(&all), random.pick(&[1, 3, 30, 2000, u16::MAX]));
        let surcharges: BTreeMap<Cell, u16> = (0..surcharged).map(&mut surcharge).collect();
        let steps = random.pick(&[StepCosts::EXACT, StepCosts::THESIS, StepCosts::UNIT]);
        let rule = random.pick(&MovementRule::ALL);
        let (starts, goals) = (random.pick_ends(&free), random.pick_ends(&free));
        let paid = random.pick(&[PaidCells::Both, PaidCells::Both, PaidCells::Entered]);
        Self { map, profile, rule, steps, paid, surcharges, starts, goals }
    }

    /// A random batch of edits, which leaves the terrain of starts and goals alone. It is made in this situation, and
    /// returned to be applied to a grid.
    pub fn random_edits(&mut self, random: &mut Random) -> Batch {
        let cells: Vec<Cell> = self.map.extent().cells().collect();
        let paints =
            [Terrain::GROUND, Terrain::WALL, Terrain::SWAMP, Terrain::WATER, Terrain::TREES];
        let mut batch = Batch::new();
        for _ in 0..1 + random.below(6) {
            let (cell, paint) = (random.pick(&cells), random.pick(&paints));
            if random.below(4) == 0 {
                let amount = random.below(4) as u16;
                batch.surcharge(CellRect::new(cell, cell), amount);
                self.surcharges.insert(cell, amount);
            } else if !self.starts.contains(&cell) && !self.goals.contains(&cell) {
                batch.set(cell, paint);
                self.map.set(cell, paint);
            }
        }
        batch
    }
}
