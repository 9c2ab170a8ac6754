//! Borders between cells, and their heights: what a map has beside its terrain.
//!
//! ```text
//!   . . | . .      a closed border between two columns: both cells can be entered, and no step leads across.
//!   . . | . .      It is kept with the cell on its left, or above it.
//!   . .   . .
//! ```

use super::cell::{Cell, CellId, Extent};
use super::layer::Layer;
use super::rule::Direction;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use thiserror::Error;

/// How the border between two neighbouring cells can be crossed.
///
/// ```
/// use highroad::{Cell, GridMap, PathWorld};
/// use highroad::grid::Border;
/// let mut world = PathWorld::new("...\n...\n".parse::<GridMap>()?);
/// world.edit(|edit| _ = edit.border((0, 0), (1, 0), Border::Closed))?;
/// let path = world.find_path((0, 0), (1, 0))?.expect("there is a way round");
/// assert_eq!(path.steps(), 3, "down, right and up: no corner is cut at the end of a wall");
/// // A drop that one can jump down and not climb.
/// world.edit(|edit| _ = edit.border((0, 0), (1, 0), Border::OneWay))?;
/// assert_eq!(world.find_path((0, 0), (1, 0))?.unwrap().steps(), 1);
/// assert_eq!(world.find_path((1, 0), (0, 0))?.unwrap().steps(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Border {
    /// Both ways.
    #[default]
    Open,
    /// Not at all: a thin wall.
    Closed,
    /// From the first cell to the second only: from left to right, or downwards, where a border is named by one cell.
    OneWay,
    /// From the second cell to the first only.
    OneWayBack,
}

impl Border {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Open, Self::OneWayBack, Self::OneWay, Self::Closed];

    /// The same border seen from the other cell.
    ///
    /// ```
    /// use highroad::grid::Border;
    /// assert_eq!(Border::OneWay.reversed(), Border::OneWayBack);
    /// assert_eq!(Border::Closed.reversed(), Border::Closed);
    /// ```
    pub const fn reversed(self) -> Self {
        match self {
            Self::OneWay => Self::OneWayBack,
            Self::OneWayBack => Self::OneWay,
            both => both,
        }
    }

    /// A bit for each way that is closed: onwards, and back.
    const fn bits(self) -> u8 {
        match self {
            Self::Open => 0,
            Self::OneWayBack => 1,
            Self::OneWay => 2,
            Self::Closed => 3,
        }
    }
}

/// Which border of a cell: each is named by the cell on its left, or above it.
///
/// ```
/// use highroad::grid::{Batch, Border, BorderSide, Grid};
/// use highroad::{Cell, CellRect};
/// let mut grid = Grid::with_defaults("....\n....\n....\n".parse()?);
/// let mut batch = Batch::new();
/// batch.borders(CellRect::new((0, 0), (3, 0)), BorderSide::South, Border::Closed);
/// grid.apply(&batch)?;
/// assert_eq!(grid.step_cost(Cell::new(2, 0), Cell::new(2, 1)), None, "a wall below the first row");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum BorderSide {
    /// That with the cell to its right.
    East,
    /// That with the cell below.
    South,
}

impl BorderSide {
    /// Both.
    pub const ALL: [Self; 2] = [Self::East, Self::South];

    /// The border between two neighbouring cells: the cell that names it, which side it is, and whether `from` is that
    /// cell. `None` if they are not neighbours in a row or column.
    pub(super) fn between(from: Cell, to: Cell) -> Option<(Cell, Self, bool)> {
        let onwards = (from.y, from.x) < (to.y, to.x);
        let (first, second) = if onwards { (from, to) } else { (to, from) };
        match (first.offset(second), first.x == second.x) {
            ((1, 0), _) => Some((first, Self::East, onwards)),
            ((0, 1), true) => Some((first, Self::South, onwards)),
            _ => None,
        }
    }

    /// The cell on the other side.
    pub(super) fn beyond(self, cell: Cell) -> Cell {
        match self {
            Self::East => Cell::new(cell.x.saturating_add(1), cell.y),
            Self::South => Cell::new(cell.x, cell.y.saturating_add(1)),
        }
    }

