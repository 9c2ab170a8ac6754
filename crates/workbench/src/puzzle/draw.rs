//! Drawing of the puzzle mode: the board, the panel, the estimates along the solution, and the timeline.

use crate::puzzle::{PuzzleMethod, PuzzleMode, SCRAMBLE_MOVES};
use crate::shared::draw::figures::{self, Figure, NONE};
use crate::shared::draw::{side_panel, style, timeline};
use egui::{
    Align2, ComboBox, CursorIcon, FontId, Grid, Label, Rect, RichText, Role, ScrollArea, Sense,
    Slider, Stroke, StrokeKind, Ui, WidgetInfo, vec2,
};
use highroad::puzzle::Board;
use highroad_lab::table::{duration, whole};
use highroad_pictures::Colour;

/// How high the bar at the bottom is.
const BOTTOM_HEIGHT: f32 = 66.0;

/// Below this width of the window, the panel takes less room.
const NARROW: f32 = 900.0;

/// The largest that a tile's side gets, and the room between tiles, in points.
const TILE_MAX: f32 = 128.0;
const GAP: f32 = 6.0;

/// Shows the mode.
pub(crate) fn show(ui: &mut Ui, mode: &mut PuzzleMode, shows_panels: bool) {
    egui::Panel::bottom("puzzle bottom").resizable(false).exact_size(BOTTOM_HEIGHT).show(
        ui,
        |ui| {
            ui.add_space(4.0);
            ui.horizontal(|ui| timeline::show(ui, &mut mode.player, &[], None, "move"));
            hint(ui, mode);
        },
    );
    if shows_panels {
        let is_narrow = ui.available_width() < NARROW;
        side_panel::show(ui, "puzzle", is_narrow, |ui| panel(ui, mode));
    }
    egui::CentralPanel::default().show(ui, |ui| board(ui, mode));
}

fn hint(ui: &mut Ui, mode: &PuzzleMode) {
    let text = match mode.outcome() {
        Some(Ok(outcome)) if outcome.boards.len() > 1 => {
            "Space plays the solution, the arrows go move by move. Click a tile to go on by hand from there."
        }
        Some(Ok(_)) => "Every tile is in its place.",
        _ => "Click a tile beside the gap to move it. Solve looks for the fewest moves.",
    };
    let text = RichText::new(text).color(ui.visuals().weak_text_color());
    ui.add(Label::new(text).truncate());
}

fn board(ui: &mut Ui, mode: &mut PuzzleMode) {
    let whole = ui.available_rect_before_wrap();
    let side = mode.side();
    let room = whole.width().min(whole.height()) - 48.0;
    let tile = ((room - GAP * (side as f32 - 1.0)) / side as f32).clamp(16.0, TILE_MAX);
    let length = tile * side as f32 + GAP * (side as f32 - 1.0);
    let frame = Rect::from_center_size(whole.center(), vec2(length, length));
    let edge = ui.visuals().widgets.noninteractive.bg_stroke;
    let back = style::colour(board_colour(ui.visuals().dark_mode));
    ui.painter().rect(frame.expand(10.0), 10.0, back, edge, StrokeKind::Outside);
    let (shown, goal) = (mode.shown(), mode.puzzle().goal());
    let mut pushed = None;
    for cell in 0..shown.cell_count() {
        let number = shown.tile(cell);
        if number == 0 {
            continue;
        }
        let (row, column) = (usize::from(cell) / side, usize::from(cell) % side);
        let corner = vec2(column as f32, row as f32) * (tile + GAP);
        let rect = Rect::from_min_size(frame.min + corner, vec2(tile, tile));
        if show_tile(ui, rect, number, goal.tile(cell) == number) {
            pushed = Some(cell);
        }
    }
    if let Some(cell) = pushed {
        mode.push(cell);
    }
}

/// Darker than tiles in both themes, so that the gap does not look like a tile.
fn board_colour(is_dark: bool) -> Colour {
    if is_dark { Colour(24, 25, 30) } else { Colour(204, 207, 215) }
}

