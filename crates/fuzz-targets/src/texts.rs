//! Texts: scenarios, recipes, planners by name, puzzles, graphs, cases.

use crate::saved::check_steps;
use crate::{Target, texts, two_texts};
use highroad::Cell;
use highroad::catalog::{CATALOG, Spec};
use highroad::environment::NodeId;
use highroad::graph::{Graph, read_coordinates, read_dimacs, read_edge_list};
use highroad::grid::Grid;
use highroad::online::GraphSearch;
use highroad::planner::{Answer, PathQuery, Planner, Scratch};
use highroad::puzzle::Board;
use highroad_lab::case::{Case, CaseMap, CaseRun};
use highroad_lab::generate::MapRecipe;
use highroad_lab::gppc::{DynamicReplay, DynamicScenario, Patch, replay};
use highroad_lab::graphs::{TeachingFormat, read_teaching, to_dimacs};
use highroad_lab::puzzle::read_instances;
use highroad_lab::scenario::Scenario;
use std::sync::LazyLock;

/// The text that bytes are; nothing is done with other bytes.
fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

/// Cells up to which a map is made that a text only describes.
const CELLS_MAX: u64 = 1 << 10;

pub(crate) const RECIPE: Target = Target {
    name: "recipe",
    input: "the recipe of a map",
    promise: "refused, or its own line means the same recipe; small maps can be made",
    run: |bytes| {
        let Ok(recipe) = text(bytes).parse::<MapRecipe>() else { return };
        assert_eq!(recipe.to_string().parse(), Ok(recipe));
        if u64::from(recipe.width) * u64::from(recipe.height) <= CELLS_MAX
            && let Ok(map) = recipe.generate()
        {
            assert_eq!(map.extent().width(), recipe.width);
            assert_eq!(map.extent().height(), recipe.height);
        }
    },
    seeds: || {
        texts(&[
            "obstacles width=9 height=8 blocked=30 connected=yes seed=0",
            "rooms width=12 height=12 room=3 doors=80 seed=7",
            "maze width=9 height=9 corridor=1 braid=25 winding=30 seed=1",
            "caves width=20 height=10 noise=45 steps=5 joined=yes seed=1",
            "city width=20 height=20 block=8 street=2 built=85 seed=1",
            "islands width=20 height=20 size=8 land=50 swamp=15 trees=20 seed=1",
            "hills width=20 height=20 size=8 roughness=4 classes=16 lakes=5 seed=1",
        ])
    },
};

/// The map on which planners are made.
static SMALL_GRID: LazyLock<Grid> = LazyLock::new(|| {
    Grid::with_defaults("......\n.##.#.\n....#.\n.#....\n".parse().expect("a drawing"))
});

pub(crate) const SPEC: Target = Target {
    name: "spec",
    input: "a planner with options, as on the command line",
    promise: "refused, or it is made and answers; its text means the same",
    run: |bytes| {
        let Ok(spec) = text(bytes).parse::<Spec>() else { return };
        assert_eq!(spec.to_string(), text(bytes));
        let Ok(planner) = spec.build(&*SMALL_GRID) else { return };
        let query = PathQuery::new((0, 0), (5, 3));
        let answer = planner.solve(&SMALL_GRID, &query, &mut Scratch::new());
        let Ok(Answer::Found(path)) = answer else { panic!("{spec}: {answer:?}") };
        assert_eq!(path.validate(&*SMALL_GRID), Ok(()));
    },
    seeds: || {
        let options = CATALOG.iter().flat_map(|entry| highroad_suite::variants(entry));
        options.map(|spec| spec.to_string().into_bytes()).collect()
    },
};

pub(crate) const BOARD: Target = Target {
    name: "board",
    input: "a board of the n²−1 puzzle",
    promise: "refused, or its own text means the same board",
    run: |bytes| {
        if let Ok(board) = text(bytes).parse::<Board>() {
            assert_eq!(board.to_string().parse(), Ok(board));
        }
    },
    seeds: || texts(&["1 2 3 0", "1,2,3/4,5,6/7,8,0", "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"]),
};

pub(crate) const INSTANCES: Target = Target {
    name: "instances",
    input: "a list of puzzles with their numbers of moves",
    promise: "refused, or every board has its text",
    run: |bytes| {
        for instance in read_instances(text(bytes)).unwrap_or_default() {
            assert_eq!(instance.board.to_string().parse(), Ok(instance.board));
        }
    },
    seeds: || texts(&["# hard\n1 4  0 2  3 1\n2 31 8 6 7 2 5 4 3 0 1\n"]),
};

