//! The shape of the tree: arrows between crates, file sizes, chip names, unsafe code, threads, files, stale docs.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// Source files under a folder, with their paths from the root.
fn sources(folder: &str) -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        let Ok(entries) = std::fs::read_dir(folder) else {
            return;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
                walk(&path, found);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&root().join(folder), &mut found);
    found.sort();
    let named = found.into_iter().map(|path| {
        let name = path
            .strip_prefix(root())
            .unwrap()
            .to_str()
            .unwrap()
            .replace('\\', "/");
        (name, std::fs::read_to_string(path).unwrap())
    });
    named.collect()
}

fn all_sources() -> Vec<(String, String)> {
    ["api", "pipeline", "devices", "examples"]
        .into_iter()
        .flat_map(sources)
        .collect()
}

/// Lines that are code: no comments, nothing from a test module on.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .take_while(|(_, line)| *line != "#[cfg(test)]")
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
        .map(|(i, line)| (i + 1, line))
}

fn chips() -> Vec<String> {
    let devices = std::fs::read_dir(root().join("devices")).unwrap();
    devices
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_str().unwrap().to_owned())
        .filter(|name| !["host", "lanes", "isa", "silicon", "radeon"].contains(&name.as_str()))
        .collect()
}

/// Crates of ours that each of ours depends on, outside of tests.
fn arrows() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let ours: Vec<&str> = packages
        .iter()
        .map(|p| p["name"].as_str().unwrap())
        .collect();
    let arrows = packages.iter().map(|package| {
        let depends = package["dependencies"].as_array().unwrap().iter();
        let names = depends
            .filter(|dependency| dependency["kind"].is_null())
            .map(|dependency| dependency["name"].as_str().unwrap())
            .filter(|name| ours.contains(name) || *name == "naga");
        (
            package["name"].as_str().unwrap().to_owned(),
            names.map(str::to_owned).collect(),
        )
    });
    arrows.collect()
}

#[test]
fn arrows_point_down() {
    let arrows = arrows();
    let chips: Vec<String> = chips().iter().map(|chip| format!("girih-{chip}")).collect();
    for (name, to) in &arrows {
        let allowed: Vec<&str> = match name.as_str() {
            "girih-host" => vec![],
            "girih-lanes" | "girih-silicon" => vec!["girih-host"],
            "girih-isa" => vec!["girih-lanes"],
            "girih-radeon" => vec!["girih-silicon", "girih-isa", "girih-lanes"],
            "girih-pipeline" => {
                let mut allowed = vec![
                    "girih-isa",
                    "girih-lanes",
                    "girih-radeon",
                    "girih-silicon",
                    "naga",
                ];
                allowed.extend(chips.iter().map(String::as_str));
                allowed
            }
            "girih" => vec!["girih-pipeline"],
            "girih-scenes" => vec!["girih"],
            "girih-cli" | "examples" => vec!["girih", "girih-scenes"],
            // The kernel's place is below the driver's: it knows chips and memory.
            "girih-drm" => vec![
                "girih-silicon",
                "girih-r5xx",
                "girih-r600",
                "girih-southern-islands",
            ],
            chip if chips.iter().any(|name| name == chip) => {
                vec!["girih-isa", "girih-lanes", "girih-radeon", "girih-silicon"]
            }
            other => panic!("{other} has no place in the picture of the arrows"),
        };
        for target in to {
            assert!(
                allowed.contains(&target.as_str()),
                "{name} must not depend on {target}"
            );
        }
    }
}

#[test]
fn files_are_read_in_one_sitting() {
    for (name, text) in all_sources() {
        // Tables hold nothing but the table.
        let table = name.ends_with("table.rs") || name.contains("/regs/");
        let lines = text.lines().count();
        assert!(lines <= 800 || table, "{name} has {lines} lines");
    }
}

/// Sources above the back ends of the chips.
fn neutral_sources() -> impl Iterator<Item = (String, String)> {
    let above = [
        "api/src",
        "api/cli/src",
        "examples/src",
        "examples/scenes/src",
        "pipeline/src",
    ];
    let back_end = |name: &str| {
        let inside = name.strip_prefix("pipeline/src/codegen/");
        inside.is_some_and(|inside| inside.contains('/'))
    };
    let files = above.into_iter().flat_map(sources);
    files.filter(move |(name, _)| !back_end(name))
}

