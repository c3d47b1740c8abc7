//! Modules with one feature each and the values that they give, on every chip with integers.
//!
//! `spirv/cases` has sources beside their words: GLSL (`glslangValidator -V`) and assembly (`spirv-as`). Comments in a source
//! say what is asked for; a lane of the wave takes one case after the other:
//!
//! - `//= 1 2 3 -> 4 5`: inputs by location, and what the outputs are. `;` stands between locations, `-` for an output that
//!   is not written, `~` before a float that is right to five digits.
//! - `//: const 3 = 5`: a specialisation constant. `//: push = 1 2`: words of push constants.
//! - `//: buffer 0.1 = 1 2 3`: words of the buffer at set 0, binding 1. `//: after 0.1 = 1 2 3`: the same at the end.
//! - `//: lacks an array of 1D images`: what an error says.
//!
//! `half` has shaders in WGSL with `f16`, asked the same.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;

use crate::direct::{Name, World};
use crate::harness::with_integers;
use pipeline::codegen::CompileError;
use pipeline::ir::{Function, Slot, print};
use pipeline::lower::{Overrides, lower};
use pipeline::{passes, wgsl};

/// What a number in a comment stands for.
#[derive(Clone, Copy, Debug)]
enum Number {
    Word(u32),
    About(f32),
    Unwritten,
}

impl Number {
    fn new(text: &str) -> Number {
        if let Some(text) = text.strip_prefix('~') {
            return Number::About(text.parse().unwrap());
        }
        if text == "-" {
            return Number::Unwritten;
        }
        Number::Word(match text.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).unwrap(),
            None if text.contains('.') || text.ends_with("inf") || text.ends_with("NaN") => {
                text.parse::<f32>().unwrap().to_bits()
            }
            None => text.parse::<i64>().unwrap() as u32,
        })
    }

    fn word(self) -> u32 {
        match self {
            Number::Word(word) => word,
            Number::About(value) => value.to_bits(),
            Number::Unwritten => 0,
        }
    }

    fn is(self, found: Option<u32>) -> bool {
        match (self, found) {
            (Number::Word(word), found) => found == Some(word),
            (Number::Unwritten, found) => found.is_none(),
            (Number::About(wanted), Some(found)) => {
                let error = (f32::from_bits(found) - wanted).abs();
                error <= 1e-5 * wanted.abs().max(1e-3)
            }
            (Number::About(_), None) => false,
        }
    }
}

/// What the comments of a source say.
#[derive(Debug, Default)]
struct Asked {
    constants: Overrides,
    push: Vec<u32>,
    buffers: BTreeMap<Slot, Vec<u32>>,
    after: BTreeMap<Slot, Vec<u32>>,
    lacks: Option<String>,
    /// Inputs and outputs, by location.
    cases: Vec<[Vec<Vec<Number>>; 2]>,
}

fn words(text: &str) -> Vec<u32> {
    let numbers = text.split_whitespace().map(Number::new);
    numbers.map(Number::word).collect()
}

fn slot(text: &str) -> Slot {
    let (group, binding) = text.split_once('.').unwrap();
    Slot {
        group: group.parse().unwrap(),
        binding: binding.parse().unwrap(),
    }
}

impl Asked {
    fn new(source: &str) -> Asked {
        let mut asked = Asked::default();
        for line in source.lines() {
            let line = line.trim_start_matches([';', ' ']);
            if let Some(case) = line.strip_prefix("//= ") {
                let locations = |text: &str| -> Vec<Vec<Number>> {
                    let parts = text.split(';');
                    let numbers = parts.map(|part| part.split_whitespace().map(Number::new));
                    numbers.map(Iterator::collect).collect()
                };
                let (given, wanted) = case.split_once("->").unwrap();
                asked.cases.push([given, wanted].map(locations));
            }
            let Some(line) = line.strip_prefix("//: ") else {
                continue;
            };
            if let Some(what) = line.strip_prefix("lacks ") {
                asked.lacks = Some(what.trim().to_owned());
                continue;
            }
            let (what, value) = line.split_once(" = ").unwrap();
            match what.split_once(' ') {
                Some(("const", id)) => {
                    asked
                        .constants
                        .insert(id.to_owned(), value.trim().parse().unwrap());
                }
                Some(("buffer", at)) => drop(asked.buffers.insert(slot(at), words(value))),
                Some(("after", at)) => drop(asked.after.insert(slot(at), words(value))),
                _ => {
                    assert_eq!(what, "push", "{line}");
                    asked.push = words(value);
                }
            }
        }
        asked
    }

