//! Where values lie along the sides of a plot, and how they are written there.

use crate::table::bytes;

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
    pub(super) span: (f64, f64),
    /// Where 0 lies, if it can be shown.
    pub(super) zero: Option<f64>,
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
    pub(super) fn ticks(&self) -> Vec<(f64, bool)> {
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
}
