//! Checking every invariant, as slowly as it takes.

use super::Pra;
use super::fold::find_joined;
use super::layer::{Cells, Graph, Joint, Kin, Layer, NONE};
use crate::grid::shared::Shared;
use crate::grid::{CellId, Components, Grid};
use crate::planner::Fault;
use std::collections::BTreeMap;

impl Pra {
    pub(super) fn check(&self, grid: &Grid) -> Result<(), Fault> {
        self.check_structure(grid)?;
        self.check_reach(grid)
    }

    /// Everything but reachability, which follows from it.
    pub(super) fn check_structure(&self, grid: &Grid) -> Result<(), Fault> {
        if self.grid != grid.edition() {
            return Err(Fault::new("the abstraction is of another edition of the grid"));
        }
        self.check_nodes(grid)
    }

    /// Checks cells and layers against the grid, as far as they do not wait to be patched.
    pub(super) fn check_nodes(&self, grid: &Grid) -> Result<(), Fault> {
        let cells = Cells::new(grid);
        let near = |node: u32| cells.cell(node);
        let (waiting, groups) = self.waiting();
        for node in 0..self.cells.len() as u32 {
            let placed = self.cells[node as usize].parent != NONE;
            if placed == cells.is_alone(node) && !is_in(&waiting, node) {
                let problem = match placed {
                    true => "a cell without neighbours has a group",
                    false => "a cell with neighbours has no group",
                };
                return Err(Fault::new(problem).near(near(node)));
            }
        }
        let waits = |group: u32| is_in(&groups, group);
        check_layer(&cells, &self.cells, &self.layers[0], |_| true, waits)
            .map_err(|(problem, node)| self.fault(1, problem, node))?;
        for (at, pair) in self.layers.windows(2).enumerate() {
            let is_node = |node| pair[0].is_node(node);
            check_layer(&pair[0].graph(), &pair[0].kin, &pair[1], is_node, |_| false)
                .map_err(|(problem, node)| self.fault(at + 2, problem, node))?;
            let graph = pair[0].graph();
            let parent = |node: u32| pair[0].kin[node as usize].parent;
            let wrong = |node: &u32| graph.is_alone(*node) != (parent(*node) == NONE);
            if let Some(node) = pair[0].nodes().find(wrong) {
                let problem = "it has a parent and no links, or links and no parent";
                return Err(self.fault(at + 1, problem, node));
            }
            if pair[0].links.count() == 0 {
                return Err(self.fault(at + 1, "a layer above it is needless", 0));
            }
        }
        let top = &self.layers[self.layers.len() - 1];
        let parent = |node: u32| top.kin[node as usize].parent;
        let lacks = |node: &u32| !top.links.of(*node).is_empty() || parent(*node) != NONE;
        if let Some(node) = top.nodes().find(lacks) {
            return Err(self.fault(self.layers.len(), "a linked node has nothing above it", node));
        }
        Ok(())
    }

    /// The cells that wait to be patched with those around them, and the groups that these are in.
    fn waiting(&self) -> (Vec<bool>, Vec<bool>) {
        if self.pending.cells.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let (mut cells, mut groups) =
            (vec![false; self.cells.len()], vec![false; self.layers[0].capacity()]);
        let around = self.pending.cells.iter().flat_map(|changed| changed.rect.with_ring().cells());
        for id in around.filter_map(|cell| self.extent.id(cell)) {
            cells[id.index()] = true;
            let parent = self.cells[id.index()].parent;
            if parent != NONE {
                groups[parent as usize] = true;
            }
        }
        (cells, groups)
    }

    fn fault(&self, layer: usize, problem: &str, node: u32) -> Fault {
        let place = self.layers[layer - 1].places.get(node as usize).copied().unwrap_or_default();
        Fault::new(&format!("layer {layer}, node {node}: {problem}")).near(place.cell())
    }

    /// Two cells have one topmost ancestor exactly when they are connected, by steps both ways.
    fn check_reach(&self, grid: &Grid) -> Result<(), Fault> {
        let components = match grid.is_shaped() {
            true => parts_by_both_ways(grid),
            false => Components::of(grid).numbers().to_vec(),
        };
        let mut top_of = BTreeMap::new();
        let mut component_of = BTreeMap::new();
        for node in 0..self.cells.len() as u32 {
            let component = components[node as usize];
            if component == Components::NONE {
                continue;
            }
            let top = self.top(node);
            let known = *top_of.entry(component).or_insert(top);
            let other = *component_of.entry(top).or_insert(component);
            if known != top || other != component {
                let cell = self.extent.cell(CellId(node));
                return Err(Fault::new("reachability differs from what the cells say").near(cell));
            }
        }
        Ok(())
    }
}

