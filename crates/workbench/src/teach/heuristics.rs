//! A* with several heuristics on one map: what each saves, and whether it may be trusted.

use super::recording::{Recording, record};
use highroad::catalog::Spec;
use highroad::grid::{Extent, Grid};
use highroad::online::GridSearch;
use highroad::planner::{Guarantee, Scratch};
use highroad::search::{Limits, TraceKind};
use highroad::{Cell, Cost};

/// A heuristic in the comparison.
struct Entry {
    title: &'static str,
    about: &'static str,
    /// The options of A*, with `{side}` for a cluster's side.
    options: &'static str,
}

const ENTRIES: [Entry; 6] = [
    Entry {
        title: "zero",
        about: "h = 0 everywhere: this is Dijkstra's algorithm.",
        options: "heuristic=zero",
    },
    Entry {
        title: "Euclidean",
        about: "The straight line. Never too much, but too little where one can only walk in eight directions.",
        options: "heuristic=euclidean",
    },
    Entry {
        title: "octile",
        about: "Diagonal steps, then straight ones: what an empty map would cost exactly.",
        options: "heuristic=octile",
    },
    Entry {
        title: "clusters",
        about: "The least cost between the cluster of a cell and that of the goal, from a table. All cells of a cluster \
                have the same h.",
        options: "heuristic=clusters:cluster={side}",
    },
    Entry {
        title: "landmarks",
        about: "True costs from some cells, worked out before: what a cell is farther from a landmark than the goal is, \
                it must cost to get there. It knows of walls.",
        options: "heuristic=landmarks:landmarks=4",
    },
    Entry {
        title: "Manhattan",
        about: "Columns plus rows. Right where one walks in four directions only; with diagonal steps it says too much.",
        options: "heuristic=manhattan",
    },
];

/// A heuristic on a map.
pub struct ComparisonRow {
    /// Its name.
    pub title: &'static str,
    /// A sentence or two about it.
    pub about: &'static str,
    /// The planner.
    pub spec: Spec,
    /// Whether it never says too much on this map, so that paths are cheapest.
    pub is_admissible: bool,
    /// A cell for which it says too much, of those that the search has reached.
    pub overestimated: Option<Cell>,
    /// The mean of h as a share of the true cost, over the cells that the search has reached.
    pub closeness: Option<f64>,
    /// What the search did, and its tree.
    pub recording: Recording,
    /// The cost of its path above the optimum, as a share of that; `None` without a path.
    pub above_optimum: Option<f64>,
}

/// Several heuristics on one map.
pub struct Comparison {
    /// One each, in the order in which lectures introduce them.
    pub rows: Vec<ComparisonRow>,
    /// What the cheapest path costs, if there is one.
    pub optimum: Option<Cost>,
}

/// The largest map that heuristics are compared on while one waits.
const CELLS_MAX: usize = 262_144;

/// Compares heuristics between two cells. The error says why that cannot be done.
pub fn compare_heuristics(grid: &Grid, ends: (Cell, Cell)) -> Result<Comparison, String> {
    if grid.extent().cell_count() > CELLS_MAX {
        return Err(format!("heuristics are compared on maps of up to {CELLS_MAX} cells"));
    }
    let mut scratch = Scratch::new();
    // Costs are the same both ways unless only the cell that is entered counts.
    let symmetric = grid.costs_the_same_both_ways();
    let tree = GridSearch::dijkstra()
        .explore(grid, &[ends.1], Limits::default(), &mut scratch)
        .map_err(|error| error.to_string())?;
    let true_cost = |cell: Cell| tree.cost(cell).filter(|_| symmetric);
    let mut rows = Vec::new();
    for entry in &ENTRIES {
        let side = cluster_side(grid.extent()).to_string();
        let text = format!("astar:textbook=yes:{}", entry.options.replace("{side}", &side));
        let spec: Spec = text.parse().map_err(|error| format!("{text}: {error}"))?;
        let recording = record(&spec, grid, ends)?;
        let (overestimated, closeness) = quality(grid, &recording, true_cost);
        rows.push(ComparisonRow {
            title: entry.title,
            about: entry.about,
            spec,
            is_admissible: recording.guarantee == Guarantee::Optimal,
            overestimated,
            closeness,
            recording,
            above_optimum: None,
        });
    }
    let best = rows.iter().filter(|row| row.is_admissible).find_map(|row| row.recording.cost());
    for row in &mut rows {
        let share = |(cost, best): (Cost, Cost)| cost.0 as f64 / best.0.max(1) as f64 - 1.0;
        row.above_optimum = row.recording.cost().zip(best).map(share);
    }
    Ok(Comparison { rows, optimum: best })
}

