//! Edits as Python writes them: what `world[...] = ...` selects, and what it says of the cells.

use crate::costs::Ground;
use crate::movement::terrain;
use crate::refuse;
use highroad::grid::{Batch, CellRect, Extent};
use highroad::{Cell, Terrain};
use numpy::{PyArrayDescrMethods, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PySlice, PyString, PyTuple};

/// What a cell becomes: its terrain, and what it costs on top.
type Paint = (Terrain, u16);

/// A batch of edits as Python writes them.
pub(crate) fn batch_of(
    ground: Ground,
    extent: Extent,
    changes: &[(Bound<'_, PyAny>, Bound<'_, PyAny>)],
) -> PyResult<Batch> {
    let mut batch = Batch::new();
    for (key, value) in changes {
        add_edit(&mut batch, ground, extent, key, value)?;
    }
    Ok(batch)
}

/// Adds one edit to a batch.
fn add_edit(
    batch: &mut Batch,
    ground: Ground,
    extent: Extent,
    key: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
) -> PyResult<()> {
    if let Some(paint) = one_paint(ground, value)? {
        if let Some(selected) = rectangle(key, extent)? {
            if let Some(rect) = selected {
                fill(batch, rect, paint);
            }
            return Ok(());
        }
        let mask = mask_of(key, extent)?;
        runs(&mask, &mask, extent, |rect, _| {
            fill(batch, rect, paint);
            Ok(())
        })
    } else {
        let mask = mask_of(key, extent)?;
        let values = values_of(key, value, extent)?;
        runs(&mask, &values, extent, |rect, cost| {
            let (row, column) = (rect.min().y, rect.min().x);
            let units = ground.units(cost);
            let units = units
                .map_err(|problem| refuse(format!("row {row}, column {column}: {problem}")))?;
            fill(batch, rect, ground.paint(units));
            Ok(())
        })
    }
}

fn fill(batch: &mut Batch, rect: CellRect, (terrain, surcharge): Paint) {
    batch.fill(rect, terrain).surcharge(rect, surcharge);
}

/// What one value makes of all selected cells; `None` for an array of values.
fn one_paint(ground: Ground, value: &Bound<'_, PyAny>) -> PyResult<Option<Paint>> {
    if let Ok(letter) = value.cast::<PyString>() {
        if ground != Ground::Letters {
            return Err(PyTypeError::new_err(
                "letters are for maps that were made of letters: give a cost or a bool",
            ));
        }
        return Ok(Some((terrain(letter.to_str()?)?, 0)));
    }
    if let Ok(open) = value.cast::<PyBool>() {
        return paint_of_cost(ground, if open.is_true() { 1.0 } else { f64::INFINITY }).map(Some);
    }
    let is_array = value.hasattr("ndim")? && value.getattr("ndim")?.extract::<usize>()? > 0;
    if is_array || value.hasattr("__len__")? {
        return Ok(None);
    }
    if value
        .getattr("dtype")
        .is_ok_and(|dtype| dtype.getattr("kind").is_ok_and(|kind| kind.to_string() == "b"))
    {
        return paint_of_cost(ground, if value.is_truthy()? { 1.0 } else { f64::INFINITY })
            .map(Some);
    }
    let cost: f64 = value.extract().map_err(|_| {
        PyTypeError::new_err(
            "a cell becomes a bool, a cost, a letter, or a part of an array of these",
        )
    })?;
    paint_of_cost(ground, cost).map(Some)
}

fn paint_of_cost(ground: Ground, cost: f64) -> PyResult<Paint> {
    match ground {
        Ground::Costs { .. } => Ok(ground.paint(ground.units(cost).map_err(refuse)?)),
        Ground::Letters if cost == 1.0 => Ok((Terrain::GROUND, 0)),
        Ground::Letters if cost == f64::INFINITY => Ok((Terrain::WALL, 0)),
        Ground::Letters => Err(refuse(
            "a map that was made of letters has no costs of cells: give a letter or a bool",
        )),
    }
}

