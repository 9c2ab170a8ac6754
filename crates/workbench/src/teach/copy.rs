//! A query as a Rust program and as a command, to go on with outside of the workbench.

use highroad::Cell;
use highroad::GridMap;
use highroad::grid::{Border, BorderSide, Link, MovementRule, Palette, Slopes, StepCosts};

/// The most cells of a map that a program contains as a drawing.
const DRAWN_CELLS_MAX: usize = 4_096;

/// A query with everything that it depends on.
#[derive(Clone, Copy, Debug)]
pub struct CopiedQuery<'a> {
    /// The map.
    pub map: &'a GridMap,
    /// How its letters are read.
    pub palette: Palette,
    /// Where a command finds the map: a file, or `builtin:NAME`.
    pub source: &'a str,
    /// Which steps are allowed.
    pub rule: MovementRule,
    /// What steps cost.
    pub steps: StepCosts,
    /// What swamp costs, ground being 1.
    pub swamp: u16,
    /// How many cells an agent covers on each side.
    pub size: u8,
    /// What heights mean.
    pub slopes: Slopes,
    /// The planner and its options.
    pub planner: &'a str,
    /// From where to where.
    pub ends: (Cell, Cell),
}

impl CopiedQuery<'_> {
    fn swamp_counts(&self) -> bool {
        self.palette == Palette::Standard && self.swamp != 1
    }

    fn heights_count(&self) -> bool {
        let heights = self.map.height_range();
        heights.end() > heights.start()
    }

    /// The statements that give the map its heights, borders and links.
    fn ground(&self) -> Result<Vec<String>, String> {
        let map = self.map;
        let mut statements = Vec::new();
        for row in 0..map.extent().height() {
            let height = |x: u32| map.height(Cell::new(x, row)).unwrap_or(0);
            let mut x = 0;
            while x < map.extent().width() {
                let alike =
                    (x..map.extent().width()).take_while(|&other| height(other) == height(x));
                let end = x + alike.count() as u32;
                if height(x) > 0 {
                    statements.push(format!(
                        "({x}..{end}).for_each(|x| map.set_height(Cell::new(x, {row}), {}));",
                        height(x)
                    ));
                }
                x = end;
            }
        }
        for cell in map.extent().cells().filter(|_| map.has_relief()) {
            for side in BorderSide::ALL {
                let border = map.border(cell, side).unwrap_or_default();
                if border != Border::Open {
                    let Cell { x, y } = cell;
                    statements.push(format!(
                        "map.set_border(Cell::new({x}, {y}), BorderSide::{side:?}, Border::{border:?});"
                    ));
                }
            }
        }
        for link in map.link_list() {
            let Link { from, to, cost, both_ways, .. } = link;
            let back = if *both_ways { ".with_way_back()" } else { "" };
            statements.push(format!(
                "map.add_link(Link::new(({}, {}), ({}, {}), {cost}){back})?;",
                from.x, from.y, to.x, to.y
            ));
        }
        match statements.len() {
            ..=STATEMENTS_MAX => Ok(statements),
            _ => Err("a program would be too long with all its heights, borders and links; copy a command".to_owned()),
        }
    }
}

/// The most statements about heights, borders and links in a program.
const STATEMENTS_MAX: usize = 400;

