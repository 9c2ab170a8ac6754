//! What a world asks of the environment that it owns.

use highroad_core::field::GraphField;
use highroad_core::graph::{EdgeChange, Graph, GraphBatch, GraphEditError, WeakParts};
use highroad_core::{
    Batch, Cell, Change, Connectivity, Cost, EditError, Environment, Field, FieldMemory,
    GraphSearch, Grid, KindId, NodeId, Path, Planner, QueryError, Revision, online_search,
};
use std::error::Error;
use std::fmt::Debug;

/// The answer of an environment to a query that makes no sense.
pub(crate) type Refused<E> = QueryError<<E as Environment>::Refusal>;

/// A path of an environment, if there is one.
pub(crate) type FoundPath<E> = Option<Path<<E as Environment>::Place>>;

/// An environment that a world can own: it changes by batches, and one exact search answers where no planner does.
///
/// Several kinds of agents may share it. Each kind has an environment of its own, which is as small as it can be: what
/// all kinds have in common is kept once.
pub trait Living: Environment + Clone {
    /// Changes to be made together.
    type Batch: Clone + Debug + Default + Send + Sync + 'static;
    /// Why a batch cannot be made.
    type EditError: Error + Clone + PartialEq + Send + Sync + 'static;
    /// One search that answers many requests.
    type Field: LivingField<Self>;
    /// What is known without a search of which places can reach each other.
    type Parts: LivingParts<Self>;

    /// Makes all changes of a batch for all kinds, or none. Returns what differs, in order.
    fn apply_to_all(
        kinds: &mut [Self],
        batch: &Self::Batch,
    ) -> Result<Vec<Self::Change>, Self::EditError>;

    /// What takes changes back.
    fn undoing(changes: &[Self::Change]) -> Self::Batch;

    /// Which kind of agent it is for.
    fn kind(&self) -> KindId;

    /// Whether a change concerns its kind of agent.
    fn is_concerned_by(&self, change: &Self::Change) -> bool;

    /// Whether any of those changes touches a path: what is not touched can be walked as before, at the same cost.
    fn touches<'c>(
        &self,
        path: &Path<Self::Place>,
        changes: impl IntoIterator<Item = &'c Self::Change>,
    ) -> bool {
        let touches = |change| self.first_touched(path.places(), 0, change).is_some();
        changes.into_iter().any(touches)
    }

    /// The search that answers where no planner does.
    fn exact_search(&self) -> &dyn Planner<Self>;

    /// Bytes that all kinds share.
    fn shared_bytes(&self) -> usize;

    /// Bytes that are this kind's alone.
    fn own_bytes(&self) -> usize;
}

/// One search in slices, in memory of its own, from which many requests are answered.
pub trait LivingField<E: Environment>: Send + Sync + Sized {
    /// Begins a field of ways from everywhere to a goal, in memory that it takes and [`LivingField::into_memory`]
    /// gives back.
    fn towards(
        environment: &E,
        goal: E::Place,
        memory: &mut FieldMemory,
    ) -> Result<Self, Refused<E>>;

    /// Begins a field of ways from a start to everywhere, up to a cost, in memory that it takes and
    /// [`LivingField::into_memory`] gives back.
    fn away_from(
        environment: &E,
        start: E::Place,
        cost_max: u64,
        memory: &mut FieldMemory,
    ) -> Result<Self, Refused<E>>;

    /// Its memory, for another field.
    fn into_memory(self) -> FieldMemory;

    /// Begins again as [`LivingField::towards`], in the same memory.
    fn renew_towards(&mut self, environment: &E, goal: E::Place) -> Result<(), Refused<E>>;

    /// Begins again as [`LivingField::away_from`], in the same memory.
    fn renew_away_from(
        &mut self,
        environment: &E,
        start: E::Place,
        cost_max: u64,
    ) -> Result<(), Refused<E>>;

    /// Settles at most so many more places, the nearest first. Returns whether there are any left.
    fn advance(&mut self, slice: u64) -> bool;

    /// How many places are settled.
    fn settled(&self) -> u64;

    /// Whether everything is settled.
    fn is_complete(&self) -> bool;

