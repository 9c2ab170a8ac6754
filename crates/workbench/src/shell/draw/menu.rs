//! The bar at the top.

use crate::shell::{Dialog, FilePurpose, Generator, Mode, Next, Shell};
use crate::teach::lesson::BUILTIN_LESSONS;
use egui::{Align, Button, Layout, MenuBar, RectAlign, Response, Tooltip, Ui};
use highroad_lab::builtin::BUILTIN_MAPS;
use highroad_pictures::Theme;

/// Shows the menus, and at the right what the map is.
pub(crate) fn show(ui: &mut Ui, shell: &mut Shell) {
    MenuBar::new().ui(ui, |ui| {
        ui.menu_button("File", |ui| file(ui, shell));
        ui.menu_button("Edit", |ui| edit(ui, shell));
        ui.menu_button("View", |ui| view(ui, shell));
        ui.menu_button("Run", |ui| run(ui, shell));
        ui.menu_button("Lessons", |ui| lessons(ui, shell));
        ui.menu_button("Help", |ui| help(ui, shell));
        ui.separator();
        for mode in Mode::ALL {
            if ui.selectable_label(shell.mode == mode, mode.name()).clicked() {
                shell.mode = mode;
            }
        }
        if shell.mode == Mode::Start {
            return;
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let (text, help) = about(shell);
            let text = egui::RichText::new(text).color(ui.visuals().weak_text_color());
            ui.add(egui::Label::new(text).truncate()).on_hover_text(help);
        });
    });
}

/// What is open in the mode in front, and what that says.
fn about(shell: &Shell) -> (String, &'static str) {
    match shell.mode {
        Mode::Graph => {
            let graph = shell.graph.graph();
            let (nodes, edges) = (graph.node_count(), graph.edge_count());
            let text = format!("{}  ·  {nodes} nodes  ·  {edges} edges", shell.graph.name);
            (text, "the graph's name, its nodes, and its edges: each direction counts")
        }
        Mode::Mesh => match &shell.mesh {
            Some(mode) => {
                let (polygons, obstacles) =
                    (mode.mesh().polygon_count(), mode.mesh().obstacles().count());
                let word = if obstacles == 1 { "obstacle" } else { "obstacles" };
                let text = format!("{}  ·  {polygons} polygons  ·  {obstacles} {word}", mode.name);
                (text, "the mesh's name, its polygons, and what stands on it")
            }
            None => (String::new(), ""),
        },
        Mode::Puzzle => (format!("{} puzzle", shell.puzzle.tiles()), "how many tiles there are"),
        Mode::Start | Mode::Map => {
            let extent = shell.map.document.extent();
            let changed = if shell.has_unsaved_changes() { " *" } else { "" };
            let text = format!(
                "{}{changed}  ·  {} × {}  ·  {:.0} % walkable",
                shell.map.document.name,
                extent.width(),
                extent.height(),
                shell.map.document.walkable_percent()
            );
            (text, "the map's name, its size in cells, and how much of it can be entered")
        }
    }
}

fn item(ui: &mut Ui, enabled: bool, name: &str, keys: &str) -> bool {
    let button = ui.add_enabled(enabled, Button::new(name).shortcut_text(keys));
    let clicked = button.accessible_name(name).clicked();
    if clicked {
        ui.close();
    }
    clicked
}

/// A tooltip at the right of an entry, where it does not cover the entry below.
fn tooltip_beside(entry: &Response, text: &str) {
    let mut tooltip = Tooltip::for_enabled(entry);
    tooltip.popup = tooltip.popup.align(RectAlign::RIGHT_START);
    tooltip.show(|ui| ui.label(text));
}

fn file(ui: &mut Ui, shell: &mut Shell) {
    ui.set_min_width(240.0);
    if item(ui, true, "New blank map…", "Ctrl+N") {
        shell.careful(Next::Show(Box::new(Dialog::New { width: 96, height: 64 })));
    }
    if item(ui, true, "Generate a map…", "Ctrl+G") {
        shell.careful(Next::Show(Box::new(Dialog::Generate(Generator::new()))));
    }
    ui.menu_button("Built-in maps", |ui| {
        for builtin in BUILTIN_MAPS {
            let button = ui.button(builtin.name);
            tooltip_beside(&button, builtin.summary);
            if button.clicked() {
                shell.open_builtin(builtin);
                ui.close();
            }
        }
    });
    ui.separator();
    if item(ui, true, "Open…", "Ctrl+O") {
        shell.ask_for_file(FilePurpose::Open);
    }
    let recent = shell.preferences.recent.clone();
    ui.add_enabled_ui(!recent.is_empty(), |ui| {
        ui.menu_button("Recent files", |ui| {
            for path in recent {
                let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                let place = path.display().to_string();
                let button = ui.button(name.as_ref());
                tooltip_beside(&button, &place);
                if button.clicked() {
                    shell.careful(Next::Open(path));
                    ui.close();
                }
            }
        });
    });
    ui.separator();
    let has_map = matches!(shell.mode, Mode::Start | Mode::Map);
    if item(ui, has_map, "Save map", "Ctrl+S") {
        shell.save();
    }
    for (name, keys, purpose) in [
        ("Save map as…", "Ctrl+Shift+S", FilePurpose::SaveMap),
        ("Save setting…", "", FilePurpose::SaveSetting),
        ("Export the view as PNG…", "Ctrl+E", FilePurpose::ExportPng),
        ("Export the view as SVG…", "", FilePurpose::ExportSvg),
        ("Export the search for Posthoc…", "", FilePurpose::ExportTrace),
        ("Export the search as animated PNG…", "", FilePurpose::ExportAnimation),
    ] {
        if item(ui, has_map, name, keys) {
            shell.ask_for_file(purpose);
        }
    }
    // A page is closed by the browser.
    if shell.page_address.is_empty() {
        ui.separator();
        if item(ui, true, "Quit", "Ctrl+Q") {
            shell.careful(Next::Quit);
        }
    }
}

