//! Inputs at other places of the pixel than where they are taken. [GLSL.std.450 InterpolateAtCentroid]
//!
//! What is linear in the window is carried on by its derivatives: an input, or with perspective its quotient by w and the
//! reciprocal of w. A shader may ask where only some lanes of a quad come by, so the derivatives are taken at its start and
//! kept in variables of the input's type, in which a pointer leads to the same part.

use silicon::fragment::multisample::Samples;
use spirv::{GlslStd450Op, Op};

use super::lower::Lowerer;
use super::module::Result;
use super::places::{Piece, Place};
use super::words::Inst;
use crate::ir::{self, Axis, Builtin, Detail, Interpolation, LaneOp, Stage, Value, Varying};
use crate::lower::place::Pointer;
use crate::lower::types::Kind;

/// What is asked of an input variable.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Beside {
    /// Its value at an offset or a sample.
    pub(super) moved: bool,
    /// Its value at a covered place.
    pub(super) centroid: bool,
}

impl Beside {
    /// What an instruction of the set asks for.
    pub(super) fn of(op: Option<GlslStd450Op>) -> Option<Beside> {
        let mut beside = Beside::default();
        match op? {
            GlslStd450Op::InterpolateAtCentroid => beside.centroid = true,
            GlslStd450Op::InterpolateAtSample | GlslStd450Op::InterpolateAtOffset => {
                beside.moved = true;
            }
            _ => return None,
        }
        Some(beside)
    }

    /// Where a part of the input is taken besides its own place. What is taken at the sample is at the sample wherever
    /// [`Builtin::FragCoord`] is.
    pub(super) fn places(self, own: Interpolation) -> impl Iterator<Item = Interpolation> {
        use Interpolation as I;
        let linear = matches!(own, I::Linear | I::LinearCentroid | I::LinearSample);
        let centroid = match linear {
            true => I::LinearCentroid,
            false => I::PerspectiveCentroid,
        };
        let middle = match own {
            I::PerspectiveCentroid => Some(I::Perspective),
            I::LinearCentroid => Some(I::Linear),
            _ => None,
        };
        let varies = own != I::Flat;
        let middle = middle.filter(|_| self.moved);
        let centroid = (self.centroid && varies && own != centroid).then_some(centroid);
        middle.into_iter().chain(centroid)
    }
}

/// Variables beside that of an input: for every leaf `(value + slopes * offset) / (divisor + its slopes * offset)` is its
/// value at an offset from where it is taken.
#[derive(Clone)]
pub(super) struct Shadows {
    /// Value, its slopes along x and y, divisor, its slopes.
    moved: Option<[Pointer; 6]>,
    centroid: Option<Pointer>,
}

