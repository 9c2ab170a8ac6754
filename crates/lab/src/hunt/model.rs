//! Models that are too simple to be wrong: plain arrays, and Dijkstra with a heap on them.

use super::program::{Edit, GraphSetting, GridSetting};
use highroad::environment::{Environment, NodeId};
use highroad::graph::{Edge, Graph, GraphBatch};
use highroad::grid::{
    Batch, Domain, Footprint, FootprintCost, Grid, KindId, Movement, MovementRule, PaidCells,
    Profile, StepCosts,
};
use highroad::world::{Living, Saveable};
use highroad::{Cell, CellRect, GridMap, PathWorld, Terrain};
use highroad_suite::{Measure, Oracle, remoteness};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

/// A place of a model's world.
pub(super) type Place<M> = <<M as Model>::World as Environment>::Place;

/// How far places are.
pub(super) type Distances<P> = HashMap<P, u64>;

/// What is known of a world without asking it.
pub(super) trait Model: Clone {
    /// The environment of the world.
    type World: Saveable + Environment<Place: Ord>;

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

    /// Whether there is such a place, blocked or not.
    fn exists(&self, place: <Self::World as Environment>::Place) -> bool;

    /// The model with some places blocked for every kind.
    fn without(&self, places: &[<Self::World as Environment>::Place]) -> Self;

    /// Whether an agent of a kind that is at one place covers another.
    fn covers(
        &self,
        kind: u16,
        at: <Self::World as Environment>::Place,
        place: <Self::World as Environment>::Place,
    ) -> bool;

    /// The places at which a kind may stand next to a place, without covering it.
    fn beside(
        &self,
        kind: u16,
        place: <Self::World as Environment>::Place,
    ) -> Vec<<Self::World as Environment>::Place>;

