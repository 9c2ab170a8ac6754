//! Links: what is on the screen is an address, and opens again as it was.

#[allow(dead_code, reason = "each file of tests uses a part")]
mod support;

use egui::PointerButton::Primary;
use highroad::environment::End;
use highroad::{Cell, Terrain};
use highroad_lab::builtin::BuiltinMap;
use highroad_lab::generate::MapRecipe;
use highroad_workbench::map::{Document, MapOrigin, MovementChoice, Tab};
use highroad_workbench::shell::{Link, LinkMap, Mode, Next};
use highroad_workbench::teach::lesson::BUILTIN_LESSONS;
use support::Bench;

/// What a link opens on another machine.
fn opened(link: &str) -> Bench {
    let mut bench = Bench::new();
    bench.shell().mode = Mode::Start;
    bench.shell().open_link(link);
    bench.frames();
    bench
}

fn assert_alike(a: &Bench, b: &Bench) {
    let (a, b) = (a.seen(), b.seen());
    assert_eq!(a.document.name, b.document.name);
    assert_eq!(a.document.grid().map(), b.document.grid().map());
    assert_eq!(a.document.places(), b.document.places());
    assert_eq!(a.document.movement(), b.document.movement());
    assert_eq!(a.planner, b.planner);
    assert_eq!(a.player.position(), b.player.position());
    assert_eq!(a.layers.switches(), b.layers.switches());
}

#[test]
fn a_drawn_map_with_planner_ends_and_position_opens_again() {
    let mut bench = Bench::on_rooms_with("hpa:cluster=6");
    bench.drag(Primary, &[(5, 2), (5, 8)]);
    bench.mode().player.jump(7);
    bench.frames();
    let link = bench.app().shell.link().unwrap();
    assert!(link.starts_with("#highroad=1.") && link.len() < 1500, "{link}");
    let other = opened(&format!("https://example.org/deep/page/?embed{link}"));
    assert_eq!(other.app().shell.mode, Mode::Map);
    assert_eq!(other.seen().player.position().0, 7);
    assert_alike(&bench, &other);
}

#[test]
fn built_in_and_generated_maps_are_only_named() {
    let mut bench = Bench::new();
    bench.shell().open_builtin(BuiltinMap::find("caves").unwrap());
    bench.frames();
    let link = bench.app().shell.link().unwrap();
    let read = Link::read(&link).unwrap();
    assert_eq!((read.map, read.setting.map), (LinkMap::Builtin("caves".to_owned()), String::new()));
    assert_alike(&bench, &opened(&link));

    let recipe: MapRecipe = "rooms width=90 height=70 room=7 doors=90 seed=3".parse().unwrap();
    let map = recipe.generate().unwrap();
    let mut document = Document::new("made", map, MovementChoice::default(), None);
    document.origin = Some(MapOrigin::Recipe(recipe));
    bench.shell().go_on(Next::Take(Box::new(document)));
    bench.frames();
    let link = bench.app().shell.link().unwrap();
    assert_eq!(Link::read(&link).unwrap().map, LinkMap::Recipe(recipe.to_string()));
    assert_alike(&bench, &opened(&link));

    // Once something is drawn, the name alone would not do.
    bench.mode().move_place(End::Start, Cell::new(2, 2));
    bench.mode().edit(highroad::grid::Batch::new().set((5, 5), Terrain::WALL));
    bench.frames();
    assert_eq!(Link::read(&bench.app().shell.link().unwrap()).unwrap().map, LinkMap::Drawn);
}

#[test]
fn a_lesson_opens_at_its_step() {
    let mut bench = Bench::new();
    let lesson = BUILTIN_LESSONS[0].read().unwrap();
    let title = lesson.title.clone();
    bench.shell().go_on(Next::Learn(Box::new(lesson)));
    bench.mode().go_lesson(true);
    bench.frames();
    let other = opened(&bench.app().shell.link().unwrap());
    let course = other.seen().teaching.course.as_ref().expect("the lesson is open");
    assert_eq!((course.lesson().title.as_str(), course.step_number().0), (title.as_str(), 1));
}

