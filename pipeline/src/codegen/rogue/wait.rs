//! Waits for results that come late. [Rogue 11.1]
//!
//! A fence counter counts what is under way; a wait stands before the first group that reads or overwrites its registers.
//! Nothing is under way where a block ends.

use ::rogue::isa::backend::Backend;

use super::emit::Emitter;
use super::machine::{Access, Body, FIRST, Inst};
use crate::codegen::regalloc::Instruction;

/// What is under way, by fence counter.
#[derive(Debug, Default)]
pub(super) struct Waits {
    written: [Vec<u16>; 2],
    /// Registers that stores may still read.
    read: [Vec<u16>; 2],
}

/// The fence counter of an operation, and whether it stores.
fn fence(op: &Backend) -> Option<(u8, bool)> {
    match *op {
        Backend::Fitr { drc, .. }
        | Backend::Ld { drc, .. }
        | Backend::Atom { drc, .. }
        | Backend::Idf { drc, .. } => Some((drc, false)),
        Backend::St { drc, .. } => Some((drc, true)),
        Backend::Smp(sample) => Some((sample.drc, sample.flags.wrt)),
        _ => None,
    }
}

impl Waits {
    /// The counters to wait for before an instruction; what it begins is under way from here on.
    pub fn before(&mut self, emitter: &Emitter<'_>, inst: &Inst) -> Vec<u8> {
        let back = match &inst.body {
            Body::Main(main) => main.back.as_ref(),
            _ => None,
        };
        let own = back.and_then(|back| fence(&back.op));
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        inst.each_read(|unit| {
            if unit >= FIRST {
                reads.push(emitter.temporary(unit));
            }
        });
        inst.each_write(|unit| {
            if unit >= FIRST {
                writes.push(emitter.temporary(unit));
            }
        });
        let any = |a: &[u16], b: &[u16]| a.iter().any(|register| b.contains(register));
        let mut waits = Vec::new();
        for drc in 0..2u8 {
            let at = usize::from(drc);
            let (written, read) = (&self.written[at], &self.read[at]);
            // Memory is read after it is written.
            let loads = own.is_some_and(|(_, stores)| !stores) && !read.is_empty();
            if any(&reads, written) || any(&writes, written) || any(&writes, read) || loads {
                waits.push(drc);
                self.written[at].clear();
                self.read[at].clear();
            }
        }
        if let (Some(back), Some((drc, stores))) = (back, own) {
            for (_, access) in &back.slots {
                let at = usize::from(drc);
                match *access {
                    Access::Writes(unit, words) => {
                        let units = unit..unit + words;
                        self.written[at].extend(units.map(|unit| emitter.temporary(unit)));
                    }
                    Access::Reads(unit, words) if stores => {
                        let units = unit..unit + words;
                        self.read[at].extend(units.map(|unit| emitter.temporary(unit)));
                    }
                    Access::Value(super::machine::Operand::Unit(unit))
                        if stores && unit >= FIRST =>
                    {
                        self.read[at].push(emitter.temporary(unit));
                    }
                    _ => {}
                }
            }
        }
        waits
    }

    /// The counters that anything is under way for.
    pub fn all(&mut self) -> Vec<u8> {
        let busy = |drc: &u8| {
            let at = usize::from(*drc);
            !self.written[at].is_empty() || !self.read[at].is_empty()
        };
        [0, 1].into_iter().filter(busy).collect()
    }
}
