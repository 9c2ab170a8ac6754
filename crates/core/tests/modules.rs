//! The modules of the crate depend on each other one way: no cycles, and no edge that ARCHITECTURE.md does not draw.

#[path = "support/modules.rs"]
mod modules;

use std::path::Path;

/// Which module uses which, from the bottom up.
const ALLOWED: &[(&str, &[&str])] = &[
    ("space", &["environment"]),
    ("saved", &["environment"]),
    ("search", &["space"]),
    ("implicit", &["search", "space"]),
    ("grid", &["environment", "saved", "space"]),
    ("graph", &["environment", "saved", "search", "space"]),
    ("mesh", &["environment", "saved"]),
    ("cooperative", &["grid"]),
    ("path", &["environment", "grid", "saved"]),
    ("heuristic", &["environment", "graph", "grid", "search", "space"]),
    (
        "planner",
        &["environment", "graph", "grid", "heuristic", "mesh", "path", "saved", "search", "space"],
    ),
    (
        "online",
        &[
            "environment",
            "graph",
            "grid",
            "heuristic",
            "mesh",
            "path",
            "planner",
            "search",
            "space",
        ],
    ),
    (
        "hierarchy",
        &[
            "environment",
            "graph",
            "grid",
            "heuristic",
            "path",
            "planner",
            "saved",
            "search",
            "space",
        ],
    ),
    (
        "index",
        &[
            "environment",
            "graph",
            "grid",
            "heuristic",
            "mesh",
            "path",
            "planner",
            "saved",
            "search",
            "space",
        ],
    ),
    (
        "field",
        &[
            "environment",
            "graph",
            "grid",
            "heuristic",
            "mesh",
            "online",
            "path",
            "planner",
            "search",
            "space",
        ],
    ),
    ("catalog", &["environment", "hierarchy", "index", "online", "planner", "saved"]),
];

#[test]
fn modules_depend_on_each_other_as_architecture_says() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let problems = modules::problems(&source, ALLOWED);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
