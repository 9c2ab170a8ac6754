//! Planners that follow edits on ground with borders, heights and links: after storms of edits of every kind they equal
//! those built afresh, and paths by links are right.
//!
//! `HIGHROAD_ROUNDS=20 cargo test -p highroad-core --test ground -- --nocapture` makes twenty times as many edits, and
//! prints how many.

#![allow(clippy::print_stderr)]

mod support;

use highroad_core::{
    Batch, Border, CatchUp, Cell, CellRect, Grid, GridMap, GridSearch, Hpa, HpaOptions, Levels,
    Link, PathQuery, Planner, Pra, PraOptions, Refinement, Scratch, StartLayer, Terrain,
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

/// Storms of edits: terrain, surcharges, heights, borders, links. What follows them equals what is built afresh (HPA*) or
/// keeps its invariants (PRA*), and finds paths exactly where Dijkstra does.
fn weather(text: &str, seed: u64) {
    let (mut random, mut scratch) = (Random::new(seed), Scratch::new());
    let (mut edits, mut batches, mut served) = (0, 0, 0);
    let (mut unreachable, mut longer) = (0, Vec::new());
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
            let reach = situation.reach();
            let right = situation.check(&grid, &reach, planner.guarantee(&grid), &answer);
            assert_eq!(right, Ok(()), "{text} at\n{situation:?}");
            match answer.path().zip(reach.to_any(&situation.goals)) {
                Some((path, best)) if best > 0 => {
                    longer.push(100.0 * (path.cost().0 as f64 / best as f64 - 1.0));
                }
                Some(_) => {}
                None => unreachable += 1,
            }
        }
    }
    assert!(served > 30, "{text} serves {served} situations");
    longer.sort_by(f64::total_cmp);
    let [median, most] = [50, 95].map(|percent| longer[longer.len() * percent / 100]);
    eprintln!(
        "{text}: {edits} changes in {batches} batches on {served} maps, 0 differences; {} paths, half of them at most \
         {median:.2} % above optimal, 95 of 100 at most {most:.2} %; {unreachable} times none",
        longer.len()
    );
}

#[test]
fn after_storms_of_every_kind_hpa_equals_one_built_afresh() {
    for (seed, text) in
        (1..).zip(["hpa", "hpa:cluster=5", "hpa:cluster=7:levels=3", "hpa:cluster=4:transitions=1"])
    {
        weather(text, seed);
    }
}

#[test]
fn after_storms_of_every_kind_pra_keeps_its_invariants() {
    for (seed, text) in (1..).zip([
        "pra",
        "pra:start=2",
        "pra:start=6",
        "pra:refine=layers",
        "pra:refine=layers:start=3:margin=1",
        "pra:k=3:start=2",
        "pra:refine=thesis",
        "pra:refine=thesis-greedy:start=2",
        "pra:smooth=no:start=2",
    ]) {
        weather(text, seed);
    }
}

/// Searching begins on layers of every height, and refinement is done in every way.
fn pra_variants(grid: &Grid) -> Vec<Pra> {
    let mut variants = Vec::new();
    for refinement in
        [Refinement::Lazy, Refinement::Layers, Refinement::Thesis, Refinement::ThesisGreedy]
    {
        for start in 0..6 {
            let options = PraOptions::default().with_refinement(refinement);
            let options = options.with_start(StartLayer::Exactly(start));
            variants.push(Pra::build(grid, options).expect("valid options"));
        }
    }
    variants
}

#[test]
fn pra_takes_links_for_transitions() {
    for mut pra in pra_variants(&divided()) {
        let (mut grid, mut scratch) = (divided(), Scratch::new());
        pra = Pra::build(&grid, pra.options()).expect("valid options");
        let portal = Link::new((2, 9), (50, 3), 700);
        let lift = Link::new((28, 0), (32, 0), 90_000).with_way_back();
        let changes = grid
            .apply(Batch::new().open_link(portal).open_link(lift))
            .expect("their ends are free");
        assert_eq!(pra.catch_up(&grid, &changes, &mut scratch), CatchUp::Done);
        assert_eq!(pra.verify(&grid), Ok(()));
        for (from, to, by) in [
            ((25, 5), (55, 5), portal),
            ((2, 9), (50, 3), portal),
            ((55, 5), (25, 5), lift),
            ((28, 0), (32, 0), lift),
        ] {
            let path = pra.solve(&grid, &PathQuery::new(from, to), &mut scratch);
            let path = path.expect("the ends are free").path().expect("there are links");
            assert_eq!(path.validate(&grid), Ok(()));
            let used: Vec<Link> = path.links(&grid).map(|(_, link)| link).collect();
            assert_eq!(used, [by], "{from:?} to {to:?} by {:?}", pra.options());
        }
        assert!(pra.connected((55, 5), (25, 5)) && pra.connected((25, 5), (55, 5)));
        let changes = grid.apply(Batch::new().close_link(lift)).expect("it is there");
        assert_eq!(pra.catch_up(&grid, &changes, &mut scratch), CatchUp::Done);
        assert_eq!(cost(&pra, &grid, (55, 5), (25, 5)), None, "the portal leads one way");
        assert!(!pra.connected((55, 5), (25, 5)) && pra.connected((25, 5), (55, 5)));
        assert_eq!(pra.verify(&grid), Ok(()));
    }
}

