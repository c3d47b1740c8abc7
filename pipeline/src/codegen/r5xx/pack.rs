//! Scalar operations to vector operations.
//!
//! Operations of one kind that have the same depth in their block do not depend on each other, so they may be one
//! instruction if their operands lie in one vector each, and their results can.

use std::collections::{HashMap, HashSet};

use super::homes::Homes;
use super::machine::{Op as Machine, Reg};
use super::terms::{Expr, Term, Terms};
use crate::codegen::ConstantSource;
use crate::ir::{Function, Op, OutputBuiltin, Stage, Terminator, Value};

/// Values that one instruction computes.
pub type Bundle = Vec<Value>;

/// What an operand needs of a register.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Need {
    /// A number that swizzles have.
    Number(f32),
    /// A constant, its sign folded in if it is known.
    Constant(ConstantSource),
    /// A component that does not move.
    Fixed(Reg, u8),
    /// A word of the constants, that many vectors on as a number says.
    Indexed(u32, Value),
    /// A computed value.
    Home(Value),
}

/// The values of a function and the instructions that they are computed by.
pub struct Pack<'a> {
    pub function: &'a Function,
    pub terms: Terms<'a>,
    pub sources: &'a [ConstantSource],
    pub homes: Homes,
    /// Inputs, texels and parameters of loops.
    pub fixed: HashMap<Value, (Reg, u8)>,
    pub exprs: HashMap<Value, Expr>,
    /// Values that something reads.
    pub needed: HashSet<Value>,
    pub bundles: Vec<Bundle>,
    /// Bundle of each computed value.
    pub bundle_of: HashMap<Value, usize>,
    depths: HashMap<Value, u32>,
}

