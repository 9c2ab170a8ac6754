//! What a screen reader is told. These tests read the AccessKit tree, the same one that the window gives to the system.

#[allow(dead_code, reason = "each file of tests uses a part")]
mod support;

use egui::accesskit::{Action, Role};
use egui_kittest::kittest::{NodeT, Queryable};
use highroad_pictures::replay::{Breakpoint, Value};
use highroad_workbench::map::Tab;
use highroad_workbench::shell::{Dialog, FilePurpose, Generator, Mode, Next};
use highroad_workbench::teach::lesson::BUILTIN_LESSONS;
use std::sync::Arc;
use support::Bench;

/// Checks that everything that can be clicked or gets the focus says what it is.
#[track_caller]
fn assert_named(bench: &Bench, view: &str) {
    let root = bench.harness.root();
    let mut controls = 0;
    let mut nameless = Vec::new();
    for node in root.children_recursive() {
        let node = node.accesskit_node();
        let data = node.data();
        if !data.supports_action(Action::Click) && !data.supports_action(Action::Focus) {
            continue;
        }
        // A label is its own text; bars scroll by themselves when the focus moves; title bars of inner windows have no role.
        if matches!(node.role(), Role::Label | Role::ScrollBar | Role::Unknown) {
            continue;
        }
        controls += 1;
        // A value alone does not say what it is the value of.
        let name = node.label().unwrap_or_default();
        if !name.chars().any(char::is_alphanumeric) {
            let value = node.value().unwrap_or_default();
            let at = node.bounding_box();
            nameless.push(format!("{:?} {name:?}, value {value:?}, at {at:?}", node.role()));
        }
    }
    assert!(controls > 5, "{view}: {controls} controls");
    assert!(nameless.is_empty(), "{view}: {nameless:#?}");
}

#[test]
fn every_control_of_every_mode_and_tab_has_a_name() {
    let mut bench = Bench::on_rooms();
    for mode in Mode::ALL {
        bench.shell().mode = mode;
        bench.frames();
        assert_named(&bench, mode.name());
    }
    bench.shell().puzzle.solve();
    bench.frames();
    assert_named(&bench, "a solved puzzle");
    bench.shell().mode = Mode::Map;
    for planner in ["astar", "hpa", "pra", "weighted-astar", "hub-labels"] {
        bench.choose(planner);
        for tab in Tab::ALL {
            bench.mode().tab = tab;
            bench.frames();
            assert_named(&bench, &format!("{planner}, tab {}", tab.name()));
        }
    }
    bench.mode().tab = Tab::Compare;
    bench.mode().compare();
    bench.mode().show_canvases(3);
    bench.frames();
    assert_named(&bench, "planners compared on three canvases");
    bench.mode().show_canvases(1);
    bench.mode().compare_heuristics();
    bench.frames();
    assert_named(&bench, "heuristics compared");
}

#[test]
fn every_control_of_menus_lists_and_windows_has_a_name() {
    let mut bench = Bench::on_rooms();
    for menu in ["File", "Edit", "View", "Run", "Lessons", "Help"] {
        bench.click(menu);
        assert_named(&bench, menu);
        bench.harness.key_press(egui::Key::Escape);
        bench.frames();
    }
    bench.mode().player.breakpoints.push(Breakpoint::AtLeast(Value::G, 5));
    bench.mode().player.breakpoints.push(Breakpoint::Cell { x: 2, y: 3 });
    for list in ["Choose a planner", "colours", "Breakpoints"] {
        bench.click(list);
        assert_named(&bench, list);
        bench.harness.key_press(egui::Key::Escape);
        bench.frames();
    }
    bench.shell().shows_keys = true;
    bench.frames();
    assert_named(&bench, "keys and mouse");
    bench.shell().shows_keys = false;
    for purpose in [FilePurpose::Open, FilePurpose::SaveMap] {
        bench.shell().ask_for_file(purpose);
        bench.frames();
        assert_named(&bench, purpose.title());
    }
    let windows = [
        Dialog::New { width: 20, height: 12 },
        Dialog::Discard(Box::new(Next::Quit)),
        Dialog::Replace { purpose: FilePurpose::SaveMap, path: "/home/a.map".into() },
    ];
    for window in windows {
        bench.shell().dialog = Some(window);
        bench.frames();
        assert_named(&bench, "a window in front");
    }
    for (name, layout) in Generator::LAYOUTS {
        let mut generator = Generator::new();
        generator.recipe.layout = layout;
        bench.shell().dialog = Some(Dialog::Generate(generator));
        bench.frames();
        assert_named(&bench, name);
    }
}

#[test]
fn every_control_of_lessons_has_a_name() {
    // Guesses of a number and guesses by choice, tasks, layers and parts of the timeline.
    for builtin in [0, 1, 5].map(|number| &BUILTIN_LESSONS[number]) {
        let mut bench = Bench::on_start_page(Arc::default(), [1280.0, 800.0]);
        bench.mode().start_lesson(builtin.read().unwrap());
        bench.shell().mode = Mode::Map;
        bench.frames();
        while let Some(course) = bench.seen().teaching.course.as_ref() {
            let view = format!("{}: {}", course.lesson().title, course.step().title);
            assert_named(&bench, &view);
            bench.mode().go_lesson(true);
            bench.frames();
        }
    }
}

/// The window itself is called by what is open in it.
#[test]
fn the_window_has_a_name() {
    let mut bench = Bench::on_rooms();
    let name = |bench: &Bench| bench.harness.root().accesskit_node().label().unwrap_or_default();
    assert_eq!(name(&bench), "test.map – Highroad workbench");
    bench.shell().mode = Mode::Puzzle;
    bench.frames();
    assert_eq!(name(&bench), "8 puzzle – Highroad workbench");
}

/// A screen reader moves a slider by asking for more, for less, or for a value.
#[test]
fn the_timeline_is_moved_by_a_screen_reader() {
    let mut bench = Bench::on_rooms_with("dijkstra");
    bench.mode().player.jump(10);
    bench.frames();
    let at = |bench: &Bench| bench.seen().player.position().0;
    bench.harness.get_by_label("Timeline").increment_accesskit();
    bench.frames();
    assert_eq!(at(&bench), 11);
    bench.harness.get_by_label("Timeline").decrement_accesskit();
    bench.harness.get_by_label("Timeline").decrement_accesskit();
    bench.frames();
    assert_eq!(at(&bench), 9);
    bench.harness.get_by_label("Timeline").set_value_accesskit(20.0);
    bench.frames();
    assert_eq!(at(&bench), 20);
    let length = bench.seen().player.position().1;
    bench.harness.get_by_label("Timeline").set_value_accesskit(1e30);
    bench.frames();
    assert_eq!(at(&bench), length);
    bench.harness.get_by_label("Timeline").set_value_accesskit(f64::NAN);
    bench.frames();
    let node = bench.harness.get_by_label("Timeline").accesskit_node();
    assert_eq!(node.numeric_value(), Some(at(&bench) as f64));
    assert_eq!(
        (node.min_numeric_value(), node.max_numeric_value()),
        (Some(0.0), Some(length as f64))
    );
}
