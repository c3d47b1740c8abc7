//! The window of `cube` shows the same picture as `cube --headless`, seen by a screenshot of a display without a screen.
//!
//! Needs `Xvfb` and `xwd`; without them it says so and passes, except where `GIRIH_WINDOW_TEST=1` insists.

#![cfg(feature = "window")]
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use image::RgbaImage;

const SIZE: &str = "320x240";

/// A child that does not outlive the test.
struct Guard(Child);

impl Drop for Guard {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn has(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).exists())
}

/// A display, and its name.
fn display() -> (Guard, String) {
    let mut server = Command::new("Xvfb")
        .args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            "640x480x24",
            "-nolisten",
            "tcp",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut number = String::new();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    output.read_line(&mut number).unwrap();
    (Guard(server), format!(":{}", number.trim()))
}

/// The screen's top left corner. The format is a header of big-endian words, a colour table, then rows.
fn screenshot(display: &str, width: u32, height: u32) -> Option<RgbaImage> {
    let output = Command::new("xwd")
        .args(["-root", "-silent", "-display", display])
        .output()
        .ok()?;
    let bytes = output.stdout;
    let word = |i: usize| {
        let word = bytes.get(4 * i..4 * i + 4)?;
        Some(u32::from_be_bytes(word.try_into().ok()?) as usize)
    };
    let (header, bits, row_bytes, colors) = (word(0)?, word(11)?, word(12)?, word(19)?);
    assert_eq!(bits, 32, "the screen has 32 bits a pixel");
    let little = word(7)? == 0;
    let start = header + 12 * colors;
    let mut picture = RgbaImage::new(width, height);
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        let at = start + y as usize * row_bytes + 4 * x as usize;
        let raw: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
        let [blue, green, red, _] = if little {
            raw
        } else {
            [raw[3], raw[2], raw[1], raw[0]]
        };
        pixel.0 = [red, green, blue, 255];
    }
    Some(picture)
}

#[test]
fn the_window_shows_the_headless_picture() {
    if !has("Xvfb") || !has("xwd") {
        assert!(
            std::env::var_os("GIRIH_WINDOW_TEST").is_none(),
            "Xvfb or xwd is missing"
        );
        println!("skipped: Xvfb or xwd is missing");
        return;
    }
    let cube = env!("CARGO_BIN_EXE_cube");
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cube.png");
    let status = Command::new(cube)
        .args(["--size", SIZE, "--headless"])
        .arg(&file)
        .status()
        .unwrap();
    assert!(status.success());
    let expected = image::open(&file).unwrap().to_rgba8();

    let (_server, display) = display();
    let open = || {
        let mut command = Command::new(cube);
        command
            .args(["--size", SIZE, "--frames", "1"])
            .current_dir(env!("CARGO_TARGET_TMPDIR"))
            .env("DISPLAY", &display)
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET");
        Guard(command.spawn().unwrap())
    };
    let mut window = open();
    let patience = Instant::now() + Duration::from_secs(60);
    loop {
        let shown = screenshot(&display, expected.width(), expected.height());
        if shown.as_ref() == Some(&expected) {
            return;
        }
        if Instant::now() > patience {
            let seen = file.with_file_name("window.png");
            if let Some(shown) = shown {
                shown.save(&seen).unwrap();
            }
            panic!("the window shows something else: {}", seen.display());
        }
        // A server that has just named its display may still refuse a connection, and the example then ends.
        if window.0.try_wait().unwrap().is_some() {
            window = open();
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}
