//! Where a student stands in a lesson.

use super::{GuessKind, Lesson, LessonStep, MeasureName, Measured, Situation};

/// What has become of the guess of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum GuessState {
    /// There is none.
    None,
    /// It is still to be made.
    Open,
    /// It was made.
    Made {
        /// Whether it was right, or close enough.
        is_right: bool,
        /// What is said now.
        answer: String,
    },
}

/// A lesson in progress.
#[derive(Clone, Debug)]
pub struct Course {
    lesson: Lesson,
    step: usize,
    guess: GuessState,
    task_done: bool,
    words: Words,
}

/// The texts of a step, with numbers.
#[derive(Clone, Debug, Default)]
struct Words {
    text: String,
    question: String,
    task: String,
    done: String,
}

impl Course {
    /// At the first step.
    pub fn new(lesson: Lesson) -> Self {
        Self::at(lesson, 0)
    }

    /// At a step, from 0; past the last one at that.
    pub fn at(lesson: Lesson, step: usize) -> Self {
        let (guess, words) = (GuessState::None, Words::default());
        let step = step.min(lesson.steps.len().saturating_sub(1));
        let mut course = Self { lesson, step, guess, task_done: false, words };
        course.enter(step);
        course
    }

    /// The lesson.
    pub fn lesson(&self) -> &Lesson {
        &self.lesson
    }

    /// Which step, from 0, of how many.
    pub fn step_number(&self) -> (usize, usize) {
        (self.step, self.lesson.steps.len())
    }

    /// The step.
    pub fn step(&self) -> &LessonStep {
        &self.lesson.steps[self.step]
    }

    /// What is to be read, with numbers.
    pub fn text(&self) -> &str {
        &self.words.text
    }

    /// What is asked, with numbers; empty if nothing is.
    pub fn question(&self) -> &str {
        &self.words.question
    }

    /// What is to be done, with numbers; empty if there is nothing to do.
    pub fn task_text(&self) -> &str {
        &self.words.task
    }

    /// What is said once that is done, with numbers.
    pub fn done_text(&self) -> &str {
        &self.words.done
    }

    /// What has become of the guess.
    pub fn guess(&self) -> &GuessState {
        &self.guess
    }

    /// Whether the task is done; `true` where there is none.
    pub fn task_is_done(&self) -> bool {
        self.task_done
    }

    /// Whether this step or a later one asks to guess that number of that planner, so that it is not to be seen yet.
    pub fn hides(&self, name: MeasureName, planner: &str) -> bool {
        let asks = |step: &LessonStep| match step.guess.as_ref().map(|guess| &guess.kind) {
            Some(GuessKind::Number { measure, .. }) => {
                let asked = measure.planner.as_ref().map(|spec| spec.entry().name);
                measure.name == name && asked.is_none_or(|asked| asked == planner)
            }
            _ => false,
        };
        let later = self.lesson.steps.iter().skip(self.step + 1).any(asks);
        later || self.guess == GuessState::Open && asks(self.step())
    }

    /// Whether the next step, or the end, may come: the guess is made and the task is done.
    pub fn is_step_done(&self) -> bool {
        self.task_done && self.guess != GuessState::Open
    }

    /// Whether this is the last step.
    pub fn is_last(&self) -> bool {
        self.step + 1 == self.lesson.steps.len()
    }

    fn enter(&mut self, step: usize) {
        self.step = step;
        let current = &self.lesson.steps[step];
        self.guess = if current.guess.is_some() { GuessState::Open } else { GuessState::None };
        self.task_done = current.task.is_none();
        let mut measured = Measured::new(&current.scene);
        let mut fill =
            |text: &str| measured.fill(text).unwrap_or_else(|error| format!("{text} ({error})"));
        let (guess, task) = (current.guess.as_ref(), current.task.as_ref());
        self.words = Words {
            text: fill(&current.text),
            question: guess.map(|guess| fill(&guess.question)).unwrap_or_default(),
            task: task.map(|task| fill(&task.text)).unwrap_or_default(),
            done: task.map(|task| fill(&task.done)).unwrap_or_default(),
        };
    }

    /// Goes to the next step. Returns whether there is one.
    pub fn go_on(&mut self) -> bool {
        let more = !self.is_last();
        if more {
            self.enter(self.step + 1);
        }
        more
    }

    /// Goes to the step before. Returns whether there is one.
    pub fn go_back(&mut self) -> bool {
        let more = self.step > 0;
        if more {
            self.enter(self.step - 1);
        }
        more
    }

    /// Makes a guess: a number, or the number of a choice from 0.
    pub fn make_guess(&mut self, guess: f64) {
        let step = &self.lesson.steps[self.step];
        let Some(asked) = &step.guess else { return };
        let mut measured = Measured::new(&step.scene);
        let (is_right, head) = match &asked.kind {
            GuessKind::Number { measure, within } => match measured.value(measure) {
                Ok(value) => {
                    let close = (guess - value).abs() <= value.abs() * f64::from(*within) / 100.0;
                    let is = super::super::number(value);
                    let word = if (guess - value).abs() < 0.005 {
                        "Exactly".to_owned()
                    } else if close {
                        format!("Close: it is {is}")
                    } else {
                        format!("It is {is}")
                    };
                    (close, format!("{word}. "))
                }
                Err(error) => (false, format!("This cannot be measured: {error}. ")),
            },
            GuessKind::Choice { choices, right } => {
                let is_right = guess == *right as f64;
                let right = choices.get(*right).map_or("", String::as_str);
                let head =
                    if is_right { "Right. ".to_owned() } else { format!("It is: {right}. ") };
                (is_right, head)
            }
        };
        let rest = measured.fill(&asked.answer).unwrap_or_else(|_| asked.answer.clone());
        self.guess = GuessState::Made { is_right, answer: format!("{head}{}", rest.trim()) };
    }

    /// Looks whether the task is done by now. Once done it stays done. Returns whether it has just been done.
    pub fn look(&mut self, now: &Situation<'_>) -> bool {
        let step = &self.lesson.steps[self.step];
        let done = step.task.as_ref().is_none_or(|task| task.check.is_met(now));
        let news = done && !self.task_done;
        self.task_done |= done;
        news
    }
}
