//! A planner and its options, as the user chooses them: read from the catalog, whatever it holds.

use highroad::{CATALOG, CatalogEntry, Grid, GridMap, OptionHelp, Spec, SpecError, Terrain};

/// The planner chosen, and its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannerChoice {
    entry: usize,
    /// Each option's value, as text, in the catalog's order.
    values: Vec<String>,
}

/// What an option can be.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionForm {
    /// Words to choose from.
    pub words: Vec<&'static str>,
    /// Numbers from the one to the other.
    pub range: Option<(f64, f64)>,
    /// Whether fractions are taken.
    pub fractions: bool,
}

impl Default for PlannerChoice {
    /// HPA*, or whatever there is.
    fn default() -> Self {
        Self::of("hpa").unwrap_or_else(|| Self::new(0))
    }
}

impl PlannerChoice {
    /// The catalog's entry of that number, with its usual options.
    pub fn new(entry: usize) -> Self {
        let entry = entry.min(CATALOG.len() - 1);
        let values = CATALOG[entry].options.iter().map(|option| option.default.to_owned());
        Self { entry, values: values.collect() }
    }

    /// The planner of that name, with its usual options.
    pub fn of(name: &str) -> Option<Self> {
        CATALOG.iter().position(|entry| entry.name == name).map(Self::new)
    }

    /// The planner and options that a text names, such as `hpa:cluster=16`.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let spec: Spec = text.parse()?;
        let mut choice = Self::of(spec.entry().name).unwrap_or_default();
        for part in text.split(':').skip(1) {
            if let Some((name, value)) = part.split_once('=') {
                choice.set(name, value);
            }
        }
        Ok(choice)
    }

    /// The catalog's entry.
    pub fn entry(&self) -> &'static CatalogEntry {
        &CATALOG[self.entry]
    }

    /// Its options and their values.
    pub fn options(&self) -> impl Iterator<Item = (&'static OptionHelp, &str)> {
        self.entry().options.iter().zip(self.values.iter().map(String::as_str))
    }

    /// Sets an option.
    pub fn set(&mut self, name: &str, value: &str) {
        let index = self.entry().options.iter().position(|option| option.name == name);
        if let Some(slot) = index.and_then(|index| self.values.get_mut(index)) {
            value.clone_into(slot);
        }
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

    /// What an option can be, from the catalog's words for it.
    pub fn form(&self, option: &'static OptionHelp) -> OptionForm {
        let mut form = OptionForm { words: Vec::new(), range: None, fractions: false };
        for part in option.values.split(", ").flat_map(|part| part.split(" or ")) {
            match read_range(part) {
                Some(range) => form.range = Some(range),
                None => form.words.push(part),
            }
        }
        if let Some((low, high)) = form.range {
            form.fractions = self.takes(option, &((low + high.min(low + 1.0)) / 2.0).to_string());
        }
        form
    }

    /// Whether the planner can be made with that value, on the smallest map.
    fn takes(&self, option: &'static OptionHelp, value: &str) -> bool {
        let text = format!("{}:{}={value}", self.entry().name, option.name);
        let grid = GridMap::filled(4, 4, Terrain::GROUND).map(Grid::with_defaults);
        match (text.parse::<Spec>(), grid) {
            (Ok(spec), Ok(grid)) => spec.build(&grid).is_ok(),
            _ => false,
        }
    }
}

/// `4 to 64`, or `a number from 1 to 64`.
fn read_range(text: &str) -> Option<(f64, f64)> {
    let (low, high) = text.split_once(" to ")?;
    let low = low.rsplit(' ').next()?;
    Some((low.parse().ok()?, high.split(' ').next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_of_the_catalog_has_a_form_that_holds_its_default() {
        for entry in CATALOG {
            let choice = PlannerChoice::of(entry.name).unwrap();
            for (option, value) in choice.options() {
                let form = choice.form(option);
                let number = value.parse::<f64>().ok();
                let in_range = form
                    .range
                    .zip(number)
                    .is_some_and(|((low, high), number)| (low..=high).contains(&number));
                let known = form.words.contains(&value) || in_range;
                assert!(known, "{}: {} = {value}: {form:?}", entry.name, option.name);
            }
            assert_eq!(choice.text(), entry.name);
        }
    }

    #[test]
    fn fractions_are_taken_where_the_planner_takes_them() {
        let form = |planner: &str, option: &str| {
            let choice = PlannerChoice::of(planner).unwrap();
            let (help, _) = choice.options().find(|(help, _)| help.name == option).unwrap();
            choice.form(help)
        };
        assert!(form("weighted-astar", "weight").fractions);
        assert!(!form("hpa", "cluster").fractions);
        let transitions = form("hpa", "transitions");
        assert_eq!(
            (transitions.words.as_slice(), transitions.range),
            (&["ends", "thesis"][..], Some((1.0, 64.0)))
        );
    }

    #[test]
    fn a_choice_can_be_written_and_read() {
        let mut choice = PlannerChoice::of("weighted-astar").unwrap();
        choice.set("weight", "2.5");
        choice.set("no such option", "1");
        assert_eq!(choice.text(), "weighted-astar:weight=2.5");
        assert_eq!(PlannerChoice::parse(&choice.text()).unwrap(), choice);
        assert!(PlannerChoice::parse("best").is_err());
    }
}
