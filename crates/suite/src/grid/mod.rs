//! The suite for planners of grids.

mod edits;
mod hand_made;
mod variations;

use crate::candidate::Candidate;
use crate::checks::Question;
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
    tally.check_rounds(rounds, SIDE_MAX, |random, side_max, tally| {
        let situation = Situation::random(random, side_max);
        check_situation(candidate, &situation, random, &mut scratch, tally);
    });
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
        slack: 0,
        cost_limits: candidate.cost_limits(&cost_limits(situation, &grid, &reach, random)),
        traces_places: candidate.traces_places,
        // A transition may lie where a link ends.
        shared_places: situation.map.link_list().iter().flat_map(|at| [at.from, at.to]).collect(),
        right: &right,
        check_path: &check_path,
        node_of: &node_of,
    };
    question.check(situation, random, scratch, tally);
    let slices = random.slices();
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
