mod promises;

use super::*;
use highroad::{Cell, Terrain};

fn generate(line: &str) -> GridMap {
    line.parse::<MapRecipe>().unwrap().generate().unwrap()
}

fn is_ground(map: &GridMap, x: u32, y: u32) -> bool {
    map.terrain(Cell::new(x, y)) == Some(Terrain::GROUND)
}

/// How many cells of ground each part has, by straight steps: a flood of its own, cell by cell.
fn part_sizes(map: &GridMap) -> Vec<u32> {
    let extent = map.extent();
    let mut entered = vec![false; extent.cell_count()];
    let mut sizes = Vec::new();
    for first in extent.cells() {
        let mut waiting = vec![first];
        let mut size = 0;
        while let Some(cell) = waiting.pop() {
            let Some(id) = extent.id(cell) else { continue };
            if !is_ground(map, cell.x, cell.y) || std::mem::replace(&mut entered[id.index()], true)
            {
                continue;
            }
            size += 1;
            waiting.push(Cell::new(cell.x + 1, cell.y));
            waiting.push(Cell::new(cell.x, cell.y + 1));
            waiting.push(Cell::new(cell.x.wrapping_sub(1), cell.y));
            waiting.push(Cell::new(cell.x, cell.y.wrapping_sub(1)));
        }
        if size > 0 {
            sizes.push(size);
        }
    }
    sizes
}

fn ground_count(map: &GridMap) -> u32 {
    map.count(Terrain::GROUND)
}

