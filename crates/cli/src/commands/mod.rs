//! One file a command.

pub(crate) mod bench;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod generate;
pub(crate) mod graph;
mod graph_inputs;
pub(crate) mod hunt;
pub(crate) mod mapf;
mod mesh;
pub(crate) mod open;
pub(crate) mod planners;
pub(crate) mod puzzle;
pub(crate) mod render;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod scenario;
pub(crate) mod simulate;
pub(crate) mod solve;
pub(crate) mod storm;
pub(crate) mod survey;
pub(crate) mod thesis;
pub(crate) mod tour;
pub(crate) mod verify;

use anyhow::{Context, Result, bail};
use highroad::GridMap;
use highroad::catalog::{CATALOG, Spec};
use highroad::planner::Cataloged;
use highroad_formats::{FormatError, ImportError, ReadError, ReadOptions, read_map, read_map_with};
use highroad_lab::builtin::{BUILTIN_MAPS, BuiltinMap};
use highroad_lab::files::write_whole;
use highroad_pictures::{Canvas, PictureError};
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Display;
use std::io::Write;
use std::path::Path;

/// A map by its path, or `builtin:NAME`.
fn load_map(name: &str) -> Result<(GridMap, Option<&'static BuiltinMap>)> {
    load_map_with(name, &ReadOptions::default())
}

/// The same, with what a file does not say of itself.
fn load_map_with(
    name: &str,
    options: &ReadOptions,
) -> Result<(GridMap, Option<&'static BuiltinMap>)> {
    let Some(builtin) = name.strip_prefix("builtin:") else {
        return match read_map_with(Path::new(name), options) {
            Err(
                error @ ReadError::Map {
                    error: FormatError::Picture(ImportError::Colour { .. }),
                    ..
                },
            ) if options.colours.is_empty() => {
                bail!("{error}; `highroad convert` reads others with --colour and --threshold")
            }
            map => {
                let map = map?;
                warn_of_palette(name, &map);
                Ok((map, None))
            }
        };
    };
    let map = BuiltinMap::find(builtin).with_context(|| {
        let names: Vec<&str> = BUILTIN_MAPS.iter().map(|map| map.name).collect();
        format!("there is no built-in map '{builtin}'; there are: {}", names.join(", "))
    })?;
    Ok((map.load(), Some(map)))
}

/// A map from a file of its own, for commands that take no built-in ones.
fn read_file(path: &Path) -> Result<GridMap> {
    let map = read_map(path)?;
    warn_of_palette(path.display(), &map);
    Ok(map)
}

/// Says so if one letter makes a map weighted that does not look so.
fn warn_of_palette(name: impl Display, map: &GridMap) {
    if let Some(doubt) = map.palette_doubt() {
        warn(name, doubt);
    }
}

/// Says on standard error what is doubtful.
fn warn(name: impl Display, doubt: impl Display) {
    let _ = writeln!(std::io::stderr(), "warning: {name}: {doubt}");
}

/// Planners named in a list, or all of the catalog that are made for such an environment. `skip_unserved` says that those which do not serve a
/// map are passed over there, instead of being an error.
struct PlannerList {
    specs: Vec<Spec>,
    skip_unserved: bool,
}

fn parse_planners<E: Cataloged>(list: &str) -> Result<PlannerList> {
    let all = list == "all";
    let specs = if all {
        CATALOG
            .iter()
            .filter(|entry| E::maker(entry).is_some())
            .map(|entry| Spec::usual(entry))
            .collect()
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

/// Writes a picture as its file's ending says.
fn write_picture(
    file: &Path,
    canvas: impl FnOnce() -> Canvas,
    svg: impl FnOnce() -> Result<String, PictureError>,
) -> Result<()> {
    let here = || format!("{}", file.display());
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("png") => {
            let mut bytes = Vec::new();
            canvas().write_png(&mut bytes).with_context(here)?;
            Ok(write_whole(file, &bytes)?)
        }
        Some("svg") => Ok(write_whole(file, svg()?.as_bytes())?),
        _ => bail!("{}: pictures end with .png or .svg", file.display()),
    }
}

/// Checks that a file may be written: it is not there, or may be written over.
pub(crate) fn may_write(file: &Path, force: bool) -> Result<()> {
    anyhow::ensure!(
        force || !file.exists(),
        "{} is there already; --force writes over it",
        file.display()
    );
    Ok(())
}

/// Checks that a picture's name ends with one of some endings.
pub(crate) fn check_ending(file: &Path, endings: &[&str]) -> Result<()> {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let known = endings.iter().any(|known| known.eq_ignore_ascii_case(ending));
    let list: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
    anyhow::ensure!(known, "{}: a picture is written as {}", file.display(), list.join(" or "));
    Ok(())
}
