//! The bar at the bottom: playing the search, and what is known of the cell under the pointer.

use super::icons::{self, Sign};
use crate::model::{Bench, SPEEDS, terrain_name};
use egui::{DragValue, Popup, Slider, Ui};
use highroad::Cell;
use highroad_lab::table::whole;
use highroad_pictures::replay::{Breakpoint, Value, kind_name, side_name};

/// How high the bar is.
pub(super) const HEIGHT: f32 = 66.0;

/// Events that a tooltip lists.
const EVENTS_SHOWN: usize = 16;

/// Shows the bar.
pub(super) fn show(ui: &mut Ui, bench: &mut Bench) {
    ui.add_space(4.0);
    ui.horizontal(|ui| controls(ui, bench));
    ui.horizontal(|ui| cell_line(ui, bench));
}

fn controls(ui: &mut Ui, bench: &mut Bench) {
    let (position, length) = bench.player.position();
    let playing = bench.player.is_playing();
    ui.add_enabled_ui(length > 0, |ui| {
        let mut button = |sign: Sign, name: &str, help: &str| icons::button(ui, sign, name, help);
        if button(Sign::First, "First event", "to the first event (Home)") {
            bench.player.pause();
            bench.player.jump(0);
        }
        if button(Sign::Back, "Step back", "one event back (Left; with Ctrl 100)") {
            bench.player.step(-1);
        }
        let (sign, name) = if playing { (Sign::Pause, "Pause") } else { (Sign::Play, "Play") };
        if button(sign, name, "play or pause (Space)") {
            bench.player.toggle();
        }
        if button(Sign::On, "Step forward", "one event on (Right; with Ctrl 100)") {
            bench.player.step(1);
        }
        if button(Sign::Last, "Last event", "to the last event (End)") {
            bench.player.pause();
            bench.player.jump(usize::MAX);
        }
        let mut wanted = position;
        ui.spacing_mut().slider_width = (ui.available_width() - 456.0).max(80.0);
        let slider = Slider::new(&mut wanted, 0..=length.max(1)).show_value(false);
        if ui.add(slider).accessible_name("Timeline").on_hover_text("drag to any event").changed() {
            bench.player.pause();
            bench.player.jump(wanted);
        }
        ui.weak("event");
        let drag = DragValue::new(&mut wanted).range(0..=length).speed(1.0);
        let jump = ui.add_sized([64.0, 22.0], drag).accessible_name("Event number");
        if jump.on_hover_text("drag, or click and type the number of an event").changed() {
            bench.player.pause();
            bench.player.jump(wanted);
        }
        let dropped = bench.player.replay().map_or(0, |replay| replay.dropped());
        let (more, help) = match dropped {
            0 => ("", "all that happened in the search".to_owned()),
            _ => ("+", format!("{} more events were too many to keep", whole(dropped))),
        };
        ui.label(format!("/ {}{more}", whole(length as u64))).on_hover_text(help);
        speed(ui, bench);
        breakpoints(ui, bench);
    });
}

fn speed(ui: &mut Ui, bench: &mut Bench) {
    let mut speed = bench.player.speed();
    let drag_speed = speed * 0.02;
    let drag = DragValue::new(&mut speed)
        .range(SPEEDS)
        .speed(drag_speed)
        .max_decimals(0)
        .suffix(" events/s");
    let response = ui.add_sized([112.0, 22.0], drag).accessible_name("Speed");
    if response.on_hover_text("how fast the search is played").changed() {
        bench.player.set_speed(speed);
    }
}