/// A link inside a part of the map that is one group has no ends on the layers above it.
#[test]
fn pra_passes_over_links_inside_a_part_that_is_one_group() {
    let map = GridMap::from_fn(40, 12, |cell| match cell.x {
        2 => Terrain::WALL,
        0 | 1 if cell.y > 1 => Terrain::WALL,
        _ => Terrain::GROUND,
    });
    let mut map = map.expect("a small map");
    for link in [Link::new((0, 0), (1, 1), 1), Link::new((5, 5), (30, 5), 900)] {
        map.add_link(link).expect("its ends are free");
    }
    let grid = Grid::with_defaults(map);
    for pra in pra_variants(&grid) {
        assert_eq!(pra.verify(&grid), Ok(()));
        assert!(cost(&pra, &grid, (4, 5), (33, 5)).is_some());
        assert!(cost(&pra, &grid, (0, 0), (1, 1)).is_some());
        assert_eq!(cost(&pra, &grid, (0, 0), (33, 5)), None);
    }
}

/// A row of pits: whoever jumps into one can only go on to the next.
#[test]
fn pra_knows_where_steps_lead_one_way() {
    let mut grid = Grid::with_defaults(GridMap::filled(40, 9, Terrain::GROUND).expect("small"));
    let mut batch = Batch::new();
    for x in (4..36).step_by(4) {
        let column = CellRect::new((x, 0), (x, 8));
        batch.borders(column, highroad_core::BorderSide::East, Border::OneWay);
    }
    let changes = grid.apply(&batch).expect("inside the map");
    for mut pra in pra_variants(&grid) {
        let mut scratch = Scratch::new();
        assert_eq!(pra.verify(&grid), Ok(()));
        let best = cost(&GridSearch::astar(), &grid, (0, 4), (39, 4));
        let near_best = |found: Option<u64>| {
            let (found, best) = (found.unwrap_or(u64::MAX), best.unwrap_or(0));
            assert!((best..=best * 6 / 5).contains(&found), "{found}, not {best}");
        };
        near_best(cost(&pra, &grid, (0, 4), (39, 4)));
        assert_eq!(cost(&pra, &grid, (39, 4), (0, 4)), None);
        assert!(pra.connected((0, 4), (39, 4)) && !pra.connected((39, 4), (0, 4)));
        let mut open = grid.clone();
        let undone = open.apply(&Batch::undoing(&changes)).expect("they can be taken back");
        assert_eq!(pra.catch_up(&open, &undone, &mut scratch), CatchUp::Done);
        assert_eq!(pra.verify(&open), Ok(()));
        near_best(cost(&pra, &open, (39, 4), (0, 4)));
    }
}

/// Where the last border goes, ground is level, and floods of level ground choose other ways among equal ones: also in
/// parts of the cluster that the border had nothing to do with.
#[test]
fn when_the_last_border_goes_clusters_are_those_of_level_ground() {
    let map = GridMap::from_fn(24, 8, |cell| match cell.x {
        12 => Terrain::WALL,
        _ => Terrain::GROUND,
    });
    let mut grid = Grid::with_defaults(map.expect("a small map"));
    let mut scratch = Scratch::new();
    let mut hpa = Hpa::build(&grid, options()).expect("valid options");
    // Of the two parts of the cluster in the middle, the right one has the border.
    let closed = Batch::new().border((14, 3), (14, 4), Border::Closed).clone();
    let changes = grid.apply(&closed).expect("inside the map");
    assert_eq!(hpa.catch_up(&grid, &changes, &mut scratch), CatchUp::Done);
    assert_eq!(hpa.verify(&grid), Ok(()));
    for batch in
        [Batch::undoing(&changes), closed, Batch::new().set((14, 4), Terrain::WALL).clone()]
    {
        let changes = grid.apply(&batch).expect("inside the map");
        assert_eq!(hpa.catch_up(&grid, &changes, &mut scratch), CatchUp::Done);
        assert_eq!(hpa.verify(&grid), Ok(()), "{batch:?}");
    }
    assert!(!grid.is_shaped());
}

/// However little each slice does, it goes on where the one before has ended.
#[test]
fn links_of_many_clusters_are_followed_in_slices() {
    for text in ["hpa:cluster=8", "pra"] {
        let (mut grid, mut scratch) = (divided(), Scratch::new());
        let mut planner = build(&spec(text), &grid);
        let mut batch = Batch::new();
        for x in (2..28).step_by(3) {
            batch.open_link(Link::new((x, 2), (x + 30, 9), 50));
        }
        let made = grid.apply(&batch).expect("their ends are free");
        let (mut changes, mut slices) = (&made[..], 0);
        while planner.catch_up_on(&grid, changes, &mut scratch, &mut 1) != CatchUp::Done {
            (changes, slices) = (&[], slices + 1);
            assert!(slices < 1000, "{text} does not come to an end");
        }
        assert!(slices > 1, "{text} did all at once");
        assert_eq!(planner.verify(&grid), Ok(()), "{text}");
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
