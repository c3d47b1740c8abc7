//! Type 3 packets: opcodes, names and bodies. [R5xx 6.2]
//!
//! Bit 7 of an opcode says that the body starts with SETTINGS: GUI_CONTROL and the words that its bits name
//! ([`settings`]). [`dump`] prints a stream.

pub mod settings;

use isa::LoadWord;
use radeon::packets::{Dictionary, Named, Row, Shown, Value};
pub use radeon::packets::{Packet, header, register_header};

use crate::regs::{
    self, CP_IB_BASE, CP_IB_BUFSZ, CP_IB2_BASE, CP_IB2_BUFSZ, Register, VAP_VF_CNTL,
    VAP_VTX_AOS_ATTR, VAP_VTX_NUM_ARRAYS,
};

/// Where the header of a type 0 packet writes: the byte address of the first word and the bytes from one to the next, 0
/// for a data port.
pub const fn written(header: u32) -> (u32, u32) {
    let step = if header >> 15 & 1 == 1 { 0 } else { 4 };
    (4 * (header & 0x1fff), step)
}

/// Whether the body of an opcode starts with SETTINGS.
pub const fn has_settings(opcode: u8) -> bool {
    opcode & 0x80 != 0
}

#[rustfmt::skip]
radeon::packets! {
    pub TABLE:
    NOP = 0x10 "any dwords"
        [Rest("data")];
    NEXTCHAR = 0x19 "[Y|X][H|W][bitmap...]"
        [Halves("DST_Y", "DST_X"), Halves("DST_H", "DST_W"), Rest("BITMAP_DATA")];
    PLY_NEXTSCAN = 0x1d "[HEIGHT|TOP][END|START]..."
        [Halves("HEIGHT", "TOP"), EachHalves("END", "START")];
    SET_SCISSORS = 0x1e "[TOP_LEFT][BOTTOM_RIGHT] (x in 13:0, y in 29:16)"
        [Halves("TOP", "LEFT"), Halves("BOTTOM", "RIGHT")];
    PRED_EXEC = 0x20 "[DEVICE_SELECT 31:24 | EXEC_COUNT 22:0]"
        [Word("DEVICE_SELECT | EXEC_COUNT")];
    COND_EXEC = 0x21 "documented: [2][EXEC_COUNT 22:0]; a boolean address dword appears to be missing"
        [Word("BOOL_ADDR"), Word("TWO"), Word("EXEC_COUNT")];
    WAIT_SEMAPHORE = 0x22 "[offset 0xFC-0xFF][optional reset value]"
        [Word("offset"), Rest("reset")];
    WAIT_MEM = 0x23 "[SEM_ADDR 31:2][SEM_LEN=2]"
        [Word("SEM_ADDR"), Word("SEM_LEN")];
    DRAW_VBUF = 0x28 as "3D_DRAW_VBUF" "[VAP_VTX_FMT ignored][VAP_VF_CNTL]"
        [Word("VAP_VTX_FMT"), Register(VAP_VF_CNTL.address)];
    DRAW_IMMD = 0x29 as "3D_DRAW_IMMD" "[VAP_VTX_FMT ignored][VAP_VF_CNTL][vertex dwords <=16380]"
        [Word("VAP_VTX_FMT"), Register(VAP_VF_CNTL.address), Rest("vertices")];
    DRAW_INDX = 0x2a as "3D_DRAW_INDX" "[VAP_VTX_FMT ignored][VAP_VF_CNTL][indices: <=32760 16-bit or <=16380 32-bit]"
        [Word("VAP_VTX_FMT"), Register(VAP_VF_CNTL.address), Rest("indices")];
    LOAD_PALETTE = 0x2c "[1 = 16 entries, 2 = 256 entries][colours...]"
        [Word("entries"), Rest("colours")];
    LOAD_VBPNTR = 0x2f as "3D_LOAD_VBPNTR" "[NUM_ARRAYS] then per pair [ATTR(2k,2k+1)][ADDR 2k][ADDR 2k+1], up to 12 arrays shown"
        [Register(VAP_VTX_NUM_ARRAYS.address), Registers(VAP_VTX_AOS_ATTR.address)];
    INDX_BUFFER = 0x33 "[ONE_REG_WR 31 | SKIP 18:16 | DEST 12:0][BASE 31:2][SIZE 22:0 dwords]"
        [Word("ONE_REG_WR | SKIP | DEST"), Word("BASE"), Word("SIZE")];
    DRAW_VBUF_2 = 0x34 as "3D_DRAW_VBUF_2" "[VAP_VF_CNTL]"
        [Register(VAP_VF_CNTL.address)];
    DRAW_IMMD_2 = 0x35 as "3D_DRAW_IMMD_2" "[VAP_VF_CNTL][vertex dwords <=16381]"
        [Register(VAP_VF_CNTL.address), Rest("vertices")];
    DRAW_INDX_2 = 0x36 as "3D_DRAW_INDX_2" "[VAP_VF_CNTL][indices: <=32762 16-bit or <=16381 32-bit]"
        [Register(VAP_VF_CNTL.address), Rest("indices")];
    CLEAR_HIZ = 0x37 as "3D_CLEAR_HIZ" "[START][COUNT 13:0][CLEAR_VALUE]"
        [Word("START"), Word("COUNT"), Word("CLEAR_VALUE")];
    DRAW_128 = 0x39 as "3D_DRAW_128" "[VAP_VF_CNTL][data or indices]"
        [Register(VAP_VF_CNTL.address), Rest("data")];
    MPEG_INDEX = 0x3a "[MASK][present registers...][VF_CNTL][NUM_INDICES][FIRST_INDEX...][dummy...]"
        [Word("MASK"), Rest("registers, VF_CNTL, indices")];
    PAINT = 0x91 "{SETTINGS}[TOP|LEFT][BOT|RIGHT]..."
        [Own(settings::print), EachHalves("Y", "X")];
    BITBLT = 0x92 "{SETTINGS}[SRC_X|SRC_Y][DST_X|DST_Y][W|H]"
        [Own(settings::print), EachHalves("X", "Y")];
    HOSTDATA_BLT = 0x94 "{SETTINGS}[FG][BG]{glyph: [Y|X][H|W][n][raster...]}..."
        [Own(settings::print), Word("FRGD_COLOUR"), Word("BKGD_COLOUR"), Rest("glyphs")];
    POLYLINE = 0x95 "{SETTINGS}[Y|X]..."
        [Own(settings::print), EachHalves("Y", "X")];
    POLYSCANLINES = 0x98 "{SETTINGS}[SCAN_COUNT]{[n][HEIGHT|TOP][END|START]...}..."
        [Own(settings::print), Word("SCAN_COUNT"), Rest("scans")];
    PAINT_MULTI = 0x9a "{SETTINGS}[X|Y][W|H]..."
        [Own(settings::print), EachHalves("X | W", "Y | H")];
    BITBLT_MULTI = 0x9b "{SETTINGS}([SRC][DST][W|H])..."
        [Own(settings::print), EachHalves("X | W", "Y | H")];
    TRANS_BITBLT = 0x9c "{SETTINGS}[CLR_CMP_CNTL][SRC_REF][DST_REF][SRC][DST][W|H]"
        [Own(settings::print), Word("CLR_CMP_CNTL"), Word("SRC_REF_CLR"), Word("DST_REF_CLR"), EachHalves("X | W", "Y | H")];
}

