//! R5xx: how inputs reach its registers, what its lookups ask of textures, where outputs go.
//!
//! A shader runs three ways on the same world: directly as SSA, directly as the legal function that the back end makes of it
//! (with what the chip computes: `legal::computed`), and as machine code. Texels are sums of coordinates, so that all
//! three see the same where they ask the same.

use std::collections::BTreeMap;
use std::ops::Range;

use lanes::{Batch, Fault, LANES, PortFault, Ports, Row, Wave};
use pipeline::codegen::direct::{self, Element, ImageCall, Resources};
use pipeline::codegen::r5xx::{self as back, legal::Legal};
use pipeline::codegen::{Binary, ConstantSource, DriverValue, InputVector, OutputVector, Sampling};
use pipeline::ir::{
    Builtin, Dim, Function, ImageKind, Lod, OutputBuiltin, ResourceKind, Scalar, Stage,
};
use r5xx::isa::us::ops::TexSem;
use r5xx::isa::{pvs, us};

use super::{run_wave, taken};
use crate::direct::{Name, World, Written};
pub use chip::R5xx;
use textures::Bound;

pub mod chip;
pub mod textures;

/// Outputs in the order in which they are written.
pub type Outputs = Vec<Written>;

/// What a wave may cost: random numbers of rounds go on for too long.
const ROUNDS: u64 = 20_000_000;
/// Width, height and depth of textures.
const SIZES: [u32; 4] = [16, 8, 4, 1];

fn written(name: Name, component: u32, value: &Row, mask: u64) -> Written {
    Written {
        name,
        component,
        lanes: taken(&value.0, mask),
    }
}

fn float(value: f32) -> u32 {
    value.to_bits()
}

/// A texel: a sum that tells coordinates, level, texture and channel apart.
fn texel(texture: u32, place: &[f32], level: f32, channel: u32) -> u32 {
    let weights = [
        0.125, 0.0625, 0.03125, 0.015_625, 0.25, 0.5, 0.75, 0.375, 0.1875,
    ];
    let sum: f32 = place
        .iter()
        .zip(weights)
        .map(|(at, weight)| at * weight)
        .sum();
    float(sum + level * 0.5 + texture as f32 * 0.25 + channel as f32 * 0.125)
}

/// The world as a direct run sees it; with a legal function as the chip does.
pub struct Side<'a> {
    pub world: World,
    pub function: &'a Function,
    pub legal: Option<&'a Legal>,
    /// Textures in memory, with the constants that tell of them.
    pub bound: Option<Textures<'a>>,
    pub outputs: Outputs,
}

/// Units of a binary.
pub struct Textures<'a> {
    pub binary: &'a Binary,
    pub bound: &'a Bound,
    pub sources: BTreeMap<ConstantSource, u32>,
}

impl Side<'_> {
    fn note(&mut self, name: Name, component: u32, value: &Row, mask: u64) {
        self.outputs.push(written(name, component, value, mask));
    }
}

/// An input as the chip has it: integers are floats.
fn float_of(scalar: Scalar, row: Row) -> Row {
    match scalar {
        Scalar::Float => row,
        Scalar::Uint => Row(row.0.map(|word| float(word as f32))),
        _ => number(row),
    }
}

fn number(row: Row) -> Row {
    Row(row.0.map(|word| float(word as i32 as f32)))
}

/// What the driver writes into a component of a constant.
fn constant(world: &World, binary: &[pipeline::codegen::Bound], source: ConstantSource) -> u32 {
    match source {
        ConstantSource::Immediate(word) => word,
        ConstantSource::Uniform {
            bank,
            offset,
            number,
        } => {
            let bound = &binary[bank as usize];
            let words = &world.buffers[bound.resource as usize][bound.element as usize];
            number.to_float(words.get(offset as usize / 4).copied().unwrap_or(0))
        }
        ConstantSource::Push { offset, number } => {
            number.to_float(world.push.get(offset as usize / 4).copied().unwrap_or(0))
        }
        ConstantSource::Driver(DriverValue::ViewportScale(_)) => float(1.0),
        ConstantSource::Driver(DriverValue::ViewportOffset(_)) => 0,
        ConstantSource::Driver(DriverValue::TextureSize { component, .. }) => {
            float(SIZES[component as usize] as f32)
        }
        ConstantSource::Driver(DriverValue::Sampling { part, .. }) => float(match part {
            Sampling::Size(axis) => SIZES[axis as usize] as f32,
            Sampling::Texel(axis) => 1.0 / SIZES[axis as usize] as f32,
            Sampling::Levels => 3.0,
            Sampling::Coarsest => 2.0,
            Sampling::LinearLevels | Sampling::Equal | Sampling::Greater => 1.0,
            _ => 0.0,
        }),
        ConstantSource::Driver(DriverValue::DrawIndex) => float(3.0),
    }
}

