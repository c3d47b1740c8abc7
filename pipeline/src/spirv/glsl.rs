//! Extended instructions for GLSL. [GLSL.std.450]

use naga::MathFunction;
use spirv::GlslStd450Op as G;

use super::lower::{Lowerer, Val};
use super::module::Result;
use super::words::Inst;
use crate::lower::types::{Kind, Ty};

/// The function that an instruction is, and what it takes.
fn function(op: G) -> Option<(MathFunction, Kind)> {
    use Kind::{F32, I32, U32};
    use MathFunction as M;
    Some(match op {
        G::Round | G::RoundEven => (M::Round, F32),
        G::Trunc => (M::Trunc, F32),
        G::FAbs => (M::Abs, F32),
        G::SAbs => (M::Abs, I32),
        G::FSign => (M::Sign, F32),
        G::SSign => (M::Sign, I32),
        G::Floor => (M::Floor, F32),
        G::Ceil => (M::Ceil, F32),
        G::Fract => (M::Fract, F32),
        G::Radians => (M::Radians, F32),
        G::Degrees => (M::Degrees, F32),
        G::Sin => (M::Sin, F32),
        G::Cos => (M::Cos, F32),
        G::Tan => (M::Tan, F32),
        G::Asin => (M::Asin, F32),
        G::Acos => (M::Acos, F32),
        G::Atan => (M::Atan, F32),
        G::Sinh => (M::Sinh, F32),
        G::Cosh => (M::Cosh, F32),
        G::Tanh => (M::Tanh, F32),
        G::Asinh => (M::Asinh, F32),
        G::Acosh => (M::Acosh, F32),
        G::Atanh => (M::Atanh, F32),
        G::Atan2 => (M::Atan2, F32),
        G::Pow => (M::Pow, F32),
        G::Exp => (M::Exp, F32),
        G::Log => (M::Log, F32),
        G::Exp2 => (M::Exp2, F32),
        G::Log2 => (M::Log2, F32),
        G::Sqrt => (M::Sqrt, F32),
        G::InverseSqrt => (M::InverseSqrt, F32),
        G::ModfStruct => (M::Modf, F32),
        G::FrexpStruct => (M::Frexp, F32),
        G::FMin | G::NMin => (M::Min, F32),
        G::UMin => (M::Min, U32),
        G::SMin => (M::Min, I32),
        G::FMax | G::NMax => (M::Max, F32),
        G::UMax => (M::Max, U32),
        G::SMax => (M::Max, I32),
        G::FClamp | G::NClamp => (M::Clamp, F32),
        G::UClamp => (M::Clamp, U32),
        G::SClamp => (M::Clamp, I32),
        G::FMix => (M::Mix, F32),
        G::Step => (M::Step, F32),
        G::SmoothStep => (M::SmoothStep, F32),
        G::Fma => (M::Fma, F32),
        G::Ldexp => (M::Ldexp, F32),
        G::PackSnorm4x8 => (M::Pack4x8snorm, F32),
        G::PackUnorm4x8 => (M::Pack4x8unorm, F32),
        G::PackSnorm2x16 => (M::Pack2x16snorm, F32),
        G::PackUnorm2x16 => (M::Pack2x16unorm, F32),
        G::PackHalf2x16 => (M::Pack2x16float, F32),
        G::UnpackSnorm2x16 => (M::Unpack2x16snorm, U32),
        G::UnpackUnorm2x16 => (M::Unpack2x16unorm, U32),
        G::UnpackHalf2x16 => (M::Unpack2x16float, U32),
        G::UnpackSnorm4x8 => (M::Unpack4x8snorm, U32),
        G::UnpackUnorm4x8 => (M::Unpack4x8unorm, U32),
        G::Length => (M::Length, F32),
        G::Distance => (M::Distance, F32),
        G::Cross => (M::Cross, F32),
        G::Normalize => (M::Normalize, F32),
        G::FaceForward => (M::FaceForward, F32),
        G::Reflect => (M::Reflect, F32),
        G::Refract => (M::Refract, F32),
        G::FindILsb => (M::FirstTrailingBit, U32),
        G::FindSMsb => (M::FirstLeadingBit, I32),
        G::FindUMsb => (M::FirstLeadingBit, U32),
        _ => return None,
    })
}

