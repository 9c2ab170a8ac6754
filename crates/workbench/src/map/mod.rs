//! The map mode: a map, a planner, a path from start to goal, and everything that can be seen and done there.
//!
//! [`MapMode`] is its state; everything a person can do is a method of it, and tests call the same ones. `draw` shows it
//! and turns clicks into those methods.

mod beside;
mod brush;
mod compare;
mod document;
pub(crate) mod draw;
mod edits;
mod engine;
mod history;
mod movement;
mod paint;
mod parts;
mod queries;
mod refinement;
mod run;
mod scene;
mod tab;
mod teaching;
mod tools;
mod walk;
mod ways;
mod words;

pub use beside::{BESIDE_MAX, Beside, LinkedBy, Pane, Shown};
pub use brush::{BRUSH_SIZES, Brush, Ink, brushes, cost_brushes};
pub use compare::{Column, Compare, CompareProgress, CompareTable};
pub use document::{Changed, Document, MapOrigin, Reverted};
pub use edits::Renewal;
pub use engine::RunResult;
pub use movement::{MovementChoice, SlopesChoice};
pub use run::Run;
pub use tab::Tab;
pub use teaching::{Pointed, Teaching};
pub use tools::{Gesture, Hand, Pointer, Tool};
pub use walk::Walk;
pub use ways::{Corner, LinkChoice, borders_along, nearest_border};
pub use words::terrain_name;

use crate::seams::Seams;
use crate::shared::{
    Busy, Layers, Message, PlannerChoice, Player, RefinementView, Touched, Unit, View,
};
use crate::shell::Preferences;
use engine::Detail;
use highroad::environment::End;
use highroad::{Cell, Terrain};
use highroad_lab::table::whole;
use highroad_pictures::Theme;
use highroad_pictures::replay::Breakpoint;
use parts::Parts;
use std::time::Duration;

/// The state of the map mode.
pub struct MapMode {
    /// The map being worked on.
    pub document: Document,
    /// The planner chosen.
    pub planner: PlannerChoice,
    /// The query from start to goal.
    pub run: Run,
    /// The recording of it.
    pub player: Player,
    /// What lies over the map.
    pub layers: Layers,
    /// All planners on the query.
    pub compare: Compare,
    /// Other planners on canvases beside.
    pub beside: Beside,
    /// The agent, if one is walking.
    pub walk: Walk,
    /// Which part of the map is seen.
    pub view: View,
    /// What the pointer does.
    pub hand: Hand,
    /// Cells that look different.
    pub renewal: Renewal,
    /// What the panel shows below planner and result.
    pub tab: Tab,
    /// Lessons, and what explains the search and the path.
    pub teaching: Teaching,
    /// Whether an agent walks as soon as there is a path.
    pub starts_walking: bool,
    /// Whether all planners are compared as soon as there is a path.
    pub starts_comparing: bool,
    /// Light or dark.
    pub theme: Theme,
    /// Whether the hint of what to do first has been taken.
    pub hint_is_taken: bool,
    /// What is known of the path where the recording stands.
    shown_path: Vec<Cell>,
    parts: Parts,
    /// What there is to say; the shell takes it.
    messages: Vec<Message>,
    seams: Seams,
}

impl MapMode {
    /// The map mode with a document, and a path on its way.
    pub fn new(seams: Seams, document: Document, preferences: &Preferences) -> Self {
        let chosen = preferences.planner.as_deref().map(PlannerChoice::parse);
        let mut layers = Layers::default();
        layers.set_switches(preferences.layers.clone());
        let mut mode = Self {
            document,
            planner: chosen.and_then(Result::ok).unwrap_or_default(),
            run: Run::default(),
            player: Player::default(),
            layers,
            compare: Compare::default(),
            beside: Beside::default(),
            walk: Walk::new(preferences.walk_speed),
            view: View::default(),
            hand: Hand::default(),
            renewal: Renewal::default(),
            tab: Tab::default(),
            teaching: Teaching::default(),
            starts_walking: false,
            starts_comparing: false,
            theme: preferences.theme,
            hint_is_taken: preferences.hint_is_taken,
            shown_path: Vec::new(),
            parts: Parts::default(),
            messages: Vec::new(),
            seams,
        };
        mode.start_afresh();
        mode
    }

