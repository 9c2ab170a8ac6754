//! `highroad report` as a user runs it.

mod support;

use std::path::{Path, PathBuf};
use support::{RING, highroad, text};

fn folder(name: &str) -> PathBuf {
    support::empty_folder("report", name)
}

/// Two sets: one with a scenario of that length, one without a scenario and with an odd name.
fn maps(folder: &Path, length: &str) {
    for set in ["maps/rings", "maps/odd & <sets>"] {
        std::fs::create_dir_all(folder.join(set)).unwrap();
    }
    std::fs::write(folder.join("maps/rings/ring.map"), RING).unwrap();
    let scenario =
        format!("version 1\n0 ring.map 4 3 0 0 3 2 {length}\n0 ring.map 4 3 0 0 3 0 3\n");
    std::fs::write(folder.join("maps/rings/ring.map.scen"), scenario).unwrap();
    std::fs::write(folder.join("maps/odd & <sets>/a,b.map"), RING).unwrap();
}

const ARGUMENTS: [&str; 13] = [
    "report",
    "--maps",
    "maps",
    "--out",
    "out",
    "--queries",
    "6",
    "--growth",
    "16,32",
    "--growth-queries",
    "3",
    "--worst",
    "0",
];

#[test]
fn a_report_is_a_page_a_text_and_two_tables_and_goes_on_where_it_was() {
    let folder = folder("whole");
    maps(&folder, "5");
    let output = highroad(&folder, &ARGUMENTS);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    let entries = || highroad::catalog::CATALOG.iter().filter(|entry| entry.grid.is_some());
    let units = 8 * entries().count();
    let shown = text(&output.stdout);
    assert!(shown.starts_with(&format!("{units} units measured, 0 taken over")), "{shown}");

    let read = |name: &str| std::fs::read_to_string(folder.join("out").join(name)).unwrap();
    let page = read("index.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    assert!(page.contains("<h2>odd &amp; &lt;sets&gt;</h2>"), "sets are named as they are");
    assert!(page.contains("optimal lengths that the scenarios publish"));
    assert!(page.contains("rustc 1."), "the compiler is named");
    for entry in entries() {
        assert!(page.contains(entry.name) && read("report.md").contains(entry.name));
    }
    let queries = read("queries.csv");
    assert!(queries.contains("\"a,b\""), "names with commas are quoted");
    assert!(queries.lines().any(|line| line.contains("published,5,")), "{queries}");
    assert!(read("summary.csv").lines().any(|line| line.starts_with("all sets,,,astar,yes,2,")));

    let again = text(&highroad(&folder, &ARGUMENTS).stdout);
    assert!(again.starts_with(&format!("0 units measured, {units} taken over")), "{again}");
    let other = [&ARGUMENTS[..], &["--passes", "4"]].concat();
    let other = text(&highroad(&folder, &other).stdout);
    assert!(other.starts_with(&format!("{units} units measured, 0 taken over")), "{other}");
    assert!(other.contains(&format!("{units} units of other settings left aside")), "{other}");
}

#[test]
fn a_wrong_answer_is_bad_news_on_the_page_and_in_the_exit_code() {
    let folder = folder("wrong");
    maps(&folder, "4.5");
    let output = highroad(&folder, &[&ARGUMENTS[..], &["--planner", "astar,greedy"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    assert!(shown.contains("rings/ring, astar, 0,0 to 3,2: length 5, published 4.5"), "{shown}");
    let page = std::fs::read_to_string(folder.join("out/index.html")).unwrap();
    assert!(page.contains("class=\"alarm\"") && page.contains("length 5, published 4.5"));
}

#[test]
fn without_maps_it_measures_its_own() {
    let folder = folder("own");
    let arguments = ["report", "--planner", "jps,hpa", "--queries", "4", "--growth", "none"];
    let arguments = [&arguments[..], &["--worst", "4", "--out", "out"]].concat();
    let output = highroad(&folder, &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let page = std::fs::read_to_string(folder.join("out/index.html")).unwrap();
    assert!(page.contains("<h2>built-in</h2>") && page.contains("<h2>generated</h2>"));
    assert!(!page.contains("Growth with the size"), "none was measured");
    let markdown = std::fs::read_to_string(folder.join("out/report.md")).unwrap();
    assert!(page.contains("<h2>Worst cases</h2>"));
    for planner in ["jps", "hpa"] {
        assert!(markdown.contains(&format!("| {planner} | unreachable |")), "{markdown}");
    }
}

#[test]
fn errors_say_what_is_wrong_before_anything_is_measured() {
    let folder = folder("errors");
    std::fs::create_dir_all(folder.join("torn")).unwrap();
    std::fs::write(folder.join("torn/torn.map"), "type octile\nheight 1\nwidth 2\nmap\n.?\n")
        .unwrap();
    std::fs::write(folder.join("file"), "").unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["report", "--maps", "nowhere"], "cannot read nowhere"),
        (&["report", "--maps", "torn"], "torn.map, line 5, column 2"),
        (&["report", "--planner", "best"], "there is no planner 'best'"),
        (&["report", "--planner", "hpa:cluster=9999"], "cluster cannot be '9999'"),
        (&["report", "--growth", "8"], "write sides from 16 to 16384"),
        (&["report", "--passes", "2"], "3..=255"),
        (&["report", "--planner", "jps", "--out", "file/x"], "cannot write file/x/units"),
    ];
    for (arguments, expected) in cases {
        let output = highroad(&folder, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let complaint = text(&output.stderr);
        assert!(complaint.contains(expected), "{arguments:?} says: {complaint}");
    }
}
