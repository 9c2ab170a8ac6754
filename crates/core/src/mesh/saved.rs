//! Meshes, points, obstacles and links as bytes, in saved worlds.
//!
//! A mesh is its ground without obstacles, and what has a name on it: the rest follows. Kinds of agents differ by their movement
//! alone.

use super::batch::{MeshBatch, MeshChange, MeshItem};
use super::shape::MeshShape;
use super::{AreaClass, Mesh, MeshLink, MeshMovement, MeshPoint, MeshRefusal, Obstacle, Xy};
use crate::environment::Revision;
use crate::saved::{Encode, LoadError, Reader, Writer, encoded_enum};
use std::sync::Arc;

encoded_enum!(MeshRefusal, "refusals" { 0 => Beside { point: point }, 1 => Costs {} });

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
        self.class().write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let outline = Vec::<Xy>::read(reader)?;
        let obstacle = Self::new(outline).map_err(|_| reader.malformed("obstacles"))?;
        let obstacle = obstacle.on_layer(u16::read(reader)?);
        let class = Option::<AreaClass>::read(reader)?;
        Ok(class.map_or(obstacle.clone(), |class| obstacle.of_class(class)))
    }
}

impl Encode for AreaClass {
    fn write(&self, writer: &mut Writer) {
        self.number().write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        Self::new(u8::read(reader)?).map_err(|_| reader.malformed("classes"))
    }
}

impl Encode for MeshLink {
    fn write(&self, writer: &mut Writer) {
        (self.from(), self.to()).write(writer);
        self.length().write(writer);
        (self.leads_back(), self.is_open()).write(writer);
        self.class().write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let (from, to) = <(MeshPoint, MeshPoint)>::read(reader)?;
        let link = Self::new(from, to, f64::read(reader)?);
        let mut link = link.map_err(|_| reader.malformed("links"))?;
        let (leads_back, is_open) = <(bool, bool)>::read(reader)?;
        if leads_back {
            link = link.with_way_back();
        }
        if !is_open {
            link = link.closed();
        }
        Ok(match Option::<AreaClass>::read(reader)? {
            Some(class) => link.of_class(class),
            None => link,
        })
    }
}

impl Encode for MeshItem {
    fn write(&self, writer: &mut Writer) {
        match self {
            Self::Obstacle(obstacle) => {
                0u8.write(writer);
                obstacle.write(writer);
            }
            Self::Link(link) => {
                1u8.write(writer);
                link.write(writer);
            }
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        match u8::read(reader)? {
            0 => Ok(Self::Obstacle(Arc::new(Obstacle::read(reader)?))),
            1 => Ok(Self::Link(Arc::new(MeshLink::read(reader)?))),
            _ => Err(reader.malformed("obstacles and links")),
        }
    }
}

impl Encode for MeshMovement {
    fn write(&self, writer: &mut Writer) {
        self.classes().collect::<Vec<(AreaClass, Option<f64>)>>().write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let mut movement = Self::default();
        for (class, factor) in Vec::<(AreaClass, Option<f64>)>::read(reader)? {
            movement = match factor {
                None => movement.forbidding(class),
                Some(factor) => movement
                    .with_factor(class, factor)
                    .map_err(|_| reader.malformed("costs of areas"))?,
            };
        }
        Ok(movement)
    }
}

impl Encode for MeshChange {
    fn write(&self, writer: &mut Writer) {
        self.name.to_string().write(writer);
        self.before.write(writer);
        self.after.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let name = String::read(reader)?.into();
        let before = Option::<MeshItem>::read(reader)?;
        let after = Option::<MeshItem>::read(reader)?;
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
        let item = |(name, item): (&str, &MeshItem)| (name.to_owned(), item.clone());
        self.items().map(item).collect::<Vec<(String, MeshItem)>>().write(writer);
        self.movement().write(writer);
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
        let items = Vec::<(String, MeshItem)>::read(reader)?;
        let movement = MeshMovement::read(reader)?;
        let revision = Revision::read(reader)?;
        let mut shape = MeshShape::new(vertices, &polygons, Some(&neighbours), layers)
            .map_err(|_| reader.malformed("polygons"))?;
        if closed.iter().any(|&polygon| polygon as usize >= shape.polygon_count()) {
            return Err(reader.malformed("closed polygons"));
        }
        if !closed.is_empty() {
            shape.close(&closed);
        }
        let mut mesh = Self { movement: Arc::new(movement), ..Self::of(shape) };
        let mut batch = MeshBatch::new();
        for (name, item) in items {
            batch.place_item(name, item);
        }
        mesh.apply(&batch).map_err(|_| reader.malformed("obstacles"))?;
        mesh.revision = revision;
        Ok(mesh)
    }
}
