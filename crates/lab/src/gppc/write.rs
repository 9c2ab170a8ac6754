//! Writing dynamic scenarios and their patches.

use super::{Command, DynamicScenario, Patch};
use std::fmt::Write;

impl DynamicScenario {
    /// The text of the scenario's file. The map's states are counted from 0: whenever patches follow
    /// queries, there is another one.
    pub fn to_text(&self) -> String {
        let (width, height) = self.size;
        let mut text = format!(
            "version 2\nheight {height}\nwidth {width}\ncost 1 octile\npatch {}\ncommands\n",
            self.patch_name
        );
        let (mut state, mut asked) = (0, false);
        for command in &self.commands {
            match *command {
                Command::Patch { patch, at, .. } => {
                    state += u32::from(std::mem::replace(&mut asked, false));
                    _ = writeln!(text, "P {state} {patch} {} {}", at.x, at.y);
                }
                Command::Query { start, goal, length } => {
                    asked = true;
                    _ = write!(text, "Q {state} {} {} {} {} ", start.x, start.y, goal.x, goal.y);
                    _ = match length {
                        Some(length) => writeln!(text, "{length:.10}"),
                        None => writeln!(text, "-1"),
                    };
                }
            }
        }
        text
    }
}

impl Patch {
    /// The text of a file of patches.
    pub fn all_to_text(patches: &[Self]) -> String {
        let mut text = format!("type patch\npatches {}\n", patches.len());
        for (number, patch) in patches.iter().enumerate() {
            let (width, height) = patch.size();
            _ = writeln!(text, "patch {number}\nheight {height}\nwidth {width}\nmap");
            for row in &patch.rows {
                text.extend(row.iter().map(|terrain| char::from(terrain.letter())));
                text.push('\n');
            }
        }
        text
    }
}
