//! Rogue: how inputs reach its registers, what its groups ask of textures and memory, where outputs go.

use std::collections::BTreeMap;

use lanes::{LANES, LaneOp, Row, Wave};
use pipeline::codegen::direct::Resources;
use pipeline::codegen::rogue::{self as back, bytes};
use pipeline::codegen::{Binary, ConstantSource, Options};
use pipeline::ir::{
    Builtin, Function, Interpolation, Op, OutputBuiltin, ResourceKind, Scalar, Shape, Stage,
};
use rogue::isa::backend::{Amount, Backend, Uvsw};
use rogue::isa::{Body, Item, check, decode};
use rogue::lift::{ACTIVE, COVERED, Input, SHARED, Setup, SpecialRegister, lift};
use silicon::texture::sample;
use silicon::{Addr, Memory};

use super::access::{Kind, TextureAccess, samples_log2};
use super::start::Start;
use super::{Case, Machine, Outcome, run_wave, taken};
use crate::direct::{Name, World};
use ports::Side;

mod ports;
mod start;

/// The chip.
pub struct Rogue;

/// Where buffers lie, and scratch memory, in bytes.
const BUFFERS: u64 = 0x1_0000;
const MEMORY: u64 = 1 << 24;

/// Registers of the agreement with the driver. [docs/driver-rogue.md]
const DRAW_INDEX: usize = 2;
const FRONT: usize = 7;
const SCRATCH: usize = 16;
const INPUTS: u16 = 8;

impl Rogue {
    /// Compiles a function for it.
    pub fn binary(function: &Function) -> Result<Binary, pipeline::codegen::CompileError> {
        back::compile(function, &Options::default())
    }
}

/// Vertex outputs of one word behind the parameters, in their order.
const BEHIND: [OutputBuiltin; 10] = [
    OutputBuiltin::PointSize,
    OutputBuiltin::Viewport,
    OutputBuiltin::ClipDistance(0),
    OutputBuiltin::ClipDistance(1),
    OutputBuiltin::ClipDistance(2),
    OutputBuiltin::ClipDistance(3),
    OutputBuiltin::ClipDistance(4),
    OutputBuiltin::ClipDistance(5),
    OutputBuiltin::ClipDistance(6),
    OutputBuiltin::ClipDistance(7),
];

