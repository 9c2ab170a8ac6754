//! How an abstraction looks, for drawing: plain shapes in layers, so that whoever draws them need not
//! know any planner.

use crate::environment::Position;
use crate::grid::{Cell, CellRect};

/// A place on the map, in cells: the middle of a cell lies at a half.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// From the left.
    pub x: f32,
    /// From the top.
    pub y: f32,
}

impl Point {
    /// The middle of a cell.
    pub fn middle_of(cell: Cell) -> Self {
        Self { x: cell.x as f32 + 0.5, y: cell.y as f32 + 0.5 }
    }

    /// A position, seen from above.
    pub fn of_position(position: Position) -> Self {
        Self { x: position[0] as f32, y: position[1] as f32 }
    }
}

/// What a layer consists of.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// Parts of the map, such as clusters.
    Rectangles(Vec<CellRect>),
    /// Straight lines, such as abstract edges.
    Lines(Vec<[Point; 2]>),
    /// Places, such as abstract nodes.
    Points(Vec<Point>),
    /// A way from place to place, such as an abstract path.
    Chain(Vec<Point>),
    /// For each cell, row by row, the number of the group that it belongs to, or
    /// [`Shape::NO_REGION`].
    Regions(Vec<u32>),
}

impl Shape {
    /// In [`Shape::Regions`]: a cell that belongs to no group.
    pub const NO_REGION: u32 = u32::MAX;

    /// How many things there are; for regions, how many cells belong to one.
    pub fn len(&self) -> usize {
        match self {
            Self::Rectangles(rectangles) => rectangles.len(),
            Self::Lines(lines) => lines.len(),
            Self::Points(points) | Self::Chain(points) => points.len(),
            Self::Regions(cells) => cells.iter().filter(|&&cell| cell != Self::NO_REGION).count(),
        }
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What a layer of a planner shows, whatever the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerInfo {
    /// What it shows, in a word or two, for a switch: "clusters".
    pub name: &'static str,
    /// One line about it.
    pub help: &'static str,
    /// Up to which level it is visible unless a user says otherwise; 0: on none.
    pub visible_levels: u32,
    /// How much it covers unless a user says otherwise, from 0 to 1.
    pub opacity: f32,
}

impl LayerInfo {
    /// A layer that is hidden unless a user asks for it.
    pub const fn hidden(name: &'static str, help: &'static str) -> Self {
        Self { name, help, visible_levels: 0, opacity: 0.6 }
    }

    /// A layer that is visible from the beginning, on all levels.
    pub const fn visible(name: &'static str, help: &'static str, opacity: f32) -> Self {
        Self { name, help, visible_levels: u32::MAX, opacity }
    }

    /// One level of it, to be drawn.
    pub const fn layer(&'static self, level: u32, shape: Shape) -> SketchLayer {
        SketchLayer { info: self, level, shape }
    }
}

/// One layer of a drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct SketchLayer {
    /// What it shows.
    pub info: &'static LayerInfo,
    /// The level of the abstraction, from 1 for the finest.
    pub level: u32,
    /// What is drawn.
    pub shape: Shape,
}
