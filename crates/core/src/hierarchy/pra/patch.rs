//! Keeping up with edits, layer by layer, in place.
//!
//! A changed cell changes steps between the cells around it. On each layer the nodes whose links have changed
//! lead to the groups above them, and these are put right:
//!
//! ```text
//!   1  a node without neighbours leaves its group; one that has gained its first wants one
//!   2  a group that has fallen apart keeps its largest piece; the others want a group
//!   3  a node that wants a group completes a clique nearby, joins a small group, a lonely neighbour, or begins one
//!   4  a group without children is taken away
//!   5  the links of these groups are found again; a group that has gained or lost one is a changed node
//!      of the next layer
//! ```
//!
//! Where no link has changed, nothing above needs to. These steps contain the thesis's cases (its sections
//! 3.3.3 and 3.3.4), but for one: that three cells of a clique of four remain a clique is wrong where
//! corners may not be cut. They stay together as long as they are connected, which is all that refinement
//! needs.
//!
//! Wear: groups made by edits are not those that folding would make. Three rules keep it small: a node that
//! wants a group completes a clique if it can; groups of fewer than four children are filled before new ones
//! are begun; and a group left with one child gives it to another group that has room. And since a map that
//! fills with obstacles wants finer layers, where searches begin is decided again now and then. `highroad storm`
//! measures what storms of edits do to the quality of paths.

use super::Pra;
use super::fold::{GROUP_MAX, find_joined};
use super::layer::{Cells, Graph, Joint, Kin, Layer, LayerGraph, LayerPoint, NONE};
use super::pending::{CellChange, ChangedCells};
use super::survey::Survey;
use crate::grid::shared::Shared;
use crate::grid::{Cell, Grid};
use crate::hierarchy::local::Flood;

/// Nodes, each at most once.
#[derive(Default)]
struct NodeSet {
    nodes: Vec<u32>,
    /// A bit a node.
    held: Vec<u64>,
}

impl NodeSet {
    fn insert(&mut self, node: u32) {
        let (word, bit) = (node as usize / 64, 1 << (node % 64));
        if self.held.len() <= word {
            self.held.resize(word + 1, 0);
        }
        if self.held[word] & bit == 0 {
            self.held[word] |= bit;
            self.nodes.push(node);
        }
    }

    fn clear(&mut self) {
        for &node in &self.nodes {
            self.held[node as usize / 64] = 0;
        }
        self.nodes.clear();
    }

    fn memory_bytes(&self) -> usize {
        self.nodes.capacity() * 4 + self.held.capacity() * 8
    }
}

/// Working memory of edits.
#[derive(Default)]
pub(crate) struct PatchMemory {
    /// Nodes whose links have changed, or that are new.
    changed: NodeSet,
    /// Groups of the layer above that must be looked at.
    groups: NodeSet,
    /// Groups of the layer above of which only the position may differ.
    moved: NodeSet,
    /// The same for the layer after that.
    changed_above: NodeSet,
    moved_above: NodeSet,
    /// Groups that were taken away; those above them do not know yet.
    removed: Vec<u32>,
    /// Nodes that want a group.
    unplaced: Vec<u32>,
    /// The children of a group, and those of its pieces.
    family: Vec<u32>,
    piece: Vec<u32>,
    largest: Vec<u32>,
    found: Vec<u32>,
    lost: Vec<u32>,
    /// For each group the last question in which it was found, and how many were asked.
    seen: Vec<u32>,
    questions: u32,
    /// For deciding where searches begin.
    pub(super) survey: Survey,
    pub(super) flood: Flood,
    /// The cells that are patched next.
    pub(super) chunk: Vec<ChangedCells>,
}

impl PatchMemory {
    pub(crate) fn memory_bytes(&self) -> usize {
        let sets =
            [&self.changed, &self.groups, &self.moved, &self.changed_above, &self.moved_above];
        let lists = [
            &self.removed,
            &self.unplaced,
            &self.family,
            &self.piece,
            &self.largest,
            &self.found,
            &self.lost,
            &self.seen,
        ];
        sets.map(NodeSet::memory_bytes).iter().sum::<usize>()
            + lists.map(|list| list.capacity() * 4).iter().sum::<usize>()
            + self.survey.memory_bytes()
            + self.flood.memory_bytes()
            + self.chunk.capacity() * size_of::<ChangedCells>()
    }

