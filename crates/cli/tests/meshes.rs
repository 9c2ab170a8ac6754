//! Meshes on the command line, as a user has them.

mod support;

use std::path::PathBuf;
use std::process::Output;
use support::{RING, text};

fn folder() -> PathBuf {
    support::folder_of("meshes")
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

fn write(name: &str, content: &str) -> String {
    support::write(&folder(), name, content)
}

/// A corridor round a corner, of two polygons.
const CORNER: &str = "mesh\n2\n6 2\n0 0 2 0 1\n4 0 1 0\n4 1 1 0\n1 1 2 0 1\n1 4 1 1\n0 4 1 1\n\
                      4 0 1 2 3 1 -1 -1 -1\n4 0 3 4 5 -1 0 -1 -1\n";

#[test]
fn a_mesh_file_is_solved_drawn_compared_measured_and_verified() {
    let mesh = write("corner.mesh", CORNER);
    let scenario = write("corner.scen", "version 1\n0 corner.mesh 4 4 4 1 0 4 6.16227766\n");
    let ends = ["--from", "4,1", "--to", "0,4"];
    let solved = printed(&[&["solve", &mesh, "--cells"][..], &ends].concat());
    assert!(solved.contains("length       6.162278"), "{solved}");
    assert!(solved.contains("points       4,1 1,1 0,4"), "{solved}");
    assert!(solved.contains("legs         2, through 2 polygons"), "{solved}");
    let compared = printed(&[&["compare", &mesh][..], &ends].concat());
    assert!(compared.contains("any-angle") && compared.contains("funnel"), "{compared}");
    assert!(!compared.contains("astar"), "{compared}");
    for ending in ["png", "svg"] {
        let picture = write(&format!("corner.{ending}"), "");
        printed(&[&["render", &mesh, "--layers", "all", "--out", &picture][..], &ends].concat());
        assert!(std::fs::metadata(&picture).unwrap().len() > 500);
    }
    let verified = printed(&["verify", &mesh, "--planner", "all"]);
    assert!(verified.contains("any-angle: 1 queries, 0 violations"), "{verified}");
    let measured = printed(&["bench", &mesh, "--json", "--passes", "1"]);
    assert!(measured.contains("\"queries\":1,") && measured.contains("\"mismatches\":0"));
    let wrong = write("wrong.scen", "version 1\n0 corner.mesh 4 4 4 1 0 4 5.16227766\n");
    let output = highroad(&["verify", &mesh, "--scenario", &wrong]);
    assert_eq!(output.status.code(), Some(1), "{scenario}: {}", text(&output.stdout));
}

#[test]
fn shapes_of_geojson_and_meshes_in_json_are_meshes() {
    let shape =
        r#"{"type": "Polygon", "coordinates": [[[0,0],[4,0],[4,1],[1,1],[1,4],[0,4],[0,0]]]}"#;
    let polygons =
        r#"{"vertices": [[0,0],[4,0],[4,1],[1,1],[1,4],[0,4]], "polygons": [[0,1,2,3],[0,3,4,5]]}"#;
    for (name, content) in [("yard.geojson", shape), ("yard.mesh.json", polygons)] {
        let file = write(name, content);
        let solved = printed(&["solve", &file, "--from", "4,1", "--to", "0,4"]);
        assert!(solved.contains("length       6.162278"), "{name}: {solved}");
        let verified = printed(&["verify", &file, "--planner", "all"]);
        assert!(verified.contains("0 violations"), "{verified}");
    }
    let broken = write("broken.geojson", r#"{"type": "Polygon", "coordinates": [[[0, 0], [1]]]}"#);
    let said = complaint(&["solve", &broken, "--from", "0,0", "--to", "1,1"]);
    assert!(
        said.contains("broken.geojson: coordinates[0][1]: it must be a pair of numbers"),
        "{said}"
    );
}

#[test]
fn a_map_becomes_a_mesh() {
    let map = write("ring.map", RING);
    write("ring.map.scen", "version 1\n0 ring.map 4 3 0 0 3 2 5\n");
    let solved = printed(&["solve", &map, "--mesh", "--from", "0.5,0.5", "--to", "3.5,2.5"]);
    assert!(solved.contains("made in") && solved.contains("optimal"), "{solved}");
    let verified = printed(&["verify", &map, "--mesh", "--planner", "all"]);
    assert!(verified.contains("funnel: 1 queries, 0 violations"), "{verified}");
    let own = printed(&["solve", "builtin:castle", "--mesh", "--planner", "funnel"]);
    assert!(own.contains("near optimal"), "{own}");
    let picture = write("paths.svg", "");
    let compared = printed(&["compare", "builtin:castle", "--mesh", "--picture", &picture]);
    assert!(
        compared.contains("the map's own query") && compared.contains("drawn in"),
        "{compared}"
    );
    assert!(std::fs::read_to_string(&picture).unwrap().contains("any-angle"));
}

#[test]
fn obstacles_stand_on_meshes() {
    let map = write(
        "open.map",
        "type octile\nheight 4\nwidth 8\nmap\n........\n........\n........\n........\n",
    );
    let ends = ["--mesh", "--from", "0,2", "--to", "8,2", "--obstacle", "3,1,5,1,5,4,3,4"];
    let solved = printed(&[&["solve", &map, "--cells"][..], &ends].concat());
    assert!(solved.contains("points       0,2 3,1 5,1 8,2"), "{solved}");
    let compared = printed(&[&["compare", &map][..], &ends].concat());
    assert!(compared.contains("corner-labels"), "{compared}");
    let picture = write("obstacle.svg", "");
    printed(&[&["render", &map, "--layers", "all", "--out", &picture][..], &ends].concat());
    assert!(std::fs::metadata(&picture).unwrap().len() > 500);
    let said = complaint(&["solve", &map, "--obstacle", "3,1,5,1,5,4"]);
    assert!(said.contains("--obstacle is for meshes"), "{said}");
    let said = complaint(&["solve", &map, "--mesh", "--obstacle", "0,0,1,1,1,0,0,1"]);
    assert!(said.contains("sides 0 and 2 of the outline meet"), "{said}");
    let said = complaint(&["solve", &map, "--mesh", "--obstacle", "0,0,1,1,1"]);
    assert!(said.contains("one too many"), "{said}");
}

#[test]
fn mistakes_are_named() {
    let (mesh, map) = (write("named.mesh", CORNER), write("named.map", RING));
    let said = complaint(&["solve", &mesh, "--from", "9,9", "--to", "0,0"]);
    assert!(said.contains("(9, 9) lies beside the mesh"), "{said}");
    let said = complaint(&["solve", &mesh, "--from", "0,0", "--to", "1,1", "--planner", "astar"]);
    assert!(said.contains("astar"), "{said}");
    let said = complaint(&["solve", &mesh]);
    assert!(said.contains("--from X,Y --to X,Y"), "{said}");
    let said = complaint(&["solve", &mesh, "--from", "0,0"]);
    assert!(said.contains("say both"), "{said}");
    let said = complaint(&["solve", &mesh, "--from", "nan,0", "--to", "1,1"]);
    assert!(said.contains("must be finite"), "{said}");
    let said = complaint(&["solve", &map, "--from", "0.5,0", "--to", "1,0"]);
    assert!(said.contains("points with fractions are for meshes"), "{said}");
    let said = complaint(&["solve", &map, "--mesh", "--rule", "four-way"]);
    assert!(said.contains("cannot be used with"), "{said}");
    let said = complaint(&["verify", &map, "--scenario", &mesh]);
    assert!(said.contains("--scenario is for meshes"), "{said}");
    let said = complaint(&["bench", &mesh, &map]);
    assert!(said.contains("--mesh makes meshes of maps"), "{said}");
    let broken = write("broken.mesh", "mesh\n2\n3 1\n0 0 1 0\n1 0 1 0\n");
    let said = complaint(&["solve", &broken, "--from", "0,0", "--to", "1,1"]);
    assert!(said.contains("broken.mesh, line"), "{said}");
    let weighted = write("weighted.map", "type octile\nheight 2\nwidth 3\nmap\nABC\nDEF\n");
    let said = complaint(&["solve", &weighted, "--mesh", "--from", "0,0", "--to", "1,1"]);
    assert!(said.contains("a mesh has no costs"), "{said}");
}

#[test]
fn areas_links_and_polygons_of_tiled_are_used_and_drawn() {
    let text = r#"{"areas": [{"outer": [[0,0],[10,0],[10,4],[0,4]]}],
        "obstacles": [{"name": "pond", "outline": [[4,0],[6,0],[6,4],[4,4]], "class": 2}],
        "links": [{"name": "jump", "from": [3,2], "to": [7,2], "cost": 9, "class": 7}]}"#;
    let mesh = write("pond.mesh.json", text);
    let solve = |more: &[&str]| {
        let all = [&["solve", &mesh, "--cells", "--from", "1,2", "--to", "9,2"][..], more].concat();
        printed(&all)
    };
    assert!(solve(&[]).contains("cost         8.000000"), "straight through the pond");
    let round = solve(&["--forbid", "2"]);
    assert!(
        round.contains("cost         13.000000") && round.contains("1,2 3,2 7,2 9,2"),
        "{round}"
    );
    let costly = solve(&["--factor", "2=2,7=1.5"]);
    assert!(
        costly.contains("A* and funnel") && costly.contains("cost         10.000000"),
        "{costly}"
    );
    assert!(solve(&["--forbid", "2,7"]).contains("no path"));
    let picture = write("pond.svg", "");
    printed(&["render", &mesh, "--from", "1,2", "--to", "9,2", "--forbid", "2", "--out", &picture]);
    let said = complaint(&["solve", &mesh, "--from", "1,2", "--to", "9,2", "--forbid", "64"]);
    assert!(said.contains("classes are numbered from 0 to 63"), "{said}");
    let said = complaint(&["solve", "builtin:castle", "--forbid", "2"]);
    assert!(said.contains("--forbid and --factor are for meshes"), "{said}");
    let level = r#"<map tilewidth="8" tileheight="8"><objectgroup>
        <object id="1" class="ground" x="0" y="0" width="80" height="32"/></objectgroup></map>"#;
    let level = write("hall.mesh.tmx", level);
    let solved = printed(&["solve", &level, "--from", "1,1", "--to", "9,1"]);
    assert!(solved.contains("length       8.000000"), "{solved}");
}
