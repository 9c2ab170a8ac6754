//! Making, changing and comparing maps, as a user does it.

mod support;

use std::path::{Path, PathBuf};
use support::ran;

fn folder(name: &str) -> PathBuf {
    support::empty_folder("maps", name)
}

fn read(folder: &Path, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).unwrap()
}

#[test]
fn every_kind_of_map_is_made_again_from_its_file_byte_for_byte() {
    let folder = folder("generate");
    for kind in [
        "obstacles --blocked 30",
        "rooms --room 7",
        "maze --corridor 3 --braid 20",
        "caves --noise 50 --apart",
        "city --block 20 --street 6",
        "islands --size 24",
        "highlands --size 24 --highest 90",
        "colony --room 5",
        "hills --size 24 --classes 9",
    ] {
        let made =
            ran(&folder, &format!("generate {kind} --width 70 --height 50 --seed 9 -o a.map"), 0);
        ran(&folder, "generate like a.map --out b.map", 0);
        assert_eq!(read(&folder, "a.map"), read(&folder, "b.map"), "{kind}");
        // The line that is printed, and the command that is in the file.
        let recipe = made.lines().next().unwrap();
        ran(&folder, &format!("generate recipe '{recipe}' -o c.map"), 0);
        assert_eq!(read(&folder, "a.map"), read(&folder, "c.map"), "{kind}");
        let file = String::from_utf8(read(&folder, "a.map")).unwrap();
        let command = file.lines().last().unwrap().strip_prefix("# made by: highroad ").unwrap();
        ran(&folder, &format!("{command} -o d.map"), 0);
        assert_eq!(read(&folder, "a.map"), read(&folder, "d.map"), "{kind}");
    }
    std::fs::write(folder.join("own.map"), "type octile\nheight 1\nwidth 2\nmap\n..\n").unwrap();
    let complaint = ran(&folder, "generate like own.map", 2);
    assert!(complaint.contains("own.map does not say how it was made"), "{complaint}");
    let complaint = ran(&folder, "generate city --block 10 --street 9", 2);
    assert!(complaint.contains("street=9: it must be from 2 to 5"), "{complaint}");
}

#[test]
fn a_network_of_roads_is_made_again_from_its_file() {
    let folder = folder("roads");
    ran(&folder, "graph generate --nodes 200 --seed 7 --out a.gr", 0);
    ran(&folder, "graph generate --like a.gr --out b.gr", 0);
    for ending in ["gr", "co"] {
        assert_eq!(read(&folder, &format!("a.{ending}")), read(&folder, &format!("b.{ending}")));
    }
    ran(&folder, "graph solve b.gr --from 0 --to 199", 0);
    std::fs::write(folder.join("own.gr"), "p sp 1 0\n").unwrap();
    assert!(
        ran(&folder, "graph generate --like own.gr --out c.gr", 2).contains("own.gr does not say")
    );
}

