//! The mesh itself, what the pointer does on it, and what is said of the place under the pointer.

use crate::mesh::{MeshMode, MeshTool};
use crate::shared::draw::navigate;
use crate::shared::draw::surface::Painted;
use egui::{CursorIcon, Label, PointerButton, Response, Role, Sense, Ui, WidgetInfo};
use highroad::planner::Point;
use highroad_pictures::{Colour, Spot, Surface, Viewport};

/// How near the pointer must be to a flag or to a corner, in pixels.
const REACH: f32 = 14.0;

/// Pixels: the outline of what is being drawn, and its corners.
const LINE: f32 = 2.0;
const CORNER: f32 = 4.0;

/// Shows the mesh.
pub(super) fn show(ui: &mut Ui, mode: &mut MeshMode) {
    let rect = ui.available_rect_before_wrap();
    let response = ui.allocate_rect(rect, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "The mesh"));
    let viewport = mode.place((rect.left(), rect.top()), (rect.width(), rect.height()));
    act(ui, &response, mode, &viewport);
    let painter = ui.painter_at(rect);
    let mut surface = Painted { painter: &painter };
    mode.scene().draw(&viewport, &mut surface);
    draw_corners(mode, &viewport, &mut surface);
}

fn place(viewport: &Viewport, at: egui::Pos2) -> [f64; 2] {
    let point = viewport.point((at.x, at.y));
    [f64::from(point.x), f64::from(point.y)]
}

/// Dragging, clicking, panning and zooming.
fn act(ui: &Ui, response: &Response, mode: &mut MeshMode, viewport: &Viewport) {
    let reach = f64::from(REACH / viewport.scale);
    if response.drag_started_by(PointerButton::Primary)
        && let Some(origin) = ui.input(|input| input.pointer.press_origin())
    {
        mode.press(place(viewport, origin), reach);
    }
    if let Some(at) = response.interact_pointer_pos().filter(|_| mode.is_dragging()) {
        mode.drag_to(place(viewport, at));
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    }
    if response.drag_stopped() {
        mode.release();
    }
    let pans = response.dragged_by(PointerButton::Middle)
        || response.dragged_by(PointerButton::Primary) && !mode.is_dragging();
    navigate::pan_and_zoom(ui, response, &mut mode.view, pans, egui::Vec2::ZERO);
    let Some(at) = response.hover_pos().map(|at| place(viewport, at)) else { return };
    if response.clicked() {
        mode.click(at, reach);
    }
    if response.secondary_clicked() {
        mode.remove_at(at);
    }
    let icon = match mode.tool {
        MeshTool::Draw => CursorIcon::Crosshair,
        MeshTool::Move | MeshTool::Remove if mode.obstacle_at(at).is_some() => {
            CursorIcon::PointingHand
        }
        _ => return,
    };
    ui.ctx().set_cursor_icon(icon);
}

/// Draws the outline of the obstacle that is being drawn.
fn draw_corners(mode: &MeshMode, viewport: &Viewport, surface: &mut Painted<'_>) {
    let spot = |[x, y]: [f64; 2]| viewport.spot(Point { x: x as f32, y: y as f32 });
    let spots: Vec<Spot> = mode.corners().into_iter().map(spot).collect();
    surface.chain(&spots, LINE, Colour::ABSTRACT.at(1.0));
    for &corner in &spots {
        surface.disc(corner, CORNER, Colour::ABSTRACT.at(1.0));
    }
}

/// Shows what the search does now, or what can be done.
pub(super) fn inspector(ui: &mut Ui, mode: &MeshMode) {
    let text = match (mode.refusal(), mode.sentence()) {
        (Some(refusal), _) => {
            egui::RichText::new(refusal).color(ui.visuals().warn_fg_color)
        }
        (None, Some(sentence)) => {
            egui::RichText::new(sentence).color(ui.visuals().weak_text_color())
        }
        (None, None) => egui::RichText::new(
            "Drag the flags and obstacles. Draw places obstacles; a click with the right button removes them.",
        )
        .color(ui.visuals().weak_text_color()),
    };
    ui.add(Label::new(text).truncate());
}
