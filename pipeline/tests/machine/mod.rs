//! Runs a shader both ways on the same world: directly, and as Southern Islands machine code on one wave.
//!
//! Textures are hashes of the operands in the machine's order, so that both ways see the same texel exactly when they
//! pass the same operands.
#![allow(dead_code)]

use std::collections::BTreeMap;

use lanes::{Engine, Fault, Interpreter, LANES, LaneOp, Ports, Row, Wave};
use pipeline::codegen::Binary;
use pipeline::codegen::direct::{self, Element, ImageCall, Resources};
use pipeline::codegen::southern_islands::state::SouthernIslands;
use pipeline::ir::{
    Builtin, Dim, Function, ImageKind, Lod, OutputBuiltin, ResourceKind, Slot, Stage,
};
use pipeline::layout::SetLayout;
use pipeline::targets::Surfaces;
use silicon::{Addr, Memory};
use southern_islands::isa::image::MimgOp;
use southern_islands::isa::vector::VintrpOp;
use southern_islands::isa::words::{Exp, Mimg, Vintrp};
use southern_islands::isa::{Allocation, Inst, Lifted, MODE_SLOT, Mode, Port, SCALAR_SLOTS, lift};
use southern_islands::ta::MemoryUnit;

use crate::direct::{LIMIT, World, mix};

const EXEC: u16 = 126;
const CODE: u64 = 0x20_0000;
const MEMORY: u64 = 0x40_0000;
const SCRATCH: u64 = 0x30_0000;
const SETS: u64 = 0x1000;
const PUSH: u64 = 0x8000;
const FETCH: u64 = 0x9000;
const ATTRIBUTES: u64 = 0x10_0000;
const BUFFERS: u64 = 0x1_0000;
const BUFFER_STEP: u64 = 0x2000;
const SPI_PS_INPUT_ENA: u32 = 0x286cc;
const BASE_VERTEX: u32 = 5;
const FIRST_INSTANCE: u32 = 7;
const SAMPLES_LOG: u32 = 2;

/// Everything a run left behind.
#[derive(Debug, Default)]
pub struct Outcome {
    /// By output and component: value of each lane that wrote it.
    outputs: BTreeMap<(String, u32), Vec<Option<u32>>>,
    buffers: Vec<Vec<Vec<u32>>>,
    /// Texture stores and atomics, by lane.
    stores: Vec<(usize, u64)>,
}

/// What differs.
pub fn compare(wanted: &Outcome, found: &Outcome) -> Result<(), String> {
    for (key, lanes) in &wanted.outputs {
        let other = found.outputs.get(key);
        let none = vec![None; LANES];
        let other = other.unwrap_or(&none);
        for lane in 0..LANES {
            if lanes[lane] != other[lane] {
                return Err(format!(
                    "{key:?} of lane {lane} is {:x?}, not {:x?}",
                    other[lane], lanes[lane]
                ));
            }
        }
    }
    for key in found.outputs.keys() {
        if !wanted.outputs.contains_key(key) {
            return Err(format!("{key:?} is written"));
        }
    }
    if wanted.buffers != found.buffers {
        for (r, (a, b)) in wanted.buffers.iter().zip(&found.buffers).enumerate() {
            for (e, (a, b)) in a.iter().zip(b).enumerate() {
                if let Some(at) = (0..a.len()).find(|&i| a[i] != b[i]) {
                    return Err(format!(
                        "word {at} of buffer {r}[{e}] is {:#x}, not {:#x}",
                        b[at], a[at]
                    ));
                }
            }
        }
    }
    let sorted = |list: &[(usize, u64)]| {
        let mut list = list.to_vec();
        list.sort_unstable();
        list
    };
    if sorted(&wanted.stores) != sorted(&found.stores) {
        return Err(format!(
            "texture stores {:x?}, not {:x?}",
            found.stores, wanted.stores
        ));
    }
    Ok(())
}

/// A texture access in the machine's terms: kind, texture, sampler, address words. Gives the seed of the result.
fn hash(kind: u64, texture: [u32; 2], sampler: Option<[u32; 2]>, address: &[u32]) -> u64 {
    let mut hash = mix(kind);
    for word in texture
        .into_iter()
        .chain(sampler.into_iter().flatten())
        .chain(address.iter().copied())
    {
        hash = mix(hash ^ u64::from(word));
    }
    hash
}

