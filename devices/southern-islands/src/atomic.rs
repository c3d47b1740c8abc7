//! Read-modify-write operations, the same for buffers, images and data shares. [SI 8.1.8, 9.3]

use lanes::math;
use silicon::Memory;
use silicon::groups::change::Words;
use silicon::texture::sample::Lanes;

use crate::isa::memory::Atomic;

/// Calls a macro with an operation, which is a constant if it is one of those of counters, lists and masks.
macro_rules! by_operation {
    ($operation:expr, $each:ident) => {
        match $operation {
            Atomic::Swap => $each!(Atomic::Swap),
            Atomic::Add => $each!(Atomic::Add),
            Atomic::SMin => $each!(Atomic::SMin),
            Atomic::UMin => $each!(Atomic::UMin),
            Atomic::SMax => $each!(Atomic::SMax),
            Atomic::UMax => $each!(Atomic::UMax),
            Atomic::And => $each!(Atomic::And),
            Atomic::Or => $each!(Atomic::Or),
            Atomic::Xor => $each!(Atomic::Xor),
            operation => $each!(operation),
        }
    };
}
pub(crate) use by_operation;

impl silicon::groups::Change for Atomic {
    fn apply(self, size: u8, old: u64, [data, second]: [u64; 2]) -> u64 {
        apply(self, size, old, data, second)
    }

    /// Common operations have loops of their own.
    fn exchange(
        self,
        memory: &Memory,
        (words, lanes): (Words<'_>, u64),
        [data, second]: [&Lanes; 2],
        before: &mut Lanes,
    ) -> Option<()> {
        macro_rules! each {
            ($op:expr) => {
                words.update(memory, lanes, |lane, old| {
                    before[lane] = old;
                    apply32($op, old, data[lane], second[lane])
                })
            };
        }
        by_operation!(self, each)
    }
}

/// What an operation leaves in an element of `size` bytes (4 or 8).
///
/// `data` is the operand; `second` the comparator of the compare-and-swap operations, or the bits set by `MaskOr`.
pub fn apply(op: Atomic, size: u8, old: u64, data: u64, second: u64) -> u64 {
    match size {
        4 => u64::from(apply32(op, old as u32, data as u32, second as u32)),
        _ => apply64(op, old, data, second),
    }
}

/// The operations on one size of element: unsigned, signed and float type, and what a float minimum and maximum is.
macro_rules! operations {
    ($name:ident, $unsigned:ty, $signed:ty, $float:ty, $min:expr, $max:expr) => {
        #[inline(always)]
        pub(crate) fn $name(
            op: Atomic,
            old: $unsigned,
            data: $unsigned,
            second: $unsigned,
        ) -> $unsigned {
            let float = <$float>::from_bits;
            let swap_if = |equal| if equal { data } else { old };
            match op {
                Atomic::Swap => data,
                Atomic::CompareSwap => swap_if(old == second),
                Atomic::FCompareSwap => swap_if(float(old) == float(second)),
                Atomic::Add => old.wrapping_add(data),
                Atomic::Sub => old.wrapping_sub(data),
                Atomic::RSub => data.wrapping_sub(old),
                Atomic::SMin => (old as $signed).min(data as $signed) as $unsigned,
                Atomic::UMin => old.min(data),
                Atomic::SMax => (old as $signed).max(data as $signed) as $unsigned,
                Atomic::UMax => old.max(data),
                Atomic::And => old & data,
                Atomic::Or => old | data,
                Atomic::Xor => old ^ data,
                Atomic::Inc if old >= data => 0,
                Atomic::Inc => old + 1,
                Atomic::Dec if old == 0 || old > data => data,
                Atomic::Dec => old - 1,
                Atomic::FMin => $min(float(old), float(data)).to_bits(),
                Atomic::FMax => $max(float(old), float(data)).to_bits(),
                Atomic::MaskOr => (old & !data) | second,
            }
        }
    };
}

operations!(apply32, u32, i32, f32, math::min, math::max);
operations!(apply64, u64, i64, f64, min64, max64);

/// Minimum; the other operand when one is NaN.
fn min64(old: f64, data: f64) -> f64 {
    if old.is_nan() || data < old {
        data
    } else {
        old
    }
}

/// Maximum; the other operand when one is NaN.
fn max64(old: f64, data: f64) -> f64 {
    if old.is_nan() || data > old {
        data
    } else {
        old
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_wrap_at_their_operand() {
        assert_eq!(apply(Atomic::Inc, 4, 3, 3, 0), 0);
        assert_eq!(apply(Atomic::Inc, 4, 2, 3, 0), 3);
        assert_eq!(apply(Atomic::Dec, 4, 0, 7, 0), 7);
        assert_eq!(apply(Atomic::Dec, 4, 9, 7, 0), 7);
        assert_eq!(apply(Atomic::Dec, 4, 7, 7, 0), 6);
        assert_eq!(apply(Atomic::RSub, 8, 1, 0, 0), u64::MAX);
    }

    #[test]
    fn float_compare_takes_zeros_as_equal_and_nan_as_unequal() {
        let minus_zero = u64::from((-0.0f32).to_bits());
        let nan = u64::from(f32::NAN.to_bits());
        assert_eq!(apply(Atomic::FCompareSwap, 4, minus_zero, 5, 0), 5);
        assert_eq!(apply(Atomic::FCompareSwap, 4, nan, 5, nan), nan);
        assert_eq!(apply(Atomic::CompareSwap, 4, nan, 5, nan), 5);
        assert_eq!(
            apply(Atomic::FMin, 8, f64::NAN.to_bits(), 1f64.to_bits(), 0),
            1f64.to_bits()
        );
    }
}
