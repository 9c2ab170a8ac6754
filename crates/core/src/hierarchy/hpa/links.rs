//! Where a search goes on: from an entry into a cluster across it, and on into the next.
//!
//! Links are made of what clusters know. They stand apart from them because their targets are numbers of
//! nodes in *other* clusters, which change when those do.

use super::cluster::{Cluster, Exit};
use super::layout::{ClusterId, Layout};
use crate::grid::Cell;
use crate::grid::shared::Table;
use crate::hierarchy::local::{UNREACHED, pack, unpack};
use crate::space::NodeId;

/// A cell in half the space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeSlot(pub(crate) u32);

impl NodeSlot {
    pub(crate) fn of(cell: Cell) -> Self {
        Self(cell.x << 16 | cell.y)
    }

    #[inline]
    pub(crate) fn cell(self) -> Cell {
        Cell::new(self.0 >> 16, self.0 & 0xFFFF)
    }
}

/// A way across a cluster, and the step into the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// The entry into the next cluster.
    pub(crate) target: NodeId,
    /// The position of the target among the nodes.
    pub(crate) place: NodeSlot,
    /// Packed.
    pub(crate) cost: u32,
}

impl Link {
    /// Fills up a row.
    const NONE: Self = Self { target: NodeId(u32::MAX), place: NodeSlot(0), cost: UNREACHED };
}

/// The links of a row, less what fills it up.
#[inline]
pub(crate) fn filled(row: &[Link]) -> impl Iterator<Item = &Link> {
    row.iter().take_while(|link| link.target != Link::NONE.target)
}

/// The links of one cluster, or of one region.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Links {
    /// The longest row.
    width: u32,
    /// A row for each node, filled up with [`Link::NONE`].
    rows: Vec<Link>,
}

impl Links {
    /// Forgets all rows; those to come are no longer than `width`.
    pub(super) fn begin(&mut self, width: usize) {
        self.width = width as u32;
        self.rows.clear();
    }

    pub(super) fn push_row(&mut self, links: impl Iterator<Item = Link>) {
        let past = self.rows.len() + self.width as usize;
        self.rows.extend(links);
        self.rows.resize(past, Link::NONE);
    }

    /// Gives back memory that no row needs.
    pub(super) fn shrink(&mut self) {
        self.rows.shrink_to_fit();
    }

    /// Where a search that has entered by a node goes on; [`Link::NONE`] ends it early.
    #[inline]
    pub(crate) fn row(&self, row: usize) -> &[Link] {
        let width = self.width as usize;
        let first = row.wrapping_mul(width);
        self.rows.get(first..first.wrapping_add(width)).unwrap_or_default()
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.rows.capacity() * size_of::<Link>()
    }

    /// The links of a cluster, from what it and its neighbours know.
    ///
    /// Left out is what cannot be better than something kept:
    ///
    /// ```text
    ///   ─ y' ─ ─ x' ─     Crossing at x is no better than crossing at y and going along the entrance on
    ///   ─ y ─ ─ ─ x ─     the other side, if the way to x inside the cluster goes along it from y as
    ///     ╲               well. Whatever follows x' costs no more from y' by way of x'.
    ///       e
    /// ```
    ///
    /// and a step straight back, where the node can have been entered by no other.
    pub(super) fn build(layout: &Layout, clusters: &Table<Cluster>, id: ClusterId) -> Self {
        let cluster = &clusters[id.index()];
        let nodes = 0..cluster.node_count();
        let kept = |entry| kept_exits(cluster.exits(), cluster.costs_from(entry), entry);
        let width = nodes.clone().map(|entry| kept(entry).count()).max().unwrap_or(0);
        let mut links = Self { width: 0, rows: Vec::with_capacity(width * cluster.node_count()) };
        links.begin(width);
        for entry in nodes {
            let costs = cluster.costs_from(entry);
            let link = |exit: &Exit| target(layout, clusters, exit, costs[usize::from(exit.node)]);
            links.push_row(kept(entry).filter_map(link));
        }
        links
    }
}

/// The link of an exit that is reached at that packed cost.
///
/// Clusters that touch agree on the transitions between them, so there is one; unless an edit was kept from the
/// planner, which then finds no way there.
pub(super) fn target(
    layout: &Layout,
    clusters: &Table<Cluster>,
    exit: &Exit,
    cost: u32,
) -> Option<Link> {
    let next = layout.cluster_of_border(exit.target);
    let cluster = &clusters[next.index()];
    let index = cluster.node_at(layout.number_in_cluster(exit.target))?;
    Some(Link {
        target: layout.node(next, index),
        place: NodeSlot::of(cluster.cell(&layout.block(next), index)),
        cost: pack(unpack(cost) + u64::from(exit.cost)),
    })
}

/// The exits that are worth taking after entering by a node.
fn kept_exits<'e>(
    exits: &'e [Exit],
    costs: &'e [u32],
    entry: usize,
) -> impl Iterator<Item = &'e Exit> {
    let ways_in = exits.iter().filter(|exit| usize::from(exit.node) == entry).count();
    exits.iter().enumerate().filter_map(move |(index, exit)| {
        let cost = costs[usize::from(exit.node)];
        let back = usize::from(exit.node) == entry && ways_in == 1;
        // Exits of an entrance follow each other, and if any is as good, so is the next to it.
        let as_good = |other: &Exit| {
            other.entrance == exit.entrance
                && exit.pace.is_some_and(|pace| {
                    let along = u64::from(pace) * u64::from(exit.place.abs_diff(other.place));
                    let other = costs[usize::from(other.node)];
                    other != UNREACHED && unpack(other) + along == unpack(cost)
                })
        };
        let before = index.checked_sub(1).map(|before| &exits[before]);
        let left_out = back
            || cost == UNREACHED
            || exit.cost == UNREACHED
            || before.is_some_and(as_good)
            || exits.get(index + 1).is_some_and(as_good);
        (!left_out).then_some(exit)
    })
}
