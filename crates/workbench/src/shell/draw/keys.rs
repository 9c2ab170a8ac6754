//! Shortcuts, and the overlay that lists them.

use crate::map::{BRUSH_SIZES, MapMode, Tool};
use crate::mesh::MeshTool;
use crate::shared::View;
use crate::shared::draw::style;
use crate::shell::{Dialog, FilePurpose, Generator, Mode, Next, Shell};
use egui::{Context, Key, KeyboardShortcut, Modifiers};

/// One for each tool.
const DIGITS: [Key; Tool::ALL.len()] = [
    Key::Num1,
    Key::Num2,
    Key::Num3,
    Key::Num4,
    Key::Num5,
    Key::Num6,
    Key::Num7,
    Key::Num8,
    Key::Num9,
    Key::Num0,
];

/// What the overlay lists.
const KEYS: [(&str, &str); 31] = [
    ("left button", "draw with the tool; drag the start or the flag"),
    ("right button", "erase"),
    ("middle button, Space + drag", "move the map"),
    ("wheel, pinch, + and −", "zoom"),
    ("two fingers, Shift + arrows", "move the map"),
    ("F", "fit the map into the view"),
    ("1 … 9 and 0", "choose a tool"),
    ("[ and ]", "smaller or larger brush"),
    ("Space", "play or pause the search"),
    ("Left and Right", "one event back or on; with Ctrl 100"),
    (", and .", "one step of the search back or on: until the next cell is taken"),
    ("Page Up and Page Down", "to the end of the part of the query before or after"),
    ("Home and End", "first and last event"),
    ("C", "compare heuristics on this map"),
    ("T", "textbook form and optimised form side by side"),
    ("Ctrl + Shift + R, Ctrl + Shift + C", "copy the query as a Rust program, as a command"),
    ("Ctrl + Shift + L", "copy a link to what is on the screen"),
    ("B, or Shift + click", "set or remove a breakpoint on a cell"),
    ("Enter", "the next step of a lesson, once this one is done"),
    ("M", "show the map as a mesh"),
    ("Enter, in the mesh mode", "close the obstacle whose corners were clicked"),
    ("R", "find the path again; solve the puzzle"),
    ("P", "let an agent walk, or pause it"),
    ("X", "swap start and goal"),
    ("Esc", "cancel what is going on, close what is open"),
    ("H", "hide or show the panels"),
    ("Ctrl + Z, Ctrl + Y", "undo, redo"),
    ("Ctrl + N, Ctrl + G", "new blank map, generate a map"),
    ("Ctrl + O, or drop a file", "open a map, a PNG, a mesh, a graph or a setting"),
    ("Ctrl + S, Ctrl + E", "save the map, export the view"),
    ("?", "this list"),
];

/// Carries out the keys that were pressed, unless a text field wants them.
pub(crate) fn handle(context: &Context, shell: &mut Shell) {
    if context.input(|input| input.key_pressed(Key::Escape)) {
        escape(shell);
    }
    if context.text_edit_focused() || shell.dialog.is_some() {
        return;
    }
    commands(context, shell);
    if context.input(|input| input.events.iter().any(is_question_mark)) {
        shell.shows_keys = !shell.shows_keys;
    }
    let pressed = |key| context.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    if shell.mode != Mode::Start && pressed(Key::H) {
        shell.shows_panels = !shell.shows_panels;
    }
    match shell.mode {
        Mode::Start => {}
        Mode::Map => of_map(context, shell),
        Mode::Mesh => of_mesh(context, shell),
        Mode::Graph => {
            if pressed(Key::Comma) {
                shell.graph.go_step(false);
            }
            if pressed(Key::Period) {
                shell.graph.go_step(true);
            }
        }
        Mode::Puzzle => {
            if pressed(Key::R) {
                shell.puzzle.solve();
            }
        }
    }
    timeline(context, shell);
}

/// Keys of the mesh mode alone.
fn of_mesh(context: &Context, shell: &mut Shell) {
    let pressed = |key| context.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let mesh = shell.mesh();
    for (key, tool) in DIGITS.into_iter().zip(MeshTool::ALL) {
        if pressed(key) {
            mesh.tool = tool;
        }
    }
    if pressed(Key::F) {
        mesh.view.fit = true;
    }
    if pressed(Key::X) {
        mesh.swap_ends();
    }
    if pressed(Key::Enter) {
        mesh.close_obstacle();
    }
    movement(context, &mut mesh.view);
}

