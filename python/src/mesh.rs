//! Navigation meshes: paths from point to point, at any angle.
//!
//! A point is (x, y), or (x, y, layer) where layers lie above each other.

use crate::batch::{Flat, check_all, find_all, read_on_error};
use crate::cells::pairs;
use crate::interrupt::{in_slices, watched};
use crate::kept::{Kept, read_specs};
use crate::map::Map;
use crate::path::{Paths, PlaceKind};
use crate::{refuse, tables};
use highroad::Cost;
use highroad::environment::Environment;
use highroad::field::MeshField;
use highroad::grid::KindId;
use highroad::mesh::{
    Area, AreaError, Mesh as EngineMesh, MeshBatch, MeshPoint, MeshRefusal, Obstacle,
    read_polyanya, write_polyanya,
};
use highroad::planner::{Answer, PathQuery, QueryError, Watch};
use highroad::world::Snapshot;
use highroad_pictures::{MeshScene, Viewport};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};

/// A navigation mesh: convex polygons that paths cross at any angle, and obstacles that come and go.
///
/// ``vertices`` is an array of N × 2, and ``polygons`` are lists of numbers of vertices, counter-clockwise where x goes to the
/// right and y upwards. Those that share an edge are neighbours. ``layers`` has a number for each polygon, where some lie above
/// others. ``from_areas`` makes one of outlines with holes, ``Map.mesh`` of the free cells of a map, and ``highroad.read_mesh``
/// reads one.
///
/// Without a ``planner`` the shortest path is found by an exact search; ``"funnel"`` is quicker and not exact, and
/// ``"corner-labels"`` looks up what was worked out before.
///
/// >>> import highroad
/// >>> mesh = highroad.Mesh.from_areas([[(0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)]])
/// >>> path = mesh.find_path((4, 1), (0, 4))
/// >>> path.points.tolist(), round(path.cost, 3)
/// ([[4.0, 1.0], [1.0, 1.0], [0.0, 4.0]], 6.162)
#[pyclass(frozen, module = "highroad")]
pub(crate) struct Mesh {
    kept: Kept<EngineMesh>,
}

/// A path on a mesh.
#[pyclass(frozen, module = "highroad")]
pub(crate) struct MeshPath {
    points: Vec<MeshPoint>,
    /// What it costs: its length.
    #[pyo3(get)]
    cost: f64,
    /// Its length in the plane.
    #[pyo3(get)]
    length: f64,
}

type Parts = (Vec<(f64, f64, u16)>, f64, f64);

#[pymethods]
impl MeshPath {
    /// The points where it begins, bends and ends: an array of N × 2.
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mut flat = Vec::with_capacity(2 * self.points.len());
        EngineMesh::push(&mut flat, &self.points);
        pairs(py, flat, 2)
    }

    /// The layers of its points.
    #[getter]
    fn layers<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u16>> {
        PyArray1::from_iter(py, self.points.iter().map(|point| point.layer()))
    }

    fn __len__(&self) -> usize {
        self.points.len()
    }

    fn __repr__(&self) -> String {
        let (start, goal) = (self.points[0], self.points[self.points.len() - 1]);
        format!("<MeshPath {start} to {goal}: {} points, cost {:?}>", self.points.len(), self.cost)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Parts,))> {
        let this = slf.get();
        let points = this.points.iter().map(|point| (point.x(), point.y(), point.layer()));
        let parts = (points.collect(), this.cost, this.length);
        Ok((slf.get_type().getattr("_restore")?, (parts,)))
    }

    #[staticmethod]
    fn _restore(parts: Parts) -> PyResult<Self> {
        let (points, cost, length) = parts;
        let point = |(x, y, layer)| Ok(MeshPoint::new(x, y).map_err(refuse)?.on_layer(layer));
        let points: Vec<_> = points.into_iter().map(point).collect::<PyResult<_>>()?;
        if points.is_empty() {
            return Err(refuse("a path has at least one point"));
        }
        Ok(Self { points, cost, length })
    }
}

impl Flat for EngineMesh {
    type Number = f64;
    const KIND: PlaceKind = PlaceKind::Points;

    fn push(numbers: &mut Vec<f64>, places: &[MeshPoint]) {
        numbers.extend(places.iter().flat_map(|point| [point.x(), point.y()]));
    }
}

