//! Fields against a plain search from every node.

use super::*;
use crate::graph::{Edge, Graph};
use crate::grid::{GridMap, MovementRule, Profile, StepCosts};
use proptest::prelude::*;
use proptest::sample::Index;

fn plain(nodes: usize, edges: &[Edge], from: u32) -> Vec<u64> {
    let mut costs = vec![u64::MAX; nodes];
    costs[from as usize] = 0;
    for _ in 0..nodes {
        for edge in edges {
            let by_it = costs[edge.from.index()].saturating_add(u64::from(edge.weight as u32));
            costs[edge.to.index()] = costs[edge.to.index()].min(by_it);
        }
    }
    costs
}

fn some(cost: u64) -> Option<u64> {
    Some(cost).filter(|&cost| cost != u64::MAX)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_node_knows_its_facility_and_the_way(
        nodes in 1u32..24,
        ends in proptest::collection::vec((any::<Index>(), any::<Index>(), 0i32..20), 0..90),
        chosen in proptest::collection::vec(any::<Index>(), 1..4),
    ) {
        let node = |at: &Index| at.index(nodes as usize) as u32;
        let edges: Vec<Edge> =
            ends.iter().map(|(from, to, weight)| Edge::new(node(from), node(to), *weight)).collect();
        let graph = Graph::from_edges(nodes as usize, &edges).unwrap();
        let facilities: Vec<NodeId> = chosen.iter().map(|at| NodeId(node(at))).collect();
        let towards = FacilityField::towards(&graph, &facilities).unwrap();
        let away = FacilityField::away_from(&graph, &facilities).unwrap();
        for at in (0..nodes).map(NodeId) {
            let costs = plain(nodes as usize, &edges, at.0);
            let nearest = facilities.iter().map(|facility| costs[facility.index()]).min().unwrap();
            prop_assert_eq!(towards.cost(at), some(nearest));
            let from = |facility: &NodeId| plain(nodes as usize, &edges, facility.0)[at.index()];
            prop_assert_eq!(away.cost(at), some(facilities.iter().map(from).min().unwrap()));
            for (field, sense) in [(&towards, 0), (&away, 1)] {
                let Some(path) = field.path(at) else { continue };
                let weight = |pair: &[NodeId]| graph.outgoing().weight(pair[0], pair[1]);
                let walked: Option<i64> =
                    path.windows(2).map(|pair| weight(pair).map(i64::from)).sum();
                prop_assert_eq!(walked, field.cost(at).map(|cost| cost as i64));
                let ends = [path[0], path[path.len() - 1]];
                prop_assert_eq!(ends[sense], at);
                prop_assert_eq!(Some(ends[1 - sense]), field.facility(at));
                prop_assert!(facilities.contains(&ends[1 - sense]));
            }
        }
    }

    #[test]
    fn on_grids_every_cell_knows_its_facility(
        cells in proptest::collection::vec(prop_oneof![4 => Just('.'), 1 => Just('#')], 48),
        chosen in proptest::collection::vec(any::<Index>(), 1..4),
        rule in proptest::sample::select(MovementRule::ALL.to_vec()),
    ) {
        let rows: Vec<String> = cells.chunks(8).map(|row| row.iter().collect()).collect();
        let map: GridMap = rows.join("\n").parse().unwrap();
        let movement = crate::Movement::new(Profile::movingai(), rule, StepCosts::EXACT).unwrap();
        let grid = Grid::new(map, movement);
        let free: Vec<Cell> = grid.extent().cells().filter(|&cell| grid.is_enterable(cell)).collect();
        prop_assume!(!free.is_empty());
        let facilities: Vec<Cell> = chosen.iter().map(|at| *at.get(&free)).collect();
        let mut scratch = Scratch::new();
        let field = FacilityField::on_grid(&grid, &facilities, &mut scratch).unwrap();
        for &cell in &free {
            let best = facilities.iter().filter_map(|&facility| {
                let query = crate::PathQuery::new(cell, facility);
                let answer = crate::Planner::solve(&GridSearch::astar(), &grid, &query, &mut scratch);
                answer.unwrap().path().map(|path| path.cost().0)
            }).min();
            let node = NodeId(grid.extent().id_inside(cell).0);
            prop_assert_eq!(field.cost(node), best);
            if let Some(facility) = field.facility(node) {
                prop_assert!(facilities.contains(&grid.extent().cell(crate::grid::CellId(facility.0))));
            }
        }
    }
}

#[test]
fn fields_without_facilities_are_refused() {
    let graph = Graph::from_edges(2, &[]).unwrap();
    let missing = QueryError::Missing(End::Start);
    assert_eq!(FacilityField::towards(&graph, &[]), Err(missing));
    let beyond = GraphRefusal::NoSuchNode { node: NodeId(2), nodes: 2 };
    let refused = QueryError::Refused { end: End::Start, reason: beyond };
    assert_eq!(FacilityField::away_from(&graph, &[NodeId(2)]), Err(refused));
    let away = FacilityField::away_from(&graph, &[NodeId(0)]).unwrap();
    assert!(away.estimates().is_none(), "costs from a place are no estimates of costs to it");
}
