//! The cases that were worked out by hand. `cases/README.md` describes the format of their files.

use crate::situation::Situation;
use highroad_core::{
    Batch, Border, Cell, CellRect, CellRefusal, Domain, End, Footprint, FootprintCost, Grid,
    GridMap, Link, MovementRule, PaidCells, Profile, QueryError, Slopes, StepCosts, Terrain,
};
use std::collections::BTreeMap;

/// The files of the folder `cases`, by name: compiled in, so that every user of the suite has them.
const FILES: [(&str, &str); 11] = [
    ("borders.txt", include_str!("../cases/borders.txt")),
    ("corners.txt", include_str!("../cases/corners.txt")),
    ("ends.txt", include_str!("../cases/ends.txt")),
    ("links.txt", include_str!("../cases/links.txt")),
    ("nowhere.txt", include_str!("../cases/nowhere.txt")),
    ("refused.txt", include_str!("../cases/refused.txt")),
    ("several.txt", include_str!("../cases/several.txt")),
    ("sizes.txt", include_str!("../cases/sizes.txt")),
    ("terrain.txt", include_str!("../cases/terrain.txt")),
    ("ways.txt", include_str!("../cases/ways.txt")),
    ("wide.txt", include_str!("../cases/wide.txt")),
];

/// A drawn map, a question, and the answer expected under each of some rules.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it is about.
    pub name: String,
    /// Under the rule of the first expectation; the suite puts in each in turn.
    pub situation: Situation,
    /// The answers, by rule.
    pub expectations: Vec<(MovementRule, Expected)>,
}

/// The answer that a case expects.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// A path.
    Found {
        /// Its straight and diagonal steps, if they are given.
        length: Option<(usize, usize)>,
        /// Its cost, if it is given.
        cost: Option<u64>,
    },
    /// No path.
    NoPath {
        /// One of these cells is as near as one can come.
        nearest: Vec<Cell>,
    },
    /// The query makes no sense.
    Refused(QueryError),
}

/// Every case of the suite.
pub fn all_cases() -> Vec<Case> {
    let read = |(name, text): (&str, &str)| {
        parse_cases(text).unwrap_or_else(|problem| panic!("{name}: {problem}"))
    };
    FILES.into_iter().flat_map(read).collect()
}

/// All cases of a file, or what is wrong in which line.
pub fn parse_cases(text: &str) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    let mut draft: Option<Draft> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let outcome = if let Some(name) = line.strip_prefix("case ") {
            let finished = draft.replace(Draft::new(name)).map(Draft::finish).transpose();
            finished.map(|case| cases.extend(case))
        } else if line.trim().is_empty() || line.starts_with('#') {
            Ok(())
        } else {
            let begun = draft.as_mut().ok_or_else(|| "no case has begun".to_owned());
            begun.and_then(|draft| draft.read(line))
        };
        outcome.map_err(|problem| format!("line {number}: {problem}"))?;
    }
    let last = draft.map(Draft::finish).transpose();
    cases.extend(last.map_err(|problem| format!("at the end: {problem}"))?);
    Ok(cases)
}

/// A case while its lines are read.
#[derive(Default)]
struct Draft {
    name: String,
    drawing: String,
    steps: Option<StepCosts>,
    paid: PaidCells,
    footprint: Footprint,
    terrains: Vec<(Terrain, Meaning)>,
    under_start: Option<Terrain>,
    under_goal: Option<Terrain>,
    surcharges: Vec<(CellRect, u16)>,
    slopes: Slopes,
    /// Borders and heights.
    relief: Batch,
    links: Vec<Link>,
    starts: Vec<Cell>,
    goals: Vec<Cell>,
    /// Kept as text until the map is known: errors name its extent and its letters.
    expectations: Vec<(Vec<MovementRule>, String)>,
}

enum Meaning {
    Costs(u16),
    Forbidden,
    InDomain(Domain),
}

