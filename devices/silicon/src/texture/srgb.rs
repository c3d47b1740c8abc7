//! 8-bit sRGB, exact both ways. Decode: a table of correctly rounded values. Encode: a table of the 255 decoded
//! half-code boundaries. Both computed at compile time in `f64` and tested with integers. [IEC 61966-2-1; KHR-DF 13.3]

use crate::memory::window::ByteTable;
use host::Rounding;

/// `((c + 0.055) / 1.055)^2.4` or `c / 12.92`, in `f64`, for `c` in 0..=1.
const fn decode(c: f64) -> f64 {
    if c <= 0.04045 {
        return c / 12.92;
    }
    let base = (c + 0.055) / 1.055;
    // base^2.4 = base^2 * t with t^5 = base^2, by Newton's method from above.
    let square = base * base;
    let mut t = 1.0;
    let mut i = 0;
    while i < 40 {
        let t4 = t * t * t * t;
        t -= (t4 * t - square) / (5.0 * t4);
        i += 1;
    }
    square * t
}

/// Linear value of each code, correctly rounded.
const LINEAR: [f32; 256] = {
    let mut table = [0.0; 256];
    let mut c = 0;
    while c < 256 {
        table[c] = decode(c as f64 / 255.0) as f32;
        c += 1;
    }
    table
};

/// Its bits.
pub(crate) static LINEAR_BITS: ByteTable = {
    let mut table = [0; 256];
    let mut c = 0;
    while c < 256 {
        table[c] = LINEAR[c].to_bits();
        c += 1;
    }
    ByteTable::new(table)
};

/// `BOUND[c]` is the smallest value that encodes to `c` or more; `BOUND[256]` is out of reach.
static BOUND: [f32; 257] = {
    let mut table = [0.0; 257];
    let mut c = 1;
    while c < 256 {
        let exact = decode((c as f64 - 0.5) / 255.0);
        let near = exact as f32;
        table[c] = if (near as f64) < exact {
            f32::from_bits(near.to_bits() + 1)
        } else {
            near
        };
        c += 1;
    }
    table[256] = f32::INFINITY;
    table
};

/// Buckets are the values that share exponent and 7 mantissa bits; below 2^-13 all is code 0.
const BUCKET_SHIFT: u32 = 16;
const FIRST_BUCKET: u32 = (127 - 13) << 7;
const BUCKETS: usize = 13 << 7;
/// All below is code 0.
const LOW: f32 = f32::from_bits(FIRST_BUCKET << BUCKET_SHIFT);

/// Code of the lower end of each bucket. A bucket holds at most one boundary (see the tests).
static CODE: [u8; BUCKETS + 1] = {
    let mut table = [0; BUCKETS + 1];
    let mut code = 0;
    let mut bucket = 0;
    while bucket <= BUCKETS {
        let low = f32::from_bits((FIRST_BUCKET + bucket as u32) << BUCKET_SHIFT);
        while BOUND[code + 1] <= low {
            code += 1;
        }
        table[bucket] = code as u8;
        bucket += 1;
    }
    table
};

/// By bucket: the code of its lower end in the highest byte, and the mantissa bits below the bucket's from which on the
/// code is one more.
static STEP: [u32; BUCKETS + 1] = {
    let mut table = [0; BUCKETS + 1];
    let mut bucket = 0;
    while bucket <= BUCKETS {
        let code = CODE[bucket] as usize;
        let bound = BOUND[code + 1].to_bits();
        let here = bound >> BUCKET_SHIFT == FIRST_BUCKET + bucket as u32;
        let step = if here { bound & 0xffff } else { 1 << 16 };
        table[bucket] = (code as u32) << 24 | step;
        bucket += 1;
    }
    table
};

/// Linear value of a code, correctly rounded.
#[inline(always)]
pub fn to_linear(code: u8) -> f32 {
    f32::from_bits(LINEAR_BITS.words()[code as usize])
}

/// Code of a linear value: the nearest on the encoded scale; NaN and negative values give 0.
#[inline(always)]
pub fn from_linear(x: f32) -> u8 {
    code(x) as u8
}

/// The same as a word.
#[inline(always)]
pub fn code(x: f32) -> u32 {
    let x = if x > LOW { x } else { LOW };
    let x = if x < 1.0 { x } else { 1.0 };
    let bucket = (x.to_bits() >> BUCKET_SHIFT) - FIRST_BUCKET;
    let bucket = if bucket < BUCKETS as u32 {
        bucket
    } else {
        BUCKETS as u32
    };
    let step = STEP[bucket as usize];
    (step >> 24) + u32::from(x.to_bits() & 0xffff >= step & 0x1_ffff)
}

