//! How long a reader waits for a snapshot while a writer edits without a pause.
//!
//! `cargo run --release -p highroad-bench --example reader_wait [SIDE [SECONDS [READERS]]]`
//!
//! Time by the clock includes what other threads and programs take of the processor. Two more numbers tell waiting from
//! that: the processor time of a call, and how often readers went to sleep by themselves, as a thread does that waits
//! for a lock.

#![allow(clippy::print_stdout)]

use highroad::hierarchy::HpaOptions;
use highroad::{Cell, PathWorld, Terrain};
use highroad_lab::generate::{Layout, MapRecipe, Random};
use highroad_lab::table::quantile;
use highroad_lab::thread_time::thread_time;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a reader has seen.
#[derive(Default)]
struct Seen {
    snapshots: u64,
    by_clock_us: Vec<f64>,
    longest_of_processor: Duration,
    sleeps: Option<u64>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u32>());
    let side = numbers.next().transpose()?.unwrap_or(512);
    let seconds = numbers.next().transpose()?.unwrap_or(10);
    let readers = numbers.next().transpose()?.unwrap_or(4);
    let layout = Layout::Caves { noise_percent: 45, steps: 5, joined: true };
    let map = MapRecipe { width: side, height: side, layout, seed: 7 }.generate()?;
    let mut world = PathWorld::new(map).with_planner(HpaOptions::default()).build()?;
    let (reader, stop) = (world.reader(), AtomicBool::new(false));
    let mut edits = 0_u64;
    let seen: Vec<Seen> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..readers).map(|_| scope.spawn(|| read(&reader, &stop))).collect();
        let (mut random, begun) = (Random::new(1), Instant::now());
        while begun.elapsed() < Duration::from_secs(u64::from(seconds)) {
            let mut place = || random.below(u64::from(side)) as u32;
            let cell = Cell::new(place(), place());
            let terrain = if edits.is_multiple_of(2) { Terrain::WALL } else { Terrain::GROUND };
            world.edit(|edit| _ = edit.set(cell, terrain)).expect("a cell of the map");
            edits += 1;
        }
        stop.store(true, Ordering::Relaxed);
        threads.into_iter().map(|thread| thread.join().expect("a reader")).collect()
    });
    let mut by_clock_us: Vec<f64> =
        seen.iter().flat_map(|seen| &seen.by_clock_us).copied().collect();
    by_clock_us.sort_by(f64::total_cmp);
    let snapshots: u64 = seen.iter().map(|seen| seen.snapshots).sum();
    let longest_of_processor = seen.iter().map(|seen| seen.longest_of_processor).max();
    let sleeps = seen.iter().map(|seen| seen.sleeps).sum::<Option<u64>>();
    println!(
        "{side} × {side} cells, HPA*, {edits} edits by one writer, {readers} readers, {snapshots} snapshots"
    );
    println!(
        "by the clock, us: median {:.2}, p99.9 {:.2}, longest {:.1}",
        quantile(&by_clock_us, 0.5),
        quantile(&by_clock_us, 0.999),
        by_clock_us.last().copied().unwrap_or_default(),
    );
    println!(
        "of the processor: longest {:.1} us",
        longest_of_processor.unwrap_or_default().as_secs_f64() * 1e6
    );
    match sleeps {
        Some(sleeps) => println!("readers went to sleep {sleeps} times"),
        None => println!("the system does not say how often readers went to sleep"),
    }
    Ok(())
}

fn read(reader: &highroad::world::Reader, stop: &AtomicBool) -> Seen {
    /// Times that are kept, so that keeping them takes no memory on the way.
    const KEPT_MAX: usize = 1 << 22;
    let mut seen = Seen { by_clock_us: Vec::with_capacity(KEPT_MAX), ..Seen::default() };
    let before = sleeps();
    let mut latest = 0;
    while !stop.load(Ordering::Relaxed) && seen.by_clock_us.len() < KEPT_MAX {
        let (begun, of_processor) = (Instant::now(), thread_time());
        let view = reader.snapshot();
        seen.longest_of_processor =
            seen.longest_of_processor.max(thread_time().saturating_sub(of_processor));
        seen.by_clock_us.push(begun.elapsed().as_secs_f64() * 1e6);
        seen.snapshots += 1;
        assert!(view.revision().0 >= latest, "revisions never go back");
        latest = view.revision().0;
    }
    seen.sleeps = before.zip(sleeps()).map(|(before, after)| after - before);
    seen
}

/// How often this thread has gone to sleep by itself; `None` if the system does not say.
fn sleeps() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/thread-self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?;
    line.trim().parse().ok()
}
