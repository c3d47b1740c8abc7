//! Loads by the waves of a batch: what their descriptor says is worked out once. Waves of which a lane is not enabled,
//! or has no element, and all other accesses go one by one.

use lanes::{Fault, LANES, Wave};

use super::rows::Rows;
use super::{BufferResource, BufferSem, EXEC, Mubuf, Operands};
use super::{is_words, load_whole, scalar_offset, tell, untyped};
use crate::sq::GroupSlot;
use crate::sqc::quad;
use crate::ta::MemoryUnit;

/// Whether it loads whole words to registers: then its waves need no share of local data.
pub fn is_plain_load(inst: &Mubuf) -> bool {
    is_words(inst.op.sem()) && !inst.lds
}

/// A descriptor with an offset, and loads through it, if they are of rows.
struct Known {
    descriptor: u128,
    soffset: u32,
    site: u32,
    rows: Option<Rows>,
}

/// Runs a MUBUF instruction in waves, of groups if there are some, in order. An error says in which wave.
pub fn load_all(
    inst: &Mubuf,
    waves: &mut [Wave],
    groups: &[GroupSlot],
    unit: &mut MemoryUnit,
) -> Result<(), (usize, Fault)> {
    let ops = Operands::untyped(inst);
    let sem = inst.op.sem();
    let plain = is_words(sem) && !(unit.strict || ops.tfe || ops.lds || ops.addr64);
    let mut known: Option<Known> = None;
    for (n, wave) in waves.iter_mut().enumerate() {
        if let Some(group) = groups.get(n) {
            unit.logs.current = group.log;
        }
        if !plain || !load(sem, &ops, &mut known, wave, unit) {
            untyped(inst, wave, unit).map_err(|fault| (n, fault))?;
        }
    }
    Ok(())
}

/// Loads whole rows, where all lanes have an element; says whether they do.
fn load(
    sem: BufferSem,
    ops: &Operands,
    known: &mut Option<Known>,
    wave: &mut Wave,
    unit: &mut MemoryUnit,
) -> bool {
    let descriptor = quad(wave, ops.srsrc);
    let soffset = scalar_offset(ops, wave);
    if !(known.as_ref()).is_some_and(|at| at.descriptor == descriptor && at.soffset == soffset) {
        *known = Some(Known {
            descriptor,
            soffset,
            site: ops.site(&BufferResource::from_word(descriptor)),
            rows: rows(sem, ops, (descriptor, soffset), unit),
        });
    }
    let exec = wave.mask(u16::from(EXEC));
    let fits = ops.vdata + usize::from(sem.registers()) <= wave.rows.len().min(256);
    let whole = fits && exec == u64::MAX;
    let Some(Known {
        site,
        rows: Some(rows),
        ..
    }) = known.as_ref().filter(|_| whole)
    else {
        return false;
    };
    let mut at = [0; LANES];
    if rows.offsets(unit.level, ops, exec, wave, &mut at) != Some(u64::MAX) {
        return false;
    }
    tell(*site, (rows, &at), exec, unit);
    load_whole(sem, ops, (rows, &at), wave, &unit.memory);
    true
}

/// Loads of rows through a descriptor that is bound.
fn rows(
    sem: BufferSem,
    ops: &Operands,
    (descriptor, soffset): (u128, u32),
    unit: &MemoryUnit,
) -> Option<Rows> {
    let buffer = BufferResource::from_word(descriptor);
    let BufferSem::Load(access) = sem else {
        return None;
    };
    let bound = buffer.data_format != 0;
    bound
        .then(|| Rows::new(ops, &buffer, soffset, access.bytes(), &unit.memory))
        .flatten()
}
