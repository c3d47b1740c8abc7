//! Built-in functions on bits: fields, counts, packing.

use naga::MathFunction;

use super::Writer;
use super::types::Kind;
use crate::ir::{Builder, LaneOp, Value};

/// How normalised numbers are packed.
#[derive(Clone, Copy)]
struct Packed {
    /// Bits of each.
    bits: u32,
    /// Two's complement.
    signed: bool,
}

impl Packed {
    fn lanes(self) -> u32 {
        32 / self.bits
    }

    /// The number that stands for one.
    fn one(self) -> f32 {
        let bits = self.bits - u32::from(self.signed);
        ((1u32 << bits) - 1) as f32
    }
}

const SNORM8: Packed = Packed {
    bits: 8,
    signed: true,
};
const UNORM8: Packed = Packed {
    bits: 8,
    signed: false,
};
const SNORM16: Packed = Packed {
    bits: 16,
    signed: true,
};
const UNORM16: Packed = Packed {
    bits: 16,
    signed: false,
};

impl Writer {
    /// Functions of single integers.
    pub(crate) fn bit_field(
        &mut self,
        fun: MathFunction,
        kind: Kind,
        [a, b, c]: [Value; 3],
        d: Option<Value>,
    ) -> Option<Value> {
        use MathFunction as M;
        Some(match fun {
            M::CountTrailingZeros => {
                let zeros = self.b.alu(LaneOp::FirstLow, &[a]);
                self.at_most_32(zeros)
            }
            M::CountLeadingZeros => {
                let zeros = self.b.alu(LaneOp::FirstHighU, &[a]);
                self.at_most_32(zeros)
            }
            M::CountOneBits => {
                let zero = self.b.word(0);
                self.b.alu(LaneOp::BitCount, &[a, zero])
            }
            M::ReverseBits => self.b.alu(LaneOp::BitReverse, &[a]),
            M::FirstTrailingBit => self.b.alu(LaneOp::FirstLow, &[a]),
            M::FirstLeadingBit => {
                let op = match kind {
                    Kind::I32 => LaneOp::FirstHighI,
                    _ => LaneOp::FirstHighU,
                };
                let from_top = self.b.alu(op, &[a]);
                let (none, top) = (self.b.word(u32::MAX), self.b.word(31));
                let missing = self.b.alu(LaneOp::IEq, &[from_top, none]);
                let from_bottom = self.b.alu(LaneOp::ISub, &[top, from_top]);
                self.b.select(missing, none, from_bottom)
            }
            M::ExtractBits => {
                let (offset, count, all) = self.field(b, c);
                let op = match kind {
                    Kind::I32 => LaneOp::BfeI,
                    _ => LaneOp::BfeU,
                };
                let part = self.b.alu(op, &[a, offset, count]);
                self.b.select(all, a, part)
            }
            M::InsertBits => {
                let (offset, count, all) = self.field(c, d?);
                let mask = self.b.alu(LaneOp::Bfm, &[count, offset]);
                let ones = self.b.word(u32::MAX);
                let mask = self.b.select(all, ones, mask);
                let bits = self.b.alu(LaneOp::Shl, &[b, offset]);
                self.b.alu(LaneOp::Bfi, &[mask, bits, a])
            }
            _ => return None,
        })
    }

    fn at_most_32(&mut self, count: Value) -> Value {
        let limit = self.b.word(32);
        self.b.alu(LaneOp::UMin, &[count, limit])
    }

    /// Offset and count cut down to the word, and whether the field is the whole word (which the lane operations,
    /// with their five-bit counts, cannot say).
    fn field(&mut self, offset: Value, count: Value) -> (Value, Value, Value) {
        let width = self.b.word(32);
        let offset = self.b.alu(LaneOp::UMin, &[offset, width]);
        let room = self.b.alu(LaneOp::ISub, &[width, offset]);
        let count = self.b.alu(LaneOp::UMin, &[count, room]);
        let all = self.b.alu(LaneOp::IEq, &[count, width]);
        (offset, count, all)
    }

