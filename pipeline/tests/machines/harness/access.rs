//! Textures whose texels are hashes of the operands: one access of one lane, in terms that every chip's instructions have.

use lanes::{LANES, LaneOp, Row};
use pipeline::codegen::direct::ImageCall;
use pipeline::ir::{Dim, Function, ImageKind, Lod};

use super::Machine;
use crate::direct::{Textures, mix};

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The level comes from derivatives.
    Sample,
    /// The same plus a bias.
    SampleBias,
    SampleLevel,
    SampleZero,
    SampleGradient,
    Gather(u8),
    Load,
    Store,
    Atomic,
    /// Size, levels, layers.
    Size,
}

/// One lane's access to a texture.
#[derive(Clone, Debug)]
pub struct TextureAccess {
    pub kind: Kind,
    /// Resource and element.
    pub texture: [u32; 2],
    pub sampler: Option<[u32; 2]>,
    /// Coordinates and layer. Samples have the layer as a float, and on a cube the place on a face and
    /// `8 * layer + face`. Loads end with the sample of a texture that has several.
    pub place: Vec<u32>,
    /// Level or bias.
    pub lod: Option<u32>,
    pub reference: Option<u32>,
    /// Least level.
    pub least: Option<u32>,
    /// Derivatives along x, then along y.
    pub slopes: Vec<u32>,
    /// In halves of a texel.
    pub offset: [i32; 3],
    /// What is stored; the operands of an atomic.
    pub data: Vec<u32>,
}

impl TextureAccess {
    pub fn new(kind: Kind, texture: [u32; 2], sampler: Option<[u32; 2]>) -> TextureAccess {
        TextureAccess {
            kind,
            texture,
            sampler,
            place: Vec::new(),
            lod: None,
            reference: None,
            least: None,
            slopes: Vec::new(),
            offset: [0; 3],
            data: Vec::new(),
        }
    }

    /// What the results are made from.
    pub fn hash(&self) -> u64 {
        let text = format!("{self:?}");
        text.bytes()
            .fold(0, |hash, byte| mix(hash ^ u64::from(byte)))
    }

    /// A component of the result: samples are floats in 0..1, others small integers.
    pub fn component(&self, at: u32) -> u32 {
        let word = mix(self.hash() ^ u64::from(at)) as u32;
        match self.kind {
            Kind::Load | Kind::Store | Kind::Atomic | Kind::Size => word & 63,
            _ => ((word >> 8) as f32 / 16_777_216.0).to_bits(),
        }
    }

    /// The access that a machine is to make for a lane of an operation.
    fn of(machine: &dyn Machine, call: &ImageCall<'_>, lane: usize) -> TextureAccess {
        let op = call.op;
        let args: Vec<u32> = call.args.iter().map(|row| row.0[lane]).collect();
        let sampler = op.sampler.map(|s| [s.resource, call.sampler.0[lane]]);
        let texture = [op.texture.resource, call.texture.0[lane]];
        let new = |kind| TextureAccess::new(kind, texture, sampler);
        let dims = op.shape.coordinates();
        let body = dims + usize::from(op.shape.arrayed);
        let halves = |offset: [i8; 3]| offset.map(|by| 2 * i32::from(by));
        match &op.kind {
            ImageKind::Sample {
                lod,
                compare,
                least,
                offset,
            } => {
                let rest = &args[body..];
                let (kind, count) = match lod {
                    Lod::Implicit => (Kind::Sample, 0),
                    Lod::Zero => (Kind::SampleZero, 0),
                    Lod::Bias => (Kind::SampleBias, 1),
                    Lod::Level => (Kind::SampleLevel, 1),
                    Lod::Gradient => (Kind::SampleGradient, 2 * dims),
                };
                let mut found = new(kind);
                found.place = sampled(machine, call, &args);
                found.offset = halves(*offset);
                found.reference = compare.then(|| rest[count]);
                found.least = least.then(|| args[args.len() - 1]);
                match lod {
                    Lod::Bias | Lod::Level => found.lod = Some(rest[0]),
                    Lod::Gradient => found.slopes = machine.slopes(op.shape, &rest[..count]),
                    _ => {}
                }
                found
            }
            ImageKind::Gather {
                component,
                compare,
                offset,
            } => {
                let mut found = new(Kind::Gather(if *compare { 0 } else { *component }));
                found.place = sampled(machine, call, &args);
                found.offset = halves(*offset);
                found.reference = compare.then(|| args[body]);
                found
            }
            ImageKind::Load { level } => {
                let mut found = new(Kind::Load);
                found.lod = Some(if *level { args[args.len() - 1] } else { 0 });
                found.place = args[..args.len() - usize::from(*level)].to_vec();
                found
            }
            kind @ (ImageKind::Store | ImageKind::Atomic(_)) => {
                let store = matches!(kind, ImageKind::Store);
                let mut found = new(if store { Kind::Store } else { Kind::Atomic });
                found.place = args[..body].to_vec();
                found.data = args[body..].to_vec();
                found
            }
            _ => {
                let mut found = new(Kind::Size);
                found.lod = Some(args.first().copied().unwrap_or(0));
                found
            }
        }
    }
}

