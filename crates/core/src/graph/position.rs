//! Estimates from where nodes lie.

use super::{Graph, Guide, Position};
use crate::space::NodeId;

/// How the distance between two places is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Along the axes: |x| + |y| + |z|.
    Manhattan,
    /// The straight line.
    #[default]
    Euclidean,
    /// The longest of |x|, |y| and |z|.
    Chebyshev,
}

impl Metric {
    /// The distance between two places.
    ///
    /// ```
    /// use highroad_core::graph::Metric;
    /// let (a, b) = ([0.0, 0.0, 0.0], [3.0, 4.0, 0.0]);
    /// assert_eq!((Metric::Manhattan.between(a, b), Metric::Euclidean.between(a, b)), (7.0, 5.0));
    /// ```
    pub fn between(self, a: Position, b: Position) -> f64 {
        let [x, y, z] = [(a[0] - b[0]).abs(), (a[1] - b[1]).abs(), (a[2] - b[2]).abs()];
        match self {
            Self::Manhattan => x + y + z,
            Self::Euclidean => (x * x + y * y + z * z).sqrt(),
            Self::Chebyshev => x.max(y).max(z),
        }
    }
}

/// The distance to the nearest goal, times the least weight that the graph asks for a unit of distance.
///
/// Admissible: every edge costs at least `scale` times the distance that it covers, and by the triangle
/// inequality so does every path; costs are whole, so rounding up stays below them. The scale is lowered
/// by a billionth, which is a million times what floating point can add. Consistent in exact arithmetic
/// by the same argument; since distances are rounded, it does not claim so, and a search opens nodes again
/// if need be.
///
/// ```
/// use highroad_core::{NodeId, graph::{Edge, Graph, Guide, Metric, PositionGuide}};
/// let places = vec![[0.0, 0.0, 0.0], [3.0, 4.0, 0.0]];
/// let graph = Graph::from_edges(2, &[Edge::new(0, 1, 50)])?.with_positions(places)?;
/// let guide = PositionGuide::new(&graph, Metric::Euclidean, &[NodeId(1)]).unwrap();
/// assert_eq!((guide.estimate(NodeId(0)), guide.estimate(NodeId(1))), (50, 0));
/// # Ok::<(), highroad_core::graph::GraphBuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PositionGuide<'g> {
    positions: &'g [Position],
    metric: Metric,
    scale: f64,
    goals: Vec<Position>,
    proven: bool,
}

impl<'g> PositionGuide<'g> {
    /// For those goals; `None` where nodes have no places. Looks at every edge once, to find the scale;
    /// for many queries, find it once by [`PositionGuide::scale_of`].
    pub fn new(graph: &'g Graph, metric: Metric, goals: &[NodeId]) -> Option<Self> {
        let scale = Self::scale_of(graph, metric)?;
        let guide = Self::with_scale(graph, metric, goals, scale)?;
        Some(Self { proven: true, ..guide })
    }

    /// With a scale of one's own: estimates are distances times it. Whether they are admissible is the
    /// caller's to know.
    pub fn with_scale(
        graph: &'g Graph,
        metric: Metric,
        goals: &[NodeId],
        scale: f64,
    ) -> Option<Self> {
        let positions = graph.positions()?;
        let goals = goals.iter().filter_map(|goal| positions.get(goal.index()).copied()).collect();
        let scale = if scale.is_finite() { scale.max(0.0) } else { 0.0 };
        Some(Self { positions, metric, scale, goals, proven: false })
    }

    /// The same guide, vouched for: the scale came from [`PositionGuide::scale_of`] on this graph.
    pub fn vouched(self) -> Self {
        Self { proven: true, ..self }
    }

    /// The largest scale that is admissible, slightly lowered; `None` where nodes have no places.
    pub fn scale_of(graph: &Graph, metric: Metric) -> Option<f64> {
        let positions = graph.positions()?;
        let price = |edge: super::Edge| {
            let far = metric.between(positions[edge.from.index()], positions[edge.to.index()]);
            (far > 0.0).then(|| f64::from(edge.weight.max(0)) / far)
        };
        let least = graph.edges().filter_map(price).fold(f64::INFINITY, f64::min);
        Some(if least.is_finite() { least * (1.0 - 1e-9) } else { 0.0 })
    }
}

impl Guide for PositionGuide<'_> {
    #[inline]
    fn estimate(&self, node: NodeId) -> u64 {
        let Some(&place) = self.positions.get(node.index()) else { return 0 };
        let far = |goal: &Position| self.metric.between(place, *goal);
        let nearest = self.goals.iter().map(far).fold(f64::INFINITY, f64::min);
        // No goals: nothing is known.
        if nearest.is_finite() { (nearest * self.scale).ceil() as u64 } else { 0 }
    }

    fn is_admissible(&self) -> bool {
        self.proven
    }

    fn is_consistent(&self) -> bool {
        false
    }
}
