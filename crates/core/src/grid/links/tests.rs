use super::*;
use crate::grid::{Batch, CellRect, EditError, Terrain};
use crate::{GridSearch, PathQuery, Planner, Scratch};

fn refused(grid: &mut Grid, link: Link) -> LinkProblem {
    let mut batch = Batch::new();
    batch.set((0, 0), Terrain::WATER).open_link(link);
    match grid.apply(&batch) {
        Err(EditError::Link { link: named, problem }) if named == link => problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn links_that_cannot_be_are_refused_and_nothing_is_changed() {
    let mut grid = Grid::with_defaults("...#\n....\n".parse().unwrap());
    let outside = Cell::new(1, 2);
    assert_eq!(
        refused(&mut grid, Link::new((1, 1), outside, 5)),
        LinkProblem::Outside { cell: outside }
    );
    let wall = Cell::new(3, 0);
    assert_eq!(refused(&mut grid, Link::new(wall, (1, 1), 5)), LinkProblem::Blocked { cell: wall });
    assert_eq!(refused(&mut grid, Link::new((1, 1), (1, 1), 5)), LinkProblem::ToItself);
    assert_eq!(refused(&mut grid, Link::new((1, 1), (2, 1), 0)), LinkProblem::Cost);
    let mut batch = Batch::new();
    let link = Link::new((1, 1), (2, 1), 7);
    batch.close_link(link);
    let missing = EditError::Link { link, problem: LinkProblem::Missing };
    assert_eq!(grid.apply(&batch), Err(missing));
    let unknown = link.with_kind(KindId(3));
    assert_eq!(
        grid.apply(Batch::new().open_link(unknown)),
        Err(EditError::NoSuchKind { kind: KindId(3) })
    );
    assert_eq!((grid.map().to_string(), grid.is_shaped()), ("...@\n....\n".to_owned(), false));
}

#[test]
fn a_link_is_gone_while_an_end_is_a_wall_and_comes_back_with_it() {
    let mut grid = Grid::with_defaults("..#..\n".parse().unwrap());
    let reaches = |grid: &Grid| {
        let query = PathQuery::new((0, 0), (4, 0));
        GridSearch::astar().solve(grid, &query, &mut Scratch::new()).unwrap().path().is_some()
    };
    let changes = grid.apply(Batch::new().open_link(Link::new((1, 0), (3, 0), 9))).unwrap();
    assert!(reaches(&grid));
    grid.apply(Batch::new().set((3, 0), Terrain::WALL)).unwrap();
    assert!(!reaches(&grid) && !grid.is_shaped());
    grid.apply(Batch::new().set((3, 0), Terrain::GROUND)).unwrap();
    assert!(reaches(&grid) && grid.is_shaped() && !grid.costs_the_same_both_ways());
    grid.apply(&Batch::undoing(&changes)).unwrap();
    assert!(!reaches(&grid) && !grid.is_shaped() && grid.map().links().all().is_empty());
}

/// A portal makes the octile distance wrong: estimates are capped by what a way by a link costs at least.
#[test]
fn estimates_stay_below_costs_and_rise_no_more_than_steps() {
    use crate::heuristic::{GridHeuristic, HeuristicKind};
    use crate::search::Weight;
    let mut grid = Grid::with_defaults(crate::GridMap::filled(40, 30, Terrain::GROUND).unwrap());
    let mut batch = Batch::new();
    batch.open_link(Link::new((2, 2), (35, 25), 100)).open_link(Link::new((30, 3), (3, 25), 4000));
    batch.surcharge(CellRect::new((10, 0), (12, 20)), 3);
    grid.apply(&batch).unwrap();
    for goal in [Cell::new(38, 28), Cell::new(4, 4), Cell::new(3, 25)] {
        let goals = [goal];
        let heuristic = GridHeuristic::new(&grid, HeuristicKind::Octile, Weight::ONE, &goals);
        let mut field = crate::Field::towards(&grid, &goals).unwrap();
        field.finish();
        let mut capped = 0;
        for cell in grid.extent().cells() {
            let estimate = heuristic.estimate_from(cell);
            assert!(estimate <= field.cost(cell).unwrap().0, "from {cell} to {goal}");
            for (to, cost) in grid.steps_from(cell) {
                assert!(estimate <= u64::from(cost) + heuristic.estimate_from(to), "{cell} {to}");
            }
            capped += u32::from(estimate < heuristic.remoteness_of(cell));
        }
        assert!(capped > 100, "{capped}");
    }
}
