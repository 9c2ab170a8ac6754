//! What a map has beside its cells, as Python writes it: heights, borders between cells, and links.
//!
//! Borders are rows of an N × 4 array, as queries are: a cell and one beside it. A link is a tuple of its start, its goal, what
//! it costs, whether it leads both ways, and the kind of agent that it is for; the last two may be left out.

use crate::cells::{RowColumn, cell, integers, row_column};
use crate::costs::Ground;
use crate::refuse;
use highroad::grid::{Batch, Border, BorderSide, KindId, Link, StepCosts};
use highroad::{Cell, GridMap, PathWorld};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// The borders that can be written, by name. A border that leads one way leads from the first cell to the second.
const BORDERS: [(&str, Border); 3] =
    [("open", Border::Open), ("closed", Border::Closed), ("one-way", Border::OneWay)];

/// The height of a cell that somebody has written. Fails with what is wrong.
pub(crate) fn height_of(height: f64) -> Result<u16, String> {
    let is_whole = height.fract() == 0.0 && (0.0..=f64::from(u16::MAX)).contains(&height);
    let wrong = || format!("a height of {height}: heights are whole numbers from 0 to 65535");
    is_whole.then_some(height as u16).ok_or_else(wrong)
}

/// Adds borders, arrays by name, to a batch.
pub(crate) fn add_borders(batch: &mut Batch, borders: &Bound<'_, PyDict>) -> PyResult<()> {
    for (name, rows) in borders {
        let name: String = name.extract()?;
        let known = BORDERS.iter().find(|(known, _)| *known == name);
        let &(_, border) = known.ok_or_else(|| {
            refuse(format!("borders cannot be '{name}'; they can be 'open', 'closed' or 'one-way'"))
        })?;
        let rows = integers("borders", &rows, 4)?;
        for row in rows.as_array().rows() {
            batch.border(cell((row[0], row[1])), cell((row[2], row[3])), border);
        }
    }
    Ok(())
}

/// What costs of links are counted in.
pub(crate) struct LinkScale {
    pub(crate) ground: Ground,
    /// The kinds of agents, the default one first. A link for all kinds is counted in steps of the default one.
    pub(crate) steps: Vec<(String, StepCosts)>,
}

impl LinkScale {
    pub(crate) fn of(world: &PathWorld, ground: Ground) -> Self {
        let steps = |(kind, name): (KindId, &str)| {
            let grid = world.environment_of(kind).expect("it is listed");
            (name.to_owned(), grid.movement().steps())
        };
        Self { ground, steps: world.kinds().map(steps).collect() }
    }

    /// The engine's units in a cost of 1.
    fn units(&self, kind: Option<KindId>) -> f64 {
        let steps = self.steps[kind.map_or(0, KindId::index)].1;
        2.0 * f64::from(steps.straight()) / self.ground.unit()
    }

    /// Reads a list of links.
    pub(crate) fn read(&self, links: &Bound<'_, PyAny>) -> PyResult<Vec<Link>> {
        let read = |(number, link): (usize, PyResult<Bound<'_, PyAny>>)| {
            self.link(&link?).map_err(|error: PyErr| {
                Python::attach(|py| refuse(format!("link {number}: {}", error.value(py))))
            })
        };
        links.try_iter()?.enumerate().map(read).collect()
    }

    fn link(&self, link: &Bound<'_, PyAny>) -> PyResult<Link> {
        let form = || {
            PyTypeError::new_err(
                "(start, goal, cost), or with both_ways and kind after these, is needed",
            )
        };
        let parts = link.cast::<PyTuple>().map_err(|_| form())?;
        if !(3..=5).contains(&parts.len()) {
            return Err(form());
        }
        let ends: [RowColumn; 2] = [parts.get_item(0)?.extract()?, parts.get_item(1)?.extract()?];
        let cost: f64 = parts.get_item(2)?.extract()?;
        let both_ways = parts.len() > 3 && parts.get_item(3)?.extract::<bool>()?;
        let kind: Option<String> = match parts.len() {
            5 => parts.get_item(4)?.extract()?,
            _ => None,
        };
        let kind = kind.map(|name| {
            let number = self.steps.iter().position(|(known, _)| *known == name);
            let number = number.ok_or_else(|| refuse(format!("there is no kind '{name}'")))?;
            PyResult::Ok(KindId(number as u16))
        });
        let kind = kind.transpose()?;
        let units = (cost * self.units(kind)).round();
        if !(1.0..=f64::from(Link::COST_MAX)).contains(&units) {
            let (least, most) =
                (1.0 / self.units(kind), f64::from(Link::COST_MAX) / self.units(kind));
            return Err(refuse(format!("a cost of {cost}: it must be from {least} to {most}")));
        }
        let link = Link::new(cell(ends[0]), cell(ends[1]), units as u32);
        let link = if both_ways { link.with_way_back() } else { link };
        Ok(kind.map_or(link, |kind| link.with_kind(kind)))
    }

    /// The other way.
    pub(crate) fn written(&self, link: Link) -> WrittenLink {
        let kind = link.kind.map(|kind| self.steps[kind.index()].0.clone());
        let cost = f64::from(link.cost) / self.units(link.kind);
        (row_column(link.from), row_column(link.to), cost, link.both_ways, kind)
    }
}

/// A link as Python sees it.
pub(crate) type WrittenLink = ((u32, u32), (u32, u32), f64, bool, Option<String>);

/// All borders of a map that are not open: flat rows of an N × 4 array for each name.
pub(crate) fn borders_of(map: &GridMap) -> [(&'static str, Vec<i32>); 2] {
    let (mut closed, mut one_way) = (Vec::new(), Vec::new());
    for at in map.extent().cells() {
        for side in BorderSide::ALL {
            let beyond = match side {
                BorderSide::East => Cell::new(at.x + 1, at.y),
                BorderSide::South => Cell::new(at.x, at.y + 1),
            };
            let row =
                |from: Cell, to: Cell| [from.y, from.x, to.y, to.x].map(|number| number as i32);
            match map.border(at, side) {
                Some(Border::Closed) => closed.extend(row(at, beyond)),
                Some(Border::OneWay) => one_way.extend(row(at, beyond)),
                Some(Border::OneWayBack) => one_way.extend(row(beyond, at)),
                Some(Border::Open) | None => {}
            }
        }
    }
    [("closed", closed), ("one-way", one_way)]
}
