//! Which groups of a dispatch, and which pixel waves, cannot tell whether others have run. In: a program, the scalars that
//! its waves start with, and memory at the start of the dispatch or draw. Out: whether no load reaches bytes that a store
//! may change, or which bytes loads of buffers and stores have in common, and which instructions wait for their turn.
//!
//! Descriptors are found by constant propagation from the user SGPRs on, through loads from memory, which count as loads
//! themselves. What is not known, or has no bounds, may be anything. Atomic operations that return a value tell waves about
//! each other, so groups make them in their order: in a queue for all that may reach the same bytes. The global data share
//! tells waves about each other, too.

use std::ops::Range;

use lanes::{KnownScalars, LANES, Step, Wave};

use crate::compute::Dispatch;
use crate::descriptor::{BufferResource, ImageSampler, border};
use crate::isa::effects::loaded;
use crate::isa::image::ImageSem;
use crate::isa::memory::{BufferSem, DsSem, SmrdSem};
use crate::isa::operand;
use crate::isa::words::{Ds, Mimg, Smrd};
use crate::isa::{Inst, Port};
use crate::scratch::spreads;
use crate::sq::Shader;
use crate::sqc;
use crate::ta::MemoryUnit;
use silicon::groups::log::MOST_SITES;

/// Bytes of the border colour table.
const BORDER_COLORS: u64 = 4096 * 16;

/// Bytes of memory that an instruction may reach.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reach {
    Nothing,
    Loads(Vec<Range<u64>>),
    Stores(Range<u64>),
    /// Changes that return what was there.
    Changes(Range<u64>),
    /// Of scratch memory: the V# and what is added to its base.
    Scratch(u128, u32),
    Anything,
}

/// On which conditions groups may run at any time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Conditions {
    /// None loads what another stores among these bytes, nor what one changes in its turn. Nothing: all find the same there.
    pub(crate) watched: Option<Range<u64>>,
    /// Of each port, the number of the queue in which groups come to it one after the other. Empty if none has one.
    pub(crate) queues: Vec<Option<usize>>,
}

/// What is known of a dispatch before it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// When its groups may run at any time; nothing where they run one after the other.
    pub(crate) conditions: Option<Conditions>,
    /// Where scratch memory begins, if the waves of the dispatch reach their slots of it alone.
    pub(crate) scratch: Option<u64>,
}

impl Known {
    pub(crate) const NOTHING: Known = Known {
        conditions: None,
        scratch: None,
    };
}

/// Offsets of scratch memory that are tried: what differs between them follows from the offset.
const OFFSETS: [u32; 2] = [0x0100_0000, 0x0300_0000];

/// What is known of a dispatch.
pub(crate) fn known(dispatch: &Dispatch, shader: &Shader, unit: &mut MemoryUnit) -> Known {
    let Some(scalar) = dispatch.scratch_scalar() else {
        let start = dispatch.known_scalars(shader);
        let found = order(start, shader, unit);
        return Known {
            conditions: found.map(|found| found.0),
            scratch: None,
        };
    };
    if tells_slot(shader, scalar) {
        return Known::NOTHING;
    }
    let [one, other] = OFFSETS.map(|offset| {
        let mut start = dispatch.known_scalars(shader);
        start[usize::from(scalar)] = Some(offset);
        order(start, shader, unit)
    });
    let (Some((conditions, one)), Some((_, other))) = (one, other) else {
        return Known::NOTHING;
    };
    let conditions = Some(conditions);
    let mut base = None;
    for (one, other) in one.iter().zip(&other) {
        let found = match (one, other) {
            (Reach::Scratch(v, one), Reach::Scratch(w, other)) if v == w => {
                let add = one.wrapping_sub(OFFSETS[0]);
                if add != other.wrapping_sub(OFFSETS[1]) {
                    return Known::NOTHING;
                }
                (BufferResource::from_word(*v), add)
            }
            (one, other) if one == other => continue,
            _ => return Known::NOTHING,
        };
        let (buffer, add) = found;
        let end = u64::from(add) + LANES as u64 * u64::from(buffer.stride);
        let aligned = buffer.base_address.is_multiple_of(4) && buffer.stride.is_multiple_of(4);
        let same = *base.get_or_insert(buffer.base_address) == buffer.base_address;
        if !spreads(&buffer) || !aligned || !same || end > u64::from(dispatch.scratch_bytes) {
            return Known::NOTHING;
        }
    }
    let Some(first) = base else {
        return Known {
            conditions,
            scratch: None,
        };
    };
    // Nothing else reaches the slots.
    let slots = first..first + dispatch.scratch_room();
    let meets = |bytes: &Range<u64>| meet(bytes, &slots);
    let others = one.iter().any(|reach| match reach {
        Reach::Loads(all) => all.iter().any(meets),
        Reach::Stores(bytes) | Reach::Changes(bytes) => meets(bytes),
        _ => false,
    });
    match others || slots.end > unit.memory.size() {
        true => Known::NOTHING,
        false => Known {
            conditions,
            scratch: Some(first),
        },
    }
}

