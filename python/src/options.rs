//! Keyword arguments that are many: those of maps, and those of kinds of agents in `kinds={"name": {...}}`, which are the same
//! as far as they say how agents move.

use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What somebody has given by name.
pub(crate) struct Options<'py>(Option<Bound<'py, PyDict>>);

impl<'py> Options<'py> {
    /// Fails for a name that is not known with what `unknown` makes of it.
    pub(crate) fn read(
        given: Option<&Bound<'py, PyDict>>,
        known: &[&[&str]],
        unknown: impl Fn(&str) -> PyErr,
    ) -> PyResult<Self> {
        for name in given.iter().flat_map(|given| given.keys()) {
            let name: String = name.extract()?;
            if !known.iter().any(|names| names.contains(&name.as_str())) {
                return Err(unknown(&name));
            }
        }
        Ok(Self(given.cloned()))
    }

    /// What was given under a name, if it is not `None`.
    pub(crate) fn any(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let found = self.0.as_ref().map(|given| given.get_item(name)).transpose()?.flatten();
        Ok(found.filter(|found| !found.is_none()))
    }

    /// The same as a value of a type.
    pub(crate) fn get<T: FromPyObjectOwned<'py>>(&self, name: &str) -> PyResult<Option<T>> {
        let Some(found) = self.any(name)? else { return Ok(None) };
        let wrong = |error: PyErr| PyTypeError::new_err(format!("{name}: {error}"));
        let read: Result<T, _> = found.extract();
        read.map(Some).map_err(|error| wrong(error.into()))
    }
}
