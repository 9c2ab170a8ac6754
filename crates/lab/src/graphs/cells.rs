//! A grid as a graph, so that what is made for graphs can be held against maps.

use highroad::Cell;
use highroad::environment::NodeId;
use highroad::graph::{Edge, Graph, GraphBuildError};
use highroad::grid::{Direction, Grid};

/// The cells that agents may stand on as nodes, in the order of the map, and the steps between them as edges;
/// besides, the cell of each node.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad_lab::graphs::graph_of_grid;
/// let grid = Grid::with_defaults("..\n.#\n".parse()?);
/// let (graph, cells) = graph_of_grid(&grid)?;
/// assert_eq!((graph.node_count(), graph.edge_count(), cells.len()), (3, 4, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn graph_of_grid(grid: &Grid) -> Result<(Graph, Vec<Cell>), GraphBuildError> {
    let extent = grid.extent();
    let cells: Vec<Cell> = extent.cells().filter(|&cell| grid.is_enterable(cell)).collect();
    let mut numbers = vec![u32::MAX; extent.cell_count()];
    for (number, &cell) in (0..).zip(&cells) {
        if let Some(id) = extent.id(cell) {
            numbers[id.index()] = number;
        }
    }
    let mut edges = Vec::new();
    for (number, &cell) in (0u32..).zip(&cells) {
        for direction in Direction::ALL {
            let (dx, dy) = direction.delta();
            let columns = cell.x.checked_add_signed(dx);
            let Some((x, y)) = columns.zip(cell.y.checked_add_signed(dy)) else { continue };
            let next = Cell::new(x, y);
            let (Some(id), Some(cost)) = (extent.id(next), grid.step_cost(cell, next)) else {
                continue;
            };
            let weight = i32::try_from(cost).unwrap_or(i32::MAX);
            edges.push(Edge { from: NodeId(number), to: NodeId(numbers[id.index()]), weight });
        }
    }
    let place = |cell: &Cell| [f64::from(cell.x), f64::from(cell.y), 0.0];
    let places = cells.iter().map(place).collect();
    Ok((Graph::from_edges(cells.len(), &edges)?.with_positions(places)?, cells))
}
