//! What is written to files: a setting that opens again as it was, and what the program remembers.

use super::ground::SettingGround;
use crate::map::MovementChoice;
use crate::shared::Switch;
use highroad_pictures::replay::Breakpoint;
use highroad_pictures::{Colouring, Theme};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The latest files that are remembered.
const RECENT_MAX: usize = 8;

/// Everything about a piece of work, in a file of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// Which program and version of the format wrote it.
    pub highroad_setting: u32,
    /// What the map is called.
    pub name: String,
    /// The map, in MovingAI's format.
    pub map: String,
    /// Its heights, borders and links, if it has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ground: Option<SettingGround>,
    /// Column and row of the start.
    pub start: (u32, u32),
    /// Column and row of the goal.
    pub goal: (u32, u32),
    /// The planner and its options, as on the command line.
    pub planner: String,
    /// How agents move.
    pub movement: MovementChoice,
    /// Which layers are shown.
    pub layers: BTreeMap<String, Switch>,
    /// What colours show.
    pub colouring: Colouring,
    /// What lies in the middle of the view, in cells, and pixels a cell.
    pub view: Option<(f32, f32, f32)>,
    /// How many events of the recording have happened; `None`: all.
    pub position: Option<usize>,
    /// Where playing stops.
    pub breakpoints: Vec<Breakpoint>,
}

impl Setting {
    /// The version of the format.
    pub const VERSION: u32 = 1;
    /// How such files' names end.
    pub const ENDING: &'static str = "highroad.json";

    /// Reads a setting from a file's bytes.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let setting: Self = serde_json::from_slice(bytes)
            .map_err(|error| format!("this is no setting of the workbench: {error}"))?;
        Self::check_version(setting.highroad_setting)?;
        Ok(setting)
    }

    /// Whether a version of the format is known; the error says so if not.
    pub(super) fn check_version(version: u32) -> Result<(), String> {
        match version == Self::VERSION {
            true => Ok(()),
            false => Err(format!(
                "the setting is of version {version}, but only version {} is known",
                Self::VERSION
            )),
        }
    }

    /// The bytes of its file.
    pub fn write(&self) -> Vec<u8> {
        serde_json::to_vec_pretty(self).unwrap_or_default()
    }
}

/// What the program remembers from one time to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// Light or dark.
    pub theme: Theme,
    /// The window's size, in points.
    pub window: Option<(f32, f32)>,
    /// The window's place, in points.
    pub window_at: Option<(f32, f32)>,
    /// Files opened lately, the latest first.
    pub recent: Vec<PathBuf>,
    /// The planner and its options.
    pub planner: Option<String>,
    /// Which layers are shown.
    pub layers: BTreeMap<String, Switch>,
    /// How fast agents walk, in cells a second.
    pub walk_speed: f32,
    /// Whether the hint of what to do next has been taken.
    pub hint_is_taken: bool,
    /// Where files were opened or saved last.
    pub folder: Option<PathBuf>,
    /// The titles of lessons that were gone through to the end.
    pub lessons_done: BTreeSet<String>,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            theme: Theme::Dark,
            window: None,
            window_at: None,
            recent: Vec::new(),
            planner: None,
            layers: BTreeMap::new(),
            walk_speed: 12.0,
            hint_is_taken: false,
            folder: None,
            lessons_done: BTreeSet::new(),
        }
    }
}

impl Preferences {
    /// Reads them; what cannot be read is as at first.
    pub fn read(bytes: &[u8]) -> Self {
        serde_json::from_slice(bytes).unwrap_or_default()
    }

    /// The bytes of their file.
    pub fn write(&self) -> Vec<u8> {
        serde_json::to_vec_pretty(self).unwrap_or_default()
    }

    /// Puts a file first among those opened lately.
    pub fn remember(&mut self, file: PathBuf) {
        self.recent.retain(|other| *other != file);
        self.folder = file.parent().map(PathBuf::from);
        self.recent.insert(0, file);
        self.recent.truncate(RECENT_MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_preferences_are_as_at_first() {
        assert_eq!(Preferences::read(b"{"), Preferences::default());
        assert_eq!(Preferences::read(b"{\"theme\": \"Light\"}").theme, Theme::Light);
        let changed = Preferences { walk_speed: 3.0, ..Preferences::default() };
        assert_eq!(Preferences::read(&changed.write()), changed);
    }

    #[test]
    fn recent_files_are_the_latest_first_and_no_more_than_some() {
        let mut preferences = Preferences::default();
        for number in 0..20 {
            preferences.remember(PathBuf::from(format!("/maps/{number}.map")));
        }
        preferences.remember(PathBuf::from("/maps/15.map"));
        assert_eq!(preferences.recent[..2], ["/maps/15.map", "/maps/19.map"].map(PathBuf::from));
        assert_eq!(preferences.recent.len(), RECENT_MAX);
        assert_eq!(preferences.folder, Some(PathBuf::from("/maps")));
    }

    #[test]
    fn what_is_no_setting_says_so() {
        assert!(Setting::read(b"type octile").unwrap_err().contains("no setting"));
    }
}
