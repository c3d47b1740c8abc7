//! PM4 packets: headers, opcodes and bodies that driver and command processor share, and the printer. [PM4 packets]

use isa::LoadWord;
use radeon::packets::{Dictionary, Named, Written};
use radeon::registers::named;

use crate::regs::{
    ALU_CONST, BOOL_CONST, BUFFERS, CONFIG, CONTEXT, CTL_CONST, LOOP_CONST, RESOURCE,
    RESOURCE_STRIDE, SAMPLER, TABLES, VGT_DRAW_INITIATOR,
};
use crate::resource::{TexResourceWord6, kind};

pub use radeon::r6xx::packets::*;

#[rustfmt::skip]
radeon::packets! {
    pub TABLE:
    START_3D_CMDBUF = 0x24 "one word, 0" [Word("DUMMY")];
    DRAW_INDEX = 0x2b "address, count, initiator"
        [Address("INDEX_BASE"), Word("INDEX_COUNT"), Register(VGT_DRAW_INITIATOR)];
    DRAW_INDEX_IMMD = 0x2e "count, initiator, indices"
        [Word("INDEX_COUNT"), Register(VGT_DRAW_INITIATOR), Rest("indices")];
    INDIRECT_BUFFER_MP = 0x38 "as INDIRECT_BUFFER" [Stream];
    COPY_DW = 0x3b "control (bit 0: source, bit 1: destination in memory), source, destination; registers by word"
        [Word("CONTROL"), Address("SRC"), Address("DST")];
    MEM_WRITE = 0x3d "address and flags, data low, high" [Address("ADDRESS"), Word("DATA_LO"), Word("DATA_HI")];
    LOAD_CONFIG_REG = 0x60 "address, then word offset and words of every run; memory is laid out as the space is" [Load(CONFIG.start)];
    LOAD_CONTEXT_REG = 0x61 "address, then word offset and words of every run; memory is laid out as the space is" [Load(CONTEXT.start)];
    LOAD_ALU_CONST = 0x62 "address, then word offset and words of every run; memory is laid out as the space is" [Load(ALU_CONST.start)];
    LOAD_BOOL_CONST = 0x63 "address, then word offset and words of every run; memory is laid out as the space is" [Load(BOOL_CONST.start)];
    LOAD_LOOP_CONST = 0x64 "address, then word offset and words of every run; memory is laid out as the space is" [Load(LOOP_CONST.start)];
    LOAD_RESOURCE = 0x65 "address, then word offset and words of every run; memory is laid out as the space is" [Load(RESOURCE.start)];
    LOAD_SAMPLER = 0x66 "address, then word offset and words of every run; memory is laid out as the space is" [Load(SAMPLER.start)];
    LOAD_CTL_CONST = 0x67 "address, then word offset and words of every run; memory is laid out as the space is" [Load(CTL_CONST.start)];
    SET_ALU_CONST = 0x6a "word offset in ALU_CONST, values" [Set(ALU_CONST.start)];
    SET_BOOL_CONST = 0x6b "word offset in BOOL_CONST, values" [Set(BOOL_CONST.start)];
    SET_LOOP_CONST = 0x6c "word offset in LOOP_CONST, values" [Set(LOOP_CONST.start)];
    SET_RESOURCE = 0x6d "word offset in RESOURCE, values" [Set(RESOURCE.start)];
    SET_SAMPLER = 0x6e "word offset in SAMPLER, values" [Set(SAMPLER.start)];
    SET_CTL_CONST = 0x6f "word offset in CTL_CONST, values" [Set(CTL_CONST.start)];
    SURFACE_BASE_UPDATE = 0x73 "which bases were written" [Word("BASES")];
}

/// Flags of COPY_DW.
pub mod copy_dw {
    /// The source is memory, not a register.
    pub const FROM_MEMORY: u32 = 1 << 0;
    /// The destination is.
    pub const TO_MEMORY: u32 = 1 << 1;
}

/// Flags of MEM_WRITE, in the word of the high address.
pub mod mem_write {
    /// The clock instead of the data.
    pub const CLOCK: u32 = 1 << 17;
    /// One word instead of two.
    pub const WORD: u32 = 1 << 18;
}

/// What the printer of packets knows of this chip.
pub static DICTIONARY: Dictionary = Dictionary {
    chip: crate::CHIP,
    packets: &[SHARED_PACKETS, FAMILY_PACKETS, TABLE],
    written: radeon::packets::written,
    register,
    started: |_| None,
};

/// The packets of a stream that starts at `address`, with names and values.
pub fn dump(words: &[u32], address: u64, memory: LoadWord<'_>) -> String {
    DICTIONARY.dump(words, address, memory)
}

/// What a word says. Those of a resource mean what the kind in its last word says.
fn register(written: &Written<'_>) -> Option<Named> {
    if RESOURCE.contains(&written.address) {
        let word = (written.address - RESOURCE.start) % RESOURCE_STRIDE;
        let last = written.beside(written.address - word + RESOURCE_STRIDE - 4);
        let kind = last.map(|last| TexResourceWord6::from_word(last).kind);
        if matches!(kind, Some(kind::VALID_BUFFER | kind::INVALID_BUFFER)) {
            return named(&[BUFFERS], written);
        }
    }
    named(&TABLES, written)
}
