//! What went right or wrong, in plain words.

use super::engine::{Failure, RunResult};
use highroad::Terrain;
use highroad::environment::End;
use highroad::grid::{CellRefusal, Grid};
use highroad::planner::{Answer, QueryError};

/// What a terrain is called.
pub fn terrain_name(terrain: Terrain) -> String {
    match terrain.letter() {
        b'.' | b'G' => "ground".to_owned(),
        b'@' | b'O' => "a wall".to_owned(),
        b'T' => "trees".to_owned(),
        b'S' => "swamp".to_owned(),
        b'W' => "water".to_owned(),
        b'A'..=b'P' => "ground".to_owned(),
        letter => format!("terrain '{}'", char::from(letter)),
    }
}

/// Why there is no answer; `None` if it was only cancelled.
pub(crate) fn failure(failure: &Failure) -> Option<String> {
    match failure {
        Failure::Cancelled => None,
        Failure::NoPlanner(reason) => Some(format!("This planner cannot be used: {reason}.")),
        Failure::Query(QueryError::Refused {
            end,
            reason: CellRefusal::Blocked { terrain, .. },
        }) => {
            let what = terrain_name(*terrain);
            let inside = if what == "a wall" {
                "inside a wall".to_owned()
            } else {
                format!("on {what}, where no agent can stand")
            };
            Some(format!("The {end} is {inside}; drag it out."))
        }
        Failure::Query(QueryError::Refused { end, reason: CellRefusal::Outside { .. } }) => {
            Some(format!("The {end} lies outside the map; drag it in."))
        }
        Failure::Query(QueryError::Refused { end, reason: CellRefusal::Obstacle { .. } }) => {
            Some(format!("The {end} is an obstacle of the query."))
        }
        Failure::Query(error @ QueryError::NothingBeside) => Some(format!("No path: {error}.")),
        Failure::Query(QueryError::Missing(end)) => Some(format!("There is no {end}.")),
        Failure::Query(QueryError::Unsuitable(reason)) => Some(format!("No path: {reason}.")),
        Failure::Query(QueryError::Stale) => {
            Some("The planner did not follow the latest change; run it again.".to_owned())
        }
        Failure::Query(error) => Some(format!("No path: {error}.")),
    }
}

/// What is to be said of an answer, if it is not simply a path.
pub(crate) fn answer(outcome: &RunResult, grid: &Grid) -> Option<String> {
    let (start, goal) = outcome.query;
    match &outcome.answer {
        Answer::Found(_) => None,
        Answer::Unreachable { .. } if grid.domain_of(start) != grid.domain_of(goal) => {
            let name = |cell| grid.map().terrain(cell).map(terrain_name).unwrap_or_default();
            Some(format!(
                "No path: the {} is on {}, the {} on {}.",
                End::Start,
                name(start),
                End::Goal,
                name(goal)
            ))
        }
        Answer::Unreachable { nearest } => Some(format!(
            "No path: the goal is walled off from the start. The line leads to the nearest cell one can reach, {}.",
            nearest.goal()
        )),
        Answer::LimitReached { .. } => {
            Some("The search gave up before it found a path.".to_owned())
        }
    }
}
