//! The map being worked on: the engine's world with its agents and planner, start and goal, and what can be undone.

use super::history::{History, Places, Step};
use super::movement::MovementChoice;
use crate::seams::WorldSeams;
use crate::teach::CellsRecipe;
use highroad::catalog::Spec;
use highroad::grid::{Batch, Change, EditError, Extent, Grid, KindId, Palette, Revision};
use highroad::world::PlannerId;
use highroad::{Budget, Cell, GridMap, PathWorld, Simulation, Terrain};
use highroad_lab::generate::MapRecipe;
use highroad_lab::workload::seeded_queries;
use std::path::PathBuf;

/// Changed cells that undo remembers: some 60 MB at the most.
const UNDO_CELLS_MAX: usize = 2_000_000;
/// What the world may do in a tick: a few milliseconds.
const TICK_EXPANSIONS: u64 = 20_000;
/// With more changed cells than this they are not listed, but everything is drawn again.
const CELLS_LISTED_MAX: u64 = 200_000;

/// A world, how its letters are read, and how its agents move.
struct Moving {
    simulation: Simulation,
    palette: Palette,
    planner: Option<PlannerId>,
    choice: MovementChoice,
}

impl Moving {
    fn new(map: GridMap, palette: Palette, choice: MovementChoice) -> Result<Self, String> {
        let movement = choice.movement(palette)?;
        let WorldSeams { clock, background, .. } = WorldSeams::get();
        let mut world =
            PathWorld::with_movement(map, movement).with_history(UNDO_CELLS_MAX).with_clock(clock);
        if let Some(background) = background {
            world = world.with_background(background);
        }
        let budget = Budget::expansions(TICK_EXPANSIONS);
        let simulation = Simulation::new(world, budget).with_step_events();
        Ok(Self { simulation, palette, planner: None, choice })
    }

    fn set_planner(&mut self, spec: Spec) {
        match self.planner {
            Some(planner) => _ = self.simulation.replace_planner(planner, CellsRecipe(spec)),
            None => self.planner = self.simulation.add_planner(KindId::DEFAULT, CellsRecipe(spec)),
        }
    }

    /// Lets go of agents and planner.
    fn rest(&mut self) {
        self.simulation.remove_agents();
        if let Ok(small) = "astar".parse::<Spec>() {
            self.set_planner(small);
        }
    }
}

/// The map being worked on.
pub struct Document {
    /// What it is called.
    pub name: String,
    /// The file it came from or was saved to.
    pub file: Option<PathBuf>,
    /// What the map can be made of again, while nothing is changed.
    pub origin: Option<MapOrigin>,
    places: Places,
    moving: Moving,
    history: History<Moving>,
}

/// What a map can be made of again.
#[derive(Clone, Debug, PartialEq)]
pub enum MapOrigin {
    /// A built-in map, by its name.
    Builtin(&'static str),
    /// A generated map.
    Recipe(MapRecipe),
}

/// Which cells now differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Changed {
    /// None of them.
    #[default]
    Nothing,
    /// These.
    Cells(Vec<Cell>),
    /// So many that any of them may differ.
    Everything,
}

/// What an undo or a redo has done.
#[derive(Default)]
pub struct Reverted {
    /// Cells that now differ.
    pub changed: Changed,
    /// Whether agents move in another way now, so that the planner must be set again.
    pub is_movement: bool,
}

impl Document {
    /// A document of a map, with a start and a goal, or ones that the map has room for.
    pub fn new(
        name: impl Into<String>,
        map: GridMap,
        movement: MovementChoice,
        places: Option<Places>,
    ) -> Self {
        let palette = map.palette();
        let usual = MovementChoice::default();
        let choice = if movement.movement(palette).is_ok() { movement } else { usual };
        let moving = Moving::new(map, palette, choice).expect("the usual movement makes sense");
        let places = places.unwrap_or_else(|| places_on(moving.simulation.world().grid()));
        Self {
            name: name.into(),
            file: None,
            origin: None,
            places,
            moving,
            history: History::default(),
        }
    }

    /// The grid as it is now.
    pub fn grid(&self) -> &Grid {
        self.world().grid()
    }

    /// The world.
    pub fn world(&self) -> &PathWorld {
        self.moving.simulation.world()
    }

    /// The world and its agents.
    pub fn simulation(&self) -> &Simulation {
        &self.moving.simulation
    }

