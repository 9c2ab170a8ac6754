//! The shape of the ground in the window: heights, borders, links and room for agents are drawn, undone, saved and seen.

#[allow(dead_code, reason = "each file of tests uses a part")]
mod support;

use egui::PointerButton::{Primary, Secondary};
use egui_kittest::kittest::Queryable;
use highroad::grid::{Border, BorderSide, Link};
use highroad::planner::{Point, Shape};
use highroad::{Cell, Cost, GridMap};
use highroad_pictures::{CLEARANCE, Colour, Theme, Viewport};
use highroad_workbench::map::{Ink, MovementChoice, SlopesChoice, Tool};
use highroad_workbench::shared::Switch;
use highroad_workbench::shell::{Dialog, FilePurpose};
use support::Bench;

fn map(bench: &Bench) -> &GridMap {
    bench.seen().document.grid().map()
}

fn cost(bench: &Bench) -> Cost {
    bench.seen().found_path().expect("there is a path").cost()
}

/// The spot on the screen of a point of the map.
fn spot(bench: &Bench, x: f32, y: f32) -> egui::Pos2 {
    let (x, y) = bench.seen().view.viewport.spot(Point { x, y });
    egui::pos2(x, y)
}

/// Drags over points of the map.
fn drag(bench: &mut Bench, button: egui::PointerButton, points: &[(f32, f32)]) {
    let spots: Vec<egui::Pos2> = points.iter().map(|&(x, y)| spot(bench, x, y)).collect();
    bench.drag_spots(button, &spots);
}

fn undo(bench: &mut Bench) {
    bench.menu(&["Edit", "Undo"]);
}

#[test]
fn heights_are_painted_with_every_tool_that_draws() {
    let mut bench = Bench::on_rooms();
    let level = cost(&bench);
    bench.click("Draw heights");
    assert_eq!(bench.seen().hand.brush.ink, Ink::Height(4));
    // A ridge from edge to edge, so that every path crosses it.
    bench.drag(Primary, &[(7, 0), (7, 11)]);
    assert!((0..12).all(|y| map(&bench).height(Cell::new(7, y)) == Some(4)));
    assert_eq!(map(&bench).height(Cell::new(8, 0)), Some(0));
    let ridge = cost(&bench);
    let usual = SlopesChoice::default();
    let slope = 4.0 * f64::from(usual.uphill + usual.downhill) / 100.0;
    let steps = (ridge.0 - level.0) as f64 / Cost::steps(1).0 as f64;
    assert!((steps - slope).abs() < 0.01, "{steps} steps more, not {slope}");
    bench.harness.get_by_label("heights from 0 to 4");
    // The right button levels, and one step back takes the whole stroke.
    bench.drag(Secondary, &[(7, 0), (7, 11)]);
    assert!(!map(&bench).has_relief());
    assert_eq!(cost(&bench), level);
    undo(&mut bench);
    assert_eq!((map(&bench).height(Cell::new(7, 3)), cost(&bench)), (Some(4), ridge));
    undo(&mut bench);
    assert_eq!((map(&bench).has_relief(), cost(&bench)), (false, level));
    bench.menu(&["Edit", "Redo"]);
    assert_eq!(map(&bench).height(Cell::new(7, 11)), Some(4));
    // A bucket fills what has one height: all that lies before the ridge.
    bench.mode().hand.brush.ink = Ink::Height(2);
    bench.click("Fill");
    bench.drag(Primary, &[(1, 2)]);
    assert!((0..7).all(|x| map(&bench).height(Cell::new(x, 5)) == Some(2)));
    assert_eq!(map(&bench).height(Cell::new(9, 5)), Some(0));
    bench.click("Rectangle");
    bench.drag(Primary, &[(15, 2), (18, 4)]);
    assert_eq!(map(&bench).height(Cell::new(18, 4)), Some(2));
    assert_eq!(bench.map().matches('@').count(), 8, "the terrain is as it was");
}

/// What is higher than agents climb is a cliff; what they drop at most is another limit.
#[test]
fn cliffs_are_jumped_down_and_not_climbed() {
    let mut bench = Bench::on_rooms();
    bench.click("Draw heights");
    bench.mode().hand.brush.ink = Ink::Height(8);
    bench.click("Rectangle");
    bench.drag(Primary, &[(0, 0), (7, 11)]);
    assert!(bench.seen().found_path().is_some(), "eight down, of nine that it drops");
    bench.mode().swap_places();
    bench.frames();
    assert!(bench.seen().found_path().is_none(), "eight up, of six that it climbs");
    bench.click("Movement");
    bench.harness.get_by_label("Set climb at most");
    let movement = bench.seen().document.movement();
    let slopes = SlopesChoice { climb: 8, ..movement.slopes };
    bench.mode().choose_movement(MovementChoice { slopes, ..movement });
    bench.frames();
    assert!(bench.seen().found_path().is_some());
}

