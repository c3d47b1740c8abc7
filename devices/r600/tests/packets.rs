//! Streams are printed with the names of packets and registers, their fields and values; every register and packet has
//! them.

use r600::packets::{self, *};
use r600::regs::*;
use silicon::{Addr, Memory, Start};

#[test]
fn every_register_has_fields_or_a_reason() {
    let reasons: &[(&str, &[&str])] = &[
        (
            "a number of 32 bits",
            &[
                "VGT_MAX_VTX_INDX",
                "VGT_MIN_VTX_INDX",
                "VGT_INDX_OFFSET",
                "VGT_STRMOUT_BUFFER_SIZE_0",
                "VGT_STRMOUT_DRAW_OPAQUE_OFFSET",
                "VGT_STRMOUT_DRAW_OPAQUE_BUFFER_FILLED_SIZE",
                "VGT_STRMOUT_DRAW_OPAQUE_VERTEX_STRIDE",
                "VGT_MULTI_PRIM_IB_RESET_INDX",
                "VGT_INSTANCE_STEP_RATE_0",
                "VGT_INSTANCE_STEP_RATE_1",
                "VGT_NUM_INDICES",
                "VGT_DMA_NUM_INSTANCES",
                "SQ_VTX_BASE_VTX_LOC",
                "SQ_VTX_START_INST_LOC",
                "SQ_ESGS_RING_SIZE",
                "SQ_GSVS_RING_SIZE",
                "SQ_ESTMP_RING_SIZE",
                "SQ_GSTMP_RING_SIZE",
                "SQ_VSTMP_RING_SIZE",
                "SQ_PSTMP_RING_SIZE",
            ],
        ),
        ("32 bits that programs name by number", &["SQ_BOOL_CONST_0"]),
        ("32 semantics, a bit each", &["SQ_VTX_SEMANTIC_CLEAR"]),
        (
            "a texel of the target's format",
            &["CB_CLRCMP_SRC", "CB_CLRCMP_DST", "CB_CLRCMP_MSK"],
        ),
        ("laid out by each chip", &["VGT_GS_MODE"]),
        (
            "kept, not acted upon",
            &[
                "VGT_GS_PER_ES",
                "VGT_ES_PER_GS",
                "VGT_GS_PER_VS",
                "VGT_STRMOUT_BUFFER_OFFSET_0",
                "WAIT_UNTIL",
                "SQ_DYN_GPR_CNTL_PS_FLUSH_REQ",
                "TA_CNTL_AUX",
                "VC_ENHANCE",
                "DB_DEBUG",
                "DB_WATERMARKS",
                "SPI_FOG_FUNC_SCALE",
                "SPI_FOG_FUNC_BIAS",
                "SQ_FBUF_RING_ITEMSIZE",
                "SQ_REDUC_RING_ITEMSIZE",
                "VGT_HOS_MAX_TESS_LEVEL",
                "VGT_HOS_MIN_TESS_LEVEL",
                "VGT_HOS_REUSE_DEPTH",
                "VGT_GROUP_PRIM_TYPE",
                "VGT_GROUP_FIRST_DECR",
                "VGT_GROUP_DECR",
                "VGT_GROUP_VECT_0_CNTL",
                "VGT_GROUP_VECT_1_CNTL",
                "VGT_GROUP_VECT_0_FMT_CNTL",
                "VGT_GROUP_VECT_1_FMT_CNTL",
                "DB_PRELOAD_CONTROL",
            ],
        ),
    ];
    assert_eq!(radeon::registers::unexplained(&TABLES, reasons), None);
}

#[test]
fn every_executed_packet_has_a_row() {
    let mut rows = 0;
    for opcode in 0..=255 {
        let start = Start {
            threads: Some(1),
            ..Start::default()
        };
        let mut gpu = r600::R600::power_on(Memory::new(1 << 20), start);
        let mut words = vec![header(opcode, 8)];
        words.extend([0; 8]);
        let written = gpu.memory().write_words(Addr(0x100), &words);
        written.expect("the stream lies within memory");
        let done = gpu.execute(Addr(0x100)..Addr(0x100 + 4 * words.len() as u64));
        let executed = !done.is_err_and(|trap| trap.reason.starts_with("there is no packet"));
        let row = packets::DICTIONARY.row(opcode);
        assert_eq!(row.is_some(), executed, "{opcode:#04x}");
        rows += usize::from(executed);
    }
    let tables = [SHARED_PACKETS, FAMILY_PACKETS, TABLE];
    assert_eq!(rows, tables.map(<[_]>::len).iter().sum());
}

