//! MovingAI's scenario files: queries with known optimal lengths.
//!
//! Version 1 of the format has no place for the movement rule, for step costs or for what terrain costs: a
//! length is one by the benchmarks' rules. What it is here on other maps and by other rules says
//! [`published_length`]; which rules those are is written in lines after the queries that begin with `#`. Other
//! programs stop reading there (HOG2's `ScenarioLoader`, for one).
//!
//! ```text
//! version 1
//! 12  town.map  512  512  3  4  40  17  50.04163056     bucket, map, its size, start, goal, length
//! # rule four-way                                       if not never-cut-corners
//! # steps 5/7                                           if not exact
//! ```

mod make;
mod write;

pub use make::{Amount, ScenarioPlan, make_scenario, make_scenario_watched};
pub use write::{BUCKET_LENGTH, WriteError, published_length};

use highroad::Cell;
use highroad::grid::{MovementRule, StepCosts};
use highroad::mesh::{CoordinateError, MeshPoint};
use thiserror::Error;

/// A query with the optimal length that the file gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioQuery<P = Cell> {
    /// The difficulty bucket.
    pub bucket: u32,
    /// Where the path starts.
    pub start: P,
    /// Where it ends.
    pub goal: P,
    /// The published optimal length; `None` where the file means that there is no path, which it
    /// writes as length 0 between different cells. Between points of a mesh: where it knows none, written as -1.
    pub length: Option<f64>,
    /// By how much a length may differ from the published one, given its number of digits.
    pub tolerance: f64,
}

/// The queries of a scenario file.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario<P = Cell> {
    /// The map's file name, as the first query gives it, without folders.
    pub map_name: String,
    /// The map's columns and rows, as the first query gives them.
    pub size: (u32, u32),
    /// In the order of the file.
    pub queries: Vec<ScenarioQuery<P>>,
    /// The movement rule that lengths are for.
    pub rule: MovementRule,
    /// The step costs that lengths are for.
    pub steps: StepCosts,
}

/// Why a text is not a scenario, and in which line, from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct ScenarioError {
    /// Line of the text, from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: ScenarioProblem,
}

/// What is wrong with a scenario's text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScenarioProblem {
    /// The first line is not `version 1`.
    #[error("expected 'version 1'")]
    Version,
    /// A line has another number of fields.
    #[error(
        "expected nine fields (bucket, map, width, height, start x, start y, goal x, goal y, length), found {0}"
    )]
    Fields(usize),
    /// A field is not a number.
    #[error("'{0}' is not a number in range")]
    Number(String),
    /// A comment names a rule or step costs that are not known.
    #[error("'{0}' are no rule and no step costs that are known here")]
    Rules(String),
    /// There are no queries.
    #[error("the scenario has no queries")]
    Empty,
}

impl Scenario {
    /// Reads a scenario of version 1.
    pub fn parse(text: &str) -> Result<Self, ScenarioError> {
        Self::parse_with(text, |x, y| Ok(Cell::new(number(x)?, number(y)?)), 0.0)
    }
}

impl Scenario<MeshPoint> {
    /// Reads a scenario of version 1 whose ends are points of a mesh, on layer 0. Their coordinates may have fractions
    /// and be negative.
    ///
    /// ```
    /// use highroad_lab::scenario::Scenario;
    /// let text = "version 1\n0 x.mesh 3 3 0.99 -1.5 1 1 4\n0 x.mesh 3 3 1 1 1 1 -1\n";
    /// let scenario = Scenario::parse_points(text)?;
    /// assert_eq!((scenario.queries[0].start.x(), scenario.queries[0].length), (0.99, Some(4.0)));
    /// assert_eq!(scenario.queries[1].length, None, "it is not known");
    /// # Ok::<(), highroad_lab::scenario::ScenarioError>(())
    /// ```
    pub fn parse_points(text: &str) -> Result<Self, ScenarioError> {
        let point = |x: &str, y: &str| {
            let refused = |error: CoordinateError| ScenarioProblem::Number(error.0.to_string());
            MeshPoint::new(number(x)?, number(y)?).map_err(refused)
        };
        Self::parse_with(text, point, -1.0)
    }
}

/// Where a query begins or ends, from the two fields of it.
type ReadPlace<P> = fn(&str, &str) -> Result<P, ScenarioProblem>;

