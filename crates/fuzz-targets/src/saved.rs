//! Saved indexes, worlds and simulations.
//!
//! The bytes are what lies between the header and the hash: both are added here, since no fuzzer finds a hash.

use crate::Target;
use highroad::catalog::{CATALOG, Spec};
use highroad::environment::NodeId;
use highroad::graph::{Edge, Graph};
use highroad::grid::{Batch, Grid, Movement, MovementRule, Profile, StepCosts};
use highroad::mesh::{Mesh, MeshPoint, Obstacle};
use highroad::planner::{Answer, Cataloged, PathQuery, Scratch};
use highroad::{AgentPlan, Budget, Cell, PathWorld, Request, Simulation, Terrain};
use highroad_core::saved::{Kind, Writer};
use std::sync::LazyLock;

const HEADER_BYTES: usize = 24;
const HASH_BYTES: usize = 8;
const KIND_AT: usize = 8;

/// A whole file of that body.
fn file(kind: Kind, fingerprint: u64, body: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new(kind, fingerprint);
    writer.raw(body);
    writer.finish()
}

/// The body of a whole file.
fn body(file: &[u8]) -> &[u8] {
    &file[HEADER_BYTES..file.len() - HASH_BYTES]
}

/// A planner that can be saved, and what its files are.
struct Saved<E: 'static> {
    spec: Spec,
    environment: E,
    kind: Kind,
    seed: Vec<u8>,
}

fn saved<E: Cataloged + Clone>(environments: &[E]) -> Vec<Saved<E>> {
    let kinds =
        [Kind::Subgoals, Kind::Hierarchy, Kind::Cliques, Kind::Labels, Kind::GraphHierarchy];
    let mut all = Vec::new();
    for environment in environments {
        for entry in CATALOG {
            let spec: Spec = entry.name.parse().expect("a name of the catalog");
            let Ok(planner) = spec.build(environment) else { continue };
            let Some(bytes) = planner.save(environment) else { continue };
            let kind = kinds.into_iter().find(|&kind| kind as u32 == u32::from(bytes[KIND_AT]));
            let kind = kind.expect("a kind of index");
            let seed = [&[all.len() as u8][..], body(&bytes)].concat();
            all.push(Saved { spec, environment: environment.clone(), kind, seed });
        }
    }
    all
}

static ON_GRIDS: LazyLock<Vec<Saved<Grid>>> = LazyLock::new(|| {
    let map: highroad::GridMap = "......\n.##.#.\n.S..#.\n.#....\n".parse().expect("a drawing");
    let swampy = Profile::movingai().with_cost(Terrain::SWAMP, 3).expect("a small cost");
    let movement = Movement::new(swampy, MovementRule::FourWay, StepCosts::THESIS);
    let weighted = Grid::new(map.clone(), movement.expect("small costs"));
    saved(&[Grid::with_defaults(map), weighted])
});

static ON_GRAPHS: LazyLock<Vec<Saved<Graph>>> = LazyLock::new(|| saved(&[graph()]));

fn graph() -> Graph {
    let edges = [(0, 1, 3), (1, 2, 4), (2, 0, 1), (2, 3, 9), (3, 4, 0), (4, 1, 2), (0, 4, 30)];
    let edge = |(from, to, weight)| Edge { from: NodeId(from), to: NodeId(to), weight };
    Graph::from_edges(6, &edges.map(edge)).expect("nodes that are there")
}

pub(crate) const GRID_INDEX: Target = Target {
    name: "saved_grid_index",
    input: "a number that chooses a planner of grids, then the body of a saved one",
    promise: "refused, or it answers with valid paths",
    run: |bytes| {
        let Some((&number, body)) = bytes.split_first() else { return };
        let saved = &ON_GRIDS[usize::from(number) % ON_GRIDS.len()];
        let grid = &saved.environment;
        let bytes = file(saved.kind, grid.fingerprint(), body);
        let Some(Ok(planner)) = saved.spec.load(&bytes, grid) else { return };
        let mut scratch = Scratch::new();
        let mut ask = |start: (u32, u32), goal: (u32, u32)| {
            let answer = planner.solve(grid, &PathQuery::new(start, goal), &mut scratch);
            let Ok(Answer::Found(path) | Answer::Unreachable { nearest: path }) = answer else {
                panic!("{answer:?}");
            };
            assert_eq!(path.validate(grid), Ok(()));
        };
        ask((0, 0), (5, 3));
        ask((5, 3), (0, 0));
        ask((1, 2), (5, 0));
        ask((3, 3), (3, 3));
    },
    seeds: || ON_GRIDS.iter().map(|saved| saved.seed.clone()).collect(),
};

