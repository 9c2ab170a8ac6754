//! Planners that follow edits on ground with borders, heights and links: after storms of edits of every kind they equal
//! those built afresh, and paths by links are right.
//!
//! `HIGHROAD_ROUNDS=20 cargo test -p highroad-core --test ground -- --nocapture` makes twenty times as many edits, and
//! prints how many.

#![allow(clippy::print_stderr)]

mod support;

use highroad_core::{
    Batch, CatchUp, Cell, Grid, GridMap, GridSearch, Hpa, HpaOptions, Levels, Link, PathQuery,
    Planner, Scratch, Terrain,
};
use highroad_suite::{Random, Situation};
use support::{build, spec};

fn rounds() -> u64 {
    std::env::var("HIGHROAD_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(1)
}

/// A situation with borders, heights or links.
fn shaped_situation(random: &mut Random) -> Situation {
    loop {
        let mut situation = Situation::random(random, 40);
        let cells: Vec<Cell> = situation.map.extent().cells().collect();
        for _ in 0..random.below(8) {
            let link = Link::new(random.pick(&cells), random.pick(&cells), 1 + random.below(9000));
            let link = if random.below(2) == 0 { link.with_way_back() } else { link };
            // One from a cell to itself cannot be.
            situation.map.add_link(link).ok();
        }
        if situation.map.has_relief() || !situation.map.link_list().is_empty() {
            return situation;
        }
    }
}

/// Storms of edits: terrain, surcharges, heights, borders, links. What follows them equals what is built afresh, and
/// finds paths exactly where Dijkstra does.
fn weather(text: &str, seed: u64) {
    let (mut random, mut scratch) = (Random::new(seed), Scratch::new());
    let (mut edits, mut batches, mut served) = (0, 0, 0);
    let spec = spec(text);
    for _ in 0..60 * rounds() {
        let mut situation = shaped_situation(&mut random);
        let mut grid = situation.grid();
        if spec.build(&grid).is_err() {
            continue;
        }
        let mut planner = build(&spec, &grid);
        served += 1;
        for _ in 0..12 {
            let batch = situation.random_edits(&mut random);
            let changes = grid.apply(&batch).expect("the edits lie inside the map");
            edits += changes.len();
            batches += 1;
            match planner.catch_up(&grid, &changes, &mut scratch) {
                CatchUp::Done => {}
                other => {
                    assert!(spec.build(&grid).is_err(), "{text}: {other:?} at\n{situation:?}");
                    break;
                }
            }
            assert_eq!(planner.verify(&grid), Ok(()), "{text} at\n{situation:?}");
            let answer = planner.solve(&grid, &situation.query(), &mut scratch).expect("a query");
            let right =
                situation.check(&grid, &situation.reach(), planner.guarantee(&grid), &answer);
            assert_eq!(right, Ok(()), "{text} at\n{situation:?}");
        }
    }
    assert!(served > 30, "{text} serves {served} situations");
    eprintln!("{text}: {edits} changes in {batches} batches on {served} maps, 0 differences");
}

#[test]
fn after_storms_of_every_kind_hpa_equals_one_built_afresh() {
    for (seed, text) in
        (1..).zip(["hpa", "hpa:cluster=5", "hpa:cluster=7:levels=3", "hpa:cluster=4:transitions=1"])
    {
        weather(text, seed);
    }
}

/// A map of 60 × 12 cells that a wall divides.
fn divided() -> Grid {
    let map = GridMap::from_fn(60, 12, |cell| match cell.x {
        30 => Terrain::WALL,
        _ => Terrain::GROUND,
    });
    Grid::with_defaults(map.expect("a small map"))
}

fn options() -> HpaOptions {
    HpaOptions::default().with_cluster_side(8)
}

fn cost(planner: &dyn Planner, grid: &Grid, from: (u32, u32), to: (u32, u32)) -> Option<u64> {
    let answer = planner.solve(grid, &PathQuery::new(from, to), &mut Scratch::new());
    let path = answer.expect("the ends are free").path()?;
    assert_eq!(path.validate(grid), Ok(()));
    Some(path.cost().0)
}

/// A portal makes the octile distance wrong: the way to it leads away from the goal.
#[test]
fn hpa_finds_portals_that_lie_behind_the_start() {
    for levels in [Levels::Exactly(1), Levels::Exactly(3)] {
        let mut grid = divided();
        let mut hpa = Hpa::build(&grid, options().with_levels(levels)).expect("valid options");
        let mut scratch = Scratch::new();
        assert_eq!(cost(&hpa, &grid, (25, 5), (55, 5)), None);
        let portal = Link::new((2, 9), (50, 3), 700);
        let changes = grid.apply(Batch::new().open_link(portal)).expect("both ends are free");
        assert_eq!(hpa.catch_up(&grid, &changes, &mut scratch), CatchUp::Done);
        for (from, to) in [((25, 5), (55, 5)), ((2, 9), (50, 3)), ((0, 0), (59, 11))] {
            let best = cost(&GridSearch::astar(), &grid, from, to);
            assert_eq!(cost(&hpa, &grid, from, to), best, "{from:?} to {to:?}");
            assert!(best.is_some());
        }
        let path = hpa.solve(&grid, &PathQuery::new((25, 5), (55, 5)), &mut scratch);
        let path = path.expect("free").path().expect("by the portal");
        assert_eq!(path.links(&grid).map(|(_, link)| link).collect::<Vec<_>>(), [portal]);
        assert_eq!(cost(&hpa, &grid, (55, 5), (25, 5)), None, "it leads one way");
        let undone = grid.apply(&Batch::undoing(&changes)).expect("it can be taken back");
        assert_eq!(hpa.catch_up(&grid, &undone, &mut scratch), CatchUp::Done);
        assert_eq!(cost(&hpa, &grid, (25, 5), (55, 5)), None, "it is closed");
    }
}

/// Neither the start nor the goal lies in a cluster with transitions, and on the way is one without.
#[test]
fn hpa_goes_by_links_through_clusters_without_transitions() {
    let map = GridMap::from_fn(24, 8, |cell| match cell.x % 8 {
        0 | 7 => Terrain::WALL,
        _ => Terrain::GROUND,
    });
    let mut map = map.expect("a small map");
    for link in [Link::new((2, 2), (10, 4), 5), Link::new((13, 4), (20, 1), 6)] {
        map.add_link(link).expect("a link");
    }
    let grid = Grid::with_defaults(map);
    let hpa = Hpa::build(&grid, options()).expect("valid options");
    let best = cost(&GridSearch::astar(), &grid, (1, 7), (22, 7));
    assert!(best.is_some());
    assert_eq!(cost(&hpa, &grid, (1, 7), (22, 7)), best);
    assert_eq!(hpa.verify(&grid), Ok(()));
}

/// Where a wall is put on one end of a link, the other end is ground like any other.
#[test]
fn an_end_that_is_walled_in_is_noticed_at_the_other_end() {
    let mut grid = divided();
    let mut hpa = Hpa::build(&grid, options()).expect("valid options");
    let mut scratch = Scratch::new();
    let link = Link::new((4, 4), (44, 4), 9).with_way_back();
    let batches = [
        Batch::new().open_link(link).clone(),
        Batch::new().set((44, 4), Terrain::WALL).clone(),
        Batch::new().set((44, 4), Terrain::GROUND).clone(),
    ];
    for (batch, leads) in batches.iter().zip([true, false, true]) {
        let changes = grid.apply(batch).expect("both ends are free");
        assert_eq!(hpa.catch_up(&grid, &changes, &mut scratch), CatchUp::Done);
        assert_eq!(hpa.verify(&grid), Ok(()));
        assert_eq!(cost(&hpa, &grid, (0, 0), (59, 0)).is_some(), leads);
    }
}
