//! A grid as an environment: which cells a path may start on, what a path costs, what an edit touches.

use super::{Cell, CellRect, Change, Cost, Edition, Extent, Grid, Revision, Terrain};
use crate::environment::{Environment, PathFault, Position};
use thiserror::Error;

/// Why no path can start or end on a cell.
///
/// ```
/// use highroad::{GridMap, Terrain};
/// use highroad::grid::CellRefusal;
/// use highroad::planner::QueryError;
/// let map: GridMap = "..T\n".parse()?;
/// let error = map.find_path((0, 0), (2, 0)).unwrap_err();
/// assert!(matches!(error, QueryError::Refused { reason: CellRefusal::Blocked { terrain: Terrain::TREES, .. }, .. }));
/// assert_eq!(error.to_string(), "the goal (2, 0) is blocked: no agent of this profile can stand on 'T'");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum CellRefusal {
    /// A cell beyond the map's edge.
    #[error("{cell} lies outside the map of {} × {} cells", .extent.width(), .extent.height())]
    Outside {
        /// The cell.
        cell: Cell,
        /// The map's size.
        extent: Extent,
    },
    /// A cell that the profile does not allow.
    #[error("{cell} is blocked: no agent of this profile can stand on '{}'", .terrain.letter() as char)]
    Blocked {
        /// The cell.
        cell: Cell,
        /// What is there.
        terrain: Terrain,
    },
    /// A cell that the query itself names as an obstacle.
    #[error("{cell} is an obstacle of this query")]
    Obstacle {
        /// The cell.
        cell: Cell,
    },
    /// The agents are larger than the map: they can stand nowhere.
    #[error("agents of {size} × {size} cells are larger than the map of {} × {} cells", .extent.width(), .extent.height())]
    LargerThanMap {
        /// Cells a side of the agents.
        size: u8,
        /// The map's size.
        extent: Extent,
    },
    /// A cell at which an agent larger than a cell does not fit.
    #[error(
        "{cell} has no room for an agent of {size} × {size} cells with its top left there: {blocked} is in the way"
    )]
    NoRoom {
        /// The cell.
        cell: Cell,
        /// Cells a side of the agent.
        size: u8,
        /// The first cell under the agent, row by row, that it cannot enter, or not together with the first; it may lie
        /// outside the map.
        blocked: Cell,
    },
}

/// What is wrong with a path. See [`PathFault`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PathProblem {
    /// It has no cells.
    #[error("a path has at least one cell")]
    Empty,
    /// No agent may stand there.
    #[error("no agent may stand on {0}")]
    NotEnterable(Cell),
    /// The two cells are not neighbours, or the rule or the domains forbid the step.
    #[error("no step leads from {from} to {to}")]
    Step {
        /// Where the step begins.
        from: Cell,
        /// Where it would end.
        to: Cell,
    },
    /// The steps are allowed, but do not add up to the cost claimed.
    #[error("the steps cost {actual}, not {claimed}")]
    Cost {
        /// What the path says.
        claimed: Cost,
        /// What its steps cost.
        actual: Cost,
    },
}

impl Environment for Grid {
    type Place = Cell;
    type Change = Change;
    type Refusal = CellRefusal;
    type Problem = PathProblem;

    fn revision(&self) -> Revision {
        self.revision
    }

    fn edition(&self) -> Edition {
        self.edition
    }

    fn check(&self) -> Result<(), CellRefusal> {
        let (size, extent) = (self.movement().footprint().size(), self.extent());
        if u32::from(size) > extent.width().min(extent.height()) {
            return Err(CellRefusal::LargerThanMap { size, extent });
        }
        Ok(())
    }

    fn check_place(&self, cell: Cell) -> Result<(), CellRefusal> {
        let Some(terrain) = self.map().terrain(cell) else {
            return Err(CellRefusal::Outside { cell, extent: self.extent() });
        };
        if terrain == Terrain::OBSTACLE {
            return Err(CellRefusal::Obstacle { cell });
        }
        if self.is_enterable(cell) {
            return Ok(());
        }
        let size = self.movement().footprint().size();
        let corner = Cell::new(cell.x + u32::from(size - 1), cell.y + u32::from(size - 1));
        let domain = |at| self.ground_footing(at).map(|footing| footing.domain);
        let home = domain(cell);
        let blocked = CellRect::new(cell, corner).cells().find(|&at| domain(at) != home);
        Err(match blocked.filter(|_| home.is_some()) {
            Some(blocked) => CellRefusal::NoRoom { cell, size, blocked },
            None => CellRefusal::Blocked { cell, terrain },
        })
    }

    fn known_price(&self, cells: &[Cell]) -> Cost {
        self.cost_along(cells)
    }

    fn price(&self, cells: &[Cell]) -> Result<Cost, PathFault<PathProblem>> {
        let fault = |index, problem| PathFault { index, problem };
        if cells.is_empty() {
            return Err(fault(0, PathProblem::Empty));
        }
        if self.can_walk(cells) {
            return Ok(self.cost_along(cells));
        }
        if let Some(index) = cells.iter().position(|&cell| !self.is_enterable(cell)) {
            return Err(fault(index, PathProblem::NotEnterable(cells[index])));
        }
        let mut cost = Cost::ZERO;
        for (index, step) in (1..).zip(cells.windows(2)) {
            let (from, to) = (step[0], step[1]);
            let price = self.step_cost(from, to);
            let price = price.ok_or_else(|| fault(index, PathProblem::Step { from, to }))?;
            cost += Cost(u64::from(price));
        }
        Ok(cost)
    }

    fn wrong_cost(claimed: Cost, actual: Cost) -> PathProblem {
        PathProblem::Cost { claimed, actual }
    }

    /// A step depends on the cell that it leads to, and on those that it squeezes past. Looks at every step; a
    /// [`Corridor`](crate::Corridor) passes over most of them.
    fn first_touched(&self, cells: &[Cell], from: usize, change: &Change) -> Option<usize> {
        if !self.is_concerned_by(change) {
            return None;
        }
        let places = self.places_touched_by(change);
        if cells.get(from).is_some_and(|&at| places.contains(at)) {
            return Some(from);
        }
        let mut steps = from + 1..cells.len();
        match places.single() {
            Some(place) => steps.find(|&at| step_depends_on(cells[at - 1], cells[at], place)),
            None => steps.find(|&at| step_depends(cells[at - 1], cells[at], places)),
        }
    }

    fn covers(&self, at: Cell, cell: Cell) -> bool {
        self.movement().footprint().covers(at, cell)
    }

    fn position(&self, cell: Cell) -> Option<Position> {
        Some([f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5, 0.0])
    }
}

/// Whether a step depends on any of some places: it leads there, or past them diagonally.
pub(crate) fn step_depends(from: Cell, to: Cell, places: CellRect) -> bool {
    let corners = [to, Cell::new(from.x, to.y), Cell::new(to.x, from.y)];
    corners.into_iter().any(|cell| cell != from && places.contains(cell))
}

/// The same for one place, which is what changes mostly are: three comparisons instead of up to twelve.
#[inline]
pub(crate) fn step_depends_on(from: Cell, to: Cell, place: Cell) -> bool {
    place != from
        && (place.x == from.x || place.x == to.x)
        && (place.y == from.y || place.y == to.y)
}
