//! What every lane operation computes, defined once.
//!
//! An arithmetic NaN is `0x7fc00000` (`0x7ff8000000000000` in double precision), as hosts disagree on sign and payload.
//! Moves, sign operations and selections keep their bits. Denormals are kept; a chip that flushes composes `FFlush`.

use host::Separate;

use crate::arithmetic::Host;
use crate::{divide, double, math, quarter, round, transcendental};

/// The type of an operand or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// IEEE single.
    F32,
    /// 32 bits.
    U32,
    /// 32 bits, two's complement.
    I32,
    /// 0 or 1.
    Bool,
    /// IEEE double, two registers.
    F64,
    /// 64 bits, two registers.
    U64,
    /// 64 bits, two's complement, two registers.
    I64,
}

/// A Rust type that an operation may take or give; bits travel as `u64`, the low half first.
trait Value: Copy {
    const OPERAND: Operand;
    fn from_bits(bits: u64) -> Self;
    fn into_bits(self) -> u64;
}

macro_rules! values {
    ($($ty:ty, $operand:ident, |$b:ident| $from:expr, |$v:ident| $into:expr;)*) => {$(
        impl Value for $ty {
            const OPERAND: Operand = Operand::$operand;
            #[inline(always)]
            fn from_bits($b: u64) -> Self { $from }
            #[inline(always)]
            fn into_bits(self) -> u64 { let $v = self; $into }
        }
    )*};
}

values! {
    f32, F32, |b| f32::from_bits(b as u32), |v| u64::from(v.to_bits());
    u32, U32, |b| b as u32, |v| u64::from(v);
    i32, I32, |b| b as u32 as i32, |v| u64::from(v as u32);
    bool, Bool, |b| b as u32 != 0, |v| u64::from(v);
    f64, F64, |b| f64::from_bits(b), |v| v.to_bits();
    u64, U64, |b| b, |v| v;
    i64, I64, |b| b as i64, |v| v as u64;
}

/// One operation as a type, so that a loop over lanes can be compiled around it.
pub(crate) trait Function {
    /// Operands and result as bits.
    type Word: Copy;
    /// Position in its table.
    const INDEX: usize;
    /// Number of operands.
    const ARITY: usize;
    /// The result is 0 or 1.
    const BOOL: bool;
    /// The operation on one lane of the host `H`; every host gives the same bits.
    fn eval<H: Host>(args: [Self::Word; 3]) -> Self::Word;
}

/// Is told the type of an operation by `visit`.
pub(crate) trait Visit<Word> {
    /// What the visit gives.
    type Out;
    /// Called with the operation's type.
    fn visit<F: Function<Word = Word>>(self) -> Self::Out;
}

macro_rules! ops {
    (
        $(#[$doc:meta])* enum $Enum:ident, $word:ty, $module:ident;
        $($(#[$m:meta])* $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty $body:block)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $Enum { $($(#[$m])* $name),* }

        /// The operations as types.
        pub(crate) mod $module {
            use super::*;
            $(
                pub(crate) struct $name;

                impl Function for $name {
                    type Word = $word;
                    const INDEX: usize = $Enum::$name as usize;
                    const BOOL: bool = matches!(<$ret as Value>::OPERAND, Operand::Bool);
                    const ARITY: usize = [$(stringify!($arg)),*].len();

                    #[inline(always)]
                    fn eval<H: Host>(args: [$word; 3]) -> $word {
                        let mut _index = 0;
                        $(
                            let $arg = <$ty as Value>::from_bits(u64::from(args[_index]));
                            _index += 1;
                        )*
                        let result: $ret = $body;
                        result.into_bits() as $word
                    }
                }
            )*
        }

        impl $Enum {
            /// Every operation, in table order.
            pub const ALL: &[$Enum] = &[$($Enum::$name),*];

            /// The name in program text.
            pub const fn name(self) -> &'static str {
                match self { $($Enum::$name => stringify!($name)),* }
            }

            /// The operation of this name.
            pub fn from_name(name: &str) -> Option<$Enum> {
                match name { $(stringify!($name) => Some($Enum::$name),)* _ => None }
            }

            /// Operand types, in order.
            pub const fn params(self) -> &'static [Operand] {
                match self { $($Enum::$name => &[$(<$ty as Value>::OPERAND),*]),* }
            }

            /// Result type.
            pub const fn result(self) -> Operand {
                match self { $($Enum::$name => <$ret as Value>::OPERAND),* }
            }

            /// The operation on one lane: its meaning, and the oracle of every faster way to run it.
            #[inline]
            pub fn eval(self, args: [$word; 3]) -> $word {
                match self {
                    $($Enum::$name => <$module::$name as Function>::eval::<Separate>(args)),*
                }
            }

            /// Tells a visitor the type of this operation.
            pub(crate) fn visit<V: Visit<$word>>(self, visitor: V) -> V::Out {
                match self {
                    $($Enum::$name => visitor.visit::<$module::$name>()),*
                }
            }
        }
    };
}

/// Arithmetic's result: one bit pattern for NaN.
///
/// Chosen between bits, as the compiler may take any NaN for another as long as it sees floats.
#[inline(always)]
pub(crate) fn canon(x: f32) -> f32 {
    f32::from_bits(if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() })
}

/// [`canon`] in double precision.
#[inline(always)]
pub(crate) fn canon64(x: f64) -> f64 {
    let bits = x.to_bits();
    let nan = bits & !(1 << 63) > 0x7ff0_0000_0000_0000;
    f64::from_bits(if nan { 0x7ff8_0000_0000_0000 } else { bits })
}

/// A denormal becomes zero of its sign.
#[inline(always)]
pub(crate) fn flush(x: f32) -> f32 {
    let bits = x.to_bits();
    f32::from_bits(if bits & 0x7f80_0000 == 0 {
        bits & 0x8000_0000
    } else {
        bits
    })
}

