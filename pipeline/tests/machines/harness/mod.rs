//! Every chip's machine code against the shader run directly, bit for bit.
//!
//! A shader runs in two ways. *On a wave* ([`on_a_wave`]) it runs with any lanes live and with textures that are hashes of
//! their operands ([`access`]), so that both sides see the same texel exactly when they pass the same operands. *In memory*
//! ([`in_memory`]) the chip's own executor runs it with real descriptors and tiled texels. What a chip needs for either is a
//! [`Machine`].
#![allow(dead_code)]

pub mod access;
pub mod compute;
pub mod r5xx;
mod r600;
pub mod rogue;
mod southern_islands;
pub mod start;
pub mod texels;

use std::collections::BTreeMap;

use access::{Hashed, TextureAccess};
use lanes::{Engine, LANES, LaneOp, Ports, Wave};
use pipeline::codegen::{Binary, CompileError, Options};
use pipeline::ir::{Function, Shape, Stage};
use pipeline::targets::{TARGETS, Target};

use crate::direct::{LIMIT, Name, World};
use start::Start;
use texels::{Plain, Texels};
use wgpu_types as wgt;

/// The engine that waves run on.
type WaveEngine = lanes::DefaultEngine;

/// Lanes that run: all; every third; a few with helpers around them.
pub const LIVE: [u64; 3] = [u64::MAX, 0x9249_2492_4924_9249, 0x0180_0000_00f1_0002];

/// A machine for each of [`TARGETS`].
pub const MACHINES: [&dyn Machine; 4] = [
    &southern_islands::SouthernIslands,
    &r600::R600,
    &r5xx::R5xx,
    &rogue::Rogue,
];

/// Those that compute with integers, and reach memory with them.
pub fn with_integers() -> impl Iterator<Item = &'static dyn Machine> {
    let machines = MACHINES.into_iter();
    machines.filter(|machine| machine.target().info.features.integers)
}

/// What tests know about a chip.
pub trait Machine: Sync {
    /// Name of the target.
    fn name(&self) -> &'static str;

    /// The function with what the chip does less exactly than the SSA says.
    fn computed(&self, function: &Function) -> Function {
        function.clone()
    }
    /// A world as the chip sees it.
    fn given(&self, _: &Function, world: World) -> World {
        world
    }
    /// What the shader run directly leaves of a world, where the chip's numbers or lookups are not those of the SSA.
    fn direct(&self, _: &Case<'_>) -> Option<Result<Outcome, String>> {
        None
    }
    /// The same of a world whose textures lie in the memory of a start.
    fn direct_in_memory(&self, case: &Case<'_>, _: &Start) -> Option<Result<Outcome, String>> {
        self.direct(case)
    }
    /// Formats of textures among some, and a sampler, as the chip has them.
    fn formats(&self, all: Vec<wgt::TextureFormat>) -> Vec<wgt::TextureFormat> {
        all
    }
    fn sampler(&self, sampler: wgt::SamplerDescriptor<()>) -> wgt::SamplerDescriptor<()> {
        sampler
    }
    /// Texels along the axes of a texture with a number of dimensions.
    fn texture_size(&self, dimensions: u32) -> [u32; 3] {
        match dimensions {
            1 => [19, 1, 1],
            2 => [13, 10, 1],
            _ => [9, 6, 5],
        }
    }
    /// Bits of the fraction between levels.
    fn level_bits(&self) -> u32 {
        8
    }
    /// Whether cubes are filtered across the edges of their faces.
    fn has_seamless_cubes(&self) -> bool {
        true
    }
    /// A word of an output, as comparisons take it.
    fn word(&self, word: u32) -> u32 {
        word
    }
    /// Whether a function can run in memory.
    fn has_memory_for(&self, function: &Function) -> bool {
        texels::is_covered(function)
    }
    /// What `fma` is.
    fn fma(&self) -> LaneOp {
        LaneOp::FFma
    }
    /// Largest errors that the driver states beyond what WGSL allows, of expressions among the cases of `accuracy.rs`.
    fn precision(&self) -> &'static [(&'static str, f64)] {
        &[]
    }
    /// Shaders of the corpus that use what the chip lacks, and what that is.
    fn missing(&self) -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }
    /// The same of the compute shaders.
    fn missing_in_groups(&self) -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }
    /// Shaders of the corpus that see other texels in memory than they should, for what the chip's texture unit lacks.
    fn differs(&self) -> &'static [&'static str] {
        &[]
    }
    /// A number of values that are alive at once and fit the registers, and one that do not and go to memory.
    fn crowd(&self) -> [usize; 2];
    /// More values than registers, as many as the shader run directly can have.
    fn many(&self) -> usize {
        1400
    }
    /// What is said of a private array of 4000 words, and of [`Machine::many`] values, where the chip cannot hold them.
    fn too_much(&self) -> [Option<&'static str>; 2] {
        [None; 2]
    }
    /// Rules that code keeps beside giving the right answer.
    fn check(&self, function: &Function, binary: &Binary) -> Result<(), String>;

    /// Target and element that an output is exported to.
    fn export(&self, function: &Function, name: Name, component: u32) -> (String, usize);

    /// Place on a cube's face, and the face, as the shader hands them to the texture unit.
    fn cube(&self, direction: [u32; 3]) -> [u32; 3];
    /// Where such a place begins.
    fn cube_origin(&self) -> f32;
    /// Place on a face from 0 on, and the face, as texels are looked up.
    fn on_face(&self, direction: [u32; 3]) -> [u32; 3] {
        let [x, y, face] = self.cube(direction);
        let [x, y] = [x, y].map(|place| (f32::from_bits(place) - self.cube_origin()).to_bits());
        [x, y, face]
    }
    /// What the shader hands over of the given derivatives.
    fn slopes(&self, _: Shape, given: &[u32]) -> Vec<u32> {
        given.to_vec()
    }
    /// An access as the chip's instructions tell it from others.
    fn seen(&self, access: TextureAccess) -> TextureAccess {
        access
    }
    /// Component `at` of the size of a texture's level.
    fn size(&self, access: &TextureAccess, at: u32) -> u32 {
        access.component(at)
    }
    /// The access that gives result `at` of a gather, and its component.
    fn gather(&self, _: &Function, access: &TextureAccess, at: u32) -> (TextureAccess, u32) {
        (access.clone(), at)
    }
    /// Where a linear footprint lies that has the texels which the chip gathers at a coordinate of an axis of integers.
    fn gathered_integers(&self, coordinate: u32, _size: f32) -> u32 {
        coordinate
    }
    /// Array layers, from the words of a size query.
    fn layers(&self, shape: Shape, size: [u32; 4]) -> u32;

    /// Runs code on one wave with hashed textures.
    fn run(&self, case: Case<'_>) -> Result<Outcome, String>;
    /// Sets the registers that the chip's executor starts with, and gives the world the inputs that follow from them.
    fn start(&self, start: &mut Start, function: &Function, binary: &Binary, world: &mut World);
}

