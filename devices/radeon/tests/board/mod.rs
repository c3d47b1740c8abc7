//! A powered-on chip of the family, its memory map and the packets that every test of a draw needs.

use radeon::r6xx::tiling::ImageShape;
use radeon::r6xx::unexecuted::Field;
use radeon::r6xx::{packets, regs};
use silicon::fragment::surface::Layout;
use silicon::{Addr, Gpu, Memory, Start, Stats, Trap};

pub const VERTEX_CODE: u64 = 0x1000;
pub const PIXEL_CODE: u64 = 0x2000;
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

pub struct Board {
    pub gpu: Box<dyn Gpu>,
    pub memory: Memory,
    pub stream: Vec<u32>,
    pub size: [u32; 2],
}

impl Board {
    pub fn new(power_on: fn(Memory, Start) -> Box<dyn Gpu>, start: Start, size: [u32; 2]) -> Board {
        let memory = Memory::new(MEMORY);
        Board {
            gpu: power_on(memory.clone(), start),
            memory,
            stream: Vec::new(),
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

    /// Writes context registers that follow each other.
    pub fn context(&mut self, register: u32, values: &[u32]) {
        let payload = [&[(register - 0x2_8000) / 4], values].concat();
        self.packet(packets::SET_CONTEXT_REG, &payload);
    }

    /// Vertices and programs in memory.
    pub fn load(&mut self, vertices: &[Vertex], programs: [&[u32]; 2]) {
        let bits: Vec<u32> = vertices.iter().flatten().map(|v| v.to_bits()).collect();
        self.words(VERTICES, &bits);
        self.words(VERTEX_CODE, programs[0]);
        self.words(PIXEL_CODE, programs[1]);
    }

    /// Separate triangles over the whole target, depth from 0 to 1, pixel centres at halves.
    pub fn viewport(&mut self, vtx_cntl: u32) {
        let [width, height] = self.size;
        let (w, h) = (width as f32 / 2.0, height as f32 / 2.0);
        let values = [w, w, -h, h, 1.0, 0.0].map(f32::to_bits);
        self.context(regs::PA_CL_VPORT_XSCALE_0, &values);
        self.context(regs::PA_CL_VTE_CNTL, &[0x43f]);
        self.context(regs::PA_SC_SCREEN_SCISSOR_BR, &[width | height << 16]);
        let clip = regs::PaClClipCntl {
            dx_clip_space_def: true,
            ..regs::PaClClipCntl::from_word(0)
        };
        self.context(regs::PA_CL_CLIP_CNTL, &[clip.pack()]);
        let grid = regs::PaSuVtxCntl {
            pix_center: true,
            round_mode: 2,
            quant_mode: 5,
            ..regs::PaSuVtxCntl::from_word(0)
        };
        self.context(vtx_cntl, &[grid.pack()]);
        let list = regs::prim_type::TRILIST;
        let register = (regs::VGT_PRIMITIVE_TYPE - 0x8000) / 4;
        self.packet(packets::SET_CONFIG_REG, &[register, list]);
        self.packet(packets::NUM_INSTANCES, &[1]);
    }

    /// What the stream sets a register to, by the packets of its space.
    pub fn written(&self, space: (u8, u32), register: u32) -> Option<u32> {
        let (mut at, mut found) = (0, None);
        while let Some(header) = self.stream.get(at) {
            let count = (header >> 16 & 0x3fff) as usize + 1;
            let payload = &self.stream[at + 1..][..count];
            let number = (register - space.1) / 4;
            let set = (header >> 8) as u8 == space.0
                && (payload[0]..).take(count - 1).any(|n| n == number);
            if set {
                found = Some(payload[1 + (number - payload[0]) as usize]);
            }
            at += 1 + count;
        }
        found
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
    pub fn texel(&self, surface: &impl Layout, x: u32, y: u32) -> u32 {
        let at = COLOR + surface.offset(x, y, 0, 0);
        self.memory.load(at).unwrap()
    }

    /// All texels, line by line.
    pub fn texels(&self, surface: &impl Layout) -> Vec<u32> {
        let lines = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
        lines.map(|(x, y)| self.texel(surface, x, y)).collect()
    }
}

/// A register that holds what fields need, with one of them set to another value.
pub fn enabled(fields: &[Field], field: &Field, written: Option<u32>) -> u32 {
    let own = fields.iter().filter(|own| own.register == field.register);
    let neutral = own.fold(0, |word, own| own.set(word, own.neutral));
    field.set(written.unwrap_or(neutral), field.neutral ^ 1)
}

/// An image of one level, layer and sample.
pub fn shape<M>(mode: M, element_bytes: u32, [width, height]: [u32; 2]) -> ImageShape<M> {
    ImageShape {
        mode,
        element_bytes,
        block: [1, 1],
        width,
        height,
        depth: 1,
        layers: 1,
        single_cube: false,
        levels: 1,
        samples: 1,
        pitch: 0,
    }
}

/// What a chip's rig has from its `board`, and from the surface of its colour target, `color`.
macro_rules! on_board {
    ($Rig:ident) => {
        impl std::ops::Deref for $Rig {
            type Target = Board;
            fn deref(&self) -> &Board {
                &self.board
            }
        }

        impl std::ops::DerefMut for $Rig {
            fn deref_mut(&mut self) -> &mut Board {
                &mut self.board
            }
        }

        impl $Rig {
            pub fn new(threads: usize) -> $Rig {
                $Rig::sized(threads, [WIDTH, HEIGHT])
            }

            pub fn sized(threads: usize, size: [u32; 2]) -> $Rig {
                let threads = Some(threads);
                let start = Start {
                    threads,
                    ..Start::default()
                };
                $Rig::started(start, size)
            }

            /// A texel of the colour target.
            pub fn pixel(&self, x: u32, y: u32) -> u32 {
                self.texel(&self.color.levels[0].surface, x, y)
            }

            /// All texels, line by line.
            pub fn picture(&self) -> Vec<u32> {
                self.texels(&self.color.levels[0].surface)
            }
        }
    };
}
pub(super) use on_board;

/// Power-on and an empty stream.
#[test]
fn nothing_happens_without_packets() {
    let mut rig = super::Rig::new(1);
    let stats = rig.run().unwrap();
    assert_eq!(stats, Stats::default());
}
