//! Links: what is on the screen as an address, which opens again on the page and on the desktop.
//!
//! ```text
//! #highroad=1.eNqrVkrOz0nVUbJSSk…
//!           │ └ the setting and what belongs to it as JSON, compressed (zlib), in the letters of base64url
//!           └ version of the format
//! ```
//!
//! The version stands outside, so that a later form can be recognised. A built-in map and one that was generated are only
//! named; any other map is part of the link, if it is small enough.

use super::setting::Setting;
use super::{Mode, Next, Shell};
use crate::map::{Document, MapOrigin, Tab};
use crate::shared::PlannerChoice;
use crate::teach::lesson::BUILTIN_LESSONS;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use highroad::GridMap;
use highroad_lab::builtin::BuiltinMap;
use highroad_lab::generate::MapRecipe;
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};
use std::path::PathBuf;

/// What stands before the version.
const MARK: &str = "highroad=";
/// The version of the format.
const VERSION: u32 = 1;
/// Letters of a link: chats and mail programs cut longer ones.
const LETTERS_MAX: usize = 32_000;
/// What a link may unpack to: a map of 2048 × 2048 cells, and more.
const UNPACKED_MAX: u64 = 8 << 20;
/// Cells of a generated map that a link may ask for.
const RECIPE_CELLS_MAX: u64 = 2048 * 2048;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Everything that a link restores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// Where the map comes from.
    pub map: LinkMap,
    /// Everything else about the map mode. Its map is empty unless the map was drawn.
    pub setting: Setting,
    /// The title of a lesson in progress, and its step from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lesson: Option<(String, usize)>,
    /// The planners on canvases beside the first one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<String>,
    /// Whether all planners are compared.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_comparing: bool,
}

/// Where a link's map comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkMap {
    /// A built-in map, by its name.
    Builtin(String),
    /// A generated map, by its line.
    Recipe(String),
    /// The map of the setting.
    Drawn,
}

impl Link {
    /// Whether a text is meant as a link, though perhaps a broken one.
    pub fn is_meant_by(text: &str) -> bool {
        text.starts_with(MARK) || text.contains(&format!("#{MARK}"))
    }

    /// The link as the part of an address after `#`. The error says why there is none.
    pub fn write(&self) -> Result<String, String> {
        let json = serde_json::to_vec(self).map_err(|error| error.to_string())?;
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
        packer.write_all(&json).map_err(|error| error.to_string())?;
        let packed = packer.finish().map_err(|error| error.to_string())?;
        let text = format!("{MARK}{VERSION}.{}", letters_of(&packed));
        if text.len() > LETTERS_MAX {
            return Err(format!(
                "the link would have {} letters, and more than {LETTERS_MAX} are cut by many programs. \"Save setting\" \
                 keeps the same in a file",
                text.len()
            ));
        }
        Ok(text)
    }

