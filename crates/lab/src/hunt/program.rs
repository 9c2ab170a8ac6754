//! Programs: what a hunt does to a world, as data that can be printed, shrunk and read back.

use serde::{Deserialize, Serialize};

/// A world and what is done to it, step by step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// The seed that it was made from; 0 for one written by hand.
    pub seed: u64,
    /// The world.
    pub setting: Setting,
    /// What is done to it.
    pub steps: Vec<Step>,
}

/// The world of a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Setting {
    /// A grid.
    Grid(GridSetting),
    /// A graph.
    Graph(GraphSetting),
}

/// A world on a grid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GridSetting {
    /// The map, a letter a cell.
    pub rows: Vec<String>,
    /// The kinds of agents, the default kind first.
    pub kinds: Vec<KindSetting>,
    /// How planners follow edits.
    pub following: Following,
    /// Whether agents walk in the world: then the steps are those of a simulation.
    #[serde(default)]
    pub agents: bool,
}

/// A kind of agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KindSetting {
    /// The name of its movement rule.
    pub rule: String,
    /// What a straight and a diagonal step cost.
    pub steps: (u16, u16),
    /// What it pays for terrain, beside ground of cost 1.
    #[serde(default)]
    pub costs: Vec<(char, u16)>,
    /// Terrain of a domain of its own.
    #[serde(default)]
    pub water: String,
    /// Its planners, the preferred first.
    #[serde(default)]
    pub planners: Vec<String>,
}

/// A world on a graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphSetting {
    /// The number of nodes.
    pub nodes: u32,
    /// Edges: from, to, weight.
    pub edges: Vec<(u32, u32, i32)>,
    /// Its planners, the preferred first.
    #[serde(default)]
    pub planners: Vec<String>,
    /// How planners follow edits.
    pub following: Following,
}

/// How planners follow edits, and how requests are shared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Following {
    /// From so many changes of a batch on, planners are rebuilt instead of patched.
    pub patch_limit: Option<usize>,
    /// Ticks without an edit before an index is rebuilt.
    pub rest_ticks: u64,
    /// Ticks that a rebuild takes.
    pub lockstep: u64,
    /// From so many requests with one goal on, they share a field.
    pub share_from: usize,
}

/// One thing that is done. Places are numbers: cells row by row, or nodes; some lie outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// One batch of edits.
    Edit(Vec<Edit>),
    /// The latest batch is taken back.
    Undo,
    /// A path is asked for.
    Ask(Question),
    /// The same, with a limit of expansions.
    AskWithin(Question, u64),
    /// The same in slices of so many expansions, of the planner with that number.
    AskInSlices(Question, usize, Vec<u64>),
    /// The nearest of the goals.
    Nearest(Question),
    /// A path to each of the goals.
    Each(Question),
    /// Everything within that cost.
    Range(Question, u64),
    /// Whether a path exists.
    Reachable(Question),
    /// A request, with its priority and the steps of its first leg.
    Request(Wanted, u8, Option<u32>),
    /// The request with that number, among those that wait, is cancelled.
    Cancel(usize),
    /// A tick with that many expansions; then every request is polled.
    Tick(u64),
    /// A snapshot is kept.
    Keep,
    /// The snapshot with that number is dropped.
    Drop(usize),
    /// A path is asked for of the snapshot with that number.
    AskKept(usize, Question),
    /// The planner with that number is rebuilt in the background.
    Rebuild(usize),
    /// The rebuild of the planner with that number is stopped.
    Stop(usize),
    /// All rebuilds are waited for.
    Finish,
    /// Every planner that is ready checks its own invariants.
    Verify,
    /// An agent is added; only where agents walk.
    Agent(Question),
    /// The agent with that number is sent to a place.
    Send(usize, u32),
}

/// Where a path starts and ends, and for whom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The kind of agent.
    #[serde(default)]
    pub kind: u16,
    /// Where it may start.
    pub starts: Vec<u32>,
    /// Where it may end.
    pub goals: Vec<u32>,
}

/// What a request asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wanted {
    /// A path.
    Path(Question),
    /// A path to the nearest goal.
    Nearest(Question),
    /// A path to each goal.
    Each(Question),
    /// Everything within that cost.
    Range(Question, u64),
}

/// One edit of a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Edit {
    /// Fills the rectangle between two cells with terrain.
    Fill(u32, u32, char),
    /// Sets the surcharge between two cells, for one kind or for all.
    Surcharge(Option<u16>, u32, u32, u16),
    /// Sets the weight of the edges between two nodes.
    Weight(u32, u32, i32),
    /// Closes the edges between two nodes.
    Close(u32, u32),
    /// Opens the edges between two nodes.
    Open(u32, u32),
    /// Adds an edge.
    AddEdge(u32, u32, i32),
    /// Removes the edges between two nodes.
    RemoveEdge(u32, u32),
    /// Adds a node.
    AddNode,
    /// Removes a node.
    RemoveNode(u32),
}
