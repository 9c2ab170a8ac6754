use super::*;

const EFFORT: Effort = Effort { queries: 3, passes: 1, seed: 7 };

/// A section on the two smallest maps, which are made.
fn sheet_of(section: Section) -> (Sheet, u64, u64) {
    let small = section.maps().into_iter().filter(|map| map.size[0] * map.size[1] <= 300);
    let shelf = MapShelf::fill(&small.collect::<Vec<_>>(), None, EFFORT).unwrap();
    let mut done = 0;
    let sheet = measure(section, &shelf, &mut |_| done += 1).unwrap();
    (sheet, done, steps(section, &shelf))
}

#[test]
fn every_table_has_its_rows() {
    let rows = [(Section::Paths, 10), (Section::Building, 2), (Section::Placement, 6)];
    for (section, rows) in rows.into_iter().chain([(Section::Smoothing, 2)]) {
        let (sheet, done, steps) = sheet_of(section);
        assert_eq!(sheet.rows.len(), rows, "{}", sheet.section);
        assert_eq!(done, steps, "{}", sheet.section);
        assert_eq!(sheet.section, section.number());
        for row in &sheet.rows {
            assert_eq!(row.len(), sheet.columns.len(), "{}", sheet.section);
        }
        let keys: std::collections::HashSet<_> = sheet.columns.iter().map(|one| one.key).collect();
        assert_eq!(keys.len(), sheet.columns.len(), "{}: keys are unique", sheet.section);
    }
}

#[test]
fn a_path_of_ours_costs_what_the_thesis_has_for_astar_and_no_less() {
    let (sheet, ..) = sheet_of(Section::Paths);
    let number = |row: &[Entry], key: &str| {
        let column = sheet.columns.iter().position(|column| column.key == key).unwrap();
        row[column].plain().parse::<f64>().unwrap()
    };
    for rows in sheet.rows.chunks(5) {
        assert_eq!(number(&rows[0], "degradation_worst_percent"), 0.0, "A* is exact");
        let cheapest = number(&rows[0], "cost");
        assert!((cheapest - number(&rows[0], "thesis_cost")).abs() < 2.0, "{rows:?}");
        for row in rows {
            let percent = degradation_percent(number(row, "cost"), cheapest);
            assert!(percent >= 0.0, "{row:?}");
            let worst = number(row, "degradation_worst_percent");
            assert!(worst + 1e-3 >= number(row, "degradation_mean_percent"), "{row:?}");
        }
    }
}

#[test]
fn missing_maps_are_told_of() {
    let shelf = shelf(&Section::ALL, None, EFFORT).unwrap();
    for section in Section::ALL {
        let notes = shelf.notes(&section.maps());
        assert!(notes.iter().any(|note| note.contains("AcrosstheCape")), "{section:?}");
        let is_built = section == Section::Building;
        assert_eq!(notes.iter().any(|note| note.contains("den204d")), is_built, "{section:?}");
    }
    let sheet = measure(Section::Changes, &shelf, &mut |_| ()).unwrap();
    assert!(sheet.rows.is_empty() && steps(Section::Changes, &shelf) == 0);
    assert!(sheet.notes.iter().any(|note| note.starts_with("Left out")), "{:?}", sheet.notes);
}

#[test]
fn gains_are_shares_of_what_was_there_before() {
    assert!((smoothing::gain_percent(200.0, 190.0) - 5.0).abs() < 1e-9);
    assert_eq!(smoothing::gain_percent(0.0, 0.0), 0.0);
}

#[test]
fn sections_are_found_by_their_numbers() {
    for section in Section::ALL {
        assert_eq!(Section::from_number(section.number()), Some(section));
    }
    assert_eq!(Section::from_number("4.5"), None);
}
