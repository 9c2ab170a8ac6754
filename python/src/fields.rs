//! Distance and direction fields as arrays.

use crate::cells::query_error;
use crate::costs::Ground;
use crate::interrupt::in_slices;
use crate::map::price;
use highroad::Cell;
use highroad::field::Field;
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

/// The first step of a cheapest path from every cell to a source, as a number of a direction; -1 where there is none.
///
/// A step leads towards a source if what it costs and what is left make up the whole cost. Of several, the one that is
/// listed first is taken.
pub(crate) fn directions(field: &Field) -> Vec<i8> {
    let (grid, extent) = (field.grid(), field.grid().extent());
    let width = extent.width();
    let first_step = |cell: Cell| {
        let cost = field.cost(cell)?.0;
        Direction::ALL.iter().position(|direction| {
            let (columns, rows) = direction.delta();
            let next = cell.x.checked_add_signed(columns).zip(cell.y.checked_add_signed(rows));
            next.map(Cell::from).is_some_and(|next| {
                let step = grid.step_cost(cell, next).map(u64::from);
                step.zip(field.cost(next)).is_some_and(|(step, rest)| step + rest.0 == cost)
            })
        })
    };
    let row = |y: u32| {
        (0..width).map(move |x| first_step(Cell::new(x, y)).map_or(-1, |number| number as i8))
    };
    let rows: Vec<Vec<i8>> = crate::pool::on_all_cores(|| {
        (0..extent.height()).into_par_iter().map(|y| row(y).collect()).collect()
    });
    rows.concat()
}
