//! Fields: one run that serves everybody. Each place knows what the way costs, where it leads, and where to
//! go next.
//!
//! A field *towards* some facilities is a search along the reversed edges that starts at all of them at
//! once: as if a super destination were joined to each by an edge of cost nothing. A field *away* from some
//! sources is the same along the edges. On grids steps cost the same both ways, so one field is both.
//!
//! The loop is the common one; O((edges + nodes) · log nodes) at most, however many facilities there are.

use crate::environment::{End, NodeId};
use crate::graph::{Graph, GraphRefusal, GraphSpace};
use crate::grid::{Cell, Grid};
use crate::heuristic::GivenEstimates;
use crate::online::GridSearch;
use crate::planner::{QueryError, Scratch, check_places};
use crate::search::{Limits, Workspace};
use crate::space::Reversed;

const FAR: u64 = u64::MAX;

/// Whether ways lead to the facilities or from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sense {
    Towards,
    Away,
}

/// For each node: the cost between it and the nearest facility, which one that is, and the next node on the way.
///
/// ```
/// use highroad::environment::NodeId;
/// use highroad::field::FacilityField;
/// use highroad::graph::{Edge, Graph};
/// let edges = [Edge::new(0, 1, 5), Edge::new(1, 2, 1), Edge::new(1, 3, 9), Edge::new(0, 3, 4)];
/// let graph = Graph::from_edges(4, &edges)?;
/// let exits = [NodeId(2), NodeId(3)];
/// let field = FacilityField::towards(&graph, &exits)?;
/// assert_eq!((field.cost(NodeId(0)), field.facility(NodeId(0))), (Some(4), Some(NodeId(3))));
/// assert_eq!((field.cost(NodeId(1)), field.next(NodeId(1))), (Some(1), Some(NodeId(2))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacilityField {
    costs: Vec<u64>,
    next: Vec<u32>,
    facilities: Vec<u32>,
    sense: Sense,
}

impl FacilityField {
    /// Ways to the nearest of some facilities: escape routes for everybody. O((edges + nodes) · log nodes), however many
    /// facilities there are.
    ///
    /// Fails with a [`QueryError`] if there is no facility, if one is not a node of the graph, if an edge is negative, or if
    /// a way costs 2⁴⁴ or more.
    pub fn towards(graph: &Graph, facilities: &[NodeId]) -> Result<Self, QueryError<GraphRefusal>> {
        Self::of(graph, facilities, Sense::Towards)
    }

