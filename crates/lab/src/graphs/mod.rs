//! Graphs for the laboratory: files, the lecture's graph, road networks, grids as graphs, tables of searches,
//! and all pairs on several threads.

mod cells;
mod parallel;
mod roads;
mod stages;
mod study;
mod teaching;

pub use crate::table::TableFormat;
pub use cells::graph_of_grid;
pub use parallel::{all_pairs, all_pairs_watched};
pub use roads::RoadRecipe;
pub use stages::{Stages, estimates_towards};
pub use study::{StudyError, StudyRow, study_heuristics, study_regions};
pub use teaching::{TeachingError, TeachingFormat, read_teaching};

use highroad::graph::{
    Graph, GraphBuildError, GraphTextError, read_coordinates, read_dimacs, read_edge_list,
};
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a file is no graph.
#[derive(Debug, Error)]
pub enum GraphFileError {
    /// It cannot be read.
    #[error("cannot read {}", .path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// Its text is no graph.
    #[error("{}, {error}", .path.display())]
    Text {
        /// Which file.
        path: PathBuf,
        /// What is wrong, and where.
        error: GraphTextError,
    },
    /// It is no graph in JSON or TOML.
    #[error("{}, {error}", .path.display())]
    Teaching {
        /// Which file.
        path: PathBuf,
        /// What is wrong, and where.
        error: TeachingError,
    },
    /// The coordinates do not fit the graph.
    #[error("{}: {error}", .path.display())]
    Build {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: GraphBuildError,
    },
}

/// The lecture's graph.
///
/// ```
/// let graph = highroad_lab::graphs::lecture();
/// assert_eq!((graph.node_count(), graph.edge_count()), (10, 22));
/// ```
pub fn lecture() -> Graph {
    read_teaching(include_str!("../../graphs/lecture.toml"), TeachingFormat::Toml)
        .expect("the lecture's graph is part of the program")
}

/// Reads a graph by what its name ends with: `.gr` as DIMACS with the `.co` beside it if there is one, `.json`
/// and `.toml` for teaching, anything else as an edge list.
pub fn read_graph(path: &Path) -> Result<Graph, GraphFileError> {
    read_graph_by(path, &|path| std::fs::read(path))
}

/// As [`read_graph`], with files read in another way.
pub fn read_graph_by(
    path: &Path,
    read: &dyn Fn(&Path) -> io::Result<Vec<u8>>,
) -> Result<Graph, GraphFileError> {
    let read = |path: &Path| {
        let failed = |error| GraphFileError::Read { path: path.to_owned(), error };
        let bytes = read(path).map_err(failed)?;
        let no_text = |_| failed(io::Error::new(io::ErrorKind::InvalidData, "it is no text"));
        String::from_utf8(bytes).map_err(no_text)
    };
    let in_text = |path: &Path| {
        let path = path.to_owned();
        move |error| GraphFileError::Text { path, error }
    };
    let in_teaching = |error| GraphFileError::Teaching { path: path.to_owned(), error };
    let text = read(path)?;
    // The readers of JSON and TOML know no byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("json") => read_teaching(text, TeachingFormat::Json).map_err(in_teaching),
        Some("toml") => read_teaching(text, TeachingFormat::Toml).map_err(in_teaching),
        Some("gr") => {
            let graph = read_dimacs(text).map_err(in_text(path))?;
            let beside = path.with_extension("co");
            let places = match read(&beside) {
                Ok(text) => read_coordinates(&text).map_err(in_text(&beside))?,
                Err(GraphFileError::Read { error, .. })
                    if error.kind() == io::ErrorKind::NotFound =>
                {
                    return Ok(graph);
                }
                Err(error) => return Err(error),
            };
            let fitting = graph.with_positions(places);
            fitting.map_err(|error| GraphFileError::Build { path: beside, error })
        }
        _ => read_edge_list(text).map_err(in_text(path)),
    }
}

/// A graph as DIMACS text: the `.gr`, and the `.co` where nodes have places. Both begin with that comment,
/// if it is not empty.
pub fn to_dimacs(graph: &Graph, comment: &str) -> (String, Option<String>) {
    use std::fmt::Write;
    let comment: String = comment.lines().map(|line| format!("c {line}\n")).collect();
    let mut text = format!("{comment}p sp {} {}\n", graph.node_count(), graph.edge_count());
    for edge in graph.edges() {
        _ = writeln!(text, "a {} {} {}", edge.from.0 + 1, edge.to.0 + 1, edge.weight);
    }
    let places = graph.positions().map(|places| {
        let mut text = format!("{comment}p aux sp co {}\n", places.len());
        for (node, [x, y, z]) in (1..).zip(places) {
            _ = match *z == 0.0 {
                true => writeln!(text, "v {node} {x} {y}"),
                false => writeln!(text, "v {node} {x} {y} {z}"),
            };
        }
        text
    });
    (text, places)
}

#[cfg(test)]
mod tests;
