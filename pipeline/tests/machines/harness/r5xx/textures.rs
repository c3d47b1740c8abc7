//! Textures in memory: the registers that the driver makes of descriptors, and what a direct run looks up in those units.

use std::collections::BTreeMap;

use isa::LaneValue;
use lanes::{LANES, Row};
use pipeline::codegen::direct::ImageCall;
use pipeline::codegen::{Binary, ConstantSource};
use pipeline::driver::Driver;
use pipeline::encode::Encoder;
use pipeline::ir::{Dim, Function, ImageKind, Lod, Op, Stage};
use pipeline::lower::Overrides;
use pipeline::passes::lowered;
use pipeline::state::{GraphicsState, Viewport};
use pipeline::targets::{Bindings, PowerOn, UserData};
use pipeline::upload::Request;
use pipeline::wgsl::{self, Source};
use r5xx::isa::us;
use r5xx::regs::*;
use r5xx::tx::{Unit, units};
use radeon::registers::RegisterFile;
use silicon::texture::sample::{self, Request as Lookup, faces, reference};
use silicon::{Addr, Memory, WAVE_COST};

use super::super::start::Start;
use super::{R5xx, seen};
use crate::harness::Machine;

/// Where descriptor sets and push constants lie, behind everything else.
const SETS: u64 = 8 << 20;

/// What a fragment shader finds bound.
pub struct Bound {
    registers: RegisterFile,
    memory: Memory,
    /// Components of the constants, constant 0 on.
    constants: Vec<u32>,
}

/// Whether a function looks anything up.
pub fn is_textured(function: &Function) -> bool {
    function.insts().any(|inst| matches!(inst.op, Op::Image(_)))
}

impl Bound {
    /// What the driver sets for a binary, whose descriptors and push constants are those of a start.
    pub fn new(binary: &Binary, start: &Start, push: &[u32]) -> Bound {
        let machine: &dyn Machine = &R5xx;
        let target = machine.target();
        let gpu = (target.power_on)(&PowerOn {
            memory_bytes: 16 << 20,
            threads: Some(1),
            simd: None,
            wave_cost: WAVE_COST,
            fine_depth: false,
            strict: true,
        });
        let driver = Driver::new(target, &*gpu);
        let memory = driver.memory.clone();
        start.load(&memory);
        let mut next = SETS;
        let mut put = |words: &[u32]| {
            let at = next;
            for word in words {
                memory.store(next, *word).unwrap();
                next += 4;
            }
            Addr(at)
        };
        let sets = start.sets.each_ref().map(|words| put(words));
        let data = UserData {
            sets,
            push_constants: put(push),
            attributes: Addr(0),
        };
        let plain = "@vertex fn vs() -> @builtin(position) vec4f { return vec4f(); }";
        let checked = wgsl::parse(Source::Wgsl(plain)).unwrap();
        let vertex = lowered(&checked, None, Some(Stage::Vertex), &Overrides::new()).unwrap();
        let vertex = machine.compile(&vertex);
        let bindings = Bindings {
            data,
            shaders: [&vertex.unwrap(), binary],
            geometry: None,
            state: &GraphicsState::default(),
            viewport: Viewport::of(8, 8),
        };
        let mut allocate = |_: Request| Ok(Addr(SETS + (4 << 20)));
        let mut encoder = Encoder::new(&driver, &mut allocate);
        target.chip.user_data(&bindings, &mut encoder).unwrap();
        let mut bound = Bound {
            registers: RegisterFile::new(&[SPACE]),
            memory: memory.clone(),
            constants: Vec::new(),
        };
        bound.execute(&encoder.words);
        bound
    }

    /// Takes what packets write to registers and to the constants of pixels.
    fn execute(&mut self, words: &[u32]) {
        let mut rest = words;
        while let [header, after @ ..] = rest {
            let count = (header >> 16 & 0x3fff) as usize + 1;
            let (payload, others) = after.split_at(count);
            rest = others;
            if header >> 30 != 0 {
                continue;
            }
            let (first, step) = r5xx::packets::written(*header);
            for (n, word) in payload.iter().enumerate() {
                let address = first + n as u32 * step;
                match address {
                    at if at == GA_US_VECTOR_DATA.address => self.constants.push(*word),
                    at if at == GA_US_VECTOR_INDEX.address => self.constants.clear(),
                    at => assert!(self.registers.set(at, *word), "{at:#x}"),
                }
            }
        }
    }

