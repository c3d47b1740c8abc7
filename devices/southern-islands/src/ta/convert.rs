//! Elements of buffers: every data format with every number format of V# and MTBUF. [SI 8.1.4, table 11.10]
//!
//! Formats that silicon's table knows are converted by whole rows there; this module is for the others (integers read
//! as floats, SNORM_NZ, orders that no API has) and for what a selector makes of components.

use silicon::format::Read;
use silicon::{Format, fixed, float};

use crate::formats::{self, num_format};

/// Bytes of one element; 0 for a data format that does not exist.
pub fn element_bytes(data: u8) -> u32 {
    formats::channel_bits(data).iter().sum::<u32>() / 8
}

/// The format of silicon's table that stores and reads the same, if there is one.
pub fn known(data: u8, num: u8) -> Option<Format> {
    let format = formats::from_image(data, num)?;
    // Selectors count stored channels, so only formats whose channel order is x, y, z, w will do.
    let plain = format
        .row()
        .reads
        .iter()
        .enumerate()
        .all(|(i, read)| match read {
            Read::Channel(c) => usize::from(*c) == i,
            _ => true,
        });
    (plain && formats::channel_bits(data).len() == format.channels().len()).then_some(format)
}

/// The number one as a component of this number format.
pub fn one(num: u8) -> u32 {
    match num {
        num_format::UINT | num_format::SINT => 1,
        _ => 1f32.to_bits(),
    }
}

/// Channels of one element, lowest first; channels that the format lacks are zero.
pub fn unpack(data: u8, num: u8, words: [u32; 4]) -> [u32; 4] {
    let mut out = [0; 4];
    let mut at = 0;
    for (value, bits) in out.iter_mut().zip(formats::channel_bits(data)) {
        let raw = words[(at / 32) as usize] >> (at % 32) & low(*bits);
        *value = load(num, *bits, raw);
        at += bits;
    }
    out
}

/// One element from its channels.
pub fn pack(data: u8, num: u8, channels: [u32; 4]) -> [u32; 4] {
    let mut words = [0; 4];
    let mut at = 0;
    for (value, bits) in channels.iter().zip(formats::channel_bits(data)) {
        words[(at / 32) as usize] |= (store(num, *bits, *value) & low(*bits)) << (at % 32);
        at += bits;
    }
    words
}

fn low(bits: u32) -> u32 {
    u32::MAX >> (32 - bits)
}

fn load(num: u8, bits: u32, raw: u32) -> u32 {
    let signed = ((raw << (32 - bits)) as i32) >> (32 - bits);
    match num {
        num_format::UNORM => fixed::from_unorm(raw, bits).to_bits(),
        num_format::SNORM => fixed::from_snorm(signed, bits).to_bits(),
        num_format::USCALED => (raw as f32).to_bits(),
        num_format::SSCALED => (signed as f32).to_bits(),
        num_format::SINT => signed as u32,
        num_format::SNORM_NZ => {
            let steps = f64::from(low(bits));
            ((f64::from(signed) * 2.0 + 1.0) / steps) as f32
        }
        .to_bits(),
        num_format::FLOAT => match bits {
            10 => float::from_small::<5>(raw),
            11 => float::from_small::<6>(raw),
            16 => float::from_f16(raw),
            _ => raw,
        },
        _ => raw,
    }
}

fn store(num: u8, bits: u32, value: u32) -> u32 {
    let x = f32::from_bits(value);
    match num {
        num_format::UNORM => fixed::to_unorm(x, bits),
        num_format::SNORM | num_format::SNORM_NZ => fixed::to_snorm(x, bits) as u32,
        num_format::USCALED => (x as u32).min(low(bits)),
        num_format::SSCALED => {
            (x as i32).clamp(-(low(bits - 1) as i32) - 1, low(bits - 1) as i32) as u32
        }
        num_format::UINT => value.min(low(bits)),
        num_format::SINT => {
            (value as i32).clamp(-(low(bits - 1) as i32) - 1, low(bits - 1) as i32) as u32
        }
        _ => match bits {
            10 => float::to_unsigned_small::<5>(value),
            11 => float::to_unsigned_small::<6>(value),
            16 => float::to_f16(value),
            _ => value,
        },
    }
}
