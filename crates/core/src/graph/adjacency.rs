//! The edges of each node, in pages of 128 nodes that are shared and copied on write.
//!
//! A page holds compressed sparse rows. A clone copies page pointers, so a snapshot of a graph is cheap and stays as
//! it was. An edit touches the pages of its nodes alone: a weight is set in place, and an edge that comes or goes
//! moves the later edges of its page, some hundreds on a road network.

use super::Edge;
use crate::space::NodeId;
use std::sync::Arc;

const PAGE_BITS: u32 = 7;
const PAGE: usize = 1 << PAGE_BITS;

/// An edge that is there, but closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Closed {
    row: u8,
    /// Its place among all edges of the row, open ones included.
    place: u32,
    to: NodeId,
    weight: i32,
}

/// The edges of 128 nodes.
///
/// ```text
/// first   0   2   2   5      where each node's edges begin, and the end
/// heads   1 2 · 0 1 2        where they lead, each beside its weight
/// ```
#[derive(Clone, Debug)]
struct Page {
    /// PERF: of fixed length, so that looking up a row needs no range check.
    first: [u32; PAGE + 1],
    /// PERF: head and weight together: whoever reads the one reads the other.
    edges: Vec<(NodeId, i32)>,
    /// By rows, then by places.
    closed: Vec<Closed>,
    /// One bit for each node that was removed.
    removed: u128,
}

impl Page {
    const EMPTY: Self =
        Self { first: [0; PAGE + 1], edges: Vec::new(), closed: Vec::new(), removed: 0 };

    #[inline]
    fn row(&self, row: usize) -> &[(NodeId, i32)] {
        let row = row & (PAGE - 1);
        &self.edges[self.first[row] as usize..self.first[row + 1] as usize]
    }

    fn closed_of(&self, row: usize) -> &[Closed] {
        let from = self.closed.partition_point(|closed| usize::from(closed.row) < row);
        let to = self.closed.partition_point(|closed| usize::from(closed.row) <= row);
        &self.closed[from..to]
    }

    /// Where an open edge lies among the edges of the page, by its place in its row.
    fn at(&self, row: usize, place: u32) -> usize {
        let before = self.closed_of(row).iter().filter(|closed| closed.place < place).count();
        self.first[row] as usize + place as usize - before
    }

    /// Moves the closed edges of a row, from a place on, by one place on or back.
    fn shift(&mut self, row: usize, place: u32, by: i32) {
        let behind = |closed: &&mut Closed| usize::from(closed.row) == row && closed.place >= place;
        for closed in self.closed.iter_mut().filter(behind) {
            closed.place = closed.place.wrapping_add_signed(by);
        }
    }
}

/// An edge in its row: where it leads, and in which state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) to: NodeId,
    pub(super) weight: i32,
    pub(super) closed: bool,
}

/// The edges that leave each node.
///
/// ```
/// use highroad::graph::{Edge, Graph};
/// use highroad::environment::NodeId;
/// let graph = Graph::from_edges(2, &[Edge::new(0, 1, 7), Edge::new(0, 1, 3)])?;
/// assert_eq!(graph.outgoing().of(NodeId(0)).count(), 2);
/// assert_eq!(graph.outgoing().weight(NodeId(0), NodeId(1)), Some(3));
/// # Ok::<(), highroad::graph::GraphBuildError>(())
/// ```
///
/// To list the edges of a node takes O(its edges), to clone O(nodes / 128). From [`Graph::outgoing`](super::Graph::outgoing)
/// and [`Graph::incoming`](super::Graph::incoming).
///
/// ```
/// use highroad::environment::NodeId;
/// use highroad::graph::{Adjacency, Edge, Graph};
/// let graph = Graph::from_edges(3, &[Edge::new(0, 2, 7), Edge::new(1, 2, 3)])?;
/// let incoming: &Adjacency = graph.incoming();
/// assert_eq!(incoming.edges().next(), Some(Edge::new(2, 0, 7)), "turned round");
/// assert_eq!(incoming.of(NodeId(2)).map(|(from, _)| from).collect::<Vec<_>>(), [NodeId(0), NodeId(1)]);
/// # Ok::<(), highroad::graph::GraphBuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Adjacency {
    pages: Vec<Arc<Page>>,
    node_count: usize,
    edge_count: usize,
    closed_count: usize,
}

