//! The open list at a position of a recording, as a table in its order.
//!
//! Each event changes at most two entries: that of its node, and none or one before it. So the list is kept from one
//! position to the next, in both directions. Where another search begins, it starts from the first event of that search.

use super::counting::{Counting, KeyKind};
use highroad::Cell;
use highroad::search::{Side, TieRule, TraceEvent, TraceKind};
use highroad_pictures::replay::Replay;
use std::collections::BTreeSet;

const NEVER: u32 = u32::MAX;

/// A node on the open list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenEntry {
    /// Where it is.
    pub cell: Cell,
    /// Where it was reached from.
    pub parent: Cell,
    /// Cost so far.
    pub g: u64,
    /// Estimated cost to go.
    pub h: u64,
    /// What the list is ordered by.
    pub key: u64,
    /// On whose list it is, of two searches.
    pub side: Side,
}

type Entry = (u64, u64, u32);

/// The open list at a position of a recording.
pub struct OpenList {
    counting: Counting,
    /// For each event of a search, the one before it on the same node, side and search.
    previous: Vec<u32>,
    /// For each event, how many expansions there were before it.
    expanded: Vec<u32>,
    sides: [BTreeSet<Entry>; 2],
    /// How many events have been taken in, from the first of the phase.
    position: usize,
    phase_start: usize,
}

impl OpenList {
    /// The most events of a search whose list is kept: a jump takes as long as the events that it passes.
    pub const EVENTS_MAX: usize = 400_000;

    /// The list of a recording; `None` if that is too long.
    pub fn new(replay: &Replay, counting: Counting) -> Option<Self> {
        if replay.len() > Self::EVENTS_MAX {
            return None;
        }
        let events = replay.events();
        let nodes = events.iter().map(|event| event.node.index() + 1).max().unwrap_or(0);
        let mut latest = vec![NEVER; 2 * nodes];
        let mut previous = vec![NEVER; events.len()];
        let mut expanded = Vec::with_capacity(events.len());
        let mut expansions = 0;
        for phase in replay.phases() {
            for number in phase.events.clone() {
                let event = &events[number];
                expanded.push(expansions);
                expansions += u32::from(event.kind == TraceKind::Expand);
                if !event.kind.is_of_search() {
                    continue;
                }
                let slot = &mut latest[2 * event.node.index() + side_index(event.side)];
                let before = std::mem::replace(slot, number as u32);
                if before != NEVER && before as usize >= phase.events.start {
                    previous[number] = before;
                }
            }
        }
        let sides = Default::default();
        Some(Self { counting, previous, expanded, sides, position: 0, phase_start: 0 })
    }

    /// Goes to where the replay stands.
    pub fn follow(&mut self, replay: &Replay) {
        let target = replay.position();
        let phase = replay.phase().map_or(0, |phase| replay.phases()[phase].events.start);
        if phase != self.phase_start || self.position < phase {
            self.sides.iter_mut().for_each(BTreeSet::clear);
            self.phase_start = phase;
            self.position = phase;
        }
        while self.position < target {
            let number = self.position;
            self.remove(replay, self.previous[number]);
            self.insert(replay, number as u32);
            self.position += 1;
        }
        while self.position > target {
            self.position -= 1;
            let number = self.position;
            self.remove(replay, number as u32);
            self.insert(replay, self.previous[number]);
        }
    }

    fn entry(&self, replay: &Replay, number: u32) -> Option<(usize, Entry)> {
        let event = replay.events().get(number as usize)?;
        if !is_open(event) {
            return None;
        }
        let newest = u64::from(u32::MAX - number);
        let rank = match (self.counting.key, self.counting.ties) {
            // The first successor of the latest expansion comes first.
            (KeyKind::Stack, _) => {
                let expansion = self.expanded[number as usize];
                u64::from(u32::MAX - expansion) << 32 | u64::from(number)
            }
            (_, TieRule::LargerCost) => return Some(self.ranked(event, number, !event.g)),
            (_, TieRule::SmallerNumber) => u64::from(event.node.0),
            (_, TieRule::OldestFirst) => u64::from(number),
            _ => newest,
        };
        Some(self.ranked(event, number, rank))
    }

    fn ranked(&self, event: &TraceEvent, number: u32, rank: u64) -> (usize, Entry) {
        // Equal ranks: the newest first.
        (side_index(event.side), (self.counting.key.of(event), rank, u32::MAX - number))
    }

    fn insert(&mut self, replay: &Replay, number: u32) {
        if let Some((side, entry)) = self.entry(replay, number) {
            self.sides[side].insert(entry);
        }
    }

    fn remove(&mut self, replay: &Replay, number: u32) {
        if let Some((side, entry)) = self.entry(replay, number) {
            self.sides[side].remove(&entry);
        }
    }

    /// The entries in the order in which they would be taken; of two searches, the one from the start first.
    pub fn entries<'a>(&'a self, replay: &'a Replay) -> impl Iterator<Item = OpenEntry> + 'a {
        self.sides.iter().flatten().map(move |&(key, _, number)| {
            let event = replay.events()[(u32::MAX - number) as usize];
            let (cell, parent) = replay.cells_of(&event);
            OpenEntry { cell, parent, g: event.g, h: event.h, key, side: event.side }
        })
    }