/// Whether a program may do anything with the offset of scratch memory, or what follows from it, but reach that memory: its
/// results may tell the slot of a wave then.
fn tells_slot(shader: &Shader, scalar: u16) -> bool {
    let program = shader.program.program();
    let mut offsets = vec![false; usize::from(program.scalars)];
    offsets[usize::from(scalar)] = true;
    loop {
        let before = offsets.clone();
        for step in &program.steps {
            let mut reads = step.read_scalars().into_iter().flatten();
            if !reads.any(|at| before[usize::from(at)]) {
                continue;
            }
            match step {
                Step::Uniform { .. } | Step::UniformWide { .. } => {
                    let written = step.written_scalars();
                    written.for_each(|at| offsets[usize::from(at)] = true);
                }
                _ => return true,
            }
        }
        if offsets == before {
            break;
        }
    }
    let mut ports = program.ports.iter().zip(&shader.ports);
    ports.any(|(effects, port)| {
        let mut reads = effects.reads_scalars.iter();
        let told = reads.any(|at| offsets[usize::from(*at)]);
        let soffset = match &port.inst {
            Inst::Mubuf(inst) => Some(inst.soffset),
            Inst::Mtbuf(inst) => Some(inst.soffset),
            _ => None,
        };
        told && soffset.is_none_or(|at| offsets.get(usize::from(at)) != Some(&true))
    })
}

/// What pixel waves store which start with these scalars, but for what is theirs alone; nothing where waves may tell
/// whether others have stored.
pub(crate) fn stored_apart(
    scalars: &[u32],
    shader: &Shader,
    unit: &mut MemoryUnit,
) -> Option<StoredApart> {
    let mut start: Vec<Option<u32>> = scalars.iter().copied().map(Some).collect();
    forget_own(shader, &mut start);
    let (Conditions { watched, queues }, reached) = order(start, shader, unit)?;
    if watched.is_some() {
        return None;
    }
    let stores = reached.into_iter().filter_map(|reach| match reach {
        Reach::Stores(bytes) | Reach::Changes(bytes) => Some(Some(bytes)),
        Reach::Scratch(..) => Some(None),
        _ => None,
    });
    Some(StoredApart {
        bytes: stores.collect::<Option<_>>()?,
        queues,
    })
}

/// What waves store that none of them loads.
pub(crate) struct StoredApart {
    pub(crate) bytes: Vec<Range<u64>>,
    /// [`Conditions::queues`].
    pub(crate) queues: Vec<Option<usize>>,
}

/// Forgets scalars that differ from wave to wave.
pub(crate) fn forget_own(shader: &Shader, start: &mut [Option<u32>]) {
    for scalar in &shader.program.program().per_wave {
        start[usize::from(*scalar)] = None;
    }
}

