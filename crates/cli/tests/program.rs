//! The program as a user runs it.

mod support;

use std::path::PathBuf;
use std::process::{Command, Output};
use support::{RING, text};

fn folder() -> PathBuf {
    support::folder_of("program")
}

fn highroad(arguments: &[&str]) -> Output {
    support::highroad(&folder(), arguments)
}

fn printed(arguments: &[&str]) -> String {
    support::printed(&folder(), arguments)
}

fn complaint(arguments: &[&str]) -> String {
    support::complaint(&folder(), arguments)
}

/// A path in the folder of these tests.
fn place(name: &str) -> PathBuf {
    folder().join(name)
}

fn write(name: &str, content: &str) -> String {
    support::write(&folder(), name, content)
}

#[test]
fn without_a_display_the_tour_runs_every_planner_and_draws() {
    let picture = place("highroad-tour.png");
    let _ = std::fs::remove_file(&picture);
    let tour = printed(&[]);
    assert!(tour.starts_with("No window: there is no display"), "{tour}");
    assert!(std::fs::read(&picture).unwrap().starts_with(b"\x89PNG\r\n"));
    for entry in highroad::catalog::CATALOG.iter().filter(|entry| entry.grid.is_some()) {
        assert!(tour.contains(entry.title), "{} is missing from:\n{tour}", entry.title);
    }
}

#[test]
fn the_tables_of_the_thesis_are_made_with_or_without_the_public_maps() {
    let page = printed(&["thesis", "3.2.7", "4.4", "--queries", "2", "--format", "markdown"]);
    assert!(page.contains("## Section 3.2.7: smoothing in PRA*"), "{page}");
    assert!(page.contains("| map02 "), "{page}");
    assert!(page.contains("Left out, since the maps are not there: brc101d, brc503d"), "{page}");
    let tables = place("tables");
    let shown =
        printed(&["thesis", "4.2", "--passes", "1", "--out", &tables.display().to_string()]);
    assert_eq!(shown.lines().count(), 2, "{shown}");
    let csv = std::fs::read_to_string(tables.join("thesis-4.2.csv")).unwrap();
    assert!(csv.starts_with("map,thesis_size,"), "{csv}");
    assert!(csv.contains("\nmap02,20 × 15,20 × 15,68.6,68.6667,12.2332,"), "{csv}");
    assert!(complaint(&["thesis", "4.9"]).contains("4.1, 4.2, 4.3, 4.4, 3.2.7"));
    assert!(complaint(&["thesis", "--maps", "nowhere"]).contains("nowhere is no folder of maps"));
}

#[test]
fn solve_prints_length_and_cells() {
    let map = write("ring.map", RING);
    let shown = printed(&["solve", &map, "--from", "0,0", "--to", "3,2", "--cells"]);
    assert!(shown.contains("length       5.0000"), "{shown}");
    assert!(shown.contains("cells        0,0 "), "{shown}");
    let shown = printed(&[
        "solve",
        &map,
        "--from",
        "0,0",
        "--to",
        "3,2",
        "--rule",
        "always-diagonal",
        "--planner",
        "bfs",
    ]);
    assert!(shown.contains("steps        3 straight, 1 diagonal"), "{shown}");
}

#[test]
fn solve_draws_a_png() {
    let picture = place("castle.png");
    let _ = std::fs::remove_file(&picture);
    printed(&["solve", "builtin:castle", "--draw", &picture.display().to_string()]);
    assert!(std::fs::read(&picture).unwrap().starts_with(b"\x89PNG\r\n"));
}

#[test]
fn render_draws_the_workbenchs_views() {
    for (name, start) in [("view.png", &b"\x89PNG\r\n"[..]), ("view.svg", b"<svg ")] {
        let picture = place(name);
        let _ = std::fs::remove_file(&picture);
        let out = picture.display().to_string();
        let arguments = ["render", "builtin:trap", "--layers", "all", "--theme", "dark"];
        printed(&[&arguments[..], &["--planner", "greedy", "--out", &out]].concat());
        assert!(std::fs::read(&picture).unwrap().starts_with(start), "{name}");
    }
    let out = place("odd.png").display().to_string();
    let shown = printed(&["render", "builtin:trap", "--layers", "moons", "--out", &out]);
    assert!(shown.contains("there is no layer 'moons' here; there are: all, search"), "{shown}");
    let wrong = complaint(&["render", "builtin:trap", "--out", "view.gif"]);
    assert!(wrong.contains("pictures end with .png or .svg"), "{wrong}");
}

