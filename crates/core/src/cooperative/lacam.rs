//! Lazy constraints addition: a depth-first search over the places of all agents.
//!
//! Okumura, "LaCAM: Search-Based Algorithm for Quick Multi-Agent Pathfinding" (2023). A node is where everybody is. Its
//! successors are made one at a time by a step of PIBT. If the search comes back to a node, it asks for the next successor with
//! one more agent fixed at one of its places, in the order of a tree of such constraints, so that all successors come up in the
//! end: the search is complete. Every node is expanded at most once for each constraint.
//!
//! What is found first is improved by `improve.rs`; the paper's later version rewires its tree of nodes instead, which on large
//! teams gains little in the time that a game has.

use super::floor::{NONE, Place};
use super::pibt::Pibt;
use super::random::mix;
use super::team::Team;
use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};

/// One agent fixed at a place, beside those of the constraints above it.
#[derive(Clone, Copy)]
struct Constraint {
    above: u32,
    agent: u32,
    place: Place,
    depth: u32,
}

struct Node {
    before: u32,
    /// Another node with the same hash.
    same_hash: u32,
    /// Constraints to try.
    tree: VecDeque<u32>,
}

/// The search. Of node `i`, the places of all agents are those from `i · agents` on, and so are order and patience.
pub(super) struct Lacam {
    pibt: Pibt,
    nodes: Vec<Node>,
    places: Vec<Place>,
    order: Vec<u32>,
    /// How many steps ago each agent was at its goal: the largest chooses first.
    patience: Vec<u32>,
    by_hash: HashMap<u64, u32>,
    constraints: Vec<Constraint>,
    open: Vec<u32>,
    fixed: Vec<(u32, Place)>,
    memory_max: usize,
}

/// How a part of the search ended.
pub(super) enum Found {
    Nothing,
    Paths(Vec<Vec<Place>>),
    /// There is no plan.
    None,
    /// There is no memory left.
    Memory,
}

/// A number for the places of all agents.
fn hash(places: &[Place]) -> u64 {
    let each = (0u64..).zip(places).map(|(agent, &place)| mix(agent << 32 | u64::from(place)));
    each.fold(0, u64::wrapping_add)
}

impl Lacam {
    pub(super) fn new(team: &Team, seed: u64, memory_max: usize) -> Self {
        let mut search = Self {
            pibt: Pibt::new(team, seed),
            nodes: Vec::new(),
            places: Vec::new(),
            order: Vec::new(),
            patience: Vec::new(),
            by_hash: HashMap::new(),
            constraints: vec![Constraint { above: NONE, agent: NONE, place: NONE, depth: 0 }],
            open: Vec::new(),
            fixed: Vec::new(),
            memory_max,
        };
        let mut order: Vec<u32> = (0..team.len() as u32).collect();
        order.sort_by_key(|&agent| Reverse(team.distances[agent as usize]));
        search.places.extend_from_slice(&team.starts);
        search.order.extend_from_slice(&order);
        search.patience.resize(team.len(), 0);
        search.push_node(NONE, hash(&team.starts));
        search
    }

    fn push_node(&mut self, before: u32, hash: u64) {
        let number = self.nodes.len() as u32;
        let same_hash = self.by_hash.insert(hash, number).unwrap_or(NONE);
        self.nodes.push(Node { before, same_hash, tree: VecDeque::from([0]) });
        self.open.push(number);
    }

