//! How the workbench looks: each frame it draws the model and turns clicks and keys into its methods.

mod dialogs;
mod keys;
mod menu;
mod start_page;
mod status;

use crate::graph::draw as graph_draw;
use crate::map::draw::{self as map_draw, canvas, heuristics, lesson, panel, tools};
use crate::mesh::draw as mesh_draw;
use crate::puzzle::draw as puzzle_draw;
use crate::seams::Seams;
use crate::shared::draw::{side_panel, style};
use crate::shell::{Mode, Next, Shell};
use highroad_pictures::Theme;
use std::time::Duration;

/// Below this width of the window, a lesson takes less room, and so does the panel.
const NARROW: f32 = 1000.0;

/// The workbench as an application: its state, and what only drawing needs.
pub struct App {
    /// The state.
    pub shell: Shell,
    textures: canvas::Textures,
    preview: dialogs::Preview,
    heuristics: heuristics::Pictures,
    start_pictures: start_page::Pictures,
    theme: Option<Theme>,
    /// What the window's title says.
    title: String,
    /// When frames were drawn, for measuring: the first, how many, and the longest gaps.
    pub frames: FrameTimes,
}

/// When frames were drawn.
#[derive(Clone, Debug, Default)]
pub struct FrameTimes {
    /// When the first was drawn.
    pub first: Option<Duration>,
    /// How many there were.
    pub count: u64,
    latest: Option<Duration>,
    /// How long each of the latest took to follow the one before, in milliseconds.
    pub gaps_ms: Vec<f32>,
}

/// Frames that are remembered.
const GAPS_MAX: usize = 100_000;

impl FrameTimes {
    fn note(&mut self, now: Duration) {
        self.first.get_or_insert(now);
        self.count += 1;
        if let Some(latest) = self.latest.replace(now)
            && self.gaps_ms.len() < GAPS_MAX
        {
            self.gaps_ms.push(now.saturating_sub(latest).as_secs_f32() * 1e3);
        }
    }
}

impl App {
    /// An application on a machine.
    pub fn new(seams: Seams) -> Self {
        Self {
            shell: Shell::new(seams),
            textures: canvas::Textures::default(),
            preview: dialogs::Preview::default(),
            heuristics: heuristics::Pictures::default(),
            start_pictures: start_page::Pictures::default(),
            theme: None,
            title: String::new(),
            frames: FrameTimes::default(),
        }
    }

    /// Draws one frame.
    pub fn show(&mut self, ui: &mut egui::Ui) {
        let context = ui.ctx().clone();
        self.frames.note(self.shell.seams().clock.now());
        if self.theme.is_none() {
            style::install(&context);
        }
        if self.theme != Some(self.shell.preferences.theme) {
            self.theme = Some(self.shell.preferences.theme);
            style::apply(&context, self.shell.preferences.theme);
            // Otherwise this frame would still look as before.
            ui.set_style(context.global_style());
            self.shell.map.renewal.touched.everything();
        }
        self.take_dropped_files(&context);
        self.shell.tick();
        keys::handle(&context, &mut self.shell);
        if self.shell.is_embedded {
            self.shell.shows_panels = false;
            if self.shell.mode == Mode::Start {
                self.shell.mode = Mode::Map;
            }
        } else {
            egui::Panel::top("menu").show(ui, |ui| menu::show(ui, &mut self.shell));
        }
        egui::Panel::bottom("status")
            .resizable(false)
            .exact_size(status::HEIGHT)
            .show(ui, |ui| status::show(ui, &mut self.shell));
        match self.shell.mode {
            Mode::Start => {
                let pictures = &mut self.start_pictures;
                egui::CentralPanel::default()
                    .show(ui, |ui| start_page::show(ui, &mut self.shell, pictures));
            }
            Mode::Map => self.show_map(ui),
            Mode::Mesh => {
                let shows_panels = self.shell.shows_panels;
                match mesh_draw::show(ui, self.shell.mesh(), shows_panels) {
                    Some(mesh_draw::Asked::MeshOfMap) => self.shell.show_mesh_of_map(),
                    None => {}
                }
            }
            Mode::Graph => graph_draw::show(ui, &mut self.shell.graph, self.shell.shows_panels),
            Mode::Puzzle => puzzle_draw::show(ui, &mut self.shell.puzzle, self.shell.shows_panels),
        }
        dialogs::show(&context, &mut self.shell, &mut self.preview);
        keys::show_overlay(&context, &mut self.shell);
        self.set_title(&context);
        self.remember_window(&context);
        // Clicks of this frame may have asked for work.
        self.shell.tick();
        if self.shell.is_lively() {
            context.request_repaint();
        }
    }

