//! A situation: a map for an agent with a question about it, and what must be true of every answer.

use crate::oracle::{Measure, Oracle, Reach, remoteness};
use crate::posed::query_between;
use highroad_core::{
    Answer, Batch, Border, BorderSide, Cell, CellRect, Cost, Footprint, Grid, GridMap, Guarantee,
    Movement, MovementRule, PaidCells, Path, PathQuery, Profile, Slopes, StepCosts,
};
use std::collections::BTreeMap;
use std::fmt;

/// A map for an agent, with a question about it.
#[derive(Clone)]
pub struct Situation {
    /// The terrain of each cell, borders and heights.
    pub map: GridMap,
    /// What terrain costs the agent.
    pub profile: Profile,
    /// Which diagonal steps are allowed.
    pub rule: MovementRule,
    /// What a step costs on terrain of cost 1.
    pub steps: StepCosts,
    /// Which cells a step is paid for.
    pub paid: PaidCells,
    /// Which cells the agent covers, and what it pays for them.
    pub footprint: Footprint,
    /// What heights mean to the agent.
    pub slopes: Slopes,
    /// What some cells cost in addition.
    pub surcharges: BTreeMap<Cell, u16>,
    /// Where the path may start.
    pub starts: Vec<Cell>,
    /// Where it may end.
    pub goals: Vec<Cell>,
}

impl Situation {
    /// The grid that planners see.
    pub fn grid(&self) -> Grid {
        let movement = Movement::new(self.profile.clone(), self.rule, self.steps)
            .expect("the costs of a test fit")
            .with_paid_cells(self.paid)
            .with_footprint(self.footprint)
            .with_slopes(self.slopes)
            .expect("the slopes of a test fit");
        let mut grid = Grid::new(self.map.clone(), movement);
        let mut batch = Batch::new();
        for (&cell, &amount) in &self.surcharges {
            batch.surcharge(CellRect::new(cell, cell), amount);
        }
        grid.apply(&batch).expect("surcharges lie inside the map");
        grid
    }

    /// The question. One start and one goal take the form that holds no lists.
    pub fn query(&self) -> PathQuery {
        query_between(&self.starts, &self.goals)
    }

    /// Who knows the right answers.
    pub fn oracle(&self) -> Oracle<'_> {
        Oracle {
            map: &self.map,
            profile: &self.profile,
            rule: self.rule,
            steps: self.steps,
            paid: self.paid,
            footprint: self.footprint,
            slopes: self.slopes,
            surcharges: &self.surcharges,
        }
    }

    /// What walking from the starts costs.
    pub fn reach(&self) -> Reach {
        self.oracle().reach(&self.starts, Measure::Cost)
    }

    /// Whether an answer to the question, without limits, is right and keeps the planner's promise.
    pub fn check(
        &self,
        grid: &Grid,
        reach: &Reach,
        guarantee: Guarantee,
        answer: &Answer,
    ) -> Result<(), String> {
        match (answer, reach.to_any(&self.goals)) {
            (Answer::Found(path), Some(optimal)) => {
                self.check_path(grid, path)?;
                if !self.goals.contains(&path.goal()) {
                    return Err(format!("the path ends at {}, which is no goal", path.goal()));
                }
                let cost = path.cost();
                if !guarantee.holds(cost, Cost(optimal)) || cost.0 < optimal {
                    return Err(format!("cost {cost} where {optimal} is best: not {guarantee}"));
                }
                Ok(())
            }
            (Answer::Unreachable { nearest }, None) => {
                self.check_path(grid, nearest)?;
                let found = remoteness(nearest.goal(), &self.goals);
                let least = reach.least_remoteness(&self.goals);
                if found != least {
                    let cell = nearest.goal();
                    return Err(format!("nearest {cell} is {found:?} away, another {least:?}"));
                }
                Ok(())
            }
            (answer, best) => {
                Err(format!("the oracle says {best:?}, but the answer is {answer:?}"))
            }
        }
    }

    /// Whether a path starts at a start and is a way that can be walked, at the cost it claims, by
    /// highroad-core's own check and by the oracle's.
    pub fn check_path(&self, grid: &Grid, path: &Path) -> Result<(), String> {
        path.validate(grid).map_err(|fault| fault.to_string())?;
        if !self.starts.contains(&path.start()) {
            return Err(format!("the path starts at {}, which is no start", path.start()));
        }
        let walked = self.oracle().walk(path.cells());
        if walked != Some(path.cost().0) {
            return Err(format!("the oracle walks for {walked:?}, not for {}", path.cost()));
        }
        if path.revision() != grid.revision() {
            return Err(format!("the path is of {}", path.revision()));
        }
        Ok(())
    }
}

impl fmt::Debug for Situation {
    /// Nearly a case for the suite's files: what a failing property prints can be kept.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (straight, diagonal) = (self.steps.straight(), self.steps.diagonal());
        writeln!(f, "\nrule {}, steps {straight}/{diagonal}", self.rule.name())?;
        writeln!(f, "cells paid for: {:?}", self.paid)?;
        writeln!(f, "{:?}", self.footprint)?;
        for terrain in self.map.terrains() {
            let (cost, domain) = (self.profile.cost_of(terrain), self.profile.domain_of(terrain));
            writeln!(f, "terrain {}: {cost:?} {domain:?}", char::from(terrain.letter()))?;
        }
        for (cell, amount) in &self.surcharges {
            writeln!(f, "surcharge {},{} by {amount}", cell.x, cell.y)?;
        }
        if self.map.has_relief() {
            writeln!(f, "{:?}", self.slopes)?;
        }
        for link in self.map.link_list() {
            writeln!(f, "{link:?}")?;
        }
        for cell in self.map.extent().cells() {
            if let Some(height) = self.map.height(cell).filter(|&height| height > 0) {
                writeln!(f, "height {},{} of {height}", cell.x, cell.y)?;
            }
            for side in BorderSide::ALL {
                let border = self.map.border(cell, side).unwrap_or_default();
                if border != Border::Open {
                    writeln!(f, "border {},{} {side:?}: {border:?}", cell.x, cell.y)?;
                }
            }
        }
        self.starts.iter().try_for_each(|cell| writeln!(f, "start {},{}", cell.x, cell.y))?;
        self.goals.iter().try_for_each(|cell| writeln!(f, "goal {},{}", cell.x, cell.y))?;
        self.map.to_string().lines().try_for_each(|row| writeln!(f, "|{row}"))
    }
}
