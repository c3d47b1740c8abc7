//! ALU instructions and groups from text.

use isa::text::{Cursor, Number};

use super::super::group::{AluInst, Group, Operand, Source, Unit};
use super::super::ports::{bank_swizzles, check_ports};
use super::super::words::{Elem, IndexMode, Omod, PredSel};
use super::fetch::after_bracket;
use super::parse::{alu_op, number};
use super::print::{TRANS_SWIZZLES, VECTOR_SWIZZLES};

/// The unit of a name.
pub(super) fn unit(name: &str) -> Option<Unit> {
    Unit::ALL.into_iter().find(|unit| unit.name() == name)
}

fn elem(name: &str) -> Result<Elem, String> {
    let found = Elem::ALL.iter().find(|elem| elem.name() == name);
    found
        .copied()
        .ok_or_else(|| format!("`{name}` is no element"))
}

/// A group as far as it is read.
#[derive(Default)]
pub(super) struct Pending {
    slots: [Option<AluInst>; 5],
    literals: [Option<u32>; 4],
    /// Literals without a place: unit, operand, bits.
    loose: Vec<(Unit, usize, u32)>,
    /// Whether a bank swizzle is named.
    swizzled: bool,
}

/// An operand as written.
struct Written {
    operand: Operand,
    literal: Option<u32>,
    index: Option<IndexMode>,
}

impl Pending {
    /// Reads the instruction of a unit.
    pub(super) fn instruction(
        &mut self,
        unit: Unit,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), String> {
        if self.slots[unit as usize..].iter().any(Option::is_some) {
            return Err(format!("slot {} comes too late in its group", unit.name()));
        }
        let name = cursor.word().ok_or("expected a mnemonic")?;
        let op = alu_op(name).ok_or_else(|| format!("no ALU instruction `{name}`"))?;
        let mut inst = AluInst::new(op, 0, Elem::X, &[]);
        let mut index = destination(&mut inst, cursor)?;
        let fields = inst.fields().len();
        let mut count = 0;
        while cursor.eat(",") {
            if count == fields {
                return Err(format!("{name} has {fields} operands"));
            }
            let written = self.operand(cursor)?;
            inst.src[count] = written.operand;
            if let Some(bits) = written.literal {
                self.loose.push((unit, count, bits));
            }
            index = index.or(written.index);
            if written.index.is_some() && written.index != index {
                return Err("an instruction has one index".into());
            }
            count += 1;
        }
        let sources = inst.sources().len();
        if count < sources {
            return Err(format!("{name} reads {sources} operands"));
        }
        inst.index_mode = index.unwrap_or_default();
        while !cursor.is_end() {
            self.flag(&mut inst, unit, cursor)?;
        }
        if !inst.fits() {
            return Err(format!("{name} cannot have one of its flags or operands"));
        }
        self.slots[unit as usize] = Some(inst);
        Ok(())
    }

    fn flag(
        &mut self,
        inst: &mut AluInst,
        unit: Unit,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), String> {
        let omod = Omod::ALL[1..].iter().find(|omod| cursor.eat(omod.name()));
        if let Some(omod) = omod {
            inst.omod = *omod;
            return Ok(());
        }
        let Some(name) = cursor.word() else {
            return Err(format!("`{}` means nothing here", cursor.rest()));
        };
        let names: &[&str] = match unit {
            Unit::Trans => &TRANS_SWIZZLES,
            _ => &VECTOR_SWIZZLES,
        };
        if let Some(at) = names.iter().position(|own| *own == name) {
            inst.bank_swizzle = at as u8;
            self.swizzled = true;
            return Ok(());
        }
        match name {
            "CLAMP" => inst.clamp = true,
            "UPDATE_PRED" => inst.update_pred = true,
            "UPDATE_EXEC_MASK" => inst.update_execute_mask = true,
            "PRED_SEL_ZERO" => inst.pred_sel = PredSel::Zero,
            "PRED_SEL_ONE" => inst.pred_sel = PredSel::One,
            "NO_WRITE" => inst.write = false,
            "BANK_SWIZZLE" => {
                cursor.expect("(")?;
                let swizzle: u8 = number(cursor)?;
                inst.bank_swizzle = Some(swizzle).filter(|s| *s < 8).ok_or("3 bits")?;
                self.swizzled = true;
                cursor.expect(")")?;
            }
            "INDEX" => {
                cursor.expect("(")?;
                inst.index_mode = index(cursor)?;
                cursor.expect(")")?;
            }
            "LITERAL" => {
                cursor.expect("(")?;
                let at = elem(cursor.word().unwrap_or(""))?;
                cursor.expect(",")?;
                self.literal(at, number(cursor)?)?;
                cursor.expect(")")?;
            }
            _ => return Err(format!("`{name}` means nothing here")),
        }
        Ok(())
    }