/// Keys of the map mode alone.
fn of_map(context: &Context, shell: &mut Shell) {
    let pressed = |key| context.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    for (key, tool) in DIGITS.into_iter().zip(Tool::ALL) {
        if pressed(key) {
            shell.map.hand.tool = tool;
        }
    }
    if pressed(Key::F) {
        shell.map.view.fit = true;
    }
    if pressed(Key::R) {
        shell.map.find_path();
    }
    if pressed(Key::M) {
        shell.show_mesh_of_map();
    }
    if pressed(Key::P) {
        shell.map.toggle_walk();
    }
    if pressed(Key::Comma) {
        shell.map.go_step(false);
    }
    if pressed(Key::Period) {
        shell.map.go_step(true);
    }
    if pressed(Key::C) {
        shell.map.compare_heuristics();
    }
    // What has the focus, such as a button, wants Enter for itself.
    if context.memory(|memory| memory.focused().is_none()) && pressed(Key::Enter) {
        let course = shell.map.teaching.course.as_ref();
        if course.is_some_and(|course| course.is_step_done()) {
            shell.map.go_lesson(true);
        }
    }
    if pressed(Key::T) {
        shell.map.toggle_textbook_beside();
    }
    if pressed(Key::X) {
        shell.map.swap_places();
    }
    if pressed(Key::B)
        && let Some(cell) = shell.map.hand.pointer.hovered
    {
        shell.map.player.toggle_cell_breakpoint(cell);
    }
    if pressed(Key::OpenBracket) {
        resize_brush(&mut shell.map, -1);
    }
    if pressed(Key::CloseBracket) {
        resize_brush(&mut shell.map, 1);
    }
    movement(context, &mut shell.map.view);
}

fn is_question_mark(event: &egui::Event) -> bool {
    matches!(event, egui::Event::Text(text) if text == "?")
}

fn escape(shell: &mut Shell) {
    if shell.shows_keys {
        shell.shows_keys = false;
    } else if shell.dialog.is_some() {
        shell.close_dialog();
    } else if shell.map.teaching.comparison.take().is_some() {
        // That closes the comparison of heuristics.
    } else if shell.map.hand.pointer.gesture.is_some() {
        shell.map.drop_gesture();
    } else if shell.mode == Mode::Mesh && shell.mesh().drop_corners() {
        // That drops the obstacle that was being drawn.
    } else {
        shell.news = None;
        shell.cancel();
    }
}

fn commands(context: &Context, shell: &mut Shell) {
    let hit = |modifiers, key| {
        context.input_mut(|input| input.consume_shortcut(&KeyboardShortcut::new(modifiers, key)))
    };
    let shift = Modifiers::COMMAND.plus(Modifiers::SHIFT);
    if hit(shift, Key::Z) || hit(Modifiers::COMMAND, Key::Y) {
        shell.redo();
    }
    if hit(Modifiers::COMMAND, Key::Z) {
        shell.undo();
    }
    if hit(Modifiers::COMMAND, Key::O) {
        shell.ask_for_file(FilePurpose::Open);
    }
    if hit(Modifiers::COMMAND, Key::N) {
        shell.careful(Next::Show(Box::new(Dialog::New { width: 96, height: 64 })));
    }
    if hit(Modifiers::COMMAND, Key::G) {
        shell.careful(Next::Show(Box::new(Dialog::Generate(Generator::new()))));
    }
    if shell.page_address.is_empty() && hit(Modifiers::COMMAND, Key::Q) {
        shell.careful(Next::Quit);
    }
    // What is not seen is not saved or copied by mistake.
    if matches!(shell.mode, Mode::Mesh | Mode::Graph | Mode::Puzzle) {
        return;
    }
    if hit(shift, Key::S) {
        shell.ask_for_file(FilePurpose::SaveMap);
    }
    if hit(shift, Key::L)
        && let Some(link) = shell.copy_link()
    {
        context.copy_text(link);
    }
    if hit(shift, Key::R)
        && let Some(text) = shell.map.copy_as_rust()
    {
        context.copy_text(text);
    }
    if hit(shift, Key::C)
        && let Some(text) = shell.map.copy_as_command()
    {
        context.copy_text(text);
    }
    if hit(Modifiers::COMMAND, Key::S) {
        shell.save();
    }
    if hit(Modifiers::COMMAND, Key::E) {
        shell.ask_for_file(FilePurpose::ExportPng);
    }
}