    fn show_map(&mut self, ui: &mut egui::Ui) {
        let map = &mut self.shell.map;
        egui::Panel::bottom("bottom")
            .resizable(false)
            .exact_size(map_draw::BOTTOM_HEIGHT)
            .show(ui, |ui| map_draw::bottom(ui, map));
        // A lesson in a narrow window leaves the map room: the tools go, which digits choose as well.
        let is_narrow = map.teaching.course.is_some() && ui.available_width() < NARROW;
        if map.teaching.course.is_some() {
            egui::Panel::left("lesson")
                .resizable(false)
                .exact_size(if is_narrow { lesson::WIDTH_NARROW } else { lesson::WIDTH })
                .show(ui, |ui| lesson::show(ui, map));
        }
        if self.shell.shows_panels {
            if !is_narrow {
                egui::Panel::left("tools")
                    .resizable(false)
                    .exact_size(tools::WIDTH)
                    .show(ui, |ui| tools::show(ui, map));
            }
            side_panel::show(ui, "map", is_narrow, |ui| panel::show(ui, map));
        }
        egui::CentralPanel::no_frame().show(ui, |ui| canvas::show(ui, map, &mut self.textures));
        heuristics::show(ui.ctx(), map, &mut self.heuristics);
    }

    /// The window is called by what is open in it.
    fn set_title(&mut self, context: &egui::Context) {
        let document = &self.shell.map.document;
        let title = match self.shell.mode {
            Mode::Start => "Highroad workbench".to_owned(),
            Mode::Map => {
                let mark = if self.shell.has_unsaved_changes() { "*" } else { "" };
                format!("{}{mark} – Highroad workbench", document.name)
            }
            Mode::Mesh => {
                let name = self.shell.mesh.as_ref().map_or("mesh", |mesh| mesh.name.as_str());
                format!("{name} – Highroad workbench")
            }
            Mode::Graph => format!("{} – Highroad workbench", self.shell.graph.name),
            Mode::Puzzle => format!("{} puzzle – Highroad workbench", self.shell.puzzle.tiles()),
        };
        if self.title != title {
            context.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
        // Screen readers do not read the title bar, but the name of the outermost node.
        context.accesskit_node_builder(egui::accesskit_root_id(), |node| {
            node.set_label(self.title.as_str());
        });
    }

    /// What the window's title says.
    pub fn title(&self) -> &str {
        &self.title
    }

    fn take_dropped_files(&mut self, context: &egui::Context) {
        let dropped = context.input(|input| input.raw.dropped_files.clone());
        if let Some(path) = dropped.first().map(|file| file.path().to_owned()) {
            self.shell.careful(Next::Open(path));
        }
    }

    fn remember_window(&mut self, context: &egui::Context) {
        let (inner, outer, close) = context.input(|input| {
            let viewport = input.viewport();
            (viewport.inner_rect, viewport.outer_rect, viewport.close_requested())
        });
        if let Some(rect) = inner {
            self.shell.preferences.window = Some((rect.width(), rect.height()));
        }
        if let Some(rect) = outer {
            self.shell.preferences.window_at = Some((rect.left(), rect.top()));
        }
        if close && self.shell.has_unsaved_changes() && !self.shell.wants_to_quit {
            context.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.shell.careful(Next::Quit);
        }
        if self.shell.wants_to_quit {
            context.send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.shell.save_preferences();
    }
}