#[test]
fn borders_are_closed_by_a_click_and_by_a_drag_along_the_lines() {
    let mut bench = Bench::on_rooms();
    let free = cost(&bench);
    bench.click("Border");
    drag(&mut bench, Primary, &[(5.9, 3.5)]);
    let border = |bench: &Bench, x, y, side| map(bench).border(Cell::new(x, y), side).unwrap();
    assert_eq!(border(&bench, 5, 3, BorderSide::East), Border::Closed);
    undo(&mut bench);
    assert!(!map(&bench).has_relief());
    // From the top to the bottom there is no way round.
    drag(&mut bench, Primary, &[(7.1, 0.1), (6.9, 6.0), (7.1, 11.9)]);
    assert!((0..12).all(|y| border(&bench, 6, y, BorderSide::East) == Border::Closed));
    assert!(bench.seen().found_path().is_none());
    undo(&mut bench);
    assert_eq!(cost(&bench), free, "the drag is one step");
    bench.menu(&["Edit", "Redo"]);
    // The right button opens a gate in it.
    drag(&mut bench, Secondary, &[(7.1, 3.5)]);
    assert_eq!(border(&bench, 6, 3, BorderSide::East), Border::Open);
    assert!(cost(&bench) > free);
    // Upwards, what is on the left of the way leads to what is on its right: from start to goal.
    bench.click("Border one way");
    drag(&mut bench, Primary, &[(7.0, 12.2), (7.0, -0.2)]);
    assert!((0..12).all(|y| border(&bench, 6, y, BorderSide::East) == Border::OneWay));
    assert_eq!(cost(&bench), free);
    bench.mode().swap_places();
    bench.frames();
    assert!(bench.seen().found_path().is_none());
    // A click leads away from the side that it is on.
    drag(&mut bench, Primary, &[(7.1, 5.5)]);
    assert_eq!(border(&bench, 6, 5, BorderSide::East), Border::OneWayBack);
    assert!(bench.seen().found_path().is_some());
    // At the map's edge there is nothing to close.
    drag(&mut bench, Primary, &[(0.05, 5.5)]);
    assert!(bench.app().shell.news.as_ref().is_none_or(|news| !news.is_error));
}

#[test]
fn links_are_drawn_from_cell_to_cell_and_taken_away() {
    let mut bench = Bench::on_rooms_with("astar");
    let walked = cost(&bench);
    bench.click("Link");
    bench.mode().hand.link.cost = 1.5;
    bench.drag(Primary, &[(4, 6), (10, 8), (19, 6)]);
    let step = Cost::steps(1).0 as u32;
    let link = Link::new((4, 6), (19, 6), step * 3 / 2).with_way_back();
    assert_eq!(map(&bench).link_list(), [link]);
    assert_eq!(cost(&bench).0, u64::from(step) * 7 / 2, "a step, the link, and a step");
    bench.harness.get_by_label("link: a ladder, a door, a portal");
    let at = bench.spot(Cell::new(19, 6));
    bench.harness.hover_at(at);
    bench.frames();
    bench.harness.get_by_label_contains("link to (4, 6) at cost 1.50");
    bench.click("Explain");
    bench.harness.get_by_label("links, 1 link");
    // Another one between the same cells takes its place.
    bench.mode().hand.link.both_ways = false;
    bench.drag(Primary, &[(19, 6), (4, 6)]);
    assert_eq!(map(&bench).link_list(), [Link::new((19, 6), (4, 6), step * 3 / 2)]);
    assert_eq!(cost(&bench), walked, "it leads the other way");
    undo(&mut bench);
    assert_eq!(map(&bench).link_list(), [link]);
    bench.drag(Secondary, &[(19, 6)]);
    assert!(map(&bench).link_list().is_empty());
    assert_eq!(cost(&bench), walked);
    undo(&mut bench);
    assert_eq!(map(&bench).link_list(), [link]);
    // A link from a wall, or to itself, is refused in words.
    bench.drag(Primary, &[(11, 5), (4, 4)]);
    let news = bench.app().shell.news.as_ref().unwrap();
    assert!(news.is_error && news.text.contains("no agent that it is for can stand on (11, 5)"));
    bench.drag(Primary, &[(4, 4)]);
    let news = bench.app().shell.news.as_ref().unwrap();
    assert!(news.text.starts_with("Drag from the cell where the link begins"), "{}", news.text);
    assert_eq!(map(&bench).link_list(), [link]);
}

