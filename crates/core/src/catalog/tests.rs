//! What the entries of the catalog say is true.

use super::*;
use crate::graph::{Edge, Graph};
use crate::mesh::Mesh;
use crate::{
    Grid, GridMap, Guarantee, LayerInfo, NodeId, Path, PathQuery, Scratch, Statistics, Terrain,
};

fn grid() -> Grid {
    Grid::with_defaults("...\n".parse().unwrap())
}

/// A map with obstacles, large enough for several clusters; a query across it.
fn map_with_obstacles() -> (Grid, PathQuery) {
    let map = GridMap::from_fn(150, 90, |cell| {
        let wall = cell.x % 9 == 4 && cell.y % 31 != cell.x % 29;
        if wall { Terrain::WALL } else { Terrain::GROUND }
    });
    (Grid::with_defaults(map.unwrap()), PathQuery::new((0, 0), (149, 80)))
}

/// A graph of crossings in rows, large enough for several regions; a query across it.
fn town() -> (Graph, PathQuery<NodeId>) {
    let side = 60;
    let number = |x: u32, y: u32| y * side + x;
    let streets = (0..side - 1).flat_map(|a| (0..side).map(move |b| (a, b)));
    let edges = streets.flat_map(|(a, b)| {
        let weight = 10 + ((a * 7 + b * 13) % 5) as i32;
        let across = Edge::new(number(a, b), number(a + 1, b), weight);
        let down = Edge::new(number(b, a), number(b, a + 1), weight + 1);
        [across, across.reversed(), down, down.reversed()]
    });
    let edges: Vec<Edge> = edges.collect();
    let positions = (0..side * side).map(|at| [f64::from(at % side), f64::from(at / side), 0.0]);
    let graph = Graph::from_edges((side * side) as usize, &edges).unwrap();
    let graph = graph.with_positions(positions.collect()).unwrap();
    (graph, PathQuery::new(NodeId(0), NodeId(side * side - 1)))
}

/// The entries that have planners for an environment.
fn entries_for<E: Cataloged>() -> impl Iterator<Item = &'static CatalogEntry> {
    CATALOG.iter().copied().filter(|entry| E::maker(entry).is_some())
}

#[test]
fn names_are_unique_and_every_entry_builds() {
    let graph = Graph::from_edges(1, &[]).unwrap();
    let mesh = Mesh::from_polygons(Vec::new(), &[]).unwrap();
    for entry in CATALOG {
        let same = CATALOG.iter().filter(|other| other.name == entry.name);
        assert_eq!(same.count(), 1, "{}", entry.name);
        let is_made = entry.grid.is_some() || entry.graph.is_some() || entry.mesh.is_some();
        assert!(is_made, "{}", entry.name);
        assert_eq!(Spec::usual(entry).build(&grid()).is_ok(), entry.grid.is_some());
        assert_eq!(Spec::usual(entry).build(&graph).is_ok(), entry.graph.is_some());
        assert_eq!(Spec::usual(entry).build(&mesh).is_ok(), entry.mesh.is_some());
    }
}

/// What a planner does on a query.
fn behaviour<E: Cataloged>(
    spec: &Spec,
    (environment, query): &(E, PathQuery<E::Place>),
) -> (Guarantee, Statistics, Option<Path<E::Place>>, usize) {
    let planner = spec.build(environment).unwrap();
    let mut scratch = Scratch::new();
    let path = planner.solve(environment, query, &mut scratch).unwrap().path();
    (planner.guarantee(environment), scratch.statistics(), path, planner.memory_bytes())
}

fn check_defaults<E: Cataloged>(situation: &(E, PathQuery<E::Place>)) {
    for entry in entries_for::<E>() {
        for option in entry.options {
            let spelled: Spec =
                format!("{}:{}={}", entry.name, option.name, option.default).parse().unwrap();
            let plain = behaviour(&Spec::usual(entry), situation);
            assert_eq!(behaviour(&spelled, situation), plain, "{spelled}");
        }
    }
}

