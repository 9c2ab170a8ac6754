//! The world of tiles: a map, how an agent moves on it, and edits.
//!
//! Begin with [`GridMap`] (what the cells are) and [`Grid`] (the same for a kind of agent: what
//! searches run on).

mod board;
mod canonical;
mod cell;
mod components;
mod connectivity;
mod cost;
mod edit;
mod environment;
mod fingerprint;
mod map;
mod pages;
mod rule;
mod space;
mod terrain;
mod text;

pub use crate::environment::{Cost, Edition, Revision};
pub use cell::{Cell, CellId, Extent, SIDE_MAX, SizeError};
pub use components::Components;
pub use connectivity::{ConnectedPart, Connectivity};
pub use cost::{StepCosts, StepCostsError};
pub use edit::{Batch, CellState, Change, EditError, Rect};
pub use environment::{CellRefusal, PathProblem};
pub use map::GridMap;
pub use rule::{Direction, MovementRule};
pub use space::{GridSpace, WeightedSteps};
pub use terrain::{CostOverflow, Domain, Movement, Palette, Profile, ProfileError, Terrain};
pub use text::{MapError, MapProblem};

pub(crate) use board::{Board, Cursor, Row};
pub(crate) use canonical::{ARRIVAL_AT_START, CanonicalMoves};
pub(crate) use connectivity::DescentMemory;
pub(crate) use environment::step_depends;
pub(crate) use rule::DELTAS;
pub(crate) use space::{
    ALWAYS, AT_MOST_ONE, JumpPoints, NEVER_CUT, NearestMemory, UniformSteps, nearest_around,
    nearest_in_few_runs, nearest_reachable, serves_jump_points, with_rule,
};

use edit::Paint;
use pages::Pages;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A map for one kind of agent: what every planner searches.
///
/// Cloning is cheap, and a clone stays as it was: it is a snapshot of one revision. Changes go
/// through [`Grid::apply`], which keeps the bit layers in step with the cells.
#[derive(Clone, Debug)]
pub struct Grid {
    map: GridMap,
    movement: Arc<Movement>,
    /// One a domain.
    boards: Vec<Board>,
    /// The same bits, columns for rows.
    column_boards: Vec<Board>,
    /// Costs on top of the terrain's; present once a batch has set any.
    surcharges: Option<Pages<u16>>,
    surcharged_cells: u32,
    /// No surcharge is larger; not lowered when one is taken back, as long as others remain.
    surcharge_max: u16,
    revision: Revision,
    edition: Edition,
}

impl Grid {
    /// The map as agents of that movement see it.
    pub fn new(map: GridMap, movement: Movement) -> Self {
        let boards: Vec<Board> = (0..movement.profile().domain_count())
            .map(|domain| build_board(&map, movement.profile(), domain))
            .collect();
        let column_boards = boards.iter().map(|board| board.transposed(map.extent())).collect();
        Self {
            map,
            movement: Arc::new(movement),
            boards,
            column_boards,
            surcharges: None,
            surcharged_cells: 0,
            surcharge_max: 0,
            revision: Revision::default(),
            edition: Edition::new(),
        }
    }

    /// The map under the benchmark rules: the profile of its palette, corners never cut, exact costs.
    pub fn with_defaults(map: GridMap) -> Self {
        let profile = Profile::for_palette(map.palette());
        let movement = Movement::new(profile, MovementRule::default(), StepCosts::default())
            .expect("the built-in profiles have small costs");
        Self::new(map, movement)
    }

    /// The cells.
    pub fn map(&self) -> &GridMap {
        &self.map
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
        self.map.extent()
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

    /// The domain of an enterable cell: what it can reach lies in the same.
    pub fn domain_of(&self, cell: Cell) -> Option<Domain> {
        self.movement.profile().domain_of(self.map.terrain(cell)?)
    }

    /// What the cell costs, terrain and surcharge; `None` where no agent may stand.
    pub fn cost_of(&self, cell: Cell) -> Option<u32> {
        let id = self.extent().id(cell)?;
        self.is_enterable(cell).then(|| self.cost_at(id))
    }

    /// What an enterable cell costs.
    #[inline]
    pub(crate) fn cost_at(&self, id: CellId) -> u32 {
        let terrain = self.movement.profile().raw_cost(self.map.terrain_at(id));
        u32::from(terrain) + u32::from(self.surcharge_at(id))
    }

    #[inline]
    fn surcharge_at(&self, id: CellId) -> u16 {
        self.surcharges.as_ref().map_or(0, |layer| layer.get(id.index()))
    }

    /// The cost of one step; `None` if the rule, the map or the profile does not allow it.
    pub fn step_cost(&self, from: Cell, to: Cell) -> Option<u32> {
        let direction = Direction::between(from, to)?;
        let (from_id, to_id) = (self.extent().id(from)?, self.extent().id(to)?);
        let pattern = self.board_of(from)?.neighbourhood(from);
        let allowed = self.movement.rule().moves()[pattern] >> (direction as u8) & 1 == 1;
        let sum = self.cost_at(from_id) + self.cost_at(to_id);
        allowed.then(|| self.movement.steps().step(direction.is_diagonal(), sum))
    }

    /// The cells that one step leads to, each with the cost of the step: for planners of one's own.
    ///
    /// ```
    /// use highroad_core::{Cell, Grid};
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
        let step = |step: &[Cell]| {
            let diagonal = step[0].x != step[1].x && step[0].y != step[1].y;
            let sum = cost_of(step[0]) + cost_of(step[1]);
            Cost(u64::from(self.movement.steps().step(diagonal, sum)))
        };
        cells.windows(2).map(step).sum()
    }

