//! From the settings of a search to the loop that runs it: the one set-up that searches on grids, on graphs and on
//! implicit graphs share.

use super::best_first::{BestFirst, Outcome, Run, Settings, open_start, open_start_at};
use super::bidirectional::{Bidirectional, Half, Meeting};
use super::depth_first::DepthFirst;
use super::heuristic::{Heuristic, Weight};
use super::ties::TieRule;
use super::trace::{NoTrace, SearchObserver, Side, TraceEvent, TraceKind};
use super::workspace::{Frontier, Workspace};
use crate::space::{NodeId, Space};

/// Which search, with its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    BestFirst {
        /// Whether estimates play a part.
        guided: bool,
        weight: Weight,
        greedy: bool,
        unit_steps: bool,
        /// `None`: where the heuristic is inconsistent.
        reopen: Option<bool>,
    },
    DepthFirst,
    Bidirectional,
}

impl Method {
    /// A best-first search by cost, with estimates or without.
    pub(crate) const fn best_first(guided: bool) -> Self {
        let (weight, greedy, unit_steps, reopen) = (Weight::ONE, false, false, None);
        Self::BestFirst { guided, weight, greedy, unit_steps, reopen }
    }

    pub(crate) const fn is_guided(self) -> bool {
        matches!(self, Self::BestFirst { guided: true, .. })
    }

    /// What estimates are multiplied by.
    pub(crate) const fn weight(self) -> Weight {
        match self {
            Self::BestFirst { weight, .. } => weight,
            Self::DepthFirst | Self::Bidirectional => Weight::ONE,
        }
    }

    /// The settings of the best-first loop. `reopen`: whether to open nodes again where that is not asked for.
    pub(crate) fn settings(self, reopen: bool) -> Settings {
        match self {
            Self::BestFirst { greedy, unit_steps, reopen: wanted, .. } => Settings {
                greedy,
                unit_steps,
                reopen: !greedy && wanted.unwrap_or(reopen),
                ..Settings::default()
            },
            Self::DepthFirst | Self::Bidirectional => Settings::default(),
        }
    }
}

/// Which open list serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Queue {
    /// Keys never fall, and rise at most so far.
    Buckets { span: u64 },
    /// Keys come in any order.
    Heap,
    /// Keys mostly rise, mostly at most so far.
    AnyOrder { span: u64 },
    /// Ties are broken by a rule.
    Ties(TieRule),
}

/// A method, made ready for one environment and one query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) method: Method,
    pub(crate) settings: Settings,
    pub(crate) queue: Queue,
}

impl Plan {
    /// Puts starts and goals into empty memory; with no goals, everything will be explored.
    pub(crate) fn begin<H: Heuristic>(
        self,
        node_count: usize,
        starts: impl Iterator<Item = NodeId> + Clone,
        goals: impl Iterator<Item = NodeId> + Clone,
        heuristic: &H,
        work: &mut Workspace,
        run: &mut Run,
    ) {
        let Workspace { forward, backward, stack, meeting, .. } = work;
        forward.nodes.reset(node_count);
        stack.clear();
        *meeting = None;
        for node in starts.clone() {
            run.note_nearest(heuristic.remoteness(node, None).unwrap_or(0), 0, node);
        }
        if self.method == Method::Bidirectional {
            backward.nodes.reset(node_count);
            let both = starts.clone().find(|&start| goals.clone().any(|goal| goal == start));
            *meeting = both.map(|node| Meeting { cost: 0, node });
            backward.open_all(self.queue, run, goals.map(|goal| (goal, 0)));
        } else {
            goals.for_each(|goal| forward.nodes.mark_goal(goal));
        }
        if self.method == Method::DepthFirst {
            for node in starts {
                forward.nodes.open(node, forward.nodes.get(node), 0, node);
                stack.push(node);
                run.note_open(stack.len());
            }
        } else {
            let keyed = starts.map(|node| (node, self.settings.key(0, heuristic.estimate(node))));
            forward.open_all(self.queue, run, keyed);
        }
    }

