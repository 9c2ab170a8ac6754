//! The graph mode: a graph, a planner, a path from node to node, and the lecture's table of the search.
//!
//! [`GraphMode`] is its state, and `draw` shows it. A node is a cell of the recording ([`extent_of_nodes`]), so that player,
//! timeline, sentences and pseudocode are those of the map mode.

mod builtin;
pub(crate) mod draw;
mod engine;

pub use builtin::{BUILTIN_GRAPHS, BuiltinGraph};
pub use engine::GraphOutcome;

use crate::seams::Seams;
use crate::shared::job::{Job, JobState};
use crate::shared::{Busy, PlannerChoice, Player};
use crate::teach::{Counting, next_step, previous_step, sentence_with};
use engine::solve;
use highroad::catalog::CATALOG;
use highroad::environment::NodeId;
use highroad::graph::Graph;
use highroad::grid::Extent;
use highroad::planner::{CatalogEntry, Watch};
use highroad_lab::graphs::Stages;
use highroad_pictures::replay::Replay;
use highroad_pictures::{GraphLayout, GraphScene, Theme, extent_of_nodes};
use std::sync::Arc;
use std::time::Duration;

/// Nodes and edges of a graph that is drawn, at the most.
pub const NODES_MAX: usize = 2_000;
/// See [`NODES_MAX`].
pub const EDGES_MAX: usize = 12_000;

/// Nodes of a graph whose table is shown: it has a column for each.
pub const TABLE_NODES_MAX: usize = 48;

/// The state of the graph mode.
pub struct GraphMode {
    /// What the graph is called.
    pub name: String,
    /// The recording of the search.
    pub player: Player,
    /// The node under the pointer.
    pub hovered: Option<NodeId>,
    /// Light or dark.
    pub theme: Theme,
    graph: Arc<Graph>,
    layout: GraphLayout,
    extent: Extent,
    ends: (NodeId, NodeId),
    planner: PlannerChoice,
    outcome: Option<Result<GraphOutcome, String>>,
    job: Option<Job<Result<(GraphOutcome, Replay), String>>>,
    seams: Seams,
}

impl GraphMode {
    /// The mode with the first built-in graph.
    pub fn new(seams: Seams) -> Self {
        let first = &BUILTIN_GRAPHS[0];
        let graph = Arc::new(first.load());
        let mut mode = Self {
            name: String::new(),
            player: Player::default(),
            hovered: None,
            theme: Theme::default(),
            layout: GraphLayout::new(&graph),
            // Overwritten when the graph is taken, which has nodes.
            extent: extent_of_nodes(1).expect("one node is a node"),
            graph: Arc::clone(&graph),
            ends: (NodeId(0), NodeId(0)),
            planner: PlannerChoice::of("dijkstra").unwrap_or_default(),
            outcome: None,
            job: None,
            seams,
        };
        // The built-in graphs are small, and have nodes.
        _ = mode.take(first.name, graph);
        mode
    }

    /// Takes up a graph, with a query from its first node to its last, or says why not.
    pub fn take(&mut self, name: &str, graph: Arc<Graph>) -> Result<(), String> {
        let (nodes, edges) = (graph.node_count(), graph.edge_count());
        if nodes > NODES_MAX || edges > EDGES_MAX {
            return Err(format!(
                "{name} has {nodes} nodes and {edges} edges, too many to be drawn: at most {NODES_MAX} and {EDGES_MAX}. \
                 The command highroad graph works on larger ones."
            ));
        }
        self.extent = extent_of_nodes(nodes).ok_or_else(|| format!("{name} has no nodes."))?;
        self.layout = GraphLayout::new(&graph);
        self.ends = (NodeId(0), NodeId(nodes as u32 - 1));
        self.name = name.to_owned();
        self.graph = graph;
        self.hovered = None;
        self.run();
        Ok(())
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// How it is laid out.
    pub fn layout(&self) -> &GraphLayout {
        &self.layout
    }

    /// Where the path starts and ends.
    pub fn ends(&self) -> (NodeId, NodeId) {
        self.ends
    }

    /// The planner and its options.
    pub fn planner(&self) -> &PlannerChoice {
        &self.planner
    }

    /// The planners that are made for graphs, in the catalog's order.
    pub fn planners() -> impl Iterator<Item = &'static CatalogEntry> {
        CATALOG.iter().copied().filter(|entry| entry.graph.is_some())
    }

