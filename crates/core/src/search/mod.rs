//! Search loops, their open lists, heuristics, and the memory they run in.

mod best_first;
mod bidirectional;
mod depth_first;
mod heuristic;
mod nearest;
mod nodes;
mod open_list;
mod scratch;
mod trace;

pub use best_first::{Limits, Statistics};
pub use heuristic::{Heuristic, HeuristicKind, Weight, WeightError};
pub use scratch::Scratch;
pub use trace::{NoTrace, Observer, Side, TraceEvent, TraceKind, TraceLog};

pub(crate) use best_first::{BestFirst, Outcome, Run, Settings, open_start};
pub(crate) use bidirectional::{Bidirectional, Half, Meeting};
pub(crate) use depth_first::DepthFirst;
pub(crate) use heuristic::GridHeuristic;
pub(crate) use nearest::{Flood, nearest_reachable};
pub(crate) use open_list::{BucketQueue, OpenList, Rising};
pub(crate) use scratch::{Begun, Frontier, push_ancestors};
