//! A recorded search, played forwards and backwards.
//!
//! What a cell looks like depends on nothing but the latest event that happened to it. So the whole
//! state is one event number a cell, and each event remembers the one before it on the same cell: a
//! step in either direction is O(1), and a jump costs as much as the events that lie between.

use crate::phases::{Phase, phases_of};
use highroad_core::{Cell, CellId, DrawnPath, Extent, Side, TraceEvent, TraceKind, TraceLog};

const NEVER: u32 = u32::MAX;

/// What a search knows of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellStatus {
    /// It has not been there.
    Untouched,
    /// It is on the open list.
    Open,
    /// It is expanded.
    Closed,
}

/// A recorded search and a place in it.
#[derive(Clone, Debug)]
pub struct Replay {
    extent: Extent,
    events: Vec<TraceEvent>,
    dropped: u64,
    /// For each event, the one before it on the same cell.
    previous: Vec<u32>,
    /// For each event, how many expansions there were before it.
    expanded_before: Vec<u32>,
    /// For each cell, its latest event before the position.
    latest: Vec<u32>,
    /// For each cell, its last event of all.
    last: Vec<u32>,
    /// For each cell, how many events it has had before the position.
    visits: Vec<u16>,
    visits_max: u16,
    g_max: u64,
    expansions: u32,
    /// The parts of the recording.
    phases: Vec<Phase>,
    /// The events that draw the path.
    path_events: Vec<u32>,
    /// How many events there are up to the last one of a search.
    decided_at: usize,
    position: usize,
}

impl Replay {
    /// A replay that stands before the first event. Events that name no cell of the map are left out.
    pub fn new(extent: Extent, log: TraceLog) -> Self {
        let cell_count = extent.cell_count();
        let mut events = log.events().to_vec();
        let inside = |event: &TraceEvent| {
            event.node.index() < cell_count && event.parent.index() < cell_count
        };
        events.retain(inside);
        events.truncate(NEVER as usize);
        let mut last = vec![NEVER; cell_count];
        let mut visits = vec![0u16; cell_count];
        let mut previous = Vec::with_capacity(events.len());
        let mut expanded_before = Vec::with_capacity(events.len());
        let (mut expansions, mut g_max) = (0, 0);
        let mut path_events = Vec::new();
        for (number, event) in events.iter().enumerate() {
            let cell = event.node.index();
            previous.push(std::mem::replace(&mut last[cell], number as u32));
            expanded_before.push(expansions);
            expansions += u32::from(event.kind == TraceKind::Expand);
            if event.kind.is_of_search() {
                visits[cell] = visits[cell].saturating_add(1);
                g_max = g_max.max(event.g);
            } else {
                path_events.push(number as u32);
            }
        }
        let visits_max = visits.iter().copied().max().unwrap_or(0);
        visits.fill(0);
        Self {
            extent,
            dropped: log.dropped(),
            phases: phases_of(&events),
            path_events,
            decided_at: events.iter().rposition(|e| e.kind.is_of_search()).map_or(0, |at| at + 1),
            events,
            previous,
            expanded_before,
            latest: vec![NEVER; cell_count],
            last,
            visits,
            visits_max,
            g_max,
            expansions,
            position: 0,
        }
    }

    /// Columns and rows of the map.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// How many more events there were than could be kept.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// All events.
    pub fn events(&self) -> &[TraceEvent] {
        &self.events
    }

    /// How many events have happened.
    pub fn position(&self) -> usize {
        self.position
    }

    /// How many expansions have happened.
    pub fn expanded(&self) -> u32 {
        self.expanded_before.get(self.position).copied().unwrap_or(self.expansions)
    }

    /// How many expansions there are in all.
    pub fn expansions(&self) -> u32 {
        self.expansions
    }

    /// How many events there are up to the one before expansion `count + 1`: so many that `count` nodes have been expanded,
    /// and what they opened is open.
    pub fn position_of_expansion(&self, count: u32) -> usize {
        if count >= self.expansions {
            return self.events.len();
        }
        self.expanded_before.partition_point(|&before| before <= count).saturating_sub(1)
    }

    /// The largest cost so far of any event.
    pub fn g_max(&self) -> u64 {
        self.g_max
    }

