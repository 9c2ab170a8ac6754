//! Every scene that comes with the project: what it asks for comes of it, and the same each time.

use highroad_lab::case::{Case, CaseRun, Outcome};
use std::path::{Path, PathBuf};

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let entries = std::fs::read_dir(&folder).expect("the folder of scenes is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files
}

fn run(case: &Case) -> (Outcome, Vec<String>, Vec<String>) {
    let map = case.load_map(Path::new("")).unwrap();
    let mut lines = Vec::new();
    let run = CaseRun::new(case, map).unwrap();
    let report = run.finish(&mut |event| lines.push(event.to_string())).unwrap();
    (report.outcome, report.shortfalls, lines)
}

#[test]
fn every_scene_comes_to_what_it_asks_for() {
    let files = files();
    assert!(files.len() >= 12, "a dozen ship: {}", files.len());
    let mut failed = Vec::new();
    for file in &files {
        let case = Case::load(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert!(case.check.is_some(), "{} asks for nothing", file.display());
        let (outcome, shortfalls, _) = run(&case);
        if !shortfalls.is_empty() {
            failed.push(format!("{}: {shortfalls:?} {outcome:?}", file.display()));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn a_scene_happens_the_same_way_every_time() {
    for name in ["formation.toml", "kinds.toml"] {
        let file = files().into_iter().find(|file| file.ends_with(name)).unwrap();
        let case = Case::load(&file).unwrap();
        assert!(run(&case) == run(&case), "{name}");
    }
}

#[test]
fn scenes_that_make_no_sense_are_refused_in_a_sentence() {
    let scene = |more: &str| {
        let head = "title = \"t\"\n[map]\ndrawing = \"\"\"\n....\n\"\"\"\n";
        Case::parse(&format!("{head}{more}"))
    };
    let refused = |more: &str, sentence: &str| {
        let error = scene(more).unwrap_err().to_string();
        assert!(error.contains(sentence), "{error}");
    };
    let crowd = "[[crowd]]\nfrom = [0, 0]\nto = [3, 0]\n";
    refused("", "nobody walks");
    refused(&format!("{crowd}count = 2\ngoals = []"), "crowd 0: it has no goal");
    refused(&format!("{crowd}count = 2\ngoals = [[1, 0]]\nfeild = true"), "unknown field `feild`");
    let agent = "[[agent]]\nstart = [0, 0]\ngoal = [3, 0]\n";
    refused(&format!("{agent}patience = 5\npatient = 5"), "unknown field `patient`");
    refused(&format!("{crowd}count = 2000000\ngoals = [[0, 0]]"), "at most 100000");
    refused(
        &format!("{crowd}count = 2\ngoals = [[0, 0]]\nkind = \"cat\""),
        "there is no kind 'cat'",
    );
    refused(
        &format!("{crowd}count = 2\ngoals = [[0, 0]]\n[[kind]]\nname = \"cat\"\nwithout = \"ü\""),
        "kind 'cat': 'ü' is no terrain",
    );
    let group =
        format!("{crowd}count = 2\ngoals = [[0, 0]]\n[[group]]\nagents = [0, 1]\ngoal = [3, 0]");
    let case = scene(&group).unwrap();
    let mut run = CaseRun::new(&case, case.load_map(Path::new("")).unwrap()).unwrap();
    let error = run.advance(&mut |_| ()).unwrap_err();
    assert_eq!(error.to_string(), "group 0: agent 0 has no body");
}
