//! EXP of texels: a program that packs its colours, for targets in which they take the place of what was there. In: a
//! lifted program and how targets are packed. Out: the same program with the packing in front of its EXPs, which find
//! words in rows of their own. So engines pack what is in registers of the host, and one row leaves them instead of four.

use lanes::{DefaultEngine, Program, ProgramError, Src, Step};
use radeon::r6xx::packing::pack;
use silicon::fragment::output::Packing;

use super::MRTZ;
use crate::isa::words::Exp;
use crate::isa::{Inst, Port, TEMP_ROWS};
use crate::sq::Form;

/// A program whose waves export texels.
pub(crate) struct PackedExports {
    pub(crate) form: Form,
    /// How.
    packings: Vec<Packing>,
    /// Of each port, the rows of an EXP's words.
    rows: Vec<Option<[u16; 4]>>,
}

impl PackedExports {
    /// From a program as it was lifted and its ports; `last` are EXPs behind which no register changes. `None` if no EXP can be
    /// packed.
    pub(crate) fn new(
        engine: &DefaultEngine,
        address: u64,
        (program, ports, last): (&Program, &[Port], &[bool]),
        packings: &[Packing],
    ) -> Option<Result<PackedExports, ProgramError>> {
        let (program, packings, rows) = packed(program, (ports, last), packings)?;
        let form = Form::new(engine, address, program);
        Some(form.map(|form| PackedExports {
            form,
            packings,
            rows,
        }))
    }

    /// How the targets are packed that are.
    pub(crate) fn packings(&self) -> &[Packing] {
        &self.packings
    }

    /// The rows of the words of an EXP that is packed.
    #[inline]
    pub(crate) fn rows(&self, port: u32) -> Option<[u16; 4]> {
        self.rows.get(port as usize).copied().flatten()
    }
}

/// The program, which packings it does, and the rows of each port's words.
type Packed = (Program, Vec<Packing>, Vec<Option<[u16; 4]>>);

fn packed(
    program: &Program,
    (ports, last): (&[Port], &[bool]),
    packings: &[Packing],
) -> Option<Packed> {
    // The rows of temporaries: no instruction is behind these EXPs.
    let vgprs = program.rows.checked_sub(TEMP_ROWS)?;
    let (temp, mut free) = (vgprs, vgprs + 1);
    let exports = |target: u8| {
        let to = |port: &&Port| matches!(port.inst, Inst::Exp(inst) if inst.tgt == target);
        ports.iter().filter(to).count()
    };
    let mut done = Vec::new();
    let mut rows = vec![None; ports.len()];
    let mut sources = vec![None; ports.len()];
    for (n, port) in ports.iter().enumerate() {
        let Inst::Exp(inst) = port.inst else { continue };
        let whole = inst.tgt < MRTZ && !inst.compr && last[n] && exports(inst.tgt) == 1;
        let mut packings = packings.iter();
        let packing = packings.find(|packing| packing.export == usize::from(inst.tgt));
        if let (true, Some(packing)) = (whole, packing)
            && let Some(from) = components(&inst, vgprs)
            && free + packing.words as u16 <= program.rows
        {
            let row = |word: usize| free + word.min(packing.words - 1) as u16;
            rows[n] = Some([0, 1, 2, 3].map(row));
            sources[n] = Some((*packing, from, free));
            done.push(*packing);
            free += packing.words as u16;
        }
    }
    if done.is_empty() {
        return None;
    }
    let mut program = program.clone();
    program.insert(|step, out| {
        if let Step::Port { port } = *step
            && let Some((packing, from, first)) = sources[port as usize]
        {
            pack(&packing, from, [temp, first], out);
        }
    });
    for (n, source) in sources.iter().enumerate() {
        if let Some((packing, _, first)) = source {
            let words = *first..*first + packing.words as u16;
            program.ports.get_mut(n)?.reads_rows = words.collect();
        }
    }
    Some((program, done, rows))
}

/// The components of an EXP: 0 where it has none. `None` if a register is outside.
fn components(inst: &Exp, vgprs: u16) -> Option<[Src; 4]> {
    let mut from = [Src::Const(0); 4];
    let registers = [inst.vsrc0, inst.vsrc1, inst.vsrc2, inst.vsrc3];
    for (n, (from, register)) in from.iter_mut().zip(registers).enumerate() {
        if inst.en >> n & 1 != 0 {
            *from = Src::Row(register.into());
            if u16::from(register) >= vgprs {
                return None;
            }
        }
    }
    Some(from)
}
