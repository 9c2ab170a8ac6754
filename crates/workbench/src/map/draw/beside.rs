//! Several canvases: where each one lies, the line above it, and how their planners differ.

use crate::map::{LinkedBy, MapMode, RunResult};
use crate::shared::PlannerChoice;
use crate::shared::{Unit, above_optimal};
use crate::teach::{Textbook, planners_of_cells, serves_cells, textbook_form};
use egui::{
    Align, ComboBox, Grid, Label, Layout, Rect, RichText, ScrollArea, Ui, UiBuilder, Vec2, vec2,
};
use highroad::grid::Extent;
use highroad::planner::Answer;
use highroad_lab::table::{duration, whole};

/// Pixels between canvases.
const GAP: f32 = 4.0;
/// How high the line above a canvas is.
const HEAD: f32 = 26.0;

/// Cuts a rectangle into equal canvases with lines above them, so that the map is as large as can be on each.
pub(super) fn split(whole: Rect, extent: Extent, count: usize) -> Vec<(Rect, Rect)> {
    let size_of = |columns: usize| {
        let rows = count.div_ceil(columns);
        let share = |length: f32, parts: usize| {
            ((length - GAP * (parts - 1) as f32) / parts as f32).floor().max(1.0)
        };
        vec2(share(whole.width(), columns), share(whole.height(), rows))
    };
    let scale = |columns: &usize| {
        let size = size_of(*columns);
        let room = (size.y - HEAD).max(1.0);
        (size.x / extent.width() as f32).min(room / extent.height() as f32)
    };
    let better = |a: &usize, b: &usize| scale(a).total_cmp(&scale(b));
    let columns = (1..=count).max_by(better).unwrap_or(1);
    let size = size_of(columns);
    let place = |number: usize| {
        let (column, row) = ((number % columns) as f32, (number / columns) as f32);
        let corner = whole.min + Vec2::new(column * (size.x + GAP), row * (size.y + GAP));
        let frame = Rect::from_min_size(corner, size);
        let head = frame.with_max_y((frame.top() + HEAD).min(frame.bottom()));
        (head, frame.with_min_y(head.bottom()))
    };
    (0..count).map(place).collect()
}

/// Shows the line above a canvas: its planner and its numbers. Canvas 0 is the one whose planner the panel shows.
pub(super) fn head(ui: &mut Ui, rect: Rect, map: &mut MapMode, number: usize) {
    ui.painter().rect_filled(rect, 0.0, ui.visuals().panel_fill);
    let inner = rect.shrink2(vec2(8.0, 2.0));
    let builder = UiBuilder::new().max_rect(inner).layout(Layout::right_to_left(Align::Center));
    ui.scope_builder(builder, |ui| {
        let closes = number > 0
            && ui
                .small_button("Close")
                .on_hover_text("take this canvas away")
                .accessible_name(format!("Close canvas {}", number + 1))
                .clicked();
        let wide = inner.width() > 330.0;
        let numbers = numbers(map, number, wide);
        ui.label(RichText::new(numbers).color(ui.visuals().weak_text_color()));
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| match number {
            0 => {
                let title = MapMode::canvas_title(&map.planner);
                ui.add(Label::new(RichText::new(title).strong()).truncate());
            }
            _ => choice(ui, map, number),
        });
        if closes {
            map.beside.panes.remove(number - 1);
        }
    });
}

/// The list of planners for a canvas: those of the panel, each also in its plain form if that differs.
fn choice(ui: &mut Ui, map: &mut MapMode, number: usize) {
    let current = map.beside.panes[number - 1].choice.clone();
    let mut chosen = None;
    let combo = ComboBox::from_id_salt(("canvas planner", number))
        .selected_text(RichText::new(MapMode::canvas_title(&current)).strong())
        .width(ui.available_width().min(190.0))
        .height(640.0);
    let response = combo.show_ui(ui, |ui| {
        for entry in planners_of_cells() {
            let Some(usual) = PlannerChoice::of(entry.name) else { continue };
            let serves = serves_cells(entry, map.document.grid());
            for choice in [Some(usual.clone()), plain_form(map, &usual)].into_iter().flatten() {
                let title = MapMode::canvas_title(&choice);
                let button = egui::Button::selectable(choice == current, title);
                let button = ui.add_enabled(serves.is_ok(), button);
                if button.on_hover_text(entry.summary).clicked() {
                    chosen = Some(choice);
                }
            }
        }
    });
    response.response.accessible_name(format!("Planner of canvas {}", number + 1));
    if let Some(choice) = chosen {
        map.beside.panes[number - 1].choice = choice;
    }
}

fn plain_form(map: &MapMode, usual: &PlannerChoice) -> Option<PlannerChoice> {
    let Textbook::Form(form) = textbook_form(usual.entry().name) else { return None };
    let plain = form.apply(&usual.spec().ok()?, map.document.extent())?;
    PlannerChoice::parse(&plain.to_string()).ok()
}

