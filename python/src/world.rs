//! Worlds: maps that change.

use crate::cells::{self, RowColumn, cell, edit_error, pairs, push_cells};
use crate::grid::{Grid, SavedMap, build, load, save};
use crate::interrupt::watched;
use crate::map::Map;
use crate::refuse;
use crate::relief::LinkScale;
use crate::selection::{Changes, Edits};
use highroad::grid::{Batch, KindId};
use highroad::requests::Ticket as EngineTicket;
use highroad::world::PlannerStatus;
use highroad::{Budget, Cost, Reply, Request};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A map that changes. It is made as a ``Grid`` is; its planners follow every edit.
///
/// ``world[key] = value`` changes cells. A key is what numpy takes: a (row, column), slices, a mask, arrays of rows and
/// columns. A value is a bool, a cost (``inf`` blocks), a letter for a map of letters, or an array of bool or costs.
///
/// All methods can be called from several threads.
///
/// >>> import numpy as np, highroad
/// >>> world = highroad.World(np.ones((3, 8), bool), planner="hpa")
/// >>> world[0:2, 4] = False
/// >>> round(world.find_path((1, 0), (1, 7)).cost, 2)
/// 7.83
/// >>> world.undo()
/// 2
/// >>> world.find_path((1, 0), (1, 7)).cost
/// 7.0
#[pyclass(frozen, extends = Map, module = "highroad")]
pub(crate) struct World;

/// The receipt for a request.
#[pyclass(frozen, eq, hash, module = "highroad")]
#[derive(PartialEq, Hash)]
pub(crate) struct Ticket {
    ticket: EngineTicket,
    /// The kind of agent that asked: it decides what a path costs.
    kind: KindId,
}

/// What a tick may do.
pub(crate) fn budget(expansions: Option<u64>, micros: Option<u64>) -> PyResult<Budget> {
    match (expansions, micros) {
        (None, None) => Ok(Budget::unlimited()),
        (Some(expansions), None) => Ok(Budget::expansions(expansions)),
        (None, Some(micros)) => Ok(Budget::micros(micros)),
        _ => Err(refuse("a budget is in expansions or in microseconds, not both")),
    }
}

