//! What is known of the cell under the pointer.

use crate::map::{MapMode, terrain_name};
use egui::{Ui, vec2};
use highroad::Cell;
use highroad_lab::table::whole;
use highroad_pictures::replay::{kind_name, side_name};

/// Events that a tooltip lists.
const EVENTS_SHOWN: usize = 16;

/// Shows the current step at the left, and the cell under the pointer at the right.
pub(crate) fn show(ui: &mut Ui, map: &MapMode) {
    let half = ui.available_width() / 2.0;
    let height = ui.spacing().interact_size.y;
    let part = |ui: &mut Ui, text: &str| {
        ui.allocate_ui_with_layout(
            vec2(half - 8.0, height),
            egui::Layout::left_to_right(egui::Align::Center),
            |ui| {
                ui.set_min_width(half - 8.0);
                ui.add(egui::Label::new(text).truncate()).on_hover_text(text);
            },
        );
    };
    let step = step(map).unwrap_or_else(|| "No search is recorded.".to_owned());
    part(ui, &step);
    match map.hand.pointer.hovered {
        Some(cell) => part(ui, &describe(map, cell)),
        None => part(ui, "The pointer is on no cell."),
    }
}

/// What happened last, in one line.
fn step(map: &MapMode) -> Option<String> {
    let replay = map.player.replay()?;
    let (position, length) = map.player.position();
    let Some((event, cell)) = replay.current() else {
        return Some(format!("Before the first of {} events.", whole(length as u64)));
    };
    let unit = map.recording_unit();
    let (g, h) = (unit.text(event.g), unit.text(event.h));
    let f = unit.text(event.g.saturating_add(event.h));
    let (kind, number) = (kind_name(event.kind), whole(position as u64));
    Some(format!("event {number}: {cell} {kind}  ·  g {g}  h {h}  f {f}"))
}

fn describe(map: &MapMode, cell: Cell) -> String {
    let grid = map.document.grid();
    let terrain = grid.map().terrain(cell).map(terrain_name).unwrap_or_default();
    let mut text = format!("cell {cell}: {terrain}");
    if let Some(cost) = grid.cost_of(cell).filter(|&cost| cost != 1) {
        text.push_str(&format!(", costs {cost}"));
    }
    let heights = grid.map().height_range();
    if heights.end() > heights.start() {
        text.push_str(&format!(", height {}", grid.map().height(cell).unwrap_or(0)));
    }
    let linked = |link: &&highroad::grid::Link| link.from == cell || link.to == cell;
    let unit = crate::shared::Unit::of(grid);
    for link in grid.map().link_list().iter().filter(linked) {
        let (word, other) = match link.from == cell {
            true => ("link to", link.to),
            false if link.both_ways => ("link to", link.from),
            false => ("link from", link.from),
        };
        text.push_str(&format!(", {word} {other} at cost {}", unit.text(link.cost.into())));
    }
    let Some(replay) = map.player.replay() else { return text };
    let Some(event) = replay.latest_event(cell) else {
        return text + "  ·  the search has not been here";
    };
    let unit = map.recording_unit();
    text.push_str(&format!(
        "  ·  g {}  h {}  f {}",
        unit.text(event.g),
        unit.text(event.h),
        unit.text(event.g.saturating_add(event.h))
    ));
    match replay.parent(cell) {
        Some(parent) => text.push_str(&format!("  ·  from {parent}")),
        None => text.push_str("  ·  a start"),
    }
    if let Some(order) = replay.order(cell) {
        let all = whole(u64::from(replay.expansions()));
        text.push_str(&format!("  ·  expanded {} of {all}", whole(u64::from(order))));
    }
    text
}

/// Every event of a cell so far, a line each: the map's tooltip.
pub(crate) fn events_of(map: &MapMode, cell: Cell) -> String {
    let Some(replay) = map.player.replay() else { return String::new() };
    let unit = map.recording_unit();
    let line = |(number, event): &(usize, highroad::search::TraceEvent)| {
        let (g, h) = (unit.text(event.g), unit.text(event.h));
        let side = match event.side {
            highroad::search::Side::Forward => String::new(),
            side => format!(", {}", side_name(side)),
        };
        let kind = kind_name(event.kind);
        format!("event {}: {kind}, g {g}, h {h}{side}", whole(*number as u64 + 1))
    };
    // What happens later is not known yet.
    let mut events = replay.events_of(cell);
    events.retain(|(number, _)| *number < replay.position());
    let mut lines: Vec<String> = events.iter().take(EVENTS_SHOWN).map(line).collect();
    if events.len() > EVENTS_SHOWN {
        lines.push(format!("and {} more", events.len() - EVENTS_SHOWN));
    }
    lines.join("\n")
}
