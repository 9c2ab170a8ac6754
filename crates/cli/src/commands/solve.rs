//! `highroad solve`

use super::mesh::{load_mesh, solve_on};
use super::{check_ending, load_map};
use crate::arguments::{Place, SolveArguments};
use anyhow::{Context, Result, bail};
use highroad::environment::Environment;
use highroad::grid::{Grid, Movement, Palette};
use highroad::planner::{Answer, PathQuery, Planner, Scratch};
use highroad::search::{Limits, Statistics, TraceLog};
use highroad::{Path, Terrain};
use highroad_lab::files::write_whole;
use highroad_lab::table::{duration, whole};
use highroad_lab::workload::{AgentMovement, grid_with};
use highroad_pictures::replay::Replay;
use highroad_pictures::{Colouring, Scene, Viewport};
use std::io::Write;
use std::time::Instant;

/// Events kept for a picture: some 270 MB at the most.
const DRAWN_EVENTS_MAX: usize = 5_000_000;

pub(crate) fn run(arguments: &SolveArguments, out: &mut dyn Write) -> Result<u8> {
    if let Some(file) = &arguments.draw {
        check_ending(file, &["png"])?;
    }
    if let Some(input) =
        load_mesh(&arguments.map, arguments.mesh, &arguments.obstacles, &arguments.agent)?
    {
        return solve_on(&input, arguments, out);
    }
    let planner = match &arguments.planner {
        Some(planner) => planner.clone(),
        None => "astar".parse()?,
    };
    let load_start = Instant::now();
    let (map, builtin) = load_map(&arguments.map)?;
    let (rule, steps, footprint) = (arguments.rule, arguments.steps, arguments.size);
    let mut grid = grid_with(map, AgentMovement { rule, steps, footprint })?;
    if arguments.swamp != 1 && grid.map().palette() == Palette::Standard {
        let profile = grid.movement().profile().clone();
        let profile = profile.with_cost(Terrain::SWAMP, arguments.swamp)?;
        let movement = Movement::new(profile, rule, steps)?.with_footprint(footprint);
        grid = Grid::new(grid.map().clone(), movement);
    }
    if let Some(slopes) = arguments.slopes {
        let movement = grid.movement().clone().with_slopes(slopes)?;
        grid = Grid::new(grid.map().clone(), movement);
    }
    let load_us = load_start.elapsed().as_secs_f64() * 1e6;
    let own = builtin.map(|map| map.query);
    let [from, to] = [arguments.from, arguments.to].map(|place| place.map(Place::cell).transpose());
    let (Some(from), Some(to)) =
        (from?.or(own.map(|query| query.0)), to?.or(own.map(|query| query.1)))
    else {
        bail!("say where the path starts and ends: --from X,Y --to X,Y");
    };
    let expansions_max = arguments.expansions_max.unwrap_or(u64::MAX);
    let query =
        PathQuery::new(from, to).with_limits(Limits::default().with_expansions_max(expansions_max));
    // Before the build, which may take long.
    query.check(&grid)?;
    let build_start = Instant::now();
    let (title, planner) = (planner.entry().title, planner.build(&grid)?);
    let build_us = build_start.elapsed().as_secs_f64() * 1e6;
    let mut scratch = Scratch::new();
    // The first query pays for fresh memory; the second shows what queries cost.
    planner.solve(&grid, &query, &mut scratch)?;
    let start = Instant::now();
    let answer = planner.solve(&grid, &query, &mut scratch)?;
    let us = start.elapsed().as_secs_f64() * 1e6;

    writeln!(out, "{title} on {}, {}", arguments.map, arguments.rule.name())?;
    let extent = grid.extent();
    let walkable = f64::from(grid.enterable_count()) / extent.cell_count() as f64 * 100.0;
    let (width, height) = (extent.width(), extent.height());
    let load = duration(load_us);
    writeln!(out, "  map          {width} × {height}, {walkable:.1} % walkable, read in {load}")?;
    let path = print_result(&answer, arguments.cells, out)?;
    print_effort(&grid, &*planner, scratch.statistics(), (us, build_us), out)?;
    if let Some(file) = &arguments.draw {
        let mut log = TraceLog::new(DRAWN_EVENTS_MAX);
        planner.solve_traced(&grid, &query, &mut scratch, &mut log)?;
        draw(&grid, log, path, file).with_context(|| format!("{}", file.display()))?;
        writeln!(out, "  picture      {}", file.display())?;
    }
    Ok(0)
}

/// Prints what a planner promises and what a query took, in microseconds beside those of the build.
pub(super) fn print_effort<E: Environment>(
    environment: &E,
    planner: &dyn Planner<E>,
    statistics: Statistics,
    (us, build_us): (f64, f64),
    out: &mut dyn Write,
) -> Result<()> {
    let Statistics { expanded, generated, reopened, open_max, .. } = statistics;
    writeln!(out, "  guarantee    {}", planner.guarantee(environment))?;
    writeln!(out, "  time         {} (build {})", duration(us), duration(build_us))?;
    writeln!(
        out,
        "  search       {} expanded, {} generated, {} reopened, open list up to {}",
        whole(expanded),
        whole(generated),
        whole(reopened),
        whole(open_max)
    )?;
    if let Some(remark) = planner.remark() {
        writeln!(out, "  remark       {remark}")?;
    }
    Ok(())
}

/// Prints an answer, and returns the path to draw.
fn print_result<'a>(answer: &'a Answer, cells: bool, out: &mut dyn Write) -> Result<&'a Path> {
    let path = match answer {
        Answer::Found(path) => {
            writeln!(out, "  path         {} to {}", path.start(), path.goal())?;
            path
        }
        Answer::Unreachable { nearest } => {
            writeln!(out, "  no path; the nearest cell one can reach is {}", nearest.goal())?;
            nearest
        }
        Answer::LimitReached { nearest } => {
            writeln!(out, "  gave up; the nearest cell looked at is {}", nearest.goal())?;
            nearest
        }
    };
    let (straight, diagonal) = (path.straight_steps(), path.diagonal_steps());
    let turns = path.turning_points().count().saturating_sub(2);
    writeln!(out, "  length       {:.4}", path.length())?;
    writeln!(out, "  cost         {}", whole(path.cost().0))?;
    writeln!(out, "  steps        {straight} straight, {diagonal} diagonal, {turns} turns")?;
    if cells {
        let cells: Vec<String> =
            path.into_iter().map(|cell| format!("{},{}", cell.x, cell.y)).collect();
        writeln!(out, "  cells        {}", cells.join(" "))?;
    }
    Ok(path)
}

pub(super) fn draw(grid: &Grid, log: TraceLog, path: &Path, file: &std::path::Path) -> Result<()> {
    let mut replay = Replay::new(grid.extent(), log);
    replay.go_to(usize::MAX, |_| ());
    let scene = Scene {
        search: Some((&replay, Colouring::Order, 0.8)),
        path: Some((path.cells(), 1.0)),
        start: Some(path.start()),
        goal: Some(path.goal()),
        ..Scene::new(grid)
    };
    let canvas = scene.to_canvas(&Viewport::whole(grid.extent()));
    let mut bytes = Vec::new();
    canvas.write_png(&mut bytes)?;
    Ok(write_whole(file, &bytes)?)
}
