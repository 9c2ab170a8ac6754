//! Requests of a world, and its ticks.

use super::PathWorld;
use crate::living::Living;
use crate::requests::{Budget, Deadline, ReplyOf, Request, TickReport, Ticket};
use std::sync::atomic::AtomicBool;

impl<E: Living> PathWorld<E> {
    /// Puts a request into the queue. [`PathWorld::tick`] works on it, and [`PathWorld::poll`] returns its state.
    ///
    /// ```
    /// use highroad::{Budget, PathWorld, Reply, Request};
    /// let mut world = PathWorld::new("....\n.##.\n....\n".parse()?);
    /// let ticket = world.request(Request::path((0, 0), (3, 2)).with_priority(3));
    /// world.tick(Budget::expansions(20_000));
    /// let Reply::Ready(path) = world.poll(ticket) else { panic!("the map is tiny") };
    /// assert_eq!(path.length(), 5.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn request(&mut self, request: impl Into<Request<E::Place>>) -> Ticket {
        self.requests.add(request.into())
    }

    /// The state of a request. A final reply is handed over once: the ticket is then used up.
    pub fn poll(&mut self, ticket: Ticket) -> ReplyOf<E> {
        self.requests.poll(ticket)
    }

    /// Takes a request back. Returns whether it had not been answered yet.
    ///
    /// ```
    /// use highroad::{PathWorld, Reply, Request};
    /// use highroad::requests::RequestError;
    /// let mut world = PathWorld::new("....\n".parse()?);
    /// let ticket = world.request(Request::path((0, 0), (3, 0)));
    /// assert!(world.cancel(ticket) && world.waiting() == 0);
    /// assert_eq!(world.poll(ticket), Reply::Failed(RequestError::Unknown));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cancel(&mut self, ticket: Ticket) -> bool {
        self.requests.cancel(ticket)
    }

    /// How many requests wait for an answer.
    pub fn waiting(&self) -> usize {
        self.requests.waiting()
    }

    /// Sets from how many waiting requests with the same goal on one exact field is made for all of them,
    /// instead of a search for each. 64 by default.
    ///
    /// ```
    /// use highroad::{Budget, PathWorld, Request};
    /// let mut world = PathWorld::new("........\n........\n".parse()?);
    /// world.share_fields_from(4);
    /// for x in 0..8 {
    ///     world.request(Request::path((x, 0), (7, 1))); // all to the same goal
    /// }
    /// let report = world.tick(Budget::unlimited());
    /// assert_eq!((report.answered, world.waiting()), (8, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn share_fields_from(&mut self, requests: usize) {
        self.requests.share_min = requests.max(1);
    }

    /// Lets time go on: planners that were built in the background take over, planners that have not followed an edit
    /// to the end go on with that for up to half of the budget, and requests are worked on as far as it goes. What a
    /// budget covers: see [`Budget`].
    pub fn tick(&mut self, budget: Budget) -> TickReport {
        self.tick += 1;
        trace_span!("tick", tick = self.tick);
        let clock = self.planners.clock();
        let clock_panicked = AtomicBool::new(false);
        let deadline = Deadline::of(budget, clock, &clock_panicked);
        let half = Deadline::of(budget.half(), clock, &clock_panicked);
        let spent = self.follow_on(budget.half().expansions, || half.has_passed());
        let mut report = TickReport { expansions: spent, ..TickReport::default() };
        loop {
            let Self { requests, kinds, planners, .. } = self;
            let faults = requests.work(kinds, planners, budget, deadline, &mut report);
            if faults.is_empty() {
                break;
            }
            let revision = self.revision();
            faults.into_iter().for_each(|fault| self.planners.take_out(fault, revision));
            self.forget_snapshot();
            self.publish();
        }
        report.clock_panicked = clock_panicked.into_inner();
        trace_event!(
            "ticked",
            expansions = report.expansions,
            answered = report.answered,
            waiting = report.waiting,
        );
        report
    }

    /// The clock by which budgets in time are kept.
    pub(crate) fn clock(&self) -> crate::clock::Clock {
        self.planners.clock()
    }

    /// How often it has ticked.
    pub fn ticks(&self) -> u64 {
        self.tick
    }

    #[cfg(test)]
    pub(crate) fn requests(&self) -> &crate::requests::Requests<E> {
        &self.requests
    }
}
