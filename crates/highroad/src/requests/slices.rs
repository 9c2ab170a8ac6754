//! What work has been done in slices, to do the same again in a copy.
//!
//! A search cannot be copied or saved as it stands: its memory is as large as the map. But it is deterministic: begun
//! on the same environment and continued by the same slices, it comes to the same state. So a copy keeps how the work
//! was sliced, and repeats it when its turn comes.

/// Slices, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Slices {
    /// How large, and how many of that size one after the other.
    runs: Vec<(u64, u64)>,
}

impl Slices {
    /// Slices as [`Slices::runs`] gives them.
    pub(super) fn of(runs: Vec<(u64, u64)>) -> Self {
        Self { runs }
    }

    /// How large, and how many of that size one after the other.
    pub(super) fn runs(&self) -> &[(u64, u64)] {
        &self.runs
    }

    pub(super) fn clear(&mut self) {
        self.runs.clear();
    }

    pub(super) fn push(&mut self, slice: u64) {
        match self.runs.last_mut() {
            Some((size, count)) if *size == slice => *count += 1,
            _ => self.runs.push((slice, 1)),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.runs.iter().flat_map(|&(slice, count)| (0..count).map(move |_| slice))
    }
}
