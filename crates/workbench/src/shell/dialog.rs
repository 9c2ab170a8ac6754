//! The windows that can be in front: choosing a file, a new map, a generated map, a picture's threshold.

use super::{Link, Mode, Shell, files};
use crate::map::Document;
use crate::seams::{Files, FolderEntry, Seams};
use crate::shared::job::{Job, JobState};
use crate::teach::lesson::Lesson;
use highroad::grid::Grid;
use highroad::planner::Watch;
use highroad_formats::{Picture, ground_path};
use highroad_lab::generate::{Layout, MapRecipe};
use std::path::PathBuf;

/// The window in front.
pub enum Dialog {
    /// A file is to be chosen.
    File(Browser),
    /// A blank map, of so many columns and rows.
    New {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// A map is to be generated.
    Generate(Generator),
    /// A picture becomes a map.
    Import {
        /// What it is called.
        name: String,
        /// The picture.
        picture: Picture,
        /// Pixels darker than this are walls.
        threshold: u8,
        /// The map that this makes.
        preview: Option<Grid>,
    },
    /// The map has changes that are not saved; then this is done.
    Discard(Box<Next>),
    /// There is a file of that name already.
    Replace {
        /// What is to be written.
        purpose: FilePurpose,
        /// Where.
        path: PathBuf,
    },
}

/// What is done once unsaved changes may be lost.
pub enum Next {
    /// A file is opened.
    Open(PathBuf),
    /// A document is taken up.
    Take(Box<Document>),
    /// Another window comes to the front.
    Show(Box<Dialog>),
    /// A lesson begins.
    Learn(Box<Lesson>),
    /// A link is opened.
    Follow(Box<Link>),
    /// The program ends.
    Quit,
}

/// What a file is chosen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePurpose {
    /// A map, a picture or a setting is opened.
    Open,
    /// The map is saved.
    SaveMap,
    /// What is seen, as pixels.
    ExportPng,
    /// What is seen, as shapes.
    ExportSvg,
    /// The recording, for Posthoc.
    ExportTrace,
    /// The recording, as a moving picture.
    ExportAnimation,
    /// The setting.
    SaveSetting,
}

impl FilePurpose {
    /// The window's title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Open => "Open a map, a picture, a mesh, a graph, a setting, a lesson or a trace",
            Self::SaveMap => "Save map",
            Self::ExportPng => "Export the view as PNG",
            Self::ExportSvg => "Export the view as SVG",
            Self::ExportTrace => "Export the search as a Posthoc trace",
            Self::ExportAnimation => "Export the search as an animated PNG",
            Self::SaveSetting => "Save setting",
        }
    }

    /// What its files are called.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Open => "maps, graphs, lessons and others",
            Self::SaveMap => "maps",
            Self::ExportPng | Self::ExportAnimation => "PNG pictures",
            Self::ExportSvg => "SVG pictures",
            Self::ExportTrace => "Posthoc traces",
            Self::SaveSetting => "settings",
        }
    }

    /// What its files' names end with.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Open => &[
                ".map", ".png", ".json", ".tmx", ".tmj", ".txt", ".toml", ".yaml", ".gr", ".edges",
            ],
            Self::SaveMap => &[".map"],
            Self::ExportPng => &[".png"],
            Self::ExportSvg => &[".svg"],
            Self::ExportTrace => &[".trace.yaml"],
            Self::ExportAnimation => &[".png"],
            Self::SaveSetting => &[".highroad.json"],
        }
    }
}

/// A file is being chosen.
pub struct Browser {
    /// What for.
    pub purpose: FilePurpose,
    /// The folder looked at.
    pub folder: PathBuf,
    /// The name written.
    pub name: String,
    /// What the folder holds, or why that is not known.
    pub entries: Result<Vec<FolderEntry>, String>,
    /// Whether the name has been given the focus.
    pub has_focus: bool,
}

impl Browser {
    /// Looks into a folder.
    pub fn new(files: &dyn Files, purpose: FilePurpose, folder: PathBuf, name: String) -> Self {
        let (entries, has_focus) = (Ok(Vec::new()), false);
        let mut browser = Self { purpose, folder: PathBuf::new(), name, entries, has_focus };
        browser.enter(files, folder);
        browser
    }

    /// Looks into another folder.
    pub fn enter(&mut self, files: &dyn Files, folder: PathBuf) {
        let endings = self.purpose.endings();
        let fits = |entry: &FolderEntry| {
            !entry.is_file
                || endings.iter().any(|ending| entry.name.to_lowercase().ends_with(ending))
        };
        self.entries = match files.list(&folder) {
            Ok(entries) => Ok(entries.into_iter().filter(fits).collect()),
            Err(error) => Err(format!("This folder cannot be read: {error}.")),
        };
        self.folder = folder;
    }

    /// The file that is meant: the name may be a whole path. New files get their ending.
    pub fn path(&self) -> Option<PathBuf> {
        let name = self.name.trim();
        if name.is_empty() {
            return None;
        }
        let mut name = name.to_owned();
        if self.purpose != FilePurpose::Open {
            let ending = self.purpose.endings()[0];
            if !name.to_lowercase().ends_with(ending) {
                name.push_str(ending);
            }
        }
        Some(self.folder.join(name))
    }
}

/// A map is being made up.
pub struct Generator {
    /// What is to be built.
    pub recipe: MapRecipe,
    /// The map of a recipe, or why there is none.
    pub made: Option<(MapRecipe, Result<Grid, String>)>,
    job: Option<Job<(MapRecipe, Result<Grid, String>)>>,
}

