//! One file a command.

pub(crate) mod bench;
pub(crate) mod generate;
pub(crate) mod graph;
mod graph_guides;
pub(crate) mod open;
pub(crate) mod planners;
pub(crate) mod puzzle;
pub(crate) mod render;
pub(crate) mod replay;
pub(crate) mod simulate;
pub(crate) mod solve;
pub(crate) mod storm;
pub(crate) mod thesis;
pub(crate) mod tour;
pub(crate) mod verify;

use anyhow::{Context, Result};
use highroad::{CATALOG, GridMap, Spec};
use highroad_lab::builtin::{BUILTIN_MAPS, BuiltinMap};
use highroad_lab::workload::read_map;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;

/// A map by its path, or `builtin:NAME`.
fn load_map(name: &str) -> Result<(GridMap, Option<&'static BuiltinMap>)> {
    let Some(builtin) = name.strip_prefix("builtin:") else {
        return Ok((read_map(Path::new(name))?, None));
    };
    let map = BuiltinMap::find(builtin).with_context(|| {
        let names: Vec<&str> = BUILTIN_MAPS.iter().map(|map| map.name).collect();
        format!("there is no built-in map '{builtin}'; there are: {}", names.join(", "))
    })?;
    Ok((map.load(), Some(map)))
}

/// Planners named in a list, or all of the catalog. `skip_unserved` says that those which do not serve a
/// map are passed over there, instead of being an error.
struct PlannerList {
    specs: Vec<Spec>,
    skip_unserved: bool,
}

fn parse_planners(list: &str) -> Result<PlannerList> {
    let all = list == "all";
    let specs = if all {
        CATALOG.iter().map(|entry| entry.name.parse()).collect::<Result<_, _>>()?
    } else {
        list.split(',').map(|spec| spec.trim().parse()).collect::<Result<_, _>>()?
    };
    Ok(PlannerList { specs, skip_unserved: all })
}

/// A bar on standard error, shown only on a terminal.
fn progress_bar(steps: u64, what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg:32} {wide_bar} {pos}/{len} {eta:>5}");
    ProgressBar::new(steps)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_message(what.to_owned())
}
