//! Moves with an index that differs from lane to lane or comes from a loop.

use lanes::{LANES, Wave};

use super::super::cf::Lock;
use super::super::words::{Elem, KcacheMode};
use super::{ACTIVE, Port, Setup};

/// What a constant outside its range reads as. [R600 4.6]
pub const OUT_OF_RANGE: u32 = 0x7fff_ffff;

/// What is added to a register or constant number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// The address register's element in this row, lane by lane.
    Row(u16),
    /// The loop index of the port.
    Loop,
}

/// A move with an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Local {
    /// `row[dst] = register[gpr + index].elem`; element of R0 outside the registers.
    ReadGpr {
        /// Destination row.
        dst: u16,
        /// Register.
        gpr: u8,
        /// Element.
        elem: Elem,
        /// Index.
        index: Index,
    },
    /// `register[gpr + index].elem = row[src]`; nothing outside the registers.
    WriteGpr {
        /// Source row.
        src: u16,
        /// Register.
        gpr: u8,
        /// Element.
        elem: Elem,
        /// Index.
        index: Index,
    },
    /// `row[dst] = constant file[constant + index].elem`.
    ReadFile {
        /// Destination row.
        dst: u16,
        /// Constant.
        constant: u8,
        /// Element.
        elem: Elem,
        /// Index.
        index: Index,
    },
    /// `row[dst] = ` constant of a constant buffer. Lines that are locked by loop index move with it.
    ReadKcache {
        /// Destination row.
        dst: u16,
        /// Locked lines.
        lock: Lock,
        /// Constant, from the start of the first line.
        constant: u8,
        /// Element.
        elem: Elem,
        /// Whether the loop index is added.
        relative: bool,
    },
}

/// Constants of a draw.
pub trait Constants {
    /// Element of a constant of a constant buffer; 0 outside it.
    fn kcache(&self, bank: u8, index: u32, elem: Elem) -> u32;
    /// Element of the constant file.
    fn file(&self, index: u8, elem: Elem) -> u32;
}

/// The lanes of a mask.
fn lanes_of(mask: u64) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask >> lane & 1 == 1)
}

impl Port {
    /// The loop index at this port.
    pub fn loop_index(&self, wave: &Wave) -> i32 {
        self.loop_index
            .map_or(0, |scalar| wave.scalars[usize::from(scalar)] as i32)
    }

    /// Register number `gpr` of an instruction, with the loop index if it is relative; none outside the registers.
    pub fn register(&self, gpr: u8, relative: bool, setup: &Setup<'_>, wave: &Wave) -> Option<u8> {
        let index = if relative { self.loop_index(wave) } else { 0 };
        let at = i64::from(gpr) + i64::from(index);
        u8::try_from(at).ok().filter(|n| *n < setup.gprs)
    }
}

/// What no register's number is.
const OUTSIDE: u8 = u8::MAX;

impl Index {
    /// By lane, `base` and the index.
    #[inline(always)]
    fn behind(self, base: u8, loop_index: i32, wave: &Wave) -> [u32; LANES] {
        let index = |lane: usize| match self {
            Index::Row(row) => wave.rows[usize::from(row)].0[lane],
            Index::Loop => loop_index as u32,
        };
        // A sum that wraps is as far outside as one that does not.
        std::array::from_fn(|lane| index(lane).wrapping_add(base.into()))
    }
}

/// Numbers of registers.
#[inline(always)]
fn registers(numbers: [u32; LANES], gprs: u8) -> [u8; LANES] {
    numbers.map(|n| if n < gprs.into() { n as u8 } else { OUTSIDE })
}

impl Local {
    /// Moves the values of the active lanes.
    pub fn run(self, port: &Port, setup: &Setup<'_>, constants: &dyn Constants, wave: &mut Wave) {
        let loop_index = port.loop_index(wave);
        let active = wave.mask(ACTIVE);
        match self {
            Local::ReadGpr {
                dst,
                gpr,
                elem,
                index,
            } => {
                let from = registers(index.behind(gpr, loop_index, wave), setup.gprs);
                let mut out = wave.rows[usize::from(dst)];
                for (lane, (out, from)) in out.0.iter_mut().zip(from).enumerate() {
                    let from = if from == OUTSIDE { 0 } else { from };
                    let value = wave.rows[4 * usize::from(from) + elem as usize].0[lane];
                    *out = if active >> lane & 1 == 1 { value } else { *out };
                }
                wave.rows[usize::from(dst)] = out;
            }
            Local::WriteGpr {
                src,
                gpr,
                elem,
                index,
            } => {
                let to = registers(index.behind(gpr, loop_index, wave), setup.gprs);
                let values = wave.rows[usize::from(src)];
                for (lane, (value, to)) in values.0.into_iter().zip(to).enumerate() {
                    if active >> lane & 1 == 1 && to != OUTSIDE {
                        wave.rows[4 * usize::from(to) + elem as usize].0[lane] = value;
                    }
                }
            }
            Local::ReadFile {
                dst,
                constant,
                elem,
                index,
            } => {
                let from = index.behind(constant, loop_index, wave);
                for lane in lanes_of(active) {
                    let from = u8::try_from(from[lane]);
                    wave.rows[usize::from(dst)].0[lane] =
                        from.map_or(OUT_OF_RANGE, |n| constants.file(n, elem));
                }
            }
            Local::ReadKcache {
                dst,
                lock,
                constant,
                elem,
                relative,
            } => {
                let value = kcache(lock, constant, elem, relative, loop_index, constants);
                for lane in lanes_of(active) {
                    wave.rows[usize::from(dst)].0[lane] = value;
                }
            }
        }
    }
}

fn kcache(
    lock: Lock,
    constant: u8,
    elem: Elem,
    relative: bool,
    loop_index: i32,
    constants: &dyn Constants,
) -> u32 {
    let moving = lock.mode == KcacheMode::LockLoopIndex;
    // Lines that move with the loop index have gone its sixteenths already.
    let index = match (relative, moving) {
        (false, _) => 0,
        (true, false) => loop_index,
        (true, true) => loop_index.rem_euclid(16),
    };
    let at = i64::from(constant) + i64::from(index);
    if at < 0 || at >= i64::from(lock.constants()) {
        return OUT_OF_RANGE;
    }
    let lines = if moving { loop_index.div_euclid(16) } else { 0 };
    let first = (i64::from(lock.line) + i64::from(lines)) * 16;
    u32::try_from(first + at).map_or(0, |index| constants.kcache(lock.bank, index, elem))
}