fn resize_brush(map: &mut MapMode, by: i32) {
    let at = BRUSH_SIZES.iter().position(|&size| size == map.hand.brush.size).unwrap_or(0);
    let next = (at as i32 + by).clamp(0, BRUSH_SIZES.len() as i32 - 1);
    map.hand.brush.size = BRUSH_SIZES[next as usize];
}

/// Plays, pauses and goes through what the mode in front plays.
fn timeline(context: &Context, shell: &mut Shell) {
    let Some(player) = shell.player() else { return };
    let hit =
        |modifiers, key| context.input_mut(|input| input.count_and_consume_key(modifiers, key));
    // What has the focus, such as a slider, wants the arrows for itself.
    if context.memory(|memory| memory.focused().is_none()) {
        let (back, on) = (Key::ArrowLeft, Key::ArrowRight);
        let far = hit(Modifiers::COMMAND, on) as i64 - hit(Modifiers::COMMAND, back) as i64;
        let steps = 100 * far + hit(Modifiers::NONE, on) as i64 - hit(Modifiers::NONE, back) as i64;
        if steps != 0 {
            player.step(steps);
        }
    }
    if hit(Modifiers::NONE, Key::PageUp) > 0 {
        player.go_part(false);
    }
    if hit(Modifiers::NONE, Key::PageDown) > 0 {
        player.go_part(true);
    }
    if hit(Modifiers::NONE, Key::Home) > 0 {
        player.pause();
        player.jump(0);
    }
    if hit(Modifiers::NONE, Key::End) > 0 {
        player.pause();
        player.jump(usize::MAX);
    }
    // Space plays when it goes up again, unless the map was moved with it.
    let (released, moved) =
        context.input(|input| (input.key_released(Key::Space), input.pointer.any_down()));
    if moved {
        shell.map.hand.pointer.space_was_for_moving = true;
    }
    if released {
        if !shell.map.hand.pointer.space_was_for_moving
            && context.memory(|memory| memory.focused().is_none())
            && let Some(player) = shell.player()
        {
            player.toggle();
        }
        shell.map.hand.pointer.space_was_for_moving = false;
    } else if !context.input(|input| input.key_down(Key::Space)) && !moved {
        shell.map.hand.pointer.space_was_for_moving = false;
    }
}

fn movement(context: &Context, view: &mut View) {
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
            view.pan(by);
        }
    }
    let (larger, smaller) = context.input(|input| {
        let any = |keys: &[Key]| keys.iter().any(|&key| input.key_pressed(key));
        (any(&[Key::Plus, Key::Equals]), any(&[Key::Minus]))
    });
    if larger {
        view.zoom_middle(1.25);
    }
    if smaller {
        view.zoom_middle(0.8);
    }
}

/// Shows the list of keys.
pub(crate) fn show_overlay(context: &Context, shell: &mut Shell) {
    if !shell.shows_keys {
        return;
    }
    let room = context.content_rect().height() - 160.0;
    let modal = egui::Modal::new(egui::Id::unique("keys")).frame(style::dialog_frame(context));
    let shown = modal.show(context, |ui| {
        ui.set_width(640.0_f32.min(context.content_rect().width() - 64.0));
        ui.heading("Keys and mouse");
        ui.add_space(8.0);
        egui::ScrollArea::vertical().max_height(room).show(ui, |ui| {
            egui::Grid::new("keys").num_columns(2).spacing([24.0, 4.0]).show(ui, |ui| {
                for (keys, what) in KEYS {
                    ui.strong(keys);
                    ui.label(what);
                    ui.end_row();
                }
            });
        });
        ui.add_space(8.0);
        ui.button("Close").clicked()
    });
    if shown.inner || shown.should_close() {
        shell.shows_keys = false;
    }
}
