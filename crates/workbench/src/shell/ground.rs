//! The shape of a map's ground, which lies in files beside the map's own: heights, borders and links.

use super::files::name_of;
use crate::seams::Files;
use highroad::GridMap;
use highroad_formats::{EncodedGround, HeightForm, decode_ground, encode_ground, ground_path};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// The map's file that a file about its ground belongs to; the same file if it is none.
pub(super) fn map_of_ground(path: PathBuf) -> PathBuf {
    let ending = name_of(&ground_path(Path::new("")));
    match name_of(&path).strip_suffix(&ending) {
        Some(map) if !map.is_empty() => path.with_file_name(map),
        _ => path,
    }
}

/// Gives a map what the file beside it says, if there is one.
pub(super) fn read_ground(
    map: &mut GridMap,
    path: &Path,
    files: &dyn Files,
    beside: &dyn Fn(&str) -> io::Result<Vec<u8>>,
) -> Result<(), String> {
    let path = ground_path(path);
    if !files.exists(&path) {
        return Ok(());
    }
    let name = name_of(&path);
    let bytes = files.read(&path).map_err(|e| format!("{name} cannot be read: {e}."))?;
    let text = std::str::from_utf8(&bytes).map_err(|_| format!("{name} is no text."))?;
    decode_ground(map, text, beside).map_err(|error| format!("{name}, {error}."))
}

/// Writes the shape of a map's ground beside its file. If it has none, a file that is there goes: it is about the map that
/// was replaced.
pub(super) fn write_ground(map: &GridMap, path: &Path, files: &dyn Files) -> Result<(), String> {
    let name = name_of(path);
    let failed = |error: &dyn std::fmt::Display| {
        format!("{name} is saved, but not its heights, borders and links: {error}.")
    };
    let beside = ground_path(path);
    let encoded = encode_ground(map, &name, HeightForm::Picture).map_err(|e| failed(&e))?;
    match encoded {
        None if files.exists(&beside) => files.remove(&beside).map_err(|e| failed(&e)),
        None => Ok(()),
        Some(EncodedGround { text, heights }) => {
            if let Some((name, bytes)) = heights {
                files.write(&path.with_file_name(name), &bytes).map_err(|e| failed(&e))?;
            }
            files.write(&beside, text.as_bytes()).map_err(|e| failed(&e))
        }
    }
}

/// The shape of the ground as part of a setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettingGround {
    /// As in the file beside a map.
    text: String,
    /// Heights as rows of numbers.
    heights: Option<String>,
}

impl SettingGround {
    /// That of a map; `None` if it has none.
    pub(super) fn of(map: &GridMap) -> Option<Self> {
        let EncodedGround { text, heights } =
            encode_ground(map, "setting", HeightForm::Matrix).ok()??;
        let heights = heights.and_then(|(_, bytes)| String::from_utf8(bytes).ok());
        Some(Self { text, heights })
    }

    /// Gives it to a map.
    pub(super) fn add_to(&self, map: &mut GridMap) -> Result<(), String> {
        let heights = self.heights.clone().unwrap_or_default();
        decode_ground(map, &self.text, &|_| Ok(heights.clone().into_bytes()))
            .map_err(|error| error.to_string())
    }
}
