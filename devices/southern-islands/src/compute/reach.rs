//! Which groups cannot tell whether others have run. In: a program, the scalars that its waves start with, and memory at
//! the start of the dispatch. Out: whether no load reaches bytes that a store of the dispatch may change, or which bytes
//! loads of buffers and stores have in common.
//!
//! Descriptors are found by constant propagation from the user SGPRs on, through loads from memory, which count as loads
//! of the dispatch themselves. What is not known, or has no bounds, may be anything. An atomic operation that returns a
//! value and the global data share tell groups about each other.

use std::ops::Range;

use lanes::{KnownScalars, Wave};

use super::Dispatch;
use crate::descriptor::{BufferResource, ImageSampler, border};
use crate::isa::effects::loaded;
use crate::isa::image::ImageSem;
use crate::isa::memory::{BufferSem, DsSem, SmrdSem};
use crate::isa::operand::{self, TBA, TMA};
use crate::isa::words::{Ds, Mimg, Smrd};
use crate::isa::{Inst, Port};
use crate::sq::Shader;
use crate::sqc;
use crate::ta::MemoryUnit;

/// Bytes of the border colour table.
const BORDER_COLORS: u64 = 4096 * 16;

/// Bytes of memory that an instruction may reach.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reach {
    Nothing,
    Loads(Vec<Range<u64>>),
    Stores(Range<u64>),
    Anything,
}

/// When the groups of a dispatch may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// At any time: all find the same in memory.
    Any,
    /// At any time, if none loads what another stores among these bytes. Only loads of buffers reach them.
    Watched(Range<u64>),
    /// One after the other.
    Ascending,
}

/// When the groups of a dispatch may run.
pub(super) fn order(dispatch: &Dispatch, shader: &Shader, unit: &mut MemoryUnit) -> Order {
    let program = shader.program.program();
    let mut start = vec![Some(0); usize::from(program.scalars)];
    for (scalar, value) in (0..dispatch.resources.user_count).zip(dispatch.user) {
        start[usize::from(scalar)] = Some(value);
    }
    let masks = [
        (TBA, dispatch.resources.handler),
        (TMA, dispatch.trap_memory),
    ];
    for (at, mask) in masks {
        for (n, scalar) in start[usize::from(at)..][..2].iter_mut().enumerate() {
            *scalar = Some((mask >> (32 * n)) as u32);
        }
    }
    for scalar in &program.per_wave {
        start[usize::from(*scalar)] = None;
    }
    let mut reached = vec![Reach::Nothing; shader.ports.len()];
    let followed = program.visit_known(start, |number, known, found| {
        let Some(port) = shader.ports.get(number as usize) else {
            return;
        };
        reached[number as usize] = of_port(port, known, unit, found);
    });
    if !followed || reached.contains(&Reach::Anything) {
        return Order::Ascending;
    }
    let mut watched: Option<Range<u64>> = None;
    for (port, reach) in shader.ports.iter().zip(&reached) {
        let Reach::Loads(loads) = reach else {
            continue;
        };
        let stores = reached.iter().filter_map(|reach| match reach {
            Reach::Stores(bytes) => Some(bytes),
            _ => None,
        });
        let meets = |bytes: &&Range<u64>| {
            let both = |load: &Range<u64>| load.start < bytes.end && bytes.start < load.end;
            loads.iter().any(both)
        };
        for bytes in stores.filter(meets) {
            if !matches!(port.inst, Inst::Mubuf(_) | Inst::Mtbuf(_)) {
                return Order::Ascending;
            }
            let all = watched.get_or_insert(bytes.clone());
            *all = all.start.min(bytes.start)..all.end.max(bytes.end);
        }
    }
    watched.map_or(Order::Any, Order::Watched)
}

/// Both encodings have these fields.
macro_rules! of_buffer {
    ($inst:ident, $known:ident) => {
        match $inst.addr64 {
            true => None,
            false => buffer(
                $inst.op.sem(),
                $inst.glc,
                $inst.idxen,
                ($inst.srsrc, $inst.soffset),
                $known,
            ),
        }
    };
}

fn of_port(
    port: &Port,
    known: &KnownScalars,
    unit: &mut MemoryUnit,
    found: &mut Vec<(u16, u32)>,
) -> Reach {
    let reach = match &port.inst {
        Inst::Smrd(inst) => scalar(inst, known, unit, found),
        Inst::Mubuf(inst) => of_buffer!(inst, known),
        Inst::Mtbuf(inst) => of_buffer!(inst, known),
        Inst::Mimg(inst) => image(inst, known, unit),
        Inst::Ds(inst) => share(inst),
        _ => Some(Reach::Nothing),
    };
    reach.unwrap_or(Reach::Anything)
}

/// Known scalars from a number on.
fn quad(known: &KnownScalars, at: u16) -> Option<u128> {
    let words = known.get(usize::from(at)..usize::from(at) + 4)?;
    let mut quad = 0;
    for word in words.iter().rev() {
        quad = quad << 32 | u128::from((*word)?);
    }
    Some(quad)
}

