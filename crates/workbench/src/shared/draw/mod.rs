//! Drawing that modes share.

pub(crate) mod code;
pub(crate) mod figures;
pub(crate) mod navigate;
pub(crate) mod options;
pub(crate) mod side_panel;
pub(crate) mod signs;
pub(crate) mod style;
pub(crate) mod surface;
pub(crate) mod tiles;
pub(crate) mod timeline;
pub(crate) mod track;
