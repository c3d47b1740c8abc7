//! Six words to an instruction and back. [R5XX 8.8]
//!
//! Bits that mean nothing where they stand are kept in [`Inst::stray`], so that every word that decodes encodes to
//! itself.

use super::codes::{
    AddressOp, BranchOp, Modifier, Omod, PredSelect, Presubtract, Select, Swizzle, Test,
};
use super::inst::{
    Alu, Body, DecodeError, Fc, Half, Input, Inst, Predicate, Register, Source, Sources, Tex,
    TexRegister,
};
use super::ops::{AlphaOp, AluSem, FcOp, RgbOp, TexOp, TexSem};
use super::words::{Addr, AlphaInst, Cmn, FcAddr, FcInst, RgbInst, RgbaInst, TexAddr, TexInst};

impl Source {
    fn decode(field: (u8, bool, bool), at: u8, word: u32) -> Result<Source, DecodeError> {
        match field {
            (at, true, relative) => Ok(Source::Constant { at, relative }),
            (at @ 0..128, false, relative) => Ok(Source::Temp { at, relative }),
            (_, false, true) => Err(DecodeError::InlineRelative { at, word }),
            (bits, false, false) => Ok(Source::Inline(bits & 127)),
        }
    }

    fn fields(self) -> (u8, bool, bool) {
        match self {
            Source::Temp { at, relative } => (at, false, relative),
            Source::Constant { at, relative } => (at, true, relative),
            Source::Inline(bits) => (bits | 128, false, false),
        }
    }
}

/// The value of a field whose codes all have one.
fn all<T: Default>(value: Option<T>) -> T {
    value.unwrap_or_default()
}

impl Sources {
    fn decode(word: u32) -> Result<Sources, DecodeError> {
        let addr = Addr::from_word(word);
        let source = |at, field| Source::decode(field, at, word);
        Ok(Sources {
            src: [
                source(0, (addr.addr0, addr.addr0_const, addr.addr0_rel))?,
                source(1, (addr.addr1, addr.addr1_const, addr.addr1_rel))?,
                source(2, (addr.addr2, addr.addr2_const, addr.addr2_rel))?,
            ],
            srcp: all(Presubtract::from_code(addr.srcp_op)),
        })
    }

    fn pack(&self) -> u32 {
        let [a, b, c] = self.src.map(Source::fields);
        Addr {
            srcp_op: self.srcp.code(),
            addr2_rel: c.2,
            addr2_const: c.1,
            addr2: c.0,
            addr1_rel: b.2,
            addr1_const: b.1,
            addr1: b.0,
            addr0_rel: a.2,
            addr0_const: a.1,
            addr0: a.0,
        }
        .pack()
    }
}

fn input<const N: usize>(select: u8, swizzle: [u8; N], modifier: u8) -> Input<N> {
    Input {
        select: all(Select::from_code(select)),
        swizzle: swizzle.map(|code| all(Swizzle::from_code(code))),
        modifier: all(Modifier::from_code(modifier)),
    }
}

fn predicate(
    field: &'static str,
    code: u8,
    invert: bool,
    word: u32,
) -> Result<Predicate, DecodeError> {
    let select = PredSelect::from_code(code);
    let select = select.ok_or(DecodeError::Reserved { field, code, word })?;
    Ok(Predicate { select, invert })
}

fn alpha_predicate(cmn: Cmn, word: u32) -> Result<Predicate, DecodeError> {
    let (code, invert) = (cmn.alpha_pred_sel, cmn.alpha_pred_inv);
    predicate("ALPHA_PRED_SEL", code, invert, word)
}