/// How near to a boundary between codes [`by_powers`] may be wrong, in codes.
const DOUBT: f32 = 1.0 / 4096.0;

/// The code of a linear value by arithmetic, and whether it may be the one beside it. For vectors, which tables make
/// scalar.
#[inline(always)]
pub(crate) fn by_powers<R: Rounding>(x: f32) -> (u32, bool) {
    const SQRT_HALF: u32 = 0x3f35_04f3;
    // 1.5 * 2^23 leaves an integer in the low bits of a sum.
    const MAGIC: f32 = 12_582_912.0;
    // log2(1 + f) / f and 2^f: Chebyshev fits, within 2^-20 and 2^-23.
    const LOG: [f32; 7] = [
        0.172_128_74,
        -0.269_506_28,
        0.295_633_6,
        -0.359_350_65,
        0.480_629_15,
        -0.721_364,
        1.442_696_5,
    ];
    const POWER: [f32; 6] = [
        0.001_340_043_3,
        0.009_676_037,
        0.055_503_27,
        0.240_221_07,
        std::f32::consts::LN_2,
        1.000_000_1,
    ];
    let x = if x > LOW { x } else { LOW };
    let x = if x < 1.0 { x } else { 1.0 };
    let bits = x.to_bits().wrapping_sub(SQRT_HALF);
    let exponent = (bits as i32 >> 23) as f32;
    let f = f32::from_bits((bits & 0x7f_ffff) + SQRT_HALF) - 1.0;
    // In short chains: a step waits for the one before.
    let square = f * f;
    let low = sum::<R>(
        sum::<R>(LOG[3], f, LOG[4]),
        square,
        sum::<R>(LOG[5], f, LOG[6]),
    );
    let high = sum::<R>(LOG[0], square, sum::<R>(LOG[1], f, LOG[2]));
    let log = sum::<R>(high, square * square, low);
    let log = sum::<R>(log, f, exponent) * (5.0 / 12.0);
    let whole = log + MAGIC;
    let part = log - (whole - MAGIC);
    let square = part * part;
    let high = sum::<R>(
        sum::<R>(POWER[0], part, POWER[1]),
        square,
        sum::<R>(POWER[2], part, POWER[3]),
    );
    let power = sum::<R>(high, square, sum::<R>(POWER[4], part, POWER[5]));
    let power = f32::from_bits(power.to_bits().wrapping_add(whole.to_bits() << 23));
    let curved = sum::<R>(power, 1.055 * 255.0, -0.055 * 255.0);
    let scaled = if x <= 0.003_130_8 {
        x * (12.92 * 255.0)
    } else {
        curved
    };
    let nearest = scaled + MAGIC;
    let off = (scaled - (nearest - MAGIC)).abs();
    (nearest.to_bits() & 0xff, off > 0.5 - DOUBT)
}

/// `a * b + c`, rounded once or twice: what is off stays within [`DOUBT`].
#[inline(always)]
fn sum<R: Rounding>(a: f32, b: f32, c: f32) -> f32 {
    match R::FUSED {
        true => a.mul_add(b, c),
        false => a * b + c,
    }
}

#[cfg(test)]
mod tests {
    use host::{Kernel, SimdLevel};

    use super::*;

    /// Counts the floats of a range for which the short way is wrong, and those for which it doubts.
    struct Compare(u32, u32);

    impl Kernel for Compare {
        type Output = [u32; 2];
        #[inline(always)]
        fn run<R: Rounding>(self) -> [u32; 2] {
            let [mut wrong, mut doubts] = [0; 2];
            for bits in self.0..self.1 {
                let x = f32::from_bits(bits);
                let (found, doubt) = by_powers::<R>(x);
                wrong += u32::from(!doubt && found != code(x));
                doubts += u32::from(doubt);
            }
            [wrong, doubts]
        }
    }

    #[test]
    fn arithmetic_is_the_table_where_it_does_not_doubt() {
        let (low, one) = (LOW.to_bits(), 1.0f32.to_bits());
        for level in SimdLevel::available() {
            let [wrong, doubts] = level.run(Compare(low - 2, one + 2));
            assert_eq!(wrong, 0, "{level:?}");
            assert!(doubts < (one - low) / 1000, "{level:?}: {doubts}");
        }
        for x in [f32::NAN, -1.0, 7.0, f32::INFINITY, 1e-9] {
            assert_eq!(by_powers::<host::Separate>(x), (code(x), false));
        }
    }

