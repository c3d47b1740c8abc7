//! Every pair of data format and number format of V# and T#, in both directions: programs load a table of all values
//! of the channels, store them again, and the test computes what they should have found.
#![allow(clippy::unwrap_used)]

use isa::suite::Random;
use isa::{ExecError, ExecInput, LaneValue, MemoryBlock, Tools};
use southern_islands::TOOLS;
use southern_islands::isa::assemble;

/// Texels in a row, and most rows: all values of a channel of 16 bits.
const EDGE: usize = 256;
const TEXELS: usize = EDGE * EDGE;
/// Texels where not all values of a channel are needed.
const FEW: usize = 4 * EDGE;
const IMAGE: u64 = 0x10_0000;
const OUT: u64 = 0x80_0000;

/// Data formats by code: widths of the channels, lowest bit first. [SI table 8.13]
const LAYOUTS: &[(u8, &[u32])] = &[
    (1, &[8]),
    (2, &[16]),
    (3, &[8, 8]),
    (4, &[32]),
    (5, &[16, 16]),
    (6, &[11, 11, 10]),
    (7, &[10, 11, 11]),
    (8, &[2, 10, 10, 10]),
    (9, &[10, 10, 10, 2]),
    (10, &[8, 8, 8, 8]),
    (11, &[32, 32]),
    (12, &[16, 16, 16, 16]),
    (13, &[32, 32, 32]),
    (14, &[32, 32, 32, 32]),
    (16, &[5, 6, 5]),
    (17, &[5, 5, 5, 1]),
    (18, &[1, 5, 5, 5]),
    (19, &[4, 4, 4, 4]),
    (20, &[24, 8]),
    (21, &[8, 24]),
    (57, &[4, 4]),
    (58, &[5, 5, 6]),
];

const UNORM: u8 = 0;
const SNORM: u8 = 1;
const USCALED: u8 = 2;
const SSCALED: u8 = 3;
const UINT: u8 = 4;
const SINT: u8 = 5;
const SNORM_NZ: u8 = 6;
const FLOAT: u8 = 7;
const SRGB: u8 = 9;
const UBNORM: u8 = 10;
const UBNORM_NZ: u8 = 11;
const UBINT: u8 = 12;
const UBSCALED: u8 = 13;

/// Whether a pair exists.
fn legal(bits: &[u32], num: u8) -> bool {
    bits.iter().all(|bits| match num {
        UNORM => *bits <= 24,
        USCALED | UINT => true,
        SSCALED | SINT => *bits >= 2,
        SNORM | SNORM_NZ | UBNORM | UBNORM_NZ | UBINT | UBSCALED => (2..=24).contains(bits),
        FLOAT => matches!(bits, 10 | 11 | 16 | 32),
        SRGB => *bits == 8,
        _ => false,
    })
}

fn is_integer(num: u8) -> bool {
    matches!(num, UINT | SINT | UBINT)
}

/// A float without sign: exponent of five bits, the rest mantissa; and the half, whose sign is the 16th bit.
fn small_float(raw: u32, mantissa: u32) -> f64 {
    let (exponent, fraction) = (raw >> mantissa & 31, raw & ((1 << mantissa) - 1));
    let one = f64::from(1u32 << mantissa);
    let magnitude = match exponent {
        0 => f64::from(fraction) / one * 2f64.powi(-14),
        31 if fraction == 0 => f64::INFINITY,
        31 => f64::NAN,
        e => (1.0 + f64::from(fraction) / one) * 2f64.powi(e as i32 - 15),
    };
    if raw >> (mantissa + 5) & 1 == 1 {
        -magnitude
    } else {
        magnitude
    }
}

/// What a channel reads as. The quotients are correctly rounded: the double quotient has more than twice the bits.
fn read(num: u8, bits: u32, component: usize, raw: u32) -> u32 {
    let max = f64::from(u32::MAX >> (32 - bits));
    let half = f64::from(u32::MAX >> (33 - bits.max(2)));
    let signed = f64::from(((raw << (32 - bits)) as i32) >> (32 - bits));
    let biased = f64::from(raw) - half - 1.0;
    let snorm = |v: f64| (v / half).max(-1.0) as f32;
    let no_zero = |v: f64| ((2.0 * v + 1.0) / max) as f32;
    let float = match num {
        UINT => return raw,
        SINT => return signed as i32 as u32,
        UBINT => return biased as i32 as u32,
        FLOAT if bits == 32 => return raw,
        UNORM => (f64::from(raw) / max) as f32,
        SRGB if component == 3 => (f64::from(raw) / max) as f32,
        SRGB => {
            let x = f64::from(raw) / max;
            let linear = if x <= 0.04045 {
                x / 12.92
            } else {
                ((x + 0.055) / 1.055).powf(2.4)
            };
            linear as f32
        }
        SNORM => snorm(signed),
        UBNORM => snorm(biased),
        SNORM_NZ => no_zero(signed),
        UBNORM_NZ => no_zero(biased),
        USCALED => f64::from(raw) as f32,
        SSCALED => signed as f32,
        UBSCALED => biased as f32,
        _ => small_float(raw, if bits == 16 { 10 } else { bits - 5 }) as f32,
    };
    float.to_bits()
}