impl Adjacency {
    /// Sorts edges whose ends are below `node_count`; those of a node stay in their order.
    pub(super) fn new(node_count: usize, edges: impl Iterator<Item = Edge> + Clone) -> Self {
        let mut pages = vec![Page::EMPTY; node_count.div_ceil(PAGE)];
        let mut edge_count = 0;
        for edge in edges.clone() {
            let (page, row) = split(edge.from);
            pages[page].first[row + 1] += 1;
            edge_count += 1;
        }
        let mut next = vec![0u32; node_count];
        for (page, nodes) in pages.iter_mut().zip(next.chunks_mut(PAGE)) {
            for row in 0..PAGE {
                page.first[row + 1] += page.first[row];
            }
            nodes.copy_from_slice(&page.first[..nodes.len()]);
            page.edges = vec![(NodeId(0), 0); page.first[PAGE] as usize];
        }
        for edge in edges {
            let slot = &mut next[edge.from.index()];
            pages[split(edge.from).0].edges[*slot as usize] = (edge.to, edge.weight);
            *slot += 1;
        }
        let pages = pages.into_iter().map(Arc::new).collect();
        Self { pages, node_count, edge_count, closed_count: 0 }
    }

    /// How many nodes there are, removed ones included: each keeps its number.
    pub fn node_count(&self) -> usize {
        self.node_count
    }

    /// How many edges there are, without closed ones.
    pub fn edge_count(&self) -> usize {
        self.edge_count
    }

    /// The edges of a node: where each leads, and its weight. None of a node that is not there, and none that is
    /// closed.
    #[inline]
    pub fn of(&self, node: NodeId) -> impl Iterator<Item = (NodeId, i32)> + '_ {
        self.slice(node).iter().copied()
    }

    #[inline]
    pub(crate) fn slice(&self, node: NodeId) -> &[(NodeId, i32)] {
        match self.pages.get(node.index() >> PAGE_BITS) {
            Some(page) => page.row(node.index()),
            None => &[],
        }
    }

    /// Every edge, by the node it leaves, without closed ones.
    pub fn edges(&self) -> impl Iterator<Item = Edge> + Clone + '_ {
        (0..self.node_count() as u32).flat_map(move |from| {
            let from = NodeId(from);
            self.slice(from).iter().map(move |&(to, weight)| Edge { from, to, weight })
        })
    }

    /// The cheapest edge between two nodes.
    pub fn weight(&self, from: NodeId, to: NodeId) -> Option<i32> {
        self.of(from).filter(|edge| edge.0 == to).map(|edge| edge.1).min()
    }

    /// How many edges leave the nodes of the pages before one.
    pub(super) fn edges_before(&self, page: usize) -> usize {
        self.pages[..page].iter().map(|page| page.edges.len()).sum()
    }

    pub(super) fn closed_count(&self) -> usize {
        self.closed_count
    }

    /// Every closed edge, by the node it leaves.
    pub(super) fn closed_edges(&self) -> impl Iterator<Item = Edge> + '_ {
        self.pages.iter().enumerate().flat_map(|(page, content)| {
            content.closed.iter().map(move |closed| Edge {
                from: NodeId((page << PAGE_BITS) as u32 + u32::from(closed.row)),
                to: closed.to,
                weight: closed.weight,
            })
        })
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let page = |page: &Arc<Page>| {
            size_of::<Page>()
                + page.edges.capacity() * size_of::<(NodeId, i32)>()
                + page.closed.capacity() * size_of::<Closed>()
        };
        self.pages.capacity() * size_of::<Arc<Page>>() + self.pages.iter().map(page).sum::<usize>()
    }
}

impl PartialEq for Adjacency {
    /// Whether they have the same nodes, and each node the same edges in the same order.
    fn eq(&self, other: &Self) -> bool {
        let same = |node: u32| self.row(NodeId(node)).eq(other.row(NodeId(node)));
        self.node_count == other.node_count
            && (0..self.node_count as u32).all(same)
            && self.pages.iter().zip(&other.pages).all(|(own, other)| own.removed == other.removed)
    }
}

impl Eq for Adjacency {}

