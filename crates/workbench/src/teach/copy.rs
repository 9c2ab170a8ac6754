//! A query as a Rust program and as a command, to go on with outside of the workbench.

use highroad::Cell;
use highroad::GridMap;
use highroad::grid::{MovementRule, Palette, StepCosts};

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
    /// The planner and its options.
    pub planner: &'a str,
    /// From where to where.
    pub ends: (Cell, Cell),
}

impl CopiedQuery<'_> {
    fn swamp_counts(&self) -> bool {
        self.palette == Palette::Standard && self.swamp != 1
    }
}

/// The query as a Rust program that depends on the crate `highroad` alone. Small maps are part of it; large ones are read
/// from the file.
pub fn as_rust(query: &CopiedQuery<'_>) -> String {
    let (start, goal) = query.ends;
    let drawn = query.map.extent().cell_count() <= DRAWN_CELLS_MAX;
    let mut text =
        format!("//! A path from {start} to {goal}, copied from Highroad's workbench.\n\n");
    text.push_str("use highroad::catalog::Spec;\n");
    let footprint = if query.size > 1 { "Footprint, " } else { "" };
    text.push_str(&format!(
        "use highroad::grid::{{{footprint}Grid, Movement, MovementRule, Palette, Profile, StepCosts}};\n"
    ));
    text.push_str("use highroad::planner::{Answer, PathQuery, Scratch};\n");
    text.push_str(match query.swamp_counts() {
        true => "use highroad::{GridMap, Terrain};\n\n",
        false => "use highroad::GridMap;\n\n",
    });
    if drawn {
        text.push_str("const MAP: &str = \"\\\n");
        for row in query.map.to_string().lines() {
            text.push_str(row);
            text.push_str("\\n\\\n");
        }
        text.push_str("\";\n\n");
    }
    text.push_str("fn main() -> Result<(), Box<dyn std::error::Error>> {\n");
    text.push_str(&match drawn {
        true => "    let map: GridMap = MAP.parse()?;\n".to_owned(),
        false => {
            format!("    let map = GridMap::from_movingai(&std::fs::read({:?})?)?;\n", query.source)
        }
    });
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
    let rule = format!("{:?}", query.rule);
    let (straight, diagonal) = (query.steps.straight(), query.steps.diagonal());
    text.push_str(&format!(
        "    let profile = Profile::for_palette(Palette::{palette}){swamp};\n\
         \x20   let steps = StepCosts::new({straight}, {diagonal})?;\n\
         \x20   let movement = Movement::new(profile, MovementRule::{rule}, steps)?{size};\n\
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
    text
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

    fn query(map: &GridMap) -> CopiedQuery<'_> {
        CopiedQuery {
            map,
            palette: Palette::Standard,
            source: "town.map",
            rule: MovementRule::NeverCutCorners,
            steps: StepCosts::EXACT,
            swamp: 3,
            size: 2,
            planner: "astar:textbook=yes",
            ends: (Cell::new(0, 0), Cell::new(6, 4)),
        }
    }

    /// The example is compiled with the others: so does what is copied.
    #[test]
    fn the_program_is_the_example_that_is_compiled() {
        let map = map();
        let program = as_rust(&query(&map));
        let example = include_str!("../../examples/copied_as_rust.rs");
        let (_, example) = example.split_once("#![allow(clippy::print_stdout)]\n").unwrap();
        assert_eq!(program.split_once("\n\n").unwrap().1, example.trim_start());
    }

    #[test]
    fn large_maps_are_read_from_their_file() {
        let map = GridMap::filled(100, 100, highroad::Terrain::GROUND).unwrap();
        let program = as_rust(&CopiedQuery { swamp: 1, size: 1, ..query(&map) });
        assert!(
            program.contains("GridMap::from_movingai(&std::fs::read(\"town.map\")?)?"),
            "{program}"
        );
        assert!(!program.contains("Terrain") && !program.contains("Footprint"), "{program}");
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
