use super::*;
use crate::replay::Replay;
use highroad_core::{
    Border, BorderSide, Cell, CellRect, Grid, GridMap, GridSearch, LayerInfo, Link, Path,
    PathQuery, Planner, Point, Scratch, Shape, SketchLayer, Terrain, TraceLog,
};

fn searched(drawing: &str, query: PathQuery) -> (Grid, Replay, Path) {
    let grid = Grid::with_defaults(drawing.parse().unwrap());
    let mut log = TraceLog::default();
    let answer =
        GridSearch::astar().solve_traced(&grid, &query, &mut Scratch::new(), &mut log).unwrap();
    let mut replay = Replay::new(grid.extent(), log);
    replay.go_to(usize::MAX, |_| ());
    (grid, replay, answer.path().unwrap())
}

fn scene<'a>(grid: &'a Grid, replay: &'a Replay, path: &'a Path) -> Scene<'a> {
    Scene {
        search: Some((replay, Colouring::Order, 0.8)),
        path: Some((path.cells(), 1.0)),
        start: Some(path.start()),
        goal: Some(path.goal()),
        ..Scene::new(grid)
    }
}

#[test]
fn walls_ground_and_the_path_have_their_colours() {
    let (grid, replay, path) = searched("....\n.##.\n....\n", PathQuery::new((0, 0), (3, 2)));
    let canvas = scene(&grid, &replay, &path).to_canvas(&Viewport::whole(grid.extent()));
    assert_eq!((canvas.width(), canvas.height()), (4 * 32, 3 * 32));
    assert_eq!(canvas.get(48, 48), Colour::WALL);
    let row: Vec<Colour> = (0..canvas.width()).map(|x| canvas.get(x, 16)).collect();
    let column: Vec<Colour> = (0..canvas.height()).map(|y| canvas.get(16, y)).collect();
    assert!(row.contains(&Colour::START) && column.contains(&Colour::START));
    assert!(row.contains(&Colour::PATH) != column.contains(&Colour::PATH));
}

#[test]
fn a_pixel_of_many_cells_is_their_mean() {
    let map =
        GridMap::from_fn(
            4096,
            2,
            |cell| {
                if cell.x % 2 == 0 { Terrain::GROUND } else { Terrain::WALL }
            },
        );
    let grid = Grid::with_defaults(map.unwrap());
    let canvas = Scene::new(&grid).to_canvas(&Viewport::whole(grid.extent()));
    assert_eq!((canvas.width(), canvas.height()), (2048, 1));
    let mean = Colour::mean([Colour::GROUND, Colour::WALL].into_iter());
    assert_eq!(canvas.get(700, 0), mean);
}

#[test]
fn a_png_decodes_to_the_same_pixels() {
    let (grid, replay, path) = searched("......\n......\n", PathQuery::new((0, 0), (5, 1)));
    let canvas = scene(&grid, &replay, &path).to_canvas(&Viewport::whole(grid.extent()));
    let mut bytes = Vec::new();
    canvas.write_png(&mut bytes).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (canvas.width(), canvas.height()));
    let Colour(red, green, blue) = canvas.get(40, 16);
    let at = (16 * info.width as usize + 40) * 3;
    assert_eq!(pixels[at..at + 3], [red, green, blue]);
}