#[test]
fn the_tools_of_the_ground_have_digits_and_their_own_choices() {
    let mut bench = Bench::on_rooms();
    bench.harness.key_press(egui::Key::Num9);
    bench.frames();
    assert_eq!(bench.seen().hand.tool, Tool::Border);
    bench.harness.get_by_label("Border closed");
    assert!(bench.harness.query_by_label("Draw wall").is_none());
    bench.harness.key_press(egui::Key::Num0);
    bench.frames();
    assert_eq!(bench.seen().hand.tool, Tool::Link);
    bench.harness.get_by_label("Cost of links");
    bench.click("both ways");
    assert!(!bench.seen().hand.link.both_ways);
    bench.harness.key_press(egui::Key::Num2);
    bench.frames();
    bench.harness.get_by_label("Draw wall");
}

/// A planner that does not serve such maps says so, and others can be chosen.
#[test]
fn planners_that_do_not_serve_the_ground_say_so() {
    let mut bench = Bench::on_rooms_with("jps");
    let serves = highroad_workbench::teach::serves_cells;
    bench.click("Border");
    drag(&mut bench, Primary, &[(7.1, 3.0), (7.1, 9.0)]);
    let entry = bench.seen().planner.entry();
    let refusal = serves(entry, bench.seen().document.grid());
    match refusal {
        Err(reason) => {
            let trouble = bench.seen().run.trouble.clone().expect("something is said");
            assert!(trouble.contains(&reason), "{trouble} / {reason}");
        }
        Ok(()) => assert!(bench.seen().found_path().is_some()),
    }
    bench.choose("astar");
    assert!(bench.seen().found_path().is_some() && bench.seen().run.trouble.is_none());
}

#[test]
fn the_shape_of_the_ground_is_saved_beside_the_map_and_read_again() {
    let mut bench = Bench::on_rooms();
    bench.click("Link");
    bench.drag(Primary, &[(4, 6), (19, 6)]);
    bench.click("Border");
    drag(&mut bench, Primary, &[(7.1, 2.0), (7.1, 9.0)]);
    bench.harness.key_press(egui::Key::Num2);
    bench.frames();
    bench.click("Draw heights");
    bench.drag(Primary, &[(2, 2), (5, 2)]);
    bench.menu(&["File", "Save map"]);
    assert!(!bench.seen().document.is_changed());
    let drawn = map(&bench).clone();
    assert!(bench.files.get("/home/test.map.ground.toml").is_some());
    for name in ["/home/test.map", "/home/test.map.ground.toml"] {
        bench.shell().new_blank(4, 4);
        bench.shell().open(name.into());
        bench.frames();
        assert_eq!(bench.seen().document.name, "test.map", "{name}");
        assert_eq!(*map(&bench), drawn, "{name}");
    }
    // The setting has it, too.
    let setting = bench.app().shell.setting().write();
    bench.files.put("/home/all.highroad.json", setting);
    bench.shell().new_blank(4, 4);
    bench.shell().open("/home/all.highroad.json".into());
    bench.frames();
    assert_eq!(*map(&bench), drawn);
    // A level map leaves no such file behind.
    bench.shell().open("/home/test.map".into());
    bench.frames();
    let mut level = highroad::grid::Batch::new();
    level.height(highroad::CellRect::new((2, 2), (5, 2)), 0);
    level.borders(highroad::CellRect::new((6, 2), (6, 8)), BorderSide::East, Border::Open);
    level.close_link(drawn.link_list()[0]);
    bench.mode().edit(&level);
    assert!(!map(&bench).has_relief() && map(&bench).link_list().is_empty());
    bench.menu(&["File", "Save map"]);
    assert!(bench.files.get("/home/test.map.ground.toml").is_none());
    // What is broken is named with its place.
    bench
        .files
        .put("/home/test.map.ground.toml", "[[links]]\nfrom = [0, 0]\nto = [99, 0]\ncost = 5\n");
    bench.shell().open("/home/test.map".into());
    bench.frames();
    let news = bench.app().shell.news.as_ref().unwrap();
    assert!(news.text.starts_with("test.map.ground.toml, line 1"), "{}", news.text);
}

