//! What it costs to go from one group of nodes to a neighbouring group.
//!
//! Millington and Funge, "Artificial Intelligence for Games" (2009), 4.6: the cost of leaving a group depends
//! on where it was entered, so any single number is a compromise.

use super::RegionError;
use super::stage::span_of;
use crate::environment::{NodeId, Watch};
use crate::graph::{Edge, Graph, GraphSpace, Partition};
use crate::search::{Limits, NoHeuristic, Run, Workspace};
use crate::space::{Part, Reversed};

/// How the cost of a connection between two groups is found from the nodes in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConnectionCost {
    /// The cheapest edge between the groups. Optimistic: crossing a group costs nothing.
    Minimum,
    /// From the entrance of the group that lies worst: the least way to an edge across, and that edge.
    /// Pessimistic.
    Maximin,
    /// The same, averaged over all entrances, rounded down.
    #[default]
    AverageMinimum,
}

impl ConnectionCost {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Minimum, Self::Maximin, Self::AverageMinimum];

    /// The name used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Minimum => "minimum",
            Self::Maximin => "maximin",
            Self::AverageMinimum => "average",
        }
    }

    /// The one of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cost| cost.name() == name)
    }
}

/// An edge between two groups, by the groups and by its ends.
type Across = (u32, u32, NodeId, NodeId, u64);

/// The edges of the graph of groups.
pub(super) fn edges(
    whole: &Graph,
    groups: &Partition,
    cost: ConnectionCost,
    work: &mut Workspace,
    watch: &mut Watch<'_>,
) -> Result<Vec<Edge>, RegionError> {
    let view = whole.non_negative()?;
    let mut across: Vec<Across> = whole
        .edges()
        .map(|edge| {
            let (from, to) = (groups.region(edge.from), groups.region(edge.to));
            (from, to, edge.from, edge.to, u64::from(edge.weight.unsigned_abs()))
        })
        .filter(|edge| edge.0 != edge.1)
        .collect();
    across.sort_unstable();
    // Where each group is entered.
    let mut entrances: Vec<Vec<NodeId>> = vec![Vec::new(); groups.count()];
    across.iter().for_each(|edge| entrances[edge.1 as usize].push(edge.3));
    for nodes in &mut entrances {
        nodes.sort_unstable();
        nodes.dedup();
    }
    let mut connection = |same: &[Across]| {
        let (from, to) = (same[0].0, same[0].1);
        let cheapest = same.iter().map(|edge| edge.4).min().unwrap_or(0);
        let cost = match cost {
            ConnectionCost::Minimum => cheapest,
            _ => {
                // Backwards within the group, from every edge across at once.
                let seeds: Vec<(NodeId, u64)> = same.iter().map(|edge| (edge.2, edge.4)).collect();
                let back = Reversed(GraphSpace::both_ways(view));
                let part = Part::of(back, |node| groups.region(node) == from);
                let mut run = Run::new(Limits::default());
                let seeds = seeds.into_iter();
                work.explore(part, span_of(whole), seeds, &[], NoHeuristic, &mut run);
                let least = entrances[from as usize].iter().filter_map(|&node| work.cost(node));
                summed(cost, least).unwrap_or(cheapest)
            }
        };
        Edge::new(from, to, i32::try_from(cost).unwrap_or(i32::MAX))
    };
    let (mut edges, mut done) = (Vec::new(), 0);
    for same in across.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        watch.report(done, across.len() as u64).map_err(|_| RegionError::Stopped)?;
        edges.push(connection(same));
        done += same.len() as u64;
    }
    Ok(edges)
}

/// The worst, or the mean; `None` for nothing.
fn summed(cost: ConnectionCost, least: impl Iterator<Item = u64>) -> Option<u64> {
    let (mut sum, mut worst, mut count) = (0, 0, 0u64);
    for cost in least {
        (sum, worst, count) = (sum + cost, cost.max(worst), count + 1);
    }
    match cost {
        _ if count == 0 => None,
        ConnectionCost::Maximin => Some(worst),
        _ => Some(sum / count),
    }
}
