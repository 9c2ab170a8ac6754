//! What a student has done so far, what a task asks for, and how it is done.

use super::{StepScene, grid_of};
use crate::teach::{Recording, phase_name, record};
use highroad::catalog::Spec;
use highroad::grid::{Grid, MovementRule, Palette};
use highroad::{Cell, GridMap, Terrain};
use highroad_pictures::replay::Replay;
use std::collections::BTreeMap;

/// When a task is done: everything that is set must be so.
#[derive(Clone, Debug, Default)]
pub struct Check {
    /// Where the path starts.
    pub start: Option<Cell>,
    /// Where it ends.
    pub goal: Option<Cell>,
    /// The planner's name.
    pub planner: Option<String>,
    /// Options of the planner and their values.
    pub options: BTreeMap<String, String>,
    /// Cells that nobody can enter.
    pub walls: Vec<Cell>,
    /// Cells that can be entered.
    pub free: Vec<Cell>,
    /// Cells and what they cost.
    pub costs: Vec<(Cell, u32)>,
    /// Cells on the path.
    pub path_through: Vec<Cell>,
    /// Cells that are not on the path.
    pub path_avoids: Vec<Cell>,
    /// Whether there is a path.
    pub found: Option<bool>,
    /// The least and the most that the path costs.
    pub cost: (Option<f64>, Option<f64>),
    /// The fewest and the most cells that are expanded.
    pub expanded: (Option<u64>, Option<u64>),
    /// Whether the recording stands at its end.
    pub at_end: bool,
    /// How many events must have happened.
    pub events_min: usize,
    /// The part of the recording in which it stands.
    pub part: Option<String>,
    /// Layers that are switched on.
    pub layers: Vec<String>,
}

/// What the student sees.
pub struct Situation<'a> {
    /// The map.
    pub grid: &'a Grid,
    /// Where the path starts.
    pub start: Cell,
    /// Where it ends.
    pub goal: Cell,
    /// The planner.
    pub planner: &'a Spec,
    /// The path, if there is one.
    pub path: Option<&'a [Cell]>,
    /// What it costs, in straight steps over plain ground.
    pub cost: Option<f64>,
    /// How many cells were expanded.
    pub expanded: u64,
    /// How many events of the recording have happened, of how many.
    pub position: (usize, usize),
    /// What the part of the recording is called in which it stands.
    pub part: Option<&'a str>,
    /// Whether a layer is switched on.
    pub layer_is_on: &'a dyn Fn(&str) -> bool,
}

impl Check {
    /// Whether it is so.
    pub fn is_met(&self, now: &Situation<'_>) -> bool {
        let values = now.planner.values();
        let within = |value: Option<f64>, (least, most): (Option<f64>, Option<f64>)| {
            let above = least.is_none_or(|least| value.is_some_and(|value| value >= least - 1e-6));
            above && most.is_none_or(|most| value.is_some_and(|value| value <= most + 1e-6))
        };
        let wide = |bound: Option<u64>| bound.map(|bound| bound as f64);
        let on_path = |cell: &Cell| now.path.is_some_and(|path| path.contains(cell));
        self.start.is_none_or(|cell| cell == now.start)
            && self.goal.is_none_or(|cell| cell == now.goal)
            && self.planner.as_ref().is_none_or(|name| name == now.planner.entry().name)
            && self
                .options
                .iter()
                .all(|(name, value)| values.has(name) && values.text(name) == value)
            && self.walls.iter().all(|&cell| !now.grid.is_enterable(cell))
            && self.free.iter().all(|&cell| now.grid.is_enterable(cell))
            && self.costs.iter().all(|&(cell, cost)| now.grid.cost_of(cell) == Some(cost))
            && self.path_through.iter().all(on_path)
            && (self.path_avoids.is_empty() || now.path.is_some())
            && !self.path_avoids.iter().any(on_path)
            && self.found.is_none_or(|found| found == now.path.is_some())
            && within(now.cost, self.cost)
            && within(Some(now.expanded as f64), (wide(self.expanded.0), wide(self.expanded.1)))
            && (!self.at_end || now.position.0 == now.position.1)
            && now.position.0 >= self.events_min
            && self.part.as_ref().is_none_or(|part| now.part == Some(part))
            && self.layers.iter().all(|layer| (now.layer_is_on)(layer))
    }
}