/// Marks a vacant number that has been looked at; no node has this number.
const TAKEN: u32 = NONE - 1;

fn is_in(set: &[bool], node: u32) -> bool {
    set.get(node as usize).is_some_and(|&held| held)
}

/// Numbers the parts of a grid that are connected by steps both ways, as [`Components`] does for those of its terrain.
fn parts_by_both_ways(grid: &Grid) -> Vec<u32> {
    let cells = Cells::new(grid);
    let mut numbers = vec![Components::NONE; grid.extent().cell_count()];
    let (mut open, mut count) = (Vec::new(), 0);
    for first in 0..numbers.len() as u32 {
        if numbers[first as usize] != Components::NONE || !grid.is_enterable(cells.cell(first)) {
            continue;
        }
        numbers[first as usize] = count;
        open.push(first);
        while let Some(node) = open.pop() {
            cells.visit(node, |other| {
                if numbers[other as usize] == Components::NONE {
                    numbers[other as usize] = count;
                    open.push(other);
                }
            });
        }
        count += 1;
    }
    numbers
}

/// Whether links lead to nodes, to each once, and back.
fn are_mutual(layer: &Layer, node: u32, joint: Joint, sorted: &[u32]) -> bool {
    sorted.windows(2).all(|pair| pair[0] != pair[1])
        && sorted.iter().all(|&other| {
            let back = layer.joined(joint.reverse(), other);
            other != node && layer.is_node(other) && back.contains(&node)
        })
}

/// Checks a layer against the one below it; what is wrong with which node. Where cells wait to be patched, only that it
/// can be patched.
fn check_layer(
    below: &impl Graph,
    kin: &Shared<Kin>,
    layer: &Layer,
    is_node: impl Fn(u32) -> bool,
    waits: impl Fn(u32) -> bool,
) -> Result<(), (&'static str, u32)> {
    let mut children = 0;
    let has_ways = below.has_ways() || !layer.ways.is_empty();
    let mut seen = vec![vec![NONE; layer.capacity()]; 1 + Joint::WAYS.len()];
    let mut found = Vec::new();
    let (mut listed, mut reached) = (vec![NONE; kin.len()], vec![NONE; kin.len()]);
    let (mut open, mut links) = (Vec::new(), Vec::new());
    for node in 0..layer.capacity() as u32 {
        if !layer.is_node(node) {
            let known = !layer.graph().is_alone(node);
            if known || layer.kin[node as usize] != Kin::NOBODY {
                return Err(("a node that was taken away is still known", node));
            }
            continue;
        }
        let before = children;
        let mut first = NONE;
        for child in layer.children(kin, node) {
            let is_own = kin[child as usize].parent == node && is_node(child);
            // A chain of siblings that returns to itself would have no end.
            if !is_own || std::mem::replace(&mut listed[child as usize], node) == node {
                return Err(("its children are not its own", node));
            }
            first = child;
            children += 1;
        }
        if layer.places[node as usize] != layer.average(below, kin, node) && !waits(node) {
            return Err(("it does not lie where its children do", node));
        }
        let mut connected = 1;
        reached[first as usize] = node;
        open.push(first);
        while let Some(child) = open.pop() {
            below.visit(child, |other| {
                let is_new = listed[other as usize] == node
                    && std::mem::replace(&mut reached[other as usize], node) != node;
                if is_new {
                    connected += 1;
                    open.push(other);
                }
            });
        }
        if connected != children - before && !waits(node) {
            return Err(("its children are not connected", node));
        }
        let ways = Joint::WAYS.into_iter().filter(|_| has_ways);
        for joint in std::iter::once(Joint::BothWays).chain(ways) {
            let asked = (&mut seen[joint as usize][..], node);
            find_joined(below, kin, layer, (node, joint), asked, &mut found);
            links.clear();
            links.extend_from_slice(layer.joined(joint, node));
            links.sort_unstable();
            found.sort_unstable();
            let right = match waits(node) {
                true => are_mutual(layer, node, joint, &links),
                false => links == found,
            };
            if !right {
                return Err(("its links are not those of its children", node));
            }
        }
    }
    let placed = kin.iter().filter(|kin| kin.parent != NONE).count();
    let vacant = (0..layer.capacity() as u32).filter(|&node| !layer.is_node(node)).count();
    if children != placed || vacant != layer.vacant.len() {
        return Err(("nodes are lost, or counted twice", 0));
    }
    // Numbers are given again: each of them once, and none that a node has.
    for &node in &layer.vacant {
        if layer.is_node(node) || std::mem::replace(&mut seen[0][node as usize], TAKEN) == TAKEN {
            return Err(("its number would be given to another node", node));
        }
    }
    Ok(())
}
