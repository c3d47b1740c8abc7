//! R5xx among the machines. It has no memory but for texels, which its executor finds through the registers that the driver sets.

use isa::LaneValue;
use lanes::{LANES, LaneOp};
use pipeline::codegen::r5xx::{self as back, legal};
use pipeline::codegen::{Binary, ConstantSource, Number, Options, OutputVector};
use pipeline::ir::{Function, OutputBuiltin, Scalar, Shape, Stage};

use silicon::texture::sample::faces;
use wgpu_types::{MipmapFilterMode, SamplerDescriptor, TextureFormat};

use super::super::start::Start;
use super::super::texels::is_covered;
use super::super::{Case, Machine, Outcome};
use super::textures::{Bound, is_textured};
use super::{Outputs, constant, input, run_directly, run_machine, run_side};
use crate::direct::{Name, Random, World, Written};

/// The chip.
pub struct R5xx;

/// Numbers as the chip can have them: integers of inputs and uniforms are small, so that they are those of the shader, and
/// the other numbers stay in range.
pub fn mild(function: &Function, legal: &legal::Legal, mut world: World) -> World {
    let mut random = Random(world.seed ^ 0x5eed);
    let float =
        |random: &mut Random| ((random.next() >> 8) as f32 / 16_777_216.0 * 4.0 - 2.0).to_bits();
    for (input, components) in function.interface.inputs.iter().zip(&mut world.inputs) {
        for word in components.iter_mut().flatten() {
            *word = match input.scalar {
                Scalar::Float => float(&mut random),
                _ => random.next() % 41,
            };
        }
    }
    for word in world.buffers.iter_mut().flatten().flatten() {
        *word = float(&mut random);
    }
    for word in &mut world.push {
        *word = float(&mut random);
    }
    for source in &legal.sources {
        match *source {
            ConstantSource::Uniform {
                bank,
                offset,
                number,
            } if number != Number::Float => {
                let bound = &legal.banks[bank as usize];
                let words = &mut world.buffers[bound.resource as usize][bound.element as usize];
                if let Some(word) = words.get_mut(offset as usize / 4) {
                    *word = random.next() % 9;
                }
            }
            ConstantSource::Push { offset, number } if number != Number::Float => {
                world.push[offset as usize / 4] = random.next() % 9;
            }
            _ => {}
        }
    }
    world
}

fn legal(function: &Function) -> legal::Legal {
    legal::legal(function, &Options::default()).unwrap()
}

/// Values by the executor's names.
fn outcome(case: &Case<'_>, outputs: Outputs) -> Outcome {
    let named = |written: Written| {
        let word = |word: u32| R5xx.word(word);
        let lanes = written.lanes.into_iter().map(|lane| lane.map(word));
        let key = (target(case, written.name), written.component as usize);
        (key, lanes.collect())
    };
    Outcome {
        outputs: outputs.into_iter().map(named).collect(),
        ..Outcome::default()
    }
}

/// Where an output goes.
pub fn target(case: &Case<'_>, name: Name) -> String {
    let Case {
        function, binary, ..
    } = case;
    let wanted = match name {
        Name::Builtin(OutputBuiltin::FragDepth) => return "W".into(),
        Name::Output(at) if function.stage == Stage::Fragment => {
            return format!("OUT{}", function.interface.outputs[at as usize].location);
        }
        Name::Output(at) => OutputVector::Varying(at),
        Name::Builtin(OutputBuiltin::Position) => OutputVector::Position,
        Name::Builtin(OutputBuiltin::PointSize) => OutputVector::PointSize,
        Name::Builtin(builtin) => panic!("{builtin:?} is refused"),
    };
    let mut outputs = binary.slots.outputs.iter();
    let at = outputs.position(|vector| *vector == wanted);
    format!("OUT{}", at.unwrap())
}

