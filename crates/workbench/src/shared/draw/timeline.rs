//! Playing a recording: buttons, the track with the parts of the recording, speed and breakpoints.

use super::signs::{self, Sign};
use super::track::{self, Part};
use crate::shared::{Player, SPEEDS, Unit};
use egui::{Align, DragValue, Layout, Popup, Role, Ui, WidgetInfo};
use highroad_lab::table::whole;
use highroad_pictures::replay::{Breakpoint, Value};

/// Below this width of the row, words are left out.
const NARROW: f32 = 900.0;

/// Shows the timeline of a recording with these parts in a row. Values of breakpoints are counted in `unit`; without one
/// there are no breakpoints. `word` says what is played: events, or moves of a solution.
pub(crate) fn show(
    ui: &mut Ui,
    player: &mut Player,
    parts: &[Part],
    unit: Option<Unit>,
    word: &str,
) {
    let (position, length) = player.position();
    let narrow = ui.available_width() < NARROW;
    ui.add_enabled_ui(length > 0, |ui| {
        buttons(ui, player, word);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Some(unit) = unit {
                breakpoints(ui, player, unit, narrow);
            }
            speed(ui, player, word, narrow);
            let dropped = player.replay().map_or(0, |replay| replay.dropped());
            let (more, help) = match dropped {
                0 => ("", "all that happened in the search".to_owned()),
                _ => ("+", format!("{} more events were too many to keep", whole(dropped))),
            };
            ui.label(format!("/ {}{more}", whole(length as u64))).on_hover_text(help);
            let mut wanted = position;
            let drag = DragValue::new(&mut wanted)
                .range(0..=length)
                .speed(1.0)
                .custom_formatter(|value, _| whole(value as u64));
            let jump =
                ui.add_sized([64.0, 22.0], drag).accessible_name(format!("Number of the {word}"));
            let jump = jump.on_hover_text("drag, or click and type a number");
            if !narrow {
                ui.weak(word);
            }
            let slid = track::show(ui, parts, position, length);
            if let Some(target) = slid.or_else(|| jump.changed().then_some(wanted)) {
                player.pause();
                player.jump(target);
            }
        });
    });
}

fn buttons(ui: &mut Ui, player: &mut Player, word: &str) {
    let playing = player.is_playing();
    let mut button = |sign: Sign, name: &str, help: &str| {
        signs::button(ui, sign, &name.replace("event", word), &help.replace("event", word))
    };
    if button(Sign::First, "First event", "to the first event (Home)") {
        player.pause();
        player.jump(0);
    }
    if button(Sign::Back, "Step back", "one event back (Left; with Ctrl 100)") {
        player.step(-1);
    }
    let (sign, name) = if playing { (Sign::Pause, "Pause") } else { (Sign::Play, "Play") };
    if button(sign, name, "play or pause (Space)") {
        player.toggle();
    }
    if button(Sign::On, "Step forward", "one event on (Right; with Ctrl 100)") {
        player.step(1);
    }
    if button(Sign::Last, "Last event", "to the last event (End)") {
        player.pause();
        player.jump(usize::MAX);
    }
}

fn speed(ui: &mut Ui, player: &mut Player, word: &str, narrow: bool) {
    let mut speed = player.speed();
    let drag_speed = speed * 0.02;
    let drag = DragValue::new(&mut speed)
        .range(SPEEDS)
        .speed(drag_speed)
        .max_decimals(0)
        .suffix(if narrow { "/s".to_owned() } else { format!(" {word}s/s") });
    let width = if narrow { 64.0 } else { 112.0 };
    let response = ui.add_sized([width, 22.0], drag).accessible_name("Speed");
    if response.on_hover_text("how many of them are played in a second").changed() {
        player.set_speed(speed);
    }
}

fn breakpoints(ui: &mut Ui, player: &mut Player, unit: Unit, narrow: bool) {
    let count = player.breakpoints.len();
    let text = match (narrow, count) {
        (true, count) => format!("Stops ({count})"),
        (false, 0) => "Breakpoints".to_owned(),
        (false, count) => format!("Breakpoints ({count})"),
    };
    let response = ui
        .button(text)
        .on_hover_text("where playing stops; B sets one on the cell under the pointer");
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Breakpoints"));
    Popup::menu(&response)
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| breakpoint_list(ui, player, unit));
}

fn breakpoint_list(ui: &mut Ui, player: &mut Player, unit: Unit) {
    ui.set_min_width(280.0);
    ui.weak(
        "Playing stops when something happens to a cell (point at it and press B, or click it with Shift), or \
         when an expanded cell's value reaches a number.",
    );
    let mut gone = None;
    for (index, breakpoint) in player.breakpoints.iter_mut().enumerate() {
        ui.horizontal(|ui| {
            match breakpoint {
                Breakpoint::Cell { x, y } => _ = ui.label(format!("cell ({x}, {y})")),
                Breakpoint::AtLeast(value, least) => {
                    ui.label(format!("{} ≥", value.name()));
                    let mut shown = unit.of_cost(*least);
                    let drag = DragValue::new(&mut shown)
                        .range(0.0..=1e12)
                        .speed(0.5)
                        .max_decimals(unit.decimals());
                    if ui.add(drag).accessible_name("Breakpoint value").changed() {
                        *least = unit.to_cost(shown);
                    }
                }
            }
            if ui.button("Remove").clicked() {
                gone = Some(index);
            }
        });
    }
    if let Some(index) = gone {
        player.breakpoints.remove(index);
    }
    ui.horizontal(|ui| {
        ui.weak("add:");
        for value in Value::ALL {
            let help = format!("stop when {} is at least half of its largest", value.name());
            if ui.button(format!("{} ≥", value.name())).on_hover_text(help).clicked() {
                let least = largest(player, value) / 2;
                player.breakpoints.push(Breakpoint::AtLeast(value, least));
            }
        }
    });
}

/// The largest that a value gets in the recording.
fn largest(player: &Player, value: Value) -> u64 {
    let events = player.replay().map_or(&[][..], |replay| replay.events());
    events.iter().map(|event| value.of(event)).max().unwrap_or(0)
}
