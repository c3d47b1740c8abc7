//! Southern Islands: how inputs reach its registers, what its instructions ask of textures, where outputs go.

use isa::LaneValue;
use lanes::{LANES, LaneOp, Row, Wave};
use pipeline::codegen::Binary;
use pipeline::codegen::direct::Resources;
use pipeline::ir::{
    Builtin, Dim, Function, Interpolation, Op, OutputBuiltin, ResourceKind, Scalar, Shape, Stage,
};
use pipeline::targets::Chip;
use southern_islands::isa::{
    Allocation, Lifted, MODE_SLOT, Mode, SCALAR_SLOTS, check_timing, decode, lift,
};
use southern_islands::ta::MemoryUnit;
use southern_islands::{regs, scratch};

use super::access::{Kind, TextureAccess, samples_log2};
use super::start::Start;
use super::{Case, Machine, Outcome, run_wave};
use crate::direct::{Name, Random, World};
use ports::Side;

mod ports;

const EXEC: u16 = 126;
const START_MODE: u32 = 0x1f0;
/// What M0 has to hold for interpolation.
const PRIM_MASK: u32 = 0x7fff << 16;
const BASE_VERTEX: u32 = 5;
const FIRST_INSTANCE: u32 = 7;
/// Quads of a wave, each of a primitive of its own.
const PRIMITIVES: usize = LANES / 4;

/// The chip.
pub struct SouthernIslands;

/// Where the code gathers integers.
fn half_a_texel_before(coordinate: u32, size: f32) -> u32 {
    let texel = LaneOp::FRcp.eval([size.to_bits(), 0, 0]);
    LaneOp::FMad.eval([texel, (-0.5f32).to_bits(), coordinate])
}

fn chip() -> &'static dyn Chip {
    (&SouthernIslands as &dyn Machine).target().chip
}

