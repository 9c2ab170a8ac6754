//! The workbench as a page: what a browser gives instead of threads, a disk and a desktop, and the page's own frame around
//! each of the workbench's frames.
//!
//! `static/index.html` loads it, and `static/host.js` is its counterpart: it runs work between frames, asks for files and
//! saves them. docs/web.md says how it works.

pub mod files;
mod host;
mod report;
pub mod work;

use files::{BrowserDialogs, BrowserFiles};
use highroad_workbench::App;
use highroad_workbench::seams::{Seams, WorldSeams};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;
use work::{BetweenFrames, BrowserClock};

/// How often it is looked whether there is something new to be remembered.
const REMEMBER_EVERY: Duration = Duration::from_secs(2);

/// What has come from outside since the last frame.
enum News {
    File(PathBuf),
    Link(String),
    Trouble(String),
}

static INBOX: Mutex<Vec<News>> = Mutex::new(Vec::new());

fn inbox() -> std::sync::MutexGuard<'static, Vec<News>> {
    INBOX.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens a file that the page has been given by [`files::put_file`].
#[wasm_bindgen]
pub fn open_file(name: &str) {
    inbox().push(News::File(files::path_of(name)));
}

/// Opens a link: the part of the page's address from the sign `#` on.
#[wasm_bindgen]
pub fn open_link(fragment: &str) {
    inbox().push(News::Link(fragment.to_owned()));
}

/// Says what has gone wrong outside.
#[wasm_bindgen]
pub fn say_trouble(text: &str) {
    inbox().push(News::Trouble(text.to_owned()));
}

/// Shows the workbench on a canvas. `address` is that of the page; with `is_embedded` there is one view without panels, and
/// with `is_tested` the page says after each frame what can be seen. The error says why nothing can be drawn.
#[wasm_bindgen]
pub async fn start(
    canvas: HtmlCanvasElement,
    address: String,
    is_embedded: bool,
    is_tested: bool,
) -> Result<(), JsValue> {
    let clock = Arc::new(BrowserClock);
    WorldSeams { clock: work::world_clock(), background: Some(work::background()) }.set();
    let make = move |context: &eframe::CreationContext<'_>| {
        let wake = context.egui_ctx.clone();
        let seams = Seams {
            workers: Arc::new(BetweenFrames),
            clock,
            files: Arc::new(BrowserFiles),
            dialogs: Some(Arc::new(BrowserDialogs)),
            wake: work::wake_by(wake),
        };
        let mut app = App::new(seams);
        app.shell.page_address = address;
        app.shell.is_embedded = is_embedded;
        if !is_embedded && !files::remembers() {
            app.shell.say_error(
                "This browser does not let the page remember anything: settings and finished lessons are lost when it \
                 is closed. Everything else works.",
            );
        }
        Ok(Box::new(PageApp {
            app,
            is_tested,
            remembered: Duration::ZERO,
            report: report::Report::default(),
        }) as Box<dyn eframe::App>)
    };
    eframe::WebRunner::new().start(canvas, eframe::WebOptions::default(), Box::new(make)).await
}

/// The workbench with what the page adds to each frame.
struct PageApp {
    app: App,
    is_tested: bool,
    remembered: Duration,
    report: report::Report,
}

impl PageApp {
    fn take_news(&mut self) {
        let news = std::mem::take(&mut *inbox());
        for item in news {
            match item {
                News::File(path) => self.app.shell.open_carefully(path),
                News::Link(fragment) => self.app.shell.open_link(&fragment),
                News::Trouble(text) => self.app.shell.say_error(text),
            }
        }
    }
}

impl eframe::App for PageApp {
    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        let began = work::now();
        self.take_news();
        self.app.ui(ui, frame);
        let now = work::now();
        self.report.note(now.saturating_sub(began));
        if now.saturating_sub(self.remembered) > REMEMBER_EVERY {
            self.remembered = now;
            self.app.shell.save_preferences();
        }
        if self.is_tested {
            host::report(&self.report.text(&mut self.app.shell));
        }
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }
}
