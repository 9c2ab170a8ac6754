//! A report as data: units, and how they belong together.

use super::circumstances::Circumstances;
use super::settings::Settings;
use super::statistics::Summary;
use super::subject::Subject;
use super::unit::{Unit, UnitOutcome};
use crate::worst::WorstRow;

/// Everything that a report shows.
pub struct Report {
    /// How it was measured.
    pub settings: Settings,
    /// On what, by what.
    pub circumstances: Circumstances,
    /// The maps.
    pub subjects: Vec<Subject>,
    /// The planners, as asked for.
    pub planners: Vec<String>,
    /// Every planner on every map.
    pub units: Vec<Unit>,
    /// What planners and ticks take where things go badly, if that was measured.
    pub worst_cases: Vec<WorstRow>,
    /// The command that makes it again.
    pub command: String,
}

/// A planner that is missing on some maps for one reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Absence {
    /// The planner.
    pub planner: String,
    /// Why.
    pub reason: String,
    /// Whether it is too slow or too large, rather than not for such maps.
    pub too_much: bool,
    /// Where: set and map.
    pub maps: Vec<String>,
}

impl Report {
    /// The planner that others are compared with: A* where it is among them, else the first.
    pub fn baseline(&self) -> &str {
        let astar = self.planners.iter().find(|planner| *planner == "astar");
        astar.or(self.planners.first()).map_or("", String::as_str)
    }

    /// Which of the planners it is.
    pub fn number(&self, planner: &str) -> usize {
        self.planners.iter().position(|known| known == planner).unwrap_or(0)
    }

    /// The sets of maps, growth aside, in their order.
    pub fn sets(&self) -> Vec<&str> {
        self.titles(|subject| subject.side.is_none())
    }

    /// The kinds of maps on which growth was measured.
    pub fn growth_kinds(&self) -> Vec<&str> {
        self.titles(|subject| subject.side.is_some())
    }

    fn titles(&self, wanted: impl Fn(&Subject) -> bool) -> Vec<&str> {
        let mut sets: Vec<&str> = Vec::new();
        for subject in self.subjects.iter().filter(|subject| wanted(subject)) {
            if !sets.contains(&subject.set.as_str()) {
                sets.push(&subject.set);
            }
        }
        sets
    }

    /// The maps of a set, in their order.
    pub fn maps(&self, set: &str) -> Vec<&str> {
        let in_set = |subject: &&Subject| subject.set == set && subject.side.is_none();
        self.subjects.iter().filter(in_set).map(|subject| subject.name.as_str()).collect()
    }

    /// The units of the maps of sets, growth aside.
    pub fn of_sets(&self) -> Vec<&Unit> {
        self.units.iter().filter(|unit| unit.side.is_none()).collect()
    }

    /// The units of a set.
    pub fn of_set(&self, set: &str) -> Vec<&Unit> {
        self.of_sets().into_iter().filter(|unit| unit.set == set).collect()
    }

    /// The units of a kind of maps on which growth was measured.
    pub fn of_growth(&self, kind: &str) -> Vec<&Unit> {
        self.units.iter().filter(|unit| unit.side.is_some() && unit.set == kind).collect()
    }

    /// One summary a planner that was measured in some units, in the order of planners.
    pub fn summaries<'s>(&'s self, units: &[&'s Unit]) -> Vec<Summary> {
        let baseline = self.baseline();
        let baseline_of = |unit: &Unit| {
            self.units.iter().find(|other| {
                other.planner == baseline
                    && (&other.set, &other.map, other.side) == (&unit.set, &unit.map, unit.side)
            })
        };
        let of_planner = |planner: &String| {
            Summary::of(units.iter().copied().filter(|unit| unit.planner == *planner), baseline_of)
        };
        self.planners.iter().filter_map(of_planner).collect()
    }

    /// Every planner that was not measured somewhere, reason by reason.
    pub fn absences(&self) -> Vec<Absence> {
        let mut absences: Vec<Absence> = Vec::new();
        for unit in &self.units {
            let (reason, too_much) = match &unit.outcome {
                UnitOutcome::NotServed(reason) => (reason, false),
                UnitOutcome::NotBuilt(reason) => (reason, true),
                UnitOutcome::Measured(_) => continue,
            };
            let title = format!("{}/{}", unit.set, unit.map);
            let same = |absence: &&mut Absence| {
                absence.planner == unit.planner && absence.reason == *reason
            };
            match absences.iter_mut().find(same) {
                Some(absence) => absence.maps.push(title),
                None => absences.push(Absence {
                    planner: unit.planner.clone(),
                    reason: reason.clone(),
                    too_much,
                    maps: vec![title],
                }),
            }
        }
        absences.sort_by_key(|absence| self.number(&absence.planner));
        absences
    }

    /// The unit of a planner with the worst path among some units.
    pub fn worst<'u>(&self, units: &[&'u Unit], planner: &str) -> Option<(&'u Unit, f64)> {
        let of_planner = units.iter().filter(|unit| unit.planner == planner);
        let worst = of_planner.filter_map(|unit| Some((*unit, worst_percent(unit)?)));
        worst.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The builds that have measured, each with how many units.
    pub fn builds(&self) -> Vec<(String, usize)> {
        let mut builds: Vec<(String, usize)> = Vec::new();
        for unit in &self.units {
            let name = format!("{}, {}", unit.build, unit.processor);
            match builds.iter_mut().find(|(known, _)| *known == name) {
                Some((_, count)) => *count += 1,
                None => builds.push((name, 1)),
            }
        }
        builds
    }

    /// Whether all was measured by the program that writes this, on this processor.
    pub fn measured_here(&self) -> bool {
        let here = (&self.circumstances.build, &self.circumstances.processor);
        self.units.iter().all(|unit| (&unit.build, &unit.processor) == here)
    }

    /// Every answer that is wrong or breaks its planner's promise, in words.
    pub fn violations(&self) -> Vec<String> {
        super::method::violations(self)
    }

    /// When the first and the last unit was measured, in seconds since 1970.
    pub fn measured_between(&self) -> (u64, u64) {
        let times = || self.units.iter().map(|unit| unit.measured_at);
        (times().min().unwrap_or(0), times().max().unwrap_or(0))
    }
}

fn worst_percent(unit: &Unit) -> Option<f64> {
    let measured = unit.measured()?;
    let worst = measured.worst.as_ref()?;
    measured.queries.get(worst.query)?.excess_percent
}
