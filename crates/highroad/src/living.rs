//! What a world asks of the environment that it owns.

use highroad_core::field::{GraphField, MeshField};
use highroad_core::graph::{EdgeChange, Graph, GraphBatch, GraphEditError, WeakParts};
use highroad_core::mesh::{Mesh, MeshBatch, MeshChange, MeshEditError, MeshMovement, MeshPoint};
use highroad_core::saved::{Encode, Kind, Reader, Writer};
use highroad_core::{
    Batch, Cataloged, Cell, CellRect, Change, Connectivity, Cost, EditError, Environment, Field,
    FieldMemory, Grid, KindId, LoadError, NodeId, Path, QueryError, Revision, Searchable,
};
use std::error::Error;
use std::fmt::Debug;
use std::ops::Range;

/// The answer of an environment to a query that makes no sense.
pub(crate) type Refused<E> = QueryError<<E as Environment>::Refusal>;

/// A path of an environment, if there is one.
pub(crate) type FoundPath<E> = Option<Path<<E as Environment>::Place>>;

/// An environment that a world can own: it changes by batches, and one exact search answers where no planner does.
///
/// Several kinds of agents may share it. Each kind has an environment of its own, which is as small as it can be: what
/// all kinds have in common is kept once.
///
/// A program that works on grids and graphs alike is generic over it:
///
/// ```
/// use highroad::PathWorld;
/// use highroad::world::Living;
/// fn replay<E: Living>(world: &mut PathWorld<E>, batches: &[E::Batch]) -> Result<(), E::EditError> {
///     batches.iter().try_for_each(|batch| world.apply(batch).map(drop))
/// }
/// # use highroad::{Terrain, grid::Batch, graph::{Edge, Graph, GraphBatch}, environment::NodeId};
/// # let mut wall = Batch::new();
/// # wall.set((1, 0), Terrain::WALL);
/// let mut world = PathWorld::new("...\n...\n".parse()?);
/// replay(&mut world, &[wall])?;
/// let mut roads = PathWorld::on(Graph::from_edges(2, &[Edge::new(0, 1, 7)])?);
/// replay(&mut roads, &[GraphBatch::new().set_weight(NodeId(0), NodeId(1), 9).clone()])?;
/// assert_eq!((world.revision().0, roads.revision().0), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Living: Searchable + Clone {
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

    /// How many places changes have changed together.
    fn changed_places(changes: &[Self::Change]) -> u64 {
        changes.len() as u64
    }

    /// Keeps from now on what shows at once that there is no path, if it can.
    fn know_parts(&mut self) {}

    /// The parts that it keeps itself.
    fn kept_parts(&self) -> Option<&Self::Parts> {
        None
    }

    /// Whether a path leads from one place to another, if the parts that it keeps say so.
    fn knows_reachable(&self, from: Self::Place, to: Self::Place) -> Option<bool> {
        self.kept_parts()?.is_reachable(from, to)
    }

    /// Bytes that all kinds share.
    fn shared_bytes(&self) -> usize;

    /// Bytes that are this kind's alone.
    fn own_bytes(&self) -> usize;
}

