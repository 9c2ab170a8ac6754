//! A recorded search in the trace format of Posthoc, the visualiser of the Shortest Path Lab: YAML,
//! version 1.4.0, one entry an event with `type`, `id`, `pId`, `f`, `g` and `h`, and the cell.

pub use crate::posthoc_read::{ReadTrace, TraceError, read_trace};

use highroad_core::{Cell, CellId, Extent, TraceEvent, TraceKind};
use std::io::{self, Write};

/// Writes a trace. Costs are in units of a straight step over plain ground, which takes
/// `unit` of what the search counts in.
pub fn write_trace(
    out: &mut dyn Write,
    extent: Extent,
    query: (Cell, Cell),
    unit: f64,
    events: &[TraceEvent],
) -> io::Result<()> {
    out.write_all(HEAD.as_bytes())?;
    for (kind, cell) in [("source", query.0), ("destination", query.1)] {
        if let Some(CellId(id)) = extent.id(cell) {
            writeln!(out, "  - {{type: {kind}, id: {id}, x: {}, y: {}}}", cell.x, cell.y)?;
        }
    }
    for event in events.iter().filter(|event| event.node.index() < extent.cell_count()) {
        write_event(out, extent, unit, event)?;
    }
    Ok(())
}

/// How the cells are to be drawn, and that events follow.
const HEAD: &str = "\
version: 1.4.0
views:
  main:
    - $: rect
      fill: ${{ color[$.type] }}
      width: 1
      height: 1
      x: ${{ $.x }}
      y: ${{ $.y }}
pivot:
  x: ${{ $.x + 0.5 }}
  y: ${{ $.y + 0.5 }}
  scale: 1
events:
";

fn write_event(
    out: &mut dyn Write,
    extent: Extent,
    unit: f64,
    event: &TraceEvent,
) -> io::Result<()> {
    let kind = match event.kind {
        TraceKind::Start | TraceKind::Open => "generating",
        TraceKind::Improve => "updating",
        TraceKind::Reopen => "reopening",
        TraceKind::Expand => "expanding",
        TraceKind::Goal => "end",
        // The format has no name for kinds to come.
        _ => return Ok(()),
    };
    let id = event.node.0;
    let parent = match event.parent {
        parent if parent == event.node => "null".to_owned(),
        parent => parent.0.to_string(),
    };
    let (g, h) = (event.g as f64 / unit, event.h as f64 / unit);
    let Cell { x, y } = extent.cell(CellId(id));
    writeln!(
        out,
        "  - {{type: {kind}, id: {id}, pId: {parent}, f: {:.6}, g: {g:.6}, h: {h:.6}, x: {x}, y: {y}}}",
        g + h
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad_core::{Grid, GridSearch, PathQuery, Planner, Scratch, TraceLog};

    #[test]
    fn each_event_is_a_line_with_its_cell_and_values() {
        let grid = Grid::with_defaults("...\n".parse().unwrap());
        let mut log = TraceLog::default();
        let query = PathQuery::new((0, 0), (2, 0));
        GridSearch::astar().solve_traced(&grid, &query, &mut Scratch::new(), &mut log).unwrap();
        let mut text = Vec::new();
        let ends = (Cell::new(0, 0), Cell::new(2, 0));
        write_trace(&mut text, grid.extent(), ends, 4756.0, log.events()).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.starts_with("version: 1.4.0\nviews:\n"), "{text}");
        let events: Vec<&str> = text.lines().filter(|line| line.contains("type:")).collect();
        assert_eq!(
            events[..3],
            [
                "  - {type: source, id: 0, x: 0, y: 0}",
                "  - {type: destination, id: 2, x: 2, y: 0}",
                "  - {type: generating, id: 0, pId: null, f: 2.000000, g: 0.000000, h: 2.000000, x: 0, y: 0}",
            ]
        );
        let end = events.last().unwrap();
        assert!(end.starts_with("  - {type: end, id: 2, pId: 1, f: 2.0"), "{end}");
        assert_eq!(events.len(), log.events().len() + 2);
    }
}
