//! Runs a shader directly, with buffers in plain vectors and every other input made from a seed.
#![allow(dead_code)]

use pipeline::codegen::direct::{self, Element, ImageCall, Resources};
use pipeline::ir::{Builtin, Function, OutputBuiltin, Stage};
use pipeline::lower::{Overrides, lower};
use pipeline::wgsl::{self, Source};

use lanes::{LANES, Row};

/// Instructions after which a test shader counts as hanging.
pub const LIMIT: u64 = 1_000_000_000;

/// A small generator with a good mix: the same numbers on every host.
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0) as u32
    }

    /// A float that arithmetic likes: mostly small, sometimes odd.
    pub fn float(&mut self) -> f32 {
        let n = self.next();
        match n & 31 {
            0 => 0.0,
            1 => 1.0,
            2 => -1.0,
            3 => f32::from_bits(self.next()),
            _ => (n >> 8) as f32 / 65536.0 / 8.0 - 16.0,
        }
    }

    /// An integer: mostly small, sometimes any.
    pub fn integer(&mut self) -> u32 {
        let n = self.next();
        match n & 15 {
            0 => self.next(),
            1 => 0,
            2 => u32::MAX,
            3 => 0x8000_0000,
            _ => (n >> 8) % 41,
        }
    }
}

pub fn mix(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// What a shader reads and what it wrote.
#[derive(Clone, Default, Debug, PartialEq)]
pub struct World<T = Seeded> {
    /// By resource, then element.
    pub buffers: Vec<Vec<Vec<u32>>>,
    pub push: Vec<u32>,
    /// By input, then component.
    pub inputs: Vec<Vec<Vec<u32>>>,
    pub seed: u64,
    pub outputs: Vec<Written>,
    pub textures: T,
}

/// What texture operations give.
pub trait Textures {
    fn image(&mut self, call: &ImageCall<'_>, results: &mut [Row]);
}

/// Textures whose texels are whatever their operands hash to: enough to see whether they are the same.
#[derive(Clone, Default, Debug, PartialEq)]
pub struct Seeded {
    seed: u64,
    /// Lanes and hashes.
    stores: Vec<(usize, u64)>,
}

/// What a shader writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Name {
    Output(u32),
    Builtin(OutputBuiltin),
}

/// A component of an output: the words of the lanes that wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    pub name: Name,
    pub component: u32,
    pub lanes: Vec<Option<u32>>,
}

impl<T: Textures> Resources for World<T> {
    fn input(&mut self, input: u32, component: u32) -> Row {
        let lanes = &self.inputs[input as usize][component as usize];
        Row(std::array::from_fn(|lane| lanes[lane]))
    }

    fn builtin(&mut self, builtin: Builtin) -> Row {
        let seed = self.seed;
        Row(std::array::from_fn(|lane| {
            let lane = lane as u32;
            let (x, y) = (
                lane / 4 % 4 * 2 + (lane & 1),
                lane / 16 * 2 + (lane >> 1 & 1),
            );
            match builtin {
                Builtin::FragCoord(0) => (x as f32 + 0.5).to_bits(),
                Builtin::FragCoord(1) => (y as f32 + 0.5).to_bits(),
                // Exact reciprocals.
                Builtin::FragCoord(3) => (1.0 / f32::from(1u8 << (lane % 5))).to_bits(),
                Builtin::FragCoord(_) => (0.25 + lane as f32 / 256.0).to_bits(),
                Builtin::FrontFacing => u32::from(mix(seed) & 1 != 0),
                Builtin::VertexIndex | Builtin::InstanceIndex => lane,
                Builtin::DrawIndex | Builtin::Layer => 3,
                Builtin::BaseVertex => 5,
                Builtin::BaseInstance => 7,
                Builtin::PrimitiveIndex => lane / 8,
                Builtin::SampleIndex | Builtin::InvocationIndex => 0,
                Builtin::SampleCount | Builtin::SampleMask => 1,
                Builtin::PointCoord(_) => 0.5f32.to_bits(),
                Builtin::Barycentric(n) => ((1 + n % 3) as f32 / 8.0).to_bits(),
                Builtin::LocalId(_)
                | Builtin::WorkgroupId(_)
                | Builtin::WorkgroupCount(_)
                | Builtin::SubgroupSize
                | Builtin::SubgroupInvocation
                | Builtin::SubgroupId
                | Builtin::SubgroupCount => unreachable!("whoever runs waves knows them"),
            }
        }))
    }

    fn output(&mut self, output: u32, component: u32, value: &Row, mask: u64) {
        self.note(Name::Output(output), component, value, mask);
    }

    fn output_builtin(&mut self, output: OutputBuiltin, component: u32, value: &Row, mask: u64) {
        self.note(Name::Builtin(output), component, value, mask);
    }

    fn load_buffer(&mut self, at: Element, offset: u32) -> u32 {
        let words = &self.buffers[at.resource as usize][at.element as usize];
        words.get(offset as usize / 4).copied().unwrap_or(0)
    }

    fn store_buffer(&mut self, at: Element, offset: u32, value: u32) {
        let words = &mut self.buffers[at.resource as usize][at.element as usize];
        if let Some(word) = words.get_mut(offset as usize / 4) {
            *word = value;
        }
    }