pub(crate) const SCENARIO: Target = Target {
    name: "scenario",
    input: "a scenario file",
    promise: "refused, or its numbers make sense, and it is written so that it reads the same again",
    run: |bytes| {
        let Ok(scenario) = Scenario::parse(text(bytes)) else { return };
        assert!(!scenario.queries.is_empty());
        assert!(!scenario.map_name.contains(['/', '\\']), "a file beside it");
        for query in &scenario.queries {
            assert!(query.length.is_none_or(|length| length.is_finite() && length >= 0.0));
            assert!(query.tolerance.is_finite() && query.tolerance > 0.0);
        }
        if let Ok(written) = scenario.to_text() {
            let again = Scenario::parse(&written).expect("it was written here");
            assert_eq!(again.queries.len(), scenario.queries.len());
            assert_eq!((again.rule, again.steps), (scenario.rule, scenario.steps));
        }
    },
    seeds: || {
        texts(&[
            "version 1\n0\tmaps/x.map\t9\t9\t1\t1\t2\t2\t1.41421356\n",
            "version 1.0\n3 x.map 49 50 0 0 5 5 7.07106781\n# rule four-way\n# steps 5/7\n",
        ])
    },
};

/// Asks for paths between the first nodes of a graph, if it is small.
fn ask_on_graph(graph: &Graph) {
    if graph.node_count() > CELLS_MAX as usize {
        return;
    }
    let mut scratch = Scratch::new();
    for goal in 0..graph.node_count().min(3) as u32 {
        let query = PathQuery::new(NodeId(0), NodeId(goal));
        if let Ok(Answer::Found(path)) = GraphSearch::dijkstra().solve(graph, &query, &mut scratch)
        {
            assert_eq!(path.validate(graph), Ok(()));
        }
    }
}

pub(crate) const EDGE_LIST: Target = Target {
    name: "edge_list",
    input: "a graph as a list of edges",
    promise: "refused, or a graph with valid paths",
    run: |bytes| {
        if let Ok(graph) = read_edge_list(text(bytes)) {
            ask_on_graph(&graph);
        }
    },
    seeds: || texts(&["a -- b 3   # both ways\nb c -2\nd\nc -> a\n", "1 2 7\n2 3 1\n"]),
};

pub(crate) const DIMACS: Target = Target {
    name: "dimacs",
    input: "a graph of DIMACS, a zero byte, and the coordinates of its nodes",
    promise: "refused, or a graph with valid paths that is written so that it reads the same again",
    run: |bytes| {
        let Some((edges, places)) = two_texts(bytes) else { return };
        let places = read_coordinates(places);
        let Ok(graph) = read_dimacs(edges) else { return };
        let (written, _) = to_dimacs(&graph, "");
        let again = read_dimacs(&written).expect("it was written here");
        assert!(again.edges().eq(graph.edges()));
        ask_on_graph(&graph);
        if let Ok(places) = places
            && let Ok(placed) = graph.with_positions(places)
        {
            let (_, written) = to_dimacs(&placed, "two\nlines");
            let again = written.map(|text| read_coordinates(&text).expect("it was written here"));
            assert_eq!(again.as_deref(), placed.positions());
            ask_on_graph(&placed);
        }
    },
    seeds: || {
        texts(&[
            "c a road\np sp 3 2\na 1 2 803\na 2 3 -4\n\0p aux sp co 3\nv 1 5 -7\nv 2 0 1\nv 3 1 1 2\n",
        ])
    },
};

pub(crate) const TEACHING_GRAPH: Target = Target {
    name: "teaching_graph",
    input: "a graph as JSON, or else as TOML",
    promise: "refused, or a graph with valid paths",
    run: |bytes| {
        for format in [TeachingFormat::Json, TeachingFormat::Toml] {
            if let Ok(graph) = read_teaching(text(bytes), format) {
                ask_on_graph(&graph);
            }
        }
    },
    seeds: || {
        texts(&[
            r#"{"directed": false, "edges": [["home", "school", 7]]}"#,
            "directed = true\nedges = [{ from = 'a', to = 'b', weight = 2 }]\n\
             nodes = [{ name = 'a', x = 1.0, y = 2.0 }, { name = 'b', x = 0.0, y = 0.5, z = 1.0 }]\n",
        ])
    },
};

pub(crate) const SUITE_CASES: Target = Target {
    name: "suite_cases",
    input: "a file of drawn cases of the common suite",
    promise: "refused with the line, or read",
    run: |bytes| {
        if let Err(problem) = highroad_suite::parse_cases(text(bytes)) {
            assert!(!problem.is_empty());
        }
    },
    seeds: || texts(&[include_str!("../../suite/cases/ends.txt")]),
};

pub(crate) const DYNAMIC_SCENARIO: Target = Target {
    name: "dynamic_scenario",
    input: "a dynamic scenario of the path planning competition, a zero byte, and its patches",
    promise: "refused, or replayed",
    run: |bytes| {
        let Some((scenario, patches)) = two_texts(bytes) else { return };
        let patches = Patch::parse_all(patches);
        let (Ok(scenario), Ok(patches)) = (DynamicScenario::parse(scenario), patches) else {
            return;
        };
        assert!(!scenario.patch_name.contains(['/', '\\']), "a file beside it");
        let (width, height) = scenario.size;
        if u64::from(width) * u64::from(height) > CELLS_MAX {
            return;
        }
        if let Ok(dynamic) = DynamicReplay::new("x".to_owned(), scenario, patches) {
            let spec = "astar".parse().expect("it is in the catalog");
            // Published lengths may be wrong: the fuzzer made them up.
            let _ = replay(&dynamic, &spec, false, || {});
        }
    },
    seeds: || {
        texts(&[
            "version 2\nheight 4\nwidth 5\ncost 1 octile\npatch a/x.patch\ncommands\nP 0 0 0 0\n\
             Q 0 0 0 4 3 5.24264069\nP 1 1 2 2\nQ 1 0 0 4 3 -1\n\0type patch\npatches 2\npatch 0\nheight 4\n\
             width 5\nmap\n.....\n.@@..\n.....\n.....\npatch 1\nheight 1\nwidth 2\nmap\n@@\n",
        ])
    },
};