/// Something that a student can do.
#[derive(Clone, Debug)]
pub enum Action {
    /// Moves the start.
    Start(Cell),
    /// Moves the goal.
    Goal(Cell),
    /// Chooses a planner and its options.
    Planner(Spec),
    /// Draws cells.
    Draw(Terrain, Vec<Cell>),
    /// Goes to a place in the recording: so many events have happened.
    GoTo(usize),
    /// Goes to the end of the last part of the recording that has a name.
    GoToPart(String),
    /// Switches a layer on.
    Layer(String),
}

impl Action {
    /// Whether it leaves the query as it is.
    pub fn is_about_view(&self) -> bool {
        matches!(self, Self::GoTo(_) | Self::GoToPart(_) | Self::Layer(_))
    }
}

/// What the part of a recording is called in which it stands.
pub fn current_part(replay: &Replay) -> Option<&'static str> {
    Some(phase_name(replay.phases(), replay.phase()?))
}

/// How many events there are up to the end of the last part that has a name.
pub fn end_of_part(replay: &Replay, name: &str) -> Option<usize> {
    let phases = replay.phases();
    let found = (0..phases.len()).rfind(|&number| phase_name(phases, number) == name)?;
    Some(phases[found].events.end)
}

/// Draws an action on a map.
pub fn perform_on_map(map: &mut GridMap, terrain: Terrain, cells: &[Cell]) {
    for &cell in cells {
        map.set(cell, terrain);
    }
}

/// A student without a window: does what a task asks for. Tests go through lessons with it.
pub struct Classroom {
    map: GridMap,
    palette: Palette,
    rule: MovementRule,
    start: Cell,
    goal: Cell,
    planner: Spec,
    position: Place,
    layers: Vec<String>,
}

/// Where the recording stands.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Events(usize),
    Part(String),
    End,
}

impl Classroom {
    /// As a step begins.
    pub fn new(scene: &StepScene) -> Self {
        let position = match scene.show {
            super::Show::Start => Place::Events(0),
            super::Show::End => Place::End,
        };
        Self {
            map: scene.map.clone(),
            palette: scene.palette,
            rule: scene.rule,
            start: scene.start,
            goal: scene.goal,
            planner: scene.planner.clone(),
            position,
            layers: scene.layers.clone(),
        }
    }

    /// Does something.
    pub fn perform(&mut self, action: &Action) {
        match action {
            Action::Start(cell) => self.start = *cell,
            Action::Goal(cell) => self.goal = *cell,
            Action::Planner(spec) => self.planner = spec.clone(),
            Action::Draw(terrain, cells) => perform_on_map(&mut self.map, *terrain, cells),
            Action::GoTo(position) => self.position = Place::Events(*position),
            Action::GoToPart(name) => self.position = Place::Part(name.clone()),
            Action::Layer(name) => self.layers.push(name.clone()),
        }
        // A new query is shown at its end, as in the window.
        if !action.is_about_view() {
            self.position = Place::End;
        }
    }

    /// Whether a check is met now; the error says why there is nothing to check.
    pub fn meets(&self, check: &Check) -> Result<bool, String> {
        let grid = grid_of(self.map.clone(), self.palette, self.rule);
        let mut recording = record(&self.planner, &grid, (self.start, self.goal))?;
        let position = match &self.position {
            Place::Events(events) => *events,
            Place::Part(name) => end_of_part(&recording.replay, name).unwrap_or(0),
            Place::End => usize::MAX,
        };
        recording.replay.go_to(position, |_| ());
        let unit = grid.movement().steps().straight_steps(1).0 as f64;
        let on = |name: &str| self.layers.iter().any(|layer| layer == name);
        Ok(check.is_met(&Situation {
            grid: &grid,
            start: self.start,
            goal: self.goal,
            planner: &self.planner,
            path: recording.found().map(|path| path.cells()),
            cost: Recording::cost(&recording).map(|cost| cost.0 as f64 / unit),
            expanded: recording.statistics.expanded,
            position: (recording.replay.position(), recording.replay.len()),
            part: current_part(&recording.replay),
            layer_is_on: &on,
        }))
    }
}
