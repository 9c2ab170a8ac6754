//! Searches on meshes.

mod any_angle;
mod cone;
mod entries;
mod funnel;
mod line;
mod sketch;
mod ways;

pub use any_angle::AnyAngle;
pub use funnel::Funnel;

pub(crate) use entries::{ANY_ANGLE, FUNNEL};

use crate::mesh::shape::MeshShape;
use crate::search::{SearchObserver, Side, TraceEvent, TraceKind};
use crate::space::NodeId;

/// Traces what happens to a node that was reached from another, with lengths as costs.
fn trace<O: SearchObserver>(
    observer: &mut O,
    shape: &MeshShape,
    kind: TraceKind,
    [node, parent]: [u32; 2],
    lengths: [f64; 2],
) {
    if O::ACTIVE {
        let [g, h] = lengths.map(|length| (length * shape.cost_scale).round() as u64);
        let (node, parent) = (NodeId(node), NodeId(parent));
        observer.event(TraceEvent { kind, node, parent, g, h, side: Side::Forward });
    }
}

#[cfg(test)]
mod tests;
