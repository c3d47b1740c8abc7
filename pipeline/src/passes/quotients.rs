//! Remainders from quotients, for chips that compute both by the same long way.

use std::collections::HashMap;

use crate::ir::{BlockId, Dominators, Function, Inst, LaneOp, Op, Type, Value};

/// Replaces `a % b` by `a - a / b * b` where `a / b` is in the same block or in one that dominates it. A divisor of 0
/// leaves the dividend, as [`LaneOp::URem`] does. Constant divisors stay: they have shorter ways.
pub(crate) fn run(function: &mut Function) {
    let constant: Vec<bool> = {
        let mut constant = vec![false; function.types.len()];
        for inst in function.insts() {
            if matches!(inst.op, Op::Const(_)) {
                constant[inst.results[0].0 as usize] = true;
            }
        }
        constant
    };
    let mut quotients: HashMap<[Value; 2], Vec<BlockId>> = HashMap::new();
    for (number, block) in function.blocks.iter().enumerate() {
        for inst in &block.insts {
            if let Some(args) = operands(inst, LaneOp::UDiv)
                && !constant[args[1].0 as usize]
            {
                let blocks = quotients.entry(args).or_default();
                blocks.push(BlockId(number as u32));
            }
        }
    }
    if quotients.is_empty() {
        return;
    }
    let dominators = Dominators::new(function);
    for number in 0..function.blocks.len() {
        let here = BlockId(number as u32);
        if !dominators.reachable(here) {
            continue;
        }
        let insts = std::mem::take(&mut function.blocks[number].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            let known = operands(&inst, LaneOp::URem).filter(|args| {
                let blocks = quotients.get(args).into_iter().flatten();
                let mut blocks = blocks.filter(|&&block| dominators.reachable(block));
                blocks.any(|&block| dominators.dominates(block, here))
            });
            let Some([a, b]) = known else {
                kept.push(inst);
                continue;
            };
            let [quotient, product] = [(); 2].map(|()| function.value(Type::Word));
            let alu = |op, args: [Value; 2], result| Inst {
                op: Op::Alu(op),
                args: args.to_vec(),
                results: vec![result],
                ..inst.clone()
            };
            kept.push(alu(LaneOp::UDiv, [a, b], quotient));
            kept.push(alu(LaneOp::IMul, [quotient, b], product));
            kept.push(alu(LaneOp::ISub, [a, product], inst.results[0]));
        }
        function.blocks[number].insts = kept;
    }
    super::share(function);
}

fn operands(inst: &Inst, op: LaneOp) -> Option<[Value; 2]> {
    match inst.op {
        Op::Alu(found) if found == op => Some([inst.args[0], inst.args[1]]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::ir::print;
    use crate::lower::{Overrides, lower};
    use crate::wgsl::{self, Source};

    /// How many quotients and remainders are left of a body with `x`, `y` and a condition `c`.
    fn left(body: &str) -> [usize; 2] {
        let text = format!(
            "@fragment fn fs(@location(0) @interpolate(flat) v: vec4u) -> @location(0) vec4u {{
                 let x = v.x; let y = v.y; let c = v.z < v.w; {body} }}"
        );
        let checked = wgsl::parse(Source::Wgsl(&text)).unwrap();
        let mut function = lower(&checked, Some("fs"), None, &Overrides::new()).unwrap();
        crate::passes::run(&mut function);
        super::run(&mut function);
        crate::ir::verify(&function).unwrap();
        let text = print(&function);
        ["UDiv", "URem"].map(|op| text.matches(op).count())
    }

    #[test]
    fn remainders_take_the_quotient_that_is_there() {
        assert_eq!(left("return vec4u(x / y, x % y, 0u, 0u);"), [1, 0]);
        assert_eq!(left("return vec4u(x % y, x / y, y % x, 0u);"), [1, 1]);
        assert_eq!(left("return vec4u(x / 7u, x % 7u, 0u, 0u);"), [1, 1]);
        let before = "var r = vec4u(x / y); if c { r = r * (x % y) / v.w / v.z; } return r;";
        assert_eq!(left(before)[1], 0);
        let beside = "if c { return vec4u(x / y / v.w / v.z); } return vec4u(x % y % v.w % v.z);";
        assert_eq!(left(beside)[1], 3);
    }
}
