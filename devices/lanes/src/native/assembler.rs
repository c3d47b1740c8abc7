//! Words of x86-64 machine code with vectors of sixteen lanes (AVX-512 F, CD, DQ), as far as straight blocks need them; or of
//! eight, into which [`super::narrow`] turns them.
//! [Intel SDM vol. 2, 2.7 "Intel AVX-512 Encoding", and the instructions' pages]

use super::narrow;
use host::SimdLevel;

/// What an instruction is told by: opcode map (1: 0F, 2: 0F38, 3: 0F3A), mandatory prefix (0 none, 1: 66, 2: F3, 3: F2),
/// W, and opcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instruction {
    pub(super) map: u8,
    pub(super) prefix: u8,
    pub(super) wide: bool,
    pub(super) opcode: u8,
}

macro_rules! instructions {
    ($($(#[$about:meta])* $seen:vis $name:ident = $map:literal $prefix:literal $wide:literal $opcode:literal;)*) => {$(
        $(#[$about])*
        $seen const $name: Instruction = Instruction {
            map: $map,
            prefix: $prefix,
            wide: $wide == 1,
            opcode: $opcode,
        };
    )*};
}

pub(super) use instructions;

instructions! {
    // Moves.
    pub(super) LOAD = 1 1 0 0x6f;
    pub(super) STORE = 1 1 0 0x7f;
    pub(super) BROADCAST = 2 1 0 0x58;
    pub(super) BLEND = 2 1 0 0x64;
    pub(super) SHUFFLE = 1 1 0 0x70;
    pub(super) WORDS_OF = 2 2 0 0x33;
    pub(super) FROM_WORDS = 2 1 0 0x33;
    // Bits.
    pub(super) AND = 1 1 0 0xdb;
    pub(super) AND_OF_NOT = 1 1 0 0xdf;
    pub(super) OR = 1 1 0 0xeb;
    pub(super) XOR = 1 1 0 0xef;
    pub(super) TERNARY = 3 1 0 0x25;
    pub(super) SHIFT_BY = 1 1 0 0x72;
    pub(super) SHL = 2 1 0 0x47;
    pub(super) SHR = 2 1 0 0x45;
    pub(super) SAR = 2 1 0 0x46;
    pub(super) TEST = 2 1 0 0x27;
    pub(super) TEST_NONE = 2 2 0 0x27;
    // Integers.
    pub(super) ADD = 1 1 0 0xfe;
    pub(super) SUB = 1 1 0 0xfa;
    pub(super) MUL = 2 1 0 0x40;
    pub(super) MUL_EVEN_U = 1 1 1 0xf4;
    pub(super) MUL_EVEN_I = 2 1 1 0x28;
    pub(super) SHIFT_PAIRS = 1 1 1 0x73;
    pub(super) MIN_I = 2 1 0 0x39;
    pub(super) MAX_I = 2 1 0 0x3d;
    pub(super) MIN_U = 2 1 0 0x3b;
    pub(super) MAX_U = 2 1 0 0x3f;
    pub(super) ABS = 2 1 0 0x1e;
    pub(super) LEADING_ZEROS = 2 1 0 0x44;
    pub(super) COMPARE_I = 3 1 0 0x1f;
    pub(super) COMPARE_U = 3 1 0 0x1e;
    // Floats.
    pub(super) ADD_F = 1 0 0 0x58;
    pub(super) MUL_F = 1 0 0 0x59;
    pub(super) SUB_F = 1 0 0 0x5c;
    pub(super) MIN_F = 1 0 0 0x5d;
    pub(super) DIV_F = 1 0 0 0x5e;
    pub(super) MAX_F = 1 0 0 0x5f;
    pub(super) SQRT_F = 1 0 0 0x51;
    pub(super) ROUND_F = 3 1 0 0x08;
    pub(super) COMPARE_F = 1 0 0 0xc2;
    // Exponents and mantissas, and a number times a power of 2.
    pub(super) EXPONENT = 2 1 0 0x42;
    pub(super) MANTISSA = 3 1 0 0x26;
    pub(super) SCALE = 2 1 0 0x2c;
    // `reg = v * reg + rm`, with the product negated, with the sum a difference.
    pub(super) FMA_213 = 2 1 0 0xa8;
    pub(super) FNMA_213 = 2 1 0 0xac;
    pub(super) FMS_213 = 2 1 0 0xaa;
    // Conversions.
    pub(super) I32_TO_F32 = 1 0 0 0x5b;
    pub(super) U32_TO_F32 = 1 3 0 0x7a;
    pub(super) F32_TO_I32 = 1 2 0 0x5b;
    pub(super) F32_TO_I32_NEAR = 1 1 0 0x5b;
    pub(super) F32_TO_U32 = 1 0 0 0x78;
    pub(super) F16_TO_F32 = 2 1 0 0x13;
    pub(super) F32_TO_F16 = 3 1 0 0x1d;
    // Doubles, made of the lower half of a vector and back; a shuffle of quarters brings the upper half there.
    pub(super) F32_TO_F64 = 1 0 0 0x5a;
    pub(super) F64_TO_F32 = 1 1 1 0x5a;
    pub(super) QUARTERS = 3 1 1 0x23;
    pub(super) WITH_HALF = 3 1 1 0x1a;
    pub(super) BROADCAST_D = 2 1 1 0x19;
    pub(super) MUL_D = 1 1 1 0x59;
    pub(super) SUB_D = 1 1 1 0x5c;
    pub(super) FMA_213_D = 2 1 1 0xa8;
}

/// Lanes of a vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Width {
    /// AVX-512.
    #[default]
    Sixteen,
    /// AVX2, FMA and F16C.
    Eight,
}

impl Width {
    /// That of a level which has code.
    pub(super) fn of(level: SimdLevel) -> Option<Width> {
        match level.name() {
            "avx512" => Some(Width::Sixteen),
            "avx2" => Some(Width::Eight),
            _ => None,
        }
    }

    /// Vector registers that hold operands; the others are for what lives within an operation.
    pub(super) fn held(self) -> usize {
        match self {
            Width::Sixteen => HELD,
            Width::Eight => narrow::HELD,
        }
    }
}

/// [`Width::held`] at most.
pub(super) const HELD: usize = 26;

/// Vector register 0 to 31: those from [`HELD`] on are for what lives within an operation.
pub(super) type Zmm = u8;

/// Mask register. 0 as the mask of an instruction: all lanes.
pub(super) type K = u8;

/// The operand that may lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Zmm(Zmm),
    /// Lanes of a row.
    Row(u16),
    /// A scalar, in all lanes.
    Scalar(u16),
    /// A scalar as it was before the first chunk, by its number in the list that [`Assembler::begin`] took; in all lanes.
    Saved(u16),
    /// A constant, in all lanes.
    Const(u32),
}

