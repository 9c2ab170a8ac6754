//! What arrays say of cells: whether they can be entered, and what they cost.
//!
//! The engine counts costs of cells in whole *units* from 1 to 65,535. An array of bool or of whole numbers has a unit of 1.
//! Floats that are all whole and fit have as well; for others, the unit is the smallest power of two with which the largest
//! finite cost fits, so that a cost c is off by at most unit / 2, and less than 2⁻¹⁵ of the largest. `unit` chooses another.
//!
//! A cell of so many units has a terrain whose cost is a power of two, or the least of the map, and the rest as a surcharge:
//! so the engine knows a good lower bound of all costs, and an edit can give a cell any cost.

use crate::movement::terrain;
use crate::refuse;
use highroad::grid::{Batch, CellRect, Extent, Profile};
use highroad::{Cell, GridMap, Terrain};
use numpy::ndarray::ArrayView2;
use numpy::{PyArrayDescrMethods, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// The most units that a cell can cost.
const UNITS_MAX: f64 = 65_535.0;

/// How the cells of a map are read and written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ground {
    /// By costs: what a unit is, and the least cost of the array that the map was made from, in units.
    Costs { unit: f64, least: u16 },
    /// By letters.
    Letters,
}

impl Ground {
    /// What one unit of a cell's cost is in Python.
    pub(crate) fn unit(self) -> f64 {
        match self {
            Self::Costs { unit, .. } => unit,
            Self::Letters => 1.0,
        }
    }

    /// What terrain costs where kinds say nothing else.
    pub(crate) fn profile(self, map: &GridMap) -> Profile {
        let Self::Costs { least, .. } = self else { return Profile::for_palette(map.palette()) };
        let letters = Terrain::LETTERS.iter().filter_map(|&letter| Terrain::from_letter(letter));
        let nothing = letters.fold(Profile::movingai(), Profile::without);
        let powers = powers().map(|(terrain, cost)| (terrain, cost as u16));
        powers.chain([(Terrain::GROUND, least)]).fold(nothing, |profile, (terrain, cost)| {
            profile.with_cost(terrain, cost).expect("no cost is 0")
        })
    }

    /// Terrain and surcharge of a cell of so many units; 0 is blocked.
    pub(crate) fn paint(self, units: u32) -> (Terrain, u16) {
        let least = match self {
            Self::Costs { least, .. } => u32::from(least),
            Self::Letters => 1,
        };
        if units == 0 {
            return (Terrain::WALL, 0);
        }
        let power = powers().take_while(|&(_, cost)| cost <= units).last();
        let (terrain, cost) = match power {
            Some((_, cost)) if least > cost && least <= units => (Terrain::GROUND, least),
            _ if least == units => (Terrain::GROUND, least),
            Some(power) => power,
            None => (Terrain::WALL, 0),
        };
        (terrain, (units - cost) as u16)
    }

    /// The units of a cost that somebody has written; 0 for what blocks. Fails with what is wrong.
    pub(crate) fn units(self, cost: f64) -> Result<u32, String> {
        let unit = self.unit();
        if cost == f64::INFINITY {
            return Ok(0);
        }
        if cost.is_nan() || cost <= 0.0 {
            return Err(format!("a cost of {cost}: costs must be above 0, and inf blocks a cell"));
        }
        let units = (cost / unit).round();
        if units < 1.0 {
            return Err(format!(
                "a cost of {cost} is less than half of the unit {unit}; choose a smaller unit"
            ));
        }
        if units > UNITS_MAX {
            return Err(format!(
                "a cost of {cost} is more than {UNITS_MAX} units of {unit}; choose a larger unit"
            ));
        }
        Ok(units as u32)
    }
}

/// The terrains that cost a power of two, the cheapest first: A 1, B 2, C 4 and so on to P.
fn powers() -> impl Iterator<Item = (Terrain, u32)> {
    (b'A'..=b'P')
        .zip(0..)
        .filter_map(|(letter, power)| Some((Terrain::from_letter(letter)?, 1 << power)))
}

/// A map as it was read, and what it has beside its terrain: what must be paid on top.
pub(crate) struct ReadMap {
    pub(crate) map: GridMap,
    pub(crate) ground: Ground,
    pub(crate) beside: Batch,
}