#[test]
fn no_path_is_an_answer() {
    let map = write("split.map", "type octile\nheight 1\nwidth 5\nmap\n..@..\n");
    let shown = printed(&["solve", &map, "--from", "0,0", "--to", "4,0"]);
    assert!(shown.contains("no path; the nearest cell one can reach is (1, 0)"), "{shown}");
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    let map = write("errors.map", RING);
    let torn = write("torn.map", "type octile\nheight 2\nwidth 4\nmap\n.?..\n....\n");
    let cases: &[(&[&str], &str)] = &[
        (&["solve", &map], "--from X,Y --to X,Y"),
        (&["solve", &map, "--from", "1,1", "--to", "0,0"], "the start (1, 1) is blocked"),
        (
            &["solve", &map, "--from", "0,0", "--to", "9,9"],
            "the goal (9, 9) lies outside the map of 4 × 3",
        ),
        (&["solve", &map, "--from", "0;0", "--to", "9,9"], "write a cell as column,row"),
        (&["solve", &map, "--from", "-1,0", "--to", "0,0"], "write a cell as column,row"),
        (&["solve", &map, "--planner", "best"], "there is no planner 'best'; known are: bfs"),
        (&["solve", &map, "--rule", "fly"], "known rules are: four-way"),
        (&["solve", "missing.map", "--from", "0,0", "--to", "0,0"], "cannot read missing.map"),
        (
            &["solve", &torn, "--from", "0,0", "--to", "0,0"],
            "torn.map, line 5, column 2: '?' is no terrain",
        ),
        (&["solve", "builtin:moon"], "there are: castle"),
        (&["bench", "nowhere"], "cannot read nowhere"),
        (&["bench", &map, "--queries", "0"], "a number from 1 to 10000000, or all"),
        (&["verify", &map, "--planner", "astar:scale=x"], "scale cannot be 'x'"),
        (&["generate", "rooms", "--width", "0"], "each side must be from 1 to 16384"),
        (&["generate", "recipe", "cheese"], "there is no layout 'cheese'"),
    ];
    for (arguments, expected) in cases {
        let complaint = complaint(arguments);
        assert!(complaint.contains(expected), "{arguments:?} says: {complaint}");
    }
}

#[test]
fn bench_prints_one_json_object_for_each_map_and_planner() {
    let map = write("bench.map", RING);
    let rows = printed(&["bench", &map, "--planner", "astar,greedy", "--queries", "7", "--json"]);
    let rows: Vec<serde_json::Value> =
        rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 2);
    let keys = [
        "build_ms",
        "mean_us",
        "median_us",
        "p99_us",
        "expanded_mean",
        "suboptimality_mean_percent",
        "suboptimality_max_percent",
        "memory_bytes",
    ];
    for (row, planner) in rows.iter().zip(["astar", "greedy"]) {
        assert_eq!((&row["map"], &row["planner"]), (&"bench.map".into(), &planner.into()));
        assert_eq!((&row["queries"], &row["mismatches"]), (&7.into(), &0.into()));
        assert!(keys.iter().all(|key| row[key].is_number()), "{row}");
    }
}

#[test]
fn verify_fails_on_a_false_length_and_on_no_other() {
    write("right.map", RING);
    let right = write("right.map.scen", "version 1\n0 right.map 4 3 0 0 3 2 5\n");
    let shown = printed(&["verify", &right, "--planner", "all"]);
    assert!(shown.contains("astar: 1 queries, 0 violations"), "{shown}");
    write("wrong.map", RING);
    let wrong = write("wrong.map.scen", "version 1\n0 wrong.map 4 3 0 0 3 2 4.5\n");
    let output = highroad(&["verify", &wrong]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("length 5, published 4.5"), "{}", text(&output.stdout));
}

#[test]
fn planners_lists_the_whole_catalog() {
    let list = printed(&["planners"]);
    for entry in highroad::catalog::CATALOG {
        assert!(list.contains(&format!("{}: {}", entry.name, entry.title)), "{list}");
    }
    for (name, made_for) in
        [("regions", "graphs"), ("dijkstra", "grids and graphs"), ("hpa", "grids")]
    {
        let (_, about) = list.split_once(&format!("\n{name}: ")).unwrap();
        assert_eq!(about.lines().nth(2), Some(&*format!("    for: {made_for}")), "{list}");
    }
}

#[test]
fn generate_makes_the_same_map_from_its_recipe() {
    let (first, second) = (place("first.map"), place("second.map"));
    let arguments = ["generate", "maze", "--width", "41", "--height", "31", "--corridor", "2"];
    let recipe = printed(&[&arguments[..], &["--out", &first.display().to_string()]].concat());
    let line = recipe.lines().next().unwrap();
    printed(&["generate", "recipe", line, "--out", &second.display().to_string()]);
    assert_eq!(std::fs::read(&first).unwrap(), std::fs::read(&second).unwrap());
    assert_eq!(printed(&arguments).into_bytes(), std::fs::read(&first).unwrap());
}

