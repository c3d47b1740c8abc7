//! Constants, and specialisation constants with their values from outside.

use std::collections::{BTreeSet, HashMap};

use spirv::{Decoration, Op};

use super::lower::Lowerer;
use super::module::{Module, Result};
use super::types::Type;
use super::uses::is_constant;
use super::words::Inst;
use crate::error::ShaderError;
use crate::ir::{Known, Scalar, Value};
use crate::lower::types::Kind;
use crate::lower::{Overrides, known_override};

/// A specialisation constant, or an override of WGSL.
#[derive(Clone, Debug, PartialEq)]
pub struct SpecConstant {
    /// `SpecId` or `@id`; WGSL may leave it out.
    pub id: Option<u32>,
    /// Its name in the source, or that of its id.
    pub name: String,
    /// How its word is read; none of a bool.
    pub scalar: Option<Scalar>,
    /// Its default: a bool, or the word of a number; none where there is none, or where it is computed.
    pub default: Option<Known>,
}

impl Module {
    /// A constant is made of constants that stand before it.
    pub(super) fn check_constant(&self, inst: &Inst) -> Result<()> {
        let operands = self.words.operands(inst);
        let parts = match (inst.op, operands) {
            (Op::ConstantComposite | Op::SpecConstantComposite, parts) => parts,
            (Op::SpecConstantOp, [op, parts @ ..]) => {
                // Places in composites follow.
                let count = match Op::from_u32(*op) {
                    Some(Op::CompositeExtract) => 1,
                    Some(Op::CompositeInsert | Op::VectorShuffle) => 2,
                    _ => parts.len(),
                };
                &parts[..count.min(parts.len())]
            }
            _ => &[],
        };
        for &part in parts {
            let found = self.definition(part);
            if !found.is_some_and(|of| is_constant(of.op) && of.number < inst.number) {
                let message = format!("{} is no constant before it", self.name(part));
                return Err(self.error(inst, message));
            }
        }
        Ok(())
    }

    /// The specialisation constants that have a `SpecId`, in the order of the module.
    pub fn spec_constants(&self) -> Vec<SpecConstant> {
        let insts = self.words.insts.iter();
        let constants = insts.filter_map(|inst| {
            let default = match (inst.op, self.words.operands(inst)) {
                (Op::SpecConstantTrue, _) => Known::Bool(true),
                (Op::SpecConstantFalse, _) => Known::Bool(false),
                (Op::SpecConstant, [word, ..]) => Known::Word(*word),
                _ => return None,
            };
            Some(SpecConstant {
                id: Some(self.decorated(inst.id, Decoration::SpecId)?),
                name: self.name(inst.id),
                scalar: match self.types.get(&inst.ty) {
                    Some(Type::Int(_, true)) => Some(Scalar::Sint),
                    Some(Type::Int(_, false)) => Some(Scalar::Uint),
                    Some(Type::Float(_)) => Some(Scalar::Float),
                    _ => None,
                },
                default: Some(default),
            })
        });
        constants.collect()
    }
}

/// Values from outside, by the id of the constant; keys are numbers, as of `constant_id`.
pub(super) fn given(module: &Module, overrides: &Overrides) -> Result<HashMap<u32, Known>> {
    let mut given = HashMap::new();
    for (name, &value) in overrides {
        let mut found = false;
        for inst in &module.words.insts {
            let constant = matches!(
                inst.op,
                Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse
            );
            let number = module.decorated(inst.id, Decoration::SpecId);
            if !constant || number.map(|number| number.to_string()).as_ref() != Some(name) {
                continue;
            }
            found = true;
            let kind = match module.types.get(&inst.ty) {
                Some(Type::Bool) => Kind::Bool,
                Some(Type::Int(8 | 16 | 32, true)) => Kind::I32,
                Some(Type::Int(8 | 16 | 32, false)) => Kind::U32,
                Some(Type::Float(16 | 32)) => Kind::F32,
                _ => return module.lacks(inst, "a specialisation constant of this type"),
            };
            let at = module.text.locate(inst.origin);
            let known = known_override(name, kind, value, at)?;
            given.insert(inst.id, known);
        }
        if !found {
            let available = module.spec_constants();
            let available: BTreeSet<u32> = available.iter().filter_map(|of| of.id).collect();
            return Err(ShaderError::UnknownOverride {
                name: name.clone(),
                available: available.iter().map(u32::to_string).collect(),
            });
        }
    }
    Ok(given)
}

impl<'a> Lowerer<'a> {
    /// The leaves of a constant that is not given from outside.
    pub(super) fn make_constant(&mut self, inst: &Inst) -> Result<Vec<Value>> {
        let module = self.module;
        let operands = module.words.operands(inst);
        Ok(match inst.op {
            Op::ConstantTrue | Op::SpecConstantTrue => vec![self.b.bit(true)],
            Op::ConstantFalse | Op::SpecConstantFalse => vec![self.b.bit(false)],
            Op::Constant | Op::SpecConstant => {
                // Finds types that no device has.
                self.ty(Some(inst), inst.ty)?;
                self.constant_words(inst, operands)?
            }
            Op::ConstantNull | Op::Undef => {
                let ty = self.ty(Some(inst), inst.ty)?;
                self.zeros(&ty)?
            }
            Op::ConstantComposite | Op::SpecConstantComposite => {
                let ty = self.ty(Some(inst), inst.ty)?;
                self.check_words(&ty)?;
                let mut words = Vec::new();
                for &part in operands {
                    words.extend(self.words(inst, part)?.iter());
                }
                words
            }
            Op::SpecConstantOp => {
                let [op] = self.operands(inst)?;
                let Some(op) = Op::from_u32(op).filter(|op| folds(*op)) else {
                    return self.error(inst, format!("opcode {op} makes no constant"));
                };
                let words = self.compute(inst, op, &operands[1..])?;
                if words.iter().any(|word| self.b.known(*word).is_none()) {
                    return self.module.lacks(inst, format!("Op{op:?} of constants"));
                }
                words
            }
            _ => return self.error(inst, "it is no constant"),
        })
    }
}

/// Whether an instruction may make a specialisation constant. [SPIRV OpSpecConstantOp]
fn folds(op: Op) -> bool {
    !matches!(
        op,
        Op::DPdx
            | Op::DPdy
            | Op::Fwidth
            | Op::DPdxFine
            | Op::DPdyFine
            | Op::FwidthFine
            | Op::DPdxCoarse
            | Op::DPdyCoarse
            | Op::FwidthCoarse
    )
}
