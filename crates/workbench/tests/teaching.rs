//! Teaching in the window: steps, textbook mode, lessons, heuristics compared, a path explained, files of lessons and
//! traces.

#[allow(dead_code, reason = "the other test of the window uses the rest")]
mod support;

use egui::PointerButton::Primary;
use egui_kittest::kittest::Queryable;
use highroad::Cell;
use highroad::environment::End;
use highroad_workbench::map::{Ink, MovementChoice, Tab};
use highroad_workbench::shared::PlannerChoice;
use highroad_workbench::shell::{Card, FilePurpose};
use highroad_workbench::teach::lesson::{BUILTIN_LESSONS, GuessKind, GuessState};
use highroad_workbench::teach::phase_name;
use std::sync::Arc;
use support::Bench;

#[test]
fn steps_are_explained_and_nothing_of_the_future_is_seen() {
    let mut bench = Bench::on_rooms_with("astar:textbook=yes");
    let whole = bench.path();
    assert_eq!(bench.seen().shown_path(), whole, "the end is shown first");
    bench.click("Steps");
    bench.harness.key_press(egui::Key::Home);
    bench.frames();
    assert!(bench.seen().shown_path().is_empty(), "the path is not found yet");
    bench.harness.get_by_label_contains("Nothing has happened yet.");
    bench.click("Next step");
    bench.harness.get_by_label_contains("Puts the start (3, 6) on the open list");
    bench.harness.key_press(egui::Key::Period);
    bench.frames();
    bench
        .harness
        .get_by_label_contains("Takes (3, 6): f = 17 is the smallest. Opens 8 neighbours.");
    bench.harness.get_by_label("Open list: 8");
    bench.harness.get_by_label_contains("take the cell with the smallest f = g + h");
    bench.harness.key_press(egui::Key::Comma);
    bench.frames();
    bench.harness.get_by_label("Open list: 1");
    let (position, length) = bench.seen().player.position();
    assert!(position < 3 && length > 50);
    bench.harness.key_press(egui::Key::End);
    bench.frames();
    assert_eq!(bench.seen().shown_path(), whole);
}

#[test]
fn textbook_mode_shows_every_phase_of_hpa_on_a_small_map() {
    let mut bench = Bench::on_rooms_with("hpa");
    let expanded = |bench: &Bench| bench.seen().run.outcome.as_ref().unwrap().statistics.expanded;
    assert_eq!(expanded(&bench), 0, "close ends are joined directly");
    bench.click("Textbook mode");
    assert!(expanded(&bench) > 0);
    assert_eq!(bench.seen().player.replay().unwrap().phases().len(), 4);
    bench.click("Textbook mode");
    assert_eq!(expanded(&bench), 0);
    assert_eq!(bench.seen().planner.text(), "hpa:cluster=6", "only what made it plain goes back");
}

#[test]
fn a_lesson_is_gone_through_with_the_mouse() {
    let mut bench = Bench::new();
    bench.menu(&["Lessons", "1. From breadth-first search to A*"]);
    bench.harness.get_by_label("Step 1 of 4");
    assert_eq!(bench.seen().player.position().0, 0, "it begins before the first event");
    bench.harness.key_press(egui::Key::Enter);
    bench.frames();
    bench.harness.get_by_label("Step 1 of 4");
    bench.harness.key_press(egui::Key::End);
    bench.frames();
    bench.harness.key_press(egui::Key::Enter);
    bench.frames();
    bench.harness.get_by_label("Step 2 of 4");
    bench.click("Show me");
    assert_eq!(bench.seen().planner.entry().name, "dijkstra");
    bench.click("Next step of the lesson");
    bench.harness.get_by_label_contains("How many will A* expand?");
    assert!(bench.harness.query_by_label("Show me").is_none(), "the guess comes first");
    bench.harness.get_by_label("Your guess").focus();
    bench.frames();
    bench.harness.get_by_label("Your guess").type_text("90");
    bench.frames();
    bench.click("Guess");
    bench.harness.get_by_label_contains("Close: it is");
    bench.click("Show me");
    bench.click("Next step of the lesson");
    bench.harness.get_by_label("Step 4 of 4");
    assert!(bench.seen().teaching.course.as_ref().unwrap().is_step_done());
    bench.click("Finish step of the lesson");
    let left = bench.seen().teaching.course.as_ref().map(|course| course.step_number());
    assert_eq!(left, None);
}

