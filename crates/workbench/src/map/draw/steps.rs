//! The tab "Steps": what the current step does, the pseudocode with its line, and the open list.

use crate::map::MapMode;
use crate::shared::draw::code;
use crate::shared::draw::options::capitalised;
use crate::teach::{Counting, KeyKind, OpenEntry, pseudocode, sentence};
use egui::{Grid, RichText, ScrollArea, Ui};
use highroad::search::Side;

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
    if let (Some(code), Some(replay)) = (pseudocode(map.planner.entry().name), map.player.replay())
    {
        code::show(ui, code, replay, "cell");
    }
    ui.add_space(4.0);
    open_list(ui, map, &counting);
}

fn open_list(ui: &mut Ui, map: &mut MapMode, counting: &Counting) {
    let Some((list, replay)) = map.open_list() else {
        ui.weak("This recording is too long to show its open list.");
        return;
    };
    ui.strong(format!("{}: {}", capitalised(counting.list_name()), list.len()));
    if let Some(text) = list.ties_text() {
        ui.weak(text);
    }
    let total = list.len();
    let entries: Vec<OpenEntry> = list.entries(replay).take(ENTRIES_SHOWN).collect();
    let two_sided = entries.iter().any(|entry| entry.side == Side::Backward);
    // The columns can be wider than a narrow panel.
    let scroll = ScrollArea::horizontal().id_salt("open list").auto_shrink([false, true]);
    scroll.show(ui, |ui| {
        Grid::new("open list").num_columns(6).striped(true).spacing([8.0, 2.0]).show(ui, |ui| {
            // Without estimates, h would be 0 everywhere, and f the same as g.
            let heads = match has_estimates(counting) {
                true => &["cell", "g", "h", "f", "from"][..],
                false => &["cell", "g", "from"],
            };
            for &head in heads {
                ui.weak(head);
            }
            ui.end_row();
            for (number, entry) in entries.iter().enumerate() {
                row(ui, counting, entry, number == 0, two_sided);
            }
        });
    });
    if total > ENTRIES_SHOWN {
        ui.weak(format!("and {} more", total - ENTRIES_SHOWN));
    }
}

fn has_estimates(counting: &Counting) -> bool {
    matches!(counting.key, KeyKind::F | KeyKind::H)
}

fn row(ui: &mut Ui, counting: &Counting, entry: &OpenEntry, first: bool, two_sided: bool) {
    let show = |raw: u64| counting.amounts.show(raw).unwrap_or_else(|| "·".to_owned());
    let side = match (two_sided, entry.side) {
        (true, Side::Backward) => " goal",
        (true, Side::Forward) => " start",
        _ => "",
    };
    let mut texts = vec![format!("{}{side}", entry.cell), show(entry.g)];
    if has_estimates(counting) {
        texts.extend([show(entry.h), show(entry.g.saturating_add(entry.h))]);
    }
    texts.push(entry.parent.to_string());
    for text in texts {
        let text = RichText::new(text);
        ui.label(if first { text.strong() } else { text });
    }
    ui.end_row();
}
