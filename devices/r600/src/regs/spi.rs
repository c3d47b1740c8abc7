//! Registers of the shader processor input.

use radeon::r6xx::regs::*;

radeon::registers! {
    pub(super) TABLE:
    SPI_PS_INPUT_CNTL_0: SpiPsInputCntl [32; 4];
    SPI_VS_OUT_CONFIG: SpiVsOutConfig;
    /// Names of four parameters, 0 for none.
    SPI_VS_OUT_ID_0: SpiVsOutId = 0x28614 [10; 4];
    /// Waves that belong together; kept, not acted upon.
    SPI_THREAD_GROUPING: SpiThreadGrouping = 0x286c8;
    SPI_PS_IN_CONTROL_0: SpiPsInControl0 = 0x286cc;
    SPI_PS_IN_CONTROL_1: SpiPsInControl1 = 0x286d0;
    SPI_INPUT_Z: SpiInputZ = 0x286d8;
    /// Fog, which draws need off.
    SPI_FOG_CNTL: SpiFogCntl = 0x286dc;
}

isa::word! {
    /// SPI_VS_OUT_ID_n.
    pub struct SpiVsOutId: u32 where {
        semantic_3: u8 [31:24],
        semantic_2: u8 [23:16],
        semantic_1: u8 [15:8],
        semantic_0: u8 [7:0],
    }
}

isa::word! {
    /// SPI_THREAD_GROUPING.
    pub struct SpiThreadGrouping: u32 where {
        reserved_29: u8 [31:29],
        es_grouping: u8 [28:24],
        reserved_21: u8 [23:21],
        gs_grouping: u8 [20:16],
        reserved_13: u8 [15:13],
        vs_grouping: u8 [12:8],
        reserved_5: u8 [7:5],
        ps_grouping: u8 [4:0],
    }
}

isa::word! {
    /// SPI_FOG_CNTL.
    pub struct SpiFogCntl: u32 where {
        reserved_5: u32 [31:5],
        vs_fog_clamp_disable: bool [4:4],
        pixel_fog_src_sel: bool [3:3],
        pixel_fog_func: u8 [2:1],
        pass_fog_through_ps: bool [0:0],
    }
}

isa::word! {
    /// SPI_PS_INPUT_CNTL_n.
    pub struct SpiPsInputCntl: u32 where {
        reserved_19: u16 [31:19],
        sel_sample: bool [18:18],
        pt_sprite_tex: bool [17:17],
        cyl_wrap: u8 [16:13],
        sel_linear: bool [12:12],
        sel_centroid: bool [11:11],
        flat_shade: bool [10:10],
        default_val: u8 [9:8],
        semantic: u8 [7:0],
    }
}

isa::word! {
    /// SPI_VS_OUT_CONFIG.
    pub struct SpiVsOutConfig: u32 where {
        reserved_14: u32 [31:14],
        vs_out_fog_vec_addr: u8 [13:9],
        vs_exports_fog: bool [8:8],
        reserved_6: u8 [7:6],
        vs_export_count: u8 [5:1],
        vs_per_component: bool [0:0],
    }
}

isa::word! {
    /// SPI_PS_IN_CONTROL_0.
    pub struct SpiPsInControl0: u32 where {
        baryc_at_sample_ena: bool [31:31],
        position_sample: bool [30:30],
        linear_gradient_ena: bool [29:29],
        persp_gradient_ena: bool [28:28],
        baryc_sample_cntl: u8 [27:26],
        param_gen_addr: u8 [25:19],
        param_gen: u8 [18:15],
        position_addr: u8 [14:10],
        position_centroid: bool [9:9],
        position_ena: bool [8:8],
        reserved_6: u8 [7:6],
        num_interp: u8 [5:0],
    }
}

isa::word! {
    /// SPI_PS_IN_CONTROL_1.
    pub struct SpiPsInControl1: u32 where {
        reserved_31: bool [31:31],
        position_ulc: bool [30:30],
        fixed_pt_position_addr: u8 [29:25],
        fixed_pt_position_ena: bool [24:24],
        fog_addr: u8 [23:17],
        front_face_addr: u8 [16:12],
        front_face_all_bits: bool [11:11],
        front_face_chan: u8 [10:9],
        front_face_ena: bool [8:8],
        gen_index_pix_addr: u8 [7:1],
        gen_index_pix: bool [0:0],
    }
}

isa::word! {
    /// SPI_INPUT_Z.
    pub struct SpiInputZ: u32 where {
        reserved_1: u32 [31:1],
        provide_z_to_spi: bool [0:0],
    }
}
