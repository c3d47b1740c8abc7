//! A function of the math engine next to an operation of the vector engine, in one instruction. [R5XX 7.5.6]
//!
//! Each instruction takes one of the other engine from further down along, if nothing in between keeps it there and both
//! together have read ports. What the math engine computes along lies in alternate temporaries 1 to 3, and so must
//! everything else that lies in the same vector. It runs behind [`super::ports`], whose alternate temporary is 0.

use std::collections::{HashMap, HashSet};

use super::machine::{Arg, Code, Inst, Op, Reg, Select};
use super::order::{Edge, predecessors};
use super::ports::{Ports, register};

/// Instructions that are looked at behind one.
const WINDOW: usize = 32;
/// Alternate temporaries that vectors move to. [R5XX DUAL_MATH_DST_OFFSET]
const ALTERNATES: std::ops::RangeInclusive<u8> = 1..=3;

/// Pairs up the instructions of all blocks.
pub fn pair(code: &mut Code) {
    let homes = local_vectors(code);
    for (block, local) in code.blocks.iter_mut().zip(homes) {
        let insts = std::mem::take(&mut block.insts);
        let left = insts.iter().fold(HashMap::new(), |mut left, inst| {
            for vector in vectors_of(inst) {
                *left.entry(vector).or_insert(0) += 1;
            }
            left
        });
        let mut pairing = Pairing {
            widths: &code.widths,
            local,
            left,
            moved: HashMap::new(),
            taken: [0; 4],
            begun: HashSet::new(),
        };
        block.insts = pairing.block(insts);
    }
}

/// Vectors that each block writes and reads by itself, each component before it is read.
fn local_vectors(code: &Code) -> Vec<HashSet<u32>> {
    let mut homes: HashMap<u32, Option<usize>> = HashMap::new();
    for (b, block) in code.blocks.iter().enumerate() {
        let mut written = HashSet::new();
        for inst in &block.insts {
            let mut early = Vec::new();
            inst.read_units(|unit| {
                if !written.contains(&unit) {
                    early.push(unit / 4);
                }
            });
            inst.written_units(|unit| {
                written.insert(unit);
            });
            for vector in early {
                homes.insert(vector, None);
            }
            for vector in vectors_of(inst) {
                let home = homes.entry(vector).or_insert(Some(b));
                *home = home.filter(|home| *home == b);
            }
        }
    }
    let mut local = vec![HashSet::new(); code.blocks.len()];
    for (vector, home) in homes {
        if let Some(b) = home {
            local[b].insert(vector);
        }
    }
    local
}

/// Vectors that an instruction reads or writes, each once.
fn vectors_of(inst: &Inst) -> HashSet<u32> {
    let mut vectors = HashSet::new();
    inst.read_units(|unit| {
        vectors.insert(unit / 4);
    });
    inst.written_units(|unit| {
        vectors.insert(unit / 4);
    });
    vectors
}

/// An alternate temporary, and the component at which a vector begins there.
type Alternate = (u8, u8);

/// A block under way.
struct Pairing<'a> {
    widths: &'a [u8],
    /// Vectors that may move.
    local: HashSet<u32>,
    /// Instructions to come that name a vector.
    left: HashMap<u32, usize>,
    /// Vectors in alternate temporaries.
    moved: HashMap<u32, Alternate>,
    /// Components of alternate temporaries that are in use.
    taken: [u8; 4],
    /// Vectors that something has written.
    begun: HashSet<u32>,
}

