//! Depth-first search: follows one way to its end before it tries another. Finds a path if there is
//! one, usually a very long one.
//!
//! A loop of its own because its order is that of a stack, in which a node's *latest* entry counts
//! and cost plays no part. Each cell is expanded once; the stack holds at most eight entries a cell.

use super::best_first::{Outcome, Run};
use super::heuristic::Heuristic;
use super::nodes::NodeTable;
use super::trace::{SearchObserver, Side, TraceEvent, TraceKind};
use crate::space::{Arrival, NodeId, Space};

pub(crate) struct DepthFirst<'s, S, H> {
    pub(crate) space: S,
    pub(crate) heuristic: H,
    pub(crate) nodes: &'s mut NodeTable,
    pub(crate) stack: &'s mut Vec<NodeId>,
    pub(crate) run: &'s mut Run,
}

impl<S: Space, H: Heuristic> DepthFirst<'_, S, H> {
    /// Goes on for at most `slice` expansions.
    pub(crate) fn advance<O: SearchObserver>(&mut self, slice: u64, observer: &mut O) -> Outcome {
        let end = self.run.slice_end(slice);
        loop {
            let Some(node) = self.stack.pop() else {
                return self.run.exhausted();
            };
            let record = self.nodes.get(node);
            if record.is_closed() {
                continue;
            }
            if self.run.statistics.expanded >= end && !record.is_goal() {
                self.stack.push(node);
                return self.run.paused();
            }
            self.nodes.close(node);
            let parent = self.nodes.parent(node);
            let kind = if record.is_goal() { TraceKind::Goal } else { TraceKind::Expand };
            observer.event(TraceEvent {
                kind,
                node,
                parent,
                g: record.g,
                h: 0,
                side: Side::Forward,
            });
            if record.is_goal() {
                return Outcome::Goal(node);
            }
            self.run.statistics.expanded += 1;
            if let Some(remoteness) = self.heuristic.remoteness(node, None) {
                self.run.note_nearest(remoteness, record.g, node);
            }
            self.expand(node, parent, record.g, observer);
        }
    }

    fn expand<O: SearchObserver>(
        &mut self,
        node: NodeId,
        parent: NodeId,
        g: u64,
        observer: &mut O,
    ) {
        let first = self.stack.len();
        let (nodes, stack, run) = (&mut *self.nodes, &mut *self.stack, &mut *self.run);
        let mut visit = |to: NodeId, step: u32| {
            let known = nodes.get(to);
            let to_g = g + u64::from(step);
            if known.is_closed() {
                return;
            }
            if to_g > run.limits.cost_max {
                run.cut_by_cost = true;
                return;
            }
            nodes.open(to, known, to_g, node);
            stack.push(to);
            run.note_open(stack.len());
            observer.event(TraceEvent {
                kind: if known.is_seen() { TraceKind::Improve } else { TraceKind::Open },
                node: to,
                parent: node,
                g: to_g,
                h: 0,
                side: Side::Forward,
            });
        };
        self.space.expand(Arrival { node, parent }, &mut visit);
        // So that the first successor is the first to be taken.
        self.stack[first..].reverse();
    }
}
