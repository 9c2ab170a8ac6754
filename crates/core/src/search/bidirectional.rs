//! Bidirectional Dijkstra: one search from the starts and one from the goals, until they have met.
//!
//! Pohl (1969); the stopping rule is that of Nicholson (1966). A loop of its own because it turns
//! two frontiers at once and ends not at a goal but when no better meeting can come: `best` is the
//! cheapest meeting seen, and every path not seen yet costs at least the sum of the two smallest
//! keys.
//!
//! The search from the goals goes along the steps that lead *to* a node ([`Space::expand_backwards`]): on
//! a grid the same ones, on a directed graph others.

use super::best_first::{Outcome, Run};
use super::heuristic::Heuristic;
use super::nodes::{Node, NodeTable};
use super::open_list::OpenList;
use super::trace::{SearchObserver, Side, TraceEvent, TraceKind};
use crate::space::{Arrival, NodeId, Space};

/// One of the two searches.
pub(crate) struct Half<'s, Q> {
    pub(crate) nodes: &'s mut NodeTable,
    pub(crate) open: &'s mut Q,
}

/// The cheapest way through a node that both searches have reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    pub(crate) cost: u64,
    pub(crate) node: NodeId,
}

pub(crate) struct Bidirectional<'s, S, H, Q> {
    pub(crate) space: S,
    pub(crate) heuristic: H,
    /// The forward search, and the backward one.
    pub(crate) halves: [Half<'s, Q>; 2],
    pub(crate) best: &'s mut Option<Meeting>,
    pub(crate) run: &'s mut Run,
}

impl<S: Space, H: Heuristic, Q: OpenList> Bidirectional<'_, S, H, Q> {
    /// Goes on for at most `slice` expansions, of both sides together.
    pub(crate) fn advance<O: SearchObserver>(&mut self, slice: u64, observer: &mut O) -> Outcome {
        let end = self.run.slice_end(slice);
        loop {
            let Some(side) = self.next_side() else {
                let Some(Meeting { cost, node }) = *self.best else {
                    return self.run.exhausted();
                };
                let forward = &self.halves[0].nodes;
                let (g, parent) = (forward.get(node).g, forward.parent(node));
                let (kind, side) = (TraceKind::Goal, Side::Forward);
                observer.event(TraceEvent { kind, node, parent, g, h: cost - g, side });
                return Outcome::Goal(node);
            };
            let [own, _] = own_and_other(&mut self.halves, side);
            let Some((key, node)) = own.open.pop() else { continue };
            let record = own.nodes.get(node);
            if record.is_closed() {
                continue;
            }
            if self.run.statistics.expanded >= end {
                // Newest among its equals, it will be the first to come out again.
                own.open.push(key, node);
                return self.run.paused();
            }
            self.expand(node, record, side, observer);
        }
    }

    /// The side with the smaller key; `None` when the best meeting stands, or nothing is left to
    /// expand. Once the goals' side is used up without a meeting there is no path, but the starts'
    /// side goes on, to find the nearest cell.
    fn next_side(&self) -> Option<Side> {
        let [forward, backward] = &self.halves;
        match (forward.open.smallest(), backward.open.smallest(), *self.best) {
            (Some(f), Some(b), Some(best)) if f + b >= best.cost => None,
            (Some(f), Some(b), _) if f <= b => Some(Side::Forward),
            (Some(_), Some(_), _) => Some(Side::Backward),
            (Some(_), None, None) => Some(Side::Forward),
            // A side that is used up has settled all it can reach: no better meeting can come.
            _ => None,
        }
    }

    fn expand<O: SearchObserver>(
        &mut self,
        node: NodeId,
        record: Node,
        side: Side,
        observer: &mut O,
    ) {
        let [own, other] = own_and_other(&mut self.halves, side);
        own.nodes.close(node);
        let (run, best) = (&mut *self.run, &mut *self.best);
        let mut report = |kind, node, parent, g| {
            observer.event(TraceEvent { kind, node, parent, g, h: 0, side });
        };
        let parent = own.nodes.parent(node);
        report(TraceKind::Expand, node, parent, record.g);
        run.statistics.expanded += 1;
        if side == Side::Forward
            && let Some(remoteness) = self.heuristic.remoteness(node, None)
        {
            run.note_nearest(remoteness, record.g, node);
        }
        let mut visit = |to: NodeId, step: u32| {
            let g = record.g + u64::from(step);
            let known = own.nodes.get(to);
            if known.is_seen() && g >= known.g {
                return;
            }
            let opposite = other.nodes.get(to);
            let through = if opposite.is_seen() { g + opposite.g } else { g };
            if through > run.limits.cost_max {
                run.cut_by_cost = true;
                if g > run.limits.cost_max {
                    return;
                }
            } else if opposite.is_seen() && best.is_none_or(|meeting| through < meeting.cost) {
                *best = Some(Meeting { cost: through, node: to });
            }
            own.nodes.open(to, known, g, node);
            own.open.push(g, to);
            run.note_open(own.open.len() + other.open.len());
            let kind = if known.is_seen() { TraceKind::Improve } else { TraceKind::Open };
            report(kind, to, node, g);
        };
        let arrival = Arrival { node, parent };
        match side {
            Side::Forward => self.space.expand(arrival, &mut visit),
            Side::Backward => self.space.expand_backwards(arrival, &mut visit),
        }
    }
}

fn own_and_other<'a, 's, Q>(
    halves: &'a mut [Half<'s, Q>; 2],
    side: Side,
) -> [&'a mut Half<'s, Q>; 2] {
    let [forward, backward] = halves;
    match side {
        Side::Forward => [forward, backward],
        Side::Backward => [backward, forward],
    }
}
