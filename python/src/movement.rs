//! How agents move, by name.

use crate::costs::Ground;
use crate::options::Options;
use crate::refuse;
use highroad::Terrain;
use highroad::grid::{Footprint, Movement, MovementRule, PaidCells, Profile, Slopes, StepCosts};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What a kind of agent is given by, in Python's words.
pub(crate) struct MovementWords {
    rule: MovementRule,
    steps: StepCosts,
    paid: PaidCells,
    footprint: Footprint,
    /// What terrain costs this kind; `None` closes it.
    terrain: Vec<(Terrain, Option<u16>)>,
    climb_max: u16,
    drop_max: u16,
    /// What a unit of height costs, upwards and downwards, in costs of the array.
    uphill: f64,
    downhill: f64,
}

impl MovementWords {
    /// The names of the options.
    pub(crate) const NAMES: [&str; 9] = [
        "rule",
        "step_costs",
        "pays",
        "size",
        "terrain_costs",
        "climb_max",
        "drop_max",
        "uphill",
        "downhill",
    ];

    pub(crate) fn read(options: &Options<'_>) -> PyResult<Self> {
        let rule = options.get::<String>("rule")?;
        let pays = options.get::<String>("pays")?;
        let terrain = options.get::<Bound<'_, PyDict>>("terrain_costs")?;
        Ok(Self {
            rule: rule.map_or(Ok(MovementRule::NeverCutCorners), |rule| read_rule(&rule))?,
            steps: options.any("step_costs")?.map_or(Ok(StepCosts::EXACT), |it| read_steps(&it))?,
            paid: pays.map_or(Ok(PaidCells::Both), |pays| read_pays(&pays))?,
            footprint: Footprint::new(options.get("size")?.unwrap_or(1)).map_err(refuse)?,
            terrain: terrain.map_or(Ok(Vec::new()), |terrain| read_terrain(&terrain))?,
            climb_max: options.get("climb_max")?.unwrap_or(u16::MAX),
            drop_max: options.get("drop_max")?.unwrap_or(u16::MAX),
            uphill: options.get("uphill")?.unwrap_or(0.0),
            downhill: options.get("downhill")?.unwrap_or(0.0),
        })
    }

    /// Whether it says what terrain costs.
    pub(crate) fn has_terrain(&self) -> bool {
        !self.terrain.is_empty()
    }

    pub(crate) fn movement(&self, base: &Profile, ground: Ground) -> PyResult<Movement> {
        let mut profile = base.clone();
        for &(terrain, cost) in &self.terrain {
            profile = match cost {
                Some(cost) => profile.with_cost(terrain, cost).map_err(refuse)?,
                None => profile.without(terrain),
            };
        }
        let movement = Movement::new(profile, self.rule, self.steps).map_err(refuse)?;
        let slopes = Slopes::new()
            .with_climb_max(self.climb_max)
            .with_drop_max(self.drop_max)
            .with_uphill(hundredths("uphill", self.uphill, ground)?)
            .with_downhill(hundredths("downhill", self.downhill, ground)?);
        let movement = movement.with_paid_cells(self.paid).with_footprint(self.footprint);
        movement.with_slopes(slopes).map_err(refuse)
    }
}

/// The engine counts what heights cost in hundredths of a step over cells of one unit.
fn hundredths(name: &str, cost: f64, ground: Ground) -> PyResult<u16> {
    let hundredths = (cost / ground.unit() * 100.0).round();
    if !(0.0..=f64::from(u16::MAX)).contains(&hundredths) || (hundredths == 0.0 && cost != 0.0) {
        let (least, most) = (ground.unit() / 100.0, ground.unit() * f64::from(u16::MAX) / 100.0);
        return Err(refuse(format!(
            "{name} {cost}: it must be 0, or from {least} to {most}, which the unit {} allows",
            ground.unit()
        )));
    }
    Ok(hundredths as u16)
}

fn read_rule(name: &str) -> PyResult<MovementRule> {
    MovementRule::from_name(name).ok_or_else(|| {
        let names: Vec<_> = MovementRule::ALL.iter().map(|rule| rule.name()).collect();
        refuse(format!("there is no rule '{name}'; known are: {}", names.join(", ")))
    })
}

fn read_pays(name: &str) -> PyResult<PaidCells> {
    match name {
        "both" => Ok(PaidCells::Both),
        "entered" => Ok(PaidCells::Entered),
        _ => Err(refuse(format!("pays cannot be '{name}'; it can be 'both' or 'entered'"))),
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
