//! The lecture's table: a row for each stage of the search, a column for each node, filled as far as the search has come.

use crate::graph::GraphMode;
use crate::shared::draw::style;
use egui::{Grid, RichText, ScrollArea, Sense, Stroke, Ui, vec2};

/// What the table has below a node that was just finished.
const FINISHED: &str = "↓";

/// Shows the table.
pub(super) fn show(ui: &mut Ui, mode: &GraphMode) {
    // The panel keeps its size, whatever there is to show.
    ui.set_min_size(ui.available_size());
    ui.add_space(8.0);
    ui.strong("The lecture's table").on_hover_text(
        "a row for each node that is taken: what is then known of every node. Where there are estimates, a cell has \
         both, cost so far and estimate",
    );
    let table = match mode.table() {
        Ok(table) => table,
        Err(reason) => {
            ui.weak(reason);
            return;
        }
    };
    let (position, length) = mode.player.position();
    let is_done = position == length;
    let rows: Vec<_> = table.rows().filter(|(row, _)| is_done || row[0] != "Final").collect();
    ScrollArea::both().auto_shrink([false, false]).stick_to_bottom(true).show(ui, |ui| {
        Grid::new("stages").striped(true).spacing([12.0, 3.0]).min_col_width(16.0).show(ui, |ui| {
            for head in table.heads() {
                ui.strong(plain(head));
            }
            ui.end_row();
            for (cells, chosen) in rows {
                for (number, cell) in cells.iter().enumerate() {
                    let is_chosen = chosen.is_some_and(|column| column + 1 == number);
                    if cell == FINISHED {
                        arrow(ui);
                        continue;
                    }
                    let text = RichText::new(plain(cell));
                    let text = if number == 0 { text.weak() } else { text };
                    let text =
                        if is_chosen { text.strong().color(style::accent(ui)) } else { text };
                    let help = "the node that is taken next";
                    let label = ui.label(if is_chosen { text.underline() } else { text });
                    if is_chosen {
                        label.on_hover_text(help);
                    }
                }
                ui.end_row();
            }
        });
        ui.add_space(4.0);
        ui.weak("underlined: taken next · ∞ or –: not reached · arrow: finished");
    });
}

/// A name as the window's letters can write it: nodes of the search from the goal have a prime.
fn plain(name: &str) -> String {
    name.replace('′', "'")
}

/// An arrow downwards: the window's letters have none.
fn arrow(ui: &mut Ui) {
    let (rect, response) = ui.allocate_exact_size(vec2(9.0, 16.0), Sense::hover());
    let stroke = Stroke::new(1.2, ui.visuals().weak_text_color());
    let (top, tip) = (rect.center_top() + vec2(0.0, 3.0), rect.center_bottom() - vec2(0.0, 2.0));
    ui.painter().line_segment([top, tip], stroke);
    for side in [-3.0, 3.0] {
        ui.painter().line_segment([tip, tip + vec2(side, -4.0)], stroke);
    }
    response.on_hover_text("finished");
}
