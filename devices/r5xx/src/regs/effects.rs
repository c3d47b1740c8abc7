//! What every field of the manual's list does here: most are acted on, [`ROWS`] has the others.

use super::{Field, Register};

/// What a field does on this chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The chip acts on it.
    Acts,
    /// The chip acts on it, but for some values, of which one stops what would read it, with the field's name: why.
    Partly(u32, &'static str),
    /// A value other than zero stops what would read it, with the field's name: why.
    Traps(&'static str),
    /// It changes no picture and no counter: why.
    None(&'static str),
}

/// Fields of the same effect.
struct Row {
    /// Names of registers, without what stands for the number of an element; a star ends a beginning.
    registers: &'static [&'static str],
    /// Names of fields; all where there are none.
    fields: &'static [&'static str],
    effect: Effect,
}

const fn traps(
    registers: &'static [&'static str],
    fields: &'static [&'static str],
    why: &'static str,
) -> Row {
    Row {
        registers,
        fields,
        effect: Effect::Traps(why),
    }
}

const fn partly(
    registers: &'static [&'static str],
    fields: &'static [&'static str],
    value: u32,
    why: &'static str,
) -> Row {
    Row {
        registers,
        fields,
        effect: Effect::Partly(value, why),
    }
}

const fn none(
    registers: &'static [&'static str],
    fields: &'static [&'static str],
    why: &'static str,
) -> Row {
    Row {
        registers,
        fields,
        effect: Effect::None(why),
    }
}

const RESERVED: &str = "reserved bits";
const QUEUES: &str = "depths and marks of queues: time only";
const STATUS: &str = "status that only the host reads";
const PIPES: &str = "how pixels are shared by pipes: time only";
const CACHES: &str = "caches: memory is always up to date";
const HINTS: &str = "a hint: time only";
const UPLOADED: &str = "the layout of instructions, which GA_US_VECTOR_DATA uploads";
const STATE: &str =
    "vertices in registers, whose draws stop: which input vectors they are is not given";
const FP20: &str =
    "the layout of FP20 is not given; GA_SOLID_RG and GA_SOLID_BA give the same colour";
