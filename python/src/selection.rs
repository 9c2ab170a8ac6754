//! Edits as Python writes them: what `world[...] = ...` selects, and what it says of the cells.

use crate::costs::Ground;
use crate::movement::terrain;
use crate::options::Options;
use crate::refuse;
use crate::relief::{LinkScale, add_borders, height_of};
use highroad::grid::{Batch, CellRect, Extent};
use highroad::{Cell, Terrain};
use numpy::{PyArrayDescrMethods, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PySlice, PyString, PyTuple};

/// What a cell becomes: its terrain, and what it costs on top.
type Paint = (Terrain, u16);

/// Edits as Python writes them: all that can be changed in one batch.
pub(crate) struct Edits<'py> {
    /// What cells become.
    changes: Changes<'py>,
    heights: Changes<'py>,
    borders: Option<Bound<'py, PyDict>>,
    links: Option<Bound<'py, PyAny>>,
    close_links: Option<Bound<'py, PyAny>>,
}

/// Keys and values.
pub(crate) type Changes<'py> = Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>;

impl<'py> Edits<'py> {
    /// Changes of cells, and others by name.
    pub(crate) fn read(
        changes: Changes<'py>,
        others: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        const NAMES: [&str; 4] = ["heights", "borders", "links", "close_links"];
        let unknown = |name: &str| {
            let known = NAMES.join(", ");
            PyTypeError::new_err(format!("an edit has no '{name}'; beside cells it has: {known}"))
        };
        let others = Options::read(others, &[&NAMES], unknown)?;
        Ok(Self {
            changes,
            heights: others.get("heights")?.unwrap_or_default(),
            borders: others.get("borders")?,
            links: others.any("links")?,
            close_links: others.any("close_links")?,
        })
    }

    /// The batch of them. Costs of links are counted as the scale says.
    pub(crate) fn batch(&self, extent: Extent, scale: &LinkScale) -> PyResult<Batch> {
        let mut batch = Batch::new();
        let ground = scale.ground;
        for (key, value) in &self.changes {
            let read = |cost| Ok(ground.paint(ground.units(cost)?));
            select(extent, key, value, one_paint(ground, value)?, read, |rect, paint| {
                fill(&mut batch, rect, paint);
            })?;
        }
        for (key, height) in &self.heights {
            add_heights(&mut batch, extent, key, height)?;
        }
        if let Some(borders) = &self.borders {
            add_borders(&mut batch, borders)?;
        }
        if let Some(links) = &self.close_links {
            scale.read(links)?.into_iter().for_each(|link| _ = batch.close_link(link));
        }
        if let Some(links) = &self.links {
            scale.read(links)?.into_iter().for_each(|link| _ = batch.open_link(link));
        }
        Ok(batch)
    }
}

/// Adds heights of the cells that a key selects to a batch.
pub(crate) fn add_heights(
    batch: &mut Batch,
    extent: Extent,
    key: &Bound<'_, PyAny>,
    height: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let one = height.extract::<f64>().ok().filter(|_| !is_array(height));
    let one = one.map(|height| height_of(height).map_err(refuse)).transpose()?;
    select(extent, key, height, one, height_of, |rect, height| _ = batch.height(rect, height))
}

/// Calls for rectangles of the cells that a key selects, with what they become: one value for all of them if there is one,
/// or what is read of an array of values.
fn select<P: Copy>(
    extent: Extent,
    key: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
    one: Option<P>,
    read: impl Fn(f64) -> Result<P, String>,
    mut found: impl FnMut(CellRect, P),
) -> PyResult<()> {
    if let Some(one) = one
        && let Some(selected) = rectangle(key, extent)?
    {
        selected.into_iter().for_each(|rect| found(rect, one));
        return Ok(());
    }
    let mask = mask_of(key, extent)?;
    if let Some(one) = one {
        return runs(&mask, &mask, extent, |rect, _| {
            found(rect, one);
            Ok(())
        });
    }
    runs(&mask, &values_of(key, value, extent)?, extent, |rect, value| {
        let (row, column) = (rect.min().y, rect.min().x);
        let value = read(value);
        found(
            rect,
            value.map_err(|problem| refuse(format!("row {row}, column {column}: {problem}")))?,
        );
        Ok(())
    })
}

/// Whether it has values for several cells.
fn is_array(value: &Bound<'_, PyAny>) -> bool {
    match value.getattr("ndim") {
        Ok(dimensions) => dimensions.extract::<usize>().is_ok_and(|dimensions| dimensions > 0),
        Err(_) => value.hasattr("__len__").unwrap_or(false),
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
    if is_array(value) {
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
