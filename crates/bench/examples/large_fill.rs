//! How long it takes to fill a whole map in one edit and to take that back, and how much memory the batch holds.
//!
//! `cargo run --release -p highroad-bench --example large_fill [SIDE [TREES_PERCENT [SECONDS_MAX]]]`
//!
//! With a number of seconds, it ends with exit code 1 if the edit or the undo takes longer.

#![allow(clippy::print_stdout)]

use highroad::{CellRect, GridMap, PathWorld, Terrain};
use highroad_lab::generate::Random;
use std::process::ExitCode;
use std::time::Instant;

/// Memory of the process in megabytes, now and at most; none where the system does not say.
fn memory_mb(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.trim_start_matches(':').split_whitespace().next()?.parse::<u64>().ok()? / 1024)
}

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u32>());
    let side = numbers.next().transpose()?.unwrap_or(16_384);
    let trees = numbers.next().transpose()?.unwrap_or(0);
    let seconds_max = numbers.next().transpose()?.map_or(f64::INFINITY, f64::from);
    let mut random = Random::new(1);
    let map = GridMap::from_fn(side, side, |_| match random.chance(u64::from(trees), 100) {
        true => Terrain::TREES,
        false => Terrain::GROUND,
    })?;
    let mut world = PathWorld::new(map);
    let before = world.grid().fingerprint();
    println!("{side} × {side} cells, {trees} % trees; {:?} MB", memory_mb("VmRSS"));
    let begun = Instant::now();
    let all = CellRect::new((0, 0), (side - 1, side - 1));
    world.edit(|edit| _ = edit.fill(all, Terrain::WATER))?;
    let fill = begun.elapsed();
    println!("fill {:.2} s; {:?} MB", fill.as_secs_f64(), memory_mb("VmRSS"));
    let begun = Instant::now();
    world.undo().ok_or("nothing to take back")?;
    let undo = begun.elapsed();
    println!(
        "undo {:.2} s; {:?} MB, {:?} at most",
        undo.as_secs_f64(),
        memory_mb("VmRSS"),
        memory_mb("VmHWM")
    );
    if world.grid().fingerprint() != before {
        return Err("the map is not as it was".into());
    }
    Ok(if fill.max(undo).as_secs_f64() > seconds_max {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
