//! What sampling instructions of a batch take from registers.

use lanes::Wave;
use silicon::texture::sample::{Lod as Detail, Plain};

use super::ZERO;
use crate::descriptor::dim;
use crate::isa::image::{Lod, Sampled};
use crate::isa::operand::EXEC;
use crate::isa::words::Mimg;

/// Registers of a sampling instruction with an image of any shape: see [`Operands::sample`](super::Operands::sample).
pub(super) struct Shaped {
    /// None where it has no such coordinate.
    coords: [Option<u8>; 3],
    layer: Option<u8>,
    lod: Levels,
    clamp: Option<u8>,
    reference: Option<u8>,
    offsets: Option<u8>,
    /// Where coordinates on faces count from.
    face_ids: Option<f32>,
    /// How many registers these are, from the first on.
    pub(super) count: u16,
}

/// Registers that levels of detail come from.
enum Levels {
    Implicit,
    Zero,
    Bias(u8),
    Explicit(u8),
    /// To the right and down.
    Gradient([[Option<u8>; 3]; 2]),
}

impl Shaped {
    pub(super) fn new(inst: &Mimg, sampled: Sampled, kind: u8) -> Shaped {
        let mut at = inst.vaddr;
        let mut next = || {
            let register = at;
            at = at.wrapping_add(1);
            register
        };
        let (axes, slopes, layered) = match kind {
            dim::D1 => (1, 1, false),
            dim::D1_ARRAY => (1, 1, inst.da),
            dim::D2_ARRAY => (2, 2, inst.da),
            dim::D3 => (3, 3, false),
            dim::CUBE => (3, 2, false),
            _ => (2, 2, false),
        };
        let offsets = sampled.offset.then(&mut next);
        let bias = (sampled.lod == Lod::Bias).then(&mut next);
        let reference = sampled.compare.then(&mut next);
        let gradient = matches!(sampled.lod, Lod::Gradient | Lod::CoarseGradient).then(|| {
            let mut three = || [0, 1, 2].map(|axis| (axis < slopes).then(&mut next));
            [three(), three()]
        });
        let coords = [0, 1, 2].map(|axis| (axis < axes).then(&mut next));
        // A slice sent to an image without slices is ignored.
        let slice = (inst.da && kind != dim::CUBE).then(&mut next);
        let explicit = (sampled.lod == Lod::Explicit).then(&mut next);
        let clamp = sampled.clamp.then(&mut next);
        let count = at.wrapping_sub(inst.vaddr).into();
        Shaped {
            coords,
            layer: slice.filter(|_| layered),
            lod: match (bias, explicit, gradient) {
                (Some(bias), ..) => Levels::Bias(bias),
                (_, Some(level), _) => Levels::Explicit(level),
                (_, _, Some(gradient)) => Levels::Gradient(gradient),
                _ if sampled.lod == Lod::Zero => Levels::Zero,
                _ => Levels::Implicit,
            },
            clamp,
            reference,
            offsets,
            // Shaders give face coordinates in 1 to 2. [SI 8.2.3]
            face_ids: (kind == dim::CUBE).then_some(1.0),
            count,
        }
    }

    /// What a wave has there.
    #[inline(always)]
    pub(super) fn of<'a>(&self, wave: &'a Wave) -> Plain<'a> {
        let rows = &wave.rows;
        let row = |at: u8| &rows[usize::from(at)].0;
        let three = |at: [Option<u8>; 3]| at.map(|at| at.map_or(&ZERO, row));
        Plain {
            exec: wave.mask(u16::from(EXEC)),
            coords: three(self.coords),
            layer: self.layer.map(row),
            lod: match self.lod {
                Levels::Implicit => Detail::Implicit,
                Levels::Zero => Detail::Zero,
                Levels::Bias(bias) => Detail::Bias(row(bias)),
                Levels::Explicit(level) => Detail::Explicit(row(level)),
                Levels::Gradient([dx, dy]) => Detail::Gradient {
                    dx: three(dx),
                    dy: three(dy),
                },
            },
            lod_clamp: self.clamp.map(row),
            offsets: self.offsets.map(row),
            face_ids: self.face_ids,
            reference: self.reference.map(row),
        }
    }
}
