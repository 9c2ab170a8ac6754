//! Who takes part.
//!
//! Another library is one file here that implements [`Peer`] and [`PeerPlanner`], a line in
//! [`theirs`], and a line in `Cargo.toml`.

mod fast_paths;
mod grid_pathfinding;
mod hierarchical_pathfinding;
#[cfg(feature = "northstar")]
mod northstar;
mod ours;
mod pathfinding;
mod petgraph;

pub(crate) use ours::Ours;

use anyhow::{Result, bail};
use highroad::Cell;
use highroad::grid::{Grid, MovementRule};
use std::fmt;

/// A way to find paths that takes part: one of ours or one of another library.
pub(crate) trait Peer {
    /// The library and, where it has several, the algorithm.
    fn name(&self) -> String;

    /// The library's version.
    fn version(&self) -> &'static str;

    /// Which steps it takes and how it prices them.
    fn rules(&self) -> Rules;

    /// Whether it takes part only when named, since it needs minutes to build on a map of usual size.
    fn is_slow(&self) -> bool {
        false
    }

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

    /// Makes a wall free or a free cell a wall, and is ready for queries again; `false`: it cannot
    /// follow, and would have to be rebuilt.
    ///
    /// The time of this call is measured as well. The first one may take longer than others.
    fn edit(&mut self, _cell: Cell, _free: bool) -> bool {
        false
    }
}

/// The rules by which a contestant plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    /// Which steps it may take. Its paths are checked by this rule, and their lengths are held
    /// against the shortest under it.
    pub(crate) movement: MovementRule,
    /// In a few words, what differs from ours.
    pub(crate) note: &'static str,
}

impl Rules {
    /// Ours: corners are never cut, diagonals cost √2.
    pub(crate) const SAME: Self = Self { movement: MovementRule::NeverCutCorners, note: "same" };
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.note)
    }
}

/// Every other library.
pub(crate) fn theirs() -> Vec<Box<dyn Peer>> {
    vec![
        Box::new(pathfinding::Astar),
        Box::new(petgraph::Astar),
        Box::new(grid_pathfinding::JumpPointSearch),
        Box::new(hierarchical_pathfinding::Hierarchical { chunk_size: 32 }),
        Box::new(hierarchical_pathfinding::Hierarchical { chunk_size: 64 }),
        Box::new(hierarchical_pathfinding::HierarchicalMoore { chunk_size: 32 }),
        #[cfg(feature = "northstar")]
        Box::new(northstar::Refined { chunk_size: 16 }),
        #[cfg(feature = "northstar")]
        Box::new(northstar::Refined { chunk_size: 32 }),
        Box::new(fast_paths::ContractionHierarchy),
    ]
}

/// Those of the other libraries that are asked for. A name is that of a library or of one contestant;
/// `only` empty: all but the slow ones; `all` among them: everyone.
pub(crate) fn chosen(only: &[String], without: &[String]) -> Result<Vec<Box<dyn Peer>>> {
    let mut contestants = theirs();
    let is_called = |name: &str, asked: &String| {
        name == asked || name.split(' ').next() == Some(asked.as_str())
    };
    let everyone = only.iter().any(|name| name == "all");
    for asked in only.iter().chain(without).filter(|name| *name != "all") {
        let names: Vec<String> = contestants.iter().map(|one| one.name()).collect();
        if !names.iter().any(|name| is_called(name, asked)) {
            let hint = match asked.as_str() {
                "bevy_northstar" => "; it is built in by --features northstar",
                _ => "",
            };
            bail!("there is no peer '{asked}' among: {}{hint}", names.join(", "));
        }
    }
    contestants.retain(|one| {
        let listed = |list: &[String]| list.iter().any(|asked| is_called(&one.name(), asked));
        let asked = everyone || if only.is_empty() { !one.is_slow() } else { listed(only) };
        asked && !listed(without)
    });
    Ok(contestants)
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
    use crate::field::Field;
    use crate::judge::{Verdict, Yardstick};
    use highroad_lab::workload::{WorkQuery, Workload, seeded_queries};

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

    /// Those whose paths are the shortest by their own rule.
    const EXACT: [&str; 4] =
        ["pathfinding astar", "petgraph astar", "fast_paths", "highroad dijkstra"];

    fn knot() -> Field {
        let grid = Grid::with_defaults(DRAWING.parse().unwrap());
        let queries = seeded_queries(&grid, 300, 5);
        Field::of(Workload { name: "knot".into(), grid, queries }).unwrap().0
    }

    fn everyone() -> Vec<Box<dyn Peer>> {
        let mut contestants = theirs();
        for planner in ["dijkstra", "hpa"] {
            contestants.push(Box::new(Ours::new(planner.parse().unwrap())));
        }
        contestants
    }

    fn verdicts(
        contestant: &dyn Peer,
        planner: &mut dyn PeerPlanner,
        field: &Field,
    ) -> Vec<Verdict> {
        let stick = Yardstick::of(field, contestant.rules().movement);
        let judge = |(index, query): (usize, &WorkQuery)| {
            stick.judge(field, index, planner.query(query.start, query.goal))
        };
        field.0.queries.iter().enumerate().map(judge).collect()
    }

    #[test]
    fn everyone_is_right_by_their_own_rule_and_some_are_exact() {
        let field = knot();
        for contestant in everyone() {
            let name = contestant.name();
            let mut planner = contestant.build(&field.0.grid).unwrap();
            let verdicts = verdicts(&*contestant, &mut *planner, &field);
            let wrong = verdicts.iter().filter(|verdict| verdict.mismatch).count();
            assert_eq!(wrong, 0, "{name}");
            let found = verdicts.iter().filter_map(|verdict| verdict.excess_percent);
            assert!(found.clone().count() > 100, "{name}");
            let exact = found.fold(0.0, f64::max) == 0.0;
            assert!(exact || !EXACT.contains(&name.as_str()), "{name}");
            let cuts = contestant.rules().movement != MovementRule::NeverCutCorners;
            assert_eq!(verdicts.iter().any(|verdict| verdict.illegal), cuts, "{name}");
        }
    }

    #[test]
    fn libraries_and_contestants_can_be_named() {
        let names = |only: &[&str], without: &[&str]| -> Result<Vec<String>> {
            let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
            let (only, without): (Vec<_>, Vec<_>) = (owned(only), owned(without));
            Ok(chosen(&only, &without)?.iter().map(|one| one.name()).collect())
        };
        let unnamed = names(&[], &[]).unwrap();
        assert!(!unnamed.contains(&"fast_paths".to_owned()) && unnamed.len() + 1 == theirs().len());
        assert_eq!(names(&["hierarchical_pathfinding"], &[]).unwrap().len(), 3);
        assert_eq!(names(&["fast_paths"], &[]).unwrap(), ["fast_paths"]);
        assert_eq!(names(&["all"], &[]).unwrap().len(), theirs().len());
        assert_eq!(names(&["all"], &["fast_paths"]).unwrap(), unnamed);
        let moore = "hierarchical_pathfinding moore 32";
        assert_eq!(names(&[moore, "fast_paths"], &["fast_paths"]).unwrap(), [moore]);
        let error = names(&["nobody"], &[]).unwrap_err().to_string();
        assert!(error.contains("'nobody' among: pathfinding astar, "), "{error}");
        assert!(names(&[], &["nobody"]).is_err());
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
