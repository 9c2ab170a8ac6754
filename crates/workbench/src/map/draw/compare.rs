//! The table of all planners on one query.

use crate::map::{BESIDE_MAX, Column, CompareTable, MapMode};
use crate::shared::PlannerChoice;
use crate::shared::decimal;
use egui::{Align, Button, Grid, Label, Layout, ProgressBar, RichText, ScrollArea, Ui};
use highroad_lab::compare::CompareRow;
use highroad_lab::table::{above_optimal, bytes, duration, whole};

/// Shows the table, and a button that makes it.
pub(crate) fn show(ui: &mut Ui, map: &mut MapMode) {
    canvases(ui, map);
    super::beside::show_differences(ui, map);
    ui.horizontal(|ui| {
        let word =
            if map.compare.table.is_some() { "Compare again" } else { "Compare all planners" };
        if ui
            .button(word)
            .on_hover_text("runs every planner from this start to this goal")
            .clicked()
        {
            map.compare();
        }
        let is_idle = map.compare.progress().is_none();
        if is_idle && map.compare.table.is_some() && !map.comparison_is_fresh() {
            let text = "the map or the query has changed";
            let text = RichText::new(text).color(ui.visuals().weak_text_color());
            ui.add(Label::new(text).truncate()).on_hover_text("the rows below are of before");
        }
    });
    progress(ui, map);
    let Some(table) = &map.compare.table else {
        ui.weak("Cost, expanded nodes and time of every planner, one below the other.");
        return;
    };
    ui.add_space(4.0);
    let (mut chosen, mut column) = (None, None);
    let order = map.compare.order;
    // Six columns are wider than a narrow panel.
    let scroll = ScrollArea::horizontal().id_salt("comparison").auto_shrink([false, true]);
    scroll.show(ui, |ui| {
        let grid = Grid::new("comparison").num_columns(Column::ALL.len()).striped(true);
        grid.spacing([8.0, 4.0]).show(ui, |ui| {
            for head in Column::ALL {
                column = head_of(ui, head, order).or(column);
            }
            ui.end_row();
            for row in table.ordered(order).into_iter().map(|row| &table.rows[row]) {
                if let Some(name) = show_row(ui, table, row, map.planner.entry().name) {
                    chosen = PlannerChoice::of(&name);
                }
                ui.end_row();
            }
        });
    });
    for reason in &table.left_out {
        ui.weak(format!("Left out: {reason}."));
    }
    let help = "as lines with tabs, for a spreadsheet";
    if ui.button("Copy the table").on_hover_text(help).clicked() {
        ui.copy_text(table.as_text(order));
    }
    if let Some(column) = column {
        map.compare.order_by(column);
    }
    if let Some(choice) = chosen {
        map.choose_planner(choice);
    }
}

/// What is being built or timed, as wide as the panel.
fn progress(ui: &mut Ui, map: &MapMode) {
    if let Some(progress) = map.compare.progress() {
        ui.label(progress.text());
        ui.add(ProgressBar::new(progress.share()).desired_height(8.0));
    } else if map.starts_comparing {
        ui.label("All planners are compared as soon as the first path is found.");
    }
}

/// The head of a column. Returns the column if it was clicked.
fn head_of(ui: &mut Ui, column: Column, order: Option<(Column, bool)>) -> Option<Column> {
    let mark = match order {
        Some((known, reversed)) if known == column => {
            if reversed {
                " ⏶"
            } else {
                " ⏷"
            }
        }
        _ => "",
    };
    let text = RichText::new(format!("{}{mark}", column.name()));
    let text = text.color(ui.visuals().weak_text_color());
    let help = format!("{}. Click to order the rows by it.", column.help());
    let head = ui.add(Button::new(text).frame(false)).on_hover_text(help);
    let name = format!("Order by {}", column.name());
    head.accessible_name(name).clicked().then_some(column)
}

/// How many canvases there are.
fn canvases(ui: &mut Ui, map: &mut MapMode) {
    ui.horizontal(|ui| {
        ui.weak("canvases").on_hover_text("several planners on the same query, side by side");
        let count = map.beside.panes.len() + 1;
        for wanted in 1..=BESIDE_MAX + 1 {
            let button = ui.selectable_label(wanted == count, wanted.to_string());
            if button.accessible_name(format!("Canvases: {wanted}")).clicked() {
                map.show_canvases(wanted);
            }
        }
    });
    ui.add_space(4.0);
}

/// Shows a planner's row, what is best in bold. Returns its name if it was clicked.
fn show_row(ui: &mut Ui, table: &CompareTable, row: &CompareRow, current: &str) -> Option<String> {
    let name = RichText::new(&row.planner);
    let name = if row.planner == current { name.strong() } else { name };
    let cost =
        row.length.map_or("no path".to_owned(), |length| format!("length {}", decimal(length)));
    let link =
        ui.link(name).on_hover_text(format!("{}, {cost}; click to choose it", row.guarantee));
    for column in Column::ALL.into_iter().skip(1) {
        let text = match column {
            Column::Planner => continue,
            Column::AboveOptimal => {
                row.above_optimal_percent.map_or("no path".to_owned(), above_optimal)
            }
            Column::Expanded => whole(row.expanded),
            Column::Time => duration(row.query_us),
            Column::Build => duration(row.build_ms * 1e3),
            Column::Memory => bytes(row.memory_bytes),
        };
        let is_best = column.value(row).is_some() && column.value(row) == table.best(column);
        let text = RichText::new(text);
        let text = if is_best { text.strong() } else { text.weak() };
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.label(text));
    }
    link.clicked().then(|| row.planner.clone())
}