impl Machine for Rogue {
    fn name(&self) -> &'static str {
        rogue::CHIP
    }

    fn computed(&self, function: &Function) -> Function {
        let mut function = function.clone();
        back::legalize::inexact(&mut function);
        back::legalize::flushed(&mut function);
        function
    }

    /// Planes give no denormals.
    fn given(&self, function: &Function, mut world: World) -> World {
        for (input, words) in function.interface.inputs.iter().zip(&mut world.inputs) {
            let flat = input.interpolation == Interpolation::Flat;
            if function.stage == Stage::Fragment && !flat && input.scalar == Scalar::Float {
                for word in words.iter_mut().flatten() {
                    *word = LaneOp::FFlush.eval([*word, 0, 0]);
                }
            }
        }
        world
    }

    /// The product is rounded before the sum.
    fn fma(&self) -> LaneOp {
        LaneOp::FMadFlush
    }

    fn precision(&self) -> &'static [(&'static str, f64)] {
        const BOUND: f64 = 1.0 / (1 << 20) as f64;
        &[("sin(x)", BOUND), ("cos(x)", BOUND)]
    }

    #[rustfmt::skip]
    fn missing(&self) -> Vec<(&'static str, &'static str)> {
        vec![
            ("fragment_color_and_depth.wgsl", "more than eight registers of pixel outputs"),
            ("fragment_output_integers.wgsl", "more than eight registers of pixel outputs"),
            ("fragment_targets.wgsl", "more than eight registers of pixel outputs"),
            ("texture_storage_atomics.wgsl", "atomics on textures"),
        ]
    }

    fn missing_in_groups(&self) -> Vec<(&'static str, &'static str)> {
        vec![
            ("image_atomics.wgsl", "atomics on textures"),
            ("subgroup_ballots.wgsl", "subgroup operations"),
            ("subgroup_scans.wgsl", "subgroup operations"),
            ("subgroup_shuffles.wgsl", "subgroup operations"),
        ]
    }

    fn crowd(&self) -> [usize; 2] {
        [200, 320]
    }

    fn many(&self) -> usize {
        1000
    }

    fn too_much(&self) -> [Option<&'static str>; 2] {
        [
            Some("4001 words of indexed private arrays, more than the 3072"),
            None,
        ]
    }

    fn check(&self, _: &Function, binary: &Binary) -> Result<(), String> {
        for placed in decode(&bytes(&binary.words)).map_err(|error| error.to_string())? {
            if let Item::Group(group) = placed.item {
                check(&group).map_err(|error| format!("{group}: {error}"))?;
            }
        }
        Ok(())
    }

    fn export(&self, function: &Function, name: Name, component: u32) -> (String, usize) {
        let vertex = |word: u32| (format!("VO{word}"), 0);
        match name {
            Name::Output(number) if function.stage == Stage::Vertex => {
                vertex(4 + 4 * number + component)
            }
            Name::Output(number) => {
                let output = &function.interface.outputs[number as usize];
                let target = output.location + u32::from(output.second);
                (format!("O{}", 4 * target + component), 0)
            }
            Name::Builtin(OutputBuiltin::FragDepth) => ("DEPTH".into(), 0),
            Name::Builtin(OutputBuiltin::SampleMask) => ("MASK".into(), 0),
            Name::Builtin(OutputBuiltin::Position) => vertex(component),
            Name::Builtin(builtin) => {
                let written = |other: &&OutputBuiltin| {
                    let mut insts = function.insts();
                    insts.any(|inst| inst.op == Op::OutputBuiltin(**other))
                };
                let before = BEHIND.iter().take_while(|other| **other != builtin);
                let at = before.filter(written).count() as u32;
                vertex(4 + 4 * function.interface.outputs.len() as u32 + at)
            }
        }
    }

    fn cube(&self, direction: [u32; 3]) -> [u32; 3] {
        direction
    }

    fn cube_origin(&self) -> f32 {
        0.0
    }

    /// The texture unit finds the face.
    fn on_face(&self, direction: [u32; 3]) -> [u32; 3] {
        let mut rows = direction.map(|word| [word; LANES]);
        sample::faces(&mut rows);
        rows.map(|row| row[0])
    }

    /// Level 0 is a level, and all levels are floats.
    fn seen(&self, mut access: TextureAccess) -> TextureAccess {
        match access.kind {
            Kind::SampleZero => {
                access.kind = Kind::SampleLevel;
                access.lod = Some(0);
            }
            Kind::Load => {
                let level = access.lod.unwrap_or(0);
                access.lod = Some(LaneOp::U32ToF32.eval([level, 0, 0]));
            }
            _ => {}
        }
        access
    }

    /// Sizes follow from that of the largest level.
    fn size(&self, access: &TextureAccess, at: u32) -> u32 {
        let level = access.lod.unwrap_or(0);
        match level == 0 || level < size_word(access.texture, 3) {
            true => (size_word(access.texture, at) >> (level & 31)).max(1),
            false => 0,
        }
    }

    fn layers(&self, _: Shape, size: [u32; 4]) -> u32 {
        size[2]
    }

    fn run(&self, case: Case<'_>) -> Result<Outcome, String> {
        let Case {
            function,
            binary,
            mut world,
            live,
        } = case;
        let code = bytes(&binary.words);
        let groups = decode(&code).map_err(|error| error.to_string())?;
        let setup = Setup::named(&groups);
        let lifted = lift(&groups, &setup).map_err(|error| error.to_string())?;
        let program = &lifted.program;
        let mut wave = Wave::new(program.rows.into(), program.scalars.into());
        let helpers = match function.stage {
            Stage::Fragment => lanes::WideOp::WholeQuads.eval([live, 0, 0]),
            _ => live,
        };
        wave.set_mask(ACTIVE, helpers);
        wave.set_mask(COVERED, live);
        // Uninitialised registers must not matter.
        for row in lifted.layout.temporaries.clone() {
            wave.rows[usize::from(row)] = Row::splat(0xdead_beef);
        }
        let memory = Memory::new(MEMORY);
        let (shared, places) = shared_registers(function, binary, &world, &memory);
        for (n, word) in shared {
            let at = usize::from(SHARED) + n;
            if at < usize::from(lifted.layout.shared.end) {
                wave.scalars[at] = word;
            }
        }
        inputs(
            function,
            binary,
            &mut world,
            &lifted.layout,
            live,
            &mut wave,
        );
        let mut side = Side {
            function,
            binary,
            lifted: &lifted,
            memory: &memory,
            world,
            outcome: Outcome::default(),
        };
        run_wave(program, &mut wave, &mut side)?;
        let mut outcome = side.outcome;
        outcome.buffers = places
            .iter()
            .map(|elements| {
                elements
                    .iter()
                    .map(|(at, words)| read(&memory, *at, *words))
                    .collect()
            })
            .collect();
        let mut export = |name: String, row: u16, mask: u64| {
            let lanes = taken(&wave.rows[usize::from(row)].0, mask);
            outcome.outputs.insert((name, 0), lanes);
        };
        let covered = wave.mask(COVERED);
        let layout = &lifted.layout;
        for word in written_words(&groups) {
            export(
                format!("VO{word}"),
                layout.vertex_outputs.start + u16::from(word),
                live,
            );
        }
        for (n, row) in layout.outputs.iter().enumerate() {
            if let (Some(row), true) = (row, layout.writes_outputs[n]) {
                export(format!("O{n}"), *row, covered);
            }
        }
        if let Some(row) = layout.depth {
            export("DEPTH".into(), row, covered);
        }
        if let Some(row) = layout.mask {
            export("MASK".into(), row, covered);
        }
        Ok(outcome)
    }

    fn start(&self, start: &mut Start, function: &Function, binary: &Binary, world: &mut World) {
        start::registers(start, function, binary, world);
    }
}