    fn literal(&mut self, at: Elem, bits: u32) -> Result<(), String> {
        let place = &mut self.literals[at as usize];
        match place.replace(bits) {
            Some(other) if other != bits => Err(format!(
                "literal {} is both {other:#x} and {bits:#x}",
                at.name()
            )),
            _ => Ok(()),
        }
    }

    fn operand(&mut self, cursor: &mut Cursor<'_>) -> Result<Written, String> {
        if cursor.eat("-1i") {
            return Ok(plain(Source::IntMinusOne));
        }
        let neg = cursor.eat("-");
        let abs = cursor.eat("|");
        let mut written = self.value(cursor, neg)?;
        if abs {
            cursor.expect("|")?;
        }
        // A negative integer is a literal of its own.
        let integer = written.literal.is_some() && written.operand.neg;
        written.operand.neg = neg && !integer;
        written.operand.abs = abs;
        Ok(written)
    }

    /// An operand without modifiers. Of an integer literal, `operand.neg` says that it is negated already.
    fn value(&mut self, cursor: &mut Cursor<'_>, negative: bool) -> Result<Written, String> {
        for (text, source) in [("-1i", Source::IntMinusOne), ("1i", Source::IntOne)] {
            if cursor.eat(text) {
                return Ok(plain(source));
            }
        }
        if cursor.eat("(") {
            let text = cursor.until(')').ok_or("a literal is not closed")?;
            let bits = text.split(',').next().unwrap_or("");
            let bits = number(&mut Cursor::new(bits))?;
            let at = elem(after_bracket(cursor))?;
            self.literal(at, bits)?;
            let operand = Operand::new(Source::Literal, at);
            return Ok(Written {
                operand,
                literal: None,
                index: None,
            });
        }
        let hexadecimal = cursor.rest().starts_with("0x");
        match cursor.number() {
            Some(Number::Float(value)) => return Ok(float(value as f32)),
            Some(Number::Integer(0)) if !hexadecimal => return Ok(plain(Source::Zero)),
            Some(Number::Integer(1)) if !hexadecimal && !negative => {
                return Ok(plain(Source::IntOne));
            }
            Some(Number::Integer(value)) => {
                let bits = u32::try_from(value).map_err(|_| "a literal has 32 bits")?;
                let mut written = plain(Source::Literal);
                written.operand.neg = negative;
                written.literal = Some(if negative { bits.wrapping_neg() } else { bits });
                return Ok(written);
            }
            None => {}
        }
        let here = cursor.here();
        let word = cursor
            .word()
            .ok_or_else(|| format!("expected an operand{here}"))?;
        let (name, element) = word.split_once('.').unwrap_or((word, ""));
        match (name, element) {
            ("PS", "") => return Ok(plain(Source::Ps)),
            ("PV", element) => return source(Source::Pv, element),
            ("PS", element) => return source(Source::Ps, element),
            _ => {}
        }
        if let Some(gpr) = name.strip_prefix('R').and_then(|n| n.parse::<u8>().ok()) {
            return match gpr < 128 {
                true => source(Source::Gpr(gpr), element),
                false => Err(format!("R{gpr} is not below R128")),
            };
        }
        cursor.expect("[")?;
        let at: u16 = number(cursor)?;
        let index = match cursor.eat("+") {
            true => Some(index(cursor)?),
            false => None,
        };
        cursor.expect("]")?;
        let elem = elem(after_bracket(cursor))?;
        let base = match name {
            "R" if at < 128 => 0,
            "KC0" if at < 32 => 128,
            "KC1" if at < 32 => 160,
            "C" if at < 256 => 256,
            "SRC" if at < 512 => 0,
            _ => return Err(format!("no operand `{name}[{at}]`")),
        };
        let operand = Operand {
            sel: base + at,
            rel: index.is_some(),
            elem,
            ..Operand::default()
        };
        Ok(Written {
            operand,
            literal: None,
            index,
        })
    }

