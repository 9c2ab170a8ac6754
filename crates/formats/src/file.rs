//! Maps that are files on disk.

use crate::{FormatError, ReadOptions, decode_map};
use highroad_core::GridMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why no map came of a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// What is in the file is no map.
    #[error("{}, {error}", .path.display())]
    Map {
        /// Which file.
        path: PathBuf,
        /// Where and why.
        error: FormatError,
    },
}

/// Reads a map file of any [format](crate). Files that it refers to are looked for from its own folder.
pub fn read_map(path: &Path) -> Result<GridMap, ReadError> {
    read_map_with(path, &ReadOptions::default())
}

/// Reads a map file of any [format](crate), with what the file does not say itself.
pub fn read_map_with(path: &Path, options: &ReadOptions) -> Result<GridMap, ReadError> {
    let bytes =
        std::fs::read(path).map_err(|error| ReadError::File { path: path.to_owned(), error })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let map = decode_map(&bytes, path, options, &|file| std::fs::read(folder.join(file)));
    map.map_err(|error| ReadError::Map { path: path.to_owned(), error })
}
