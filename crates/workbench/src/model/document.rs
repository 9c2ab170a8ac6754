//! The map being worked on: cells, how agents move, start and goal, and what can be undone.

use highroad::grid::{
    Batch, Change, Extent, Grid, Movement, MovementRule, Palette, Profile, StepCosts,
};
use highroad::{Cell, GridMap, Terrain};
use highroad_lab::workload::seeded_queries;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Changed cells that undo remembers: some 60 MB at the most.
const UNDO_CELLS_MAX: usize = 2_000_000;

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
}

impl Default for MovementChoice {
    fn default() -> Self {
        let rule = MovementRule::ALL.iter().position(|&rule| rule == MovementRule::default());
        Self { rule: rule.unwrap_or(0), straight: 2378, diagonal: 3363, swamp: 1 }
    }
}

impl MovementChoice {
    /// The rule.
    pub fn rule(self) -> MovementRule {
        MovementRule::ALL.get(self.rule).copied().unwrap_or_default()
    }

    /// The movement on a map of that palette, or why there is none.
    fn movement(self, palette: Palette) -> Result<Movement, String> {
        let steps = StepCosts::new(self.straight, self.diagonal).map_err(|e| e.to_string())?;
        let mut profile = Profile::for_palette(palette);
        if palette == Palette::Standard {
            profile = profile.cost(Terrain::SWAMP, self.swamp).map_err(|e| e.to_string())?;
        }
        Movement::new(profile, self.rule(), steps).map_err(|e| e.to_string())
    }
}

/// The map being worked on.
pub struct Document {
    /// What it is called.
    pub name: String,
    /// The file it came from or was saved to.
    pub file: Option<PathBuf>,
    /// Where paths start.
    pub start: Cell,
    /// Where they end.
    pub goal: Cell,
    /// How agents move.
    pub movement: MovementChoice,
    /// Whether the map has changed since it was opened or saved.
    pub is_changed: bool,
    grid: Grid,
    palette: Palette,
    done: Vec<Vec<Change>>,
    undone: Vec<Vec<Change>>,
    /// Changes of the stroke that is being drawn; it becomes one step of undo.
    stroke: Option<Vec<Change>>,
}

impl Document {
    /// A document of a map, with a start and a goal, or ones that the map has room for.
    pub fn new(
        name: impl Into<String>,
        map: GridMap,
        movement: MovementChoice,
        places: Option<(Cell, Cell)>,
    ) -> Self {
        let palette = map.palette();
        let standard = || {
            let chosen = MovementChoice::default();
            (chosen, chosen.movement(palette).unwrap_or_default())
        };
        let (movement, how) = match movement.movement(palette) {
            Ok(how) => (movement, how),
            Err(_) => standard(),
        };
        let grid = Grid::new(map, how);
        let (start, goal) = places.unwrap_or_else(|| places_on(&grid));
        Self {
            name: name.into(),
            file: None,
            start,
            goal,
            movement,
            is_changed: false,
            grid,
            palette,
            done: Vec::new(),
            undone: Vec::new(),
            stroke: None,
        }
    }

    /// The grid as it is now.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Columns and rows.
    pub fn extent(&self) -> Extent {
        self.grid.extent()
    }

    /// How its letters are read, from when it was opened.
    pub fn palette(&self) -> Palette {
        self.palette
    }

    /// Lets agents move in another way. The grid is rebuilt; what can be undone stays.
    pub fn set_movement(&mut self, choice: MovementChoice) -> Result<(), String> {
        let movement = choice.movement(self.palette)?;
        self.grid = Grid::new(self.grid.map().clone(), movement);
        self.movement = choice;
        Ok(())
    }

    /// Begins a stroke: everything until [`Document::end_stroke`] is undone together.
    pub fn begin_stroke(&mut self) {
        self.end_stroke();
        self.stroke = Some(Vec::new());
    }

    /// Ends the stroke.
    pub fn end_stroke(&mut self) {
        if let Some(stroke) = self.stroke.take().filter(|stroke| !stroke.is_empty()) {
            self.remember(stroke);
        }
    }

