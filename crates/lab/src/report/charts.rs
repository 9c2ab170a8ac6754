//! The plots of a report.

use super::growth::{Grown, growth_points};
use super::model::Report;
use super::plot::{Plot, Series, spread_out};
use super::scale::{Measure, Scale};
use super::statistics::{Summary, by_length};
use super::unit::Unit;
use crate::table::{duration, whole};

/// Room at the right for names.
const NAMES: f64 = 150.0;
const HEIGHT: f64 = 400.0;
/// Height of a row in plots with one row a planner, and room at the left for its name.
const ROW: f64 = 22.0;
const ROW_NAMES: f64 = 128.0;

/// A curve: its planner's number and name, and its points with the text shown for each.
struct Curve {
    number: usize,
    name: String,
    places: Vec<(f64, f64, String)>,
}

impl Report {
    fn series(&self, number: usize) -> Series {
        Series::of(number, self.planners.len())
    }

    /// Curves on logarithmic axes, named at their right ends.
    fn curves(
        &self,
        title: &str,
        (across, across_label): (Measure, &str),
        (upwards, upwards_label): (Measure, &str),
        curves: &[Curve],
        ticks: Vec<f64>,
    ) -> String {
        let mut plot = Plot::new(title, HEIGHT, NAMES);
        let places = || curves.iter().flat_map(|curve| &curve.places);
        let x = Scale::around(across, places().map(|place| place.0), plot.across(), false)
            .with_ticks(ticks);
        let y = Scale::around(upwards, places().map(|place| place.1), plot.upwards(), false);
        plot.left_axis(&y, upwards_label);
        plot.bottom_axis(&x, across_label);
        let mut names = Vec::new();
        for curve in curves {
            let series = self.series(curve.number);
            let spots: Vec<(f64, f64)> =
                curve.places.iter().map(|place| (x.at(place.0), y.at(place.1))).collect();
            plot.line(series, &spots);
            for (spot, (_, _, shown)) in spots.iter().zip(&curve.places) {
                plot.mark(series, *spot, 3.0, &format!("{}: {shown}", curve.name));
            }
            names.extend(spots.last().map(|&last| (series, curve.name.clone(), last)));
        }
        plot.names(&names);
        plot.finish()
    }

    /// Time against the length of the shortest path.
    pub(super) fn plot_lengths(&self, units: &[&Unit]) -> String {
        let curve = |(number, planner): (usize, &String)| {
            let own = units.iter().copied().filter(|unit| unit.planner == *planner);
            let place = |(length, us, count): (f64, f64, usize)| {
                let shown = format!(
                    "{} for paths of about {length:.0} (median of {} queries)",
                    duration(us),
                    whole(count as u64)
                );
                (length, us, shown)
            };
            let places: Vec<_> = by_length(own).into_iter().map(place).collect();
            (!places.is_empty()).then(|| Curve { number, name: planner.clone(), places })
        };
        let curves: Vec<Curve> = self.planners.iter().enumerate().filter_map(curve).collect();
        let across = (Measure::Number, "length of the shortest path, in cells");
        let upwards = (Measure::Time, "time of a query (median)");
        self.curves("time against path length", across, upwards, &curves, Vec::new())
    }

