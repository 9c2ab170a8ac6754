//! Models that are too simple to be wrong: plain arrays, and Dijkstra with a heap on them.

use super::program::{Edit, GraphSetting, GridSetting};
use highroad::environment::{Environment, NodeId};
use highroad::graph::{Edge, Graph, GraphBatch};
use highroad::grid::{Batch, Domain, Grid, KindId, Movement, MovementRule, Profile, StepCosts};
use highroad::world::Living;
use highroad::{Cell, CellRect, GridMap, PathWorld, Terrain};
use highroad_suite::{Measure, Oracle, remoteness};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

/// How far places are.
pub(super) type Distances<P> = HashMap<P, u64>;

/// What is known of a world without asking it.
pub(super) trait Model: Clone {
    /// The environment of the world.
    type World: Living;

    /// The place with a number; it may lie outside.
    fn place(&self, number: u32) -> <Self::World as Environment>::Place;

    /// A batch of edits for the world.
    fn batch(&self, edits: &[Edit]) -> <Self::World as Living>::Batch;

    /// Makes the edits, all or none. Returns whether they could be made.
    fn apply(&mut self, edits: &[Edit]) -> bool;

    /// Whether a kind may stand at a place.
    fn may_stand(&self, kind: u16, place: <Self::World as Environment>::Place) -> bool;

    /// How far every place that can be reached is from the nearest of some starts.
    fn distances(
        &self,
        kind: u16,
        starts: &[<Self::World as Environment>::Place],
    ) -> Distances<<Self::World as Environment>::Place>;

    /// What a path costs; `None` if it cannot be walked.
    fn walk(&self, kind: u16, places: &[<Self::World as Environment>::Place]) -> Option<u64>;

    /// How far a place is from the nearest goal as the crow flies, where that decides which place is nearest.
    fn remoteness(
        &self,
        place: <Self::World as Environment>::Place,
        goals: &[<Self::World as Environment>::Place],
    ) -> Option<u64>;

    /// How many kinds there are.
    fn kinds(&self) -> u16;

    /// Whether the world's environment is as the model says.
    fn compare(&self, world: &PathWorld<Self::World>) -> Result<(), String>;
}

/// A grid: terrain, and surcharges for all kinds and for each.
#[derive(Clone)]
pub(super) struct GridModel {
    map: GridMap,
    movements: Vec<Movement>,
    shared: BTreeMap<Cell, u16>,
    own: Vec<BTreeMap<Cell, u16>>,
}

impl GridModel {
    pub(super) fn new(setting: &GridSetting) -> Result<Self, String> {
        let map: GridMap = setting.rows.join("\n").parse().map_err(|e| format!("the map: {e}"))?;
        let movement = |kind: &super::program::KindSetting| -> Result<Movement, String> {
            let mut profile = Profile::movingai();
            for &(letter, cost) in &kind.costs {
                profile = profile.cost(terrain(letter)?, cost).map_err(|e| e.to_string())?;
            }
            for letter in kind.water.chars() {
                profile = profile.domain(terrain(letter)?, Domain::WATER);
            }
            let rule = MovementRule::from_name(&kind.rule).ok_or("there is no such rule")?;
            let steps = StepCosts::new(kind.steps.0, kind.steps.1).map_err(|e| e.to_string())?;
            Movement::new(profile, rule, steps).map_err(|e| e.to_string())
        };
        let movements = setting.kinds.iter().map(movement).collect::<Result<Vec<_>, _>>()?;
        let own = vec![BTreeMap::new(); movements.len()];
        Ok(Self { map, movements, shared: BTreeMap::new(), own })
    }

    pub(super) fn map(&self) -> &GridMap {
        &self.map
    }

    pub(super) fn movements(&self) -> &[Movement] {
        &self.movements
    }

    fn surcharges(&self, kind: u16) -> BTreeMap<Cell, u16> {
        let mut all = self.shared.clone();
        for (&cell, &amount) in &self.own[usize::from(kind)] {
            let sum = all.entry(cell).or_insert(0);
            *sum = sum.saturating_add(amount);
        }
        all
    }

    fn with_oracle<T>(&self, kind: u16, ask: impl FnOnce(Oracle<'_>) -> T) -> T {
        let movement = &self.movements[usize::from(kind)];
        ask(Oracle {
            map: &self.map,
            profile: movement.profile(),
            rule: movement.rule(),
            steps: movement.steps(),
            surcharges: &self.surcharges(kind),
        })
    }
}

fn terrain(letter: char) -> Result<Terrain, String> {
    let byte = u8::try_from(letter).ok();
    byte.and_then(Terrain::from_letter).ok_or_else(|| format!("'{letter}' is no terrain"))
}

impl Model for GridModel {
    type World = Grid;

