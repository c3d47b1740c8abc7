//! What the driver of R5xx owes to compiled code. The chip has no descriptors: the driver writes registers.
//!
//! | In [`Binary`](crate::codegen::Binary) | What it is |
//! |---|---|
//! | `words` | PVS code memory, four words an instruction, or US code memory, six; to be loaded at instruction 0 |
//! | `registers` | what belongs to the code: see below |
//! | `slots.constants` | where each component of each hardware constant comes from, constant 0 on |
//! | `slots.banks` | uniform buffers, `slot` counts them: `ConstantSource::Uniform::bank` |
//! | `slots.resources` | texture of each unit, `slot` is the unit |
//! | `slots.samplers` | sampler of a unit; one without is read at texels: nearest, clamped, no mips but the level given |
//! | `slots.inputs` | vertex: input register n; fragment: temporary n |
//! | `slots.outputs` | vertex: output register n. Varyings are texture coordinates 0 on, four components each |
//!
//! `registers` of the vertex stage: VAP_PVS_CODE_CNTL_0 and _1, VAP_PVS_CONST_CNTL, VAP_PVS_FLOW_CNTL_OPC, and
//! VAP_PVS_FLOW_CNTL_ADDRS_LW, _UW and _LOOP_INDEX of the slots in use; VAP_OUT_VTX_FMT_0 and _1. Of the fragment stage:
//! US_CONFIG, US_PIXSIZE, US_FC_CTRL, US_CODE_ADDR, US_CODE_RANGE, US_CODE_OFFSET, US_W_FMT, and FG_DEPTH_SRC. The
//! driver owes US_OUT_FMT (formats of targets), RS_COUNT, RS_INST_COUNT, RS_IP, RS_INST, VAP_VTX_NUM_ARRAYS and the streams.
//!
//! Integers are floats everywhere. Those from outside (attributes, uniforms, indices) are taken to be between -2^23 and
//! 2^23; beyond, the driver's conversion rounds.

use crate::layout::DescriptorBytes;

/// Float constants of a stage.
pub const CONSTANTS: usize = 256;
/// Input vectors of a vertex.
pub const INPUTS: usize = 16;
/// Texture units, of fragment shaders only.
pub const UNITS: usize = 16;
/// Varyings of four components.
pub const VARYINGS: usize = 8;
/// Magnitude of integers from outside.
pub const OUTSIDE: f64 = 8_388_608.0;

/// What a set holds; the driver reads it when it encodes a draw.
pub const BYTES: DescriptorBytes = DescriptorBytes {
    buffer: 16,
    texture: 64,
    sampler: 32,
    set_align: 64,
};
