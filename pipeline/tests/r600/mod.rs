//! Runs a shader both ways on the same world: directly, and as R600 machine code on one wave.
//!
//! Textures are hashes of what the machine's instructions hand over, so that both ways see the same texel exactly when
//! they pass the same operands.
#![allow(dead_code)]

use std::collections::BTreeMap;

use lanes::{Engine, Fault, Interpreter, LANES, LaneOp, Ports, Row, Wave};
use pipeline::codegen::direct::{self, Element, ImageCall, Resources};
use pipeline::codegen::{Binary, Bound, r600 as back};
use pipeline::ir::{Builtin, Dim, Function, ImageKind, Lod, OutputBuiltin, Stage};
use r600::isa::export::Space;
use r600::isa::fetch::{Tex, TexOp, TexSem, Vtx};
use r600::isa::words::{Elem, FetchType, Select, SourceSelect};
use r600::isa::{
    ACTIVE, Action, Constant, Constants, Kind, Lifted, Port, Program, Setup, VALID, lift,
};
use r600::sx::{Element as Exported, Target, exported, taking_part};
use r600::{regs, smx};

use crate::direct::{LIMIT, World, mix};

/// Instance of lane 0 and number of the draw, as the driver's constants say.
const FIRST_INSTANCE: u32 = 0;
const DRAW_INDEX: u32 = 3;

/// By output and component: value of each lane that wrote it.
pub type Outputs = BTreeMap<(String, u32), Vec<Option<u32>>>;

/// What differs.
pub fn compare(wanted: &Outputs, found: &Outputs) -> Result<(), String> {
    let none = vec![None; LANES];
    for (key, lanes) in wanted {
        let other = found.get(key).unwrap_or(&none);
        for lane in 0..LANES {
            if lanes[lane] != other[lane] {
                let (a, b) = (other[lane], lanes[lane]);
                return Err(format!("{key:?} of lane {lane} is {a:x?}, not {b:x?}"));
            }
        }
    }
    match found.keys().find(|key| !wanted.contains_key(key)) {
        Some(key) => Err(format!("{key:?} is written")),
        None => Ok(()),
    }
}

/// A texture instruction in the machine's terms.
struct Sample {
    op: TexOp,
    texture: [u32; 2],
    sampler: Option<[u32; 2]>,
    place: [u32; 4],
    offset: [i8; 3],
    slopes: [u32; 6],
}

impl Sample {
    fn hash(&self) -> u64 {
        let mut hash = mix(self.op.code().into());
        let offset = self.offset.iter().map(|by| *by as u32);
        let words = self.texture.into_iter().chain(self.place).chain(offset);
        let words = words.chain(self.slopes);
        for word in words.chain(self.sampler.into_iter().flatten()) {
            hash = mix(hash ^ u64::from(word));
        }
        hash
    }
}

fn component(hash: u64, at: u32, float: bool) -> u32 {
    let word = mix(hash ^ u64::from(at)) as u32;
    match float {
        true => ((word >> 8) as f32 / 16_777_216.0).to_bits(),
        false => word & 63,
    }
}

/// The direct side: the world, with textures as above.
struct DirectSide {
    world: World,
    outputs: Outputs,
}

impl Resources for DirectSide {
    fn input(&mut self, input: u32, component: u32) -> Row {
        self.world.input(input, component)
    }
    fn builtin(&mut self, builtin: Builtin) -> Row {
        self.world.builtin(builtin)
    }
    fn output(&mut self, output: u32, component: u32, value: &Row, mask: u64) {
        let key = (format!("output {output}"), component);
        self.outputs.insert(key, taken(value, mask));
    }
    fn output_builtin(&mut self, output: OutputBuiltin, component: u32, value: &Row, mask: u64) {
        let key = (format!("{output:?}"), component);
        self.outputs.insert(key, taken(value, mask));
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
            let resource = [call.op.texture.resource, call.texture.0[lane]];
            match call.op.kind {
                ImageKind::Gather { .. } => {
                    let samples = gathered(call, lane);
                    for ((sample, at), row) in samples.into_iter().zip(&mut *results) {
                        row.0[lane] = component(sample.hash(), at, true);
                    }
                    continue;
                }
                ImageKind::Samples => {
                    results[0].0[lane] = 1 << samples_log2(resource);
                    continue;
                }
                _ => {}
            }
            let (sample, float) = sample(call, lane);
            let hash = sample.hash();
            for (at, row) in results.iter_mut().enumerate() {
                let at = match call.op.kind {
                    ImageKind::Levels => 3,
                    ImageKind::Layers if call.op.shape.dim == Dim::D1 => 1,
                    ImageKind::Layers => 2,
                    _ => at as u32,
                };
                row.0[lane] = component(hash, at, float);
            }
        }
    }
}

