//! Binding arrays indexed at run time: instructions name their resources by number, so all elements are read and one
//! result is chosen.

use super::expand::{Expand, replace};
use crate::ir::{Function, Inst, LaneOp, Type, Value};

/// Reads that one instruction may become.
const MOST_READS: u32 = 64;

/// An element chosen at run time, and what it is below.
type Index = (Value, u32);

/// Replaces reads of elements that are chosen at run time. Those of too many elements, and stores, stay.
pub fn run(function: &mut Function) {
    let counts: Vec<u32> = (function.interface.resources.iter())
        .map(|resource| resource.count)
        .collect();
    replace(function, |x, inst| {
        let indices = indices(x, inst, &counts);
        let reads = (indices.iter()).fold(1u32, |all, (_, count)| all.saturating_mul(*count));
        let stays = indices.is_empty() || reads > MOST_READS || inst.op.has_effect();
        (!stays).then(|| choose(x, inst, &indices))
    });
}

/// The elements of an instruction that are chosen at run time.
fn indices(x: &Expand<'_>, inst: &Inst, counts: &[u32]) -> Vec<Index> {
    let mut found: Vec<Index> = Vec::new();
    for access in inst.accesses() {
        let Some(value) = access.element.filter(|value| x.known(*value).is_none()) else {
            continue;
        };
        let count = counts[access.resource as usize];
        match found.iter_mut().find(|(other, _)| *other == value) {
            // Below the limits of texture and sampler both.
            Some((_, least)) => *least = count.min(*least),
            None => found.push((value, count)),
        }
    }
    found
}

/// The results of an instruction with all its elements.
fn choose(x: &mut Expand<'_>, inst: &Inst, indices: &[Index]) -> Vec<Value> {
    let Some((&(index, count), rest)) = indices.split_first() else {
        let results = inst.results.iter().map(|_| x.value(Type::Word));
        let results: Vec<Value> = results.collect();
        x.out.push(Inst {
            results: results.clone(),
            ..inst.clone()
        });
        return results;
    };
    let mut chosen = Vec::new();
    for element in 0..count {
        let number = x.word(element);
        let mut one = inst.clone();
        let args = one.args.clone();
        one.map_operands(|value| if value == index { number } else { value });
        one.args = args;
        let results = choose(x, &one, rest);
        if element == 0 {
            chosen = results;
            continue;
        }
        let is = x.op(LaneOp::IEq, &[index, number]);
        for (chosen, result) in chosen.iter_mut().zip(results) {
            *chosen = x.select(is, result, *chosen);
        }
    }
    chosen
}
