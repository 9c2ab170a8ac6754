//! Reading traces of Posthoc: YAML with a list of events, one mapping each, in braces or over several lines.
//!
//! What is read: `type`, `id`, `pId`, `g`, `h`, `f`, and the cell as `x` and `y`. Views and whatever else a trace has are
//! passed over. A trace has no map: its cells alone say how large it is at least.

use highroad_core::{Cell, Extent, NodeId, SearchObserver, Side, TraceEvent, TraceKind, TraceLog};
use std::collections::HashMap;
use thiserror::Error;

/// The most events that are read.
const EVENTS_MAX: usize = 5_000_000;
/// The largest coordinate that is read.
const COORDINATE_MAX: u32 = 16_383;

/// Why a text is no trace.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct TraceError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong.
    pub reason: String,
}

/// A trace that was read.
#[derive(Clone, Debug)]
pub struct ReadTrace {
    /// Columns and rows that its cells need at least.
    pub size: (u32, u32),
    /// Where paths start, if the trace says so.
    pub source: Option<Cell>,
    /// Where they end.
    pub destination: Option<Cell>,
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    kind: TraceKind,
    cell: Cell,
    parent: Cell,
    g: f64,
    h: f64,
}

impl ReadTrace {
    /// The events on a map of that extent, which must have room for all cells. Costs are multiplied by `unit`, what a
    /// straight step over plain ground takes there.
    pub fn log(&self, extent: Extent, unit: f64) -> Option<TraceLog> {
        let mut log = TraceLog::new(EVENTS_MAX);
        let amount = |value: f64| (value.max(0.0) * unit).round() as u64;
        for entry in &self.entries {
            let node = NodeId(extent.id(entry.cell)?.0);
            let parent = NodeId(extent.id(entry.parent)?.0);
            let (g, h, side) = (amount(entry.g), amount(entry.h), Side::Forward);
            log.event(TraceEvent { kind: entry.kind, node, parent, g, h, side });
        }
        Some(log)
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// Reads a trace.
///
/// ```
/// use highroad_pictures::posthoc::read_trace;
/// let text = "version: 1.4.0\nevents:\n  - {type: source, id: 0, x: 0, y: 0}\n  - {type: expanding, id: 0, x: 0, y: 0}\n";
/// let trace = read_trace(text)?;
/// assert_eq!((trace.len(), trace.size), (1, (1, 1)));
/// let error = read_trace("events:\n  - {type: expanding, id: 0, x: far, y: 0}\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 33: 'far' is no number");
/// # Ok::<(), highroad_pictures::posthoc::TraceError>(())
/// ```
pub fn read_trace(text: &str) -> Result<ReadTrace, TraceError> {
    let mut trace =
        ReadTrace { size: (0, 0), source: None, destination: None, entries: Vec::new() };
    let mut cells: HashMap<String, Cell> = HashMap::new();
    let mappings = event_mappings(text)?;
    for mapping in &mappings {
        take_event(mapping, &mut trace, &mut cells)?;
    }
    if trace.entries.is_empty() {
        let reason = "there are no events of a search".to_owned();
        return Err(TraceError { line: 1, column: 1, reason });
    }
    Ok(trace)
}

/// A key, its value, and where that is.
struct Pair<'t> {
    key: &'t str,
    value: &'t str,
    line: usize,
    column: usize,
}

impl Pair<'_> {
    fn error(&self, reason: String) -> TraceError {
        TraceError { line: self.line, column: self.column, reason }
    }

    fn number(&self) -> Result<f64, TraceError> {
        let number = self.value.parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| self.error(format!("'{}' is no number", self.value)))
    }

    fn coordinate(&self) -> Result<u32, TraceError> {
        let number = self.number()?;
        let whole = number.floor();
        if !(0.0..=f64::from(COORDINATE_MAX)).contains(&whole) {
            return Err(
                self.error(format!("a cell at {number}: it must be from 0 to {COORDINATE_MAX}"))
            );
        }
        Ok(whole as u32)
    }
}

