//! The tests that every planner must pass.
//!
//! A planner that is written outside of Highroad is tested like those of the catalog: [`check_grid`] asks a planner of
//! grids every hand-made [case](all_cases) and many random questions, and compares the answers with an [`Oracle`], a
//! plain Dijkstra that shares no code with the searches. [`check_graph`] does the same for planners of graphs,
//! [`check_mesh`] for planners of meshes.
//!
//! What is checked:
//! * a path is found exactly if there is one, each step of it is legal, its cost is right and keeps the planner's
//!   declared [guarantee](highroad_core::Guarantee); otherwise the answer leads to the nearest reachable cell;
//! * however a query is sliced, the answer and the statistics are the same, and no slice is exceeded;
//! * a traced query gives the same answer, and its trace agrees with the statistics;
//! * used scratch memory is as good as fresh memory;
//! * limits of expansions and of cost hold;
//! * a query that an edit has outdated reports that it is stale, as does one that is answered or refused;
//! * after random edits the planner either follows, and its invariants and answers are right, or it asks to be built
//!   again and refuses queries until then; a copy leaves the original as it was.
//!
//! ```
//! use highroad_core::GridSearch;
//! use highroad_suite::{Candidate, Rounds, check_grid};
//!
//! let astar = Candidate::new(|_grid| Some(Box::new(GridSearch::astar())));
//! let summary = check_grid(&astar, Rounds::new(5)).expect("A* passes");
//! assert!(summary.checks > 100);
//! ```

mod candidate;
mod cases;
mod catalog;
mod checks;
mod graph;
mod grid;
mod mesh;
mod oracle;
mod outcome;
mod posed;
mod random;
mod situation;
mod squares;

pub use candidate::Candidate;
pub use cases::{Case, Expected, all_cases, parse_cases};
pub use catalog::{option_values, variants, variants_serving};
pub use graph::{GraphSituation, check_graph};
pub use grid::check_grid;
pub use mesh::{MeshSituation, check_mesh};
pub use oracle::{Measure, Oracle, Reach, remoteness};
pub use outcome::{Failure, Failures, Rounds, Summary};
pub use posed::query_between;
pub use random::Random;
pub use situation::Situation;
pub use squares::SquareMesh;