#[test]
fn replay_checks_every_length_and_prints_the_promised_keys() {
    let scenario = "version 2\nheight 3\nwidth 5\ncost 1 octile\npatch gate.patch\ncommands\n\
                    P 0 0 2 0\nQ 0 0 0 4 0 -1\nP 1 1 2 1\nQ 1 0 1 4 1 4\n";
    let patches = "type patch\npatches 2\npatch 0\nheight 3\nwidth 1\nmap\n@\n@\n@\n\
                   patch 1\nheight 1\nwidth 1\nmap\n.\n";
    write("gate.patch", patches);
    let right = write("gate.scen", scenario);
    for line in printed(&["replay", &right, "--planner", "all", "--json"]).lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(row.as_object().unwrap().len(), 10, "{line}");
        assert_eq!(
            (&row["edits"], &row["queries"], &row["mismatches"]),
            (&1.into(), &2.into(), &0.into())
        );
    }
    let wrong = write("wrong-gate.scen", &scenario.replace("4 1 4\n", "4 1 3.9\n"));
    let output = highroad(&["replay", &wrong, "--planner", "astar"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("length 4, published 3.9"), "{}", text(&output.stdout));
    let broken = write("broken.scen", "version 2\nheight x\n");
    assert!(complaint(&["replay", &broken]).contains("line 2: 'x' is not a number"));
}

const DOOR: &str = "title = \"a door closes\"\nplanner = \"astar\"\n\
    [map]\ndrawing = \"\"\"\n...@...\n.......\n...@...\n\"\"\"\n\
    [[agent]]\nstart = [0, 1]\ngoal = [6, 1]\nstep_ms = 100\n\
    [[change]]\nafter_step = 1\nfill = [{ from = [3, 1], terrain = \"@\" }]\n";

#[test]
fn simulate_prints_events_and_holds_them_against_those_expected() {
    let case = write("door.toml", DOOR);
    let events = printed(&["simulate", &case, "--events"]);
    assert!(events.contains("1 agent 0 is cut off after 1 step"), "{events}");
    assert!(events.contains("no way leads to its goal"), "{events}");
    let shown = |expect: &str| {
        let case = format!("expect = \"\"\"\n{expect}\"\"\"\n{DOOR}");
        highroad(&["simulate", &write("expecting.toml", &case)])
    };
    let output = shown(&events);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("as expected: 5 events"), "{}", text(&output.stdout));
    let output = shown(&events.replace("nearest", "farthest"));
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("event 4 differs"), "{}", text(&output.stdout));
    let watched = printed(&["simulate", &case, "--watch"]);
    assert!(watched.contains("·") && watched.contains("⚑"), "{watched}");
    let missing = write(
        "far.toml",
        &DOOR.replace("drawing = \"\"\"\n...@...\n.......\n...@...\n\"\"\"", "file = \"no.map\""),
    );
    assert!(complaint(&["simulate", &missing]).contains("say with --maps where such maps lie"));
}

const MARCH: &str = "title = \"march\"\ntick_ms = 20\nticks_max = 2000\n[map]\n\
    drawing = \"\"\"\n..............\n..............\n..............\n\"\"\"\n\
    [[crowd]]\nfrom = [0, 0]\nto = [1, 2]\ncount = 4\ngoals = [[0, 0]]\nbody = {}\n\
    [[group]]\nagents = [0, 3]\ngoal = [11, 1]\n[check]\narrived_min = 4\ngroups_min = 1\n";

#[test]
fn simulate_runs_scenes_and_writes_json_pictures_and_films() {
    let scene = write("march.toml", MARCH);
    let files =
        ["density.png", "flow.png", "film.png"].map(|name| place(name).display().to_string());
    let pictures = ["--density", &files[0], "--flow", &files[1], "--film", &files[2]];
    let shown = printed(&[&["simulate", &scene, "--json"][..], &pictures[..]].concat());
    let report: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(report["outcome"]["arrived"], 4);
    assert_eq!(report["shortfalls"].as_array().map(Vec::len), Some(0));
    for file in &files {
        assert!(std::fs::read(file).unwrap().starts_with(b"\x89PNG"), "{file}");
    }
    let film = std::fs::read(&files[2]).unwrap();
    assert!(film.windows(4).any(|chunk| chunk == b"acTL"), "it is animated");
    let shown = printed(&["simulate", &scene]);
    assert!(shown.contains("4 arrived, 0 stopped, 0 on the way"), "{shown}");
    let asks_more = write("more.toml", &MARCH.replace("arrived_min = 4", "arrived_min = 5"));
    let output = highroad(&["simulate", &asks_more]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("4 agents have arrived, not 5"));
    let two = complaint(&["simulate", &scene, &scene, "--film", &files[2]]);
    assert!(two.contains("one case (FILE.toml) at a time"), "{two}");
}

