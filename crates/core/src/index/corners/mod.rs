//! Shortest paths on a mesh by labels: precomputed distances between corners, combined for those that an end of a query
//! sees.
//!
//! A shortest path is straight from corner to corner. So its length is that of a leg to a corner that the start sees, of
//! a leg from a corner that the goal sees, and a distance between two corners, which labels give: every corner knows some
//! hubs and how far they are, and any two that are connected share one on a shortest way (`labels.rs`). What the ends
//! see is found out when they are asked about, cone by cone (`mesh/sight.rs`).
//!
//! **Exactness.** Corners are joined if they see each other and the line between them is taut: at both ends the obstacle
//! lies on one side of it (`graph.rs`). No shortest path has another leg. Costs of legs are whole numbers, and sums of
//! them are exact; of paths that are equally long, one that costs some units more may be found, as by other searches.
//!
//! **Complexity.** A query takes time in proportion to the polygons that its ends see, and to the labels of the corners
//! that they see: most labels are passed over, since a bound from a first pair of corners shows that they lie too far
//! off. Memory: labels, within a cap. It does not follow edits.
//!
//! After Du, Shen and Cheema, "Euclidean Hub Labeling" (2023), but without their grid of cells that knows beforehand
//! what is seen: memory is a tenth, and a query pays for its own two looks.

mod entry;
mod graph;
mod labels;
mod query;
mod save;

pub(crate) use entry::ENTRY;

use crate::environment::{Edition, Environment};
use crate::mesh::Mesh;
use crate::planner::{BuildError, Watch};
use graph::{CornerGraph, Corners};
use labels::Labels;

/// Labels of the corners of a mesh: exact shortest paths for meshes that do not change. See the header of its module.
///
/// ```
/// use highroad::index::{CornerLabels, CornerOptions};
/// use highroad::mesh::{Mesh, MeshPoint};
/// use highroad::planner::{PathQuery, Planner, Scratch};
/// let vertices = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]];
/// let mesh = Mesh::from_polygons(vertices, &[vec![0, 1, 2, 3], vec![0, 3, 4, 5]])?;
/// let labels = CornerLabels::build(&mesh, CornerOptions::default())?;
/// assert_eq!((labels.corner_count(), labels.entry_count()), (1, 1));
/// let query = PathQuery::new(MeshPoint::new(4.0, 1.0)?, MeshPoint::new(0.0, 4.0)?);
/// let path = labels.solve(&mesh, &query, &mut Scratch::new())?.path().expect("they are connected");
/// assert_eq!(mesh.length(path.places()), 3.0 + 10f64.sqrt());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CornerLabels {
    corners: Corners,
    labels: Labels,
    mesh: Edition,
    own: Edition,
    fingerprint: u64,
}

/// How labels of corners are built.
///
/// ```
/// use highroad::index::CornerOptions;
/// assert_eq!(CornerOptions::default().with_bytes_max(64 << 20).bytes_max, 64 << 20);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CornerOptions {
    /// The most bytes that labels may take, and what they are made of.
    pub bytes_max: usize,
}

impl Default for CornerOptions {
    fn default() -> Self {
        Self { bytes_max: 256 << 20 }
    }
}

impl CornerOptions {
    /// The same options with another limit of memory.
    pub fn with_bytes_max(self, bytes_max: usize) -> Self {
        Self { bytes_max, ..self }
    }
}

impl CornerLabels {
    /// Builds the labels. Fails with [`BuildError::NotServed`] if the mesh has links or areas that cost more than other
    /// ground, or if labels would take more memory than allowed, which is noticed as soon as they do.
    pub fn build(mesh: &Mesh, options: CornerOptions) -> Result<Self, BuildError> {
        Self::build_watched(mesh, options, &mut Watch::none())
    }

    /// As [`CornerLabels::build`], with progress. Fails with [`BuildError::Stopped`] when the watch stops it.
    ///
    /// ```
    /// use highroad::index::{CornerLabels, CornerOptions};
    /// use highroad::mesh::Mesh;
    /// use highroad::planner::{BuildError, Watch};
    /// use std::ops::ControlFlow;
    /// let vertices = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]];
    /// let mesh = Mesh::from_polygons(vertices, &[vec![0, 1, 2, 3], vec![0, 3, 4, 5]])?;
    /// let mut stop = |_done, _of| ControlFlow::Break(());
    /// let built = CornerLabels::build_watched(&mesh, CornerOptions::default(), &mut Watch::new(&mut stop));
    /// assert_eq!(built.err(), Some(BuildError::Stopped));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build_watched(
        mesh: &Mesh,
        options: CornerOptions,
        watch: &mut Watch<'_>,
    ) -> Result<Self, BuildError> {
        serves(mesh).map_err(BuildError::NotServed)?;
        let corners = Corners::of(mesh.shape());
        let graph = CornerGraph::of(mesh, &corners, options.bytes_max, watch)?;
        let labels = Labels::of(&graph, options.bytes_max, watch)?;
        Ok(Self::of(corners, labels, mesh))
    }

    fn of(corners: Corners, labels: Labels, mesh: &Mesh) -> Self {
        let fingerprint = mesh.fingerprint();
        Self { corners, labels, mesh: mesh.edition(), own: Edition::new(), fingerprint }
    }

    /// How many corners there are that paths may bend at.
    pub fn corner_count(&self) -> usize {
        self.corners.nodes.len()
    }

    /// How many entries all labels have.
    pub fn entry_count(&self) -> usize {
        self.labels.entries.len()
    }
}

/// Whether labels serve a mesh: distances lead both ways, and are lengths.
fn serves(mesh: &Mesh) -> Result<(), String> {
    if mesh.has_links() {
        return Err("the mesh has links; any-angle and funnel serve that".to_owned());
    }
    if mesh.has_costs() {
        return Err("areas of the mesh cost more than other ground; funnel serves that".to_owned());
    }
    Ok(())
}

/// Why memory does not suffice.
fn too_large(what: &str, bytes_max: usize) -> BuildError {
    BuildError::NotServed(format!(
        "{what} would take more than {} MB; a search without labels serves any mesh",
        bytes_max >> 20
    ))
}

#[cfg(test)]
mod tests;