    fn rise(&mut self) {
        std::mem::swap(&mut self.changed, &mut self.changed_above);
        std::mem::swap(&mut self.moved, &mut self.moved_above);
        self.changed_above.clear();
        self.moved_above.clear();
        self.groups.clear();
    }

    fn is_done(&self) -> bool {
        self.changed.nodes.is_empty()
            && self.groups.nodes.is_empty()
            && self.moved.nodes.is_empty()
            && self.removed.is_empty()
    }
}

impl Pra {
    /// Puts all layers right after these cells have changed. The grid may differ by others, too: where they lie, groups
    /// are put right when it is their turn.
    pub(super) fn patch_cells(
        &mut self,
        grid: &Grid,
        cells: &[ChangedCells],
        memory: &mut PatchMemory,
    ) {
        self.begin_patch(grid, cells, memory);
        let mut height = 0;
        while !memory.is_done() {
            if height == self.layers.len() {
                let Some(top) = self.layers.last().filter(|top| top.links.count() > 0) else {
                    // What is left leads one way, and needs no groups above.
                    break;
                };
                if !top.ways.is_empty() {
                    // All that is not alone has a group now that there is a layer above.
                    let graph = top.graph();
                    let joined = top.nodes().filter(|&node| !graph.is_alone(node));
                    joined.for_each(|node| memory.changed.insert(node));
                }
                self.layers.push(Layer::default());
            }
            if height == 0 {
                let Self { cells: kin, layers, .. } = self;
                patch_layer(&Cells::new(grid), kin, &mut layers[0], memory);
            } else {
                let (below, above) = self.layers.split_at_mut(height);
                let Layer { links, places, kin, ways, .. } = &mut below[height - 1];
                patch_layer(&LayerGraph { links, places, ways }, kin, &mut above[0], memory);
            }
            memory.rise();
            height += 1;
        }
        while let [.., below, top] = &mut self.layers[..]
            && below.links.count() == 0
        {
            if top.node_count() > 0 {
                let nodes: Vec<u32> = below.nodes().collect();
                nodes.into_iter().for_each(|node| below.kin[node as usize] = Kin::NOBODY);
            }
            self.layers.pop();
        }
    }

    /// Notes which cells have other steps than before, and takes those out that are no longer what they
    /// were.
    fn begin_patch(&mut self, grid: &Grid, cells: &[ChangedCells], memory: &mut PatchMemory) {
        let PatchMemory { changed, groups, moved, changed_above, moved_above, .. } = memory;
        for set in [changed, groups, moved, changed_above, moved_above] {
            set.clear();
        }
        memory.removed.clear();
        let each = |changed: &ChangedCells| {
            let what = changed.what;
            changed.rect.cells().map(move |cell| (what, cell))
        };
        for (what, cell) in cells.iter().flat_map(each) {
            let id = self.extent.id_inside(cell).0;
            let parent = self.cells[id as usize].parent;
            if what == CellChange::Cost {
                if parent != NONE {
                    memory.moved.insert(parent);
                }
                continue;
            }
            if parent != NONE && what == CellChange::Footing {
                self.layers[0].release(&mut self.cells, id);
                memory.groups.insert(parent);
            }
            for dy in -1..=1 {
                for dx in -1..=1 {
                    let near =
                        Cell::new(cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy));
                    if grid.is_enterable(near) {
                        memory.changed.insert(self.extent.id_inside(near).0);
                    }
                }
            }
        }
    }
}

