//! The shell around the modes: which mode is shown, files, windows in front, what is said, what is remembered.

mod asking;
mod dialog;
pub(crate) mod draw;
mod files;
mod ground;
mod link;
mod news;
mod setting;
mod start;

pub use dialog::{Browser, Dialog, FilePurpose, Generator, Next};
pub use ground::SettingGround;
pub use link::{Link, LinkMap};
pub use news::News;
pub use setting::{Preferences, Setting};
pub use start::{Card, StartPage, Thumbnail, ThumbnailScene};

use crate::graph::GraphMode;
use crate::map::MapMode;
use crate::mesh::MeshMode;
use crate::puzzle::PuzzleMode;
use crate::seams::Seams;
use crate::shared::{Busy, Player, View};
use asking::Asking;
use files::FileJobs;
use std::time::Duration;

/// What fills the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// What one can begin with.
    #[default]
    Start,
    /// A map, a planner, a path.
    Map,
    /// A mesh, a planner, a path, and obstacles.
    Mesh,
    /// A graph, a planner, the table of its search.
    Graph,
    /// A puzzle, and how it is solved.
    Puzzle,
}

impl Mode {
    /// All of them, in their order.
    pub const ALL: [Self; 5] = [Self::Start, Self::Map, Self::Mesh, Self::Graph, Self::Puzzle];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "Start",
            Self::Map => "Map",
            Self::Mesh => "Mesh",
            Self::Graph => "Graph",
            Self::Puzzle => "Puzzle",
        }
    }
}

/// The whole state of the workbench.
pub struct Shell {
    /// What fills the window.
    pub mode: Mode,
    /// The start page, while it is shown.
    pub start: Option<StartPage>,
    /// The map mode.
    pub map: MapMode,
    /// The mesh mode, made when it is shown first.
    pub mesh: Option<MeshMode>,
    /// The graph mode.
    pub graph: GraphMode,
    /// The puzzle mode.
    pub puzzle: PuzzleMode,
    /// What there is to say.
    pub news: Option<News>,
    /// The window in front, if there is one.
    pub dialog: Option<Dialog>,
    /// Whether the shortcuts are shown.
    pub shows_keys: bool,
    /// Whether the panels beside the map are shown.
    pub shows_panels: bool,
    /// Whether there is one view alone, without menus and panels: in the frame of another page.
    pub is_embedded: bool,
    /// The address of the page that shows the workbench, before its sign `#`; empty on a desktop.
    pub page_address: String,
    /// Whether the program is to end.
    pub wants_to_quit: bool,
    /// What is remembered.
    pub preferences: Preferences,
    file_jobs: FileJobs,
    asking: Asking,
    /// What is done when the map has been saved.
    after_saving: Option<Next>,
    latest_tick: Duration,
    seams: Seams,
}

impl Shell {
    /// The workbench as it opens: an interesting map, with a path on its way.
    pub fn new(seams: Seams) -> Self {
        let stored = seams.files.preferences().and_then(|path| seams.files.read(&path).ok());
        let preferences = stored.map(|bytes| Preferences::read(&bytes)).unwrap_or_default();
        let map = MapMode::new(seams.clone(), files::first_document(), &preferences);
        let latest_tick = seams.clock.now();
        Self {
            mode: Mode::default(),
            start: None,
            map,
            mesh: None,
            graph: GraphMode::new(seams.clone()),
            puzzle: PuzzleMode::new(seams.clone()),
            news: None,
            dialog: None,
            shows_keys: false,
            shows_panels: true,
            is_embedded: false,
            page_address: String::new(),
            wants_to_quit: false,
            preferences,
            file_jobs: FileJobs::default(),
            asking: Asking::default(),
            after_saving: None,
            latest_tick,
            seams,
        }
    }

    /// The machine.
    pub fn seams(&self) -> &Seams {
        &self.seams
    }

    /// Lets time pass: work that has ended is taken in, work that is wanted begins, and what moves moves on.
    pub fn tick(&mut self) {
        let now = self.seams.clock.now();
        let elapsed = now.saturating_sub(self.latest_tick);
        self.latest_tick = now;
        self.map.theme = self.preferences.theme;
        self.graph.theme = self.preferences.theme;
        self.poll_asking();
        self.poll_files();
        self.poll_generator();
        self.map.tick(elapsed);
        if let Some(mesh) = &mut self.mesh {
            mesh.theme = self.preferences.theme;
            mesh.tick(elapsed);
        }
        self.graph.tick(elapsed);
        self.puzzle.tick(elapsed);
        match self.mode {
            Mode::Start => self.start.get_or_insert_with(StartPage::new).advance(elapsed),
            Mode::Mesh => {
                self.start = None;
                self.mesh();
            }
            Mode::Map | Mode::Graph | Mode::Puzzle => self.start = None,
        }
        self.preferences.lessons_done.extend(self.map.teaching.finished.drain(..));
        self.take_messages();
        self.drop_old_news(now);
    }

