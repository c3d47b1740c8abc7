//! Bundles to instructions on vectors, in an order in which every value is there before it is read.

use std::collections::{HashMap, HashSet};

use super::errors::Errors;
use super::homes::Home;
use super::legal::Legal;
use super::machine::{Arg, Block, Code, End, Inst, Op as Machine, Reg, Select as Part};
use super::pack::{Need, Pack};
use super::pool::Pool;
use super::terms::Term;
use super::textures::Pair;
use crate::codegen::outputs::Outputs;
use crate::codegen::{ConstantSource, InputVector, Options, OutputVector, Result};
use crate::ir::{
    Block as IrBlock, Builtin, ImageOp, Op, Origin, Stage, Target, Terminator, Type, Value,
};

/// Selection under way.
pub struct Select<'a> {
    pub(super) legal: &'a Legal,
    pub(super) options: &'a Options,
    pub(super) errors: Errors<'a>,
    pub(super) pack: Pack<'a>,
    pub code: Code,
    pub pool: Pool,
    pub inputs: Vec<InputVector>,
    pub(super) outputs: Vec<OutputVector>,
    pub(super) stored: Outputs,
    vectors: HashMap<Home, u32>,
    done: HashSet<usize>,
    pub(super) looked: HashSet<Value>,
    /// What the components of the address register hold, and which is the next to change.
    addresses: ([Option<Value>; 4], usize),
    pub(super) insts: Vec<Inst>,
    pub(super) origin: Origin,
}

impl<'a> Select<'a> {
    /// Selects the instructions of a whole function.
    pub fn run(legal: &'a Legal, options: &'a Options) -> Result<Select<'a>> {
        let function = &legal.function;
        let mut select = Select {
            legal,
            options,
            errors: Errors(function),
            pack: Pack::new(function, &legal.sources),
            code: Code::default(),
            pool: Pool::default(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            stored: Outputs::default(),
            vectors: HashMap::new(),
            done: HashSet::new(),
            looked: HashSet::new(),
            addresses: ([None; 4], 0),
            insts: Vec::new(),
            origin: Origin::default(),
        };
        select.fix_inputs();
        select.fix_texels();
        select.fix_params();
        select.pack.bundle();
        for (b, block) in function.blocks.iter().enumerate() {
            select.block(b, block)?;
        }
        Ok(select)
    }

    pub(super) fn is_vertex(&self) -> bool {
        self.legal.function.stage == Stage::Vertex
    }

    /// The register of an input vector.
    fn input(&mut self, input: InputVector) -> Reg {
        let found = self.inputs.iter().position(|known| *known == input);
        let at = found.unwrap_or_else(|| {
            self.inputs.push(input);
            self.inputs.len() - 1
        }) as u32;
        match self.is_vertex() {
            true => Reg::Input(at),
            false => {
                // Vectors of inputs come first, so their numbers are those of the temporaries.
                while self.code.widths.len() < self.inputs.len() {
                    let vector = self.code.vector(4);
                    self.code.pinned.push((vector, 4 * vector as u16));
                }
                Reg::Temp(at)
            }
        }
    }

    fn fix_inputs(&mut self) {
        let function = &self.legal.function;
        for inst in function.insts() {
            if !inst
                .results
                .iter()
                .any(|result| self.pack.needed.contains(result))
            {
                continue;
            }
            let (vector, first) = match inst.op {
                Op::Input { input, first } => {
                    let location = function.interface.inputs[input as usize].location;
                    let vector = match (function.stage, location) {
                        (Stage::Vertex, location) => InputVector::Attribute(location),
                        (_, super::build::CLIP_POSITION) => InputVector::ClipPosition,
                        _ => InputVector::Varying(input),
                    };
                    (vector, first as u8)
                }
                Op::Builtin(Builtin::FragCoord(c)) => (InputVector::Pixel, c),
                Op::Builtin(Builtin::PointCoord(c)) => (InputVector::PointCoord, c),
                Op::Builtin(Builtin::FrontFacing) => (InputVector::BackFacing, 0),
                Op::Builtin(builtin) => (InputVector::Index(builtin), 0),
                _ => continue,
            };
            let reg = self.input(vector);
            for (component, result) in (first..).zip(&inst.results) {
                self.pack.fixed.insert(*result, (reg, component));
            }
        }
    }

