//! Which modules may use which others, from the lowest module to the highest.
//! ARCHITECTURE.md has the drawing.

#[path = "../../core/tests/support/modules.rs"]
mod modules;

use std::path::Path;

const ALLOWED: &[(&str, &[&str])] = &[
    ("clock", &["fault"]),
    ("outcome", &["sync"]),
    ("watch", &["sync"]),
    ("recipe", &["living", "watch"]),
    ("field_paths", &["living"]),
    ("planners", &["background", "clock", "fault", "living", "outcome", "recipe"]),
    ("requests", &["clock", "fault", "field_paths", "living", "planners", "recipe"]),
    (
        "world",
        &[
            "background",
            "clock",
            "field_paths",
            "coordinates",
            "living",
            "planners",
            "pool",
            "recipe",
            "requests",
        ],
    ),
    ("simulation", &["crowd", "planners", "recipe", "requests", "world"]),
];

#[test]
fn modules_use_only_those_below_them() {
    let source_folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    assert_eq!(modules::problems(&source_folder, ALLOWED), [""; 0]);
}