    /// How many nodes are open.
    pub fn len(&self) -> usize {
        self.sides.iter().map(BTreeSet::len).sum()
    }

    /// Whether no node is open.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many of a side's nodes share the smallest key.
    pub fn tied(&self, side: Side) -> usize {
        let list = &self.sides[side_index(side)];
        let Some(&(smallest, ..)) = list.first() else { return 0 };
        if self.counting.key == KeyKind::Stack {
            return 1;
        }
        list.iter().take_while(|(key, ..)| *key == smallest).count()
    }

    /// What decides between the nodes that come first, in a sentence; `None` if only one does.
    pub fn ties_text(&self) -> Option<String> {
        let tied = self.tied(Side::Forward).max(self.tied(Side::Backward));
        let letter = self.counting.key.letter()?;
        if tied < 2 {
            return None;
        }
        let rule = self.counting.tie_rule_text();
        let rounded = if self.counting.is_exact {
            ""
        } else {
            " Keys are rounded, so that a node may be taken a little earlier or later than its number says."
        };
        Some(format!("{tied} nodes share the smallest {letter}. Taken first: {rule}.{rounded}"))
    }
}

fn is_open(event: &TraceEvent) -> bool {
    matches!(
        event.kind,
        TraceKind::Start | TraceKind::Open | TraceKind::Improve | TraceKind::Reopen
    )
}

fn side_index(side: Side) -> usize {
    match side {
        Side::Forward => 0,
        Side::Backward => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::teach::{planners_of_cells, record};
    use highroad::catalog::Spec;
    use highroad::grid::Grid;

    const MAP: &str = "....................\n.######...#####.....\n......#...#.........\n......#...#..######.\n..........#.........\n....###...#.........\n....................\n";

    fn recorded(spec: &Spec) -> (Grid, Replay) {
        let grid = Grid::with_defaults(MAP.parse().unwrap());
        let ends = (Cell::new(1, 4), Cell::new(15, 4));
        let recording = record(spec, &grid, ends).unwrap_or_else(|error| panic!("{spec}: {error}"));
        (grid, recording.replay)
    }

    fn specs() -> Vec<Spec> {
        let mut texts: Vec<String> =
            planners_of_cells().map(|entry| entry.name.to_owned()).collect();
        for name in ["bfs", "dijkstra", "astar", "weighted-astar", "greedy", "bidirectional"] {
            texts.push(format!("{name}:textbook=yes"));
        }
        for ties in ["larger-g", "smaller-id", "oldest"] {
            texts.push(format!("astar:ties={ties}"));
        }
        texts.extend(["hpa:cluster=5:direct=no", "pra:refine=layers"].map(str::to_owned));
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    /// What the table shows first is what the search takes next.
    #[test]
    fn the_first_of_the_list_is_taken_next() {
        for spec in specs() {
            let (grid, mut replay) = recorded(&spec);
            let counting = Counting::of(&spec, &grid);
            let mut list = OpenList::new(&replay, counting).unwrap();
            let (mut expansions, mut surprises) = (0, 0);
            for position in 0..replay.len() {
                replay.go_to(position, |_| ());
                list.follow(&replay);
                let next = replay.events()[position];
                if next.kind != TraceKind::Expand {
                    continue;
                }
                expansions += 1;
                let (cell, _) = replay.cells_of(&next);
                let mut own = list.entries(&replay).filter(|entry| entry.side == next.side);
                surprises += u32::from(own.next().map(|entry| entry.cell) != Some(cell));
            }
            if counting.is_exact {
                assert_eq!(surprises, 0, "{spec}: of {expansions}");
                assert!(expansions > 0, "{spec}");
            }
        }
    }

    #[test]
    fn going_back_shows_what_going_forward_showed() {
        for spec in specs() {
            let (grid, mut replay) = recorded(&spec);
            let mut list = OpenList::new(&replay, Counting::of(&spec, &grid)).unwrap();
            let mut seen = Vec::new();
            for position in 0..=replay.len() {
                replay.go_to(position, |_| ());
                list.follow(&replay);
                seen.push(list.entries(&replay).collect::<Vec<_>>());
            }
            for position in (0..=replay.len()).rev().step_by(3) {
                replay.go_to(position, |_| ());
                list.follow(&replay);
                let now: Vec<OpenEntry> = list.entries(&replay).collect();
                assert_eq!(now, seen[position], "{spec} at {position}");
            }
        }
    }

    #[test]
    fn ties_are_explained() {
        let spec: Spec = "astar:textbook=yes".parse().unwrap();
        let (grid, mut replay) = recorded(&spec);
        let mut list = OpenList::new(&replay, Counting::of(&spec, &grid)).unwrap();
        let mut texts = Vec::new();
        for position in 0..replay.len() {
            replay.go_to(position, |_| ());
            list.follow(&replay);
            texts.extend(list.ties_text());
        }
        let example = texts.first().expect("some are equal");
        assert!(
            example.contains("nodes share the smallest f. Taken first: the newest"),
            "{example}"
        );
    }
}