    /// The most events that any cell has.
    pub fn visits_max(&self) -> u16 {
        self.visits_max
    }

    /// Goes to where `position` events have happened, and reports each cell that may look different.
    pub fn go_to(&mut self, position: usize, mut changed: impl FnMut(Cell)) {
        let position = position.min(self.events.len());
        while self.position < position {
            let event = &self.events[self.position];
            let cell = event.node.index();
            self.latest[cell] = self.position as u32;
            if event.kind.is_of_search() {
                self.visits[cell] = self.visits[cell].saturating_add(1);
            }
            self.position += 1;
            changed(self.extent.cell(CellId(cell as u32)));
        }
        while self.position > position {
            self.position -= 1;
            let event = &self.events[self.position];
            let cell = event.node.index();
            self.latest[cell] = self.previous[self.position];
            if event.kind.is_of_search() {
                self.visits[cell] = self.visits[cell].saturating_sub(1);
            }
            changed(self.extent.cell(CellId(cell as u32)));
        }
    }

    /// The event that happened last, and its cell.
    pub fn current(&self) -> Option<(TraceEvent, Cell)> {
        let event = *self.events.get(self.position.checked_sub(1)?)?;
        Some((event, self.cell_of(event.node.0)))
    }

    fn cell_of(&self, number: u32) -> Cell {
        self.extent.cell(CellId(number))
    }

    /// The latest event of a search on a cell.
    fn latest_on(&self, cell: Cell) -> Option<usize> {
        let mut number = self.latest[self.extent.id(cell)?.index()];
        while number != NEVER && !self.events[number as usize].kind.is_of_search() {
            number = self.previous[number as usize];
        }
        (number != NEVER).then_some(number as usize)
    }

    /// The parts of the recording, in order: joining the ends, searches, filling in cells, smoothing. A plain search is
    /// one part.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// The part that the event that happened last belongs to, by its number.
    pub fn phase(&self) -> Option<usize> {
        let latest = self.position.checked_sub(1)?;
        self.phases.iter().position(|phase| phase.events.contains(&latest))
    }

    /// The path as far as it has been filled in and smoothed; `None` where the recording has no such events, since its
    /// path follows from the search.
    pub fn drawn_path(&self) -> Option<DrawnPath> {
        let draws = |number: &u32| self.events[*number as usize].kind != TraceKind::Join;
        if !self.path_events.iter().any(draws) {
            return None;
        }
        let happened =
            self.path_events.partition_point(|&number| (number as usize) < self.position);
        let mut drawn = DrawnPath::default();
        for &number in &self.path_events[..happened] {
            drawn.take(&self.events[number as usize]);
        }
        Some(drawn)
    }

    /// Whether the search has found its goal by now, or has ended without.
    pub fn is_decided(&self) -> bool {
        self.position >= self.decided_at
    }

    /// What is known of the path by now: nothing before the search has found it, then what has been filled in and smoothed.
    /// At the end it is `path`, the answer.
    pub fn known_path(&self, path: &[Cell]) -> Vec<Cell> {
        if self.position == self.events.len() {
            return path.to_vec();
        }
        match self.drawn_path() {
            Some(drawn) => drawn.nodes().map(|node| self.cell_of(node.0)).collect(),
            None if self.is_decided() => path.to_vec(),
            None => Vec::new(),
        }
    }

    /// The cell of an event, and the one that it was reached from.
    pub fn cells_of(&self, event: &TraceEvent) -> (Cell, Cell) {
        (self.cell_of(event.node.0), self.cell_of(event.parent.0))
    }

    /// What the search knows of a cell.
    pub fn status(&self, cell: Cell) -> CellStatus {
        match self.latest_on(cell).map(|number| self.events[number].kind) {
            None => CellStatus::Untouched,
            Some(TraceKind::Expand | TraceKind::Goal) => CellStatus::Closed,
            Some(_) => CellStatus::Open,
        }
    }

    /// The latest event of a cell.
    pub fn latest_event(&self, cell: Cell) -> Option<TraceEvent> {
        self.latest_on(cell).map(|number| self.events[number])
    }

