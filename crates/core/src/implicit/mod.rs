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
/// otherwise), so that admissible estimates are enough for shortest paths. Time and memory are in proportion to the states
/// that it finds, with a logarithm for the open list.
///
/// ```
/// use highroad::implicit::{ImplicitAnswer, ImplicitSearch};
/// use highroad::search::Weight;
/// // Numbers on a line; five steps to the right cost as much as one and a half to the left.
/// let successors = |&n: &i64| [(n + 5, 3), (n - 1, 2)];
/// let estimate = |&n: &i64| n.abs_diff(23).div_ceil(5);
/// let exact: ImplicitAnswer<i64> = ImplicitSearch::astar().solve(&0, successors, estimate, |&n| n == 23);
/// let quick = ImplicitSearch::astar().with_weight(Weight::new(3.0)?).with_reopening(false);
/// let quick = quick.solve(&0, successors, estimate, |&n| n == 23);
/// assert_eq!(exact.path().map(|path| path.cost), Some(19));
/// assert!(quick.path().is_some_and(|path| path.cost >= 19));
/// # Ok::<(), highroad::search::WeightError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImplicitSearch {
    method: Method,
    limits: Limits,
}

/// A path over states. Not a [`Path`](crate::Path): states need not be small enough to copy, and belong to no
/// revision of anything.
///
/// ```
/// use highroad::implicit::{ImplicitSearch, StatePath};
/// let steps = |&n: &u32| [(n + 1, 1), (n * 3, 1)];
/// let answer = ImplicitSearch::greedy().solve(&1, steps, |&n| u64::from(n.abs_diff(9)), |&n| n == 9);
/// let StatePath { states, cost } = answer.path().expect("there is one");
/// assert_eq!((states, cost), (vec![1, 3, 9], 2));
/// ```
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
    /// A path was found.
    Found(StatePath<T>),
    /// Everything that can be reached has been looked at.
    Unreachable,
    /// The limits were used up, or there are more states than can be numbered.
    LimitReached,
}

