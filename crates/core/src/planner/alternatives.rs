//! Several ways to a goal that differ from each other: the penalty method.
//!
//! Chen, Bell and Bogenberger, *Reliable Pretrip Multipath Planning and Dynamic Adaptation* (2007). The best path is
//! found; following it, and passing near it, is made costlier on a copy of the environment; the best path on the copy is
//! another way, and so on. A path is kept if it is different enough from every path kept before, and not too costly in
//! the environment as it is. Each round is one exact search on the copy; there are at most [`ROUNDS`] for each path
//! asked for.

use super::{Answer, PathQuery, QueryError, Scratch, Searchable};
use crate::environment::Cost;
use crate::path::Path;

/// Searches for each path asked for.
const ROUNDS: u32 = 6;

/// What alternative paths must be like.
///
/// ```
/// use highroad::planner::AlternativeOptions;
/// let options = AlternativeOptions::default().with_count(2).with_costlier_percent_max(100);
/// assert_eq!((options.count, options.shared_percent_max), (2, 50));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AlternativeOptions {
    /// How many paths at most, the best one included. 3 unless set.
    pub count: u32,
    /// How many in a hundred places of a path may lie at or near another that was kept. Places at or near the path's own
    /// ends do not count. 50 unless set.
    pub shared_percent_max: u32,
    /// By how many in a hundred a path may cost more than the best one. 40 unless set.
    pub costlier_percent_max: u32,
    /// How near is near: on a grid so many columns and rows, so that a path beside another is no alternative to it. A
    /// graph has no use for it: there only the same nodes count. 2 unless set.
    pub margin: u32,
}

impl Default for AlternativeOptions {
    fn default() -> Self {
        Self { count: 3, shared_percent_max: 50, costlier_percent_max: 40, margin: 2 }
    }
}

impl AlternativeOptions {
    /// With another number of paths.
    pub const fn with_count(self, count: u32) -> Self {
        Self { count, ..self }
    }

    /// With another share of places that paths may have in common.
    pub const fn with_shared_percent_max(self, shared_percent_max: u32) -> Self {
        Self { shared_percent_max, ..self }
    }

    /// With another limit to what paths cost more than the best one.
    pub const fn with_costlier_percent_max(self, costlier_percent_max: u32) -> Self {
        Self { costlier_percent_max, ..self }
    }

    /// With another distance that counts as near.
    pub const fn with_margin(self, margin: u32) -> Self {
        Self { margin, ..self }
    }
}

/// A best path, and others that are reasonably different from it and from each other: see [`AlternativeOptions`]. In the
/// order in which they were found, the best first; the others are not sorted by cost. Empty if there is no path. The
/// same on every machine.
///
/// Takes up to six exact searches for each path asked for, on a copy of the environment where cells around known paths
/// cost more. On a grid the copy is searched cell by cell, even where the grid itself could be searched by jump points.
///
/// # Errors
/// As any query: a start or goal that is blocked or does not exist.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad::planner::{AlternativeOptions, PathQuery, Scratch, alternatives};
/// let map = "
///     .............
///     .###########.
///     .............
///     .###########.
///     .............
/// ".parse()?;
/// let grid = Grid::with_defaults(map);
/// let options = AlternativeOptions::default().with_margin(1).with_costlier_percent_max(60);
/// let query = PathQuery::new((0, 2), (12, 2));
/// let paths = alternatives(&grid, &query, &options, &mut Scratch::new())?;
/// assert_eq!(paths.len(), 3); // through the middle, above and below
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn alternatives<E: Searchable>(
    environment: &E,
    query: &PathQuery<E::Place>,
    options: &AlternativeOptions,
    scratch: &mut Scratch,
) -> Result<Vec<Path<E::Place>>, QueryError<E::Refusal>>
where
    E::Place: Ord,
{
    let mut kept: Vec<Path<E::Place>> = Vec::new();
    let answer = environment.exact_search().solve(environment, query, scratch)?;
    let Answer::Found(best) = answer else { return Ok(kept) };
    let percent = 100 + u128::from(options.costlier_percent_max);
    let is_cheap = |cost: Cost| u128::from(cost.0) * 100 <= u128::from(best.cost().0) * percent;
    let mut costlier = environment.discouraging(best.places(), options.margin);
    if options.count > 0 {
        kept.push(best.clone());
    }
    for _ in 0..options.count.saturating_mul(ROUNDS) {
        if kept.len() >= options.count as usize {
            break;
        }
        let Ok(Answer::Found(found)) = costlier.exact_search().solve(&costlier, query, scratch)
        else {
            break;
        };
        let Ok(cost) = environment.price(found.places()) else { break };
        let path = Path::vouched(found.places().to_vec(), cost, environment.revision());
        costlier = costlier.discouraging(path.places(), options.margin);
        let differs = |other: &Path<E::Place>| differs(environment, &path, other, options);
        if is_cheap(cost) && kept.iter().all(differs) {
            kept.push(path);
        }
    }
    Ok(kept)
}

