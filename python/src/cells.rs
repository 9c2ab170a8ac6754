//! Rows and columns, and arrays of them. The engine's cells are (column, row).

use crate::batch::Flat;
use crate::path::PlaceKind;
use crate::refuse;
use highroad::Cell;
use highroad::grid::{CellRefusal, EditError, Grid, LinkProblem};
use highroad::planner::QueryError;
use numpy::{
    PyArray2, PyArrayDescrMethods, PyArrayMethods, PyReadonlyArray2, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A (row, column) as Python gives it.
pub(crate) type RowColumn = (i64, i64);

/// The cell of a row and a column. What lies outside every map becomes a cell that lies outside every map as well, so that
/// the engine refuses it.
pub(crate) fn cell((row, column): RowColumn) -> Cell {
    let place = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
    Cell::new(place(column), place(row))
}

pub(crate) fn row_column(cell: Cell) -> (u32, u32) {
    (cell.y, cell.x)
}

impl Flat for Grid {
    type Number = i32;
    const KIND: PlaceKind = PlaceKind::Cells;

    fn push(numbers: &mut Vec<i32>, places: &[Cell]) {
        push_cells(numbers, places);
    }
}

/// Flat rows and columns of cells.
pub(crate) fn push_cells(flat: &mut Vec<i32>, cells: &[Cell]) {
    // Sides are at most 16,384.
    flat.extend(cells.iter().flat_map(|cell| [cell.y as i32, cell.x as i32]));
}

/// An array of N × 2 from flat numbers.
pub(crate) fn pairs<T: numpy::Element>(
    py: Python<'_>,
    flat: Vec<T>,
    columns: usize,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let rows = flat.len() / columns.max(1);
    numpy::PyArray1::from_vec(py, flat).reshape([rows, columns])
}

/// Reads whole numbers as N × `columns`, whatever their type. Without copying where it is int64 already.
pub(crate) fn integers<'py>(
    what: &str,
    given: &Bound<'py, PyAny>,
    columns: usize,
) -> PyResult<PyReadonlyArray2<'py, i64>> {
    let py = given.py();
    let array = py.import("numpy")?.call_method1("asarray", (given,))?;
    let untyped = array.cast::<PyUntypedArray>()?;
    let shape = untyped.shape();
    let empty = untyped.len() == 0 && shape.len() == 1;
    if !empty && (shape.len() != 2 || shape[1] != columns) {
        return Err(refuse(format!(
            "{what}: an array of shape (N, {columns}) is needed, this one is {shape:?}"
        )));
    }
    let kind = untyped.dtype().kind();
    if !empty && !matches!(kind, b'i' | b'u') {
        return Err(PyTypeError::new_err(format!(
            "{what}: whole numbers are needed, this array is of type {}",
            untyped.dtype()
        )));
    }
    let array = py.import("numpy")?.call_method1("asarray", (array, "int64"))?;
    let array = if empty { array.call_method1("reshape", ((0, columns),))? } else { array };
    array.extract::<PyReadonlyArray2<'py, i64>>()
}

/// One cell or an array of them, N × 2.
pub(crate) fn cells(what: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<Cell>> {
    if let Ok(tuple) = given.cast::<PyTuple>()
        && let Ok(one) = tuple.extract::<RowColumn>()
    {
        return Ok(vec![cell(one)]);
    }
    let array = integers(what, given, 2)?;
    Ok(array.as_array().rows().into_iter().map(|row| cell((row[0], row[1]))).collect())
}

/// Starts and goals of an N × 4 array: start row, start column, goal row, goal column.
pub(crate) fn ends(given: &Bound<'_, PyAny>) -> PyResult<Vec<(Cell, Cell)>> {
    let array = integers("queries", given, 4)?;
    let ends =
        |row: numpy::ndarray::ArrayView1<'_, i64>| (cell((row[0], row[1])), cell((row[2], row[3])));
    Ok(array.as_array().rows().into_iter().map(ends).collect())
}

/// What the engine refuses, in rows and columns.
pub(crate) fn query_error(error: QueryError) -> PyErr {
    refuse(explain(&error))
}

/// Row and column as they were given: a number that no map has is not known any more.
pub(crate) fn shown(cell: Cell) -> String {
    match (cell.y, cell.x) {
        (u32::MAX, _) | (_, u32::MAX) => "with a negative or far too large number".to_owned(),
        (row, column) => format!("at row {row}, column {column}"),
    }
}

pub(crate) fn explain(error: &QueryError) -> String {
    match *error {
        QueryError::Refused { end, reason } => format!("the {end} {}", explain_refusal(reason)),
        QueryError::Unsuitable(reason) => explain_refusal(reason),
        ref other => other.to_string(),
    }
}

fn explain_refusal(reason: CellRefusal) -> String {
    match reason {
        CellRefusal::Outside { cell, extent } => format!(
            "{} lies outside the map of {} rows and {} columns",
            shown(cell),
            extent.height(),
            extent.width()
        ),
        CellRefusal::Blocked { cell, .. } => format!("{} is blocked", shown(cell)),
        CellRefusal::Obstacle { cell } => format!("{} is an obstacle of this query", shown(cell)),
        CellRefusal::NoRoom { cell, size, blocked } => format!(
            "{} has no room for an agent of {size} × {size} cells: the cell {} is in the way",
            shown(cell),
            shown(blocked)
        ),
        other => other.to_string(),
    }
}

pub(crate) fn edit_error(error: EditError) -> PyErr {
    match error {
        EditError::Outside { cell, extent } => refuse(format!(
            "the cell {} lies outside the map of {} rows and {} columns; nothing was changed",
            shown(cell),
            extent.height(),
            extent.width()
        )),
        EditError::NoBorder { from, to } => refuse(format!(
            "there is no border between the cells {} and {}: they are not side by side; nothing was changed",
            shown(from),
            shown(to)
        )),
        EditError::Link { link, problem } => refuse(format!(
            "the link from the cell {} to the cell {}: {}; nothing was changed",
            shown(link.from),
            shown(link.to),
            explain_link(problem)
        )),
        other => refuse(other),
    }
}

pub(crate) fn explain_link(problem: LinkProblem) -> String {
    match problem {
        LinkProblem::Outside { cell } => format!("the cell {} lies outside the map", shown(cell)),
        LinkProblem::Blocked { cell } => {
            format!("no agent that it is for can stand on the cell {}", shown(cell))
        }
        other => other.to_string(),
    }
}
