//! The frame of the workbench: start page, panel, files, and faults that were found by trying it.

#[allow(dead_code, reason = "each file of tests uses a part")]
mod support;

use egui::PointerButton::Primary;
use egui_kittest::kittest::{NodeT, Queryable};
use highroad::catalog::CATALOG;
use highroad::simulation::AgentState;
use highroad::{Cell, Terrain};
use highroad_pictures::replay::{Breakpoint, Value};
use highroad_workbench::map::{Tab, Tool};
use highroad_workbench::seams::{AskedAnswer, AskedFile, FileDialogs};
use highroad_workbench::shared::PlannerChoice;
use highroad_workbench::shell::{Card, Dialog, FilePurpose, Mode};
use highroad_workbench::teach::lesson::BUILTIN_LESSONS;
use highroad_workbench::teach::planners_of_cells;
use std::sync::{Arc, Mutex};
use support::{Bench, MemoryFiles, app_on, button_event};

/// The text of a label that contains a part.
fn label(bench: &Bench, part: &str) -> String {
    let node = bench.harness.get_by_label_contains(part);
    let label = node.accesskit_node().label().or(node.value());
    label.unwrap_or_default()
}

fn press(bench: &mut Bench, key: egui::Key) {
    bench.harness.key_press(key);
    bench.frames();
}

#[test]
fn the_start_page_leads_to_what_its_cards_say() {
    for card in Card::ALL {
        let mut bench = Bench::on_start_page(Arc::default(), [1280.0, 800.0]);
        assert_eq!(bench.app().shell.mode, Mode::Start);
        assert_eq!(bench.app().title(), "Highroad workbench");
        bench.click(card.title());
        match card {
            Card::Learn => {
                bench.frames();
                assert!(bench.seen().teaching.course.is_some());
                assert!(bench.seen().shown_path().is_empty(), "nothing of the future is seen");
            }
            Card::Draw => {
                bench.frames();
                assert_eq!(bench.seen().tab, Tab::Compare);
                let table = bench.seen().compare.table.as_ref().expect("planners are compared");
                let planners = CATALOG.iter().filter(|entry| entry.grid.is_some()).count();
                assert_eq!(table.rows.len() + table.left_out.len(), planners);
                assert!(bench.seen().comparison_is_fresh());
            }
            Card::Agents => {
                bench.pass(500);
                let agent = bench.seen().agent().expect("an agent walks");
                assert_eq!(agent.state(), AgentState::Walking);
            }
            Card::Graphs => {
                assert_eq!(bench.app().shell.mode, Mode::Graph);
                assert_eq!(bench.app().title(), "lecture – Highroad workbench");
                continue;
            }
            Card::Open => {
                assert!(matches!(bench.app().shell.dialog, Some(Dialog::File(_))));
                continue;
            }
        }
        assert_eq!(bench.app().shell.mode, Mode::Map);
        assert!(!bench.path().is_empty());
    }
}

#[test]
fn the_first_frame_and_the_frame_of_another_theme_look_as_they_should() {
    let app = app_on(&Arc::default(), &Arc::default(), None);
    let (seen, looks) = std::sync::mpsc::channel();
    let show = move |ui: &mut egui::Ui, app: &mut highroad_workbench::App| {
        app.show(ui);
        let heading = egui::TextStyle::Heading.resolve(ui.style()).size;
        seen.send((heading, ui.visuals().dark_mode)).unwrap();
    };
    let mut harness = egui_kittest::Harness::builder().build_ui_state(show, app);
    assert_eq!(looks.try_iter().next(), Some((20.0, true)), "the first frame");
    harness.state_mut().shell.preferences.theme = highroad_pictures::Theme::Light;
    looks.try_iter().for_each(drop);
    harness.step();
    assert_eq!(looks.try_iter().next(), Some((20.0, false)), "the frame of the other theme");
}

#[test]
fn small_pictures_of_the_start_page_move() {
    let mut bench = Bench::on_start_page(Arc::default(), [1280.0, 800.0]);
    let theme = highroad_pictures::Theme::Dark;
    let look = |bench: &Bench| -> Vec<Vec<u8>> {
        let page = bench.app().shell.start.as_ref().unwrap();
        let picture = |(_, thumbnail): &(Card, highroad_workbench::shell::Thumbnail)| {
            let scene = thumbnail.scene(theme);
            let mut png = Vec::new();
            scene.to_canvas((208.0, 120.0)).write_png(&mut png).unwrap();
            png
        };
        page.thumbnails.iter().map(picture).collect()
    };
    let before = look(&bench);
    assert_eq!(before.len(), Card::ALL.len());
    bench.pass(1500);
    for (card, (before, after)) in Card::ALL.iter().zip(before.iter().zip(look(&bench))) {
        assert_ne!(*before, after, "{card:?}");
    }
}

