//! What a search knows of each node: cost so far, parent, open or closed.

use crate::space::NodeId;

/// Eight bytes a node for what every look at it needs, and its parent apart, which only expansions
/// need; cleared in O(1) by a stamp.
///
/// ```text
/// words     cost so far (44 bits) · stamp (17 bits) · goal · closed · open
/// parents   32 bits
/// ```
///
/// PERF: the first look at a node is a cache miss; eight nodes to a line instead of four made A* on
/// AcrosstheCape faster by a twentieth, Dijkstra by a tenth.
///
/// Arrays of integers come zeroed from the system without being touched: a search on a huge map
/// occupies memory only where it has been.
#[derive(Default)]
pub(crate) struct NodeTable {
    words: Vec<u64>,
    parents: Vec<u32>,
    /// Of the current search, in its place. Words with another one are unseen.
    stamp: u64,
}

const OPEN: u64 = 1;
const CLOSED: u64 = 2;
const GOAL: u64 = 4;
const STAMP_STEP: u64 = 8;
const STAMP_MASK: u64 = 0xF_FFF8;
const COST_SHIFT: u32 = 20;

/// What the table says of a node.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) g: u64,
    word: u64,
}

impl Node {
    pub(crate) fn is_seen(self) -> bool {
        self.word & (OPEN | CLOSED) != 0
    }

    pub(crate) fn is_closed(self) -> bool {
        self.word & CLOSED != 0
    }

    pub(crate) fn is_goal(self) -> bool {
        self.word & GOAL != 0
    }
}

impl NodeTable {
    /// The largest cost it holds: 3.7 billion straight steps between cells of cost 1. Searches treat
    /// it as a limit, so that a more costly path is not found rather than found wrongly.
    pub(crate) const COST_MAX: u64 = (1 << (64 - COST_SHIFT)) - 1;

    /// Forgets everything, and makes room for that many nodes.
    pub(crate) fn reset(&mut self, node_count: usize) {
        self.stamp += STAMP_STEP;
        if self.stamp > STAMP_MASK {
            self.words.fill(0);
            self.stamp = STAMP_STEP;
        }
        if self.words.len() < node_count {
            // New zeroed arrays, not `resize`, which would write all of them.
            self.words = vec![0; node_count];
            self.parents = vec![0; node_count];
        }
    }

    /// Whether it has room for that many nodes.
    pub(crate) fn holds(&self, node_count: usize) -> bool {
        self.words.len() >= node_count
    }

    #[inline(always)]
    pub(crate) fn get(&self, node: NodeId) -> Node {
        // Nodes beyond the end are unseen: a space that finds its nodes as it goes may have any number.
        let word = self.words.get(node.index()).copied().unwrap_or(0);
        let current = word & STAMP_MASK == self.stamp;
        Node { g: word >> COST_SHIFT, word: if current { word } else { 0 } }
    }

    /// Where a seen node was reached from; itself for a start.
    #[inline(always)]
    pub(crate) fn parent(&self, node: NodeId) -> NodeId {
        NodeId(self.parents[node.index()])
    }

    /// Marks a node as a goal, before the search begins.
    pub(crate) fn mark_goal(&mut self, node: NodeId) {
        self.words[node.index()] = self.stamp | GOAL;
    }

    /// Opens a node, or opens it again, as reached from `parent` at cost `g`. `known` is what
    /// [`NodeTable::get`] said of it.
    #[inline(always)]
    pub(crate) fn open(&mut self, node: NodeId, known: Node, g: u64, parent: NodeId) {
        debug_assert!(g <= Self::COST_MAX);
        let goal = known.word & GOAL;
        if node.index() >= self.words.len() {
            self.grow(node.index() + 1);
        }
        self.words[node.index()] = g << COST_SHIFT | self.stamp | goal | OPEN;
        self.parents[node.index()] = parent.0;
    }

    /// Makes room for at least that many nodes, of which the new ones are unseen.
    #[cold]
    fn grow(&mut self, node_count: usize) {
        let node_count = node_count.max(2 * self.words.len()).max(1024);
        self.words.resize(node_count, 0);
        self.parents.resize(node_count, 0);
    }

    /// Closes an open node.
    #[inline(always)]
    pub(crate) fn close(&mut self, node: NodeId) {
        self.words[node.index()] |= CLOSED;
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>() + self.parents.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reset_forgets_and_stamps_do_not_wrap_into_old_records() {
        let mut table = NodeTable::default();
        let node = NodeId(3);
        table.reset(5);
        table.open(node, table.get(node), NodeTable::COST_MAX, NodeId(2));
        table.close(node);
        assert!(table.get(node).is_closed());
        assert_eq!((table.get(node).g, table.parent(node)), (NodeTable::COST_MAX, NodeId(2)));
        let first_stamp = table.stamp;
        table.reset(5);
        assert!(!table.get(node).is_seen());
        // As if a hundred thousand searches had gone by.
        table.stamp = STAMP_MASK;
        table.reset(5);
        assert_eq!(table.stamp, first_stamp);
        assert!(!table.get(node).is_seen(), "a record from before the wrap must not come alive");
    }

    #[test]
    fn nodes_beyond_the_end_are_unseen_until_they_are_opened() {
        let mut table = NodeTable::default();
        table.reset(0);
        let far = NodeId(5000);
        assert!(!table.get(far).is_seen());
        table.open(far, table.get(far), 7, NodeId(1));
        assert_eq!((table.get(far).g, table.parent(far)), (7, NodeId(1)));
        assert!(!table.get(NodeId(5001)).is_seen() && !table.get(NodeId(0)).is_seen());
    }

    #[test]
    fn a_goal_is_remembered_when_opened() {
        let mut table = NodeTable::default();
        table.reset(2);
        table.mark_goal(NodeId(1));
        assert!(!table.get(NodeId(1)).is_seen());
        table.open(NodeId(1), table.get(NodeId(1)), 5, NodeId(0));
        assert!(table.get(NodeId(1)).is_goal() && !table.get(NodeId(0)).is_goal());
    }
}
