//! The modules of the crate depend on each other one way: no cycles, and no edge that ARCHITECTURE.md does not draw.

#[path = "support/modules.rs"]
mod modules;

use std::path::Path;

/// Which module uses which, from the bottom up.
const ALLOWED: &[(&str, &[&str])] = &[];

#[test]
fn modules_depend_on_each_other_as_architecture_says() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let problems = modules::problems(&source, ALLOWED);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
