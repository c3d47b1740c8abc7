//! Type 3 packets: opcodes, names and bodies. [R5xx 6.2]
//!
//! Bit 7 of an opcode says that the body starts with SETTINGS: GUI_CONTROL and the words that its bits name
//! ([`settings`]). [`dump`] prints a stream.

mod dump;
pub mod settings;

pub use dump::dump;
pub use radeon::packets::{Packet, header, register_header};

use crate::regs::{self, VAP_VF_CNTL, VAP_VTX_AOS_ATTR, VAP_VTX_NUM_ARRAYS};

/// Where the header of a type 0 packet writes: the byte address of the first word and the bytes from one to the next, 0
/// for a data port.
pub const fn written(header: u32) -> (u32, u32) {
    let step = if header >> 15 & 1 == 1 { 0 } else { 4 };
    (4 * (header & 0x1fff), step)
}

/// A part of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    /// A word.
    Word(&'static str),
    /// The word of a register.
    Register(regs::Register),
    /// Words of registers from this one on, to the end of the body.
    Registers(regs::Register),
    /// A word of two signed halves, the high one first.
    Halves(&'static str, &'static str),
    /// Such words to the end of the body.
    EachHalves(&'static str, &'static str),
    /// GUI_CONTROL and what it announces.
    Settings,
    /// Words to the end of the body.
    Rest(&'static str),
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Name of the packet.
    pub name: &'static str,
    /// Opcode.
    pub opcode: u8,
    /// The body as the manual has it.
    pub body: &'static str,
    /// The same, for dumps.
    pub parts: &'static [Part],
}

impl Row {
    /// Whether the body starts with SETTINGS.
    pub const fn has_settings(&self) -> bool {
        self.opcode & 0x80 != 0
    }
}

macro_rules! packets {
    ($($(#[$doc:meta])* $name:ident = $opcode:literal $shown:literal $body:literal [$($part:expr),*];)*) => {
        $(#[doc = concat!($shown, ": `", $body, "`.")] pub const $name: u8 = $opcode;)*

        /// All packets.
        pub const TABLE: &[Row] = &[$(Row {
            name: $shown,
            opcode: $opcode,
            body: $body,
            parts: { use Part::*; &[$($part),*] },
        }),*];
    };
}

#[rustfmt::skip]
packets! {
    NOP = 0x10 "NOP" "any dwords"
        [Rest("data")];
    NEXTCHAR = 0x19 "NEXTCHAR" "[Y|X][H|W][bitmap...]"
        [Halves("DST_Y", "DST_X"), Halves("DST_H", "DST_W"), Rest("BITMAP_DATA")];
    PLY_NEXTSCAN = 0x1d "PLY_NEXTSCAN" "[HEIGHT|TOP][END|START]..."
        [Halves("HEIGHT", "TOP"), EachHalves("END", "START")];
    SET_SCISSORS = 0x1e "SET_SCISSORS" "[TOP_LEFT][BOTTOM_RIGHT] (x in 13:0, y in 29:16)"
        [Halves("TOP", "LEFT"), Halves("BOTTOM", "RIGHT")];
    PRED_EXEC = 0x20 "PRED_EXEC" "[DEVICE_SELECT 31:24 | EXEC_COUNT 22:0]"
        [Word("DEVICE_SELECT | EXEC_COUNT")];
    COND_EXEC = 0x21 "COND_EXEC" "documented: [2][EXEC_COUNT 22:0]; a boolean address dword appears to be missing"
        [Word("BOOL_ADDR"), Word("TWO"), Word("EXEC_COUNT")];
    WAIT_SEMAPHORE = 0x22 "WAIT_SEMAPHORE" "[offset 0xFC-0xFF][optional reset value]"
        [Word("offset"), Rest("reset")];
    WAIT_MEM = 0x23 "WAIT_MEM" "[SEM_ADDR 31:2][SEM_LEN=2]"
        [Word("SEM_ADDR"), Word("SEM_LEN")];
    DRAW_VBUF = 0x28 "3D_DRAW_VBUF" "[VAP_VTX_FMT ignored][VAP_VF_CNTL]"
        [Word("VAP_VTX_FMT"), Register(VAP_VF_CNTL)];
    DRAW_IMMD = 0x29 "3D_DRAW_IMMD" "[VAP_VTX_FMT ignored][VAP_VF_CNTL][vertex dwords <=16380]"
        [Word("VAP_VTX_FMT"), Register(VAP_VF_CNTL), Rest("vertices")];
    DRAW_INDX = 0x2a "3D_DRAW_INDX" "[VAP_VTX_FMT ignored][VAP_VF_CNTL][indices: <=32760 16-bit or <=16380 32-bit]"
        [Word("VAP_VTX_FMT"), Register(VAP_VF_CNTL), Rest("indices")];
    LOAD_PALETTE = 0x2c "LOAD_PALETTE" "[1 = 16 entries, 2 = 256 entries][colours...]"
        [Word("entries"), Rest("colours")];
    LOAD_VBPNTR = 0x2f "3D_LOAD_VBPNTR" "[NUM_ARRAYS] then per pair [ATTR(2k,2k+1)][ADDR 2k][ADDR 2k+1], up to 12 arrays shown"
        [Register(VAP_VTX_NUM_ARRAYS), Registers(VAP_VTX_AOS_ATTR)];
    INDX_BUFFER = 0x33 "INDX_BUFFER" "[ONE_REG_WR 31 | SKIP 18:16 | DEST 12:0][BASE 31:2][SIZE 22:0 dwords]"
        [Word("ONE_REG_WR | SKIP | DEST"), Word("BASE"), Word("SIZE")];
    DRAW_VBUF_2 = 0x34 "3D_DRAW_VBUF_2" "[VAP_VF_CNTL]"
        [Register(VAP_VF_CNTL)];
    DRAW_IMMD_2 = 0x35 "3D_DRAW_IMMD_2" "[VAP_VF_CNTL][vertex dwords <=16381]"
        [Register(VAP_VF_CNTL), Rest("vertices")];
    DRAW_INDX_2 = 0x36 "3D_DRAW_INDX_2" "[VAP_VF_CNTL][indices: <=32762 16-bit or <=16381 32-bit]"
        [Register(VAP_VF_CNTL), Rest("indices")];
    CLEAR_HIZ = 0x37 "3D_CLEAR_HIZ" "[START][COUNT 13:0][CLEAR_VALUE]"
        [Word("START"), Word("COUNT"), Word("CLEAR_VALUE")];
    DRAW_128 = 0x39 "3D_DRAW_128" "[VAP_VF_CNTL][data or indices]"
        [Register(VAP_VF_CNTL), Rest("data")];
    MPEG_INDEX = 0x3a "MPEG_INDEX" "[MASK][present registers...][VF_CNTL][NUM_INDICES][FIRST_INDEX...][dummy...]"
        [Word("MASK"), Rest("registers, VF_CNTL, indices")];
    PAINT = 0x91 "PAINT" "{SETTINGS}[TOP|LEFT][BOT|RIGHT]..."
        [Settings, EachHalves("Y", "X")];
    BITBLT = 0x92 "BITBLT" "{SETTINGS}[SRC_X|SRC_Y][DST_X|DST_Y][W|H]"
        [Settings, EachHalves("X", "Y")];
    HOSTDATA_BLT = 0x94 "HOSTDATA_BLT" "{SETTINGS}[FG][BG]{glyph: [Y|X][H|W][n][raster...]}..."
        [Settings, Word("FRGD_COLOUR"), Word("BKGD_COLOUR"), Rest("glyphs")];
    POLYLINE = 0x95 "POLYLINE" "{SETTINGS}[Y|X]..."
        [Settings, EachHalves("Y", "X")];
    POLYSCANLINES = 0x98 "POLYSCANLINES" "{SETTINGS}[SCAN_COUNT]{[n][HEIGHT|TOP][END|START]...}..."
        [Settings, Word("SCAN_COUNT"), Rest("scans")];
    PAINT_MULTI = 0x9a "PAINT_MULTI" "{SETTINGS}[X|Y][W|H]..."
        [Settings, EachHalves("X | W", "Y | H")];
    BITBLT_MULTI = 0x9b "BITBLT_MULTI" "{SETTINGS}([SRC][DST][W|H])..."
        [Settings, EachHalves("X | W", "Y | H")];
    TRANS_BITBLT = 0x9c "TRANS_BITBLT" "{SETTINGS}[CLR_CMP_CNTL][SRC_REF][DST_REF][SRC][DST][W|H]"
        [Settings, Word("CLR_CMP_CNTL"), Word("SRC_REF_CLR"), Word("DST_REF_CLR"), EachHalves("X | W", "Y | H")];
}

/// 3D_CLEAR_ZMASK of public drivers: `[START][COUNT][CLEAR_VALUE]`.
pub const CLEAR_ZMASK: u8 = 0x32;
/// 3D_CLEAR_CMASK of public drivers: `[START][COUNT][CLEAR_VALUE]`.
pub const CLEAR_CMASK: u8 = 0x38;

/// Packets that the manual's list lacks.
pub const DRIVER_TABLE: &[Row] = &[
    Row {
        name: "3D_CLEAR_ZMASK",
        opcode: CLEAR_ZMASK,
        body: "[START][COUNT][CLEAR_VALUE]",
        parts: &CLEAR,
    },
    Row {
        name: "3D_CLEAR_CMASK",
        opcode: CLEAR_CMASK,
        body: "[START][COUNT][CLEAR_VALUE]",
        parts: &CLEAR,
    },
];

const CLEAR: [Part; 3] = [
    Part::Word("START"),
    Part::Word("COUNT"),
    Part::Word("CLEAR_VALUE"),
];

/// The row of an opcode.
pub fn find(opcode: u8) -> Option<&'static Row> {
    let mut rows = TABLE.iter().chain(DRIVER_TABLE);
    rows.find(|row| row.opcode == opcode)
}