/// Operands, and how the sizes of the first and the others have to be: the same for all, or a number for the first.
fn shape(op: G) -> (usize, Option<usize>) {
    match op {
        G::FMin | G::UMin | G::SMin | G::FMax | G::UMax | G::SMax | G::NMin | G::NMax => (2, None),
        G::Atan2 | G::Pow | G::Step | G::Ldexp | G::Distance | G::Reflect => (2, None),
        G::FClamp | G::UClamp | G::SClamp | G::NClamp | G::FMix => (3, None),
        G::SmoothStep | G::Fma | G::FaceForward | G::Refract => (3, None),
        G::Cross => (2, Some(3)),
        G::PackSnorm4x8 | G::PackUnorm4x8 => (1, Some(4)),
        G::PackSnorm2x16 | G::PackUnorm2x16 | G::PackHalf2x16 => (1, Some(2)),
        G::UnpackSnorm4x8 | G::UnpackUnorm4x8 => (1, Some(1)),
        G::UnpackSnorm2x16 | G::UnpackUnorm2x16 | G::UnpackHalf2x16 => (1, Some(1)),
        _ => (1, None),
    }
}

impl<'a> Lowerer<'a> {
    pub(super) fn glsl(&mut self, inst: &Inst, number: u32, ids: &[u32]) -> Result<()> {
        let Some(op) = G::from_u32(number) else {
            return self
                .module
                .lacks(inst, format!("instruction {number} of GLSL.std.450"));
        };
        if self.module.sized {
            let number = |id: &u32| self.module.number_of(*id);
            if ids.iter().filter_map(number).any(|of| of.words() == 2) {
                let words = self.glsl_wide(inst, op, ids)?;
                return self.set(inst, Val::Words(words.into()));
            }
        }
        let words = match op {
            G::Determinant | G::MatrixInverse => {
                let [matrix] = *ids else {
                    return self.error(inst, "it has one operand");
                };
                let ty = self.type_of(inst, matrix)?;
                let words = ty.in_words();
                match *words.as_ref().unwrap_or(&ty) {
                    Ty::Matrix(columns, rows, _) if columns == rows => {}
                    _ => return self.error(inst, "it takes a square matrix"),
                }
                let fun = match op {
                    G::Determinant => MathFunction::Determinant,
                    _ => MathFunction::Inverse,
                };
                self.function_of(inst, fun, ids)?
            }
            G::Modf | G::Frexp => {
                let [value, pointer] = *ids else {
                    return self.error(inst, "it has two operands");
                };
                let fun = match op {
                    G::Modf => MathFunction::Modf,
                    _ => MathFunction::Frexp,
                };
                let both = self.function_of(inst, fun, &[value])?;
                let (first, second) = both.split_at(both.len() / 2);
                self.store_to(inst, pointer, second)?;
                first.to_vec()
            }
            G::InterpolateAtCentroid | G::InterpolateAtSample | G::InterpolateAtOffset => {
                self.interpolate(inst, op, ids)?
            }
            _ => {
                let Some((fun, kind)) = function(op) else {
                    return self.module.lacks(inst, format!("the function {op:?}"));
                };
                let (count, size) = shape(op);
                if ids.len() != count {
                    return self.error(inst, format!("it has {count} operands"));
                }
                let first = self.words(inst, ids[0])?.len();
                for (at, &id) in ids.iter().enumerate() {
                    let found = self.words(inst, id)?.len();
                    let wanted = match op {
                        G::Refract if at == 2 => 1,
                        _ => size.unwrap_or(first),
                    };
                    if found != wanted {
                        let name = self.module.name(id);
                        let message = format!("{name} has {found} components, not {wanted}");
                        return self.error(inst, message);
                    }
                }
                let ty = match first {
                    1 => Ty::Scalar(kind),
                    _ => Ty::Vector(first as u32, kind),
                };
                self.function_as(inst, fun, &ty, ids)?
            }
        };
        let words = match self.module.sized {
            true => self.fit(inst, words)?,
            false => words,
        };
        self.set(inst, Val::Words(words.into()))
    }
}