#[pymethods]
impl World {
    #[new]
    #[pyo3(
        signature = (cells, **options),
        text_signature = "(cells, *, rule='never-cut-corners', step_costs=None, pays='both', size=1, terrain_costs=None, climb_max=None, drop_max=None, uphill=0.0, downhill=0.0, planner=None, kinds=None, heights=None, borders=None, links=None, unit=None, origin=(0.0, 0.0), cell_size=1.0, y_up=False)"
    )]
    fn new(
        cells: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        Ok(Self::of(build(cells, options, false)?))
    }

    fn __setitem__(
        slf: &Bound<'_, Self>,
        key: Bound<'_, PyAny>,
        value: Bound<'_, PyAny>,
    ) -> PyResult<()> {
        Self::edit(slf, vec![(key, value)], None).map(|_| ())
    }

    /// Makes several changes as one: all of them, or none if one cannot be made. ``changes`` is a list of (key, value). Beside
    /// cells, ``heights`` is a list of (key, height), ``borders`` has arrays of N × 4 for ``"open"``, ``"closed"`` and
    /// ``"one-way"``, ``links`` are opened, and ``close_links`` are closed. Returns the revision that they led to.
    ///
    /// >>> import highroad
    /// >>> world = highroad.World("...\n...\n")
    /// >>> world.edit(borders={"closed": [[0, 0, 0, 1]]}, links=[((0, 0), (1, 2), 0.5)])
    /// 1
    /// >>> world.find_path((0, 0), (0, 2)).cost
    /// 1.5
    #[pyo3(
        signature = (changes=Vec::new(), **others),
        text_signature = "($self, changes=(), *, heights=(), borders=None, links=None, close_links=None)"
    )]
    fn edit<'py>(
        slf: &Bound<'py, Self>,
        changes: Changes<'py>,
        others: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<u64> {
        let (py, map) = (slf.py(), slf.as_super().get());
        let batch = Self::batch(map, py, changes, others)?;
        map.kept.apply(py, &batch).map_err(edit_error)
    }

    /// Whether changes would cut the way between any of some pairs of cells, an array of N × 4 as for ``find_paths``, without
    /// making them. What is changed is given as for ``edit``. A pair that has no way now does not count.
    ///
    /// >>> import numpy as np, highroad
    /// >>> world = highroad.World(np.ones((3, 5), bool))
    /// >>> world.would_block([[0, 0, 0, 4]], [((slice(0, 2), 2), False)])
    /// False
    /// >>> world.would_block([[0, 0, 0, 4]], [((slice(0, 3), 2), False)])
    /// True
    #[pyo3(
        signature = (pairs, changes=Vec::new(), *, kind=None, **others),
        text_signature = "($self, pairs, changes=(), *, kind=None, heights=(), borders=None, links=None, close_links=None)"
    )]
    fn would_block<'py>(
        slf: &Bound<'py, Self>,
        pairs: &Bound<'py, PyAny>,
        changes: Changes<'py>,
        kind: Option<&str>,
        others: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<bool> {
        let (py, map) = (slf.py(), slf.as_super().get());
        let (ends, kind) = (cells::ends(pairs)?, map.kind_of(&map.view(py), kind)?);
        let batch = Self::batch(map, py, changes, others)?;
        let found = map.kept.with(py, |world| world.would_block(kind, &batch, &ends));
        found.map_err(edit_error)
    }

    /// What the way between each of some pairs of cells costs now, and what it would cost after changes, without making them:
    /// two arrays, ``inf`` where there is no way. Pairs and changes are given as for ``would_block``.
    ///
    /// >>> import numpy as np, highroad
    /// >>> world = highroad.World(np.ones((1, 5), bool))
    /// >>> before, after = world.what_if([[0, 0, 0, 4]], [((0, 2), 9)])
    /// >>> before.tolist(), after.tolist()
    /// ([4.0], [12.0])
    #[pyo3(
        signature = (pairs, changes=Vec::new(), *, kind=None, **others),
        text_signature = "($self, pairs, changes=(), *, kind=None, heights=(), borders=None, links=None, close_links=None)"
    )]
    fn what_if<'py>(
        slf: &Bound<'py, Self>,
        pairs: &Bound<'py, PyAny>,
        changes: Changes<'py>,
        kind: Option<&str>,
        others: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<[Bound<'py, PyArray1<f64>>; 2]> {
        let (py, map) = (slf.py(), slf.as_super().get());
        let (ends, kind) = (cells::ends(pairs)?, map.kind_of(&map.view(py), kind)?);
        let batch = Self::batch(map, py, changes, others)?;
        let (ways, grid) = map.kept.with(py, |world| {
            let grid = world.environment_of(kind).unwrap_or(world.grid()).clone();
            (world.what_if(kind, &batch, &ends), grid)
        });
        let ways = ways.map_err(edit_error)?;
        let cost = |cost: Option<Cost>| cost.map_or(f64::INFINITY, |cost| map.cost(&grid, cost));
        let before = ways.iter().map(|way| cost(way.before)).collect();
        let after = ways.iter().map(|way| cost(way.after)).collect();
        Ok([PyArray1::from_vec(py, before), PyArray1::from_vec(py, after)])
    }

    /// Takes back the latest edit. Returns the revision that this leads to; ``None`` if there is nothing to take back.
    fn undo(slf: &Bound<'_, Self>) -> Option<u64> {
        slf.as_super().get().kept.undo(slf.py())
    }

    /// Makes the edit again that was taken back last; ``None`` if there is none.
    fn redo(slf: &Bound<'_, Self>) -> Option<u64> {
        slf.as_super().get().kept.redo(slf.py())
    }

    /// The world as it is now, as a ``Grid`` that never changes: cheap to make, and for any thread.
    fn snapshot(slf: &Bound<'_, Self>) -> PyResult<Py<Grid>> {
        Py::new(slf.py(), Grid::of(slf.as_super().get().copy(slf.py(), true)))
    }

    /// Waits until every planner knows the map as it is. Not needed for right answers: until then, others answer.
    fn finish_rebuilds(slf: &Bound<'_, Self>) {
        slf.as_super().get().kept.finish_rebuilds(slf.py());
    }

    /// Whether every planner knows the map as it is.
    #[getter]
    fn is_ready(slf: &Bound<'_, Self>) -> bool {
        slf.as_super().get().kept.with(slf.py(), |world| {
            world.take_over();
            let kinds: Vec<_> = world.kinds().map(|(kind, _)| kind).collect();
            let mut planners = kinds.into_iter().flat_map(|kind| world.planners_of(kind));
            planners.all(|planner| world.planner_status(planner) == Some(PlannerStatus::Ready))
        })
    }

    /// Puts a request for a path into the queue, and returns a ticket for ``poll``. ``tick`` works on requests, the highest
    /// priority first.
    #[pyo3(signature = (start, goal, *, priority=0, first_leg=None, kind=None))]
    fn request(
        slf: &Bound<'_, Self>,
        start: RowColumn,
        goal: RowColumn,
        priority: u8,
        first_leg: Option<u32>,
        kind: Option<&str>,
    ) -> PyResult<Ticket> {
        let (py, map) = (slf.py(), slf.as_super().get());
        let kind = map.kind_of(&map.view(py), kind)?;
        let mut request =
            Request::path(cell(start), cell(goal)).with_priority(priority).with_kind(kind);
        if let Some(steps) = first_leg {
            request = request.with_first_leg(steps);
        }
        let ticket = map.kept.with(py, |world| world.request(request));
        Ok(Ticket { ticket, kind })
    }

    /// Works on requests within a budget, in expansions (the same on every machine) or microseconds; without one, until
    /// all are answered. Returns how many were answered, and how many wait.
    #[pyo3(signature = (*, expansions=None, micros=None))]
    fn tick(
        slf: &Bound<'_, Self>,
        expansions: Option<u64>,
        micros: Option<u64>,
    ) -> PyResult<(u64, usize)> {
        /// What is done between two looks for signals where there is no budget.
        const SLICE: u64 = 1 << 20;
        let (map, given) = (slf.as_super().get(), budget(expansions, micros)?);
        let is_endless = expansions.is_none() && micros.is_none();
        let report = watched(slf.py(), |watch| {
            let mut world = map.kept.lock();
            if !is_endless {
                let report = world.tick(given);
                return (report.answered, report.waiting);
            }
            let mut answered = 0;
            loop {
                let report = world.tick(Budget::expansions(SLICE));
                answered += report.answered;
                if report.waiting == 0 || watch.is_stopped() {
                    return (answered, report.waiting);
                }
            }
        })?;
        Ok(report)
    }

    /// The state of a request: ``("pending", None)``, ``("leg", path)`` for the beginning of the path, ``("ready", path)``,
    /// ``("unreachable", path to the nearest cell)``, ``("gave up", path)`` or ``("failed", why)``. All but the first two
    /// are final, and handed over once.
    fn poll<'py>(
        slf: &Bound<'py, Self>,
        ticket: &Ticket,
    ) -> PyResult<(&'static str, Option<Bound<'py, PyAny>>)> {
        let (py, map) = (slf.py(), slf.as_super().get());
        let (reply, grid) = map.kept.with(py, |world| {
            // A ticket of another world may have a kind that this one lacks; then there is no path to be priced.
            let grid = world.environment_of(ticket.kind).unwrap_or(world.grid()).clone();
            (world.poll(ticket.ticket), grid)
        });
        let path = |path, complete| {
            PyResult::Ok(Some(Bound::new(py, map.path(&grid, path, complete))?.into_any()))
        };
        Ok(match reply {
            Reply::Pending => ("pending", None),
            Reply::Leg(leg) => ("leg", path(leg, false)?),
            Reply::Ready(ready) => ("ready", path(ready, true)?),
            Reply::Unreachable(nearest) => ("unreachable", path(nearest, false)?),
            Reply::GaveUp(nearest) => ("gave up", path(nearest, false)?),
            Reply::Failed(error) => {
                let reason = match error {
                    highroad::requests::RequestError::Query(error) => cells::explain(&error),
                    other => other.to_string(),
                };
                ("failed", Some(reason.into_pyobject(py)?.into_any()))
            }
            other => return Err(refuse(format!("a reply of another kind: {other:?}"))),
        })
    }

    /// Takes a request back. Returns whether it had not been answered yet.
    fn cancel(slf: &Bound<'_, Self>, ticket: &Ticket) -> bool {
        slf.as_super().get().kept.with(slf.py(), |world| world.cancel(ticket.ticket))
    }

    /// How many requests wait for an answer.
    #[getter]
    fn waiting(slf: &Bound<'_, Self>) -> usize {
        slf.as_super().get().kept.with(slf.py(), |world| world.waiting())
    }

    /// Whether a path can still be walked on the map as it is, by the kind of agent that it was found for, at the cost that it
    /// was found with.
    #[pyo3(signature = (path, *, kind=None))]
    fn still_valid(
        slf: &Bound<'_, Self>,
        path: &crate::path::Path,
        kind: Option<&str>,
    ) -> PyResult<bool> {
        let (py, map) = (slf.py(), slf.as_super().get());
        let kind = map.kind_of(&map.view(py), kind)?;
        Ok(map.kept.with(py, |world| world.still_valid_for(kind, path.engine())))
    }

    /// The cells that have changed since a revision: an array of N × 2, each cell once; ``None`` if that was too long ago.
    fn changed_since<'py>(
        slf: &Bound<'py, Self>,
        revision: u64,
    ) -> PyResult<Option<Bound<'py, numpy::PyArray2<i32>>>> {
        let map = slf.as_super().get();
        let changed = map.kept.with(slf.py(), |world| {
            let changes = world.changes_since(highroad::environment::Revision(revision))?;
            let mut cells: Vec<_> =
                changes.flat_map(|change| change.cells()).map(|cell| (cell.y, cell.x)).collect();
            cells.sort_unstable();
            cells.dedup();
            Some(cells)
        });
        let Some(changed) = changed else { return Ok(None) };
        let mut flat = Vec::with_capacity(2 * changed.len());
        for (row, column) in changed {
            push_cells(&mut flat, &[highroad::Cell::new(column, row)]);
        }
        pairs(slf.py(), flat, 2).map(Some)
    }

    fn __copy__(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
        Py::new(slf.py(), Self::of(slf.as_super().get().copy(slf.py(), false)))
    }

    fn __deepcopy__(slf: &Bound<'_, Self>, _memo: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        Self::__copy__(slf)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        let view = slf.as_super().get().view(slf.py());
        let (extent, revision) = (view.extent(), view.revision().0);
        format!(
            "<World of {} rows and {} columns, revision {revision}>",
            extent.height(),
            extent.width()
        )
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (SavedMap<'py>,))> {
        Ok((slf.get_type().getattr("_restore")?, (save(slf.as_super()),)))
    }

    #[staticmethod]
    fn _restore(py: Python<'_>, saved: SavedMap<'_>) -> PyResult<Py<Self>> {
        Py::new(py, Self::of(load(py, saved, false)?))
    }
}

impl World {
    fn of(map: Map) -> PyClassInitializer<Self> {
        PyClassInitializer::from(map).add_subclass(Self)
    }

    /// What somebody wants to change.
    fn batch<'py>(
        map: &Map,
        py: Python<'py>,
        changes: Changes<'py>,
        others: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Batch> {
        let edits = Edits::read(changes, others)?;
        let (extent, scale) =
            map.kept.with(py, |world| (world.grid().extent(), LinkScale::of(world, map.ground)));
        edits.batch(extent, &scale)
    }
}