#[test]
fn only_the_back_end_knows_chips() {
    let names: Vec<String> = chips()
        .iter()
        .flat_map(|chip| [chip.clone(), chip.replace('-', "_")])
        .collect();
    for (name, text) in neutral_sources() {
        if name.starts_with("pipeline/src/codegen") || name == "pipeline/src/targets.rs" {
            continue;
        }
        for (line, text) in code(&text) {
            for chip in &names {
                assert!(!text.contains(chip.as_str()), "{name}:{line} names {chip}");
            }
        }
    }
}

/// What one chip alone has, or its part of the driver alone does, is not even spoken of above it.
#[test]
fn ideas_of_one_chip_stay_in_its_back_end() {
    let ideas = [
        "sgpr",
        "vgpr",
        "clause",
        "kcache",
        "pm4",
        "fmask",
        "tile_mode",
        "micro tile",
        "border table",
        "border_table",
        "border_entr",
        "stand-in",
        "stand_in",
        "staging",
        "scratch_at",
        "turned_",
    ];
    for (name, text) in neutral_sources() {
        for (line, text) in text.lines().enumerate() {
            let text = text.to_lowercase();
            let found = ideas.iter().find(|idea| text.contains(**idea));
            assert_eq!(found, None, "{name}:{}", line + 1);
        }
    }
}

/// Command buffers do not know who records into them: no module that `command` uses, however far away, uses `command`.
#[test]
fn recorders_come_last() {
    let files = sources("api/src");
    let module = |path: &str| {
        let path = path.trim_start_matches("api/src/").trim_end_matches(".rs");
        path.trim_end_matches("/mod").replace('/', "::")
    };
    let modules: BTreeMap<String, &str> = files
        .iter()
        .map(|(path, text)| (module(path), text.as_str()))
        .collect();
    // Of `crate::a::b::C`, the innermost module.
    let used = |path: &str| {
        let end = path.find(|c: char| !c.is_alphanumeric() && !"_:".contains(c));
        let mut path = &path[..end.unwrap_or(path.len())];
        while !modules.contains_key(path) {
            path = path.rsplit_once("::")?.0;
        }
        Some(path.to_owned())
    };
    let (mut open, mut seen) = (vec!["command".to_owned()], Vec::new());
    while let Some(user) = open.pop() {
        let paths = code(modules[&user]).flat_map(|(_, line)| line.split("crate::").skip(1));
        for module in paths.filter_map(used) {
            assert_ne!(module, "command", "{user} uses what uses it");
            if !seen.contains(&module) {
                seen.push(module.clone());
                open.push(module);
            }
        }
    }
    assert!(seen.iter().any(|module| module == "recorded"));
}

#[test]
fn one_place_names_the_engine() {
    // Chips, compiler and tests say `lanes::DefaultEngine`. The words are put together so that this file has none.
    let engine = ["Inter", "preter"].concat();
    for (name, text) in all_sources() {
        let found = code(&text).find(|(_, line)| line.contains(&engine));
        assert!(
            name.starts_with("devices/lanes/") || found.is_none(),
            "{name}:{found:?} names an engine"
        );
    }
}

#[test]
fn naga_stays_at_the_door() {
    for (name, text) in sources("pipeline/src") {
        let door = [
            "pipeline/src/wgsl.rs",
            "pipeline/src/lib.rs",
            // Functions and operators that both front ends share go by naga's names.
            "pipeline/src/spirv/compute.rs",
            "pipeline/src/spirv/glsl.rs",
        ];
        let folders = ["pipeline/src/front/", "pipeline/src/lower/"];
        if door.contains(&name.as_str()) || folders.iter().any(|folder| name.starts_with(folder)) {
            continue;
        }
        for (line, text) in code(&text) {
            assert!(!text.contains("naga::"), "{name}:{line} uses naga");
        }
    }
}

