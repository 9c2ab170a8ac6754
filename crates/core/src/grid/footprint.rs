//! Agents larger than a cell: what they cover, where they fit, and what that costs.
//!
//! An agent of size s covers a square of s × s cells. Its place is that of its *anchor*, the top left cell of the square:
//! at (x, y) it covers columns x to x + s − 1 and rows y to y + s − 1.
//!
//! ```text
//!   . . . . #         . . # # #      an agent of size 2: left the map, right the eroded map, the cells on which its
//!   . . . . .         . # . # #      anchor may stand. The last column and the last row never fit.
//!   . . # . .    →    . # # . #
//!   . . . . .         . . . . #
//!   . . . . .         # # # # #
//! ```
//!
//! It stands only where all covered cells can be entered and lie in one domain. So a [`Grid`] for such agents has the bits
//! of the *eroded* map, and whatever searches bits searches for them. That is exact:
//!
//! * A straight step sweeps over the cells that the agent covers before and after it, and over no others.
//! * A diagonal step from a to a + (1, 1) sweeps, besides those, at most over the two cells (s, 0) and (0, s) seen from a.
//!   The agent beside its way, at a + (1, 0), covers (s, 0) and otherwise only cells that it covers before or after the
//!   step; at a + (0, 1) the same holds for (0, s). So a corner cell is free exactly if the anchor fits at that side: a
//!   movement rule on the eroded map is the rule for the corners of the whole square.
//!
//! What a place costs follows from the covered cells, by [`FootprintCost`]. Places and their costs depend on s × s cells
//! alone, so an edit of one cell changes at most s × s places.

use super::board::Board;
use super::cell::{Cell, CellId, Extent};
use super::edit::CellRect;
use super::effects::Footing;
use super::pages::Pages;
use super::terrain::Domain;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use thiserror::Error;

/// What an agent pays for the cells that it covers.
///
/// See [`Footprint`] for an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum FootprintCost {
    /// What the most costly of them costs.
    #[default]
    Max,
    /// The mean of what they cost, rounded up, since costs are whole numbers.
    Mean,
}

/// The square of cells that an agent covers, and what it pays for them. Its place is the top left cell of the square.
///
/// ```
/// use highroad::{Cell, Terrain};
/// use highroad::grid::{Footprint, FootprintCost, Grid, Movement, MovementRule, Profile, StepCosts};
/// let swampy = Profile::movingai().with_cost(Terrain::SWAMP, 5)?;
/// let walker = Movement::new(swampy, MovementRule::default(), StepCosts::UNIT)?;
/// let map = "....#\n...S.\n.....\n";
/// let wide = Footprint::new(2)?;
/// let grid = Grid::new(map.parse()?, walker.clone().with_footprint(wide));
/// assert!(grid.is_enterable(Cell::new(2, 0)), "it covers columns 2 and 3 of rows 0 and 1");
/// assert!(!grid.is_enterable(Cell::new(3, 0)), "there is a wall at (4, 0)");
/// assert!(!grid.is_enterable(Cell::new(0, 2)), "there is no row 3");
/// assert_eq!(grid.cost_of(Cell::new(2, 0)), Some(5), "the swamp counts");
///
/// let grid = Grid::new(map.parse()?, walker.with_footprint(wide.with_cost(FootprintCost::Mean)));
/// assert_eq!(grid.cost_of(Cell::new(2, 0)), Some(2), "(1 + 1 + 1 + 5) / 4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Footprint {
    size: u8,
    cost: FootprintCost,
}

/// A footprint that no agent can have: its size is not one of those that are served.
///
/// ```
/// use highroad::grid::{Footprint, FootprintError};
/// let error: FootprintError = Footprint::new(9).unwrap_err();
/// assert_eq!(error.to_string(), "a footprint of 9 × 9 cells: sizes are from 1 to 8");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a footprint of {size} × {size} cells: sizes are from 1 to {}", Footprint::SIZE_MAX)]
pub struct FootprintError {
    /// The size asked for.
    pub size: u8,
}

impl Footprint {
    /// The largest size.
    pub const SIZE_MAX: u8 = 8;
    /// One cell.
    pub const CELL: Self = Self { size: 1, cost: FootprintCost::Max };