/// A run on a wave.
pub struct Case<'a> {
    pub function: &'a Function,
    pub binary: &'a Binary,
    pub world: World,
    pub live: u64,
}

/// What a run left behind.
#[derive(Debug, Default)]
pub struct Outcome {
    /// By export target and element: value of each lane that wrote it.
    pub outputs: BTreeMap<(String, usize), Vec<Option<u32>>>,
    /// Words by resource and element.
    pub buffers: Vec<Vec<Vec<u32>>>,
    /// Lanes and hashes of texture stores and atomics.
    pub stores: Vec<(usize, u64)>,
}

impl Outcome {
    /// What a world holds after a direct run.
    fn direct<T>(machine: &dyn Machine, function: &Function, world: World<T>) -> Outcome {
        let outputs = world.outputs.into_iter().map(|written| {
            let target = machine.export(function, written.name, written.component);
            (target, written.lanes)
        });
        Outcome {
            outputs: outputs.collect(),
            buffers: world.buffers,
            stores: Vec::new(),
        }
    }

    /// The first difference of what was found.
    fn compare(&self, found: &Outcome) -> Result<(), String> {
        let none = vec![None; LANES];
        for (key, lanes) in &self.outputs {
            let other = found.outputs.get(key).unwrap_or(&none);
            if let Some(lane) = (0..LANES).find(|&lane| lanes[lane] != other[lane]) {
                let (a, b) = (other[lane], lanes[lane]);
                return Err(format!("{key:?} of lane {lane} is {a:x?}, not {b:x?}"));
            }
        }
        let mut keys = found.outputs.keys();
        if let Some(key) = keys.find(|key| !self.outputs.contains_key(key)) {
            return Err(format!("{key:?} is written"));
        }
        for (r, (wanted, found)) in self.buffers.iter().zip(&found.buffers).enumerate() {
            for (e, (wanted, found)) in wanted.iter().zip(found).enumerate() {
                if let Some(at) = (0..wanted.len()).find(|&at| wanted[at] != found[at]) {
                    let (a, b) = (found[at], wanted[at]);
                    return Err(format!(
                        "word {at} of buffer {r}[{e}] is {a:#x}, not {b:#x}"
                    ));
                }
            }
        }
        let sorted = |list: &[(usize, u64)]| {
            let mut list = list.to_vec();
            list.sort_unstable();
            list
        };
        let [wanted, found] = [sorted(&self.stores), sorted(&found.stores)];
        match wanted == found {
            true => Ok(()),
            false => Err(format!("texture stores {found:x?}, not {wanted:x?}")),
        }
    }
}

