//! A powered-on chip, its memory map and the packets that every test needs.

#[path = "../../../radeon/tests/board/mod.rs"]
mod board;

use r600::packets;
use r600::regs::*;
use r600::resource::{TexResourceWord6, VertexResource, VtxConstantWord2};
use r600::tiling::{self, ArrayMode, ImageKind, ImageLayout, TileMode};
use r600::{R600, Start, formats};
use silicon::{Addr, Format};

use board::on_board;
pub use board::*;

pub const FETCH_CODE: u64 = 0x3000;
pub const CONSTANTS: u64 = 0x5000;
pub const TEXTURE: u64 = 0xc0_0000;

pub struct Rig {
    board: Board,
    pub color: ImageLayout,
    pub format: Format,
}

on_board!(Rig);

/// The layout of an image of one level.
pub fn layout(array: ArrayMode, depth_order: bool, bytes: u32, size: [u32; 2]) -> ImageLayout {
    tiling::layout(&shape(TileMode { array, depth_order }, bytes, size))
}

impl Rig {
    pub fn started(start: Start, size: [u32; 2]) -> Rig {
        let mode = tiling::array_mode(ImageKind::Color, 4, 1, size);
        Rig {
            board: Board::new(R600::power_on, start, size),
            color: layout(mode, false, 4, size),
            format: Format::R8G8B8A8Unorm,
        }
    }

    /// Writes registers of any space.
    pub fn set_all(&mut self, register: u32, values: &[u32]) {
        let packets = [
            (packets::SET_CONFIG_REG, CONFIG),
            (packets::SET_CONTEXT_REG, CONTEXT),
            (packets::SET_ALU_CONST, ALU_CONST),
            (packets::SET_BOOL_CONST, BOOL_CONST),
            (packets::SET_LOOP_CONST, LOOP_CONST),
            (packets::SET_RESOURCE, RESOURCE),
            (packets::SET_SAMPLER, SAMPLER),
            (packets::SET_CTL_CONST, CTL_CONST),
        ];
        let mut packets = packets.into_iter();
        let (opcode, space) = packets
            .find(|(_, space)| space.contains(&register))
            .unwrap();
        let mut payload = vec![(register - space.start) / 4];
        payload.extend(values);
        self.packet(opcode, &payload);
    }

    pub fn set(&mut self, register: u32, value: u32) {
        self.set_all(register, &[value]);
    }

    /// Vertices, programs and the state that the tests share: one colour target, no depth, no blending.
    pub fn setup(&mut self, vertices: &[Vertex], pixel: &[u32]) {
        self.load(vertices, [&super::code::vertex(), pixel]);
        self.packet(packets::START_3D_CMDBUF, &[0]);
        self.packet(packets::CONTEXT_CONTROL, &[0x8000_0000, 0x8000_0000]);
        let buffer = VertexResource {
            base: VERTICES,
            size: 32 * vertices.len() as u32,
            word2: VtxConstantWord2 {
                stride: 32,
                data_format: formats::data_format(Format::R32G32B32A32Float).unwrap(),
                ..VtxConstantWord2::from_word(0)
            },
        };
        self.set_all(resource_at(RESOURCES_FS), &buffer.words());
        let resources = SqPgmResources {
            num_gprs: 4,
            stack_size: 4,
            dx10_clamp: true,
            ..SqPgmResources::from_word(0)
        }
        .pack();
        self.set(SQ_PGM_START_VS, (VERTEX_CODE >> 8) as u32);
        self.set(SQ_PGM_RESOURCES_VS, resources);
        self.set(SQ_PGM_START_PS, (PIXEL_CODE >> 8) as u32);
        self.set(SQ_PGM_RESOURCES_PS, resources);
        // Parameter 0 and input 0 have the name 1.
        self.set(SPI_VS_OUT_ID_0, 1);
        self.set(SPI_VS_OUT_CONFIG, 0);
        self.set(SPI_PS_INPUT_CNTL_0, 1);
        self.set(SPI_PS_IN_CONTROL_0, 1);
        self.set(SPI_INTERP_CONTROL_0, 1);
        self.set(CB_SHADER_MASK, 0xf);
        self.set(CB_TARGET_MASK, 0xf);
        self.target();
        self.viewport(PA_SU_VTX_CNTL);
    }

