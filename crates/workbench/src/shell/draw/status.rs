//! The line at the very bottom: what is wrong, what there is to say, what goes on.

use crate::shell::{Mode, Shell};
use egui::{Align, Color32, Label, Layout, RichText, Ui};

/// How high the line is.
pub(crate) const HEIGHT: f32 = 26.0;

/// Shows the line.
pub(crate) fn show(ui: &mut Ui, shell: &mut Shell) {
    ui.horizontal_centered(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            busy(ui, shell);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                if let Some((text, colour, is_news)) = line(ui, shell) {
                    let label = Label::new(RichText::new(&text).color(colour)).truncate();
                    ui.add(label).on_hover_text(&text);
                    if is_news && ui.small_button("Dismiss").clicked() {
                        shell.news = None;
                    }
                }
            });
        });
    });
}

/// What is most important to be said, in its colour, and whether it can be dismissed.
fn line(ui: &Ui, shell: &Shell) -> Option<(String, Color32, bool)> {
    let visuals = ui.visuals();
    let (plain, warn, error) =
        (visuals.text_color(), visuals.warn_fg_color, visuals.error_fg_color);
    if let Some(news) = &shell.news {
        let colour = if news.is_error { error } else { plain };
        return Some((news.text.clone(), colour, news.is_error));
    }
    if shell.mode != Mode::Map {
        return None;
    }
    if let Some(trouble) = &shell.map.run.trouble {
        return Some((trouble.clone(), warn, false));
    }
    if let Some(reason) = shell.map.stop_reason() {
        return Some((reason.to_owned(), warn, false));
    }
    let hint = "Drag the flag: the path follows.";
    // A lesson says itself what there is to do.
    let is_free = !shell.map.hint_is_taken && shell.map.teaching.course.is_none();
    is_free.then(|| (hint.to_owned(), plain, false))
}

/// What goes on, and a way to stop it.
fn busy(ui: &mut Ui, shell: &mut Shell) {
    // Short work would only flicker.
    let Some(busy) = shell.busy().filter(|busy| busy.age.as_millis() > 150) else { return };
    if ui.button("Cancel").on_hover_text("Esc").clicked() {
        shell.cancel();
    }
    match busy.share {
        Some(share) => {
            let bar = egui::ProgressBar::new(share).desired_height(8.0).desired_width(96.0);
            ui.add(bar).accessible_name("Progress");
        }
        None => _ = ui.add(egui::Spinner::new().size(14.0)),
    }
    ui.weak(format!("{}, {:.1} s", busy.what, busy.age.as_secs_f32()));
}