struct Mapping<'t> {
    line: usize,
    column: usize,
    pairs: Vec<Pair<'t>>,
}

impl<'t> Mapping<'t> {
    fn get(&self, key: &str) -> Option<&Pair<'t>> {
        self.pairs.iter().find(|pair| pair.key == key && pair.value != "null" && pair.value != "~")
    }

    fn need(&self, key: &str) -> Result<&Pair<'t>, TraceError> {
        self.get(key).ok_or_else(|| TraceError {
            line: self.line,
            column: self.column,
            reason: format!("this event has no '{key}'"),
        })
    }
}

/// The mappings below `events:`.
fn event_mappings(text: &str) -> Result<Vec<Mapping<'_>>, TraceError> {
    let mut mappings: Vec<Mapping<'_>> = Vec::new();
    let mut inside = false;
    for (number, raw) in text.lines().enumerate() {
        let line = number + 1;
        let content = raw.trim_end();
        let body = content.trim_start();
        if body.is_empty() || body.starts_with('#') {
            continue;
        }
        let indent = content.len() - body.len();
        if indent == 0 && !body.starts_with('-') {
            inside = body == "events:";
            continue;
        }
        if !inside {
            continue;
        }
        let (rest, column) = match body.strip_prefix('-') {
            Some(rest) => {
                mappings.push(Mapping { line, column: indent + 1, pairs: Vec::new() });
                let rest_body = rest.trim_start();
                (rest_body, indent + 1 + rest.len() - rest_body.len() + 1)
            }
            None => (body, indent + 1),
        };
        if mappings.len() > EVENTS_MAX {
            let reason = format!("more than {EVENTS_MAX} events");
            return Err(TraceError { line, column: 1, reason });
        }
        if let Some(mapping) = mappings.last_mut() {
            take_pairs(rest, line, column, mapping)?;
        }
    }
    Ok(mappings)
}

/// The pairs of a line: several in braces, or one.
fn take_pairs<'t>(
    text: &'t str,
    line: usize,
    column: usize,
    mapping: &mut Mapping<'t>,
) -> Result<(), TraceError> {
    let (inner, first) = match text.strip_prefix('{') {
        Some(rest) => match rest.strip_suffix('}') {
            Some(inner) => (inner, column + 1),
            None => {
                let reason = "the '{' is not closed on this line".to_owned();
                return Err(TraceError { line, column, reason });
            }
        },
        None => (text, column),
    };
    let mut at = 0;
    for part in inner.split(if text.starts_with('{') { ',' } else { '\n' }) {
        let begin = at;
        at += part.len() + 1;
        if part.trim().is_empty() {
            continue;
        }
        let lead = part.len() - part.trim_start().len();
        let Some((key, value)) = part.split_once(':') else {
            let reason = format!("'{}' is no pair of a name and a value", part.trim());
            return Err(TraceError { line, column: first + begin + lead, reason });
        };
        let value_lead = value.len() - value.trim_start().len();
        let column = first + begin + key.len() + 1 + value_lead;
        let bare = |text: &'t str| text.trim().trim_matches(['"', '\'']);
        mapping.pairs.push(Pair { key: bare(key), value: bare(value), line, column });
    }
    Ok(())
}

