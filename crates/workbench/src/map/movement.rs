//! How agents move, as the user sets it: rule, step costs, the cost of swamp, the size of agents, slopes.

use highroad::Terrain;
use highroad::grid::{Footprint, Movement, MovementRule, Palette, Profile, Slopes, StepCosts};
use serde::{Deserialize, Serialize};

/// How agents move, as the user sets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovementChoice {
    /// The rule's number in [`MovementRule::ALL`].
    pub rule: usize,
    /// What a straight step costs.
    pub straight: u16,
    /// What a diagonal step costs.
    pub diagonal: u16,
    /// What swamp costs, ground being 1.
    pub swamp: u16,
    /// How many cells an agent covers on each side.
    #[serde(default = "one")]
    pub size: u8,
    /// What heights mean.
    #[serde(default)]
    pub slopes: SlopesChoice,
}

fn one() -> u8 {
    1
}

/// What heights mean to agents, as the user sets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlopesChoice {
    /// The largest rise of a step.
    pub climb: u16,
    /// The largest drop of a step.
    pub drop: u16,
    /// What a unit of height upwards costs, in hundredths of a straight step.
    pub uphill: u16,
    /// What a unit of height downwards costs, in hundredths of a straight step.
    pub downhill: u16,
}

impl Default for SlopesChoice {
    fn default() -> Self {
        Self { climb: 6, drop: 9, uphill: 20, downhill: 5 }
    }
}

impl SlopesChoice {
    fn slopes(self) -> Slopes {
        let limits = Slopes::new().with_climb_max(self.climb).with_drop_max(self.drop);
        limits.with_uphill(self.uphill).with_downhill(self.downhill)
    }
}

impl Default for MovementChoice {
    fn default() -> Self {
        let rule = MovementRule::ALL.iter().position(|&rule| rule == MovementRule::default());
        Self {
            rule: rule.unwrap_or(0),
            straight: 2378,
            diagonal: 3363,
            swamp: 3,
            size: 1,
            slopes: SlopesChoice::default(),
        }
    }
}

impl MovementChoice {
    /// The rule.
    pub fn rule(self) -> MovementRule {
        MovementRule::ALL.get(self.rule).copied().unwrap_or_default()
    }

    /// The movement on a map of that palette, or why there is none.
    pub(super) fn movement(self, palette: Palette) -> Result<Movement, String> {
        let steps = StepCosts::new(self.straight, self.diagonal).map_err(|e| e.to_string())?;
        let mut profile = Profile::for_palette(palette);
        if palette == Palette::Standard {
            profile = profile.with_cost(Terrain::SWAMP, self.swamp).map_err(|e| e.to_string())?;
        }
        let footprint = Footprint::new(self.size).map_err(|e| e.to_string())?;
        let movement = Movement::new(profile, self.rule(), steps).map_err(|e| e.to_string())?;
        let movement = movement.with_footprint(footprint);
        movement.with_slopes(self.slopes.slopes()).map_err(|e| e.to_string())
    }
}
