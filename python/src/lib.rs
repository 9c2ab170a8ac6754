//! The engine for Python: arrays in, paths out.
//!
//! Everything that Python sees counts cells as (row, column); the engine counts them as (column, row). `cells.rs` is the one
//! place that turns one into the other. `kept.rs` is what maps, graphs and meshes have in common: a world that threads share;
//! `map.rs` what grids and worlds have in common: all queries. `batch.rs` finds many paths. `interrupt.rs` lets a
//! KeyboardInterrupt stop long calls, and `pool.rs` holds the threads.

mod batch;
mod cells;
mod costs;
mod fields;
mod flow;
mod graph;
mod grid;
mod interrupt;
mod kept;
mod map;
mod mesh;
mod movement;
mod options;
mod path;
mod picture;
mod placement;
mod pool;
mod relief;
mod selection;
mod simulation;
mod tables;
mod team;
mod world;

use pyo3::prelude::*;

pyo3::create_exception!(
    highroad,
    HighroadError,
    pyo3::exceptions::PyValueError,
    "Something in the arguments makes no sense; the message says what, and where."
);

/// An error in the library's own words.
fn refuse(message: impl ToString) -> PyErr {
    HighroadError::new_err(message.to_string())
}

#[pymodule]
mod _highroad {
    #[pymodule_export]
    use super::HighroadError;
    #[pymodule_export]
    use super::flow::{Crowd, FlowField};
    #[pymodule_export]
    use super::graph::{Graph, GraphPath, NegativeCycleError};
    #[pymodule_export]
    use super::grid::Grid;
    #[pymodule_export]
    use super::map::Map;
    #[pymodule_export]
    use super::map::planners;
    #[pymodule_export]
    use super::mesh::{Mesh, MeshPath};
    #[pymodule_export]
    use super::path::{Path, Paths};
    #[pymodule_export]
    use super::picture::read_map_text;
    #[pymodule_export]
    use super::simulation::Simulation;
    #[pymodule_export]
    use super::team::TeamPlan;
    #[pymodule_export]
    use super::world::{Ticket, World};
}
