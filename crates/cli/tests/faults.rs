//! The program on full and read-only disks: docs/faults.md says what it does.
#![cfg(target_os = "linux")]

mod support;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_highroad");

fn folder(name: &str) -> PathBuf {
    support::empty_folder("faults", name)
}

/// It could not be carried out: exit code 2, one line that names the file, and no panic.
fn check_complaint(output: &Output, named: &str) {
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(complaint.starts_with("highroad: ") && complaint.contains(named), "{complaint}");
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
}

/// What each command that writes a file is called with, before the file.
fn writing_commands(folder: &Path) -> Vec<Vec<String>> {
    let map = folder.join("in.map");
    let made = Command::new(PROGRAM)
        .args(["generate", "recipe", "obstacles width=40 height=30 blocked=10 seed=1", "--out"])
        .arg(&map)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let map = map.display().to_string();
    let words = |line: &[&str]| line.iter().map(|word| (*word).to_owned()).collect();
    vec![
        words(&["generate", "recipe", "obstacles width=90 height=90 blocked=10 seed=1", "--out"]),
        words(&["scenario", &map, "--queries", "60", "--force", "--out"]),
        words(&["graph", "generate", "--nodes", "300", "--seed", "1", "--force", "--out"]),
    ]
}

#[test]
fn a_full_disk_ends_a_command_with_an_error_that_names_the_file() {
    for mut words in writing_commands(&folder("full")) {
        words.push("/dev/full".to_owned());
        let output = Command::new(PROGRAM).args(&words).output().unwrap();
        check_complaint(&output, "/dev/full");
    }
    let device = fs::metadata("/dev/full").unwrap();
    assert!(!device.is_file() && !device.is_dir(), "the device is still there");
}

#[test]
fn a_folder_that_cannot_be_written_to_ends_a_command_with_an_error_that_names_the_file() {
    for mut words in writing_commands(&folder("read-only")) {
        // Not even the superuser can make a file there.
        words.push("/proc/self/highroad.out".to_owned());
        let output = Command::new(PROGRAM).args(&words).output().unwrap();
        check_complaint(&output, "/proc/self/highroad.out");
    }
}

/// The shell limits files to a kilobyte, so that writing fails half-way, as on a disk that becomes full.
#[test]
fn a_disk_that_becomes_full_half_way_leaves_the_file_as_it_was_and_no_other() {
    let folder = folder("half-way");
    for words in writing_commands(&folder) {
        let file = folder.join("kept.out");
        fs::write(&file, "as it was").unwrap();
        let files = fs::read_dir(&folder).unwrap().count();
        let output = Command::new("bash")
            .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "bash", PROGRAM])
            .args(&words)
            .arg(&file)
            .output()
            .unwrap();
        check_complaint(&output, "kept.out");
        assert_eq!(fs::read_to_string(&file).unwrap(), "as it was", "{words:?}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), files, "{words:?}");
    }
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let full = Stdio::from(File::options().write(true).open("/dev/full").unwrap());
    let output = Command::new(PROGRAM).arg("planners").stdout(full).output().unwrap();
    check_complaint(&output, "No space left on device");
}

#[test]
fn output_that_its_reader_has_closed_ends_the_program_silently() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = Command::new(PROGRAM).arg("planners").stdout(writer).output().unwrap();
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
}
