//! Files of every kind, cut off at every byte: an error or a value, never a panic, and never a wrong answer where the
//! file has a checksum. docs/faults.md describes it.

use highroad::catalog::{CATALOG, Spec};
use highroad::environment::NodeId;
use highroad::graph::{Edge, Graph, GraphBatch, read_coordinates, read_dimacs, read_edge_list};
use highroad::grid::Grid;
use highroad::hierarchy::{HpaOptions, PraOptions};
use highroad::planner::Cataloged;
use highroad::{AgentPlan, Budget, GridMap, PathWorld, Request, Simulation, Terrain};
use highroad_formats::{MapFormat, ReadOptions, decode_map, encode_map};
use highroad_lab::case::Case;
use highroad_lab::generate::MapRecipe;
use highroad_lab::gppc::{DynamicScenario, Patch};
use highroad_lab::graphs::{TeachingFormat, lecture, read_teaching, to_dimacs};
use highroad_lab::hunt::{Program, random_program};
use highroad_lab::puzzle::read_instances;
use highroad_lab::scenario::Scenario;
use std::path::Path;

const DRAWING: &str = "........\n.##.SS..\n.#..WW..\n...TT...\n........\n";

fn map() -> GridMap {
    DRAWING.parse().unwrap()
}

/// Whether each beginning of the bytes is read; the whole must be.
fn cut(what: &str, bytes: &[u8], reads: impl Fn(&[u8]) -> bool) -> Vec<bool> {
    assert!(bytes.len() > 8, "{what}");
    assert!(reads(bytes), "{what}: not even the whole can be read");
    (0..bytes.len()).map(|end| reads(&bytes[..end])).collect()
}

/// No part of a file may be read as if it was the whole.
fn cut_is_an_error(what: &str, bytes: &[u8], reads: impl Fn(&[u8]) -> bool) {
    let read = cut(what, bytes, reads);
    let taken = read.iter().position(|&read| read);
    assert_eq!(taken, None, "{what} of {} bytes, cut off there, is read", bytes.len());
}

/// As [`cut_is_an_error`], but for the last bytes: line ends, or what a format does not need.
fn cut_is_an_error_but_for(last: usize, what: &str, bytes: &[u8], reads: impl Fn(&[u8]) -> bool) {
    let read = cut(what, bytes, reads);
    let taken = read[..read.len() - last].iter().position(|&read| read);
    assert_eq!(taken, None, "{what} of {} bytes, cut off there, is read", bytes.len());
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn maps() {
    let formats = [
        (MapFormat::MovingAi, "a.map", 1),
        // Chunks after the last row of pixels: the end of the file.
        (MapFormat::Png, "a.png", 16),
        (MapFormat::Tmx, "a.tmx", 1),
        (MapFormat::Tmj, "a.tmj", 1),
    ];
    for (format, name, last) in formats {
        let file = encode_map(&map(), format, "a").unwrap();
        let reads = |bytes: &[u8]| {
            let beside = |_: &str| Err(std::io::ErrorKind::NotFound.into());
            decode_map(bytes, Path::new(name), &ReadOptions::default(), &beside).is_ok()
        };
        cut_is_an_error_but_for(last, name, &file.bytes, reads);
    }
    // Rows of letters are a smaller map, if they are whole rows.
    let rows =
        cut("a drawing", DRAWING.as_bytes(), |bytes| lossy(bytes).parse::<GridMap>().is_ok());
    assert!(rows[9] && !rows[12], "one row and a line end; one row and a half");
}

#[test]
fn scenarios_and_patches() {
    let line = "1\ta.map\t8\t5\t0\t0\t7\t4\t9.65685425\n";
    let scenario = format!("version 1\n{line}{line}");
    let scenarios =
        cut("a scenario", scenario.as_bytes(), |bytes| Scenario::parse(&lossy(bytes)).is_ok());
    assert!(!scenarios[scenario.len() - line.len() / 2], "half of a line");
    let dynamic = "version 2\nheight 5\nwidth 8\ncost 1 octile\npatch a.patch\ncommands 2\n\
                   Q 0 0 0 7 4 9.65685425\nP 0 0 1 1\n";
    let read =
        cut("changes", dynamic.as_bytes(), |bytes| DynamicScenario::parse(&lossy(bytes)).is_ok());
    assert!(!read[dynamic.len() - 4], "half of a command");
    let patches = Patch::all_to_text(&[Patch::filled(3, 2, Terrain::WALL)]);
    cut_is_an_error_but_for(1, "patches", patches.as_bytes(), |bytes| {
        Patch::parse_all(&lossy(bytes)).is_ok()
    });
}

#[test]
fn cases_programs_recipes_and_instances() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "toml") && count < 3 {
            let text = std::fs::read(&path).unwrap();
            cut("a case", &text, |bytes| Case::parse(&lossy(bytes)).is_ok());
            count += 1;
        }
    }
    assert!(count > 0, "there are cases");
    for seed in [1, 2, 3] {
        let program = serde_json::to_vec(&random_program(seed)).unwrap();
        cut_is_an_error("a program", &program, |bytes| {
            serde_json::from_slice::<Program>(bytes).is_ok()
        });
    }
    let recipe = "caves width=40 height=30 noise=45 steps=4 joined=yes seed=7";
    cut("a recipe", recipe.as_bytes(), |bytes| lossy(bytes).parse::<MapRecipe>().is_ok());
    let instances = "# hard\n1 4  0 2  3 1\n2 4  0 2  3 1\n";
    let read =
        cut("instances", instances.as_bytes(), |bytes| read_instances(&lossy(bytes)).is_ok());
    assert!(!read[instances.len() - 4], "half of a board");
}

