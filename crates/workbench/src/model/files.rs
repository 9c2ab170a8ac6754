//! Opening, saving and exporting.

use super::dialog::{Dialog, FilePurpose, Next};
use super::job::{Job, JobState};
use super::setting::Setting;
use super::{Bench, Document, MovementChoice, PlannerChoice};
use highroad::planner::Point;
use highroad::{Cell, GridMap, Terrain};
use highroad_formats::{MapFormat, Picture, ReadOptions, decode_map};
use highroad_lab::builtin::BuiltinMap;
use highroad_pictures::posthoc;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The built-in map that the program opens on.
const FIRST_MAP: &str = "caves";

/// Jobs that read and write files.
#[derive(Default)]
pub(super) struct FileJobs {
    pub(super) load: Option<Job<Result<Loaded, String>>>,
    /// Its result is what to say.
    pub(super) write: Option<Job<Result<String, String>>>,
}

/// What a file turned out to be.
pub(super) enum Loaded {
    Map { name: String, file: Option<PathBuf>, map: GridMap },
    Picture { name: String, picture: Picture },
    Setting { setting: Box<Setting>, map: GridMap },
}

/// The map that the program opens on.
pub(super) fn first_document() -> Document {
    match BuiltinMap::find(FIRST_MAP) {
        Some(builtin) => builtin_document(builtin),
        None => blank_document(64, 48),
    }
}

/// A built-in map as a document.
pub(super) fn builtin_document(builtin: &BuiltinMap) -> Document {
    let movement = MovementChoice::default();
    Document::new(builtin.name, builtin.load(), movement, Some(builtin.query))
}

/// A map of ground alone, its sides made to fit.
pub(super) fn blank_document(width: u32, height: u32) -> Document {
    let side = |cells: u32| cells.clamp(1, highroad::grid::SIDE_MAX);
    let (width, height) = (side(width), side(height));
    let map = GridMap::filled(width, height, Terrain::GROUND).expect("both sides are in range");
    let places = (Cell::new(width / 8, height / 2), Cell::new(width - 1 - width / 8, height / 2));
    Document::new("untitled", map, MovementChoice::default(), Some(places))
}

/// Finds out what a file is. A picture in the colours of terrain is a map as it is; of any other, a dialog
/// asks how dark walls are. Levels and drawings become maps that are saved elsewhere.
fn read(
    bytes: &[u8],
    name: String,
    file: Option<PathBuf>,
    beside: &dyn Fn(&str) -> std::io::Result<Vec<u8>>,
) -> Result<Loaded, String> {
    let decode = || {
        decode_map(bytes, Path::new(&name), &ReadOptions::default(), beside)
            .map_err(|e| format!("{name}, {e}."))
    };
    match MapFormat::of_bytes(bytes) {
        MapFormat::Png => {
            let picture = Picture::from_png(bytes).map_err(|e| format!("{name}: {e}."))?;
            let coloured = picture.to_terrain(&[]).ok().filter(has_colours);
            Ok(match coloured {
                Some(map) => Loaded::Map { name, file: None, map },
                None => Loaded::Picture { name, picture },
            })
        }
        MapFormat::Tmj => match Setting::read(bytes) {
            Ok(setting) => {
                let map = GridMap::from_movingai(setting.map.as_bytes())
                    .map_err(|e| format!("{name}: its map is broken: {e}."))?;
                Ok(Loaded::Setting { setting: Box::new(setting), map })
            }
            Err(_) if bytes.windows(8).any(|part| part == b"\"layers\"") => {
                let map = decode()?;
                Ok(Loaded::Map { name, file: None, map })
            }
            Err(error) => Err(format!("{name}: {error}.")),
        },
        MapFormat::MovingAi => {
            let map = decode()?;
            Ok(Loaded::Map { name, file, map })
        }
        MapFormat::Tmx | MapFormat::Drawing => {
            let map = decode()?;
            Ok(Loaded::Map { name, file: None, map })
        }
    }
}

