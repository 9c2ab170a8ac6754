//! Queries: join the ends to subgoals, meet at a hub, unfold the ways to it.

use super::distance::TableScratch;
use super::landmarks::Around;
use super::meet::{End, Meeting, Slots};
use super::{Answers, HubLabels, Labelled, Labels};
use crate::grid::{Cell, Change, Cost, Edition, Grid};
use crate::index::subgoal::{Ground, Link, Lookout, Terminals, judged, limit_reached, tell_starts};
use crate::path::{Path, octile_cost};
use crate::planner::{CatchUp, Guarantee, Planner, Progress, Query, QueryError, SketchLayer, Task};
use crate::search::{
    Begun, NoTrace, Observer, Run, Scratch, Side, TraceEvent, TraceKind, TraceLog,
};
use crate::space::NodeId;

/// What a query of [`HubLabels`] needs of a [`Scratch`], beside what a subgoal graph needs.
#[derive(Default)]
pub(crate) struct HubScratch {
    /// Whose query the last one was, if it was one of labels.
    pub(super) index: Option<Edition>,
    pub(super) slots: Slots,
    /// The least that a path by way of each link can cost, onwards and back.
    least: [Vec<u64>; 2],
    pub(super) meeting: Option<Meeting>,
    /// A link onwards and a goal that is seen from its end, and what the way costs.
    pub(super) glimpse: Option<(u32, u32, u64)>,
    /// The cells between which the path goes straight on.
    pub(super) turns: Vec<Cell>,
    pub(super) table: TableScratch,
}

impl HubScratch {
    pub(crate) fn memory_bytes(&self) -> usize {
        self.slots.memory_bytes()
            + self.least.iter().map(|least| least.capacity() * size_of::<u64>()).sum::<usize>()
            + self.turns.capacity() * size_of::<Cell>()
            + self.table.memory_bytes()
    }

    /// The last query is another's.
    pub(crate) fn forget(&mut self) {
        self.index = None;
    }

    /// Finds where the ends of a query meet, once they are joined.
    pub(super) fn meet(
        &mut self,
        labelled: &Labelled,
        terminals: &Terminals,
        starts: &[Cell],
        goals: &[Cell],
    ) {
        self.meeting = None;
        self.glimpse = None;
        if terminals.in_sight(starts, goals).is_some() {
            return;
        }
        let [onwards, back] = &mut self.least;
        let Labelled { subgoals, labels, .. } = labelled;
        let map = &subgoals.map;
        let lists = [&terminals.onwards, &terminals.back];
        let [around_starts, around_goals] = lists.map(|links| labels.around(links));
        let (to_goals, to_starts) = ((&around_goals, goals), (&around_starts, starts));
        let estimate = |link: &Link, (around, others): (&Around, &[Cell])| {
            let cell = labels.nodes[link.subgoal as usize].cell;
            let to = |other: &Cell| octile_cost(cell, *other, map.straight, map.diagonal);
            let in_sight = u64::from(link.cost) + others.iter().map(to).min().unwrap_or(0);
            labels.least(*link, around).max(in_sight)
        };
        onwards.clear();
        onwards.extend(terminals.onwards.iter().map(|link| estimate(link, to_goals)));
        back.clear();
        back.extend(terminals.back.iter().map(|link| estimate(link, to_starts)));
        let onwards = End { links: &terminals.onwards, least: onwards };
        let back = End { links: &terminals.back, least: back };
        self.meeting = labels.meet(&mut self.slots, onwards, back);
        // The last leg may lead from the end of a link.
        let mut best = self.meeting.map_or(u64::MAX, |met| met.cost);
        for (goal, &to) in (0..).zip(goals) {
            let mut lookout = None;
            for (at, link) in (0..).zip(onwards.links) {
                let cell = labels.nodes[link.subgoal as usize].cell;
                let way = octile_cost(cell, to, map.straight, map.diagonal);
                let cost = u64::from(link.cost) + way;
                if cost < best && lookout.get_or_insert_with(|| Lookout::new(map, to)).sees(cell) {
                    best = cost;
                    self.glimpse = Some((at, goal, cost));
                }
            }
        }
    }
}

/// Joins cells to subgoals that see them, whichever way round: ways are walked both ways.
impl Ground for Labelled {
    fn direct_cost(&self, from: Cell, to: Cell) -> Option<u64> {
        self.subgoals.direct_cost(from, to).or_else(|| self.subgoals.direct_cost(to, from))
    }

    fn links_onwards(&self, from: Cell, visit: impl FnMut(Link)) {
        self.reach.links(&self.subgoals.map, &self.labels, from, visit);
    }

    fn links_back(&self, to: Cell, visit: impl FnMut(Link)) {
        self.reach.links(&self.subgoals.map, &self.labels, to, visit);
    }

