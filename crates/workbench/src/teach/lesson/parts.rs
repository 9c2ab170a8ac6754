//! What stands in the file of a lesson, before it is checked.

use super::Show;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

pub(super) type At = Spanned<[u32; 2]>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FilePart {
    pub(super) title: String,
    pub(super) summary: String,
    #[serde(default = "five")]
    pub(super) minutes: u32,
    pub(super) map: Spanned<MapPart>,
    pub(super) planner: Spanned<String>,
    #[serde(rename = "step")]
    pub(super) steps: Spanned<Vec<StepPart>>,
}

fn five() -> u32 {
    5
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MapPart {
    pub(super) drawing: Spanned<String>,
    pub(super) rule: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StepPart {
    pub(super) title: String,
    pub(super) text: Spanned<String>,
    pub(super) map: Option<Spanned<MapPart>>,
    pub(super) planner: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) show: Show,
    #[serde(default)]
    pub(super) layers: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) keep: bool,
    pub(super) guess: Option<Spanned<GuessPart>>,
    pub(super) task: Option<Spanned<TaskPart>>,
    #[serde(default)]
    pub(super) expect: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GuessPart {
    pub(super) question: Spanned<String>,
    pub(super) of: Option<Spanned<String>>,
    #[serde(default = "twenty")]
    pub(super) within: u32,
    pub(super) choices: Option<Spanned<Vec<String>>>,
    pub(super) right: Option<Spanned<usize>>,
    pub(super) answer: Spanned<String>,
}

fn twenty() -> u32 {
    20
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TaskPart {
    #[serde(rename = "do")]
    pub(super) text: Spanned<String>,
    pub(super) check: Spanned<CheckPart>,
    pub(super) show_me: Vec<Spanned<ActionPart>>,
    pub(super) done: Spanned<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct CheckPart {
    pub(super) start: Option<At>,
    pub(super) goal: Option<At>,
    pub(super) planner: Option<Spanned<String>>,
    pub(super) options: BTreeMap<String, String>,
    pub(super) walls: Vec<At>,
    pub(super) free: Vec<At>,
    pub(super) costs: Vec<Spanned<[u32; 3]>>,
    pub(super) path_through: Vec<At>,
    pub(super) path_avoids: Vec<At>,
    pub(super) found: Option<bool>,
    pub(super) cost_min: Option<f64>,
    pub(super) cost_max: Option<f64>,
    pub(super) expanded_min: Option<u64>,
    pub(super) expanded_max: Option<u64>,
    pub(super) at_end: bool,
    pub(super) events_min: usize,
    pub(super) part: Option<Spanned<String>>,
    pub(super) layers: Vec<Spanned<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ActionPart {
    pub(super) start: Option<At>,
    pub(super) goal: Option<At>,
    pub(super) planner: Option<Spanned<String>>,
    pub(super) draw: Option<Spanned<String>>,
    pub(super) cells: Vec<At>,
    pub(super) go_to: Option<Spanned<GoToPart>>,
    pub(super) layer: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum GoToPart {
    Events(usize),
    Word(String),
}
