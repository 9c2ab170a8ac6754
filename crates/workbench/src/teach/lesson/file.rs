//! Reading lessons: from a text to a lesson that can be taught, or an error that names line and column.

use super::parts::{
    ActionPart, At, CheckPart, FilePart, GoToPart, GuessPart, MapPart, StepPart, TaskPart,
};
use super::{Action, Check, Guess, GuessKind, Lesson, LessonStep, Measure, StepScene, Task};
use crate::shared::COMMON_LAYERS;
use crate::teach::{PHASE_NAMES, build_for_cells};
use highroad::catalog::{CATALOG, Spec};
use highroad::grid::{MovementRule, Palette};
use highroad::planner::Watch;
use highroad::{Cell, GridMap, Terrain};
use std::fmt::Display;
use std::str::FromStr;
use thiserror::Error;
use toml::Spanned;

/// The largest map of a lesson, in columns and rows: it must fit into a window with its numbers.
const SIDE_MAX: u32 = 64;

/// What is wrong with the file of a lesson.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct LessonError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong.
    pub reason: String,
}

/// Reads a lesson.
///
/// ```
/// use highroad_workbench::teach::lesson::read_lesson;
/// let text = "
/// title = 'Walls'
/// summary = 'What a wall does'
/// planner = 'astar'
/// map.drawing = '''
/// s...g
/// .....
/// '''
/// [[step]]
/// title = 'A wall'
/// text = 'A* expands {expanded} cells.'
/// ";
/// let lesson = read_lesson(text)?;
/// assert_eq!((lesson.steps.len(), lesson.minutes), (1, 5));
/// let error = read_lesson(&text.replace("'astar'", "'fastest'")).unwrap_err();
/// assert_eq!((error.line, error.column), (4, 11));
/// # Ok::<(), highroad_workbench::teach::lesson::LessonError>(())
/// ```
pub fn read_lesson(text: &str) -> Result<Lesson, LessonError> {
    let source = Source { text };
    let file: FilePart = toml::from_str(text).map_err(|error| {
        source.error(error.span().map_or(0, |span| span.start), error.message())
    })?;
    let mut scene = source.first_scene(&file)?;
    let mut steps = Vec::new();
    for part in file.steps.get_ref() {
        scene = source.scene(part, scene)?;
        steps.push(source.step(part, &scene)?);
    }
    if steps.is_empty() {
        return Err(source.error(file.steps.span().start, "there are no steps"));
    }
    Ok(Lesson { title: file.title, summary: file.summary, minutes: file.minutes, steps })
}

/// The text of a lesson, for places in it.
struct Source<'t> {
    text: &'t str,
}

