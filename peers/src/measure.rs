//! Timing the contestants in turns.
//!
//! A machine that slows down, or that has other work, must not favour whoever comes first: passes
//! go over all contestants, each pass begins with another one, and the smallest time of each query
//! counts.

use crate::contestants::{Peer, PeerPlanner, Rules};
use crate::field::Field;
use crate::judge::{Verdict, judge};
use anyhow::Result;
use highroad::Cost;
use std::hint::black_box;
use std::time::Instant;

/// A contestant that is ready.
pub(crate) struct Entrant<'f> {
    pub(crate) name: String,
    pub(crate) version: &'static str,
    pub(crate) rules: Rules,
    pub(crate) build_ms: f64,
    planner: Box<dyn PeerPlanner + 'f>,
}

impl<'f> Entrant<'f> {
    /// Makes a contestant ready for a field and takes the time.
    pub(crate) fn build(contestant: &dyn Peer, field: &'f Field) -> Result<Self> {
        let start = Instant::now();
        let planner = contestant.build(&field.0.grid)?;
        let build_ms = start.elapsed().as_secs_f64() * 1e3;
        Ok(Self {
            name: contestant.name(),
            version: contestant.version(),
            rules: contestant.rules(),
            build_ms,
            planner,
        })
    }
}

/// What one contestant did, query by query.
pub(crate) struct Trial {
    pub(crate) verdicts: Vec<Verdict>,
    pub(crate) best_us: Vec<f64>,
}

/// Asks every query of every contestant: once to judge the answer and to warm up, then in as many
/// measured passes. `now` is the clock; `asked` is told of each answer.
pub(crate) fn measure(
    entrants: &mut [Entrant<'_>],
    field: &Field,
    optimal: &[Option<Cost>],
    passes: usize,
    now: impl Fn() -> Instant,
    mut asked: impl FnMut(),
) -> Vec<Trial> {
    let queries = &field.0.queries;
    let mut trials: Vec<Trial> = Vec::new();
    for entrant in &mut *entrants {
        let mut verdicts = Vec::with_capacity(queries.len());
        for (query, &optimal) in queries.iter().zip(optimal) {
            let answer = entrant.planner.query(query.start, query.goal);
            verdicts.push(judge(&field.0.grid, entrant.rules, query, answer, optimal));
            asked();
        }
        trials.push(Trial { verdicts, best_us: vec![f64::INFINITY; queries.len()] });
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
fn turns(contestants: usize, pass: usize) -> impl Iterator<Item = usize> {
    (0..contestants).map(move |turn| (turn + pass) % contestants)
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad::{Cell, Grid};
    use highroad_lab::bench::optimal_costs;
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
        Entrant { name, version, rules: Rules::Same, build_ms: 0.0, planner }
    }

    /// Runs the contestants over two queries, of which the second has no path.
    fn run(entrants: &mut [Entrant<'_>], stage: &Stage, passes: usize) -> (Vec<Trial>, usize) {
        let query =
            |x| WorkQuery { start: Cell::new(0, 0), goal: Cell::new(x, 0), published: None };
        let grid = Grid::with_defaults("..#.\n".parse().unwrap());
        let queries = vec![query(1), query(3)];
        let (field, _) = Field::of(Workload { name: "line".into(), grid, queries }).unwrap();
        let optimal = optimal_costs(&field.0);
        let (begin, mut asked) = (Instant::now(), 0);
        let now = || begin + stage.time.get();
        let trials = measure(entrants, &field, &optimal, passes, now, || asked += 1);
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
