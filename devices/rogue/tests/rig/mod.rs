//! A device that is driven by streams written by hand.

use rogue::isa::{align, assemble};
use rogue::regs::*;
use rogue::stream::{INLINE, block, job, presence};
use rogue::{Rogue, layout};
use silicon::{Addr, Format, Gpu, Memory, SimdLevel, Start, Stats, Trap};

/// Where things are in memory.
pub const CODE: u64 = 0x1000;
pub const PIXEL_CODE: u64 = 0x4000;
pub const TABLE: u64 = 0x6000;
pub const REGIONS: u64 = 0x8000;
pub const VERTICES: u64 = 0x10000;
pub const STREAM: u64 = 0x80000;
pub const PARAMETERS: u64 = 0x100000;
pub const TARGET: u64 = 0x400000;
pub const RESOLVED: u64 = 0x800000;
pub const QUERY: u64 = 0x7000;

/// Edge of the pictures, a power of two.
pub const EDGE: u32 = 128;

/// Bytes from layer to layer of pictures with one sample.
pub const LAYER_BYTES: u32 = 4 * EDGE * EDGE;

/// A corner: clip position and a colour word.
pub type Corner = ([f32; 4], u32);

pub fn words(text: &str) -> Vec<u32> {
    let mut groups = assemble(text).unwrap();
    align(&mut groups).unwrap();
    let bytes = groups.concat();
    let chunk = |chunk: &[u8]| {
        let mut four = [0xff; 4];
        four[..chunk.len()].copy_from_slice(chunk);
        u32::from_le_bytes(four)
    };
    bytes.chunks(4).map(chunk).collect()
}

/// The program that writes vertex inputs 0 to 4 to words 0 to 4.
pub fn vertex_program() -> Vec<u32> {
    let mut text = String::new();
    for n in 0..5 {
        text += &format!(
            "main {{ mbyp ft0, s0; mov w0.e0.e1.e2.e3, ft0; uvsw.write w0, {n} }} [s0=vi{n}, s3=c0, is0=s0, is1=ft0, \
             is2=ft1, is3=ft0, is4=ft0, is5=ft0]\n"
        );
    }
    words(&(text + END))
}

pub const END: &str = "control { nop.end } []";

/// The colour word as it is.
pub const PLAIN: &str = "olchk main { mbyp ft0, s0 } [s0=cf10, s3=c0, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, \
                         is5=ft0, w0=o0]\n";
/// Dies where the colour word is no positive float, then as it is.
pub const CUT: &str = "main { mbyp ft0, s0 } [s0=cf10, s3=c0, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0, w0=r0]\n\
                       olchk main { atst.ifb _, s0, s1, s2 } [s0=c0, s1=r0, s2=c4, s3=c0, is0=s0, is1=ft0, is2=ft1, \
                       is3=ft0, is4=ft0, is5=ft0]\n";
/// Three times what was there, and the colour word.
pub const MIXED: &str = "olchk main { smadd32 ft0, s0, s1, s2, _ } [s0=o0, s1=c3, s2=cf10, s3=c0, is0=s0, is1=ft0, is2=ft1, \
                         is3=ft0, is4=ft0, is5=ft0, w0=o0]\n";

pub struct Rig {
    pub device: Rogue,
    pub memory: Memory,
    pub stream: Vec<u32>,
    /// Layers of the renders that begin.
    pub layers: u32,
    vertices: u32,
}

impl Rig {
    pub fn new(level: SimdLevel, threads: usize) -> Rig {
        let memory = Memory::new(16 << 20);
        let start = Start {
            level,
            threads: Some(threads),
            ..Start::default()
        };
        let rig = Rig {
            device: Rogue::new(memory.clone(), start),
            memory,
            stream: Vec::new(),
            layers: 1,
            vertices: 0,
        };
        let program = vertex_program();
        rig.memory.write_words(Addr(CODE), &program).unwrap();
        // Attributes: four floats, and a word.
        let descriptor = |offset: u64, format: Format| {
            [
                (VERTICES + offset) as u32,
                (format as u32) << 16,
                20,
                0x40000,
                0,
                0,
                0,
                0,
            ]
        };
        let table = [
            descriptor(0, Format::R32G32B32A32Float),
            descriptor(16, Format::R32Uint),
        ];
        rig.memory
            .write_words(Addr(TABLE), table.as_flattened())
            .unwrap();
        rig
    }

    pub fn set(&mut self, first: u32, words: &[u32]) {
        self.stream
            .push(block::JOB << 29 | job::REGISTERS << 24 | first << 12 | words.len() as u32);
        self.stream.extend(words);
    }

    pub fn job(&mut self, job: u32, words: &[u32]) {
        self.stream.push(block::JOB << 29 | job << 24);
        self.stream.extend(words);
    }

