//! The bar at the top.

use crate::model::{Bench, Dialog, FilePurpose, Generator, Next};
use egui::{Align, Button, Layout, MenuBar, Ui};
use highroad_lab::builtin::BUILTIN_MAPS;
use highroad_pictures::Theme;

/// Shows the menus, and at the right what the map is.
pub(super) fn show(ui: &mut Ui, bench: &mut Bench, panels: &mut bool) {
    MenuBar::new().ui(ui, |ui| {
        ui.menu_button("File", |ui| file(ui, bench));
        ui.menu_button("Edit", |ui| edit(ui, bench));
        ui.menu_button("View", |ui| view(ui, bench, panels));
        ui.menu_button("Run", |ui| run(ui, bench));
        ui.menu_button("Help", |ui| help(ui, bench));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let extent = bench.document.extent();
            let changed = if bench.document.is_changed { " *" } else { "" };
            let text = format!(
                "{}{changed}  ·  {} × {}  ·  {:.0} % walkable",
                bench.document.name,
                extent.width(),
                extent.height(),
                bench.document.walkable_percent()
            );
            ui.weak(text).on_hover_text(
                "the map's name, its size in cells, and how much of it can be entered",
            );
        });
    });
}

fn item(ui: &mut Ui, enabled: bool, name: &str, keys: &str) -> bool {
    let button = ui.add_enabled(enabled, Button::new(name).shortcut_text(keys));
    let clicked = button.accessible_name(name).clicked();
    if clicked {
        ui.close();
    }
    clicked
}

fn file(ui: &mut Ui, bench: &mut Bench) {
    ui.set_min_width(240.0);
    if item(ui, true, "New blank map…", "Ctrl+N") {
        bench.careful(Next::Show(Box::new(Dialog::New { width: 96, height: 64 })));
    }
    if item(ui, true, "Generate a map…", "Ctrl+G") {
        bench.careful(Next::Show(Box::new(Dialog::Generate(Generator::new()))));
    }
    ui.menu_button("Built-in maps", |ui| {
        for builtin in BUILTIN_MAPS {
            if ui.button(builtin.name).on_hover_text(builtin.summary).clicked() {
                bench.open_builtin(builtin);
                ui.close();
            }
        }
    });
    ui.separator();
    if item(ui, true, "Open…", "Ctrl+O") {
        bench.ask_for_file(FilePurpose::Open);
    }
    let recent = bench.preferences.recent.clone();
    ui.add_enabled_ui(!recent.is_empty(), |ui| {
        ui.menu_button("Recent files", |ui| {
            for path in recent {
                let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                let place = path.display().to_string();
                if ui.button(name.as_ref()).on_hover_text(place).clicked() {
                    bench.careful(Next::Open(path));
                    ui.close();
                }
            }
        });
    });
    ui.separator();
    if item(ui, true, "Save map", "Ctrl+S") {
        bench.save();
    }
    for (name, keys, purpose) in [
        ("Save map as…", "Ctrl+Shift+S", FilePurpose::SaveMap),
        ("Save setting…", "", FilePurpose::SaveSetting),
        ("Export the view as PNG…", "Ctrl+E", FilePurpose::ExportPng),
        ("Export the view as SVG…", "", FilePurpose::ExportSvg),
        ("Export the search for Posthoc…", "", FilePurpose::ExportTrace),
    ] {
        if item(ui, true, name, keys) {
            bench.ask_for_file(purpose);
        }
    }
    ui.separator();
    if item(ui, true, "Quit", "Ctrl+Q") {
        bench.careful(Next::Quit);
    }
}

fn edit(ui: &mut Ui, bench: &mut Bench) {
    ui.set_min_width(160.0);
    if item(ui, bench.document.can_undo(), "Undo", "Ctrl+Z") {
        bench.undo();
    }
    if item(ui, bench.document.can_redo(), "Redo", "Ctrl+Y") {
        bench.redo();
    }
    ui.separator();
    if item(ui, true, "Swap start and goal", "X") {
        bench.swap_places();
    }
}

fn view(ui: &mut Ui, bench: &mut Bench, panels: &mut bool) {
    ui.set_min_width(200.0);
    if item(ui, true, "Fit the map", "F") {
        bench.view.fit = true;
    }
    if item(ui, true, "Zoom in", "+") {
        bench.zoom_middle(1.4);
    }
    if item(ui, true, "Zoom out", "−") {
        bench.zoom_middle(1.0 / 1.4);
    }
    ui.separator();
    ui.checkbox(panels, "Panels").on_hover_text("H hides and shows them");
    ui.separator();
    for (theme, name) in [(Theme::Dark, "Dark"), (Theme::Light, "Light")] {
        ui.radio_value(&mut bench.preferences.theme, theme, name);
    }
}

fn run(ui: &mut Ui, bench: &mut Bench) {
    ui.set_min_width(200.0);
    if item(ui, true, "Find a path", "R") {
        bench.run();
    }
    if item(ui, bench.busy().is_some(), "Cancel", "Esc") {
        bench.cancel();
    }
    ui.separator();
    let word = if bench.player.is_playing() { "Pause the search" } else { "Play the search" };
    if item(ui, bench.player.replay().is_some(), word, "Space") {
        bench.player.toggle();
    }
    if item(ui, !bench.path_cells().is_empty(), "Walk the path", "P") {
        bench.toggle_walk();
    }
}

fn help(ui: &mut Ui, bench: &mut Bench) {
    ui.set_min_width(200.0);
    if item(ui, true, "Keys and mouse", "?") {
        bench.shows_keys = true;
    }
    ui.separator();
    ui.weak(format!("Highroad {}", env!("CARGO_PKG_VERSION")));
}