    /// The world and its agents. Edits, undo and redo go through the document.
    pub(super) fn simulation_mut(&mut self) -> &mut Simulation {
        &mut self.moving.simulation
    }

    /// The planner of the world, once one is chosen.
    pub fn planner(&self) -> Option<PlannerId> {
        self.moving.planner
    }

    /// Has a planner built in the background, in the place of the one before.
    pub fn set_planner(&mut self, spec: Spec) {
        self.moving.set_planner(spec);
    }

    /// Where paths start.
    pub fn start(&self) -> Cell {
        self.places.0
    }

    /// Where they end.
    pub fn goal(&self) -> Cell {
        self.places.1
    }

    /// Where paths start and end.
    pub fn places(&self) -> Places {
        self.places
    }

    /// Columns and rows.
    pub fn extent(&self) -> Extent {
        self.grid().extent()
    }

    /// How its letters are read: as when it was opened, or as costs once some were drawn.
    pub fn palette(&self) -> Palette {
        self.moving.palette
    }

    /// How agents move.
    pub fn movement(&self) -> MovementChoice {
        self.moving.choice
    }

    /// Lets agents move in another way, in a new world of the same map.
    pub fn set_movement(&mut self, choice: MovementChoice) -> Result<(), String> {
        self.end_step();
        let moving = Moving::new(self.grid().map().clone(), self.palette(), choice)?;
        let mut before = std::mem::replace(&mut self.moving, moving);
        before.rest();
        self.history.note_movement(before, false);
        Ok(())
    }

