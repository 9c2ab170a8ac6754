//! The lessons that come with the program.

use super::{Lesson, LessonError, read_lesson};

/// A lesson that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinLesson {
    /// The name of its file, without the ending.
    pub name: &'static str,
    /// Its file.
    pub text: &'static str,
}

impl BuiltinLesson {
    /// Reads it.
    pub fn read(&self) -> Result<Lesson, LessonError> {
        read_lesson(self.text)
    }
}

macro_rules! lessons {
    ($($name:literal),* $(,)?) => {
        &[$(BuiltinLesson {
            name: $name,
            text: include_str!(concat!("../../../lessons/", $name, ".toml")),
        }),*]
    };
}

/// In the order in which they build on each other.
pub static BUILTIN_LESSONS: &[BuiltinLesson] = lessons![
    "1-breadth-first-to-astar",
    "2-overestimates",
    "3-weighted",
    "4-bidirectional",
    "5-jump-points",
    "6-hpa-in-five-pictures",
    "7-pra",
    "8-two-levels-over-regions",
    "9-contraction-and-labels",
    "10-maps-that-change",
];

/// The built-in lesson that comes after one of them.
pub fn next_lesson(lesson: &Lesson) -> Option<Lesson> {
    let is_it =
        |builtin: &BuiltinLesson| builtin.read().is_ok_and(|known| known.title == lesson.title);
    let at = BUILTIN_LESSONS.iter().position(is_it)?;
    BUILTIN_LESSONS.get(at + 1)?.read().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::teach::lesson::{Classroom, Course, GuessKind, GuessState, Measured};

    fn lessons() -> Vec<(&'static str, Lesson)> {
        let read = |builtin: &BuiltinLesson| {
            let lesson = builtin.read().unwrap_or_else(|error| panic!("{}: {error}", builtin.name));
            (builtin.name, lesson)
        };
        BUILTIN_LESSONS.iter().map(read).collect()
    }

    /// Goes through every lesson as "Show me" does: each guess is made, each task is not done at first and done afterwards.
    #[test]
    fn every_lesson_runs_to_its_end() {
        for (name, lesson) in lessons() {
            let mut course = Course::new(lesson);
            let mut room: Option<Classroom> = None;
            loop {
                let step = course.step().clone();
                let place = format!("{name}, {}", step.title);
                if !step.keeps || room.is_none() {
                    room = Some(Classroom::new(&step.scene));
                }
                let room = room.as_mut().unwrap();
                for text in
                    [course.text(), course.question(), course.task_text(), course.done_text()]
                {
                    assert!(!text.contains('{'), "{place}: {text}");
                }
                if let Some(guess) = &step.guess {
                    let answer = match &guess.kind {
                        GuessKind::Number { measure, .. } => Measured::new(&step.scene)
                            .value(measure)
                            .unwrap_or_else(|e| panic!("{place}: {e}")),
                        GuessKind::Choice { right, .. } => *right as f64,
                    };
                    assert!(!course.is_step_done(), "{place}");
                    course.make_guess(answer);
                    assert!(
                        matches!(course.guess(), GuessState::Made { is_right: true, .. }),
                        "{place}"
                    );
                }
                if let Some(task) = &step.task {
                    assert!(!room.meets(&task.check).unwrap(), "{place}: done before it is begun");
                    task.show_me.iter().for_each(|action| room.perform(action));
                    assert!(room.meets(&task.check).unwrap(), "{place}: not done by what is shown");
                }
                if !course.go_on() {
                    break;
                }
            }
        }
    }

    #[test]
    fn what_texts_rely_on_is_so() {
        let mut wrong = Vec::new();
        for (name, lesson) in lessons() {
            for step in &lesson.steps {
                let mut measured = Measured::new(&step.scene);
                for expectation in &step.expectations {
                    let result = measured.check(expectation);
                    wrong.extend(
                        result.err().map(|error| format!("{name}, {}: {error}", step.title)),
                    );
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// Under five minutes at 130 words a minute, with half a minute for each task and a quarter for each guess.
    #[test]
    fn every_lesson_has_a_task_and_a_guess_and_is_short() {
        for (name, lesson) in lessons() {
            let tasks = lesson.steps.iter().filter(|step| step.task.is_some()).count();
            let guesses = lesson.steps.iter().filter(|step| step.guess.is_some()).count();
            assert!(tasks >= 1 && guesses >= 1, "{name}: {tasks} tasks, {guesses} guesses");
            let mut words = 0;
            for step in &lesson.steps {
                let mut count = |text: &str| words += text.split_whitespace().count();
                count(&step.text);
                if let Some(guess) = &step.guess {
                    count(&guess.question);
                    count(&guess.answer);
                }
                if let Some(task) = &step.task {
                    count(&task.text);
                    count(&task.done);
                }
                let extent = step.scene.map.extent();
                assert!(extent.width() <= 28 && extent.height() <= 16, "{name}: about 20 × 12");
            }
            let minutes = words as f64 / 130.0 + tasks as f64 * 0.5 + guesses as f64 * 0.25;
            assert!(
                minutes < 5.0 && lesson.minutes <= 5,
                "{name}: {minutes:.1} minutes, {words} words"
            );
        }
    }
}
