//! Simulations: agents that walk, as arrays.

use crate::cells::{self, edit_error, pairs, push_cells, row_column};
use crate::costs::Ground;
use crate::grid::{Grid, SavedMap, ground_of, least_of};
use crate::interrupt::watched;
use crate::kept::Kept;
use crate::map::Map;
use crate::placement::Placement;
use crate::pool::on_all_cores;
use crate::refuse;
use crate::relief::LinkScale;
use crate::selection::{Changes, Edits};
use crate::world::{World, budget};
use highroad::simulation::{AgentId, AgentState};
use highroad::{AgentPlan, Simulation as EngineSimulation};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Agents that walk in a copy of a world, in ticks. A copy of a world shares its memory until one of the two changes.
///
/// Each tick works on paths within the budget, in expansions (the same on every machine) or microseconds; then every agent
/// takes a step. ``simulation[key] = value`` changes cells as for a ``World``; agents notice at once.
///
/// >>> import numpy as np, highroad
/// >>> simulation = highroad.Simulation(highroad.World(np.ones((3, 8), bool)))
/// >>> simulation.add([(0, 0), (2, 0)], [(0, 7), (2, 7)]).tolist()
/// [0, 1]
/// >>> simulation.run()
/// 7
/// >>> simulation.positions.tolist()
/// [[0, 7], [2, 7]]
#[pyclass(frozen, module = "highroad")]
pub(crate) struct Simulation {
    simulation: Mutex<EngineSimulation>,
    ground: Ground,
    placement: Placement,
}

impl Simulation {
    fn lock(&self) -> MutexGuard<'_, EngineSimulation> {
        self.simulation.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with it while other threads of Python run.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut EngineSimulation) -> T + Send,
    ) -> T {
        py.detach(|| work(&mut self.lock()))
    }

    /// Rows and columns of one cell an agent.
    fn cells_of<'py>(
        &self,
        py: Python<'py>,
        cell: fn(&highroad::simulation::Agent) -> highroad::Cell,
    ) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let flat = self.with(py, |simulation| {
            let mut flat = Vec::with_capacity(2 * simulation.agents().len());
            simulation.agents().iter().for_each(|agent| push_cells(&mut flat, &[cell(agent)]));
            flat
        });
        pairs(py, flat, 2)
    }
}

