//! Terrain classes, and what they mean to a kind of agent.

use super::canonical::{CanonicalMoves, canonical_moves};
use super::cost::StepCosts;
use super::rule::MovementRule;
use thiserror::Error;

/// What a cell is made of: the letter it has in a map file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Terrain(u8);

impl Terrain {
    /// Passable ground, `.`.
    pub const GROUND: Self = Self(b'.');
    /// Out of bounds, `@`: blocked.
    pub const WALL: Self = Self(b'@');
    /// Trees, `T`: blocked.
    pub const TREES: Self = Self(b'T');
    /// Swamp, `S`: entered from ground.
    pub const SWAMP: Self = Self(b'S');
    /// Water, `W`: joins only water.
    pub const WATER: Self = Self(b'W');

    /// Every letter that a map may contain: MovingAI's `. G @ O T S W` and the weighted maps' `A`–`P`.
    pub const LETTERS: &'static [u8] = b".@ABCDEFGHIJKLMNOPSTW";

    /// The terrain of a letter in a map file.
    pub fn from_letter(letter: u8) -> Option<Self> {
        Self::LETTERS.contains(&letter).then_some(Self(letter))
    }

    /// The letter in a map file.
    pub const fn letter(self) -> u8 {
        self.0
    }

    /// For bytes that are known to come from a map.
    pub(crate) const fn from_map(letter: u8) -> Self {
        Self(letter)
    }
}

/// How the letters of a map are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Palette {
    /// MovingAI's letters: `G` is ground and `O` is out of bounds.
    Standard,
    /// Weighted terrain: `A` costs 1, `B` 2 … `P` 16, `G` and `O` among them.
    Weighted,
}

/// A set of terrain classes an agent can move within: a step and the corner cells it squeezes past
/// lie in one domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Domain(u8);

impl Domain {
    /// Domains a profile may distinguish; each takes one bit a cell.
    pub const COUNT_MAX: usize = 4;
    /// Ground and what joins it.
    pub const GROUND: Self = Self(0);
    /// Water.
    pub const WATER: Self = Self(1);

    /// The domain of that number, if below [`Domain::COUNT_MAX`].
    pub fn new(number: u8) -> Option<Self> {
        (usize::from(number) < Self::COUNT_MAX).then_some(Self(number))
    }

    /// The domain's number.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Class {
    /// Zero: forbidden.
    cost: u16,
    domain: Domain,
}

/// A kind of agent: what each terrain class costs it, which it may not enter, and which it can move
/// between.
///
/// ```
/// use highroad::Terrain;
/// use highroad::grid::Profile;
/// // A boat; and a walker who finds swamp three times as tiring as ground.
/// let boat = Profile::movingai().forbid(Terrain::GROUND).forbid(Terrain::SWAMP);
/// let walker = Profile::movingai().forbid(Terrain::WATER).cost(Terrain::SWAMP, 3)?;
/// assert_eq!(walker.cost_of(Terrain::SWAMP), Some(3));
/// assert_eq!(boat.cost_of(Terrain::GROUND), None);
/// # Ok::<(), highroad::grid::ProfileError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    classes: [Class; 256],
}

/// A terrain cost of zero: an agent that pays nothing would walk in circles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("terrain '{}' cannot cost 0: costs start at 1; use forbid() to close it", .terrain.letter() as char)]
pub struct ProfileError {
    /// The class given no cost.
    pub terrain: Terrain,
}

impl Profile {
    /// The benchmark rules: ground and swamp are one domain, water another, all of cost 1.
    pub fn movingai() -> Self {
        let mut profile = Self::nothing();
        for letter in *b".GS" {
            profile.classes[usize::from(letter)].cost = 1;
        }
        profile.classes[usize::from(b'W')] = Class { cost: 1, domain: Domain::WATER };
        profile
    }

    /// The weighted maps' rules: `A` costs 1, `B` 2 … `P` 16; nothing else can be entered but `.`,
    /// which costs 1.
    pub fn weighted() -> Self {
        let mut profile = Self::nothing();
        for (cost, letter) in (1..).zip(b'A'..=b'P') {
            profile.classes[usize::from(letter)].cost = cost;
        }
        profile.classes[usize::from(b'.')].cost = 1;
        profile
    }

    /// The usual profile for maps of that palette.
    pub fn for_palette(palette: Palette) -> Self {
        match palette {
            Palette::Standard => Self::movingai(),
            Palette::Weighted => Self::weighted(),
        }
    }

    fn nothing() -> Self {
        Self { classes: [Class { cost: 0, domain: Domain::GROUND }; 256] }
    }

