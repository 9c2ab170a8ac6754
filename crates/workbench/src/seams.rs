//! Where the workbench meets the machine: threads, the clock and files, each behind a small trait, so
//! that tests drive it and a browser can run it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Runs work beside the user interface.
pub trait Workers {
    /// Runs a piece of work to its end, now or later, on whatever thread.
    fn run(&self, work: Box<dyn FnOnce() + Send>);
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
    /// What a folder holds, folders first, by name.
    fn list(&self, folder: &Path) -> io::Result<Vec<FolderEntry>>;
    /// Where to begin to look for files.
    fn home(&self) -> PathBuf;
    /// Where the program remembers its settings; `None` if it cannot.
    fn preferences(&self) -> Option<PathBuf>;
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
    /// Called when a piece of work has something to report: asks for another frame.
    pub wake: Arc<dyn Fn() + Send + Sync>,
}
