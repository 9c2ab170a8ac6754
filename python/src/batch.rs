//! Many paths at once.

use crate::cells::explain;
use crate::costs::Ground;
use crate::map::price;
use crate::path::FoundPaths;
use crate::refuse;
use highroad::grid::{Grid as EngineGrid, KindId};
use highroad::planner::{Answer, PathQuery};
use highroad::world::{BuildWatch, Snapshot};
use pyo3::prelude::*;
use rayon::prelude::*;

/// The first query that makes no sense is an error that names its row.
pub(crate) fn check_all(grid: &EngineGrid, queries: &[PathQuery]) -> PyResult<()> {
    for (row, query) in queries.iter().enumerate() {
        query.check(grid).map_err(|error| refuse(format!("row {row}: {}", explain(&error))))?;
    }
    Ok(())
}

/// The most queries that one thread answers before others may take over.
const BLOCK: usize = 256;

/// Answers queries on all cores, in blocks that are written to flat numbers where they were found. `None` if it was stopped.
pub(crate) fn find_all(
    view: &Snapshot,
    kind: KindId,
    ground: Ground,
    queries: &[PathQuery],
    watch: &BuildWatch,
) -> Option<FoundPaths> {
    let block = (queries.len() / (8 * rayon::current_num_threads())).clamp(1, BLOCK);
    let blocks = queries.par_chunks(block).map_init(
        || view.of(kind).expect("the kind was found"),
        |asked, queries| {
            let grid = asked.environment();
            let mut found = FoundPaths::default();
            for query in queries {
                match asked.answer_while(query, || !watch.is_stopped())? {
                    Ok(Answer::Found(path)) => {
                        found.push(path.cells(), price(grid, ground, path.cost()), false);
                    }
                    Ok(_) => found.push(&[], f64::INFINITY, false),
                    Err(_) => found.push(&[], f64::INFINITY, true),
                }
            }
            Some(found)
        },
    );
    blocks.collect::<Option<Vec<_>>>().map(FoundPaths::joined)
}
