//! The page: what stands where.

use super::circumstances::date;
use super::growth::Grown;
use super::guide::{GUIDE, LINK};
use super::html::{anchor, details, escape, figure, page, section, table};
use super::method;
use super::model::Report;
use super::table::{WORST_CASES_LEAD, partial_note, percent};
use super::unit::Unit;
use super::worst::draw;
use crate::table::whole;
use std::fmt::Write;

/// The whole page.
pub(super) fn html(report: &Report) -> String {
    let mut main = head(report);
    main += &section("at-a-glance", "At a glance", &glance(report));
    main += &section("how-to-read", "How to read this", &guide());
    for set in report.sets() {
        main += &section(&format!("set {set}"), set, &set_content(report, set));
    }
    if !report.growth_kinds().is_empty() {
        main += &section("growth", "Growth with the size of the map", &growth(report));
    }
    if !report.worst_cases.is_empty() {
        main += &section("worst-cases", "Worst cases", &worst_cases(report));
    }
    main += &section("method", "How this was measured", &method_content(report));
    page("Highroad, measured", &contents(report), &main)
}

fn contents(report: &Report) -> String {
    let mut text = String::from("<b>Highroad, measured</b><ol>");
    let mut link = |id: &str, name: &str, class: &str| {
        _ = write!(
            text,
            "<li class=\"{class}\"><a href=\"#{}\">{}</a></li>",
            anchor(id),
            escape(name)
        );
    };
    link("at-a-glance", "At a glance", "");
    link("how-to-read", "How to read this", "");
    for set in report.sets() {
        link(&format!("set {set}"), set, "set");
    }
    if !report.growth_kinds().is_empty() {
        link("growth", "Growth with map size", "");
    }
    if !report.worst_cases.is_empty() {
        link("worst-cases", "Worst cases", "");
    }
    link("method", "How this was measured", "");
    text + "</ol>"
}

fn head(report: &Report) -> String {
    let sets = report.sets();
    let maps: usize = sets.iter().map(|set| report.maps(set).len()).sum();
    let asked: usize =
        report.units.iter().filter_map(Unit::measured).map(|measured| measured.queries.len()).sum();
    let by = match &report.builds()[..] {
        [_] => {
            let unit = &report.units[0];
            format!("on {}, by Highroad at commit {}", unit.processor, short_commit(&unit.build))
        }
        _ => "by several builds or on several machines, named at the end".to_owned(),
    };
    let lead = format!(
        "{} on {} in {}: {} answers, each checked and timed {} times. Measured {} {by}.",
        counted(report.planners.len(), "planner"),
        counted(maps, "map"),
        counted(sets.len(), "set"),
        whole(asked as u64),
        report.settings.passes,
        date(report.measured_between().1),
    );
    let mut text =
        format!("<header><h1>Highroad, measured</h1><p class=\"lead\">{}</p>", escape(&lead));
    let violations = method::violations(report);
    if !violations.is_empty() {
        _ = write!(
            text,
            "<p class=\"alarm\">{} wrong, or break{} what the planner promises: see <a href=\"#method\">how this was \
             measured</a>.</p>",
            if violations.len() == 1 { "One answer is" } else { "Some answers are" },
            if violations.len() == 1 { "s" } else { "" }
        );
    }
    text + "</header>"
}

/// `1 map`, `2 maps`.
pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{} {what}{}", whole(count as u64), if count == 1 { "" } else { "s" })
}

pub(super) fn short_commit(commit: &str) -> String {
    let (hash, rest) = commit.split_at_checked(10).unwrap_or((commit, ""));
    let changes = if rest.contains("+changes") { " with changes" } else { "" };
    format!("{hash}{changes}")
}

fn paragraph(text: &str) -> String {
    format!("<p>{}</p>", escape(text))
}

fn worst_cases(report: &Report) -> String {
    paragraph(WORST_CASES_LEAD) + &table(&report.worst_case_rows())
}

