//! Where meshes and the queries on them come from.

use crate::generate::Random;
use crate::scenario::Scenario;
use crate::workload::{
    Published, SEEDED_QUERIES, Sample, WorkQuery, Workload, WorkloadError, file_name, find_sources,
    grid_under, is_any_angle, read, spread,
};
use highroad::Cell;
use highroad::Terrain;
use highroad::environment::Environment;
use highroad::grid::{Grid, MovementRule};
use highroad::mesh::{Mesh, MeshPoint, read_polyanya};
use highroad_formats::{read_map, read_mesh_json, read_tiled_mesh};
use std::path::{Path, PathBuf};

/// A file of a mesh, or a map that a mesh is made of, with the scenario for it if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshSource {
    /// The file of the mesh or of the map.
    pub file: PathBuf,
    /// Its scenario file.
    pub scenario: Option<PathBuf>,
}

/// What the lengths of a scenario say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lengths {
    /// They are those of shortest paths in any direction.
    Exact,
    /// They are those of paths from cell to cell: no shortest path on the mesh is longer.
    AtMost,
}

/// A mesh and the queries to ask on it.
pub struct MeshWorkload {
    /// The mesh and the queries.
    pub workload: Workload<Mesh>,
    /// What published lengths say.
    pub lengths: Lengths,
    /// How many queries of the scenario were left out, since an end lies beside the mesh.
    pub left_out: usize,
}

/// Whether a file is one of a mesh, by its name: `.mesh`, `.mesh.json`, `.geojson`, `.mesh.tmx` or `.mesh.tmj`.
///
/// ```
/// use highroad_lab::meshes::is_mesh_file;
/// let files = ["town.mesh", "town.mesh.json", "town.geojson", "town.mesh.tmx", "level.tmx"];
/// assert_eq!(files.map(|file| is_mesh_file(file.as_ref())), [true, true, true, true, false]);
/// ```
pub fn is_mesh_file(path: &Path) -> bool {
    let name = file_name(path).to_lowercase();
    let endings = [".mesh", ".mesh.json", ".geojson", ".mesh.tmx", ".mesh.tmj"];
    endings.iter().any(|ending| name.ends_with(ending))
}

/// The mesh in a file: Polyanya's text, JSON, or polygons of a level of Tiled, as `highroad_formats` reads them.
pub fn read_mesh(path: &Path) -> Result<Mesh, WorkloadError> {
    let bytes = read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let name = file_name(path).to_lowercase();
    if name.ends_with(".tmx") || name.ends_with(".tmj") {
        return read_tiled_mesh(&text).map_err(|error| WorkloadError::NoMesh {
            path: path.to_owned(),
            reason: error.to_string(),
        });
    }
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        return read_mesh_json(&text).map_err(|error| WorkloadError::NoMesh {
            path: path.to_owned(),
            reason: error.to_string(),
        });
    }
    read_polyanya(&text).map_err(|error| WorkloadError::Mesh { path: path.to_owned(), error })
}

/// The mesh of a grid's free ground. Water is left out, since nothing leads from there to ground; cells that cost more than
/// others are an error, since a mesh has no costs.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad_lab::meshes::mesh_of_grid;
/// let mesh = mesh_of_grid(&Grid::with_defaults("...\n.#.\n...\n".parse()?))?;
/// assert_eq!(mesh.vertex_count(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn mesh_of_grid(grid: &Grid) -> Result<Mesh, String> {
    if grid.enterable_count() > 0 && grid.uniform_cost().is_none() {
        return Err("its cells differ in cost, and a mesh has no costs of its own".to_owned());
    }
    let is_free = |x: u32, y: u32| {
        let cell = Cell::new(x, y);
        grid.is_enterable(cell) && grid.map().terrain(cell) != Some(Terrain::WATER)
    };
    let extent = grid.extent();
    Mesh::from_cells(extent.width(), extent.height(), is_free).map_err(|error| error.to_string())
}

/// Every mesh at or below some paths, in the order of their names. With `of_maps` meshes are made of maps as well;
/// without, every file must be one of a mesh. A scenario that is given serves all of them.
pub fn find_mesh_sources(
    paths: &[PathBuf],
    scenario: Option<&Path>,
    of_maps: bool,
) -> Result<Vec<MeshSource>, WorkloadError> {
    let mut sources = Vec::new();
    for path in paths {
        let before = sources.len();
        if path.is_dir() {
            find_meshes_below(path, &mut sources)?;
            if of_maps {
                match find_sources(std::slice::from_ref(path)) {
                    Err(WorkloadError::Nothing(_)) => {}
                    maps => sources.extend(maps?.into_iter().map(of_source)),
                }
            }
            if sources.len() == before {
                return Err(WorkloadError::Nothing(path.clone()));
            }
        } else if is_mesh_file(path) {
            // A missing file is reported before others are worked on.
            std::fs::metadata(path)
                .map_err(|error| WorkloadError::Read { path: path.clone(), error })?;
            sources.push(with_own_scenario(path));
        } else if of_maps {
            let maps = find_sources(std::slice::from_ref(path))?;
            sources.extend(maps.into_iter().map(of_source));
        } else {
            let reason = "not a .mesh file; --mesh makes meshes of maps".to_owned();
            return Err(WorkloadError::NoMesh { path: path.clone(), reason });
        }
    }
    if let Some(scenario) = scenario {
        sources.iter_mut().for_each(|source| source.scenario = Some(scenario.to_owned()));
    }
    Ok(sources)
}

