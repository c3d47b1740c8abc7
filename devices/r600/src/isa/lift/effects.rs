//! What the ports of a program do to their waves.

use lanes::PortEffects;

use super::super::fetch::TexSem;
use super::super::words::Select;
use super::{ACTIVE, Action, Index, Local, Port, Setup, VALID};

/// What a port does in waves of this setup, whose programs have `rows` rows.
pub(super) fn of_port(port: &Port, setup: &Setup<'_>, rows: u16) -> PortEffects {
    let registers = 4 * u16::from(setup.gprs);
    // Rows of registers that are known only when the port is called, or not worth telling.
    let any = || (0..rows).collect::<Vec<u16>>();
    let index = |index: Index| match index {
        Index::Row(at) => Some(at),
        Index::Loop => None,
    };
    // Registers that are not allocated read as R0, and what is written to them is lost.
    let read = |gpr: u16| 4 * if gpr < setup.gprs.into() { gpr } else { 0 };
    let written = |gpr: u8, relative: bool, selects: [Select; 4]| -> Vec<u16> {
        if relative {
            return any();
        }
        let first = 4 * u16::from(gpr);
        let taken = (first..)
            .zip(selects)
            .filter(|(_, select)| *select != Select::Mask);
        taken
            .map(|(row, _)| row)
            .filter(|row| *row < registers)
            .collect()
    };
    let active = [ACTIVE, ACTIVE + 1];
    let mut effects = PortEffects {
        reads_scalars: active.into_iter().chain(port.loop_index).collect(),
        may_fail: true,
        cost: match port.action {
            Action::Local(_) | Action::Export(_) => 256,
            Action::EndTexClause => 64,
            // Textures charge for their texels as they go.
            Action::Vtx(_) | Action::Tex(_) | Action::Emit { .. } => 1024,
            Action::Memory(_) => 4096,
        },
        ..PortEffects::default()
    };
    match port.action {
        Action::Vtx(inst) => {
            effects.overwrites = inst.dst_gpr().is_some_and(|(_, relative)| !relative);
            effects.reads_rows = match inst.src_rel {
                true => any(),
                false => vec![read(inst.src_gpr.into()) + inst.src_sel_x as u16],
            };
            effects.writes_rows = match inst.dst_gpr() {
                Some((gpr, relative)) => written(gpr, relative, inst.selects()),
                // The table of semantics says which.
                None => any(),
            };
        }
        Action::Tex(inst) => {
            let gives = |sem| {
                !matches!(
                    sem,
                    TexSem::SetGradientsH | TexSem::SetGradientsV | TexSem::Pass
                )
            };
            effects.overwrites = !inst.dst_rel && gives(inst.op.sem());
            let first = read(inst.src_gpr.into());
            let elements = inst.sources().map(|select| select as u16);
            effects.reads_rows = match inst.src_rel {
                true => any(),
                false => elements
                    .into_iter()
                    .filter(|at| *at < 4)
                    .map(|at| first + at)
                    .collect(),
            };
            effects.writes_rows = written(inst.dst_gpr, inst.dst_rel, inst.selects());
        }
        Action::Export(inst) => {
            effects.reads_scalars.extend([VALID, VALID + 1]);
            // Only a target that does not exist stops the wave.
            effects.may_fail = crate::sx::exported(&inst, u8::MAX, 0).is_err();
            let gprs = (0..=u16::from(inst.burst_count)).map(|n| read(u16::from(inst.rw_gpr) + n));
            let elements = inst.selects().map(|select| select as u16);
            let rows = gprs.flat_map(|first| elements.map(|at| (first, at)));
            effects.reads_rows = match inst.rw_rel {
                true => any(),
                false => rows
                    .filter(|(_, at)| *at < 4)
                    .map(|(first, at)| first + at)
                    .collect(),
            };
        }
        Action::Memory(inst) => {
            effects.reads_rows = any();
            if inst.reads() {
                effects.writes_rows = any();
            }
        }
        Action::EndTexClause => {
            effects.reads_scalars.clear();
            effects.may_fail = false;
        }
        Action::Emit { .. } => {}
        Action::Local(local) => {
            effects.may_fail = false;
            match local {
                Local::ReadGpr { dst, .. } => {
                    effects.reads_rows = any();
                    effects.writes_rows = vec![dst];
                }
                Local::WriteGpr { src, index: at, .. } => {
                    effects.reads_rows = [src].into_iter().chain(index(at)).collect();
                    effects.writes_rows = (0..registers).collect();
                }
                Local::ReadFile { dst, index: at, .. } => {
                    effects.reads_rows = index(at).into_iter().collect();
                    effects.writes_rows = vec![dst];
                }
                Local::ReadKcache { dst, .. } => effects.writes_rows = vec![dst],
            }
        }
    }
    effects
}
