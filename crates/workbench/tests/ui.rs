//! The workbench driven as a person drives it, through accessibility labels and the pointer, without a
//! display.

#[allow(dead_code, reason = "each file of tests uses a part")]
mod support;

use egui::PointerButton::{Primary, Secondary};
use egui_kittest::kittest::{NodeT, Queryable};
use highroad::catalog::CATALOG;
use highroad::planner::{Answer, LayerInfo, Point, Shape, SketchLayer};
use highroad::simulation::{AgentState, StopReason};
use highroad::{Cell, Terrain};
use highroad_workbench::map::Tool;
use highroad_workbench::shared::PlannerChoice;
use highroad_workbench::shell::Dialog;
use support::Bench;

#[test]
fn it_opens_on_a_map_with_a_path_found_and_one_hint() {
    let bench = Bench::new();
    assert!(bench.path().len() > 50);
    assert_eq!(bench.seen().planner.entry().name, "hpa");
    bench.harness.get_by_label("Drag the flag: the path follows.");
    bench.harness.get_by_label("The map");
}

#[test]
fn a_map_is_opened_drawn_on_and_undone() {
    let mut bench = Bench::on_rooms();
    assert_eq!(bench.seen().document.name, "test.map");
    let before = bench.map();
    let path = bench.path();
    bench.drag(Primary, &[(14, 4), (14, 8)]);
    let wall = |bench: &Bench| bench.seen().document.grid().map().count(Terrain::WALL);
    assert_eq!(wall(&bench), 8 + 5);
    assert_ne!(bench.map(), before);
    bench.drag(Secondary, &[(14, 6), (14, 7)]);
    assert_eq!(wall(&bench), 8 + 3, "the right button erases");
    bench.harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::Z);
    bench.frames();
    bench.menu(&["Edit", "Undo"]);
    assert_eq!((bench.map(), bench.path()), (before, path));
    bench.menu(&["Edit", "Redo"]);
    assert_eq!(wall(&bench), 8 + 5);
}

#[test]
fn lines_rectangles_fill_and_brush_sizes_draw() {
    let mut bench = Bench::on_rooms();
    let water = |bench: &Bench| bench.seen().document.grid().map().count(Terrain::WATER);
    bench.click("Draw water");
    bench.click("Rectangle");
    bench.drag(Primary, &[(1, 1), (3, 2)]);
    assert_eq!(water(&bench), 6);
    bench.click("Line");
    bench.drag(Primary, &[(14, 1), (20, 1)]);
    assert_eq!(water(&bench), 6 + 7);
    bench.click("Brush");
    bench.click("Brush size 3");
    bench.drag(Primary, &[(16, 9)]);
    assert_eq!(water(&bench), 6 + 7 + 9);
    bench.click("Fill");
    bench.click("Draw swamp");
    bench.drag(Primary, &[(2, 2)]);
    assert_eq!(water(&bench), 7 + 9, "the rectangle has become swamp");
    bench.harness.key_press(egui::Key::Num1);
    bench.frames();
    assert_eq!(bench.seen().hand.tool, Tool::Hand);
}

#[test]
fn the_goal_is_dragged_and_the_path_follows_before_it_is_let_go() {
    let mut bench = Bench::on_rooms();
    let (from, to) = (bench.spot(Cell::new(20, 6)), bench.spot(Cell::new(20, 1)));
    bench.harness.event(egui::Event::PointerMoved(from));
    bench.harness.step();
    bench.harness.drag_at(from);
    bench.harness.step();
    bench.harness.event(egui::Event::PointerMoved(to));
    bench.harness.run_steps(3);
    assert_eq!(bench.path().last(), Some(&Cell::new(20, 1)), "while the button is held");
    assert!(bench.seen().player.replay().is_some(), "on a small map the overlay stays");
    bench.harness.drop_at(to);
    bench.frames();
    assert_eq!(bench.seen().document.goal(), Cell::new(20, 1));
    assert!(bench.seen().player.replay().is_some());
    assert!(bench.harness.query_by_label("Drag the flag: the path follows.").is_none());
}

#[test]
fn every_planner_runs_and_shows_its_guarantee_and_result() {
    let mut bench = Bench::on_rooms();
    for entry in CATALOG.iter().filter(|entry| entry.grid.is_some()) {
        bench.mode().choose_planner(PlannerChoice::of(entry.name).unwrap());
        bench.frames();
        let outcome = bench.seen().run.outcome.as_ref();
        let Some(outcome) = outcome else {
            panic!("{}: {:?}", entry.name, bench.seen().run.trouble);
        };
        assert!(matches!(outcome.answer, Answer::Found(_)), "{}", entry.name);
        let guarantee = outcome.guarantee.to_string();
        assert!(bench.harness.query_all_by_label(&guarantee).count() > 0, "{}", entry.name);
        assert!(bench.seen().player.replay().is_some(), "{}", entry.name);
    }
}