    /// Sets where the path starts and ends. Nodes that are not there change nothing.
    pub fn set_ends(&mut self, ends: (NodeId, NodeId)) {
        if self.ends != ends && self.graph.is_node(ends.0) && self.graph.is_node(ends.1) {
            self.ends = ends;
            self.run();
        }
    }

    /// Chooses a planner and its options.
    pub fn choose_planner(&mut self, choice: PlannerChoice) {
        if self.planner != choice {
            self.planner = choice;
            self.run();
        }
    }

    /// What came of the query, or why there is no answer; `None` while it is worked on.
    pub fn outcome(&self) -> Option<&Result<GraphOutcome, String>> {
        self.outcome.as_ref()
    }

    /// Answers the query on a worker.
    fn run(&mut self) {
        self.player.load(None);
        self.outcome = None;
        let spec = match self.planner.spec() {
            Ok(spec) => spec,
            Err(error) => return self.outcome = Some(Err(error.to_string())),
        };
        let (graph, ends, extent) = (Arc::clone(&self.graph), self.ends, self.extent);
        self.job = Some(Job::start(&self.seams, "searching the graph", move |control| {
            let mut watch = |_, _| control.goes_on();
            solve(&graph, &spec, ends, extent, &mut Watch::new(&mut watch))
        }));
    }

    /// Lets time pass.
    pub fn tick(&mut self, elapsed: Duration) {
        match self.job.as_ref().map(Job::poll) {
            None | Some(JobState::Running) => {}
            Some(JobState::Lost) => self.job = None,
            Some(JobState::Done(result)) => {
                self.job = None;
                self.outcome = Some(result.map(|(outcome, replay)| {
                    self.player.load(Some(replay));
                    outcome
                }));
            }
        }
        self.player.advance(elapsed);
        // The drawing looks at the whole recording in each frame.
        self.player.touched.take();
    }

    /// What goes on, if anything.
    pub fn busy(&self) -> Option<Busy> {
        let job = self.job.as_ref()?;
        Some(Busy { what: job.what.clone(), share: None, age: job.age(&self.seams) })
    }

    /// Goes to the end of the next step of the search, or of the one before.
    pub fn go_step(&mut self, on: bool) {
        let step = if on { next_step } else { previous_step };
        let Some(target) = self.player.replay().map(step) else { return };
        self.player.pause();
        self.player.jump(target);
    }

    /// What the current step does.
    pub fn sentence(&self) -> Option<String> {
        let counting = Counting::on_graph(&self.planner.spec().ok()?);
        let replay = self.player.replay()?;
        let name = |cell| match self.extent.id(cell) {
            Some(id) => self.graph.name(NodeId(id.0)),
            None => cell.to_string(),
        };
        Some(sentence_with(replay, &counting, &name))
    }

    /// The path as far as it is known by now.
    pub fn known_path(&self) -> &[NodeId] {
        let decided = self.player.replay().is_none_or(Replay::is_decided);
        match &self.outcome {
            Some(Ok(outcome)) if decided => &outcome.path,
            _ => &[],
        }
    }

    /// Everything that is to be seen of the graph.
    pub fn scene(&self) -> GraphScene<'_> {
        let outcome = self.outcome.as_ref().and_then(|outcome| outcome.as_ref().ok());
        GraphScene {
            theme: self.theme,
            search: self.player.replay(),
            estimates: outcome.and_then(|outcome| outcome.estimates.as_deref()),
            path: self.known_path(),
            start: Some(self.ends.0),
            goal: Some(self.ends.1),
            ..GraphScene::new(&self.graph, &self.layout)
        }
    }

    /// The lecture's table as far as it is filled by now, or why there is none.
    pub fn table(&self) -> Result<Stages, String> {
        let nodes = self.graph.node_count();
        if nodes > TABLE_NODES_MAX {
            return Err(format!(
                "The table has a column for each node: it is shown for graphs of at most {TABLE_NODES_MAX}."
            ));
        }
        if !self.planner.entry().traces_places {
            return Err(format!(
                "{} searches nodes of its own: there is no table of it.",
                self.planner.entry().title
            ));
        }
        let Some(replay) = self.player.replay() else {
            return Err("Nothing is recorded yet.".to_owned());
        };
        let outcome = self.outcome.as_ref().and_then(|outcome| outcome.as_ref().ok());
        let estimates = outcome.and_then(|outcome| outcome.estimates.as_deref());
        Ok(Stages::new(&self.graph, &replay.events()[..replay.position()], estimates))
    }
}
