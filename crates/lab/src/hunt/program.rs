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
    /// A mesh.
    Mesh(MeshSetting),
}

/// A world on a grid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GridSetting {
    /// The map, a letter a cell.
    pub rows: Vec<String>,
    /// Edits of the map before there is a world: its borders, heights and links.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ground: Vec<Edit>,
    /// The kinds of agents, the default kind first.
    pub kinds: Vec<KindSetting>,
    /// How planners follow edits.
    pub following: Following,
    /// Whether agents walk in the world: then the steps are those of a simulation.
    #[serde(default)]
    pub agents: bool,
}

fn one() -> u8 {
    1
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
    /// Whether it pays for the cell that it enters alone.
    #[serde(default)]
    pub entered: bool,
    /// How many cells a side it covers.
    #[serde(default = "one")]
    pub size: u8,
    /// Whether it pays the mean of what it covers, not the maximum.
    #[serde(default)]
    pub mean: bool,
    /// What heights mean to it; nothing if this is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slope: Option<Slope>,
    /// Its planners, the preferred first.
    #[serde(default)]
    pub planners: Vec<String>,
}

/// What heights mean to a kind of agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slope {
    /// The largest rise of a step.
    pub climb: u16,
    /// The largest drop of a step.
    pub drop: u16,
    /// What a unit of height upwards costs, in hundredths of a straight step.
    pub up: u16,
    /// What a unit of height downwards costs.
    pub down: u16,
}

/// A world on a graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphSetting {
    /// The number of nodes.
    pub nodes: u32,
    /// Where the nodes lie: one place a node, or none at all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<(i32, i32)>,
    /// Edges: from, to, weight.
    pub edges: Vec<(u32, u32, i32)>,
    /// Its planners, the preferred first.
    #[serde(default)]
    pub planners: Vec<String>,
    /// How planners follow edits.
    pub following: Following,
}

/// A mesh of squares, which does not change. Places are points, four along the side of a square, row by row from below.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeshSetting {
    /// The squares, `#` for blocked ones.
    pub rows: Vec<String>,
    /// How it lies in the plane: 0 as drawn, 1 at 45°, 2 turned and scaled so that coordinates are rounded.
    pub turn: u32,
    /// What it is made of: 0 rows, 1 triangles, 2 squares.
    pub form: u32,
    /// Decides where rows end and how squares are cut.
    #[serde(default)]
    pub seed: u64,
    /// Its planners, beside the exact search.
    #[serde(default)]
    pub planners: Vec<String>,
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
    /// The batch that was taken back last is made again.
    Redo,
    /// A path is asked for.
    Ask(Question),
    /// The same, with a limit of expansions.
    AskWithin(Question, u64),
    /// The same in slices of so many expansions, of the planner with that number.
    AskInSlices(Question, usize, Vec<u64>),
    /// A best path and alternatives to it, at most so many, which keep so far away from each other.
    Alternatives(Question, u32, u32),
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
    /// Many paths of the default kind are asked for of the snapshot with that number, on all threads.
    AskManyKept(usize, Vec<Question>),
    /// Whether the path that was found as the last but so many can still be walked at its cost.
    StillValid(usize),
    /// The planner with that number is rebuilt in the background.
    Rebuild(usize),
    /// The rebuild of the planner with that number is stopped.
    Stop(usize),
    /// A planner is added for a kind, built in the background.
    AddPlanner(u16, String),
    /// Another planner is put in the place of the one with that number.
    ReplacePlanner(usize, String),
    /// All rebuilds are waited for.
    Finish,
    /// An obstacle comes or goes, on the square of a mesh that a point lies inside of.
    Obstacle(u32),
    /// Every planner that is ready checks its own invariants.
    Verify,
    /// The world is saved, and the loaded one goes on.
    Reload,
    /// A clone is kept, to return to it.
    Fork,
    /// The clone with that number goes on, as it was when it was made.
    Return(usize),
    /// An agent is added; only where agents walk.
    Agent(Question),
    /// The same, with a way of walking.
    AgentWith(Question, Gait),
    /// All agents are removed.
    RemoveAgents,
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
    /// The rule for its end.
    #[serde(default, skip_serializing_if = "EndRule::is_exact")]
    pub rule: EndRule,
    /// Places that are blocked for it alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<u32>,
}

/// Where a path may end that was asked for with some goals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndRule {
    /// At a goal.
    #[default]
    Exact,
    /// Next to a goal.
    Adjacent,
    /// At a goal, or as near as possible.
    Nearest,
}

impl EndRule {
    fn is_exact(&self) -> bool {
        *self == Self::Exact
    }
}

/// How an agent walks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gait {
    /// So many cells in so many ticks.
    pub pace: (u32, u32),
    /// Steps of a first leg.
    pub first_leg: Option<u32>,
    /// Whether it looks for shorter ways.
    pub improves: bool,
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
    /// Raises the rectangle between two cells to a height.
    Height(u32, u32, u16),
    /// Sets a border of each cell of the rectangle between two cells: the lower one, or the one on the right.
    Borders(u32, u32, bool, Crossing),
    /// Sets the border between two cells, which must be neighbours.
    Border(u32, u32, Crossing),
    /// Opens a link.
    OpenLink(LinkSetting),
    /// Closes a link, which must be open.
    CloseLink(LinkSetting),
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

/// How a border can be crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Crossing {
    /// Both ways.
    Open,
    /// Not at all.
    Closed,
    /// To the right, downwards, or from the first cell to the second.
    Onwards,
    /// The other way.
    Back,
}

/// A link between two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkSetting {
    /// Where it begins.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// What it costs.
    pub cost: u32,
    /// Whether it leads back as well.
    #[serde(default)]
    pub both_ways: bool,
    /// The kind of agent that it is for; all if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<u16>,
}
