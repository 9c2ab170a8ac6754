//! Pictures of maps and paths.

use crate::refuse;
use highroad::Cell;
use highroad::grid::Grid;
use highroad::planner::Point;
use highroad_pictures::{Backdrop, PathLine, PathsPicture, Scene, Theme, Viewport};
use pyo3::prelude::*;

/// A map with paths on it. One path is drawn with its ends; several have a colour each.
pub(crate) fn png(grid: &Grid, paths: &[&[Cell]], dark: bool) -> PyResult<Vec<u8>> {
    let mut scene = Scene::new(grid);
    scene.theme = if dark { Theme::Dark } else { Theme::Light };
    let viewport = Viewport::whole(grid.extent());
    let mut bytes = Vec::new();
    let canvas = match paths {
        [] => scene.to_canvas(&viewport),
        [path] => {
            scene.path = Some((path, 1.0));
            (scene.start, scene.goal) = (path.first().copied(), path.last().copied());
            scene.to_canvas(&viewport)
        }
        paths => {
            let line = |(number, path): (usize, &&[Cell])| PathLine {
                points: path.iter().copied().map(Point::middle_of).collect(),
                label: format!("path {number}"),
            };
            let lines: Vec<PathLine> = paths.iter().enumerate().map(line).collect();
            PathsPicture { backdrop: Backdrop::Cells(scene), lines: &lines }.to_canvas(&viewport)
        }
    };
    canvas.write_png(&mut bytes).map_err(refuse)?;
    Ok(bytes)
}

/// The text of a map file of any format that the engine reads.
#[pyfunction]
pub(crate) fn read_map_text(py: Python<'_>, path: &str) -> PyResult<String> {
    let map = py.detach(|| highroad_formats::read_map(std::path::Path::new(path)));
    Ok(map.map_err(refuse)?.to_string())
}