/// Takes one event over.
fn take_event(
    mapping: &Mapping<'_>,
    trace: &mut ReadTrace,
    cells: &mut HashMap<String, Cell>,
) -> Result<(), TraceError> {
    let kind = mapping.need("type")?;
    let known = mapping.get("id").and_then(|id| cells.get(id.value).copied());
    let cell = match (mapping.get("x"), mapping.get("y"), known) {
        (None, None, Some(cell)) => cell,
        _ => Cell::new(mapping.need("x")?.coordinate()?, mapping.need("y")?.coordinate()?),
    };
    trace.size = (trace.size.0.max(cell.x + 1), trace.size.1.max(cell.y + 1));
    if let Some(id) = mapping.get("id") {
        cells.insert(id.value.to_owned(), cell);
    }
    let kind = match kind.value {
        "source" => {
            trace.source = Some(cell);
            return Ok(());
        }
        "destination" => {
            trace.destination = Some(cell);
            return Ok(());
        }
        "generating" | "generate" if mapping.get("pId").is_none() => TraceKind::Start,
        "generating" | "generate" => TraceKind::Open,
        "updating" | "relaxing" => TraceKind::Improve,
        "reopening" => TraceKind::Reopen,
        "expanding" | "expand" => TraceKind::Expand,
        "end" | "finish" => TraceKind::Goal,
        // Other events, such as "closing", change nothing that is shown.
        _ => return Ok(()),
    };
    let parent = mapping.get("pId").and_then(|id| cells.get(id.value).copied()).unwrap_or(cell);
    let amount = |key| mapping.get(key).map(Pair::number).transpose();
    let (g, h, f) = (amount("g")?, amount("h")?, amount("f")?);
    let g = g.or_else(|| Some(f? - h?)).unwrap_or(0.0);
    let h = h.or_else(|| Some(f? - g)).unwrap_or(0.0);
    trace.entries.push(Entry { kind, cell, parent, g, h });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::posthoc::write_trace;
    use highroad_core::{Grid, GridSearch, PathQuery, Planner, Scratch};

    #[test]
    fn what_is_written_is_read_again() {
        let grid = Grid::with_defaults("......\n.####.\n......\n".parse().unwrap());
        let (query, mut log) = (PathQuery::new((2, 0), (2, 2)), TraceLog::default());
        GridSearch::astar().solve_traced(&grid, &query, &mut Scratch::new(), &mut log).unwrap();
        let ends = (Cell::new(2, 0), Cell::new(2, 2));
        let mut text = Vec::new();
        write_trace(&mut text, grid.extent(), ends, 4756.0, log.events()).unwrap();
        let trace = read_trace(std::str::from_utf8(&text).unwrap()).unwrap();
        assert_eq!((trace.source, trace.destination), (Some(ends.0), Some(ends.1)));
        let again = trace.log(grid.extent(), 4756.0).unwrap();
        assert_eq!(again.events(), log.events());
        assert!(trace.log(Extent::new(2, 2).unwrap(), 1.0).is_none(), "there is no room");
    }

    #[test]
    fn events_over_several_lines_are_read() {
        let text = "version: 1.4.0\nrender:\n  main: {}\nevents:\n- type: expanding\n  id: \"a\"\n  x: 1\n  y: 2\n  f: 5\n  h: 2\n- type: generating\n  id: b\n  pId: a\n  x: 2\n  y: 2\n";
        let trace = read_trace(text).unwrap();
        assert_eq!((trace.len(), trace.size), (2, (3, 3)));
        let log = trace.log(Extent::new(3, 3).unwrap(), 10.0).unwrap();
        let [first, second] = log.events() else { panic!("two") };
        assert_eq!((first.kind, first.g, first.h), (TraceKind::Expand, 30, 20));
        assert_eq!((second.kind, second.parent), (TraceKind::Open, first.node));
    }

    #[test]
    fn errors_name_line_and_column() {
        for (text, expected) in [
            ("", "line 1, column 1: there are no events of a search"),
            ("events:\n  - {type: expanding, y: 1}\n", "line 2, column 3: this event has no 'x'"),
            (
                "events:\n  - {type: expanding\n",
                "line 2, column 5: the '{' is not closed on this line",
            ),
            (
                "events:\n  - {type: expanding, 7}\n",
                "line 2, column 23: '7' is no pair of a name and a value",
            ),
            (
                "events:\n  - type: expanding\n    x: 99999\n    y: 0\n",
                "line 3, column 8: a cell at 99999: it must be from 0 to 16383",
            ),
        ] {
            assert_eq!(read_trace(text).unwrap_err().to_string(), expected);
        }
    }
}
