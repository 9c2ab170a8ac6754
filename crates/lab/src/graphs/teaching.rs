//! Graphs in JSON and TOML, for teaching: nodes with names and places, edges by names.

use highroad::environment::NodeId;
use highroad::graph::{Edge, Graph, GraphBuildError, Position};
use serde::Deserialize;
use std::collections::HashMap;
use thiserror::Error;

/// In which format a graph is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TeachingFormat {
    /// JSON.
    Json,
    /// TOML.
    Toml,
}

/// Why a text is no graph.
#[derive(Debug, Error)]
pub enum TeachingError {
    /// Not JSON, or not such a graph.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// Not TOML, or not such a graph.
    #[error(transparent)]
    Toml(#[from] toml::de::Error),
    /// An edge to or from a node that is not listed.
    #[error("edge {edge}: there is no node '{name}'")]
    NoSuchNode {
        /// Which edge, from 1.
        edge: usize,
        /// The name.
        name: String,
    },
    /// Two nodes of the same name.
    #[error("node {node}: there is a '{name}' already")]
    Twice {
        /// Which node, from 1.
        node: usize,
        /// The name.
        name: String,
    },
    /// Some nodes have a place, others have none.
    #[error("node '{name}' has no place (x and y), but others have")]
    NoPlace {
        /// Which node.
        name: String,
    },
    /// The graph cannot be made.
    #[error(transparent)]
    Build(#[from] GraphBuildError),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Without it edges have a direction.
    #[serde(default = "yes")]
    directed: bool,
    /// Without it nodes are those that edges name, in that order.
    #[serde(default)]
    nodes: Vec<Node>,
    edges: Vec<Line>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Node {
    name: String,
    x: Option<f64>,
    y: Option<f64>,
    z: Option<f64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Short(String, String, i32),
    Long {
        from: String,
        to: String,
        #[serde(default = "one")]
        weight: i32,
    },
}

fn yes() -> bool {
    true
}

fn one() -> i32 {
    1
}

/// Reads a graph for teaching.
///
/// ```
/// use highroad_lab::graphs::{TeachingFormat, read_teaching};
/// let text = r#"{"directed": false, "edges": [["home", "school", 7]]}"#;
/// let graph = read_teaching(text, TeachingFormat::Json)?;
/// assert_eq!((graph.node_count(), graph.edge_count()), (2, 2));
/// let text = "edges = [{ from = 'a', to = 'b', weight = 2 }]\nnodes = [{ name = 'a' }]\n";
/// let error = read_teaching(text, TeachingFormat::Toml).unwrap_err();
/// assert_eq!(error.to_string(), "edge 1: there is no node 'b'");
/// # Ok::<(), highroad_lab::graphs::TeachingError>(())
/// ```
pub fn read_teaching(text: &str, format: TeachingFormat) -> Result<Graph, TeachingError> {
    let file: File = match format {
        TeachingFormat::Json => serde_json::from_str(text)?,
        TeachingFormat::Toml => toml::from_str(text)?,
    };
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut names: Vec<String> = Vec::new();
    for (index, node) in file.nodes.iter().enumerate() {
        if numbers.insert(node.name.clone(), index as u32).is_some() {
            return Err(TeachingError::Twice { node: index + 1, name: node.name.clone() });
        }
        names.push(node.name.clone());
    }
    let listed = !file.nodes.is_empty();
    let mut edges = Vec::new();
    for (index, line) in (1..).zip(&file.edges) {
        let (from, to, weight) = match line {
            Line::Short(from, to, weight) | Line::Long { from, to, weight } => (from, to, *weight),
        };
        let mut node = |name: &String| match numbers.get(name) {
            Some(&number) => Ok(NodeId(number)),
            None if listed => Err(TeachingError::NoSuchNode { edge: index, name: name.clone() }),
            None => {
                let number = names.len() as u32;
                numbers.insert(name.clone(), number);
                names.push(name.clone());
                Ok(NodeId(number))
            }
        };
        let edge = Edge { from: node(from)?, to: node(to)?, weight };
        edges.push(edge);
        if !file.directed {
            edges.push(edge.reversed());
        }
    }
    let graph = Graph::from_edges(names.len(), &edges)?.with_names(names)?;
    let place = |node: &Node| node.x.zip(node.y).map(|(x, y)| [x, y, node.z.unwrap_or(0.0)]);
    let places: Vec<Option<Position>> = file.nodes.iter().map(place).collect();
    if places.iter().all(Option::is_none) {
        return Ok(graph);
    }
    if let Some(at) = places.iter().position(Option::is_none) {
        return Err(TeachingError::NoPlace { name: file.nodes[at].name.clone() });
    }
    Ok(graph.with_positions(places.into_iter().flatten().collect())?)
}