/// What a canvas has to say of itself: how many nodes are expanded by now, and what the path costs once it is found.
fn numbers(map: &MapMode, number: usize, wide: bool) -> String {
    let (outcome, replay) = match number {
        0 => (map.run.outcome.as_ref(), map.player.replay()),
        _ => {
            let pane = &map.beside.panes[number - 1];
            if let Some(reason) = pane.failure() {
                return reason.to_owned();
            }
            let shown = pane.shown();
            (shown.map(|shown| &shown.outcome), shown.map(|shown| &shown.replay))
        }
    };
    let (Some(outcome), Some(replay)) = (outcome, replay) else { return "…".to_owned() };
    let ended = replay.position() == replay.len();
    let expanded = match ended {
        true => outcome.statistics.expanded,
        false => u64::from(replay.expanded()),
    };
    let unit = Unit::of(map.document.grid());
    let cost = match &outcome.answer {
        _ if !ended => String::new(),
        Answer::Found(path) if wide => format!("  ·  cost {}", unit.text(path.cost().0)),
        Answer::Found(path) => format!(" · {}", unit.text(path.cost().0)),
        _ => "  ·  no path".to_owned(),
    };
    format!("expanded {}{cost}", whole(expanded))
}

/// Shows a table of the canvases, and what the plain form of a planner does otherwise than the optimised one.
pub(super) fn show_differences(ui: &mut Ui, map: &mut MapMode) {
    if map.beside.panes.is_empty() {
        return;
    }
    ui.horizontal(|ui| {
        ui.strong("On each canvas");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for linked in LinkedBy::ALL.into_iter().rev() {
                let chosen = map.beside.linked_by == linked;
                let help = "what the recordings have in common where the timeline stands";
                if ui.selectable_label(chosen, linked.name()).on_hover_text(help).clicked() {
                    map.beside.linked_by = linked;
                }
            }
            ui.weak("same");
        });
    });
    let unit = Unit::of(map.document.grid());
    // Names of planners can be long: the panel keeps its width.
    let scroll = ScrollArea::horizontal().id_salt("side by side").auto_shrink([false, true]);
    scroll.show(ui, |ui| {
        Grid::new("side by side").num_columns(5).striped(true).spacing([6.0, 4.0]).show(ui, |ui| {
            for head in ["planner", "cost", "opened", "expanded", "time"] {
                ui.weak(head);
            }
            ui.end_row();
            row(ui, &MapMode::canvas_title(&map.planner), map.run.outcome.as_ref(), unit);
            for pane in &map.beside.panes {
                let outcome = pane.shown().map(|shown| &shown.outcome);
                row(ui, &MapMode::canvas_title(&pane.choice), outcome, unit);
            }
        });
    });
    if map.shows_textbook_beside()
        && let (Textbook::Form(form), _) = map.textbook()
    {
        ui.add_space(4.0);
        ui.weak("What the textbook form does, and the optimised one otherwise:");
        for difference in form.differences {
            ui.horizontal_top(|ui| {
                ui.label("•");
                ui.add(Label::new(*difference).wrap());
            });
        }
    }
    ui.add_space(4.0);
    ui.separator();
}

fn row(ui: &mut Ui, title: &str, outcome: Option<&RunResult>, unit: Unit) {
    ui.add(Label::new(title).extend());
    let found = outcome.and_then(|outcome| match &outcome.answer {
        Answer::Found(path) => Some((path.cost(), outcome.optimal)),
        _ => None,
    });
    let cost = found.map_or("–".to_owned(), |(cost, _)| unit.text(cost.0));
    let above = found.and_then(|(cost, optimal)| Some(above_optimal(cost.0, optimal?.0)));
    let statistics = outcome.map(|outcome| outcome.statistics);
    let time = outcome.map_or("…".to_owned(), |outcome| duration(outcome.solve_us));
    let number = |value: Option<u64>| value.map_or("…".to_owned(), whole);
    let texts = [
        cost,
        number(statistics.map(|statistics| statistics.generated)),
        number(statistics.map(|statistics| statistics.expanded)),
        time,
    ];
    for (column, text) in texts.into_iter().enumerate() {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let label = ui.label(text);
            if let Some(above) = above.as_ref().filter(|_| column == 0) {
                label.on_hover_text(format!("vs. optimal {above}"));
            }
        });
    }
    ui.end_row();
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn canvases_are_equal_and_lie_inside() {
        let whole = Rect::from_min_size(pos2(100.0, 40.0), vec2(801.0, 503.0));
        for (width, height) in [(96, 54), (20, 200), (300, 20)] {
            let extent = Extent::new(width, height).unwrap();
            for count in 1..=4 {
                let parts = split(whole, extent, count);
                assert_eq!(parts.len(), count);
                for (head, canvas) in &parts {
                    assert_eq!(canvas.size(), parts[0].1.size());
                    assert!(whole.contains_rect(*head) && whole.contains_rect(*canvas));
                    let apart =
                        |other: &(Rect, Rect)| other.1 == *canvas || !other.1.intersects(*canvas);
                    assert!(parts.iter().all(apart));
                }
            }
        }
    }

    #[test]
    fn wide_maps_lie_above_each_other_and_high_ones_side_by_side() {
        let whole = Rect::from_min_size(pos2(0.0, 0.0), vec2(800.0, 600.0));
        let wide = split(whole, Extent::new(300, 20).unwrap(), 2);
        assert!(wide[0].1.left() == wide[1].1.left() && wide[0].1.bottom() < wide[1].1.top());
        let high = split(whole, Extent::new(20, 300).unwrap(), 2);
        assert!(high[0].1.top() == high[1].1.top() && high[0].1.right() < high[1].1.left());
    }
}
