//! The planners of the catalog with their options set to values worth trying, which follow from the types of the
//! options.

use highroad_core::{CATALOG, CatalogEntry, Cataloged, NumberRange, OptionInfo, Spec};

/// The largest number that is tried: the maps of tests are small.
const NUMBER_MAX: f64 = 16.0;

/// A planner with its usual options, with each option set to each value worth trying, and with each two options set to
/// values worth trying together: some options matter only beside others.
pub fn variants(entry: &'static CatalogEntry) -> Vec<Spec> {
    let mut settings = vec![String::new()];
    for option in entry.options {
        settings
            .extend(option_values(option).iter().map(|value| format!(":{}={value}", option.name)));
    }
    for (index, first) in entry.options.iter().enumerate() {
        for second in &entry.options[index + 1..] {
            settings.extend(pairs(first, second));
        }
    }
    let spec = |setting: &String| {
        let text = format!("{}{setting}", entry.name);
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    settings.iter().map(spec).collect()
}

/// The variants of all planners of the catalog that serve an environment.
pub fn variants_serving<E: Cataloged>(environment: &E) -> Vec<Spec> {
    let served = CATALOG.iter().filter(|entry| entry.serves(environment).is_ok());
    served.flat_map(|entry| variants(entry)).collect()
}

fn pairs(first: &OptionInfo, second: &OptionInfo) -> Vec<String> {
    let pair = |a: &String| {
        let both = |b: &String| format!(":{}={a}:{}={b}", first.name, second.name);
        middle_values(second).iter().map(both).collect::<Vec<_>>()
    };
    middle_values(first).iter().flat_map(pair).collect()
}

/// What an option is set to: every word, and numbers of its range, but not its default.
pub fn option_values(option: &OptionInfo) -> Vec<String> {
    chosen(option, |[min, below, above, max]| vec![min, below, above, max])
}

/// The same beside another option: the ends of a range are left out.
fn middle_values(option: &OptionInfo) -> Vec<String> {
    chosen(option, |[_, below, above, _]| vec![below, above])
}

fn chosen(option: &OptionInfo, choose: fn([f64; 4]) -> Vec<f64>) -> Vec<String> {
    let mut values: Vec<String> =
        option.kind.words().iter().map(|word| (*word).to_owned()).collect();
    if let Some(range) = option.kind.range() {
        let usual = option.default.parse().unwrap_or(range.max);
        values.extend(choose(numbers(range, usual)).iter().map(f64::to_string));
    }
    values.retain(|value| value != option.default && option.kind.takes(value));
    values.dedup();
    values
}

/// The ends of a range, as far as small maps have a use for them, and a number on either side of the usual one.
fn numbers(range: NumberRange, usual: f64) -> [f64; 4] {
    let (min, max) = (range.min, range.max.min(range.min.max(NUMBER_MAX)));
    let usual = usual.clamp(min, max);
    let part = |from: f64, to: f64| {
        let steps = ((to - from) / 5.0 / range.step).ceil();
        // Steps such as 0.1 add up to numbers with many digits.
        ((from + steps * range.step) * 1000.0).round() / 1000.0
    };
    [min, part(min, usual), part(usual, max), max]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_set_to_something_else_than_its_default() {
        for entry in CATALOG {
            let variants = variants(entry);
            assert_eq!(variants[0].to_string(), entry.name);
            for option in entry.options {
                let set = |spec: &&Spec| spec.values().text(option.name) != option.default;
                assert!(variants.iter().any(|spec| set(&spec)), "{}", option.name);
                for word in option.kind.words() {
                    let takes = |spec: &Spec| spec.values().text(option.name) == *word;
                    assert!(variants.iter().any(takes), "{}: {word}", option.name);
                }
            }
        }
    }

    #[test]
    fn numbers_are_the_ends_of_the_range_and_lie_on_both_sides_of_the_usual_one() {
        assert_eq!(numbers(NumberRange::whole(4, 64), 32.0), [4.0, 7.0, 16.0, 16.0]);
        assert_eq!(numbers(NumberRange::whole(1, 3), 2.0), [1.0, 2.0, 3.0, 3.0]);
        let weights = NumberRange { min: 0.0, max: 1000.0, step: 0.1 };
        assert_eq!(numbers(weights, 1.5), [0.0, 0.3, 4.4, 16.0]);
        assert_eq!(numbers(NumberRange::whole(50, 99), 60.0), [50.0, 50.0, 50.0, 50.0]);
    }
}
