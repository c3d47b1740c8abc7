//! The same answer twice: shaders run directly as lane programs, and compiled, encoded, decoded, lifted and run as
//! machine code. Bit for bit.
#![allow(clippy::unwrap_used)]

mod corpus;
mod direct;
mod texels;

use direct::{Random, World, mix};
use isa::{ExecInput, LaneValue, MemoryBlock};
use lanes::LaneOp;
use pipeline::codegen::southern_islands::{self, state::SouthernIslands};
use pipeline::codegen::{Binary, Options};
use pipeline::driver::ConstantTable;
use pipeline::ir::{Function, Interpolation, ResourceKind, Slot, Stage};
use pipeline::layout::SetLayout;
use pipeline::lower::Overrides;
use pipeline::passes::lowered;
use pipeline::state::{AttributeFetch, BufferRange};
use pipeline::targets::Surfaces;
use pipeline::wgsl::{self, Source};
use silicon::{Addr, Memory};
use texels::{Texels, Textured};
use wgpu_types::VertexFormat;

/// Bytes at one address.
struct Block {
    address: u64,
    words: Vec<u32>,
}

fn hex(words: &[u32]) -> String {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

fn words(hex: &str) -> Vec<u32> {
    let bytes: Vec<u8> = (0..hex.len() / 2)
        .map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap())
        .collect();
    let chunks = bytes.chunks_exact(4);
    chunks
        .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
        .collect()
}

/// Video memory and registers that a shader starts with.
struct Machine {
    blocks: Vec<Block>,
    next: u64,
    input: ExecInput,
    /// Where each buffer of each resource is, by resource and element: index of its block.
    buffers: Vec<Vec<usize>>,
    /// The same of images.
    images: Vec<Vec<usize>>,
}

impl Machine {
    fn place(&mut self, words: Vec<u32>) -> u64 {
        let address = self.next;
        self.next = (self.next + 4 * words.len() as u64).next_multiple_of(256) + 256;
        self.blocks.push(Block { address, words });
        address
    }

    fn set(&mut self, register: String, value: LaneValue) {
        self.input.registers.insert(register, value);
    }

    fn set_address(&mut self, at: u32, address: u64) {
        self.set(format!("s{at}"), LaneValue::One(address as u32));
        self.set(
            format!("s{}", at + 1),
            LaneValue::One((address >> 32) as u32),
        );
    }

    /// Buffers, descriptor sets, push constants and scratch memory.
    fn new(function: &Function, world: &World, texels: &Texels, scratch_bytes: u32) -> Machine {
        let mut machine = Machine {
            blocks: Vec::new(),
            next: 0x1_0000,
            input: ExecInput::default(),
            buffers: Vec::new(),
            images: Vec::new(),
        };
        let mut sets: [Vec<u32>; 4] = Default::default();
        for (at, resource) in function.interface.resources.iter().enumerate() {
            let (mut elements, mut pictures) = (Vec::new(), Vec::new());
            let mut words = Vec::new();
            for element in 0..resource.count as usize {
                match resource.kind {
                    ResourceKind::Sampler { .. } => {
                        let sampler = &texels.samplers[at][element];
                        let sampler = &sampler.clone().into();
                        let mut constants = ConstantTable::new(&Memory::new(0));
                        SouthernIslands
                            .sampler_descriptor(sampler, &mut constants, &mut words)
                            .unwrap();
                    }
                    ResourceKind::Texture { .. } | ResourceKind::StorageTexture { .. } => {
                        let image = &texels.images[at][element];
                        machine.next = machine.next.next_multiple_of(image.memory.align);
                        let bytes = image.tiled.chunks_exact(4);
                        let address = machine.place(
                            bytes
                                .map(|b| u32::from_le_bytes(b.try_into().unwrap()))
                                .collect(),
                        );
                        pictures.push(machine.blocks.len() - 1);
                        image.descriptor(&SouthernIslands, address, &mut words);
                    }
                    _ => {
                        let element = &world.buffers[at][element];
                        let address = machine.place(element.clone());
                        elements.push(machine.blocks.len() - 1);
                        let range = BufferRange {
                            address: Addr(address),
                            bytes: 4 * element.len() as u64,
                        };
                        SouthernIslands.buffer_descriptor(range, &mut words);
                    }
                }
            }
            let set = &mut sets[resource.slot.group as usize];
            let first = descriptor_offset(function, resource.slot) as usize / 4;
            set.resize(set.len().max(first + words.len()), 0);
            set[first..first + words.len()].copy_from_slice(&words);
            machine.buffers.push(elements);
            machine.images.push(pictures);
        }
        for (group, set) in sets.into_iter().enumerate() {
            if !set.is_empty() {
                let address = machine.place(set);
                machine.set_address(2 * group as u32, address);
            }
        }
        let mut push = [world.push.clone(), vec![0; 4]].concat();
        if scratch_bytes > 0 {
            let scratch = machine.place(vec![0xdead_beef; scratch_bytes as usize / 4]);
            push.resize(64, 0);
            SouthernIslands.scratch_descriptor(Addr(scratch), scratch_bytes, &mut push);
            let offset = match function.stage {
                Stage::Vertex => "s15",
                _ => "s11",
            };
            machine.set(offset.to_owned(), LaneValue::One(0));
        }
        let push = machine.place(push);
        machine.set_address(8, push);
        machine
    }