/// Where a sample is taken.
fn sampled(machine: &dyn Machine, call: &ImageCall<'_>, args: &[u32]) -> Vec<u32> {
    let shape = call.op.shape;
    let dims = shape.coordinates();
    let mut place = args[..dims].to_vec();
    if shape.dim == Dim::Cube {
        place = machine.cube([args[0], args[1], args[2]]).to_vec();
    }
    let layer = |most: u32| LaneOp::U32ToF32.eval([args[dims].min(most), 0, 0]);
    match (shape.arrayed, shape.dim) {
        (false, _) => {}
        (true, Dim::Cube) => {
            place[2] = LaneOp::FMad.eval([layer(2047), 8f32.to_bits(), place[2]]);
        }
        (true, _) => place.push(layer(u32::MAX)),
    }
    place
}

/// Logarithm of the samples that a multisampled texture has.
pub fn samples_log2([resource, element]: [u32; 2]) -> u32 {
    (resource + element) % 4
}

/// Textures of the shader that is run directly.
pub struct Hashed<'a> {
    machine: &'a dyn Machine,
    function: &'a Function,
    /// Lanes and hashes of stores and atomics.
    pub stores: Vec<(usize, u64)>,
}

impl<'a> Hashed<'a> {
    pub fn new(machine: &'a dyn Machine, function: &'a Function) -> Hashed<'a> {
        Hashed {
            machine,
            function,
            stores: Vec::new(),
        }
    }
}

impl Textures for Hashed<'_> {
    fn image(&mut self, call: &ImageCall<'_>, results: &mut [Row]) {
        let shape = call.op.shape;
        for lane in (0..LANES).filter(|lane| call.mask >> lane & 1 == 1) {
            let access = self
                .machine
                .seen(TextureAccess::of(self.machine, call, lane));
            if matches!(access.kind, Kind::Store | Kind::Atomic) {
                self.stores.push((lane, access.hash()));
            }
            for (at, row) in (0..).zip(&mut *results) {
                row.0[lane] = match call.op.kind {
                    ImageKind::Gather { .. } => {
                        let (access, at) = self.machine.gather(self.function, &access, at);
                        access.component(at)
                    }
                    ImageKind::Levels => access.component(3),
                    ImageKind::Layers => {
                        let size = [0, 1, 2, 3].map(|at| access.component(at));
                        self.machine.layers(shape, size)
                    }
                    ImageKind::Size { .. } => self.machine.size(&access, at),
                    ImageKind::Samples => 1 << samples_log2(access.texture),
                    _ => access.component(at),
                };
            }
        }
    }
}
