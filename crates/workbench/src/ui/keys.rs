//! Shortcuts, and the overlay that lists them.

use crate::model::{BRUSH_SIZES, Bench, Dialog, FilePurpose, Generator, Next, Tool};
use egui::{Context, Key, KeyboardShortcut, Modifiers};

const DIGITS: [Key; 8] =
    [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8];

/// What the overlay lists.
const KEYS: [(&str, &str); 22] = [
    ("left button", "draw with the tool; drag the start or the flag"),
    ("right button", "erase"),
    ("middle button, Space + drag", "move the map"),
    ("wheel, pinch, + and −", "zoom"),
    ("two fingers, Shift + arrows", "move the map"),
    ("F", "fit the map into the view"),
    ("1 … 8", "choose a tool"),
    ("[ and ]", "smaller or larger brush"),
    ("Space", "play or pause the search"),
    ("Left and Right", "one event back or on; with Ctrl 100"),
    ("Home and End", "first and last event"),
    ("Alt + click", "set or remove a breakpoint on a cell"),
    ("R", "find the path again"),
    ("P", "let an agent walk, or pause it"),
    ("X", "swap start and goal"),
    ("Esc", "cancel what is going on, close what is open"),
    ("H", "hide or show the panels"),
    ("Ctrl + Z, Ctrl + Y", "undo, redo"),
    ("Ctrl + N, Ctrl + G", "new blank map, generate a map"),
    ("Ctrl + O, or drop a file", "open a map, a PNG or a setting"),
    ("Ctrl + S, Ctrl + E", "save the map, export the view"),
    ("?", "this list"),
];

/// Carries out the keys that were pressed, unless a text field wants them.
pub(super) fn handle(context: &Context, bench: &mut Bench, panels: &mut bool) {
    if context.input(|input| input.key_pressed(Key::Escape)) {
        escape(bench);
    }
    if context.text_edit_focused() || bench.dialog.is_some() {
        return;
    }
    commands(context, bench);
    let pressed = |key| context.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    for (key, tool) in DIGITS.into_iter().zip(Tool::ALL) {
        if pressed(key) {
            bench.tool = tool;
        }
    }
    if pressed(Key::F) {
        bench.view.fit = true;
    }
    if pressed(Key::R) {
        bench.run();
    }
    if pressed(Key::P) {
        bench.toggle_walk();
    }
    if pressed(Key::X) {
        bench.swap_places();
    }
    if pressed(Key::H) {
        *panels = !*panels;
    }
    if pressed(Key::OpenBracket) {
        resize_brush(bench, -1);
    }
    if pressed(Key::CloseBracket) {
        resize_brush(bench, 1);
    }
    if context.input(|input| input.events.iter().any(is_question_mark)) {
        bench.shows_keys = !bench.shows_keys;
    }
    timeline(context, bench);
    movement(context, bench);
}

fn is_question_mark(event: &egui::Event) -> bool {
    matches!(event, egui::Event::Text(text) if text == "?")
}

fn escape(bench: &mut Bench) {
    if bench.shows_keys {
        bench.shows_keys = false;
    } else if bench.dialog.is_some() {
        bench.dialog = None;
    } else if bench.pointer.gesture.is_some() {
        bench.drop_gesture();
    } else {
        bench.news = None;
        bench.cancel();
    }
}

fn commands(context: &Context, bench: &mut Bench) {
    let hit = |modifiers, key| {
        context.input_mut(|input| input.consume_shortcut(&KeyboardShortcut::new(modifiers, key)))
    };
    let shift = Modifiers::COMMAND.plus(Modifiers::SHIFT);
    if hit(shift, Key::Z) || hit(Modifiers::COMMAND, Key::Y) {
        bench.redo();
    }
    if hit(Modifiers::COMMAND, Key::Z) {
        bench.undo();
    }
    if hit(shift, Key::S) {
        bench.ask_for_file(FilePurpose::SaveMap);
    }
    if hit(Modifiers::COMMAND, Key::S) {
        bench.save();
    }
    if hit(Modifiers::COMMAND, Key::O) {
        bench.ask_for_file(FilePurpose::Open);
    }
    if hit(Modifiers::COMMAND, Key::E) {
        bench.ask_for_file(FilePurpose::ExportPng);
    }
    if hit(Modifiers::COMMAND, Key::N) {
        bench.careful(Next::Show(Box::new(Dialog::New { width: 96, height: 64 })));
    }
    if hit(Modifiers::COMMAND, Key::G) {
        bench.careful(Next::Show(Box::new(Dialog::Generate(Generator::new()))));
    }
    if hit(Modifiers::COMMAND, Key::Q) {
        bench.careful(Next::Quit);
    }
}

