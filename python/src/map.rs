//! What grids and worlds have in common: all that can be asked of a map.

use crate::batch::{check_all, find_all, read_on_error};
use crate::cells::{self, RowColumn, cell, pairs, push_cells, query_error};
use crate::costs::Ground;
use crate::interrupt::watched;
use crate::kept::Kept;
use crate::mesh::{self, Mesh};
use crate::path::{Path, Paths};
use crate::placement::Placement;
use crate::relief::LinkScale;
use crate::tables::Labels;
use crate::team::{self, Planning, TeamPlan};
use crate::{fields, picture, refuse, relief, tables};
use highroad::Cost;
use highroad::catalog::CATALOG;
use highroad::environment::Environment;
use highroad::grid::{Components, Grid as EngineGrid, KindId};
use highroad::path::{Smoother, smooth};
use highroad::planner::{AlternativeOptions, Answer, GoalRule, PathQuery};
use highroad::search::Limits;
use highroad::world::Snapshot;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// A map and what can be asked of it: what ``Grid`` and ``World`` have in common.
///
/// Cells are (row, column) everywhere, as in arrays. Costs are those of the array that the map was made from.
#[pyclass(frozen, subclass, module = "highroad")]
pub(crate) struct Map {
    pub(crate) kept: Kept<EngineGrid>,
    pub(crate) ground: Ground,
    pub(crate) placement: Placement,
    labels: Labels,
}

impl Map {
    pub(crate) fn new(kept: Kept<EngineGrid>, ground: Ground, placement: Placement) -> Self {
        Self { kept, ground, placement, labels: Labels::default() }
    }

    /// Another map of the same place and costs.
    pub(crate) fn copy(&self, py: Python<'_>, is_fixed: bool) -> Self {
        Self::new(self.kept.copy(py, is_fixed), self.ground, self.placement)
    }

    /// The map as it is now.
    pub(crate) fn view(&self, py: Python<'_>) -> Snapshot {
        self.kept.view(py)
    }

    pub(crate) fn kind_of(&self, view: &Snapshot, name: Option<&str>) -> PyResult<KindId> {
        let Some(name) = name else { return Ok(KindId::DEFAULT) };
        view.kind(name).ok_or_else(|| refuse(format!("the map has no kind '{name}'")))
    }

    /// The map as a kind of agent sees it.
    pub(crate) fn grid_of(&self, py: Python<'_>, kind: Option<&str>) -> PyResult<EngineGrid> {
        let view = self.view(py);
        let kind = self.kind_of(&view, kind)?;
        Ok(view.of(kind).expect("the kind was found").environment().clone())
    }

    /// The hub labels of a kind as bytes, if they are among its planners and ready.
    fn planned_labels(&self, py: Python<'_>, grid: &EngineGrid) -> Option<Vec<u8>> {
        self.kept.with(py, |world| {
            let is_labels = |name: &str| name.split(':').next() == Some("hub-labels");
            let mut planners = world.planners_of(grid.kind());
            let labels =
                planners.find(|&planner| world.planner_name(planner).is_some_and(is_labels))?;
            world.planner(labels)?.save(grid)
        })
    }

    /// What a cost of the engine is in Python.
    pub(crate) fn cost(&self, grid: &EngineGrid, cost: Cost) -> f64 {
        price(grid, self.ground, cost)
    }

    /// The engine's cost of at most a cost of Python.
    pub(crate) fn cost_max(&self, grid: &EngineGrid, cost: Option<f64>) -> PyResult<u64> {
        let Some(cost) = cost else { return Ok(u64::MAX) };
        if cost.is_nan() || cost < 0.0 {
            return Err(refuse(format!("max_cost {cost}: it must not be negative")));
        }
        let steps = 2.0 * f64::from(grid.movement().steps().straight());
        // A number beyond 64 bits becomes the largest. Half a unit of the engine is what the division may be off.
        Ok((cost / self.ground.unit() * steps + 1e-6) as u64)
    }

    pub(crate) fn path(&self, grid: &EngineGrid, path: highroad::Path, complete: bool) -> Path {
        let cost = self.cost(grid, path.cost());
        Path::new(path, cost, self.placement, grid.extent().height(), complete)
    }

