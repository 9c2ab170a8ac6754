//! Planners that are made for graphs, on the cells of a map: so that lessons can show them.

use highroad::catalog::{CATALOG, Spec};
use highroad::environment::{Edition, Environment, NodeId};
use highroad::graph::{Graph, Partition};
use highroad::grid::Grid;
use highroad::planner::{
    Algorithm, Answer, CatalogEntry, Guarantee, LayerInfo, Memory, PathQuery, Planner, Point,
    Progress, Scratch, Session, Shape, SketchLayer, Watch,
};
use highroad::search::{SearchObserver, TraceEvent, TraceLog};
use highroad::space::Nodes;
use highroad::world::{BuildWatch, RebuildError, Recipe};
use highroad::{Cell, Path};
use highroad_lab::graphs::graph_of_grid;

static REGIONS: LayerInfo = LayerInfo::visible("regions", "cells that a region consists of", 0.35);

/// The planners of the catalog that can work on cells: those of grids, and those of graphs on the graph of the cells.
pub fn planners_of_cells() -> impl Iterator<Item = &'static CatalogEntry> {
    CATALOG.iter().copied().filter(|entry| entry.grid.is_some() || entry.graph.is_some())
}

/// Builds a planner for a grid; one that is made for graphs alone works on the graph of the cells. The error says why not.
pub fn build_for_cells(
    spec: &Spec,
    grid: &Grid,
    watch: &mut Watch<'_>,
) -> Result<Box<dyn Planner>, String> {
    if spec.entry().grid.is_some() {
        return spec.build_watched(grid, watch).map_err(|error| error.to_string());
    }
    let (graph, cells) = graph_of_grid(grid).map_err(|error| error.to_string())?;
    let planner = spec.build_watched(&graph, watch).map_err(|error| error.to_string())?;
    let mut numbers = vec![None; grid.extent().cell_count()];
    for (number, &cell) in (0..).zip(&cells) {
        if let Some(id) = grid.extent().id(cell) {
            numbers[id.index()] = Some(NodeId(number));
        }
    }
    let size = spec.values().has("size").then(|| spec.values().whole("size")).flatten();
    let regions = size.map(|size| regions_of(&graph, &numbers, size as usize));
    Ok(Box::new(OnCells { planner, graph, cells, numbers, regions, edition: grid.edition() }))
}

/// The largest map on which planners of graphs work.
const GRAPH_CELLS_MAX: usize = 65_536;

/// Whether a planner serves a grid, perhaps as the graph of its cells; the error says why not.
pub fn serves_cells(entry: &CatalogEntry, grid: &Grid) -> Result<(), String> {
    if entry.grid.is_some() {
        return entry.serves(grid);
    }
    if grid.extent().cell_count() > GRAPH_CELLS_MAX {
        return Err(format!(
            "it is made for graphs, and serves maps of up to {GRAPH_CELLS_MAX} cells here"
        ));
    }
    Ok(())
}

/// A planner of the catalog, for the cells of a map.
pub struct CellsRecipe(pub Spec);

impl Recipe for CellsRecipe {
    fn name(&self) -> String {
        self.0.to_string()
    }

    fn spec(&self) -> Option<Spec> {
        self.0.entry().grid.is_some().then(|| self.0.clone())
    }

    fn build(&self, grid: &Grid, watch: &BuildWatch) -> Result<Box<dyn Planner>, RebuildError> {
        let mut report = |done, of| watch.report(done, of);
        let mut progress = Watch::new(&mut report);
        if self.0.entry().grid.is_some() {
            return Ok(self.0.build_watched(grid, &mut progress)?);
        }
        serves_cells(self.0.entry(), grid).map_err(RebuildError::NotServed)?;
        build_for_cells(&self.0, grid, &mut progress).map_err(|reason| match watch.is_stopped() {
            true => RebuildError::Stopped,
            false => RebuildError::NotServed(reason),
        })
    }
}

/// For each cell the number of its region.
fn regions_of(graph: &Graph, numbers: &[Option<NodeId>], size: usize) -> Vec<u32> {
    let partition = Partition::compute(graph, size);
    let region =
        |number: &Option<NodeId>| number.map_or(Shape::NO_REGION, |node| partition.region(node));
    numbers.iter().map(region).collect()
}

struct OnCells {
    planner: Box<dyn Planner<Graph>>,
    graph: Graph,
    /// The cell of each node.
    cells: Vec<Cell>,
    /// The node of each cell.
    numbers: Vec<Option<NodeId>>,
    /// The region of each cell, where there are some.
    regions: Option<Vec<u32>>,
    /// The grid that it was made for.
    edition: Edition,
}

/// What a query needs: the memory of the planner of the graph, and events on their way.
#[derive(Default)]
struct OnCellsMemory {
    scratch: Scratch,
    log: TraceLog,
}

impl Memory for OnCellsMemory {
    fn bytes(&self) -> usize {
        size_of_val(self.log.events())
    }
}

impl OnCells {
    fn node(&self, grid: &Grid, cell: Cell) -> Option<NodeId> {
        self.numbers[grid.extent().id(cell)?.index()]
    }

