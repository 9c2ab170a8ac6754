//! The mesh mode, driven as a person would.

#[allow(dead_code, reason = "each file of tests uses a part")]
mod support;

use egui_kittest::kittest::Queryable;
use highroad::environment::Environment;
use highroad::mesh::{Mesh, MeshPoint};
use highroad_lab::builtin::BUILTIN_MAPS;
use highroad_workbench::mesh::{MeshMode, MeshTool, POLYGONS_MAX};
use highroad_workbench::shared::PlannerChoice;
use highroad_workbench::shell::Mode;
use std::sync::Arc;
use support::{Bench, MemoryFiles};

/// A room of 20 × 10.
fn room() -> Mesh {
    let corners = vec![[0.0, 0.0], [20.0, 0.0], [20.0, 10.0], [0.0, 10.0]];
    Mesh::from_polygons(corners, &[vec![0, 1, 2, 3]]).unwrap()
}

fn point(x: f64, y: f64) -> MeshPoint {
    MeshPoint::new(x, y).unwrap()
}

/// The mode with a room, and a path through its middle.
fn bench_in_room() -> Bench {
    let mut bench = Bench::on_start_page(Arc::default(), [1280.0, 800.0]);
    bench.click("Mesh");
    assert_eq!(bench.app().shell.mode, Mode::Mesh);
    let mode = bench.shell().mesh();
    mode.take("room", room()).unwrap();
    mode.set_end(0, point(2.0, 5.0));
    mode.set_end(1, point(18.0, 5.0));
    bench.frames();
    bench
}

fn length(bench: &mut Bench) -> f64 {
    bench.frames();
    match bench.shell().mesh().outcome().expect("it is answered") {
        Ok(outcome) => outcome.length,
        Err(reason) => panic!("{reason}"),
    }
}

#[test]
fn every_planner_of_meshes_answers_on_built_in_maps() {
    let mut bench = bench_in_room();
    let mut taken = 0;
    for builtin in BUILTIN_MAPS {
        // Cells that differ in cost have no mesh; the reason is said.
        if let Err(reason) = bench.shell().mesh().take_builtin(builtin) {
            assert!(reason.contains("cost") || reason.contains("too many"), "{reason}");
            continue;
        }
        taken += 1;
        let mut shortest = None;
        for entry in MeshMode::planners() {
            bench.shell().mesh().choose_planner(PlannerChoice::of_entry(entry));
            let length = length(&mut bench);
            let outcome = bench.shell().mesh().outcome().unwrap().as_ref().ok().unwrap();
            assert!(
                outcome.is_found && length >= outcome.shortest * (1.0 - 1e-9),
                "{}",
                entry.name
            );
            let first = *shortest.get_or_insert(outcome.shortest);
            assert!((outcome.shortest - first).abs() < 1e-6);
        }
    }
    assert!(taken >= 4, "{taken}");
}

#[test]
fn an_obstacle_is_drawn_dragged_removed_and_undone() {
    let mut bench = bench_in_room();
    assert_eq!(length(&mut bench), 16.0);
    let mode = bench.shell().mesh();
    mode.tool = MeshTool::Draw;
    // A rectangle by a drag.
    mode.press([9.0, 3.0], 0.2);
    mode.drag_to([11.0, 7.0]);
    mode.release();
    let around = length(&mut bench);
    assert!(around > 16.0, "{around}");
    // Dragged away, step by step, which is one step of undo.
    let mode = bench.shell().mesh();
    mode.tool = MeshTool::Move;
    assert!(mode.press([10.0, 4.0], 0.2));
    mode.drag_to([10.0, 6.0]);
    mode.drag_to([10.0, 9.0]);
    mode.release();
    assert_eq!(length(&mut bench), 16.0, "it stands beside the way now");
    bench.shell().undo();
    assert_eq!(length(&mut bench), around);
    bench.shell().redo();
    assert_eq!(length(&mut bench), 16.0);
    bench.shell().undo();
    bench.shell().undo();
    assert_eq!(length(&mut bench), 16.0);
    assert_eq!(bench.shell().mesh().mesh().obstacles().count(), 0);
    // A triangle by clicks; a click on the first corner closes it. It is removed by a click.
    let mode = bench.shell().mesh();
    mode.tool = MeshTool::Draw;
    for corner in [[9.0, 2.0], [12.0, 2.0], [10.0, 8.0], [9.1, 2.1]] {
        mode.click(corner, 0.5);
    }
    assert_eq!(mode.mesh().obstacles().count(), 1);
    assert!(length(&mut bench) > 16.0);
    let mode = bench.shell().mesh();
    mode.tool = MeshTool::Remove;
    mode.click([10.0, 3.0], 0.5);
    assert_eq!(length(&mut bench), 16.0);
}

