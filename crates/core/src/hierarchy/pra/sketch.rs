//! The abstraction as shapes for drawing.

use super::Pra;
use super::layer::NONE;
use super::query::PraMemory;
use crate::planner::{LayerInfo, Point, Shape, SketchLayer};
use std::collections::HashSet;

/// What there is to draw of the abstraction, and of a query.
pub(super) static LAYERS: [LayerInfo; 5] = [
    LayerInfo::hidden("groups", "cells that a node stands for"),
    LayerInfo::hidden("nodes", "the middle of each group"),
    LayerInfo::hidden("links", "groups that touch"),
    LayerInfo::visible("corridor", "what the path is refined in", 0.35),
    LayerInfo::visible("abstract path", "from group to group", 0.8),
];
const GROUPS: &LayerInfo = &LAYERS[0];
const NODES: &LayerInfo = &LAYERS[1];
const LINKS: &LayerInfo = &LAYERS[2];
const CORRIDOR: &LayerInfo = &LAYERS[3];
const ABSTRACT_PATH: &LayerInfo = &LAYERS[4];

impl Pra {
    /// Every layer: which cells each node stands for, the nodes where they lie, and the links between them.
    pub(super) fn draw(&self) -> Vec<SketchLayer> {
        let mut layers = Vec::new();
        let mut above: Vec<u32> = (0..self.cells.len() as u32).collect();
        for (at, layer) in self.layers.iter().enumerate() {
            let kin = self.kin(at);
            let rise = |node: &mut u32| {
                if *node != NONE {
                    *node = kin[*node as usize].parent;
                }
            };
            above.iter_mut().for_each(rise);
            let point = |node: u32| self.point(at + 1, node);
            let places = layer.nodes().map(point).collect();
            let links = layer.nodes().flat_map(|node| {
                let later = layer.links.of(node).iter().filter(move |&&other| other > node);
                later.map(move |&other| [point(node), point(other)])
            });
            let level = at as u32 + 1;
            let links = links.collect();
            layers.extend([
                GROUPS.layer(level, Shape::Regions(above.clone())),
                NODES.layer(level, Shape::Points(places)),
                LINKS.layer(level, Shape::Lines(links)),
            ]);
        }
        layers
    }

    /// The paths of layers, and the corridor of each.
    pub(super) fn draw_query(&self, memory: &PraMemory) -> Vec<SketchLayer> {
        let trails = memory.trails.iter().enumerate().skip(1);
        let mut layers = Vec::new();
        for (at, trail) in trails.filter(|(_, trail)| !trail.nodes.is_empty()) {
            let level = at as u32;
            let on_trail: HashSet<u32> = trail.nodes.iter().copied().collect();
            let mut corridor: Vec<u32> = (0..self.cells.len() as u32).collect();
            for region in &mut corridor {
                let kin_of = |node: u32, layer: usize| self.kin(layer)[node as usize].parent;
                let rise = |node, layer| if node == NONE { NONE } else { kin_of(node, layer) };
                let node = (0..at).fold(*region, rise);
                *region = if on_trail.contains(&node) { node } else { Shape::NO_REGION };
            }
            let chain = trail.nodes.iter().map(|&node| self.point(at, node)).collect();
            layers.extend([
                CORRIDOR.layer(level, Shape::Regions(corridor)),
                ABSTRACT_PATH.layer(level, Shape::Chain(chain)),
            ]);
        }
        layers
    }

    fn point(&self, layer: usize, node: u32) -> Point {
        let place = self.layers[layer - 1].places[node as usize];
        let along = |at: u16| f32::from(at) / super::layer::PARTS as f32 + 0.5;
        Point { x: along(place.x), y: along(place.y) }
    }
}
