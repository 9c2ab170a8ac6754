//! What can be written on the command line about worlds that change.

use clap::Args;
use std::path::PathBuf;

/// Replay a dynamic scenario: patches between queries, every length checked.
///
/// Edit times include what snapshots cost. A planner that cannot follow edits is made anew in the
/// background, and an exact search answers meanwhile. Ends with exit code 1 if any answer breaks what the
/// planner promises.
#[derive(Args)]
#[command(after_help = "\
Examples:
  highroad replay dao_arena2.scen
  highroad replay dao_arena2.scen --planner all --json
  highroad replay dao_arena2.scen --planner subgoal --wait

The format is that of the Grid-Based Path Planning Competition's dynamic track; the file of patches is
looked for beside the scenario.")]
pub(crate) struct ReplayArguments {
    /// The scenario.
    #[arg(value_name = "FILE.scen")]
    pub(crate) scenario: PathBuf,
    /// Planners with their options, separated by commas; or all.
    #[arg(long, value_name = "P,…", default_value = "hpa")]
    pub(crate) planner: String,
    /// Wait for an index that is made anew, as part of the edit.
    #[arg(long)]
    pub(crate) wait: bool,
    /// Print JSON, one object a line, instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}
