//! What is asked of a planner.

use crate::grid::{Cell, CellId, Extent, Grid, Terrain};
use crate::search::Limits;
use crate::space::NodeId;
use std::fmt;
use thiserror::Error;

/// A path is wanted from one of some starts to one of some goals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    starts: Places,
    goals: Places,
    limits: Limits,
    first_leg: Option<u32>,
}

/// Mostly one cell, which then takes no memory of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Places {
    One(Cell),
    Many(Vec<Cell>),
}

impl Places {
    fn as_slice(&self) -> &[Cell] {
        match self {
            Self::One(cell) => std::slice::from_ref(cell),
            Self::Many(cells) => cells,
        }
    }
}

impl Query {
    /// From one cell to another.
    pub fn new(start: impl Into<Cell>, goal: impl Into<Cell>) -> Self {
        Self {
            starts: Places::One(start.into()),
            goals: Places::One(goal.into()),
            limits: Limits::default(),
            first_leg: None,
        }
    }

    /// From whichever start to whichever goal costs least (or as near to least as the planner
    /// promises).
    pub fn among(starts: Vec<Cell>, goals: Vec<Cell>) -> Self {
        Self {
            starts: Places::Many(starts),
            goals: Places::Many(goals),
            limits: Limits::default(),
            first_leg: None,
        }
    }

    /// The same query with limits.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same query, answered in two parts where that is quicker: first
    /// [`Progress::Leg`](super::Progress::Leg) with at least so many steps, then the rest. Planners that
    /// refine a coarse path do so; others answer as always, and so does
    /// [`Planner::solve`](super::Planner::solve).
    pub fn with_first_leg(mut self, steps: u32) -> Self {
        self.first_leg = Some(steps);
        self
    }

    /// How many steps a first leg should have, if one is wanted.
    pub fn first_leg(&self) -> Option<u32> {
        self.first_leg
    }

    /// Where the path may start.
    pub fn starts(&self) -> &[Cell] {
        self.starts.as_slice()
    }

    /// Where it may end.
    pub fn goals(&self) -> &[Cell] {
        self.goals.as_slice()
    }

    /// How far the search may go.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Checks that there are starts and goals and that agents may stand on all of them.
    pub fn check(&self, grid: &Grid) -> Result<(), QueryError> {
        check_places(grid, Place::Start, self.starts())?;
        check_places(grid, Place::Goal, self.goals())
    }
}

pub(crate) fn check_places(grid: &Grid, place: Place, cells: &[Cell]) -> Result<(), QueryError> {
    let extent = grid.extent();
    if cells.is_empty() {
        return Err(QueryError::Missing(place));
    }
    for &cell in cells {
        let Some(terrain) = grid.map().terrain(cell) else {
            return Err(QueryError::Outside { place, cell, extent });
        };
        if !grid.is_enterable(cell) {
            return Err(QueryError::Blocked { place, cell, terrain });
        }
    }
    Ok(())
}

/// The node of a cell that was checked to lie inside.
pub(crate) fn node_of(extent: Extent, cell: Cell) -> NodeId {
    let CellId(number) = extent.id_inside(cell);
    NodeId(number)
}

/// Which end of a path is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Where it starts.
    Start,
    /// Where it ends.
    Goal,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "start",
            Self::Goal => "goal",
        })
    }
}

/// Why a query makes no sense on a grid, or to a planner. That there is no path is an answer, not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum QueryError {
    /// An empty list of starts or of goals.
    #[error("the query has no {0}")]
    Missing(Place),
    /// A cell beyond the map's edge.
    #[error("the {place} {cell} lies outside the map of {} × {} cells", .extent.width(), .extent.height())]
    Outside {
        /// Start or goal.
        place: Place,
        /// The cell.
        cell: Cell,
        /// The map's size.
        extent: Extent,
    },
    /// The planner was made for another grid, or for this one before its latest edits.
    #[error("the planner does not know this grid as it is now: let it catch up, or make it anew")]
    Stale,
    /// A cell that the profile does not allow.
    #[error("the {place} {cell} is blocked: no agent of this profile can stand on '{}'", .terrain.letter() as char)]
    Blocked {
        /// Start or goal.
        place: Place,
        /// The cell.
        cell: Cell,
        /// What is there.
        terrain: Terrain,
    },
}