#[test]
fn canvases_beside_and_a_comparison_open_again() {
    let mut bench = Bench::on_rooms_with("astar");
    bench.mode().show_canvases(3);
    bench.mode().tab = Tab::Compare;
    bench.mode().compare();
    bench.frames();
    bench.frames();
    let other = opened(&bench.app().shell.link().unwrap());
    let planners = |bench: &Bench| {
        bench.seen().beside.panes.iter().map(|pane| pane.choice.text()).collect::<Vec<_>>()
    };
    assert_eq!(planners(&bench), planners(&other));
    assert_eq!(planners(&other).len(), 2);
    assert_eq!(other.seen().tab, Tab::Compare);
    assert!(other.seen().compare.table.is_some(), "planners are compared again");
}

#[test]
fn a_link_that_cannot_be_opened_says_why_and_changes_nothing() {
    let mut bench = Bench::on_rooms();
    let before = bench.map();
    let good = bench.app().shell.link().unwrap();
    for (link, words) in [
        ("#highroad=2.abc".to_owned(), "newer version of Highroad"),
        ("#highroad=1.abcdefgh".to_owned(), "missing or changed"),
        (good[..good.len() / 2].to_owned(), "missing or changed"),
        ("#elsewhere".to_owned(), "nothing in it is of Highroad"),
    ] {
        bench.shell().open_link(&link);
        bench.frames();
        let news = bench.app().shell.news.clone().expect("something is said");
        assert!(news.is_error && news.text.contains(words), "{}", news.text);
        assert_eq!(bench.map(), before);
    }
}

#[test]
fn a_map_too_large_for_a_link_is_said() {
    let mut bench = Bench::new();
    let recipe: MapRecipe = "obstacles width=900 height=900 blocked=40 seed=3".parse().unwrap();
    let map = recipe.generate().unwrap();
    let document = Document::new("large", map, MovementChoice::default(), None);
    bench.shell().go_on(Next::Take(Box::new(document)));
    assert_eq!(bench.shell().copy_link(), None);
    assert!(bench.app().shell.news.as_ref().unwrap().text.contains("Save setting"));
}

/// Every letter of a link may be changed: nothing panics, and what opens is a map.
#[test]
fn changed_letters_do_no_harm() {
    let bench = Bench::on_rooms();
    let link = bench.app().shell.link().unwrap();
    let head = link.find('.').unwrap() + 1;
    for at in (head..link.len()).step_by(7) {
        let mut changed = link.clone().into_bytes();
        changed[at] = if changed[at] == b'Q' { b'R' } else { b'Q' };
        _ = Link::read(std::str::from_utf8(&changed).unwrap());
    }
}

/// A second finger turns a stroke into a movement of the view: nothing is drawn.
#[test]
fn two_fingers_take_back_what_the_first_has_drawn() {
    let mut bench = Bench::on_rooms();
    bench.drag(Primary, &[(5, 2), (5, 4)]);
    let before = bench.map();
    let spot = bench.spot(Cell::new(8, 5));
    bench.harness.event(egui::Event::PointerMoved(spot));
    bench.harness.step();
    bench.harness.event(support::button_event(spot, Primary, true));
    bench.harness.step();
    assert_ne!(bench.map(), before, "the first finger draws");
    for (id, phase_spot) in [(1, spot), (2, spot + egui::vec2(40.0, 0.0))] {
        bench.harness.event(egui::Event::Touch {
            device_id: egui::TouchDeviceId(0),
            id: egui::TouchId(id),
            phase: egui::TouchPhase::Start,
            pos: phase_spot,
            force: None,
        });
    }
    bench.harness.step();
    bench.harness.step();
    assert_eq!(bench.map(), before, "what was drawn before stays");
}
