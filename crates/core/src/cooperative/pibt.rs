//! One step of all agents by priority inheritance with backtracking.
//!
//! Okumura, Machida, Défago and Tamura, "Priority Inheritance with Backtracking for Iterative Multi-agent Path Finding"
//! (2019). In order of their priorities, agents choose a neighbouring place, the nearest to the goal first. Who stands there
//! inherits the priority and has to choose next; if it finds nothing, the first one tries its next place. Everybody finds
//! something in the end, since everybody can stay.
//!
//! Deviation: a list instead of recursion, because thousands of agents may push each other in a row; among places that are
//! equally near, those that are empty come first.

use super::floor::{NONE, Place};
use super::random::Random;
use super::team::Team;

/// An agent that chooses, and what is left to try.
struct Choice {
    agent: u32,
    places: [Place; 5],
    count: u8,
    tried: u8,
}

/// Memory of steps.
pub(super) struct Pibt {
    /// Who is at each place, and who will be.
    now_at: Vec<u32>,
    next_at: Vec<u32>,
    /// Where each agent will be.
    pub(super) next: Vec<Place>,
    choices: Vec<Choice>,
    random: Random,
}

impl Pibt {
    pub(super) fn new(team: &Team, seed: u64) -> Self {
        let nobody = vec![NONE; team.floor.place_count()];
        Self {
            now_at: nobody.clone(),
            next_at: nobody,
            next: vec![NONE; team.len()],
            choices: Vec::new(),
            random: Random::new(seed),
        }
    }

    pub(super) fn random(&mut self) -> &mut Random {
        &mut self.random
    }

    /// Finds the next places of all agents, which choose in that order, some of them fixed beforehand. `false` if there are
    /// none, which happens only with fixed ones.
    pub(super) fn step(
        &mut self,
        team: &Team,
        now: &[Place],
        order: &[u32],
        fixed: &[(u32, Place)],
    ) -> bool {
        self.next.fill(NONE);
        for (agent, &place) in (0..).zip(now) {
            self.now_at[place as usize] = agent;
        }
        let found = self.fix(now, fixed)
            && order
                .iter()
                .all(|&agent| self.next[agent as usize] != NONE || self.choose(team, now, agent));
        for &place in now {
            self.now_at[place as usize] = NONE;
        }
        for (&place, &next) in now.iter().zip(&self.next) {
            self.next_at[place as usize] = NONE;
            // Whoever marks a place is on its way there, or has been pushed out by the mark of somebody who stays.
            if next != NONE {
                self.next_at[next as usize] = NONE;
            }
        }
        found
    }

    fn fix(&mut self, now: &[Place], fixed: &[(u32, Place)]) -> bool {
        fixed.iter().all(|&(agent, place)| {
            let other = self.now_at[place as usize];
            let is_taken = self.next_at[place as usize] != NONE;
            let is_swap = other != NONE && self.next[other as usize] == now[agent as usize];
            if is_taken || (is_swap && other != agent) {
                return false;
            }
            self.next[agent as usize] = place;
            self.next_at[place as usize] = agent;
            true
        })
    }

    /// Finds a place for an agent, and for those that it pushes. `false` if it has to stay although somebody needs its place,
    /// or if not even that is possible.
    fn choose(&mut self, team: &Team, now: &[Place], agent: u32) -> bool {
        self.choices.clear();
        self.push_choice(team, now, agent);
        while let Some(choice) = self.choices.last_mut() {
            let agent = choice.agent;
            let here = now[agent as usize];
            if choice.tried == choice.count {
                // Nothing is left: it stays, and whoever wanted its place tries the next one.
                self.choices.pop();
                let other = self.next_at[here as usize];
                let is_claimed =
                    other != NONE && self.choices.last().map(|choice| choice.agent) != Some(other);
                if is_claimed {
                    return false;
                }
                self.next[agent as usize] = here;
                self.next_at[here as usize] = agent;
                if self.choices.is_empty() {
                    return false;
                }
                continue;
            }
            let to = choice.places[choice.tried as usize];
            choice.tried += 1;
            let other = self.now_at[to as usize];
            let is_taken = self.next_at[to as usize] != NONE;
            if is_taken || (other != NONE && self.next[other as usize] == here) {
                continue;
            }
            self.next[agent as usize] = to;
            self.next_at[to as usize] = agent;
            if other == NONE || other == agent || self.next[other as usize] != NONE {
                return true;
            }
            self.push_choice(team, now, other);
        }
        true
    }

    /// Lists the places that an agent can go to, the best first.
    fn push_choice(&mut self, team: &Team, now: &[Place], agent: u32) {
        let here = now[agent as usize];
        let approach = &team.approaches[agent as usize];
        let (beside, found) = team.floor.beside(here);
        let mut ranked = [(2, here), (9, NONE), (9, NONE), (9, NONE), (9, NONE)];
        let turn = if found > 1 { self.random.below(found) } else { 0 };
        for index in 0..found {
            let to = beside[(index + turn) % found];
            let is_full = self.now_at[to as usize] != NONE;
            let rank = if approach.is_nearer(here, to) { 0 } else { 3 } + u32::from(is_full);
            let mut at = index + 1;
            while at > 0 && ranked[at - 1].0 > rank {
                ranked[at] = ranked[at - 1];
                at -= 1;
            }
            ranked[at] = (rank, to);
        }
        let (places, count) = (ranked.map(|(_, place)| place), found + 1);
        self.choices.push(Choice { agent, places, count: count as u8, tried: 0 });
    }
}
