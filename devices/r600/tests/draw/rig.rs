//! A powered-on chip, its memory map and the packets that every test needs.

use r600::packets;
use r600::regs::*;
use r600::resource::{TexResourceWord6, VertexResource, VtxConstantWord2};
use r600::tiling::{self, ArrayMode, ImageKind, ImageLayout, ImageShape};
use r600::{R600, Start, formats};
use silicon::{Addr, Format, Gpu, Memory, Stats, Trap};

pub const VERTEX_CODE: u64 = 0x1000;
pub const PIXEL_CODE: u64 = 0x2000;
pub const FETCH_CODE: u64 = 0x3000;
pub const CONSTANTS: u64 = 0x5000;
pub const VERTICES: u64 = 0x100_0000;
pub const INDICES: u64 = 0x8_0000;
pub const STREAM: u64 = 0x10_0000;
pub const COLOR: u64 = 0x40_0000;
pub const DEPTH: u64 = 0x80_0000;
pub const TEXTURE: u64 = 0xc0_0000;
pub const MEMORY: u64 = 0x400_0000;

pub const WIDTH: u32 = 200;
pub const HEIGHT: u32 = 120;

/// A vertex: clip position and colour.
pub type Vertex = [f32; 8];

pub struct Rig {
    pub gpu: Box<dyn Gpu>,
    pub memory: Memory,
    pub stream: Vec<u32>,
    pub color: ImageLayout,
    pub format: Format,
    pub size: [u32; 2],
}

/// The layout of an image of one level.
pub fn layout(
    mode: ArrayMode,
    depth_order: bool,
    bytes: u32,
    [width, height]: [u32; 2],
) -> ImageLayout {
    tiling::layout(&ImageShape {
        mode,
        depth_order,
        element_bytes: bytes,
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
        let start = Start {
            threads: Some(threads),
            ..Start::default()
        };
        Rig::started(start, size)
    }

    pub fn started(start: Start, size: [u32; 2]) -> Rig {
        let memory = Memory::new(MEMORY);
        let mode = tiling::array_mode(ImageKind::Color, 4, 1, size);
        Rig {
            gpu: R600::power_on(memory.clone(), start),
            memory,
            stream: Vec::new(),
            color: layout(mode, false, 4, size),
            format: Format::R8G8B8A8Unorm,
            size,
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
        let bits: Vec<u32> = vertices.iter().flatten().map(|v| v.to_bits()).collect();
        self.words(VERTICES, &bits);
        self.words(VERTEX_CODE, &super::code::vertex());
        self.words(PIXEL_CODE, pixel);
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

    fn viewport(&mut self) {
        let [width, height] = self.size;
        let (w, h) = (width as f32 / 2.0, height as f32 / 2.0);
        let values = [w, w, -h, h, 1.0, 0.0].map(f32::to_bits);
        self.set_all(PA_CL_VPORT_XSCALE_0, &values);
        self.set(PA_CL_VTE_CNTL, 0x3f);
        self.set(PA_SC_SCREEN_SCISSOR_BR, width | height << 16);
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

    pub fn draw(&mut self, count: u32) {
        self.packet(
            packets::DRAW_INDEX_AUTO,
            &[count, packets::source::AUTO_INDEX],
        );
    }

    /// Runs what has been written.
    pub fn run(&mut self) -> Result<Stats, Trap> {
        let words = std::mem::take(&mut self.stream);
        self.words(STREAM, &words);
        self.gpu
            .execute(Addr(STREAM)..Addr(STREAM + 4 * words.len() as u64))
    }

    /// A texel of the colour target.
    pub fn pixel(&self, x: u32, y: u32) -> u32 {
        let surface = self.color.levels[0].surface;
        let at = COLOR + surface.offset(x, y, 0, 0);
        self.memory.load(at).unwrap()
    }

    /// All texels, line by line.
    pub fn picture(&self) -> Vec<u32> {
        let lines = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
        lines.map(|(x, y)| self.pixel(x, y)).collect()
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