    /// Where a cell was reached from; `None` for a start and where the search has not been.
    pub fn parent(&self, cell: Cell) -> Option<Cell> {
        let event = self.latest_event(cell)?;
        (event.parent != event.node).then(|| self.cell_of(event.parent.0))
    }

    /// When a cell was expanded, from 1; of several times, the latest.
    pub fn order(&self, cell: Cell) -> Option<u32> {
        let mut number = self.latest_on(cell)?;
        loop {
            if self.events[number].kind == TraceKind::Expand {
                return Some(self.expanded_before[number] + 1);
            }
            number = Some(self.previous[number]).filter(|&before| before != NEVER)? as usize;
        }
    }

    /// The order of expansion as a share of all: what the colour ramp shows.
    pub fn order_share(&self, cell: Cell) -> Option<f32> {
        Some(self.order(cell)? as f32 / self.expansions.max(1) as f32)
    }

    /// The cost so far as a share of the largest.
    pub fn cost_share(&self, cell: Cell) -> Option<f32> {
        Some(self.latest_event(cell)?.g as f32 / self.g_max.max(1) as f32)
    }

    /// How often the search came by, as a share of the most.
    pub fn visit_share(&self, cell: Cell) -> Option<f32> {
        let visits = self.visits[self.extent.id(cell)?.index()];
        (visits > 0).then(|| f32::from(visits) / f32::from(self.visits_max.max(1)))
    }

    /// Every event of a cell in the whole recording, with its number, the first first.
    pub fn events_of(&self, cell: Cell) -> Vec<(usize, TraceEvent)> {
        let mut found = Vec::new();
        let mut number = self.extent.id(cell).map_or(NEVER, |id| self.last[id.index()]);
        while number != NEVER {
            found.push((number as usize, self.events[number as usize]));
            number = self.previous[number as usize];
        }
        found.reverse();
        found
    }

    /// Where to stop on the way from the position to `target`: after the first event that a
    /// breakpoint is for.
    pub fn next_stop(&self, target: usize, breakpoints: &[Breakpoint]) -> Option<usize> {
        let ahead = self.events.get(self.position..target.min(self.events.len()))?;
        let hit = |event: &TraceEvent| {
            let cell = self.cell_of(event.node.0);
            breakpoints.iter().any(|breakpoint| breakpoint.is_hit(cell, event))
        };
        ahead.iter().position(hit).map(|index| self.position + index + 1)
    }
}

/// Where playing stops by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Breakpoint {
    /// When something happens to that cell.
    Cell {
        /// Column.
        x: u32,
        /// Row.
        y: u32,
    },
    /// When an expanded cell's value is at least that large.
    AtLeast(Value, u64),
}

/// A number that a search counts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Value {
    /// The cost so far.
    G,
    /// The estimated cost to go.
    H,
    /// Their sum.
    F,
}

impl Value {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::G, Self::H, Self::F];

    /// The letter it goes by.
    pub fn name(self) -> &'static str {
        match self {
            Self::G => "g",
            Self::H => "h",
            Self::F => "f",
        }
    }

    /// The value in an event.
    pub fn of(self, event: &TraceEvent) -> u64 {
        match self {
            Self::G => event.g,
            Self::H => event.h,
            Self::F => event.g.saturating_add(event.h),
        }
    }
}

impl Breakpoint {
    /// Whether an event on a cell is one that playing stops at.
    pub fn is_hit(&self, cell: Cell, event: &TraceEvent) -> bool {
        match *self {
            Self::Cell { x, y } => cell == Cell::new(x, y),
            Self::AtLeast(value, least) => {
                event.kind == TraceKind::Expand && value.of(event) >= least
            }
        }
    }
}

/// What happened, in a word.
pub fn kind_name(kind: TraceKind) -> &'static str {
    match kind {
        TraceKind::Start => "start",
        TraceKind::Open => "opened",
        TraceKind::Improve => "improved",
        TraceKind::Reopen => "reopened",
        TraceKind::Expand => "expanded",
        TraceKind::Goal => "goal",
        TraceKind::Join => "joined",
        TraceKind::Refine => "filled in",
        TraceKind::Smooth => "smoothed",
        _ => "event",
    }
}