/// A scalar load. What it loads is known, if where from is.
fn scalar(
    inst: &Smrd,
    known: &KnownScalars,
    unit: &MemoryUnit,
    found: &mut Vec<(u16, u32)>,
) -> Option<Reach> {
    let base = u16::from(inst.sbase) * 2;
    let offset = match inst.imm {
        true => Some(u64::from(inst.offset) * 4),
        false => known[usize::from(inst.offset)].map(u64::from),
    };
    let bytes = match inst.op.sem() {
        SmrdSem::Time | SmrdSem::Invalidate => return Some(Reach::Nothing),
        SmrdSem::Load(count) => {
            let pair = known.get(usize::from(base)..usize::from(base) + 2)?;
            let address = u64::from(pair[0]?) | u64::from(pair[1]?) << 32;
            let first = address.checked_add(offset?)? & !3;
            first..first.checked_add(4 * u64::from(count))?
        }
        SmrdSem::Buffer(_) => linear(&BufferResource::from_word(quad(known, base)?), 0, true)?,
    };
    if offset.is_some() {
        let mut wave = Wave::new(0, known.len());
        for (scalar, value) in wave.scalars.iter_mut().zip(known) {
            *scalar = value.unwrap_or(0);
        }
        // A load that faults gives nothing.
        if sqc::run(inst, &mut wave, unit).is_ok() {
            found.extend(loaded(inst).map(|at| (at, wave.scalars[usize::from(at)])));
        }
    }
    Some(Reach::Loads(vec![bytes]))
}

/// The bytes of a buffer that is not swizzled; nothing if they have no end. Elements of records that begin inside may end
/// outside; without records each dword is inside.
fn linear(buffer: &BufferResource, soffset: u32, bounded: bool) -> Option<Range<u64>> {
    let (base, records) = (buffer.base_address, u64::from(buffer.num_records));
    let bytes = match u64::from(buffer.stride) {
        0 => {
            let (first, end) = (base + u64::from(soffset), base + records);
            return Some((first & !3)..first.max(end.next_multiple_of(4)));
        }
        _ if !bounded => return None,
        stride => records * stride,
    };
    let first = base + u64::from(soffset);
    Some((first & !3)..(first.max(base + bytes) + u64::from(soffset) + 16))
}

fn buffer(
    sem: BufferSem,
    glc: bool,
    indexed: bool,
    (srsrc, soffset): (u8, u8),
    known: &KnownScalars,
) -> Option<Reach> {
    if sem == BufferSem::Invalidate {
        return Some(Reach::Nothing);
    }
    let buffer = BufferResource::from_word(quad(known, u16::from(srsrc) * 4)?);
    if buffer.data_format == 0 {
        return Some(Reach::Nothing);
    }
    if buffer.swizzle_enable {
        return None;
    }
    let soffset = match u16::from(soffset) {
        code if operand::is_scalar_register(code) => known[usize::from(code)]?,
        code => operand::inline_value(code).unwrap_or(0),
    };
    let bytes = linear(&buffer, soffset, indexed || buffer.add_tid_enable)?;
    match sem {
        BufferSem::Invalidate => Some(Reach::Nothing),
        BufferSem::Load(_) | BufferSem::LoadFormat(_) => Some(Reach::Loads(vec![bytes])),
        BufferSem::Store(_) | BufferSem::StoreFormat(_) => Some(Reach::Stores(bytes)),
        BufferSem::Atomic { .. } => (!glc).then_some(Reach::Stores(bytes)),
    }
}

fn image(inst: &Mimg, known: &KnownScalars, unit: &mut MemoryUnit) -> Option<Reach> {
    if inst.r128 {
        return None;
    }
    let at = u16::from(inst.srsrc) * 4;
    let words = [quad(known, at)?, quad(known, at + 4)?];
    let (descriptors, memory) = (&mut unit.descriptors, &unit.memory);
    let Some(bytes) = descriptors.image_bytes(words, memory) else {
        return Some(Reach::Nothing);
    };
    match inst.op.sem() {
        ImageSem::Store { .. } => Some(Reach::Stores(bytes)),
        ImageSem::Atomic(_) => (!inst.glc).then_some(Reach::Stores(bytes)),
        ImageSem::Sample(_) | ImageSem::Gather(_) => {
            let sampler = quad(known, u16::from(inst.ssamp) * 4);
            let inside =
                |sampler| ImageSampler::from_word(sampler).border_color_type != border::REGISTER;
            let table = unit.border_colors..unit.border_colors.saturating_add(BORDER_COLORS);
            Some(Reach::Loads(match sampler.is_some_and(inside) {
                true => vec![bytes],
                false => vec![bytes, table],
            }))
        }
        _ => Some(Reach::Loads(vec![bytes])),
    }
}

/// A group has its local data share for itself.
fn share(inst: &Ds) -> Option<Reach> {
    let of_others = inst.gds || matches!(inst.op.sem(), DsSem::Gws { .. } | DsSem::OrderedCount);
    (!of_others).then_some(Reach::Nothing)
}
