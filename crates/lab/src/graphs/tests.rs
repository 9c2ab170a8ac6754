//! The lecture's tables, files, and road networks.

use super::*;
use highroad::environment::NodeId;
use highroad::graph::{AllPairsMethod, Edge, Partition};
use highroad::grid::Grid;
use highroad::heuristic::{Metric, PositionEstimate};
use highroad::online::{GraphSearch, GridSearch};
use highroad::planner::{PathQuery, Planner, Scratch};
use highroad::search::{TieRule, TraceKind, TraceLog, Weight};

/// A run on the lecture's graph from s to t, with Manhattan estimates if the search takes any: the cost of its path,
/// and its table.
fn run(search: GraphSearch) -> (u64, String) {
    let graph = lecture();
    let (s, t) = (graph.find("s").unwrap(), graph.find("t").unwrap());
    let distance = PositionEstimate::of(&graph, Metric::Manhattan).unwrap();
    let search = search.with_heuristic(distance).with_ties(TieRule::SmallerNumber);
    let mut log = TraceLog::default();
    let query = PathQuery::new(s, t);
    let answer = search.solve_traced(&graph, &query, &mut Scratch::new(), &mut log).unwrap();
    let estimates = estimates_towards(&graph, &search, t).unwrap();
    let stages = Stages::new(&graph, log.events(), estimates.as_deref());
    let mut text = Vec::new();
    stages.write(TableFormat::Text, &mut text).unwrap();
    (answer.path().unwrap().cost().0, String::from_utf8(text).unwrap())
}

#[test]
fn the_lectures_dijkstra_table_is_reproduced() {
    let (cost, table) = run(GraphSearch::dijkstra());
    assert_eq!(cost, 15);
    let expected = "\
stage    s    a    b    c    d    e    f    g     h     t
Init   [0]    ∞    ∞    ∞    ∞    ∞    ∞    ∞     ∞     ∞
1: s     0    8    –  [2]    3    –    –    –     –     –
2: c     ↓    8    4    2  [3]    –    –    –     –     –
3: d          8  [4]    ↓    3    5    6    –     –     –
4: b          6    4         ↓  [5]    6    –     –     –
5: e        [6]    ↓              5    6    7     –     –
6: a          6                   ↓  [6]    7     –     –
7: f          ↓                        6  [7]    10     –
8: g                                   ↓    7  [10]    15
9: h                                        ↓    10  [15]
10: t                                             ↓    15
Final    0    6    4    2    3    5    6    7    10    15
";
    assert_eq!(table, expected);
}

#[test]
fn the_lectures_best_first_table_is_reproduced() {
    let (cost, table) = run(GraphSearch::greedy());
    assert_eq!(cost, 21);
    let expected = "\
stage       s     a     b     c       d     e      f       g       h       t
h(u)       15    13    15    17      12    10      9       8       5       0
Init   [0:15]  ∞:13  ∞:15  ∞:17    ∞:12  ∞:10    ∞:9     ∞:8     ∞:5     ∞:0
1: s        0  8:13     –  2:17  [3:12]     –      –       –       –       –
2: d        ↓  8:13     –  2:17       3  5:10  [6:9]       –       –       –
3: f           8:13     –  2:17       ↓  5:10      6       –  [10:5]       –
4: h           8:13     –  2:17          5:10      ↓  [13:8]      10       –
5: g           8:13     –  2:17          5:10             13       ↓  [21:0]
6: t           8:13     –  2:17          5:10              ↓              21
Final       0     8     ∞     2       3     5      6      13      10      21
";
    assert_eq!(table, expected);
}

