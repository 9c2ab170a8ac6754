//! What an edit would do is compared with making it.

use super::tests::spec;
use super::*;
use highroad_core::{Batch, Border, BorderSide, CellRect, Link, Terrain};
use proptest::prelude::*;

/// Numbers that look random, from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
        (self.0 >> 33) as u32 % limit
    }

    fn cell(&mut self) -> Cell {
        Cell::new(self.below(WIDTH), self.below(HEIGHT))
    }
}

const WIDTH: u32 = 40;
const HEIGHT: u32 = 30;

fn random_map(dice: &mut Dice) -> GridMap {
    let density = 10 + dice.below(35);
    let terrain = |_| match dice.below(100) {
        number if number < density => Terrain::WALL,
        number if number > 95 => Terrain::SWAMP,
        _ => Terrain::GROUND,
    };
    GridMap::from_fn(WIDTH, HEIGHT, terrain).unwrap()
}

fn random_batch(dice: &mut Dice, shaped: bool) -> Batch {
    let mut batch = Batch::new();
    for _ in 0..1 + dice.below(4) {
        let from = dice.cell();
        let to = (from.x + dice.below(7), from.y + dice.below(7));
        let rect = CellRect::new(from, (to.0.min(WIDTH - 1), to.1.min(HEIGHT - 1)));
        match dice.below(if shaped { 5 } else { 3 }) {
            0 => batch.fill(rect, Terrain::GROUND),
            1 => batch.fill(CellRect::new(from, (rect.max().x, from.y)), Terrain::WALL),
            2 => batch.fill(CellRect::new(from, (from.x, rect.max().y)), Terrain::WALL),
            3 if rect.max().x + 1 < WIDTH => batch.borders(rect, BorderSide::East, Border::Closed),
            _ => batch.surcharge(rect, dice.below(5) as u16),
        };
    }
    batch
}

fn costs(world: &mut PathWorld, pairs: &[(Cell, Cell)]) -> Vec<Option<Cost>> {
    let cost = |&(from, to): &(Cell, Cell)| {
        world.find_path(from, to).ok().flatten().map(|path| path.cost())
    };
    pairs.iter().map(cost).collect()
}

fn check(seed: u64, planners: &[&str], shaped: bool) {
    let mut dice = Dice(seed);
    let world = PathWorld::new(random_map(&mut dice));
    let mut world = match planners {
        [] => world,
        [first, others @ ..] => {
            let builder = world.with_planner(spec(first));
            let add = |builder: WorldBuilder, name: &&str| builder.with_planner(spec(name));
            others.iter().fold(builder, add).build().unwrap()
        }
    };
    for _ in 0..4 {
        let batch = random_batch(&mut dice, shaped);
        let pairs: Vec<(Cell, Cell)> = (0..6).map(|_| (dice.cell(), dice.cell())).collect();
        let (revision, map) = (world.revision(), world.grid().map().to_string());
        let ways = world.what_if(KindId::DEFAULT, &batch, &pairs).unwrap();
        let blocks = world.would_block(KindId::DEFAULT, &batch, &pairs).unwrap();
        assert_eq!((world.revision(), world.grid().map().to_string()), (revision, map));

        let before = costs(&mut world, &pairs);
        world.apply(&batch).unwrap();
        let after = costs(&mut world, &pairs);
        let reached = |costs: &[Option<Cost>]| -> Vec<bool> {
            costs.iter().map(|cost| cost.is_some()).collect()
        };
        let foreseen: Vec<Option<Cost>> = ways.iter().map(|way| way.before).collect();
        // With several planners, the one that answers now may not be the one that can follow.
        match planners.len() {
            2.. => assert_eq!(reached(&foreseen), reached(&before)),
            _ => assert_eq!(foreseen, before),
        }
        let foreseen: Vec<Option<Cost>> = ways.iter().map(|way| way.after).collect();
        assert_eq!(foreseen, after);
        assert_eq!(blocks, ways.iter().any(WayChange::is_cut));
        let really = before.iter().zip(&after).any(|(now, then)| now.is_some() && then.is_none());
        assert_eq!(blocks, really);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_is_foreseen_is_what_happens(seed: u64) {
        check(seed, &[], false);
        check(seed, &["hpa:cluster=8"], false);
        check(seed, &["hpa:cluster=8"], true);
        check(seed, &["pra"], false);
        check(seed, &[], true);
    }

    #[test]
    fn planners_that_cannot_follow_are_passed_over(seed: u64) {
        check(seed, &["hub-labels"], false);
        check(seed, &["hub-labels", "hpa:cluster=8"], false);
    }
}

#[test]
fn a_batch_that_cannot_be_made_and_a_kind_that_does_not_exist() {
    let mut world = PathWorld::new("...\n".parse().unwrap());
    let pairs = [(Cell::new(0, 0), Cell::new(2, 0)), (Cell::new(0, 0), Cell::new(9, 9))];
    let mut outside = Batch::new();
    outside.set((3, 0), Terrain::WALL);
    assert!(world.would_block(KindId::DEFAULT, &outside, &pairs).is_err());
    assert!(world.what_if(KindId::DEFAULT, &outside, &pairs).is_err());
    let mut wall = Batch::new();
    wall.set((2, 0), Terrain::WALL);
    let nobody = KindId(7);
    let ways = world.what_if(nobody, &wall, &pairs).unwrap();
    assert_eq!(ways, [WayChange { before: None, after: None }; 2]);
    assert!(!world.would_block(nobody, &wall, &pairs).unwrap());
    // A goal that is built on cannot be reached; a place outside never could.
    let ways = world.what_if(KindId::DEFAULT, &wall, &pairs).unwrap();
    assert_eq!(ways.iter().map(WayChange::is_cut).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn a_link_may_be_the_only_way() {
    let mut world = PathWorld::new("..#..\n".parse().unwrap());
    let link = Link::new((1, 0), (3, 0), 50);
    world.edit(|edit| _ = edit.open_link(link)).unwrap();
    let pairs = [(Cell::new(0, 0), Cell::new(4, 0))];
    let mut closed = Batch::new();
    closed.close_link(link);
    assert!(world.would_block(KindId::DEFAULT, &closed, &pairs).unwrap());
    assert!(!world.would_block(KindId::DEFAULT, &Batch::new(), &pairs).unwrap());
}
