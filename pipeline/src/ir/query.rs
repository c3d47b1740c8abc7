//! Questions about instructions and functions that passes and back ends share.

use super::{
    Access, AtomicOp, BlockId, Builtin, Dim, Function, ImageKind, ImageOp, Inst, Op, Origin, Shape,
    SubgroupOp, Target, Terminator, Type, Value, verify::lod_operands,
};

impl Shape {
    /// Words of a coordinate, without layer.
    pub fn coordinates(self) -> usize {
        match self.dim {
            Dim::D1 | Dim::Buffer => 1,
            Dim::D2 => 2,
            Dim::D3 | Dim::Cube => 3,
        }
    }

    /// Words of a size query.
    pub fn size_components(self) -> usize {
        match self.dim {
            Dim::D1 | Dim::Buffer => 1,
            Dim::D2 | Dim::Cube => 2,
            Dim::D3 => 3,
        }
    }
}

/// Number of operands of a texture operation.
pub fn image_operands(image: &ImageOp) -> usize {
    let shape = image.shape;
    let coordinates = shape.coordinates() + usize::from(shape.arrayed);
    match image.kind {
        ImageKind::Sample {
            lod,
            compare,
            least,
            ..
        } => {
            let more = usize::from(compare) + usize::from(least);
            coordinates + lod_operands(lod, shape.coordinates()) + more
        }
        ImageKind::Gather { compare, .. } => coordinates + usize::from(compare),
        ImageKind::Load { level } => {
            coordinates + usize::from(shape.multisampled) + usize::from(level)
        }
        ImageKind::Store => coordinates + 4,
        ImageKind::Atomic(AtomicOp::CompareExchange) => coordinates + 2,
        ImageKind::Atomic(_) => coordinates + 1,
        ImageKind::Size { level } => usize::from(level),
        ImageKind::Levels | ImageKind::Layers | ImageKind::Samples => 0,
        ImageKind::QueryLod => coordinates,
    }
}

impl Inst {
    /// The resources it touches.
    pub fn accesses(&self) -> impl Iterator<Item = Access> {
        self.op.accesses().into_iter().flatten()
    }

    /// Every value it reads: operands and elements of binding arrays.
    pub fn operands(&self) -> impl Iterator<Item = Value> {
        let elements = self.accesses().filter_map(|access| access.element);
        self.args.iter().copied().chain(elements)
    }

    /// Replaces every value it reads.
    pub fn map_operands(&mut self, mut map: impl FnMut(Value) -> Value) {
        for arg in &mut self.args {
            *arg = map(*arg);
        }
        for access in self.op.accesses_mut().into_iter().flatten() {
            access.element = access.element.map(&mut map);
        }
    }
}

impl Op {
    /// Whether it does something besides giving its results.
    pub fn has_effect(&self) -> bool {
        match self {
            Op::Output { .. }
            | Op::OutputBuiltin(_)
            | Op::EmitVertex
            | Op::EndPrimitive
            | Op::StoreBuffer(_)
            | Op::AtomicBuffer(..)
            | Op::StoreShared
            | Op::AtomicShared(_)
            | Op::Barrier
            | Op::Fence
            | Op::StoreLocal(_)
            | Op::Discard => true,
            Op::Image(image) => matches!(image.kind, ImageKind::Store | ImageKind::Atomic(_)),
            _ => false,
        }
    }

    /// Whether its results depend on its operands alone (and on what never changes during an invocation), so that it
    /// may be computed once for several uses.
    pub fn is_pure(&self) -> bool {
        !self.has_effect()
            && match self {
                Op::LoadBuffer(_) | Op::LoadShared | Op::LoadLocal(_) | Op::Subgroup(_) => false,
                Op::Image(image) => !matches!(image.kind, ImageKind::Load { .. }),
                _ => true,
            }
    }

    /// Whether its results depend on the neighbours in the quad, so that it must stay where all of them come by.
    pub fn needs_quad(&self) -> bool {
        match self {
            Op::Derivative { .. } | Op::Subgroup(SubgroupOp::Quad(_)) => true,
            Op::Image(image) => matches!(
                image.kind,
                ImageKind::Sample {
                    lod: super::Lod::Implicit | super::Lod::Bias,
                    ..
                } | ImageKind::QueryLod
            ),
            _ => false,
        }
    }