#[test]
fn textbook_mode_stays_on_when_another_planner_is_chosen() {
    let mut bench = Bench::on_rooms_with("dijkstra:textbook=yes");
    let choose = |bench: &mut Bench, title: &str| {
        bench.click("Choose a planner");
        bench.click(title);
        bench.seen().planner.text()
    };
    assert_eq!(choose(&mut bench, "A*"), "astar:textbook=yes");
    assert_eq!(choose(&mut bench, "Bidirectional Dijkstra"), "bidirectional:textbook=yes");
    assert_eq!(choose(&mut bench, "Jump point search"), "jps", "it has no plain form");
    assert_eq!(choose(&mut bench, "A*"), "astar");
}

#[test]
fn a_lesson_gives_no_other_hint_than_its_own() {
    let mut bench = Bench::new();
    let hint = "Drag the flag: the path follows.";
    bench.harness.get_by_label(hint);
    bench.mode().start_lesson(BUILTIN_LESSONS[0].read().unwrap());
    bench.frames();
    assert!(bench.harness.query_by_label(hint).is_none());
}

#[test]
fn a_number_that_is_to_be_guessed_is_not_on_the_screen() {
    let mut bench = Bench::new();
    for (lesson, hidden) in [("9-contraction-and-labels", "ch"), ("6-hpa-in-five-pictures", "hpa")]
    {
        let lesson = BUILTIN_LESSONS.iter().find(|builtin| builtin.name == lesson).unwrap();
        bench.mode().start_lesson(lesson.read().unwrap());
        bench.frames();
        assert_eq!(bench.seen().planner.entry().name, hidden);
        bench.harness.get_by_label("expanded: ?");
        while let Some(course) = bench.seen().teaching.course.clone() {
            let asks = course.guess() == &GuessState::Open;
            if asks && bench.seen().planner.entry().name == hidden {
                bench.harness.get_by_label("expanded: ?");
            }
            if asks {
                bench.mode().make_guess(20.0);
                bench.frames();
                assert!(
                    bench.harness.query_by_label("expanded: ?").is_none(),
                    "it may be seen now"
                );
                break;
            }
            bench.mode().show_me();
            bench.frames();
            bench.mode().go_lesson(true);
            bench.frames();
        }
    }
}

/// Every lesson, as "Show me" and right guesses go through it.
#[test]
fn every_lesson_runs_to_its_end_in_the_window() {
    let mut bench = Bench::new();
    for builtin in BUILTIN_LESSONS {
        let lesson = builtin.read().unwrap();
        bench.mode().start_lesson(lesson);
        bench.frames();
        while let Some(course) = bench.seen().teaching.course.clone() {
            let step = course.step();
            let place = format!("{}, {}", builtin.name, step.title);
            assert!(
                bench.seen().run.trouble.is_none() || step.keeps,
                "{place}: {:?}",
                bench.seen().run.trouble
            );
            if let Some(guess) = &step.guess {
                let answer = match guess.kind {
                    GuessKind::Choice { right, .. } => right as f64,
                    GuessKind::Number { .. } => 50.0,
                };
                bench.mode().make_guess(answer);
            }
            if step.task.is_some() {
                assert!(!bench.seen().teaching.course.as_ref().unwrap().task_is_done(), "{place}");
                bench.mode().show_me();
                bench.frames();
            }
            let now = bench.seen().teaching.course.as_ref().unwrap();
            assert!(now.is_step_done(), "{place}: not done");
            bench.mode().go_lesson(true);
            bench.frames();
        }
    }
}

