//! Paths, one and many.

use crate::cells::{pairs, push_cells, row_column};
use crate::placement::Placement;
use highroad::environment::Revision;
use highroad::{Cell, Cost};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyIndexError;
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
            return Err(crate::refuse("a path has at least one cell"));
        }
        let cells = cells.into_iter().map(|(row, column)| Cell::new(column, row)).collect();
        let path = highroad::Path::vouched(cells, Cost(engine_cost), Revision(revision));
        let placement = Placement::new(origin, cell_size, y_up, rows)?;
        Ok(Self::new(path, cost, placement, rows, complete))
    }
}

/// Many paths in flat arrays. ``paths[i]`` are the cells of the path of query ``i``; it is empty where there is none.
///
/// >>> import highroad
/// >>> paths = highroad.Grid("..#.\n").find_paths([[0, 0, 0, 1], [0, 0, 0, 3]])
/// >>> paths.costs.tolist(), paths.offsets.tolist(), paths[0].tolist()
/// ([1.0, inf], [0, 2, 2], [[0, 0], [0, 1]])
#[pyclass(frozen, module = "highroad")]
pub(crate) struct Paths {
    /// The rows and columns of all paths, one path after the other: an array of M × 2.
    #[pyo3(get)]
    cells: Py<PyArray2<i32>>,
    /// Where the path of each query begins in ``cells``, and after the last where it ends: N + 1 numbers.
    #[pyo3(get)]
    offsets: Py<PyArray1<i64>>,
    /// What the path of each query costs: ``inf`` where there is none.
    #[pyo3(get)]
    costs: Py<PyArray1<f64>>,
    /// Which queries make no sense, because an end lies outside the map or is blocked.
    #[pyo3(get)]
    failed: Py<PyArray1<bool>>,
}

#[pymethods]
impl Paths {
    /// Puts arrays together that are those of ``Paths``.
    #[new]
    fn of_arrays(
        cells: PyReadonlyArray2<'_, i32>,
        offsets: Py<PyArray1<i64>>,
        costs: Py<PyArray1<f64>>,
        failed: Py<PyArray1<bool>>,
    ) -> Self {
        let cells: &Bound<'_, PyArray2<i32>> = &cells;
        Self { cells: cells.clone().unbind(), offsets, costs, failed }
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.costs.bind(py).len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, number: isize) -> PyResult<Bound<'py, PyAny>> {
        let count = self.__len__(py)? as isize;
        let at = if number < 0 { number + count } else { number };
        if !(0..count).contains(&at) {
            return Err(PyIndexError::new_err(format!("there is no path {number} among {count}")));
        }
        let offsets = self.offsets.bind(py).readonly();
        let (begin, end) = (offsets.as_array()[at as usize], offsets.as_array()[at as usize + 1]);
        self.cells.bind(py).get_item(PySlice::new(py, begin as isize, end as isize, 1))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Paths of {} queries>", self.__len__(py)?))
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> (
        Bound<'py, PyType>,
        (Py<PyArray2<i32>>, Py<PyArray1<i64>>, Py<PyArray1<f64>>, Py<PyArray1<bool>>),
    ) {
        let (py, this) = (slf.py(), slf.get());
        let parts = (
            this.cells.clone_ref(py),
            this.offsets.clone_ref(py),
            this.costs.clone_ref(py),
            this.failed.clone_ref(py),
        );
        (slf.get_type(), parts)
    }
}

/// What a batch has found, before it becomes arrays.
#[derive(Default)]
pub(crate) struct FoundPaths {
    pub(crate) cells: Vec<i32>,
    /// Where each path ends, in numbers.
    pub(crate) ends: Vec<usize>,
    pub(crate) costs: Vec<f64>,
    pub(crate) failed: Vec<bool>,
}

impl FoundPaths {
    pub(crate) fn push(&mut self, cells: &[Cell], cost: f64, failed: bool) {
        push_cells(&mut self.cells, cells);
        self.ends.push(self.cells.len());
        self.costs.push(cost);
        self.failed.push(failed);
    }

    /// All blocks as one, in their order.
    pub(crate) fn joined(blocks: Vec<Self>) -> Self {
        let mut blocks = blocks.into_iter();
        let mut all = blocks.next().unwrap_or_default();
        for block in blocks {
            let base = all.cells.len();
            all.cells.extend_from_slice(&block.cells);
            all.ends.extend(block.ends.iter().map(|end| base + end));
            all.costs.extend(block.costs);
            all.failed.extend(block.failed);
        }
        all
    }

    pub(crate) fn into_arrays(self, py: Python<'_>) -> PyResult<Paths> {
        let offsets: Vec<i64> =
            std::iter::once(0).chain(self.ends.iter().map(|&end| end as i64 / 2)).collect();
        Ok(Paths {
            cells: pairs(py, self.cells, 2)?.unbind(),
            offsets: PyArray1::from_vec(py, offsets).unbind(),
            costs: PyArray1::from_vec(py, self.costs).unbind(),
            failed: PyArray1::from_vec(py, self.failed).unbind(),
        })
    }
}
