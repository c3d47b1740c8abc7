//! Joins products and sums. `FMad` rounds after each, so the result is the same to the bit.

use crate::ir::{Function, Inst, LaneOp, Op, Type, Value};

/// Joins every product that is used by one sum only.
pub fn run(function: &mut Function) {
    let mut uses = vec![0u32; function.types.len()];
    let mut count = |value: Value| uses[value.0 as usize] += 1;
    for block in &function.blocks {
        for inst in &block.insts {
            inst.operands().for_each(&mut count);
        }
        block.end.operands().for_each(&mut count);
    }
    let mut products: Vec<Option<[Value; 2]>> = vec![None; function.types.len()];
    for number in 0..function.blocks.len() {
        let insts = std::mem::take(&mut function.blocks[number].insts);
        let mut kept: Vec<Inst> = Vec::with_capacity(insts.len());
        for mut inst in insts {
            let product =
                |value: Value| products[value.0 as usize].filter(|_| uses[value.0 as usize] == 1);
            match (&inst.op, &inst.args[..]) {
                (Op::Alu(LaneOp::FMul), &[a, b]) => {
                    products[inst.results[0].0 as usize] = Some([a, b]);
                }
                (Op::Alu(LaneOp::FAdd), &[x, y]) => {
                    if let Some([a, b]) = product(x) {
                        inst.op = Op::Alu(LaneOp::FMad);
                        inst.args = vec![a, b, y];
                    } else if let Some([a, b]) = product(y) {
                        inst.op = Op::Alu(LaneOp::FMad);
                        inst.args = vec![a, b, x];
                    }
                }
                // x - a * b and a * b - x with the sign moved to where a machine takes it for nothing.
                (Op::Alu(LaneOp::FSub), &[x, y]) => {
                    let terms = match (product(x), product(y)) {
                        (Some([a, b]), _) => Some((y, [a, b], false)),
                        (None, Some([a, b])) => Some((x, [a, b], true)),
                        (None, None) => None,
                    };
                    if let Some((sum, [a, b], product_negative)) = terms {
                        let reversed = if product_negative { a } else { sum };
                        let negative = function.value(Type::Word);
                        kept.push(Inst {
                            op: Op::Alu(LaneOp::FNeg),
                            args: vec![reversed],
                            results: vec![negative],
                            origin: inst.origin,
                        });
                        inst.op = Op::Alu(LaneOp::FMad);
                        inst.args = if product_negative {
                            vec![negative, b, sum]
                        } else {
                            vec![a, b, negative]
                        };
                    }
                }
                _ => {}
            }
            kept.push(inst);
        }
        function.blocks[number].insts = kept;
    }
}
