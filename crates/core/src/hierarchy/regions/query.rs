//! Finding a path by way of regions: the highest level first, then level by level down to the nodes.

use super::super::part::PartQuery;
use super::super::search::cost_along;
use super::super::{Graph, GraphPath, GraphQueryError, GraphScratch, Guide, NoGuide, NonNegative};
use super::{Refinement, Regions};
use crate::space::NodeId;

/// How much was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegionEffort {
    /// Regions expanded, on all levels together.
    pub regions_expanded: u64,
    /// Nodes of the graph itself expanded.
    pub nodes_expanded: u64,
    /// Whether the corridor was a dead end, so that the whole graph was searched.
    pub fell_back: bool,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionAnswer {
    /// The path, if there is one.
    pub path: Option<GraphPath>,
    /// The regions of the first level that it was looked for in, in order.
    pub route: Vec<u32>,
    /// How much was looked at.
    pub effort: RegionEffort,
}

impl Regions {
    /// A path between two nodes.
    pub fn find(
        &self,
        graph: NonNegative<'_>,
        start: NodeId,
        goal: NodeId,
        scratch: &mut GraphScratch,
    ) -> Result<RegionAnswer, GraphQueryError> {
        self.find_guided(graph, start, goal, &NoGuide, scratch)
    }

    /// As [`Regions::find`], with a guide to the goal for the search among nodes.
    pub fn find_guided<G: Guide>(
        &self,
        graph: NonNegative<'_>,
        start: NodeId,
        goal: NodeId,
        guide: &G,
        scratch: &mut GraphScratch,
    ) -> Result<RegionAnswer, GraphQueryError> {
        let nodes = graph.graph().node_count().min(self.node_count);
        if let Some(node) = [start, goal].into_iter().find(|node| node.index() >= nodes) {
            return Err(GraphQueryError::NoSuchNode { node, nodes });
        }
        let mut effort = RegionEffort::default();
        let route = self.route(start, goal, &mut effort, scratch);
        let route = route.unwrap_or_default();
        let trail = match self.options.refinement {
            Refinement::Legs => {
                self.by_legs(graph.graph(), &route, start, goal, &mut effort, scratch)
            }
            Refinement::Corridor => {
                let mut allowed = vec![false; self.levels[0].groups.count()];
                route.iter().for_each(|&region| allowed[region as usize] = true);
                let may_enter = |node| allowed[self.partition().region(node) as usize];
                let trail = search(graph.graph(), start, &[goal], guide, may_enter, scratch);
                effort.nodes_expanded += scratch.statistics().expanded;
                trail
            }
        };
        let trail = trail.or_else(|| {
            effort.fell_back = true;
            let trail = search(graph.graph(), start, &[goal], guide, |_| true, scratch);
            effort.nodes_expanded += scratch.statistics().expanded;
            trail
        });
        let path = trail.map(|nodes| GraphPath { cost: cost_along(graph.graph(), &nodes), nodes });
        Ok(RegionAnswer { path, route, effort })
    }

    /// The regions of the first level between two nodes, by way of the levels above.
    fn route(
        &self,
        start: NodeId,
        goal: NodeId,
        effort: &mut RegionEffort,
        scratch: &mut GraphScratch,
    ) -> Option<Vec<u32>> {
        // The groups of both ends, level by level.
        let mut ends = vec![(start, goal)];
        for level in &self.levels {
            let (from, to) = ends[ends.len() - 1];
            ends.push((NodeId(level.groups.region(from)), NodeId(level.groups.region(to))));
        }
        let mut route: Option<Vec<NodeId>> = None;
        for height in (0..self.levels.len()).rev() {
            let (from, to) = ends[height + 1];
            let graph = &self.levels[height].graph;
            route = Some(match (&route, &self.table) {
                (None, Some(table)) => table.path(from, to)?,
                (None, None) => {
                    let found = search(graph, from, &[to], &NoGuide, |_| true, scratch);
                    effort.regions_expanded += scratch.statistics().expanded;
                    found?
                }
                (Some(above), _) => {
                    let groups = &self.levels[height + 1].groups;
                    let mut allowed = vec![false; groups.count()];
                    above.iter().for_each(|group| allowed[group.index()] = true);
                    let may_enter = |region| allowed[groups.region(region) as usize];
                    let found = search(graph, from, &[to], &NoGuide, may_enter, scratch);
                    effort.regions_expanded += scratch.statistics().expanded;
                    found?
                }
            });
        }
        route.map(|route| route.into_iter().map(|region| region.0).collect())
    }

    /// Region by region: to the nearest node of the next one, and in the last one to the goal.
    fn by_legs(
        &self,
        graph: &Graph,
        route: &[u32],
        start: NodeId,
        goal: NodeId,
        effort: &mut RegionEffort,
        scratch: &mut GraphScratch,
    ) -> Option<Vec<NodeId>> {
        let regions = self.partition();
        let mut trail = vec![start];
        for pair in route.windows(2) {
            let at = trail[trail.len() - 1];
            let leg = to_region(graph, at, |node| regions.region(node), pair, scratch);
            effort.nodes_expanded += scratch.statistics().expanded;
            trail.extend_from_slice(&leg?[1..]);
        }
        let (last, at) = (*route.last()?, trail[trail.len() - 1]);
        let may_enter = |node| regions.region(node) == last;
        let leg = search(graph, at, &[goal], &NoGuide, may_enter, scratch);
        effort.nodes_expanded += scratch.statistics().expanded;
        trail.extend_from_slice(&leg?[1..]);
        Some(trail)
    }
}

/// From a node of one region to the nearest node of the next.
fn to_region(
    graph: &Graph,
    from: NodeId,
    region_of: impl Fn(NodeId) -> u32,
    pair: &[u32],
    scratch: &mut GraphScratch,
) -> Option<Vec<NodeId>> {
    let query = PartQuery {
        edges: graph.outgoing(),
        weight_max: graph.weight_max(),
        seeds: &[(from, 0)],
        goals: &[],
        guide: &NoGuide,
        may_enter: |node| pair.contains(&region_of(node)),
    };
    let reached = query.run_until(|node| region_of(node) == pair[1], |_| None, scratch)?;
    Some(scratch.trail_to(reached))
}

pub(super) fn search<G: Guide>(
    graph: &Graph,
    from: NodeId,
    goals: &[NodeId],
    guide: &G,
    may_enter: impl Fn(NodeId) -> bool,
    scratch: &mut GraphScratch,
) -> Option<Vec<NodeId>> {
    let query = PartQuery {
        edges: graph.outgoing(),
        weight_max: graph.weight_max(),
        seeds: &[(from, 0)],
        goals,
        guide,
        may_enter,
    };
    let reached = query.run(scratch)?;
    Some(scratch.trail_to(reached))
}
