//! A recipe as one line: the layout's name, then every parameter as `name=value`.

use super::{Layout, MapRecipe};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Why a line is no recipe.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecipeError {
    /// The line does not begin with the name of a layout.
    #[error(
        "there is no layout '{0}'; known are: obstacles, rooms, maze, caves, city, islands, hills, \
         highlands, colony"
    )]
    UnknownLayout(String),
    /// A word that is not `name=value`.
    #[error("'{0}' is no parameter: write parameters as name=value, such as width=512")]
    Malformed(String),
    /// A parameter is given twice.
    #[error("{0} is given twice")]
    Repeated(String),
    /// There are more parameters than any layout has.
    #[error("there are more than {PARAMETERS_MAX} parameters")]
    TooMany,
    /// A parameter is not given. None has a default, for a recipe must not change its meaning.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// The parameter cannot be that.
    #[error("{parameter} cannot be '{value}'; it is {values}")]
    BadValue {
        /// The parameter.
        parameter: &'static str,
        /// What was written.
        value: String,
        /// What it can be.
        values: &'static str,
    },
    /// The layout has no such parameter.
    #[error("{layout} has no parameter {parameter}")]
    UnknownParameter {
        /// The layout.
        layout: String,
        /// What was written.
        parameter: String,
    },
}

impl fmt::Display for MapRecipe {
    /// Writes the line that [`MapRecipe::from_str`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, height, layout, seed } = self;
        let size = format_args!("width={width} height={height}");
        match layout {
            Layout::Obstacles { blocked_percent, connected } => {
                let connected = if *connected { " connected=yes" } else { "" };
                write!(f, "obstacles {size} blocked={blocked_percent}{connected}")
            }
            Layout::Rooms { room_side, doors_percent } => {
                write!(f, "rooms {size} room={room_side} doors={doors_percent}")
            }
            Layout::Maze { corridor_width, braid_percent, winding_percent } => {
                write!(f, "maze {size} corridor={corridor_width} braid={braid_percent}")?;
                match winding_percent {
                    100 => Ok(()),
                    percent => write!(f, " winding={percent}"),
                }
            }
            Layout::Caves { noise_percent, steps, joined } => {
                let joined = if *joined { "yes" } else { "no" };
                write!(f, "caves {size} noise={noise_percent} steps={steps} joined={joined}")
            }
            Layout::City { block, street, built_percent } => {
                write!(f, "city {size} block={block} street={street} built={built_percent}")
            }
            Layout::Islands { size: island, land_percent, swamp_percent, trees_percent } => {
                write!(f, "islands {size} size={island} land={land_percent} ")?;
                write!(f, "swamp={swamp_percent} trees={trees_percent}")
            }
            Layout::Hills { size: hill, roughness, classes, lakes_percent } => {
                write!(f, "hills {size} size={hill} roughness={roughness} ")?;
                write!(f, "classes={classes} lakes={lakes_percent}")
            }
            Layout::Highlands { size: hill, roughness, highest, lakes_percent } => {
                write!(f, "highlands {size} size={hill} roughness={roughness} ")?;
                write!(f, "highest={highest} lakes={lakes_percent}")
            }
            Layout::Colony { room, doors_percent } => {
                write!(f, "colony {size} room={room} doors={doors_percent}")
            }
        }?;
        write!(f, " seed={seed}")
    }
}

impl FromStr for MapRecipe {
    type Err = RecipeError;

    /// Reads a line such as `rooms width=512 height=512 room=16 doors=80 seed=7`, the parameters in
    /// any order. Whether they are in range is for [`MapRecipe::generate`] to say.
    fn from_str(line: &str) -> Result<Self, RecipeError> {
        let (name, mut parameters) = Parameters::split(line)?;
        let layout = match name {
            "obstacles" => Layout::Obstacles {
                blocked_percent: parameters.number("blocked")?,
                connected: parameters.has("connected") && parameters.yes_or_no("connected")?,
            },
            "rooms" => Layout::Rooms {
                room_side: parameters.number("room")?,
                doors_percent: parameters.number("doors")?,
            },
            "maze" => Layout::Maze {
                corridor_width: parameters.number("corridor")?,
                braid_percent: parameters.number("braid")?,
                winding_percent: match parameters.has("winding") {
                    true => parameters.number("winding")?,
                    false => 100,
                },
            },
            "caves" => Layout::Caves {
                noise_percent: parameters.number("noise")?,
                steps: parameters.number("steps")?,
                joined: parameters.yes_or_no("joined")?,
            },
            "city" => Layout::City {
                block: parameters.number("block")?,
                street: parameters.number("street")?,
                built_percent: parameters.number("built")?,
            },
            "islands" => Layout::Islands {
                size: parameters.number("size")?,
                land_percent: parameters.number("land")?,
                swamp_percent: parameters.number("swamp")?,
                trees_percent: parameters.number("trees")?,
            },
            "hills" => Layout::Hills {
                size: parameters.number("size")?,
                roughness: parameters.number("roughness")?,
                classes: parameters.number("classes")?,
                lakes_percent: parameters.number("lakes")?,
            },
            "highlands" => Layout::Highlands {
                size: parameters.number("size")?,
                roughness: parameters.number("roughness")?,
                highest: parameters.number("highest")?,
                lakes_percent: parameters.number("lakes")?,
            },
            "colony" => Layout::Colony {
                room: parameters.number("room")?,
                doors_percent: parameters.number("doors")?,
            },
            _ => return Err(RecipeError::UnknownLayout(name.to_owned())),
        };
        let recipe = Self {
            width: parameters.number("width")?,
            height: parameters.number("height")?,
            layout,
            seed: parameters.number("seed")?,
        };
        match parameters.unread.first() {
            None => Ok(recipe),
            Some((parameter, _)) => Err(RecipeError::UnknownParameter {
                layout: name.to_owned(),
                parameter: (*parameter).to_owned(),
            }),
        }
    }
}

