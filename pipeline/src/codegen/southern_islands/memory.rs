//! Buffers, push constants, and the descriptors of all resources.
//!
//! In: loads, stores and atomics of the SSA. Out: scalar loads where the address is uniform and nothing stores, else buffer
//! instructions, once for each descriptor that lanes want. [SI 8.1]

use southern_islands::isa::image::MimgOp;
use southern_islands::isa::memory::{MubufOp, SmrdOp};
use southern_islands::isa::scalar::{Sop1Op, Sop2Op};
use southern_islands::isa::vector::{VectorOp, Vop1Op};

use super::machine::{BufferBits, EXEC, Inst, Op, Operand, Shape, When};
use super::select::Select;
use crate::codegen::{Result, descriptor_offset};
use crate::ir::{Access, AtomicOp, Inst as IrInst, Origin, ResourceKind, Value};
use crate::layout::{DescriptorBytes, DescriptorKind};

/// Sizes of descriptors. [SI 8.1, 8.2]
pub(super) const BYTES: DescriptorBytes = DescriptorBytes {
    buffer: 16,
    texture: 32,
    sampler: 16,
    set_align: 64,
};

/// Word 3 of a buffer descriptor for raw words: dst_sel xyzw, 32-bit unsigned. [SI table 8.5]
const RAW_WORDS: u32 = 4 | 5 << 3 | 6 << 6 | 7 << 9 | 4 << 12 | 4 << 15;

/// Code that is appended in another place, given an operand.
type Body<'a, Me, With> = &'a mut dyn FnMut(&mut Me, With) -> Result<()>;

/// Scalar words that plain bindings may take when their descriptors are loaded once, at the start.
const EARLY_DESCRIPTOR_WORDS: u32 = 40;

/// A scalar load of several neighbours at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cluster {
    pub resource: u32,
    pub first: u32,
    pub words: u32,
    pub loaded: Option<Operand>,
}

