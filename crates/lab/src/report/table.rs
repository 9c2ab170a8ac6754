//! The tables of a report as plain rows, which HTML and Markdown both show.

use super::charts::ratio;
use super::growth::{Grown, growth_fit, growth_points};
use super::model::Report;
use super::plot::Series;
use super::statistics::Summary;
use super::unit::{Unit, UnitOutcome};
use crate::table::{bytes, duration, whole};

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rows {
    /// Names over several heads, with how many; may be empty.
    pub(super) groups: Vec<(String, usize)>,
    pub(super) heads: Vec<String>,
    /// How many columns at the left are text.
    pub(super) text_columns: usize,
    pub(super) rows: Vec<Cells>,
}

/// A row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cells {
    pub(super) texts: Vec<String>,
    /// Columns that hold the best value of all rows.
    pub(super) best: Vec<usize>,
    /// The text shown for columns when the pointer is on them.
    pub(super) shown: Vec<(usize, String)>,
    /// How the row's planner is drawn.
    pub(super) series: Option<String>,
    /// Instead of numbers: why there are none.
    pub(super) note: Option<String>,
}

fn heads(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Per cent with as many digits as they are worth; plain 0 where nothing is lost.
pub(super) fn percent(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        value if value < 0.0005 => "< 0.001 %".to_owned(),
        value if value < 0.1 => format!("{value:.3} %"),
        value if value < 10.0 => format!("{value:.2} %"),
        value if value < 1000.0 => format!("{value:.1} %"),
        value => format!("{} %", whole(value as u64)),
    }
}

/// What the table of worst cases shows.
pub(super) const WORST_CASES_LEAD: &str = "What answers, ticks and edits take where things go badly, in processor time. \
    The usual case comes first; a case that takes many times as long is a cliff. A tick has a budget of one millisecond, \
    and 400 requests wait.";

impl Report {
    /// Every planner in every worst case.
    pub(super) fn worst_case_rows(&self) -> Rows {
        let all = &self.worst_cases;
        let rows = all.iter().map(|row| {
            let edits = |time| if row.edits.count == 0 { String::new() } else { duration(time) };
            let ratio = row.ratio(all).map_or_else(String::new, |ratio| format!("{ratio:.1}"));
            let texts = vec![
                row.planner.clone(),
                row.case.to_owned(),
                duration(row.answers.mean_us),
                ratio,
                duration(row.answers.p99_us),
                duration(row.answers.max_us),
                duration(row.ticks.mean_us),
                duration(row.ticks.p99_us),
                duration(row.ticks.max_us),
                edits(row.edits.mean_us),
                edits(row.edits.max_us),
            ];
            Cells { texts, ..Cells::default() }
        });
        let groups = [("", 2), ("answer", 4), ("tick", 3), ("edit", 2)];
        Rows {
            groups: groups.map(|(name, span)| (name.to_owned(), span)).to_vec(),
            heads: heads(&[
                "planner", "case", "mean", "to usual", "p99", "max", "mean", "p99", "max", "mean",
                "max",
            ]),
            text_columns: 2,
            rows: rows.collect(),
        }
    }

    fn class(&self, planner: &str) -> String {
        Series::of(self.number(planner), self.planners.len()).class()
    }

    /// Every planner over all sets. Only numbers that can be compared between planners measured on different
    /// maps: ratios on the same queries, and shares of the map.
    pub(super) fn overview(&self) -> Rows {
        let units = self.of_sets();
        let maps = self.sets().iter().map(|set| self.maps(set).len()).sum::<usize>();
        let summaries = self.summaries(&units);
        let rows = summaries.iter().map(|summary| {
            let speedup = |share: f64| summary.speedup.quantile(share);
            Cells {
                texts: vec![
                    summary.planner.clone(),
                    promise(summary),
                    format!("{} of {maps}", summary.maps),
                    whole(summary.queries as u64),
                    ratio(speedup(0.5)),
                    format!("{} – {}", ratio(speedup(0.1)), ratio(speedup(0.9))),
                    percent(summary.excess_percent.mean()),
                    percent(summary.excess_percent.quantile(0.99)),
                    percent(summary.excess_percent.max()),
                    build(summary.build_ms_mean),
                    format_bytes_a_cell(summary.index_bytes_a_cell),
                ],
                shown: entry_shown(&summary.planner).map(|shown| (0, shown)).into_iter().collect(),
                series: Some(self.class(&summary.planner)),
                ..Cells::default()
            }
        });
        let mut rows: Vec<Cells> = rows.collect();
        mark_best(&mut rows, 4, summaries.iter().map(|summary| -summary.speedup.quantile(0.5)));
        Rows {
            groups: groups(&[
                ("", 4),
                (&format!("times as fast as {}", self.baseline()), 2),
                ("cost above the cheapest", 3),
                ("what it takes", 2),
            ]),
            heads: heads(&[
                "planner",
                "promise",
                "maps",
                "queries",
                "median",
                "8 in 10 queries",
                "mean",
                "p99",
                "worst",
                "build a map",
                "index a cell",
            ]),
            text_columns: 2,
            rows,
        }
    }