fn same(a: u32, b: u32) -> bool {
    let nan = |x: u32| f32::from_bits(x).is_nan();
    a == b || nan(a) && nan(b)
}

/// A table of texels: in each channel all values if it has at most 16 bits, else random ones and the extremes.
fn texels(bits: &[u32]) -> Vec<[u32; 4]> {
    let mut random = Random(bits.len() as u64);
    // Formats of several such channels convert each as the format of one.
    let count = match (bits, bits.iter().filter(|bits| **bits <= 16).max()) {
        ([16], _) => TEXELS,
        (_, Some(9..16)) => 2 * FEW,
        _ => FEW,
    };
    (0..count as u32)
        .map(|i| {
            let mut texel = [0; 4];
            for (c, (value, bits)) in texel.iter_mut().zip(bits).enumerate() {
                let mask = u32::MAX >> (32 - bits);
                *value = match (bits, i) {
                    (17.., 0) => 0,
                    (17.., 1) => mask,
                    (17.., 2) => mask >> 1,
                    (17.., 3) => (mask >> 1) + 1,
                    (17.., _) => random.word() as u32,
                    // Odd factors permute.
                    _ => i.wrapping_mul(2 * c as u32 + 1).wrapping_add(77 * c as u32),
                } & mask;
            }
            texel
        })
        .collect()
}

/// Texels as bytes, channels from the lowest bit up.
fn packed(bits: &[u32], texels: &[[u32; 4]]) -> Vec<u8> {
    let size = bits.iter().sum::<u32>() as usize / 8;
    let mut bytes = Vec::with_capacity(size * texels.len());
    for texel in texels {
        let mut word = 0u128;
        let mut at = 0;
        for (value, bits) in texel.iter().zip(bits) {
            word |= u128::from(*value) << at;
            at += bits;
        }
        bytes.extend(&word.to_le_bytes()[..size]);
    }
    bytes
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes
        .iter()
        .flat_map(|b| [DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]]);
    digits.map(char::from).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    let digit = |b: u8| (b as char).to_digit(16).unwrap() as u8;
    let pairs = hex.as_bytes().chunks_exact(2);
    pairs.map(|p| digit(p[0]) << 4 | digit(p[1])).collect()
}

fn quads(bytes: &[u8]) -> Vec<[u32; 4]> {
    let word = |b: &[u8]| u32::from_le_bytes([b[0], b[1], b[2], b[3]]);
    let quads = bytes.chunks_exact(16);
    quads
        .map(|b| [0, 4, 8, 12].map(|at| word(&b[at..])))
        .collect()
}

/// A linear T# of the table.
fn image(data: u8, num: u8, selectors: [u32; 4]) -> Vec<u32> {
    let edge = EDGE as u32 - 1;
    let selectors: u32 = selectors
        .iter()
        .enumerate()
        .map(|(c, s)| s << (3 * c))
        .sum();
    vec![
        (IMAGE >> 8) as u32,
        u32::from(data) << 20 | u32::from(num) << 26,
        edge | edge << 14,
        selectors | 8 << 20 | 9 << 28,
        edge << 13,
        0,
        0,
        0,
    ]
}

/// A V# of records of `stride` bytes, with the selectors of its format straight.
fn buffer(at: u64, stride: u32, data: u8, num: u8) -> Vec<u32> {
    let selectors = 4 | 5 << 3 | 6 << 6 | 7 << 9;
    let formats = u32::from(num) << 12 | u32::from(data) << 15;
    let records = if stride == 0 {
        16 * TEXELS as u32
    } else {
        TEXELS as u32
    };
    vec![at as u32, stride << 16, records, selectors | formats]
}