radeon::packets! {
    pub DRIVER_TABLE:
    CLEAR_ZMASK = 0x32 as "3D_CLEAR_ZMASK" "[START][COUNT][CLEAR_VALUE]"
        [Word("START"), Word("COUNT"), Word("CLEAR_VALUE")];
    CLEAR_CMASK = 0x38 as "3D_CLEAR_CMASK" "[START][COUNT][CLEAR_VALUE]"
        [Word("START"), Word("COUNT"), Word("CLEAR_VALUE")];
}

/// What the printer of packets knows of this chip. Packets that the manual's list lacks are in a table of their own.
pub static DICTIONARY: Dictionary = Dictionary {
    chip: crate::CHIP,
    packets: &[TABLE, DRIVER_TABLE],
    written,
    register: |written| {
        let (register, n) = regs::find(written.address)?;
        Some(Named {
            name: register.element_name(n),
            fields: shown(register.fields, written.word()),
        })
    },
    started: |written| {
        let buffers = [(CP_IB_BUFSZ, CP_IB_BASE), (CP_IB2_BUFSZ, CP_IB2_BASE)];
        let buffer = |(size, _): &(Register, Register)| size.address == written.address;
        let (_, base) = buffers.into_iter().find(buffer)?;
        let base = written.beside(base.address)? & !3;
        Some((base.into(), (written.word() & 0x7f_ffff).into()))
    },
};

/// The packets of a stream that starts at `address`, with names and values.
pub fn dump(words: &[u32], address: u64, memory: LoadWord<'_>) -> String {
    DICTIONARY.dump(words, address, memory)
}

/// The row of an opcode.
pub fn find(opcode: u8) -> Option<&'static Row> {
    DICTIONARY.row(opcode)
}

/// What the fields of a word say.
fn shown(fields: &[regs::Field], word: u32) -> Vec<Shown> {
    let shown = |field: &regs::Field| {
        let value = field.get(word);
        Shown {
            name: field.name.to_owned(),
            value: match field.value_name(value) {
                _ if field.width() == 1 => Value::Bit(value != 0),
                Some(name) => Value::Name(value, name),
                // Whole words are floats where the meaning says so.
                None if field.width() == 32 && field.meaning.contains("float") => {
                    Value::Float(f32::from_bits(value))
                }
                None => Value::Number(value),
            },
        }
    };
    fields.iter().map(shown).collect()
}