#[test]
fn heuristics_are_compared_in_a_window() {
    let mut bench = Bench::on_rooms_with("astar");
    bench.menu(&["View", "Compare heuristics"]);
    for title in ["zero", "Euclidean", "octile", "clusters", "landmarks", "Manhattan"] {
        bench.harness.get_by_label_contains(&format!("{title}: "));
    }
    bench.harness.get_by_label("NO");
    bench.harness.get_by_label_contains("not admissible");
}

/// With estimates that are not consistent, A* expands cells again: more than without any estimate. That is explained.
#[test]
fn heuristics_that_open_cells_again_are_explained() {
    let mut bench = Bench::new();
    bench.menu(&["File", "Built-in maps", "castle"]);
    bench.mode().compare_heuristics();
    bench.frames();
    let comparison = bench.seen().teaching.comparison.as_ref().unwrap().as_ref().unwrap();
    let reopened = |title: &str| {
        let row = comparison.rows.iter().find(|row| row.title == title).unwrap();
        row.recording.statistics.reopened
    };
    assert!(reopened("clusters") > 0 && reopened("octile") == 0);
    bench.harness.get_by_label_contains("With clusters, cells were opened again");
    assert!(bench.harness.query_by_label_contains("With octile, ").is_none());
}

/// What an entry of a menu says beside itself does not cover the entry below.
#[test]
fn tooltips_of_a_menu_do_not_cover_its_entries() {
    let mut bench = Bench::new();
    bench.click("Lessons");
    let entry = bench.harness.get_by_label("3. Weighted A*").rect();
    bench.harness.hover_at(entry.center());
    // A tooltip comes once the pointer has rested for a while.
    bench.harness.run_steps(60);
    let lesson = BUILTIN_LESSONS[2].read().unwrap();
    let tooltip = bench.harness.get_by_label_contains(&lesson.summary).rect();
    assert!(tooltip.left() >= entry.right(), "{tooltip} {entry}");
}

#[test]
fn a_path_is_explained_and_edits_are_foreseen() {
    let mut bench = Bench::on_rooms_with("astar");
    bench.click("Explain");
    bench.harness.get_by_label("No path costs less.");
    bench.harness.get_by_label_contains("Point at a cell");
    let spot = bench.spot(Cell::new(11, 1));
    bench.harness.event(egui::Event::PointerMoved(spot));
    bench.frames();
    bench.harness.get_by_label("Cell (11, 1)");
    bench.harness.get_by_label_contains("With a wall here, the cheapest path would cost");
}

#[test]
fn costs_of_one_to_nine_can_be_drawn() {
    let mut bench = Bench::new();
    bench.open_map(&"ABCDEFGHIAAAAAA\n".repeat(12));
    bench.mode().move_place(End::Start, Cell::new(0, 0));
    bench.mode().move_place(End::Goal, Cell::new(14, 11));
    bench.frames();
    for cost in 1..=9 {
        bench.click(&format!("Draw ground of cost {cost}"));
        bench.drag(Primary, &[(10 - cost, 6)]);
        let cell = Cell::new(10 - cost, 6);
        assert_eq!(bench.seen().document.grid().cost_of(cell), Some(cost));
    }
}

#[test]
fn costs_can_be_drawn_on_a_map_of_ground_and_walls() {
    let mut bench = Bench::on_rooms_with("astar");
    let (plain, cell) = (bench.map(), Cell::new(8, 6));
    let cost = |bench: &Bench| {
        let outcome = bench.seen().run.outcome.as_ref().unwrap();
        outcome.answer.clone().path().unwrap().cost()
    };
    let before = cost(&bench);
    bench.click("Draw ground of cost 9");
    bench.click("Rectangle");
    bench.drag(Primary, &[(8, 0), (8, 11)]);
    assert_eq!(bench.seen().document.grid().cost_of(cell), Some(9));
    assert!(cost(&bench) > before, "every path leads through the costly column");
    bench.harness.get_by_label_contains("The map has costs now.");
    bench.menu(&["Edit", "Undo"]);
    bench.menu(&["Edit", "Undo"]);
    assert_eq!((bench.map(), cost(&bench)), (plain, before));
}

