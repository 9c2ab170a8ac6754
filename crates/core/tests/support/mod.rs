//! The planners of the catalog, for tests of what all of them have in common.

// Every file of tests is a program of its own and uses its part of this.
#![allow(dead_code)]

use highroad_core::{CATALOG, Cataloged, Grid, Planner, Spec};

/// Every planner of the catalog that serves an environment, with its usual options.
pub(crate) fn usual_specs<E: Cataloged>(environment: &E) -> Vec<Spec> {
    let served = CATALOG.iter().filter(|entry| entry.serves(environment).is_ok());
    served.map(|entry| Spec::usual(entry)).collect()
}

/// A planner by its text on the command line.
pub(crate) fn spec(text: &str) -> Spec {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A planner for a grid that it serves.
pub(crate) fn build(spec: &Spec, grid: &Grid) -> Box<dyn Planner> {
    spec.build(grid).unwrap_or_else(|error| panic!("{spec}: {error}"))
}
