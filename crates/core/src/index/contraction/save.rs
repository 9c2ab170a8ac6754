//! Hierarchies as words.

use super::{ContractionHierarchy, NONE, Parts, Unpacked, UpEdge};
use crate::saved::{LoadError, Reader, Writer, are_beginnings};

impl ContractionHierarchy {
    pub(crate) fn write(&self, writer: &mut Writer) {
        writer.list(self.ranks.iter().copied());
        writer.list([self.core].into_iter());
        writer.list(self.first.iter().copied());
        let edges = self.edges.iter().zip(&self.numbers);
        let edges = edges.flat_map(|(edge, &number)| [edge.rank, edge.weight, number]);
        writer.list(edges.collect::<Vec<_>>().into_iter());
        let unpacked = self.unpacked.iter().flat_map(|unpacked| unpacked.0);
        writer.list(unpacked.collect::<Vec<_>>().into_iter());
    }

    /// Reads a hierarchy of a graph of so many nodes, the edges of which cost what `weight` says of
    /// two nodes that an edge may join.
    pub(crate) fn read(
        reader: &mut Reader<'_>,
        node_count: usize,
        weight: impl Fn(u32, u32) -> Option<u64>,
    ) -> Result<Self, LoadError> {
        let ranks: Vec<u32> = reader.list::<1>("ranks")?.flatten().collect();
        let nodes = inverse(&ranks).filter(|nodes| nodes.len() == node_count);
        let Some(nodes) = nodes else { return Err(reader.malformed("ranks")) };
        let mut core = reader.list::<1>("core")?.flatten();
        let (Some(core), None) = (core.next(), core.next()) else {
            return Err(reader.malformed("core"));
        };
        let first: Vec<u32> = reader.list::<1>("edges of the hierarchy")?.flatten().collect();
        let listed = reader.list::<3>("edges of the hierarchy")?;
        let (mut edges, mut numbers) = (Vec::new(), Vec::new());
        for [rank, weight, number] in listed {
            edges.push(UpEdge { rank, weight });
            numbers.push(number);
        }
        let unpacked: Vec<Unpacked> = reader.list::<2>("shortcuts")?.map(Unpacked).collect();
        let this = Self { ranks, nodes, core, first, edges, numbers, unpacked };
        if this.core as usize > node_count {
            return Err(reader.malformed("core"));
        }
        if this.first.len() != 2 * node_count + 1 || !are_beginnings(&this.first, this.edges.len())
        {
            return Err(reader.malformed("edges of the hierarchy"));
        }
        let Some(ways) = this.ways(weight) else {
            return Err(reader.malformed("shortcuts"));
        };
        if !this.edges_fit(&ways) {
            return Err(reader.malformed("edges of the hierarchy"));
        }
        Ok(this)
    }

    /// The ranks that each edge that can be unpacked joins, and what it costs, if each stands for edges
    /// before it that follow on each other, and for few enough: a shortest way hardly visits a node twice. So
    /// unpacking ends, and after a number of edges that the size of the graph bounds.
    fn ways(&self, weight: impl Fn(u32, u32) -> Option<u64>) -> Option<Vec<Way>> {
        let mut ways: Vec<Way> = Vec::with_capacity(self.unpacked.len());
        let edges_max = 2 * self.node_count() as u64;
        for unpacked in &self.unpacked {
            let (from, to, cost, edges) = match unpacked.parts() {
                Parts::Edge { from, to } => {
                    let node = |rank: u32| self.nodes.get(rank as usize);
                    (from, to, weight(*node(from)?, *node(to)?)?, 1)
                }
                Parts::Shortcut(halves) => {
                    let [first, second] = halves.map(|half| ways.get(half as usize));
                    let (first, second) = (first?, second?);
                    if first.to != second.from {
                        return None;
                    }
                    let cost = u64::from(first.weight) + u64::from(second.weight);
                    (first.from, second.to, cost, u64::from(first.edges) + u64::from(second.edges))
                }
            };
            if edges > edges_max {
                return None;
            }
            ways.push(Way { from, to, weight: u32::try_from(cost).ok()?, edges: edges as u32 });
        }
        Some(ways)
    }

    /// Whether every listed edge leads up or stays in the core, and is the one that its number says.
    fn edges_fit(&self, ways: &[Way]) -> bool {
        (0..self.node_count() as u32).all(|rank| {
            (0..2).all(|side| {
                self.range(rank, side).all(|at| {
                    let UpEdge { rank: other, weight } = self.edges[at];
                    let (from, to) = [(rank, other), (other, rank)][side];
                    let leads_up = if rank < self.core { other > rank } else { other >= self.core };
                    let way = ways.get(self.numbers[at] as usize);
                    leads_up
                        && way
                            .is_some_and(|way| (way.from, way.to, way.weight) == (from, to, weight))
                })
            })
        })
    }
}

/// An edge while it is checked.
#[derive(Clone, Copy)]
struct Way {
    from: u32,
    to: u32,
    weight: u32,
    /// Edges of the graph that it stands for.
    edges: u32,
}

/// The node of each rank, if each rank occurs once.
fn inverse(ranks: &[u32]) -> Option<Vec<u32>> {
    let mut nodes = vec![NONE; ranks.len()];
    for (node, &rank) in (0..).zip(ranks) {
        let slot = nodes.get_mut(rank as usize)?;
        if std::mem::replace(slot, node) != NONE {
            return None;
        }
    }
    Some(nodes)
}
