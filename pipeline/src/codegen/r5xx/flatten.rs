//! Control flow to selections: neither unit branches by lane for less than it costs to compute both sides.
//!
//! Branches become selections where their sides meet. Long sides are left out where no lane of a wave wants them
//! ([`super::skips`]). Loops stay; a bool says which lanes are still in one, and it ends with
//! the last of them. What a loop hands on is kept in parameters that only lanes still inside change.

use std::collections::HashMap;

use super::build::Build;
use super::errors::Errors;
use super::kinds::{Kind, Kinds};
use super::ranges::Ranges;
use super::textures::Pair;
use crate::codegen::definitions::Definitions;
use crate::codegen::structure::{Edge, Node, Structure};
use crate::codegen::{ConstantSource, Options, Result};
use crate::ir::{BlockId, Function, Inst, Op, Stage, Target, Terminator, Type, Value};

/// Lanes on their way to a block.
pub(super) struct Arrival {
    /// Which; all where there is none.
    pub(super) mask: Option<Value>,
    pub(super) args: Vec<Value>,
}

/// A loop being written.
struct Frame {
    running: Value,
    outs: Vec<Value>,
    back: Option<Vec<Value>>,
}

/// Words of private arrays that a program may have.
const LOCAL_WORDS: usize = 128;

/// A function on its way from SSA to what instructions are selected from.
pub struct Flatten<'a> {
    pub old: &'a Function,
    pub options: &'a Options,
    pub errors: Errors<'a>,
    pub kinds: &'a Kinds,
    pub ranges: &'a Ranges,
    pub known: Definitions<'a>,
    pub structure: &'a Structure,
    pub to: Build,
    /// Uniform buffers that are read.
    pub banks: Vec<[u32; 2]>,
    /// Texture units.
    pub units: Vec<Pair>,
    pub(super) map: HashMap<Value, Value>,
    /// Values of loads, by how they are read.
    pub(super) loaded: HashMap<(Value, bool), Value>,
    pub(super) locals: Vec<Vec<Value>>,
    pub(super) mask: Option<Value>,
    /// Sides as long as that may be left out.
    pub(super) skips: Option<usize>,
    pub(super) alive: bool,
    departed: usize,
    arrivals: HashMap<BlockId, Vec<Arrival>>,
    frames: HashMap<usize, Frame>,
}