/// An environment whose worlds can be [saved](crate::PathWorld::save): [`Grid`], [`Graph`] and [`Mesh`] are.
///
/// ```
/// use highroad::PathWorld;
/// use highroad::world::Saveable;
/// /// Works on grids and graphs alike.
/// fn checkpoint<E: Saveable>(world: &PathWorld<E>) -> Vec<u8> {
///     world.save()
/// }
/// let bytes = checkpoint(&PathWorld::new("...\n".parse()?));
/// let loaded: PathWorld = PathWorld::load(&bytes)?;
/// assert_eq!(loaded.revision().0, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Saveable:
    Living + Cataloged + Environment<Place: Encode, Change: Encode, Refusal: Encode>
{
    /// What the file says that it is.
    #[doc(hidden)]
    const KIND: Kind;

    /// Writes the environments of all kinds of agents.
    #[doc(hidden)]
    fn write_kinds(kinds: &[Self], writer: &mut Writer);

    /// Reads what [`Saveable::write_kinds`] has written: at least one, at most so many.
    #[doc(hidden)]
    fn read_kinds(reader: &mut Reader<'_>, kinds_max: usize) -> Result<Vec<Self>, LoadError>;

    /// Whether such a change could have been made to these environments.
    #[doc(hidden)]
    fn is_possible(kinds: &[Self], change: &Self::Change) -> bool;
}

impl Saveable for Grid {
    const KIND: Kind = Kind::World;

    fn write_kinds(kinds: &[Self], writer: &mut Writer) {
        Grid::write_kinds(kinds, writer);
    }

    fn read_kinds(reader: &mut Reader<'_>, kinds_max: usize) -> Result<Vec<Self>, LoadError> {
        Grid::read_kinds(reader, kinds_max)
    }

    fn is_possible(kinds: &[Self], change: &Change) -> bool {
        kinds[0].extent().contains(change.rect.max())
            && change.kind.is_none_or(|kind| kind.index() < kinds.len())
    }
}

impl Saveable for Graph {
    const KIND: Kind = Kind::GraphWorld;

    fn write_kinds(kinds: &[Self], writer: &mut Writer) {
        kinds.first().into_iter().for_each(|graph| graph.write(writer));
    }

    fn read_kinds(reader: &mut Reader<'_>, _kinds_max: usize) -> Result<Vec<Self>, LoadError> {
        Ok(vec![Graph::read(reader)?])
    }

    /// A node may have gone since; whoever takes a change back checks the rest.
    fn is_possible(_kinds: &[Self], change: &EdgeChange) -> bool {
        let exists = |node: NodeId| node.index() < Graph::SIZE_MAX;
        match *change {
            EdgeChange::Edge { from, to, .. } => exists(from) && exists(to),
            EdgeChange::NodeAdded { node, .. } | EdgeChange::NodeRemoved { node, .. } => {
                exists(node)
            }
            _ => false,
        }
    }
}

impl Saveable for Mesh {
    const KIND: Kind = Kind::MeshWorld;

    fn write_kinds(kinds: &[Self], writer: &mut Writer) {
        kinds.first().into_iter().for_each(|mesh| mesh.write(writer));
        let others = kinds.iter().skip(1).map(|mesh| mesh.movement().clone());
        others.collect::<Vec<MeshMovement>>().write(writer);
    }

    fn read_kinds(reader: &mut Reader<'_>, kinds_max: usize) -> Result<Vec<Self>, LoadError> {
        let mut kinds = vec![Mesh::read(reader)?];
        let others = Vec::<MeshMovement>::read(reader)?;
        if others.len() >= kinds_max {
            return Err(reader.malformed("kinds of agents"));
        }
        for (number, movement) in (1..).zip(others) {
            let kind = kinds[0].another_kind(number, movement);
            kinds.push(kind.map_err(|_| reader.malformed("kinds of agents"))?);
        }
        Ok(kinds)
    }

    /// An obstacle may stand anywhere, and so may a link; what it is was checked when it was read.
    fn is_possible(_kinds: &[Self], _change: &MeshChange) -> bool {
        true
    }
}

/// One search in slices, in memory of its own, from which many requests are answered.
///
/// To settle n places takes O(n · log n) time at most. Methods that begin a field fail with a
/// [`QueryError`] if no path can start or end at the place.
///
/// ```
/// use highroad::Cell;
/// use highroad::grid::Grid;
/// use highroad::world::{GridField, LivingField};
/// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
/// let mut field = GridField::towards(&grid, Cell::new(3, 2))?;
/// while field.advance(4) {} // four cells a slice
/// assert_eq!(field.path(Cell::new(0, 0)).expect("all is settled").goal(), Cell::new(3, 2));
/// assert_eq!(field.places().len(), 10);
/// let mut listed = Vec::new();
/// (0..field.looks()).for_each(|number| field.list(number..number + 1, &mut listed));
/// assert_eq!(listed, field.places());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait LivingField<E: Environment>: Send + Sync + Sized {
    /// Begins a field of ways from everywhere to a goal.
    fn towards(environment: &E, goal: E::Place) -> Result<Self, Refused<E>>;

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

    /// How many places [`LivingField::list`] has to look at to list all that are settled.
    fn looks(&self) -> u64;

    /// Adds to a list the settled places among those of these numbers, which are below [`LivingField::looks`]: number by
    /// number, all of them are in the order of [`LivingField::places`].
    fn list(&self, numbers: Range<u64>, places: &mut Vec<(E::Place, Cost)>);

    /// Bytes held, beside the snapshot of the environment.
    fn memory_bytes(&self) -> usize;
}