ops! {
    /// An operation on 32-bit operands.
    enum LaneOp, u32, lane;

    // ---- bits ----
    /// The operand.
    Mov(a: u32) -> u32 { a }
    /// Bitwise and.
    And(a: u32, b: u32) -> u32 { a & b }
    /// Bitwise or.
    Or(a: u32, b: u32) -> u32 { a | b }
    /// Bitwise exclusive or.
    Xor(a: u32, b: u32) -> u32 { a ^ b }
    /// Bitwise complement.
    Not(a: u32) -> u32 { !a }
    /// `a` and not `b`.
    AndNot(a: u32, b: u32) -> u32 { a & !b }
    /// `a` or not `b`.
    OrNot(a: u32, b: u32) -> u32 { a | !b }
    /// Field of `a` at bit `b & 31`, bits 22:16 of `b` wide, zero-extended; zero when the width is 0.
    FieldU(a: u32, b: u32) -> u32 { math::field_u(u64::from(a), b & 31, b >> 16 & 127, 32) as u32 }
    /// The same, sign-extended.
    FieldI(a: u32, b: u32) -> u32 { math::field_i(u64::from(a), b & 31, b >> 16 & 127, 32) as u32 }
    /// Every quad of four bits becomes all ones when one of its bits is set.
    WholeQuads32(a: u32) -> u32 { math::whole_quads(u64::from(a)) as u32 }
    /// Bit `i` is set when one of bits `4i..4i+4` is.
    QuadMask32(a: u32) -> u32 { math::quad_mask(u64::from(a)) as u32 }
    /// Left shift by `b` modulo 32.
    Shl(a: u32, b: u32) -> u32 { a << (b & 31) }
    /// Logical right shift by `b` modulo 32.
    Shr(a: u32, b: u32) -> u32 { a >> (b & 31) }
    /// Arithmetic right shift by `b` modulo 32.
    Sar(a: i32, b: u32) -> i32 { a >> (b & 31) }
    /// Left shift by `b`; zero above 31.
    ShlOver(a: u32, b: u32) -> u32 { if b > 31 { 0 } else { a << (b & 31) } }
    /// Logical right shift by `b`; zero above 31.
    ShrOver(a: u32, b: u32) -> u32 { if b > 31 { 0 } else { a >> (b & 31) } }
    /// Arithmetic right shift by `b`; copies of the sign above 31.
    SarOver(a: i32, b: u32) -> i32 { a >> b.min(31) }
    /// Field of `a` at bit `b & 31`, `c & 31` bits wide, zero-extended; zero when the width is 0.
    BfeU(a: u32, b: u32, c: u32) -> u32 { math::bfe_u(a, b & 31, c & 31) }
    /// Field of `a` at bit `b & 31`, `c & 31` bits wide, sign-extended; zero when the width is 0.
    BfeI(a: u32, b: u32, c: u32) -> u32 { math::bfe_i(a, b & 31, c & 31) }
    /// Bits of `b` where `a` is set, of `c` elsewhere.
    Bfi(a: u32, b: u32, c: u32) -> u32 { (a & b) | (!a & c) }
    /// `a & 31` ones at bit `b & 31`.
    Bfm(a: u32, b: u32) -> u32 { ((1u32 << (a & 31)) - 1) << (b & 31) }
    /// Low word of `{a, b} >> (c & 31)`; `a` is the high word.
    AlignBit(a: u32, b: u32, c: u32) -> u32 { ((u64::from(a) << 32 | u64::from(b)) >> (c & 31)) as u32 }
    /// Low word of `{a, b} >> 8 * (c & 3)`.
    AlignByte(a: u32, b: u32, c: u32) -> u32 { ((u64::from(a) << 32 | u64::from(b)) >> (8 * (c & 3))) as u32 }
    /// Number of ones in `a`, plus `b`.
    BitCount(a: u32, b: u32) -> u32 { a.count_ones().wrapping_add(b) }
    /// Bits in reverse order.
    BitReverse(a: u32) -> u32 { a.reverse_bits() }
    /// Zeros above the highest one; all ones for 0.
    FirstHighU(a: u32) -> u32 { if a == 0 { u32::MAX } else { a.leading_zeros() } }
    /// Sign copies above the highest bit that differs from the sign; all ones for 0 and -1. The sign bit counts.
    FirstHighI(a: u32) -> u32 {
        if a == 0 || a == u32::MAX { u32::MAX } else { (a ^ ((a as i32 >> 31) as u32)).leading_zeros() }
    }
    /// Zeros below the lowest one; all ones for 0.
    FirstLow(a: u32) -> u32 { if a == 0 { u32::MAX } else { a.trailing_zeros() } }
    /// `a` if `c` is not zero, else `b`.
    Pick(a: u32, b: u32, c: bool) -> u32 { if c { a } else { b } }

    // ---- integers ----
    /// Sum modulo 2^32.
    IAdd(a: u32, b: u32) -> u32 { a.wrapping_add(b) }
    /// Difference modulo 2^32.
    ISub(a: u32, b: u32) -> u32 { a.wrapping_sub(b) }
    /// Low word of the product.
    IMul(a: u32, b: u32) -> u32 { a.wrapping_mul(b) }
    /// High word of the unsigned product.
    UMulHigh(a: u32, b: u32) -> u32 { ((u64::from(a) * u64::from(b)) >> 32) as u32 }
    /// High word of the signed product.
    IMulHigh(a: i32, b: i32) -> i32 { ((i64::from(a) * i64::from(b)) >> 32) as i32 }
    /// `a * b + c` of the low words.
    IMad(a: u32, b: u32, c: u32) -> u32 { a.wrapping_mul(b).wrapping_add(c) }
    /// Low word of the product of the sign-extended low 24 bits.
    IMul24(a: u32, b: u32) -> u32 { math::sext24(a).wrapping_mul(math::sext24(b)) as u32 }
    /// Low word of the product of the low 24 bits.
    UMul24(a: u32, b: u32) -> u32 { (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff) }
    /// Bits 47:32 of the product of the sign-extended low 24 bits, sign-extended.
    IMulHigh24(a: u32, b: u32) -> u32 { ((i64::from(math::sext24(a)) * i64::from(math::sext24(b))) >> 32) as u32 }
    /// Bits 47:32 of the product of the low 24 bits.
    UMulHigh24(a: u32, b: u32) -> u32 { ((u64::from(a & 0xff_ffff) * u64::from(b & 0xff_ffff)) >> 32) as u32 }
    /// `IMul24(a, b) + c`.
    IMad24(a: u32, b: u32, c: u32) -> u32 { (math::sext24(a).wrapping_mul(math::sext24(b)) as u32).wrapping_add(c) }
    /// `UMul24(a, b) + c`.
    UMad24(a: u32, b: u32, c: u32) -> u32 { (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff).wrapping_add(c) }
    /// Unsigned quotient rounded toward zero; all ones when `b` is 0.
    UDiv(a: u32, b: u32) -> u32 { math::udiv(a, b) }
    /// Unsigned remainder; `a` when `b` is 0.
    URem(a: u32, b: u32) -> u32 { a.wrapping_sub(math::udiv(a, b).wrapping_mul(if b == 0 { 0 } else { b })) }
    /// 2^32 / `a` rounded down; all ones for 0 and 1.
    URcp(a: u32) -> u32 { math::urcp(a) }
    /// 2^31 / `a` rounded toward zero, saturating; the largest number for 0.
    IRcp(a: i32) -> i32 { math::ircp(a) }
    /// Signed minimum.
    IMin(a: i32, b: i32) -> i32 { a.min(b) }
    /// Signed maximum.
    IMax(a: i32, b: i32) -> i32 { a.max(b) }
    /// Unsigned minimum.
    UMin(a: u32, b: u32) -> u32 { a.min(b) }
    /// Unsigned maximum.
    UMax(a: u32, b: u32) -> u32 { a.max(b) }
    /// Signed minimum of three.
    IMin3(a: i32, b: i32, c: i32) -> i32 { a.min(b).min(c) }
    /// Signed maximum of three.
    IMax3(a: i32, b: i32, c: i32) -> i32 { a.max(b).max(c) }
    /// Signed median.
    IMed3(a: i32, b: i32, c: i32) -> i32 { a.min(b).max(a.max(b).min(c)) }
    /// Unsigned minimum of three.
    UMin3(a: u32, b: u32, c: u32) -> u32 { a.min(b).min(c) }
    /// Unsigned maximum of three.
    UMax3(a: u32, b: u32, c: u32) -> u32 { a.max(b).max(c) }
    /// Unsigned median.
    UMed3(a: u32, b: u32, c: u32) -> u32 { a.min(b).max(a.max(b).min(c)) }
    /// Magnitude; the most negative number stays itself.
    IAbs(a: i32) -> i32 { a.wrapping_abs() }
    /// Low word of the magnitude of the signed difference.
    AbsDiff(a: i32, b: i32) -> u32 { a.abs_diff(b) }
    /// Carry out of `a + b`.
    CarryAdd(a: u32, b: u32) -> bool { a.checked_add(b).is_none() }
    /// Carry out of `a + b + c`, `c` 0 or 1.
    CarryAdd3(a: u32, b: u32, c: u32) -> bool { u64::from(a) + u64::from(b) + u64::from(c) > 0xffff_ffff }
    /// Borrow out of `a - b - c`, `c` 0 or 1.
    BorrowSub3(a: u32, b: u32, c: u32) -> bool { u64::from(a) < u64::from(b) + u64::from(c) }
    /// Signed overflow of `a + b`.
    OverflowAdd(a: i32, b: i32) -> bool { a.checked_add(b).is_none() }
    /// Signed overflow of `a - b`.
    OverflowSub(a: i32, b: i32) -> bool { a.checked_sub(b).is_none() }
    /// Sum of absolute differences of four bytes, plus `c`.
    SadU8(a: u32, b: u32, c: u32) -> u32 { math::sad_u8(a, b).wrapping_add(c) }
    /// Sum of absolute differences of four bytes, shifted left by 16, plus `c`.
    SadHighU8(a: u32, b: u32, c: u32) -> u32 { (math::sad_u8(a, b) << 16).wrapping_add(c) }
    /// As `SadU8`, skipping bytes where the byte of `b` is zero.
    MaskedSadU8(a: u32, b: u32, c: u32) -> u32 { math::masked_sad_u8(a, b).wrapping_add(c) }
    /// Sum of absolute differences of two halves, plus `c`.
    SadU16(a: u32, b: u32, c: u32) -> u32 { math::sad_u16(a, b).wrapping_add(c) }
    /// Absolute difference plus `c`.
    SadU32(a: u32, b: u32, c: u32) -> u32 { a.abs_diff(b).wrapping_add(c) }
    /// Per byte `(a + b + (c & 1)) >> 1`.
    LerpU8(a: u32, b: u32, c: u32) -> u32 { math::lerp_u8(a, b, c) }

    // ---- single precision ----
    /// Sum, round to nearest even.
    FAdd(a: f32, b: f32) -> f32 { H::canon(a + b) }
    /// Difference.
    FSub(a: f32, b: f32) -> f32 { H::canon(a - b) }
    /// Product.
    FMul(a: f32, b: f32) -> f32 { H::canon(a * b) }
    /// Product in which zero times anything is +0.
    FMulZero(a: f32, b: f32) -> f32 { canon(if (a == 0.0) | (b == 0.0) { 0.0 } else { a * b }) }
    /// `a * b + c`, rounded after each operation.
    FMad(a: f32, b: f32, c: f32) -> f32 { H::canon(a * b + c) }
    /// `-(a * b)`.
    FMulNeg(a: f32, b: f32) -> f32 { H::canon(-a * b) }
    /// `c - a * b`, rounded after each operation.
    FMadNeg(a: f32, b: f32, c: f32) -> f32 { H::canon(c - a * b) }
    /// `a * b - c`, rounded after each operation.
    FMadSub(a: f32, b: f32, c: f32) -> f32 { H::canon(a * b - c) }
    /// `FMulZero(a, b) + c`.
    FMadZero(a: f32, b: f32, c: f32) -> f32 { canon(if (a == 0.0) | (b == 0.0) { 0.0 } else { a * b } + c) }
    /// `a * b + c`, rounded once.
    FFma(a: f32, b: f32, c: f32) -> f32 { canon(H::fma(a, b, c)) }
    /// `c - a * b`, rounded once.
    FFmaNeg(a: f32, b: f32, c: f32) -> f32 { canon(H::fma(-a, b, c)) }
    /// `a * b - c`, rounded once.
    FFmaSub(a: f32, b: f32, c: f32) -> f32 { canon(H::fma(a, b, -c)) }
    /// Sign flipped.
    FNeg(a: u32) -> u32 { a ^ 0x8000_0000 }
    /// Sign cleared.
    FAbs(a: u32) -> u32 { a & 0x7fff_ffff }
    /// Minimum: the other operand when one is NaN; -0 is below +0.
    FMin(a: f32, b: f32) -> f32 { math::min(a, b) }
    /// Maximum: the other operand when one is NaN; -0 is below +0.
    FMax(a: f32, b: f32) -> f32 { math::max(a, b) }
    /// `a < b ? a : b`.
    FMinLegacy(a: f32, b: f32) -> f32 { if a < b { a } else { b } }
    /// `a >= b ? a : b`.
    FMaxLegacy(a: f32, b: f32) -> f32 { if a >= b { a } else { b } }
    /// Minimum of three.
    FMin3(a: f32, b: f32, c: f32) -> f32 { math::min(math::min(a, b), c) }
    /// Maximum of three.
    FMax3(a: f32, b: f32, c: f32) -> f32 { math::max(math::max(a, b), c) }
    /// Median; the minimum of the three when one is NaN.
    FMed3(a: f32, b: f32, c: f32) -> f32 { math::med3(a, b, c) }
    /// Clamped to 0..1; NaN gives 0.
    FSat(a: f32) -> f32 { math::saturate(a) }
    /// Clamped to 0..1; NaN stays.
    FSatKeep(a: f32) -> f32 { canon(if a.is_nan() { a } else { math::saturate(a) }) }
    /// Denormals become zero of the same sign.
    FFlush(a: u32) -> u32 { if a & 0x7f80_0000 == 0 { a & 0x8000_0000 } else { a } }
    /// Denormals become zero of the same sign, NaN becomes 0x7fffffff.
    FFlushNan(a: u32) -> u32 {
        let magnitude = a & 0x7fff_ffff;
        let flushed = if magnitude < 0x0080_0000 { a & 0x8000_0000 } else { a };
        if magnitude > 0x7f80_0000 { 0x7fff_ffff } else { flushed }
    }
    /// `FFlush` of the sum.
    FAddFlush(a: f32, b: f32) -> f32 { flush(H::canon(a + b)) }
    /// `FFlush` of the difference.
    FSubFlush(a: f32, b: f32) -> f32 { flush(H::canon(a - b)) }
    /// `FFlush` of the product.
    FMulFlush(a: f32, b: f32) -> f32 { flush(H::canon(a * b)) }
    /// `FFlush` of `a * b + c`, rounded after each operation.
    FMadFlush(a: f32, b: f32, c: f32) -> f32 { flush(H::canon(a * b + c)) }
    /// `FFlush` of `c - a * b`, rounded after each operation.
    FMadNegFlush(a: f32, b: f32, c: f32) -> f32 { flush(H::canon(c - a * b)) }
    /// Largest integer not above.
    FFloor(a: f32) -> f32 { canon(H::floor(a)) }
    /// Smallest integer not below.
    FCeil(a: f32) -> f32 { canon(H::ceil(a)) }
    /// Toward zero.
    FTrunc(a: f32) -> f32 { canon(H::trunc(a)) }
    /// To the nearest integer, ties to even.
    FRound(a: f32) -> f32 { canon(H::round_even(a)) }
    /// `a - floor(a)`, below 1.
    FFract(a: f32) -> f32 { canon(math::fract_of(a, H::floor(a))) }
    /// `a - floor(a)`, rounded: 1 just below an integer.
    FFractOne(a: f32) -> f32 { canon(a - H::floor(a)) }
    /// Reciprocal, correctly rounded.
    FRcp(a: f32) -> f32 { canon(1.0 / a) }
    /// Reciprocal in which an infinite result becomes zero of its sign and +-0 gives +0.
    FRcpLegacy(a: f32) -> f32 { if a == 0.0 || (1.0 / a).is_infinite() { 0.0f32.copysign(if a == 0.0 { 0.0 } else { a }) } else { canon(1.0 / a) } }
    /// Reciprocal square root in which +-0 gives +0.
    FRsqLegacy(a: f32) -> f32 { if a == 0.0 { 0.0 } else { canon(transcendental::rsq::<H>(a)) } }
    /// Quotient, correctly rounded.
    FDiv(a: f32, b: f32) -> f32 { canon(a / b) }
    /// Reciprocal square root, within 1 ulp. -0 gives -inf.
    FRsq(a: f32) -> f32 { canon(transcendental::rsq::<H>(a)) }
    /// Square root, correctly rounded.
    FSqrt(a: f32) -> f32 { canon(a.sqrt()) }
    /// 2 to the power `a`, within 1 ulp, exact for integers.
    FExp2(a: f32) -> f32 { canon(transcendental::exp2::<H>(a)) }
    /// Logarithm to base 2, within 1 ulp, exact for powers of 2.
    FLog2(a: f32) -> f32 { canon(transcendental::log2::<H>(a)) }
    /// Sine of `a` revolutions; 0 outside -256..256.
    FSinTurns(a: f32) -> f32 { canon(transcendental::sin_turns::<H>(a)) }
    /// Cosine of `a` revolutions; 1 outside -256..256.
    FCosTurns(a: f32) -> f32 { canon(transcendental::cos_turns::<H>(a)) }
    /// Sine of `a` radians, within 1 ulp on -pi..pi; 0 outside -256..256.
    FSin(a: f32) -> f32 { canon(transcendental::sin(a)) }
    /// Cosine of `a` radians, within 1 ulp on -pi..pi; 1 outside -256..256.
    FCos(a: f32) -> f32 { canon(transcendental::cos(a)) }
    /// `x` in -1..1 such that the sine of `a` radians is that of `x` quarter turns; no denormal. NaN for infinity.
    FQuarterSin(a: f32) -> f32 { canon(quarter::sin_argument(a)) }
    /// `x` in -1..1 such that the cosine of `a` radians is the sine of `x` quarter turns; no denormal. NaN for infinity.
    FQuarterCos(a: f32) -> f32 { canon(quarter::cos_argument(a)) }
    /// The sine of `a` quarter turns, -1..1, divided by `a`, within 1 ulp; pi/2 where the biased exponent is below 103.
    FQuarterSinc(a: f32) -> f32 { canon(quarter::sinc(a)) }
    /// The arc tangent of `a` divided by `a`, within 1 ulp; 1 below 0x39c00000.
    FArcTanC(a: f32) -> f32 { canon(quarter::arctan_ratio(a)) }
    /// `a * 2^b`, rounded once.
    FLdexp(a: f32, b: i32) -> f32 { canon(math::ldexp(a, b)) }
    /// Exponent such that `a = m * 2^e` with `m` in 0.5..1; 0 for zero, infinity and NaN.
    FFrexpExp(a: f32) -> i32 { math::frexp_exp(a) }
    /// The mantissa of the same; infinity and NaN unchanged.
    FFrexpMant(a: f32) -> f32 { math::frexp_mant(a) }
    /// Number of the cube face of direction (a, b, c), 0..5 for +x -x +y -y +z -z.
    CubeId(a: f32, b: f32, c: f32) -> f32 { canon(math::cube(a, b, c)[0]) }
    /// Horizontal coordinate on that face, before division.
    CubeSc(a: f32, b: f32, c: f32) -> f32 { canon(math::cube(a, b, c)[1]) }
    /// Vertical coordinate on that face, before division.
    CubeTc(a: f32, b: f32, c: f32) -> f32 { canon(math::cube(a, b, c)[2]) }
    /// Twice the major axis, with its sign.
    CubeMa(a: f32, b: f32, c: f32) -> f32 { canon(math::cube(a, b, c)[3]) }

    /// `a` with infinity replaced by the largest finite number of its sign.
    FClampInf(a: f32) -> f32 { if a.is_infinite() { f32::MAX.copysign(a) } else { canon(a) } }
    /// `a` with infinity replaced by zero of its sign.
    FZeroInf(a: f32) -> f32 { if a.is_infinite() { 0.0f32.copysign(a) } else { canon(a) } }
    /// `a * b` where `b` and `c` are above zero, the most negative finite number elsewhere; zero times anything is +0.
    FMulLit(a: f32, b: f32, c: f32) -> f32 { divide::mullit(a, b, c) }
    /// `a` (bitwise equal to the denominator `b` or to the numerator `c`) scaled for a division by Newton steps.
    FDivScale(a: f32, b: f32, c: f32) -> f32 { divide::scale(a, b, c) }
    /// Whether the quotient of operands scaled so takes `FFmaDiv` instead of `FFma` as its last step.
    FDivScaleFlag(a: f32, b: f32, c: f32) -> bool { divide::scale_flag(a, b, c) }
    /// `a * b + c`, times 2^64 when the biased exponent of `c` is above 127, times 2^-64 otherwise, rounded once.
    FFmaDiv(a: f32, b: f32, c: f32) -> f32 { round::fma_div(a, b, c) }
    /// Special cases of a division: `a` quotient, `b` denominator, `c` numerator.
    FDivFixup(a: u32, b: u32, c: u32) -> u32 { divide::fixup(a, b, c) }

    // ---- single precision, other roundings: mode 0 nearest even, 1 up, 2 down, 3 toward zero ----
    /// `a + b` rounded in mode `c`.
    FAddMode(a: f32, b: f32, c: u32) -> f32 { round::add(a, b, c) }
    /// `a * b` rounded in mode `c`.
    FMulMode(a: f32, b: f32, c: u32) -> f32 { round::mul(a, b, c) }
    /// `a * b` rounded in mode `c`; zero times anything is +0.
    FMulZeroMode(a: f32, b: f32, c: u32) -> f32 { if a == 0.0 || b == 0.0 { 0.0 } else { round::mul(a, b, c) } }
    /// `a * b + c` rounded once, toward +infinity.
    FFmaUp(a: f32, b: f32, c: f32) -> f32 { round::fma(a, b, c, 1) }
    /// `a * b + c` rounded once, toward -infinity.
    FFmaDown(a: f32, b: f32, c: f32) -> f32 { round::fma(a, b, c, 2) }
    /// `a * b + c` rounded once, toward zero.
    FFmaZero(a: f32, b: f32, c: f32) -> f32 { round::fma(a, b, c, 3) }
    /// `a * 2^b` rounded once, in mode `c`.
    FLdexpMode(a: f32, b: i32, c: u32) -> f32 { round::to_f32(math::ldexp_exact(a, b), c) }
    /// Signed integer to float in mode `b`.
    I32ToF32Mode(a: i32, b: u32) -> f32 { round::to_f32(f64::from(a), b) }
    /// Unsigned integer to float in mode `b`.
    U32ToF32Mode(a: u32, b: u32) -> f32 { round::to_f32(f64::from(a), b) }
    /// To half in mode `b`, in the low 16 bits.
    F32ToF16Mode(a: f32, b: u32) -> u32 { round::to_f16(a, b) }

    // ---- conversions ----
    /// The sign-extended low four bits, divided by 16.
    OffsetI4ToF32(a: u32) -> f32 { ((a << 28) as i32 >> 28) as f32 * 0.0625 }
    /// Signed integer to float, round to nearest even.
    I32ToF32(a: i32) -> f32 { a as f32 }
    /// Unsigned integer to float, round to nearest even.
    U32ToF32(a: u32) -> f32 { a as f32 }
    /// Toward zero, saturating, NaN to 0.
    F32ToI32(a: f32) -> i32 { math::to_i32(H::trunc(a)) }
    /// Toward zero, saturating, NaN to 0.
    F32ToU32(a: f32) -> u32 { math::to_u32(H::trunc(a)) }
    /// Toward zero, the low 32 bits of what does not fit; infinity and NaN to 0.
    F32ToI32Wrap(a: f32) -> i32 { math::to_i32_wrapping(a) }
    /// `floor(a + 0.5)`, saturating.
    F32ToI32Round(a: f32) -> i32 { math::to_i32(H::floor(a + 0.5)) }
    /// `floor(a)`, saturating.
    F32ToI32Floor(a: f32) -> i32 { math::to_i32(H::floor(a)) }
    /// To half, round to nearest even, in the low 16 bits.
    F32ToF16(a: f32) -> u32 { math::f32_to_f16(a) }
    /// From the half in the low 16 bits.
    F16ToF32(a: u32) -> f32 { math::f16_to_f32(a) }
    /// Two halves rounded toward zero, `a` in the low 16 bits.
    PackHalfZero(a: f32, b: f32) -> u32 { math::f32_to_f16_zero(a) | math::f32_to_f16_zero(b) << 16 }
    /// Two 16-bit signed normalised numbers, `a` in the low 16 bits.
    PackSnorm16(a: f32, b: f32) -> u32 { math::snorm16(a) | math::snorm16(b) << 16 }
    /// Two 16-bit unsigned normalised numbers, `a` in the low 16 bits.
    PackUnorm16(a: f32, b: f32) -> u32 { math::unorm16(a) | math::unorm16(b) << 16 }
    /// Two 16-bit unsigned integers, saturating.
    PackU16(a: u32, b: u32) -> u32 { a.min(0xffff) | b.min(0xffff) << 16 }
    /// Two 16-bit signed integers, saturating.
    PackI16(a: i32, b: i32) -> u32 { (a.clamp(-0x8000, 0x7fff) as u32 & 0xffff) | (b.clamp(-0x8000, 0x7fff) as u32) << 16 }
    /// Byte `b & 3` of `c` replaced by `a` converted to an integer, saturating.
    PackU8(a: f32, b: u32, c: u32) -> u32 {
        let shift = 8 * (b & 3);
        (c & !(0xff << shift)) | (math::to_u8(a) << shift)
    }
    /// Bits of `c`, and `a` limited to 0..1 as the nearest of `n` bits, ties to even, shifted left by `s`: `n` is `b & 31`, at
    /// most 16, `s` is `b >> 8 & 31`. NaN is 0.
    PackUnorm(a: f32, b: u32, c: u32) -> u32 { c | math::unorm(H::fma, a, b & 31) << (b >> 8 & 31) }
    /// Byte 0 to float.
    Byte0ToF32(a: u32) -> f32 { (a & 255) as f32 }
    /// Byte 1 to float.
    Byte1ToF32(a: u32) -> f32 { (a >> 8 & 255) as f32 }
    /// Byte 2 to float.
    Byte2ToF32(a: u32) -> f32 { (a >> 16 & 255) as f32 }
    /// Byte 3 to float.
    Byte3ToF32(a: u32) -> f32 { (a >> 24) as f32 }

    // ---- comparisons ----
    /// Equal and ordered.
    FEq(a: f32, b: f32) -> bool { a == b }
    /// Unequal or unordered.
    FNe(a: f32, b: f32) -> bool { a != b }
    /// Less and ordered.
    FLt(a: f32, b: f32) -> bool { a < b }
    /// Less or equal, and ordered.
    FLe(a: f32, b: f32) -> bool { a <= b }
    /// Greater and ordered.
    FGt(a: f32, b: f32) -> bool { a > b }
    /// Greater or equal, and ordered.
    FGe(a: f32, b: f32) -> bool { a >= b }
    /// Less or greater: ordered and unequal.
    FLg(a: f32, b: f32) -> bool { a != b && !a.is_nan() && !b.is_nan() }
    /// Neither is NaN.
    FOrdered(a: f32, b: f32) -> bool { !a.is_nan() && !b.is_nan() }
    /// One is NaN.
    FUnordered(a: f32, b: f32) -> bool { a.is_nan() || b.is_nan() }
    /// Not `FGe`.
    FNge(a: f32, b: f32) -> bool { a.is_nan() || b.is_nan() || a < b }
    /// Not `FLg`.
    FNlg(a: f32, b: f32) -> bool { a == b || a.is_nan() || b.is_nan() }
    /// Not `FGt`.
    FNgt(a: f32, b: f32) -> bool { a.is_nan() || b.is_nan() || a <= b }
    /// Not `FLe`.
    FNle(a: f32, b: f32) -> bool { a.is_nan() || b.is_nan() || a > b }
    /// Not `FLt`.
    FNlt(a: f32, b: f32) -> bool { a.is_nan() || b.is_nan() || a >= b }
    /// The class of `a` is in the set `b`: bit 0 signalling NaN, 1 quiet NaN, 2 -inf, 3 -normal, 4 -denormal, 5 -0,
    /// 6 +0, 7 +denormal, 8 +normal, 9 +inf.
    FClass(a: u32, b: u32) -> bool { math::class(a) & b != 0 }
    /// Equal.
    IEq(a: u32, b: u32) -> bool { a == b }
    /// Unequal.
    INe(a: u32, b: u32) -> bool { a != b }
    /// Signed less.
    ILt(a: i32, b: i32) -> bool { a < b }
    /// Signed less or equal.
    ILe(a: i32, b: i32) -> bool { a <= b }
    /// Signed greater.
    IGt(a: i32, b: i32) -> bool { a > b }
    /// Signed greater or equal.
    IGe(a: i32, b: i32) -> bool { a >= b }
    /// Unsigned less.
    ULt(a: u32, b: u32) -> bool { a < b }
    /// Unsigned less or equal.
    ULe(a: u32, b: u32) -> bool { a <= b }
    /// Unsigned greater.
    UGt(a: u32, b: u32) -> bool { a > b }
    /// Unsigned greater or equal.
    UGe(a: u32, b: u32) -> bool { a >= b }
}

