//! Streams are printed with the names of packets and registers, their fields and values; every register and packet has
//! them.

use radeon::packets::{header, register_header};
use silicon::{Addr, Memory, Start};
use southern_islands::packets::{self, *};
use southern_islands::regs::*;

fn context(register: u32) -> u32 {
    (register - CONTEXT.start) / 4
}

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
                "VGT_NUM_INSTANCES",
                "VGT_PRIMITIVEID_RESET",
                "VGT_ESGS_RING_SIZE",
                "VGT_GSVS_RING_SIZE",
                "VGT_GSVS_RING_OFFSET_1",
                "VGT_GSVS_RING_OFFSET_2",
                "VGT_GSVS_RING_OFFSET_3",
                "COMPUTE_DIM_X",
                "COMPUTE_DIM_Y",
                "COMPUTE_DIM_Z",
                "COMPUTE_START_X",
                "COMPUTE_START_Y",
                "COMPUTE_START_Z",
            ],
        ),
        (
            "what a shader makes of it",
            &[
                "SPI_SHADER_USER_DATA_PS_0",
                "SPI_SHADER_USER_DATA_VS_0",
                "SPI_SHADER_USER_DATA_GS_0",
                "SPI_SHADER_USER_DATA_ES_0",
                "SPI_SHADER_USER_DATA_HS_0",
                "SPI_SHADER_USER_DATA_LS_0",
                "COMPUTE_USER_DATA_0",
            ],
        ),
        (
            "a texel of the target's format",
            &["CB_COLOR{}_CLEAR_WORD0", "CB_COLOR0_CLEAR_WORD1"],
        ),
        (
            "a level of tessellation, as a float",
            &["VGT_HOS_MAX_TESS_LEVEL", "VGT_HOS_MIN_TESS_LEVEL"],
        ),
        ("laid out by each chip", &["VGT_GS_MODE"]),
        (
            "kept, not acted upon",
            &[
                "VGT_GS_PER_ES",
                "VGT_ES_PER_GS",
                "VGT_GS_PER_VS",
                "VGT_STRMOUT_BUFFER_OFFSET_0",
                "DB_RENDER_OVERRIDE2",
                "PA_SC_RASTER_CONFIG",
                "COMPUTE_MAX_WAVE_ID",
                "COMPUTE_VMID",
                "COMPUTE_RESOURCE_LIMITS",
                "COMPUTE_STATIC_THREAD_MGMT_SE0",
                "COMPUTE_STATIC_THREAD_MGMT_SE1",
            ],
        ),
    ];
    assert_eq!(radeon::registers::unexplained(&TABLES, reasons), None);
}

#[test]
fn every_executed_packet_has_a_row() {
    let mut rows = 0;
    for opcode in 0..=255 {
        let mut gpu = southern_islands::SouthernIslands::power_on(
            Memory::new(1 << 20),
            Start {
                threads: Some(1),
                ..Start::default()
            },
        );
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

#[test]
fn packets_and_registers_are_printed() {
    let mut words = vec![header(CONTEXT_CONTROL, 2), 0x8000_0000, 0x8000_0000];
    words.extend([
        header(SET_CONTEXT_REG, 3),
        context(PA_CL_CLIP_CNTL),
        1 << 16 | 1 << 19,
        0x240,
    ]);
    words.extend([
        header(SET_CONTEXT_REG, 4),
        context(PA_CL_VPORT_XSCALE_0) + 6,
        320f32.to_bits(),
        0,
        0,
    ]);
    words.extend([
        header(SET_CONTEXT_REG, 2),
        context(CB_COLOR0_INFO) + 15,
        10 << 2,
    ]);
    words.extend([header(SET_SH_REG, 2), 0xc, 0x1234]);
    words.extend([header(INDEX_BASE, 2), 0x5000, 1]);
    words.extend([header(DRAW_INDEX_AUTO, 2), 3, 2]);
    words.extend([header(EVENT_WRITE, 1), event::CACHE_FLUSH]);
    words.extend([register_header(GB_ADDR_CONFIG, 1), TAHITI_ADDR_CONFIG]);
    words.extend([header(0x55, 1), 7, header(NOP, 2), 1]);
    assert_eq!(
        dump(&words, 0x100, &|_| None),
        "\
0x00000100 c0012800 CONTEXT_CONTROL
    LOAD_ENABLE = 80000000
    SHADOW_ENABLE = 80000000
0x0000010c c0026900 SET_CONTEXT_REG
    PA_CL_CLIP_CNTL = 00090000: CLIP_DISABLE 1, DX_CLIP_SPACE_DEF 1
    PA_SU_SC_MODE_CNTL = 00000240: POLYMODE_FRONT_PTYPE 0x2, POLYMODE_BACK_PTYPE 0x2
0x0000011c c0036900 SET_CONTEXT_REG
    PA_CL_VPORT_XSCALE_1 = 43a00000: 320.0
    PA_CL_VPORT_XOFFSET_1 = 00000000
    PA_CL_VPORT_YSCALE_1 = 00000000
0x00000130 c0016900 SET_CONTEXT_REG
    CB_COLOR1_INFO = 00000028: FORMAT 0xa
0x0000013c c0017600 SET_SH_REG
    SPI_SHADER_USER_DATA_PS_0 = 00001234
0x00000148 c0012600 INDEX_BASE
    INDEX_BASE = 0x100005000
0x00000154 c0012d00 DRAW_INDEX_AUTO
    INDEX_COUNT = 00000003
    VGT_DRAW_INITIATOR = 00000002: SOURCE_SELECT 0x2
0x00000160 c0004600 EVENT_WRITE
    EVENT = 00000006: EVENT_TYPE 0x6
0x00000168 0000263e type 0
    GB_ADDR_CONFIG = 12011003: NUM_PIPES 0x3, NUM_SHADER_ENGINES 0x1, SHADER_ENGINE_TILE_SIZE 0x1, MULTI_GPU_TILE_SIZE 0x2, ROW_SIZE 0x1
0x00000170 c0005500 unknown packet 0x55
    body, 1 words
      00000007
0x00000178 c0011000 a packet of 2 words leaves the stream
"
    );
}

#[test]
fn streams_in_memory_are_followed_once() {
    let inner = [header(NUM_INSTANCES, 1), 2];
    let load = |address: u64| {
        inner
            .get((address.checked_sub(0x1000)? / 4) as usize)
            .copied()
    };
    let buffer = [header(INDIRECT_BUFFER, 3), 0x1000, 0, 2];
    let words = [buffer, buffer, [header(INDIRECT_BUFFER, 3), 0x1000, 0, 3]].concat();
    assert_eq!(
        dump(&words, 0, &load),
        "\
0x00000000 c0023200 INDIRECT_BUFFER
    IB_BASE = 0x1000
    IB_SIZE = 00000002
  0x00001000 c0002f00 NUM_INSTANCES
      NUM_INSTANCES = 00000002
0x00000010 c0023200 INDIRECT_BUFFER
    IB_BASE = 0x1000
    IB_SIZE = 00000002
    as above
0x00000020 c0023200 INDIRECT_BUFFER
    IB_BASE = 0x1000
    IB_SIZE = 00000003
    the buffer leaves video memory
"
    );
    // A stream inside itself, once, and none without memory.
    let itself = [header(INDIRECT_BUFFER, 3), 0, 0, 4];
    let load = |address: u64| itself.get((address / 4) as usize).copied();
    assert_eq!(dump(&itself, 0, &load).lines().count(), 7);
    assert_eq!(dump(&itself, 0, &|_| None).lines().count(), 3);
}
