//! Documents: edits, undo and redo, start and goal, other movements.

use super::*;
use highroad::grid::{Border, BorderSide, Link, MovementRule};

fn document(drawing: &str) -> Document {
    let map = drawing.parse().unwrap();
    Document::new("test", map, MovementChoice::default(), None)
}

fn count(changed: &Changed) -> usize {
    match changed {
        Changed::Cells(cells) => cells.len(),
        Changed::Nothing | Changed::Everything => 0,
    }
}

fn wall(x: u32, y: u32) -> Batch {
    let mut batch = Batch::new();
    batch.set((x, y), Terrain::WALL);
    batch
}

#[test]
fn a_stroke_is_undone_as_a_whole_and_redone() {
    let mut document = document("....\n....\n");
    document.begin_step();
    document.edit(&wall(1, 0)).unwrap();
    document.edit(&wall(2, 0)).unwrap();
    document.end_step();
    document.edit(&wall(0, 1)).unwrap();
    assert_eq!(document.grid().map().to_string(), ".@@.\n@...\n");
    assert_eq!(count(&document.undo().changed), 1);
    assert_eq!(count(&document.undo().changed), 2);
    assert_eq!(document.grid().map().to_string(), "....\n....\n");
    assert!(!document.can_undo() && document.undo().changed == Changed::Nothing);
    assert_eq!(count(&document.redo().changed), 2);
    assert_eq!(document.grid().map().to_string(), ".@@.\n....\n");
    document.edit(&wall(3, 1)).unwrap();
    assert!(!document.can_redo(), "a new change ends what could be redone");
}

#[test]
fn edits_outside_change_nothing() {
    let mut document = document("..\n");
    assert!(matches!(document.edit(&wall(2, 0)), Err(EditError::Outside { .. })));
    assert!(!document.is_changed() && !document.can_undo());
}

#[test]
fn movement_that_makes_no_sense_is_refused_and_the_old_one_stays() {
    let mut document = document("..\n");
    let choice = MovementChoice { straight: 5, diagonal: 30, ..document.movement() };
    assert!(document.set_movement(choice).unwrap_err().contains("step costs 5/30"));
    assert_eq!(document.movement(), MovementChoice::default());
    let choice = MovementChoice { rule: 0, swamp: 3, ..document.movement() };
    document.set_movement(choice).unwrap();
    assert_eq!(document.grid().movement().rule(), MovementRule::FourWay);
}

/// Costs are letters of another kind of map: all cells are written again, and mean what they meant.
#[test]
fn costs_can_be_drawn_on_a_plain_map_and_undone() {
    let drawing = ".ST@\n....\n";
    let mut document = document(drawing);
    let costs = |document: &Document| -> Vec<Option<u32>> {
        document.extent().cells().map(|cell| document.grid().cost_of(cell)).collect()
    };
    let before = costs(&document);
    document.allow_costs().unwrap();
    assert_eq!(document.grid().map().to_string(), "AC@@\nAAAA\n");
    assert_eq!(costs(&document), before);
    assert!(document.is_changed(), "its file would have other letters");
    assert!(document.grid().map().palette_doubt().is_none());
    let mut batch = Batch::new();
    batch.set((1, 1), Terrain::from_letter(b'I').unwrap());
    document.edit(&batch).unwrap();
    assert_eq!(document.grid().cost_of(Cell::new(1, 1)), Some(9));
    let again = Document::new("again", document.grid().map().clone(), document.movement(), None);
    assert_eq!(costs(&again), costs(&document), "as the file will be read");
    document.undo();
    document.undo();
    assert_eq!(document.grid().map().to_string(), drawing);
    assert!(document.palette() == Palette::Standard && !document.is_changed());
    document.redo();
    document.redo();
    assert_eq!(document.grid().map().to_string(), "AC@@\nAIAA\n");
}