#[test]
fn layers_are_drawn_and_can_be_shown_in_part() {
    let grid = Grid::with_defaults("....\n....\n".parse().unwrap());
    static INFO: LayerInfo = LayerInfo::hidden("test", "");
    let layer = |shape| INFO.layer(1, shape);
    let middle = |x, y| Point::middle_of(Cell::new(x, y));
    let violet = |layer: &SketchLayer, shown| {
        let layers = vec![SceneLayer { layer, opacity: 1.0, shown }];
        let scene = Scene { layers, ..Scene::new(&grid) };
        let canvas = scene.to_canvas(&Viewport::whole(grid.extent()));
        let pixels = (0..canvas.height()).flat_map(|y| (0..canvas.width()).map(move |x| (x, y)));
        pixels.filter(|&(x, y)| canvas.get(x, y) != Colour::GROUND).count()
    };
    let shapes = [
        Shape::Rectangles(vec![CellRect::new((0, 0), (1, 1)), CellRect::new((2, 0), (3, 1))]),
        Shape::Lines(vec![[middle(0, 0), middle(3, 0)], [middle(0, 1), middle(3, 1)]]),
        Shape::Points(vec![middle(0, 0), middle(3, 1)]),
        Shape::Chain(vec![middle(0, 0), middle(2, 0), middle(3, 1)]),
    ];
    for shape in shapes {
        let layer = layer(shape);
        let counts = [0, 1, usize::MAX].map(|shown| violet(&layer, shown));
        assert!(counts[0] == 0 && counts[1] > 0 && counts[2] > counts[1], "{layer:?}: {counts:?}");
    }
    let regions = layer(Shape::Regions(vec![0, 0, 1, 1, 0, 0, 1, Shape::NO_REGION]));
    let layers = vec![SceneLayer { layer: &regions, opacity: 1.0, shown: usize::MAX }];
    let scene = Scene { layers, ..Scene::new(&grid) };
    assert_eq!(scene.cell_colour(Cell::new(0, 1)), Colour::group(0));
    assert_eq!(scene.cell_colour(Cell::new(2, 1)), Colour::group(1));
    assert_eq!(scene.cell_colour(Cell::new(3, 1)), Colour::GROUND);
}

#[test]
fn an_svg_holds_cells_and_shapes() {
    let (grid, replay, path) = searched("....\n.##.\n....\n", PathQuery::new((0, 0), (3, 2)));
    let svg = scene(&grid, &replay, &path).to_svg(&Viewport::whole(grid.extent())).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    for part in ["<image ", "<polyline ", "<circle ", "<polygon "] {
        assert!(svg.contains(part), "{part} is missing from {svg}");
    }
}

#[test]
fn a_frame_beyond_the_map_shows_what_lies_there() {
    let grid = Grid::with_defaults(".\n".parse().unwrap());
    let viewport =
        Viewport { origin: (-1.0, -1.0), scale: 3.0, corner: (0.0, 0.0), size: (9.0, 9.0) };
    let canvas = Scene::new(&grid).to_canvas(&viewport);
    assert_eq!(canvas.get(1, 1), Theme::Light.beyond());
    assert_eq!(canvas.get(4, 4), Colour::GROUND);
    assert_eq!(canvas.get(7, 4), Theme::Light.beyond());
    for theme in [Theme::Light, Theme::Dark] {
        let scene = Scene { theme, ..Scene::new(&grid) };
        assert!(scene.to_svg(&viewport).unwrap().contains("<image "));
    }
}

#[test]
fn dense_layers_thin_out_when_zoomed_out() {
    use crate::{Ink, Scene, SceneLayer, Spot, Surface, Viewport};
    use highroad_core::{Grid, GridMap, LayerInfo, Point, Shape, Terrain};
    static EDGES: LayerInfo = LayerInfo::visible("edges", "a test", 1.0);
    struct Counting(usize);
    impl Surface for Counting {
        fn line(&mut self, _: Spot, _: Spot, _: f32, _: Ink) {
            self.0 += 1;
        }
        fn chain(&mut self, _: &[Spot], _: f32, _: Ink) {}
        fn rectangle(&mut self, _: Spot, _: Spot, _: Ink) {}
        fn disc(&mut self, _: Spot, _: f32, _: Ink) {}
        fn triangle(&mut self, _: [Spot; 3], _: Ink) {}
    }
    let grid = Grid::with_defaults(GridMap::filled(200, 200, Terrain::GROUND).unwrap());
    let at = |x: u32, y: u32| Point { x: x as f32, y: y as f32 };
    let lines: Vec<[Point; 2]> = (0..199u32)
        .flat_map(|x| (0..199u32).map(move |y| (x, y)))
        .map(|(x, y)| [at(x, y), at(x + 1, y + 1)])
        .collect();
    let all = lines.len();
    let layer = EDGES.layer(1, Shape::Lines(lines));
    let layers = vec![SceneLayer { layer: &layer, opacity: 1.0, shown: usize::MAX }];
    let scene = Scene { layers, ..Scene::new(&grid) };
    let drawn = |scale: f32| {
        let (origin, corner, size) = ((0.0, 0.0), (0.0, 0.0), (800.0, 800.0));
        let mut counting = Counting(0);
        scene.draw_shapes(&Viewport { origin, scale, corner, size }, &mut counting);
        counting.0
    };
    assert!(drawn(4.0) < all / 6, "{} of {all}", drawn(4.0));
    // Zoomed in, every line that is seen is drawn.
    assert!(drawn(32.0) >= 25 * 25, "{}", drawn(32.0));
}

