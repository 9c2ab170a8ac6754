//! How large labels will be, before they are made: the label of one node follows from one search.
//!
//! A node is labelled with a hub exactly if no earlier hub lies on any shortest way between them. So a search from the
//! node that keeps, for each node that it settles, the earliest one on all shortest ways to it, counts its label:
//!
//! ```text
//!   place in the order   7 ── 3 ── 5 ── 1      from the left: 7 is its own hub; 3 is earlier than all before it; 5 is not;
//!   earliest so far      7    3    3    1      1 is. The label has 7, 3 and 1.
//! ```
//!
//! Beside its entries a label takes words of the hubs' trees: one for each entry, and one more where a tree branches off.
//! How many an entry takes is counted in the tree of one hub of each label, which is made and written as it will be. A
//! hub is chosen as often as it is in labels, so that the mean over the sample is the mean over all entries.
//!
//! The labels of a sample stand for all. It ends as soon as it is clear on which side of the limit their sum lies.
//! The links of cells, which come last, are estimated by a sample of cells.

use super::flat::TreeWriter;
use super::neighbours::Neighbours;
use super::pruned::{ENTRY_BYTES, FAR, Search, Settled, WORD_BYTES};
use super::reach::Reach;
use crate::grid::{CellId, Grid};
use crate::index::subgoal::{Ground, SubgoalGraph};

/// How many labels are counted at least before it is decided that labels fit, and that they do not; and at most.
const SAMPLE_MIN_TO_MAKE: usize = 8;
const SAMPLE_MIN_TO_REFUSE: usize = 32;
const SAMPLE_MAX: u32 = 128;

/// How many cells stand for all.
const SAMPLE_CELLS: u32 = 4096;

/// A sum is taken to be on one side of the limit where it is further from it than so many standard errors.
const ERRORS: f64 = 4.0;

/// The sizes of some lists.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    lists: usize,
    sum: f64,
    squares: f64,
}

impl Sample {
    fn add(&mut self, size: f64) {
        self.lists += 1;
        self.sum += size;
        self.squares += size * size;
    }

    /// How large a list is on average, and the standard error of that.
    fn mean(&self) -> (f64, f64) {
        let lists = self.lists.max(1) as f64;
        let mean = self.sum / lists;
        let variance = (self.squares / lists - mean * mean).max(0.0);
        (mean, (variance / lists).sqrt())
    }
}

/// One of `count` things for each number. Multiples of the golden ratio: however many, they are spread over all.
fn spread(number: u32, count: usize) -> usize {
    let share = u64::from(number.wrapping_mul(2_654_435_769));
    ((share * count as u64) >> 32) as usize
}

/// How many bytes the links of all cells take, surely.
pub(super) fn link_bytes_least(subgoals: &SubgoalGraph, grid: &Grid) -> usize {
    let cell_count = grid.extent().cell_count();
    let mut sample = Sample::default();
    for number in 0..SAMPLE_CELLS.min(cell_count as u32) {
        let cell = grid.extent().cell(CellId(spread(number, cell_count) as u32));
        let mut links = 0;
        if grid.is_enterable(cell) {
            subgoals.links_onwards(cell, |_| links += 1);
        }
        sample.add(f64::from(links));
    }
    let (mean, error) = sample.mean();
    let links = (mean - ERRORS * error).max(0.0) * cell_count as f64;
    Reach::bytes_of(cell_count, links as usize, subgoals.subgoal_count())
}

/// Whether labels surely take more than so many bytes on average. `false` also where that is not clear, and where a
/// distance is too long to be noted. `edges` are those that the hubs' trees are put together of.
pub(super) fn exceed(
    graph: &Neighbours,
    edges: &Neighbours,
    order: &[u32],
    mean_max: f64,
    search: &mut Search,
) -> bool {
    if order.is_empty() {
        return false;
    }
    let mut counter = Counter::new(order);
    let mut sample = Sample::default();
    for number in 0..SAMPLE_MAX {
        let Some(bytes) = counter.label_bytes(graph, edges, number, search) else { return false };
        sample.add(bytes);
        let (mean, error) = sample.mean();
        let exceeds = mean > mean_max;
        let least = if exceeds { SAMPLE_MIN_TO_REFUSE } else { SAMPLE_MIN_TO_MAKE };
        if sample.lists >= least && (mean - mean_max).abs() > ERRORS * error {
            return exceeds;
        }
    }
    false
}

/// Counts labels and trees.
struct Counter<'o> {
    /// The nodes, the most important first, and the place of each.
    order: &'o [u32],
    places: Vec<u32>,
    /// Of nodes that are settled: how far they are, and the earliest place on the shortest ways to them.
    settled: Vec<(u32, u32)>,
    touched: Vec<u32>,
    /// The hubs of the label that was counted last.
    hubs: Vec<u32>,
    tree: Vec<Settled>,
    writer: TreeWriter,
    words: Vec<u32>,
}

impl<'o> Counter<'o> {
    fn new(order: &'o [u32]) -> Self {
        let mut places = vec![0; order.len()];
        for (place, &node) in (0..).zip(order) {
            places[node as usize] = place;
        }
        let settled = vec![(FAR, 0); order.len()];
        let writer = TreeWriter::new(order.len());
        let (touched, hubs, tree, words) = Default::default();
        Self { order, places, settled, touched, hubs, tree, writer, words }
    }