const LUT: &str = "the table of the dither pattern is not given";
const COMPRESSION: &str = "how depths are compressed: nothing is";

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // VAP
    none(&["VAP_CNTL_STATUS"], &["PVS_BUSY", "MAX_MPS", "VS_BUSY", "RCP_BUSY", "VTE_BUSY", "MIU_BUSY", "VC_BUSY", "VF_BUSY", "REGPIPE_BUSY", "VAP_BUSY"], STATUS),
    traps(&["VAP_VF_CNTL"], &["RSVD_PREV_USED"], RESERVED),
    none(&["VAP_CNTL"], &["PVS_NUM_SLOTS", "PVS_NUM_CNTLRS", "PVS_NUM_FPUS", "VF_MAX_VTX_NUM", "TCL_STATE_OPTIMIZATION"], HINTS),
    none(&["VAP_VTE_CNTL"], &["SERIAL_PROC_ENA"], HINTS),
    none(&["VAP_VTX_NUM_ARRAYS"], &["VC_FORCE_PREFETCH", "VC_DIS_CACHE_INVLD", "AOS_*"], CACHES),
    none(&["VAP_VTX_STATE_CNTL", "VAP_VTX_ST_*"], &[], STATE),
    none(&["VAP_TEX_TO_COLOR_CNTL"], &[], "clipping makes no vertices: what is left is interpolated from the whole primitive"),
    traps(&["VAP_CLIP_CNTL"], &["BOUNDARY_EDGE_FLAG_ENA"], "edges of a cut are not drawn"),
    none(&["VAP_PVS_FLOW_CNTL_ADDRS_"], &[], "the form of earlier chips; the LW and UW registers are read"),
    none(&["VAP_PVS_STATE_FLUSH_REG", "VAP_PVS_VTX_TIMEOUT_REG"], &[], "writes wait for the draws before them"),
    none(&["VAP_PVS_CODE_CNTL_0", "VAP_PVS_CODE_CNTL_1"], &["PVS_XYZW_VALID_INST", "PVS_LAST_VTX_SRC_INST"], HINTS),
    // GB
    traps(&["GB_ENABLE"], &["STENCIL_AUTO"], "the bit of a slope that counts stencil values is the chip's own"),
    none(&["GB_MSPOS0", "GB_MSPOS1"], &["MSBD0_Y", "MSBD0_X", "MSBD1"], "bounds of the samples, which their positions have"),
    none(&["GB_TILE_CONFIG"], &["ENABLE", "PIPE_COUNT", "TILE_SIZE", "SUPER_SIZE", "SUPER_X", "SUPER_Y", "SUPER_TILE", "QUADS_PER_RAS", "BB_SCAN", "ALT_SCAN_EN", "ALT_OFFSET", "ALT_TILING"], PIPES),
    none(&["GB_TILE_CONFIG"], &["SUBPRECISION"], "the manual says to leave it 0"),
    none(&["GB_FIFO_SIZE", "GB_FIFO_SIZE1", "GA_FIFO_CNTL", "RB3D_FIFO_SIZE", "ZB_FIFO_SIZE"], &[], QUEUES),
    none(&["GB_PIPE_SELECT", "SU_REG_DEST"], &[], PIPES),
    traps(&["PS3_VTX_FMT"], &["TEX_10_COMP_CNT"], "what the eleventh vector holds is not given"),
    // RS
    none(&["RS_IP_"], &["OFFSET_EN"], "coordinates of texels on their edges are exact"),
    none(&["RS_COUNT"], &["IT_COUNT", "IC_COUNT"], "the vertices say what the packet holds"),
    none(&["RS_COUNT"], &["HIRES_EN"], "coordinates have the precision of floats"),
    none(&["RS_INST_COUNT"], &["TX_OFFSET"], "of RS_IP.OFFSET_EN"),
    // TX
    none(&["TX_INVALTAGS"], &[], CACHES),
    none(&["TX_FILTER0_"], &["ID"], "units are not renumbered"),
    traps(&["TX_FILTER1_"], &["MC_ROUND", "MC_COORD_TRUNCATE", "RESERVED_17", "RESERVED_23", "RESERVED_30"], "rounding of films and anisotropy in finer steps"),
    none(&["TX_FILTER1_"], &["RESERVED_13", "RESERVED_20", "RESERVED_29"], RESERVED),
    none(&["TX_FILTER1_"], &["BORDER_FIX"], "coordinates of levels of one texel are exact"),
    none(&["TX_FORMAT0_"], &["PROJECTED"], "the instruction says whether it divides"),
    none(&["TX_FORMAT1_"], &["CACHE"], CACHES),
    // GA
    traps(&["GA_FILL_R", "GA_FILL_G", "GA_FILL_B", "GA_FILL_A"], &[], FP20),
    partly(&["GA_COLOR_CONTROL"], &["PROVOKING_VERTEX"], 2, "the third vertex of a primitive does not lead"),
    none(&["GA_COLOR_CONTROL_PS3"], &["TEX10_SHADING_PS3"], "of PS3_VTX_FMT.TEX_10_COMP_CNT, which stops"),
    none(&["GA_IDLE"], &[], STATUS),
    none(&["GA_ENHANCE"], &[], HINTS),
    none(&["GA_ROUND_MODE"], &["COLOR_ROUND"], "colours keep the precision of floats"),
    traps(&["GA_ROUND_MODE"], &["GEOMETRY_MASK"], "vertices lie on a grid of sixteenths"),
    // SC
    none(&["SC_HYPERZ_EN"], &["HZ_ADJ", "HZ_Z0MIN", "HZ_Z0MAX"], "bounds of tiles are exact"),
    partly(&["SC_EDGERULE"], &["ER_TRI"], 10, "left and upper edges own the samples exactly on them"),
    partly(&["SC_SCREENDOOR"], &[], 1, "doors are the same in the pixels of a quad"),
    none(&["SC_EDGERULE"], &["ER_LINE_LR", "ER_LINE_RL", "ER_LINE_TB", "ER_LINE_BT"], "left and upper edges own the samples exactly on them"),
    // US
    none(&["US_CONFIG"], &["RESERVED_0"], RESERVED),
    none(&["US_FC_CTRL"], &["TEST_EN"], "no effect in the chip, the manual says"),
    none(&["US_CODE_RANGE"], &[], HINTS),
    none(&["US_FORMAT0_"], &[], "a copy of TX_FORMAT0, which is read"),
    traps(&["US_OUT_FMT_"], &["ROUND_ADJ"], "the rounding is not given"),
    partly(&["US_W_FMT"], &["W_FMT"], 2, "the layout of W24_FP is not given"),
    none(&["US_ALU_*", "US_TEX_*", "US_FC_INST*", "US_FC_ADDR*", "US_CMN_INST*"], &[], UPLOADED),
    // FG
    none(&["FG_ALPHA_FUNC"], &["DITH_EN", "ALP_OFF_EN"], "the R520 has it not, the manual says"),
    none(&["FG_ALPHA_FUNC"], &["DISCARD_ZERO_MASK_QUAD"], HINTS),
    // CB
    traps(&["RB3D_CCTL"], &["CLRCMP_FLIPE_ENABLE"], "of an earlier chip, whose rule is not given"),
    none(&["RB3D_CCTL"], &["RESERVED_11"], RESERVED),
    none(&["RB3D_CCTL"], &["WRITE_COMPRESSION_DISABLE"], "nothing is compressed"),
    none(&["RB3D_BLENDCNTL"], &["READ_ENABLE", "DISCARD_SRC_PIXELS", "SRC_ALPHA_0_NO_READ", "SRC_ALPHA_1_NO_READ"], "what is left out changes no picture where it is used rightly"),
    none(&["RB3D_CONSTANT_COLOR"], &[], "of earlier chips; the registers of 16 bits are read"),
    none(&["RB3D_CLRCMP_FLIPE", "RB3D_CLRCMP_CLR", "RB3D_CLRCMP_MSK"], &[], "read with RB3D_CCTL.CLRCMP_FLIPE_ENABLE, which stops"),
    none(&["RB3D_DSTCACHE_CTLSTAT"], &["DC_FLUSH", "DC_FREE"], CACHES),
    partly(&["RB3D_DITHER_CTL"], &[], 2, LUT),
    none(&["RB3D_DISCARD_SRC_PIXEL_LTE_THRESHOLD", "RB3D_DISCARD_SRC_PIXEL_GTE_THRESHOLD"], &[], "of RB3D_BLENDCNTL.DISCARD_SRC_PIXELS"),
    // ZB
    traps(&["ZB_CNTL"], &["ZSIGNED_COMPARE"], "depths are never below 0"),
    none(&["ZB_CNTL"], &["ZSIGNED_MAGNITUDE"], "read with ZSIGNED_COMPARE, which stops"),
    none(&["ZB_FORMAT"], &["PEQ8"], "unused, the manual says"),
    none(&["ZB_ZCACHE_CTLSTAT"], &[], CACHES),
    none(&["ZB_BW_CNTL"], &["FORCE_COMPRESSED_STENCIL_VALUE", "ZEQUAL_OPTIMIZE_DISABLE", "SEQUAL_OPTIMIZE_DISABLE", "BMASK_DISABLE", "TILE_OVERWRITE_RECOMPRESSION_DISABLE", "CONTIGUOUS_6XAA_SAMPLES_DISABLE", "PEQ_PACKING_ENABLE", "COVERED_PTR_MASKING_ENABLE"], COMPRESSION),
    none(&["ZB_BW_CNTL"], &["HIZ_EQUAL_REJECT_ENABLE", "HIZ_FP_EXP_BITS", "HIZ_FP_INVERT"], "bounds of tiles are exact"),
    none(&["ZB_HIZ_OFFSET", "ZB_HIZ_PITCH", "ZB_HIZ_RDINDEX"], &[], "bounds are not those of the memory, which only packets write"),
];

