//! The map: drawing it, and what the pointer does on it.

use super::{beside, cursor, inspector, numbers};
use crate::map::{MapMode, Tool};
use crate::shared::Touched;
use crate::shared::draw::surface::Painted;
use crate::shared::draw::tiles::Tiles;
use crate::shared::draw::{navigate, style};
use crate::teach::Counting;
use egui::{
    Align2, Color32, CursorIcon, Event, FontId, Modifiers, PointerButton, Pos2, Rect, Response,
    Role, Sense, Stroke, Ui, WidgetInfo, pos2,
};
use highroad::Cell;
use highroad::environment::End;
use highroad::planner::Point;
use highroad_pictures::{
    Colouring, GRID_LINES_SCALE_MIN, Scene, Viewport, place_size, region_colour,
};
use std::collections::BTreeMap;

/// Pictures of the cells.
#[derive(Default)]
pub(crate) struct Textures {
    terrain: Tiles,
    search: Tiles,
    /// The searches of the canvases beside.
    beside: Vec<Tiles>,
    colouring: Option<Colouring>,
    /// By the layer's key, with the version they are for.
    regions: BTreeMap<String, (u64, Tiles)>,
}

/// Shows the map, on as many canvases as there are planners to be seen.
pub(crate) fn show(ui: &mut Ui, map: &mut MapMode, textures: &mut Textures) {
    let whole = ui.available_rect_before_wrap();
    if map.beside.panes.is_empty() {
        show_canvas(ui, whole, whole, map, textures, 0);
        return;
    }
    ui.painter().rect_filled(whole, 0.0, style::colour_of_gap(ui));
    let places = beside::split(whole, map.document.extent(), map.beside.panes.len() + 1);
    let first = places[0].1;
    for (number, &(head, rect)) in places.iter().enumerate() {
        // A canvas that was closed in this frame is not drawn any more.
        if number <= map.beside.panes.len() {
            show_canvas(ui, rect, first, map, textures, number);
            beside::head(ui, head, map, number);
        }
    }
}

/// Shows the canvas of a number in a rectangle. All of them show the same part of the map as the one in `first`.
fn show_canvas(
    ui: &mut Ui,
    rect: Rect,
    first: Rect,
    map: &mut MapMode,
    textures: &mut Textures,
    number: usize,
) {
    let response = ui.allocate_rect(rect, Sense::click_and_drag());
    response.widget_info(|| {
        let name = match number {
            0 => "The map".to_owned(),
            _ => format!("The map on canvas {}", number + 1),
        };
        WidgetInfo::labeled(Role::Canvas, true, name)
    });
    let place = |map: &mut MapMode| {
        let corner = (first.left(), first.top());
        let size = (first.width(), first.height());
        let viewport = map.view.place(map.document.extent(), corner, size);
        Viewport { corner: (rect.left(), rect.top()), ..viewport }
    };
    let viewport = place(map);
    navigate(ui, &response, map, first.min - rect.min);
    if number == 0 {
        map.hand.pointer.hovered = None;
    }
    point(ui, &response, &viewport, map, number);
    let viewport = place(map);
    match number {
        0 => draw(ui, rect, &viewport, map, textures),
        _ => draw_beside(ui, rect, &viewport, map, textures, number - 1),
    }
    let pointing = map.hand.pointer.hovered.is_some();
    if let Some(pointer) = response.hover_pos().filter(|_| pointing) {
        cursor::draw(ui, rect, &viewport, map, (pointer.x, pointer.y));
    }
    if number == 0 {
        show_events(response, map);
    }
}

/// Panning and zooming. `shift` leads from a spot of this canvas to the same spot of the first one.
fn navigate(ui: &Ui, response: &Response, map: &mut MapMode, shift: egui::Vec2) {
    let space = ui.input(|input| input.key_down(egui::Key::Space));
    let fingers = ui.input(|input| input.multi_touch()).is_some();
    let pans = response.dragged_by(PointerButton::Middle)
        || !fingers
            && response.dragged_by(PointerButton::Primary)
            && map.hand.pointer.gesture.is_none()
            && (space || map.hand.tool == Tool::Hand);
    navigate::pan_and_zoom(ui, response, &mut map.view, pans, shift);
}

