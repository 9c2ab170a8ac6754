//! The dynamic scenarios of the path planning competition, where they lie beside the project. Without them
//! these tests say so and pass.

#![allow(clippy::print_stderr)]

use highroad_lab::gppc::{DynamicReplay, replay};
use std::path::PathBuf;

/// A scenario by its name, from `HIGHROAD_MAPS` or `../shared/maps` beside the repository.
fn scenario(name: &str) -> Option<DynamicReplay> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    let folder = std::env::var_os("HIGHROAD_MAPS").map_or_else(beside, PathBuf::from);
    let path = folder.join("gppc-dynamic").join(name);
    if !path.exists() {
        eprintln!("skipped: no {}", path.display());
        return None;
    }
    Some(DynamicReplay::load(&path).unwrap())
}

/// Each planner with the most per cent that its paths may cost too much, on average.
fn check(name: &str, planners: &[(&str, f64)], edits: usize, queries: usize) {
    let Some(scenario) = scenario(name) else { return };
    for (planner, most) in planners {
        let (row, wrong) = replay(&scenario, &planner.parse().unwrap(), false, || ()).unwrap();
        assert_eq!(wrong, Vec::<String>::new(), "{name}, {planner}");
        assert_eq!((row.edits, row.queries), (edits, queries));
        assert!(row.suboptimality_mean_percent <= *most, "{name}: {row:?}");
    }
}

#[test]
fn every_length_of_the_arena_is_met() {
    check("dao_arena2.scen", &[("hpa", 1.0), ("jps", 0.0), ("subgoal", 0.0)], 93, 2000);
}

#[test]
fn every_length_of_the_frozen_sea_is_met() {
    check("switch_sc1_Aurora_TheFrozenSea.scen", &[("hpa", 1.0)], 19, 2200);
}
