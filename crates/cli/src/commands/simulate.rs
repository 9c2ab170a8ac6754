//! `highroad simulate`

use super::load_map;
use crate::BAD_NEWS;
use crate::arguments::{CrowdArguments, SimulateArguments};
use anyhow::{Context, Result, bail};
use highroad::grid::Grid;
use highroad_lab::case::{Case, CaseMap, CaseReport, CaseRun, bodies_of, draw_window};
use highroad_lab::crowd::{CrowdPlan, CrowdReport, crowd};
use highroad_lab::table::{bytes, duration, whole};
use highroad_pictures::{Canvas, CrowdPicture, Film, HeatLayer, Scene, Viewport};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What `--watch` shows of a map.
const WINDOW: (u32, u32) = (100, 36);

pub(crate) fn run(arguments: &SimulateArguments, out: &mut dyn Write) -> Result<u8> {
    let mut worst = 0;
    let pictures = [&arguments.density, &arguments.flow, &arguments.film];
    let is_one_case = matches!(&arguments.cases[..], [name] if name.ends_with(".toml"));
    if pictures.iter().any(|file| file.is_some()) && !is_one_case {
        bail!("pictures and films are made of one case (FILE.toml) at a time");
    }
    for name in &arguments.cases {
        let code = if name.ends_with(".toml") {
            run_case(arguments, Path::new(name), out).with_context(|| name.clone())?
        } else {
            run_crowd(&arguments.crowd, name, out).with_context(|| name.clone())?
        };
        worst = worst.max(code);
    }
    Ok(worst)
}

/// Where the maps of cases lie.
fn map_folder(arguments: &SimulateArguments) -> PathBuf {
    let named = arguments.maps.clone();
    named.or_else(|| std::env::var_os("HIGHROAD_MAPS").map(PathBuf::from)).unwrap_or_default()
}

fn run_case(arguments: &SimulateArguments, path: &Path, out: &mut dyn Write) -> Result<u8> {
    let case = Case::load(path)?;
    let map = case.load_map(&map_folder(arguments)).with_context(|| match &case.map {
        CaseMap::File(file) => format!(
            "the map {} is not part of the project: say with --maps where such maps lie",
            file.display()
        ),
        _ => "the case's map".to_owned(),
    })?;
    let mut run = CaseRun::new(&case, map)?;
    let mut film = arguments.film.as_ref().map(|_| Film::new(FILM_FRAMES_MAX));
    let json = arguments.crowd.json;
    if !arguments.events && !json {
        writeln!(out, "{}: {}", path.display(), case.title)?;
    }
    let mut lines = Vec::new();
    loop {
        let from = lines.len();
        let more = run.advance(&mut |event| lines.push(event.to_string()))?;
        if let Some(film) = &mut film
            && film.is_next_wanted()
        {
            film.push(picture(&run, None, FILM_SIDE));
        }
        if arguments.watch {
            show(&run, &case, &lines[from.max(lines.len().saturating_sub(3))..], out)?;
        }
        if !more {
            break;
        }
    }
    write_pictures(arguments, &case, &run, film)?;
    let report = run.into_report();
    if json {
        return print_json(path, &case, &report, &lines, out);
    }
    let indent = if arguments.events { "" } else { "  " };
    // Of a scene, only what came of it is worth reading.
    let is_scene = case.check.is_some() && case.expect.is_none();
    if !arguments.watch && (!is_scene || arguments.events) {
        lines.iter().try_for_each(|line| writeln!(out, "{indent}{line}"))?;
    }
    if !arguments.events {
        print_result(&report, out)?;
        if is_scene {
            print_outcome(&report, out)?;
        }
    }
    for shortfall in &report.shortfalls {
        writeln!(out, "  {shortfall}")?;
    }
    let code = compare_events(&case, &report, &lines, arguments.events, out)?;
    Ok(if report.shortfalls.is_empty() { code } else { BAD_NEWS })
}

/// Pictures of a film at most, and pixels of its longer side, about.
const FILM_FRAMES_MAX: usize = 120;
const FILM_SIDE: f32 = 512.0;
/// Pixels of the longer side of a heat map, about.
const PICTURE_SIDE: f32 = 1024.0;

/// The map with what lies over it: bodies, or a heat map.
fn picture(run: &CaseRun, heat: Option<HeatLayer<'_>>, side: f32) -> Canvas {
    let grid = run.simulation.world().grid();
    let bodies = bodies_of(&run.simulation);
    let bodies = if heat.is_some() { &[][..] } else { &bodies[..] };
    let whole = Viewport::whole(grid.extent());
    let longer = whole.size.0.max(whole.size.1);
    let factor = (side / longer).min(1.0);
    let size = ((whole.size.0 * factor).ceil(), (whole.size.1 * factor).ceil());
    let viewport = Viewport { scale: whole.scale * factor, size, ..whole };
    CrowdPicture { scene: Scene::new(grid), heat, bodies }.to_canvas(&viewport)
}

