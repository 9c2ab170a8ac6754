//! Applying batches: step by step, each change logged, so that a batch that fails is taken back.

use super::adjacency::{Adjacency, Slot};
use super::edit::Step;
use super::{Edge, EdgeChange, EdgeState, Graph, GraphBatch, GraphEditError, GraphEditProblem};
use crate::environment::{Edition, NodeId, Position};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, OnceLock};

type Result<T> = std::result::Result<T, GraphEditProblem>;

impl Graph {
    /// Applies a batch as one change: its steps in their order, or nothing if one of them cannot be done. Returns
    /// what has changed, in the order of the steps; the revision rises by one if anything has. Clones stay as they
    /// were.
    ///
    /// A step on an edge takes O(edges of its first node) if it only sets a weight, else O(edges of 128 nodes);
    /// pages of 128 nodes that a clone shares are copied first. Removing a node takes O(nodes + edges) if
    /// [`Graph::incoming`] was never asked for, else O(nodes / 128) and its edges' part.
    ///
    /// ```
    /// use highroad::graph::{Edge, Graph, GraphBatch};
    /// use highroad::environment::{Environment, NodeId, Revision};
    /// let mut graph = Graph::from_edges(2, &[Edge::new(0, 1, 7)])?;
    /// let snapshot = graph.clone();
    /// let changes = graph.apply(GraphBatch::new().set_weight(NodeId(0), NodeId(1), 9))?;
    /// assert_eq!((changes.len(), graph.revision()), (1, Revision(1)));
    /// assert_eq!(snapshot.weight_max(), 7);
    ///
    /// let refused = graph.apply(GraphBatch::new().close(NodeId(0), NodeId(1)).close(NodeId(1), NodeId(0)));
    /// let reason = "step 1 of the batch: no edge leads from 1 to 0; nothing was changed";
    /// assert_eq!(refused.unwrap_err().to_string(), reason);
    /// assert_eq!(graph.edge_count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply(
        &mut self,
        batch: &GraphBatch,
    ) -> std::result::Result<Vec<EdgeChange>, GraphEditError> {
        let incoming = match Arc::get_mut(&mut self.incoming) {
            Some(own) => own.take(),
            None => self.incoming.get().cloned(),
        };
        let mut editor = Editor { graph: self, incoming, changes: Vec::new(), weights: Vec::new() };
        let mut done = Ok(());
        for (step, &content) in batch.steps.iter().enumerate() {
            if let Err(problem) = editor.step(content) {
                editor.roll_back();
                done = Err(GraphEditError { step, problem });
                break;
            }
        }
        let Editor { graph, incoming, changes, .. } = editor;
        graph.incoming = Arc::new(incoming.map_or_else(OnceLock::new, OnceLock::from));
        done?;
        let changes = merged(changes);
        graph.weight_max = graph.totals.weight_max(&graph.outgoing);
        if !changes.is_empty() {
            graph.negative = graph.totals.first_negative(&graph.outgoing);
            graph.revision.0 += 1;
            graph.edition = Edition::new();
        }
        Ok(changes)
    }
}

/// The changes without detours, where edges stay in their places: one for each edge that differs.
fn merged(mut changes: Vec<EdgeChange>) -> Vec<EdgeChange> {
    let in_place = |change: &EdgeChange| {
        matches!(change, EdgeChange::Edge { before: Some(_), after: Some(_), .. })
    };
    if !changes.iter().all(in_place) {
        return changes;
    }
    let mut first: HashMap<(NodeId, u32), usize> = HashMap::with_capacity(changes.len());
    let mut kept = 0;
    for at in 0..changes.len() {
        let EdgeChange::Edge { from, place, after: now, .. } = changes[at] else { continue };
        match first.entry((from, place)) {
            Entry::Occupied(known) => {
                if let EdgeChange::Edge { after, .. } = &mut changes[*known.get()] {
                    *after = now;
                }
            }
            Entry::Vacant(slot) => {
                slot.insert(kept);
                changes.swap(kept, at);
                kept += 1;
            }
        }
    }
    changes.truncate(kept);
    let differs = |change: &EdgeChange| match change {
        EdgeChange::Edge { before, after, .. } => before != after,
        _ => true,
    };
    changes.retain(differs);
    changes
}

/// A graph that is being edited.
struct Editor<'g> {
    graph: &'g mut Graph,
    /// Taken out of the graph meanwhile.
    incoming: Option<Adjacency>,
    changes: Vec<EdgeChange>,
    /// Of edges between two nodes.
    weights: Vec<i32>,
}

