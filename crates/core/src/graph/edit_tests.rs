//! Storms of random batches against a plain model, and what edits do to clones, paths and refused batches.

use super::*;
use crate::environment::{Environment, Revision};
use crate::online::GraphSearch;
use crate::planner::{PathQuery, Planner, Scratch};
use proptest::prelude::*;

/// Whether a node is there, and its edges: head, weight, whether closed.
type Row = (bool, Vec<(u32, i32, bool)>);

/// A graph as plainly as can be: one row a node.
#[derive(Clone, Debug, PartialEq)]
struct Model(Vec<Row>);

/// One step of a batch, with numbers that may mean nothing.
#[derive(Clone, Copy, Debug)]
enum PlannedEdit {
    Weight(u32, u32, i32),
    Close(u32, u32),
    Open(u32, u32),
    AddEdge(u32, u32, i32),
    RemoveEdge(u32, u32),
    AddNode,
    RemoveNode(u32),
}

impl Model {
    fn of(graph: &Graph) -> Self {
        let mut rows = vec![(true, Vec::new()); graph.node_count()];
        graph.edges().for_each(|e| rows[e.from.index()].1.push((e.to.0, e.weight, false)));
        Self(rows)
    }

    /// Does a step; whether it can be done.
    fn edit(&mut self, edit: PlannedEdit) -> bool {
        let there = |rows: &Self, node: u32| rows.0.get(node as usize).is_some_and(|row| row.0);
        let mut change = |from: u32, to: u32, change: &dyn Fn(&mut (u32, i32, bool))| {
            let fits = there(self, from) && there(self, to);
            let row = self.0.get_mut(from as usize).filter(|_| fits).map(|row| &mut row.1);
            let edges = row.into_iter().flatten().filter(|edge| edge.0 == to);
            edges.map(change).count() > 0
        };
        match edit {
            PlannedEdit::Weight(from, to, weight) => change(from, to, &|edge| edge.1 = weight),
            PlannedEdit::Close(from, to) => change(from, to, &|edge| edge.2 = true),
            PlannedEdit::Open(from, to) => change(from, to, &|edge| edge.2 = false),
            PlannedEdit::RemoveEdge(from, to) => {
                let any = change(from, to, &|_| ());
                if any {
                    self.0[from as usize].1.retain(|edge| edge.0 != to);
                }
                any
            }
            PlannedEdit::AddEdge(from, to, weight) => {
                let fits = there(self, from) && there(self, to);
                if fits {
                    self.0[from as usize].1.push((to, weight, false));
                }
                fits
            }
            PlannedEdit::AddNode => {
                self.0.push((true, Vec::new()));
                true
            }
            PlannedEdit::RemoveNode(node) => {
                let fits = there(self, node);
                if fits {
                    self.0[node as usize] = (false, Vec::new());
                    self.0.iter_mut().for_each(|row| row.1.retain(|edge| edge.0 != node));
                }
                fits
            }
        }
    }

    fn edges(&self, closed: bool) -> Vec<Edge> {
        let row = |(from, row): (u32, &Row)| {
            let edges = row.1.iter().filter(|edge| edge.2 == closed);
            edges.map(|edge| Edge::new(from, edge.0, edge.1)).collect::<Vec<_>>()
        };
        (0..).zip(&self.0).flat_map(row).collect()
    }

    /// Whether a graph is what one made of the model's edges would be.
    fn check(&self, graph: &Graph) -> Result<(), TestCaseError> {
        let fresh = Graph::from_edges(self.0.len(), &self.edges(false)).unwrap();
        prop_assert_eq!(graph.node_count(), fresh.node_count());
        prop_assert_eq!(graph.edge_count(), fresh.edge_count());
        prop_assert!(graph.edges().eq(fresh.edges()));
        prop_assert!(graph.incoming() == fresh.incoming());
        prop_assert_eq!(graph.weight_max(), fresh.weight_max());
        prop_assert_eq!(graph.uniform_weight(), fresh.uniform_weight());
        prop_assert_eq!(graph.fingerprint(), fresh.fingerprint());
        prop_assert_eq!(graph.non_negative().err(), fresh.non_negative().err());
        prop_assert!(graph.closed_edges().eq(self.edges(true)));
        for (node, row) in (0..).map(NodeId).zip(&self.0) {
            prop_assert_eq!(graph.is_node(node), row.0);
            prop_assert_eq!(graph.check_place(node).is_ok(), row.0);
        }
        Ok(())
    }
}

