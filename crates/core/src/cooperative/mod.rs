//! Agents in each other's way: plans for a whole team, in which no two agents are in one cell at a time and none swap.
//!
//! Time goes in steps. In each, every agent waits or goes to one of the four neighbouring cells. A [`Team`] is a grid with a
//! start and a goal for each agent. A [`TeamSearch`] plans for it by one of four [methods](TeamMethod), in slices, and goes on
//! to improve what it has found. A [`TeamPlan`] says where everybody is at each time, can be written as text, and is checked
//! by code that shares nothing with the searches ([`TeamPlan::check`]).
//!
//! | method | plans | complete |
//! |---|---|---|
//! | priority inheritance (PIBT) | step by step, thousands of agents in microseconds each | no: it may go in circles |
//! | lazy constraints (LaCAM) | a search over places of all agents, with PIBT for each step | yes |
//! | cooperative A* | one agent after the other, around those before it | no |
//! | windowed cooperative A* | the same for a few steps ahead, in turns | no |
//!
//! Reading order: `floor.rs` (cells as bits), `approach.rs` (the way to a goal, a bit a cell), `team.rs`, `plan.rs`, `check.rs`;
//! `pibt.rs`, `lacam.rs`; `reserved.rs`, `timed.rs` (one agent around others), `windowed.rs`; `improve.rs`; `search.rs`.
//!
//! Beside the planners of the catalog: those answer for one agent on the map as it is, and know no time.

mod approach;
mod check;
mod floor;
mod improve;
mod lacam;
mod pibt;
mod plan;
mod random;
mod reserved;
mod search;
mod team;
#[cfg(test)]
mod tests;
mod timed;
mod windowed;

pub use check::Conflict;
pub use plan::{PlanTextError, TeamPlan};
pub use search::{TeamMethod, TeamOptions, TeamSearch, TeamState};
pub use team::{Team, TeamError};
