//! Graphs from arrays of edges.

use crate::batch::{Flat, check_all, find_all, read_on_error};
use crate::cells::{integers, pairs};
use crate::interrupt::{in_slices, watched};
use crate::kept::{Kept, read_specs};
use crate::map::percent;
use crate::path::{Paths, PlaceKind};
use crate::{HighroadError, refuse, tables};
use highroad::PathWorld;
use highroad::catalog::Spec;
use highroad::environment::{Cost, Environment, NodeId};
use highroad::field::{FacilityField, GraphField};
use highroad::graph::{
    AllPairs, AllPairsError, AllPairsMethod, BellmanFord, Edge, Graph as EngineGraph, GraphBatch,
    GraphRefusal, NegativeCycle, Partition, bellman_ford_watched, negative_cycle_watched,
};
use highroad::grid::KindId;
use highroad::planner::{AlternativeOptions, PathQuery, QueryError, Watch};
use highroad::world::Snapshot;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

pyo3::create_exception!(
    highroad,
    NegativeCycleError,
    HighroadError,
    "A cycle of edges costs less than nothing, so that no path is cheapest. Its nodes are the second argument."
);

/// The most that a weight may be in units where the unit is chosen: a path of a million such edges can be counted.
const WEIGHT_MAX: f64 = (1 << 24) as f64;

/// A directed graph whose weights can change.
///
/// ``sources``, ``targets`` and ``weights`` are arrays of as many numbers as there are edges. Weights are counted in whole
/// units, and rounded to the nearest: ``unit`` says what one is. It is 1 where all weights are whole; else the smallest power
/// of two with which the largest is at most 2²⁴ units. Weights may be 0; negative ones are for ``bellman_ford`` and
/// ``all_pairs``.
///
/// ``nodes`` is the number of nodes, if some have no edge. ``positions``, an array of N × 2, help searches and pictures.
/// ``planner`` is one for graphs, such as ``"ch"``.
///
/// >>> import highroad
/// >>> graph = highroad.Graph([0, 1, 0], [1, 2, 2], [4, 4, 9])
/// >>> graph.find_path(0, 2).nodes.tolist()
/// [0, 1, 2]
/// >>> graph.set_weights([1], [2], [50])
/// 1
/// >>> graph.find_path(0, 2).cost
/// 9.0
#[pyclass(frozen, module = "highroad")]
pub(crate) struct Graph {
    kept: Kept<EngineGraph>,
    unit: f64,
}

/// A path through a graph.
#[pyclass(frozen, module = "highroad")]
pub(crate) struct GraphPath {
    nodes: Vec<i64>,
    /// What it costs.
    #[pyo3(get)]
    cost: f64,
}

#[pymethods]
impl GraphPath {
    /// Its nodes, from the start to the goal.
    #[getter]
    fn nodes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_slice(py, &self.nodes)
    }

    fn __len__(&self) -> usize {
        self.nodes.len()
    }

    fn __repr__(&self) -> String {
        let (from, to) = (self.nodes[0], self.nodes[self.nodes.len() - 1]);
        format!("<GraphPath {from} to {to}: {} edges, cost {:?}>", self.nodes.len() - 1, self.cost)
    }
}