/// An array of floats with one of two numbers of columns.
fn floats<'py>(
    what: &str,
    given: &Bound<'py, PyAny>,
    columns: [usize; 2],
) -> PyResult<PyReadonlyArray2<'py, f64>> {
    let wrong = |shape: &dyn std::fmt::Debug| {
        let [plain, layered] = columns;
        refuse(format!(
            "{what}: an array of shape (N, {plain}), or (N, {layered}) with layers, is needed, this one is {shape:?}"
        ))
    };
    let array = given.py().import("numpy")?.call_method1("asarray", (given, "float64"))?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    let array = match shape[..] {
        [0] => array.call_method1("reshape", ((0, columns[0]),))?,
        [_, found] if columns.contains(&found) => array,
        _ => return Err(wrong(&shape)),
    };
    array.extract()
}

/// A point of two or three numbers.
fn point_of(numbers: &[f64]) -> Result<MeshPoint, String> {
    let layer = numbers.get(2).copied().unwrap_or(0.0);
    if layer.fract() != 0.0 || !(0.0..=f64::from(u16::MAX)).contains(&layer) {
        return Err(format!("a layer is {layer}: it must be a whole number from 0 to 65535"));
    }
    let point = MeshPoint::new(numbers[0], numbers[1]).map_err(|error| error.to_string())?;
    Ok(point.on_layer(layer as u16))
}

fn one_point(what: &str, given: &[f64]) -> PyResult<MeshPoint> {
    if !(2..=3).contains(&given.len()) {
        return Err(refuse(format!("{what}: (x, y) or (x, y, layer) is needed")));
    }
    point_of(given).map_err(|problem| refuse(format!("{what}: {problem}")))
}

