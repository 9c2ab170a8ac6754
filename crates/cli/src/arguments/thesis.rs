//! What can be written after `highroad thesis`.

use clap::{Args, ValueEnum};
use highroad_lab::thesis::Section;
use std::path::PathBuf;

/// The tables of the thesis that Highroad was begun from, with its figures beside ours.
///
/// J. Harvanová, "Hierarchical pathfinding in computer games", bachelor thesis, Comenius University in Bratislava, 2017.
/// The same searches with its settings, and ours with our own; slips in its figures are noted.
#[derive(Args)]
#[command(after_help = "\
Examples:
  highroad thesis                                       on maps like its own, which are made
  highroad thesis --maps maps/                          and on MovingAI's, which it uses as well
  highroad thesis 4.1 4.2 --maps maps/ --format markdown
  highroad thesis --maps maps/ --out tables/            thesis.md, and a CSV file for each table

The sections are 4.1 (paths of A*, HPA* and PRA*), 4.2 (building), 4.3 (placement of transitions), 4.4 (maps that
change) and 3.2.7 (smoothing). MovingAI's maps that it uses are dao/brc101d, dao/brc503d, dao/den204d, dao/hrt001d,
wc3/drywatergulch and sc1/AcrosstheCape.")]
pub(crate) struct ThesisArguments {
    /// Sections to reproduce; without any, all of them.
    #[arg(value_name = "SECTION", value_parser = parse_section)]
    pub(crate) sections: Vec<Section>,
    /// The folder that MovingAI's maps lie in, by set or beside each other; without it, HIGHROAD_MAPS.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) maps: Option<PathBuf>,
    /// Write thesis.md and a CSV file for each table into this folder, instead of printing them.
    #[arg(long, value_name = "FOLDER", conflicts_with = "format")]
    pub(crate) out: Option<PathBuf>,
    /// How tables are printed.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TableFormat,
    /// How many queries a map.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) queries: u16,
    /// How many measured passes; the least time counts.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) passes: u8,
    /// Where queries and made maps begin: the same seed gives the same.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// How a table is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For a terminal.
    #[default]
    Text,
    /// For a page.
    Markdown,
    /// For a program: bare numbers, units in the heads.
    Csv,
}

fn parse_section(text: &str) -> Result<Section, String> {
    Section::from_number(text).ok_or_else(|| {
        let numbers = Section::ALL.map(Section::number);
        format!("sections with something to measure are: {}", numbers.join(", "))
    })
}
