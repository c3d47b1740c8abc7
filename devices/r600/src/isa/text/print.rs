//! Instructions to text.

use super::super::cf::{Flow, Lock};
use super::super::export::{Export, Memory};
use super::super::fetch::{Fetch, Tex, Vtx};
use super::super::group::{AluInst, Group, Operand, Source, Unit};
use super::super::ports::check_ports;
use super::super::program::Cf;
use super::super::words::{
    Cond, Elem, EndianSwap, FetchType, IndexMode, KcacheMode, NumFormat, Omod, PredSel, Select,
    SourceSelect,
};

/// Bank swizzles on vector units.
pub(super) const VECTOR_SWIZZLES: [&str; 6] = [
    "VEC_012", "VEC_021", "VEC_120", "VEC_102", "VEC_201", "VEC_210",
];
/// Bank swizzles on Trans.
pub(super) const TRANS_SWIZZLES: [&str; 4] = ["SCL_210", "SCL_122", "SCL_212", "SCL_221"];

/// Words after the operands.
#[derive(Default)]
struct Flags(Vec<String>);

impl Flags {
    fn set(&mut self, when: bool, text: &str) {
        if when {
            self.0.push(text.into());
        }
    }

    fn number(&mut self, name: &str, value: impl Into<i64>, default: i64) {
        let value = value.into();
        if value != default {
            self.0.push(format!("{name}({value})"));
        }
    }

    /// The text before the flags, and they.
    fn after(self, text: String) -> String {
        match self.0.is_empty() {
            true => text,
            false if text.ends_with(':') => format!("{text} {}", self.0.join(" ")),
            false => format!("{text}  {}", self.0.join(" ")),
        }
    }

    fn modes(&mut self, barrier: bool, whole_quads: bool, valid: bool, end: bool) {
        self.set(whole_quads, "WQM");
        self.set(valid, "VPM");
        self.set(!barrier, "NO_BARRIER");
        self.set(end, "END_OF_PROGRAM");
    }
}

/// A control-flow instruction without its number.
pub(super) fn cf(cf: &Cf) -> String {
    let mut flags = Flags::default();
    match cf {
        Cf::Flow(inst) => {
            flow(inst, &mut flags);
            flags.number("ADDR", inst.addr, 0);
            flags.number("COUNT", inst.count, 0);
            modes(inst, &mut flags);
            flags.after(format!("{}:", inst.op.name()))
        }
        Cf::Fetch { head, insts } => {
            flags.0.push(format!("ADDR({})", head.addr));
            flags.0.push(format!("CNT({})", insts.len()));
            flow(head, &mut flags);
            modes(head, &mut flags);
            flags.after(format!("{}:", head.op.name()))
        }
        Cf::Alu { head, .. } => {
            flags.0.push(format!("ADDR({})", head.addr));
            flags.0.push(format!("CNT({})", u32::from(head.count) + 1));
            for (group, found) in head.locks().iter().enumerate() {
                flags.set(*found != Lock::default(), &lock(group, found));
            }
            flags.set(head.uses_waterfall, "WATERFALL");
            flags.modes(head.barrier, head.whole_quad_mode, false, false);
            flags.after(format!("{}:", head.op.name()))
        }
        Cf::Export(inst) => export(inst, flags),
        Cf::Memory(inst) => memory(inst, flags),
    }
}

fn flow(inst: &Flow, flags: &mut Flags) {
    flags.number("POP_CNT", inst.pop_count, 0);
    flags.number("CONST", inst.cf_const, 0);
    flags.set(
        inst.cond != Cond::Active,
        &format!("COND({})", inst.cond.name()),
    );
    flags.number("CALL_CNT", inst.call_count, 0);
}

fn modes(inst: &Flow, flags: &mut Flags) {
    flags.modes(
        inst.barrier,
        inst.whole_quad_mode,
        inst.valid_pixel_mode,
        inst.end_of_program,
    );
}

fn lock(group: usize, lock: &Lock) -> String {
    let Lock { mode, bank, line } = *lock;
    let first = 16 * u32::from(line);
    let range = match mode {
        KcacheMode::Nop => format!("{first}"),
        KcacheMode::LockLoopIndex => format!("{first}+AL"),
        KcacheMode::Lock1 | KcacheMode::Lock2 => {
            format!("{first}-{}", first + u32::from(lock.constants()) - 1)
        }
    };
    format!("KCACHE{group}(CB{bank}:{range})")
}

/// A register that may be indexed by aL.
fn register(gpr: u8, relative: bool) -> String {
    match relative {
        true => format!("R[{gpr}+AL]"),
        false => format!("R{gpr}"),
    }
}

fn selected(gpr: u8, relative: bool, selects: [Select; 4]) -> String {
    format!("{}.{}", register(gpr, relative), Select::text(selects))
}