/// Puts the groups of a layer right after links below them have changed, and notes what that changes above.
fn patch_layer<G: Graph>(
    below: &G,
    kin: &mut Shared<Kin>,
    layer: &mut Layer,
    memory: &mut PatchMemory,
) {
    let PatchMemory { changed, groups, unplaced, removed, .. } = memory;
    for node in removed.drain(..) {
        groups.insert(kin[node as usize].parent);
        layer.release(kin, node);
    }
    unplaced.clear();
    for &node in &changed.nodes {
        let parent = kin[node as usize].parent;
        if parent != NONE {
            groups.insert(parent);
            if below.is_alone(node) {
                layer.release(kin, node);
            }
        } else if !below.is_alone(node) {
            unplaced.push(node);
        }
    }
    let mut at = 0;
    while let Some(&group) = memory.groups.nodes.get(at) {
        split(below, kin, layer, group, memory);
        at += 1;
    }
    // Whoever is placed may be followed by others that find a clique to complete.
    let mut at = 0;
    while let Some(&node) = memory.unplaced.get(at) {
        // A blocked cell whose turn comes later has left its group, and wants no other.
        if kin[node as usize].parent == NONE && !below.is_alone(node) {
            place(below, kin, layer, node, memory);
        }
        at += 1;
    }
    let mut at = 0;
    while let Some(&group) = memory.groups.nodes.get(at) {
        dissolve(below, kin, layer, group, memory);
        at += 1;
    }
    for at in 0..memory.groups.nodes.len() {
        let group = memory.groups.nodes[at];
        if !layer.is_node(group) {
            take_away(layer, group, memory);
        }
    }
    memory.seen.resize(layer.capacity().max(memory.seen.len()), 0);
    for at in 0..memory.groups.nodes.len() {
        let group = memory.groups.nodes[at];
        if layer.is_node(group) {
            relink(below, kin, layer, group, memory);
            memory.moved.insert(group);
        }
    }
    for at in 0..memory.moved.nodes.len() {
        let group = memory.moved.nodes[at];
        if layer.is_node(group) {
            locate(below, kin, layer, group, memory);
        }
    }
}

/// Lets go of all pieces of a group but the largest.
fn split<G: Graph>(
    below: &G,
    kin: &mut Shared<Kin>,
    layer: &mut Layer,
    group: u32,
    memory: &mut PatchMemory,
) {
    let PatchMemory { family, piece, largest, unplaced, .. } = memory;
    family.clear();
    family.extend(layer.children(kin, group));
    let count = family.len();
    largest.clear();
    // Pieces are found one after the other; what is in none yet stays in the family.
    while let Some(&first) = family.first() {
        piece.clear();
        piece.push(first);
        family.swap_remove(0);
        let mut at = 0;
        while let Some(&node) = piece.get(at) {
            below.visit(node, |other| {
                if kin[other as usize].parent == group
                    && let Some(found) = family.iter().position(|&child| child == other)
                {
                    family.swap_remove(found);
                    piece.push(other);
                }
            });
            at += 1;
        }
        if piece.len() == count {
            return;
        }
        if piece.len() > largest.len() {
            std::mem::swap(piece, largest);
        }
        unplaced.extend_from_slice(piece);
        piece.iter().for_each(|&node| layer.release(kin, node));
    }
}

/// Where a node without a group fits best.
fn home<G: Graph>(below: &G, kin: &Shared<Kin>, layer: &Layer, node: u32, but: u32) -> Option<u32> {
    let own = below.place(node);
    let (mut degree, mut only) = (0, NONE);
    let mut best: Option<(bool, u32, u32)> = None;
    below.visit(node, |other| {
        let group = kin[other as usize].parent;
        (degree, only) = (degree + 1, group);
        if group == NONE || group == but || layer.places[group as usize].children >= GROUP_MAX {
            return;
        }
        let linked = |child: u32| {
            let mut linked = false;
            below.visit(node, |other| linked |= other == child);
            linked
        };
        let is_clique = layer.children(kin, group).all(linked);
        let choice = (!is_clique, own.remoteness(layer.places[group as usize]), group);
        best = Some(best.map_or(choice, |best| best.min(choice)));
    });
    // An orphan joins its only neighbour, however many are there.
    let orphan = || (degree == 1 && only != NONE && only != but).then_some(only);
    best.map(|(_, _, group)| group).or_else(orphan)
}

