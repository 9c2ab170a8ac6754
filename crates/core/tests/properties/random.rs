//! Random situations that shrink.

use crate::support::Situation;
use highroad_core::{Cell, Domain, GridMap, MovementRule, Profile, StepCosts, Terrain};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// The longest side of a random map.
const SIDE_MAX: u32 = 23;

/// A kind of map: its letters besides walls, and what they mean to the agent.
#[derive(Clone, Debug)]
struct Mixture {
    letters: &'static [u8],
    wall_percent: u8,
    profile: Profile,
}

fn mixtures() -> impl Strategy<Value = Mixture> {
    let cost = |profile: Profile, letter: u8, cost: u16| {
        let terrain = Terrain::from_letter(letter).expect("a terrain's letter");
        profile.cost(terrain, cost).expect("costs begin at 1")
    };
    let swampy = cost(Profile::movingai(), b'S', 4);
    let weighted = [(b'A', 1), (b'B', 2), (b'E', 5), (b'P', 16)]
        .into_iter()
        .fold(swampy.clone(), |profile, (letter, price)| cost(profile, letter, price));
    // Swamp and water part ways with the ground, and `B` swims.
    let swamp_domain = Domain::new(3).expect("there are four domains");
    let parted = weighted
        .clone()
        .domain(Terrain::SWAMP, swamp_domain)
        .domain(Terrain::from_letter(b'B').expect("a terrain's letter"), Domain::WATER);
    let dear = cost(weighted.clone(), b'P', 900);
    let kinds: Vec<(&'static [u8], Profile)> = vec![
        (b".", Profile::movingai()),
        (b"....SSWW", swampy),
        (b"..ABEP", weighted.clone()),
        (b"...SSWWABEP", weighted),
        (b"...SSWWABEP", parted),
        (b"..BP", dear),
        (b"SP", Profile::weighted()),
    ];
    (select(kinds), select(vec![0, 10, 25, 40, 60]))
        .prop_map(|((letters, profile), wall_percent)| Mixture { letters, wall_percent, profile })
}

/// A situation whose starts and goals agents may stand on.
pub(crate) fn situations() -> impl Strategy<Value = Situation> {
    let sides = (1..=SIDE_MAX, 1..=SIDE_MAX);
    let movement = (
        select(MovementRule::ALL.to_vec()),
        select(vec![StepCosts::EXACT, StepCosts::THESIS, StepCosts::UNIT]),
    );
    (sides, mixtures(), movement).prop_flat_map(|((width, height), mixture, (rule, steps))| {
        let cells = vec((0..100u8, any::<Index>()), (width * height) as usize);
        // Amounts on both sides of what a bucket queue spans.
        let amounts = select(vec![1u16, 3, 30, 2000, u16::MAX]);
        let surcharges = prop_oneof![Just(Vec::new()), vec((any::<Index>(), amounts), 1..12),];
        let places = || prop_oneof![3 => vec(any::<Index>(), 1), 1 => vec(any::<Index>(), 2..4)];
        (cells, surcharges, places(), places()).prop_map(
            move |(cells, surcharges, starts, goals)| {
                let map = draw(width, height, &mixture, &cells);
                let all: Vec<Cell> = map.extent().cells().collect();
                let free = |cell: &Cell| {
                    map.terrain(*cell).is_some_and(|at| mixture.profile.cost_of(at).is_some())
                };
                let free: Vec<Cell> = all.iter().copied().filter(free).collect();
                let pick = |indexes: &[Index]| indexes.iter().map(|at| *at.get(&free)).collect();
                Situation {
                    rule,
                    steps,
                    profile: mixture.profile.clone(),
                    surcharges: surcharges.iter().map(|(at, by)| (*at.get(&all), *by)).collect(),
                    starts: pick(&starts),
                    goals: pick(&goals),
                    map,
                }
            },
        )
    })
}

/// A map with at least one cell to stand on: the first, if there is no other.
fn draw(width: u32, height: u32, mixture: &Mixture, cells: &[(u8, Index)]) -> GridMap {
    let terrain = |letter: u8| Terrain::from_letter(letter).expect("a terrain's letter");
    let mut map = GridMap::from_fn(width, height, |cell| {
        let (chance, kind) = &cells[(cell.y * width + cell.x) as usize];
        let wall = *chance < mixture.wall_percent;
        terrain(if wall { b'@' } else { *kind.get(mixture.letters) })
    })
    .expect("the sides are small");
    if map.terrains().all(|at| mixture.profile.cost_of(at).is_none()) {
        map.set(Cell::new(0, 0), Terrain::GROUND);
    }
    map
}
