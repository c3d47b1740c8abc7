//! Division of 32-bit integers by constants as a multiplication.

/// How to divide by a constant: the upper half of a product, and shifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reciprocal {
    /// Bits that the dividend is shifted right by first.
    pub(super) before: u32,
    /// What it is multiplied with.
    pub(super) factor: u32,
    /// Half of the difference to the dividend is added to the product: the factor stands for 2^32 more.
    pub(super) wide: bool,
    /// Bits that the result is shifted right by.
    pub(super) after: u32,
}

impl Reciprocal {
    /// For a divisor that is no power of two.
    ///
    /// With m = ceil(2^(32 + s) / d) and m d - 2^(32 + s) <= 2^s, floor(n m / 2^(32 + s)) is floor(n / d) for every
    /// 32-bit n; where n has k bits less, 2^(s + k) is enough. [Granlund, Montgomery: Division by invariant integers
    /// using multiplication, 1994]
    pub(super) fn new(divisor: u32) -> Reciprocal {
        let d = u64::from(divisor);
        let above = |d: u64, s: u32| (1u128 << (32 + s)).div_ceil(u128::from(d));
        let error = |d: u64, s: u32| above(d, s) * u128::from(d) - (1u128 << (32 + s));
        let log = 32 - divisor.leading_zeros();
        let narrow = |d: u64, lost: u32| {
            (0..log).find(|&s| error(d, s) <= 1 << (s + lost) && above(d, s) <= u32::MAX.into())
        };
        let before = divisor.trailing_zeros();
        let short = [0, before].into_iter().find_map(|before| {
            let d = d >> before;
            let after = narrow(d, before)?;
            Some(Reciprocal {
                before,
                factor: above(d, after) as u32,
                wide: false,
                after,
            })
        });
        short.unwrap_or(Reciprocal {
            before: 0,
            factor: (above(d, log) - (1 << 32)) as u32,
            wide: true,
            after: log - 1,
        })
    }

    /// The quotient of a number, as the instructions find it.
    #[cfg(test)]
    fn divide(self, n: u32) -> u32 {
        let n = n >> self.before;
        let high = ((u64::from(n) * u64::from(self.factor)) >> 32) as u32;
        let sum = if self.wide {
            ((n - high) >> 1) + high
        } else {
            high
        };
        sum >> self.after
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_divide_like_division() {
        let mut divisors: Vec<u32> = (3..2000).collect();
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state
        };
        divisors.extend((0..2000).map(|n| next() >> (n % 31)));
        divisors.extend([
            641,
            6_700_417,
            u32::MAX,
            u32::MAX - 1,
            0x8000_0001,
            0xaaaa_aaab,
        ]);
        for d in divisors {
            if d == 0 || d.is_power_of_two() {
                continue;
            }
            let how = Reciprocal::new(d);
            let edge = u32::MAX - u32::MAX % d;
            let mut numbers = vec![0, 1, d - 1, d, u32::MAX, edge, edge - 1];
            numbers.extend((0..40).map(|_| next()));
            numbers.extend((0..40).map(|_| (next() / d).wrapping_mul(d).wrapping_sub(1)));
            for n in numbers {
                assert_eq!(how.divide(n), n / d, "{n} / {d} by {how:?}");
            }
        }
    }
}