#[test]
fn recent_files_are_on_the_start_page() {
    let files = Arc::new(MemoryFiles::default());
    let mut bench = Bench::with_files(Arc::clone(&files));
    bench.open_map("....\n....\n");
    bench.shell().save_preferences();
    let mut other = Bench::on_start_page(files, [1280.0, 800.0]);
    other.click("test.map");
    assert_eq!((other.app().shell.mode, other.seen().document.extent().width()), (Mode::Map, 4));
}

#[test]
fn the_numbers_stay_in_their_place_for_every_planner() {
    let mut bench = Bench::on_rooms();
    let places = |bench: &Bench| {
        ["cost: ", "expanded: ", "time: ", "vs. optimal: "].map(|name| {
            let mut nodes = bench.harness.get_all_by_label_contains(name);
            let is_figure =
                |label: Option<String>| label.is_some_and(|label| label.starts_with(name));
            let figure =
                nodes.find(|node| is_figure(node.accesskit_node().label().or(node.value())));
            figure.unwrap_or_else(|| panic!("no figure {name}")).rect().min
        })
    };
    let first = places(&bench);
    for entry in CATALOG.iter().filter(|entry| entry.grid.is_some()) {
        bench.choose(entry.name);
        assert_eq!(places(&bench), first, "{}", entry.name);
        assert!(label(&bench, "vs. optimal: ").contains("+"), "{}", entry.name);
    }
}

#[test]
fn digits_are_equally_wide() {
    let mut bench = Bench::new();
    bench.frames();
    let context = bench.harness.ctx.clone();
    for style in [egui::TextStyle::Body, egui::TextStyle::Heading] {
        let font = style.resolve(&context.global_style());
        let width = |digit: char| context.fonts_mut(|fonts| fonts.glyph_width(&font, digit));
        assert!(('0'..='9').all(|digit| width(digit) == width('0')), "{style:?}");
    }
}

/// Outside of the map, text has one size, and what is to be seen first another.
#[test]
fn text_has_two_sizes() {
    let mut bench = Bench::on_rooms_with("hpa:cluster=5:direct=no");
    for (mode, tab) in
        [(Mode::Start, Tab::Steps), (Mode::Map, Tab::Steps), (Mode::Map, Tab::Layers)]
    {
        bench.shell().mode = mode;
        bench.mode().tab = tab;
        bench.frames();
        let map = bench.harness.query_by_label("The map").map(|map| map.rect());
        let mut sizes = std::collections::BTreeSet::new();
        for shape in &bench.harness.output().shapes {
            let egui::Shape::Text(text) = &shape.shape else { continue };
            if !map.is_some_and(|map| map.contains(text.pos)) {
                let sections = text.galley.job.sections.iter();
                sizes.extend(sections.map(|part| (part.format.font_id.size * 2.0) as u32));
            }
        }
        assert_eq!(sizes.into_iter().collect::<Vec<_>>(), [27, 40], "twice 13.5 and 20, {mode:?}");
    }
}

#[test]
fn every_planner_of_the_list_can_be_seen() {
    let mut bench = Bench::on_start_page(Arc::default(), [1280.0, 800.0]);
    bench.shell().mode = Mode::Map;
    bench.frames();
    bench.click("Choose a planner");
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1280.0, 800.0));
    for entry in planners_of_cells() {
        let nodes = bench.harness.get_all_by_label(entry.title);
        let seen = nodes.map(|node| node.rect()).any(|rect| screen.contains_rect(rect));
        assert!(seen, "{}", entry.title);
    }
}

#[test]
fn pra_has_one_slider_for_its_levels() {
    let mut bench = Bench::on_rooms();
    bench.choose("pra");
    let levels = bench.seen().layers.level_max();
    assert!(levels > 2);
    bench.harness.get_by_label("Level");
    assert_eq!(bench.harness.query_all_by_label("links").count(), 1, "one switch for all levels");
    bench.click("links");
    let shown = |bench: &Bench| -> Vec<u32> {
        let scene = bench.seen().scene();
        let links = scene.layers.iter().filter(|layer| layer.layer.info.name == "links");
        links.map(|layer| layer.layer.level).collect()
    };
    assert_eq!(shown(&bench), [1]);
    bench.mode().layers.set_level(2);
    assert_eq!(shown(&bench), [2]);
}

