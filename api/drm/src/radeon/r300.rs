//! Relocations in the streams of R300 to R500: addresses get the base of the buffer that the next NOP packet names.

use super::submit::{Named, Relocations};
use crate::errno::{Answer, Errno};

/// `RADEON_TILING_*`.
const MACRO: u32 = 1;
const MICRO: u32 = 2;
const MICRO_SQUARE: u32 = 0x20;

/// What a register holds.
#[derive(Clone, Copy)]
enum Register {
    /// A byte address.
    Offset,
    /// DST_PITCH_OFFSET and SRC_PITCH_OFFSET: an address in kilobytes below the pitch.
    PitchOffset,
    /// A texture's address, with tiling and endian swap in its low bits.
    Texture,
    /// A pitch with the bits of tiling from a place on.
    Pitch { macro_bit: u32 },
}

/// What a register needs of a buffer. [R5xx registers]
fn register(at: u32) -> Option<Register> {
    Some(match at {
        0x142c | 0x1428 => Register::PitchOffset,
        // RB3D_COLOROFFSET, ZB_DEPTHOFFSET, RB3D_AARESOLVE_OFFSET, ZB_ZPASS_ADDR.
        0x4e28..0x4e38 | 0x4f20 | 0x4e80 | 0x4f5c => Register::Offset,
        0x4540..0x4580 => Register::Texture,
        // RB3D_COLORPITCH, ZB_DEPTHPITCH.
        0x4e38..0x4e48 | 0x4f24 => Register::Pitch { macro_bit: 16 },
        _ => return None,
    })
}

const NOP: u32 = 0x10;
const LOAD_VBPNTR: u32 = 0x2f;
const INDX_BUFFER: u32 = 0x33;

/// Adds the bases of buffers to the addresses of a stream.
///
/// Errors: EINVAL for packets that reach out of the stream, and for addresses without a buffer or outside of it.
pub(super) fn patch(words: &mut [u32], relocations: &Relocations) -> Answer {
    let mut at = 0;
    while at < words.len() {
        let header = words[at];
        let (kind, count) = (header >> 30, (header >> 16 & 0x3fff) as usize + 1);
        if kind == 2 {
            at += 1;
            continue;
        }
        let payload = at + 1;
        at = payload + count;
        if kind == 1 || at > words.len() {
            return Err(Errno::INVALID);
        }
        if kind == 0 {
            let one = header >> 15 & 1 != 0;
            for n in 0..count {
                let address = (header & 0x1fff) * 4 + if one { 0 } else { 4 * n as u32 };
                let Some(register) = register(address) else {
                    continue;
                };
                if relocations.keep_tiling && matches!(register, Register::Pitch { .. }) {
                    continue;
                }
                let named = next(words, &mut at, relocations)?;
                apply(
                    &mut words[payload + n],
                    register,
                    named,
                    relocations.keep_tiling,
                )?;
            }
            continue;
        }
        match header >> 8 & 0xff {
            LOAD_VBPNTR => {
                let arrays = (words[payload] & 0x1f) as usize;
                for n in 0..arrays {
                    // A word of formats for two arrays, then their two addresses.
                    let place = payload + 1 + n / 2 * 3 + 1 + n % 2;
                    if place >= payload + count {
                        return Err(Errno::INVALID);
                    }
                    let named = next(words, &mut at, relocations)?;
                    apply(&mut words[place], Register::Offset, named, true)?;
                }
            }
            INDX_BUFFER if count >= 2 => {
                let named = next(words, &mut at, relocations)?;
                apply(&mut words[payload + 1], Register::Offset, named, true)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// The buffer that the NOP packet at `at` names; `at` goes behind it.
fn next<'a>(words: &[u32], at: &mut usize, relocations: &'a Relocations) -> Answer<&'a Named> {
    match words.get(*at..*at + 2) {
        Some([header, named]) if header & 0xffff_ff00 == 0xc000_0000 | NOP << 8 => {
            *at += 2;
            relocations.named(*named)
        }
        _ => Err(Errno::INVALID),
    }
}

fn apply(word: &mut u32, register: Register, named: &Named, keep_tiling: bool) -> Answer {
    let inside = |offset: u32| {
        (u64::from(offset) < named.size)
            .then_some(offset)
            .ok_or(Errno::INVALID)
    };
    let base = named.address as u32;
    let micro = match named.tiling & (MICRO | MICRO_SQUARE) {
        0 => 0,
        MICRO => 1,
        _ => 2,
    };
    match register {
        Register::Offset => *word = inside(*word)? + base,
        Register::PitchOffset => {
            inside((*word & 0x3f_ffff) << 10)?;
            *word += base >> 10;
        }
        Register::Texture => {
            let low = *word & 0x1f;
            *word = (inside(*word & !0x1f)? + base) | low;
            if !keep_tiling {
                *word |= (named.tiling & MACRO) << 2 | micro << 3;
            }
        }
        Register::Pitch { macro_bit } => {
            *word &= !(7 << macro_bit);
            *word |= (named.tiling & MACRO) << macro_bit | micro << (macro_bit + 1);
        }
    }
    Ok(())
}