    /// Why no costs from 1 to 9 can be drawn, if that is so.
    pub fn refuses_costs(&self) -> Option<&'static str> {
        let refuses =
            self.palette() == Palette::Standard && self.grid().map().count(Terrain::WATER) > 0;
        refuses.then_some("a map with water has no costs from 1 to 9; draw over the water first")
    }

    /// The map with letters of weighted terrain that mean the same, or why there are none. Files of maps have either the
    /// one kind of letters or the other, and only weighted ones have costs from 1 to 16.
    pub fn map_with_costs(&self) -> Result<GridMap, &'static str> {
        let map = self.grid().map();
        if self.palette() == Palette::Weighted {
            return Ok(map.clone());
        }
        if let Some(reason) = self.refuses_costs() {
            return Err(reason);
        }
        let swamp = self.movement().swamp.clamp(1, 16) as u8;
        let letter_of = |terrain: Terrain| match terrain.letter() {
            b'.' | b'G' => b'A',
            b'S' => b'A' + swamp - 1,
            _ => b'@',
        };
        let mut weighted = map.clone();
        for cell in map.extent().cells() {
            let letter = map.terrain(cell).map(letter_of);
            if let Some(terrain) = letter.and_then(Terrain::from_letter) {
                weighted.set(cell, terrain);
            }
        }
        Ok(weighted)
    }

    /// The map as a grid on which costs from 1 to 9 can be drawn, or why there is none.
    pub fn grid_with_costs(&self) -> Result<Grid, String> {
        let movement = self.movement().movement(Palette::Weighted)?;
        Ok(Grid::new(self.map_with_costs()?, movement))
    }

    /// Writes the map with letters of weighted terrain, so that costs can be drawn, or says why not. Agents move as before.
    pub fn allow_costs(&mut self) -> Result<(), String> {
        self.end_step();
        let moving = Moving::new(self.map_with_costs()?, Palette::Weighted, self.movement())?;
        self.origin = None;
        let mut before = std::mem::replace(&mut self.moving, moving);
        before.rest();
        self.history.note_movement(before, true);
        Ok(())
    }

    /// Begins a step: everything until [`Document::end_step`] is undone together.
    pub fn begin_step(&mut self) {
        self.end_step();
        self.history.begin(self.places);
    }

    /// Ends the step.
    pub fn end_step(&mut self) {
        self.history.end(self.places);
    }

    /// Makes changes; returns the cells that now differ, or why nothing was changed.
    pub fn edit(&mut self, batch: &Batch) -> Result<Changed, EditError> {
        let before = self.world().revision();
        self.moving.simulation.edit(batch)?;
        let changed = self.changed_since(before);
        if changed != Changed::Nothing {
            self.origin = None;
            self.history.note_batch(self.places);
        }
        Ok(changed)
    }

    /// Moves start and goal, as a step of its own or as part of one.
    pub fn set_places(&mut self, places: Places) {
        let before = std::mem::replace(&mut self.places, places);
        self.history.note_places(before, places);
    }

    fn changed_since(&self, revision: Revision) -> Changed {
        match self.world().changes_since(revision) {
            _ if revision == self.world().revision() => Changed::Nothing,
            Some(changes) => {
                let changes: Vec<Change> = changes.copied().collect();
                if Change::cell_count(&changes) > CELLS_LISTED_MAX {
                    return Changed::Everything;
                }
                Changed::Cells(changes.iter().flat_map(Change::cells).collect())
            }
            None => Changed::Everything,
        }
    }

    /// How many steps can be undone. One that is being done does not count.
    pub(super) fn step_count(&self) -> usize {
        self.history.step_count()
    }

    /// Whether there is something to undo.
    pub fn can_undo(&self) -> bool {
        self.history.can_undo()
    }

    /// Whether there is something to redo.
    pub fn can_redo(&self) -> bool {
        self.history.can_redo()
    }

    /// Takes the latest step back.
    pub fn undo(&mut self) -> Reverted {
        self.end_step();
        let Some((number, step)) = self.history.pop_done() else { return Reverted::default() };
        let (step, reverted) = match step {
            Step::Work { batches, before, after } => {
                if batches > 0 && !self.world().can_undo() {
                    self.history.forget();
                    return Reverted::default();
                }
                self.places = before;
                let changed = self.repeat(batches, |simulation| simulation.undo().is_some());
                (Step::Work { batches, before, after }, Reverted { changed, is_movement: false })
            }
            Step::Movement { other, rewrites } => self.exchange(*other, rewrites),
        };
        self.history.push_undone((number, step));
        reverted
    }

    /// Makes what was undone last again.
    pub fn redo(&mut self) -> Reverted {
        self.end_step();
        let Some((number, step)) = self.history.pop_undone() else { return Reverted::default() };
        let (step, reverted) = match step {
            Step::Work { batches, before, after } => {
                self.places = after;
                let changed = self.repeat(batches, |simulation| simulation.redo().is_some());
                (Step::Work { batches, before, after }, Reverted { changed, is_movement: false })
            }
            Step::Movement { other, rewrites } => self.exchange(*other, rewrites),
        };
        self.history.push_done((number, step));
        reverted
    }

    fn repeat(&mut self, times: usize, mut act: impl FnMut(&mut Simulation) -> bool) -> Changed {
        let before = self.world().revision();
        for _ in 0..times {
            if !act(&mut self.moving.simulation) {
                break;
            }
        }
        self.changed_since(before)
    }

    /// Takes up another movement, and keeps the present one.
    fn exchange(&mut self, other: Moving, rewrites: bool) -> (Step<Moving>, Reverted) {
        let mut before = std::mem::replace(&mut self.moving, other);
        before.rest();
        let changed = if rewrites { Changed::Everything } else { Changed::Nothing };
        (
            Step::Movement { other: Box::new(before), rewrites },
            Reverted { changed, is_movement: true },
        )
    }

    /// Whether the map is not as it was when it was opened or saved.
    pub fn is_changed(&self) -> bool {
        self.history.is_changed()
    }

    /// The map is in its file now.
    pub fn note_saved(&mut self) {
        self.end_step();
        self.history.note_saved();
    }

    /// Share of cells that can be entered, in per cent.
    pub fn walkable_percent(&self) -> f64 {
        f64::from(self.grid().enterable_count()) / self.extent().cell_count() as f64 * 100.0
    }
}

/// A start and a goal far from each other among some random cells, or two corners where nothing can
/// be entered.
fn places_on(grid: &Grid) -> (Cell, Cell) {
    let extent = grid.extent();
    let corner = Cell::new(extent.width() - 1, extent.height() - 1);
    let apart = |query: &(Cell, Cell)| {
        let (dx, dy) = query.0.offset(query.1);
        dx + dy
    };
    let queries = seeded_queries(grid, 40, 7).into_iter().map(|query| (query.start, query.goal));
    let same_domain = |query: &(Cell, Cell)| grid.domain_of(query.0) == grid.domain_of(query.1);
    queries.filter(same_domain).max_by_key(apart).unwrap_or((Cell::default(), corner))
}

#[cfg(test)]
mod tests;