/// More parameters than any layout has.
const PARAMETERS_MAX: usize = 32;

/// The parameters of a line that have not been read yet.
struct Parameters<'a> {
    unread: Vec<(&'a str, &'a str)>,
}

impl<'a> Parameters<'a> {
    /// The first word of a line, and the parameters after it.
    fn split(line: &'a str) -> Result<(&'a str, Self), RecipeError> {
        let mut words = line.split_whitespace();
        let name = words.next().unwrap_or_default();
        let mut unread: Vec<(&str, &str)> = Vec::new();
        for word in words {
            let (parameter, value) =
                word.split_once('=').ok_or_else(|| RecipeError::Malformed(word.to_owned()))?;
            if unread.len() == PARAMETERS_MAX {
                return Err(RecipeError::TooMany);
            }
            if unread.iter().any(|(given, _)| *given == parameter) {
                return Err(RecipeError::Repeated(parameter.to_owned()));
            }
            unread.push((parameter, value));
        }
        Ok((name, Self { unread }))
    }

    /// Whether a parameter is given that recipes did not have at first: without it they mean what they
    /// always meant.
    fn has(&self, parameter: &str) -> bool {
        self.unread.iter().any(|(given, _)| *given == parameter)
    }

    fn number<T: FromStr>(&mut self, parameter: &'static str) -> Result<T, RecipeError> {
        self.read(parameter, "a whole number", |value| value.parse().ok())
    }

    fn yes_or_no(&mut self, parameter: &'static str) -> Result<bool, RecipeError> {
        self.read(parameter, "yes or no", |value| match value {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        })
    }

    fn read<T>(
        &mut self,
        parameter: &'static str,
        values: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, RecipeError> {
        let place = self.unread.iter().position(|(given, _)| *given == parameter);
        let (_, value) = self.unread.remove(place.ok_or(RecipeError::Missing(parameter))?);
        parse(value).ok_or_else(|| RecipeError::BadValue {
            parameter,
            value: value.to_owned(),
            values,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_is_written_as_it_is_read() {
        for line in [
            "obstacles width=1 height=2 blocked=30 seed=0",
            "obstacles width=1 height=2 blocked=30 connected=yes seed=0",
            "rooms width=512 height=512 room=16 doors=80 seed=7",
            "maze width=9 height=9 corridor=4 braid=25 winding=30 seed=1",
            "maze width=16384 height=9 corridor=4 braid=25 seed=18446744073709551615",
            "caves width=40 height=30 noise=45 steps=5 joined=yes seed=1",
            "caves width=40 height=30 noise=45 steps=5 joined=no seed=1",
            "city width=40 height=30 block=32 street=8 built=85 seed=1",
            "islands width=40 height=30 size=64 land=50 swamp=15 trees=20 seed=1",
            "hills width=40 height=30 size=64 roughness=4 classes=16 lakes=5 seed=1",
            "highlands width=40 height=30 size=64 roughness=4 highest=200 lakes=5 seed=1",
            "colony width=40 height=30 room=6 doors=20 seed=1",
        ] {
            assert_eq!(line.parse::<MapRecipe>().unwrap().to_string(), line);
        }
    }

    #[test]
    fn parameters_may_come_in_any_order_and_apart() {
        let tidy = "maze width=9 height=7 corridor=1 braid=0 seed=5".parse::<MapRecipe>();
        let untidy = "  maze seed=5\tbraid=0 height=7   width=9 corridor=1\n".parse();
        assert_eq!(untidy, tidy);
    }

    #[test]
    fn a_line_that_is_no_recipe_says_why() {
        let error = |line: &str| line.parse::<MapRecipe>().unwrap_err().to_string();
        assert!(error("").starts_with("there is no layout ''; known are: obstacles, rooms"));
        assert!(error("town width=3").starts_with("there is no layout 'town'"));
        assert!(error("maze 512x512").contains("'512x512' is no parameter"));
        assert_eq!(error("maze width=3 width=4"), "width is given twice");
        assert_eq!(error("maze width=9 height=7 corridor=1 braid=0"), "seed is missing");
        assert_eq!(error("obstacles blocked=3.5"), "blocked cannot be '3.5'; it is a whole number");
        assert_eq!(
            error("obstacles width=-1 height=1 blocked=0 seed=0"),
            "width cannot be '-1'; it is a whole number"
        );
        assert_eq!(
            error("caves noise=1 steps=1 joined=maybe"),
            "joined cannot be 'maybe'; it is yes or no"
        );
        assert_eq!(
            error("obstacles width=1 height=1 blocked=0 seed=0 doors=3"),
            "obstacles has no parameter doors"
        );
    }
}
