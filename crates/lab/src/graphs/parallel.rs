//! All pairs on several threads: the core's jobs, run by rayon.

use highroad::environment::NodeId;
use highroad::graph::{AllPairs, AllPairsError, AllPairsMethod, FloydWarshall, Graph, TreeRow};
use highroad::world::BuildWatch;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

/// Shortest paths between all pairs, on as many threads as there are; the same table as on one.
///
/// ```
/// use highroad::environment::NodeId;
/// use highroad::graph::AllPairsMethod;
/// let graph = highroad_lab::graphs::lecture();
/// for method in [AllPairsMethod::FloydWarshall, AllPairsMethod::RepeatedDijkstra] {
///     let table = highroad_lab::graphs::all_pairs(&graph, method)?;
///     assert_eq!(table.cost(NodeId(0), NodeId(9)), Some(15));
/// }
/// # Ok::<(), highroad::graph::AllPairsError>(())
/// ```
pub fn all_pairs(graph: &Graph, method: AllPairsMethod) -> Result<AllPairs, AllPairsError> {
    all_pairs_watched(graph, method, &BuildWatch::default())
}

/// As [`all_pairs`], with progress, in rounds or rows. Fails with [`AllPairsError::Stopped`] when the watch is stopped,
/// from any thread.
///
/// ```
/// use highroad::graph::{AllPairsError, AllPairsMethod};
/// use highroad::world::BuildWatch;
/// use highroad_lab::graphs::{all_pairs_watched, lecture};
/// let watch = BuildWatch::default();
/// watch.stop();
/// let stopped = all_pairs_watched(&lecture(), AllPairsMethod::FloydWarshall, &watch);
/// assert_eq!(stopped.err(), Some(AllPairsError::Stopped));
/// ```
pub fn all_pairs_watched(
    graph: &Graph,
    method: AllPairsMethod,
    watch: &BuildWatch,
) -> Result<AllPairs, AllPairsError> {
    let nodes = graph.node_count() as u32;
    let done = AtomicU64::new(0);
    let one_more = || match watch.report(done.fetch_add(1, Ordering::Relaxed), u64::from(nodes)) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(AllPairsError::Stopped),
    };
    match method {
        AllPairsMethod::FloydWarshall => {
            let mut run = FloydWarshall::new(graph)?;
            while let Some(round) = run.begin_round() {
                one_more()?;
                let tiles = run.tiles_mut().par_iter_mut().enumerate();
                tiles.for_each(|(index, tile)| {
                    if !watch.is_stopped() {
                        round.relax(index, tile);
                    }
                });
            }
            if watch.is_stopped() {
                return Err(AllPairsError::Stopped);
            }
            AllPairs::of_matrix(graph, run)
        }
        AllPairsMethod::RepeatedDijkstra => {
            AllPairs::check_size(graph)?;
            let view = graph.non_negative()?;
            let rows = (0..nodes).into_par_iter().map(|node| {
                one_more()?;
                Ok(AllPairs::row(view, NodeId(node)))
            });
            let rows: Vec<TreeRow> = rows.collect::<Result<_, AllPairsError>>()?;
            AllPairs::of_rows(rows)
        }
    }
}
