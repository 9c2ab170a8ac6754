//! Which of several nodes with the same key is taken first.

use super::open_list::OpenList;
use crate::space::NodeId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How ties between equal keys are broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TieRule {
    /// The node reached last comes first: one of many equal paths is followed to its end.
    #[default]
    NewestFirst,
    /// The node with the larger cost so far comes first, then the newest: where keys are `g + h`, that is
    /// the one that seems nearer to the goal.
    LargerCost,
    /// The node with the smaller number comes first: what one does by hand.
    SmallerNumber,
    /// The node reached first comes first: a plain queue.
    OldestFirst,
}

impl TieRule {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::NewestFirst, Self::LargerCost, Self::SmallerNumber, Self::OldestFirst];

    /// The name used on the command line.
    ///
    /// ```
    /// use highroad::search::TieRule;
    /// assert_eq!(TieRule::from_name("larger-g"), Some(TieRule::LargerCost));
    /// assert_eq!(TieRule::default().name(), "newest");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::NewestFirst => "newest",
            Self::LargerCost => "larger-g",
            Self::SmallerNumber => "smaller-id",
            Self::OldestFirst => "oldest",
        }
    }

    /// The rule of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }
}

/// A binary heap under any rule. Slower than buckets: for small graphs and lessons.
#[derive(Default)]
pub(crate) struct TieQueue {
    /// Key, what the rule says, then the inverted push count and the node.
    entries: BinaryHeap<Reverse<(u64, u64, u64)>>,
    rule: TieRule,
    pushes: u32,
    /// What the rule said of the entry that was popped last.
    popped: u64,
}

impl TieQueue {
    pub(crate) fn reset(&mut self, rule: TieRule) {
        self.entries.clear();
        self.rule = rule;
        self.pushes = 0;
    }

    fn push_ranked(&mut self, key: u64, rank: u64, node: NodeId) {
        self.pushes = self.pushes.wrapping_add(1);
        let newest = u64::from(!self.pushes) << 32 | u64::from(node.0);
        self.entries.push(Reverse((key, rank, newest)));
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Reverse<(u64, u64, u64)>>()
    }
}

impl OpenList for TieQueue {
    fn push(&mut self, key: u64, node: NodeId) {
        self.push_reached(key, 0, node);
    }

    fn push_reached(&mut self, key: u64, g: u64, node: NodeId) {
        let rank = match self.rule {
            TieRule::NewestFirst => 0,
            TieRule::LargerCost => !g,
            TieRule::SmallerNumber => u64::from(node.0),
            TieRule::OldestFirst => u64::from(self.pushes),
        };
        self.push_ranked(key, rank, node);
    }

    fn pop(&mut self) -> Option<(u64, NodeId)> {
        let Reverse((key, rank, node)) = self.entries.pop()?;
        self.popped = rank;
        Some((key, NodeId(node as u32)))
    }

    /// Under the rank that it had: the node may have become cheaper since it was pushed, at the same key.
    fn put_back(&mut self, key: u64, node: NodeId) {
        self.push_ranked(key, self.popped, node);
    }

    fn smallest(&self) -> Option<u64> {
        self.entries.peek().map(|Reverse((key, _, _))| *key)
    }

    fn len(&self) -> usize {
        self.entries.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_takes_another_of_the_equals() {
        for (rule, first) in [
            (TieRule::NewestFirst, 3),
            (TieRule::LargerCost, 2),
            (TieRule::SmallerNumber, 1),
            (TieRule::OldestFirst, 2),
        ] {
            let mut queue = TieQueue::default();
            queue.reset(rule);
            for (g, node) in [(4, 2), (1, 1), (2, 3)] {
                queue.push_reached(9, g, NodeId(node));
            }
            queue.push_reached(10, 9, NodeId(0));
            assert_eq!(queue.pop(), Some((9, NodeId(first))), "{}", rule.name());
            assert_eq!((queue.len(), queue.smallest()), (3, Some(9)));
            queue.put_back(9, NodeId(first));
            assert_eq!(queue.pop(), Some((9, NodeId(first))), "{}, put back", rule.name());
        }
    }
}
