//! Programs by hand, as words of the manual's fields. [R600 5, 6, 7]

use r600::isa::alu::Op2;
use r600::isa::export::{Export, ExportOp, Memory, MemoryOp};
use r600::isa::fetch::{Fetch, Tex, TexOp, Vtx};
use r600::isa::words::{ExportType, MemoryType, Select};

const BARRIER: u32 = 1 << 31;
const END: u32 = 1 << 21;
const WHOLE_QUAD: u32 = 1 << 30;

/// A head of a fetch clause at slot `at`.
fn clause(op: u32, at: u32, count: u32) -> [u32; 2] {
    [at, op << 23 | (count - 1) << 10 | BARRIER]
}

pub fn tex_clause(at: u32, count: u32) -> [u32; 2] {
    let [a, b] = clause(1, at, count);
    [a, b | WHOLE_QUAD]
}

pub fn vtx_clause(at: u32, count: u32) -> [u32; 2] {
    clause(2, at, count)
}

/// CALL_FS, by the number that the chip reads. [ERRATA 18]
pub const CALL_FS: [u32; 2] = [0, 19 << 23 | 1 << 13 | BARRIER];
/// RETURN.
pub const RETURN: [u32; 2] = [0, 20 << 23 | BARRIER];

/// A head of an ALU clause of `slots` slots at slot `at`, with one line of constant buffer 0 locked.
pub fn alu_clause(at: u32, slots: u32) -> [u32; 2] {
    [at | 1 << 30, (slots - 1) << 18 | 8 << 26 | BARRIER]
}

fn words(slot: u64) -> [u32; 2] {
    [slot as u32, (slot >> 32) as u32]
}

/// EXPORT_DONE of one register; `last` ends the program.
pub fn export(kind: ExportType, target: u16, register: u8, last: bool) -> [u32; 2] {
    let [low, high] = words(Export::new(ExportOp::EXPORT_DONE, kind, target, register).pack());
    [low, high | if last { END } else { 0 }]
}

/// EXPORT_DONE of depth: element X of a register.
pub fn export_depth(register: u8, last: bool) -> [u32; 2] {
    let inst = Export::new(ExportOp::EXPORT_DONE, ExportType::Pixel, 61, register);
    let mask = Select::Mask;
    let [low, high] = words(inst.with_selects([Select::X, mask, mask, mask]).pack());
    [low, high | if last { END } else { 0 }]
}

/// An ALU instruction of two sources: `op dst.e, src0, src1`, where sources are selects with elements.
pub fn alu(op: Op2, dst: (u32, u32), src: [(u32, u32); 2], last: bool) -> [u32; 2] {
    let [(s0, e0), (s1, e1)] = src;
    [
        s0 | e0 << 10 | s1 << 13 | e1 << 23 | u32::from(last) << 31,
        1 << 4 | u32::from(op.code()) << 8 | dst.0 << 21 | dst.1 << 29,
    ]
}

/// A vertex program that fetches inline: vertices of 32 bytes (position, colour) in buffer 160.
pub fn vertex() -> Vec<u32> {
    let mut out = Vec::new();
    out.extend(vtx_clause(4, 2));
    out.extend(export(ExportType::Pos, 60, 1, false));
    out.extend(export(ExportType::Param, 0, 2, true));
    out.extend([0, 0]);
    out.extend(attributes());
    out
}

/// Position to R1, colour to R2.
pub fn attributes() -> impl Iterator<Item = u32> {
    let color = Vtx {
        offset: 16,
        ..Vtx::new(2, 0, 160)
    };
    [Vtx::new(1, 0, 160), color]
        .into_iter()
        .flat_map(|inst| Fetch::Vtx(inst).pack())
}

/// The same through a fetch program: what the vertex program is, and the fetch program.
pub fn vertex_with_fetch() -> [Vec<u32>; 2] {
    let mut program = Vec::new();
    program.extend(CALL_FS);
    program.extend(export(ExportType::Pos, 60, 1, false));
    program.extend(export(ExportType::Param, 0, 2, true));
    let mut fetch = Vec::new();
    fetch.extend(vtx_clause(2, 2));
    fetch.extend(RETURN);
    fetch.extend(attributes());
    [program, fetch]
}

/// A pixel program: attribute 0, which lies in R0, to target 0.
pub fn pixel() -> Vec<u32> {
    export(ExportType::Pixel, 0, 0, true).to_vec()
}

/// A pixel program: register `n` to target 0.
pub fn pixel_of(register: u8) -> Vec<u32> {
    export(ExportType::Pixel, 0, register, true).to_vec()
}

/// A pixel program: attribute 0 times constant 0 of constant buffer 0.
pub fn pixel_scaled() -> Vec<u32> {
    let mut out = Vec::new();
    out.extend(alu_clause(2, 4));
    out.extend(export(ExportType::Pixel, 0, 1, true));
    for e in 0..4 {
        out.extend(alu(Op2::MUL_IEEE, (1, e), [(0, e), (128, e)], e == 3));
    }
    out
}

/// A pixel program: as [`pixel`], but pixels whose red is above one half are killed.
pub fn pixel_kill() -> Vec<u32> {
    let mut out = Vec::new();
    out.extend(alu_clause(2, 1));
    out.extend(export(ExportType::Pixel, 0, 0, true));
    // KILLGT R0.x, 0.5 without a result.
    let [low, high] = alu(Op2::KILLGT, (1, 0), [(0, 0), (252, 0)], true);
    out.extend([low, high & !(1 << 4)]);
    out
}

/// A pixel program: attribute 0 to target 0, its element X as depth.
pub fn pixel_depth() -> Vec<u32> {
    let mut out = Vec::new();
    out.extend(export(ExportType::Pixel, 0, 0, false));
    out.extend(export_depth(0, true));
    out
}

/// A pixel program: texture 0 through sampler 0 at attribute 0.
pub fn pixel_texture(op: TexOp) -> Vec<u32> {
    pixel_texture_at(op, [0; 3])
}

/// The same at an offset in half texels.
pub fn pixel_texture_at(op: TexOp, [offset_x, offset_y, offset_z]: [i8; 3]) -> Vec<u32> {
    let tex = Tex {
        offset_x,
        offset_y,
        offset_z,
        ..Tex::new(op, 1, 0, 0, 0)
    };
    let mut out = Vec::new();
    out.extend(tex_clause(2, 1));
    out.extend(export(ExportType::Pixel, 0, 1, true));
    out.extend(Fetch::Tex(tex).pack());
    out
}

/// A pixel program: attribute 0 times constant 5 of the constant file.
pub fn pixel_constant_file() -> Vec<u32> {
    let mut out = Vec::new();
    out.extend(alu_clause(2, 4));
    out.extend(export(ExportType::Pixel, 0, 1, true));
    for e in 0..4 {
        out.extend(alu(Op2::MUL_IEEE, (1, e), [(0, e), (256 + 5, e)], e == 3));
    }
    out
}

/// A pixel program: attribute 0 through element 3 of an array in scratch memory.
pub fn pixel_scratch() -> Vec<u32> {
    let access =
        |kind, register| words(Memory::new(MemoryOp::MEM_SCRATCH, kind, 3, register).pack());
    let mut out = Vec::new();
    out.extend(access(MemoryType::Write, 0));
    out.extend(access(MemoryType::Read, 1));
    out.extend(export(ExportType::Pixel, 0, 1, true));
    out
}
