//! How agents move, by name.

use crate::refuse;
use highroad::Terrain;
use highroad::grid::{Footprint, Movement, MovementRule, PaidCells, Profile, StepCosts};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What a kind of agent is given by, in Python's words.
#[derive(Clone)]
pub(crate) struct MovementWords {
    rule: MovementRule,
    steps: StepCosts,
    paid: PaidCells,
    footprint: Footprint,
    /// What terrain costs this kind; `None` closes it.
    terrain: Vec<(Terrain, Option<u16>)>,
}

impl MovementWords {
    pub(crate) fn read(
        rule: &str,
        step_costs: Option<&Bound<'_, PyAny>>,
        pays: &str,
        size: u8,
        terrain_costs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let known = MovementRule::from_name(rule);
        let rule = known.ok_or_else(|| {
            let names: Vec<_> = MovementRule::ALL.iter().map(|rule| rule.name()).collect();
            refuse(format!("there is no rule '{rule}'; known are: {}", names.join(", ")))
        })?;
        let paid = match pays {
            "both" => PaidCells::Both,
            "entered" => PaidCells::Entered,
            _ => {
                return Err(refuse(format!(
                    "pays cannot be '{pays}'; it can be 'both' or 'entered'"
                )));
            }
        };
        Ok(Self {
            rule,
            steps: step_costs.map_or(Ok(StepCosts::EXACT), read_steps)?,
            paid,
            footprint: Footprint::new(size).map_err(refuse)?,
            terrain: terrain_costs.map_or(Ok(Vec::new()), read_terrain)?,
        })
    }

    /// One kind of `kinds={"name": {...}}`.
    pub(crate) fn of_kind(name: &str, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        const KNOWN: [&str; 6] = ["rule", "step_costs", "pays", "size", "terrain_costs", "planner"];
        for key in options.keys() {
            let key: String = key.extract()?;
            if !KNOWN.contains(&key.as_str()) {
                let known = KNOWN.join(", ");
                return Err(refuse(format!(
                    "kind '{name}' has no option '{key}'; known are: {known}"
                )));
            }
        }
        let text = |key: &str, usual: &str| match options.get_item(key)? {
            Some(given) => given.extract::<String>(),
            None => Ok(usual.to_owned()),
        };
        let size = options.get_item("size")?.map_or(Ok(1), |size| size.extract::<u8>())?;
        let steps = options.get_item("step_costs")?;
        let terrain = options.get_item("terrain_costs")?;
        let terrain = terrain.as_ref().map(|costs| costs.cast::<PyDict>()).transpose()?;
        let (rule, pays) = (text("rule", "never-cut-corners")?, text("pays", "both")?);
        Self::read(&rule, steps.as_ref(), &pays, size, terrain)
    }

    /// Whether it says what terrain costs.
    pub(crate) fn has_terrain(&self) -> bool {
        !self.terrain.is_empty()
    }

    pub(crate) fn movement(&self, base: &Profile) -> PyResult<Movement> {
        let mut profile = base.clone();
        for &(terrain, cost) in &self.terrain {
            profile = match cost {
                Some(cost) => profile.with_cost(terrain, cost).map_err(refuse)?,
                None => profile.without(terrain),
            };
        }
        let movement = Movement::new(profile, self.rule, self.steps).map_err(refuse)?;
        Ok(movement.with_paid_cells(self.paid).with_footprint(self.footprint))
    }
}

fn read_steps(given: &Bound<'_, PyAny>) -> PyResult<StepCosts> {
    if let Ok(name) = given.extract::<String>() {
        return match name.as_str() {
            "exact" => Ok(StepCosts::EXACT),
            "thesis" => Ok(StepCosts::THESIS),
            "unit" => Ok(StepCosts::UNIT),
            _ => Err(refuse(format!(
                "step_costs cannot be '{name}'; it can be 'exact', 'thesis', 'unit' or (straight, diagonal)"
            ))),
        };
    }
    let (straight, diagonal) = given.extract::<(u16, u16)>().map_err(|_| {
        PyTypeError::new_err(
            "step_costs: a name or two whole numbers (straight, diagonal) up to 65535 are needed",
        )
    })?;
    StepCosts::new(straight, diagonal).map_err(refuse)
}

fn read_terrain(costs: &Bound<'_, PyDict>) -> PyResult<Vec<(Terrain, Option<u16>)>> {
    let read = |(letter, cost): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let terrain = terrain(&letter.extract::<String>()?)?;
        let cost = cost.extract::<Option<u16>>().map_err(|_| {
            refuse(format!(
                "terrain_costs: '{letter}' costs a whole number from 1 to 65535, or None"
            ))
        })?;
        Ok((terrain, cost))
    };
    costs.iter().map(read).collect()
}

/// The terrain of a letter; `#` is a wall as well.
pub(crate) fn terrain(letter: &str) -> PyResult<Terrain> {
    let known = match letter.as_bytes() {
        b"#" => Some(Terrain::WALL),
        [letter] => Terrain::from_letter(*letter),
        _ => None,
    };
    known.ok_or_else(|| {
        let letters = String::from_utf8_lossy(Terrain::LETTERS);
        refuse(format!("'{letter}' is no terrain; the letters are {letters}, and # for a wall"))
    })
}