    fn part_of(&self, node: u32) -> u32 {
        self.subgoals.part_of(node)
    }
}

/// Which end a link belongs to.
fn end_of(link: u32, ends: &[u32]) -> usize {
    ends.partition_point(|&end| end <= link)
}

/// Where a way turns that goes straight first, then diagonally, if it does both.
fn turn_of(from: Cell, to: Cell) -> Option<Cell> {
    let (columns, rows) = from.offset(to);
    let toward = |from: u32, to: u32, by: u32| if to > from { from + by } else { from - by };
    (columns != rows && columns.min(rows) > 0).then(|| {
        if columns > rows {
            Cell::new(toward(from.x, to.x, columns - rows), from.y)
        } else {
            Cell::new(from.x, toward(from.y, to.y, rows - columns))
        }
    })
}

impl HubLabels {
    fn resume<O: Observer>(
        &self,
        labelled: &Labelled,
        grid: &Grid,
        scratch: &mut Scratch,
        slice: u64,
        observer: &mut O,
    ) -> Progress {
        if self.grid != grid.edition() || !scratch.runs(self.grid, Task::Index(self.own)) {
            scratch.end();
            return Progress::Stale;
        }
        tell_starts(grid, scratch, observer);
        let unit = 2 * u64::from(grid.uniform_cost().unwrap_or(1));
        if let Some(begun) = &mut scratch.begun
            && let Some(meeting) = scratch.hub.meeting
        {
            // To look at the hub is the one expansion there is.
            if begun.run.slice_end(slice) == 0 {
                let over = begun.run.limits.expansions_max == 0;
                return if over {
                    Progress::Done(limit_reached(grid, scratch))
                } else {
                    Progress::Running
                };
            }
            begun.run.statistics.expanded = 1;
            begun.run.statistics.generated = 2;
            begun.run.statistics.open_max = 2;
            if O::ACTIVE {
                let Labelled { subgoals, labels, .. } = labelled;
                let hub = subgoals.map.cells[labels.hub_of(meeting.places[0]) as usize];
                let node = NodeId(grid.extent().id_inside(hub).0);
                let (g, h) =
                    (meeting.onwards_cost * unit, (meeting.cost - meeting.onwards_cost) * unit);
                let event = |kind, side, g, h| TraceEvent { kind, node, parent: node, g, h, side };
                observer.event(event(TraceKind::Open, Side::Forward, g, h));
                observer.event(event(TraceKind::Open, Side::Backward, h, g));
                observer.event(event(TraceKind::Expand, Side::Forward, g, h));
            }
        }
        let cost = labelled.find_turns(scratch);
        match cost {
            Some(cost) => {
                let turns = scratch.hub.turns.iter().copied();
                let path = Path::by_legs(turns, Cost(cost * unit), grid.revision());
                Progress::Done(judged(grid, scratch, path))
            }
            None => Progress::Done(limit_reached(grid, scratch)),
        }
    }
}

impl Labelled {
    /// Finds the cells where the path may turn, with its ends, and its cost in the graph's unit.
    pub(super) fn find_turns(&self, scratch: &mut Scratch) -> Option<u64> {
        let Self { subgoals, labels, .. } = self;
        let Scratch { subgoal, hub, starts, goals, .. } = scratch;
        let HubScratch { meeting, glimpse, turns, .. } = hub;
        let terminals = &subgoal.terminals;
        turns.clear();
        let direct = terminals.direct.iter().min_by_key(|&&(_, _, cost)| cost);
        let met = meeting.map_or(u64::MAX, |met| met.cost);
        let glimpsed = glimpse.map_or(u64::MAX, |(_, _, cost)| cost);
        let push_seen = |turns: &mut Vec<Cell>, from: Cell, to: Cell| {
            if !subgoals.map.sees(from, to) {
                turns.extend(turn_of(from, to));
            }
            turns.push(to);
        };
        let start_of = |link: u32| starts[end_of(link, &terminals.onwards_end)];
        if let Some(&(start, goal, cost)) = direct
            && cost <= met.min(glimpsed)
        {
            turns.push(starts[start as usize]);
            push_seen(turns, starts[start as usize], goals[goal as usize]);
            return Some(cost);
        }
        if let Some((link, goal, cost)) = *glimpse
            && cost < met
        {
            let node = terminals.onwards[link as usize].subgoal;
            let cell = subgoals.map.cells[node as usize];
            turns.extend([start_of(link), cell]);
            push_seen(turns, cell, goals[goal as usize]);
            return Some(cost);
        }
        let met = (*meeting)?;
        turns.push(start_of(met.onwards));
        labels.unfold(&subgoals.map.cells, met.places, turns);
        // The link was found from the goal.
        let goal = goals[end_of(met.back, &terminals.back_end)];
        turns.extend(turn_of(turns[turns.len() - 1], goal));
        turns.push(goal);
        Some(met.cost)
    }
}