/// Reads text, letters, bool, whole numbers or floats.
pub(crate) fn read_map(cells: &Bound<'_, PyAny>, unit: Option<f64>) -> PyResult<ReadMap> {
    if let Some(unit) = unit
        && !(unit.is_finite() && unit > 0.0)
    {
        return Err(refuse(format!("unit {unit}: it must be finite and above 0")));
    }
    if let Ok(text) = cells.cast::<PyString>() {
        return of_text(text.to_str()?);
    }
    let array = cells.py().import("numpy")?.call_method1("asarray", (cells,))?;
    let untyped = array.cast::<PyUntypedArray>()?;
    let (kind, shape) = (untyped.dtype().kind(), untyped.shape());
    if matches!(kind, b'U' | b'S') {
        return of_letters(&array, shape.len());
    }
    let &[rows, columns] = shape else {
        return Err(refuse(format!(
            "cells: an array of rows and columns is needed, this one is of shape {shape:?}"
        )));
    };
    let extent = Extent::new(columns as u64, rows as u64).map_err(|_| {
        refuse(format!("a map of {rows} rows and {columns} columns: each must be from 1 to 16384"))
    })?;
    match kind {
        b'b' => {
            let array: PyReadonlyArray2<'_, bool> = array.extract()?;
            let open = array.as_array();
            let terrain = |cell: Cell| match open[[cell.y as usize, cell.x as usize]] {
                true => Terrain::GROUND,
                false => Terrain::WALL,
            };
            let map = GridMap::from_fn(extent.width(), extent.height(), terrain);
            let ground = Ground::Costs { unit: unit.unwrap_or(1.0), least: 1 };
            Ok(ReadMap { map: map.expect("the size was checked"), ground, beside: Batch::new() })
        }
        b'i' | b'u' | b'f' => {
            let array: PyReadonlyArray2<'_, f64> = cells
                .py()
                .import("numpy")?
                .call_method1("asarray", (array, "float64"))?
                .extract()?;
            of_costs(extent, array.as_array(), unit.or((kind != b'f').then_some(1.0)))
        }
        _ => Err(PyTypeError::new_err(format!(
            "cells: bool, numbers or letters are needed, this array is of type {}",
            untyped.dtype()
        ))),
    }
}

fn of_costs(extent: Extent, costs: ArrayView2<'_, f64>, unit: Option<f64>) -> PyResult<ReadMap> {
    let finite = || costs.iter().copied().filter(|cost| cost.is_finite());
    let unit = unit.unwrap_or_else(|| usual_unit(finite()));
    let ground = Ground::Costs { unit, least: 1 };
    let read = |(at, &cost): (usize, &f64)| {
        let (row, column) = (at / extent.width() as usize, at % extent.width() as usize);
        ground
            .units(cost)
            .map_err(|problem| refuse(format!("row {row}, column {column}: {problem}")))
    };
    let units: Vec<u32> = costs.iter().enumerate().map(read).collect::<PyResult<_>>()?;
    let least = units.iter().copied().filter(|&units| units > 0).min().unwrap_or(1);
    Ok(of_units(extent, units, Ground::Costs { unit, least: least as u16 }))
}

/// 1 where all costs are whole and fit; else the smallest power of two with which the largest fits.
fn usual_unit(costs: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = costs.clone().fold(0.0, f64::max);
    if most <= UNITS_MAX && costs.clone().all(|cost| cost.fract() == 0.0) || most <= 0.0 {
        return 1.0;
    }
    let mut unit = 1.0;
    while most / unit > UNITS_MAX {
        unit *= 2.0;
    }
    while unit > f64::MIN_POSITIVE && most / (unit / 2.0) <= UNITS_MAX {
        unit /= 2.0;
    }
    unit
}

fn of_units(extent: Extent, units: Vec<u32>, ground: Ground) -> ReadMap {
    let (width, height) = (extent.width(), extent.height());
    let at = |cell: Cell| units[cell.y as usize * width as usize + cell.x as usize];
    let map = GridMap::from_fn(width, height, |cell| ground.paint(at(cell)).0);
    let mut beside = Batch::new();
    for (row, units) in (0..).zip(units.chunks(width as usize)) {
        let mut column = 0;
        for run in units.chunk_by(|a, b| a == b) {
            let (first, last) = (column, column + run.len() as u32 - 1);
            column = last + 1;
            let surcharge = ground.paint(run[0]).1;
            if surcharge > 0 {
                beside.surcharge(CellRect::new((first, row), (last, row)), surcharge);
            }
        }
    }
    ReadMap { map: map.expect("the size was checked"), ground, beside }
}

fn of_text(text: &str) -> PyResult<ReadMap> {
    let map: GridMap = text.parse().map_err(refuse)?;
    Ok(ReadMap { map, ground: Ground::Letters, beside: Batch::new() })
}

/// Rows of text, or letters by row and column.
fn of_letters(array: &Bound<'_, PyAny>, dimensions: usize) -> PyResult<ReadMap> {
    let array = array.call_method1("astype", ("str",))?.call_method0("tolist")?;
    if dimensions == 1 {
        return of_text(&array.extract::<Vec<String>>()?.join("\n"));
    }
    let rows: Vec<Vec<String>> = array.extract().map_err(|_| {
        refuse("letters: an array of rows and columns, or a list of rows is needed")
    })?;
    let text = |(number, row): (usize, &Vec<String>)| {
        let letter = |(column, letter): (usize, &String)| {
            let place = |error: PyErr| refuse(format!("row {number}, column {column}: {error}"));
            terrain(letter).map(|terrain| terrain.letter() as char).map_err(place)
        };
        row.iter().enumerate().map(letter).collect::<PyResult<String>>()
    };
    let rows: Vec<String> = rows.iter().enumerate().map(text).collect::<PyResult<_>>()?;
    of_text(&rows.join("\n"))
}