#[test]
fn unsafe_code_has_its_places() {
    let places = [
        "devices/host/src/",
        "devices/lanes/src/native/memory.rs",
        "devices/silicon/src/memory",
        "api/drm/src/",
        "api/drm/tests/",
        // A development program that calls a Vulkan driver.
        "api/tests/vulkan/src/vulkan.rs",
    ];
    for (name, text) in all_sources() {
        if places.iter().any(|place| name.starts_with(place)) || name == "api/tests/tidy.rs" {
            continue;
        }
        for (line, text) in code(&text) {
            let found = text.contains("unsafe {")
                || text.contains("unsafe fn")
                || text.contains("unsafe impl");
            assert!(!found, "{name}:{line} is unsafe");
        }
    }
}

#[test]
fn threads_and_files_have_their_places() {
    for (name, text) in ["api/src", "pipeline/src", "devices", "examples/scenes"]
        .into_iter()
        .flat_map(sources)
    {
        if name.contains("/tests/") || name.contains("/benches/") || name.ends_with("/tests.rs") {
            continue;
        }
        for (line, text) in code(&text) {
            let threads = ["thread::spawn", "thread::scope", "rayon::"];
            let starts = [
                "devices/silicon/src/fragment/bins.rs",
                "pipeline/src/guard.rs",
            ];
            if !starts.contains(&name.as_str()) {
                for word in threads {
                    assert!(!text.contains(word), "{name}:{line} starts threads");
                }
            }
            let files = [
                "api/src/capture/folder.rs",
                "devices/isa/src/suite.rs",
                "devices/isa/src/vectors.rs",
            ];
            assert!(
                !text.contains("std::fs") || files.contains(&name.as_str()),
                "{name}:{line} touches files"
            );
        }
    }
}

#[test]
fn the_top_level_is_what_it_should_be() {
    let folders = ["api", "assets", "devices", "docs", "examples", "pipeline"];
    for entry in std::fs::read_dir(root()).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let made = ["target", "out"].contains(&name.as_str()) || name.starts_with('.');
        let known = folders.contains(&name.as_str());
        assert!(!entry.path().is_dir() || made || known, "{name}/");
    }
}

#[test]
fn names_say_what_is_inside() {
    for (name, _) in all_sources() {
        let stem = Path::new(&name).with_extension("");
        for part in stem.iter().map(|part| part.to_str().unwrap()) {
            let vague = ["utils", "util", "common", "helpers", "prelude", "misc"];
            assert!(!vague.contains(&part), "{name}");
        }
    }
}

/// Files that documents name exist.
#[test]
fn documents_name_what_is_there() {
    let mut documents = vec![root().join("README.md")];
    for entry in std::fs::read_dir(root().join("docs")).unwrap() {
        documents.push(entry.unwrap().path());
    }
    for document in documents
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
    {
        let text = std::fs::read_to_string(document).unwrap();
        for (i, line) in text.lines().enumerate() {
            for quoted in line.split('`').skip(1).step_by(2) {
                let folders = [
                    "api/",
                    "pipeline/",
                    "devices/",
                    "examples/",
                    "assets/",
                    "docs/",
                    ".ci/",
                ];
                let is_path = folders.iter().any(|folder| quoted.starts_with(folder))
                    && !quoted.contains(['*', '<', ' ', '{', '…']);
                assert!(
                    !is_path || root().join(quoted).exists(),
                    "{}:{}: there is no `{quoted}`",
                    document.display(),
                    i + 1
                );
            }
        }
    }
}

/// Every hop that docs/layout.md follows a triangle through is a function of the file that it names.
#[test]
fn hops_of_the_triangle_are_there() {
    let text = std::fs::read_to_string(root().join("docs/layout.md")).unwrap();
    let mut hops = 0;
    let numbered = |line: &&str| {
        let cell = line.strip_prefix("| ");
        cell.is_some_and(|cell| cell.starts_with(|c: char| c.is_ascii_digit()))
    };
    for row in text.lines().filter(numbered) {
        let quoted: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
        for pair in quoted.chunks_exact(2) {
            let [file, function] = pair else { continue };
            let source = std::fs::read_to_string(root().join(file)).unwrap();
            let found = [format!("fn {function}("), format!("fn {function}<")];
            let found = found.iter().any(|text| source.contains(text));
            assert!(found, "{file} has no function {function}");
            hops += 1;
        }
    }
    assert!(hops >= 19, "{hops} hops");
}
