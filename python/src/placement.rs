//! Where a map lies in the plane.

use crate::refuse;
use highroad::Cell;
use pyo3::prelude::*;

/// Positions (x, y) of cells: columns go along x and rows along y, upwards or downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placement {
    origin: (f64, f64),
    cell_size: f64,
    /// The number of rows, if y grows upwards: then the origin is the lower left corner of the map.
    rows_up: Option<u32>,
}

impl Placement {
    pub(crate) fn new(origin: (f64, f64), cell_size: f64, y_up: bool, rows: u32) -> PyResult<Self> {
        if !(origin.0.is_finite()
            && origin.1.is_finite()
            && cell_size.is_finite()
            && cell_size > 0.0)
        {
            let (x, y) = origin;
            return Err(refuse(format!(
                "origin ({x}, {y}) and cell_size {cell_size}: numbers must be finite, and the size above 0"
            )));
        }
        Ok(Self { origin, cell_size, rows_up: y_up.then_some(rows) })
    }

    pub(crate) fn parts(self) -> ((f64, f64), f64, bool) {
        (self.origin, self.cell_size, self.rows_up.is_some())
    }

    pub(crate) fn cell_size(self) -> f64 {
        self.cell_size
    }

    /// The middle of a cell.
    pub(crate) fn middle(self, cell: Cell) -> [f64; 2] {
        let row = match self.rows_up {
            Some(rows) => f64::from(rows) - 0.5 - f64::from(cell.y),
            None => f64::from(cell.y) + 0.5,
        };
        [
            self.origin.0 + (f64::from(cell.x) + 0.5) * self.cell_size,
            self.origin.1 + row * self.cell_size,
        ]
    }

    /// A position in cells from the map's upper left corner, as the engine has it.
    pub(crate) fn in_cells(self, [x, y]: [f64; 2]) -> [f64; 2] {
        let down = (y - self.origin.1) / self.cell_size;
        let down = self.rows_up.map_or(down, |rows| f64::from(rows) - down);
        [(x - self.origin.0) / self.cell_size, down]
    }

    /// The other way.
    pub(crate) fn in_plane(self, [right, down]: [f64; 2]) -> [f64; 2] {
        let up = self.rows_up.map_or(down, |rows| f64::from(rows) - down);
        [self.origin.0 + right * self.cell_size, self.origin.1 + up * self.cell_size]
    }

    /// A direction in cells as one in the plane.
    pub(crate) fn along_plane(self, [right, down]: [f64; 2]) -> [f64; 2] {
        let up = if self.rows_up.is_some() { -down } else { down };
        [right * self.cell_size, up * self.cell_size]
    }

    /// The row and the column that a position lies in, which may lie outside the map; `None` where numbers are not finite or
    /// larger than any map.
    pub(crate) fn row_column(self, x: f64, y: f64) -> Option<(i64, i64)> {
        const FAR: f64 = 1e9;
        let column = ((x - self.origin.0) / self.cell_size).floor();
        let row = ((y - self.origin.1) / self.cell_size).floor();
        let row = self.rows_up.map_or(row, |rows| f64::from(rows) - 1.0 - row);
        (row.abs() < FAR && column.abs() < FAR).then_some((row as i64, column as i64))
    }
}