pub(crate) const GRAPH_INDEX: Target = Target {
    name: "saved_graph_index",
    input: "a number that chooses a planner of graphs, then the body of a saved one",
    promise: "refused, or it answers with valid paths",
    run: |bytes| {
        let Some((&number, body)) = bytes.split_first() else { return };
        let saved = &ON_GRAPHS[usize::from(number) % ON_GRAPHS.len()];
        let graph = &saved.environment;
        let bytes = file(saved.kind, graph.fingerprint(), body);
        let Some(Ok(planner)) = saved.spec.load(&bytes, graph) else { return };
        let mut scratch = Scratch::new();
        for (start, goal) in [(0, 4), (4, 0), (1, 3), (0, 5), (5, 5)] {
            let query = PathQuery::new(NodeId(start), NodeId(goal));
            let answer = planner.solve(graph, &query, &mut scratch);
            let Ok(Answer::Found(path) | Answer::Unreachable { nearest: path }) = answer else {
                panic!("{answer:?}");
            };
            assert_eq!(path.validate(graph), Ok(()));
        }
    },
    seeds: || ON_GRAPHS.iter().map(|saved| saved.seed.clone()).collect(),
};

/// A world in the midst of things: several kinds, edits to take back, requests that wait.
fn world_at_work() -> PathWorld {
    let map = "......\n.##.#.\n.S..#.\n.#..W.\n".parse().expect("a drawing");
    let boat = Profile::movingai().with_cost(Terrain::SWAMP, 2).expect("a small cost");
    let boat = Movement::new(boat, MovementRule::FourWay, StepCosts::EXACT).expect("small costs");
    let spec = |name: &str| name.parse::<Spec>().expect("a planner of the catalog");
    let builder = PathWorld::new(map).with_planner(spec("pra")).with_planner(spec("subgoal"));
    let builder = builder.with_kind("boat", boat).with_planner(spec("hpa:cluster=8"));
    let mut world = builder.with_lockstep(3).build().expect("planners that serve the map");
    let mut batch = Batch::new();
    batch.set((3, 3), Terrain::WALL);
    batch.surcharge(highroad::CellRect::new((0, 0), (1, 1)), 2);
    world.apply(&batch).expect("cells of the map");
    world.request(Request::path((0, 0), (5, 3)));
    world.request(Request::nearest((0, 0), vec![Cell::new(5, 0), Cell::new(5, 3)]));
    world.tick(Budget::expansions(3));
    world
}

pub(crate) const WORLD: Target = Target {
    name: "saved_world",
    input: "the body of a saved world of a grid",
    promise: "refused, or a world that can be edited, asked, saved and loaded",
    run: |bytes| {
        let Ok(mut world) = PathWorld::load(&file(Kind::World, 0, bytes)) else { return };
        let again: PathWorld = PathWorld::load(&world.save()).expect("it was saved here");
        assert_eq!(again.save(), world.save());
        let corner = Cell::new(world.grid().extent().width() - 1, 0);
        let _ = world.find_path((0, 0), corner);
        world.request(Request::path((0, 0), corner));
        world.edit(|edit| _ = edit.set((0, 0), Terrain::WALL)).expect("a cell of the map");
        for _ in 0..5 {
            world.tick(Budget::expansions(500));
        }
        while world.undo().is_some() {}
        world.finish_rebuilds();
        world.save();
    },
    seeds: || vec![body(&world_at_work().save()).to_vec()],
};

