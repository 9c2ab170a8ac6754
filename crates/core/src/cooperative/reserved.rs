//! Who is where and when: what agents plan around.

use super::floor::{NONE, Place};

/// For each place, the times at which somebody is there, and from when on somebody stays there.
pub(super) struct Reserved {
    visits: Vec<Vec<(u32, u32)>>,
    /// Time and agent; [`NONE`] where nobody stays.
    stays: Vec<(u32, u32)>,
    touched: Vec<Place>,
    /// Visits now, and the most that there have been: lists keep their memory.
    visit_count: usize,
    visits_most: usize,
}

impl Reserved {
    pub(super) fn new(place_count: usize) -> Self {
        let visits = vec![Vec::new(); place_count];
        let stays = vec![(NONE, NONE); place_count];
        Self { visits, stays, touched: Vec::new(), visit_count: 0, visits_most: 0 }
    }

    /// About as many bytes as it holds: lists of visits have room for up to twice as many.
    pub(super) fn memory_bytes(&self) -> usize {
        let places = self.visits.len() * (size_of::<Vec<(u32, u32)>>() + size_of::<(u32, u32)>());
        places + self.visits_most * 2 * size_of::<(u32, u32)>() + self.touched.capacity() * 4
    }

    pub(super) fn clear(&mut self) {
        for place in self.touched.drain(..) {
            self.visits[place as usize].clear();
            self.stays[place as usize] = (NONE, NONE);
        }
        self.visit_count = 0;
    }

    /// Reserves the places of an agent from time 0 on; `stays`: also its last one for ever after.
    pub(super) fn add(&mut self, agent: u32, path: &[Place], stays: bool) {
        for (time, &place) in (0..).zip(path) {
            let visits = &mut self.visits[place as usize];
            if visits.is_empty() {
                self.touched.push(place);
            }
            let at = visits.partition_point(|visit| visit.0 < time);
            visits.insert(at, (time, agent));
        }
        self.visit_count += path.len();
        self.visits_most = self.visits_most.max(self.visit_count);
        if let Some(&last) = path.last().filter(|_| stays) {
            self.stays[last as usize] = (path.len() as u32 - 1, agent);
        }
    }

    /// Takes back what [`Reserved::add`] has reserved.
    pub(super) fn remove(&mut self, agent: u32, path: &[Place]) {
        for (time, &place) in (0..).zip(path) {
            let visits = &mut self.visits[place as usize];
            if let Ok(at) = visits.binary_search(&(time, agent)) {
                visits.remove(at);
                self.visit_count -= 1;
            }
        }
        if let Some(&last) = path.last()
            && self.stays[last as usize].1 == agent
        {
            self.stays[last as usize] = (NONE, NONE);
        }
    }

    /// Who is at a place at some time; [`NONE`] if nobody.
    #[inline]
    pub(super) fn who(&self, place: Place, time: u32) -> u32 {
        let (from, agent) = self.stays[place as usize];
        if time >= from {
            return agent;
        }
        let visits = &self.visits[place as usize];
        let at = visits.partition_point(|visit| visit.0 < time);
        visits.get(at).filter(|visit| visit.0 == time).map_or(NONE, |visit| visit.1)
    }

    /// Whether an agent can go from a place to another, or wait, and arrive at that time.
    #[inline]
    pub(super) fn lets_pass(&self, from: Place, to: Place, time: u32) -> bool {
        if self.who(to, time) != NONE {
            return false;
        }
        let coming = self.who(to, time - 1);
        coming == NONE || from == to || self.who(from, time) != coming
    }

    /// Whether nobody comes to a place after some time, nor stays there.
    pub(super) fn is_free_after(&self, place: Place, time: u32) -> bool {
        let last = self.visits[place as usize].last();
        self.stays[place as usize].0 == NONE && last.is_none_or(|visit| visit.0 <= time)
    }
}
