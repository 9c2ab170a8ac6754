//! The machine as it is on a desktop.

use crate::seams::{Clock, Files, FolderEntry, Workers};
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
        std::fs::write(path, bytes)
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
