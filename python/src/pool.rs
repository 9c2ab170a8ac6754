//! The threads that batches run on.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};

/// The pool, and the process that it was made in.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Runs work on as many threads as there are processors, or as the variable `RAYON_NUM_THREADS` says.
///
/// The global pool of rayon does not survive `os.fork`, which `multiprocessing` may use: its threads are missing in the
/// child, and whoever asks them for something waits for ever. So each process makes a pool of its own.
pub(crate) fn on_all_cores<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match pool() {
        Some(pool) => pool.install(work),
        // Without threads of our own the work is done here.
        None => work(),
    }
}

fn pool() -> Option<Arc<ThreadPool>> {
    let mut kept = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some((owner, pool)) = &*kept
        && *owner == process
    {
        return Some(Arc::clone(pool));
    }
    let pool = Arc::new(ThreadPoolBuilder::new().build().ok()?);
    if let Some(parents) = kept.replace((process, Arc::clone(&pool))) {
        // Its threads do not exist here: to wait for their end would take for ever.
        std::mem::forget(parents);
    }
    Some(pool)
}