fn batch_of(edits: &[PlannedEdit]) -> GraphBatch {
    let mut batch = GraphBatch::new();
    let id = NodeId;
    for &edit in edits {
        match edit {
            PlannedEdit::Weight(from, to, weight) => batch.set_weight(id(from), id(to), weight),
            PlannedEdit::Close(from, to) => batch.close(id(from), id(to)),
            PlannedEdit::Open(from, to) => batch.open(id(from), id(to)),
            PlannedEdit::AddEdge(from, to, weight) => batch.add_edge(id(from), id(to), weight),
            PlannedEdit::RemoveEdge(from, to) => batch.remove_edge(id(from), id(to)),
            PlannedEdit::AddNode => batch.add_node([1.0, 2.0, 0.0]),
            PlannedEdit::RemoveNode(node) => batch.remove_node(id(node)),
        };
    }
    batch
}

fn edits() -> impl Strategy<Value = Vec<PlannedEdit>> {
    let ends = || (0u32..12, 0u32..12);
    let edit = prop_oneof![
        4 => (ends(), -3i32..40).prop_map(|((from, to), w)| PlannedEdit::Weight(from, to, w)),
        3 => ends().prop_map(|(from, to)| PlannedEdit::Close(from, to)),
        3 => ends().prop_map(|(from, to)| PlannedEdit::Open(from, to)),
        4 => (ends(), -1i32..40).prop_map(|((from, to), w)| PlannedEdit::AddEdge(from, to, w)),
        2 => ends().prop_map(|(from, to)| PlannedEdit::RemoveEdge(from, to)),
        1 => Just(PlannedEdit::AddNode),
        1 => (0u32..12).prop_map(PlannedEdit::RemoveNode),
    ];
    proptest::collection::vec(edit, 1..12)
}

