//! Implicit graphs: the user gives successors, an estimate and a goal for any state that can be hashed.
//!
//! States are numbered as they are found, and the common best-first loop runs on the numbers; only
//! iterative deepening, which keeps no table of states, has a loop of its own.
//!
//! ```
//! use highroad_core::implicit::ImplicitSearch;
//! // From 1 to 40 by doubling and adding one.
//! let successors = |&n: &u32| [(2 * n, 1), (n + 1, 1)].into_iter().filter(|&(n, _)| n <= 40);
//! let found = ImplicitSearch::breadth_first().solve(&1u32, successors, |_| 0, |&n| n == 40);
//! let path = found.path().unwrap();
//! assert_eq!((path.cost, path.states.len()), (6, 7)); // 1 2 4 5 10 20 40
//! ```

mod deepening;
mod states;

pub use deepening::{Deepening, DeepeningAnswer};

use crate::search::{
    AnyOrderQueue, BestFirst, Heuristic, Limits, NoTrace, NodeTable, Observer, Outcome, Run,
    Settings, Side, Statistics, TraceEvent, TraceKind, TraceLog, Weight, open_start,
    push_ancestors,
};
use crate::space::{Arrival, NodeId, Space};
use states::States;
use std::cell::RefCell;
use std::hash::Hash;

/// A best-first search on an implicit graph.
///
/// Of equal keys the newest entry comes first; successors are looked at in the order in which they are
/// given. Since nothing is known of the estimates, states are opened again when they get cheaper (unless told
/// otherwise), so that admissible estimates are enough for shortest paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImplicitSearch {
    greedy: bool,
    unit_steps: bool,
    guided: bool,
    reopen: bool,
    weight: Weight,
    limits: Limits,
}

/// A path from a start to a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImplicitPath<T> {
    /// What it costs; breadth-first search counts steps.
    pub cost: u64,
    /// Every state, both ends included.
    pub states: Vec<T>,
}

/// What came of a search, and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImplicitAnswer<T> {
    /// How it ended.
    pub outcome: ImplicitOutcome<T>,
    /// What it took.
    pub statistics: Statistics,
}

impl<T> ImplicitAnswer<T> {
    /// The path, if one was found.
    pub fn path(self) -> Option<ImplicitPath<T>> {
        match self.outcome {
            ImplicitOutcome::Found(path) => Some(path),
            _ => None,
        }
    }
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImplicitOutcome<T> {
    /// With a path.
    Found(ImplicitPath<T>),
    /// Everything that can be reached has been looked at.
    Unreachable,
    /// The limits were used up, or there are more states than can be numbered.
    LimitReached,
}

/// A state of a search tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeState<T> {
    /// The state.
    pub state: T,
    /// Which state it was reached from in the end, by its place in the tree; itself for the start.
    pub parent: usize,
    /// The cost so far.
    pub g: u64,
    /// The estimate, with its weight.
    pub h: u64,
    /// When it was expanded, counted from 0; a goal when it was taken.
    pub expanded: Option<usize>,
    /// Whether it lies on the path that was found.
    pub on_path: bool,
}

impl ImplicitSearch {
    const fn plain() -> Self {
        Self {
            greedy: false,
            unit_steps: false,
            guided: true,
            reopen: true,
            weight: Weight::ONE,
            limits: Limits { expansions_max: u64::MAX, cost_max: u64::MAX },
        }
    }

    /// Breadth-first search: as few steps as possible; costs and estimates play no part.
    pub const fn breadth_first() -> Self {
        Self { unit_steps: true, guided: false, ..Self::plain() }
    }

    /// Dijkstra's algorithm; estimates play no part.
    pub const fn dijkstra() -> Self {
        Self { guided: false, ..Self::plain() }
    }

    /// A*.
    pub const fn astar() -> Self {
        Self::plain()
    }

    /// Greedy best-first search: the estimate alone decides.
    pub const fn greedy() -> Self {
        Self { greedy: true, reopen: false, ..Self::plain() }
    }

    /// With estimates multiplied: weighted A*.
    pub const fn with_weight(mut self, weight: Weight) -> Self {
        self.weight = weight;
        self
    }

    /// Whether states are opened again when they get cheaper after their expansion.
    pub const fn with_reopening(mut self, wanted: bool) -> Self {
        self.reopen = wanted;
        self
    }

    /// With limits: on an endless graph without a goal a search ends by nothing else.
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Finds a path from a start to a state that `success` accepts. `successors` gives states and the costs of
    /// the steps to them, `estimate` what is still to go at least.
    pub fn solve<T, I>(
        &self,
        start: &T,
        successors: impl FnMut(&T) -> I,
        estimate: impl Fn(&T) -> u64,
        success: impl FnMut(&T) -> bool,
    ) -> ImplicitAnswer<T>
    where
        T: Eq + Hash + Clone,
        I: IntoIterator<Item = (T, u32)>,
    {
        self.run(start, successors, estimate, success, &mut NoTrace).0
    }