fn taken(value: &Row, mask: u64) -> Vec<Option<u32>> {
    (0..LANES)
        .map(|lane| (mask >> lane & 1 == 1).then_some(value.0[lane]))
        .collect()
}

/// Logarithm of the samples that a texture has.
fn samples_log2([resource, element]: [u32; 2]) -> u32 {
    (resource + element) % 4
}

/// The samples half a texel to every side that a gather is done by, and the component that is taken.
fn gathered(call: &ImageCall<'_>, lane: usize) -> Vec<(Sample, u32)> {
    let op = call.op;
    let ImageKind::Gather {
        component,
        compare,
        offset,
    } = op.kind
    else {
        panic!("{op:?} gathers nothing");
    };
    let mut op = op.clone();
    op.kind = ImageKind::Sample {
        lod: Lod::Zero,
        compare,
        offset,
    };
    let call = ImageCall { op: &op, ..*call };
    let sides = [[-1, 1], [1, 1], [1, -1], [-1, -1]];
    let one = |side: [i8; 2]| {
        let (mut sample, _) = sample(&call, lane);
        sample.offset[0] += side[0];
        sample.offset[1] += side[1];
        (sample, if compare { 0 } else { component.into() })
    };
    sides.map(one).into()
}

/// A texture operation as the machine is to do it.
fn sample(call: &ImageCall<'_>, lane: usize) -> (Sample, bool) {
    let op = call.op;
    let args: Vec<u32> = call.args.iter().map(|row| row.0[lane]).collect();
    let dims = op.shape.coordinates();
    let body = dims + usize::from(op.shape.arrayed);
    let mut found = Sample {
        op: TexOp::LD,
        texture: [op.texture.resource, call.texture.0[lane]],
        sampler: op.sampler.map(|s| [s.resource, call.sampler.0[lane]]),
        place: [0; 4],
        offset: [0; 3],
        slopes: [0; 6],
    };
    match &op.kind {
        ImageKind::Sample {
            lod,
            compare,
            offset,
        } => {
            found.place[..dims].copy_from_slice(&args[..dims]);
            if op.shape.dim == Dim::Cube {
                found.place[..3].copy_from_slice(&cube([args[0], args[1], args[2]]));
            }
            if op.shape.arrayed && op.shape.dim == Dim::Cube {
                let layer = LaneOp::U32ToF32.eval([args[dims].min(2047), 0, 0]);
                let face = found.place[2];
                found.place[2] = LaneOp::FMad.eval([layer, 8f32.to_bits(), face]);
            } else if op.shape.arrayed {
                found.place[dims] = LaneOp::U32ToF32.eval([args[dims], 0, 0]);
            }
            let rest = &args[body..];
            let count = match lod {
                Lod::Implicit | Lod::Zero => 0,
                Lod::Bias | Lod::Level => 1,
                Lod::Gradient => 2 * dims,
            };
            if count == 1 {
                found.place[3] = rest[0];
            }
            if *lod == Lod::Gradient {
                found.slopes[..dims].copy_from_slice(&rest[..dims]);
                found.slopes[3..][..dims].copy_from_slice(&rest[dims..count]);
            }
            if *compare {
                found.place[3] = rest[count];
            }
            found.offset = offset.map(|by| 2 * by);
            use TexOp::*;
            found.op = match (lod, compare) {
                (Lod::Implicit, false) => SAMPLE,
                (Lod::Bias, false) => SAMPLE_LB,
                (Lod::Level, false) => SAMPLE_L,
                (Lod::Zero, false) => SAMPLE_LZ,
                (Lod::Gradient, false) => SAMPLE_G,
                (Lod::Implicit, true) => SAMPLE_C,
                (Lod::Zero, true) => SAMPLE_C_LZ,
                (lod, _) => panic!("{lod:?} with a comparison"),
            };
            (found, true)
        }
        ImageKind::Load { level } => {
            found.place[..body].copy_from_slice(&args[..body]);
            if *level || op.shape.multisampled {
                found.place[3] = args[body];
            }
            (found, false)
        }
        _ => {
            found.op = TexOp::GET_TEXTURE_RESINFO;
            found.place[0] = args.first().copied().unwrap_or(0);
            (found, false)
        }
    }
}

