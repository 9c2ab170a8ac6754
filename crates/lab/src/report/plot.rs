//! The parts that plots are made of: gridlines, marks and names, as SVG inside the page. Colours and
//! fonts are those of the page's style sheet, so that plots are light or dark with it.

use super::html::escape;
use super::scale::Scale;
use std::fmt::Write;

/// Width of a plot in its own units.
pub(super) const WIDTH: f64 = 640.0;
const LEFT: f64 = 74.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 48.0;
/// Colours in the style sheet.
const COLOURS: usize = 7;

/// A plot being drawn.
pub(super) struct Plot {
    text: String,
    /// Right edge of the field, and its lower edge.
    field: (f64, f64),
    height: f64,
}

impl Plot {
    /// Room of that height for a plot, with so much beside the field for names.
    pub(super) fn new(title: &str, height: f64, right: f64) -> Self {
        let mut text = String::new();
        _ = write!(
            text,
            r#"<svg class="plot" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{}">"#,
            escape(title)
        );
        Self { text, field: (WIDTH - right, height - BOTTOM), height }
    }

    /// The left and the right end of the field.
    pub(super) fn across(&self) -> (f64, f64) {
        (LEFT, self.field.0)
    }

    /// The left and the right end of the field, with so much room at the left.
    pub(super) fn across_from(&self, left: f64) -> (f64, f64) {
        (left, self.field.0)
    }

    /// The lower and the upper end of the field.
    pub(super) fn upwards(&self) -> (f64, f64) {
        (self.field.1, TOP)
    }

    /// Gridlines and numbers along the bottom.
    pub(super) fn bottom_axis(&mut self, scale: &Scale, label: &str) {
        let (top, bottom) = (TOP, self.field.1);
        let mut mark = |x: f64, name: Option<String>| {
            let class = if name.is_some() { "grid" } else { "grid minor" };
            _ = write!(
                self.text,
                r#"<line class="{class}" x1="{x:.1}" x2="{x:.1}" y1="{top}" y2="{bottom}"/>"#
            );
            if let Some(name) = name {
                _ = write!(
                    self.text,
                    r#"<text class="tick" x="{x:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
                    bottom + 18.0,
                    escape(&name)
                );
            }
        };
        if let Some(zero) = scale.zero {
            mark(zero, Some("0".to_owned()));
        }
        for (value, named) in scale.ticks() {
            mark(scale.at(value), named.then(|| scale.measure.tick(value)));
        }
        let middle = (scale.span.0 + scale.span.1) / 2.0;
        let y = self.height - 8.0;
        _ = write!(
            self.text,
            r#"<text class="axis" x="{middle:.1}" y="{y:.1}" text-anchor="middle">{}</text>"#,
            escape(label)
        );
    }

    /// Gridlines and numbers along the left side.
    pub(super) fn left_axis(&mut self, scale: &Scale, label: &str) {
        let right = self.field.0;
        for (value, named) in scale.ticks() {
            let y = scale.at(value);
            let class = if named { "grid" } else { "grid minor" };
            _ = write!(
                self.text,
                r#"<line class="{class}" x1="{LEFT}" x2="{right}" y1="{y:.1}" y2="{y:.1}"/>"#
            );
            if named {
                _ = write!(
                    self.text,
                    r#"<text class="tick" x="{:.1}" y="{:.1}" text-anchor="end">{}</text>"#,
                    LEFT - 8.0,
                    y + 4.0,
                    escape(&scale.measure.tick(value))
                );
            }
        }
        let middle = (TOP + self.field.1) / 2.0;
        _ = write!(
            self.text,
            r#"<text class="axis" transform="translate(13 {middle:.1}) rotate(-90)" text-anchor="middle">{}</text>"#,
            escape(label)
        );
    }

