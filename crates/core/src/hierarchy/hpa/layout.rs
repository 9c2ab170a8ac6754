//! How a map is cut into clusters, and how their border cells are numbered.
//!
//! ```text
//!   sides          numbers of border cells in a cluster, `span` being a power of two
//!     0 0 0 0        0·span + x     top row, corners included
//!     2 · · 3        1·span + x     bottom row, corners included
//!     2 · · 3        2·span + y     left column
//!     1 1 1 1        3·span + y     right column
//! ```
//!
//! That number stays the same whatever changes in the cluster or beside it. The nodes of the abstract
//! graph are border cells with a transition, and have numbers without gaps in their cluster, so that a
//! search finds what it knows of them close together.

use crate::grid::{Cell, CellId, CellRect, DELTAS, Extent, SizeError};
use crate::hierarchy::local::CellBox;
use crate::space::NodeId;

/// A cluster, numbered row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ClusterId(pub(crate) u32);

impl ClusterId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A border cell: cluster · 4 · span + its number in the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BorderCell(u32);

/// The cut of a map into squares, smaller at the right and at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    extent: Extent,
    side: u32,
    /// How many clusters there are across and down.
    clusters: Extent,
    span_bits: u32,
}

impl Layout {
    pub(crate) fn new(extent: Extent, side: u32) -> Result<Self, SizeError> {
        let across = u64::from(extent.width().div_ceil(side));
        let down = u64::from(extent.height().div_ceil(side));
        let span_bits = side.next_power_of_two().ilog2();
        Ok(Self { extent, side, clusters: Extent::new(across, down)?, span_bits })
    }

    pub(crate) fn clusters(&self) -> Extent {
        self.clusters
    }

    /// Whether it is a cut of a map of that size.
    pub(crate) fn is_of(&self, extent: Extent) -> bool {
        self.extent == extent
    }

    /// Whether a cell lies on the map.
    pub(crate) fn contains(&self, cell: Cell) -> bool {
        self.extent.contains(cell)
    }

    /// Nodes have numbers below this.
    pub(crate) fn node_count(&self) -> usize {
        self.clusters.cell_count() << (self.span_bits + 2)
    }

    pub(crate) fn cluster_of(&self, cell: Cell) -> ClusterId {
        ClusterId(self.clusters.id_inside(Cell::new(cell.x / self.side, cell.y / self.side)).0)
    }

    /// The clusters that cells of a rectangle lie in, as far as it lies on the map.
    pub(crate) fn clusters_in(&self, rect: CellRect) -> impl Iterator<Item = ClusterId> + use<> {
        let layout = *self;
        let inside = rect.overlap(&self.extent.rect());
        let place = move |cell: Cell| Cell::new(cell.x / layout.side, cell.y / layout.side);
        let places = inside.map(|rect| CellRect::new(place(rect.min()), place(rect.max())));
        let cells = places.into_iter().flat_map(|places| places.cells());
        cells.map(move |place| ClusterId(layout.clusters.id_inside(place).0))
    }

    /// Calls `visit` with each cluster that touches this one.
    pub(crate) fn visit_neighbours(&self, cluster: ClusterId, mut visit: impl FnMut(ClusterId)) {
        let place = self.clusters.cell(CellId(cluster.0));
        for (dx, dy) in DELTAS {
            let (x, y) = (place.x.wrapping_add_signed(dx), place.y.wrapping_add_signed(dy));
            if let Some(id) = self.clusters.id(Cell::new(x, y)) {
                visit(ClusterId(id.0));
            }
        }
    }

    pub(crate) fn block(&self, cluster: ClusterId) -> CellBox {
        let place = self.clusters.cell(CellId(cluster.0));
        let origin = Cell::new(place.x * self.side, place.y * self.side);
        CellBox {
            origin,
            width: self.side.min(self.extent.width() - origin.x),
            height: self.side.min(self.extent.height() - origin.y),
        }
    }

    pub(crate) fn border_cell(
        &self,
        cluster: ClusterId,
        block: &CellBox,
        cell: Cell,
    ) -> BorderCell {
        BorderCell(cluster.0 << (self.span_bits + 2) | self.border_number(block, cell))
    }

    pub(crate) fn cluster_of_border(&self, border: BorderCell) -> ClusterId {
        ClusterId(border.0 >> (self.span_bits + 2))
    }

    /// The number of a border cell in its cluster.
    pub(crate) fn number_in_cluster(&self, border: BorderCell) -> usize {
        (border.0 & ((4 << self.span_bits) - 1)) as usize
    }

    /// The node of that index in a cluster.
    pub(crate) fn node(&self, cluster: ClusterId, index: usize) -> NodeId {
        NodeId(cluster.0 << (self.span_bits + 2) | index as u32)
    }

    pub(crate) fn border_number(&self, block: &CellBox, cell: Cell) -> u32 {
        let (x, y) = (cell.x - block.origin.x, cell.y - block.origin.y);
        let (side, along) = match (x, y) {
            (x, 0) => (0, x),
            (x, y) if y + 1 == block.height => (1, x),
            (0, y) => (2, y),
            (_, y) => (3, y),
        };
        side << self.span_bits | along
    }

    /// How many numbers a cluster's border has room for.
    pub(crate) fn border_room(&self) -> usize {
        4 << self.span_bits
    }

    #[inline]
    pub(crate) fn cluster_of_node(&self, node: NodeId) -> ClusterId {
        ClusterId(node.0 >> (self.span_bits + 2))
    }

    /// The index of a node in its cluster.
    #[inline]
    pub(crate) fn index_of_node(&self, node: NodeId) -> usize {
        (node.0 & ((4 << self.span_bits) - 1)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn border_cells_have_numbers_of_their_own() {
        for (width, height, side) in
            [(40, 33, 16), (10, 10, 10), (7, 3, 4), (1, 9, 5), (130, 64, 64)]
        {
            let layout = Layout::new(Extent::new(width, height).unwrap(), side).unwrap();
            let mut seen = std::collections::HashSet::new();
            for cell in Extent::new(width, height).unwrap().cells() {
                let cluster = layout.cluster_of(cell);
                let block = layout.block(cluster);
                assert!(block.contains(cell));
                assert_eq!(block.cell(block.local(cell)), cell);
                let (x, y) = (cell.x - block.origin.x, cell.y - block.origin.y);
                if x == 0 || y == 0 || x + 1 == block.width || y + 1 == block.height {
                    let border = layout.border_cell(cluster, &block, cell);
                    assert!(seen.insert(border), "{cell} shares its number");
                    assert!(layout.number_in_cluster(border) < layout.border_room());
                    assert_eq!(layout.cluster_of_border(border), cluster);
                    let node = layout.node(cluster, layout.number_in_cluster(border));
                    assert!(node.index() < layout.node_count());
                    assert_eq!(layout.cluster_of_node(node), cluster);
                }
            }
        }
    }
}
