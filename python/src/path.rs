//! Paths, one and many.

use crate::cells::{pairs, push_cells, row_column};
use crate::placement::Placement;
use crate::refuse;
use highroad::environment::Revision;
use highroad::{Cell, Cost};
use numpy::{
    PyArray1, PyArray2, PyArrayDescr, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyAttributeError, PyIndexError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PySlice, PyType};

/// A path: its cells, its cost, and where it lies in the plane.
///
/// ``numpy.asarray(path)`` and ``path.cells`` are its rows and columns.
///
/// >>> import highroad
/// >>> path = highroad.Grid("....\n.##.\n....\n").find_path((0, 0), (2, 3))
/// >>> path.cost, path.steps, path.start, path.goal
/// (5.0, 5, (0, 0), (2, 3))
/// >>> path.turns.tolist()
/// [[0, 0], [2, 0], [2, 3]]
#[pyclass(frozen, module = "highroad")]
pub(crate) struct Path {
    path: highroad::Path,
    /// Its cost in the units of the array.
    cost: f64,
    placement: Placement,
    rows: u32,
    complete: bool,
    cells: PyOnceLock<Py<PyArray2<i32>>>,
}

impl Path {
    pub(crate) fn new(
        path: highroad::Path,
        cost: f64,
        placement: Placement,
        rows: u32,
        complete: bool,
    ) -> Self {
        Self { path, cost, placement, rows, complete, cells: PyOnceLock::new() }
    }

    pub(crate) fn engine(&self) -> &highroad::Path {
        &self.path
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.complete
    }

    pub(crate) fn places(&self) -> &[Cell] {
        self.path.cells()
    }
}

type Parts = (Vec<(u32, u32)>, u64, u64, f64, ((f64, f64), f64, bool), u32, bool);

#[pymethods]
impl Path {
    /// Every cell with its row and its column, from the start to the goal: an array of N × 2, which cannot be written to.
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let cells = self.cells.get_or_try_init(py, || {
            let mut flat = Vec::with_capacity(2 * self.places().len());
            push_cells(&mut flat, self.places());
            let array = pairs(py, flat, 2)?;
            array.call_method1("setflags", (false,))?;
            PyResult::Ok(array.unbind())
        })?;
        Ok(cells.bind(py).clone())
    }

    /// What it costs: a straight step costs the mean of its two cells, a diagonal one √2 times as much.
    #[getter]
    fn cost(&self) -> f64 {
        self.cost
    }

    /// Its length in cells: straight steps of 1 and diagonal steps of √2, whatever cells cost.
    #[getter]
    fn length(&self) -> f64 {
        self.path.length()
    }

    /// How many steps it has.
    #[getter]
    fn steps(&self) -> usize {
        self.path.steps()
    }

    /// The row and the column where it starts.
    #[getter]
    fn start(&self) -> (u32, u32) {
        row_column(self.path.start())
    }

    /// The row and the column where it ends.
    #[getter]
    fn goal(&self) -> (u32, u32) {
        row_column(self.path.goal())
    }

    /// Whether it leads to a goal. ``False`` only for ``goal_rule="nearest"``, where no path does.
    #[getter]
    fn complete(&self) -> bool {
        self.complete
    }

    /// The revision of the map that it was found on.
    #[getter]
    fn revision(&self) -> u64 {
        self.path.revision().0
    }

    /// The cells where it changes direction, with its start and its goal: an array of N × 2.
    #[getter]
    fn turns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let turns: Vec<Cell> = self.path.turning_points().collect();
        let mut flat = Vec::with_capacity(2 * turns.len());
        push_cells(&mut flat, &turns);
        pairs(py, flat, 2)
    }

    /// The middles of its cells as positions (x, y), by the ``origin`` and the ``cell_size`` of the map: an array of N × 2.
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let middles = self.places().iter().flat_map(|&cell| self.placement.middle(cell));
        pairs(py, middles.collect(), 2)
    }

    fn __len__(&self) -> usize {
        self.places().len()
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let cells = self.cells(py)?.into_any();
        match (dtype, copy) {
            (Some(dtype), _) => cells.call_method1("astype", (dtype,)),
            (None, Some(true)) => cells.call_method0("copy"),
            (None, _) => Ok(cells),
        }
    }

    fn __repr__(&self) -> String {
        let ((from_row, from_column), (to_row, to_column)) = (self.start(), self.goal());
        let (steps, cost) = (self.steps(), self.cost);
        format!(
            "<Path ({from_row}, {from_column}) to ({to_row}, {to_column}): {steps} steps, cost {cost:?}>"
        )
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.places() == other.places() && self.path.cost() == other.path.cost()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Parts,))> {
        let this = slf.get();
        let cells = this.places().iter().copied().map(row_column).collect();
        let revision = this.path.revision().0;
        let (cost, placement) = (this.path.cost().0, this.placement.parts());
        let parts = (cells, cost, revision, this.cost, placement, this.rows, this.complete);
        Ok((slf.get_type().getattr("_restore")?, (parts,)))
    }

    #[staticmethod]
    fn _restore(parts: Parts) -> PyResult<Self> {
        let (cells, engine_cost, revision, cost, (origin, cell_size, y_up), rows, complete) = parts;
        if cells.is_empty() {
            return Err(refuse("a path has at least one cell"));
        }
        let cells = cells.into_iter().map(|(row, column)| Cell::new(column, row)).collect();
        let path = highroad::Path::vouched(cells, Cost(engine_cost), Revision(revision));
        let placement = Placement::new(origin, cell_size, y_up, rows)?;
        Ok(Self::new(path, cost, placement, rows, complete))
    }
}

