//! After the first queries on a map, a query allocates nothing but the path it returns.
//!
//! The counting allocator is the one place with `unsafe`: the trait cannot be implemented without it.
#![allow(unsafe_code)]

use highroad_core::{
    Answer, Batch, CATALOG, Cell, CellRect, Grid, GridMap, Path, PathQuery, Planner, Progress,
    Scratch, Spec, Terrain,
};
use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, with a tally of what each thread asks of it.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

thread_local! {
    /// Allocations and their bytes. A thread counts its own only: the harness has others.
    static TALLY: std::cell::Cell<(u64, usize)> = const { std::cell::Cell::new((0, 0)) };
}

fn count(bytes: usize) {
    // A thread that is ending has no tally any more, and nobody reads it.
    let _ = TALLY.try_with(|tally| {
        let (allocations, total) = tally.get();
        tally.set((allocations + 1, total + bytes));
    });
}

// SAFETY: every call is passed on to `System` unchanged, which keeps the contract; counting touches a
// plain thread-local cell that is made at compile time, so it never allocates and cannot call back.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps `alloc`'s contract, which is `System`'s.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size);
        // SAFETY: as above; `block` came from `System`, since all blocks do.
        unsafe { System.realloc(block, layout, new_size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(block, layout) }
    }
}

/// What a piece of work returns, with its allocations and their bytes.
fn tallied<T>(work: impl FnOnce() -> T) -> (T, (u64, usize)) {
    let before = TALLY.get();
    let result = work();
    let after = TALLY.get();
    (result, (after.0 - before.0, after.1 - before.1))
}

/// Beside the catalog as it comes: heaps, reopening and weights.
const TURNED: [&str; 3] = [
    "astar:heuristic=manhattan",
    "weighted-astar:weight=4:reopen=yes",
    "greedy:heuristic=euclidean",
];

/// Rooms of 8 × 8 with doors, and one without in the bottom right corner.
fn rooms() -> GridMap {
    GridMap::from_fn(64, 64, |cell| {
        let wall = cell.x % 8 == 7 || cell.y % 8 == 7;
        let door = cell.x % 8 == 3 || cell.y % 8 == 4;
        let closed = cell.x >= 55 && cell.y >= 55;
        if wall && (closed || !door) { Terrain::WALL } else { Terrain::GROUND }
    })
    .expect("64 × 64 cells")
}

/// The same rooms for bucket queues and, with a costly corner, for heaps.
fn grids() -> [Grid; 2] {
    let uniform = Grid::with_defaults(rooms());
    let mut costly = uniform.clone();
    let mut batch = Batch::new();
    batch.surcharge(CellRect::new((20, 20), (30, 30)), 5000);
    costly.apply(&batch).expect("inside the map");
    [uniform, costly]
}

fn queries() -> Vec<PathQuery> {
    let cell = Cell::new;
    vec![
        PathQuery::new((0, 0), (50, 46)),
        PathQuery::new((50, 46), (2, 3)),
        PathQuery::new((5, 5), (5, 5)),
        PathQuery::new((0, 0), (60, 60)),
        PathQuery::among(vec![cell(0, 0), cell(0, 60)], vec![cell(30, 33), cell(60, 2)]),
    ]
}

#[test]
fn a_query_allocates_nothing_but_its_path() {
    for grid in grids() {
        let served = CATALOG.iter().filter(|entry| entry.serves(&grid).is_ok());
        for text in served.map(|entry| entry.name).chain(TURNED) {
            let spec: Spec = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            let planner = spec.build(&grid).unwrap_or_else(|error| panic!("{text}: {error}"));
            let mut scratch = Scratch::new();
            let queries = queries();
            for query in &queries {
                planner.solve(&grid, query, &mut scratch).expect("a good query");
            }
            for query in queries.iter().rev() {
                check_query(text, &*planner, &grid, query, &mut scratch);
            }
        }
    }
}

fn check_query(
    name: &str,
    planner: &dyn Planner,
    grid: &Grid,
    query: &PathQuery,
    scratch: &mut Scratch,
) {
    let (begun, tally) = tallied(|| planner.begin(grid, query, scratch));
    begun.expect("a good query");
    assert_eq!(tally, (0, 0), "{name}: beginning {query:?}");
    // The path is written in slices: its memory is taken once, when that begins.
    let mut total = (0, 0);
    loop {
        let (progress, tally) = tallied(|| planner.advance(grid, scratch, 50));
        total = (total.0 + tally.0, total.1 + tally.1);
        assert!(total.0 <= 1, "{name}: during {query:?}");
        let Progress::Done(answer) = progress else {
            assert_eq!(progress, Progress::Running, "{name}: during {query:?}");
            continue;
        };
        let bytes = size_of_val(path_of(&answer).cells());
        assert_eq!(total, (1, bytes), "{name}: the path of {query:?}");
        return;
    }
}

fn path_of(answer: &Answer) -> &Path {
    match answer {
        Answer::Found(path) => path,
        Answer::Unreachable { nearest } | Answer::LimitReached { nearest } => nearest,
    }
}

/// The queries above must be worth asking: a path, a detour and a closed room.
#[test]
fn the_rooms_are_as_told() {
    let grid = Grid::with_defaults(rooms());
    let mut scratch = Scratch::new();
    let planner = highroad_core::GridSearch::dijkstra();
    let steps: Vec<Option<usize>> = queries()
        .iter()
        .map(|query| planner.solve(&grid, query, &mut scratch).expect("a good query"))
        .map(|answer| answer.path().map(|path| path.steps()))
        .collect();
    assert!(steps[0] > Some(50) && steps[1] > Some(50) && steps[4] > Some(30), "{steps:?}");
    assert_eq!((steps[2], steps[3]), (Some(0), None));
}

/// A counter that counts nothing would pass the test above.
#[test]
fn the_tally_counts() {
    assert_eq!(tallied(|| vec![7u64; 3]).1, (1, 24));
    assert_eq!(tallied(|| vec![0u64; 3]).1, (1, 24), "zeroed memory counts");
    let mut list = Vec::with_capacity(1);
    list.push(1u64);
    assert_eq!(tallied(|| list.reserve_exact(9)).1, (1, 80), "so does growing");
}
