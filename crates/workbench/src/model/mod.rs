//! The application's state, apart from its drawing: everything a person can do in the workbench is a
//! method here, and tests call the same ones.

mod choice;
mod dialog;
mod document;
mod engine;
mod files;
mod job;
mod layers;
mod paint;
mod player;
mod setting;
mod solver;
mod tools;
mod touched;
mod view;
mod walker;
mod words;

pub use choice::{OptionForm, PlannerChoice};
pub use dialog::{Browser, Dialog, FilePurpose, Generator, Next};
pub use document::{Document, MovementChoice};
pub use engine::Outcome;
pub use layers::{
    COMMON_LAYERS, COMPONENTS, GRID_LINES, Layers, PATH, Refinement, SEARCH, Switch, TREE, items,
    key_of,
};
pub use player::{Player, SPEEDS};
pub use setting::{Preferences, Setting};
pub use solver::Busy;
pub use tools::{BRUSH_SIZES, Gesture, Tool, brushes};
pub use touched::{TILE_SIDE, TileBoxes, Touched};
pub use view::View;
pub use walker::{Gait, Walker};
pub use words::terrain_name;

use crate::seams::Seams;
use engine::{Detail, Reply};
use files::Loaded;
use highroad::{Answer, Batch, Cell, Change, Components, Shape, SketchLayer, Terrain};
use highroad_lab::builtin::BuiltinMap;
use highroad_pictures::{Colouring, Scene, SceneAgent, SceneLayer};
use job::{Job, JobState};
use solver::{Purpose, Solver};
use std::time::Duration;

/// The map that the program opens on.
const FIRST_MAP: &str = "caves";
/// How long news that are no errors stay.
const NEWS_SECONDS: u64 = 6;
/// How long changed cells glow.
const GLOW: Duration = Duration::from_millis(450);
/// How long the replay of the refinement takes.
const REFINEMENT_SECONDS: f64 = 4.0;

/// Something to be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// The words.
    pub text: String,
    /// Whether something went wrong.
    pub is_error: bool,
    since: Duration,
}