/// What a file about the ground says of borders, heights and links, without the names of files.
fn ground(folder: &Path, name: &str) -> String {
    let text = String::from_utf8(read(folder, &format!("{name}.ground.toml"))).unwrap();
    text.lines().skip(1).filter(|line| !line.starts_with("heights")).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_shape_of_the_ground_goes_with_its_map() {
    let folder = folder("ground");
    ran(&folder, "generate colony --width 40 --height 30 --room 5 --out a.map", 0);
    let walls = ground(&folder, "a.map");
    assert!(walls.contains("side = \"east\"") && walls.contains("pass = \"none\""), "{walls}");
    let mut before = "a.map";
    for after in ["b.png", "c.tmx", "d.tmj", "e.txt", "f.map"] {
        ran(&folder, &format!("convert {before} {after}"), 0);
        if after.ends_with(".tmx") || after.ends_with(".tmj") {
            // Levels of Tiled hold it themselves.
            assert!(!folder.join(format!("{after}.ground.toml")).exists(), "{after}");
        } else {
            assert_eq!(ground(&folder, after), walls, "{after}");
        }
        before = after;
    }
    // The walls count: without their file the way is shorter.
    let cost = |line: &str| -> u64 {
        let reported = ran(&folder, line, 0);
        let cost = reported.lines().find_map(|line| line.trim().strip_prefix("cost"));
        let digits: String = cost.unwrap().chars().filter(char::is_ascii_digit).collect();
        digits.parse().unwrap()
    };
    let solve = "solve f.map --from 0,0 --to 39,29";
    let around = cost(solve);
    ran(&folder, "render f.map --from 0,0 --to 39,29 --layers path,clearance --out f.png", 0);
    std::fs::remove_file(folder.join("f.map.ground.toml")).unwrap();
    assert!(cost(solve) < around);
    // Heights as a picture, as a matrix, and as a picture again.
    ran(&folder, "generate highlands --width 40 --height 30 --size 12 --out h.map", 0);
    ran(&folder, "convert h.map i.map --matrix", 0);
    ran(&folder, "convert i.map j.map", 0);
    let (first, again) = (read(&folder, "h.map.heights.png"), read(&folder, "j.map.heights.png"));
    assert_eq!(first, again);
    let rows = String::from_utf8(read(&folder, "i.map.heights.txt")).unwrap();
    assert_eq!(rows.lines().count(), 30);
    let flat =
        ran(&folder, "generate highlands --width 40 --height 30 --size 8 --lakes 0 --out k.map", 0);
    assert!(flat.contains("k.map.ground.toml"), "{flat}");
    let flat = cost("solve k.map --from 0,0 --to 39,29");
    let steep = cost("solve k.map --from 0,0 --to 39,29 --slopes 300/300/50/0");
    assert!(steep > flat, "uphill costs more: {steep}, {flat}");
    // What is wrong is named with its place.
    std::fs::write(
        folder.join("h.map.ground.toml"),
        "[[links]]\nfrom = [0, 0]\nto = [0, 0]\ncost = 1\n",
    )
    .unwrap();
    let complaint = ran(&folder, "solve h.map --from 0,0 --to 9,9", 2);
    assert!(complaint.contains("h.map.ground.toml, line 1, column 1: the link"), "{complaint}");
    // A map without any leaves none behind.
    ran(&folder, "generate rooms --width 40 --height 30 --out h.map", 0);
    assert!(!folder.join("h.map.ground.toml").exists());
    let complaint = ran(&folder, "generate colony", 2);
    assert!(complaint.contains("say where with --out"), "{complaint}");
}

#[test]
fn a_map_goes_through_every_format_and_every_command_reads_them() {
    let folder = folder("convert");
    ran(&folder, "generate islands --width 40 --height 30 --size 12 --out a.map", 0);
    let mut before = "a.map";
    for after in ["b.png", "c.tmx", "d.tmj", "e.txt", "f.map"] {
        let reported = ran(&folder, &format!("convert {before} {after}"), 0);
        assert!(reported.starts_with("40 × 30 cells ("), "{reported}");
        before = after;
    }
    let plain = |name: &str| {
        let text = String::from_utf8(read(&folder, name)).unwrap();
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(plain("a.map"), plain("f.map"));
    assert!(folder.join("c-tiles.png").is_file());
    let lengths: Vec<String> = ["a.map", "b.png", "c.tmx", "d.tmj", "e.txt"]
        .iter()
        .map(|name| {
            let reported = ran(&folder, &format!("compare {name} --planner astar --format csv"), 0);
            reported.lines().nth(1).unwrap().split(',').nth(2).unwrap().to_owned()
        })
        .collect();
    assert!(lengths.iter().all(|length| *length == lengths[0]), "{lengths:?}");
    ran(&folder, "bench b.png c.tmx --queries 5 --planner jps", 0);
    ran(&folder, "convert builtin:castle castle.tmj", 0);
}

#[test]
fn what_cannot_be_converted_is_told_with_its_place() {
    let folder = folder("complaints");
    ran(&folder, "convert builtin:castle a.png", 0);
    assert!(ran(&folder, "convert a.png a.jpg", 2).contains("one of .map, .txt, .png, .tmx"));
    ran(&folder, "render builtin:castle --out drawn.png", 0);
    let complaint = ran(&folder, "solve drawn.png", 2);
    assert!(complaint.contains("the pixel in column 0, row 0"), "{complaint}");
    assert!(complaint.contains("`highroad convert` reads others with --colour"), "{complaint}");
    assert!(
        ran(&folder, "scenario builtin:castle", 2).contains("convert builtin:castle castle.map")
    );
    assert!(ran(&folder, "convert b.png a.map", 2).contains("cannot read b.png"));
    std::fs::write(folder.join("x.map"), "type octile\nheight 1\nwidth 2\nmap\n.x\n").unwrap();
    assert!(ran(&folder, "solve x.map", 2).contains("x.map, line 5, column 2: 'x' is no terrain"));
    let level = "<map>\n<tileset firstgid=\"1\" name=\"t\"><tile id=\"0\" class=\"lava\"/></tileset>\n\
                 <layer name=\"ground\" width=\"2\" height=\"1\"><data encoding=\"csv\">1,1</data></layer></map>";
    std::fs::write(folder.join("x.tmx"), level).unwrap();
    let complaint = ran(&folder, "convert x.tmx x.txt", 2);
    assert!(
        complaint.contains("x.tmx, layer 'ground', column 0, row 0, tile 1: its class is 'lava'"),
        "{complaint}"
    );
    assert!(ran(&folder, "convert x.tmx x.txt --layer sky", 2).contains("there are: ground"));
    assert!(ran(&folder, "convert x.tmx x.txt --property deep", 2).contains("tiles have: class"));
    assert!(ran(&folder, "convert a.png b.txt --colour red=W", 2).contains("six digits"));
    assert!(ran(&folder, "convert a.png b.txt --empty X", 2).contains("one of the letters"));
}

#[test]
fn a_scenario_that_was_made_is_verified_without_a_violation() {
    let folder = folder("scenario");
    for kind in ["hills --size 20 --classes 8", "islands --size 20", "rooms --room 5"] {
        for (options, rules) in [
            ("--seed 3", ""),
            ("--queries 60 --rule four-way", "--rule four-way"),
            ("--per-bucket 2 --steps thesis", "--steps thesis"),
        ] {
            ran(&folder, &format!("generate {kind} --width 60 --height 50 --out m.map"), 0);
            let reported = ran(&folder, &format!("scenario m.map {options} --force"), 0);
            assert!(reported.contains("queries in buckets 0 to "), "{reported}");
            let text = read(&folder, "m.map.scen");
            ran(&folder, &format!("scenario m.map {options} --out again.scen --force"), 0);
            assert_eq!(text, read(&folder, "again.scen"));
            for planners in ["astar", "all"] {
                let line = format!("verify m.map --planner {planners} {rules}");
                let reported = ran(&folder, &line, 0);
                let queries = text.iter().filter(|&&byte| byte == b'\n').count();
                assert!(queries > 20 && !reported.contains("astar: 0 queries"), "{reported}");
            }
        }
    }
    // The lengths are what is checked: a wrong one is a violation.
    let text = String::from_utf8(read(&folder, "again.scen")).unwrap();
    let wrong = text.replacen(".40000000\n", ".50000000\n", 1);
    assert_ne!(wrong, text);
    std::fs::write(folder.join("again.scen"), wrong).unwrap();
    let reported = ran(&folder, "verify again.scen --steps thesis", 1);
    assert!(reported.contains("1 violations"), "{reported}");
}

#[test]
fn a_dynamic_scenario_that_was_made_is_replayed_without_a_mismatch() {
    let folder = folder("dynamic");
    ran(&folder, "generate city --width 90 --height 70 --block 24 --street 6 --out m.map", 0);
    let reported = ran(&folder, "scenario m.map --dynamic --changes 10 --queries 110 --seed 4", 0);
    assert!(
        reported.starts_with("110 queries and 10 changes, written to m.map.dynamic.scen"),
        "{reported}"
    );
    let reported = ran(&folder, "replay m.map.dynamic.scen --planner all", 0);
    assert!(reported.contains("astar") && reported.contains("hpa"), "{reported}");
    ran(&folder, "generate hills --width 30 --height 20 --out w.map", 0);
    assert!(ran(&folder, "scenario w.map --dynamic", 2).contains("weighted terrain"));
    assert!(
        ran(&folder, "scenario m.map --dynamic --force --rule four-way", 2)
            .contains("benchmarks' rules")
    );
    assert!(ran(&folder, "scenario m.map --changes 5", 2).contains("--dynamic"));
    assert!(ran(&folder, "scenario m.map --buckets 9-3", 2).contains("the smaller first"));
    assert!(
        ran(&folder, "scenario m.map --force --buckets 900", 2)
            .contains("of a length in these buckets")
    );
}

#[test]
fn planners_are_compared_in_every_format_and_drawn() {
    let folder = folder("compare");
    let reported = ran(&folder, "compare builtin:castle --picture a.png", 0);
    assert!(
        reported.contains("the map's own query") && reported.contains("drawn in a.png"),
        "{reported}"
    );
    for entry in highroad::catalog::CATALOG.iter().filter(|entry| entry.grid.is_some()) {
        assert!(
            reported.lines().any(|line| line.starts_with(entry.name)),
            "{}: {reported}",
            entry.name
        );
    }
    assert!(read(&folder, "a.png").starts_with(b"\x89PNG"));
    ran(&folder, "compare builtin:castle --planner astar,dijkstra,greedy --picture b.svg", 0);
    let svg = String::from_utf8(read(&folder, "b.svg")).unwrap();
    assert!(svg.contains(">astar, dijkstra: ") && svg.contains(">greedy: "), "one line each path");
    let line = |format: &str| {
        let line = format!("compare builtin:castle --planner astar,hpa --format {format}");
        ran(&folder, &line, 0)
    };
    let table = line("markdown");
    assert!(table.starts_with("| planner ") && table.contains("vs. optimal"), "{table}");
    // As in the window.
    let astar = table.lines().find(|line| line.starts_with("| astar ")).unwrap();
    assert!(astar.contains(" +0 % "), "{astar}");
    let csv = line("csv");
    assert!(csv.starts_with("planner,guarantee,length,cost,above_optimal_percent,"));
    assert!(csv.lines().all(|line| line.split(',').count() == 11), "{csv}");
    for object in line("json").lines() {
        let row: serde_json::Value = serde_json::from_str(object).unwrap();
        assert!(row["length"].as_f64() > Some(70.0) && row["expanded"].is_u64(), "{row}");
    }
    assert!(ran(&folder, "compare builtin:castle --from 1,1", 2).contains("say both where"));
    assert!(ran(&folder, "compare builtin:castle --from 0,0 --to 5,5", 2).contains("(0, 0)"));
    assert!(ran(&folder, "compare builtin:castle --picture a.gif", 2).contains(".png or .svg"));
    std::fs::write(folder.join("apart.txt"), ".#.\n.#.\n").unwrap();
    let reported = ran(&folder, "compare apart.txt --from 0,0 --to 2,0", 0);
    assert!(reported.contains("There is no path between them."), "{reported}");
    let reported = ran(&folder, "compare apart.txt", 0);
    assert!(reported.contains("about as far apart as can be"), "{reported}");
}

#[test]
fn every_shell_gets_a_script_that_knows_the_commands() {
    let folder = folder("completions");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = ran(&folder, &format!("completions {shell}"), 0);
        assert!(script.contains("convert") && script.contains("per-bucket"), "{shell}");
    }
    assert!(ran(&folder, "completions tcsh", 2).contains("possible values"));
}

#[test]
fn a_survey_tells_what_maps_are_like() {
    let folder = folder("survey");
    ran(&folder, "generate rooms --width 60 --height 60 --room 5 --out a.map", 0);
    let reported = ran(&folder, "survey . --queries 20", 0);
    assert!(reported.contains("detour") && reported.contains("a.map"), "{reported}");
    let json = ran(&folder, "survey a.map --queries 20 --json", 0);
    let row: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((row["parts"].as_u64(), row["queries"].as_u64()), (Some(1), Some(20)));
}

#[test]
fn files_are_written_over_only_by_force() {
    let folder = folder("force");
    ran(&folder, "convert builtin:castle m.map", 0);
    ran(&folder, "graph generate --nodes 50 --out a.gr", 0);
    for line in [
        "scenario m.map --queries 5",
        "scenario m.map --dynamic --changes 2 --queries 6",
        "graph generate --nodes 60 --out b.gr",
    ] {
        ran(&folder, line, 0);
        let reported = ran(&folder, line, 2);
        assert!(reported.contains("is there already; --force writes over it"), "{reported}");
        ran(&folder, &format!("{line} --force"), 0);
    }
    // The other file of the two counts as well.
    std::fs::remove_file(folder.join("b.gr")).unwrap();
    let reported = ran(&folder, "graph generate --nodes 60 --out b.gr", 2);
    assert!(reported.contains("b.co is there already"), "{reported}");
}

#[test]
fn what_cannot_be_done_is_an_error_and_leaves_no_file() {
    let folder = folder("refused");
    for (line, expected) in [
        ("solve builtin:castle --draw x.jpg", "x.jpg: a picture is written as .png"),
        ("generate maze --out m.map --draw x.gif", "x.gif: a picture is written as .png"),
        ("open nosuch.map", "cannot read nosuch.map"),
        ("graph generate --nodes 50 --out a.co", "a.co: a network ends with .gr"),
    ] {
        let reported = ran(&folder, line, 2);
        assert!(reported.contains(expected), "{line}: {reported}");
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

/// Twice the diagonal step has to fit into 16 bits; beyond that the program panicked.
#[test]
fn steps_above_32767_are_an_error() {
    let folder = folder("steps");
    ran(&folder, "convert builtin:castle m.map", 0);
    for line in
        ["solve builtin:castle --steps 30000/32768", "bench m.map --queries 1 --steps 32768/40000"]
    {
        let reported = ran(&folder, line, 2);
        assert!(reported.contains("a step could cost"), "{line}: {reported}");
    }
    ran(&folder, "solve builtin:castle --steps 32767/32767", 0);
}

/// So many threads as the machine could not make were an error of the system, or a panic.
#[test]
fn threads_are_between_0_and_1024() {
    let folder = folder("threads");
    let line = "simulate builtin:castle --ticks 2 --seconds 1 --agents 3 --threads";
    for count in ["1025", "100000"] {
        let reported = ran(&folder, &format!("{line} {count}"), 2);
        assert!(reported.contains("is not in 0..=1024"), "{count}: {reported}");
    }
    for count in ["0", "3"] {
        ran(&folder, &format!("{line} {count}"), 0);
    }
}

/// One letter of the weighted maps changes what all others mean: whoever drew the map is to know.
#[test]
fn a_letter_that_switches_the_palette_is_reported() {
    let folder = folder("palette");
    let slip = "type octile\nheight 3\nwidth 4\nmap\n....\n.WD.\n....\n";
    std::fs::write(folder.join("slip.map"), slip).unwrap();
    let command = |line: &str| {
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_highroad"));
        let output = program.args(line.split(' ')).current_dir(&folder).output().unwrap();
        let warned = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{line}: {warned}");
        warned
    };
    for line in [
        "solve slip.map --from 0,0 --to 3,0",
        "survey slip.map",
        "scenario slip.map",
        "bench slip.map --queries 1",
        "verify slip.map --sample 1",
        "storm slip.map --planner hpa --edits 1",
        "report --maps slip.map --planner astar --growth 16 --growth-queries 1 --out report",
    ] {
        let warned = command(line);
        let expected = "'D' at (2, 1) makes this a map of weighted";
        let named = warned.starts_with("warning: ") && warned.contains("slip");
        assert!(warned.contains(expected) && named, "{line}: {warned}");
    }
    std::fs::write(folder.join("right.txt"), "AB..\nCDEF\n").unwrap();
    assert_eq!(command("solve right.txt --from 0,0 --to 3,0"), "");
}
