//! All pairs on several threads: the core's jobs, run by rayon.

use highroad::environment::NodeId;
use highroad::graph::{AllPairs, AllPairsError, AllPairsMethod, FloydWarshall, Graph};
use rayon::prelude::*;

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
    match method {
        AllPairsMethod::FloydWarshall => {
            let mut run = FloydWarshall::new(graph)?;
            while let Some(round) = run.begin_round() {
                let tiles = run.tiles_mut().par_iter_mut().enumerate();
                tiles.for_each(|(index, tile)| round.relax(index, tile));
            }
            AllPairs::of_matrix(graph, run)
        }
        AllPairsMethod::RepeatedDijkstra => {
            AllPairs::check_size(graph)?;
            let view = graph.non_negative()?;
            let nodes = (0..graph.node_count() as u32).into_par_iter().map(NodeId);
            let rows: Vec<_> = nodes.map(|node| AllPairs::row(view, node)).collect();
            AllPairs::of_rows(rows)
        }
    }
}