    /// State that all tests share: a target of bytes, cleared or loaded, and depth on the chip.
    pub fn begin(&mut self, pages: u32, load: u8, samples: u32) {
        let log = samples.trailing_zeros() as u8;
        let render = CrRender {
            last_layer: (self.layers - 1) as u16,
            samples: log,
            ..CrRender::from_word(0)
        };
        self.set(CR_SIZE, &[(EDGE - 1) << 16 | (EDGE - 1), render.pack()]);
        self.set(
            PM_BASE_LO,
            &[PARAMETERS as u32, 0, pages, REGIONS as u32, 0],
        );
        let zls = ZlsCtl {
            depth_present: true,
            stencil_present: true,
            ..ZlsCtl::from_word(0)
        };
        self.set(ISP_ZLSCTL, &[zls.pack(), 1f32.to_bits(), 0]);
        let control = PbeControl {
            present: true,
            load,
            store: true,
            resolve: samples > 1,
            norm: true,
            ..PbeControl::from_word(0)
        };
        let layout = |samples: u8| {
            SurfaceLayout {
                memory_layout: 1,
                samples,
                log2_height: EDGE.trailing_zeros() as u8,
                log2_width: EDGE.trailing_zeros() as u8,
                ..SurfaceLayout::from_word(0)
            }
            .pack()
        };
        self.set(PBE_CONTROL0, &[control.pack(), 0, 0, 0, 0]);
        self.set(PBE_SURFACE0, &[TARGET as u32, 0, layout(log), 0, 0]);
        self.set(PBE_RESOLVE0, &[RESOLVED as u32, 0, layout(0), 0, 0]);
        self.set(PBE_LAYER_BYTES, &[LAYER_BYTES << log]);
        self.set(PBE_RESOLVE_LAYER_BYTES, &[LAYER_BYTES]);
        let half = EDGE as f32 / 2.0;
        let viewport = [half, half, half, -half, 0.0, 1.0].map(f32::to_bits);
        self.set(VIEWPORT, &viewport);
        let clip = PppCtrl {
            clip_mode: 1,
            ..PppCtrl::from_word(0)
        };
        self.set(PPP_CTRL, &[clip.pack()]);
        self.set(LINE_WIDTH, &[1f32.to_bits(), 1f32.to_bits(), 0xff]);
        self.set(PDS_ATTRIBUTES_LO, &[TABLE as u32, 0, 2, 0, 0, 0, 1]);
        let control = VsControl {
            parameters: 1,
            ..VsControl::from_word(0)
        };
        let code = vertex_program().len() as u32;
        self.set(USC_VS_CODE_LO, &[CODE as u32, 0, control.pack()]);
        self.set(USC_VS_CODE_WORDS, &[code]);
        let flat = TspInput {
            source: source::FLAT,
            ..TspInput::from_word(0)
        };
        self.set(TSP_INPUTS, &[1, flat.pack()]);
        self.object("", pass_type::OPAQUE, 1, false);
        self.job(job::BEGIN, &[]);
    }

    /// The pixel program, kind of the object, depth comparison and whether depths are written. State goes as a PPP block.
    pub fn object(&mut self, program: &str, pass: u8, compare: u8, keeps_depth: bool) {
        let number = [PLAIN, CUT, MIXED].iter().position(|text| *text == program);
        let text = match program {
            CUT => CUT.to_owned() + PLAIN + END,
            "" => PLAIN.to_owned() + END,
            other => other.to_owned() + END,
        };
        let code = words(&text);
        let at = PIXEL_CODE + 0x400 * number.map_or(0, |n| n as u64 + 1);
        self.memory.write_words(Addr(at), &code).unwrap();
        self.set(USC_FS_CODE_LO, &[at as u32, 0, 0]);
        self.set(USC_FS_CODE_WORDS, &[code.len() as u32]);
        let isp = IspA {
            passtype: pass,
            dcmpmode: compare,
            dwrite_disable: keeps_depth,
            ..IspA::from_word(0)
        };
        // The stencil test always passes.
        let stencil = 7 << 25;
        let head = 0b111;
        self.stream
            .extend([INLINE | 4 << 8, head, 0, isp.pack(), stencil]);
    }

    pub fn draw(&mut self, corners: &[Corner]) {
        let first = self.vertices;
        for (n, (position, color)) in corners.iter().enumerate() {
            let at = VERTICES + 20 * (u64::from(first) + n as u64);
            let [x, y, z, w] = position.map(f32::to_bits);
            self.memory
                .write_words(Addr(at), &[x, y, z, w, *color])
                .unwrap();
        }
        self.vertices += corners.len() as u32;
        let bits = presence::COUNT | presence::START;
        self.stream.push(block::INDEX_LIST << 29 | bits | 6 << 8);
        self.stream.extend([corners.len() as u32, first, 0]);
    }

    pub fn go(&mut self) -> Result<Stats, Trap> {
        self.stream.push(block::STREAM_TERMINATE << 29);
        let words = std::mem::take(&mut self.stream);
        self.memory.write_words(Addr(STREAM), &words).unwrap();
        let end = Addr(STREAM + 4 * words.len() as u64);
        self.device.execute(Addr(STREAM)..end)
    }

    /// The picture at an address.
    pub fn picture(&self, at: u64) -> Vec<u32> {
        let bits = [EDGE.trailing_zeros(); 2];
        let pixels = (0..EDGE).flat_map(|y| (0..EDGE).map(move |x| [x, y]));
        let load = |place| {
            self.memory
                .load(at + 4 * layout::twiddle(place, bits))
                .unwrap()
        };
        pixels.map(load).collect()
    }
}