fn write_pictures(
    arguments: &SimulateArguments,
    case: &Case,
    run: &CaseRun,
    film: Option<Film>,
) -> Result<()> {
    let create = |path: &Path| {
        let file = File::create(path).with_context(|| format!("cannot write {}", path.display()));
        file.map(BufWriter::new)
    };
    if let Some(path) = &arguments.density {
        let shares = run.heat().density();
        let heat = HeatLayer { shares: &shares, arrows: &[] };
        picture(run, Some(heat), PICTURE_SIDE).write_png(create(path)?)?;
    }
    if let Some(path) = &arguments.flow {
        let (shares, arrows) = run.heat().flow();
        let heat = HeatLayer { shares: &shares, arrows: &arrows };
        picture(run, Some(heat), PICTURE_SIDE).write_png(create(path)?)?;
    }
    if let Some((path, film)) = arguments.film.as_ref().zip(film) {
        // As fast as it happens, between 20 ms and a second a picture.
        let frame_ms = film.every().saturating_mul(u64::from(case.tick_ms)).clamp(20, 1000);
        film.write(create(path)?, frame_ms as u16, 2000)?;
    }
    Ok(())
}

fn print_json(
    path: &Path,
    case: &Case,
    report: &CaseReport,
    lines: &[String],
    out: &mut dyn Write,
) -> Result<u8> {
    let as_expected = case.expected().is_none_or(|expected| expected == lines);
    let object = serde_json::json!({
        "case": path.display().to_string(),
        "title": case.title,
        "outcome": report.outcome,
        "shortfalls": report.shortfalls,
        "as_expected": as_expected,
        "at_rest": report.at_rest,
    });
    writeln!(out, "{object}")?;
    Ok(if as_expected && report.shortfalls.is_empty() { 0 } else { BAD_NEWS })
}

/// What came of a scene.
fn print_outcome(report: &CaseReport, out: &mut dyn Write) -> Result<()> {
    let outcome = &report.outcome;
    let mut line = |head: &str, text: String| writeln!(out, "  {head:<22} {text}");
    line("ticks", whole(outcome.ticks))?;
    let states = (outcome.arrived, outcome.stopped, outcome.walking);
    line(
        "agents",
        format!(
            "{}: {} arrived, {} stopped, {} on the way",
            outcome.agents, states.0, states.1, states.2
        ),
    )?;
    if let Some((first, last)) = outcome.first_arrival.zip(outcome.last_arrival) {
        line("arrivals", format!("from tick {first} to {last}"))?;
    }
    if outcome.groups > 0 {
        line("groups arrived", outcome.groups.to_string())?;
    }
    line("largest overlap", format!("{:.2} % of a radius", outcome.overlap_percent))?;
    line("memory", bytes(outcome.memory_bytes))?;
    Ok(())
}

/// One frame of `--watch`.
fn show(run: &CaseRun, case: &Case, latest: &[String], out: &mut dyn Write) -> Result<()> {
    let Some(agent) = run.simulation.agents().first() else { return Ok(()) };
    // Back to the top left, and what is left of the frame before is cleared.
    write!(out, "\x1b[H\x1b[J")?;
    write!(out, "{}", draw_window(&run.simulation, agent.at(), WINDOW.0, WINDOW.1))?;
    writeln!(out, "tick {}: {}", run.simulation.ticks(), case.title)?;
    latest.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    out.flush()?;
    std::thread::sleep(Duration::from_millis(u64::from(case.tick_ms)));
    Ok(())
}

fn print_result(report: &CaseReport, out: &mut dyn Write) -> Result<()> {
    let us = |time: Duration| duration(time.as_secs_f64() * 1e6);
    for (number, (edit, reply)) in report.replies.iter().enumerate() {
        let replied =
            if reply.is_zero() { String::new() } else { format!(", {} to the reply", us(*reply)) };
        writeln!(out, "  change {number}: {} to edit{replied}", us(*edit))?;
    }
    if !report.rebuild_max.is_zero() {
        writeln!(out, "  rebuilt in the background in {} at most", us(report.rebuild_max))?;
    }
    Ok(())
}