    /// Binds the colour target.
    pub fn target(&mut self) {
        let surface = self.color.levels[0].surface;
        let (format, number_type, comp_swap) = formats::color_format(self.format).unwrap();
        self.set(CB_COLOR0_BASE, (COLOR >> 8) as u32);
        self.set(CB_COLOR0_SIZE, size(surface.pitch, surface.height));
        self.set(
            CB_COLOR0_INFO,
            CbColorInfo {
                format,
                number_type,
                comp_swap,
                array_mode: surface.mode.code(),
                ..CbColorInfo::from_word(0)
            }
            .pack(),
        );
    }

    /// A depth buffer with a comparison, filled with a word.
    pub fn depth(&mut self, format: Format, clear: u32, control: DbDepthControl) -> ImageLayout {
        let bytes = format.size_bytes();
        let mode = tiling::array_mode(ImageKind::Depth, bytes, 1, self.size);
        let layout = layout(mode, true, bytes, self.size);
        let surface = layout.levels[0].surface;
        self.memory
            .fill(Addr(DEPTH), layout.bytes / 4, clear)
            .unwrap();
        self.set(
            DB_DEPTH_INFO,
            DbDepthInfo {
                format: formats::depth_code(format).unwrap(),
                array_mode: mode.code(),
                ..DbDepthInfo::from_word(0)
            }
            .pack(),
        );
        self.set(DB_DEPTH_BASE, (DEPTH >> 8) as u32);
        self.set(DB_DEPTH_SIZE, size(surface.pitch, surface.height));
        self.set(DB_DEPTH_CONTROL, control.pack());
        layout
    }

    /// An image of RGBA bytes as texture 0 of the pixel stage, and its words.
    pub fn texture(
        &mut self,
        mode: ArrayMode,
        format: Format,
        [width, height]: [u32; 2],
        texel: impl Fn(u32, u32) -> u32,
    ) -> [u32; 7] {
        let layout = layout(mode, false, format.size_bytes(), [width, height]);
        let surface = layout.levels[0].surface;
        for y in 0..height {
            for x in 0..width {
                let at = TEXTURE + surface.offset(x, y, 0, 0);
                self.memory.store(at, texel(x, y)).unwrap();
            }
        }
        let [x, y, z, w] = formats::selectors(format).map(u32::from);
        let number = formats::number_format(format);
        let data = u32::from(formats::data_format(format).unwrap());
        let words = [
            1 | u32::from(mode.code()) << 3 | (surface.pitch / 8 - 1) << 8 | (width - 1) << 19,
            (height - 1) | data << 26,
            (TEXTURE >> 8) as u32,
            (TEXTURE >> 8) as u32,
            u32::from(number.num_format) << 8 | x << 16 | y << 19 | z << 22 | w << 25,
            0,
            TexResourceWord6 {
                kind: r600::resource::kind::VALID_TEXTURE,
                ..TexResourceWord6::from_word(0)
            }
            .pack(),
        ];
        self.set_all(resource_at(RESOURCES_PS), &words);
        words
    }
}

/// CB_COLORn_SIZE and DB_DEPTH_SIZE.
pub fn size(pitch: u32, height: u32) -> u32 {
    (pitch / 8 - 1) | (pitch * height / 64 - 1) << 10
}

/// Depth test alone.
pub fn depth_test(zfunc: u8, write: bool) -> DbDepthControl {
    DbDepthControl {
        z_enable: true,
        z_write_enable: write,
        zfunc,
        ..DbDepthControl::from_word(0)
    }
}

/// A strip over the whole target.
pub const STRIP: [(f32, f32); 4] = [(-1., -1.), (1., -1.), (-1., 1.), (1., 1.)];

/// Vertices of one colour and depth.
pub fn corners(corners: &[(f32, f32)], z: f32, color: [f32; 4]) -> Vec<Vertex> {
    let [r, g, b, a] = color;
    corners
        .iter()
        .map(|(x, y)| [*x, *y, z, 1.0, r, g, b, a])
        .collect()
}
