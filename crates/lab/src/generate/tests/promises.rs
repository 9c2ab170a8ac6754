//! Every recipe, whatever its parameters.

use super::*;
use highroad::grid::{Components, Grid};
use proptest::prelude::*;

fn layouts() -> impl Strategy<Value = Layout> {
    let percent = || 0u32..=100;
    prop_oneof![
        (percent(), any::<bool>()).prop_map(|(blocked_percent, connected)| {
            Layout::Obstacles { blocked_percent, connected }
        }),
        (1u32..45, percent())
            .prop_map(|(room_side, doors_percent)| Layout::Rooms { room_side, doors_percent }),
        (1u32..45, percent(), percent()).prop_map(
            |(corridor_width, braid_percent, winding_percent)| Layout::Maze {
                corridor_width,
                braid_percent,
                winding_percent
            }
        ),
        (percent(), 0u32..8, any::<bool>()).prop_map(|(noise_percent, steps, joined)| {
            Layout::Caves { noise_percent, steps, joined }
        }),
        (8u32..45, percent(), percent()).prop_map(|(block, wide, built_percent)| {
            let street = 2 + (block / 2 - 2) * wide / 100;
            Layout::City { block, street, built_percent }
        }),
        (2u32..45, percent(), percent(), percent()).prop_map(
            |(size, land_percent, swamp_percent, trees_percent)| Layout::Islands {
                size,
                land_percent,
                swamp_percent,
                trees_percent
            }
        ),
        (2u32..45, 0u32..=8, 2u32..=16, percent()).prop_map(
            |(size, roughness, classes, lakes_percent)| Layout::Hills {
                size,
                roughness,
                classes,
                lakes_percent
            }
        ),
        (2u32..45, 0u32..=8, 1u32..=65_535, percent()).prop_map(
            |(size, roughness, highest, lakes_percent)| Layout::Highlands {
                size,
                roughness,
                highest,
                lakes_percent
            }
        ),
        (2u32..20, percent())
            .prop_map(|(room, doors_percent)| Layout::Colony { room, doors_percent }),
    ]
}

proptest! {
    #[test]
    fn every_recipe_makes_its_map_and_keeps_its_promise(
        width in 1u32..40,
        height in 1u32..40,
        layout in layouts(),
        seed in any::<u64>(),
    ) {
        let recipe = MapRecipe { width, height, layout, seed };
        let map = recipe.generate().unwrap();
        prop_assert_eq!((map.extent().width(), map.extent().height()), (width, height));
        let again: MapRecipe = recipe.to_string().parse().unwrap();
        prop_assert_eq!(again, recipe);
        prop_assert_eq!(&again.generate().unwrap(), &map);
        // From its file as well, byte for byte.
        let mut signed = map.clone();
        recipe.sign(&mut signed);
        let file = signed.to_movingai();
        let read = GridMap::from_movingai(&file).unwrap();
        let shown = MapRecipe::of(&read).unwrap().unwrap();
        let mut from_file = shown.generate().unwrap();
        shown.sign(&mut from_file);
        prop_assert_eq!(from_file.to_movingai(), file);
        let parts = part_sizes(&map);
        match layout {
            Layout::Obstacles { connected: true, .. } => {
                prop_assert!(parts.len() <= 1, "{}\n{}", recipe, map);
            }
            Layout::Obstacles { connected: false, .. }
            | Layout::Caves { joined: false, .. }
            | Layout::Islands { .. }
            | Layout::Hills { .. } => {}
            Layout::Highlands { highest, .. } => {
                prop_assert!(u32::from(*map.height_range().end()) <= highest, "{}", recipe);
            }
            // Walls take no cells: whether doors join the rooms, a grid says.
            Layout::Colony { .. } => {
                let parts = Components::of(&Grid::with_defaults(map.clone()));
                prop_assert_eq!(parts.count(), 1, "{}", recipe);
            }
            Layout::City { .. } => prop_assert!(parts.len() <= 1, "{}\n{}", recipe, map),
            Layout::Rooms { .. } | Layout::Maze { .. } => {
                prop_assert_eq!(parts.len(), 1, "{}\n{}", recipe, map);
            }
            Layout::Caves { joined: true, .. } => {
                prop_assert!(parts.len() <= 1, "{}\n{}", recipe, map);
                prop_assert!(parts.iter().all(|&size| size >= 16), "{}\n{}", recipe, map);
            }
        }
    }

    #[test]
    fn mazes_are_perfect_and_their_corridors_equally_wide(
        width in 1u32..40,
        height in 1u32..40,
        corridor in 1u32..9,
        winding_percent in 0u32..=100,
        seed in any::<u64>(),
    ) {
        let layout = |braid_percent| Layout::Maze {
            corridor_width: corridor,
            braid_percent,
            winding_percent,
        };
        let recipe = MapRecipe { width, height, layout: layout(0), seed };
        let map = recipe.generate().unwrap();
        let (columns, rows) = (block_count(width, corridor), block_count(height, corridor));
        let (passages, _) = passages_and_dead_ends(&map, corridor);
        prop_assert_eq!(passages, columns * rows - 1, "{}\n{}", recipe, map);
        // Every block is open, every passage as wide as its blocks, and nothing else is open. Blocks
        // are cut short only where there is a single row or column of them.
        let (across, down) = (corridor.min(width), corridor.min(height));
        let passage_cells = if rows == 1 { down } else { across };
        let ground = columns * rows * across * down + passages * passage_cells;
        prop_assert_eq!(ground_count(&map), ground, "{}\n{}", recipe, map);
        for cell in map.extent().cells().filter(|&Cell { x, y }| is_ground(&map, x, y)) {
            prop_assert!(in_open_square(&map, cell, across.min(down)), "{cell} of {recipe}\n{map}");
        }
        let braided = MapRecipe { layout: layout(100), ..recipe }.generate().unwrap();
        let (_, dead_ends) = passages_and_dead_ends(&braided, corridor);
        prop_assert!(dead_ends == 0 || columns == 1 || rows == 1, "{}\n{}", recipe, braided);
    }
}

/// Whether a cell lies in some square of ground of that side.
fn in_open_square(map: &GridMap, cell: Cell, side: u32) -> bool {
    let starts = |at: u32| at.saturating_sub(side - 1)..=at;
    starts(cell.y).any(|top| {
        starts(cell.x).any(|left| {
            (top..top + side).all(|y| (left..left + side).all(|x| is_ground(map, x, y)))
        })
    })
}
