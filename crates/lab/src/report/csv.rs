//! Comma-separated values (RFC 4180): a row per query and planner, and a row per summary.

use super::model::Report;
use super::statistics::Summary;
use super::unit::{Unit, UnitOutcome};

/// A field, quoted where it must be.
pub(super) fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn row(fields: &[String]) -> String {
    let fields: Vec<String> = fields.iter().map(|text| field(text)).collect();
    fields.join(",") + "\n"
}

const QUERY_HEADS: [&str; 19] = [
    "set",
    "map",
    "width",
    "height",
    "growth",
    "planner",
    "query",
    "start_x",
    "start_y",
    "goal_x",
    "goal_y",
    "shortest_length",
    "shortest_from",
    "length",
    "cost",
    "above_optimal_percent",
    "expanded",
    "least_us",
    "most_us",
];

/// A row per query and planner. Empty lengths: no path. Numbers of queries show which are the same on a map.
pub(super) fn queries(report: &Report) -> String {
    let mut text = row(&QUERY_HEADS.map(str::to_owned));
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    for unit in &report.units {
        let UnitOutcome::Measured(measured) = &unit.outcome else { continue };
        for (index, query) in measured.queries.iter().enumerate() {
            text.push_str(&row(&[
                unit.set.clone(),
                unit.map.clone(),
                unit.size.0.to_string(),
                unit.size.1.to_string(),
                if unit.side.is_some() { "yes" } else { "no" }.to_owned(),
                unit.planner.clone(),
                index.to_string(),
                query.start.0.to_string(),
                query.start.1.to_string(),
                query.goal.0.to_string(),
                query.goal.1.to_string(),
                number(query.shortest),
                if query.published { "published" } else { "exact search" }.to_owned(),
                number(query.length),
                query.cost.map(|cost| cost.to_string()).unwrap_or_default(),
                number(query.excess_percent),
                query.expanded.to_string(),
                query.least_us.to_string(),
                query.most_us.to_string(),
            ]));
        }
    }
    text
}

const SUMMARY_HEADS: [&str; 27] = [
    "scope",
    "set",
    "map",
    "planner",
    "exact",
    "maps",
    "maps_cut",
    "queries",
    "paths",
    "mean_us",
    "median_us",
    "p99_us",
    "spread_median_percent",
    "speedup_median",
    "speedup_p10",
    "speedup_p90",
    "expanded_mean",
    "build_mean_ms",
    "build_max_ms",
    "memory_mean_bytes",
    "memory_max_bytes",
    "index_bytes_per_cell",
    "above_optimal_mean_percent",
    "above_optimal_p99_percent",
    "above_optimal_worst_percent",
    "violations",
    "why_not",
];

/// A row per planner over all sets, for each set, for each map, and for each map of the growth. What was not
/// measured has its reason in the last column.
pub(super) fn summary(report: &Report) -> String {
    let mut text = row(&SUMMARY_HEADS.map(str::to_owned));
    let mut add = |scope: &str, set: &str, map: &str, units: &[&Unit]| {
        for summary in report.summaries(units) {
            text.push_str(&summary_row(scope, set, map, &summary));
        }
        if map.is_empty() {
            return;
        }
        for unit in units {
            let (UnitOutcome::NotServed(reason) | UnitOutcome::NotBuilt(reason)) = &unit.outcome
            else {
                continue;
            };
            let mut fields = [scope, set, map, &unit.planner].map(str::to_owned).to_vec();
            fields.resize(SUMMARY_HEADS.len() - 1, String::new());
            fields.push(reason.clone());
            text.push_str(&row(&fields));
        }
    };
    add("all sets", "", "", &report.of_sets());
    for set in report.sets() {
        let units = report.of_set(set);
        add("set", set, "", &units);
        for map in report.maps(set) {
            let units: Vec<&Unit> = units.iter().copied().filter(|unit| unit.map == map).collect();
            add("map", set, map, &units);
        }
    }
    for kind in report.growth_kinds() {
        for unit in report.of_growth(kind) {
            add("growth", kind, &unit.map, &[unit]);
        }
    }
    text
}

fn summary_row(scope: &str, set: &str, map: &str, summary: &Summary) -> String {
    let number = |value: f64| format!("{value:.4}");
    row(&[
        scope.to_owned(),
        set.to_owned(),
        map.to_owned(),
        summary.planner.clone(),
        if summary.exact { "yes" } else { "no" }.to_owned(),
        summary.maps.to_string(),
        summary.cut_maps.to_string(),
        summary.queries.to_string(),
        summary.excess_percent.len().to_string(),
        number(summary.time_us.mean()),
        number(summary.time_us.quantile(0.5)),
        number(summary.time_us.quantile(0.99)),
        number(summary.spread_percent.quantile(0.5)),
        number(summary.speedup.quantile(0.5)),
        number(summary.speedup.quantile(0.1)),
        number(summary.speedup.quantile(0.9)),
        number(summary.expanded.mean()),
        number(summary.build_ms_mean),
        number(summary.build_ms_max),
        number(summary.memory_bytes_mean),
        summary.memory_bytes_max.to_string(),
        number(summary.index_bytes_a_cell),
        number(summary.excess_percent.mean()),
        number(summary.excess_percent.quantile(0.99)),
        number(summary.excess_percent.max()),
        summary.violations.to_string(),
        String::new(),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("say \"no\"\n"), "\"say \"\"no\"\"\n\"");
    }
}
