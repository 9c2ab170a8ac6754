//! One sentence about what the current step does, from what has happened so far.

use super::counting::{Amounts, Counting, KeyKind};
use highroad::Cell;
use highroad::search::{Side, TraceEvent, TraceKind};
use highroad_pictures::replay::Replay;
use highroad_pictures::{Phase, PhaseKind};

/// What places are called.
pub type Names<'n> = &'n dyn Fn(Cell) -> String;

/// What the current step of a recording does, in a sentence or two.
pub fn sentence(replay: &Replay, counting: &Counting) -> String {
    sentence_with(replay, counting, &|cell| cell.to_string())
}

/// As [`sentence`], with other names for places: nodes of a graph have names of their own.
pub fn sentence_with(replay: &Replay, counting: &Counting, names: Names<'_>) -> String {
    let Some((event, _)) = replay.current() else {
        return "Nothing has happened yet. Space plays the search, the right arrow goes one step on."
            .to_owned();
    };
    let latest = replay.position() - 1;
    if replay.position() == replay.len() && exhausted(replay) {
        return format!("The {} is empty: no path leads to the goal.", counting.list_name());
    }
    match event.kind {
        TraceKind::Start => start_text(replay, counting, &event, names),
        TraceKind::Goal => goal_text(replay, counting, &event, names),
        TraceKind::Join => join_text(replay, counting, latest, names),
        TraceKind::Refine => refine_text(replay, &event, names),
        TraceKind::Smooth => smooth_text(replay, &event, names),
        _ => expansion_text(replay, counting, latest, names),
    }
}

/// Whether a recording ends without having reached anything.
fn exhausted(replay: &Replay) -> bool {
    let ended = |kind| matches!(kind, TraceKind::Goal | TraceKind::Refine | TraceKind::Smooth);
    replay.dropped() == 0 && !replay.events().iter().rev().any(|event| ended(event.kind))
}

fn start_text(
    replay: &Replay,
    counting: &Counting,
    event: &TraceEvent,
    names: Names<'_>,
) -> String {
    let cell = names(replay.cells_of(event).0);
    let (place, list) = match (event.side, counting.list_name()) {
        (Side::Forward, "queue") => ("start", "into the queue"),
        (Side::Forward, "stack") => ("start", "on the stack"),
        (Side::Forward, _) => ("start", "on the open list"),
        (Side::Backward, _) => ("goal", "on the open list of the search from the goal"),
    };
    let estimate = match (counting.key, counting.amounts.show(event.h)) {
        (KeyKind::F, Some(h)) => format!(": g = 0, h = {h}"),
        (KeyKind::H, Some(h)) => format!(": h = {h}"),
        (KeyKind::G, Some(_)) => ": g = 0".to_owned(),
        _ => String::new(),
    };
    format!("Puts the {place} {cell} {list}{estimate}.")
}

/// Which cell is taken, and why.
fn taken_text(
    replay: &Replay,
    counting: &Counting,
    event: &TraceEvent,
    names: Names<'_>,
) -> String {
    let cell = names(replay.cells_of(event).0);
    let whose = match event.side {
        Side::Backward => ", for the search from the goal",
        Side::Forward => "",
    };
    let key = counting.key.of(event);
    let why = match (counting.key, counting.amounts.show(key)) {
        (KeyKind::Stack, _) => "it was put on the stack last".to_owned(),
        (KeyKind::G, Some(_)) if counting.list_name() == "queue" => {
            format!("it has waited longest, {} from the start", steps_text(key))
        }
        (kind, Some(value)) => {
            let letter = kind.letter().unwrap_or("f");
            match counting.is_exact {
                true => format!("{letter} = {value} is the smallest"),
                false => format!("{letter} = {value} is about the smallest"),
            }
        }
        (_, None) => "its f is about the smallest".to_owned(),
    };
    format!("Takes {cell}{whose}: {why}.")
}