    fn buffer_bytes(&mut self, at: Element) -> u32 {
        4 * self.buffers[at.resource as usize][at.element as usize].len() as u32
    }

    fn push_constant(&mut self, offset: u32) -> u32 {
        self.push.get(offset as usize / 4).copied().unwrap_or(0)
    }

    fn image(&mut self, call: &ImageCall<'_>, results: &mut [Row]) {
        self.textures.image(call, results);
    }
}

impl Textures for Seeded {
    fn image(&mut self, call: &ImageCall<'_>, results: &mut [Row]) {
        use pipeline::ir::ImageKind::{Gather, Sample, Size};
        // A size without a level is that of the first.
        let first = [Row([0; LANES])];
        let (kind, args) = match call.op.kind {
            Size { level: false } => (Size { level: true }, &first[..]),
            ref kind => (kind.clone(), call.args),
        };
        for lane in (0..64).filter(|lane| call.mask >> lane & 1 != 0) {
            let operands = [&call.texture, &call.sampler].into_iter().chain(args);
            let kind = format!("{kind:?}");
            let hash = operands.fold(self.seed, |hash, row| mix(hash ^ u64::from(row.0[lane])));
            let hash = kind.bytes().fold(hash, |hash, b| mix(hash ^ u64::from(b)));
            if results.is_empty() {
                self.stores.push((lane, hash));
            }
            for (at, row) in results.iter_mut().enumerate() {
                let word = mix(hash ^ at as u64) as u32;
                row.0[lane] = match call.op.kind {
                    Sample { .. } | Gather { .. } => ((word >> 8) as f32 / 16_777_216.0).to_bits(),
                    _ => word & 63,
                };
            }
        }
    }
}

impl<T> World<T> {
    /// The same world with other textures.
    pub fn with<U>(self, textures: U) -> World<U> {
        let World {
            buffers,
            push,
            inputs,
            seed,
            outputs,
            ..
        } = self;
        World {
            buffers,
            push,
            inputs,
            seed,
            outputs,
            textures,
        }
    }

    fn note(&mut self, name: Name, component: u32, value: &Row, mask: u64) {
        let lanes = (0..LANES).map(|lane| (mask >> lane & 1 == 1).then_some(value.0[lane]));
        self.outputs.push(Written {
            name,
            component,
            lanes: lanes.collect(),
        });
    }
}

impl<T: Textures> World<T> {
    /// Runs a function with all lanes live.
    pub fn run(&mut self, function: &Function) {
        self.run_lanes(function, u64::MAX, 0);
    }

    /// Runs a function with some lanes live and some as their helpers.
    pub fn run_lanes(&mut self, function: &Function, live: u64, helpers: u64) {
        let program = direct::compile(function).unwrap();
        program.run(live, helpers, LIMIT, self).unwrap();
    }

    /// Runs workgroups, x first.
    pub fn run_groups(&mut self, function: &Function, count: [u32; 3]) {
        let program = direct::compile(function).unwrap();
        let [width, height, depth] = count;
        for at in 0..width * height * depth {
            let at = [at % width, at / width % height, at / (width * height)];
            let group = direct::Group { at, count };
            program.run_group(group, LIMIT, self).unwrap();
        }
    }
}

impl World {
    /// Everything that a function may read, made from a seed.
    pub fn random(function: &Function, seed: u64) -> World {
        use pipeline::ir::{ResourceKind, Scalar};
        let mut random = Random(seed);
        let mut world: World = World {
            seed,
            textures: Seeded {
                seed,
                ..Seeded::default()
            },
            ..World::default()
        };
        // Behind what the type needs. Workgroups have more invocations.
        let more = match function.stage {
            Stage::Compute => 1400,
            _ => 40,
        };
        for resource in &function.interface.resources {
            let words = match resource.kind {
                ResourceKind::Uniform { min_bytes } => min_bytes.div_ceil(4),
                ResourceKind::Storage { min_bytes, .. } => min_bytes.div_ceil(4) + more,
                _ => 0,
            };
            let element = |random: &mut Random| {
                (0..words)
                    .map(|at| {
                        if at % 3 == 2 {
                            random.integer()
                        } else {
                            random.float().to_bits()
                        }
                    })
                    .collect()
            };
            let elements = (0..resource.count).map(|_| element(&mut random)).collect();
            world.buffers.push(elements);
        }
        let push = function.interface.push_constant_bytes.div_ceil(4);
        world.push = (0..push).map(|_| random.float().to_bits()).collect();
        for input in &function.interface.inputs {
            let components = (0..input.components).map(|_| {
                (0..64)
                    .map(|_| match input.scalar {
                        Scalar::Float => random.float().to_bits(),
                        Scalar::Sint | Scalar::Uint => random.integer(),
                    })
                    .collect()
            });
            world.inputs.push(components.collect());
        }
        world
    }
}

/// Lowers the only entry point of a stage.
pub fn compile(text: &str, stage: Option<Stage>) -> Function {
    let checked = match wgsl::parse(Source::Wgsl(text)) {
        Ok(checked) => checked,
        Err(error) => panic!("{error}\n{text}"),
    };
    match lower(&checked, None, stage, &Overrides::new()) {
        Ok(function) => function,
        Err(error) => panic!("{error}\n{text}"),
    }
}
