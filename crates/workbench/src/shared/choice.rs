//! A planner and its options, as the user chooses them: read from the catalog, whatever it holds.

use crate::teach::planners_of_cells;
use highroad::catalog::{CATALOG, Spec, SpecError};
use highroad::planner::{CatalogEntry, OptionInfo, OptionValues};

/// The planner chosen, and its options.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannerChoice {
    entry: usize,
    values: OptionValues,
}

impl Default for PlannerChoice {
    /// The first planner of grids that has an abstraction to show and follows edits, or whatever there is.
    fn default() -> Self {
        let shows = |entry: &&CatalogEntry| {
            entry.grid.is_some() && entry.follows_edits && !entry.traces_places
        };
        Self::new(CATALOG.iter().position(shows).unwrap_or(0))
    }
}

impl PlannerChoice {
    /// The catalog's entry of that number, with its usual options.
    pub fn new(entry: usize) -> Self {
        let entry = entry.min(CATALOG.len() - 1);
        Self { entry, values: OptionValues::usual(CATALOG[entry].options) }
    }

    /// A planner of the catalog with its usual options, whatever it works on.
    pub fn of_entry(entry: &CatalogEntry) -> Self {
        Self::new(CATALOG.iter().position(|other| other.name == entry.name).unwrap_or_default())
    }

    /// The planner of that name, with its usual options; `None` if none of that name works on cells.
    pub fn of(name: &str) -> Option<Self> {
        planners_of_cells().find(|entry| entry.name == name)?;
        CATALOG.iter().position(|entry| entry.name == name).map(Self::new)
    }

    /// The planner and options that a text names, such as `hpa:cluster=16`.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let spec: Spec = text.parse()?;
        let planner = spec.entry().name;
        let not_served = || SpecError::NotServed { planner, reason: "it is for meshes".to_owned() };
        let mut choice = Self::of(planner).ok_or_else(not_served)?;
        choice.values = spec.values().clone();
        Ok(choice)
    }

    /// The catalog's entry.
    pub fn entry(&self) -> &'static CatalogEntry {
        CATALOG[self.entry]
    }

    /// Its options and their values.
    pub fn options(&self) -> impl Iterator<Item = (&'static OptionInfo, &str)> {
        self.values.iter()
    }

    /// Sets an option to its usual value.
    pub fn reset(&mut self, name: &str) {
        if let Some(option) = self.entry().option(name) {
            self.values.set(name, option.default);
        }
    }

    /// Sets an option, if it takes that value.
    pub fn set(&mut self, name: &str, value: &str) {
        self.values.set(name, value);
    }

    /// As the command line writes it: only what is not usual.
    pub fn text(&self) -> String {
        let mut text = self.entry().name.to_owned();
        for (option, value) in self.options().filter(|(option, value)| option.default != *value) {
            text.push_str(&format!(":{}={value}", option.name));
        }
        text
    }

    /// As the catalog reads it.
    pub fn spec(&self) -> Result<Spec, SpecError> {
        self.text().parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_planner_can_be_chosen_with_its_usual_options() {
        for (index, entry) in CATALOG.iter().enumerate() {
            let choice = PlannerChoice::new(index);
            assert_eq!(choice.text(), entry.name);
            assert!(choice.options().all(|(option, value)| option.kind.takes(value)));
        }
        assert_eq!(PlannerChoice::default().entry().name, "hpa");
    }

    #[test]
    fn a_choice_can_be_written_and_read() {
        let mut choice = PlannerChoice::of("weighted-astar").unwrap();
        choice.set("weight", "2.5");
        choice.set("weight", "heavy");
        choice.set("no such option", "1");
        assert_eq!(choice.text(), "weighted-astar:weight=2.5");
        assert_eq!(PlannerChoice::parse(&choice.text()).unwrap(), choice);
        assert!(PlannerChoice::parse("best").is_err());
        for entry in CATALOG {
            let works = entry.grid.is_some() || entry.graph.is_some();
            assert_eq!(PlannerChoice::parse(entry.name).is_ok(), works, "{}", entry.name);
        }
    }
}
