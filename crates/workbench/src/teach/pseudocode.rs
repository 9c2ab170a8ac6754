//! Each algorithm as lectures write it, and which line a step is at.

use highroad::search::{Side, TraceKind};
use highroad_pictures::PhaseKind;
use highroad_pictures::replay::Replay;

/// What a line of pseudocode is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// Nothing that a step shows.
    Nothing,
    Start,
    StartBackward,
    Take,
    TakeBackward,
    Goal,
    Open,
    Improve,
    Reopen,
    Insert,
    Direct,
    /// A search after the first one.
    NextSearch,
    Refine,
    Smooth,
}

/// A line of pseudocode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PseudocodeLine {
    /// The text, with spaces at its beginning for what it is inside of.
    pub text: &'static str,
    at: At,
}

/// An algorithm as lectures write it.
#[derive(Clone, Copy, Debug)]
pub struct Pseudocode {
    /// The lines.
    pub lines: &'static [PseudocodeLine],
}

impl Pseudocode {
    /// The line that the current step of a recording is at, from 0; `None` before the first step.
    pub fn current(&self, replay: &Replay) -> Option<usize> {
        let (event, _) = replay.current()?;
        let phase = replay.phase().map(|phase| replay.phases()[phase].kind);
        let backward = event.side == Side::Backward;
        let wanted = match event.kind {
            TraceKind::Start if backward => &[At::StartBackward, At::Start][..],
            TraceKind::Start => &[At::Start],
            TraceKind::Expand if backward => &[At::TakeBackward, At::Take],
            TraceKind::Expand if matches!(phase, Some(PhaseKind::Search(2..))) => {
                &[At::NextSearch, At::Take]
            }
            TraceKind::Expand => &[At::Take],
            TraceKind::Goal => &[At::Goal],
            TraceKind::Open => &[At::Open],
            TraceKind::Improve => &[At::Improve, At::Open],
            TraceKind::Reopen => &[At::Reopen, At::Improve, At::Open],
            TraceKind::Join if phase == Some(PhaseKind::Direct) => &[At::Direct],
            TraceKind::Join => &[At::Insert],
            TraceKind::Refine if phase == Some(PhaseKind::Direct) => &[At::Direct],
            TraceKind::Refine => &[At::Refine],
            TraceKind::Smooth => &[At::Smooth],
            _ => &[],
        };
        let line = |at: &At| self.lines.iter().position(|line| line.at == *at);
        // What has no line of its own happens inside of taking a node.
        wanted.iter().chain(&[At::Take]).find_map(line)
    }
}

macro_rules! lines {
    ($($at:ident $text:literal)*) => {
        Pseudocode { lines: &[$(PseudocodeLine { text: $text, at: At::$at }),*] }
    };
}

