//! A chip, a target of 16 by 16 pixels, and streams that draw into it.

use r5xx::isa::{pvs, us};
use r5xx::packets::DRAW_IMMD_2;
use r5xx::regs::*;
use r5xx::{R5xx, Start};
use radeon::packets::{header, register_header};
use silicon::{Addr, Gpu, Memory, Stats, Trap};

pub const STREAM: u64 = 0x1000;
pub const TARGET: u64 = 0x1_0000;
pub const DEPTH: u64 = 0x1_4000;
pub const TEXTURE: u64 = 0x1_8000;
pub const VERTICES: u64 = 0x1_c000;
/// Pixels of an edge of the target.
pub const SIZE: u64 = 16;

/// Words of a stream.
#[derive(Clone, Default)]
pub struct Stream(pub Vec<u32>);

impl Stream {
    /// Writes a register of an array.
    pub fn word(&mut self, register: Register, n: u32, word: u32) {
        self.0.extend([register_header(register.at(n), 1), word]);
    }

    /// Writes a register by its fields; the others are zero.
    pub fn fields(&mut self, register: Register, fields: &[(Field, u32)]) {
        let bits = fields.iter().map(|(field, value)| field.bits(*value));
        self.word(register, 0, bits.fold(0, |a, b| a | b));
    }

    pub fn float(&mut self, register: Register, value: f32) {
        self.word(register, 0, value.to_bits());
    }

    /// A vertex program.
    pub fn vertex_program(&mut self, text: &str) {
        let code = pvs::assemble(text).unwrap();
        self.word(VAP_PVS_VECTOR_INDX_REG, 0, 0);
        for word in code.iter().flatten() {
            self.word(VAP_PVS_VECTOR_DATA_REG, 0, *word);
        }
        let last = code.len() as u32 - 1;
        let fields = [(VAP_PVS_CODE_CNTL_0::PVS_LAST_INST, last)];
        self.fields(VAP_PVS_CODE_CNTL_0, &fields);
    }

    /// A pixel program of some temporaries.
    pub fn pixel_program(&mut self, text: &str, temps: u32) {
        let code = us::assemble(text).unwrap();
        self.word(GA_US_VECTOR_INDEX, 0, 0);
        for word in code.iter().flatten() {
            self.word(GA_US_VECTOR_DATA, 0, *word);
        }
        let last = code.len() as u32 - 1;
        self.fields(US_CODE_ADDR, &[(US_CODE_ADDR::END_ADDR, last)]);
        self.fields(US_PIXSIZE, &[(US_PIXSIZE::PIX_SIZE, temps - 1)]);
    }

    /// State of a draw: a position and a second vector of four floats a vertex; depth goes from 0 to 1.
    pub fn state() -> Stream {
        let mut s = Stream::default();
        s.vertex_side();
        s.word(GB_TILE_CONFIG, 0, GB_TILE_CONFIG::SUBPIXEL.bits(1));
        s.word(GB_MSPOS0, 0, 0x8888_8888);
        s.word(GB_MSPOS1, 0, 0x0888_8888);
        s.word(GA_COLOR_CONTROL, 0, 0x0003_aaaa);
        s.word(GA_ROUND_MODE, 0, 0x35);
        s.float(SU_DEPTH_SCALE, 16_777_215.0);
        let corner = [
            (SC_SCISSOR1.fields[0], SIZE as u32 - 1),
            (SC_SCISSOR1.fields[1], SIZE as u32 - 1),
        ];
        s.fields(SC_SCISSOR1, &corner);
        s.word(SC_CLIP_RULE, 0, 0xffff);
        s.word(SC_SCREENDOOR, 0, 0xff_ffff);
        let rules = [(SC_EDGERULE::ER_TRI, 5), (SC_EDGERULE::ER_POINT, 5)];
        s.fields(SC_EDGERULE, &rules);
        s.colors();
        s.pixel_program(PASS, 1);
        s.target();
        s
    }

    fn vertex_side(&mut self) {
        self.vertex_program("VE_ADD OUT0, I0, I0.0000\nVE_ADD OUT1, I1, I1.0000");
        use VAP_PROG_STREAM_CNTL::*;
        let elements = [
            (DATA_TYPE_0, 3),
            (DATA_TYPE_1, 3),
            (DST_VEC_LOC_1, 1),
            (LAST_VEC_1, 1),
        ];
        self.fields(VAP_PROG_STREAM_CNTL, &elements);
        self.word(VAP_PROG_STREAM_CNTL_EXT, 0, 0xf688_f688);
        self.word(VAP_VTX_SIZE, 0, 8);
        self.word(VAP_VTE_CNTL, 0, 0x43f);
        let half = SIZE as f32 / 2.0;
        for register in [
            VAP_VPORT_XSCALE,
            VAP_VPORT_XOFFSET,
            VAP_VPORT_YSCALE,
            VAP_VPORT_YOFFSET,
        ] {
            self.float(register, half);
        }
        self.float(VAP_VPORT_ZSCALE, 1.0);
        self.float(VAP_VPORT_ZOFFSET, 0.0);
        self.fields(VAP_CNTL, &[(VAP_CNTL::DX_CLIP_SPACE_DEF, 1)]);
        self.float(VAP_GB_HORZ_CLIP_ADJ, 1.0);
        self.float(VAP_GB_VERT_CLIP_ADJ, 1.0);
    }