    /// How times are distributed: a row a planner.
    pub(super) fn plot_times(&self, summaries: &[Summary]) -> String {
        let mut order: Vec<&Summary> = summaries.iter().collect();
        order.sort_by(|a, b| a.time_us.quantile(0.5).total_cmp(&b.time_us.quantile(0.5)));
        let mut plot = Plot::new("distribution of times", rows_height(order.len()), 20.0);
        let ends = order.iter().flat_map(|s| [s.time_us.quantile(0.01), s.time_us.quantile(0.99)]);
        let x = Scale::around(Measure::Time, ends, plot.across_from(ROW_NAMES), false);
        plot.bottom_axis(
            &x,
            "time of a query: 1 to 99 in a hundred, the middle half, median, mean",
        );
        for (row, summary) in order.iter().enumerate() {
            let series = self.series(self.number(&summary.planner));
            let y = 14.0 + ROW * (row as f64 + 0.5);
            let at = |share: f64| x.at(summary.time_us.quantile(share));
            let shown = format!(
                "{}: median {}, mean {}, 99 in a hundred below {}",
                summary.planner,
                duration(summary.time_us.quantile(0.5)),
                duration(summary.time_us.mean()),
                duration(summary.time_us.quantile(0.99))
            );
            let class = series.class();
            plot.words("row-name", (ROW_NAMES - 10.0, y + 4.0), "end", &summary.planner);
            let whisker = (at(0.99) - at(0.01), 1.6);
            plot.bar(&format!("solid {class}"), (at(0.01), y - 0.8), whisker, &shown);
            let half = (at(0.75) - at(0.25), 12.0);
            plot.bar(&format!("box {class}"), (at(0.25), y - 6.0), half, &shown);
            plot.bar(&format!("solid {class}"), (at(0.5) - 1.3, y - 7.5), (2.6, 15.0), &shown);
            plot.mark(series, (x.at(summary.time_us.mean()), y), 3.0, &shown);
        }
        plot.finish()
    }

    /// How good paths are: for each planner that is not exact, which share of them is how much above the
    /// cheapest.
    pub(super) fn plot_quality(&self, summaries: &[Summary]) -> Option<String> {
        let rows: Vec<&Summary> = summaries
            .iter()
            .filter(|summary| !summary.exact && !summary.excess_percent.is_empty())
            .collect();
        if rows.is_empty() {
            return None;
        }
        let mut plot = Plot::new("quality of paths", rows_height(rows.len()) + 8.0, 20.0);
        let (left, right) = plot.across_from(ROW_NAMES);
        for (row, summary) in rows.iter().enumerate() {
            let y = 14.0 + ROW * row as f64;
            plot.words("row-name", (left - 10.0, y + 15.0), "end", &summary.planner);
            let mut x = left;
            for (class, (from, to, name)) in QUALITY.iter().enumerate() {
                let share = summary.excess_percent.share(*from, *to);
                let width = share * (right - left);
                let shown = format!("{}: {:.1} % of paths {name}", summary.planner, share * 100.0);
                plot.bar(&format!("q{class}"), (x, y + 2.0), (width, ROW - 6.0), &shown);
                if width > 38.0 {
                    let text = format!("{:.0} %", share * 100.0);
                    let middle = (x + width / 2.0, y + 15.0);
                    plot.words(&format!("share on-q{class}"), middle, "middle", &text);
                }
                x += width;
            }
        }
        // The legend, below.
        let y = 14.0 + ROW * rows.len() as f64 + 16.0;
        let step = (right - 20.0) / QUALITY.len() as f64;
        for (class, (_, _, name)) in QUALITY.iter().enumerate() {
            let x = 20.0 + step * class as f64;
            plot.bar(&format!("q{class}"), (x, y), (11.0, 11.0), name);
            plot.words("tick", (x + 16.0, y + 10.0), "start", name);
        }
        Some(plot.finish())
    }

    /// Time against what it costs: planners as points, and the line of those that none beats in both.
    fn plot_trade(
        &self,
        title: &str,
        (across, across_label): (Measure, &str),
        (upwards, upwards_label): (Measure, &str),
        points: &[(usize, f64, f64, String)],
    ) -> String {
        let mut plot = Plot::new(title, HEIGHT, 112.0);
        let with_zero = points.iter().any(|point| point.1 <= 0.0);
        let x = Scale::around(across, points.iter().map(|point| point.1), plot.across(), with_zero);
        let y = Scale::around(upwards, points.iter().map(|point| point.2), plot.upwards(), false);
        plot.left_axis(&y, upwards_label);
        plot.bottom_axis(&x, across_label);
        let front: Vec<(f64, f64)> = pareto_front(points, upwards == Measure::Times)
            .into_iter()
            .map(|(cost, time)| (x.at(cost), y.at(time)))
            .collect();
        plot.guide(&front);
        // Points in one column take each other's room for names: these are moved apart.
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by(|&a, &b| y.at(points[a].2).total_cmp(&y.at(points[b].2)));
        let spot = |index: usize| (x.at(points[index].1), y.at(points[index].2));
        let mut placed: Vec<(usize, f64)> = Vec::new();
        for column in columns(&order, |index| spot(index).0) {
            let wanted: Vec<f64> = column.iter().map(|&index| spot(index).1).collect();
            let heights = spread_out(&wanted, 13.0, 12.0, plot.upwards().0 - 2.0);
            placed.extend(column.into_iter().zip(heights));
        }
        for (index, height) in placed {
            let (number, _, _, shown) = &points[index];
            let name = &self.planners[*number];
            plot.mark(self.series(*number), spot(index), 5.0, &format!("{name}: {shown}"));
            let class = format!("name {}", self.series(*number).class());
            plot.words(&class, (spot(index).0 + 9.0, height + 4.0), "start", name);
        }
        plot.finish()
    }

