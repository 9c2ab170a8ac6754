//! Implicit searches on random graphs given by closures, against plain relaxation.

use super::*;
use proptest::prelude::*;

/// Successors of each node, with costs.
type Edges = Vec<Vec<(usize, u32)>>;

fn graphs() -> impl Strategy<Value = Edges> {
    (1usize..20).prop_flat_map(|nodes| {
        let list = proptest::collection::vec((0..nodes, 0u32..15), 0..5);
        proptest::collection::vec(list, nodes)
    })
}

fn costs_to(edges: &Edges, goal: usize) -> Vec<u64> {
    let mut costs = vec![u64::MAX; edges.len()];
    costs[goal] = 0;
    for _ in 0..edges.len() {
        for (from, list) in edges.iter().enumerate() {
            for &(to, step) in list {
                costs[from] = costs[from].min(costs[to].saturating_add(u64::from(step)));
            }
        }
    }
    costs
}

/// A state that is not `Copy`, so that nothing depends on it.
fn name(node: usize) -> String {
    format!("node {node}")
}

fn number(name: &str) -> usize {
    name[5..].parse().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_searches_keep_their_promises(edges in graphs(), seed in any::<u64>()) {
        let goal = edges.len() - 1;
        let costs = costs_to(&edges, goal);
        let successors = |state: &String| {
            edges[number(state)].iter().map(|&(to, step)| (name(to), step)).collect::<Vec<_>>()
        };
        // Admissible, and as inconsistent as chance will have it.
        let estimate = |state: &String| {
            let at = number(state);
            let share = (seed.rotate_left(at as u32 * 7) % 5).min(4);
            costs[at].min(1000) * share / 4
        };
        let success = |state: &String| number(state) == goal;
        let start = name(0);
        let reachable = costs[0] != u64::MAX;
        let walked = |states: &[String]| -> u64 {
            states.windows(2).map(|pair| {
                let steps = edges[number(&pair[0])].iter();
                let cheapest = steps.filter(|step| name(step.0) == pair[1]).map(|step| step.1).min();
                u64::from(cheapest.expect("an edge"))
            }).sum()
        };
        let exact = [ImplicitSearch::dijkstra(), ImplicitSearch::astar()];
        let weighted = ImplicitSearch::astar().with_weight(Weight::new(2.0).unwrap());
        // Greedy search has no bound.
        let others = [(weighted, 2), (ImplicitSearch::greedy(), u64::MAX)];
        for (search, factor) in exact.map(|search| (search, 1)).into_iter().chain(others) {
            let path = search.solve(&start, successors, estimate, success).path();
            prop_assert_eq!(path.is_some(), reachable);
            let Some(path) = path else { continue };
            prop_assert!(success(path.states.last().unwrap()) && path.states[0] == start);
            prop_assert_eq!(walked(&path.states) <= path.cost, true);
            prop_assert!(path.cost >= costs[0] && (factor == u64::MAX || path.cost <= factor * costs[0]));
        }
        let unit: Edges = edges.iter()
            .map(|list| list.iter().map(|&(to, _)| (to, 1)).collect()).collect();
        let hops = costs_to(&unit, goal)[0];
        let fewest = ImplicitSearch::breadth_first().solve(&start, successors, estimate, success);
        prop_assert_eq!(fewest.path().map(|path| path.cost), Some(hops).filter(|_| reachable));
        if reachable {
            let limits = Limits { expansions_max: 200_000, ..Limits::default() };
            let deepening = Deepening::new().with_limits(limits);
            match deepening.solve(&start, successors, estimate, success).outcome {
                ImplicitOutcome::Found(path) => {
                    prop_assert_eq!(path.cost, costs[0]);
                    prop_assert_eq!(walked(&path.states), costs[0]);
                }
                ImplicitOutcome::LimitReached => {}
                ImplicitOutcome::Unreachable => prop_assert!(false, "there is a way"),
            }
        }
    }
}

#[test]
fn endless_graphs_end_by_their_limits() {
    let limits = Limits { expansions_max: 100, ..Limits::default() };
    let onwards = |&n: &u64| [(n + 1, 1)];
    let search = ImplicitSearch::dijkstra().with_limits(limits);
    let answer = search.solve(&0u64, onwards, |_| 0, |_| false);
    assert_eq!(answer.outcome, ImplicitOutcome::LimitReached);
    assert_eq!(answer.statistics.expanded, 100);
    let answer = Deepening::new().with_limits(limits).solve(&0u64, onwards, |_| 0, |_| false);
    assert_eq!(answer.outcome, ImplicitOutcome::LimitReached);
}

#[test]
fn deepening_ends_where_there_is_no_way() {
    let ring = |&n: &u32| [((n + 1) % 5, 1), ((n + 4) % 5, 1)];
    let answer = Deepening::new().solve(&0u32, ring, |_| 0, |&n| n == 7);
    assert_eq!(answer.outcome, ImplicitOutcome::Unreachable);
}

#[test]
fn a_tree_tells_when_each_state_was_expanded() {
    let successors = |&n: &u32| [(2 * n, 1), (n + 1, 1)];
    let (answer, tree) =
        ImplicitSearch::breadth_first().solve_with_tree(&1u32, successors, |_| 0, |&n| n == 6, 100);
    assert_eq!(answer.path().unwrap().states, [1, 2, 3, 6]);
    assert_eq!((tree[0].state, tree[0].expanded, tree[0].on_path), (1, Some(0), true));
    let six = tree.iter().find(|known| known.state == 6).unwrap();
    assert_eq!((six.g, six.on_path, tree[six.parent].state), (3, true, 3));
    assert!(six.expanded.is_some());
}