    fn fix_texels(&mut self) {
        for inst in self.legal.function.insts() {
            let needed = inst
                .results
                .iter()
                .any(|result| self.pack.needed.contains(result));
            if matches!(inst.op, Op::Image(_)) && needed {
                let reg = Reg::Temp(self.code.vector(4));
                for (component, result) in (0..).zip(&inst.results) {
                    self.pack.fixed.insert(*result, (reg, component));
                }
            }
        }
    }

    fn fix_params(&mut self) {
        let function = &self.legal.function;
        for (b, block) in (0..).zip(&function.blocks) {
            // Whether a lane goes round again comes first: in red it is a vote.
            let again = function.blocks.iter().find_map(|from| match &from.end {
                Terminator::Branch { condition, yes, .. } if yes.block.0 == b => {
                    let at = yes.args.iter().position(|arg| arg == condition)?;
                    Some(block.params[at])
                }
                _ => None,
            });
            let mut params: Vec<Value> = block
                .params
                .iter()
                .copied()
                .filter(|p| self.pack.needed.contains(p))
                .collect();
            params.sort_by_key(|param| Some(*param) != again);
            for four in params.chunks(4) {
                let reg = Reg::Temp(self.code.vector(four.len() as u8));
                for (component, param) in (0..).zip(four) {
                    self.pack.fixed.insert(*param, (reg, component));
                }
            }
        }
    }

    /// The component of the address register with a number.
    fn address(&mut self, index: Value) -> u8 {
        if let Some(at) = self
            .addresses
            .0
            .iter()
            .position(|known| *known == Some(index))
        {
            return at as u8;
        }
        let (known, next) = &mut self.addresses;
        let at = *next;
        (known[at], *next) = (Some(index), (at + 1) % 4);
        let term = self.pack.terms.term(index);
        let args = self.operand(&[term]);
        self.emit(
            Machine::Address,
            Some(Reg::Address),
            vec![at as u8],
            vec![args],
        );
        at as u8
    }

    fn block(&mut self, b: usize, block: &IrBlock) -> Result<()> {
        self.addresses.0 = [None; 4];
        for inst in &block.insts {
            self.origin = inst.origin;
            match &inst.op {
                Op::Output { output, first } => self.stored.store(*output, *first, &inst.args),
                Op::OutputBuiltin(builtin) => {
                    let function = &self.legal.function;
                    self.stored.store_builtin(function, *builtin, &inst.args);
                }
                Op::Discard => self.kill(inst.args[0]),
                _ => inst.results.iter().for_each(|result| self.compute(*result)),
            }
        }
        let end = match &block.end {
            Terminator::Jump(target) => {
                self.copy_params(target);
                End::Next
            }
            Terminator::Branch {
                condition, yes, no, ..
            } if yes.block.0 as usize > b => {
                let wanted = self.pack.terms.term(*condition);
                self.need_value(wanted.value);
                self.copy_params(no);
                let args = self.operand(&[wanted]);
                self.emit(Machine::Again, None, Vec::new(), vec![args]);
                let to = no.block.0 as usize;
                End::Skip { to }
            }
            Terminator::Branch { condition, yes, .. } => {
                let header = yes.block;
                let again = self.pack.terms.term(*condition);
                self.need_value(again.value);
                self.copy_params(yes);
                let args = self.operand(&[again]);
                self.emit(Machine::Again, None, Vec::new(), vec![args]);
                let rounds = self.legal.rounds.get(&header).copied().flatten();
                End::Again {
                    header: header.0 as usize,
                    rounds,
                }
            }
            Terminator::Return | Terminator::Unreachable => {
                self.export()?;
                End::Done
            }
        };
        debug_assert!(
            !matches!(&block.end, Terminator::Jump(target) if target.block.0 as usize != b + 1)
        );
        let insts = std::mem::take(&mut self.insts);
        self.code.blocks.push(Block { insts, end });
        Ok(())
    }

