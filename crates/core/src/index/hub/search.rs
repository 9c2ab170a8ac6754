//! Queries: join the ends to subgoals, meet at a hub, unfold the ways to it.

use super::distance::TableMemory;
use super::landmarks::LinkBounds;
use super::meet::{End, Meeting, Slots};
use super::{Answers, HubLabels, Labelled, Labels};
use crate::grid::{Cell, Connectivity, Cost, Edition, Grid};
use crate::index::ch::ChMemory;
use crate::index::subgoal::{Ground, Link, Lookout, Terminals, answer_for};
use crate::path::octile_cost;
use crate::planner::{
    Algorithm, Guarantee, Memory, PathQuery, Progress, Scratch, Session, SketchLayer,
    limit_reached, report_starts,
};
use crate::search::{SearchObserver, Side, TraceEvent, TraceKind};
use crate::space::NodeId;

/// What a query of [`HubLabels`] needs of a [`Scratch`].
#[derive(Default)]
pub struct HubMemory {
    pub(super) terminals: Terminals,
    pub(super) slots: Slots,
    /// The least that a path by way of each link can cost, onwards and back.
    least: [Vec<u64>; 2],
    pub(super) meeting: Option<Meeting>,
    /// A link onwards and a goal that is seen from its end, and what the way costs.
    pub(super) glimpse: Option<(u32, u32, u64)>,
    /// The cells between which the path goes straight on.
    pub(super) turns: Vec<Cell>,
    pub(super) table: TableMemory,
    /// Of the hierarchy that answers where labels cannot.
    pub(super) climb: ChMemory,
}

impl Memory for HubMemory {
    fn bytes(&self) -> usize {
        self.terminals.memory_bytes()
            + self.slots.memory_bytes()
            + self.least.iter().map(|least| least.capacity() * size_of::<u64>()).sum::<usize>()
            + self.turns.capacity() * size_of::<Cell>()
            + self.table.memory_bytes()
            + self.climb.bytes()
    }
}