/// Runs `body` for every 64 texels: x and y in v0 and v1, the texel's number in v2, its place among the results in v3.
/// The image is s[0:7], the results are s[8:11], the buffer of the texels is s[12:15], a sampler is s[24:27].
fn run(
    body: &str,
    mut registers: Vec<(&str, Vec<u32>)>,
    memory: &[u8],
    out: &[u8],
) -> Result<[Vec<u8>; 2], ExecError> {
    let groups = out.len() / (16 * 64);
    let text = format!(
        "s_mov_b32 s20, 0
        v_mbcnt_lo_u32_b32 v9, -1, 0
        v_mbcnt_hi_u32_b32 v9, -1, v9
        loop:
        s_lshl_b32 s21, s20, 6
        s_and_b32 s22, s21, 255
        s_lshr_b32 s23, s20, 2
        v_add_i32 v0, vcc, s22, v9
        v_mov_b32 v1, s23
        v_add_i32 v2, vcc, s21, v9
        v_lshlrev_b32 v3, 4, v2
        {body}
        s_waitcnt vmcnt(0) expcnt(0)
        s_add_u32 s20, s20, 1
        s_cmp_lt_u32 s20, {groups}
        s_cbranch_scc1 loop
        s_endpgm"
    );
    registers.push(("s[8:11]", buffer(OUT, 0, 14, 7)));
    let input = ExecInput {
        registers: registers
            .into_iter()
            .map(|(name, words)| (name.to_owned(), LaneValue::Lanes(words)))
            .collect(),
        memory: [(IMAGE, memory), (OUT, out)]
            .map(|(address, bytes)| MemoryBlock {
                address,
                hex: hex(bytes),
            })
            .into(),
        strict: true,
        ..ExecInput::default()
    };
    let words = assemble(&text).unwrap().concat();
    let output = TOOLS.exec("compute", &words, &input)?;
    // Strict runs go lane by lane.
    let rows = ExecInput {
        strict: false,
        ..input
    };
    let of_rows = TOOLS.exec("compute", &words, &rows)?;
    let found = [output, of_rows].map(|output| [0, 1].map(|n| bytes(&output.memory[n].hex)));
    assert!(found[0] == found[1], "{body}");
    let [found, _] = found;
    Ok(found)
}

const LOAD: &str = "image_load v[4:7], v[0:1], s[0:7] dmask:0xf unorm
    s_waitcnt vmcnt(0)
    buffer_store_dwordx4 v[4:7], v3, s[8:11], 0 offen";
const FETCH: &str = "buffer_load_format_xyzw v[4:7], v2, s[12:15], 0 idxen
    s_waitcnt vmcnt(0)
    buffer_store_dwordx4 v[4:7], v3, s[8:11], 0 offen";
/// With a sampler that takes the nearest texel.
const SAMPLE: &str = "v_cvt_f32_u32 v4, v0
    v_cvt_f32_u32 v5, v1
    v_add_f32 v4, 0.5, v4
    v_add_f32 v5, 0.5, v5
    image_sample v[4:7], v[4:5], s[0:7], s[24:27] dmask:0xf unorm
    s_waitcnt vmcnt(0)
    buffer_store_dwordx4 v[4:7], v3, s[8:11], 0 offen";
const STORE: &str = "buffer_load_dwordx4 v[4:7], v3, s[8:11], 0 offen
    s_waitcnt vmcnt(0)
    image_store v[4:7], v[0:1], s[0:7] dmask:0xf unorm";
const PUT: &str = "buffer_load_dwordx4 v[4:7], v3, s[8:11], 0 offen
    s_waitcnt vmcnt(0)
    buffer_store_format_xyzw v[4:7], v2, s[12:15], 0 idxen";

/// What a texel reads as through straight selectors.
fn value(bits: &[u32], num: u8, texel: [u32; 4]) -> [u32; 4] {
    let mut value = [0; 4];
    for (c, bits) in bits.iter().enumerate() {
        value[c] = read(num, *bits, c, texel[c]);
    }
    value
}

fn pairs() -> impl Iterator<Item = (u8, &'static [u32], u8)> {
    LAYOUTS
        .iter()
        .flat_map(|(data, bits)| (0..16).map(move |num| (*data, *bits, num)))
}

const STRAIGHT: [u32; 4] = [4, 5, 6, 7];