    /// Ways from the nearest of some sources. Time and errors are those of [`FacilityField::towards`].
    ///
    /// ```
    /// use highroad::environment::NodeId;
    /// use highroad::field::FacilityField;
    /// use highroad::graph::{Edge, Graph};
    /// let graph = Graph::from_edges(3, &[Edge::new(0, 1, 5), Edge::new(2, 1, 1)])?;
    /// let stations = [NodeId(0), NodeId(2)];
    /// let field = FacilityField::away_from(&graph, &stations)?;
    /// assert_eq!((field.facility(NodeId(1)), field.cost(NodeId(1))), (Some(NodeId(2)), Some(1)));
    /// assert_eq!(field.path(NodeId(1)), Some(vec![NodeId(2), NodeId(1)]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn away_from(graph: &Graph, sources: &[NodeId]) -> Result<Self, QueryError<GraphRefusal>> {
        Self::of(graph, sources, Sense::Away)
    }

    fn of(
        graph: &Graph,
        facilities: &[NodeId],
        sense: Sense,
    ) -> Result<Self, QueryError<GraphRefusal>> {
        let view = graph.non_negative().map_err(GraphRefusal::Negative);
        let view = view.map_err(QueryError::Unsuitable)?;
        check_places(graph, End::Start, facilities)?;
        let mut work = Workspace::default();
        let explored = match sense {
            Sense::Towards => {
                view.explore(Reversed(GraphSpace::both_ways(view)), facilities, &mut work)
            }
            Sense::Away => view.explore(GraphSpace::along(view), facilities, &mut work),
        };
        explored.map_err(|beyond| QueryError::Unsuitable(beyond.into()))?;
        let known = |node: NodeId| Some((work.cost(node)?, work.parent(node)?));
        Ok(Self::from_tree(graph.node_count(), known, sense))
    }

    /// Ways between every cell of a grid and the nearest of some cells; nodes are cells' numbers, row by row.
    /// O(cells · log cells). Fails with a [`QueryError`] if there is no such cell, or if one lies outside the map or is blocked.
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::environment::NodeId;
    /// use highroad::field::FacilityField;
    /// use highroad::grid::Grid;
    /// use highroad::planner::Scratch;
    /// let grid = Grid::with_defaults("...#.\n.....\n".parse()?);
    /// let field = FacilityField::on_grid(&grid, &[Cell::new(0, 0), Cell::new(4, 0)], &mut Scratch::new())?;
    /// assert_eq!(field.facility(NodeId(8)), Some(NodeId(4)));
    /// assert_eq!(field.cost(NodeId(3)), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_grid(
        grid: &Grid,
        facilities: &[Cell],
        scratch: &mut Scratch,
    ) -> Result<Self, QueryError> {
        let extent = grid.extent();
        let search = GridSearch::dijkstra();
        let tree = search.explore(grid, facilities, Limits::default(), scratch)?;
        let known = |node: NodeId| {
            let cell = extent.cell(crate::grid::CellId(node.0));
            let before = tree.predecessor(cell).unwrap_or(cell);
            Some((tree.cost(cell)?.0, NodeId(extent.id_inside(before).0)))
        };
        Ok(Self::from_tree(extent.cell_count(), known, Sense::Towards))
    }

    /// From each node's cost and predecessor; a facility is its own.
    fn from_tree(
        node_count: usize,
        known: impl Fn(NodeId) -> Option<(u64, NodeId)>,
        sense: Sense,
    ) -> Self {
        let mut costs = vec![FAR; node_count];
        let mut next: Vec<u32> = (0..node_count as u32).collect();
        for node in (0..node_count as u32).map(NodeId) {
            if let Some((cost, before)) = known(node) {
                costs[node.index()] = cost;
                next[node.index()] = before.0;
            }
        }
        const UNKNOWN: u32 = u32::MAX;
        let mut facilities = vec![UNKNOWN; node_count];
        let mut way = Vec::new();
        for first in 0..node_count {
            let mut at = first;
            while facilities[at] == UNKNOWN && next[at] as usize != at {
                way.push(at);
                at = next[at] as usize;
            }
            if facilities[at] == UNKNOWN {
                facilities[at] = at as u32;
            }
            way.drain(..).for_each(|node| facilities[node] = facilities[at]);
        }
        Self { costs, next, facilities, sense }
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.costs.len()
    }

    /// What the way between a node and its facility costs; `None` where there is none.
    #[inline]
    pub fn cost(&self, node: NodeId) -> Option<u64> {
        self.costs.get(node.index()).copied().filter(|&cost| cost != FAR)
    }

    /// The nearest facility of a node; the search's tie rule decides between equals.
    pub fn facility(&self, node: NodeId) -> Option<NodeId> {
        self.cost(node)?;
        Some(NodeId(self.facilities[node.index()]))
    }

    /// The next node on the way to the facility (towards), or the one before on the way from it (away);
    /// `None` for a facility itself and where there is no way.
    pub fn next(&self, node: NodeId) -> Option<NodeId> {
        self.cost(node)?;
        let next = NodeId(self.next[node.index()]);
        (next != node).then_some(next)
    }

    /// The way, in the order in which it is walked.
    pub fn path(&self, node: NodeId) -> Option<Vec<NodeId>> {
        self.cost(node)?;
        let mut nodes = vec![node];
        let mut at = node;
        while let Some(next) = self.next(at) {
            nodes.push(next);
            at = next;
        }
        if self.sense == Sense::Away {
            nodes.reverse();
        }
        Some(nodes)
    }

    /// The field as a heuristic for its facilities: the very costs still to go. Only of a field towards them.
    ///
    /// Admissible and consistent: it is the cost itself, and that of a node is at most an edge plus that of the
    /// edge's end. From where there is no way the cost is beyond all bounds.
    ///
    /// ```
    /// use highroad::environment::NodeId;
    /// use highroad::field::FacilityField;
    /// use highroad::online::GraphSearch;
    /// use highroad::planner::{PathQuery, Planner, Scratch};
    /// use highroad::graph::{Edge, Graph};
    /// let graph = Graph::from_edges(3, &[Edge::new(0, 1, 5), Edge::new(1, 2, 1), Edge::new(0, 2, 9)])?;
    /// let field = FacilityField::towards(&graph, &[NodeId(2)])?;
    /// let search = GraphSearch::astar().with_heuristic(field.estimates().unwrap());
    /// let mut scratch = Scratch::new();
    /// let answer = search.solve(&graph, &PathQuery::new(NodeId(0), NodeId(2)), &mut scratch)?;
    /// assert_eq!((answer.path().unwrap().cost().0, scratch.statistics().expanded), (6, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimates(&self) -> Option<GivenEstimates> {
        (self.sense == Sense::Towards).then(|| GivenEstimates::exact(self.costs.clone()))
    }
}

#[cfg(test)]
mod tests;
