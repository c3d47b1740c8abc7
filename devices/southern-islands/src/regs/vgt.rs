//! Registers of the vertex grouper and tessellator.

pub use radeon::packets::event;
pub use radeon::r6xx::codes::prim_type;

/// Topology in bits 5:0; values in [`prim_type`].
pub const VGT_PRIMITIVE_TYPE: u32 = 0x8958;
/// 0 for 16-bit, 1 for 32-bit indices.
pub const VGT_INDEX_TYPE: u32 = 0x895c;
/// Instances of the next draw.
pub const VGT_NUM_INSTANCES: u32 = 0x8974;
/// Largest vertex index; larger ones are clamped.
pub const VGT_MAX_VTX_INDX: u32 = 0x28400;
/// Smallest vertex index; smaller ones are clamped.
pub const VGT_MIN_VTX_INDX: u32 = 0x28404;
/// Added to every index.
pub const VGT_INDX_OFFSET: u32 = 0x28408;
/// Index that restarts a strip.
pub const VGT_MULTI_PRIM_IB_RESET_INDX: u32 = 0x2840c;
/// Bit 0: restart is on.
pub const VGT_MULTI_PRIM_IB_RESET_EN: u32 = 0x28a94;
/// [`VgtDrawInitiator`].
pub const VGT_DRAW_INITIATOR: u32 = 0x287f0;
/// Event type in bits 5:0; values in [`event`].
pub const VGT_EVENT_INITIATOR: u32 = 0x28a90;
/// Bit 0: the primitive number is wanted.
pub const VGT_PRIMITIVEID_EN: u32 = 0x28a84;
/// First primitive number.
pub const VGT_PRIMITIVEID_RESET: u32 = 0x28a8c;
/// Divisor of the instance number in v1.
pub const VGT_INSTANCE_STEP_RATE_0: u32 = 0x28aa0;
/// Second divisor.
pub const VGT_INSTANCE_STEP_RATE_1: u32 = 0x28aa4;
/// Which stages run; 0 is vertex and pixel shader.
pub const VGT_SHADER_STAGES_EN: u32 = 0x28b54;
/// Geometry stage mode; 0 is off.
pub const VGT_GS_MODE: u32 = 0x28a40;
/// Bit 0: shared vertices are shaded again.
pub const VGT_REUSE_OFF: u32 = 0x28ab4;
/// Work distribution; kept, not acted upon.
pub const IA_MULTI_VGT_PARAM: u32 = 0x28aa8;

isa::word! {
    /// VGT_DRAW_INITIATOR.
    pub struct VgtDrawInitiator: u32 where {
        reserved_7: u32 [31:7],
        use_opaque: bool [6:6],
        not_eop: bool [5:5],
        reserved_4: bool [4:4],
        major_mode: u8 [3:2],
        source_select: u8 [1:0],
    }
}