impl<'a> Flatten<'a> {
    /// Before the first instruction.
    pub fn new(
        old: &'a Function,
        options: &'a Options,
        kinds: &'a Kinds,
        ranges: &'a Ranges,
        structure: &'a Structure,
        skips: Option<usize>,
    ) -> Result<Flatten<'a>> {
        let errors = Errors(old);
        let mut to = Build::new(old);
        let words: usize = old.locals.iter().map(|local| local.words as usize).sum();
        if words > LOCAL_WORDS {
            let origin = old.locals[0].origin;
            let what = format!("private arrays of {words} words where {LOCAL_WORDS} fit");
            return Err(errors.lacks(what, origin));
        }
        let zero = to.float(0.0);
        let locals = old
            .locals
            .iter()
            .map(|local| vec![zero; local.words as usize]);
        let locals = locals.collect();
        Ok(Flatten {
            old,
            options,
            errors,
            kinds,
            ranges,
            known: Definitions::new(old),
            structure,
            to,
            banks: Vec::new(),
            units: Vec::new(),
            map: HashMap::new(),
            loaded: HashMap::new(),
            locals,
            mask: None,
            skips: skips.filter(|_| old.stage == Stage::Fragment),
            alive: true,
            departed: 0,
            arrivals: HashMap::new(),
            frames: HashMap::new(),
        })
    }

    /// Writes the whole function.
    pub fn run(&mut self) -> Result<()> {
        let all = Arrival {
            mask: None,
            args: Vec::new(),
        };
        self.arrivals.insert(BlockId(0), vec![all]);
        let root = &self.structure.root;
        self.list(root)
    }

    pub(super) fn list(&mut self, nodes: &[Node]) -> Result<()> {
        for node in nodes {
            match node {
                Node::Block(id) => self.block(*id)?,
                Node::Branch {
                    block,
                    yes,
                    no,
                    merge,
                } if self.alive => {
                    self.branch(*block, [yes, no], *merge)?;
                }
                Node::Branch { .. } => {}
                Node::Loop(l) => self.looping(*l)?,
            }
        }
        Ok(())
    }

    /// Lanes that have come to a block, and what they bring.
    pub(super) fn arrive(&mut self, id: BlockId) -> Option<Arrival> {
        let mut all = self.arrivals.remove(&id)?.into_iter();
        let mut so_far = all.next()?;
        for next in all {
            so_far = self.meet(so_far, next);
        }
        Some(so_far)
    }

    fn meet(&mut self, a: Arrival, b: Arrival) -> Arrival {
        let mask = match (a.mask, b.mask) {
            (Some(a), Some(b)) => Some(self.to.or(a, b)),
            _ => None,
        };
        let pairs = a.args.into_iter().zip(b.args);
        let args = pairs.map(|(a, c)| match b.mask {
            Some(which) => self.to.select(which, c, a),
            None => c,
        });
        Arrival {
            mask,
            args: args.collect(),
        }
    }

    fn block(&mut self, id: BlockId) -> Result<()> {
        let Some(here) = self.arrive(id) else {
            self.alive = false;
            return Ok(());
        };
        self.alive = true;
        self.mask = here.mask;
        let block = &self.old.blocks[id.0 as usize];
        for (param, arg) in block.params.iter().zip(here.args) {
            self.map.insert(*param, arg);
        }
        for inst in &block.insts {
            self.to.origin = inst.origin;
            self.inst(inst)?;
        }
        match &block.end {
            Terminator::Jump(target) => self.jump(id, target),
            Terminator::Return | Terminator::Unreachable => self.alive = false,
            Terminator::Branch { .. } => {}
        }
        Ok(())
    }

    fn branch(&mut self, id: BlockId, sides: [&[Node]; 2], merge: BlockId) -> Result<()> {
        let Terminator::Branch {
            condition, yes, no, ..
        } = &self.old.blocks[id.0 as usize].end
        else {
            return Ok(());
        };
        let condition = self.bool(*condition);
        let (mask, departed) = (self.mask, self.departed);
        let before = self.arrivals.remove(&merge);
        let mut found: [Option<Arrival>; 2] = [None, None];
        let opposite = self.to.not(condition);
        let ways = [(yes, condition, sides[0]), (no, opposite, sides[1])];
        let apart = sides.map(|nodes| self.is_apart(nodes, merge));
        // What is left out comes last: it starts from what the other side gives.
        let order = if apart[0] && !apart[1] {
            [1, 0]
        } else {
            [0, 1]
        };
        let mut joined = false;
        for side in order {
            let (target, which, nodes) = ways[side];
            self.mask = Some(match mask {
                Some(mask) => self.to.and(mask, which),
                None => which,
            });
            self.alive = true;
            let wanted = self.mask.filter(|_| apart[side]);
            let wanted = wanted.filter(|wanted| self.to.known_bit(*wanted).is_none());
            found[side] = match wanted {
                Some(wanted) => {
                    let other = found[1 - side].as_ref().map(|other| other.args.clone());
                    joined = other.is_some();
                    let with = other.map(|args| (condition, side == 0, args));
                    Some(self.left_out((id, target), nodes, merge, wanted, with)?)
                }
                None => {
                    self.jump(id, target);
                    self.list(nodes)?;
                    self.arrive(merge)
                }
            };
        }
        let whole = departed == self.departed;
        let met = match found {
            [Some(a), Some(b)] if joined => {
                let args = match order {
                    [_, 0] => a.args,
                    _ => b.args,
                };
                let mask = match (whole, a.mask, b.mask) {
                    (true, ..) => mask,
                    (_, Some(a), Some(b)) => Some(self.to.or(a, b)),
                    _ => None,
                };
                Some(Arrival { mask, args })
            }
            [Some(a), Some(b)] => {
                let pairs = a.args.iter().zip(&b.args);
                let args = pairs
                    .map(|(a, b)| self.to.select(condition, *a, *b))
                    .collect();
                let met = self.meet(
                    Arrival {
                        args: Vec::new(),
                        ..a
                    },
                    Arrival {
                        args: Vec::new(),
                        ..b
                    },
                );
                let mask = if whole { mask } else { met.mask };
                Some(Arrival { mask, args })
            }
            [a, b] => a.or(b),
        };
        let all: Vec<Arrival> = before.into_iter().flatten().chain(met).collect();
        if !all.is_empty() {
            self.arrivals.insert(merge, all);
        }
        self.alive = false;
        Ok(())
    }

    pub(super) fn jump(&mut self, from: BlockId, target: &Target) {
        let params = &self.old.blocks[target.block.0 as usize].params;
        let pairs = target.args.iter().zip(params);
        let args: Vec<Value> = pairs
            .map(|(arg, param)| self.meeting(*arg, *param))
            .collect();
        match self.structure.edge(from, target.block) {
            Edge::Break(l) => self.leave(l, args),
            Edge::Back(l) => {
                if let Some(frame) = self.frames.get_mut(&l) {
                    frame.back = Some(args);
                }
            }
            edge => {
                if matches!(edge, Edge::Continue(_)) {
                    self.departed += 1;
                }
                let arrival = Arrival {
                    mask: self.mask,
                    args,
                };
                self.arrivals.entry(target.block).or_default().push(arrival);
            }
        }
        self.alive = false;
    }

    /// Whether a loop is being written.
    pub(super) fn is_looping(&self) -> bool {
        !self.frames.is_empty()
    }

    /// Lanes of the mask leave a loop.
    fn leave(&mut self, l: usize, args: Vec<Value>) {
        self.departed += 1;
        let Some(mut frame) = self.frames.remove(&l) else {
            return;
        };
        let which = match self.mask {
            Some(mask) => mask,
            None => self.to.bit(true),
        };
        for (out, arg) in frame.outs.iter_mut().zip(args) {
            *out = self.to.select(which, arg, *out);
        }
        let others = self.to.not(which);
        frame.running = self.to.and(frame.running, others);
        self.frames.insert(l, frame);
    }

    fn looping(&mut self, l: usize) -> Result<()> {
        let node = &self.structure.loops[l];
        let Some(entered) = self.arrive(node.header) else {
            self.alive = false;
            return Ok(());
        };
        let merged = &self.old.blocks[node.merge.0 as usize].params;
        let (count, outs) = (entered.args.len(), merged.len());
        let mut args = entered.args;
        args.push(match entered.mask {
            Some(mask) => mask,
            None => self.to.bit(true),
        });
        for param in merged {
            let zero = match self.old.types[param.0 as usize] {
                Type::Word => self.to.float(0.0),
                Type::Bool => self.to.bit(false),
            };
            args.push(zero);
        }
        args.extend(self.locals.iter().flatten());
        let (header, params) = self.to.begin_loop(&args);
        self.to.rounds.insert(header, self.ranges.rounds[l]);
        let frame = Frame {
            running: params[count],
            outs: params[count + 1..][..outs].to_vec(),
            back: None,
        };
        self.frames.insert(l, frame);
        self.set_locals(&params[count + 1 + outs..]);
        let inside = Arrival {
            mask: Some(params[count]),
            args: params[..count].to_vec(),
        };
        self.arrivals.insert(node.header, vec![inside]);
        self.list(&node.body)?;
        self.list(&node.continuing)?;
        let Some(frame) = self.frames.remove(&l) else {
            return Ok(());
        };
        let mut again = match frame.back {
            Some(back) => back,
            None => params[..count].to_vec(),
        };
        again.push(frame.running);
        again.extend(&frame.outs);
        again.extend(self.locals.iter().flatten());
        self.to.end_loop(header, frame.running, again);
        self.alive = true;
        let left = Arrival {
            mask: entered.mask,
            args: frame.outs,
        };
        self.arrivals.insert(node.merge, vec![left]);
        Ok(())
    }

    pub(super) fn set_locals(&mut self, words: &[Value]) {
        let mut words = words.iter();
        for word in self.locals.iter_mut().flatten() {
            *word = *words.next().unwrap_or(word);
        }
    }

    /// An operand of a jump, as its parameter is.
    fn meeting(&mut self, arg: Value, param: Value) -> Value {
        match self.old.types[param.0 as usize] {
            Type::Bool => self.bool(arg),
            Type::Word => self.word(arg, self.kinds.of(param)),
        }
    }

    /// A bool.
    pub fn bool(&mut self, value: Value) -> Value {
        match self.known.inst(value) {
            Some(Inst {
                op: Op::ConstBool(bit),
                ..
            }) => self.to.bit(*bit),
            _ => self.mapped(value),
        }
    }

    fn mapped(&mut self, value: Value) -> Value {
        match self.map.get(&value) {
            Some(found) => *found,
            // What nothing computes is not reached.
            None => match self.old.types[value.0 as usize] {
                Type::Word => self.to.float(0.0),
                Type::Bool => self.to.bit(false),
            },
        }
    }

    /// A word, read as a kind; as a float where nothing says what it is.
    pub fn word(&mut self, value: Value, kind: Option<Kind>) -> Value {
        let kind = kind.unwrap_or(Kind::Float);
        if let Some(word) = self.known.constant(value) {
            return match kind {
                Kind::Float => self.to.word(word),
                Kind::Integer => self.to.float(word as i32 as f32),
            };
        }
        if self.kinds.is_either(value) {
            let key = (value, kind == Kind::Integer);
            let found = self.loaded.get(&key).copied();
            return found.unwrap_or_else(|| self.to.constant(ConstantSource::Immediate(0)));
        }
        self.mapped(value)
    }
}