#[test]
fn room_for_agents_is_a_layer_that_follows_edits() {
    let mut bench = Bench::on_rooms();
    bench.mode().layers.set_switch(CLEARANCE, Switch { on: true, opacity: 0.6 });
    bench.frames();
    let room = |bench: &Bench, cell: Cell| -> u32 {
        let scene = bench.seen().scene();
        let layer = scene.layers.iter().find(|layer| layer.layer.info.name == CLEARANCE).unwrap();
        let Shape::Regions(numbers) = &layer.layer.shape else { panic!("cells have numbers") };
        numbers[bench.seen().document.extent().id(cell).unwrap().index()]
    };
    assert_eq!(room(&bench, Cell::new(0, 0)), 7, "an agent of 8 × 8 fits");
    assert_eq!(room(&bench, Cell::new(11, 4)), Shape::NO_REGION);
    bench.harness.get_by_label("scale from 1 to 8");
    bench.drag(Primary, &[(3, 3)]);
    assert_eq!(room(&bench, Cell::new(0, 0)), 2, "no more than 3 × 3 beside the new wall");
}

/// In both themes heights, borders and links are seen, in colours that differ in lightness from the ground.
#[test]
fn the_shape_of_the_ground_is_seen_in_both_themes() {
    for theme in [Theme::Light, Theme::Dark] {
        let mut bench = Bench::on_rooms();
        bench.shell().preferences.theme = theme;
        bench.frames();
        let viewport = Viewport { scale: 24.0, ..Viewport::whole(bench.seen().document.extent()) };
        let viewport = Viewport { size: (24.0 * 24.0, 12.0 * 24.0), ..viewport };
        let colours = |bench: &Bench| -> std::collections::BTreeMap<(u8, u8, u8), usize> {
            let canvas = bench.seen().scene().to_canvas(&viewport);
            let mut counts = std::collections::BTreeMap::new();
            for y in 0..canvas.height() {
                for x in 0..canvas.width() {
                    let Colour(red, green, blue) = canvas.get(x, y);
                    *counts.entry((red, green, blue)).or_default() += 1;
                }
            }
            counts
        };
        let count = |bench: &Bench, Colour(red, green, blue): Colour| {
            colours(bench).get(&(red, green, blue)).copied().unwrap_or(0)
        };
        let light = |Colour(red, green, blue): Colour| {
            0.3 * f32::from(red) + 0.59 * f32::from(green) + 0.11 * f32::from(blue)
        };
        let ground = theme.terrain(highroad::Terrain::GROUND, highroad::grid::Palette::Standard);
        assert_eq!(count(&bench, theme.border()), 0);
        bench.click("Border");
        drag(&mut bench, Primary, &[(14.0, 1.0), (14.0, 4.0)]);
        assert!(count(&bench, theme.border()) > 100, "{theme:?}");
        bench.click("Link");
        let before = colours(&bench);
        bench.drag(Primary, &[(15, 1), (21, 2)]);
        assert_ne!(colours(&bench), before, "{theme:?}");
        for colour in [theme.border(), theme.link()] {
            assert!((light(colour) - light(ground)).abs() > 60.0, "{theme:?} {colour:?}");
        }
        bench.harness.key_press(egui::Key::Num5);
        bench.frames();
        bench.click("Draw heights");
        bench.drag(Primary, &[(15, 8), (20, 10)]);
        let scene = bench.seen().scene();
        let shade = |x, y| scene.terrain_colour(Cell::new(x, y));
        assert_eq!(shade(2, 9), ground, "what is low looks as before");
        assert!((light(shade(18, 9)) - light(ground)).abs() > 40.0, "{theme:?}");
        assert_ne!(shade(15, 8), shade(18, 9), "the slope that faces the light is brighter");
    }
}

#[test]
fn a_colony_with_thin_walls_is_generated() {
    let mut bench = Bench::new();
    bench.menu(&["File", "Generate a map…"]);
    bench.click("colony");
    bench.harness.get_by_label("Preview of the map");
    bench.click("Create");
    assert!(map(&bench).has_relief());
    assert!(bench.seen().found_path().is_some());
}

/// The file dialog replaces the file about the ground only after asking, as it does the map.
#[test]
fn a_file_about_the_ground_is_not_replaced_without_asking() {
    let mut bench = Bench::on_rooms();
    bench.files.put("/home/other.map.ground.toml", "# precious\n");
    bench.shell().ask_for_file(FilePurpose::SaveMap);
    if let Some(Dialog::File(browser)) = &mut bench.shell().dialog {
        browser.name = "other".to_owned();
    }
    bench.frames();
    bench.click("Save");
    assert!(matches!(bench.app().shell.dialog, Some(Dialog::Replace { .. })));
}
