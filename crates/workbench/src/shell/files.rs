//! Opening, saving and exporting.

use super::dialog::{Dialog, FilePurpose, Next};
use super::ground::{SettingGround, map_of_ground, read_ground, write_ground};
use super::setting::Setting;
use super::{Mode, Shell};
use crate::map::{Document, MapOrigin, MovementChoice};
use crate::seams::Files;
use crate::shared::PlannerChoice;
use crate::shared::job::{Job, JobState};
use crate::teach::lesson::{Lesson, read_lesson};
use highroad::graph::Graph;
use highroad::grid::{Extent, Grid};
use highroad::mesh::{Mesh, read_polyanya};
use highroad::planner::Point;
use highroad::{Cell, GridMap, Terrain};
use highroad_formats::{MapFormat, Picture, ReadOptions, decode_map, file_below, read_mesh_json};
use highroad_lab::builtin::BuiltinMap;
use highroad_lab::graphs::read_graph_by;
use highroad_lab::meshes::is_mesh_file;
use highroad_pictures::posthoc::{self, ReadTrace, read_trace};
use highroad_pictures::{Animation, Scene, Viewport};
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
    Lesson(Box<Lesson>),
    Trace { name: String, trace: Box<ReadTrace> },
    Graph { name: String, graph: Arc<Graph> },
    Mesh { name: String, mesh: Mesh },
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
        .with_origin(MapOrigin::Builtin(builtin.name))
}

/// A map of ground alone, its sides made to fit.
pub(super) fn blank_document(width: u32, height: u32) -> Document {
    let side = |cells: u32| cells.clamp(1, highroad::grid::SIDE_MAX);
    let (width, height) = (side(width), side(height));
    let map = GridMap::filled(width, height, Terrain::GROUND).expect("both sides are in range");
    let places = (Cell::new(width / 8, height / 2), Cell::new(width - 1 - width / 8, height / 2));
    Document::new("untitled", map, MovementChoice::default(), Some(places))
}

/// Whether a file is a graph: by its ending, or since it lists edges.
fn is_graph(bytes: &[u8], name: &str) -> bool {
    let names_edges = |key: &[u8]| bytes.windows(key.len()).any(|part| part == key);
    match Path::new(name).extension().and_then(|ending| ending.to_str()) {
        Some("gr" | "edges") => true,
        Some("json") => names_edges(b"\"edges\""),
        Some("toml") => names_edges(b"edges = [") || names_edges(b"[[edges]]"),
        _ => false,
    }
}

/// The mesh in a file: Polyanya's text, or JSON.
fn mesh_of_text(bytes: &[u8]) -> Result<Mesh, String> {
    let text = String::from_utf8_lossy(bytes);
    match text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        true => read_mesh_json(&text).map_err(|error| error.to_string()),
        false => read_polyanya(&text).map_err(|error| error.to_string()),
    }
}