fn of_source(source: crate::workload::Source) -> MeshSource {
    MeshSource { file: source.map, scenario: source.scenario }
}

fn with_own_scenario(file: &Path) -> MeshSource {
    let scenario = Some(file.with_extension("scen")).filter(|scenario| scenario.exists());
    MeshSource { file: file.to_owned(), scenario }
}

fn find_meshes_below(folder: &Path, sources: &mut Vec<MeshSource>) -> Result<(), WorkloadError> {
    let unreadable = |error| WorkloadError::Read { path: folder.to_owned(), error };
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        entries.push(entry.map_err(unreadable)?.path());
    }
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            find_meshes_below(&entry, sources)?;
        } else if is_mesh_file(&entry) {
            sources.push(with_own_scenario(&entry));
        }
    }
    Ok(())
}

impl MeshSource {
    /// Reads the mesh, or makes it of the map, and the queries. Cells of a map's own scenario stand for the points in their
    /// middle; those of an any-angle scenario for their top left corners, as the competition has it. Where there is no
    /// scenario, queries are between seeded points.
    pub fn load(&self, sample: Sample) -> Result<MeshWorkload, WorkloadError> {
        let grid = match is_mesh_file(&self.file) {
            true => None,
            false => Some(grid_under(read_map(&self.file)?, MovementRule::default())),
        };
        let mesh = match &grid {
            None => read_mesh(&self.file)?,
            Some(grid) => mesh_of_grid(grid)
                .map_err(|reason| WorkloadError::NoMesh { path: self.file.clone(), reason })?,
        };
        let name = file_name(&self.file);
        let Some(path) = &self.scenario else {
            let count = match sample {
                Sample::All => SEEDED_QUERIES,
                Sample::Spread(count) => count,
            };
            let queries = seeded_points(&mesh, count, 1);
            let workload = Workload { name, environment: mesh, queries };
            return Ok(MeshWorkload { workload, lengths: Lengths::Exact, left_out: 0 });
        };
        let text = read(path)?;
        let scenario = Scenario::parse_points(&String::from_utf8_lossy(&text))
            .map_err(|error| WorkloadError::Scenario { path: path.clone(), error })?;
        let of_mesh = is_mesh_file(Path::new(&scenario.map_name));
        let any_angle = is_any_angle(path);
        let lengths = if of_mesh || any_angle { Lengths::Exact } else { Lengths::AtMost };
        let place = |point: MeshPoint| match &grid {
            Some(grid) if any_angle => corner_of_cell(grid, point),
            Some(_) => MeshPoint::new(point.x() + 0.5, point.y() + 0.5).unwrap_or(point),
            None => point,
        };
        let query = |index: usize| {
            let query = &scenario.queries[index];
            // Small meshes come with lengths of few digits.
            let tolerance = match query.length {
                Some(length) if of_mesh => query.tolerance.max(0.01 * length),
                _ => query.tolerance,
            };
            let published =
                query.length.map(|length| Published { length: Some(length), tolerance });
            WorkQuery { start: place(query.start), goal: place(query.goal), published }
        };
        let all: Vec<WorkQuery<MeshPoint>> =
            spread(scenario.queries.len(), sample).map(query).collect();
        let is_on_mesh = |query: &WorkQuery<MeshPoint>| {
            mesh.check_place(query.start).is_ok() && mesh.check_place(query.goal).is_ok()
        };
        let count = all.len();
        let queries: Vec<_> = all.into_iter().filter(is_on_mesh).collect();
        let left_out = count - queries.len();
        let workload = Workload { name, environment: mesh, queries };
        Ok(MeshWorkload { workload, lengths, left_out })
    }
}

/// The top left corner of a cell; moved into the cell by next to nothing where two blocked cells touch at that corner, since
/// the point itself would belong to both sides.
fn corner_of_cell(grid: &Grid, point: MeshPoint) -> MeshPoint {
    const INSET: f64 = 1.0 / (1u64 << 26) as f64;
    let is_free = |dx: f64, dy: f64| {
        let (x, y) = (point.x() + dx, point.y() + dy);
        let is_whole = x >= 0.0 && y >= 0.0 && x < f64::from(u32::MAX) && y < f64::from(u32::MAX);
        is_whole && grid.is_enterable(Cell::new(x as u32, y as u32))
    };
    let is_pinch = is_free(-1.0, -1.0) && !is_free(-1.0, 0.0) && !is_free(0.0, -1.0);
    if !is_pinch {
        return point;
    }
    MeshPoint::new(point.x() + INSET, point.y() + INSET).unwrap_or(point)
}