#[test]
fn a_crowd_of_bodies_leaves_the_same_log_on_one_thread_and_on_two() {
    let run = |threads: &str| {
        let arguments = [
            "simulate",
            "builtin:castle",
            "--agents",
            "60",
            "--seconds",
            "3",
            "--bodies",
            "--fields",
        ];
        let more = ["--goals", "3", "--threads", threads, "--json"];
        let shown = printed(&[&arguments[..], &more[..]].concat());
        let report: serde_json::Value = serde_json::from_str(&shown).unwrap();
        assert_eq!(report["in_walls"], 0);
        report["log_hash"].clone()
    };
    assert!(run("1") == run("2"), "another log on two threads");
}

#[test]
fn a_crowd_leaves_the_same_log_on_one_thread_and_on_two() {
    let run = |threads: &str, name: &str| {
        let log = place(name);
        let arguments =
            ["simulate", "builtin:castle", "--agents", "60", "--seconds", "3", "--speed", "20"];
        let more = ["--threads", threads, "--log", &log.display().to_string(), "--json"];
        let report: serde_json::Value =
            serde_json::from_str(&printed(&[&arguments[..], &more[..]].concat())).unwrap();
        (std::fs::read_to_string(log).unwrap(), report["log_hash"].clone())
    };
    let one = run("1", "one.log");
    assert!(one.0.lines().count() > 100);
    assert!(one == run("2", "two.log"), "another log on two threads");
}

#[test]
fn worst_cases_are_measured_and_unknown_ones_are_refused() {
    let worst = ["bench", "--worst", "builtin:trap", "--planner", "hpa", "--ticks", "3"];
    let shown = printed(&[&worst[..], &["--case", "crowded"]].concat());
    assert!(shown.contains("crowded"), "{shown}");
    assert!(!shown.contains("weighted"), "{shown}");
    let wrong = complaint(&[&worst[..], &["--case", "moons"]].concat());
    assert!(wrong.contains("no case has such a name; there are: usual"), "{wrong}");
}

#[test]
fn a_hunt_repeats_a_seed_and_refuses_what_is_no_program() {
    let shown = printed(&["hunt", "--seed", "26", "--programs", "1"]);
    assert!(shown.contains("1 programs"), "{shown}");
    assert!(shown.contains("0 finds"), "{shown}");
    let file = write("hunt.json", "{\"seed\": 1}");
    let wrong = complaint(&["hunt", "--case", &file]);
    assert!(wrong.contains("is no program of a hunt: missing field `setting`"), "{wrong}");
}

/// What the workbench copies as a command runs, and finds the same path.
#[cfg(feature = "window")]
#[test]
fn a_query_copied_as_a_command_runs() {
    use highroad::grid::{MovementRule, Palette, Slopes, StepCosts};
    use highroad::{Cell, GridMap};
    use highroad_workbench::teach::{CopiedQuery, as_command};
    let drawing = "type octile\nheight 3\nwidth 5\nmap\n.....\n.@@@.\n.SSS.\n";
    let source = write("copied map.map", drawing);
    let map = GridMap::from_movingai(drawing.as_bytes()).unwrap();
    let mut query = CopiedQuery {
        map: &map,
        palette: Palette::Standard,
        source: &source,
        rule: MovementRule::FourWay,
        steps: StepCosts::THESIS,
        swamp: 9,
        size: 1,
        slopes: Slopes::new().with_climb_max(2),
        planner: "astar:textbook=yes",
        ends: (Cell::new(0, 2), Cell::new(4, 2)),
    };
    let run = |command: &str| {
        let program = env!("CARGO_BIN_EXE_highroad");
        let command = command.replacen("highroad", &format!("'{program}'"), 1);
        let output = Command::new("sh").args(["-c", &command]).output().expect("it starts");
        assert!(output.status.success(), "{command}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    let round = run(&as_command(&query));
    assert!(round.contains("8 straight"), "swamp costs 9, so that the path goes round it: {round}");
    query.swamp = 1;
    let straight = run(&as_command(&query));
    assert!(straight.contains("4 straight"), "{straight}");
    // A hill in the way, which the file beside the map has as well.
    let mut hilly = map.clone();
    hilly.set_height(Cell::new(2, 2), 5);
    write("copied map.map.ground.toml", "heights = \"copied heights.txt\"\n");
    write("copied heights.txt", "0 0 0 0 0\n0 0 0 0 0\n0 0 5 0 0\n");
    let round = run(&as_command(&CopiedQuery { map: &hilly, ..query }));
    assert!(round.contains("8 straight"), "5 is more than it climbs: {round}");
}
