//! Planners that precompute nothing: searches on the environment itself, right at once after any edit.

mod entries;
mod estimates;
mod graph;
mod grid;
mod jump_points;
mod map_path;
mod mesh;
mod search;
mod searchable;
mod tree;

pub use estimates::{Distance, Estimates};
pub use jump_points::JumpPointSearch;
pub use map_path::online_search;
pub use mesh::{AnyAngle, Funnel};
pub use search::{GraphSearch, GridSearch, Search};
pub use tree::ShortestPathTree;

pub(crate) use entries::{
    ASTAR, BFS, BIDIRECTIONAL, DEPTH_FIRST, DIJKSTRA, GREEDY, JUMP_POINTS, WEIGHTED_ASTAR,
};
pub(crate) use grid::Exploration;
pub(crate) use mesh::{ANY_ANGLE, FUNNEL};
pub(crate) use tree::{path_over, reached_cells};

#[cfg(test)]
pub(crate) mod tests;
