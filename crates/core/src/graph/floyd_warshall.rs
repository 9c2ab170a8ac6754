//! Floyd and Warshall's algorithm: shortest paths between all pairs of nodes, along edges of any sign.
//!
//! Floyd (1962), Warshall (1962): round *k* lets paths pass through node *k*. A loop of its own because it
//! turns a matrix, not a frontier. Blocked as by Venkataraman, Sahni and Mukhopadhyaya (2003): a round does
//! 64 intermediate nodes at once, on tiles of 64 × 64 costs that fit the first caches.
//!
//! ```text
//!         pivot column
//!           │ 2 │            1  the pivot itself
//!       ────┼───┼────        2  its row and its column, by means of it
//! pivot   2 │ 1 │ 2          3  every other tile, by means of one of its row and one of its column:
//!  row  ────┼───┼────           these do not depend on each other, and are jobs
//!         3 │ 2 │ 3
//! ```
//!
//! Costs take 32 bits where all sums are known to fit, else 64. "No way" is a number so large that adding
//! two of them does not wrap and no sum of edges comes near it, so that the inner loop has no branch.
//!
//! With a negative cycle costs would fall without end. Until a round has made a cost from a node to itself
//! negative, all costs are those of paths without a cycle; it is looked for after every step of the pivot
//! and after every round, and ends everything.

use super::{AllPairsError, Graph, NegativeCycle, negative_cycle};
use crate::environment::{BuildError, Watch};
use crate::space::NodeId;

/// Nodes on a side of a tile.
const SIDE: usize = 64;
const NONE: u32 = u32::MAX;

/// A number that costs are counted in.
pub(super) trait Number: Copy + Ord + Send + Sync + std::ops::Add<Output = Self> {
    const FAR: Self;
    const ZERO: Self;
    /// From here on there is no way.
    const NEAR_END: Self;
    fn of(weight: i32) -> Self;
    fn wide(self) -> i64;
}

impl Number for i32 {
    const FAR: Self = (1 << 30) - 1;
    const ZERO: Self = 0;
    const NEAR_END: Self = 1 << 29;
    fn of(weight: i32) -> Self {
        weight
    }
    fn wide(self) -> i64 {
        i64::from(self)
    }
}

impl Number for i64 {
    const FAR: Self = (1 << 62) - 1;
    const ZERO: Self = 0;
    const NEAR_END: Self = 1 << 61;
    fn of(weight: i32) -> Self {
        Self::from(weight)
    }
    fn wide(self) -> i64 {
        self
    }
}

/// The costs from 64 nodes to 64 nodes, and which node each path passes through. The jobs of a [`Round`] work on one each.
#[derive(Clone)]
pub struct Tile(Cells);

#[derive(Clone)]
enum Cells {
    Narrow(Box<Square<i32>>),
    Wide(Box<Square<i64>>),
}

#[derive(Clone)]
struct Square<N> {
    costs: [[N; SIDE]; SIDE],
    /// The intermediate node of the latest improvement; [`NONE`] for an edge.
    via: [[u32; SIDE]; SIDE],
}

impl<N: Number> Square<N> {
    fn empty() -> Box<Self> {
        Box::new(Self { costs: [[N::FAR; SIDE]; SIDE], via: [[NONE; SIDE]; SIDE] })
    }

    /// Lets paths of this tile pass through the nodes from `first` on; `before` are the costs to them,
    /// `after` those from them. Not for a tile that is one of these two.
    ///
    /// PERF: the costs of 32 pairs stay in registers while all 64 intermediate nodes go by, and nothing else
    /// does: by which node a cost has fallen is looked up afterwards, for the few that have.
    fn relax(&mut self, before: &Self, after: &Self, first: u32) {
        const LANES: usize = 32;
        for (row, (costs, via)) in self.costs.iter_mut().zip(&mut self.via).enumerate() {
            let to = &before.costs[row];
            for lane in (0..SIDE).step_by(LANES) {
                let known: [N; LANES] = std::array::from_fn(|at| costs[lane + at]);
                let mut best = known;
                for (&to, from) in to.iter().zip(&after.costs) {
                    let from = &from[lane..lane + LANES];
                    for at in 0..LANES {
                        let by_it = to + from[at];
                        best[at] = if by_it < best[at] { by_it } else { best[at] };
                    }
                }
                if best == known {
                    continue;
                }
                costs[lane..lane + LANES].copy_from_slice(&best);
                for at in (0..LANES).filter(|&at| best[at] < known[at]) {
                    let gives =
                        |step: &usize| to[*step] + after.costs[*step][lane + at] == best[at];
                    if let Some(step) = (0..SIDE).find(gives) {
                        via[lane + at] = first + step as u32;
                    }
                }
            }
        }
    }

