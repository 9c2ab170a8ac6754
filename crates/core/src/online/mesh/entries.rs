//! Searches on meshes in the catalog.

use super::sketch::{BENDS, CONES, STEPS};
use super::{AnyAngle, Funnel};
use crate::mesh::Mesh;
use crate::planner::{BuildError, CatalogEntry, Maker, serves_any};

/// Whether ground costs the same everywhere.
pub(crate) fn serves_level_ground(mesh: &Mesh) -> Result<(), String> {
    match mesh.has_costs() {
        true => Err("areas of the mesh cost more than other ground; funnel serves that".to_owned()),
        false => Ok(()),
    }
}

pub(crate) static ANY_ANGLE: CatalogEntry = CatalogEntry {
    name: "any-angle",
    title: "Any-angle search",
    summary: "Shortest paths from point to point on a mesh, after Polyanya's method",
    options: &[],
    layers: &[CONES, BENDS],
    follows_edits: true,
    traces_places: false,
    grid: None,
    graph: None,
    mesh: Some(Maker {
        serves: serves_level_ground,
        build: |mesh, _, _| {
            serves_level_ground(mesh).map_err(BuildError::NotServed)?;
            Ok(Box::new(AnyAngle))
        },
        load: None,
    }),
};

pub(crate) static FUNNEL: CatalogEntry = CatalogEntry {
    name: "funnel",
    title: "A* and funnel",
    summary: "A* over the polygons of a mesh, then the shortest line through those it passes",
    options: &[],
    layers: &[STEPS],
    follows_edits: true,
    traces_places: false,
    grid: None,
    graph: None,
    mesh: Some(Maker { serves: serves_any, build: |_, _, _| Ok(Box::new(Funnel)), load: None }),
};
