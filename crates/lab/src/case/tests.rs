use super::*;

const WALL: &str = r##"
title = "a wall across the path"
planner = "astar"
[map]
drawing = """
........
........
........
"""
[[agent]]
start = [0, 1]
goal = [7, 1]
step_ms = 100
[[change]]
after_step = 2
fill = [{ from = [5, 0], to = [5, 1], terrain = "#" }]
"##;

fn run(text: &str) -> (CaseReport, Vec<String>) {
    let case = Case::parse(text).unwrap();
    let map = case.load_map(Path::new("nowhere")).unwrap();
    let mut lines = Vec::new();
    let report = CaseRun::new(&case, map).unwrap();
    let report = report.finish(&mut |event| lines.push(event.to_string())).unwrap();
    (report, lines)
}

#[test]
fn a_change_comes_after_the_step_it_waits_for() {
    let (report, lines) = run(WALL);
    assert_eq!(
        lines,
        [
            "0 agent 0 asks from (0, 1) to (7, 1)",
            "1 agent 0 has a path of 7 steps",
            "2 edit of 2 cells leads to revision 1",
            "2 agent 0 is cut off after 2 steps",
            "3 agent 0 at (2, 1) goes another way of 5 steps",
            "8 agent 0 arrives at (7, 1) after 7 steps",
        ]
    );
    assert!(report.at_rest);
    assert_eq!(report.replies.len(), 1);
    assert!(report.replies[0].1 >= report.replies[0].0);
}

#[test]
fn what_is_wrong_with_a_case_is_told() {
    let error = |from: &str, to: &str| {
        assert!(WALL.contains(from));
        Case::parse(&WALL.replace(from, to)).unwrap_err().to_string()
    };
    assert!(error("title", "titel").contains("unknown field `titel`"));
    assert!(error("astar", "a-star").contains("there is no planner 'a-star'"));
    assert_eq!(error("after_step = 2", ""), "change 0: give it either 'after_step' or 'at_tick'");
    assert_eq!(
        error("after_step = 2", "after_step = 2\nagent = 3"),
        "change 0: there is no agent 3"
    );
    assert_eq!(error("\"#\"", "\"é\""), "change 0: 'é' is no terrain");
    assert!(error("step_ms = 100", "step_ms = 0").contains("above 0"));
    let outside = WALL.replace("to = [5, 1]", "to = [5, 9]");
    let case = Case::parse(&outside).unwrap();
    let run = CaseRun::new(&case, case.load_map(Path::new("")).unwrap()).unwrap();
    let error = run.finish(&mut |_| ()).unwrap_err().to_string();
    assert!(error.starts_with("change 0: cell (5, 3) lies outside the map"), "{error}");
    let case = Case::parse(&WALL.replace("....\n....", "....\n..x.")).unwrap();
    assert!(case.load_map(Path::new("")).unwrap_err().to_string().starts_with("the drawing"));
}

#[test]
fn a_case_that_never_comes_to_rest_ends_at_its_last_tick() {
    let (report, _) = run(&WALL.replace("title", "ticks_max = 4\ntitle"));
    assert!(!report.at_rest);
    assert_eq!(report.events.last().map(|event| event.tick), Some(3));
}

#[test]
fn a_window_shows_the_agent_its_way_and_its_goal() {
    let case = Case::parse(WALL).unwrap();
    let mut run = CaseRun::new(&case, case.load_map(Path::new("")).unwrap()).unwrap();
    run.advance(&mut |_| ()).unwrap();
    run.advance(&mut |_| ()).unwrap();
    run.advance(&mut |_| ()).unwrap();
    let at = run.simulation.agents()[0].at();
    assert_eq!(draw_window(&run.simulation, at, 80, 24), "     █  \n   0 █ ⚑\n    ··· \n");
    assert_eq!(draw_window(&run.simulation, at, 3, 1).chars().count(), 4);
}