/// A state of a search tree.
///
/// ```
/// use highroad::implicit::{ImplicitSearch, TreeState};
/// let steps = |&n: &u32| [(n + 1, 1), (n * 3, 1)];
/// let search = ImplicitSearch::breadth_first();
/// let (answer, tree) = search.solve_with_tree(&1, steps, |_| 0, |&n| n == 9, 100);
/// assert!(answer.path().is_some());
/// let root: &TreeState<u32> = &tree[0];
/// assert_eq!((root.state, root.parent, root.expanded, root.on_path), (1, 0, Some(0), true));
/// ```
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

    /// A*: the cost so far plus the estimate decides.
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

    /// The same search with estimates multiplied: weighted A*.
    pub const fn with_weight(mut self, factor: Weight) -> Self {
        if let Method::BestFirst { weight, .. } = &mut self.method {
            *weight = factor;
        }
        self
    }

    /// The same search with states opened again, or not, when they get cheaper after their expansion. Greedy search never does.
    pub const fn with_reopening(mut self, wanted: bool) -> Self {
        if let Method::BestFirst { reopen, .. } = &mut self.method {
            *reopen = Some(wanted);
        }
        self
    }

    /// The same search with limits: on an endless graph without a goal a search ends by nothing else.
    ///
    /// ```
    /// use highroad::implicit::{ImplicitOutcome, ImplicitSearch};
    /// use highroad::search::Limits;
    /// let endless = |&n: &u64| [(n + 1, 1)];
    /// let search = ImplicitSearch::dijkstra().with_limits(Limits::default().with_expansions_max(100));
    /// let answer = search.solve(&0, endless, |_| 0, |_| false);
    /// assert_eq!(answer.outcome, ImplicitOutcome::LimitReached);
    /// ```
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
        let mut memory = ImplicitMemory::new();
        self.solve_among(std::slice::from_ref(start), successors, estimate, success, &mut memory)
    }

    /// As [`ImplicitSearch::solve`], from whichever of several starts is best, in memory that is kept from search to
    /// search. Without a start nothing can be reached.
    ///
    /// ```
    /// use highroad::implicit::{ImplicitMemory, ImplicitSearch};
    /// let successors = |&n: &u32| [(2 * n, 1), (n + 1, 1)].into_iter().filter(|&(n, _)| n <= 40);
    /// let mut memory = ImplicitMemory::new(); // keep it for the next search
    /// let search = ImplicitSearch::dijkstra();
    /// let found = search.solve_among(&[1, 9], successors, |_| 0, |&n| n == 40, &mut memory);
    /// assert_eq!(found.path().unwrap().states, [9, 10, 20, 40]);
    /// ```
    pub fn solve_among<T, I>(
        &self,
        starts: &[T],
        successors: impl FnMut(&T) -> I,
        estimate: impl Fn(&T) -> u64,
        success: impl FnMut(&T) -> bool,
        memory: &mut ImplicitMemory<T>,
    ) -> ImplicitAnswer<T>
    where
        T: Eq + Hash + Clone,
        I: IntoIterator<Item = (T, u32)>,
    {
        let closures = Closures { successors, estimate, success };
        let (end, statistics) = self.run(starts, closures, memory, &mut NoTrace);
        memory.answer(end, statistics)
    }

    /// Every state within a cost of some starts, with its cost: the cheapest first, and among equals the one that was
    /// found first. Estimates and weights play no part; breadth-first search counts steps. On an endless graph a range
    /// ends where the cost does, if no step is free. In memory that is kept from search to search.
    ///
    /// Takes O(n log n) for n states within the cost, and holds those one step beyond as well.
    ///
    /// ```
    /// use highroad::implicit::{ImplicitMemory, ImplicitSearch};
    /// // A knight on an endless board: where can it be after two moves?
    /// let moves = |&(x, y): &(i32, i32)| {
    ///     [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
    ///         .map(|(dx, dy)| ((x + dx, y + dy), 1))
    /// };
    /// let mut memory = ImplicitMemory::new();
    /// let range = ImplicitSearch::dijkstra().range(&[(0, 0)], moves, 2, &mut memory);
    /// assert!(range.complete);
    /// assert_eq!(range.states.len(), 1 + 8 + 32);
    /// assert_eq!(range.states[0], ((0, 0), 0));
    /// ```
    pub fn range<T, I>(
        &self,
        starts: &[T],
        successors: impl FnMut(&T) -> I,
        cost_max: u64,
        memory: &mut ImplicitMemory<T>,
    ) -> StateRange<T>
    where
        T: Eq + Hash + Clone,
        I: IntoIterator<Item = (T, u32)>,
    {
        let unit_steps = matches!(self.method, Method::BestFirst { unit_steps: true, .. });
        let search = if unit_steps { Self::breadth_first() } else { Self::dijkstra() };
        let cost_max = cost_max.min(self.limits.cost_max);
        let search = search.with_limits(Limits { cost_max, ..self.limits });
        let closures = Closures { successors, estimate: |_: &T| 0, success: |_: &T| false };
        let (end, statistics) = search.run(starts, closures, memory, &mut NoTrace);
        let ImplicitMemory { states, work } = memory;
        // A range may end where the cost does: that alone does not cut it short.
        let ended = end == Outcome::Exhausted
            || (end == Outcome::Limit && statistics.expanded < self.limits.expansions_max);
        let complete = ended && !states.is_full();
        let cost = |(number, state): (u32, &T)| {
            let known = work.forward.nodes.get(NodeId(number));
            known.is_closed().then(|| (state.clone(), known.g))
        };
        let mut states: Vec<(T, u64)> = (0..).zip(states.list()).filter_map(cost).collect();
        states.sort_by_key(|&(_, cost)| cost);
        StateRange { states, complete }
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
        let mut memory = ImplicitMemory::new();
        let closures = Closures { successors, estimate, success };
        let starts = std::slice::from_ref(start);
        let (end, statistics) = self.run(starts, closures, &mut memory, &mut log);
        let answer = memory.answer(end, statistics);
        let mut tree = grown(log.events(), memory.states.list(), states_max);
        if let ImplicitOutcome::Found(path) = &answer.outcome {
            for known in &mut tree {
                known.on_path = path.states.contains(&known.state);
            }
        }
        (answer, tree)
    }

    fn run<T, I, N, F, G, O: SearchObserver>(
        &self,
        starts: &[T],
        closures: Closures<N, F, G>,
        memory: &mut ImplicitMemory<T>,
        observer: &mut O,
    ) -> (Outcome, Statistics)
    where
        T: Eq + Hash + Clone,
        I: IntoIterator<Item = (T, u32)>,
        N: FnMut(&T) -> I,
        F: Fn(&T) -> u64,
        G: FnMut(&T) -> bool,
    {
        let Closures { successors, estimate, success } = closures;
        let ImplicitMemory { states, work } = memory;
        states.clear();
        let mut nodes: Vec<NodeId> =
            starts.iter().filter_map(|start| states.number(start.clone())).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let states = RefCell::new(states);
        let inner = Estimates { states: &states, estimate, guided: self.method.is_guided() };
        let heuristic = Weighted { inner, weight: self.method.weight() };
        let settings = self.method.settings(true);
        let plan = Plan { method: self.method, settings, queue: Queue::AnyOrder { span: SPAN } };
        let mut run = Run::new(self.limits);
        let (starts, goals) = (nodes.iter().copied(), std::iter::empty());
        plan.begin(0, starts.clone(), goals.clone(), &heuristic, work, &mut run);
        plan.report_starts(starts, goals, &heuristic, observer);
        let space = StateSpace { states: &states, successors, success };
        let outcome = plan.advance(space, heuristic, work, &mut run, u64::MAX, observer);
        (outcome, run.statistics)
    }
}