/// Width, height, depth or layers, levels of a texture.
fn size_word(texture: [u32; 2], at: u32) -> u32 {
    let mut access = TextureAccess::new(Kind::Size, texture, None);
    access.lod = Some(0);
    access.component(at)
}

/// Vertex outputs that a program writes.
fn written_words(groups: &[rogue::isa::Placed]) -> Vec<u8> {
    let word = |placed: &rogue::isa::Placed| match &placed.item {
        Item::Group(group) => match &group.body {
            Body::Main(main) => match main.backend {
                Some(Backend::Uvsw {
                    op: Uvsw::WRITE,
                    address: Some(Amount::Number(word)),
                    ..
                }) => Some(word),
                _ => None,
            },
            _ => None,
        },
        Item::Padding(_) => None,
    };
    groups.iter().filter_map(word).collect()
}

fn read(memory: &Memory, at: u64, words: usize) -> Vec<u32> {
    let mut bytes = vec![0; 4 * words];
    memory.read(Addr(at), &mut bytes).unwrap();
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap());
    bytes.chunks(4).map(word).collect()
}

/// Addresses and words of buffers, by resource and element.
type Places = Vec<Vec<(u64, usize)>>;

/// Shared registers as the driver fills them, and buffers in memory.
fn shared_registers(
    function: &Function,
    binary: &Binary,
    world: &World,
    memory: &Memory,
) -> (BTreeMap<usize, u32>, Places) {
    let mut at = BUFFERS;
    let mut places: Places = Vec::new();
    for elements in &world.buffers {
        let mut found = Vec::new();
        for words in elements {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            memory.write(Addr(at), &bytes).unwrap();
            found.push((at, words.len()));
            at += (bytes.len() as u64).next_multiple_of(256) + 256;
        }
        places.push(found);
    }
    let mut shared = loaded(function, binary, world);
    shared.insert(SCRATCH, at as u32);
    shared.insert(SCRATCH + 1, (at >> 32) as u32);
    for bound in &binary.slots.resources {
        let kind = function.interface.resources[bound.resource as usize].kind;
        let texture = [bound.resource, bound.element];
        let words = match kind {
            ResourceKind::Uniform { .. } | ResourceKind::Storage { .. } => {
                let (at, words) = places[bound.resource as usize][bound.element as usize];
                [
                    at as u32,
                    (at >> 32) as u32,
                    4 * words as u32,
                    0,
                    0,
                    0,
                    0,
                    0,
                ]
            }
            _ => {
                let [width, height, depth, levels] = [0, 1, 2, 3].map(|at| size_word(texture, at));
                let samples = 1 << samples_log2(texture);
                [0, 0, 0, 0, width, height, depth, levels | samples << 8]
            }
        };
        for (n, word) in words.into_iter().enumerate() {
            shared.insert(bound.slot as usize + n, word);
        }
    }
    (shared, places)
}

