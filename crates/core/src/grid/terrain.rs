//! Terrain classes, and what they mean to a kind of agent.

use super::canonical::{CanonicalMoves, canonical_moves};
use super::cost::StepCosts;
use super::footprint::Footprint;
use super::relief::{Slopes, SlopesError};
use super::rule::MovementRule;
use thiserror::Error;

/// What a cell is made of: the letter it has in a map file.
///
/// ```
/// use highroad::Terrain;
/// assert_eq!(Terrain::from_letter(b'S'), Some(Terrain::SWAMP));
/// assert_eq!(Terrain::from_letter(b'?'), None);
/// ```
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

    /// What stands in the way of one query: a letter that no map contains and no profile allows.
    pub(super) const OBSTACLE: Self = Self(b'#');

    /// The terrain of a letter in a map file; `None` for a letter that no map may contain.
    ///
    /// ```
    /// use highroad::Terrain;
    /// const LAVA: Terrain = Terrain::from_letter(b'P').expect("a letter of the weighted maps");
    /// assert_eq!(LAVA.letter(), b'P');
    /// assert_eq!(Terrain::from_letter(b'#'), None);
    /// ```
    pub const fn from_letter(letter: u8) -> Option<Self> {
        let mut at = 0;
        while at < Self::LETTERS.len() {
            if Self::LETTERS[at] == letter {
                return Some(Self(letter));
            }
            at += 1;
        }
        None
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
///
/// ```
/// use highroad::Terrain;
/// use highroad::grid::{Domain, Profile};
/// // Swamp is neither land nor water: who is in it stays in it.
/// let own = Domain::new(2).expect("there may be four");
/// let profile = Profile::movingai().with_domain(Terrain::SWAMP, own);
/// assert_eq!(profile.domain_of(Terrain::SWAMP), Some(own));
/// assert_eq!(profile.domain_of(Terrain::GROUND), Some(Domain::GROUND));
/// ```
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
/// let boat = Profile::movingai().without(Terrain::GROUND).without(Terrain::SWAMP);
/// let walker = Profile::movingai().without(Terrain::WATER).with_cost(Terrain::SWAMP, 3)?;
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
    ///
    /// ```
    /// use highroad::Terrain;
    /// use highroad::grid::Profile;
    /// let hills = Terrain::from_letter(b'C').unwrap();
    /// assert_eq!(Profile::weighted().cost_of(hills), Some(3));
    /// assert_eq!(Profile::weighted().cost_of(Terrain::WATER), None);
    /// ```
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

    pub(super) fn nothing() -> Self {
        Self { classes: [Class { cost: 0, domain: Domain::GROUND }; 256] }
    }

    /// Lets the agent enter `terrain`, whose cells then cost that much, from 1. What a step costs follows from the cells
    /// at both of its ends: see [`PaidCells`].
    /// Fails with a [`ProfileError`] if the cost is 0.
    pub fn with_cost(mut self, terrain: Terrain, cost: u16) -> Result<Self, ProfileError> {
        if cost == 0 {
            return Err(ProfileError { terrain });
        }
        self.classes[usize::from(terrain.letter())].cost = cost;
        Ok(self)
    }

    /// Closes `terrain` to the agent.
    pub fn without(mut self, terrain: Terrain) -> Self {
        self.classes[usize::from(terrain.letter())].cost = 0;
        self
    }

    /// Puts `terrain` into a domain.
    pub fn with_domain(mut self, terrain: Terrain, domain: Domain) -> Self {
        self.classes[usize::from(terrain.letter())].domain = domain;
        self
    }

    /// The cost of a terrain, 0 if it is forbidden, and its domain, even then.
    pub(super) fn class(&self, terrain: Terrain) -> (u16, Domain) {
        let Class { cost, domain } = self.classes[usize::from(terrain.letter())];
        (cost, domain)
    }

    /// What [`Profile::class`] has returned, put back.
    pub(super) fn with_class(mut self, terrain: Terrain, cost: u16, domain: Domain) -> Self {
        self.classes[usize::from(terrain.letter())] = Class { cost, domain };
        self
    }

    /// What a cell of `terrain` costs; `None` if it is forbidden. See [`PaidCells`] for what that means for a step.
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

    /// The least that any terrain costs the agent, 1 if it can enter none.
    pub(super) fn cost_min(&self) -> u16 {
        let costs = self.classes.iter().map(|class| class.cost).filter(|&cost| cost > 0);
        costs.min().unwrap_or(1)
    }

    fn cost_max(&self) -> u16 {
        self.classes.iter().map(|class| class.cost).max().unwrap_or(0)
    }
}

