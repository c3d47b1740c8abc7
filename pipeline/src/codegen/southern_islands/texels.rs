//! Texel buffers: typed buffer instructions with an index. The format is the descriptor's. [SI 8.1]

use southern_islands::isa::memory::MubufOp;

use super::machine::{BufferBits, Inst, Op, Operand, Shape};
use super::memory::atomic_codes;
use super::select::Select;
use crate::codegen::Result;
use crate::ir::{ImageKind, ImageOp, Inst as IrInst};

impl Select<'_> {
    /// Selects an operation on a texel buffer.
    pub(super) fn texel_buffer(&mut self, image: &ImageOp, inst: &IrInst) -> Result<()> {
        match image.kind {
            ImageKind::Load { .. } => {
                let Some((_, mask)) = self.results(inst) else {
                    return Ok(());
                };
                let count = 8 - mask.leading_zeros();
                let op = match count {
                    1 => MubufOp::BUFFER_LOAD_FORMAT_X,
                    2 => MubufOp::BUFFER_LOAD_FORMAT_XY,
                    3 => MubufOp::BUFFER_LOAD_FORMAT_XYZ,
                    _ => MubufOp::BUFFER_LOAD_FORMAT_XYZW,
                };
                let dst = self.code.vector(count as u8);
                let index = self.vector_word(inst.args[0]);
                self.texel(image, op, index, Some(dst), None)?;
                for (at, &result) in (0..count).zip(&inst.results) {
                    self.define(result, dst.word(at));
                }
                Ok(())
            }
            ImageKind::Store => {
                let index = self.vector_word(inst.args[0]);
                let words = self.words(&inst.args[1..]);
                let data = self.tuple(&words);
                let op = MubufOp::BUFFER_STORE_FORMAT_XYZW;
                self.exactly(&mut |select| select.texel(image, op, index, None, Some(data)))
            }
            ImageKind::Atomic(op) => {
                let (op, _) = atomic_codes(op);
                let index = self.vector_word(inst.args[0]);
                let words = self.words(&inst.args[1..]);
                let data = self.own_tuple(&words);
                let read = self.structure.uses[inst.results[0].0 as usize] > 0;
                let dst = read.then_some(data.word(0));
                self.exactly(&mut |select| select.texel(image, op, index, dst, Some(data)))?;
                self.define(inst.results[0], data.word(0));
                Ok(())
            }
            // NUM_RECORDS counts texels.
            ImageKind::Size { .. } => self.buffer_bytes(image.texture, inst.results[0]),
            ref kind => Err(self.unsupported(format!("{kind:?} of a texel buffer"))),
        }
    }

    /// Appends an instruction on a texel, once for each descriptor that the lanes want.
    fn texel(
        &mut self,
        image: &ImageOp,
        op: MubufOp,
        index: Operand,
        dst: Option<Operand>,
        data: Option<Operand>,
    ) -> Result<()> {
        let bits = BufferBits {
            idxen: true,
            glc: data.is_some() && dst.is_some(),
            ..BufferBits::default()
        };
        let shape = Shape {
            sampler: false,
            address: true,
            data: data.is_some(),
        };
        self.for_each_element(image.texture.element, &mut |select, element| {
            let mut src = vec![
                select.descriptor(image.texture, element)?,
                Operand::Const(0),
                index,
            ];
            src.extend(data);
            select.push(Inst::new(Op::Buffer(op, bits, shape), dst, src));
            Ok(())
        })
    }
}