impl<'a> Lowerer<'a> {
    /// Makes the variables beside that of an input; `leaves` are the input's own, `words` those of all varyings.
    pub(super) fn shadows(
        &mut self,
        inst: &Inst,
        pieces: &[Piece],
        varyings: &[Varying],
        words: &[Vec<Value>],
        leaves: &[Value],
    ) -> Result<()> {
        let Some(&beside) = self.uses.beside.get(&inst.id) else {
            return Ok(());
        };
        if self.b.function().stage != Stage::Fragment {
            return self.error(inst, "only fragment shaders interpolate");
        }
        let op = ir::Op::Builtin(Builtin::FragCoord(3));
        let inverse = self.b.single(op, Vec::new(), ir::Type::Word);
        let inverses = [inverse, self.slope(inverse, 0), self.slope(inverse, 1)];
        let (zero, one) = (self.b.float(0.0), self.b.float(1.0));
        let mut centroid = leaves.to_vec();
        let mut moved = [zero, zero, zero, one, zero, zero].map(|of| vec![of; leaves.len()]);
        for piece in pieces {
            let Place::Location(at) = piece.at else {
                if beside.moved && !matches!(piece.at, Place::Nowhere) {
                    return self.error(inst, "it is no input from the vertices");
                }
                continue;
            };
            let taken = |how: Interpolation| {
                let same = |v: &Varying| {
                    (v.location, v.second, v.interpolation) == (at.location, at.second, how)
                };
                let found = varyings.iter().position(same)?;
                let first = at.component as usize;
                words[found].get(first..first + piece.words)
            };
            let range = piece.first..piece.first + piece.words;
            let own = at.interpolation;
            for how in beside.places(own) {
                use Interpolation::{LinearCentroid, PerspectiveCentroid};
                if let (PerspectiveCentroid | LinearCentroid, Some(found)) = (how, taken(how)) {
                    centroid[range.clone()].copy_from_slice(found);
                }
            }
            let middle = beside.places(own).find_map(|how| match how {
                Interpolation::Perspective | Interpolation::Linear => taken(how),
                _ => None,
            });
            let middle = middle.unwrap_or(&leaves[range.clone()]);
            for (leaf, &value) in range.zip(middle) {
                use Interpolation as I;
                let all = match own {
                    I::Flat => [value, zero, zero, one, zero, zero],
                    I::Linear | I::LinearCentroid | I::LinearSample => [
                        value,
                        self.slope(value, 0),
                        self.slope(value, 1),
                        one,
                        zero,
                        zero,
                    ],
                    I::Perspective | I::PerspectiveCentroid | I::PerspectiveSample => {
                        let flat = self.b.alu(LaneOp::FMul, &[value, inverse]);
                        let [w, x, y] = inverses;
                        [flat, self.slope(flat, 0), self.slope(flat, 1), w, x, y]
                    }
                };
                for (variable, of) in moved.iter_mut().zip(all) {
                    variable[leaf] = of;
                }
            }
        }
        let pointee = self.module.pointer(inst.ty).map_or(0, |(_, of)| of);
        let ty = self.ty(Some(inst), pointee)?;
        let mut shadows = Shadows {
            moved: None,
            centroid: None,
        };
        if beside.centroid {
            let place = self.private(inst, ty.clone(), Some(centroid.into()))?;
            shadows.centroid = Some(place);
        }
        if beside.moved {
            let mut places = Vec::with_capacity(moved.len());
            for leaves in moved {
                places.push(self.private(inst, ty.clone(), Some(leaves.into()))?);
            }
            shadows.moved = places.try_into().ok();
        }
        self.shadows.insert(inst.id, shadows);
        Ok(())
    }

    /// The change of a value to the next pixel along an axis.
    fn slope(&mut self, value: Value, axis: usize) -> Value {
        let op = ir::Op::Derivative {
            axis: [Axis::X, Axis::Y][axis],
            detail: Detail::Fine,
        };
        self.b.single(op, vec![value], ir::Type::Word)
    }

    /// An input at another place.
    pub(super) fn interpolate(
        &mut self,
        inst: &Inst,
        op: GlslStd450Op,
        ids: &[u32],
    ) -> Result<Vec<Value>> {
        let Some(&pointer) = ids.first() else {
            return self.error(inst, "it takes an input");
        };
        let ty = self.ty(Some(inst), inst.ty)?;
        let mut are_floats = true;
        ty.leaves(0, &mut |kind, _| are_floats &= kind == Kind::F32);
        if !are_floats {
            return self.error(inst, "it takes floats");
        }
        let offset = match (op, ids) {
            (GlslStd450Op::InterpolateAtSample, &[_, sample]) => {
                let sample = self.word(inst, sample)?;
                Some(self.sample_offset(sample))
            }
            (GlslStd450Op::InterpolateAtOffset, &[_, offset]) => {
                match self.words(inst, offset)?[..] {
                    [x, y] if self.are_words(&[x, y]) => Some([x, y]),
                    _ => return self.error(inst, "its offset is no vector of two"),
                }
            }
            (GlslStd450Op::InterpolateAtCentroid, [_]) => None,
            _ => return self.error(inst, format!("it has {} operands", ids.len())),
        };
        let shadows = self.shadows.get(&self.input_of(inst, pointer)?).cloned();
        let no_input = format!("{} is no input", self.module.name(pointer));
        let (Some(offset), Some(variables)) =
            (offset, shadows.as_ref().and_then(|s| s.moved.as_ref()))
        else {
            let centroid = shadows.and_then(|shadows| shadows.centroid);
            let Some(centroid) = centroid.filter(|_| offset.is_none()) else {
                return self.error(inst, no_input);
            };
            let place = self.same_part(inst, pointer, &centroid)?;
            return Ok(self.load(&place)?.to_vec());
        };
        let offset = self.relative_to_the_place(offset);
        let mut parts = Vec::with_capacity(variables.len());
        for variable in variables {
            let place = self.same_part(inst, pointer, variable)?;
            parts.push(self.load(&place)?);
        }
        let leaves = 0..parts[0].len();
        Ok(leaves
            .map(|leaf| {
                let [above, below] = [0, 3].map(|first| {
                    let slopes = [parts[first + 1][leaf], parts[first + 2][leaf]];
                    self.carried(parts[first][leaf], slopes, offset)
                });
                match self.b.known_word(below) == Some(1.0_f32.to_bits()) {
                    true => above,
                    false => self.divide(above, below),
                }
            })
            .collect())
    }

