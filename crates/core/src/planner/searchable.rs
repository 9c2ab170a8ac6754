//! What queries with obstacles of their own, or with goals that may be blocked, need of an environment.

use super::Planner;
use crate::environment::Environment;

/// An environment that can be searched with nothing precomputed, and of which a changed copy can be made for one query.
/// Every environment in which planners find paths is one: [`Grid`](crate::Grid), [`Graph`](crate::graph::Graph) and
/// [`Mesh`](crate::mesh::Mesh).
///
/// ```
/// use highroad::Cell;
/// use highroad::grid::Grid;
/// use highroad::planner::{PathQuery, Planner, Scratch, Searchable};
/// let grid = Grid::with_defaults("...\n...\n".parse()?);
/// let crowded = grid.excluding(&[Cell::new(1, 0)]);
/// let query = PathQuery::new((0, 0), (2, 0));
/// let answer = crowded.exact_search().solve(&crowded, &query, &mut Scratch::new())?;
/// assert_eq!(answer.path().unwrap().steps(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Searchable: Environment {
    /// The search that answers where no planner does: exact, with nothing precomputed.
    fn exact_search(&self) -> &'static dyn Planner<Self>;

    /// A copy of the same revision in which no path can use some places. Places that do not exist are passed over.
    fn excluding(&self, places: &[Self::Place]) -> Self;

    /// A copy of the same revision in which it costs more to follow a way, and whatever lies within so many steps of it.
    fn discouraging(&self, way: &[Self::Place], margin: u32) -> Self;

    /// The places within so many steps of a way, each once, in a fixed order.
    fn around(&self, way: &[Self::Place], margin: u32) -> Vec<Self::Place>;

    /// Whether a place exists, blocked or not; if not, why no path can end there.
    fn check_exists(&self, place: Self::Place) -> Result<(), Self::Refusal>;

    /// Adds the places next to a place at which paths can end.
    fn add_beside(&self, place: Self::Place, into: &mut Vec<Self::Place>);

    /// Places as near to a goal as a path can end: if `reachable`, as paths from a start can, with perhaps others as
    /// near that cannot be reached; else without a look at ways. Some place, if there is a start.
    fn nearest_places(
        &self,
        starts: &[Self::Place],
        goals: &[Self::Place],
        reachable: bool,
    ) -> Vec<Self::Place>;
}