type EdgeArrays<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Reads a list of nodes.
fn nodes(what: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<NodeId>> {
    let column = given.py().import("numpy")?.call_method1("asarray", (given,))?;
    let column = column.call_method1("reshape", (-1, 1))?;
    let array = integers(what, &column, 1)?;
    // What is no number of a node becomes one that no graph has.
    Ok(array
        .as_array()
        .iter()
        .map(|&node| NodeId(u32::try_from(node).unwrap_or(u32::MAX)))
        .collect())
}

fn floats<'py>(what: &str, given: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray1<'py, f64>> {
    let array = given.py().import("numpy")?.call_method1("asarray", (given, "float64"))?;
    array.extract().map_err(|_| refuse(format!("{what}: a list of numbers is needed")))
}

/// The unit of some weights.
fn usual_unit(weights: &[f64]) -> f64 {
    let most = weights.iter().fold(0.0_f64, |most, weight| most.max(weight.abs()));
    if most <= f64::from(i32::MAX) && weights.iter().all(|weight| weight.fract() == 0.0) {
        return 1.0;
    }
    let mut unit = 1.0;
    while most / unit > WEIGHT_MAX {
        unit *= 2.0;
    }
    while unit > f64::MIN_POSITIVE && most / (unit / 2.0) <= WEIGHT_MAX {
        unit /= 2.0;
    }
    unit
}

fn edges(
    (sources, targets, weights): &EdgeArrays<'_>,
    unit: impl FnOnce(&[f64]) -> f64,
) -> PyResult<(Vec<Edge>, f64)> {
    let (sources, targets) = (nodes("sources", sources)?, nodes("targets", targets)?);
    let weights = floats("weights", weights)?;
    let weights: Vec<f64> = weights.as_array().iter().copied().collect();
    if sources.len() != targets.len() || sources.len() != weights.len() {
        return Err(refuse(format!(
            "{} sources, {} targets and {} weights: each edge needs one of all",
            sources.len(),
            targets.len(),
            weights.len()
        )));
    }
    if let Some(number) = weights.iter().position(|weight| !weight.is_finite()) {
        return Err(refuse(format!(
            "edge {number}: a weight of {}: it must be finite",
            weights[number]
        )));
    }
    let unit = unit(&weights);
    let edge = |number: usize| {
        let units = (weights[number] / unit).round();
        if units.abs() > f64::from(i32::MAX) {
            let weight = weights[number];
            return Err(refuse(format!(
                "edge {number}: a weight of {weight} is more than {} units of {unit}",
                i32::MAX
            )));
        }
        Ok(Edge { from: sources[number], to: targets[number], weight: units as i32 })
    };
    Ok(((0..weights.len()).map(edge).collect::<PyResult<_>>()?, unit))
}

fn query_error(error: QueryError<GraphRefusal>) -> PyErr {
    refuse(error)
}

fn cycle_error(cycle: &NegativeCycle, unit: f64) -> PyErr {
    let nodes: Vec<u32> = cycle.nodes.iter().map(|node| node.0).collect();
    let cost = cycle.cost as f64 * unit;
    NegativeCycleError::new_err((format!("the cycle {nodes:?} costs {cost:?}"), nodes))
}

impl Graph {
    fn view(&self, py: Python<'_>) -> Snapshot<EngineGraph> {
        self.kept.view(py)
    }

    fn price(&self, cost: Cost) -> f64 {
        cost.0 as f64 * self.unit
    }

    fn path(&self, path: &highroad::Path<NodeId>) -> GraphPath {
        let nodes = path.nodes().iter().map(|node| i64::from(node.0)).collect();
        GraphPath { nodes, cost: self.price(path.cost()) }
    }

    fn apply(&self, py: Python<'_>, batch: &GraphBatch) -> PyResult<u64> {
        self.kept.apply(py, batch).map_err(refuse)
    }

    fn built(graph: EngineGraph, specs: Vec<Spec>, unit: f64, py: Python<'_>) -> PyResult<Self> {
        if specs.is_empty() {
            // Not checked, since weights may be negative where no planner is asked.
            return Ok(Self { kept: Kept::new(PathWorld::on(graph), false), unit });
        }
        Ok(Self { kept: Kept::built(py, graph, specs)?, unit })
    }

    fn check(&self, graph: &EngineGraph, what: &str, nodes: &[NodeId]) -> PyResult<()> {
        for (row, &node) in nodes.iter().enumerate() {
            graph
                .check_place(node)
                .map_err(|reason| refuse(format!("{what}, row {row}: {reason}")))?;
        }
        Ok(())
    }
}

#[pymethods]
impl Graph {
    #[new]
    #[pyo3(signature = (sources, targets, weights, *, nodes=None, positions=None, planner=None, unit=None))]
    #[allow(clippy::too_many_arguments)]
    fn new<'py>(
        py: Python<'py>,
        sources: Bound<'py, PyAny>,
        targets: Bound<'py, PyAny>,
        weights: Bound<'py, PyAny>,
        nodes: Option<usize>,
        positions: Option<&Bound<'py, PyAny>>,
        planner: Option<&Bound<'py, PyAny>>,
        unit: Option<f64>,
    ) -> PyResult<Self> {
        if let Some(unit) = unit.filter(|unit| !(unit.is_finite() && *unit > 0.0)) {
            return Err(refuse(format!("unit {unit}: it must be finite and above 0")));
        }
        let usual = |weights: &[f64]| unit.unwrap_or_else(|| usual_unit(weights));
        let (edges, unit) = edges(&(sources, targets, weights), usual)?;
        let last = edges.iter().map(|edge| edge.from.0.max(edge.to.0)).max();
        let count = nodes.unwrap_or_else(|| last.map_or(0, |last| last as usize + 1));
        let mut graph = EngineGraph::from_edges(count, &edges).map_err(refuse)?;
        if let Some(positions) = positions {
            let array = py.import("numpy")?.call_method1("asarray", (positions, "float64"))?;
            let array: numpy::PyReadonlyArray2<'_, f64> = array.extract()?;
            if array.shape()[1] != 2 {
                return Err(refuse(format!(
                    "positions: an array of shape (N, 2) is needed, this one is {:?}",
                    array.shape()
                )));
            }
            let array = array.as_array();
            let positions = array.rows().into_iter().map(|row| [row[0], row[1], 0.0]);
            graph = graph.with_positions(positions.collect()).map_err(refuse)?;
        }
        Self::built(graph, read_specs(planner)?, unit, py)
    }

    /// How many nodes it has.
    #[getter]
    fn node_count(&self, py: Python<'_>) -> usize {
        self.view(py).node_count()
    }

    /// How many edges it has.
    #[getter]
    fn edge_count(&self, py: Python<'_>) -> usize {
        self.view(py).edge_count()
    }

    /// What one unit of a weight is.
    #[getter]
    fn unit(&self) -> f64 {
        self.unit
    }

    /// How often it has been changed.
    #[getter]
    fn revision(&self, py: Python<'_>) -> u64 {
        self.view(py).revision().0
    }

    /// Its edges: sources, targets and weights.
    #[allow(clippy::type_complexity)]
    fn edges<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>) {
        let view = self.view(py);
        let edges = || view.edges();
        (
            PyArray1::from_iter(py, edges().map(|edge| i64::from(edge.from.0))),
            PyArray1::from_iter(py, edges().map(|edge| i64::from(edge.to.0))),
            PyArray1::from_iter(py, edges().map(|edge| f64::from(edge.weight) * self.unit)),
        )
    }

    /// A path, as good as the planner promises; ``None`` if there is none. Fails for a node that does not exist, and where
    /// a weight is negative.
    fn find_path(&self, py: Python<'_>, start: u32, goal: u32) -> PyResult<Option<GraphPath>> {
        let view = self.view(py);
        let query = PathQuery::new(NodeId(start), NodeId(goal));
        let answer = self.kept.answer(py, &view, KindId::DEFAULT, &query)?;
        Ok(answer.map_err(query_error)?.path().map(|path| self.path(&path)))
    }

    /// Many paths on all cores: ``queries`` is an array of N × 2, of starts and goals. A query of a node that does not exist is
    /// an error that names its row; with ``on_error="mask"`` it is marked in ``failed`` instead.
    ///
    /// >>> import highroad
    /// >>> paths = highroad.Graph([0, 1], [1, 2], [4, 4]).find_paths([[0, 2], [2, 0]])
    /// >>> paths.costs.tolist(), paths[0].tolist()
    /// ([8.0, inf], [0, 1, 2])
    #[pyo3(signature = (queries, *, on_error="raise"))]
    fn find_paths(
        &self,
        py: Python<'_>,
        queries: &Bound<'_, PyAny>,
        on_error: &str,
    ) -> PyResult<Paths> {
        let raises = read_on_error(on_error)?;
        let array = integers("queries", queries, 2)?;
        let node = |number: i64| NodeId(u32::try_from(number).unwrap_or(u32::MAX));
        let ends = |row: numpy::ndarray::ArrayView1<'_, i64>| (node(row[0]), node(row[1]));
        let ends: Vec<_> = array.as_array().rows().into_iter().map(ends).collect();
        let view = self.view(py);
        if raises {
            check_all(py, &*view, &ends, ToString::to_string)?;
        }
        find_all(py, &view, KindId::DEFAULT, &ends, |cost| self.price(cost))
    }

    /// What it costs to go from the nearest of some starts to every node, or from every node to the nearest of them with
    /// ``towards=True``: an array of as many numbers as there are nodes, ``inf`` where no path leads.
    #[pyo3(signature = (starts, *, towards=false))]
    fn distance_field<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        towards: bool,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (view, starts) = (self.view(py), nodes("starts", starts)?);
        let graph: &EngineGraph = &view;
        let field = in_slices(py, |lookout| {
            let mut field = match towards {
                true => GraphField::towards(graph, &starts),
                false => GraphField::away_from(graph, &starts, u64::MAX),
            }?;
            while lookout.goes_on() && field.advance(SLICE) {}
            Ok(field)
        })?;
        let field = field.map_err(query_error)?;
        let nodes = (0..graph.node_count() as u32).map(NodeId);
        let cost = |node| field.cost(node).map_or(f64::INFINITY, |cost| self.price(cost));
        Ok(PyArray1::from_vec(py, nodes.map(cost).collect()))
    }

    /// What the cheapest paths from each of some starts to each of some goals cost: an array of as many rows as there are
    /// starts, on all cores. Exact. ``inf`` where no path leads.
    fn distance_table<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        goals: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (starts, goals) = (nodes("starts", starts)?, nodes("goals", goals)?);
        let view = self.view(py);
        self.check(&view, "starts", &starts)?;
        self.check(&view, "goals", &goals)?;
        tables::check_size(starts.len(), goals.len())?;
        let price = |cost| self.price(cost);
        let table =
            watched(py, |watch| tables::table_of_any(&*view, &starts, &goals, price, watch))?;
        let table = table.expect("what stops it is an error").map_err(query_error)?;
        PyArray1::from_vec(py, table).reshape([starts.len(), goals.len()])
    }

    /// For every node the nearest of some facilities: what the way there costs, which one it is, and the next node on the way
    /// (or the one before, with ``towards=False``, where ways lead from the facilities). Three arrays: ``inf`` and -1 where no
    /// way leads; the next node of a facility is -1.
    ///
    /// >>> import highroad
    /// >>> costs, nearest, nodes = highroad.Graph([0, 1, 0], [1, 2, 3], [5, 1, 4]).nearest_facilities([2, 3])
    /// >>> costs.tolist(), nearest.tolist(), nodes.tolist()
    /// ([4.0, 1.0, 0.0, 0.0], [3, 2, 2, 3], [3, 2, -1, -1])
    #[pyo3(signature = (facilities, *, towards=true))]
    fn nearest_facilities<'py>(
        &self,
        py: Python<'py>,
        facilities: &Bound<'py, PyAny>,
        towards: bool,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>)>
    {
        let (view, facilities) = (self.view(py), nodes("facilities", facilities)?);
        let field = py.detach(|| match towards {
            true => FacilityField::towards(&view, &facilities),
            false => FacilityField::away_from(&view, &facilities),
        });
        let field = field.map_err(query_error)?;
        let all = || (0..view.node_count() as u32).map(NodeId);
        let number = |node: Option<NodeId>| node.map_or(-1, |node| i64::from(node.0));
        let cost = |node| field.cost(node).map_or(f64::INFINITY, |cost| self.price(Cost(cost)));
        Ok((
            PyArray1::from_iter(py, all().map(cost)),
            PyArray1::from_iter(py, all().map(|node| number(field.facility(node)))),
            PyArray1::from_iter(py, all().map(|node| number(field.next(node)))),
        ))
    }

    /// A cheapest path, and up to ``count - 1`` others that are reasonably different from it and from each other: at most
    /// ``shared`` of the nodes of one are those of another, and it costs at most ``costlier`` more.
    #[pyo3(signature = (start, goal, *, count=3, shared=0.5, costlier=0.4))]
    fn find_alternatives(
        &self,
        py: Python<'_>,
        start: u32,
        goal: u32,
        count: u32,
        shared: f64,
        costlier: f64,
    ) -> PyResult<Vec<GraphPath>> {
        let options = AlternativeOptions::default()
            .with_count(count)
            .with_shared_percent_max(percent("shared", shared)?)
            .with_costlier_percent_max(percent("costlier", costlier)?);
        let view = self.view(py);
        let found = py.detach(|| view.find_alternatives(NodeId(start), NodeId(goal), &options));
        Ok(found.map_err(query_error)?.iter().map(|path| self.path(path)).collect())
    }

    /// Divides the nodes into connected regions of about ``size`` nodes each, with few edges between them: an array with the
    /// number of the region of each node.
    fn partition<'py>(&self, py: Python<'py>, size: usize) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let view = self.view(py);
        let found = watched(py, |watch| {
            let mut report = |done, of| watch.report(done, of);
            Partition::compute_watched(&view, size, &mut Watch::new(&mut report))
        })?;
        let regions = found.map_err(refuse)?;
        Ok(PyArray1::from_iter(py, regions.regions().iter().map(|&region| i64::from(region))))
    }

    /// The nodes of a cycle that costs less than nothing, and what it costs; ``None`` if there is none.
    ///
    /// >>> import highroad
    /// >>> highroad.Graph([0, 1], [1, 0], [1, -3]).negative_cycle()[1]
    /// -2.0
    fn negative_cycle<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Option<(Bound<'py, PyArray1<i64>>, f64)>> {
        let view = self.view(py);
        let found = watched(py, |watch| {
            let mut report = |done, of| watch.report(done, of);
            negative_cycle_watched(&view, &mut Watch::new(&mut report))
        })?;
        let cycle = found.map_err(refuse)?;
        Ok(cycle.map(|cycle| {
            let nodes = cycle.nodes.iter().map(|node| i64::from(node.0));
            (PyArray1::from_iter(py, nodes), cycle.cost as f64 * self.unit)
        }))
    }

    /// Its planners with what each promises, the preferred one first. An exact search answers where there is none.
    fn planners(&self, py: Python<'_>) -> Vec<(String, String)> {
        self.kept.planners(py, KindId::DEFAULT)
    }

    /// What it costs to go from the nearest of some starts to every node, where weights may be negative: an array, ``inf``
    /// where no path leads. Raises ``NegativeCycleError`` if a cycle that can be reached costs less than nothing.
    fn bellman_ford<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (view, starts) = (self.view(py), nodes("starts", starts)?);
        let found = watched(py, |watch| {
            let mut report = |done, of| watch.report(done, of);
            bellman_ford_watched(&view, &starts, &mut Watch::new(&mut report))
        })?;
        match found.map_err(refuse)?.expect("what stops it is an error") {
            BellmanFord::Cycle(cycle) => Err(cycle_error(&cycle, self.unit)),
            BellmanFord::Paths(paths) => {
                let nodes = (0..view.node_count() as u32).map(NodeId);
                let cost =
                    |node| paths.cost(node).map_or(f64::INFINITY, |cost| cost as f64 * self.unit);
                Ok(PyArray1::from_vec(py, nodes.map(cost).collect()))
            }
        }
    }

    /// What the cheapest path between any two nodes costs, where weights may be negative: a square array, ``inf`` where no
    /// path leads. ``method`` is ``"floyd-warshall"``, ``"dijkstra"``, or ``"auto"`` for the one that should take less time.
    #[pyo3(signature = (*, method="auto"))]
    fn all_pairs<'py>(&self, py: Python<'py>, method: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let view = self.view(py);
        let methods = [AllPairsMethod::FloydWarshall, AllPairsMethod::RepeatedDijkstra];
        let method = match methods.into_iter().find(|known| known.name() == method) {
            Some(method) => method,
            None if method == "auto" => AllPairsMethod::for_graph(&view),
            None => {
                return Err(refuse(format!(
                    "method cannot be '{method}'; it can be 'auto', 'floyd-warshall' or 'dijkstra'"
                )));
            }
        };
        let found = watched(py, |watch| {
            let mut report = |done, of| watch.report(done, of);
            AllPairs::find_watched(&view, method, &mut Watch::new(&mut report))
        })?;
        let all = found.map_err(|error| match error {
            AllPairsError::NegativeCycle(cycle) => cycle_error(&cycle, self.unit),
            other => refuse(other),
        })?;
        let nodes = || (0..view.node_count() as u32).map(NodeId);
        let cost =
            |from, to| all.cost(from, to).map_or(f64::INFINITY, |cost| cost as f64 * self.unit);
        let flat = nodes().flat_map(|from| nodes().map(move |to| (from, to)));
        pairs(py, flat.map(|(from, to)| cost(from, to)).collect(), view.node_count())
    }

    /// Gives edges that are there other weights, all in one edit. Returns the revision that this leads to.
    fn set_weights<'py>(
        &self,
        py: Python<'py>,
        sources: Bound<'py, PyAny>,
        targets: Bound<'py, PyAny>,
        weights: Bound<'py, PyAny>,
    ) -> PyResult<u64> {
        let (edges, _) = edges(&(sources, targets, weights), |_| self.unit)?;
        let mut batch = GraphBatch::new();
        edges.iter().for_each(|edge| _ = batch.set_weight(edge.from, edge.to, edge.weight));
        self.apply(py, &batch)
    }

    /// Adds edges between nodes that are there, in one edit. Returns the revision that this leads to.
    fn add_edges<'py>(
        &self,
        py: Python<'py>,
        sources: Bound<'py, PyAny>,
        targets: Bound<'py, PyAny>,
        weights: Bound<'py, PyAny>,
    ) -> PyResult<u64> {
        let (edges, _) = edges(&(sources, targets, weights), |_| self.unit)?;
        let mut batch = GraphBatch::new();
        edges.iter().for_each(|edge| _ = batch.add_edge(edge.from, edge.to, edge.weight));
        self.apply(py, &batch)
    }

    /// Removes edges, in one edit. Returns the revision that this leads to.
    fn remove_edges(
        &self,
        py: Python<'_>,
        sources: &Bound<'_, PyAny>,
        targets: &Bound<'_, PyAny>,
    ) -> PyResult<u64> {
        let (sources, targets) = (nodes("sources", sources)?, nodes("targets", targets)?);
        if sources.len() != targets.len() {
            let (sources, targets) = (sources.len(), targets.len());
            return Err(refuse(format!(
                "{sources} sources and {targets} targets: each edge needs one of both"
            )));
        }
        let mut batch = GraphBatch::new();
        sources.iter().zip(&targets).for_each(|(&from, &to)| _ = batch.remove_edge(from, to));
        self.apply(py, &batch)
    }

    /// Takes back the latest edit; ``None`` if there is nothing to take back.
    fn undo(&self, py: Python<'_>) -> Option<u64> {
        self.kept.undo(py)
    }

    /// Makes the edit again that was taken back last; ``None`` if there is none.
    fn redo(&self, py: Python<'_>) -> Option<u64> {
        self.kept.redo(py)
    }

    /// Waits until every planner knows the graph as it is. Not needed for right answers: until then, others answer.
    fn finish_rebuilds(&self, py: Python<'_>) {
        self.kept.finish_rebuilds(py);
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let view = self.view(py);
        format!("<Graph of {} nodes and {} edges>", view.node_count(), view.edge_count())
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>, f64))> {
        let this = slf.get();
        Ok((slf.get_type().getattr("_restore")?, (this.kept.save(slf.py()), this.unit)))
    }

    #[staticmethod]
    fn _restore(py: Python<'_>, bytes: &Bound<'_, PyBytes>, unit: f64) -> PyResult<Self> {
        Ok(Self { kept: Kept::load(py, bytes, false)?, unit })
    }
}

impl Flat for EngineGraph {
    type Number = i64;
    const KIND: PlaceKind = PlaceKind::Nodes;

    fn push(numbers: &mut Vec<i64>, places: &[NodeId]) {
        numbers.extend(places.iter().map(|node| i64::from(node.0)));
    }
}

/// Nodes that a field settles between two looks for signals.
const SLICE: u64 = 16_384;