/// Place on a cube's face, and the face. [R600 12.6]
fn cube(direction: [u32; 3]) -> [u32; 3] {
    let [x, y, z] = direction.map(f32::from_bits);
    let (s, t, major, face) = if z.abs() >= x.abs() && z.abs() >= y.abs() {
        (
            if z < 0.0 { -x } else { x },
            -y,
            z,
            if z < 0.0 { 5 } else { 4 },
        )
    } else if y.abs() >= x.abs() {
        (
            x,
            if y < 0.0 { -z } else { z },
            y,
            if y < 0.0 { 3 } else { 2 },
        )
    } else {
        (
            if x < 0.0 { z } else { -z },
            -y,
            x,
            if x < 0.0 { 1 } else { 0 },
        )
    };
    let inverse = LaneOp::FRcp.eval([(2.0 * major).abs().to_bits(), 0, 0]);
    let place = |flat: f32| LaneOp::FMad.eval([flat.to_bits(), inverse, 0.5f32.to_bits()]);
    [place(s), place(t), (face as f32).to_bits()]
}

/// Runs the function as it is, but for what the chip does less exactly.
pub fn run_direct(function: &Function, world: World, live: u64) -> Outputs {
    let mut function = function.clone();
    back::legalize::inexact(&mut function);
    let program = direct::compile(&function).unwrap();
    let helpers = match function.stage {
        Stage::Fragment => lanes::WideOp::WholeQuads.eval([live, 0, 0]) & !live,
        _ => 0,
    };
    let mut side = DirectSide {
        world,
        outputs: Outputs::new(),
    };
    program.run(live, helpers, LIMIT, &mut side).unwrap();
    side.outputs
}

/// The machine side.
struct MachineSide<'a> {
    function: &'a Function,
    binary: &'a Binary,
    ports: &'a [Port],
    setup: &'a Setup<'a>,
    world: World,
    outputs: Outputs,
    scratch: BTreeMap<(usize, u64), u32>,
    slopes: [[u32; 6]; LANES],
}

/// Runs the code made of it.
pub fn run_machine(
    function: &Function,
    binary: &Binary,
    world: World,
    live: u64,
) -> Result<Outputs, String> {
    let program = Program::decode(&binary.words).map_err(|error| error.to_string())?;
    ::r600::isa::check::check(&program).map_err(|error| error.to_string())?;
    let stack = ::r600::isa::stack_size(&program).map_err(|error| error.to_string())?;
    if stack != binary.stats.get("stack") {
        let said = binary.stats.get("stack");
        return Err(format!("{stack} stack entries, not {said}"));
    }
    let setup = Setup {
        kind: match function.stage {
            Stage::Vertex => Kind::Vertex,
            _ => Kind::Pixel,
        },
        gprs: binary.stats.get("vector registers") as u8,
        clause_temps: 0,
        fetch: None,
    };
    let Lifted {
        program,
        ports,
        constants,
    } = lift(&program, &setup).map_err(|error| error.to_string())?;
    let mut wave = Wave::new(usize::from(program.rows), usize::from(program.scalars));
    wave.limit = LIMIT;
    // Uninitialised registers must not matter.
    for row in &mut wave.rows {
        *row = Row::splat(0xdead_beef);
    }
    wave.set_mask(ACTIVE, live);
    wave.set_mask(VALID, live);
    let mut side = MachineSide {
        function,
        binary,
        ports: &ports,
        setup: &setup,
        world,
        outputs: Outputs::new(),
        scratch: BTreeMap::new(),
        slopes: [[0; 6]; LANES],
    };
    match function.stage {
        Stage::Vertex => {
            let lanes = Row(std::array::from_fn(|lane| lane as u32));
            wave.rows[0] = lanes;
            wave.rows[3] = lanes;
        }
        _ => side.preload(&mut wave),
    }
    for (constant, scalar) in constants {
        if let Constant::Kcache { bank, index, elem } = constant {
            wave.scalars[usize::from(scalar)] = side.kcache(bank, index.into(), elem);
        }
    }
    let engine = Interpreter::new();
    let prepared = engine
        .prepare(&program)
        .map_err(|error| error.to_string())?;
    engine
        .run(&prepared, &mut wave, &mut side)
        .map_err(|stop| format!("at {:#x}: {}", stop.origin.pc, stop.fault))?;
    Ok(side.outputs)
}

