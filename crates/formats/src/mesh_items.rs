//! Obstacles, areas and links in the JSON of a mesh.
//!
//! ```text
//! "obstacles": [{"name": "pond", "outline": [[4, 4], [6, 4], [6, 6]], "layer": 0, "class": 2}, …]
//! "links":     [{"name": "jump", "from": [1, 1], "to": [8, 8, 1], "cost": 3.5, "both_ways": true, "closed": false, "class": 7}, …]
//! ```
//!
//! `layer`, `class`, `both_ways` and `closed` may be left out. The third number of a point is its layer.

use crate::mesh::{MeshJsonError, PAIR, list, member, member_or_nothing, points, whole, wrong};
use highroad_core::mesh::{AreaClass, Mesh, MeshBatch, MeshItem, MeshLink, MeshPoint, Obstacle};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Reads what lies on a mesh, and places it there.
pub(crate) fn read_items(json: &Value, mesh: &mut Mesh) -> Result<(), MeshJsonError> {
    let mut names = BTreeSet::new();
    let mut batch = MeshBatch::new();
    let mut place = |json: &Value, item: MeshItem| {
        let name = member(json, "name", |name| match name.as_str() {
            Some(name) if names.insert(name.to_owned()) => Ok(name.to_owned()),
            Some(_) => wrong("the name is in use already"),
            None => wrong("it must be a text"),
        })?;
        batch.place_item(name, item);
        Ok(())
    };
    let mut obstacle = |json: &Value| place(json, MeshItem::Obstacle(read_obstacle(json)?.into()));
    member_or_nothing(json, "obstacles", |items| list(items, &mut obstacle).map(drop))?;
    let mut link = |json: &Value| place(json, MeshItem::Link(read_link(json)?.into()));
    member_or_nothing(json, "links", |items| list(items, &mut link).map(drop))?;
    if batch != MeshBatch::new() {
        mesh.apply(&batch)?;
    }
    Ok(())
}

fn read_obstacle(json: &Value) -> Result<Obstacle, MeshJsonError> {
    let mut obstacle = member(json, "outline", |outline| {
        let place = String::new();
        Obstacle::new(points(outline)?).map_err(|error| MeshJsonError::Obstacle { place, error })
    })?;
    obstacle = obstacle.on_layer(member_or_nothing(json, "layer", layer)?);
    let class = member_or_nothing(json, "class", |json| class(json).map(Some))?;
    Ok(match class {
        Some(class) => obstacle.of_class(class),
        None => obstacle,
    })
}

fn read_link(json: &Value) -> Result<MeshLink, MeshJsonError> {
    let (from, to) = (member(json, "from", point)?, member(json, "to", point)?);
    let cost = member(json, "cost", |cost| match cost.as_f64() {
        Some(cost) => Ok(cost),
        None => wrong("it must be a number"),
    })?;
    let link = MeshLink::new(from, to, cost);
    let mut link = link.map_err(|error| MeshJsonError::Link { place: String::new(), error })?;
    if member_or_nothing(json, "both_ways", switch)? {
        link = link.with_way_back();
    }
    if member_or_nothing(json, "closed", switch)? {
        link = link.closed();
    }
    let class = member_or_nothing(json, "class", |json| class(json).map(Some))?;
    Ok(match class {
        Some(class) => link.of_class(class),
        None => link,
    })
}

fn layer(json: &Value) -> Result<u16, MeshJsonError> {
    match u16::try_from(whole(json)?) {
        Ok(layer) => Ok(layer),
        Err(_) => wrong("layers are numbers up to 65535"),
    }
}

fn class(json: &Value) -> Result<AreaClass, MeshJsonError> {
    let number = u8::try_from(whole(json)?).unwrap_or(u8::MAX);
    AreaClass::new(number).map_err(|error| MeshJsonError::Class { place: String::new(), error })
}

fn switch(json: &Value) -> Result<bool, MeshJsonError> {
    json.as_bool().map_or_else(|| wrong("it must be true or false"), Ok)
}

fn point(json: &Value) -> Result<MeshPoint, MeshJsonError> {
    let number = |at: usize| json.get(at).and_then(Value::as_f64);
    let point = match (number(0), number(1)) {
        (Some(x), Some(y)) => MeshPoint::new(x, y),
        _ => return wrong(PAIR),
    };
    let point =
        point.map_err(|error| MeshJsonError::Link { place: String::new(), error: error.into() })?;
    Ok(point.on_layer(json.get(2).map_or(Ok(0), layer)?))
}

/// What lies on a mesh, as further members of its JSON.
pub(crate) fn write_items(mesh: &Mesh) -> String {
    let mut text = String::new();
    let obstacles: Vec<String> =
        mesh.obstacles().map(|(name, item)| obstacle(name, item)).collect();
    let links: Vec<String> = mesh.links().map(|(name, item)| link(name, item)).collect();
    for (key, items) in [("obstacles", obstacles), ("links", links)] {
        if !items.is_empty() {
            text.push_str(&format!(",\n \"{key}\": [\n  {}]", items.join(",\n  ")));
        }
    }
    text
}

fn obstacle(name: &str, obstacle: &Obstacle) -> String {
    let mut members = Map::new();
    members.insert("name".to_owned(), json!(name));
    members.insert("outline".to_owned(), json!(obstacle.outline()));
    if obstacle.layer() != 0 {
        members.insert("layer".to_owned(), json!(obstacle.layer()));
    }
    if let Some(class) = obstacle.class() {
        members.insert("class".to_owned(), json!(class.number()));
    }
    Value::Object(members).to_string()
}

fn link(name: &str, link: &MeshLink) -> String {
    let point = |at: MeshPoint| match at.layer() {
        0 => json!([at.x(), at.y()]),
        layer => json!([at.x(), at.y(), layer]),
    };
    let mut members = Map::new();
    members.insert("name".to_owned(), json!(name));
    members.insert("from".to_owned(), point(link.from()));
    members.insert("to".to_owned(), point(link.to()));
    members.insert("cost".to_owned(), json!(link.length()));
    if link.leads_back() {
        members.insert("both_ways".to_owned(), json!(true));
    }
    if !link.is_open() {
        members.insert("closed".to_owned(), json!(true));
    }
    if let Some(class) = link.class() {
        members.insert("class".to_owned(), json!(class.number()));
    }
    Value::Object(members).to_string()
}