ops! {
    /// An operation with 64-bit operands or a 64-bit result.
    enum WideOp, u64, wide;

    /// The operand.
    Mov64(a: u64) -> u64 { a }
    /// Bitwise and.
    And64(a: u64, b: u64) -> u64 { a & b }
    /// Bitwise or.
    Or64(a: u64, b: u64) -> u64 { a | b }
    /// Bitwise exclusive or.
    Xor64(a: u64, b: u64) -> u64 { a ^ b }
    /// Bitwise complement.
    Not64(a: u64) -> u64 { !a }
    /// `a` and not `b`.
    AndNot64(a: u64, b: u64) -> u64 { a & !b }
    /// `a` or not `b`.
    OrNot64(a: u64, b: u64) -> u64 { a | !b }
    /// Left shift by `b` modulo 64.
    Shl64(a: u64, b: u32) -> u64 { a << (b & 63) }
    /// Logical right shift by `b` modulo 64.
    Shr64(a: u64, b: u32) -> u64 { a >> (b & 63) }
    /// Arithmetic right shift by `b` modulo 64.
    Sar64(a: i64, b: u32) -> i64 { a >> (b & 63) }
    /// `a & 63` ones at bit `b & 63`.
    Bfm64(a: u32, b: u32) -> u64 { ((1u64 << (a & 63)) - 1) << (b & 63) }
    /// Bits in reverse order.
    BitReverse64(a: u64) -> u64 { a.reverse_bits() }
    /// Field of `a` at bit `b & 63`, bits 22:16 of `b` wide, zero-extended; zero when the width is 0.
    FieldU64(a: u64, b: u32) -> u64 { math::field_u(a, b & 63, b >> 16 & 127, 64) }
    /// The same, sign-extended.
    FieldI64(a: u64, b: u32) -> u64 { math::field_i(a, b & 63, b >> 16 & 127, 64) }
    /// Number of ones.
    BitCount64(a: u64) -> u32 { a.count_ones() }
    /// Zeros below the lowest one; all ones for 0.
    FirstLow64(a: u64) -> u32 { if a == 0 { u32::MAX } else { a.trailing_zeros() } }
    /// Zeros above the highest one; all ones for 0.
    FirstHighU64(a: u64) -> u32 { if a == 0 { u32::MAX } else { a.leading_zeros() } }
    /// Sign copies above the highest bit that differs from the sign, the sign bit included; all ones for 0 and -1.
    FirstHighI64(a: u64) -> u32 {
        if a == 0 || a == u64::MAX { u32::MAX } else { (a ^ ((a as i64 >> 63) as u64)).leading_zeros() }
    }
    /// Every quad of four bits becomes all ones when one of its bits is set.
    WholeQuads(a: u64) -> u64 { math::whole_quads(a) }
    /// Bit `i` is set when one of bits `4i..4i+4` is.
    QuadMask(a: u64) -> u64 { math::quad_mask(a) }
    /// Sum modulo 2^64.
    IAdd64(a: u64, b: u64) -> u64 { a.wrapping_add(b) }
    /// `a` if `c` is not zero, else `b`.
    Pick64(a: u64, b: u64, c: bool) -> u64 { if c { a } else { b } }
    /// Equal.
    IEq64(a: u64, b: u64) -> bool { a == b }
    /// Unequal.
    INe64(a: u64, b: u64) -> bool { a != b }
    /// Signed less.
    ILt64(a: i64, b: i64) -> bool { a < b }
    /// Signed less or equal.
    ILe64(a: i64, b: i64) -> bool { a <= b }
    /// Signed greater.
    IGt64(a: i64, b: i64) -> bool { a > b }
    /// Signed greater or equal.
    IGe64(a: i64, b: i64) -> bool { a >= b }
    /// Unsigned less.
    ULt64(a: u64, b: u64) -> bool { a < b }
    /// Unsigned less or equal.
    ULe64(a: u64, b: u64) -> bool { a <= b }
    /// Unsigned greater.
    UGt64(a: u64, b: u64) -> bool { a > b }
    /// Unsigned greater or equal.
    UGe64(a: u64, b: u64) -> bool { a >= b }
    /// Sum, round to nearest even.
    DAdd(a: f64, b: f64) -> f64 { canon64(a + b) }
    /// Product.
    DMul(a: f64, b: f64) -> f64 { canon64(a * b) }
    /// Sign flipped.
    DNeg(a: u64) -> u64 { a ^ 1 << 63 }
    /// Sign cleared.
    DAbs(a: u64) -> u64 { a & !(1 << 63) }
    /// `a * b + c`, rounded once.
    DFma(a: f64, b: f64, c: f64) -> f64 { canon64(H::fma64(a, b, c)) }
    /// Minimum: the other operand when one is NaN; -0 is below +0.
    DMin(a: f64, b: f64) -> f64 { double::min(a, b) }
    /// Maximum: the other operand when one is NaN; -0 is below +0.
    DMax(a: f64, b: f64) -> f64 { double::max(a, b) }
    /// `a - floor(a)`, below 1.
    DFract(a: f64) -> f64 { double::fract(a) }
    /// Reciprocal, correctly rounded.
    DRcp(a: f64) -> f64 { canon64(1.0 / a) }
    /// Quotient, correctly rounded.
    DDiv(a: f64, b: f64) -> f64 { canon64(a / b) }
    /// Reciprocal square root, within 1 ulp. -0 gives -inf.
    DRsq(a: f64) -> f64 { canon64(1.0 / a.sqrt()) }
    /// Square root, correctly rounded.
    DSqrt(a: f64) -> f64 { canon64(a.sqrt()) }
    /// `a * 2^b`, rounded once.
    DLdexp(a: f64, b: i32) -> f64 { double::ldexp(a, b, 0) }
    /// Exponent such that `a = m * 2^e` with `m` in 0.5..1; 0 for zero, infinity and NaN.
    DFrexpExp(a: f64) -> i32 { double::frexp_exp(a) }
    /// The mantissa of the same; infinity and NaN unchanged.
    DFrexpMant(a: f64) -> f64 { double::frexp_mant(a) }
    /// Clamped to 0..1; NaN gives 0.
    DSat(a: f64) -> f64 { if a > 0.0 { if a < 1.0 { a } else { 1.0 } } else { 0.0 } }
    /// Clamped to 0..1; NaN stays.
    DSatKeep(a: f64) -> f64 { if a.is_nan() { canon64(a) } else if a > 0.0 { if a < 1.0 { a } else { 1.0 } } else { 0.0 } }
    /// Denormals become zero of the same sign.
    DFlush(a: u64) -> u64 { if a & 0x7ff0_0000_0000_0000 == 0 { a & 1 << 63 } else { a } }
    /// `a` with infinity replaced by the largest finite number of its sign.
    DClampInf(a: f64) -> f64 { if a.is_infinite() { f64::MAX.copysign(a) } else { canon64(a) } }
    /// `FDivScale` in double precision.
    DDivScale(a: f64, b: f64, c: f64) -> f64 { divide::scale64(a, b, c) }
    /// `FDivScaleFlag` in double precision.
    DDivScaleFlag(a: f64, b: f64, c: f64) -> bool { divide::scale_flag64(a, b, c) }
    /// `a * b + c`, times 2^128 when the biased exponent of `c` is above 1023, times 2^-128 otherwise, rounded once.
    DFmaDiv(a: f64, b: f64, c: f64) -> f64 { double::fma_div(a, b, c) }
    /// Special cases of a division: `a` quotient, `b` denominator, `c` numerator.
    DDivFixup(a: u64, b: u64, c: u64) -> u64 { divide::fixup64(a, b, c) }
    /// Segment `b & 31` of 2/pi for the reduction of the angle `a`, 53 bits, rounded toward zero.
    TrigPreop(a: f64, b: u32) -> f64 { double::trig_preop(a, b) }
    /// `a + b` rounded in mode `c` (0 nearest even, 1 up, 2 down, 3 toward zero).
    DAddMode(a: f64, b: f64, c: u32) -> f64 { double::add(a, b, c) }
    /// `a * b` rounded in mode `c`.
    DMulMode(a: f64, b: f64, c: u32) -> f64 { double::mul(a, b, c) }
    /// `a * 2^b` rounded once, in mode `c`.
    DLdexpMode(a: f64, b: i32, c: u32) -> f64 { double::ldexp(a, b, c) }
    /// `a * b + c` rounded once, toward +infinity.
    DFmaUp(a: f64, b: f64, c: f64) -> f64 { double::fma(a, b, c, 0, 1) }
    /// `a * b + c` rounded once, toward -infinity.
    DFmaDown(a: f64, b: f64, c: f64) -> f64 { double::fma(a, b, c, 0, 2) }
    /// `a * b + c` rounded once, toward zero.
    DFmaZero(a: f64, b: f64, c: f64) -> f64 { double::fma(a, b, c, 0, 3) }
    /// Four sums of absolute differences of bytes, the window over `a` one byte further each, added to 16-bit parts of
    /// `c`.
    QuadSadU8(a: u64, b: u32, c: u64) -> u64 { double::quad_sad(a, b, c, false) }
    /// The same, skipping bytes where the byte of `b` is zero.
    MaskedQuadSadU8(a: u64, b: u32, c: u64) -> u64 { double::quad_sad(a, b, c, true) }
    /// Equal and ordered.
    DEq(a: f64, b: f64) -> bool { a == b }
    /// Unequal or unordered.
    DNe(a: f64, b: f64) -> bool { a != b }
    /// Less and ordered.
    DLt(a: f64, b: f64) -> bool { a < b }
    /// Less or equal, and ordered.
    DLe(a: f64, b: f64) -> bool { a <= b }
    /// Greater and ordered.
    DGt(a: f64, b: f64) -> bool { a > b }
    /// Greater or equal, and ordered.
    DGe(a: f64, b: f64) -> bool { a >= b }
    /// Less or greater: ordered and unequal.
    DLg(a: f64, b: f64) -> bool { a != b && !a.is_nan() && !b.is_nan() }
    /// Neither is NaN.
    DOrdered(a: f64, b: f64) -> bool { !a.is_nan() && !b.is_nan() }
    /// One is NaN.
    DUnordered(a: f64, b: f64) -> bool { a.is_nan() || b.is_nan() }
    /// Not `DGe`.
    DNge(a: f64, b: f64) -> bool { a.is_nan() || b.is_nan() || a < b }
    /// Not `DLg`.
    DNlg(a: f64, b: f64) -> bool { a == b || a.is_nan() || b.is_nan() }
    /// Not `DGt`.
    DNgt(a: f64, b: f64) -> bool { a.is_nan() || b.is_nan() || a <= b }
    /// Not `DLe`.
    DNle(a: f64, b: f64) -> bool { a.is_nan() || b.is_nan() || a > b }
    /// Not `DLt`.
    DNlt(a: f64, b: f64) -> bool { a.is_nan() || b.is_nan() || a >= b }
    /// The class of `a` is in the set `b`, numbered as for `FClass`.
    DClass(a: f64, b: u32) -> bool { double::class(a) & b != 0 }
    /// Single to double.
    F32ToF64(a: f32) -> f64 { canon64(f64::from(a)) }
    /// Double to single, round to nearest even.
    F64ToF32(a: f64) -> f32 { canon(a as f32) }
    /// Double to single in mode `b`.
    F64ToF32Mode(a: f64, b: u32) -> f32 { round::to_f32(a, b) }
    /// Signed integer to double.
    I32ToF64(a: i32) -> f64 { f64::from(a) }
    /// Unsigned integer to double.
    U32ToF64(a: u32) -> f64 { f64::from(a) }
    /// Toward zero, saturating, NaN to 0.
    F64ToI32(a: f64) -> i32 { a as i32 }
    /// Toward zero, saturating, NaN to 0.
    F64ToU32(a: f64) -> u32 { a as u32 }
}