    /// The revision that it is for.
    fn revision(&self) -> Revision;

    /// The cost of a settled place.
    fn cost(&self, place: E::Place) -> Option<Cost>;

    /// The path of a settled place: to the goal, or from the start.
    fn path(&mut self, place: E::Place) -> Option<Path<E::Place>>;

    /// Every settled place with its cost, in a fixed order.
    fn places(&self) -> Vec<(E::Place, Cost)>;

    /// Bytes held, beside the snapshot of the environment.
    fn memory_bytes(&self) -> usize;
}

/// What is known without a search of which places can reach each other; it follows edits.
pub trait LivingParts<E: Environment>: Send + Sync + Sized {
    /// Of an environment as it is.
    fn of(environment: &E) -> Self;

    /// Follows a batch that has led to the environment as it is now.
    fn follow(&mut self, environment: &E, changes: &[E::Change]);

    /// Whether a path leads from one place to another; `None` if only a search can say.
    fn is_reachable(&self, from: E::Place, to: E::Place) -> Option<bool>;

    /// Bytes held.
    fn memory_bytes(&self) -> usize;
}

impl LivingParts<Grid> for Connectivity {
    fn of(grid: &Grid) -> Self {
        Self::of(grid)
    }

    fn follow(&mut self, grid: &Grid, changes: &[Change]) {
        Self::follow(self, grid, changes);
    }

    /// Steps lead both ways, so that parts say all.
    fn is_reachable(&self, from: Cell, to: Cell) -> Option<bool> {
        Some(self.connected(from, to))
    }

    fn memory_bytes(&self) -> usize {
        Self::memory_bytes(self)
    }
}

impl LivingParts<Graph> for WeakParts {
    fn of(graph: &Graph) -> Self {
        Self::of(graph)
    }

    fn follow(&mut self, graph: &Graph, changes: &[EdgeChange]) {
        Self::follow(self, graph, changes);
    }

    /// Edges have a direction: parts can only say no.
    fn is_reachable(&self, from: NodeId, to: NodeId) -> Option<bool> {
        if from == to || !self.together(from, to) { Some(self.together(from, to)) } else { None }
    }

    fn memory_bytes(&self) -> usize {
        Self::memory_bytes(self)
    }
}

impl Living for Grid {
    type Batch = Batch;
    type EditError = EditError;
    type Field = GridField;
    type Parts = Connectivity;

    fn apply_to_all(kinds: &mut [Self], batch: &Batch) -> Result<Vec<Change>, EditError> {
        Grid::apply_to_all(kinds, batch)
    }

    fn undoing(changes: &[Change]) -> Batch {
        Batch::undoing(changes)
    }

    fn kind(&self) -> KindId {
        Grid::kind(self)
    }

    fn is_concerned_by(&self, change: &Change) -> bool {
        Grid::is_concerned_by(self, change)
    }

    /// By the corridor of the path, which passes over most cells.
    fn touches<'c>(&self, path: &Path, changes: impl IntoIterator<Item = &'c Change>) -> bool {
        let concerns = |change: &&Change| Grid::is_concerned_by(self, change);
        path.is_affected_by(changes.into_iter().filter(concerns))
    }

    fn exact_search(&self) -> &dyn Planner {
        online_search(self)
    }

    fn shared_bytes(&self) -> usize {
        Grid::shared_bytes(self)
    }

    fn own_bytes(&self) -> usize {
        Grid::own_bytes(self)
    }
}

/// A [`Field`] that knows which way its paths lead.
pub struct GridField {
    field: Field,
    towards: bool,
}

impl LivingField<Grid> for GridField {
    fn towards(grid: &Grid, goal: Cell, memory: &mut FieldMemory) -> Result<Self, QueryError> {
        Ok(Self { field: Field::within_using(grid, &[goal], u64::MAX, memory)?, towards: true })
    }

    fn away_from(
        grid: &Grid,
        start: Cell,
        cost_max: u64,
        memory: &mut FieldMemory,
    ) -> Result<Self, QueryError> {
        let field = Field::within_using(grid, &[start], cost_max, memory)?;
        Ok(Self { field, towards: false })
    }