    fn accesses(&self) -> [Option<Access>; 2] {
        match self {
            Op::LoadBuffer(access)
            | Op::StoreBuffer(access)
            | Op::AtomicBuffer(access, _)
            | Op::BufferBytes(access) => [Some(*access), None],
            Op::Image(image) => [Some(image.texture), image.sampler],
            _ => [None, None],
        }
    }

    /// Renumbers the resources it touches.
    pub fn map_resources(&mut self, map: impl Fn(u32) -> u32) {
        for access in self.accesses_mut().into_iter().flatten() {
            access.resource = map(access.resource);
        }
    }

    fn accesses_mut(&mut self) -> [Option<&mut Access>; 2] {
        match self {
            Op::LoadBuffer(access)
            | Op::StoreBuffer(access)
            | Op::AtomicBuffer(access, _)
            | Op::BufferBytes(access) => [Some(access), None],
            Op::Image(image) => [Some(&mut image.texture), image.sampler.as_mut()],
            _ => [None, None],
        }
    }
}

impl Terminator {
    /// Where it may go.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        let (first, second) = match self {
            Terminator::Jump(target) => (Some(target), None),
            Terminator::Branch { yes, no, .. } => (Some(yes), Some(no)),
            Terminator::Return | Terminator::Unreachable => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// The same, to be changed.
    pub fn targets_mut(&mut self) -> impl Iterator<Item = &mut Target> {
        let (first, second) = match self {
            Terminator::Jump(target) => (Some(target), None),
            Terminator::Branch { yes, no, .. } => (Some(yes), Some(no)),
            Terminator::Return | Terminator::Unreachable => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// Every value it reads.
    pub fn operands(&self) -> impl Iterator<Item = Value> {
        let condition = match self {
            Terminator::Branch { condition, .. } => Some(*condition),
            _ => None,
        };
        let args = self
            .targets()
            .flat_map(|target| target.args.iter().copied());
        condition.into_iter().chain(args)
    }

    /// Replaces every value it reads.
    pub fn map_operands(&mut self, mut map: impl FnMut(Value) -> Value) {
        if let Terminator::Branch { condition, .. } = self {
            *condition = map(*condition);
        }
        for target in self.targets_mut() {
            for arg in &mut target.args {
                *arg = map(*arg);
            }
        }
    }
}

impl Function {
    /// All instructions, block after block.
    pub fn insts(&self) -> impl Iterator<Item = &Inst> {
        self.blocks.iter().flat_map(|block| &block.insts)
    }

    /// Whether it reads a builtin input.
    pub fn reads(&self, builtin: Builtin) -> bool {
        let mut ops = self.insts().map(|inst| &inst.op);
        ops.any(|op| matches!(op, Op::Builtin(read) if *read == builtin))
    }

    /// Where a resource is used first.
    pub fn first_use(&self, resource: u32) -> Origin {
        let insts = self.insts();
        let uses = insts.filter(|inst| inst.accesses().any(|access| access.resource == resource));
        uses.map(|inst| inst.origin)
            .find(|origin| origin.is_known())
            .unwrap_or_default()
    }

    /// A new value.
    pub fn value(&mut self, ty: Type) -> Value {
        self.types.push(ty);
        Value(self.types.len() as u32 - 1)
    }

    /// The blocks that jump to each block; one that does so on both sides of a branch is listed twice.
    pub fn predecessors(&self) -> Vec<Vec<BlockId>> {
        let mut preds = vec![Vec::new(); self.blocks.len()];
        for (number, block) in self.blocks.iter().enumerate() {
            for target in block.end.targets() {
                preds[target.block.0 as usize].push(BlockId(number as u32));
            }
        }
        preds
    }

    /// Number of instructions.
    pub fn size(&self) -> usize {
        self.blocks.iter().map(|block| block.insts.len()).sum()
    }

    /// Renames every use by `map`, following chains.
    pub fn rename(&mut self, map: &[Option<Value>]) {
        let find = |mut value: Value| {
            while let Some(Some(next)) = map.get(value.0 as usize) {
                value = *next;
            }
            value
        };
        for block in &mut self.blocks {
            for inst in &mut block.insts {
                inst.map_operands(find);
            }
            block.end.map_operands(find);
        }
    }
}