#[test]
fn graphs() {
    let graph = placed_graph();
    let (edges, places) = to_dimacs(&graph, "made by hand");
    let places = places.unwrap();
    // Its first line says how many there are. The last number may lose digits.
    cut_is_an_error_but_for(2, "DIMACS", edges.as_bytes(), |bytes| {
        read_dimacs(&lossy(bytes)).is_ok()
    });
    cut_is_an_error_but_for(4, "places", places.as_bytes(), |bytes| {
        read_coordinates(&lossy(bytes)).is_ok_and(|places| places.len() == graph.node_count())
    });
    let list = "a -> b 5\nb -> c 7\n";
    let lists = cut("an edge list", list.as_bytes(), |bytes| read_edge_list(&lossy(bytes)).is_ok());
    assert!(lists[9] && !lists[13], "one line; one line and an edge without an end");
    let json =
        r#"{"nodes":[{"name":"a","x":0,"y":1},{"name":"b","x":2,"y":3}],"edges":[["a","b",4]]}"#;
    for end in 0..json.len() {
        drop(read_teaching(&json[..end], TeachingFormat::Json));
    }
    let toml = include_str!("../graphs/lecture.toml");
    assert_eq!(
        read_teaching(toml, TeachingFormat::Toml).unwrap().node_count(),
        lecture().node_count()
    );
    for end in (0..toml.len()).filter(|&end| toml.is_char_boundary(end)) {
        drop(read_teaching(&toml[..end], TeachingFormat::Toml));
    }
}

fn placed_graph() -> Graph {
    let edges: Vec<Edge> = (0..6)
        .flat_map(|at| [Edge::new(at, (at + 1) % 6, 50), Edge::new((at + 1) % 6, at, 40)])
        .collect();
    let positions = (0..6).map(|at| [f64::from(at) * 1.5, 2.25, 0.0]).collect();
    Graph::from_edges(6, &edges).unwrap().with_positions(positions).unwrap()
}

/// Every planner of the catalog that can be saved for an environment.
fn check_indexes<E: Cataloged>(environment: &E) -> usize {
    let mut saved = 0;
    for spec in CATALOG.iter().map(|entry| Spec::usual(entry)) {
        let Ok(planner) = spec.build(environment) else { continue };
        let Some(bytes) = planner.save(environment) else { continue };
        saved += 1;
        cut_is_an_error(&spec.to_string(), &bytes, |bytes| {
            spec.load(bytes, environment).is_some_and(|loaded| loaded.is_ok())
        });
    }
    saved
}

#[test]
fn indexes() {
    let uniform: GridMap = DRAWING.replace(['S', 'W'], ".").parse().unwrap();
    assert!(check_indexes(&Grid::with_defaults(uniform)) >= 4);
    assert!(check_indexes(&placed_graph()) >= 1);
}

#[test]
fn worlds_and_simulations() {
    let mut world = PathWorld::new(map())
        .with_planner(HpaOptions::default())
        .with_planner(PraOptions::default())
        .build()
        .unwrap();
    world.edit(|edit| _ = edit.set((5, 4), Terrain::WALL)).unwrap();
    world.request(Request::path((0, 0), (7, 4)));
    cut_is_an_error("a world", &world.save(), |bytes| PathWorld::<Grid>::load(bytes).is_ok());
    let mut simulation = Simulation::new(world, Budget::expansions(20));
    simulation.add(AgentPlan::new((0, 0), (7, 4)));
    (0..3).for_each(|_| _ = simulation.tick());
    cut_is_an_error("a simulation", &simulation.save(), |bytes| Simulation::load(bytes).is_ok());
    let mut roads = PathWorld::on(placed_graph());
    let mut batch = GraphBatch::new();
    batch.set_weight(NodeId(0), NodeId(1), 90);
    roads.apply(&batch).unwrap();
    cut_is_an_error("a world of a graph", &roads.save(), |bytes| {
        PathWorld::<Graph>::load(bytes).is_ok()
    });
}