#[test]
fn what_is_no_obstacle_is_refused_in_words_and_escape_drops_what_is_drawn() {
    let mut bench = bench_in_room();
    let mode = bench.shell().mesh();
    // An outline that crosses itself.
    mode.place_obstacle(vec![[5.0, 2.0], [9.0, 8.0], [9.0, 2.0], [5.0, 8.0]]);
    assert!(mode.refusal().is_some());
    assert_eq!(mode.mesh().obstacles().count(), 0);
    bench.frames();
    mode_of(&mut bench).tool = MeshTool::Draw;
    mode_of(&mut bench).click([5.0, 2.0], 0.1);
    mode_of(&mut bench).click([6.0, 2.0], 0.1);
    assert_eq!(mode_of(&mut bench).corners().len(), 2);
    bench.harness.key_press(egui::Key::Escape);
    bench.frames();
    assert!(mode_of(&mut bench).corners().is_empty());
    // Two corners are no obstacle.
    mode_of(&mut bench).click([5.0, 2.0], 0.1);
    mode_of(&mut bench).close_obstacle();
    assert_eq!(mode_of(&mut bench).mesh().obstacles().count(), 0);
}

fn mode_of(bench: &mut Bench) -> &mut MeshMode {
    bench.shell().mesh()
}

#[test]
fn an_obstacle_over_an_end_or_across_the_way_is_said() {
    let mut bench = bench_in_room();
    mode_of(&mut bench).place_obstacle(vec![[9.0, -1.0], [11.0, -1.0], [11.0, 11.0], [9.0, 11.0]]);
    bench.frames();
    let outcome = mode_of(&mut bench).outcome().unwrap().as_ref().ok().unwrap();
    assert!(!outcome.is_found);
    assert_eq!(outcome.path.last(), Some(&point(9.0, 5.0)), "as near as possible");
    bench.harness.get_by_label_contains("No path leads to the goal");
    mode_of(&mut bench).place_obstacle(vec![[1.0, 4.0], [3.0, 4.0], [3.0, 6.0], [1.0, 6.0]]);
    bench.frames();
    let reason = mode_of(&mut bench).outcome().unwrap().as_ref().err().unwrap().clone();
    assert!(reason.contains("(2, 5)"), "{reason}");
}

#[test]
fn the_search_is_played_step_by_step_and_the_path_comes_last() {
    let mut bench = bench_in_room();
    let builtin = BUILTIN_MAPS.iter().find(|builtin| builtin.name == "rooms").unwrap();
    mode_of(&mut bench).take_builtin(builtin).unwrap();
    for planner in ["any-angle", "funnel"] {
        let entry = MeshMode::planners().find(|entry| entry.name == planner).unwrap();
        mode_of(&mut bench).choose_planner(PlannerChoice::of_entry(entry));
        bench.frames();
        assert!(mode_of(&mut bench).known_path().is_some());
        bench.harness.key_press(egui::Key::Home);
        bench.frames();
        assert!(mode_of(&mut bench).known_path().is_none(), "it is not known yet");
        let shown = |bench: &mut Bench| -> usize {
            let scene = mode_of(bench).scene();
            scene.layers.iter().map(|layer| layer.shown.min(layer.layer.shape.len())).sum()
        };
        let nothing = shown(&mut bench);
        let length = mode_of(&mut bench).player.position().1;
        mode_of(&mut bench).player.jump(length / 2);
        bench.frames();
        let said = mode_of(&mut bench).sentence().unwrap();
        assert!(said.starts_with("Takes") || said.starts_with("Opens"), "{said}");
        bench.harness.get_by_label(&said);
        let half = shown(&mut bench);
        bench.harness.key_press(egui::Key::End);
        bench.frames();
        let all = shown(&mut bench);
        assert!(
            nothing <= half && half <= all && nothing < all,
            "{planner}: {nothing} {half} {all}"
        );
        assert!(mode_of(&mut bench).known_path().is_some());
    }
}

