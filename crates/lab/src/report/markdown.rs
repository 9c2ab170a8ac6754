//! The report as Markdown: the tables and the words, without plots.

use super::guide::{GUIDE, LINK};
use super::method;
use super::model::Report;
use super::table::{Rows, WORST_CASES_LEAD};
use std::fmt::Write;

/// Text as it can stand in a table's cell.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '|' | '*' | '_' | '`' | '<' | '\\' | '[' | ']' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            '\n' => escaped.push(' '),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// A table. Names over several heads go into each of them.
fn table(rows: &Rows) -> String {
    let mut over: Vec<&str> = Vec::new();
    for (name, span) in &rows.groups {
        over.extend(std::iter::repeat_n(name.as_str(), *span));
    }
    let head = |(index, head): (usize, &String)| match over.get(index) {
        Some(group) if !group.is_empty() => escape(&format!("{group}: {head}")),
        _ => escape(head),
    };
    let heads: Vec<String> = rows.heads.iter().enumerate().map(head).collect();
    let mut text = format!("| {} |\n|", heads.join(" | "));
    for index in 0..heads.len() {
        text += if index < rows.text_columns { "---|" } else { "--:|" };
    }
    text.push('\n');
    for cells in &rows.rows {
        let shown: Vec<String> = cells
            .texts
            .iter()
            .chain(&cells.note)
            .enumerate()
            .map(|(index, cell)| {
                let cell = escape(cell);
                if cells.best.contains(&index) { format!("**{cell}**") } else { cell }
            })
            .collect();
        _ = writeln!(text, "| {} |", shown.join(" | "));
    }
    text.push('\n');
    text
}

/// The whole report.
pub(super) fn markdown(report: &Report) -> String {
    let mut text = String::from("# Highroad, measured\n\n");
    text += "Plots and the worst paths, drawn: `index.html` beside this file.\n\n";
    _ = writeln!(text, "## At a glance\n\n{}", table(&report.overview()));
    text += "## How to read this\n\n";
    for (head, shown) in GUIDE {
        _ = writeln!(text, "* **{head}** {shown}");
    }
    _ = writeln!(text, "\n{LINK}\n");
    for set in report.sets() {
        let maps = super::page::counted(report.maps(set).len(), "map");
        _ = writeln!(
            text,
            "## {} ({maps})\n\n{}",
            escape(set),
            table(&report.planners_on(&report.of_set(set)))
        );
        if report.is_partial(&report.of_set(set)) {
            _ = writeln!(text, "{}\n", super::table::partial_note(report.baseline()));
        }
        _ = writeln!(
            text,
            "Median time of a query, map by map:\n\n{}",
            table(&report.maps_by_planner(set))
        );
    }
    for kind in report.growth_kinds() {
        _ = writeln!(
            text,
            "## Growth with the size of the map: {kind}\n\n{}",
            table(&report.growth(kind))
        );
    }
    if !report.worst_cases.is_empty() {
        let rows = table(&report.worst_case_rows());
        _ = writeln!(text, "## Worst cases\n\n{WORST_CASES_LEAD}\n\n{rows}");
    }
    text += "## How this was measured\n\n";
    for (name, shown) in method::facts(report) {
        _ = writeln!(text, "* **{name}:** {}", escape(&shown));
    }
    text.push('\n');
    for shown in method::timing(report).into_iter().chain([method::limits(report)]) {
        _ = writeln!(text, "{}\n", escape(&shown));
    }
    for (what, maps) in method::left_out(report) {
        _ = writeln!(text, "* {}: {}.", escape(&what), escape(&maps.join(", ")));
    }
    text.push('\n');
    let violations = method::violations(report);
    _ = writeln!(
        text,
        "{} answers were checked; {} wrong or against a promise.",
        method::checked(report),
        violations.len()
    );
    for violation in violations.iter().take(method::VIOLATIONS_SHOWN) {
        _ = writeln!(text, "* {}", escape(violation));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::table::Cells;

    #[test]
    fn names_cannot_break_a_table() {
        let rows = Rows {
            groups: vec![(String::new(), 1), ("time".into(), 1)],
            heads: vec!["planner".into(), "mean".into()],
            text_columns: 1,
            rows: vec![Cells {
                texts: vec!["a|b".into(), "3 µs".into()],
                best: vec![1],
                ..Cells::default()
            }],
        };
        assert_eq!(table(&rows), "| planner | time: mean |\n|---|--:|\n| a\\|b | **3 µs** |\n\n");
    }
}