    /// Makes changes; returns the cells that now differ. What lies outside changes nothing.
    pub fn edit(&mut self, batch: &Batch) -> Vec<Change> {
        let Ok(changes) = self.grid.apply(batch) else { return Vec::new() };
        if changes.is_empty() {
            return changes;
        }
        self.is_changed = true;
        self.undone.clear();
        match &mut self.stroke {
            Some(stroke) => stroke.extend_from_slice(&changes),
            None => self.remember(changes.clone()),
        }
        changes
    }

    fn remember(&mut self, changes: Vec<Change>) {
        self.done.push(changes);
        let mut cells: usize = self.done.iter().map(Vec::len).sum();
        let mut forgotten = 0;
        while cells > UNDO_CELLS_MAX && forgotten + 1 < self.done.len() {
            cells -= self.done[forgotten].len();
            forgotten += 1;
        }
        self.done.drain(..forgotten);
    }

    /// Whether there is something to undo.
    pub fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    /// Whether there is something to redo.
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Takes the latest change back; returns the cells that now differ.
    pub fn undo(&mut self) -> Vec<Change> {
        self.end_stroke();
        let Some(changes) = self.done.pop() else { return Vec::new() };
        let back = self.grid.apply(&Batch::undoing(&changes)).unwrap_or_default();
        self.undone.push(changes);
        self.is_changed = true;
        back
    }

    /// Makes what was undone last again; returns the cells that now differ.
    pub fn redo(&mut self) -> Vec<Change> {
        self.end_stroke();
        let Some(changes) = self.undone.pop() else { return Vec::new() };
        let mut batch = Batch::new();
        for change in &changes {
            batch.set(change.cell, change.after.terrain);
        }
        let again = self.grid.apply(&batch).unwrap_or_default();
        self.done.push(changes);
        self.is_changed = true;
        again
    }

    /// Share of cells that can be entered, in per cent.
    pub fn walkable_percent(&self) -> f64 {
        f64::from(self.grid.enterable_count()) / self.extent().cell_count() as f64 * 100.0
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
mod tests {
    use super::*;

    fn document(drawing: &str) -> Document {
        let map = drawing.parse().unwrap();
        Document::new("test", map, MovementChoice::default(), None)
    }

    fn wall(x: u32, y: u32) -> Batch {
        let mut batch = Batch::new();
        batch.set((x, y), Terrain::WALL);
        batch
    }

    #[test]
    fn a_stroke_is_undone_as_a_whole_and_redone() {
        let mut document = document("....\n....\n");
        document.begin_stroke();
        document.edit(&wall(1, 0));
        document.edit(&wall(2, 0));
        document.end_stroke();
        document.edit(&wall(0, 1));
        assert_eq!(document.grid().map().to_string(), ".@@.\n@...\n");
        assert_eq!(document.undo().len(), 1);
        assert_eq!(document.undo().len(), 2);
        assert_eq!(document.grid().map().to_string(), "....\n....\n");
        assert!(!document.can_undo() && document.undo().is_empty());
        assert_eq!(document.redo().len(), 2);
        assert_eq!(document.grid().map().to_string(), ".@@.\n....\n");
        document.edit(&wall(3, 1));
        assert!(!document.can_redo(), "a new change ends what could be redone");
    }

    #[test]
    fn edits_outside_change_nothing() {
        let mut document = document("..\n");
        assert!(document.edit(&wall(2, 0)).is_empty());
        assert!(!document.is_changed && !document.can_undo());
    }

    #[test]
    fn movement_that_makes_no_sense_is_refused_and_the_old_one_stays() {
        let mut document = document("..\n");
        let choice = MovementChoice { straight: 5, diagonal: 30, ..document.movement };
        assert!(document.set_movement(choice).unwrap_err().contains("step costs 5/30"));
        assert_eq!(document.movement, MovementChoice::default());
        let choice = MovementChoice { rule: 0, swamp: 3, ..document.movement };
        document.set_movement(choice).unwrap();
        assert_eq!(document.grid().movement().rule(), MovementRule::FourWay);
    }

    #[test]
    fn maps_without_ground_have_places_too() {
        let document = document("###\n###\n");
        assert_eq!((document.start, document.goal), (Cell::new(0, 0), Cell::new(2, 1)));
    }
}
