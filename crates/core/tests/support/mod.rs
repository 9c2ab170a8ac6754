//! What the tests share: a situation to find a path in, the oracle that knows the right answer, the
//! planners to ask, and what must be true of every answer.

// Every file of tests is a program of its own and uses its part of this.
#![allow(dead_code, unused_imports)]

mod oracle;

pub(crate) use oracle::{Measure, Oracle, Reach, remoteness};

use highroad_core::{
    Answer, Batch, CATALOG, CatalogEntry, Cell, Grid, GridMap, Guarantee, HeuristicKind, Movement,
    MovementRule, Path, Profile, Query, Rect, Spec, StepCosts,
};
use std::collections::BTreeMap;
use std::fmt;

/// A map for an agent, with a question about it.
#[derive(Clone)]
pub(crate) struct Situation {
    pub(crate) map: GridMap,
    pub(crate) profile: Profile,
    pub(crate) rule: MovementRule,
    pub(crate) steps: StepCosts,
    pub(crate) surcharges: BTreeMap<Cell, u16>,
    pub(crate) starts: Vec<Cell>,
    pub(crate) goals: Vec<Cell>,
}

impl Situation {
    /// The grid that planners see.
    pub(crate) fn grid(&self) -> Grid {
        let movement = Movement::new(self.profile.clone(), self.rule, self.steps)
            .expect("the costs of a test fit");
        let mut grid = Grid::new(self.map.clone(), movement);
        let mut batch = Batch::new();
        for (&cell, &amount) in &self.surcharges {
            batch.surcharge(Rect::new(cell, cell), amount);
        }
        grid.apply(&batch).expect("surcharges lie inside the map");
        grid
    }

    /// The question. One start and one goal take the form that holds no lists.
    pub(crate) fn query(&self) -> Query {
        match (&self.starts[..], &self.goals[..]) {
            (&[start], &[goal]) => Query::new(start, goal),
            _ => Query::among(self.starts.clone(), self.goals.clone()),
        }
    }

    pub(crate) fn oracle(&self) -> Oracle<'_> {
        Oracle {
            map: &self.map,
            profile: &self.profile,
            rule: self.rule,
            steps: self.steps,
            surcharges: &self.surcharges,
        }
    }

    /// What walking from the starts costs.
    pub(crate) fn reach(&self) -> Reach {
        self.oracle().reach(&self.starts, Measure::Cost)
    }

    /// Whether an answer to the question, without limits, is right and keeps the planner's promise.
    pub(crate) fn check(
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
                if !guarantee.holds(cost, highroad_core::Cost(optimal)) || cost.0 < optimal {
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
    /// the crate's own check and by the oracle's.
    pub(crate) fn check_path(&self, grid: &Grid, path: &Path) -> Result<(), String> {
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
        for terrain in self.map.terrains() {
            let (cost, domain) = (self.profile.cost_of(terrain), self.profile.domain_of(terrain));
            writeln!(f, "terrain {}: {cost:?} {domain:?}", char::from(terrain.letter()))?;
        }
        for (cell, amount) in &self.surcharges {
            writeln!(f, "surcharge {},{} by {amount}", cell.x, cell.y)?;
        }
        self.starts.iter().try_for_each(|cell| writeln!(f, "start {},{}", cell.x, cell.y))?;
        self.goals.iter().try_for_each(|cell| writeln!(f, "goal {},{}", cell.x, cell.y))?;
        self.map.to_string().lines().try_for_each(|row| writeln!(f, "|{row}"))
    }
}

/// Every planner of the catalog that serves a grid, as it comes.
pub(crate) fn plain_specs(grid: &Grid) -> Vec<Spec> {
    let served = CATALOG.iter().filter(|entry| entry.serves(grid).is_ok());
    served.map(|entry| spec(entry.name)).collect()
}

/// Every planner of the catalog that serves a grid: as it comes, and with its options turned. What
/// is turned follows from the options an entry has, so that a new planner joins in by itself.
pub(crate) fn all_specs(grid: &Grid) -> Vec<Spec> {
    let served = CATALOG.iter().filter(|entry| entry.serves(grid).is_ok());
    served.flat_map(|entry| variants(entry).into_iter().map(|text| spec(&text))).collect()
}

/// Values for options that are turned one at a time. Random maps are small: so are the clusters.
const TURNED: [(&str, &[&str]); 8] = [
    ("weight", &["1.1", "4"]),
    ("scale", &["0.5", "1.3"]),
    ("cluster", &["4", "7"]),
    ("smooth", &["no"]),
    ("start", &["0", "2", "half"]),
    ("margin", &["1"]),
    ("k", &["1", "3"]),
    ("refine", &["layers", "thesis", "thesis-greedy"]),
];

fn variants(entry: &CatalogEntry) -> Vec<String> {
    let has = |name: &str| entry.options.iter().any(|option| option.name == name);
    let plain = entry.name;
    let mut texts = vec![plain.to_owned()];
    if has("heuristic") {
        for kind in HeuristicKind::ALL {
            let text = format!("{plain}:heuristic={}", kind.name());
            if has("reopen") {
                texts.extend(["yes", "no"].map(|choice| format!("{text}:reopen={choice}")));
            }
            texts.push(text);
        }
    }
    for (option, values) in TURNED {
        if has(option) {
            texts.extend(values.iter().map(|value| format!("{plain}:{option}={value}")));
        }
    }
    texts
}

/// A planner by its text on the command line.
pub(crate) fn spec(text: &str) -> Spec {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}
