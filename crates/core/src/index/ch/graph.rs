//! A contraction hierarchy as a planner of graphs.

use super::search::layers_of;
use crate::environment::{Cost, Edition, Environment, NodeId};
use crate::graph::{Edge, Graph};
use crate::index::contraction::{ClimbMemory, Climbed, ContractionHierarchy, Reached, TableMemory};
use crate::path::Path;
use crate::planner::{
    Algorithm, Answer, BuildError, Guarantee, Memory, PathQuery, Point, Progress, Session,
    SketchLayer, Watch, answer_within, start_of,
};
use crate::saved::{Kind, LoadError, Reader, Writer};
use crate::search::{NoHeuristic, SearchObserver, Side, TraceEvent, TraceKind};

/// A contraction hierarchy of a graph: exact shortest paths by looking at few nodes.
///
/// ```
/// use highroad::graph::{Edge, Graph};
/// use highroad::index::GraphHierarchy;
/// use highroad::environment::NodeId;
/// use highroad::planner::{PathQuery, Planner, Scratch};
/// let edges = [Edge::new(0, 1, 2), Edge::new(1, 2, 2), Edge::new(0, 2, 5), Edge::new(2, 3, 1)];
/// let graph = Graph::from_edges(4, &edges)?;
/// let hierarchy = GraphHierarchy::build(&graph)?;
/// let mut scratch = Scratch::new();
/// let answer = hierarchy.solve(&graph, &PathQuery::new(NodeId(0), NodeId(3)), &mut scratch)?;
/// assert_eq!(answer.path().unwrap().nodes(), [0, 1, 2, 3].map(NodeId));
/// let answer = hierarchy.solve(&graph, &PathQuery::new(NodeId(3), NodeId(0)), &mut scratch)?;
/// assert!(answer.path().is_none(), "edges have a direction");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GraphHierarchy {
    pub(super) hierarchy: ContractionHierarchy,
    pub(super) graph: Edition,
    own: Edition,
    fingerprint: u64,
}

/// What a query of a [`GraphHierarchy`] needs of a [`Scratch`](crate::Scratch).
#[derive(Default)]
pub struct GraphHierarchyMemory {
    pub(super) climb: ClimbMemory,
    pub(super) table: TableMemory,
}

impl Memory for GraphHierarchyMemory {
    fn bytes(&self) -> usize {
        self.climb.bytes() + self.table.bytes()
    }
}

/// Nothing is estimated from either end.
pub(super) const NO_ESTIMATES: [NoHeuristic; 2] = [NoHeuristic; 2];

impl GraphHierarchy {
    /// Contracts a graph. Of parallel edges the cheapest counts; edges from a node to itself do not.
    pub fn build(graph: &Graph) -> Result<Self, BuildError> {
        Self::build_watched(graph, &mut Watch::none())
    }

    /// As [`GraphHierarchy::build`], with progress, and stopping when the watch says so.
    pub fn build_watched(graph: &Graph, watch: &mut Watch<'_>) -> Result<Self, BuildError> {
        let edges = graph.non_negative().map_err(|edge| BuildError::NotServed(edge.to_string()))?;
        let edges: Vec<Edge> = edges.graph().edges().collect();
        let hierarchy = ContractionHierarchy::build_watched(graph.node_count(), &edges, watch)?;
        Ok(Self::of(hierarchy, graph))
    }

    pub(crate) fn of(hierarchy: ContractionHierarchy, graph: &Graph) -> Self {
        let fingerprint = graph.fingerprint();
        Self { hierarchy, graph: graph.edition(), own: Edition::new(), fingerprint }
    }

    /// The hierarchy itself.
    pub fn hierarchy(&self) -> &ContractionHierarchy {
        &self.hierarchy
    }

    /// The hierarchy as bytes, to be loaded again for a graph with the same edges.
    pub fn save(&self) -> Vec<u8> {
        let mut writer = Writer::new(Kind::GraphHierarchy, self.fingerprint);
        self.hierarchy.write(&mut writer);
        writer.finish()
    }