    /// Functions between vectors and packed words.
    pub(crate) fn packing(
        &mut self,
        fun: MathFunction,
        a: &[Value],
        b: &[Value],
    ) -> Option<Vec<Value>> {
        use MathFunction as M;
        Some(match fun {
            M::Pack4x8snorm => vec![self.pack_norm(a, SNORM8)],
            M::Pack4x8unorm => vec![self.pack_norm(a, UNORM8)],
            M::Pack2x16snorm => vec![self.pack_norm(a, SNORM16)],
            M::Pack2x16unorm => vec![self.pack_norm(a, UNORM16)],
            M::Pack2x16float => {
                vec![self.pack(a, 16, |b, v| b.alu(LaneOp::F32ToF16, &[v]))]
            }
            M::Pack4xI8 | M::Pack4xU8 => {
                let mask = self.b.word(255);
                vec![self.pack(a, 8, |b, v| b.alu(LaneOp::And, &[v, mask]))]
            }
            M::Pack4xU8Clamp => {
                let most = self.b.word(255);
                vec![self.pack(a, 8, |b, v| b.alu(LaneOp::UMin, &[v, most]))]
            }
            M::Pack4xI8Clamp => {
                let [least, most] = [-128i32 as u32, 127].map(|v| self.b.word(v));
                let mask = self.b.word(255);
                vec![self.pack(a, 8, |b, v| {
                    let v = b.alu(LaneOp::IMed3, &[v, least, most]);
                    b.alu(LaneOp::And, &[v, mask])
                })]
            }
            M::Unpack4x8snorm => self.unpack_norm(a[0], SNORM8),
            M::Unpack4x8unorm => self.unpack_norm(a[0], UNORM8),
            M::Unpack2x16snorm => self.unpack_norm(a[0], SNORM16),
            M::Unpack2x16unorm => self.unpack_norm(a[0], UNORM16),
            M::Unpack2x16float => {
                let high = self.shift_right(a[0], 16);
                [a[0], high]
                    .map(|v| self.b.alu(LaneOp::F16ToF32, &[v]))
                    .to_vec()
            }
            M::Unpack4xI8 => self.split(a[0], SNORM8),
            M::Unpack4xU8 => self.split(a[0], UNORM8),
            M::Dot4I8Packed => vec![self.packed_dot(a[0], b[0], SNORM8)],
            M::Dot4U8Packed => vec![self.packed_dot(a[0], b[0], UNORM8)],
            _ => return None,
        })
    }

    fn shift_right(&mut self, value: Value, bits: u32) -> Value {
        let bits = self.b.word(bits);
        self.b.alu(LaneOp::Shr, &[value, bits])
    }

    /// A word of what `part` makes of each value, `bits` wide.
    fn pack(
        &mut self,
        values: &[Value],
        bits: u32,
        mut part: impl FnMut(&mut Builder, Value) -> Value,
    ) -> Value {
        let parts: Vec<Value> = values.iter().map(|&v| part(&mut self.b, v)).collect();
        self.join(&parts, bits)
    }

    /// Fields side by side, the first lowest.
    fn join(&mut self, fields: &[Value], bits: u32) -> Value {
        let mut word = self.b.word(0);
        for (at, &field) in fields.iter().enumerate() {
            let shift = self.b.word(bits * at as u32);
            let field = self.b.alu(LaneOp::Shl, &[field, shift]);
            word = self.b.alu(LaneOp::Or, &[word, field]);
        }
        word
    }

    /// The fields as integers.
    fn split(&mut self, word: Value, packed: Packed) -> Vec<Value> {
        let op = if packed.signed {
            LaneOp::BfeI
        } else {
            LaneOp::BfeU
        };
        let width = self.b.word(packed.bits);
        (0..packed.lanes())
            .map(|at| {
                let offset = self.b.word(packed.bits * at);
                self.b.alu(op, &[word, offset, width])
            })
            .collect()
    }

    fn packed_dot(&mut self, a: Value, b: Value, packed: Packed) -> Value {
        let (a, b) = (self.split(a, packed), self.split(b, packed));
        let mut sum = self.b.word(0);
        for (a, b) in a.into_iter().zip(b) {
            let product = self.b.alu(LaneOp::IMul, &[a, b]);
            sum = self.b.alu(LaneOp::IAdd, &[product, sum]);
        }
        sum
    }

    fn pack_norm(&mut self, values: &[Value], packed: Packed) -> Value {
        let low = self.b.float(if packed.signed { -1.0 } else { 0.0 });
        let high = self.b.float(1.0);
        let mask = self.b.word((1u64 << packed.bits) as u32 - 1);
        let mut fields = Vec::new();
        for &value in values {
            let value = self.b.alu(LaneOp::FMed3, &[value, low, high]);
            let value = self.times(value, packed.one());
            let value = self.b.alu(LaneOp::F32ToI32Round, &[value]);
            fields.push(self.b.alu(LaneOp::And, &[value, mask]));
        }
        self.join(&fields, packed.bits)
    }

    fn unpack_norm(&mut self, word: Value, packed: Packed) -> Vec<Value> {
        let fields = self.split(word, packed);
        let least = self.b.float(-1.0);
        fields
            .into_iter()
            .map(|field| {
                if packed.signed {
                    let value = self.b.alu(LaneOp::I32ToF32, &[field]);
                    let value = self.times(value, 1.0 / packed.one());
                    self.b.alu(LaneOp::FMax, &[value, least])
                } else {
                    let value = self.b.alu(LaneOp::U32ToF32, &[field]);
                    self.times(value, 1.0 / packed.one())
                }
            })
            .collect()
    }
}
