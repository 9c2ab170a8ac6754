//! Units on disk: each is written as soon as it is measured, so that a run can be broken off and gone on
//! with.

use super::unit::Unit;
use crate::files::{WriteError, write_whole};
use std::path::{Path, PathBuf};

/// A folder of units.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// The folder `units` of a report, made if it is not there.
    pub fn open(out: &Path) -> Result<Self, WriteError> {
        let folder = out.join("units");
        match std::fs::create_dir_all(&folder) {
            Ok(()) => Ok(Self { folder }),
            Err(error) => Err(WriteError { path: folder, error }),
        }
    }

    /// What is kept under a title and a key. A file that is torn, or of another format, counts as none.
    pub fn find(&self, title: &str, key: &str) -> Option<Unit> {
        let text = std::fs::read(self.file(title, key)).ok()?;
        let unit: Unit = serde_json::from_slice(&text).ok()?;
        (unit.key == key).then_some(unit)
    }

    /// Keeps a unit: wholly or not at all, whenever the program is ended.
    pub fn keep(&self, title: &str, unit: &Unit) -> Result<(), WriteError> {
        let text = serde_json::to_vec(unit).unwrap_or_default();
        write_whole(&self.file(title, &unit.key), &text)
    }

    /// How many files there are, of these settings or of others.
    pub fn count(&self) -> usize {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let is_unit = |path: &Path| path.extension().is_some_and(|extension| extension == "json");
        entries.filter(|entry| is_unit(&entry.path())).count()
    }

    fn file(&self, title: &str, key: &str) -> PathBuf {
        let plain = |letter: char| {
            if letter.is_ascii_alphanumeric() || "-_.".contains(letter) { letter } else { '-' }
        };
        let title: String = title.chars().map(plain).take(100).collect();
        self.folder.join(format!("{title}-{key}.json"))
    }
}