    /// Writes down what is to be the same next time.
    pub fn remember(&self, preferences: &mut Preferences) {
        preferences.layers = self.layers.switches().clone();
        preferences.planner = Some(self.planner.text());
        preferences.walk_speed = self.walk.speed;
        preferences.hint_is_taken = self.hint_is_taken;
    }

    /// Takes up another map.
    pub fn take_document(&mut self, document: Document) {
        self.document = document;
        self.view.fit = true;
        self.walk = Walk::new(self.walk.speed);
        self.hand.pointer.gesture = None;
        if let Ink::Terrain(terrain) = self.hand.brush.ink {
            let of_palette =
                brushes(self.document.palette()).iter().any(|known| known.0 == terrain);
            if !of_palette && !cost_brushes().any(|(_, known)| known == terrain) {
                self.hand.brush.ink = Ink::Terrain(Terrain::WALL);
            }
        }
        self.renewal.touched.everything();
        self.parts.note_change();
        self.layers.of_map.clear();
        self.start_afresh();
    }

    /// The planner and everything it found no longer fit: has it built and runs it.
    fn start_afresh(&mut self) {
        self.run.start_afresh();
        self.layers.sketch.clear();
        self.layers.query.clear();
        self.layers.regions_version += 1;
        self.layers.refinement = RefinementView::default();
        self.player.load(None);
        match self.planner.spec() {
            Ok(spec) => {
                self.document.set_planner(spec);
                self.want(Detail::Everything);
            }
            Err(error) => self.run.trouble = Some(error.to_string()),
        }
    }

    /// Chooses a planner and its options.
    pub fn choose_planner(&mut self, choice: PlannerChoice) {
        if self.planner != choice {
            self.planner = choice;
            self.start_afresh();
        }
    }

    /// Lets agents move in another way, or says why not.
    pub fn choose_movement(&mut self, choice: MovementChoice) {
        if self.document.movement() == choice {
            return;
        }
        match self.document.set_movement(choice) {
            Ok(()) => {
                self.after_movement();
                self.snap(End::Start);
                self.snap(End::Goal);
            }
            Err(reason) => self.say_error(format!("Agents cannot move like that: {reason}.")),
        }
    }

    fn after_movement(&mut self) {
        self.walk = Walk::new(self.walk.speed);
        self.parts.note_change();
        self.start_afresh();
    }

    /// Says something.
    pub fn say(&mut self, text: impl Into<String>) {
        self.messages.push(Message { text: text.into(), is_error: false });
    }

    /// Says what went wrong.
    pub fn say_error(&mut self, text: impl Into<String>) {
        self.messages.push(Message { text: text.into(), is_error: true });
    }

    /// What there is to say since the last call.
    pub fn take_messages(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.messages)
    }

    /// Lets time pass: work that has ended is taken in, work that is wanted begins, and what moves moves on.
    pub fn tick(&mut self, elapsed: Duration) {
        self.poll_parts();
        self.advance_simulation(elapsed);
        self.poll_run();
        self.poll_compare();
        self.player.advance(elapsed);
        self.report_stop();
        self.advance_beside();
        self.advance_refinement(elapsed);
        self.look_at_lesson();
        self.renew_path();
    }

    /// What the recording's values are counted in.
    pub fn recording_unit(&self) -> Unit {
        let grid = self.document.grid();
        match self.player.replay() {
            Some(replay) => Unit::of_recording(grid, replay),
            None => Unit::of(grid),
        }
    }

    /// Says why playing has stopped.
    fn report_stop(&mut self) {
        let Some((breakpoint, event, cell, number)) = self.player.take_stop() else { return };
        let unit = self.recording_unit();
        let why = match breakpoint {
            Breakpoint::Cell { .. } => format!("{cell} has a breakpoint"),
            Breakpoint::AtLeast(value, least) => {
                let (name, reached) = (value.name(), unit.text(value.of(&event)));
                format!("{name} = {reached} at {cell} reaches {name} ≥ {}", unit.text(least))
            }
        };
        self.say(format!("Stopped at event {}: {why}.", whole(number as u64)));
    }

    /// Whether something moves by itself, so that frames are needed.
    pub fn is_lively(&self) -> bool {
        self.player.is_playing()
            || self.layers.refinement.is_playing
            || self.is_walking() && !self.walk.is_paused
            || self.glow().is_some()
            || self.compare.progress().is_some()
            || self.busy().is_some()
            || self.is_busy_beside()
    }
}
