//! Spans and events for `tracing`, if the feature is on; else nothing at all.

/// Opens a span until the end of the block that it stands in.
macro_rules! trace_span {
    ($name:literal $(, $field:ident = $value:expr)* $(,)?) => {
        #[cfg(feature = "tracing")]
        let _span = tracing::debug_span!(target: "highroad", $name $(, $field = $value)*).entered();
    };
}

/// Reports an event.
macro_rules! trace_event {
    ($text:literal $(, $field:ident = $value:expr)* $(,)?) => {
        #[cfg(feature = "tracing")]
        tracing::debug!(target: "highroad", $($field = $value,)* $text);
    };
}