    /// The mesh mode.
    pub fn mesh(&mut self) -> &mut MeshMode {
        let Self { mesh, seams, .. } = self;
        mesh.get_or_insert_with(|| MeshMode::new(seams.clone()))
    }

    /// Shows the mesh of the map that is open, or says why there is none.
    pub fn show_mesh_of_map(&mut self) {
        let name = self.map.document.name.clone();
        let grid = self.map.document.grid().clone();
        match self.mesh().take_grid(&name, &grid) {
            Ok(()) => self.mode = Mode::Mesh,
            Err(reason) => self.say_error(reason),
        }
    }

    /// Stops whatever is going on.
    pub fn cancel(&mut self) {
        let was_loading = self.file_jobs.load.take().is_some();
        let was_solving = self.puzzle.cancel();
        if self.map.cancel() || was_loading || was_solving {
            self.say("Cancelled.");
        }
    }

    /// What goes on beside, if anything.
    pub fn busy(&self) -> Option<Busy> {
        let other = |what: &str, age| Busy { what: what.to_owned(), share: None, age };
        if let Some(job) = &self.file_jobs.load {
            return Some(other(&job.what, job.age(&self.seams)));
        }
        if let Some(job) = &self.file_jobs.write {
            return Some(other(&job.what, job.age(&self.seams)));
        }
        match self.mode {
            Mode::Start | Mode::Map => self.map.busy(),
            Mode::Mesh => self.mesh.as_ref().and_then(MeshMode::busy),
            Mode::Graph => self.graph.busy(),
            Mode::Puzzle => self.puzzle.busy(),
        }
    }

    /// The recording or solution that the mode in front plays, if it plays one.
    pub fn player(&mut self) -> Option<&mut Player> {
        match self.mode {
            Mode::Start => None,
            Mode::Map => Some(&mut self.map.player),
            Mode::Mesh => Some(&mut self.mesh().player),
            Mode::Graph => Some(&mut self.graph.player),
            Mode::Puzzle => Some(&mut self.puzzle.player),
        }
    }

    /// The view of the mode in front, if it can be moved and zoomed.
    pub fn view(&mut self) -> Option<&mut View> {
        match self.mode {
            Mode::Map => Some(&mut self.map.view),
            Mode::Mesh => Some(&mut self.mesh().view),
            Mode::Start | Mode::Graph | Mode::Puzzle => None,
        }
    }

    /// Exchanges start and goal, of the mode in front.
    pub fn swap_ends(&mut self) {
        match self.mode {
            Mode::Map => self.map.swap_places(),
            Mode::Mesh => self.mesh().swap_ends(),
            Mode::Start | Mode::Graph | Mode::Puzzle => {}
        }
    }

    /// Takes the last change back, of the mode in front.
    pub fn undo(&mut self) {
        match self.mode {
            Mode::Puzzle => self.puzzle.undo(),
            Mode::Map => self.map.undo(),
            Mode::Mesh => self.mesh().undo(),
            Mode::Start | Mode::Graph => {}
        }
    }

    /// Makes it again.
    pub fn redo(&mut self) {
        match self.mode {
            Mode::Puzzle => self.puzzle.redo(),
            Mode::Map => self.map.redo(),
            Mode::Mesh => self.mesh().redo(),
            Mode::Start | Mode::Graph => {}
        }
    }

    /// Whether there is something to undo, and something to redo.
    pub fn can_undo_redo(&self) -> (bool, bool) {
        match self.mode {
            Mode::Puzzle => self.puzzle.can_undo_redo(),
            Mode::Map => (self.map.document.can_undo(), self.map.document.can_redo()),
            Mode::Mesh => self.mesh.as_ref().map_or((false, false), MeshMode::can_undo_redo),
            Mode::Start | Mode::Graph => (false, false),
        }
    }

    /// Whether something moves by itself, so that frames are needed.
    pub fn is_lively(&self) -> bool {
        self.mode == Mode::Start
            || self.map.is_lively()
            || self.mesh.as_ref().is_some_and(|mesh| mesh.player.is_playing())
            || self.graph.player.is_playing()
            || self.puzzle.player.is_playing()
            || self.busy().is_some()
            || self.news.as_ref().is_some_and(|news| !news.is_error)
    }
}
