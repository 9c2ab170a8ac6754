//! The report for people.

use crate::row::Row;
use highroad_lab::table::{Table, duration};
use std::io::{self, Write};

const HEADS: [&str; 15] = [
    "map",
    "contestant",
    "version",
    "rules",
    "queries",
    "build",
    "mean",
    "median",
    "p99",
    "above optimal",
    "worst",
    "mismatches",
    "illegal",
    "mean ratio",
    "median ratio",
];
/// Columns at the left that are words; the others are numbers, set to the right.
const TEXT_COLUMNS: usize = 4;

/// Writes the rows as one table.
pub(crate) fn write(rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::new(&HEADS);
    rows.iter().for_each(|row| table.row(cells(row).to_vec()));
    table.write(out, TEXT_COLUMNS)
}

fn cells(row: &Row) -> [String; HEADS.len()] {
    [
        row.map.clone(),
        row.contestant.clone(),
        row.version.clone(),
        row.rules.clone(),
        row.queries.to_string(),
        duration(row.build_ms * 1e3),
        duration(row.mean_us),
        duration(row.median_us),
        duration(row.p99_us),
        format!("{:.3} %", row.suboptimality_mean_percent),
        format!("{:.2} %", row.suboptimality_max_percent),
        row.mismatches.to_string(),
        row.illegal.to_string(),
        format!("{:.2} ×", row.ratio_mean),
        format!("{:.2} ×", row.ratio_median),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_the_rules_stand_beside_the_numbers() {
        let row = Row {
            map: "map".into(),
            contestant: "library".into(),
            version: "1.2.3".into(),
            rules: "cuts corners".into(),
            queries: 200,
            build_ms: 1.5,
            mean_us: 2_345.0,
            median_us: 3.456,
            p99_us: 12.0,
            suboptimality_mean_percent: -0.5,
            suboptimality_max_percent: 3.0,
            mismatches: 0,
            illegal: 17,
            ratio_mean: 2.0,
            ratio_median: 0.5,
        };
        let mut text = Vec::new();
        write(&[row], &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let (heads, line) = text.trim_end().split_once('\n').unwrap();
        assert_eq!(heads.chars().count(), line.chars().count());
        assert!(
            line.contains("1.2.3    cuts corners      200  1.50 ms  2.35 ms  3.46 µs"),
            "{line}"
        );
        assert!(line.ends_with("17      2.00 ×        0.50 ×"), "{line}");
    }
}