    /// How many cells agents may stand on.
    pub fn enterable_count(&self) -> u32 {
        let profile = self.movement.profile();
        let enterable = self.map.terrains().filter(|&terrain| profile.cost_of(terrain).is_some());
        enterable.map(|terrain| self.map.count(terrain)).sum()
    }

    /// The smallest and the largest cost that an enterable cell may have.
    pub fn cost_range(&self) -> RangeInclusive<u32> {
        let costs = || self.map.terrains().filter_map(|t| self.movement.profile().cost_of(t));
        let min = costs().min().unwrap_or(1);
        let max = costs().max().unwrap_or(1);
        u32::from(min)..=u32::from(max) + u32::from(self.surcharge_max)
    }

    /// The one cost that all enterable cells have, if they do.
    pub fn uniform_cost(&self) -> Option<u32> {
        let range = self.cost_range();
        (range.start() == range.end()).then_some(*range.start())
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

    /// Makes all changes of a batch, or none if one lies outside. Returns the cells that now differ,
    /// in order; a cell that the batch changes twice occurs twice. The revision goes up by one, or
    /// stays if nothing differs.
    pub fn apply(&mut self, batch: &Batch) -> Result<Vec<Change>, EditError> {
        let extent = self.extent();
        for (rect, _) in &batch.edits {
            if !extent.contains(rect.max()) {
                let cell = rect.cells().find(|&cell| !extent.contains(cell));
                let cell = cell.unwrap_or(rect.max());
                return Err(EditError { cell, extent });
            }
        }
        let mut changes = Vec::new();
        for (rect, paint) in &batch.edits {
            for cell in rect.cells() {
                changes.extend(self.paint(cell, *paint));
            }
        }
        if !changes.is_empty() {
            self.revision.0 += 1;
            self.edition = Edition::new();
        }
        Ok(changes)
    }

    /// Changes a cell that lies inside; `None` if it is like that already.
    fn paint(&mut self, cell: Cell, paint: Paint) -> Option<Change> {
        let id = self.extent().id_inside(cell);
        let before =
            CellState { terrain: self.map.terrain_at(id), surcharge: self.surcharge_at(id) };
        let mut after = before;
        match paint {
            Paint::Terrain(terrain) => after.terrain = terrain,
            Paint::Surcharge(amount) => after.surcharge = amount,
        }
        if after == before {
            return None;
        }
        if after.terrain != before.terrain {
            self.map.set_at(id, after.terrain);
            let profile = self.movement.profile();
            let (old, new) = (profile.domain_of(before.terrain), profile.domain_of(after.terrain));
            if old != new {
                old.into_iter().for_each(|domain| self.set_bit(domain, cell, false));
                new.into_iter().for_each(|domain| self.set_bit(domain, cell, true));
            }
        }
        if after.surcharge != before.surcharge {
            self.set_surcharge(id, before.surcharge, after.surcharge);
        }
        Some(Change { cell, before, after })
    }

    fn set_bit(&mut self, domain: Domain, cell: Cell, value: bool) {
        self.boards[domain.index()].set(cell, value);
        self.column_boards[domain.index()].set(Cell { x: cell.y, y: cell.x }, value);
    }

    fn set_surcharge(&mut self, id: CellId, before: u16, after: u16) {
        let cell_count = self.extent().cell_count();
        let layer = self.surcharges.get_or_insert_with(|| Pages::new(cell_count));
        layer.set(id.index(), after);
        self.surcharged_cells += u32::from(after > 0);
        self.surcharged_cells -= u32::from(before > 0);
        self.surcharge_max = self.surcharge_max.max(after);
        if self.surcharged_cells == 0 {
            self.surcharges = None;
            self.surcharge_max = 0;
        }
    }

    /// Bytes held by cells, bit layers and surcharges.
    pub fn memory_bytes(&self) -> usize {
        self.map.memory_bytes()
            + self.boards.iter().chain(&self.column_boards).map(Board::memory_bytes).sum::<usize>()
            + self.surcharges.as_ref().map_or(0, Pages::memory_bytes)
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