impl Draft {
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    fn read(&mut self, line: &str) -> Result<(), String> {
        if let Some(row) = line.strip_prefix('|') {
            self.drawing.push_str(row);
            self.drawing.push('\n');
            return Ok(());
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let words: Vec<&str> = rest.split_whitespace().collect();
        match (word, &words[..]) {
            ("steps", [pair]) => self.steps = Some(step_costs(pair)?),
            ("paid", ["both"]) => self.paid = PaidCells::Both,
            ("paid", ["entered"]) => self.paid = PaidCells::Entered,
            ("size", [size]) => self.footprint = footprint(size)?,
            ("size", [size, "mean"]) => {
                self.footprint = footprint(size)?.with_cost(FootprintCost::Mean);
            }
            ("terrain", [of, "costs", cost]) => {
                self.terrains.push((letter(of)?, Meaning::Costs(number(cost)?)));
            }
            ("terrain", [of, "forbidden"]) => {
                self.terrains.push((letter(of)?, Meaning::Forbidden));
            }
            ("terrain", [of, "domain", index]) => {
                let domain = Domain::new(number(index)?).ok_or("there are four domains")?;
                self.terrains.push((letter(of)?, Meaning::InDomain(domain)));
            }
            ("under", ["s", of]) => self.under_start = Some(letter(of)?),
            ("under", ["g", of]) => self.under_goal = Some(letter(of)?),
            ("surcharge", [at, "by", amount]) => {
                self.surcharges.push((CellRect::new(cell(at)?, cell(at)?), number(amount)?));
            }
            ("surcharge", [from, "to", to, "by", amount]) => {
                self.surcharges.push((CellRect::new(cell(from)?, cell(to)?), number(amount)?));
            }
            ("height", [at, "of", height]) => {
                self.relief.height(cell(at)?.into(), number(height)?);
            }
            ("height", [from, "to", to, "of", height]) => {
                self.relief.height(CellRect::new(cell(from)?, cell(to)?), number(height)?);
            }
            ("border", [from, "to", to, how]) => {
                self.relief.border(cell(from)?, cell(to)?, border(how)?);
            }
            ("link", [from, "to", to, "cost", cost]) => {
                self.links.push(Link::new(cell(from)?, cell(to)?, number(cost)?));
            }
            ("link", [from, "to", to, "cost", cost, "both"]) => {
                let link = Link::new(cell(from)?, cell(to)?, number(cost)?);
                self.links.push(link.with_way_back());
            }
            ("climb", [most]) => self.slopes = self.slopes.with_climb_max(number(most)?),
            ("drop", [most]) => self.slopes = self.slopes.with_drop_max(number(most)?),
            ("uphill", [factor]) => self.slopes = self.slopes.with_uphill(number(factor)?),
            ("downhill", [factor]) => self.slopes = self.slopes.with_downhill(number(factor)?),
            ("start", [at]) => self.starts.push(cell(at)?),
            ("goal", [at]) => self.goals.push(cell(at)?),
            ("every-rule", [_, ..]) => {
                self.expectations.push((MovementRule::ALL.to_vec(), words.join(" ")));
            }
            (name, [_, ..]) => {
                let rule = MovementRule::from_name(name)
                    .ok_or_else(|| format!("'{line}' is neither a directive nor a rule"))?;
                self.expectations.push((vec![rule], words.join(" ")));
            }
            _ => return Err(format!("'{line}' cannot be read")),
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Case, String> {
        let name = std::mem::take(&mut self.name);
        self.assemble(name.clone()).map_err(|problem| format!("case {name}: {problem}"))
    }

    fn assemble(self, name: String) -> Result<Case, String> {
        let (map, drawn_starts, drawn_goals) = self.map()?;
        let mut profile = Profile::for_palette(map.palette());
        for (terrain, meaning) in self.terrains {
            profile = match meaning {
                Meaning::Costs(cost) => {
                    profile.with_cost(terrain, cost).map_err(|error| error.to_string())?
                }
                Meaning::Forbidden => profile.without(terrain),
                Meaning::InDomain(domain) => profile.with_domain(terrain, domain),
            };
        }
        let mut expectations: Vec<(MovementRule, Expected)> = Vec::new();
        for (rules, text) in &self.expectations {
            let expected = expected(text, &map, self.footprint)?;
            for &rule in rules {
                if expectations.iter().any(|(other, _)| *other == rule) {
                    return Err(format!("{} is answered twice", rule.name()));
                }
                expectations.push((rule, expected.clone()));
            }
        }
        let surcharged = |(rect, amount): &(CellRect, u16)| {
            let amount = *amount;
            rect.cells().map(move |cell| (cell, amount))
        };
        let situation = Situation {
            map,
            profile,
            rule: expectations.first().ok_or("nothing is expected")?.0,
            steps: self.steps.unwrap_or_default(),
            paid: self.paid,
            footprint: self.footprint,
            slopes: self.slopes,
            surcharges: self.surcharges.iter().flat_map(surcharged).collect::<BTreeMap<_, _>>(),
            starts: [drawn_starts, self.starts].concat(),
            goals: [drawn_goals, self.goals].concat(),
        };
        Ok(Case { name, situation, expectations })
    }

    /// The drawing as a map, with the places of `s` and of `g`.
    fn map(&self) -> Result<(GridMap, Vec<Cell>, Vec<Cell>), String> {
        let under = |terrain: Option<Terrain>| {
            char::from(terrain.unwrap_or(Terrain::GROUND).letter()).to_string()
        };
        let terrain = self
            .drawing
            .replace('s', &under(self.under_start))
            .replace('g', &under(self.under_goal));
        let map = terrain.parse::<GridMap>().map_err(|error| format!("the drawing: {error}"))?;
        let mut grid = Grid::with_defaults(map);
        grid.apply(&self.relief).map_err(|error| error.to_string())?;
        let mut map = grid.map().clone();
        for &link in &self.links {
            map.add_link(link).map_err(|problem| problem.to_string())?;
        }
        let places = |mark: char| {
            let rows = (0..).zip(self.drawing.lines());
            let marked = rows.flat_map(|(y, row)| {
                let columns = (0..).zip(row.chars()).filter(|&(_, letter)| letter == mark);
                columns.map(move |(x, _)| Cell { x, y })
            });
            marked.collect()
        };
        Ok((map, places('s'), places('g')))
    }
}

fn expected(text: &str, map: &GridMap, footprint: Footprint) -> Result<Expected, String> {
    if let Some(cells) = text.strip_prefix("no path, nearest ") {
        let nearest = cells.split(" or ").map(cell).collect::<Result<_, _>>()?;
        return Ok(Expected::NoPath { nearest });
    }
    let words: Vec<&str> = text.split(' ').collect();
    match words[..] {
        ["missing", at] => Ok(Expected::Refused(QueryError::Missing(place(at)?))),
        ["outside", at, where_] => {
            let (end, cell, extent) = (place(at)?, cell(where_)?, map.extent());
            let reason = CellRefusal::Outside { cell, extent };
            Ok(Expected::Refused(QueryError::Refused { end, reason }))
        }
        ["blocked", at, where_] => {
            let cell = cell(where_)?;
            let terrain = map.terrain(cell).ok_or("what is blocked lies inside the map")?;
            let (end, reason) = (place(at)?, CellRefusal::Blocked { cell, terrain });
            Ok(Expected::Refused(QueryError::Refused { end, reason }))
        }
        ["no-room", at, where_, by] => {
            let (cell, size, blocked) = (cell(where_)?, footprint.size(), cell(by)?);
            let (end, reason) = (place(at)?, CellRefusal::NoRoom { cell, size, blocked });
            Ok(Expected::Refused(QueryError::Refused { end, reason }))
        }
        ["larger-than-map"] => {
            let (size, extent) = (footprint.size(), map.extent());
            let reason = CellRefusal::LargerThanMap { size, extent };
            Ok(Expected::Refused(QueryError::Unsuitable(reason)))
        }
        _ => found(text),
    }
}

/// `length 3 + 2√2, cost 27720` or either half of it.
fn found(text: &str) -> Result<Expected, String> {
    let (mut length, mut cost) = (None, None);
    for part in text.split(", ") {
        match part.split_once(' ') {
            Some(("length", sum)) => length = Some(steps_of(sum)?),
            Some(("cost", amount)) => cost = Some(number(amount)?),
            _ => return Err(format!("'{text}' is no answer")),
        }
    }
    Ok(Expected::Found { length, cost })
}

/// Straight and diagonal steps, of a length such as `4`, `2√2` or `4 + 2√2`.
fn steps_of(sum: &str) -> Result<(usize, usize), String> {
    let (mut straight, mut diagonal) = (0, 0);
    for term in sum.split(" + ") {
        match term.strip_suffix("√2") {
            Some(count) => diagonal += number::<usize>(count)?,
            None => straight += number::<usize>(term)?,
        }
    }
    Ok((straight, diagonal))
}

fn place(name: &str) -> Result<End, String> {
    match name {
        "start" => Ok(End::Start),
        "goal" => Ok(End::Goal),
        _ => Err(format!("'{name}' is neither start nor goal")),
    }
}

fn cell(text: &str) -> Result<Cell, String> {
    let (x, y) = text.split_once(',').ok_or_else(|| format!("'{text}' is no cell x,y"))?;
    Ok(Cell { x: number(x)?, y: number(y)? })
}

fn footprint(size: &str) -> Result<Footprint, String> {
    Footprint::new(number(size)?).map_err(|error| error.to_string())
}

fn border(text: &str) -> Result<Border, String> {
    match text {
        "closed" => Ok(Border::Closed),
        "one-way" => Ok(Border::OneWay),
        _ => Err(format!("'{text}' is neither closed nor one-way")),
    }
}

fn letter(text: &str) -> Result<Terrain, String> {
    let letter = text.bytes().next().filter(|_| text.len() == 1);
    letter.and_then(Terrain::from_letter).ok_or_else(|| format!("'{text}' is no terrain"))
}

fn step_costs(text: &str) -> Result<StepCosts, String> {
    let named =
        [("exact", StepCosts::EXACT), ("thesis", StepCosts::THESIS), ("unit", StepCosts::UNIT)];
    if let Some((_, pair)) = named.into_iter().find(|(name, _)| *name == text) {
        return Ok(pair);
    }
    let (straight, diagonal) =
        text.split_once('/').ok_or_else(|| format!("'{text}' is no pair of step costs"))?;
    StepCosts::new(number(straight)?, number(diagonal)?).map_err(|error| error.to_string())
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("'{text}' is no number that fits here"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_compiled_in() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/cases");
        let entries = std::fs::read_dir(folder).expect("the folder of cases can be listed");
        let names = entries.map(|entry| entry.expect("its files can be listed").file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".txt")).collect();
        names.sort();
        assert_eq!(names, FILES.map(|(name, _)| name));
    }

    #[test]
    fn every_rule_and_every_kind_of_answer_occurs() {
        let cases = all_cases();
        assert!(cases.len() >= 60, "only {} cases were found", cases.len());
        let count = |rule: MovementRule, wanted: &dyn Fn(&Expected) -> bool| {
            let all = cases.iter().flat_map(|case| &case.expectations);
            all.filter(|(of, expected)| *of == rule && wanted(expected)).count()
        };
        for rule in MovementRule::ALL {
            assert!(count(rule, &|expected| matches!(expected, Expected::Found { .. })) > 30);
            assert!(count(rule, &|expected| matches!(expected, Expected::NoPath { .. })) > 5);
            assert!(count(rule, &|expected| matches!(expected, Expected::Refused(_))) > 5);
        }
    }

    #[test]
    fn a_case_that_cannot_be_read_names_its_line() {
        let problem = |text: &str| parse_cases(text).expect_err("the text is wrong");
        assert_eq!(problem("|s.g\n"), "line 1: no case has begun");
        let unknown = problem("case a\n|s.g\nanywhere length 2\n");
        assert!(unknown.starts_with("line 3: 'anywhere length 2'"));
        assert!(problem("case a\nsteps 7/5\n").starts_with("line 2: step costs 7/5"));
        assert!(problem("case a\nstart 1;2\n").contains("no cell x,y"));
        assert!(problem("case a\n|s.g\n").ends_with("nothing is expected"));
        let drawing = problem("case a\n|s?g\nfour-way length 2\n");
        assert!(drawing.contains("the drawing: line 1, column 2"));
        assert!(problem("case a\n|s.g\nfour-way width 2\n").contains("'width 2' is no answer"));
        let twice = "case a\n|s.g\nfour-way length 2\nevery-rule length 2\n\ncase b\n";
        assert_eq!(problem(twice), "line 6: case a: four-way is answered twice");
    }
}
