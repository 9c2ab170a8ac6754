//! The windows in front of the map.

use crate::map::{Document, MapOrigin, MovementChoice};
use crate::seams::Files;
use crate::shared::draw::style;
use crate::shell::{Browser, Dialog, FilePurpose, Generator, Next, Shell};
use egui::{ColorImage, Context, DragValue, Modal, Slider, TextureHandle, TextureOptions, Ui};
use highroad::GridMap;
use highroad::grid::{Grid, SIDE_MAX};
use highroad_lab::generate::Layout;
use highroad_pictures::{Scene, Theme, Viewport};

/// A picture of the map that a window is about.
#[derive(Default)]
pub(crate) struct Preview {
    texture: Option<TextureHandle>,
    /// What it shows.
    of: String,
}

/// The largest side of a preview, in pixels.
const PREVIEW_SIDE: u32 = 280;

impl Preview {
    /// Shows a map, rebuilt if `of` says that it is another.
    fn show(&mut self, ui: &mut Ui, of: String, map: &Grid, theme: Theme) {
        if self.of != of || self.texture.is_none() {
            let image = picture(map, theme);
            let options = TextureOptions::NEAREST;
            self.texture = Some(ui.ctx().load_texture("preview", image, options));
            self.of = of;
        }
        if let Some(texture) = &self.texture {
            let image = egui::Image::new((texture.id(), texture.size_vec2()));
            let largest = egui::Vec2::splat(PREVIEW_SIDE as f32);
            ui.add(image.fit_to_exact_size(largest).alt_text("Preview of the map"));
        }
    }
}

/// A map with as many pixels as a preview has, as it looks in the window: with its heights, borders and links.
fn picture(grid: &Grid, theme: Theme) -> ColorImage {
    let extent = grid.extent();
    let side = extent.width().max(extent.height());
    let scale = match PREVIEW_SIDE / side {
        0 => 1.0 / side.div_ceil(PREVIEW_SIDE) as f32,
        times => times as f32,
    };
    let pixels = |cells: u32| (cells as f32 * scale).ceil().max(1.0);
    let size = (pixels(extent.width()), pixels(extent.height()));
    let viewport = Viewport { origin: (0.0, 0.0), scale, corner: (0.0, 0.0), size };
    style::image(&Scene { theme, ..Scene::new(grid) }.to_canvas(&viewport))
}

/// What a window's buttons ask for.
enum Asked {
    Nothing,
    Close,
    Blank(u32, u32),
    Map(String, Box<GridMap>),
    File(std::path::PathBuf),
    Replace,
    GoOn,
    SaveFirst,
}

/// Shows the window that is in front, if there is one.
pub(crate) fn show(context: &Context, shell: &mut Shell, preview: &mut Preview) {
    let Some(mut dialog) = shell.dialog.take() else {
        *preview = Preview::default();
        return;
    };
    let files = std::sync::Arc::clone(&shell.seams().files);
    let (name, theme) = (shell.map.document.name.clone(), shell.preferences.theme);
    let modal = Modal::new(egui::Id::unique("dialog")).frame(style::dialog_frame(context));
    let shown = modal.show(context, |ui| match &mut dialog {
        Dialog::File(browser) => show_browser(ui, browser, &*files),
        Dialog::New { width, height } => show_new(ui, width, height),
        Dialog::Generate(generator) => show_generator(ui, generator, preview, theme),
        Dialog::Import { name, picture, threshold, preview: map } => {
            ui.set_width(320.0);
            ui.heading("A picture becomes a map");
            let (width, height) = picture.size();
            ui.weak(format!("{name}: {width} × {height} cells. Dark is wall."));
            if ui.add(Slider::new(threshold, 0..=255).text("threshold")).changed() {
                *map = picture.to_map(*threshold).ok().map(Grid::with_defaults);
            }
            if let Some(map) = map {
                preview.show(ui, format!("{name} {threshold}"), map, theme);
            }
            buttons(ui, map.is_some(), "Create", || match map {
                Some(grid) => Asked::Map(name.clone(), Box::new(grid.map().clone())),
                None => Asked::Nothing,
            })
        }
        Dialog::Discard(_) => show_discard(ui, &name),
        Dialog::Replace { path, .. } => show_replace(ui, path),
    });
    let asked = if shown.should_close() { Asked::Close } else { shown.inner };
    carry_out(shell, dialog, asked);
}

