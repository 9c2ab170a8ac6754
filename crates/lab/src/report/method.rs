//! How a report came about, in words.

use super::circumstances::date;
use super::model::Report;
use super::settings::QUERIES_MIN;
use crate::table::{bytes, whole};
use crate::workload::Sample;

/// Wrong answers reported one by one.
pub(super) const VIOLATIONS_SHOWN: usize = 20;

/// Machine, versions, seeds.
pub(super) fn facts(report: &Report) -> Vec<(&'static str, String)> {
    let here = &report.circumstances;
    let memory = here.memory_bytes.map_or("unknown".to_owned(), |count| bytes(count as usize));
    let (first, last) = report.measured_between();
    let settings = &report.settings;
    let mut facts = vec![
        (
            "Processor",
            format!("{}, {} threads, of which one was used", here.processor, here.threads),
        ),
        ("Memory", memory),
        ("System", here.system.clone()),
        (
            "Program",
            format!("Highroad {}, {} build, {}", here.version, here.profile, here.compiler),
        ),
        ("Commit", here.commit.clone()),
        ("Measured", format!("from {} to {}", date(first), date(last))),
        ("Command", report.command.clone()),
        ("Seed", settings.seed.to_string()),
        (
            "Movement",
            format!(
                "{}; straight and diagonal steps cost {} and {}",
                settings.rule.name(),
                settings.steps.straight(),
                settings.steps.diagonal()
            ),
        ),
    ];
    if !report.measured_here() {
        let each: Vec<String> = report
            .builds()
            .iter()
            .map(|(build, count)| format!("{} by {build}", super::page::counted(*count, "unit")))
            .collect();
        let shown = "not by the program above, which only wrote this page (--any-build)";
        facts.push(("Measured by", format!("{}: {shown}", each.join("; "))));
    }
    facts
}

/// How times were taken.
pub(super) fn timing(report: &Report) -> Vec<String> {
    let settings = &report.settings;
    let sample = match settings.queries {
        Sample::All => "every query of its scenario".to_owned(),
        Sample::Spread(count) => {
            format!("{count} queries, spread evenly over its scenario, or all where it has fewer")
        }
    };
    let spread: Vec<String> = report
        .summaries(&report.of_sets())
        .iter()
        .map(|summary| format!("{} {:.0} %", summary.planner, summary.spread_percent.quantile(0.5)))
        .collect();
    vec![
        format!(
            "A time is that of the whole answer: search, and the path as a list of cells. One thread; nothing else \
             is measured at the same time. Each planner is built once for a map (the build time is that one). Then \
             every query is asked once unmeasured, which warms caches and gives the answer that is checked, and in \
             {} measured passes over all queries. The smallest time of a query counts: what disturbs a measurement \
             only ever makes it longer.",
            settings.passes
        ),
        format!(
            "By how much the slowest pass of a query lies above the quickest, its spread, shows how quiet the machine \
             was. Medians: {}.",
            spread.join(", ")
        ),
        format!(
            "A map is asked {sample}; between random places (seed {}) where there is none. All planners of a map get \
             the same queries in the same seeded order. Planners take turns in coming first.",
            settings.seed
        ),
        "Memory is what the planner holds for the map (its index) and the memory that its searches run in, without \
         the map itself."
            .to_owned(),
    ]
}

/// The rule by which planners get less time than they want.
pub(super) fn limits(report: &Report) -> String {
    let settings = &report.settings;
    format!(
        "A planner gets {} s for its queries on a map. Where that is not enough it is asked fewer of them, the first \
         of the seeded order, which are an even sample too, but never fewer than {QUERIES_MIN}. What would take more \
         than {} s to build or more than {} MB, judging by what it took for each cell of other maps of the set, is \
         not built.",
        settings.unit_seconds, settings.build_seconds, settings.memory_megabytes
    )
}

/// What was left out: what and why, and where.
pub(super) fn left_out(report: &Report) -> Vec<(String, Vec<String>)> {
    let mut shown = Vec::new();
    for planner in &report.planners {
        let cut = report.units.iter().filter(|unit| unit.planner == *planner && unit.is_cut());
        let maps: Vec<String> = cut
            .map(|unit| {
                let asked = unit.measured().map_or(0, |measured| measured.queries.len());
                format!("{}/{} ({asked} of {})", unit.set, unit.map, unit.wanted)
            })
            .collect();
        if !maps.is_empty() {
            let count = super::page::counted(maps.len(), "map");
            shown.push((format!("✂ {planner} had no time for all queries on {count}"), maps));
        }
    }
    for unit in &report.units {
        let Some(remark) = unit.measured().and_then(|measured| measured.remark.as_ref()) else {
            continue;
        };
        let (what, map) =
            (format!("{}: {remark}", unit.planner), format!("{}/{}", unit.set, unit.map));
        match shown.iter_mut().find(|(known, _)| *known == what) {
            Some((_, maps)) => maps.push(map),
            None => shown.push((what, vec![map])),
        }
    }
    for absence in report.absences() {
        let what = if absence.too_much { "was not built for" } else { "does not serve" };
        let count = super::page::counted(absence.maps.len(), "map");
        let reason = absence.reason.trim_end_matches('.');
        shown.push((format!("{} {what} {count}: {reason}", absence.planner), absence.maps));
    }
    shown
}

/// Every answer that is wrong or breaks a promise.
pub(super) fn violations(report: &Report) -> Vec<String> {
    let mut violations = Vec::new();
    for unit in &report.units {
        for query in unit.measured().into_iter().flat_map(|measured| &measured.queries) {
            if let Some(problem) = &query.violation {
                violations.push(format!(
                    "{}/{}, {}, {},{} to {},{}: {problem}",
                    unit.set,
                    unit.map,
                    unit.planner,
                    query.start.0,
                    query.start.1,
                    query.goal.0,
                    query.goal.1
                ));
            }
        }
    }
    violations
}

/// How many answers were checked.
pub(super) fn checked(report: &Report) -> String {
    let all = report.units.iter().filter_map(|unit| unit.measured());
    whole(all.map(|measured| measured.queries.len() as u64).sum())
}