    /// Vertex indices and attributes. Lane `n` is vertex `n`.
    fn vertex(&mut self, function: &Function, world: &World) {
        let lanes = LaneValue::Lanes((0..64).collect());
        self.set("v0".into(), lanes.clone());
        self.set("v3".into(), lanes);
        self.set("s14".into(), LaneValue::One(3));
        let mut table = vec![0; 4 * 32];
        for (input, varying) in function.interface.inputs.iter().enumerate() {
            let count = varying.components as usize;
            let lanes = &world.inputs[input];
            let data = (0..64).flat_map(|lane| (0..count).map(move |c| lanes[c][lane]));
            let data: Vec<u32> = data.collect();
            let bytes = 4 * data.len() as u64;
            let address = self.place(data);
            use VertexFormat as F;
            let format = match (varying.scalar, count) {
                (pipeline::ir::Scalar::Float, n) => {
                    [F::Float32, F::Float32x2, F::Float32x3, F::Float32x4][n - 1]
                }
                (pipeline::ir::Scalar::Sint, n) => {
                    [F::Sint32, F::Sint32x2, F::Sint32x3, F::Sint32x4][n - 1]
                }
                (pipeline::ir::Scalar::Uint, n) => {
                    [F::Uint32, F::Uint32x2, F::Uint32x3, F::Uint32x4][n - 1]
                }
            };
            let mut descriptor = Vec::new();
            let fetch = AttributeFetch {
                buffer: BufferRange {
                    address: Addr(address),
                    bytes,
                },
                offset: 0,
                stride: 4 * count as u32,
                format,
            };
            SouthernIslands.attribute_descriptor(&fetch, &mut descriptor);
            let at = 4 * varying.location as usize;
            table[at..at + 4].copy_from_slice(&descriptor);
        }
        let table = self.place(table);
        self.set_address(10, table);
    }