#[test]
fn a_planner_is_chosen_and_its_options_are_set() {
    let mut bench = Bench::on_rooms();
    bench.click("Choose a planner");
    bench.click("A*");
    assert_eq!(bench.seen().planner.text(), "astar");
    bench.click("Choose heuristic");
    bench.click("manhattan");
    assert_eq!(bench.seen().planner.text(), "astar:heuristic=manhattan");
    let guarantee = bench.seen().run.outcome.as_ref().unwrap().guarantee;
    assert!(matches!(guarantee, highroad::planner::Guarantee::Bounded(_)), "{guarantee}");
}

#[test]
fn the_search_is_stepped_forward_and_back_played_and_scrubbed() {
    let mut bench = Bench::on_rooms();
    bench.mode().choose_planner(PlannerChoice::of("dijkstra").unwrap());
    bench.frames();
    let at = |bench: &Bench| bench.seen().player.position().0;
    let length = bench.seen().player.position().1;
    assert_eq!(at(&bench), length);
    bench.click("First event");
    assert_eq!(at(&bench), 0);
    bench.click("Step forward");
    bench.click("Step forward");
    assert_eq!(at(&bench), 2);
    bench.click("Step back");
    assert_eq!(at(&bench), 1);
    bench.harness.key_press(egui::Key::ArrowRight);
    bench.frames();
    bench.mode().player.set_speed(20.0);
    bench.click("Play");
    bench.pass(1000);
    assert!((18..=24).contains(&at(&bench)), "{}", at(&bench));
    bench.click("Pause");
    let paused = at(&bench);
    bench.pass(1000);
    assert_eq!(at(&bench), paused);
    bench.click("Last event");
    assert_eq!(at(&bench), length);
}

#[test]
fn a_breakpoint_stops_playing() {
    let mut bench = Bench::on_rooms();
    bench.mode().choose_planner(PlannerChoice::of("dijkstra").unwrap());
    bench.mode().player.toggle_cell_breakpoint(Cell::new(6, 6));
    bench.frames();
    bench.mode().player.set_speed(100_000.0);
    bench.click("Play");
    bench.pass(500);
    let player = &bench.seen().player;
    assert!(player.at_breakpoint && !player.is_playing());
    assert_eq!(player.replay().unwrap().current().unwrap().1, Cell::new(6, 6));
}

#[test]
fn hovering_shows_what_the_search_knows_of_a_cell() {
    let mut bench = Bench::on_rooms();
    bench.mode().choose_planner(PlannerChoice::of("astar").unwrap());
    bench.frames();
    let spot = bench.spot(Cell::new(3, 6));
    bench.harness.hover_at(spot);
    bench.frames();
    let line = bench.harness.get_by_label_contains("cell (3, 6): ground");
    let text = line.accesskit_node().label().or(line.value()).unwrap_or_default();
    for part in ["g 0.00", "a start", "expanded 1 of"] {
        assert!(text.contains(part), "{part} is missing from {text}");
    }
}

#[test]
fn layers_are_switched_and_components_are_found() {
    let mut bench = Bench::on_rooms();
    assert!(bench.seen().scene().search.is_some());
    bench.click("search");
    assert!(bench.seen().scene().search.is_none());
    bench.click("tree");
    assert!(bench.seen().scene().tree.is_some());
    bench.click("components");
    let names: Vec<&str> = bench.seen().scene().layers.iter().map(|l| l.layer.info.name).collect();
    assert!(names.contains(&"components"), "{names:?}");
    bench.click("path");
    assert!(bench.seen().scene().path.is_none());
}

