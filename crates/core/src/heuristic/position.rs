//! Estimates from where nodes lie.

use crate::environment::{Edition, Environment, Position};
use crate::graph::{Edge, Graph};
use crate::search::Heuristic;
use crate::space::NodeId;

/// How the distance between two positions is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    /// The distance between two positions.
    ///
    /// ```
    /// use highroad::heuristic::Metric;
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

/// Estimates by the distance to the nearest goal, times a scale.
///
/// With the scale that [`PositionEstimate::of`] finds it is admissible: every edge costs at least `scale` times the
/// distance that it covers, and by the triangle inequality so does every path; costs are whole, so rounding up
/// stays below them. The scale is lowered by a billionth, which is a million times what floating point can add.
/// Consistent in exact arithmetic by the same argument; since distances are rounded, it does not claim so, and a
/// search opens nodes again if need be.
///
/// ```
/// use highroad::environment::NodeId;
/// use highroad::graph::{Edge, Graph};
/// use highroad::search::Heuristic;
/// use highroad::heuristic::{Metric, PositionEstimate, PositionHeuristic};
/// let positions = vec![[0.0, 0.0, 0.0], [3.0, 4.0, 0.0]];
/// let graph = Graph::from_edges(2, &[Edge::new(0, 1, 50)])?.with_positions(positions)?;
/// let estimate = PositionEstimate::of(&graph, Metric::Euclidean).unwrap();
/// let heuristic = PositionHeuristic::new(&graph, estimate, &[NodeId(1)]);
/// assert_eq!((heuristic.estimate(NodeId(0)), heuristic.estimate(NodeId(1))), (50, 0));
/// # Ok::<(), highroad::graph::GraphBuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum PositionEstimate {
    /// Nothing is estimated.
    #[default]
    None,
    /// Distances times a scale.
    Scaled {
        /// How distances are measured.
        metric: Metric,
        /// What a unit of distance costs.
        scale: f64,
        /// The state of the graph no edge of which costs less for its distance, if that is known of one. A search with
        /// such estimates follows edits by finding the scale again.
        proven: Option<Edition>,
    },
}

impl PositionEstimate {
    /// The largest estimates of that metric that are admissible on a graph; `None` where its nodes have no
    /// positions. Looks at every edge once.
    pub fn of(graph: &Graph, metric: Metric) -> Option<Self> {
        let positions = graph.positions()?;
        let price = |edge: Edge| {
            let far = metric.between(positions[edge.from.index()], positions[edge.to.index()]);
            (far > 0.0).then(|| f64::from(edge.weight.max(0)) / far)
        };
        let least = graph.edges().filter_map(price).fold(f64::INFINITY, f64::min);
        let scale = if least.is_finite() { least * (1.0 - 1e-9) } else { 0.0 };
        Some(Self::Scaled { metric, scale, proven: Some(graph.edition()) })
    }

    /// With a scale of one's own. Nothing is known of these estimates, so a search with them promises nothing.
    pub fn scaled(metric: Metric, scale: f64) -> Self {
        let scale = if scale.is_finite() { scale.max(0.0) } else { 0.0 };
        Self::Scaled { metric, scale, proven: None }
    }

    /// The estimates of the same metric for a graph that was edited, if these depend on the graph.
    pub(crate) fn renewed(self, graph: &Graph) -> Self {
        match self {
            Self::Scaled { metric, proven: Some(edition), .. } if edition != graph.edition() => {
                Self::of(graph, metric).unwrap_or_default()
            }
            other => other,
        }
    }

    /// Whether it is admissible, and consistent.
    pub(crate) fn claims(self) -> (bool, bool) {
        match self {
            Self::None => (true, true),
            Self::Scaled { proven, .. } => (proven.is_some(), false),
        }
    }
}

/// Estimates by distance for the goals of one query.
#[derive(Clone, Copy, Debug)]
pub struct PositionHeuristic<'g> {
    positions: &'g [Position],
    estimate: PositionEstimate,
    goals: &'g [NodeId],
}

impl<'g> PositionHeuristic<'g> {
    /// For those goals. Where nodes have no positions, nothing is estimated.
    pub fn new(graph: &'g Graph, estimate: PositionEstimate, goals: &'g [NodeId]) -> Self {
        Self { positions: graph.positions().unwrap_or_default(), estimate, goals }
    }
}

impl Heuristic for PositionHeuristic<'_> {
    #[inline]
    fn estimate(&self, node: NodeId) -> u64 {
        let PositionEstimate::Scaled { metric, scale, .. } = self.estimate else { return 0 };
        let Some(&own) = self.positions.get(node.index()) else { return 0 };
        let far = |goal: &NodeId| {
            self.positions.get(goal.index()).map(|&position| metric.between(own, position))
        };
        let nearest = self.goals.iter().filter_map(far).fold(f64::INFINITY, f64::min);
        if nearest.is_finite() { (nearest * scale).ceil() as u64 } else { 0 }
    }

    fn is_admissible(&self) -> bool {
        self.estimate.claims().0
    }

    fn is_consistent(&self) -> bool {
        self.estimate.claims().1
    }
}