/// Holds what happened against what was expected.
fn compare_events(
    case: &Case,
    report: &CaseReport,
    lines: &[String],
    quiet: bool,
    out: &mut dyn Write,
) -> Result<u8> {
    let Some(expected) = case.expected() else {
        let is_fine = report.at_rest || case.check.is_some();
        return Ok(if is_fine { 0 } else { BAD_NEWS });
    };
    let differs = expected.iter().zip(lines).position(|(expected, line)| expected != line);
    let differs =
        differs.or((expected.len() != lines.len()).then_some(expected.len().min(lines.len())));
    if let Some(at) = differs {
        let none = "nothing";
        let expected = expected.get(at).copied().unwrap_or(none);
        let happened = lines.get(at).map_or(none, String::as_str);
        writeln!(out, "  event {at} differs:\n    expected {expected}\n    happened {happened}")?;
        return Ok(BAD_NEWS);
    }
    if !quiet {
        writeln!(out, "  as expected: {} events", lines.len())?;
    }
    Ok(0)
}

fn run_crowd(arguments: &CrowdArguments, name: &str, out: &mut dyn Write) -> Result<u8> {
    let (map, _) = load_map(name)?;
    let plan = CrowdPlan {
        agents: arguments.agents,
        edits_per_second: arguments.edits,
        ticks_per_second: arguments.ticks,
        ticks: u64::from(arguments.ticks) * u64::from(arguments.seconds),
        cells_per_second: arguments.speed,
        budget: arguments.budget,
        budget_us: arguments.budget_us,
        unreachable_percent: arguments.unreachable,
        improves: arguments.improve,
        lockstep_ticks: u64::from(arguments.ticks),
        seed: arguments.seed,
        paced: arguments.paced,
        bodies: arguments.bodies,
        fields: arguments.fields,
        goals: arguments.goals.unwrap_or(0),
    };
    let mut log = match &arguments.log {
        Some(path) => {
            let file =
                File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
            Some(BufWriter::new(file))
        }
        None => None,
    };
    let mut failed = None;
    let write_line = |line: &str| {
        if let Some(log) = &mut log
            && let Err(error) = writeln!(log, "{line}")
        {
            failed.get_or_insert(error);
        }
    };
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(usize::from(arguments.threads)).build()?;
    let grid = Grid::with_defaults(map);
    let planner = arguments.planner.clone();
    let walk = move || {
        let mut write_line = write_line;
        crowd(grid, planner, plan, &mut write_line)
    };
    // Requests are worked on by the threads of the pool that the simulation runs in.
    let report = pool.install(walk)?;
    if let Some(error) = failed {
        return Err(error).context("the event log");
    }
    if let Some(mut log) = log {
        log.flush().context("the event log")?;
    }
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        tell_crowd(name, arguments, &report, out)?;
    }
    Ok(0)
}

fn tell_crowd(
    name: &str,
    arguments: &CrowdArguments,
    report: &CrowdReport,
    out: &mut dyn Write,
) -> Result<()> {
    let tick = duration(1e6 / f64::from(arguments.ticks));
    writeln!(
        out,
        "{name}: {} agents, {} edits a second, {} ticks a second for {} s, {}",
        whole(arguments.agents.into()),
        arguments.edits,
        arguments.ticks,
        arguments.seconds,
        arguments.planner
    )?;
    let mut line = |head: &str, text: String| writeln!(out, "  {head:<22} {text}");
    line("ticks within a tick", format!("{:.2} % of {tick}", report.ticks_held_percent))?;
    line("longest tick", duration(report.tick_max_us))?;
    line("999 in 1000 below", duration(report.tick_p999_us))?;
    line("99 in a hundred below", duration(report.tick_p99_us))?;
    line("mean tick", duration(report.tick_mean_us))?;
    line("replans a second", format!("{:.0}", report.replans_per_second))?;
    line("answers a second", format!("{:.0}", report.answers_per_second))?;
    let settled = match report.settled_after_ticks {
        0 => "never".to_owned(),
        ticks => format!("{ticks} ticks"),
    };
    line("all had paths after", settled)?;
    line("most left waiting", whole(report.waiting_max as u64))?;
    line("edits", whole(report.edits))?;
    line("mean edit", duration(report.edit_mean_us))?;
    line("longest edit", duration(report.edit_max_us))?;
    line("arrivals", whole(report.arrivals))?;
    line("found no way", whole(report.unreachable))?;
    line("buried at the end", whole(report.buried))?;
    if arguments.bodies {
        line("an agent and tick", format!("{:.3} µs", report.agent_tick_us))?;
        line("largest overlap", format!("{:.2} % of the radius", report.overlap_percent))?;
        line("somebody in a wall", whole(report.in_walls))?;
    }
    line("memory", bytes(report.memory_bytes))?;
    line("event log", format!("{} lines, hash {:016x}", whole(report.log_lines), report.log_hash))?;
    Ok(())
}