/// Whether few enough places of a path lie near another.
fn differs<E: Searchable>(
    environment: &E,
    path: &Path<E::Place>,
    other: &Path<E::Place>,
    options: &AlternativeOptions,
) -> bool
where
    E::Place: Ord,
{
    let around = |places: &[E::Place]| {
        let mut near = environment.around(places, options.margin);
        near.sort_unstable();
        near
    };
    let (near, ends) = (around(other.places()), around(&[path.start(), path.goal()]));
    let is_inner = |place: &&E::Place| ends.binary_search(place).is_err();
    let inner = || path.places().iter().filter(is_inner);
    let shared = inner().filter(|place| near.binary_search(place).is_ok()).count();
    let count = inner().count();
    count > 0 && shared * 100 <= count * options.shared_percent_max as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Edge, Graph};
    use crate::grid::{Cell, Grid, GridMap, Terrain};
    use crate::space::NodeId;

    /// Every path keeps what the options ask for, by their definition.
    #[test]
    fn alternatives_are_as_different_and_as_cheap_as_asked_for() {
        let mut found = 0;
        for seed in 0..40u32 {
            let (start, goal) = (Cell::new(1, 1), Cell::new(58, 48));
            let blocked = |Cell { x, y }: Cell| {
                let mut mixed = (x / 5 + 64 * (y / 5) + 4096 * seed).wrapping_mul(0x9e37_79b9);
                mixed = (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d);
                mixed = (mixed ^ mixed >> 12).wrapping_mul(0x297a_2d39);
                let near_an_end = x + y < 12 || x + y > 95;
                (mixed ^ mixed >> 15) % 4 == 0 && !near_an_end
            };
            let terrain = |cell| if blocked(cell) { Terrain::WALL } else { Terrain::GROUND };
            let map = GridMap::from_fn(60, 50, terrain).unwrap();
            let grid = Grid::with_defaults(map);
            let options = AlternativeOptions::default();
            let query = PathQuery::new(start, goal);
            let paths = alternatives(&grid, &query, &options, &mut Scratch::new()).unwrap();
            let again = alternatives(&grid, &query, &options, &mut Scratch::new()).unwrap();
            assert_eq!(paths, again);
            found += paths.len().saturating_sub(1);
            for (at, path) in paths.iter().enumerate() {
                assert_eq!(path.validate(&grid), Ok(()));
                assert!(path.cost().0 * 100 <= paths[0].cost().0 * 140, "{seed}");
                for other in &paths[..at] {
                    let near = |cell: &&Cell| {
                        let close = |b: &Cell| cell.x.abs_diff(b.x).max(cell.y.abs_diff(b.y)) <= 2;
                        other.cells().iter().any(close)
                    };
                    let is_inner = |cell: &&Cell| {
                        let far =
                            |end: Cell| cell.x.abs_diff(end.x).max(cell.y.abs_diff(end.y)) > 2;
                        far(start) && far(goal)
                    };
                    let inner: Vec<&Cell> = path.cells().iter().filter(is_inner).collect();
                    let shared = inner.iter().copied().filter(near).count();
                    assert!(shared * 2 <= inner.len(), "{seed}: {shared} of {}", inner.len());
                }
            }
        }
        assert!(found > 5, "{found} alternatives on 40 maps");
    }

    #[test]
    fn a_graph_has_alternatives_and_a_cut_off_goal_has_none() {
        // Two ways of three edges each, and a costly third.
        let edges = [
            (0, 1, 5),
            (1, 2, 5),
            (2, 7, 5),
            (0, 3, 6),
            (3, 4, 6),
            (4, 7, 6),
            (0, 5, 90),
            (5, 7, 9),
        ];
        let edges = edges.map(|(from, to, weight)| Edge::new(from, to, weight));
        let graph = Graph::from_edges(9, &edges).unwrap();
        let options = AlternativeOptions::default();
        let ask = |goal: u32| {
            let query = PathQuery::new(NodeId(0), NodeId(goal));
            alternatives(&graph, &query, &options, &mut Scratch::new()).unwrap()
        };
        let costs: Vec<u64> = ask(7).iter().map(|path| path.cost().0).collect();
        assert_eq!(costs, [15, 18]);
        assert_eq!(ask(8), []);
    }
}
