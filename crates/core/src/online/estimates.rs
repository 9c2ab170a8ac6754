//! How a search estimates the cost to go: by a distance, or by a table that was made before.

use crate::environment::Edition;
use crate::heuristic::{
    AbstractDistances, AbstractMemory, ClusterTable, GivenEstimates, HeuristicKind, Landmarks,
    PositionEstimate,
};
use crate::search::{Limits, NoHeuristic, Run, Workspace};
use crate::space::{NodeId, Nodes, Reversed};
use std::fmt::Debug;
use std::sync::Arc;

/// A way to estimate costs by distance, in some environment.
pub trait Distance: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// What A* uses unless another is asked for.
    const USUAL: Self;

    /// The state of the environment that it was made for; `None` if any will do.
    fn edition(&self) -> Option<Edition> {
        None
    }
}

impl Distance for HeuristicKind {
    const USUAL: Self = Self::Octile;
}

impl Distance for PositionEstimate {
    const USUAL: Self = Self::None;

    fn edition(&self) -> Option<Edition> {
        match self {
            Self::Scaled { proven, .. } => *proven,
            Self::None => None,
        }
    }
}

/// How a search estimates the cost to go. `D` are the distances that the environment knows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Estimates<D> {
    /// By distance.
    Distance(D),
    /// By landmarks.
    Landmarks(Arc<Landmarks>),
    /// By the least distance between clusters.
    Clusters(Arc<ClusterTable>),
    /// By a search through clusters first.
    Abstract(Arc<AbstractDistances>),
    /// By numbers that were worked out elsewhere.
    Given(Arc<GivenEstimates>),
    /// By the true costs, worked out for every query by a search from its goals: what no estimate can better, at a
    /// price that no search gets back. For teaching and comparing.
    True,
}

impl<D: Distance> Estimates<D> {
    /// The state of the environment that a table was made for; `None` if any will do.
    pub(super) fn edition(&self) -> Option<Edition> {
        match self {
            Self::Distance(distance) => distance.edition(),
            Self::Given(_) | Self::True => None,
            Self::Landmarks(table) => Some(table.edition()),
            Self::Clusters(table) => Some(table.edition()),
            Self::Abstract(table) => Some(table.edition()),
        }
    }

    /// Works out what is needed for the goals of a query.
    pub(super) fn prepare<E: Nodes>(
        &self,
        environment: &E,
        goals: &[E::Place],
        work: &mut Workspace,
        prepared: &mut Prepared,
    ) {
        prepared.goals.clear();
        prepared.goals.extend(goals.iter().map(|&goal| environment.node(goal)));
        match self {
            Self::Abstract(table) => {
                table.prepare(environment, &prepared.goals, work, &mut prepared.abstracted);
            }
            Self::True => prepared.work_out_true_costs(environment, work),
            _ => {}
        }
    }

    pub(super) fn held_bytes(&self) -> usize {
        match self {
            Self::Distance(_) | Self::True => 0,
            Self::Landmarks(table) => table.memory_bytes(),
            Self::Clusters(table) => table.memory_bytes(),
            Self::Abstract(table) => table.memory_bytes(),
            Self::Given(given) => given.memory_bytes(),
        }
    }
}

impl<D: Distance> PartialEq for Estimates<D> {
    /// Whether they are the same distance or the very same table.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Distance(own), Self::Distance(other)) => own == other,
            (Self::Landmarks(own), Self::Landmarks(other)) => Arc::ptr_eq(own, other),
            (Self::Clusters(own), Self::Clusters(other)) => Arc::ptr_eq(own, other),
            (Self::Abstract(own), Self::Abstract(other)) => Arc::ptr_eq(own, other),
            (Self::Given(own), Self::Given(other)) => Arc::ptr_eq(own, other),
            (Self::True, Self::True) => true,
            _ => false,
        }
    }
}

macro_rules! from_tables {
    ($($table:ident => $variant:ident),*) => {$(
        impl<D: Distance> From<$table> for Estimates<D> {
            fn from(table: $table) -> Self {
                Self::$variant(Arc::new(table))
            }
        }
    )*};
}

from_tables!(
    Landmarks => Landmarks,
    ClusterTable => Clusters,
    AbstractDistances => Abstract,
    GivenEstimates => Given
);

impl From<HeuristicKind> for Estimates<HeuristicKind> {
    fn from(kind: HeuristicKind) -> Self {
        Self::Distance(kind)
    }
}

impl From<PositionEstimate> for Estimates<PositionEstimate> {
    fn from(estimate: PositionEstimate) -> Self {
        Self::Distance(estimate)
    }
}

/// What tables need to know of the goals of a query.
#[derive(Default)]
pub(super) struct Prepared {
    pub(super) goals: Vec<NodeId>,
    pub(super) abstracted: AbstractMemory,
    pub(super) true_costs: GivenEstimates,
}

impl Prepared {
    pub(super) fn bytes(&self) -> usize {
        self.goals.capacity() * size_of::<NodeId>()
            + self.abstracted.bytes()
            + self.true_costs.memory_bytes()
    }

    /// What it costs from every node to the nearest goal. Where no way leads to one, nothing is estimated.
    fn work_out_true_costs<E: Nodes>(&mut self, environment: &E, work: &mut Workspace) {
        // The query was checked: paths can be found.
        let Ok(space) = environment.space() else { return };
        let (span, mut run) = (2 * environment.step_max(), Run::new(Limits::default()));
        let seeds = self.goals.iter().map(|&goal| (goal, 0));
        work.explore(Reversed(space), span, seeds, &[], NoHeuristic, &mut run);
        let nodes = (0..environment.node_count() as u32).map(NodeId);
        self.true_costs.refill_exact(nodes.map(|node| work.cost(node).unwrap_or(0)));
    }
}

/// Runs an expression with the heuristic of a table; with that of a distance, another.
macro_rules! with_heuristic {
    ($estimates:expr, $prepared:expr, $name:ident => $body:expr, $kind:ident => $distance:expr) => {
        match $estimates {
            Estimates::Distance($kind) => $distance,
            Estimates::Landmarks(table) => {
                let $name = table.heuristic(&$prepared.goals);
                $body
            }
            Estimates::Clusters(table) => {
                let $name = table.heuristic(&$prepared.goals);
                $body
            }
            Estimates::Abstract(table) => {
                let $name = table.heuristic(&$prepared.abstracted);
                $body
            }
            Estimates::Given(given) => {
                let $name = &**given;
                $body
            }
            Estimates::True => {
                let $name = &$prepared.true_costs;
                $body
            }
        }
    };
}

pub(super) use with_heuristic;
