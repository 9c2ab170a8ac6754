//! Grids of cells: a map, how an agent moves on it, and edits.
//!
//! Begin with [`GridMap`], which says what each cell is made of, and [`Grid`], which is a map as one kind of agent sees
//! it: what searches run on. A [`Movement`] is how a kind of agent moves; a [`Batch`] is a number of changes that are
//! made together.
//!
//! # What a step costs
//! Cells have costs: that of their terrain, plus a surcharge. A step joins the middles of two cells, so that half of it
//! lies on each, and it costs the mean of both times its length. In half-units, so that it stays a whole number:
//! `straight · (a + b)` or `diagonal · (a + b)`, by the [`StepCosts`].
//!
//! ```text
//!   +-------+-------+-------+-------+      ground costs 1, swamp 3; a straight step counts 1, so that
//!   |   1   |   1   |   3   |   3   |      half-units are: 1 + 1 = 2,  1 + 3 = 4,  3 + 3 = 6
//!   |   o-------o-------o-------o   |
//!   |       2   |   4   |   6       |      in all 12, the same from left to right and from right to left
//!   +-------+-------+-------+-------+
//!
//!   [`PaidCells::Entered`]:                 2 · the cell that is entered:
//!       -> 2    -> 6    -> 6               2 + 6 + 6 = 14 to the right,
//!       <- 2    <- 2    <- 6               6 + 2 + 2 = 10 to the left
//! ```
//!
//! With [`PaidCells::Entered`] the cell that a path starts on costs nothing, and where cells differ a way there and
//! back may cost different amounts: see there for who serves it.

mod board;
mod canonical;
mod cell;
mod components;
mod connectivity;
mod cost;
mod edit;
mod environment;
mod fingerprint;
mod ground;
mod map;
mod pages;
mod plateaus;
#[cfg(feature = "serde")]
mod readable;
mod rule;
mod saved;
mod space;
mod terrain;
mod text;
mod variation;

pub use crate::environment::{Cost, Edition, Revision};
pub use cell::{Cell, CellError, CellId, Extent, SIDE_MAX, SizeError};
pub use components::Components;
pub use connectivity::{ConnectedPart, Connectivity};
pub use cost::{StepCosts, StepCostsError};
pub use edit::{Batch, CellRect, CellState, Change, EditError};
pub use environment::{CellRefusal, PathProblem};
pub use ground::KindId;
pub use map::{GridMap, PaletteDoubt};
pub use rule::{Direction, MovementRule};
pub use space::{GridSpace, WeightedSteps};
pub use terrain::{
    CostOverflow, Domain, Movement, PaidCells, Palette, Profile, ProfileError, Terrain,
};
pub use text::{MapError, MapProblem};

pub(crate) use board::{Board, Cursor, Row};
pub(crate) use canonical::{ARRIVAL_AT_START, CanonicalMoves};
pub(crate) use connectivity::DescentMemory;
pub(crate) use environment::step_depends;
pub(crate) use rule::DELTAS;
pub(crate) use space::{
    ALWAYS, AT_MOST_ONE, Frames, JumpPoints, NEVER_CUT, NearestMemory, UniformSteps, Wanted,
    nearest_in_few_runs, nearest_reachable, serves_jump_points, with_rule,
};