fn carry_out(shell: &mut Shell, dialog: Dialog, asked: Asked) {
    match (asked, dialog) {
        (Asked::Nothing, dialog) => shell.dialog = Some(dialog),
        (Asked::Blank(width, height), _) => shell.new_blank(width, height),
        (Asked::Map(name, map), dialog) => {
            let mut document = Document::new(name, *map, MovementChoice::default(), None);
            if let Dialog::Generate(generator) = dialog {
                document.origin = Some(MapOrigin::Recipe(generator.recipe));
            }
            shell.go_on(Next::Take(Box::new(document)));
        }
        (Asked::File(path), Dialog::File(browser)) => shell.choose_file(browser, path),
        (Asked::Replace, Dialog::Replace { purpose, path }) => shell.write_file(purpose, path),
        (Asked::GoOn, Dialog::Discard(next)) => shell.go_on(*next),
        (Asked::SaveFirst, Dialog::Discard(next)) => shell.save_and_go_on(*next),
        _ => shell.close_dialog(),
    }
}

/// The button that does it, and one that does not. Enter does it, too.
fn buttons(ui: &mut Ui, ready: bool, word: &str, accept: impl FnOnce() -> Asked) -> Asked {
    ui.add_space(8.0);
    let entered = ready && ui.input(|input| input.key_pressed(egui::Key::Enter));
    let (mut accepted, mut cancelled) = (entered, false);
    ui.horizontal(|ui| {
        let strong = egui::Button::new(egui::RichText::new(word).strong());
        accepted |= ui.add_enabled(ready, strong).accessible_name(word).clicked();
        cancelled = ui.button("Cancel").clicked();
    });
    match (accepted, cancelled) {
        (true, _) => accept(),
        (_, true) => Asked::Close,
        _ => Asked::Nothing,
    }
}

fn show_new(ui: &mut Ui, width: &mut u32, height: &mut u32) -> Asked {
    ui.set_width(240.0);
    ui.heading("New blank map");
    sides(ui, width, height);
    let size = (*width, *height);
    buttons(ui, true, "Create", || Asked::Blank(size.0, size.1))
}

fn sides(ui: &mut Ui, width: &mut u32, height: &mut u32) {
    for (name, side) in [("columns", width), ("rows", height)] {
        ui.horizontal(|ui| {
            ui.add(DragValue::new(side).range(1..=SIDE_MAX)).accessible_name(name);
            ui.weak(name);
        });
    }
}

fn show_generator(
    ui: &mut Ui,
    generator: &mut Generator,
    preview: &mut Preview,
    theme: Theme,
) -> Asked {
    ui.set_width(576.0);
    ui.heading("Generate a map");
    ui.horizontal_top(|ui| {
        ui.vertical(|ui| {
            ui.set_width(272.0);
            layouts(ui, generator);
            let recipe = &mut generator.recipe;
            sides(ui, &mut recipe.width, &mut recipe.height);
            parameters(ui, &mut recipe.layout);
            ui.horizontal(|ui| {
                ui.add(DragValue::new(&mut recipe.seed)).accessible_name("seed");
                ui.weak("seed").on_hover_text("another seed is another map of the same kind");
                if ui.button("Another").clicked() {
                    recipe.seed = recipe.seed.wrapping_add(1);
                }
            });
        });
        ui.vertical(|ui| {
            ui.set_min_size(egui::Vec2::splat(PREVIEW_SIDE as f32));
            match generator.map() {
                Some(Ok(map)) => preview.show(ui, generator.recipe.to_string(), map, theme),
                Some(Err(reason)) => _ = ui.label(reason),
                None => _ = ui.spinner(),
            }
        });
    });
    ui.weak(generator.recipe.to_string())
        .on_hover_text("the same line makes the same map on every machine");
    let map = generator.map().and_then(|map| map.as_ref().ok()).map(Grid::map).cloned();
    let name = Generator::LAYOUTS
        .iter()
        .find(|(_, layout)| {
            std::mem::discriminant(layout) == std::mem::discriminant(&generator.recipe.layout)
        })
        .map_or("generated", |(name, _)| name);
    buttons(ui, map.is_some(), "Create", || match map {
        Some(map) => Asked::Map(name.to_owned(), Box::new(map)),
        None => Asked::Nothing,
    })
}

