//! What need not be done for a wave: registers that it writes before it reads them need not be cleared when it starts,
//! and those that hold what it exports when it ends need not be copied.

use lanes::{Operand, PortScalars, Program, Src, Step, WideOp};

use crate::isa::effects::Effects;
use crate::isa::operand::EXEC;
use crate::isa::vector::VintrpOp;
use crate::isa::{Inst, LDS_DIRECT_SLOT, Port};
use crate::sqc;

/// Of each VGPR, whether a wave whose lanes are all enabled writes all of it before anything reads it.
///
/// Only the program's straight beginning is looked at: up to the first branch, change of the execution mask, or
/// instruction of the device other than interpolation and scalar loads. Registers not written by then are not.
pub(crate) fn written_first(program: &Program, ports: &[Port], vgprs: usize) -> Vec<bool> {
    let mut rows = Seen {
        known: vec![None; vgprs],
    };
    for step in &program.steps {
        match step {
            Step::Tick { .. } => {}
            Step::Alu { op, dst, src } => {
                rows.read(&src[..op.params().len()]);
                rows.write(*dst, 1);
            }
            Step::Wide { op, dst, src } => {
                rows.read_wide(*op, src);
                rows.write(*dst, width(op.result()));
            }
            Step::Select { dst, no, yes, .. } => {
                rows.read(&[*no, *yes]);
                rows.write(*dst, 1);
            }
            Step::LaneId { dst } => rows.write(*dst, 1),
            Step::Compare { op, dst, src } if !is_mask(*dst, 2) => {
                rows.read(&src[..op.params().len()]);
            }
            Step::CompareWide { op, dst, src } if !is_mask(*dst, 2) => rows.read_wide(*op, src),
            Step::Uniform { dst, .. } if !is_mask(*dst, 1) => {}
            // Whole quads of all lanes are all lanes.
            Step::UniformWide { op, dst, src }
                if !is_mask(*dst, 2)
                    || *op == WideOp::WholeQuads && src[0] == Src::Scalar(EXEC.into()) => {}
            Step::Port { port } => match ports.get(*port as usize).map(|port| &port.inst) {
                Some(Inst::Smrd(_)) => {}
                Some(Inst::Vintrp(inst)) => {
                    match inst.op {
                        VintrpOp::V_INTERP_P1_F32 => rows.read(&[Src::Row(inst.vsrc.into())]),
                        VintrpOp::V_INTERP_P2_F32 => {
                            rows.read(&[Src::Row(inst.vsrc.into()), Src::Row(inst.vdst.into())]);
                        }
                        VintrpOp::V_INTERP_MOV_F32 => {}
                    }
                    rows.write(inst.vdst.into(), 1);
                }
                _ => break,
            },
            _ => break,
        }
    }
    rows.known
        .into_iter()
        .map(|known| known == Some(First::Write))
        .collect()
}

/// Of each VGPR, whether the program never reads it, whatever its lanes and branches.
pub(crate) fn never_read(program: &Program, ports: &[Port], vgprs: usize) -> Vec<bool> {
    // Registers that a wave does not have are its register 0.
    program.never_read(vgprs, |number| {
        let Some(port) = ports.get(number as usize) else {
            return Some(Vec::new());
        };
        let effects = Effects::of(port.inst);
        let vectors = effects.reads.vectors().chain(effects.reads_late.vectors());
        let mut read: Vec<_> = vectors.map(|row| row..row + 1).collect();
        if let Inst::Mimg(inst) = port.inst {
            // The longest address; how much of it counts, the descriptor says.
            let first = u16::from(inst.vaddr);
            read.push(first..first + 16);
        }
        Some(read)
    })
}

/// Scalars that waves of a program may change, but for their execution mask, in ascending order.
#[derive(Clone, Default)]
pub(crate) struct ChangedScalars {
    /// Those that may be read before the wave has written them.
    pub(crate) used: Vec<u16>,
    /// The others.
    pub(crate) written_first: Vec<u16>,
}