/// Ticks that a case is run for.
const TICKS_MAX: usize = 50;

pub(crate) const CASE: Target = Target {
    name: "case",
    input: "a dynamic test case",
    promise: "refused, or run for some ticks",
    run: |bytes| {
        let Ok(case) = Case::parse(text(bytes)) else { return };
        let is_small = match &case.map {
            CaseMap::Drawing(_) => true,
            CaseMap::Recipe(line) => line.parse::<MapRecipe>().is_ok_and(|recipe| {
                u64::from(recipe.width) * u64::from(recipe.height) <= CELLS_MAX
            }),
            CaseMap::File(_) => false,
        };
        if !is_small {
            return;
        }
        let Ok(map) = case.load_map("".as_ref()) else { return };
        let Ok(mut run) = CaseRun::new(&case, map) else { return };
        for _ in 0..TICKS_MAX {
            let agents = run.simulation.agents().iter();
            let before: Vec<Cell> = agents.map(|agent| agent.at()).collect();
            let goes_on = run.advance(&mut |_| {}).unwrap_or(false);
            check_steps(&run.simulation, &before);
            if !goes_on {
                break;
            }
        }
    },
    seeds: || {
        texts(&[
            include_str!("../../../cases/door.toml"),
            include_str!("../../../cases/two-agents.toml"),
            include_str!("../../../cases/danger.toml"),
        ])
    },
};

/// What crosses a network as JSON.
#[cfg(feature = "serde")]
pub(crate) const BATCH_JSON: Target = Target {
    name: "batch_json",
    input: "a batch of edits, a request or an agent's plan as JSON",
    promise: "refused, or what a small world can be asked; it is written so that it reads the same again",
    run: |bytes| {
        use highroad::grid::Batch;
        use highroad::{AgentPlan, Budget, PathWorld, Request, Simulation};
        let world = || PathWorld::on(SMALL_GRID.clone());
        if let Ok(batch) = serde_json::from_slice::<Batch>(bytes) {
            let written = serde_json::to_string(&batch).expect("memory is written to");
            assert_eq!(serde_json::from_str::<Batch>(&written).ok(), Some(batch.clone()));
            let mut world = world();
            if world.apply(&batch).is_ok() {
                let _ = world.find_path((0, 0), (5, 3));
                world.undo();
                assert_eq!(world.grid().map(), SMALL_GRID.map());
            }
        }
        if let Ok(request) = serde_json::from_slice::<Request>(bytes) {
            let mut world = world();
            let ticket = world.request(request);
            world.tick(Budget::expansions(1000));
            world.poll(ticket);
        }
        if let Ok(plan) = serde_json::from_slice::<AgentPlan>(bytes) {
            let mut simulation = Simulation::new(world(), Budget::expansions(1000));
            simulation.add(plan);
            for _ in 0..TICKS_MAX {
                simulation.tick();
            }
        }
    },
    seeds: || {
        use highroad::grid::{Batch, CellRect};
        use highroad::{AgentPlan, Request, Terrain};
        let mut batch = Batch::new();
        batch.set((1, 1), Terrain::WALL);
        batch.fill(CellRect::new((0, 0), (2, 1)), Terrain::SWAMP);
        batch.surcharge(CellRect::new((0, 0), (2, 1)), 9);
        let request: Request = Request::path((0, 0), (5, 3));
        let plan = AgentPlan::new((0, 0), (5, 3));
        vec![
            serde_json::to_vec(&batch).expect("memory is written to"),
            serde_json::to_vec(&request).expect("memory is written to"),
            serde_json::to_vec(&plan).expect("memory is written to"),
        ]
    },
};

/// What the workbench reads.
#[cfg(feature = "workbench")]
pub(crate) const SETTING: Target = Target {
    name: "setting",
    input: "a setting or the preferences of the workbench",
    promise: "refused, or written so that it reads the same again",
    run: |bytes| {
        use highroad_workbench::shell::{Preferences, Setting};
        if let Ok(setting) = Setting::read(bytes) {
            let again = Setting::read(&setting.write()).expect("it was written here");
            assert_eq!(again.write(), setting.write());
        }
        let preferences = Preferences::read(bytes);
        assert_eq!(Preferences::read(&preferences.write()).write(), preferences.write());
    },
    seeds: || {
        use highroad_workbench::shell::Preferences;
        vec![Preferences::default().write()]
    },
};