/// Which lanes of the destination are written: those of the mask; the others stay, or become zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lanes {
    pub(super) mask: K,
    pub(super) zero: bool,
}

pub(super) const ALL: Lanes = Lanes {
    mask: 0,
    zero: false,
};

/// The other lanes stay.
pub(super) const fn only(mask: K) -> Lanes {
    Lanes { mask, zero: false }
}

/// The other lanes become zero.
pub(super) const fn zeroing(mask: K) -> Lanes {
    Lanes { mask, zero: true }
}

/// How far the pointer to rows lies behind row 0, so that a byte reaches 64 rows.
pub(super) const BIAS: i32 = 8192;

/// Numbers of general registers: counter, exec mask, scalars, rows, halves of masks.
const RCX: u8 = 1;
const RDX: u8 = 2;
pub(super) const RSI: u8 = 6;
pub(super) const RDI: u8 = 7;
pub(super) const R8: u8 = 8;

/// Pairs that a function collects in registers, from R9 on.
const COLLECTED: u8 = 3;

/// A loop that has begun: where it begins again, and the jump that skips a chunk.
pub(super) struct Loop {
    again: usize,
    skip: Option<usize>,
}

/// Code, and constants that it names.
#[derive(Clone, Debug, Default)]
pub(super) struct Assembler {
    width: Width,
    code: Vec<u8>,
    /// Places of 32-bit distances to constants, the ends of their instructions, and the constants' numbers.
    wanted: Vec<(usize, usize, usize)>,
    /// Lanes of constants; of those with sixteen only one is kept.
    constants: Vec<[u32; 8]>,
    /// The mask that [`super::narrow`] has in a register beside its place.
    pub(super) kept: Option<K>,
}

impl Assembler {
    pub(super) fn new(width: Width) -> Assembler {
        Assembler {
            width,
            ..Assembler::default()
        }
    }

    /// Lanes of its vectors.
    pub(super) fn width(&self) -> Width {
        self.width
    }