impl Generator {
    /// The layouts to choose from, with usual parameters.
    pub const LAYOUTS: [(&'static str, Layout); 9] = [
        ("caves", Layout::Caves { noise_percent: 46, steps: 5, joined: true }),
        ("rooms", Layout::Rooms { room_side: 15, doors_percent: 80 }),
        ("maze", Layout::Maze { corridor_width: 3, braid_percent: 5, winding_percent: 100 }),
        ("obstacles", Layout::Obstacles { blocked_percent: 25, connected: false }),
        ("city", Layout::City { block: 36, street: 8, built_percent: 85 }),
        (
            "islands",
            Layout::Islands { size: 64, land_percent: 45, swamp_percent: 20, trees_percent: 20 },
        ),
        ("hills", Layout::Hills { size: 64, roughness: 4, classes: 16, lakes_percent: 5 }),
        ("highlands", Layout::Highlands { size: 64, roughness: 4, highest: 200, lakes_percent: 5 }),
        ("colony", Layout::Colony { room: 6, doors_percent: 20 }),
    ];

    /// Begins with caves.
    pub fn new() -> Self {
        let recipe = MapRecipe { width: 256, height: 160, layout: Self::LAYOUTS[0].1, seed: 1 };
        Self { recipe, made: None, job: None }
    }

    /// The map, if it is that of the present recipe.
    pub fn map(&self) -> Option<&Result<Grid, String>> {
        self.made.as_ref().filter(|(recipe, _)| *recipe == self.recipe).map(|(_, map)| map)
    }

    fn poll(&mut self, seams: &Seams) {
        if let Some(job) = &self.job {
            match job.poll() {
                JobState::Running => return,
                JobState::Lost => {}
                JobState::Done(made) => self.made = Some(made),
            }
            self.job = None;
        }
        if self.map().is_none() {
            let recipe = self.recipe;
            self.job = Some(Job::start(seams, "making a map", move |control| {
                let mut watch = |_, _| control.goes_on();
                let map = recipe.generate_watched(&mut Watch::new(&mut watch));
                let map = map.map_err(|error| error.to_string());
                (recipe, map.map(Grid::with_defaults))
            }));
        }
    }
}

impl Default for Generator {
    fn default() -> Self {
        Self::new()
    }
}

impl Shell {
    pub(super) fn poll_generator(&mut self) {
        if let Some(Dialog::Generate(generator)) = &mut self.dialog {
            generator.poll(&self.seams);
        }
    }

    /// Asks for a file.
    pub fn ask_for_file(&mut self, purpose: FilePurpose) {
        let files = &*self.seams.files;
        let folder = self.preferences.folder.clone().unwrap_or_else(|| files.home());
        let stem = self.map.document.name.split('.').next().unwrap_or("map");
        let name = match purpose {
            FilePurpose::Open => String::new(),
            _ => format!("{stem}{}", purpose.endings()[0]),
        };
        let browser = Browser::new(files, purpose, folder, name);
        match purpose {
            FilePurpose::Open => self.careful(Next::Show(Box::new(Dialog::File(browser)))),
            _ => self.show_browser(browser),
        }
    }

    /// Does with a file what it was chosen for. A folder is looked into; a file that exists is replaced only after
    /// asking.
    pub fn choose_file(&mut self, mut browser: Browser, path: PathBuf) {
        let files = std::sync::Arc::clone(&self.seams.files);
        let purpose = browser.purpose;
        if files.is_folder(&path) {
            browser.name.clear();
            browser.enter(&*files, path);
            self.dialog = Some(Dialog::File(browser));
        } else if purpose == FilePurpose::Open {
            self.open(path);
        } else if files.exists(&path)
            || purpose == FilePurpose::SaveMap && files.exists(&ground_path(&path))
        {
            self.dialog = Some(Dialog::Replace { purpose, path });
        } else {
            self.write_file(purpose, path);
        }
    }

    /// Closes the window in front, and gives up what was to be done after it.
    pub fn close_dialog(&mut self) {
        self.dialog = None;
        self.after_saving = None;
    }

    /// Saves the map, and then does what would have lost its changes.
    pub fn save_and_go_on(&mut self, next: Next) {
        self.dialog = None;
        self.after_saving = Some(next);
        self.save();
    }

    /// Whether the map has changes that somebody may want to keep. The map of a lesson in progress is no work of one's own.
    pub fn has_unsaved_changes(&self) -> bool {
        self.map.document.is_changed() && self.map.teaching.course.is_none()
    }

    /// Does something that loses the map's changes: at once if there are none, else after asking.
    pub fn careful(&mut self, next: Next) {
        if self.has_unsaved_changes() {
            self.dialog = Some(Dialog::Discard(Box::new(next)));
        } else {
            self.go_on(next);
        }
    }

    /// Does it.
    pub fn go_on(&mut self, next: Next) {
        match next {
            Next::Open(path) => self.open(path),
            Next::Take(document) => {
                self.mode = Mode::Map;
                self.map.take_document(*document);
            }
            Next::Show(dialog) => {
                return match *dialog {
                    Dialog::File(browser) => self.show_browser(browser),
                    dialog => self.dialog = Some(dialog),
                };
            }
            Next::Learn(lesson) => {
                self.mode = Mode::Map;
                self.map.start_lesson(*lesson);
            }
            Next::Follow(link) => self.follow(*link),
            Next::Quit => self.wants_to_quit = true,
        }
        self.dialog = None;
    }

    /// Takes up a blank map.
    pub fn new_blank(&mut self, width: u32, height: u32) {
        self.dialog = None;
        self.mode = Mode::Map;
        self.map.take_document(files::blank_document(width, height));
    }
}
