//! The heart of Highroad: maps, searches and paths, with no I/O, no threads and no clock.
//!
//! Reading order: [`GridMap`] is what the cells are; [`Grid`] is a map for a kind of agent;
//! [`Planner`] finds paths on it, [`GridSearch`] being the planners that precompute nothing; a
//! [`PathQuery`] says from where to where, and a [`Path`] is the answer. [`CATALOG`] lists every planner
//! by name.
//!
//! Beside grids: [`graph`] for explicit graphs, [`mesh`] for navigation meshes, [`implicit`] for graphs given by closures, [`puzzle`] for the
//! n²−1 puzzle, and [`field`] for ways that serve everybody.
//!
//! ```
//! use highroad::{Cell, GridMap};
//! use highroad::grid::Grid;
//! use highroad::online::GridSearch;
//! use highroad::planner::{PathQuery, Planner, Scratch};
//!
//! let map: GridMap = "
//!     ......
//!     .####.
//!     ......
//! ".parse()?;
//! let grid = Grid::with_defaults(map);
//! let mut scratch = Scratch::new(); // keep it: the next query allocates nothing but its path
//! let answer = GridSearch::astar().solve(&grid, &PathQuery::new((0, 0), (5, 2)), &mut scratch)?;
//! let path = answer.path().expect("there is a way round");
//! assert_eq!(path.cells().last(), Some(&Cell::new(5, 2)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod catalog;
pub mod cooperative;
pub mod environment;
pub mod field;
pub mod graph;
pub mod grid;
pub mod heuristic;
pub mod hierarchy;
pub mod implicit;
pub mod index;
pub mod mesh;
pub mod online;
pub mod path;
pub mod planner;
pub mod puzzle;
pub mod saved;
pub mod search;
pub mod space;

pub use catalog::{CATALOG, Spec, SpecError};
pub use environment::{
    Cost, Edition, End, Environment, Journal, NodeId, PathFault, Position, Revision,
};
pub use field::{Field, FieldMemory};
pub use grid::{
    Batch, Border, BorderSide, Cell, CellEffect, CellId, CellRect, CellRefusal, CellState, Change,
    Components, ConnectedPart, Connectivity, CostOverflow, Direction, Domain, EditError, Extent,
    Footing, Footprint, FootprintCost, FootprintError, Grid, GridMap, KindId, Link, LinkChange,
    LinkProblem, MapError, MapProblem, Movement, MovementRule, PaidCells, Palette, PathProblem,
    Profile, ProfileError, SIDE_MAX, SizeError, Slopes, SlopesError, StepCosts, StepCostsError,
    Terrain,
};
pub use heuristic::HeuristicKind;
pub use hierarchy::{
    Hpa, HpaBuild, HpaOptions, HpaOptionsError, HpaPart, Levels, Pra, PraOptions, PraOptionsError,
    Refinement, StartLayer, Transitions,
};
pub use index::{
    ChIndex, ContractionHierarchy, DistanceTable, GraphError, HubBuild, HubFallback, HubLabels,
    HubOptions, HubPart, SubgoalBuild, SubgoalEdges, SubgoalGraph, TableError,
};
pub use mesh::{Mesh, MeshPoint};
pub use online::{
    AnyAngle, Estimates, Funnel, GraphSearch, GridSearch, JumpPointSearch, ShortestPathTree,
    online_search,
};
pub use path::{Corridor, Path, Smoother, smooth};
pub use planner::{
    Algorithm, AlternativeOptions, Answer, BuildError, CatalogEntry, Cataloged, CatchUp, Fault,
    GoalRule, Guarantee, LayerInfo, Memory, NumberRange, OptionInfo, OptionKind, OptionValues,
    PathQuery, Planner, Point, Progress, QueryError, Scratch, Searchable, Session, Shape,
    SketchLayer, Watch, alternatives,
};
pub use saved::LoadError;
pub use search::{
    DrawnPath, Heuristic, Limits, NoHeuristic, NoTrace, SearchObserver, Side, Statistics, TieRule,
    TraceEvent, TraceKind, TraceLog, Weight, WeightError,
};
pub use space::{Arrival, Nodes, Space};
