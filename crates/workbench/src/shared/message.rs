//! What a mode has to say.

/// Something to be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The words.
    pub text: String,
    /// Whether something went wrong.
    pub is_error: bool,
}
