//! Which cells a brush, a line or a bucket of paint touches.

use highroad::Cell;
use highroad::grid::Extent;

/// The cells of a round brush `size` cells across, around a cell. Those outside the map are left out.
pub(super) fn brush(extent: Extent, middle: Cell, size: u32) -> Vec<Cell> {
    let size = i64::from(size.max(1));
    // An even brush has its middle between cells: up and left of the given one.
    let low = -(size / 2);
    let offset = if size % 2 == 0 { 1 } else { 0 };
    let mut cells = Vec::new();
    for dy in low..low + size {
        for dx in low..low + size {
            // Twice the distance from the middle, so that it stays an integer.
            let (x, y) = (2 * dx + offset, 2 * dy + offset);
            if x * x + y * y <= size * size {
                cells.extend(shifted(extent, middle, dx, dy));
            }
        }
    }
    cells
}

fn shifted(extent: Extent, cell: Cell, dx: i64, dy: i64) -> Option<Cell> {
    let x = u32::try_from(i64::from(cell.x) + dx).ok()?;
    let y = u32::try_from(i64::from(cell.y) + dy).ok()?;
    Some(Cell::new(x, y)).filter(|&cell| extent.contains(cell))
}

/// The cells of a straight line, each touching the next (Bresenham 1965).
pub(super) fn line(from: Cell, to: Cell) -> Vec<Cell> {
    let (x1, y1) = (i64::from(to.x), i64::from(to.y));
    let (mut x, mut y) = (i64::from(from.x), i64::from(from.y));
    let (dx, dy) = ((x1 - x).abs(), -(y1 - y).abs());
    let (step_x, step_y) = ((x1 - x).signum(), (y1 - y).signum());
    let mut error = dx + dy;
    let mut cells = vec![from];
    while (x, y) != (x1, y1) {
        let doubled = 2 * error;
        if doubled >= dy {
            error += dy;
            x += step_x;
        }
        if doubled <= dx {
            error += dx;
            y += step_y;
        }
        cells.push(Cell::new(x as u32, y as u32));
    }
    cells
}

/// The cells that have a property and hang together with one that has it by straight steps, as runs within rows:
/// first and last cell of each.
pub(super) fn bucket(extent: Extent, from: Cell, has: impl Fn(Cell) -> bool) -> Vec<(Cell, Cell)> {
    let alike = |x: u32, y: u32| {
        let cell = Cell::new(x, y);
        extent.contains(cell) && has(cell)
    };
    if !alike(from.x, from.y) {
        return Vec::new();
    }
    let mut seen = vec![false; extent.cell_count()];
    let index = |x: u32, y: u32| y as usize * extent.width() as usize + x as usize;
    let mut waiting = vec![from];
    let mut runs = Vec::new();
    while let Some(Cell { x, y }) = waiting.pop() {
        if seen[index(x, y)] {
            continue;
        }
        let first = (0..=x).rev().take_while(|&x| alike(x, y)).last().unwrap_or(x);
        let end = (x..extent.width()).take_while(|&x| alike(x, y)).last().unwrap_or(x);
        for x in first..=end {
            seen[index(x, y)] = true;
            for beside in [y.checked_sub(1), Some(y + 1)].into_iter().flatten() {
                let enters = alike(x, beside) && !seen[index(x, beside)];
                // One seed for each stretch is enough.
                if enters && (x == first || !alike(x - 1, beside)) {
                    waiting.push(Cell::new(x, beside));
                }
            }
        }
        runs.push((Cell::new(first, y), Cell::new(end, y)));
    }
    runs
}

