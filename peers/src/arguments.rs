//! What can be written on the command line.

use clap::Parser;
use std::path::PathBuf;

/// Measure other libraries beside Highroad: the same maps, the same queries, one process.
///
/// Every contestant answers all queries once to warm up, then in three passes in which the order of
/// contestants rotates; the smallest time of each query counts. Paths are checked step by step
/// against the rule by which a contestant moves, and their lengths are measured with straight steps of
/// 1 and diagonals of √2, whatever a contestant itself counts.
#[derive(Parser)]
#[command(name = "highroad-peers", version, about, max_term_width = 100)]
#[command(after_help = "\
Examples:
  highroad-peers town.map
  highroad-peers town.map --planner astar,dijkstra --queries 50
  highroad-peers town.map --planner hpa --edits 100 --without pathfinding
  highroad-peers maps/ --json > peers.jsonl

A map is measured on the scenario file beside it (town.map.scen), or on seeded random queries where
there is none. Ratios are against the first planner of ours: its own are 1, and 3 means three times
as slow.")]
pub(crate) struct Arguments {
    /// Maps, scenarios, or folders of them.
    #[arg(required = true, value_name = "MAP")]
    pub(crate) maps: Vec<PathBuf>,
    /// How many queries a map, spread over its scenario.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) queries: u32,
    /// Planners of ours, with their options, separated by commas.
    #[arg(long, value_name = "P,…", default_value = "astar")]
    pub(crate) planner: String,
    /// The peers to measure, by library or full name; if none is named, all that are built in but
    /// fast_paths, which takes minutes to prepare.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) peer: Vec<String>,
    /// Peers to leave out.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) without: Vec<String>,
    /// How many random cells to change, one by one, after the queries.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) edits: u32,
    /// Print JSON, one object a line, instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_well_formed() {
        Arguments::command().debug_assert();
        assert!(Arguments::try_parse_from(["highroad-peers", "x.map", "--queries", "0"]).is_err());
        let line = ["highroad-peers", "x.map", "--without", "a,b", "--without", "c d"];
        assert_eq!(Arguments::try_parse_from(line).unwrap().without, ["a", "b", "c d"]);
        assert!(Arguments::try_parse_from(["highroad-peers"]).is_err());
    }
}