/// Few nodes, so that steps often find an edge.
fn small() -> impl Strategy<Value = Graph> {
    let edge = (0u32..8, 0u32..8, 0i32..30).prop_map(|(from, to, w)| Edge::new(from, to, w));
    proptest::collection::vec(edge, 0..60).prop_map(|edges| {
        let graph = Graph::from_edges(8, &edges).unwrap();
        graph.with_positions(vec![[0.0; 3]; 8]).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// After each batch the graph is one made of the model's edges; a batch that the model cannot do changes nothing;
    /// undoing restores the graph, and undoing that restores the change; clones stay as they were.
    #[test]
    fn storms_leave_what_a_plain_model_has(
        graph in small(),
        batches in proptest::collection::vec(edits(), 1..12),
        turned in any::<bool>(),
    ) {
        let (mut graph, mut model) = (graph.clone(), Model::of(&graph));
        if turned {
            graph.incoming();
        }
        let mut history = vec![(graph.clone(), model.clone(), Vec::new())];
        for edits in &batches {
            let mut wanted = model.clone();
            // Without the steps that cannot be done: most batches should get somewhere.
            let possible: Vec<PlannedEdit> = edits.iter().copied().filter(|&w| wanted.edit(w)).collect();
            if possible.len() < edits.len() {
                let (revision, edition) = (graph.revision(), graph.edition());
                prop_assert!(graph.apply(&batch_of(edits)).is_err());
                prop_assert_eq!((graph.revision(), graph.edition()), (revision, edition));
                model.check(&graph)?;
            }
            let revision = graph.revision();
            let changes = graph.apply(&batch_of(&possible)).unwrap();
            let risen = u64::from(!changes.is_empty());
            prop_assert_eq!(graph.revision(), Revision(revision.0 + risen));
            wanted.check(&graph)?;
            prop_assert!(wanted == model || !changes.is_empty());
            model = wanted;
            history.push((graph.clone(), model.clone(), changes));
        }
        for (clone, model, _) in &history {
            model.check(clone)?;
        }
        for at in (1..history.len()).rev() {
            let undone = graph.apply(&GraphBatch::undoing(&history[at].2)).unwrap();
            history[at - 1].1.check(&graph)?;
            let redone = graph.apply(&GraphBatch::undoing(&undone)).unwrap();
            history[at].1.check(&graph)?;
            graph.apply(&GraphBatch::undoing(&redone)).unwrap();
            history[at - 1].1.check(&graph)?;
        }
    }

    /// What no change touches can be walked as before, at the same cost.
    #[test]
    fn untouched_paths_keep_their_cost(graph in small(), edits in edits()) {
        let (mut graph, mut model) = (graph.clone(), Model::of(&graph));
        let mut scratch = Scratch::new();
        let mut paths = Vec::new();
        for from in 0..8 {
            for to in 0..8 {
                let query = PathQuery::new(NodeId(from), NodeId(to));
                let answer = GraphSearch::dijkstra().solve(&graph, &query, &mut scratch).unwrap();
                paths.extend(answer.path());
            }
        }
        let possible: Vec<PlannedEdit> = edits.iter().copied().filter(|&w| model.edit(w)).collect();
        let changes = graph.apply(&batch_of(&possible)).unwrap();
        for path in paths {
            let touched = |change| graph.first_touched(path.nodes(), 0, change);
            match changes.iter().filter_map(touched).min() {
                None => prop_assert_eq!(graph.price(path.nodes()), Ok(path.cost())),
                Some(0) => prop_assert!(graph.check_place(path.start()).is_err()),
                Some(at) => prop_assert!(graph.price(&path.nodes()[..at]).is_ok()
                    || graph.non_negative().is_err()),
            }
        }
    }
}

#[test]
fn what_cannot_be_done_says_which_step_and_why() {
    let edges = [Edge::new(0, 1, 1), Edge::new(1, 2, 2)];
    let mut graph = Graph::from_edges(3, &edges).unwrap();
    let [a, b, c, d] = [0, 1, 2, 3].map(NodeId);
    let error = |graph: &mut Graph, batch: &GraphBatch| {
        let error = graph.apply(batch).unwrap_err();
        (error.step, error.problem)
    };
    let mut batch = GraphBatch::new();
    let no_edge = GraphEditProblem::NoSuchEdge { from: c, to: a };
    assert_eq!(error(&mut graph, batch.set_weight(a, b, 9).open(c, a)), (1, no_edge));
    let no_node = GraphEditProblem::NoSuchNode { node: d, nodes: 3 };
    assert_eq!(error(&mut graph, GraphBatch::new().add_edge(a, d, 1)), (0, no_node));
    let placed = error(&mut graph, GraphBatch::new().add_node([0.0; 3]));
    assert_eq!(placed, (0, GraphEditProblem::UnexpectedPosition));
    let removed = error(&mut graph, GraphBatch::new().remove_node(b).add_edge(a, b, 1));
    assert_eq!(removed, (1, GraphEditProblem::Removed { node: b }));
    assert!(graph.edges().eq(edges), "nothing was changed");
    assert_eq!((graph.revision(), graph.weight_max()), (Revision(0), 2));

    let changes = graph.apply(GraphBatch::new().set_weight(a, b, 5)).unwrap();
    graph.apply(GraphBatch::new().set_weight(a, b, 6)).unwrap();
    let late = error(&mut graph, &GraphBatch::undoing(&changes));
    assert_eq!(late, (0, GraphEditProblem::EdgeDiffers { from: a, to: b }));
    let mut placed = graph.with_positions(vec![[0.0; 3]; 3]).unwrap();
    let missing = error(&mut placed, GraphBatch::new().add_node(None));
    assert_eq!(missing, (0, GraphEditProblem::NoPosition));
    let lost = error(&mut placed, GraphBatch::new().add_node([0.0, f64::NAN, 0.0]));
    assert_eq!(lost, (0, GraphEditProblem::NotFinite));
}

#[test]
fn a_detour_of_weights_is_no_change() {
    let mut graph = Graph::from_edges(2, &[Edge::new(0, 1, 1)]).unwrap();
    let (a, b) = (NodeId(0), NodeId(1));
    let changes = graph.apply(GraphBatch::new().set_weight(a, b, 9).set_weight(a, b, 1)).unwrap();
    assert!(changes.is_empty());
    assert_eq!(graph.revision(), Revision(0));
    assert_eq!(graph.weight_max(), 1);
}

#[test]
fn numbers_and_names_of_nodes_stay() {
    let graph = read_edge_list("a b 1\nb c 2\n").unwrap();
    let mut edited = graph.clone();
    let changes = edited.apply(GraphBatch::new().remove_node(NodeId(1)).add_node(None)).unwrap();
    assert_eq!(edited.node_count(), 4);
    assert_eq!((edited.find("b"), edited.find("c")), (None, Some(NodeId(2))));
    assert_eq!((edited.find("3"), edited.name(NodeId(3))), (Some(NodeId(3)), "3".to_owned()));
    assert_eq!(edited.edge_count(), 0);
    edited.apply(&GraphBatch::undoing(&changes)).unwrap();
    assert_eq!(edited.find("b"), Some(NodeId(1)));
    assert_eq!(edited.fingerprint(), graph.fingerprint());
}

#[test]
fn edits_beyond_one_page() {
    let nodes = 1_000;
    let edges: Vec<Edge> = (0..nodes - 1).map(|at| Edge::new(at, at + 1, 3)).collect();
    let mut graph = Graph::from_edges(nodes as usize, &edges).unwrap();
    let mut batch = GraphBatch::new();
    for node in 1_000..1_300 {
        batch.add_node(None).add_edge(NodeId(node), NodeId(node - 500), -7);
    }
    let changes = graph.apply(&batch).unwrap();
    let negative = graph.non_negative().unwrap_err();
    assert_eq!((negative.number, negative.edge), (999, Edge::new(1_000, 500, -7)));
    assert_eq!((graph.node_count(), graph.weight_max()), (1_300, 7));
    graph.apply(&GraphBatch::undoing(&changes)).unwrap();
    assert!(graph.edges().eq(edges));
    assert_eq!((graph.node_count(), graph.weight_max()), (1_000, 3));
    assert!(graph.non_negative().is_ok());
}
