//! Timing the contestants in turns.
//!
//! A machine that slows down, or that has other work, must not favour whoever comes first: passes
//! go over all contestants, each pass begins with another one, and the smallest time of each query
//! counts.

use crate::contestants::{Peer, PeerPlanner, Rules};
use crate::field::Field;
use crate::judge::{Verdict, Yardstick};
use crate::tally::tallied;
use anyhow::Result;
use highroad::Cell;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A contestant that took longer to build is not built again.
const BUILD_TIME_MAX: Duration = Duration::from_secs(2);

/// A contestant that is ready.
pub(crate) struct Entrant<'f> {
    pub(crate) name: String,
    pub(crate) version: &'static str,
    pub(crate) rules: Rules,
    pub(crate) build_ms: f64,
    /// Bytes that it held once it was built.
    pub(crate) built_bytes: isize,
    pub(crate) planner: Box<dyn PeerPlanner + 'f>,
}

impl<'f> Entrant<'f> {
    /// Makes a contestant ready for a field, up to that many times; the smallest time counts.
    pub(crate) fn build(contestant: &dyn Peer, field: &'f Field, passes: usize) -> Result<Self> {
        let build = || {
            let start = Instant::now();
            let planner = contestant.build(&field.0.grid)?;
            Ok::<_, anyhow::Error>((planner, start.elapsed()))
        };
        let (built, built_bytes) = tallied(build);
        let (mut planner, mut least) = built?;
        for _ in 1..passes {
            if least > BUILD_TIME_MAX {
                break;
            }
            // One at a time: what is held twice would cost memory, and time to get it.
            drop(planner);
            let time;
            (planner, time) = build()?;
            least = least.min(time);
        }
        Ok(Self {
            name: contestant.name(),
            version: contestant.version(),
            rules: contestant.rules(),
            build_ms: least.as_secs_f64() * 1e3,
            built_bytes,
            planner,
        })
    }

    /// Asks a query and judges the answer, untimed. There must be a yardstick for the rule.
    pub(crate) fn judge(&mut self, field: &Field, index: usize, sticks: &[Yardstick]) -> Verdict {
        let query = field.0.queries[index];
        let answer = self.planner.query(query.start, query.goal);
        self.verdict(field, index, answer, sticks)
    }

    /// Judges an answer. There must be a yardstick for the rule.
    fn verdict(
        &self,
        field: &Field,
        index: usize,
        answer: Option<Vec<Cell>>,
        sticks: &[Yardstick],
    ) -> Verdict {
        let own = sticks.iter().find(|stick| stick.rule() == self.rules.movement);
        own.expect("a rule without a yardstick").judge(field, index, answer)
    }
}