#[test]
fn costs_are_not_offered_beside_water() {
    let mut bench = Bench::new();
    bench.open_map("......\n..WW..\n......\n");
    use egui_kittest::kittest::NodeT;
    let node = bench.harness.get_by_label("Draw ground of cost 5");
    assert!(node.accesskit_node().is_disabled());
}

/// The parts of a query lie side by side on the timeline, also on a small map, and a click leads there.
#[test]
fn the_timeline_shows_the_phases_of_hierarchies() {
    for (planner, parts) in [
        ("hpa:cluster=6:direct=no", &["insert ends", "abstract search", "refine", "smooth"][..]),
        ("pra:refine=layers:start=half", &["abstract search", "refine", "smooth"]),
        ("hpa", &["direct way"]),
    ] {
        let mut bench = Bench::on_rooms_with(planner);
        let names = |bench: &Bench| -> Vec<&'static str> {
            let phases = bench.seen().player.replay().unwrap().phases().to_vec();
            let mut names: Vec<&str> =
                (0..phases.len()).map(|number| phase_name(&phases, number)).collect();
            names.dedup();
            names
        };
        assert_eq!(names(&bench), parts, "{planner}");
        let track = bench.harness.get_by_label("Timeline").rect();
        let phases = bench.seen().player.replay().unwrap().phases().to_vec();
        // Each part can be reached by a click: going along the track leads through all of them.
        let mut reached = Vec::new();
        for x in 0..60 {
            let spot = egui::pos2(
                track.left() + 1.0 + (track.width() - 2.0) * x as f32 / 59.0,
                track.center().y,
            );
            bench.drag_spots(Primary, &[spot]);
            reached.extend(bench.seen().player.replay().unwrap().phase());
        }
        reached.dedup();
        assert_eq!(reached, (0..phases.len()).collect::<Vec<_>>(), "{planner}");
        let (position, length) = bench.seen().player.position();
        assert_eq!(position, length, "{planner}: the last click is at the end");
    }
}

#[test]
fn page_keys_go_from_part_to_part() {
    let mut bench = Bench::on_rooms_with("hpa:cluster=6:direct=no");
    bench.harness.key_press(egui::Key::Home);
    bench.frames();
    let mut seen = Vec::new();
    for _ in 0..4 {
        bench.harness.key_press(egui::Key::PageDown);
        bench.frames();
        let replay = bench.seen().player.replay().unwrap();
        seen.push(phase_name(replay.phases(), replay.phase().unwrap()));
    }
    assert_eq!(seen, ["insert ends", "abstract search", "refine", "smooth"]);
    bench.harness.key_press(egui::Key::PageUp);
    bench.frames();
    let replay = bench.seen().player.replay().unwrap();
    assert_eq!(phase_name(replay.phases(), replay.phase().unwrap()), "refine");
}

