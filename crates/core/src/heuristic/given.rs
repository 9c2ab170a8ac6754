//! Estimates that somebody else has worked out.

use crate::search::{ESTIMATE_MAX, Heuristic};
use crate::space::NodeId;

/// One estimate a node, for one goal or one set of goals; 0 for nodes beyond the list.
///
/// ```
/// use highroad::environment::NodeId;
/// use highroad::heuristic::GivenEstimates;
/// use highroad::search::Heuristic;
/// let given = GivenEstimates::new(vec![3, 1, 0]);
/// assert_eq!((given.estimate(NodeId(0)), given.is_admissible()), (3, false));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GivenEstimates {
    estimates: Vec<u64>,
    exact: bool,
}

impl GivenEstimates {
    /// Those estimates. Nothing is known of them, so a search with them promises nothing.
    pub fn new(estimates: Vec<u64>) -> Self {
        Self { estimates, exact: false }
    }

    /// Costs that are known to be exact, such as those of a field towards the goals: admissible and consistent.
    ///
    /// ```
    /// use highroad::environment::NodeId;
    /// use highroad::graph::{Edge, Graph};
    /// use highroad::heuristic::GivenEstimates;
    /// use highroad::online::GraphSearch;
    /// use highroad::planner::{Guarantee, Planner};
    /// let graph = Graph::from_edges(2, &[Edge::new(0, 1, 7)])?;
    /// let search = GraphSearch::astar().with_heuristic(GivenEstimates::exact(vec![7, 0]));
    /// assert_eq!(search.guarantee(&graph), Guarantee::Optimal);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exact(costs: Vec<u64>) -> Self {
        Self { estimates: costs, exact: true }
    }

    /// Other costs that are known to be exact, in the same memory.
    pub(crate) fn refill_exact(&mut self, costs: impl Iterator<Item = u64>) {
        self.exact = true;
        self.estimates.clear();
        self.estimates.extend(costs);
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.estimates.capacity() * size_of::<u64>()
    }
}

impl Heuristic for GivenEstimates {
    #[inline]
    fn estimate(&self, node: NodeId) -> u64 {
        self.estimates.get(node.index()).copied().unwrap_or(0).min(ESTIMATE_MAX)
    }

    fn is_admissible(&self) -> bool {
        self.exact
    }

    fn is_consistent(&self) -> bool {
        self.exact
    }
}

impl Heuristic for &GivenEstimates {
    #[inline]
    fn estimate(&self, node: NodeId) -> u64 {
        (**self).estimate(node)
    }

    fn is_admissible(&self) -> bool {
        self.exact
    }

    fn is_consistent(&self) -> bool {
        self.exact
    }
}