fn words() -> Vec<u32> {
    let mut words = vec![header(SET_RESOURCE, 8), 7 * 160];
    words.extend([0x4000, 0xff, 16 << 8 | 2, 0, 0, 0, 3 << 30]);
    words.extend([header(SET_RESOURCE, 8), 0]);
    words.extend([1 | 7 << 19, 7, 0x40, 0x41, 0, 0, 2 << 30]);
    words.extend([header(SET_LOOP_CONST, 2), 33, 0xff00_2003]);
    words.extend([header(SET_ALU_CONST, 3), 4 * 256, 1f32.to_bits(), 0]);
    words
}

#[test]
fn resources_are_printed_by_their_kind() {
    assert_eq!(
        dump(&words(), 0, &|_| None),
        "\
0x00000000 c0076d00 SET_RESOURCE
    SQ_VTX_CONSTANT_WORD0_160 = 00004000: BASE_ADDRESS 0x4000
    SQ_VTX_CONSTANT_WORD1_160 = 000000ff: SIZE 0xff
    SQ_VTX_CONSTANT_WORD2_160 = 00001002: BASE_ADDRESS_HI 0x2, STRIDE 0x10
    SQ_VTX_CONSTANT_WORD3_160 = 00000000
    SQ_VTX_CONSTANT_WORD4_160 = 00000000
    SQ_VTX_CONSTANT_WORD5_160 = 00000000
    SQ_VTX_CONSTANT_WORD6_160 = c0000000: TYPE 0x3
0x00000024 c0076d00 SET_RESOURCE
    SQ_TEX_RESOURCE_WORD0_0 = 00380001: DIM 0x1, TEX_WIDTH 0x7
    SQ_TEX_RESOURCE_WORD1_0 = 00000007: TEX_HEIGHT 0x7
    SQ_TEX_RESOURCE_WORD2_0 = 00000040: BASE_256B 0x40
    SQ_TEX_RESOURCE_WORD3_0 = 00000041: BASE_256B 0x41
    SQ_TEX_RESOURCE_WORD4_0 = 00000000
    SQ_TEX_RESOURCE_WORD5_0 = 00000000
    SQ_TEX_RESOURCE_WORD6_0 = 80000000: TYPE 0x2
0x00000048 c0016c00 SET_LOOP_CONST
    SQ_LOOP_CONST_33 = ff002003: COUNT 0x3, INIT 0x2, INC 0xff
0x00000054 c0026a00 SET_ALU_CONST
    SQ_ALU_CONSTANT0_256 = 3f800000: 1.0
    SQ_ALU_CONSTANT1_256 = 00000000
"
    );
}

#[test]
fn loads_print_what_memory_holds() {
    // Sampler 2 of a picture of the space at 0x1000.
    let stream = [header(LOAD_SAMPLER, 4), 0x1000, 0, 6, 2];
    let load = |address: u64| (address < 0x2000).then_some(address as u32);
    assert_eq!(
        dump(&stream, 0, &load),
        "\
0x00000000 c0036600 LOAD_SAMPLER
    BASE_ADDR = 0x1000
    2 registers at 0x6
    SQ_TEX_SAMPLER_WORD0_2 = 00001018: CLAMP_Y 0x3, XY_MIN_FILTER 0x1
    SQ_TEX_SAMPLER_WORD1_2 = 0000101c: MIN_LOD 0x1c, MAX_LOD 0x4
"
    );
    assert_eq!(
        dump(&stream, 0, &|_| None),
        "\
0x00000000 c0036600 LOAD_SAMPLER
    BASE_ADDR = 0x1000
    2 registers at 0x6
"
    );
}
