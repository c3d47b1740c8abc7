//! The instructions of [`super::assembler`] on vectors of eight lanes (AVX2, FMA, F16C). Masks are vectors on the stack but for
//! two: those that live within an operation have lanes of all ones or zeros, of others the signs count. What AVX-512 does at
//! once takes some instructions.
//! [Intel SDM vol. 2, 2.3 "Intel Advanced Vector Extensions", and the instructions' pages]

use super::assembler::*;
use super::emitter::EXEC;
use super::recipe::{GE, K, T, UNORDERED};

/// Vector register 0 to 15.
type Ymm = u8;

/// Registers for masks of the stack, of which the last one stays, and for what lives within an instruction.
const MASK: Ymm = 14;
const VALUE: Ymm = 15;

/// The first numbers of [`Zmm`] for temporaries, and of the registers that stand for them. Lower ones hold operands.
const TEMPORARIES: (Zmm, Ymm) = (T[0], 6);

/// Masks that have registers: the first of those that live within an operation, and that of enabled lanes.
const WITHIN: (K, Ymm) = (K[0], 12);
const ENABLED: (K, Ymm) = (EXEC, 13);

/// Registers that hold operands.
pub(super) const HELD: usize = TEMPORARIES.1 as usize;

/// Bytes of the stack: a vector for each mask, and the stack pointer.
const FRAME: i32 = 256;
const POINTER: i32 = 224;

/// How far each lane's bit of a byte is from the sign.
const TO_SIGNS: [u32; 8] = [31, 30, 29, 28, 27, 26, 25, 24];

/// Float constants of conversions.
const TWO_31: u32 = 0x4f00_0000;
const TWO_32: u32 = 0x4f80_0000;
const TWO_16: u32 = 0x4780_0000;

instructions! {
    EQUAL = 1 1 0 0x76;
    GREATER = 1 1 0 0x66;
    // The third operand where the sign of the fourth, an immediate, is set, else the second.
    CHOOSE = 3 1 0 0x4a;
    BROADCAST_BYTE = 2 1 0 0x78;
    PACK_SIGNED = 1 1 0 0x6b;
    PERMUTE_64 = 3 1 1 0x00;
    SIGNS = 1 0 0 0x50;
    // `reg = reg * rm + v`
    FMA_132 = 2 1 0 0x98;
}

/// The last operand.
#[derive(Clone, Copy)]
enum Last {
    Ymm(Ymm),
    /// Eight lanes of a row.
    Row(u16),
    /// The number of a vector in the pool.
    Pool(usize),
    /// A mask on the stack.
    Stack(K),
    /// One word.
    Scalar(u16),
    Saved(u16),
    /// A byte of a mask.
    Byte(u16),
}

fn ymm(register: Zmm) -> Ymm {
    match register.checked_sub(TEMPORARIES.0) {
        Some(temporary) => TEMPORARIES.1 + temporary,
        None => register,
    }
}

/// Where a mask is.
fn mask_at(k: K) -> Last {
    match k {
        k if k == WITHIN.0 => Last::Ymm(WITHIN.1),
        k if k == ENABLED.0 => Last::Ymm(ENABLED.1),
        k => Last::Stack(k),
    }
}

impl Assembler {
    fn vex(
        &mut self,
        what: Instruction,
        reg: u8,
        second: u8,
        last: Last,
        immediate: impl Into<Option<u8>>,
    ) {
        let immediate = immediate.into();
        // Bits that are stored inverted: R, X, B.
        let b = match last {
            Last::Ymm(at) => at >> 3 & 1 ^ 1,
            Last::Byte(_) => 0,
            _ => 1,
        };
        let Instruction {
            map,
            prefix,
            wide,
            opcode,
        } = what;
        self.bytes(&[
            0xc4,
            (reg >> 3 & 1 ^ 1) << 7 | 1 << 6 | b << 5 | map,
            u8::from(wide) << 7 | (!second & 15) << 3 | 1 << 2 | prefix,
            opcode,
        ]);
        let reg = (reg & 7) << 3;
        match last {
            Last::Ymm(at) => self.bytes(&[0xc0 | reg | at & 7]),
            Last::Row(row) => self.displaced(reg, RDI, i32::from(row) * 256 - BIAS, 1),
            Last::Scalar(at) => self.displaced(reg, RSI, i32::from(at) * 4, 1),
            Last::Byte(pair) => self.displaced(reg, R8, i32::from(pair) * 4, 1),
            Last::Saved(n) => self.bytes(&[0x44 | reg, 0x24, !(4 * n + 3) as u8]),
            Last::Stack(k) => {
                self.bytes(&[0x84 | reg, 0x24]);
                self.word(32 * i32::from(k - 1));
            }
            Last::Pool(number) => self.pooled(reg, number, immediate.is_some()),
        }
        self.bytes(immediate.as_slice());
    }