/// The whole state of the workbench.
pub struct Bench {
    /// The map being worked on.
    pub document: Document,
    /// The planner chosen.
    pub planner: PlannerChoice,
    /// What the latest query found.
    pub outcome: Option<Outcome>,
    /// What is wrong with the query or the planner.
    pub trouble: Option<String>,
    /// What there is to say.
    pub news: Option<News>,
    /// The recording.
    pub player: Player,
    /// What colours tell.
    pub colouring: Colouring,
    /// What lies over the map.
    pub layers: Layers,
    /// The replay from the top layer down.
    pub refinement: Refinement,
    /// The agent, if one is walking.
    pub walker: Option<Walker>,
    /// Which part of the map is seen.
    pub view: View,
    /// What the left button does.
    pub tool: Tool,
    /// What is drawn with.
    pub terrain: Terrain,
    /// How large the brush is.
    pub brush_size: u32,
    /// What is under way while a button is held.
    pub gesture: Option<Gesture>,
    /// The cell under the pointer.
    pub hovered: Option<Cell>,
    /// The window in front, if there is one.
    pub dialog: Option<Dialog>,
    /// Whether the shortcuts are shown.
    pub shows_keys: bool,
    /// Whether the map was moved while the space bar was held, so that it does not play.
    pub space_was_for_moving: bool,
    /// Whether the program is to end.
    pub wants_to_quit: bool,
    /// What is remembered.
    pub preferences: Preferences,
    /// Cells whose terrain looks different.
    pub touched: Touched,
    /// Cells changed lately, which glow for a moment: a corner, the opposite one, and since when.
    glow: Option<(Cell, Cell, Duration)>,
    seams: Seams,
    solver: Solver,
    load: Option<Job<Result<Loaded, String>>>,
    write: Option<Job<Result<String, String>>>,
    components: Option<Job<Components>>,
    components_are_stale: bool,
    /// A position of the recording to go to once it is there.
    restored_position: Option<usize>,
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
            document: first_document(),
            planner: chosen.and_then(Result::ok).unwrap_or_default(),
            outcome: None,
            trouble: None,
            news: None,
            player: Player::default(),
            colouring: Colouring::default(),
            layers,
            refinement: Refinement::default(),
            walker: None,
            view: View::default(),
            tool: Tool::default(),
            terrain: Terrain::WALL,
            brush_size: 1,
            gesture: None,
            hovered: None,
            dialog: None,
            shows_keys: false,
            space_was_for_moving: false,
            wants_to_quit: false,
            preferences,
            touched: Touched::default(),
            glow: None,
            seams,
            solver: Solver::default(),
            load: None,
            write: None,
            components: None,
            components_are_stale: true,
            restored_position: None,
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
        self.gesture = None;
        let brushes = brushes(self.document.palette());
        if !brushes.iter().any(|(terrain, _)| *terrain == self.terrain) {
            self.terrain = Terrain::WALL;
        }
        self.touched.everything();
        self.components_are_stale = true;
        self.layers.components = None;
        self.start_afresh();
    }

    /// The planner and everything it found no longer fit: runs it anew.
    fn start_afresh(&mut self) {
        self.outcome = None;
        self.trouble = None;
        self.layers.sketch.clear();
        self.layers.query.clear();
        self.layers.regions_version += 1;
        self.refinement = Refinement::default();
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
                self.components_are_stale = true;
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

    /// Makes cells larger or smaller; the middle of the view stays.
    pub fn zoom_middle(&mut self, factor: f32) {
        let frame = self.view.frame;
        let middle = (frame.corner.0 + frame.size.0 / 2.0, frame.corner.1 + frame.size.1 / 2.0);
        self.view.zoom(middle, factor);
    }

    /// Runs the planner again.
    pub fn run(&mut self) {
        self.want(Detail::Everything);
    }

    /// Stops whatever is going on.
    pub fn cancel(&mut self) {
        if self.solver.is_busy() || self.load.is_some() || self.components.is_some() {
            self.solver.cancel();
            self.load = None;
            self.components = None;
            self.say("Cancelled.");
        }
    }

    /// What goes on beside, if anything.
    pub fn busy(&self) -> Option<Busy> {
        let other = |what: &str, age| Busy { what: what.to_owned(), share: None, age };
        if let Some(job) = &self.load {
            return Some(other(&job.what, job.age(&self.seams)));
        }
        if let Some(job) = &self.write {
            return Some(other(&job.what, job.age(&self.seams)));
        }
        let components = self.components.as_ref();
        self.solver
            .busy(&self.seams, self.document.grid())
            .or_else(|| components.map(|job| other(&job.what, job.age(&self.seams))))
    }

    fn want(&mut self, detail: Detail) {
        self.solver.want(detail);
    }

    /// The path shall follow the hand, if the planner is fast enough.
    fn want_live(&mut self) {
        match self.solver.live() {
            Ok(()) => self.want(Detail::Path),
            Err(us) => {
                let title = self.planner.entry().title;
                let time = highroad_lab::table::duration(us);
                self.say(format!(
                    "{title} takes {time} here, too long to follow the hand: the path comes when you let go."
                ));
            }
        }
    }

    /// Makes changes to the map.
    pub fn edit(&mut self, batch: &Batch) {
        let changes = self.document.edit(batch);
        self.after_changes(&changes);
    }

    /// Takes the latest change back.
    pub fn undo(&mut self) {
        let changes = self.document.undo();
        self.after_changes(&changes);
        self.want(Detail::Everything);
    }

    /// Makes what was undone last again.
    pub fn redo(&mut self) {
        let changes = self.document.redo();
        self.after_changes(&changes);
        self.want(Detail::Everything);
    }

    fn after_changes(&mut self, changes: &[Change]) {
        let Some(first) = changes.first() else { return };
        let (mut min, mut max) = (first.cell, first.cell);
        for change in changes {
            self.touched.cell(change.cell);
            min = Cell::new(min.x.min(change.cell.x), min.y.min(change.cell.y));
            max = Cell::new(max.x.max(change.cell.x), max.y.max(change.cell.y));
        }
        self.glow = Some((min, max, self.seams.clock.now()));
        self.solver.note(changes);
        self.components_are_stale = true;
        if self.walker.as_ref().is_some_and(Walker::is_under_way) {
            self.solver.want_for_agent();
        }
        self.want_live();
    }

    /// The box of cells that changed a moment ago, and how strongly it still glows.
    pub fn glow(&self) -> Option<(Cell, Cell, f32)> {
        let (min, max, since) = self.glow?;
        let age = self.seams.clock.now().saturating_sub(since);
        (age < GLOW).then(|| (min, max, 1.0 - age.as_secs_f32() / GLOW.as_secs_f32()))
    }

    /// Says something.
    pub fn say(&mut self, text: impl Into<String>) {
        let since = self.seams.clock.now();
        self.news = Some(News { text: text.into(), is_error: false, since });
    }

    /// Says what went wrong.
    pub fn say_error(&mut self, text: impl Into<String>) {
        let since = self.seams.clock.now();
        self.news = Some(News { text: text.into(), is_error: true, since });
    }

    /// The cells of the path to draw: to the goal, or to the nearest cell.
    pub fn path_cells(&self) -> &[Cell] {
        match self.outcome.as_ref().map(|outcome| &outcome.answer) {
            Some(
                Answer::Found(path)
                | Answer::Unreachable { nearest: path }
                | Answer::LimitReached { nearest: path },
            ) => path.cells(),
            None => &[],
        }
    }

    /// Lets an agent walk the path; or wait, or go on.
    pub fn toggle_walk(&mut self) {
        match &mut self.walker {
            Some(walker) if matches!(walker.gait, Gait::Walking | Gait::Paused) => {
                walker.toggle_pause();
            }
            _ => self.start_walk(),
        }
    }

    /// Sets an agent out on the path, from its start.
    pub fn start_walk(&mut self) {
        let found =
            matches!(self.outcome.as_ref().map(|outcome| &outcome.answer), Some(Answer::Found(_)));
        self.walker = if found { Walker::new(self.path_cells()) } else { None };
        if self.walker.is_none() {
            self.say_error("There is no path to walk.");
        }
    }

    /// Takes the agent off the map.
    pub fn end_walk(&mut self) {
        self.walker = None;
    }

    /// The goal has moved: an agent under way goes there.
    fn redirect_agent(&mut self) {
        let goal = self.document.goal;
        if let Some(walker) = self.walker.as_mut().filter(|walker| walker.is_under_way()) {
            walker.goal = goal;
            self.solver.want_for_agent();
        }
    }

    /// Lets time pass: work that has ended is taken in, work that is wanted begins, and what moves
    /// moves on.
    pub fn tick(&mut self) {
        let now = self.seams.clock.now();
        let elapsed = now.saturating_sub(self.latest_tick);
        self.latest_tick = now;
        self.poll_files();
        self.poll_generator();
        self.poll_components();
        while let Some((purpose, reply)) = self.solver.poll() {
            self.take_reply(purpose, reply);
            self.dispatch();
        }
        self.dispatch();
        self.player.advance(elapsed);
        self.advance_refinement(elapsed);
        if let Some(walker) = &mut self.walker {
            let was_planning = walker.gait == Gait::Planning;
            walker.advance(self.document.grid(), elapsed, self.preferences.walk_speed);
            if walker.gait == Gait::Planning && !was_planning {
                self.solver.want_for_agent();
            }
        }
        let old = Duration::from_secs(NEWS_SECONDS);
        if self.news.as_ref().is_some_and(|news| !news.is_error && now > news.since + old) {
            self.news = None;
        }
    }

    fn dispatch(&mut self) {
        let spec = match self.planner.spec() {
            Ok(spec) => spec,
            Err(error) => {
                self.trouble = Some(error.to_string());
                return;
            }
        };
        let grid = self.document.grid();
        let agent = self.walker.as_ref().map(|walker| (walker.standing(grid), walker.goal));
        let query = (self.document.start, self.document.goal);
        self.solver.dispatch(&self.seams, &spec, grid, query, agent);
    }

    fn take_reply(&mut self, purpose: Purpose, reply: Reply) {
        if let Some(sketch) = reply.sketch {
            self.layers.sketch = sketch;
            self.layers.regions_version += 1;
        }
        let result = match (purpose, reply.result) {
            (Purpose::Agent, result) => return self.take_agent_reply(result),
            (_, Err(engine::Failure::Cancelled)) => return,
            (Purpose::Path(detail), result) => result.map(|outcome| (outcome, detail)),
        };
        match result {
            Ok((mut outcome, detail)) => {
                self.trouble = words::answer(&outcome, self.document.grid());
                self.layers.query = std::mem::take(&mut outcome.query_layers);
                self.layers.regions_version += 1;
                self.refinement = Refinement::default();
                self.player.load(outcome.replay.take());
                if let (Some(position), Detail::Everything) = (self.restored_position, detail) {
                    self.player.jump(position);
                    self.restored_position = None;
                }
                self.outcome = Some(outcome);
            }
            Err(failure) => {
                self.trouble = words::failure(&failure);
                self.outcome = None;
                self.layers.query.clear();
                self.player.load(None);
            }
        }
    }

    fn take_agent_reply(&mut self, result: Result<Outcome, engine::Failure>) {
        let Some(walker) = self.walker.as_mut().filter(|walker| walker.is_under_way()) else {
            return;
        };
        match result {
            Ok(Outcome { answer: Answer::Found(path), .. }) => walker.follow(path.cells()),
            Ok(outcome) => {
                let reason = words::answer(&outcome, self.document.grid()).unwrap_or_default();
                walker.stop(format!("The agent stopped. {reason}"));
            }
            // Another wish came in between: it asks again.
            Err(engine::Failure::Cancelled) => self.solver.want_for_agent(),
            Err(engine::Failure::Query(highroad::QueryError::Blocked {
                place: highroad::Place::Start,
                ..
            })) => walker.stop("The agent stopped: there is a wall where it stands."),
            Err(failure) => {
                let reason = words::failure(&failure).unwrap_or_default();
                walker.stop(format!("The agent stopped. {reason}"));
            }
        }
    }

    fn poll_components(&mut self) {
        if let Some(job) = &self.components {
            match job.poll() {
                JobState::Running => return,
                JobState::Lost => {}
                JobState::Done(parts) => {
                    self.layers.components = Some(SketchLayer {
                        name: COMPONENTS,
                        help: "parts of the map without a way between them",
                        level: 0,
                        shape: Shape::Regions(parts.numbers().to_vec()),
                    });
                    self.layers.regions_version += 1;
                }
            }
            self.components = None;
        }
        let wanted = self.layers.opacity(COMPONENTS).is_some() && self.gesture.is_none();
        if wanted && self.components_are_stale {
            self.components_are_stale = false;
            let grid = self.document.grid().clone();
            let what = "finding the parts of the map";
            self.components = Some(Job::start(&self.seams, what, move |_| Components::of(&grid)));
        }
    }

    /// The stages that refinement goes through.
    pub fn stages(&self) -> Vec<(String, usize)> {
        Refinement::stages(&self.layers.query, self.path_cells().len())
    }

    /// Replays the refinement from the top layer down, or pauses that.
    pub fn toggle_refinement(&mut self) {
        let total: usize = self.stages().iter().map(|(_, length)| length).sum();
        let at_end = self.refinement.shown.is_none_or(|shown| shown >= total);
        if at_end {
            self.refinement = Refinement { shown: Some(0), is_playing: true };
        } else {
            self.refinement.is_playing = !self.refinement.is_playing;
        }
    }

    fn advance_refinement(&mut self, elapsed: Duration) {
        let Refinement { shown: Some(shown), is_playing: true } = self.refinement else { return };
        let total: usize = self.stages().iter().map(|(_, length)| length).sum();
        let share = elapsed.as_secs_f64() / REFINEMENT_SECONDS;
        let next = shown + (total as f64 * share).ceil() as usize;
        self.refinement = Refinement { shown: Some(next.min(total)), is_playing: next < total };
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

    /// Everything that is to be seen.
    pub fn scene(&self) -> Scene<'_> {
        let layers = &self.layers;
        let stages = self.stages();
        let mut shown: Vec<SceneLayer<'_>> = Vec::new();
        let components = layers.components.iter().map(|layer| (COMPONENTS.to_owned(), layer));
        for (key, layer) in components.chain(layers.planner_layers()) {
            if let Some(opacity) = layers.opacity(&key) {
                let part = self.refinement.shown_of(&stages, &key);
                shown.push(SceneLayer { layer, opacity, shown: part });
            }
        }
        let search = self.player.replay().zip(layers.opacity(SEARCH));
        let path = self.path_cells();
        let path = &path[..self.refinement.shown_of(&stages, PATH).min(path.len())];
        let agent = self.walker.as_ref();
        Scene {
            grid: self.document.grid(),
            palette: self.document.palette(),
            theme: self.preferences.theme,
            search: search.map(|(replay, opacity)| (replay, self.colouring, opacity)),
            tree: layers.opacity(TREE),
            layers: shown,
            path: layers.opacity(PATH).map(|opacity| (path, opacity)),
            start: Some(self.document.start),
            goal: Some(self.document.goal),
            agent: agent.map(|walker| SceneAgent { at: walker.at, trail: &walker.trail }),
            grid_lines: layers.opacity(GRID_LINES).is_some(),
        }
    }
}

fn first_document() -> Document {
    match BuiltinMap::find(FIRST_MAP) {
        Some(builtin) => files::builtin_document(builtin),
        None => files::blank_document(64, 48),
    }
}