/// Whether a name is meant: the same, or one with a beginning that ends in a star.
fn means(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => pattern == name,
    }
}

/// What a field of a register does.
pub fn effect(register: &Register, field: &Field) -> Effect {
    let name = register.name.split('[').next().unwrap_or(register.name);
    let found = ROWS.iter().find(|row| {
        let mut fields = row.fields.iter();
        row.registers.iter().any(|pattern| means(pattern, name))
            && (row.fields.is_empty() || fields.any(|pattern| means(pattern, field.name)))
    });
    found.map_or(Effect::Acts, |row| row.effect)
}

/// All fields of the manual's list.
pub fn all() -> impl Iterator<Item = (&'static Register, &'static Field, Effect)> {
    let registers = super::TABLES.into_iter().flatten();
    registers.flat_map(|register| {
        let each = move |field| (register, field, effect(register, field));
        register.fields.iter().map(each)
    })
}

/// The same as text, a line a field.
pub fn listing() -> String {
    let line = |(register, field, effect): (&Register, &Field, Effect)| {
        let what = match effect {
            Effect::Acts => "acts".to_owned(),
            Effect::Partly(value, why) => format!("acts; {value} stops what reads it: {why}"),
            Effect::Traps(why) => format!("stops what reads it: {why}"),
            Effect::None(why) => why.to_owned(),
        };
        format!("{}.{}: {what}\n", register.name, field.name)
    };
    all().map(line).collect()
}
