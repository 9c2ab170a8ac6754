//! The workbench driven as a person drives it, through accessibility labels and the pointer, without a
//! display.

mod support;

use egui::PointerButton::{Primary, Secondary};
use egui_kittest::kittest::{NodeT, Queryable};
use highroad::catalog::CATALOG;
use highroad::planner::{Answer, LayerInfo, Point, Shape, SketchLayer};
use highroad::{Cell, Terrain};
use highroad_workbench::model::{Dialog, Gait, PlannerChoice, Tool};
use support::Bench;

/// Two rooms with two gates between them, 24 by 12.
const ROOMS: &str = "
........................
........................
...........#............
...........#............
...........#............
...........#............
...........#............
...........#............
...........#............
...........#............
........................
........................
";

fn bench_on_rooms() -> Bench {
    let mut bench = Bench::new();
    bench.open_map(ROOMS);
    bench.bench().move_place(highroad::environment::End::Start, Cell::new(3, 6));
    bench.bench().move_place(highroad::environment::End::Goal, Cell::new(20, 6));
    bench.bench().run();
    bench.frames();
    bench
}

#[test]
fn it_opens_on_a_map_with_a_path_found_and_one_hint() {
    let bench = Bench::new();
    assert!(bench.path().len() > 50);
    assert_eq!(bench.app().bench.planner.entry().name, "hpa");
    bench.harness.get_by_label("Drag the flag: the path follows.");
    bench.harness.get_by_label("Map");
}

#[test]
fn a_map_is_opened_drawn_on_and_undone() {
    let mut bench = bench_on_rooms();
    assert_eq!(bench.app().bench.document.name, "test.map");
    let before = bench.map();
    let path = bench.path();
    bench.drag(Primary, &[(14, 4), (14, 8)]);
    let wall = |bench: &Bench| bench.app().bench.document.grid().map().count(Terrain::WALL);
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
    let mut bench = bench_on_rooms();
    let water = |bench: &Bench| bench.app().bench.document.grid().map().count(Terrain::WATER);
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
    assert_eq!(bench.app().bench.tool, Tool::Hand);
}

#[test]
fn the_goal_is_dragged_and_the_path_follows_before_it_is_let_go() {
    let mut bench = bench_on_rooms();
    let (from, to) = (bench.spot(Cell::new(20, 6)), bench.spot(Cell::new(20, 1)));
    bench.harness.event(egui::Event::PointerMoved(from));
    bench.harness.step();
    bench.harness.drag_at(from);
    bench.harness.step();
    bench.harness.event(egui::Event::PointerMoved(to));
    bench.harness.run_steps(3);
    assert_eq!(bench.path().last(), Some(&Cell::new(20, 1)), "while the button is held");
    assert!(bench.app().bench.player.replay().is_none(), "nothing is recorded meanwhile");
    bench.harness.drop_at(to);
    bench.frames();
    assert_eq!(bench.app().bench.document.goal, Cell::new(20, 1));
    assert!(bench.app().bench.player.replay().is_some());
    assert!(bench.harness.query_by_label("Drag the flag: the path follows.").is_none());
}

#[test]
fn every_planner_runs_and_shows_its_guarantee_and_result() {
    let mut bench = bench_on_rooms();
    for entry in CATALOG.iter().filter(|entry| entry.grid.is_some()) {
        bench.bench().choose_planner(PlannerChoice::of(entry.name).unwrap());
        bench.frames();
        let outcome = bench.app().bench.outcome.as_ref();
        let Some(outcome) = outcome else {
            panic!("{}: {:?}", entry.name, bench.app().bench.trouble);
        };
        assert!(matches!(outcome.answer, Answer::Found(_)), "{}", entry.name);
        let guarantee = outcome.guarantee.to_string();
        assert!(bench.harness.query_all_by_label(&guarantee).count() > 0, "{}", entry.name);
        assert!(bench.app().bench.player.replay().is_some(), "{}", entry.name);
    }
}

