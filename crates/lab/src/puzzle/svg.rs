//! A search tree as SVG: boards in rows by depth, lines from each to those reached from it.

use super::children;
use highroad::implicit::TreeState;
use highroad::puzzle::Board;
use std::fmt::Write;

/// Between boards, beside and below, in the picture's units.
const GAP: (f64, f64) = (18.0, 46.0);
const CELL: f64 = 15.0;
const MARGIN: f64 = 12.0;
/// For the line of g and h below a board.
const CAPTION: f64 = 14.0;

const INK: &str = "#333333";
const PATH: &str = "#c2571a";
const TILE: &str = "#f3ead9";
const EXPANDED: &str = "#d9e6f3";

/// Draws a tree: expanded boards are blue, those on the way to the goal have an orange frame; below each its
/// g and h, and when it was expanded.
pub fn tree_svg(tree: &[TreeState<Board>]) -> String {
    let children = children(tree);
    let side = tree.first().map_or(0.0, |node| f64::from(node.state.side()) * CELL);
    let places = places(&children, side);
    let edge = |axis: fn(&(f64, f64)) -> f64| places.iter().map(axis).fold(0.0, f64::max);
    let (width, height) =
        (edge(|place| place.0) + side + MARGIN, edge(|place| place.1) + side + CAPTION + MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" text-anchor=\"middle\">\n\
         <rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#ffffff\"/>\n"
    );
    for (at, list) in children.iter().enumerate() {
        for &child in list {
            let on_path = tree[at].on_path && tree[child].on_path;
            let (from, to) = (places[at], places[child]);
            _ = writeln!(
                text,
                "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{}\" stroke-width=\"{}\"/>",
                from.0 + side / 2.0,
                from.1 + side + CAPTION,
                to.0 + side / 2.0,
                to.1,
                if on_path { PATH } else { INK },
                if on_path { 2 } else { 1 },
            );
        }
    }
    for (node, &place) in tree.iter().zip(&places) {
        draw(&mut text, node, place, side);
    }
    text.push_str("</svg>\n");
    text
}

/// The upper left corner of each board: leaves side by side, the others in the middle above theirs.
fn places(children: &[Vec<usize>], side: f64) -> Vec<(f64, f64)> {
    let mut places = vec![(MARGIN, MARGIN); children.len()];
    let mut next = MARGIN;
    // Twice on the way: down, for depths and leaves, then up.
    let mut open = if children.is_empty() { Vec::new() } else { vec![(0, 0u32, false)] };
    while let Some((at, depth, done)) = open.pop() {
        let list = &children[at];
        if !done {
            places[at].1 = MARGIN + f64::from(depth) * (side + GAP.1);
            open.push((at, depth, true));
            open.extend(list.iter().rev().map(|&child| (child, depth + 1, false)));
            continue;
        }
        places[at].0 = match (list.first(), list.last()) {
            (Some(&first), Some(&last)) => (places[first].0 + places[last].0) / 2.0,
            _ => {
                let place = next;
                // Wide enough for the caption of a small board.
                next += side.max(48.0) + GAP.0;
                place
            }
        };
    }
    places
}

fn draw(text: &mut String, node: &TreeState<Board>, (x, y): (f64, f64), side: f64) {
    let board = node.state;
    let fill = if node.expanded.is_some() { EXPANDED } else { TILE };
    for cell in 0..board.cell_count() {
        let (column, row) = (f64::from(cell % board.side()), f64::from(cell / board.side()));
        let (left, top) = (x + column * CELL, y + row * CELL);
        let tile = board.tile(cell);
        let colour = if tile == 0 { "#ffffff" } else { fill };
        _ = writeln!(
            text,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{colour}\" stroke=\"{INK}\" stroke-width=\"0.5\"/>"
        );
        if tile != 0 {
            _ = writeln!(
                text,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"9\" fill=\"{INK}\">{tile}</text>",
                left + CELL / 2.0,
                top + CELL * 0.72
            );
        }
    }
    let (frame, width) = if node.on_path { (PATH, 2.0) } else { (INK, 1.0) };
    _ = writeln!(
        text,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{side}\" height=\"{side}\" fill=\"none\" stroke=\"{frame}\" stroke-width=\"{width}\"/>"
    );
    let order = node.expanded.map_or_else(String::new, |order| format!(" · {}", order + 1));
    _ = writeln!(
        text,
        "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"9\" fill=\"{INK}\">{} + {}{order}</text>",
        x + side / 2.0,
        y + side + CAPTION - 3.0,
        node.g,
        node.h
    );
}