    /// Reads a link: an address, or its part from `#` on. The error says what is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let broken = |why: &str| format!("the link is broken: {why}");
        let (_, rest) =
            text.rsplit_once(MARK).ok_or_else(|| broken("nothing in it is of Highroad"))?;
        let (version, letters) =
            rest.split_once('.').ok_or_else(|| broken("its end is missing"))?;
        match version.parse::<u32>() {
            Ok(VERSION) => {}
            Ok(newer) if newer > VERSION => {
                return Err(format!(
                    "the link was made by a newer version of Highroad (format {newer}); this one knows format {VERSION}"
                ));
            }
            _ => return Err(broken("its version is no number that is known")),
        }
        if letters.len() > LETTERS_MAX {
            return Err(broken("it is too long"));
        }
        let packed = bytes_of(letters).ok_or_else(|| broken("it has letters that no link has"))?;
        let mut json = Vec::new();
        let unpacked = ZlibDecoder::new(&*packed).take(UNPACKED_MAX).read_to_end(&mut json);
        unpacked.map_err(|_| broken("a part of it is missing or changed"))?;
        let link: Self = serde_json::from_slice(&json)
            .map_err(|_| broken("a part of it is missing or changed"))?;
        Setting::check_version(link.setting.highroad_setting)?;
        Ok(link)
    }

    /// The map, with where it comes from. The error says why there is none.
    fn map(&self) -> Result<(GridMap, Option<MapOrigin>), String> {
        match &self.map {
            LinkMap::Builtin(name) => {
                let builtin = BuiltinMap::find(name)
                    .ok_or_else(|| format!("the link's map, {name}, is no built-in map"))?;
                Ok((builtin.load(), Some(MapOrigin::Builtin(builtin.name))))
            }
            LinkMap::Recipe(line) => {
                let recipe: MapRecipe =
                    line.parse().map_err(|error| format!("the link's map, {line}: {error}"))?;
                if cells_of(&recipe) > RECIPE_CELLS_MAX {
                    return Err(format!("the link's map, {line}, is too large for a link"));
                }
                let map = recipe.generate().map_err(|error| format!("the link's map: {error}"))?;
                Ok((map, Some(MapOrigin::Recipe(recipe))))
            }
            LinkMap::Drawn => {
                let mut map = GridMap::from_movingai(self.setting.map.as_bytes())
                    .map_err(|error| format!("the link's map is broken: {error}"))?;
                if let Some(ground) = &self.setting.ground {
                    ground.add_to(&mut map).map_err(|e| format!("the shape of its ground, {e}"))?;
                }
                Ok((map, None))
            }
        }
    }
}

impl Shell {
    /// A link to what is on the screen, or why there is none.
    pub fn link(&self) -> Result<String, String> {
        let mut setting = self.setting();
        let map = match &self.map.document.origin {
            Some(MapOrigin::Builtin(name)) => LinkMap::Builtin((*name).to_owned()),
            Some(MapOrigin::Recipe(recipe)) if cells_of(recipe) <= RECIPE_CELLS_MAX => {
                LinkMap::Recipe(recipe.to_string())
            }
            _ => LinkMap::Drawn,
        };
        if map != LinkMap::Drawn {
            setting.map.clear();
            setting.ground = None;
        }
        let course = self.map.teaching.course.as_ref();
        let link = Link {
            map,
            setting,
            lesson: course.map(|c| (c.lesson().title.clone(), c.step_number().0)),
            beside: self.map.beside.panes.iter().map(|pane| pane.choice.text()).collect(),
            is_comparing: self.map.tab == Tab::Compare && self.map.compare.table.is_some(),
        };
        Ok(format!("{}#{}", self.page_address, link.write()?))
    }

    /// A link to be copied; says what became of it.
    pub fn copy_link(&mut self) -> Option<String> {
        match self.link() {
            Ok(link) => {
                self.say(match self.page_address.is_empty() {
                    true => "Copied: highroad open 'LINK' opens it, and so does the page when it stands after its address.",
                    false => "Copied. The link opens this map, planner and position on any machine.",
                });
                Some(link)
            }
            Err(reason) => {
                self.say_error(format!("No link: {reason}."));
                None
            }
        }
    }

    /// Opens a link; what is wrong with it is said, and what is on the screen stays.
    pub fn open_link(&mut self, text: &str) {
        match Link::read(text) {
            Ok(link) => self.careful(Next::Follow(Box::new(link))),
            Err(reason) => {
                self.say_error(format!("This link is not opened: {reason}. Everything else works."))
            }
        }
    }

    /// Opens a file, after asking if that loses changes.
    pub fn open_carefully(&mut self, path: PathBuf) {
        self.careful(Next::Open(path));
    }

