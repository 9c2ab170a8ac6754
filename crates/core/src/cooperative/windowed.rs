//! Cooperative A*: one agent after the other, each around what those before it have reserved.
//!
//! Silver, "Cooperative Pathfinding" (2005). With a window, everybody plans a fixed number of steps ahead, walks half of them,
//! and plans again in another order (WHCA*). Without, everybody plans the whole way. Neither is complete: an agent that finds no
//! way becomes the first of all, and planning begins again, a number of times.

use super::floor::{NONE, Place};
use super::reserved::Reserved;
use super::team::Team;
use super::timed::{Task, TimedSearch};
use std::cmp::Reverse;

/// How often planning begins again with another agent first.
const RETRIES_MAX: u32 = 100;

/// Where everybody is when a window begins, and what is planned of it.
pub(super) struct Windowed {
    timed: TimedSearch,
    reserved: Reserved,
    order: Vec<u32>,
    /// How many agents of the order have a way.
    planned: usize,
    retries: u32,
    /// Steps that are planned at a time; `None`: the whole way.
    window: Option<u32>,
    now: Vec<Place>,
    /// The ways within this window.
    ways: Vec<Vec<Place>>,
    /// All that was walked.
    pub(super) paths: Vec<Vec<Place>>,
    steps_max: usize,
}

/// How a part of the planning ended.
pub(super) enum Planned {
    Part,
    All,
    Failed,
}

impl Windowed {
    pub(super) fn new(
        team: &Team,
        window: Option<u32>,
        steps_max: usize,
        memory_max: usize,
    ) -> Self {
        let mut order: Vec<u32> = (0..team.len() as u32).collect();
        order.sort_by_key(|&agent| Reverse(team.distances[agent as usize]));
        Self {
            timed: TimedSearch::new(team.floor.place_count(), memory_max),
            reserved: Reserved::new(team.floor.place_count()),
            order,
            planned: 0,
            retries: 0,
            window: window.map(|steps| steps.max(2)),
            now: team.starts.clone(),
            ways: vec![Vec::new(); team.len()],
            paths: team.starts.iter().map(|&start| vec![start]).collect(),
            steps_max,
        }
    }

    /// Plans for one agent, or ends a window. Work is what `timed` has expanded.
    pub(super) fn advance(&mut self, team: &Team) -> Planned {
        let Some(&agent) = self.order.get(self.planned) else { return self.end_window(team) };
        let from = self.now[agent as usize];
        let (agent, steps) = (agent as usize, self.window);
        let task = Task { agent, from, steps, loss_max: u32::MAX };
        match self.timed.find(team, &self.reserved, task) {
            Some(way) => {
                self.reserved.add(agent as u32, &way, self.window.is_none());
                self.ways[agent] = way;
                self.planned += 1;
            }
            None => {
                self.retries += 1;
                if self.retries > RETRIES_MAX {
                    return Planned::Failed;
                }
                self.order[..=self.planned].rotate_right(1);
                self.begin_window();
            }
        }
        Planned::Part
    }

    fn begin_window(&mut self) {
        self.reserved.clear();
        self.planned = 0;
    }

    fn end_window(&mut self, team: &Team) -> Planned {
        let walked = self.window.map_or(usize::MAX, |steps| steps as usize / 2);
        for (agent, way) in self.ways.iter().enumerate() {
            let taken = &way[1..way.len().min(walked.saturating_add(1))];
            self.paths[agent].extend_from_slice(taken);
            self.now[agent] = self.paths[agent].last().copied().unwrap_or(NONE);
        }
        if self.now == team.goals {
            return Planned::All;
        }
        if self.paths.first().is_some_and(|path| path.len() > self.steps_max) {
            return Planned::Failed;
        }
        // Whoever is on its way comes first, and the first of them comes last the next time.
        let (now, goals) = (&self.now, &team.goals);
        self.order.rotate_left(1);
        self.order.sort_by_key(|&agent| now[agent as usize] == goals[agent as usize]);
        self.retries = 0;
        self.begin_window();
        Planned::Part
    }

    pub(super) fn expanded(&self) -> u64 {
        self.timed.expanded
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let paths: usize =
            self.paths.iter().chain(&self.ways).map(|path| path.capacity() * 4).sum();
        // Four lists that have an entry for each agent, and the lists of its paths.
        let agents = self.now.len() * (2 * 4 + 2 * size_of::<Vec<Place>>());
        self.timed.memory_bytes() + self.reserved.memory_bytes() + paths + agents
    }
}
