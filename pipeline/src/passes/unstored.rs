//! Removes components of colours that no target stores, and what computes nothing else.

use crate::ir::{Function, Op, Varying};

/// Keeps the components of each output that `stored` has a bit for, the lowest that of red.
pub(crate) fn drop_unstored(function: &mut Function, stored: impl Fn(&Varying) -> u32) {
    let outputs = function.interface.outputs.iter();
    let stored: Vec<u32> = outputs.map(stored).collect();
    let mut dropped = false;
    for block in &mut function.blocks {
        block.insts.retain_mut(|inst| {
            let Op::Output { output, first } = inst.op else {
                return true;
            };
            let kept = stored.get(output as usize).copied().unwrap_or(u32::MAX);
            // Those behind the last one: stores are of neighbours.
            let end = 32 - kept.leading_zeros();
            let count = inst.args.len();
            inst.args.truncate(end.saturating_sub(first) as usize);
            dropped |= inst.args.len() < count;
            !inst.args.is_empty()
        });
    }
    if dropped {
        super::clean(function);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::ir::Stage;
    use crate::wgsl::{Source, parse};

    fn words(stored: u32) -> (usize, usize) {
        let text =
            "@fragment fn fs(@location(0) v: vec4f) -> @location(0) vec4f { return sqrt(v); }";
        let module = parse(Source::Wgsl(text)).unwrap();
        let stage = Some(Stage::Fragment);
        let mut function =
            crate::passes::lowered(&module, None, stage, &Default::default()).unwrap();
        drop_unstored(&mut function, |_| stored);
        let outputs = function
            .insts()
            .filter(|inst| matches!(inst.op, Op::Output { .. }));
        let words = outputs.map(|inst| inst.args.len()).sum();
        let roots = function
            .insts()
            .filter(|inst| matches!(inst.op, Op::Alu(_)));
        (words, roots.count())
    }

    #[test]
    fn what_is_not_stored_is_not_computed() {
        let (words_of_all, all) = words(15);
        assert_eq!((words_of_all, all % 4), (4, 0));
        assert_eq!(words(3), (2, all / 2));
        assert_eq!(words(1), (1, all / 4));
    }
}