fn component(hash: u64, at: u32, float: bool) -> u32 {
    let word = mix(hash ^ u64::from(at)) as u32;
    if float {
        ((word >> 8) as f32 / 16_777_216.0).to_bits()
    } else {
        word & 63
    }
}

const SAMPLE: u64 = 1;
const GATHER: u64 = 2;
const LOAD: u64 = 3;
const STORE: u64 = 4;
const ATOMIC: u64 = 5;
const QUERY: u64 = 6;

/// The direct side: the world, with textures as above.
struct DirectSide<'a> {
    world: World,
    function: &'a Function,
    outcome: Outcome,
}

impl Resources for DirectSide<'_> {
    fn input(&mut self, input: u32, component: u32) -> Row {
        self.world.input(input, component)
    }
    fn builtin(&mut self, builtin: Builtin) -> Row {
        self.world.builtin(builtin)
    }
    fn output(&mut self, output: u32, component: u32, value: &Row, mask: u64) {
        let key = (format!("output {output}"), component);
        self.outcome.outputs.insert(key, taken(value, mask));
    }
    fn output_builtin(&mut self, output: OutputBuiltin, component: u32, value: &Row, mask: u64) {
        let key = (format!("{output:?}"), component);
        self.outcome.outputs.insert(key, taken(value, mask));
    }
    fn load_buffer(&mut self, at: Element, offset: u32) -> u32 {
        self.world.load_buffer(at, offset)
    }
    fn store_buffer(&mut self, at: Element, offset: u32, value: u32) {
        self.world.store_buffer(at, offset, value);
    }
    fn buffer_bytes(&mut self, at: Element) -> u32 {
        self.world.buffer_bytes(at)
    }
    fn push_constant(&mut self, offset: u32) -> u32 {
        self.world.push_constant(offset)
    }
    fn image(&mut self, call: &ImageCall<'_>, results: &mut [Row]) {
        for lane in (0..LANES).filter(|lane| call.mask >> lane & 1 == 1) {
            self.image_lane(call, lane, results);
        }
    }
}

fn taken(value: &Row, mask: u64) -> Vec<Option<u32>> {
    (0..LANES)
        .map(|lane| (mask >> lane & 1 == 1).then_some(value.0[lane]))
        .collect()
}

impl DirectSide<'_> {
    fn image_lane(&mut self, call: &ImageCall<'_>, lane: usize, results: &mut [Row]) {
        let op = call.op;
        let args: Vec<u32> = call.args.iter().map(|row| row.0[lane]).collect();
        let texture = [op.texture.resource, call.texture.0[lane]];
        let sampler = op.sampler.map(|s| [s.resource, call.sampler.0[lane]]);
        let dims = op.shape.coordinates();
        let body = dims + usize::from(op.shape.arrayed);
        let sampled = |args: &[u32]| -> Vec<u32> {
            let mut words = args[..dims].to_vec();
            if op.shape.dim == Dim::Cube {
                words = cube([args[0], args[1], args[2]]).to_vec();
            }
            if op.shape.arrayed {
                let layer = LaneOp::U32ToF32.eval([args[dims], 0, 0]);
                match op.shape.dim {
                    Dim::Cube => {
                        let layer = LaneOp::U32ToF32.eval([args[dims].min(2047), 0, 0]);
                        let eight = 8f32.to_bits();
                        words[2] = LaneOp::FMad.eval([layer, eight, words[2]]);
                    }
                    _ => words.push(layer),
                }
            }
            words
        };
        let offset =
            |offset: [i8; 3]| (0..3).fold(0, |sum, i| sum | (offset[i] as u32 & 63) << (8 * i));
        let (kind, address, float) = match &op.kind {
            ImageKind::Sample {
                lod,
                compare,
                offset: by,
            } => {
                let rest = &args[body..];
                let count = match lod {
                    Lod::Implicit | Lod::Zero => 0,
                    Lod::Bias | Lod::Level => 1,
                    Lod::Gradient => 2 * dims,
                };
                let mut words = vec![offset(*by)];
                if *lod == Lod::Bias {
                    words.push(rest[0]);
                }
                words.extend(compare.then(|| rest[count]));
                if *lod == Lod::Gradient && op.shape.dim != Dim::Cube {
                    words.extend(&rest[..count]);
                }
                words.extend(sampled(&args));
                words.extend(match lod {
                    Lod::Level => Some(rest[0]),
                    Lod::Zero => Some(0),
                    _ => None,
                });
                (SAMPLE, words, true)
            }
            ImageKind::Gather {
                component,
                compare,
                offset: by,
            } => {
                let mut words = vec![
                    offset(*by),
                    if *compare { 0 } else { u32::from(*component) },
                ];
                words.extend(compare.then(|| args[body]));
                words.extend(sampled(&args));
                (GATHER, words, true)
            }
            ImageKind::Load { level } => {
                let mut words = args.clone();
                if !level {
                    words.push(0);
                }
                (LOAD, words, false)
            }
            ImageKind::Store => (STORE, args.clone(), false),
            ImageKind::Atomic(_) => (ATOMIC, args.clone(), false),
            _ => (QUERY, vec![args.first().copied().unwrap_or(0)], false),
        };
        let seed = hash(kind, texture, sampler, &address);
        if matches!(kind, STORE | ATOMIC) {
            self.outcome.stores.push((lane, seed));
        }
        for (at, row) in results.iter_mut().enumerate() {
            let at = at as u32;
            row.0[lane] = match op.kind {
                ImageKind::Levels => component(seed, 3, false),
                ImageKind::Layers if op.shape.dim == Dim::Cube => component(seed, 2, false) / 6,
                ImageKind::Layers => component(seed, 2, false),
                ImageKind::Samples => 1 << SAMPLES_LOG,
                _ => component(seed, at, float),
            };
        }
    }
}