/// Which cells a step is paid for. See the [module](super) for a drawing.
///
/// ```
/// use highroad::{Cell, Terrain};
/// use highroad::grid::{Grid, Movement, MovementRule, PaidCells, Profile, StepCosts};
/// let swampy = Profile::movingai().with_cost(Terrain::SWAMP, 3)?;
/// let movement = Movement::new(swampy, MovementRule::FourWay, StepCosts::UNIT)?;
/// let (ground, swamp) = (Cell::new(0, 0), Cell::new(1, 0));
/// // In half-units: 2 · the mean of 1 and 3.
/// let grid = Grid::new(".S\n".parse()?, movement.clone());
/// assert_eq!(grid.step_cost(ground, swamp), Some(4));
/// assert_eq!(grid.step_cost(swamp, ground), Some(4));
/// // 2 · what is entered.
/// let grid = Grid::new(".S\n".parse()?, movement.with_paid_cells(PaidCells::Entered));
/// assert_eq!(grid.step_cost(ground, swamp), Some(6));
/// assert_eq!(grid.step_cost(swamp, ground), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum PaidCells {
    /// A step costs the mean of the cell that it leaves and the cell that it enters: half the way lies on each. It costs
    /// the same both ways. All planners serve it.
    #[default]
    Both,
    /// A step costs what the cell costs that it enters, as in many board games. Where cells differ in cost, a way
    /// there and the way back may then cost different amounts. Searches serve it, with all heuristics. Hierarchies and
    /// indexes refuse such maps, since they count on costs that are the same both ways; while all cells cost the same,
    /// they serve them.
    Entered,
}

/// How an agent moves: its profile, its rule, and what steps cost.
///
/// ```
/// use highroad::PathWorld;
/// use highroad::grid::{Movement, MovementRule, Profile, StepCosts};
/// let rook = Movement::new(Profile::movingai(), MovementRule::FourWay, StepCosts::UNIT)?;
/// let mut world = PathWorld::with_movement("...\n...\n".parse()?, rook);
/// assert_eq!(world.find_path((0, 0), (2, 1))?.unwrap().steps(), 3, "there are no diagonal steps");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    profile: Profile,
    rule: MovementRule,
    steps: StepCosts,
    paid: PaidCells,
    footprint: Footprint,
    slopes: Slopes,
}

/// The most costly step does not fit the integers that steps are counted in.
///
/// ```
/// use highroad::Terrain;
/// use highroad::grid::{CostOverflow, Movement, MovementRule, Profile, StepCosts};
/// let profile = Profile::movingai().with_cost(Terrain::SWAMP, u16::MAX)?;
/// let steps = StepCosts::new(40_000, 56_000)?;
/// let error: CostOverflow = Movement::new(profile, MovementRule::FourWay, steps).unwrap_err();
/// assert!(error.to_string().ends_with("lower the step costs or the terrain costs"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// The movement of that profile under that rule. Fails with a [`CostOverflow`] unless its most costly step fits `u32`.
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
        let (paid, footprint, slopes) = (PaidCells::Both, Footprint::CELL, Slopes::new());
        Ok(Self { profile, rule, steps, paid, footprint, slopes })
    }

    /// The same with steps that are paid for by other cells. See [`PaidCells`].
    pub const fn with_paid_cells(mut self, paid: PaidCells) -> Self {
        self.paid = paid;
        self
    }

    /// Which cells a step is paid for.
    pub const fn paid_cells(&self) -> PaidCells {
        self.paid
    }

    /// The same for agents that cover more cells. See [`Footprint`].
    pub const fn with_footprint(mut self, footprint: Footprint) -> Self {
        self.footprint = footprint;
        self
    }

    /// Which cells an agent covers.
    pub const fn footprint(&self) -> Footprint {
        self.footprint
    }

    /// The same for agents to whom heights mean something. Fails with a [`SlopesError`] unless the most costly step fits `u32`.
    /// See [`Slopes`] for an example.
    pub fn with_slopes(mut self, slopes: Slopes) -> Result<Self, SlopesError> {
        let pair = 2 * (u64::from(self.profile.cost_max()) + u64::from(u16::MAX));
        let flat = pair * u64::from(self.steps.diagonal());
        let cost = flat + slopes.price_max(u16::MAX, 2 * self.steps.straight());
        if cost > u64::from(u32::MAX) {
            return Err(SlopesError { cost });
        }
        self.slopes = slopes;
        Ok(self)
    }

    /// What heights mean to the agents.
    pub const fn slopes(&self) -> Slopes {
        self.slopes
    }

    /// What a step costs between cells of those costs, on the flat.
    #[inline]
    pub(crate) fn step(&self, diagonal: bool, from: u32, to: u32) -> u32 {
        let sum = match self.paid {
            PaidCells::Both => from + to,
            PaidCells::Entered => 2 * to,
        };
        self.steps.step(diagonal, sum)
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
        let profile = Profile::movingai().with_cost(Terrain::SWAMP, u16::MAX).unwrap();
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