#[test]
fn the_flags_are_dragged_by_the_pointer() {
    let mut bench = bench_in_room();
    let canvas = bench.harness.get_by_label("The mesh").rect();
    let viewport = mode_of(&mut bench).view.viewport;
    let spot = |x: f32, y: f32| {
        let (x, y) = viewport.spot(highroad::planner::Point { x, y });
        egui::pos2(x, y)
    };
    assert!(canvas.contains(spot(2.0, 5.0)));
    bench.harness.drag_at(spot(2.0, 5.0));
    bench.frames();
    bench.harness.hover_at(spot(4.0, 5.0));
    bench.frames();
    bench.harness.hover_at(spot(6.0, 5.0));
    bench.frames();
    bench.harness.drop_at(spot(6.0, 5.0));
    let length = length(&mut bench);
    assert!((length - 12.0).abs() < 0.05, "{length}");
    // Beside the mesh it stays where it was.
    let start = mode_of(&mut bench).ends()[0];
    mode_of(&mut bench).set_end(0, point(-5.0, 5.0));
    assert_eq!(mode_of(&mut bench).ends()[0], start);
    assert!(mode_of(&mut bench).mesh().check_place(start).is_ok());
}

#[test]
fn meshes_are_opened_from_files_and_made_of_the_map() {
    let files = Arc::new(MemoryFiles::default());
    let text = highroad::mesh::write_polyanya(&room());
    files.put("/home/room.mesh", text.as_bytes());
    files.put("/home/broken.mesh", b"mesh\n2\nno numbers");
    let mut bench = Bench::on_start_page(Arc::clone(&files), [1280.0, 800.0]);
    bench.shell().open("/home/room.mesh".into());
    bench.frames();
    assert_eq!(bench.app().shell.mode, Mode::Mesh);
    assert_eq!(mode_of(&mut bench).name, "room.mesh");
    assert_eq!(bench.app().title(), "room.mesh – Highroad workbench");
    bench.shell().open("/home/broken.mesh".into());
    bench.frames();
    let news = bench.app().shell.news.as_ref().expect("the reason is said");
    assert!(news.is_error && news.text.contains("broken.mesh"), "{}", news.text);
    bench.shell().mode = Mode::Map;
    bench.frames();
    bench.harness.key_press(egui::Key::M);
    bench.frames();
    assert_eq!(bench.app().shell.mode, Mode::Mesh);
    let map = bench.app().shell.map.document.name.clone();
    assert_eq!(mode_of(&mut bench).name, map);
}

#[test]
fn a_mesh_that_is_too_large_is_refused() {
    let side = 210;
    let (mut vertices, mut polygons) = (Vec::new(), Vec::new());
    for at in 0..=side * side {
        vertices.extend([[f64::from(at), 0.0], [f64::from(at), 1.0]]);
        if at > 0 {
            polygons.push(vec![2 * at - 2, 2 * at, 2 * at + 1, 2 * at - 1]);
        }
    }
    let mesh = Mesh::from_polygons(vertices, &polygons).unwrap();
    assert!(mesh.polygon_count() > POLYGONS_MAX);
    let mut bench = bench_in_room();
    let refused = mode_of(&mut bench).take("long", mesh).unwrap_err();
    assert!(refused.starts_with("long has"), "{refused}");
    assert_eq!(mode_of(&mut bench).name, "room");
}