    /// The group, literals placed and read ports resolved.
    pub(super) fn finish(mut self) -> Result<Group, String> {
        for (unit, at, bits) in std::mem::take(&mut self.loose) {
            let same = |literal: &Option<u32>| *literal == Some(bits);
            let place = self.literals.iter().position(same);
            let place = place.or_else(|| self.literals.iter().position(Option::is_none));
            let place = place.ok_or("a group has four literals")?;
            self.literals[place] = Some(bits);
            if let Some(inst) = &mut self.slots[unit as usize] {
                inst.src[at].elem = Elem::ALL[place];
            }
        }
        let mut group = Group {
            slots: self.slots,
            literals: self.literals.map(Option::unwrap_or_default),
        };
        group.check().map_err(|error| error.to_string())?;
        if !self.swizzled
            && check_ports(&group).is_err()
            && let Some(swizzles) = bank_swizzles(&group)
        {
            for (slot, swizzle) in group.slots.iter_mut().zip(swizzles) {
                if let Some(inst) = slot {
                    inst.bank_swizzle = swizzle;
                }
            }
        }
        Ok(group)
    }
}

/// An inline constant or literal.
fn plain(source: Source) -> Written {
    Written {
        operand: Operand::new(source, Elem::X),
        literal: None,
        index: None,
    }
}

fn float(value: f32) -> Written {
    match value {
        0.0 => plain(Source::Zero),
        1.0 => plain(Source::One),
        0.5 => plain(Source::Half),
        value => Written {
            literal: Some(value.to_bits()),
            ..plain(Source::Literal)
        },
    }
}

fn source(source: Source, element: &str) -> Result<Written, String> {
    Ok(Written {
        operand: Operand::new(source, elem(element)?),
        literal: None,
        index: None,
    })
}

/// `AR.x` to `AR.w`, `AL`.
fn index(cursor: &mut Cursor<'_>) -> Result<IndexMode, String> {
    let name = cursor.word().unwrap_or("");
    let found = IndexMode::ALL.iter().find(|mode| mode.name() == name);
    found
        .copied()
        .ok_or_else(|| format!("`{name}` is no index"))
}

/// Reads the destination; gives its index.
fn destination(inst: &mut AluInst, cursor: &mut Cursor<'_>) -> Result<Option<IndexMode>, String> {
    let word = cursor.word().ok_or("expected a destination")?;
    let (name, element) = word.split_once('.').unwrap_or((word, ""));
    if name == "____" {
        inst.elem = elem(element)?;
        inst.write = false;
        return Ok(None);
    }
    if name == "R" {
        cursor.expect("[")?;
        inst.dst = number(cursor)?;
        cursor.expect("+")?;
        let index = index(cursor)?;
        cursor.expect("]")?;
        inst.elem = elem(after_bracket(cursor))?;
        inst.dst_rel = true;
        return Ok(Some(index));
    }
    let gpr = name.strip_prefix('R').and_then(|n| n.parse().ok());
    inst.dst = gpr
        .filter(|gpr| *gpr < 128)
        .ok_or_else(|| format!("`{word}` is no destination"))?;
    inst.elem = elem(element)?;
    Ok(None)
}