    /// Asks one node for one successor.
    pub(super) fn advance(&mut self, team: &Team) -> Found {
        let agents = team.len();
        let Some(&number) = self.open.last() else { return Found::None };
        let first = number as usize * agents;
        if self.places[first..first + agents] == team.goals[..] {
            return Found::Paths(self.paths(team, number));
        }
        let Some(constraint) = self.nodes[number as usize].tree.pop_front() else {
            self.open.pop();
            return Found::Nothing;
        };
        self.grow_tree(team, number, constraint);
        self.fixed.clear();
        let mut above = constraint;
        while above != NONE && self.constraints[above as usize].agent != NONE {
            let Constraint { agent, place, above: next, .. } = self.constraints[above as usize];
            self.fixed.push((agent, place));
            above = next;
        }
        let (now, order) =
            (&self.places[first..first + agents], &self.order[first..first + agents]);
        if !self.pibt.step(team, now, order, &self.fixed) {
            return Found::Nothing;
        }
        let hash = hash(&self.pibt.next);
        let mut known = self.by_hash.get(&hash).copied().unwrap_or(NONE);
        while known != NONE {
            let at = known as usize * agents;
            if self.places[at..at + agents] == self.pibt.next[..] {
                self.open.push(known);
                return Found::Nothing;
            }
            known = self.nodes[known as usize].same_hash;
        }
        if self.bytes_with(agents) > self.memory_max {
            return Found::Memory;
        }
        self.places.extend_from_slice(&self.pibt.next);
        for agent in 0..agents {
            let is_there = self.pibt.next[agent] == team.goals[agent];
            let patience = if is_there { 0 } else { self.patience[first + agent] + 1 };
            self.patience.push(patience);
        }
        // Nearly sorted already, since it was in the node before.
        let begin = self.order.len();
        self.order.extend_from_within(first..first + agents);
        let patience = &self.patience[begin..];
        self.order[begin..].sort_by_key(|&agent| Reverse(patience[agent as usize]));
        self.push_node(number, hash);
        Found::Nothing
    }

    /// Adds the constraints below one to a node's tree: the next agent at each of its places.
    fn grow_tree(&mut self, team: &Team, number: u32, above: u32) {
        let depth = self.constraints[above as usize].depth;
        if depth as usize >= team.len() {
            return;
        }
        let first = number as usize * team.len();
        let agent = self.order[first + depth as usize];
        let here = self.places[first + agent as usize];
        let (beside, count) = team.floor.beside(here);
        let mut to = [beside[0], beside[1], beside[2], beside[3], NONE];
        to[count] = here;
        // In any order, so that no direction is preferred.
        for last in (1..=count).rev() {
            to.swap(last, self.pibt.random().below(last + 1));
        }
        for &place in &to[..=count] {
            self.nodes[number as usize].tree.push_back(self.constraints.len() as u32);
            self.constraints.push(Constraint { above, agent, place, depth: depth + 1 });
        }
    }

    /// The places of each agent from the first node to this one.
    fn paths(&self, team: &Team, last: u32) -> Vec<Vec<Place>> {
        let mut numbers = Vec::new();
        let mut number = last;
        while number != NONE {
            numbers.push(number as usize);
            number = self.nodes[number as usize].before;
        }
        let path = |agent: usize| {
            numbers.iter().rev().map(|number| self.places[number * team.len() + agent]).collect()
        };
        (0..team.len()).map(path).collect()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.bytes_with(0)
    }

    /// The bytes that it would hold with one more node of so many agents.
    fn bytes_with(&self, agents: usize) -> usize {
        let lists = grown(&self.places, agents) + grown(&self.order, agents);
        // A node's own tree, its entry in the table of hashes, which has room for twice as many, and in the open list.
        let beside = 4 * size_of::<u32>() + 2 * size_of::<(u64, u64)>() + 2 * size_of::<u32>();
        let nodes = self.nodes.len().max(self.nodes.capacity() / 2) * beside;
        // Each constraint is in the tree of a node, which doubles as lists do.
        let constraints =
            grown(&self.constraints, 5) + self.constraints.len() * 2 * size_of::<u32>();
        let own = lists + grown(&self.patience, agents) + grown(&self.nodes, 1);
        own + nodes + constraints + self.pibt.memory_bytes()
    }
}

/// The bytes of a list with room for some more: it doubles when it is full.
fn grown<T>(list: &Vec<T>, more: usize) -> usize {
    let capacity = match list.len() + more <= list.capacity() {
        true => list.capacity(),
        false => (list.capacity() * 2).max(list.len() + more),
    };
    capacity * size_of::<T>()
}