/// What a path goes over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PlaceKind {
    Cells,
    Nodes,
    Points,
}

impl PlaceKind {
    /// How many numbers a place is.
    pub(crate) const fn width(self) -> usize {
        match self {
            Self::Cells | Self::Points => 2,
            Self::Nodes => 1,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Cells => "cells",
            Self::Nodes => "nodes",
            Self::Points => "points",
        }
    }

    /// Of an array of such places.
    fn of(places: &Bound<'_, PyAny>) -> PyResult<Self> {
        let array = places.cast::<PyUntypedArray>()?;
        let (shape, py) = (array.shape(), places.py());
        let has_type = |dtype: Bound<'_, PyArrayDescr>| array.dtype().is_equiv_to(&dtype);
        match *shape {
            [_] if has_type(numpy::dtype::<i64>(py)) => Ok(Self::Nodes),
            [_, 2] if has_type(numpy::dtype::<i32>(py)) => Ok(Self::Cells),
            [_, 2] if has_type(numpy::dtype::<f64>(py)) => Ok(Self::Points),
            _ => Err(refuse(format!(
                "places: cells (int32, N × 2), nodes (int64) or points (float64, N × 2) are needed, this array is {} of shape {shape:?}",
                array.dtype()
            ))),
        }
    }
}

/// Many paths in flat arrays. ``paths[i]`` are the cells, nodes or points of the path of query ``i``; it is empty where there is
/// none.
///
/// >>> import highroad
/// >>> paths = highroad.Grid("..#.\n").find_paths([[0, 0, 0, 1], [0, 0, 0, 3]])
/// >>> paths.costs.tolist(), paths.offsets.tolist(), paths[0].tolist()
/// ([1.0, inf], [0, 2, 2], [[0, 0], [0, 1]])
#[pyclass(frozen, module = "highroad")]
pub(crate) struct Paths {
    pub(crate) kind: PlaceKind,
    pub(crate) places: Py<PyAny>,
    /// Where the path of each query begins in the cells, nodes or points, and after the last where it ends: N + 1 numbers.
    #[pyo3(get)]
    pub(crate) offsets: Py<PyArray1<i64>>,
    /// What the path of each query costs: ``inf`` where there is none.
    #[pyo3(get)]
    pub(crate) costs: Py<PyArray1<f64>>,
    /// Which queries make no sense, because an end lies outside the map or is blocked.
    #[pyo3(get)]
    pub(crate) failed: Py<PyArray1<bool>>,
}

impl Paths {
    fn places_of(&self, py: Python<'_>, kind: PlaceKind) -> PyResult<Py<PyAny>> {
        if self.kind != kind {
            let (has, wanted) = (self.kind.name(), kind.name());
            return Err(PyAttributeError::new_err(format!("these paths have {has}, not {wanted}")));
        }
        Ok(self.places.clone_ref(py))
    }
}

#[pymethods]
impl Paths {
    /// Puts arrays together that are those of ``Paths``.
    #[new]
    fn of_arrays(
        places: &Bound<'_, PyAny>,
        offsets: Py<PyArray1<i64>>,
        costs: Py<PyArray1<f64>>,
        failed: Py<PyArray1<bool>>,
    ) -> PyResult<Self> {
        let kind = PlaceKind::of(places)?;
        Ok(Self { kind, places: places.clone().unbind(), offsets, costs, failed })
    }

    /// The rows and columns of all paths of a map, one path after the other: an array of M × 2.
    #[getter]
    fn cells(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.places_of(py, PlaceKind::Cells)
    }

    /// The nodes of all paths of a graph, one path after the other.
    #[getter]
    fn nodes(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.places_of(py, PlaceKind::Nodes)
    }

    /// The points (x, y) of all paths of a mesh, one path after the other: an array of M × 2.
    #[getter]
    fn points(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.places_of(py, PlaceKind::Points)
    }

    /// The cells, nodes or points, whichever it has.
    #[getter]
    fn places(&self, py: Python<'_>) -> Py<PyAny> {
        self.places.clone_ref(py)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.costs.bind(py).len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, number: isize) -> PyResult<Bound<'py, PyAny>> {
        let count = self.__len__(py) as isize;
        let at = if number < 0 { number + count } else { number };
        if !(0..count).contains(&at) {
            return Err(PyIndexError::new_err(format!("there is no path {number} among {count}")));
        }
        let offsets = self.offsets.bind(py).readonly();
        let (begin, end) = (offsets.as_array()[at as usize], offsets.as_array()[at as usize + 1]);
        self.places.bind(py).get_item(PySlice::new(py, begin as isize, end as isize, 1))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<Paths of {} queries>", self.__len__(py))
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> (Bound<'py, PyType>, (Py<PyAny>, Py<PyArray1<i64>>, Py<PyArray1<f64>>, Py<PyArray1<bool>>))
    {
        let (py, this) = (slf.py(), slf.get());
        let parts = (
            this.places.clone_ref(py),
            this.offsets.clone_ref(py),
            this.costs.clone_ref(py),
            this.failed.clone_ref(py),
        );
        (slf.get_type(), parts)
    }
}
