//! What a press would do: the brush's outline, the border that is meant, the line, rectangle or link so far.

use super::canvas::{cell_box, grip_at};
use crate::map::{Corner, Gesture, MapMode, Tool, nearest_border};
use crate::shared::draw::style;
use crate::shared::draw::surface::Painted;
use egui::{Painter, Pos2, Rect, Stroke, StrokeKind, Ui, pos2};
use highroad::Cell;
use highroad::planner::Point;
use highroad_pictures::{Viewport, draw_link};

/// Draws it for a pointer at a spot.
pub(crate) fn draw(ui: &Ui, rect: Rect, viewport: &Viewport, map: &MapMode, spot: (f32, f32)) {
    let painter = ui.painter_at(rect);
    let stroke = Stroke::new(1.5, style::ACCENT);
    match map.hand.pointer.gesture {
        Some(Gesture::Span { is_rectangle: true, from, to, .. }) => {
            let part = highroad::CellRect::new(from, to);
            let rect = cell_box(viewport, part.min(), part.max());
            painter.rect(rect, 0.0, style::ACCENT.gamma_multiply(0.2), stroke, StrokeKind::Inside);
        }
        Some(Gesture::Span { from, to, .. }) => {
            let width = (map.hand.brush.size as f32 * viewport.scale).max(2.0);
            let ends = [from, to].map(|cell| {
                let (x, y) = viewport.middle(cell);
                pos2(x, y)
            });
            painter.line_segment(ends, Stroke::new(width, style::ACCENT.gamma_multiply(0.5)));
        }
        Some(Gesture::Link { from, to }) if from != to => {
            let ends = [from, to].map(|cell| map.scene().middle(viewport, cell));
            let surface = &mut Painted { painter: &painter };
            draw_link(map.theme, viewport.scale, ends, map.hand.link.both_ways, surface);
        }
        Some(Gesture::Borders { last, moved: true, .. }) => {
            painter.circle_stroke(corner_spot(viewport, last), 4.0, stroke);
        }
        Some(Gesture::Borders { from, .. }) => draw_border(&painter, viewport, map, from),
        _ if grip_at(viewport, map, spot).is_some() => {}
        _ => draw_tool(&painter, viewport, map),
    }
}

/// What the tool would do where the pointer rests.
fn draw_tool(painter: &Painter, viewport: &Viewport, map: &MapMode) {
    let Some(cell) = map.hand.pointer.hovered else { return };
    match map.hand.tool {
        Tool::Brush | Tool::Eraser | Tool::Line => draw_brush(painter, viewport, map, cell),
        Tool::Border => {
            if let Some(at) = map.hand.pointer.at {
                draw_border(painter, viewport, map, at);
            }
        }
        Tool::Link => {
            let stroke = Stroke::new(1.5, style::ACCENT);
            painter.rect_stroke(cell_box(viewport, cell, cell), 0.0, stroke, StrokeKind::Inside);
        }
        _ => {}
    }
}

fn draw_brush(painter: &Painter, viewport: &Viewport, map: &MapMode, cell: Cell) {
    let reach = |at: u32| at.saturating_sub(map.hand.brush.size / 2);
    let low = Cell::new(reach(cell.x), reach(cell.y));
    let size = map.hand.brush.size - 1;
    let high = Cell::new(low.x + size, low.y + size);
    let round = if map.hand.brush.size > 3 { viewport.scale * size as f32 / 2.0 } else { 0.0 };
    let rect = cell_box(viewport, low, high);
    let stroke = Stroke::new(1.5, style::ACCENT);
    painter.rect_stroke(rect, round.min(127.0), stroke, StrokeKind::Outside);
}

/// The border that a click at a point is for.
fn draw_border(painter: &Painter, viewport: &Viewport, map: &MapMode, at: Point) {
    let Some((cell, other)) = nearest_border(map.document.extent(), at) else { return };
    let corner = |x: u32, y: u32| corner_spot(viewport, Corner { x, y });
    let (x, y) = (cell.x.max(other.x), cell.y.max(other.y));
    let ends = match cell.y == other.y {
        true => [corner(x, y), corner(x, y + 1)],
        false => [corner(x, y), corner(x + 1, y)],
    };
    let width = (viewport.scale * 0.2).clamp(3.0, 6.0);
    painter.line_segment(ends, Stroke::new(width, style::ACCENT.gamma_multiply(0.8)));
}

fn corner_spot(viewport: &Viewport, corner: Corner) -> Pos2 {
    let (x, y) = viewport.spot(Point { x: corner.x as f32, y: corner.y as f32 });
    pos2(x, y)
}