/// The lecture's own table jumps from f to t at stage 4, which expanding f cannot bring about; see the
/// graph's file. This is what the algorithm does on that graph.
#[test]
fn a_star_finds_fifteen_and_the_table_says_how() {
    let (cost, table) = run(GraphSearch::astar());
    assert_eq!(cost, 15);
    let expected = "\
stage       s     a     b     c       d       e      f      g       h       t
h(u)       15    13    15    17      12      10      9      8       5       0
Init   [0:15]  ∞:13  ∞:15  ∞:17    ∞:12    ∞:10    ∞:9    ∞:8     ∞:5     ∞:0
1: s        0  8:13     –  2:17  [3:12]       –      –      –       –       –
2: d        ↓  8:13     –  2:17       3  [5:10]    6:9      –       –       –
3: e           8:13     –  2:17       ↓       5  [6:9]    7:8       –       –
4: f           8:13     –  2:17               ↓      6  [7:8]    10:5       –
5: g           8:13     –  2:17                      ↓      7  [10:5]    15:0
6: h           8:13     –  2:17                             ↓      10  [15:0]
7: t           8:13     –  2:17                                     ↓      15
Final       0     8     ∞     2       3       5      6      7      10      15
";
    assert_eq!(table, expected);
}

#[test]
fn ten_times_the_estimate_leads_astray_as_in_the_lecture() {
    let weight = Weight::new(10.0).unwrap();
    let (cost, table) = run(GraphSearch::astar().with_weight(weight));
    assert_eq!(cost, 21);
    for (stage, node) in (1..).zip(["s", "d", "f", "h", "g", "t"]) {
        assert!(table.contains(&format!("\n{stage}: {node} ")), "{table}");
    }
    assert!(!table.contains("\n7: "), "{table}");
}

#[test]
fn ties_decide_what_is_looked_at_first() {
    let order = |ties| {
        let graph = lecture();
        let (s, t) = (graph.find("s").unwrap(), graph.find("t").unwrap());
        let distance = PositionEstimate::of(&graph, Metric::Manhattan).unwrap();
        let search = GraphSearch::astar().with_heuristic(distance).with_ties(ties);
        let (mut scratch, mut log) = (Scratch::new(), TraceLog::default());
        search.solve_traced(&graph, &PathQuery::new(s, t), &mut scratch, &mut log).unwrap();
        let taken = log
            .events()
            .iter()
            .filter(|event| matches!(event.kind, TraceKind::Expand | TraceKind::Goal));
        taken.map(|event| graph.name(event.node)).collect::<Vec<_>>().concat()
    };
    assert_eq!(order(TieRule::SmallerNumber), "sdefght");
    // f at 6 comes before e at 5, and h at 10 before both.
    assert_eq!(order(TieRule::LargerCost), "sdfhegt");
    assert_eq!(order(TieRule::NewestFirst), "sdfhegt");
}

