//! What can be written on the command line about reports.

use super::{parse_rule, parse_sample, parse_steps};
use clap::Args;
use highroad::grid::{MovementRule, SIDE_MAX, StepCosts};
use highroad_lab::workload::Sample;
use std::path::PathBuf;

/// Measure planners on many maps and write a page of tables and plots.
///
/// Writes index.html (all in one file, for any browser, without network), report.md, summary.csv and queries.csv
/// (a row per query and planner) into a folder. What is measured is kept there at once: break it off at any time,
/// and the same command goes on where it was. What was measured with other settings, by another build or on
/// another processor is measured again. Ends with exit code 1 if any answer is wrong or breaks a planner's promise.
#[derive(Args)]
#[command(after_help = "\
Examples:
  highroad report                                         on maps of its own
  highroad report --maps maps/ --out report               every map below a folder; its folders are sets
  highroad report --maps maps/dao --planner astar,jps,ch,hpa --queries 500 --growth none
  highroad report --growth 512,1024 --growth-queries 10   smaller maps of rising size

A map is measured on the scenario file beside it (town.map.scen), or on seeded random queries where there is none.
How to read the result: docs/reading-the-numbers.md.")]
pub(crate) struct ReportArguments {
    /// A folder of maps, or a map; can be given several times. Without it, maps that come with the program and
    /// generated ones.
    #[arg(long, value_name = "DIR")]
    pub(crate) maps: Vec<PathBuf>,
    /// The folder to write.
    #[arg(long, short, value_name = "DIR", default_value = "highroad-report")]
    pub(crate) out: PathBuf,
    /// Planners with their options, separated by commas; or all.
    #[arg(long, value_name = "P,…", default_value = "all")]
    pub(crate) planner: String,
    /// How many queries a map, spread over its scenario; or all.
    #[arg(long, value_name = "N", default_value = "100", value_parser = parse_sample)]
    pub(crate) queries: Sample,
    /// How many measured passes over the queries; the smallest time of each query counts.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(3..))]
    pub(crate) passes: u8,
    /// Sides of generated maps on which growth is measured, separated by commas; or none.
    #[arg(long, value_name = "N,…", default_value = "512,1024,2048,4096", value_parser = parse_sides)]
    pub(crate) growth: Sides,
    /// How many queries on each of these.
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) growth_queries: u16,
    /// How long the queries of one planner on one map may take; then fewer are asked.
    #[arg(long, value_name = "S", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) seconds_per_unit: u32,
    /// Do not build what would take longer, judging by other maps of the set.
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) build_seconds: u32,
    /// Do not build what would take more memory, judging by other maps of the set.
    #[arg(long, value_name = "MB", default_value_t = 6_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) memory: u32,
    /// Where random queries, generated maps and the order of queries begin.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Which steps are allowed: four-way, never-cut-corners, at-most-one-obstacle or always-diagonal.
    #[arg(long, default_value = MovementRule::default().name(), value_parser = parse_rule)]
    pub(crate) rule: MovementRule,
    /// What steps cost: exact, thesis (1 and 1.4), unit, or a pair of whole numbers such as 5/7.
    #[arg(long, value_name = "S/D", default_value = "exact", value_parser = parse_steps)]
    pub(crate) steps: StepCosts,
    /// Measure worst cases (see bench --worst) on a generated map, with so many ticks each; 0 leaves them out. They are
    /// measured again each time.
    #[arg(long, value_name = "TICKS", default_value_t = 100)]
    pub(crate) worst: u32,
    /// Take over what another build of the program or another processor has measured; the page names them.
    #[arg(long)]
    pub(crate) any_build: bool,
}

/// Sides of maps.
#[derive(Clone)]
pub(crate) struct Sides(pub(crate) Vec<u32>);

fn parse_sides(text: &str) -> Result<Sides, String> {
    if text == "none" {
        return Ok(Sides(Vec::new()));
    }
    let side = |text: &str| match text.trim().parse() {
        Ok(side @ 16..=SIDE_MAX) => Ok(side),
        _ => Err(format!("write sides from 16 to {SIDE_MAX}, such as 512,1024; or none")),
    };
    let mut sides: Vec<u32> = text.split(',').map(side).collect::<Result<_, _>>()?;
    sides.sort_unstable();
    sides.dedup();
    Ok(Sides(sides))
}