    /// Relaxes the pivot by itself, one intermediate node after the other, until a negative cycle shows.
    fn relax_pivot(&mut self, first: u32) {
        for step in 0..SIDE {
            let from = self.costs[step];
            for (costs, via) in self.costs.iter_mut().zip(&mut self.via) {
                let to = costs[step];
                for at in 0..SIDE {
                    let by_it = to + from[at];
                    let better = by_it < costs[at];
                    costs[at] = if better { by_it } else { costs[at] };
                    via[at] = if better { first + step as u32 } else { via[at] };
                }
            }
            if self.has_negative_diagonal() {
                return;
            }
        }
    }

    fn has_negative_diagonal(&self) -> bool {
        (0..SIDE).any(|at| self.costs[at][at] < N::ZERO)
    }
}

/// Two squares of the same kind of number.
macro_rules! alike {
    ($tile:expr, $before:expr, $after:expr, |$t:ident, $b:ident, $a:ident| $body:expr) => {
        match ($tile, $before, $after) {
            (Cells::Narrow($t), Cells::Narrow($b), Cells::Narrow($a)) => $body,
            (Cells::Wide($t), Cells::Wide($b), Cells::Wide($a)) => $body,
            // All tiles of a run are of one kind.
            _ => {}
        }
    };
}

/// The tiles of a round's row and column, finished: what the other tiles need to know.
///
/// ```
/// use highroad::graph::{Edge, FloydWarshall, Graph, Round, Tile};
/// fn work(round: &Round, tiles: &mut [Tile]) { // each tile is a job of its own
///     tiles.iter_mut().enumerate().for_each(|(index, tile)| round.relax(index, tile));
/// }
/// let graph = Graph::from_edges(2, &[Edge::new(0, 1, 4)])?;
/// let mut run = FloydWarshall::new(&graph)?;
/// while let Some(round) = run.begin_round() {
///     work(&round, run.tiles_mut());
/// }
/// assert!(run.cycle(&graph).is_none() && run.memory_bytes() > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Round {
    pivot: usize,
    across: usize,
    row: Vec<Tile>,
    column: Vec<Tile>,
}

impl Round {
    /// Lets the paths of one tile pass through this round's nodes; `index` is its place among
    /// [`FloydWarshall::tiles_mut`]. Tiles of the pivot's row and column are done already.
    pub fn relax(&self, index: usize, tile: &mut Tile) {
        let (row, column) = (index / self.across, index % self.across);
        if row == self.pivot || column == self.pivot || row >= self.across {
            return;
        }
        let first = (self.pivot * SIDE) as u32;
        let (before, after) = (&self.column[row].0, &self.row[column].0);
        alike!(&mut tile.0, before, after, |tile, before, after| tile.relax(before, after, first));
    }
}

/// A run of the algorithm: rounds, each of which is done by jobs that the caller may run on several threads.
///
/// ```
/// use highroad::graph::{Edge, FloydWarshall, Graph};
/// use highroad::environment::NodeId;
/// let graph = Graph::from_edges(3, &[Edge::new(0, 1, 4), Edge::new(1, 2, -1)])?;
/// let mut run = FloydWarshall::new(&graph)?;
/// while let Some(round) = run.begin_round() {
///     // On several threads, if you like.
///     run.tiles_mut().iter_mut().enumerate().for_each(|(index, tile)| round.relax(index, tile));
/// }
/// assert!(!run.has_negative_cycle());
/// assert_eq!(run.cost(NodeId(0), NodeId(2)), Some(3));
/// assert_eq!(run.path(NodeId(0), NodeId(2)), Some([0, 1, 2].map(NodeId).to_vec()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// O(nodes³) time in all, 8 or 12 bytes a pair of nodes (their number rounded up to a multiple of 64).
pub struct FloydWarshall {
    nodes: usize,
    across: usize,
    tiles: Vec<Tile>,
    pivot: usize,
    negative: bool,
}