/// What is known without a search of which places can reach each other; it follows edits.
///
/// To make them takes time in proportion to the places and the steps between them; to look up two places takes O(log
/// places) at most.
///
/// ```
/// use highroad::{Cell, Terrain};
/// use highroad::grid::{Batch, Connectivity, Grid};
/// use highroad::world::LivingParts;
/// let mut grid = Grid::with_defaults("..#..\n".parse()?);
/// let mut parts = Connectivity::of(&grid);
/// assert_eq!(parts.is_reachable(Cell::new(0, 0), Cell::new(4, 0)), Some(false));
/// let changes = grid.apply(Batch::new().set((2, 0), Terrain::GROUND))?;
/// parts.follow(&grid, &changes);
/// assert_eq!(parts.is_reachable(Cell::new(0, 0), Cell::new(4, 0)), Some(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

    /// Where borders and heights count, parts can only say no; where there are links, not even that.
    fn is_reachable(&self, from: Cell, to: Cell) -> Option<bool> {
        let connected = self.connected(from, to);
        let certain = if connected { self.is_exact() } else { !self.is_linked() };
        (certain || from == to).then_some(connected)
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
        path.is_affected_by(self, changes)
    }

    fn changed_places(changes: &[Change]) -> u64 {
        Change::cell_count(changes)
    }

    fn know_parts(&mut self) {
        self.keep_connectivity();
    }

    fn kept_parts(&self) -> Option<&Connectivity> {
        self.connectivity()
    }

    fn shared_bytes(&self) -> usize {
        Grid::shared_bytes(self)
    }

    fn own_bytes(&self) -> usize {
        Grid::own_bytes(self)
    }
}

/// The field of a world on a grid: a [`Field`] that knows whether its paths lead to its source or away from it. See
/// [`LivingField`] for an example.
pub struct GridField {
    field: Field,
    towards: bool,
    /// Nothing outside is within the limit of cost.
    area: CellRect,
}

/// The cells around a start that may be within a cost.
fn area_within(grid: &Grid, start: Cell, cost_max: u64) -> CellRect {
    let extent = grid.extent();
    let last = Cell::new(extent.width() - 1, extent.height() - 1);
    if grid.is_shaped() || grid.has_links() {
        return CellRect::new((0, 0), last);
    }
    // No step costs less than a straight one between cells of this cost.
    let cell = u64::from(grid.uniform_cost().unwrap_or(1).max(1));
    let step = 2 * cell * u64::from(grid.movement().steps().straight()).max(1);
    let steps = u32::try_from(cost_max / step).unwrap_or(u32::MAX);
    let min = Cell::new(start.x.saturating_sub(steps), start.y.saturating_sub(steps));
    let max = Cell::new(start.x.saturating_add(steps), start.y.saturating_add(steps));
    CellRect::new(min, Cell::new(max.x.min(last.x), max.y.min(last.y)))
}

impl LivingField<Grid> for GridField {
    fn towards(grid: &Grid, goal: Cell) -> Result<Self, QueryError> {
        let field = Field::towards(grid, &[goal])?;
        Ok(Self { field, towards: true, area: area_within(grid, goal, u64::MAX) })
    }

    fn away_from(
        grid: &Grid,
        start: Cell,
        cost_max: u64,
        memory: &mut FieldMemory,
    ) -> Result<Self, QueryError> {
        let field = Field::within_using(grid, &[start], cost_max, memory)?;
        Ok(Self { field, towards: false, area: area_within(grid, start, cost_max) })
    }

    fn into_memory(self) -> FieldMemory {
        self.field.into_memory()
    }

    fn renew_towards(&mut self, grid: &Grid, goal: Cell) -> Result<(), QueryError> {
        self.towards = true;
        self.area = area_within(grid, goal, u64::MAX);
        self.field.renew_towards(grid, &[goal])
    }

