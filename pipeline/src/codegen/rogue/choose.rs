//! Comparisons, predicates, bools.

use ::rogue::isa::Format;
use ::rogue::isa::alu::{Alu, Modifiers, Single};
use ::rogue::isa::phase2::{Feed, Mov, Pck, Selectors, Test, TestType, Tst};
use lanes::LaneOp;

use super::comparisons::{test, zero_test};
use super::machine::{Body, Dst, Inst, Main, Operand, Phase, TRUE, UNIT, ZERO};
use super::select::{Condition, Select, Source, bypass};
use crate::codegen::Result;
use crate::ir::{BoolOp, Value};

/// MOVC that takes W0 from a source where the test holds.
pub(super) const fn movc(w0: Feed) -> Option<Mov> {
    Some(Mov {
        conditional: true,
        mask: 15,
        w0,
        w1: Feed::FT0,
    })
}

pub(super) const fn tst((op, ty): (Test, TestType), p0: bool) -> Option<Tst> {
    Some(Tst {
        op,
        ty,
        element: 0,
        p0,
    })
}

/// PCK of a constant, 0 or 1.0.
pub(super) const fn packed(format: Format) -> Option<Pck> {
    Some(Pck {
        format,
        prog: false,
        round_zero: false,
        scale: false,
    })
}

pub(super) fn copy(source: Source) -> Phase {
    Phase {
        alu: bypass(source.mods()),
        src: vec![source.operand],
    }
}