/// FNV-1a of the map's drawing.
fn fingerprint(map: &GridMap) -> u64 {
    map.to_string().bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

const SMALL_MAPS: [(&str, &str); 5] = [
    (
        "obstacles width=20 height=5 blocked=30 seed=1",
        "
        ........@......@....
        @@.@@@..@.....@.....
        ..@....@...@...@.@..
        .@...@@@.@@........@
        .@.....@@...@..@..@.
        ",
    ),
    (
        "rooms width=20 height=12 room=4 doors=60 seed=1",
        "
        ....@....@.........@
        ..............@....@
        ....@....@....@....@
        ....@....@....@....@
        @@.@@@@@@@@@@@@@@.@@
        ....@....@....@....@
        ....@....@....@....@
        ....@....@....@....@
        ..............@....@
        @@.@@@@@@@.@@@@.@@@@
        .........@....@....@
        ....@....@....@....@
        ",
    ),
    (
        "maze width=20 height=9 corridor=1 braid=0 seed=1",
        "
        ...@...@.@.....@...@
        .@@@.@.@.@.@.@.@@@.@
        .....@.@...@.@.@...@
        .@@@@@.@@@@@.@.@.@.@
        ...@.@.....@.@...@.@
        @@.@.@@@@@.@.@@@@@@@
        .@.@...@.@.@.......@
        .@.@.@.@.@@@@@@@@@.@
        .....@.............@
        ",
    ),
    (
        "maze width=20 height=8 corridor=2 braid=100 seed=1",
        "
        ..............@.....
        ..............@.....
        ..@..@@@@@@@..@..@..
        ..@........@.....@..
        ..@........@.....@..
        ..@@@@..@..@@@@@@@..
        ....................
        ....................
        ",
    ),
    (
        "caves width=40 height=16 noise=50 steps=4 joined=yes seed=3",
        "
        @@..........@@@@@@@@@@@@@@@@@@@@@@@@@@@@
        @@...@@@@....@@@@@@@@@@@@@@@@@@@@@@@@@@@
        @.....@@@...................@@@@@@@@@@@@
        @.....@@@@....@@@@@@@@......@@@@@@@@@@@@
        @@....@@@@@..@@@@@@@@.............@@@@@@
        @@@@.@@@@@@.@@@@@@.........@@@@...@@@@@@
        @@@@@@@@@@@.@@@@@..........@@@@....@@@@@
        @@@@@@@@@@@...@@@..@@@.....@@@@.....@@@@
        @@@@@@@@@@....@@..@@@@@....@@@@@.....@@@
        @@@@@.........@@..@@@@@....@@@@@.....@@@
        @@@..........@@..@@@@@@....@@@@@....@@@@
        @@..........@@@..@@@@@@....@@@@@...@@@@@
        @...........@@@@@@@@@@@@....@@@@...@@@@@
        @@@@@@@@@..@@@@@@@@@@@@@....@@@@@.@@@@@@
        @@@@@@@@@@@@@@@@@@@@@@@@@...@@@@@@@@@@@@
        @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
        ",
    ),
];

#[test]
fn small_maps_look_as_they_always_did() {
    for (line, drawing) in SMALL_MAPS {
        let map = generate(line);
        assert_eq!(map, drawing.parse().unwrap(), "{line}\n{map}");
    }
}

#[test]
fn larger_maps_are_the_same_on_every_machine() {
    let mut changed = Vec::new();
    for (line, expected) in [
        ("obstacles width=200 height=150 blocked=30 seed=7", 0xee75_8d7e_2668_919b),
        ("rooms width=200 height=150 room=9 doors=75 seed=7", 0x48d9_2f2a_f62b_59f5),
        ("maze width=200 height=150 corridor=1 braid=0 seed=7", 0xe865_0303_97ba_75bb),
        ("maze width=200 height=150 corridor=3 braid=50 seed=7", 0xbe4e_758a_abb4_cd95),
        ("caves width=200 height=150 noise=50 steps=5 joined=no seed=7", 0xf94c_cced_48a8_5e9b),
        ("caves width=200 height=150 noise=50 steps=5 joined=yes seed=7", 0xe097_8642_b732_5a75),
        ("city width=200 height=150 block=32 street=8 built=85 seed=7", 0x51a7_2b4a_f133_9415),
        (
            "islands width=200 height=150 size=40 land=50 swamp=15 trees=20 seed=7",
            0x7d37_a6c5_ef2b_f6e3,
        ),
        (
            "hills width=200 height=150 size=40 roughness=4 classes=16 lakes=5 seed=7",
            0xd0c3_3ede_86cd_9199,
        ),
    ] {
        let found = fingerprint(&generate(line));
        if found != expected {
            changed.push(format!("{line}: {found:#018x}"));
        }
    }
    assert_eq!(changed, Vec::<String>::new());
}

#[test]
fn another_seed_is_another_map() {
    for line in [
        "obstacles width=40 height=30 blocked=30",
        "rooms width=40 height=30 room=4 doors=75",
        "maze width=40 height=30 corridor=1 braid=0",
        "caves width=40 height=30 noise=45 steps=3 joined=yes",
        "city width=40 height=30 block=16 street=4 built=90",
        "islands width=40 height=30 size=16 land=50 swamp=20 trees=20",
        "hills width=40 height=30 size=16 roughness=2 classes=8 lakes=5",
    ] {
        let [one, other] = [1, 2].map(|seed| generate(&format!("{line} seed={seed}")));
        assert_ne!(one, other, "{line}");
    }
}

#[test]
fn what_is_out_of_range_is_named() {
    let error = |line: &str| line.parse::<MapRecipe>().unwrap().generate().unwrap_err().to_string();
    let size = "caves width=0 height=16385 noise=45 steps=5 joined=yes seed=1";
    assert_eq!(error(size), "a map of 0 × 16385 cells: each side must be from 1 to 16384");
    for (layout, message) in [
        ("obstacles blocked=101", "blocked=101: it must be from 0 to 100"),
        ("rooms room=0 doors=50", "room=0: it must be from 1 to 16384"),
        ("rooms room=4294967295 doors=50", "room=4294967295: it must be from 1 to 16384"),
        ("rooms room=5 doors=200", "doors=200: it must be from 0 to 100"),
        ("maze corridor=0 braid=0", "corridor=0: it must be from 1 to 16384"),
        ("maze corridor=1 braid=101", "braid=101: it must be from 0 to 100"),
        ("caves noise=101 steps=0 joined=no", "noise=101: it must be from 0 to 100"),
        ("caves noise=45 steps=101 joined=no", "steps=101: it must be from 0 to 100"),
        ("city block=7 street=2 built=50", "block=7: it must be from 8 to 16384"),
        ("city block=20 street=11 built=50", "street=11: it must be from 2 to 10"),
        ("islands size=1 land=50 swamp=1 trees=1", "size=1: it must be from 2 to 16384"),
        ("hills size=9 roughness=9 classes=9 lakes=9", "roughness=9: it must be from 0 to 8"),
        ("hills size=9 roughness=8 classes=17 lakes=9", "classes=17: it must be from 2 to 16"),
    ] {
        assert_eq!(error(&format!("{layout} width=9 height=9 seed=1")), message);
    }
}

#[test]
fn obstacles_have_the_share_that_was_asked_for() {
    for percent in [0, 1, 10, 40, 75, 99, 100] {
        let map = generate(&format!("obstacles width=400 height=250 blocked={percent} seed=3"));
        let share = f64::from(map.count(Terrain::WALL)) / 1_000.0;
        assert!((share - f64::from(percent)).abs() < 0.5, "{share} instead of {percent} per cent");
    }
    assert_eq!(generate("obstacles width=400 height=250 blocked=0 seed=3").count(Terrain::WALL), 0);
    let full = generate("obstacles width=400 height=250 blocked=100 seed=3");
    assert_eq!(ground_count(&full), 0);
}

#[test]
fn rooms_have_the_share_of_doors_that_was_asked_for() {
    // 50 × 40 rooms without the walls, 4·50 × 4·40 cells: what ground is left over is doors.
    let walls = 49 * 40 + 50 * 39;
    for (percent, expected) in
        [(0, 1_999), (51, 1_999), (60, walls * 60 / 100), (80, walls * 80 / 100), (100, walls)]
    {
        let map = generate(&format!("rooms width=249 height=199 room=4 doors={percent} seed=5"));
        let doors = ground_count(&map) - 200 * 160;
        assert!(doors.abs_diff(expected) < 120, "{doors} instead of {expected} doors");
        assert!(percent % 100 > 0 || doors == expected, "{doors} instead of {expected} doors");
    }
}

#[test]
fn no_wall_between_two_rooms_has_more_than_one_door() {
    let map = generate("rooms width=59 height=47 room=5 doors=90 seed=2");
    for wall_x in (5..59).step_by(6) {
        for top in (0..47).step_by(6) {
            let doors = (top..top + 5).filter(|&y| is_ground(&map, wall_x, y)).count();
            assert!(doors <= 1, "{doors} doors east of the room at ({}, {top})\n{map}", wall_x - 5);
        }
        for wall_y in (5..47).step_by(6) {
            assert!(!is_ground(&map, wall_x, wall_y), "a door in a corner\n{map}");
        }
    }
}

#[test]
fn caves_look_like_caves() {
    let map = generate("caves width=300 height=300 noise=45 steps=5 joined=yes seed=4");
    let ground = ground_count(&map);
    assert!((30_000..70_000).contains(&ground), "{ground} of 90,000 cells are ground");
    // Smooth: nearly every cell is like its neighbour to the right.
    let changes = map
        .extent()
        .cells()
        .filter(|&Cell { x, y }| x + 1 < 300 && is_ground(&map, x, y) != is_ground(&map, x + 1, y));
    let changes = changes.count();
    assert!(changes < 90_000 / 8, "{changes} changes");
}

#[test]
fn joining_caves_takes_nothing_but_small_parts() {
    let recipe = "caves width=300 height=300 noise=50 steps=4";
    let apart = generate(&format!("{recipe} joined=no seed=6"));
    let joined = generate(&format!("{recipe} joined=yes seed=6"));
    let sizes = part_sizes(&apart);
    assert!(sizes.len() > 50 && sizes.iter().any(|&size| size < 16), "{sizes:?}");
    assert_eq!(part_sizes(&joined).len(), 1);
    let lost = apart
        .extent()
        .cells()
        .filter(|&Cell { x, y }| is_ground(&apart, x, y) && !is_ground(&joined, x, y));
    // A tunnel may have gone through a small part.
    let small: u32 = sizes.iter().filter(|&&size| size < 16).sum();
    assert!(lost.count() as u32 <= small);
}

#[test]
fn islands_and_hills_have_the_shares_that_were_asked_for() {
    let share = |map: &GridMap, letters: &str| {
        let count = |letter: u8| map.count(Terrain::from_letter(letter).unwrap());
        let cells = map.extent().cell_count() as f64;
        f64::from(letters.bytes().map(count).sum::<u32>()) * 100.0 / cells
    };
    let near = |found: f64, wanted: f64| {
        assert!((found - wanted).abs() < 0.5, "{found} instead of {wanted} per cent");
    };
    for (land, swamp) in [(0, 0), (30, 100), (55, 25), (100, 10)] {
        let line = format!("islands width=300 height=200 size=50 land={land} swamp={swamp}");
        let map = generate(&format!("{line} trees=0 seed=2"));
        near(share(&map, ".S"), f64::from(land));
        near(share(&map, "S"), f64::from(land * swamp) / 100.0);
        let map = generate(&format!("{line} trees=40 seed=2"));
        near(share(&map, "T"), f64::from(land) * 0.4);
    }
    // Of four classes the first has 4 parts of 10.
    let map = generate("hills width=300 height=200 size=50 roughness=4 classes=4 lakes=20 seed=2");
    for (letters, wanted) in [("@", 20.0), ("A", 32.0), ("B", 24.0), ("C", 16.0), ("D", 8.0)] {
        near(share(&map, letters), wanted);
    }
    let map = generate("hills width=300 height=200 size=50 roughness=4 classes=16 lakes=0 seed=2");
    assert!((b'A'..=b'P').all(|letter| map.count(Terrain::from_letter(letter).unwrap()) > 200));
}

/// A column of blocks of a maze or of rooms begins every so many cells.
fn block_count(length: u32, side: u32) -> u32 {
    ((length + 1) / (side + 1)).max(1)
}

/// The passages of a maze, read off its drawing, and how many of its blocks are dead ends.
fn passages_and_dead_ends(map: &GridMap, corridor: u32) -> (u32, u32) {
    let pitch = corridor + 1;
    let (columns, rows) =
        (block_count(map.extent().width(), corridor), block_count(map.extent().height(), corridor));
    let east = |c: u32, r: u32| c + 1 < columns && is_ground(map, c * pitch + corridor, r * pitch);
    let south = |c: u32, r: u32| r + 1 < rows && is_ground(map, c * pitch, r * pitch + corridor);
    let (mut passages, mut dead_ends) = (0, 0);
    for (r, c) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
        passages += u32::from(east(c, r)) + u32::from(south(c, r));
        let ways = [east(c, r), south(c, r), c > 0 && east(c - 1, r), r > 0 && south(c, r - 1)];
        dead_ends += u32::from(ways.iter().filter(|&&way| way).count() == 1);
    }
    (passages, dead_ends)
}

