//! Saving and loading: what comes back is what was saved, and bytes of any kind do no harm.

use super::*;
use crate::environment::StableHash;
use crate::grid::{Cell, Grid, GridMap, Movement, MovementRule, Profile, StepCosts, Terrain};
use crate::planner::{Answer, BuildError, PathQuery, Planner, Scratch};
use crate::saved::LoadError;
use proptest::prelude::*;
use std::sync::OnceLock;

type Load = fn(&[u8], &Grid) -> Result<Box<dyn Planner>, LoadError>;

/// A kind of index on a grid: its bytes, and how they are loaded.
#[derive(Clone)]
struct Saved {
    name: &'static str,
    grid: Grid,
    bytes: Vec<u8>,
    load: Load,
}

fn load_subgoals(bytes: &[u8], grid: &Grid) -> Result<Box<dyn Planner>, LoadError> {
    SubgoalGraph::load(bytes, grid).map(|index| Box::new(index) as Box<dyn Planner>)
}

fn load_hierarchy(bytes: &[u8], grid: &Grid) -> Result<Box<dyn Planner>, LoadError> {
    ChIndex::load(bytes, grid).map(|index| Box::new(index) as Box<dyn Planner>)
}

fn load_labels(bytes: &[u8], grid: &Grid) -> Result<Box<dyn Planner>, LoadError> {
    HubLabels::load(bytes, grid).map(|index| Box::new(index) as Box<dyn Planner>)
}

/// So few bytes that the hierarchy answers.
const NO_LABELS: HubOptions = HubOptions { bytes_max: 1000 };

fn map() -> GridMap {
    GridMap::from_fn(70, 23, |Cell { x, y }| {
        let noise = x * 31 + y * 17 + x * y * 7;
        match noise % 11 {
            0 | 1 => Terrain::WALL,
            2 => Terrain::SWAMP,
            _ => Terrain::GROUND,
        }
    })
    .unwrap()
}

/// One of each kind, built once.
fn saved() -> Vec<Saved> {
    static SAVED: OnceLock<Vec<Saved>> = OnceLock::new();
    SAVED.get_or_init(build_and_save).clone()
}

fn build_and_save() -> Vec<Saved> {
    let uniform = Grid::with_defaults(map());
    let swampy = Profile::movingai().with_cost(Terrain::SWAMP, 3).unwrap();
    let movement = Movement::new(swampy, MovementRule::FourWay, StepCosts::THESIS).unwrap();
    let weighted = Grid::new(map(), movement);
    let subgoals = SubgoalGraph::build(&uniform).unwrap().save();
    let hierarchy = ChIndex::build(&uniform).unwrap().save();
    let core = ChIndex::build_with_large_core(&uniform);
    assert!(core.hierarchy().core_count() > 20);
    let core = core.save();
    let cells = ChIndex::build(&weighted).unwrap().save();
    let labels = HubLabels::build(&uniform, HubOptions::default()).unwrap();
    assert_eq!(labels.fallback(), None);
    let labels = labels.save();
    let fallen = HubLabels::build(&uniform, NO_LABELS).unwrap();
    assert_eq!(fallen.fallback(), Some(HubFallback::Memory { bytes_max: 1000 }));
    let fallen = fallen.save();
    vec![
        Saved { name: "subgoals", grid: uniform.clone(), bytes: subgoals, load: load_subgoals },
        Saved { name: "hierarchy", grid: uniform.clone(), bytes: hierarchy, load: load_hierarchy },
        Saved { name: "labels", grid: uniform.clone(), bytes: labels, load: load_labels },
        Saved { name: "fallen", grid: uniform.clone(), bytes: fallen, load: load_labels },
        Saved { name: "core", grid: uniform, bytes: core, load: load_hierarchy },
        Saved { name: "cells", grid: weighted, bytes: cells, load: load_hierarchy },
    ]
}

fn answers(planner: &dyn Planner, grid: &Grid) -> Vec<Answer> {
    let mut scratch = Scratch::new();
    let free = || grid.extent().cells().filter(|&cell| grid.is_enterable(cell)).step_by(97);
    let pairs = free().flat_map(|start| free().map(move |goal| (start, goal)));
    pairs
        .map(|(start, goal)| {
            planner.solve(grid, &PathQuery::new(start, goal), &mut scratch).unwrap()
        })
        .collect()
}