/// A yardstick for each rule that a contestant plays by.
pub(crate) fn yardsticks(entrants: &[Entrant<'_>], field: &Field) -> Vec<Yardstick> {
    let mut sticks: Vec<Yardstick> = Vec::new();
    for rule in entrants.iter().map(|entrant| entrant.rules.movement) {
        if !sticks.iter().any(|stick| stick.rule() == rule) {
            sticks.push(Yardstick::of(field, rule));
        }
    }
    sticks
}

/// What one contestant did, query by query.
pub(crate) struct Trial {
    pub(crate) verdicts: Vec<Verdict>,
    pub(crate) best_us: Vec<f64>,
    /// Bytes held after the queries.
    pub(crate) memory_bytes: usize,
}

/// Asks every query of every contestant: once to judge the answer and to warm up, then in as many
/// measured passes. `now` is the clock; `asked` is notified of each answer.
pub(crate) fn measure(
    entrants: &mut [Entrant<'_>],
    field: &Field,
    passes: usize,
    now: impl Fn() -> Instant,
    mut asked: impl FnMut(),
) -> Vec<Trial> {
    let queries = &field.0.queries;
    let sticks = yardsticks(entrants, field);
    let mut trials: Vec<Trial> = Vec::new();
    for entrant in &mut *entrants {
        let mut verdicts = Vec::with_capacity(queries.len());
        let mut memory_bytes = entrant.built_bytes;
        for query in queries {
            let (answer, bytes) = tallied(|| entrant.planner.query(query.start, query.goal));
            let answer_bytes =
                answer.as_ref().map_or(0, |path| path.capacity() * size_of::<Cell>());
            memory_bytes += bytes - answer_bytes as isize;
            verdicts.push(entrant.verdict(field, verdicts.len(), answer, &sticks));
            asked();
        }
        let best_us = vec![f64::INFINITY; queries.len()];
        // Less than nothing is what others gave back beside it.
        trials.push(Trial { verdicts, best_us, memory_bytes: memory_bytes.max(0) as usize });
    }
    for pass in 0..passes {
        for turn in turns(entrants.len(), pass) {
            let planner = &mut entrants[turn].planner;
            for (query, best_us) in queries.iter().zip(&mut trials[turn].best_us) {
                let start = now();
                let answer = black_box(planner.query(black_box(query.start), query.goal));
                *best_us = best_us.min((now() - start).as_secs_f64() * 1e6);
                drop(answer);
                asked();
            }
        }
    }
    trials
}

/// Whose turn it is, one after the other, in that pass.
pub(crate) fn turns(contestants: usize, pass: usize) -> impl Iterator<Item = usize> {
    (0..contestants).map(move |turn| (turn + pass) % contestants)
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad::grid::Grid;
    use highroad_lab::workload::{WorkQuery, Workload};
    use std::cell::{Cell as Slot, RefCell};
    use std::time::Duration;

    /// What the contestants of a test share: who was asked, and a clock that they set.
    #[derive(Default)]
    struct Stage {
        log: RefCell<String>,
        time: Slot<Duration>,
    }

    /// Says that there is no path, after that many microseconds: each time half as many.
    struct Recorder<'s> {
        letter: char,
        delay_us: u64,
        stage: &'s Stage,
    }

    impl PeerPlanner for Recorder<'_> {
        fn query(&mut self, _: Cell, _: Cell) -> Option<Vec<Cell>> {
            self.stage.log.borrow_mut().push(self.letter);
            let time = &self.stage.time;
            time.set(time.get() + Duration::from_micros(self.delay_us));
            self.delay_us /= 2;
            None
        }
    }

    fn entrant(letter: char, delay_us: u64, stage: &Stage) -> Entrant<'_> {
        let planner = Box::new(Recorder { letter, delay_us, stage });
        let (name, version) = (letter.to_string(), "1.0.0");
        Entrant { name, version, rules: Rules::SAME, build_ms: 0.0, built_bytes: 0, planner }
    }

    /// Runs the contestants over two queries, of which the second has no path.
    fn run(entrants: &mut [Entrant<'_>], stage: &Stage, passes: usize) -> (Vec<Trial>, usize) {
        let query =
            |x| WorkQuery { start: Cell::new(0, 0), goal: Cell::new(x, 0), published: None };
        let grid = Grid::with_defaults("..#.\n".parse().unwrap());
        let queries = vec![query(1), query(3)];
        let (field, _) = Field::of(Workload { name: "line".into(), grid, queries }).unwrap();
        let (begin, mut asked) = (Instant::now(), 0);
        let now = || begin + stage.time.get();
        let trials = measure(entrants, &field, passes, now, || asked += 1);
        (trials, asked)
    }

    #[test]
    fn every_pass_begins_with_another_contestant() {
        let stage = Stage::default();
        let mut entrants = ['a', 'b', 'c'].map(|letter| entrant(letter, 0, &stage));
        let (_, asked) = run(&mut entrants, &stage, 4);
        let log = stage.log.borrow();
        assert_eq!(*log, ["aabbcc", "aabbcc", "bbccaa", "ccaabb", "aabbcc"].concat());
        assert_eq!(asked, 30, "the warm-up counts as well");
    }

    #[test]
    fn answers_are_judged_and_the_smallest_time_counts() {
        let stage = Stage::default();
        let mut entrants = [entrant('a', 32, &stage), entrant('b', 64, &stage)];
        let (trials, _) = run(&mut entrants, &stage, 2);
        for trial in &trials {
            let mismatches: Vec<bool> = trial.verdicts.iter().map(|v| v.mismatch).collect();
            assert_eq!(mismatches, [true, false]);
        }
        // 32 and 16 to warm up, then 8 and 4, then 2 and 1; the same doubled.
        let rounded = |trial: &Trial| trial.best_us.iter().map(|us| us.round()).collect::<Vec<_>>();
        assert_eq!(rounded(&trials[0]), [2.0, 1.0]);
        assert_eq!(rounded(&trials[1]), [4.0, 2.0]);
    }
}
