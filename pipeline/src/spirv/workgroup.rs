//! Compute shaders: sizes of workgroups, what their invocations share, and barriers. [SPIRV GLCompute]

use spirv::{BuiltIn, Decoration, Op, Scope};

use super::lower::{Lowerer, Val};
use super::module::Result;
use super::words::Inst;
use crate::ir::{Stage, Value};

impl Lowerer<'_> {
    /// The size that an execution mode says, in words or in ids of constants.
    pub(super) fn local_size(&mut self, inst: &Inst, operands: &[u32], ids: bool) -> Result<()> {
        let &[x, y, z] = operands else {
            return self.error(inst, "the size of a workgroup has three parts");
        };
        let mut size = [x, y, z];
        if ids {
            for part in &mut size {
                *part = self.length(inst, *part)?;
            }
        }
        self.workgroup_size(size)
    }

    /// The size that a constant says, where one is decorated as such: it comes before that of the execution mode.
    pub(super) fn workgroup_size_constant(&mut self) -> Result<()> {
        let module = self.module;
        if self.b.function().stage != Stage::Compute {
            return Ok(());
        }
        let is_size = |inst: &&Inst| {
            let builtin = module.decorated(inst.id, Decoration::BuiltIn);
            builtin == Some(BuiltIn::WorkgroupSize as u32)
                && matches!(inst.op, Op::ConstantComposite | Op::SpecConstantComposite)
        };
        if let Some(inst) = module.words.insts.iter().find(is_size) {
            let words = self.words(inst, inst.id)?;
            let known: Vec<_> = words.iter().map(|word| self.b.known_word(*word)).collect();
            let &[Some(x), Some(y), Some(z)] = &known[..] else {
                return self.error(inst, "the size of a workgroup is three numbers");
            };
            self.workgroup_size([x, y, z])?;
        }
        match self.b.function().interface.workgroup.size {
            [0, 0, 0] => {
                let entry = &module.words.insts[0];
                self.error(entry, "its compute shader has no LocalSize")
            }
            _ => Ok(()),
        }
    }

    /// A variable of the workgroup; whether it is to be zero.
    pub(super) fn workgroup_variable(&mut self, inst: &Inst, pointee: u32) -> Result<bool> {
        if self.b.function().stage != Stage::Compute {
            return self.error(inst, "compute shaders alone have memory of a workgroup");
        }
        let ty = self.ty(Some(inst), pointee)?;
        self.b.set_origin(inst.origin);
        let place = self.shared_variable(ty)?;
        self.globals.insert(inst.id, Val::Pointer(place));
        match self.module.words.operands(inst) {
            [_, initial, ..] => match self.module.definition(*initial).map(|of| of.op) {
                Some(Op::ConstantNull) => Ok(true),
                _ => self.error(
                    inst,
                    "memory of a workgroup starts with OpConstantNull only",
                ),
            },
            _ => Ok(false),
        }
    }

    /// `OpControlBarrier`.
    pub(super) fn control_barrier(&mut self, inst: &Inst) -> Result<()> {
        let [scope] = self.operands(inst)?;
        let words = self.words(inst, scope)?;
        let scope = words.first().and_then(|word| self.b.known_word(*word));
        match scope.and_then(Scope::from_u32) {
            // The lanes of a wave go on as one.
            Some(Scope::Subgroup | Scope::Invocation) => {
                self.fence();
                Ok(())
            }
            Some(Scope::Workgroup) => self.barrier(),
            _ => self.module.lacks(inst, "a barrier beyond the workgroup"),
        }
    }

    /// A built-in input of compute shaders.
    pub(super) fn workgroup_builtin(&mut self, builtin: BuiltIn) -> Option<Vec<Value>> {
        if self.b.function().stage != Stage::Compute {
            return None;
        }
        Some(match builtin {
            BuiltIn::GlobalInvocationId => (0..3).map(|axis| self.global_id(axis)).collect(),
            BuiltIn::LocalInvocationId => (0..3).map(|axis| self.local_id(axis)).collect(),
            BuiltIn::LocalInvocationIndex => vec![self.local_index()],
            BuiltIn::WorkgroupId => (0..3).map(|axis| self.workgroup_id(axis)).collect(),
            BuiltIn::NumWorkgroups => (0..3).map(|axis| self.workgroup_count(axis)).collect(),
            _ => return None,
        })
    }
}
