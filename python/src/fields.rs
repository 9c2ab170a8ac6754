//! Distance and direction fields as arrays.

use crate::cells::query_error;
use crate::costs::Ground;
use crate::interrupt::in_slices;
use crate::map::price;
use highroad::Cell;
use highroad::field::{Field, Flow, FlowField};
use highroad::grid::{Direction, Grid};
use pyo3::prelude::*;
use rayon::prelude::*;

/// Cells that a field settles in a slice: about a millisecond.
const SLICE: u64 = 16_384;

/// A field with everything settled.
pub(crate) fn settled(
    py: Python<'_>,
    grid: &Grid,
    sources: &[Cell],
    cost_max: u64,
    towards: bool,
) -> PyResult<Field> {
    // Where steps cost the same both ways, one field serves both directions; else a limit is for ways from the sources.
    let backwards = towards && !grid.costs_the_same_both_ways();
    let begun = in_slices(py, |lookout| {
        let mut field = match backwards {
            true => Field::towards(grid, sources),
            false => Field::within(grid, sources, cost_max),
        }?;
        while lookout.goes_on() && field.advance(SLICE) {}
        Ok(field)
    })?;
    begun.map_err(query_error)
}

/// What every cell costs, row by row; infinity where it is not reached.
pub(crate) fn costs(field: &Field, ground: Ground) -> Vec<f64> {
    let grid = field.grid();
    let cost = |cell| field.cost(cell).map_or(f64::INFINITY, |cost| price(grid, ground, cost));
    grid.extent().cells().map(cost).collect()
}

/// A flow field with everything settled.
pub(crate) fn flow(py: Python<'_>, grid: &Grid, goals: &[Cell]) -> PyResult<FlowField> {
    let begun = in_slices(py, |lookout| {
        let mut field = FlowField::towards(grid, goals)?;
        while lookout.goes_on() && field.advance(SLICE) > 0 {}
        Ok(field)
    })?;
    begun.map_err(query_error)
}

/// Where to go from every cell, row by row: the number of a direction, -1 at goals and where no way leads, and -2 where a
/// link leads on.
pub(crate) fn directions(field: &FlowField) -> Vec<i8> {
    let extent = field.grid().extent();
    let number = |cell: Cell| match field.flow(cell) {
        Flow::Next(next) => {
            let step =
                (i64::from(next.x) - i64::from(cell.x), i64::from(next.y) - i64::from(cell.y));
            let leads = |direction: &Direction| {
                let (columns, rows) = direction.delta();
                (i64::from(columns), i64::from(rows)) == step
            };
            Direction::ALL.iter().position(leads).map_or(-2, |number| number as i8)
        }
        _ => -1,
    };
    let rows = (0..extent.height()).into_par_iter().flat_map_iter(|y| {
        let number = &number;
        (0..extent.width()).map(move |x| number(Cell::new(x, y)))
    });
    crate::pool::on_all_cores(|| rows.collect())
}
