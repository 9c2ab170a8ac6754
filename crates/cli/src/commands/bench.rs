//! `highroad bench`

mod worst;

use super::mesh::{is_on_meshes, refuse_scenario, warn_of_left_out};
use super::{PlannerList, parse_planners, progress_bar, warn_of_palette};
use crate::arguments::BenchArguments;
use anyhow::Result;
use highroad::catalog::SpecError;
use highroad::grid::Grid;
use highroad::mesh::Mesh;
use highroad_lab::bench::{BenchRow, Effort, bench, optimal_costs};
use highroad_lab::measurable::Measurable;
use highroad_lab::meshes::find_mesh_sources;
use highroad_lab::table::{Table, bytes, duration, whole};
use highroad_lab::workload::{Workload, find_sources};
use std::io::Write;

pub(crate) fn run(arguments: &BenchArguments, out: &mut dyn Write) -> Result<u8> {
    if arguments.worst {
        return worst::run(arguments, out);
    }
    let mut table = Table::new(&heads(arguments));
    let mut remarks = Vec::new();
    if is_on_meshes(arguments.mesh, &arguments.paths) {
        let list = arguments.planner.as_deref().unwrap_or("any-angle");
        let planners = parse_planners::<Mesh>(list)?;
        let scenario = arguments.scenario.as_deref();
        for source in find_mesh_sources(&arguments.paths, scenario, arguments.mesh)? {
            let work = source.load(arguments.queries)?;
            warn_of_left_out(&work);
            measure(arguments, &work.workload, &planners, &mut table, &mut remarks, out)?;
        }
    } else {
        refuse_scenario(arguments.scenario.as_deref())?;
        let planners = parse_planners::<Grid>(arguments.planner.as_deref().unwrap_or("astar"))?;
        for source in find_sources(&arguments.paths)? {
            let workload = source.load_with(arguments.movement.agents(), arguments.queries)?;
            warn_of_palette(&workload.name, workload.environment.map());
            measure(arguments, &workload, &planners, &mut table, &mut remarks, out)?;
        }
    }
    if !arguments.json {
        table.write(out, 2)?;
        for remark in remarks {
            writeln!(out, "{remark}")?;
        }
    }
    Ok(0)
}

/// Measures planners on one workload, and prints what came of it or adds it to the table.
fn measure<E: Measurable + Clone>(
    arguments: &BenchArguments,
    workload: &Workload<E>,
    planners: &PlannerList,
    table: &mut Table,
    remarks: &mut Vec<String>,
    out: &mut dyn Write,
) -> Result<()> {
    let effort = Effort {
        passes: usize::from(arguments.passes),
        first_leg: arguments.first_leg,
        edits: arguments.edits as usize,
        saved: arguments.saved,
    };
    let optimal = optimal_costs(workload);
    for spec in &planners.specs {
        let steps = effort.steps(workload.queries.len());
        let bar = progress_bar(steps, &format!("{} {spec}", workload.name));
        let row = match bench(workload, &optimal, spec, effort, || bar.inc(1)) {
            Err(SpecError::NotServed { .. }) if planners.skip_unserved => continue,
            row => row?,
        };
        bar.finish_and_clear();
        if arguments.json {
            writeln!(out, "{}", serde_json::to_string(&row)?)?;
            out.flush()?;
        } else {
            table.row(cells(&row));
            let remark = row.remark.as_ref();
            remarks.extend(remark.map(|text| format!("{} on {}: {text}", row.planner, row.map)));
        }
    }
    Ok(())
}

/// What the columns of the table show.
fn heads(arguments: &BenchArguments) -> [&'static str; 18] {
    [
        "map",
        "planner",
        "queries",
        "build",
        "mean",
        "median",
        "p99",
        "expanded",
        "above optimal",
        "99 %",
        "worst",
        "memory",
        "mismatches",
        if arguments.first_leg > 0 { "first leg" } else { "" },
        if arguments.edits > 0 { "edit" } else { "" },
        if arguments.edits > 0 { "edit p99" } else { "" },
        if arguments.saved { "load" } else { "" },
        if arguments.saved { "saved" } else { "" },
    ]
}

fn cells(row: &BenchRow) -> Vec<String> {
    vec![
        row.map.clone(),
        row.planner.clone(),
        whole(row.queries as u64),
        duration(row.build_ms * 1e3),
        duration(row.mean_us),
        duration(row.median_us),
        duration(row.p99_us),
        whole(row.expanded_mean as u64),
        format!("{:.3} %", row.suboptimality_mean_percent),
        format!("{:.2} %", row.suboptimality_p99_percent),
        format!("{:.2} %", row.suboptimality_max_percent),
        bytes(row.memory_bytes),
        whole(row.mismatches as u64),
        row.first_leg_mean_us.map(duration).unwrap_or_default(),
        row.edit_mean_us.map(duration).unwrap_or_default(),
        row.edit_p99_us.map(duration).unwrap_or_default(),
        row.load_ms.map(|load_ms| duration(load_ms * 1e3)).unwrap_or_default(),
        row.saved_bytes.map(bytes).unwrap_or_default(),
    ]
}