impl Select<'_> {
    fn is_zero(&self, value: Value, float: bool) -> bool {
        let zero = |bits: u32| bits == 0 || float && bits == 1 << 31;
        self.defs.constant(value).is_some_and(zero)
    }

    /// A comparison with zero: its test, the value, and whether the result is turned over.
    pub(super) fn zero_compare(
        &self,
        op: LaneOp,
        a: Value,
        b: Value,
    ) -> Option<((Test, TestType), Value, bool)> {
        let float = op.params()[0] == lanes::Operand::F32;
        let (left, value) = match (self.is_zero(a, float), self.is_zero(b, float)) {
            (_, true) => (false, a),
            (true, _) => (true, b),
            _ => return None,
        };
        let (op, ty, inverted) = zero_test(op, left)?;
        Some(((op, ty), value, inverted))
    }

    pub(super) fn operand(&mut self, op: LaneOp, value: Value) -> Source {
        match op.params()[0] {
            lanes::Operand::F32 => self.source(value),
            _ => Source::plain(self.word(value)),
        }
    }

    /// A source that fits the first slot of a phase.
    pub(super) fn first(&mut self, source: Source) -> Source {
        Source {
            operand: self.fitting(source.operand, 0),
            ..source
        }
    }

    /// The word of a float with the sign changes that lead to it.
    pub(super) fn signed(&mut self, value: Value) -> Operand {
        let source = self.source(value);
        match source.is_plain() {
            true => source.operand,
            false => self.phase(bypass(source.mods()), vec![source.operand]),
        }
    }

    /// P0 where a word is zero.
    pub(super) fn test_word(&mut self, word: Operand) {
        let word = self.fitting(word, 0);
        self.test_source(Source::plain(word), (Test::TSTZ, TestType::U32));
    }

    /// P0 where a test of one operand holds.
    pub(super) fn test_source(&mut self, source: Source, code: (Test, TestType)) {
        self.main(Main {
            p0: Some(copy(source)),
            tst: tst(code, true),
            ..Main::default()
        });
    }

    /// 1.0 where any of a lane and its neighbour is not zero: `op` is their difference.
    pub(super) fn quad_any(&self, op: Single, from: Operand, to: Dst) -> Inst {
        let alu = Alu::Single {
            op,
            mods: Modifiers::default(),
        };
        Inst::new(Body::Main(Main {
            p0: Some(Phase {
                alu,
                src: vec![from],
            }),
            p1: Some(copy(Source::plain(from))),
            tst: tst((Test::TSTZ, TestType::F32), false),
            mov: movc(Feed::FT1),
            extra: Some(UNIT),
            selectors: Selectors {
                is4: Feed::FTE,
                ..Selectors::default()
            },
            w: [Some(to), None],
            ..Main::default()
        }))
    }

    /// 1.0 where a word is not zero, else 0.
    pub(super) fn truth(&mut self, to: u32, word: Operand) {
        let word = self.fitting(word, 0);
        self.main(Main {
            p0: Some(copy(Source::plain(word))),
            pck: packed(Format::CONST1),
            tst: tst((Test::TSTZ, TestType::U32), false),
            mov: movc(Feed::FTE),
            extra: Some(ZERO),
            selectors: Selectors {
                is4: Feed::FT2,
                ..Selectors::default()
            },
            w: [Some(Dst::Unit(to)), None],
            ..Main::default()
        });
    }

    /// A word where it is at most a limit, else another, all unsigned.
    pub(super) fn limited(&mut self, to: Dst, word: Operand, limit: Operand, instead: Operand) {
        let [word, instead] = [word, instead].map(|operand| self.fitting(operand, 0));
        self.main(Main {
            p0: Some(copy(Source::plain(word))),
            p1: Some(copy(Source::plain(instead))),
            tst: tst((Test::TSTLE, TestType::U32), false),
            mov: movc(Feed::FT0),
            extra: Some(limit),
            selectors: Selectors {
                is2_fte: true,
                is4: Feed::FT1,
                ..Selectors::default()
            },
            w: [Some(to), None],
            ..Main::default()
        });
    }

    /// A word where `place` is below `limit`, unsigned, else 0.
    pub(super) fn within(&mut self, to: Dst, place: Operand, limit: Operand, word: Operand) {
        let [place, limit] = [place, limit].map(|operand| self.fitting(operand, 0));
        self.main(Main {
            p0: Some(copy(Source::plain(place))),
            p1: Some(copy(Source::plain(limit))),
            pck: packed(Format::CONST0),
            tst: tst((Test::TSTL, TestType::U32), false),
            mov: movc(Feed::FTE),
            extra: Some(word),
            selectors: Selectors {
                is4: Feed::FT2,
                ..Selectors::default()
            },
            w: [Some(to), None],
            ..Main::default()
        });
    }

    /// P0 from a condition; gives whether it is turned over.
    pub(super) fn set_p0(&mut self, condition: Value) -> bool {
        let (condition, inverted) = self.condition(condition);
        let (op, a, b) = match condition {
            Condition::Mask(value) => {
                let word = self.word(value);
                self.test_word(word);
                return !inverted;
            }
            Condition::Compare(op, a, b) => (op, a, b),
        };
        if let Some((code, value, turned)) = self.zero_compare(op, a, b) {
            let source = self.operand(op, value);
            let source = self.first(source);
            self.test_source(source, code);
            return inverted ^ turned;
        }
        let sources = [a, b].map(|value| {
            let source = self.operand(op, value);
            self.first(source)
        });
        self.main(Main {
            p0: Some(copy(sources[0])),
            p1: Some(copy(sources[1])),
            tst: test(op).and_then(|code| tst(code, true)),
            ..Main::default()
        });
        inverted
    }

    /// All ones where a comparison holds.
    pub(super) fn compare(&mut self, op: LaneOp, args: &[Value]) -> Result<Operand> {
        let Some(code) = test(op) else {
            return Err(self.unsupported(format!("the operation {}", op.name())));
        };
        let sources = [args[0], args[1]].map(|value| {
            let source = self.operand(op, value);
            self.first(source)
        });
        let unit = self.code.unit();
        let mut main = Main {
            p0: Some(copy(sources[0])),
            pck: packed(Format::CONST0),
            tst: tst(code, false),
            mov: movc(Feed::FTE),
            extra: Some(TRUE),
            selectors: Selectors {
                is4: Feed::FT2,
                ..Selectors::default()
            },
            w: [Some(Dst::Unit(unit)), None],
            ..Main::default()
        };
        match self.zero_compare(op, args[0], args[1]) {
            Some((code, value, inverted)) => {
                let source = self.operand(op, value);
                main.p0 = Some(copy(self.first(source)));
                main.tst = tst(code, false);
                if inverted {
                    main.mov = movc(Feed::FT2);
                    main.selectors.is4 = Feed::FTE;
                }
            }
            None => main.p1 = Some(copy(sources[1])),
        }
        self.main(main);
        Ok(Operand::Unit(unit))
    }

    /// All ones where two words are equal.
    pub(super) fn equal(&mut self, sources: [Source; 2]) -> Operand {
        let unit = self.code.unit();
        self.main(Main {
            p0: Some(copy(sources[0])),
            p1: Some(copy(sources[1])),
            pck: packed(Format::CONST0),
            tst: tst((Test::TSTE, TestType::U32), false),
            mov: movc(Feed::FTE),
            extra: Some(TRUE),
            selectors: Selectors {
                is4: Feed::FT2,
                ..Selectors::default()
            },
            w: [Some(Dst::Unit(unit)), None],
            ..Main::default()
        });
        Operand::Unit(unit)
    }

    pub(super) fn bool_op(&mut self, op: BoolOp, args: &[Value]) -> Operand {
        let op = match op {
            BoolOp::And => LaneOp::And,
            BoolOp::Or => LaneOp::Or,
            BoolOp::Xor => LaneOp::Xor,
        };
        self.bit_operation(op, args).unwrap_or(ZERO)
    }
}