/// Place on a cube's face, and the face, as the machine computes them.
fn cube(direction: [u32; 3]) -> [u32; 3] {
    let [id, sc, tc, ma] = [
        LaneOp::CubeId,
        LaneOp::CubeSc,
        LaneOp::CubeTc,
        LaneOp::CubeMa,
    ]
    .map(|op| op.eval(direction));
    let inverse = LaneOp::FRcp.eval([ma & 0x7fff_ffff, 0, 0]);
    let half = 1.5f32.to_bits();
    let place = |flat: u32| LaneOp::FMad.eval([flat, inverse, half]);
    [place(sc), place(tc), id]
}

/// Runs the function as it is.
pub fn run_direct(function: &Function, world: World, live: u64) -> Outcome {
    let program = direct::compile(function).unwrap();
    let helpers = match function.stage {
        Stage::Fragment => lanes::WideOp::WholeQuads.eval([live, 0, 0]) & !live,
        _ => 0,
    };
    let mut side = DirectSide {
        world,
        function,
        outcome: Outcome::default(),
    };
    program.run(live, helpers, LIMIT, &mut side).unwrap();
    side.outcome.buffers = side.world.buffers;
    side.outcome
}

/// Runs the code made of it.
pub fn run_machine(
    function: &Function,
    binary: &Binary,
    world: World,
    live: u64,
) -> Result<Outcome, String> {
    let memory = Memory::new(MEMORY);
    let put = |at: u64, words: &[u32]| {
        for (i, word) in words.iter().enumerate() {
            memory.store(at + 4 * i as u64, *word).unwrap();
        }
    };
    put(CODE, &binary.words);
    put(PUSH, &world.push);
    let places = descriptors(function, &world, &put);
    let mut wave = Wave::new(256, usize::from(SCALAR_SLOTS));
    wave.limit = LIMIT;
    for set in 0..4u64 {
        wave.scalars[2 * set as usize] = (SETS + 0x800 * set) as u32;
    }
    wave.scalars[8] = PUSH as u32;
    wave.set_mask(EXEC, live);
    // Uninitialised registers must not matter.
    for row in &mut wave.rows {
        *row = Row::splat(0xdead_beef);
    }
    if binary.scratch_bytes > 0 {
        let words = binary.scratch_bytes / 4;
        (0..u64::from(words)).for_each(|i| memory.store(SCRATCH + 4 * i, 0xdead_beef).unwrap());
        let mut descriptor = Vec::new();
        SouthernIslands.scratch_descriptor(Addr(SCRATCH), binary.scratch_bytes, &mut descriptor);
        put(PUSH + 256, &descriptor);
        let at = if function.stage == Stage::Vertex {
            15
        } else {
            11
        };
        wave.scalars[at] = 0;
    }
    match function.stage {
        Stage::Vertex => vertex_state(function, &world, &mut wave, &put),
        _ => pixel_state(binary, &world, &mut wave),
    }
    let mode = 0x1f0;
    wave.scalars[usize::from(MODE_SLOT)] = mode;
    let Lifted { program, ports } = lift(&binary.words, CODE, Mode(mode), Allocation::ALL)
        .map_err(|error| error.to_string())?;
    wave.rows
        .resize(usize::from(program.rows).max(256), Row::ZERO);
    let engine = Interpreter::new();
    let prepared = engine
        .prepare(&program)
        .map_err(|error| error.to_string())?;
    let mut side = MachineSide {
        ports: &ports,
        memory: MemoryUnit::new(memory.clone()),
        world: &world,
        function,
        outcome: Outcome::default(),
    };
    engine
        .run(&prepared, &mut wave, &mut side)
        .map_err(|stop| format!("at {:#x}: {}", stop.origin.pc, stop.fault))?;
    let mut outcome = side.outcome;
    outcome.buffers = world.buffers.clone();
    for (resource, element, at) in places {
        for (i, word) in outcome.buffers[resource][element].iter_mut().enumerate() {
            *word = memory.load(at + 4 * i as u64).unwrap();
        }
    }
    Ok(outcome)
}

