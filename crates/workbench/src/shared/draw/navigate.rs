//! Moving the view and zooming it, on the canvas of every mode.

use crate::shared::View;
use egui::{CursorIcon, Response, Ui};

/// Moves the view if the pointer `pans`, and zooms by the wheel or by two fingers. `shift` leads from a spot of this canvas
/// to the same spot of the one that the view was placed on.
pub(crate) fn pan_and_zoom(
    ui: &Ui,
    response: &Response,
    view: &mut View,
    pans: bool,
    shift: egui::Vec2,
) {
    if pans {
        let delta = response.drag_delta();
        view.pan((delta.x, delta.y));
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
    let spot = (pointer.x + shift.x, pointer.y + shift.y);
    if wheel != 0.0 {
        view.zoom(spot, 1.18_f32.powf(wheel.clamp(-6.0, 6.0)));
    } else if pinch != 1.0 {
        view.zoom(spot, pinch);
    }
    if fingers != egui::Vec2::ZERO {
        view.pan((fingers.x, fingers.y));
    }
}
