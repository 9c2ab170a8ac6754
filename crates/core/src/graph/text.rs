//! Graphs as text: edge lists, and the two files of the DIMACS challenge on shortest paths.

use super::{Edge, Graph, GraphBuildError, Position};
use crate::space::NodeId;
use std::collections::HashMap;
use thiserror::Error;

/// What is wrong with a text, and in which line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct GraphTextError {
    /// From 1.
    pub line: usize,
    /// What is wrong.
    pub problem: GraphTextProblem,
}

/// What can be wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GraphTextProblem {
    /// Not a line of the format.
    #[error("expected {expected}, but found '{found}'")]
    Unexpected {
        /// What should be there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A node's number beyond those that were announced.
    #[error("node {node} is not among 1 to {nodes}")]
    NoSuchNode {
        /// The number.
        node: u64,
        /// How many were announced.
        nodes: usize,
    },
    /// So many nodes that memory for them would be out of proportion.
    #[error("{nodes} nodes are more than a text of this length can list")]
    TooManyNodes {
        /// How many were announced.
        nodes: usize,
    },
    /// Another number of lines than announced.
    #[error("{announced} {what} were announced, but there are {found}")]
    WrongCount {
        /// Of what.
        what: &'static str,
        /// How many were announced.
        announced: usize,
        /// How many there are.
        found: usize,
    },
    /// The graph cannot be made.
    #[error(transparent)]
    Graph(GraphBuildError),
}

/// Nodes that a text may announce without saying anything of them.
const ISOLATED_MAX: usize = 1 << 20;

type Result<T> = std::result::Result<T, GraphTextError>;

fn unexpected(line: usize, expected: &'static str, found: &str) -> GraphTextError {
    let found: String = found.trim().chars().take(60).collect();
    GraphTextError { line, problem: GraphTextProblem::Unexpected { expected, found } }
}

/// A text without the byte order mark that some editors begin it with.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Lines with their numbers, without what begins a comment, and without those that are then empty.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let plain = |line: &'_ str| line.split('#').next().unwrap_or("").trim().to_owned();
    let numbered = (1..).zip(without_mark(text).lines());
    numbered.filter(move |(_, line)| !plain(line).is_empty())
}

/// Reads an edge list: a line `from to weight` for each edge. Any word is a node's name; nodes are numbered
/// in the order in which they are named first. Without a weight an edge costs 1. `a -> b 3` is the same as
/// `a b 3`; `a -- b 3` goes both ways. A line with a single name is a node. `#` begins a comment.
///
/// ```
/// use highroad::graph::read_edge_list;
/// let graph = read_edge_list("a -- b 3   # both ways\nb c -2\n")?;
/// assert_eq!((graph.node_count(), graph.edge_count()), (3, 3));
/// assert_eq!(graph.find("c").map(|node| node.0), Some(2));
/// assert_eq!(read_edge_list("a b x").unwrap_err().to_string(),
///     "line 1: expected a whole number as weight, but found 'x'");
/// # Ok::<(), highroad::graph::GraphTextError>(())
/// ```
pub fn read_edge_list(text: &str) -> Result<Graph> {
    let mut names: Vec<String> = Vec::new();
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut edges = Vec::new();
    let mut last = 0;
    for (line, content) in lines(text) {
        last = line;
        let content = content.split('#').next().unwrap_or("");
        let mut words: Vec<&str> = content.split_whitespace().collect();
        let arrow = words.get(1).copied().filter(|word| ["->", "--"].contains(word));
        if arrow.is_some() {
            words.remove(1);
        }
        let mut node = |name: &str| {
            NodeId(*numbers.entry(name.to_owned()).or_insert_with(|| {
                names.push(name.to_owned());
                names.len() as u32 - 1
            }))
        };
        let (from, to, weight) = match words[..] {
            [name] if arrow.is_none() => {
                node(name);
                continue;
            }
            [from, to] => (from, to, 1),
            [from, to, weight] => match weight.parse() {
                Ok(weight) => (from, to, weight),
                Err(_) => return Err(unexpected(line, "a whole number as weight", weight)),
            },
            _ => return Err(unexpected(line, "from, to and a weight", content)),
        };
        let edge = Edge { from: node(from), to: node(to), weight };
        edges.push(edge);
        if arrow == Some("--") {
            edges.push(edge.reversed());
        }
    }
    let graph = Graph::from_edges(names.len(), &edges).and_then(|graph| graph.with_names(names));
    graph.map_err(|error| GraphTextError { line: last, problem: GraphTextProblem::Graph(error) })
}

/// The words of DIMACS lines, without comments.
fn dimacs_lines(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let words = |(line, content): (usize, &'_ str)| {
        (line, content.len(), content.split_whitespace().next().is_none_or(|word| word == "c"))
    };
    (1..)
        .zip(without_mark(text).lines())
        .filter(move |line| !words(*line).2)
        .map(|(line, content)| (line, content.split_whitespace().collect()))
}

/// A node by its number from 1.
fn dimacs_node(line: usize, word: &str, nodes: usize) -> Result<NodeId> {
    let node: u64 = word.parse().map_err(|_| unexpected(line, "a node's number", word))?;
    if node == 0 || node > nodes as u64 {
        let problem = GraphTextProblem::NoSuchNode { node, nodes };
        return Err(GraphTextError { line, problem });
    }
    Ok(NodeId(node as u32 - 1))
}

