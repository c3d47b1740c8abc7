//! What compiles of a folder of SPIR-V modules, on every chip, and what keeps the rest from it, by count.
//!
//! `GIRIH_SURVEY=FOLDER cargo test -p girih-pipeline --test spirv_survey -- --ignored --nocapture`, where `FOLDER` has
//! `.spv` files, in folders if there are many. `GIRIH_SURVEY_SHOW=TEXT` lists the files whose cause has the text.
//! `GIRIH_SURVEY_PLAIN=1` leaves out the modules that need an extension beyond Vulkan 1.1 or types of other than 32 bits.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pipeline::codegen::Options;
use pipeline::ir::{Function, Scalar, Slot, Stage};
use pipeline::lower::Overrides;
use pipeline::passes::lowered;
use pipeline::spirv::LaidOut;
use pipeline::targets::TARGETS;
use pipeline::wgsl::{Source, parse};
use wgpu_types::TextureFormat;

/// Extensions that say nothing about what is computed, and those that Vulkan 1.1 took in.
const USUAL: [&str; 12] = [
    "SPV_GOOGLE_decorate_string",
    "SPV_GOOGLE_hlsl_functionality1",
    "SPV_GOOGLE_user_type",
    "SPV_KHR_16bit_storage",
    "SPV_KHR_device_group",
    "SPV_KHR_multiview",
    "SPV_KHR_non_semantic_info",
    "SPV_KHR_relaxed_extended_instruction",
    "SPV_KHR_shader_draw_parameters",
    "SPV_KHR_storage_buffer_storage_class",
    "SPV_KHR_variable_pointers",
    "SPV_KHR_terminate_invocation",
];

/// Numbers of capabilities that are optional types: Float16, Float64, Int64, Int64Atomics, Int16, Int8, and storage of 16 and
/// 8 bits.
const TYPES: [u32; 13] = [
    9, 10, 11, 12, 22, 39, 4433, 4434, 4435, 4436, 4448, 4449, 4450,
];

fn modules(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            modules(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "spv") {
            found.push(path);
        }
    }
    found.sort();
}

/// Opcodes of the header of a module, with their operands.
fn header(words: &[u32]) -> Vec<(u32, &[u32])> {
    let mut found = Vec::new();
    let mut at = 5;
    while let Some(&word) = words.get(at) {
        let end = at + (word >> 16).max(1) as usize;
        // Entry points are the last that is of interest, before what names and decorates.
        if matches!(word & 0xffff, 5 | 54 | 71) || end > words.len() {
            break;
        }
        found.push((word & 0xffff, &words[at + 1..end]));
        at = end;
    }
    found
}

fn is_plain(words: &[u32]) -> bool {
    header(words).iter().all(|(op, operands)| match op {
        10 => {
            let bytes: Vec<u8> = operands
                .iter()
                .flat_map(|word| word.to_le_bytes())
                .collect();
            let name: Vec<u8> = bytes.into_iter().take_while(|byte| *byte != 0).collect();
            USUAL.iter().any(|usual| usual.as_bytes() == name)
        }
        17 => !TYPES.contains(&operands[0]),
        _ => true,
    })
}

/// An error without the numbers of one module.
fn cause(text: &str) -> String {
    let text = text.split(" (instruction ").next().unwrap_or(text);
    let mut short = String::new();
    let mut rest = text;
    // `instruction 12 (OpLoad %7 `name`): words` has one module's numbers in front.
    if let Some((head, tail)) = rest.split_once("): ")
        && head.contains("instruction ")
    {
        let op = head.split('(').nth(1).and_then(|op| op.split(' ').next());
        short += op.unwrap_or_default();
        short += ": ";
        rest = tail;
    }
    for word in rest.split(' ') {
        let number = word
            .trim_start_matches('%')
            .starts_with(|c: char| c.is_ascii_digit());
        short += if number { "N" } else { word };
        short.push(' ');
    }
    short.trim_end().to_owned()
}

