//! The map and the queries of a contest, such that every library can take part.
//!
//! Most libraries know cells that are free or blocked and nothing between. So the map is reduced to
//! ground and walls, for all contestants alike: water, which joins only water, becomes a wall, and
//! queries in it are left out. A map with terrain costs is no field.

use highroad::{GridMap, Terrain};
use highroad::grid::{Domain, Grid, MovementRule};
use highroad_lab::workload::{Workload, grid_under};

/// A workload of free and blocked cells whose queries all start and end on free ones.
pub(crate) struct Field(pub(crate) Workload);

impl Field {
    /// The field of a workload, and how many of its queries are left out; or why there is none.
    pub(crate) fn of(workload: Workload) -> Result<(Self, usize), &'static str> {
        let Workload { name, grid, queries: asked } = workload;
        if grid.uniform_cost() != Some(1) {
            return Err("its terrain has costs, which most libraries do not know");
        }
        let grid = ground_of(&grid);
        let mut queries = asked.clone();
        queries.retain(|query| grid.is_enterable(query.start) && grid.is_enterable(query.goal));
        if queries.is_empty() {
            return Err("it has no queries on the ground");
        }
        let left_out = asked.len() - queries.len();
        Ok((Self(Workload { name, grid, queries }), left_out))
    }
}

fn ground_of(grid: &Grid) -> Grid {
    let extent = grid.extent();
    let map =
        GridMap::from_fn(extent.width(), extent.height(), |cell| match grid.domain_of(cell) {
            Some(Domain::GROUND) => Terrain::GROUND,
            _ => Terrain::WALL,
        });
    grid_under(map.expect("it has the size of a map"), MovementRule::NeverCutCorners)
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad::Cell;
    use highroad_lab::workload::WorkQuery;

    fn field(drawing: &str, queries: &[[u32; 4]]) -> Result<(Field, usize), &'static str> {
        let grid = Grid::with_defaults(drawing.parse().unwrap());
        let query = |&[x, y, goal_x, goal_y]: &[u32; 4]| WorkQuery {
            start: Cell::new(x, y),
            goal: Cell::new(goal_x, goal_y),
            published: None,
        };
        let queries = queries.iter().map(query).collect();
        Field::of(Workload { name: "field".into(), grid, queries })
    }

    #[test]
    fn what_is_not_ground_becomes_wall_and_queries_there_are_left_out() {
        let queries = [[0, 0, 1, 0], [2, 0, 2, 0], [0, 0, 3, 0], [9, 0, 0, 0]];
        let (field, left_out) = field(".SWT\n", &queries).unwrap();
        assert_eq!(field.0.grid.map().to_string(), "..@@\n");
        assert_eq!((field.0.queries.len(), left_out), (1, 3));
    }

    #[test]
    fn a_map_with_costs_or_without_queries_is_no_field() {
        assert!(field("AB\n", &[[0, 0, 1, 0]]).is_err());
        assert!(field("..\n", &[]).is_err());
        assert!(field("##\n", &[[0, 0, 1, 0]]).is_err());
    }
}