/// Finds out what a file is. A picture in the colours of terrain is a map as it is; of any other, a dialog
/// asks how dark walls are. Levels and drawings become maps that are saved elsewhere.
fn read(bytes: &[u8], path: PathBuf, files: &dyn Files) -> Result<Loaded, String> {
    let name = name_of(&path);
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    let beside = |file: &str| files.read(&file_below(&folder, file)?);
    let text = || std::str::from_utf8(bytes).map_err(|_| format!("{name} is no text."));
    if name.ends_with(".toml") {
        let lesson = read_lesson(text()?).map_err(|error| format!("{name}, {error}."))?;
        return Ok(Loaded::Lesson(Box::new(lesson)));
    }
    if name.ends_with(".yaml") || name.ends_with(".yml") {
        let trace = read_trace(text()?).map_err(|error| format!("{name}, {error}."))?;
        return Ok(Loaded::Trace { name, trace: Box::new(trace) });
    }
    let shaped = |mut map: GridMap| {
        read_ground(&mut map, &path, files, &beside)?;
        Ok::<GridMap, String>(map)
    };
    let decode = || {
        let map = decode_map(bytes, Path::new(&name), &ReadOptions::default(), &beside);
        shaped(map.map_err(|e| format!("{name}, {e}."))?)
    };
    match MapFormat::of_bytes(bytes) {
        MapFormat::Png => {
            let picture = Picture::from_png(bytes).map_err(|e| format!("{name}: {e}."))?;
            let coloured = picture.to_terrain(&[]).ok().filter(has_colours);
            Ok(match coloured {
                Some(map) => Loaded::Map { map: shaped(map)?, name, file: None },
                None => Loaded::Picture { name, picture },
            })
        }
        MapFormat::Tmj => match Setting::read(bytes) {
            Ok(setting) => {
                let mut map = GridMap::from_movingai(setting.map.as_bytes())
                    .map_err(|e| format!("{name}: its map is broken: {e}."))?;
                if let Some(ground) = &setting.ground {
                    ground
                        .add_to(&mut map)
                        .map_err(|e| format!("{name}: the shape of its ground, {e}."))?;
                }
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
            Ok(Loaded::Map { name, file: Some(path), map })
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

pub(super) fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

impl Shell {
    /// Opens a map, a picture, a mesh, a graph or a setting.
    pub fn open(&mut self, path: PathBuf) {
        self.dialog = None;
        let path = map_of_ground(path);
        let files = Arc::clone(&self.seams.files);
        let name = name_of(&path);
        let what = format!("opening {name}");
        self.file_jobs.load = Some(Job::start(&self.seams, what, move |_| {
            let bytes = files.read(&path).map_err(|e| format!("{name} cannot be read: {e}."))?;
            if is_mesh_file(&path) {
                let mesh = mesh_of_text(&bytes).map_err(|error| format!("{name}: {error}."))?;
                return Ok(Loaded::Mesh { name, mesh });
            }
            if is_graph(&bytes, &name) {
                let graph = read_graph_by(&path, &|path| files.read(path));
                let graph = Arc::new(graph.map_err(|error| format!("{error}."))?);
                return Ok(Loaded::Graph { name, graph });
            }
            read(&bytes, path, &*files)
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
                let next = self.after_saving.take();
                match result {
                    Ok(text) => {
                        self.say(text);
                        if let Some(next) = next {
                            self.go_on(next);
                        }
                    }
                    Err(reason) => self.say_error(reason),
                }
            }
        }
    }

    fn take_loaded(&mut self, loaded: Loaded) {
        if let Loaded::Mesh { name, mesh } = loaded {
            return match self.mesh().take(&name, mesh) {
                Ok(()) => self.mode = Mode::Mesh,
                Err(reason) => self.say_error(reason),
            };
        }
        if let Loaded::Graph { name, graph } = loaded {
            return match self.graph.take(&name, graph) {
                Ok(()) => self.mode = Mode::Graph,
                Err(reason) => self.say_error(reason),
            };
        }
        self.mode = Mode::Map;
        match loaded {
            Loaded::Map { name, file, map } => {
                // Stays until it is closed: one letter changes what all others mean.
                if let Some(doubt) = map.palette_doubt() {
                    self.say_error(format!("{name}: {doubt}."));
                }
                let mut document = Document::new(name, map, MovementChoice::default(), None);
                if let Some(file) = &file {
                    self.preferences.remember(file.clone());
                }
                document.file = file;
                self.map.take_document(document);
            }
            Loaded::Picture { name, picture } => {
                let threshold = 128;
                let preview = picture.to_map(threshold).ok().map(Grid::with_defaults);
                self.dialog = Some(Dialog::Import { name, picture, threshold, preview });
            }
            Loaded::Setting { setting, map } => self.take_setting(*setting, map),
            Loaded::Lesson(lesson) => self.go_on(Next::Learn(lesson)),
            Loaded::Trace { name, trace } => self.map.take_trace(&name, &trace),
            Loaded::Graph { .. } | Loaded::Mesh { .. } => {}
        }
    }

    pub(super) fn take_setting(&mut self, setting: Setting, map: GridMap) {
        let places = (setting.start.into(), setting.goal.into());
        let document = Document::new(setting.name, map, setting.movement, Some(places));
        match PlannerChoice::parse(&setting.planner) {
            Ok(choice) => self.map.planner = choice,
            Err(error) => self.say_error(format!("The setting's planner is not known: {error}.")),
        }
        self.map.layers.set_switches(setting.layers);
        self.map.layers.colouring = setting.colouring;
        self.map.take_document(document);
        self.map.player.breakpoints = setting.breakpoints;
        self.map.player.restored_position = setting.position;
        if let Some((x, y, scale)) = setting.view.filter(|view| view.2.is_finite()) {
            self.map.view.show_part(Point { x, y }, scale);
        }
    }

    /// The setting as it is now.
    pub fn setting(&self) -> Setting {
        let document = &self.map.document;
        let (position, length) = self.map.player.position();
        let map = String::from_utf8_lossy(&document.grid().map().to_movingai()).into_owned();
        Setting {
            highroad_setting: Setting::VERSION,
            name: document.name.clone(),
            map,
            ground: SettingGround::of(document.grid().map()),
            start: (document.start().x, document.start().y),
            goal: (document.goal().x, document.goal().y),
            planner: self.map.planner.text(),
            movement: document.movement(),
            layers: self.map.layers.switches().clone(),
            colouring: self.map.layers.colouring,
            view: Some((self.map.view.middle.x, self.map.view.middle.y, self.map.view.scale)),
            position: (position < length).then_some(position),
            breakpoints: self.map.player.breakpoints.clone(),
        }
    }

    /// Saves the map where it came from, or asks where.
    pub fn save(&mut self) {
        match self.map.document.file.clone() {
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
            self.map.document.note_saved();
            self.map.document.name = name_of(&path);
            self.map.document.file = Some(path.clone());
        }
        if matches!(purpose, FilePurpose::SaveMap | FilePurpose::SaveSetting) {
            self.preferences.remember(path.clone());
        }
        let files = Arc::clone(&self.seams.files);
        let name = name_of(&path);
        let map = self.map.document.grid().map();
        let map = (purpose == FilePurpose::SaveMap).then(|| map.clone());
        self.file_jobs.write =
            Some(Job::start(&self.seams, format!("writing {name}"), move |_| {
                let bytes = bytes()?;
                files
                    .write(&path, &bytes)
                    .map_err(|e| format!("{name} cannot be written: {e}."))?;
                map.map_or(Ok(()), |map| write_ground(&map, &path, &*files))?;
                Ok(format!("Saved {name}."))
            }));
    }

    /// What makes the bytes of a file, on a worker.
    fn bytes_of(&self, purpose: FilePurpose) -> Result<Bytes, String> {
        let picture_error = |error| format!("The picture cannot be made: {error}.");
        Ok(match purpose {
            FilePurpose::Open => return Err("Nothing is to be written.".to_owned()),
            FilePurpose::SaveMap => {
                let map = self.map.document.grid().map().clone();
                Box::new(move || Ok(map.to_movingai()))
            }
            FilePurpose::ExportPng => {
                let canvas = self.map.scene().to_canvas(&self.map.view.viewport);
                Box::new(move || {
                    let mut bytes = Vec::new();
                    canvas.write_png(&mut bytes).map_err(picture_error)?;
                    Ok(bytes)
                })
            }
            FilePurpose::ExportSvg => {
                let svg =
                    self.map.scene().to_svg(&self.map.view.viewport).map_err(picture_error)?;
                Box::new(move || Ok(svg.into_bytes()))
            }
            FilePurpose::ExportTrace => self.trace_bytes()?,
            FilePurpose::ExportAnimation => self.animation_bytes()?,
            FilePurpose::SaveSetting => {
                let setting = self.setting();
                Box::new(move || Ok(setting.write()))
            }
        })
    }

    fn trace_bytes(&self) -> Result<Bytes, String> {
        let Some(replay) = self.map.player.replay() else {
            return Err("There is no recorded search to export; run a planner first.".to_owned());
        };
        let events = replay.events().to_vec();
        let extent = self.map.document.extent();
        let query = self.map.document.places();
        let unit = 2.0 * f64::from(self.map.document.grid().movement().steps().straight());
        Ok(Box::new(move || {
            let mut bytes = Vec::new();
            posthoc::write_trace(&mut bytes, extent, query, unit, &events)
                .map_err(|error| format!("The trace cannot be written: {error}."))?;
            Ok(bytes)
        }))
    }

    /// The recording as a moving picture of the whole map, made on a worker.
    fn animation_bytes(&self) -> Result<Bytes, String> {
        let Some(replay) = self.map.player.replay().cloned() else {
            return Err("There is no recorded search to export; run a planner first.".to_owned());
        };
        let document = &self.map.document;
        let (grid, palette, theme) = (document.grid().clone(), document.palette(), self.map.theme);
        let path = self.map.path_cells().to_vec();
        let (start, goal) = document.places();
        let colouring = self.map.layers.colouring;
        Ok(Box::new(move || {
            let viewport = animation_viewport(grid.extent());
            let scene = Scene {
                palette,
                theme,
                search: Some((&replay, colouring, 0.8)),
                start: Some(start),
                goal: Some(goal),
                grid_lines: true,
                ..Scene::new(&grid)
            };
            let mut bytes = Vec::new();
            Animation::default()
                .write(&mut bytes, &scene, &replay, &path, &viewport)
                .map_err(|error| format!("The picture cannot be made: {error}."))?;
            Ok(bytes)
        }))
    }

    /// Remembers what is to be the same next time.
    pub fn save_preferences(&mut self) {
        self.map.remember(&mut self.preferences);
        let bytes = self.preferences.write();
        if let Some(path) = self.seams.files.preferences() {
            // A home that cannot be written to is no reason to complain when the program ends.
            _ = self.seams.files.write(&path, &bytes);
        }
    }
}

/// The whole map, about 800 pixels wide, and no more than 800 high.
fn animation_viewport(extent: Extent) -> Viewport {
    let (width, height) = (extent.width() as f32, extent.height() as f32);
    let scale = (800.0 / width).min(800.0 / height).min(40.0);
    let scale = if scale >= 1.0 { scale.floor() } else { scale };
    let size = ((width * scale).ceil().max(1.0), (height * scale).ceil().max(1.0));
    Viewport { origin: (0.0, 0.0), scale, corner: (0.0, 0.0), size }
}

type Bytes = Box<dyn FnOnce() -> Result<Vec<u8>, String> + Send>;