#[test]
fn layers_show_their_colours_and_the_scale_has_numbers() {
    let mut bench = Bench::on_rooms();
    bench.choose("dijkstra");
    let expansions = bench.seen().player.replay().unwrap().expansions();
    let scale = label(&bench, "scale from 1 to");
    assert_eq!(scale, format!("scale from 1 to {}", highroad_lab::table::whole(expansions.into())));
    for mark in ["start: drag it", "goal: drag it", "swamp, costs 3", "wall, cannot be entered"] {
        bench.harness.get_by_label(mark);
    }
}

#[test]
fn saving_asks_before_a_file_is_replaced() {
    let mut bench = Bench::on_rooms();
    bench.files.put("/home/other.map", "precious");
    bench.menu(&["File", "Save map as…"]);
    if let Some(Dialog::File(browser)) = &mut bench.shell().dialog {
        browser.name = "other".to_owned();
    }
    bench.frames();
    bench.click("Save");
    assert!(matches!(bench.app().shell.dialog, Some(Dialog::Replace { .. })));
    bench.click("Cancel");
    assert_eq!(bench.files.get("/home/other.map").unwrap(), b"precious");
    bench.menu(&["File", "Save map as…"]);
    if let Some(Dialog::File(browser)) = &mut bench.shell().dialog {
        browser.name = "other".to_owned();
    }
    bench.frames();
    bench.click("Save");
    bench.click("Replace");
    assert!(bench.files.get("/home/other.map").unwrap().starts_with(b"type octile"));
}

#[test]
fn the_file_window_takes_names_by_keyboard_and_enters_folders() {
    let mut bench = Bench::new();
    bench.files.put("/home/maps/deep.map", "type octile\nheight 1\nwidth 2\nmap\n..\n");
    bench.menu(&["File", "Open…"]);
    bench.harness.event(egui::Event::Text("maps".to_owned()));
    bench.frames();
    press(&mut bench, egui::Key::Enter);
    let Some(Dialog::File(browser)) = &bench.app().shell.dialog else {
        panic!("a folder is entered, not read")
    };
    assert_eq!(browser.folder, std::path::Path::new("/home/maps"));
    bench.click("deep.map");
    press(&mut bench, egui::Key::Enter);
    assert_eq!(bench.seen().document.name, "deep.map");
}

/// A system whose dialog answers what the test sets.
struct Dialogs(Mutex<Vec<AskedAnswer>>, Mutex<Vec<AskedFile>>);

impl FileDialogs for Dialogs {
    fn ask(&self, asked: &AskedFile) -> AskedAnswer {
        self.1.lock().unwrap().push(asked.clone());
        self.0.lock().unwrap().remove(0)
    }
}

#[test]
fn the_systems_dialog_is_asked_and_the_own_one_where_there_is_none() {
    let files = Arc::new(MemoryFiles::default());
    files.put("/maps/deep.map", "type octile\nheight 1\nwidth 2\nmap\n..\n");
    let answers = vec![
        AskedAnswer::Cancelled,
        AskedAnswer::Chosen("/maps/deep.map".into()),
        AskedAnswer::Chosen("/maps/other.map".into()),
        AskedAnswer::Chosen("/maps/deep".into()),
        AskedAnswer::NoDialog,
    ];
    let dialogs = Arc::new(Dialogs(Mutex::new(answers), Mutex::default()));
    let asks = Arc::clone(&dialogs);
    let mut bench = Bench::with_dialogs(files, [1280.0, 800.0], Some(dialogs));
    bench.shell().mode = Mode::Map;
    bench.shell().ask_for_file(FilePurpose::Open);
    bench.frames();
    assert!(bench.app().shell.dialog.is_none(), "somebody thought better of it");
    bench.shell().ask_for_file(FilePurpose::Open);
    bench.frames();
    assert_eq!(bench.seen().document.name, "deep.map");
    bench.shell().ask_for_file(FilePurpose::SaveMap);
    bench.frames();
    assert!(bench.files.get("/maps/other.map").unwrap().starts_with(b"type octile"));
    let before = bench.files.get("/maps/deep.map").unwrap();
    bench.shell().ask_for_file(FilePurpose::SaveMap);
    bench.frames();
    assert!(
        matches!(bench.app().shell.dialog, Some(Dialog::Replace { .. })),
        "the system was not asked about deep.map, but about deep"
    );
    bench.click("Cancel");
    assert_eq!(bench.files.get("/maps/deep.map").unwrap(), before);
    let asked = asks.1.lock().unwrap()[3].clone();
    assert_eq!(asked.new_name.as_deref(), Some("other.map"));
    assert_eq!((asked.kind.as_str(), asked.endings), ("maps", vec!["map".to_owned()]));
    for _ in 0..2 {
        bench.shell().ask_for_file(FilePurpose::Open);
        bench.frames();
        assert!(matches!(bench.app().shell.dialog, Some(Dialog::File(_))));
    }
    assert_eq!(asks.1.lock().unwrap().len(), 5, "a dialog that is not there is not asked twice");
}

