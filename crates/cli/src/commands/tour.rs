//! `highroad` where there is no display: every planner on a built-in map, its picture, and what to try
//! next.

use anyhow::{Context, Result};
use highroad::catalog::{CATALOG, Spec};
use highroad::grid::Grid;
use highroad::online::GridSearch;
use highroad::planner::{PathQuery, Planner, Scratch};
use highroad::search::TraceLog;
use highroad::{Cell, Path};
use highroad_lab::bench::{Effort, bench, optimal_costs};
use highroad_lab::builtin::BUILTIN_MAPS;
use highroad_lab::table::{Table, above_optimal, duration, whole};
use highroad_lab::workload::{WorkQuery, Workload};
use std::io::Write;

pub(crate) fn run(out: &mut dyn Write) -> Result<u8> {
    let builtin = BUILTIN_MAPS.first().context("no built-in map")?;
    let (start, goal) = builtin.query;
    let mut world = highroad::PathWorld::new(builtin.load());
    let path = world.find_path(start, goal)?.context("the tour's query has no path")?;
    let grid = world.grid().clone();
    writeln!(out, "Highroad {}: {}.\n", env!("CARGO_PKG_VERSION"), builtin.summary)?;
    write!(out, "{}", drawing(&grid, &path))?;
    writeln!(out, "\nFrom s {start} to g {goal}, by every planner:\n")?;

    let query = WorkQuery { start, goal, published: None };
    let workload =
        Workload { name: builtin.name.to_owned(), environment: grid, queries: vec![query] };
    let optimal = optimal_costs(&workload);
    let mut table = Table::new(&["planner", "expanded", "time", "vs. optimal"]);
    let effort = Effort { passes: 20, first_leg: 0, edits: 0, saved: false };
    for entry in CATALOG.iter().filter(|entry| entry.grid.is_some()) {
        let row = bench(&workload, &optimal, &entry.name.parse::<Spec>()?, effort, || ())?;
        table.row(vec![
            entry.title.to_owned(),
            whole(row.expanded_mean as u64),
            duration(row.mean_us),
            above_optimal(row.suboptimality_mean_percent),
        ]);
    }
    table.write(out, 1)?;
    match write_picture(&workload.environment, start, goal) {
        Ok(()) => writeln!(out, "\nThe search of A* is drawn in {PICTURE}.")?,
        Err(error) => writeln!(out, "\nIts picture could not be written: {error:#}")?,
    }
    writeln!(out, "\nNext: highroad solve builtin:{} --draw path.png", builtin.name)?;
    writeln!(out, "      highroad planners")?;
    writeln!(out, "      highroad --help")?;
    Ok(0)
}

/// What the tour's picture is called, in the folder where the program was started.
const PICTURE: &str = "highroad-tour.png";

fn write_picture(grid: &Grid, start: Cell, goal: Cell) -> Result<()> {
    let mut log = TraceLog::default();
    let query = PathQuery::new(start, goal);
    GridSearch::astar().solve_traced(grid, &query, &mut Scratch::new(), &mut log)?;
    let answer = GridSearch::astar().solve(grid, &query, &mut Scratch::new())?;
    let path = answer.path().context("the tour's query has no path")?;
    super::solve::draw(grid, log, &path, std::path::Path::new(PICTURE))
}

/// The map as text, a letter a cell; ground is blank.
fn drawing(grid: &Grid, path: &Path) -> String {
    let extent = grid.extent();
    let mut rows: Vec<Vec<char>> = (0..extent.height())
        .map(|y| {
            let letter = |x| match grid.map().terrain(Cell { x, y }).map(|t| t.letter()) {
                Some(b'.') => ' ',
                Some(b'@') => '█',
                Some(b'T') => '♣',
                Some(b'S') => '"',
                Some(b'W') => '~',
                _ => '?',
            };
            (0..extent.width()).map(letter).collect()
        })
        .collect();
    for cell in path {
        rows[cell.y as usize][cell.x as usize] = '•';
    }
    for (cell, mark) in [(path.start(), 's'), (path.goal(), 'g')] {
        rows[cell.y as usize][cell.x as usize] = mark;
    }
    rows.iter().map(|row| format!("{}\n", row.iter().collect::<String>())).collect()
}