/// The query as a Rust program that depends on the crate `highroad` alone. Small maps are part of it; large ones are read
/// from the file.
///
/// # Errors
/// If the map has more heights, borders and links than a program should contain.
pub fn as_rust(query: &CopiedQuery<'_>) -> Result<String, String> {
    let (start, goal) = query.ends;
    let ground = query.ground()?;
    let drawn = query.map.extent().cell_count() <= DRAWN_CELLS_MAX;
    let mut text =
        format!("//! A path from {start} to {goal}, copied from Highroad's workbench.\n\n");
    text.push_str("use highroad::catalog::Spec;\n");
    text.push_str(&uses(query, &ground));
    if drawn {
        text.push_str("const MAP: &str = \"\\\n");
        for row in query.map.to_string().lines() {
            text.push_str(row);
            text.push_str("\\n\\\n");
        }
        text.push_str("\";\n\n");
    }
    text.push_str("fn main() -> Result<(), Box<dyn std::error::Error>> {\n");
    let map = if ground.is_empty() { "map" } else { "mut map" };
    text.push_str(&match drawn {
        true => format!("    let {map}: GridMap = MAP.parse()?;\n"),
        false => {
            format!(
                "    let {map} = GridMap::from_movingai(&std::fs::read({:?})?)?;\n",
                query.source
            )
        }
    });
    for statement in ground {
        text.push_str(&format!("    {statement}\n"));
    }
    let palette = match query.palette {
        Palette::Standard => "Standard",
        Palette::Weighted => "Weighted",
    };
    let swamp = match query.swamp_counts() {
        true => format!(".with_cost(Terrain::SWAMP, {})?", query.swamp),
        false => String::new(),
    };
    let size = match query.size {
        1 => String::new(),
        size => format!("\n        .with_footprint(Footprint::new({size})?)"),
    };
    let (slopes, with_slopes) = match query.heights_count() {
        false => (String::new(), ""),
        true => {
            let (climb, drop) = (query.slopes.climb_max(), query.slopes.drop_max());
            let (up, down) = (query.slopes.uphill(), query.slopes.downhill());
            let text = format!(
                "    let slopes = Slopes::new().with_climb_max({climb}).with_drop_max({drop});\n\
                 \x20   let slopes = slopes.with_uphill({up}).with_downhill({down});\n"
            );
            (text, "\n        .with_slopes(slopes)?")
        }
    };
    let rule = format!("{:?}", query.rule);
    let (straight, diagonal) = (query.steps.straight(), query.steps.diagonal());
    text.push_str(&format!(
        "    let profile = Profile::for_palette(Palette::{palette}){swamp};\n\
         \x20   let steps = StepCosts::new({straight}, {diagonal})?;\n\
         {slopes}\x20   let movement = Movement::new(profile, MovementRule::{rule}, steps)?{size}{with_slopes};\n\
         \x20   let grid = Grid::new(map, movement);\n\
         \x20   let planner = {:?}.parse::<Spec>()?.build(&grid)?;\n\
         \x20   let query = PathQuery::new(({}, {}), ({}, {}));\n\
         \x20   match planner.solve(&grid, &query, &mut Scratch::new())? {{\n\
         \x20       Answer::Found(path) => println!(\"{{}} steps, {{:.3}} long\", path.steps(), path.length()),\n\
         \x20       _ => println!(\"there is no path\"),\n\
         \x20   }}\n\
         \x20   Ok(())\n}}\n",
        query.planner, start.x, start.y, goal.x, goal.y
    ));
    Ok(text)
}