    /// Arguments to the parameters of a loop: all are read before any is written.
    fn copy_params(&mut self, target: &Target) {
        let params = &self.legal.function.blocks[target.block.0 as usize].params;
        let mut copies: Vec<(Reg, Vec<(u8, Term)>)> = Vec::new();
        let mut written: Vec<Value> = Vec::new();
        for (param, arg) in params.iter().zip(&target.args) {
            let Some(&(reg, component)) = self.pack.fixed.get(param) else {
                continue;
            };
            let term = self.pack.terms.term(*arg);
            if term
                == (Term {
                    value: *param,
                    abs: false,
                    negate: false,
                })
            {
                continue;
            }
            written.push(*param);
            match copies.iter_mut().find(|(to, _)| *to == reg) {
                Some((_, list)) => list.push((component, term)),
                None => copies.push((reg, vec![(component, term)])),
            }
        }
        let mut moves = Vec::new();
        for (reg, list) in copies {
            let terms: Vec<Term> = list.iter().map(|(_, term)| *term).collect();
            terms.iter().for_each(|term| self.need_value(term.value));
            let clash = terms.iter().any(|term| written.contains(&term.value));
            let parts = self.parts(&terms);
            for part in parts {
                let mut args = part
                    .iter()
                    .map(|at| self.operand(&[terms[*at]])[0])
                    .collect::<Vec<Arg>>();
                if clash {
                    let vector = self.code.vector(part.len() as u8);
                    let components: Vec<u8> = (0..part.len() as u8).collect();
                    self.emit(
                        Machine::Mov,
                        Some(Reg::Temp(vector)),
                        components.clone(),
                        vec![args],
                    );
                    args = components
                        .iter()
                        .map(|c| Arg::of(Reg::Temp(vector), *c))
                        .collect();
                }
                moves.push((
                    reg,
                    part.iter().map(|at| list[*at].0).collect::<Vec<u8>>(),
                    args,
                ));
            }
        }
        for (reg, components, args) in moves {
            self.emit(Machine::Mov, Some(reg), components, vec![args]);
        }
    }

    /// Terms by what one operand can read.
    pub(super) fn parts(&mut self, terms: &[Term]) -> Vec<Vec<usize>> {
        let mut parts: Vec<(_, Vec<usize>)> = Vec::new();
        for (at, term) in terms.iter().enumerate() {
            let arg = self.operand(&[*term])[0];
            let read = (arg.reg, arg.abs, arg.negate);
            match parts.iter_mut().find(|(of, _)| *of == read) {
                Some((_, list)) => list.push(at),
                None => parts.push((read, vec![at])),
            }
        }
        parts.into_iter().map(|(_, list)| list).collect()
    }

    pub(super) fn emit(
        &mut self,
        op: Machine,
        dst: Option<Reg>,
        components: Vec<u8>,
        args: Vec<Vec<Arg>>,
    ) {
        let inst = Inst {
            origin: self.origin,
            ..Inst::new(op, dst, components, args)
        };
        self.insts.push(inst);
    }

    /// Makes sure that a value is there.
    pub(super) fn need_value(&mut self, value: Value) {
        let term = self.pack.terms.term(value);
        self.compute(term.value);
    }