impl ChangedScalars {
    pub(crate) fn new(program: &Program, ports: &[Port]) -> ChangedScalars {
        let ports_do = port_scalars(ports);
        let mut changed = vec![false; program.scalars.into()];
        let mut change = |scalar: u16| {
            if let Some(changed) = changed.get_mut(usize::from(scalar)) {
                *changed = !is_mask(scalar, 1);
            }
        };
        for step in &program.steps {
            step.written_scalars().for_each(&mut change);
        }
        for port in &ports_do {
            port.writes.iter().copied().for_each(&mut change);
        }
        let scalars = first_of_scalars(program, ports, &ports_do);
        let changed = (0..program.scalars).filter(|scalar| changed[usize::from(*scalar)]);
        let (written_first, used) =
            changed.partition(|scalar| scalars.known[usize::from(*scalar)] == Some(First::Write));
        ChangedScalars {
            used,
            written_first,
        }
    }
}

/// What happens to scalars first along the program's straight beginning: up to the first branch, move to a register
/// found at run time, or instruction of the device other than interpolation and scalar loads.
fn first_of_scalars(program: &Program, ports: &[Port], ports_do: &[PortScalars]) -> Seen {
    let mut scalars = Seen {
        known: vec![None; program.scalars.into()],
    };
    for step in &program.steps {
        match step {
            Step::Port { port } => {
                let (Some(port), Some(does)) =
                    (ports.get(*port as usize), ports_do.get(*port as usize))
                else {
                    break;
                };
                match (&port.inst, &does.made_from) {
                    (Inst::Smrd(_), Some(from)) => {
                        scalars.note_all(from.iter().copied(), First::Read);
                        scalars.note_all(does.writes.iter().copied(), First::Write);
                    }
                    (Inst::Vintrp(_), _) => {
                        let reads = Effects::of(port.inst).reads;
                        scalars.note_all(reads.scalars(), First::Read);
                    }
                    _ => break,
                }
            }
            Step::Branch { .. }
            | Step::Indirect { .. }
            | Step::Relative { .. }
            | Step::End
            | Step::Trap { .. } => break,
            _ => {
                scalars.note_all(step.read_scalars().into_iter().flatten(), First::Read);
                scalars.note_all(step.written_scalars(), First::Write);
            }
        }
    }
    scalars
}

/// What each port does to scalars.
pub(crate) fn port_scalars(ports: &[Port]) -> Vec<PortScalars> {
    let of = |port: &Port| match &port.inst {
        Inst::Smrd(inst) => PortScalars {
            writes: sqc::written(inst).collect(),
            made_from: sqc::made_from(inst).map(Iterator::collect),
        },
        // They stand for their operand LDS_DIRECT.
        Inst::Vop2(..) | Inst::Vop1(..) | Inst::Vopc(..) | Inst::Vop3a(_) | Inst::Vop3b(_) => {
            PortScalars {
                writes: vec![LDS_DIRECT_SLOT],
                made_from: None,
            }
        }
        inst => {
            let effects = Effects::of(*inst);
            let written = effects
                .writes
                .scalars()
                .chain(effects.writes_late.scalars());
            PortScalars {
                writes: written.collect(),
                made_from: None,
            }
        }
    };
    ports.iter().map(of).collect()
}

/// Of each port, whether it is an EXP that nothing but other ones follows until the wave ends.
pub(crate) fn last_exports(program: &Program, ports: &[Port]) -> Vec<bool> {
    program.last_ports(ports.len(), |n| matches!(ports[n].inst, Inst::Exp(_)))
}

/// What happens to a register first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    Read,
    Write,
}

/// What is known of registers.
struct Seen {
    known: Vec<Option<First>>,
}

impl Seen {
    fn note(&mut self, register: u16, first: First) {
        if let Some(known) = self.known.get_mut(usize::from(register)) {
            known.get_or_insert(first);
        }
    }

    fn note_all(&mut self, registers: impl IntoIterator<Item = u16>, first: First) {
        for register in registers {
            self.note(register, first);
        }
    }

    fn read(&mut self, src: &[Src]) {
        for src in src {
            if let Src::Row(row) = src {
                self.note(*row, First::Read);
            }
        }
    }

    fn read_wide(&mut self, op: WideOp, src: &[Src; 3]) {
        for (ty, src) in op.params().iter().zip(src) {
            if let Src::Row(row) = src {
                (0..width(*ty)).for_each(|half| self.note(row + half, First::Read));
            }
        }
    }

    fn write(&mut self, row: u16, count: u16) {
        (0..count).for_each(|half| self.note(row + half, First::Write));
    }
}