    /// The second vector is a colour, in temporary 0.
    pub fn colors(&mut self) {
        let outputs = [
            (VAP_OUT_VTX_FMT_0::VTX_POS_PRESENT, 1),
            (VAP_OUT_VTX_FMT_0::VTX_COLOR_0_PRESENT, 1),
        ];
        self.fields(VAP_OUT_VTX_FMT_0, &outputs);
        self.word(VAP_OUT_VTX_FMT_1, 0, 0);
        self.fields(RS_COUNT, &[(RS_COUNT::IC_COUNT, 1)]);
        self.word(RS_IP, 0, 0);
        self.fields(RS_INST, &[(RS_INST::COL_CN, 1)]);
    }

    /// The second vector is a texture coordinate, in temporary 0.
    pub fn coordinates(&mut self) {
        self.fields(
            VAP_OUT_VTX_FMT_0,
            &[(VAP_OUT_VTX_FMT_0::VTX_POS_PRESENT, 1)],
        );
        self.word(VAP_OUT_VTX_FMT_1, 0, 4);
        self.fields(RS_COUNT, &[(RS_COUNT::IT_COUNT, 4)]);
        use RS_IP::*;
        let slots = [
            (TEX_PTR_S, 0),
            (TEX_PTR_T, 1),
            (TEX_PTR_R, 2),
            (TEX_PTR_Q, 3),
        ];
        self.fields(RS_IP, &slots);
        self.fields(RS_INST, &[(RS_INST::TEX_CN, 1)]);
    }

    /// Bytes blue, green, red, alpha, row by row.
    fn target(&mut self) {
        use US_OUT_FMT::*;
        self.fields(US_OUT_FMT, &[(C0_SEL, 3), (C1_SEL, 2), (C2_SEL, 1)]);
        for n in 1..4 {
            self.word(US_OUT_FMT, n, 15);
        }
        self.word(RB3D_COLOROFFSET, 0, TARGET as u32);
        let pitch = [
            (RB3D_COLORPITCH::COLORPITCH, SIZE as u32 / 2),
            (RB3D_COLORPITCH::COLORFORMAT, 6),
        ];
        self.fields(RB3D_COLORPITCH, &pitch);
        self.word(RB3D_COLOR_CHANNEL_MASK, 0, 0xf);
    }

    /// Draws vertices that are in the stream: each a position and the second vector.
    pub fn draw(&mut self, kind: u32, vertices: &[[[f32; 4]; 2]]) {
        let words: Vec<u32> = vertices
            .as_flattened()
            .as_flattened()
            .iter()
            .map(|v| v.to_bits())
            .collect();
        self.0.push(header(DRAW_IMMD_2, words.len() as u32 + 1));
        self.0.push(
            VAP_VF_CNTL::PRIM_TYPE.bits(kind)
                | VAP_VF_CNTL::PRIM_WALK.bits(3)
                | VAP_VF_CNTL::NUM_VERTICES.bits(vertices.len() as u32),
        );
        self.0.extend(words);
    }

    /// Draws the whole target at a depth, the second vector everywhere the same.
    pub fn fill(&mut self, z: f32, vector: [f32; 4]) {
        let corner = |x, y| [[x, y, z, 1.0], vector];
        self.draw(
            TRIANGLES,
            &[corner(-1.0, -1.0), corner(3.0, -1.0), corner(-1.0, 3.0)],
        );
    }
}

/// PRIM_TYPE of triangles.
pub const TRIANGLES: u32 = 4;
/// Temporary 0 is the colour.
pub const PASS: &str =
    "OUT.last MAX A.rgb = src0.rgb, src0.rgb [T0] / MAX A.a = src0.a, src0.a [T0]";

/// A chip and its memory.
pub struct Rig {
    pub memory: Memory,
    pub chip: R5xx,
}

impl Rig {
    pub fn new(threads: usize) -> Rig {
        let memory = Memory::new(1 << 20);
        let start = Start {
            threads: Some(threads),
            ..Start::default()
        };
        Rig {
            chip: R5xx::new(memory.clone(), start),
            memory,
        }
    }

    pub fn put(&self, at: u64, words: &[u32]) {
        for (n, word) in words.iter().enumerate() {
            self.memory.store(at + 4 * n as u64, *word).unwrap();
        }
    }

    pub fn run(&mut self, stream: &Stream) -> Result<Stats, Trap> {
        self.put(STREAM, &stream.0);
        self.chip
            .execute(Addr(STREAM)..Addr(STREAM + 4 * stream.0.len() as u64))
    }

    /// The target: alpha, red, green, blue from the highest byte on.
    pub fn pixels(&self) -> Vec<[u32; 16]> {
        let row = |y: u64| {
            std::array::from_fn(|x| {
                self.memory
                    .load(TARGET + 4 * (SIZE * y + x as u64))
                    .unwrap()
            })
        };
        (0..SIZE).map(row).collect()
    }
}

/// A stream on a chip of its own: the target, and the counters.
pub fn drawn(stream: &Stream) -> (Vec<[u32; 16]>, Stats) {
    let mut rig = Rig::new(1);
    let stats = rig.run(stream).unwrap();
    (rig.pixels(), stats)
}
