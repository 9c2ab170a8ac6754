//! The start page: cards with small pictures that move, maps to begin with, files opened lately.

use crate::shared::draw::style;
use crate::shell::{Card, Mode, Next, Shell, Thumbnail};
use crate::teach::lesson::BUILTIN_LESSONS;
use egui::{
    ColorImage, Rect, RichText, Role, ScrollArea, Sense, Stroke, StrokeKind, TextStyle,
    TextureHandle, TextureOptions, Ui, WidgetInfo, pos2, vec2,
};
use highroad_lab::builtin::BUILTIN_MAPS;
use highroad_pictures::Theme;
use std::collections::BTreeMap;

/// Pictures of the cards, by their titles.
#[derive(Default)]
pub(super) struct Pictures(BTreeMap<&'static str, TextureHandle>);

/// All five cards fit into a row of a window that is 1280 points wide.
const PICTURE: egui::Vec2 = vec2(200.0, 116.0);
const MARGIN: f32 = 12.0;
const CARD: egui::Vec2 = vec2(PICTURE.x + 2.0 * MARGIN, PICTURE.y + 132.0);

/// The command that measures all planners on all maps.
const REPORT: &str = "highroad report --maps maps/ --out report";

/// Shows the page.
pub(super) fn show(ui: &mut Ui, shell: &mut Shell, pictures: &mut Pictures) {
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        let columns = ((ui.available_width() - 16.0) / (CARD.x + 16.0)).floor().clamp(1.0, 5.0);
        let width = columns * (CARD.x + 16.0) - 16.0;
        let left = ((ui.available_width() - width) / 2.0).max(16.0);
        ui.horizontal_top(|ui| {
            ui.add_space(left);
            ui.vertical(|ui| {
                ui.set_width(width.min(ui.available_width() - 16.0));
                ui.add_space(24.0);
                ui.heading("Highroad");
                ui.weak(
                    "See how paths are found, step by step, and what happens when the map changes.",
                );
                ui.add_space(16.0);
                cards(ui, shell, pictures);
                ui.add_space(24.0);
                lessons(ui, shell);
                maps(ui, shell);
                recent(ui, shell);
                report(ui);
                ui.add_space(24.0);
            });
        });
    });
}

fn cards(ui: &mut Ui, shell: &mut Shell, pictures: &mut Pictures) {
    let mut chosen = None;
    let theme = shell.preferences.theme;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(16.0, 16.0);
        for card in Card::ALL {
            let page = shell.start.as_ref();
            let thumbnail = page.and_then(|page| {
                page.thumbnails.iter().find(|(other, _)| *other == card).map(|(_, picture)| picture)
            });
            if show_card(ui, card, thumbnail, theme, pictures) {
                chosen = Some(card);
            }
        }
    });
    if let Some(card) = chosen {
        shell.choose_card(card);
    }
}

/// Shows a card; whether it was clicked.
fn show_card(
    ui: &mut Ui,
    card: Card,
    thumbnail: Option<&Thumbnail>,
    theme: Theme,
    pictures: &mut Pictures,
) -> bool {
    let (rect, response) = ui.allocate_exact_size(CARD, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, card.title()));
    let visuals = ui.visuals();
    let is_hot = response.hovered() || response.has_focus();
    let edge = if is_hot {
        Stroke::new(2.0, style::ACCENT)
    } else {
        visuals.widgets.noninteractive.bg_stroke
    };
    ui.painter().rect(rect, 10.0, visuals.window_fill, edge, StrokeKind::Inside);
    let place = Rect::from_min_size(rect.min + vec2(MARGIN, MARGIN), PICTURE);
    if let Some(thumbnail) = thumbnail {
        let image = picture(thumbnail, theme);
        let texture = pictures.0.entry(card.title()).or_insert_with(|| {
            ui.ctx().load_texture(card.title(), image.clone(), TextureOptions::LINEAR)
        });
        texture.set(image, TextureOptions::LINEAR);
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        ui.painter().image(texture.id(), place, whole, egui::Color32::WHITE);
    }
    let (large, body) =
        (TextStyle::Heading.resolve(ui.style()), TextStyle::Body.resolve(ui.style()));
    let at = pos2(place.left(), place.bottom() + 10.0);
    let strong = ui.visuals().strong_text_color();
    let title = ui.painter().layout(card.title().to_owned(), large, strong, PICTURE.x);
    let below = at + vec2(0.0, title.size().y + 4.0);
    ui.painter().galley(at, title, strong);
    let weak = ui.visuals().weak_text_color();
    let text = ui.painter().layout(card.text().to_owned(), body, weak, PICTURE.x);
    ui.painter().galley(below, text, weak);
    response.on_hover_cursor(egui::CursorIcon::PointingHand).clicked()
}

/// A thumbnail in pixels.
fn picture(thumbnail: &Thumbnail, theme: Theme) -> ColorImage {
    style::image(&thumbnail.scene(theme).to_canvas((PICTURE.x, PICTURE.y)))
}

fn lessons(ui: &mut Ui, shell: &mut Shell) {
    ui.strong("Lessons");
    ui.horizontal_wrapped(|ui| {
        for (number, builtin) in BUILTIN_LESSONS.iter().enumerate() {
            let Ok(lesson) = builtin.read() else { continue };
            let is_done = shell.preferences.lessons_done.contains(&lesson.title);
            let done = if is_done { " (done)" } else { "" };
            let help = format!("{} About {} minutes.{done}", lesson.summary, lesson.minutes);
            let text = RichText::new(format!("{}. {}", number + 1, lesson.title));
            let text = if is_done { text.weak() } else { text };
            if ui.button(text).on_hover_text(help).clicked() {
                shell.careful(Next::Learn(Box::new(lesson)));
            }
        }
    });
    ui.add_space(16.0);
}

fn maps(ui: &mut Ui, shell: &mut Shell) {
    ui.strong("Built-in maps");
    ui.horizontal_wrapped(|ui| {
        for builtin in BUILTIN_MAPS {
            if ui.button(builtin.name).on_hover_text(builtin.summary).clicked() {
                shell.open_builtin(builtin);
            }
        }
    });
    ui.add_space(16.0);
}

fn recent(ui: &mut Ui, shell: &mut Shell) {
    ui.strong("Recent files");
    let recent = shell.preferences.recent.clone();
    if recent.is_empty() {
        ui.weak("Files that you open or save are listed here.");
    }
    for path in recent {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let link = ui.link(name).on_hover_text(path.display().to_string());
        if link.clicked() {
            shell.careful(Next::Open(path));
        }
    }
    let is_changed = shell.map.document.is_changed();
    let word = format!("Back to {}{}", shell.map.document.name, if is_changed { " *" } else { "" });
    if is_changed && ui.button(word).clicked() {
        shell.mode = Mode::Map;
    }
    ui.add_space(16.0);
}

fn report(ui: &mut Ui) {
    ui.strong("The report");
    ui.weak("All planners on all maps of a folder, as a page of tables and plots:");
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(REPORT).code());
        if ui.button("Copy the command").clicked() {
            ui.ctx().copy_text(REPORT.to_owned());
        }
    });
}
