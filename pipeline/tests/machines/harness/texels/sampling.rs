//! Texture operations of the IR on plain images, through silicon's sampler.

use lanes::Row;
use pipeline::codegen::direct;
use pipeline::ir::{AtomicOp, Dim, ImageKind, ImageOp, Lod};
use silicon::Memory;
use silicon::host::SimdLevel;
use silicon::texture::format::Class;
use silicon::texture::sample::{
    self, Access, Lanes, Numbered, PreparedSampler, PreparedTexture, Request, Scratch,
};

use crate::harness::Machine;

const ZERO: Lanes = [0; 64];

/// One texture operation on one image.
pub struct Sampling<'a> {
    pub machine: &'a dyn Machine,
    pub memory: &'a Memory,
    pub texture: &'a PreparedTexture,
    pub sampler: Option<PreparedSampler>,
    pub op: &'a ImageOp,
    pub args: &'a [Row],
    pub mask: u64,
    pub layers: u32,
}

impl Sampling<'_> {
    fn lanes(&self) -> impl Iterator<Item = usize> + use<> {
        let mask = self.mask;
        (0..64).filter(move |lane| mask >> lane & 1 == 1)
    }

    fn body(&self) -> usize {
        self.op.shape.coordinates() + usize::from(self.op.shape.arrayed)
    }

    pub fn run(&self, results: &mut [Row]) {
        let mut out = [ZERO; 4];
        match &self.op.kind {
            ImageKind::Sample {
                lod,
                compare,
                offset,
                ..
            } => self.sample(*lod, *compare, *offset, None, &mut out),
            ImageKind::Gather {
                component,
                compare,
                offset,
            } => {
                let component = if *compare { 0 } else { usize::from(*component) };
                self.sample(Lod::Zero, *compare, *offset, Some(component), &mut out);
            }
            ImageKind::Load { level } => {
                let level = level.then(|| &self.args[self.args.len() - 1].0);
                let access = self.access(level);
                let scratch = &mut Scratch::default();
                sample::load(scratch, self.memory, self.texture, &access, &mut out);
            }
            ImageKind::Store => {
                let values = [0, 1, 2, 3].map(|c| &self.args[self.body() + c].0);
                self.numbered()
                    .store(&self.access(None), values, &mut &*self.memory);
                return;
            }
            ImageKind::Atomic(op) => self.atomic(*op, &mut out[0]),
            ImageKind::Size { level } => {
                for lane in self.lanes() {
                    let level = if *level { self.args[0].0[lane] } else { 0 };
                    for (row, size) in out.iter_mut().zip(self.size(level)) {
                        row[lane] = size;
                    }
                }
            }
            ImageKind::Levels => out[0] = [self.texture.levels(); 64],
            ImageKind::Layers => out[0] = [self.layers; 64],
            ImageKind::QueryLod => panic!("no shader here asks for the level of a sample"),
            ImageKind::Samples => out[0] = [if self.op.shape.multisampled { 4 } else { 1 }; 64],
        }
        for (result, row) in results.iter_mut().zip(out) {
            for lane in self.lanes() {
                result.0[lane] = row[lane];
            }
        }
    }

    fn numbered(&self) -> Numbered<'_> {
        Numbered::new(SimdLevel::current(), self.memory, self.texture)
    }

    /// Texels of a level in every direction, found by looking for the last that exists.
    fn size(&self, level: u32) -> [u32; 3] {
        let exists = |at: [u32; 3]| {
            let [x, y, z] = at.map(|n| [n; 64]);
            let access = Access {
                exec: 1,
                x: &x,
                y: &y,
                slice: Some(&z),
                level: Some(&[level; 64]),
                sample: None,
            };
            self.numbered().addresses(&access, &mut [0; 64]) == 1
        };
        [0, 1, 2].map(|axis| {
            let mut at = [0; 3];
            while exists(at) && at[axis] < 64 {
                at[axis] += 1;
            }
            at[axis]
        })
    }

    fn access<'a>(&'a self, level: Option<&'a Lanes>) -> Access<'a> {
        let shape = self.op.shape;
        let dims = shape.coordinates();
        let row = |at: usize| &self.args[at].0;
        Access {
            exec: self.mask,
            x: row(0),
            y: if dims > 1 { row(1) } else { &ZERO },
            slice: match shape.dim {
                Dim::D3 => Some(row(2)),
                _ => shape.arrayed.then(|| row(dims)),
            },
            level,
            sample: shape.multisampled.then(|| row(self.body())),
        }
    }

    /// Lanes one after the other.
    fn atomic(&self, op: AtomicOp, out: &mut Lanes) {
        let mut places = [0; 64];
        let inside = self.numbered().addresses(&self.access(None), &mut places);
        let body = self.body();
        for lane in self.lanes().filter(|lane| inside >> lane & 1 == 1) {
            let old = self.memory.load(places[lane]).unwrap();
            let compare = self.args.get(body + 1).map_or(0, |row| row.0[lane]);
            let new = direct::atomic(op, old, self.args[body].0[lane], compare);
            self.memory.store(places[lane], new).unwrap();
            out[lane] = old;
        }
    }

    fn sample(
        &self,
        lod: Lod,
        compare: bool,
        offset: [i8; 3],
        gathered: Option<usize>,
        out: &mut [Lanes; 4],
    ) {
        let shape = self.op.shape;
        let dims = shape.coordinates();
        let mut coords = [0, 1, 2].map(|c| if c < dims { self.args[c].0 } else { ZERO });
        if shape.dim == Dim::Cube {
            let [x, y, z] = &mut coords;
            for ((x, y), z) in x.iter_mut().zip(y).zip(z) {
                [*x, *y, *z] = self.machine.on_face([*x, *y, *z]);
            }
        }
        let class = self.texture.class();
        if gathered.is_some() && matches!(class, Class::Uint | Class::Sint) {
            for (coords, size) in coords.iter_mut().zip(self.size(0)).take(2) {
                *coords = coords.map(|at| self.machine.gathered_integers(at, size as f32));
            }
        }
        let layer = shape
            .arrayed
            .then(|| self.args[dims].0.map(|layer| (layer as f32).to_bits()));
        let rest = &self.args[self.body()..];
        let count = match lod {
            Lod::Implicit | Lod::Zero => 0,
            Lod::Bias | Lod::Level => 1,
            Lod::Gradient => 2 * dims,
        };
        let slope = |from: usize| {
            [0, 1, 2].map(|c: usize| if c < dims { &rest[from + c].0 } else { &ZERO })
        };
        let offsets = [sample::rules::pack_offsets(offset.map(i32::from)); 64];
        let request = Request {
            exec: self.mask,
            coords: [&coords[0], &coords[1], &coords[2]],
            layer: layer.as_ref(),
            lod: match lod {
                Lod::Implicit => sample::Lod::Implicit,
                Lod::Zero => sample::Lod::Zero,
                Lod::Bias => sample::Lod::Bias(&rest[0].0),
                Lod::Level => sample::Lod::Explicit(&rest[0].0),
                Lod::Gradient => sample::Lod::Gradient {
                    dx: slope(0),
                    dy: slope(dims),
                },
            },
            lod_clamp: None,
            reference: compare.then(|| &rest[count].0),
            offsets: Some(&offsets),
        };
        let sampler = self.sampler.as_ref().unwrap();
        match gathered {
            None => sample::reference::sample(self.memory, self.texture, sampler, &request, out),
            Some(component) => {
                let (memory, texture) = (self.memory, self.texture);
                sample::reference::gather(memory, texture, sampler, &request, component, out);
            }
        }
    }
}
