//! EXP of texels: a program that packs its colours, for targets in which they take the place of what was there. In: a
//! lifted program and how targets are packed. Out: the same program with the packing in front of its EXPs, which find
//! words in rows of their own. So engines pack what is in registers of the host, and one row leaves them instead of four.

use lanes::{Program, Src};
use radeon::r6xx::forms::{self, PackingSteps};
use radeon::r6xx::packing::{Places, pack};
use silicon::fragment::output::Packing;

use super::MRTZ;
use crate::isa::words::Exp;
use crate::isa::{Inst, Port, TEMP_ROWS};

/// A form whose waves export texels: of each port, the rows of an EXP's words, if it packs them.
pub(crate) type PackedExports = forms::PackedExports<Option<[u16; 4]>>;

/// Packs a program as it was lifted, with its ports; `last` are EXPs behind which no register changes. `None` if no EXP can
/// be packed.
pub(crate) fn packed(
    program: &Program,
    (ports, last): (&[Port], &[bool]),
    packings: &[Packing],
) -> Option<PackingSteps<Option<[u16; 4]>>> {
    // The rows of temporaries: no instruction is behind these EXPs.
    let vgprs = program.rows.checked_sub(TEMP_ROWS)?;
    let (temp, mut free) = (vgprs, vgprs + 1);
    let exports = |target: u8| {
        let to = |port: &&Port| matches!(port.inst, Inst::Exp(inst) if inst.tgt == target);
        ports.iter().filter(to).count()
    };
    let places = Places::new(program, last);
    let mut done = Vec::new();
    let mut rows = vec![None; ports.len()];
    let mut words = vec![0..0; ports.len()];
    let mut steps = vec![Vec::new(); ports.len()];
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
            pack(packing, from, [temp, free], &mut steps[n]);
            words[n] = free..free + packing.words as u16;
            done.push(*packing);
            free += packing.words as u16;
        }
    }
    if done.is_empty() {
        return None;
    }
    let mut program = places.insert(&steps);
    for (effects, words) in program.ports.iter_mut().zip(words) {
        if !words.is_empty() {
            effects.reads_rows = words.collect();
        }
    }
    Some(PackingSteps {
        program,
        packings: done,
        exports: rows,
    })
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use lanes::{Batch, DefaultEngine, Engine, PortFault, Ports, Row, SimdLevel, Wave};
    use silicon::Format;

    use super::*;
    use crate::isa::operand::EXEC;
    use crate::isa::{Allocation, Mode, assemble, lift};

    /// Ports that do nothing.
    struct Ignored;

    impl Ports for Ignored {
        fn call(&mut self, _: std::ops::Range<u32>, _: Batch<'_>) -> Result<(), PortFault> {
            Ok(())
        }
    }

    /// The packed form of a program, and the rows that it exports.
    fn form(text: &str, packings: &[Packing]) -> Option<PackingSteps<Option<[u16; 4]>>> {
        let words = assemble(text).unwrap().concat();
        let lifted = lift(&words, 0, Mode(0xf0), Allocation::ALL).unwrap();
        let exp = |n: usize| matches!(lifted.ports[n].inst, Inst::Exp(_));
        let last = lifted.program.last_ports(lifted.ports.len(), exp);
        packed(&lifted.program, (&lifted.ports, &last), packings)
    }

    #[test]
    fn words_are_those_of_the_colours() {
        let first = Packing::of(0, Format::R8G8B8A8Unorm).unwrap();
        let second = Packing::of(3, Format::R16G16B16A16Unorm).unwrap();
        let text = "v_mul_f32 v1, v0, v1
            exp mrt0 v0, v1, v2, v2
            exp mrt3 v3, v1, off, v0 done vm
            s_endpgm";
        let PackingSteps {
            program,
            packings,
            exports: rows,
        } = form(text, &[second, first]).unwrap();
        assert_eq!(packings, [first, second]);
        let mut wave = Wave::new(program.rows.into(), program.scalars.into());
        wave.set_mask(EXEC.into(), u64::MAX);
        for (n, row) in wave.rows.iter_mut().enumerate().take(4) {
            *row = Row(std::array::from_fn(|lane| {
                ((n + 1) as f32 * lane as f32 / 99.0).to_bits()
            }));
        }
        let start = wave.clone();
        let engine = DefaultEngine::at(SimdLevel::current());
        let prepared = engine.prepare(&program).unwrap();
        engine.run(&prepared, &mut wave, &mut Ignored).unwrap();
        for lane in 0..lanes::LANES {
            let at = |row: usize| start.rows[row].0[lane];
            let product = f32::from_bits(at(0)) * f32::from_bits(at(1));
            let product = product.to_bits();
            let expected = [
                (Format::R8G8B8A8Unorm, [at(0), product, at(2), at(2)]),
                (Format::R16G16B16A16Unorm, [at(3), product, 0, at(0)]),
            ];
            for ((format, color), (packing, rows)) in
                expected.into_iter().zip(packings.iter().zip(&rows))
            {
                let words = format.pack_words(color);
                for (word, row) in rows.unwrap().iter().enumerate().take(packing.words) {
                    assert_eq!(
                        wave.rows[usize::from(*row)].0[lane],
                        words[word],
                        "{format:?}"
                    );
                }
            }
        }
    }

    /// Exports that are not packed: compressed ones, those of targets that are exported to twice, of registers that change
    /// behind them, and of targets that are packed in no way.
    #[test]
    fn others_stay_as_they_are() {
        let packing = Packing::of(0, Format::R8G8B8A8Unorm).unwrap();
        let packs = |text: &str| form(&format!("{text}\ns_endpgm"), &[packing]).is_some();
        assert!(packs("exp mrt0 v0, v1, v2, v2 done vm"));
        assert!(!packs("exp mrt1 v2, v1, v2, v2 done vm"));
        assert!(!packs("exp mrt0 v2, v2, v1, v1 done compr vm"));
        assert!(!packs(
            "exp mrt0 v2, off, off, off\nexp mrt0 off, v2, v2, v2 done vm"
        ));
        assert!(!packs("exp mrt0 v0, v1, v2, v2 done vm\nv_mov_b32 v0, v1"));
        assert_eq!(Packing::of(0, Format::R32Uint), None);
        assert_eq!(Packing::of(0, Format::R8G8B8A8Srgb), None);
    }
}
