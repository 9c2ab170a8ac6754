//! Building: cargo, wasm-bindgen as a library (so that its version is that of the lock file).

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";
/// Folders of the repository.
pub(crate) struct Places {
    web: PathBuf,
    target: PathBuf,
}

impl Places {
    pub(crate) fn find() -> Result<Self> {
        let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
        let usual = web.join("../target/web");
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or(usual, PathBuf::from);
        fs::create_dir_all(&target)?;
        let target = target.canonicalize()?;
        Ok(Self { web, target })
    }

    pub(crate) fn page_folder(&self) -> PathBuf {
        self.target.join("page")
    }
}

/// Builds the page into a folder.
pub(crate) fn page(places: &Places, out: Option<PathBuf>, is_quick: bool) -> Result<()> {
    let out = out.unwrap_or_else(|| places.page_folder());
    let module = compile(places, "highroad-web", "highroad_web", is_quick)?;
    fs::create_dir_all(&out)?;
    bind(&module, &out, "highroad", |bindgen| bindgen.web(true))?;
    let module = out.join("highroad_bg.wasm");
    let plain = fs::read(&module)?;
    let packed = compressed(&plain, is_quick)?;
    fs::write(out.join("highroad.wasm.bin"), &packed)?;
    fs::remove_file(&module)?;
    let sources = places.web.join("page/static");
    let html = fs::read_to_string(sources.join("index.html"))?;
    let size = format!("const MODULE_BYTES = {};", packed.len());
    fs::write(out.join("index.html"), html.replace("const MODULE_BYTES = 0;", &size))?;
    fs::copy(sources.join("host.js"), out.join("host.js"))?;
    say(&format!(
        "{}: the module has {} bytes, compressed {}",
        out.display(),
        plain.len(),
        packed.len()
    ));
    Ok(())
}

/// Builds the npm package into a folder.
pub(crate) fn npm(places: &Places, out: Option<PathBuf>, is_quick: bool) -> Result<()> {
    let out = out.unwrap_or_else(|| places.target.join("npm"));
    let module = compile(places, "highroad-npm", "highroad_npm", is_quick)?;
    fs::create_dir_all(&out)?;
    bind(&module, &out, "highroad_engine", |bindgen| bindgen.web(true))?;
    let module = out.join("highroad_engine_bg.wasm");
    let sources = places.web.join("npm/package");
    for entry in fs::read_dir(&sources)? {
        let entry = entry?;
        fs::copy(entry.path(), out.join(entry.file_name()))?;
    }
    let plain = fs::read(&module)?;
    let packed = compressed(&plain, is_quick)?;
    say(&format!(
        "{}: the module has {} bytes, compressed {}",
        out.display(),
        plain.len(),
        packed.len()
    ));
    Ok(())
}

fn compile(places: &Places, package: &str, library: &str, is_quick: bool) -> Result<PathBuf> {
    let profile = if is_quick { "dev" } else { "release" };
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(["build", "--locked", "--target", TARGET, "--package", package])
        .args(["--profile", profile])
        .arg("--manifest-path")
        .arg(places.web.join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", &places.target);
    run(command, "cargo build")?;
    let folder = if is_quick { "debug" } else { "release" };
    Ok(places.target.join(TARGET).join(folder).join(library).with_extension("wasm"))
}

fn bind(
    module: &Path,
    out: &Path,
    name: &str,
    kind: impl FnOnce(&mut Bindgen) -> Result<&mut Bindgen>,
) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).typescript(true).keep_debug(false);
    bindgen.remove_name_section(true).remove_producers_section(true);
    kind(&mut bindgen)?;
    bindgen.generate(out).with_context(|| format!("wasm-bindgen on {}", module.display()))
}

fn run(mut command: Command, what: &str) -> Result<()> {
    let status = command.status().with_context(|| format!("{what} cannot be started"))?;
    if !status.success() {
        bail!("{what} has failed: {status}");
    }
    Ok(())
}

fn compressed(bytes: &[u8], is_quick: bool) -> Result<Vec<u8>> {
    let level = if is_quick { Compression::fast() } else { Compression::best() };
    let mut packer = GzEncoder::new(Vec::new(), level);
    packer.write_all(bytes)?;
    Ok(packer.finish()?)
}

#[allow(clippy::print_stdout)]
pub(crate) fn say(text: &str) {
    println!("{text}");
}