#[test]
fn the_default_in_the_help_is_the_default_in_fact() {
    check_defaults(&map_with_obstacles());
    check_defaults(&town());
}

#[test]
fn an_option_takes_its_default_and_what_it_says_it_takes() {
    for option in CATALOG.iter().flat_map(|entry| entry.options) {
        assert!(option.kind.takes(option.default), "{}", option.name);
        assert!(option.kind.words().iter().all(|word| option.kind.takes(word)));
        assert!(!option.kind.takes("") && !option.kind.takes("nonsense"));
        if let Some(range) = option.kind.range() {
            for (number, taken) in [(range.min, true), (range.max, true), (range.max + 1.0, false)]
            {
                assert_eq!(option.kind.takes(&number.to_string()), taken, "{}", option.name);
            }
            assert_eq!(option.kind.takes(&(range.min + 0.5).to_string()), !range.is_whole());
        }
    }
}

/// The names of the layers that planners draw.
fn check_layers<E: Cataloged>((environment, query): &(E, PathQuery<E::Place>)) {
    let mut scratch = Scratch::new();
    for entry in entries_for::<E>() {
        let planner = Spec::usual(entry).build(environment).unwrap();
        planner.solve(environment, query, &mut scratch).unwrap();
        let drawn = planner.sketch(environment).into_iter();
        let drawn: Vec<_> = drawn.chain(planner.sketch_query(environment, &scratch)).collect();
        for layer in &drawn {
            assert!(entry.layers.contains(layer.info), "{}: {}", entry.name, layer.info.name);
        }
        let is_drawn = |info: &LayerInfo| drawn.iter().any(|layer| layer.info == info);
        let missing: Vec<_> = entry.layers.iter().filter(|info| !is_drawn(info)).collect();
        assert!(missing.is_empty(), "{}: {missing:?}", entry.name);
    }
}

/// What a planner draws is what its entry lists, so that switches can be made from the entry.
#[test]
fn planners_draw_the_layers_that_their_entries_list() {
    check_layers(&map_with_obstacles());
    check_layers(&town());
}

fn check_saving<E: Cataloged>((environment, query): &(E, PathQuery<E::Place>)) {
    let mut scratch = Scratch::new();
    for entry in entries_for::<E>() {
        let spec = Spec::usual(entry);
        let planner = spec.build(environment).unwrap();
        let bytes = planner.save(environment);
        let loadable = E::maker(entry).is_some_and(|maker| maker.load.is_some());
        assert_eq!(bytes.is_some(), loadable, "{spec}");
        let Some(bytes) = bytes else { continue };
        let loaded = spec.load(&bytes, environment).unwrap().unwrap();
        let mut answer = |one: &dyn Planner<E>| one.solve(environment, query, &mut scratch);
        assert_eq!(answer(&*planner), answer(&*loaded), "{spec}");
    }
}

#[test]
fn what_can_be_saved_can_be_loaded_and_answers_the_same() {
    check_saving(&map_with_obstacles());
    check_saving(&town());
}

#[test]
fn what_cannot_be_built_says_why() {
    let error = |text: &str| match text.parse::<Spec>() {
        Err(error) => error.to_string(),
        Ok(spec) => spec.build(&grid()).err().unwrap().to_string(),
    };
    assert!(error("a-star").starts_with("there is no planner 'a-star'; known are: bfs, dijkstra"));
    assert!(error("astar:fast").contains("name=value"));
    assert!(error("jps:weight=2").ends_with("it has none"));
    assert!(
        error("astar:weight=2")
            .ends_with("it has: heuristic, scale, reopen, ties, landmarks, cluster, textbook")
    );
    assert!(error("astar:heuristic=octal").contains("cannot be 'octal'; it can be auto, zero"));
    assert!(error("weighted-astar:weight=-1").contains("0 to 1000"));
    assert!(error("astar:scale=1:scale=2").contains("twice"));
}
