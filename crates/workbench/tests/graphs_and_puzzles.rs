//! The graph mode and the puzzle mode, driven as a person would.

#[allow(dead_code, reason = "each file of tests uses a part")]
mod support;

use egui_kittest::kittest::Queryable;
use highroad::environment::NodeId;
use highroad::graph::Graph;
use highroad::puzzle::Board;
use highroad_workbench::graph::{BUILTIN_GRAPHS, GraphMode, NODES_MAX};
use highroad_workbench::puzzle::{PuzzleMethod, PuzzleMode};
use highroad_workbench::shared::PlannerChoice;
use highroad_workbench::shell::Mode;
use std::sync::Arc;
use support::{Bench, MemoryFiles};

fn bench_in(mode: Mode) -> Bench {
    let mut bench = Bench::on_start_page(Arc::default(), [1280.0, 1000.0]);
    bench.click(mode.name());
    assert_eq!(bench.app().shell.mode, mode);
    bench
}

fn graph(bench: &Bench) -> &GraphMode {
    &bench.app().shell.graph
}

fn puzzle(bench: &mut Bench) -> &mut PuzzleMode {
    &mut bench.shell().puzzle
}

/// The rows of the table that are seen, each joined.
fn rows(mode: &GraphMode) -> Vec<String> {
    mode.table().unwrap().rows().map(|(cells, _)| cells.join(" ")).collect()
}

fn choose(bench: &mut Bench, planner: &str) {
    let choice = PlannerChoice::parse(planner).unwrap();
    bench.shell().graph.choose_planner(choice);
    bench.frames();
}

#[test]
fn every_planner_of_graphs_answers_on_every_built_in_graph() {
    let mut bench = bench_in(Mode::Graph);
    for builtin in BUILTIN_GRAPHS {
        bench.shell().graph.take(builtin.name, Arc::new(builtin.load())).unwrap();
        bench.frames();
        for entry in GraphMode::planners() {
            choose(&mut bench, entry.name);
            let mode = graph(&bench);
            let about = format!("{} on {}", entry.name, builtin.name);
            let outcome = match mode.outcome().unwrap_or_else(|| panic!("{about}: no answer")) {
                Ok(outcome) => outcome,
                Err(reason) => panic!("{about}: {reason}"),
            };
            let (start, goal) = mode.ends();
            let path = &outcome.path;
            assert_eq!((path.first(), path.last()), (Some(&start), Some(&goal)), "{about}");
            let cost: i64 = path
                .windows(2)
                .map(|pair| {
                    let edges = mode.graph().edges();
                    let joins = edges.filter(|edge| (edge.from, edge.to) == (pair[0], pair[1]));
                    joins.map(|edge| i64::from(edge.weight)).min().expect("an edge joins them")
                })
                .sum();
            // Breadth-first search counts edges, whatever they weigh.
            if entry.name != "bfs" {
                assert_eq!(outcome.cost, Some(cost as u64), "{about}");
            }
            assert!(outcome.optimal.is_some_and(|optimal| optimal <= cost as u64), "{about}");
        }
    }
}

#[test]
fn the_table_fills_row_by_row_and_shows_nothing_of_the_future() {
    let mut bench = bench_in(Mode::Graph);
    choose(&mut bench, "dijkstra");
    let whole = rows(graph(&bench));
    assert_eq!(whole.first().unwrap(), "Init 0 ∞ ∞ ∞ ∞ ∞ ∞ ∞ ∞ ∞");
    assert_eq!(whole.last().unwrap(), "Final 0 6 4 2 3 5 6 7 10 15");
    bench.harness.get_by_label_contains("Final");
    bench.harness.key_press(egui::Key::Home);
    bench.frames();
    assert!(bench.harness.query_by_label("Final").is_none(), "it is not known yet");
    assert!(graph(&bench).known_path().is_empty());
    let mut seen = 0;
    for _ in 0..100 {
        bench.harness.key_press(egui::Key::Period);
        bench.frames();
        let mode = graph(&bench);
        let now = rows(mode);
        let (position, length) = mode.player.position();
        // All rows but the one that is being filled and the last are as they will be.
        assert_eq!(now[..now.len() - 2], whole[..now.len() - 2]);
        assert!(now.len() >= seen, "no row goes");
        seen = now.len();
        if position == length {
            break;
        }
        assert!(mode.known_path().is_empty(), "the path is not known before it is found");
    }
    assert_eq!(seen, whole.len());
    assert_eq!(graph(&bench).known_path().len(), 5);
    let said = graph(&bench).sentence().unwrap();
    assert_eq!(said, "Takes the goal t: the path is found. Its cost is g = 15.");
    bench.harness.get_by_label(&said);
}