/// Another movement is another world, in which heights, borders and links are the same.
#[test]
fn the_shape_of_the_ground_is_edited_undone_and_kept_by_another_movement() {
    let mut document = document(".....\n.....\n");
    let map = |document: &Document| document.grid().map().clone();
    let mut batch = Batch::new();
    batch.height(Cell::new(1, 1).into(), 7);
    batch.border((2, 0), (3, 0), Border::Closed);
    batch.open_link(Link::new((0, 0), (4, 1), 5000));
    assert_ne!(document.edit(&batch).unwrap(), Changed::Nothing);
    let drawn = map(&document);
    let choice = MovementChoice { rule: 0, ..document.movement() };
    document.set_movement(choice).unwrap();
    for map in [&drawn, &map(&document)] {
        assert_eq!(map.height(Cell::new(1, 1)), Some(7));
        assert_eq!(map.border(Cell::new(2, 0), BorderSide::East), Some(Border::Closed));
        assert_eq!(map.link_list().len(), 1);
    }
    document.undo();
    assert!(document.is_changed());
    document.undo();
    assert!(!map(&document).has_relief() && map(&document).link_list().is_empty());
    assert!(!document.is_changed());
    document.redo();
    assert!(map(&document).has_relief() && document.is_changed());
}

#[test]
fn no_costs_are_drawn_beside_water() {
    let mut document = document(".W\n");
    assert!(document.allow_costs().unwrap_err().contains("water"));
    assert!(document.palette() == Palette::Standard && !document.can_undo());
}

#[test]
fn large_agents_stand_where_they_fit() {
    let mut document = document("....\n..#.\n....\n");
    document.set_movement(MovementChoice { size: 2, ..document.movement() }).unwrap();
    assert!(document.grid().is_enterable(Cell::new(0, 0)));
    assert!(!document.grid().is_enterable(Cell::new(1, 0)), "(2, 1) is a wall");
    let too_large = MovementChoice { size: 9, ..document.movement() };
    assert!(document.set_movement(too_large).unwrap_err().contains("9 × 9"));
}

#[test]
fn maps_without_ground_have_places_too() {
    let document = document("###\n###\n");
    assert_eq!(document.places(), (Cell::new(0, 0), Cell::new(2, 1)));
}

#[test]
fn the_unsaved_mark_goes_with_undo_and_comes_with_redo() {
    let mut document = document("....\n");
    document.edit(&wall(1, 0)).unwrap();
    assert!(document.is_changed());
    document.undo();
    assert!(!document.is_changed(), "it is as it was opened");
    document.redo();
    document.note_saved();
    document.edit(&wall(2, 0)).unwrap();
    document.undo();
    assert!(!document.is_changed(), "it is as it was saved");
    document.undo();
    assert!(document.is_changed());
    document.edit(&wall(3, 0)).unwrap();
    document.undo();
    assert!(document.is_changed(), "what was saved can no longer be reached");
}

#[test]
fn moves_of_start_and_goal_are_undone_and_leave_the_map_unchanged() {
    let mut document = document("....\n....\n");
    let before = document.places();
    document.begin_step();
    document.set_places((Cell::new(1, 0), before.1));
    document.set_places((Cell::new(2, 0), before.1));
    document.end_step();
    document.set_places((Cell::new(2, 0), Cell::new(3, 1)));
    assert!(!document.is_changed());
    document.undo();
    assert_eq!(document.places(), (Cell::new(2, 0), before.1));
    document.undo();
    assert_eq!(document.places(), before);
    assert!(!document.can_undo());
    document.redo();
    assert_eq!(document.places(), (Cell::new(2, 0), before.1));
}

#[test]
fn another_movement_is_undone_and_so_are_the_edits_before_it() {
    let mut document = document("....\n....\n");
    let usual = document.movement();
    document.edit(&wall(1, 0)).unwrap();
    for swamp in [2, 3, 4] {
        document.set_movement(MovementChoice { swamp, ..usual }).unwrap();
    }
    document.edit(&wall(2, 0)).unwrap();
    assert_eq!(count(&document.undo().changed), 1);
    assert!(document.undo().is_movement);
    assert_eq!(
        (document.movement(), document.grid().map().to_string()),
        (usual, ".@..\n....\n".to_owned())
    );
    assert_eq!(count(&document.undo().changed), 1);
    for _ in 0..3 {
        document.redo();
    }
    assert_eq!(
        (document.movement().swamp, document.grid().map().to_string()),
        (4, ".@@.\n....\n".to_owned())
    );
}
