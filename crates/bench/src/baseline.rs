//! What was measured before, and what has changed since.
//!
//! A baseline is text: a line for each loop with a number and its name, sorted by name, and comments after `#`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use thiserror::Error;

/// A number for each loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline(pub BTreeMap<String, u64>);

/// A line that is none of a baseline.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: '{text}' is not a number and a name")]
pub struct BaselineError {
    /// Which, from 1.
    pub line: usize,
    /// What it says.
    pub text: String,
}

/// What became of one loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// It was not there before.
    New(u64),
    /// It is not there any more.
    Gone(u64),
    /// It was that much, and is this much now.
    Changed(u64, u64),
}

impl Change {
    /// By how many per cent it is more than before.
    pub fn percent(self) -> Option<f64> {
        match self {
            Self::Changed(before, now) => {
                Some((now as f64 - before as f64) / before.max(1) as f64 * 100.0)
            }
            _ => None,
        }
    }
}

impl Baseline {
    /// Reads a baseline.
    pub fn parse(text: &str) -> Result<Self, BaselineError> {
        let mut numbers = BTreeMap::new();
        for (index, line) in text.lines().enumerate() {
            let content = line.split('#').next().unwrap_or_default().trim();
            if content.is_empty() {
                continue;
            }
            let broken = || BaselineError { line: index + 1, text: line.to_owned() };
            let (number, name) = content.split_once(char::is_whitespace).ok_or_else(broken)?;
            numbers.insert(name.trim().to_owned(), number.parse().map_err(|_| broken())?);
        }
        Ok(Self(numbers))
    }

    /// Writes it, with a comment above.
    pub fn to_text(&self, comment: &str) -> String {
        let mut text: String = comment.lines().map(|line| format!("# {line}\n")).collect();
        for (name, number) in &self.0 {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{number:>14} {name}");
        }
        text
    }

    /// What differs from this by more than `tolerance_percent`, in the order of names. Of `now`, a part will do:
    /// with `partial`, loops that it does not have are not gone.
    pub fn changes(
        &self,
        now: &Self,
        tolerance_percent: f64,
        partial: bool,
    ) -> Vec<(String, Change)> {
        let mut changes = BTreeMap::new();
        for (name, &number) in &now.0 {
            let change = match self.0.get(name) {
                None => Change::New(number),
                Some(&before) => Change::Changed(before, number),
            };
            if change.percent().is_none_or(|percent| percent.abs() > tolerance_percent) {
                changes.insert(name.clone(), change);
            }
        }
        if !partial {
            let gone = self.0.iter().filter(|(name, _)| !now.0.contains_key(*name));
            changes.extend(gone.map(|(name, &number)| (name.clone(), Change::Gone(number))));
        }
        changes.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let numbers = [("query hpa", 12), ("build ch", 3_000_000_000)];
        let baseline = Baseline(numbers.map(|(name, number)| (name.to_owned(), number)).into());
        let text = baseline.to_text("two lines\nof comment");
        assert_eq!(Baseline::parse(&text), Ok(baseline));
        assert!(text.starts_with("# two lines\n# of comment\n    3000000000 build ch\n"), "{text}");
        let error = Baseline::parse("# fine\n\nquery 12\n").unwrap_err();
        assert_eq!(error.to_string(), "line 3: 'query 12' is not a number and a name");
        assert!(Baseline::parse("12\n").is_err());
    }

    #[test]
    fn only_what_is_beyond_the_tolerance_is_a_change() {
        let before = Baseline::parse("1000 a\n1000 b\n1000 c\n1000 d\n").unwrap();
        let now = Baseline::parse("1010 a\n1011 b\n900 c\n5 e\n").unwrap();
        let changes = before.changes(&now, 1.0, false);
        let names: Vec<&str> = changes.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["b", "c", "d", "e"]);
        assert_eq!(changes[1].1.percent().map(f64::round), Some(-10.0));
        assert_eq!((changes[2].1, changes[3].1), (Change::Gone(1000), Change::New(5)));
        assert_eq!(before.changes(&now, 1.0, true).len(), 3, "d was not asked for");
    }
}
