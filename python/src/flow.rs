//! Flow fields that follow a map, and crowds that follow flow fields.

use crate::cells::{self, RowColumn, cell, pairs, query_error};
use crate::fields;
use crate::interrupt::{in_slices, watched};
use crate::map::Map;
use crate::path::Path;
use crate::refuse;
use highroad::crowd::{BodyId, BodyPlan, BodyState, Crowd as EngineCrowd, CrowdOptions};
use highroad::field::{FlowField as EngineFlowField, FlowFields, FlowId};
use highroad::grid::{Grid, KindId};
use numpy::{PyArray1, PyArray2, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Looks at a cell between two looks for signals: some milliseconds.
const SLICE: u64 = 16_384;

/// A kind of agent on a map.
struct Walkers {
    map: Py<Map>,
    kind: KindId,
}

impl Walkers {
    fn new(map: &Bound<'_, Map>, kind: Option<&str>) -> PyResult<Self> {
        let view = map.get().view(map.py());
        Ok(Self { kind: map.get().kind_of(&view, kind)?, map: map.clone().unbind() })
    }

    /// The map as it is now for them, which fields know then. Not to be called with the interpreter held.
    fn follow(&self, fields: &mut FlowFields) -> Grid {
        let world = self.map.get().kept.lock();
        world.update_fields(self.kind, fields);
        world.environment_of(self.kind).expect("the kind was found").clone()
    }
}

/// The ways from every cell to the nearest of some goals, which follow the edits of a ``World``: after an edit only what has
/// changed is worked out again. Any number of agents can follow it.
///
/// >>> import numpy as np, highroad
/// >>> world = highroad.World(np.ones((3, 4), bool))
/// >>> flow = highroad.FlowField(world, [(1, 3)])
/// >>> flow.next([(1, 0), (1, 3)]).tolist()
/// [[1, 1], [-1, -1]]
/// >>> world[0:2, 1] = False
/// >>> flow.next([(1, 0)]).tolist(), round(flow.path_from((1, 0)).cost, 2)
/// ([[2, 0]], 4.41)
#[pyclass(frozen, module = "highroad")]
pub(crate) struct FlowField {
    walkers: Walkers,
    /// Those of one goal.
    fields: Mutex<FlowFields>,
    id: FlowId,
}

impl FlowField {
    /// Does something with the field, which knows the map as it is.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&EngineFlowField) -> T + Send,
    ) -> PyResult<T> {
        in_slices(py, |lookout| {
            let mut fields = self.fields.lock().unwrap_or_else(PoisonError::into_inner);
            self.walkers.follow(&mut fields);
            while lookout.goes_on() && fields.advance(SLICE) > 0 {}
            work(fields.get(self.id).expect("one is always kept"))
        })
    }
}

#[pymethods]
impl FlowField {
    #[new]
    #[pyo3(signature = (map, goals, *, kind=None))]
    fn new(map: &Bound<'_, Map>, goals: &Bound<'_, PyAny>, kind: Option<&str>) -> PyResult<Self> {
        let (goals, walkers) = (cells::cells("goals", goals)?, Walkers::new(map, kind)?);
        let mut fields = FlowFields::new(0);
        let opened = map.py().detach(|| {
            let grid = walkers.follow(&mut fields);
            fields.open(&grid, &goals)
        });
        let id = opened.map_err(query_error)?;
        Ok(Self { walkers, fields: Mutex::new(fields), id })
    }