    /// A constant in all lanes.
    fn all(&mut self, value: u32) -> Last {
        Last::Pool(self.constant([value; 8]))
    }

    /// An operand; a number goes to all lanes of a register.
    fn operand(&mut self, place: Place) -> Last {
        let number = match place {
            Place::Zmm(register) => return Last::Ymm(ymm(register)),
            Place::Row(row) => return Last::Row(row),
            Place::Const(value) => return self.all(value),
            Place::Scalar(at) => Last::Scalar(at),
            Place::Saved(n) => Last::Saved(n),
        };
        self.vex(BROADCAST, VALUE, 0, number, None);
        Last::Ymm(VALUE)
    }

    /// An operand in a register: in `spare` where it lies in memory.
    fn in_register(&mut self, last: Last, spare: Ymm) -> Ymm {
        match last {
            Last::Ymm(register) => register,
            _ => {
                self.vex(LOAD, spare, 0, last, None);
                spare
            }
        }
    }

    /// A mask in a register.
    fn mask(&mut self, k: K) -> Ymm {
        match mask_at(k) {
            Last::Ymm(register) => register,
            last => {
                if self.kept != Some(k) {
                    self.vex(LOAD, MASK, 0, last, None);
                    self.kept = Some(k);
                }
                MASK
            }
        }
    }

    /// The register that a mask's value is to be made in: see [`Assembler::put`].
    fn made(k: K) -> Ymm {
        match mask_at(k) {
            Last::Ymm(register) => register,
            _ => MASK,
        }
    }

    /// The mask has been made.
    fn put(&mut self, k: K) {
        if let last @ Last::Stack(_) = mask_at(k) {
            self.vex(STORE, MASK, 0, last, None);
            self.kept = Some(k);
        }
    }

    /// A mask's register for something else.
    fn spare(&mut self) -> Ymm {
        self.kept = None;
        MASK
    }

    /// `out = yes` in the lanes of a mask, else `no`.
    fn choose(&mut self, out: Ymm, no: Ymm, yes: Last, mask: Ymm) {
        self.vex(CHOOSE, out, no, yes, mask << 4);
    }