/// Drawing, dragging and hovering on the canvas of a number. Every event counts: a quick hand presses, moves and lets go
/// between two frames.
fn point(ui: &Ui, response: &Response, viewport: &Viewport, map: &mut MapMode, number: usize) {
    if ui.input(|input| input.multi_touch()).is_some() {
        return map.withdraw_gesture();
    }
    let extent = map.document.extent();
    let pointer = response.hover_pos().or(response.interact_pointer_pos());
    let hovered = pointer.and_then(|at| viewport.cell(extent, (at.x, at.y)));
    if map.hand.pointer.hovered.is_none() && hovered.is_some() {
        map.hand.pointer.hovered = hovered;
        map.hand.pointer.at = pointer.map(|at| viewport.point((at.x, at.y)));
    }
    let space = ui.input(|input| input.key_down(egui::Key::Space));
    let events = ui.input(|input| input.events.clone());
    for event in &events {
        let owns = map.hand.pointer.gesture.is_some() && map.hand.pointer.canvas == number;
        match *event {
            Event::PointerButton { pos, button, pressed: true, modifiers }
                if !space && is_drawing(button) && begins(ui, response, pos) =>
            {
                map.hand.pointer.canvas = number;
                press(viewport, map, pos, button, modifiers);
            }
            // A drag may leave the map: it goes on along the edge.
            Event::PointerMoved(pos) if owns => map.drag_to(viewport.point((pos.x, pos.y))),
            Event::PointerButton { pos, button, pressed: false, .. }
                if owns && is_drawing(button) =>
            {
                map.drag_to(viewport.point((pos.x, pos.y)));
                map.release();
            }
            _ => {}
        }
    }
    let down = ui.input(|input| input.pointer.primary_down() || input.pointer.secondary_down());
    if map.hand.pointer.gesture.is_some() && !down {
        map.release();
    }
    let Some(at) = pointer.filter(|_| map.hand.pointer.gesture.is_none()) else { return };
    if grip_at(viewport, map, (at.x, at.y)).is_some() {
        ui.ctx().set_cursor_icon(CursorIcon::Grab);
    } else if response.hovered() {
        ui.ctx().set_cursor_icon(match map.hand.tool {
            Tool::Hand => CursorIcon::Grab,
            _ if space => CursorIcon::Grab,
            _ => CursorIcon::Crosshair,
        });
    }
}

fn is_drawing(button: PointerButton) -> bool {
    matches!(button, PointerButton::Primary | PointerButton::Secondary)
}

/// Whether a press at a spot is one on the canvas. A press that was let go in the same frame after a movement is neither a
/// click nor a drag to egui: then what lies at the spot decides, without the edges, where panels are made wider.
fn begins(ui: &Ui, response: &Response, at: Pos2) -> bool {
    let is_known =
        response.is_pointer_button_down_on() || response.clicked() || response.secondary_clicked();
    let edge = ui.style().interaction.resize_grab_radius_side;
    let is_here = || {
        response.enabled()
            && response.rect.shrink(edge).contains(at)
            && ui.ctx().layer_id_at(at) == Some(response.layer_id)
    };
    response.rect.contains(at) && (is_known || is_here())
}

fn press(
    viewport: &Viewport,
    map: &mut MapMode,
    at: Pos2,
    button: PointerButton,
    modifiers: Modifiers,
) {
    let at = (at.x, at.y);
    let cell = viewport.cell(map.document.extent(), at);
    match cell {
        Some(cell) if modifiers.alt || modifiers.shift => map.player.toggle_cell_breakpoint(cell),
        // Borders that reach the edge of the map begin at its edge, where a hand is not exact.
        None if map.hand.tool != Tool::Border => {}
        _ => {
            let grip = grip_at(viewport, map, at);
            map.press(viewport.point(at), button == PointerButton::Secondary, grip);
        }
    }
}

/// Which mark lies at a spot: the goal before the start, since its flag is drawn on top.
pub(super) fn grip_at(viewport: &Viewport, map: &MapMode, (x, y): (f32, f32)) -> Option<End> {
    let size = place_size(viewport.scale);
    let side = map.document.movement().size;
    let (goal_x, goal_y) = viewport.middle_of_square(map.document.goal(), side);
    let on_flag = (goal_x - size * 0.6..goal_x + size * 1.8).contains(&x)
        && (goal_y - size * 2.5..goal_y + size * 0.8).contains(&y);
    let (start_x, start_y) = viewport.middle_of_square(map.document.start(), side);
    let on_start = (x - start_x).hypot(y - start_y) <= size + 2.0;
    match (on_flag, on_start) {
        (true, _) => Some(End::Goal),
        (_, true) => Some(End::Start),
        _ => None,
    }
}

fn draw(ui: &Ui, rect: Rect, viewport: &Viewport, map: &mut MapMode, textures: &mut Textures) {
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, style::colour(map.theme.beyond()));
    let extent = map.document.extent();
    textures.terrain.note(extent, &mut map.renewal.touched);
    if textures.colouring.replace(map.layers.colouring) != Some(map.layers.colouring) {
        map.player.touched.everything();
        map.beside.panes.iter_mut().for_each(|pane| pane.touched.everything());
    }
    textures.search.note(extent, &mut map.player.touched);
    map.renew_path();
    let map = &*map;
    let scene = map.scene();
    textures
        .terrain
        .draw(&painter, viewport, 1.0, |cell| style::colour(scene.terrain_colour(cell)));
    draw_regions(&painter, viewport, map, textures);
    if let Some((replay, colouring, opacity)) = scene.search {
        textures.search.draw(&painter, viewport, opacity, |cell| {
            colouring.of(replay, cell).map_or(Color32::TRANSPARENT, style::colour)
        });
    }
    draw_glow(&painter, viewport, map);
    numbers::draw(&painter, viewport, map.player.replay().zip(map.counting()), &scene);
    scene.draw_shapes(viewport, &mut Painted { painter: &painter });
    draw_breakpoints(&painter, viewport, map);
    draw_coordinates(ui, &painter, viewport, &scene);
}