impl Source<'_> {
    fn error(&self, byte: usize, reason: impl Display) -> LessonError {
        let before = &self.text[..byte.min(self.text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        LessonError { line, column, reason: reason.to_string() }
    }

    fn error_at<T>(&self, part: &Spanned<T>, reason: impl Display) -> LessonError {
        self.error(part.span().start, reason)
    }

    /// Something that is written as a text.
    fn parse<T: FromStr<Err: Display>>(&self, part: &Spanned<String>) -> Result<T, LessonError> {
        part.get_ref().parse().map_err(|error| self.error_at(part, error))
    }

    fn first_scene(&self, file: &FilePart) -> Result<StepScene, LessonError> {
        let drawn = self.map(file.map.get_ref())?;
        Ok(StepScene {
            map: drawn.map,
            palette: drawn.palette,
            rule: drawn.rule,
            start: drawn.start,
            goal: drawn.goal,
            planner: self.parse(&file.planner)?,
            show: super::Show::End,
            layers: Vec::new(),
        })
    }

    /// The scene of a step: what it does not say is as in the step before.
    fn scene(&self, part: &StepPart, before: StepScene) -> Result<StepScene, LessonError> {
        let mut scene = before;
        if let Some(map) = &part.map {
            let drawn = self.map(map.get_ref())?;
            scene = StepScene {
                map: drawn.map,
                palette: drawn.palette,
                rule: drawn.rule,
                start: drawn.start,
                goal: drawn.goal,
                ..scene
            };
        }
        if let Some(planner) = &part.planner {
            scene.planner = self.parse(planner)?;
        }
        let place = part.planner.as_ref().map_or(part.text.span().start, |p| p.span().start);
        build_for_cells(&scene.planner, &scene.grid(), &mut Watch::none())
            .map_err(|error| self.error(place, error))?;
        scene.show = part.show;
        scene.layers = self.layers(&part.layers)?;
        Ok(scene)
    }

    fn layers(&self, names: &[Spanned<String>]) -> Result<Vec<String>, LessonError> {
        names.iter().map(|name| self.layer(name)).collect()
    }

    fn layer(&self, name: &Spanned<String>) -> Result<String, LessonError> {
        let mut common = COMMON_LAYERS.iter().map(|(name, ..)| *name).chain(["regions"]);
        let mut own = CATALOG.iter().flat_map(|entry| entry.layers).map(|info| info.name);
        let wanted = name.get_ref().as_str();
        if common.any(|known| known == wanted) || own.any(|known| known == wanted) {
            return Ok(wanted.to_owned());
        }
        Err(self.error_at(name, format!("no planner has a layer '{wanted}'")))
    }

    fn step(&self, part: &StepPart, scene: &StepScene) -> Result<LessonStep, LessonError> {
        self.check_measures(&part.text)?;
        let expect = part.expect.iter().map(|text| self.parse(text));
        Ok(LessonStep {
            title: part.title.clone(),
            text: part.text.get_ref().trim().to_owned(),
            scene: scene.clone(),
            keeps: part.keep,
            guess: part.guess.as_ref().map(|guess| self.guess(guess)).transpose()?,
            task: part.task.as_ref().map(|task| self.task(task.get_ref(), scene)).transpose()?,
            expectations: expect.collect::<Result<_, _>>()?,
        })
    }

    /// Whether every measure in a text can be read.
    fn check_measures(&self, text: &Spanned<String>) -> Result<(), LessonError> {
        let raw = &self.text[text.span()];
        let mut at = 0;
        while let Some(open) = raw[at..].find('{') {
            let begin = at + open;
            let Some(length) = raw[begin..].find('}') else {
                return Err(self.error(text.span().start + begin, "the '{' is not closed"));
            };
            let inside = &raw[begin + 1..begin + length];
            let measure: Result<Measure, String> = inside.parse();
            measure.map_err(|error| self.error(text.span().start + begin + 1, error))?;
            at = begin + length;
        }
        Ok(())
    }

    fn guess(&self, spanned: &Spanned<GuessPart>) -> Result<Guess, LessonError> {
        let part = spanned.get_ref();
        self.check_measures(&part.question)?;
        self.check_measures(&part.answer)?;
        let kind = match (&part.of, &part.choices, &part.right) {
            (Some(of), None, None) => {
                GuessKind::Number { measure: self.parse(of)?, within: part.within }
            }
            (None, Some(choices), Some(right)) => {
                let count = choices.get_ref().len();
                if !(1..=count).contains(right.get_ref()) {
                    let reason = format!("the right choice must be from 1 to {count}");
                    return Err(self.error_at(right, reason));
                }
                let right = right.get_ref() - 1;
                GuessKind::Choice { choices: choices.get_ref().clone(), right }
            }
            _ => {
                let reason = "a guess has either 'of', or 'choices' and 'right'";
                return Err(self.error_at(spanned, reason));
            }
        };
        Ok(Guess {
            question: part.question.get_ref().clone(),
            kind,
            answer: part.answer.get_ref().clone(),
        })
    }

    fn task(&self, part: &TaskPart, scene: &StepScene) -> Result<Task, LessonError> {
        self.check_measures(&part.text)?;
        self.check_measures(&part.done)?;
        let actions = part.show_me.iter().map(|action| self.action(action, scene));
        Ok(Task {
            text: part.text.get_ref().clone(),
            check: self.check(&part.check, scene)?,
            show_me: actions.collect::<Result<_, _>>()?,
            done: part.done.get_ref().clone(),
        })
    }

    fn cell(&self, at: &At, scene: &StepScene) -> Result<Cell, LessonError> {
        let [x, y] = *at.get_ref();
        let cell = Cell::new(x, y);
        match scene.map.extent().contains(cell) {
            true => Ok(cell),
            false => Err(self.error_at(at, format!("{cell} lies outside the map"))),
        }
    }

    fn cells(&self, all: &[At], scene: &StepScene) -> Result<Vec<Cell>, LessonError> {
        all.iter().map(|at| self.cell(at, scene)).collect()
    }

    fn check(&self, part: &Spanned<CheckPart>, scene: &StepScene) -> Result<Check, LessonError> {
        let asked = part.get_ref();
        let cell = |at: &Option<At>| at.as_ref().map(|at| self.cell(at, scene)).transpose();
        let known = |name: &Spanned<String>| {
            let spec: Spec = self.parse(name)?;
            Ok(spec.entry().name.to_owned())
        };
        let cost = |entry: &Spanned<[u32; 3]>| {
            let [x, y, cost] = *entry.get_ref();
            let at = Spanned::new(entry.span(), [x, y]);
            Ok((self.cell(&at, scene)?, cost))
        };
        Ok(Check {
            start: cell(&asked.start)?,
            goal: cell(&asked.goal)?,
            planner: asked.planner.as_ref().map(known).transpose()?,
            options: asked.options.clone(),
            walls: self.cells(&asked.walls, scene)?,
            free: self.cells(&asked.free, scene)?,
            costs: asked.costs.iter().map(cost).collect::<Result<_, _>>()?,
            path_through: self.cells(&asked.path_through, scene)?,
            path_avoids: self.cells(&asked.path_avoids, scene)?,
            found: asked.found,
            cost: (asked.cost_min, asked.cost_max),
            expanded: (asked.expanded_min, asked.expanded_max),
            at_end: asked.at_end,
            events_min: asked.events_min,
            part: asked.part.as_ref().map(|name| self.part(name, name.get_ref())).transpose()?,
            layers: self.layers(&asked.layers)?,
        })
    }

    /// The name of a part of a recording.
    fn part<T>(&self, place: &Spanned<T>, name: &str) -> Result<String, LessonError> {
        if PHASE_NAMES.contains(&name) {
            return Ok(name.to_owned());
        }
        let known = PHASE_NAMES.join("', '");
        let reason = format!("'{name}' is no part of a recording; parts are '{known}'");
        Err(self.error_at(place, reason))
    }

    fn action(
        &self,
        spanned: &Spanned<ActionPart>,
        scene: &StepScene,
    ) -> Result<Action, LessonError> {
        let part = spanned.get_ref();
        let mut found = Vec::new();
        if let Some(at) = &part.start {
            found.push(Action::Start(self.cell(at, scene)?));
        }
        if let Some(at) = &part.goal {
            found.push(Action::Goal(self.cell(at, scene)?));
        }
        if let Some(planner) = &part.planner {
            found.push(Action::Planner(self.parse(planner)?));
        }
        if let Some(letter) = &part.draw {
            let mut letters = letter.get_ref().chars();
            let terrain = match (letters.next(), letters.next()) {
                (Some(letter), None) => terrain_of(letter),
                _ => None,
            };
            let reason = "draw one of . # T W S and 1 to 9";
            let terrain = terrain.ok_or_else(|| self.error_at(letter, reason))?;
            found.push(Action::Draw(terrain, self.cells(&part.cells, scene)?));
        }
        if let Some(place) = &part.go_to {
            found.push(match place.get_ref() {
                GoToPart::Events(events) => Action::GoTo(*events),
                GoToPart::Word(word) if word == "start" => Action::GoTo(0),
                GoToPart::Word(word) if word == "end" => Action::GoTo(usize::MAX),
                GoToPart::Word(word) => Action::GoToPart(self.part(place, word)?),
            });
        }
        if let Some(layer) = &part.layer {
            found.push(Action::Layer(self.layer(layer)?));
        }
        match <[Action; 1]>::try_from(found) {
            Ok([action]) => Ok(action),
            Err(_) => {
                let reason =
                    "an action is one of start, goal, planner, draw with cells, go_to and layer";
                Err(self.error_at(spanned, reason))
            }
        }
    }

    fn map(&self, part: &MapPart) -> Result<DrawnMap, LessonError> {
        let rule = match &part.rule {
            None => MovementRule::default(),
            Some(name) => MovementRule::from_name(name.get_ref()).ok_or_else(|| {
                let known: Vec<&str> = MovementRule::ALL.iter().map(|rule| rule.name()).collect();
                self.error_at(name, format!("rules are: {}", known.join(", ")))
            })?,
        };
        let span = part.drawing.span();
        let raw = &self.text[span.clone()];
        // Inside of quotes that begin a line of their own, rows are lines of the file.
        let in_block = raw.starts_with("'''") || raw.starts_with("\"\"\"");
        let row_start = |row: usize| {
            let skipped = row + usize::from(in_block);
            let lines = raw.split_inclusive('\n').take(skipped).map(str::len);
            span.start + lines.sum::<usize>()
        };
        let rows: Vec<&str> = part.drawing.get_ref().lines().map(str::trim_end).collect();
        let width = rows.first().map_or(0, |row| row.chars().count());
        let fits = |side: usize| (1..=SIDE_MAX as usize).contains(&side);
        if !fits(width) || !fits(rows.len()) {
            let reason = format!(
                "{width} columns and {} rows: both must be from 1 to {SIDE_MAX}",
                rows.len()
            );
            return Err(self.error_at(&part.drawing, reason));
        }
        let mut map = GridMap::filled(width as u32, rows.len() as u32, Terrain::GROUND)
            .map_err(|error| self.error_at(&part.drawing, error))?;
        let (mut start, mut goal, mut weighted) = (None, None, false);
        for (y, row) in rows.iter().enumerate() {
            if row.chars().count() != width {
                let reason =
                    format!("this row has {} columns, the first has {width}", row.chars().count());
                return Err(self.error(row_start(y), reason));
            }
            for (x, letter) in row.chars().enumerate() {
                let cell = Cell::new(x as u32, y as u32);
                match letter {
                    's' => start = Some(cell),
                    'g' => goal = Some(cell),
                    _ => match terrain_of(letter) {
                        Some(terrain) => _ = map.set(cell, terrain),
                        None => {
                            let reason = format!("'{letter}' is none of . # T W S s g and 1 to 9");
                            return Err(self.error(row_start(y) + x, reason));
                        }
                    },
                }
                weighted |= letter.is_ascii_digit();
            }
        }
        let end = |cell: Option<Cell>, letter| {
            cell.ok_or_else(|| self.error_at(&part.drawing, format!("there is no '{letter}'")))
        };
        let palette = if weighted { Palette::Weighted } else { Palette::Standard };
        Ok(DrawnMap { map, palette, rule, start: end(start, 's')?, goal: end(goal, 'g')? })
    }
}

struct DrawnMap {
    map: GridMap,
    palette: Palette,
    rule: MovementRule,
    start: Cell,
    goal: Cell,
}

/// What a letter of a drawing stands for; digits are costs.
fn terrain_of(letter: char) -> Option<Terrain> {
    match letter {
        '#' => Some(Terrain::WALL),
        '1'..='9' => Terrain::from_letter(b'A' + (letter as u8 - b'1')),
        '.' => Some(Terrain::GROUND),
        'T' => Some(Terrain::TREES),
        'W' => Some(Terrain::WATER),
        'S' => Some(Terrain::SWAMP),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LESSON: &str = "title = 'A wall'
summary = 'What a wall does'
planner = 'astar'

[map]
drawing = '''
s..5g
.....
'''

[[step]]
title = 'One'
text = 'It expands {expanded dijkstra} cells.'
expect = ['expanded astar <= expanded dijkstra']

[step.guess]
question = 'How many?'
of = 'expanded'
answer = 'So it is.'

[step.task]
do = 'Draw a wall.'
check = { walls = [[2, 0]], goal = [4, 0] }
show_me = [{ draw = '#', cells = [[2, 0]] }, { go_to = 'end' }]
done = 'Well done.'
";

    #[test]
    fn a_lesson_is_read() {
        let lesson = read_lesson(LESSON).unwrap();
        let step = &lesson.steps[0];
        assert_eq!((step.scene.start, step.scene.goal), (Cell::new(0, 0), Cell::new(4, 0)));
        assert_eq!(step.scene.palette, Palette::Weighted);
        assert_eq!(step.scene.grid().cost_of(Cell::new(3, 0)), Some(5));
        assert!(step.guess.is_some());
        assert_eq!(step.task.as_ref().unwrap().show_me.len(), 2);
    }

    /// What a lecturer may get wrong, and what is said then.
    #[test]
    fn errors_name_line_and_column() {
        for (wrong, instead, expected) in [
            ("planner = 'astar'", "planner = 'fastar'", "line 3, column 11: "),
            ("[step.guess]", "[step.gess]", "line 16, column 7: unknown field `gess`"),
            ("s..5g", "s..5", "line 8, column 1: this row has 5 columns, the first has 4"),
            ("s..5g", "s..x.", "line 7, column 4: 'x' is none of"),
            ("s..5g", "s..5.", "line 6, column 11: there is no 'g'"),
            (
                "{expanded dijkstra}",
                "{spent dijkstra}",
                "line 13, column 21: 'spent' cannot be measured",
            ),
            (
                "{expanded dijkstra}",
                "{expanded dijkstra",
                "line 13, column 20: the '{' is not closed",
            ),
            (
                "walls = [[2, 0]]",
                "walls = [[2, 7]]",
                "line 23, column 20: (2, 7) lies outside the map",
            ),
            ("draw = '#'", "draw = 'x'", "line 24, column 21: draw one of"),
            ("go_to = 'end'", "go_to = 'stop'", "line 24, column 56: 'stop' is no part"),
            ("goal = [4, 0]", "part = 'fill'", "line 23, column 36: 'fill' is no part"),
            ("of = 'expanded'", "right = 2", "line 16, column 1: a guess has either"),
            ("title = 'A wall'", "title = A wall", "line 1, column 9: "),
            ("'expanded astar <= expanded dijkstra'", "'astar is better'", "line 14, column 11: "),
            (
                "text = 'It",
                "layers = ['clouds']\ntext = 'It",
                "line 13, column 11: no planner has a layer 'clouds'",
            ),
        ] {
            assert!(LESSON.contains(wrong), "{wrong}");
            let error = read_lesson(&LESSON.replacen(wrong, instead, 1)).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{instead}: {error}, instead of {expected}");
        }
    }
}