/// Writes descriptors and buffers; gives where the buffers are.
fn descriptors(
    function: &Function,
    world: &World,
    put: &dyn Fn(u64, &[u32]),
) -> Vec<(usize, usize, u64)> {
    let sizes = SouthernIslands.descriptor_bytes();
    let resources = &function.interface.resources;
    let offset =
        |slot: Slot| SetLayout::of_shader(resources, slot.group, sizes).offsets[&slot.binding];
    let mut places = Vec::new();
    let mut next = BUFFERS;
    for (r, resource) in resources.iter().enumerate() {
        let first =
            SETS + 0x800 * u64::from(resource.slot.group) + u64::from(offset(resource.slot));
        for element in 0..resource.count {
            match resource.kind {
                ResourceKind::Uniform { .. } | ResourceKind::Storage { .. } => {
                    let words = &world.buffers[r][element as usize];
                    put(next, words);
                    places.push((r, element as usize, next));
                    let bytes = 4 * words.len() as u32;
                    put(
                        first + 16 * u64::from(element),
                        &[next as u32, 0, bytes, 0x24fac],
                    );
                    next += BUFFER_STEP.max(u64::from(bytes).next_multiple_of(0x1000));
                }
                ResourceKind::Sampler { .. } => {
                    put(first + 16 * u64::from(element), &[r as u32, element]);
                }
                _ => {
                    let words = [r as u32, element, 0, SAMPLES_LOG << 16];
                    put(first + 32 * u64::from(element), &words);
                }
            }
        }
    }
    places
}

fn vertex_state(function: &Function, world: &World, wave: &mut Wave, put: &dyn Fn(u64, &[u32])) {
    wave.scalars[10] = FETCH as u32;
    wave.scalars[12] = BASE_VERTEX;
    wave.scalars[13] = FIRST_INSTANCE;
    wave.scalars[14] = 3;
    for lane in 0..LANES as u32 {
        wave.rows[0].0[lane as usize] = lane.wrapping_sub(BASE_VERTEX);
        wave.rows[2].0[lane as usize] = lane / 8;
        wave.rows[3].0[lane as usize] = lane.wrapping_sub(FIRST_INSTANCE);
    }
    for (i, input) in function.interface.inputs.iter().enumerate() {
        let base = ATTRIBUTES + 0x1000 * i as u64;
        for lane in 0..LANES {
            let words: Vec<u32> = world.inputs[i].iter().map(|c| c[lane]).collect();
            put(base + 16 * lane as u64, &words);
        }
        // Stride 16, 64 records, four 32-bit unsigned words.
        let descriptor = [base as u32, 16 << 16, 64, 0xfac | 4 << 12 | 14 << 15];
        put(FETCH + 16 * u64::from(input.location), &descriptor);
    }
}