/// The clip position that leads to the world's place on the screen.
fn clip(world: &mut World, component: u32) -> Row {
    let w = world
        .builtin(Builtin::FragCoord(3))
        .0
        .map(|w| 1.0 / f32::from_bits(w));
    match component {
        2 => {
            let z = world.builtin(Builtin::FragCoord(2)).0;
            Row(std::array::from_fn(|lane| {
                float(f32::from_bits(z[lane]) * w[lane])
            }))
        }
        _ => Row(w.map(float)),
    }
}

impl Resources for Side<'_> {
    fn input(&mut self, input: u32, component: u32) -> Row {
        let Some(varying) = self.function.interface.inputs.get(input as usize) else {
            return clip(&mut self.world, component);
        };
        let row = self.world.input(input, component);
        match self.legal.is_some() {
            true => float_of(varying.scalar, row),
            false => row,
        }
    }

    fn builtin(&mut self, builtin: Builtin) -> Row {
        let row = self.world.builtin(builtin);
        match builtin {
            _ if self.legal.is_none() => row,
            Builtin::FragCoord(_) => Row(row.0.map(|at| float(f32::from_bits(at) - 0.5))),
            Builtin::FrontFacing => Row(row.0.map(|front| u32::from(front == 0))),
            Builtin::PointCoord(_) => row,
            _ => number(row),
        }
    }

    fn output(&mut self, output: u32, component: u32, value: &Row, mask: u64) {
        self.note(Name::Output(output), component, value, mask);
    }

    fn output_builtin(&mut self, output: OutputBuiltin, component: u32, value: &Row, mask: u64) {
        self.note(Name::Builtin(output), component, value, mask);
    }

    fn load_buffer(&mut self, at: Element, offset: u32) -> u32 {
        self.world.load_buffer(at, offset)
    }

    fn store_buffer(&mut self, _: Element, _: u32, _: u32) {}

    fn buffer_bytes(&mut self, at: Element) -> u32 {
        self.world.buffer_bytes(at)
    }

    fn push_constant(&mut self, offset: u32) -> u32 {
        match self.legal {
            // Constants beyond the last one are zero.
            Some(legal) => legal.sources.get(offset as usize / 4).map_or(0, |source| {
                let bound = self
                    .bound
                    .as_ref()
                    .and_then(|bound| bound.sources.get(source));
                let own = || constant(&self.world, &legal.banks, *source);
                bound.copied().unwrap_or_else(own)
            }),
            None => self.world.push_constant(offset),
        }
    }

    fn image(&mut self, call: &ImageCall<'_>, results: &mut [Row]) {
        if let Some(Textures { binary, bound, .. }) = &self.bound {
            return bound.look(binary, call, results);
        }
        let (op, legal) = (call.op, self.legal.is_some());
        let texture = op.texture.resource;
        let body = op.shape.coordinates();
        for lane in (0..LANES).filter(|lane| call.mask >> lane & 1 == 1) {
            let word = |row: &Row| match legal {
                true => f32::from_bits(seen(row.0[lane])),
                false => f32::from_bits(row.0[lane]),
            };
            let args = call.args.iter();
            let loads = !legal && matches!(op.kind, ImageKind::Load { .. });
            let mut args: Vec<f32> = args
                .enumerate()
                .map(|(at, row)| match loads {
                    true => row.0[lane] as i32 as f32 + if at < body { 0.5 } else { 0.0 },
                    false => word(row),
                })
                .collect();
            if matches!(op.kind, ImageKind::Size { .. }) {
                for (row, size) in results.iter_mut().zip(SIZES) {
                    row.0[lane] = size;
                }
                continue;
            }
            let gradients = matches!(
                op.kind,
                ImageKind::Sample {
                    lod: Lod::Gradient,
                    ..
                }
            );
            if op.shape.dim == Dim::D1 {
                args.insert(1, 0.5);
                if gradients {
                    args.insert(3, 0.0);
                    args.push(0.0);
                }
            }
            let body = body.max(2);
            let level = if gradients {
                0.0
            } else {
                args.get(body).copied().unwrap_or(0.0)
            };
            let place = if gradients { &args[..] } else { &args[..body] };
            for (channel, row) in (0..).zip(&mut *results) {
                row.0[lane] = texel(texture, place, level, channel);
            }
        }
    }
}

/// A coordinate as lookups see it. [R5XX 8.7.4]
fn seen(word: u32) -> u32 {
    match f32::from_bits(us::flushed(word)) {
        value if value.is_nan() => float(f32::INFINITY),
        value => float(value),
    }
}

/// Runs a function directly; a legal one as the chip computes it.
pub fn run_directly(
    function: &Function,
    legal: Option<&Legal>,
    world: World,
    live: u64,
) -> Result<Outputs, String> {
    run_side(function, legal, world, live, None)
}