/// Tiles in their places have the start's green, and a line below their number: not colour alone.
fn tile_colour(is_home: bool, is_dark: bool) -> Colour {
    match (is_home, is_dark) {
        (true, _) => Colour::START,
        (false, true) => Colour(66, 70, 79),
        (false, false) => Colour(255, 255, 255),
    }
}

/// Shows a tile; whether it was clicked.
fn show_tile(ui: &mut Ui, rect: Rect, number: u8, is_home: bool) -> bool {
    let id = ui.scope_id().with(("tile", number));
    let response = ui.interact(rect, id, Sense::click());
    let place = if is_home { ", in its place" } else { "" };
    response
        .widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Tile {number}{place}")));
    let fill = style::colour(tile_colour(is_home, ui.visuals().dark_mode));
    let edge = match response.hovered() || response.has_focus() {
        true => Stroke::new(2.0, style::ACCENT),
        false => ui.visuals().widgets.noninteractive.bg_stroke,
    };
    ui.painter().rect(rect, 8.0, fill, edge, StrokeKind::Inside);
    let ink = style::ink_on(fill);
    let font = FontId::proportional(rect.width() * 0.42);
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, number.to_string(), font, ink);
    if is_home {
        let below = rect.center_bottom() - vec2(0.0, rect.height() * 0.14);
        let half = vec2(rect.width() * 0.14, 0.0);
        ui.painter().line_segment([below - half, below + half], Stroke::new(3.0, ink));
    }
    response.on_hover_cursor(CursorIcon::PointingHand).clicked()
}

fn panel(ui: &mut Ui, mode: &mut PuzzleMode) {
    ui.add_space(8.0);
    method(ui, mode);
    ui.add_space(8.0);
    figures::show(ui, &figures_of(mode));
    ui.add_space(4.0);
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        ui.label(mode.method().summary());
        if let Some(Err(reason)) = mode.outcome() {
            ui.label(RichText::new(reason).color(ui.visuals().warn_fg_color));
        }
        ui.separator();
        controls(ui, mode);
        ui.separator();
        estimates(ui, mode);
        ui.add_space(16.0);
    });
}

fn method(ui: &mut Ui, mode: &mut PuzzleMode) {
    let mut chosen = mode.method();
    ui.horizontal(|ui| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let is_busy = mode.busy().is_some();
            let word = if is_busy { "Cancel" } else { "Solve" };
            if ui.button(word).on_hover_text("look for the fewest moves (R)").clicked() {
                match is_busy {
                    true => _ = mode.cancel(),
                    false => mode.solve(),
                }
            }
            let combo = ComboBox::from_id_salt("method of puzzles")
                .width(ui.available_width())
                .truncate()
                .selected_text(chosen.title());
            let response = combo.show_ui(ui, |ui| {
                for method in PuzzleMethod::ALL {
                    let label = ui.selectable_value(&mut chosen, method, method.title());
                    label.on_hover_text(method.summary());
                }
            });
            response.response.accessible_name("Choose a method");
        });
    });
    mode.set_method(chosen);
}

fn figures_of(mode: &PuzzleMode) -> [Figure; 4] {
    let outcome = mode.outcome().and_then(|outcome| outcome.as_ref().ok());
    let text = |value: Option<String>| value.unwrap_or_else(|| NONE.to_owned());
    let at = mode.player.position().0;
    [
        Figure {
            value: text(outcome.map(|outcome| whole(outcome.boards.len() as u64 - 1))),
            name: "moves",
            help: "the fewest moves that solve the board",
        },
        Figure {
            value: text(outcome.map(|outcome| whole(outcome.expanded))),
            name: "expanded",
            help: "boards whose neighbours were looked at; iterative deepening counts a board again and again",
        },
        Figure {
            value: text(outcome.map(|outcome| duration(outcome.solve_us))),
            name: "time",
            help: "how long solving took, without making tables",
        },
        Figure {
            value: text(outcome.map(|outcome| whole((outcome.boards.len() - 1 - at) as u64))),
            name: "moves to go",
            help: "how many moves of the solution are left",
        },
    ]
}