fn pixel_state(binary: &Binary, world: &World, wave: &mut Wave) {
    let mut world = world.clone();
    let enabled = binary
        .registers
        .iter()
        .find(|r| r.0 == SPI_PS_INPUT_ENA)
        .unwrap()
        .1;
    let mut at = 0;
    for bit in (0..16).filter(|bit| enabled >> bit & 1 == 1) {
        let size = match bit {
            3 => 3,
            0..=6 => 2,
            _ => 1,
        };
        let row = match bit {
            8..=10 => Some(world.builtin(Builtin::FragCoord(bit as u8 - 8))),
            // The register holds w, the built-in value is 1 / w.
            11 => {
                let inverse = world.builtin(Builtin::FragCoord(3));
                Some(Row(inverse
                    .0
                    .map(|bits| (1.0 / f32::from_bits(bits)).to_bits())))
            }
            12 => Some(world.builtin(Builtin::FrontFacing)),
            13 => {
                let layer = world.builtin(Builtin::Layer);
                let sample = world.builtin(Builtin::SampleIndex);
                Some(Row(std::array::from_fn(|lane| {
                    layer.0[lane] << 16 | sample.0[lane] << 8 | 0xf800_0035
                })))
            }
            14 => Some(world.builtin(Builtin::SampleMask)),
            _ => None,
        };
        if let Some(row) = row {
            wave.rows[at] = row;
        } else {
            wave.rows[at] = Row::splat(bit);
        }
        at += size;
    }
    wave.scalars[10] = 0x1234;
}

struct MachineSide<'a> {
    ports: &'a [Port],
    memory: MemoryUnit,
    world: &'a World,
    function: &'a Function,
    outcome: Outcome,
}

impl Ports for MachineSide<'_> {
    fn call(&mut self, port: u32, wave: &mut Wave) -> Result<(), Fault> {
        let Port { inst, .. } = self.ports[port as usize];
        match inst {
            Inst::Exp(inst) => self.export(inst, wave),
            Inst::Vintrp(inst) => self.interpolate(inst, wave),
            Inst::Mimg(inst) => self.image(inst, wave),
            _ => {
                self.memory.call(&inst, wave)?;
            }
        }
        Ok(())
    }
}