/// Colour targets as pipelines usually have them: four bytes a pixel for floats.
fn options(function: &Function) -> Options {
    let mut options = Options::default();
    if function.stage == Stage::Fragment {
        let outputs = &function.interface.outputs;
        let last = outputs.iter().map(|output| output.location + 1).max();
        let format = |location: u32| {
            let found = outputs.iter().find(|output| output.location == location)?;
            Some(match found.scalar {
                Scalar::Float => TextureFormat::Rgba8Unorm,
                Scalar::Sint => TextureFormat::Rgba8Sint,
                Scalar::Uint => TextureFormat::Rgba8Uint,
            })
        };
        let states = (0..last.unwrap_or(0)).map(|location| format(location).map(Into::into));
        options.targets = states.collect();
        options.colors = options.targets.iter().map(Option::is_some).collect();
    }
    options
}

#[test]
#[ignore = "it needs a folder of modules"]
fn what_compiles_of_a_folder() {
    let folder = std::env::var("GIRIH_SURVEY").expect("GIRIH_SURVEY is a folder");
    let show = std::env::var("GIRIH_SURVEY_SHOW").ok();
    let plain = std::env::var("GIRIH_SURVEY_PLAIN").is_ok();
    let mut paths = Vec::new();
    modules(Path::new(&folder), &mut paths);
    let mut causes: BTreeMap<(&str, String), usize> = BTreeMap::new();
    let mut compiled: BTreeMap<&str, usize> = BTreeMap::new();
    let mut entries = 0;
    let mut broken = Vec::new();
    let mut note = |chip: &'static str, path: &Path, text: String| {
        if show
            .as_ref()
            .is_some_and(|show| text.contains(show.as_str()))
        {
            println!("{chip} {}: {text}", path.display());
        }
        if text.contains("gave up") || text.contains("panicked") {
            broken.push(format!("{chip} {}: {text}", path.display()));
        }
        *causes.entry((chip, cause(&text))).or_default() += 1;
    };
    for path in &paths {
        let bytes = std::fs::read(path).unwrap();
        let chunks = bytes.chunks_exact(4);
        let words: Vec<u32> = chunks
            .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
            .collect();
        if plain && !is_plain(&words) {
            continue;
        }
        // Models 0 and 4 are vertex and fragment.
        let declared = header(&words);
        let mut wanted = declared
            .iter()
            .filter(|(op, of)| *op == 15 && matches!(of[0], 0 | 4));
        let checked = match parse(Source::Spirv(&words)) {
            Ok(checked) => checked,
            Err(error) => {
                let count = wanted.clone().count();
                entries += count;
                for _ in 0..count {
                    note("every chip", path, error.to_string());
                }
                continue;
            }
        };
        if wanted.next().is_none() {
            continue;
        }
        // A layout gives binding arrays their lengths.
        let eight = LaidOut {
            count: 8,
            layered: false,
        };
        let slots = (0..16).flat_map(|group| (0..100).map(move |binding| Slot { group, binding }));
        let checked = checked
            .laid_out(&slots.map(|slot| (slot, eight)).collect())
            .unwrap_or(checked);
        let points: Vec<_> = checked
            .entry_points()
            .map(|(name, stage)| (name.to_owned(), stage))
            .collect();
        for (name, stage) in points {
            if !matches!(stage, Some(Stage::Vertex | Stage::Fragment)) {
                continue;
            }
            entries += 1;
            let function = match lowered(&checked, Some(&name), stage, &Overrides::new()) {
                Ok(function) => function,
                Err(error) => {
                    note("every chip", path, error.to_string());
                    continue;
                }
            };
            for target in TARGETS {
                match (target.compile)(&function, &options(&function)) {
                    Ok(_) => *compiled.entry(target.info.name).or_default() += 1,
                    Err(error) => note(target.info.name, path, error.to_string()),
                }
            }
        }
    }
    println!("{entries} entry points of {} modules", paths.len());
    for target in TARGETS {
        let count = compiled.get(target.info.name).copied().unwrap_or(0);
        let share = 100.0 * count as f64 / f64::from(entries.max(1) as u32);
        println!("{:18} {count:5}  {share:5.1} %", target.info.name);
    }
    let mut ranked: Vec<_> = causes.into_iter().collect();
    ranked.sort_by_key(|((chip, cause), count)| (*chip, std::cmp::Reverse(*count), cause.clone()));
    for ((chip, cause), count) in ranked {
        println!("{count:5}  {chip}: {cause}");
    }
    assert!(broken.is_empty(), "{broken:#?}");
}