    /// Goes on for at most `slice` expansions.
    pub(crate) fn advance<S: Space, H: Heuristic, O: SearchObserver>(
        self,
        space: S,
        heuristic: H,
        work: &mut Workspace,
        run: &mut Run,
        slice: u64,
        observer: &mut O,
    ) -> Outcome {
        let Workspace { forward, backward, stack, meeting, .. } = work;
        let settings = self.settings;
        let Frontier { nodes, buckets, heap, any_order, ties } = forward;
        macro_rules! best_first {
            ($open:expr) => {
                BestFirst { space, heuristic, settings, nodes, open: $open, run }
                    .advance(slice, observer)
            };
        }
        macro_rules! bidirectional {
            ($forward:expr, $backward:expr) => {{
                let forward = Half { nodes, open: $forward };
                let backward = Half { nodes: &mut backward.nodes, open: $backward };
                let halves = [forward, backward];
                Bidirectional { space, heuristic, halves, best: meeting, run }
                    .advance(slice, observer)
            }};
        }
        match (self.method, self.queue) {
            (Method::DepthFirst, _) => {
                DepthFirst { space, heuristic, nodes, stack, run }.advance(slice, observer)
            }
            (Method::BestFirst { .. }, Queue::Buckets { .. }) => best_first!(buckets),
            (Method::BestFirst { .. }, Queue::Heap) => best_first!(heap),
            (Method::BestFirst { .. }, Queue::AnyOrder { .. }) => best_first!(any_order),
            (Method::BestFirst { .. }, Queue::Ties(_)) => best_first!(ties),
            (Method::Bidirectional, Queue::Buckets { .. }) => {
                bidirectional!(buckets, &mut backward.buckets)
            }
            (Method::Bidirectional, Queue::Heap) => bidirectional!(heap, &mut backward.heap),
            (Method::Bidirectional, Queue::AnyOrder { .. } | Queue::Ties(_)) => {
                bidirectional!(any_order, &mut backward.any_order)
            }
        }
    }

    /// Reports where the search begins.
    pub(crate) fn report_starts<H: Heuristic, O: SearchObserver>(
        self,
        starts: impl Iterator<Item = NodeId>,
        goals: impl Iterator<Item = NodeId>,
        heuristic: &H,
        observer: &mut O,
    ) {
        let mut report = |node: NodeId, side| {
            let (kind, h) = (TraceKind::Start, heuristic.estimate(node));
            observer.event(TraceEvent { kind, node, parent: node, g: 0, h, side });
        };
        starts.for_each(|start| report(start, Side::Forward));
        if self.method == Method::Bidirectional {
            goals.for_each(|goal| report(goal, Side::Backward));
        }
    }
}

impl Frontier {
    /// Puts starts with their keys on the open list that serves, which is emptied first.
    fn open_all(
        &mut self,
        queue: Queue,
        run: &mut Run,
        starts: impl Iterator<Item = (NodeId, u64)>,
    ) {
        let Self { nodes, buckets, heap, any_order, ties } = self;
        match queue {
            Queue::Buckets { span } => {
                buckets.reset(0, 0);
                for (index, (node, key)) in starts.enumerate() {
                    if index == 0 {
                        buckets.reset(span, key);
                    }
                    open_start(nodes, buckets, run, node, key);
                }
            }
            Queue::Heap => {
                heap.clear();
                starts.for_each(|(node, key)| open_start(nodes, heap, run, node, key));
            }
            Queue::AnyOrder { span } => {
                any_order.reset(span);
                starts.for_each(|(node, key)| open_start(nodes, any_order, run, node, key));
            }
            Queue::Ties(rule) => {
                ties.reset(rule);
                starts.for_each(|(node, key)| open_start(nodes, ties, run, node, key));
            }
        }
    }
}

impl Workspace {
    /// Dijkstra's algorithm from some nodes, each of which costs something already, until nothing is left or a
    /// goal is reached: a node marked as one here, or one that the space says is. What was reached stays known.
    pub(crate) fn explore<S: Space, H: Heuristic>(
        &mut self,
        space: S,
        span: u64,
        seeds: impl Iterator<Item = (NodeId, u64)>,
        goals: &[NodeId],
        heuristic: H,
        run: &mut Run,
    ) -> Outcome {
        let goals = goals.iter().copied();
        self.begin_exploring(space.node_count(), span, seeds, goals, &heuristic, run);
        self.go_on_exploring(space, heuristic, run, u64::MAX, &mut NoTrace)
    }

    /// The beginning of [`Workspace::explore`], for a search in slices.
    pub(crate) fn begin_exploring(
        &mut self,
        node_count: usize,
        span: u64,
        seeds: impl Iterator<Item = (NodeId, u64)>,
        goals: impl Iterator<Item = NodeId>,
        heuristic: &impl Heuristic,
        run: &mut Run,
    ) {
        let Frontier { nodes, any_order: open, .. } = &mut self.forward;
        nodes.reset(node_count);
        open.reset(span);
        goals.for_each(|goal| nodes.mark_goal(goal));
        let settings = Settings::default();
        for (node, cost) in seeds {
            let key = settings.key(cost, heuristic.estimate(node));
            open_start_at(nodes, open, run, node, cost, key);
        }
    }

    /// Goes on with an exploration for at most `slice` expansions.
    pub(crate) fn go_on_exploring<S: Space, H: Heuristic, O: SearchObserver>(
        &mut self,
        space: S,
        heuristic: H,
        run: &mut Run,
        slice: u64,
        observer: &mut O,
    ) -> Outcome {
        let Frontier { nodes, any_order: open, .. } = &mut self.forward;
        let settings = Settings { reopen: !heuristic.is_consistent(), ..Settings::default() };
        BestFirst { space, heuristic, settings, nodes, open, run }.advance(slice, observer)
    }
}
