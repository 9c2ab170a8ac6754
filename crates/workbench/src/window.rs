//! Opening a window, or saying why there is none.

use crate::native::{Disk, SystemClock, SystemDialogs, Threads};
use crate::seams::{Clock, Files, Seams};
use crate::shared::PlannerChoice;
use crate::shell::draw::{App, FrameTimes};
use crate::shell::{Link, Mode, Preferences};
use highroad_lab::builtin::BuiltinMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use thiserror::Error;

/// What the workbench opens with.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// A map, a picture, a setting, the name of a built-in map after `builtin:`, or a link.
    pub file: Option<PathBuf>,
    /// A planner and its options, as on the command line.
    pub planner: Option<String>,
}

/// Why no window could be opened.
#[derive(Clone, Debug, Error)]
#[error("there is no display to open a window on: {0}")]
pub struct NoWindow(String);

/// Opens the workbench and returns when it is closed, with the times of its frames.
///
/// Where there is no display, it says so instead.
pub fn run(start: Start) -> Result<FrameTimes, NoWindow> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
    let files: Arc<dyn Files> = Arc::new(Disk);
    let stored = files.preferences().and_then(|path| files.read(&path).ok());
    let preferences = stored.map(|bytes| Preferences::read(&bytes)).unwrap_or_default();
    let frames = Arc::new(Mutex::new(None));
    let kept = Arc::clone(&frames);
    let make = move |context: &eframe::CreationContext<'_>| {
        let wake = context.egui_ctx.clone();
        let seams = Seams {
            workers: Arc::new(Threads),
            clock,
            files,
            dialogs: Some(Arc::new(SystemDialogs)),
            wake: Arc::new(move || wake.request_repaint()),
        };
        let mut app = App::new(seams);
        if let Some(Ok(planner)) = start.planner.as_deref().map(PlannerChoice::parse) {
            app.shell.map.choose_planner(planner);
        }
        let builtin = |file: &PathBuf| {
            let name = file.to_str()?.strip_prefix("builtin:")?;
            BuiltinMap::find(name)
        };
        let link = start.file.as_ref().and_then(|file| file.to_str());
        match start.file.as_ref().map(|file| (file, builtin(file))) {
            _ if link.is_some_and(Link::is_meant_by) => {
                app.shell.open_link(link.unwrap_or_default());
            }
            Some((_, Some(builtin))) => app.shell.open_builtin(builtin),
            Some((file, None)) => app.shell.open(file.clone()),
            None if start.planner.is_some() => app.shell.mode = Mode::Map,
            None => {}
        }
        Ok(Box::new(Measured { app, kept }) as Box<dyn eframe::App>)
    };
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        eframe::run_native("Highroad workbench", options(&preferences), Box::new(make))
    }));
    let frames = frames.lock().ok().and_then(|mut frames| frames.take());
    match (outcome, frames) {
        (Ok(Ok(())), frames) => Ok(frames.unwrap_or_default()),
        (Ok(Err(error)), _) => Err(NoWindow(reason(&error.to_string()))),
        // Libraries of the window system that are missing make it panic before the first frame.
        (Err(_), None) => Err(NoWindow("the window system's libraries are missing".to_owned())),
        (Err(panic), Some(_)) => resume_unwind(panic),
    }
}

/// What is at the end of a window system's message: before it stand the places in its source.
fn reason(message: &str) -> String {
    let last = message.rsplit(": ").next().unwrap_or(message);
    last.trim_end_matches('.').to_owned()
}

fn options(preferences: &Preferences) -> eframe::NativeOptions {
    let (width, height) = preferences.window.unwrap_or((1280.0, 800.0));
    let mut viewport = egui::ViewportBuilder::default()
        .with_title("Highroad workbench")
        .with_app_id("highroad")
        .with_inner_size([width.clamp(640.0, 8000.0), height.clamp(480.0, 8000.0)])
        .with_min_inner_size([640.0, 480.0])
        .with_drag_and_drop(true);
    if let Some((x, y)) = preferences.window_at.filter(|(x, y)| *x >= 0.0 && *y >= 0.0) {
        viewport = viewport.with_position([x, y]);
    }
    eframe::NativeOptions { viewport, renderer: eframe::Renderer::Glow, ..Default::default() }
}

/// The application, whose frame times are kept when it ends.
struct Measured {
    app: App,
    kept: Arc<Mutex<Option<FrameTimes>>>,
}

impl eframe::App for Measured {
    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        self.app.ui(ui, frame);
        if self.app.frames.count == 1
            && let Ok(mut kept) = self.kept.lock()
        {
            *kept = Some(self.app.frames.clone());
        }
    }

    fn on_exit(&mut self, gl: Option<&eframe::glow::Context>) {
        self.app.on_exit(gl);
        if let Ok(mut kept) = self.kept.lock() {
            *kept = Some(self.app.frames.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_reason_names_no_source() {
        let message = "winit EventLoopError: os error at /somewhere/mod.rs:765: no DISPLAY is set.";
        assert_eq!(super::reason(message), "no DISPLAY is set");
        assert_eq!(super::reason("plain"), "plain");
    }
}
