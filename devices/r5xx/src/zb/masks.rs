//! Fast clears: blocks that a mask says are clear, of depths and of samples of colours. [R5xx 10.4.4, ZB_DEPTHCLEARVALUE]
//!
//! The memories of the masks have two bits a block of four by four pixels, or eight by eight; a dword holds four by four
//! blocks. Zero is a clear block, which reads as the register says; nothing is stored compressed. A draw with fast clears
//! on stores the value into clear blocks of its area first.

use radeon::registers::RegisterFile;
use silicon::Memory;
use silicon::fragment::surface::{Extent, Layout};

use crate::cp::State;
use crate::regs::*;
use crate::tiling::{Micro, Surface};
use crate::{cb, zb};

/// Dwords of each mask.
pub const MASK: usize = 1 << 14;

/// What a mask says of a surface.
struct Masked<'a> {
    /// Words of a clear texel.
    value: &'a [u32],
    base: u64,
    surface: Surface,
    /// Pixels of an edge of a block.
    edge: u32,
    /// First dword of the mask.
    first: usize,
    /// Pixels from row to row of blocks.
    pitch: u32,
}

impl Masked<'_> {
    /// Stores the value into clear blocks; the mask says so no longer.
    fn fill(&self, memory: &Memory, mask: &mut [u32]) -> Result<(), String> {
        let across = self.pitch.div_ceil(4 * self.edge);
        let Extent {
            pitch: width,
            height,
            ..
        } = self.surface.extent();
        for y in (0..height).step_by(self.edge as usize) {
            for x in (0..width).step_by(self.edge as usize) {
                let (bx, by) = (x / self.edge, y / self.edge);
                let at = self.first + (by / 4 * across + bx / 4) as usize;
                let shift = 2 * (by % 4 * 4 + bx % 4);
                let Some(dword) = mask.get_mut(at) else {
                    return Err(format!("dword {at:#x} of a mask that has {MASK:#x}"));
                };
                if *dword >> shift & 3 == 0 {
                    *dword |= 3 << shift;
                    let stored = self.block(memory, [x, y]);
                    stored.ok_or_else(|| {
                        format!("a cleared surface at {:#x} leaves video memory", self.base)
                    })?;
                }
            }
        }
        Ok(())
    }

    fn block(&self, memory: &Memory, [left, top]: [u32; 2]) -> Option<()> {
        let Extent { pitch, height, .. } = self.surface.extent();
        for y in top..(top + self.edge).min(height) {
            for x in left..(left + self.edge).min(pitch) {
                for sample in 0..self.surface.samples {
                    let slice = self.surface.slice();
                    let at = self.base + self.surface.offset(x, y, slice, sample);
                    match self.surface.element_bytes {
                        2 => memory.store_half(at, self.value[0] as u16)?,
                        _ => {
                            for (n, word) in (0..).zip(self.value) {
                                memory.store(at + 4 * n, *word)?;
                            }
                        }
                    }
                }
            }
        }
        Some(())
    }
}

/// Whether a draw looks at masks.
pub fn are_on(registers: &RegisterFile) -> bool {
    use ZB_BW_CNTL::*;
    let depths = [FAST_FILL, RD_COMP_ENABLE, WR_COMP_ENABLE].map(|field| field.on(registers));
    let colors = [RB3D_CCTL::CMASK_ENABLE, RB3D_CCTL::AA_COMPRESSION_ENABLE];
    depths.contains(&true) || colors.iter().any(|field| field.on(registers))
}

/// Before a draw that reaches down to a row: clear blocks of what it draws to.
pub fn before(memory: &Memory, state: &mut State, height: u32, samples: u32) -> Result<(), String> {
    depths(memory, state, height, samples)?;
    colors(memory, state, height, samples)
}

fn depths(memory: &Memory, state: &mut State, height: u32, samples: u32) -> Result<(), String> {
    let registers = &state.registers;
    if !fills(registers)? {
        return Ok(());
    }
    let Some((_, base, surface)) = zb::depth(registers, height, samples)?.surface else {
        return Ok(());
    };
    if surface.tiling.micro == Micro::Linear {
        return Err("ZB_BW_CNTL.FAST_FILL of depths without micro tiles is not executed".into());
    }
    let masked = Masked {
        value: &[ZB_DEPTHCLEARVALUE.read(registers, 0)],
        base,
        surface,
        edge: match GB_Z_PEQ_CONFIG::Z_PEQ_SIZE.on(registers) {
            true => 8,
            false => 4,
        },
        first: ZB_ZMASK_OFFSET.read(registers, 0) as usize / 4,
        pitch: ZB_ZMASK_PITCH.read(registers, 0) & 0x3fff,
    };
    masked.fill(memory, &mut state.z_mask)
}

/// Whether depths are cleared by the mask; compression changes nothing that is seen.
fn fills(registers: &RegisterFile) -> Result<bool, String> {
    use ZB_BW_CNTL::*;
    let on = [FAST_FILL, RD_COMP_ENABLE, WR_COMP_ENABLE].map(|field| field.on(registers));
    match on {
        [false, false, false] => Ok(false),
        [true, false, false] | [true, true, _] => Ok(true),
        _ => Err(format!(
            "ZB_BW_CNTL.FAST_FILL, RD_COMP_ENABLE and WR_COMP_ENABLE {on:?} is not a valid combination"
        )),
    }
}

fn colors(memory: &Memory, state: &mut State, height: u32, samples: u32) -> Result<(), String> {
    let registers = &state.registers;
    if !RB3D_CCTL::CMASK_ENABLE.on(registers) {
        return match RB3D_CCTL::AA_COMPRESSION_ENABLE.on(registers) {
            true => Err("RB3D_CCTL.AA_COMPRESSION_ENABLE 1 needs CMASK_ENABLE".into()),
            false => Ok(()),
        };
    }
    let target = match cb::resolve(registers, height, samples)? {
        Some(resolve) => resolve.from,
        None => match cb::targets(registers, height, samples)?.into_iter().next() {
            Some(target) => target,
            None => return Ok(()),
        },
    };
    let pair = |register: Register| register.read(registers, 0);
    let [ar, gb] = [RB3D_COLOR_CLEAR_VALUE_AR, RB3D_COLOR_CLEAR_VALUE_GB].map(pair);
    let halves = [gb, ar];
    let narrow = [RB3D_COLOR_CLEAR_VALUE.read(registers, 0)];
    let masked = Masked {
        value: match target.surface.element_bytes {
            8 => &halves,
            _ => &narrow,
        },
        base: target.base,
        surface: target.surface,
        edge: 4,
        first: RB3D_CMASK_OFFSET.read(registers, 0) as usize / 4,
        pitch: RB3D_CMASK_PITCH.read(registers, 0) & 0x3fff,
    };
    masked.fill(memory, &mut state.color_mask)
}