#[test]
fn an_agent_walks_plans_again_and_says_why_it_stops() {
    let mut bench = Bench::on_rooms();
    bench.mode().walk.speed = 4.0;
    bench.click("Agent");
    bench.click("Walk the path");
    bench.pass(1000);
    let state = |bench: &Bench| bench.seen().agent().unwrap().state();
    assert_eq!(state(&bench), AgentState::Walking);
    assert!(bench.seen().trail().len() >= 3);
    // A wall across the gate that it is walking to.
    let ahead = bench.seen().agent().unwrap().ahead().to_vec();
    let gate = *ahead.iter().find(|cell| cell.x == 11).unwrap();
    let rows = if gate.y < 6 { (0, 1) } else { (10, 11) };
    bench.drag(Primary, &[(11, rows.0), (11, rows.1)]);
    bench.pass(200);
    assert_eq!(state(&bench), AgentState::Walking);
    assert!(bench.seen().walk.replans >= 1);
    let through = |cell: &Cell| (rows.0..=rows.1).contains(&cell.y) && cell.x == 11;
    assert!(!bench.seen().agent().unwrap().ahead().iter().any(through));
    // And one across the other.
    let others = if gate.y < 6 { (10, 11) } else { (0, 1) };
    bench.drag(Primary, &[(11, others.0), (11, others.1)]);
    bench.pass(200);
    assert_eq!(state(&bench), AgentState::Stopped(StopReason::Unreachable));
    let reason = bench.seen().stop_reason().unwrap();
    assert!(bench.harness.query_all_by_label(reason).count() > 0);
    // The wall is taken back: it goes on by itself.
    bench.menu(&["Edit", "Undo"]);
    bench.pass(200);
    assert_eq!(state(&bench), AgentState::Walking);
}

#[test]
fn an_agent_is_paused_and_arrives() {
    let mut bench = Bench::on_rooms();
    bench.click("Agent");
    bench.click("Walk the path");
    bench.pass(200);
    bench.click("Pause walking");
    let at = bench.seen().trail().last().copied();
    bench.pass(1000);
    assert_eq!(bench.seen().trail().last().copied(), at);
    bench.click("Go on");
    bench.pass(10_000);
    assert_eq!(bench.seen().agent().unwrap().state(), AgentState::Arrived);
    bench.click("Remove");
    assert!(bench.seen().agent().is_none());
}

#[test]
fn errors_are_said_in_plain_words() {
    let mut bench = Bench::on_rooms();
    bench.mode().move_place(highroad::environment::End::Goal, Cell::new(11, 5));
    bench.frames();
    bench.harness.get_by_label("The goal is inside a wall; drag it out.");
    bench.mode().move_place(highroad::environment::End::Goal, Cell::new(20, 5));
    bench.frames();
    assert!(bench.seen().run.trouble.is_none());
    bench.shell().open("/home/missing.map".into());
    bench.frames();
    bench.harness.get_by_label("missing.map cannot be read: no such file.");
    bench.files.put("/home/torn.map", "type octile\nheight 1\nwidth 2\nmap\n.?\n");
    bench.shell().open("/home/torn.map".into());
    bench.frames();
    bench.harness.get_by_label_contains("torn.map, line 5, column 2");
    bench.files.put("/home/slip.map", "type octile\nheight 1\nwidth 4\nmap\n.WD.\n");
    bench.shell().open("/home/slip.map".into());
    bench.frames();
    bench
        .harness
        .get_by_label_contains("slip.map: 'D' at (2, 0) makes this a map of weighted terrain");
}

#[test]
fn everything_is_exported_and_a_setting_opens_as_it_was() {
    let mut bench = Bench::on_rooms();
    bench.mode().choose_planner(PlannerChoice::parse("weighted-astar:weight=2").unwrap());
    bench.click("tree");
    bench.mode().player.jump(7);
    let files = [
        ("Export the view as PNG…", "/home/test.png", &b"\x89PNG"[..]),
        ("Export the view as SVG…", "/home/test.svg", b"<svg"),
        ("Export the search for Posthoc…", "/home/test.trace.yaml", b"version: 1.4.0"),
        ("Save setting…", "/home/test.highroad.json", b"{"),
        ("Save map as…", "/home/test.map", b"type octile"),
    ];
    for (entry, file, start) in files {
        bench.menu(&["File", entry]);
        bench.click("Save");
        let bytes = bench.files.get(file).unwrap_or_else(|| panic!("{file} is not written"));
        assert!(bytes.starts_with(start), "{file}");
    }
    let before = bench.app().shell.setting();
    let mut other = Bench::with_files(std::sync::Arc::clone(&bench.files));
    other.shell().open("/home/test.highroad.json".into());
    other.frames();
    let after = other.app().shell.setting();
    assert_eq!(after.position, Some(7));
    assert_eq!(
        (after.map, after.planner, after.layers),
        (before.map, before.planner, before.layers)
    );
    assert_eq!((after.start, after.goal, after.view), (before.start, before.goal, before.view));
    assert_eq!(other.path(), bench.path());
}

