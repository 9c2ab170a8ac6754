//! Where the workbench meets the machine: threads, the clock and files, each behind a small trait, so
//! that tests drive it and a browser can run it.

use highroad::world::{Background, Clock as WorldClock};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Runs work beside the user interface.
pub trait Workers {
    /// Runs a piece of work to its end, now or later, on whatever thread.
    fn run(&self, work: Box<dyn FnOnce() + Send>);
}

/// What the engine's worlds get of the machine. On a desktop they help themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct WorldSeams {
    /// The clock.
    pub clock: WorldClock,
    /// Where planners are built; `None` for a thread of each world.
    pub background: Option<Background>,
}

static WORLD_SEAMS: OnceLock<WorldSeams> = OnceLock::new();

impl WorldSeams {
    /// Sets what all worlds get. Has no effect once there is a world.
    pub fn set(self) {
        // The first setting counts.
        _ = WORLD_SEAMS.set(self);
    }

    /// What all worlds get.
    pub(crate) fn get() -> Self {
        *WORLD_SEAMS.get_or_init(Self::default)
    }
}

/// Tells the time.
pub trait Clock: Send + Sync {
    /// The time since some fixed moment.
    fn now(&self) -> Duration;
}

/// One entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderEntry {
    /// Files come after folders.
    pub is_file: bool,
    /// Its name.
    pub name: String,
}

/// Reads and writes files.
pub trait Files: Send + Sync {
    /// The whole of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// Writes a file, replacing what was there.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Whether there is a file or folder of that name.
    fn exists(&self, path: &Path) -> bool;
    /// Whether that is a folder.
    fn is_folder(&self, path: &Path) -> bool;
    /// What a folder holds, folders first, by name.
    fn list(&self, folder: &Path) -> io::Result<Vec<FolderEntry>>;
    /// Where to begin to look for files.
    fn home(&self) -> PathBuf;
    /// Where the program remembers its settings; `None` if it cannot.
    fn preferences(&self) -> Option<PathBuf>;
}

/// A file that the system's own dialog is to ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedFile {
    /// What the dialog is called.
    pub title: String,
    /// Where it begins.
    pub folder: PathBuf,
    /// The name of a file to be written; `None` if one is to be opened.
    pub new_name: Option<String>,
    /// What such files are called, to choose among kinds of files.
    pub kind: String,
    /// What the names of files end with, without the dot.
    pub endings: Vec<String>,
}

/// What came of asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskedAnswer {
    /// This file.
    Chosen(PathBuf),
    /// None: somebody thought better of it.
    Cancelled,
    /// The system has no such dialog.
    NoDialog,
}

/// Asks for files by the system's own dialog.
pub trait FileDialogs: Send + Sync {
    /// Asks, and waits for the answer. Runs on a worker.
    fn ask(&self, asked: &AskedFile) -> AskedAnswer;
}

/// Everything that the workbench needs of the machine.
#[derive(Clone)]
pub struct Seams {
    /// Threads.
    pub workers: Arc<dyn Workers + Send + Sync>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Files.
    pub files: Arc<dyn Files>,
    /// The system's own dialogs; `None` for that of the workbench.
    pub dialogs: Option<Arc<dyn FileDialogs>>,
    /// Called when a piece of work has something to report: asks for another frame.
    pub wake: Arc<dyn Fn() + Send + Sync>,
}
