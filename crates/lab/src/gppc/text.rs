//! Reading dynamic scenarios and their patches.

use super::{Command, DynamicScenario, Patch};
use highroad::grid::SIDE_MAX;
use highroad::{Cell, Terrain};
use thiserror::Error;

/// Why a text is no dynamic scenario, or no file of patches, and in which line, from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct DynamicError {
    /// Line of the text, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: DynamicProblem,
}

/// What is wrong with the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DynamicProblem {
    /// The text ends too early, or a line is not what must come there.
    #[error("expected {0}")]
    Expected(&'static str),
    /// A field is not a number in range.
    #[error("'{0}' is not a number in range")]
    Number(String),
    /// A command that is neither P nor Q, or with another number of fields.
    #[error("expected 'P n patch x y' or 'Q n start-x start-y goal-x goal-y length'")]
    Command,
    /// A row of a patch is too short or too long.
    #[error("the row has {found} cells, the patch {expected}")]
    Row {
        /// Cells of the row.
        found: usize,
        /// Cells that it should have.
        expected: usize,
    },
    /// A letter that is no terrain.
    #[error("'{0}' is no terrain")]
    Letter(char),
}

use DynamicProblem::{Expected, Number};

/// Lines with their numbers, blank ones left out.
struct Lines<'t> {
    lines: std::iter::Enumerate<std::str::Lines<'t>>,
    last: usize,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self { lines: text.lines().enumerate(), last: 1 }
    }

    fn next(&mut self) -> Option<&'t str> {
        for (index, line) in self.lines.by_ref() {
            self.last = index + 1;
            if !line.trim().is_empty() {
                return Some(line.trim());
            }
        }
        None
    }

    fn error(&self, problem: DynamicProblem) -> DynamicError {
        DynamicError { line: self.last, problem }
    }

    /// The rest of a line that begins with that word.
    fn field(&mut self, word: &'static str) -> Result<&'t str, DynamicError> {
        let line = self.next().unwrap_or_default();
        let rest = line.strip_prefix(word).filter(|rest| rest.is_empty() || rest.starts_with(' '));
        rest.map(str::trim).ok_or_else(|| self.error(Expected(word)))
    }

    fn number(&mut self, word: &'static str, max: u32) -> Result<u32, DynamicError> {
        let text = self.field(word)?;
        let number = text.parse().ok().filter(|number| *number <= max);
        number.ok_or_else(|| self.error(Number(text.to_owned())))
    }
}

impl DynamicScenario {
    /// Reads a scenario of version 2.
    pub fn parse(text: &str) -> Result<Self, DynamicError> {
        let mut lines = Lines::new(text);
        if lines.field("version")? != "2" {
            return Err(lines.error(Expected("'version 2'")));
        }
        let height = lines.number("height", SIDE_MAX)?;
        let width = lines.number("width", SIDE_MAX)?;
        if lines.field("cost")? != "1 octile" {
            return Err(lines.error(Expected("'cost 1 octile'")));
        }
        let patch = lines.field("patch")?;
        let patch_name = patch.rsplit(['/', '\\']).next().unwrap_or(patch).to_owned();
        lines.field("commands")?;
        let mut commands = Vec::new();
        while let Some(line) = lines.next() {
            let command =
                parse_command(line, lines.last).map_err(|problem| lines.error(problem))?;
            commands.push(command);
        }
        Ok(Self { size: (width, height), patch_name, commands })
    }
}

fn parse_command(line: &str, number: usize) -> Result<Command, DynamicProblem> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let whole = |text: &str| text.parse::<u32>().map_err(|_| Number(text.to_owned()));
    let place = |text: &str| {
        let place = whole(text)?;
        if place < SIDE_MAX { Ok(place) } else { Err(Number(text.to_owned())) }
    };
    let cell = |x: &str, y: &str| Ok::<_, DynamicProblem>(Cell::new(place(x)?, place(y)?));
    match fields[..] {
        ["P", state, patch, x, y] => {
            whole(state)?;
            Ok(Command::Patch { patch: whole(patch)? as usize, at: cell(x, y)?, line: number })
        }
        ["Q", state, start_x, start_y, goal_x, goal_y, length] => {
            whole(state)?;
            let value = length.parse().ok().filter(|length: &f64| length.is_finite());
            let value = value.ok_or_else(|| Number(length.to_owned()))?;
            let (start, goal) = (cell(start_x, start_y)?, cell(goal_x, goal_y)?);
            Ok(Command::Query { start, goal, length: (value >= 0.0).then_some(value) })
        }
        _ => Err(DynamicProblem::Command),
    }
}