    /// A line through some spots.
    pub(super) fn line(&mut self, series: Series, spots: &[(f64, f64)]) {
        let points: Vec<String> = spots.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let points = points.join(" ");
        _ = write!(self.text, r#"<polyline class="line {}" points="{points}"/>"#, series.class());
    }

    /// A thin line that belongs to no series.
    pub(super) fn guide(&mut self, spots: &[(f64, f64)]) {
        let points: Vec<String> = spots.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        _ = write!(self.text, r#"<polyline class="guide" points="{}"/>"#, points.join(" "));
    }

    /// A mark, with the text shown when the pointer is on it.
    pub(super) fn mark(&mut self, series: Series, (x, y): (f64, f64), radius: f64, shown: &str) {
        let class = series.class();
        let shown = escape(shown);
        if series.block == 2 {
            _ = write!(
                self.text,
                r#"<rect class="mark {class}" x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}"><title>{shown}</title></rect>"#,
                x - radius,
                y - radius,
                2.0 * radius,
                2.0 * radius
            );
        } else {
            _ = write!(
                self.text,
                r#"<circle class="mark {class}" cx="{x:.1}" cy="{y:.1}" r="{radius:.1}"><title>{shown}</title></circle>"#
            );
        }
    }

    /// A rectangle of a class of the style sheet.
    pub(super) fn bar(&mut self, class: &str, corner: (f64, f64), size: (f64, f64), shown: &str) {
        _ = write!(
            self.text,
            r#"<rect class="{class}" x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}"><title>{}</title></rect>"#,
            corner.0,
            corner.1,
            size.0.max(0.0),
            size.1,
            escape(shown)
        );
    }

    /// Words.
    pub(super) fn words(&mut self, class: &str, (x, y): (f64, f64), anchor: &str, text: &str) {
        _ = write!(
            self.text,
            r#"<text class="{class}" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{}</text>"#,
            escape(text)
        );
    }

    /// Names at the right of the field, each at the height of what it names or as near as there is room.
    pub(super) fn names(&mut self, names: &[(Series, String, (f64, f64))]) {
        const ROW: f64 = 15.0;
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| names[a].2.1.total_cmp(&names[b].2.1));
        let wanted: Vec<f64> = order.iter().map(|&index| names[index].2.1).collect();
        let placed = spread_out(&wanted, ROW, TOP + 4.0, self.height - 10.0);
        let x = self.field.0 + 22.0;
        for (&index, y) in order.iter().zip(placed) {
            let (series, name, from) = &names[index];
            let (class, name) = (series.class(), escape(name));
            _ = write!(
                self.text,
                r#"<polyline class="leader {class}" points="{:.1},{:.1} {:.1},{y:.1} {:.1},{y:.1}"/>"#,
                from.0 + 5.0,
                from.1,
                self.field.0 + 10.0,
                x - 4.0
            );
            _ = write!(
                self.text,
                r#"<text class="name {class}" x="{x:.1}" y="{:.1}">{name}</text>"#,
                y + 4.0
            );
        }
    }

    /// The SVG.
    pub(super) fn finish(mut self) -> String {
        self.text.push_str("</svg>");
        self.text
    }
}

/// How a planner is drawn: its colour, and its kind of mark where there are more planners than colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Series {
    colour: usize,
    block: usize,
}

impl Series {
    /// The series of a planner, by its number among so many.
    pub(super) fn of(number: usize, count: usize) -> Self {
        // The last seven stand out; those before them are drawn thinner.
        let blocks = count.div_ceil(COLOURS).max(1);
        let from_last = blocks - 1 - (number / COLOURS).min(blocks - 1);
        Self { colour: number % COLOURS, block: from_last.min(2) }
    }

    pub(super) fn class(self) -> String {
        format!("c{} b{}", self.colour, self.block)
    }
}

/// Moves places that are too near to each other apart, as little as needed, within limits.
pub(super) fn spread_out(wanted: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let mut placed = wanted.to_vec();
    for index in 1..placed.len() {
        placed[index] = placed[index].max(placed[index - 1] + gap);
    }
    if let Some(last) = placed.last_mut() {
        *last = last.min(high);
    }
    for index in (0..placed.len().saturating_sub(1)).rev() {
        placed[index] = placed[index].min(placed[index + 1] - gap);
    }
    if let Some(first) = placed.first_mut() {
        *first = first.max(low);
    }
    for index in 1..placed.len() {
        placed[index] = placed[index].max(placed[index - 1] + gap);
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_distance_and_their_limits() {
        let placed = spread_out(&[5.0, 6.0, 7.0, 90.0, 99.0, 99.5], 10.0, 0.0, 100.0);
        assert!(placed.windows(2).all(|pair| pair[1] - pair[0] >= 10.0 - 1e-9), "{placed:?}");
        assert!(placed[0] >= 0.0 && placed[5] <= 100.0, "{placed:?}");
        assert!(spread_out(&[], 1.0, 0.0, 1.0).is_empty());
    }

    #[test]
    fn the_last_planners_stand_out() {
        assert_eq!(Series::of(0, 3), Series { colour: 0, block: 0 });
        assert_eq!(Series::of(0, 14).block, 1);
        assert_eq!(Series::of(13, 14), Series { colour: 6, block: 0 });
        assert_eq!(Series::of(0, 40).block, 2);
    }
}