impl Labels {
    /// The hub of a tree, from any place in it.
    fn hub_of(&self, mut place: u32) -> u32 {
        loop {
            let (word, parent) = self.step(place);
            if word.is_root() {
                return word.node();
            }
            place = parent;
        }
    }

    /// Adds the cells of the way from one node of a tree up to the hub and down to another.
    fn unfold(&self, cells: &[Cell], [up, down]: [u32; 2], turns: &mut Vec<Cell>) {
        let (mut word, mut parent) = self.step(up);
        let mut at = cells[word.node() as usize];
        turns.push(at);
        while !word.is_root() {
            let there = word.ways().there();
            (word, parent) = self.step(parent);
            let next = cells[word.node() as usize];
            if !there {
                turns.extend(turn_of(at, next));
            }
            turns.push(next);
            at = next;
        }
        // The way down is read from its end.
        let begin = turns.len();
        (word, parent) = self.step(down);
        at = cells[word.node() as usize];
        while !word.is_root() {
            let back = word.ways().back();
            turns.push(at);
            (word, parent) = self.step(parent);
            let next = cells[word.node() as usize];
            if !back {
                turns.extend(turn_of(next, at));
            }
            at = next;
        }
        turns[begin..].reverse();
    }
}

impl Planner for HubLabels {
    fn guarantee(&self, _grid: &Grid) -> Guarantee {
        Guarantee::Optimal
    }

    fn begin(&self, grid: &Grid, query: &Query, scratch: &mut Scratch) -> Result<(), QueryError> {
        let labelled = match &self.answers {
            Answers::Labels(labelled) => labelled,
            Answers::Hierarchy { index, .. } => return index.begin(grid, query, scratch),
        };
        scratch.end();
        if self.grid != grid.edition() {
            return Err(QueryError::Stale);
        }
        query.check(grid)?;
        scratch.hold(query.starts(), query.goals());
        scratch.hub.index = Some(self.own);
        let Scratch { subgoal, hub, starts, goals, flood, .. } = scratch;
        let terminals = &mut subgoal.terminals;
        terminals.join_to(&**labelled, starts, goals);
        hub.meet(labelled, terminals, starts, goals);
        if hub.meeting.is_none() && hub.glimpse.is_none() && terminals.direct.is_empty() {
            terminals.redirect(&**labelled, grid, starts, goals, flood);
            hub.meet(labelled, terminals, starts, goals);
        }
        let (edition, task) = (grid.edition(), Task::Index(self.own));
        let run = Run::new(query.limits());
        scratch.begun = Some(Begun { edition, task, run, starts_told: false });
        Ok(())
    }

    fn advance(&self, grid: &Grid, scratch: &mut Scratch, slice: u64) -> Progress {
        match &self.answers {
            Answers::Labels(labelled) => self.resume(labelled, grid, scratch, slice, &mut NoTrace),
            Answers::Hierarchy { index, .. } => index.advance(grid, scratch, slice),
        }
    }

    fn advance_traced(
        &self,
        grid: &Grid,
        scratch: &mut Scratch,
        slice: u64,
        log: &mut TraceLog,
    ) -> Progress {
        match &self.answers {
            Answers::Labels(labelled) => self.resume(labelled, grid, scratch, slice, log),
            Answers::Hierarchy { index, .. } => index.advance_traced(grid, scratch, slice, log),
        }
    }

    fn catch_up(&mut self, grid: &Grid, _changes: &[Change], _scratch: &mut Scratch) -> CatchUp {
        if self.grid == grid.edition() { CatchUp::Done } else { CatchUp::NeedsRebuild }
    }

    fn memory_bytes(&self) -> usize {
        match &self.answers {
            Answers::Labels(labelled) => {
                let Labelled { subgoals, labels, reach } = &**labelled;
                subgoals.memory_bytes() + labels.memory_bytes() + reach.memory_bytes()
            }
            Answers::Hierarchy { index, .. } => index.memory_bytes(),
        }
    }

    fn remark(&self) -> Option<String> {
        self.fallback().map(|reason| reason.to_string())
    }

    fn sketch(&self, grid: &Grid) -> Vec<SketchLayer> {
        match &self.answers {
            Answers::Labels(_) => self.draw_hubs(),
            Answers::Hierarchy { index, .. } => index.sketch(grid),
        }
    }

    fn sketch_query(&self, grid: &Grid, scratch: &Scratch) -> Vec<SketchLayer> {
        match &self.answers {
            Answers::Labels(_) => self.draw_query(&scratch.hub, &scratch.subgoal.terminals),
            Answers::Hierarchy { index, .. } => index.sketch_query(grid, scratch),
        }
    }
}
