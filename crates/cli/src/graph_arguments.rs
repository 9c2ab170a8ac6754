//! What can be written after `highroad graph` and `highroad puzzle`.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Shortest paths on graphs of any kind: files, road-like networks, maps.
#[derive(Args)]
#[command(after_help = "\
Examples:
  highroad graph solve builtin:lecture --from s --to t --search astar --heuristic manhattan
  highroad graph solve roads:10000 --from 3 --to 4000 --search regions:size=200
  highroad graph trace builtin:lecture --from s --to t --ties smaller-id
  highroad graph all-pairs network.gr --from 1 --to 70
  highroad graph bellman-ford trades.txt --from euro
  highroad graph facilities town.json --at hospital,station
  highroad graph study roads:100000

A GRAPH is a file (DIMACS .gr with the .co beside it, .json or .toml, else an edge list `from to weight`),
builtin:lecture, roads:NODES or roads:NODES:SEED for a network made on the spot, or map:FILE for the cells of
a map.")]
pub(crate) struct GraphArguments {
    #[command(subcommand)]
    pub(crate) command: GraphCommand,
}

#[derive(Subcommand)]
pub(crate) enum GraphCommand {
    /// Find one path and describe it.
    Solve {
        #[command(flatten)]
        run: RunArguments,
        /// Print every node of the path.
        #[arg(long)]
        nodes: bool,
    },
    /// Print a search stage by stage, as lectures do: the node chosen, what is known, what is finished.
    Trace {
        #[command(flatten)]
        run: RunArguments,
        /// How the table is written.
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Shortest paths between all pairs of nodes.
    AllPairs {
        /// The graph.
        graph: String,
        /// How they are found; auto chooses by density.
        #[arg(long, value_enum, default_value_t)]
        method: PairsMethod,
        /// Print the path from this node (needs `--to`).
        #[arg(long, requires = "to")]
        from: Option<String>,
        /// … to this one.
        #[arg(long, requires = "from")]
        to: Option<String>,
        /// Use one thread only.
        #[arg(long)]
        one_thread: bool,
    },
    /// Shortest paths from a node along edges of any sign, or the negative cycle that forbids them.
    BellmanFord {
        /// The graph.
        graph: String,
        /// Where paths begin.
        #[arg(long)]
        from: String,
        /// Print the path to this node only.
        #[arg(long)]
        to: Option<String>,
    },
    /// For every node the nearest of some facilities, and the next step there.
    Facilities {
        /// The graph.
        graph: String,
        /// The facilities, separated by commas.
        #[arg(long, value_delimiter = ',', required = true)]
        at: Vec<String>,
        /// Print the whole way from this node only.
        #[arg(long)]
        from: Option<String>,
    },
    /// Dijkstra, A*, regions and every heuristic on one graph: time, nodes, quality.
    Study {
        /// The graph.
        graph: String,
        /// What is compared.
        #[arg(long, value_enum, default_value_t)]
        what: StudyKind,
        /// Nodes in a region, or in a cluster.
        #[arg(long, default_value_t = 400)]
        region: usize,
        /// How many random queries.
        #[arg(long, default_value_t = 100)]
        queries: usize,
        /// Where the randomness begins.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Write a road-like network as DIMACS .gr and .co. Both say in their first line how they were made.
    Generate {
        /// How many nodes.
        #[arg(long, default_value_t = 10_000)]
        nodes: u32,
        /// Where the randomness begins.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Make the network of this file once more: the same bytes.
        #[arg(long, value_name = "FILE.gr", conflicts_with_all = ["nodes", "seed"])]
        like: Option<PathBuf>,
        /// The .gr file; the .co goes beside it.
        #[arg(long, short, value_name = "FILE.gr")]
        out: PathBuf,
        /// Write over files that are there.
        #[arg(long)]
        force: bool,
    },
}

#[derive(Args)]
pub(crate) struct RunArguments {
    /// The graph.
    pub(crate) graph: String,
    /// The start, by its name or its number from 0.
    #[arg(long)]
    pub(crate) from: String,
    /// The goal.
    #[arg(long)]
    pub(crate) to: String,
    /// Which planner: any that `highroad planners` lists for graphs, with its options.
    #[arg(long, value_name = "NAME[:OPTION=VALUE…]", default_value = "dijkstra")]
    pub(crate) search: String,
    /// What estimates come from: short for the option heuristic of the planner.
    #[arg(long)]
    pub(crate) heuristic: Option<String>,
    /// By how much estimates are multiplied, short for the option weight or scale.
    #[arg(long, value_name = "FACTOR")]
    pub(crate) weight: Option<String>,
    /// Which of equal nodes is taken first, short for the option ties: newest, larger-g or smaller-id.
    #[arg(long, value_name = "RULE")]
    pub(crate) ties: Option<String>,
    /// Nodes in a region or in a cluster, short for the option size or cluster.
    #[arg(long, value_name = "NODES")]
    pub(crate) region: Option<String>,
    /// What a step between regions costs, short for the option connection: minimum, maximin or average.
    #[arg(long, value_name = "COST")]
    pub(crate) connection: Option<String>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    #[default]
    Text,
    Markdown,
    Csv,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PairsMethod {
    #[default]
    Auto,
    FloydWarshall,
    Dijkstra,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum StudyKind {
    /// Searches and regions.
    #[default]
    Regions,
    /// Heuristics, with clusters.
    #[value(alias = "guides")]
    Heuristics,
}

/// The 8 and the 15 puzzle.
#[derive(Args)]
#[command(after_help = "\
Examples:
  highroad puzzle solve '8 6 7  2 5 4  3 0 1' --boards
  highroad puzzle solve '1 2 3  4 0 5  7 8 6' --search astar --tree tree.svg
  highroad puzzle scramble --side 4 --moves 60 --seed 3
  highroad puzzle survey
  highroad puzzle instances korf100.txt

Boards are written row by row; 0 is the blank. Moves are those of the blank.")]
pub(crate) struct PuzzleArguments {
    #[command(subcommand)]
    pub(crate) command: PuzzleCommand,
}

#[derive(Subcommand)]
pub(crate) enum PuzzleCommand {
    /// Find a solution.
    Solve {
        /// The board.
        board: String,
        /// The goal; without it tiles in order and the blank last.
        #[arg(long)]
        goal: Option<String>,
        /// Which search.
        #[arg(long, value_enum, default_value_t)]
        search: PuzzleSearch,
        /// What estimates come from.
        #[arg(long, value_enum, default_value_t)]
        heuristic: PuzzleEstimates,
        /// By how much estimates are multiplied (A* only).
        #[arg(long, default_value_t = 1.0)]
        weight: f64,
        /// Print every board on the way.
        #[arg(long)]
        boards: bool,
        /// Write the search tree, .svg or .txt; `-` prints it (not with deepening).
        #[arg(long, value_name = "FILE")]
        tree: Option<PathBuf>,
        /// Boards of the tree at most.
        #[arg(long, default_value_t = 60)]
        tree_max: usize,
    },
    /// Make a board that can be solved.
    Scramble {
        /// Columns and rows.
        #[arg(long, default_value_t = 4)]
        side: usize,
        /// Random moves from the goal; without it any board, each equally likely.
        #[arg(long)]
        moves: Option<usize>,
        /// Where the randomness begins.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// How many moves every board of the 8 puzzle needs.
    Survey {
        /// Columns and rows, 2 or 3.
        #[arg(long, default_value_t = 3)]
        side: usize,
        /// Solve every single board by deepening too, and compare.
        #[arg(long)]
        solve: bool,
    },
    /// Solve a list of instances and compare with their published lengths.
    Instances {
        /// The list: a number, the moves and a board in each line.
        file: PathBuf,
        /// Stop after so many seconds, those that making the tables takes included.
        #[arg(long, default_value_t = 600)]
        seconds: u64,
    },
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PuzzleSearch {
    /// Iterative deepening A*.
    #[default]
    Deepening,
    Astar,
    Dijkstra,
    Bfs,
    Greedy,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PuzzleEstimates {
    Manhattan,
    /// Manhattan with linear conflicts.
    #[default]
    Conflict,
    /// Pattern tables, made first.
    Patterns,
}
