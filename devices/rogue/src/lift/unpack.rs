//! UNPCK: a component of packed data to a float. [Rogue 9.2]

use lanes::LaneOp::*;
use lanes::Src;

use super::LiftError;
use super::flow::Lifter;
use super::local::Local;
use super::pack::{Field, Kind, fields};
use super::port::Port;
use crate::isa::Format;

impl Lifter<'_> {
    /// Component `element` of `from`. `scale` means rounding towards zero for integers of 32 bits.
    pub(super) fn unpack(
        &mut self,
        format: Format,
        element: u8,
        scale: bool,
        from: Src,
    ) -> Result<Src, LiftError> {
        Ok(match format {
            Format::F32 => from,
            Format::F32MASK => self.op(FAbs, &[from]),
            Format::U32 if scale => self.op(U32ToF32Mode, &[from, Src::Const(3)]),
            Format::U32 => self.op(U32ToF32, &[from]),
            Format::S32 if scale => self.op(I32ToF32Mode, &[from, Src::Const(3)]),
            Format::S32 => self.op(I32ToF32, &[from]),
            Format::SE9995 => {
                let dst = self.row();
                self.call(Port::Local(Local::UnpackSe9995 {
                    dst,
                    from,
                    channel: element,
                }));
                Src::Row(dst)
            }
            Format::COV | Format::CONST0 | Format::CONST1 => {
                return Err(self.meaningless("UNPCK of a format that is only packed"));
            }
            format => match fields(format).get(usize::from(element)) {
                Some(field) => self.unpack_field(*field, scale, from),
                // Components that the format does not have.
                None => Src::Const(0),
            },
        })
    }

    fn unpack_field(&mut self, field: Field, scale: bool, from: Src) -> Src {
        let Field { at, width, kind } = field;
        let place = [from, Src::Const(at), Src::Const(width)];
        let most = |bits: u32| Src::Const((((1u64 << bits) - 1) as f32).to_bits());
        match kind {
            Kind::Half => {
                let bits = match at {
                    0 => from,
                    at => self.op(Shr, &[from, Src::Const(at)]),
                };
                self.op(F16ToF32, &[bits])
            }
            Kind::Small => {
                let bits = self.op(BfeU, &place);
                let dst = self.row();
                self.call(Port::Local(Local::UnpackSmall {
                    dst,
                    from: bits,
                    mantissa: width as u8 - 5,
                }));
                Src::Row(dst)
            }
            Kind::Unsigned | Kind::Integer => {
                let number = match (width, at) {
                    (8, 0) => self.op(Byte0ToF32, &[from]),
                    (8, 8) => self.op(Byte1ToF32, &[from]),
                    (8, 16) => self.op(Byte2ToF32, &[from]),
                    (8, 24) => self.op(Byte3ToF32, &[from]),
                    _ => {
                        let bits = self.op(BfeU, &place);
                        self.op(U32ToF32, &[bits])
                    }
                };
                match scale && kind == Kind::Unsigned {
                    true => self.divided(number, most(width)),
                    false => number,
                }
            }
            Kind::Signed | Kind::Offset => {
                let bits = match kind {
                    Kind::Offset => {
                        let bits = self.op(BfeU, &place);
                        self.op(ISub, &[bits, Src::Const(1 << (width - 1))])
                    }
                    _ => self.op(BfeI, &place),
                };
                let number = self.op(I32ToF32, &[bits]);
                match scale {
                    true => {
                        let number = self.divided(number, most(width - 1));
                        self.op(FMax, &[number, Src::Const((-1f32).to_bits())])
                    }
                    false => number,
                }
            }
            Kind::OpenGl => {
                let bits = self.op(BfeI, &place);
                match scale {
                    true => {
                        let twice = self.op(Shl, &[bits, Src::Const(1)]);
                        let odd = self.op(IAdd, &[twice, Src::Const(1)]);
                        let number = self.op(I32ToF32, &[odd]);
                        self.divided(number, most(width))
                    }
                    false => self.op(I32ToF32, &[bits]),
                }
            }
        }
    }

    /// The quotient of integers: no denormal.
    fn divided(&mut self, number: Src, by: Src) -> Src {
        let value = self.op(FDiv, &[number, by]);
        if let Src::Row(row) = value {
            self.clean.insert(row);
        }
        value
    }
}
