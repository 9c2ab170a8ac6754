//! Search loops, their open lists, and the memory they run in. They know spaces and heuristics, and no environment.

mod any_order;
mod best_first;
mod bidirectional;
mod depth_first;
mod drawn;
mod heuristic;
mod method;
mod nodes;
mod open_list;
mod ties;
mod trace;
mod workspace;

pub use best_first::{Limits, Statistics};
pub use drawn::DrawnPath;
pub use heuristic::{Heuristic, NoHeuristic, Weight, WeightError};
pub use ties::TieRule;
pub use trace::{NoTrace, SearchObserver, Side, TraceEvent, TraceKind, TraceLog};

pub(crate) use any_order::AnyOrderQueue;
pub(crate) use best_first::{BestFirst, Outcome, Run, Settings, open_start};
pub(crate) use heuristic::{ESTIMATE_MAX, Weighted};
pub(crate) use method::{Method, Plan, Queue};
pub(crate) use nodes::NodeTable;
pub(crate) use open_list::{BucketQueue, OpenList, Rising};
pub(crate) use trace::Relabelled;
pub(crate) use workspace::{Frontier, Workspace, push_ancestors};
