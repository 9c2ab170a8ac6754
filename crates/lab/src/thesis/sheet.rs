//! One of the tables, in the three forms it is written in.

use crate::table::{Table, duration, whole};
use std::io::{self, Write};

/// A table with what must be said about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// The thesis's section, such as `4.1`.
    pub section: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, an entry a column.
    pub rows: Vec<Vec<Entry>>,
    /// How it was measured, what is missing, what the thesis has wrong: a line each.
    pub notes: Vec<String>,
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// For people: `time, thesis`.
    pub head: &'static str,
    /// For programs, with the unit: `thesis_time_ms`.
    pub key: &'static str,
}

/// A column by its two names.
pub(super) const fn column(head: &'static str, key: &'static str) -> Column {
    Column { head, key }
}

/// What stands in a cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// Words.
    Text(String),
    /// A number of things, perhaps a mean.
    Count(f64),
    /// A cost, with steps of 1 and 1.4.
    Cost(f64),
    /// Milliseconds.
    Ms(f64),
    /// A share.
    Percent(f64),
    /// So many times as much.
    Times(f64),
    /// Nothing was printed, or nothing can be.
    Missing,
}

impl Entry {
    /// A percentage, if there is one.
    pub(super) fn percent(value: Option<f64>) -> Self {
        value.map_or(Self::Missing, Self::Percent)
    }

    /// For people.
    pub fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(count) => whole(count.round() as u64),
            Self::Cost(cost) => format!("{cost:.1}"),
            Self::Ms(ms) => duration(ms * 1e3),
            // Without the sign of a nought.
            Self::Percent(percent) => format!("{:.1} %", (percent * 10.0).round() / 10.0 + 0.0),
            Self::Times(times) => format!("{times:.1} ×"),
            Self::Missing => "–".to_owned(),
        }
    }

    /// For programs: a bare number, in the unit that the column's key names.
    pub fn plain(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(value) | Self::Cost(value) | Self::Percent(value) | Self::Times(value) => {
                format!("{}", (value * 1e4).round() / 1e4)
            }
            Self::Ms(value) => format!("{}", (value * 1e6).round() / 1e6),
            Self::Missing => String::new(),
        }
    }
}

impl From<&str> for Entry {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl Sheet {
    /// For a terminal.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}\n", self.heading())?;
        self.table().write(out, self.text_columns())?;
        writeln!(out)?;
        self.notes.iter().try_for_each(|note| writeln!(out, "* {note}"))
    }

    /// For a page.
    pub fn write_markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "## {}\n", self.heading())?;
        self.table().write_markdown(out, self.text_columns())?;
        writeln!(out)?;
        self.notes.iter().try_for_each(|note| writeln!(out, "* {note}"))
    }

    /// For a program.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let keys: Vec<&str> = self.columns.iter().map(|column| column.key).collect();
        let mut table = Table::new(&keys);
        for row in &self.rows {
            table.row(row.iter().map(Entry::plain).collect());
        }
        table.write_csv(out)
    }

    fn heading(&self) -> String {
        format!("Section {}: {}", self.section, self.title)
    }

    fn table(&self) -> Table {
        let heads: Vec<&str> = self.columns.iter().map(|column| column.head).collect();
        let mut table = Table::new(&heads);
        for row in &self.rows {
            table.row(row.iter().map(Entry::shown).collect());
        }
        table
    }

    /// How many columns at the left are words.
    fn text_columns(&self) -> usize {
        let words = |row: &Vec<Entry>| {
            row.iter().take_while(|entry| matches!(entry, Entry::Text(_))).count()
        };
        self.rows.iter().map(words).min().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        Sheet {
            section: "4.9",
            title: "nothing",
            columns: vec![column("map", "map"), column("time, thesis", "thesis_time_ms")],
            rows: vec![vec!["a, b".into(), Entry::Ms(1408.1178)], vec!["c".into(), Entry::Missing]],
            notes: vec!["A note.".into()],
        }
    }

    #[test]
    fn people_get_units_and_programs_bare_numbers() {
        let written = |write: &dyn Fn(&mut Vec<u8>)| {
            let mut text = Vec::new();
            write(&mut text);
            String::from_utf8(text).unwrap()
        };
        let page = written(&|out| sheet().write_markdown(out).unwrap());
        assert!(page.starts_with("## Section 4.9: nothing\n\n| map"), "{page}");
        assert!(page.contains("| a, b |       1.41 s |"), "{page}");
        assert!(page.ends_with("\n* A note.\n"), "{page}");
        let text = written(&|out| sheet().write_text(out).unwrap());
        assert!(text.contains("a, b        1.41 s\n"), "{text}");
        let csv = written(&|out| sheet().write_csv(out).unwrap());
        assert_eq!(csv, "map,thesis_time_ms\n\"a, b\",1408.1178\nc,\n");
    }
}
