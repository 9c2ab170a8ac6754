//! Any text is refused, or read as a scenario whose numbers make sense.
#![no_main]

use highroad_lab::scenario::Scenario;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(scenario) = Scenario::parse(text) {
        assert!(!scenario.queries.is_empty());
        for query in &scenario.queries {
            assert!(query.length.is_none_or(|length| length.is_finite() && length >= 0.0));
            assert!(query.tolerance.is_finite() && query.tolerance > 0.0);
        }
    }
});
