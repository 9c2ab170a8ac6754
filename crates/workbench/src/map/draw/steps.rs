//! The tab "Steps": what the current step does, the pseudocode with its line, and the open list.

use crate::map::MapMode;
use crate::teach::{Counting, KeyKind, OpenEntry, pseudocode, sentence};
use egui::{Grid, Label, RichText, Ui};
use highroad::search::Side;

/// Room at the left for each space that a line of pseudocode begins with.
const DEPTH_WIDTH: f32 = 4.0;

/// Entries of the open list that are shown.
const ENTRIES_SHOWN: usize = 40;

/// Shows the tab.
pub(crate) fn show(ui: &mut Ui, map: &mut MapMode) {
    let Some(counting) = map.counting() else { return };
    let Some(replay) = map.player.replay() else {
        ui.weak("Nothing is recorded yet: find a path first.");
        return;
    };
    ui.label(RichText::new(sentence(replay, &counting)).strong());
    ui.horizontal(|ui| {
        if ui.small_button("Step back").on_hover_text("to the step before ( , )").clicked() {
            map.go_step(false);
        }
        if ui.small_button("Next step").on_hover_text("to the end of the next step ( . )").clicked()
        {
            map.go_step(true);
        }
    });
    ui.add_space(4.0);
    code(ui, map);
    ui.add_space(4.0);
    open_list(ui, map, &counting);
}

fn code(ui: &mut Ui, map: &MapMode) {
    let (Some(code), Some(replay)) = (pseudocode(map.planner.entry().name), map.player.replay())
    else {
        return;
    };
    let current = code.current(replay);
    egui::Frame::new().fill(ui.visuals().faint_bg_color).inner_margin(6.0).corner_radius(5.0).show(
        ui,
        |ui| {
            ui.set_min_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 0.0;
            for (number, line) in code.lines.iter().enumerate() {
                code_line(ui, line.text, current == Some(number));
            }
        },
    );
}

/// A line of pseudocode. What it is inside of is shown by room at its left, also where it takes several rows.
fn code_line(ui: &mut Ui, text: &str, is_current: bool) {
    let words = text.trim_start();
    let depth = (text.len() - words.len()) as f32;
    let back = ui.visuals().selection.bg_fill;
    let fill = if is_current { back } else { egui::Color32::TRANSPARENT };
    let frame = egui::Frame::new()
        .fill(fill)
        .corner_radius(4.0)
        .inner_margin(egui::Margin::symmetric(4, 1));
    frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.add_space(depth * DEPTH_WIDTH);
            let words = RichText::new(words);
            let words = if is_current { words.strong() } else { words };
            ui.add(Label::new(words).wrap());
        });
    });
}

fn open_list(ui: &mut Ui, map: &mut MapMode, counting: &Counting) {
    let Some((list, replay)) = map.open_list() else {
        ui.weak("This recording is too long to show its open list.");
        return;
    };
    let word = if counting.key == KeyKind::Stack { "Stack" } else { "Open list" };
    ui.strong(format!("{word}: {}", list.len()));
    if let Some(text) = list.ties_text() {
        ui.weak(text);
    }
    let total = list.len();
    let entries: Vec<OpenEntry> = list.entries(replay).take(ENTRIES_SHOWN).collect();
    let two_sided = entries.iter().any(|entry| entry.side == Side::Backward);
    Grid::new("open list").num_columns(6).striped(true).spacing([10.0, 2.0]).show(ui, |ui| {
        let heads = ["cell", "g", "h", "f", "from"];
        for head in heads {
            ui.weak(head);
        }
        ui.end_row();
        for (number, entry) in entries.iter().enumerate() {
            row(ui, counting, entry, number == 0, two_sided);
        }
    });
    if total > ENTRIES_SHOWN {
        ui.weak(format!("and {} more", total - ENTRIES_SHOWN));
    }
}

fn row(ui: &mut Ui, counting: &Counting, entry: &OpenEntry, first: bool, two_sided: bool) {
    let show = |raw: u64| counting.amounts.show(raw).unwrap_or_else(|| "·".to_owned());
    let side = match (two_sided, entry.side) {
        (true, Side::Backward) => " goal",
        (true, Side::Forward) => " start",
        _ => "",
    };
    let guided = matches!(counting.key, KeyKind::F | KeyKind::H);
    let h = if guided { show(entry.h) } else { "0".to_owned() };
    let f = if guided { show(entry.g.saturating_add(entry.h)) } else { show(entry.g) };
    for text in [format!("{}{side}", entry.cell), show(entry.g), h, f, entry.parent.to_string()] {
        let text = RichText::new(text);
        ui.label(if first { text.strong() } else { text });
    }
    ui.end_row();
}
