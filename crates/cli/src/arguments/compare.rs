//! What can be written on the command line about comparing planners, and for shells.

use super::Place;
use clap::{Args, ValueEnum};
use highroad::grid::{MovementRule, StepCosts};
use highroad::mesh::Obstacle;
use std::path::PathBuf;

/// Ask all planners the same: a table of what each does, and a picture of the paths.
///
/// Times are warm, on one thread, the least of several passes.
#[derive(Args)]
#[command(after_help = "\
Examples:
  highroad compare builtin:castle --picture castle.svg
  highroad compare town.map --from 3,4 --to 88,17
  highroad compare town.map --planner astar,hpa,hpa:cluster=16,pra --format markdown
  highroad compare town.map --mesh --picture any-angle.png

Without --from and --to, a built-in map brings its own query; on others it is between two cells
about as far apart as can be. The picture shows each different path once, with all planners that
found it.")]
pub(crate) struct CompareArguments {
    /// A map, builtin:castle, or a mesh (.mesh).
    pub(crate) map: String,
    /// The start cell, as column,row from the top left; on a mesh a point.
    #[arg(long, value_name = "X,Y", value_parser = Place::parse, allow_hyphen_values = true)]
    pub(crate) from: Option<Place>,
    /// The goal cell, as column,row from the top left; on a mesh a point.
    #[arg(long, value_name = "X,Y", value_parser = Place::parse, allow_hyphen_values = true)]
    pub(crate) to: Option<Place>,
    /// Make a mesh of the map's free ground, and find paths in any direction on it. A .mesh, .mesh.json or
    /// .geojson file is one without this.
    #[arg(long, conflicts_with_all = ["rule", "steps"])]
    pub(crate) mesh: bool,
    /// An obstacle on the mesh: the corners of a polygon, one after another. May be given several times.
    #[arg(long = "obstacle", value_name = "X,Y,X,Y,X,Y…", value_parser = super::parse_obstacle, allow_hyphen_values = true)]
    pub(crate) obstacles: Vec<Obstacle>,
    #[command(flatten)]
    pub(crate) agent: super::MeshAgentArguments,
    /// Planners with their options, separated by commas; or all that serve the map.
    #[arg(long, value_name = "P,…", default_value = "all")]
    pub(crate) planner: String,
    /// Which steps are allowed: four-way, never-cut-corners, at-most-one-obstacle or
    /// always-diagonal.
    #[arg(long, default_value = MovementRule::default().name(), value_parser = super::parse_rule)]
    pub(crate) rule: MovementRule,
    /// What steps cost: exact, thesis (1 and 1.4), unit, or a pair of whole numbers such as 5/7.
    #[arg(long, value_name = "S/D", default_value = "exact", value_parser = super::parse_steps)]
    pub(crate) steps: StepCosts,
    /// How many measured passes; the smallest time counts.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) passes: u8,
    /// How the table is written.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: CompareFormat,
    /// Draw the map and the paths, as .png or .svg.
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Option<PathBuf>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompareFormat {
    /// Columns that line up.
    #[default]
    Text,
    /// A Markdown table.
    Markdown,
    /// Values separated by commas, with plain numbers.
    Csv,
    /// One object a line.
    Json,
}

/// Print a script that lets a shell complete this program's commands and options.
#[derive(Args)]
#[command(after_help = "\
Examples:
  highroad completions bash > ~/.local/share/bash-completion/completions/highroad
  highroad completions zsh > ~/.zfunc/_highroad     (fpath+=~/.zfunc before compinit in ~/.zshrc)
  highroad completions fish > ~/.config/fish/completions/highroad.fish
  highroad completions powershell >> $PROFILE")]
pub(crate) struct CompletionsArguments {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}
