//! The report for people, and for programs.

use crate::arguments::Format;
use crate::row::{OURS, Row};
use highroad_lab::table::{Table, bytes, duration};
use std::io::{self, Write};

const HEADS: [&str; 17] = [
    "contestant",
    "version",
    "rules",
    "build",
    "memory",
    "query mean",
    "median",
    "p99",
    "length",
    "above optimal",
    "p99",
    "worst",
    "edit mean",
    "edit p99",
    "wrong",
    "wrong after edits",
    "illegal",
];
/// Columns at the left that are words; the others are numbers, set to the right.
const TEXT_COLUMNS: usize = 3;

const NOTES: &str = "\
Times are the least of the passes for each query and each edit; the order of contestants rotates. Build is the least of \
three, or the only one if it takes long. Memory is what the allocator says is held after the queries, beside the map \
that our planners share. Lengths count 1 for a straight step and √2 for a diagonal; above optimal is against the \
shortest path under the contestant's own steps. Rules says what differs from ours (corners are never cut, diagonals \
cost √2). Illegal are paths with a step that our rule forbids. A dash: it cannot follow edits, or was not asked to.";

/// Writes the rows: two tables a map, or one with bare numbers.
pub(crate) fn write(rows: &[Row], format: Format, out: &mut dyn Write) -> io::Result<()> {
    if format == Format::Csv {
        return write_csv(rows, out);
    }
    for map_rows in rows.chunk_by(|one, next| one.map == next.map) {
        let title = format!("{}, {} queries", map_rows[0].map, map_rows[0].queries);
        let ratios = "How many times as long as ours: the median of the ratios, query by query";
        let mut queries = Table::new(&HEADS);
        map_rows.iter().for_each(|row| queries.row(cells(row).to_vec()));
        let ours: Vec<&str> =
            map_rows[0].ratios_median.iter().map(|(name, _)| name.as_str()).collect();
        let heads: Vec<&str> = ["contestant"].into_iter().chain(ours).collect();
        let mut matrix = Table::new(&heads);
        for row in map_rows.iter().filter(|row| !row.contestant.starts_with(OURS)) {
            let times = row.ratios_median.iter().map(|(_, times)| ratio(*times));
            matrix.row([row.contestant.clone()].into_iter().chain(times).collect());
        }
        if format == Format::Markdown {
            writeln!(out, "### {title}\n")?;
            queries.write_markdown(out, TEXT_COLUMNS)?;
            writeln!(out, "\n{ratios}:\n")?;
            matrix.write_markdown(out, 1)?;
        } else {
            writeln!(out, "{title}\n")?;
            queries.write(out, TEXT_COLUMNS)?;
            writeln!(out, "\n{ratios}\n")?;
            matrix.write(out, 1)?;
        }
        writeln!(out)?;
    }
    writeln!(out, "{NOTES}")
}

fn cells(row: &Row) -> [String; HEADS.len()] {
    let edits = row.edits.as_ref();
    [
        row.contestant.clone(),
        row.version.clone(),
        row.rules.clone(),
        duration(row.build_ms * 1e3),
        bytes(row.memory_bytes),
        duration(row.mean_us),
        duration(row.median_us),
        duration(row.p99_us),
        format!("{:.2}", row.length_mean),
        format!("{:.3} %", row.suboptimality_mean_percent),
        format!("{:.2} %", row.suboptimality_p99_percent),
        format!("{:.2} %", row.suboptimality_max_percent),
        or_dash(edits.map(|edits| duration(edits.mean_us))),
        or_dash(edits.map(|edits| duration(edits.p99_us))),
        row.mismatches.to_string(),
        or_dash(edits.map(|edits| format!("{} of {}", edits.mismatches, edits.queries))),
        row.illegal.to_string(),
    ]
}

const CSV_HEADS: [&str; 19] = [
    "map",
    "contestant",
    "version",
    "rules",
    "queries",
    "build_ms",
    "memory_bytes",
    "query_mean_us",
    "query_median_us",
    "query_p99_us",
    "length_mean",
    "above_optimal_mean_percent",
    "above_optimal_p99_percent",
    "above_optimal_worst_percent",
    "edit_mean_us",
    "edit_p99_us",
    "wrong",
    "wrong_after_edits",
    "illegal",
];

