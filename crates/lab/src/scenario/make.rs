//! Making scenarios for any map: queries of every length, in buckets that are filled evenly.
//!
//! One search from a start gives the lengths of the shortest paths to every other cell; a few goals are
//! taken from each bucket, then another start is drawn. Every fourth start is the farthest cell from the one
//! before, without which the longest buckets would hardly ever be met.

use super::{BUCKET_LENGTH, Scenario, ScenarioQuery, published_length};
use crate::generate::Random;
use crate::workload::random_cell;
use highroad::field::Field;
use highroad::grid::Grid;
use highroad::world::BuildWatch;
use highroad::{Cell, Cost};
use std::ops::RangeInclusive;

/// What is to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioPlan {
    /// How many queries.
    pub amount: Amount,
    /// Which buckets: the length of a path divided by [`BUCKET_LENGTH`], rounded down.
    pub buckets: RangeInclusive<u32>,
    /// Where the randomness begins: the same seed gives the same scenario.
    pub seed: u64,
}

/// How many queries a scenario has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// That many in every bucket, where the map has as many.
    PerBucket(u32),
    /// That many in all, as evenly spread over the buckets as can be.
    Total(usize),
}

/// Searches after which a scenario is taken as it is, for each query of a bucket and beside them.
const SEARCHES_A_QUERY: u32 = 4;
const SEARCHES_MIN: u32 = 20;
/// Searches that are made in any case, to meet the longest buckets.
const SEARCHES_FIRST: u32 = 4;
/// Searches in a row without anything new, after which there is no use in more.
const FRUITLESS_MAX: u32 = 8;
/// Cells that a search settles between two looks at the watch.
const CELLS_A_REPORT: u64 = 32_768;
/// So many times as many starts as are needed give goals, so that they are not all of one start.
const STARTS_A_BUCKET: u32 = 10;

/// Makes a scenario for a map of that name. `progress` hears how many queries there are so far, and of how
/// many. A map on which nobody can walk has none.
pub fn make_scenario(
    grid: &Grid,
    map_name: &str,
    plan: &ScenarioPlan,
    progress: impl FnMut(usize, usize),
) -> Scenario {
    match make_scenario_watched(grid, map_name, plan, &BuildWatch::default(), progress) {
        Some(scenario) => scenario,
        None => unreachable!("nobody stops what is not watched"),
    }
}

/// As [`make_scenario`]; `None` when the watch is stopped, from any thread.
pub fn make_scenario_watched(
    grid: &Grid,
    map_name: &str,
    plan: &ScenarioPlan,
    watch: &BuildWatch,
    progress: impl FnMut(usize, usize),
) -> Option<Scenario> {
    let extent = grid.extent();
    let mut scenario = Scenario {
        map_name: map_name.to_owned(),
        size: (extent.width(), extent.height()),
        queries: Vec::new(),
        rule: grid.movement().rule(),
        steps: grid.movement().steps(),
    };
    if grid.enterable_count() > 0 {
        scenario.queries = Maker::new(grid, plan, watch)?.fill(progress)?;
    }
    if let Amount::Total(total) = plan.amount
        && total < scenario.queries.len()
    {
        let found = std::mem::take(&mut scenario.queries);
        let kept = (0..total).map(|index| found[index * found.len() / total].clone());
        scenario.queries = kept.collect();
    }
    Some(scenario)
}

struct Maker<'g> {
    grid: &'g Grid,
    watch: &'g BuildWatch,
    random: Random,
    field: Field,
    buckets: RangeInclusive<u32>,
    /// Queries in every bucket that is asked for.
    per_bucket: u32,
    /// The queries of each bucket, from the first asked for on.
    found: Vec<Vec<ScenarioQuery>>,
}

/// Some of the goals in a bucket, each as likely as any other.
#[derive(Clone, Default)]
struct Goals {
    seen: u64,
    kept: Vec<Cell>,
}

impl<'g> Maker<'g> {
    fn new(grid: &'g Grid, plan: &ScenarioPlan, watch: &'g BuildWatch) -> Option<Self> {
        let mut random = Random::new(plan.seed);
        let start = random_cell(grid, &mut random);
        let field = Field::around(grid, &[start]).expect("the start can be entered");
        let buckets = plan.buckets.clone();
        let (per_bucket, found) = (1, Vec::new());
        let mut maker = Self { grid, watch, random, field, buckets, per_bucket, found };
        maker.per_bucket = match plan.amount {
            Amount::PerBucket(count) => count.max(1),
            Amount::Total(total) => {
                // From the end of one sweep, the next comes near to the longest there is.
                let (far, _) = maker.sweep(start)?;
                let (_, longest) = maker.sweep(far)?;
                let last = maker.bucket_of(longest).min(*maker.buckets.end());
                let count = u64::from(last.saturating_sub(*maker.buckets.start())) + 1;
                // Some to spare, for the longest buckets often have less.
                let wanted = total as u64 * 5 / 4;
                (wanted.div_ceil(count) + 1).min(u64::from(u32::MAX)) as u32
            }
        };
        Some(maker)
    }