/// What a user gives.
struct Closures<N, F, G> {
    successors: N,
    estimate: F,
    success: G,
}

/// Memory of searches on implicit graphs, kept from one to the next: after the first ones, others of the same size take
/// none but for their answers and what states own themselves.
///
/// ```
/// use highroad::implicit::{ImplicitMemory, ImplicitSearch};
/// let mut memory = ImplicitMemory::new();
/// for goal in [5u32, 7] {
///     let count_up = |&n: &u32| [(n + 1, 1)];
///     let search = ImplicitSearch::dijkstra();
///     let found = search.solve_among(&[0], count_up, |_| 0, |&n| n == goal, &mut memory);
///     assert_eq!(found.path().unwrap().cost, u64::from(goal));
/// }
/// assert!(memory.memory_bytes() > 0);
/// ```
pub struct ImplicitMemory<T> {
    states: States<T>,
    work: Workspace,
}

impl<T: Eq + Hash> Default for ImplicitMemory<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Eq + Hash> ImplicitMemory<T> {
    /// Little memory; it grows to what searches need.
    pub fn new() -> Self {
        Self { states: States::new(), work: Workspace::default() }
    }

    /// Bytes held, without what states own themselves.
    pub fn memory_bytes(&self) -> usize {
        self.states.memory_bytes() + self.work.memory_bytes()
    }

    /// What a search that has ended in this memory came to.
    fn answer(&mut self, end: Outcome, statistics: Statistics) -> ImplicitAnswer<T>
    where
        T: Clone,
    {
        let Self { states, work } = self;
        let outcome = match end {
            Outcome::Goal(node) => {
                let cost = work.cost(node).unwrap_or(0);
                let path = work.trail_to(node).iter().map(|at| states.of(*at).clone()).collect();
                ImplicitOutcome::Found(StatePath { cost, states: path })
            }
            Outcome::Exhausted if !states.is_full() => ImplicitOutcome::Unreachable,
            _ => ImplicitOutcome::LimitReached,
        };
        ImplicitAnswer { outcome, statistics }
    }
}

/// The states within a cost of some starts.
///
/// ```
/// use highroad::implicit::{ImplicitMemory, ImplicitSearch, StateRange};
/// let double_or_add = |&number: &u32| [(number * 2, 1), (number + 1, 1)];
/// let range: StateRange<u32> =
///     ImplicitSearch::dijkstra().range(&[3], double_or_add, 1, &mut ImplicitMemory::new());
/// assert_eq!(range.states, [(3, 0), (6, 1), (4, 1)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateRange<T> {
    /// Every state with its cost, the cheapest first.
    pub states: Vec<(T, u64)>,
    /// Whether these are all: not if the limit of expansions was used up, or the numbers of states.
    pub complete: bool,
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
struct StateSpace<'s, 'm, T, N, E> {
    states: &'s RefCell<&'m mut States<T>>,
    successors: N,
    success: E,
}

impl<T, I, N, E> Space for StateSpace<'_, '_, T, N, E>
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
struct Estimates<'s, 'm, T, F> {
    states: &'s RefCell<&'m mut States<T>>,
    estimate: F,
    guided: bool,
}

impl<T: Eq + Hash, F: Fn(&T) -> u64> Heuristic for Estimates<'_, '_, T, F> {
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