/// The same with textures in memory, if a binary names some.
pub fn run_side(
    function: &Function,
    legal: Option<&Legal>,
    world: World,
    live: u64,
    bound: Option<(&Binary, &Bound)>,
) -> Result<Outputs, String> {
    let helpers = match function.stage {
        Stage::Fragment => lanes::WideOp::WholeQuads.eval([live, 0, 0]) & !live,
        _ => 0,
    };
    let mut side = Side {
        world,
        function,
        legal,
        bound: bound.map(|(binary, bound)| Textures {
            binary,
            bound,
            sources: bound.sources(binary),
        }),
        outputs: Outputs::new(),
    };
    let program = match legal {
        Some(legal) => direct::compile(&back::legal::computed(&legal.function)),
        None => direct::compile(function),
    };
    let run = program.unwrap().run(live, helpers, ROUNDS, &mut side);
    run.map_err(|stop| stop.fault.to_string())?;
    Ok(side.outputs)
}

/// What an input vector holds.
fn input(
    world: &mut World,
    function: &Function,
    vector: InputVector,
    component: u32,
) -> Option<Row> {
    let user = |world: &mut World, input: u32| {
        let varying = &function.interface.inputs[input as usize];
        let row = (component < varying.components).then(|| world.input(input, component))?;
        Some(float_of(varying.scalar, row))
    };
    match vector {
        InputVector::Attribute(location) => {
            let mut inputs = function.interface.inputs.iter();
            let input = inputs.position(|input| input.location == location)?;
            user(world, input as u32)
        }
        InputVector::Varying(input) => user(world, input),
        InputVector::Index(builtin) => (component == 0).then(|| number(world.builtin(builtin))),
        InputVector::ClipPosition => Some(clip(world, component)),
        InputVector::Pixel => (component < 2).then(|| {
            let row = world.builtin(Builtin::FragCoord(component as u8));
            Row(row.0.map(|at| float(f32::from_bits(at) - 0.5)))
        }),
        InputVector::BackFacing => (component == 0).then(|| {
            let row = world.builtin(Builtin::FrontFacing);
            Row(row.0.map(|front| float(if front == 0 { 1.0 } else { 0.0 })))
        }),
        InputVector::PointCoord => {
            (component < 2).then(|| world.builtin(Builtin::PointCoord(component as u8)))
        }
    }
}

/// Runs machine code.
pub fn run_machine(
    function: &Function,
    binary: &Binary,
    world: World,
    live: u64,
) -> Result<Outputs, String> {
    match function.stage {
        Stage::Vertex => run_vertex(function, binary, world, live),
        _ => run_pixel(function, binary, world, live),
    }
}

fn run_vertex(
    function: &Function,
    binary: &Binary,
    mut world: World,
    live: u64,
) -> Result<Outputs, String> {
    let (code, _) = binary.words.as_chunks::<4>();
    let insts = code.iter().map(|words| pvs::Inst::decode(*words));
    let insts: Vec<pvs::Inst> = insts
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())?;
    pvs::check(&insts).map_err(|error| error.to_string())?;
    let lifted = pvs::lift(code, &back::control(binary)).map_err(|error| error.to_string())?;
    let program = &lifted.program;
    let mut wave = Wave::new(program.rows.into(), program.scalars.into());
    wave.rows.fill(Row::splat(0xdead_beef));
    wave.set_mask(pvs::ACTIVE, live);
    for (constant, scalar) in &lifted.constants {
        let vector = binary.slots.constants.get(usize::from(constant.index));
        let source = vector.and_then(|vector| vector[usize::from(constant.component)]);
        wave.scalars[usize::from(*scalar)] = source.map_or(0, |source| {
            self::constant(&world, &binary.slots.banks, source)
        });
    }
    for (at, vector) in binary.slots.inputs.iter().enumerate() {
        for component in 0..4 {
            let row = usize::from(lifted.layout.inputs.start) + 4 * at + component as usize;
            if row < usize::from(lifted.layout.inputs.end)
                && let Some(value) = input(&mut world, function, *vector, component)
            {
                wave.rows[row] = value;
            }
        }
    }
    run_wave(program, &mut wave, &mut Indices(&lifted.ports))?;
    let mut outputs = Outputs::new();
    for (at, vector) in binary.slots.outputs.iter().enumerate() {
        for component in 0..4u32 {
            if lifted.written >> (4 * at as u32 + component) & 1 == 0 {
                continue;
            }
            let name = match vector {
                OutputVector::Position => Name::Builtin(OutputBuiltin::Position),
                OutputVector::PointSize => Name::Builtin(OutputBuiltin::PointSize),
                OutputVector::Varying(output) => Name::Output(*output),
                OutputVector::ClipPosition => continue,
            };
            let row = usize::from(lifted.layout.outputs.start) + 4 * at + component as usize;
            outputs.push(written(name, component, &wave.rows[row], live));
        }
    }
    Ok(outputs)
}

