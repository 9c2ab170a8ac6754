//! Eight readers and one writer: every answer is checked against the revision that it was given for.
//!
//! Short by itself; `HIGHROAD_STRESS_SECONDS=60 cargo test --release -p highroad --test stress` goes on
//! for a minute a test, on a larger map with `HIGHROAD_STRESS_SIDE`.

#![allow(clippy::print_stderr)]

use highroad::catalog::Spec;
use highroad::environment::Revision;
use highroad::grid::{Batch, KindId, Movement, MovementRule, Profile, StepCosts};
use highroad::hierarchy::HpaOptions;
use highroad::online::GridSearch;
use highroad::planner::{Answer, Guarantee, PathQuery, Planner, Scratch};
use highroad::world::{Reader, Snapshot};
use highroad::{Cell, CellRect, GridMap, PathWorld, Terrain};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

const READERS: u64 = 8;

/// Numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }

    fn cell(&mut self, side: u32) -> Cell {
        Cell::new(self.below(side), self.below(side))
    }
}

fn number_from(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

fn map(side: u32) -> GridMap {
    let mut random = Random(7);
    let map = GridMap::from_fn(side, side, |_| {
        if random.below(100) < 25 { Terrain::WALL } else { Terrain::GROUND }
    });
    map.unwrap()
}

/// Asks one query of a snapshot and holds the answer against an exact search on the same snapshot.
fn ask(view: &Snapshot, random: &mut Random, promise: Guarantee, scratch: &mut Scratch) {
    let side = view.extent().width();
    let query = PathQuery::new(random.cell(side), random.cell(side));
    let exact = GridSearch::astar().solve(view, &query, scratch);
    let answer = view.answer(&query);
    match (answer, exact) {
        (Ok(Answer::Found(path)), Ok(Answer::Found(optimal))) => {
            assert_eq!(path.revision(), view.revision());
            assert_eq!(path.validate(&**view), Ok(()), "at {}", view.revision());
            assert!(promise.holds(path.cost(), optimal.cost()), "{promise}");
        }
        (Ok(Answer::Unreachable { nearest }), Ok(Answer::Unreachable { .. })) => {
            assert_eq!(nearest.validate(&**view), Ok(()));
        }
        (Err(given), Err(exact)) => assert_eq!(given, exact),
        (given, exact) => panic!("{given:?} where an exact search says {exact:?}"),
    }
}

/// Reads until asked to stop: the latest snapshot, and an old one again.
fn read(reader: &Reader, seed: u64, promise: Guarantee, stop: &AtomicBool, answers: &AtomicU64) {
    let (mut random, mut scratch) = (Random(seed), Scratch::new());
    let mut old = reader.snapshot();
    let mut latest = Revision(0);
    while !stop.load(Ordering::Relaxed) {
        let view = reader.snapshot();
        assert!(view.revision() >= latest, "revisions never go back");
        latest = view.revision();
        ask(&view, &mut random, promise, &mut scratch);
        ask(&old, &mut random, promise, &mut scratch);
        if random.below(20) == 0 {
            old = view;
        }
        answers.fetch_add(2, Ordering::Relaxed);
    }
}

/// One writer, eight readers. Returns edits and answers.
fn stress(mut world: PathWorld, promise: Guarantee, edits_min: u64) -> (u64, u64) {
    let lasts = number_from("HIGHROAD_STRESS_SECONDS").map(Duration::from_secs);
    let (stop, answers) = (AtomicBool::new(false), AtomicU64::new(0));
    let reader = world.reader();
    let mut edits = 0;
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS)
            .map(|seed| {
                let (reader, stop, answers) = (reader.clone(), &stop, &answers);
                scope.spawn(move || read(&reader, seed, promise, stop, answers))
            })
            .collect();
        let mut random = Random(99);
        let begun = Instant::now();
        let goes_on = |edits: u64| match lasts {
            Some(lasts) => begun.elapsed() < lasts,
            None => edits < edits_min || answers.load(Ordering::Relaxed) < 2 * edits_min,
        };
        // A reader ends early only by a failure, which the scope reports.
        while goes_on(edits) && !readers.iter().any(|reader| reader.is_finished()) {
            edits += 1;
            edit(&mut world, &mut random, edits);
            std::thread::yield_now();
        }
        stop.store(true, Ordering::Relaxed);
    });
    (edits, answers.load(Ordering::Relaxed))
}

/// Up to five cells; now and then the batch is taken back, and what is being made waited for.
fn edit(world: &mut PathWorld, random: &mut Random, number: u64) {
    let side = world.grid().extent().width();
    let cells = 1 + random.below(5);
    let edited = world.edit(|edit| {
        for _ in 0..cells {
            let wall = random.below(4) == 0;
            edit.set(random.cell(side), if wall { Terrain::WALL } else { Terrain::GROUND });
        }
    });
    edited.unwrap();
    if number.is_multiple_of(50) {
        world.undo();
    }
    if number.is_multiple_of(5) {
        // Or an index that cannot follow would hardly ever be ready.
        world.finish_rebuilds();
    } else {
        world.take_over();
    }
}

fn side() -> u32 {
    number_from("HIGHROAD_STRESS_SIDE").map_or(64, |side| side.clamp(8, 4096) as u32)
}

#[test]
fn readers_of_a_patched_hierarchy_get_right_answers_for_their_revision() {
    let options = HpaOptions::default().with_cluster_side(16);
    let world = PathWorld::new(map(side())).with_planner(options).build().unwrap();
    let (edits, answers) = stress(world, Guarantee::NearOptimal, 100);
    eprintln!("{edits} edits, {answers} answers by a hierarchy");
}