    pub(super) fn follow(&mut self, link: Link) {
        if let Some((title, step)) = &link.lesson {
            let lessons = BUILTIN_LESSONS.iter().filter_map(|builtin| builtin.read().ok());
            match lessons.into_iter().find(|lesson| lesson.title == *title) {
                Some(lesson) => {
                    self.mode = Mode::Map;
                    self.map.start_lesson_at(lesson, *step);
                    self.map.player.restored_position = link.setting.position;
                    return;
                }
                None => self.say_error(format!(
                    "The link's lesson, {title}, is none of the built-in ones; its map is shown."
                )),
            }
        }
        let (map, origin) = match link.map() {
            Ok(map) => map,
            Err(reason) => {
                return self.say_error(format!(
                    "This link is not opened: {reason}. Everything else works."
                ));
            }
        };
        self.mode = Mode::Map;
        self.map.end_lesson();
        self.take_setting(link.setting, map);
        self.map.document.origin = origin;
        let beside: Vec<PlannerChoice> =
            link.beside.iter().filter_map(|text| PlannerChoice::parse(text).ok()).collect();
        self.map.show_beside(beside);
        if link.is_comparing {
            self.map.tab = Tab::Compare;
            self.map.starts_comparing = true;
        }
    }
}

fn cells_of(recipe: &MapRecipe) -> u64 {
    u64::from(recipe.width) * u64::from(recipe.height)
}

/// Where a document's map comes from: a link names it instead of holding it.
impl Document {
    /// The same document, which comes from there.
    pub(super) fn with_origin(mut self, origin: MapOrigin) -> Self {
        self.origin = Some(origin);
        self
    }
}

/// Bytes in the letters of base64url, without padding.
fn letters_of(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let word = group.iter().fold(0_u32, |word, &byte| word << 8 | u32::from(byte));
        let word = word << (8 * (3 - group.len()));
        for letter in 0..=group.len() {
            let bits = word >> (18 - 6 * letter) & 63;
            text.push(char::from(ALPHABET[bits as usize]));
        }
    }
    text
}

/// The bytes of letters of base64url; `None` if there are others among them.
fn bytes_of(letters: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(letters.len() / 4 * 3 + 2);
    for group in letters.as_bytes().chunks(4) {
        let mut word = 0_u32;
        for letter in group {
            word = word << 6 | ALPHABET.iter().position(|known| known == letter)? as u32;
        }
        let whole = group.len() * 6 / 8;
        word <<= 6 * (4 - group.len());
        bytes.extend_from_slice(&word.to_be_bytes()[1..=whole]);
        if group.len() == 1 {
            return None;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_read_as_they_were_written() {
        for length in 0..70_u8 {
            let bytes: Vec<u8> = (0..length).map(|n| n.wrapping_mul(37) ^ 0xa5).collect();
            let text = letters_of(&bytes);
            assert!(text.bytes().all(|letter| ALPHABET.contains(&letter)), "{text}");
            assert_eq!(bytes_of(&text), Some(bytes));
        }
        assert_eq!(letters_of(b"\xff\xff\xfe"), "___-");
        assert_eq!(bytes_of("a"), None, "one letter alone is no byte");
        assert_eq!(bytes_of("ab=="), None);
    }

    #[test]
    fn what_is_no_link_says_why() {
        let reason = |text: &str| Link::read(text).unwrap_err();
        assert!(reason("").contains("nothing in it"));
        assert!(reason("#highroad=1").contains("end is missing"));
        assert!(reason("#highroad=7.abc").contains("newer version of Highroad (format 7)"));
        assert!(reason("#highroad=x.abc").contains("no number that is known"));
        assert!(reason("#highroad=1.a*b").contains("letters that no link has"));
        assert!(reason("#highroad=1.abcd").contains("missing or changed"));
        assert!(reason(&format!("#highroad=1.{}", "a".repeat(LETTERS_MAX + 1))).contains("long"));
    }

    #[test]
    fn a_link_that_unpacks_to_very_much_is_refused() {
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
        packer.write_all(&vec![b' '; 12 << 20]).unwrap();
        let text = format!("#{MARK}{VERSION}.{}", letters_of(&packer.finish().unwrap()));
        assert!(text.len() < LETTERS_MAX);
        assert!(Link::read(&text).unwrap_err().contains("missing or changed"));
    }
}