    fn renew_away_from(
        &mut self,
        grid: &Grid,
        start: Cell,
        cost_max: u64,
    ) -> Result<(), QueryError> {
        self.towards = false;
        self.area = area_within(grid, start, cost_max);
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

    fn looks(&self) -> u64 {
        self.area.cell_count()
    }

    fn list(&self, numbers: Range<u64>, places: &mut Vec<(Cell, Cost)>) {
        let (min, max) = (self.area.min(), self.area.max());
        let width = u64::from(max.x - min.x + 1);
        let cells = numbers.map(|number| {
            Cell::new(min.x + (number % width) as u32, min.y + (number / width) as u32)
        });
        places.extend(cells.filter_map(|cell| Some((cell, self.field.cost(cell)?))));
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

    fn shared_bytes(&self) -> usize {
        self.memory_bytes()
    }

    fn own_bytes(&self) -> usize {
        0
    }
}

impl Living for Mesh {
    type Batch = MeshBatch;
    type EditError = MeshEditError;
    type Field = MeshField;
    type Parts = MeshParts;

    fn apply_to_all(
        kinds: &mut [Self],
        batch: &MeshBatch,
    ) -> Result<Vec<MeshChange>, MeshEditError> {
        Mesh::apply_to_all(kinds, batch)
    }

    fn undoing(changes: &[MeshChange]) -> MeshBatch {
        MeshBatch::undoing(changes)
    }

    fn kind(&self) -> KindId {
        KindId(Mesh::kind(self))
    }

    fn is_concerned_by(&self, change: &MeshChange) -> bool {
        Mesh::is_concerned_by(self, change)
    }

    /// A mesh knows its connected parts at all times.
    fn knows_reachable(&self, from: MeshPoint, to: MeshPoint) -> Option<bool> {
        Some(self.is_reachable(from, to))
    }

    fn shared_bytes(&self) -> usize {
        self.memory_bytes()
    }

    fn own_bytes(&self) -> usize {
        0
    }
}

/// What is kept of the connected parts of a mesh beside it: nothing, since the mesh itself knows them at all times.
///
/// ```
/// use highroad::mesh::{Mesh, MeshPoint};
/// use highroad::world::{Living, LivingParts, MeshParts};
/// let mesh = Mesh::from_cells(3, 1, |x, _| x != 1)?;
/// let [a, b] = [MeshPoint::new(0.5, 0.5)?, MeshPoint::new(2.5, 0.5)?];
/// assert_eq!(MeshParts::of(&mesh).is_reachable(a, b), None);
/// assert_eq!(mesh.knows_reachable(a, b), Some(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MeshParts;

impl LivingParts<Mesh> for MeshParts {
    fn of(_mesh: &Mesh) -> Self {
        Self
    }

    fn follow(&mut self, _mesh: &Mesh, _changes: &[MeshChange]) {}

    fn is_reachable(&self, _from: MeshPoint, _to: MeshPoint) -> Option<bool> {
        None
    }

    fn memory_bytes(&self) -> usize {
        0
    }
}

impl LivingField<Mesh> for MeshField {
    fn towards(mesh: &Mesh, goal: MeshPoint) -> Result<Self, Refused<Mesh>> {
        Self::towards(mesh, &[goal])
    }

    fn away_from(
        mesh: &Mesh,
        start: MeshPoint,
        cost_max: u64,
        memory: &mut FieldMemory,
    ) -> Result<Self, Refused<Mesh>> {
        Self::using(mesh, &[start], false, cost_max, memory)
    }

    fn into_memory(self) -> FieldMemory {
        Self::into_memory(self)
    }

    fn renew_towards(&mut self, mesh: &Mesh, goal: MeshPoint) -> Result<(), Refused<Mesh>> {
        self.renew(mesh, &[goal], true, u64::MAX)
    }

    fn renew_away_from(
        &mut self,
        mesh: &Mesh,
        start: MeshPoint,
        cost_max: u64,
    ) -> Result<(), Refused<Mesh>> {
        self.renew(mesh, &[start], false, cost_max)
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

    fn cost(&self, point: MeshPoint) -> Option<Cost> {
        Self::cost(self, point)
    }

    fn path(&mut self, point: MeshPoint) -> Option<Path<MeshPoint>> {
        Self::path(self, point)
    }

    /// The corners: a mesh has too many points to list them.
    fn places(&self) -> Vec<(MeshPoint, Cost)> {
        self.corners().collect()
    }

    fn looks(&self) -> u64 {
        self.mesh().vertex_count() as u64
    }

    fn list(&self, numbers: Range<u64>, places: &mut Vec<(MeshPoint, Cost)>) {
        places.extend(numbers.filter_map(|number| self.corner(number as u32)));
    }

    fn memory_bytes(&self) -> usize {
        Self::memory_bytes(self)
    }
}

impl LivingField<Graph> for GraphField {
    fn towards(graph: &Graph, goal: NodeId) -> Result<Self, Refused<Graph>> {
        Self::towards(graph, &[goal])
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

    fn looks(&self) -> u64 {
        self.graph().node_count() as u64
    }

    fn list(&self, numbers: Range<u64>, places: &mut Vec<(NodeId, Cost)>) {
        let nodes = numbers.map(|number| NodeId(number as u32));
        places.extend(nodes.filter_map(|node| Some((node, self.cost(node)?))));
    }

    fn memory_bytes(&self) -> usize {
        Self::memory_bytes(self)
    }
}