fn layouts(ui: &mut Ui, generator: &mut Generator) {
    ui.horizontal_wrapped(|ui| {
        for (name, layout) in Generator::LAYOUTS {
            let kind = std::mem::discriminant(&layout);
            let selected = kind == std::mem::discriminant(&generator.recipe.layout);
            if ui.selectable_label(selected, name).clicked() && !selected {
                generator.recipe.layout = layout;
            }
        }
    });
}

fn parameters(ui: &mut Ui, layout: &mut Layout) {
    let percent = |ui: &mut Ui, value: &mut u32, name: &str| {
        ui.add(Slider::new(value, 0..=100).suffix(" %").text(name));
    };
    let cells = |ui: &mut Ui, value: &mut u32, most: u32, name: &str| {
        ui.add(Slider::new(value, 1..=most).text(name));
    };
    match layout {
        Layout::Obstacles { blocked_percent, connected } => {
            percent(ui, blocked_percent, "walls");
            ui.checkbox(connected, "only the largest part");
        }
        Layout::Rooms { room_side, doors_percent } => {
            cells(ui, room_side, 64, "room's side");
            percent(ui, doors_percent, "doors");
        }
        Layout::Maze { corridor_width, braid_percent, winding_percent } => {
            cells(ui, corridor_width, 16, "corridor");
            percent(ui, braid_percent, "loops");
            percent(ui, winding_percent, "winding");
        }
        Layout::Caves { noise_percent, steps, joined } => {
            percent(ui, noise_percent, "noise");
            cells(ui, steps, 12, "smoothing");
            ui.checkbox(joined, "joined by tunnels");
        }
        Layout::City { block, street, built_percent } => {
            ui.add(Slider::new(block, 8..=128).text("block"));
            // A street is half a block at the most.
            *street = (*street).min(*block / 2);
            ui.add(Slider::new(street, 2..=*block / 2).text("street"));
            percent(ui, built_percent, "built upon");
        }
        Layout::Islands { size, land_percent, swamp_percent, trees_percent } => {
            ui.add(Slider::new(size, 2..=256).text("island"));
            percent(ui, land_percent, "land");
            percent(ui, swamp_percent, "swamp");
            percent(ui, trees_percent, "trees");
        }
        Layout::Hills { size, roughness, classes, lakes_percent } => {
            ui.add(Slider::new(size, 2..=256).text("hill"));
            ui.add(Slider::new(roughness, 0..=8).text("roughness"));
            ui.add(Slider::new(classes, 2..=16).text("kinds of terrain"));
            percent(ui, lakes_percent, "lakes");
        }
        Layout::Highlands { size, roughness, highest, lakes_percent } => {
            ui.add(Slider::new(size, 2..=256).text("hill"));
            ui.add(Slider::new(roughness, 0..=8).text("roughness"));
            ui.add(Slider::new(highest, 1..=1000).text("greatest height"));
            percent(ui, lakes_percent, "lakes");
        }
        Layout::Colony { room, doors_percent } => {
            ui.add(Slider::new(room, 2..=64).text("smallest room"));
            percent(ui, doors_percent, "second doors");
        }
    }
}

fn show_discard(ui: &mut Ui, name: &str) -> Asked {
    ui.set_width(360.0);
    ui.heading("Save the changes?");
    ui.label(format!("The changes of {name} are not saved."));
    let mut asked = Asked::Nothing;
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        for (word, meaning) in
            [("Save", Asked::SaveFirst), ("Don't save", Asked::GoOn), ("Cancel", Asked::Close)]
        {
            if ui.button(word).clicked() {
                asked = meaning;
            }
        }
    });
    asked
}

fn show_replace(ui: &mut Ui, path: &std::path::Path) -> Asked {
    ui.set_width(400.0);
    ui.heading("Replace the file?");
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    ui.label(format!("{name} exists already. Its contents would be lost."));
    let mut asked = Asked::Nothing;
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        if ui.button("Cancel").clicked() {
            asked = Asked::Close;
        }
        if ui.button("Replace").clicked() {
            asked = Asked::Replace;
        }
    });
    asked
}