impl MachineSide<'_> {
    fn export(&mut self, inst: Exp, wave: &Wave) {
        let sources = [inst.vsrc0, inst.vsrc1, inst.vsrc2, inst.vsrc3];
        let outputs = &self.function.interface.outputs;
        let exec = wave.mask(EXEC);
        for c in (0..4).filter(|c| inst.en >> c & 1 == 1) {
            let pixel = |target: u8| {
                let found = outputs
                    .iter()
                    .position(|o| o.location + u32::from(o.second) == u32::from(target));
                (format!("output {}", found.unwrap_or(99)), c)
            };
            let key = match (inst.tgt, c) {
                (0..=7, _) => pixel(inst.tgt),
                (8, 0) => ("FragDepth".into(), 0),
                (8, 2) => ("SampleMask".into(), 0),
                (12, _) => ("Position".into(), c),
                (32.., _) => (format!("output {}", inst.tgt - 32), c),
                (target, _) => self.position(target, c),
            };
            let row = &wave.rows[usize::from(sources[c as usize])];
            self.outcome.outputs.insert(key, taken(row, exec));
        }
    }

    /// What a position export beyond the first means: the order is misc vector, clip distances.
    fn position(&self, target: u8, c: u32) -> (String, u32) {
        use pipeline::ir::Op;
        let insts = self.function.blocks.iter().flat_map(|b| &b.insts);
        let misc = insts.clone().any(|inst| {
            matches!(
                inst.op,
                Op::OutputBuiltin(
                    OutputBuiltin::PointSize | OutputBuiltin::Layer | OutputBuiltin::Viewport
                )
            )
        });
        let name = match (misc && target == 13, c) {
            (true, 0) => "PointSize".into(),
            (true, 2) => "Layer".into(),
            (true, _) => "Viewport".into(),
            (false, _) => {
                let first = if misc { 14 } else { 13 };
                let distance = 4 * (target - first) + c as u8;
                format!("{:?}", OutputBuiltin::ClipDistance(distance))
            }
        };
        (name, 0)
    }

    fn interpolate(&mut self, inst: Vintrp, wave: &mut Wave) {
        let inputs = self.function.interface.inputs.len();
        let exec = wave.mask(EXEC);
        let mut world = self.world.clone();
        let row = match usize::from(inst.attr).checked_sub(inputs) {
            None => world.input(inst.attr.into(), inst.attrchan.into()),
            Some(_) if inst.op == VintrpOp::V_INTERP_MOV_F32 => {
                world.builtin(Builtin::PrimitiveIndex)
            }
            Some(_) => world.builtin(Builtin::PointCoord(inst.attrchan)),
        };
        assert_eq!(wave.scalars[124], 0x1234, "M0 is not PRIM_MASK");
        for lane in (0..LANES).filter(|lane| exec >> lane & 1 == 1) {
            let value = match inst.op {
                VintrpOp::V_INTERP_P1_F32 => {
                    0x7fff_0000 + wave.rows[usize::from(inst.vsrc)].0[lane]
                }
                _ => row.0[lane],
            };
            wave.rows[usize::from(inst.vdst)].0[lane] = value;
        }
    }

    fn image(&mut self, inst: Mimg, wave: &mut Wave) {
        let exec = wave.mask(EXEC);
        let scalars = |at: u8, i: usize| wave.scalars[4 * usize::from(at) + i];
        let texture = [scalars(inst.srsrc, 0), scalars(inst.srsrc, 1)];
        let code = inst.op.code();
        let sampler = (code >= 32).then(|| [scalars(inst.ssamp, 0), scalars(inst.ssamp, 1)]);
        let resource = &self.function.interface.resources[texture[0] as usize];
        let (ResourceKind::Texture { shape, .. } | ResourceKind::StorageTexture { shape, .. }) =
            resource.kind
        else {
            panic!("resource {} is no texture", texture[0]);
        };
        let dims = match shape.dim {
            Dim::D1 => 1,
            Dim::D2 => 2,
            Dim::D3 | Dim::Cube => 3,
        };
        let layer = usize::from(shape.arrayed && shape.dim != Dim::Cube);
        let fragment = usize::from(shape.multisampled);
        for lane in (0..LANES).filter(|lane| exec >> lane & 1 == 1) {
            let mut at = usize::from(inst.vaddr);
            let mut next = |count: usize| -> Vec<u32> {
                let words = (at..at + count).map(|r| wave.rows[r].0[lane]).collect();
                at += count;
                words
            };
            let data = |i: usize| wave.rows[usize::from(inst.vdata) + i].0[lane];
            let (kind, words) = if code >= 32 {
                let (c, o) = (code >> 3 & 1 == 1, code >> 4 & 1 == 1);
                let gather = code >= 64;
                let lod = code & 7;
                let mut words = if o { next(1) } else { vec![0] };
                if gather {
                    words.push(inst.dmask.trailing_zeros());
                }
                if lod == 5 {
                    words.extend(next(1));
                }
                if c {
                    words.extend(next(1));
                }
                if lod == 2 {
                    if shape.dim == Dim::Cube {
                        next(4);
                    } else {
                        words.extend(next(2 * dims));
                    }
                }
                words.extend(next(dims + layer));
                if lod == 4 {
                    words.extend(next(1));
                } else if lod == 7 && !gather {
                    words.push(0);
                }
                (if gather { GATHER } else { SAMPLE }, words)
            } else {
                let body = dims + layer + fragment;
                match inst.op {
                    MimgOp::IMAGE_LOAD => {
                        let mut words = next(body);
                        words.push(0);
                        (LOAD, words)
                    }
                    MimgOp::IMAGE_LOAD_MIP => (LOAD, next(body + 1)),
                    MimgOp::IMAGE_STORE => {
                        let mut words = next(body);
                        words.extend((0..4).map(data));
                        (STORE, words)
                    }
                    MimgOp::IMAGE_GET_RESINFO => (QUERY, next(1)),
                    _ => {
                        let count = if inst.op == MimgOp::IMAGE_ATOMIC_CMPSWAP {
                            2
                        } else {
                            1
                        };
                        let mut words = next(body);
                        words.extend((0..count).map(data));
                        (ATOMIC, words)
                    }
                }
            };
            let seed = hash(kind, texture, sampler, &words);
            if matches!(kind, STORE | ATOMIC) {
                self.outcome.stores.push((lane, seed));
            }
            let results: Vec<u32> = match kind {
                STORE => Vec::new(),
                ATOMIC if !inst.glc => Vec::new(),
                ATOMIC => vec![component(seed, 0, false)],
                GATHER => (0..4).map(|i| component(seed, i, true)).collect(),
                _ => (0..4)
                    .filter(|i| inst.dmask >> i & 1 == 1)
                    .map(|i| component(seed, i, kind == SAMPLE))
                    .collect(),
            };
            for (i, word) in results.into_iter().enumerate() {
                wave.rows[usize::from(inst.vdata) + i].0[lane] = word;
            }
        }
    }
}
