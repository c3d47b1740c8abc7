//! What reaches where: every id is used where its definition dominates, and every phi has a value for every way.
//! [SPIRV 2.16]

use std::collections::HashMap;

use spirv::Op;

use super::function::{Arrival, Arrivals, Function};
use super::module::{Module, Result};
use super::words::Inst;

impl Module {
    /// Every id is used where its definition reaches. Gives the ids that are used in other blocks, and what phis become.
    pub(super) fn check_uses(&self, function: &Function) -> Result<(Vec<u32>, Arrivals)> {
        // Block of every instruction with a result.
        let mut home: HashMap<u32, usize> = HashMap::new();
        for (number, block) in function.blocks.iter().enumerate() {
            for at in block.insts.clone() {
                home.insert(self.words.insts[at].id, number);
            }
        }
        let params: Vec<u32> = function.params.iter().map(|(id, _)| *id).collect();
        let mut crossing = Vec::new();
        let mut phis = Vec::new();
        let mut arrivals = Arrivals::new();
        let mut used = |inst: &Inst, id: u32, block: usize, at: usize| -> Result<()> {
            let undefined = || Err(self.error(inst, format!("%{id} is not defined")));
            let Some(definition) = self.definition(id) else {
                return undefined();
            };
            let place = definition.number as usize;
            if let Some(&from) = home.get(&id) {
                if from == block && place < at {
                    return Ok(());
                }
                if from != block && function.dominates(from, block) {
                    crossing.push(id);
                    return Ok(());
                }
            } else {
                let first = self.functions.first();
                let is_global = first.is_none_or(|first| place < first.insts.start)
                    && !matches!(definition.op, Op::FunctionParameter | Op::Label);
                if is_global || definition.op == Op::Function || params.contains(&id) {
                    return Ok(());
                }
            }
            let name = self.name(id);
            Err(self.error(
                inst,
                format!("{name} is used where its definition does not reach"),
            ))
        };
        for (number, block) in function.blocks.iter().enumerate() {
            if !function.reachable(number) {
                continue;
            }
            for at in block.insts.clone().chain([block.last]) {
                let inst = &self.words.insts[at];
                if inst.op == Op::Phi {
                    for pair in self.words.operands(inst).chunks_exact(2) {
                        let from = function.labels.get(&pair[1]).copied();
                        let Some(from) = from.filter(|from| function.reachable(*from)) else {
                            continue;
                        };
                        used(inst, pair[0], from, usize::MAX)?;
                        let arrival = Arrival {
                            phi: inst.id,
                            value: pair[0],
                        };
                        arrivals.entry((from, number)).or_default().push(arrival);
                    }
                    phis.push(inst.id);
                    continue;
                }
                if inst.op == Op::ExtInst && self.is_comment(inst) {
                    continue;
                }
                let ids = self.words.ids(inst);
                // Labels are known to be blocks of the function.
                let ids = match inst.op {
                    Op::Branch => &[],
                    Op::FunctionCall => &ids[1.min(ids.len())..],
                    _ => &ids[..],
                };
                ids.iter().try_for_each(|&id| used(inst, id, number, at))?;
            }
        }
        self.check_arrivals(function, &arrivals)?;
        crossing.extend(phis);
        crossing.sort_unstable();
        crossing.dedup();
        Ok((crossing, arrivals))
    }

    /// Every phi has a value for every way to its block.
    fn check_arrivals(&self, function: &Function, arrivals: &Arrivals) -> Result<()> {
        for (number, block) in function.blocks.iter().enumerate() {
            let insts = &self.words.insts[block.insts.clone()];
            let phis: Vec<&Inst> = insts.iter().filter(|inst| inst.op == Op::Phi).collect();
            for &before in &block.before {
                let found = arrivals.get(&(before, number)).map_or(0, Vec::len);
                if found != phis.len() {
                    let label = self.name(function.blocks[before].label);
                    let inst = phis
                        .last()
                        .copied()
                        .unwrap_or(&self.words.insts[block.last]);
                    return Err(self.error(inst, format!("it has no value for block {label}")));
                }
            }
        }
        Ok(())
    }
}
