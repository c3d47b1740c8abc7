//! Lookups in a row: their coordinates lie in as few vectors as they fit.

use super::machine::{Arg, Lookup, Op as Machine, Reg};
use super::pack::Need;
use super::select::Select;
use super::terms::Term;
use crate::ir::{ImageKind, ImageOp, Inst as IrInst, Lod, Op, Value};

/// Channels of a vector with what they hold.
type Channels = Vec<(Term, Arg)>;

impl Select<'_> {
    /// Lookups in a row: what they read is there before the first.
    pub(super) fn look_all(&mut self, mut insts: Vec<&IrInst>) {
        insts.retain(|inst| {
            let first = inst.results[0];
            self.pack.fixed.contains_key(&first) && self.looked.insert(first)
        });
        for inst in &insts {
            inst.args.iter().for_each(|arg| self.need_value(*arg));
        }
        let mut rest = &insts[..];
        while !rest.is_empty() {
            let (count, channels) = self.shared_coordinates(rest);
            let (these, others) = rest.split_at(count);
            for inst in these {
                if let Op::Image(image) = &inst.op {
                    self.origin = inst.origin;
                    self.look(inst, image, &channels);
                }
            }
            rest = others;
        }
    }

    /// How many of the first lookups read their coordinates from one vector of four channels, and that vector, if more than
    /// one of them has coordinates that lie in several registers. The footprint of a filter is two columns and two rows.
    fn shared_coordinates(&mut self, insts: &[&IrInst]) -> (usize, Channels) {
        let (mut count, mut moved) = (0, 0);
        let mut shared: Vec<Term> = Vec::new();
        for inst in insts {
            let mut with = shared.clone();
            let mut scattered = 0;
            for terms in self.coordinates(inst) {
                if self.in_vector(&terms) {
                    continue;
                }
                scattered += 1;
                for term in terms {
                    if !with.iter().any(|known| self.is_same(known, &term)) {
                        with.push(term);
                    }
                }
            }
            if with.len() > 4 {
                break;
            }
            (count, moved, shared) = (count + 1, moved + scattered, with);
        }
        if moved < 2 {
            return (count.max(1), Vec::new());
        }
        self.origin = insts[0].origin;
        let args = self.temporary(&shared);
        (count, shared.into_iter().zip(args).collect())
    }

    fn is_same(&self, a: &Term, b: &Term) -> bool {
        let number = |term| match self.pack.need(term) {
            Need::Number(number) => Some(number.to_bits()),
            _ => None,
        };
        a == b || number(a).is_some_and(|bits| Some(bits) == number(b))
    }

    /// The vectors that a lookup reads.
    fn coordinates(&self, inst: &IrInst) -> Vec<Vec<Term>> {
        let Op::Image(image) = &inst.op else {
            return Vec::new();
        };
        let term = |value: &Value| self.pack.terms.term(*value);
        let mut rest = &inst.args[..];
        let mut vectors = Vec::new();
        for count in kind(image).1 {
            let (these, others) = rest.split_at(count);
            rest = others;
            vectors.push(these.iter().map(term).collect());
        }
        vectors
    }

    /// Whether terms are channels of one temporary as they are.
    fn in_vector(&mut self, terms: &[Term]) -> bool {
        let mut regs = terms.iter().map(|term| match self.pack.need(term) {
            _ if term.abs || term.negate => None,
            Need::Fixed(reg, _) => Some(reg),
            Need::Home(value) => Some(self.place(value).0),
            _ => None,
        });
        let Some(first @ Some(Reg::Temp(_))) = regs.next() else {
            return false;
        };
        regs.all(|reg| reg == first)
    }

    /// A vector in a temporary of its own or one that it is in already, without modifiers.
    fn temporary(&mut self, terms: &[Term]) -> Vec<Arg> {
        let args = self.operand(terms);
        let plain = |arg: &Arg| matches!(arg.reg, Some(Reg::Temp(_))) && !arg.abs && !arg.negate;
        if args.iter().all(plain) {
            return args;
        }
        let vector = self.code.vector(args.len() as u8);
        let components: Vec<u8> = (0..args.len() as u8).collect();
        self.emit(
            Machine::Mov,
            Some(Reg::Temp(vector)),
            components.clone(),
            vec![args],
        );
        components
            .into_iter()
            .map(|component| Arg::of(Reg::Temp(vector), component))
            .collect()
    }

    fn look(&mut self, inst: &IrInst, image: &ImageOp, channels: &Channels) {
        let mut args = Vec::new();
        for terms in self.coordinates(inst) {
            let channel = |term: &Term| {
                let found = channels.iter().find(|(of, _)| self.is_same(of, term));
                found.map(|(_, arg)| *arg)
            };
            let shared: Option<Vec<Arg>> = terms.iter().map(channel).collect();
            args.push(match shared {
                Some(args) => args,
                None => self.temporary(&terms),
            });
        }
        let Some(&(reg, _)) = self.pack.fixed.get(&inst.results[0]) else {
            return;
        };
        let needed = (0..4)
            .zip(&inst.results)
            .filter(|(_, result)| self.pack.needed.contains(result));
        let components: Vec<u8> = needed.map(|(component, _)| component).collect();
        let look = Machine::Look(kind(image).0, self.unit(image));
        self.emit(look, Some(reg), components, args);
    }
}

/// Which lookup an operation is, and the numbers of components of the vectors that it reads.
fn kind(image: &ImageOp) -> (Lookup, Vec<usize>) {
    let body = image.shape.coordinates();
    let ImageKind::Sample { lod, .. } = image.kind else {
        return match image.kind {
            ImageKind::Load { level: true } => (Lookup::Level, vec![body + 1]),
            ImageKind::Load { level: false } => (Lookup::Texel, vec![body + 1]),
            _ => (Lookup::Plain, vec![body]),
        };
    };
    match lod {
        Lod::Bias => (Lookup::Bias, vec![body + 1]),
        Lod::Level => (Lookup::Level, vec![body + 1]),
        Lod::Gradient => (Lookup::Gradients, vec![body; 3]),
        // The unit has one level.
        _ => (Lookup::Plain, vec![body]),
    }
}