fn show_browser(ui: &mut Ui, browser: &mut Browser, files: &dyn Files) -> Asked {
    // A fixed size: the window is in its place from the first frame.
    ui.set_min_size(egui::vec2(480.0, 384.0));
    ui.set_max_width(480.0);
    ui.heading(browser.purpose.title());
    let mut asked = Asked::Nothing;
    let mut enter = None;
    ui.horizontal(|ui| {
        if ui.button("Up").on_hover_text("the folder above").clicked() {
            enter = browser.folder.parent().map(|folder| folder.to_owned());
        }
        let folder = browser.folder.display().to_string();
        ui.add(egui::Label::new(folder).truncate());
    });
    egui::ScrollArea::vertical().max_height(260.0).auto_shrink([false, false]).show(ui, |ui| {
        ui.set_min_height(260.0);
        entries(ui, browser, &mut asked, &mut enter);
    });
    if let Some(folder) = enter {
        browser.enter(files, folder);
    }
    ui.horizontal(|ui| {
        ui.weak("file");
        let field = egui::TextEdit::singleline(&mut browser.name)
            .desired_width(f32::INFINITY)
            .hint_text("a name, or a whole path");
        let field = ui.add(field).accessible_name("File name");
        if !std::mem::replace(&mut browser.has_focus, true) {
            field.request_focus();
        }
    });
    let word = if browser.purpose == FilePurpose::Open { "Open" } else { "Save" };
    let path = browser.path();
    let pressed = buttons(ui, path.is_some(), word, || match path {
        Some(path) => Asked::File(path),
        None => Asked::Nothing,
    });
    if matches!(pressed, Asked::Nothing) { asked } else { pressed }
}

/// What the folder holds. A click chooses a file, a second one takes it; folders are entered.
fn entries(
    ui: &mut Ui,
    browser: &mut Browser,
    asked: &mut Asked,
    enter: &mut Option<std::path::PathBuf>,
) {
    let entries = match &browser.entries {
        Err(reason) => {
            ui.label(reason);
            return;
        }
        Ok(entries) if entries.is_empty() => {
            let endings = browser.purpose.endings().join(", ");
            ui.weak(format!("Nothing here that ends with {endings}."));
            return;
        }
        Ok(entries) => entries,
    };
    for entry in entries {
        let name = if entry.is_file { entry.name.clone() } else { format!("{}/", entry.name) };
        let row = ui.selectable_label(entry.is_file && browser.name == entry.name, name);
        if row.double_clicked() && entry.is_file {
            *asked = Asked::File(browser.folder.join(&entry.name));
        } else if row.clicked() && entry.is_file {
            entry.name.clone_into(&mut browser.name);
        } else if row.clicked() {
            *enter = Some(browser.folder.join(&entry.name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad_lab::generate::MapRecipe;
    use std::collections::BTreeSet;

    /// Everything that a map can have is seen in its preview, in the colours of the window.
    #[test]
    fn previews_of_generated_maps_are_in_the_colours_of_the_map() {
        for (name, layout) in Generator::LAYOUTS {
            for theme in [Theme::Light, Theme::Dark] {
                let recipe = MapRecipe { width: 80, height: 60, layout, seed: 1 };
                let grid = Grid::with_defaults(recipe.generate().unwrap());
                let image = picture(&grid, theme);
                assert_eq!(image.size, [240, 180], "{name}");
                let colours: BTreeSet<[u8; 4]> =
                    image.pixels.iter().map(|pixel| pixel.to_array()).collect();
                for terrain in grid.map().terrains().filter(|_| !grid.map().has_relief()) {
                    let colour = style::colour(theme.terrain(terrain, grid.map().palette()));
                    assert!(colours.contains(&colour.to_array()), "{name}: {terrain:?}");
                }
                assert!(colours.len() > 1, "{name}: thin walls are seen on ground alone");
                assert!(name != "highlands" || colours.len() > 40, "heights have shades");
            }
        }
    }
}