    /// Whether two places are so near that a path through one is no alternative to a path through the other.
    fn is_near(
        &self,
        one: <Self::World as Environment>::Place,
        other: <Self::World as Environment>::Place,
        margin: u32,
    ) -> bool;

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
                profile = profile.with_cost(terrain(letter)?, cost).map_err(|e| e.to_string())?;
            }
            for letter in kind.water.chars() {
                profile = profile.with_domain(terrain(letter)?, Domain::WATER);
            }
            let rule = MovementRule::from_name(&kind.rule).ok_or("there is no such rule")?;
            let steps = StepCosts::new(kind.steps.0, kind.steps.1).map_err(|e| e.to_string())?;
            let movement = Movement::new(profile, rule, steps).map_err(|e| e.to_string())?;
            let footprint = Footprint::new(kind.size).map_err(|e| e.to_string())?;
            let cost = if kind.mean { FootprintCost::Mean } else { FootprintCost::Max };
            let movement = movement.with_footprint(footprint.with_cost(cost));
            Ok(if kind.entered { movement.with_paid_cells(PaidCells::Entered) } else { movement })
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

    /// How many columns and rows a cell is away from an agent of a kind, which covers a square.
    fn apart(&self, kind: u16, at: Cell, place: Cell) -> (u32, u32) {
        let side = u32::from(self.movements[usize::from(kind)].footprint().size());
        let gap =
            |from: u32, to: u32| from.saturating_sub(to) + (to + 1).saturating_sub(from + side);
        (gap(at.x, place.x), gap(at.y, place.y))
    }

    fn with_oracle<T>(&self, kind: u16, ask: impl FnOnce(Oracle<'_>) -> T) -> T {
        let movement = &self.movements[usize::from(kind)];
        ask(Oracle {
            map: &self.map,
            profile: movement.profile(),
            footprint: movement.footprint(),
            rule: movement.rule(),
            steps: movement.steps(),
            paid: movement.paid_cells(),
            slopes: movement.slopes(),
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
        self.with_oracle(kind, |oracle| oracle.may_stand(place))
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

    fn exists(&self, place: Cell) -> bool {
        self.map.extent().contains(place)
    }

    fn without(&self, places: &[Cell]) -> Self {
        let mut blocked = self.clone();
        for &place in places.iter().filter(|&&place| self.exists(place)) {
            blocked.map.set(place, Terrain::WALL);
        }
        blocked
    }

    fn covers(&self, kind: u16, at: Cell, place: Cell) -> bool {
        self.apart(kind, at, place) == (0, 0)
    }

    fn beside(&self, kind: u16, place: Cell) -> Vec<Cell> {
        let four_way = self.movements[usize::from(kind)].rule() == MovementRule::FourWay;
        let mut cells: Vec<Cell> = self.map.extent().cells().collect();
        cells.retain(|cell| {
            let (columns, rows) = self.apart(kind, *cell, place);
            let beside = if four_way { columns + rows == 1 } else { columns.max(rows) == 1 };
            beside && self.may_stand(kind, *cell)
        });
        cells
    }

    fn is_near(&self, one: Cell, other: Cell, margin: u32) -> bool {
        one.x.abs_diff(other.x).max(one.y.abs_diff(other.y)) <= margin
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
pub(super) struct GraphModel {
    rows: Vec<Row>,
    /// Where the nodes of the beginning lie; those that are added later lie at one place.
    positions: Vec<(i32, i32)>,
}

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
        Self { rows, positions: setting.positions.clone() }
    }

    pub(super) fn graph(&self) -> Result<Graph, String> {
        let graph = Graph::from_edges(self.rows.len(), &self.edges(false));
        let graph = graph.map_err(|e| e.to_string())?;
        if self.positions.is_empty() {
            return Ok(graph);
        }
        let position = |&(x, y): &(i32, i32)| [f64::from(x), f64::from(y), 0.0];
        let positions = self.positions.iter().map(position).collect();
        graph.with_positions(positions).map_err(|e| e.to_string())
    }

    fn is_node(&self, node: u32) -> bool {
        self.rows.get(node as usize).is_some_and(|row| row.0)
    }

    fn edges(&self, closed: bool) -> Vec<Edge> {
        let row = |(from, row): (u32, &Row)| {
            let edges = row.1.iter().filter(|edge| edge.2 == closed);
            edges.map(|edge| Edge::new(from, edge.0, edge.1)).collect::<Vec<_>>()
        };
        (0..).zip(&self.rows).flat_map(row).collect()
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
                self.rows.push((true, Vec::new()));
                return true;
            }
            Edit::Fill(..) | Edit::Surcharge(..) => return true,
        };
        if !self.is_node(from) || !self.is_node(to) {
            return false;
        }
        let row = &mut self.rows[from as usize].1;
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
                self.rows[from as usize] = (false, Vec::new());
                self.rows.iter_mut().for_each(|row| row.1.retain(|edge| edge.0 != from));
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
                Edit::AddNode => {
                    let placed = !self.positions.is_empty();
                    batch.add_node(placed.then_some([7.0, 7.0, 0.0]))
                }
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
            for &(to, weight, closed) in &self.rows[node.index()].1 {
                if !closed {
                    open.push(Reverse((distance + weight as u64, NodeId(to))));
                }
            }
        }
        distances
    }

    fn walk(&self, _kind: u16, places: &[NodeId]) -> Option<u64> {
        self.rows.get(places.first()?.index()).filter(|row| row.0)?;
        places.windows(2).try_fold(0, |sum, step| {
            let edges = self.rows.get(step[0].index())?.1.iter();
            let open = edges.filter(|edge| edge.0 == step[1].0 && !edge.2);
            Some(sum + open.map(|edge| edge.1 as u64).min()?)
        })
    }

    fn remoteness(&self, _place: NodeId, _goals: &[NodeId]) -> Option<u64> {
        None
    }

    fn exists(&self, place: NodeId) -> bool {
        place.index() < self.rows.len()
    }

    fn without(&self, places: &[NodeId]) -> Self {
        let mut blocked = self.clone();
        for place in places {
            // One that is not there any more cannot be removed, and need not be.
            blocked.make(&Edit::RemoveNode(place.0));
        }
        blocked
    }

    fn covers(&self, _kind: u16, at: NodeId, place: NodeId) -> bool {
        at == place
    }

    fn beside(&self, _kind: u16, place: NodeId) -> Vec<NodeId> {
        let leads = |row: &Row| row.1.iter().any(|edge| edge.0 == place.0 && !edge.2);
        let before = (0..).zip(&self.rows).filter(|(from, row)| *from != place.0 && leads(row));
        before.map(|(from, _)| NodeId(from)).collect()
    }

    fn is_near(&self, one: NodeId, other: NodeId, _margin: u32) -> bool {
        one == other
    }

    fn kinds(&self) -> u16 {
        1
    }

    fn compare(&self, world: &PathWorld<Graph>) -> Result<(), String> {
        let graph = world.environment();
        if !graph.edges().eq(self.edges(false)) || !graph.closed_edges().eq(self.edges(true)) {
            return Err("the edges are not those of the model".to_owned());
        }
        match graph.node_count() == self.rows.len() {
            true => Ok(()),
            false => Err(format!("{} nodes instead of {}", graph.node_count(), self.rows.len())),
        }
    }
}