#[test]
fn estimates_are_in_the_table_and_in_the_drawing() {
    let mut bench = bench_in(Mode::Graph);
    choose(&mut bench, "astar:heuristic=manhattan");
    let rows = rows(graph(&bench));
    assert_eq!(rows[0], "h(u) 15 13 15 17 12 10 9 8 5 0");
    assert!(rows[1].starts_with("Init 0:15 ∞:13"));
    assert!(graph(&bench).scene().estimates.is_some());
    let drawing = bench.harness.get_by_label("The graph").rect();
    choose(&mut bench, "ch");
    assert_eq!(bench.harness.get_by_label("The graph").rect(), drawing, "nothing jumps");
    let reason = graph(&bench).table().err().expect("its nodes are its own");
    bench.harness.get_by_label(&reason);
}

#[test]
fn clicks_on_nodes_set_start_and_goal() {
    let mut bench = bench_in(Mode::Graph);
    let canvas = bench.harness.get_by_label("The graph").rect();
    let viewport = graph(&bench)
        .layout()
        .viewport((canvas.left(), canvas.top()), (canvas.width(), canvas.height()));
    let spot = |bench: &Bench, name: &str| {
        let node = graph(bench).graph().find(name).unwrap();
        let (x, y) = viewport.spot(graph(bench).layout().places()[node.index()]);
        (node, egui::pos2(x, y))
    };
    let click = |bench: &mut Bench, pos, button| {
        bench.drag_spots(button, &[pos]);
    };
    let (c, at) = spot(&bench, "c");
    click(&mut bench, at, egui::PointerButton::Primary);
    assert_eq!(graph(&bench).ends().0, c);
    bench.harness.get_by_label_contains("node c: finished, g = 0");
    let (h, at) = spot(&bench, "h");
    click(&mut bench, at, egui::PointerButton::Secondary);
    assert_eq!(graph(&bench).ends(), (c, h));
    let Some(Ok(outcome)) = graph(&bench).outcome() else { panic!("no answer") };
    assert_eq!((outcome.path[0], outcome.cost), (c, Some(12)));
    click(&mut bench, canvas.min + egui::vec2(3.0, 3.0), egui::PointerButton::Primary);
    assert_eq!(graph(&bench).ends(), (c, h), "beside all nodes nothing happens");
}