/// When waves that start with these scalars may run, and what their ports reach. Nothing where that is not known.
fn order(
    start: Vec<Option<u32>>,
    shader: &Shader,
    unit: &mut MemoryUnit,
) -> Option<(Conditions, Vec<Reach>)> {
    let program = shader.program.program();
    // What a scalar load gives is not known where groups may store it.
    let mut stored = vec![false; shader.ports.len()];
    loop {
        let mut reached = vec![Reach::Nothing; shader.ports.len()];
        let followed = program.visit_known(start.clone(), |number, known, found| {
            let number = number as usize;
            let Some(port) = shader.ports.get(number) else {
                return;
            };
            reached[number] = of_port(port, known, unit, found);
            if stored[number] {
                found.clear();
            }
        });
        if !followed || reached.contains(&Reach::Anything) {
            return None;
        }
        let (watched, new) = meetings(&shader.ports, &reached, &mut stored)?;
        if !new {
            let queues = queues(&reached);
            let looped = program.looped_ports(queues.len());
            // Groups that come to such a port again and again would wait for each other to their ends.
            if queues
                .iter()
                .zip(looped)
                .any(|(queue, looped)| queue.is_some() && looped)
            {
                return None;
            }
            return Some((Conditions { watched, queues }, reached));
        }
    }
}

/// [`Conditions::queues`]: changes that may meet share one.
fn queues(reached: &[Reach]) -> Vec<Option<usize>> {
    let mut queues: Vec<Option<usize>> = vec![None; reached.len()];
    let mut count = 0;
    for (port, reach) in reached.iter().enumerate() {
        let Reach::Changes(bytes) = reach else {
            continue;
        };
        queues[port] = Some(count);
        for other in 0..port {
            if let (Some(queue), Reach::Changes(others)) = (queues[other], &reached[other])
                && meet(bytes, others)
            {
                // All of that queue.
                let same = queues.iter_mut().filter(|of| **of == Some(queue));
                same.for_each(|of| *of = Some(count));
            }
        }
        count += 1;
    }
    match count {
        0 => Vec::new(),
        _ => queues,
    }
}

/// From the first to the last byte of stores that loads meet, and of stores and loads that changes meet. Scalar loads among
/// those are marked; says whether one is new.
/// Nothing where border colours are stored, which samples read unseen.
fn meetings(
    ports: &[Port],
    reached: &[Reach],
    stored: &mut [bool],
) -> Option<(Option<Range<u64>>, bool)> {
    let (mut watched, mut new): (Option<Range<u64>>, bool) = (None, false);
    let watch = |watched: &mut Option<Range<u64>>, bytes: &Range<u64>| {
        let all = watched.get_or_insert(bytes.clone());
        *all = all.start.min(bytes.start)..all.end.max(bytes.end);
    };
    let changes = || {
        reached.iter().filter_map(|reach| match reach {
            Reach::Changes(bytes) => Some(bytes),
            _ => None,
        })
    };
    if changes().count() > MOST_SITES {
        return None;
    }
    for reach in reached {
        let Reach::Stores(bytes) = reach else {
            continue;
        };
        for changed in changes().filter(|changed| meet(bytes, changed)) {
            watch(&mut watched, changed);
        }
    }
    for (number, (port, reach)) in ports.iter().zip(reached).enumerate() {
        let Reach::Loads(loads) = reach else {
            continue;
        };
        let stores = reached.iter().filter_map(|reach| match reach {
            Reach::Stores(bytes) | Reach::Changes(bytes) => Some(bytes),
            _ => None,
        });
        for bytes in stores {
            let mut met = loads.iter().map(|load| meet(load, bytes));
            let texels = met.next().unwrap_or(false);
            if met.any(|colors| colors) {
                return None;
            }
            if !texels {
                continue;
            }
            if matches!(port.inst, Inst::Smrd(_)) {
                new |= !stored[number];
                stored[number] = true;
            }
            watch(&mut watched, bytes);
        }
    }
    Some((watched, new))
}

