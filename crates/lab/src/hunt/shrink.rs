//! Makes a failing program small.

use super::program::{EndRule, Program, Question, Setting, Step, Wanted};
use super::{Failure, run};

/// How often a program may be tried while it is shrunk.
const TRIES_MAX: usize = 4_000;

struct Shrinker {
    best: Program,
    failure: Failure,
    tries: usize,
}

/// The smallest program found that fails as well, and how it fails.
///
/// Steps are left out, edits of a batch, obstacles and rules of questions, planners, kinds, borders, heights, links,
/// edges, positions and rows, as long as anything fails.
pub fn shrink(program: &Program, failure: Failure) -> (Program, Failure) {
    let mut shrinker = Shrinker { best: program.clone(), failure, tries: 0 };
    loop {
        let before = shrinker.best.clone();
        shrinker.leave_out_steps();
        shrinker.leave_out_edits();
        shrinker.simplify_questions();
        shrinker.leave_out_parts();
        if shrinker.best == before || shrinker.tries >= TRIES_MAX {
            return (shrinker.best, shrinker.failure);
        }
    }
}

impl Shrinker {
    /// Takes over a program if it fails.
    fn try_out(&mut self, program: Program) -> bool {
        self.tries += 1;
        if self.tries > TRIES_MAX || program == self.best {
            return false;
        }
        match run(&program) {
            Ok(_) => false,
            Err(failure) => {
                self.best = program;
                self.failure = failure;
                true
            }
        }
    }

    fn leave_out_steps(&mut self) {
        // What comes after the step that fails does not matter.
        let mut cut = self.best.clone();
        cut.steps.truncate(self.failure.step + 1);
        self.try_out(cut);
        let mut size = self.best.steps.len() / 2;
        while size > 0 {
            let mut from = 0;
            while from < self.best.steps.len() {
                let mut shorter = self.best.clone();
                let to = (from + size).min(shorter.steps.len());
                shorter.steps.drain(from..to);
                if !self.try_out(shorter) {
                    from += size;
                }
            }
            size /= 2;
        }
    }

    fn leave_out_edits(&mut self) {
        for number in 0..self.best.steps.len() {
            let mut edit = 0;
            while let Step::Edit(edits) = &self.best.steps[number]
                && edit < edits.len()
                && edits.len() > 1
            {
                let mut fewer = edits.clone();
                fewer.remove(edit);
                let mut program = self.best.clone();
                program.steps[number] = Step::Edit(fewer);
                if !self.try_out(program) {
                    edit += 1;
                }
            }
        }
    }

    /// Makes questions plainer: without obstacles, with the usual rule, with one start and one goal.
    fn simplify_questions(&mut self) {
        let ways: [fn(&mut Question); 4] = [
            |question| question.obstacles.clear(),
            |question| question.rule = EndRule::Exact,
            |question| question.starts.truncate(1),
            |question| question.goals.truncate(1),
        ];
        for number in 0..self.best.steps.len() {
            for at in 0..questions(&mut self.best.clone().steps[number]).len() {
                for way in ways {
                    let mut program = self.best.clone();
                    if let Some(question) = questions(&mut program.steps[number]).get_mut(at) {
                        way(question);
                    }
                    self.try_out(program);
                }
            }
        }
    }

    /// Leaves out planners, kinds, edges and rows.
    fn leave_out_parts(&mut self) {
        let mut number = 0;
        while let Some(program) = without(&self.best, number) {
            if !self.try_out(program) {
                number += 1;
            }
        }
    }
}

/// The questions of a step.
fn questions(step: &mut Step) -> Vec<&mut Question> {
    match step {
        Step::Ask(question)
        | Step::AskWithin(question, _)
        | Step::AskInSlices(question, ..)
        | Step::Alternatives(question, ..)
        | Step::Nearest(question)
        | Step::Each(question)
        | Step::Range(question, _)
        | Step::Reachable(question)
        | Step::AskKept(_, question)
        | Step::Agent(question)
        | Step::AgentWith(question, _) => vec![question],
        Step::Request(wanted, ..) => match wanted {
            Wanted::Path(question)
            | Wanted::Nearest(question)
            | Wanted::Each(question)
            | Wanted::Range(question, _) => vec![question],
        },
        Step::AskManyKept(_, questions) => questions.iter_mut().collect(),
        _ => Vec::new(),
    }
}

/// A program without its part with a number; `None` if there is no such part.
fn without(program: &Program, mut number: usize) -> Option<Program> {
    let mut smaller = program.clone();
    match &mut smaller.setting {
        Setting::Grid(setting) => {
            if number < setting.ground.len() {
                setting.ground.remove(number);
                return Some(smaller);
            }
            number -= setting.ground.len();
            for kind in &mut setting.kinds {
                if kind.slope.is_some() && number == 0 {
                    kind.slope = None;
                    return Some(smaller);
                }
                number -= usize::from(kind.slope.is_some());
                if number < kind.planners.len() {
                    kind.planners.remove(number);
                    return Some(smaller);
                }
                number -= kind.planners.len();
                if number < kind.costs.len() {
                    kind.costs.remove(number);
                    return Some(smaller);
                }
                number -= kind.costs.len();
            }
            if number == 0 && setting.kinds.len() > 1 {
                setting.kinds.pop();
                return Some(smaller);
            }
            number = number.checked_sub(1)?;
            // Rows from below: the numbers of the cells above stay.
            if number == 0 && setting.rows.len() > 1 {
                setting.rows.pop();
                return Some(smaller);
            }
            number = number.checked_sub(1)?;
            // Cells become ground.
            let width = setting.rows.first()?.len();
            let row = setting.rows.get_mut(number.checked_div(width)?)?;
            row.replace_range(number % width..=number % width, ".");
            Some(smaller)
        }
        Setting::Graph(setting) => {
            if number < setting.planners.len() {
                setting.planners.remove(number);
                return Some(smaller);
            }
            number -= setting.planners.len();
            if number < setting.edges.len() {
                setting.edges.remove(number);
                return Some(smaller);
            }
            number -= setting.edges.len();
            if number == 0 && !setting.positions.is_empty() {
                setting.positions.clear();
                return Some(smaller);
            }
            None
        }
        Setting::Mesh(setting) => {
            if number < setting.planners.len() {
                setting.planners.remove(number);
                return Some(smaller);
            }
            number -= setting.planners.len();
            // The numbers of points depend on the width: rows go from above, where they come last.
            if number == 0 && setting.rows.len() > 1 {
                setting.rows.remove(0);
                return Some(smaller);
            }
            number = number.checked_sub(1)?;
            let width = setting.rows.first()?.len();
            let row = setting.rows.get_mut(number.checked_div(width)?)?;
            row.replace_range(number % width..=number % width, ".");
            Some(smaller)
        }
    }
}
