//! The backend of main groups. [Rogue 9, 11, 12]

use lanes::LaneOp::*;
use lanes::{Src, Step, WideOp};

use super::flow::Lifter;
use super::layout::Input;
use super::local::Local;
use super::port::{Amount as Count, File, Iterate, Load, Port, Store, VertexEnd};
use super::{ACTIVE, COVERED, LINK, LiftError};
use crate::isa::backend::{Amount, Backend, Uvsw};
use crate::isa::{Bank, Register};

const ZERO: Src = Src::Const(0);

impl Lifter<'_> {
    pub(super) fn backend(&mut self, backend: &Backend, w: [Src; 2]) -> Result<(), LiftError> {
        match *backend {
            Backend::Uvsw {
                op,
                w1,
                address,
                stream,
            } => {
                if let Some(address) = address.filter(|_| op.writes()) {
                    self.vertex_word(address, w[usize::from(w1)])?;
                }
                self.vertex_end(op, stream)
            }
            Backend::Savmsk { .. } | Backend::Phas { .. } | Backend::Idf { .. } => Ok(()),
            Backend::Movmsk { .. } => {
                if let Some(row) = self.layout.mask {
                    self.write(row, w[0]);
                }
                Ok(())
            }
            Backend::Setl { w1 } => {
                let row = self.in_row(w[usize::from(w1)]);
                self.first_lane(row, LINK);
                self.link_in_bytes(LINK);
                Ok(())
            }
            Backend::Atst { p0, ifb } => self.alpha_test(p0, ifb),
            Backend::Depthf => {
                if let Some(row) = self.layout.depth {
                    self.write(row, w[0]);
                }
                Ok(())
            }
            Backend::Fitr {
                perspective,
                mode,
                sat,
                count,
                ..
            } => {
                let iterate = Iterate {
                    mode,
                    sat,
                    coefficient: self.coefficient(0)?,
                    perspective: match perspective {
                        true => Some(self.coefficient(2)?),
                        false => None,
                    },
                    first: self.results(3, count.into())?,
                    count: count.into(),
                };
                let rows = iterate.first..iterate.first + iterate.count;
                self.call(Port::Iterate(iterate));
                for row in rows {
                    self.changed(row);
                    if !self.narrowed {
                        self.clean.insert(row);
                    }
                }
                Ok(())
            }
            Backend::Emitpix { freep } => {
                let state = [self.source(0)?, self.source(2)?];
                self.call(Port::Emit { free: freep, state });
                Ok(())
            }
            Backend::Ld { burst, address, .. } => {
                let load = Load {
                    address: self.address(address)?,
                    words: self.amount(burst)?,
                    to: self.file(3)?,
                };
                self.written_by_memory(load.to);
                self.call(Port::Load(load));
                Ok(())
            }
            Backend::St {
                data,
                size,
                burst,
                address,
                mask,
                tiled,
                ..
            } => {
                let store = Store {
                    address: self.address(address)?,
                    items: self.amount(burst)?,
                    size: [1, 2, 4][usize::from(size.min(2))],
                    from: self.file(data)?,
                    mask: match mask {
                        Some(mask) => Some(self.source(mask)?),
                        None => None,
                    },
                    tiled,
                };
                self.call(Port::Store(store));
                Ok(())
            }
            Backend::Smp(ref sample) => self.sample(sample),
            Backend::Atom {
                op,
                source,
                destination,
                ..
            } => {
                let address = self.address(source)?;
                let operand = self.source_behind(source, 2)?;
                let old = self.results(destination, 1)?;
                self.soil(old);
                self.call(Port::Atomic {
                    op,
                    address,
                    operand,
                    old,
                });
                Ok(())
            }
        }
    }

    /// A word of the vertex's outputs.
    fn vertex_word(&mut self, address: Amount, value: Src) -> Result<(), LiftError> {
        let words = self.layout.vertex_outputs.clone();
        match address {
            Amount::Number(n) => self.write(words.start + u16::from(n), value),
            Amount::Slot(at) => {
                let index = self.source(at)?;
                self.local_writes.push(Local::Scatter {
                    value,
                    first: words.start,
                    end: words.end,
                    index,
                });
            }
        }
        Ok(())
    }

    /// The end of a vertex or of a strip, behind what the group writes. A vertex task has one vertex, that of its outputs.
    fn vertex_end(&mut self, op: Uvsw, stream: Option<u8>) -> Result<(), LiftError> {
        let (emits, cuts) = (op.emits(), op.cuts());
        if op.has_stream() && !self.setup.geometry {
            return Err(self.meaningless("the end of a vertex or a strip within a vertex task"));
        }
        if stream.is_some_and(|stream| stream != 0) {
            return Err(self.meaningless("a vertex of another stream than 0"));
        }
        if self.setup.geometry && (emits || cuts) {
            let words = &self.layout.vertex_outputs;
            self.vertex_end = Some(VertexEnd {
                emits,
                cuts,
                first: words.start,
                end: words.end,
            });
        }
        Ok(())
    }

    /// W0 and W1 of SAVMSK: bits of the samples that the lane covers, and whether it covers any.
    pub(super) fn coverage(&mut self) -> [Src; 2] {
        match self.layout.inputs.get(&Input::Coverage).copied() {
            Some(row) => {
                let covers = self.select(COVERED, ZERO, Src::Const(1));
                [Src::Row(row), covers]
            }
            None => [ZERO; 2],
        }
    }

    /// S1 against S0 as S2 says: bit 0 passes less, bit 1 equal, bit 2 greater. Floats, whose small numbers count: a
    /// program may test an integer 1.
    fn alpha_test(&mut self, p0: bool, ifb: bool) -> Result<(), LiftError> {
        let (reference, value) = (self.source(0)?, self.source(1)?);
        let pass = self.mask();
        match self.source(2)? {
            Src::Const(mode) => {
                let op = [
                    None,
                    Some(FLt),
                    Some(FEq),
                    Some(FLe),
                    Some(FGt),
                    Some(FNe),
                    Some(FGe),
                    None,
                ];
                match op[(mode & 7) as usize] {
                    Some(op) => self.compare(pass, op, value, reference),
                    None => self.compare(pass, INe, Src::Const(mode & 1), ZERO),
                }
            }
            mode => {
                let mut any = ZERO;
                for (bit, op) in [(1, FLt), (2, FEq), (4, FGt)] {
                    let wanted = self.op(And, &[mode, Src::Const(bit)]);
                    let holds = self.op(op, &[value, reference]);
                    let wanted = self.op(INe, &[wanted, ZERO]);
                    let both = self.op(And, &[wanted, holds]);
                    any = self.op(Or, &[any, both]);
                }
                // Always and not equal pass numbers that are none, too.
                let unordered = self.op(FUnordered, &[value, reference]);
                let low = self.op(And, &[mode, Src::Const(5)]);
                let low = self.op(IEq, &[low, Src::Const(5)]);
                let both = self.op(And, &[low, unordered]);
                any = self.op(Or, &[any, both]);
                self.compare(pass, INe, any, ZERO);
            }
        }
        if ifb {
            self.kills = true;
            let killed = self.mask();
            self.wide(WideOp::AndNot64, killed, ACTIVE, pass);
            self.wide(WideOp::AndNot64, COVERED, COVERED, killed);
        }
        if p0 {
            self.set_predicate(pass);
        }
        Ok(())
    }

    /// Number of the coefficient that a slot names.
    fn coefficient(&self, at: u8) -> Result<u16, LiftError> {
        match self.sources[usize::from(at)] {
            Some(Register::Plain(Bank::COEFFICIENT, n)) => Ok(n + self.bases.coefficient),
            _ => Err(self.meaningless("iteration of something that is no coefficient")),
        }
    }

    /// The address in the register pair of a slot.
    fn address(&mut self, at: u8) -> Result<[Src; 2], LiftError> {
        Ok([self.source(at)?, self.source_behind(at, 1)?])
    }

    fn amount(&mut self, amount: Amount) -> Result<Count, LiftError> {
        Ok(match amount {
            Amount::Number(count) => Count::Number(count.into()),
            Amount::Slot(at) => Count::Value(self.source(at)?),
        })
    }

    fn written_by_memory(&mut self, to: File) {
        if let File::Rows { first, end } = to {
            (first..end).for_each(|row| self.soil(row));
        }
    }

    /// `row = source` now, not behind the group.
    pub(super) fn copy_to(&mut self, dst: u16, source: Src) {
        self.soil(dst);
        self.push(Step::Alu {
            op: Mov,
            dst,
            src: [source, ZERO, ZERO],
        });
    }
}
