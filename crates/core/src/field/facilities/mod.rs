//! Fields: one run that serves everybody. Each place knows what the way costs, where it leads, and where to
//! go next.
//!
//! A field *towards* some facilities is a search along the reversed edges that starts at all of them at
//! once: as if a super destination were joined to each by an edge of cost nothing. A field *away* from some
//! sources is the same along the edges. On grids steps cost the same both ways, so one field is both.
//!
//! The loop is the common one; O((edges + nodes) · log nodes) at most, however many facilities there are.

use crate::graph::{Adjacency, GraphQueryError, GraphScratch, Guide, NonNegative, explore_from};
use crate::grid::{Cell, Grid};
use crate::planner::{GridSearch, QueryError};
use crate::search::{Limits, Scratch};
use crate::space::NodeId;

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
/// use highroad_core::{NodeId, field::FacilityField, graph::{Edge, Graph, GraphScratch}};
/// let edges = [Edge::new(0, 1, 5), Edge::new(1, 2, 1), Edge::new(1, 3, 9), Edge::new(0, 3, 4)];
/// let graph = Graph::from_edges(4, &edges)?;
/// let exits = [NodeId(2), NodeId(3)];
/// let field = FacilityField::towards(graph.non_negative()?, &exits, &mut GraphScratch::new())?;
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
    /// Ways to the nearest of some facilities: escape routes for everybody.
    pub fn towards(
        graph: NonNegative<'_>,
        facilities: &[NodeId],
        scratch: &mut GraphScratch,
    ) -> Result<Self, GraphQueryError> {
        Self::of(graph, graph.graph().incoming(), facilities, Sense::Towards, scratch)
    }

    /// Ways from the nearest of some sources.
    pub fn away_from(
        graph: NonNegative<'_>,
        sources: &[NodeId],
        scratch: &mut GraphScratch,
    ) -> Result<Self, GraphQueryError> {
        Self::of(graph, graph.graph().outgoing(), sources, Sense::Away, scratch)
    }

    fn of(
        graph: NonNegative<'_>,
        edges: &Adjacency,
        facilities: &[NodeId],
        sense: Sense,
        scratch: &mut GraphScratch,
    ) -> Result<Self, GraphQueryError> {
        explore_from(graph, edges, facilities, scratch)?;
        let known = |node: NodeId| Some((scratch.cost(node)?, scratch.parent(node)?));
        Ok(Self::from_tree(graph.graph().node_count(), known, sense))
    }

    /// Ways between every cell of a grid and the nearest of some cells; nodes are cells' numbers, row by row.
    ///
    /// ```
    /// use highroad_core::{Cell, Grid, NodeId, Scratch, field::FacilityField};
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
            let cell = extent.cell(crate::CellId(node.0));
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

    /// The field as a guide to its facilities: the very costs still to go. Only of a field towards them.
    pub fn guide(&self) -> Option<FieldGuide<'_>> {
        (self.sense == Sense::Towards).then_some(FieldGuide(self))
    }
}

/// A table of true costs to the goals of a query.
///
/// Admissible and consistent: it is the cost itself, and that of a node is at most an edge plus that of the
/// edge's end. From where there is no way the cost is beyond all bounds.
///
/// ```
/// use highroad_core::{NodeId, field::FacilityField};
/// use highroad_core::graph::{Edge, Graph, GraphQuery, GraphScratch, GraphSearch};
/// let graph = Graph::from_edges(3, &[Edge::new(0, 1, 5), Edge::new(1, 2, 1), Edge::new(0, 2, 9)])?;
/// let (view, mut scratch) = (graph.non_negative()?, GraphScratch::new());
/// let field = FacilityField::towards(view, &[NodeId(2)], &mut scratch)?;
/// let guide = field.guide().unwrap();
/// let query = GraphQuery::new(NodeId(0), NodeId(2));
/// let answer = GraphSearch::astar().solve(view, &query, &guide, &mut scratch)?;
/// assert_eq!((answer.path().unwrap().cost, scratch.statistics().expanded), (6, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FieldGuide<'f>(&'f FacilityField);

impl Guide for FieldGuide<'_> {
    #[inline]
    fn estimate(&self, node: NodeId) -> u64 {
        self.0.costs.get(node.index()).copied().unwrap_or(FAR)
    }

    fn is_admissible(&self) -> bool {
        true
    }

    fn is_consistent(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests;
