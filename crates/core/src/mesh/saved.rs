//! Meshes, points and obstacles as bytes, in saved worlds.
//!
//! A mesh is its ground without obstacles, and the obstacles: the rest follows.

use super::obstacle::{MeshBatch, MeshChange, Obstacle};
use super::shape::MeshShape;
use super::{Mesh, MeshPoint, MeshRefusal, Xy};
use crate::environment::Revision;
use crate::saved::{Encode, LoadError, Reader, Writer, encoded_enum};
use std::sync::Arc;

encoded_enum!(MeshRefusal, "refusals" { 0 => Beside { point: point } });

impl Encode for MeshPoint {
    fn write(&self, writer: &mut Writer) {
        self.xy().write(writer);
        self.layer().write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let [x, y] = Xy::read(reader)?;
        let point = Self::new(x, y).map_err(|_| reader.malformed("points"))?;
        Ok(point.on_layer(u16::read(reader)?))
    }
}

impl Encode for Obstacle {
    fn write(&self, writer: &mut Writer) {
        self.outline().to_vec().write(writer);
        self.layer().write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let outline = Vec::<Xy>::read(reader)?;
        let obstacle = Self::new(outline).map_err(|_| reader.malformed("obstacles"))?;
        Ok(obstacle.on_layer(u16::read(reader)?))
    }
}

impl Encode for MeshChange {
    fn write(&self, writer: &mut Writer) {
        self.name.to_string().write(writer);
        for obstacle in [&self.before, &self.after] {
            obstacle.as_deref().cloned().write(writer);
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let name = String::read(reader)?.into();
        let before = Option::<Obstacle>::read(reader)?.map(Arc::new);
        let after = Option::<Obstacle>::read(reader)?.map(Arc::new);
        Ok(Self { name, before, after })
    }
}

impl Mesh {
    /// Writes the mesh.
    #[doc(hidden)]
    pub fn write(&self, writer: &mut Writer) {
        let base = &*self.base;
        let polygons = || 0..base.polygon_count() as u32;
        base.vertices.write(writer);
        let corners = |polygon| base.sides(polygon).iter().map(|side| side.vertex).collect();
        polygons().map(corners).collect::<Vec<Vec<u32>>>().write(writer);
        let across = |polygon| base.range(polygon).map(|edge| base.across(edge as u32)).collect();
        polygons().map(across).collect::<Vec<Vec<Option<u32>>>>().write(writer);
        base.layers.write(writer);
        base.closed.write(writer);
        let obstacle = |(name, obstacle): (&str, &Obstacle)| (name.to_owned(), obstacle.clone());
        self.obstacles().map(obstacle).collect::<Vec<(String, Obstacle)>>().write(writer);
        self.revision.write(writer);
    }

    /// Reads what [`Mesh::write`] has written, in memory in proportion to the bytes.
    #[doc(hidden)]
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let vertices = Vec::<Xy>::read(reader)?;
        let polygons = Vec::<Vec<u32>>::read(reader)?;
        let neighbours = Vec::<Vec<Option<u32>>>::read(reader)?;
        let layers = Vec::<u16>::read(reader)?;
        let closed = Vec::<u32>::read(reader)?;
        let obstacles = Vec::<(String, Obstacle)>::read(reader)?;
        let revision = Revision::read(reader)?;
        let mut shape = MeshShape::new(vertices, &polygons, Some(&neighbours), layers)
            .map_err(|_| reader.malformed("polygons"))?;
        if closed.iter().any(|&polygon| polygon as usize >= shape.polygon_count()) {
            return Err(reader.malformed("closed polygons"));
        }
        if !closed.is_empty() {
            shape.close(&closed);
        }
        let mut mesh = Self::of(shape);
        let mut batch = MeshBatch::new();
        for (name, obstacle) in obstacles {
            batch.place(name, obstacle);
        }
        mesh.apply(&batch).map_err(|_| reader.malformed("obstacles"))?;
        mesh.revision = revision;
        Ok(mesh)
    }
}
