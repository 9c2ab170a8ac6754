//! The abstraction as shapes for drawing.

use super::Pra;
use super::layer::NONE;
use super::query::PraScratch;
use crate::planner::{Point, Shape, SketchLayer};
use std::collections::HashSet;

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
                sketch(
                    "groups",
                    "cells that a node stands for",
                    level,
                    Shape::Regions(above.clone()),
                ),
                sketch("nodes", "the middle of each group", level, Shape::Points(places)),
                sketch("links", "groups that touch", level, Shape::Lines(links)),
            ]);
        }
        layers
    }

    /// The paths of layers, and the corridor of each.
    pub(super) fn draw_query(&self, scratch: &PraScratch) -> Vec<SketchLayer> {
        let trails = scratch.trails.iter().enumerate().skip(1);
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
                sketch("corridor", "what the path is refined in", level, Shape::Regions(corridor)),
                sketch("abstract path", "from group to group", level, Shape::Chain(chain)),
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

fn sketch(name: &'static str, help: &'static str, level: u32, shape: Shape) -> SketchLayer {
    SketchLayer { name, help, level, shape }
}
