//! What a query is answered with.

use super::Session;
use crate::environment::{Cost, Environment};
use crate::grid::Cell;
use crate::path::Path;

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<P = Cell> {
    /// A path from a start to a goal.
    Found(Path<P>),
    /// There is no path to any goal.
    Unreachable {
        /// A path to the reachable place nearest to a goal as the crow flies: on a grid by octile distance; on a
        /// graph, where nothing says which node is nearer, a start; on a mesh at the point itself.
        nearest: Path<P>,
    },
    /// The query's limits were used up first.
    LimitReached {
        /// A path to the place nearest to a goal among those looked at; where [legs](super::Progress::Leg) were reported,
        /// it begins with them.
        nearest: Path<P>,
    },
}

impl<P> Answer<P> {
    /// The path to a goal, if one was found.
    pub fn path(self) -> Option<Path<P>> {
        match self {
            Self::Found(path) => Some(path),
            _ => None,
        }
    }
}

/// The answer that a path is. It leads to the nearest place if the query was redirected there; a path that costs
/// more than allowed is no answer.
pub(crate) fn answer_within<P: Copy>(path: Path<P>, cost_max: u64, redirected: bool) -> Answer<P> {
    if redirected {
        return Answer::Unreachable { nearest: path };
    }
    if path.cost().0 > cost_max {
        let start = Path::vouched(vec![path.start()], Cost::ZERO, path.revision());
        return Answer::LimitReached { nearest: start };
    }
    Answer::Found(path)
}

/// The path that stays at the first start: what is nearest where nothing else is known.
pub(crate) fn start_of<E: Environment>(
    environment: &E,
    session: &Session<'_, E::Place>,
) -> Path<E::Place> {
    Path::vouched(vec![session.starts[0]], Cost::ZERO, environment.revision())
}
