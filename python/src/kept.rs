//! A world of the engine that threads of Python share: what maps, graphs and meshes have in common.

use crate::interrupt::{in_slices, watched};
use crate::pool::on_all_cores;
use crate::refuse;
use highroad::PathWorld;
use highroad::catalog::Spec;
use highroad::grid::KindId;
use highroad::planner::{Answer, PathQuery, QueryError};
use highroad::world::{Living, Saveable, Snapshot, WorldBuilder};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A world, for one thread at a time. If it never changes, all threads ask one snapshot of it.
pub(crate) struct Kept<E: Living> {
    world: Mutex<PathWorld<E>>,
    fixed: Option<Snapshot<E>>,
}

/// The answer of the engine, or why the query makes no sense.
pub(crate) type Answered<E> = Result<
    Answer<<E as highroad::environment::Environment>::Place>,
    QueryError<<E as highroad::environment::Environment>::Refusal>,
>;

impl<E: Living> Kept<E> {
    pub(crate) fn new(world: PathWorld<E>, is_fixed: bool) -> Self {
        let fixed = is_fixed.then(|| world.snapshot());
        Self { world: Mutex::new(world), fixed }
    }

    /// The world, for this thread alone. Not to be called with the interpreter held: whoever has it may wait for that.
    pub(crate) fn lock(&self) -> MutexGuard<'_, PathWorld<E>> {
        // The engine leaves a world whole where something in it panics.
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the world while other threads of Python run.
    pub(crate) fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut PathWorld<E>) -> T + Send,
    ) -> T {
        py.detach(|| work(&mut self.lock()))
    }

    /// The world as it is now.
    pub(crate) fn view(&self, py: Python<'_>) -> Snapshot<E> {
        match &self.fixed {
            Some(view) => view.clone(),
            None => self.with(py, |world| {
                world.take_over();
                world.snapshot()
            }),
        }
    }

    /// Answers a query on the calling thread. A KeyboardInterrupt stops it.
    pub(crate) fn answer(
        &self,
        py: Python<'_>,
        view: &Snapshot<E>,
        kind: KindId,
        query: &PathQuery<E::Place>,
    ) -> PyResult<Answered<E>> {
        let answer = in_slices(py, |lookout| {
            let mut asked = view.of(kind).expect("the kind was found");
            asked.answer_while(query, || lookout.goes_on())
        })?;
        Ok(answer.expect("what stops it is an error"))
    }

    /// Makes a batch, on all cores. Returns the revision that it leads to.
    pub(crate) fn apply(&self, py: Python<'_>, batch: &E::Batch) -> Result<u64, E::EditError> {
        let revision = self.with(py, |world| on_all_cores(|| world.apply(batch)));
        revision.map(|revision| revision.0)
    }

    pub(crate) fn undo(&self, py: Python<'_>) -> Option<u64> {
        self.with(py, |world| on_all_cores(|| world.undo())).map(|revision| revision.0)
    }

    pub(crate) fn redo(&self, py: Python<'_>) -> Option<u64> {
        self.with(py, |world| on_all_cores(|| world.redo())).map(|revision| revision.0)
    }

    pub(crate) fn finish_rebuilds(&self, py: Python<'_>) {
        self.with(py, |world| on_all_cores(|| world.finish_rebuilds()));
    }

    /// The planners of a kind of agent with what each promises, the preferred one first.
    pub(crate) fn planners(&self, py: Python<'_>, kind: KindId) -> Vec<(String, String)> {
        self.with(py, |world| {
            let planners: Vec<_> = world.planners_of(kind).collect();
            let describe = |planner| {
                let promise = world.guarantee(planner).map(|promise| promise.to_string());
                let name = world.planner_name(planner)?.to_owned();
                Some((name, promise.unwrap_or_else(|| "not ready".to_owned())))
            };
            planners.into_iter().filter_map(describe).collect()
        })
    }

    pub(crate) fn copy(&self, py: Python<'_>, is_fixed: bool) -> Self {
        let copy = self.with(py, |world| {
            world.take_over();
            world.clone()
        });
        Self::new(copy, is_fixed)
    }
}

impl<E: Saveable> Kept<E> {
    /// A world on an environment, with planners by name. A KeyboardInterrupt stops it.
    pub(crate) fn built(py: Python<'_>, environment: E, specs: Vec<Spec>) -> PyResult<Self> {
        let world = watched(py, |watch| {
            let builder = WorldBuilder::from(PathWorld::on(environment));
            specs.into_iter().fold(builder, WorldBuilder::with_planner).build_watched(watch)
        })?;
        Ok(Self::new(world.map_err(refuse)?, false))
    }

    pub(crate) fn save<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = self.with(py, |world| world.save());
        PyBytes::new(py, &bytes)
    }

    pub(crate) fn load(
        py: Python<'_>,
        bytes: &Bound<'_, PyBytes>,
        is_fixed: bool,
    ) -> PyResult<Self> {
        let bytes = bytes.as_bytes();
        let world = watched(py, |watch| PathWorld::load_watched(bytes, |_| None, watch))?;
        Ok(Self::new(world.map_err(refuse)?, is_fixed))
    }
}

/// Planners by name: one, or a list of them, the preferred first.
pub(crate) fn read_specs(planner: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Spec>> {
    let Some(planner) = planner.filter(|planner| !planner.is_none()) else { return Ok(Vec::new()) };
    let names = match planner.cast::<PyString>() {
        Ok(name) => vec![name.to_str()?.to_owned()],
        Err(_) => planner.extract::<Vec<String>>()?,
    };
    names.iter().map(|name| name.parse::<Spec>().map_err(refuse)).collect()
}
