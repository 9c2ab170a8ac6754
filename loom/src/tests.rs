use crate::outcome::Outcome;
use crate::watch::BuildWatch;
use loom::sync::Arc;
use loom::thread;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs a test in every order of its threads.
fn in_every_order(name: &str, test: impl Fn() + Send + Sync + 'static) {
    let orders = std::sync::Arc::new(AtomicUsize::new(0));
    let counted = std::sync::Arc::clone(&orders);
    loom::model(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        test();
    });
    let orders = orders.load(Ordering::Relaxed);
    println!("{name}: {orders} orders");
    assert!(orders > 1, "{name}: the threads never meet");
}

#[test]
fn nobody_sees_what_is_done_of_one_report_with_the_whole_of_another() {
    in_every_order("progress", || {
        let watch = Arc::new(BuildWatch::default());
        let builder = {
            let watch = Arc::clone(&watch);
            thread::spawn(move || {
                assert!(watch.report(1, 10).is_continue());
                assert!(watch.report(7, 20).is_continue());
            })
        };
        let reports = [(0, 0), (1, 10), (7, 20)];
        let mut latest = 0;
        for _ in 0..2 {
            let seen = watch.progress();
            let at = reports.iter().position(|&report| report == seen);
            let at = at.unwrap_or_else(|| panic!("{seen:?} was never reported"));
            assert!(at >= latest, "progress never goes back");
            latest = at;
        }
        builder.join().unwrap();
        assert_eq!(watch.progress(), (7, 20));
    });
}

#[test]
fn a_stop_reaches_the_builder_and_is_never_taken_back() {
    in_every_order("stop", || {
        let watch = Arc::new(BuildWatch::default());
        let builder = {
            let watch = Arc::clone(&watch);
            thread::spawn(move || {
                let mut stopped = false;
                for done in 0..3 {
                    let now = watch.report(done, 3).is_break();
                    assert!(now || !stopped, "a build that was stopped goes on");
                    stopped = now;
                }
            })
        };
        let other = {
            let watch = Arc::clone(&watch);
            thread::spawn(move || watch.stop())
        };
        watch.stop();
        assert!(watch.is_stopped(), "who stops sees it");
        other.join().unwrap();
        builder.join().unwrap();
        assert!(watch.report(3, 3).is_break());
    });
}

#[test]
fn whoever_waits_for_a_result_is_woken() {
    in_every_order("hand over", || {
        let outcome = Arc::new(Outcome::default());
        let worker = {
            let outcome = Arc::clone(&outcome);
            thread::spawn(move || {
                outcome.set(1);
                // A job that is dropped leaves a second result, which must not count.
                outcome.set(2);
            })
        };
        let other = {
            let outcome = Arc::clone(&outcome);
            thread::spawn(move || {
                outcome.wait();
                assert_eq!(outcome.copied(), Some(1));
            })
        };
        outcome.wait();
        assert_eq!(outcome.copied(), Some(1));
        worker.join().unwrap();
        other.join().unwrap();
        assert_eq!(outcome.take(), Some(1));
        assert_eq!(outcome.take(), None);
    });
}

/// As the worker and the world share an order: the world stops it or takes what has come, the worker builds or gives up.
#[test]
fn a_build_that_nobody_wants_any_more_ends_and_leaves_something() {
    in_every_order("order", || {
        let (watch, outcome) = (Arc::new(BuildWatch::default()), Arc::new(Outcome::default()));
        let worker = {
            let (watch, outcome) = (Arc::clone(&watch), Arc::clone(&outcome));
            thread::spawn(move || {
                let built = (0..2).all(|done| watch.report(done, 2).is_continue());
                outcome.set(if built { Ok("planner") } else { Err("stopped") });
            })
        };
        let early = outcome.copied();
        watch.stop();
        outcome.wait();
        let late = outcome.take();
        assert!(late.is_some() && (early.is_none() || early == late));
        worker.join().unwrap();
    });
}
