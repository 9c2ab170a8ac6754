//! Every dynamic test case that comes with the project: what must happen happens, line by line.

#![allow(clippy::print_stderr)]

use highroad::simulation::{AgentEventKind, AgentState};
use highroad_lab::case::{Case, CaseMap, CaseReport, CaseRun};
use std::path::{Path, PathBuf};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases").join(folder);
    let entries = std::fs::read_dir(&folder).expect("the folder of cases is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files
}

fn maps() -> PathBuf {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    std::env::var_os("HIGHROAD_MAPS").map_or_else(beside, PathBuf::from)
}

/// Runs a case and holds its events against those it expects.
fn check(file: &Path) -> (Case, CaseReport) {
    let case = Case::load(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let map = case.load_map(&maps()).unwrap();
    let mut lines = Vec::new();
    let run = CaseRun::new(&case, map).unwrap();
    let report = run.finish(&mut |event| lines.push(event.to_string())).unwrap();
    let expected = case.expected().unwrap_or_else(|| panic!("{} expects nothing", file.display()));
    assert_eq!(lines, expected, "{}", file.display());
    assert!(report.at_rest, "{}", file.display());
    (case, report)
}

#[test]
fn every_case_happens_as_it_says() {
    let files = files("");
    assert!(files.len() >= 10);
    let mut kinds = Vec::new();
    for file in &files {
        let (_, report) = check(file);
        kinds.extend(report.events.into_iter().map(|event| event.kind));
    }
    // What the cases are for: each of these happens in one of them.
    let some = |wanted: fn(&AgentEventKind) -> bool| kinds.iter().any(wanted);
    assert!(some(|kind| matches!(kind, AgentEventKind::Replanned { .. })));
    assert!(some(|kind| matches!(kind, AgentEventKind::Improved { .. })));
    assert!(some(|kind| matches!(kind, AgentEventKind::Costlier { .. })));
    assert!(some(|kind| matches!(kind, AgentEventKind::Unreachable { .. })));
    assert!(some(|kind| matches!(kind, AgentEventKind::GoalBlocked { .. })));
    assert!(some(|kind| matches!(kind, AgentEventKind::Buried { .. })));
    assert!(some(|kind| matches!(kind, AgentEventKind::Freed { .. })));
    assert!(some(|kind| matches!(kind, AgentEventKind::Leg { .. })));
    assert!(some(|kind| matches!(kind, AgentEventKind::RebuildSwapped { .. })));
}

#[test]
fn two_cases_are_on_large_maps_and_walk_on_while_a_planner_is_made() {
    let mut large = 0;
    for file in files("") {
        let case = Case::load(&file).unwrap();
        let extent = case.load_map(&maps()).unwrap().extent();
        if extent.width().min(extent.height()) < 512 {
            continue;
        }
        large += 1;
        let mut run = CaseRun::new(&case, case.load_map(&maps()).unwrap()).unwrap();
        let (mut started, mut walked) = (None, 0);
        let mut rebuilding = false;
        loop {
            let more = run.advance(&mut |event| match event.kind {
                AgentEventKind::RebuildStarted { .. } => rebuilding = true,
                AgentEventKind::RebuildSwapped { .. } => rebuilding = false,
                _ => {}
            });
            let agent = &run.simulation.agents()[0];
            match (rebuilding, started) {
                (true, None) => started = Some(agent.steps()),
                (false, Some(from)) => {
                    walked = agent.steps() - from;
                    break;
                }
                _ => {}
            }
            if !more.unwrap() {
                break;
            }
        }
        assert!(walked >= 2, "{}: {walked} steps during the rebuild", file.display());
        assert_eq!(run.simulation.agents()[0].state(), AgentState::Walking);
    }
    assert!(large >= 2);
}

#[test]
fn the_cases_of_the_thesis_happen_as_they_say() {
    for file in files("thesis") {
        let case = Case::load(&file).unwrap();
        let CaseMap::File(map) = &case.map else { panic!("{}: a public map", file.display()) };
        if maps().join(map).exists() {
            check(&file);
        } else {
            eprintln!("skipped {}: no {} in {}", file.display(), map.display(), maps().display());
        }
    }
}
