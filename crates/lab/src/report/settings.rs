//! What decides what is measured, and how.

use crate::workload::Sample;
use highroad::grid::{MovementRule, StepCosts};

/// How a report is measured. Units measured under other settings are never mixed with these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Which steps are allowed.
    pub rule: MovementRule,
    /// What they cost.
    pub steps: StepCosts,
    /// How many queries a map.
    pub queries: Sample,
    /// How many queries on each map of the growth.
    pub growth_queries: usize,
    /// Measured passes over the queries of a map.
    pub passes: usize,
    /// Where random queries, generated maps and the order of queries begin.
    pub seed: u64,
    /// How long the queries of one planner on one map may take before fewer of them are asked.
    pub unit_seconds: u64,
    /// A planner that is likely to take longer to build than this is not built.
    pub build_seconds: u64,
    /// A planner that is likely to take more memory than this is not built.
    pub memory_megabytes: u64,
}

/// However slow a planner is, so many queries are asked.
pub const QUERIES_MIN: usize = 3;

/// Counted up when units hold something else, so that old ones are measured again.
pub(super) const FORMAT: u32 = 1;

impl Settings {
    /// A number that shows whether something else would be measured: of these settings, a planner on a map,
    /// and its queries.
    pub(super) fn key(&self, subject: &str, planner: &str, map: u64, queries: u64) -> String {
        let all = format!("{FORMAT} {self:?} {subject:?} {planner:?} {map:x} {queries:x}");
        format!("{:016x}", hash(all.as_bytes()))
    }
}

/// FNV-1a: the same on every machine, which that of the standard library does not promise.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn whatever_changes_the_measurement_changes_the_key() {
        let settings = Settings {
            rule: MovementRule::default(),
            steps: StepCosts::EXACT,
            queries: Sample::Spread(9),
            growth_queries: 9,
            passes: 3,
            seed: 1,
            unit_seconds: 5,
            build_seconds: 60,
            memory_megabytes: 1000,
        };
        let key = settings.key("dao/arena", "astar", 1, 2);
        assert_eq!(key, settings.key("dao/arena", "astar", 1, 2));
        let others = [
            settings.key("dao/arena2", "astar", 1, 2),
            settings.key("dao/arena", "hpa", 1, 2),
            settings.key("dao/arena", "astar", 3, 2),
            settings.key("dao/arena", "astar", 1, 3),
            Settings { passes: 4, ..settings }.key("dao/arena", "astar", 1, 2),
            Settings { seed: 2, ..settings }.key("dao/arena", "astar", 1, 2),
            Settings { queries: Sample::All, ..settings }.key("dao/arena", "astar", 1, 2),
        ];
        assert!(others.iter().all(|other| *other != key), "{key} {others:?}");
    }
}