    /// Barycentrics, built-ins and the parameters of sixteen primitives, one a quad. Gives the world the inputs that
    /// follow from them.
    fn fragment(&mut self, function: &Function, binary: &Binary, world: &mut World) {
        let mut random = Random(world.seed ^ 0x55);
        let enables = binary
            .registers
            .iter()
            .find(|(at, _)| *at == ::southern_islands::regs::SPI_PS_INPUT_ENA)
            .map_or(0, |(_, value)| *value);
        let mut row = 0;
        let mut pairs = vec![[[0u32; 64]; 2]; 7];
        for bit in 0..16u32 {
            if enables >> bit & 1 == 0 {
                continue;
            }
            let rows: Vec<Vec<u32>> = match bit {
                0..=2 | 4..=6 => {
                    let pair = &mut pairs[bit as usize];
                    for lane in pair.iter_mut().flatten() {
                        *lane = ((random.next() >> 8) as f32 / 16_777_216.0).to_bits();
                    }
                    pair.iter().map(|lanes| lanes.to_vec()).collect()
                }
                3 => vec![vec![0; 64]; 3],
                8..=10 => {
                    vec![self.builtin(world, pipeline::ir::Builtin::FragCoord(bit as u8 - 8))]
                }
                // The register holds w, the built-in value is 1 / w.
                11 => {
                    let inverse = self.builtin(world, pipeline::ir::Builtin::FragCoord(3));
                    let w = |bits: &u32| (1.0 / f32::from_bits(*bits)).to_bits();
                    vec![inverse.iter().map(w).collect()]
                }
                12 => vec![self.builtin(world, pipeline::ir::Builtin::FrontFacing)],
                14 => vec![self.builtin(world, pipeline::ir::Builtin::SampleMask)],
                // Sample 0 of layer 3.
                13 => vec![vec![3 << 16; 64]],
                _ => vec![vec![0; 64]],
            };
            for lanes in rows {
                self.set(format!("v{row}"), LaneValue::Lanes(lanes));
                row += 1;
            }
        }
        self.set("s10".into(), LaneValue::One(0x7fff << 16));
        // The share holds as many attributes as the code names.
        let listing = binary.listing();
        let named = listing.split("attr").skip(1).filter_map(|rest| {
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            digits.parse::<usize>().ok()
        });
        let attributes = named.max().map_or(0, |last| last + 1);
        let mut share = vec![0u32; 16 * attributes * 12];
        for (input, varying) in function.interface.inputs.iter().enumerate() {
            for component in 0..varying.components as usize {
                let lanes = &mut world.inputs[input][component];
                for primitive in 0..16 {
                    let flat = varying.interpolation == Interpolation::Flat;
                    let parameters: [u32; 3] = std::array::from_fn(|_| {
                        if flat {
                            lanes[4 * primitive]
                        } else {
                            random.float().to_bits()
                        }
                    });
                    for (k, &parameter) in parameters.iter().enumerate() {
                        let at = ((primitive * attributes + input) * 3 + k) * 4 + component;
                        if input < attributes {
                            share[at] = parameter;
                        }
                    }
                    let [p0, p10, p20] = parameters;
                    for lane in 4 * primitive..4 * primitive + 4 {
                        lanes[lane] = match pair_bit(varying.interpolation) {
                            None => p0,
                            Some(bit) => {
                                let [i, j] = pairs[bit].map(|lanes| lanes[lane]);
                                let first = LaneOp::FMad.eval([p10, i, p0]);
                                LaneOp::FMad.eval([p20, j, first])
                            }
                        };
                    }
                }
            }
        }
        self.input.shared = Some(hex(&share));
    }

    fn builtin(&self, world: &mut World, builtin: pipeline::ir::Builtin) -> Vec<u32> {
        pipeline::codegen::direct::Resources::builtin(world, builtin)
            .0
            .to_vec()
    }
}

/// Bit of SPI_PS_INPUT_ENA of the barycentrics of an interpolation.
fn pair_bit(interpolation: Interpolation) -> Option<usize> {
    Some(match interpolation {
        Interpolation::PerspectiveSample => 0,
        Interpolation::Perspective => 1,
        Interpolation::PerspectiveCentroid => 2,
        Interpolation::LinearSample => 4,
        Interpolation::Linear => 5,
        Interpolation::LinearCentroid => 6,
        Interpolation::Flat => return None,
    })
}

/// Where a binding is in the set layout made from the shader's own resources: ascending, each aligned to its size.
fn descriptor_offset(function: &Function, slot: Slot) -> u32 {
    let resources = &function.interface.resources;
    let sizes = SouthernIslands.descriptor_bytes();
    SetLayout::of_shader(resources, slot.group, sizes).offsets[&slot.binding]
}

/// Name and components of each export that the direct outputs make.
fn exports(function: &Function, world: &World) -> Vec<(String, usize, Vec<u32>, u64)> {
    let mut found = Vec::new();
    for (name, lanes, mask) in &world.outputs {
        let (output, component) = name.rsplit_once('.').unwrap();
        let component: usize = component.parse().unwrap();
        let (target, component) = match output.strip_prefix("output ") {
            Some(number) => {
                let number: usize = number.parse().unwrap();
                let varying = &function.interface.outputs[number];
                match function.stage {
                    Stage::Vertex => (format!("PARAM{number}"), component),
                    _ if varying.second => ("MRT1".to_owned(), component),
                    _ => (format!("MRT{}", varying.location), component),
                }
            }
            None => match output {
                "Position" => ("POS0".to_owned(), component),
                "FragDepth" => ("MRTZ".to_owned(), 0),
                "SampleMask" => ("MRTZ".to_owned(), 2),
                _ => continue,
            },
        };
        found.push((target, component, lanes.clone(), *mask));
    }
    found
}