    /// The world of the cases.
    fn world(&self, function: &Function) -> World {
        let mut world = World::random(function, 5);
        for (resource, elements) in function.interface.resources.iter().zip(&mut world.buffers) {
            if let Some(words) = self.buffers.get(&resource.slot) {
                elements[0].clone_from(words);
            }
        }
        if !self.push.is_empty() {
            world.push.clone_from(&self.push);
        }
        for (input, components) in world.inputs.iter_mut().enumerate() {
            for (component, lanes) in components.iter_mut().enumerate() {
                for (lane, word) in lanes.iter_mut().enumerate() {
                    let [given, _] = &self.cases[lane % self.cases.len()];
                    let number = given.get(input).and_then(|of| of.get(component));
                    *word = number.map_or(0, |number| number.word());
                }
            }
        }
        world
    }

    fn check(&self, function: &Function) -> Result<(), String> {
        let given = self.world(function);
        let mut world = given.clone();
        world.run(function);
        for lane in 0..64 {
            let [inputs, wanted] = &self.cases[lane % self.cases.len()];
            for (output, numbers) in wanted.iter().enumerate() {
                for (component, number) in numbers.iter().enumerate() {
                    let mut written = world.outputs.iter().rev();
                    let name = Name::Output(output as u32);
                    let found = written
                        .find(|w| w.name == name && w.component == component as u32)
                        .and_then(|written| written.lanes[lane]);
                    if !number.is(found) {
                        let float = found.map(f32::from_bits);
                        return Err(format!(
                            "{inputs:?}: output {output}.{component} is {found:x?} ({float:?}), not {number:x?}"
                        ));
                    }
                }
            }
        }
        for (resource, elements) in function.interface.resources.iter().zip(&world.buffers) {
            if let Some(words) = self.after.get(&resource.slot)
                && *words != elements[0]
            {
                let slot = resource.slot;
                return Err(format!("{slot:?} holds {:x?}, not {words:x?}", elements[0]));
            }
        }
        for machine in with_integers() {
            let binary = match machine.compile(function) {
                Ok(binary) => binary,
                // A chip's own gaps have tests of their own.
                Err(CompileError::Unsupported { .. }) => continue,
                Err(error) => return Err(format!("{}: {error}", machine.name())),
            };
            machine
                .on_a_wave_of(
                    function,
                    &binary,
                    machine.given(function, given.clone()),
                    u64::MAX,
                )
                .map_err(|error| format!("{}: {error}", machine.name()))?;
        }
        Ok(())
    }
}

fn check(source: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(source).unwrap();
    let asked = Asked::new(&text);
    let lowered = match source.extension().is_some_and(|of| of == "wgsl") {
        true => wgsl::parse(wgsl::Source::Wgsl(&text))
            .and_then(|module| lower(&module, None, None, &asked.constants)),
        false => {
            let bytes = std::fs::read(format!("{}.spv", source.display())).unwrap();
            let chunks = bytes.chunks_exact(4);
            let words: Vec<u32> = chunks
                .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
                .collect();
            pipeline::spirv::read(&words)
                .and_then(|module| module.lower(None, None, &asked.constants))
        }
    };
    let mut function = match (lowered, &asked.lacks) {
        (Err(error), Some(what)) if error.to_string().contains(what) => return Ok(()),
        (Ok(function), None) => function,
        (Err(error), _) => return Err(error.to_string()),
        (Ok(_), Some(what)) => return Err(format!("{what} is there")),
    };
    if asked.cases.is_empty() {
        return Err("no case".to_owned());
    }
    passes::run(&mut function);
    asked
        .check(&function)
        .map_err(|error| format!("{error}\n{}", print(&function)))
}

/// Checks all sources of a folder.
fn check_all(folder: &str, least: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(folder);
    let mut sources: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension != "spv"))
        .collect();
    sources.sort();
    assert!(sources.len() >= least, "{} sources", sources.len());
    let mut wrong = Vec::new();
    for source in &sources {
        if let Err(error) = check(source) {
            wrong.push(format!("{}: {error}", source.display()));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} are wrong:\n{}",
        wrong.len(),
        sources.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_feature_gives_its_values() {
    check_all("spirv/cases", 100);
}

#[test]
fn halves_of_wgsl_give_their_values() {
    check_all("half", 3);
}
