//! A planner that is to be tested.

use highroad_core::{Cataloged, Environment, Planner, Spec, SpecError};

/// Makes a planner for an environment, if it serves there.
type Make<'a, E> = dyn Fn(&E) -> Option<Box<dyn Planner<E>>> + 'a;

/// How a planner that is to be tested is made, and what the suite must know of it.
pub struct Candidate<'a, E: Environment> {
    make: Box<Make<'a, E>>,
    pub(crate) traces_places: bool,
    limits_steps: bool,
}

impl<'a, E: Environment> Candidate<'a, E> {
    /// A planner that is made for an environment by a function, which returns `None` where the planner does not
    /// serve.
    pub fn new(make: impl Fn(&E) -> Option<Box<dyn Planner<E>>> + 'a) -> Self {
        Self { make: Box::new(make), traces_places: true, limits_steps: false }
    }

    /// The nodes of its traces stand for something abstract, such as the entrances of clusters. The suite then does not
    /// expect that the ends of a query occur once in a trace.
    pub fn with_abstract_traces(mut self) -> Self {
        self.traces_places = false;
        self
    }

    /// It counts steps against the limit of cost, as breadth-first search does. The suite then does not test that limit.
    pub fn with_limit_of_steps(mut self) -> Self {
        self.limits_steps = true;
        self
    }

    /// Those limits of cost, if the planner counts costs against them.
    pub(crate) fn cost_limits(&self, limits: &[u64]) -> Vec<u64> {
        if self.limits_steps { Vec::new() } else { limits.to_vec() }
    }

    pub(crate) fn make(&self, environment: &E) -> Option<Box<dyn Planner<E>>> {
        (self.make)(environment)
    }
}

impl<E: Cataloged> Candidate<'_, E> {
    /// A planner of the catalog.
    ///
    /// # Panics
    /// While it is tested: if a build fails for another reason than that the planner does not serve the environment.
    pub fn of(spec: &Spec) -> Self {
        let (spec, entry) = (spec.clone(), spec.entry());
        let candidate = Self::new(move |environment| {
            entry.serves(environment).ok()?;
            match spec.build(environment) {
                Ok(planner) => Some(planner),
                // Some options are made for some environments only, and some refusals need the whole build.
                Err(SpecError::NotServed { .. }) => None,
                Err(error) => panic!("{spec}: {error}"),
            }
        });
        if entry.traces_places { candidate } else { candidate.with_abstract_traces() }
    }
}
