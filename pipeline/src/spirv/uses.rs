//! What an entry point uses: functions, global variables and which of their members, and what is indexed at run time.

use std::collections::{HashMap, HashSet};

use spirv::{GlslStd450Op, Op};

use super::function::End;
use super::interpolation::Beside;
use super::module::{Module, Set};
use super::words::Inst;

/// What the functions of an entry point use.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// Global variables that occur.
    pub(super) variables: HashSet<u32>,
    /// Members of variables that are blocks. A variable that is used as a whole uses all.
    members: HashSet<(u32, u32)>,
    whole: HashSet<u32>,
    /// The same of arrays of blocks, whatever the element.
    inner: HashSet<(u32, u32)>,
    inner_whole: HashSet<u32>,
    /// Variables and parameters that a run-time index is applied to, here or in a function they are handed to.
    indexed: HashSet<u32>,
    /// Input variables that are asked for at other places than their own.
    pub(super) beside: HashMap<u32, Beside>,
    /// What made invocations helpers is asked for.
    pub(super) asks_for_helpers: bool,
    /// Functions that may kill the invocation, or call one that does.
    killing: HashSet<u32>,
}

impl Uses {
    /// Of a function and all that it calls.
    pub(super) fn of(module: &Module, function: u32) -> Uses {
        let mut uses = Uses::default();
        let mut seen = HashSet::new();
        let mut open = vec![function];
        // Parameter and what is handed to it.
        let mut handed: Vec<(u32, u32)> = Vec::new();
        let mut roots: HashMap<u32, u32> = HashMap::new();
        let mut calls: Vec<(u32, u32)> = Vec::new();
        while let Some(id) = open.pop() {
            let Some(&number) = module.function_of.get(&id).filter(|_| seen.insert(id)) else {
                continue;
            };
            let function = &module.functions[number];
            for inst in &module.words.insts[function.insts.clone()] {
                if inst.op == Op::FunctionCall {
                    let operands = module.words.operands(inst);
                    let Some((&callee, arguments)) = operands.split_first() else {
                        continue;
                    };
                    open.push(callee);
                    calls.push((id, callee));
                    if let Some(&number) = module.function_of.get(&callee) {
                        let params = module.functions[number].params.iter();
                        let pairs = params.zip(arguments);
                        handed.extend(pairs.map(|((param, _), argument)| (*param, *argument)));
                    }
                }
                uses.note(module, inst, &mut roots);
            }
            if function
                .blocks
                .iter()
                .any(|block| matches!(block.end, End::Kill))
            {
                uses.killing.insert(id);
            }
        }
        // What a function indexes, its callers do.
        let root = |id: u32| roots.get(&id).copied().unwrap_or(id);
        loop {
            let before = uses.indexed.len() + uses.killing.len();
            for &(param, argument) in &handed {
                if uses.indexed.contains(&param) {
                    uses.indexed.insert(root(argument));
                }
            }
            for &(caller, callee) in &calls {
                if uses.killing.contains(&callee) {
                    uses.killing.insert(caller);
                }
            }
            if uses.indexed.len() + uses.killing.len() == before {
                return uses;
            }
        }
    }

    fn note(&mut self, module: &Module, inst: &Inst, roots: &mut HashMap<u32, u32>) {
        if inst.op == Op::ExtInst && module.is_comment(inst) {
            return;
        }
        self.asks_for_helpers |= inst.op == Op::IsHelperInvocationEXT;
        let operands = module.words.operands(inst);
        let chain = matches!(inst.op, Op::AccessChain | Op::InBoundsAccessChain);
        if let (true, Some((&base, indices))) = (chain, operands.split_first()) {
            let root = roots.get(&base).copied().unwrap_or(base);
            roots.insert(inst.id, root);
            let constant = |id: &u32| {
                let of = module.definition(*id);
                of.is_some_and(|inst| is_constant(inst.op))
            };
            if !indices.iter().all(constant) {
                self.indexed.insert(root);
            }
            self.variables.insert(base);
            let first = indices.first().and_then(|id| module.literal(*id));
            match first {
                Some(member) => drop(self.members.insert((base, member))),
                None => drop(self.whole.insert(base)),
            }
            match indices.get(1).and_then(|id| module.literal(*id)) {
                Some(member) => drop(self.inner.insert((base, member))),
                None => drop(self.inner_whole.insert(base)),
            }
            return;
        }
        if inst.op == Op::CopyObject
            && let Some(&of) = operands.first()
        {
            roots.insert(inst.id, roots.get(&of).copied().unwrap_or(of));
        }
        if inst.op == Op::ExtInst
            && let &[set, number, pointer, ..] = operands
            && module.sets.get(&set) == Some(&Set::Glsl)
            && let Some(beside) = Beside::of(GlslStd450Op::from_u32(number))
        {
            let root = roots.get(&pointer).copied().unwrap_or(pointer);
            let known = self.beside.entry(root).or_default();
            known.moved |= beside.moved;
            known.centroid |= beside.centroid;
        }
        // Any word that is a variable's number: more may seem used than is.
        for id in module.words.ids(inst).into_iter().chain(match inst.op {
            Op::Phi => operands.to_vec(),
            _ => Vec::new(),
        }) {
            self.variables.insert(id);
            self.whole.insert(id);
            self.inner_whole.insert(id);
        }
    }

    /// Whether a member of a variable, or of an element of an array, is used.
    pub(super) fn member(&self, variable: u32, member: u32, of_element: bool) -> bool {
        if of_element {
            return self.inner_whole.contains(&variable)
                || self.inner.contains(&(variable, member));
        }
        self.whole.contains(&variable) || self.members.contains(&(variable, member))
    }

    /// Whether a function may kill the invocation.
    pub(super) fn kills(&self, function: u32) -> bool {
        self.killing.contains(&function)
    }

    /// Whether a variable or parameter is indexed at run time.
    pub(super) fn indexed(&self, id: u32) -> bool {
        self.indexed.contains(&id)
    }
}

/// Whether an instruction makes a constant.
pub(super) fn is_constant(op: Op) -> bool {
    matches!(
        op,
        Op::Constant
            | Op::ConstantTrue
            | Op::ConstantFalse
            | Op::ConstantComposite
            | Op::ConstantNull
            | Op::SpecConstant
            | Op::SpecConstantTrue
            | Op::SpecConstantFalse
            | Op::SpecConstantComposite
            | Op::SpecConstantOp
            | Op::Undef
    )
}

impl Module {
    /// The word of a constant that is no specialisation constant.
    pub(super) fn literal(&self, id: u32) -> Option<u32> {
        let inst = self.definition(id)?;
        match (inst.op, self.words.operands(inst)) {
            (Op::Constant, [word]) => Some(*word),
            (Op::ConstantNull, []) => Some(0),
            _ => None,
        }
    }
}
