//! Paths read off a field: one search, and a path to each of many goals.

use highroad_core::{Cell, Field, Path};

/// The path from a field's source to each goal. The search goes on until it has reached all of them, or
/// no cell is left.
pub(crate) fn paths_to_each(field: &mut Field, goals: &[Cell]) -> Vec<Option<Path>> {
    let path = |&goal: &Cell| {
        let reachable = field.grid().is_enterable(goal) && field.settle(goal).is_some();
        reachable.then(|| field.path_to(goal)).flatten()
    };
    goals.iter().map(path).collect()
}
