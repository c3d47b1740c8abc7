//! Moves with an index that differs from lane to lane, writes of registers that lanes share, and rare formats.

use std::ops::Range;

use lanes::{LANES, PortEffects, Src, Wave};
use silicon::texture::float;

use super::{ACTIVE, TASK};

/// What the ports of a lone wave can do by themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Local {
    /// `row[dst] = row[first + index]`, the last one where that is `end` or more.
    Gather {
        /// Destination row.
        dst: u16,
        /// Register 0 of the index.
        first: u16,
        /// Behind the last register of the bank.
        end: u16,
        /// Row of the index.
        index: u16,
    },
    /// The same of scalars.
    GatherShared {
        /// Destination row.
        dst: u16,
        /// Register 0 of the index.
        first: u16,
        /// Behind the last shared register.
        end: u16,
        /// Row of the index.
        index: u16,
    },
    /// `row[first + index] = value`, the last one where that is `end` or more.
    Scatter {
        /// Value.
        value: Src,
        /// Register 0 of the index.
        first: u16,
        /// Behind the last register of the bank.
        end: u16,
        /// Index.
        index: Src,
    },
    /// `scalar[first + index] = value`, in the order of lanes.
    ScatterShared {
        /// Value.
        value: Src,
        /// Register 0 of the index.
        first: u16,
        /// Behind the last shared register.
        end: u16,
        /// Index.
        index: Src,
    },
    /// All lanes of a task get the last active lane's value: a coefficient, which they share.
    Broadcast {
        /// Row.
        dst: u16,
        /// Value.
        value: Src,
    },
    /// `row[dst] = ` three floats in 11, 11 and 10 bits.
    PackF111110 {
        /// Destination row.
        dst: u16,
        /// Red, green, blue.
        from: [Src; 3],
    },
    /// `row[dst] = ` three floats with a shared exponent.
    PackSe9995 {
        /// Destination row.
        dst: u16,
        /// Red, green, blue.
        from: [Src; 3],
    },
    /// `row[dst] = ` a channel of three floats with a shared exponent.
    UnpackSe9995 {
        /// Destination row.
        dst: u16,
        /// Packed.
        from: Src,
        /// 0 to 2.
        channel: u8,
    },
    /// `row[dst] = ` an unsigned float with 5 bits of exponent.
    UnpackSmall {
        /// Destination row.
        dst: u16,
        /// Bits of the float, those of an 11-bit one in front.
        from: Src,
        /// Bits of the mantissa: 5 or 6.
        mantissa: u8,
    },
}

/// The lanes of a mask.
pub(crate) fn each(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (lane < LANES).then_some(lane)
    })
}

/// An operand in a lane.
#[inline(always)]
pub(crate) fn value(wave: &Wave, source: Src, lane: usize) -> u32 {
    match source {
        Src::Row(row) => wave.rows[usize::from(row)].0[lane],
        other => wave.uniform(other),
    }
}

/// The register at an index, the last one beyond the bank.
fn at(first: u16, end: u16, index: u32) -> usize {
    let last = u32::from(end.saturating_sub(1).max(first));
    u32::from(first).saturating_add(index).min(last) as usize
}

/// The index of all active lanes, if they have the same.
fn uniform(index: &[u32; LANES], active: u64) -> Option<u32> {
    let first = index[(active.trailing_zeros() as usize).min(LANES - 1)];
    let same = match active {
        u64::MAX => index.iter().fold(0, |any, index| any | (index ^ first)) == 0,
        _ => each(active).all(|lane| index[lane] == first),
    };
    same.then_some(first)
}

/// Writes the active lanes of a row.
fn put(row: &mut [u32; LANES], active: u64, values: &[u32; LANES]) {
    match active {
        u64::MAX => *row = *values,
        _ => each(active).for_each(|lane| row[lane] = values[lane]),
    }
}

