//! Queries: when they run, and what becomes of their answers.

use super::engine::{Detail, Failure, Reply};
use super::{Busy, MapMode, RefinementView, words};
use highroad::Cell;
use highroad::planner::Answer;

impl MapMode {
    /// Runs the planner again.
    pub fn find_path(&mut self) {
        self.want(Detail::Everything);
    }

    /// Stops whatever is going on. Returns whether there was anything.
    pub fn cancel(&mut self) -> bool {
        let is_busy = self.run.is_busy() || self.parts.job().is_some();
        if is_busy {
            self.run.cancel(&mut self.document);
            self.parts.cancel();
        }
        self.cancel_compare() || is_busy
    }

    /// What goes on beside, if anything.
    pub fn busy(&self) -> Option<Busy> {
        let finding_parts = || {
            let job = self.parts.job()?;
            Some(Busy { what: job.what.clone(), share: None, age: job.age(&self.seams) })
        };
        self.run.busy(&self.seams, &self.document).or_else(finding_parts)
    }

    /// Asks for a path from start to goal.
    pub(super) fn want(&mut self, detail: Detail) {
        self.run.want(detail);
    }

    /// The path shall follow the hand, if the planner is fast enough.
    pub(super) fn want_live(&mut self) {
        match self.run.live() {
            Ok(detail) => self.want(detail),
            Err(us) => {
                let title = self.planner.entry().title;
                let time = highroad_lab::table::duration(us);
                self.say(format!(
                    "{title} takes {time} here, too long to follow the hand: the path comes when you let go."
                ));
            }
        }
    }

    /// Takes answers that have come, and starts the next query, if one is wanted.
    pub(super) fn poll_run(&mut self) {
        loop {
            if let Some(failure) = self.run.dispatch(&self.seams, &mut self.document) {
                self.take_failure(&failure);
            }
            let Some((_, reply)) = self.run.poll() else { return };
            self.take_reply(reply);
        }
    }

    /// Takes over what a query has found.
    fn take_reply(&mut self, reply: Reply) {
        if let Some(sketch) = reply.sketch {
            self.layers.sketch = sketch;
            self.layers.regions_version += 1;
        }
        match reply.result {
            Err(Failure::Cancelled) => {}
            Ok(mut outcome) => {
                self.run.trouble = words::answer(&outcome, self.document.grid());
                self.layers.query = std::mem::take(&mut outcome.query_layers);
                self.layers.regions_version += 1;
                self.layers.refinement = RefinementView::default();
                self.player.load(outcome.replay.take());
                self.run.outcome = Some(outcome);
                if std::mem::take(&mut self.starts_walking) {
                    self.start_walk();
                }
                if std::mem::take(&mut self.starts_comparing) {
                    self.compare();
                }
            }
            Err(failure) => self.take_failure(&failure),
        }
    }

    fn take_failure(&mut self, failure: &Failure) {
        self.run.trouble = words::failure(failure);
        self.run.outcome = None;
        self.layers.query.clear();
        self.player.load(None);
    }

    /// Notes what is known of the path where the recording stands: nothing before it is found. Without a recording, all
    /// of it.
    pub(super) fn renew_path(&mut self) {
        self.shown_path = match self.player.replay() {
            Some(replay) => replay.known_path(self.path_cells()),
            None => self.path_cells().to_vec(),
        };
    }

    /// What is known of the path where the recording stands.
    pub fn shown_path(&self) -> &[Cell] {
        &self.shown_path
    }

    /// Whether the path does not lead to the goal.
    pub fn path_is_partial(&self) -> bool {
        let outcome = self.run.outcome.as_ref();
        outcome.is_some_and(|outcome| !matches!(outcome.answer, Answer::Found(_)))
    }

    /// The cells of the path to draw: to the goal, or to the nearest cell.
    pub fn path_cells(&self) -> &[Cell] {
        match self.run.outcome.as_ref().map(|outcome| &outcome.answer) {
            Some(
                Answer::Found(path)
                | Answer::Unreachable { nearest: path }
                | Answer::LimitReached { nearest: path },
            ) => path.cells(),
            None => &[],
        }
    }
}
