//! How long this thread has worked: what others do on the machine does not count.

use std::time::Duration;

/// Processor time of the calling thread, from some moment on. Where the system does not say, time by the clock.
#[cfg(unix)]
pub fn thread_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let now = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = Duration::from_secs(u64::try_from(now.tv_sec).unwrap_or(0));
    seconds + Duration::from_nanos(u64::try_from(now.tv_nsec).unwrap_or(0))
}

/// Processor time of the calling thread, from some moment on. Where the system does not say, time by the clock.
#[cfg(not(unix))]
pub fn thread_time() -> Duration {
    use std::sync::OnceLock;
    use web_time::Instant;
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed()
}

/// What something returns, and the microseconds of processor time that it takes.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begun = thread_time();
    let result = work();
    let took = thread_time().saturating_sub(begun);
    (result, took.as_secs_f64() * 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_counts_and_sleep_does_not() {
        let (_, asleep_us) = timed(|| std::thread::sleep(Duration::from_millis(30)));
        let (sum, awake_us) = timed(|| (0..20_000_000u64).map(std::hint::black_box).sum::<u64>());
        assert!(sum > 0 && awake_us > 1000.0, "{awake_us}");
        if cfg!(unix) {
            assert!(asleep_us < 10_000.0, "{asleep_us}");
        }
    }
}