    /// Sets the executor's registers.
    pub fn set(&self, start: &mut Start) {
        let vectors = self.constants.as_chunks::<4>().0;
        start.set("C", LaneValue::Vectors(vectors.to_vec()));
        for unit in units(&self.registers) {
            start.set(
                format!("UNIT{}", unit.number),
                LaneValue::Lanes(unit.words().to_vec()),
            );
        }
    }

    /// The constants of a binary by their sources.
    pub fn sources(&self, binary: &Binary) -> BTreeMap<ConstantSource, u32> {
        let sources = binary.slots.constants.as_flattened().iter();
        let known = sources.zip(&self.constants);
        known
            .filter_map(|(source, word)| Some(((*source)?, *word)))
            .collect()
    }

    /// What a lookup of a legal function gives.
    pub fn look(&self, binary: &Binary, call: &ImageCall<'_>, results: &mut [Row]) {
        let unit = self.unit(binary, call);
        let texture = unit.texture(&self.memory).unwrap();
        let sampler = unit.sampler().unwrap();
        let op = call.op;
        let dims = op.shape.coordinates();
        let word = |row: &Row| row.0.map(seen);
        let rows: Vec<[u32; LANES]> = call.args.iter().map(word).collect();
        let zero = [0; LANES];
        let row = |at: usize| rows.get(at).copied().unwrap_or(zero);
        let mut coords = [0, 1, 2].map(|axis| if axis < dims { row(axis) } else { zero });
        if op.kind == (ImageKind::Load { level: false }) {
            for (coords, size) in coords.iter_mut().zip(unit.size()) {
                *coords = coords.map(|at| (f32::from_bits(at) / size as f32).to_bits());
            }
        }
        if op.shape.dim == Dim::Cube {
            faces(&mut coords);
        }
        let given = row(dims);
        let slopes: [[u32; LANES]; 6] = std::array::from_fn(|n| match n % 3 {
            axis if axis < dims => row(dims * (1 + n / 3) + axis),
            _ => zero,
        });
        let [ax, ay, az, bx, by, bz] = &slopes;
        let lod = match op.kind {
            ImageKind::Load { .. } => sample::Lod::Explicit(&given),
            ImageKind::Sample { lod, .. } => match lod {
                Lod::Implicit | Lod::Zero => sample::Lod::Implicit,
                Lod::Bias => sample::Lod::Bias(&given),
                Lod::Level => sample::Lod::Explicit(&given),
                Lod::Gradient => sample::Lod::Gradient {
                    dx: [ax, ay, az],
                    dy: [bx, by, bz],
                },
            },
            _ => panic!("{op:?} is not legal"),
        };
        let [x, y, z] = &coords;
        let request = Lookup {
            exec: call.mask,
            coords: [x, y, z],
            layer: None,
            lod,
            lod_clamp: None,
            reference: None,
            offsets: None,
        };
        let mut out = [zero; 4];
        reference::sample(&self.memory, &texture, &sampler, &request, &mut out);
        for (result, row) in results.iter_mut().zip(out) {
            for lane in (0..LANES).filter(|lane| call.mask >> lane & 1 == 1) {
                result.0[lane] = us::flushed(row[lane]);
            }
        }
    }

    /// The unit of a texture and a sampler, of which there may be several: for single texels, and for those of one level.
    fn unit(&self, binary: &Binary, call: &ImageCall<'_>) -> Unit<'_> {
        let (op, slots) = (call.op, &binary.slots);
        let lane = call.mask.trailing_zeros() as usize;
        let wanted = match op.kind {
            ImageKind::Load { .. } if op.sampler.is_some() => [true, false],
            ImageKind::Sample { lod: Lod::Zero, .. } => [true, true],
            _ => [false, false],
        };
        let found = slots.resources.iter().find(|texture| {
            let mut samplers = slots.samplers.iter();
            let sampler = samplers.find(|sampler| sampler.slot == texture.slot);
            let sampler = sampler.map(|sampler| (sampler.resource, sampler.element));
            let reads = [&slots.nearest, &slots.finest].map(|list| list.contains(&texture.slot));
            (texture.resource, texture.element) == (op.texture.resource, call.texture.0[lane])
                && sampler
                    == op
                        .sampler
                        .map(|access| (access.resource, call.sampler.0[lane]))
                && reads == wanted
        });
        let slot = found.unwrap_or_else(|| panic!("{op:?} has no unit")).slot;
        let mut all = units(&self.registers);
        all.find(|unit| unit.number == slot).unwrap()
    }
}