#[test]
fn textbook_and_engine_are_shown_side_by_side() {
    let mut bench = Bench::on_rooms_with("astar");
    bench.click("Side by side");
    assert_eq!(bench.seen().beside.panes.len(), 1);
    assert_eq!(bench.seen().beside.panes[0].choice.text(), "astar:textbook=yes");
    let first = bench.harness.get_by_label("The map").rect();
    let second = bench.harness.get_by_label("The map on canvas 2").rect();
    assert!(first.size() == second.size() && !first.intersects(second));
    let opened = |bench: &Bench| {
        let shown = bench.seen().beside.panes[0].shown().expect("it is recorded");
        (
            bench.seen().run.outcome.as_ref().unwrap().statistics.generated,
            shown.outcome.statistics.generated,
        )
    };
    let (engine, textbook) = opened(&bench);
    assert!(engine < textbook, "{engine} {textbook}: it looks at all neighbours");
    bench.harness.get_by_label_contains("All neighbours are looked at.");
    for number in [engine, textbook] {
        bench.harness.get_all_by_label(&highroad_lab::table::whole(number)).next().unwrap();
    }
    // One clock: the same number of expansions, and both at their ends at last.
    bench.mode().player.jump(40);
    bench.frames();
    let both = |bench: &Bench| {
        let shown = bench.seen().beside.panes[0].shown().unwrap();
        (bench.seen().player.replay().unwrap().expanded(), shown.replay.expanded())
    };
    let (first, second) = both(&bench);
    assert!(first > 2 && first == second);
    bench.harness.key_press(egui::Key::End);
    bench.frames();
    let shown = bench.seen().beside.panes[0].shown().unwrap();
    assert_eq!(shown.replay.position(), shown.replay.len());
    bench.click("Side by side");
    assert!(bench.seen().beside.panes.is_empty());
}

#[test]
fn canvases_share_the_map_the_view_and_edits() {
    let mut bench = Bench::on_rooms_with("astar");
    bench.click("Compare");
    bench.click("Canvases: 4");
    assert_eq!(bench.seen().beside.panes.len(), 3);
    let paths = |bench: &Bench| -> Vec<usize> {
        let panes = bench.seen().beside.panes.iter();
        panes.map(|pane| pane.shown().unwrap().path_cells().len()).collect()
    };
    let before = paths(&bench);
    assert!(before.iter().all(|&cells| cells > 10), "{before:?}");
    // A wall that is drawn on another canvas is on all of them.
    let rect = bench.harness.get_by_label("The map on canvas 3").rect();
    let viewport = bench.seen().view.viewport;
    let (x, y) = highroad_pictures::Viewport { corner: (rect.left(), rect.top()), ..viewport }
        .middle(Cell::new(11, 1));
    let spot = egui::pos2(x, y);
    bench.drag_spots(Primary, &[spot]);
    assert!(!bench.seen().document.grid().is_enterable(Cell::new(11, 1)));
    for pane in &bench.seen().beside.panes {
        let shown = pane.shown().unwrap();
        assert!(!shown.path_cells().contains(&Cell::new(11, 1)));
        assert_eq!(shown.outcome.query, bench.seen().document.places());
    }
    bench.click("Close canvas 4");
    assert_eq!(bench.seen().beside.panes.len(), 2);
    bench.click("Canvases: 1");
    assert!(bench.harness.query_by_label("The map on canvas 2").is_none());
}

#[test]
fn large_agents_are_chosen_and_copied() {
    let mut bench = Bench::on_rooms_with("astar");
    let movement = bench.seen().document.movement();
    bench.click("Movement");
    bench.harness.get_by_label("Set agent size");
    bench.mode().choose_movement(MovementChoice { size: 3, ..movement });
    bench.frames();
    assert!(!bench.path().is_empty());
    let grid = bench.seen().document.grid();
    assert!(bench.path().iter().all(|&cell| grid.is_enterable(cell)));
    assert!(!grid.is_enterable(Cell::new(9, 5)), "it would cover the wall");
    let command = bench.mode().copy_as_command().unwrap();
    assert!(command.ends_with("--planner astar --size 3"), "{command}");
    let program = bench.mode().copy_as_rust().unwrap();
    assert!(program.contains(".with_footprint(Footprint::new(3)?)"), "{program}");
}

/// The abstract path is part of the answer: it is not seen before the search has found it.
#[test]
fn the_abstract_path_is_not_seen_before_it_is_found() {
    let mut bench = Bench::on_rooms_with("hpa:cluster=6:direct=no");
    let is_seen = |bench: &Bench| {
        let scene = bench.seen().scene();
        scene.layers.iter().any(|layer| layer.layer.info.name == "abstract path")
    };
    assert!(is_seen(&bench));
    bench.harness.key_press(egui::Key::Home);
    bench.frames();
    assert!(!is_seen(&bench));
    for _ in 0..2 {
        bench.harness.key_press(egui::Key::PageDown);
        bench.frames();
    }
    assert!(is_seen(&bench), "the abstract search has ended");
    bench.harness.key_press(egui::Key::ArrowLeft);
    bench.frames();
    assert!(!is_seen(&bench));
}

