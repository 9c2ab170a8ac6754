//! Search loops, their open lists, heuristics, and the memory they run in.

mod any_order;
mod best_first;
mod bidirectional;
mod depth_first;
mod heuristic;
mod nearest;
mod nodes;
mod open_list;
mod scratch;
mod ties;
mod trace;

pub use best_first::{Limits, Statistics};
pub use heuristic::{Heuristic, HeuristicKind, Weight, WeightError};
pub use scratch::Scratch;
pub use ties::TieRule;
pub use trace::{NoTrace, Observer, Side, TraceEvent, TraceKind, TraceLog};

pub(crate) use any_order::AnyOrderQueue;
pub(crate) use best_first::{BestFirst, Outcome, Run, Settings, open_start, open_start_at};
pub(crate) use bidirectional::{Bidirectional, Half, Meeting};
pub(crate) use depth_first::DepthFirst;
pub(crate) use heuristic::GridHeuristic;
pub(crate) use nearest::{Flood, nearest_reachable};
pub(crate) use nodes::NodeTable;
pub(crate) use open_list::{BucketQueue, OpenList, Rising};
pub(crate) use scratch::{Begun, Frontier, push_ancestors};
pub(crate) use ties::TieQueue;