impl<'a> Pack<'a> {
    /// Finds out what is needed.
    pub fn new(function: &'a Function, sources: &'a [ConstantSource]) -> Pack<'a> {
        let mut pack = Pack {
            function,
            terms: Terms::new(function),
            sources,
            homes: Homes::default(),
            fixed: HashMap::new(),
            exprs: HashMap::new(),
            needed: HashSet::new(),
            bundles: Vec::new(),
            bundle_of: HashMap::new(),
            depths: HashMap::new(),
        };
        pack.mark();
        pack
    }

    fn mark(&mut self) {
        let mut open: Vec<Value> = Vec::new();
        for block in &self.function.blocks {
            for inst in block.insts.iter().filter(|inst| inst.op.has_effect()) {
                open.extend(&inst.args);
            }
            open.extend(block.end.operands());
        }
        while let Some(value) = open.pop() {
            let value = self.terms.term(value).value;
            if !self.needed.insert(value) {
                continue;
            }
            if let Some(expr) = self.terms.expr(value) {
                open.extend(expr.args.iter().map(|term| term.value));
                self.exprs.insert(value, expr);
            } else if let Some((_, index)) = self.terms.indexed.get(&value) {
                open.push(*index);
            } else if let Some(inst) = self.terms.inst(value)
                && !matches!(inst.op, Op::LoadPush)
            {
                open.extend(&inst.args);
            }
        }
    }

    /// What an operand needs.
    pub fn need(&self, term: &Term) -> Need {
        if let Some(word) = self.terms.constants.get(&term.value) {
            let mut number = f32::from_bits(*word);
            if term.abs {
                number = number.abs();
            }
            if term.negate {
                number = -number;
            }
            let half = number == 0.5 && self.function.stage != Stage::Vertex;
            if number.to_bits() == 0 || number == 1.0 || half {
                return Need::Number(number);
            }
            return Need::Constant(ConstantSource::Immediate(number.to_bits()));
        }
        if let Some(at) = self.terms.pushes.get(&term.value) {
            return Need::Constant(self.sources[*at as usize]);
        }
        if let Some((word, index)) = self.terms.indexed.get(&term.value) {
            return Need::Indexed(*word, *index);
        }
        match self.fixed.get(&term.value) {
            Some((reg, component)) => Need::Fixed(*reg, *component),
            None => Need::Home(term.value),
        }
    }

    /// Modifiers that are left to an operand.
    pub fn modifiers(&self, term: &Term) -> (bool, bool) {
        match self.terms.constants.contains_key(&term.value) {
            true => (false, false),
            false => (term.abs, term.negate),
        }
    }

    /// Makes the bundles; inputs, texels and parameters are fixed by now.
    pub fn bundle(&mut self) {
        for block in &self.function.blocks {
            for result in block.insts.iter().flat_map(|inst| &inst.results) {
                if self.exprs.contains_key(result) {
                    self.homes.add(*result);
                }
            }
        }
        self.join_users();
        for (b, block) in self.function.blocks.iter().enumerate() {
            let mut open: HashMap<(u32, Machine, bool), Vec<usize>> = HashMap::new();
            for inst in &block.insts {
                for &result in &inst.results {
                    let depth = self.depth(result, b);
                    let Some(expr) = self.exprs.get(&result).cloned() else {
                        continue;
                    };
                    let key = (depth, expr.op, expr.saturate);
                    let mut candidates = open.get(&key).into_iter().flatten().rev().take(8);
                    let found = candidates
                        .find(|at| self.fits(**at, result, &expr))
                        .copied();
                    let at = found.unwrap_or_else(|| {
                        self.bundles.push(Vec::new());
                        open.entry(key).or_default().push(self.bundles.len() - 1);
                        self.bundles.len() - 1
                    });
                    self.bundles[at].push(result);
                    self.bundle_of.insert(result, at);
                }
            }
        }
    }

    /// Depth of a value among those of a block.
    fn depth(&mut self, value: Value, block: usize) -> u32 {
        let term = self.terms.term(value).value;
        if self.terms.block(term) != Some(block) {
            return 0;
        }
        if let Some(depth) = self.depths.get(&term) {
            return *depth;
        }
        let args: Vec<Value> = match self.exprs.get(&term) {
            Some(expr) => expr.args.iter().map(|term| term.value).collect(),
            None => match (self.terms.inst(term), self.terms.indexed.get(&term)) {
                (Some(inst), _) if matches!(inst.op, Op::Image(_)) => inst.args.clone(),
                (_, Some((_, index))) => vec![*index],
                _ => return 0,
            },
        };
        let below = args.into_iter().map(|arg| self.depth(arg, block)).max();
        let depth = below.unwrap_or(0) + 1;
        self.depths.insert(term, depth);
        depth
    }

    /// Values that lookups and outputs read as vectors share homes first.
    fn join_users(&mut self) {
        for block in &self.function.blocks {
            for inst in &block.insts {
                let vector = match &inst.op {
                    Op::Image(_) => inst
                        .results
                        .iter()
                        .any(|result| self.needed.contains(result)),
                    Op::Output { .. } => true,
                    Op::OutputBuiltin(builtin) => *builtin == OutputBuiltin::Position,
                    _ => false,
                };
                if vector {
                    let args: Vec<Value> = inst
                        .args
                        .iter()
                        .map(|arg| self.terms.term(*arg).value)
                        .collect();
                    let mut args: Vec<Value> = args
                        .into_iter()
                        .filter(|arg| self.homes.of(*arg).is_some())
                        .collect();
                    args.truncate(4);
                    self.homes.join(&args);
                }
            }
            if let Terminator::Jump(target) = &block.end {
                let _ = target;
            }
        }
    }

    /// Whether a value joins a bundle.
    fn fits(&mut self, at: usize, value: Value, expr: &Expr) -> bool {
        let members = &self.bundles[at];
        let wide = !matches!(
            expr.op,
            Machine::Function(_) | Machine::Dot3 | Machine::Dot4
        );
        if !wide || members.len() >= 4 {
            return false;
        }
        let members = members.clone();
        for operand in 0..expr.args.len() {
            let mut terms: Vec<Term> = members
                .iter()
                .map(|m| self.exprs[m].args[operand])
                .collect();
            terms.push(expr.args[operand]);
            if !self.groups(&terms) {
                return false;
            }
        }
        let mut all = members;
        all.push(value);
        self.homes.join(&all)
    }

    /// Whether terms may be one operand.
    fn groups(&mut self, terms: &[Term]) -> bool {
        let needs: Vec<Need> = terms.iter().map(|term| self.need(term)).collect();
        let real = || {
            terms
                .iter()
                .zip(&needs)
                .filter(|(_, need)| !matches!(need, Need::Number(_)))
        };
        let flags: Vec<(bool, bool)> = real().map(|(term, _)| self.modifiers(term)).collect();
        let vertex = self.function.stage == Stage::Vertex;
        let differ = |a: &(bool, bool), b: &(bool, bool)| a.0 != b.0 || (!vertex && a.1 != b.1);
        if flags.iter().any(|flag| differ(flag, &flags[0])) {
            return false;
        }
        // A modifier would change numbers, too.
        let numbers = needs.len() != flags.len();
        if numbers
            && flags
                .first()
                .is_some_and(|flag| flag.0 || (!vertex && flag.1))
        {
            return false;
        }
        let mut sources: Vec<ConstantSource> = Vec::new();
        let mut regs: Vec<Reg> = Vec::new();
        let mut values: Vec<Value> = Vec::new();
        let mut vectors: Vec<(u32, Value)> = Vec::new();
        for need in &needs {
            match need {
                Need::Number(_) => {}
                Need::Constant(source) if sources.contains(source) => {}
                Need::Constant(source) => sources.push(*source),
                Need::Fixed(reg, _) if regs.contains(reg) => {}
                Need::Fixed(reg, _) => regs.push(*reg),
                Need::Home(value) => values.push(*value),
                Need::Indexed(word, index) if vectors.contains(&(word / 4, *index)) => {}
                Need::Indexed(word, index) => vectors.push((word / 4, *index)),
            }
        }
        // Results of functions lie in alpha, each for itself: vectors of them would cost the other half.
        let function = |value: &Value| {
            let op = self.exprs.get(value).map(|expr| expr.op);
            matches!(op, Some(Machine::Function(_)))
        };
        if !vertex && values.len() > 1 && values.iter().any(function) {
            let first = values[0];
            if values.iter().any(|value| *value != first) {
                return false;
            }
        }
        let kinds = usize::from(!sources.is_empty())
            + regs.len()
            + vectors.len()
            + usize::from(!values.is_empty());
        kinds <= 1 && sources.len() <= 4 && (values.is_empty() || self.homes.join(&values))
    }
}