/// Queries between random points of a mesh, the same for the same seed. Some may have no path.
pub fn seeded_points(mesh: &Mesh, count: usize, seed: u64) -> Vec<WorkQuery<MeshPoint>> {
    if mesh.polygon_count() == 0 {
        return Vec::new();
    }
    let mut random = Random::new(seed);
    let mut point = || random_point(mesh, &mut random);
    (0..count).map(|_| WorkQuery { start: point(), goal: point(), published: None }).collect()
}

/// A random point of a mesh that has polygons.
fn random_point(mesh: &Mesh, random: &mut Random) -> MeshPoint {
    const STEPS: u64 = 1 << 20;
    let [least, most] = mesh.bounds();
    let mut drawn = |axis: usize| {
        let part = random.below(STEPS) as f64 / STEPS as f64;
        least[axis] + part * (most[axis] - least[axis])
    };
    let mut nearest = MeshPoint::default();
    for _ in 0..100 {
        nearest = MeshPoint::new(drawn(0), drawn(1)).unwrap_or_default();
        if mesh.check_place(nearest).is_ok() {
            return nearest;
        }
    }
    // Where hardly anything is free, the free point nearest to a random one will do.
    mesh.nearest_point(nearest).unwrap_or(nearest)
}

/// Two points far apart: in the part of the mesh that has most polygons, those vertices that are furthest apart along its
/// longer side. `None` if there are no polygons.
pub fn far_apart_points(mesh: &Mesh) -> Option<(MeshPoint, MeshPoint)> {
    let count = mesh.polygon_count() as u32;
    let mut sizes = vec![0u32; count as usize];
    let open = || (0..count).filter(|&polygon| mesh.is_open(polygon));
    open().for_each(|polygon| sizes[mesh.part(polygon) as usize] += 1);
    let largest = (0..count).max_by_key(|&part| (sizes[part as usize], std::cmp::Reverse(part)))?;
    let [least, most] = mesh.bounds();
    let axis = usize::from(most[1] - least[1] > most[0] - least[0]);
    let inside = open().filter(|&polygon| mesh.part(polygon) == largest);
    let corners = inside.flat_map(|polygon| {
        let layer = mesh.layer(polygon);
        mesh.corners(polygon).map(move |vertex| (mesh.vertices()[vertex as usize], layer))
    });
    let along = |(at, _): &([f64; 2], u16)| (at[axis], at[1 - axis]);
    let order = |a: &_, b: &_| along(a).partial_cmp(&along(b)).unwrap_or(std::cmp::Ordering::Equal);
    let point =
        |(at, layer): ([f64; 2], u16)| Some(MeshPoint::new(at[0], at[1]).ok()?.on_layer(layer));
    let corners: Vec<_> = corners.collect();
    let first = corners.iter().copied().min_by(order).and_then(point)?;
    let last = corners.iter().copied().max_by(order).and_then(point)?;
    Some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring() -> Grid {
        Grid::with_defaults("....\n.##.\n....\n".parse().unwrap())
    }

    #[test]
    fn water_is_left_out_and_costs_are_refused() {
        let grid = |text: &str| Grid::with_defaults(text.parse().unwrap());
        let lake = "type octile\nheight 1\nwidth 3\nmap\n.W.\n";
        let lake = Grid::with_defaults(highroad::GridMap::from_movingai(lake.as_bytes()).unwrap());
        let mesh = mesh_of_grid(&lake).unwrap();
        assert!(mesh.polygons_at(MeshPoint::new(1.5, 0.5).unwrap()).is_empty());
        assert!(!mesh.is_connected());
        assert_eq!(mesh_of_grid(&grid("##\n")).unwrap().polygon_count(), 0);
    }

    #[test]
    fn seeded_points_lie_on_the_mesh_and_are_repeatable() {
        let mesh = mesh_of_grid(&ring()).unwrap();
        let queries = seeded_points(&mesh, 20, 7);
        assert_eq!(queries, seeded_points(&mesh, 20, 7));
        assert_ne!(queries, seeded_points(&mesh, 20, 8));
        let ends = queries.iter().flat_map(|query| [query.start, query.goal]);
        assert!(ends.into_iter().all(|point| mesh.check_place(point).is_ok()));
    }

    #[test]
    fn points_far_apart_lie_at_both_ends_of_the_largest_part() {
        let grid = Grid::with_defaults(".#.....\n.#.###.\n.#.....\n".parse().unwrap());
        let mesh = mesh_of_grid(&grid).unwrap();
        let (from, to) = far_apart_points(&mesh).unwrap();
        assert_eq!(((from.x(), from.y()), (to.x(), to.y())), ((2.0, 0.0), (7.0, 3.0)));
    }

    #[test]
    fn where_two_blocked_cells_touch_a_corner_lies_in_its_own_cell() {
        let grid = Grid::with_defaults(".#\n#.\n".parse().unwrap());
        let corner = corner_of_cell(&grid, MeshPoint::new(1.0, 1.0).unwrap());
        assert!(corner.x() > 1.0 && corner.x() < 1.000001 && corner.y() > 1.0);
        let plain = MeshPoint::new(1.0, 1.0).unwrap();
        assert_eq!(corner_of_cell(&ring(), plain), plain);
    }
}