/// Whether two ranges have bytes in common.
fn meet(a: &Range<u64>, b: &Range<u64>) -> bool {
    a.start < b.end && b.start < a.end
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
    let word = quad(known, u16::from(srsrc) * 4)?;
    let soffset = match u16::from(soffset) {
        code if operand::is_scalar_register(code) => known[usize::from(code)]?,
        code => operand::inline_value(code).unwrap_or(0),
    };
    if buffer.swizzle_enable {
        let changes = matches!(sem, BufferSem::Atomic { .. });
        return (!changes).then_some(Reach::Scratch(word, soffset));
    }
    let bytes = linear(&buffer, soffset, indexed || buffer.add_tid_enable)?;
    match sem {
        BufferSem::Invalidate => Some(Reach::Nothing),
        BufferSem::Load(_) | BufferSem::LoadFormat(_) => Some(Reach::Loads(vec![bytes])),
        BufferSem::Store(_) | BufferSem::StoreFormat(_) => Some(Reach::Stores(bytes)),
        BufferSem::Atomic { .. } => Some(match glc {
            true => Reach::Changes(bytes),
            false => Reach::Stores(bytes),
        }),
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
        // Sizes and levels of detail come from the descriptor.
        ImageSem::ResourceInfo | ImageSem::GetLod => Some(Reach::Nothing),
        ImageSem::Store { .. } => Some(Reach::Stores(bytes)),
        ImageSem::Atomic(_) => Some(match inst.glc {
            true => Reach::Changes(bytes),
            false => Reach::Stores(bytes),
        }),
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
        ImageSem::Load { .. } => Some(Reach::Loads(vec![bytes])),
    }
}

/// A group has its local data share for itself.
fn share(inst: &Ds) -> Option<Reach> {
    let of_others = inst.gds || matches!(inst.op.sem(), DsSem::Gws { .. } | DsSem::OrderedCount);
    (!of_others).then_some(Reach::Nothing)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::descriptor::{ImageResource, ImageResourceHigh, dim};
    use crate::isa::image::MimgOp;
    use crate::isa::words::Mimg;
    use silicon::Memory;

    /// What an image instruction reaches of a picture of 16 by 16 words.
    fn reached(op: MimgOp) -> Option<Reach> {
        let low = ImageResource {
            kind: dim::D2,
            height: 15,
            width: 15,
            data_format: 10,
            base_address: 0x80,
            ..ImageResource::from_word(0)
        };
        let high = ImageResourceHigh {
            pitch: 15,
            ..ImageResourceHigh::from_word(0)
        };
        let mut known = vec![Some(0); 16];
        for (n, word) in [low.pack(), high.pack()].into_iter().enumerate() {
            for i in 0..4 {
                known[4 * n + i] = Some((word >> (32 * i)) as u32);
            }
        }
        let inst = Mimg {
            op,
            srsrc: 0,
            ssamp: 2,
            dmask: 15,
            vdata: 0,
            vaddr: 0,
            r128: false,
            da: false,
            glc: false,
            lwe: false,
            slc: false,
            tfe: false,
            unorm: false,
        };
        image(&inst, &known, &mut MemoryUnit::new(Memory::new(1 << 20)))
    }

    #[test]
    fn sizes_and_levels_of_detail_reach_no_texels() {
        for op in [MimgOp::IMAGE_GET_RESINFO, MimgOp::IMAGE_GET_LOD] {
            assert_eq!(reached(op), Some(Reach::Nothing), "{op:?}");
        }
        let loaded = reached(MimgOp::IMAGE_LOAD).unwrap();
        let Reach::Loads(bytes) = &loaded else {
            panic!("{loaded:?}");
        };
        assert_eq!(bytes[0].start, 0x8000);
        assert_eq!(
            reached(MimgOp::IMAGE_STORE),
            Some(Reach::Stores(bytes[0].clone()))
        );
        let sampled = reached(MimgOp::IMAGE_SAMPLE).unwrap();
        assert!(matches!(&sampled, Reach::Loads(all) if all[0] == bytes[0]));
    }
}
