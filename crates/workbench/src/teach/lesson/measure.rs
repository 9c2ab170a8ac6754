//! Numbers in lessons: measured where the lesson stands, never written down.

use super::{StepScene, grid_of};
use crate::teach::{number, record};
use highroad::catalog::Spec;
use std::collections::HashMap;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MeasureName {
    /// Cells that were expanded.
    Expanded,
    /// Entries that were put on the open list.
    Opened,
    /// Cells that were opened again.
    Reopened,
    /// The cost of the path, in straight steps over plain ground.
    Cost,
    /// The steps of the path.
    Steps,
    /// By how many per cent the path costs more than the cheapest.
    Above,
}

impl MeasureName {
    const ALL: [(Self, &'static str); 6] = [
        (Self::Expanded, "expanded"),
        (Self::Opened, "opened"),
        (Self::Reopened, "reopened"),
        (Self::Cost, "cost"),
        (Self::Steps, "steps"),
        (Self::Above, "above"),
    ];
}

/// A number that a planner gives on the map of a step.
#[derive(Clone, Debug)]
pub struct Measure {
    /// What is measured.
    pub name: MeasureName,
    /// Of which planner; `None` for that of the step.
    pub planner: Option<Spec>,
}

impl std::str::FromStr for Measure {
    type Err = String;

    /// As in `expanded astar:heuristic=zero`, or `cost` for the planner of the step.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, planner) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        let found = MeasureName::ALL.iter().find(|(_, known)| *known == name);
        let Some(&(name, _)) = found else {
            let known: Vec<&str> = MeasureName::ALL.iter().map(|(_, name)| *name).collect();
            return Err(format!("'{name}' cannot be measured; known are: {}", known.join(", ")));
        };
        let planner = match planner.trim() {
            "" => None,
            text => Some(text.parse().map_err(|error| format!("{error}"))?),
        };
        Ok(Self { name, planner })
    }
}

/// What a text relies on.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// As it was written.
    pub text: String,
    left: Measure,
    relation: Relation,
    right: Side,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Less,
    AtMost,
    Same,
}

#[derive(Clone, Debug)]
enum Side {
    Measure(Measure),
    Number(f64),
}

impl std::str::FromStr for Expectation {
    type Err = String;

    /// As in `expanded astar < expanded dijkstra` or `reopened astar = 0`.
    fn from_str(text: &str) -> Result<Self, String> {
        let relations =
            [(" <= ", Relation::AtMost), (" < ", Relation::Less), (" = ", Relation::Same)];
        let found = relations
            .iter()
            .find_map(|(sign, relation)| text.split_once(sign).map(|sides| (sides, *relation)));
        let Some(((left, right), relation)) = found else {
            return Err(format!("'{text}' has none of ' < ', ' <= ' and ' = '"));
        };
        let right = match right.trim().parse() {
            Ok(number) => Side::Number(number),
            Err(_) => Side::Measure(right.parse()?),
        };
        Ok(Self { text: text.to_owned(), left: left.parse()?, relation, right })
    }
}

/// Measures on the map of one step, each planner run once.
pub struct Measured<'s> {
    scene: &'s StepScene,
    known: HashMap<String, Result<Numbers, String>>,
}

#[derive(Clone, Copy, Debug)]
struct Numbers {
    expanded: u64,
    opened: u64,
    reopened: u64,
    /// Cost and steps of the path, if there is one.
    path: Option<(f64, usize)>,
}

impl<'s> Measured<'s> {
    /// Nothing is measured yet.
    pub fn new(scene: &'s StepScene) -> Self {
        Self { scene, known: HashMap::new() }
    }

    fn numbers(&mut self, spec: &Spec) -> Result<Numbers, String> {
        let scene = self.scene;
        let run = || {
            let grid = grid_of(scene.map.clone(), scene.palette, scene.rule);
            let unit = grid.movement().steps().straight_steps(1).0 as f64;
            let recording = record(spec, &grid, (scene.start, scene.goal))?;
            let path = recording.found();
            Ok(Numbers {
                expanded: recording.statistics.expanded,
                opened: recording.statistics.generated,
                reopened: recording.statistics.reopened,
                path: path.map(|path| (path.cost().0 as f64 / unit, path.steps())),
            })
        };
        self.known.entry(spec.to_string()).or_insert_with(run).clone()
    }

    /// A number; the error says why it cannot be measured.
    pub fn value(&mut self, measure: &Measure) -> Result<f64, String> {
        let spec = measure.planner.clone().unwrap_or_else(|| self.scene.planner.clone());
        let numbers = self.numbers(&spec)?;
        let path = || numbers.path.ok_or_else(|| format!("{spec} finds no path"));
        Ok(match measure.name {
            MeasureName::Expanded => numbers.expanded as f64,
            MeasureName::Opened => numbers.opened as f64,
            MeasureName::Reopened => numbers.reopened as f64,
            MeasureName::Cost => path()?.0,
            MeasureName::Steps => path()?.1 as f64,
            MeasureName::Above => {
                let exact: Spec = "astar".parse().map_err(|error| format!("{error}"))?;
                let best = self.numbers(&exact)?.path.ok_or("there is no path")?.0;
                (path()?.0 / best.max(f64::MIN_POSITIVE) - 1.0) * 100.0
            }
        })
    }

    /// A text with every measure in braces replaced by its number, as in `{expanded astar}`.
    pub fn fill(&mut self, text: &str) -> Result<String, String> {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((inside, later)) = after.split_once('}') else { break };
            filled.push_str(before);
            filled.push_str(&number(self.value(&inside.parse()?)?));
            rest = later;
        }
        filled.push_str(rest);
        Ok(filled)
    }

    /// Whether what a text relies on is so; the error says what is not.
    pub fn check(&mut self, expectation: &Expectation) -> Result<(), String> {
        let left = self.value(&expectation.left)?;
        let right = match &expectation.right {
            Side::Measure(measure) => self.value(measure)?,
            Side::Number(number) => *number,
        };
        let close = (left - right).abs() < 1e-6;
        let holds = match expectation.relation {
            Relation::Less => left < right && !close,
            Relation::AtMost => left <= right || close,
            Relation::Same => close,
        };
        if holds {
            return Ok(());
        }
        Err(format!("'{}' does not hold: {} and {}", expectation.text, number(left), number(right)))
    }
}