/// Whether there is more on a map than ground and walls.
fn has_colours(map: &GridMap) -> bool {
    map.terrains().any(|terrain| terrain != Terrain::GROUND && terrain != Terrain::WALL)
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

impl Bench {
    /// Opens a map, a picture or a setting.
    pub fn open(&mut self, path: PathBuf) {
        self.dialog = None;
        let files = Arc::clone(&self.seams.files);
        let name = name_of(&path);
        let what = format!("opening {name}");
        self.file_jobs.load = Some(Job::start(&self.seams, what, move |_| {
            let bytes = files.read(&path).map_err(|e| format!("{name} cannot be read: {e}."))?;
            let folder = path.parent().map(Path::to_owned).unwrap_or_default();
            read(&bytes, name, Some(path), &|file| files.read(&folder.join(file)))
        }));
    }

    /// Opens a built-in map.
    pub fn open_builtin(&mut self, builtin: &BuiltinMap) {
        self.careful(Next::Take(Box::new(builtin_document(builtin))));
    }

    pub(super) fn poll_files(&mut self) {
        let loaded = self.file_jobs.load.as_ref().map(Job::poll);
        match loaded {
            None | Some(JobState::Running) => {}
            Some(JobState::Lost) => self.file_jobs.load = None,
            Some(JobState::Done(result)) => {
                self.file_jobs.load = None;
                match result {
                    Ok(loaded) => self.take_loaded(loaded),
                    Err(reason) => self.say_error(reason),
                }
            }
        }
        let written = self.file_jobs.write.as_ref().map(Job::poll);
        match written {
            None | Some(JobState::Running) => {}
            Some(JobState::Lost) => self.file_jobs.write = None,
            Some(JobState::Done(result)) => {
                self.file_jobs.write = None;
                match result {
                    Ok(text) => self.say(text),
                    Err(reason) => self.say_error(reason),
                }
            }
        }
    }

    fn take_loaded(&mut self, loaded: Loaded) {
        match loaded {
            Loaded::Map { name, file, map } => {
                let mut document = Document::new(name, map, MovementChoice::default(), None);
                if let Some(file) = &file {
                    self.preferences.remember(file.clone());
                }
                document.file = file;
                self.take_document(document);
            }
            Loaded::Picture { name, picture } => {
                let threshold = 128;
                let preview = picture.to_map(threshold).ok();
                self.dialog = Some(Dialog::Import { name, picture, threshold, preview });
            }
            Loaded::Setting { setting, map } => self.take_setting(*setting, map),
        }
    }

    fn take_setting(&mut self, setting: Setting, map: GridMap) {
        let places = (setting.start.into(), setting.goal.into());
        let document = Document::new(setting.name, map, setting.movement, Some(places));
        match PlannerChoice::parse(&setting.planner) {
            Ok(choice) => self.planner = choice,
            Err(error) => self.say_error(format!("The setting's planner is not known: {error}.")),
        }
        self.layers.set_switches(setting.layers);
        self.colouring = setting.colouring;
        self.take_document(document);
        self.player.breakpoints = setting.breakpoints;
        self.player.restored_position = setting.position;
        if let Some((x, y, scale)) = setting.view.filter(|view| view.2.is_finite()) {
            self.view.fit = false;
            self.view.middle = Point { x, y };
            self.view.scale = scale;
        }
    }

    /// The setting as it is now.
    pub fn setting(&self) -> Setting {
        let document = &self.document;
        let (position, length) = self.player.position();
        let map = String::from_utf8_lossy(&document.grid().map().to_movingai()).into_owned();
        Setting {
            highroad_setting: Setting::VERSION,
            name: document.name.clone(),
            map,
            start: (document.start.x, document.start.y),
            goal: (document.goal.x, document.goal.y),
            planner: self.planner.text(),
            movement: document.movement,
            layers: self.layers.switches().clone(),
            colouring: self.colouring,
            view: Some((self.view.middle.x, self.view.middle.y, self.view.scale)),
            position: (position < length).then_some(position),
            breakpoints: self.player.breakpoints.clone(),
        }
    }

    /// Saves the map where it came from, or asks where.
    pub fn save(&mut self) {
        match self.document.file.clone() {
            Some(file) => self.write_file(FilePurpose::SaveMap, file),
            None => self.ask_for_file(FilePurpose::SaveMap),
        }
    }

    /// Writes what a file was chosen for.
    pub fn write_file(&mut self, purpose: FilePurpose, path: PathBuf) {
        self.dialog = None;
        self.preferences.folder = path.parent().map(PathBuf::from);
        let bytes = match self.bytes_of(purpose) {
            Ok(bytes) => bytes,
            Err(reason) => return self.say_error(reason),
        };
        if purpose == FilePurpose::SaveMap {
            self.document.is_changed = false;
            self.document.name = name_of(&path);
            self.document.file = Some(path.clone());
        }
        if matches!(purpose, FilePurpose::SaveMap | FilePurpose::SaveSetting) {
            self.preferences.remember(path.clone());
        }
        let files = Arc::clone(&self.seams.files);
        let name = name_of(&path);
        self.file_jobs.write =
            Some(Job::start(&self.seams, format!("writing {name}"), move |_| {
                let bytes = bytes()?;
                files
                    .write(&path, &bytes)
                    .map_err(|e| format!("{name} cannot be written: {e}."))?;
                Ok(format!("Written: {name}."))
            }));
    }

    /// What makes the bytes of a file, on a worker.
    fn bytes_of(&self, purpose: FilePurpose) -> Result<Bytes, String> {
        let picture_error = |error| format!("The picture cannot be made: {error}.");
        Ok(match purpose {
            FilePurpose::Open => return Err("Nothing is to be written.".to_owned()),
            FilePurpose::SaveMap => {
                let map = self.document.grid().map().clone();
                Box::new(move || Ok(map.to_movingai()))
            }
            FilePurpose::ExportPng => {
                let canvas = self.scene().to_canvas(&self.view.viewport);
                Box::new(move || {
                    let mut bytes = Vec::new();
                    canvas.write_png(&mut bytes).map_err(picture_error)?;
                    Ok(bytes)
                })
            }
            FilePurpose::ExportSvg => {
                let svg = self.scene().to_svg(&self.view.viewport).map_err(picture_error)?;
                Box::new(move || Ok(svg.into_bytes()))
            }
            FilePurpose::ExportTrace => self.trace_bytes()?,
            FilePurpose::SaveSetting => {
                let setting = self.setting();
                Box::new(move || Ok(setting.write()))
            }
        })
    }

    fn trace_bytes(&self) -> Result<Bytes, String> {
        let Some(replay) = self.player.replay() else {
            return Err("There is no recorded search to export; run a planner first.".to_owned());
        };
        let events = replay.events().to_vec();
        let extent = self.document.extent();
        let query = (self.document.start, self.document.goal);
        let unit = 2.0 * f64::from(self.document.grid().movement().steps().straight());
        Ok(Box::new(move || {
            let mut bytes = Vec::new();
            posthoc::write_trace(&mut bytes, extent, query, unit, &events)
                .map_err(|error| format!("The trace cannot be written: {error}."))?;
            Ok(bytes)
        }))
    }

    /// Remembers what is to be the same next time.
    pub fn save_preferences(&mut self) {
        self.preferences.layers = self.layers.switches().clone();
        let bytes = self.preferences.write();
        if let Some(path) = self.seams.files.preferences() {
            // A home that cannot be written to is no reason to complain when the program ends.
            _ = self.seams.files.write(&path, &bytes);
        }
    }
}

type Bytes = Box<dyn FnOnce() -> Result<Vec<u8>, String> + Send>;
