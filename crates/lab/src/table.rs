//! Tables and numbers for people, and the statistics that go into them.

use std::io::{self, Write};

/// How a table is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableFormat {
    /// Columns that line up.
    #[default]
    Text,
    /// A Markdown table.
    Markdown,
    /// Values separated by commas.
    Csv,
}

/// Rows of cells; the first column is text, the others are numbers set to the right.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with those heads and no rows.
    pub fn new(heads: &[&str]) -> Self {
        Self { rows: vec![heads.iter().map(|head| (*head).to_owned()).collect()] }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Writes the table in some format; `text_columns` at the left are set to the left.
    pub fn write_as(
        &self,
        format: TableFormat,
        out: &mut dyn Write,
        text_columns: usize,
    ) -> io::Result<()> {
        match format {
            TableFormat::Text => self.write(out, text_columns),
            TableFormat::Markdown => self.write_markdown(out, text_columns),
            TableFormat::Csv => self.write_csv(out),
        }
    }

    /// Writes the table; `text_columns` at the left are set to the left.
    pub fn write(&self, out: &mut dyn Write, text_columns: usize) -> io::Result<()> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                if column > 0 {
                    line.push_str("  ");
                }
                let padding = " ".repeat(width - cell.chars().count());
                if column < text_columns {
                    line.push_str(&format!("{cell}{padding}"));
                } else {
                    line.push_str(&format!("{padding}{cell}"));
                }
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    /// Writes the table in Markdown; `text_columns` at the left are set to the left.
    pub fn write_markdown(&self, out: &mut dyn Write, text_columns: usize) -> io::Result<()> {
        let Some(heads) = self.rows.first() else { return Ok(()) };
        let escaped = |cell: &String| cell.replace('|', "\\|");
        let rows: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().map(escaped).collect()).collect();
        let width = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(3)
        };
        let widths: Vec<usize> = (0..heads.len()).map(width).collect();
        for (index, row) in rows.iter().enumerate() {
            for (column, width) in widths.iter().enumerate() {
                let cell = row.get(column).map_or("", String::as_str);
                let padding = " ".repeat(width - cell.chars().count());
                match column < text_columns {
                    true => write!(out, "| {cell}{padding} ")?,
                    false => write!(out, "| {padding}{cell} ")?,
                }
            }
            writeln!(out, "|")?;
            if index == 0 {
                for (column, width) in widths.iter().enumerate() {
                    let dashes = "-".repeat(width - 1);
                    match column < text_columns {
                        true => write!(out, "| :{dashes} ")?,
                        false => write!(out, "| {dashes}: ")?,
                    }
                }
                writeln!(out, "|")?;
            }
        }
        Ok(())
    }

    /// Writes the table as comma-separated values, as RFC 4180 has them but for line ends of one character.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let quoted = |cell: &String| match cell.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.clone(),
        };
        for row in &self.rows {
            writeln!(out, "{}", row.iter().map(quoted).collect::<Vec<_>>().join(","))?;
        }
        Ok(())
    }
}

/// A whole number with thin spaces between thousands.
pub fn whole(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{2009}');
        }
        text.push(digit);
    }
    text
}

/// Microseconds, in the unit that fits.
pub fn duration(us: f64) -> String {
    match us {
        us if us < 10.0 => format!("{us:.2} µs"),
        us if us < 1e3 => format!("{us:.0} µs"),
        us if us < 1e6 => format!("{:.2} ms", us / 1e3),
        us => format!("{:.2} s", us / 1e6),
    }
}

/// Bytes, in the unit that fits.
pub fn bytes(count: usize) -> String {
    match count as f64 {
        count if count < 1e3 => format!("{count} B"),
        count if count < 1e6 => format!("{:.1} kB", count / 1e3),
        count if count < 1e9 => format!("{:.1} MB", count / 1e6),
        count => format!("{:.2} GB", count / 1e9),
    }
}

/// By how many per cent a path costs more than the cheapest one.
pub fn above_optimal(percent: f64) -> String {
    match percent {
        percent if percent.is_nan() => "–".to_owned(),
        percent if percent <= 0.0 => "+0 %".to_owned(),
        // What is not optimal must not look as if it were.
        percent if percent < 0.01 => "+<0.01 %".to_owned(),
        percent if percent < 100.0 => format!("+{percent:.2} %"),
        percent => format!("+{} %", whole(percent.round() as u64)),
    }
}

/// The mean; 0 of nothing.
pub fn mean(values: &[f64]) -> f64 {
    // An empty sum is minus zero.
    (0.0 + values.iter().sum::<f64>()) / values.len().max(1) as f64
}

/// The smallest of some sorted values that is not below that share of them.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(whole(1_234_567), "1\u{2009}234\u{2009}567");
        assert_eq!((whole(0), whole(999)), ("0".into(), "999".into()));
        assert_eq!(duration(3.456), "3.46 µs");
        assert_eq!(duration(2_345.0), "2.35 ms");
        assert_eq!((bytes(12), bytes(9_437_184)), ("12 B".into(), "9.4 MB".into()));
    }

    #[test]
    fn what_is_nearly_optimal_is_not_called_optimal() {
        assert_eq!((above_optimal(0.0), above_optimal(1e-7)), ("+0 %".into(), "+<0.01 %".into()));
        assert_eq!((above_optimal(8.0), above_optimal(f64::NAN)), ("+8.00 %".into(), "–".into()));
        assert_eq!(
            above_optimal(1527.11),
            "+1\u{2009}527 %",
            "digits that nobody needs are left out"
        );
    }

    #[test]
    fn quantiles_are_values_of_the_sample() {
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!((quantile(&values, 0.5), quantile(&values, 0.99)), (50.0, 99.0));
        assert_eq!((quantile(&[7.0], 0.99), quantile(&[], 0.5)), (7.0, 0.0));
    }

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&["name", "n"]);
        table.row(vec!["é".into(), "100".into()]);
        let mut text = Vec::new();
        table.write(&mut text, 1).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "name    n\né     100\n");
    }

    #[test]
    fn bars_and_commas_do_not_break_cells() {
        let mut table = Table::new(&["name", "n"]);
        table.row(vec!["a|b, \"c\"".into(), "1".into()]);
        let (mut page, mut values) = (Vec::new(), Vec::new());
        table.write_markdown(&mut page, 1).unwrap();
        table.write_csv(&mut values).unwrap();
        let page = String::from_utf8(page).unwrap();
        assert_eq!(page, "| name      |   n |\n| :-------- | --: |\n| a\\|b, \"c\" |   1 |\n");
        assert_eq!(String::from_utf8(values).unwrap(), "name,n\n\"a|b, \"\"c\"\"\",1\n");
    }
}