/// The number of a state, in the order of ``highroad.AGENT_STATES``.
fn state_number(state: AgentState) -> i8 {
    match state {
        AgentState::Waiting => 0,
        AgentState::Walking => 1,
        AgentState::Arrived => 2,
        // Stopped, for whatever reason.
        _ => 3,
    }
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (world, *, expansions=None, micros=None))]
    fn new(
        world: &Bound<'_, World>,
        expansions: Option<u64>,
        micros: Option<u64>,
    ) -> PyResult<Self> {
        let (map, budget) = (world.as_super().get(), budget(expansions, micros)?);
        let copy = map.kept.with(world.py(), |world| world.clone());
        let simulation = Mutex::new(EngineSimulation::new(copy, budget));
        Ok(Self { simulation, ground: map.ground, placement: map.placement })
    }

    /// Adds agents, one a row of ``starts`` and ``goals``, which are arrays of N × 2. Returns their numbers.
    #[pyo3(signature = (starts, goals, *, kind=None))]
    fn add<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        goals: &Bound<'py, PyAny>,
        kind: Option<&str>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let (starts, goals) = (cells::cells("starts", starts)?, cells::cells("goals", goals)?);
        if starts.len() != goals.len() {
            let (starts, goals) = (starts.len(), goals.len());
            return Err(refuse(format!(
                "{starts} starts and {goals} goals: each agent needs one of both"
            )));
        }
        let numbers = self.with(py, |simulation| {
            let kind = match kind {
                Some(name) => simulation.world().kind(name).ok_or(name)?,
                None => highroad::grid::KindId::DEFAULT,
            };
            let plans = starts
                .iter()
                .zip(&goals)
                .map(|(&start, &goal)| AgentPlan::new(start, goal).with_kind(kind));
            Ok(plans.map(|plan| i64::from(simulation.add(plan).0)).collect::<Vec<_>>())
        });
        let numbers =
            numbers.map_err(|name: &str| refuse(format!("the world has no kind '{name}'")))?;
        Ok(PyArray1::from_vec(py, numbers))
    }

    /// Sends agents somewhere else, from where they are.
    fn send(&self, py: Python<'_>, agents: Vec<u32>, goals: &Bound<'_, PyAny>) -> PyResult<()> {
        let goals = cells::cells("goals", goals)?;
        if agents.len() != goals.len() {
            let (agents, goals) = (agents.len(), goals.len());
            return Err(refuse(format!("{agents} agents and {goals} goals: each agent needs one")));
        }
        self.with(py, |simulation| {
            let count = simulation.agents().len();
            if let Some(&unknown) = agents.iter().find(|&&agent| agent as usize >= count) {
                return Err(format!("there is no agent {unknown} among {count}"));
            }
            agents
                .iter()
                .zip(goals)
                .for_each(|(&agent, goal)| simulation.send(AgentId(agent), goal));
            Ok(())
        })
        .map_err(refuse)
    }

    /// Lets so many ticks pass. A KeyboardInterrupt stops it between two.
    #[pyo3(signature = (ticks=1))]
    fn tick(&self, py: Python<'_>, ticks: u64) -> PyResult<()> {
        watched(py, |watch| {
            let mut simulation = self.lock();
            for _ in 0..ticks {
                if watch.is_stopped() {
                    break;
                }
                simulation.tick();
            }
        })
    }

    /// Lets ticks pass until no agent moves any more. Returns how many passed, at most ``ticks_max``.
    #[pyo3(signature = (ticks_max=1_000_000))]
    fn run(&self, py: Python<'_>, ticks_max: u64) -> PyResult<u64> {
        watched(py, |watch| {
            let mut simulation = self.lock();
            let mut passed = 0;
            while passed < ticks_max && !simulation.is_at_rest() && !watch.is_stopped() {
                simulation.tick();
                passed += 1;
            }
            passed
        })
    }

    /// Where every agent is: an array of N × 2.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        self.cells_of(py, |agent| agent.at())
    }

    /// Where every agent wants to go: an array of N × 2.
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        self.cells_of(py, |agent| agent.goal())
    }

    /// The state of every agent, as a number into ``highroad.AGENT_STATES``.
    #[getter]
    fn states<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let states = self.with(py, |simulation| {
            simulation.agents().iter().map(|agent| state_number(agent.state())).collect()
        });
        PyArray1::from_vec(py, states)
    }

    /// The cells that an agent will go to next, as far as it knows its way.
    fn ahead<'py>(&self, py: Python<'py>, agent: u32) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let ahead = self.with(py, |simulation| {
            simulation.agent(AgentId(agent)).map(|agent| agent.ahead().to_vec())
        });
        let ahead = ahead.ok_or_else(|| refuse(format!("there is no agent {agent}")))?;
        let mut flat = Vec::new();
        push_cells(&mut flat, &ahead);
        pairs(py, flat, 2)
    }

    /// What has happened since the last call, a line each.
    fn take_events(&self, py: Python<'_>) -> Vec<String> {
        let events = self.with(py, |simulation| simulation.take_events());
        events.iter().map(ToString::to_string).collect()
    }

    fn __setitem__(&self, key: Bound<'_, PyAny>, value: Bound<'_, PyAny>) -> PyResult<()> {
        let py = key.py();
        self.edit(py, vec![(key, value)], None).map(|_| ())
    }

    /// Makes several changes as one, as ``World.edit`` does. Agents notice at once.
    #[pyo3(
        signature = (changes=Vec::new(), **others),
        text_signature = "($self, changes=(), *, heights=(), borders=None, links=None, close_links=None)"
    )]
    fn edit<'py>(
        &self,
        py: Python<'py>,
        changes: Changes<'py>,
        others: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<u64> {
        let edits = Edits::read(changes, others)?;
        let (extent, scale) = self.with(py, |simulation| {
            let world = simulation.world();
            (world.grid().extent(), LinkScale::of(world, self.ground))
        });
        let batch = edits.batch(extent, &scale)?;
        let revision = self.with(py, |simulation| on_all_cores(|| simulation.edit(&batch)));
        revision.map(|revision| revision.0).map_err(edit_error)
    }

    /// Takes back the latest edit; ``None`` if there is nothing to take back.
    fn undo(&self, py: Python<'_>) -> Option<u64> {
        self.with(py, |simulation| simulation.undo()).map(|revision| revision.0)
    }

    /// Makes the edit again that was taken back last; ``None`` if there is none.
    fn redo(&self, py: Python<'_>) -> Option<u64> {
        self.with(py, |simulation| simulation.redo()).map(|revision| revision.0)
    }

    /// The map as it is now.
    fn snapshot(&self, py: Python<'_>) -> PyResult<Py<Grid>> {
        let world = self.with(py, |simulation| simulation.world().clone());
        Py::new(py, Grid::of(Map::new(Kept::new(world, true), self.ground, self.placement)))
    }

    /// Whether no agent will move any more unless something changes.
    #[getter]
    fn is_at_rest(&self, py: Python<'_>) -> bool {
        self.with(py, |simulation| simulation.is_at_rest())
    }

    /// How many ticks have passed.
    #[getter]
    fn ticks(&self, py: Python<'_>) -> u64 {
        self.with(py, |simulation| simulation.ticks())
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.with(py, |simulation| simulation.agents().len())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (agents, ticks) = (self.__len__(py), self.ticks(py));
        format!("<Simulation of {agents} agents after {ticks} ticks>")
    }

    /// Where an agent is.
    fn position_of(&self, py: Python<'_>, agent: u32) -> PyResult<(u32, u32)> {
        let at =
            self.with(py, |simulation| simulation.agent(AgentId(agent)).map(|agent| agent.at()));
        at.map(row_column).ok_or_else(|| refuse(format!("there is no agent {agent}")))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (SavedMap<'py>,))> {
        let (py, this) = (slf.py(), slf.get());
        let bytes = this.with(py, |simulation| simulation.save());
        let (origin, cell_size, y_up) = this.placement.parts();
        let bytes = PyBytes::new(py, &bytes);
        let saved = (bytes, this.ground.unit(), least_of(this.ground), origin, cell_size, y_up);
        Ok((slf.get_type().getattr("_restore")?, (saved,)))
    }

    #[staticmethod]
    fn _restore(py: Python<'_>, saved: SavedMap<'_>) -> PyResult<Self> {
        let (bytes, unit, least, origin, cell_size, y_up) = saved;
        let ground = ground_of(unit, least)?;
        let bytes = bytes.as_bytes();
        let simulation =
            watched(py, |watch| EngineSimulation::load_watched(bytes, |_| None, watch))?
                .map_err(refuse)?;
        let rows = simulation.world().grid().extent().height();
        let placement = Placement::new(origin, cell_size, y_up, rows)?;
        Ok(Self { simulation: Mutex::new(simulation), ground, placement })
    }
}