    /// Time against the quality of paths.
    pub(super) fn plot_time_quality(&self, summaries: &[Summary]) -> String {
        let point = |summary: &Summary| {
            let (excess, us) = (summary.excess_percent.mean(), summary.time_us.mean());
            let shown = format!("{}, {excess:.3} % above the cheapest (means)", duration(us));
            (self.number(&summary.planner), excess, us, shown)
        };
        let points: Vec<_> = summaries.iter().map(point).collect();
        let across = (Measure::Percent, "cost above the cheapest (mean)");
        let upwards = (Measure::Time, "time of a query (mean)");
        self.plot_trade("time against quality", across, upwards, &points)
    }

    /// Speed against the quality of paths, over sets.
    pub(super) fn plot_speed_quality(&self, summaries: &[Summary]) -> String {
        let point = |summary: &Summary| {
            let (excess, times) = (summary.excess_percent.mean(), summary.speedup.quantile(0.5));
            let shown = format!("{}, {excess:.3} % above the cheapest on average", ratio(times));
            (self.number(&summary.planner), excess, times, shown)
        };
        let fast = |summary: &&Summary| summary.speedup.quantile(0.5) > 0.0;
        let points: Vec<_> = summaries.iter().filter(fast).map(point).collect();
        let across = (Measure::Percent, "cost above the cheapest (mean)");
        let label = format!("times as fast as {} (median of queries)", self.baseline());
        self.plot_trade("speed against quality", across, (Measure::Times, &label), &points)
    }

    /// Speed against the memory that the index takes, over sets.
    pub(super) fn plot_speed_memory(&self, summaries: &[Summary]) -> String {
        let point = |summary: &Summary| {
            let (a_cell, times) = (summary.index_bytes_a_cell, summary.speedup.quantile(0.5));
            let shown = format!("{}, an index of {a_cell:.1} bytes a cell", ratio(times));
            (self.number(&summary.planner), a_cell, times, shown)
        };
        let fast = |summary: &&Summary| summary.speedup.quantile(0.5) > 0.0;
        let points: Vec<_> = summaries.iter().filter(fast).map(point).collect();
        let across = (Measure::Number, "bytes of index for each cell of the map (mean)");
        let label = format!("times as fast as {} (median of queries)", self.baseline());
        self.plot_trade("speed against memory", across, (Measure::Times, &label), &points)
    }

    /// How something grows with the map, on maps of one kind.
    pub(super) fn plot_growth(&self, kind: &str, grown: Grown) -> String {
        let units = self.of_growth(kind);
        let curve = |(number, planner): (usize, &String)| {
            let points = growth_points(&units, planner, grown);
            let place = |(cells, value): (f64, f64)| {
                let side = cells.sqrt();
                (side, value, format!("{} at {side:.0} × {side:.0}", grown.shown(value)))
            };
            let places: Vec<_> = points.into_iter().map(place).collect();
            (!places.is_empty()).then(|| Curve { number, name: planner.clone(), places })
        };
        let curves: Vec<Curve> = self.planners.iter().enumerate().filter_map(curve).collect();
        let title = format!("{} against map size, {kind}", grown.name());
        let across = (Measure::Number, "cells along a side");
        let sides = units.iter().filter_map(|unit| unit.side).map(f64::from);
        let mut ticks: Vec<f64> = sides.collect();
        ticks.sort_by(f64::total_cmp);
        ticks.dedup();
        self.curves(&title, across, (grown.measure(), grown.label()), &curves, ticks)
    }
}