fn controls(ui: &mut Ui, mode: &mut PuzzleMode) {
    ui.horizontal_wrapped(|ui| {
        for side in [2, 3, 4] {
            let name = format!("{} puzzle", side * side - 1);
            if ui.selectable_label(mode.side() == side, name).clicked() {
                mode.set_side(side);
            }
        }
    });
    ui.horizontal(|ui| {
        let help = "random moves from the goal; none takes the one before back";
        ui.weak("random moves").on_hover_text(help);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let last = *SCRAMBLE_MOVES.end() as f64;
            ui.spacing_mut().slider_width = (ui.available_width() - 112.0).clamp(24.0, 120.0);
            let slider = Slider::new(&mut mode.scramble_moves, SCRAMBLE_MOVES).custom_formatter(
                move |value, _| match value >= last {
                    true => "any board".to_owned(),
                    false => format!("{value:.0}"),
                },
            );
            ui.add(slider).on_hover_text(help).accessible_name("Random moves");
        });
    });
    ui.horizontal_wrapped(|ui| {
        if ui.button("Scramble").clicked() {
            mode.scramble();
        }
        if ui.button("Reset").on_hover_text("every tile to its place").clicked() {
            mode.reset();
        }
    });
    ui.horizontal_wrapped(|ui| {
        let (can_undo, can_redo) = mode.can_undo_redo();
        let undo = ui.add_enabled(can_undo, egui::Button::new("Undo move"));
        if undo.on_hover_text("Ctrl+Z").clicked() {
            mode.undo();
        }
        let redo = ui.add_enabled(can_redo, egui::Button::new("Redo move"));
        if redo.on_hover_text("Ctrl+Y").clicked() {
            mode.redo();
        }
    });
}

/// What is estimated of the board that is seen; with a solution, of every board on the way, beside the truth.
fn estimates(ui: &mut Ui, mode: &PuzzleMode) {
    let puzzle = mode.puzzle();
    let both = |board: Board| (puzzle.manhattan(board), puzzle.linear_conflict(board));
    let (distances, conflict) = both(mode.shown());
    let help =
        "how far the tiles are from their places, all together: so many moves are needed at least";
    style::row(ui, "tile distances", &distances.to_string(), help);
    let help =
        "the same, and two more for each pair of tiles that have to pass each other in their line";
    style::row(ui, "linear conflict", &conflict.to_string(), help);
    let Some(Ok(outcome)) = mode.outcome() else { return };
    ui.add_space(8.0);
    ui.strong("Estimates along the solution");
    let at = mode.player.position().0;
    Grid::new("estimates").num_columns(4).striped(true).spacing([16.0, 2.0]).show(ui, |ui| {
        for head in ["move", "distances", "conflict", "true"] {
            ui.weak(head);
        }
        ui.end_row();
        for (number, &board) in outcome.boards.iter().enumerate() {
            let (distances, conflict) = both(board);
            let left = outcome.boards.len() - 1 - number;
            let values = [number, usize::from(distances), usize::from(conflict), left];
            for value in values {
                let text = RichText::new(value.to_string());
                let marked = text.clone().strong().underline().color(style::accent(ui));
                let label = ui.label(if number == at { marked } else { text });
                if number == at && mode.player.is_playing() {
                    label.scroll_to_me(None);
                }
            }
            ui.end_row();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gap_does_not_look_like_a_tile() {
        for is_dark in [false, true] {
            let Colour(red, green, blue) = board_colour(is_dark);
            for is_home in [false, true] {
                let tile = tile_colour(is_home, is_dark);
                let apart =
                    red.abs_diff(tile.0).max(green.abs_diff(tile.1)).max(blue.abs_diff(tile.2));
                assert!(apart >= 40, "dark: {is_dark}, in its place: {is_home}, {apart}");
            }
        }
    }
}