    /// A square of `size` × `size` cells. Fails with a [`FootprintError`] unless the size is from 1 to
    /// [`Footprint::SIZE_MAX`].
    pub const fn new(size: u8) -> Result<Self, FootprintError> {
        if size < 1 || size > Self::SIZE_MAX {
            return Err(FootprintError { size });
        }
        Ok(Self { size, ..Self::CELL })
    }

    /// The same with another way to pay for the covered cells.
    pub const fn with_cost(mut self, cost: FootprintCost) -> Self {
        self.cost = cost;
        self
    }

    /// Cells a side.
    pub const fn size(self) -> u8 {
        self.size
    }

    /// How the covered cells are paid for.
    pub const fn cost(self) -> FootprintCost {
        self.cost
    }

    /// Whether an agent at a place covers a cell.
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::grid::Footprint;
    /// let wide = Footprint::new(2)?;
    /// assert!(wide.covers(Cell::new(4, 4), Cell::new(5, 5)) && !wide.covers(Cell::new(4, 4), Cell::new(3, 4)));
    /// # Ok::<(), highroad::grid::FootprintError>(())
    /// ```
    pub fn covers(self, at: Cell, cell: Cell) -> bool {
        let side = u32::from(self.size);
        cell.x.wrapping_sub(at.x) < side && cell.y.wrapping_sub(at.y) < side
    }

    pub(super) const fn is_cell(self) -> bool {
        self.size == 1
    }
}

impl Default for Footprint {
    fn default() -> Self {
        Self::CELL
    }
}

/// Cells of one row, from a column to a column, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Run {
    pub(super) y: u32,
    pub(super) first: u32,
    pub(super) last: u32,
}

/// The places that cover any of some cells, as runs that do not overlap, row by row.
pub(super) fn places_over(footprint: Footprint, cells: impl Iterator<Item = CellRect>) -> Vec<Run> {
    let reach = u32::from(footprint.size - 1);
    let mut runs: Vec<Run> = Vec::new();
    for rect in cells {
        let (min, max) = (rect.min(), rect.max());
        let first = min.x.saturating_sub(reach);
        let rows = min.y.saturating_sub(reach)..=max.y;
        runs.extend(rows.map(|y| Run { y, first, last: max.x }));
    }
    runs.sort_unstable();
    runs.dedup_by(|next, kept| {
        let joined = next.y == kept.y && next.first <= kept.last + 1;
        if joined {
            kept.last = kept.last.max(next.last);
        }
        joined
    });
    runs
}

/// What some cells in one column, one below the other, are together.
#[derive(Clone, Copy)]
struct Covered {
    domain: Domain,
    max: u32,
    sum: u32,
}

impl Covered {
    fn with(self, other: Self) -> Option<Self> {
        let (max, sum) = (self.max.max(other.max), self.sum + other.sum);
        (self.domain == other.domain).then_some(Self { max, sum, ..self })
    }
}

/// All of some parts together; `None` if one is missing, or not of the same domain.
fn together(mut parts: impl Iterator<Item = Option<Covered>>) -> Option<Covered> {
    let first = parts.next()??;
    parts.try_fold(first, |all, part| all.with(part?))
}

/// Visits the places of a run with what agents find there. `cell` says what a cell is; outside the map it is `None`.
///
/// O((places + size) · size).
pub(super) fn visit_places(
    footprint: Footprint,
    run: Run,
    cell: impl Fn(Cell) -> Option<Footing>,
    mut visit: impl FnMut(Cell, Option<Footing>),
) {
    let side = u32::from(footprint.size);
    let area = side * side;
    let mut columns: [Option<Covered>; Footprint::SIZE_MAX as usize] = [None; _];
    for x in run.first..=run.last + side - 1 {
        let parts = (run.y..run.y + side).map(|y| {
            let Footing { domain, cost } = cell(Cell { x, y })?;
            Some(Covered { domain, max: cost, sum: cost })
        });
        columns[(x % side) as usize] = together(parts);
        let Some(at) = (x + 1).checked_sub(side).filter(|&at| at >= run.first) else { continue };
        let covered = together(columns[..side as usize].iter().copied());
        let footing = covered.map(|Covered { domain, max, sum }| Footing {
            domain,
            cost: match footprint.cost {
                FootprintCost::Max => max,
                FootprintCost::Mean => sum.div_ceil(area),
            },
        });
        visit(Cell { x: at, y: run.y }, footing);
    }
}

