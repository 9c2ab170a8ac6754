//! Builds the page and the npm package, and serves the page on this machine.
//!
//! ```sh
//! cargo run --manifest-path web/Cargo.toml -p highroad-web-tool -- page [--out FOLDER] [--quick]
//! cargo run --manifest-path web/Cargo.toml -p highroad-web-tool -- npm [--out FOLDER] [--quick]
//! cargo run --manifest-path web/Cargo.toml -p highroad-web-tool -- serve [FOLDER] [--port 8080]
//! ```

mod build;
mod serve;

use anyhow::{Result, bail};
use std::path::PathBuf;

const USAGE: &str = "usage: web page [--out FOLDER] [--quick]
       web npm [--out FOLDER] [--quick]
       web serve [FOLDER] [--port 8080]";

/// What was asked for.
struct Arguments {
    command: String,
    folder: Option<PathBuf>,
    port: u16,
    /// Builds in less time what is larger and slower: for tests.
    is_quick: bool,
}

fn arguments() -> Result<Arguments> {
    let mut given = std::env::args().skip(1);
    let Some(command) = given.next() else { bail!("{USAGE}") };
    let mut arguments = Arguments { command, folder: None, port: 8080, is_quick: false };
    while let Some(word) = given.next() {
        match word.as_str() {
            "--quick" => arguments.is_quick = true,
            "--out" => arguments.folder = given.next().map(PathBuf::from),
            "--port" => match given.next().and_then(|port| port.parse().ok()) {
                Some(port) => arguments.port = port,
                None => bail!("--port needs a number from 0 to 65535"),
            },
            other if !other.starts_with('-') => arguments.folder = Some(PathBuf::from(other)),
            other => bail!("{other} is not known\n{USAGE}"),
        }
    }
    Ok(arguments)
}

fn main() -> Result<()> {
    let Arguments { command, folder, port, is_quick } = arguments()?;
    let places = build::Places::find()?;
    match command.as_str() {
        "page" => build::page(&places, folder, is_quick),
        "npm" => build::npm(&places, folder, is_quick),
        "serve" => serve::serve(&folder.unwrap_or_else(|| places.page_folder()), port),
        other => bail!("{other} is not known\n{USAGE}"),
    }
}