/// What a program imports.
fn uses(query: &CopiedQuery<'_>, ground: &[String]) -> String {
    let says = |word: &str| ground.iter().any(|statement| statement.contains(word));
    let list = |names: &[(&'static str, bool)]| -> Vec<&'static str> {
        names.iter().filter(|(_, used)| *used).map(|(name, _)| *name).collect()
    };
    let grid = list(&[
        ("Border", says("Border::")),
        ("BorderSide", says("BorderSide::")),
        ("Footprint", query.size > 1),
        ("Grid", true),
        ("Link", says("Link::")),
        ("Movement", true),
        ("MovementRule", true),
        ("Palette", true),
        ("Profile", true),
        ("Slopes", query.heights_count()),
        ("StepCosts", true),
    ]);
    let root =
        list(&[("Cell", says("Cell::")), ("GridMap", true), ("Terrain", query.swamp_counts())]);
    let root =
        if let [name] = root[..] { name.to_owned() } else { format!("{{{}}}", root.join(", ")) };
    format!(
        "use highroad::grid::{};\nuse highroad::planner::{{Answer, PathQuery, Scratch}};\nuse highroad::{root};\n\n",
        braced(&grid)
    )
}

/// A list of imports as rustfmt writes it: in rows of 100 characters, if it is longer than one.
fn braced(names: &[&str]) -> String {
    const ROW: usize = 100;
    let line = format!("{{{}}}", names.join(", "));
    if "use highroad::grid::".len() + line.len() < ROW {
        return line;
    }
    let mut rows = vec!["   ".to_owned()];
    for name in names {
        let row = rows.last_mut().filter(|row| row.len() + name.len() + 2 <= ROW);
        match row {
            Some(row) => row.push_str(&format!(" {name},")),
            None => rows.push(format!("    {name},")),
        }
    }
    format!("{{\n{}\n}}", rows.join("\n"))
}

/// The query as a command of the shell.
pub fn as_command(query: &CopiedQuery<'_>) -> String {
    let (start, goal) = query.ends;
    let mut text = format!(
        "highroad solve {} --from {},{} --to {},{} --planner {}",
        quoted(query.source),
        start.x,
        start.y,
        goal.x,
        goal.y,
        query.planner
    );
    if query.rule != MovementRule::default() {
        text.push_str(&format!(" --rule {}", query.rule.name()));
    }
    if query.steps != StepCosts::default() {
        text.push_str(&format!(" --steps {}/{}", query.steps.straight(), query.steps.diagonal()));
    }
    if query.swamp_counts() {
        text.push_str(&format!(" --swamp {}", query.swamp));
    }
    if query.size != 1 {
        text.push_str(&format!(" --size {}", query.size));
    }
    if query.heights_count() {
        let slopes = query.slopes;
        text.push_str(&format!(
            " --slopes {}/{}/{}/{}",
            slopes.climb_max(),
            slopes.drop_max(),
            slopes.uphill(),
            slopes.downhill()
        ));
    }
    text
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-:+,=".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> GridMap {
        "........\n........\n...##...\n........\n..SS....\n........\n".parse().unwrap()
    }

    /// The same with heights, borders and links.
    fn shaped_map() -> GridMap {
        let mut map = map();
        (1..4).for_each(|x| map.set_height(Cell::new(x, 1), 4));
        map.set_border(Cell::new(5, 0), BorderSide::East, Border::Closed);
        map.set_border(Cell::new(5, 1), BorderSide::South, Border::OneWay);
        map.add_link(Link::new((0, 5), (7, 0), 9512).with_way_back()).unwrap();
        map
    }

    fn query(map: &GridMap) -> CopiedQuery<'_> {
        CopiedQuery {
            map,
            palette: Palette::Standard,
            source: "town.map",
            rule: MovementRule::NeverCutCorners,
            steps: StepCosts::EXACT,
            swamp: 3,
            size: 2,
            slopes: Slopes::new().with_climb_max(6).with_drop_max(9).with_uphill(20),
            planner: "astar:textbook=yes",
            ends: (Cell::new(0, 0), Cell::new(6, 4)),
        }
    }

    /// The example is compiled with the others: so does what is copied.
    #[test]
    fn the_program_is_the_example_that_is_compiled() {
        let map = shaped_map();
        let program = as_rust(&query(&map)).unwrap();
        let example = include_str!("../../examples/copied_as_rust.rs");
        let (_, example) = example.split_once("#![allow(clippy::print_stdout)]\n").unwrap();
        assert_eq!(program.split_once("\n\n").unwrap().1, example.trim_start());
    }

    #[test]
    fn large_maps_are_read_from_their_file() {
        let map = GridMap::filled(100, 100, highroad::Terrain::GROUND).unwrap();
        let program = as_rust(&CopiedQuery { swamp: 1, size: 1, ..query(&map) }).unwrap();
        assert!(
            program.contains("GridMap::from_movingai(&std::fs::read(\"town.map\")?)?"),
            "{program}"
        );
        let unused = ["Terrain", "Footprint", "Slopes", "Cell::", "mut map"];
        assert!(unused.iter().all(|word| !program.contains(word)), "{program}");
    }

    #[test]
    fn what_would_be_too_long_a_program_is_refused() {
        let mut map = GridMap::filled(60, 60, highroad::Terrain::GROUND).unwrap();
        for cell in map.extent().cells().filter(|cell| (cell.x + cell.y) % 2 == 0) {
            map.set_height(cell, 3);
        }
        assert!(as_rust(&query(&map)).unwrap_err().contains("too long"));
        assert!(as_command(&query(&map)).ends_with(" --slopes 6/9/20/0"));
    }

    #[test]
    fn commands_say_only_what_is_not_usual() {
        let map = map();
        let usual = CopiedQuery { swamp: 1, size: 1, ..query(&map) };
        assert_eq!(
            as_command(&usual),
            "highroad solve town.map --from 0,0 --to 6,4 --planner astar:textbook=yes"
        );
        let other = CopiedQuery {
            rule: MovementRule::FourWay,
            steps: StepCosts::THESIS,
            source: "my town's.map",
            ..query(&map)
        };
        assert_eq!(
            as_command(&other),
            r"highroad solve 'my town'\''s.map' --from 0,0 --to 6,4 --planner astar:textbook=yes --rule four-way --steps 5/7 --swamp 3 --size 2"
        );
    }
}
