//! Runs the command as a script would.

#![allow(dead_code, clippy::unwrap_used)]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

pub const DEVICE: &str = "southern-islands";

/// The names of all devices.
pub fn devices() -> impl Iterator<Item = &'static str> {
    let devices = girih::Instance::new().physical_devices();
    devices.map(|device| device.name())
}

pub fn girih(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_girih"))
        .args(arguments)
        .current_dir(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that fails early does not read its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

pub fn ok(arguments: &[&str], input: &str) -> String {
    let output = girih(arguments, input);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

pub fn fails(arguments: &[&str], code: i32, text: &str) {
    let output = girih(arguments, "");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
    assert!(errors.contains(text), "{arguments:?}: {errors}");
    assert!(!errors.contains("panicked"), "{errors}");
    assert!(output.stdout.is_empty());
}

/// A path among the files of tests.
pub fn file(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    folder.join(name).to_str().unwrap().to_owned()
}

/// Writes a file and returns its path.
pub fn write(name: &str, text: &str) -> String {
    let path = file(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// What the command says on standard error when it fails with 1.
pub fn error(arguments: &[&str], input: &str) -> String {
    let output = girih(arguments, input);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}
