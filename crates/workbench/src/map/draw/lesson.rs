//! The column of a lesson: text, a guess, something to do.

use crate::map::MapMode;
use crate::shared::draw::style;
use crate::teach::lesson::{Course, GuessKind, GuessState, Lesson, next_lesson};
use egui::text::LayoutJob;
use egui::{Button, RichText, ScrollArea, TextEdit, TextFormat, TextStyle, Ui};

/// How wide the column is.
pub(crate) const WIDTH: f32 = 272.0;
/// How wide it is in a narrow window.
pub(crate) const WIDTH_NARROW: f32 = 224.0;

/// What a click in the column asks for.
enum Wish {
    Next,
    Back,
    End,
    NextLesson(Box<Lesson>),
    ShowMe,
    Guess(f64),
}

/// Shows the lesson in progress.
pub(crate) fn show(ui: &mut Ui, map: &mut MapMode) {
    let Some(course) = map.teaching.course.take() else { return };
    let mut wish = None;
    head(ui, &course, &mut wish);
    ui.separator();
    let foot = 44.0;
    let room = (ui.available_height() - foot).max(80.0);
    let scroll = ScrollArea::vertical().id_salt(("lesson", course.step_number().0));
    scroll.max_height(room).auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        ui.heading(&course.step().title);
        paragraphs(ui, course.text());
        guess(ui, &course, &mut map.teaching.guess, &mut wish);
        task(ui, &course, &mut wish);
    });
    ui.separator();
    buttons(ui, &course, &mut wish);
    map.teaching.course = Some(course);
    match wish {
        Some(Wish::Next) => map.go_lesson(true),
        Some(Wish::Back) => map.go_lesson(false),
        Some(Wish::End) => map.end_lesson(),
        Some(Wish::NextLesson(lesson)) => {
            map.go_lesson(true);
            map.start_lesson(*lesson);
        }
        Some(Wish::ShowMe) => map.show_me(),
        Some(Wish::Guess(guess)) => map.make_guess(guess),
        None => {}
    }
}

fn head(ui: &mut Ui, course: &Course, wish: &mut Option<Wish>) {
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let (step, steps) = course.step_number();
        ui.weak(format!("Step {} of {steps}", step + 1));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let close = ui.small_button("Close").on_hover_text("end the lesson; the map stays");
            if close.accessible_name("Close the lesson").clicked() {
                *wish = Some(Wish::End);
            }
        });
    });
    ui.label(&course.lesson().title);
}

/// Text with empty lines between paragraphs, and **strong** words.
fn paragraphs(ui: &mut Ui, text: &str) {
    for paragraph in text.split("\n\n") {
        for line in paragraph.split('\n') {
            let line = match line.strip_prefix("- ") {
                Some(item) => format!("• {item}"),
                None => line.to_owned(),
            };
            ui.add(egui::Label::new(marked(ui, &line)).wrap());
        }
    }
}

fn marked(ui: &Ui, text: &str) -> LayoutJob {
    let mut job = LayoutJob::default();
    for (number, part) in text.split("**").enumerate() {
        let strong = number % 2 == 1;
        let colour = if strong { style::ACCENT } else { ui.visuals().text_color() };
        let font = TextStyle::Body.resolve(ui.style());
        job.append(part, 0.0, TextFormat::simple(font, colour));
    }
    job
}

fn boxed(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    egui::Frame::new().fill(ui.visuals().faint_bg_color).inner_margin(8.0).corner_radius(6.0).show(
        ui,
        |ui| {
            ui.set_min_width(ui.available_width());
            add(ui);
        },
    );
}

fn guess(ui: &mut Ui, course: &Course, written: &mut String, wish: &mut Option<Wish>) {
    let Some(asked) = &course.step().guess else { return };
    boxed(ui, |ui| {
        ui.label(RichText::new("Guess first").strong());
        ui.label(course.question());
        if let GuessState::Made { is_right, answer } = course.guess() {
            let colour = if *is_right { style::good(ui) } else { ui.visuals().strong_text_color() };
            ui.label(RichText::new(answer).color(colour));
            return;
        }
        match &asked.kind {
            GuessKind::Choice { choices, .. } => {
                for (number, choice) in choices.iter().enumerate() {
                    let button =
                        Button::new(choice).wrap().min_size(egui::vec2(ui.available_width(), 24.0));
                    if ui.add(button).accessible_name(choice).clicked() {
                        *wish = Some(Wish::Guess(number as f64));
                    }
                }
            }
            GuessKind::Number { .. } => {
                ui.horizontal(|ui| {
                    let field =
                        TextEdit::singleline(written).desired_width(80.0).hint_text("a number");
                    let field = ui.add(field).accessible_name("Your guess");
                    let number: Option<f64> = written.trim().replace(',', ".").parse().ok();
                    let entered =
                        field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
                    let button = ui.add_enabled(number.is_some(), Button::new("Guess"));
                    if let Some(number) = number.filter(|_| button.clicked() || entered) {
                        *wish = Some(Wish::Guess(number));
                    }
                });
            }
        }
    });
}

fn task(ui: &mut Ui, course: &Course, wish: &mut Option<Wish>) {
    if course.step().task.is_none() {
        return;
    }
    // The answer of a guess would be seen: the guess comes first.
    if *course.guess() == GuessState::Open {
        return;
    }
    boxed(ui, |ui| {
        ui.label(RichText::new(if course.task_is_done() { "Done" } else { "Do" }).strong());
        ui.label(course.task_text());
        if course.task_is_done() {
            ui.label(RichText::new(course.done_text()).color(style::good(ui)));
        } else if ui.button("Show me").on_hover_text("does it for you").clicked() {
            *wish = Some(Wish::ShowMe);
        }
    });
}

fn buttons(ui: &mut Ui, course: &Course, wish: &mut Option<Wish>) {
    ui.horizontal(|ui| {
        let first = course.step_number().0 == 0;
        if ui.add_enabled(!first, Button::new("Back")).clicked() {
            *wish = Some(Wish::Back);
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let name = if course.is_last() { "Finish" } else { "Next" };
            let button = Button::new(RichText::new(name).strong()).min_size(egui::vec2(72.0, 26.0));
            let why = match course.guess() {
                GuessState::Open => "make your guess first",
                _ => "do the task first, or press Show me",
            };
            let response =
                ui.add_enabled(course.is_step_done(), button).on_disabled_hover_text(why);
            if response.accessible_name(format!("{name} step of the lesson")).clicked() {
                *wish = Some(Wish::Next);
            }
            let next = next_lesson(course.lesson()).filter(|_| course.is_last());
            if let Some(next) = next.filter(|_| course.is_step_done()) {
                let button = ui.button("Next lesson").on_hover_text(&next.title);
                if button.clicked() {
                    *wish = Some(Wish::NextLesson(Box::new(next)));
                }
            }
        });
    });
}
