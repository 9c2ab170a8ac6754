//! A mesh without numbers that nothing has.

use super::shape::NONE;
use super::{Mesh, MeshBatch};
use crate::environment::Revision;

impl Mesh {
    /// The same ground with polygons and vertices numbered without gaps: closed polygons are left out, and obstacles are part
    /// of the ground. Links stay. What areas cost is left out. A mesh of its own, of revision 0. O(corners · log corners).
    ///
    /// ```
    /// use highroad::mesh::{Mesh, MeshBatch, Obstacle};
    /// let mut mesh = Mesh::from_cells(8, 8, |_, _| true)?;
    /// let post = Obstacle::new(vec![[4.0, 2.0], [6.0, 4.0], [4.0, 6.0]])?;
    /// mesh.apply(MeshBatch::new().place("post", post))?;
    /// let compacted = mesh.compacted();
    /// assert_eq!(compacted.polygon_count(), mesh.polygon_count() - 1);
    /// assert_eq!(compacted.vertex_count(), 4 + 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compacted(&self) -> Self {
        let shape = self.shape();
        let mut numbers = vec![NONE; shape.polygon_count()];
        let mut open = Vec::new();
        for polygon in (0..shape.polygon_count() as u32).filter(|&polygon| shape.is_open(polygon)) {
            numbers[polygon as usize] = open.len() as u32;
            open.push(polygon);
        }
        let mut is_used = vec![false; shape.vertices.len()];
        let vertices_of = |&polygon: &u32| shape.sides(polygon).iter().map(|side| side.vertex);
        open.iter().flat_map(vertices_of).for_each(|vertex| is_used[vertex as usize] = true);
        let mut vertices = Vec::new();
        let mut vertex_numbers = vec![NONE; shape.vertices.len()];
        for (vertex, &at) in shape.vertices.iter().enumerate().filter(|&(at, _)| is_used[at]) {
            vertex_numbers[vertex] = vertices.len() as u32;
            vertices.push(at);
        }
        let polygons: Vec<Vec<u32>> = open
            .iter()
            .map(|polygon| {
                vertices_of(polygon).map(|vertex| vertex_numbers[vertex as usize]).collect()
            })
            .collect();
        let across = |edge: usize| Some(numbers[shape.across(edge as u32)? as usize]);
        let neighbours: Vec<Vec<Option<u32>>> =
            open.iter().map(|&polygon| shape.range(polygon).map(across).collect()).collect();
        let layers = match shape.layers.is_empty() {
            true => Vec::new(),
            false => open.iter().map(|&polygon| shape.layer(polygon)).collect(),
        };
        let mut compacted = Self::with_neighbours(vertices, &polygons, &neighbours, layers)
            .expect("polygons of a mesh make a mesh");
        let mut links = MeshBatch::new();
        for (name, &link) in self.links() {
            links.place_link(name, link);
        }
        compacted.apply(&links).expect("links change no polygons");
        compacted.revision = Revision(0);
        compacted
    }
}
