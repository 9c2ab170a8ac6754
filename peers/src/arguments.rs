//! What can be written on the command line.

use clap::{Parser, ValueEnum};
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
  highroad-peers town.map maze.map --out tables/        peers.md and peers.csv
  highroad-peers town.map --planner astar,dijkstra --queries 50
  highroad-peers town.map --planner hpa --edits 1000 --without pathfinding
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
    /// Planners of ours, with their options, separated by commas. Those that the catalog does not have, or that do not
    /// serve a map, are left out with a word.
    #[arg(long, value_name = "P,…", default_value = "astar,jps,hpa,pra,subgoal,ch,hub-labels")]
    pub(crate) planner: String,
    /// The peers to measure, by library or full name, or all; if none is named, all that are built in but
    /// fast_paths, which takes minutes to prepare.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) peer: Vec<String>,
    /// Peers to leave out.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) without: Vec<String>,
    /// How many random cells to change, one by one, after the queries.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) edits: u32,
    /// Write peers.md and peers.csv into this folder, instead of printing tables.
    #[arg(long, value_name = "FOLDER", conflicts_with = "format")]
    pub(crate) out: Option<PathBuf>,
    /// How the tables are printed.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Print JSON, one object a line, instead of a table.
    #[arg(long, conflicts_with_all = ["out", "format"])]
    pub(crate) json: bool,
}

/// How tables are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For a terminal.
    #[default]
    Text,
    /// For a page.
    Markdown,
    /// For a program: bare numbers, units in the heads.
    Csv,
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