#[test]
fn readers_of_an_index_rebuilt_in_the_background_get_exact_answers() {
    let subgoal: Spec = "subgoal".parse().unwrap();
    let world = PathWorld::new(map(side())).with_planner(subgoal).build().unwrap();
    let (edits, answers) = stress(world, Guarantee::Optimal, 100);
    eprintln!("{edits} edits, {answers} exact answers");
}

/// Fills and surcharges of one batch, which belong together: all of them are seen, or none.
const PARTS: u32 = 6;

/// The batch of that number: in every part a wall and a surcharge that say which number it is.
fn marks(number: u64) -> Batch {
    let (terrain, surcharge) = match number.is_multiple_of(2) {
        true => (Terrain::GROUND, 0),
        false => (Terrain::WALL, 1 + (number % 50) as u16),
    };
    let mut batch = Batch::new();
    for part in 0..PARTS {
        batch.set((part * 5 + 2, part + 1), terrain);
        batch.surcharge(CellRect::new((part * 5, part + 1), (part * 5, part + 1)), surcharge);
    }
    batch
}

/// Checks that a snapshot shows one batch in all parts and for both kinds of agents, and that its planners know it.
fn check_marks(view: &Snapshot, scratch: &mut Scratch) {
    let number = view.revision().0;
    let surcharge = if number.is_multiple_of(2) { 0 } else { 1 + (number % 50) as u16 };
    for kind in [KindId(0), KindId(1)] {
        let grid = view.of(kind).unwrap().environment();
        assert_eq!(grid.revision().0, number, "both kinds have one revision");
        for part in 0..PARTS {
            let is_wall = !grid.is_enterable(Cell::new(part * 5 + 2, part + 1));
            assert_eq!(is_wall, !number.is_multiple_of(2), "part {part} at {number}");
            let found = grid.surcharge_of(Cell::new(part * 5, part + 1));
            assert_eq!(found, Some(surcharge), "part {part} at {number}");
        }
    }
    let query = PathQuery::new((0, 0), (31, 7));
    let exact = GridSearch::astar().solve(&**view, &query, scratch).unwrap();
    let answer = view.answer(&query).unwrap();
    let (path, optimal) = (answer.path().unwrap(), exact.path().unwrap());
    assert_eq!(path.validate(&**view), Ok(()));
    assert_eq!(path.revision().0, number);
    assert!(path.cost() >= optimal.cost());
}

#[test]
fn no_snapshot_sees_half_a_batch() {
    let map = GridMap::from_fn(32, 8, |_| Terrain::GROUND).unwrap();
    let options = HpaOptions::default().with_cluster_side(8);
    let slow = Movement::new(Profile::movingai(), MovementRule::FourWay, StepCosts::THESIS);
    let builder = PathWorld::new(map).with_planner(options).with_kind("slow", slow.unwrap());
    let mut world = builder.with_planner(options).build().unwrap();
    let (reader, stop) = (world.reader(), AtomicBool::new(false));
    let looks = AtomicU64::new(0);
    let lasts = number_from("HIGHROAD_STRESS_SECONDS").map(Duration::from_secs);
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS)
            .map(|_| {
                let (reader, stop, looks) = (reader.clone(), &stop, &looks);
                scope.spawn(move || {
                    let mut scratch = Scratch::new();
                    while !stop.load(Ordering::Relaxed) {
                        check_marks(&reader.snapshot(), &mut scratch);
                        looks.fetch_add(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        let begun = Instant::now();
        let goes_on = |number: u64| match lasts {
            Some(lasts) => begun.elapsed() < lasts,
            None => number < 300 || looks.load(Ordering::Relaxed) < 300,
        };
        let mut number = 0;
        while goes_on(number) && !readers.iter().any(|reader| reader.is_finished()) {
            number += 1;
            assert_eq!(world.apply(&marks(number)).unwrap().0, number);
            world.take_over();
        }
        stop.store(true, Ordering::Relaxed);
        eprintln!("{number} batches, {} looks", looks.load(Ordering::Relaxed));
    });
}

/// How often this thread has gone to sleep by itself, as it does when it waits for a lock; `None` if the system does not
/// say.
fn sleeps() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/thread-self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?;
    line.trim().parse().ok()
}

#[test]
fn readers_never_wait_for_the_writer() {
    let options = HpaOptions::default().with_cluster_side(16);
    let mut world = PathWorld::new(map(side())).with_planner(options).build().unwrap();
    let (reader, stop) = (world.reader(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let reading = scope.spawn(|| {
            let (mut longest, mut taken) = (Duration::ZERO, 0_u64);
            let before = sleeps();
            while !stop.load(Ordering::Relaxed) {
                let begun = Instant::now();
                let view = reader.snapshot();
                longest = longest.max(begun.elapsed());
                assert!(view.revision().0 < u64::MAX);
                taken += 1;
            }
            (longest, taken, before.zip(sleeps()).map(|(before, after)| after - before))
        });
        let mut random = Random(5);
        let begun = Instant::now();
        let lasts =
            number_from("HIGHROAD_STRESS_SECONDS").map_or(Duration::ZERO, Duration::from_secs);
        let mut edits = 0;
        while edits < 200 || begun.elapsed() < lasts {
            edits += 1;
            edit(&mut world, &mut random, edits);
        }
        stop.store(true, Ordering::Relaxed);
        let (longest, taken, slept) = reading.join().unwrap();
        eprintln!(
            "{edits} edits, {taken} snapshots, the longest took {longest:?}, slept {slept:?}"
        );
        // The first reading of the status may sleep, and whoever drops the last hold on a revision frees its memory, for
        // which the system may have to be asked. A lock would be slept on far more often.
        assert!(slept.is_none_or(|slept| slept <= 2 + taken / 1000), "{slept:?} of {taken}");
    });
}