/// Runs a function both ways; what differs.
fn compare(function: &Function, seed: u64) -> Result<(), String> {
    let mut world = World::random(function, seed);
    let binary = southern_islands::compile(function, &Options::default())
        .map_err(|error| error.to_string())?;
    let texels = Texels::random(&SouthernIslands, function, seed);
    let mut machine = Machine::new(function, &world, &texels, binary.scratch_bytes);
    match function.stage {
        Stage::Vertex => machine.vertex(function, &world),
        _ => machine.fragment(function, &binary, &mut world),
    }
    machine.input.memory = machine
        .blocks
        .iter()
        .map(|block| MemoryBlock {
            address: block.address,
            hex: hex(&block.words),
        })
        .collect();
    machine.input.strict = true;
    let stage = if function.stage == Stage::Vertex {
        "vertex"
    } else {
        "fragment"
    };
    let output = isa::Tools::exec(
        &::southern_islands::TOOLS,
        stage,
        &binary.words,
        &machine.input,
    )
    .map_err(|error| error.to_string())?;
    if std::env::var("LISTING").is_ok() {
        println!("{}\n{}", pipeline::ir::print(function), binary.listing());
    }
    let program = direct::compile_program(function);
    let mut textured = Textured {
        world: &mut world,
        texels: &texels,
    };
    program
        .run(u64::MAX, 0, direct::LIMIT, &mut textured)
        .unwrap();
    for (target, component, lanes, mask) in exports(function, &world) {
        let Some(export) = output.exports.iter().find(|export| export.target == target) else {
            return Err(format!("{target} is not exported"));
        };
        let live = (0..64).filter(|lane| mask >> lane & 1 != 0);
        for (lane, &wanted) in live.zip(&lanes) {
            let found = export.lanes[lane].map(|components| components[component]);
            if found != Some(wanted) {
                return Err(format!(
                    "{target}.{component} lane {lane}: compiled {found:x?}, direct {wanted:x}"
                ));
            }
        }
    }
    for (resource, elements) in machine.buffers.iter().enumerate() {
        for (element, &block) in elements.iter().enumerate() {
            let now = words(&output.memory[block].hex);
            let wanted = &world.buffers[resource][element];
            let differs = now.iter().zip(wanted).position(|(a, b)| a != b);
            if let Some(at) = differs {
                return Err(format!(
                    "buffer {resource} word {at}: compiled {:x}, direct {:x}",
                    now[at], wanted[at]
                ));
            }
        }
    }
    for (resource, elements) in machine.images.iter().enumerate() {
        for (element, &block) in elements.iter().enumerate() {
            let left: Vec<u8> = words(&output.memory[block].hex)
                .iter()
                .flat_map(|word| word.to_le_bytes())
                .collect();
            let at = (resource, element);
            if let Some(difference) = texels.difference(&SouthernIslands, at, &left) {
                return Err(difference);
            }
        }
    }
    Ok(())
}

/// Lowers every entry point of a shader.
fn functions(text: &str) -> Vec<Function> {
    let checked = wgsl::parse(Source::Wgsl(text)).unwrap();
    let names: Vec<String> = checked
        .entry_points()
        .map(|(name, _)| name.to_owned())
        .collect();
    let lowered = names
        .iter()
        .map(|name| lowered(&checked, Some(name), None, &Overrides::new()).unwrap());
    lowered.collect()
}

