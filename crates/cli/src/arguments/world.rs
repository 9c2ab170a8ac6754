//! What can be written on the command line about worlds that change.

use clap::Args;
use highroad::catalog::Spec;
use std::path::PathBuf;

/// More threads than any machine has cores for.
const THREADS_MAX: i64 = 1024;

/// Replay a dynamic scenario: patches between queries, every length checked.
///
/// Edit times include what snapshots cost. A planner that cannot follow edits is rebuilt in the
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
    /// Wait for an index that is rebuilt, as part of the edit.
    #[arg(long)]
    pub(crate) wait: bool,
    /// Print JSON, one object a line, instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Run a dynamic test case, or let a crowd walk on a map that changes.
///
/// A case (FILE.toml) has a map, agents, and changes that come after so many steps; its events are printed,
/// and held against those that it expects: exit code 1 if others happen. A scene is a case with kinds, bodies, crowds, groups and
/// orders, which says what must have come of it at the end. On a map (FILE.map, or
/// builtin:castle) agents walk between random places while random cells change; ticks are measured.
#[derive(Args)]
#[command(after_help = "\
Examples:
  highroad simulate cases/wall-across.toml
  highroad simulate cases/*.toml
  highroad simulate cases/door.toml --watch
  highroad simulate scenes/*.toml --json
  highroad simulate scenes/formation.toml --film march.png --density density.png --flow flow.png
  highroad simulate town.map --agents 10000 --bodies --fields --goals 8
  highroad simulate town.map --agents 10000 --edits 100 --seconds 30 --log events.txt

Everything but the measured times is the same on every machine and any number of threads.")]
pub(crate) struct SimulateArguments {
    /// Cases, or maps.
    #[arg(required = true, value_name = "CASE")]
    pub(crate) cases: Vec<String>,
    /// Draw the simulation in the terminal, as fast as it happens.
    #[arg(long)]
    pub(crate) watch: bool,
    /// Print the events as a case expects them, and nothing else.
    #[arg(long, conflicts_with = "watch")]
    pub(crate) events: bool,
    /// Write where bodies have been as a heat map, a PNG file; of one case.
    #[arg(long, value_name = "FILE.png")]
    pub(crate) density: Option<PathBuf>,
    /// Write how fast bodies went, and where to, as a heat map, a PNG file; of one case.
    #[arg(long, value_name = "FILE.png")]
    pub(crate) flow: Option<PathBuf>,
    /// Write a film of the bodies, an animated PNG file; of one case.
    #[arg(long, value_name = "FILE.png")]
    pub(crate) film: Option<PathBuf>,
    /// The folder that maps of cases are looked for in; without it, HIGHROAD_MAPS.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) maps: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) crowd: CrowdArguments,
}

/// What can be said about a crowd.
#[derive(Args)]
#[command(next_help_heading = "On a map")]
pub(crate) struct CrowdArguments {
    /// The planner and its options.
    #[arg(long, default_value = "hpa")]
    pub(crate) planner: Spec,
    /// How many agents walk.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) agents: u32,
    /// How many random cells change a second.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(crate) edits: u32,
    /// Ticks a second.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) ticks: u32,
    /// How many seconds are simulated.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) seconds: u32,
    /// Cells that an agent walks a second.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) speed: u32,
    /// Expansions that requests may take a tick.
    #[arg(long, value_name = "N", default_value_t = 30_000)]
    pub(crate) budget: u64,
    /// Microseconds that requests may take a tick, instead; then what happens depends on the machine.
    #[arg(long, value_name = "N", conflicts_with = "budget")]
    pub(crate) budget_us: Option<u64>,
    /// Goals in a hundred that no way leads to, where the map has such places.
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=100))]
    pub(crate) unreachable: u8,
    /// Give agents bodies of radius 0.4, which walk in continuous space and avoid each other.
    #[arg(long)]
    pub(crate) bodies: bool,
    /// Let agents follow flow fields, which those with the same goal share.
    #[arg(long)]
    pub(crate) fields: bool,
    /// How many goals there are; without it, every agent has its own each time.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) goals: Option<u32>,
    /// Let agents look for shorter ways when something opens.
    #[arg(long)]
    pub(crate) improve: bool,
    /// Threads to work on; without it, one a core. 0 means that, too.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=THREADS_MAX))]
    pub(crate) threads: u16,
    /// Let ticks come at their time, as in a game, instead of one right after another.
    #[arg(long)]
    pub(crate) paced: bool,
    /// Where the randomness begins.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write the event log to a file.
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// Print JSON, one object a case or map, instead of lines.
    #[arg(long)]
    pub(crate) json: bool,
}