fn export(inst: &Export, mut flags: Flags) -> String {
    flags.number("BURST_CNT", i64::from(inst.burst_count) + 1, 1);
    flags.number("ELEM_SIZE", i64::from(inst.elem_size) + 1, 1);
    flags.set(inst.index_gpr != 0, &format!("INDEX(R{})", inst.index_gpr));
    flags.set(inst.elem_loop, "ELEM_LOOP");
    flags.modes(
        inst.barrier,
        inst.whole_quad_mode,
        inst.valid_pixel_mode,
        inst.end_of_program,
    );
    let target = format!("{}{}", inst.kind.name(), inst.array_base);
    let source = selected(inst.rw_gpr, inst.rw_rel, inst.selects());
    flags.after(format!("{}: {target}, {source}", inst.op.name()))
}

fn memory(inst: &Memory, mut flags: Flags) -> String {
    flags.number("SIZE", i64::from(inst.array_size) + 1, 1);
    flags.number("ELEM_SIZE", i64::from(inst.elem_size) + 1, 1);
    flags.number("BURST_CNT", i64::from(inst.burst_count) + 1, 1);
    flags.set(inst.elem_loop, "ELEM_LOOP");
    let index = !inst.indexed() && inst.index_gpr != 0;
    flags.set(index, &format!("INDEX(R{})", inst.index_gpr));
    flags.modes(
        inst.barrier,
        inst.whole_quad_mode,
        inst.valid_pixel_mode,
        inst.end_of_program,
    );
    let at = match inst.indexed() {
        true => format!("{}+R{}", inst.array_base, inst.index_gpr),
        false => inst.array_base.to_string(),
    };
    let mask: String = ["x", "y", "z", "w"]
        .iter()
        .enumerate()
        .map(|(k, name)| {
            if inst.comp_mask >> k & 1 == 1 {
                *name
            } else {
                "_"
            }
        })
        .collect();
    let (name, kind) = (inst.op.name(), inst.kind.name());
    let register = register(inst.rw_gpr, inst.rw_rel);
    flags.after(format!("{name}: {kind}({at}), {register}.{mask}"))
}

/// The lines of a group with the 64-bit slots that each takes; literals belong to the last.
pub(super) fn group(group: &Group, number: usize) -> Vec<(String, usize)> {
    let mut lines: Vec<(String, usize)> = Vec::with_capacity(5);
    // Where zero collides and nothing is written the assembler finds other swizzles.
    let zero = group.insts().all(|(_, inst)| inst.bank_swizzle == 0) && check_ports(group).is_err();
    for (unit, inst) in group.insts() {
        let number = match lines.is_empty() {
            true => format!("{number:>7}"),
            false => " ".repeat(7),
        };
        let text = alu(unit, inst, &group.literals, zero);
        lines.push((format!("{number}  {}: {text}", unit.name()), 1));
    }
    let count = group.literal_count();
    if let Some((text, slots)) = lines.last_mut() {
        *slots += count / 2;
        for (at, bits) in group.literals[..count].iter().enumerate() {
            // Literals that an operand prints need no mention.
            let shown = group.insts().any(|(_, inst)| {
                printed(inst)
                    .iter()
                    .any(|o| o.sel == Source::Literal.sel() && !o.rel && o.elem as usize == at)
            });
            if !shown && *bits != 0 {
                text.push_str(&format!(" LITERAL({}, {bits:#x})", Elem::ALL[at].name()));
            }
        }
    }
    lines
}

/// The operands that are printed: those that the operation reads, and further ones as far as they are not zero.
fn printed(inst: &AluInst) -> &[Operand] {
    let fields = inst.fields();
    let last = fields
        .iter()
        .rposition(|field| *field != Operand::default());
    let count = inst.sources().len().max(last.map_or(0, |last| last + 1));
    &fields[..count]
}

fn alu(unit: Unit, inst: &AluInst, literals: &[u32; 4], zero: bool) -> String {
    let mut flags = Flags::default();
    flags.set(inst.omod != Omod::Off, inst.omod.name());
    flags.set(inst.clamp, "CLAMP");
    if inst.bank_swizzle != 0 || zero {
        let names: &[&str] = match unit {
            Unit::Trans => &TRANS_SWIZZLES,
            _ => &VECTOR_SWIZZLES,
        };
        match names.get(usize::from(inst.bank_swizzle)) {
            Some(name) => flags.set(true, name),
            None => flags.number("BANK_SWIZZLE", inst.bank_swizzle, 0),
        }
    }
    flags.set(inst.update_pred, "UPDATE_PRED");
    flags.set(inst.update_execute_mask, "UPDATE_EXEC_MASK");
    flags.set(inst.pred_sel != PredSel::Off, inst.pred_sel.name());
    let hidden = !inst.write && inst.dst == 0 && !inst.dst_rel;
    flags.set(!inst.write && !hidden, "NO_WRITE");
    let indexed = inst.dst_rel || printed(inst).iter().any(|operand| operand.rel);
    if !indexed && inst.index_mode != IndexMode::ArX {
        flags.set(true, &format!("INDEX({})", inst.index_mode.name()));
    }
    let index = inst.index_mode.name();
    let dst = match (hidden, inst.dst_rel) {
        (true, _) => "____".into(),
        (false, true) => format!("R[{}+{index}]", inst.dst),
        (false, false) => format!("R{}", inst.dst),
    };
    let mut text = format!("{:<16} {dst}.{}", inst.op.name(), inst.elem.name());
    for source in printed(inst) {
        text.push_str(", ");
        text.push_str(&operand(source, index, literals));
    }
    flags.after(text)
}