impl Editor<'_> {
    fn step(&mut self, step: Step) -> Result<()> {
        match step {
            Step::SetWeight { from, to, weight } => {
                self.change_all(from, to, |state| Some(EdgeState { weight, ..state }))
            }
            Step::SetClosed { from, to, closed } => {
                self.change_all(from, to, |state| Some(EdgeState { closed, ..state }))
            }
            Step::RemoveEdge { from, to } => self.change_all(from, to, |_| None),
            Step::AddEdge(edge) => self.add_edge(edge),
            Step::AddNode(position) => self.add_node(position),
            Step::RemoveNode(node) => self.remove_node(node),
            Step::Undo(EdgeChange::Edge { from, to, place, before, after }) => {
                self.restore_edge((from, to), place, after, before)
            }
            Step::Undo(EdgeChange::NodeAdded { node, restored, .. }) => {
                self.take_node_back(node, restored)
            }
            Step::Undo(EdgeChange::NodeRemoved { node, position }) => {
                self.restore_node(node, position)
            }
        }
    }

    /// Takes back what was done so far.
    fn roll_back(&mut self) {
        for change in std::mem::take(&mut self.changes).into_iter().rev() {
            // The graph is as the change left it, so nothing can go wrong.
            let undone = self.step(Step::Undo(change));
            debug_assert!(undone.is_ok(), "{change:?} cannot be undone: {undone:?}");
        }
        self.changes.clear();
    }

    fn check_node(&self, node: NodeId) -> Result<()> {
        let nodes = self.graph.node_count();
        if node.index() >= nodes {
            return Err(GraphEditProblem::NoSuchNode { node, nodes });
        }
        if self.graph.outgoing.is_removed(node) {
            return Err(GraphEditProblem::Removed { node });
        }
        Ok(())
    }

    /// Brings every edge between two nodes to another state, or removes it.
    fn change_all(
        &mut self,
        from: NodeId,
        to: NodeId,
        after: impl Fn(EdgeState) -> Option<EdgeState>,
    ) -> Result<()> {
        self.check_node(from)?;
        self.check_node(to)?;
        let (mut place, mut found) = (0, false);
        while let Some((at, slot)) = self.next_edge(from, to, place) {
            let before = state(slot);
            let after = after(before);
            if after != Some(before) {
                self.write((from, to), at, Some(before), after);
            }
            // The next edge has moved to the place of one that is gone.
            place = at + u32::from(after.is_some());
            found = true;
        }
        if found { Ok(()) } else { Err(GraphEditProblem::NoSuchEdge { from, to }) }
    }

    /// The first edge between two nodes from a place on.
    fn next_edge(&self, from: NodeId, to: NodeId, place: u32) -> Option<(u32, Slot)> {
        let row = (0..).zip(self.graph.outgoing.row(from)).skip(place as usize);
        row.into_iter().find(|(_, slot)| slot.to == to)
    }

    fn add_edge(&mut self, edge: Edge) -> Result<()> {
        let Edge { from, to, weight } = edge;
        self.check_node(from)?;
        self.check_node(to)?;
        self.check_edge_count()?;
        let place = self.graph.outgoing.row(from).count() as u32;
        self.write((from, to), place, None, Some(EdgeState { weight, closed: false }));
        Ok(())
    }

    fn check_edge_count(&self) -> Result<()> {
        let count = self.graph.outgoing.edge_count() + self.graph.outgoing.closed_count();
        if count < Graph::SIZE_MAX { Ok(()) } else { Err(GraphEditProblem::TooManyEdges) }
    }

    fn add_node(&mut self, position: Option<Position>) -> Result<()> {
        if self.graph.node_count() >= Graph::SIZE_MAX {
            return Err(GraphEditProblem::TooManyNodes);
        }
        match (&mut self.graph.positions, position) {
            (None, None) => {}
            (None, Some(_)) => return Err(GraphEditProblem::UnexpectedPosition),
            (Some(_), None) => return Err(GraphEditProblem::NoPosition),
            (Some(_), Some(place)) if !place.iter().all(|number| number.is_finite()) => {
                return Err(GraphEditProblem::NotFinite);
            }
            (Some(positions), Some(place)) => Arc::make_mut(positions).push(place),
        }
        if !self.graph.names.is_empty() {
            Arc::make_mut(&mut self.graph.names).push(String::new());
        }
        let node = NodeId(self.graph.node_count() as u32);
        self.graph.outgoing.push_node();
        self.incoming.iter_mut().for_each(Adjacency::push_node);
        self.changes.push(EdgeChange::NodeAdded { node, position, restored: false });
        Ok(())
    }

    fn remove_node(&mut self, node: NodeId) -> Result<()> {
        self.check_node(node)?;
        let leaving: Vec<Slot> = self.graph.outgoing.row(node).collect();
        for (place, &slot) in leaving.iter().enumerate().rev() {
            self.write((node, slot.to), place as u32, Some(state(slot)), None);
        }
        for from in self.nodes_before(node) {
            self.change_all(from, node, |_| None)?;
        }
        self.set_removed(node, true);
        Ok(())
    }

    /// The nodes that edges lead from to a node, closed ones as well.
    fn nodes_before(&mut self, node: NodeId) -> Vec<NodeId> {
        let outgoing = &self.graph.outgoing;
        let turned = || Adjacency::new(outgoing.node_count(), outgoing.edges().map(Edge::reversed));
        let incoming = self.incoming.get_or_insert_with(turned);
        let mut before: Vec<NodeId> = incoming.of(node).map(|edge| edge.0).collect();
        if outgoing.closed_count() > 0 {
            let closed = outgoing.closed_edges().filter(|edge| edge.to == node);
            before.extend(closed.map(|edge| edge.from));
        }
        before.sort_unstable();
        before.dedup();
        before
    }

    /// Removes a node without edges, whose number stays, or brings it back.
    fn set_removed(&mut self, node: NodeId, removed: bool) {
        self.graph.outgoing.set_removed(node, removed);
        let position = self.graph.positions().and_then(|all| all.get(node.index())).copied();
        self.changes.push(match removed {
            true => EdgeChange::NodeRemoved { node, position },
            false => EdgeChange::NodeAdded { node, position, restored: true },
        });
    }

    /// Undoes that a node was added, or restored.
    fn take_node_back(&mut self, node: NodeId, restored: bool) -> Result<()> {
        self.check_node(node)?;
        if self.graph.outgoing.row(node).next().is_some() || !self.nodes_before(node).is_empty() {
            return Err(GraphEditProblem::NodeDiffers { node });
        }
        if restored || node.index() + 1 < self.graph.node_count() {
            self.set_removed(node, true);
            return Ok(());
        }
        self.graph.outgoing.pop_node();
        self.incoming.iter_mut().for_each(Adjacency::pop_node);
        if !self.graph.names.is_empty() {
            Arc::make_mut(&mut self.graph.names).pop();
        }
        let positions = self.graph.positions.as_mut();
        let position = positions.and_then(|positions| Arc::make_mut(positions).pop());
        self.changes.push(EdgeChange::NodeRemoved { node, position });
        Ok(())
    }

    /// Undoes that a node was removed.
    fn restore_node(&mut self, node: NodeId, position: Option<Position>) -> Result<()> {
        if node.index() == self.graph.node_count() {
            return self.add_node(position);
        }
        if !self.graph.outgoing.is_removed(node) {
            return Err(GraphEditProblem::NodeDiffers { node });
        }
        self.set_removed(node, false);
        Ok(())
    }

    /// Undoes the change of an edge: it is in state `now`, and will be in state `then`.
    fn restore_edge(
        &mut self,
        (from, to): (NodeId, NodeId),
        place: u32,
        now: Option<EdgeState>,
        then: Option<EdgeState>,
    ) -> Result<()> {
        self.check_node(from)?;
        self.check_node(to)?;
        let fits = match now {
            None => self.graph.outgoing.row(from).count() >= place as usize,
            Some(now) => {
                let slot = self.graph.outgoing.row(from).nth(place as usize);
                slot.is_some_and(|slot| (slot.to, state(slot)) == (to, now))
            }
        };
        if !fits {
            return Err(GraphEditProblem::EdgeDiffers { from, to });
        }
        if now.is_none() {
            self.check_edge_count()?;
        }
        if now != then {
            self.write((from, to), place, now, then);
        }
        Ok(())
    }

    /// Brings the edge at a place of its row from one state to another, and logs that.
    fn write(
        &mut self,
        (from, to): (NodeId, NodeId),
        place: u32,
        before: Option<EdgeState>,
        after: Option<EdgeState>,
    ) {
        let open = |state: Option<EdgeState>| state.and_then(EdgeState::open_weight);
        let Graph { outgoing, totals, .. } = &mut *self.graph;
        if let (Some(_), Some(weight)) = (open(before), open(after)) {
            outgoing.set_weight(from, place, weight);
        } else {
            if before.is_some() {
                outgoing.take(from, place);
            }
            if let Some(EdgeState { weight, closed }) = after {
                outgoing.insert(from, place, Slot { to, weight, closed });
            }
        }
        if open(before) != open(after) {
            open(after).into_iter().for_each(|weight| totals.add(from, weight));
            open(before).into_iter().for_each(|weight| totals.take(from, weight));
            if let Some(incoming) = &mut self.incoming {
                let between = outgoing.of(from).filter(|edge| edge.0 == to);
                self.weights.clear();
                self.weights.extend(between.map(|edge| edge.1));
                incoming.replace_sorted(to, from, &self.weights);
            }
        }
        self.changes.push(EdgeChange::Edge { from, to, place, before, after });
    }
}

fn state(slot: Slot) -> EdgeState {
    EdgeState { weight: slot.weight, closed: slot.closed }
}