    /// Every planner on some maps.
    pub(super) fn planners_on(&self, units: &[&Unit]) -> Rows {
        let summaries = self.summaries(units);
        let maps = map_count(units);
        let cells = |summary| self.summary_cells(summary, maps);
        let mut rows: Vec<Cells> = summaries.iter().map(cells).collect();
        // Times on other maps than those of the others are no better or worse.
        let time = |value: fn(&Summary) -> f64| {
            let of = move |s: &Summary| if s.maps < maps { f64::INFINITY } else { value(s) };
            summaries.iter().map(of).collect::<Vec<f64>>().into_iter()
        };
        mark_best(&mut rows, 2, time(|s| s.time_us.mean()));
        mark_best(&mut rows, 3, time(|s| s.time_us.quantile(0.5)));
        mark_best(&mut rows, 4, time(|s| s.time_us.quantile(0.99)));
        mark_best(&mut rows, 5, summaries.iter().map(|s| -s.speedup.quantile(0.5)));
        for planner in &self.planners {
            if summaries.iter().any(|summary| summary.planner == *planner) {
                continue;
            }
            let outcome =
                units.iter().find(|unit| unit.planner == *planner).map(|unit| &unit.outcome);
            let note = match outcome {
                Some(UnitOutcome::NotServed(reason)) => format!("does not serve: {reason}"),
                Some(UnitOutcome::NotBuilt(reason)) => format!("not built: {reason}"),
                _ => continue,
            };
            rows.push(Cells {
                texts: vec![planner.clone()],
                series: Some(self.class(planner)),
                note: Some(note),
                ..Cells::default()
            });
        }
        Rows {
            groups: groups(&[
                ("", 2),
                ("time of a query", 5),
                ("", 1),
                ("what it takes, a map", 2),
                ("cost above the cheapest", 3),
            ]),
            heads: heads(&[
                "planner",
                "queries",
                "mean",
                "median",
                "p99",
                &format!("× {}", self.baseline()),
                "spread",
                "expanded",
                "build",
                "memory",
                "mean",
                "p99",
                "worst",
            ]),
            text_columns: 1,
            rows,
        }
    }

    /// Whether some planner was measured on some of these maps only.
    pub(super) fn is_partial(&self, units: &[&Unit]) -> bool {
        let maps = map_count(units);
        self.summaries(units).iter().any(|summary| summary.maps < maps)
    }

    fn summary_cells(&self, summary: &Summary, maps: usize) -> Cells {
        let cut = if summary.cut_maps > 0 { " ✂" } else { "" };
        let partial = if summary.maps < maps {
            format!(" ◐ {}/{maps}", summary.maps)
        } else {
            String::new()
        };
        let mut shown = vec![(0, format!("promise: {}", summary.promise))];
        if summary.cut_maps > 0 {
            let (cut, maps) = (summary.cut_maps, summary.maps);
            shown.push((1, format!("on {cut} of {maps} maps there was no time for all queries")));
        }
        let speedup = |share: f64| ratio(summary.speedup.quantile(share));
        shown.push((5, format!("8 in 10 queries: {} to {}", speedup(0.1), speedup(0.9))));
        let spread = summary.spread_percent.quantile(0.95);
        shown.push((6, format!("19 in 20 queries: up to {spread:.0} %")));
        shown.push((8, format!("at most {}", build(summary.build_ms_max))));
        shown.push((9, format!("at most {}", bytes(summary.memory_bytes_max))));
        Cells {
            texts: vec![
                format!("{}{partial}", summary.planner),
                format!("{}{cut}", whole(summary.queries as u64)),
                duration(summary.time_us.mean()),
                duration(summary.time_us.quantile(0.5)),
                duration(summary.time_us.quantile(0.99)),
                speedup(0.5),
                format!("{:.0} %", summary.spread_percent.quantile(0.5)),
                whole(summary.expanded.mean().round() as u64),
                build(summary.build_ms_mean),
                bytes(summary.memory_bytes_mean as usize),
                percent(summary.excess_percent.mean()),
                percent(summary.excess_percent.quantile(0.99)),
                percent(summary.excess_percent.max()),
            ],
            shown,
            series: Some(self.class(&summary.planner)),
            ..Cells::default()
        }
    }

