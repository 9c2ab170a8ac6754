//! The path as far as the events of a trace have filled it in.

use super::trace::{TraceEvent, TraceKind};
use crate::space::NodeId;

/// The path that events have made so far: filled in, then smoothed, leg by leg.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad::hierarchy::{Hpa, HpaOptions};
/// use highroad::planner::{PathQuery, Planner, Scratch};
/// use highroad::search::{DrawnPath, TraceLog};
/// let grid = Grid::with_defaults("........\n.######.\n........\n".parse()?);
/// let hpa = Hpa::build(&grid, HpaOptions::default().with_cluster_side(4).without_direct_ways())?;
/// let mut log = TraceLog::default();
/// let query = PathQuery::new((2, 0), (5, 2));
/// let path = hpa.solve_traced(&grid, &query, &mut Scratch::new(), &mut log)?.path().unwrap();
/// let mut drawn = DrawnPath::default();
/// log.events().iter().for_each(|event| drawn.take(event));
/// assert_eq!(drawn.nodes().count(), path.cells().len());
/// assert!(!drawn.before_smoothing().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnPath {
    /// The legs that are done.
    done: Vec<NodeId>,
    /// The leg in hand as it was filled in.
    rough: Vec<NodeId>,
    /// The same leg as far as it is smoothed.
    smooth: Vec<NodeId>,
}

impl DrawnPath {
    /// Takes the next event of a trace; those of searches change nothing.
    pub fn take(&mut self, event: &TraceEvent) {
        match event.kind {
            // What was found before does not count any more.
            TraceKind::Join => *self = Self::default(),
            TraceKind::Refine => {
                if !self.smooth.is_empty() {
                    let joint = usize::from(!self.done.is_empty());
                    self.done.extend_from_slice(&self.smooth[joint..]);
                    self.smooth.clear();
                    self.rough.clear();
                }
                Self::append(&mut self.rough, event);
            }
            TraceKind::Smooth => Self::append(&mut self.smooth, event),
            _ => {}
        }
    }

    fn append(leg: &mut Vec<NodeId>, event: &TraceEvent) {
        if leg.is_empty() {
            leg.push(event.parent);
        }
        leg.push(event.node);
    }

    /// The nodes of the path so far, from the start on. While a leg is smoothed, as far as that has come.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        let leg = if self.smooth.is_empty() { &self.rough } else { &self.smooth };
        let joint = usize::from(!self.done.is_empty() && !leg.is_empty());
        self.done.iter().chain(&leg[joint..]).copied()
    }

    /// The leg in hand before it was smoothed; empty if it is not smoothed yet.
    pub fn before_smoothing(&self) -> &[NodeId] {
        if self.smooth.is_empty() { &[] } else { &self.rough }
    }

    /// Whether there is nothing of a path yet.
    pub fn is_empty(&self) -> bool {
        self.done.is_empty() && self.rough.is_empty() && self.smooth.is_empty()
    }
}
