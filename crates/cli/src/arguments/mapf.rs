//! What can be written on the command line about plans for teams.

use clap::Args;
use std::path::PathBuf;

/// A number of seconds: not negative, and not "not a number".
fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number >= 0.0);
    number.ok_or_else(|| format!("'{text}' is not a number of seconds"))
}

/// Plan for many agents at once, so that no two are in one cell at a time or change places.
///
/// Steps go four ways and take one unit of time. Agents are those of a multi-agent scenario (one a line), or at random places.
/// Every plan is checked by other code than found it. Ends with exit code 1 if some team has no plan in time.
#[derive(Args)]
#[command(after_help = "\
Examples:
  highroad mapf room-64-64-8.map --scenario room-64-64-8-random-1.scen --agents 100,200,400
  highroad mapf room-64-64-8.map --scenario room-64-64-8-random-1.scen --increase 50
  highroad mapf builtin:rooms --agents 50 --method all
  highroad mapf town.map --agents 200 --improve 5 --save plan.txt --picture plan.png
  highroad mapf town.map --agents 200 --check plan.txt")]
pub(crate) struct MapfArguments {
    /// A map (.map, .png, .tmx, .tmj or .txt), or builtin:NAME.
    pub(crate) map: String,
    /// A multi-agent scenario of MovingAI; without it, agents start and end at random places.
    #[arg(long, value_name = "FILE.scen")]
    pub(crate) scenario: Option<PathBuf>,
    /// How many agents, several numbers separated by commas: one team each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "100", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) agents: Vec<u32>,
    /// Let teams grow by so many agents until one has no plan in time, or there are no more agents.
    #[arg(long, value_name = "N", conflicts_with = "agents", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) increase: Option<u32>,
    /// Methods, separated by commas: lacam, pibt, cooperative, windowed; or all.
    #[arg(long, value_name = "M,…", default_value = "lacam")]
    pub(crate) method: String,
    /// Steps that the method windowed plans at a time.
    #[arg(long, value_name = "STEPS", default_value_t = 16, value_parser = clap::value_parser!(u32).range(2..=1024))]
    pub(crate) window: u32,
    /// Seconds of processor time for each team's first plan.
    #[arg(long, value_name = "S", default_value_t = 30.0, value_parser = seconds)]
    pub(crate) seconds: f64,
    /// Seconds of processor time to make each plan cheaper.
    #[arg(long, value_name = "S", default_value_t = 0.0, value_parser = seconds)]
    pub(crate) improve: f64,
    /// Where randomness begins.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write the last plan to a file: a line for each agent with its cells.
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Plan nothing: check a plan that was saved.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["save", "increase"])]
    pub(crate) check: Option<PathBuf>,
    /// Draw the ways of the last plan, as .png or .svg.
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Option<PathBuf>,
    /// Print JSON, one object a line, instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}