/// Points of an array of N × 2 or N × 3, or one point.
fn points(what: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<MeshPoint>> {
    if let Ok(one) = given.extract::<Vec<f64>>()
        && !one.is_empty()
    {
        return Ok(vec![one_point(what, &one)?]);
    }
    let array = floats(what, given, [2, 3])?;
    let point = |(row, numbers): (usize, numpy::ndarray::ArrayView1<'_, f64>)| {
        let place = |problem| refuse(format!("{what}, row {row}: {problem}"));
        point_of(&numbers.to_vec()).map_err(place)
    };
    array.as_array().rows().into_iter().enumerate().map(point).collect()
}

/// An outline: an array of N × 2.
fn outline(what: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<[f64; 2]>> {
    let array = floats(what, given, [2, 2])?;
    Ok(array.as_array().rows().into_iter().map(|row| [row[0], row[1]]).collect())
}

fn query_error(error: QueryError<MeshRefusal>) -> PyErr {
    refuse(error)
}

impl Mesh {
    fn built(
        py: Python<'_>,
        mesh: EngineMesh,
        planner: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Ok(Self { kept: Kept::built(py, mesh, read_specs(planner)?)? })
    }

    /// Makes a mesh in one long piece, and its planners. A KeyboardInterrupt stops it.
    pub(crate) fn made(
        py: Python<'_>,
        planner: Option<&Bound<'_, PyAny>>,
        make: impl FnOnce(&mut Watch<'_>) -> Result<EngineMesh, AreaError> + Send,
    ) -> PyResult<Self> {
        let made = watched(py, |watch| {
            let mut report = |done, of| watch.report(done, of);
            make(&mut Watch::new(&mut report))
        })?;
        Self::built(py, made.map_err(refuse)?, planner)
    }

    fn view(&self, py: Python<'_>) -> Snapshot<EngineMesh> {
        self.kept.view(py)
    }

    fn edited(&self, py: Python<'_>, batch: &MeshBatch) -> PyResult<u64> {
        self.kept.apply(py, batch).map_err(refuse)
    }

    fn check(&self, mesh: &EngineMesh, what: &str, points: &[MeshPoint]) -> PyResult<()> {
        for (row, &point) in points.iter().enumerate() {
            let place = |reason| refuse(format!("{what}, row {row}: {reason}"));
            mesh.check_place(point).map_err(place)?;
        }
        Ok(())
    }
}

fn price(mesh: &EngineMesh, cost: Cost) -> f64 {
    cost.0 as f64 / mesh.cost_scale()
}

#[pymethods]
impl Mesh {
    #[new]
    #[pyo3(signature = (vertices, polygons, *, layers=None, planner=None))]
    fn new(
        py: Python<'_>,
        vertices: &Bound<'_, PyAny>,
        polygons: Vec<Vec<u32>>,
        layers: Option<Vec<u16>>,
        planner: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let vertices = outline("vertices", vertices)?;
        let mesh = EngineMesh::from_layers(vertices, &polygons, layers.unwrap_or_default());
        Self::built(py, mesh.map_err(refuse)?, planner)
    }

    /// The mesh of some areas, which may touch, but neither cross nor overlap. Each is an outline, an array of N × 2, or a tuple
    /// of an outline and a list of the outlines of its holes.
    #[classmethod]
    #[pyo3(signature = (areas, *, planner=None))]
    fn from_areas(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        areas: Vec<Bound<'_, PyAny>>,
        planner: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let read = |(number, area): (usize, &Bound<'_, PyAny>)| {
            let what = format!("area {number}");
            let with_holes = area.extract::<(Bound<'_, PyAny>, Vec<Bound<'_, PyAny>>)>();
            // An outline of two points is no area, so that a pair is one with holes.
            match with_holes.ok().filter(|_| area.is_instance_of::<pyo3::types::PyTuple>()) {
                Some((outer, holes)) => {
                    let holes = holes.iter().map(|hole| outline(&what, hole));
                    let holes = holes.collect::<PyResult<_>>()?;
                    Ok(Area { outer: outline(&what, &outer)?, holes })
                }
                None => Ok(Area { outer: outline(&what, area)?, holes: Vec::new() }),
            }
        };
        let areas: Vec<Area> = areas.iter().enumerate().map(read).collect::<PyResult<_>>()?;
        Self::made(py, planner, |watch| EngineMesh::from_areas_watched(&areas, watch))
    }

    /// A mesh from text: that of Polyanya's files, or JSON (vertices and polygons, areas, GeoJSON, or Recast's polygon mesh).
    #[classmethod]
    #[pyo3(signature = (text, *, planner=None))]
    fn from_text(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        text: &str,
        planner: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let is_json = text.trim_start_matches('\u{feff}').trim_start().starts_with('{');
        let mesh = py.detach(|| match is_json {
            true => highroad_formats::read_mesh_json(text).map_err(|error| error.to_string()),
            false => read_polyanya(text).map_err(|error| error.to_string()),
        });
        Self::built(py, mesh.map_err(refuse)?, planner)
    }

    /// The mesh as text in the format of Polyanya, with its obstacles cut out.
    fn to_text(&self, py: Python<'_>) -> String {
        write_polyanya(&self.view(py))
    }

    /// Where its vertices lie: an array of N × 2.
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        pairs(py, self.view(py).vertices().concat(), 2)
    }

    /// Its polygons: lists of numbers of vertices. Those that an obstacle has taken the place of are left out.
    #[getter]
    fn polygons(&self, py: Python<'_>) -> Vec<Vec<u32>> {
        let view = self.view(py);
        let polygons = (0..view.polygon_count() as u32).filter(|&polygon| view.is_open(polygon));
        polygons.map(|polygon| view.corners(polygon).collect()).collect()
    }

    /// The least and the largest x and y.
    #[getter]
    fn bounds(&self, py: Python<'_>) -> [[f64; 2]; 2] {
        self.view(py).bounds()
    }

    /// How often it has been changed.
    #[getter]
    fn revision(&self, py: Python<'_>) -> u64 {
        self.view(py).revision().0
    }

    /// Its planners with what each promises, the preferred one first. An exact search answers where there is none.
    fn planners(&self, py: Python<'_>) -> Vec<(String, String)> {
        self.kept.planners(py, KindId::DEFAULT)
    }

    /// A path; ``None`` if there is none. Fails if an end lies beside the mesh.
    fn find_path(
        &self,
        py: Python<'_>,
        start: Vec<f64>,
        goal: Vec<f64>,
    ) -> PyResult<Option<MeshPath>> {
        let query = PathQuery::new(one_point("start", &start)?, one_point("goal", &goal)?);
        let view = self.view(py);
        let answer = self.kept.answer(py, &view, KindId::DEFAULT, &query)?;
        Ok(match answer.map_err(query_error)? {
            Answer::Found(path) => {
                let (cost, length) = (price(&view, path.cost()), view.length(path.places()));
                Some(MeshPath { points: path.places().to_vec(), cost, length })
            }
            _ => None,
        })
    }

    /// Many paths on all cores: ``queries`` is an array of N × 4, of the x and y of starts and goals, or of N × 6 with layers. A
    /// query of a point beside the mesh is an error that names its row; with ``on_error="mask"`` it is marked in ``failed``.
    ///
    /// >>> import highroad
    /// >>> mesh = highroad.Mesh([(0, 0), (4, 0), (4, 4), (0, 4)], [[0, 1, 2, 3]])
    /// >>> paths = mesh.find_paths([[0, 0, 3, 4], [1, 1, 9, 9]], on_error="mask")
    /// >>> paths.costs.tolist(), paths[0].tolist(), paths.failed.tolist()
    /// ([5.0, inf], [[0.0, 0.0], [3.0, 4.0]], [False, True])
    #[pyo3(signature = (queries, *, on_error="raise"))]
    fn find_paths(
        &self,
        py: Python<'_>,
        queries: &Bound<'_, PyAny>,
        on_error: &str,
    ) -> PyResult<Paths> {
        let raises = read_on_error(on_error)?;
        let array = floats("queries", queries, [4, 6])?;
        let ends = |(row, numbers): (usize, numpy::ndarray::ArrayView1<'_, f64>)| {
            let numbers = numbers.to_vec();
            let (start, goal) = numbers.split_at(numbers.len() / 2);
            let place = |problem| refuse(format!("row {row}: {problem}"));
            Ok((point_of(start).map_err(place)?, point_of(goal).map_err(place)?))
        };
        let rows = array.as_array();
        let ends: Vec<_> =
            rows.rows().into_iter().enumerate().map(ends).collect::<PyResult<_>>()?;
        let view = self.view(py);
        if raises {
            check_all(py, &*view, &ends, ToString::to_string)?;
        }
        find_all(py, &view, KindId::DEFAULT, &ends, |cost| price(&view, cost))
    }

    /// What the shortest paths from the nearest of some sources to each of some points cost, by one search: an array, ``inf``
    /// where no path leads.
    fn distances<'py>(
        &self,
        py: Python<'py>,
        sources: &Bound<'py, PyAny>,
        targets: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        /// Corners that are settled between two looks for signals.
        const SLICE: u64 = 256;
        let (sources, targets) = (points("sources", sources)?, points("targets", targets)?);
        let view = self.view(py);
        self.check(&view, "targets", &targets)?;
        let costs = in_slices(py, |lookout| {
            let mut field = MeshField::away_from(&view, &sources, u64::MAX)?;
            while lookout.goes_on() && field.advance(SLICE) {}
            let cost =
                |&at: &MeshPoint| field.cost(at).map_or(f64::INFINITY, |cost| price(&view, cost));
            Ok(targets.iter().map(cost).collect())
        })?;
        Ok(PyArray1::from_vec(py, costs.map_err(query_error)?))
    }

    /// What the shortest paths from each of some starts to each of some goals cost: an array of as many rows as there are starts,
    /// on all cores. ``inf`` where no path leads.
    fn distance_table<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        goals: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (starts, goals) = (points("starts", starts)?, points("goals", goals)?);
        let view = self.view(py);
        self.check(&view, "starts", &starts)?;
        self.check(&view, "goals", &goals)?;
        tables::check_size(starts.len(), goals.len())?;
        let price = |cost| price(&view, cost);
        let table =
            watched(py, |watch| tables::table_of_any(&*view, &starts, &goals, price, watch))?;
        let table = table.expect("what stops it is an error").map_err(query_error)?;
        PyArray1::from_vec(py, table).reshape([starts.len(), goals.len()])
    }

    /// Whether a path leads from one point to another; ``False`` also for points beside the mesh.
    fn is_reachable(&self, py: Python<'_>, start: Vec<f64>, goal: Vec<f64>) -> PyResult<bool> {
        let (start, goal) = (one_point("start", &start)?, one_point("goal", &goal)?);
        Ok(self.view(py).is_reachable(start, goal))
    }

    /// Which of some points lie on the mesh: an array of bool.
    fn contains<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let (view, points) = (self.view(py), self::points("points", points)?);
        let is_inside = |&point: &MeshPoint| view.check_place(point).is_ok();
        Ok(PyArray1::from_vec(py, points.iter().map(is_inside).collect()))
    }

    /// The point (x, y, layer) of the mesh nearest to a point; ``None`` if the mesh has no polygon.
    fn nearest_point(&self, py: Python<'_>, to: Vec<f64>) -> PyResult<Option<(f64, f64, u16)>> {
        let nearest = self.view(py).nearest_point(one_point("to", &to)?);
        Ok(nearest.map(|point| (point.x(), point.y(), point.layer())))
    }

    /// Places, moves and removes obstacles in one edit: all of it, or nothing. ``place`` has outlines by name, which nobody may
    /// enter; ``move`` has what to add to x and y, and ``remove`` names. Returns the revision that this leads to.
    ///
    /// >>> import highroad
    /// >>> mesh = highroad.Mesh([(0, 0), (4, 0), (4, 4), (0, 4)], [[0, 1, 2, 3]])
    /// >>> mesh.edit(place={"crate": [(1, 1), (3, 1), (3, 3), (1, 3)]})
    /// 1
    /// >>> len(mesh.find_path((0, 2), (4, 2)))
    /// 4
    #[pyo3(signature = (*, place=None, r#move=None, remove=Vec::new(), layer=0))]
    fn edit(
        &self,
        py: Python<'_>,
        place: Option<&Bound<'_, PyDict>>,
        r#move: Option<&Bound<'_, PyDict>>,
        remove: Vec<String>,
        layer: u16,
    ) -> PyResult<u64> {
        let mut batch = MeshBatch::new();
        for (name, points) in place.into_iter().flatten() {
            let name: String = name.extract()?;
            let obstacle = Obstacle::new(outline(&format!("obstacle '{name}'"), &points)?);
            let wrong = |error| refuse(format!("obstacle '{name}': {error}; nothing was changed"));
            batch.place(name.as_str(), obstacle.map_err(wrong)?.on_layer(layer));
        }
        for (name, by) in r#move.into_iter().flatten() {
            batch.move_by(name.extract::<String>()?, by.extract::<[f64; 2]>()?);
        }
        remove.into_iter().for_each(|name| _ = batch.remove(name));
        self.edited(py, &batch)
    }

    /// Its obstacles by name: arrays of N × 2.
    #[getter]
    fn obstacles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let obstacles = PyDict::new(py);
        for (name, obstacle) in self.view(py).obstacles() {
            obstacles.set_item(name, pairs(py, obstacle.outline().concat(), 2)?)?;
        }
        Ok(obstacles)
    }

    /// Takes back the latest edit; ``None`` if there is nothing to take back.
    fn undo(&self, py: Python<'_>) -> Option<u64> {
        self.kept.undo(py)
    }

    /// Makes the edit again that was taken back last; ``None`` if there is none.
    fn redo(&self, py: Python<'_>) -> Option<u64> {
        self.kept.redo(py)
    }

    /// Waits until every planner knows the mesh as it is. Not needed for right answers: until then, others answer.
    fn finish_rebuilds(&self, py: Python<'_>) {
        self.kept.finish_rebuilds(py);
    }

    /// A picture of the mesh as an SVG file, with a path on it.
    #[pyo3(signature = (path=None))]
    fn to_svg(&self, py: Python<'_>, path: Option<&MeshPath>) -> String {
        let view = self.view(py);
        let mut scene = MeshScene::new(&view);
        if let Some(path) = path {
            scene.path = Some(&path.points);
            (scene.start, scene.goal) = (path.points.first().copied(), path.points.last().copied());
        }
        scene.to_svg(&Viewport::around(view.bounds()))
    }

    /// What notebooks show.
    fn _repr_svg_(&self, py: Python<'_>) -> String {
        self.to_svg(py, None)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let view = self.view(py);
        let open = (0..view.polygon_count() as u32).filter(|&polygon| view.is_open(polygon));
        format!("<Mesh of {} polygons, revision {}>", open.count(), view.revision().0)
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let restore = slf.get_type().getattr("_restore")?;
        Ok((restore, (slf.get().kept.save(slf.py()),)))
    }

    #[staticmethod]
    fn _restore(py: Python<'_>, bytes: &Bound<'_, PyBytes>) -> PyResult<Self> {
        Ok(Self { kept: Kept::load(py, bytes, false)? })
    }
}

/// The mesh of the cells of a map that a kind can enter.
pub(crate) fn of_map(
    py: Python<'_>,
    map: &Map,
    kind: Option<&str>,
    planner: Option<&Bound<'_, PyAny>>,
) -> PyResult<Mesh> {
    let view = map.view(py);
    let grid = view.of(map.kind_of(&view, kind)?).expect("the kind was found").environment();
    let (width, height) = (grid.extent().width(), grid.extent().height());
    Mesh::made(py, planner, |watch| {
        EngineMesh::from_cells_watched(
            width,
            height,
            |x, y| grid.is_enterable((x, y).into()),
            watch,
        )
    })
}
