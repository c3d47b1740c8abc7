//! The shaders that all targets are compared on.
#![allow(dead_code)]

/// Name and text of every shader whose name contains what the environment variable ONLY says.
pub fn shaders() -> Vec<(String, String)> {
    read("", 150)
}

/// The same of compute shaders.
pub fn compute_shaders() -> Vec<(String, String)> {
    read("/compute", 40)
}

/// The shaders of a folder, which has at least so many.
fn read(folder: &str, least: usize) -> Vec<(String, String)> {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shaders");
    let paths = std::fs::read_dir(format!("{dir}{folder}")).unwrap();
    let paths = paths.map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "wgsl"))
        .collect();
    paths.sort();
    assert!(
        paths.len() >= least,
        "the corpus has {} shaders",
        paths.len()
    );
    let only = std::env::var("ONLY").unwrap_or_default();
    let read = |path: std::path::PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = name.contains(&only).then(|| std::fs::read_to_string(&path));
        Some((name, text?.unwrap()))
    };
    paths.into_iter().filter_map(read).collect()
}

/// `count` values that differ from lane to lane, all alive at once, some of them changed by some lanes only.
pub fn crowded(count: usize) -> String {
    let mut text = String::new();
    for i in 0..count {
        let (a, b) = (i as f32 * 0.37 + 1.0, i as f32 * 0.11 - 7.0);
        text += &format!("var x{i} = fract(a.x * {a:.2} + a.y * {b:.2});\n");
    }
    text += "var sum = a.z;\nfor (var n = 0; n < 3; n++) {\nif fract(a.w * f32(n + 1)) < 0.5 {\n";
    for i in (0..count).step_by(7) {
        text += &format!("x{i} = x{i} * a.z + x{};\n", (i * 5 + 3) % count);
    }
    text += "}\n";
    // Each step needs the one before: nothing can be summed early.
    for i in (0..count).rev() {
        text += &format!("sum = fma(sum, 0.75, x{i});\n");
    }
    text + "}\n"
}