fn edit(ui: &mut Ui, shell: &mut Shell) {
    ui.set_min_width(160.0);
    let (can_undo, can_redo) = shell.can_undo_redo();
    if item(ui, can_undo, "Undo", "Ctrl+Z") {
        shell.undo();
    }
    if item(ui, can_redo, "Redo", "Ctrl+Y") {
        shell.redo();
    }
    ui.separator();
    let (is_map, is_mesh) = (shell.mode == Mode::Map, shell.mode == Mode::Mesh);
    if item(ui, is_map || is_mesh, "Swap start and goal", "X") {
        shell.swap_ends();
    }
    ui.separator();
    if item(ui, is_map, "Copy link", "Ctrl+Shift+L")
        && let Some(link) = shell.copy_link()
    {
        ui.copy_text(link);
    }
    if item(ui, is_map, "Copy as Rust", "Ctrl+Shift+R")
        && let Some(text) = shell.map.copy_as_rust()
    {
        ui.copy_text(text);
    }
    if item(ui, is_map, "Copy as command", "Ctrl+Shift+C")
        && let Some(text) = shell.map.copy_as_command()
    {
        ui.copy_text(text);
    }
}

fn lessons(ui: &mut Ui, shell: &mut Shell) {
    ui.set_min_width(260.0);
    for (number, builtin) in BUILTIN_LESSONS.iter().enumerate() {
        let Ok(lesson) = builtin.read() else { continue };
        let name = format!("{}. {}", number + 1, lesson.title);
        let help = format!("{} About {} minutes.", lesson.summary, lesson.minutes);
        let is_done = shell.preferences.lessons_done.contains(&lesson.title);
        let button = Button::new(&name).shortcut_text(if is_done { "done" } else { "" });
        let button = ui.add(button).accessible_name(&name);
        tooltip_beside(&button, &help);
        if button.clicked() {
            shell.careful(Next::Learn(Box::new(lesson)));
            ui.close();
        }
    }
    ui.separator();
    if item(ui, true, "Open a lesson from a file…", "") {
        shell.ask_for_file(FilePurpose::Open);
    }
}

fn view(ui: &mut Ui, shell: &mut Shell) {
    ui.set_min_width(200.0);
    let is_map = shell.mode == Mode::Map;
    let has_view = shell.view().is_some();
    if item(ui, has_view, "Fit the map", "F")
        && let Some(view) = shell.view()
    {
        view.fit = true;
    }
    for (name, keys, factor) in [("Zoom in", "+", 1.4), ("Zoom out", "−", 1.0 / 1.4)] {
        if item(ui, has_view, name, keys)
            && let Some(view) = shell.view()
        {
            view.zoom_middle(factor);
        }
    }
    if item(ui, matches!(shell.mode, Mode::Start | Mode::Map), "Show the map as a mesh", "M") {
        shell.show_mesh_of_map();
    }
    if item(ui, is_map, "Compare heuristics", "C") {
        shell.map.compare_heuristics();
    }
    ui.separator();
    ui.checkbox(&mut shell.shows_panels, "Panels").on_hover_text("H hides and shows them");
    ui.separator();
    for (theme, name) in [(Theme::Dark, "Dark"), (Theme::Light, "Light")] {
        ui.radio_value(&mut shell.preferences.theme, theme, name);
    }
}

fn run(ui: &mut Ui, shell: &mut Shell) {
    ui.set_min_width(200.0);
    let is_map = shell.mode == Mode::Map;
    match shell.mode {
        Mode::Puzzle => {
            if item(ui, true, "Solve the puzzle", "R") {
                shell.puzzle.solve();
            }
        }
        _ => {
            if item(ui, is_map, "Find a path", "R") {
                shell.map.find_path();
            }
        }
    }
    if item(ui, shell.busy().is_some(), "Cancel", "Esc") {
        shell.cancel();
    }
    ui.separator();
    let what = if shell.mode == Mode::Puzzle { "solution" } else { "search" };
    let player = shell.player();
    let is_playing = player.as_ref().is_some_and(|player| player.is_playing());
    let word = format!("{} the {what}", if is_playing { "Pause" } else { "Play" });
    let can_play = player.as_ref().is_some_and(|player| player.position().1 > 0);
    if item(ui, can_play, &word, "Space")
        && let Some(player) = shell.player()
    {
        player.toggle();
    }
    if item(ui, is_map && !shell.map.path_cells().is_empty(), "Walk the path", "P") {
        shell.map.toggle_walk();
    }
}

fn help(ui: &mut Ui, shell: &mut Shell) {
    ui.set_min_width(200.0);
    if item(ui, true, "Keys and mouse", "?") {
        shell.shows_keys = true;
    }
    ui.separator();
    ui.weak(format!("Highroad {}", env!("CARGO_PKG_VERSION")));
}