#[test]
fn braiding_opens_the_share_of_dead_ends_that_was_asked_for() {
    let dead_ends = |percent: u32| {
        let map = generate(&format!("maze width=399 height=399 corridor=1 braid={percent} seed=8"));
        passages_and_dead_ends(&map, 1).1
    };
    let all = dead_ends(0);
    assert!(all > 3_000, "{all}");
    let half = dead_ends(50);
    assert!((all * 2 / 5..all * 3 / 5).contains(&half), "{half} of {all} dead ends are left");
    assert_eq!(dead_ends(100), 0);
}

#[test]
fn long_thin_maps_of_the_largest_side_are_made() {
    for size in ["width=16384 height=1", "width=1 height=16384", "width=16384 height=3"] {
        for layout in [
            "obstacles blocked=30",
            "rooms room=1 doors=0",
            "rooms room=16384 doors=50",
            "maze corridor=1 braid=10",
            "maze corridor=16384 braid=10",
            "caves noise=30 steps=0 joined=yes",
            "city block=64 street=16 built=50",
            "islands size=16384 land=100 swamp=0 trees=0",
        ] {
            assert!(ground_count(&generate(&format!("{layout} {size} seed=1"))) > 0);
        }
    }
}

/// One generator always, in 300 MB; all of them, which takes over a minute, with `HIGHROAD_LARGEST=1`.
#[test]
fn the_largest_maps_are_made() {
    let layouts = [
        "obstacles blocked=30",
        "rooms room=1 doors=75",
        "maze corridor=1 braid=10",
        "caves noise=45 steps=5 joined=yes",
    ];
    let count = if std::env::var_os("HIGHROAD_LARGEST").is_some() { layouts.len() } else { 1 };
    for layout in &layouts[..count] {
        let map = generate(&format!("{layout} width=16384 height=16384 seed=1"));
        assert!(ground_count(&map) > 1 << 26, "{layout}");
    }
}
