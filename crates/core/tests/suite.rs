//! The common suite, asked of every planner of the catalog: with its usual options, and with its options set to other
//! values.
//!
//! `HIGHROAD_ROUNDS=20 cargo test -p highroad-core --test suite -- --nocapture` tries twenty times as many random
//! situations, and prints how much was checked.

#![allow(clippy::print_stderr)]

mod support;

use highroad_core::graph::{Edge, Graph};
use highroad_core::mesh::Mesh;
use highroad_core::{
    CATALOG, Cataloged, Cost, Grid, GridMap, Guarantee, HeuristicKind, MovementRule, PathQuery,
    QueryError, Scratch, Spec, SpecError, StepCosts,
};
use highroad_suite::{
    Candidate, Failures, Rounds, Summary, check_graph, check_grid, check_mesh, variants_serving,
};
use support::{build, spec, usual_specs};

/// What the suite must know of a planner. Breadth-first search takes a limit of cost for one of steps.
fn candidate<E: Cataloged>(spec: &Spec) -> Candidate<'static, E> {
    let candidate = Candidate::of(spec);
    if spec.entry().name == "bfs" { candidate.with_limit_of_steps() } else { candidate }
}

/// Tests planners, and adds up what was checked.
fn check_all<E: Cataloged>(
    specs: &[Spec],
    rounds: Rounds,
    check: impl Fn(&Candidate<'_, E>, Rounds) -> Result<Summary, Failures>,
) {
    let mut sum = Summary::default();
    let mut failures = Vec::new();
    for (number, spec) in (0..).zip(specs) {
        match check(&candidate(spec), rounds.with_seed(number)) {
            Ok(Summary { served, not_served, checks }) => {
                sum.served += served;
                sum.not_served += not_served;
                sum.checks += checks;
            }
            Err(problems) => failures.push(format!("{spec}: {problems}")),
        }
    }
    assert!(failures.is_empty(), "{} planners fail:\n{}", failures.len(), failures.join("\n"));
    eprintln!("{} planners: {sum}", specs.len());
}

fn small_grid() -> Grid {
    Grid::with_defaults("..\n".parse().expect("a drawing"))
}

fn small_graph() -> Graph {
    let graph = Graph::from_edges(2, &[Edge::new(0, 1, 1)]).expect("an edge between two nodes");
    graph.with_positions(vec![[0.0; 3], [1.0; 3]]).expect("both have a position")
}

fn small_mesh() -> Mesh {
    let corners = vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    Mesh::from_polygons(corners, &[vec![0, 1, 2]]).expect("a triangle")
}

/// Every planner with other options than its usual ones. Left out are options that are not made for such an
/// environment, such as distances between cells on a graph.
fn turned_specs<E: Cataloged>(environment: &E) -> Vec<Spec> {
    let is_usual = |spec: &Spec| spec.to_string() == spec.entry().name;
    let refused = |spec: &Spec| matches!(spec.build(environment), Err(SpecError::NotServed { .. }));
    let all = variants_serving(environment).into_iter();
    all.filter(|spec| !is_usual(spec) && !refused(spec)).collect()
}

#[test]
fn planners_of_grids_pass_the_suite() {
    let rounds = Rounds::new(400).times_environment();
    check_all(&usual_specs(&small_grid()), rounds, check_grid);
}

#[test]
fn planners_of_grids_pass_the_suite_with_other_options() {
    let rounds = Rounds::new(60).times_environment();
    check_all(&turned_specs(&small_grid()), rounds, check_grid);
}

#[test]
fn planners_of_graphs_pass_the_suite() {
    let rounds = Rounds::new(400).times_environment();
    check_all(&usual_specs(&small_graph()), rounds, check_graph);
}

#[test]
fn planners_of_graphs_pass_the_suite_with_other_options() {
    let rounds = Rounds::new(40).times_environment();
    check_all(&turned_specs(&small_graph()), rounds, check_graph);
}

#[test]
fn planners_of_meshes_pass_the_suite() {
    let rounds = Rounds::new(400).times_environment();
    check_all(&usual_specs(&small_mesh()), rounds, check_mesh);
}

/// The small environments above must not leave a planner out.
#[test]
fn every_planner_is_tested_wherever_it_is_made_for() {
    let made_for_grids = CATALOG.iter().filter(|entry| entry.grid.is_some()).count();
    let made_for_graphs = CATALOG.iter().filter(|entry| entry.graph.is_some()).count();
    assert_eq!(usual_specs(&small_grid()).len(), made_for_grids);
    assert_eq!(usual_specs(&small_graph()).len(), made_for_graphs);
    let made_for_meshes = CATALOG.iter().filter(|entry| entry.mesh.is_some()).count();
    assert_eq!(usual_specs(&small_mesh()).len(), made_for_meshes);
}

/// Without this a planner that promised less than before would pass every other test.
#[test]
fn planners_promise_what_their_theory_says() {
    let map: GridMap = "....\n.SS.\n".parse().expect("a drawing");
    let grid = Grid::with_defaults(map);
    let promise = |text: &str| build(&spec(text), &grid).guarantee(&grid);
    for exact in
        ["dijkstra", "astar", "bidirectional", "weighted-astar:weight=1", "astar:scale=0.5"]
    {
        assert_eq!(promise(exact), Guarantee::Optimal, "{exact}");
    }
    assert_eq!(promise("weighted-astar"), Guarantee::Bounded(1.5));
    assert_eq!(promise("greedy"), Guarantee::None);
    assert_eq!(promise("depth-first"), Guarantee::None);
    assert_eq!(promise("bfs"), Guarantee::Bounded(3363.0 / 2378.0));
    // Eight-way, Manhattan's estimate of a diagonal is two straights.
    assert_eq!(promise("astar:heuristic=manhattan"), Guarantee::Bounded(2.0 * 2378.0 / 3363.0));
    assert_eq!(promise("astar:heuristic=manhattan:reopen=no"), Guarantee::None);
    let (steps, rule) = (StepCosts::EXACT, MovementRule::NeverCutCorners);
    let admissible = HeuristicKind::ALL.into_iter().filter(|kind| kind.is_admissible(rule, steps));
    for kind in admissible {
        let text = format!("astar:heuristic={}", kind.name());
        assert_eq!(promise(&text), Guarantee::Optimal, "{text}");
    }
}

#[test]
fn a_promise_holds_or_is_broken() {
    let holds = |guarantee: Guarantee, cost, best| guarantee.holds(Cost(cost), Cost(best));
    assert!(holds(Guarantee::Optimal, 100, 100) && !holds(Guarantee::Optimal, 101, 100));
    assert!(holds(Guarantee::Bounded(1.5), 150, 100) && !holds(Guarantee::Bounded(1.5), 151, 100));
    assert!(holds(Guarantee::None, 900, 100) && holds(Guarantee::NearOptimal, 101, 100));
    let all =
        [Guarantee::Optimal, Guarantee::Bounded(2.0), Guarantee::NearOptimal, Guarantee::None];
    for guarantee in all {
        assert!(!holds(guarantee, 99, 100), "{guarantee}: nothing is cheaper than the optimum");
    }
}

#[test]
fn a_refused_query_says_what_is_wrong_and_where() {
    let grid = Grid::with_defaults("..#\n".parse().expect("a drawing"));
    for spec in usual_specs(&grid) {
        let planner = build(&spec, &grid);
        let refusal = |query: PathQuery| {
            let refused: QueryError =
                planner.solve(&grid, &query, &mut Scratch::new()).expect_err("a bad query");
            refused.to_string()
        };
        assert!(
            refusal(PathQuery::new((0, 0), (2, 0))).contains("goal (2, 0) is blocked"),
            "{spec}"
        );
        assert!(
            refusal(PathQuery::new((0, 7), (1, 0))).contains("start (0, 7) lies outside"),
            "{spec}"
        );
        let nowhere = PathQuery::among(vec![(0, 0).into()], Vec::new());
        assert_eq!(refusal(nowhere), "the query has no goal", "{spec}");
    }
}
