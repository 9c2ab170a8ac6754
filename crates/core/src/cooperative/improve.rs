//! Makes a plan cheaper while there is time: some agents are taken out and plan again around the others.
//!
//! Li, Chen, Harabor, Stuckey and Koenig, "Anytime Multi-Agent Path Finding via Large Neighborhood Search" (2021). First each
//! agent alone, once; then groups of an agent that loses time and those that it meets. What is not cheaper is taken back, so
//! that a plan never gets worse.

use super::floor::{NONE, Place};
use super::random::Random;
use super::reserved::Reserved;
use super::team::Team;
use super::timed::{Task, TimedSearch};

/// Agents that plan again together.
const GROUP_MAX: usize = 8;

/// A plan, and what is needed to change it.
pub(super) struct Improver {
    timed: TimedSearch,
    reserved: Reserved,
    pub(super) paths: Vec<Vec<Place>>,
    random: Random,
    /// The next agent to plan alone.
    alone: usize,
    group: Vec<u32>,
    before: Vec<Vec<Place>>,
}

impl Improver {
    pub(super) fn new(
        team: &Team,
        mut paths: Vec<Vec<Place>>,
        seed: u64,
        memory_max: usize,
    ) -> Self {
        let mut reserved = Reserved::new(team.floor.place_count());
        for (agent, path) in (0..).zip(&mut paths) {
            while let [.., before, last] = path[..]
                && before == last
            {
                path.pop();
            }
            reserved.add(agent, path, true);
        }
        let timed = TimedSearch::new(team.floor.place_count(), memory_max);
        let (random, group, before) = (Random::new(seed), Vec::new(), Vec::new());
        Self { timed, reserved, paths, random, alone: 0, group, before }
    }

    /// How much later an agent arrives than with nobody in the way.
    fn loss(&self, team: &Team, agent: usize) -> u32 {
        self.paths[agent].len() as u32 - 1 - team.distances[agent]
    }

    /// Lets one agent or group plan again. Returns whether the plan has become cheaper.
    pub(super) fn advance(&mut self, team: &Team) -> bool {
        self.timed.expanded += 1;
        self.group.clear();
        if self.alone < team.len() {
            self.group.push(self.alone as u32);
            self.alone += 1;
        } else {
            self.choose_group(team);
        }
        if self.group.iter().all(|&agent| self.loss(team, agent as usize) == 0) {
            return false;
        }
        self.before.clear();
        let cost = |paths: &[Vec<Place>], group: &[u32]| -> usize {
            group.iter().map(|&agent| paths[agent as usize].len()).sum()
        };
        let old_cost = cost(&self.paths, &self.group);
        for &agent in &self.group {
            let path = std::mem::take(&mut self.paths[agent as usize]);
            self.reserved.remove(agent, &path);
            self.before.push(path);
        }
        let mut new_cost = 0;
        let mut found = 0;
        for index in 0..self.group.len() {
            let agent = self.group[index] as usize;
            let from = team.starts[agent];
            // What is left of the old cost, if everybody after it has a way without loss.
            let later: usize = self.group[index + 1..]
                .iter()
                .map(|&agent| team.distances[agent as usize] as usize + 1)
                .sum();
            let least = new_cost + later + team.distances[agent] as usize + 1;
            let Some(loss_max) = old_cost.checked_sub(least + 1) else { break };
            let task = Task { agent, from, steps: None, loss_max: loss_max as u32 };
            let Some(path) = self.timed.find(team, &self.reserved, task) else { break };
            new_cost += path.len();
            self.reserved.add(agent as u32, &path, true);
            self.paths[agent] = path;
            found += 1;
        }
        if found == self.group.len() && new_cost < old_cost {
            return true;
        }
        for &agent in &self.group[..found] {
            let path = std::mem::take(&mut self.paths[agent as usize]);
            self.reserved.remove(agent, &path);
        }
        for (&agent, path) in self.group.iter().zip(self.before.drain(..)) {
            self.reserved.add(agent, &path, true);
            self.paths[agent as usize] = path;
        }
        false
    }

    /// An agent that loses time, and others that are beside its way when it passes.
    fn choose_group(&mut self, team: &Team) {
        // The worst of a few, so that all have a chance.
        let drawn = (0..4).map(|_| self.random.below(team.len()));
        let Some(agent) =
            drawn.max_by_key(|&agent| self.paths[agent].len() as u32 - team.distances[agent])
        else {
            return;
        };
        self.group.push(agent as u32);
        for _ in 0..4 * GROUP_MAX {
            if self.group.len() >= GROUP_MAX {
                break;
            }
            let member = self.group[self.random.below(self.group.len())] as usize;
            let time = self.random.below(self.paths[member].len());
            let (beside, count) = team.floor.beside(self.paths[member][time]);
            if count > 0 {
                let other = self.reserved.who(beside[self.random.below(count)], time as u32);
                if other != NONE && !self.group.contains(&other) {
                    self.group.push(other);
                }
            }
        }
    }

    pub(super) fn expanded(&self) -> u64 {
        self.timed.expanded
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let paths: usize = self.paths.iter().map(|path| path.capacity() * 4).sum();
        let agents = self.paths.len() * size_of::<Vec<Place>>();
        self.timed.memory_bytes() + self.reserved.memory_bytes() + paths + agents
    }
}
