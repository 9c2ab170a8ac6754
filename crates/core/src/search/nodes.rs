//! What a search knows of each node: cost so far, parent, open or closed.

use crate::space::NodeId;

/// One 16-byte record a node, cleared in O(1) by a stamp.
///
/// ```text
/// word 0   cost so far
/// word 1   parent (32 bits) · stamp (29 bits) · goal · closed · open
/// ```
///
/// Arrays of integers come zeroed from the system without being touched: a search on a huge map
/// occupies memory only where it has been.
#[derive(Default)]
pub(crate) struct NodeTable {
    records: Vec<[u64; 2]>,
    /// Of the current search, in its place in word 1. Records with another one are unseen.
    stamp: u64,
}

const OPEN: u64 = 1;
const CLOSED: u64 = 2;
const GOAL: u64 = 4;
const STAMP_STEP: u64 = 8;
const STAMP_MASK: u64 = 0xFFFF_FFF8;

/// What the table says of a node.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) g: u64,
    word: u64,
}

impl Node {
    pub(crate) fn parent(self) -> NodeId {
        NodeId((self.word >> 32) as u32)
    }

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
    /// Forgets everything, and makes room for that many nodes.
    pub(crate) fn reset(&mut self, node_count: usize) {
        self.stamp += STAMP_STEP;
        if self.stamp > STAMP_MASK {
            self.records.fill([0; 2]);
            self.stamp = STAMP_STEP;
        }
        if self.records.len() < node_count {
            // A new zeroed array, not `resize`, which would write all of it.
            self.records = vec![[0; 2]; node_count];
        }
    }

    #[inline]
    pub(crate) fn get(&self, node: NodeId) -> Node {
        let [g, word] = self.records[node.index()];
        let current = word & STAMP_MASK == self.stamp;
        Node { g, word: if current { word } else { 0 } }
    }

    /// Marks a node as a goal, before the search begins.
    pub(crate) fn mark_goal(&mut self, node: NodeId) {
        self.records[node.index()] = [u64::MAX, self.stamp | GOAL];
    }

    /// Opens a node, or opens it anew, as reached from `parent` at cost `g`. `known` is what
    /// [`NodeTable::get`] said of it.
    #[inline]
    pub(crate) fn open(&mut self, node: NodeId, known: Node, g: u64, parent: NodeId) {
        let goal = known.word & GOAL;
        self.records[node.index()] = [g, u64::from(parent.0) << 32 | self.stamp | goal | OPEN];
    }

    /// Closes an open node.
    #[inline]
    pub(crate) fn close(&mut self, node: NodeId) {
        self.records[node.index()][1] |= CLOSED;
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.records.capacity() * size_of::<[u64; 2]>()
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
        table.open(node, table.get(node), 17, NodeId(2));
        table.close(node);
        assert!(table.get(node).is_closed());
        assert_eq!((table.get(node).g, table.get(node).parent()), (17, NodeId(2)));
        let first_stamp = table.stamp;
        table.reset(5);
        assert!(!table.get(node).is_seen());
        // As if half a billion searches had gone by.
        table.stamp = STAMP_MASK;
        table.reset(5);
        assert_eq!(table.stamp, first_stamp);
        assert!(!table.get(node).is_seen(), "a record from before the wrap must not come alive");
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