impl Machine for R5xx {
    fn name(&self) -> &'static str {
        r5xx::INFO.name
    }

    /// Any numbers with even seeds, but for loops that would not end with them.
    fn given(&self, function: &Function, world: World) -> World {
        let legal = legal(function);
        let ends = || run_directly(function, Some(&legal), world.clone(), u64::MAX).is_ok();
        match world.seed % 2 == 0 && ends() {
            true => world,
            false => mild(function, &legal, world),
        }
    }

    /// The legal function, with the chip's arithmetic.
    fn direct(&self, case: &Case<'_>) -> Option<Result<Outcome, String>> {
        let legal = legal(case.function);
        let found = run_directly(case.function, Some(&legal), case.world.clone(), case.live);
        Some(found.map(|outputs| outcome(case, outputs)))
    }

    /// Which NaN it is says nothing.
    fn word(&self, word: u32) -> u32 {
        match f32::from_bits(word).is_nan() {
            true => f32::NAN.to_bits(),
            false => word,
        }
    }

    /// A product is rounded before the sum.
    fn fma(&self) -> LaneOp {
        LaneOp::FMad
    }

    /// The same, with lookups in the units that the driver sets, by silicon's plain sampler.
    fn direct_in_memory(&self, case: &Case<'_>, start: &Start) -> Option<Result<Outcome, String>> {
        if !is_textured(case.function) {
            return self.direct(case);
        }
        let Case {
            function, binary, ..
        } = *case;
        let bound = Bound::new(binary, start, &case.world.push);
        let units = Some((binary, &bound));
        let legal = legal(function);
        let found = run_side(function, Some(&legal), case.world.clone(), case.live, units);
        Some(found.map(|outputs| outcome(case, outputs)))
    }

    /// Texels that are filtered, and depths of 16 bits.
    fn formats(&self, all: Vec<TextureFormat>) -> Vec<TextureFormat> {
        let target = (self as &dyn Machine).target();
        let samples = |format: &TextureFormat| {
            let chip = pipeline::format::texture_format(*format);
            chip.is_some_and(|format| {
                let can = target.chip.format_capabilities(format);
                can.sampled && (can.filterable || format.has_depth())
            })
        };
        all.into_iter().filter(samples).collect()
    }

    /// Limits are whole levels. What programs sample themselves has one filter, and gathers take no level 0 that is left out.
    fn sampler(&self, sampler: SamplerDescriptor<()>) -> SamplerDescriptor<()> {
        SamplerDescriptor {
            min_filter: sampler.mag_filter,
            lod_min_clamp: 0.0,
            lod_max_clamp: sampler.lod_max_clamp.floor(),
            mipmap_filter: match sampler.compare {
                Some(_) => MipmapFilterMode::Nearest,
                None => sampler.mipmap_filter,
            },
            ..sampler
        }
    }

    /// The depth of a volume is a power of two.
    fn texture_size(&self, dimensions: u32) -> [u32; 3] {
        match dimensions {
            1 => [19, 1, 1],
            2 => [13, 10, 1],
            _ => [8, 4, 4],
        }
    }

    fn level_bits(&self) -> u32 {
        r5xx::tx::PRECISION.lod_bits
    }

    fn has_seamless_cubes(&self) -> bool {
        false
    }

    fn has_memory_for(&self, function: &Function) -> bool {
        is_covered(function)
    }

    fn missing(&self) -> Vec<(&'static str, &'static str)> {
        let lines = include_str!("missing.txt").lines();
        lines.map(|line| line.split_once(": ").unwrap()).collect()
    }

    fn too_much(&self) -> [Option<&'static str>; 2] {
        [
            Some("private arrays of 4001 words"),
            Some("more temporary registers than the 128"),
        ]
    }

    fn crowd(&self) -> [usize; 2] {
        unreachable!("programs have no memory for values")
    }

    fn check(&self, _: &Function, _: &Binary) -> Result<(), String> {
        Ok(())
    }

    fn export(&self, _: &Function, _: Name, _: u32) -> (String, usize) {
        unreachable!("`direct` names outputs")
    }

    fn cube(&self, _: [u32; 3]) -> [u32; 3] {
        unreachable!("`direct` does lookups")
    }

    fn cube_origin(&self) -> f32 {
        unreachable!("`direct` does lookups")
    }

    fn on_face(&self, direction: [u32; 3]) -> [u32; 3] {
        let mut rows = direction.map(|component| [component; LANES]);
        faces(&mut rows);
        rows.map(|row| row[0])
    }

    fn layers(&self, _: Shape, _: [u32; 4]) -> u32 {
        unreachable!("there are no layers")
    }

    fn run(&self, case: Case<'_>) -> Result<Outcome, String> {
        let outputs = run_machine(case.function, case.binary, case.world.clone(), case.live)?;
        Ok(outcome(&case, outputs))
    }

    fn start(&self, start: &mut Start, function: &Function, binary: &Binary, world: &mut World) {
        let constants = binary.slots.constants.iter().map(|vector| {
            vector.map(|source| {
                source.map_or(0, |source| constant(world, &binary.slots.banks, source))
            })
        });
        match is_textured(function) {
            true => Bound::new(binary, start, &world.push).set(start),
            false => start.set("C", LaneValue::Vectors(constants.collect())),
        }
        let slots = match function.stage {
            Stage::Vertex => &back::control(binary).slots[..],
            _ => &[],
        };
        for (slot, flow) in slots.iter().enumerate() {
            let [low, high, index] = flow.words();
            let words = vec![flow.op.code().into(), low, high, index];
            start.set(format!("FLOW{slot}"), LaneValue::Lanes(words));
        }
        for (at, vector) in binary.slots.inputs.iter().enumerate() {
            let mut lanes = vec![[0; 4]; LANES];
            for component in 0..4 {
                if let Some(row) = input(world, function, *vector, component) {
                    for (lane, word) in lanes.iter_mut().zip(row.0) {
                        lane[component as usize] = word;
                    }
                }
            }
            start.set(format!("I{at}"), LaneValue::Vectors(lanes));
        }
    }
}