    const fn shift(self) -> u32 {
        match self {
            Self::East => 0,
            Self::South => 2,
        }
    }
}

/// Borders and heights, cell by cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Relief {
    /// Two bits for each of the two borders that a cell names.
    pub(super) borders: Layer<u8>,
    pub(super) heights: Layer<u16>,
    /// How many cells have each height but 0.
    height_counts: BTreeMap<u16, u32>,
}

impl Relief {
    /// Whether there are neither borders nor heights.
    pub(super) fn is_flat(&self) -> bool {
        self.borders.is_empty() && self.heights.is_empty()
    }

    pub(super) fn border(&self, id: CellId, side: BorderSide) -> Border {
        Border::ALL[usize::from(self.borders.at(id) >> side.shift() & 3)]
    }

    pub(super) fn set_border(
        &mut self,
        cell_count: usize,
        id: CellId,
        side: BorderSide,
        to: Border,
    ) {
        let others = self.borders.at(id) & !(3 << side.shift());
        self.borders.set(cell_count, id, others | to.bits() << side.shift());
    }

    pub(super) fn set_height(&mut self, cell_count: usize, id: CellId, height: u16) {
        let before = self.heights.set(cell_count, id, height);
        if before == height {
            return;
        }
        if height > 0 {
            *self.height_counts.entry(height).or_default() += 1;
        }
        if let Some(count) = self.height_counts.get_mut(&before) {
            *count -= 1;
            if *count == 0 {
                self.height_counts.remove(&before);
            }
        }
    }

    /// The least and the greatest height on a map of so many cells.
    pub(super) fn height_range(&self, cell_count: usize) -> RangeInclusive<u16> {
        let highest = self.height_counts.last_key_value().map_or(0, |(&height, _)| height);
        let lowest = self.height_counts.first_key_value().map_or(0, |(&height, _)| height);
        let all_raised = self.heights.cell_count() as usize == cell_count;
        let lowest = if all_raised { lowest } else { 0 };
        lowest..=highest
    }

    /// By how much heights on a map of so many cells differ at most.
    pub(super) fn height_span(&self, cell_count: usize) -> u16 {
        let range = self.height_range(cell_count);
        range.end() - range.start()
    }

    /// Whether a border lets pass who leaves a cell in a straight direction; there must be a cell there.
    pub(super) fn lets_pass(&self, extent: Extent, from: Cell, direction: Direction) -> bool {
        let named = |cell: Cell| self.borders.at(extent.id_inside(cell));
        let closed = match direction {
            Direction::East => named(from) & 1,
            Direction::West => named(Cell::new(from.x - 1, from.y)) >> 1 & 1,
            Direction::South => named(from) >> 2 & 1,
            Direction::North => named(Cell::new(from.x, from.y - 1)) >> 3 & 1,
            _ => 0,
        };
        closed == 0
    }

    pub(super) fn is_same(&self, other: &Self, cell_count: usize) -> bool {
        self.borders.is_same(&other.borders, cell_count)
            && self.heights.is_same(&other.heights, cell_count)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.borders.memory_bytes() + self.heights.memory_bytes()
    }
}

/// What differences in height mean to a kind of agent: how much of a rise or a drop a step may have, and what it costs.
///
/// A step that rises or drops by more than the kind's limits does not exist; one that it can jump down and not climb
/// leads one way. What a unit of height adds to the cost of a step is counted in hundredths of a straight step over
/// cells of cost 1, so that estimates of the way to go stay below what it costs. Heights count between cells that the
/// agent can enter. For an agent of several cells each covered cell is looked at; the one with the most costly
/// difference counts.
///
/// ```
/// use highroad::Cell;
/// use highroad::grid::{Batch, Grid, Movement, MovementRule, Profile, Slopes, StepCosts};
/// let goat = Slopes::new().with_climb_max(3).with_drop_max(9).with_uphill(50).with_downhill(10);
/// let movement = Movement::new(Profile::movingai(), MovementRule::FourWay, StepCosts::new(100, 141)?)?;
/// let mut grid = Grid::new("...\n".parse()?, movement.with_slopes(goat)?);
/// let mut batch = Batch::new();
/// batch.height(Cell::new(1, 0).into(), 2).height(Cell::new(2, 0).into(), 8);
/// grid.apply(&batch)?;
/// let (low, middle, high) = (Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 0));
/// assert_eq!(grid.step_cost(low, middle), Some(200 + 2 * 50 * 2), "two up: half a step's 200 more for each");
/// assert_eq!(grid.step_cost(middle, low), Some(200 + 2 * 10 * 2));
/// assert_eq!(grid.step_cost(middle, high), None, "six up is too much");
/// assert!(grid.step_cost(high, middle).is_some(), "six down is not");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Slopes {
    climb_max: u16,
    drop_max: u16,
    uphill: u16,
    downhill: u16,
}

