//! A report as a whole.

use super::*;
use crate::workload::Sample as Queries;
use highroad::catalog::Spec;
use highroad::grid::{MovementRule, StepCosts};

pub(super) fn settings() -> Settings {
    Settings {
        rule: MovementRule::default(),
        steps: StepCosts::EXACT,
        queries: Queries::Spread(8),
        growth_queries: 4,
        passes: 3,
        seed: 7,
        unit_seconds: 60,
        build_seconds: 60,
        memory_megabytes: 1000,
    }
}

/// A unit whose queries took so long; query n has a path of n + 1. Four queries were wanted.
pub(super) fn unit(map: &str, planner: &str, times_us: &[f64]) -> Unit {
    let record = |(index, us): (usize, &f64)| QueryRecord {
        start: (index as u32, 0),
        goal: (index as u32, 1),
        shortest: Some(index as f64 + 1.0),
        published: false,
        length: Some(index as f64 + 1.0),
        cost: Some(1),
        excess_percent: Some(0.0),
        violation: None,
        expanded: 3,
        least_us: *us,
        most_us: us * 1.5,
    };
    Unit {
        key: "key".into(),
        build: "build".into(),
        processor: "processor".into(),
        measured_at: 0,
        set: "set".into(),
        map: map.into(),
        size: (20, 10),
        side: None,
        planner: planner.into(),
        wanted: 4,
        outcome: UnitOutcome::Measured(Measured {
            exact: true,
            promise: "optimal".into(),
            build_ms: 1.0,
            index_bytes: 400,
            scratch_bytes: 100,
            queries: times_us.iter().enumerate().map(record).collect(),
            worst: None,
            remark: None,
        }),
    }
}