    /// What one label of the sample takes: its entries, and as many words for each as the tree of one of its hubs has.
    fn label_bytes(
        &mut self,
        graph: &Neighbours,
        edges: &Neighbours,
        number: u32,
        search: &mut Search,
    ) -> Option<f64> {
        let node = spread(number, self.order.len()) as u32;
        let entries = self.label(graph, node, search)?;
        let hub = self.hubs[spread(!number, entries)];
        let (words, nodes) = self.tree_words(graph, edges, hub, search)?;
        let words_each = words as f64 / nodes as f64;
        Some(entries as f64 * (ENTRY_BYTES as f64 + WORD_BYTES as f64 * words_each))
    }

    /// How many entries the label of a node will have; `None` if a distance is too long to be noted.
    fn label(&mut self, graph: &Neighbours, node: u32, search: &mut Search) -> Option<usize> {
        let mut hubs = std::mem::take(&mut self.hubs);
        hubs.clear();
        let noted = self.settle(graph, node, search, |reached, own, before| {
            if own < before {
                hubs.push(reached.node);
            }
        });
        self.hubs = hubs;
        noted.then_some(self.hubs.len())
    }

    /// How many words the tree of a hub will have, and how many nodes; `None` if a distance is too long to be noted.
    fn tree_words(
        &mut self,
        graph: &Neighbours,
        edges: &Neighbours,
        hub: u32,
        search: &mut Search,
    ) -> Option<(usize, usize)> {
        let root = self.places[hub as usize];
        let mut tree = std::mem::take(&mut self.tree);
        tree.clear();
        let noted = self.settle(graph, hub, search, |reached, own, before| {
            if own.min(before) == root {
                tree.push(reached);
            }
        });
        self.words.clear();
        self.writer.straighten(&mut tree, edges);
        self.writer.write(&tree, &mut self.words, |_, _| {});
        self.tree = tree;
        noted.then_some((self.words.len(), self.tree.len()))
    }

    /// Settles all nodes from one; each is reported with its own place and the earliest place before it on shortest ways.
    /// `false` if a distance is too long to be noted.
    fn settle(
        &mut self,
        graph: &Neighbours,
        from: u32,
        search: &mut Search,
        mut report: impl FnMut(Settled, u32, u32),
    ) -> bool {
        let Self { places, settled, touched, .. } = self;
        for node in touched.drain(..) {
            settled[node as usize].0 = FAR;
        }
        search.spread(graph, from, |reached| {
            // Nodes are settled by their distance: all before this one on shortest ways to it are.
            let before = graph.of(reached.node).iter().filter_map(|neighbour| {
                let (distance, earliest) = settled[neighbour.node as usize];
                let on_the_way = distance.checked_add(neighbour.cost) == Some(reached.distance);
                on_the_way.then_some(earliest)
            });
            let (own, before) = (places[reached.node as usize], before.min().unwrap_or(u32::MAX));
            report(reached, own, before);
            settled[reached.node as usize] = (reached.distance, own.min(before));
            touched.push(reached.node);
            true
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Cell, Grid, GridMap, Terrain};
    use crate::index::hub::pruned::Growing;

    #[test]
    fn a_label_is_counted_exactly_before_it_is_made() {
        let map = GridMap::from_fn(40, 33, |Cell { x, y }| {
            let wall = (x * 31 + y * 17 + x * y * 7) % 23 < 3;
            if wall { Terrain::WALL } else { Terrain::GROUND }
        });
        let grid = Grid::with_defaults(map.unwrap());
        let subgoals = SubgoalGraph::build(&grid).unwrap();
        let graph = Neighbours::new(&subgoals, true).thinned();
        let edges = Neighbours::new(&subgoals, false);
        let count = graph.node_count() as u32;
        // Any order serves.
        let mut order: Vec<u32> = (0..count).collect();
        order.sort_by_key(|&node| (node.wrapping_mul(2_654_435_769), node));
        let mut search = Search::new(graph.node_count());
        let mut growing = Growing::new(order.clone());
        for hub in 0..count as usize {
            let found = growing.search(&graph, hub, &mut search).expect("a small map");
            growing.add(std::iter::once(found), &edges);
        }
        let mut counter = Counter::new(&order);
        let counted = |node| counter.label(&graph, node, &mut search).expect("a small map");
        let counted: Vec<usize> = (0..count).map(counted).collect();
        assert_eq!(counted, growing.label_lengths().collect::<Vec<_>>());
        assert!(counted.iter().any(|&entries| entries > 9), "the labels say something");
        let mut words = |hub| counter.tree_words(&graph, &edges, hub, &mut search).unwrap().0;
        let words: Vec<usize> = order.iter().map(|&hub| words(hub)).collect();
        assert_eq!(words, growing.tree_lengths().collect::<Vec<_>>());
        assert!(
            words.iter().sum::<usize>() > counted.iter().sum::<usize>() * 5 / 4,
            "trees branch"
        );
    }
}