impl Pairing<'_> {
    fn block(&mut self, mut insts: Vec<Inst>) -> Vec<Inst> {
        let before = predecessors(insts.iter().map(parts));
        let mut done = vec![false; insts.len()];
        let mut kept = Vec::with_capacity(insts.len());
        for at in 0..insts.len() {
            if done[at] {
                continue;
            }
            done[at] = true;
            let with = self.partner(&mut insts, at, &before, &done);
            let names = |at: usize| vectors_of(&insts[at]);
            let mut named: Vec<HashSet<u32>> = vec![names(at)];
            let mut inst = insts[at].clone();
            if let Some(with) = with {
                done[with] = true;
                named.push(names(with));
                let other = insts[with].clone();
                inst = match inst.op {
                    Op::Function(_) => join(other, inst),
                    _ => join(inst, other),
                };
            }
            self.rename(&mut inst);
            kept.push(inst);
            named
                .into_iter()
                .flatten()
                .for_each(|vector| self.leave(vector));
        }
        kept
    }

    /// One instruction less that names a vector; behind the last one its place is free.
    fn leave(&mut self, vector: u32) {
        self.begun.insert(vector);
        let left = self.left.entry(vector).or_insert(1);
        *left -= 1;
        if let (0, Some((at, first))) = (*left, self.moved.get(&vector)) {
            self.taken[usize::from(*at)] &= !self.mask(vector, *first);
        }
    }

    fn mask(&self, vector: u32, first: u8) -> u8 {
        ((1 << self.widths[vector as usize]) - 1) << first
    }

    /// The first instruction further down that can run along, whose target or whose partner's has moved then.
    fn partner(
        &mut self,
        insts: &mut [Inst],
        at: usize,
        before: &[Vec<Edge>],
        done: &[bool],
    ) -> Option<usize> {
        if !is_vector_half(&insts[at]) && !is_math_half(&insts[at]) {
            return None;
        }
        let open = (at + 1..insts.len()).filter(|with| !done[*with]);
        for with in open.take(WINDOW) {
            let (vector, math) = match insts[at].op {
                Op::Function(_) => (with, at),
                _ => (at, with),
            };
            let free = |edge: &Edge| done[edge.from] && (edge.from != at || edge.weak);
            let fits = is_vector_half(&insts[vector])
                && is_math_half(&insts[math])
                && before[with].iter().all(free)
                && self.ports_fit(&[&insts[vector], &insts[math]]);
            // What lies in an alternate temporary is not written by the vector half.
            let elsewhere =
                !matches!(insts[vector].dst, Some(Reg::Temp(to)) if self.moved.contains_key(&to));
            if fits && elsewhere && self.move_target(insts, vector, math, done) {
                return Some(with);
            }
        }
        None
    }

    /// Whether instructions find read ports together, as vectors lie now.
    fn ports_fit(&self, insts: &[&Inst]) -> bool {
        let mut ports = Ports::default();
        for inst in insts {
            let mut inst = (*inst).clone();
            self.rename(&mut inst);
            inst.args.iter().for_each(|args| ports.add(args));
        }
        ports.fit(2)
    }

    /// Moves the target of a function to an alternate temporary, unless it lies there.
    fn move_target(&mut self, insts: &[Inst], vector: usize, math: usize, done: &[bool]) -> bool {
        let Some(Reg::Temp(target)) = insts[math].dst else {
            return false;
        };
        if self.moved.contains_key(&target) {
            return true;
        }
        if !self.local.contains(&target) || self.begun.contains(&target) {
            return false;
        }
        let width = self.widths[target as usize];
        let places = ALTERNATES.flat_map(|at| (0..=4 - width).map(move |first| (at, first)));
        let free =
            |(at, first): &Alternate| self.taken[usize::from(*at)] & self.mask(target, *first) == 0;
        let free: Vec<Alternate> = places.filter(free).collect();
        for place in free {
            self.moved.insert(target, place);
            let names = |inst: &&Inst| vectors_of(inst).contains(&target);
            let later = (0..insts.len()).filter(|at| !done[*at] || *at == vector || *at == math);
            let mut later = later.map(|at| &insts[at]).filter(names);
            let written_by_half = insts[vector].dst == Some(Reg::Temp(target));
            if !written_by_half && later.all(|inst| self.has_ports(inst)) {
                self.taken[usize::from(place.0)] |= self.mask(target, place.1);
                return true;
            }
            self.moved.remove(&target);
        }
        false
    }

    /// Whether an instruction has read ports as vectors lie now.
    fn has_ports(&self, inst: &Inst) -> bool {
        let mut inst = inst.clone();
        self.rename(&mut inst);
        let mut ports = Ports::default();
        inst.args.iter().for_each(|args| ports.add(args));
        ports.fit(if inst.op == Op::Mad { 3 } else { 2 })
    }

    /// Names vectors by where they lie.
    fn rename(&self, inst: &mut Inst) {
        let of = |reg: Option<Reg>| match reg {
            Some(Reg::Temp(vector)) => self.moved.get(&vector).copied(),
            _ => None,
        };
        let with = inst.with.as_deref_mut();
        let (args, dst) = (&mut inst.args, (&mut inst.dst, &mut inst.components));
        let (with_args, with_dst) = match with {
            Some(with) => (
                Some(&mut with.args),
                Some((&mut with.dst, &mut with.components)),
            ),
            None => (None, None),
        };
        for arg in args
            .iter_mut()
            .chain(with_args.into_iter().flatten())
            .flatten()
        {
            if let (Some((at, first)), Select::Component(component)) = (of(arg.reg), arg.select) {
                *arg = Arg {
                    abs: arg.abs,
                    negate: arg.negate,
                    ..Arg::of(Reg::Alternate(at), first + component)
                };
            }
        }
        for (dst, components) in [Some(dst), with_dst].into_iter().flatten() {
            if let Some((at, first)) = of(*dst) {
                *dst = Some(Reg::Alternate(at));
                components
                    .iter_mut()
                    .for_each(|component| *component += first);
            }
        }
    }
}

/// Both halves in one.
fn join(vector: Inst, math: Inst) -> Inst {
    Inst {
        with: Some(Box::new(math)),
        ..vector
    }
}

/// An operation of at most two operands that writes no alternate temporary.
fn is_vector_half(inst: &Inst) -> bool {
    let two = matches!(
        inst.op,
        Op::Mov
            | Op::Add
            | Op::Mul
            | Op::Min
            | Op::Max
            | Op::Frc
            | Op::Dot4
            | Op::Set(_)
            | Op::Address
    );
    let elsewhere = matches!(inst.dst, Some(Reg::Temp(_) | Reg::Output(_) | Reg::Address));
    two && elsewhere && inst.with.is_none()
}

/// A function of a register, to one component of a temporary.
fn is_math_half(inst: &Inst) -> bool {
    let one = matches!(inst.args.as_slice(), [args] if args.len() == 1 && register(args).is_some());
    matches!(inst.op, Op::Function(_))
        && one
        && inst.components.len() == 1
        && matches!(inst.dst, Some(Reg::Temp(_)))
}

/// A component of something that instructions read and write.
type Part = (Reg, u8);

/// Components that an instruction reads, and those that it writes.
fn parts(inst: &Inst) -> [HashSet<Part>; 2] {
    let mut read = HashSet::new();
    for arg in inst.args.iter().flatten() {
        match (arg.reg, arg.select) {
            (Some(Reg::Indexed(_, component)), _) => {
                read.insert((Reg::Address, component));
            }
            (Some(reg), Select::Component(component)) => {
                read.insert((reg, component));
            }
            _ => {}
        }
    }
    let written = inst.dst.into_iter();
    let written = written.flat_map(|reg| inst.components.iter().map(move |c| (reg, *c)));
    [read, written.collect()]
}
