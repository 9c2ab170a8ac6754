//! Pictures compared with ones that were looked at and kept. `HIGHROAD_KEEP_PICTURES=1 cargo test -p
//! highroad-pictures --test pictures` keeps new ones.

use highroad_core::{
    Cell, Components, Grid, GridMap, LayerInfo, PathQuery, Scratch, Shape, Spec, TraceLog,
};
use highroad_pictures::replay::Replay;
use highroad_pictures::{Canvas, Colouring, Scene, SceneLayer, Theme, Viewport};
use std::path::PathBuf;

/// Edges of round shapes may differ by rounding from machine to machine.
const DIFFERENCE_MAX: u8 = 4;

/// Two of the maps that come with the program, each with the query that shows it off.
const TRAP: Place =
    Place { map: include_bytes!("maps/trap.map"), query: (Cell::new(12, 30), Cell::new(88, 30)) };
const CASTLE: Place =
    Place { map: include_bytes!("maps/castle.map"), query: (Cell::new(4, 47), Cell::new(66, 22)) };

static COMPONENTS: LayerInfo = LayerInfo::hidden("components", "");

struct Place {
    map: &'static [u8],
    query: (Cell, Cell),
}

struct View {
    place: Place,
    planner: &'static str,
    theme: Theme,
    colouring: Colouring,
    /// How much of the search is shown, in per cent.
    played_percent: usize,
    tree: bool,
    components: bool,
}

fn draw(view: &View) -> Canvas {
    let grid = Grid::with_defaults(GridMap::from_movingai(view.place.map).unwrap());
    let planner = view.planner.parse::<Spec>().unwrap().build(&grid).unwrap();
    let mut log = TraceLog::default();
    let query = PathQuery::new(view.place.query.0, view.place.query.1);
    let mut scratch = Scratch::new();
    let answer = planner.solve_traced(&grid, &query, &mut scratch, &mut log).unwrap();
    let path = answer.path().unwrap();
    let mut replay = Replay::new(grid.extent(), log);
    replay.go_to(replay.len() * view.played_percent / 100, |_| ());
    let parts = COMPONENTS.layer(0, Shape::Regions(Components::of(&grid).numbers().to_vec()));
    let layer = SceneLayer { layer: &parts, opacity: 0.5, shown: usize::MAX };
    let scene = Scene {
        theme: view.theme,
        search: Some((&replay, view.colouring, 0.8)),
        tree: view.tree.then_some(0.7),
        layers: if view.components { vec![layer] } else { Vec::new() },
        path: (view.played_percent == 100).then_some((path.cells(), 1.0)),
        start: Some(path.start()),
        goal: Some(path.goal()),
        ..Scene::new(&grid)
    };
    scene.to_canvas(&Viewport {
        scale: 4.0,
        size: (400.0, 240.0),
        ..Viewport::whole(grid.extent())
    })
}

fn check(name: &str, view: &View) {
    let canvas = draw(view);
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/pictures").join(name);
    let mut bytes = Vec::new();
    canvas.write_png(&mut bytes).unwrap();
    if std::env::var_os("HIGHROAD_KEEP_PICTURES").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, &bytes).unwrap();
    }
    let pixels = |bytes: &[u8]| {
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        pixels
    };
    let (now, kept) = (pixels(&bytes), pixels(&std::fs::read(&file).unwrap()));
    assert_eq!(now.len(), kept.len(), "{name} has another size");
    let worst = now.iter().zip(&kept).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
    assert!(worst <= DIFFERENCE_MAX, "{name} differs by {worst}");
}

#[test]
fn greedy_search_in_the_trap() {
    let view = View {
        place: TRAP,
        planner: "greedy",
        theme: Theme::Light,
        colouring: Colouring::Order,
        played_percent: 100,
        tree: false,
        components: false,
    };
    check("trap.png", &view);
}

#[test]
fn a_tree_half_grown_in_the_dark() {
    let view = View {
        place: TRAP,
        planner: "dijkstra",
        theme: Theme::Dark,
        colouring: Colouring::Cost,
        played_percent: 40,
        tree: true,
        components: false,
    };
    check("tree.png", &view);
}

#[test]
fn components_of_the_castle() {
    let view = View {
        place: CASTLE,
        planner: "astar",
        theme: Theme::Light,
        colouring: Colouring::Visits,
        played_percent: 100,
        tree: false,
        components: true,
    };
    check("components.png", &view);
}