#[test]
fn corpus_agrees() {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (name, text) in corpus::shaders() {
        for function in functions(&text) {
            if !texels::is_covered(&function) {
                continue;
            }
            // Formats, address modes and filters come from the seed too.
            let textured = function
                .interface
                .resources
                .iter()
                .any(|resource| matches!(resource.kind, ResourceKind::Texture { .. }));
            for seed in 0..if textured { 16 } else { 3 } {
                compared += 1;
                if let Err(error) = compare(&function, mix(seed)) {
                    wrong.push(format!("{name} {}: {error}", function.name));
                    break;
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {compared}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(compared > 0);
}

/// Whether the chip sees that all stores go to the wave's own scratch memory.
fn has_private_stores(binary: &Binary) -> bool {
    let mut places = Vec::new();
    let mut at = 0;
    while let Ok((_, words)) = ::southern_islands::isa::decode(&binary.words[at..]) {
        places.push(4 * at as u32);
        at += words;
    }
    ::southern_islands::scratch::private_stores(&binary.words, &places).is_some()
}

/// Private arrays that are too long for registers.
#[test]
fn large_arrays_agree() {
    for (first, second) in [(300, 20), (1100, 900), (20, 3040)] {
        let text = format!(
            "@fragment fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4u) -> @location(0) vec4f {{
                var one: array<f32, {first}>;
                var two: array<u32, {second}>;
                for (var i = 0u; i < {first}u; i += 7u) {{ one[i] = a.x * f32(i); two[i % {second}u] += i ^ n.x; }}
                one[n.x % {first}u] = a.y;
                if (n.y & 1u) == 1u {{ one[n.y % {first}u] += a.z; two[{second}u - 1u] = n.w; }}
                one[{first}u - 2u] = a.w;
                return vec4f(one[n.z % {first}u], one[{first}u - 2u] + one[7], f32(two[n.w % {second}u]), f32(two[{second}u - 1u]));
            }}"
        );
        for function in functions(&text) {
            let binary = southern_islands::compile(&function, &Options::default()).unwrap();
            assert!(binary.scratch_bytes >= 256 * first.max(second));
            assert!(has_private_stores(&binary));
            for seed in 0..5 {
                assert_eq!(compare(&function, mix(seed)), Ok(()), "{first}, {second}");
            }
        }
    }
    let text = "@fragment fn fs(@location(0) @interpolate(flat) n: u32) -> @location(0) vec4f {
        var a: array<f32, 4000>;
        a[n % 4000u] = 1.0;
        return vec4f(a[n / 2u % 4000u]);
    }";
    let function = functions(text).remove(0);
    let error = southern_islands::compile(&function, &Options::default())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("4001 words of indexed private arrays, more than the 3072"),
        "{error}"
    );
}

/// Long arrays and spilled values side by side.
#[test]
fn arrays_and_spilled_values_agree() {
    let text = format!(
        "@fragment fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4u) -> @location(0) vec4f {{
            var long: array<f32, 1200>;
            for (var i = 0u; i < 1200u; i += 1u) {{ long[i] = a.w * f32(i ^ n.x); }}
            {}
            long[n.y % 1200u] = sum;
            return vec4f(sum, x3, long[n.z % 1200u], long[1199]);
        }}",
        corpus::crowded(320)
    );
    for function in functions(&text) {
        let binary = southern_islands::compile(&function, &Options::default()).unwrap();
        assert!(binary.stats.get("spills") > 0 && binary.scratch_bytes > 256 * 1200);
        assert!(has_private_stores(&binary));
        for seed in 0..3 {
            assert_eq!(compare(&function, mix(seed)), Ok(()));
        }
    }
}

#[test]
fn crowded_shaders_agree() {
    for count in [240, 320, 600] {
        let body = corpus::crowded(count);
        let texts = [
            format!(
                "@fragment fn fs(@location(0) a: vec4f) -> @location(0) vec4f {{
                    {body}
                    return vec4f(sum, dpdx(sum), x0, x{});
                }}",
                count / 2
            ),
            format!(
                "struct Out {{ @builtin(position) at: vec4f, @location(0) sum: f32 }}
                @vertex fn vs(@location(0) a: vec4f) -> Out {{
                    {body}
                    return Out(vec4f(sum, x0, x1, 1.0), sum);
                }}"
            ),
        ];
        for text in texts {
            for function in functions(&text) {
                let binary = southern_islands::compile(&function, &Options::default()).unwrap();
                let spilled = count > 256;
                assert_eq!(binary.stats.get("spills") > 0, spilled, "{count}");
                assert_eq!(binary.scratch_bytes > 0, spilled, "{count}");
                assert!(has_private_stores(&binary));
                for seed in 0..3 {
                    assert_eq!(compare(&function, mix(seed)), Ok(()), "{count}");
                }
            }
        }
    }
}

/// Groups of several registers find a place where single ones fill the file.
#[test]
fn wide_groups_find_room() {
    for count in 244..256 {
        let body = corpus::crowded(count);
        let (until, after) = body.split_once("var sum").unwrap();
        let loads: String = (0..8)
            .map(|i| format!("let w{i} = data[(u32(a.x * 64.0) + {i}u) & 7u];\n"))
            .collect();
        let uses: String = (0..8)
            .map(|i| format!("sum += dot(w{i}, a) * w{i}.y;\n"))
            .collect();
        let text = format!(
            "@group(0) @binding(0) var<storage, read_write> data: array<vec4f, 8>;
        @fragment fn fs(@location(0) a: vec4f) -> @location(0) vec4f {{
            {until} {loads}
            var sum {after}
            {uses}
            return vec4f(sum, x0, x1, x2);
        }}"
        );
        for function in functions(&text) {
            assert_eq!(compare(&function, 5), Ok(()));
        }
    }
}