    fn place(&self, number: u32) -> Cell {
        let width = self.map.extent().width();
        Cell::new(number % width, number / width)
    }

    fn batch(&self, edits: &[Edit]) -> Batch {
        let mut batch = Batch::new();
        for edit in edits {
            match *edit {
                Edit::Fill(from, to, letter) => {
                    let rect = CellRect::new(self.place(from), self.place(to));
                    batch.fill(rect, terrain(letter).unwrap_or(Terrain::WALL));
                }
                Edit::Surcharge(kind, from, to, amount) => {
                    let rect = CellRect::new(self.place(from), self.place(to));
                    match kind {
                        Some(kind) => batch.surcharge_for(KindId(kind), rect, amount),
                        None => batch.surcharge(rect, amount),
                    };
                }
                _ => {}
            }
        }
        batch
    }

    fn apply(&mut self, edits: &[Edit]) -> bool {
        let fits = |edit: &Edit| match *edit {
            Edit::Fill(from, to, _) | Edit::Surcharge(_, from, to, _) => {
                let rect = CellRect::new(self.place(from), self.place(to));
                let known =
                    !matches!(edit, Edit::Surcharge(Some(kind), ..) if *kind >= self.kinds());
                self.map.extent().contains(rect.max()) && known
            }
            _ => true,
        };
        if !edits.iter().all(fits) {
            return false;
        }
        for edit in edits {
            match *edit {
                Edit::Fill(from, to, letter) => {
                    let rect = CellRect::new(self.place(from), self.place(to));
                    let paint = terrain(letter).unwrap_or(Terrain::WALL);
                    rect.cells().for_each(|cell| _ = self.map.set(cell, paint));
                }
                Edit::Surcharge(kind, from, to, amount) => {
                    let rect = CellRect::new(self.place(from), self.place(to));
                    let table = match kind {
                        Some(kind) => &mut self.own[usize::from(kind)],
                        None => &mut self.shared,
                    };
                    rect.cells().for_each(|cell| _ = table.insert(cell, amount));
                }
                _ => {}
            }
        }
        true
    }

    fn may_stand(&self, kind: u16, place: Cell) -> bool {
        let profile = self.movements[usize::from(kind)].profile();
        self.map.terrain(place).is_some_and(|terrain| profile.cost_of(terrain).is_some())
    }

    fn distances(&self, kind: u16, starts: &[Cell]) -> Distances<Cell> {
        let reach = self.with_oracle(kind, |oracle| oracle.reach(starts, Measure::Cost));
        let cells = self.map.extent().cells();
        cells.filter_map(|cell| Some((cell, reach.distance(cell)?))).collect()
    }

    fn walk(&self, kind: u16, places: &[Cell]) -> Option<u64> {
        self.with_oracle(kind, |oracle| oracle.walk(places))
    }

    fn remoteness(&self, place: Cell, goals: &[Cell]) -> Option<u64> {
        remoteness(place, goals)
    }

    fn kinds(&self) -> u16 {
        self.movements.len() as u16
    }

    fn compare(&self, world: &PathWorld) -> Result<(), String> {
        for (kind, _) in world.kinds() {
            let grid = world.environment_of(kind).ok_or("a kind has no grid")?;
            let surcharges = self.surcharges(kind.0);
            for cell in self.map.extent().cells() {
                let expected = self.map.terrain(cell);
                if grid.map().terrain(cell) != expected {
                    return Err(format!("{cell} should be {expected:?}"));
                }
                let surcharge = surcharges.get(&cell).copied().unwrap_or(0);
                if grid.surcharge_of(cell) != Some(surcharge) {
                    return Err(format!("{cell} should have the surcharge {surcharge} for {kind}"));
                }
            }
        }
        Ok(())
    }
}

/// Whether a node is there, and its edges: head, weight, whether closed.
type Row = (bool, Vec<(u32, i32, bool)>);

/// A graph: one row a node.
#[derive(Clone)]
pub(super) struct GraphModel(Vec<Row>);

impl GraphModel {
    pub(super) fn new(setting: &GraphSetting) -> Self {
        let mut rows = vec![(true, Vec::new()); setting.nodes as usize];
        for &(from, to, weight) in &setting.edges {
            if to < setting.nodes
                && let Some(row) = rows.get_mut(from as usize)
            {
                row.1.push((to, weight, false));
            }
        }
        Self(rows)
    }

    pub(super) fn graph(&self) -> Result<Graph, String> {
        Graph::from_edges(self.0.len(), &self.edges(false)).map_err(|e| e.to_string())
    }

    fn is_node(&self, node: u32) -> bool {
        self.0.get(node as usize).is_some_and(|row| row.0)
    }