    /// [`Assembler::vector`] for eight lanes.
    pub(super) fn narrow(
        &mut self,
        what: Instruction,
        lanes: Lanes,
        (reg, second): (u8, u8),
        last: Place,
        immediate: Option<u8>,
    ) {
        match what {
            SHIFT_BY | SHIFT_PAIRS => {
                let last = self.operand(last);
                let from = self.in_register(last, VALUE);
                self.vex(what, reg, ymm(second), Last::Ymm(from), immediate);
                return;
            }
            COMPARE_F | COMPARE_I | COMPARE_U | TEST | TEST_NONE => {
                let last = self.operand(last);
                self.compared(what, lanes, (reg, ymm(second)), last, immediate);
                return;
            }
            WORDS_OF | F32_TO_F16 => {
                if let Place::Zmm(out) = last {
                    self.halves_of(what, ymm(reg), ymm(out), immediate);
                }
                return;
            }
            _ => {}
        }
        let (out, second) = (ymm(reg), ymm(second));
        let last = match (what, last) {
            // The instruction's own work; constants lie in all lanes.
            (BROADCAST, Place::Scalar(at)) if lanes == ALL => Last::Scalar(at),
            (BROADCAST, Place::Saved(n)) if lanes == ALL => Last::Saved(n),
            _ => self.operand(last),
        };
        let what = match (what, last) {
            (BROADCAST, Last::Pool(_) | Last::Ymm(_)) => LOAD,
            _ => what,
        };
        match what {
            U32_TO_F32 => return self.unsigned_to_float(out, last),
            F32_TO_U32 => return self.float_to_unsigned(out, last),
            LEADING_ZEROS => return self.leading_zeros(out, last),
            TERNARY => {
                self.vex(AND_OF_NOT, VALUE, out, last, None);
                self.vex(AND, out, out, Last::Ymm(second), None);
                self.vex(OR, out, out, Last::Ymm(VALUE), None);
                return;
            }
            _ => {}
        }
        if lanes == ALL {
            self.vex(what, out, second, last, immediate);
            return;
        }
        let mask = match (what, lanes.zero) {
            (STORE, _) => {
                let mask = self.mask(lanes.mask);
                self.vex(LOAD, VALUE, 0, last, None);
                self.choose(VALUE, VALUE, Last::Ymm(out), mask);
                self.vex(STORE, VALUE, 0, last, None);
                return;
            }
            (BLEND, _) => {
                let mask = self.mask(lanes.mask);
                return self.choose(out, second, last, mask);
            }
            (LOAD, _) => self.mask(lanes.mask),
            _ => {
                self.vex(what, VALUE, second, last, immediate);
                self.mask(lanes.mask)
            }
        };
        let new = if what == LOAD { last } else { Last::Ymm(VALUE) };
        match lanes.zero {
            true if lanes.mask >= WITHIN.0 => self.vex(AND, out, mask, new, None),
            true => {
                let whole = self.spare();
                self.vex(SHIFT_BY, 4, whole, Last::Ymm(mask), 31);
                self.vex(AND, out, whole, new, None);
            }
            false => self.choose(out, out, new, mask),
        }
    }

    /// A comparison, or a test of bits, to a mask; of the lanes of another mask only.
    fn compared(
        &mut self,
        what: Instruction,
        lanes: Lanes,
        (k, a): (K, Ymm),
        b: Last,
        predicate: Option<u8>,
    ) {
        let predicate = predicate.unwrap_or(0);
        // A mask that limits the result may be the one that gets it.
        let out = if lanes == ALL { Self::made(k) } else { VALUE };
        let opposite = match what {
            COMPARE_F => {
                self.vex(COMPARE_F, out, a, b, predicate);
                false
            }
            TEST | TEST_NONE => {
                self.vex(AND, out, a, b, None);
                let zero = self.all(0);
                self.vex(EQUAL, out, out, zero, None);
                what == TEST
            }
            COMPARE_I => {
                match predicate & 3 {
                    0 => self.vex(EQUAL, out, a, b, None),
                    2 => self.vex(GREATER, out, a, b, None),
                    _ => {
                        let b = self.in_register(b, VALUE);
                        self.vex(GREATER, out, b, Last::Ymm(a), None);
                    }
                }
                matches!(predicate, 2 | 4 | 5)
            }
            _ => {
                let extreme = if predicate & 3 == 2 { MIN_U } else { MAX_U };
                self.vex(extreme, VALUE, a, b, None);
                self.vex(EQUAL, out, VALUE, Last::Ymm(a), None);
                matches!(predicate, 1 | 6)
            }
        };
        if opposite {
            let ones = self.all(u32::MAX);
            self.vex(XOR, out, out, ones, None);
        }
        if lanes != ALL {
            self.vex(AND, Self::made(k), out, mask_at(lanes.mask), None);
        }
        self.put(k);
    }

    /// Low halves of words side by side, or floats as halves.
    fn halves_of(&mut self, what: Instruction, a: Ymm, out: Ymm, immediate: Option<u8>) {
        if what == F32_TO_F16 {
            self.vex(F32_TO_F16, a, 0, Last::Ymm(out), immediate);
            return;
        }
        self.vex(SHIFT_BY, 6, VALUE, Last::Ymm(a), 16);
        self.vex(SHIFT_BY, 4, VALUE, Last::Ymm(VALUE), 16);
        self.vex(PACK_SIGNED, VALUE, VALUE, Last::Ymm(VALUE), None);
        self.vex(PERMUTE_64, out, 0, Last::Ymm(VALUE), 0b1000);
    }