    fn into_memory(self) -> FieldMemory {
        self.field.into_memory()
    }

    fn renew_towards(&mut self, grid: &Grid, goal: Cell) -> Result<(), QueryError> {
        self.towards = true;
        self.field.renew(grid, &[goal], u64::MAX)
    }

    fn renew_away_from(
        &mut self,
        grid: &Grid,
        start: Cell,
        cost_max: u64,
    ) -> Result<(), QueryError> {
        self.towards = false;
        self.field.renew(grid, &[start], cost_max)
    }

    fn advance(&mut self, slice: u64) -> bool {
        self.field.advance(slice)
    }

    fn settled(&self) -> u64 {
        self.field.settled()
    }

    fn is_complete(&self) -> bool {
        self.field.is_complete()
    }

    fn revision(&self) -> Revision {
        self.field.revision()
    }

    fn cost(&self, cell: Cell) -> Option<Cost> {
        self.field.cost(cell)
    }

    fn path(&mut self, cell: Cell) -> Option<Path> {
        if self.towards { self.field.path_from(cell) } else { self.field.path_to(cell) }
    }

    fn places(&self) -> Vec<(Cell, Cost)> {
        self.field.cells().collect()
    }

    fn memory_bytes(&self) -> usize {
        self.field.memory_bytes()
    }
}

/// A graph has one kind of agent.
impl Living for Graph {
    type Batch = GraphBatch;
    type EditError = GraphEditError;
    type Field = GraphField;
    type Parts = WeakParts;

    fn apply_to_all(
        kinds: &mut [Self],
        batch: &GraphBatch,
    ) -> Result<Vec<EdgeChange>, GraphEditError> {
        kinds.first_mut().map_or(Ok(Vec::new()), |graph| graph.apply(batch))
    }

    fn undoing(changes: &[EdgeChange]) -> GraphBatch {
        GraphBatch::undoing(changes)
    }

    fn kind(&self) -> KindId {
        KindId::DEFAULT
    }

    fn is_concerned_by(&self, _change: &EdgeChange) -> bool {
        true
    }

    fn exact_search(&self) -> &dyn Planner<Self> {
        static DIJKSTRA: GraphSearch = GraphSearch::dijkstra();
        &DIJKSTRA
    }

    fn shared_bytes(&self) -> usize {
        self.memory_bytes()
    }

    fn own_bytes(&self) -> usize {
        0
    }
}

impl LivingField<Graph> for GraphField {
    fn towards(
        graph: &Graph,
        goal: NodeId,
        memory: &mut FieldMemory,
    ) -> Result<Self, Refused<Graph>> {
        Self::using(graph, &[goal], true, u64::MAX, memory)
    }

    fn away_from(
        graph: &Graph,
        start: NodeId,
        cost_max: u64,
        memory: &mut FieldMemory,
    ) -> Result<Self, Refused<Graph>> {
        Self::using(graph, &[start], false, cost_max, memory)
    }

    fn into_memory(self) -> FieldMemory {
        Self::into_memory(self)
    }

    fn renew_towards(&mut self, graph: &Graph, goal: NodeId) -> Result<(), Refused<Graph>> {
        self.renew(graph, &[goal], true, u64::MAX)
    }

    fn renew_away_from(
        &mut self,
        graph: &Graph,
        start: NodeId,
        cost_max: u64,
    ) -> Result<(), Refused<Graph>> {
        self.renew(graph, &[start], false, cost_max)
    }

    fn advance(&mut self, slice: u64) -> bool {
        Self::advance(self, slice)
    }

    fn settled(&self) -> u64 {
        Self::settled(self)
    }

    fn is_complete(&self) -> bool {
        Self::is_complete(self)
    }

    fn revision(&self) -> Revision {
        Self::revision(self)
    }

    fn cost(&self, node: NodeId) -> Option<Cost> {
        Self::cost(self, node)
    }

    fn path(&mut self, node: NodeId) -> Option<Path<NodeId>> {
        Self::path(self, node)
    }

    fn places(&self) -> Vec<(NodeId, Cost)> {
        self.nodes().collect()
    }

    fn memory_bytes(&self) -> usize {
        Self::memory_bytes(self)
    }
}