impl MachineSide<'_> {
    fn register(&self, address: u32) -> u32 {
        let found = self.binary.registers.iter().find(|(at, _)| *at == address);
        found.map_or(0, |(_, value)| *value)
    }

    /// Interpolated inputs, position, facing.
    fn preload(&mut self, wave: &mut Wave) {
        let mut set = |gpr: u8, elem: usize, row: Row| {
            wave.rows[4 * usize::from(gpr) + elem] = row;
        };
        let inputs = &self.function.interface.inputs;
        for (input, varying) in inputs.iter().enumerate() {
            for component in 0..varying.components {
                let row = self.world.input(input as u32, component);
                set(input as u8, component as usize, row);
            }
        }
        let control = regs::SpiPsInControl0::from_word(self.register(regs::SPI_PS_IN_CONTROL_0));
        let more = regs::SpiPsInControl1::from_word(self.register(regs::SPI_PS_IN_CONTROL_1));
        if self.binary.primitive_index {
            set(
                inputs.len() as u8,
                0,
                self.world.builtin(Builtin::PrimitiveIndex),
            );
        }
        if self.binary.point_coord {
            for component in 0..2 {
                let row = self.world.builtin(Builtin::PointCoord(component));
                set(control.num_interp - 1, component.into(), row);
            }
        }
        if control.position_ena {
            for component in 0..4 {
                let row = self.world.builtin(Builtin::FragCoord(component));
                set(control.position_addr, component.into(), row);
            }
        }
        if more.front_face_ena {
            let row = self.world.builtin(Builtin::FrontFacing);
            set(more.front_face_addr, 0, row);
            set(
                more.front_face_addr,
                2,
                self.world.builtin(Builtin::SampleMask),
            );
        }
        if more.fixed_pt_position_ena {
            let row = self.world.builtin(Builtin::SampleIndex);
            set(more.fixed_pt_position_addr, 3, row);
        }
    }

    fn bound(list: &[Bound], slot: u32) -> Option<Element> {
        let found = list.iter().find(|bound| bound.slot == slot)?;
        Some(Element {
            resource: found.resource,
            element: found.element,
        })
    }

    fn fetch(&mut self, inst: &Vtx, wave: &mut Wave) -> Result<(), Fault> {
        let source = 4 * usize::from(inst.src_gpr) + inst.src_sel_x as usize;
        let active = wave.mask(ACTIVE);
        let wrong = |reason: String| Fault::Illegal { reason };
        let slot = u32::from(inst.buffer_id);
        for lane in (0..LANES).filter(|lane| active >> lane & 1 == 1) {
            let index = wave.rows[source].0[lane];
            let word = |side: &mut Self, at: u32| -> Result<u32, Fault> {
                if inst.use_const_fields {
                    let input = side.function.interface.inputs.iter();
                    let input = input.clone().position(|input| input.location == slot);
                    let Some(input) = input else {
                        return Err(wrong(format!("no attribute {slot}")));
                    };
                    let lanes = &side.world.inputs[input];
                    return Ok(lanes
                        .get(at as usize)
                        .map_or(0, |words| words[index as usize]));
                }
                if inst.fetch_type != FetchType::NoIndexOffset {
                    return Err(wrong("an offset index".into()));
                }
                let address = u64::from(index) + u64::from(inst.offset) + 4 * u64::from(at);
                let Ok(address) = u32::try_from(address) else {
                    return Ok(0);
                };
                if slot == back::PUSH_RESOURCE {
                    return Ok(side.world.push_constant(address));
                }
                if slot >= back::SET_RESOURCE {
                    let resources = &side.binary.slots.resources;
                    // The size of a buffer, the samples of a texture.
                    let found = resources.iter().find(|bound| {
                        let word = address.wrapping_sub(bound.offset);
                        bound.set == slot - back::SET_RESOURCE && [4, 20].contains(&word)
                    });
                    let found = found.ok_or_else(|| wrong(format!("descriptor {address}")))?;
                    let at = Element {
                        resource: found.resource,
                        element: found.element,
                    };
                    return Ok(match address - found.offset {
                        4 => side.world.buffer_bytes(at) - 1,
                        // The rest of the word is something else.
                        _ => 0xabc0 | samples_log2([at.resource, at.element]),
                    });
                }
                let at = Self::bound(&side.binary.slots.resources, slot)
                    .ok_or_else(|| wrong(format!("resource {slot}")))?;
                Ok(side.world.load_buffer(at, address))
            };
            let mut result = [0; 4];
            for (at, value) in result.iter_mut().enumerate() {
                if inst.selects().iter().any(|select| *select as usize == at) {
                    *value = word(self, at as u32)?;
                }
            }
            put(wave, inst.dst & 127, inst.selects(), lane, result);
        }
        Ok(())
    }

    fn tex(&mut self, inst: &Tex, wave: &mut Wave) -> Result<(), Fault> {
        let active = wave.mask(ACTIVE);
        let base = 4 * usize::from(inst.src_gpr);
        let sem = inst.op.sem();
        let mut results = [[0u32; 4]; LANES];
        for lane in (0..LANES).filter(|lane| active >> lane & 1 == 1) {
            let coordinate = |select: SourceSelect, lane: usize| match select {
                SourceSelect::Zero => 0,
                SourceSelect::One => 1f32.to_bits(),
                select => wave.rows[base + select as usize].0[lane],
            };
            let place = inst.sources().map(|select| coordinate(select, lane));
            match sem {
                TexSem::GradientsH | TexSem::GradientsV => {
                    let step = if sem == TexSem::GradientsH { 1 } else { 2 };
                    let (low, high) = (lane & !step, lane | step);
                    results[lane] = inst.sources().map(|select| {
                        let (a, b) = (coordinate(select, high), coordinate(select, low));
                        LaneOp::FSub.eval([a, b, 0])
                    });
                }
                TexSem::SetGradientsH => self.slopes[lane][..3].copy_from_slice(&place[..3]),
                TexSem::SetGradientsV => self.slopes[lane][3..].copy_from_slice(&place[..3]),
                _ => {
                    let slots = &self.binary.slots;
                    let texture = Self::bound(&slots.resources, inst.resource_id.into());
                    let Some(texture) = texture else {
                        let reason = format!("resource {}", inst.resource_id);
                        return Err(Fault::Illegal { reason });
                    };
                    let samples = matches!(sem, TexSem::Sample { .. });
                    let sampler = Self::bound(&slots.samplers, inst.sampler_id.into());
                    let sampler = sampler.filter(|_| samples);
                    let gradients = matches!(
                        sem,
                        TexSem::Sample {
                            gradients: true,
                            ..
                        }
                    );
                    let sample = Sample {
                        op: inst.op,
                        texture: [texture.resource, texture.element],
                        sampler: sampler.map(|at| [at.resource, at.element]),
                        place,
                        offset: [inst.offset_x, inst.offset_y, inst.offset_z],
                        slopes: if gradients { self.slopes[lane] } else { [0; 6] },
                    };
                    let hash = sample.hash();
                    results[lane] = [0, 1, 2, 3].map(|at| component(hash, at, samples));
                }
            }
        }
        for lane in (0..LANES).filter(|lane| active >> lane & 1 == 1) {
            put(wave, inst.dst_gpr, inst.selects(), lane, results[lane]);
        }
        Ok(())
    }

    fn export(
        &mut self,
        inst: &r600::isa::export::Export,
        port: &Port,
        wave: &Wave,
    ) -> Result<(), Fault> {
        let taking = taking_part(inst, wave);
        for export in exported(inst, self.setup.gprs, port.loop_index(wave))? {
            for (component, element) in export.elements.into_iter().enumerate() {
                if element == Exported::Masked {
                    continue;
                }
                let lanes = (0..LANES)
                    .map(|lane| (taking >> lane & 1 == 1).then(|| element.lanes(wave)[lane]));
                let key = self.name(export.target, component as u32);
                self.outputs.insert(key, lanes.collect());
            }
        }
        Ok(())
    }

    /// The output behind a target.
    fn name(&self, target: Target, component: u32) -> (String, u32) {
        let builtin = |output: OutputBuiltin| (format!("{output:?}"), 0);
        match target {
            Target::Pixel(n) => {
                let outputs = self.function.interface.outputs.iter();
                let at = outputs
                    .clone()
                    .position(|o| o.location + u32::from(o.second) == u32::from(n));
                (format!("output {}", at.unwrap()), component)
            }
            Target::Depth => builtin(match component {
                0 => OutputBuiltin::FragDepth,
                _ => OutputBuiltin::SampleMask,
            }),
            Target::Parameter(n) => (format!("output {n}"), component),
            Target::Position(0) => (format!("{:?}", OutputBuiltin::Position), component),
            Target::Position(1) => builtin(match component {
                0 => OutputBuiltin::PointSize,
                2 => OutputBuiltin::Layer,
                _ => OutputBuiltin::Viewport,
            }),
            Target::Position(n) => {
                builtin(OutputBuiltin::ClipDistance(4 * (n - 2) + component as u8))
            }
        }
    }
}

