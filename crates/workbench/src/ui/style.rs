//! Colours, sizes and spaces of the user interface: calm, on a grid of eight points.

use egui::{Color32, Context, CornerRadius, FontFamily, FontId, Stroke, TextStyle, Visuals, vec2};
use highroad_pictures::{Colour, Theme};

/// What stands out: the path's orange.
pub(super) const ACCENT: Color32 = Color32::from_rgb(240, 120, 20);

/// Sets sizes and spaces, which both themes share.
pub(super) fn install(context: &Context) {
    context.all_styles_mut(|style| {
        let proportional = |size| FontId::new(size, FontFamily::Proportional);
        style.text_styles.insert(TextStyle::Body, proportional(13.5));
        style.text_styles.insert(TextStyle::Button, proportional(13.5));
        style.text_styles.insert(TextStyle::Small, proportional(11.5));
        style.text_styles.insert(TextStyle::Heading, proportional(13.5));
        style.spacing.item_spacing = vec2(8.0, 4.0);
        style.spacing.button_padding = vec2(8.0, 3.0);
        style.spacing.interact_size.y = 22.0;
        style.spacing.slider_width = 120.0;
        style.spacing.window_margin = egui::Margin::same(16);
        style.interaction.tooltip_delay = 0.4;
    });
    context.set_visuals_of(egui::Theme::Dark, dark());
    context.set_visuals_of(egui::Theme::Light, light());
}

/// Switches to a theme.
pub(super) fn apply(context: &Context, theme: Theme) {
    context.set_theme(match theme {
        Theme::Light => egui::Theme::Light,
        Theme::Dark => egui::Theme::Dark,
    });
}

fn dark() -> Visuals {
    let mut visuals = Visuals::dark();
    visuals.panel_fill = Color32::from_rgb(36, 38, 44);
    visuals.window_fill = Color32::from_rgb(42, 44, 51);
    visuals.extreme_bg_color = Color32::from_rgb(24, 25, 30);
    visuals.faint_bg_color = Color32::from_rgb(46, 48, 56);
    visuals.override_text_color = Some(Color32::from_rgb(226, 228, 233));
    visuals.weak_text_color = Some(Color32::from_rgb(160, 165, 176));
    visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, Color32::from_rgb(58, 61, 70));
    visuals.error_fg_color = Color32::from_rgb(255, 138, 120);
    visuals.warn_fg_color = Color32::from_rgb(245, 190, 90);
    finish(visuals, Color32::from_rgb(120, 62, 16))
}

fn light() -> Visuals {
    let mut visuals = Visuals::light();
    visuals.panel_fill = Color32::from_rgb(248, 248, 250);
    visuals.window_fill = Color32::from_rgb(255, 255, 255);
    visuals.faint_bg_color = Color32::from_rgb(238, 239, 242);
    visuals.text_edit_bg_color = Some(Color32::from_rgb(236, 237, 241));
    visuals.override_text_color = Some(Color32::from_rgb(32, 34, 40));
    visuals.weak_text_color = Some(Color32::from_rgb(96, 101, 112));
    visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, Color32::from_rgb(214, 216, 222));
    visuals.error_fg_color = Color32::from_rgb(176, 32, 32);
    visuals.warn_fg_color = Color32::from_rgb(150, 92, 0);
    finish(visuals, Color32::from_rgb(255, 214, 172))
}

fn finish(mut visuals: Visuals, selection: Color32) -> Visuals {
    visuals.selection.bg_fill = selection;
    visuals.selection.stroke = Stroke::new(1.0, ACCENT);
    visuals.hyperlink_color = ACCENT;
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    for widget in [
        &mut visuals.widgets.inactive,
        &mut visuals.widgets.hovered,
        &mut visuals.widgets.active,
        &mut visuals.widgets.open,
    ] {
        widget.corner_radius = CornerRadius::same(5);
    }
    visuals
}

/// A picture's colour as the user interface has it.
pub(super) fn colour(Colour(red, green, blue): Colour) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

/// The head of a section.
pub(super) fn head(ui: &mut egui::Ui, text: &str) {
    ui.add_space(4.0);
    ui.label(egui::RichText::new(text).strong());
}

/// A row with a name at the left and a value at the right.
pub(super) fn row(ui: &mut egui::Ui, name: &str, value: &str, help: &str) {
    let size = egui::vec2(ui.available_width(), 17.0);
    ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
        ui.weak(name).on_hover_text(help);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(value).on_hover_text(help);
        });
    });
}