#[test]
fn a_planner_is_chosen_and_its_options_are_set() {
    let mut bench = bench_on_rooms();
    bench.click("Choose a planner");
    bench.click("A*");
    assert_eq!(bench.app().bench.planner.text(), "astar");
    bench.click("Choose heuristic");
    bench.click("manhattan");
    assert_eq!(bench.app().bench.planner.text(), "astar:heuristic=manhattan");
    let guarantee = bench.app().bench.outcome.as_ref().unwrap().guarantee;
    assert!(matches!(guarantee, highroad::planner::Guarantee::Bounded(_)), "{guarantee}");
}

#[test]
fn the_search_is_stepped_forward_and_back_played_and_scrubbed() {
    let mut bench = bench_on_rooms();
    bench.bench().choose_planner(PlannerChoice::of("dijkstra").unwrap());
    bench.frames();
    let at = |bench: &Bench| bench.app().bench.player.position().0;
    let length = bench.app().bench.player.position().1;
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
    bench.bench().player.set_speed(20.0);
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
    let mut bench = bench_on_rooms();
    bench.bench().choose_planner(PlannerChoice::of("dijkstra").unwrap());
    bench.bench().player.toggle_cell_breakpoint(Cell::new(6, 6));
    bench.frames();
    bench.bench().player.set_speed(100_000.0);
    bench.click("Play");
    bench.pass(500);
    let player = &bench.app().bench.player;
    assert!(player.at_breakpoint && !player.is_playing());
    assert_eq!(player.replay().unwrap().current().unwrap().1, Cell::new(6, 6));
}

#[test]
fn hovering_tells_what_the_search_knows_of_a_cell() {
    let mut bench = bench_on_rooms();
    bench.bench().choose_planner(PlannerChoice::of("astar").unwrap());
    bench.frames();
    let spot = bench.spot(Cell::new(3, 6));
    bench.harness.hover_at(spot);
    bench.frames();
    let line = bench.harness.get_by_label_contains("cell (3, 6): ground");
    let text = line.accesskit_node().label().or(line.value()).unwrap_or_default();
    for part in ["g 0.00", "a start", "expanded 1 of", "start, expanded"] {
        assert!(text.contains(part), "{part} is missing from {text}");
    }
}

#[test]
fn layers_are_switched_and_components_are_found() {
    let mut bench = bench_on_rooms();
    assert!(bench.app().bench.scene().search.is_some());
    bench.click("search");
    assert!(bench.app().bench.scene().search.is_none());
    bench.click("tree");
    assert!(bench.app().bench.scene().tree.is_some());
    bench.click("components");
    let names: Vec<&str> =
        bench.app().bench.scene().layers.iter().map(|l| l.layer.info.name).collect();
    assert!(names.contains(&"components"), "{names:?}");
    bench.click("path");
    assert!(bench.app().bench.scene().path.is_none());
}

#[test]
fn an_agent_walks_plans_again_and_says_why_it_stops() {
    let mut bench = bench_on_rooms();
    bench.bench().preferences.walk_speed = 4.0;
    bench.click("Walk the path");
    bench.pass(1000);
    let walker = bench.app().bench.walker.clone().unwrap();
    assert!(walker.gait == Gait::Walking && walker.trail.len() >= 3, "{walker:?}");
    // A wall across the gate that it is walking to.
    let ahead: Vec<Cell> = walker.ahead().collect();
    let gate = *ahead.iter().find(|cell| cell.x == 11).unwrap();
    let rows = if gate.y < 6 { (0, 1) } else { (10, 11) };
    bench.drag(Primary, &[(11, rows.0), (11, rows.1)]);
    bench.pass(200);
    let walker = bench.app().bench.walker.clone().unwrap();
    assert_eq!(walker.gait, Gait::Walking);
    assert!(walker.replans >= 1);
    assert!(walker.ahead().all(|cell| !(rows.0..=rows.1).contains(&cell.y) || cell.x != 11));
    // And one across the other.
    let others = if gate.y < 6 { (10, 11) } else { (0, 1) };
    bench.drag(Primary, &[(11, others.0), (11, others.1)]);
    bench.pass(200);
    let walker = bench.app().bench.walker.clone().unwrap();
    let Gait::Stopped(reason) = walker.gait else { panic!("{:?}", walker.gait) };
    assert!(reason.contains("walled off"), "{reason}");
    assert!(bench.harness.query_all_by_label(&reason).count() > 0);
}