impl Machine for SouthernIslands {
    fn name(&self) -> &'static str {
        southern_islands::INFO.name
    }

    fn crowd(&self) -> [usize; 2] {
        [240, 320]
    }

    fn too_much(&self) -> [Option<&'static str>; 2] {
        [
            Some("4001 words of indexed private arrays, more than the 3072"),
            Some("more vector registers than the 256"),
        ]
    }

    /// No memory hazard; stores to scratch memory are seen as such.
    fn check(&self, function: &Function, binary: &Binary) -> Result<(), String> {
        check_timing(&binary.words).map_err(|hazard| hazard.to_string())?;
        let mut resources = function.interface.resources.iter();
        let stores = resources.any(|resource| {
            use ResourceKind::{Storage, StorageTexture};
            matches!(resource.kind, Storage { .. } | StorageTexture { .. })
        });
        let mut places = Vec::new();
        let mut at = 0;
        while let Ok((_, words)) = decode(&binary.words[at..]) {
            places.push(4 * at as u32);
            at += words;
        }
        match stores || scratch::private_stores(&binary.words, &places).is_some() {
            true => Ok(()),
            false => Err("stores are not seen to be private".into()),
        }
    }

    fn export(&self, function: &Function, name: Name, component: u32) -> (String, usize) {
        let mut insts = function.blocks.iter().flat_map(|block| &block.insts);
        // The misc vector precedes clip distances.
        use OutputBuiltin as O;
        let misc = insts.any(|inst| {
            matches!(
                inst.op,
                Op::OutputBuiltin(O::PointSize | O::Layer | O::Viewport)
            )
        });
        let component = component as usize;
        match name {
            Name::Output(number) => {
                let output = &function.interface.outputs[number as usize];
                match function.stage {
                    Stage::Vertex => (format!("PARAM{number}"), component),
                    _ if output.second => ("MRT1".into(), component),
                    _ => (format!("MRT{}", output.location), component),
                }
            }
            Name::Builtin(O::Position) => ("POS0".into(), component),
            Name::Builtin(O::FragDepth) => ("MRTZ".into(), 0),
            Name::Builtin(O::FragStencil) => ("MRTZ".into(), 1),
            Name::Builtin(O::SampleMask) => ("MRTZ".into(), 2),
            Name::Builtin(O::PointSize) => ("POS1".into(), 0),
            Name::Builtin(O::Layer) => ("POS1".into(), 2),
            Name::Builtin(O::Viewport) => ("POS1".into(), 3),
            Name::Builtin(O::ClipDistance(n)) => (
                format!("POS{}", 1 + u8::from(misc) + n / 4),
                usize::from(n % 4),
            ),
        }
    }

    fn cube(&self, direction: [u32; 3]) -> [u32; 3] {
        use LaneOp::{CubeId, CubeMa, CubeSc, CubeTc, FMad, FRcp};
        let [id, sc, tc, ma] = [CubeId, CubeSc, CubeTc, CubeMa].map(|op| op.eval(direction));
        let inverse = FRcp.eval([ma & 0x7fff_ffff, 0, 0]);
        let place = |flat: u32| FMad.eval([flat, inverse, 1.5f32.to_bits()]);
        [place(sc), place(tc), id]
    }

    fn cube_origin(&self) -> f32 {
        1.0
    }

    /// Derivatives of a place on a face follow from those of a direction by arithmetic that is not looked at here.
    fn slopes(&self, shape: Shape, given: &[u32]) -> Vec<u32> {
        match shape.dim {
            Dim::Cube => Vec::new(),
            _ => given.to_vec(),
        }
    }

    /// Half a texel less by the code, half a texel more by the chip, to 1/256 of a texel.
    fn gathered_integers(&self, coordinate: u32, size: f32) -> u32 {
        let place = f32::from_bits(half_a_texel_before(coordinate, size));
        let first = ((place * size * 256.0 + 0.5).floor() / 256.0).floor();
        ((first + 1.0) / size).to_bits()
    }

    /// Integers half a texel before, which the chip adds.
    fn gather(&self, function: &Function, access: &TextureAccess, at: u32) -> (TextureAccess, u32) {
        let mut access = access.clone();
        let [resource, _] = access.texture;
        if let ResourceKind::Texture {
            scalar: Scalar::Uint | Scalar::Sint,
            ..
        } = function.interface.resources[resource as usize].kind
        {
            let mut size = TextureAccess::new(Kind::Size, access.texture, None);
            size.lod = Some(0);
            for (at, word) in (0..2).zip(&mut access.place) {
                *word = half_a_texel_before(*word, size.component(at) as f32);
            }
        }
        (access, at)
    }

    fn layers(&self, shape: Shape, size: [u32; 4]) -> u32 {
        match shape.dim {
            Dim::Cube => size[2] / 6,
            _ => size[2],
        }
    }

    fn run(&self, case: Case<'_>) -> Result<Outcome, String> {
        let Case {
            function,
            binary,
            live,
            world,
        } = case;
        let bytes = chip().descriptor_bytes();
        let mut start = Start::new(chip(), function, &world, &|_, at, words| {
            let at = at.map(|n| n as u32);
            let kind = &function.interface.resources[at[0] as usize].kind;
            let (size, last) = match kind {
                ResourceKind::Sampler { .. } => (bytes.sampler, 0),
                _ => (bytes.texture, samples_log2(at) << 16),
            };
            let end = words.len() + size as usize / 4;
            words.extend([at[0], at[1], 0, last]);
            words.resize(end, 0);
        });
        registers(&mut start, function, binary, &world);
        let code = start.range(&binary.words).address.0;
        let Lifted { program, ports } =
            lift(&binary.words, code, Mode(START_MODE), Allocation::ALL)
                .map_err(|error| error.to_string())?;
        let mut wave = Wave::new(
            usize::from(program.rows).max(256),
            usize::from(SCALAR_SLOTS),
        );
        // Uninitialised registers must not matter.
        wave.rows[..256].fill(Row::splat(0xdead_beef));
        for (name, value) in start.registers() {
            let at: usize = name[1..].parse().unwrap();
            match value {
                LaneValue::One(word) => wave.scalars[at] = *word,
                LaneValue::Lanes(lanes) => wave.rows[at].0.copy_from_slice(lanes),
                _ => unreachable!("registers are scalars and rows"),
            }
        }
        wave.scalars[usize::from(MODE_SLOT)] = START_MODE;
        wave.set_mask(EXEC, live);
        let memory = start.memory();
        let mut side = Side {
            ports: &ports,
            memory: MemoryUnit::new(memory.clone()),
            world,
            function,
            outcome: Outcome::default(),
        };
        run_wave(&program, &mut wave, &mut side)?;
        Ok(Outcome {
            buffers: start.buffers(&start.blocks(&memory)),
            ..side.outcome
        })
    }

    fn start(&self, start: &mut Start, function: &Function, binary: &Binary, world: &mut World) {
        let pairs = registers(start, function, binary, world);
        if function.stage == Stage::Fragment {
            share(start, function, binary, world, &pairs);
        }
    }
}

/// Barycentric coordinates of the lanes, by bit of SPI_PS_INPUT_ENA.
type Pairs = [[[u32; LANES]; 2]; 7];

