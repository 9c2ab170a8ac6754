//! The suite for planners of grids.

mod edits;
mod hand_made;
mod variations;

use crate::candidate::Candidate;
use crate::checks::{self, Question};
use crate::oracle::Reach;
use crate::outcome::{Failures, Rounds, Summary, Tally};
use crate::random::Random;
use crate::situation::Situation;
use highroad_core::{Answer, Cell, Grid, NodeId, Path, Planner, Scratch};
use variations::Variation;

/// The longest side of a random map.
const SIDE_MAX: u32 = 23;
/// Queries with obstacles of their own or with goals that may be blocked, in one situation.
const VARIATIONS: usize = 2;

/// Tests a planner of grids: in every hand-made case, and in random situations.
pub fn check_grid(candidate: &Candidate<'_, Grid>, rounds: Rounds) -> Result<Summary, Failures> {
    let mut tally = Tally::default();
    let mut scratch = Scratch::new();
    hand_made::check_cases(candidate, &mut scratch, &mut tally);
    for (seed, side_max) in rounds.seeds(SIDE_MAX) {
        if tally.is_full() {
            break;
        }
        let mut random = Random::new(seed);
        let situation = Situation::random(&mut random, side_max);
        check_situation(candidate, &situation, &mut random, &mut scratch, &mut tally);
    }
    tally.finish()
}

/// Makes every check in one situation.
fn check_situation(
    candidate: &Candidate<'_, Grid>,
    situation: &Situation,
    random: &mut Random,
    scratch: &mut Scratch,
    tally: &mut Tally,
) {
    let grid = situation.grid();
    let Some(planner) = candidate.make(&grid) else {
        tally.summary.not_served += 1;
        return;
    };
    tally.summary.served += 1;
    let reach = situation.reach();
    let guarantee = planner.guarantee(&grid);
    let right = |answer: &Answer| situation.check(&grid, &reach, guarantee, answer);
    let check_path = |path: &Path| situation.check_path(&grid, path);
    let node_of = |cell: Cell| NodeId(grid.extent().id(cell).map_or(u32::MAX, |id| id.0));
    let question = Question {
        environment: &grid,
        planner: &*planner,
        query: situation.query(),
        best: reach.to_any(&situation.goals),
        check_path: &check_path,
        node_of: &node_of,
    };
    tally.check("the answer", situation, || right(&question.solve(scratch)?.0));
    tally.check("the invariants", situation, || verify(&*planner, &grid));
    let slices = random.slices();
    tally.check("slices", situation, || checks::slices(&question, &slices));
    let steps = 1 + random.below(6);
    tally.check("the first leg", situation, || checks::first_leg(&question, steps, &right));
    tally.check("the trace", situation, || checks::trace(&question, candidate.traces_places));
    tally.check("used memory", situation, || checks::used_scratch(&question, scratch));
    tally.check("the end of a query", situation, || checks::nothing_to_advance(&question));
    let percent = u64::from(random.below(150));
    tally.check("the limit of expansions", situation, || {
        checks::expansion_limit(&question, percent)
    });
    if !candidate.limits_steps {
        for allowed in cost_limits(situation, &grid, &reach, random) {
            tally.check("the limit of cost", situation, || checks::cost_limit(&question, allowed));
        }
    }
    let slice = u64::from(random.below(4));
    tally.check("a query during an edit", situation, || {
        edits::check_stale(&*planner, &grid, situation, slice)
    });
    for _ in 0..VARIATIONS {
        let variation = Variation::random(situation, random);
        tally.check("obstacles and blocked goals", &(situation, &variation), || {
            variation.check(&*planner, &grid, situation, &slices, scratch)
        });
    }
    edits::check_edits(candidate, situation, random, scratch, tally);
}

fn verify(planner: &dyn Planner, grid: &Grid) -> Result<(), String> {
    planner.verify(grid).map_err(|fault| fault.to_string())
}

/// Limits of cost around those at which answers change.
fn cost_limits(situation: &Situation, grid: &Grid, reach: &Reach, random: &mut Random) -> [u64; 4] {
    let farthest = grid.extent().cells().filter_map(|cell| reach.distance(cell)).max();
    let farthest = farthest.unwrap_or(0);
    let edge = reach.to_any(&situation.goals).unwrap_or(farthest);
    [edge * u64::from(random.below(120)) / 100, edge, edge.saturating_sub(1), farthest]
}