#[test]
fn a_picture_becomes_a_map() {
    let grid = highroad::grid::Grid::with_defaults("#.#.\n....\n".parse().unwrap());
    let scene = highroad_pictures::Scene::new(&grid);
    let frame = highroad_pictures::Viewport {
        origin: (0.0, 0.0),
        scale: 1.0,
        corner: (0.0, 0.0),
        size: (4.0, 2.0),
    };
    let mut png = Vec::new();
    scene.to_canvas(&frame).write_png(&mut png).unwrap();
    let mut bench = Bench::new();
    bench.files.put("/home/plan.png", png);
    bench.menu(&["File", "Open…"]);
    bench.click("plan.png");
    bench.click("Open");
    assert!(matches!(bench.app().shell.dialog, Some(Dialog::Import { .. })));
    bench.click("Create");
    assert_eq!(bench.map(), "@.@.\n....\n");
}

#[test]
fn maps_are_made_blank_generated_and_built_in() {
    let mut bench = Bench::new();
    bench.menu(&["File", "New blank map…"]);
    bench.click("Create");
    let extent = bench.seen().document.extent();
    assert_eq!((extent.width(), extent.height()), (96, 64));
    bench.menu(&["File", "Generate a map…"]);
    bench.click("maze");
    bench.click("Another");
    bench.click("Create");
    assert_eq!(bench.seen().document.name, "maze");
    bench.menu(&["File", "Built-in maps", "castle"]);
    assert_eq!(bench.seen().document.name, "castle");
    assert!(!bench.path().is_empty());
}

#[test]
fn changes_are_not_lost_without_asking() {
    let mut bench = Bench::on_rooms();
    bench.drag(Primary, &[(14, 4)]);
    bench.menu(&["File", "New blank map…"]);
    assert!(matches!(bench.app().shell.dialog, Some(Dialog::Discard(_))));
    bench.click("Cancel");
    assert!(bench.app().shell.dialog.is_none() && bench.seen().document.is_changed());
    bench.menu(&["File", "New blank map…"]);
    bench.click("Don't save");
    assert!(matches!(bench.app().shell.dialog, Some(Dialog::New { .. })));
}

#[test]
fn keys_are_listed_and_preferences_are_remembered() {
    let mut bench = Bench::new();
    bench.harness.event(egui::Event::Text("?".to_owned()));
    bench.frames();
    bench.harness.get_by_label("Keys and mouse");
    bench.harness.key_press(egui::Key::Escape);
    bench.frames();
    assert!(!bench.app().shell.shows_keys);
    bench.menu(&["View", "Light"]);
    bench.shell().save_preferences();
    let other = Bench::with_files(std::sync::Arc::clone(&bench.files));
    let theme = other.app().shell.preferences.theme;
    assert_eq!(theme, highroad_pictures::Theme::Light);
}

#[test]
fn the_wheel_zooms_at_the_pointer_and_f_fits() {
    let mut bench = Bench::on_rooms();
    let fitted = bench.seen().view.scale;
    let spot = bench.spot(Cell::new(5, 5));
    bench.harness.hover_at(spot);
    bench.harness.step();
    bench.harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: egui::vec2(0.0, 3.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: egui::Modifiers::NONE,
    });
    bench.frames();
    assert!(bench.seen().view.scale > 1.5 * fitted);
    let after = bench.spot(Cell::new(5, 5));
    assert!((after - spot).length() < 1.0, "{spot} {after}");
    bench.harness.key_press(egui::Key::F);
    bench.frames();
    assert!((bench.seen().view.scale - fitted).abs() < 1e-3);
}

/// What a hierarchy with two levels would give, whatever planner it is.
fn layers_of_some_planner() -> (Vec<SketchLayer>, Vec<SketchLayer>) {
    static CLUSTERS: LayerInfo = LayerInfo::visible("clusters", "a test", 0.3);
    static PATH: LayerInfo = LayerInfo::visible("abstract path", "a test", 0.8);
    let halves =
        vec![highroad::CellRect::new((0, 0), (11, 11)), highroad::CellRect::new((12, 0), (23, 11))];
    let way = |cells: &[(u32, u32)]| {
        Shape::Chain(cells.iter().map(|&cell| Point::middle_of(cell.into())).collect())
    };
    let sketch = vec![CLUSTERS.layer(1, Shape::Rectangles(halves))];
    let query = vec![
        PATH.layer(1, way(&[(3, 6), (11, 1), (20, 6)])),
        PATH.layer(2, way(&[(3, 6), (20, 6)])),
    ];
    (sketch, query)
}

