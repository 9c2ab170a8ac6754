//! The hot loops of Highroad, each by a name, on maps that are made on the spot.
//!
//! Two programs run them: `cargo bench` measures their time, and `instructions` counts their instructions under
//! valgrind, where a number must be stable. Reading order: [`loops`] is the list, [`baseline`] how runs are compared.

pub mod baseline;
mod graphs;
mod grids;

use highroad::Cell;
use highroad::grid::{Components, Grid};

/// The cells of the largest connected part of a grid, row by row; none if nothing can be entered.
pub fn largest_part(grid: &Grid) -> Vec<Cell> {
    let components = Components::of(grid);
    let sizes = (0u32..).zip(components.sizes());
    let largest = sizes.max_by_key(|(_, size)| **size).map(|(number, _)| number);
    let numbered = grid.extent().cells().zip(components.numbers());
    let of_largest = numbered.filter(|(_, number)| Some(**number) == largest);
    of_largest.map(|(cell, _)| cell).collect()
}

/// Something that is done over and over.
pub struct HotLoop {
    /// What it is called: `query hpa`.
    pub name: String,
    /// How many operations one round has.
    pub operations: u64,
    prepare: Box<dyn Fn() -> Round>,
}

/// One round of a loop, ready to be run as often as wanted. Every round does the same.
pub type Round = Box<dyn FnMut()>;

impl HotLoop {
    fn new(
        name: impl Into<String>,
        operations: u64,
        prepare: impl Fn() -> Round + 'static,
    ) -> Self {
        Self { name: name.into(), operations, prepare: Box::new(prepare) }
    }

    /// Makes everything ready that does not count.
    pub fn prepare(&self) -> Round {
        (self.prepare)()
    }
}

/// How large the maps and graphs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Columns and rows of the map.
    pub side: u32,
    /// Nodes of the road-like graph.
    pub road_nodes: u32,
    /// Nodes of the graph for all pairs.
    pub matrix_nodes: u32,
}

impl Scale {
    /// For times: as large as maps of games are.
    pub const USUAL: Self = Self { side: 512, road_nodes: 50_000, matrix_nodes: 256 };
    /// For counting, where everything takes fifty times as long.
    pub const SMALL: Self = Self { side: 128, road_nodes: 2_000, matrix_nodes: 96 };
}

/// Every hot loop whose name is wanted: each planner's queries, builds and edits, fields, paths, agents, graphs,
/// reading a map.
pub fn loops(scale: Scale, wanted: impl Fn(&str) -> bool) -> Vec<HotLoop> {
    let mut loops = grids::loops(scale, &wanted);
    loops.extend(graphs::loops(scale));
    loops.retain(|one| wanted(&one.name));
    loops
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_loop_has_a_name_of_its_own_and_runs_twice() {
        let scale = Scale { side: 40, road_nodes: 60, matrix_nodes: 20 };
        let loops = loops(scale, |_| true);
        let names: HashSet<&str> = loops.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names.len(), loops.len());
        for entry in highroad::catalog::CATALOG.iter().filter(|entry| entry.grid.is_some()) {
            assert!(names.contains(format!("query {}", entry.name).as_str()), "{}", entry.name);
        }
        for expected in
            ["edit hpa", "edit pra", "build ch", "field", "crowd", "smooth", "parse map"]
        {
            assert!(names.contains(expected), "{expected} among {names:?}");
        }
        for one in &loops {
            assert!(one.operations > 0, "{}", one.name);
            let mut round = one.prepare();
            round();
            round();
        }
        let edits = super::loops(scale, |name| name.starts_with("edit"));
        assert!(edits.len() >= 2 && edits.iter().all(|one| one.name.starts_with("edit")));
    }
}