fn breakpoints(ui: &mut Ui, bench: &mut Bench) {
    let count = bench.player.breakpoints.len();
    let text = if count == 0 { "Breakpoints".to_owned() } else { format!("Breakpoints ({count})") };
    let response =
        ui.button(text).on_hover_text("where playing stops; Alt+click on a cell sets one");
    Popup::menu(&response)
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| {
            ui.set_min_width(260.0);
            ui.weak("Playing stops when something happens to a cell (Alt+click it), or when an expanded cell's value reaches a number.");
            let mut gone = None;
            for (index, breakpoint) in bench.player.breakpoints.iter().enumerate() {
                ui.horizontal(|ui| {
                    ui.label(match breakpoint {
                        Breakpoint::Cell { x, y } => format!("cell ({x}, {y})"),
                        Breakpoint::AtLeast(value, least) => {
                            format!("{} at least {}", value.name(), whole(*least))
                        }
                    });
                    if ui.small_button("Remove").clicked() {
                        gone = Some(index);
                    }
                });
            }
            if let Some(index) = gone {
                bench.player.breakpoints.remove(index);
            }
            ui.horizontal(|ui| {
                ui.weak("add:");
                for value in Value::ALL {
                    let help = format!("{} at least half of its largest", value.name());
                    if ui.small_button(format!("{} ≥", value.name())).on_hover_text(help).clicked() {
                        let least = largest(bench, value) / 2;
                        bench.player.breakpoints.push(Breakpoint::AtLeast(value, least));
                    }
                }
            });
            for breakpoint in &mut bench.player.breakpoints {
                if let Breakpoint::AtLeast(value, least) = breakpoint {
                    ui.horizontal(|ui| {
                        ui.label(format!("{} ≥", value.name()));
                        ui.add(DragValue::new(least).speed(100.0)).accessible_name("Breakpoint value");
                    });
                }
            }
        });
}

/// The largest that a value gets in the recording.
fn largest(bench: &Bench, value: Value) -> u64 {
    let events = bench.player.replay().map_or(&[][..], |replay| replay.events());
    events.iter().map(|event| value.of(event)).max().unwrap_or(0)
}

/// What is known of the cell under the pointer, in one line.
fn cell_line(ui: &mut Ui, bench: &Bench) {
    let current = bench.player.replay().and_then(|replay| replay.current());
    let cell = bench.pointer.hovered.or(current.map(|(_, cell)| cell));
    let Some(cell) = cell else {
        ui.weak("Point at a cell to see what the search knows of it.");
        return;
    };
    let text = describe(bench, cell);
    ui.add(egui::Label::new(text).truncate());
}

fn describe(bench: &Bench, cell: Cell) -> String {
    let grid = bench.document.grid();
    let terrain = grid.map().terrain(cell).map(terrain_name).unwrap_or_default();
    let mut text = format!("cell {cell}: {terrain}");
    if let Some(cost) = grid.cost_of(cell).filter(|&cost| cost != 1) {
        text.push_str(&format!(", costs {cost}"));
    }
    let Some(replay) = bench.player.replay() else { return text };
    let Some(event) = replay.latest_event(cell) else {
        return text + "  ·  the search has not been here";
    };
    let unit = 2.0 * f64::from(grid.movement().steps().straight());
    let value = |value: u64| format!("{:.2}", value as f64 / unit);
    text.push_str(&format!(
        "  ·  g {}  h {}  f {}",
        value(event.g),
        value(event.h),
        value(event.g.saturating_add(event.h))
    ));
    match replay.parent(cell) {
        Some(parent) => text.push_str(&format!("  ·  from {parent}")),
        None => text.push_str("  ·  a start"),
    }
    if let Some(order) = replay.order(cell) {
        let all = whole(u64::from(replay.expansions()));
        text.push_str(&format!("  ·  expanded {} of {all}", whole(u64::from(order))));
    }
    let kinds: Vec<&str> =
        replay.events_of(cell).iter().map(|(_, event)| kind_name(event.kind)).collect();
    text.push_str(&format!("  ·  {}", kinds.join(", ")));
    text
}

/// Every event of a cell, a line each: the map's tooltip.
pub(super) fn events_of(bench: &Bench, cell: Cell) -> String {
    let Some(replay) = bench.player.replay() else { return String::new() };
    let unit = 2.0 * f64::from(bench.document.grid().movement().steps().straight());
    let line = |(number, event): &(usize, highroad::search::TraceEvent)| {
        let (g, h) = (event.g as f64 / unit, event.h as f64 / unit);
        let side = match event.side {
            highroad::search::Side::Forward => String::new(),
            side => format!(", {}", side_name(side)),
        };
        let kind = kind_name(event.kind);
        format!("event {}: {kind}, g {g:.2}, h {h:.2}{side}", whole(*number as u64 + 1))
    };
    let events = replay.events_of(cell);
    let mut lines: Vec<String> = events.iter().take(EVENTS_SHOWN).map(line).collect();
    if events.len() > EVENTS_SHOWN {
        lines.push(format!("and {} more", events.len() - EVENTS_SHOWN));
    }
    lines.join("\n")
}