    /// The high half times 2^16 and the low half, both exact, rounded once in their sum.
    fn unsigned_to_float(&mut self, out: Ymm, a: Last) {
        let a = self.in_register(a, out);
        let (low, spare) = (self.all(0xffff), self.spare());
        self.vex(SHIFT_BY, 2, spare, Last::Ymm(a), 16);
        self.vex(I32_TO_F32, spare, 0, Last::Ymm(spare), None);
        self.vex(AND, VALUE, a, low, None);
        self.vex(I32_TO_F32, VALUE, 0, Last::Ymm(VALUE), None);
        let scale = self.all(TWO_16);
        self.vex(FMA_132, spare, VALUE, scale, None);
        self.vex(LOAD, out, 0, Last::Ymm(spare), None);
    }

    /// Toward zero, of a number that is not negative; all ones for what is too large. From 2^31 on, the rest and the highest
    /// bit.
    fn float_to_unsigned(&mut self, out: Ymm, a: Last) {
        let a = self.in_register(a, out);
        let (half, end, spare) = (self.all(TWO_31), self.all(TWO_32), self.spare());
        self.vex(COMPARE_F, VALUE, a, half, GE);
        self.vex(AND, spare, VALUE, half, None);
        self.vex(SUB_F, spare, a, Last::Ymm(spare), None);
        self.vex(F32_TO_I32, spare, 0, Last::Ymm(spare), None);
        self.vex(SHIFT_BY, 6, VALUE, Last::Ymm(VALUE), 31);
        self.vex(XOR, spare, spare, Last::Ymm(VALUE), None);
        self.vex(COMPARE_F, VALUE, a, end, GE);
        self.vex(OR, out, spare, Last::Ymm(VALUE), None);
    }

    /// From the exponent of the highest bit as a float: the one below it is cleared, so that nothing rounds up.
    fn leading_zeros(&mut self, out: Ymm, a: Last) {
        let a = self.in_register(a, out);
        let (exponent, bias, none) = (self.all(0xff), self.all(158), self.all(32));
        let spare = self.spare();
        self.vex(SHIFT_BY, 2, spare, Last::Ymm(a), 1);
        self.vex(AND_OF_NOT, spare, spare, Last::Ymm(a), None);
        self.vex(I32_TO_F32, spare, 0, Last::Ymm(spare), None);
        self.vex(SHIFT_BY, 2, spare, Last::Ymm(spare), 23);
        self.vex(AND, spare, spare, exponent, None);
        self.vex(LOAD, VALUE, 0, bias, None);
        self.vex(SUB, spare, VALUE, Last::Ymm(spare), None);
        self.vex(MIN_I, spare, spare, none, None);
        // None where the number is negative.
        self.vex(SHIFT_BY, 4, VALUE, Last::Ymm(a), 31);
        self.vex(AND_OF_NOT, out, VALUE, Last::Ymm(spare), None);
    }

    /// Denormals become zero.
    pub(super) fn flush_narrow(&mut self, out: Zmm) {
        let out = ymm(out);
        let (exponent, zero) = (self.all(0x7f80_0000), self.all(0));
        self.vex(AND, VALUE, out, exponent, None);
        self.vex(EQUAL, VALUE, VALUE, zero, None);
        // All bits but the sign.
        self.vex(SHIFT_BY, 2, VALUE, Last::Ymm(VALUE), 1);
        self.vex(AND_OF_NOT, out, VALUE, Last::Ymm(out), None);
    }

    /// Any NaN becomes this one.
    pub(super) fn settle_narrow(&mut self, out: Zmm, nan: u32) {
        let (out, nan) = (ymm(out), self.all(nan));
        self.vex(COMPARE_F, VALUE, out, Last::Ymm(out), UNORDERED);
        self.choose(out, out, nan, VALUE);
    }

    /// `k = ` this chunk's part of the mask in a scalar pair.
    pub(super) fn load_narrow_mask(&mut self, k: K, pair: u16) {
        self.vex(BROADCAST_BYTE, VALUE, 0, Last::Byte(pair), None);
        self.lanes_of_byte(k);
    }

    /// `k = ` lanes of the bits in all bytes of a register.
    fn lanes_of_byte(&mut self, k: K) {
        let bits = Last::Pool(self.constant(TO_SIGNS));
        self.vex(SHL, Self::made(k), VALUE, bits, None);
        self.put(k);
    }