impl Select<'_> {
    fn kind(&self, resource: u32) -> DescriptorKind {
        DescriptorKind::from(&self.function.interface.resources[resource as usize].kind)
    }

    /// Byte offset of a binding's first descriptor in its set.
    fn descriptor_offset(&self, resource: u32) -> Result<u32> {
        descriptor_offset(self.function, self.options, resource, BYTES, self.origin)
    }

    /// Loads the descriptors of plain bindings at the start of the shader, as far as registers allow.
    pub fn load_early_descriptors(&mut self) -> Result<()> {
        let function = self.function;
        let mut left = EARLY_DESCRIPTOR_WORDS;
        let mut used = vec![false; function.interface.resources.len()];
        let insts = function.insts();
        for access in insts.flat_map(IrInst::accesses) {
            used[access.resource as usize] |= access.element.is_none();
        }
        for (resource, _) in used.iter().enumerate().filter(|(_, used)| **used) {
            let resource = resource as u32;
            let words = BYTES.of(self.kind(resource)) / 4;
            if words <= left {
                left -= words;
                self.origin = function.first_use(resource);
                let access = Access {
                    resource,
                    element: None,
                };
                let descriptor = self.load_descriptor(access, None)?;
                self.entry.descriptors.insert(resource, descriptor);
            }
        }
        self.origin = Origin::default();
        Ok(())
    }

    /// A descriptor in scalar registers. `element` is the element of a binding array, already in a scalar.
    pub fn descriptor(&mut self, access: Access, element: Option<Operand>) -> Result<Operand> {
        if access.element.is_none()
            && let Some(&found) = self.entry.descriptors.get(&access.resource)
        {
            return Ok(found);
        }
        let key = (access.resource, access.element);
        if let (None, Some(&found)) = (element, self.descriptors.get(&key)) {
            return Ok(found);
        }
        let element = match (element, access.element) {
            (Some(element), _) => Some(element),
            (None, Some(value)) => Some(self.scalar_word(value)),
            (None, None) => None,
        };
        let descriptor = self.load_descriptor(access, element)?;
        self.descriptors.insert(key, descriptor);
        Ok(descriptor)
    }

    fn load_descriptor(&mut self, access: Access, element: Option<Operand>) -> Result<Operand> {
        let resource = &self.function.interface.resources[access.resource as usize];
        let (group, count) = (resource.slot.group, resource.count);
        if group >= 4 {
            return Err(self.unsupported(format!("@group({group})")));
        }
        let offset = self.descriptor_offset(access.resource)?;
        let bytes = BYTES.of(self.kind(access.resource));
        let base = self.set_address(group);
        let offset = match element {
            None => Operand::Const(offset),
            Some(Operand::Const(i)) => Operand::Const(offset + i * bytes),
            Some(element) => {
                // A wave without lanes may bring any number here; the address must stay inside of the set.
                let at = self.code.scalar(1);
                self.scalar2(Sop2Op::S_MIN_U32, at, element, Operand::Const(count - 1));
                let shift = Operand::Const(bytes.trailing_zeros());
                self.scalar2(Sop2Op::S_LSHL_B32, at, at, shift);
                self.scalar2(Sop2Op::S_ADD_U32, at, at, Operand::Const(offset));
                at
            }
        };
        let op = if bytes == 32 {
            SmrdOp::S_LOAD_DWORDX8
        } else {
            SmrdOp::S_LOAD_DWORDX4
        };
        let dst = self.code.scalar((bytes / 4) as u8);
        self.scalar_load(op, dst, base, offset);
        Ok(dst)
    }

    /// A scalar load at a byte offset, constant or in a register.
    pub fn scalar_load(&mut self, op: SmrdOp, dst: Operand, base: Operand, offset: Operand) {
        let offset = match offset {
            Operand::Const(bytes) if bytes / 4 < 256 => Operand::Const(bytes / 4),
            Operand::Const(bytes) => self.literal(bytes),
            register => register,
        };
        self.push(Inst::new(Op::ScalarLoad(op), Some(dst), vec![base, offset]));
    }

    /// Runs `body` for the lanes of each value of `of` in turn, with the value in a scalar.
    pub fn for_each_value(&mut self, of: Operand, body: Body<'_, Self, Operand>) -> Result<()> {
        let exec = Operand::Code(EXEC);
        let all = self.code.mask();
        self.scalar1(Sop1Op::S_MOV_B64, all, exec);
        let (head, end) = (self.code.block(), self.code.block());
        self.fall(head);
        let value = self.code.scalar(1);
        let read = Op::Vector(VectorOp::One(Vop1Op::V_READFIRSTLANE_B32));
        self.push(Inst::new(read, Some(value), vec![of]));
        let same = self.test(lanes::LaneOp::IEq, value, of);
        let rest = self.code.mask();
        self.scalar1(Sop1Op::S_AND_SAVEEXEC_B64, rest, same);
        body(self, value)?;
        self.scalar2(Sop2Op::S_XOR_B64, exec, exec, rest);
        self.branch(When::ExecNonZero, head, false);
        self.lanes_to(head);
        self.fall(end);
        self.scalar1(Sop1Op::S_MOV_B64, exec, all);
        Ok(())
    }

    /// Runs `body` with the element of a binding array in a scalar, if there is one: once for a uniform element, else
    /// once for each value.
    pub fn for_each_element(
        &mut self,
        element: Option<Value>,
        body: Body<'_, Self, Option<Operand>>,
    ) -> Result<()> {
        match element {
            Some(value) if self.structure.is_divergent(value) => {
                let of = self.word(value);
                self.for_each_value(of, &mut |select, scalar| body(select, Some(scalar)))
            }
            _ => body(self, None),
        }
    }

    /// Runs `body` with helper lanes and discarded lanes off.
    pub fn exactly(&mut self, body: &mut dyn FnMut(&mut Self) -> Result<()>) -> Result<()> {
        let Some(live) = self.entry.live else {
            return body(self);
        };
        let exec = Operand::Code(EXEC);
        let all = self.code.mask();
        self.scalar1(Sop1Op::S_AND_SAVEEXEC_B64, all, live);
        body(self)?;
        self.scalar1(Sop1Op::S_MOV_B64, exec, all);
        Ok(())
    }

    /// Whether loads from a buffer may go through the scalar unit, which does not see the wave's own stores.
    pub fn loads_scalar(&self, access: Access) -> bool {
        match self.function.interface.resources[access.resource as usize].kind {
            ResourceKind::Uniform { .. } => true,
            ResourceKind::Storage { read_only, .. } => {
                read_only || !self.function.interface.side_effects
            }
            _ => false,
        }
    }

    /// Finds loads at constant offsets that one scalar load can do.
    pub fn find_clusters(&self, block: usize) -> Vec<Cluster> {
        let mut wanted: Vec<(u32, u32, u32)> = Vec::new();
        for inst in &self.function.blocks[block].insts {
            if let crate::ir::Op::LoadBuffer(access) = inst.op
                && access.element.is_none()
                && inst.results.iter().all(|r| self.scalar[r.0 as usize])
                && let Some(offset) = self.defs.constant(inst.args[0])
            {
                wanted.push((access.resource, offset / 4, inst.results.len() as u32));
            }
        }
        wanted.sort_unstable();
        let mut clusters: Vec<Cluster> = Vec::new();
        for (resource, first, words) in wanted {
            if let Some(last) = clusters.last_mut() {
                let end = (first + words).max(last.first + last.words);
                let gap = first.saturating_sub(last.first + last.words);
                if last.resource == resource && end - last.first <= 16 && gap <= 1 {
                    last.words = end - last.first;
                    continue;
                }
            }
            clusters.push(Cluster {
                resource,
                first,
                words,
                loaded: None,
            });
        }
        clusters
    }

    pub fn load_buffer(&mut self, access: Access, inst: &IrInst) -> Result<()> {
        let count = inst.results.len() as u32;
        if inst.results.iter().all(|r| self.scalar[r.0 as usize]) {
            return self.load_buffer_scalar(access, inst);
        }
        let (address, offset) = self.buffer_address(inst.args[0]);
        let mut parts = Vec::new();
        for first in (0..count).step_by(4) {
            let words = (count - first).min(4);
            parts.push(self.code.vector(if words == 3 { 4 } else { words as u8 }));
        }
        let dsts = parts.clone();
        self.for_each_element(access.element, &mut |select, element| {
            let descriptor = select.descriptor(access, element)?;
            for (i, &dst) in dsts.iter().enumerate() {
                let op = match dst {
                    Operand::Reg { words: 1, .. } => MubufOp::BUFFER_LOAD_DWORD,
                    Operand::Reg { words: 2, .. } => MubufOp::BUFFER_LOAD_DWORDX2,
                    _ => MubufOp::BUFFER_LOAD_DWORDX4,
                };
                select.buffer(
                    op,
                    descriptor,
                    address,
                    offset + 16 * i as u32,
                    Some(dst),
                    None,
                );
            }
            Ok(())
        })?;
        for (i, &result) in inst.results.iter().enumerate() {
            self.define(result, parts[i / 4].word(i as u32 % 4));
        }
        Ok(())
    }

    fn load_buffer_scalar(&mut self, access: Access, inst: &IrInst) -> Result<()> {
        let count = inst.results.len() as u32;
        let constant = self
            .defs
            .constant(inst.args[0])
            .filter(|_| access.element.is_none());
        if let Some(at) = constant.map(|offset| offset / 4) {
            let cluster = self.clusters.iter().position(|c| {
                c.resource == access.resource && c.first <= at && at + count <= c.first + c.words
            });
            if let Some(c) = cluster {
                let cluster = self.clusters[c];
                let loaded = match cluster.loaded {
                    Some(loaded) => loaded,
                    None => {
                        let descriptor = self.descriptor(access, None)?;
                        let offset = Operand::Const(4 * cluster.first);
                        let loaded = self.scalar_buffer_load(descriptor, offset, cluster.words);
                        self.clusters[c].loaded = Some(loaded);
                        loaded
                    }
                };
                for (i, &result) in inst.results.iter().enumerate() {
                    self.define(result, loaded.word(at - cluster.first + i as u32));
                }
                return Ok(());
            }
        }
        let descriptor = self.descriptor(access, None)?;
        let offset = self.scalar_word(inst.args[0]);
        for first in (0..count).step_by(16) {
            let words = (count - first).min(16);
            let offset = self.add_constant(offset, 4 * first);
            let loaded = self.scalar_buffer_load(descriptor, offset, words);
            for i in 0..words {
                self.define(inst.results[(first + i) as usize], loaded.word(i));
            }
        }
        Ok(())
    }

    fn add_constant(&mut self, to: Operand, bytes: u32) -> Operand {
        match (to, bytes) {
            (_, 0) => to,
            (Operand::Const(at), _) => Operand::Const(at.wrapping_add(bytes)),
            _ => {
                let sum = self.code.scalar(1);
                self.scalar2(Sop2Op::S_ADD_U32, sum, to, Operand::Const(bytes));
                sum
            }
        }
    }

    fn scalar_buffer_load(&mut self, descriptor: Operand, offset: Operand, words: u32) -> Operand {
        let words = words.next_power_of_two();
        let op = match words {
            1 => SmrdOp::S_BUFFER_LOAD_DWORD,
            2 => SmrdOp::S_BUFFER_LOAD_DWORDX2,
            4 => SmrdOp::S_BUFFER_LOAD_DWORDX4,
            8 => SmrdOp::S_BUFFER_LOAD_DWORDX8,
            _ => SmrdOp::S_BUFFER_LOAD_DWORDX16,
        };
        let dst = self.code.scalar(words as u8);
        self.scalar_load(op, dst, descriptor, offset);
        dst
    }

    /// A byte offset as address register and constant part.
    fn buffer_address(&mut self, offset: Value) -> (Option<Operand>, u32) {
        match self.word(offset) {
            // Room for the words behind the first.
            Operand::Const(bytes) if bytes < 4096 - 256 => (None, bytes),
            word => (Some(self.in_vector(word)), 0),
        }
    }

    /// Appends a buffer instruction.
    pub fn buffer(
        &mut self,
        op: MubufOp,
        descriptor: Operand,
        address: Option<Operand>,
        offset: u32,
        dst: Option<Operand>,
        data: Option<Operand>,
    ) {
        let bits = BufferBits {
            offset: offset as u16,
            offen: address.is_some(),
            glc: data.is_some() && dst.is_some(),
            idxen: false,
        };
        let shape = Shape {
            sampler: false,
            address: address.is_some(),
            data: data.is_some(),
        };
        let mut src = vec![descriptor, Operand::Const(0)];
        src.extend(address);
        src.extend(data);
        self.push(Inst::new(Op::Buffer(op, bits, shape), dst, src));
    }

    /// Words in consecutive vector registers.
    pub fn tuple(&mut self, words: &[Operand]) -> Operand {
        if let ([word], true) = (words, words[0].is_vector()) {
            return *word;
        }
        // Values that already lie side by side.
        if let Operand::Reg {
            unit, vector: true, ..
        } = words[0]
        {
            let whole = Operand::Reg {
                unit,
                words: words.len() as u8,
                vector: true,
            };
            let together = (0..words.len()).all(|i| words[i] == whole.word(i as u32));
            let mut groups = self.code.groups.iter().rev().map(|group| &group.units);
            let last = unit + words.len() as u32 - 1;
            if together
                && groups.any(|units| units[0].0 <= unit && last <= units[units.len() - 1].0)
            {
                return whole;
            }
        }
        self.own_tuple(words)
    }

    pub fn store_buffer(&mut self, access: Access, inst: &IrInst) -> Result<()> {
        let (address, offset) = self.buffer_address(inst.args[0]);
        let words = self.words(&inst.args[1..]);
        let mut parts = Vec::new();
        let mut first = 0;
        while first < words.len() {
            let count = match words.len() - first {
                1 => 1,
                2 | 3 => 2,
                _ => 4,
            };
            let tuple = self.tuple(&words[first..first + count]);
            parts.push((first as u32, tuple));
            first += count;
        }
        self.exactly(&mut |select| {
            select.for_each_element(access.element, &mut |select, element| {
                let descriptor = select.descriptor(access, element)?;
                for &(first, data) in &parts {
                    let op = match data {
                        Operand::Reg { words: 1, .. } => MubufOp::BUFFER_STORE_DWORD,
                        Operand::Reg { words: 2, .. } => MubufOp::BUFFER_STORE_DWORDX2,
                        _ => MubufOp::BUFFER_STORE_DWORDX4,
                    };
                    select.buffer(
                        op,
                        descriptor,
                        address,
                        offset + 4 * first,
                        None,
                        Some(data),
                    );
                }
                Ok(())
            })
        })
    }

    pub fn atomic_buffer(&mut self, access: Access, op: AtomicOp, inst: &IrInst) -> Result<()> {
        let (op, _) = atomic_codes(op);
        let (address, offset) = self.buffer_address(inst.args[0]);
        let words = self.words(&inst.args[1..]);
        let data = self.own_tuple(&words);
        let read = self.structure.uses[inst.results[0].0 as usize] > 0;
        self.exactly(&mut |select| {
            select.for_each_element(access.element, &mut |select, element| {
                let descriptor = select.descriptor(access, element)?;
                let dst = read.then_some(data.word(0));
                select.buffer(op, descriptor, address, offset, dst, Some(data));
                Ok(())
            })
        })?;
        self.define(inst.results[0], data.word(0));
        Ok(())
    }

    /// Words in consecutive vector registers that nothing else reads.
    pub fn own_tuple(&mut self, words: &[Operand]) -> Operand {
        let tuple = self.code.vector(words.len() as u8);
        for (i, &word) in words.iter().enumerate() {
            self.vector_move(tuple.word(i as u32), word);
        }
        tuple
    }

    pub fn buffer_bytes(&mut self, access: Access, result: Value) -> Result<()> {
        let diverges = access
            .element
            .is_some_and(|value| self.structure.is_divergent(value));
        if !diverges {
            let descriptor = self.descriptor(access, None)?;
            self.define(result, descriptor.word(2));
            return Ok(());
        }
        let dst = self.code.vector(1);
        self.for_each_element(access.element, &mut |select, element| {
            let descriptor = select.descriptor(access, element)?;
            select.vector_move(dst, descriptor.word(2));
            Ok(())
        })?;
        self.define(result, dst);
        Ok(())
    }

    pub fn load_push(&mut self, inst: &IrInst) {
        let base = self.push_address();
        let count = inst.results.len() as u32;
        if !self.structure.is_divergent(inst.args[0]) {
            let offset = self.scalar_word(inst.args[0]);
            let words = count.next_power_of_two();
            let op = match words {
                1 => SmrdOp::S_LOAD_DWORD,
                2 => SmrdOp::S_LOAD_DWORDX2,
                4 => SmrdOp::S_LOAD_DWORDX4,
                8 => SmrdOp::S_LOAD_DWORDX8,
                _ => SmrdOp::S_LOAD_DWORDX16,
            };
            let dst = self.code.scalar(words as u8);
            self.scalar_load(op, dst, base, offset);
            for (i, &result) in inst.results.iter().enumerate() {
                self.define(result, dst.word(i as u32));
            }
            return;
        }
        let descriptor = self.code.scalar(4);
        self.scalar1(Sop1Op::S_MOV_B64, descriptor.part(0, 2), base);
        let bytes = Operand::Const(self.function.interface.push_constant_bytes);
        self.scalar1(Sop1Op::S_MOV_B32, descriptor.word(2), bytes);
        self.scalar1(
            Sop1Op::S_MOV_B32,
            descriptor.word(3),
            Operand::Const(RAW_WORDS),
        );
        let address = self.vector_word(inst.args[0]);
        for (i, &result) in inst.results.iter().enumerate() {
            let dst = self.code.vector(1);
            let op = MubufOp::BUFFER_LOAD_DWORD;
            self.buffer(op, descriptor, Some(address), 4 * i as u32, Some(dst), None);
            self.define(result, dst);
        }
    }
}

