//! The view "Compare heuristics": a table, and one picture of the search for each.

use crate::map::MapMode;
use crate::shared::Unit;
use crate::shared::draw::figures::NONE;
use crate::shared::draw::style;
use crate::teach::{Comparison, ComparisonRow, number};
use egui::{Color32, ColorImage, Context, Grid, RichText, TextureHandle, TextureOptions, Ui};
use highroad_lab::table::{above_optimal, whole};
use highroad_pictures::{Colouring, Scene, Viewport};

/// How wide a picture is, in pixels.
const PICTURE_WIDTH: f32 = 300.0;

/// Pictures of the comparison of that number.
#[derive(Default)]
pub(crate) struct Pictures {
    number: u64,
    textures: Vec<TextureHandle>,
}

/// Shows the view, if it is open.
pub(crate) fn show(context: &Context, map: &mut MapMode, pictures: &mut Pictures) {
    let Some(result) = map.teaching.comparison.take() else { return };
    let mut open = true;
    let window = egui::Window::new("Compare heuristics").open(&mut open).collapsible(false);
    let mut again = false;
    let screen = context.content_rect();
    let size = egui::vec2(1016.0, 700.0).min(screen.size() - egui::vec2(48.0, 96.0));
    let window = window.default_size(size).default_pos(screen.center() - size / 2.0);
    window.vscroll(true).show(context, |ui| match &result {
        Err(reason) => _ = ui.label(format!("Heuristics cannot be compared here: {reason}.")),
        Ok(comparison) => {
            if pictures.number != map.teaching.comparisons {
                pictures.number = map.teaching.comparisons;
                pictures.textures = draw_all(context, map, comparison);
            }
            table(ui, map, comparison);
            repeated(ui, comparison);
            ui.add_space(8.0);
            gallery(ui, comparison, &pictures.textures);
            again = ui.button("Compare again").on_hover_text("on the map as it is now").clicked();
        }
    });
    if open {
        map.teaching.comparison = Some(result);
    }
    if again {
        map.compare_heuristics();
    }
}

fn table(ui: &mut Ui, map: &MapMode, comparison: &Comparison) {
    let unit = Unit::of(map.document.grid());
    ui.label("A* with each heuristic, all neighbours looked at. The closer h is to the true cost, the fewer cells are expanded.");
    ui.add_space(4.0);
    Grid::new("heuristics").num_columns(6).striped(true).spacing([24.0, 6.0]).show(ui, |ui| {
        for head in
            ["heuristic", "admissible", "h of the true cost", "expanded", "cost", "vs. optimal"]
        {
            ui.weak(head);
        }
        ui.end_row();
        for row in &comparison.rows {
            ui.label(RichText::new(row.title).strong()).on_hover_text(row.about);
            verdict(ui, row);
            ui.label(
                row.closeness
                    .map_or("–".to_owned(), |share| format!("{} %", number(share * 100.0))),
            )
            .on_hover_text("the mean over the cells that the search has reached");
            ui.label(whole(row.recording.statistics.expanded));
            let cost = row.recording.cost().map(|cost| unit.text(cost.0));
            ui.label(cost.unwrap_or_else(|| "no path".to_owned()));
            let above = row.above_optimum.map(|share| above_optimal(share * 100.0));
            ui.label(above.unwrap_or_else(|| NONE.to_owned()));
            ui.end_row();
        }
    });
}

/// Why a heuristic that is nearer to the truth may expand more: cells that are expanded again count each time.
fn repeated(ui: &mut Ui, comparison: &Comparison) {
    for row in &comparison.rows {
        let times = row.recording.statistics.reopened;
        if times > 0 {
            ui.add_space(4.0);
            ui.weak(format!(
                "With {}, cells were opened again {} times, because cheaper ways to them were found later. From cell to cell \
                 its h may fall by more than the step costs: it is not consistent.",
                row.title,
                whole(times)
            ));
        }
    }
}

fn verdict(ui: &mut Ui, row: &ComparisonRow) {
    if row.is_admissible {
        ui.label("yes").on_hover_text("it never says too much: paths are cheapest");
        return;
    }
    let example =
        row.overestimated.map(|cell| format!(" For {cell} it says too much.")).unwrap_or_default();
    let text = RichText::new("NO").strong().color(ui.visuals().error_fg_color);
    ui.label(text).on_hover_text(format!(
        "It may say too much: paths may cost more than the cheapest.{example}"
    ));
}

fn gallery(ui: &mut Ui, comparison: &Comparison, textures: &[TextureHandle]) {
    let columns = ((ui.available_width() / (PICTURE_WIDTH + 16.0)) as usize).clamp(1, 3);
    Grid::new("trees").num_columns(columns).spacing([16.0, 12.0]).show(ui, |ui| {
        for (number, (row, texture)) in comparison.rows.iter().zip(textures).enumerate() {
            ui.vertical(|ui| {
                let title =
                    format!("{}: {} expanded", row.title, whole(row.recording.statistics.expanded));
                let mark = if row.is_admissible { "" } else { ", not admissible" };
                ui.label(RichText::new(format!("{title}{mark}")).strong());
                let size = texture.size_vec2();
                ui.add(
                    egui::Image::new(texture).fit_to_exact_size(size * (PICTURE_WIDTH / size.x)),
                );
            });
            if (number + 1) % columns == 0 {
                ui.end_row();
            }
        }
    });
}

/// One picture for each heuristic: the cells by order of expansion, the tree, and the path.
fn draw_all(context: &Context, map: &MapMode, comparison: &Comparison) -> Vec<TextureHandle> {
    let grid = map.document.grid();
    let extent = grid.extent();
    let scale = (2.0 * PICTURE_WIDTH / extent.width() as f32).clamp(1.0, 40.0);
    let size = (extent.width() as f32 * scale, extent.height() as f32 * scale);
    let viewport = Viewport { origin: (0.0, 0.0), scale, corner: (0.0, 0.0), size };
    let draw = |row: &ComparisonRow| {
        let scene = Scene {
            palette: map.document.palette(),
            theme: map.theme,
            search: Some((&row.recording.replay, Colouring::Order, 0.8)),
            tree: Some(0.6),
            path: Some((row.recording.path(), 1.0)),
            start: Some(map.document.start()),
            goal: Some(map.document.goal()),
            grid_lines: true,
            ..Scene::new(grid)
        };
        let canvas = scene.to_canvas(&viewport);
        let side = [canvas.width() as usize, canvas.height() as usize];
        let pixel = |at: usize| {
            let colour = canvas.get((at % side[0]) as u32, (at / side[0]) as u32);
            style::colour(colour)
        };
        let pixels: Vec<Color32> = (0..side[0] * side[1]).map(pixel).collect();
        let image = ColorImage::new(side, pixels);
        context.load_texture(format!("heuristic {}", row.title), image, TextureOptions::LINEAR)
    };
    comparison.rows.iter().map(draw).collect()
}