    fn fill(mut self, mut progress: impl FnMut(usize, usize)) -> Option<Vec<ScenarioQuery>> {
        let searches_max = self.per_bucket.saturating_mul(SEARCHES_A_QUERY) + SEARCHES_MIN;
        let (mut far, mut fruitless) = (None, 0);
        for search in 0..searches_max {
            let start = match far.take() {
                Some(far) if search % 4 == 1 => far,
                _ => random_cell(self.grid, &mut self.random),
            };
            let (farthest, _) = self.sweep(start)?;
            // Later on whatever there is will do.
            let late = search >= searches_max / 2 || fruitless >= FRUITLESS_MAX / 2;
            let few = self.per_bucket.div_ceil(STARTS_A_BUCKET);
            let share = if late { self.per_bucket } else { few };
            let added = self.take_goals(start, share as usize);
            far = Some(farthest);
            fruitless = if added { 0 } else { fruitless + 1 };
            let found = self.found.iter().map(Vec::len).sum();
            let wanted = self.found.len() * self.per_bucket as usize;
            progress(found, wanted);
            if (found == wanted && search >= SEARCHES_FIRST) || fruitless == FRUITLESS_MAX {
                break;
            }
        }
        Some(self.found.into_iter().flatten().collect())
    }

    /// Searches everything that can be reached from a start. Returns the farthest cell and its cost.
    fn sweep(&mut self, start: Cell) -> Option<(Cell, Cost)> {
        let renewed = self.field.renew(self.grid, &[start], u64::MAX);
        renewed.expect("the start can be entered");
        loop {
            let done = self.found.iter().map(Vec::len).sum::<usize>() as u64;
            let of = (self.found.len() as u64).max(1) * u64::from(self.per_bucket);
            if self.watch.report(done, of).is_break() {
                return None;
            }
            if !self.field.advance(CELLS_A_REPORT) {
                break;
            }
        }
        let farthest = self.field.cells().max_by_key(|&(cell, cost)| (cost, cell.y, cell.x));
        Some(farthest.unwrap_or((start, Cost::ZERO)))
    }

    /// Takes up to `share` goals from each bucket that has room. Whether there were any.
    fn take_goals(&mut self, start: Cell, share: usize) -> bool {
        let mut goals: Vec<Goals> = Vec::new();
        let first = *self.buckets.start();
        for (cell, cost) in self.field.cells() {
            let bucket = self.bucket_of(cost);
            if cell == start || !self.buckets.contains(&bucket) {
                continue;
            }
            let at = (bucket - first) as usize;
            if goals.len() <= at {
                goals.resize(at + 1, Goals::default());
            }
            let room = self.per_bucket as usize - self.found.get(at).map_or(0, Vec::len);
            goals[at].offer(cell, share.min(room), &mut self.random);
        }
        if self.found.len() < goals.len() {
            self.found.resize(goals.len(), Vec::new());
        }
        let mut added = false;
        for goal in goals.into_iter().flat_map(|goals| goals.kept) {
            added |= self.add(start, goal);
        }
        added
    }

    /// Adds a query to the bucket of its length as it is written.
    fn add(&mut self, start: Cell, goal: Cell) -> bool {
        let Some(path) = self.field.path_to(goal) else { return false };
        let length = (published_length(self.grid, &path) * 1e8).round() / 1e8;
        let bucket = (length / BUCKET_LENGTH) as u32;
        let Some(at) = bucket.checked_sub(*self.buckets.start()) else { return false };
        let Some(queries) = self.found.get_mut(at as usize) else { return false };
        let known = queries.iter().any(|query| (query.start, query.goal) == (start, goal));
        if known || queries.len() >= self.per_bucket as usize {
            return false;
        }
        let length = Some(length);
        queries.push(ScenarioQuery { bucket, start, goal, length, tolerance: 1e-6 });
        true
    }

    /// The bucket of a cost, within what rounding does at its ends.
    fn bucket_of(&self, cost: Cost) -> u32 {
        let straight = f64::from(2 * self.grid.movement().steps().straight());
        (cost.0 as f64 / straight / BUCKET_LENGTH) as u32
    }
}