fn with_hash(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len().saturating_sub(8);
    bytes.truncate(end);
    let mut hash = StableHash::new();
    hash.mix_bytes(&bytes);
    bytes.extend(hash.value().to_le_bytes());
    bytes
}

#[test]
fn what_is_loaded_answers_as_what_was_saved() {
    for Saved { name, grid, bytes, load } in saved() {
        // A grid of its own, as in another run of the program.
        let again = Grid::new(grid.map().clone(), grid.movement().clone());
        let loaded = load(&bytes, &again).unwrap();
        let built: Box<dyn Planner> = match name {
            "subgoals" => Box::new(SubgoalGraph::build(&again).unwrap()),
            "labels" => Box::new(HubLabels::build(&again, HubOptions::default()).unwrap()),
            "fallen" => Box::new(HubLabels::build(&again, NO_LABELS).unwrap()),
            "core" => Box::new(ChIndex::build_with_large_core(&again)),
            _ => Box::new(ChIndex::build(&again).unwrap()),
        };
        assert_eq!(answers(&*loaded, &again), answers(&*built, &again), "{name}");
    }
}

#[test]
fn with_or_without_a_core_costs_are_the_same() {
    let swampy = Profile::movingai().with_cost(Terrain::SWAMP, 3).unwrap();
    let steps = StepCosts::EXACT;
    let mut in_cores = 0;
    for (profile, rule) in [
        (Profile::movingai(), MovementRule::NeverCutCorners),
        (Profile::movingai(), MovementRule::AlwaysDiagonal),
        (swampy, MovementRule::AtMostOneObstacle),
    ] {
        for sparse in [3, 5, 9, 17] {
            let map = GridMap::from_fn(61, 47, |Cell { x, y }| {
                match (x * 31 + y * 17 + x * y * 7) % (sparse + 2) {
                    0 => Terrain::WALL,
                    1 => Terrain::SWAMP,
                    _ => Terrain::GROUND,
                }
            });
            let movement = Movement::new(profile.clone(), rule, steps).unwrap();
            let grid = Grid::new(map.unwrap(), movement);
            let index = ChIndex::build_with_large_core(&grid);
            in_cores += index.hierarchy().core_count();
            let costs = |planner: &dyn Planner| -> Vec<_> {
                let answers = answers(planner, &grid).into_iter();
                answers.map(|answer| answer.path().map(|path| path.cost())).collect()
            };
            assert_eq!(costs(&index), costs(&crate::GridSearch::astar()), "{rule:?}, {sparse}");
        }
    }
    assert!(in_cores > 2000, "only {in_cores} nodes were in cores");
}

#[test]
fn mixed_terrain_is_contracted_up_to_a_limit_of_cells() {
    let grid = |width: u32| {
        let map = GridMap::from_fn(width, 64, |Cell { x, y }| {
            if (x * 7 + y * 3) % 5 == 0 { Terrain::SWAMP } else { Terrain::GROUND }
        });
        let swampy = Profile::movingai().with_cost(Terrain::SWAMP, 3).unwrap();
        let movement = Movement::new(swampy, MovementRule::FourWay, StepCosts::THESIS).unwrap();
        Grid::new(map.unwrap(), movement)
    };
    let largest = grid(ChIndex::CELLS_MAX / 64);
    let index = ChIndex::build(&largest).unwrap();
    let query = PathQuery::new((0, 0), (63, 63));
    let cost = |planner: &dyn Planner| {
        let answer = planner.solve(&largest, &query, &mut Scratch::new()).unwrap();
        answer.path().map(|path| path.cost())
    };
    assert_eq!(cost(&index), cost(&crate::GridSearch::astar()));
    let Err(BuildError::NotServed(reason)) = ChIndex::build(&grid(ChIndex::CELLS_MAX / 64 + 1))
    else {
        panic!("there are too many cells");
    };
    assert!(
        reason.ends_with("of 4160 cells it would contract at most 4096 one by one"),
        "{reason}"
    );
}