/// Gives a node a group: one that it fits, or a new one, with neighbours that want one as well.
fn place<G: Graph>(
    below: &G,
    kin: &mut Shared<Kin>,
    layer: &mut Layer,
    node: u32,
    memory: &mut PatchMemory,
) {
    let group = match home(below, kin, layer, node, NONE) {
        Some(group) => group,
        None => {
            let group = layer.add();
            memory.changed_above.insert(group);
            group
        }
    };
    layer.adopt(kin, group, node);
    memory.groups.insert(group);
    // Its place decides where the next ones go.
    locate(below, kin, layer, group, memory);
}

/// Puts a group where its children are.
fn locate<G: Graph>(
    below: &G,
    kin: &Shared<Kin>,
    layer: &mut Layer,
    group: u32,
    memory: &mut PatchMemory,
) {
    let place = layer.average(below, kin, group);
    let parent = layer.kin[group as usize].parent;
    if layer.places[group as usize] == place {
        return;
    }
    layer.places[group as usize] = place;
    if parent != NONE {
        memory.moved_above.insert(parent);
    }
}

/// Gives the only child of a group to another that has room.
fn dissolve<G: Graph>(
    below: &G,
    kin: &mut Shared<Kin>,
    layer: &mut Layer,
    group: u32,
    memory: &mut PatchMemory,
) {
    let child = layer.first_child[group as usize];
    if child == NONE || kin[child as usize].sibling != NONE {
        return;
    }
    if let Some(other) = home(below, kin, layer, child, group) {
        layer.release(kin, child);
        layer.adopt(kin, other, child);
        memory.groups.insert(other);
        locate(below, kin, layer, other, memory);
    }
}

/// Takes a group without children out of its layer.
fn take_away(layer: &mut Layer, group: u32, memory: &mut PatchMemory) {
    let PatchMemory { lost, changed_above, removed, .. } = memory;
    let joints = if layer.ways.is_empty() { &Joint::ALL[..1] } else { &Joint::ALL[..] };
    for &joint in joints {
        lost.clear();
        lost.extend_from_slice(layer.joined(joint, group));
        for &other in &*lost {
            layer.lists_mut(joint.reverse()).remove(other, group);
            changed_above.insert(other);
        }
        layer.lists_mut(joint).clear(group);
    }
    layer.places[group as usize] = LayerPoint::default();
    layer.vacant.push(group);
    if layer.kin[group as usize].parent != NONE {
        removed.push(group);
    }
}

/// Finds the links of a group again, and where it is joined one way.
fn relink<G: Graph>(
    below: &G,
    kin: &Shared<Kin>,
    layer: &mut Layer,
    group: u32,
    memory: &mut PatchMemory,
) {
    rejoin(below, kin, layer, (group, Joint::BothWays), memory);
    if below.has_ways() || !layer.ways.is_empty() {
        for way in Joint::WAYS {
            rejoin(below, kin, layer, (group, way), memory);
        }
    }
}

/// PERF: for steps both ways the compiler knows the joint, and maps without others pay nothing for them.
#[inline(always)]
fn rejoin<G: Graph>(
    below: &G,
    kin: &Shared<Kin>,
    layer: &mut Layer,
    (group, joint): (u32, Joint),
    memory: &mut PatchMemory,
) {
    let PatchMemory { found, lost, seen, questions, changed_above, .. } = memory;
    if *questions == NONE {
        seen.fill(0);
        *questions = 0;
    }
    *questions += 1;
    find_joined(below, kin, layer, (group, joint), (seen, *questions), found);
    let known = layer.joined(joint, group);
    lost.clear();
    lost.extend(known.iter().filter(|other| !found.contains(other)));
    let gained = found.len() + lost.len() - known.len();
    if gained == 0 && lost.is_empty() {
        return;
    }
    let back = joint.reverse();
    for &other in &*found {
        if !layer.joined(back, other).contains(&group) {
            layer.lists_mut(back).push(other, group);
            changed_above.insert(other);
        }
    }
    for &other in &*lost {
        layer.lists_mut(back).remove(other, group);
        changed_above.insert(other);
    }
    layer.lists_mut(joint).set(group, found);
    changed_above.insert(group);
}