    fn edges(&self, closed: bool) -> Vec<Edge> {
        let row = |(from, row): (u32, &Row)| {
            let edges = row.1.iter().filter(|edge| edge.2 == closed);
            edges.map(|edge| Edge::new(from, edge.0, edge.1)).collect::<Vec<_>>()
        };
        (0..).zip(&self.0).flat_map(row).collect()
    }

    fn make(&mut self, edit: &Edit) -> bool {
        let (from, to) = match *edit {
            Edit::Weight(from, to, _)
            | Edit::Close(from, to)
            | Edit::Open(from, to)
            | Edit::AddEdge(from, to, _)
            | Edit::RemoveEdge(from, to) => (from, to),
            Edit::RemoveNode(node) => (node, node),
            Edit::AddNode => {
                self.0.push((true, Vec::new()));
                return true;
            }
            Edit::Fill(..) | Edit::Surcharge(..) => return true,
        };
        if !self.is_node(from) || !self.is_node(to) {
            return false;
        }
        let row = &mut self.0[from as usize].1;
        let there = row.iter().any(|edge| edge.0 == to);
        let between = row.iter_mut().filter(|edge| edge.0 == to);
        match *edit {
            Edit::Weight(_, _, weight) => between.for_each(|edge| edge.1 = weight),
            Edit::Close(..) => between.for_each(|edge| edge.2 = true),
            Edit::Open(..) => between.for_each(|edge| edge.2 = false),
            Edit::RemoveEdge(..) => row.retain(|edge| edge.0 != to),
            Edit::AddEdge(_, _, weight) => {
                row.push((to, weight, false));
                return true;
            }
            _ => {
                self.0[from as usize] = (false, Vec::new());
                self.0.iter_mut().for_each(|row| row.1.retain(|edge| edge.0 != from));
                return true;
            }
        }
        there
    }
}

impl Model for GraphModel {
    type World = Graph;

    fn place(&self, number: u32) -> NodeId {
        NodeId(number)
    }

    fn batch(&self, edits: &[Edit]) -> GraphBatch {
        let mut batch = GraphBatch::new();
        let id = NodeId;
        for edit in edits {
            match *edit {
                Edit::Weight(from, to, weight) => batch.set_weight(id(from), id(to), weight),
                Edit::Close(from, to) => batch.close(id(from), id(to)),
                Edit::Open(from, to) => batch.open(id(from), id(to)),
                Edit::AddEdge(from, to, weight) => batch.add_edge(id(from), id(to), weight),
                Edit::RemoveEdge(from, to) => batch.remove_edge(id(from), id(to)),
                Edit::AddNode => batch.add_node(None),
                Edit::RemoveNode(node) => batch.remove_node(id(node)),
                Edit::Fill(..) | Edit::Surcharge(..) => &mut batch,
            };
        }
        batch
    }

    fn apply(&mut self, edits: &[Edit]) -> bool {
        let mut changed = self.clone();
        let fits = edits.iter().all(|edit| changed.make(edit));
        if fits {
            *self = changed;
        }
        fits
    }

    fn may_stand(&self, _kind: u16, place: NodeId) -> bool {
        self.is_node(place.0)
    }

    fn distances(&self, _kind: u16, starts: &[NodeId]) -> Distances<NodeId> {
        let mut distances = Distances::new();
        let mut open: BinaryHeap<_> = starts.iter().map(|&start| Reverse((0, start))).collect();
        while let Some(Reverse((distance, node))) = open.pop() {
            if distances.contains_key(&node) {
                continue;
            }
            distances.insert(node, distance);
            for &(to, weight, closed) in &self.0[node.index()].1 {
                if !closed {
                    open.push(Reverse((distance + weight as u64, NodeId(to))));
                }
            }
        }
        distances
    }

    fn walk(&self, _kind: u16, places: &[NodeId]) -> Option<u64> {
        self.0.get(places.first()?.index()).filter(|row| row.0)?;
        places.windows(2).try_fold(0, |sum, step| {
            let edges = self.0.get(step[0].index())?.1.iter();
            let open = edges.filter(|edge| edge.0 == step[1].0 && !edge.2);
            Some(sum + open.map(|edge| edge.1 as u64).min()?)
        })
    }

    fn remoteness(&self, _place: NodeId, _goals: &[NodeId]) -> Option<u64> {
        None
    }

    fn kinds(&self) -> u16 {
        1
    }

    fn compare(&self, world: &PathWorld<Graph>) -> Result<(), String> {
        let graph = world.environment();
        if !graph.edges().eq(self.edges(false)) || !graph.closed_edges().eq(self.edges(true)) {
            return Err("the edges are not those of the model".to_owned());
        }
        match graph.node_count() == self.0.len() {
            true => Ok(()),
            false => Err(format!("{} nodes instead of {}", graph.node_count(), self.0.len())),
        }
    }
}
