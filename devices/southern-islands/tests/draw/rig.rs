//! A powered-on chip, its memory map and the packets that every test needs.

#[path = "../../../radeon/tests/board/mod.rs"]
mod board;

use silicon::Addr;
use southern_islands::packets;
use southern_islands::regs::*;
use southern_islands::tiling::{self, ImageKind, ImageLayout};
use southern_islands::{SouthernIslands, Start};

use board::on_board;
pub use board::*;

pub const TABLE: u64 = 0x3000;

pub struct Rig {
    board: Board,
    color: ImageLayout,
}

on_board!(Rig);

/// The layout of a 32-bit image.
pub fn layout(kind: ImageKind, size: [u32; 2]) -> ImageLayout {
    tiling::layout(&shape(tiling::tile_index(kind, 4, 1, size), 4, size))
}

impl Rig {
    pub fn started(start: Start, size: [u32; 2]) -> Rig {
        Rig {
            board: Board::new(SouthernIslands::power_on, start, size),
            color: layout(ImageKind::Color, size),
        }
    }

    /// Writes a register of any space.
    pub fn set(&mut self, register: u32, value: u32) {
        let (opcode, space) = if CONTEXT.contains(&register) {
            (packets::SET_CONTEXT_REG, CONTEXT)
        } else if SH.contains(&register) {
            (packets::SET_SH_REG, SH)
        } else {
            (packets::SET_CONFIG_REG, CONFIG)
        };
        self.packet(opcode, &[(register - space.start) / 4, value]);
    }

    /// Vertices, shaders and the state that the tests share: one colour target, no depth, no blending.
    pub fn setup(&mut self, vertices: &[Vertex], pixel: &[u32], kind: ImageKind) {
        self.load(vertices, [&super::code::vertex(), pixel]);
        let buffer = southern_islands::descriptor::BufferResource {
            base_address: VERTICES,
            stride: 32,
            num_records: vertices.len() as u32,
            dst_sel_x: 4,
            dst_sel_y: 5,
            dst_sel_z: 6,
            dst_sel_w: 7,
            num_format: 7,
            data_format: 14,
            ..southern_islands::descriptor::BufferResource::from_word(0)
        }
        .pack();
        self.words(TABLE, &[0, 1, 2, 3].map(|n| (buffer >> (32 * n)) as u32));

        self.packet(packets::CONTEXT_CONTROL, &[0x8000_0000, 0x8000_0000]);
        self.packet(packets::CLEAR_STATE, &[0]);
        self.set(SPI_SHADER_PGM_LO_VS, (VERTEX_CODE >> 8) as u32);
        self.set(
            SPI_SHADER_PGM_RSRC1_VS,
            SpiShaderPgmRsrc1Vs {
                vgprs: 3,
                sgprs: 1,
                float_mode: 0xf0,
                dx10_clamp: true,
                vgpr_comp_cnt: 3,
                ..SpiShaderPgmRsrc1Vs::from_word(0)
            }
            .pack(),
        );
        self.set(SPI_SHADER_PGM_RSRC2_VS, 2 << 1);
        self.set(SPI_SHADER_USER_DATA_VS_0, TABLE as u32);
        self.set(SPI_SHADER_USER_DATA_VS_0 + 4, 0);
        self.set(SPI_SHADER_PGM_LO_PS, (PIXEL_CODE >> 8) as u32);
        self.set(
            SPI_SHADER_PGM_RSRC1_PS,
            SpiShaderPgmRsrc1Ps {
                vgprs: 3,
                sgprs: 1,
                float_mode: 0xf0,
                dx10_clamp: true,
                ..SpiShaderPgmRsrc1Ps::from_word(0)
            }
            .pack(),
        );
        self.set(SPI_SHADER_PGM_RSRC2_PS, 0);
        // i and j, perspective, in v0 and v1.
        self.set(SPI_PS_INPUT_ENA, 2);
        self.set(SPI_PS_INPUT_ADDR, 2);
        self.set(SPI_PS_IN_CONTROL, 1);
        self.set(SPI_PS_INPUT_CNTL_0, 0);
        self.set(SPI_VS_OUT_CONFIG, 0);
        self.set(SPI_SHADER_COL_FORMAT, col_format::ABGR_32.into());
        self.set(CB_SHADER_MASK, 0xf);
        self.set(CB_TARGET_MASK, 0xf);
        // ROP3 0xcc copies the source.
        self.set(
            CB_COLOR_CONTROL,
            0xcc << 16 | u32::from(cb_mode::NORMAL) << 4,
        );
        self.color = layout(kind, self.size);
        self.target(0, COLOR, &self.color.clone());
        self.viewport(PA_SU_VTX_CNTL);
    }

    /// Binds a colour target.
    pub fn target(&mut self, n: u32, address: u64, layout: &ImageLayout) {
        let surface = layout.levels[0].surface;
        let at = |register: u32| register + n * CB_COLOR_STRIDE;
        self.set(at(CB_COLOR0_BASE), (address >> 8) as u32);
        self.set(at(CB_COLOR0_PITCH), surface.pitch / 8 - 1);
        self.set(at(CB_COLOR0_SLICE), surface.pitch * surface.height / 64 - 1);
        self.set(
            at(CB_COLOR0_INFO),
            CbColorInfo {
                format: color_format::C_8_8_8_8,
                number_type: number_type::UNORM,
                comp_swap: comp_swap::STD,
                ..CbColorInfo::from_word(0)
            }
            .pack(),
        );
        self.set(at(CB_COLOR0_ATTRIB), u32::from(layout.levels[0].mode));
    }

    /// Blends colours over what the target holds, by their alpha.
    pub fn blend_over(&mut self) {
        let over = CbBlendControl {
            enable: true,
            color_srcblend: blend::SRC_ALPHA,
            color_destblend: blend::ONE_MINUS_SRC_ALPHA,
            ..CbBlendControl::from_word(0)
        };
        self.set(CB_BLEND0_CONTROL, over.pack());
    }

    /// A depth buffer of floats with a comparison, cleared to 1.
    pub fn depth(&mut self, compare: u8, write: bool) {
        let layout = layout(ImageKind::Depth, self.size);
        let surface = layout.levels[0].surface;
        self.memory
            .fill(Addr(DEPTH), layout.bytes / 4, 1f32.to_bits())
            .unwrap();
        self.set(
            DB_Z_INFO,
            DbZInfo {
                format: z_format::Z_32_FLOAT,
                tile_mode_index: layout.levels[0].mode,
                ..DbZInfo::from_word(0)
            }
            .pack(),
        );
        for register in [DB_Z_READ_BASE, DB_Z_WRITE_BASE] {
            self.set(register, (DEPTH >> 8) as u32);
        }
        self.set(
            DB_DEPTH_SIZE,
            (surface.pitch / 8 - 1) | (surface.height / 8 - 1) << 11,
        );
        self.set(DB_DEPTH_SLICE, surface.pitch * surface.height / 64 - 1);
        self.set(
            DB_DEPTH_CONTROL,
            DbDepthControl {
                z_enable: true,
                z_write_enable: write,
                zfunc: compare,
                ..DbDepthControl::from_word(0)
            }
            .pack(),
        );
    }
}