#[test]
fn any_planners_layers_are_shown_and_refinement_is_replayed_from_the_top() {
    let mut bench = Bench::on_rooms();
    let (sketch, query) = layers_of_some_planner();
    bench.mode().layers.sketch = sketch;
    bench.mode().layers.query = query;
    bench.frames();
    let shown = |bench: &Bench, name: &str, level: u32| {
        let scene = bench.seen().scene();
        let layer =
            scene.layers.iter().find(|l| l.layer.info.name == name && l.layer.level == level);
        layer.map(|layer| layer.shown.min(layer.layer.shape.len()))
    };
    assert_eq!(shown(&bench, "clusters", 1), Some(2));
    bench.click("clusters");
    assert_eq!(shown(&bench, "clusters", 1), None);
    bench.click("Replay refinement");
    let levels = |bench: &Bench| {
        let path = bench.seen().scene().path.map_or(0, |(cells, _)| cells.len());
        (shown(bench, "abstract path", 2), shown(bench, "abstract path", 1), path)
    };
    bench.mode().layers.refinement.shown = Some(1);
    assert_eq!(levels(&bench), (Some(1), Some(0), 0), "the top layer comes first");
    bench.mode().layers.refinement.shown = Some(4);
    assert_eq!(levels(&bench), (Some(2), Some(2), 0));
    bench.pass(6000);
    let whole = bench.path().len();
    assert_eq!(levels(&bench), (Some(2), Some(3), whole), "and the cells last");
    assert!(!bench.seen().layers.refinement.is_playing);
}

#[test]
fn a_search_that_is_too_slow_for_the_hand_says_so() {
    let mut bench = Bench::on_rooms();
    // Every look at the clock takes 30 ms from now on.
    bench.clock.make_slow(std::time::Duration::from_millis(30));
    bench.mode().find_path();
    bench.frames();
    let goal = bench.seen().document.goal();
    bench.mode().press(Point::middle_of(goal), false, Some(highroad::environment::End::Goal));
    for row in [3, 2, 1] {
        bench.mode().drag_to(Point::middle_of(Cell::new(20, row)));
        // Twice: it begins, and its answer is taken.
        bench.shell().tick();
        bench.shell().tick();
    }
    let text = bench.app().shell.news.as_ref().map(|news| news.text.clone()).unwrap_or_default();
    assert!(text.contains("too long to follow the hand"), "{text}");
    bench.mode().release();
    bench.frames();
    assert_eq!(bench.path().last(), Some(&Cell::new(20, 1)), "it comes on release");
}

#[test]
fn a_click_within_one_frame_counts() {
    let mut bench = Bench::on_rooms();
    bench.harness.key_press(egui::Key::Num8);
    bench.frames();
    let spot = bench.spot(Cell::new(16, 3));
    bench.harness.hover_at(spot);
    bench.harness.step();
    bench.drag_at_once(Primary, &[spot]);
    assert_eq!(bench.seen().document.goal(), Cell::new(16, 3));
    assert_eq!(bench.path().last(), Some(&Cell::new(16, 3)));
}

/// A quick hand presses, moves and lets go between two frames: what it passed is drawn, from where it pressed on.
#[test]
fn a_drag_within_one_frame_draws_everything_it_passed() {
    let mut bench = Bench::on_rooms();
    let spots = |bench: &Bench, cells: &[(u32, u32)]| -> Vec<egui::Pos2> {
        cells.iter().map(|&cell| bench.spot(cell.into())).collect()
    };
    let before = bench.map();
    let corners = spots(&bench, &[(14, 2), (14, 9), (18, 9)]);
    bench.harness.hover_at(corners[0]);
    bench.harness.step();
    bench.drag_at_once(Primary, &corners);
    let grid = bench.seen().document.grid();
    let is_wall = |x, y| !grid.is_enterable(Cell::new(x, y));
    assert!((2..=9).all(|y| is_wall(14, y)) && (14..=18).all(|x| is_wall(x, 9)), "{}", bench.map());
    bench.menu(&["Edit", "Undo"]);
    assert_eq!(bench.map(), before, "it is one step");
    // The flag is dragged as quickly, and the pointer need not have been on the map before.
    let flag = spots(&bench, &[(20, 6), (16, 3)]);
    bench.drag_at_once(Primary, &flag);
    assert_eq!(bench.seen().document.goal(), Cell::new(16, 3));
    assert_eq!(bench.map(), before);
    // What lies in front of the map takes the drag.
    bench.menu(&["File", "New blank map…"]);
    let across = spots(&bench, &[(2, 2), (9, 9)]);
    bench.drag_at_once(Primary, &across);
    assert_eq!(bench.map(), before);
}
