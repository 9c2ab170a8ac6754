//! Iterative deepening A* (IDA*).
//!
//! Korf, "Depth-First Iterative-Deepening: An Optimal Admissible Tree Search" (1985). Depth-first searches
//! under a growing bound on `g + h`; the next bound is the smallest sum that exceeded this one. A loop of its
//! own because it keeps nothing but the path it is on: memory for the longest path, time for the same states
//! again and again. With admissible estimates the first path found is shortest.
//!
//! Successors that lie on the present path are left out: no shortest path goes round in a circle.

use crate::search::{Limits, Statistics};

/// What came of iterative deepening, and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeepeningAnswer<T> {
    /// How it ended.
    pub outcome: super::ImplicitOutcome<T>,
    /// Nodes expanded, a state counting each time, and generated.
    pub statistics: Statistics,
    /// The bounds that were tried, in order.
    pub bounds: Vec<u64>,
}

/// Iterative deepening A*.
///
/// ```
/// use highroad::implicit::{Deepening, ImplicitOutcome};
/// let successors = |&n: &i64| vec![(n - 1, 1), (n + 1, 1), (n + 10, 1)];
/// let estimate = |&n: &i64| n.abs_diff(42).div_ceil(10);
/// let answer = Deepening::new().solve(&0i64, successors, estimate, |&n| n == 42);
/// let ImplicitOutcome::Found(path) = answer.outcome else { panic!("there is a way") };
/// assert_eq!(path.cost, 6);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deepening {
    limits: Limits,
}

/// A state on the present path, with the successors that are still to be tried.
struct Level<T> {
    state: T,
    g: u64,
    left: Vec<(T, u32)>,
}

enum Descent {
    Found(u64),
    /// The smallest sum beyond the bound; `None`: there was none.
    Exceeded(Option<u64>),
    Limit,
}

impl Deepening {
    /// Without limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// With limits.
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Finds a path from a start to a state that `success` accepts.
    pub fn solve<T, I>(
        &self,
        start: &T,
        mut successors: impl FnMut(&T) -> I,
        mut estimate: impl FnMut(&T) -> u64,
        mut success: impl FnMut(&T) -> bool,
    ) -> DeepeningAnswer<T>
    where
        T: Eq + Clone,
        I: IntoIterator<Item = (T, u32)>,
    {
        let mut statistics = Statistics::default();
        let mut bounds = Vec::new();
        let mut bound = estimate(start);
        let mut path = Vec::new();
        let outcome = loop {
            if bound > self.limits.cost_max {
                break super::ImplicitOutcome::LimitReached;
            }
            bounds.push(bound);
            path.clear();
            let level = Level { state: start.clone(), g: 0, left: Vec::new() };
            let mut expand = |state: &T| successors(state).into_iter().collect();
            let descent = self.descend(
                level,
                bound,
                &mut path,
                &mut statistics,
                (&mut expand, &mut estimate, &mut success),
            );
            match descent {
                Descent::Found(cost) => {
                    let states = path.into_iter().map(|level: Level<T>| level.state).collect();
                    break super::ImplicitOutcome::Found(super::StatePath { cost, states });
                }
                Descent::Exceeded(Some(next)) => bound = next,
                Descent::Exceeded(None) => break super::ImplicitOutcome::Unreachable,
                Descent::Limit => break super::ImplicitOutcome::LimitReached,
            }
        };
        DeepeningAnswer { outcome, statistics, bounds }
    }

    /// One depth-first search. `path` ends as the path to the goal, if one is found.
    fn descend<T: Eq>(
        &self,
        start: Level<T>,
        bound: u64,
        path: &mut Vec<Level<T>>,
        statistics: &mut Statistics,
        (expand, estimate, success): (
            &mut impl FnMut(&T) -> Vec<(T, u32)>,
            &mut impl FnMut(&T) -> u64,
            &mut impl FnMut(&T) -> bool,
        ),
    ) -> Descent {
        let mut exceeded: Option<u64> = None;
        let mut entering = Some(start);
        loop {
            if let Some(mut level) = entering.take() {
                if success(&level.state) {
                    let cost = level.g;
                    path.push(level);
                    return Descent::Found(cost);
                }
                if statistics.expanded >= self.limits.expansions_max {
                    return Descent::Limit;
                }
                statistics.expanded += 1;
                level.left = expand(&level.state);
                // Taken from the end: the first successor is the first to be tried.
                level.left.reverse();
                path.push(level);
            }
            let Some(level) = path.last_mut() else { return Descent::Exceeded(exceeded) };
            let Some((state, step)) = level.left.pop() else {
                path.pop();
                continue;
            };
            let g = level.g.saturating_add(u64::from(step));
            if path.iter().any(|level| level.state == state) {
                continue;
            }
            statistics.generated += 1;
            statistics.open_max = statistics.open_max.max(path.len() as u64);
            let sum = g.saturating_add(estimate(&state));
            if sum > bound {
                exceeded = Some(exceeded.map_or(sum, |least| least.min(sum)));
            } else {
                entering = Some(Level { state, g, left: Vec::new() });
            }
        }
    }
}
