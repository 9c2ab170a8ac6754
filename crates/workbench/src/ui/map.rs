//! The map: drawing it, and what the pointer does on it.

use super::legend;
use super::style;
use super::surface::Painted;
use super::tiles::Tiles;
use super::timeline;
use crate::model::{Bench, Gesture, Tool, Touched};
use egui::{
    Align2, Color32, CursorIcon, FontId, PointerButton, Rect, Response, Role, Sense, Stroke,
    StrokeKind, Ui, WidgetInfo, pos2, vec2,
};
use highroad::Cell;
use highroad::environment::End;
use highroad::planner::Point;
use highroad_pictures::{Colour, Colouring, GRID_LINES_SCALE_MIN, Scene, Viewport, place_size};
use std::collections::BTreeMap;

/// Pictures of the cells.
#[derive(Default)]
pub(super) struct Textures {
    terrain: Tiles,
    search: Tiles,
    colouring: Option<Colouring>,
    /// By the layer's key, with the version they are for.
    regions: BTreeMap<String, (u64, Tiles)>,
}

/// Shows the map.
pub(super) fn show(ui: &mut Ui, bench: &mut Bench, textures: &mut Textures) {
    let rect = ui.available_rect_before_wrap();
    let response = ui.allocate_rect(rect, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Map"));
    let place = |bench: &mut Bench| {
        let corner = (rect.left(), rect.top());
        bench.view.place(bench.document.extent(), corner, (rect.width(), rect.height()))
    };
    let viewport = place(bench);
    navigate(ui, &response, bench);
    point(ui, &response, &viewport, bench);
    let viewport = place(bench);
    draw(ui, rect, &viewport, bench, textures);
    let pointing = bench.pointer.hovered.is_some();
    if let Some(pointer) = response.hover_pos().filter(|_| pointing) {
        draw_cursor(ui, &viewport, bench, (pointer.x, pointer.y));
    }
    show_events(response, bench);
    legend::show(ui, rect, bench);
    show_news(ui, rect, bench);
}

/// Panning and zooming.
fn navigate(ui: &Ui, response: &Response, bench: &mut Bench) {
    let space = ui.input(|input| input.key_down(egui::Key::Space));
    let pans = response.dragged_by(PointerButton::Middle)
        || response.dragged_by(PointerButton::Primary)
            && bench.pointer.gesture.is_none()
            && (space || bench.tool == Tool::Hand);
    if pans {
        let delta = response.drag_delta();
        bench.view.pan((delta.x, delta.y));
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
    let Some(pointer) = response.hover_pos() else { return };
    let (wheel, fingers, pinch) = ui.input(|input| {
        let (mut wheel, mut fingers) = (0.0, egui::Vec2::ZERO);
        for event in &input.events {
            if let egui::Event::MouseWheel { unit, delta, modifiers, .. } = event {
                match unit {
                    egui::MouseWheelUnit::Point if !modifiers.command => fingers += *delta,
                    egui::MouseWheelUnit::Point => wheel += delta.y / 50.0,
                    _ => wheel += delta.y,
                }
            }
        }
        (wheel, fingers, input.zoom_delta())
    });
    let spot = (pointer.x, pointer.y);
    if wheel != 0.0 {
        bench.view.zoom(spot, 1.18_f32.powf(wheel.clamp(-6.0, 6.0)));
    } else if pinch != 1.0 {
        bench.view.zoom(spot, pinch);
    }
    if fingers != egui::Vec2::ZERO {
        bench.view.pan((fingers.x, fingers.y));
    }
}

/// Drawing, dragging and hovering.
fn point(ui: &Ui, response: &Response, viewport: &Viewport, bench: &mut Bench) {
    let extent = bench.document.extent();
    let pointer = response.hover_pos().or(response.interact_pointer_pos());
    bench.pointer.hovered = pointer.and_then(|at| viewport.cell(extent, (at.x, at.y)));
    let (space, pressed, right, down, alternate) = ui.input(|input| {
        (
            input.key_down(egui::Key::Space),
            input.pointer.primary_pressed() || input.pointer.secondary_pressed(),
            input.pointer.secondary_pressed(),
            input.pointer.primary_down() || input.pointer.secondary_down(),
            input.modifiers.alt,
        )
    });
    if bench.pointer.gesture.is_some() && !down {
        bench.release();
        return;
    }
    let Some(at) = pointer else { return };
    let grip = grip_at(viewport, bench, (at.x, at.y));
    // A quick click may go down and up within one viewport.
    let held = response.is_pointer_button_down_on();
    let clicked = response.clicked() || response.secondary_clicked();
    let begins = pressed && (held || clicked) && !space;
    match bench.pointer.hovered {
        Some(cell) if begins && alternate => bench.player.toggle_cell_breakpoint(cell),
        Some(cell) if begins => bench.press(cell, right, grip),
        _ => {}
    }
    if bench.pointer.gesture.is_some() && down {
        // A drag may leave the map: it goes on along the edge.
        let Point { x, y } = viewport.point((at.x, at.y));
        let inside = |at: f32, side: u32| at.clamp(0.0, side as f32 - 1.0) as u32;
        bench.drag_to(Cell::new(inside(x, extent.width()), inside(y, extent.height())));
    } else if grip.is_some() {
        ui.ctx().set_cursor_icon(CursorIcon::Grab);
    } else if response.hovered() {
        ui.ctx().set_cursor_icon(match bench.tool {
            Tool::Hand => CursorIcon::Grab,
            _ if space => CursorIcon::Grab,
            _ => CursorIcon::Crosshair,
        });
    }
}

/// Which mark lies at a spot: the goal before the start, since its flag is drawn on top.
fn grip_at(viewport: &Viewport, bench: &Bench, (x, y): (f32, f32)) -> Option<End> {
    let size = place_size(viewport.scale);
    let (goal_x, goal_y) = viewport.middle(bench.document.goal);
    let on_flag = (goal_x - size * 0.6..goal_x + size * 1.8).contains(&x)
        && (goal_y - size * 2.5..goal_y + size * 0.8).contains(&y);
    let (start_x, start_y) = viewport.middle(bench.document.start);
    let on_start = (x - start_x).hypot(y - start_y) <= size + 2.0;
    match (on_flag, on_start) {
        (true, _) => Some(End::Goal),
        (_, true) => Some(End::Start),
        _ => None,
    }
}

fn draw(ui: &Ui, rect: Rect, viewport: &Viewport, bench: &mut Bench, textures: &mut Textures) {
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, style::colour(bench.preferences.theme.beyond()));
    let extent = bench.document.extent();
    textures.terrain.note(extent, &mut bench.touched);
    if textures.colouring.replace(bench.colouring) != Some(bench.colouring) {
        bench.player.touched.everything();
    }
    textures.search.note(extent, &mut bench.player.touched);
    let bench = &*bench;
    let scene = bench.scene();
    textures
        .terrain
        .draw(&painter, viewport, 1.0, |cell| style::colour(scene.terrain_colour(cell)));
    draw_regions(&painter, viewport, bench, textures);
    if let Some((replay, colouring, opacity)) = scene.search {
        textures.search.draw(&painter, viewport, opacity, |cell| {
            colouring.of(replay, cell).map_or(Color32::TRANSPARENT, style::colour)
        });
    }
    draw_glow(&painter, viewport, bench);
    scene.draw_shapes(viewport, &mut Painted { painter: &painter });
    draw_breakpoints(&painter, viewport, bench);
    draw_coordinates(ui, &painter, viewport, &scene);
}

fn draw_regions(
    painter: &egui::Painter,
    viewport: &Viewport,
    bench: &Bench,
    textures: &mut Textures,
) {
    let extent = bench.document.extent();
    let version = bench.layers.regions_version;
    let mut shown = Vec::new();
    for (key, numbers, opacity) in bench.layers.regions() {
        let entry = textures.regions.entry(key.clone()).or_default();
        if entry.0 != version + 1 {
            *entry = (version + 1, Tiles::default());
            entry.1.note(extent, &mut Touched::default());
        }
        entry.1.draw(painter, viewport, opacity, |cell| {
            let number = extent.id(cell).and_then(|id| numbers.get(id.index()).copied());
            match number {
                None | Some(highroad::planner::Shape::NO_REGION) => Color32::TRANSPARENT,
                Some(number) => style::colour(Colour::group(number)),
            }
        });
        shown.push(key);
    }
    textures.regions.retain(|key, _| shown.contains(key));
}

/// Parts of the abstraction that a change reaches glow for a moment.
fn draw_glow(painter: &egui::Painter, viewport: &Viewport, bench: &Bench) {
    let Some((min, max, strength)) = bench.glow() else { return };
    let amber = Color32::from_rgb(255, 176, 32).gamma_multiply(0.35 * strength);
    for (_, layer) in bench.layers.planner_layers() {
        let highroad::planner::Shape::Rectangles(rectangles) = &layer.shape else { continue };
        for part in rectangles.iter().filter(|_| layer.level == 1) {
            let apart = part.max().x < min.x
                || part.min().x > max.x
                || part.max().y < min.y
                || part.min().y > max.y;
            if !apart {
                painter.rect_filled(cell_box(viewport, part.min(), part.max()), 0.0, amber);
            }
        }
    }
}

fn draw_breakpoints(painter: &egui::Painter, viewport: &Viewport, bench: &Bench) {
    for breakpoint in &bench.player.breakpoints {
        if let highroad_pictures::replay::Breakpoint::Cell { x, y } = *breakpoint {
            let (x, y) = viewport.middle(Cell::new(x, y));
            let radius = (viewport.scale * 0.3).clamp(3.0, 8.0);
            painter.circle(
                pos2(x, y),
                radius,
                Color32::from_rgb(200, 30, 60),
                Stroke::new(1.5, Color32::WHITE),
            );
        }
    }
}

/// Columns above and rows at the left, when cells are large enough.
fn draw_coordinates(ui: &Ui, painter: &egui::Painter, viewport: &Viewport, scene: &Scene<'_>) {
    if !scene.grid_lines || viewport.scale < GRID_LINES_SCALE_MIN {
        return;
    }
    let font = FontId::proportional(10.5);
    let colour = ui.visuals().weak_text_color();
    let back = ui.visuals().panel_fill.gamma_multiply(0.85);
    let (columns, rows) = viewport.seen(scene.grid.extent());
    let step = if viewport.scale < 28.0 { 5 } else { 1 };
    let (left, top) = viewport.corner;
    let (right, bottom) = (left + viewport.size.0, top + viewport.size.1);
    painter.rect_filled(Rect::from_min_max(pos2(left, top), pos2(right, top + 15.0)), 0.0, back);
    painter.rect_filled(Rect::from_min_max(pos2(left, top), pos2(left + 28.0, bottom)), 0.0, back);
    for x in columns.filter(|x| x % step == 0) {
        let at = pos2(viewport.middle(Cell::new(x, 0)).0, top + 2.0);
        if at.x > left + 34.0 {
            painter.text(at, Align2::CENTER_TOP, x.to_string(), font.clone(), colour);
        }
    }
    for y in rows.filter(|y| y % step == 0) {
        let at = pos2(left + 25.0, viewport.middle(Cell::new(0, y)).1);
        if at.y > top + 20.0 {
            painter.text(at, Align2::RIGHT_CENTER, y.to_string(), font.clone(), colour);
        }
    }
}

/// What a press would do: the brush's outline, or the line or rectangle so far.
fn draw_cursor(ui: &Ui, viewport: &Viewport, bench: &Bench, spot: (f32, f32)) {
    let painter = ui.painter();
    let stroke = Stroke::new(1.5, style::ACCENT);
    match bench.pointer.gesture {
        Some(Gesture::Span { is_rectangle: true, from, to, .. }) => {
            let part = highroad::CellRect::new(from, to);
            let rect = cell_box(viewport, part.min(), part.max());
            painter.rect(rect, 0.0, style::ACCENT.gamma_multiply(0.2), stroke, StrokeKind::Inside);
        }
        Some(Gesture::Span { from, to, .. }) => {
            let width = (bench.brush.size as f32 * viewport.scale).max(2.0);
            let ends = [from, to].map(|cell| {
                let (x, y) = viewport.middle(cell);
                pos2(x, y)
            });
            painter.line_segment(ends, Stroke::new(width, style::ACCENT.gamma_multiply(0.5)));
        }
        _ => {
            let draws = matches!(bench.tool, Tool::Brush | Tool::Eraser | Tool::Line);
            let Some(cell) = bench.pointer.hovered else { return };
            if draws && grip_at(viewport, bench, spot).is_none() {
                let reach = |at: u32| at.saturating_sub(bench.brush.size / 2);
                let low = Cell::new(reach(cell.x), reach(cell.y));
                let size = bench.brush.size - 1;
                let high = Cell::new(low.x + size, low.y + size);
                let round =
                    if bench.brush.size > 3 { viewport.scale * size as f32 / 2.0 } else { 0.0 };
                let rect = cell_box(viewport, low, high);
                painter.rect_stroke(rect, round.min(127.0), stroke, StrokeKind::Outside);
            }
        }
    }
}

/// Every event of the cell under a pointer that rests.
fn show_events(response: Response, bench: &Bench) {
    let Some(cell) = bench.pointer.hovered.filter(|_| bench.pointer.gesture.is_none()) else {
        return;
    };
    let events = timeline::events_of(bench, cell);
    if !events.is_empty() {
        response.on_hover_text_at_pointer(format!("cell {cell}\n{events}"));
    }
}

fn cell_box(viewport: &Viewport, min: Cell, max: Cell) -> Rect {
    let (left, top) = viewport.spot(Point { x: min.x as f32, y: min.y as f32 });
    let (right, bottom) = viewport.spot(Point { x: max.x as f32 + 1.0, y: max.y as f32 + 1.0 });
    Rect::from_min_max(pos2(left, top), pos2(right, bottom))
}

/// What there is to say, at the top of the map; and the first hint.
fn show_news(ui: &mut Ui, rect: Rect, bench: &mut Bench) {
    let visuals = ui.visuals().clone();
    let agent = bench.walker.as_ref().and_then(|walker| match &walker.gait {
        crate::model::Gait::Stopped(reason) => Some(reason.clone()),
        _ => None,
    });
    let mut lines: Vec<(String, Color32)> = Vec::new();
    lines.extend(bench.trouble.iter().map(|text| (text.clone(), visuals.warn_fg_color)));
    lines.extend(agent.map(|text| (text, visuals.warn_fg_color)));
    if let Some(news) = &bench.news {
        let colour = if news.is_error { visuals.error_fg_color } else { visuals.text_color() };
        lines.push((news.text.clone(), colour));
    }
    if lines.is_empty() && !bench.preferences.hint_is_taken {
        lines.push(("Drag the flag: the path follows.".to_owned(), visuals.text_color()));
    }
    let mut top = rect.top() + 24.0;
    for (index, (text, colour)) in lines.into_iter().enumerate() {
        let width = (rect.width() - 64.0).clamp(80.0, 560.0);
        let galley = ui.painter().layout(text.clone(), FontId::proportional(13.5), colour, width);
        let size = galley.size() + vec2(24.0, 12.0);
        let area = Rect::from_min_size(pos2(rect.center().x - size.x / 2.0, top), size);
        let stroke = Stroke::new(1.0, colour.gamma_multiply(0.5));
        ui.painter().rect(area, 8.0, visuals.window_fill, stroke, StrokeKind::Inside);
        ui.painter().galley(area.min + vec2(12.0, 6.0), galley, colour);
        let id = egui::Id::unique(("news", index));
        let response = ui.interact(area, id, Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
        if response.on_hover_text("click to dismiss").clicked() {
            bench.news = None;
        }
        top += size.y + 8.0;
    }
}