    /// Lets the agent enter `terrain` at that cost, from 1.
    pub fn cost(mut self, terrain: Terrain, cost: u16) -> Result<Self, ProfileError> {
        if cost == 0 {
            return Err(ProfileError { terrain });
        }
        self.classes[usize::from(terrain.letter())].cost = cost;
        Ok(self)
    }

    /// Closes `terrain` to the agent.
    pub fn forbid(mut self, terrain: Terrain) -> Self {
        self.classes[usize::from(terrain.letter())].cost = 0;
        self
    }

    /// Puts `terrain` into a domain.
    pub fn domain(mut self, terrain: Terrain, domain: Domain) -> Self {
        self.classes[usize::from(terrain.letter())].domain = domain;
        self
    }

    /// What entering `terrain` costs; `None` if it is forbidden.
    pub fn cost_of(&self, terrain: Terrain) -> Option<u16> {
        let cost = self.raw_cost(terrain);
        (cost > 0).then_some(cost)
    }

    /// The domain in which the agent enters `terrain`; `None` if it is forbidden.
    pub fn domain_of(&self, terrain: Terrain) -> Option<Domain> {
        let class = self.classes[usize::from(terrain.letter())];
        (class.cost > 0).then_some(class.domain)
    }

    #[inline]
    pub(crate) fn raw_cost(&self, terrain: Terrain) -> u16 {
        self.classes[usize::from(terrain.letter())].cost
    }

    /// One more than the largest domain in which the agent can move.
    pub(crate) fn domain_count(&self) -> usize {
        self.classes
            .iter()
            .filter(|class| class.cost > 0)
            .map(|class| class.domain.index() + 1)
            .max()
            .unwrap_or(1)
    }

    fn cost_max(&self) -> u16 {
        self.classes.iter().map(|class| class.cost).max().unwrap_or(0)
    }
}

/// How an agent moves: its profile, its rule, and what steps cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    profile: Profile,
    rule: MovementRule,
    steps: StepCosts,
}

/// The most costly step does not fit the integers that steps are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "a step could cost {diagonal} × 2 × ({cost_max} + {surcharge_max}), more than {}: lower the step costs or the terrain costs",
    u32::MAX
)]
pub struct CostOverflow {
    diagonal: u32,
    cost_max: u16,
    surcharge_max: u16,
}

impl Movement {
    /// The movement of that profile under that rule, if its most costly step fits `u32`.
    pub fn new(
        profile: Profile,
        rule: MovementRule,
        steps: StepCosts,
    ) -> Result<Self, CostOverflow> {
        let (cost_max, surcharge_max) = (profile.cost_max(), u16::MAX);
        let pair = 2 * (u32::from(cost_max) + u32::from(surcharge_max));
        if pair.checked_mul(steps.diagonal()).is_none() {
            return Err(CostOverflow { diagonal: steps.diagonal(), cost_max, surcharge_max });
        }
        Ok(Self { profile, rule, steps })
    }

    /// The kind of agent.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Which steps are allowed.
    pub fn rule(&self) -> MovementRule {
        self.rule
    }

    /// What steps cost beside each other.
    pub fn steps(&self) -> StepCosts {
        self.steps
    }

    pub(crate) fn canonical(&self) -> &'static CanonicalMoves {
        canonical_moves(self.rule, self.steps)
    }
}

impl Default for Movement {
    /// The benchmark rules: MovingAI's profile, corners never cut, exact step costs.
    fn default() -> Self {
        Self::new(Profile::movingai(), MovementRule::default(), StepCosts::default())
            .expect("costs of 1 fit")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_that_do_not_fit_are_refused() {
        let costly = StepCosts::new(u16::MAX, u16::MAX).unwrap();
        let result = Movement::new(Profile::movingai(), MovementRule::FourWay, costly);
        assert!(result.is_err());
        let profile = Profile::movingai().cost(Terrain::SWAMP, u16::MAX).unwrap();
        assert!(Movement::new(profile, MovementRule::FourWay, StepCosts::EXACT).is_ok());
    }

    #[test]
    fn every_letter_has_a_meaning_in_some_palette_or_is_a_wall() {
        let walls = b"@OT";
        for &letter in Terrain::LETTERS {
            let terrain = Terrain::from_letter(letter).unwrap();
            let entered = [Profile::movingai(), Profile::weighted()]
                .iter()
                .any(|profile| profile.cost_of(terrain).is_some());
            assert_eq!(!entered, walls.contains(&letter) && letter != b'O');
        }
    }
}
