//! Plans for a team: agents that are in each other's way.

use crate::cells::{self, cell, push_cells};
use crate::interrupt::watched;
use crate::map::Map;
use crate::path::{Paths, PlaceKind};
use crate::refuse;
use highroad::Cell;
use highroad::cooperative::{
    Conflict, Team, TeamError, TeamMethod, TeamOptions, TeamPlan as EnginePlan, TeamSearch,
    TeamState,
};
use highroad::grid::Grid;
use highroad::world::BuildWatch;
use numpy::{PyArray1, PyArray3, PyArrayMethods, PyReadonlyArray3};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// Where each agent of a team is at each time, so that no two are in one cell and none change places.
///
/// ``TeamPlan(positions)`` makes one of an array of T × N × 2: the row and the column of each agent at each time.
///
/// >>> import highroad
/// >>> grid = highroad.Grid("#.###\n.....\n", rule="four-way")
/// >>> ends = [[1, 0, 1, 4], [1, 4, 1, 0]]
/// >>> plan = grid.plan_team(ends)
/// >>> plan.positions.shape == (plan.duration + 1, 2, 2), plan[0][-1].tolist(), plan.conflict(grid, ends)
/// (True, [1, 4], None)
/// >>> highroad.TeamPlan([[[1, 0], [1, 1]], [[1, 1], [1, 0]]]).conflict(grid, [[1, 0, 1, 1], [1, 1, 1, 0]])
/// 'agents 0 and 1 change places at time 1'
#[pyclass(frozen, eq, module = "highroad")]
#[derive(PartialEq)]
pub(crate) struct TeamPlan {
    plan: EnginePlan,
}

#[pymethods]
impl TeamPlan {
    #[new]
    fn of_positions(positions: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = positions.py();
        let numpy = py.import("numpy")?;
        let given = numpy.call_method1("asarray", (positions,))?;
        let shape: Vec<usize> = given.getattr("shape")?.extract()?;
        let kind: String = given.getattr("dtype")?.getattr("kind")?.extract()?;
        if !matches!(shape[..], [times, _, 2] if times > 0) || !matches!(&kind[..], "i" | "u") {
            return Err(refuse(format!(
                "positions: an array of whole numbers of shape (T, N, 2) with at least one time is needed, this one is \
                 {shape:?} of type {}",
                given.getattr("dtype")?
            )));
        }
        let given = numpy.call_method1("asarray", (given, "int64"))?;
        let array: PyReadonlyArray3<'_, i64> = given.extract()?;
        let array = array.as_array();
        let at =
            |agent: usize, time: usize| cell((array[[time, agent, 0]], array[[time, agent, 1]]));
        let path = |agent: usize| (0..shape[0]).map(move |time| at(agent, time));
        let plan = EnginePlan::from_paths((0..shape[1]).map(path));
        Ok(Self { plan: plan.expect("there is at least one time") })
    }

    /// The row and the column of each agent at each time: an array of (``duration`` + 1) × agents × 2.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<i32>>> {
        let shape = (self.plan.duration() as usize + 1, self.plan.len(), 2);
        // Numpy says if there is no room for it.
        let array = py.import("numpy")?.call_method1("empty", (shape, "int32"))?;
        let array = array.cast_into::<PyArray3<i32>>()?;
        {
            let mut written = array.readwrite();
            let mut rows = written.as_slice_mut()?.chunks_exact_mut(2);
            for time in 0..=self.plan.duration() {
                for agent in 0..self.plan.len() {
                    let at = self.plan.at(agent, time).expect("the agent is one of the plan");
                    let row = rows.next().expect("the array has the shape of the plan");
                    row.copy_from_slice(&[at.y as i32, at.x as i32]);
                }
            }
        }
        Ok(array)
    }

    /// The cells of each agent until it stays at its last one, and what they cost in steps and waits.
    #[getter]
    fn paths(&self, py: Python<'_>) -> PyResult<Paths> {
        let (mut flat, mut offsets, mut costs) = (Vec::new(), vec![0], Vec::new());
        for path in (0..self.plan.len()).filter_map(|agent| self.plan.path(agent)) {
            push_cells(&mut flat, path);
            offsets.push(flat.len() as i64 / 2);
            costs.push(path.len() as f64 - 1.0);
        }
        let failed = PyArray1::zeros(py, self.plan.len(), false);
        Ok(Paths {
            kind: PlaceKind::Cells,
            places: cells::pairs(py, flat, 2)?.into_any().unbind(),
            offsets: PyArray1::from_vec(py, offsets).unbind(),
            costs: PyArray1::from_vec(py, costs).unbind(),
            failed: failed.unbind(),
        })
    }

    /// The sum over all agents of the time until each stays at its goal.
    #[getter]
    fn cost(&self) -> u64 {
        self.plan.cost()
    }

    /// The time until everybody stays at its goal.
    #[getter]
    fn duration(&self) -> u32 {
        self.plan.duration()
    }

    /// What is wrong with the plan on a map, for agents with these starts and goals, an array of N × 4: the first conflict by
    /// time in words, or ``None``. It is found by plain rules, whoever made the plan.
    #[pyo3(signature = (map, ends, *, kind=None))]
    fn conflict(
        &self,
        py: Python<'_>,
        map: &Map,
        ends: &Bound<'_, PyAny>,
        kind: Option<&str>,
    ) -> PyResult<Option<String>> {
        let (grid, ends) = (map.grid_of(py, kind)?, cells::ends(ends)?);
        Ok(py.detach(|| self.plan.check(&grid, &ends)).err().map(explain_conflict))
    }

    /// How many agents it is for.
    fn __len__(&self) -> usize {
        self.plan.len()
    }

    /// The cells of an agent until it stays at its last one: an array of N × 2.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        agent: isize,
    ) -> PyResult<Bound<'py, numpy::PyArray2<i32>>> {
        let count = self.plan.len() as isize;
        let number = if agent < 0 { agent + count } else { agent };
        let path = usize::try_from(number).ok().and_then(|number| self.plan.path(number));
        let missing = || PyIndexError::new_err(format!("there is no agent {agent} among {count}"));
        let mut flat = Vec::new();
        push_cells(&mut flat, path.ok_or_else(missing)?);
        cells::pairs(py, flat, 2)
    }

    fn __repr__(&self) -> String {
        let (agents, cost, duration) = (self.plan.len(), self.plan.cost(), self.plan.duration());
        format!("<TeamPlan of {agents} agents: cost {cost}, duration {duration}>")
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyType>, (Bound<'py, PyArray3<i32>>,))> {
        Ok((slf.get_type(), (slf.get().positions(slf.py())?,)))
    }
}