fn glance(report: &Report) -> String {
    let summaries = report.summaries(&report.of_sets());
    let baseline = report.baseline();
    let mut text = paragraph(&format!(
        "Speeds are ratios to {baseline}, query by query, so that planners measured on different maps can stand in \
         one table; half of the queries are faster than the median says, half slower, and eight in ten lie in the \
         range beside it. Every map counts the same. Times in microseconds stand with each set below."
    ));
    text += &table(&report.overview());
    text += "<div class=\"plots\">";
    text += &figure(
        "Speed against quality.",
        "Higher is faster, further left is better; exact planners stand at 0. The line joins those that no other \
         beats in both.",
        &report.plot_speed_quality(&summaries),
    );
    text += &figure(
        "Speed against memory.",
        "What speed is paid for with: bytes of index for each cell. Planners that search the map as it is stand \
         at 0.",
        &report.plot_speed_memory(&summaries),
    );
    text + "</div>"
}

fn guide() -> String {
    let mut text = String::from("<ul class=\"guide\">");
    for (head, shown) in GUIDE {
        _ = write!(text, "<li><b>{}</b> {}</li>", escape(head), escape(shown));
    }
    text + "</ul>" + &paragraph(LINK)
}

fn set_content(report: &Report, set: &str) -> String {
    let units = report.of_set(set);
    let summaries = report.summaries(&units);
    let mut text = paragraph(&set_intro(report, set, &units));
    text += &table(&report.planners_on(&units));
    if report.is_partial(&units) {
        text += &paragraph(&partial_note(report.baseline()));
    }
    text += "<div class=\"plots\">";
    text += &figure(
        "Time against path length.",
        "Queries gathered by the length of their shortest path; a point is the median of at least three.",
        &report.plot_lengths(&units),
    );
    text += &figure(
        "Time against quality.",
        "Means over the set. The line joins those that no other beats in both.",
        &report.plot_time_quality(&summaries),
    );
    text += &figure(
        "Distribution of times.",
        "The thin line holds 98 in a hundred queries, the box the middle half; the bar is the median, the dot the \
         mean.",
        &report.plot_times(&summaries),
    );
    if let Some(plot) = report.plot_quality(&summaries) {
        text += &figure(
            "Quality of paths.",
            "How many paths of the planners that are not exact cost how much more than the cheapest.",
            &plot,
        );
    }
    text += "</div>";
    text += &worst_queries(report, &units);
    text += &maps(report, set, &units);
    text
}

fn set_intro(report: &Report, set: &str, units: &[&Unit]) -> String {
    let sizes = || units.iter().map(|unit| (unit.cells(), unit.size));
    let (least, most) = (sizes().min().unwrap_or_default().1, sizes().max().unwrap_or_default().1);
    let size = if least == most {
        format!("of {} × {} cells", least.0, least.1)
    } else {
        format!("from {} × {} to {} × {} cells", least.0, least.1, most.0, most.1)
    };
    let queries = || units.iter().filter_map(|unit| unit.measured()).flat_map(|m| &m.queries);
    let published = queries().filter(|query| query.published).count();
    let compared = match (published, queries().count()) {
        (0, _) => "Paths are held against an exact search (A*) of the same run.",
        (published, all) if published == all => {
            "Paths are held against the optimal lengths that the scenarios publish."
        }
        _ => {
            "Paths are held against the optimal lengths that scenarios publish, and where there are none against \
             an exact search (A*)."
        }
    };
    format!("{} {size}. {compared}", counted(report.maps(set).len(), "map"))
}

/// The worst path of every planner that is not exact, drawn.
fn worst_queries(report: &Report, units: &[&Unit]) -> String {
    let mut pictures = String::new();
    for planner in &report.planners {
        let Some((unit, excess)) = report.worst(units, planner) else { continue };
        let Some(subject) = report.subjects.iter().find(|subject| {
            subject.side.is_none() && (&subject.set, &subject.name) == (&unit.set, &unit.map)
        }) else {
            continue;
        };
        let Some(workload) = subject.load(&report.settings).ok() else { continue };
        let Some(picture) = draw(unit, &workload.environment) else { continue };
        let record = unit.measured().and_then(|m| m.queries.get(m.worst.as_ref()?.query));
        let ends = record.map_or(String::new(), |record| {
            format!(
                "from {},{} to {},{}",
                record.start.0, record.start.1, record.goal.0, record.goal.1
            )
        });
        let thinned = match unit.measured().and_then(|measured| measured.worst.as_ref()) {
            Some(worst) if worst.thinned => " Drawn in part: it has too many turns.",
            _ => "",
        };
        let shown =
            format!("{} above the cheapest: {}, {ends}.{thinned}", percent(excess), unit.map);
        pictures += &figure(planner, &shown, &picture);
    }
    if pictures.is_empty() {
        return String::new();
    }
    format!(
        "<h3>Worst paths</h3><p>The path that each planner found where it did worst in this set \
         <span class=\"key found\">found</span>, and an optimal one <span class=\"key optimal\">optimal</span>; \
         <span class=\"key start\">start</span> <span class=\"key goal\">goal</span>.</p>\
         <div class=\"worst\">{pictures}</div>"
    )
}