/// What edits need. Nodes and places must be there.
impl Adjacency {
    /// All edges of a node in their order, closed ones included.
    pub(super) fn row(&self, node: NodeId) -> impl Iterator<Item = Slot> + '_ {
        let (page, row) = split(node);
        let closed = self.pages.get(page).map_or(&[][..], |page| page.closed_of(row));
        let (mut open, mut closed) = (self.slice(node).iter(), closed.iter().peekable());
        (0..).map_while(move |place| {
            if let Some(closed) = closed.next_if(|closed| closed.place == place) {
                return Some(Slot { to: closed.to, weight: closed.weight, closed: true });
            }
            open.next().map(|&(to, weight)| Slot { to, weight, closed: false })
        })
    }

    /// Another weight for an edge that stays open, at a place of its row.
    pub(super) fn set_weight(&mut self, node: NodeId, place: u32, weight: i32) {
        let (page, row) = split(node);
        let page = Arc::make_mut(&mut self.pages[page]);
        let at = page.at(row, place);
        page.edges[at].1 = weight;
    }

    /// A new edge at a place of its row: the later ones move on by one.
    pub(super) fn insert(&mut self, node: NodeId, place: u32, slot: Slot) {
        let (page, row) = split(node);
        let page = Arc::make_mut(&mut self.pages[page]);
        let Slot { to, weight, closed } = slot;
        page.shift(row, place, 1);
        if closed {
            let before = |known: &Closed| (usize::from(known.row), known.place) < (row, place);
            let at = page.closed.partition_point(before);
            page.closed.insert(at, Closed { row: row as u8, place, to, weight });
            self.closed_count += 1;
        } else {
            let at = page.at(row, place);
            page.edges.insert(at, (to, weight));
            page.first[row + 1..].iter_mut().for_each(|first| *first += 1);
            self.edge_count += 1;
        }
    }

    /// Takes the edge at a place out of its row: the later ones move back by one.
    pub(super) fn take(&mut self, node: NodeId, place: u32) {
        let (page, row) = split(node);
        let page = Arc::make_mut(&mut self.pages[page]);
        let key = |closed: &Closed| (usize::from(closed.row), closed.place);
        match page.closed.binary_search_by_key(&(row, place), key) {
            Ok(at) => {
                page.closed.remove(at);
                self.closed_count -= 1;
            }
            Err(_) => {
                let at = page.at(row, place);
                page.edges.remove(at);
                page.first[row + 1..].iter_mut().for_each(|first| *first -= 1);
                self.edge_count -= 1;
            }
        }
        page.shift(row, place, -1);
    }

    /// Another node, without edges.
    pub(super) fn push_node(&mut self) {
        if self.node_count.is_multiple_of(PAGE) {
            self.pages.push(Arc::new(Page::EMPTY));
        }
        self.node_count += 1;
    }

    /// Takes the number of the last node back; it has no edges.
    pub(super) fn pop_node(&mut self) {
        self.node_count -= 1;
        if self.node_count.is_multiple_of(PAGE) {
            self.pages.pop();
        }
    }

    pub(super) fn is_removed(&self, node: NodeId) -> bool {
        let (page, row) = split(node);
        self.pages.get(page).is_some_and(|page| page.removed >> row & 1 == 1)
    }

    pub(super) fn set_removed(&mut self, node: NodeId, removed: bool) {
        let (page, row) = split(node);
        let bits = &mut Arc::make_mut(&mut self.pages[page]).removed;
        *bits = *bits & !(1 << row) | u128::from(removed) << row;
    }

    /// Makes the edges from `node` to `to` those weights, in that order, where the rows are sorted by heads.
    pub(super) fn replace_sorted(&mut self, node: NodeId, to: NodeId, weights: &[i32]) {
        let row = self.slice(node);
        let from = row.partition_point(|edge| edge.0 < to);
        let until = row.partition_point(|edge| edge.0 <= to);
        let common = weights.len().min(until - from);
        for (place, &weight) in (from..).zip(&weights[..common]) {
            if self.slice(node)[place].1 != weight {
                self.set_weight(node, place as u32, weight);
            }
        }
        for place in (from + common..until).rev() {
            self.take(node, place as u32);
        }
        for (place, &weight) in (from + common..).zip(&weights[common..]) {
            self.insert(node, place as u32, Slot { to, weight, closed: false });
        }
    }
}

/// The page of a node.
pub(super) const fn page_of(node: NodeId) -> usize {
    node.index() >> PAGE_BITS
}

/// The nodes of a page that are numbered below `node_count`.
pub(super) fn nodes_of(page: usize, node_count: usize) -> impl Iterator<Item = NodeId> {
    let end = ((page + 1) << PAGE_BITS).min(node_count);
    ((page << PAGE_BITS) as u32..end as u32).map(NodeId)
}

/// The page of a node, and its row there.
const fn split(node: NodeId) -> (usize, usize) {
    (page_of(node), node.index() & (PAGE - 1))
}