/// One table, with a column for the ratio against each of our planners on any of the maps.
fn write_csv(rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
    let mut ours: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flat_map(|row| &row.ratios_median) {
        if !ours.contains(&name.as_str()) {
            ours.push(name);
        }
    }
    let ratio_heads: Vec<String> =
        ours.iter().map(|name| format!("median_ratio_to_{name}")).collect();
    let heads: Vec<&str> =
        CSV_HEADS.into_iter().chain(ratio_heads.iter().map(String::as_str)).collect();
    let mut table = Table::new(&heads);
    for row in rows {
        let edits = row.edits.as_ref();
        let number = |value: f64| format!("{value:.4}");
        let mut cells = vec![
            row.map.clone(),
            row.contestant.clone(),
            row.version.clone(),
            row.rules.clone(),
            row.queries.to_string(),
            number(row.build_ms),
            row.memory_bytes.to_string(),
            number(row.mean_us),
            number(row.median_us),
            number(row.p99_us),
            number(row.length_mean),
            number(row.suboptimality_mean_percent),
            number(row.suboptimality_p99_percent),
            number(row.suboptimality_max_percent),
            edits.map(|edits| number(edits.mean_us)).unwrap_or_default(),
            edits.map(|edits| number(edits.p99_us)).unwrap_or_default(),
            row.mismatches.to_string(),
            edits.map(|edits| edits.mismatches.to_string()).unwrap_or_default(),
            row.illegal.to_string(),
        ];
        cells.extend(ours.iter().map(|name| {
            let against = row.ratios_median.iter().find(|(planner, _)| planner == name);
            against.map(|(_, times)| number(*times)).unwrap_or_default()
        }));
        table.row(cells);
    }
    table.write_csv(out)
}

fn ratio(times: f64) -> String {
    match times {
        times if times < 10.0 => format!("{times:.2} ×"),
        times if times < 100.0 => format!("{times:.1} ×"),
        times => format!("{times:.0} ×"),
    }
}

fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "–".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::EditRow;
    use crate::row::tests::row;

    #[test]
    fn each_map_has_its_tables_and_the_rules_stand_beside_the_numbers() {
        let ours = Row { contestant: "highroad hpa".into(), ..row() };
        let other = Row { map: "other".into(), ..row() };
        let text = written(&[ours, row(), other], Format::Text);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "map, 200 queries");
        assert_eq!(lines[2].chars().count(), lines[3].chars().count());
        assert!(lines[3].starts_with("highroad hpa  1.2.3    cuts corners  1.50 ms  5.0 kB"));
        assert!(text.contains("\nlibrary     7.00 ×  70.0 ×\n"), "{text}");
        assert!(!text.contains("highroad hpa  7.00"), "ours are not held against ours:\n{text}");
        assert_eq!(text.matches(" queries\n").count(), 2, "{text}");
        let page = written(&[row()], Format::Markdown);
        assert!(page.starts_with("### map, 200 queries\n\n| contestant"), "{page}");
    }

    #[test]
    fn what_was_not_measured_is_a_dash_or_nothing() {
        let dashes = |row: &Row| cells(row).iter().filter(|cell| *cell == "–").count();
        assert_eq!(dashes(&row()), 3);
        let edits = EditRow {
            mean_us: 9.0,
            p99_us: 20.0,
            ratio_mean: Some(4.0),
            mismatches: 1,
            queries: 199,
        };
        let edited = Row { edits: Some(edits), ..row() };
        assert_eq!(dashes(&edited), 0);
        assert!(cells(&edited).contains(&"1 of 199".to_owned()));
        let csv = written(&[row(), edited], Format::Csv);
        let lines: Vec<&str> = csv.lines().collect();
        assert!(lines[0].ends_with("illegal,median_ratio_to_hpa,median_ratio_to_ch"), "{csv}");
        assert!(lines[1].ends_with(",3.0000,,,0,,17,7.0000,70.0000"), "{csv}");
        assert!(lines[2].ends_with(",9.0000,20.0000,0,1,17,7.0000,70.0000"), "{csv}");
    }

    fn written(rows: &[Row], format: Format) -> String {
        let mut text = Vec::new();
        write(rows, format, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }
}
