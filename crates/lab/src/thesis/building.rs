//! Section 4.2: how long it takes to build the hierarchies.

use super::ThesisError;
use super::figures::MapFigures;
use super::maps::{MapShelf, ThesisMap};
use super::measure::{HPA, HPA_OF_THESIS, PRA_OF_THESIS, Search};
use super::sheet::{Entry, Sheet, column};

/// What is built on each map. PRA* is built alike by both settings.
pub(super) const SEARCHES: [Search; 3] = [PRA_OF_THESIS, HPA_OF_THESIS, HPA];
/// Shares that differ by more than this were not rounded.
const SHARE_TOLERANCE_PERCENT: f64 = 0.1;

pub(super) fn sheet(
    shelf: &MapShelf,
    wanted: &[&'static MapFigures],
    done: &mut dyn FnMut(&str),
) -> Result<Sheet, ThesisError> {
    let effort = shelf.effort();
    let mut rows = Vec::new();
    for map in shelf.those(wanted) {
        let figures = map.figures;
        let mut build_ms = [0.0; SEARCHES.len()];
        for (ms, search) in build_ms.iter_mut().zip(SEARCHES) {
            (_, *ms) = search.build(&map.grid, effort.passes)?;
            done(&format!("4.2 {} {}", figures.name, search.name));
        }
        let [width, height] = figures.size;
        let extent = map.grid.extent();
        rows.push(vec![
            figures.name.as_str().into(),
            Entry::Text(format!("{width} × {height}")),
            Entry::Text(format!("{} × {}", extent.width(), extent.height())),
            Entry::Percent(figures.free_percent),
            Entry::Percent(map.free_percent()),
            Entry::Ms(figures.pra_build_ms),
            Entry::Ms(build_ms[0]),
            Entry::Ms(figures.hpa_build_ms),
            Entry::Ms(build_ms[1]),
            Entry::Ms(build_ms[2]),
        ]);
    }
    let mut notes = vec![format!(
        "Ours is the least of {} builds, on one thread; the thesis's is a mean, on another machine. Settings as in the \
         table of section 4.1. PRA* is built alike by both, which includes measuring on which layer searches should \
         begin.",
        effort.passes
    )];
    let files = shelf.those(wanted).into_iter().filter(|map| map.recipe.is_none());
    notes.extend(files.filter_map(slip));
    notes.extend(shelf.notes(wanted));
    Ok(Sheet {
        section: "4.2",
        title: "building the hierarchies",
        columns: vec![
            column("map", "map"),
            column("size, thesis", "thesis_size"),
            column("size", "size"),
            column("free, thesis", "thesis_free_percent"),
            column("free", "free_percent"),
            column("PRA*, thesis", "thesis_pra_ms"),
            column("PRA*", "pra_ms"),
            column("HPA*, thesis", "thesis_hpa_ms"),
            column("HPA*, its settings", "hpa_thesis_settings_ms"),
            column("HPA*, ours", "hpa_ms"),
        ],
        rows,
        notes,
    })
}

/// Where the thesis and the map's file differ.
fn slip(map: &ThesisMap) -> Option<String> {
    let (figures, extent) = (map.figures, map.grid.extent());
    let [width, height] = figures.size;
    let mut differs = Vec::new();
    if [extent.width(), extent.height()] != figures.size {
        differs.push(format!(
            "{width} × {height} cells, where the file has {} × {}",
            extent.width(),
            extent.height()
        ));
    }
    if (figures.free_percent - map.free_percent()).abs() > SHARE_TOLERANCE_PERCENT {
        differs.push(format!(
            "{} % of cells traversable, where the file has {:.1} %",
            figures.free_percent,
            map.free_percent()
        ));
    }
    (!differs.is_empty())
        .then(|| format!("Slip: for {} it prints {}.", figures.name, differs.join(" and ")))
}
