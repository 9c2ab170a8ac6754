//! The machine as it is on a desktop.

use crate::seams::{AskedAnswer, AskedFile, Clock, FileDialogs, Files, FolderEntry, Workers};
use highroad_lab::files::write_whole;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A thread for each piece of work. There are never more than a few at a time.
pub struct Threads;

impl Workers for Threads {
    fn run(&self, work: Box<dyn FnOnce() + Send>) {
        // Where no thread can be had, the work is done here: slow, but done.
        let cell = std::sync::Arc::new(std::sync::Mutex::new(Some(work)));
        let take = {
            let cell = std::sync::Arc::clone(&cell);
            move || cell.lock().ok().and_then(|mut work| work.take())
        };
        let thread = std::thread::Builder::new().name("workbench worker".to_owned());
        let started = {
            let take = take.clone();
            thread.spawn(move || {
                if let Some(work) = take() {
                    work();
                }
            })
        };
        if started.is_err()
            && let Some(work) = take()
        {
            work();
        }
    }
}

/// The system's steady clock.
pub struct SystemClock(Instant);

impl SystemClock {
    /// A clock that starts now.
    pub fn new() -> Self {
        Self(Instant::now())
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The system's dialogs: its own on Windows, on Linux what the desktop's portal or `zenity` shows.
pub struct SystemDialogs;

/// Nobody cancels a dialog that quickly: it was never shown.
const SHOWN_MIN: Duration = Duration::from_millis(250);

impl FileDialogs for SystemDialogs {
    fn ask(&self, asked: &AskedFile) -> AskedAnswer {
        // On macOS, dialogs belong to the first thread, which draws the window.
        if cfg!(target_os = "macos") {
            return AskedAnswer::NoDialog;
        }
        let began = Instant::now();
        let dialog = rfd::FileDialog::new()
            .set_title(&asked.title)
            .set_directory(&asked.folder)
            .add_filter(&asked.kind, &asked.endings);
        let chosen = match &asked.new_name {
            Some(name) => dialog.set_file_name(name).save_file(),
            None => dialog.add_filter("all files", &["*"]).pick_file(),
        };
        match chosen {
            Some(path) => AskedAnswer::Chosen(path),
            None if began.elapsed() < SHOWN_MIN => AskedAnswer::NoDialog,
            None => AskedAnswer::Cancelled,
        }
    }
}

/// The system's files.
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        write_whole(path, bytes).map_err(|error| error.error)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }

    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<FolderEntry>> {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if !name.starts_with('.') {
                entries.push(FolderEntry { is_file: !entry.path().is_dir(), name });
            }
        }
        entries.sort();
        Ok(entries)
    }

    fn home(&self) -> PathBuf {
        std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."))
    }

    fn preferences(&self) -> Option<PathBuf> {
        let given = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let folder = given("XDG_CONFIG_HOME")
            .or_else(|| given("APPDATA"))
            .map(PathBuf::from)
            .or_else(|| Some(PathBuf::from(given("HOME")?).join(".config")))?;
        Some(folder.join("highroad").join("workbench.json"))
    }
}
