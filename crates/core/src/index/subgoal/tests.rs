//! The graph's own invariants; its answers are held against the oracle by the tests of all planners.

use super::*;

fn grid(drawing: &str) -> Grid {
    Grid::with_defaults(drawing.parse().unwrap())
}

#[test]
fn any_order_of_jobs_builds_the_same() {
    let map = crate::GridMap::from_fn(80, 70, |cell| {
        let wall = (cell.x * 7 + cell.y * 13 + cell.x * cell.y) % 5 == 0;
        if wall { crate::Terrain::WALL } else { crate::Terrain::GROUND }
    });
    let grid = Grid::with_defaults(map.unwrap());
    let plain = SubgoalGraph::build(&grid).unwrap();
    let build = SubgoalGraph::plan_build(&grid).unwrap();
    assert!(build.job_count() > 2);
    let parts: Vec<_> = (0..build.job_count()).rev().map(|job| build.run(job)).collect();
    let reversed = build.finish(parts).unwrap();
    assert_eq!(reversed.edges, plain.edges);
    assert_eq!(reversed.first_out, plain.first_out);
    let build = SubgoalGraph::plan_build(&grid).unwrap();
    let parts = vec![build.run(0), build.run(0)];
    assert_eq!(build.finish(parts).err(), Some(BuildError::Incomplete));
}

#[test]
fn a_corner_stops_only_who_may_turn_there() {
    // The cell below and right of the wall's end is a subgoal, for travel east and south.
    let graph = SubgoalGraph::build(&grid("...\n#..\n...\n")).unwrap();
    assert_eq!(graph.map.cells, [Cell::new(1, 0), Cell::new(1, 2)]);
    let links = |from: (u32, u32)| {
        let mut links = Vec::new();
        graph.map.links_onwards(from.into(), RISING | FALLING, |link| links.push(link));
        links
    };
    // Going west along the lowest row one passes, going east one stops.
    assert_eq!(links((0, 2)), [Link { subgoal: 1, cost: 2378 }]);
    assert!(links((2, 2)).iter().all(|link| link.subgoal == 0), "north along the second column");
}

#[test]
fn parts_are_joined_by_paths() {
    let graph = SubgoalGraph::build(&grid("#.#.#\n.....\n#####\n#.#.#\n.....\n")).unwrap();
    let of = |part: u32| graph.parts.iter().filter(|&&other| other == part).count();
    assert_eq!(graph.parts.iter().collect::<std::collections::BTreeSet<_>>().len(), 2);
    assert_eq!(of(graph.parts[0]), graph.parts.len() / 2);
}
