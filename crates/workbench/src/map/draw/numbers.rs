//! Numbers in the cells, where they are large enough: g, h, f, the order of expansion, the parent, and what ground costs.

use crate::shared::draw::style;
use crate::teach::{Amounts, Counting, KeyKind};
use egui::{Align2, Color32, FontId, Painter, Pos2, Stroke, pos2, vec2};
use highroad::Cell;
use highroad_pictures::replay::{CellStatus, Replay};
use highroad_pictures::{Scene, Viewport};

/// A cell's side from which one number is written into it, in pixels. A map of 20 columns has such cells beside a lesson
/// in a window of 1280 pixels.
const ONE_NUMBER_MIN: f32 = 24.0;
/// A cell's side from which all numbers are.
const ALL_NUMBERS_MIN: f32 = 46.0;
/// A cell's side from which costs of ground are.
const COSTS_MIN: f32 = 18.0;
/// Cells that are written into at the most.
const CELLS_MAX: usize = 3_000;

/// Writes numbers into the cells that are seen: what a search knows of them, and what ground costs.
pub(crate) fn draw(
    painter: &Painter,
    viewport: &Viewport,
    search: Option<(&Replay, Counting)>,
    scene: &Scene<'_>,
) {
    let (columns, rows) = viewport.seen(scene.grid.extent());
    if viewport.scale < COSTS_MIN || columns.len() * rows.len() > CELLS_MAX {
        return;
    }
    let search = search.filter(|_| scene.search.is_some());
    for y in rows {
        for x in columns.clone() {
            let cell = Cell::new(x, y);
            let touched = search.as_ref().is_some_and(|(replay, counting)| {
                draw_search(painter, viewport, scene, replay, counting, cell)
            });
            if !touched {
                draw_cost(painter, viewport, scene, cell);
            }
        }
    }
}

/// What ground costs that costs more than usual.
fn draw_cost(painter: &Painter, viewport: &Viewport, scene: &Scene<'_>, cell: Cell) {
    let Some(cost) = scene.grid.cost_of(cell).filter(|&cost| cost > 1) else { return };
    let (x, y) = viewport.middle(cell);
    let font = FontId::proportional((viewport.scale * 0.34).clamp(9.0, 15.0));
    let colour = ink_on(scene, cell).gamma_multiply(0.75);
    painter.text(pos2(x, y), Align2::CENTER_CENTER, cost.to_string(), font, colour);
}

/// Writes what a search knows of a cell. Returns whether it knows something.
fn draw_search(
    painter: &Painter,
    viewport: &Viewport,
    scene: &Scene<'_>,
    replay: &Replay,
    counting: &Counting,
    cell: Cell,
) -> bool {
    let Some(event) = replay.latest_event(cell) else { return false };
    if counting.amounts == Amounts::Own || viewport.scale < ONE_NUMBER_MIN {
        return replay.status(cell) != CellStatus::Untouched;
    }
    let colour = ink_on(scene, cell);
    let (x, y) = viewport.middle(cell);
    let half = viewport.scale / 2.0;
    let show = |raw| counting.amounts.show_short(raw).unwrap_or_default();
    let is_end = Some(cell) == scene.start || Some(cell) == scene.goal;
    let guided = matches!(counting.key, KeyKind::F | KeyKind::H);
    if viewport.scale < ALL_NUMBERS_MIN {
        if !is_end {
            let raw =
                if counting.key == KeyKind::Stack { event.g } else { counting.key.of(&event) };
            let font = FontId::proportional((viewport.scale * 0.34).clamp(9.0, 14.0));
            painter.text(pos2(x, y), Align2::CENTER_CENTER, show(raw), font, colour);
        }
        return true;
    }
    let small = FontId::proportional((viewport.scale * 0.2).clamp(9.0, 14.0));
    let large = FontId::proportional((viewport.scale * 0.3).clamp(12.0, 22.0));
    let pad = 3.0;
    let weak = colour.gamma_multiply(0.85);
    painter.text(
        pos2(x - half + pad, y - half + pad),
        Align2::LEFT_TOP,
        format!("g {}", show(event.g)),
        small.clone(),
        weak,
    );
    if guided {
        let at = pos2(x + half - pad, y - half + pad);
        painter.text(at, Align2::RIGHT_TOP, format!("h {}", show(event.h)), small.clone(), weak);
        let f = event.g.saturating_add(event.h);
        if !is_end {
            painter.text(pos2(x, y + half * 0.12), Align2::CENTER_CENTER, show(f), large, colour);
        }
    }
    if let Some(order) = replay.order(cell) {
        let at = pos2(x + half - pad, y + half - pad);
        painter.text(at, Align2::RIGHT_BOTTOM, format!("{order}."), small, weak);
    }
    if let Some(parent) = replay.parent(cell) {
        draw_arrow(painter, viewport, cell, parent, weak);
    }
    true
}

/// An arrow at the lower left, towards where a cell was reached from.
fn draw_arrow(painter: &Painter, viewport: &Viewport, cell: Cell, parent: Cell, colour: Color32) {
    let (x, y) = viewport.middle(cell);
    let (to_x, to_y) = viewport.middle(parent);
    let way = vec2(to_x - x, to_y - y).normalized();
    let middle: Pos2 = pos2(x - viewport.scale * 0.3, y + viewport.scale * 0.3);
    let length = viewport.scale * 0.13;
    let (tail, tip) = (middle - way * length, middle + way * length);
    let stroke = Stroke::new(1.5, colour);
    painter.line_segment([tail, tip], stroke);
    for side in [1.0, -1.0] {
        let wing = vec2(-way.x - side * way.y, -way.y + side * way.x) * length * 0.6;
        painter.line_segment([tip, tip + wing], stroke);
    }
}

/// Black or white, whichever can be read on a cell.
fn ink_on(scene: &Scene<'_>, cell: Cell) -> Color32 {
    style::ink_on(style::colour(scene.cell_colour(cell)))
}
