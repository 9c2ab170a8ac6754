//! The shape of the ground in a level: lines that are drawn along borders and from where links begin to where they end.
//!
//! | class of the object | its line | its properties |
//! |---|---|---|
//! | `border` | along the edges of cells | `pass`: `none` (also if left out), `onwards` (right or down alone) or `back` |
//! | `link` | from a point in the first cell to one in the last | `cost`; `both_ways`; `kind`, if it is for one kind of agent |
//!
//! Heights are the property `heights` of the level, rows of numbers, or the property `height` of tiles.

use super::TiledError;
use super::level::{Level, Value};
use crate::ground::{BORDERS_MAX, GroundProblem, border_runs, read_height_rows};
use highroad_core::{Border, BorderSide, Cell, GridMap, KindId, Link};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Classes of objects that are read; others mean nothing here.
const BORDER: &str = "border";
const LINK: &str = "link";
/// A line lies on the edge of a cell if it is no farther away than this share of one.
const EDGE_SHARE: f64 = 0.125;
/// Lines do not lead farther than this, in cells.
const FAR: f64 = (1u32 << 20) as f64;

/// A line that is drawn over the tiles.
#[derive(Debug)]
pub(super) struct Object {
    /// Where it stands in the file.
    pub(super) place: String,
    pub(super) class: String,
    /// In pixels.
    pub(super) points: Vec<(f64, f64)>,
    pub(super) properties: BTreeMap<String, Value>,
}

impl Object {
    /// Whether objects of a class say something about the ground.
    pub(super) fn is_of_ground(class: &str) -> bool {
        [BORDER, LINK].contains(&class)
    }

    fn error(&self, problem: impl Into<String>) -> TiledError {
        TiledError::new(self.place.clone(), problem)
    }

    /// A property that is a whole number; `None` if it has none.
    fn whole(&self, name: &str) -> Result<Option<u32>, TiledError> {
        match self.properties.get(name) {
            None => Ok(None),
            Some(Value::Number(number))
                if number.fract() == 0.0 && (0.0..4.3e9).contains(number) =>
            {
                Ok(Some(*number as u32))
            }
            Some(value) => {
                Err(self.error(format!("its {name} is {}, not a whole number", value.shown())))
            }
        }
    }
}

/// Gives a map what the objects and properties of its level say of the ground. `corner` is the tile of the map's first cell.
pub(super) fn add_ground(
    level: &Level,
    corner: (i64, i64),
    map: &mut GridMap,
) -> Result<(), TiledError> {
    if let Some((place, rows)) = &level.heights {
        read_height_rows(map, rows.trim_matches(['\n', '\r']))
            .map_err(|problem| TiledError::new(place.clone(), format!("its heights, {problem}")))?;
    }
    let (width, height) = level.tile_size;
    let mut left = BORDERS_MAX * map.extent().cell_count() as u64;
    for object in &level.objects {
        let mut points = Vec::with_capacity(object.points.len());
        for &(x, y) in &object.points {
            let (x, y) = (x / width - corner.0 as f64, y / height - corner.1 as f64);
            // Also what is no number.
            if !(x.abs() < FAR && y.abs() < FAR) {
                return Err(object.error("it leads too far away"));
            }
            points.push((x, y));
        }
        match object.class.as_str() {
            BORDER => add_border(object, &points, map, &mut left)?,
            _ => add_link(object, &points, map)?,
        }
    }
    Ok(())
}

fn add_border(
    object: &Object,
    points: &[(f64, f64)],
    map: &mut GridMap,
    left: &mut u64,
) -> Result<(), TiledError> {
    let border = match object.properties.get("pass") {
        None => Border::Closed,
        Some(Value::Text(text)) if text == "none" => Border::Closed,
        Some(Value::Text(text)) if text == "onwards" => Border::OneWay,
        Some(Value::Text(text)) if text == "back" => Border::OneWayBack,
        Some(value) => {
            let problem = format!("its pass is {}, not none, onwards or back", value.shown());
            return Err(object.error(problem));
        }
    };
    let mut corners = Vec::with_capacity(points.len());
    for &(x, y) in points {
        let on_edge = |at: f64| (at - at.round()).abs() <= EDGE_SHARE;
        if !on_edge(x) || !on_edge(y) {
            return Err(object.error("a border must lead along the edges of cells"));
        }
        corners.push((x.round() as i64, y.round() as i64));
    }
    for line in corners.windows(2) {
        let ((x, y), (to_x, to_y)) = (line[0], line[1]);
        if x != to_x && y != to_y {
            return Err(object.error("a border must lead along rows or columns of cells"));
        }
        let length = x.abs_diff(to_x) + y.abs_diff(to_y);
        *left = left
            .checked_sub(length)
            .ok_or_else(|| object.error(GroundProblem::Borders.to_string()))?;
        let (first_x, first_y) = (x.min(to_x), y.min(to_y));
        for along in 0..length as i64 {
            // The cell on the left of the line, or above it.
            let (side, name, x, y) = match x == to_x {
                true => (BorderSide::East, "east", first_x - 1, first_y + along),
                false => (BorderSide::South, "south", first_x + along, first_y - 1),
            };
            let cell = u32::try_from(x).ok().zip(u32::try_from(y).ok());
            let cell =
                cell.map(|(x, y)| Cell::new(x, y)).filter(|&at| map.border(at, side).is_some());
            let Some(cell) = cell else {
                return Err(object.error(format!(
                    "the {name} border of ({x}, {y}) is not between two cells of the map"
                )));
            };
            map.set_border(cell, side, border);
        }
    }
    Ok(())
}