/// Hills, a wall with a gap, a border that leads down alone, and a link.
fn shaped() -> Grid {
    let mut map = GridMap::filled(24, 16, Terrain::GROUND).unwrap();
    for cell in map.extent().cells() {
        let (dx, dy) = cell.offset(Cell::new(7, 8));
        map.set_height(cell, 60u32.saturating_sub(dx * dx + dy * dy) as u16);
    }
    for y in 2..13 {
        map.set_border(Cell::new(15, y), BorderSide::East, Border::Closed);
    }
    map.set_border(Cell::new(18, 5), BorderSide::South, Border::OneWay);
    map.add_link(Link::new((3, 2), (20, 13), 99)).unwrap();
    Grid::with_defaults(map)
}

#[test]
fn heights_borders_and_links_are_drawn() {
    let grid = shaped();
    let canvas = Scene::new(&grid).to_canvas(&Viewport::whole(grid.extent()));
    let brightness = |x: u32, y: u32| {
        let Colour(red, green, blue) = canvas.get(x * 32 + 16, y * 32 + 16);
        u32::from(red) + u32::from(green) + u32::from(blue)
    };
    assert!(brightness(7, 8) + 60 < brightness(22, 1), "hills are darker than plains");
    assert_eq!(canvas.get(22 * 32 + 16, 32 + 16), Colour::GROUND, "plains look as level ground");
    assert!(brightness(5, 6) > brightness(9, 10) + 40, "light comes from the upper left");
    // On the line between two cells, beside it, and where the wall has ended.
    let flat = canvas.get(22 * 32 + 16, 16);
    let on_line = |x: u32, y: u32| canvas.get(x * 32, y * 32 + 16);
    assert!(on_line(16, 6) != flat && on_line(16, 14) == flat && on_line(17, 6) == flat);
    assert_ne!(canvas.get(18 * 32 + 16, 6 * 32), flat, "one way");
    assert_ne!(canvas.get(20 * 32 + 16, 13 * 32 + 14), flat, "where the link ends");
    // A path that uses the link follows its arc, not the straight line.
    let path = [Cell::new(2, 2), Cell::new(3, 2), Cell::new(20, 13), Cell::new(21, 13)];
    let with_path = Scene { path: Some((&path, 1.0)), ..Scene::new(&grid) };
    let drawn = with_path.to_canvas(&Viewport::whole(grid.extent()));
    let is_path = |x: u32, y: u32| drawn.get(x, y) == Colour::PATH;
    assert!(is_path(2 * 32 + 24, 2 * 32 + 16) && is_path(20 * 32 + 24, 13 * 32 + 16));
    let half_way = (12 * 32, 8 * 32);
    let beside = (0..40).any(|far| is_path(half_way.0 + far, half_way.1 - far));
    assert!(!beside, "the straight line is free");
    let svg = Scene::new(&grid).to_svg(&Viewport::whole(grid.extent())).unwrap();
    assert!(svg.contains("<svg "));
}
