//! Spaces: what is searched. A space is a view made for one query; it numbers its nodes and yields
//! the successors of one. Environments bring their own spaces; here is what all spaces are.

pub use crate::environment::NodeId;

use crate::environment::{Cost, Environment};

/// A node about to be expanded, and the node it was reached from: itself for a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The node.
    pub node: NodeId,
    /// Where it was reached from.
    pub parent: NodeId,
}

/// What a search runs on.
///
/// Environments bring spaces of their own, which [`Nodes::space`] returns. A space of your own needs two methods:
///
/// ```
/// use highroad::space::{Arrival, NodeId, Space};
/// /// A ring of nodes.
/// struct Ring(u32);
/// impl Space for Ring {
///     fn node_count(&self) -> usize { self.0 as usize }
///     fn expand(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
///         visit(NodeId((at.node.0 + 1) % self.0), 1);
///     }
/// }
/// let mut next = None;
/// Ring(5).expand(Arrival { node: NodeId(4), parent: NodeId(3) }, &mut |to, _cost| next = Some(to));
/// assert_eq!(next, Some(NodeId(0)));
/// ```
pub trait Space {
    /// Nodes have numbers below this.
    fn node_count(&self) -> usize;

    /// Calls `visit` with every successor of a node that is worth a look, given where it was reached
    /// from, and the cost of the step to it; always in the same order.
    fn expand(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32));

    /// As [`Space::expand`], along the steps that lead to a node instead of from it. Spaces whose steps
    /// cost the same both ways have nothing to add.
    #[inline]
    fn expand_backwards(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        self.expand(at, visit);
    }

    /// The cost of a step, given the number that `expand` calls `visit` with: the same, unless a space packs costs.
    #[inline(always)]
    fn price(step: u32) -> u64 {
        u64::from(step)
    }

    /// Whether a node is a goal that was not known before the search came to it.
    #[inline(always)]
    fn is_goal(&mut self, _node: NodeId) -> bool {
        false
    }
}

impl<S: Space> Space for &mut S {
    fn node_count(&self) -> usize {
        (**self).node_count()
    }

    #[inline]
    fn expand(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        (**self).expand(at, visit);
    }

    #[inline]
    fn expand_backwards(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        (**self).expand_backwards(at, visit);
    }

    #[inline(always)]
    fn price(step: u32) -> u64 {
        S::price(step)
    }

    #[inline(always)]
    fn is_goal(&mut self, node: NodeId) -> bool {
        (**self).is_goal(node)
    }
}

/// A space with every step turned round.
pub(crate) struct Reversed<S>(pub(crate) S);

impl<S: Space> Space for Reversed<S> {
    fn node_count(&self) -> usize {
        self.0.node_count()
    }

    #[inline]
    fn expand(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        self.0.expand_backwards(at, visit);
    }

    #[inline]
    fn expand_backwards(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        self.0.expand(at, visit);
    }
}

/// Part of a space: the steps that lead to nodes a search may enter.
pub(crate) struct Part<S, F, E, L> {
    pub(crate) space: S,
    pub(crate) may_enter: F,
    pub(crate) is_goal: E,
    /// One more step from a node, such as to the goal of a query.
    pub(crate) last_step: L,
}

impl<S: Space, F: Fn(NodeId) -> bool> Part<S, F, fn(NodeId) -> bool, fn(NodeId) -> LastStep> {
    /// The part with those nodes.
    pub(crate) fn of(space: S, may_enter: F) -> Self {
        Self { space, may_enter, is_goal: |_| false, last_step: |_| None }
    }
}

/// Where one more step from a node leads, and what it costs.
pub(crate) type LastStep = Option<(NodeId, u32)>;

impl<S, F, E, L> Space for Part<S, F, E, L>
where
    S: Space,
    F: Fn(NodeId) -> bool,
    E: Fn(NodeId) -> bool,
    L: Fn(NodeId) -> LastStep,
{
    fn node_count(&self) -> usize {
        self.space.node_count()
    }

    #[inline]
    fn expand(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        let may_enter = &self.may_enter;
        self.space.expand(at, &mut |to, cost| {
            if may_enter(to) {
                visit(to, cost);
            }
        });
        if let Some((to, cost)) = (self.last_step)(at.node) {
            visit(to, cost);
        }
    }

    #[inline]
    fn is_goal(&mut self, node: NodeId) -> bool {
        (self.is_goal)(node)
    }
}

/// An environment whose places are the nodes of a space: what searches over nodes run on.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad::heuristic::Landmarks;
/// use highroad::graph::{Edge, Graph};
/// use highroad::space::Nodes;
/// /// Works on grids and graphs alike.
/// fn landmarks<E: Nodes>(environment: &E) -> usize {
///     let count = environment.node_count().ilog2() as usize;
///     Landmarks::choose(environment, count).map_or(0, |landmarks| landmarks.nodes().len())
/// }
/// assert_eq!(landmarks(&Grid::with_defaults("....\n....\n".parse()?)), 3);
/// assert_eq!(landmarks(&Graph::from_edges(4, &[Edge::new(0, 1, 7)])?), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Nodes: Environment {
    /// Its space, with every step.
    type Space<'e>: Space;

    /// Whether every step can be taken back at the same cost.
    fn is_symmetric(&self) -> bool;

    /// Its space, if paths can be found in it at all.
    fn space(&self) -> Result<Self::Space<'_>, Self::Refusal>;

    /// How many nodes there are.
    fn node_count(&self) -> usize;

    /// The node of a place that paths may start at.
    fn node(&self, place: Self::Place) -> NodeId;

    /// The place of a node.
    fn place(&self, node: NodeId) -> Self::Place;

    /// No step costs more.
    fn step_max(&self) -> u64;

    /// What it costs to go along places each step between which is known to be allowed.
    fn cost_along(&self, places: &[Self::Place]) -> Cost;
}