fn add_link(object: &Object, points: &[(f64, f64)], map: &mut GridMap) -> Result<(), TiledError> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return Err(object.error("it has no line"));
    };
    let cell = |(x, y): (f64, f64)| match x >= 0.0 && y >= 0.0 {
        true => Ok(Cell::new(x as u32, y as u32)),
        false => Err(object.error(format!("({}, {}) lies outside the map", x.floor(), y.floor()))),
    };
    let cost = object.whole("cost")?.ok_or_else(|| object.error("a link needs a cost"))?;
    let link = Link::new(cell(*first)?, cell(*last)?, cost);
    let link = match object.properties.get("both_ways") {
        None | Some(Value::Truth(false)) => link,
        Some(Value::Truth(true)) => link.with_way_back(),
        Some(value) => {
            return Err(
                object.error(format!("its both_ways is {}, not true or false", value.shown()))
            );
        }
    };
    let link = match object.whole("kind")?.map(u16::try_from) {
        None => link,
        Some(Ok(kind)) => link.with_kind(KindId(kind)),
        Some(Err(_)) => return Err(object.error("its kind is larger than 65535")),
    };
    map.add_link(link)
        .map_err(|problem| object.error(GroundProblem::Link { link, problem }.to_string()))
}

/// An object as it is written: its class, the ends of its line in pixels, and its properties with their types.
pub(super) struct Drawn {
    pub(super) class: &'static str,
    pub(super) from: (u32, u32),
    pub(super) to: (u32, u32),
    pub(super) properties: Vec<(&'static str, &'static str, String)>,
}

/// What objects say of the borders and links of a map, with tiles of so many pixels.
pub(super) fn drawn(map: &GridMap, pixels: u32) -> Vec<Drawn> {
    let mut objects = Vec::new();
    for run in border_runs(map) {
        let ends = match run.side {
            BorderSide::East => [(run.from.x + 1, run.from.y), (run.to.x + 1, run.to.y + 1)],
            BorderSide::South => [(run.from.x, run.from.y + 1), (run.to.x + 1, run.to.y + 1)],
        };
        let [from, to] = ends.map(|(x, y)| (x * pixels, y * pixels));
        let properties = vec![("pass", "string", run.pass.to_owned())];
        objects.push(Drawn { class: BORDER, from, to, properties });
    }
    for link in map.link_list() {
        let middle = |cell: Cell| (cell.x * pixels + pixels / 2, cell.y * pixels + pixels / 2);
        let mut properties = vec![("cost", "int", link.cost.to_string())];
        if link.both_ways {
            properties.push(("both_ways", "bool", "true".to_owned()));
        }
        if let Some(KindId(kind)) = link.kind {
            properties.push(("kind", "int", kind.to_string()));
        }
        let (from, to) = (middle(link.from), middle(link.to));
        objects.push(Drawn { class: LINK, from, to, properties });
    }
    objects
}

/// The points of a line of two, from the first on.
pub(super) fn line_of(object: &Drawn) -> (i64, i64) {
    let along = |from: u32, to: u32| i64::from(to) - i64::from(from);
    (along(object.from.0, object.to.0), along(object.from.1, object.to.1))
}

/// The points of a polyline as XML has them: `0,0 16,0`, from a first one on.
pub(super) fn read_points(text: &str, (x, y): (f64, f64)) -> Option<Vec<(f64, f64)>> {
    let point = |pair: &str| {
        let (dx, dy) = pair.split_once(',')?;
        Some((x + dx.trim().parse::<f64>().ok()?, y + dy.trim().parse::<f64>().ok()?))
    };
    text.split_whitespace().map(point).collect()
}

/// The objects of a map as a layer of a level in XML; nothing if there are none.
pub(super) fn layer_in_xml(map: &GridMap, pixels: u32) -> String {
    let objects = drawn(map, pixels);
    if objects.is_empty() {
        return String::new();
    }
    let mut text = " <objectgroup id=\"2\" name=\"ground\">\n".to_owned();
    for (number, object) in (1..).zip(&objects) {
        let ((x, y), (dx, dy), class) = (object.from, line_of(object), object.class);
        _ = write!(
            text,
            "  <object id=\"{number}\" class=\"{class}\" x=\"{x}\" y=\"{y}\"><properties>"
        );
        for (name, kind, value) in &object.properties {
            _ = write!(text, "<property name=\"{name}\" type=\"{kind}\" value=\"{value}\"/>");
        }
        _ = writeln!(text, "</properties><polyline points=\"0,0 {dx},{dy}\"/></object>");
    }
    text.push_str(" </objectgroup>\n");
    text
}

/// The same in JSON, with a comma before it.
pub(super) fn layer_in_json(map: &GridMap, pixels: u32) -> String {
    let objects = drawn(map, pixels);
    if objects.is_empty() {
        return String::new();
    }
    let rows: Vec<String> = (1..)
        .zip(&objects)
        .map(|(number, object)| {
            let ((x, y), (dx, dy), class) = (object.from, line_of(object), object.class);
            let properties: Vec<String> = object
                .properties
                .iter()
                .map(|(name, kind, value)| {
                    let value = match *kind {
                        "string" => format!("\"{value}\""),
                        _ => value.clone(),
                    };
                    format!(r#"{{"name": "{name}", "type": "{kind}", "value": {value}}}"#)
                })
                .collect();
            format!(
                r#"  {{"id": {number}, "name": "", "type": "{class}", "x": {x}, "y": {y}, "width": 0, "height": 0, "rotation": 0,
   "visible": true, "polyline": [{{"x": 0, "y": 0}}, {{"x": {dx}, "y": {dy}}}], "properties": [{}]}}"#,
                properties.join(", ")
            )
        })
        .collect();
    format!(
        r#",
 {{"type": "objectgroup", "id": 2, "name": "ground", "x": 0, "y": 0, "opacity": 1, "visible": true, "objects": [
{}]}}"#,
        rows.join(",\n")
    )
}
