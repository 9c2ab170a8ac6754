//! `highroad planners`

use anyhow::Result;
use highroad::{CATALOG, Grid, GridMap, MovementRule, Spec, Terrain};
use highroad_lab::workload::grid_under;
use std::io::Write;

pub(crate) fn run(out: &mut dyn Write) -> Result<u8> {
    let grid = sample_grid()?;
    for entry in CATALOG {
        let planner = entry.name.parse::<Spec>()?.build(&grid)?;
        writeln!(out, "{}: {}", entry.name, entry.title)?;
        writeln!(out, "    {}", entry.summary)?;
        writeln!(out, "    guarantee: {}", planner.guarantee(&grid))?;
        for option in entry.options {
            let (name, values, default) = (option.name, option.kind, option.default);
            writeln!(out, "    {name}={default}: {}; {values}", option.help)?;
        }
    }
    writeln!(out)?;
    writeln!(out, "Guarantees are for uniform terrain under the rule never-cut-corners.")?;
    writeln!(
        out,
        "Options follow the name: --planner weighted-astar:weight=2:heuristic=euclidean"
    )?;
    Ok(0)
}

fn sample_grid() -> Result<Grid> {
    Ok(grid_under(GridMap::filled(8, 8, Terrain::GROUND)?, MovementRule::default()))
}
