//! Loading saved indexes: refused, or something that answers.
#![no_main]

use highroad::grid::Grid;
use highroad::index::{ChIndex, HubLabels, SubgoalGraph};
use highroad::planner::{PathQuery, Planner, Scratch};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let map = "......\n.##.#.\n....#.\n.#....\n".parse().expect("a drawing");
    let grid = Grid::with_defaults(map);
    let query = PathQuery::new((0, 0), (5, 3));
    if let Ok(index) = SubgoalGraph::load(bytes, &grid) {
        let _ = index.solve(&grid, &query, &mut Scratch::new());
    }
    if let Ok(index) = HubLabels::load(bytes, &grid) {
        let _ = index.solve(&grid, &query, &mut Scratch::new());
    }
    if let Ok(index) = ChIndex::load(bytes, &grid) {
        let _ = index.solve(&grid, &query, &mut Scratch::new());
    }
});
