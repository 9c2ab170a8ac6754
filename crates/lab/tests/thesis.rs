//! The thesis's tables on the public maps that it uses.

use highroad_lab::thesis::{Effort, Section, measure, shelf};
use std::path::{Path, PathBuf};

/// The folder of maps: `HIGHROAD_MAPS`, or `../shared/maps` beside the repository.
fn maps() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    let folder = std::env::var_os("HIGHROAD_MAPS").map_or_else(beside, PathBuf::from);
    folder.is_dir().then_some(folder)
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that checks nothing must say so")]
fn its_maps_are_not_quite_those_it_describes_and_its_changes_bite() {
    let Some(folder) = maps() else {
        eprintln!("skipped: there are no public maps in ../shared/maps or HIGHROAD_MAPS");
        return;
    };
    let effort = Effort { queries: 1, passes: 1, seed: 1 };
    let sections = [Section::Building, Section::Changes];
    let shelf = shelf(&sections, Some(&folder), effort).unwrap();

    let built = measure(Section::Building, &shelf, &mut |_| ()).unwrap();
    assert_eq!(built.rows.len(), 16, "{:?}", built.notes);
    let slip = |text: &str| built.notes.iter().any(|note| note.contains(text));
    assert!(slip("for den204d it prints 65 × 65 cells, where the file has 66 × 66"));
    assert!(slip("for hrt001d it prints 105 × 110 cells, where the file has 104 × 112"));
    assert!(slip("for brc101d it prints 640 × 380 cells, where the file has 384 × 639"));

    let changed = measure(Section::Changes, &shelf, &mut |_| ()).unwrap();
    let column = |key: &str| changed.columns.iter().position(|column| column.key == key).unwrap();
    let (old, new) = (column("old_cost"), column("new_cost"));
    let costs: Vec<[String; 2]> =
        changed.rows.iter().map(|row| [old, new].map(|column| row[column].plain())).collect();
    assert_eq!(costs.len(), 8);
    assert!(costs[..4].iter().filter(|[old, _]| old == "cut").count() >= 2, "{costs:?}");
    for [old, new] in &costs[4..] {
        assert!(new.parse::<f64>().unwrap() * 2.0 < old.parse().unwrap(), "{costs:?}");
    }
}
