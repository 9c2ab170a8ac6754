//! The application's state, apart from its drawing: everything a person can do in the workbench is a
//! method here, and tests call the same ones.

mod choice;
mod dialog;
mod document;
mod edits;
mod engine;
mod files;
mod job;
mod layers;
mod news;
mod paint;
mod parts;
mod player;
mod queries;
mod refinement;
mod scene;
mod setting;
mod solver;
mod tools;
mod touched;
mod view;
mod walker;
mod words;

pub use choice::PlannerChoice;
pub use dialog::{Browser, Dialog, FilePurpose, Generator, Next};
pub use document::{Document, MovementChoice};
pub use engine::RunResult;
pub use layers::{
    COMMON_LAYERS, COMPONENTS, GRID_LINES, Layers, PATH, RefinementView, SEARCH, Switch, TREE,
    items, key_of,
};
pub use news::News;
pub use player::{Player, SPEEDS};
pub use setting::{Preferences, Setting};
pub use solver::Busy;
pub use tools::{BRUSH_SIZES, Brush, Gesture, Pointer, Tool, brushes};
pub use touched::{TILE_SIDE, TileBoxes, Touched};
pub use view::View;
pub use walker::{Gait, Walker};
pub use words::terrain_name;

use crate::seams::Seams;
use edits::Glow;
use engine::Detail;
use files::FileJobs;
use highroad::Terrain;
use highroad_pictures::Colouring;
use parts::Parts;
use solver::Solver;
use std::time::Duration;

/// The whole state of the workbench.
pub struct Bench {
    /// The map being worked on.
    pub document: Document,
    /// The planner chosen.
    pub planner: PlannerChoice,
    /// What the latest query found.
    pub outcome: Option<RunResult>,
    /// What is wrong with the query or the planner.
    pub trouble: Option<String>,
    /// What there is to say.
    pub news: Option<News>,
    /// The recording.
    pub player: Player,
    /// What colours show.
    pub colouring: Colouring,
    /// What lies over the map.
    pub layers: Layers,
    /// The replay from the top layer down.
    pub refinement: RefinementView,
    /// The agent, if one is walking.
    pub walker: Option<Walker>,
    /// Which part of the map is seen.
    pub view: View,
    /// What the left button does.
    pub tool: Tool,
    /// What is drawn with.
    pub brush: Brush,
    /// What the pointer does.
    pub pointer: Pointer,
    /// The window in front, if there is one.
    pub dialog: Option<Dialog>,
    /// Whether the shortcuts are shown.
    pub shows_keys: bool,
    /// Whether the program is to end.
    pub wants_to_quit: bool,
    /// What is remembered.
    pub preferences: Preferences,
    /// Cells whose terrain looks different.
    pub touched: Touched,
    /// Cells changed lately, which glow for a moment.
    glow: Option<Glow>,
    seams: Seams,
    solver: Solver,
    file_jobs: FileJobs,
    parts: Parts,
    latest_tick: Duration,
}

impl Bench {
    /// The workbench as it opens: an interesting map, with a path on its way.
    pub fn new(seams: Seams) -> Self {
        let stored = seams.files.preferences().and_then(|path| seams.files.read(&path).ok());
        let preferences = stored.map(|bytes| Preferences::read(&bytes)).unwrap_or_default();
        let chosen = preferences.planner.as_deref().map(PlannerChoice::parse);
        let mut layers = Layers::default();
        layers.set_switches(preferences.layers.clone());
        let latest_tick = seams.clock.now();
        let mut bench = Self {
            document: files::first_document(),
            planner: chosen.and_then(Result::ok).unwrap_or_default(),
            outcome: None,
            trouble: None,
            news: None,
            player: Player::default(),
            colouring: Colouring::default(),
            layers,
            refinement: RefinementView::default(),
            walker: None,
            view: View::default(),
            tool: Tool::default(),
            brush: Brush::default(),
            pointer: Pointer::default(),
            dialog: None,
            shows_keys: false,
            wants_to_quit: false,
            preferences,
            touched: Touched::default(),
            glow: None,
            seams,
            solver: Solver::default(),
            file_jobs: FileJobs::default(),
            parts: Parts::default(),
            latest_tick,
        };
        bench.want(Detail::Everything);
        bench
    }

    /// The machine.
    pub fn seams(&self) -> &Seams {
        &self.seams
    }

    /// Takes up another map.
    pub fn take_document(&mut self, document: Document) {
        self.document = document;
        self.view.fit = true;
        self.walker = None;
        self.pointer.gesture = None;
        let brushes = brushes(self.document.palette());
        if !brushes.iter().any(|(terrain, _)| *terrain == self.brush.terrain) {
            self.brush.terrain = Terrain::WALL;
        }
        self.touched.everything();
        self.parts.is_stale = true;
        self.layers.components = None;
        self.start_afresh();
    }

    /// The planner and everything it found no longer fit: runs it again.
    fn start_afresh(&mut self) {
        self.outcome = None;
        self.trouble = None;
        self.layers.sketch.clear();
        self.layers.query.clear();
        self.layers.regions_version += 1;
        self.refinement = RefinementView::default();
        self.player.load(None);
        self.solver.forget_engine();
        self.want(Detail::Everything);
    }

    /// Chooses a planner and its options.
    pub fn choose_planner(&mut self, choice: PlannerChoice) {
        if self.planner != choice {
            self.planner = choice;
            self.preferences.planner = Some(self.planner.text());
            self.start_afresh();
        }
    }

    /// Lets agents move in another way, or says why not.
    pub fn choose_movement(&mut self, choice: MovementChoice) {
        if self.document.movement == choice {
            return;
        }
        match self.document.set_movement(choice) {
            Ok(()) => {
                self.parts.is_stale = true;
                self.start_afresh();
            }
            Err(reason) => self.say_error(format!("Agents cannot move like that: {reason}.")),
        }
    }

    /// The start becomes the goal, and the other way round.
    pub fn swap_places(&mut self) {
        std::mem::swap(&mut self.document.start, &mut self.document.goal);
        self.redirect_agent();
        self.want(Detail::Everything);
    }

    /// Lets time pass: work that has ended is taken in, work that is wanted begins, and what moves
    /// moves on.
    pub fn tick(&mut self) {
        let now = self.seams.clock.now();
        let elapsed = now.saturating_sub(self.latest_tick);
        self.latest_tick = now;
        self.poll_files();
        self.poll_generator();
        self.poll_parts();
        while let Some((purpose, reply)) = self.solver.poll() {
            self.take_reply(purpose, reply);
            self.dispatch();
        }
        self.dispatch();
        self.player.advance(elapsed);
        self.advance_refinement(elapsed);
        self.advance_walk(elapsed);
        self.drop_old_news(now);
    }

    /// Whether something moves by itself, so that frames are needed.
    pub fn is_lively(&self) -> bool {
        self.player.is_playing()
            || self.refinement.is_playing
            || self.walker.as_ref().is_some_and(|walker| walker.is_moving())
            || self.glow().is_some()
            || self.busy().is_some()
            || self.news.as_ref().is_some_and(|news| !news.is_error)
    }
}
