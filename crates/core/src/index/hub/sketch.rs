//! What there is to draw of labels: hubs by importance, and those that a query has looked at.

use super::search::HubScratch;
use super::{Answers, HubLabels, Labelled};
use crate::index::subgoal::{Link, Terminals};
use crate::planner::{Point, Shape, SketchLayer};
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

impl HubLabels {
    pub(super) fn draw_hubs(&self) -> Vec<SketchLayer> {
        let Answers::Labels(labelled) = &self.answers else { return Vec::new() };
        let hubs = labelled.hubs();
        (1..=HUB_LAYERS)
            .map(|level| {
                let some = hubs[..hubs.len() >> (level - 1)].iter();
                SketchLayer {
                    name: "hubs",
                    help: "hubs by importance: each level keeps the first half of the one below",
                    level,
                    shape: Shape::Points(some.filter_map(|&hub| labelled.point(hub)).collect()),
                }
            })
            .collect()
    }

    /// The hubs that both ends of the last query know, and the way by the one where they meet.
    pub(super) fn draw_query(&self, own: &HubScratch, terminals: &Terminals) -> Vec<SketchLayer> {
        let Answers::Labels(labelled) = &self.answers else { return Vec::new() };
        if own.index != Some(self.own) {
            return Vec::new();
        }
        let (onwards, back) =
            (labelled.hubs_of(&terminals.onwards), labelled.hubs_of(&terminals.back));
        let hubs = labelled.hubs();
        let both = onwards.intersection(&back).map(|&hub| hubs[hub as usize]);
        let ways = own.turns.iter().map(|&cell| Point::middle_of(cell)).collect();
        vec![
            SketchLayer {
                name: "shared hubs",
                help: "hubs that the labels around both ends know",
                level: 1,
                shape: Shape::Points(both.filter_map(|hub| labelled.point(hub)).collect()),
            },
            SketchLayer {
                name: "way by the hub",
                help: "the corners that the path is put together of, by way of the best hub",
                level: 1,
                shape: Shape::Chain(ways),
            },
        ]
    }
}