impl Goals {
    /// Keeps `room` of all cells offered, each as likely as any other (Vitter's algorithm R).
    fn offer(&mut self, cell: Cell, room: usize, random: &mut Random) {
        if room == 0 {
            return;
        }
        self.seen += 1;
        if self.kept.len() < room {
            self.kept.push(cell);
        } else if let Some(place) = self.kept.get_mut(random.below(self.seen) as usize) {
            *place = cell;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::MapRecipe;
    use crate::verify::verify;
    use crate::workload::{AgentMovement, Published, WorkQuery, Workload, grid_with};
    use highroad::grid::{MovementRule, StepCosts};
    use proptest::prelude::*;

    fn grid(recipe: &str, rule: MovementRule, steps: StepCosts) -> Grid {
        grid_with(
            recipe.parse::<MapRecipe>().unwrap().generate().unwrap(),
            AgentMovement::new(rule, steps),
        )
        .unwrap()
    }

    fn plain(recipe: &str) -> Grid {
        grid(recipe, MovementRule::default(), StepCosts::default())
    }

    fn plan(amount: Amount, seed: u64) -> ScenarioPlan {
        ScenarioPlan { amount, buckets: 0..=u32::MAX, seed }
    }

    /// As it is read back from its file and held against an exact search.
    fn check(grid: &Grid, scenario: &Scenario) {
        let again = Scenario::parse(&scenario.to_text().unwrap()).unwrap();
        assert_eq!(&again, scenario);
        let query = |query: &ScenarioQuery| WorkQuery {
            start: query.start,
            goal: query.goal,
            published: Some(Published { length: query.length, tolerance: query.tolerance }),
        };
        let queries = again.queries.iter().map(query).collect();
        let workload = Workload { name: "made".into(), environment: grid.clone(), queries };
        let verification = verify(&workload, &"astar".parse().unwrap(), || ()).unwrap();
        assert_eq!(verification.violations, []);
    }

    #[test]
    fn buckets_are_filled_evenly_where_the_map_allows() {
        let grid = plain("caves width=120 height=90 noise=45 steps=5 joined=yes seed=2");
        let scenario = make_scenario(&grid, "x.map", &plan(Amount::PerBucket(10), 1), |_, _| ());
        check(&grid, &scenario);
        let last = scenario.queries.last().unwrap().bucket;
        assert!(last > 25, "{last}");
        for bucket in 0..=last {
            let count = scenario.queries.iter().filter(|query| query.bucket == bucket).count();
            assert!(count == 10 || (bucket > last - 3 && count > 0), "{count} in bucket {bucket}");
        }
        let starts = |bucket: u32| {
            let queries = scenario.queries.iter().filter(|query| query.bucket == bucket);
            queries
                .map(|query| (query.start.x, query.start.y))
                .collect::<std::collections::BTreeSet<_>>()
        };
        assert!(starts(5).len() >= 8, "queries come from many places");
    }

    #[test]
    fn a_total_is_kept_and_so_are_the_buckets_asked_for() {
        let grid = plain("rooms width=80 height=80 room=7 doors=80 seed=2");
        for total in [1, 37, 500] {
            let scenario = make_scenario(&grid, "x.map", &plan(Amount::Total(total), 1), |_, _| ());
            assert_eq!(scenario.queries.len(), total);
            assert!(scenario.queries.is_sorted_by_key(|query| query.bucket));
        }
        let narrow = ScenarioPlan { buckets: 3..=6, ..plan(Amount::PerBucket(4), 1) };
        let scenario = make_scenario(&grid, "x.map", &narrow, |_, _| ());
        let buckets: Vec<u32> = scenario.queries.iter().map(|query| query.bucket).collect();
        assert_eq!(buckets, [3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6]);
    }

    #[test]
    fn the_seed_decides_and_nothing_else() {
        let grid = plain("obstacles width=60 height=60 blocked=30 seed=2");
        let made = |seed| make_scenario(&grid, "x.map", &plan(Amount::Total(50), seed), |_, _| ());
        assert_eq!(made(1), made(1));
        assert_ne!(made(1), made(2));
    }

    #[test]
    fn maps_without_ways_have_no_queries() {
        for drawing in ["##\n##\n", ".\n", ".#\n#.\n"] {
            let grid = Grid::with_defaults(drawing.parse().unwrap());
            let scenario = make_scenario(&grid, "x", &plan(Amount::PerBucket(10), 1), |_, _| ());
            assert_eq!(scenario.queries, []);
        }
    }

    #[test]
    fn a_name_with_a_space_cannot_be_written() {
        let grid = plain("obstacles width=9 height=9 blocked=0 seed=2");
        let scenario = make_scenario(&grid, "a b.map", &plan(Amount::Total(5), 1), |_, _| ());
        assert!(scenario.to_text().unwrap_err().to_string().contains("'a b.map' has white space"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn lengths_are_optimal_on_any_terrain_under_any_rule_and_steps(
            kind in 0usize..4,
            rule in 0usize..4,
            steps in 0usize..3,
            seed in any::<u64>(),
        ) {
            let recipe = [
                "hills width=50 height=40 size=16 roughness=3 classes=16 lakes=10",
                "islands width=50 height=40 size=16 land=60 swamp=20 trees=20",
                "obstacles width=50 height=40 blocked=35",
                "city width=50 height=40 block=16 street=4 built=80",
            ][kind];
            let steps = [StepCosts::EXACT, StepCosts::THESIS, StepCosts::UNIT][steps];
            let grid = grid(&format!("{recipe} seed={seed}"), MovementRule::ALL[rule], steps);
            let scenario = make_scenario(&grid, "x.map", &plan(Amount::PerBucket(2), seed), |_, _| ());
            prop_assert!(!scenario.queries.is_empty());
            check(&grid, &scenario);
        }
    }
}