    fn compute(&mut self, value: Value) {
        let lookups = self.pack.terms.lookups(value);
        if !lookups.is_empty() {
            self.look_all(lookups);
            return;
        }
        if let Some((_, index)) = self.pack.terms.indexed.get(&value) {
            self.need_value(*index);
            return;
        }
        let Some(&bundle) = self.pack.bundle_of.get(&value) else {
            return;
        };
        if !self.done.insert(bundle) {
            return;
        }
        let members = self.pack.bundles[bundle].clone();
        let exprs: Vec<_> = members
            .iter()
            .map(|member| self.pack.exprs[member].clone())
            .collect();
        for term in exprs.iter().flat_map(|expr| &expr.args) {
            self.need_value(term.value);
        }
        if let Some(inst) = self.pack.terms.inst(members[0]) {
            self.origin = inst.origin;
        }
        let op = exprs[0].op;
        let lists: Vec<Vec<Term>> = match op {
            Machine::Dot3 | Machine::Dot4 => {
                let half = exprs[0].args.len() / 2;
                exprs[0].args.chunks(half).map(<[Term]>::to_vec).collect()
            }
            _ => (0..exprs[0].args.len())
                .map(|at| exprs.iter().map(|expr| expr.args[at]).collect())
                .collect(),
        };
        let mut args = self.operands(&lists);
        let (op, args) = match op {
            Machine::Not => {
                args[0].iter_mut().for_each(|arg| arg.negate = !arg.negate);
                args.push(vec![Arg::number(Part::One); members.len()]);
                (Machine::Add, args)
            }
            op => (op, args),
        };
        let places: Vec<(Reg, u8)> = members.iter().map(|member| self.place(*member)).collect();
        let components = places.iter().map(|(_, component)| *component).collect();
        self.emit(op, Some(places[0].0), components, args);
        if let Some(last) = self.insts.last_mut() {
            last.saturate = exprs[0].saturate;
        }
    }

    pub(super) fn place(&mut self, value: Value) -> (Reg, u8) {
        let (home, component) = self.pack.homes.component(value).unwrap_or_default();
        let width = self.pack.homes.width(home);
        let code = &mut self.code;
        let vector = *self
            .vectors
            .entry(home)
            .or_insert_with(|| code.vector(width));
        (Reg::Temp(vector), component)
    }

    /// Operands of an instruction, all constants in one vector if they fit.
    fn operands(&mut self, lists: &[Vec<Term>]) -> Vec<Vec<Arg>> {
        let mut sources: Vec<ConstantSource> = Vec::new();
        for term in lists.iter().flatten() {
            if let Need::Constant(source) = self.pack.need(term)
                && !sources.contains(&source)
            {
                sources.push(source);
            }
        }
        if !sources.is_empty() && sources.len() <= 4 {
            let _ = self.pool.find(&sources);
        }
        let all = if sources.len() <= 4 {
            sources
        } else {
            Vec::new()
        };
        let mut args: Vec<Vec<Arg>> = Vec::with_capacity(lists.len());
        for (at, terms) in lists.iter().enumerate() {
            // A vector times itself is gathered once.
            let same = lists[..at].iter().position(|known| known == terms);
            args.push(match same {
                Some(known) => args[known].clone(),
                None => self.operand_with(terms, &all),
            });
        }
        args
    }

    /// One operand: every member takes a component of the same register.
    pub(super) fn operand(&mut self, terms: &[Term]) -> Vec<Arg> {
        self.operand_with(terms, &[])
    }

