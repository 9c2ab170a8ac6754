//! The hunt: random programs on random worlds, compared with a model that is too simple to be wrong.
//!
//! A [`Program`] is a world (a grid with several kinds of agents, borders, heights and links, a graph, or a mesh, with
//! planners of random options) and steps: edits, undos, queries, slices, requests with tiny budgets, cancellations, snapshots, rebuilds, agents that
//! walk. It follows from a seed. Everything that the world answers is compared with plain arrays and a plain Dijkstra.
//! A program that fails is shrunk to a small one, which can be written to a file and run again.
//!
//! ```
//! use highroad_lab::hunt::{random_program, run};
//! let program = random_program(7);
//! let checks = run(&program).expect("nothing is wrong");
//! assert_eq!(run(&random_program(7)), Ok(checks), "the same seed does the same");
//! ```

mod agents;
mod check;
mod graph_model;
mod grid_model;
mod mesh;
mod model;
mod program;
mod random;
mod shrink;
#[cfg(test)]
mod tests;
mod world;

pub use program::{
    Crossing, Edit, EndRule, Following, Gait, GraphSetting, GridSetting, KindSetting, LinkSetting,
    MeshSetting, Program, Question, Setting, Slope, Step, Wanted,
};
pub use random::{program_of_bytes, random_program};
pub use shrink::shrink;

use rayon::prelude::*;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What was wrong, and at which step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The number of the step, from 0; the number of steps if it was found at the end.
    pub step: usize,
    /// What was wrong.
    pub problem: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step, self.problem)
    }
}

/// Runs a program. Returns how many things were compared with the model.
///
/// A panic of the engine is a failure like any other.
pub fn run(program: &Program) -> Result<u64, Failure> {
    let mut step = 0;
    let checked = catch_unwind(AssertUnwindSafe(|| match &program.setting {
        Setting::Grid(setting) if setting.agents => {
            agents::run_with_agents(setting, &program.steps, &mut step)
        }
        Setting::Grid(setting) => world::run_on_grid(setting, &program.steps, &mut step),
        Setting::Graph(setting) => world::run_on_graph(setting, &program.steps, &mut step),
        Setting::Mesh(setting) => mesh::run_on_mesh(setting, &program.steps, &mut step),
    }));
    match checked {
        Ok(checked) => checked.map_err(|problem| Failure { step, problem }),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(Failure { step, problem: format!("panic: {}", text.unwrap_or("without words")) })
        }
    }
}

/// What a hunt has found.
#[derive(Clone, Debug, Default)]
pub struct HuntReport {
    /// How many programs were run.
    pub programs: u64,
    /// How many things were compared with the model.
    pub checks: u64,
    /// Programs that failed, each as small as it could be made, with how it fails.
    pub finds: Vec<(Program, Failure)>,
}

/// Finds after which a hunt ends: more of them are mostly the same defect.
const FINDS_MAX: usize = 8;

/// Runs the programs of the seeds from `first_seed` on, on all threads: at most `programs_max`, and as long as
/// `goes_on` says. It is asked before each round of programs, with what was found so far.
///
/// Panics of the engine are caught and reported as finds. The message that the standard library prints for a panic
/// stays: set a [hook](std::panic::set_hook) to silence it.
pub fn hunt(
    first_seed: u64,
    programs_max: u64,
    mut goes_on: impl FnMut(&HuntReport) -> bool,
) -> HuntReport {
    /// Programs of a round: some hundredths of a second of work.
    const ROUND: u64 = 32;
    let mut report = HuntReport::default();
    while report.programs < programs_max && report.finds.len() < FINDS_MAX && goes_on(&report) {
        let first = first_seed.wrapping_add(report.programs);
        let round = ROUND.min(programs_max - report.programs);
        let seeds: Vec<u64> = (0..round).map(|number| first.wrapping_add(number)).collect();
        let run_seed = |&seed: &u64| {
            let program = random_program(seed);
            let checked = run(&program);
            (program, checked)
        };
        let runs: Vec<_> = seeds.par_iter().map(run_seed).collect();
        for (program, checked) in runs {
            report.programs += 1;
            match checked {
                Ok(checks) => report.checks += checks,
                Err(failure) => report.finds.push(shrink(&program, failure)),
            }
        }
    }
    report
}
