//! What there is to draw of labels: hubs by importance, and those that a query has looked at.

use super::Labelled;
use super::search::HubMemory;
use crate::index::subgoal::Link;
use crate::planner::{LayerInfo, Point, Shape, SketchLayer};
use std::collections::BTreeSet;

/// How many times the share of hubs that is drawn is halved.
const HUB_LAYERS: u32 = 6;

impl Labelled {
    /// The subgoal that each hub is, the most important first.
    fn hubs(&self) -> Vec<u32> {
        let mut hubs = vec![0; self.subgoals.subgoal_count()];
        for node in 0..hubs.len() as u32 {
            if let Some(own) = self.labels.entries_of(node).find(|entry| entry.distance == 0) {
                hubs[own.hub as usize] = node;
            }
        }
        hubs
    }

    fn point(&self, node: u32) -> Option<Point> {
        self.subgoals.map.cells.get(node as usize).map(|&cell| Point::middle_of(cell))
    }

    fn hubs_of(&self, links: &[Link]) -> BTreeSet<u32> {
        let known = links.iter().filter(|link| (link.subgoal as usize) < self.labels.nodes.len());
        known.flat_map(|link| self.labels.entries_of(link.subgoal)).map(|entry| entry.hub).collect()
    }
}

/// What there is to draw of labels, and of a query.
pub(super) static LAYERS: [LayerInfo; 3] = [
    LayerInfo::hidden(
        "hubs",
        "hubs by importance: each level keeps the first half of the one below",
    ),
    LayerInfo::visible("shared hubs", "hubs that the labels around both ends know", 0.9),
    LayerInfo::visible(
        "way by the hub",
        "the corners that the path is put together of, by way of the best hub",
        0.7,
    ),
];

impl Labelled {
    pub(super) fn draw_hubs(&self) -> Vec<SketchLayer> {
        let hubs = self.hubs();
        let level = |level: u32| {
            let some = hubs[..hubs.len() >> (level - 1)].iter();
            let points = some.filter_map(|&hub| self.point(hub)).collect();
            LAYERS[0].layer(level, Shape::Points(points))
        };
        (1..=HUB_LAYERS).map(level).collect()
    }

    /// The hubs that both ends of the last query know, and the way by the one where they meet.
    pub(super) fn draw_query(&self, own: &HubMemory) -> Vec<SketchLayer> {
        let terminals = &own.terminals;
        let (onwards, back) = (self.hubs_of(&terminals.onwards), self.hubs_of(&terminals.back));
        let hubs = self.hubs();
        let both = onwards.intersection(&back).map(|&hub| hubs[hub as usize]);
        let ways = own.turns.iter().map(|&cell| Point::middle_of(cell)).collect();
        let shared = both.filter_map(|hub| self.point(hub)).collect();
        vec![LAYERS[1].layer(1, Shape::Points(shared)), LAYERS[2].layer(1, Shape::Chain(ways))]
    }
}
