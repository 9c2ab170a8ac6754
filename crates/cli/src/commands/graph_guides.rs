//! Graphs and guides by their names on the command line.

use crate::graph_arguments::Estimates;
use anyhow::{Context, Result, bail};
use highroad::field::FacilityField;
use highroad::graph::{
    AbstractDistances, ClusterTable, Graph, GraphScratch, Guide, Landmarks, Metric, NoGuide,
    NonNegative, Partition, PositionGuide,
};
use highroad::{Grid, NodeId};
use highroad_lab::graphs::{RoadRecipe, graph_of_grid, lecture, read_graph};
use std::path::Path;

/// A graph by its name: built in, made on the spot, the cells of a map, or a file.
pub(super) fn load_graph(name: &str) -> Result<Graph> {
    if let Some(builtin) = name.strip_prefix("builtin:") {
        return match builtin {
            "lecture" => Ok(lecture()),
            _ => bail!("there is no built-in graph '{builtin}'; there is: lecture"),
        };
    }
    if let Some(recipe) = name.strip_prefix("roads:") {
        let (nodes, seed) = recipe.split_once(':').unwrap_or((recipe, "1"));
        let recipe = nodes.parse().ok().zip(seed.parse().ok());
        let (nodes, seed) =
            recipe.with_context(|| format!("'{name}': write roads:NODES or roads:NODES:SEED"))?;
        return Ok(RoadRecipe { nodes, seed }.generate()?);
    }
    if let Some(map) = name.strip_prefix("map:") {
        let (map, _) = super::load_map(map)?;
        return Ok(graph_of_grid(&Grid::with_defaults(map))?.0);
    }
    Ok(read_graph(Path::new(name))?)
}

/// A node by its name or number.
pub(super) fn find_node(graph: &Graph, name: &str) -> Result<NodeId> {
    graph.find(name).with_context(|| {
        let last = graph.node_count().checked_sub(1).map(|last| graph.name(NodeId(last as u32)));
        match last {
            Some(last) => {
                format!(
                    "there is no node '{name}': they go from {} to {last}",
                    graph.name(NodeId(0))
                )
            }
            None => format!("there is no node '{name}': the graph is empty"),
        }
    })
}

/// What a guide is made of; it must outlive the guide.
pub(super) enum Prepared {
    Nothing,
    Metric(Metric),
    Landmarks(Landmarks),
    FacilityField(FacilityField),
    Clusters(ClusterTable),
    Abstract(AbstractDistances),
}

impl Prepared {
    pub(super) fn new(
        view: NonNegative<'_>,
        kind: Estimates,
        goal: NodeId,
        cluster_size: usize,
        scratch: &mut GraphScratch,
    ) -> Result<Self> {
        let clusters = || Partition::compute(view.graph(), cluster_size);
        Ok(match kind {
            Estimates::None => Self::Nothing,
            Estimates::Manhattan => Self::Metric(Metric::Manhattan),
            Estimates::Euclidean => Self::Metric(Metric::Euclidean),
            Estimates::Chebyshev => Self::Metric(Metric::Chebyshev),
            Estimates::Landmarks => Self::Landmarks(Landmarks::choose(view, 8, scratch)),
            Estimates::True => Self::FacilityField(FacilityField::towards(view, &[goal], scratch)?),
            Estimates::Clusters => {
                let table = ClusterTable::new(view, clusters(), scratch);
                let most = ClusterTable::COUNT_MAX;
                Self::Clusters(
                    table.with_context(|| {
                        format!("more than {most} clusters: use a larger --region")
                    })?,
                )
            }
            Estimates::Abstract => {
                let distances = AbstractDistances::new(view, clusters(), scratch);
                Self::Abstract(distances.context("the clusters are those of another graph")?)
            }
        })
    }

    pub(super) fn guide<'p>(
        &'p self,
        view: NonNegative<'p>,
        goal: NodeId,
        scratch: &mut GraphScratch,
    ) -> Result<Box<dyn Guide + 'p>> {
        Ok(match self {
            Self::Nothing => Box::new(NoGuide),
            Self::Metric(metric) => {
                let guide = PositionGuide::new(view.graph(), *metric, &[goal]);
                Box::new(guide.context("the graph's nodes have no places")?)
            }
            Self::Landmarks(landmarks) => Box::new(landmarks.guide(&[goal])),
            Self::FacilityField(field) => Box::new(field.guide().context("the field leads away")?),
            Self::Clusters(table) => Box::new(table.guide(&[goal])),
            Self::Abstract(distances) => Box::new(distances.guide(view, goal, scratch)),
        })
    }
}