#[test]
fn each_kind_of_foreign_bytes_has_its_own_error() {
    let all = saved();
    let (subgoals, hierarchy) = (&all[0], &all[1]);
    let error = |saved: &Saved, bytes: &[u8]| (saved.load)(bytes, &saved.grid).err().unwrap();
    assert_eq!(error(subgoals, b""), LoadError::NotAnIndex);
    assert_eq!(error(subgoals, b"type octile\nheight 5\n"), LoadError::NotAnIndex);
    assert_eq!(error(subgoals, b"HIGHROAD"), LoadError::Damaged { bytes: 8 });
    let other_kind = LoadError::OtherKind { found: 2, expected: 1 };
    assert_eq!(error(subgoals, &hierarchy.bytes), other_kind);
    let mut newer = subgoals.bytes.clone();
    newer[12] = 9;
    assert_eq!(error(subgoals, &with_hash(newer)), LoadError::OtherVersion { found: 9 });
    let other = Grid::with_defaults("...\n".parse().unwrap());
    assert_eq!((subgoals.load)(&subgoals.bytes, &other).err(), Some(LoadError::OtherGrid));
    for saved in &all {
        for end in (24..saved.bytes.len()).step_by(311) {
            let cut = error(saved, &saved.bytes[..end]);
            assert_eq!(cut, LoadError::Damaged { bytes: end }, "{}", saved.name);
        }
        for at in (16..saved.bytes.len()).step_by(173) {
            let mut flipped = saved.bytes.clone();
            flipped[at] ^= 4;
            let bytes = saved.bytes.len();
            assert_eq!(error(saved, &flipped), LoadError::Damaged { bytes }, "byte {at}");
        }
        let mut longer = saved.bytes.clone();
        longer.extend([0; 8]);
        let tail = error(saved, &with_hash(longer));
        assert!(matches!(tail, LoadError::Malformed { what: "last bytes", .. }), "{tail}");
    }
}

#[test]
fn a_list_longer_than_the_file_takes_no_memory() {
    for saved in saved() {
        let mut bytes = saved.bytes.clone();
        bytes[24..32].copy_from_slice(&u64::MAX.to_le_bytes());
        let error = (saved.load)(&with_hash(bytes), &saved.grid).err();
        assert!(matches!(error, Some(LoadError::Malformed { .. })), "{}: {error:?}", saved.name);
    }
}

/// Answers, each of which has a path that can be walked at the cost it names.
fn check_answers(planner: &dyn Planner, grid: &Grid, name: &str) {
    for answer in answers(planner, grid) {
        let (Answer::Found(path)
        | Answer::Unreachable { nearest: path }
        | Answer::LimitReached { nearest: path }) = answer;
        assert_eq!(path.validate(grid), Ok(()), "{name}: {path:?}");
    }
}

/// Each byte changed for itself, the hash made to fit: what is accepted returns valid paths only.
#[test]
fn forged_indexes_return_no_path_that_cannot_be_walked() {
    let mut accepted = 0;
    for saved in saved() {
        let places = (24..saved.bytes.len() - 8).step_by(331);
        for (at, change) in places.zip([1, 2, 16, 0xff].into_iter().cycle()) {
            let mut bytes = saved.bytes.clone();
            bytes[at] ^= change;
            if let Ok(index) = (saved.load)(&with_hash(bytes), &saved.grid) {
                check_answers(&*index, &saved.grid, saved.name);
                accepted += 1;
            }
        }
    }
    assert!(accepted > 10, "only {accepted} were accepted: the test shows nothing");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    /// Changed bytes whose hash fits again: refused, or loaded into something that still answers.
    #[test]
    fn bytes_made_to_fit_do_no_harm(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        for saved in saved() {
            let mut bytes = saved.bytes.clone();
            for (at, value) in &changes {
                let at = 24 + at.index(bytes.len() - 32);
                bytes[at] = *value;
            }
            if let Ok(index) = (saved.load)(&with_hash(bytes), &saved.grid) {
                check_answers(&*index, &saved.grid, saved.name);
            }
        }
    }

    #[test]
    fn any_bytes_are_refused(mut bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        for saved in saved() {
            prop_assert!((saved.load)(&bytes, &saved.grid).is_err());
            // Past the first checks.
            let header = bytes.len().min(24);
            bytes[..header].copy_from_slice(&saved.bytes[..header]);
            prop_assert!((saved.load)(&with_hash(bytes.clone()), &saved.grid).is_err());
        }
    }
}