    /// What the way from every cell to a goal costs: an array of floats, ``inf`` where no way leads.
    fn costs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let map = self.walkers.map.get();
        let (costs, columns) = self.with(py, |field| {
            let grid = field.grid();
            let cost = |at| field.cost(at).map_or(f64::INFINITY, |cost| map.cost(grid, cost));
            (grid.extent().cells().map(cost).collect::<Vec<_>>(), grid.extent().width())
        })?;
        pairs(py, costs, columns as usize)
    }

    /// Where to go from every cell: an array of numbers into ``highroad.DIRECTIONS``; -1 at a goal and where no way leads, and
    /// -2 where a link leads on.
    fn directions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let (found, columns) =
            self.with(py, |field| (fields::directions(field), field.grid().extent().width()))?;
        pairs(py, found, columns as usize)
    }

    /// The next cells of agents, an array of N × 2, for theirs: -1 at a goal and where no way leads.
    fn next<'py>(
        &self,
        py: Python<'py>,
        cells: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let cells = cells::cells("cells", cells)?;
        let next = self.with(py, |field| {
            let next = |&at: &highroad::Cell| match field.next(at) {
                Some(next) => [next.y as i32, next.x as i32],
                None => [-1, -1],
            };
            cells.iter().flat_map(next).collect()
        })?;
        pairs(py, next, 2)
    }

    /// The way of an agent from a cell; ``None`` if none leads to a goal.
    fn path_from(&self, py: Python<'_>, start: RowColumn) -> PyResult<Option<Path>> {
        let map = self.walkers.map.get();
        self.with(py, |field| {
            let path = field.path_from(cell(start));
            path.map(|path| map.path(field.grid(), path, true))
        })
    }

    /// The revision of the map that it knows.
    #[getter]
    fn revision(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |field| field.revision().0)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let goals = self.with(py, |field| field.goals().count())?;
        Ok(format!("<FlowField to {goals} goals>"))
    }
}

/// Agents that walk on a map in continuous space: discs that follow flow fields, avoid each other, and keep out of walls. The map
/// may be a ``World`` that is edited meanwhile.
///
/// Positions are (x, y) in the plane, as the map lies in it, and lengths and speeds are of the plane as well. Agents are numbers
/// from 0, in the order in which they were added.
///
/// >>> import numpy as np, highroad
/// >>> crowd = highroad.Crowd(highroad.World(np.ones((3, 8), bool)))
/// >>> agents = crowd.add([(0.5, 1.5), (7.5, 1.5)])
/// >>> crowd.send(agents[:1], [(1, 7)]); crowd.send(agents[1:], [(1, 0)])
/// >>> crowd.tick(600)["arrived"]
/// 2
/// >>> [highroad.CROWD_STATES[state] for state in crowd.states]
/// ['arrived', 'arrived']
#[pyclass(frozen, module = "highroad")]
pub(crate) struct Crowd {
    walkers: Walkers,
    walking: Mutex<Walking>,
}

struct Walking {
    crowd: EngineCrowd,
    fields: FlowFields,
    /// The ids of all agents that were ever added, which rise.
    ids: Vec<BodyId>,
}

/// The number of a state, in the order of ``highroad.CROWD_STATES``.
fn state_number(state: BodyState) -> i8 {
    match state {
        BodyState::Idle => 0,
        BodyState::Waiting => 1,
        BodyState::Walking => 2,
        BodyState::Arrived => 3,
        BodyState::Blocked => 4,
        // Buried: where an edit has put a wall.
        _ => 5,
    }
}

impl Crowd {
    fn lock(&self) -> MutexGuard<'_, Walking> {
        self.walking.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with it while other threads of Python run.
    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Walking) -> T + Send) -> T {
        py.detach(|| work(&mut self.lock()))
    }

    /// Does something for agents; fails for the first that there is not.
    fn for_each(
        &self,
        py: Python<'_>,
        agents: &[u32],
        mut work: impl FnMut(&mut EngineCrowd, BodyId) + Send,
    ) -> PyResult<()> {
        self.with(py, |Walking { crowd, ids, .. }| {
            let body = |&agent: &u32| {
                let known = ids.get(agent as usize).filter(|&&id| crowd.body(id).is_some());
                known.copied().ok_or_else(|| format!("there is no agent {agent}"))
            };
            let bodies = agents.iter().map(body).collect::<Result<Vec<_>, String>>()?;
            bodies.into_iter().for_each(|body| work(crowd, body));
            Ok(())
        })
        .map_err(|problem: String| refuse(problem))
    }

    fn pairs_of<'py>(
        &self,
        py: Python<'py>,
        pair: impl Fn(&highroad::crowd::Body) -> [f64; 2] + Send,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let flat = self.with(py, |walking| walking.crowd.bodies().iter().flat_map(pair).collect());
        pairs(py, flat, 2)
    }
}