impl HubMemory {
    /// Finds where the ends of a query meet, once they are joined.
    pub(super) fn meet(&mut self, labelled: &Labelled, starts: &[Cell], goals: &[Cell]) {
        let Self { terminals, slots, least, meeting, glimpse, .. } = self;
        *meeting = None;
        *glimpse = None;
        if terminals.in_sight(starts, goals).is_some() {
            return;
        }
        let [onwards, back] = least;
        let Labelled { subgoals, labels, .. } = labelled;
        let map = &subgoals.map;
        let lists = [&terminals.onwards, &terminals.back];
        let [around_starts, around_goals] = lists.map(|links| labels.around(links));
        let (to_goals, to_starts) = ((&around_goals, goals), (&around_starts, starts));
        let estimate = |link: &Link, (around, others): (&LinkBounds, &[Cell])| {
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
        *meeting = labels.meet(slots, onwards, back);
        // The last leg may lead from the end of a link.
        let mut best = meeting.map_or(u64::MAX, |met| met.cost);
        for (goal, &to) in (0..).zip(goals) {
            let mut lookout = None;
            for (at, link) in (0..).zip(onwards.links) {
                let cell = labels.nodes[link.subgoal as usize].cell;
                let way = octile_cost(cell, to, map.straight, map.diagonal);
                let cost = u64::from(link.cost) + way;
                if cost < best && lookout.get_or_insert_with(|| Lookout::new(map, to)).sees(cell) {
                    best = cost;
                    *glimpse = Some((at, goal, cost));
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

    fn connectivity(&self) -> Option<&Connectivity> {
        self.subgoals.connectivity()
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

impl Labelled {
    fn join_and_meet(&self, grid: &Grid, session: &mut Session<'_, Cell>, own: &mut HubMemory) {
        own.terminals.join_to(self, session.starts, session.goals);
        own.meet(self, session.starts, session.goals);
        if own.meeting.is_none() && own.glimpse.is_none() && own.terminals.direct.is_empty() {
            own.terminals.redirect(self, grid, session.starts, session.goals);
            own.meet(self, session.starts, session.goals);
        }
    }

    fn answer<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &mut HubMemory,
        slice: u64,
        observer: &mut O,
    ) -> Progress {
        report_starts(grid, session, observer);
        let unit = 2 * u64::from(grid.uniform_cost().unwrap_or(1));
        if let Some(meeting) = own.meeting {
            // To look at the hub is the one expansion there is.
            if session.slice_end(slice) == 0 {
                let over = session.limits().expansions_max == 0;
                return if over {
                    Progress::Done(limit_reached(grid, session))
                } else {
                    Progress::Running
                };
            }
            let statistics = session.statistics();
            statistics.expanded = 1;
            statistics.generated = 2;
            statistics.open_max = 2;
            if O::ACTIVE {
                let Labelled { subgoals, labels, .. } = self;
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
        match self.find_turns(own, session.starts, session.goals) {
            Some(cost) => {
                session.writing.places.clear();
                session.writing.places.extend_from_slice(&own.turns);
                answer_for(grid, session, &own.terminals, Cost(cost * unit))
            }
            None => Progress::Done(limit_reached(grid, session)),
        }
    }

    /// Finds the cells where the path may turn, with its ends, and its cost in the graph's unit.
    pub(super) fn find_turns(
        &self,
        own: &mut HubMemory,
        starts: &[Cell],
        goals: &[Cell],
    ) -> Option<u64> {
        let Self { subgoals, labels, .. } = self;
        let HubMemory { terminals, meeting, glimpse, turns, .. } = own;
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

impl Algorithm<Grid> for HubLabels {
    type Memory = HubMemory;

    fn guarantee_for(&self, _grid: &Grid) -> Guarantee {
        Guarantee::Optimal
    }

    fn is_current(&self, grid: &Grid) -> bool {
        self.grid == grid.edition()
    }

    fn identity(&self) -> Option<Edition> {
        Some(self.own)
    }

    fn start(
        &self,
        grid: &Grid,
        query: &PathQuery,
        session: &mut Session<'_, Cell>,
        own: &mut HubMemory,
    ) {
        match &self.answers {
            Answers::Labels(labelled) => labelled.join_and_meet(grid, session, own),
            Answers::Hierarchy { index, .. } => index.start(grid, query, session, &mut own.climb),
        }
    }

    fn run<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &mut HubMemory,
        slice: u64,
        observer: &mut O,
    ) -> Progress {
        match &self.answers {
            Answers::Labels(labelled) => labelled.answer(grid, session, own, slice, observer),
            Answers::Hierarchy { index, .. } => {
                index.run(grid, session, &mut own.climb, slice, observer)
            }
        }
    }

    fn held_bytes(&self) -> usize {
        match &self.answers {
            Answers::Labels(labelled) => {
                let Labelled { subgoals, labels, reach } = &**labelled;
                subgoals.held_bytes() + labels.memory_bytes() + reach.memory_bytes()
            }
            Answers::Hierarchy { index, .. } => index.held_bytes(),
        }
    }

    fn caveat(&self) -> Option<String> {
        self.fallback().map(|reason| reason.to_string())
    }

    fn layers(&self, grid: &Grid) -> Vec<SketchLayer> {
        match &self.answers {
            Answers::Labels(labelled) => labelled.draw_hubs(),
            Answers::Hierarchy { index, .. } => index.layers(grid),
        }
    }

    fn query_layers(&self, grid: &Grid, own: &HubMemory, scratch: &Scratch) -> Vec<SketchLayer> {
        match &self.answers {
            Answers::Labels(labelled) => labelled.draw_query(own),
            Answers::Hierarchy { index, .. } => index.query_layers(grid, &own.climb, scratch),
        }
    }

    fn to_bytes(&self, _grid: &Grid) -> Option<Vec<u8>> {
        Some(self.save())
    }
}
