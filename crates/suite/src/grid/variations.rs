//! Queries with obstacles of their own, and with goals that may be blocked: the oracle knows a map with walls in place of
//! the obstacles.

use crate::checks::same;
use crate::oracle::{Reach, remoteness};
use crate::random::Random;
use crate::situation::Situation;
use highroad_core::{
    Answer, Cell, Cost, GoalRule, Grid, Guarantee, PathQuery, Planner, Progress, QueryError,
    Scratch, Terrain,
};

/// A query that is not plain, and the situation that it makes of another: obstacles are walls there.
#[derive(Debug)]
pub(super) struct Variation {
    rule: GoalRule,
    obstacles: Vec<Cell>,
    goals: Vec<Cell>,
    seen: Situation,
}

impl Variation {
    /// Random obstacles, and random goals on any cells.
    pub(super) fn random(situation: &Situation, random: &mut Random) -> Self {
        let cells: Vec<Cell> = situation.map.extent().cells().collect();
        let rule = random.pick(&[GoalRule::Exact, GoalRule::Adjacent, GoalRule::Nearest]);
        let count = random.pick(&[0, 1, 3, 12]);
        let mut obstacles: Vec<Cell> = (0..count).map(|_| random.pick(&cells)).collect();
        let goals = match random.below(3) {
            0 => situation.goals.clone(),
            _ => random.pick_ends(&cells),
        };
        if random.below(4) == 0 {
            // The agent's own cell is among those of all agents, and somebody stands on the goal.
            obstacles.extend([situation.starts[0], goals[0]]);
        }
        let mut seen = situation.clone();
        let covered =
            |cell: Cell| situation.starts.iter().any(|&at| situation.footprint.covers(at, cell));
        for &cell in obstacles.iter().filter(|&&cell| !covered(cell)) {
            let forbidden = |terrain: &Terrain| situation.profile.cost_of(*terrain).is_none();
            let wall = [Terrain::WALL, Terrain::TREES].into_iter().find(forbidden);
            seen.map.set(cell, wall.expect("no agent of the suite walks through trees"));
        }
        seen.goals = goals.clone();
        Self { rule, obstacles, goals, seen }
    }

    fn query(&self, situation: &Situation) -> PathQuery {
        PathQuery::among(situation.starts.clone(), self.goals.clone())
            .with_goal_rule(self.rule)
            .with_obstacles(self.obstacles.clone())
    }

    /// Where a path may end by the rule, by definition.
    fn ends(&self, grid: &Grid) -> Vec<Cell> {
        let is_free = |cell: &Cell| grid.is_enterable(*cell);
        match self.rule {
            GoalRule::Adjacent => {
                let diagonals = self.seen.rule.has_diagonals();
                // Columns or rows between a goal and the square that the agent covers; 0 where they share some.
                let side = i64::from(self.seen.footprint.size());
                let gap = |goal: u32, place: u32| {
                    let along = i64::from(goal) - i64::from(place);
                    (-along).max(along - side + 1).max(0)
                };
                let is_beside = |cell: &Cell| {
                    self.goals.iter().any(|goal| match (gap(goal.x, cell.x), gap(goal.y, cell.y)) {
                        (1, 1) => diagonals,
                        (columns, rows) => columns + rows == 1,
                    })
                };
                grid.extent().cells().filter(is_beside).filter(is_free).collect()
            }
            _ => self.goals.iter().copied().filter(is_free).collect(),
        }
    }

    /// Asks a planner of the situation as it is, in one go and in slices, and compares with the situation as the query
    /// sees it.
    pub(super) fn check(
        &self,
        planner: &dyn Planner,
        grid: &Grid,
        situation: &Situation,
        slices: &[u64],
        scratch: &mut Scratch,
    ) -> Result<(), String> {
        let query = self.query(situation);
        let answer = planner.solve(grid, &query, scratch);
        let sliced = in_slices(planner, grid, &query, slices);
        same("in slices", &sliced, &answer)?;
        let again = planner.solve(grid, &query, scratch);
        same("again in used memory", &again, &answer)?;
        let seen = self.seen.grid();
        let ends = self.ends(&seen);
        let answer = match answer {
            Err(QueryError::NothingBeside) if ends.is_empty() => return Ok(()),
            Err(QueryError::Refused { .. })
                if self.rule == GoalRule::Exact && ends.len() < self.goals.len() =>
            {
                return Ok(());
            }
            Err(error) => return Err(format!("it is refused: {error}")),
            Ok(answer) => answer,
        };
        if self.rule == GoalRule::Exact && ends.len() < self.goals.len() {
            return Err("a blocked goal is not refused".to_owned());
        }
        let reach = self.seen.reach();
        let seen_by_query = Situation { goals: ends.clone(), ..self.seen.clone() };
        self.check_revision(grid, &answer)?;
        match reach.to_any(&ends) {
            Some(_) => seen_by_query.check(&seen, &reach, planner.guarantee(grid), &answer),
            None if self.rule == GoalRule::Nearest => {
                self.check_nearest(&seen, &reach, planner.guarantee(grid), &answer)
            }
            None => seen_by_query.check(&seen, &reach, planner.guarantee(grid), &answer),
        }
    }

    fn check_revision(&self, grid: &Grid, answer: &Answer) -> Result<(), String> {
        let path = crate::checks::path_of(answer);
        same("the revision", &path.revision(), &grid.revision())
    }

    /// No goal can be reached: the path leads as near as possible, and to the cheapest of the nearest cells.
    fn check_nearest(
        &self,
        seen: &Grid,
        reach: &Reach,
        guarantee: Guarantee,
        answer: &Answer,
    ) -> Result<(), String> {
        let Answer::Unreachable { nearest } = answer else {
            return Err(format!("no goal can be reached, but the answer is {answer:?}"));
        };
        self.seen.check_path(seen, nearest)?;
        let least = reach.least_remoteness(&self.goals);
        same("how near it comes", &remoteness(nearest.goal(), &self.goals), &least)?;
        let equally_near = |cell: &Cell| remoteness(*cell, &self.goals) == least;
        let ends: Vec<Cell> = seen.extent().cells().filter(equally_near).collect();
        let best = reach.to_any(&ends).ok_or("no cell is nearest")?;
        if !guarantee.holds(nearest.cost(), Cost(best)) {
            return Err(format!("{} for the nearest cell, where {best} is best", nearest.cost()));
        }
        Ok(())
    }
}

fn in_slices(
    planner: &dyn Planner,
    grid: &Grid,
    query: &PathQuery,
    slices: &[u64],
) -> Result<Answer, QueryError> {
    let mut scratch = Scratch::new();
    planner.begin(grid, query, &mut scratch)?;
    for &slice in slices.iter().cycle() {
        match planner.advance(grid, &mut scratch, slice) {
            Progress::Done(answer) => return Ok(answer),
            Progress::Stale => return Err(QueryError::Stale),
            Progress::Running | Progress::Leg(_) => {}
        }
    }
    Err(QueryError::Stale)
}
