//! Main groups: phases in order, and the operand network between them. [Rogue 2.2, 3]

use std::ops::Range;

use lanes::LaneOp::*;
use lanes::Src;

use super::LiftError;
use super::access::advanced;
use super::flow::Lifter;
use super::port::File;
use super::sample::results;
use super::scan::reach;
use super::writes::Only;
use crate::isa::alu::{Alu, Wide};
use crate::isa::backend::Backend;
use crate::isa::phase2::{Feed, Mov, Phase2};
use crate::isa::{Group, Main};

/// Results of the phases of a group. What nothing reads is not computed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Feeds {
    pub(super) ft0: Option<Src>,
    ft1: Option<Src>,
    ft2: Option<Src>,
    fte: Option<Src>,
    /// W0 and W1 of operations that drive them by themselves.
    pub(super) w: Option<[Src; 2]>,
}

impl Lifter<'_> {
    /// A main group as often as it runs. PCK collects the components of one register; all else writes register after
    /// register.
    pub(super) fn repeated(
        &mut self,
        group: &Group,
        main: &Main,
        only: Only,
    ) -> Result<(), LiftError> {
        let repeat = u16::from(group.repeat);
        if let Some(pck) = main.p2.pck
            && repeat > 1
        {
            let mut components = Vec::new();
            let mut feeds = Feeds::default();
            for step in 0..repeat {
                self.advance_main(group, main, step);
                feeds = Feeds::default();
                let component = match pck.format.reads() {
                    true => self.feed(main, &mut feeds, main.selectors.is3, step, true)?,
                    false => Src::Const(0),
                };
                components.push(component);
            }
            feeds.ft2 = Some(self.pack(&pck, &components)?);
            let w = self.phases(group, main, &mut feeds, repeat - 1)?;
            self.write_w(group, w, [0; 2])?;
            return self.finish_group(only);
        }
        for step in 0..repeat {
            self.advance_main(group, main, step);
            let mut feeds = Feeds::default();
            let w = self.phases(group, main, &mut feeds, step)?;
            self.write_w(group, w, [step; 2])?;
            self.finish_group(only)?;
        }
        Ok(())
    }

    /// The sources of a repetition: UNPCK takes all components of one register.
    fn advance_main(&mut self, group: &Group, main: &Main, step: u16) {
        self.advance(group, step);
        if matches!(main.p0, Some(Alu::Unpack { .. })) {
            self.sources[0] = group.lower.first().map(|register| advanced(*register, 0));
        }
    }

    /// All phases but PCK; gives W0 and W1.
    fn phases(
        &mut self,
        group: &Group,
        main: &Main,
        feeds: &mut Feeds,
        step: u16,
    ) -> Result<[Src; 2], LiftError> {
        self.carry = None;
        let s = &main.selectors;
        let Phase2 { mov, tst, .. } = main.p2;
        let named = |n: usize| group.w[n].is_some();
        let backend = main.backend;
        let wants = |w1: bool| match backend {
            Some(Backend::Uvsw {
                op,
                w1: second,
                address,
                ..
            }) => op.writes() && address.is_some() && second == w1,
            Some(Backend::Setl { w1: second }) => second == w1,
            Some(Backend::Movmsk { .. } | Backend::Depthf) => !w1,
            _ => false,
        };
        // Operations that write P0, or W0 and W1 by themselves.
        let eager = match main.p0 {
            Some(Alu::Fred { .. }) => true,
            Some(Alu::Single { op, .. }) => op == crate::isa::alu::Single::FSINC,
            _ => false,
        };
        if eager {
            self.feed(main, feeds, Feed::FT0, step, false)?;
        }
        if matches!(backend, Some(Backend::Savmsk { .. })) {
            feeds.w = Some(self.coverage());
        }
        let truth = match tst {
            Some(tst) => {
                let unused = Src::Const(0);
                let left = match (tst.op.sem(), s.is1_fte) {
                    (0, _) => {
                        self.feed(main, feeds, Feed::FT0, step, false)?;
                        unused
                    }
                    (_, true) => self.feed(main, feeds, Feed::FTE, step, false)?,
                    (_, false) => self.feed(main, feeds, Feed::FT0, step, false)?,
                };
                let right = match (tst.op.sem(), s.is2_fte) {
                    (2, true) => self.feed(main, feeds, Feed::FTE, step, false)?,
                    (2, false) => self.feed(main, feeds, Feed::FT1, step, false)?,
                    _ => unused,
                };
                Some(self.test(&tst, left, right)?)
            }
            None => None,
        };
        let mut w = [Src::Const(0); 2];
        for (n, w) in w.iter_mut().enumerate() {
            if !named(n) && !wants(n == 1) {
                continue;
            }
            *w = match feeds.w {
                Some(driven) => driven[n],
                None => self.w(main, mov.as_ref(), truth, feeds, (n, step))?,
            };
        }
        if let Some(backend) = backend {
            let late = self.late_rows(group, &backend)?;
            if !late.is_empty() {
                // They are of before the backend writes.
                w = w.map(|value| self.kept(value));
            }
            self.backend(&backend, w)?;
            self.late = late;
        }
        Ok(w)
    }

    /// The rows of results that come late: behind W0 and W1, whose registers they overwrite. [Rogue 2.2]
    fn late_rows(&self, group: &Group, backend: &Backend) -> Result<Range<u16>, LiftError> {
        let at = match *backend {
            Backend::Fitr { .. } | Backend::Ld { .. } => 3,
            Backend::Smp(sample) if results(&sample) > 0 => 4,
            Backend::Atom { destination, .. } => destination,
            _ => return Ok(0..0),
        };
        Ok(match self.file(at)? {
            File::Rows { first, end } => {
                first..end.min(first.saturating_add(reach(group, at.into())))
            }
            File::Scalars { .. } => 0..0,
        })
    }

    /// A value as it is now, in a row of its own.
    fn kept(&mut self, value: Src) -> Src {
        let Src::Row(from) = value else {
            return value;
        };
        let clean = self.clean.contains(&from);
        let row = self.row();
        self.copy_to(row, value);
        if clean {
            self.clean.insert(row);
        }
        Src::Row(row)
    }

    /// W0 or W1.
    fn w(
        &mut self,
        main: &Main,
        mov: Option<&Mov>,
        truth: Option<u16>,
        feeds: &mut Feeds,
        (n, step): (usize, u16),
    ) -> Result<Src, LiftError> {
        let s = &main.selectors;
        let plain = if n == 0 { s.is4 } else { s.is5 };
        let Some(mov) = mov else {
            return self.feed(main, feeds, plain, step, false);
        };
        let from = if n == 0 { mov.w0 } else { mov.w1 };
        let whole = n == 1 || mov.mask == 15;
        if !mov.conditional && whole {
            return self.feed(main, feeds, from, step, false);
        }
        let otherwise = self.feed(main, feeds, plain, step, false)?;
        let moved = match (whole, mov.mask) {
            (true, _) => self.feed(main, feeds, from, step, false)?,
            (false, 0) => otherwise,
            (false, mask) => {
                let moved = self.feed(main, feeds, from, step, false)?;
                let bits = (0..4).fold(0, |bits, byte| {
                    bits | (u32::from(mask >> byte & 1) * 0xff) << (8 * byte)
                });
                self.op(Bfi, &[Src::Const(bits), moved, otherwise])
            }
        };
        match (mov.conditional, truth) {
            (false, _) => Ok(moved),
            (true, Some(truth)) => Ok(self.select(truth, otherwise, moved)),
            (true, None) => Err(self.meaningless("MOVC without a test in its group")),
        }
    }

    /// What a feed-through carries. `packing`: for the operand of PCK, where FT2 stands for S2.
    fn feed(
        &mut self,
        main: &Main,
        feeds: &mut Feeds,
        feed: Feed,
        step: u16,
        packing: bool,
    ) -> Result<Src, LiftError> {
        let known = match feed {
            Feed::FT0 => feeds.ft0,
            Feed::FT1 => feeds.ft1,
            Feed::FT2 if packing => return self.source(2),
            Feed::FT2 => feeds.ft2,
            Feed::FTE => feeds.fte,
        };
        if let Some(known) = known {
            return Ok(known);
        }
        let value = match feed {
            Feed::FT0 => match main.p0 {
                Some(Alu::Wide { .. }) => {
                    let [low, high] = self.integer_64(main)?;
                    if has_high(main) {
                        feeds.fte = Some(high);
                    }
                    low
                }
                Some(alu) => self.alu(&alu, 0, step, feeds)?,
                None => Src::Const(0),
            },
            Feed::FT1 => match main.p1 {
                Some(alu) => self.alu(&alu, 3, step, feeds)?,
                None => Src::Const(0),
            },
            Feed::FT2 => match main.p2.pck {
                Some(pck) => {
                    let from = match pck.format.reads() {
                        true => self.feed(main, feeds, main.selectors.is3, step, true)?,
                        false => Src::Const(0),
                    };
                    self.pack(&pck, &[from])?
                }
                None => Src::Const(0),
            },
            Feed::FTE if has_high(main) => {
                self.feed(main, feeds, Feed::FT0, step, packing)?;
                return Ok(feeds.fte.unwrap_or(Src::Const(0)));
            }
            Feed::FTE => self.source(main.selectors.is0)?,
        };
        match feed {
            Feed::FT0 => feeds.ft0 = Some(value),
            Feed::FT1 => feeds.ft1 = Some(value),
            Feed::FT2 => feeds.ft2 = Some(value),
            Feed::FTE => feeds.fte = Some(value),
        }
        Ok(value)
    }

    /// P0 becomes what a pair says.
    pub(super) fn set_predicate(&mut self, new: u16) {
        self.predicate = Some(new);
    }
}

/// Whether FTE carries the high word of an integer operation.
fn has_high(main: &Main) -> bool {
    matches!(
        main.p0,
        Some(Alu::Wide {
            op: Wide::ADD6432 | Wide::ADD64 | Wide::MADD64,
            ..
        })
    )
}