    /// The maps of a set, with the median time of every planner.
    pub(super) fn maps_by_planner(&self, set: &str) -> Rows {
        let units = self.of_set(set);
        let mut rows = Vec::new();
        for map in self.maps(set) {
            let on_map: Vec<&Unit> = units.iter().copied().filter(|unit| unit.map == map).collect();
            let (width, height) = on_map.first().map_or((0, 0), |unit| unit.size);
            let summaries = self.summaries(&on_map);
            let mut cells = Cells {
                texts: vec![map.to_owned(), format!("{width} × {height}")],
                ..Cells::default()
            };
            let median = |planner: &String| {
                let summary = summaries.iter().find(|summary| summary.planner == *planner)?;
                Some(summary.time_us.quantile(0.5))
            };
            let medians: Vec<Option<f64>> = self.planners.iter().map(median).collect();
            let least = medians.iter().flatten().copied().fold(f64::INFINITY, f64::min);
            for (index, median) in medians.iter().enumerate() {
                cells.texts.push(median.map_or("–".to_owned(), duration));
                if *median == Some(least) {
                    cells.best.push(index + 2);
                }
            }
            rows.push(cells);
        }
        let mut heads = heads(&["map", "size"]);
        heads.extend(self.planners.iter().cloned());
        Rows { groups: Vec::new(), heads, text_columns: 1, rows }
    }

    /// How build, queries and memory grow on maps of one kind: values at the largest size measured, exponents,
    /// and how well they fit.
    pub(super) fn growth(&self, kind: &str) -> Rows {
        let units = self.of_growth(kind);
        let mut rows = Vec::new();
        for planner in &self.planners {
            let mut cells = Cells {
                texts: vec![planner.clone()],
                series: Some(self.class(planner)),
                ..Cells::default()
            };
            let own = units.iter().filter(|unit| unit.planner == *planner);
            let measured: Vec<_> = own.filter(|unit| unit.measured().is_some()).collect();
            let Some(largest) = measured.iter().map(|unit| unit.side.unwrap_or(0)).max() else {
                continue;
            };
            cells.texts.push(largest.to_string());
            for grown in Grown::ALL {
                let last = growth_points(&units, planner, grown).pop();
                cells.texts.push(last.map_or("–".to_owned(), |(_, value)| grown.shown(value)));
                match growth_fit(&units, planner, grown) {
                    Some(fit) => {
                        cells.texts.push(format!("{:.2}", fit.exponent));
                        // Two points always lie on a line.
                        let shown = if fit.points > 2 {
                            format!("{:.3}", fit.r_squared)
                        } else {
                            "–".into()
                        };
                        cells.texts.push(shown);
                        let column = cells.texts.len() - 2;
                        cells.shown.push((column, format!("through {} sizes", fit.points)));
                    }
                    None => cells.texts.extend(["–".to_owned(), "–".to_owned()]),
                }
            }
            rows.push(cells);
        }
        Rows {
            groups: groups(&[("", 2), ("build", 3), ("query, mean", 3), ("memory", 3)]),
            heads: heads(&[
                "planner",
                "largest side",
                "there",
                "exponent",
                "R²",
                "there",
                "exponent",
                "R²",
                "there",
                "exponent",
                "R²",
            ]),
            text_columns: 1,
            rows,
        }
    }
}

fn map_count(units: &[&Unit]) -> usize {
    let maps: std::collections::BTreeSet<&str> =
        units.iter().map(|unit| unit.map.as_str()).collect();
    maps.len()
}

/// What the mark of planners that do not serve every map means.
pub(super) fn partial_note(baseline: &str) -> String {
    format!(
        "◐ was measured on some of the maps only: its times are those of other queries than its neighbours'. Compare it \
         by the column × {baseline}, which is of the same queries, or map by map."
    )
}

fn groups(names: &[(&str, usize)]) -> Vec<(String, usize)> {
    names.iter().map(|(name, span)| ((*name).to_owned(), *span)).collect()
}

/// What the catalog says of a planner.
fn entry_shown(planner: &str) -> Option<String> {
    let entry = planner.parse::<highroad::catalog::Spec>().ok()?.entry();
    Some(format!("{}: {}", entry.title, entry.summary))
}

fn promise(summary: &Summary) -> String {
    match summary.promise.as_str() {
        "any path" => "some path".to_owned(),
        promise => promise.replace("at most ", "≤ ").replace(" times the optimum", " × optimum"),
    }
}

/// Milliseconds to build; nothing for planners without an index.
fn build(ms: f64) -> String {
    if ms < 0.01 { "0".to_owned() } else { duration(ms * 1e3) }
}

fn format_bytes_a_cell(value: f64) -> String {
    match value {
        value if value < 0.005 => "0".to_owned(),
        value if value < 10.0 => format!("{value:.1} B"),
        value => format!("{} B", whole(value.round() as u64)),
    }
}

/// Marks the smallest value of a column.
fn mark_best(rows: &mut [Cells], column: usize, values: impl Iterator<Item = f64>) {
    let values: Vec<f64> = values.collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    for (row, value) in rows.iter_mut().zip(values) {
        if value == least && value.is_finite() {
            row.best.push(column);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_have_as_many_digits_as_they_are_worth() {
        let shown = [0.0, 0.0001, 0.0123, 1.234, 12.34, 12345.0].map(percent);
        assert_eq!(shown, ["0", "< 0.001 %", "0.012 %", "1.23 %", "12.3 %", "12\u{2009}345 %"]);
    }
}