    fn answer(
        &self,
        py: Python<'_>,
        kind: Option<&str>,
        query: &PathQuery,
    ) -> PyResult<Option<Path>> {
        let view = self.view(py);
        let kind = self.kind_of(&view, kind)?;
        let answer = self.kept.answer(py, &view, kind, query)?;
        let grid = view.of(kind).expect("the kind was found").environment();
        Ok(match answer.map_err(query_error)? {
            Answer::Found(path) => Some(self.path(grid, path, true)),
            Answer::Unreachable { nearest } if query.goal_rule() == GoalRule::Nearest => {
                Some(self.path(grid, nearest, false))
            }
            _ => None,
        })
    }
}

/// What a cost of the engine is in the units of the array.
pub(crate) fn price(grid: &EngineGrid, ground: Ground, cost: Cost) -> f64 {
    cost.0 as f64 / (2.0 * f64::from(grid.movement().steps().straight())) * ground.unit()
}

/// A share as hundredths.
pub(crate) fn percent(name: &str, share: f64) -> PyResult<u32> {
    let percent = (share * 100.0).round();
    if !(0.0..=1e6).contains(&percent) {
        return Err(refuse(format!("{name} {share}: it must be from 0 to 10,000")));
    }
    Ok(percent as u32)
}

fn read_goal_rule(name: &str) -> PyResult<GoalRule> {
    match name {
        "exact" => Ok(GoalRule::Exact),
        "adjacent" => Ok(GoalRule::Adjacent),
        "nearest" => Ok(GoalRule::Nearest),
        _ => Err(refuse(format!(
            "goal_rule cannot be '{name}'; it can be 'exact', 'adjacent' or 'nearest'"
        ))),
    }
}

#[pymethods]
impl Map {
    /// Rows and columns.
    #[getter]
    fn shape(&self, py: Python<'_>) -> (u32, u32) {
        let extent = self.view(py).extent();
        (extent.height(), extent.width())
    }

    /// How often it has been changed.
    #[getter]
    fn revision(&self, py: Python<'_>) -> u64 {
        self.view(py).revision().0
    }

    /// What one unit of a cell's cost is: costs are counted in whole units from 1 to 65,535.
    #[getter]
    fn unit(&self) -> f64 {
        self.ground.unit()
    }

    /// The x and the y of the map's corner: the upper left one, or the lower left one if y grows upwards.
    #[getter]
    fn origin(&self) -> (f64, f64) {
        self.placement.parts().0
    }

    /// The side of a cell in the plane.
    #[getter]
    fn cell_size(&self) -> f64 {
        self.placement.cell_size()
    }

    /// Whether y grows upwards, against the order of rows.
    #[getter]
    fn y_up(&self) -> bool {
        self.placement.parts().2
    }

    /// The kinds of agents, the default one first.
    #[getter]
    fn kinds(&self, py: Python<'_>) -> Vec<String> {
        self.kept.with(py, |world| world.kinds().map(|(_, name)| name.to_owned()).collect())
    }

    /// The planners of a kind of agent with what each promises, the preferred one first. An exact search answers where
    /// there is none, or none is ready.
    #[pyo3(signature = (kind=None))]
    fn planners(&self, py: Python<'_>, kind: Option<&str>) -> PyResult<Vec<(String, String)>> {
        let kind = self.kind_of(&self.view(py), kind)?;
        Ok(self.kept.planners(py, kind))
    }

    /// Bytes held by the map, its planners and working memory.
    #[getter]
    fn memory_bytes(&self, py: Python<'_>) -> usize {
        self.kept.with(py, |world| world.memory_bytes())
    }