/// How a team plans, as Python says it.
pub(crate) struct Planning<'a> {
    pub(crate) method: &'a str,
    pub(crate) seed: u64,
    pub(crate) window: u32,
    /// Units of work on making a plan cheaper.
    pub(crate) improve: u64,
    pub(crate) memory_max: usize,
}

/// A plan for agents with these ends; `None` if the method has none. A KeyboardInterrupt stops it.
pub(crate) fn plan(
    py: Python<'_>,
    grid: &Grid,
    ends: &[(Cell, Cell)],
    planning: &Planning<'_>,
) -> PyResult<Option<TeamPlan>> {
    let method = TeamMethod::ALL.into_iter().find(|method| method.name() == planning.method);
    let Some(method) = method else {
        let known = TeamMethod::ALL.map(TeamMethod::name).join("', '");
        let given = planning.method;
        return Err(refuse(format!("method cannot be '{given}'; it can be '{known}'")));
    };
    if planning.window < 2 {
        return Err(refuse(format!("window {}: it must be at least 2", planning.window)));
    }
    // What is held is looked at after each slice, for every method.
    let options = TeamOptions::default()
        .with_method(method)
        .with_seed(planning.seed)
        .with_window(planning.window)
        .with_memory_max(usize::MAX);
    let found = watched(py, |watch| {
        let team = Team::new_while(grid, ends, || !watch.is_stopped())?;
        Some(team.map(|team| search(&team, options, planning, watch)))
    })?;
    match found.expect("what stops it is an error") {
        Err(error) => Err(refuse(explain_team(error))),
        Ok(Planned::TooLarge) => Err(refuse(format!(
            "the search would hold more than memory_max={} bytes",
            planning.memory_max
        ))),
        Ok(Planned::Nothing) => Ok(None),
        Ok(Planned::Plan(plan)) => Ok(Some(TeamPlan { plan })),
    }
}

enum Planned {
    Plan(EnginePlan),
    Nothing,
    TooLarge,
}

fn search(
    team: &Team,
    options: TeamOptions,
    planning: &Planning<'_>,
    watch: &BuildWatch,
) -> Planned {
    /// Units of work in a slice: about a millisecond.
    const SLICE: u64 = 10_000;
    let mut search = TeamSearch::new(team, options);
    while search.state() == TeamState::Searching {
        if watch.is_stopped() {
            return Planned::Nothing;
        }
        search.advance(SLICE);
        if search.memory_bytes() > planning.memory_max {
            return Planned::TooLarge;
        }
    }
    let end = search.work().saturating_add(planning.improve);
    while search.state() == TeamState::Found && search.work() < end && !watch.is_stopped() {
        search.advance(SLICE.min(end - search.work()));
    }
    search.plan().map_or(Planned::Nothing, |plan| Planned::Plan(plan.clone()))
}

/// What the engine refuses, in rows and columns.
fn explain_team(error: TeamError) -> String {
    match error {
        TeamError::Blocked { agent, cell } => {
            format!("row {agent}: nobody can stand on the cell {}", cells::shown(cell))
        }
        TeamError::SharedStart { first, second } => {
            format!("rows {first} and {second} start in the same cell")
        }
        TeamError::SharedGoal { first, second } => {
            format!("rows {first} and {second} have the same goal")
        }
        TeamError::Unreachable { agent } => {
            format!("row {agent}: no way leads from the start to the goal")
        }
        other => other.to_string(),
    }
}

fn explain_conflict(conflict: Conflict) -> String {
    match conflict {
        Conflict::Ends { agent, time, cell } => format!(
            "agent {agent} is {} at time {time}, not at its start or goal",
            cells::shown(cell)
        ),
        Conflict::Step { agent, time, cell } => {
            format!("agent {agent} cannot go to the cell {} at time {time}", cells::shown(cell))
        }
        Conflict::Cell { first, second, time, cell } => {
            format!("agents {first} and {second} are both {} at time {time}", cells::shown(cell))
        }
        other => other.to_string(),
    }
}
