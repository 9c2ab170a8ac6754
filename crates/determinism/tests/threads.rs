//! The work is the same on one thread and on several.

use highroad_determinism::{Part, fixed_work};

fn on_threads(count: usize) -> Vec<Part> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap();
    pool.install(fixed_work)
}

#[test]
fn the_work_is_the_same_on_one_and_on_many_threads() {
    let alone = on_threads(1);
    assert!(alone.iter().all(|part| part.items > 5), "{alone:?}");
    assert_eq!(on_threads(5), alone);
}