/// Per cent above the cheapest, from and up to, and what that is called.
const QUALITY: [(f64, f64, &str); 6] = [
    (-1.0, 0.005, "optimal"),
    (0.005, 1.0, "up to 1 %"),
    (1.0, 3.0, "1 to 3 %"),
    (3.0, 10.0, "3 to 10 %"),
    (10.0, 50.0, "10 to 50 %"),
    (50.0, f64::INFINITY, "over 50 %"),
];

fn rows_height(rows: usize) -> f64 {
    14.0 + ROW * rows as f64 + 48.0
}

/// `12×`, `1.3×`, `0.08×`: how many times as fast.
pub(super) fn ratio(times: f64) -> String {
    match times {
        times if times >= 100.0 => format!("{}×", whole(times.round() as u64)),
        times if times >= 10.0 => format!("{times:.0}×"),
        times if times >= 1.0 => format!("{times:.1}×"),
        times if times >= 0.1 => format!("{times:.2}×"),
        times => format!("{times:.3}×"),
    }
}

/// Places that no other beats both in cost and in time (or speed, where more is better), from the cheapest on.
fn pareto_front(points: &[(usize, f64, f64, String)], more_is_better: bool) -> Vec<(f64, f64)> {
    let sign = if more_is_better { -1.0 } else { 1.0 };
    let mut order: Vec<(f64, f64)> = points.iter().map(|point| (point.1, point.2)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then((sign * a.1).total_cmp(&(sign * b.1))));
    let mut front: Vec<(f64, f64)> = Vec::new();
    for (cost, value) in order {
        if front.last().is_none_or(|last| sign * value < sign * last.1) {
            front.push((cost, value));
        }
    }
    front
}

/// Groups of points so near to each other from left to right that their names could meet.
fn columns(order: &[usize], x: impl Fn(usize) -> f64) -> Vec<Vec<usize>> {
    const NAME_WIDTH: f64 = 80.0;
    let mut by_x: Vec<usize> = order.to_vec();
    by_x.sort_by(|&a, &b| x(a).total_cmp(&x(b)));
    let mut columns: Vec<(f64, Vec<usize>)> = Vec::new();
    for index in by_x {
        match columns.last_mut() {
            Some((first, column)) if x(index) - *first < NAME_WIDTH => column.push(index),
            _ => columns.push((x(index), vec![index])),
        }
    }
    let in_order = |column: Vec<usize>| -> Vec<usize> {
        order.iter().copied().filter(|index| column.contains(index)).collect()
    };
    columns.into_iter().map(|(_, column)| in_order(column)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_holds_what_nothing_beats_in_both() {
        let point = |cost: f64, time: f64| (0, cost, time, String::new());
        let points = [point(0.0, 5.0), point(0.0, 9.0), point(1.0, 7.0), point(2.0, 1.0)];
        assert_eq!(pareto_front(&points, false), [(0.0, 5.0), (2.0, 1.0)]);
        assert_eq!(pareto_front(&points, true), [(0.0, 9.0)]);
    }

    #[test]
    fn qualities_leave_no_gap() {
        assert!(QUALITY.windows(2).all(|pair| pair[0].1 == pair[1].0));
        assert!(QUALITY[0].0 < 0.0 && QUALITY[5].1 == f64::INFINITY);
    }

    #[test]
    fn ratios_have_as_many_digits_as_they_are_worth() {
        assert_eq!(
            [0.0123, 0.123, 1.26, 12.3, 1234.0].map(ratio),
            ["0.012×", "0.12×", "1.3×", "12×", "1\u{2009}234×"]
        );
    }
}