/// A folder of a test's own, empty at first.
fn folder(name: &str) -> PathBuf {
    let folder =
        std::env::temp_dir().join(format!("highroad-report-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn plan(planners: &str, settings: Settings) -> Plan {
    let own = Subject::own()
        .into_iter()
        .filter(|subject| ["trap", "hills", "castle"].contains(&subject.name.as_str()));
    Plan {
        subjects: own.chain(Subject::growth(&[24, 48], settings.seed)).collect(),
        specs: planners.split(',').map(|spec| spec.parse::<Spec>().unwrap()).collect(),
        settings,
        circumstances: Circumstances::here("0", "abc", "rustc", "release"),
        any_build: false,
    }
}

/// Counts what is done, and says stop after some units by a panic, as a kill would.
#[derive(Default)]
struct Count {
    done: usize,
    missing: usize,
    entered: Vec<String>,
    passed: usize,
    stop_after: Option<usize>,
}

impl Watcher for Count {
    fn begins(&mut self, _steps: u64, done: usize, missing: usize) {
        (self.done, self.missing) = (done, missing);
    }

    fn enters(&mut self, what: &str) {
        self.entered.push(what.to_owned());
    }

    fn passes(&mut self, _steps: u64) {
        self.passed += 1;
        assert!(self.stop_after != Some(self.passed), "killed");
    }
}

/// What is the same in every run: all but times.
fn timeless(mut units: Vec<Unit>) -> Vec<Unit> {
    for unit in &mut units {
        unit.measured_at = 0;
        if let UnitOutcome::Measured(measured) = &mut unit.outcome {
            measured.build_ms = 0.0;
            for query in &mut measured.queries {
                (query.least_us, query.most_us) = (0.0, 0.0);
            }
        }
    }
    units
}

#[test]
fn a_run_that_was_killed_goes_on_where_it_was() {
    let out = folder("resume");
    let whole = run(
        &plan("astar,hpa,jps", settings()),
        &Store::open(&folder("whole")).unwrap(),
        &mut Count::default(),
    );
    let whole = whole.unwrap();
    assert_eq!(whole.len(), 9 * 3);

    let store = Store::open(&out).unwrap();
    let killed = std::panic::catch_unwind(|| {
        let mut count = Count { stop_after: Some(5), ..Count::default() };
        let _ = run(&plan("astar,hpa,jps", settings()), &Store::open(&out).unwrap(), &mut count);
    });
    assert!(killed.is_err());
    assert_eq!(store.count(), 5);
    let mut count = Count::default();
    let resumed = run(&plan("astar,hpa,jps", settings()), &store, &mut count).unwrap();
    assert_eq!((count.done, count.missing, count.passed), (5, 22, 22));
    assert!(timeless(resumed.clone()) == timeless(whole), "other units");

    // Nothing is measured again, not even times.
    let mut count = Count::default();
    let again = run(&plan("astar,hpa,jps", settings()), &store, &mut count).unwrap();
    assert!(again == resumed, "other units");
    assert_eq!((count.missing, count.entered.len()), (0, 0));

    // A torn file counts as none.
    let torn = std::fs::read_dir(out.join("units")).unwrap().next().unwrap().unwrap().path();
    std::fs::write(torn, "{").unwrap();
    let mut count = Count::default();
    run(&plan("astar,hpa,jps", settings()), &store, &mut count).unwrap();
    assert_eq!(count.missing, 1);
}

#[test]
fn units_of_other_settings_or_builds_are_not_mixed_in() {
    let out = folder("settings");
    let store = Store::open(&out).unwrap();
    run(&plan("astar", settings()), &store, &mut Count::default()).unwrap();
    let missing = |plan: &Plan| {
        let mut count = Count::default();
        run(plan, &store, &mut count).unwrap();
        count.missing
    };
    assert_eq!(missing(&plan("astar", settings())), 0);
    assert_eq!(missing(&plan("astar", Settings { passes: 4, ..settings() })), 9);
    assert_eq!(missing(&plan("astar", Settings { seed: 8, ..settings() })), 9);
    let mut other = plan("astar", settings());
    other.circumstances.build = "another".into();
    let other = Plan { any_build: true, ..other };
    assert_eq!(missing(&other), 0);
    let units = run(&other, &store, &mut Count::default()).unwrap();
    let mixed = Report::new(other, units, String::new());
    let facts = method::facts(&mixed);
    let by = facts.iter().find(|(name, _)| *name == "Measured by").expect("the page says so");
    assert!(by.1.starts_with("9 units by abc,"), "{by:?}");
    let mut other = plan("astar", settings());
    other.circumstances.build = "another".into();
    assert_eq!(missing(&other), 9);
}

#[test]
fn planners_take_turns_in_coming_first() {
    let mut count = Count::default();
    run(&plan("astar,greedy", settings()), &Store::open(&folder("turns")).unwrap(), &mut count)
        .unwrap();
    let first = |map: &str| {
        let on_map = |what: &&String| what.starts_with(map) && !what.ends_with("exact lengths");
        count.entered.iter().find(on_map).unwrap().clone()
    };
    let firsts = [first("built-in/castle"), first("built-in/trap"), first("built-in/hills")];
    assert!(firsts.iter().any(|first| first.ends_with("astar")), "{firsts:?}");
    assert!(firsts.iter().any(|first| first.ends_with("greedy")), "{firsts:?}");
}

fn report(planners: &str, name: &str) -> (Report, PathBuf) {
    let out = folder(name);
    let plan = plan(planners, settings());
    let units = run(&plan, &Store::open(&out).unwrap(), &mut Count::default()).unwrap();
    (Report::new(plan, units, "highroad report".into()), out)
}

#[test]
fn every_planner_of_the_catalog_is_told_of() {
    let entries = highroad::catalog::CATALOG.iter().filter(|entry| entry.grid.is_some());
    let all: Vec<&str> = entries.map(|entry| entry.name).collect();
    let (report, out) = report(&all.join(","), "all");
    assert_eq!(method::violations(&report), Vec::<String>::new());
    let files = report.write(&out).unwrap();
    let html = std::fs::read_to_string(&files[0]).unwrap();
    assert_eq!(html::fault(&html), None);
    for planner in &all {
        assert!(html.contains(&format!(">{planner}<")), "{planner} is missing");
    }
    // Nothing is loaded from anywhere: neither by tags nor by the style sheet.
    for loads in ["http:", "https:", "src=", "url(", "@import", "<script", "<link"] {
        assert!(!html.contains(loads), "{loads}");
    }
    assert!(html.contains("does not serve"), "hills are weighted, which jps does not serve");
    assert!(html.contains("jps ◐ 2/3"), "its times are not those of all three maps");
    assert!(html.contains("class=\"found\""), "greedy search has a worst path on the trap");
    let markdown = std::fs::read_to_string(&files[1]).unwrap();
    assert!(
        markdown.contains("| hpa |") && markdown.contains("## built-in (3 maps)"),
        "{markdown}"
    );
    assert!(!report.absences().is_empty());
}

/// The fields of a row, by the rules of RFC 4180.
fn fields(row: &str) -> Vec<String> {
    let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut letters = row.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => field.push(letters.next().unwrap()),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            _ => field.push(letter),
        }
    }
    fields.push(field);
    fields
}

