//! Golden traces: every event of each kind of search on one small map, as readable text.
//!
//! They pin down the order of expansion and the tie rule, on which lockstep games and replays depend.
//! When a change of order is meant, run with `HIGHROAD_BLESS=1` and read the difference.

use highroad_core::{
    Answer, Cell, CellId, Grid, GridMap, Movement, MovementRule, NodeId, PathQuery, Planner,
    Profile, Scratch, Side, Spec, StepCosts, Terrain, TraceEvent, TraceKind, TraceLog,
};
use std::fmt::Write;

/// The swamp costs 3, so that cells are reached at a high cost first and get cheaper later, and the planners
/// find different paths.
const DRAWING: &str = "
    .S...@
    @.@S@.
    .SSS..
    @.S.SS
    .S@@@.
";
const START: Cell = Cell::new(0, 2);
const GOAL: Cell = Cell::new(5, 2);
const PLANNERS: [&str; 6] = ["bfs", "dijkstra", "astar", "greedy", "depth-first", "bidirectional"];

fn grid() -> Grid {
    let map: GridMap = DRAWING.parse().expect("the drawing is a map");
    let profile = Profile::movingai().cost(Terrain::SWAMP, 3).expect("costs begin at 1");
    // The thesis's 5/7 keeps the numbers short: 10 and 14 on ground.
    let movement = Movement::new(profile, MovementRule::NeverCutCorners, StepCosts::THESIS);
    Grid::new(map, movement.expect("the costs are small"))
}

fn planner(name: &str, grid: &Grid) -> Box<dyn Planner> {
    let spec: Spec = name.parse().unwrap_or_else(|error| panic!("{error}"));
    spec.build(grid).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn traces_are_as_they_were() {
    check_golden(PLANNERS.map(|name| (name, trace_of(name))).into());
}

/// Which of many equal paths is taken, on open ground and round a block.
#[test]
fn ties_are_broken_as_they_were() {
    let mut text = String::new();
    for drawing in ["......\n......\n......\n......\n", "......\n.@@@@.\n.@@@@.\n......\n"] {
        let grid = Grid::with_defaults(drawing.parse().expect("a drawing"));
        drawing.lines().for_each(|row| text.extend(["    ", row, "\n"]));
        for name in PLANNERS {
            let query = PathQuery::new((0, 0), (5, 3));
            let answer = planner(name, &grid).solve(&grid, &query, &mut Scratch::new());
            let Ok(Answer::Found(path)) = answer else { panic!("{name}: {answer:?}") };
            let _ = writeln!(text, "{name:13} {}", places(path.cells()));
        }
    }
    check_golden(vec![("ties", text)]);
}

/// Compares texts with the files of their names, or writes those when asked to.
fn check_golden(texts: Vec<(&str, String)>) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden");
    let bless = std::env::var_os("HIGHROAD_BLESS").is_some_and(|value| value == "1");
    let mut differences = String::new();
    for (name, text) in texts {
        let file = format!("{folder}/{name}.txt");
        if bless {
            std::fs::write(&file, &text).unwrap_or_else(|error| panic!("{file}: {error}"));
        }
        let kept = std::fs::read_to_string(&file).unwrap_or_else(|error| {
            panic!("{file}: {error}; HIGHROAD_BLESS=1 writes what is missing")
        });
        differences.push_str(&first_difference(name, &kept, &text));
    }
    assert!(
        differences.is_empty(),
        "{differences}If that is meant: HIGHROAD_BLESS=1 cargo test -p highroad-core --test golden"
    );
}

/// Where two texts part ways; nothing if they are the same.
fn first_difference(name: &str, kept: &str, now: &str) -> String {
    // Git may have changed the line ends of the file.
    let (mut kept, mut now) = (kept.lines(), now.lines());
    for line in 1.. {
        match (kept.next(), now.next()) {
            (None, None) => break,
            (old, new) if old == new => {}
            (old, new) => {
                let (old, new) = (old.unwrap_or("(the end)"), new.unwrap_or("(the end)"));
                return format!("{name}.txt, line {line}\n  was: {old}\n  now: {new}\n");
            }
        }
    }
    String::new()
}

/// A search from its first event to its answer.
fn trace_of(name: &str) -> String {
    let grid = grid();
    let (mut scratch, mut log) = (Scratch::new(), TraceLog::default());
    let query = PathQuery::new(START, GOAL);
    let answer = planner(name, &grid).solve_traced(&grid, &query, &mut scratch, &mut log);
    let Ok(Answer::Found(path)) = answer else { panic!("{name}: no path, but {answer:?}") };
    let mut text = format!("{name} from {} to {}\n", place(START), place(GOAL));
    grid.map().to_string().lines().for_each(|row| text.extend(["    ", row, "\n"]));
    for event in log.events() {
        text.push_str(&line_of(&grid, event));
        text.push('\n');
    }
    let shown = scratch.statistics();
    let _ = writeln!(text, "found {} at cost {}", places(path.cells()), path.cost());
    let _ = writeln!(
        text,
        "{} expanded, {} generated, {} reopened, at most {} open",
        shown.expanded, shown.generated, shown.reopened, shown.open_max
    );
    text
}

fn line_of(grid: &Grid, event: &TraceEvent) -> String {
    let cell = |node: NodeId| place(grid.extent().cell(CellId(node.0)));
    let kind = match event.kind {
        TraceKind::Start => "start",
        TraceKind::Open => "  open",
        TraceKind::Improve => "  improve",
        TraceKind::Reopen => "  reopen",
        TraceKind::Expand => "expand",
        TraceKind::Goal => "goal",
        other => panic!("no name for {other:?}"),
    };
    let side = match event.side {
        Side::Forward => "",
        Side::Backward => "  backward",
    };
    let (at, from) = (cell(event.node), cell(event.parent));
    format!("{kind:9} {at} from {from}  g {:<3} h {:<3}{side}", event.g, event.h)
        .trim_end()
        .to_owned()
}

fn places(cells: &[Cell]) -> String {
    cells.iter().map(|&cell| place(cell)).collect::<Vec<_>>().join(" ")
}

fn place(cell: Cell) -> String {
    format!("{},{}", cell.x, cell.y)
}

#[test]
fn a_full_log_keeps_the_first_events_and_counts_the_rest() {
    let grid = grid();
    let query = PathQuery::new(START, GOAL);
    for name in PLANNERS {
        let planner = planner(name, &grid);
        let solve_into = |log: &mut TraceLog| {
            let answer = planner.solve_traced(&grid, &query, &mut Scratch::new(), log);
            answer.unwrap_or_else(|error| panic!("{name}: {error}"))
        };
        let (mut whole, mut capped) = (TraceLog::default(), TraceLog::new(7));
        assert_eq!(solve_into(&mut whole), solve_into(&mut capped), "{name}");
        let total = whole.events().len();
        assert!(total > 7 && whole.dropped() == 0, "{name}: {total} events");
        assert_eq!(capped.events(), &whole.events()[..7], "{name}");
        assert_eq!(capped.dropped(), total as u64 - 7, "{name}");
        capped.clear();
        assert_eq!((capped.events().len(), capped.dropped()), (0, 0), "{name}");
        solve_into(&mut capped);
        assert_eq!(capped.dropped(), total as u64 - 7, "{name}: the cap outlives a clearing");
    }
}
