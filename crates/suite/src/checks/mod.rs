//! Checks that are the same in every environment.

mod limits;
mod runs;
mod traces;

pub(crate) use limits::{cost_limit, expansion_limit};
pub(crate) use runs::{first_leg, nothing_to_advance, slices, used_scratch};
pub(crate) use traces::trace;

use highroad_core::{Answer, Environment, NodeId, Path, PathQuery, Planner, Scratch, Statistics};

/// Whether something that a planner has given is right; if not, why.
pub(crate) type Verdict<'a, T> = dyn Fn(&T) -> Result<(), String> + 'a;

/// A question about an environment, put to a planner.
pub(crate) struct Question<'a, E: Environment> {
    pub(crate) environment: &'a E,
    pub(crate) planner: &'a dyn Planner<E>,
    pub(crate) query: PathQuery<E::Place>,
    /// The cost of the best path, if there is one.
    pub(crate) best: Option<u64>,
    /// Whether a path can be walked at the cost that it claims, from one of the starts.
    pub(crate) check_path: &'a Verdict<'a, Path<E::Place>>,
    /// The node of a place in traces.
    pub(crate) node_of: &'a dyn Fn(E::Place) -> NodeId,
}

/// An answer, and what it took.
pub(crate) type Solved<E> = (Answer<<E as Environment>::Place>, Statistics);

impl<E: Environment> Question<'_, E> {
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