#[test]
fn every_pair_reads_every_value() {
    let mut checked = 0;
    for (data, bits, num) in pairs() {
        let size = bits.iter().sum::<u32>() / 8;
        let table = texels(bits);
        let memory = packed(bits, &table);
        let mut ways = Vec::new();
        if data != 13 {
            let nearest = vec![0, 0xfff << 12, 0, 0];
            let both = vec![
                ("s[0:7]", image(data, num, STRAIGHT)),
                ("s[24:27]", nearest),
            ];
            ways.extend([(LOAD, both.clone()), (SAMPLE, both)]);
        }
        if data < 15 && num < 8 {
            ways.push((FETCH, vec![("s[12:15]", buffer(IMAGE, size, data, num))]));
        }
        for (way, registers) in ways {
            let count = if way == SAMPLE { FEW } else { table.len() };
            let out = vec![0xcc; 16 * count];
            let result = run(way, registers, &memory, &out);
            if !legal(bits, num) {
                let error = result.unwrap_err().to_string();
                assert!(
                    error.contains(&format!("format {data}")),
                    "{data} {num}: {error}"
                );
                continue;
            }
            let [_, found] = result.unwrap_or_else(|error| panic!("{data} {num}: {error}"));
            for (texel, found) in table.iter().zip(quads(&found)) {
                let expected = value(bits, num, *texel);
                assert!(
                    (0..4).all(|c| same(expected[c], found[c])),
                    "{data} {num} {way}: {texel:x?} reads as {found:x?}, not {expected:x?}"
                );
            }
            checked += 1;
        }
    }
    // Loads and samples of images, and fetches from buffers.
    assert_eq!(checked, 505);
}

/// The nearest integer, ties to even, clamped; NaN is 0.
fn nearest(x: f64, min: f64, max: f64) -> i64 {
    let x = if x.is_nan() { 0.0 } else { x.clamp(min, max) };
    x.round_ties_even() as i64
}

/// What a channel of a value is stored as.
fn write(num: u8, bits: u32, value: u32) -> u32 {
    let mask = u32::MAX >> (32 - bits);
    let (max, half) = (f64::from(mask), f64::from(mask >> 1));
    let x = f64::from(f32::from_bits(value));
    match num {
        UNORM => nearest(x.clamp(0.0, 1.0) * max, 0.0, max) as u32,
        SNORM => nearest(x.clamp(-1.0, 1.0) * half, -half, half) as u32 & mask,
        UINT => value.min(mask),
        SINT => (i64::from(value as i32)).clamp(-(half as i64) - 1, half as i64) as u32 & mask,
        _ => value,
    }
}