/// The map keeps a third of a small window, also beside a lesson.
#[test]
fn a_lesson_leaves_the_map_room_in_a_small_window() {
    let mut bench = Bench::on_start_page(Default::default(), [760.0, 520.0]);
    bench.shell().mode = highroad_workbench::shell::Mode::Map;
    bench.mode().start_lesson(BUILTIN_LESSONS[0].read().unwrap());
    bench.frames();
    let map = bench.harness.get_by_label("The map").rect();
    assert!(map.width() >= 760.0 / 3.0, "{map}");
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(760.0, 520.0));
    for name in ["Next step of the lesson", "Show me", "Play", "Choose a planner", "Steps"] {
        let rect = bench.harness.get_all_by_label(name).next().unwrap().rect();
        assert!(screen.contains_rect(rect), "{name}: {rect}");
    }
    // Nothing of the panel lies under the map or beyond the window, whatever its tab.
    for tab in Tab::ALL {
        bench.mode().tab = tab;
        bench.frames();
        let map = bench.harness.get_by_label("The map").rect();
        let figures = ["cost: ", "expanded: ", "time: ", "vs. optimal: "];
        let figures = figures.map(|name| bench.harness.get_all_by_label_contains(name).next());
        let planner = bench.harness.get_by_label("Choose a planner");
        let find = bench.harness.get_by_label("Find a path");
        for node in figures.into_iter().flatten().chain([planner, find]) {
            let rect = node.rect();
            assert!(rect.left() >= map.right() + 8.0, "{tab:?}: {rect} beside {map}");
            assert!(rect.right() <= 744.0, "{tab:?}: {rect}");
        }
    }
}

/// What was drawn with before does not get in the way of a lesson's tasks.
#[test]
fn a_lesson_begins_with_the_brush_for_walls_and_the_tab_of_steps() {
    let mut bench = Bench::new();
    bench.click("Draw heights");
    bench.click("Brush size 17");
    bench.click("Movement");
    bench.mode().start_lesson(BUILTIN_LESSONS[0].read().unwrap());
    bench.frames();
    let brush = bench.seen().hand.brush;
    assert_eq!((brush.ink, brush.size), (Ink::Terrain(highroad::Terrain::WALL), 1));
    assert_eq!(bench.seen().tab, Tab::Steps);
}

/// The layers that a step of a lesson names are drawn, and no other ones of planners.
#[test]
fn a_lesson_shows_its_layers() {
    let mut bench = Bench::new();
    bench.mode().start_lesson(BUILTIN_LESSONS[5].read().unwrap());
    bench.frames();
    let shown = |bench: &Bench| -> Vec<&'static str> {
        bench.seen().scene().layers.iter().map(|layer| layer.layer.info.name).collect()
    };
    assert_eq!(shown(&bench), ["clusters"]);
    bench.mode().go_lesson(true);
    bench.frames();
    assert!(shown(&bench).contains(&"transitions") && !shown(&bench).contains(&"abstract edges"));
    bench.mode().show_me();
    bench.frames();
    assert!(shown(&bench).contains(&"abstract edges"), "{:?}", shown(&bench));
}

#[test]
fn lessons_of_files_are_opened_and_errors_name_their_place() {
    let mut bench = Bench::new();
    let text = BUILTIN_LESSONS[1].text;
    bench.files.put("/home/mine.toml", text);
    bench.files.put("/home/wrong.toml", text.replace("[[step]]", "[[stop]]"));
    bench.menu(&["File", "Open…"]);
    bench.click("wrong.toml");
    bench.click("Open");
    bench.harness.get_by_label_contains("wrong.toml, line ");
    assert!(bench.seen().teaching.course.is_none());
    bench.menu(&["File", "Open…"]);
    bench.click("mine.toml");
    bench.click("Open");
    let course = bench.seen().teaching.course.as_ref().unwrap();
    assert_eq!(course.lesson().title, BUILTIN_LESSONS[1].read().unwrap().title);
}

