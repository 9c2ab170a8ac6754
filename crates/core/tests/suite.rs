//! One suite for all planners: every case of `cases/*.txt`, under every rule the case answers for,
//! asked of every planner of the catalog as it comes and with its options turned.

#[path = "support/case_file.rs"]
mod case_file;
mod support;

use case_file::{Case, Expected};
use highroad_core::{
    Answer, Cost, Grid, GridMap, Guarantee, HeuristicKind, MovementRule, Planner, Query,
    QueryError, Scratch, Spec, StepCosts,
};
use support::{Reach, Situation, all_specs, plain_specs, spec};

/// The cases are read when the tests run, so that a new one needs no compiler.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases");

fn all_cases() -> Vec<Case> {
    let entries = std::fs::read_dir(FOLDER).expect("the folder of cases can be listed");
    let paths = entries.map(|entry| entry.expect("its files can be listed").path());
    let mut files: Vec<_> = paths.filter(|path| path.extension() == Some("txt".as_ref())).collect();
    files.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).expect("a case file can be read");
        case_file::parse(&text).unwrap_or_else(|problem| panic!("{}: {problem}", path.display()))
    };
    files.iter().flat_map(read).collect()
}

#[test]
fn every_planner_answers_every_case() {
    let cases = all_cases();
    assert!(cases.len() >= 60, "only {} cases were found", cases.len());
    let mut scratch = Scratch::new();
    let mut failures = Vec::new();
    for case in &cases {
        for (rule, expected) in &case.expectations {
            let situation = Situation { rule: *rule, ..case.situation.clone() };
            for (asked, problem) in wrong_answers(&situation, expected, &mut scratch) {
                failures.push(format!("{}, {}, {asked}: {problem}", case.name, rule.name()));
            }
        }
    }
    assert!(failures.is_empty(), "{} wrong:\n{}", failures.len(), failures.join("\n"));
}

/// Who gives which wrong answer: planners, or the oracle.
fn wrong_answers(
    situation: &Situation,
    expected: &Expected,
    scratch: &mut Scratch,
) -> Vec<(String, String)> {
    let grid = situation.grid();
    let reach = situation.reach();
    let mut wrong = Vec::new();
    if let Err(problem) = check_oracle(situation, expected, &reach) {
        wrong.push(("the oracle".to_owned(), problem));
    }
    for spec in all_specs(&grid) {
        let planner = build(&spec, &grid);
        let answer = planner.solve(&grid, &situation.query(), scratch);
        let outcome = match (answer, expected) {
            (Err(error), Expected::Refused(reason)) if error == *reason => Ok(()),
            (Ok(answer), Expected::Found { .. } | Expected::NoPath { .. }) => {
                let guarantee = planner.guarantee(&grid);
                situation
                    .check(&grid, &reach, guarantee, &answer)
                    .and_then(|()| check_expected(expected, guarantee, &answer))
            }
            (answer, expected) => Err(format!("{answer:?} instead of {expected:?}")),
        };
        wrong.extend(outcome.err().map(|problem| (spec.to_string(), problem)));
    }
    wrong
}