    /// The hierarchy that [`GraphHierarchy::save`] has written for such a graph.
    pub fn load(bytes: &[u8], graph: &Graph) -> Result<Self, LoadError> {
        let mut reader = Reader::new(bytes, Kind::GraphHierarchy, || graph.fingerprint())?;
        let weight = |from: u32, to: u32| {
            let weight = graph.outgoing().weight(NodeId(from), NodeId(to))?;
            u64::try_from(weight).ok()
        };
        let hierarchy = ContractionHierarchy::read(&mut reader, graph.node_count(), weight)?;
        reader.finish()?;
        Ok(Self::of(hierarchy, graph))
    }

    /// A node that was reached, for an observer.
    fn event(&self, kind: TraceKind, reached: Reached) -> TraceEvent {
        let node = |rank: u32| NodeId(self.hierarchy.nodes_by_rank()[rank as usize]);
        TraceEvent {
            kind,
            node: node(reached.rank),
            parent: node(reached.before),
            g: reached.cost,
            h: 0,
            side: [Side::Forward, Side::Backward][reached.side],
        }
    }
}

impl Algorithm<Graph> for GraphHierarchy {
    type Memory = GraphHierarchyMemory;

    fn guarantee_for(&self, _graph: &Graph) -> Guarantee {
        Guarantee::Optimal
    }

    fn is_current(&self, graph: &Graph) -> bool {
        self.graph == graph.edition()
    }

    fn identity(&self) -> Option<Edition> {
        Some(self.own)
    }

    fn start(
        &self,
        _graph: &Graph,
        _query: &PathQuery<NodeId>,
        session: &mut Session<'_, NodeId>,
        own: &mut GraphHierarchyMemory,
    ) {
        own.climb.begin(self.hierarchy.node_count());
        for (side, ends) in [&*session.starts, &*session.goals].into_iter().enumerate() {
            for (seed, node) in (0..).zip(ends) {
                let rank = self.hierarchy.rank_of(node.0);
                if own.climb.seed(side, rank, 0, seed, &NO_ESTIMATES) {
                    session.run.note_open(own.climb.open_len());
                }
            }
        }
    }

    fn run<O: SearchObserver>(
        &self,
        graph: &Graph,
        session: &mut Session<'_, NodeId>,
        own: &mut GraphHierarchyMemory,
        slice: u64,
        observer: &mut O,
    ) -> Progress<NodeId> {
        let event = |kind, reached| self.event(kind, reached);
        if session.first_report() && O::ACTIVE {
            own.climb.seeds().for_each(|seed| observer.event(event(TraceKind::Start, seed)));
        }
        let run = &mut *session.run;
        match self.hierarchy.climb(&mut own.climb, &NO_ESTIMATES, run, slice, event, observer) {
            Climbed::Paused => return Progress::Running,
            Climbed::Limit => {
                return Progress::Done(Answer::LimitReached { nearest: start_of(graph, session) });
            }
            Climbed::Over => {}
        }
        let Some(cost) = own.climb.best() else {
            return Progress::Done(Answer::Unreachable { nearest: start_of(graph, session) });
        };
        let ranks = self.hierarchy.nodes_by_rank();
        let mut nodes = vec![NodeId(ranks[self.hierarchy.first_rank(&own.climb) as usize])];
        self.hierarchy.unpack(&mut own.climb, |rank| nodes.push(NodeId(ranks[rank as usize])));
        let path = Path::vouched(nodes, Cost(cost), graph.revision());
        Progress::Done(answer_within(path, session.limits().cost_max, false))
    }

    fn held_bytes(&self) -> usize {
        self.hierarchy.memory_bytes()
    }

    fn layers(&self, graph: &Graph) -> Vec<SketchLayer> {
        let Some(positions) = graph.positions() else { return Vec::new() };
        let nodes = self.hierarchy.nodes_by_rank();
        layers_of(&self.hierarchy, |rank| Point::of_position(positions[nodes[rank] as usize]))
    }

    fn to_bytes(&self, _graph: &Graph) -> Option<Vec<u8>> {
        Some(self.save())
    }
}
