//! Checks that are the same in every environment.

mod limits;
mod runs;
mod traces;

use crate::outcome::Tally;
use crate::random::Random;
use highroad_core::{Answer, Environment, NodeId, Path, PathQuery, Planner, Scratch, Statistics};
use std::fmt;

/// Whether something that a planner has given is right; if not, why.
pub(crate) type Verdict<'a, T> = dyn Fn(&T) -> Result<(), String> + 'a;

/// A question about an environment, put to a planner.
pub(crate) struct Question<'a, E: Environment> {
    pub(crate) environment: &'a E,
    pub(crate) planner: &'a dyn Planner<E>,
    pub(crate) query: PathQuery<E::Place>,
    /// The cost of the best path, if there is one.
    pub(crate) best: Option<u64>,
    /// By how much the costs of paths that are equally good may differ, where they are rounded.
    pub(crate) slack: u64,
    /// Limits of cost to try, around those at which answers change.
    pub(crate) cost_limits: Vec<u64>,
    /// Whether the nodes of its traces are places.
    pub(crate) traces_places: bool,
    /// Where they are not: places with more than one node, beside the ends of the query.
    pub(crate) shared_places: Vec<E::Place>,
    /// Whether an answer is right.
    pub(crate) right: &'a Verdict<'a, Answer<E::Place>>,
    /// Whether a path can be walked at the cost that it claims, from one of the starts.
    pub(crate) check_path: &'a Verdict<'a, Path<E::Place>>,
    /// The node of a place in traces.
    pub(crate) node_of: &'a dyn Fn(E::Place) -> NodeId,
}

/// An answer, and what it took.
pub(crate) type Solved<E> = (Answer<<E as Environment>::Place>, Statistics);

impl<E: Environment> Question<'_, E> {
    /// Makes every check that is the same in every environment.
    pub(crate) fn check(
        &self,
        situation: &dyn fmt::Debug,
        random: &mut Random,
        scratch: &mut Scratch,
        tally: &mut Tally,
    ) {
        tally.check("the answer", situation, || (self.right)(&self.solve(scratch)?.0));
        tally.check("the invariants", situation, || {
            self.planner.verify(self.environment).map_err(|fault| fault.to_string())
        });
        let slices = random.slices();
        tally.check("slices", situation, || runs::slices(self, &slices));
        let steps = 1 + random.below(6);
        tally.check("the first leg", situation, || runs::first_leg(self, steps));
        tally.check("the trace", situation, || traces::trace(self));
        tally.check("used memory", situation, || runs::used_scratch(self, scratch));
        tally.check("the end of a query", situation, || runs::nothing_to_advance(self));
        let percent = u64::from(random.below(150));
        tally
            .check("the limit of expansions", situation, || limits::expansion_limit(self, percent));
        for &allowed in &self.cost_limits {
            tally.check("the limit of cost", situation, || limits::cost_limit(self, allowed));
        }
        tally.check("a copy", situation, || {
            let Some(copy) = self.planner.duplicate() else { return Ok(()) };
            let answer = copy.solve(self.environment, &self.query, scratch);
            (self.right)(&answer.map_err(|error| error.to_string())?)
        });
    }

    /// Asks it in one go.
    pub(crate) fn solve(&self, scratch: &mut Scratch) -> Result<Solved<E>, String> {
        self.ask(&self.query, scratch)
    }

    /// Asks another query in one go.
    pub(crate) fn ask(
        &self,
        query: &PathQuery<E::Place>,
        scratch: &mut Scratch,
    ) -> Result<Solved<E>, String> {
        let answer = self.planner.solve(self.environment, query, scratch);
        let answer = answer.map_err(|error| format!("it is refused: {error}"))?;
        Ok((answer, scratch.statistics()))
    }
}

/// The path of an answer, wherever it leads.
pub(crate) fn path_of<P>(answer: &Answer<P>) -> &Path<P> {
    match answer {
        Answer::Found(path) => path,
        Answer::Unreachable { nearest } | Answer::LimitReached { nearest } => nearest,
    }
}

/// Whether two results of the same query are the same.
pub(crate) fn same<T: PartialEq + std::fmt::Debug>(
    what: &str,
    given: &T,
    expected: &T,
) -> Result<(), String> {
    if given == expected {
        Ok(())
    } else {
        Err(format!("{what}: {given:?} instead of {expected:?}"))
    }
}
