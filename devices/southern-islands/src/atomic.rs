//! Read-modify-write operations, the same for buffers, images and data shares. [SI 8.1.8, 9.3]

use lanes::math;

use crate::isa::memory::Atomic;

/// What an operation leaves in an element of `size` bytes (4 or 8).
///
/// `data` is the operand; `second` the comparator of the compare-and-swap operations, or the bits set by `MaskOr`.
pub fn apply(op: Atomic, size: u8, old: u64, data: u64, second: u64) -> u64 {
    match size {
        4 => u64::from(apply32(op, old as u32, data as u32, second as u32)),
        _ => apply64(op, old, data, second),
    }
}

fn apply32(op: Atomic, old: u32, data: u32, second: u32) -> u32 {
    let f = f32::from_bits;
    match op {
        Atomic::Swap => data,
        Atomic::CompareSwap => {
            if old == second {
                data
            } else {
                old
            }
        }
        Atomic::FCompareSwap => {
            if f(old) == f(second) {
                data
            } else {
                old
            }
        }
        Atomic::Add => old.wrapping_add(data),
        Atomic::Sub => old.wrapping_sub(data),
        Atomic::RSub => data.wrapping_sub(old),
        Atomic::SMin => (old as i32).min(data as i32) as u32,
        Atomic::UMin => old.min(data),
        Atomic::SMax => (old as i32).max(data as i32) as u32,
        Atomic::UMax => old.max(data),
        Atomic::And => old & data,
        Atomic::Or => old | data,
        Atomic::Xor => old ^ data,
        Atomic::Inc => {
            if old >= data {
                0
            } else {
                old + 1
            }
        }
        Atomic::Dec => {
            if old == 0 || old > data {
                data
            } else {
                old - 1
            }
        }
        Atomic::FMin => math::min(f(old), f(data)).to_bits(),
        Atomic::FMax => math::max(f(old), f(data)).to_bits(),
        Atomic::MaskOr => (old & !data) | second,
    }
}

fn apply64(op: Atomic, old: u64, data: u64, second: u64) -> u64 {
    let f = f64::from_bits;
    match op {
        Atomic::Swap => data,
        Atomic::CompareSwap => {
            if old == second {
                data
            } else {
                old
            }
        }
        Atomic::FCompareSwap => {
            if f(old) == f(second) {
                data
            } else {
                old
            }
        }
        Atomic::Add => old.wrapping_add(data),
        Atomic::Sub => old.wrapping_sub(data),
        Atomic::RSub => data.wrapping_sub(old),
        Atomic::SMin => (old as i64).min(data as i64) as u64,
        Atomic::UMin => old.min(data),
        Atomic::SMax => (old as i64).max(data as i64) as u64,
        Atomic::UMax => old.max(data),
        Atomic::And => old & data,
        Atomic::Or => old | data,
        Atomic::Xor => old ^ data,
        Atomic::Inc => {
            if old >= data {
                0
            } else {
                old + 1
            }
        }
        Atomic::Dec => {
            if old == 0 || old > data {
                data
            } else {
                old - 1
            }
        }
        Atomic::FMin => choose64(f(old), f(data), |a, b| a < b),
        Atomic::FMax => choose64(f(old), f(data), |a, b| a > b),
        Atomic::MaskOr => (old & !data) | second,
    }
}

/// The operand that wins; the other one when one is NaN.
fn choose64(old: f64, data: f64, wins: fn(f64, f64) -> bool) -> u64 {
    if old.is_nan() || wins(data, old) {
        data.to_bits()
    } else {
        old.to_bits()
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