#[test]
fn too_many_values_are_an_error() {
    let text = format!(
        "@fragment fn fs(@location(0) a: vec4f) -> @location(0) vec4f {{
            {}
            return vec4f(sum);
        }}",
        corpus::crowded(1400)
    );
    for function in functions(&text) {
        let error = southern_islands::compile(&function, &Options::default()).unwrap_err();
        assert!(error.to_string().contains("256"), "{error}");
    }
}

/// A random expression of floats, integers and comparisons.
fn expression(random: &mut Random, depth: u32, float: bool) -> String {
    let n = random.next();
    if depth == 0 {
        let component = ["x", "y", "z", "w"][(n >> 8 & 3) as usize];
        return match (n % 3, float) {
            (0, true) => format!("a.{component}"),
            (1, true) => format!("f32(i.{component})"),
            (_, true) => format!("{:.3}", (n >> 16) as f32 / 1000.0 - 32.0),
            (0 | 1, false) => format!("i.{component}"),
            (_, false) => format!("{}", (n >> 16) as i32 % 100 - 50),
        };
    }
    let mut sub = |float| expression(random, depth - 1, float);
    if float {
        match n % 14 {
            0 => format!("({} + {})", sub(true), sub(true)),
            1 => format!("({} - {})", sub(true), sub(true)),
            2 => format!("({} * {})", sub(true), sub(true)),
            3 => format!("({} / {})", sub(true), sub(true)),
            4 => format!("min({}, {})", sub(true), sub(true)),
            5 => format!("clamp({}, -3.0, 5.0)", sub(true)),
            6 => format!("floor({})", sub(true)),
            7 => format!("abs({})", sub(true)),
            8 => format!("-({})", sub(true)),
            9 => format!(
                "select({}, {}, {} < {})",
                sub(true),
                sub(true),
                sub(true),
                sub(true)
            ),
            10 => format!("sqrt(abs({}))", sub(true)),
            11 => format!("fma({}, {}, {})", sub(true), sub(true), sub(true)),
            12 => format!("sin({})", sub(true)),
            _ => format!("f32({})", sub(false)),
        }
    } else {
        match n % 12 {
            0 => format!("({} + {})", sub(false), sub(false)),
            1 => format!("({} - {})", sub(false), sub(false)),
            2 => format!("({} * {})", sub(false), sub(false)),
            3 => format!("({} / {})", sub(false), sub(false)),
            4 => format!("({} % {})", sub(false), sub(false)),
            5 => format!("({} & {})", sub(false), sub(false)),
            6 => format!("({} ^ {})", sub(false), sub(false)),
            7 => format!("({} >> (bitcast<u32>({}) & 31))", sub(false), sub(false)),
            8 => format!("max({}, {})", sub(false), sub(false)),
            9 => format!(
                "select({}, {}, {} >= {})",
                sub(false),
                sub(false),
                sub(true),
                sub(true)
            ),
            10 => format!("countOneBits({})", sub(false)),
            _ => format!("i32({})", sub(true)),
        }
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig {
        cases: 48,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(2),
        ..Default::default()
    })]

    #[test]
    fn random_expressions_agree(seed in 0u64..1 << 40) {
        let mut random = Random(seed);
        let [x, y] = [true, true].map(|float| expression(&mut random, 4, float));
        let z = expression(&mut random, 4, false);
        let text = format!(
            "@fragment fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) i: vec4i) -> @location(0) vec4f {{
                var x = {x};
                if {y} > x {{ x = {y}; }}
                return vec4f(x, {y}, f32({z}), 1.0);
            }}"
        );
        // What is wrong with a constant expression is said when it is parsed; such a text says nothing here.
        if let Ok(checked) = wgsl::parse(Source::Wgsl(&text)) {
            let function = lowered(&checked, None, None, &Overrides::new()).unwrap();
            let difference = compare(&function, seed);
            proptest::prop_assert!(difference.is_ok(), "{}\n{text}", difference.unwrap_err());
        }
    }
}