fn expansion_text(replay: &Replay, counting: &Counting, latest: usize, names: Names<'_>) -> String {
    let events = replay.events();
    let Some(head) = events[..=latest].iter().rposition(|event| event.kind == TraceKind::Expand)
    else {
        let (cell, from) = replay.cells_of(&events[latest]);
        let (cell, from) = (names(cell), names(from));
        return format!("Reaches {cell} from {from}.");
    };
    let mut text = taken_text(replay, counting, &events[head], names);
    let count = |kind| events[head..=latest].iter().filter(|event| event.kind == kind).count();
    let nodes = counting.nodes;
    let one_or = |count: usize| match (count, nodes) {
        (1, "neighbours") => "1 neighbour".to_owned(),
        (1, nodes) => format!("1 {}", nodes.trim_end_matches('s')),
        (count, nodes) => format!("{count} {nodes}"),
    };
    let (opened, improved, reopened) =
        (count(TraceKind::Open), count(TraceKind::Improve), count(TraceKind::Reopen));
    if opened > 0 {
        text.push_str(&format!(" Opens {}.", one_or(opened)));
    }
    if improved > 0 {
        let found = if improved == 1 { "a cheaper way" } else { "cheaper ways" };
        text.push_str(&format!(
            " Finds {found} to {} that {} open already.",
            one_or(improved),
            if improved == 1 { "is" } else { "are" }
        ));
    }
    if reopened > 0 {
        text.push_str(&format!(
            " Opens {} again, after a cheaper way was found.",
            one_or(reopened)
        ));
    }
    // Whether more follow is not known yet, unless the next step has begun.
    let ended = events.get(latest + 1).is_none_or(|next| {
        matches!(next.kind, TraceKind::Expand | TraceKind::Goal) || !next.kind.is_of_search()
    });
    if opened + improved + reopened == 0 && ended {
        text.push_str(" All around it is known already, or blocked.");
    }
    text
}

fn goal_text(replay: &Replay, counting: &Counting, event: &TraceEvent, names: Names<'_>) -> String {
    let cell = names(replay.cells_of(event).0);
    let meets = replay
        .events()
        .iter()
        .any(|other| other.side == Side::Backward && other.kind == TraceKind::Expand);
    if meets {
        let cost = counting.amounts.show(event.g + event.h);
        let cost = cost.map(|cost| format!(" It costs {cost}.")).unwrap_or_default();
        return format!(
            "No better meeting can come any more: the path leads through {cell}.{cost}"
        );
    }
    let follows =
        replay.phases().last().is_some_and(|phase| !matches!(phase.kind, PhaseKind::Search(_)));
    match (counting.amounts.show(event.g), follows) {
        // Steps of different cost count the same here, so g is not what the path costs.
        (Some(_), false) if counting.amounts == Amounts::Steps => {
            let steps = steps_text(event.g);
            format!("Takes the goal {cell}: the path is found. It has {steps}, as g says.")
        }
        (Some(cost), false) => {
            format!("Takes the goal {cell}: the path is found. Its cost is g = {cost}.")
        }
        (Some(cost), true) => {
            format!(
                "Takes the goal {cell}: the abstract path is found, at cost {cost}. Its cells come next."
            )
        }
        (None, _) => format!("Takes the goal {cell}: the path of this layer is found."),
    }
}

fn steps_text(count: u64) -> String {
    if count == 1 { "1 step".to_owned() } else { format!("{count} steps") }
}

fn join_text(replay: &Replay, counting: &Counting, latest: usize, names: Names<'_>) -> String {
    let event = &replay.events()[latest];
    let (cell, end) = replay.cells_of(event);
    let (cell, end) = (names(cell), names(end));
    let direct = replay.phase().map(|phase| replay.phases()[phase].kind) == Some(PhaseKind::Direct);
    let cost =
        counting.amounts.show(event.g).map(|cost| format!(" It costs {cost}.")).unwrap_or_default();
    if direct {
        return format!(
            "The start {end} and the goal {cell} lie close together: a look at the cells around them finds the path \
             without the abstraction.{cost}"
        );
    }
    let place = match event.side {
        Side::Forward => "start",
        Side::Backward => "goal",
    };
    format!("Joins the {place} {end} to {cell}, a transition of its cluster.{cost}")
}

fn refine_text(replay: &Replay, event: &TraceEvent, names: Names<'_>) -> String {
    let cell = names(replay.cells_of(event).0);
    let cells = replay.drawn_path().map_or(0, |path| path.nodes().count());
    format!(
        "Fills in the cells between the nodes of the abstract path: {cell} is cell {cells} of the path."
    )
}

fn smooth_text(replay: &Replay, event: &TraceEvent, names: Names<'_>) -> String {
    let cell = names(replay.cells_of(event).0);
    format!("Smooths the path, so that it makes no needless turn: it leads through {cell}.")
}