#[test]
fn a_tree_holds_what_comes_after_a_state_that_costs_too_much() {
    let successors = |&n: &u32| if n == 0 { vec![(1, 9), (2, 1)] } else { Vec::new() };
    let search =
        ImplicitSearch::dijkstra().with_limits(Limits { cost_max: 5, ..Limits::default() });
    let (answer, tree) = search.solve_with_tree(&0u32, successors, |_| 0, |&n| n == 2, 10);
    assert_eq!(answer.path().unwrap().states, [0, 2]);
    let held: Vec<_> = tree.iter().map(|known| (known.state, known.parent, known.g)).collect();
    assert_eq!(held, [(0, 0, 0), (2, 0, 1)]);
    assert!(tree.iter().all(|known| known.on_path && known.expanded.is_some()));
}

#[test]
fn a_tree_of_few_states_names_no_parents_outside_of_it() {
    // 3 is opened from 0, and improved from 2, for which there is no room.
    let successors = |&n: &u32| match n {
        0 => vec![(1, 1), (3, 9), (2, 1)],
        2 => vec![(3, 1)],
        _ => Vec::new(),
    };
    let (_, tree) =
        ImplicitSearch::dijkstra().solve_with_tree(&0u32, successors, |_| 0, |_| false, 3);
    let held: Vec<_> = tree.iter().map(|known| (known.state, known.parent, known.g)).collect();
    assert_eq!(held, [(0, 0, 0), (1, 0, 1), (3, 0, 9)]);
}

#[test]
fn deepening_keeps_its_cost_limit_from_the_first_bound_on() {
    let limits = Limits { cost_max: 5, ..Limits::default() };
    let successors = |&n: &u32| [(n + 1, 1)];
    let answer = Deepening::new().with_limits(limits).solve(
        &0u32,
        successors,
        |&n| u64::from(9u32.saturating_sub(n)),
        |&n| n == 9,
    );
    assert_eq!(answer.outcome, ImplicitOutcome::LimitReached);
    assert_eq!((answer.bounds, answer.statistics.expanded), (Vec::new(), 0));
}

/// What plain relaxation says of the cost from the nearest of some starts.
fn costs_from(edges: &Edges, starts: &[usize], unit: bool) -> Vec<u64> {
    let mut costs = vec![u64::MAX; edges.len()];
    starts.iter().for_each(|&start| costs[start] = 0);
    for _ in 0..edges.len() {
        for (from, list) in edges.iter().enumerate() {
            for &(to, step) in list {
                let step = if unit { 1 } else { u64::from(step) };
                costs[to] = costs[to].min(costs[from].saturating_add(step));
            }
        }
    }
    costs
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// One memory for all of them: nothing of a search is left for the next.
    #[test]
    fn several_starts_and_ranges_agree_with_relaxation(
        worlds in proptest::collection::vec((graphs(), any::<[usize; 3]>(), 0u64..40), 1..4),
    ) {
        let mut memory = ImplicitMemory::new();
        for (edges, starts, cost_max) in &worlds {
            let goal = edges.len() - 1;
            let starts: Vec<usize> = starts.iter().map(|start| start % edges.len()).collect();
            let names: Vec<String> = starts.iter().map(|&start| name(start)).collect();
            let successors = |state: &String| {
                edges[number(state)].iter().map(|&(to, step)| (name(to), step)).collect::<Vec<_>>()
            };
            let costs = costs_from(edges, &starts, false);
            let success = |state: &String| number(state) == goal;
            let found = ImplicitSearch::dijkstra()
                .solve_among(&names, successors, |_| 0, success, &mut memory);
            prop_assert_eq!(found.path().map_or(u64::MAX, |path| path.cost), costs[goal]);
            for (search, unit) in
                [(ImplicitSearch::greedy(), false), (ImplicitSearch::breadth_first(), true)]
            {
                let costs = costs_from(edges, &starts, unit);
                let range = search.range(&names, successors, *cost_max, &mut memory);
                prop_assert!(range.complete);
                let mut within: Vec<(usize, u64)> =
                    range.states.iter().map(|(state, cost)| (number(state), *cost)).collect();
                prop_assert!(within.is_sorted_by_key(|&(_, cost)| cost));
                within.sort_unstable();
                let expected: Vec<(usize, u64)> =
                    costs.iter().copied().enumerate().filter(|at| at.1 <= *cost_max).collect();
                prop_assert_eq!(within, expected);
            }
        }
    }
}

#[test]
fn a_range_that_is_cut_short_says_so_and_lists_final_costs_alone() {
    let endless = |&n: &u64| [(n + 1, 1), (n + 2, 1)];
    let limits = Limits { expansions_max: 10, ..Limits::default() };
    let search = ImplicitSearch::dijkstra().with_limits(limits);
    let range = search.range(&[0], endless, 1000, &mut ImplicitMemory::new());
    assert!(!range.complete);
    assert_eq!(range.states.len(), 10);
    assert!(range.states.iter().all(|&(n, cost)| cost == n.div_ceil(2)));
    let nothing = search.range(&[], endless, 1000, &mut ImplicitMemory::new());
    assert!(nothing.complete && nothing.states.is_empty());
}
