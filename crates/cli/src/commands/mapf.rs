//! `highroad mapf`

use super::{load_map, write_picture};
use crate::BAD_NEWS;
use crate::arguments::MapfArguments;
use anyhow::{Context, Result, bail};
use highroad::Cell;
use highroad::cooperative::{TeamOptions, TeamPlan};
use highroad::grid::Grid;
use highroad::planner::Point;
use highroad_lab::files::write_whole;
use highroad_lab::scenario::Scenario;
use highroad_lab::table::{Table, bytes, duration, whole};
use highroad_lab::teams::{
    TeamBudget, TeamRow, measure_team, parse_methods, random_ends, scenario_ends, team_grid,
};
use highroad_pictures::{Scene, SceneAgent, Viewport};
use std::fs;
use std::io::Write;
use std::path::Path;

pub(crate) fn run(arguments: &MapfArguments, out: &mut dyn Write) -> Result<u8> {
    let methods = parse_methods(&arguments.method).map_err(anyhow::Error::msg)?;
    let (map, _) = load_map(&arguments.map)?;
    let grid = team_grid(map)?;
    let scenario =
        arguments.scenario.as_deref().map(|path| read_scenario(path, &grid)).transpose()?;
    let ends = |agents: usize| match &scenario {
        Some(scenario) => scenario_ends(scenario, agents),
        None => random_ends(&grid, agents, arguments.seed),
    };
    if let Some(path) = &arguments.check {
        return check(arguments, path, &grid, &ends, out);
    }
    let most = ends(usize::MAX).len();
    let sizes: Vec<usize> = match arguments.increase {
        Some(step) => (1..).map(|n| n * step as usize).take_while(|&n| n <= most).collect(),
        None => arguments.agents.iter().map(|&agents| agents as usize).collect(),
    };
    if let Some(&agents) = sizes.iter().find(|&&agents| agents > most) {
        bail!("there are only {most} agents, not {agents}");
    }
    let (mut rows, mut last) = (Vec::new(), None);
    let mut code = 0;
    for method in methods {
        for &agents in &sizes {
            let ends = ends(agents);
            let options = TeamOptions::default();
            let options =
                options.with_method(method).with_seed(arguments.seed).with_window(arguments.window);
            let budget = TeamBudget {
                options,
                seconds: arguments.seconds,
                improve_seconds: arguments.improve,
            };
            let (row, plan) = measure_team(&grid, &ends, budget)?;
            if arguments.json {
                writeln!(out, "{}", serde_json::to_string(&row)?)?;
                out.flush()?;
            }
            let solved = row.solved;
            rows.push(row);
            last = plan.or(last);
            if !solved {
                code = BAD_NEWS;
                if arguments.increase.is_some() {
                    break;
                }
            }
        }
    }
    // Where teams grow until one has no plan, that is no bad news.
    let code = if arguments.increase.is_some() { 0 } else { code };
    if !arguments.json {
        table(&rows, out)?;
    }
    if let (Some(file), Some(plan)) = (&arguments.save, &last) {
        write_whole(file, plan.to_string().as_bytes())?;
    }
    draw(arguments, &grid, last.as_ref())?;
    Ok(code)
}

fn read_scenario(path: &Path, grid: &Grid) -> Result<Scenario> {
    let here = || path.display().to_string();
    let scenario =
        Scenario::parse(&fs::read_to_string(path).with_context(here)?).with_context(here)?;
    let (extent, (width, height)) = (grid.extent(), scenario.size);
    if (extent.width(), extent.height()) != (width, height) {
        bail!(
            "{} is for a map of {width} × {height} cells, and this one has {} × {}",
            here(),
            extent.width(),
            extent.height()
        );
    }
    Ok(scenario)
}

fn check(
    arguments: &MapfArguments,
    path: &Path,
    grid: &Grid,
    ends: &dyn Fn(usize) -> Vec<(Cell, Cell)>,
    out: &mut dyn Write,
) -> Result<u8> {
    let here = || path.display().to_string();
    let plan: TeamPlan = fs::read_to_string(path).with_context(here)?.parse().with_context(here)?;
    draw(arguments, grid, Some(&plan))?;
    match plan.check(grid, &ends(plan.len())) {
        Ok(()) => {
            let (agents, cost, time) =
                (whole(plan.len() as u64), whole(plan.cost()), plan.duration());
            writeln!(out, "a good plan: {agents} agents, cost {cost}, over after {time} steps")?;
            Ok(0)
        }
        Err(conflict) => {
            writeln!(out, "not a good plan: {conflict}")?;
            Ok(BAD_NEWS)
        }
    }
}

fn table(rows: &[TeamRow], out: &mut dyn Write) -> Result<()> {
    let heads = [
        "method",
        "agents",
        "plan",
        "cost",
        "vs. bound",
        "first",
        "steps",
        "at least",
        "time",
        "prepared in",
        "memory",
    ];
    let mut table = Table::new(&heads);
    let above = |cost: Option<u64>, least: u64| {
        cost.map_or_else(
            || "–".to_owned(),
            |cost| format!("{:.3}", cost as f64 / least.max(1) as f64),
        )
    };
    for row in rows {
        table.row(vec![
            row.method.to_owned(),
            whole(row.agents as u64),
            if row.solved { "yes" } else { "none" }.to_owned(),
            row.cost.map_or_else(|| "–".to_owned(), whole),
            above(row.cost, row.cost_min),
            above(row.first_cost, row.cost_min),
            row.duration.map_or_else(|| "–".to_owned(), |steps| whole(u64::from(steps))),
            whole(u64::from(row.duration_min)),
            duration(row.seconds * 1e6),
            duration(row.prepare_seconds * 1e6),
            bytes(row.memory_bytes),
        ]);
    }
    table.write(out, 1)?;
    Ok(())
}

/// Draws where everybody walks, if a picture is asked for.
fn draw(arguments: &MapfArguments, grid: &Grid, plan: Option<&TeamPlan>) -> Result<()> {
    let (Some(file), Some(plan)) = (&arguments.picture, plan) else { return Ok(()) };
    let middle = |cell: &Cell| Point { x: cell.x as f32 + 0.5, y: cell.y as f32 + 0.5 };
    let paths = (0..plan.len()).filter_map(|agent| plan.path(agent));
    let trails: Vec<Vec<Point>> = paths.map(|path| path.iter().map(middle).collect()).collect();
    let mut scene = Scene::new(grid);
    scene.agents =
        trails.iter().filter_map(|trail| Some(SceneAgent { at: *trail.last()?, trail })).collect();
    let frame = Viewport::whole(grid.extent());
    write_picture(file, || scene.to_canvas(&frame), || scene.to_svg(&frame))
}