/// Registers of both ways to run.
fn registers(start: &mut Start, function: &Function, binary: &Binary, world: &World) -> Pairs {
    let mut push = world.push.clone();
    push.resize(64, 0);
    let scalar = |start: &mut Start, at: usize, word: u32| {
        start.set(format!("s{at}"), LaneValue::One(word));
    };
    let address = |start: &mut Start, at: usize, words: &[u32]| {
        let address = start.range(words).address.0;
        scalar(start, at, address as u32);
        scalar(start, at + 1, (address >> 32) as u32);
    };
    if binary.scratch_bytes > 0 {
        let memory = vec![0xdead_beef; binary.scratch_bytes as usize / 4];
        let at = start.range(&memory).address;
        chip().scratch_descriptor(at, binary.scratch_bytes, &mut push);
        let vertex = function.stage == Stage::Vertex;
        scalar(start, if vertex { 15 } else { 11 }, 0);
    }
    for (group, set) in start.sets.clone().iter().enumerate() {
        if !set.is_empty() {
            address(start, 2 * group, set);
        }
    }
    address(start, 8, &push);
    if function.stage != Stage::Vertex {
        scalar(start, 10, PRIM_MASK);
        return pixels(start, binary, world);
    }
    let mut rows = |at: usize, of: &dyn Fn(u32) -> u32| {
        let lanes = (0..LANES as u32).map(of).collect();
        start.set(format!("v{at}"), LaneValue::Lanes(lanes));
    };
    rows(0, &|lane| lane.wrapping_sub(BASE_VERTEX));
    rows(2, &|lane| lane / 8);
    rows(3, &|lane| lane.wrapping_sub(FIRST_INSTANCE));
    scalar(start, 12, BASE_VERTEX);
    scalar(start, 13, FIRST_INSTANCE);
    scalar(start, 14, 3);
    let mut table = vec![0; 4 * 32];
    for (location, words) in &start.attributes {
        table[4 * *location as usize..][..4].copy_from_slice(words);
    }
    address(start, 10, &table);
    [[[0; LANES]; 2]; 7]
}

/// The registers that SPI_PS_INPUT_ENA asks for, in the order of its bits.
fn pixels(start: &mut Start, binary: &Binary, world: &World) -> Pairs {
    let mut world = world.clone();
    let mut random = Random(world.seed ^ 0x55);
    let mut registers = binary.registers.iter();
    let enabled = registers.find(|(at, _)| *at == regs::SPI_PS_INPUT_ENA);
    let enabled = enabled.map_or(0, |(_, value)| *value);
    let mut pairs: Pairs = [[[0; LANES]; 2]; 7];
    let mut row = 0;
    for bit in (0..16).filter(|bit| enabled >> bit & 1 == 1) {
        let rows: Vec<[u32; LANES]> = match bit {
            3 => vec![[0; LANES]; 3],
            0..=6 => {
                let pair = &mut pairs[bit];
                for lane in pair.iter_mut().flatten() {
                    *lane = ((random.next() >> 8) as f32 / 16_777_216.0).to_bits();
                }
                pair.to_vec()
            }
            8..=10 => vec![world.builtin(Builtin::FragCoord(bit as u8 - 8)).0],
            // The register holds w, the built-in value is 1 / w.
            11 => {
                let inverse = world.builtin(Builtin::FragCoord(3)).0;
                vec![inverse.map(|bits| (1.0 / f32::from_bits(bits)).to_bits())]
            }
            12 => vec![world.builtin(Builtin::FrontFacing).0],
            // Layer and sample, and bits that mean something else.
            13 => {
                let layer = world.builtin(Builtin::Layer).0;
                let sample = world.builtin(Builtin::SampleIndex).0;
                let word = |lane: usize| layer[lane] << 16 | sample[lane] << 8 | 0xf800_0035;
                vec![std::array::from_fn(word)]
            }
            14 => vec![world.builtin(Builtin::SampleMask).0],
            _ => vec![[0; LANES]],
        };
        for lanes in rows {
            start.set(format!("v{row}"), LaneValue::Lanes(lanes.to_vec()));
            row += 1;
        }
    }
    pairs
}

/// Fills the local data share with the parameters of the primitives, and gives the world what they interpolate to.
fn share(
    start: &mut Start,
    function: &Function,
    binary: &Binary,
    world: &mut World,
    pairs: &Pairs,
) {
    let mut random = Random(world.seed ^ 0x77);
    // The share holds as many attributes as the code names.
    let listing = binary.listing();
    let named = listing.split("attr").skip(1).filter_map(|rest| {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<usize>().ok()
    });
    let attributes = named.max().map_or(0, |last| last + 1);
    let mut share = vec![0u32; PRIMITIVES * attributes * 12];
    for (input, varying) in function.interface.inputs.iter().enumerate() {
        let pair = pair_bit(varying.interpolation).map(|bit| &pairs[bit]);
        for component in 0..varying.components as usize {
            let lanes = &mut world.inputs[input][component];
            for primitive in 0..PRIMITIVES {
                let parameters: [u32; 3] = std::array::from_fn(|_| match pair {
                    None => lanes[4 * primitive],
                    Some(_) => random.float().to_bits(),
                });
                for (k, &parameter) in parameters.iter().enumerate() {
                    let at = ((primitive * attributes + input) * 3 + k) * 4 + component;
                    if input < attributes {
                        share[at] = parameter;
                    }
                }
                let [p0, p10, p20] = parameters;
                for lane in 4 * primitive..4 * primitive + 4 {
                    lanes[lane] = pair.map_or(p0, |[i, j]| {
                        let first = LaneOp::FMad.eval([p10, i[lane], p0]);
                        LaneOp::FMad.eval([p20, j[lane], first])
                    });
                }
            }
        }
    }
    start.share(&share);
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