/// The cell nearest to a cell that has a property, as the crow flies; of several, the topmost, then the leftmost.
pub(super) fn nearest(extent: Extent, from: Cell, has: impl Fn(Cell) -> bool) -> Option<Cell> {
    let side = i64::from(extent.width().max(extent.height()));
    let mut best: Option<(i64, Cell)> = None;
    for radius in 0..=side {
        // A square ring lies at least that far away.
        if best.is_some_and(|(distance, _)| distance <= radius * radius) {
            break;
        }
        for dy in -radius..=radius {
            let edge = dy.abs() == radius;
            let step = if edge { 1 } else { (2 * radius).max(1) };
            for dx in (-radius..=radius).step_by(step as usize) {
                let distance = dx * dx + dy * dy;
                let Some(cell) = shifted(extent, from, dx, dy).filter(|&cell| has(cell)) else {
                    continue;
                };
                if best.is_none_or(|(least, _)| distance < least) {
                    best = Some((distance, cell));
                }
            }
        }
    }
    best.map(|(_, cell)| cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad::grid::{Batch, Grid};
    use highroad::{CellRect, GridMap, Terrain};

    fn drawn(width: u32, height: u32, cells: &[Cell]) -> String {
        let mut map = GridMap::filled(width, height, Terrain::GROUND).unwrap();
        for &cell in cells {
            assert!(map.set(cell, Terrain::WALL).is_some(), "{cell} is outside");
        }
        map.to_string()
    }

    #[test]
    fn brushes_are_round_and_stay_inside() {
        let extent = Extent::new(5, 5).unwrap();
        let at = |size| drawn(5, 5, &brush(extent, Cell::new(2, 2), size));
        assert_eq!(at(1), ".....\n.....\n..@..\n.....\n.....\n");
        assert_eq!(at(2), ".....\n.@@..\n.@@..\n.....\n.....\n");
        assert_eq!(at(3), ".....\n.@@@.\n.@@@.\n.@@@.\n.....\n");
        assert_eq!(at(4).matches('@').count(), 12);
        assert_eq!(drawn(5, 5, &brush(extent, Cell::new(0, 0), 3)).matches('@').count(), 4);
    }

    #[test]
    fn lines_run_from_end_to_end() {
        let cells = line(Cell::new(0, 0), Cell::new(5, 2));
        assert_eq!(drawn(6, 3, &cells), "@@....\n..@@..\n....@@\n");
        let back = line(Cell::new(5, 2), Cell::new(0, 0));
        assert_eq!((back.len(), back[5]), (6, Cell::new(0, 0)));
        assert_eq!(line(Cell::new(3, 1), Cell::new(3, 1)), [Cell::new(3, 1)]);
    }

    #[test]
    fn the_nearest_cell_is_the_one_a_full_look_finds() {
        let map: GridMap = "#####.\n######\n######\n.#####\n######\n".parse().unwrap();
        let grid = Grid::with_defaults(map);
        let extent = grid.extent();
        let free = |cell| grid.is_enterable(cell);
        let away = |from: Cell, to: Cell| {
            let (dx, dy) =
                (i64::from(from.x) - i64::from(to.x), i64::from(from.y) - i64::from(to.y));
            dx * dx + dy * dy
        };
        for from in extent.cells() {
            let found = nearest(extent, from, free).unwrap();
            let least = extent.cells().filter(|&cell| free(cell)).map(|to| away(from, to)).min();
            assert_eq!(Some(away(from, found)), least, "{from} {found}");
        }
        assert_eq!(nearest(extent, Cell::new(2, 2), |_| false), None);
    }

    #[test]
    fn a_bucket_fills_what_hangs_together() {
        let map: GridMap = "..#..\n.##..\n...#.\n#.##.\n".parse().unwrap();
        let mut grid = Grid::with_defaults(map.clone());
        let mut batch = Batch::new();
        let is_ground = |cell| map.terrain(cell) == Some(Terrain::GROUND);
        for (first, last) in bucket(map.extent(), Cell::new(0, 0), is_ground) {
            batch.fill(CellRect::new(first, last), Terrain::WATER);
        }
        grid.apply(&batch).unwrap();
        assert_eq!(grid.map().to_string(), "WW@..\nW@@..\nWWW@.\n@W@@.\n");
        assert!(bucket(map.extent(), Cell::new(9, 9), |_| true).is_empty());
    }
}