impl Alu {
    fn decode(words: [u32; 6], cmn: Cmn) -> Result<Alu, DecodeError> {
        let [head, _, _, rgb_word, alpha_word, rgba_word] = words;
        let (r, a) = (
            RgbInst::from_word(rgb_word),
            AlphaInst::from_word(alpha_word),
        );
        let c = RgbaInst::from_word(rgba_word);
        let reserved = |field, code, word| DecodeError::Reserved { field, code, word };
        let rgb_op = RgbOp::from_code(c.op.into()).filter(|op| op.sem() != AluSem::Reserved);
        let alpha_op = AlphaOp::from_code(a.op.into()).filter(|op| op.sem() != AluSem::Reserved);
        let alu = Alu {
            out: cmn.ty == 1,
            rgb: Half {
                op: rgb_op.ok_or(reserved("RGB_OP", c.op, rgba_word))?,
                sources: Sources::decode(words[1])?,
                inputs: [
                    input(
                        r.sel_a,
                        [r.red_swiz_a, r.green_swiz_a, r.blue_swiz_a],
                        r.mod_a,
                    ),
                    input(
                        r.sel_b,
                        [r.red_swiz_b, r.green_swiz_b, r.blue_swiz_b],
                        r.mod_b,
                    ),
                    input(
                        c.rgb_sel_c,
                        [c.red_swiz_c, c.green_swiz_c, c.blue_swiz_c],
                        c.rgb_mod_c,
                    ),
                ],
                omod: all(Omod::from_code(r.omod)),
                clamp: cmn.rgb_clamp,
                dst: Register {
                    at: c.addrd,
                    relative: c.addrd_rel,
                },
                wmask: cmn.rgb_wmask,
                target: r.target,
                omask: cmn.rgb_omask,
                predicate: predicate("RGB_PRED_SEL", cmn.rgb_pred_sel, cmn.rgb_pred_inv, head)?,
            },
            alpha: Half {
                op: alpha_op.ok_or(reserved("ALPHA_OP", a.op, alpha_word))?,
                sources: Sources::decode(words[2])?,
                inputs: [
                    input(a.sel_a, [a.swiz_a], a.mod_a),
                    input(a.sel_b, [a.swiz_b], a.mod_b),
                    input(c.alpha_sel_c, [c.alpha_swiz_c], c.alpha_mod_c),
                ],
                omod: all(Omod::from_code(a.omod)),
                clamp: cmn.alpha_clamp,
                dst: Register {
                    at: a.addrd,
                    relative: a.addrd_rel,
                },
                wmask: cmn.alpha_wmask.into(),
                target: a.target,
                omask: cmn.alpha_omask.into(),
                predicate: alpha_predicate(cmn, head)?,
            },
            depth: a.w_omask,
            result: r
                .alu_wmask
                .then_some((cmn.alu_result_sel, all(Test::from_code(cmn.alu_result_op)))),
        };
        alu.check(rgba_word, alpha_word)?;
        Ok(alu)
    }

    /// SOP and DP need a result to take, if theirs goes anywhere.
    fn check(&self, rgb_word: u32, alpha_word: u32) -> Result<(), DecodeError> {
        let (rgb, alpha) = (self.rgb.op, self.alpha.op);
        if rgb.sem() == AluSem::TakeScalar
            && self.writes_rgb()
            && !matches!(alpha.sem(), AluSem::Function(_))
        {
            return Err(DecodeError::Taken {
                taker: rgb.name(),
                giver: alpha.name(),
                word: rgb_word,
            });
        }
        if alpha.sem() == AluSem::TakeDot
            && self.writes_alpha()
            && !matches!(rgb.sem(), AluSem::Dot(_))
        {
            return Err(DecodeError::Taken {
                taker: alpha.name(),
                giver: rgb.name(),
                word: alpha_word,
            });
        }
        Ok(())
    }

