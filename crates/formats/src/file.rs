//! Maps that are files on disk.

use crate::{FormatError, GroundError, ReadOptions, decode_ground, decode_map, ground_path};
use highroad_core::GridMap;
use std::io;
use std::path::{Component, Path, PathBuf};
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
    /// The file beside it, about the shape of its ground, is none.
    #[error("{}, {error}", .path.display())]
    Ground {
        /// Which file.
        path: PathBuf,
        /// Where and why.
        error: GroundError,
    },
}

/// The most bytes of a file about the ground.
const GROUND_BYTES_MAX: u64 = 64 << 20;

/// The file that another file names, in `folder` or below it. Fails if the name leads out of the folder: by `..`, by a
/// path from the root or a drive, or by a link of the file system. What a map refers to is therefore never read from
/// elsewhere, whoever wrote the map.
///
/// ```
/// use highroad_formats::file_below;
/// use std::path::Path;
/// assert_eq!(file_below(Path::new("levels"), "tiles/grass.tsx")?, Path::new("levels/tiles/grass.tsx"));
/// assert!(file_below(Path::new("levels"), "../secret.txt").is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn file_below(folder: &Path, name: &str) -> io::Result<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let named = Path::new(name);
    let stays = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if named.file_name().is_none() || !named.components().all(stays) {
        return Err(outside(folder, name));
    }
    let path = folder.join(named);
    // A file that is not there is for whoever opens it to report.
    if let Ok(real) = path.canonicalize()
        && !real.starts_with(folder.canonicalize()?)
    {
        return Err(outside(folder, name));
    }
    Ok(path)
}

fn outside(folder: &Path, name: &str) -> io::Error {
    let problem = format!("'{name}' is outside of the folder '{}'", folder.display());
    io::Error::new(io::ErrorKind::InvalidInput, problem)
}

/// Reads a map file of any [format](crate), and the shape of its ground where a file beside it says that ([`ground_path`]).
/// Files that it refers to are read from its own folder and those below it.
pub fn read_map(path: &Path) -> Result<GridMap, ReadError> {
    read_map_with(path, &ReadOptions::default())
}

/// Reads a map file of any [format](crate), with what the file does not say itself. Files that it refers to are read from
/// its own folder and those below it, or from anywhere below [`ReadOptions::folder`].
pub fn read_map_with(path: &Path, options: &ReadOptions) -> Result<GridMap, ReadError> {
    let bytes =
        std::fs::read(path).map_err(|error| ReadError::File { path: path.to_owned(), error })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let beside = |file: &str| {
        let path = match &options.folder {
            None => file_below(folder, file)?,
            Some(root) => {
                let path = folder.join(file).canonicalize()?;
                if !path.starts_with(root.canonicalize()?) {
                    return Err(outside(root, file));
                }
                path
            }
        };
        std::fs::read(path)
    };
    let map = decode_map(&bytes, path, options, &beside);
    let mut map = map.map_err(|error| ReadError::Map { path: path.to_owned(), error })?;
    let ground = ground_path(path);
    if let Some(text) = read_ground(&ground)? {
        decode_ground(&mut map, &text, &beside)
            .map_err(|error| ReadError::Ground { path: ground, error })?;
    }
    Ok(map)
}

/// The text of the file about the ground, if there is one.
fn read_ground(path: &Path) -> Result<Option<String>, ReadError> {
    let failed = |error| ReadError::File { path: path.to_owned(), error };
    match std::fs::metadata(path) {
        Ok(file) if !file.is_file() => Ok(None),
        Ok(file) if file.len() > GROUND_BYTES_MAX => {
            Err(failed(io::ErrorKind::FileTooLarge.into()))
        }
        Ok(_) => std::fs::read_to_string(path).map(Some).map_err(failed),
        Err(_) => Ok(None),
    }
}
