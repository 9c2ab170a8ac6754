//! On what, by what and when a report was measured.

use super::settings::hash;
use std::time::{SystemTime, UNIX_EPOCH};

/// The machine and the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circumstances {
    /// The program's version.
    pub version: String,
    /// The commit that it was built from, with `+changes` where files differed from it; `unknown` without
    /// one.
    pub commit: String,
    /// The compiler.
    pub compiler: String,
    /// How the compiler was asked to optimise.
    pub profile: String,
    /// Tells builds apart: the commit, and a hash of the program where that is not all.
    pub build: String,
    /// The processor.
    pub processor: String,
    /// How many threads it runs at once.
    pub threads: usize,
    /// Bytes of main memory; `None` where the system does not say.
    pub memory_bytes: Option<u64>,
    /// The operating system.
    pub system: String,
}

impl Circumstances {
    /// Of this machine and this program, whose own build knows its version, commit, compiler and profile.
    pub fn here(version: &str, commit: &str, compiler: &str, profile: &str) -> Self {
        let clean = commit != "unknown" && !commit.ends_with("+changes");
        let build = if clean && profile == "release" {
            commit.to_owned()
        } else {
            // Such a commit may have been built in many ways: only the program itself can identify it.
            let program = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
            format!("{commit} ({:08x})", hash(&program) as u32)
        };
        Self {
            version: version.to_owned(),
            commit: commit.to_owned(),
            compiler: compiler.to_owned(),
            profile: profile.to_owned(),
            build,
            processor: field("/proc/cpuinfo", "model name").unwrap_or_else(unknown_processor),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: field("/proc/meminfo", "MemTotal").and_then(|text| kilobytes(&text)),
            system: system(),
        }
    }
}

/// What stands behind a word in one of the system's lists.
fn field(file: &str, word: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let value = text.lines().find_map(|line| {
        let (name, value) = line.split_once([':', '='])?;
        (name.trim() == word).then(|| value.trim().trim_matches('"').to_owned())
    });
    value.filter(|value| !value.is_empty())
}

fn kilobytes(text: &str) -> Option<u64> {
    text.strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

fn unknown_processor() -> String {
    format!("unknown ({})", std::env::consts::ARCH)
}

fn system() -> String {
    let name = field("/etc/os-release", "PRETTY_NAME");
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").ok();
    match (name, kernel) {
        (Some(name), Some(kernel)) => {
            // The part behind the numbers names who built the kernel, which says nothing here.
            let kernel = kernel.trim().split(['-', '+']).next().unwrap_or_default().to_owned();
            format!("{name}, kernel {kernel}, {}", std::env::consts::ARCH)
        }
        (Some(name), None) => format!("{name}, {}", std::env::consts::ARCH),
        _ => format!("{}, {}", std::env::consts::OS, std::env::consts::ARCH),
    }
}

/// Seconds since 1970 by the system's clock.
pub(super) fn now() -> u64 {
    seconds_since_1970(SystemTime::now())
}

/// Seconds from the beginning of 1970 to a time; none if the time is before that, as a clock says that was never set.
pub fn seconds_since_1970(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |duration| duration.as_secs())
}

/// A time as `2026-05-17 08:30 UTC`.
pub(super) fn date(seconds: u64) -> String {
    let (day, minute) = (seconds / 86_400, seconds % 86_400 / 60);
    let (year, month, day) = calendar_day(day);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02} UTC", minute / 60, minute % 60)
}

/// Year, month and day of the Gregorian calendar, of a day since 1970. Years are counted from March, so
/// that the day that some years have more comes last.
fn calendar_day(day: u64) -> (u64, u64, u64) {
    const ERA: u64 = 146_097; // days in 400 years
    const BEFORE_1970: u64 = 719_468; // days from the first of March of the year 0
    let day = day + BEFORE_1970;
    let (era, day) = (day / ERA, day % ERA);
    let year = (day - day / 1_460 + day / 36_524 - day / (ERA - 1)) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153; // from March
    let date = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + later, month, date)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_clock_that_says_it_is_before_1970_says_1970() {
        assert_eq!(seconds_since_1970(UNIX_EPOCH + Duration::from_secs(7)), 7);
        assert_eq!(seconds_since_1970(UNIX_EPOCH - Duration::from_secs(7)), 0);
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00 UTC");
        assert_eq!(date(951_782_399), "2000-02-28 23:59 UTC");
        assert_eq!(date(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(date(1_709_251_199), "2024-02-29 23:59 UTC");
        assert_eq!(date(4_107_542_400), "2100-03-01 00:00 UTC");
        assert_eq!(date(1_798_761_599), "2026-12-31 23:59 UTC");
    }

    #[test]
    fn a_build_that_a_commit_does_not_tell_is_told_by_the_program() {
        let build = |commit, profile| Circumstances::here("1", commit, "rustc", profile).build;
        assert_eq!(build("abc", "release"), "abc");
        assert!(build("abc+changes", "release").starts_with("abc+changes ("));
        assert!(build("unknown", "release").starts_with("unknown ("));
        assert_ne!(build("abc", "debug"), "abc");
    }
}