use edit::Paint;
use ground::{Ground, Surcharges};
use plateaus::Plateaus;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A map for one kind of agent: what every planner searches.
///
/// Cloning is cheap, and a clone stays as it was: it is a snapshot of one revision. Changes go
/// through [`Grid::apply`], which keeps the bit layers in step with the cells.
///
/// Several kinds of agents on one map are several grids that share their cells: see [`Grid::another_kind`].
///
/// Reading a cell takes O(1). An edit takes O(changed cells), and copies the pages of the map that a clone shares.
///
/// ```
/// use highroad::Cell;
/// use highroad::grid::{Domain, Grid};
/// let grid = Grid::with_defaults("..S#\nWW..\n".parse()?);
/// assert_eq!(grid.enterable_count(), 7);
/// assert_eq!(grid.domain_of(Cell::new(0, 1)), Some(Domain::WATER));
/// assert_eq!(grid.step_cost(Cell::new(0, 0), Cell::new(0, 1)), None, "no step leads from land into water");
/// assert_eq!(grid.step_cost(Cell::new(0, 0), Cell::new(1, 0)), Some(2 * 2378));
/// assert_eq!((grid.cost_of(Cell::new(2, 0)), grid.cost_of(Cell::new(3, 0))), (Some(1), None));
/// assert_eq!(grid.cost_range(), 1..=1, "swamp costs what ground costs, unless a profile says otherwise");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Grid {
    ground: Arc<Ground>,
    kind: KindId,
    movement: Arc<Movement>,
    /// One a domain.
    boards: Vec<Board>,
    /// The same bits, columns for rows.
    column_boards: Vec<Board>,
    /// Costs on top for this kind alone.
    own_surcharges: Surcharges,
    /// How many cells that can be entered have each surcharge, that of all kinds and the own one together.
    surcharge_counts: BTreeMap<u16, u32>,
    /// Where neighbouring cells cost the same; present while any two cells differ.
    plateaus: Option<Plateaus>,
    revision: Revision,
    edition: Edition,
}

impl Grid {
    /// The map as agents of that movement see it.
    pub fn new(map: GridMap, movement: Movement) -> Self {
        let ground = Arc::new(Ground { map, surcharges: Surcharges::default() });
        Self::on(ground, KindId::DEFAULT, movement, Surcharges::default(), Revision::default())
    }