fn put(wave: &mut Wave, gpr: u8, selects: [Select; 4], lane: usize, result: [u32; 4]) {
    for (elem, select) in selects.into_iter().enumerate() {
        let value = match select {
            Select::Mask => continue,
            Select::Zero => 0,
            Select::One => 1f32.to_bits(),
            select => result[select as usize],
        };
        wave.rows[4 * usize::from(gpr) + elem].0[lane] = value;
    }
}

impl Constants for MachineSide<'_> {
    fn kcache(&self, bank: u8, index: u32, elem: Elem) -> u32 {
        let word = 4 * index + elem as u32;
        if bank == back::PUSH_BANK {
            let driver = 4 * u32::from(back::DRIVER_CONSTANT);
            return match word.checked_sub(driver) {
                Some(0) => DRAW_INDEX,
                Some(1) => FIRST_INSTANCE,
                _ => self.world.push.get(word as usize).copied().unwrap_or(0),
            };
        }
        let bound = Self::bound(&self.binary.slots.banks, bank.into()).unwrap();
        let words = &self.world.buffers[bound.resource as usize][bound.element as usize];
        words.get(word as usize).copied().unwrap_or(0)
    }
    fn file(&self, _: u8, _: Elem) -> u32 {
        0
    }
}

impl smx::Words for MachineSide<'_> {
    fn load(&mut self, space: Space, lane: usize, at: u64) -> Result<u32, Fault> {
        assert_eq!(space, Space::Scratch);
        assert!(1024 * at < 4 * 64 * u64::from(self.binary.scratch_bytes));
        Ok(self
            .scratch
            .get(&(lane, at))
            .copied()
            .unwrap_or(0xdead_beef))
    }
    fn store(&mut self, space: Space, lane: usize, at: u64, value: u32) -> Result<(), Fault> {
        assert_eq!(space, Space::Scratch);
        self.scratch.insert((lane, at), value);
        Ok(())
    }
}

impl Ports for MachineSide<'_> {
    fn call(&mut self, port: u32, wave: &mut Wave) -> Result<(), Fault> {
        let port = self.ports[port as usize];
        let setup = self.setup;
        match &port.action {
            Action::Local(local) => {
                local.run(&port, setup, &*self, wave);
                Ok(())
            }
            Action::Export(inst) => self.export(inst, &port, wave),
            Action::Memory(inst) => smx::access(inst, &port, setup, wave, self),
            Action::Vtx(inst) => self.fetch(inst, wave),
            Action::Tex(inst) => self.tex(inst, wave),
            Action::EndTexClause => {
                self.slopes = [[0; 6]; LANES];
                Ok(())
            }
            Action::Emit { .. } => Err(Fault::Illegal {
                reason: "a vertex".into(),
            }),
        }
    }
}