impl Patch {
    /// Reads a file of patches.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, DynamicError> {
        let mut lines = Lines::new(text);
        if lines.field("type")? != "patch" {
            return Err(lines.error(Expected("'type patch'")));
        }
        let count = lines.number("patches", u32::MAX)?;
        let mut patches = Vec::new();
        for index in 0..count {
            if lines.number("patch", u32::MAX)? != index {
                return Err(lines.error(Expected("the patches in their order, from 0")));
            }
            let height = lines.number("height", SIDE_MAX)?;
            let width = lines.number("width", SIDE_MAX)? as usize;
            lines.field("map")?;
            let mut rows = Vec::new();
            for _ in 0..height {
                rows.push(parse_row(&mut lines, width)?);
            }
            patches.push(Self { rows });
        }
        Ok(patches)
    }
}

fn parse_row(lines: &mut Lines<'_>, width: usize) -> Result<Vec<Terrain>, DynamicError> {
    let row = lines
        .next()
        .ok_or(DynamicError { line: lines.last, problem: Expected("a row of the patch") })?;
    if row.len() != width {
        return Err(
            lines.error(DynamicProblem::Row { found: row.chars().count(), expected: width })
        );
    }
    let terrain = |letter: char| {
        let known = u8::try_from(letter).ok().and_then(Terrain::from_letter);
        known.ok_or_else(|| lines.error(DynamicProblem::Letter(letter)))
    };
    row.chars().map(terrain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HEAD: &str = "version 2\nheight 3\nwidth 4\ncost 1 octile\npatch a/b.patch\ncommands\n";

    #[test]
    fn scenarios_and_patches_are_read() {
        let text = format!("{HEAD}P 0 0 1 1\nQ 0 0 0 3 2 4.5\n\nQ 0 0 0 3 2 -1\n");
        let scenario = DynamicScenario::parse(&text).unwrap();
        assert_eq!((scenario.size, scenario.patch_name.as_str()), ((4, 3), "b.patch"));
        assert_eq!(scenario.commands[0], Command::Patch { patch: 0, at: Cell::new(1, 1), line: 7 });
        let (start, goal) = (Cell::new(0, 0), Cell::new(3, 2));
        assert_eq!(scenario.commands[1], Command::Query { start, goal, length: Some(4.5) });
        assert_eq!(scenario.commands[2], Command::Query { start, goal, length: None });
        let patches = "type patch\npatches 2\npatch 0\nheight 1\nwidth 3\nmap\n@@.\npatch 1\nheight 2\nwidth 1\nmap\n.\n@\n";
        let patches = Patch::parse_all(patches).unwrap();
        assert_eq!(patches.iter().map(Patch::size).collect::<Vec<_>>(), [(3, 1), (1, 2)]);
    }

    #[test]
    fn a_byte_order_mark_is_passed_over() {
        let scenario = DynamicScenario::parse(&format!("\u{feff}{HEAD}")).unwrap();
        assert_eq!(scenario.size, (4, 3));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let scenario = |text: &str| DynamicScenario::parse(text).unwrap_err().to_string();
        assert_eq!(scenario(""), "line 1: expected version");
        assert_eq!(scenario("version 1\n"), "line 1: expected 'version 2'");
        assert_eq!(
            scenario("version 2\nheight 99999\n"),
            "line 2: '99999' is not a number in range"
        );
        assert!(
            scenario(&format!("{HEAD}X 1 2\n")).starts_with("line 7: expected 'P n patch x y'")
        );
        assert!(scenario(&format!("{HEAD}P 0 0 -1 0\n")).contains("'-1' is not a number"));
        assert!(scenario(&format!("{HEAD}Q 0 0 0 3 2 inf\n")).contains("'inf' is not a number"));
        let patches = |text: &str| Patch::parse_all(text).unwrap_err().to_string();
        let head = "type patch\npatches 1\npatch 0\nheight 1\nwidth 3\nmap\n";
        assert_eq!(patches(&format!("{head}@@\n")), "line 7: the row has 2 cells, the patch 3");
        assert_eq!(patches(&format!("{head}@x@\n")), "line 7: 'x' is no terrain");
        assert_eq!(patches(head), "line 6: expected a row of the patch");
        assert!(patches("type patch\npatches 1\npatch 3\n").contains("in their order"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_without_panic(text in "[0-9a-zPQ. \n\\-é]{0,200}") {
            let _ = DynamicScenario::parse(&format!("{HEAD}{text}"));
            let _ = DynamicScenario::parse(&text);
            let _ = Patch::parse_all(&format!("type patch\npatches 2\npatch 0\nheight 2\nwidth 3\nmap\n{text}"));
            let _ = Patch::parse_all(&text);
        }
    }
}