/// The algorithm of a planner, by its name in the catalog.
pub fn pseudocode(planner: &str) -> Option<&'static Pseudocode> {
    static BFS: Pseudocode = lines! {
        Start "put the start into the queue"
        Nothing "while the queue is not empty:"
        Take "    take the cell that has waited longest"
        Goal "    if it is the goal: follow the parents back, done"
        Nothing "    for each neighbour that was never reached:"
        Open "        remember its parent, put it into the queue"
        Nothing "there is no path"
    };
    static DIJKSTRA: Pseudocode = lines! {
        Start "g(start) = 0, put the start on the open list"
        Nothing "while the open list is not empty:"
        Take "    take the cell with the smallest g"
        Goal "    if it is the goal: follow the parents back, done"
        Nothing "    for each neighbour:"
        Nothing "        new = g(cell) + cost of the step"
        Open "        if it was never reached: g = new, open it"
        Improve "        if new < g: g = new, change its parent"
        Nothing "there is no path"
    };
    static ASTAR: Pseudocode = lines! {
        Start "g(start) = 0, put the start on the open list"
        Nothing "while the open list is not empty:"
        Take "    take the cell with the smallest f = g + h"
        Goal "    if it is the goal: follow the parents back, done"
        Nothing "    for each neighbour:"
        Nothing "        new = g(cell) + cost of the step"
        Open "        if it was never reached: g = new, open it"
        Improve "        if new < g: g = new, change its parent"
        Reopen "            if it was closed: open it again"
        Nothing "there is no path"
    };
    static GREEDY: Pseudocode = lines! {
        Start "put the start on the open list"
        Nothing "while the open list is not empty:"
        Take "    take the cell with the smallest h"
        Goal "    if it is the goal: follow the parents back, done"
        Nothing "    for each neighbour:"
        Open "        if it was never reached: open it"
        Improve "        if it is cheaper now: change its parent"
        Nothing "there is no path"
    };
    static DEPTH_FIRST: Pseudocode = lines! {
        Start "put the start on the stack"
        Nothing "while the stack is not empty:"
        Take "    take the cell on top, close it"
        Goal "    if it is the goal: follow the parents back, done"
        Nothing "    for each neighbour that is not closed:"
        Open "        remember its parent, put it on the stack"
        Nothing "there is no path"
    };
    static BIDIRECTIONAL: Pseudocode = lines! {
        Start "put the start on the open list from the start"
        StartBackward "put the goal on the open list from the goal"
        Nothing "while both lists are not empty:"
        Goal "    if smallest g + smallest g >= best: done"
        Nothing "    choose the list with the smaller g"
        Take "    from the start: take its first cell"
        TakeBackward "    from the goal: take its first cell"
        Nothing "    for each neighbour:"
        Open "        if it was never reached: g = new, open it"
        Improve "        if new < g: g = new, change its parent"
        Nothing "        if the other search was there:"
        Nothing "            best = min(best, g from both sides)"
    };
    static JPS: Pseudocode = lines! {
        Start "put the start on the open list"
        Nothing "while the open list is not empty:"
        Take "    take the cell with the smallest f = g + h"
        Goal "    if it is the goal: follow the parents back, done"
        Nothing "    for each direction that is not pruned:"
        Nothing "        walk on until a path may have to turn,"
        Nothing "        or the goal or a wall is met"
        Open "        if a jump point was found: open it"
        Improve "        if it is cheaper now: change its parent"
        Nothing "there is no path"
    };
    static HPA: Pseudocode = lines! {
        Nothing "before: cut the map into clusters, place transitions,"
        Nothing "        find the costs between those of one cluster"
        Start "the query: a start and a goal"
        Direct "if they lie close together: join them directly, done"
        Insert "insert ends: join both to the transitions around them"
        Nothing "abstract search: A* over transitions"
        Take "    take the transition with the smallest f = g + h"
        Open "    open those that it leads to"
        Goal "    until the goal is taken"
        Refine "refine: fill in the cells between transitions"
        Smooth "smooth: pull the path tight"
    };
    static PRA: Pseudocode = lines! {
        Nothing "before: fold cells that touch into groups of up to four,"
        Nothing "        those into groups again, layer by layer"
        Direct "if the ends lie close together: join them, done"
        Start "begin on a layer in the middle"
        Nothing "abstract search: A* over the groups of that layer"
        Take "    take the group with the smallest f = g + h"
        Open "    open the groups that touch it"
        Goal "    until the goal's group is taken"
        NextSearch "refine: A* a layer below, inside these groups only"
        Refine "at the cells: that is the path"
        Smooth "smooth: pull the path tight"
    };
    static SUBGOAL: Pseudocode = lines! {
        Nothing "before: find the corners where paths may turn,"
        Nothing "        join those that see each other"
        Start "join the start and the goal to the corners they see"
        Take "A*: take the corner with the smallest f = g + h"
        Open "    open the corners that it is joined to"
        Goal "    until the goal is taken"
        Nothing "fill in the cells between corners"
    };
    static CH: Pseudocode = lines! {
        Nothing "before: give every node a rank; take them out in that"
        Nothing "        order, and add shortcuts that keep distances"
        Start "join the start and the goal"
        StartBackward "search from both, only towards higher ranks"
        Take "    from the start: take its first node"
        TakeBackward "    from the goal: take its first node"
        Open "    open the nodes above it"
        Goal "    until no better meeting can come"
        Nothing "unpack the shortcuts into cells"
    };
    static HUB_LABELS: Pseudocode = lines! {
        Nothing "before: give every node a list of hubs and distances,"
        Nothing "        so that any two nodes share a hub on a best path"
        Start "take the lists of the start and of the goal"
        Take "find the hub with the smallest sum of distances"
        Open "    look at the next pair of links"
        Goal "walk from both ends to that hub: done"
    };
    static REGIONS: Pseudocode = lines! {
        Nothing "before: group cells into regions, and find what it"
        Nothing "        costs to go from a region to its neighbour"
        Start "the query: a start and a goal"
        Nothing "first level: search the graph of regions"
        Take "    take the node with the smallest f = g + h"
        Open "    open its neighbours"
        Goal "    until the goal's region, or the goal, is taken"
        NextSearch "second level: search cells, in these regions only"
    };
    static ENTRANCES: Pseudocode = lines! {
        Nothing "before: group cells into regions, find the entrances"
        Nothing "        and the costs between those of one region"
        Start "join the start and the goal to the entrances"
        Take "A*: take the entrance with the smallest f = g + h"
        Open "    open the entrances that it leads to"
        Goal "    until the goal is taken"
        NextSearch "fill in the cells between entrances"
    };
    Some(match planner {
        "bfs" => &BFS,
        "dijkstra" => &DIJKSTRA,
        "astar" | "weighted-astar" => &ASTAR,
        "greedy" => &GREEDY,
        "depth-first" => &DEPTH_FIRST,
        "bidirectional" => &BIDIRECTIONAL,
        "jps" => &JPS,
        "hpa" => &HPA,
        "pra" => &PRA,
        "subgoal" => &SUBGOAL,
        "ch" => &CH,
        "hub-labels" => &HUB_LABELS,
        "regions" => &REGIONS,
        "entrances" => &ENTRANCES,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::teach::{planners_of_cells, record};
    use highroad::Cell;
    use highroad::catalog::Spec;
    use highroad::grid::Grid;
    use std::collections::BTreeSet;

    fn lines_of(text: &str) -> BTreeSet<&'static str> {
        let map = "....................\n.######...#####.....\n......#...#.........\n....###...#.........\n....................\n";
        let grid = Grid::with_defaults(map.parse().unwrap());
        let spec: Spec = text.parse().unwrap();
        let code = pseudocode(spec.entry().name).unwrap();
        let mut replay = record(&spec, &grid, (Cell::new(1, 3), Cell::new(15, 3))).unwrap().replay;
        let mut seen = BTreeSet::new();
        for position in 1..=replay.len() {
            replay.go_to(position, |_| ());
            let line = code.current(&replay).unwrap_or_else(|| panic!("{text} at {position}"));
            seen.insert(code.lines[line].text.trim());
        }
        seen
    }

    #[test]
    fn every_planner_has_pseudocode_and_every_step_a_line() {
        for entry in planners_of_cells() {
            assert!(pseudocode(entry.name).is_some(), "{}", entry.name);
            lines_of(entry.name);
        }
    }

    #[test]
    fn lines_are_short_enough_for_the_panel() {
        for entry in planners_of_cells() {
            for line in pseudocode(entry.name).unwrap().lines {
                assert!(line.text.chars().count() <= 58, "{}: {}", entry.name, line.text);
            }
        }
    }

    #[test]
    fn the_phases_of_hierarchies_are_lines() {
        let hpa = lines_of("hpa:cluster=5:direct=no");
        for line in [
            "insert ends: join both to the transitions around them",
            "take the transition with the smallest f = g + h",
            "refine: fill in the cells between transitions",
            "smooth: pull the path tight",
        ] {
            assert!(hpa.contains(line), "{line}: {hpa:?}");
        }
        assert!(lines_of("hpa").contains("if they lie close together: join them directly, done"));
        let pra = lines_of("pra:refine=layers:start=half");
        assert!(pra.contains("refine: A* a layer below, inside these groups only"), "{pra:?}");
        assert!(lines_of("bidirectional").contains("from the goal: take its first cell"));
    }
}
