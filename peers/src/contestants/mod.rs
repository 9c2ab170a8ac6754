//! Who takes part.
//!
//! Another library is one file here that implements [`Peer`] and [`PeerPlanner`], a line in
//! [`theirs`], and a line in `Cargo.toml`.

mod ours;
mod pathfinding;

pub(crate) use ours::Ours;

use anyhow::Result;
use highroad::{Cell, Grid};
use std::fmt;

/// A way to find paths that takes part: one of ours or one of another library.
pub(crate) trait Peer {
    /// The library and, where it has several, the algorithm.
    fn name(&self) -> String;

    /// The library's version.
    fn version(&self) -> &'static str;

    /// Which steps it takes and how it prices them.
    fn rules(&self) -> Rules;

    /// Makes it ready for a map of ground and walls: all that comes before the first query. An
    /// error says why the library cannot serve the map.
    fn build<'g>(&self, grid: &'g Grid) -> Result<Box<dyn PeerPlanner + 'g>>;
}

/// A contestant on one map.
pub(crate) trait PeerPlanner {
    /// A path with both its ends, from one free cell to another; `None`: there is none.
    ///
    /// The time of this call is what is measured. Turning the answer into cells is part of it, for
    /// us as for others.
    fn query(&mut self, start: Cell, goal: Cell) -> Option<Vec<Cell>>;
}

/// The rules by which a contestant plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rules {
    /// Ours: corners are never cut, diagonals cost √2.
    Same,
    /// Others; in a few words, what differs.
    #[cfg_attr(not(test), expect(dead_code, reason = "so far, all peers play by our rules"))]
    Other(&'static str),
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Same => "same",
            Self::Other(note) => note,
        })
    }
}

/// Every other library.
pub(crate) fn theirs() -> Vec<Box<dyn Peer>> {
    vec![Box::new(pathfinding::Astar)]
}

/// The version of a package that this program is built with.
fn locked_version(package: &str) -> &'static str {
    let lock = include_str!("../../Cargo.lock");
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    let version = lines.nth(1).and_then(|line| line.strip_prefix("version = "));
    version.map_or("unknown", |version| version.trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad::Path;
    use highroad_lab::bench::optimal_costs;
    use highroad_lab::workload::{Workload, seeded_queries};

    /// Corners to go round, a wall to slip through if corners were cut, and a closed room.
    const DRAWING: &str = "
        ..........
        .########.
        .#......#.
        .#.####.#.
        ...#..#.#.
        .#.####...
        .#......##
        .####.##..
        .......#..
    ";

    #[test]
    fn those_who_play_by_our_rules_find_legal_optimal_paths() {
        let grid = Grid::with_defaults(DRAWING.parse().unwrap());
        let queries = seeded_queries(&grid, 300, 5);
        let workload = Workload { name: "knot".into(), grid, queries };
        let optimal = optimal_costs(&workload);
        assert!(optimal.contains(&None) && optimal.iter().flatten().count() > 100);
        let mut contestants = theirs();
        contestants.push(Box::new(Ours::new("dijkstra".parse().unwrap())));
        for contestant in contestants.iter().filter(|one| one.rules() == Rules::Same) {
            let mut planner = contestant.build(&workload.grid).unwrap();
            for (query, optimal) in workload.queries.iter().zip(&optimal) {
                let cells = planner.query(query.start, query.goal);
                let path = cells.map(|cells| Path::new(&workload.grid, cells).unwrap());
                let told = path.as_ref().map(|path| (path.start(), path.goal(), path.cost()));
                let right = optimal.map(|cost| (query.start, query.goal, cost));
                assert_eq!(told, right, "{}", contestant.name());
            }
        }
    }

    #[test]
    fn versions_come_from_the_lock_file() {
        for contestant in theirs() {
            let version = contestant.version();
            assert_eq!(version.split('.').count(), 3, "{} {version}", contestant.name());
        }
        assert_eq!(locked_version("no-such-package"), "unknown");
    }
}