/// The bits of the places on which a footprint covers set bits alone.
pub(super) fn eroded(board: &Board, extent: Extent, footprint: Footprint) -> Board {
    let (side, words) = (footprint.size as usize, (extent.width() as usize + 2).div_ceil(64));
    // The rows that a place covers: bit x is set if all cells from column x on are.
    let mut rows = vec![vec![0u64; words]; side];
    let fill = |row: &mut [u64], y: u32| {
        if y >= extent.height() {
            row.fill(0);
            return;
        }
        let bits = board.row(y + 1);
        for (index, word) in row.iter_mut().enumerate() {
            let both =
                u128::from(bits.word(index)) | u128::from(bits.word_or_zero(index + 1)) << 64;
            *word = (0..side).fold(u64::MAX, |all, shift| all & (both >> shift) as u64);
        }
    };
    for (row, y) in rows[1..].iter_mut().zip(0..) {
        fill(row, y);
    }
    Board::build(extent, |y, bits| {
        rows.rotate_left(1);
        fill(&mut rows[side - 1], y + side as u32 - 1);
        for x in 0..extent.width() as usize {
            let (word, bit) = ((x + 1) / 64, (x + 1) % 64);
            bits.set(x, rows.iter().all(|row| row[word] >> bit & 1 == 1));
        }
    })
}

/// What the places of agents larger than a cell cost. Where they can stand is in the grid's bits.
#[derive(Clone, Debug)]
pub(super) struct PlaceCosts {
    /// The least that a cell can cost the agents.
    base: u32,
    /// What places cost more than that; present while any does.
    extras: Option<Pages<u32>>,
    /// How many places have such an extra.
    extra_count: u32,
    /// How many places cost how much.
    counts: BTreeMap<u32, u32>,
}

impl PlaceCosts {
    /// No places yet, where cells cost at least `base`.
    pub(super) fn new(base: u32) -> Self {
        Self { base, extras: None, extra_count: 0, counts: BTreeMap::new() }
    }

    /// What a place costs on which agents can stand.
    pub(super) fn at(&self, id: CellId) -> u32 {
        self.base + self.extras.as_ref().map_or(0, |pages| pages.get(id.index()))
    }

    /// Notes what a place cost before, and costs now; `None` where no agent can stand.
    pub(super) fn set(
        &mut self,
        cell_count: usize,
        id: CellId,
        before: Option<u32>,
        now: Option<u32>,
    ) {
        if before == now {
            return;
        }
        self.count(before, now, 1);
        let extra = |cost: Option<u32>| cost.map_or(0, |cost| cost - self.base);
        let (old, new) = (extra(before), extra(now));
        if old == new {
            return;
        }
        self.extras.get_or_insert_with(|| Pages::new(cell_count)).set(id.index(), new);
        self.extra_count += u32::from(new > 0);
        self.extra_count -= u32::from(old > 0);
        if self.extra_count == 0 {
            self.extras = None;
        }
    }

    /// Counts so many places that cost something else than before.
    pub(super) fn count(&mut self, before: Option<u32>, now: Option<u32>, places: u32) {
        if places == 0 {
            return;
        }
        if let Some(cost) = now {
            *self.counts.entry(cost).or_default() += places;
        }
        if let Some(cost) = before
            && let Entry::Occupied(mut count) = self.counts.entry(cost)
        {
            *count.get_mut() -= places;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }

    /// How many places there are.
    pub(super) fn places(&self) -> u32 {
        self.counts.values().sum()
    }

    /// The least and the most that a place costs; `None` without places.
    pub(super) fn range(&self) -> Option<(u32, u32)> {
        let (&least, &most) = (self.counts.keys().next()?, self.counts.keys().next_back()?);
        Some((least, most))
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.extras.as_ref().map_or(0, Pages::memory_bytes)
    }
}

#[cfg(test)]
mod tests;