/// Who gives up saving also gives up what was to be done after it.
#[test]
fn closing_the_save_window_forgets_what_was_to_follow() {
    let mut bench = Bench::new();
    bench.shell().new_blank(20, 12);
    bench.frames();
    bench.drag(Primary, &[(4, 4)]);
    bench.shell().careful(highroad_workbench::shell::Next::Quit);
    bench.frames();
    bench.click("Save");
    assert!(matches!(bench.app().shell.dialog, Some(Dialog::File(_))));
    press(&mut bench, egui::Key::Escape);
    bench.shell().write_file(FilePurpose::SaveMap, "/home/later.map".into());
    bench.frames();
    assert!(!bench.app().shell.wants_to_quit);
}

#[test]
fn enter_creates_a_new_map() {
    let mut bench = Bench::new();
    bench.menu(&["File", "New blank map…"]);
    press(&mut bench, egui::Key::Enter);
    assert!(bench.app().shell.dialog.is_none());
    assert_eq!(bench.seen().document.name, "untitled");
}

#[test]
fn unsaved_changes_can_be_saved_first_and_then_it_goes_on() {
    let mut bench = Bench::on_rooms();
    bench.drag(Primary, &[(14, 4)]);
    bench.menu(&["File", "New blank map…"]);
    bench.click("Save");
    assert!(matches!(bench.app().shell.dialog, Some(Dialog::New { .. })));
    let saved = String::from_utf8(bench.files.get("/home/test.map").unwrap()).unwrap();
    assert_eq!(saved.matches('@').count(), 9);
}

#[test]
fn the_title_says_which_file_and_whether_it_is_saved() {
    let mut bench = Bench::on_rooms();
    assert_eq!(bench.app().title(), "test.map – Highroad workbench");
    bench.drag(Primary, &[(14, 4)]);
    assert_eq!(bench.app().title(), "test.map* – Highroad workbench");
    bench.menu(&["Edit", "Undo"]);
    assert_eq!(bench.app().title(), "test.map – Highroad workbench");
}

#[test]
fn moves_of_the_goal_are_undone_in_one_step() {
    let mut bench = Bench::on_rooms();
    bench.drag(Primary, &[(20, 6), (20, 3), (18, 2)]);
    assert_eq!(bench.seen().document.goal(), Cell::new(18, 2));
    bench.menu(&["Edit", "Undo"]);
    assert_eq!(bench.seen().document.goal(), Cell::new(20, 6));
    assert_eq!(bench.path().last(), Some(&Cell::new(20, 6)));
    bench.menu(&["Edit", "Redo"]);
    assert_eq!(bench.path().last(), Some(&Cell::new(18, 2)));
}

#[test]
fn a_flag_dropped_on_a_wall_snaps_to_the_nearest_free_cell() {
    let mut bench = Bench::on_rooms();
    bench.drag(Primary, &[(20, 6), (14, 6), (11, 6)]);
    let goal = bench.seen().document.goal();
    assert!(goal == Cell::new(10, 6) || goal == Cell::new(12, 6), "{goal}");
    assert_eq!(bench.path().last(), Some(&goal));
    assert!(bench.app().shell.news.as_ref().unwrap().text.contains("nearest cell"));
}

/// While something is dragged or drawn on a small map, the search of the latest query stays to be seen.
#[test]
fn the_search_is_seen_while_the_hand_moves() {
    let mut bench = Bench::on_rooms();
    bench.choose("astar");
    let press = |pos, pressed| button_event(pos, Primary, pressed);
    for (from, to) in [((20, 6), (20, 3)), ((15, 4), (15, 8))] {
        let (from, to) = (bench.spot(from.into()), bench.spot(to.into()));
        bench.harness.event(egui::Event::PointerMoved(from));
        bench.harness.step();
        bench.harness.event(press(from, true));
        bench.harness.step();
        bench.harness.event(egui::Event::PointerMoved(to));
        bench.harness.step();
        bench.harness.step();
        assert!(bench.seen().hand.pointer.gesture.is_some(), "the button is still held");
        assert!(bench.seen().player.replay().is_some_and(|replay| !replay.is_empty()));
        assert!(bench.seen().scene().search.is_some());
        assert_eq!(bench.path().last(), Some(&bench.seen().document.goal()));
        bench.harness.event(press(to, false));
        bench.frames();
    }
}

