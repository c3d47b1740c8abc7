//! GET_GRADIENTS: differences within quads need no texture, so they are steps. [R600 8.4]

use lanes::{LaneOp, Src, Step, Swizzle};

use super::super::fetch::{Tex, TexSem};
use super::super::words::Select;
use super::flow::Lifter;

/// What the lanes of a quad take from its near and from its far side; `None` for other instructions, and where registers
/// are known only at run time.
pub(super) fn sides(inst: &Tex) -> Option<[[u8; 4]; 2]> {
    if inst.src_rel || inst.dst_rel {
        return None;
    }
    match inst.op.sem() {
        TexSem::GradientsH => Some([[0, 0, 2, 2], [1, 1, 3, 3]]),
        TexSem::GradientsV => Some([[0, 1, 0, 1], [2, 3, 2, 3]]),
        _ => None,
    }
}

impl Lifter<'_> {
    /// Far side minus near side. Registers that are not allocated read as R0, and what is written to them is lost.
    pub(super) fn derivative(&mut self, inst: &Tex, sides: [[u8; 4]; 2]) {
        let allocated = |gpr: u8| gpr < self.setup.gprs;
        let src = if allocated(inst.src_gpr) {
            4 * u16::from(inst.src_gpr)
        } else {
            0
        };
        let dst = allocated(inst.dst_gpr).then_some(4 * u16::from(inst.dst_gpr));
        let (Some(dst), selects) = (dst, inst.selects()) else {
            return;
        };
        for (at, source) in inst.sources().into_iter().enumerate() {
            if !selects.iter().any(|select| *select as usize == at) {
                continue;
            }
            let result = self.rows.result(at);
            if source as u16 > 3 {
                // A constant does not change.
                self.b.alu(LaneOp::Mov, result, &[Src::Const(0)]);
                continue;
            }
            for (side, lanes) in sides.into_iter().enumerate() {
                self.b.push(Step::Swizzle {
                    dst: self.rows.operand(side),
                    src: src + source as u16,
                    pattern: Swizzle::Quad(lanes),
                });
            }
            let [near, far] = [0, 1].map(|side| Src::Row(self.rows.operand(side)));
            self.b.alu(LaneOp::FSub, result, &[far, near]);
        }
        for (row, select) in (dst..).zip(selects) {
            let value = match select {
                Select::Zero => Src::Const(0),
                Select::One => Src::Const(1f32.to_bits()),
                Select::Mask => continue,
                select => Src::Row(self.rows.result(select as usize)),
            };
            self.b.alu(LaneOp::Mov, row, &[value]);
        }
    }
}