    /// A value that is linear in the window, at an offset.
    fn carried(&mut self, value: Value, slopes: [Value; 2], offset: [Value; 2]) -> Value {
        slopes
            .into_iter()
            .zip(offset)
            .fold(value, |sum, (slope, by)| {
                if self.b.known_word(slope) == Some(0) {
                    return sum;
                }
                let part = self.b.alu(LaneOp::FMul, &[slope, by]);
                self.b.alu(LaneOp::FAdd, &[sum, part])
            })
    }

    /// An offset from the middle of the pixel as one from where inputs are taken, which in shaders that run once a sample is
    /// the sample.
    fn relative_to_the_place(&mut self, offset: [Value; 2]) -> [Value; 2] {
        let half = self.b.float(0.5);
        [0, 1].map(|axis| {
            let op = ir::Op::Builtin(Builtin::FragCoord(axis));
            let place = self.b.single(op, Vec::new(), ir::Type::Word);
            let place = self.b.alu(LaneOp::FFract, &[place]);
            let from_middle = self.b.alu(LaneOp::FSub, &[place, half]);
            self.b
                .alu(LaneOp::FSub, &[offset[usize::from(axis)], from_middle])
        })
    }

    /// Where a sample is from the middle of the pixel. Without samples, and of one that is not there, it is the middle.
    fn sample_offset(&mut self, sample: Value) -> [Value; 2] {
        let op = ir::Op::Builtin(Builtin::SampleCount);
        let count = self.b.single(op, Vec::new(), ir::Type::Word);
        let zero = self.b.float(0.0);
        let mut offset = [zero; 2];
        for samples in [2_u32, 4, 8, 16] {
            let is = self.b.word(samples);
            let is = self.b.alu(LaneOp::IEq, &[count, is]);
            let mut place = [zero; 2];
            for (number, &(x, y)) in (0..).zip(Samples::standard(samples).positions()) {
                let number = self.b.word(number);
                let hit = self.b.alu(LaneOp::IEq, &[sample, number]);
                for (found, at) in place.iter_mut().zip([x, y]) {
                    let at = self.b.float((f32::from(at) - 8.0) / 16.0);
                    *found = self.b.select(hit, at, *found);
                }
            }
            for (found, at) in offset.iter_mut().zip(place) {
                *found = self.b.select(is, at, *found);
            }
        }
        offset
    }

    /// The variable that a pointer leads into.
    fn input_of(&self, inst: &Inst, pointer: u32) -> Result<u32> {
        let module = self.module;
        let mut id = pointer;
        loop {
            match module.definition(id) {
                Some(of) if of.op == Op::Variable => return Ok(id),
                Some(of) if leads_on(of.op) => id = module.words.operand(of, 0)?,
                _ => return self.error(inst, format!("{} is no input", module.name(pointer))),
            }
        }
    }

    /// The part of another variable of the same type that a pointer means of its own.
    fn same_part(&mut self, inst: &Inst, pointer: u32, of: &Pointer) -> Result<Pointer> {
        let mut chains = Vec::new();
        let mut id = pointer;
        while let Some(chain) = self.module.definition(id).filter(|at| leads_on(at.op)) {
            chains.push(chain);
            id = self.module.words.operand(chain, 0)?;
        }
        let mut place = of.clone();
        for chain in chains.into_iter().rev() {
            for &index in self.module.words.operands(chain).iter().skip(1) {
                let index = self.word(inst, index)?;
                place = self.inside(inst, place, index)?;
            }
        }
        Ok(place)
    }
}

/// Whether an instruction makes a pointer of another.
fn leads_on(op: Op) -> bool {
    matches!(
        op,
        Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject
    )
}