/// What a part of a recording is called on the timeline: one of [`PHASE_NAMES`].
pub fn phase_name(phases: &[Phase], number: usize) -> &'static str {
    let is_search = |phase: &Phase| matches!(phase.kind, PhaseKind::Search(_));
    match phases[number].kind {
        PhaseKind::Insert => "insert ends",
        PhaseKind::Search(1) if phases.len() > 1 => "abstract search",
        PhaseKind::Search(_) if phases.iter().filter(|phase| is_search(phase)).count() > 1 => {
            "refine"
        }
        PhaseKind::Search(_) => "search",
        PhaseKind::Direct => "direct way",
        PhaseKind::Refine => "refine",
        PhaseKind::Smooth => "smooth",
    }
}

/// What parts of recordings can be called.
pub const PHASE_NAMES: [&str; 6] =
    ["insert ends", "abstract search", "refine", "smooth", "direct way", "search"];

/// What happens in a part of a recording.
pub fn phase_help(phases: &[Phase], number: usize) -> String {
    let last_search = phases.iter().rposition(|phase| matches!(phase.kind, PhaseKind::Search(_)));
    match phases[number].kind {
        PhaseKind::Insert => "The start and the goal are joined to the abstract graph.".to_owned(),
        PhaseKind::Search(1) if phases.len() > 1 => {
            "A* searches the abstract graph, which is much smaller than the map.".to_owned()
        }
        PhaseKind::Search(count) if count > 1 => format!(
            "Search {count}: {}, only inside of what the search before has found.",
            if last_search == Some(number) { "the lowest layer" } else { "a layer below" }
        ),
        PhaseKind::Search(_) => "The search.".to_owned(),
        PhaseKind::Direct => {
            "The ends lie close together: the path is found without the abstract graph.".to_owned()
        }
        PhaseKind::Refine => {
            "The cells between the nodes of the abstract path are filled in.".to_owned()
        }
        PhaseKind::Smooth => "The path is pulled tight: needless turns go.".to_owned(),
    }
}

/// Where the next step ends: with the last event before another node is taken, or with the next event outside of searches.
pub fn next_step(replay: &Replay) -> usize {
    let events = replay.events();
    let position = replay.position();
    let later = events.iter().enumerate().skip(position + 1);
    let begins = |(_, event): &(usize, &TraceEvent)| begins_step(event.kind);
    later.into_iter().find(begins).map_or(events.len(), |(number, _)| number)
}

/// Where the step before ended.
pub fn previous_step(replay: &Replay) -> usize {
    let before = &replay.events()[..replay.position()];
    before.iter().rposition(|event| begins_step(event.kind)).unwrap_or(0)
}