#[pymethods]
impl Crowd {
    #[new]
    #[pyo3(signature = (
        map, *, kind=None, tick_seconds=1.0 / 60.0, horizon_seconds=1.0, sight=3.0, neighbours_max=8, fields_bytes_max=1 << 28
    ))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        map: &Bound<'_, Map>,
        kind: Option<&str>,
        tick_seconds: f64,
        horizon_seconds: f64,
        sight: f64,
        neighbours_max: usize,
        fields_bytes_max: usize,
    ) -> PyResult<Self> {
        let numbers = [tick_seconds, horizon_seconds, sight];
        if let Some(wrong) = numbers.into_iter().find(|&number| number.is_nan() || number <= 0.0) {
            return Err(refuse(format!("seconds and sight must be above 0, not {wrong}")));
        }
        let mut options = CrowdOptions::default();
        options.tick_seconds = tick_seconds;
        options.horizon_seconds = horizon_seconds;
        options.sight = sight / map.get().placement.cell_size();
        options.neighbours_max = neighbours_max;
        let crowd = EngineCrowd::new(options);
        let (fields, ids) = (FlowFields::new(fields_bytes_max), Vec::new());
        let walking = Mutex::new(Walking { crowd, fields, ids });
        Ok(Self { walkers: Walkers::new(map, kind)?, walking })
    }

    /// Adds agents at positions (x, y), an array of N × 2: discs of a radius, up to half a cell, with a speed and an
    /// acceleration that they prefer, the radians that they can turn by in a second, and a priority: who has more makes way less.
    /// Returns their numbers.
    #[pyo3(signature = (positions, *, radius=None, speed=None, acceleration=None, turn=None, priority=1))]
    #[allow(clippy::too_many_arguments)]
    fn add<'py>(
        &self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        radius: Option<f64>,
        speed: Option<f64>,
        acceleration: Option<f64>,
        turn: Option<f64>,
        priority: u8,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let array = py.import("numpy")?.call_method1("asarray", (positions, "float64"))?;
        let array: PyReadonlyArray2<'_, f64> =
            array.extract().map_err(|_| refuse("positions: an array of shape (N, 2) is needed"))?;
        if array.shape()[1] != 2 {
            return Err(refuse(format!(
                "positions: an array of shape (N, 2) is needed, this one is {:?}",
                array.shape()
            )));
        }
        let placement = self.walkers.map.get().placement;
        let cells = |length: f64| length / placement.cell_size();
        let plan = |row: numpy::ndarray::ArrayView1<'_, f64>| {
            let usual = BodyPlan::new(placement.in_cells([row[0], row[1]]));
            usual
                .with_radius(radius.map_or(usual.radius, cells))
                .with_speed(speed.map_or(usual.speed, cells))
                .with_acceleration(acceleration.map_or(usual.acceleration, cells))
                .with_turn(turn.unwrap_or(usual.turn))
                .with_priority(priority)
        };
        let plans: Vec<BodyPlan> = array.as_array().rows().into_iter().map(plan).collect();
        let added = self.with(py, |Walking { crowd, fields, ids }| {
            let grid = self.walkers.follow(fields);
            let mut added = Vec::with_capacity(plans.len());
            for (row, plan) in plans.into_iter().enumerate() {
                match crowd.add(&grid, plan) {
                    Ok(id) => added.push(id),
                    Err(error) => {
                        added.into_iter().for_each(|id| _ = crowd.remove(id));
                        return Err(format!("row {row}: in cells, {error}; nobody was added"));
                    }
                }
            }
            let first = ids.len() as i64;
            ids.extend(added);
            Ok((first..ids.len() as i64).collect())
        });
        Ok(PyArray1::from_vec(py, added.map_err(refuse)?))
    }

    /// Sends agents to the nearest of some goals, cells as an array of N × 2. Those with the same goals share a field.
    fn send(&self, py: Python<'_>, agents: Vec<u32>, goals: &Bound<'_, PyAny>) -> PyResult<()> {
        let goals = cells::cells("goals", goals)?;
        let opened = self.with(py, |Walking { fields, .. }| {
            let grid = self.walkers.follow(fields);
            fields.open(&grid, &goals)
        });
        let goal = opened.map_err(query_error)?;
        self.for_each(py, &agents, |crowd, body| _ = crowd.send(body, goal))
    }

    /// Lets agents stop where they are; they make way for others.
    fn stop(&self, py: Python<'_>, agents: Vec<u32>) -> PyResult<()> {
        self.for_each(py, &agents, |crowd, body| _ = crowd.stop(body))
    }

    /// Takes agents out.
    fn remove(&self, py: Python<'_>, agents: Vec<u32>) -> PyResult<()> {
        self.for_each(py, &agents, |crowd, body| _ = crowd.remove(body))
    }

    /// Lets so many ticks pass, on all cores. A KeyboardInterrupt stops it between two. Returns how many agents are
    /// ``"walking"``, ``"arrived"``, ``"waiting"`` (for a field, or without a way) and ``"buried"`` after the last, and by how much
    /// two of them ``"overlap"`` at most.
    #[pyo3(signature = (ticks=1))]
    fn tick<'py>(&self, py: Python<'py>, ticks: u64) -> PyResult<Bound<'py, PyDict>> {
        let last = watched(py, |watch| {
            let mut walking = self.lock();
            let Walking { crowd, fields, .. } = &mut *walking;
            let mut last = highroad::crowd::CrowdReport::default();
            for _ in 0..ticks {
                if watch.is_stopped() {
                    break;
                }
                let grid = self.walkers.follow(fields);
                while !watch.is_stopped() && fields.advance(SLICE) > 0 {}
                last = crowd.tick(&grid, fields);
            }
            last
        })?;
        let report = PyDict::new(py);
        report.set_item("walking", last.walking)?;
        report.set_item("arrived", last.arrived)?;
        report.set_item("waiting", last.waiting)?;
        report.set_item("buried", last.buried)?;
        let cell_size = self.walkers.map.get().placement.cell_size();
        report.set_item("overlap", last.overlap_max * cell_size)?;
        Ok(report)
    }

    /// The numbers of the agents that the rows of the other arrays are for: all that were not taken out.
    #[getter]
    fn agents<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let numbers = self.with(py, |Walking { crowd, ids, .. }| {
            let number = |id| ids.binary_search(&id).map_or(-1, |number| number as i64);
            crowd.bodies().iter().map(|body| number(body.id())).collect()
        });
        PyArray1::from_vec(py, numbers)
    }

    /// Where every agent is: an array of N × 2, (x, y).
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let placement = self.walkers.map.get().placement;
        self.pairs_of(py, move |body| placement.in_plane(body.position()))
    }

    /// How fast every agent is, a second: an array of N × 2, along x and y.
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let placement = self.walkers.map.get().placement;
        self.pairs_of(py, move |body| placement.along_plane(body.velocity()))
    }

    /// The state of every agent, as a number into ``highroad.CROWD_STATES``.
    #[getter]
    fn states<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let states = self.with(py, |walking| {
            walking.crowd.bodies().iter().map(|body| state_number(body.state())).collect()
        });
        PyArray1::from_vec(py, states)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.with(py, |walking| walking.crowd.bodies().len())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<Crowd of {} agents>", self.__len__(py))
    }
}
