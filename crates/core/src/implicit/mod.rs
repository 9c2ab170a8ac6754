//! Implicit graphs: the user gives successors, an estimate and a goal for any state that can be hashed.
//!
//! States are numbered as they are found, and the common set-up and best-first loop run on the numbers; only
//! iterative deepening, which keeps no table of states, has a loop of its own.
//!
//! This is no environment, and its searches are no planners: a place would be any value that can be hashed, it could
//! not be checked before it is found, there is nothing that edits could change or snapshots could share, and
//! closures would have to live as long as a query in slices.
//!
//! ```
//! use highroad::implicit::ImplicitSearch;
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
    Heuristic, Limits, Method, NoTrace, Outcome, Plan, Queue, Run, SearchObserver, Statistics,
    TraceEvent, TraceKind, TraceLog, Weight, Weighted, Workspace,
};
use crate::space::{Arrival, NodeId, Space};
use states::States;
use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

/// A best-first search on an implicit graph.
///
/// Of equal keys the newest entry comes first; successors are looked at in the order in which they are
/// given. Since nothing is known of the estimates, states are opened again when they get cheaper (unless set
/// otherwise), so that admissible estimates are enough for shortest paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImplicitSearch {
    method: Method,
    limits: Limits,
}

/// A path over states. Not a [`Path`](crate::Path): states need not be small enough to copy, and belong to no
/// revision of anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatePath<T> {
    /// What it costs; breadth-first search counts steps.
    pub cost: u64,
    /// Every state, both ends included.
    pub states: Vec<T>,
}

/// What came of a search, and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImplicitAnswer<T> {
    /// How it ended.
    pub outcome: ImplicitOutcome<T>,
    /// What it took.
    pub statistics: Statistics,
}

impl<T> ImplicitAnswer<T> {
    /// The path, if one was found.
    pub fn path(self) -> Option<StatePath<T>> {
        match self.outcome {
            ImplicitOutcome::Found(path) => Some(path),
            _ => None,
        }
    }
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImplicitOutcome<T> {
    /// With a path.
    Found(StatePath<T>),
    /// Everything that can be reached has been looked at.
    Unreachable,
    /// The limits were used up, or there are more states than can be numbered.
    LimitReached,
}

/// A state of a search tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
    const fn of(method: Method) -> Self {
        Self { method, limits: Limits { expansions_max: u64::MAX, cost_max: u64::MAX } }
    }

    /// Breadth-first search: as few steps as possible; costs and estimates play no part.
    pub const fn breadth_first() -> Self {
        let mut search = Self::dijkstra();
        if let Method::BestFirst { unit_steps, .. } = &mut search.method {
            *unit_steps = true;
        }
        search
    }

    /// Dijkstra's algorithm; estimates play no part.
    pub const fn dijkstra() -> Self {
        Self::of(Method::best_first(false))
    }

    /// A*.
    pub const fn astar() -> Self {
        Self::of(Method::best_first(true))
    }

    /// Greedy best-first search: the estimate alone decides.
    pub const fn greedy() -> Self {
        let mut search = Self::astar();
        if let Method::BestFirst { greedy, .. } = &mut search.method {
            *greedy = true;
        }
        search
    }

    /// With estimates multiplied: weighted A*.
    pub const fn with_weight(mut self, factor: Weight) -> Self {
        if let Method::BestFirst { weight, .. } = &mut self.method {
            *weight = factor;
        }
        self
    }

    /// Whether states are opened again when they get cheaper after their expansion. Greedy search never does.
    pub const fn with_reopening(mut self, wanted: bool) -> Self {
        if let Method::BestFirst { reopen, .. } = &mut self.method {
            *reopen = Some(wanted);
        }
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

    /// As [`ImplicitSearch::solve`], with the tree of the first states that were opened, at most `states_max`.
    /// Where a cheaper way to a state leads by a state outside the tree, the tree keeps the way before it.
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
        let mut tree = grown(log.events(), &states, states_max);
        if let ImplicitOutcome::Found(path) = &answer.outcome {
            for known in &mut tree {
                known.on_path = path.states.contains(&known.state);
            }
        }
        (answer, tree)
    }

    fn run<T, I, O: SearchObserver>(
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
        let inner = Estimates { states: &states, estimate, guided: self.method.is_guided() };
        let heuristic = Weighted { inner, weight: self.method.weight() };
        let settings = self.method.settings(true);
        let plan = Plan { method: self.method, settings, queue: Queue::AnyOrder { span: SPAN } };
        let (mut work, mut run) = (Workspace::default(), Run::new(self.limits));
        let ends = || (std::iter::once(start), std::iter::empty());
        let (starts, goals) = ends();
        plan.begin(0, starts, goals, &heuristic, &mut work, &mut run);
        let (starts, goals) = ends();
        plan.report_starts(starts, goals, &heuristic, observer);
        let space = StateSpace { states: &states, successors, success };
        let outcome = plan.advance(space, heuristic, &mut work, &mut run, u64::MAX, observer);
        let states = states.into_inner();
        let outcome = match outcome {
            Outcome::Goal(node) => {
                let cost = work.cost(node).unwrap_or(0);
                let path = work.trail_to(node).iter().map(|at| states.of(*at).clone()).collect();
                ImplicitOutcome::Found(StatePath { cost, states: path })
            }
            Outcome::Exhausted if !states.is_full() => ImplicitOutcome::Unreachable,
            _ => ImplicitOutcome::LimitReached,
        };
        (ImplicitAnswer { outcome, statistics: run.statistics }, states.into_list())
    }
}

/// The tree of the first states that a search has opened. States that cost too much to be opened have numbers, but
/// no place in the tree.
fn grown<T: Clone>(events: &[TraceEvent], states: &[T], states_max: usize) -> Vec<TreeState<T>> {
    let mut tree: Vec<TreeState<T>> = Vec::new();
    let mut places: HashMap<NodeId, usize> = HashMap::new();
    let mut expansions = 0;
    for event in events {
        let new = tree.len();
        let at = match places.entry(event.node) {
            Entry::Occupied(place) => *place.get(),
            Entry::Vacant(_) if new >= states_max => continue,
            Entry::Vacant(place) => {
                let state = states[event.node.index()].clone();
                let (expanded, on_path) = (None, false);
                tree.push(TreeState { state, parent: new, g: 0, h: 0, expanded, on_path });
                *place.insert(new)
            }
        };
        let known = &mut tree[at];
        match (event.kind, places.get(&event.parent)) {
            (TraceKind::Expand | TraceKind::Goal, _) => {
                known.expanded.get_or_insert(expansions);
                expansions += 1;
            }
            (_, Some(&parent)) => (known.parent, known.g, known.h) = (parent, event.g, event.h),
            (_, None) => {}
        }
    }
    tree
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
    guided: bool,
}

impl<T: Eq + Hash, F: Fn(&T) -> u64> Heuristic for Estimates<'_, T, F> {
    #[inline]
    fn estimate(&self, node: NodeId) -> u64 {
        if self.guided { (self.estimate)(self.states.borrow().of(node)) } else { 0 }
    }

    /// Nothing is known of a closure.
    fn is_admissible(&self) -> bool {
        !self.guided
    }

    fn is_consistent(&self) -> bool {
        !self.guided
    }
}

#[cfg(test)]
mod tests;
