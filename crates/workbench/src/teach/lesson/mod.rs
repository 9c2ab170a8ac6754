//! Lessons: text, a map, a guess before the answer, and something to do that is checked.
//!
//! A lesson is a TOML file; `docs/lessons.md` describes the format. `read_lesson` reads one, and every error names the
//! line and the column. Numbers in texts are measured when the lesson is shown, so that they are right on any map.

mod builtin;
mod classroom;
mod course;
mod file;
mod measure;
mod parts;

pub use builtin::{BUILTIN_LESSONS, BuiltinLesson, next_lesson};
pub use classroom::{
    Action, Check, Classroom, Situation, current_part, end_of_part, perform_on_map,
};
pub use course::{Course, GuessState};
pub use file::{LessonError, read_lesson};
pub use measure::{Expectation, Measure, MeasureName, Measured};

use highroad::catalog::Spec;
use highroad::grid::{Grid, Movement, MovementRule, Palette, Profile, StepCosts};
use highroad::{Cell, GridMap};

/// A lesson.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// What it is called.
    pub title: String,
    /// One line about it.
    pub summary: String,
    /// How long it takes, about.
    pub minutes: u32,
    /// Its steps.
    pub steps: Vec<LessonStep>,
}

/// One step of a lesson.
#[derive(Clone, Debug)]
pub struct LessonStep {
    /// What it is called.
    pub title: String,
    /// What is to be read. Numbers in braces are measured: see [`Measured::fill`].
    pub text: String,
    /// What is to be seen.
    pub scene: StepScene,
    /// Whether the map and the planner stay as the student left them.
    pub keeps: bool,
    /// A guess before the answer.
    pub guess: Option<Guess>,
    /// Something to do.
    pub task: Option<Task>,
    /// What the text relies on; tests check it.
    pub expectations: Vec<Expectation>,
}

/// What is to be seen in a step.
#[derive(Clone, Debug)]
pub struct StepScene {
    /// The map.
    pub map: GridMap,
    /// How its letters are read.
    pub palette: Palette,
    /// Which steps are allowed.
    pub rule: MovementRule,
    /// Where the path starts.
    pub start: Cell,
    /// Where it ends.
    pub goal: Cell,
    /// The planner.
    pub planner: Spec,
    /// Where the recording stands.
    pub show: Show,
    /// Layers that are switched on, by their names.
    pub layers: Vec<String>,
}

impl StepScene {
    /// The map for agents that move as the step says.
    pub fn grid(&self) -> Grid {
        grid_of(self.map.clone(), self.palette, self.rule)
    }
}

/// A map with the usual costs, under a rule.
fn grid_of(map: GridMap, palette: Palette, rule: MovementRule) -> Grid {
    let movement = Movement::new(Profile::for_palette(palette), rule, StepCosts::default());
    Grid::new(map, movement.unwrap_or_default())
}

/// Where a recording stands when a step begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Show {
    /// Before its first event.
    Start,
    /// At its end.
    #[default]
    End,
}

/// A question before the answer is shown.
#[derive(Clone, Debug)]
pub struct Guess {
    /// The question.
    pub question: String,
    /// What is asked for.
    pub kind: GuessKind,
    /// What is said once a guess is made.
    pub answer: String,
}

/// What a guess is.
#[derive(Clone, Debug)]
pub enum GuessKind {
    /// A number, which is measured; a guess is close if it is within so many per cent.
    Number {
        /// What is measured.
        measure: Measure,
        /// How many per cent count as close.
        within: u32,
    },
    /// One of some answers.
    Choice {
        /// The answers.
        choices: Vec<String>,
        /// Which is right, from 0.
        right: usize,
    },
}

/// Something to do.
#[derive(Clone, Debug)]
pub struct Task {
    /// What to do.
    pub text: String,
    /// When it is done.
    pub check: Check,
    /// How to do it: what "Show me" does.
    pub show_me: Vec<Action>,
    /// What is said once it is done.
    pub done: String,
}