/// Which search an event belongs to, for those that have two.
pub fn side_name(side: Side) -> &'static str {
    match side {
        Side::Forward => "from the start",
        Side::Backward => "from the goal",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad_core::{CATALOG, Grid, PathQuery, Scratch, Spec};

    fn recorded(planner: &str) -> (Grid, Replay) {
        let grid = Grid::with_defaults("......\n.####.\n......\n.#.#..\n".parse().unwrap());
        let planner = planner.parse::<Spec>().unwrap().build(&grid).unwrap();
        let mut log = TraceLog::default();
        let query = PathQuery::new((0, 2), (5, 0));
        planner.solve_traced(&grid, &query, &mut Scratch::new(), &mut log).unwrap();
        let replay = Replay::new(grid.extent(), log);
        (grid, replay)
    }

    type Look = (CellStatus, Option<u32>, Option<Cell>, Option<f32>);

    fn picture(grid: &Grid, replay: &Replay) -> Vec<Look> {
        let look = |cell| {
            let visits = replay.visit_share(cell);
            (replay.status(cell), replay.order(cell), replay.parent(cell), visits)
        };
        grid.extent().cells().map(look).collect()
    }

    #[test]
    fn going_back_shows_what_going_forward_showed() {
        for entry in CATALOG.iter().filter(|entry| entry.grid.is_some()) {
            let (grid, mut replay) = recorded(entry.name);
            let mut seen = vec![picture(&grid, &replay)];
            for position in 1..=replay.len() {
                replay.go_to(position, |_| ());
                seen.push(picture(&grid, &replay));
            }
            for position in (0..=replay.len()).rev() {
                replay.go_to(position, |_| ());
                assert_eq!(picture(&grid, &replay), seen[position], "{} {position}", entry.name);
            }
            replay.go_to(usize::MAX, |_| ());
            assert_eq!(replay.position(), replay.len());
            assert_eq!(picture(&grid, &replay), seen[replay.len()], "{}", entry.name);
        }
    }

    #[test]
    fn every_changed_cell_is_told() {
        let (grid, mut replay) = recorded("dijkstra");
        let before = picture(&grid, &replay);
        let mut shown = Vec::new();
        replay.go_to(9, |cell| shown.push(cell));
        let after = picture(&grid, &replay);
        for (cell, (before, after)) in grid.extent().cells().zip(before.iter().zip(&after)) {
            assert!(before == after || shown.contains(&cell), "{cell}");
        }
    }

    #[test]
    fn breakpoints_stop_after_their_event() {
        let (_, mut replay) = recorded("astar");
        let end = replay.len();
        let on_cell = Breakpoint::Cell { x: 0, y: 1 };
        let stop = replay.next_stop(end, &[on_cell]).unwrap();
        replay.go_to(stop, |_| ());
        assert_eq!(replay.current().unwrap().1, Cell::new(0, 1));
        assert!(replay.next_stop(end, &[Breakpoint::AtLeast(Value::G, u64::MAX)]).is_none());
        let (_, mut replay) = recorded("astar");
        let stop = replay.next_stop(end, &[Breakpoint::AtLeast(Value::G, 1)]).unwrap();
        replay.go_to(stop, |_| ());
        let (event, _) = replay.current().unwrap();
        assert!(event.g >= 1 && event.kind == TraceKind::Expand);
    }

    #[test]
    fn expansions_are_found_by_their_number() {
        let (_, mut replay) = recorded("astar");
        for count in 0..replay.expansions() {
            replay.go_to(replay.position_of_expansion(count), |_| ());
            assert_eq!(replay.expanded(), count);
            assert_eq!(replay.events()[replay.position()].kind, TraceKind::Expand, "{count} next");
        }
        assert_eq!(replay.position_of_expansion(replay.expansions()), replay.len());
        assert_eq!(replay.position_of_expansion(u32::MAX), replay.len());
    }

    #[test]
    fn all_events_of_a_cell_come_in_order() {
        let (_, replay) = recorded("astar");
        let of_start = replay.events_of(Cell::new(0, 2));
        let kinds: Vec<TraceKind> = of_start.iter().map(|(_, event)| event.kind).collect();
        assert_eq!(kinds, [TraceKind::Start, TraceKind::Expand]);
        assert!(replay.events_of(Cell::new(99, 99)).is_empty());
    }
}
