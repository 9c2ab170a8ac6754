//! Teaching, apart from its drawing: what happens in each step, how algorithms read, how heuristics compare, why a path
//! costs what it costs, and lessons.
//!
//! Everything here works on a recorded search at one position, and says nothing about later ones.
//!
//! | file | what it holds |
//! |---|---|
//! | `counting.rs` | how a planner orders its open list, and in what it counts |
//! | `open_list.rs` | the open list at a position, as a table in its order |
//! | `steps.rs` | one sentence about a step |
//! | `pseudocode.rs` | each algorithm as lectures write it, and which line a step is at |
//! | `textbook.rs` | the plain form of a planner, and what the optimised one does differently |
//! | `recording.rs`, `on_cells.rs` | a query, answered and recorded; planners of graphs on the cells of a map |
//! | `heuristics.rs` | A\* with several heuristics on one map |
//! | `explain.rs` | why a path costs what it costs, and what an edit would change |
//! | `copy.rs` | a query as a Rust program and as a command |
//! | `lesson/` | lessons as files, and how one goes through them |

mod copy;
mod counting;
mod explain;
mod heuristics;
pub mod lesson;
mod on_cells;
mod open_list;
mod pseudocode;
mod recording;
mod steps;
mod textbook;

pub use copy::{CopiedQuery, as_command, as_rust};
pub use counting::{Amounts, Counting, KeyKind, number};
pub use explain::{
    CostPart, CostSource, EditEffect, PathCosts, best_without, effect_of, explain_path,
};
pub use heuristics::{Comparison, ComparisonRow, compare_heuristics};
pub use on_cells::{CellsRecipe, build_for_cells, planners_of_cells, serves_cells};
pub use open_list::{OpenEntry, OpenList};
pub use pseudocode::{Pseudocode, PseudocodeLine, pseudocode};
pub use recording::{Recording, record};
pub use steps::{
    Names, PHASE_NAMES, next_step, phase_help, phase_name, previous_step, sentence, sentence_with,
};
pub use textbook::{Textbook, TextbookForm, textbook_form};