fn resize_brush(bench: &mut Bench, by: i32) {
    let at = BRUSH_SIZES.iter().position(|&size| size == bench.brush.size).unwrap_or(0);
    let next = (at as i32 + by).clamp(0, BRUSH_SIZES.len() as i32 - 1);
    bench.brush.size = BRUSH_SIZES[next as usize];
}

fn timeline(context: &Context, bench: &mut Bench) {
    let hit =
        |modifiers, key| context.input_mut(|input| input.count_and_consume_key(modifiers, key));
    let (back, on) = (Key::ArrowLeft, Key::ArrowRight);
    let far = hit(Modifiers::COMMAND, on) as i64 - hit(Modifiers::COMMAND, back) as i64;
    let steps = 100 * far + hit(Modifiers::NONE, on) as i64 - hit(Modifiers::NONE, back) as i64;
    if steps != 0 && context.memory(|memory| memory.focused().is_none()) {
        bench.player.step(steps);
    }
    if hit(Modifiers::NONE, Key::Home) > 0 {
        bench.player.pause();
        bench.player.jump(0);
    }
    if hit(Modifiers::NONE, Key::End) > 0 {
        bench.player.pause();
        bench.player.jump(usize::MAX);
    }
    // Space plays when it goes up again, unless the map was moved with it.
    let (released, moved) =
        context.input(|input| (input.key_released(Key::Space), input.pointer.any_down()));
    if moved {
        bench.pointer.space_was_for_moving = true;
    }
    if released {
        if !bench.pointer.space_was_for_moving
            && context.memory(|memory| memory.focused().is_none())
        {
            bench.player.toggle();
        }
        bench.pointer.space_was_for_moving = false;
    } else if !context.input(|input| input.key_down(Key::Space)) && !moved {
        bench.pointer.space_was_for_moving = false;
    }
}

fn movement(context: &Context, bench: &mut Bench) {
    let hit = |key| context.input_mut(|input| input.consume_key(Modifiers::SHIFT, key));
    let step = 64.0;
    let arrows = [
        (Key::ArrowUp, (0.0, step)),
        (Key::ArrowDown, (0.0, -step)),
        (Key::ArrowLeft, (step, 0.0)),
        (Key::ArrowRight, (-step, 0.0)),
    ];
    for (key, by) in arrows {
        if hit(key) {
            bench.view.pan(by);
        }
    }
    let (larger, smaller) = context.input(|input| {
        let any = |keys: &[Key]| keys.iter().any(|&key| input.key_pressed(key));
        (any(&[Key::Plus, Key::Equals]), any(&[Key::Minus]))
    });
    if larger {
        bench.zoom_middle(1.25);
    }
    if smaller {
        bench.zoom_middle(0.8);
    }
}

/// Shows the list of keys.
pub(super) fn show_overlay(context: &Context, bench: &mut Bench) {
    if !bench.shows_keys {
        return;
    }
    let shown = egui::Modal::new(egui::Id::unique("keys")).show(context, |ui| {
        ui.set_width(480.0);
        ui.heading("Keys and mouse");
        ui.add_space(8.0);
        egui::Grid::new("keys").num_columns(2).spacing([24.0, 6.0]).show(ui, |ui| {
            for (keys, what) in KEYS {
                ui.strong(keys);
                ui.label(what);
                ui.end_row();
            }
        });
        ui.add_space(8.0);
        ui.button("Close").clicked()
    });
    if shown.inner || shown.should_close() {
        bench.shows_keys = false;
    }
}
