//! The field's public maps, where they lie beside the project: published lengths, byte-identical
//! round trips. Without them these tests say so and pass.

#![allow(clippy::print_stderr)]

use highroad::GridMap;
use highroad::catalog::{CATALOG, Spec, SpecError};
use highroad::grid::MovementRule;
use highroad::index::SubgoalGraph;
use highroad_lab::verify::verify;
use highroad_lab::workload::{Sample, Source, find_sources};
use std::path::PathBuf;

/// Corners of a map that a test contracts.
const CONTRACTED_MAX: usize = 12_000;

/// The folder of maps: `HIGHROAD_MAPS`, or `../shared/maps` beside the repository.
fn sources() -> Vec<Source> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    let folder = std::env::var_os("HIGHROAD_MAPS").map_or_else(beside, PathBuf::from);
    if !folder.is_dir() {
        eprintln!("skipped: no benchmark maps at {}", folder.display());
        return Vec::new();
    }
    find_sources(&[folder]).expect("the folder of benchmark maps is readable")
}

#[test]
fn every_planner_keeps_its_promise_on_a_sample_of_published_queries() {
    for source in sources() {
        // Maps without a scenario have nothing published.
        if source.scenario.is_none() {
            continue;
        }
        let workload = source.load(MovementRule::default(), Sample::Spread(4)).unwrap();
        let mut served = 0;
        // Where corners are many, contraction takes too long for a test; `highroad verify` has the time.
        let corners =
            SubgoalGraph::build(&workload.environment).map_or(0, |index| index.subgoal_count());
        for entry in CATALOG.iter().filter(|entry| entry.grid.is_some()) {
            if ["ch", "hub-labels"].contains(&entry.name) && corners > CONTRACTED_MAX {
                continue;
            }
            let spec: Spec = entry.name.parse().unwrap();
            match verify(&workload, &spec, || ()) {
                Err(SpecError::NotServed { .. }) => {}
                verification => {
                    assert_eq!(verification.unwrap().violations, []);
                    served += 1;
                }
            }
        }
        assert!(served >= 8, "only {served} planners serve {}", workload.name);
    }
}

#[test]
fn every_map_file_survives_reading_and_writing_byte_for_byte() {
    let mut maps: Vec<PathBuf> = sources().into_iter().map(|source| source.map).collect();
    maps.dedup();
    for path in maps {
        let bytes = std::fs::read(&path).unwrap();
        let map = GridMap::from_movingai(&bytes).unwrap();
        assert!(map.to_movingai() == bytes, "{} changed", path.display());
    }
}
