//! What the tests share: programs that are started as `girih run` starts them.

#![allow(dead_code, clippy::unwrap_used)]

use std::path::PathBuf;
use std::process::Command;

/// The library that stands in for the kernel, beside the tests.
pub fn library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let library = test.with_file_name("libgirih_drm.so");
    assert!(library.is_file(), "there is no {}", library.display());
    library
}

/// A program that sees a device.
pub fn on(device: &str, interface: &str, program: &str) -> Command {
    let mut command = Command::new(program);
    command
        .env("LD_PRELOAD", library())
        .env("GIRIH_RUN_DEVICE", device)
        .env("GIRIH_RUN_AS", interface)
        .env("GIRIH_RUN_THREADS", "2");
    command
}

/// A folder for a test's files.
pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Whether what a test needs is there. Where `GIRIH_MESA_TEST=1` insists it has to be.
pub fn has(what: &str, is_there: bool) -> bool {
    if !is_there {
        let insists = std::env::var_os("GIRIH_MESA_TEST").is_some();
        assert!(!insists, "{what}: not installed");
        eprintln!("{what}: not installed; nothing was tested (GIRIH_MESA_TEST=1 insists)");
    }
    is_there
}

/// The largest difference of a component, and the pixels that differ by more than 1.
pub fn difference(a: &[u8], b: &[u8]) -> (u8, usize) {
    assert_eq!(a.len(), b.len());
    let pixels = a.chunks_exact(4).zip(b.chunks_exact(4));
    let largest = pixels.map(|(a, b)| {
        let each = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b));
        each.max().unwrap_or(0)
    });
    largest.fold((0, 0), |(most, more), pixel| {
        (most.max(pixel), more + usize::from(pixel > 1))
    })
}
