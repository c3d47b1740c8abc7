//! Sample positions as registers hold them.

use silicon::fragment::multisample::Samples;

/// Sixteenths from a pixel's centre, four samples a word, x before y in a nibble each.
pub fn locations<const WORDS: usize>(samples: &Samples) -> [u32; WORDS] {
    let mut words = [0; WORDS];
    for (n, (x, y)) in samples.positions().iter().enumerate() {
        let nibble = |v: u8| u32::from(v.wrapping_sub(8) & 15);
        words[n / 4] |= (nibble(*x) | nibble(*y) << 4) << (8 * (n % 4));
    }
    words
}

/// How far the farthest sample is from the centre along x or y, in sixteenths.
pub fn distance(samples: &Samples) -> u8 {
    let positions = samples.positions().iter();
    let distances = positions.flat_map(|&(x, y)| [x.abs_diff(8), y.abs_diff(8)]);
    distances.max().unwrap_or(0)
}