    /// Where agents can stand: an array of bool.
    #[pyo3(signature = (kind=None))]
    fn walkable<'py>(
        &self,
        py: Python<'py>,
        kind: Option<&str>,
    ) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let grid = self.grid_of(py, kind)?;
        let open = |cell| grid.is_enterable(cell);
        pairs(py, grid.extent().cells().map(open).collect(), grid.extent().width() as usize)
    }

    /// What cells cost: an array of floats, ``inf`` where no agent can stand.
    #[pyo3(signature = (kind=None))]
    fn costs<'py>(
        &self,
        py: Python<'py>,
        kind: Option<&str>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (grid, unit) = (self.grid_of(py, kind)?, self.ground.unit());
        let cost = |cell| grid.cost_of(cell).map_or(f64::INFINITY, |cost| f64::from(cost) * unit);
        pairs(py, grid.extent().cells().map(cost).collect(), grid.extent().width() as usize)
    }

    /// The heights of cells: an array of whole numbers.
    fn heights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u16>>> {
        let view = self.view(py);
        let (map, extent) = (view.map(), view.extent());
        let height = |cell| map.height(cell).unwrap_or(0);
        pairs(py, extent.cells().map(height).collect(), extent.width() as usize)
    }

    /// All borders that are not open, by name: arrays of N × 4, a cell and one beside it in each row. Those that are
    /// ``"one-way"`` lead from the first cell to the second.
    ///
    /// >>> import highroad
    /// >>> grid = highroad.Grid("...\n...\n", borders={"closed": [[0, 0, 0, 1]]})
    /// >>> grid.borders()["closed"].tolist(), grid.find_path((0, 0), (0, 1)).steps
    /// ([[0, 0, 0, 1]], 3)
    fn borders<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let view = self.view(py);
        let found = py.detach(|| relief::borders_of(view.map()));
        let borders = PyDict::new(py);
        for (name, flat) in found {
            borders.set_item(name, pairs(py, flat, 4)?)?;
        }
        Ok(borders)
    }

    /// All links: tuples of start, goal, cost, whether it leads both ways, and the kind of agent that it is for, ``None``
    /// for all.
    ///
    /// >>> import highroad
    /// >>> grid = highroad.Grid("..#..\n", links=[((0, 1), (0, 3), 2.5)])
    /// >>> grid.links, grid.find_path((0, 0), (0, 4)).cost
    /// ([((0, 1), (0, 3), 2.5, False, None)], 4.5)
    #[getter]
    fn links(&self, py: Python<'_>) -> Vec<relief::WrittenLink> {
        self.kept.with(py, |world| {
            let scale = LinkScale::of(world, self.ground);
            world.grid().map().link_list().iter().map(|&link| scale.written(link)).collect()
        })
    }

    /// The map as text, a letter a cell.
    fn to_text(&self, py: Python<'_>) -> String {
        self.view(py).map().to_string()
    }

    /// The cell (row, column) at a position (x, y) in the plane. Fails outside the map.
    fn cell_at(&self, py: Python<'_>, x: f64, y: f64) -> PyResult<(u32, u32)> {
        let at = self.placement.row_column(x, y).map(cell);
        let inside = at.filter(|&at| self.view(py).extent().contains(at));
        let outside = || PyKeyError::new_err(format!("({x}, {y}) lies outside the map"));
        inside.map(cells::row_column).ok_or_else(outside)
    }

    /// The middle (x, y) of a cell in the plane.
    fn position_of(&self, at: (u32, u32)) -> (f64, f64) {
        let [x, y] = self.placement.middle(cell((at.0.into(), at.1.into())));
        (x, y)
    }

    /// A path, as good as the map's planner promises; ``None`` if there is none.
    ///
    /// ``goal_rule="adjacent"`` ends next to the goal, and ``"nearest"`` as near as possible where the goal cannot be
    /// reached. ``obstacles``, an array of N × 2, are blocked for this path alone. Fails if an end lies outside the map or
    /// is blocked.
    ///
    /// >>> import highroad
    /// >>> grid = highroad.Grid("..#.\n")
    /// >>> grid.find_path((0, 0), (0, 1)).cells.tolist()
    /// [[0, 0], [0, 1]]
    /// >>> grid.find_path((0, 0), (0, 3)) is None
    /// True
    /// >>> grid.find_path((0, 0), (0, 3), goal_rule="nearest").goal
    /// (0, 1)
    #[pyo3(signature = (start, goal, *, goal_rule="exact", obstacles=None, max_cost=None, kind=None))]
    #[allow(clippy::too_many_arguments)]
    fn find_path(
        &self,
        py: Python<'_>,
        start: RowColumn,
        goal: RowColumn,
        goal_rule: &str,
        obstacles: Option<&Bound<'_, PyAny>>,
        max_cost: Option<f64>,
        kind: Option<&str>,
    ) -> PyResult<Option<Path>> {
        let mut query = PathQuery::new(cell(start), cell(goal));
        if goal_rule != "exact" {
            query = query.with_goal_rule(read_goal_rule(goal_rule)?);
        }
        if let Some(obstacles) = obstacles {
            query = query.with_obstacles(cells::cells("obstacles", obstacles)?);
        }
        if max_cost.is_some() {
            let cost_max = self.cost_max(&self.grid_of(py, kind)?, max_cost)?;
            query = query.with_limits(Limits::default().with_cost_max(cost_max));
        }
        self.answer(py, kind, &query)
    }

    /// Many paths at once, on all cores, while other threads of Python run. ``queries`` is an array of N × 4: start row,
    /// start column, goal row, goal column.
    ///
    /// A query without a path has no cells, and a cost of ``inf``. A query that makes no sense, because an end lies outside
    /// the map or is blocked, is an error that names its row; with ``on_error="mask"`` it is marked in ``failed`` instead.
    #[pyo3(signature = (queries, *, on_error="raise", kind=None))]
    fn find_paths(
        &self,
        py: Python<'_>,
        queries: &Bound<'_, PyAny>,
        on_error: &str,
        kind: Option<&str>,
    ) -> PyResult<Paths> {
        let (raises, ends) = (read_on_error(on_error)?, cells::ends(queries)?);
        let view = self.view(py);
        let kind = self.kind_of(&view, kind)?;
        let grid = view.of(kind).expect("the kind was found").environment();
        if raises {
            check_all(py, grid, &ends, cells::explain)?;
        }
        find_all(py, &view, kind, &ends, |cost| self.cost(grid, cost))
    }

    /// A path to the nearest of some goals, an array of N × 2; ``None`` if none can be reached. Goals that are blocked are
    /// passed over, as long as there are others.
    #[pyo3(signature = (start, goals, *, kind=None))]
    fn find_nearest(
        &self,
        py: Python<'_>,
        start: RowColumn,
        goals: &Bound<'_, PyAny>,
        kind: Option<&str>,
    ) -> PyResult<Option<Path>> {
        let goals = cells::cells("goals", goals)?;
        let view = self.view(py);
        let id = self.kind_of(&view, kind)?;
        let asked = view.of(id).expect("the kind was found");
        let open = |goal: &highroad::Cell| asked.environment().check_place(*goal).is_ok();
        let usable: Vec<_> = goals.iter().copied().filter(open).collect();
        // Where none is open, the engine says why.
        let goals = if usable.is_empty() { goals } else { usable };
        self.answer(py, kind, &PathQuery::among(vec![cell(start)], goals))
    }

    /// A cheapest path, and up to ``count - 1`` others that are reasonably different from it and from each other: at most
    /// ``shared`` of the cells of one lie within ``margin`` cells of another, and it costs at most ``costlier`` more.
    #[pyo3(signature = (start, goal, *, count=3, shared=0.5, costlier=0.4, margin=2, kind=None))]
    #[allow(clippy::too_many_arguments)]
    fn find_alternatives(
        &self,
        py: Python<'_>,
        start: RowColumn,
        goal: RowColumn,
        count: u32,
        shared: f64,
        costlier: f64,
        margin: u32,
        kind: Option<&str>,
    ) -> PyResult<Vec<Path>> {
        let options = AlternativeOptions::default()
            .with_count(count)
            .with_shared_percent_max(percent("shared", shared)?)
            .with_costlier_percent_max(percent("costlier", costlier)?)
            .with_margin(margin);
        let view = self.view(py);
        let mut asked = view.of(self.kind_of(&view, kind)?).expect("the kind was found");
        let grid = asked.environment();
        let found = py.detach(|| asked.find_alternatives(cell(start), cell(goal), &options));
        let paths = found.map_err(query_error)?.into_iter();
        Ok(paths.map(|path| self.path(grid, path, true)).collect())
    }

    /// A path pulled taut: never costlier, with the same ends, straighter where the ground is level. For paths that were put
    /// together from pieces; those of planners are smooth already.
    #[pyo3(signature = (path, *, kind=None))]
    fn smooth(&self, py: Python<'_>, path: &Path, kind: Option<&str>) -> PyResult<Path> {
        let grid = self.grid_of(py, kind)?;
        let smoothed = py.detach(|| smooth(&grid, path.engine(), &mut Smoother::new()));
        Ok(self.path(&grid, smoothed, path.is_complete()))
    }

    /// Whether a path leads from one cell to another; ``False`` also for cells that are blocked or lie outside.
    #[pyo3(signature = (start, goal, *, kind=None))]
    fn is_reachable(
        &self,
        py: Python<'_>,
        start: RowColumn,
        goal: RowColumn,
        kind: Option<&str>,
    ) -> PyResult<bool> {
        let kind = self.kind_of(&self.view(py), kind)?;
        Ok(self.kept.with(py, |world| world.is_reachable(kind, cell(start), cell(goal))))
    }

    /// Which cells paths join: an array of numbers from 0, where cells of one number can reach each other, and -1 where no
    /// agent can stand.
    #[pyo3(signature = (kind=None))]
    fn components<'py>(
        &self,
        py: Python<'py>,
        kind: Option<&str>,
    ) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let grid = self.grid_of(py, kind)?;
        let parts = py.detach(|| Components::of(&grid));
        // At most 2²⁸ cells; the largest number of all stands for none.
        let numbers = parts.numbers().iter().map(|&number| number as i32).collect();
        pairs(py, numbers, grid.extent().width() as usize)
    }

    /// Every cell within a cost of a start: an array of N × 2, row by row, and what it costs to go there.
    ///
    /// >>> import highroad
    /// >>> cells, costs = highroad.Grid("...\n").range((0, 0), 1)
    /// >>> cells.tolist(), costs.tolist()
    /// ([[0, 0], [0, 1]], [0.0, 1.0])
    #[pyo3(signature = (start, max_cost, *, kind=None))]
    fn range<'py>(
        &self,
        py: Python<'py>,
        start: RowColumn,
        max_cost: f64,
        kind: Option<&str>,
    ) -> PyResult<(Bound<'py, PyArray2<i32>>, Bound<'py, PyArray1<f64>>)> {
        let grid = self.grid_of(py, kind)?;
        let cost_max = self.cost_max(&grid, Some(max_cost))?;
        let field = fields::settled(py, &grid, &[cell(start)], cost_max, false)?;
        let (mut flat, mut costs) = (Vec::new(), Vec::new());
        for (at, cost) in field.cells() {
            push_cells(&mut flat, &[at]);
            costs.push(self.cost(&grid, cost));
        }
        Ok((pairs(py, flat, 2)?, PyArray1::from_vec(py, costs)))
    }

    /// What it costs to go from the nearest of some sources to every cell: an array of floats, ``inf`` where no path leads.
    /// With ``towards=True``, from every cell to the nearest source. Up to ``max_cost``, if that is given.
    #[pyo3(signature = (sources, *, towards=false, max_cost=None, kind=None))]
    fn distance_field<'py>(
        &self,
        py: Python<'py>,
        sources: &Bound<'py, PyAny>,
        towards: bool,
        max_cost: Option<f64>,
        kind: Option<&str>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let grid = self.grid_of(py, kind)?;
        let sources = cells::cells("sources", sources)?;
        if towards && max_cost.is_some() && !grid.costs_the_same_both_ways() {
            return Err(refuse(
                "max_cost: where steps cost something else than the way back, it is for towards=False",
            ));
        }
        let cost_max = self.cost_max(&grid, max_cost)?;
        let field = fields::settled(py, &grid, &sources, cost_max, towards)?;
        let ground = self.ground;
        pairs(py, fields::costs(&field, ground), grid.extent().width() as usize)
    }

    /// The first step from every cell towards the nearest of some goals: an array of numbers into ``highroad.DIRECTIONS``;
    /// -1 at a goal and where no path leads, and -2 where a link leads on. See ``FlowField`` for one that follows edits.
    #[pyo3(signature = (goals, *, kind=None))]
    fn direction_field<'py>(
        &self,
        py: Python<'py>,
        goals: &Bound<'py, PyAny>,
        kind: Option<&str>,
    ) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let grid = self.grid_of(py, kind)?;
        let goals = cells::cells("goals", goals)?;
        let field = fields::flow(py, &grid, &goals)?;
        let directions = py.detach(|| fields::directions(&field));
        pairs(py, directions, grid.extent().width() as usize)
    }

    /// What the cheapest paths of many pairs cost, on all cores: ``pairs`` is an array of N × 4 as for ``find_paths``.
    /// Exact, whatever the planner promises. ``inf`` where no path leads.
    #[pyo3(signature = (pairs, *, method="auto", kind=None))]
    fn distances<'py>(
        &self,
        py: Python<'py>,
        pairs: &Bound<'py, PyAny>,
        method: &str,
        kind: Option<&str>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let grid = self.grid_of(py, kind)?;
        let ends = cells::ends(pairs)?;
        check_all(py, &grid, &ends, cells::explain)?;
        let labels = self.labels.chosen(py, &grid, method, || self.planned_labels(py, &grid))?;
        let ground = self.ground;
        let found =
            watched(py, |watch| tables::pairs(&grid, ground, &ends, labels.as_deref(), watch))?;
        Ok(PyArray1::from_vec(py, found.expect("what stops it is an error")?))
    }

    /// What the cheapest paths from each of some starts to each of some goals cost: an array of as many rows as there are
    /// starts, and as many columns as there are goals, on all cores. Exact. ``inf`` where no path leads.
    ///
    /// ``method="labels"`` looks distances up in hub labels, which are built once and kept; they serve maps whose cells all
    /// cost the same, where corners are not cut. ``"fields"`` makes a search for each row or column. ``"auto"`` takes labels
    /// where ``hub-labels`` is a planner of the map, or where they were built before.
    #[pyo3(signature = (starts, goals, *, method="auto", kind=None))]
    fn distance_table<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        goals: &Bound<'py, PyAny>,
        method: &str,
        kind: Option<&str>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let grid = self.grid_of(py, kind)?;
        let starts = cells::cells("starts", starts)?;
        let goals = cells::cells("goals", goals)?;
        tables::check(&grid, &starts, &goals)?;
        let labels = self.labels.chosen(py, &grid, method, || self.planned_labels(py, &grid))?;
        let ground = self.ground;
        let table = watched(py, |watch| {
            tables::table(&grid, ground, (&starts, &goals), labels.as_deref(), watch)
        })?;
        let table = table.expect("what stops it is an error")?;
        PyArray1::from_vec(py, table).reshape([starts.len(), goals.len()])
    }

    /// A plan for a team: agents that are in each other's way, and go from start to goal so that no two are in one cell at a
    /// time and none change places. ``ends`` is an array of N × 4 as for ``find_paths``, a row for each agent. Steps go four
    /// ways and take one unit of time, whatever cells cost: the map needs ``rule="four-way"``, and must be plain.
    ///
    /// ``method`` is ``"lacam"``, which finds a plan wherever there is one, ``"pibt"``, the quickest, ``"cooperative"`` (one
    /// agent plans after the other) or ``"windowed"`` (the same for ``window`` steps at a time); the last three may find no
    /// plan where there is one. ``None`` if there is no plan. With ``improve``, so many units of work, about ten million a
    /// second, are spent on making the plan cheaper. The same ``seed`` gives the same plan. Fails if ends are blocked, shared
    /// or not connected, and if the search would hold more than ``memory_max`` bytes.
    ///
    /// >>> import highroad
    /// >>> grid = highroad.Grid("....\n....\n", rule="four-way")
    /// >>> plan = grid.plan_team([[0, 0, 0, 3], [0, 3, 0, 0]], improve=100_000)
    /// >>> plan.cost, plan.duration, plan.positions[0].tolist()
    /// (8, 5, [[0, 0], [0, 3]])
    #[pyo3(signature = (ends, *, method="lacam", seed=1, window=16, improve=0, memory_max=2 << 30, kind=None))]
    #[allow(clippy::too_many_arguments)]
    fn plan_team(
        &self,
        py: Python<'_>,
        ends: &Bound<'_, PyAny>,
        method: &str,
        seed: u64,
        window: u32,
        improve: u64,
        memory_max: usize,
        kind: Option<&str>,
    ) -> PyResult<Option<TeamPlan>> {
        let (grid, ends) = (self.grid_of(py, kind)?, cells::ends(ends)?);
        let planning = Planning { method, seed, window, improve, memory_max };
        team::plan(py, &grid, &ends, &planning)
    }

    /// The navigation mesh of the cells that agents can enter, as the map is now, for paths at any angle. Its points are
    /// (column, row): cell (r, c) reaches from (c, r) to (c + 1, r + 1).
    #[pyo3(signature = (*, kind=None, planner=None))]
    fn mesh(
        &self,
        py: Python<'_>,
        kind: Option<&str>,
        planner: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Mesh> {
        mesh::of_map(py, self, kind, planner)
    }

    /// A picture of the map as a PNG file, with paths on it.
    #[pyo3(signature = (paths=Vec::new(), *, dark=false))]
    fn to_png<'py>(
        &self,
        py: Python<'py>,
        paths: Vec<PyRef<'py, Path>>,
        dark: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let view = self.view(py);
        let paths: Vec<_> = paths.iter().map(|path| path.places()).collect();
        Ok(PyBytes::new(py, &picture::png(&view, &paths, dark)?))
    }

    /// What notebooks show.
    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.to_png(py, Vec::new(), false)
    }
}

/// Every planner for grids: its name, its title, and its options with what they can be.
#[pyfunction]
pub(crate) fn planners() -> Vec<(&'static str, &'static str, Vec<(&'static str, String)>)> {
    let options = |entry: &highroad::planner::CatalogEntry| {
        entry.options.iter().map(|option| (option.name, option.kind.to_string())).collect()
    };
    CATALOG.iter().map(|entry| (entry.name, entry.title, options(entry))).collect()
}
