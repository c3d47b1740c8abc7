//! What geometry stages emit: run directly, and as machine code by each chip's executor. Bit for bit, but for what a chip does
//! less exactly than the SSA says, which is then done so on both sides.
#![allow(clippy::unwrap_used)]

mod geometry_corpus;

use ::rogue::regs;
use geometry_corpus::{PRELUDE, SHADERS};
use lanes::Row;
use pipeline::codegen::direct::{self, Element, ImageCall, Resources};
use pipeline::codegen::geometry::{looped, own_input_words};
use pipeline::codegen::{Binary, ConstantSource, Options, r600, rogue};
use pipeline::ir::{self, Builtin, Function, OutputBuiltin, Stage, print, verify};
use pipeline::isa::{Emitted, ExecInput, ExecPrimitives, LaneValue, MemoryBlock};
use pipeline::lower::{Overrides, lower};
use pipeline::passes;
use pipeline::silicon::Addr;
use pipeline::targets::{TARGETS, Target};
use pipeline::wgsl::{self, Source};

/// Instructions after which a shader counts as hanging.
const LIMIT: u64 = 1 << 24;

fn mix(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The primitives of a wave, and what became of them.
#[derive(Clone)]
struct Primitives {
    /// Words by lane and vertex, as a vertex shader in front of the stage stores them.
    vertices: Vec<Vec<Vec<u32>>>,
    /// First words of the inputs.
    places: Vec<u32>,
    invocation: u32,
    emitted: Vec<Emitted>,
}

impl Primitives {
    /// Positions and floats are small multiples of 1/256, integers small.
    fn random(function: &Function, lanes: usize, seed: u64) -> Primitives {
        let interface = &function.interface;
        let vertices = interface.geometry.as_ref().unwrap().vertices;
        let mut at = seed;
        let mut next = || {
            at = at.wrapping_add(0x9e37_79b9_7f4a_7c15);
            mix(at) as u32
        };
        let mut vertex = || {
            let mut words: Vec<u32> = Vec::new();
            let scalars = interface.inputs.iter();
            let scalars = scalars.flat_map(|v| vec![v.scalar; v.components as usize]);
            for scalar in [ir::Scalar::Float; 4].into_iter().chain(scalars) {
                let n = next();
                words.push(match scalar {
                    ir::Scalar::Float => ((n % 4096) as f32 / 256.0 - 8.0).to_bits(),
                    _ => n % 29,
                });
            }
            words
        };
        let mut primitive = || (0..vertices).map(|_| vertex()).collect();
        Primitives {
            vertices: (0..lanes).map(|_| primitive()).collect(),
            places: own_input_words(interface),
            invocation: 0,
            emitted: vec![Vec::new(); lanes],
        }
    }

    fn lane(&self, value: impl Fn(usize) -> u32) -> Row {
        let lanes = self.vertices.len();
        Row(std::array::from_fn(|lane| match lane < lanes {
            true => value(lane),
            false => 0,
        }))
    }
}

impl Resources for Primitives {
    fn input(&mut self, _: u32, _: u32) -> Row {
        unreachable!("no input of a vertex shader")
    }
    fn builtin(&mut self, builtin: Builtin) -> Row {
        match builtin {
            Builtin::PrimitiveIndex => self.lane(|lane| lane as u32),
            Builtin::InvocationIndex => Row::splat(self.invocation),
            other => unreachable!("{other:?}"),
        }
    }
    fn vertex(&mut self, vertex: u32, input: Option<u32>, component: u32) -> Row {
        let first = input.map_or(0, |input| self.places[input as usize]);
        self.lane(|lane| self.vertices[lane][vertex as usize][(first + component) as usize])
    }
    fn emit_vertex(&mut self, number: &Row, words: &[Row], mask: u64) {
        for lane in (0..self.vertices.len()).filter(|lane| mask >> lane & 1 != 0) {
            let before = self.emitted[lane].iter().flatten().count();
            assert_eq!(number.0[lane] as usize, before, "lane {lane}");
            let words = words.iter().map(|row| row.0[lane]).collect();
            self.emitted[lane].push(Some(words));
        }
    }
    fn end_primitive(&mut self, mask: u64) {
        for lane in (0..self.vertices.len()).filter(|lane| mask >> lane & 1 != 0) {
            self.emitted[lane].push(None);
        }
    }
    fn output(&mut self, _: u32, _: u32, _: &Row, _: u64) {
        unreachable!("a geometry stage emits")
    }
    fn output_builtin(&mut self, _: OutputBuiltin, _: u32, _: &Row, _: u64) {
        unreachable!("a geometry stage emits")
    }
    fn load_buffer(&mut self, _: Element, _: u32) -> u32 {
        0
    }
    fn store_buffer(&mut self, _: Element, _: u32, _: u32) {}
    fn buffer_bytes(&mut self, _: Element) -> u32 {
        0
    }
    fn push_constant(&mut self, _: u32) -> u32 {
        0
    }
    fn image(&mut self, _: &ImageCall<'_>, _: &mut [Row]) {}
}

/// What the lanes emit, run directly.
fn directly(function: &Function, mut primitives: Primitives) -> Vec<Emitted> {
    let lanes = primitives.vertices.len() as u32;
    let mask = 1u64.checked_shl(lanes).map_or(u64::MAX, |bit| bit - 1);
    let program = direct::compile(function).unwrap();
    program.run(mask, 0, LIMIT, &mut primitives).unwrap();
    primitives.emitted
}

/// The special register of Rogue that says which part of scratch memory is a lane's, and the shared ones that hold its address.
/// [docs/driver-rogue.md]
const ROGUE_LANE: &str = "local_addr_inst_num";
const ROGUE_SCRATCH: [&str; 2] = ["sh16", "sh17"];

/// What a chip finds beside its primitives.
fn start(target: &Target, binary: &Binary) -> ExecInput {
    let mut input = ExecInput {
        strict: true,
        ..ExecInput::default()
    };
    match target.info.name {
        "southern-islands" => {
            // The address of the push constants, and descriptors behind those. [docs/driver-southern-islands.md]
            let (push, scratch) = (4096u32, 0x1_0000);
            let mut words = Vec::new();
            if binary.scratch_bytes > 0 {
                let bytes = vec![0; target.chip.scratch_bytes(binary.scratch_bytes) as usize];
                input.memory.push(MemoryBlock::new(scratch, &bytes));
                let at = Addr(scratch);
                let chip = target.chip;
                chip.scratch_descriptor(at, binary.scratch_bytes, &mut words);
            }
            let mut bytes = vec![0; 256];
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
            bytes.resize(512, 0);
            input.memory.push(MemoryBlock::new(push.into(), &bytes));
            let register = "s8".to_owned();
            input.registers.insert(register, LaneValue::One(push));
        }
        "rogue" => {
            let words = binary.slots.constants.iter().flatten();
            for (register, word) in (rogue::CONSTANTS..).zip(words) {
                if let Some(ConstantSource::Immediate(bits)) = word {
                    let name = format!("sh{register}");
                    input.registers.insert(name, LaneValue::One(*bits));
                }
            }
            if binary.scratch_bytes > 0 {
                let numbers = LaneValue::Lanes((0..64).collect());
                input.registers.insert(ROGUE_LANE.to_owned(), numbers);
                let scratch = 0x1_0000u32;
                let bytes = vec![0; binary.scratch_bytes as usize];
                input.memory.push(MemoryBlock::new(scratch.into(), &bytes));
                for (name, word) in ROGUE_SCRATCH.into_iter().zip([scratch, 0]) {
                    input
                        .registers
                        .insert(name.to_owned(), LaneValue::One(word));
                }
            }
        }
        _ => {}
    }
    input
}

/// Words of a vertex that a program of Rogue has in its vertex inputs.
fn read_words(binary: &Binary) -> Vec<usize> {
    let find = |register: u32| {
        let mut registers = binary.registers.iter();
        registers
            .find(|(at, _)| *at == register)
            .map(|(_, value)| *value)
    };
    let count = find(regs::PDS_GS_INPUTS).unwrap();
    let word = |n: u32| find(regs::PDS_GS_INPUT_WORD + n / 4).unwrap() >> (8 * (n % 4)) & 0xff;
    (0..count).map(|n| word(n) as usize).collect()
}

/// Where a program of Rogue has the words of an emitted vertex: positions, outputs by fours, then the other built-in outputs.
fn rogue_places(function: &Function) -> Vec<usize> {
    let interface = &function.interface;
    let geometry = interface.geometry.as_ref().unwrap();
    let order = |builtin: &OutputBuiltin| match builtin {
        OutputBuiltin::PointSize => 0,
        OutputBuiltin::Viewport => 1,
        OutputBuiltin::Layer => 2,
        OutputBuiltin::ClipDistance(n) => 3 + n,
        other => panic!("{other:?}"),
    };
    let mut behind: Vec<OutputBuiltin> = geometry.builtins.clone();
    behind.retain(|builtin| *builtin != OutputBuiltin::Position);
    behind.sort_by_key(order);
    let mut places = Vec::new();
    for builtin in &geometry.builtins {
        match behind.iter().position(|other| other == builtin) {
            None => places.extend(0..4),
            Some(at) => places.push(4 + 4 * interface.outputs.len() + at),
        }
    }
    for (n, output) in (1..).zip(&interface.outputs) {
        places.extend(4 * n..4 * n + output.components as usize);
    }
    places
}

/// What the lanes emit on a chip.
fn on_chip(
    target: &Target,
    (mut input, binary): (ExecInput, &Binary),
    function: &Function,
    primitives: &Primitives,
) -> Vec<Emitted> {
    let words = function.interface.emitted_words();
    let (read, places): (Option<Vec<usize>>, Vec<usize>) = match target.info.name {
        "rogue" => (Some(read_words(binary)), rogue_places(function)),
        _ => (None, (0..words).collect()),
    };
    let mut vertices = primitives.vertices.clone();
    if let Some(read) = &read {
        for vertex in vertices.iter_mut().flatten() {
            *vertex = read.iter().map(|word| vertex[*word]).collect();
        }
    }
    let end = places.iter().max().map_or(0, |last| last + 1);
    input.primitives = Some(ExecPrimitives {
        vertices,
        words: match target.info.name {
            // Records are whole groups of four.
            "r600" => end.next_multiple_of(4) as u32,
            _ => end as u32,
        },
        most: function.interface.geometry.as_ref().unwrap().max_vertices,
        descriptors: Some(4096 + 272),
    });
    let output = target.tools.exec("geometry", &binary.words, &input);
    let mut emitted = output
        .unwrap_or_else(|error| panic!("{error}\n{}", binary.listing()))
        .emitted;
    let vertices = emitted.iter_mut().flatten().flatten();
    vertices.for_each(|vertex| *vertex = places.iter().map(|at| vertex[*at]).collect());
    emitted
}

/// A stage of a text before the passes.
fn stage(name: &str, text: &str) -> Function {
    let text = format!("{PRELUDE}{text}");
    let checked = wgsl::parse(Source::Wgsl(&text)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let stage = Some(Stage::Geometry);
    lower(&checked, Some("gs"), stage, &Overrides::new()).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// What a lane emitted, without ends right behind another, which end nothing.
fn strips(emitted: &Emitted) -> Emitted {
    let mut strips = emitted.clone();
    strips.dedup_by(|a, b| a.is_none() && b.is_none());
    strips
}

/// Compares what a function emits on chips with what it does directly.
fn agree(name: &str, function: &Function, on: fn(&Target) -> bool, compared: &mut usize) {
    let targets = TARGETS
        .iter()
        .filter(|target| target.info.features.geometry && target.info.features.integers);
    for target in targets.filter(|target| on(target)) {
        let chip = target.info.name;
        // No chip with the stage lacks what these shaders need.
        let binary = (target.compile)(function, &Options::default())
            .unwrap_or_else(|error| panic!("{name} on {chip}: {error}"));
        let input = start(target, &binary);
        let mut exact = function.clone();
        match chip {
            "r600" => r600::legalize::inexact(&mut exact),
            "rogue" => rogue::legalize::inexact(&mut exact),
            _ => {}
        }
        for (seed, lanes) in [(1, 64), (2, 37), (3, 1)] {
            let primitives = Primitives::random(function, lanes, seed);
            let wanted = directly(&exact, primitives.clone());
            let found = on_chip(target, (input.clone(), &binary), function, &primitives);
            let pairs = found.iter().map(strips).zip(wanted.iter().map(strips));
            for (lane, (found, wanted)) in pairs.enumerate() {
                assert!(
                    found == wanted,
                    "{name} on {chip}, lane {lane} of {lanes}: {found:x?}\n{wanted:x?}\n{}",
                    print(function)
                );
            }
            assert_eq!(found.len(), lanes);
            *compared += lanes;
        }
    }
}

#[test]
fn chips_emit_what_shaders_say() {
    let mut compared = 0;
    for (name, text) in SHADERS {
        let mut function = stage(name, text);
        agree(name, &function, |_| true, &mut compared);
        passes::run(&mut function);
        agree(name, &function, |_| true, &mut compared);
    }
    // On three chips, before and after the passes.
    assert_eq!(compared, 3 * SHADERS.len() * 2 * (64 + 37 + 1));
    assert!(SHADERS.len() >= 20);
}

/// Whether a chip runs one invocation of a primitive.
fn runs_one(target: &Target) -> bool {
    target
        .chip
        .rings()
        .is_some_and(|rings| !rings.has_invocations())
}

/// A stage that runs its invocations in a loop emits what they emit one after the other, each with the end of its strip.
#[test]
fn invocations_in_a_loop_emit_one_after_the_other() {
    let mut compared = 0;
    for (name, text) in SHADERS {
        let function = stage(name, text);
        let primitives = Primitives::random(&function, 64, 5);
        for count in [2, 5] {
            let mut wanted = vec![Emitted::new(); 64];
            for invocation in 0..count {
                let primitives = Primitives {
                    invocation,
                    ..primitives.clone()
                };
                let emitted = directly(&function, primitives);
                for (wanted, emitted) in wanted.iter_mut().zip(emitted) {
                    wanted.extend(emitted);
                    wanted.push(None);
                }
            }
            let mut all = looped(&function, count);
            assert_eq!(verify(&all), Ok(()), "{name}\n{}", print(&all));
            assert!(directly(&all, primitives.clone()) == wanted, "{name}");
            passes::run(&mut all);
            assert!(directly(&all, primitives.clone()) == wanted, "{name}");
            if count == 2 {
                agree(name, &all, runs_one, &mut compared);
            }
        }
    }
    assert!(compared > 0);
}