    fn pack(&self, cmn: &mut Cmn) -> [u32; 5] {
        let (rgb, alpha) = (&self.rgb, &self.alpha);
        cmn.ty = self.out.into();
        cmn.rgb_pred_sel = rgb.predicate.select.code();
        cmn.rgb_pred_inv = rgb.predicate.invert;
        cmn.alpha_pred_sel = alpha.predicate.select.code();
        cmn.alpha_pred_inv = alpha.predicate.invert;
        (cmn.rgb_wmask, cmn.alpha_wmask) = (rgb.wmask, alpha.wmask != 0);
        (cmn.rgb_omask, cmn.alpha_omask) = (rgb.omask, alpha.omask != 0);
        (cmn.rgb_clamp, cmn.alpha_clamp) = (rgb.clamp, alpha.clamp);
        if let Some((of_alpha, test)) = self.result {
            (cmn.alu_result_sel, cmn.alu_result_op) = (of_alpha, test.code());
        }
        let [a, b, c] = rgb.inputs.map(|input| {
            let swizzle = input.swizzle.map(Swizzle::code);
            (input.select.code(), swizzle, input.modifier.code())
        });
        let rgb_inst = RgbInst {
            alu_wmask: self.result.is_some(),
            target: rgb.target,
            omod: rgb.omod.code(),
            mod_b: b.2,
            blue_swiz_b: b.1[2],
            green_swiz_b: b.1[1],
            red_swiz_b: b.1[0],
            sel_b: b.0,
            mod_a: a.2,
            blue_swiz_a: a.1[2],
            green_swiz_a: a.1[1],
            red_swiz_a: a.1[0],
            sel_a: a.0,
        };
        let [x, y, z] = alpha.inputs.map(|input| {
            let swizzle = input.swizzle[0].code();
            (input.select.code(), swizzle, input.modifier.code())
        });
        let alpha_inst = AlphaInst {
            w_omask: self.depth,
            target: alpha.target,
            omod: alpha.omod.code(),
            mod_b: y.2,
            swiz_b: y.1,
            sel_b: y.0,
            mod_a: x.2,
            swiz_a: x.1,
            sel_a: x.0,
            addrd_rel: alpha.dst.relative,
            addrd: alpha.dst.at,
            op: alpha.op.code() as u8,
        };
        let rgba_inst = RgbaInst {
            alpha_mod_c: z.2,
            alpha_swiz_c: z.1,
            alpha_sel_c: z.0,
            rgb_mod_c: c.2,
            blue_swiz_c: c.1[2],
            green_swiz_c: c.1[1],
            red_swiz_c: c.1[0],
            rgb_sel_c: c.0,
            addrd_rel: rgb.dst.relative,
            addrd: rgb.dst.at,
            op: rgb.op.code() as u8,
        };
        [
            rgb.sources.pack(),
            alpha.sources.pack(),
            rgb_inst.pack(),
            alpha_inst.pack(),
            rgba_inst.pack(),
        ]
    }
}

impl TexRegister {
    fn pair(word: u32) -> [TexRegister; 2] {
        let addr = TexAddr::from_word(word);
        let swizzle = |bits: u8| [0, 2, 4, 6].map(|at| bits >> at & 3);
        [
            TexRegister {
                at: addr.low_addr,
                relative: addr.low_rel,
                swizzle: swizzle(addr.low_swiz),
            },
            TexRegister {
                at: addr.high_addr,
                relative: addr.high_rel,
                swizzle: swizzle(addr.high_swiz),
            },
        ]
    }

    fn pack(low: &TexRegister, high: &TexRegister) -> u32 {
        let bits = |register: &TexRegister| {
            let codes = register.swizzle.iter().rev();
            codes.fold(0, |bits, code| bits << 2 | code)
        };
        TexAddr {
            high_swiz: bits(high),
            high_rel: high.relative,
            high_addr: high.at,
            low_swiz: bits(low),
            low_rel: low.relative,
            low_addr: low.at,
        }
        .pack()
    }
}

impl Tex {
    fn decode(words: [u32; 6], cmn: Cmn) -> Result<Tex, DecodeError> {
        let inst = TexInst::from_word(words[1]);
        let op = TexOp::from_code(inst.inst.into()).filter(|op| op.sem() != TexSem::Reserved);
        let [src, dst] = TexRegister::pair(words[2]);
        let gradients = TexRegister::pair(words[3]);
        let op = op.ok_or(DecodeError::Reserved {
            field: "INST",
            code: inst.inst,
            word: words[1],
        })?;
        Ok(Tex {
            op,
            unit: inst.tex_id,
            acquire: inst.tex_sem_acquire,
            ignore_uncovered: inst.ignore_uncovered,
            unscaled: inst.unscaled,
            src,
            dst,
            gradients: match op.sem() {
                TexSem::Gradients => gradients,
                _ => Default::default(),
            },
            wmask: cmn.rgb_wmask | u8::from(cmn.alpha_wmask) << 3,
            predicates: [
                predicate("RGB_PRED_SEL", cmn.rgb_pred_sel, cmn.rgb_pred_inv, words[0])?,
                alpha_predicate(cmn, words[0])?,
            ],
        })
    }

    fn pack(&self, cmn: &mut Cmn) -> [u32; 5] {
        let [rgb, alpha] = self.predicates;
        cmn.ty = 3;
        (cmn.rgb_pred_sel, cmn.rgb_pred_inv) = (rgb.select.code(), rgb.invert);
        (cmn.alpha_pred_sel, cmn.alpha_pred_inv) = (alpha.select.code(), alpha.invert);
        (cmn.rgb_wmask, cmn.alpha_wmask) = (self.wmask & 7, self.wmask >> 3 & 1 == 1);
        let inst = TexInst {
            reserved_high: 0,
            unscaled: self.unscaled,
            ignore_uncovered: self.ignore_uncovered,
            tex_sem_acquire: self.acquire,
            inst: self.op.code() as u8,
            reserved_mid: 0,
            tex_id: self.unit,
            reserved_low: 0,
        };
        let addr = TexRegister::pack(&self.src, &self.dst);
        let [dx, dy] = &self.gradients;
        [inst.pack(), addr, TexRegister::pack(dx, dy), 0, 0]
    }
}

