//! A powered-on chip, its memory map and the packets that every test needs.

use silicon::{Addr, Gpu, Memory, Stats, Trap};
use southern_islands::packets;
use southern_islands::regs::*;
use southern_islands::tiling::{self, ImageKind, ImageLayout, ImageShape};
use southern_islands::{SouthernIslands, Start};

pub const VERTEX_CODE: u64 = 0x1000;
pub const PIXEL_CODE: u64 = 0x2000;
pub const TABLE: u64 = 0x3000;
pub const VERTICES: u64 = 0x100_0000;
pub const INDICES: u64 = 0x8_0000;
pub const STREAM: u64 = 0x10_0000;
pub const COLOR: u64 = 0x40_0000;
pub const DEPTH: u64 = 0x80_0000;
pub const MEMORY: u64 = 0x800_0000;

pub const WIDTH: u32 = 200;
pub const HEIGHT: u32 = 120;

/// A vertex: clip position and colour.
pub type Vertex = [f32; 8];

pub struct Rig {
    pub gpu: Box<dyn Gpu>,
    pub memory: Memory,
    pub stream: Vec<u32>,
    pub size: [u32; 2],
    color: ImageLayout,
}

/// The layout of a 32-bit image.
pub fn layout(kind: ImageKind, [width, height]: [u32; 2]) -> ImageLayout {
    tiling::layout(&ImageShape {
        tile_index: tiling::tile_index(kind, 4, 1, [width, height]),
        element_bytes: 4,
        block: [1, 1],
        width,
        height,
        depth: 1,
        layers: 1,
        levels: 1,
        samples: 1,
        pitch: 0,
    })
}

impl Rig {
    pub fn new(threads: usize) -> Rig {
        Rig::sized(threads, [WIDTH, HEIGHT])
    }

    pub fn sized(threads: usize, size: [u32; 2]) -> Rig {
        let threads = Some(threads);
        Rig::started(
            Start {
                threads,
                ..Start::default()
            },
            size,
        )
    }

    pub fn started(start: Start, size: [u32; 2]) -> Rig {
        let memory = Memory::new(MEMORY);
        Rig {
            gpu: SouthernIslands::power_on(memory.clone(), start),
            memory,
            stream: Vec::new(),
            size,
            color: layout(ImageKind::Color, size),
        }
    }

    pub fn words(&self, at: u64, words: &[u32]) {
        for (n, word) in words.iter().enumerate() {
            self.memory.store(at + 4 * n as u64, *word).unwrap();
        }
    }

    pub fn packet(&mut self, opcode: u8, payload: &[u32]) {
        self.stream
            .push(packets::header(opcode, payload.len() as u32));
        self.stream.extend(payload);
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
        let bits: Vec<u32> = vertices.iter().flatten().map(|v| v.to_bits()).collect();
        self.words(VERTICES, &bits);
        self.words(VERTEX_CODE, &super::code::vertex());
        self.words(PIXEL_CODE, pixel);
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
        self.viewport();
        self.set(
            PA_CL_CLIP_CNTL,
            PaClClipCntl {
                dx_clip_space_def: true,
                ..PaClClipCntl::from_word(0)
            }
            .pack(),
        );
        self.set(PA_SU_VTX_CNTL, 1);
        self.set(VGT_PRIMITIVE_TYPE, prim_type::TRILIST);
        self.packet(packets::NUM_INSTANCES, &[1]);
    }

    fn target(&mut self, n: u32, address: u64, layout: &ImageLayout) {
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
        self.set(at(CB_COLOR0_ATTRIB), u32::from(layout.levels[0].tile_index));
    }

    fn viewport(&mut self) {
        let [width, height] = self.size;
        let (w, h) = (width as f32 / 2.0, height as f32 / 2.0);
        for (n, value) in [w, w, -h, h, 1.0, 0.0].into_iter().enumerate() {
            self.set(PA_CL_VPORT_XSCALE_0 + 4 * n as u32, value.to_bits());
        }
        self.set(PA_CL_VTE_CNTL, 0x3f);
        let corner = width | height << 16;
        self.set(PA_SC_SCREEN_SCISSOR_BR, corner);
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
                tile_mode_index: layout.levels[0].tile_index,
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

    pub fn draw(&mut self, count: u32) {
        self.packet(
            packets::DRAW_INDEX_AUTO,
            &[count, packets::source::AUTO_INDEX],
        );
    }

    /// Runs the stream and forgets it.
    pub fn run(&mut self) -> Result<Stats, Trap> {
        let stream = std::mem::take(&mut self.stream);
        self.words(STREAM, &stream);
        self.gpu
            .execute(Addr(STREAM)..Addr(STREAM + 4 * stream.len() as u64))
    }

    /// The pixel as stored, red lowest.
    pub fn pixel(&self, x: u32, y: u32) -> u32 {
        let offset = self.color.levels[0].surface.offset(x, y, 0, 0);
        self.memory.load(COLOR + offset).unwrap()
    }

    /// All pixels, row by row.
    pub fn picture(&self) -> Vec<u32> {
        (0..HEIGHT)
            .flat_map(|y| (0..WIDTH).map(move |x| (x, y)))
            .map(|(x, y)| self.pixel(x, y))
            .collect()
    }
}