    fn path(&self, grid: &Grid, path: &Path<NodeId>) -> Path {
        let cells: Vec<Cell> = path.nodes().iter().map(|node| self.cells[node.index()]).collect();
        let cost = Nodes::cost_along(grid, &cells);
        Path::vouched(cells, cost, grid.revision())
    }

    /// Shapes of the graph lie at the corners of cells; they belong into their middles.
    fn moved(mut layer: SketchLayer) -> SketchLayer {
        let into_middle = |point: &mut Point| {
            point.x += 0.5;
            point.y += 0.5;
        };
        match &mut layer.shape {
            Shape::Lines(lines) => lines.iter_mut().flatten().for_each(into_middle),
            Shape::Points(points) | Shape::Chain(points) => points.iter_mut().for_each(into_middle),
            _ => {}
        }
        layer
    }
}

impl Algorithm<Grid> for OnCells {
    type Memory = OnCellsMemory;

    fn guarantee_for(&self, _: &Grid) -> Guarantee {
        self.planner.guarantee(&self.graph)
    }

    fn is_current(&self, grid: &Grid) -> bool {
        self.edition == grid.edition()
    }

    fn identity(&self) -> Option<Edition> {
        Some(self.graph.edition())
    }

    fn start(
        &self,
        grid: &Grid,
        query: &PathQuery,
        _: &mut Session<'_, Cell>,
        own: &mut OnCellsMemory,
    ) {
        let nodes =
            |cells: &[Cell]| cells.iter().filter_map(|&cell| self.node(grid, cell)).collect();
        let asked = PathQuery::among(nodes(query.starts()), nodes(query.goals()));
        own.log.clear();
        // The cells were checked: they have nodes. Otherwise the query is stale at once, and says so.
        _ = self.planner.begin(&self.graph, &asked.with_limits(query.limits()), &mut own.scratch);
    }

    fn run<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        own: &mut OnCellsMemory,
        slice: u64,
        observer: &mut O,
    ) -> Progress {
        let OnCellsMemory { scratch, log } = own;
        let progress = if O::ACTIVE {
            self.planner.advance_traced(&self.graph, scratch, slice, log)
        } else {
            self.planner.advance(&self.graph, scratch, slice)
        };
        let extent = grid.extent();
        let label = |node: NodeId| {
            let cell = self.cells.get(node.index()).and_then(|&cell| extent.id(cell));
            NodeId(cell.map_or(u32::MAX, |id| id.0))
        };
        for event in log.events() {
            let (node, parent) = (label(event.node), label(event.parent));
            observer.event(TraceEvent { node, parent, ..*event });
        }
        log.clear();
        *session.statistics() = scratch.statistics();
        match progress {
            Progress::Running => Progress::Running,
            Progress::Leg(path) => Progress::Leg(self.path(grid, &path)),
            Progress::Stale => Progress::Stale,
            Progress::Done(answer) => Progress::Done(match answer {
                Answer::Found(path) => Answer::Found(self.path(grid, &path)),
                Answer::Unreachable { nearest } => {
                    Answer::Unreachable { nearest: self.path(grid, &nearest) }
                }
                Answer::LimitReached { nearest } => {
                    Answer::LimitReached { nearest: self.path(grid, &nearest) }
                }
            }),
        }
    }

    fn held_bytes(&self) -> usize {
        self.planner.memory_bytes()
    }

    fn layers(&self, _: &Grid) -> Vec<SketchLayer> {
        let regions =
            self.regions.iter().map(|regions| REGIONS.layer(1, Shape::Regions(regions.clone())));
        regions.chain(self.planner.sketch(&self.graph).into_iter().map(Self::moved)).collect()
    }

    fn query_layers(&self, _: &Grid, own: &OnCellsMemory, _: &Scratch) -> Vec<SketchLayer> {
        self.planner.sketch_query(&self.graph, &own.scratch).into_iter().map(Self::moved).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::teach::record;
    use highroad::Cell;
    use highroad::grid::Grid;

    #[test]
    fn planners_of_graphs_find_paths_over_cells() {
        let map = "....................\n.######...#####.....\n......#...#.........\n..........#.........\n";
        let grid = Grid::with_defaults(map.parse().unwrap());
        let ends = (Cell::new(1, 3), Cell::new(15, 3));
        let exact = record(&"astar".parse().unwrap(), &grid, ends).unwrap();
        let entrances = record(&"entrances:size=12".parse().unwrap(), &grid, ends).unwrap();
        assert_eq!(entrances.cost(), exact.cost(), "all entrances are kept");
        let regions = record(&"regions:size=12".parse().unwrap(), &grid, ends).unwrap();
        assert!(regions.cost() >= exact.cost());
        let path = regions.found().unwrap();
        path.validate(&grid).unwrap();
        assert_eq!((path.start(), path.goal()), ends);
        assert!(regions.statistics.expanded > 0 && !regions.replay.is_empty());
        assert!(regions.layers.iter().any(|layer| layer.info.name == "regions"));
        assert!(!regions.query_layers.is_empty());
    }

    #[test]
    fn walled_in_goals_are_unreachable() {
        let grid = Grid::with_defaults("..#.\n..##\n".parse().unwrap());
        let recording =
            record(&"regions:size=2".parse().unwrap(), &grid, (Cell::new(0, 0), Cell::new(3, 0)));
        assert!(recording.unwrap().found().is_none());
    }
}
