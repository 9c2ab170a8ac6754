//! Long calls: the interpreter is left to other threads, and a KeyboardInterrupt stops them.

use crate::pool::on_all_cores;
use highroad::world::BuildWatch;
use pyo3::prelude::*;
use std::cell::{Cell, RefCell};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often the calling thread looks for signals.
const LOOK: Duration = Duration::from_millis(20);

/// Does work on all cores while the calling thread looks for signals. A signal whose handler raises something stops the
/// watch; the work then ends as soon as it looks at it, and what the handler has raised is the error.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&BuildWatch) -> T + Send,
) -> PyResult<T> {
    let watch = BuildWatch::default();
    py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            let watch = &watch;
            let worker = scope.spawn(move || {
                let done = on_all_cores(|| work(watch));
                // Nobody listens after a signal.
                _ = sender.send(done);
            });
            loop {
                match receiver.recv_timeout(LOOK) {
                    Ok(done) => return Ok(done),
                    Err(RecvTimeoutError::Timeout) => {
                        Python::attach(|py| py.check_signals()).inspect_err(|_| watch.stop())?;
                    }
                    Err(RecvTimeoutError::Disconnected) => match worker.join() {
                        Err(panic) => std::panic::resume_unwind(panic),
                        Ok(()) => unreachable!("it sends before it ends"),
                    },
                }
            }
        })
    })
}

/// Slices between two looks for signals, for work on the calling thread.
const SLICES: u32 = 16;

/// Looks for signals now and then, for work that goes on in slices on the calling thread.
#[derive(Default)]
pub(crate) struct Lookout {
    slices: Cell<u32>,
    raised: RefCell<Option<PyErr>>,
}

impl Lookout {
    /// Whether to go on. Called before each slice of about a millisecond, without the interpreter.
    pub(crate) fn goes_on(&self) -> bool {
        let slices = self.slices.get() + 1;
        self.slices.set(slices);
        if slices.is_multiple_of(SLICES)
            && let Err(error) = Python::attach(|py| py.check_signals())
        {
            self.raised.replace(Some(error));
        }
        self.raised.borrow().is_none()
    }
}

/// Does work in slices on the calling thread, which asks the lookout before each whether to go on. For calls that mostly take
/// microseconds: another thread would take longer to wake up.
pub(crate) fn in_slices<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Lookout) -> T + Send,
) -> PyResult<T> {
    let (done, raised) = py.detach(|| {
        let lookout = Lookout::default();
        let done = work(&lookout);
        (done, lookout.raised.into_inner())
    });
    raised.map_or(Ok(done), Err)
}