    /// Where the next instruction lies.
    pub(super) fn here(&self) -> usize {
        self.code.len()
    }

    /// What has been written.
    #[cfg(test)]
    pub(super) fn written(&self) -> &[u8] {
        &self.code
    }

    /// Instructions as they are.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.code.extend(bytes);
    }

    /// Sets the number at a place to how far another place lies behind its end.
    pub(super) fn set_distance(&mut self, place: usize, to: usize) {
        self.set_word(place, to as i64 - (place as i64 + 4));
    }

    fn set_word(&mut self, place: usize, word: i64) {
        self.code[place..place + 4].copy_from_slice(&(word as i32).to_le_bytes());
    }

    fn byte(&mut self, byte: u8) {
        self.code.push(byte);
    }

    /// A number of four bytes.
    pub(super) fn word(&mut self, word: i32) {
        self.code.extend(word.to_le_bytes());
    }

    /// An instruction with vectors: destination, second operand (0 where there is none), last operand, immediate.
    pub(super) fn vector(
        &mut self,
        what: Instruction,
        lanes: Lanes,
        (reg, second): (u8, u8),
        last: Place,
        immediate: Option<u8>,
    ) {
        if self.width == Width::Eight {
            return self.narrow(what, lanes, (reg, second), last, immediate);
        }
        // A broadcast reads one word where the instruction has an operand of a whole vector.
        let element = matches!(what, BROADCAST);
        let one = matches!(last, Place::Scalar(_) | Place::Saved(_) | Place::Const(_));
        let register = match last {
            Place::Zmm(at) => at,
            _ => 0,
        };
        self.prefix(what, lanes, [reg, second, register], one && !element);
        self.byte(what.opcode);
        let reg = (reg & 7) << 3;
        match last {
            Place::Zmm(at) => self.byte(0xc0 | reg | at & 7),
            Place::Row(row) => self.displaced(reg, RDI, i32::from(row) * 256 - BIAS, 64),
            Place::Scalar(at) => self.displaced(reg, RSI, i32::from(at) * 4, 4),
            Place::Saved(n) => {
                // Words below the stack pointer, which are a leaf function's own; a byte counts them.
                self.code.extend([0x44 | reg, 0x24, !(n as u8)]);
            }
            Place::Const(value) => {
                let number = self.constant([value; 8]);
                self.pooled(reg, number, immediate.is_some());
            }
        }
        self.code.extend(immediate);
    }

    /// What stands before an opcode. Registers are the destination, the second and the last operand; `one` word in memory is
    /// for all lanes.
    fn prefix(&mut self, what: Instruction, lanes: Lanes, [reg, second, last]: [u8; 3], one: bool) {
        // Bits that are stored inverted: R, X, B, R', V'.
        let high = |register: u8, bit: u8| register >> bit & 1 ^ 1;
        let (x, b) = (high(last, 4), high(last, 3));
        self.byte(0x62);
        self.byte(high(reg, 3) << 7 | x << 6 | b << 5 | high(reg, 4) << 4 | what.map);
        self.byte(u8::from(what.wide) << 7 | (!second & 15) << 3 | 4 | what.prefix);
        self.byte(
            u8::from(lanes.zero) << 7
                | 2 << 5
                | u8::from(one) << 4
                | high(second, 4) << 3
                | lanes.mask,
        );
    }

    /// An instruction with a constant of double precision in all lanes, for wide vectors.
    pub(super) fn double(&mut self, what: Instruction, (reg, second): (u8, u8), value: f64) {
        debug_assert_eq!(self.width, Width::Sixteen);
        self.prefix(what, ALL, [reg, second, 0], what != BROADCAST_D);
        self.byte(what.opcode);
        let number = self.double_constant(value);
        self.pooled((reg & 7) << 3, number, false);
    }

    /// The number of the first of two constants that are a double, at a multiple of its size.
    fn double_constant(&mut self, value: f64) -> usize {
        let bits = value.to_bits();
        let words = [[bits as u32; 8], [(bits >> 32) as u32; 8]];
        let pairs = self.constants.as_chunks::<2>().0;
        if let Some(known) = pairs.iter().position(|pair| *pair == words) {
            return 2 * known;
        }
        if !self.constants.len().is_multiple_of(2) {
            self.constants.push([0; 8]);
        }
        self.constants.extend(words);
        self.constants.len() - 2
    }

    /// A place `distance` bytes behind a register; short distances count in units of what the instruction reads.
    pub(super) fn displaced(&mut self, reg: u8, base: u8, distance: i32, unit: i32) {
        match i8::try_from(distance / unit) {
            Ok(short) if distance % unit == 0 => {
                self.byte(0x40 | reg | base & 7);
                self.byte(short as u8);
            }
            _ => {
                self.byte(0x80 | reg | base & 7);
                self.word(distance);
            }
        }
    }

    /// A constant behind the code, where an immediate ends the instruction or not.
    pub(super) fn pooled(&mut self, reg: u8, number: usize, immediate: bool) {
        self.byte(reg | 5);
        let at = self.here();
        self.word(0);
        let end = self.here() + usize::from(immediate);
        self.wanted.push((at, end, number));
    }

    /// The number of a constant.
    pub(super) fn constant(&mut self, value: [u32; 8]) -> usize {
        let known = self.constants.iter().position(|known| *known == value);
        known.unwrap_or_else(|| {
            self.constants.push(value);
            self.constants.len() - 1
        })
    }

    /// `k = ` this chunk's part of the mask in a scalar pair.
    pub(super) fn load_mask(&mut self, k: K, pair: u16) {
        match self.width {
            Width::Sixteen => self.mask_and_memory(0x90, k, pair),
            Width::Eight => self.load_narrow_mask(k, pair),
        }
    }

    /// This chunk's part of the mask in a scalar pair `= k`.
    pub(super) fn store_mask(&mut self, k: K, pair: u16) {
        match self.width {
            Width::Sixteen => self.mask_and_memory(0x91, k, pair),
            Width::Eight => self.store_narrow_mask(k, pair),
        }
    }

    /// `kmovw` with memory, based on R8.
    fn mask_and_memory(&mut self, opcode: u8, k: K, pair: u16) {
        self.code.extend([0xc4, 0xc1, 0x78, opcode]);
        self.byte(0x80 | k << 3 | R8 & 7);
        self.word(i32::from(pair) * 4);
    }

    /// [`AND`], [`AND_OF_NOT`] (`!a & b`), [`OR`] or [`XOR`] of masks: `kandw`, `kandnw`, `korw`, `kxorw`.
    pub(super) fn masks(&mut self, what: Instruction, to: K, a: K, b: K) {
        if self.width == Width::Eight {
            return self.narrow_masks(what, to, a, b);
        }
        let opcode = match what {
            AND => 0x41,
            AND_OF_NOT => 0x42,
            OR => 0x45,
            _ => 0x47,
        };
        self.code.extend([0xc5, (!a & 15) << 3 | 0x84]);
        self.code.extend([opcode, 0xc0 | to << 3 | b]);
    }

    /// `to = !from`.
    pub(super) fn not_mask(&mut self, to: K, from: K) {
        if self.width == Width::Eight {
            return self.not_narrow_mask(to, from);
        }
        self.code.extend([0xc5, 0xf8, 0x44, 0xc0 | to << 3 | from]);
    }

    /// Begins a function of rows (RDI, biased), scalars (RSI) and execution mask (RDX): a loop over chunks of a vector. With a
    /// `mask`, it is loaded with the lanes of each; a chunk without lanes may be skipped. Scalars in `saved` are read before.
    pub(super) fn begin(&mut self, mask: Option<K>, skips: bool, saved: &[u16]) -> Loop {
        let wide = self.width == Width::Sixteen;
        self.kept = None;
        if !wide {
            self.begin_frame();
        }
        for (n, at) in saved.iter().enumerate() {
            // mov eax, [rsi + 4 at]; mov [rsp - 4 n - 4], eax
            self.code.extend([0x8b, 0x80 | RSI]);
            self.word(i32::from(*at) * 4);
            self.code.extend([0x89, 0x44, 0x24, !(4 * n + 3) as u8]);
        }
        // mov r8, rsi; mov ecx, chunks
        self.code.extend([0x49, 0x89, 0xf0, 0xb8 | RCX]);
        self.word(if wide { 4 } else { 8 });
        let again = self.here();
        let mut skip = None;
        if let Some(k) = mask {
            // kmovw k, edx
            match wide {
                true => self.code.extend([0xc5, 0xf8, 0x92, 0xc0 | k << 3 | RDX]),
                false => self.narrow_mask_of_edx(k),
            }
            // mov eax, edx; shr rdx, lanes
            self.code.extend([0x89, 0xd0]);
            self.code
                .extend([0x48, 0xc1, 0xe8 | RDX, if wide { 16 } else { 8 }]);
            if skips {
                // test ax, ax, or al, al; jz
                match wide {
                    true => self.code.extend([0x66, 0x85, 0xc0]),
                    false => self.code.extend([0x84, 0xc0]),
                }
                self.code.extend([0x0f, 0x84]);
                skip = Some(self.here());
                self.word(0);
            }
        }
        Loop { again, skip }
    }

    /// Ends it. Pairs in `whole` have been stored by parts, which a load of the whole would have to wait for: they are
    /// collected and stored once more.
    pub(super) fn end(&mut self, Loop { again, skip }: Loop, whole: &[u16]) {
        let wide = self.width == Width::Sixteen;
        // Bytes of a mask's part, and the instruction that reads it.
        let (part, read) = if wide { (2, 0xb7) } else { (1, 0xb6) };
        let collected = || (0..COLLECTED).zip(whole);
        for (n, pair) in collected() {
            // movzx eax, part [r8 + 4 pair]; shr r9 + n, bits; shl rax, 64 - bits; or r9 + n, rax
            self.code.extend([0x41, 0x0f, read, 0x80 | R8 & 7]);
            self.word(i32::from(*pair) * 4);
            self.code.extend([0x49, 0xc1, 0xe9 + n, 8 * part]);
            self.code.extend([0x48, 0xc1, 0xe0, 64 - 8 * part]);
            self.code.extend([0x49, 0x09, 0xc1 + n]);
        }
        if let Some(at) = skip {
            self.set_distance(at, self.here());
        }
        // add rdi, bytes of a vector; add r8, part; dec ecx; jnz
        self.code.extend([0x48, 0x83, 0xc0 | RDI, 32 * part]);
        self.code.extend([0x49, 0x83, 0xc0 | R8 & 7, part]);
        self.code.extend([0xff, 0xc8 | RCX, 0x0f, 0x85]);
        let place = self.here();
        self.word(0);
        self.set_distance(place, again);
        for (n, pair) in collected() {
            // mov [rsi + 4 pair], r9 + n
            self.code.extend([0x4c, 0x89, 0x8e + (n << 3)]);
            self.word(i32::from(*pair) * 4);
        }
        if !wide {
            self.end_frame();
        }
        // vzeroupper
        self.code.extend([0xc5, 0xf8, 0x77]);
        self.leave();
    }

    /// Ends a function.
    pub(super) fn leave(&mut self) {
        // ret
        self.byte(0xc3);
        while !self.code.len().is_multiple_of(16) {
            self.byte(0xcc);
        }
    }

    /// All code with its constants behind it.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let kept = match self.width {
            Width::Sixteen => 1,
            Width::Eight => 8,
        };
        // Whole vectors lie at multiples of their size.
        self.code.resize(self.code.len().next_multiple_of(32), 0xcc);
        let pool = self.code.len();
        for (at, end, number) in std::mem::take(&mut self.wanted) {
            self.set_word(at, (pool + 4 * kept * number) as i64 - end as i64);
        }
        for value in self.constants.iter().flat_map(|lanes| &lanes[..kept]) {
            self.code.extend(value.to_le_bytes());
        }
        self.code
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(write: impl FnOnce(&mut Assembler)) -> String {
        let mut assembler = Assembler::default();
        write(&mut assembler);
        let bytes = assembler.code.iter().map(|byte| format!("{byte:02x}"));
        bytes.collect::<Vec<_>>().join(" ")
    }

    fn vector(
        what: Instruction,
        lanes: Lanes,
        regs: (u8, u8),
        last: Place,
        i: Option<u8>,
    ) -> String {
        code(|assembler| assembler.vector(what, lanes, regs, last, i))
    }

    /// Bytes of LLVM's assembler (`llvm-mc -triple=x86_64 -show-encoding`).
    #[test]
    fn words_are_those_of_another_assembler() {
        let all = [
            // vaddps %zmm3, %zmm2, %zmm1
            (
                vector(ADD_F, ALL, (1, 2), Place::Zmm(3), None),
                "62 f1 6c 48 58 cb",
            ),
            // vmulps %zmm31, %zmm17, %zmm8 {%k2} {z}
            (
                vector(MUL_F, zeroing(2), (8, 17), Place::Zmm(31), None),
                "62 11 74 c2 59 c7",
            ),
            // vpandd 12(%rsi){1to16}, %zmm30, %zmm20 {%k7}
            (
                vector(AND, only(7), (20, 30), Place::Scalar(3), None),
                "62 e1 0d 57 db 66 03",
            ),
            // vmovdqa32 -8192(%rdi), %zmm5
            (
                vector(LOAD, ALL, (5, 0), Place::Row(0), None),
                "62 f1 7d 48 6f 6f 80",
            ),
            // vmovdqa32 %zmm25, 8192(%rdi) {%k1}
            (
                vector(STORE, only(1), (25, 0), Place::Row(64), None),
                "62 61 7d 49 7f 8f 00 20 00 00",
            ),
            // vpternlogd $202, %zmm9, %zmm16, %zmm24
            (
                vector(TERNARY, ALL, (24, 16), Place::Zmm(9), Some(202)),
                "62 43 7d 40 25 c1 ca",
            ),
            // vpsrld $7, %zmm21, %zmm12
            (
                vector(SHIFT_BY, ALL, (2, 12), Place::Zmm(21), Some(7)),
                "62 b1 1d 48 72 d5 07",
            ),
            // vfmadd213ps 512(%rsi){1to16}, %zmm1, %zmm0
            (
                vector(FMA_213, ALL, (0, 1), Place::Scalar(128), None),
                "62 f2 75 58 a8 86 00 02 00 00",
            ),
            // vpaddd -8(%rsp){1to16}, %zmm2, %zmm1
            (
                vector(ADD, ALL, (1, 2), Place::Saved(1), None),
                "62 f1 6d 58 fe 4c 24 fe",
            ),
            // kmovw 24(%r8), %k3
            (code(|a| a.load_mask(3, 6)), "c4 c1 78 90 98 18 00 00 00"),
            // vscalefps %zmm26, %zmm2, %zmm1
            (
                vector(SCALE, ALL, (1, 2), Place::Zmm(26), None),
                "62 92 6d 48 2c ca",
            ),
            // vgetexpps %zmm2, %zmm1
            (
                vector(EXPONENT, ALL, (1, 0), Place::Zmm(2), None),
                "62 f2 7d 48 42 ca",
            ),
            // vgetmantps $2, %zmm2, %zmm1
            (
                vector(MANTISSA, ALL, (1, 0), Place::Zmm(2), Some(2)),
                "62 f3 7d 48 26 ca 02",
            ),
            // vplzcntd %zmm2, %zmm1
            (
                vector(LEADING_ZEROS, ALL, (1, 0), Place::Zmm(2), None),
                "62 f2 7d 48 44 ca",
            ),
            // vcvtps2pd %ymm26, %zmm28
            (
                vector(F32_TO_F64, ALL, (28, 0), Place::Zmm(26), None),
                "62 01 7c 48 5a e2",
            ),
            // vcvtpd2ps %zmm28, %ymm28
            (
                vector(F64_TO_F32, ALL, (28, 0), Place::Zmm(28), None),
                "62 01 fd 48 5a e4",
            ),
            // vshuff64x2 $14, %zmm26, %zmm26, %zmm29
            (
                vector(QUARTERS, ALL, (29, 26), Place::Zmm(26), Some(14)),
                "62 03 ad 40 23 ea 0e",
            ),
            // vinsertf64x4 $1, %ymm29, %zmm28, %zmm3
            (
                vector(WITH_HALF, ALL, (3, 28), Place::Zmm(29), Some(1)),
                "62 93 9d 40 1a dd 01",
            ),
            // vmulpd %zmm28, %zmm28, %zmm30
            (
                vector(MUL_D, ALL, (30, 28), Place::Zmm(28), None),
                "62 01 9d 40 59 f4",
            ),
            // vfmadd213pd (%rip){1to8}, %zmm30, %zmm31
            (
                code(|a| a.double(FMA_213_D, (31, 30), 0.5)),
                "62 62 8d 50 a8 3d 00 00 00 00",
            ),
            // vbroadcastsd (%rip), %zmm31
            (
                code(|a| a.double(BROADCAST_D, (31, 0), 0.5)),
                "62 62 fd 48 19 3d 00 00 00 00",
            ),
            // kandw %k2, %k1, %k5
            (code(|a| a.masks(AND, 5, 1, 2)), "c5 f4 41 ea"),
        ];
        for (found, expected) in all {
            assert_eq!(found, expected);
        }
    }
}