impl Default for Slopes {
    fn default() -> Self {
        Self::new()
    }
}

/// The most costly slope does not fit the integers that steps are counted in.
///
/// ```
/// use highroad::grid::{Movement, Slopes, SlopesError};
/// let steep = Slopes::new().with_uphill(u16::MAX);
/// let error: SlopesError = Movement::default().with_slopes(steep).unwrap_err();
/// assert!(error.to_string().ends_with("lower the factors, or the largest climb and drop"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "a step over the steepest slope could cost {cost}, more than {}: lower the factors, or the largest climb and drop",
    u32::MAX
)]
pub struct SlopesError {
    /// What it would cost.
    pub cost: u64,
}

impl Slopes {
    /// Heights mean nothing.
    pub const fn new() -> Self {
        Self { climb_max: u16::MAX, drop_max: u16::MAX, uphill: 0, downhill: 0 }
    }

    /// The same for agents that climb at most so much in one step.
    pub const fn with_climb_max(self, climb_max: u16) -> Self {
        Self { climb_max, ..self }
    }

    /// The same for agents that go down at most so much in one step.
    pub const fn with_drop_max(self, drop_max: u16) -> Self {
        Self { drop_max, ..self }
    }

    /// The same where a unit of height upwards costs so many hundredths of a straight step.
    pub const fn with_uphill(self, uphill: u16) -> Self {
        Self { uphill, ..self }
    }

    /// The same where a unit of height downwards costs so many hundredths of a straight step.
    pub const fn with_downhill(self, downhill: u16) -> Self {
        Self { downhill, ..self }
    }

    /// The largest rise of one step.
    pub const fn climb_max(self) -> u16 {
        self.climb_max
    }

    /// The largest drop of one step.
    pub const fn drop_max(self) -> u16 {
        self.drop_max
    }

    /// What a unit of height upwards costs, in hundredths of a straight step.
    pub const fn uphill(self) -> u16 {
        self.uphill
    }

    /// What a unit of height downwards costs, in hundredths of a straight step.
    pub const fn downhill(self) -> u16 {
        self.downhill
    }

    /// Whether heights close any step.
    pub(super) const fn has_limits(self) -> bool {
        self.climb_max < u16::MAX || self.drop_max < u16::MAX
    }

    /// Whether heights cost anything.
    pub(crate) const fn has_price(self) -> bool {
        self.uphill > 0 || self.downhill > 0
    }

    /// Whether a step between these heights exists.
    pub(super) fn allows(self, from: u16, to: u16) -> bool {
        if to > from { to - from <= self.climb_max } else { from - to <= self.drop_max }
    }

    /// What a step between these heights costs on top, where a straight one costs so much.
    #[inline]
    pub(super) fn price(self, from: u16, to: u16, straight: u32) -> u64 {
        let factor = if to > from { self.uphill } else { self.downhill };
        u64::from(from.abs_diff(to)) * u64::from(factor) * u64::from(straight) / 100
    }

    /// The most that a step costs on top, where heights differ by at most so much.
    pub(super) fn price_max(self, span: u16, straight: u32) -> u64 {
        let up = self.price(0, span.min(self.climb_max), straight);
        up.max(self.price(span.min(self.drop_max), 0, straight))
    }
}
