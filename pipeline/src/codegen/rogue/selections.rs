//! One of two values: minima, maxima, selections by a condition.

use ::rogue::isa::Format;
use ::rogue::isa::phase2::{Feed, Selectors, Test, TestType};
use lanes::LaneOp;

use super::choose::{copy, movc, packed, tst};
use super::comparisons::test;
use super::machine::{Dst, Main, Operand, UNIT, ZERO};
use super::select::{Condition, Select, Source};
use crate::ir::Value;

impl Select<'_> {
    /// A minimum or maximum: one group.
    pub(super) fn extreme(&mut self, op: LaneOp, args: &[Value]) -> Operand {
        use LaneOp::*;
        let code = match op {
            FMinLegacy => (Test::TSTL, TestType::F32),
            FMaxLegacy => (Test::TSTGE, TestType::F32),
            IMin => (Test::TSTL, TestType::S32),
            IMax => (Test::TSTG, TestType::S32),
            UMin => (Test::TSTL, TestType::U32),
            _ => (Test::TSTG, TestType::U32),
        };
        let sources = [args[0], args[1]].map(|value| {
            let source = self.operand(op, value);
            self.first(source)
        });
        self.either(sources, code)
    }

    /// The first of two where a test of them holds, else the second.
    pub(super) fn either(&mut self, sources: [Source; 2], code: (Test, TestType)) -> Operand {
        let unit = self.code.unit();
        self.main(Main {
            p0: Some(copy(sources[0])),
            p1: Some(copy(sources[1])),
            tst: tst(code, false),
            mov: movc(Feed::FT0),
            selectors: Selectors {
                is4: Feed::FT1,
                ..Selectors::default()
            },
            w: [Some(Dst::Unit(unit)), None],
            ..Main::default()
        });
        Operand::Unit(unit)
    }

    /// `condition ? yes : no`
    pub(super) fn select(&mut self, result: Value, args: &[Value]) {
        let (condition, mut inverted) = self.condition(args[0]);
        let found = match condition {
            Condition::Compare(op, a, b) => {
                let (yes, no) = if inverted {
                    (args[2], args[1])
                } else {
                    (args[1], args[2])
                };
                if let Some(found) = self.select_compared(op, [a, b], [yes, no]) {
                    found
                } else if let Some((code, value, turned)) = self.zero_compare(op, a, b) {
                    // A comparison takes sign changes along, FTE does not.
                    let tested = match self.is_absorbed(value) {
                        true => self.signed(value),
                        false => self.word(value),
                    };
                    self.select_tested(tested, code, turned, [yes, no])
                } else {
                    let mask = match self.compare(op, &[a, b]) {
                        Ok(mask) => mask,
                        Err(_) => ZERO,
                    };
                    self.select_tested(mask, (Test::TSTZ, TestType::U32), true, [yes, no])
                }
            }
            Condition::Mask(value) => {
                let mask = self.word(value);
                inverted ^= true;
                let code = (Test::TSTZ, TestType::U32);
                self.select_tested(mask, code, inverted, [args[1], args[2]])
            }
        };
        self.define(result, found);
    }

    /// A choice by a test of one word, which FTE carries.
    fn select_tested(
        &mut self,
        tested: Operand,
        code: (Test, TestType),
        inverted: bool,
        [yes, no]: [Value; 2],
    ) -> Operand {
        let sources = [yes, no].map(|value| {
            let word = self.word(value);
            Source::plain(self.fitting(word, 0))
        });
        let (when, otherwise) = match inverted {
            false => (Feed::FT0, Feed::FT1),
            true => (Feed::FT1, Feed::FT0),
        };
        let unit = self.code.unit();
        self.main(Main {
            p0: Some(copy(sources[0])),
            p1: Some(copy(sources[1])),
            tst: tst(code, false),
            mov: movc(when),
            extra: Some(tested),
            selectors: Selectors {
                is1_fte: true,
                is4: otherwise,
                ..Selectors::default()
            },
            w: [Some(Dst::Unit(unit)), None],
            ..Main::default()
        });
        Operand::Unit(unit)
    }

    /// A choice by a comparison of two words, where the results are among them, constants of PCK and one word more.
    fn select_compared(
        &mut self,
        op: LaneOp,
        compared: [Value; 2],
        results: [Value; 2],
    ) -> Option<Operand> {
        let code = test(op)?;
        let sources = compared.map(|value| {
            let source = self.operand(op, value);
            self.first(source)
        });
        let mut extra: Option<Operand> = None;
        let mut pck = None;
        let mut feeds = [Feed::FT0; 2];
        for (feed, value) in feeds.iter_mut().zip(results) {
            let word = self.word(value);
            let as_compared = sources
                .iter()
                .position(|source| source.is_plain() && source.operand == word);
            let constant = match word {
                ZERO => Some(Format::CONST0),
                UNIT => Some(Format::CONST1),
                _ => None,
            };
            let free = |format: Format| pck.is_none_or(|held: Format| held == format);
            *feed = match (as_compared, constant) {
                (Some(0), _) => Feed::FT0,
                (Some(_), _) => Feed::FT1,
                (None, Some(format)) if free(format) => {
                    pck = Some(format);
                    Feed::FT2
                }
                _ if extra.is_none_or(|held| held == word) => {
                    extra = Some(word);
                    Feed::FTE
                }
                _ => return None,
            };
        }
        let unit = self.code.unit();
        self.main(Main {
            p0: Some(copy(sources[0])),
            p1: Some(copy(sources[1])),
            pck: pck.and_then(packed),
            tst: tst(code, false),
            mov: movc(feeds[0]),
            extra,
            selectors: Selectors {
                is4: feeds[1],
                ..Selectors::default()
            },
            w: [Some(Dst::Unit(unit)), None],
            ..Main::default()
        });
        Some(Operand::Unit(unit))
    }
}
