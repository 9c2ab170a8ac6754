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
    if let Some(touch) = ui.input(|input| input.multi_touch()) {
        // Two fingers move the map and zoom it, wherever the pointer of the first one is.
        if response.rect.contains(touch.center_pos) {
            let delta = touch.translation_delta;
            view.pan((delta.x, delta.y));
            let spot = (touch.center_pos.x + shift.x, touch.center_pos.y + shift.y);
            view.zoom(spot, touch.zoom_delta);
        }
        return;
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
