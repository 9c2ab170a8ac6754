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
mod plateaus;
#[cfg(feature = "serde")]
mod readable;
mod relief;
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

use edit::{ChangeList, Edit, Paint};
use exits::Exits;
use footprint::{PlaceCosts, Run, eroded, places_over, visit_places};
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

    /// The cost of one step, or of a link if that is cheaper; `None` if the rule, the map or the profile does not allow
    /// it.
    pub fn step_cost(&self, from: Cell, to: Cell) -> Option<u32> {
        let walking = self.walking_cost(from, to);
        if self.hops.is_empty() {
            return walking;
        }
        let link = self.extent().id(from).zip(self.extent().id(to));
        let link = link.and_then(|(from, to)| self.link_cost(from, to));
        walking.into_iter().chain(link).min()
    }

    /// The cost of one step, whatever links there are.
    pub(crate) fn walking_cost(&self, from: Cell, to: Cell) -> Option<u32> {
        let direction = Direction::between(from, to)?;
        let (from_id, to_id) = (self.extent().id(from)?, self.extent().id(to)?);
        let pattern = self.board_of(from)?.neighbourhood(from);
        let allowed = self.movement.rule().moves()[pattern] >> (direction as u8) & 1 == 1;
        let allowed = allowed && !self.is_closed(from_id, direction as usize);
        let (from, to) = (self.cost_at(from_id), self.cost_at(to_id));
        let flat = || self.movement.step(direction.is_diagonal(), from, to);
        allowed.then(|| flat() + self.slope(from_id, to_id))
    }

    /// The cells that one step or link leads to, each with the cost: for planners of your own.
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
        let mut linked = Vec::new();
        if let Some(id) = self.extent().id(from).filter(|_| self.has_links()) {
            self.visit_links(id, false, |to, cost| linked.push((self.extent().cell(to), cost)));
        }
        let steps = Direction::ALL.into_iter().filter_map(move |direction| {
            let (columns, rows) = direction.delta();
            let x = from.x.checked_add_signed(columns)?;
            let to = Cell::new(x, from.y.checked_add_signed(rows)?);
            self.walking_cost(from, to).map(|cost| (to, cost))
        });
        steps.chain(linked)
    }

    /// The cost of walking along neighbouring cells, each step of which is known to be allowed.
    pub(crate) fn cost_along(&self, cells: &[Cell]) -> Cost {
        if self.has_links() {
            let cost = |step: &[Cell]| self.step_cost(step[0], step[1]).map_or(0, u64::from);
            return cells.windows(2).map(|step| Cost(cost(step))).sum();
        }
        let flat = self.flat_cost_along(cells);
        if !self.sloped {
            return flat;
        }
        let id = |cell| self.extent().id_inside(cell);
        let slope = |step: &[Cell]| self.slope(id(step[0]), id(step[1]));
        flat + cells.windows(2).map(|step| Cost(u64::from(slope(step)))).sum()
    }

    /// The same without what slopes cost.
    pub(crate) fn flat_cost_along(&self, cells: &[Cell]) -> Cost {
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

    /// Makes all changes of a batch, or none. Returns the cells that now differ, in rectangles of cells that changed
    /// alike and in the order of the batch; a cell that the batch changes twice occurs twice. The revision goes up by one, or
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
        Self::check_links(kinds, batch)?;
        // All let go of the ground: where no snapshot holds it either, it is changed in place.
        let mut shared = Arc::clone(&first.ground);
        kinds.iter_mut().for_each(|grid| grid.ground = Ground::nowhere());
        let ground = Arc::make_mut(&mut shared);
        let mut changes = ChangeList::default();
        for edit in &batch.edits {
            changes.begin_edit(edit.rect);
            for y in edit.rect.min().y..=edit.rect.max().y {
                Self::apply_to_row(kinds, ground, edit, y, &mut changes);
            }
        }
        let changes = changes.finish();
        for grid in kinds {
            grid.ground = Arc::clone(&shared);
            if !changes.is_empty() {
                grid.has_own_costs = grid.place_costs.is_some() || !grid.own_surcharges.is_empty();
                let mut places: Vec<CellRect> = match grid.place_costs.is_some() {
                    true => grid.follow_places(&changes),
                    false => {
                        grid.follow_bits(&changes);
                        changes.iter().map(|change| change.rect).collect()
                    }
                };
                grid.cost_range = grid.find_cost_range();
                places.extend(grid.follow_links(&changes).into_iter().map(CellRect::from));
                places.extend(grid.follow_exits(&changes));
                grid.follow_level_ground(places.iter().copied());
                grid.revision.0 += 1;
                grid.edition = Edition::new();
                grid.follow_connectivity(&changes);
            }
        }
        Ok(changes)
    }

    /// Makes one edit in one row, by runs of cells that are alike.
    fn apply_to_row(
        kinds: &mut [Self],
        ground: &mut Ground,
        edit: &Edit,
        y: u32,
        changes: &mut ChangeList,
    ) {
        let last = edit.rect.max().x;
        let mut x = edit.rect.min().x;
        while x <= last {
            let rest = CellRect::new((x, y), (last, y));
            let (run, change) = match (edit.kind, edit.paint) {
                (Some(kind), Paint::Surcharge(amount)) => {
                    let grid = kinds.iter_mut().find(|grid| grid.kind == kind);
                    grid.map_or((rest, None), |grid| grid.own_surcharge(rest, ground, amount))
                }
                (_, paint) => ground.paint(rest, paint),
            };
            if let Some(change) = change {
                kinds.iter_mut().for_each(|grid| grid.follow(&change, ground));
                changes.push(change);
            }
            x = run.max().x + 1;
        }
    }

    /// Whether the links of a batch can be opened and closed: also such as an earlier edit of the same batch makes possible.
    fn check_links(kinds: &[Self], batch: &Batch) -> Result<(), EditError> {
        let is_link = |paint| matches!(paint, Paint::Link { .. } | Paint::RestoredLink(_));
        if !batch.edits.iter().any(|edit| is_link(edit.paint)) {
            return Ok(());
        }
        let Some(first) = kinds.first() else { return Ok(()) };
        let mut links = first.map().links().clone();
        for (at, edit) in batch.edits.iter().enumerate() {
            let (link, opened) = match edit.paint {
                Paint::Link { link, opened } => (link, opened),
                Paint::RestoredLink(link) => {
                    links.open(link);
                    continue;
                }
                _ => continue,
            };
            if !opened {
                let missing = EditError::Link { link, problem: LinkProblem::Missing };
                links.close(link).then_some(()).ok_or(missing)?;
                continue;
            }
            links.open(link);
            let painted = |cell: Cell| {
                let earlier = batch.edits[..at].iter().rev();
                let mut earlier = earlier.filter(|edit| edit.rect.contains(cell));
                earlier.find_map(|edit| match edit.paint {
                    Paint::Terrain(terrain) => Some(terrain),
                    _ => None,
                })
            };
            let stands = |grid: &Self, cell: Cell| match painted(cell) {
                Some(terrain) => grid.movement.profile().domain_of(terrain).is_some(),
                None => grid.ground_footing(cell).is_some(),
            };
            let is_for = |grid: &&Self| link.kind.is_none_or(|kind| kind == grid.kind);
            let blocked =
                |cell: &Cell| !kinds.iter().filter(is_for).any(|grid| stands(grid, *cell));
            if let Some(cell) = [link.from, link.to].into_iter().find(blocked) {
                return Err(EditError::Link { link, problem: LinkProblem::Blocked { cell } });
            }
        }
        Ok(())
    }

    /// Changes what the first cells of a row cost this kind alone, as far as they are alike. Returns them, and the change;
    /// `None` if they cost that already.
    fn own_surcharge(
        &mut self,
        row: CellRect,
        ground: &Ground,
        amount: u16,
    ) -> (CellRect, Option<Change>) {
        let (run, before) = ground.alike(row, &self.own_surcharges);
        if before.surcharge == amount {
            return (run, None);
        }
        let extent = ground.map.extent();
        for cell in run.cells() {
            self.own_surcharges.set(extent.cell_count(), extent.id_inside(cell), amount);
        }
        let after = CellState { surcharge: amount, ..before };
        (run, Some(Change { rect: run, kind: Some(self.kind), before, after, link: None }))
    }

    /// Keeps the count of surcharges in step with cells that have just changed.
    fn follow(&mut self, change: &Change, ground: &Ground) {
        if !self.is_concerned_by(change) || self.place_costs.is_some() {
            return;
        }
        let [old, new] = self.domains_of(change);
        let paid = |domain: Option<Domain>, state: CellState, other: u16| {
            domain.map_or(0, |_| state.surcharge.saturating_add(other))
        };
        // The part of the surcharge that the change is not about.
        let is_all = match change.kind {
            None => self.own_surcharges.is_empty(),
            Some(_) => ground.surcharges.is_empty(),
        };
        if is_all {
            let cells = change.rect.cell_count() as u32;
            self.count_surcharges(paid(old, change.before, 0), paid(new, change.after, 0), cells);
            return;
        }
        for cell in change.rect.cells() {
            let id = ground.map.extent().id_inside(cell);
            let other = match change.kind {
                None => self.own_surcharges.at(id),
                Some(_) => ground.surcharges.at(id),
            };
            self.count_surcharge(paid(old, change.before, other), paid(new, change.after, other));
        }
    }

    /// The domains that the cells of a change were in, and are in now.
    fn domains_of(&self, change: &Change) -> [Option<Domain>; 2] {
        let profile = self.movement.profile();
        [change.before, change.after].map(|state| profile.domain_of(state.terrain))
    }

    /// Keeps the bits in step with all changes of a batch, rectangle by rectangle. Where that would be slower, the columns
    /// are found from the rows again.
    fn follow_bits(&mut self, changes: &[Change]) {
        let mut columns = 0;
        for change in changes {
            let [old, new] = self.domains_of(change);
            if old != new {
                fill(&mut self.boards, change.rect, old, new);
                columns += u64::from(change.rect.max().x - change.rect.min().x) + 1;
            }
        }
        let extent = self.extent();
        if columns > (extent.cell_count() as u64 / COLUMNS_SHARE).max(COLUMNS_FEW) {
            let rows = self.boards.iter();
            self.column_boards = rows.map(|board| board.transposed(extent)).collect();
            return;
        }
        for change in changes.iter().filter(|_| columns > 0) {
            let [old, new] = self.domains_of(change);
            if old != new {
                let across = |cell: Cell| Cell { x: cell.y, y: cell.x };
                let rect = CellRect::new(across(change.rect.min()), across(change.rect.max()));
                fill(&mut self.column_boards, rect, old, new);
            }
        }
    }

    /// Finds what all places cost agents larger than a cell.
    fn price_places(&mut self) {
        let (extent, footprint) = (self.extent(), self.movement.footprint());
        let base = u32::from(self.movement.profile().cost_min());
        let mut costs = PlaceCosts::new(base);
        let cells = self.ground.map.terrains();
        let mut cells = cells.filter_map(|terrain| self.movement.profile().cost_of(terrain));
        let all_cost_base = cells.all(|cost| u32::from(cost) == base);
        if all_cost_base && !self.has_surcharges() {
            let places = self.boards.iter().map(|board| board.count(extent)).sum();
            costs.count(None, Some(base), places);
        } else {
            for y in 0..extent.height() {
                let row = Run { y, first: 0, last: extent.width() - 1 };
                visit_places(
                    footprint,
                    row,
                    |cell| self.ground_footing(cell),
                    |cell, footing| {
                        let cost = footing.map(|footing| footing.cost);
                        costs.set(extent.cell_count(), extent.id_inside(cell), None, cost);
                    },
                );
            }
        }
        self.place_costs = Some(costs);
        self.has_own_costs = true;
    }

    /// Keeps bits and costs of places in step with the cells that have just changed. Returns the places that differ.
    fn follow_places(&mut self, changes: &[Change]) -> Vec<CellRect> {
        let (extent, footprint) = (self.extent(), self.movement.footprint());
        let concerning = changes.iter().filter(|change| self.is_concerned_by(change));
        let mut rects: Vec<CellRect> = Vec::new();
        let mut differing: Vec<(Cell, Option<Footing>)> = Vec::new();
        for run in places_over(footprint, concerning.map(|change| change.rect)) {
            visit_places(
                footprint,
                run,
                |cell| self.ground_footing(cell),
                |cell, footing| {
                    if self.footing(cell) != footing {
                        differing.push((cell, footing));
                    }
                },
            );
            for (cell, after) in differing.drain(..) {
                let before = self.footing(cell);
                let [old, new] =
                    [before, after].map(|footing| footing.map(|footing| footing.domain));
                if old != new {
                    old.into_iter().for_each(|domain| self.set_bit(domain, cell, false));
                    new.into_iter().for_each(|domain| self.set_bit(domain, cell, true));
                }
                let [old, new] = [before, after].map(|footing| footing.map(|footing| footing.cost));
                if let Some(costs) = &mut self.place_costs {
                    costs.set(extent.cell_count(), extent.id_inside(cell), old, new);
                }
                match rects.last_mut() {
                    Some(last) if (last.max().x + 1, last.max().y) == (cell.x, cell.y) => {
                        *last = CellRect::new(last.min(), cell);
                    }
                    _ => rects.push(cell.into()),
                }
            }
        }
        rects
    }

    /// Counts what an enterable cell costs on top of its terrain, before and after a change; 0 for others.
    fn count_surcharge(&mut self, before: u16, after: u16) {
        self.count_surcharges(before, after, 1);
    }

    /// The same for several cells that are alike.
    fn count_surcharges(&mut self, before: u16, after: u16, cells: u32) {
        if before == after {
            return;
        }
        if after > 0 {
            *self.surcharge_counts.entry(after).or_default() += cells;
        }
        if let Some(count) = self.surcharge_counts.get_mut(&before) {
            *count -= cells;
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

/// With more columns of changed rectangles than one for so many cells of the map, the bits in columns are found again:
/// a tile of 64 × 64 bits is transposed in the time of about as many single ones.
const COLUMNS_SHARE: u64 = 64;
/// So many columns are always set one by one.
const COLUMNS_FEW: u64 = 64;

/// Moves the cells of a rectangle from one domain to another.
fn fill(boards: &mut [Board], rect: CellRect, from: Option<Domain>, to: Option<Domain>) {
    from.into_iter().for_each(|domain| boards[domain.index()].fill(rect, false));
    to.into_iter().for_each(|domain| boards[domain.index()].fill(rect, true));
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