impl FloydWarshall {
    /// The most nodes: the matrix then takes three gigabytes.
    pub const NODES_MAX: usize = 1 << 14;

    /// Takes the matrix of a graph. Fails with [`AllPairsError::TooManyNodes`] above [`FloydWarshall::NODES_MAX`].
    pub fn new(graph: &Graph) -> Result<Self, AllPairsError> {
        let nodes = graph.node_count();
        if nodes > Self::NODES_MAX {
            return Err(AllPairsError::TooManyNodes { nodes, nodes_max: Self::NODES_MAX });
        }
        let narrow = nodes as i64 * i64::from(graph.weight_max()) < i32::NEAR_END.wide();
        let across = nodes.div_ceil(SIDE);
        let make = |_| {
            Tile(if narrow { Cells::Narrow(Square::empty()) } else { Cells::Wide(Square::empty()) })
        };
        let mut run = Self {
            nodes,
            across,
            tiles: (0..across * across).map(make).collect(),
            pivot: 0,
            negative: false,
        };
        for node in (0..nodes as u32).map(NodeId) {
            run.lower(node, node, 0);
        }
        for edge in graph.edges() {
            run.lower(edge.from, edge.to, edge.weight);
            run.negative |= edge.from == edge.to && edge.weight < 0;
        }
        Ok(run)
    }

    fn place(&self, from: NodeId, to: NodeId) -> (usize, usize, usize) {
        let tile = from.index() / SIDE * self.across + to.index() / SIDE;
        (tile, from.index() % SIDE, to.index() % SIDE)
    }

    fn lower(&mut self, from: NodeId, to: NodeId, weight: i32) {
        let (tile, row, column) = self.place(from, to);
        match &mut self.tiles[tile].0 {
            Cells::Narrow(square) => {
                let cost = &mut square.costs[row][column];
                *cost = i32::of(weight).min(*cost);
            }
            Cells::Wide(square) => {
                let cost = &mut square.costs[row][column];
                *cost = i64::of(weight).min(*cost);
            }
        }
    }

    /// Does the pivot, its row and its column, and gives what the other tiles need; `None` when all rounds
    /// are done, or a negative cycle has shown.
    pub fn begin_round(&mut self) -> Option<Round> {
        match self.begin_watched(&mut Watch::none()) {
            Ok(round) => round,
            Err(_) => unreachable!("nobody stops what is not watched"),
        }
    }

    /// The same with progress: a round's tiles are counted before the others are done.
    fn begin_watched(&mut self, watch: &mut Watch<'_>) -> Result<Option<Round>, BuildError> {
        if self.negative || self.diagonal_is_negative() || self.pivot == self.across {
            self.negative |= self.diagonal_is_negative();
            return Ok(None);
        }
        let (pivot, across) = (self.pivot, self.across);
        let first = (pivot * SIDE) as u32;
        let middle = pivot * across + pivot;
        match &mut self.tiles[middle].0 {
            Cells::Narrow(square) => square.relax_pivot(first),
            Cells::Wide(square) => square.relax_pivot(first),
        }
        if self.diagonal_is_negative() {
            self.negative = true;
            return Ok(None);
        }
        // The pivot knows all ways among its own nodes, so one look at what the tile was before is enough.
        let done = self.tiles[middle].clone();
        for other in (0..across).filter(|&other| other != pivot) {
            let tiles = self.tiles.len() as u64;
            watch.report(pivot as u64 * tiles, across as u64 * tiles)?;
            let tile = &mut self.tiles[pivot * across + other];
            let before = tile.clone();
            alike!(&mut tile.0, &done.0, &before.0, |tile, to, from| tile.relax(to, from, first));
            let tile = &mut self.tiles[other * across + pivot];
            let before = tile.clone();
            alike!(&mut tile.0, &before.0, &done.0, |tile, to, from| tile.relax(to, from, first));
        }
        self.pivot += 1;
        Ok(Some(Round {
            pivot,
            across,
            row: self.tiles[pivot * across..][..across].to_vec(),
            column: self.tiles.iter().skip(pivot).step_by(across).cloned().collect(),
        }))
    }

