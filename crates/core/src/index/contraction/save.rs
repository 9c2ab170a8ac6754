//! Hierarchies as words.

use super::{ContractionHierarchy, NONE, Unpacked, UpEdge};
use crate::index::saved::{LoadError, Reader, Writer, are_beginnings};

impl ContractionHierarchy {
    pub(crate) fn write(&self, writer: &mut Writer) {
        writer.list(self.ranks.iter().copied());
        writer.list(self.first.iter().copied());
        let edges = self.edges.iter().zip(&self.numbers);
        let edges = edges.flat_map(|(edge, &number)| [edge.rank, edge.weight, number]);
        writer.list(edges.collect::<Vec<_>>().into_iter());
        let unpacked = self.unpacked.iter();
        let unpacked =
            unpacked.flat_map(|edge| [edge.from, edge.to, edge.halves[0], edge.halves[1]]);
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
        let first: Vec<u32> = reader.list::<1>("edges of the hierarchy")?.flatten().collect();
        let listed = reader.list::<3>("edges of the hierarchy")?;
        let (mut edges, mut numbers) = (Vec::new(), Vec::new());
        for [rank, weight, number] in listed {
            edges.push(UpEdge { rank, weight });
            numbers.push(number);
        }
        let listed = reader.list::<4>("shortcuts")?;
        let unpacked: Vec<Unpacked> =
            listed.map(|[from, to, a, b]| Unpacked { from, to, halves: [a, b] }).collect();
        let this = Self { ranks, nodes, first, edges, numbers, unpacked };
        if this.first.len() != 2 * node_count + 1 || !are_beginnings(&this.first, this.edges.len())
        {
            return Err(reader.malformed("edges of the hierarchy"));
        }
        let Some(weights) = this.unpacked_weights(weight) else {
            return Err(reader.malformed("shortcuts"));
        };
        if !this.edges_fit(&weights) {
            return Err(reader.malformed("edges of the hierarchy"));
        }
        Ok(this)
    }

    /// What each edge that can be unpacked costs, if each stands for edges before it that follow on
    /// each other. So unpacking ends, and after no more edges than the cost allows.
    fn unpacked_weights(&self, weight: impl Fn(u32, u32) -> Option<u64>) -> Option<Vec<u32>> {
        let mut weights: Vec<u32> = Vec::with_capacity(self.unpacked.len());
        for edge in &self.unpacked {
            let (&from, &to) =
                (self.nodes.get(edge.from as usize)?, self.nodes.get(edge.to as usize)?);
            let cost = if edge.halves == [NONE; 2] {
                weight(from, to).filter(|&cost| cost > 0)?
            } else {
                let half = |side: usize| {
                    let number = edge.halves[side] as usize;
                    Some((
                        self.unpacked[number.min(self.unpacked.len() - 1)],
                        *weights.get(number)?,
                    ))
                };
                let ((first, first_cost), (second, second_cost)) = (half(0)?, half(1)?);
                let joined = first.to == second.from;
                if !joined || (edge.from, edge.to) != (first.from, second.to) {
                    return None;
                }
                u64::from(first_cost) + u64::from(second_cost)
            };
            weights.push(u32::try_from(cost).ok()?);
        }
        Some(weights)
    }

    /// Whether every listed edge leads up, and is the one that its number says.
    fn edges_fit(&self, weights: &[u32]) -> bool {
        (0..self.node_count() as u32).all(|rank| {
            (0..2).all(|side| {
                self.range(rank, side).all(|at| {
                    let edge = self.edges[at];
                    let number = self.numbers[at] as usize;
                    let Some(unpacked) = self.unpacked.get(number) else { return false };
                    let ends = [(rank, edge.rank), (edge.rank, rank)][side];
                    edge.rank > rank
                        && (unpacked.from, unpacked.to) == ends
                        && weights.get(number) == Some(&edge.weight)
                })
            })
        })
    }
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