fn begins_step(kind: TraceKind) -> bool {
    !matches!(kind, TraceKind::Open | TraceKind::Improve | TraceKind::Reopen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::teach::{planners_of_cells, record};
    use highroad::Cell;
    use highroad::catalog::Spec;
    use highroad::grid::Grid;

    const MAP: &str = "....................\n.######...#####.....\n......#...#.........\n......#...#..######.\n..........#.........\n....###...#.........\n....................\n";

    fn said_of(spec: &str, map: &str, ends: (Cell, Cell)) -> Vec<String> {
        let grid = Grid::with_defaults(map.parse().unwrap());
        let spec: Spec = spec.parse().unwrap();
        let mut replay = record(&spec, &grid, ends).unwrap().replay;
        let counting = Counting::of(&spec, &grid);
        let mut said = Vec::new();
        replay.go_to(0, |_| ());
        said.push(sentence(&replay, &counting));
        while replay.position() < replay.len() {
            let next = next_step(&replay);
            assert!(next > replay.position(), "{spec}: a step goes on");
            replay.go_to(next, |_| ());
            said.push(sentence(&replay, &counting));
        }
        said
    }

    #[test]
    fn every_step_of_every_planner_has_a_sentence() {
        for entry in planners_of_cells() {
            let said = said_of(entry.name, MAP, (Cell::new(1, 4), Cell::new(15, 4)));
            for text in &said {
                assert!(text.ends_with('.') && text.len() > 20, "{}: {text:?}", entry.name);
                assert!(!text.contains(" 1 neighbours") && !text.contains("  "), "{text}");
            }
        }
    }

    #[test]
    fn sentences_are_those_of_a_lecture() {
        let ends = (Cell::new(0, 0), Cell::new(3, 0));
        let said = said_of("astar:textbook=yes", "....\n....\n", ends);
        assert_eq!(said[1], "Puts the start (0, 0) on the open list: g = 0, h = 3.");
        assert_eq!(said[2], "Takes (0, 0): f = 3 is the smallest. Opens 3 neighbours.");
        assert_eq!(said[3], "Takes (1, 0): f = 3 is the smallest. Opens 2 neighbours.");
        assert_eq!(
            *said.last().unwrap(),
            "Takes the goal (3, 0): the path is found. Its cost is g = 3."
        );
        let said = said_of("bfs:textbook=yes", "....\n", ends);
        assert_eq!(
            said[2],
            "Takes (0, 0): it has waited longest, 0 steps from the start. Opens 1 neighbour."
        );
        assert_eq!(said[1], "Puts the start (0, 0) into the queue: g = 0.");
        assert!(said[3].contains("waited longest, 1 step from the start"), "{}", said[3]);
        let said = said_of("bfs:textbook=yes", "....\n....\n", (Cell::new(0, 0), Cell::new(3, 1)));
        let last = said.last().unwrap();
        assert!(last.ends_with("the path is found. It has 3 steps, as g says."), "{last}");
        let said = said_of("dijkstra:ties=oldest", "....\n....\n", ends);
        assert!(said[3].starts_with("Takes (1, 0): g = 1 is the smallest."), "{}", said[3]);
        let said = said_of("bfs:textbook=yes", "..#.\n", ends);
        assert_eq!(*said.last().unwrap(), "The queue is empty: no path leads to the goal.");
        let said = said_of("dijkstra", "..#.\n", ends);
        assert_eq!(*said.last().unwrap(), "The open list is empty: no path leads to the goal.");
    }

    /// A sentence may not depend on events that have not happened.
    #[test]
    fn nothing_of_the_future_is_said() {
        let grid = Grid::with_defaults(MAP.parse().unwrap());
        let spec: Spec = "astar:textbook=yes".parse().unwrap();
        let counting = Counting::of(&spec, &grid);
        let near = record(&spec, &grid, (Cell::new(1, 4), Cell::new(15, 4))).unwrap().replay;
        let mut whole = near.clone();
        for position in (1..near.len()).step_by(7) {
            whole.go_to(position, |_| ());
            let events = near.events()[..position].to_vec();
            let mut log = highroad::search::TraceLog::default();
            for event in events {
                highroad::search::SearchObserver::event(&mut log, event);
            }
            let mut cut = Replay::new(grid.extent(), log);
            cut.go_to(position, |_| ());
            for cell in grid.extent().cells() {
                assert_eq!(whole.status(cell), cut.status(cell));
                assert_eq!(whole.order(cell), cut.order(cell));
                assert_eq!(whole.latest_event(cell), cut.latest_event(cell));
            }
            assert!(sentence(&whole, &counting).starts_with("Takes (") || position < 3);
        }
    }

    #[test]
    fn steps_go_back_to_where_they_came_from() {
        let grid = Grid::with_defaults(MAP.parse().unwrap());
        let spec: Spec = "hpa:cluster=5:direct=no".parse().unwrap();
        let mut replay = record(&spec, &grid, (Cell::new(1, 4), Cell::new(15, 4))).unwrap().replay;
        replay.go_to(0, |_| ());
        let mut ends = vec![0];
        while replay.position() < replay.len() {
            let next = next_step(&replay);
            replay.go_to(next, |_| ());
            ends.push(next);
        }
        for &end in ends.iter().rev().skip(1) {
            let previous = previous_step(&replay);
            replay.go_to(previous, |_| ());
            assert_eq!(replay.position(), end);
        }
    }

    #[test]
    fn hierarchies_show_every_phase_on_small_maps() {
        let grid = Grid::with_defaults(MAP.parse().unwrap());
        let phases = |text: &str| -> Vec<String> {
            let spec: Spec = text.parse().unwrap();
            let replay = record(&spec, &grid, (Cell::new(1, 4), Cell::new(15, 4))).unwrap().replay;
            let name = |number| phase_name(replay.phases(), number).to_owned();
            let names: Vec<String> = (0..replay.phases().len()).map(name).collect();
            assert!(names.iter().all(|name| PHASE_NAMES.contains(&name.as_str())));
            names
        };
        assert_eq!(
            phases("hpa:cluster=5:direct=no"),
            ["insert ends", "abstract search", "refine", "smooth"]
        );
        assert_eq!(phases("hpa"), ["direct way"]);
        let pra = phases("pra:refine=layers:start=half");
        assert_eq!(pra[0], "abstract search");
        assert_eq!(pra[pra.len() - 2..], ["refine", "smooth"]);
        assert!(pra.len() >= 4, "layer by layer: {pra:?}");
        assert_eq!(phases("astar"), ["search"]);
    }
}