    /// A whole number in base 2^32, lowest digit first.
    #[derive(Clone, PartialEq, Eq)]
    struct Whole(Vec<u32>);

    impl Whole {
        fn new(x: u64) -> Whole {
            Whole(vec![x as u32, (x >> 32) as u32])
        }

        fn times(&self, other: &Whole) -> Whole {
            let mut out = vec![0u32; self.0.len() + other.0.len() + 1];
            for (i, &a) in self.0.iter().enumerate() {
                let mut carry = 0u64;
                for (j, &b) in other.0.iter().enumerate() {
                    let sum = u64::from(a) * u64::from(b) + u64::from(out[i + j]) + carry;
                    out[i + j] = sum as u32;
                    carry = sum >> 32;
                }
                out[i + other.0.len()] = carry as u32;
            }
            while out.last() == Some(&0) {
                out.pop();
            }
            Whole(out)
        }

        fn power(&self, n: u32) -> Whole {
            (0..n).fold(Whole(vec![1]), |x, _| x.times(self))
        }

        fn shifted(&self, bits: u32) -> Whole {
            (0..bits).fold(self.clone(), |x, _| x.times(&Whole(vec![2])))
        }

        fn less(&self, other: &Whole) -> bool {
            let (a, b) = (
                self.times(&Whole(vec![1])).0,
                other.times(&Whole(vec![1])).0,
            );
            (a.len(), a.iter().rev().collect::<Vec<_>>())
                < (b.len(), b.iter().rev().collect::<Vec<_>>())
        }
    }

    /// Whether `m * 2^-e` is less than the exact linear value of `half / 510`.
    fn below(m: u64, e: u32, half: u64) -> bool {
        // Linear part up to 0.04045 * 510 = 20.6 half codes.
        if half <= 20 {
            // m / 2^e < half / 510 / 12.92
            return Whole::new(m)
                .times(&Whole::new(510 * 1292))
                .less(&Whole::new(half * 100).shifted(e));
        }
        // (half / 510 + 0.055) / 1.055 = (half * 1000 + 28050) / 538050; fifth powers of both sides.
        let left = Whole::new(m).power(5).times(&Whole::new(538_050).power(12));
        let right = Whole::new(half * 1000 + 28_050).power(12).shifted(5 * e);
        left.less(&right)
    }

    /// Mantissa and negative exponent of a positive float, with one more bit.
    fn parts(x: f32) -> (u64, u32) {
        let bits = x.to_bits();
        (
            u64::from(bits & 0x7f_ffff | 0x80_0000) * 2,
            151 - (bits >> 23),
        )
    }

    #[test]
    fn decoding_is_correctly_rounded() {
        assert_eq!((to_linear(0), to_linear(255)), (0.0, 1.0));
        for code in 1..=254u8 {
            let (m, e) = parts(to_linear(code));
            let half = u64::from(code) * 2;
            assert!(below(m - 1, e, half), "{code} is too large");
            assert!(!below(m + 1, e, half), "{code} is too small");
        }
    }

    #[test]
    fn boundaries_are_the_first_float_above_half_codes() {
        for (code, &bound) in BOUND.iter().enumerate().take(256).skip(1) {
            let (m, e) = parts(bound);
            let half = code as u64 * 2 - 1;
            assert!(!below(m, e, half), "{code}");
            assert!(below(m - 2, e, half), "{code}");
        }
    }

    #[test]
    fn buckets_hold_one_boundary() {
        for bucket in 0..BUCKETS {
            assert!(CODE[bucket + 1] - CODE[bucket] <= 1, "bucket {bucket}");
        }
        assert_eq!(CODE[0], 0);
        assert_eq!(CODE[BUCKETS], 255);
    }

    #[test]
    fn encoding_inverts_decoding() {
        for code in 0..=255u8 {
            assert_eq!(from_linear(to_linear(code)), code);
            if code > 0 {
                let bound = BOUND[code as usize];
                assert_eq!(from_linear(bound), code);
                assert_eq!(from_linear(f32::from_bits(bound.to_bits() - 1)), code - 1);
            }
        }
        for (x, code) in [
            (f32::NAN, 0),
            (-1.0, 0),
            (7.0, 255),
            (f32::INFINITY, 255),
            (1e-9, 0),
        ] {
            assert_eq!(from_linear(x), code);
        }
    }
}