    /// All tiles, row by row.
    pub fn tiles_mut(&mut self) -> &mut [Tile] {
        &mut self.tiles
    }

    /// Does every round on one thread.
    pub fn run(&mut self) {
        match self.run_watched(&mut Watch::none()) {
            Ok(()) => {}
            Err(_) => unreachable!("nobody stops what is not watched"),
        }
    }

    /// As [`FloydWarshall::run`], with progress in tiles. Fails with [`BuildError::Stopped`] when the watch stops it; what
    /// costs mean then depends on how far it was.
    ///
    /// ```
    /// use highroad::environment::NodeId;
    /// use highroad::graph::{Edge, FloydWarshall, Graph};
    /// use highroad::planner::Watch;
    /// use std::ops::ControlFlow;
    /// let graph = Graph::from_edges(3, &[Edge::new(0, 1, 4), Edge::new(1, 2, 1)])?;
    /// let mut run = FloydWarshall::new(&graph)?;
    /// let mut show = |done, of| { println!("{done} of {of} tiles"); ControlFlow::Continue(()) };
    /// run.run_watched(&mut Watch::new(&mut show))?;
    /// assert_eq!(run.cost(NodeId(0), NodeId(2)), Some(5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_watched(&mut self, watch: &mut Watch<'_>) -> Result<(), BuildError> {
        let (across, tiles) = (self.across as u64, self.tiles.len() as u64);
        while let Some(round) = self.begin_watched(watch)? {
            let before = (self.pivot as u64 - 1) * tiles;
            for (index, tile) in self.tiles.iter_mut().enumerate() {
                watch.report(before + index as u64, across * tiles)?;
                round.relax(index, tile);
            }
        }
        Ok(())
    }

    fn diagonal_is_negative(&self) -> bool {
        self.tiles.iter().step_by(self.across + 1).any(|tile| match &tile.0 {
            Cells::Narrow(square) => square.has_negative_diagonal(),
            Cells::Wide(square) => square.has_negative_diagonal(),
        })
    }

    /// Whether a negative cycle has ended the run. Then costs mean nothing.
    pub fn has_negative_cycle(&self) -> bool {
        self.negative
    }

    /// The negative cycle that has ended the run.
    pub fn cycle(&self, graph: &Graph) -> Option<NegativeCycle> {
        if self.negative { negative_cycle(graph) } else { None }
    }

    /// The least cost between two nodes; `None` where there is no way, or no such node.
    pub fn cost(&self, from: NodeId, to: NodeId) -> Option<i64> {
        if from.index() >= self.nodes || to.index() >= self.nodes {
            return None;
        }
        let (tile, row, column) = self.place(from, to);
        match &self.tiles[tile].0 {
            Cells::Narrow(square) => near(square.costs[row][column]),
            Cells::Wide(square) => near(square.costs[row][column]),
        }
    }

    fn via(&self, from: NodeId, to: NodeId) -> Option<NodeId> {
        let (tile, row, column) = self.place(from, to);
        let via = match &self.tiles[tile].0 {
            Cells::Narrow(square) => square.via[row][column],
            Cells::Wide(square) => square.via[row][column],
        };
        (via != NONE).then_some(NodeId(via))
    }

    /// The nodes of a shortest path. Each pair of nodes knows one between them; the rest follows.
    pub fn path(&self, from: NodeId, to: NodeId) -> Option<Vec<NodeId>> {
        self.cost(from, to)?;
        if self.negative {
            return None;
        }
        let mut nodes = vec![from];
        if from == to {
            return Some(nodes);
        }
        let mut legs = vec![(from, to)];
        while let Some((from, to)) = legs.pop() {
            match self.via(from, to) {
                Some(via) => legs.extend([(via, to), (from, via)]),
                None => nodes.push(to),
            }
        }
        Some(nodes)
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        let square = |tile: &Tile| match &tile.0 {
            Cells::Narrow(_) => size_of::<Square<i32>>(),
            Cells::Wide(_) => size_of::<Square<i64>>(),
        };
        self.tiles.iter().map(square).sum::<usize>() + self.tiles.capacity() * size_of::<Tile>()
    }
}

fn near<N: Number>(cost: N) -> Option<i64> {
    (cost < N::NEAR_END).then(|| cost.wide())
}