impl dyn Machine + '_ {
    /// Its row of the table.
    pub fn target(&self) -> &'static Target {
        let mut targets = TARGETS.iter();
        targets
            .find(|target| target.info.name == self.name())
            .unwrap()
    }

    /// Compiles a function.
    pub fn compile(&self, function: &Function) -> Result<Binary, CompileError> {
        (self.target().compile)(function, &Options::default())
    }

    /// What differs between the direct run and the chip's on a wave.
    pub fn on_a_wave(
        &self,
        function: &Function,
        binary: &Binary,
        seed: u64,
        live: u64,
    ) -> Result<(), String> {
        let world = self.given(function, World::random(function, seed));
        self.on_a_wave_of(function, binary, world, live)
    }

    /// The same in a given world.
    pub fn on_a_wave_of(
        &self,
        function: &Function,
        binary: &Binary,
        world: World,
        live: u64,
    ) -> Result<(), String> {
        self.check(function, binary)?;
        let case = Case {
            function,
            binary,
            world,
            live,
        };
        let wanted = self.wanted(&case)?;
        wanted.compare(&self.run(case)?)
    }

    /// What the shader run directly, as the chip computes it, leaves of a world with hashed textures.
    pub fn wanted(&self, case: &Case<'_>) -> Result<Outcome, String> {
        if let Some(wanted) = self.direct(case) {
            return wanted;
        }
        let Case { function, live, .. } = *case;
        let helpers = match function.stage {
            Stage::Fragment => lanes::WideOp::WholeQuads.eval([live, 0, 0]) & !live,
            _ => 0,
        };
        let mut world = case.world.clone().with(Hashed::new(self, case.function));
        world.run_lanes(&self.computed(function), live, helpers);
        Ok(Outcome {
            stores: std::mem::take(&mut world.textures.stores),
            ..Outcome::direct(self, function, world)
        })
    }

    /// What differs between the direct run and the executor's, which sees descriptors and tiled texels in memory.
    pub fn in_memory(&self, function: &Function, binary: &Binary, seed: u64) -> Result<(), String> {
        let target = self.target();
        let mut world = self.given(function, World::random(function, seed));
        let texels = Texels::random(self, function, seed);
        let mut start = Start::real(target.chip, function, &world, &texels);
        self.start(&mut start, function, binary, &mut world);
        let output = start.exec(target.tools, function.stage, &binary.words)?;

        let case = Case {
            function,
            binary,
            world,
            live: u64::MAX,
        };
        let wanted = self.direct_in_memory(&case, &start).unwrap_or_else(|| {
            let mut world = case.world.with(Plain {
                machine: self,
                texels: &texels,
            });
            world.run(&self.computed(function));
            Ok(Outcome::direct(self, function, world))
        })?;
        let mut found = Outcome::default();
        if !wanted.buffers.is_empty() {
            found.buffers = start.buffers(&output.memory);
        }
        for key in wanted.outputs.keys() {
            let mut exports = output
                .exports
                .iter()
                .filter(|export| export.target == key.0);
            let export = exports
                .next()
                .ok_or_else(|| format!("{key:?} is not exported"))?;
            let word = |lane: &Option<[u32; 4]>| lane.map(|lane| self.word(lane[key.1]));
            let lanes = export.lanes.iter().map(word);
            found.outputs.insert(key.clone(), lanes.collect());
        }
        wanted.compare(&found)?;
        for (at, bytes) in start.images(&output.memory) {
            if let Some(difference) = texels.difference(target.chip, at, &bytes) {
                return Err(difference);
            }
        }
        Ok(())
    }

    /// Both ways with a few seeds, or what differs.
    pub fn agrees(&self, function: &Function) -> Result<Binary, String> {
        let binary = self.compile(function).map_err(|error| error.to_string())?;
        let place = |error: String| format!("{} {}: {error}", self.name(), function.name);
        for (seed, live) in LIVE.into_iter().enumerate() {
            self.in_memory(function, &binary, crate::direct::mix(seed as u64))
                .map_err(place)?;
            if function.stage == Stage::Fragment || live == u64::MAX {
                self.on_a_wave(function, &binary, seed as u64, live)
                    .map_err(place)?;
            }
        }
        Ok(binary)
    }
}

/// Runs a lifted program to its end.
fn run_wave(
    program: &lanes::Program,
    wave: &mut Wave,
    ports: &mut dyn Ports,
) -> Result<(), String> {
    wave.limit = LIMIT;
    let engine = WaveEngine::new();
    let prepared = engine.prepare(program).map_err(|error| error.to_string())?;
    engine
        .run(&prepared, wave, ports)
        .map_err(|stop| format!("at {:#x}: {}", stop.origin.pc, stop.fault))
}

/// The value of each lane of a mask.
fn taken(lanes: &[u32; LANES], mask: u64) -> Vec<Option<u32>> {
    let lane = |lane: usize| (mask >> lane & 1 == 1).then_some(lanes[lane]);
    (0..LANES).map(lane).collect()
}