/// Draws the canvas of a planner beside: the same map, another search.
fn draw_beside(
    ui: &Ui,
    rect: Rect,
    viewport: &Viewport,
    map: &mut MapMode,
    textures: &mut Textures,
    number: usize,
) {
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, style::colour(map.theme.beyond()));
    let extent = map.document.extent();
    textures.beside.resize_with(map.beside.panes.len(), Tiles::default);
    textures.beside[number].note(extent, &mut map.beside.panes[number].touched);
    let map = &*map;
    let pane = &map.beside.panes[number];
    let path = pane.shown().map(|shown| shown.replay.known_path(shown.path_cells()));
    let scene = map.scene_beside(pane, path.as_deref().unwrap_or_default());
    textures
        .terrain
        .draw(&painter, viewport, 1.0, |cell| style::colour(scene.terrain_colour(cell)));
    if let Some((replay, colouring, opacity)) = scene.search {
        textures.beside[number].draw(&painter, viewport, opacity, |cell| {
            colouring.of(replay, cell).map_or(Color32::TRANSPARENT, style::colour)
        });
    }
    let counting = pane.choice.spec().ok().map(|spec| Counting::of(&spec, map.document.grid()));
    let search = pane.shown().map(|shown| &shown.replay).zip(counting);
    numbers::draw(&painter, viewport, search, &scene);
    scene.draw_shapes(viewport, &mut Painted { painter: &painter });
    draw_coordinates(ui, &painter, viewport, &scene);
}

fn draw_regions(
    painter: &egui::Painter,
    viewport: &Viewport,
    map: &MapMode,
    textures: &mut Textures,
) {
    let extent = map.document.extent();
    let version = map.layers.regions_version;
    let mut shown = Vec::new();
    for (key, name, numbers, opacity) in map.layers.regions() {
        let entry = textures.regions.entry(key.clone()).or_default();
        if entry.0 != version + 1 {
            *entry = (version + 1, Tiles::default());
            entry.1.note(extent, &mut Touched::default());
        }
        entry.1.draw(painter, viewport, opacity, |cell| {
            let number = extent.id(cell).and_then(|id| numbers.get(id.index()).copied());
            match number {
                None | Some(highroad::planner::Shape::NO_REGION) => Color32::TRANSPARENT,
                Some(number) => style::colour(region_colour(name, number)),
            }
        });
        shown.push(key);
    }
    textures.regions.retain(|key, _| shown.contains(key));
}

/// Parts of the abstraction that a change reaches glow for a moment.
fn draw_glow(painter: &egui::Painter, viewport: &Viewport, map: &MapMode) {
    let Some((min, max, strength)) = map.glow() else { return };
    let amber = Color32::from_rgb(255, 176, 32).gamma_multiply(0.35 * strength);
    for (_, layer) in map.layers.planner_layers() {
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

fn draw_breakpoints(painter: &egui::Painter, viewport: &Viewport, map: &MapMode) {
    for breakpoint in &map.player.breakpoints {
        if let highroad_pictures::replay::Breakpoint::Cell { x, y } = *breakpoint {
            let (x, y) = viewport.middle(Cell::new(x, y));
            let radius = (viewport.scale * 0.3).clamp(3.0, 8.0);
            painter.circle(pos2(x, y), radius, style::BREAKPOINT, Stroke::new(1.5, Color32::WHITE));
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

/// Every event of the cell under a pointer that rests.
fn show_events(response: Response, map: &MapMode) {
    let Some(cell) = map.hand.pointer.hovered.filter(|_| map.hand.pointer.gesture.is_none()) else {
        return;
    };
    let events = inspector::events_of(map, cell);
    if !events.is_empty() {
        response.on_hover_text_at_pointer(format!("cell {cell}\n{events}"));
    }
}

pub(super) fn cell_box(viewport: &Viewport, min: Cell, max: Cell) -> Rect {
    let (left, top) = viewport.spot(Point { x: min.x as f32, y: min.y as f32 });
    let (right, bottom) = viewport.spot(Point { x: max.x as f32 + 1.0, y: max.y as f32 + 1.0 });
    Rect::from_min_max(pos2(left, top), pos2(right, bottom))
}