impl Local {
    pub(super) fn effects(&self, sources: &mut Vec<Src>, effects: &mut PortEffects) {
        effects.may_fail = false;
        effects.overwrites = false;
        effects.cost = 128;
        let bank = |first: u16, end: u16| -> Range<u16> { first..end.max(first + 1) };
        match *self {
            Local::Gather {
                dst,
                first,
                end,
                index,
            } => {
                effects.reads_rows = bank(first, end).collect();
                effects.writes_rows = vec![dst];
                sources.push(Src::Row(index));
            }
            Local::GatherShared {
                dst,
                first,
                end,
                index,
            } => {
                effects.reads_scalars.extend(bank(first, end));
                effects.writes_rows = vec![dst];
                sources.push(Src::Row(index));
            }
            Local::Scatter {
                value,
                first,
                end,
                index,
            } => {
                effects.writes_rows = bank(first, end).collect();
                sources.extend([value, index]);
            }
            Local::ScatterShared {
                value,
                first,
                end,
                index,
            } => {
                effects.writes_scalars = bank(first, end).collect();
                sources.extend([value, index]);
            }
            Local::Broadcast { dst, value } => {
                effects.writes_rows = vec![dst];
                sources.push(value);
            }
            Local::PackF111110 { dst, from } | Local::PackSe9995 { dst, from } => {
                effects.writes_rows = vec![dst];
                sources.extend(from);
            }
            Local::UnpackSe9995 { dst, from, .. } | Local::UnpackSmall { dst, from, .. } => {
                effects.writes_rows = vec![dst];
                sources.push(from);
            }
        }
    }

    /// Does it in a wave.
    pub(super) fn run(&self, wave: &mut Wave) {
        let active = wave.mask(ACTIVE);
        match *self {
            Local::Gather {
                dst,
                first,
                end,
                index,
            } => {
                let index = wave.rows[usize::from(index)].0;
                match uniform(&index, active) {
                    Some(index) => {
                        let from = wave.rows[at(first, end, index)].0;
                        put(&mut wave.rows[usize::from(dst)].0, active, &from);
                    }
                    None => {
                        for lane in each(active) {
                            let from = at(first, end, index[lane]);
                            wave.rows[usize::from(dst)].0[lane] = wave.rows[from].0[lane];
                        }
                    }
                }
            }
            Local::GatherShared {
                dst,
                first,
                end,
                index,
            } => {
                let index = wave.rows[usize::from(index)].0;
                let from = match uniform(&index, active) {
                    Some(index) => [wave.scalars[at(first, end, index)]; LANES],
                    None => index.map(|index| wave.scalars[at(first, end, index)]),
                };
                put(&mut wave.rows[usize::from(dst)].0, active, &from);
            }
            Local::Scatter {
                value: from,
                first,
                end,
                index,
            } => {
                for lane in each(active) {
                    let (value, index) = (value(wave, from, lane), value(wave, index, lane));
                    wave.rows[at(first, end, index)].0[lane] = value;
                }
            }
            Local::ScatterShared {
                value: from,
                first,
                end,
                index,
            } => {
                for lane in each(active) {
                    let (value, index) = (value(wave, from, lane), value(wave, index, lane));
                    wave.scalars[at(first, end, index)] = value;
                }
            }
            Local::Broadcast { dst, value: from } => {
                for half in [0, TASK as usize] {
                    let lanes = (active >> half) as u32;
                    if lanes != 0 {
                        let last = half + lanes.ilog2() as usize;
                        let value = value(wave, from, last);
                        wave.rows[usize::from(dst)].0[half..half + TASK as usize].fill(value);
                    }
                }
            }
            Local::PackF111110 { dst, from } => self.map(wave, active, dst, from, |[r, g, b]| {
                float::to_unsigned_small::<6>(r)
                    | float::to_unsigned_small::<6>(g) << 11
                    | float::to_unsigned_small::<5>(b) << 22
            }),
            Local::PackSe9995 { dst, from } => self.map(wave, active, dst, from, |rgb| {
                float::to_shared_exponent(rgb.map(f32::from_bits))
            }),
            Local::UnpackSe9995 { dst, from, channel } => {
                let none = Src::Const(0);
                self.map(wave, active, dst, [from, none, none], |[bits, ..]| {
                    float::from_shared_exponent(bits)[usize::from(channel.min(2))].to_bits()
                });
            }
            Local::UnpackSmall {
                dst,
                from,
                mantissa,
            } => {
                let none = Src::Const(0);
                self.map(
                    wave,
                    active,
                    dst,
                    [from, none, none],
                    |[bits, ..]| match mantissa {
                        5 => float::from_small::<5>(bits & 0x3ff),
                        _ => float::from_small::<6>(bits & 0x7ff),
                    },
                );
            }
        }
    }

    /// `row[dst] = op(from)` in the active lanes.
    fn map(
        &self,
        wave: &mut Wave,
        active: u64,
        dst: u16,
        from: [Src; 3],
        op: impl Fn([u32; 3]) -> u32,
    ) {
        for lane in each(active) {
            let result = op(from.map(|source| value(wave, source, lane)));
            wave.rows[usize::from(dst)].0[lane] = result;
        }
    }
}