fn operand(operand: &Operand, index: &str, literals: &[u32; 4]) -> String {
    let elem = operand.elem.name();
    let at = |n: u32| match operand.rel {
        true => format!("{n}+{index}"),
        false => n.to_string(),
    };
    let plain = !operand.rel && operand.elem == Elem::X;
    let text = match operand.source() {
        Some(Source::Gpr(n)) if operand.rel => format!("R[{}].{elem}", at(n.into())),
        Some(Source::Gpr(n)) => format!("R{n}.{elem}"),
        Some(Source::Kcache { group, index }) => format!("KC{group}[{}].{elem}", at(index.into())),
        Some(Source::File(n)) => format!("C[{}].{elem}", at(n.into())),
        Some(Source::Zero) if plain => "0.0".into(),
        Some(Source::One) if plain => "1.0".into(),
        Some(Source::Half) if plain => "0.5".into(),
        Some(Source::IntOne) if plain => "1i".into(),
        Some(Source::IntMinusOne) if plain => "-1i".into(),
        Some(Source::Literal) if !operand.rel => {
            let bits = literals[operand.elem as usize];
            format!("({bits:#x}, {}).{elem}", f32::from_bits(bits))
        }
        Some(Source::Pv) if !operand.rel => format!("PV.{elem}"),
        Some(Source::Ps) if plain => "PS".into(),
        _ => format!("SRC[{}].{elem}", at(operand.sel.into())),
    };
    let text = if operand.abs {
        format!("|{text}|")
    } else {
        text
    };
    match operand.neg {
        // A sign would belong to the number.
        true if text.starts_with('-') => format!("-SRC[{}].{elem}", operand.sel),
        true => format!("-{text}"),
        false => text,
    }
}

/// A fetch instruction.
pub(super) fn fetch(inst: &Fetch) -> String {
    match inst {
        Fetch::Vtx(inst) => vtx(inst),
        Fetch::Tex(inst) => tex(inst),
    }
}

fn vtx(inst: &Vtx) -> String {
    let mut flags = Flags::default();
    let bytes = u32::from(inst.mega_fetch_count) + 1;
    let name = if inst.mega_fetch { "MEGA" } else { "MINI" };
    flags.set(inst.mega_fetch || bytes != 1, &format!("{name}({bytes})"));
    flags.number("OFFSET", inst.offset, 0);
    flags.number("FORMAT", inst.data_format, 0);
    flags.set(
        inst.num_format_all != NumFormat::Norm,
        &format!("NUM({})", inst.num_format_all.name()),
    );
    flags.set(inst.format_comp_all, "SIGNED");
    flags.set(inst.srf_mode_all, "NO_ZERO");
    flags.set(inst.use_const_fields, "USE_CONST_FIELDS");
    flags.set(
        inst.endian_swap != EndianSwap::None,
        &format!("ENDIAN({})", inst.endian_swap.name()),
    );
    flags.set(
        inst.fetch_type != FetchType::VertexData,
        &format!("TYPE({})", inst.fetch_type.name()),
    );
    flags.set(inst.const_buf_no_stride, "NO_STRIDE");
    flags.set(inst.fetch_whole_quad, "WHOLE_QUAD");
    let dst = match inst.dst_gpr() {
        Some((gpr, relative)) => selected(gpr, relative, inst.selects()),
        None => format!("S[{}].{}", inst.dst, Select::text(inst.selects())),
    };
    let source = register(inst.src_gpr, inst.src_rel);
    let (name, elem, buffer) = (inst.op.name(), inst.src_sel_x.name(), inst.buffer_id);
    flags.after(format!("{name:<16} {dst}, {source}.{elem}, fc{buffer}"))
}

fn tex(inst: &Tex) -> String {
    let mut flags = Flags::default();
    let unnormalized: String = ["x", "y", "z", "w"]
        .iter()
        .zip(inst.normalized())
        .filter(|(_, normalized)| !normalized)
        .map(|(name, _)| *name)
        .collect();
    flags.set(!unnormalized.is_empty(), &format!("UNNORM({unnormalized})"));
    let offset = [inst.offset_x, inst.offset_y, inst.offset_z];
    let [x, y, z] = offset;
    flags.set(offset != [0; 3], &format!("OFFSET({x}, {y}, {z})"));
    flags.number("LOD_BIAS", inst.lod_bias, 0);
    flags.set(inst.fetch_whole_quad, "WHOLE_QUAD");
    flags.set(inst.bc_frac_mode, "BC_FRAC");
    let dst = selected(inst.dst_gpr, inst.dst_rel, inst.selects());
    let source = register(inst.src_gpr, inst.src_rel);
    let sources = inst.sources().map(SourceSelect::name).concat();
    let (name, resource, sampler) = (inst.op.name(), inst.resource_id, inst.sampler_id);
    flags.after(format!(
        "{name:<16} {dst}, {source}.{sources}, t{resource}, s{sampler}"
    ))
}