fn width(ty: Operand) -> u16 {
    match ty {
        Operand::F64 | Operand::U64 | Operand::I64 => 2,
        _ => 1,
    }
}

/// Whether scalars from `dst` on are part of the execution mask.
fn is_mask(dst: u16, count: u16) -> bool {
    let exec = u16::from(EXEC);
    dst < exec + 2 && exec < dst + count
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::isa::{Allocation, Mode, assemble, lift};

    #[test]
    fn exports_at_the_end() {
        let check = |text: &str, expected: &[bool]| {
            let words = assemble(text).unwrap().concat();
            let lifted = lift(&words, 0, Mode(0x1f0), Allocation::ALL).unwrap();
            assert_eq!(
                last_exports(&lifted.program, &lifted.ports),
                expected,
                "{text}"
            );
        };
        let color = "exp mrt0 v2, v3, v4, v5 vm";
        check(&format!("{color}\ns_endpgm"), &[true]);
        check(&format!("{color}\n{color} done\ns_endpgm"), &[true, true]);
        check(
            &format!("{color}\nv_mov_b32 v2, 0\n{color} done\ns_endpgm"),
            &[false, true],
        );
        check(
            &format!("{color}\ns_cbranch_vccz 1\nv_mov_b32 v2, 0\ns_endpgm"),
            &[false],
        );
        check(
            "v_interp_mov_f32 v2, p0, attr0.x\nexp mrt0 v2, v2, v2, v2 done vm\ns_endpgm",
            &[false, true],
        );
    }

    #[test]
    fn scalars_that_change() {
        let check = |text: &str, expected: [&[u16]; 2]| {
            let words = assemble(text).unwrap().concat();
            let lifted = lift(&words, 0, Mode(0x1f0), Allocation::ALL).unwrap();
            let changed = ChangedScalars::new(&lifted.program, &lifted.ports);
            // Behind the operand codes are the lift's own.
            let of_program = |list: Vec<u16>| -> Vec<u16> {
                list.into_iter().filter(|scalar| *scalar < 128).collect()
            };
            let [used, written_first] = expected;
            assert_eq!(of_program(changed.used), used, "{text}");
            assert_eq!(of_program(changed.written_first), written_first, "{text}");
        };
        let (vcc, m0) = (106, 124);
        check("s_mov_b32 m0, s10\ns_endpgm", [&[], &[m0]]);
        check(
            "s_wqm_b64 exec, exec\ns_mov_b64 s[4:5], exec\ns_endpgm",
            [&[], &[4, 5]],
        );
        check("v_cmp_lt_f32 vcc, v0, v1\ns_endpgm", [&[], &[vcc, vcc + 1]]);
        check(
            "s_load_dwordx4 s[0:3], s[0:1], 0x0\ns_endpgm",
            [&[0, 1], &[2, 3]],
        );
        check("v_readfirstlane_b32 s3, v0\ns_endpgm", [&[], &[3]]);
        check(
            "s_add_u32 s3, s3, s4\ns_mov_b32 s4, s3\ns_endpgm",
            [&[3, 4], &[]],
        );
        check(
            "v_interp_mov_f32 v2, p0, attr0.x\ns_mov_b32 m0, s10\ns_endpgm",
            [&[m0], &[]],
        );
        // What comes behind a branch or an instruction of the device is not looked at.
        check("s_cbranch_scc0 0\ns_mov_b32 s3, 0\ns_endpgm", [&[3], &[]]);
        check(
            "image_sample v0, v[0:1], s[0:7], s[8:11] dmask:0x1\ns_mov_b32 s3, 0\ns_endpgm",
            [&[3], &[]],
        );
        check("s_memtime s[8:9]\ns_endpgm", [&[8, 9], &[]]);
        let moved = (20..104).collect::<Vec<_>>();
        check("s_movreld_b32 s20, s1\ns_endpgm", [&moved, &[]]);
    }

    #[test]
    fn loads_are_made_from_scalars() {
        let check = |text: &str, writes: &[u16], made_from: Option<&[u16]>| {
            let words = assemble(text).unwrap().concat();
            let lifted = lift(&words, 0, Mode(0x1f0), Allocation::ALL).unwrap();
            let [port] = &port_scalars(&lifted.ports)[..] else {
                panic!("one port");
            };
            assert_eq!(port.writes, writes, "{text}");
            assert_eq!(port.made_from.as_deref(), made_from, "{text}");
        };
        let (vcc, exec) = (106, 126);
        check(
            "s_load_dwordx4 s[8:11], s[2:3], 0x7",
            &[8, 9, 10, 11],
            Some(&[2, 3]),
        );
        check(
            "s_buffer_load_dwordx2 vcc, s[4:7], s20",
            &[vcc, vcc + 1],
            Some(&[4, 5, 6, 7, 20]),
        );
        check(
            "s_load_dwordx2 s[0:1], exec, 0x0",
            &[0, 1],
            Some(&[exec, exec + 1]),
        );
        check("s_memtime s[8:9]", &[8, 9], None);
        let filtered = "image_sample v0, v[0:1], s[0:7], s[8:11] dmask:0x1";
        check(filtered, &[], None);
        check("v_mov_b32 v0, lds_direct", &[LDS_DIRECT_SLOT], None);
    }

    #[test]
    fn registers_that_nothing_reads() {
        let check = |text: &str, expected: &[usize]| {
            let words = assemble(text).unwrap().concat();
            let allocation = Allocation {
                vgprs: 8,
                ..Allocation::ALL
            };
            let lifted = lift(&words, 0, Mode(0x1f0), allocation).unwrap();
            let unread = never_read(&lifted.program, &lifted.ports, 8);
            let unread: Vec<usize> = (0..8).filter(|n| unread[*n]).collect();
            assert_eq!(unread, expected, "{text}");
        };
        check(
            "v_interp_p1_f32 v2, v0, attr0.x\nv_interp_p2_f32 v2, v1, attr0.x\nexp mrt0 v2, v3, v2, v2 vm\ns_endpgm",
            &[4, 5, 6, 7],
        );
        check("v_add_f64 v[0:1], v[2:3], v[4:5]\ns_endpgm", &[0, 1, 6, 7]);
        check("v_mov_b32 v1, v200\ns_endpgm", &[1, 2, 3, 4, 5, 6, 7]);
        check("v_movrels_b32 v1, v2\ns_endpgm", &[]);
        check(
            "s_cbranch_vccz 1\nv_cmp_lt_f32 vcc, v5, v6\ns_endpgm",
            &[0, 1, 2, 3, 4, 7],
        );
        check(
            "image_load v0, v7, s[0:7] dmask:0x1\ns_endpgm",
            &[1, 2, 3, 4, 5, 6],
        );
    }

    /// Registers that the program in assembly text writes first.
    fn check(text: &str, expected: &[usize]) {
        let words = assemble(text).unwrap().concat();
        let allocation = Allocation {
            vgprs: 8,
            ..Allocation::ALL
        };
        let lifted = lift(&words, 0, Mode(0x1f0), allocation).unwrap();
        let written = written_first(&lifted.program, &lifted.ports, 8);
        let written: Vec<usize> = (0..8).filter(|n| written[*n]).collect();
        assert_eq!(written, expected, "{text}");
    }

    #[test]
    fn beginnings() {
        check(
            "v_interp_p1_f32 v2, v0, attr0.x\nv_interp_p2_f32 v2, v1, attr0.x\ns_endpgm",
            &[2],
        );
        // Read before it is written.
        check("v_interp_p2_f32 v2, v1, attr0.x\ns_endpgm", &[]);
        check("v_add_f32 v3, v2, v3\nv_mov_b32 v2, 0\ns_endpgm", &[]);
        check("v_mov_b32 v2, 0\nv_add_f32 v3, v2, v2\ns_endpgm", &[2, 3]);
        // A changed mask ends the search, unless it stays all lanes.
        check("s_wqm_b64 exec, exec\nv_mov_b32 v2, 0\ns_endpgm", &[2]);
        check("s_mov_b64 exec, 1\nv_mov_b32 v2, 0\ns_endpgm", &[]);
        check("v_cmpx_lt_f32 vcc, v0, v1\nv_mov_b32 v2, 0\ns_endpgm", &[]);
        check("v_cmp_lt_f32 vcc, v0, v1\nv_mov_b32 v2, 0\ns_endpgm", &[2]);
        check("s_cbranch_vccz 1\nv_mov_b32 v2, 0\ns_endpgm", &[]);
    }
}