    fn operand_with(&mut self, terms: &[Term], all: &[ConstantSource]) -> Vec<Arg> {
        let needs: Vec<Need> = terms.iter().map(|term| self.pack.need(term)).collect();
        let own: Vec<ConstantSource> = needs
            .iter()
            .filter_map(|need| match need {
                Need::Constant(source) => Some(*source),
                _ => None,
            })
            .collect();
        let shared = if all.is_empty() { own } else { all.to_vec() };
        let mut distinct = shared.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let pooled = (!shared.is_empty() && distinct.len() <= 4).then(|| self.pool.find(&shared));
        let mut args = Vec::new();
        for (term, need) in terms.iter().zip(needs) {
            let (abs, negate) = self.pack.modifiers(term);
            let arg = match need {
                Need::Number(number) => Arg::number(match number {
                    0.0 => Part::Zero,
                    1.0 => Part::One,
                    _ => Part::Half,
                }),
                Need::Constant(source) => {
                    let (vector, component) = match &pooled {
                        Some((vector, components)) => {
                            let at = shared.iter().position(|of| *of == source).unwrap_or(0);
                            (*vector, components[at])
                        }
                        None => {
                            let (vector, components) = self.pool.find(&[source]);
                            (vector, components[0])
                        }
                    };
                    Arg::of(Reg::Constant(vector), component)
                }
                Need::Fixed(reg, component) => Arg::of(reg, component),
                Need::Indexed(word, index) => {
                    let at = self.address(index);
                    let array = self.legal.arrays.iter().find(|words| words.contains(&word));
                    let vector =
                        array.map(|words| self.pool.indexed(words, &self.legal.sources, word));
                    Arg::of(Reg::Indexed(vector.unwrap_or(0), at), (word % 4) as u8)
                }
                Need::Home(value) => {
                    let (reg, component) = self.place(value);
                    Arg::of(reg, component)
                }
            };
            args.push(Arg { abs, negate, ..arg });
        }
        self.gather(args)
    }

    /// The same values in one register, with signs that one operand can have.
    pub(super) fn gather(&mut self, args: Vec<Arg>) -> Vec<Arg> {
        let real: Vec<&Arg> = args.iter().filter(|arg| arg.reg.is_some()).collect();
        let Some(first) = real.first() else {
            return args;
        };
        let vertex = self.is_vertex();
        let same = |arg: &&Arg| {
            arg.reg == first.reg && arg.abs == first.abs && (vertex || arg.negate == first.negate)
        };
        let numbers = real.len() != args.len() && (first.abs || (!vertex && first.negate));
        if real.iter().all(same) && !numbers {
            return args;
        }
        let vector = self.code.vector(args.len() as u8);
        let reg = Reg::Temp(vector);
        let mut left: Vec<usize> = (0..args.len()).collect();
        while let Some(at) = left.first().copied() {
            let like = |other: &usize| {
                let (a, b) = (&args[at], &args[*other]);
                a.reg == b.reg && a.abs == b.abs && a.negate == b.negate
            };
            let (part, rest): (Vec<usize>, Vec<usize>) = left.iter().copied().partition(like);
            let components = part.iter().map(|at| *at as u8).collect();
            let moved = part.iter().map(|at| args[*at]).collect();
            self.emit(Machine::Mov, Some(reg), components, vec![moved]);
            left = rest;
        }
        (0..args.len() as u8)
            .map(|component| Arg::of(reg, component))
            .collect()
    }

    pub(super) fn unit(&self, image: &ImageOp) -> u8 {
        let at = |access: crate::ir::Access| {
            let element = access
                .element
                .and_then(|element| self.pack.terms.constants.get(&element));
            [access.resource, element.copied().unwrap_or(0)]
        };
        let pair = Pair::of(image, at);
        let found = self.legal.units.iter().position(|unit| *unit == pair);
        found.unwrap_or(0) as u8
    }

    fn kill(&mut self, condition: Value) {
        debug_assert_eq!(self.legal.function.types[condition.0 as usize], Type::Bool);
        self.need_value(condition);
        let mut term = self.pack.terms.term(condition);
        term.negate = !term.negate;
        let args = self.operand(&[term]);
        // It tests channels as they are, so the vector begins at red.
        let vector = self.code.vector(4);
        self.emit(Machine::Mov, Some(Reg::Temp(vector)), vec![0], vec![args]);
        let args = vec![Arg::of(Reg::Temp(vector), 0)];
        self.emit(Machine::Kill, None, vec![0], vec![args]);
    }
}