#[test]
fn tables_are_written_in_three_formats() {
    let graph = highroad::graph::read_edge_list("a,b -- c|d 1\n").unwrap();
    let mut log = TraceLog::default();
    let query = PathQuery::new(NodeId(0), NodeId(1));
    let search = GraphSearch::dijkstra();
    search.solve_traced(&graph, &query, &mut Scratch::new(), &mut log).unwrap();
    let stages = Stages::new(&graph, log.events(), None);
    let written = |format| {
        let mut text = Vec::new();
        stages.write(format, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    };
    let markdown = "\
| stage   |      a,b |     c\\|d |
| :------ | -------: | -------: |
| Init    | <u>0</u> |        ∞ |
| 1: a,b  |        0 | <u>1</u> |
| 2: c\\|d |        ↓ |        1 |
| Final   |        0 |        1 |
";
    assert_eq!(written(TableFormat::Markdown), markdown);
    let csv = "stage,\"a,b\",c|d\nInit,[0],∞\n\"1: a,b\",0,[1]\n2: c|d,↓,1\nFinal,0,1\n";
    assert_eq!(written(TableFormat::Csv), csv);
}

#[test]
fn both_sides_of_a_bidirectional_search_have_their_columns() {
    let graph = lecture();
    let mut log = TraceLog::default();
    let query = PathQuery::new(NodeId(0), NodeId(9));
    let search = GraphSearch::bidirectional();
    search.solve_traced(&graph, &query, &mut Scratch::new(), &mut log).unwrap();
    let mut text = Vec::new();
    Stages::new(&graph, log.events(), None).write(TableFormat::Csv, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.lines().next().unwrap().ends_with(",h,t,s′,a′,b′,c′,d′,e′,f′,g′,h′,t′"), "{text}");
}

#[test]
fn road_networks_hang_together_and_can_be_read_again() {
    let recipe = RoadRecipe { nodes: 3000, seed: 3 };
    let graph = recipe.generate().unwrap();
    let field = highroad::field::FacilityField::away_from(&graph, &[NodeId(0)]).unwrap();
    assert!((0..3000).all(|node| field.cost(NodeId(node)).is_some()));
    let (edges, places) = to_dimacs(&graph, "two\nlines");
    let again = highroad::graph::read_dimacs(&edges).unwrap();
    assert!(again.edges().eq(graph.edges()));
    let again = highroad::graph::read_coordinates(&places.unwrap()).unwrap();
    assert_eq!(Some(&again[..]), graph.positions());
    let partition = Partition::compute(&graph, 150);
    let (smallest, largest) = partition.balance();
    assert!(
        partition.is_connected(&graph) && smallest >= 0.8 && largest <= 1.2,
        "{smallest} {largest}"
    );
}

#[test]
fn a_grid_as_a_graph_has_the_same_shortest_paths() {
    let grid = Grid::with_defaults("....\n.#..\n..#.\n....\n".parse().unwrap());
    let (graph, cells) = graph_of_grid(&grid).unwrap();
    let table = all_pairs(&graph, AllPairsMethod::for_graph(&graph)).unwrap();
    let mut scratch = Scratch::new();
    for (from, &start) in (0..).zip(&cells) {
        for (to, &goal) in (0..).zip(&cells) {
            let query = PathQuery::new(start, goal);
            let answer = GridSearch::astar().solve(&grid, &query, &mut scratch).unwrap();
            let cost = answer.path().map(|path| path.cost().0 as i64);
            assert_eq!(table.cost(NodeId(from), NodeId(to)), cost);
        }
    }
}

#[test]
fn several_threads_give_the_same_table() {
    let edges: Vec<Edge> =
        (0..900u32).map(|at| Edge::new(at % 150, at * 7919 % 150, (at * 31 % 97) as i32)).collect();
    let graph = Graph::from_edges(150, &edges).unwrap();
    for method in [AllPairsMethod::FloydWarshall, AllPairsMethod::RepeatedDijkstra] {
        let one = highroad::graph::AllPairs::find(&graph, method).unwrap();
        let several = all_pairs(&graph, method).unwrap();
        for from in (0..150).map(NodeId) {
            for to in (0..150).map(NodeId) {
                assert_eq!(one.cost(from, to), several.cost(from, to));
                assert_eq!(one.path(from, to), several.path(from, to));
            }
        }
    }
}

#[test]
fn files_that_are_no_graphs_say_where() {
    let errors = [
        (r#"{"edges": [["a", "b"]]}"#, "line 1 column"),
        (
            r#"{"edges": [], "nodes": [{"name": "a"}, {"name": "a"}]}"#,
            "node 2: there is a 'a' already",
        ),
        (
            r#"{"edges": [], "nodes": [{"name": "a", "x": 1, "y": 2}, {"name": "b"}]}"#,
            "node 'b' has no place (x and y), but others have",
        ),
        (r#"{"edges": [], "knots": []}"#, "unknown field `knots`"),
    ];
    for (text, expected) in errors {
        let error = read_teaching(text, TeachingFormat::Json).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let error =
        read_teaching("edges = [\n  7,\n]\n", TeachingFormat::Toml).unwrap_err().to_string();
    assert!(error.contains("line 1") || error.contains("line 2"), "{error}");
    let missing = read_graph(Path::new("there/is/none.gr")).unwrap_err().to_string();
    assert!(missing.starts_with("cannot read"), "{missing}");
}
