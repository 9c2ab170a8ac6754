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
//! Where a kind of agent pays for [slopes](Slopes), a step costs so much more as it leads up or down.
//!
//! With [`PaidCells::Entered`] the cell that a path starts on costs nothing, and where cells differ a way there and
//! back may cost different amounts: see there for who serves it.

mod apply;
mod board;
mod canonical;
mod cell;
mod components;
mod connectivity;
mod cost;
mod edit;
mod effects;
mod environment;
mod exits;
mod fingerprint;
mod footprint;
mod ground;
mod layer;
mod links;
mod map;
mod pages;
mod places;
mod plateaus;
#[cfg(feature = "serde")]
mod readable;
mod relief;
mod rule;
mod saved;
pub(crate) mod shared;
mod space;
mod steps;
mod terrain;
mod text;
mod variation;

pub use crate::environment::{Cost, Edition, Revision};
pub use cell::{Cell, CellError, CellId, Extent, SIDE_MAX, SizeError};
pub use components::Components;
pub use connectivity::{ConnectedPart, Connectivity};
pub use cost::{StepCosts, StepCostsError};
pub use edit::{Batch, CellRect, CellState, Change, EditError};
pub use effects::{CellEffect, Footing};
pub use environment::{CellRefusal, PathProblem};
pub use footprint::{Footprint, FootprintCost, FootprintError};
pub use ground::KindId;
pub use links::{Link, LinkChange, LinkProblem};
pub use map::{GridMap, PaletteDoubt};
pub use relief::{Border, BorderSide, Slopes, SlopesError};
pub use rule::{Direction, MovementRule};
pub use space::{GridSpace, ShapedSteps};
pub use terrain::{
    CostOverflow, Domain, Movement, PaidCells, Palette, Profile, ProfileError, Terrain,
};
pub use text::{MapError, MapProblem};

pub(crate) use board::{Board, Cursor, Row};
pub(crate) use canonical::{ARRIVAL_AT_START, CanonicalMoves};
pub(crate) use connectivity::DescentMemory;
pub(crate) use environment::{step_depends, step_depends_on};
pub(crate) use rule::DELTAS;
pub(crate) use space::{
    ALWAYS, AT_MOST_ONE, Frames, JumpPoints, NEVER_CUT, NearestMemory, SHAPED, UniformSteps,
    Wanted, WeightedSteps, nearest_in_few_runs, nearest_reachable, serves_jump_points, with_rule,
};