    /// This chunk's part of the mask in a scalar pair `= k`.
    pub(super) fn store_narrow_mask(&mut self, k: K, pair: u16) {
        let mask = self.mask(k);
        self.vex(SIGNS, 0, 0, Last::Ymm(mask), None);
        // mov [r8 + 4 pair], al
        self.bytes(&[0x41, 0x88, 0x80]);
        self.word(i32::from(pair) * 4);
    }

    /// An instruction of three masks.
    pub(super) fn narrow_masks(&mut self, what: Instruction, to: K, a: K, b: K) {
        let a = self.mask(a);
        self.vex(what, Self::made(to), a, mask_at(b), None);
        self.put(to);
    }

    /// `to = !from`.
    pub(super) fn not_narrow_mask(&mut self, to: K, from: K) {
        let (from, ones) = (self.mask(from), self.all(u32::MAX));
        self.vex(XOR, Self::made(to), from, ones, None);
        self.put(to);
    }

    /// Makes room for masks on the stack.
    pub(super) fn begin_frame(&mut self) {
        // mov rax, rsp; sub rsp, FRAME; and rsp, -32; mov [rsp + POINTER], rax
        self.bytes(&[0x48, 0x89, 0xe0, 0x48, 0x81, 0xec]);
        self.word(FRAME);
        self.bytes(&[0x48, 0x83, 0xe4, 0xe0, 0x48, 0x89, 0x84, 0x24]);
        self.word(POINTER);
    }

    pub(super) fn end_frame(&mut self) {
        // mov rsp, [rsp + POINTER]
        self.bytes(&[0x48, 0x8b, 0xa4, 0x24]);
        self.word(POINTER);
    }

    /// `k = ` the lanes of the low byte of EDX.
    pub(super) fn narrow_mask_of_edx(&mut self, k: K) {
        // vmovd xmm15, edx
        self.bytes(&[0xc5, 0x79, 0x6e, 0xfa]);
        self.vex(BROADCAST_BYTE, VALUE, 0, Last::Ymm(VALUE), None);
        self.lanes_of_byte(k);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(write: impl FnOnce(&mut Assembler)) -> String {
        let mut assembler = Assembler::new(Width::Eight);
        write(&mut assembler);
        let bytes = assembler.written().iter().map(|byte| format!("{byte:02x}"));
        bytes.collect::<Vec<_>>().join(" ")
    }

    /// Bytes of another assembler (GNU `as`), for instructions that are as short there.
    #[test]
    fn words_are_those_of_another_assembler() {
        let all = [
            // vblendvps %ymm14, -8192(%rdi), %ymm2, %ymm1
            (
                code(|a| {
                    a.kept = Some(7);
                    a.vector(BLEND, only(7), (1, 2), Place::Row(0), None);
                }),
                "c4 e3 6d 4a 8f 00 e0 ff ff e0",
            ),
            // vpmulld -4096(%rdi), %ymm2, %ymm5
            (
                code(|a| a.vector(MUL, ALL, (5, 2), Place::Row(16), None)),
                "c4 e2 6d 40 af 00 f0 ff ff",
            ),
            // vcvtps2ph $3, %ymm3, %xmm7
            (
                code(|a| a.vector(F32_TO_F16, ALL, (3, 0), Place::Zmm(27), Some(3))),
                "c4 e3 7d 1d df 03",
            ),
            // vpsllvd %ymm6, %ymm11, %ymm4
            (
                code(|a| a.vector(SHL, ALL, (4, 31), Place::Zmm(26), None)),
                "c4 e2 25 47 e6",
            ),
            // vpbroadcastd -8(%rsp), %ymm5
            (
                code(|a| a.vector(BROADCAST, ALL, (5, 0), Place::Saved(1), None)),
                "c4 e2 7d 58 6c 24 f8",
            ),
            // vpbroadcastb 504(%r8), %ymm15
            (
                code(|a| a.vex(BROADCAST_BYTE, VALUE, 0, Last::Byte(126), None)),
                "c4 42 7d 78 b8 f8 01 00 00",
            ),
        ];
        for (found, expected) in all {
            assert_eq!(found, expected);
        }
    }
}