/// Codes of an atomic operation on buffers and on images.
pub(super) fn atomic_codes(op: AtomicOp) -> (MubufOp, MimgOp) {
    use {MimgOp as I, MubufOp as B};
    match op {
        AtomicOp::Add => (B::BUFFER_ATOMIC_ADD, I::IMAGE_ATOMIC_ADD),
        AtomicOp::Sub => (B::BUFFER_ATOMIC_SUB, I::IMAGE_ATOMIC_SUB),
        AtomicOp::And => (B::BUFFER_ATOMIC_AND, I::IMAGE_ATOMIC_AND),
        AtomicOp::Or => (B::BUFFER_ATOMIC_OR, I::IMAGE_ATOMIC_OR),
        AtomicOp::Xor => (B::BUFFER_ATOMIC_XOR, I::IMAGE_ATOMIC_XOR),
        AtomicOp::IMin => (B::BUFFER_ATOMIC_SMIN, I::IMAGE_ATOMIC_SMIN),
        AtomicOp::IMax => (B::BUFFER_ATOMIC_SMAX, I::IMAGE_ATOMIC_SMAX),
        AtomicOp::UMin => (B::BUFFER_ATOMIC_UMIN, I::IMAGE_ATOMIC_UMIN),
        AtomicOp::UMax => (B::BUFFER_ATOMIC_UMAX, I::IMAGE_ATOMIC_UMAX),
        AtomicOp::Exchange => (B::BUFFER_ATOMIC_SWAP, I::IMAGE_ATOMIC_SWAP),
        AtomicOp::CompareExchange => (B::BUFFER_ATOMIC_CMPSWAP, I::IMAGE_ATOMIC_CMPSWAP),
    }
}
