//! Random situations: mixed terrain, surcharges, borders, heights, several starts and goals, all rules and all pairs of step costs.

use crate::situation::Situation;
use highroad_core::{
    Batch, Border, BorderSide, Cell, CellRect, Domain, Footprint, FootprintCost, GridMap, KindId,
    Link, MovementRule, PaidCells, Profile, Slopes, StepCosts, Terrain,
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

/// Heights that differ by less and by more than agents climb.
const HEIGHTS: [u16; 6] = [0, 1, 2, 5, 9, 30];

fn random_slopes(random: &mut Random) -> Slopes {
    let limits = [0, 1, 4, 8, u16::MAX];
    let factors = [0, 0, 7, 100, 250];
    let slopes = Slopes::new().with_climb_max(random.pick(&limits));
    let slopes = slopes.with_drop_max(random.pick(&limits)).with_uphill(random.pick(&factors));
    slopes.with_downhill(random.pick(&factors))
}

/// A link between any two cells; some cost less than a step, some more than any way round.
fn random_link(random: &mut Random, all: &[Cell]) -> Link {
    let link = Link::new(random.pick(all), random.pick(all), random.pick(&[1, 50, 5000, 90_000]));
    let link = if random.below(2) == 0 { link.with_way_back() } else { link };
    if random.below(4) == 0 { link.with_kind(KindId::DEFAULT) } else { link }
}

/// Draws heights, single borders and long walls.
fn random_relief(random: &mut Random, map: &mut GridMap, all: &[Cell]) {
    let raised = random.pick(&[0, 0, 1, 2]);
    for _ in 0..all.len() as u32 * raised / 2 {
        map.set_height(random.pick(all), random.pick(&HEIGHTS));
    }
    for _ in 0..all.len() as u32 * random.below(4) / 4 {
        let (cell, side) = (random.pick(all), random.pick(&BorderSide::ALL));
        map.set_border(cell, side, random.pick(&Border::ALL));
    }
    for _ in 0..random.below(3) {
        let (cell, side) = (random.pick(all), random.pick(&BorderSide::ALL));
        for along in 0..random.below(map.extent().width().max(map.extent().height())) {
            let at = match side {
                BorderSide::East => Cell::new(cell.x, cell.y + along),
                BorderSide::South => Cell::new(cell.x + along, cell.y),
            };
            map.set_border(at, side, Border::Closed);
        }
    }
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
        let surcharged = if random.below(2) == 0 { 0 } else { 1 + random.below(11) };
        // Amounts on both sides of what a bucket queue spans.
        let mut surcharge = |_| (random.pick(&all), random.pick(&[1, 3, 30, 2000, u16::MAX]));
        let surcharges: BTreeMap<Cell, u16> = (0..surcharged).map(&mut surcharge).collect();
        let steps = random.pick(&[StepCosts::EXACT, StepCosts::THESIS, StepCosts::UNIT]);
        let rule = random.pick(&MovementRule::ALL);
        let paid = random.pick(&[PaidCells::Both, PaidCells::Both, PaidCells::Entered]);
        let size = random.pick(&[1, 1, 1, 1, 2, 2, 3, 5]);
        let under = random.pick(&[FootprintCost::Max, FootprintCost::Mean]);
        let footprint = Footprint::new(size).expect("sizes up to 8").with_cost(under);
        let slopes = random_slopes(random);
        if random.below(3) == 0 {
            random_relief(random, &mut map, &all);
        }
        if random.below(6) == 0 {
            for _ in 0..1 + random.below(6) {
                // One from a cell to itself cannot be.
                map.add_link(random_link(random, &all)).ok();
            }
        }
        let (starts, goals) = (Vec::new(), Vec::new());
        let mut situation =
            Self { map, profile, rule, steps, paid, footprint, slopes, surcharges, starts, goals };
        let mut free = situation.places(&all);
        if free.is_empty() {
            situation.footprint = Footprint::CELL;
            free = situation.places(&all);
        }
        (situation.starts, situation.goals) = (random.pick_ends(&free), random.pick_ends(&free));
        situation
    }

    /// Opens or closes a link.
    fn random_link_edit(&mut self, random: &mut Random, cells: &[Cell], batch: &mut Batch) {
        let (links, link) = (self.map.link_list().to_vec(), random_link(random, cells));
        let stands = |cell| self.oracle().may_stand(cell);
        if random.below(2) == 0 {
            let gone = random.pick(&links);
            batch.close_link(gone);
            self.map.remove_link(gone);
        } else if link.from != link.to && stands(link.from) && stands(link.to) {
            batch.open_link(link);
            self.map.add_link(link).ok();
        }
    }

    /// Those of some cells on which the agent can stand.
    fn places(&self, cells: &[Cell]) -> Vec<Cell> {
        cells.iter().copied().filter(|&cell| self.oracle().may_stand(cell)).collect()
    }

    /// Whether an agent at a start or at a goal covers a cell.
    fn is_under_an_end(&self, cell: Cell) -> bool {
        self.starts.iter().chain(&self.goals).any(|&end| self.footprint.covers(end, cell))
    }

    /// A random batch of edits, which leaves the terrain under starts and goals alone. It is made in this situation, and
    /// returned to be applied to a grid.
    pub fn random_edits(&mut self, random: &mut Random) -> Batch {
        let cells: Vec<Cell> = self.map.extent().cells().collect();
        let paints =
            [Terrain::GROUND, Terrain::WALL, Terrain::SWAMP, Terrain::WATER, Terrain::TREES];
        let mut batch = Batch::new();
        for _ in 0..1 + random.below(6) {
            let (cell, paint) = (random.pick(&cells), random.pick(&paints));
            let kind = random.below(8);
            if kind == 0 && self.map.has_relief() {
                let height = random.pick(&HEIGHTS);
                batch.height(cell.into(), height);
                self.map.set_height(cell, height);
            } else if kind <= 2 && self.map.has_relief() {
                let (side, border) = (random.pick(&BorderSide::ALL), random.pick(&Border::ALL));
                if self.map.border(cell, side).is_some() {
                    batch.borders(cell.into(), side, border);
                    self.map.set_border(cell, side, border);
                }
            } else if kind == 3 && !self.map.link_list().is_empty() {
                self.random_link_edit(random, &cells, &mut batch);
            } else if kind <= 4 {
                let amount = random.below(4) as u16;
                batch.surcharge(CellRect::new(cell, cell), amount);
                self.surcharges.insert(cell, amount);
            } else if !self.is_under_an_end(cell) {
                batch.set(cell, paint);
                self.map.set(cell, paint);
            }
        }
        batch
    }
}