#[test]
fn graphs_are_opened_from_files() {
    let files = Arc::new(MemoryFiles::default());
    files
        .put("/home/towns.json", r#"{"directed": false, "edges": [["a", "b", 3], ["b", "c", 4]]}"#);
    files.put("/home/roads.toml", "edges = [['x', 'y', 5]]\n");
    files.put("/home/big.gr", "p sp 3 2\na 1 2 4\na 2 3 5\n");
    files.put("/home/big.co", "p aux sp co 3\nv 1 0 0\nv 2 5 0\nv 3 5 5\n");
    files.put("/home/list.edges", "0 1 2\n1 2 2\n");
    files.put("/home/below.toml", "edges = [['x', 'y', -5]]\n");
    files.put("/home/broken.json", r#"{"edges": [["a", "b"]]}"#);
    let mut bench = Bench::on_start_page(files, [1280.0, 800.0]);
    for (file, nodes, cost) in
        [("towns.json", 3, 7), ("roads.toml", 2, 5), ("big.gr", 3, 9), ("list.edges", 3, 4)]
    {
        bench.shell().open(format!("/home/{file}").into());
        bench.frames();
        assert_eq!((bench.app().shell.mode, graph(&bench).name.as_str()), (Mode::Graph, file));
        assert_eq!(graph(&bench).graph().node_count(), nodes);
        let Some(Ok(outcome)) = graph(&bench).outcome() else { panic!("{file}: no answer") };
        assert_eq!(outcome.cost, Some(cost), "{file}");
    }
    assert!(graph(&bench).graph().positions().is_none());
    bench.shell().open("/home/below.toml".into());
    bench.frames();
    let Some(Err(reason)) = graph(&bench).outcome() else { panic!("an edge is negative") };
    assert!(reason.contains("bellman-ford"), "{reason}");
    bench.shell().open("/home/broken.json".into());
    bench.frames();
    assert!(bench.app().shell.news.as_ref().is_some_and(|news| news.is_error));
    assert_eq!(graph(&bench).name, "below.toml", "what was open stays");
    let huge = Graph::from_edges(NODES_MAX + 1, &[]).unwrap();
    let refused = bench.shell().graph.take("huge", Arc::new(huge)).unwrap_err();
    assert!(refused.contains("too many to be drawn"), "{refused}");
    let empty = Graph::from_edges(0, &[]).unwrap();
    assert!(bench.shell().graph.take("empty", Arc::new(empty)).is_err());
}

#[test]
fn a_graph_without_a_path_says_so() {
    let mut bench = bench_in(Mode::Graph);
    let apart = Graph::from_edges(3, &[highroad::graph::Edge::new(0, 1, 1)]).unwrap();
    bench.shell().graph.take("apart", Arc::new(apart)).unwrap();
    bench.frames();
    let said = graph(&bench).sentence().unwrap();
    assert_eq!(said, "The open list is empty: no path leads to the goal.");
    bench.shell().graph.set_ends((NodeId(7), NodeId(0)));
    assert_eq!(graph(&bench).ends(), (NodeId(0), NodeId(2)), "there is no such node");
}

#[test]
fn a_puzzle_is_scrambled_solved_and_played_back() {
    let mut bench = bench_in(Mode::Puzzle);
    let goal = Board::goal(3).unwrap();
    // A solution has moves, also while there is none yet.
    bench.harness.get_by_label("First move");
    assert!(bench.harness.query_by_label("First event").is_none());
    bench.click("Scramble");
    let scrambled = puzzle(&mut bench).shown();
    assert_ne!(scrambled, goal);
    bench.click("Solve");
    let Some(Ok(outcome)) = puzzle(&mut bench).outcome() else { panic!("it is solved") };
    let moves = outcome.boards.len() - 1;
    assert!((1..=31).contains(&moves) && outcome.expanded > 0);
    assert_eq!(puzzle(&mut bench).shown(), scrambled, "it is played from its start");
    bench.harness.get_by_label(&format!("moves: {moves}"));
    bench.harness.key_press(egui::Key::Space);
    bench.frames();
    assert!(puzzle(&mut bench).player.is_playing());
    bench.pass(moves as u64 * 500 + 2000);
    assert_eq!((puzzle(&mut bench).shown(), puzzle(&mut bench).player.is_playing()), (goal, false));
    bench.harness.key_press(egui::Key::ArrowLeft);
    bench.frames();
    let before = puzzle(&mut bench).shown();
    assert!(before != goal && goal.successors().any(|(board, _)| board == before));
}

#[test]
fn tiles_are_moved_by_clicks_and_moves_are_undone() {
    let mut bench = bench_in(Mode::Puzzle);
    bench.click("Reset");
    bench.click("Tile 8, in its place");
    let after = puzzle(&mut bench).shown();
    assert_eq!(after.to_string(), "1 2 3\n4 5 6\n7 0 8");
    bench.click("Tile 1, in its place");
    assert_eq!(puzzle(&mut bench).shown(), after, "it is not beside the gap");
    bench.menu(&["Edit", "Undo"]);
    assert_eq!(puzzle(&mut bench).shown(), Board::goal(3).unwrap());
    bench.menu(&["Edit", "Redo"]);
    assert_eq!(puzzle(&mut bench).shown(), after);
    // Half-way through a solution, a click goes on by hand from there.
    bench.click("Tile 5, in its place");
    bench.click("Solve");
    bench.harness.key_press(egui::Key::ArrowRight);
    bench.frames();
    assert_eq!(puzzle(&mut bench).shown(), after);
    bench.click("Tile 7, in its place");
    assert!(puzzle(&mut bench).outcome().is_none());
    assert_eq!(puzzle(&mut bench).shown().to_string(), "1 2 3\n4 5 6\n0 7 8");
    // The map has not changed by any of that.
    assert!(!bench.seen().document.is_changed() && !bench.seen().document.can_redo());
}

#[test]
fn both_modes_fit_into_a_small_window() {
    let mut bench = Bench::on_start_page(Arc::default(), [760.0, 520.0]);
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(760.0, 520.0));
    bench.click("Graph");
    let drawing = bench.harness.get_by_label("The graph").rect();
    assert!(drawing.width() >= 380.0 && drawing.height() >= 150.0, "{drawing}");
    let cost = bench.harness.get_by_label_contains("cost: ").rect();
    assert!(cost.left() >= drawing.right() + 8.0 && cost.right() <= 744.0, "{cost}");
    bench.click("Puzzle");
    bench.click("Solve");
    let moves = bench.harness.get_by_label_contains("moves: ").rect();
    let tile = bench.harness.get_by_label("Tile 3").rect();
    assert!(moves.left() >= tile.right() + 8.0 && moves.right() <= 744.0, "{moves}, {tile}");
    // Tiles are in any column: none of them is under the panel.
    for number in 1..=8 {
        let name = format!("Tile {number}");
        let mut tiles = bench.harness.get_all_by_label_contains(&name);
        let tile = tiles.next().unwrap().rect();
        assert!(tile.right() <= moves.left() - 8.0, "tile {number}: {tile}, {moves}");
    }
    for name in ["Scramble", "Undo move", "Tile 1", "Choose a method"] {
        let rect = bench.harness.get_by_label(name).rect();
        assert!(screen.contains_rect(rect), "{name}: {rect}");
    }
}

#[test]
fn all_methods_and_sizes_find_equally_short_solutions() {
    let mut bench = bench_in(Mode::Puzzle);
    for (size, tiles) in [("3 puzzle", 3), ("15 puzzle", 15), ("8 puzzle", 8)] {
        puzzle(&mut bench).scramble_moves = 12;
        bench.click(size);
        assert_eq!(puzzle(&mut bench).tiles(), tiles);
        let mut moves = Vec::new();
        // Tables of the 15 puzzle take seconds in a debug build; the engine's tests make them.
        let all = PuzzleMethod::ALL.into_iter();
        for method in all.filter(|&method| tiles < 15 || method != PuzzleMethod::Patterns) {
            puzzle(&mut bench).set_method(method);
            puzzle(&mut bench).solve();
            bench.frames();
            let Some(Ok(outcome)) = puzzle(&mut bench).outcome() else { panic!("{method:?}") };
            moves.push(outcome.boards.len() - 1);
        }
        assert!(moves[0] <= 12 && moves.iter().all(|&other| other == moves[0]), "{moves:?}");
    }
}

#[test]
fn commands_of_the_map_do_nothing_behind_other_modes() {
    let mut bench = Bench::new();
    bench.open_map("......\n......\n......\n");
    bench.drag(egui::PointerButton::Primary, &[(2, 0), (2, 2)]);
    let drawn = bench.map();
    bench.click("Graph");
    for key in [egui::Key::Z, egui::Key::S, egui::Key::E] {
        bench.harness.key_press_modifiers(egui::Modifiers::COMMAND, key);
        bench.frames();
    }
    bench.harness.key_press(egui::Key::Num8);
    bench.frames();
    assert_eq!(bench.map(), drawn, "nothing is undone that is not seen");
    assert!(bench.app().shell.dialog.is_none());
    bench.click("Map");
    bench.harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
    bench.frames();
    assert_ne!(bench.map(), drawn);
}