use exits::Exits;
use footprint::{PlaceCosts, eroded};
use ground::{Ground, Surcharges};
use links::Hops;
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
    /// The smallest and the largest cost that an enterable cell may have.
    cost_range: (u32, u32),
    /// What places cost agents that cover more than one cell; `None` for others.
    place_costs: Option<PlaceCosts>,
    /// Whether costs do not follow from the terrain and what all kinds pay on top alone.
    has_own_costs: bool,
    /// Where neighbouring cells cost the same; present while any two cells differ.
    plateaus: Option<Plateaus>,
    /// The steps that borders and heights close.
    exits: Exits,
    /// Whether heights make steps cost more.
    sloped: bool,
    /// The links that agents can use.
    hops: Hops,
    /// Whether they do, any step is closed, or there are links.
    shaped: bool,
    /// Which cells a path joins; present once it was asked for.
    connectivity: Option<Arc<Connectivity>>,
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
        let footprint = movement.footprint();
        let mut boards: Vec<Board> = (0..movement.profile().domain_count())
            .map(|domain| build_board(map, movement.profile(), domain))
            .collect();
        if !footprint.is_cell() {
            let extent = map.extent();
            boards.iter_mut().for_each(|board| *board = eroded(board, extent, footprint));
        }
        let column_boards = boards.iter().map(|board| board.transposed(map.extent())).collect();
        let mut grid = Self {
            ground,
            kind,
            movement: Arc::new(movement),
            boards,
            column_boards,
            own_surcharges,
            surcharge_counts: BTreeMap::new(),
            cost_range: (1, 1),
            place_costs: None,
            has_own_costs: false,
            plateaus: None,
            exits: Exits::default(),
            sloped: false,
            hops: Hops::default(),
            shaped: false,
            connectivity: None,
            revision,
            edition: Edition::new(),
        };
        grid.has_own_costs = !grid.own_surcharges.is_empty();
        if !footprint.is_cell() {
            grid.price_places();
        } else if grid.has_surcharges() {
            let extent = grid.extent();
            for cell in extent.cells().filter(|&cell| grid.is_enterable(cell)).collect::<Vec<_>>() {
                grid.count_surcharge(0, grid.surcharge_at(extent.id_inside(cell)));
            }
        }
        grid.cost_range = grid.find_cost_range();
        grid.find_hops();
        grid.find_exits();
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

    /// Whether an agent may stand on the cell. Outside, none may. An agent larger than a cell stands there with its top left
    /// cell: see [`Footprint`].
    #[inline]
    pub fn is_enterable(&self, cell: Cell) -> bool {
        self.domain_of(cell).is_some()
    }

    /// The domain of an enterable cell, which paths from it do not leave; `None` where no agent may stand.
    #[inline]
    pub fn domain_of(&self, cell: Cell) -> Option<Domain> {
        if self.place_costs.is_none() {
            return self.movement.profile().domain_of(self.ground.map.terrain(cell)?);
        }
        self.domain_of_place(cell)
    }

    /// The same for agents larger than a cell, whose places are in the bits alone.
    #[cold]
    fn domain_of_place(&self, cell: Cell) -> Option<Domain> {
        if !self.extent().contains(cell) {
            return None;
        }
        let domain = self.boards.iter().position(|board| board.is_free(cell))?;
        Domain::new(domain as u8)
    }

    /// What the cell costs, terrain and surcharge; `None` where no agent may stand. For agents larger than a cell, what
    /// [all covered cells](FootprintCost) cost.
    pub fn cost_of(&self, cell: Cell) -> Option<u32> {
        let id = self.extent().id(cell)?;
        self.is_enterable(cell).then(|| self.cost_at(id))
    }

    /// What an enterable cell costs.
    #[inline]
    pub(crate) fn cost_at(&self, id: CellId) -> u32 {
        if self.has_own_costs {
            return self.own_cost_at(id);
        }
        let terrain = self.movement.profile().raw_cost(self.ground.map.terrain_at(id));
        u32::from(terrain) + u32::from(self.ground.surcharges.at(id))
    }

    /// The same where there are costs of this kind alone.
    fn own_cost_at(&self, id: CellId) -> u32 {
        if let Some(places) = &self.place_costs {
            return places.at(id);
        }
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

    /// How many cells agents may stand on. O(kinds of terrain), as the map counts its letters.
    pub fn enterable_count(&self) -> u32 {
        if let Some(places) = &self.place_costs {
            return places.places();
        }
        let profile = self.movement.profile();
        let map = &self.ground.map;
        let enterable = map.terrains().filter(|&terrain| profile.cost_of(terrain).is_some());
        enterable.map(|terrain| map.count(terrain)).sum()
    }

    /// The smallest and the largest cost that an enterable cell may have.
    #[inline]
    pub fn cost_range(&self) -> RangeInclusive<u32> {
        self.cost_range.0..=self.cost_range.1
    }

    /// Finds that range. O(kinds of terrain).
    fn find_cost_range(&self) -> (u32, u32) {
        if let Some(places) = &self.place_costs {
            return places.range().unwrap_or((1, 1));
        }
        let costs =
            || self.ground.map.terrains().filter_map(|t| self.movement.profile().cost_of(t));
        let min = costs().min().unwrap_or(1);
        let max = costs().max().unwrap_or(1);
        let surcharge_max = self.surcharge_counts.last_key_value().map_or(0, |(&most, _)| most);
        (u32::from(min), u32::from(max) + u32::from(surcharge_max))
    }

    /// The one cost that all enterable cells have, if they do and nothing else decides what steps cost: not where
    /// [borders or heights](Grid::is_shaped) do.
    #[inline]
    pub fn uniform_cost(&self) -> Option<u32> {
        let (least, most) = self.cost_range;
        (least == most && !self.shaped).then_some(least)
    }

    /// Whether every step can be taken back at the same cost: where steps are paid for by [both cells](PaidCells::Both), or
    /// all cells cost the same, and no border or height makes one way differ from the other.
    ///
    /// ```
    /// use highroad::grid::{Grid, Movement, PaidCells};
    /// let movement = Movement::default().with_paid_cells(PaidCells::Entered);
    /// let grid = Grid::new("..\n".parse()?, movement);
    /// assert!(grid.costs_the_same_both_ways());
    /// # Ok::<(), highroad::grid::MapError>(())
    /// ```
    pub fn costs_the_same_both_ways(&self) -> bool {
        let even = || {
            let range = self.cost_range();
            range.start() == range.end()
        };
        (self.movement.paid_cells() == PaidCells::Both || even())
            && self.exits.lead_both_ways()
            && self.links_lead_both_ways()
            && self.slopes_are_even()
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

    /// Bytes held by cells, bit layers and surcharges.
    pub fn memory_bytes(&self) -> usize {
        self.shared_bytes() + self.own_bytes()
    }

    /// The part of [`Grid::memory_bytes`] that all kinds of agents on the map share.
    pub fn shared_bytes(&self) -> usize {
        self.ground.map.memory_bytes() + self.ground.surcharges.memory_bytes()
    }

    /// The part of [`Grid::memory_bytes`] that is this kind's alone.
    ///
    /// ```
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults("...\n".parse()?);
    /// assert_eq!(grid.memory_bytes(), grid.shared_bytes() + grid.own_bytes());
    /// # Ok::<(), highroad::grid::MapError>(())
    /// ```
    pub fn own_bytes(&self) -> usize {
        self.boards.iter().chain(&self.column_boards).map(Board::memory_bytes).sum::<usize>()
            + self.own_surcharges.memory_bytes()
            + self.place_costs.as_ref().map_or(0, PlaceCosts::memory_bytes)
            + self.plateaus.as_ref().map_or(0, Plateaus::memory_bytes)
            + self.exits.memory_bytes()
            + self.hops.memory_bytes()
            + self.connectivity.as_ref().map_or(0, |parts| parts.memory_bytes())
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
