//! Small pictures of the tools.

use crate::map::Tool;
use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, pos2};

/// Draws a tool's picture into a square.
pub(crate) fn draw(painter: &Painter, tool: Tool, square: Rect, colour: Color32) {
    let at = |x: f32, y: f32| -> Pos2 {
        pos2(square.left() + x * square.width(), square.top() + y * square.height())
    };
    let stroke = Stroke::new(1.6, colour);
    let line = |points: Vec<Pos2>| _ = painter.add(Shape::line(points, stroke));
    match tool {
        Tool::Hand => {
            // Four arrows from the middle.
            for (x, y) in [(0.5, 0.08), (0.92, 0.5), (0.5, 0.92), (0.08, 0.5)] {
                line(vec![at(0.5, 0.5), at(x, y)]);
                let (dx, dy) = ((0.5 - x) * 0.3, (0.5 - y) * 0.3);
                line(vec![at(x + dx + dy, y + dy + dx), at(x, y), at(x + dx - dy, y + dy - dx)]);
            }
        }
        Tool::Brush => {
            line(vec![at(0.9, 0.1), at(0.45, 0.55)]);
            painter.circle_filled(at(0.32, 0.68), square.width() * 0.18, colour);
            line(vec![at(0.08, 0.92), at(0.3, 0.72)]);
        }
        Tool::Eraser => {
            let corners = [(0.35, 0.9), (0.08, 0.62), (0.6, 0.1), (0.92, 0.42), (0.44, 0.9)];
            line(corners.iter().map(|&(x, y)| at(x, y)).chain([at(0.35, 0.9)]).collect());
            line(vec![at(0.32, 0.38), at(0.64, 0.7)]);
        }
        Tool::Line => {
            line(vec![at(0.12, 0.88), at(0.88, 0.12)]);
            painter.circle_filled(at(0.12, 0.88), 2.2, colour);
            painter.circle_filled(at(0.88, 0.12), 2.2, colour);
        }
        Tool::Rectangle => {
            let inner = Rect::from_min_max(at(0.1, 0.2), at(0.9, 0.8));
            painter.rect(inner, 1.0, colour.gamma_multiply(0.35), stroke, StrokeKind::Inside);
        }
        Tool::Fill => {
            // A bucket that pours.
            line(
                [(0.2, 0.4), (0.5, 0.1), (0.82, 0.44), (0.42, 0.84), (0.08, 0.5), (0.2, 0.4)]
                    .iter()
                    .map(|&(x, y)| at(x, y))
                    .collect(),
            );
            painter.circle_filled(at(0.86, 0.76), square.width() * 0.1, colour);
        }
        Tool::Start => {
            painter.circle_filled(
                at(0.5, 0.5),
                square.width() * 0.34,
                Color32::from_rgb(30, 160, 90),
            );
            painter.circle_stroke(at(0.5, 0.5), square.width() * 0.36, stroke);
        }
        Tool::Goal => {
            let cloth = vec![at(0.3, 0.08), at(0.9, 0.3), at(0.3, 0.52)];
            painter.add(Shape::convex_polygon(cloth, Color32::from_rgb(225, 60, 80), Stroke::NONE));
            line(vec![at(0.3, 0.06), at(0.3, 0.94)]);
        }
        Tool::Border => {
            // Two cells, and the thick line between them.
            for (left, right) in [(0.06, 0.42), (0.58, 0.94)] {
                let cell = Rect::from_min_max(at(left, 0.28), at(right, 0.72));
                let edge = Stroke::new(1.0, colour);
                painter.rect(cell, 1.0, colour.gamma_multiply(0.2), edge, StrokeKind::Inside);
            }
            painter.line_segment([at(0.5, 0.06), at(0.5, 0.94)], Stroke::new(2.6, colour));
        }
        Tool::Link => {
            let arc = [(0.1, 0.8), (0.2, 0.42), (0.5, 0.22), (0.78, 0.42), (0.88, 0.74)];
            line(arc.iter().map(|&(x, y)| at(x, y)).collect());
            line(vec![at(0.68, 0.62), at(0.89, 0.8), at(0.99, 0.54)]);
            painter.circle_filled(at(0.1, 0.82), 2.2, colour);
        }
    }
}