impl Fc {
    fn decode(words: [u32; 6], cmn: Cmn) -> Result<Fc, DecodeError> {
        let (inst, addr) = (FcInst::from_word(words[2]), FcAddr::from_word(words[3]));
        let reserved = |field, code| DecodeError::Reserved {
            field,
            code,
            word: words[2],
        };
        let op = FcOp::from_code(inst.op.into()).ok_or(reserved("OP", inst.op))?;
        let address = AddressOp::from_code(inst.a_op).ok_or(reserved("A_OP", inst.a_op))?;
        let stay = BranchOp::from_code(inst.b_op0).ok_or(reserved("B_OP0", inst.b_op0))?;
        let jump = BranchOp::from_code(inst.b_op1).ok_or(reserved("B_OP1", inst.b_op1))?;
        Ok(Fc {
            op,
            jump_func: inst.jump_func,
            jump_any: inst.jump_any,
            b_else: inst.b_else,
            address,
            stay,
            jump,
            pop_count: inst.b_pop_cnt,
            ignore_uncovered: inst.ignore_uncovered,
            boolean: addr.bool_addr,
            integer: addr.int_addr,
            target: addr.jump_addr,
            global: addr.jump_global,
            predicate: predicate("RGB_PRED_SEL", cmn.rgb_pred_sel, cmn.rgb_pred_inv, words[0])?,
        })
    }

    fn pack(&self, cmn: &mut Cmn) -> [u32; 5] {
        cmn.ty = 2;
        cmn.rgb_pred_sel = self.predicate.select.code();
        cmn.rgb_pred_inv = self.predicate.invert;
        let inst = FcInst {
            reserved_high: 0,
            ignore_uncovered: self.ignore_uncovered,
            b_op1: self.jump.code(),
            b_op0: self.stay.code(),
            reserved_mid: 0,
            b_pop_cnt: self.pop_count,
            jump_func: self.jump_func,
            a_op: self.address.code(),
            jump_any: self.jump_any,
            b_else: self.b_else,
            reserved_low: false,
            op: self.op.code() as u8,
        };
        let addr = FcAddr {
            jump_global: self.global,
            reserved_high: 0,
            jump_addr: self.target,
            reserved_mid: 0,
            int_addr: self.integer,
            reserved_low: 0,
            bool_addr: self.boolean,
        };
        [0, inst.pack(), addr.pack(), 0, 0]
    }
}

impl Inst {
    /// The instruction of six words.
    pub fn decode(words: [u32; 6]) -> Result<Inst, DecodeError> {
        let cmn = Cmn::from_word(words[0]);
        let body = match cmn.ty {
            2 => Body::Fc(Fc::decode(words, cmn)?),
            3 => Body::Tex(Tex::decode(words, cmn)?),
            _ => Body::Alu(Alu::decode(words, cmn)?),
        };
        let mut inst = Inst {
            sem_wait: cmn.tex_sem_wait,
            write_inactive: cmn.write_inactive,
            last: cmn.last,
            nop: cmn.nop,
            alu_wait: cmn.alu_wait,
            stat: cmn.stat_we,
            body,
            stray: [0; 6],
        };
        let packed = inst.encode();
        inst.stray = std::array::from_fn(|at| words[at] ^ packed[at]);
        Ok(inst)
    }

    /// The six words.
    pub fn encode(&self) -> [u32; 6] {
        let mut cmn = Cmn {
            stat_we: self.stat,
            alu_wait: self.alu_wait,
            nop: self.nop,
            last: self.last,
            write_inactive: self.write_inactive,
            tex_sem_wait: self.sem_wait,
            ..Cmn::from_word(0)
        };
        let [a, b, c, d, e] = match &self.body {
            Body::Alu(alu) => alu.pack(&mut cmn),
            Body::Tex(tex) => tex.pack(&mut cmn),
            Body::Fc(fc) => fc.pack(&mut cmn),
        };
        let words = [cmn.pack(), a, b, c, d, e];
        std::array::from_fn(|at| words[at] ^ self.stray[at])
    }
}
