//! Distances to a few landmarks, which show what cannot be near.
//!
//! Goldberg and Harrelson, "Computing the shortest path: A* search meets graph theory" (2005). By the
//! triangle inequality two subgoals are at least as far apart as their distances to a landmark differ. A
//! query has some links at each end, and most of them lead the wrong way: what they cost at least, by way
//! of all links of the other end, is known before their labels are looked at.
//!
//! PERF: a label of AcrosstheCape is five lines of cache, what is kept here a quarter of a line.

use super::flat::Labels;
use super::neighbours::Neighbours;
use super::pruned::Search;
use crate::index::subgoal::Link;

/// How many landmarks there are: as many as a vector of 16-bit numbers holds.
pub(super) const COUNT: usize = 8;

/// Where there is no way, and more than any distance that is noted.
pub(super) const APART: i16 = (1 << 14) - 1;

/// Each node's distances to the landmarks, in coarse units.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Landmarks {
    pub(super) distances: Vec<[i16; COUNT]>,
    /// A unit is two to the power of this.
    pub(super) shift: u32,
}

/// What is known of the links of one end: for each landmark, the least sum of a link's cost and the distance
/// of its node, and the greatest difference.
pub(super) struct LinkBounds {
    sums: [i16; COUNT],
    differences: [i16; COUNT],
}

impl Landmarks {
    /// Landmarks far from each other, in the part of the graph where a node is; `None` if a distance is too
    /// long to be noted.
    pub(super) fn new(
        graph: &Neighbours,
        inside: Option<u32>,
        search: &mut Search,
    ) -> Option<Self> {
        let count = graph.node_count();
        let mut distances: [Vec<u32>; COUNT] = std::array::from_fn(|_| vec![FAR; count]);
        // How far each node is from the nearest landmark so far; at first, from the node inside.
        let mut nearest = vec![0; count];
        let mut noted = true;
        if let Some(inside) = inside {
            noted &= search.spread(graph, inside, |settled| {
                nearest[settled.node as usize] = settled.distance;
                true
            });
        }
        for of_landmark in &mut distances {
            let Some(farthest) = (0..count).max_by_key(|&node| (nearest[node], node)) else {
                break;
            };
            noted &= search.spread(graph, farthest as u32, |settled| {
                let node = settled.node as usize;
                of_landmark[node] = settled.distance;
                nearest[node] = settled.distance.min(nearest[node]);
                true
            });
        }
        noted.then(|| Self::coarse(&distances, count))
    }

    fn coarse(distances: &[Vec<u32>; COUNT], count: usize) -> Self {
        let known = distances.iter().flatten().copied().filter(|&distance| distance != FAR);
        let longest = known.max().unwrap_or(0);
        let shift = (0..u32::BITS).find(|shift| longest >> shift < APART as u32).unwrap_or(0);
        let unit = |distance: u32| if distance == FAR { APART } else { (distance >> shift) as i16 };
        let of_node = |node: usize| std::array::from_fn(|landmark| unit(distances[landmark][node]));
        Self { distances: (0..count).map(of_node).collect(), shift }
    }
}

impl Labels {
    /// What is known of some links. Costs are rounded down, as distances are.
    #[inline]
    pub(super) fn around(&self, links: &[Link]) -> LinkBounds {
        let mut around = LinkBounds { sums: [i16::MAX; COUNT], differences: [i16::MIN; COUNT] };
        for link in links {
            let distances = &self.nodes[link.subgoal as usize].landmarks;
            let cost = (link.cost >> self.landmark_shift).min(APART as u32) as i16;
            for (at, &distance) in distances.iter().enumerate() {
                around.sums[at] = around.sums[at].min(distance + cost);
                around.differences[at] = around.differences[at].max(distance - cost);
            }
        }
        around
    }

    /// The least that a path by way of a link and one of those at the other end can cost.
    #[inline]
    pub(super) fn least(&self, link: Link, around: &LinkBounds) -> u64 {
        let distances = &self.nodes[link.subgoal as usize].landmarks;
        let mut apart = [0; COUNT];
        for (at, &distance) in distances.iter().enumerate() {
            let sum = around.sums[at].saturating_sub(distance);
            let difference = distance.saturating_sub(around.differences[at]);
            apart[at] = sum.max(difference);
        }
        // What was rounded down may make a difference look greater by less than one unit.
        let apart = apart.into_iter().max().map_or(0, |units| i64::from(units) - 1).max(0) as u64;
        u64::from(link.cost) + (apart << self.landmark_shift)
    }
}

const FAR: u32 = u32::MAX;
