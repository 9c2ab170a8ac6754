//! The ends of a query, joined to the subgoals around them.

use super::Link;
use crate::grid::{Cell, Connectivity, DescentMemory, Grid, NearestMemory, nearest_reachable};
use crate::heuristic::{GridHeuristic, HeuristicKind};
use crate::search::Weight;

/// No entry of a list.
pub(crate) const NONE: u32 = u32::MAX;

/// Joins cells to the nodes of a graph.
pub(crate) trait Ground {
    /// What the straight way between two cells costs, in the graph's unit, if it is open.
    fn direct_cost(&self, from: Cell, to: Cell) -> Option<u64>;
    /// The links from a cell to nodes, always in the same order.
    fn links_onwards(&self, from: Cell, visit: impl FnMut(Link));
    /// The links from nodes to a cell, always in the same order.
    fn links_back(&self, to: Cell, visit: impl FnMut(Link));
    /// Nodes that a path joins have the same part.
    fn part_of(&self, node: u32) -> u32;
    /// The connected parts of the grid, if it keeps them.
    fn connectivity(&self) -> Option<&Connectivity>;
}

/// How the starts and goals of a query are joined to subgoals and to each other.
#[derive(Default)]
pub(crate) struct Terminals {
    /// The links onwards of all starts, one start after the other.
    pub(crate) onwards: Vec<Link>,
    /// Where those of each start end.
    pub(crate) onwards_end: Vec<u32>,
    /// The links back of all goals, one goal after the other.
    pub(crate) back: Vec<Link>,
    pub(crate) back_end: Vec<u32>,
    /// The start and the goal that see each other at the least cost, in the graph's unit; empty if none do.
    pub(crate) direct: Vec<(u32, u32, u64)>,
    /// Whether the goal is not one that was asked for, but the cell nearest to it.
    pub(crate) redirected: bool,
    /// The parts of the graph that the starts lead to.
    parts: Vec<u32>,
    flood: NearestMemory,
    descent: DescentMemory,
}

impl Terminals {
    /// Joins the ends. Where there is no path, the nearest cell becomes the goal.
    pub(crate) fn join(
        &mut self,
        ground: &impl Ground,
        grid: &Grid,
        starts: &[Cell],
        goals: &mut Vec<Cell>,
    ) {
        self.join_to(ground, starts, goals);
        if !self.some_pair_connected(ground) {
            self.redirect(ground, grid, starts, goals);
        }
    }

    /// Makes the cell that is nearest to the goals the only one.
    pub(crate) fn redirect(
        &mut self,
        ground: &impl Ground,
        grid: &Grid,
        starts: &[Cell],
        goals: &mut Vec<Cell>,
    ) {
        let measure = GridHeuristic::new(grid, HeuristicKind::Octile, Weight::ONE, goals);
        let remoteness = |cell| measure.remoteness_of(cell);
        let Self { flood, descent, .. } = self;
        let known = ground.connectivity().or(grid.connectivity());
        let nearest = known.and_then(|parts| parts.nearest(starts, goals, remoteness, descent));
        let nearest =
            nearest.unwrap_or_else(|| nearest_reachable(grid, starts, goals, remoteness, flood));
        goals.clear();
        goals.push(nearest);
        self.join_to(ground, starts, goals);
        self.redirected = true;
    }

    /// Joins the ends as they are.
    pub(crate) fn join_to(&mut self, ground: &impl Ground, starts: &[Cell], goals: &[Cell]) {
        self.redirected = false;
        let Self { onwards, onwards_end, back, back_end, direct, .. } = self;
        onwards.clear();
        onwards_end.clear();
        back.clear();
        back_end.clear();
        direct.clear();
        // A start costs nothing to be at, so that of all pairs only the cheapest can be the answer: a list of all pairs
        // would take as much memory as there are starts times goals.
        let mut least: Option<(u32, u32, u64)> = None;
        for (start, &from) in (0..).zip(starts) {
            for (goal, &to) in (0..).zip(goals) {
                let cost = ground.direct_cost(from, to);
                let cost = cost.filter(|&cost| least.is_none_or(|known| cost < known.2));
                least = cost.map(|cost| (start, goal, cost)).or(least);
            }
        }
        direct.extend(least);
        if starts.len() == 1 && goals.len() == 1 && !direct.is_empty() {
            // No path is shorter.
            return;
        }
        for &from in starts {
            ground.links_onwards(from, |link| onwards.push(link));
            onwards_end.push(onwards.len() as u32);
        }
        for &to in goals {
            ground.links_back(to, |link| back.push(link));
            back_end.push(back.len() as u32);
        }
    }

    fn some_pair_connected(&mut self, ground: &impl Ground) -> bool {
        if !self.direct.is_empty() {
            return true;
        }
        let part = |link: &Link| ground.part_of(link.subgoal);
        self.parts.clear();
        for link in &self.onwards {
            // A subgoal that no taut path passes is a part of its own: one link is not enough to decide.
            if !self.parts.contains(&part(link)) {
                self.parts.push(part(link));
            }
        }
        self.back.iter().any(|link| self.parts.contains(&part(link)))
    }

    /// The one pair that see each other, if there is but one pair: the answer.
    pub(crate) fn in_sight(&self, starts: &[Cell], goals: &[Cell]) -> Option<(Cell, Cell, u64)> {
        match (starts, goals, &self.direct[..]) {
            (&[start], &[goal], &[(_, _, cost)]) => Some((start, goal, cost)),
            _ => None,
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        (self.onwards.capacity() + self.back.capacity()) * size_of::<Link>()
            + (self.onwards_end.capacity() + self.back_end.capacity() + self.parts.capacity())
                * size_of::<u32>()
            + self.direct.capacity() * size_of::<(u32, u32, u64)>()
            + self.flood.memory_bytes()
            + self.descent.memory_bytes()
    }
}