/// Shared registers that hold no address: constants, push constants, uniform buffers, numbers of the driver.
fn loaded(function: &Function, binary: &Binary, world: &World) -> BTreeMap<usize, u32> {
    let mut shared = BTreeMap::from([(0, 5), (1, 7), (DRAW_INDEX, 3), (FRONT, 1)]);
    let slots = &binary.slots;
    let vectors = slots.constants.iter().flatten();
    for (n, source) in (usize::from(back::CONSTANTS)..).zip(vectors) {
        if let Some(ConstantSource::Immediate(word)) = source {
            shared.insert(n, *word);
        }
    }
    let (first, words) = back::push_constants(binary);
    for n in 0..words {
        let word = world.push.get(usize::from(n)).copied().unwrap_or(0);
        shared.insert(usize::from(first + n), word);
    }
    for bound in &slots.banks {
        let words = &world.buffers[bound.resource as usize][bound.element as usize];
        let kind = function.interface.resources[bound.resource as usize].kind;
        let ResourceKind::Uniform { min_bytes } = kind else {
            panic!("{kind:?} is preloaded");
        };
        for n in 0..min_bytes.div_ceil(4).next_multiple_of(4) {
            let word = words.get(n as usize).copied().unwrap_or(0);
            shared.insert((bound.slot + n) as usize, word);
        }
    }
    shared
}

/// Registers of lanes.
fn inputs(
    function: &Function,
    binary: &Binary,
    world: &mut World,
    layout: &rogue::lift::Layout,
    live: u64,
    wave: &mut Wave,
) {
    if function.stage == Stage::Vertex {
        let attributes = function.interface.inputs.len() as u16;
        let mut set = |n: u16, row: Row| {
            let at = layout.vertex_inputs.start + n;
            if at < layout.vertex_inputs.end {
                wave.rows[usize::from(at)] = row;
            }
        };
        for (n, input) in (0..).zip(&function.interface.inputs) {
            for component in 0..input.components {
                set(4 * n + component as u16, world.input(n.into(), component));
            }
        }
        set(4 * attributes, world.builtin(Builtin::VertexIndex));
        set(4 * attributes + 1, world.builtin(Builtin::InstanceIndex));
    }
    for (input, row) in &layout.inputs {
        wave.rows[usize::from(*row)] = match *input {
            Input::Coefficient(n) => coefficient(function, binary, world, n - 2),
            Input::Coverage => Row(std::array::from_fn(|lane| (live >> lane & 1) as u32)),
            Input::Special(n) => special(world, n),
            Input::CoefficientAlt(_) => Row::ZERO,
        };
    }
}

fn special(world: &mut World, number: u16) -> Row {
    let builtin = match SpecialRegister::from_code(number) {
        Some(SpecialRegister::X_P | SpecialRegister::X_S) => Builtin::FragCoord(0),
        Some(SpecialRegister::Y_P | SpecialRegister::Y_S) => Builtin::FragCoord(1),
        Some(SpecialRegister::FACE_ORIENT) => Builtin::FrontFacing,
        Some(SpecialRegister::SAMP_NUM) => Builtin::SampleIndex,
        Some(SpecialRegister::RENDER_TGT_ID) => Builtin::Layer,
        _ => return Row(std::array::from_fn(|lane| lane as u32)),
    };
    world.builtin(builtin)
}

/// The value of the plane whose first coefficient this is.
fn coefficient(function: &Function, binary: &Binary, world: &mut World, first: u16) -> Row {
    match first {
        0 => return world.builtin(Builtin::FragCoord(3)),
        4 => return world.builtin(Builtin::FragCoord(2)),
        _ => {}
    }
    let (input, component) = ((first - INPUTS) / 16, (first - INPUTS) / 4 % 4);
    let inputs = function.interface.inputs.len() as u16;
    match input.checked_sub(inputs) {
        None => world.input(input.into(), component.into()),
        Some(0) if binary.primitive_index => world.builtin(Builtin::PrimitiveIndex),
        Some(_) => world.builtin(Builtin::PointCoord(component as u8)),
    }
}

/// The rows of values that planes give.
fn planes(side: &mut Side<'_>, first: u16) -> Row {
    coefficient(side.function, side.binary, &mut side.world, first)
}

/// Lanes of rows.
const ALL: std::ops::Range<usize> = 0..LANES;