/// Text of a scrolled tab ends before the bar begins.
#[test]
fn the_scroll_bar_has_room_of_its_own() {
    let mut bench = Bench::on_start_page(Arc::default(), [760.0, 520.0]);
    bench.shell().mode = Mode::Map;
    bench.frames();
    // In a low window what the planner promises scrolls with the tab; the bar is at the panel's right margin.
    let value = bench.harness.get_by_label("near optimal").rect().right();
    let bar = 760.0 - 8.0 - bench.harness.ctx.global_style().spacing.scroll.bar_width;
    assert!(value > 500.0 && value <= bar, "{value} {bar}");
}

#[test]
fn lessons_that_were_gone_through_are_remembered() {
    let files = Arc::new(MemoryFiles::default());
    let mut bench = Bench::with_files(Arc::clone(&files));
    let lesson = BUILTIN_LESSONS[6].read().unwrap();
    bench.mode().start_lesson(lesson.clone());
    bench.frames();
    bench.drag(Primary, &[(4, 4)]);
    assert!(!bench.app().shell.has_unsaved_changes(), "a lesson's map is not one's own work");
    while bench.seen().teaching.course.is_some() {
        bench.mode().go_lesson(true);
        bench.frames();
    }
    bench.shell().save_preferences();
    let mut other = Bench::with_files(files);
    other.click("Lessons");
    assert!(other.app().shell.preferences.lessons_done.contains(&lesson.title));
}

#[test]
fn painting_swamp_changes_the_path() {
    let mut bench = Bench::on_rooms();
    let before = bench.seen().run.outcome.as_ref().unwrap().answer.clone().path().unwrap().cost();
    bench.click("Draw swamp");
    bench.click("Rectangle");
    bench.drag(Primary, &[(5, 0), (9, 11)]);
    let after = bench.seen().run.outcome.as_ref().unwrap().answer.clone().path().unwrap().cost();
    assert!(after > before);
    assert_eq!(bench.seen().document.grid().map().count(Terrain::SWAMP), 60);
}

#[test]
fn values_are_in_steps_and_a_breakpoint_says_why_it_stopped() {
    let mut bench = Bench::on_rooms();
    bench.choose("astar");
    let unit = bench.seen().recording_unit();
    bench.mode().player.breakpoints.push(Breakpoint::AtLeast(Value::G, unit.to_cost(5.0)));
    bench.mode().player.set_speed(100_000.0);
    bench.click("Play");
    bench.pass(500);
    let text = bench.app().shell.news.as_ref().unwrap().text.clone();
    assert!(text.starts_with("Stopped at event "), "{text}");
    assert!(text.contains("reaches g ≥ 5.00"), "{text}");
}

#[test]
fn breadth_first_search_counts_whole_steps() {
    let mut bench = Bench::on_rooms();
    bench.choose("bfs");
    let spot = bench.spot(Cell::new(5, 6));
    bench.harness.hover_at(spot);
    bench.frames();
    let text = label(&bench, "cell (5, 6): ground");
    assert!(text.contains("g 2  h 0  f 2"), "{text}");
}

#[test]
fn breakpoints_are_set_by_a_key() {
    let mut bench = Bench::on_rooms();
    let spot = bench.spot(Cell::new(6, 5));
    bench.harness.hover_at(spot);
    bench.frames();
    press(&mut bench, egui::Key::B);
    assert_eq!(bench.seen().player.breakpoints, [Breakpoint::Cell { x: 6, y: 5 }]);
    press(&mut bench, egui::Key::B);
    assert!(bench.seen().player.breakpoints.is_empty());
}

#[test]
fn steps_are_shown_while_the_pointer_rests_on_the_map() {
    let mut bench = Bench::on_rooms();
    bench.choose("dijkstra");
    let spot = bench.spot(Cell::new(3, 6));
    bench.harness.hover_at(spot);
    bench.frames();
    bench.mode().player.jump(5);
    bench.frames();
    let five = label(&bench, "event 5: ");
    bench.click("Step forward");
    assert_ne!(label(&bench, "event 6: "), five);
    bench.harness.hover_at(spot);
    bench.frames();
    label(&bench, "event 6: ");
    label(&bench, "cell (3, 6): ground");
}