#[test]
fn an_agent_is_paused_and_arrives() {
    let mut bench = bench_on_rooms();
    bench.click("Walk the path");
    bench.pass(200);
    bench.click("Pause walking");
    let at = bench.app().bench.walker.as_ref().unwrap().at;
    bench.pass(1000);
    assert_eq!(bench.app().bench.walker.as_ref().unwrap().at, at);
    bench.click("Go on");
    bench.pass(10_000);
    assert_eq!(bench.app().bench.walker.as_ref().unwrap().gait, Gait::Arrived);
    bench.click("Remove");
    assert!(bench.app().bench.walker.is_none());
}

#[test]
fn errors_are_said_in_plain_words() {
    let mut bench = bench_on_rooms();
    bench.bench().move_place(highroad::environment::End::Goal, Cell::new(11, 5));
    bench.frames();
    bench.harness.get_by_label("The goal is inside a wall; drag it out.");
    bench.bench().move_place(highroad::environment::End::Goal, Cell::new(20, 5));
    bench.frames();
    assert!(bench.app().bench.trouble.is_none());
    bench.bench().open("/home/missing.map".into());
    bench.frames();
    bench.harness.get_by_label("missing.map cannot be read: no such file.");
    bench.files.put("/home/torn.map", "type octile\nheight 1\nwidth 2\nmap\n.?\n");
    bench.bench().open("/home/torn.map".into());
    bench.frames();
    bench.harness.get_by_label_contains("torn.map, line 5, column 2");
}

#[test]
fn everything_is_exported_and_a_setting_opens_as_it_was() {
    let mut bench = bench_on_rooms();
    bench.bench().choose_planner(PlannerChoice::parse("weighted-astar:weight=2").unwrap());
    bench.click("tree");
    bench.bench().player.jump(7);
    let files = [
        ("Export the view as PNG…", "/home/test.png", &b"\x89PNG"[..]),
        ("Export the view as SVG…", "/home/test.svg", b"<svg"),
        ("Export the search for Posthoc…", "/home/test.trace.yaml", b"version: 1.4.0"),
        ("Save setting…", "/home/test.highroad.json", b"{"),
        ("Save map as…", "/home/test.map", b"type octile"),
    ];
    for (entry, file, start) in files {
        bench.menu(&["File", entry]);
        bench.click("Write");
        let bytes = bench.files.get(file).unwrap_or_else(|| panic!("{file} is not written"));
        assert!(bytes.starts_with(start), "{file}");
    }
    let before = bench.app().bench.setting();
    let mut other = Bench::with_files(std::sync::Arc::clone(&bench.files));
    other.bench().open("/home/test.highroad.json".into());
    other.frames();
    let after = other.app().bench.setting();
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
    assert!(matches!(bench.app().bench.dialog, Some(Dialog::Import { .. })));
    bench.click("Use it");
    assert_eq!(bench.map(), "@.@.\n....\n");
}

#[test]
fn maps_are_made_blank_generated_and_built_in() {
    let mut bench = Bench::new();
    bench.menu(&["File", "New blank map…"]);
    bench.click("Make it");
    let extent = bench.app().bench.document.extent();
    assert_eq!((extent.width(), extent.height()), (96, 64));
    bench.menu(&["File", "Generate a map…"]);
    bench.click("maze");
    bench.click("Another");
    bench.click("Use it");
    assert_eq!(bench.app().bench.document.name, "maze");
    bench.menu(&["File", "Built-in maps", "castle"]);
    assert_eq!(bench.app().bench.document.name, "castle");
    assert!(!bench.path().is_empty());
}

#[test]
fn changes_are_not_lost_without_asking() {
    let mut bench = bench_on_rooms();
    bench.drag(Primary, &[(14, 4)]);
    bench.menu(&["File", "New blank map…"]);
    assert!(matches!(bench.app().bench.dialog, Some(Dialog::Discard(_))));
    bench.click("Stay here");
    assert!(bench.app().bench.dialog.is_none() && bench.app().bench.document.is_changed);
    bench.menu(&["File", "New blank map…"]);
    bench.click("Lose them");
    assert!(matches!(bench.app().bench.dialog, Some(Dialog::New { .. })));
}

