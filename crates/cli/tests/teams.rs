//! `highroad mapf`: plans for teams, saved, checked and drawn.

mod support;

use std::fs;
use support::ran;

#[test]
fn plans_are_found_saved_checked_and_drawn() {
    let folder = support::empty_folder("teams", "plans");
    let run = |line: &str, code| ran(&folder, line, code);
    let table = run(
        "mapf builtin:rooms --agents 20,40 --method lacam,pibt --improve 0.05 --save plan.txt --picture plan.png",
        0,
    );
    assert_eq!(table.lines().filter(|line| line.contains(" yes ")).count(), 4, "{table}");
    assert!(fs::read(folder.join("plan.png")).unwrap().starts_with(b"\x89PNG"));
    assert!(
        run("mapf builtin:rooms --agents 40 --check plan.txt", 0)
            .starts_with("a good plan: 40 agents")
    );
    let text = fs::read_to_string(folder.join("plan.txt")).unwrap();
    let (kept, _) = text.trim_end().rsplit_once(' ').unwrap();
    fs::write(folder.join("short.txt"), kept).unwrap();
    assert!(
        run("mapf builtin:rooms --agents 40 --check short.txt", 1)
            .starts_with("not a good plan: agent")
    );
    let json = run("mapf builtin:rooms --agents 5 --json", 0);
    assert!(json.starts_with(r#"{"method":"lacam","agents":5,"solved":true"#), "{json}");
}

#[test]
fn wrong_words_and_files_are_refused_in_a_sentence() {
    let folder = support::empty_folder("teams", "refused");
    let refused = |line: &str, words: &str| {
        let complaint = ran(&folder, line, 2);
        assert!(complaint.contains(words), "{line}: {complaint}");
    };
    refused("mapf builtin:rooms --method cbs", "there is no method 'cbs'");
    refused("mapf builtin:rooms --agents 100000", "there are only");
    refused("mapf builtin:rooms --seconds nan", "'nan' is not a number of seconds");
    refused("mapf builtin:rooms --scenario nosuch.scen", "nosuch.scen");
    fs::write(folder.join("bad.txt"), "team plan 1\n1,2 x\n").unwrap();
    refused("mapf builtin:rooms --check bad.txt", "line 2: 'x' is not a cell");
    fs::write(folder.join("other.scen"), "version 1\n0 a.map 3 3 0 0 1 1 2\n").unwrap();
    refused("mapf builtin:rooms --scenario other.scen", "for a map of 3 × 3 cells");
    fs::write(folder.join("shore.map"), "type octile\nheight 2\nwidth 4\nmap\n..WW\n..WW\n")
        .unwrap();
    refused("mapf shore.map --agents 2", "both land and water");
}
