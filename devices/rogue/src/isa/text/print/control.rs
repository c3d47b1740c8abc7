//! Control groups to text.

use super::{dotted, flag};
use crate::isa::control::{Cnd, Control, Ditr, Itrsmp};

pub(super) fn control_operation(control: &Control) -> String {
    match *control {
        Control::Branch {
            link,
            absolute,
            lanes,
            target,
        } => {
            let name = match (absolute, link) {
                (false, false) => "br",
                (false, true) => "brl",
                (true, false) => "ba",
                (true, true) => "bal",
            };
            let lanes = dotted(lanes.name());
            match absolute {
                true => format!("{name}{lanes} {:#x}", target as u32),
                false => format!("{name}{lanes} {target}"),
            }
        }
        Control::Lapc => "lapc".to_owned(),
        Control::Savl => "savl w0".to_owned(),
        Control::Cnd {
            op,
            condition,
            adjust,
        } => {
            let mut text = op.name().to_owned();
            if op.has_condition() {
                text += &format!(" {},", condition.name());
            }
            text += " w0";
            text += flag(op == Cnd::CNDLT, ", p0");
            text += ", s0";
            text += flag(op.reads_s2(), ", s2");
            if op.has_adjust() {
                text += &format!(", {adjust}");
            }
            text
        }
        Control::Wop => "wop".to_owned(),
        Control::Wdf(drc) => format!("wdf drc{drc}"),
        Control::Mutex(op, id) => format!("mutex.{} {id}", op.name()),
        Control::Nop { end } => format!("nop{}", flag(end, ".end")),
        Control::Sbo { shared, offset } => {
            format!("sbo.{} {offset}", if shared { "shared" } else { "coeff" })
        }
        Control::Ditr(ref ditr) => ditr_operation(ditr),
        Control::Itrsmp(ref itrsmp) => itrsmp_operation(itrsmp),
    }
}

/// A coefficient with the number of its index field.
fn coefficient((first, index): (u8, u8)) -> String {
    match index {
        0 => format!("cf{first}"),
        index => format!("cf{first}+{index}"),
    }
}

fn ditr_operation(d: &Ditr) -> String {
    let sched = dotted(d.sched.name());
    format!(
        "ditr.{}{}{sched}{} r{}, drc{}, {}, {}, {}, {}",
        d.mode.name(),
        flag(d.sat, ".sat"),
        flag(d.f16, ".f16"),
        d.destination,
        d.drc,
        coefficient(d.coefficient),
        d.count,
        d.perspective.name(),
        coefficient(d.w_coefficient),
    )
}

fn itrsmp_operation(i: &Itrsmp) -> String {
    let d = &i.iteration;
    let flags = [
        flag(d.sat, ".sat"),
        flag(i.proj, ".proj"),
        flag(i.fcnorm, ".fcnorm"),
        flag(i.nncoords, ".nncoords"),
        &dotted(d.sched.name()),
        flag(i.comparison, ".comparison"),
    ];
    format!(
        "itrsmp{}d.{}{} r{}{}, {}, drc{}, {}, sh{}, sh{}, {}, {}, {}",
        i.dimensions,
        d.mode.name(),
        flags.concat(),
        d.destination,
        flag(d.f16, ".f16"),
        d.perspective.name(),
        d.drc,
        coefficient(d.coefficient),
        i.texture,
        i.sampler,
        i.channels,
        d.count,
        coefficient(d.w_coefficient),
    )
}
