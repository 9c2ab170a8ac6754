//! The parts that plots are made of: scales, gridlines, marks and names, as SVG inside the page. Colours and
//! fonts are those of the page's style sheet, so that plots are light or dark with it.

use super::html::escape;
use crate::table::bytes;
use std::fmt::Write;

/// Width of a plot in its own units.
pub(super) const WIDTH: f64 = 640.0;
const LEFT: f64 = 74.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 48.0;
/// Colours in the style sheet.
const COLOURS: usize = 7;

/// What is measured along an axis, and how its numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// Microseconds.
    Time,
    /// Bytes.
    Memory,
    /// Per cent.
    Percent,
    /// Lengths, cells: plain numbers.
    Number,
    /// How many times as fast.
    Times,
}

impl Measure {
    /// A round number of this measure.
    pub(super) fn tick(self, value: f64) -> String {
        match self {
            Self::Time if value < 1.0 => format!("{} ns", plain(value * 1e3)),
            Self::Time if value < 1e3 => format!("{} µs", plain(value)),
            Self::Time if value < 1e6 => format!("{} ms", plain(value / 1e3)),
            Self::Time => format!("{} s", plain(value / 1e6)),
            Self::Memory => bytes(value as usize).replace(".0 ", " ").replace(".00 ", " "),
            Self::Percent => format!("{} %", plain(value)),
            Self::Times => format!("{}×", plain(value)),
            Self::Number if value >= 1e6 => format!("{} M", plain(value / 1e6)),
            Self::Number if value >= 1e4 => format!("{} k", plain(value / 1e3)),
            Self::Number => plain(value),
        }
    }
}

fn plain(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A logarithmic scale along one side of a plot, with room at its low end for values of 0 if wanted.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    pub(super) measure: Measure,
    low: f64,
    high: f64,
    /// Where `low` and `high` lie on the drawing.
    span: (f64, f64),
    /// Where 0 lies, if it can be shown.
    zero: Option<f64>,
    /// The values that are named, if not round ones.
    own_ticks: Vec<f64>,
}

impl Scale {
    /// From the smallest to the largest of some positive values, with some room.
    pub(super) fn around(
        measure: Measure,
        values: impl Iterator<Item = f64>,
        span: (f64, f64),
        with_zero: bool,
    ) -> Self {
        let (mut low, mut high) = (f64::INFINITY, 0.0f64);
        for value in values.filter(|value| value.is_finite() && *value > 0.0) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = (1.0, 10.0);
        }
        // Not narrower than half a decade: noise should not look like a difference.
        let middle = (low * high).sqrt();
        (low, high) = ((low / 1.15).min(middle / 1.8), (high * 1.15).max(middle * 1.8));
        let room = (span.1 - span.0) * 0.11;
        let (zero, span) = if with_zero {
            (Some(span.0 + room * 0.36), (span.0 + room, span.1))
        } else {
            (None, span)
        };
        Self { measure, low, high, span, zero, own_ticks: Vec::new() }
    }

    /// The same with names at those values only.
    pub(super) fn with_ticks(self, own_ticks: Vec<f64>) -> Self {
        Self { own_ticks, ..self }
    }

    /// Where a value lies; values below the scale at its low end.
    pub(super) fn at(&self, value: f64) -> f64 {
        if let Some(zero) = self.zero
            && value < self.low
        {
            return zero;
        }
        let value = value.clamp(self.low, self.high);
        let share = (value / self.low).ln() / (self.high / self.low).ln();
        self.span.0 + share * (self.span.1 - self.span.0)
    }

    /// Round values on the scale, with whether they are named.
    fn ticks(&self) -> Vec<(f64, bool)> {
        if !self.own_ticks.is_empty() {
            return self.own_ticks.iter().map(|&value| (value, true)).collect();
        }
        let decades = (self.high / self.low).log10();
        let named: &[f64] = match decades {
            decades if decades < 1.3 => &[1.0, 2.0, 5.0],
            decades if decades < 2.2 => &[1.0, 3.0],
            _ => &[1.0],
        };
        let mut ticks = Vec::new();
        for power in self.low.log10().floor() as i32..=self.high.log10().ceil() as i32 {
            for digit in 1..10 {
                let value = f64::from(digit) * 10f64.powi(power);
                if (self.low..=self.high).contains(&value) {
                    ticks.push((value, named.contains(&f64::from(digit))));
                }
            }
        }
        ticks
    }
}

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

    /// Where the field lies from left to right,
    pub(super) fn across(&self) -> (f64, f64) {
        (LEFT, self.field.0)
    }

    /// the same with so much room at the left,
    pub(super) fn across_from(&self, left: f64) -> (f64, f64) {
        (left, self.field.0)
    }

    /// and from the bottom up.
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

    /// A mark, with what is told of it when the pointer is on it.
    pub(super) fn mark(&mut self, series: Series, (x, y): (f64, f64), radius: f64, told: &str) {
        let class = series.class();
        let told = escape(told);
        if series.block == 2 {
            _ = write!(
                self.text,
                r#"<rect class="mark {class}" x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}"><title>{told}</title></rect>"#,
                x - radius,
                y - radius,
                2.0 * radius,
                2.0 * radius
            );
        } else {
            _ = write!(
                self.text,
                r#"<circle class="mark {class}" cx="{x:.1}" cy="{y:.1}" r="{radius:.1}"><title>{told}</title></circle>"#
            );
        }
    }

    /// A rectangle of a class of the style sheet.
    pub(super) fn bar(&mut self, class: &str, corner: (f64, f64), size: (f64, f64), told: &str) {
        _ = write!(
            self.text,
            r#"<rect class="{class}" x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}"><title>{}</title></rect>"#,
            corner.0,
            corner.1,
            size.0.max(0.0),
            size.1,
            escape(told)
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
    fn scales_put_values_where_they_belong() {
        let scale = Scale::around(Measure::Time, [1.0, 1e4].into_iter(), (0.0, 100.0), false);
        assert!((scale.at(100.0) - 50.0).abs() < 1e-9);
        assert!(scale.at(1.0) > 0.0 && scale.at(1e4) < 100.0 && scale.at(0.0) == 0.0);
        let named: Vec<f64> =
            scale.ticks().into_iter().filter(|(_, named)| *named).map(|(value, _)| value).collect();
        assert_eq!(named, [1.0, 10.0, 100.0, 1e3, 1e4]);
        let zero = Scale::around(Measure::Percent, [0.0, 5.0].into_iter(), (0.0, 100.0), true);
        assert!(zero.at(0.0) > 0.0 && zero.at(0.0) < zero.at(5.0) - 10.0);
        let nothing = Scale::around(Measure::Number, [f64::NAN].into_iter(), (0.0, 1.0), false);
        assert!(nothing.at(3.0).is_finite());
    }

    #[test]
    fn numbers_on_axes_are_short() {
        assert_eq!(
            (Measure::Time.tick(100.0), Measure::Time.tick(0.1)),
            ("100 µs".into(), "100 ns".into())
        );
        assert_eq!(
            (Measure::Time.tick(3e6), Measure::Memory.tick(1e7)),
            ("3 s".into(), "10 MB".into())
        );
        assert_eq!(
            (Measure::Number.tick(5e4), Measure::Percent.tick(0.01)),
            ("50 k".into(), "0.01 %".into())
        );
    }

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
