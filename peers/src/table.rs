//! The report for people.

use crate::row::Row;
use highroad_lab::table::{Table, bytes, duration};
use std::io::{self, Write};

const HEADS: [&str; 15] = [
    "map",
    "contestant",
    "version",
    "rules",
    "queries",
    "mean",
    "median",
    "p99",
    "above optimal",
    "p99",
    "worst",
    "mismatches",
    "illegal",
    "mean ratio",
    "median ratio",
];
/// Columns at the left that are words; the others are numbers, set to the right.
const TEXT_COLUMNS: usize = 4;

const UPKEEP_HEADS: [&str; 9] = [
    "map",
    "contestant",
    "build",
    "build ratio",
    "memory",
    "edit mean",
    "edit p99",
    "edit ratio",
    "mismatches after edits",
];
const UPKEEP_TEXT_COLUMNS: usize = 2;

/// Writes the rows as two tables: the queries, and what comes before and between them.
pub(crate) fn write(rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
    let mut queries = Table::new(&HEADS);
    rows.iter().for_each(|row| queries.row(query_cells(row).to_vec()));
    queries.write(out, TEXT_COLUMNS)?;
    writeln!(out)?;
    let mut upkeep = Table::new(&UPKEEP_HEADS);
    rows.iter().for_each(|row| upkeep.row(upkeep_cells(row).to_vec()));
    upkeep.write(out, UPKEEP_TEXT_COLUMNS)
}

fn query_cells(row: &Row) -> [String; HEADS.len()] {
    [
        row.map.clone(),
        row.contestant.clone(),
        row.version.clone(),
        row.rules.clone(),
        row.queries.to_string(),
        duration(row.mean_us),
        duration(row.median_us),
        duration(row.p99_us),
        format!("{:.3} %", row.suboptimality_mean_percent),
        format!("{:.2} %", row.suboptimality_p99_percent),
        format!("{:.2} %", row.suboptimality_max_percent),
        row.mismatches.to_string(),
        row.illegal.to_string(),
        ratio(row.ratio_mean),
        ratio(row.ratio_median),
    ]
}

fn upkeep_cells(row: &Row) -> [String; UPKEEP_HEADS.len()] {
    let edits = row.edits.as_ref();
    [
        row.map.clone(),
        row.contestant.clone(),
        duration(row.build_ms * 1e3),
        or_dash(row.ratio_build.map(ratio)),
        or_dash(row.memory_bytes.map(bytes)),
        or_dash(edits.map(|edits| duration(edits.mean_us))),
        or_dash(edits.map(|edits| duration(edits.p99_us))),
        or_dash(edits.and_then(|edits| edits.ratio_mean).map(ratio)),
        or_dash(edits.map(|edits| format!("{} of {}", edits.mismatches, edits.queries))),
    ]
}

fn ratio(times: f64) -> String {
    format!("{times:.2} ×")
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
    fn columns_line_up_and_the_rules_stand_beside_the_numbers() {
        let text = written(row());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0].chars().count(), lines[1].chars().count());
        let line = lines[1];
        assert!(line.contains("1.2.3    cuts corners      200  2.35 ms  3.46 µs"), "{line}");
        assert!(line.ends_with("17      2.00 ×        0.50 ×"), "{line}");
    }

    #[test]
    fn what_was_not_measured_is_a_dash() {
        let text = written(row());
        let line = text.lines().last().unwrap();
        assert_eq!(line.split_whitespace().filter(|&word| word == "–").count(), 5, "{line}");
        let edits = EditRow {
            mean_us: 9.0,
            p99_us: 20.0,
            ratio_mean: Some(4.0),
            mismatches: 1,
            queries: 199,
        };
        let text = written(Row { edits: Some(edits), ..row() });
        assert!(text.trim_end().ends_with("9.00 µs     20 µs      4.00 ×                1 of 199"));
    }

    fn written(row: Row) -> String {
        let mut text = Vec::new();
        write(&[row], &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }
}
