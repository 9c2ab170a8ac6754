//! How the workbench looks: each frame it draws the model and turns clicks and keys into its methods.

mod dialogs;
mod icons;
mod keys;
mod layers;
mod legend;
mod map;
mod menu;
mod panel;
mod planner;
mod result;
mod style;
mod surface;
mod tiles;
mod timeline;
mod tools;
mod walk;

use crate::model::{Bench, Next};
use crate::seams::Seams;
use highroad_pictures::Theme;
use std::time::Duration;

/// The workbench as an application: its state, and what only drawing needs.
pub struct App {
    /// The state.
    pub bench: Bench,
    textures: map::Textures,
    preview: dialogs::Preview,
    theme: Option<Theme>,
    /// Whether the panels beside the map are shown.
    panels: bool,
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
            bench: Bench::new(seams),
            textures: map::Textures::default(),
            preview: dialogs::Preview::default(),
            theme: None,
            panels: true,
            frames: FrameTimes::default(),
        }
    }

    /// Draws one frame.
    pub fn show(&mut self, ui: &mut egui::Ui) {
        let context = ui.ctx().clone();
        self.frames.note(self.bench.seams().clock.now());
        if self.theme.is_none() {
            style::install(&context);
        }
        if self.theme != Some(self.bench.preferences.theme) {
            self.theme = Some(self.bench.preferences.theme);
            style::apply(&context, self.bench.preferences.theme);
            self.bench.touched.everything();
        }
        self.take_dropped_files(&context);
        self.bench.tick();
        keys::handle(&context, &mut self.bench, &mut self.panels);
        egui::Panel::top("menu").show(ui, |ui| menu::show(ui, &mut self.bench, &mut self.panels));
        egui::Panel::bottom("timeline")
            .resizable(false)
            .exact_size(timeline::HEIGHT)
            .show(ui, |ui| timeline::show(ui, &mut self.bench));
        if self.panels {
            egui::Panel::left("tools")
                .resizable(false)
                .exact_size(tools::WIDTH)
                .show(ui, |ui| tools::show(ui, &mut self.bench));
            egui::Panel::right("panel")
                .resizable(true)
                .default_size(312.0)
                .size_range(264.0..=480.0)
                .show(ui, |ui| panel::show(ui, &mut self.bench));
        }
        egui::CentralPanel::no_frame()
            .show(ui, |ui| map::show(ui, &mut self.bench, &mut self.textures));
        dialogs::show(&context, &mut self.bench, &mut self.preview);
        keys::show_overlay(&context, &mut self.bench);
        self.remember_window(&context);
        // Clicks of this frame may have asked for work.
        self.bench.tick();
        if self.bench.is_lively() {
            context.request_repaint();
        }
    }

    fn take_dropped_files(&mut self, context: &egui::Context) {
        let dropped = context.input(|input| input.raw.dropped_files.clone());
        if let Some(path) = dropped.first().map(|file| file.path().to_owned()) {
            self.bench.careful(Next::Open(path));
        }
    }

    fn remember_window(&mut self, context: &egui::Context) {
        let (inner, outer, close) = context.input(|input| {
            let viewport = input.viewport();
            (viewport.inner_rect, viewport.outer_rect, viewport.close_requested())
        });
        if let Some(rect) = inner {
            self.bench.preferences.window = Some((rect.width(), rect.height()));
        }
        if let Some(rect) = outer {
            self.bench.preferences.window_at = Some((rect.left(), rect.top()));
        }
        if close && self.bench.document.is_changed && !self.bench.wants_to_quit {
            context.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            self.bench.careful(Next::Quit);
        }
        if self.bench.wants_to_quit {
            context.send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.bench.save_preferences();
    }
}