#[test]
fn a_build_is_cancelled_and_the_result_does_not_wait_for_it() {
    let mut bench = Bench::new();
    bench.shell().new_blank(600, 400);
    bench.mode().choose_planner(PlannerChoice::of("ch").unwrap());
    bench.shell().tick();
    bench.shell().cancel();
    bench.frames();
    assert!(bench.app().shell.busy().is_none());
    assert_eq!(label(&bench, "cost: "), "cost: –");
    let trouble = bench.seen().run.trouble.clone().unwrap();
    assert!(trouble.starts_with("Cancelled"), "{trouble}");
    // Another planner answers at once, and so would this one if it were asked again.
    bench.choose("jps");
    assert!(bench.seen().run.trouble.is_none() && !bench.path().is_empty());
}

#[test]
fn the_memory_of_a_search_is_shown() {
    let mut bench = Bench::on_rooms();
    bench.choose("astar");
    bench.click("Details");
    let outcome = bench.seen().run.outcome.as_ref().unwrap();
    assert!(outcome.scratch_bytes > 0);
    bench.harness.get_by_label("queue peak");
    let bytes = highroad_lab::table::bytes(outcome.scratch_bytes);
    bench.harness.get_by_label(&bytes);
}

#[test]
fn everything_fits_into_a_small_window() {
    let mut bench = Bench::on_start_page(Arc::default(), [760.0, 520.0]);
    bench.shell().mode = Mode::Map;
    bench.frames();
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(760.0, 520.0));
    let tools = Tool::ALL.iter().map(|tool| tool.name().to_owned());
    let sizes =
        highroad_workbench::map::BRUSH_SIZES.iter().map(|size| format!("Brush size {size}"));
    let costs = (1..=9).map(|cost| format!("Draw ground of cost {cost}"));
    let others = ["Play", "Timeline", "Breakpoints", "Speed", "Find a path", "Layers", "Movement"];
    for name in tools.chain(sizes).chain(costs).chain(others.map(str::to_owned)) {
        let nodes = bench.harness.get_all_by_label(&name);
        let rects: Vec<egui::Rect> = nodes.map(|node| node.rect()).collect();
        assert!(rects.iter().any(|rect| screen.contains_rect(*rect)), "{name}: {rects:?}");
    }
}

/// Whatever the panel shows, it is as wide as it was: nothing jumps.
#[test]
fn the_panel_keeps_its_width_on_every_tab() {
    let mut bench = Bench::on_start_page(Arc::default(), [1280.0, 800.0]);
    bench.click(Card::Draw.title());
    bench.frames();
    // The table is there, and is no longer about the map as it is.
    bench.drag(Primary, &[(60, 40), (60, 50)]);
    assert!(bench.seen().compare.table.is_some() && !bench.seen().comparison_is_fresh());
    let width = bench.harness.get_by_label("The map").rect().width();
    for tab in Tab::ALL {
        bench.mode().tab = tab;
        bench.frames();
        assert_eq!(bench.harness.get_by_label("The map").rect().width(), width, "{tab:?}");
    }
    assert_eq!(width, 1280.0 - 16.0 - 132.0 - 320.0, "as at first");
    let panel = |bench: &Bench| bench.harness.get_by_label("Choose a planner").rect();
    let before = panel(&bench);
    bench.choose("bidirectional");
    bench.mode().toggle_textbook_beside();
    bench.frames();
    bench.harness.get_by_label("On each canvas");
    assert_eq!(panel(&bench), before, "long names of planners on several canvases");
}

#[test]
fn nothing_lies_over_the_map() {
    let mut bench = Bench::on_rooms();
    bench.shell().say_error("Something went wrong.");
    bench.frames();
    let map = bench.harness.get_by_label("The map").rect();
    let message = bench.harness.get_by_label("Something went wrong.").rect();
    assert!(!map.intersects(message), "{map} {message}");
}

#[test]
fn files_are_asked_for_with_their_own_words() {
    assert_eq!(FilePurpose::SaveMap.title(), "Save map");
    let mut bench = Bench::on_rooms();
    bench.drag(Primary, &[(14, 4)]);
    bench.menu(&["File", "Open…"]);
    let left = |word: &str| bench.harness.get_by_label(word).rect().left();
    assert!(left("Save") < left("Don't save") && left("Don't save") < left("Cancel"));
}