pub(crate) const MESH_WORLD: Target = Target {
    name: "saved_mesh_world",
    input: "the body of a saved world of a mesh",
    promise: "refused, or a world that can be edited, asked, saved and loaded",
    run: |bytes| {
        let file = file(Kind::MeshWorld, 0, bytes);
        let Ok(mut world) = PathWorld::<Mesh>::load(&file) else { return };
        let again: PathWorld<Mesh> = PathWorld::load(&world.save()).expect("it was saved here");
        assert_eq!(again.save(), world.save());
        let [least, most] = world.environment().bounds();
        let [from, to] = [least, most].map(|at| {
            let point = MeshPoint::new(at[0], at[1]).expect("a corner of the mesh");
            world.environment().nearest_point(point).unwrap_or(point)
        });
        let _ = world.find_path(from, to);
        world.request(Request::path(from, to));
        if let Ok(post) = Obstacle::new(vec![least, [most[0], least[1]], most]) {
            let _ = world.edit(|edit| _ = edit.place("post", post));
        }
        for _ in 0..5 {
            world.tick(Budget::expansions(500));
        }
        while world.undo().is_some() {}
        world.finish_rebuilds();
        world.save();
    },
    seeds: || {
        let spec: Spec = "any-angle".parse().expect("a planner of the catalog");
        let mesh = Mesh::from_cells(4, 4, |x, y| (x, y) != (2, 1)).expect("a small mesh");
        let builder = PathWorld::on(mesh).with_planner(spec);
        let mut world = builder.build().expect("a planner that serves the mesh");
        let post = Obstacle::new(vec![[0.5, 0.5], [1.5, 0.5], [1.0, 3.0]]).expect("a triangle");
        world.edit(|edit| _ = edit.place("post", post)).expect("it can be cut");
        let [from, to] = [0.25, 3.5].map(|at| MeshPoint::new(at, at).expect("small numbers"));
        world.request(Request::path(from, to));
        world.tick(Budget::expansions(1));
        vec![body(&world.save()).to_vec()]
    },
};

pub(crate) const GRAPH_WORLD: Target = Target {
    name: "saved_graph_world",
    input: "the body of a saved world of a graph",
    promise: "refused, or a world that can be edited, asked, saved and loaded",
    run: |bytes| {
        let file = file(Kind::GraphWorld, 0, bytes);
        let Ok(mut world) = PathWorld::<Graph>::load(&file) else { return };
        let again: PathWorld<Graph> = PathWorld::load(&world.save()).expect("it was saved here");
        assert_eq!(again.save(), world.save());
        let last = NodeId(world.environment().node_count().saturating_sub(1) as u32);
        let _ = world.find_path(NodeId(0), last);
        world.request(Request::path(NodeId(0), last));
        for _ in 0..5 {
            world.tick(Budget::expansions(500));
        }
        while world.undo().is_some() {}
        world.finish_rebuilds();
        world.save();
    },
    seeds: || {
        let spec: Spec = "entrances".parse().expect("a planner of the catalog");
        let builder = PathWorld::on(graph()).with_planner(spec);
        let mut world = builder.build().expect("a planner that serves the graph");
        world.edit(|edit| _ = edit.set_weight(NodeId(0), NodeId(1), 5)).expect("an edge");
        world.request(Request::path(NodeId(0), NodeId(3)));
        world.tick(Budget::expansions(1));
        vec![body(&world.save()).to_vec()]
    },
};

/// Checks that agents that are not where they were stand on the map. (One may be put down outside, and stays there.)
pub(crate) fn check_steps(simulation: &Simulation, before: &[Cell]) {
    let grid = simulation.world().grid();
    for (agent, &before) in simulation.agents().iter().zip(before) {
        assert!(agent.at() == before || grid.extent().contains(agent.at()), "{:?}", agent.at());
    }
}

pub(crate) const SIMULATION: Target = Target {
    name: "saved_simulation",
    input: "the length of a world's body, that body, and the rest of a saved simulation",
    promise: "refused, or a simulation that goes on",
    run: |bytes| {
        let Some((&length, rest)) = bytes.split_first_chunk() else { return };
        let length = usize::from(u16::from_le_bytes(length)).min(rest.len());
        let (world, rest) = rest.split_at(length);
        let mut writer = Writer::new(Kind::Simulation, 0);
        writer.bytes(&file(Kind::World, 0, world));
        writer.raw(rest);
        let Ok(mut simulation) = Simulation::load(&writer.finish()) else { return };
        for _ in 0..10 {
            let before: Vec<Cell> = simulation.agents().iter().map(|agent| agent.at()).collect();
            simulation.tick();
            check_steps(&simulation, &before);
        }
        simulation.save();
    },
    seeds: || {
        let mut simulation = Simulation::new(world_at_work(), Budget::expansions(20));
        simulation.add(AgentPlan::new((0, 0), (5, 3)));
        simulation.add(AgentPlan::new((5, 0), (0, 3)).with_first_leg(2));
        for _ in 0..3 {
            simulation.tick();
        }
        let whole = simulation.save();
        let whole = body(&whole);
        let (length, rest) = whole.split_first_chunk().expect("the length of the world");
        let (world, rest) = rest.split_at(u64::from_le_bytes(*length) as usize);
        let world = body(world);
        vec![[&(world.len() as u16).to_le_bytes()[..], world, rest].concat()]
    },
};