#[test]
fn every_writable_pair_writes_every_value() {
    let mut random = Random(5);
    let mut checked = 0;
    for (data, bits, num) in pairs() {
        // [SI table 8.13: written formats]
        if !matches!(num, UNORM | SNORM | UINT | SINT | FLOAT)
            || !legal(bits, num)
            || data == 20
            || data == 21
        {
            continue;
        }
        let size = bits.iter().sum::<u32>() as usize / 8;
        let table = texels(bits);
        let mut ways = Vec::new();
        if data != 13 {
            ways.push((STORE, ("s[0:7]", image(data, num, STRAIGHT))));
        }
        if data < 15 {
            ways.push((PUT, ("s[12:15]", buffer(IMAGE, size as u32, data, num))));
        }
        let empty = vec![0; size * table.len()];
        // All values as they are read: they come back.
        let values: Vec<u8> = table
            .iter()
            .flat_map(|texel| value(bits, num, *texel))
            .flat_map(u32::to_le_bytes)
            .collect();
        // Values between, outside and far away, where the rounding of floats is not the test's business.
        let awkward: Vec<[u32; 4]> = (0..table.len())
            .map(|i| {
                [0, 1, 2, 3].map(|c: usize| match (num, random.below(4)) {
                    (UINT | SINT, 0) => random.word() as u32,
                    (UINT | SINT, _) => random.word() as u32 >> random.below(32),
                    (FLOAT, _) => value(bits, num, table[i])[c],
                    (_, 0) => random.word() as u32,
                    (_, 1) => [f32::NAN, f32::INFINITY, -f32::INFINITY, -0.0]
                        [random.below(4) as usize]
                        .to_bits(),
                    // Half way between two codes, and the floats beside it.
                    _ => {
                        let max = f64::from(u32::MAX >> (32 - bits.get(c).copied().unwrap_or(8)));
                        let code = random.below(max as u64 + 1) as f64 + 0.5;
                        let middle = (code / max) as f32;
                        let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
                        (middle * sign)
                            .to_bits()
                            .wrapping_add(random.below(3) as u32)
                            .wrapping_sub(1)
                    }
                })
            })
            .collect();
        let awkward_bytes: Vec<u8> = awkward
            .iter()
            .flatten()
            .flat_map(|v| v.to_le_bytes())
            .collect();
        for (way, registers) in ways {
            let [stored, _] = run(way, vec![registers.clone()], &empty, &values).unwrap();
            let again: Vec<[u32; 4]> = table
                .iter()
                .map(|texel| {
                    let mut texel = *texel;
                    for (raw, bits) in texel.iter_mut().zip(bits) {
                        let nan = f32::from_bits(read(num, *bits, 0, *raw)).is_nan();
                        // -1 has two patterns, and NaN has many.
                        if num == SNORM && *raw == 1 << (bits - 1) {
                            *raw += 1;
                        } else if num == FLOAT && *bits < 32 && nan {
                            *raw = u32::MAX;
                        }
                    }
                    texel
                })
                .collect();
            let found = unpacked(bits, &stored);
            for (n, (expected, found)) in again.iter().zip(&found).enumerate() {
                let same = (0..bits.len()).all(|c| {
                    let nan =
                        num == FLOAT && f32::from_bits(read(num, bits[c], 0, found[c])).is_nan();
                    expected[c] == found[c]
                        || expected[c] == u32::MAX && nan
                        || bits[c] == 32 && nan
                });
                assert!(
                    same,
                    "{data} {num} {way} {n}: {found:x?}, not {expected:x?}"
                );
            }
            if num != FLOAT {
                let [stored, _] = run(way, vec![registers], &empty, &awkward_bytes).unwrap();
                for (value, found) in awkward.iter().zip(unpacked(bits, &stored)) {
                    for (c, bits) in bits.iter().enumerate() {
                        let expected = write(num, *bits, value[c]);
                        assert_eq!(
                            found[c], expected,
                            "{data} {num} {way}: {:x} in {bits} bits",
                            value[c]
                        );
                    }
                }
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 131);
}

/// Bytes to channels.
fn unpacked(bits: &[u32], bytes: &[u8]) -> Vec<[u32; 4]> {
    let size = bits.iter().sum::<u32>() as usize / 8;
    let texels = bytes.chunks_exact(size).map(|bytes| {
        let word = bytes
            .iter()
            .rev()
            .fold(0u128, |word, b| word << 8 | u128::from(*b));
        let mut texel = [0; 4];
        let mut at = 0;
        for (value, bits) in texel.iter_mut().zip(bits) {
            *value = (word >> at) as u32 & u32::MAX >> (32 - bits);
            at += bits;
        }
        texel
    });
    texels.collect()
}

#[test]
fn selectors_reorder_and_supply_constants() {
    let out = vec![0; 16 * FEW];
    let bits = &[8, 8, 8, 8][..];
    let table = texels(bits);
    let memory = packed(bits, &table);
    for num in [USCALED, UINT, SNORM_NZ, UBINT] {
        let one = if is_integer(num) { 1 } else { 1f32.to_bits() };
        let registers = vec![("s[0:7]", image(10, num, [7, 1, 4, 0]))];
        let [_, found] = run(LOAD, registers, &memory, &out).unwrap();
        for (texel, found) in table.iter().zip(quads(&found)) {
            let straight = value(bits, num, *texel);
            assert_eq!(found, [straight[3], one, straight[0], 0]);
        }
    }
}

#[test]
fn integers_read_as_floats_are_filtered() {
    // Half way between texels x and x + 1, clamped to the last.
    let body = "v_cvt_f32_u32 v4, v0
        v_cvt_f32_u32 v5, v1
        v_add_f32 v4, 1.0, v4
        v_add_f32 v5, 0.5, v5
        image_sample v[4:7], v[4:5], s[0:7], s[24:27] dmask:0xf unorm
        s_waitcnt vmcnt(0)
        buffer_store_dwordx4 v[4:7], v3, s[8:11], 0 offen";
    let out = vec![0; 16 * FEW];
    let bits = &[8, 8][..];
    let table = texels(bits);
    let memory = packed(bits, &table);
    for num in [USCALED, SSCALED, UBSCALED] {
        let linear = vec![2 | 2 << 3, 0xfff << 12, 1 << 20 | 1 << 22, 0];
        let registers = vec![("s[0:7]", image(3, num, STRAIGHT)), ("s[24:27]", linear)];
        let [_, found] = run(body, registers, &memory, &out).unwrap();
        for (n, found) in quads(&found).into_iter().enumerate() {
            let next = if n % EDGE == EDGE - 1 { n } else { n + 1 };
            let [a, b] = [n, next].map(|n| value(bits, num, table[n]).map(f32::from_bits));
            let expected = [0, 1, 2, 3].map(|c: usize| (a[c] + b[c]) / 2.0);
            assert_eq!(found.map(f32::from_bits), expected, "{num} {n}");
        }
    }
}
