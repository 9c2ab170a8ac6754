//! Colours, sizes and spaces of the user interface: calm, on a grid of eight points.

use egui::{
    Color32, ColorImage, Context, CornerRadius, FontFamily, FontId, Stroke, TextStyle, Visuals,
    vec2,
};
use highroad_pictures::{Canvas, Colour, Theme};

/// What stands out: the path's orange.
pub(crate) const ACCENT: Color32 = Color32::from_rgb(240, 120, 20);

/// What is right: the start's green, as light or dark as text needs.
pub(crate) fn good(ui: &egui::Ui) -> Color32 {
    match ui.visuals().dark_mode {
        true => Color32::from_rgb(96, 208, 144),
        false => Color32::from_rgb(16, 120, 64),
    }
}

/// What stands out, as light or dark as text needs.
pub(crate) fn accent(ui: &egui::Ui) -> Color32 {
    if ui.visuals().dark_mode { ACCENT } else { Color32::from_rgb(170, 74, 0) }
}

/// Where playing stops.
pub(crate) const BREAKPOINT: Color32 = Color32::from_rgb(200, 30, 60);

/// The two sizes of text: of everything, and of what is to be seen first.
const SIZE: f32 = 13.5;
const SIZE_LARGE: f32 = 20.0;

/// Sets sizes and spaces, which both themes share.
pub(crate) fn install(context: &Context) {
    context.all_styles_mut(|style| {
        let proportional = |size| FontId::new(size, FontFamily::Proportional);
        style.text_styles.insert(TextStyle::Body, proportional(SIZE));
        style.text_styles.insert(TextStyle::Button, proportional(SIZE));
        style.text_styles.insert(TextStyle::Small, proportional(SIZE));
        style.text_styles.insert(TextStyle::Heading, proportional(SIZE_LARGE));
        style.text_styles.insert(TextStyle::Monospace, FontId::new(SIZE, FontFamily::Monospace));
        // Bars have room of their own, so that they cover nothing.
        style.spacing.scroll = egui::style::ScrollStyle::solid();
        style.spacing.scroll.bar_width = 8.0;
        // Text that fades out looks as if it were disabled.
        style.spacing.scroll.fade.strength = 0.0;
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

/// A picture for a texture.
pub(crate) fn image(canvas: &Canvas) -> ColorImage {
    let pixels = (0..canvas.height()).flat_map(|y| (0..canvas.width()).map(move |x| (x, y)));
    let pixels = pixels.map(|(x, y)| colour(canvas.get(x, y))).collect();
    ColorImage::new([canvas.width() as usize, canvas.height() as usize], pixels)
}

/// Switches to a theme.
pub(crate) fn apply(context: &Context, theme: Theme) {
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
pub(crate) fn colour(Colour(red, green, blue): Colour) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

/// The frame of a window in front.
pub(crate) fn dialog_frame(context: &Context) -> egui::Frame {
    egui::Frame::popup(&context.global_style()).inner_margin(16.0)
}

/// What separates canvases.
pub(crate) fn colour_of_gap(ui: &egui::Ui) -> Color32 {
    ui.visuals().widgets.noninteractive.bg_stroke.color
}

/// What is written on a colour so that it can be read.
pub(crate) fn ink_on(back: Color32) -> Color32 {
    colour(Colour(back.r(), back.g(), back.b()).ink())
}

/// A row with a name at the left and a value at the right.
pub(crate) fn row(ui: &mut egui::Ui, name: &str, value: &str, help: &str) {
    let size = egui::vec2(ui.available_width(), 17.0);
    ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
        ui.weak(name).on_hover_text(help);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            // A value that is too long would push the panel's content out of sight.
            ui.add(egui::Label::new(value).truncate()).on_hover_text(help);
        });
    });
}
