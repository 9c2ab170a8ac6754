//! The program as a user runs it.
#![allow(dead_code, reason = "no test needs all of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs the program in a folder.
pub(crate) fn highroad(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_highroad"))
        .args(arguments)
        // A window would wait for someone to close it.
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .env_remove("HIGHROAD_MAPS")
        .current_dir(folder)
        .output()
        .expect("it starts")
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What the program prints when all goes well.
pub(crate) fn printed(folder: &Path, arguments: &[&str]) -> String {
    ended(folder, arguments, 0)
}

/// What it complains of; it must not succeed, and must not panic.
pub(crate) fn complaint(folder: &Path, arguments: &[&str]) -> String {
    ended(folder, arguments, 2)
}

/// What the program prints, or complains of, for a line of words, and the code it ends with. Quotes hold words together.
pub(crate) fn ran(folder: &Path, line: &str, code: i32) -> String {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().collect::<Vec<_>>(),
        _ => vec![part],
    });
    ended(folder, &words.collect::<Vec<&str>>(), code)
}

fn ended(folder: &Path, arguments: &[&str], code: i32) -> String {
    let output = highroad(folder, arguments);
    let (reported, complained) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {reported}{complained}");
    assert!(!complained.contains("panicked"), "{complained}");
    if code == 2 { complained } else { reported }
}

/// The folder of a test file.
pub(crate) fn folder_of(file: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(file);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A folder of one test's own, empty at first.
pub(crate) fn empty_folder(file: &str, name: &str) -> PathBuf {
    let folder = folder_of(file).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes a file, and returns its path.
pub(crate) fn write(folder: &Path, name: &str, content: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path.display().to_string()
}

/// A way round two walls.
pub(crate) const RING: &str = "type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n";