fn build(spec: &Spec, grid: &Grid) -> Box<dyn Planner> {
    spec.build(grid).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

/// What a file expects, beyond what must be true of every answer.
fn check_expected(
    expected: &Expected,
    guarantee: Guarantee,
    answer: &Answer,
) -> Result<(), String> {
    match (expected, answer) {
        (Expected::Found { length, cost }, Answer::Found(path)) => {
            if guarantee != Guarantee::Optimal {
                return Ok(());
            }
            let (straight, diagonal) = (path.straight_steps(), path.diagonal_steps());
            let measured = straight as f64 + diagonal as f64 * 2f64.sqrt();
            if length.is_some_and(|steps| steps != (straight, diagonal)) {
                return Err(format!("{straight} + {diagonal}√2 is not the length of {expected:?}"));
            }
            if (path.length() - measured).abs() > 1e-9 {
                return Err(format!("claims to be {} long, not {measured}", path.length()));
            }
            match *cost {
                Some(cost) if path.cost() != Cost(cost) => {
                    Err(format!("costs {}, not {cost}", path.cost()))
                }
                _ => Ok(()),
            }
        }
        (Expected::NoPath { nearest }, Answer::Unreachable { nearest: path })
            if nearest.contains(&path.goal()) =>
        {
            Ok(())
        }
        _ => Err(format!("{answer:?} instead of {expected:?}")),
    }
}

/// The oracle is only as good as its agreement with what people have worked out by hand.
fn check_oracle(situation: &Situation, expected: &Expected, reach: &Reach) -> Result<(), String> {
    let best = reach.to_any(&situation.goals);
    match expected {
        Expected::Found { length, cost } => {
            // On ground of cost 1 throughout, a length has one cost.
            let uniform = situation.grid().uniform_cost() == Some(1);
            let (s, d) = (situation.steps.straight() as usize, situation.steps.diagonal() as usize);
            let by_length = length.filter(|_| uniform).map(|(a, b)| 2 * (a * s + b * d) as u64);
            for told in [by_length, *cost].into_iter().flatten() {
                if best != Some(told) {
                    return Err(format!("{best:?} where the case tells {told}"));
                }
            }
            Ok(())
        }
        Expected::NoPath { .. } => best.map_or(Ok(()), |cost| Err(format!("a path of {cost}"))),
        Expected::Refused(_) => Ok(()),
    }
}

#[test]
fn every_rule_and_every_kind_of_answer_occurs() {
    let cases = all_cases();
    let count = |wanted: &dyn Fn(MovementRule, &Expected) -> bool| {
        let all = cases.iter().flat_map(|case| &case.expectations);
        all.filter(|(rule, expected)| wanted(*rule, expected)).count()
    };
    for rule in MovementRule::ALL {
        assert!(
            count(&|of, expected| of == rule && matches!(expected, Expected::Found { .. })) > 30
        );
        assert!(
            count(&|of, expected| of == rule && matches!(expected, Expected::NoPath { .. })) > 5
        );
        assert!(count(&|of, expected| of == rule && matches!(expected, Expected::Refused(_))) > 5);
    }
}

#[test]
fn a_case_that_cannot_be_read_names_its_line() {
    let problem = |text: &str| case_file::parse(text).err().expect("the text is wrong");
    assert_eq!(problem("|s.g\n"), "line 1: no case has begun");
    assert!(
        problem("case a\n|s.g\nanywhere length 2\n").starts_with("line 3: 'anywhere length 2'")
    );
    assert!(problem("case a\nsteps 7/5\n").starts_with("line 2: step costs 7/5"));
    assert!(problem("case a\nstart 1;2\n").contains("no cell x,y"));
    assert!(problem("case a\n|s.g\n").ends_with("nothing is expected"));
    assert!(problem("case a\n|s?g\nfour-way length 2\n").contains("the drawing: line 1, column 2"));
    assert!(problem("case a\n|s.g\nfour-way width 2\n").contains("'width 2' is no answer"));
    let twice = "case a\n|s.g\nfour-way length 2\nevery-rule length 2\n\ncase b\n";
    assert_eq!(problem(twice), "line 6: case a: four-way is answered twice");
}

/// Without this a planner that promised less than before would pass every other test.
#[test]
fn planners_promise_what_their_theory_says() {
    let map: GridMap = "....\n.SS.\n".parse().expect("a drawing");
    let grid = Grid::with_defaults(map);
    let promise = |text: &str| build(&spec(text), &grid).guarantee(&grid);
    for exact in
        ["dijkstra", "astar", "bidirectional", "weighted-astar:weight=1", "astar:scale=0.5"]
    {
        assert_eq!(promise(exact), Guarantee::Optimal, "{exact}");
    }
    assert_eq!(promise("weighted-astar"), Guarantee::Bounded(1.5));
    assert_eq!(promise("greedy"), Guarantee::None);
    assert_eq!(promise("depth-first"), Guarantee::None);
    assert_eq!(promise("bfs"), Guarantee::Bounded(3363.0 / 2378.0));
    // Eight-way, Manhattan's estimate of a diagonal is two straights.
    assert_eq!(promise("astar:heuristic=manhattan"), Guarantee::Bounded(2.0 * 2378.0 / 3363.0));
    assert_eq!(promise("astar:heuristic=manhattan:reopen=no"), Guarantee::None);
    let (steps, rule) = (StepCosts::EXACT, MovementRule::NeverCutCorners);
    let admissible = HeuristicKind::ALL.into_iter().filter(|kind| kind.is_admissible(rule, steps));
    for kind in admissible {
        let text = format!("astar:heuristic={}", kind.name());
        assert_eq!(promise(&text), Guarantee::Optimal, "{text}");
    }
}

#[test]
fn a_promise_holds_or_is_broken() {
    let holds = |guarantee: Guarantee, cost, best| guarantee.holds(Cost(cost), Cost(best));
    assert!(holds(Guarantee::Optimal, 100, 100) && !holds(Guarantee::Optimal, 101, 100));
    assert!(holds(Guarantee::Bounded(1.5), 150, 100) && !holds(Guarantee::Bounded(1.5), 151, 100));
    assert!(holds(Guarantee::None, 900, 100) && holds(Guarantee::NearOptimal, 101, 100));
    let all =
        [Guarantee::Optimal, Guarantee::Bounded(2.0), Guarantee::NearOptimal, Guarantee::None];
    for guarantee in all {
        assert!(!holds(guarantee, 99, 100), "{guarantee}: nothing is cheaper than the optimum");
    }
}

#[test]
fn a_refused_query_says_what_is_wrong_and_where() {
    let grid = Grid::with_defaults("..#\n".parse().expect("a drawing"));
    for spec in plain_specs(&grid) {
        let planner = build(&spec, &grid);
        let refusal = |query: Query| {
            let refused: QueryError =
                planner.solve(&grid, &query, &mut Scratch::new()).expect_err("a bad query");
            refused.to_string()
        };
        assert!(refusal(Query::new((0, 0), (2, 0))).contains("goal (2, 0) is blocked"), "{spec}");
        assert!(
            refusal(Query::new((0, 7), (1, 0))).contains("start (0, 7) lies outside"),
            "{spec}"
        );
        let nowhere = Query::among(vec![(0, 0).into()], Vec::new());
        assert_eq!(refusal(nowhere), "the query has no goal", "{spec}");
    }
}