fn run_pixel(
    function: &Function,
    binary: &Binary,
    mut world: World,
    live: u64,
) -> Result<Outputs, String> {
    let (code, _) = binary.words.as_chunks::<6>();
    let setup = us::Setup {
        raw_inputs: true,
        ..back::setup(binary)
    };
    let insts = code.iter().map(|words| us::Inst::decode(*words));
    let insts: Vec<us::Inst> = insts
        .collect::<Result<_, _>>()
        .map_err(|error| error.to_string())?;
    us::check(&insts, &setup).map_err(|error| error.to_string())?;
    let lifted = us::lift(code, &setup).map_err(|error| error.to_string())?;
    let program = &lifted.program;
    let mut wave = Wave::new(program.rows.into(), program.scalars.into());
    wave.rows.fill(Row::splat(0xdead_beef));
    wave.set_mask(us::ACTIVE, lanes::WideOp::WholeQuads.eval([live, 0, 0]));
    wave.set_mask(us::COVERED, live);
    for (constant, scalar) in &lifted.constants {
        if let us::Constant::Float {
            index,
            channel,
            flushed,
        } = constant
        {
            let vector = binary.slots.constants.get(usize::from(*index));
            let source = vector.and_then(|vector| vector[usize::from(*channel)]);
            let word = source.map_or(0, |source| {
                self::constant(&world, &binary.slots.banks, source)
            });
            wave.scalars[usize::from(*scalar)] = if *flushed { us::flushed(word) } else { word };
        }
    }
    for (at, vector) in binary.slots.inputs.iter().enumerate() {
        for component in 0..4 {
            if let Some(value) = input(&mut world, function, *vector, component) {
                wave.rows[4 * at + component as usize] = value;
            }
        }
    }
    let mut looks = Looks {
        function,
        binary,
        ports: &lifted.ports,
    };
    run_wave(program, &mut wave, &mut looks)?;
    let covered = wave.mask(us::COVERED);
    let mut outputs = Outputs::new();
    for (at, output) in function.interface.outputs.iter().enumerate() {
        if let Some(first) = lifted.layout.targets[output.location as usize] {
            for component in 0..output.components {
                let row = usize::from(first) + component as usize;
                let name = Name::Output(at as u32);
                outputs.push(written(name, component, &wave.rows[row], covered));
            }
        }
    }
    if let Some(row) = lifted.layout.depth {
        let name = Name::Builtin(OutputBuiltin::FragDepth);
        outputs.push(written(name, 0, &wave.rows[usize::from(row)], covered));
    }
    Ok(outputs)
}

/// Constants that each vertex chooses.
struct Indices<'a>(&'a [pvs::Port]);

impl Ports for Indices<'_> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        batch.each(ports, |port, wave| {
            self.0[port as usize].run(wave);
            Ok::<(), Fault>(())
        })
    }
}

struct Looks<'a> {
    function: &'a Function,
    binary: &'a Binary,
    ports: &'a [us::Port],
}

impl Ports for Looks<'_> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        batch.each(ports, |port, wave| {
            self.look(&self.ports[port as usize], wave);
            Ok::<(), Fault>(())
        })
    }
}

impl Looks<'_> {
    fn look(&self, port: &us::Port, wave: &mut Wave) {
        let unit = u32::from(port.tex.unit);
        let mut bound = self.binary.slots.resources.iter();
        let bound = bound.find(|bound| bound.slot == unit).unwrap();
        let kind = self.function.interface.resources[bound.resource as usize].kind;
        let ResourceKind::Texture { shape, .. } = kind else {
            panic!("unit {unit} has no texture")
        };
        let body = shape.coordinates().max(2);
        let [a, b] = port.masks();
        let lanes = wave.mask(a) & wave.mask(b);
        for lane in (0..LANES).filter(|lane| lanes >> lane & 1 == 1) {
            let at = |row: u16| f32::from_bits(wave.rows[usize::from(row)].0[lane]);
            let mut place: Vec<f32> = port.coordinates[..body]
                .iter()
                .map(|row| at(*row))
                .collect();
            let level = match port.tex.op.sem() {
                TexSem::Bias | TexSem::Level => at(port.coordinates[3]),
                _ => 0.0,
            };
            if port.tex.op.sem() == TexSem::Gradients {
                for gradient in port.gradients {
                    place.extend(gradient[..body].iter().map(|row| at(*row)));
                }
            }
            let wanted = |channel: &u32| port.wanted >> channel & 1 == 1;
            for channel in (0..4).filter(wanted) {
                let word = us::flushed(texel(bound.resource, &place, level, channel));
                wave.rows[usize::from(port.result) + channel as usize].0[lane] = word;
            }
        }
    }
}
