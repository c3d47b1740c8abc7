//! R600: how inputs reach its registers, what its instructions ask of textures, where outputs go.

use std::collections::BTreeMap;

use isa::LaneValue;
use lanes::{LANES, LaneOp, Row, Wave};
use pipeline::codegen::direct::Resources;
use pipeline::codegen::{Binary, Bound, r600 as back};
use pipeline::ir::{Builtin, Dim, Function, OutputBuiltin, ResourceKind, Shape, Stage};
use pipeline::targets::Chip;
use r600::isa::{
    ACTIVE, Constant, Constants, Kind as StageKind, Lifted, Program, Setup, VALID, check, lift,
    stack_size,
};
use r600::regs;

use super::access::{Kind, TextureAccess};
use super::start::Start;
use super::{Case, Machine, Outcome, run_wave};
use crate::direct::{Name, World};
use ports::Side;

mod ports;

/// First instance, base vertex and number of the draw, as the driver's constants say.
const FIRST_INSTANCE: u32 = 7;
const BASE_VERTEX: u32 = 5;
const DRAW_INDEX: u32 = 3;

/// The chip.
pub struct R600;

fn chip() -> &'static dyn Chip {
    (&R600 as &dyn Machine).target().chip
}

impl Machine for R600 {
    fn name(&self) -> &'static str {
        r600::INFO.name
    }

    fn computed(&self, function: &Function) -> Function {
        let mut function = function.clone();
        back::legalize::inexact(&mut function);
        function
    }

    /// The product is rounded before the sum.
    fn fma(&self) -> LaneOp {
        LaneOp::FMad
    }

    fn precision(&self) -> &'static [(&'static str, f64)] {
        const BOUND: f64 = 1.0 / (1 << 20) as f64;
        &[("sin(x)", BOUND), ("cos(x)", BOUND)]
    }

    #[rustfmt::skip]
    fn missing(&self) -> Vec<(&'static str, &'static str)> {
        vec![
            ("assign_phony.wgsl", "stores to storage buffers"),
            ("atomics_all.wgsl", "stores to storage buffers"),
            ("atomics_compare_exchange.wgsl", "atomics on storage buffers"),
            ("bounds_of_buffers.wgsl", "stores to storage buffers"),
            ("early_depth.wgsl", "atomics on storage buffers"),
            ("entry_without_result.wgsl", "atomics on storage buffers"),
            ("logic_short_circuit_effects.wgsl", "atomics on storage buffers"),
            ("matrix_in_buffers.wgsl", "stores to storage buffers"),
            ("padding_of_structs.wgsl", "stores to storage buffers"),
            ("pointers_to_everything.wgsl", "stores to storage buffers"),
            ("storage_arrays_of_arrays.wgsl", "stores to storage buffers"),
            ("storage_atomics.wgsl", "atomics on storage buffers"),
            ("storage_atomics_vertex.wgsl", "atomics on storage buffers"),
            ("storage_struct_copies.wgsl", "stores to storage buffers"),
            ("storage_write.wgsl", "stores to storage buffers"),
            ("texture_storage.wgsl", "stores to textures"),
            ("texture_storage_atomics.wgsl", "atomics on textures"),
            ("texture_storage_formats.wgsl", "stores to textures"),
        ]
    }

    fn crowd(&self) -> [usize; 2] {
        [200, 500]
    }

    /// The rules of the hardware; as many stack entries as the driver says.
    fn check(&self, _: &Function, binary: &Binary) -> Result<(), String> {
        let program = Program::decode(&binary.words).map_err(|error| error.to_string())?;
        check::check(&program).map_err(|error| error.to_string())?;
        let stack = stack_size(&program).map_err(|error| error.to_string())?;
        let said = binary.stats.get("stack");
        match stack == said {
            true => Ok(()),
            false => Err(format!("{stack} stack entries, not {said}")),
        }
    }

    fn export(&self, function: &Function, name: Name, component: u32) -> (String, usize) {
        use OutputBuiltin as O;
        let component = component as usize;
        match name {
            Name::Output(number) if function.stage == Stage::Vertex => {
                (format!("PARAM{number}"), component)
            }
            Name::Output(number) => {
                let output = &function.interface.outputs[number as usize];
                let target = output.location + u32::from(output.second);
                (format!("PIXEL{target}"), component)
            }
            Name::Builtin(O::FragDepth) => ("PIXEL61".into(), 0),
            Name::Builtin(O::FragStencil) => ("PIXEL61".into(), 1),
            Name::Builtin(O::SampleMask) => ("PIXEL61".into(), 2),
            Name::Builtin(O::Position) => ("POS60".into(), component),
            Name::Builtin(O::PointSize) => ("POS61".into(), 0),
            Name::Builtin(O::Layer) => ("POS61".into(), 2),
            Name::Builtin(O::Viewport) => ("POS61".into(), 3),
            Name::Builtin(O::ClipDistance(n)) => (format!("POS{}", 62 + n / 4), usize::from(n % 4)),
        }
    }

    /// [R600 12.6]
    fn cube(&self, direction: [u32; 3]) -> [u32; 3] {
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
        let place = |flat: f32| LaneOp::FMad.eval([flat.to_bits(), inverse, 1.5f32.to_bits()]);
        [place(s), place(t), (face as f32).to_bits()]
    }

    fn cube_origin(&self) -> f32 {
        1.0
    }

    /// A sample half a texel to one side.
    fn gather(&self, _: &Function, access: &TextureAccess, at: u32) -> (TextureAccess, u32) {
        let Kind::Gather(component) = access.kind else {
            panic!("{access:?} gathers nothing");
        };
        let [x, y] = [[-1, 1], [1, 1], [1, -1], [-1, -1]][at as usize];
        let [by_x, by_y, by_z] = access.offset;
        let access = TextureAccess {
            kind: Kind::SampleZero,
            offset: [by_x + x, by_y + y, by_z],
            ..access.clone()
        };
        (access, component.into())
    }

    fn layers(&self, shape: Shape, size: [u32; 4]) -> u32 {
        match shape.dim {
            Dim::D1 => size[1],
            _ => size[2],
        }
    }

    fn run(&self, case: Case<'_>) -> Result<Outcome, String> {
        let Case {
            function,
            binary,
            world,
            live,
        } = case;
        let program = Program::decode(&binary.words).map_err(|error| error.to_string())?;
        let setup = Setup {
            kind: match function.stage {
                Stage::Vertex => StageKind::Vertex,
                _ => StageKind::Pixel,
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
        // Uninitialised registers must not matter.
        wave.rows.fill(Row::splat(0xdead_beef));
        wave.set_mask(ACTIVE, live);
        wave.set_mask(VALID, live);
        inputs(function, binary, &world, &mut |gpr, elem, row| {
            wave.rows[4 * usize::from(gpr) + elem] = row;
        });
        let mut side = Side {
            function,
            binary,
            ports: &ports,
            setup: &setup,
            world,
            outcome: Outcome::default(),
            scratch: BTreeMap::new(),
            slopes: [[0; 6]; LANES],
        };
        for (constant, scalar) in constants {
            if let Constant::Kcache { bank, index, elem } = constant {
                wave.scalars[usize::from(scalar)] = side.kcache(bank, index.into(), elem);
            }
        }
        run_wave(&program, &mut wave, &mut side)?;
        Ok(Outcome {
            buffers: side.world.buffers,
            ..side.outcome
        })
    }

    fn start(&self, start: &mut Start, function: &Function, binary: &Binary, world: &mut World) {
        let mut registers: BTreeMap<u8, Vec<[u32; 4]>> = BTreeMap::new();
        inputs(function, binary, world, &mut |gpr, elem, row| {
            let lanes = registers.entry(gpr).or_insert(vec![[0; 4]; LANES]);
            for (lane, value) in lanes.iter_mut().zip(row.0) {
                lane[elem] = value;
            }
        });
        for (gpr, lanes) in registers {
            start.set(format!("R{gpr}"), LaneValue::Vectors(lanes));
        }
        let whole = |start: &mut Start, resource: u32, words: &[u32]| {
            let mut descriptor = Vec::new();
            let range = start.range(words);
            chip().buffer_descriptor(range, &mut descriptor);
            resource_words(start, "VTX", resource, &descriptor[..7]);
        };
        whole(start, back::PUSH_RESOURCE, &world.push);
        for (group, set) in start.sets.clone().iter().enumerate() {
            whole(start, back::SET_RESOURCE + group as u32, set);
        }
        for (location, words) in start.attributes.clone() {
            resource_words(start, "VTX", location, &words[..7]);
        }
        for bound in &binary.slots.resources {
            let kind = &function.interface.resources[bound.resource as usize].kind;
            let name = match kind {
                ResourceKind::Uniform { .. } | ResourceKind::Storage { .. } => "VTX",
                _ => "TEX",
            };
            let words = descriptor(start, bound, 7);
            resource_words(start, name, bound.slot, &words);
        }
        for bound in &binary.slots.samplers {
            let words = descriptor(start, bound, 3);
            resource_words(start, "SAMPLER", bound.slot, &words);
        }
        for bound in &binary.slots.banks {
            let words = &world.buffers[bound.resource as usize][bound.element as usize];
            start.set(format!("KC{}", bound.slot), vectors(words));
        }
        let mut push = world.push.clone();
        push.resize(4 * usize::from(back::DRIVER_CONSTANT), 0);
        push.extend([DRAW_INDEX, FIRST_INSTANCE, BASE_VERTEX]);
        start.set(format!("KC{}", back::PUSH_BANK), vectors(&push));
    }
}

fn resource_words(start: &mut Start, name: &str, number: u32, words: &[u32]) {
    start.set(format!("{name}{number}"), LaneValue::Lanes(words.to_vec()));
}

/// Words of a descriptor in its set.
fn descriptor(start: &Start, bound: &Bound, words: usize) -> Vec<u32> {
    start.sets[bound.set as usize][bound.offset as usize / 4..][..words].to_vec()
}

/// Constants of four words.
fn vectors(words: &[u32]) -> LaneValue {
    let vector = |words: &[u32]| std::array::from_fn(|at| words.get(at).copied().unwrap_or(0));
    LaneValue::Vectors(words.chunks(4).map(vector).collect())
}

/// Sets the elements of registers that a wave starts with.
fn inputs(
    function: &Function,
    binary: &Binary,
    world: &World,
    set: &mut dyn FnMut(u8, usize, Row),
) {
    let mut world = world.clone();
    if function.stage == Stage::Vertex {
        set(0, 0, world.builtin(Builtin::VertexIndex));
        let instances = world.builtin(Builtin::InstanceIndex);
        let instances = instances.0.map(|at| at.wrapping_sub(FIRST_INSTANCE));
        set(0, 3, Row(instances));
        return;
    }
    let inputs = &function.interface.inputs;
    for (input, varying) in inputs.iter().enumerate() {
        for component in 0..varying.components {
            let row = world.input(input as u32, component);
            set(input as u8, component as usize, row);
        }
    }
    let register = |address: u32| {
        let found = binary.registers.iter().find(|(at, _)| *at == address);
        found.map_or(0, |(_, value)| *value)
    };
    let control = regs::SpiPsInControl0::from_word(register(regs::SPI_PS_IN_CONTROL_0));
    let more = regs::SpiPsInControl1::from_word(register(regs::SPI_PS_IN_CONTROL_1));
    if binary.primitive_index {
        let row = world.builtin(Builtin::PrimitiveIndex);
        set(inputs.len() as u8, 0, row);
    }
    if binary.point_coord {
        for component in 0..2 {
            let row = world.builtin(Builtin::PointCoord(component));
            set(control.num_interp - 1, component.into(), row);
        }
    }
    if control.position_ena {
        for component in 0..4 {
            let row = world.builtin(Builtin::FragCoord(component));
            set(control.position_addr, component.into(), row);
        }
    }
    if more.front_face_ena {
        set(more.front_face_addr, 0, world.builtin(Builtin::FrontFacing));
        set(more.front_face_addr, 2, world.builtin(Builtin::SampleMask));
    }
    if more.fixed_pt_position_ena {
        let row = world.builtin(Builtin::SampleIndex);
        set(more.fixed_pt_position_addr, 3, row);
    }
}