/// Clusters of about a fifth of the map.
fn cluster_side(extent: Extent) -> u32 {
    (extent.width().max(extent.height()) / 5).clamp(3, 64)
}

/// A cell for which a search says too much, and how near its estimates are to the truth on average.
fn quality(
    grid: &Grid,
    recording: &Recording,
    true_cost: impl Fn(Cell) -> Option<Cost>,
) -> (Option<Cell>, Option<f64>) {
    let (mut worst, mut sum, mut count): (Option<(u64, Cell)>, f64, u32) = (None, 0.0, 0);
    for event in recording.replay.events() {
        if !matches!(event.kind, TraceKind::Start | TraceKind::Open) {
            continue;
        }
        let (cell, _) = recording.replay.cells_of(event);
        let Some(cost) = true_cost(cell).map(|cost| cost.0).filter(|&cost| cost > 0) else {
            continue;
        };
        let over = event.h.saturating_sub(cost);
        if over > worst.map_or(0, |(most, _)| most) {
            worst = Some((over, cell));
        }
        sum += event.h as f64 / cost as f64;
        count += 1;
    }
    debug_assert!(grid.extent().cell_count() > 0);
    (worst.map(|(_, cell)| cell), (count > 0).then(|| sum / f64::from(count)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad::grid::{Movement, MovementRule, Profile, StepCosts};

    const MAP: &str = "....................\n.######...#####.....\n......#...#.........\n......#...#..######.\n..........#.........\n....###...#.........\n....................\n....................\n";

    fn row<'c>(comparison: &'c Comparison, title: &str) -> &'c ComparisonRow {
        comparison.rows.iter().find(|row| row.title == title).unwrap()
    }

    #[test]
    fn admissible_ones_find_the_optimum_and_save_what_they_know() {
        let grid = Grid::with_defaults(MAP.parse().unwrap());
        let comparison = compare_heuristics(&grid, (Cell::new(1, 4), Cell::new(15, 4))).unwrap();
        for row in &comparison.rows {
            if row.is_admissible {
                assert_eq!(row.recording.cost(), comparison.optimum, "{}", row.title);
                assert_eq!(row.overestimated, None, "{}", row.title);
                assert!(row.closeness.unwrap() <= 1.0, "{}", row.title);
            }
        }
        let expanded = |title| row(&comparison, title).recording.statistics.expanded;
        assert!(expanded("octile") <= expanded("Euclidean"));
        assert!(expanded("Euclidean") < expanded("zero"));
        assert!(expanded("landmarks") < expanded("zero"));
        assert!(expanded("clusters") < expanded("zero"));
        assert_eq!(row(&comparison, "zero").closeness, Some(0.0));
    }

    #[test]
    fn one_that_says_too_much_is_marked_with_a_cell_for_which_it_does() {
        let grid = Grid::with_defaults(MAP.parse().unwrap());
        let comparison = compare_heuristics(&grid, (Cell::new(1, 4), Cell::new(15, 4))).unwrap();
        let manhattan = row(&comparison, "Manhattan");
        assert!(!manhattan.is_admissible);
        assert!(manhattan.overestimated.is_some());
        let four =
            Movement::new(Profile::movingai(), MovementRule::FourWay, StepCosts::UNIT).unwrap();
        let grid = Grid::new(MAP.parse().unwrap(), four);
        let comparison = compare_heuristics(&grid, (Cell::new(1, 4), Cell::new(15, 4))).unwrap();
        let manhattan = row(&comparison, "Manhattan");
        assert!(
            manhattan.is_admissible && manhattan.overestimated.is_none(),
            "in four directions it is right"
        );
    }

    #[test]
    fn ends_in_walls_are_refused() {
        let grid = Grid::with_defaults(MAP.parse().unwrap());
        assert!(compare_heuristics(&grid, (Cell::new(1, 4), Cell::new(1, 1))).is_err());
    }
}
