//! Queries: when they run, and what becomes of their answers.

use super::engine::{Detail, Failure, Reply};
use super::solver::Purpose;
use super::{Bench, Busy, RefinementView, words};
use highroad::Cell;
use highroad::planner::Answer;

impl Bench {
    /// Runs the planner again.
    pub fn run(&mut self) {
        self.want(Detail::Everything);
    }

    /// Stops whatever is going on.
    pub fn cancel(&mut self) {
        if self.solver.is_busy() || self.file_jobs.load.is_some() || self.parts.job.is_some() {
            self.solver.cancel();
            self.file_jobs.load = None;
            self.parts.job = None;
            self.say("Cancelled.");
        }
    }

    /// What goes on beside, if anything.
    pub fn busy(&self) -> Option<Busy> {
        let other = |what: &str, age| Busy { what: what.to_owned(), share: None, age };
        if let Some(job) = &self.file_jobs.load {
            return Some(other(&job.what, job.age(&self.seams)));
        }
        if let Some(job) = &self.file_jobs.write {
            return Some(other(&job.what, job.age(&self.seams)));
        }
        let parts = self.parts.job.as_ref();
        self.solver
            .busy(&self.seams, self.document.grid())
            .or_else(|| parts.map(|job| other(&job.what, job.age(&self.seams))))
    }

    /// Asks for a path from start to goal.
    pub(super) fn want(&mut self, detail: Detail) {
        self.solver.want(detail);
    }

    /// The path shall follow the hand, if the planner is fast enough.
    pub(super) fn want_live(&mut self) {
        match self.solver.live() {
            Ok(()) => self.want(Detail::Path),
            Err(us) => {
                let title = self.planner.entry().title;
                let time = highroad_lab::table::duration(us);
                self.say(format!(
                    "{title} takes {time} here, too long to follow the hand: the path comes when you let go."
                ));
            }
        }
    }

    /// Starts the next query, if one is wanted and none runs.
    pub(super) fn dispatch(&mut self) {
        let spec = match self.planner.spec() {
            Ok(spec) => spec,
            Err(error) => {
                self.trouble = Some(error.to_string());
                return;
            }
        };
        let grid = self.document.grid();
        let agent = self.walker.as_ref().map(|walker| (walker.standing(grid), walker.goal));
        let query = (self.document.start, self.document.goal);
        self.solver.dispatch(&self.seams, &spec, grid, query, agent);
    }

    /// Takes over what a query has found.
    pub(super) fn take_reply(&mut self, purpose: Purpose, reply: Reply) {
        if let Some(sketch) = reply.sketch {
            self.layers.sketch = sketch;
            self.layers.regions_version += 1;
        }
        let result = match (purpose, reply.result) {
            (Purpose::Agent, result) => return self.take_agent_reply(result),
            (_, Err(Failure::Cancelled)) => return,
            (Purpose::Path(_), result) => result,
        };
        match result {
            Ok(mut outcome) => {
                self.trouble = words::answer(&outcome, self.document.grid());
                self.layers.query = std::mem::take(&mut outcome.query_layers);
                self.layers.regions_version += 1;
                self.refinement = RefinementView::default();
                self.player.load(outcome.replay.take());
                self.outcome = Some(outcome);
            }
            Err(failure) => {
                self.trouble = words::failure(&failure);
                self.outcome = None;
                self.layers.query.clear();
                self.player.load(None);
            }
        }
    }

    /// The cells of the path to draw: to the goal, or to the nearest cell.
    pub fn path_cells(&self) -> &[Cell] {
        match self.outcome.as_ref().map(|outcome| &outcome.answer) {
            Some(
                Answer::Found(path)
                | Answer::Unreachable { nearest: path }
                | Answer::LimitReached { nearest: path },
            ) => path.cells(),
            None => &[],
        }
    }
}