/// The cells of a key of whole numbers and slices without gaps: inside, nothing, or `None` for another key.
#[allow(clippy::option_option)]
fn rectangle(key: &Bound<'_, PyAny>, extent: Extent) -> PyResult<Option<Option<CellRect>>> {
    let parts: Vec<Bound<'_, PyAny>> = match key.cast::<PyTuple>() {
        Ok(tuple) => tuple.iter().collect(),
        Err(_) => vec![key.clone()],
    };
    let (rows, columns) = (extent.height(), extent.width());
    let whole = PySlice::full(key.py()).into_any();
    let (row, column) = match &parts[..] {
        [row] => (row, &whole),
        [row, column] => (row, column),
        _ => return Ok(None),
    };
    let (Some(down), Some(across)) = (span(row, rows, "row")?, span(column, columns, "column")?)
    else {
        return Ok(None);
    };
    let is_empty = down.0 > down.1 || across.0 > across.1;
    let corner = |row: i64, column: i64| Cell::new(column as u32, row as u32);
    Ok(Some((!is_empty).then(|| CellRect::new(corner(down.0, across.0), corner(down.1, across.1)))))
}

/// The first and the last of what a number or a slice selects; `None` for something else.
fn span(part: &Bound<'_, PyAny>, length: u32, what: &str) -> PyResult<Option<(i64, i64)>> {
    if let Ok(slice) = part.cast::<PySlice>() {
        let indices = slice.indices(length as isize)?;
        let contiguous = indices.step == 1 || indices.slicelength <= 1;
        let (first, count) = (indices.start as i64, indices.slicelength as i64);
        return Ok(contiguous.then_some((first, first + count - 1)));
    }
    if part.is_instance_of::<PyBool>() {
        return Ok(None);
    }
    let Ok(number) = part.extract::<i64>() else { return Ok(None) };
    let length = i64::from(length);
    let at = if number < 0 { number + length } else { number };
    if !(0..length).contains(&at) {
        return Err(refuse(format!(
            "{what} {number} lies outside the map, which has {length}; nothing was changed"
        )));
    }
    Ok(Some((at, at)))
}

/// What any key of numpy selects, as an array of bool of the map's shape.
fn mask_of<'py>(key: &Bound<'py, PyAny>, extent: Extent) -> PyResult<PyReadonlyArray2<'py, f64>> {
    let numpy = key.py().import("numpy")?;
    if let Ok(array) = key.cast::<PyUntypedArray>()
        && array.dtype().kind() == b'b'
        && array.shape() != [extent.height() as usize, extent.width() as usize]
    {
        return Err(refuse(format!(
            "a mask of shape {:?} on a map of {} rows and {} columns; nothing was changed",
            array.shape(),
            extent.height(),
            extent.width()
        )));
    }
    let mask = numpy.call_method1("zeros", ((extent.height(), extent.width()),))?;
    let set = mask.set_item(key, 1.0);
    set.map_err(|error| refuse(format!("the cells to change: {error}; nothing was changed")))?;
    mask.extract()
}

/// Values of cells where the key selects them.
fn values_of<'py>(
    key: &Bound<'py, PyAny>,
    value: &Bound<'py, PyAny>,
    extent: Extent,
) -> PyResult<PyReadonlyArray2<'py, f64>> {
    let numpy = key.py().import("numpy")?;
    let value = numpy.call_method1("asarray", (value,))?;
    let value = match value.cast::<PyUntypedArray>()?.dtype().kind() {
        b'b' => numpy.call_method1("where", (value, 1.0, f64::INFINITY))?,
        b'i' | b'u' | b'f' => value,
        _ => return Err(PyTypeError::new_err("an array of bool or numbers is needed")),
    };
    let values = numpy.call_method1("ones", ((extent.height(), extent.width()),))?;
    let set = values.set_item(key, value);
    set.map_err(|error| refuse(format!("what cells become: {error}; nothing was changed")))?;
    values.extract()
}

/// Calls for each run of selected cells in a row that have the same value.
fn runs(
    mask: &PyReadonlyArray2<'_, f64>,
    values: &PyReadonlyArray2<'_, f64>,
    extent: Extent,
    mut found: impl FnMut(CellRect, f64) -> PyResult<()>,
) -> PyResult<()> {
    let (mask, values) = (mask.as_array(), values.as_array());
    for row in 0..extent.height() {
        let at = |column: u32| (row as usize, column as usize);
        let mut column = 0;
        while column < extent.width() {
            let (selected, value) = (mask[at(column)], values[at(column)]);
            let first = column;
            // Values that are no numbers are never the same, and refused one by one.
            column += 1;
            while column < extent.width()
                && mask[at(column)] == selected
                && values[at(column)] == value
            {
                column += 1;
            }
            if selected != 0.0 {
                found(CellRect::new((first, row), (column - 1, row)), value)?;
            }
        }
    }
    Ok(())
}
