//! Makes known to the program which commit and compiler it is built from.

use std::path::Path;
use std::process::Command;

fn main() {
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let compiler = output(&compiler, &["--version"]).unwrap_or_else(|| "rustc unknown".to_owned());
    println!("cargo::rustc-env=HIGHROAD_COMPILER={compiler}");
    let commit = commit().unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=HIGHROAD_COMMIT={commit}");
    let profile = std::env::var("PROFILE").unwrap_or_else(|_| "unknown".to_owned());
    println!("cargo::rustc-env=HIGHROAD_PROFILE={profile}");
    // Whatever is built into the program may differ from the commit, or a commit may have caught up with it.
    for path in
        ["../core/src", "../highroad/src", "../lab/src", "../workbench/src", "src", "build.rs"]
    {
        println!("cargo::rerun-if-changed={path}");
    }
    for file in ["HEAD", "index", "logs/HEAD"] {
        let path = output("git", &["rev-parse", "--git-path", file]);
        if let Some(path) = path.filter(|path| Path::new(path).exists()) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}

/// The commit that is checked out, and whether files differ from it. `None` outside of the repository.
fn commit() -> Option<String> {
    // Inside some other repository its commit would mean nothing.
    output("git", &["ls-files", "--error-unmatch", "build.rs"])?;
    let commit = output("git", &["rev-parse", "HEAD"])?;
    let changes = output("git", &["status", "--porcelain", "--untracked-files=no", "--", ".."])?;
    Some(if changes.is_empty() { commit } else { format!("{commit}+changes") })
}

/// What a command prints, if it succeeds.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}
