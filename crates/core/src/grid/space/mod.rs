//! Grids as spaces to search: their cells, or only the cells where a shortest path may turn.

mod cells;
mod jump_points;
mod nearest;
mod scan;

pub(crate) use cells::WeightedSteps;
pub use cells::{GridSpace, ShapedSteps};

pub(crate) use cells::UniformSteps;
pub(crate) use jump_points::{JumpPoints, SHAPED, serves_jump_points, with_rule};
pub(crate) use nearest::{Frames, NearestMemory, Wanted, nearest_in_few_runs, nearest_reachable};
pub(crate) use scan::{ALWAYS, AT_MOST_ONE, NEVER_CUT};