fn maps(report: &Report, set: &str, units: &[&Unit]) -> String {
    let mut each = String::new();
    let maps = report.maps(set);
    for map in &maps {
        let on_map: Vec<&Unit> = units.iter().copied().filter(|unit| unit.map == *map).collect();
        let (width, height) = on_map.first().map_or((0, 0), |unit| unit.size);
        let mut content = table(&report.planners_on(&on_map));
        let recipe = report
            .subjects
            .iter()
            .find(|subject| subject.set == set && subject.name == *map)
            .and_then(super::Subject::recipe);
        if let Some(recipe) = recipe {
            content += &format!("<p>Recipe: <code>{}</code></p>", escape(&recipe));
        }
        each += &details(&format!("{map}, {width} × {height}"), &content);
    }
    format!(
        "<h3>Maps</h3>{}{}",
        details("Median time of a query, map by map", &table(&report.maps_by_planner(set))),
        details(
            &format!("Everything, map by map ({})", counted(maps.len(), "map")),
            &format!("<div class=\"nested\">{each}</div>")
        )
    )
}

fn growth(report: &Report) -> String {
    let mut text = paragraph(
        "The same kind of map in several sizes, with queries between places that lie alike on all of them: on a map \
         twice as wide they are about twice as far apart. Times are means over the queries that a planner was asked on \
         every size. An exponent of 1 means in proportion to the number of cells, 0.5 to the side of the map; it is \
         fitted by least squares on logarithms, and R² shows how well it fits (from three sizes on). Few points: they \
         describe the sizes measured and promise nothing beyond.",
    );
    for kind in report.growth_kinds() {
        _ = write!(text, "<h3>{}</h3>", escape(kind));
        let recipe =
            report.subjects.iter().find(|subject| subject.side.is_some() && subject.set == kind);
        if let Some(recipe) = recipe.and_then(super::Subject::recipe) {
            _ = write!(text, "<p>Recipe of the smallest: <code>{}</code></p>", escape(&recipe));
        }
        text += &table(&report.growth(kind));
        text += "<div class=\"plots\">";
        for grown in Grown::ALL {
            text += &figure(
                &format!("{}, {kind}.", capital(grown.name())),
                "",
                &report.plot_growth(kind, grown),
            );
        }
        text += "</div>";
    }
    text
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn method_content(report: &Report) -> String {
    let mut text = String::from("<dl>");
    for (name, shown) in method::facts(report) {
        _ = write!(text, "<dt>{}</dt><dd>{}</dd>", escape(name), escape(&shown));
    }
    text += "</dl><h3>How times were taken</h3>";
    for shown in method::timing(report) {
        text += &paragraph(&shown);
    }
    text += "<h3>What was left out</h3>";
    text += &paragraph(&method::limits(report));
    let left_out = method::left_out(report);
    if left_out.is_empty() {
        text += &paragraph("Nothing: every planner was asked every query on every map.");
    }
    for (what, maps) in left_out {
        text += &details(&what, &paragraph(&maps.join(", ")));
    }
    let violations = method::violations(report);
    text += "<h3>Answers that are wrong</h3>";
    if violations.is_empty() {
        text += &paragraph(
            "None: every path leads step by step from start to goal, was found exactly when there is one, and keeps \
             its planner's promise.",
        );
    } else {
        text += "<ul>";
        for violation in violations.iter().take(method::VIOLATIONS_SHOWN) {
            _ = write!(text, "<li>{}</li>", escape(violation));
        }
        text += "</ul>";
        text += &paragraph(&format!("{} in all.", counted(violations.len(), "answer")));
    }
    text
}