/// Reads a graph of the ninth DIMACS challenge (`.gr`): `p sp NODES EDGES`, then `a FROM TO WEIGHT` with nodes
/// from 1. Lines that begin with `c` are comments. Node 1 of the file is node 0 here.
///
/// ```
/// use highroad::graph::read_dimacs;
/// let graph = read_dimacs("c a road\np sp 2 1\na 1 2 803\n")?;
/// assert_eq!(graph.edges().next().unwrap().weight, 803);
/// assert!(read_dimacs("p sp 2 1\na 1 3 1\n").unwrap_err().to_string().starts_with("line 2: node 3"));
/// # Ok::<(), highroad::graph::GraphTextError>(())
/// ```
pub fn read_dimacs(text: &str) -> Result<Graph> {
    let mut lines = dimacs_lines(text);
    let head = "p sp NODES EDGES";
    let (line, words) = lines.next().ok_or_else(|| unexpected(1, head, ""))?;
    let (nodes, announced) = match words[..] {
        ["p", "sp", nodes, edges] => nodes.parse::<usize>().ok().zip(edges.parse::<usize>().ok()),
        _ => None,
    }
    .ok_or_else(|| unexpected(line, head, &words.join(" ")))?;
    // Memory is taken for what is there, not for what is announced; isolated nodes may be a few.
    if nodes > text.len().max(ISOLATED_MAX) {
        let problem = GraphTextProblem::TooManyNodes { nodes };
        return Err(GraphTextError { line, problem });
    }
    let mut edges = Vec::with_capacity(announced.min(text.len() / 7));
    let mut last = line;
    for (line, words) in lines {
        last = line;
        let ["a", from, to, weight] = words[..] else {
            return Err(unexpected(line, "a FROM TO WEIGHT", &words.join(" ")));
        };
        let weight = weight.parse();
        edges.push(Edge {
            from: dimacs_node(line, from, nodes)?,
            to: dimacs_node(line, to, nodes)?,
            weight: weight.map_err(|_| unexpected(line, "a whole number as weight", words[3]))?,
        });
    }
    if edges.len() != announced {
        let problem = GraphTextProblem::WrongCount { what: "edges", announced, found: edges.len() };
        return Err(GraphTextError { line: last, problem });
    }
    Graph::from_edges(nodes, &edges)
        .map_err(|error| GraphTextError { line, problem: GraphTextProblem::Graph(error) })
}

/// Reads the coordinates of a DIMACS graph (`.co`): `p aux sp co NODES`, then `v NODE X Y`, or `v NODE X Y Z`.
///
/// ```
/// use highroad::graph::read_coordinates;
/// let places = read_coordinates("p aux sp co 2\nv 1 5 -7\nv 2 0 1\n")?;
/// assert_eq!(places, [[5.0, -7.0, 0.0], [0.0, 1.0, 0.0]]);
/// # Ok::<(), highroad::graph::GraphTextError>(())
/// ```
pub fn read_coordinates(text: &str) -> Result<Vec<Position>> {
    let mut lines = dimacs_lines(text);
    let head = "p aux sp co NODES";
    let (line, words) = lines.next().ok_or_else(|| unexpected(1, head, ""))?;
    let nodes = match words[..] {
        ["p", "aux", "sp", "co", nodes] => nodes.parse::<usize>().ok(),
        _ => None,
    }
    .ok_or_else(|| unexpected(line, head, &words.join(" ")))?;
    let wrong_count = |line, found| {
        let problem = GraphTextProblem::WrongCount { what: "places", announced: nodes, found };
        GraphTextError { line, problem }
    };
    // A line takes at least seven letters.
    if nodes > text.len() / 7 {
        return Err(wrong_count(line, text.lines().count() - 1));
    }
    let mut places = vec![None; nodes];
    let mut last = line;
    for (line, words) in lines {
        last = line;
        let expected = "v NODE X Y";
        let (node, numbers) = match &words[..] {
            ["v", node, numbers @ ..] if (2..=3).contains(&numbers.len()) => (node, numbers),
            _ => return Err(unexpected(line, expected, &words.join(" "))),
        };
        let mut place = [0.0; 3];
        for (slot, number) in place.iter_mut().zip(numbers) {
            let number: f64 = number.parse().map_err(|_| unexpected(line, expected, number))?;
            *slot = number;
        }
        places[dimacs_node(line, node, nodes)?.index()] = Some(place);
    }
    let found = places.iter().flatten().count();
    if found < nodes {
        return Err(wrong_count(last, found));
    }
    Ok(places.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_name() {
        let graph = read_edge_list("\u{feff}a b 3\n").unwrap();
        assert_eq!((graph.name(NodeId(0)), graph.find("a")), ("a".to_owned(), Some(NodeId(0))));
        assert_eq!(read_dimacs("\u{feff}p sp 2 1\na 1 2 803\n").unwrap().edge_count(), 1);
        assert_eq!(read_coordinates("\u{feff}p aux sp co 1\nv 1 5 -7\n").unwrap().len(), 1);
    }
}