    /// As [`ImplicitSearch::solve`], with the tree of the first states that were found, at most
    /// `states_max`.
    pub fn solve_with_tree<T, I>(
        &self,
        start: &T,
        successors: impl FnMut(&T) -> I,
        estimate: impl Fn(&T) -> u64,
        success: impl FnMut(&T) -> bool,
        states_max: usize,
    ) -> (ImplicitAnswer<T>, Vec<TreeState<T>>)
    where
        T: Eq + Hash + Clone,
        I: IntoIterator<Item = (T, u32)>,
    {
        let mut log = TraceLog::new(states_max.saturating_mul(8));
        let (answer, states) = self.run(start, successors, estimate, success, &mut log);
        let count = states.len().min(states_max);
        let mut tree: Vec<TreeState<T>> = Vec::with_capacity(count);
        let mut expansions = 0;
        for event in log.events() {
            let (at, parent) = (event.node.index(), event.parent.index());
            if at >= count {
                continue;
            }
            // States are numbered in the order in which they are found, and so is the tree.
            if at == tree.len() {
                let state = states[at].clone();
                let (expanded, on_path) = (None, false);
                tree.push(TreeState { state, parent, g: 0, h: 0, expanded, on_path });
            }
            let Some(known) = tree.get_mut(at) else { continue };
            match event.kind {
                TraceKind::Expand | TraceKind::Goal => {
                    known.expanded.get_or_insert(expansions);
                    expansions += 1;
                }
                _ => (known.parent, known.g, known.h) = (parent, event.g, event.h),
            }
        }
        if let ImplicitOutcome::Found(path) = &answer.outcome {
            for known in &mut tree {
                known.on_path = path.states.contains(&known.state);
            }
        }
        (answer, tree)
    }

    fn run<T, I, O: Observer>(
        &self,
        start: &T,
        successors: impl FnMut(&T) -> I,
        estimate: impl Fn(&T) -> u64,
        success: impl FnMut(&T) -> bool,
        observer: &mut O,
    ) -> (ImplicitAnswer<T>, Vec<T>)
    where
        T: Eq + Hash + Clone,
        I: IntoIterator<Item = (T, u32)>,
    {
        let states = RefCell::new(States::new());
        let start = states.borrow_mut().number(start.clone()).unwrap_or(NodeId(0));
        let heuristic =
            Estimates { states: &states, estimate, weight: self.weight, guided: self.guided };
        let settings = Settings {
            greedy: self.greedy,
            unit_steps: self.unit_steps,
            reopen: self.reopen,
            ..Settings::default()
        };
        let (mut nodes, mut open) = (NodeTable::default(), AnyOrderQueue::default());
        nodes.reset(0);
        open.reset(SPAN);
        let mut run = Run::new(self.limits);
        let h = heuristic.estimate(start);
        open_start(&mut nodes, &mut open, &mut run, start, settings.key(0, h));
        let (kind, side) = (TraceKind::Start, Side::Forward);
        observer.event(TraceEvent { kind, node: start, parent: start, g: 0, h, side });
        let space = StateSpace { states: &states, successors, success };
        let mut search = BestFirst {
            space,
            heuristic,
            settings,
            nodes: &mut nodes,
            open: &mut open,
            run: &mut run,
        };
        let outcome = search.advance(u64::MAX, observer);
        let states = states.into_inner();
        let outcome = match outcome {
            Outcome::Goal(node) => {
                let mut trail = Vec::new();
                push_ancestors(&nodes, node, &mut trail);
                let path = trail.iter().rev().map(|at| states.of(*at).clone()).collect();
                ImplicitOutcome::Found(ImplicitPath { cost: nodes.get(node).g, states: path })
            }
            Outcome::Exhausted if !states.is_full() => ImplicitOutcome::Unreachable,
            _ => ImplicitOutcome::LimitReached,
        };
        (ImplicitAnswer { outcome, statistics: run.statistics }, states.into_list())
    }
}

/// Buckets of the open list: keys further ahead wait in a heap.
const SPAN: u64 = (1 << 14) - 1;

/// States as a [`Space`]: numbered when they are found.
struct StateSpace<'s, T, N, E> {
    states: &'s RefCell<States<T>>,
    successors: N,
    success: E,
}

impl<T, I, N, E> Space for StateSpace<'_, T, N, E>
where
    T: Eq + Hash,
    I: IntoIterator<Item = (T, u32)>,
    N: FnMut(&T) -> I,
    E: FnMut(&T) -> bool,
{
    fn node_count(&self) -> usize {
        self.states.borrow().len()
    }

    #[inline]
    fn expand(&mut self, at: Arrival, visit: &mut impl FnMut(NodeId, u32)) {
        let successors = (self.successors)(self.states.borrow().of(at.node));
        for (state, cost) in successors {
            let number = self.states.borrow_mut().number(state);
            // Beyond what can be numbered the search ends as one that was limited.
            if let Some(number) = number {
                visit(number, cost);
            }
        }
    }

    #[inline]
    fn is_goal(&mut self, node: NodeId) -> bool {
        (self.success)(self.states.borrow().of(node))
    }
}

/// Estimates of numbered states.
struct Estimates<'s, T, F> {
    states: &'s RefCell<States<T>>,
    estimate: F,
    weight: Weight,
    guided: bool,
}

impl<T: Eq + Hash, F: Fn(&T) -> u64> Heuristic for Estimates<'_, T, F> {
    #[inline]
    fn estimate(&self, node: NodeId) -> u64 {
        if !self.guided {
            return 0;
        }
        let estimate = (self.estimate)(self.states.borrow().of(node));
        if self.weight == Weight::ONE { estimate } else { self.weight.times(estimate) }
    }

    #[inline]
    fn remoteness(&self, _node: NodeId, _estimate: Option<u64>) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests;