#[test]
fn rows_of_values_can_be_read_back() {
    let (report, _) = report("astar,weighted-astar:weight=2:heuristic=manhattan,jps", "csv");
    let queries = csv::queries(&report);
    let rows: Vec<Vec<String>> = queries.lines().map(fields).collect();
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    let measured = report.units.iter().filter_map(Unit::measured);
    assert_eq!(rows.len() - 1, measured.map(|measured| measured.queries.len()).sum::<usize>());
    let column = |name: &str| rows[0].iter().position(|head| head == name).unwrap();
    for row in &rows[1..] {
        let number = |name: &str| row[column(name)].parse::<f64>();
        assert!(number("least_us").unwrap() <= number("most_us").unwrap(), "{row:?}");
        if let (Ok(length), Ok(shortest)) = (number("length"), number("shortest_length")) {
            let weighted = row[column("map")] == "hills";
            assert!(weighted || length >= shortest - 1e-6, "{row:?}");
        }
    }
    let summary = csv::summary(&report);
    let rows: Vec<Vec<String>> = summary.lines().map(fields).collect();
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{summary}");
    assert!(rows.iter().any(|row| row[0] == "all sets" && row[3] == "astar"));
    let why = rows.iter().find(|row| row[2] == "hills" && row[3] == "jps").unwrap();
    assert!(!why.last().unwrap().is_empty(), "{why:?}");
}

#[test]
fn odd_names_are_shown_as_they_are_and_break_nothing() {
    let (mut report, out) = report("astar,greedy", "odd");
    for (subject, unit) in report.subjects.iter_mut().zip(0..) {
        let odd = format!("<b>&\"{unit}\", ‘x’|*");
        for unit in report.units.iter_mut().filter(|unit| {
            (&unit.set, &unit.map, unit.side) == (&subject.set, &subject.name, subject.side)
        }) {
            unit.map = odd.clone();
        }
        subject.name = odd;
    }
    let files = report.write(&out).unwrap();
    let html = std::fs::read_to_string(&files[0]).unwrap();
    assert_eq!(html::fault(&html), None);
    assert!(html.contains("&lt;b&gt;&amp;&quot;0&quot;") && !html.contains("<b>&\"0"));
    let rows: Vec<Vec<String>> = csv::queries(&report).lines().map(fields).collect();
    assert_eq!(rows[1][1], "<b>&\"0\", ‘x’|*");
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
}

#[test]
fn a_planner_that_is_too_slow_is_asked_less_and_says_so() {
    let out = folder("slow");
    let settings = Settings { unit_seconds: 0, queries: Queries::Spread(30), ..settings() };
    let plan = plan("astar,dijkstra", settings);
    let units = run(&plan, &Store::open(&out).unwrap(), &mut Count::default()).unwrap();
    let castle = units.iter().find(|unit| unit.map == "castle").unwrap();
    assert!(castle.is_cut());
    assert_eq!(castle.measured().unwrap().queries.len(), QUERIES_MIN);
    let report = Report::new(plan, units, String::new());
    let (what, maps) = &method::left_out(&report)[0];
    assert!(what.starts_with("✂ astar had no time"), "{what}");
    assert!(maps.contains(&"built-in/castle (3 of 30)".to_owned()), "{maps:?}");
}

#[test]
fn what_a_planner_says_of_itself_is_told_once_for_all_maps() {
    let mut units = [unit("a", "astar", &[1.0]), unit("b", "astar", &[1.0])];
    for unit in &mut units {
        if let UnitOutcome::Measured(measured) = &mut unit.outcome {
            measured.remark = Some("another answers".to_owned());
        }
    }
    let report = Report::new(plan("astar", settings()), units.to_vec(), String::new());
    let shown = method::left_out(&report);
    let expected = ("astar: another answers".to_owned(), vec!["set/a".into(), "set/b".into()]);
    assert!(shown.contains(&expected), "{shown:?}");
}

#[test]
fn what_would_take_too_much_is_not_built_and_says_why() {
    let out = folder("much");
    let settings = Settings { build_seconds: 0, ..settings() };
    let units =
        run(&plan("ch", settings), &Store::open(&out).unwrap(), &mut Count::default()).unwrap();
    let caves: Vec<&Unit> = units.iter().filter(|unit| unit.set == "caves").collect();
    assert!(caves[0].measured().is_some(), "there is nothing to judge the first by");
    let UnitOutcome::NotBuilt(reason) = &caves[1].outcome else { panic!("{:?}", caves[1].outcome) };
    assert!(reason.starts_with("judging by 24 × 24 it would take"), "{reason}");
}

#[test]
fn planners_of_graphs_are_refused_before_anything_is_measured() {
    let mut count = Count::default();
    let store = Store::open(&folder("graphs")).unwrap();
    let error = run(&plan("astar,regions", settings()), &store, &mut count).unwrap_err();
    assert!(error.to_string().contains("regions does not serve this map: it is for"), "{error}");
    assert_eq!(count.entered.len(), 0);
}
