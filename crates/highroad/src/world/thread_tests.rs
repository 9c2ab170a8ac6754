//! Small tests with threads, on the smallest maps: for Miri, which runs one order of threads for each seed, sees weak
//! memory as processors have it, and reports every race. `.ci/threads miri`

use super::{PathWorld, Reader};
use highroad_core::{Batch, Cell, CellRect, GridSearch, Terrain};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A map of two cells, whose only planner needs no index.
fn world() -> PathWorld {
    let world = PathWorld::new("..\n".parse().unwrap());
    world.with_planner(GridSearch::dijkstra()).build().unwrap()
}

/// Both cells of the map together, by two entries of one batch.
fn both(surcharge: u16) -> Batch {
    let mut batch = Batch::new();
    for x in 0..2 {
        batch.surcharge(CellRect::new((x, 0), (x, 0)), surcharge);
    }
    batch
}

fn look(reader: &Reader, latest: &mut u64) {
    let view = reader.snapshot();
    assert!(view.revision().0 >= *latest, "revisions never go back");
    *latest = view.revision().0;
    let surcharges = [0, 1].map(|x| view.surcharge_of(Cell::new(x, 0)).unwrap());
    assert_eq!(surcharges, [*latest as u16; 2], "a batch is seen whole");
}

#[test]
fn a_reader_beside_a_writer_sees_whole_batches_in_their_order() {
    let mut world = world();
    let reader = world.reader();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut latest = 0;
            for _ in 0..4 {
                look(&reader, &mut latest);
            }
        });
        for number in 1..=3 {
            world.apply(&both(number)).unwrap();
        }
    });
    let mut latest = 0;
    look(&reader, &mut latest);
    assert_eq!(latest, 3);
}

#[test]
fn readers_that_come_and_go_leave_the_world_as_it_is() {
    let mut world = world();
    let kept = AtomicUsize::new(0);
    for number in 1..=2 {
        let reader = world.reader();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                let reader = reader.clone();
                let kept = &kept;
                scope.spawn(move || {
                    let view = reader.snapshot();
                    drop(reader);
                    // The snapshot outlives its reader, and stays as it is.
                    assert!(view.revision().0 + 1 >= number);
                    kept.fetch_add(1, Ordering::Relaxed);
                });
            }
            drop(reader);
            world.apply(&both(number as u16)).unwrap();
        });
    }
    assert_eq!(kept.load(Ordering::Relaxed), 4);
    assert_eq!(world.snapshot().revision().0, 2);
}

#[test]
fn a_rebuild_is_handed_over_whole_or_stopped() {
    let mut world = world();
    let planner = world.planners().next().unwrap();
    for round in 0..3 {
        world.rebuild(planner);
        match round {
            0 => world.finish_rebuilds(),
            // An edit, a look and a drop while it may be under way.
            1 => _ = world.edit(|edit| _ = edit.set((1, 0), Terrain::WALL)),
            _ => _ = world.clone(),
        }
        world.take_over();
        assert!(world.find_path((0, 0), (0, 0)).unwrap().is_some());
    }
    drop(world);
}

#[test]
fn threads_that_ask_one_snapshot_share_its_memory() {
    let world = world();
    let view = world.snapshot();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let path = view.find_path((0, 0), (1, 0)).unwrap().unwrap();
                assert_eq!(path.steps(), 1);
            });
        }
    });
}
