//! The way of one agent around what others have reserved: A* over places and times.
//!
//! A state is a place and a *loss*: by how much an agent that is there now will arrive later than with nobody in the way, at
//! least. Waiting loses one step, a step away from the goal two. Time follows from place and loss, so that a table of places for
//! each loss serves, and the open list is a stack for each loss. The most advanced state of the smallest loss comes first.

use super::floor::{NONE, Place};
use super::reserved::Reserved;
use super::team::Team;

/// What an agent looks for.
#[derive(Clone, Copy)]
pub(super) struct Task {
    pub(super) agent: usize,
    pub(super) from: Place,
    /// With so many steps the way ends wherever it is; else at the goal, when nobody comes there any more.
    pub(super) steps: Option<u32>,
    /// Ways that lose more do not count.
    pub(super) loss_max: u32,
}

/// Memory of searches.
pub(super) struct TimedSearch {
    /// For each loss and place: the number of the search that came here, and how (three bits).
    seen: Vec<u32>,
    search: u32,
    open: Vec<Vec<(Place, u32)>>,
    place_count: usize,
    /// Losses that there is memory for.
    loss_max: usize,
    pub(super) expanded: u64,
}

/// Losses times places that a search may look at.
const STATES_MAX: usize = 32 << 20;
/// The number of searches after which the table is cleared.
const SEARCHES_MAX: u32 = u32::MAX >> 3;

/// A state in the table, and in a stack that has room for twice as many.
const STATE_BYTES: usize = size_of::<u32>() + 2 * size_of::<(Place, u32)>();

impl TimedSearch {
    /// No search yet, in at most so many bytes.
    pub(super) fn new(place_count: usize, memory_max: usize) -> Self {
        let states_max = STATES_MAX.min(memory_max / STATE_BYTES);
        let loss_max = states_max.checked_div(place_count).unwrap_or(0);
        let (seen, open) = (Vec::new(), Vec::new());
        Self { seen, search: 0, open, place_count, loss_max, expanded: 0 }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let open: usize = self.open.iter().map(|stack| stack.capacity() * 8).sum();
        self.seen.capacity() * 4 + open
    }

    /// The places of the agent from time 0 on, or `None` if there is no such way.
    pub(super) fn find(
        &mut self,
        team: &Team,
        reserved: &Reserved,
        task: Task,
    ) -> Option<Vec<Place>> {
        let goal = team.goals[task.agent];
        let approach = &team.approaches[task.agent];
        self.search += 1;
        if self.search == SEARCHES_MAX {
            self.seen.fill(0);
            self.search = 1;
        }
        let loss_max = (task.loss_max as usize).min(self.loss_max);
        self.open.iter_mut().for_each(Vec::clear);
        self.push(0, task.from, 0, 4);
        let mut loss = 0;
        while loss < self.open.len() {
            let Some((place, time)) = self.open[loss].pop() else {
                loss += 1;
                continue;
            };
            let is_end = match task.steps {
                Some(steps) => time >= steps,
                None => place == goal && reserved.is_free_after(goal, time),
            };
            if is_end {
                return Some(self.path(team, task, (place, time, loss)));
            }
            self.expanded += 1;
            let (beside, count) = team.floor.beside(place);
            // Those that lose nothing are pushed last, and come first.
            for is_nearer in [false, true] {
                for &to in &beside[..count] {
                    if approach.is_nearer(place, to) == is_nearer {
                        let lost = if is_nearer { loss } else { loss + 2 };
                        let may = lost <= loss_max && reserved.lets_pass(place, to, time + 1);
                        if may && !self.is_seen(lost, to) {
                            self.push(lost, to, time + 1, team.floor.way_back(place, to));
                        }
                    }
                }
                let waits = !is_nearer && loss < loss_max && !self.is_seen(loss + 1, place);
                if waits && reserved.lets_pass(place, place, time + 1) {
                    self.push(loss + 1, place, time + 1, 4);
                }
            }
        }
        None
    }

    fn is_seen(&self, loss: usize, place: Place) -> bool {
        let at = loss * self.place_count + place as usize;
        self.seen.get(at).is_some_and(|seen| seen >> 3 == self.search)
    }

    fn push(&mut self, loss: usize, place: Place, time: u32, back: u32) {
        if self.open.len() <= loss {
            self.open.resize_with(loss + 1, Vec::new);
        }
        if self.seen.len() < (loss + 1) * self.place_count {
            self.seen.reserve_exact((loss + 1) * self.place_count - self.seen.len());
            self.seen.resize((loss + 1) * self.place_count, 0);
        }
        self.seen[loss * self.place_count + place as usize] = self.search << 3 | back;
        self.open[loss].push((place, time));
    }

    /// Goes back from the last state.
    fn path(
        &self,
        team: &Team,
        task: Task,
        (mut place, time, mut loss): (Place, u32, usize),
    ) -> Vec<Place> {
        let approach = &team.approaches[task.agent];
        let mut path = vec![NONE; time as usize + 1];
        for slot in path.iter_mut().rev() {
            *slot = place;
            let back = self.seen[loss * self.place_count + place as usize] & 7;
            let from = team.floor.along(place, back);
            loss -= match from == place {
                // The first place of all was not reached from anywhere.
                true => usize::from(loss > 0),
                false if approach.is_nearer(from, place) => 0,
                false => 2,
            };
            place = from;
        }
        path
    }
}