    /// The same map for another kind of agent: it shares the cells, and has bit layers of its own. Edits are then made
    /// by [`Grid::apply_to_all`], so that all kinds stay in step.
    ///
    /// ```
    /// use highroad::{Cell, Terrain};
    /// use highroad::grid::{Batch, Grid, KindId, Movement, MovementRule, Profile, StepCosts};
    /// let walkers = Grid::with_defaults("..WW\n..WW\n".parse()?);
    /// let boat = Profile::movingai().without(Terrain::GROUND);
    /// let boat = Movement::new(boat, MovementRule::FourWay, StepCosts::EXACT)?;
    /// let boats = walkers.another_kind(KindId(1), boat);
    /// let mut kinds = [walkers, boats];
    /// Grid::apply_to_all(&mut kinds, Batch::new().set((1, 0), Terrain::WATER))?;
    /// assert!(kinds[1].is_enterable(Cell::new(1, 0)));
    /// assert_eq!(kinds[0].revision(), kinds[1].revision());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn another_kind(&self, kind: KindId, movement: Movement) -> Self {
        let ground = Arc::clone(&self.ground);
        Self::on(ground, kind, movement, Surcharges::default(), self.revision)
    }

    fn on(
        ground: Arc<Ground>,
        kind: KindId,
        movement: Movement,
        own_surcharges: Surcharges,
        revision: Revision,
    ) -> Self {
        let map = &ground.map;
        let boards: Vec<Board> = (0..movement.profile().domain_count())
            .map(|domain| build_board(map, movement.profile(), domain))
            .collect();
        let column_boards = boards.iter().map(|board| board.transposed(map.extent())).collect();
        let mut grid = Self {
            ground,
            kind,
            movement: Arc::new(movement),
            boards,
            column_boards,
            own_surcharges,
            surcharge_counts: BTreeMap::new(),
            plateaus: None,
            revision,
            edition: Edition::new(),
        };
        if grid.has_surcharges() {
            let extent = grid.extent();
            for cell in extent.cells().filter(|&cell| grid.is_enterable(cell)).collect::<Vec<_>>() {
                grid.count_surcharge(0, grid.surcharge_at(extent.id_inside(cell)));
            }
        }
        grid.plateaus = Plateaus::of(&grid);
        grid
    }

    /// The map under the usual rules, which are those of the MovingAI benchmarks: ground and swamp can be entered and cost
    /// the same, or what the letters of a weighted map say; diagonal steps cost √2 and never cut corners.
    pub fn with_defaults(map: GridMap) -> Self {
        let profile = Profile::for_palette(map.palette());
        let movement = Movement::new(profile, MovementRule::default(), StepCosts::default())
            .expect("the built-in profiles have small costs");
        Self::new(map, movement)
    }

    /// The cells.
    pub fn map(&self) -> &GridMap {
        &self.ground.map
    }

    /// Which kind of agent it is for.
    pub fn kind(&self) -> KindId {
        self.kind
    }

    /// Whether a change of the map concerns its kind of agent.
    pub fn is_concerned_by(&self, change: &Change) -> bool {
        change.kind.is_none_or(|kind| kind == self.kind)
    }

    /// How its agents move.
    pub fn movement(&self) -> &Movement {
        &self.movement
    }

    pub(crate) fn shared_movement(&self) -> Arc<Movement> {
        Arc::clone(&self.movement)
    }

    /// Columns and rows.
    pub fn extent(&self) -> Extent {
        self.ground.map.extent()
    }

    /// How often it has been changed.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Which state of which grid this is.
    pub fn edition(&self) -> Edition {
        self.edition
    }

    /// Whether an agent may stand on the cell. Outside, none may.
    pub fn is_enterable(&self, cell: Cell) -> bool {
        self.domain_of(cell).is_some()
    }

    /// The domain of an enterable cell, which paths from it do not leave; `None` where no agent may stand.
    pub fn domain_of(&self, cell: Cell) -> Option<Domain> {
        self.movement.profile().domain_of(self.ground.map.terrain(cell)?)
    }

    /// What the cell costs, terrain and surcharge; `None` where no agent may stand.
    pub fn cost_of(&self, cell: Cell) -> Option<u32> {
        let id = self.extent().id(cell)?;
        self.is_enterable(cell).then(|| self.cost_at(id))
    }

    /// What an enterable cell costs.
    #[inline]
    pub(crate) fn cost_at(&self, id: CellId) -> u32 {
        let terrain = self.movement.profile().raw_cost(self.ground.map.terrain_at(id));
        u32::from(terrain) + u32::from(self.surcharge_at(id))
    }

    #[inline]
    fn surcharge_at(&self, id: CellId) -> u16 {
        self.ground.surcharges.at(id).saturating_add(self.own_surcharges.at(id))
    }

    /// What a cell costs its agents on top of its terrain, whether they can enter it or not; `None` outside the map.
    pub fn surcharge_of(&self, cell: Cell) -> Option<u16> {
        self.extent().id(cell).map(|id| self.surcharge_at(id))
    }

    /// Whether any cell has a surcharge.
    fn has_surcharges(&self) -> bool {
        !self.ground.surcharges.is_empty() || !self.own_surcharges.is_empty()
    }

    /// The cost of one step; `None` if the rule, the map or the profile does not allow it.
    pub fn step_cost(&self, from: Cell, to: Cell) -> Option<u32> {
        let direction = Direction::between(from, to)?;
        let (from_id, to_id) = (self.extent().id(from)?, self.extent().id(to)?);
        let pattern = self.board_of(from)?.neighbourhood(from);
        let allowed = self.movement.rule().moves()[pattern] >> (direction as u8) & 1 == 1;
        let (from, to) = (self.cost_at(from_id), self.cost_at(to_id));
        allowed.then(|| self.movement.step(direction.is_diagonal(), from, to))
    }

    /// The cells that one step leads to, each with the cost of the step: for planners of your own.
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults("..#\n..#\n".parse()?);
    /// let to: Vec<Cell> = grid.steps_from(Cell::new(1, 0)).map(|(to, _cost)| to).collect();
    /// assert_eq!(to, [(1, 1), (0, 0), (0, 1)].map(Cell::from));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn steps_from(&self, from: Cell) -> impl Iterator<Item = (Cell, u32)> + '_ {
        Direction::ALL.into_iter().filter_map(move |direction| {
            let (columns, rows) = direction.delta();
            let x = from.x.checked_add_signed(columns)?;
            let to = Cell::new(x, from.y.checked_add_signed(rows)?);
            self.step_cost(from, to).map(|cost| (to, cost))
        })
    }

    /// The cost of walking along neighbouring cells, each step of which is known to be allowed.
    pub(crate) fn cost_along(&self, cells: &[Cell]) -> Cost {
        let extent = self.extent();
        let uniform = self.uniform_cost();
        let cost_of = |cell| uniform.unwrap_or_else(|| self.cost_at(extent.id_inside(cell)));
        // PERF: each cell is looked up once.
        let mut before = cells.first().map_or(0, |&first| cost_of(first));
        let step = |step: &[Cell]| {
            let diagonal = step[0].x != step[1].x && step[0].y != step[1].y;
            let cost = cost_of(step[1]);
            let left = std::mem::replace(&mut before, cost);
            Cost(u64::from(self.movement.step(diagonal, left, cost)))
        };
        cells.windows(2).map(step).sum()
    }

    /// How many cells agents may stand on. O(kinds of terrain), as the map counts its letters.
    pub fn enterable_count(&self) -> u32 {
        let profile = self.movement.profile();
        let map = &self.ground.map;
        let enterable = map.terrains().filter(|&terrain| profile.cost_of(terrain).is_some());
        enterable.map(|terrain| map.count(terrain)).sum()
    }

    /// The smallest and the largest cost that an enterable cell may have. O(kinds of terrain).
    pub fn cost_range(&self) -> RangeInclusive<u32> {
        let costs =
            || self.ground.map.terrains().filter_map(|t| self.movement.profile().cost_of(t));
        let min = costs().min().unwrap_or(1);
        let max = costs().max().unwrap_or(1);
        let surcharge_max = self.surcharge_counts.last_key_value().map_or(0, |(&most, _)| most);
        u32::from(min)..=u32::from(max) + u32::from(surcharge_max)
    }

    /// The one cost that all enterable cells have, if they do.
    pub fn uniform_cost(&self) -> Option<u32> {
        let range = self.cost_range();
        (range.start() == range.end()).then_some(*range.start())
    }

    /// Whether every step costs the same as the step back: always where all cells cost the same, and always where steps
    /// are paid for by [both cells](PaidCells::Both).
    ///
    /// ```
    /// use highroad::grid::{Grid, Movement, PaidCells};
    /// let movement = Movement::default().with_paid_cells(PaidCells::Entered);
    /// let grid = Grid::new("..\n".parse()?, movement);
    /// assert!(grid.costs_the_same_both_ways());
    /// # Ok::<(), highroad::grid::MapError>(())
    /// ```
    pub fn costs_the_same_both_ways(&self) -> bool {
        self.movement.paid_cells() == PaidCells::Both || self.uniform_cost().is_some()
    }

    /// The bits of each domain.
    pub(crate) fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// The bits of the domain that an enterable cell lies in.
    pub(crate) fn board_of(&self, cell: Cell) -> Option<&Board> {
        self.domain_of(cell).map(|domain| &self.boards[domain.index()])
    }

    /// The bits of the domain that an enterable cell lies in, columns for rows.
    pub(crate) fn column_board_of(&self, cell: Cell) -> Option<&Board> {
        self.domain_of(cell).map(|domain| &self.column_boards[domain.index()])
    }

    /// Makes all changes of a batch, or none. Returns the cells that now differ,
    /// in order; a cell that the batch changes twice occurs twice. The revision goes up by one, or
    /// stays if nothing differs. O(cells of the batch's rectangles).
    ///
    /// Fails with an [`EditError`] if a cell lies outside the map, or if a surcharge is for a kind of agent that does not exist.
    pub fn apply(&mut self, batch: &Batch) -> Result<Vec<Change>, EditError> {
        Self::apply_to_all(std::slice::from_mut(self), batch)
    }

    /// Makes all changes of a batch in all grids of one map, each for another kind of agent: one batch, one revision
    /// for all kinds. Time and errors are those of [`Grid::apply`]. See [`Grid::another_kind`] for an example.
    pub fn apply_to_all(kinds: &mut [Self], batch: &Batch) -> Result<Vec<Change>, EditError> {
        let Some(first) = kinds.first() else { return Ok(Vec::new()) };
        batch.check(first.extent(), |kind| kinds.iter().any(|grid| grid.kind == kind))?;
        // All let go of the ground: where no snapshot holds it either, it is changed in place.
        let mut shared = Arc::clone(&first.ground);
        kinds.iter_mut().for_each(|grid| grid.ground = Ground::nowhere());
        let ground = Arc::make_mut(&mut shared);
        let mut changes = Vec::new();
        for edit in &batch.edits {
            for cell in edit.rect.cells() {
                let change = match (edit.kind, edit.paint) {
                    (Some(kind), Paint::Surcharge(amount)) => {
                        let grid = kinds.iter_mut().find(|grid| grid.kind == kind);
                        grid.and_then(|grid| grid.own_surcharge(cell, ground, amount))
                    }
                    (_, paint) => ground.paint(cell, paint),
                };
                if let Some(change) = change {
                    kinds.iter_mut().for_each(|grid| grid.follow(&change, ground));
                    changes.push(change);
                }
            }
        }
        for grid in kinds {
            grid.ground = Arc::clone(&shared);
            if !changes.is_empty() {
                grid.follow_level_ground(&changes);
                grid.revision.0 += 1;
                grid.edition = Edition::new();
            }
        }
        Ok(changes)
    }

    /// Changes what a cell costs this kind alone; `None` if it does already.
    fn own_surcharge(&mut self, cell: Cell, ground: &Ground, amount: u16) -> Option<Change> {
        let id = ground.map.extent().id_inside(cell);
        let terrain = ground.map.terrain_at(id);
        let before = CellState { terrain, surcharge: self.own_surcharges.at(id) };
        if before.surcharge == amount {
            return None;
        }
        self.own_surcharges.set(ground.map.extent().cell_count(), id, amount);
        let after = CellState { surcharge: amount, ..before };
        Some(Change { cell, kind: Some(self.kind), before, after })
    }

    /// Keeps the bits and the count of surcharges in step with a cell that has just changed.
    fn follow(&mut self, change: &Change, ground: &Ground) {
        if !self.is_concerned_by(change) {
            return;
        }
        let profile = self.movement.profile();
        let states = [change.before, change.after];
        let [old, new] = states.map(|state| profile.domain_of(state.terrain));
        let id = ground.map.extent().id_inside(change.cell);
        // The part of the surcharge that the change is not about.
        let other = match change.kind {
            None => self.own_surcharges.at(id),
            Some(_) => ground.surcharges.at(id),
        };
        let paid = |domain: Option<Domain>, state: CellState| {
            domain.map_or(0, |_| state.surcharge.saturating_add(other))
        };
        self.count_surcharge(paid(old, change.before), paid(new, change.after));
        if old != new {
            old.into_iter().for_each(|domain| self.set_bit(domain, change.cell, false));
            new.into_iter().for_each(|domain| self.set_bit(domain, change.cell, true));
        }
    }

    /// Counts what an enterable cell costs on top of its terrain, before and after a change; 0 for others.
    fn count_surcharge(&mut self, before: u16, after: u16) {
        if before == after {
            return;
        }
        if after > 0 {
            *self.surcharge_counts.entry(after).or_default() += 1;
        }
        if let Some(count) = self.surcharge_counts.get_mut(&before) {
            *count -= 1;
            if *count == 0 {
                self.surcharge_counts.remove(&before);
            }
        }
    }

    fn set_bit(&mut self, domain: Domain, cell: Cell, value: bool) {
        self.boards[domain.index()].set(cell, value);
        self.column_boards[domain.index()].set(Cell { x: cell.y, y: cell.x }, value);
    }

    /// Bytes held by cells, bit layers and surcharges.
    pub fn memory_bytes(&self) -> usize {
        self.shared_bytes() + self.own_bytes()
    }

    /// The part of [`Grid::memory_bytes`] that all kinds of agents on the map share.
    pub fn shared_bytes(&self) -> usize {
        self.ground.map.memory_bytes() + self.ground.surcharges.memory_bytes()
    }

    /// The part of [`Grid::memory_bytes`] that is this kind's alone.
    pub fn own_bytes(&self) -> usize {
        self.boards.iter().chain(&self.column_boards).map(Board::memory_bytes).sum::<usize>()
            + self.own_surcharges.memory_bytes()
            + self.plateaus.as_ref().map_or(0, Plateaus::memory_bytes)
    }
}

fn build_board(map: &GridMap, profile: &Profile, domain: usize) -> Board {
    let in_domain: [bool; 256] = std::array::from_fn(|letter| {
        let terrain = Terrain::from_map(letter as u8);
        profile.domain_of(terrain).is_some_and(|d| d.index() == domain)
    });
    Board::build(map.extent(), |y, row| {
        let letters = map.row_runs(y).flatten();
        for (x, &letter) in letters.enumerate() {
            row.set(x, in_domain[usize::from(letter)]);
        }
    })
}

#[cfg(test)]
mod tests;
