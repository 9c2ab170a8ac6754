//! One step of all agents by priority inheritance with backtracking.
//!
//! Okumura, Machida, Défago and Tamura, "Priority Inheritance with Backtracking for Iterative Multi-agent Path Finding"
//! (2019). In order of their priorities, agents choose a neighbouring place, the nearest to the goal first. Who stands there
//! inherits the priority and has to choose next; if it finds nothing, the first one tries its next place. Everybody finds
//! something in the end, since everybody can stay.
//!
//! In corridors, two agents that face each other have to change places where there is room: one of them goes backwards and pulls the
//! other along ("swap" of Okumura, "Improving LaCAM for Scalable Eventually Optimal Multi-Agent Pathfinding", 2023).
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
    /// Who is pulled to where it stands now, if it can go to its first place.
    pulls: u32,
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

    pub(super) fn memory_bytes(&self) -> usize {
        (self.now_at.capacity() + self.next_at.capacity() + self.next.capacity()) * 4
            + self.choices.capacity() * size_of::<Choice>()
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
                self.pull(now);
                return true;
            }
            self.push_choice(team, now, other);
        }
        true
    }

    /// Everybody on the list has found a place: those who go backwards pull others along.
    fn pull(&mut self, now: &[Place]) {
        for choice in self.choices.iter().rev().filter(|choice| choice.pulls != NONE) {
            let left = now[choice.agent as usize];
            let is_free = self.next[choice.pulls as usize] == NONE
                && self.next_at[left as usize] == NONE
                && self.next[choice.agent as usize] != left;
            if choice.tried == 1 && is_free {
                self.next[choice.pulls as usize] = left;
                self.next_at[left as usize] = choice.pulls;
            }
        }
    }

    /// Who an agent has to change places with in order to go to `to`, or has to let pass; [`NONE`] if nobody.
    fn partner(&self, team: &Team, now: &[Place], agent: u32, to: Place) -> u32 {
        let here = now[agent as usize];
        if to == here {
            return NONE;
        }
        let ahead = self.now_at[to as usize];
        if ahead != NONE
            && self.next[ahead as usize] == NONE
            && self.must_swap(team, (agent, here), (ahead, to))
            && self.can_swap(team, to, here)
        {
            return ahead;
        }
        let (beside, count) = team.floor.beside(here);
        let others = beside[..count].iter().map(|&place| self.now_at[place as usize]);
        let mut behind = others.filter(|&other| other != NONE && now[other as usize] != to);
        let lets_pass = |other: &u32| {
            self.must_swap(team, (*other, here), (agent, to)) && self.can_swap(team, to, here)
        };
        behind.find(lets_pass).unwrap_or(NONE)
    }

    /// The only place where a corridor goes on from `at`, coming from `before`: itself if it ends, `None` if it branches.
    fn onwards(&self, team: &Team, before: Place, at: Place) -> Option<Place> {
        let (beside, count) = team.floor.beside(at);
        let mut on = None;
        for &to in beside[..count].iter().filter(|&&to| to != before) {
            let who = self.now_at[to as usize];
            // Nobody goes into a dead end whose only cell is taken by somebody who stays there.
            let is_taken = who != NONE && team.goals[who as usize] == to;
            if is_taken && team.floor.beside(to).1 == 1 {
                continue;
            }
            if on.replace(to).is_some() {
                return None;
            }
        }
        Some(on.unwrap_or(at))
    }

    /// Whether two neighbours have to change places: the first wants to go where the second is, and further along the corridor,
    /// and the second wants to go the other way.
    fn must_swap(&self, team: &Team, first: (u32, Place), second: (u32, Place)) -> bool {
        let approaches = &team.approaches;
        let (pushes, pulls) = (&approaches[first.0 as usize], &approaches[second.0 as usize]);
        let (mut behind, mut ahead) = (first.1, second.1);
        while pushes.is_nearer(behind, ahead) {
            match self.onwards(team, behind, ahead) {
                None => return false,
                Some(next) if next == ahead => break,
                Some(next) => (behind, ahead) = (ahead, next),
            }
        }
        let wants_on = behind == team.goals[first.0 as usize] || pushes.is_nearer(behind, ahead);
        pulls.is_nearer(ahead, behind) && wants_on
    }

    /// Whether a corridor branches somewhere behind an agent that goes backwards, so that two can change places there.
    fn can_swap(&self, team: &Team, front: Place, back: Place) -> bool {
        let (mut before, mut at) = (front, back);
        while at != front {
            match self.onwards(team, before, at) {
                None => return true,
                Some(next) if next == at => return false,
                Some(next) => (before, at) = (at, next),
            }
        }
        false
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
        let (mut places, count) = (ranked.map(|(_, place)| place), found + 1);
        let pulls = self.partner(team, now, agent, places[0]);
        if pulls != NONE {
            places[..count].reverse();
        }
        self.choices.push(Choice { agent, places, count: count as u8, tried: 0, pulls });
    }
}
