//! Registers that drivers write and that change nothing here: how blocks work, and what belongs to stages that draws need
//! off.

radeon::registers! {
    pub(super) TABLE:
    /// What the stream waits for: all before has run.
    WAIT_UNTIL = 0x08040;
    /// How blocks do their work.
    SQ_DYN_GPR_CNTL_PS_FLUSH_REQ = 0x08d8c;
    TA_CNTL_AUX = 0x09508;
    VC_ENHANCE = 0x09714;
    DB_DEBUG = 0x09830;
    DB_WATERMARKS = 0x09838;
    /// Of fog, which draws need off.
    SPI_FOG_FUNC_SCALE = 0x286e0;
    SPI_FOG_FUNC_BIAS = 0x286e4;
    /// Of rings that nothing uses.
    SQ_FBUF_RING_ITEMSIZE = 0x288c0;
    SQ_REDUC_RING_ITEMSIZE = 0x288c4;
    /// Of VGT_HOS_CNTL and VGT_OUTPUT_PATH_CNTL, which draws need off.
    VGT_HOS_MAX_TESS_LEVEL = 0x28a18;
    VGT_HOS_MIN_TESS_LEVEL = 0x28a1c;
    VGT_HOS_REUSE_DEPTH = 0x28a20;
    VGT_GROUP_PRIM_TYPE = 0x28a24;
    VGT_GROUP_FIRST_DECR = 0x28a28;
    VGT_GROUP_DECR = 0x28a2c;
    VGT_GROUP_VECT_0_CNTL = 0x28a30;
    VGT_GROUP_VECT_1_CNTL = 0x28a34;
    VGT_GROUP_VECT_0_FMT_CNTL = 0x28a38;
    VGT_GROUP_VECT_1_FMT_CNTL = 0x28a3c;
    /// What is read ahead.
    DB_PRELOAD_CONTROL = 0x28d30;
}
