//! `highroad planners`

use anyhow::Result;
use highroad::catalog::{CATALOG, Spec};
use highroad::graph::Graph;
use highroad::grid::{Grid, MovementRule};
use highroad::mesh::Mesh;
use highroad::planner::{CatalogEntry, Guarantee};
use highroad::{GridMap, Terrain};
use highroad_lab::graphs::lecture;
use highroad_lab::workload::grid_under;
use std::io::Write;

pub(crate) fn run(out: &mut dyn Write) -> Result<u8> {
    let (grid, graph) = (sample_grid()?, lecture());
    for entry in CATALOG {
        writeln!(out, "{}: {}", entry.name, entry.title)?;
        writeln!(out, "    {}", entry.summary)?;
        writeln!(out, "    for: {}", environments(entry))?;
        writeln!(out, "    guarantee: {}", guarantee(entry, &grid, &graph)?)?;
        for option in entry.options {
            let (name, values, default) = (option.name, option.kind, option.default);
            writeln!(out, "    {name}={default}: {}; {values}", option.help)?;
        }
    }
    writeln!(out)?;
    writeln!(
        out,
        "Guarantees are for uniform terrain under the rule never-cut-corners, or for a graph."
    )?;
    writeln!(
        out,
        "Options follow the name: --planner weighted-astar:weight=2:heuristic=euclidean"
    )?;
    writeln!(out, "Planners for graphs: highroad graph solve GRAPH --search regions:size=200")?;
    Ok(0)
}

/// What a planner is made for.
fn environments(entry: &CatalogEntry) -> &'static str {
    match (&entry.grid, &entry.graph, &entry.mesh) {
        (Some(_), Some(_), _) => "grids and graphs",
        (Some(_), None, _) => "grids",
        (None, Some(_), _) => "graphs",
        (None, None, Some(_)) => "meshes",
        (None, None, None) => "nothing yet",
    }
}

/// What a planner promises on a grid, or on a graph or a mesh if it is for those only.
fn guarantee(entry: &'static CatalogEntry, grid: &Grid, graph: &Graph) -> Result<Guarantee> {
    let spec = Spec::usual(entry);
    Ok(match (&entry.grid, &entry.graph) {
        (Some(_), _) => spec.build(grid)?.guarantee(grid),
        (None, Some(_)) => spec.build(graph)?.guarantee(graph),
        (None, None) => {
            let corners = vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
            let mesh = Mesh::from_polygons(corners, &[vec![0, 1, 2]])?;
            spec.build(&mesh)?.guarantee(&mesh)
        }
    })
}

fn sample_grid() -> Result<Grid> {
    Ok(grid_under(GridMap::filled(8, 8, Terrain::GROUND)?, MovementRule::default()))
}