#[test]
fn a_trace_is_exported_and_opened_again() {
    let mut bench = Bench::on_rooms_with("astar");
    let events = bench.seen().player.position().1;
    bench.shell().write_file(FilePurpose::ExportTrace, "/home/test.trace.yaml".into());
    bench.frames();
    let written = bench.files.get("/home/test.trace.yaml").expect("it is written");
    bench.files.put("/home/again.yaml", written);
    bench.mode().choose_planner(PlannerChoice::parse("bfs").unwrap());
    bench.frames();
    assert_ne!(bench.seen().player.position().1, events);
    bench.menu(&["File", "Open…"]);
    bench.click("again.yaml");
    bench.click("Open");
    assert_eq!(bench.seen().player.position().1, events);
    assert_eq!(bench.seen().document.places(), (Cell::new(3, 6), Cell::new(20, 6)));
}

#[test]
fn a_replay_is_exported_as_an_animated_picture() {
    let mut bench = Bench::on_rooms_with("astar");
    bench.shell().write_file(FilePurpose::ExportAnimation, "/home/test.png".into());
    bench.frames();
    let written = bench.files.get("/home/test.png").expect("it is written");
    let part = |name: &[u8]| written.windows(4).filter(|bytes| *bytes == name).count();
    assert_eq!(part(b"acTL"), 1);
    assert!(part(b"fcTL") > 20, "{} pictures", part(b"fcTL"));
}

#[test]
fn queries_are_copied() {
    let mut bench = Bench::on_rooms_with("astar:heuristic=manhattan");
    let command = bench.mode().copy_as_command().unwrap();
    assert_eq!(
        command,
        "highroad solve /home/test.map --from 3,6 --to 20,6 --planner astar:heuristic=manhattan"
    );
    let program = bench.mode().copy_as_rust().unwrap();
    assert!(program.contains("PathQuery::new((3, 6), (20, 6))"), "{program}");
    bench.menu(&["Edit", "Copy as command"]);
    bench.harness.get_by_label_contains("Copied as a command");
    assert_eq!(bench.seen().tab, Tab::Layers);
}

/// A new student reads numbers in the cells of the first lesson without having to zoom.
#[test]
fn lessons_have_numbers_in_their_cells_in_a_usual_window() {
    let mut bench = Bench::on_start_page(Arc::default(), [1280.0, 800.0]);
    bench.click(Card::Learn.title());
    bench.frames();
    bench.harness.key_press(egui::Key::End);
    bench.frames();
    let map = bench.harness.get_by_label("The map").rect();
    let numbers = bench.harness.output().shapes.iter().filter(|shape| match &shape.shape {
        egui::Shape::Text(text) => {
            map.contains(text.pos) && text.galley.text().parse::<f64>().is_ok()
        }
        _ => false,
    });
    assert!(numbers.count() > 150, "one in each cell that was reached");
}

/// Breadth-first search has a queue and counts steps: the same words stand everywhere.
#[test]
fn breadth_first_search_is_told_of_as_a_queue_of_steps() {
    let mut bench = Bench::on_rooms_with("bfs:textbook=yes");
    bench.click("Steps");
    bench.harness.get_by_label_contains("It has 17 steps, as g says.");
    bench.mode().player.jump(40);
    bench.frames();
    bench.harness.get_by_label_contains("Queue: ");
    assert!(bench.harness.query_by_label("h").is_none(), "there are no estimates");
    bench.choose("astar:textbook=yes");
    bench.mode().player.jump(40);
    bench.frames();
    bench.harness.get_by_label_contains("Open list: ");
    bench.harness.get_by_label("h");
}