#[test]
fn keys_are_listed_and_preferences_are_remembered() {
    let mut bench = Bench::new();
    bench.harness.event(egui::Event::Text("?".to_owned()));
    bench.frames();
    bench.harness.get_by_label("Keys and mouse");
    bench.harness.key_press(egui::Key::Escape);
    bench.frames();
    assert!(!bench.app().bench.shows_keys);
    bench.menu(&["View", "Light"]);
    bench.bench().save_preferences();
    let other = Bench::with_files(std::sync::Arc::clone(&bench.files));
    let theme = other.app().bench.preferences.theme;
    assert_eq!(theme, highroad_pictures::Theme::Light);
}

#[test]
fn the_wheel_zooms_at_the_pointer_and_f_fits() {
    let mut bench = bench_on_rooms();
    let fitted = bench.app().bench.view.scale;
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
    assert!(bench.app().bench.view.scale > 1.5 * fitted);
    let after = bench.spot(Cell::new(5, 5));
    assert!((after - spot).length() < 1.0, "{spot} {after}");
    bench.harness.key_press(egui::Key::F);
    bench.frames();
    assert!((bench.app().bench.view.scale - fitted).abs() < 1e-3);
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
    let mut bench = bench_on_rooms();
    let (sketch, query) = layers_of_some_planner();
    bench.bench().layers.sketch = sketch;
    bench.bench().layers.query = query;
    bench.frames();
    let shown = |bench: &Bench, name: &str, level: u32| {
        let scene = bench.app().bench.scene();
        let layer =
            scene.layers.iter().find(|l| l.layer.info.name == name && l.layer.level == level);
        layer.map(|layer| layer.shown.min(layer.layer.shape.len()))
    };
    assert_eq!(shown(&bench, "clusters", 1), Some(2));
    bench.click("clusters, level 1");
    assert_eq!(shown(&bench, "clusters", 1), None);
    bench.click("Replay refinement");
    let levels = |bench: &Bench| {
        let path = bench.app().bench.scene().path.map_or(0, |(cells, _)| cells.len());
        (shown(bench, "abstract path", 2), shown(bench, "abstract path", 1), path)
    };
    bench.bench().refinement.shown = Some(1);
    assert_eq!(levels(&bench), (Some(1), Some(0), 0), "the top layer comes first");
    bench.bench().refinement.shown = Some(4);
    assert_eq!(levels(&bench), (Some(2), Some(2), 0));
    bench.pass(6000);
    let whole = bench.path().len();
    assert_eq!(levels(&bench), (Some(2), Some(3), whole), "and the cells last");
    assert!(!bench.app().bench.refinement.is_playing);
}

#[test]
fn a_search_that_is_too_slow_for_the_hand_says_so() {
    let mut bench = bench_on_rooms();
    // Every look at the clock takes 30 ms from now on.
    bench.clock.make_slow(std::time::Duration::from_millis(30));
    bench.bench().run();
    bench.frames();
    let goal = bench.app().bench.document.goal;
    bench.bench().press(goal, false, Some(highroad::environment::End::Goal));
    for row in [3, 2, 1] {
        bench.bench().drag_to(Cell::new(20, row));
        // Twice: it begins, and its answer is taken.
        bench.bench().tick();
        bench.bench().tick();
    }
    let text = bench.app().bench.news.as_ref().map(|news| news.text.clone()).unwrap_or_default();
    assert!(text.contains("too long to follow the hand"), "{text}");
    bench.bench().release();
    bench.frames();
    assert_eq!(bench.path().last(), Some(&Cell::new(20, 1)), "it comes on release");
}

#[test]
fn a_click_within_one_frame_counts() {
    let mut bench = bench_on_rooms();
    bench.harness.key_press(egui::Key::Num8);
    bench.frames();
    let spot = bench.spot(Cell::new(16, 3));
    bench.harness.hover_at(spot);
    bench.harness.step();
    for pressed in [true, false] {
        bench.harness.input_mut().events.push(egui::Event::PointerButton {
            pos: spot,
            button: Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        });
    }
    bench.frames();
    assert_eq!(bench.app().bench.document.goal, Cell::new(16, 3));
    assert_eq!(bench.path().last(), Some(&Cell::new(16, 3)));
}