impl<P: PartialEq> Scenario<P> {
    /// Reads a scenario of version 1, given how places are read and the least length.
    fn parse_with(text: &str, place: ReadPlace<P>, length_min: f64) -> Result<Self, ScenarioError> {
        let at = |line| move |problem| ScenarioError { line, problem };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty());
        let (line, version) = lines.next().ok_or(at(1)(ScenarioProblem::Version))?;
        let number = version.strip_prefix("version").map(|number| number.trim().parse::<f64>());
        if number != Some(Ok(1.0)) {
            return Err(at(line)(ScenarioProblem::Version));
        }
        let mut scenario = Self {
            map_name: String::new(),
            size: (0, 0),
            queries: Vec::new(),
            rule: MovementRule::default(),
            steps: StepCosts::default(),
        };
        for (line, text) in lines {
            if let Some(comment) = text.strip_prefix('#') {
                scenario.take_comment(comment.trim()).map_err(at(line))?;
                continue;
            }
            let (map_name, size, query) = parse_query(text, place, length_min).map_err(at(line))?;
            if scenario.queries.is_empty() {
                (scenario.map_name, scenario.size) = (map_name, size);
            }
            scenario.queries.push(query);
        }
        if scenario.queries.is_empty() {
            return Err(at(line)(ScenarioProblem::Empty));
        }
        Ok(scenario)
    }

    /// Takes the rules that a comment reports; other comments are passed over.
    fn take_comment(&mut self, comment: &str) -> Result<(), ScenarioProblem> {
        let unknown = || ScenarioProblem::Rules(comment.to_owned());
        match comment.split_whitespace().collect::<Vec<_>>()[..] {
            ["rule", name] => self.rule = MovementRule::from_name(name).ok_or_else(unknown)?,
            ["steps", pair] => {
                let costs = pair.split_once('/').and_then(|(straight, diagonal)| {
                    StepCosts::new(straight.parse().ok()?, diagonal.parse().ok()?).ok()
                });
                self.steps = costs.ok_or_else(unknown)?;
            }
            _ => {}
        }
        Ok(())
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, ScenarioProblem> {
    text.parse().map_err(|_| ScenarioProblem::Number(text.to_owned()))
}

/// The name of a map, its size, and a query on it.
type ReadLine<P> = (String, (u32, u32), ScenarioQuery<P>);

fn parse_query<P: PartialEq>(
    line: &str,
    place: ReadPlace<P>,
    length_min: f64,
) -> Result<ReadLine<P>, ScenarioProblem> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let &[bucket, map, width, height, start_x, start_y, goal_x, goal_y, length_text] = &fields[..]
    else {
        return Err(ScenarioProblem::Fields(fields.len()));
    };
    let length: f64 = length_text
        .parse()
        .ok()
        .filter(|length: &f64| length.is_finite() && *length >= length_min)
        .ok_or_else(|| ScenarioProblem::Number(length_text.to_owned()))?;
    let (start, goal) = (place(start_x, start_y)?, place(goal_x, goal_y)?);
    let decimals = length_text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    // Older files have about six significant digits, newer ones eight decimals.
    let tolerance = if decimals >= 8 { 1e-6 } else { 2e-5 * length.max(1.0) };
    let is_known = length > 0.0 || (length == 0.0 && start == goal);
    let query = ScenarioQuery {
        bucket: number(bucket)?,
        start,
        goal,
        length: is_known.then_some(length),
        tolerance,
    };
    let map_name = map.rsplit(['/', '\\']).next().unwrap_or(map).to_owned();
    Ok((map_name, (number(width)?, number(height)?), query))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_byte_order_mark_is_passed_over() {
        let scenario = Scenario::parse("\u{feff}version 1\n0 x.map 9 9 1 1 1 2 1\n").unwrap();
        assert_eq!(scenario.queries.len(), 1);
    }

    #[test]
    fn tabs_spaces_folders_and_both_versions_are_read() {
        let text =
            "version 1.0\n0\tmaps/dao/x.map\t49 50 1 11 1 12 1\n3 x.map 49 50 0 0 5 5 7.07106781\n";
        let scenario = Scenario::parse(text).unwrap();
        assert_eq!((scenario.map_name.as_str(), scenario.size), ("x.map", (49, 50)));
        assert_eq!(scenario.queries[0].length, Some(1.0));
        assert_eq!(scenario.queries[0].tolerance, 2e-5);
        assert_eq!(scenario.queries[1].tolerance, 1e-6);
        assert_eq!(scenario.queries[1].goal, Cell::new(5, 5));
    }

    #[test]
    fn comments_tell_the_rules() {
        let plain = Scenario::parse("version 1\n0 m 9 9 1 1 1 2 1\n# hello\n").unwrap();
        assert_eq!((plain.rule, plain.steps), Default::default());
        let shown = "version 1\n0 m 9 9 1 1 1 2 1\n# rule four-way\n#steps 5/7\n";
        let shown = Scenario::parse(shown).unwrap();
        assert_eq!((shown.rule, shown.steps), (MovementRule::FourWay, StepCosts::THESIS));
        for wrong in ["# rule hop", "# steps 5", "# steps 0/0"] {
            let error = Scenario::parse(&format!("version 1\n{wrong}\n0 m 9 9 1 1 1 2 1\n"));
            assert_eq!(error.unwrap_err().line, 2, "{wrong}");
        }
    }

    #[test]
    fn length_nought_between_different_cells_means_no_path() {
        let scenario =
            Scenario::parse("version 1\n0 m 9 9 1 1 2 2 0\n0 m 9 9 1 1 1 1 0\n").unwrap();
        assert_eq!(scenario.queries[0].length, None);
        assert_eq!(scenario.queries[1].length, Some(0.0));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let error = |text: &str| {
            let error = Scenario::parse(text).unwrap_err();
            (error.line, error.problem)
        };
        assert_eq!(error(""), (1, ScenarioProblem::Version));
        assert_eq!(error("version 2\n"), (1, ScenarioProblem::Version));
        assert_eq!(error("version 1\n"), (1, ScenarioProblem::Empty));
        assert_eq!(error("version 1\n\n0 m 9 9\n"), (3, ScenarioProblem::Fields(4)));
        let negative = error("version 1\n0 m 9 9 -1 1 2 2 0\n");
        assert_eq!(negative, (2, ScenarioProblem::Number("-1".into())));
        let endless = error("version 1\n0 m 9 9 1 1 2 2 inf\n");
        assert_eq!(endless, (2, ScenarioProblem::Number("inf".into())));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_without_panic(text in "(version 1\n)?[0-9a-z. \t\n\\-]{0,200}") {
            let _ = Scenario::parse(&text);
        }
    }
}
