//! Vertex fetches: formats and number formats, byte orders, limits, offsets, semantics.

use r600::isa::fetch::{Fetch, Vtx, VtxOp};
use r600::isa::words::{EndianSwap, ExportType, FetchType, NumFormat, Select};
use r600::regs::*;
use r600::resource::{VertexResource, VtxConstantWord2};
use r600::tiling::ArrayMode;
use silicon::Format;

use super::code;
use super::rig::*;

const ELEMENTS: u64 = 0x6000;

/// A vertex program: position from buffer 160, parameter 0 by another fetch into R2.
fn program(fetch: Vtx) -> Vec<u32> {
    let mut out = Vec::new();
    out.extend(code::vtx_clause(4, 2));
    out.extend(code::export(ExportType::Pos, 60, 1, false));
    out.extend(code::export(ExportType::Param, 0, 2, true));
    out.extend([0, 0]);
    for inst in [Vtx::new(1, 0, 160), fetch] {
        out.extend(Fetch::Vtx(inst).pack());
    }
    out
}

/// Four elements of the parameter as a pixel shader sees them, when the fetch reads these bytes for every vertex.
fn fetched(bytes: &[u8], size: u32, fetch: Vtx, word2: VtxConstantWord2) -> [u32; 4] {
    let mut rig = rig(bytes, size, fetch, word2);
    rig.draw(4);
    rig.run().unwrap();
    texel(&rig)
}

fn rig(bytes: &[u8], size: u32, fetch: Vtx, word2: VtxConstantWord2) -> Rig {
    let mut rig = Rig::new(1);
    rig.format = Format::R32G32B32A32Float;
    rig.color = layout(ArrayMode::Tiled1dThin1, false, 16, [WIDTH, HEIGHT]);
    rig.setup(&corners(&STRIP, 0.5, [0.0; 4]), &code::pixel());
    rig.words(VERTEX_CODE, &program(fetch));
    rig.memory.write(silicon::Addr(ELEMENTS), bytes).unwrap();
    let base = ELEMENTS;
    let buffer = VertexResource { base, size, word2 };
    rig.set_all(resource_at(RESOURCES_FS + 1), &buffer.words());
    rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
    rig.set(SPI_PS_INPUT_CNTL_0, 1 | 1 << 10);
    rig
}

fn texel(rig: &Rig) -> [u32; 4] {
    let at = COLOR + rig.color.levels[0].surface.offset(9, 9, 0, 0);
    [0, 4, 8, 12].map(|n| rig.memory.load(at + n).unwrap())
}

/// Formats named by the instruction.
#[test]
fn number_formats() {
    let f = f32::to_bits;
    let (zero, one) = (f(0.0), f(1.0));
    use NumFormat::{Int, Norm, Scaled};
    // Bytes; data format, number format, signed, no zero; what comes of it.
    type Case = ([u8; 8], (u8, NumFormat, bool, bool), [u32; 4]);
    let cases: [Case; 14] = [
        (
            [255, 0, 51, 102, 0, 0, 0, 0],
            (26, Norm, false, false),
            [one, zero, f(0.2), f(0.4)],
        ),
        (
            [0x7f, 0x80, 0x81, 0, 0, 0, 0, 0],
            (26, Norm, true, false),
            [one, f(-1.0), f(-1.0), zero],
        ),
        (
            [0x7f, 0x80, 0, 0xff, 0, 0, 0, 0],
            (26, Norm, true, true),
            [one, f(-1.0), f(1.0 / 255.0), f(-1.0 / 255.0)],
        ),
        (
            [1, 2, 255, 4, 0, 0, 0, 0],
            (26, Int, false, false),
            [1, 2, 255, 4],
        ),
        (
            [1, 2, 255, 4, 0, 0, 0, 0],
            (26, Int, true, false),
            [1, 2, u32::MAX, 4],
        ),
        (
            [1, 2, 255, 4, 0, 0, 0, 0],
            (26, Scaled, false, false),
            [one, f(2.0), f(255.0), f(4.0)],
        ),
        (
            [1, 2, 255, 4, 0, 0, 0, 0],
            (26, Scaled, true, false),
            [one, f(2.0), f(-1.0), f(4.0)],
        ),
        (
            [0xff, 0xff, 0, 0, 0, 0, 0, 0],
            (7, Norm, false, false),
            [one, one, zero, one],
        ),
        (
            [9, 0, 0, 0, 0, 0, 0, 0],
            (7, Int, false, false),
            [9, 0, 0, 1],
        ),
        (
            [0, 0x3c, 0, 0xc0, 0, 0x38, 0, 0],
            (32, Norm, false, false),
            [one, f(-2.0), f(0.5), zero],
        ),
        (
            [0, 0, 0x80, 0x3f, 0, 0, 0, 0x40],
            (30, Norm, false, false),
            [one, f(2.0), zero, one],
        ),
        (
            [10, 20, 30, 40, 0, 0, 0, 0],
            (44, Int, false, false),
            [10, 20, 30, 1],
        ),
        (
            [0xff, 0x03, 0, 0xc0, 0, 0, 0, 0],
            (25, Norm, false, false),
            [one, zero, zero, one],
        ),
        (
            [0xff, 0x03, 0, 0x40, 0, 0, 0, 0],
            (25, Scaled, false, false),
            [f(1023.0), zero, zero, one],
        ),
    ];
    for (bytes, (data_format, num, signed, no_zero), expected) in cases {
        let fetch = Vtx {
            use_const_fields: false,
            data_format,
            num_format_all: num,
            format_comp_all: signed,
            srf_mode_all: no_zero,
            ..Vtx::new(2, 0, 161)
        };
        let found = fetched(&bytes, 8, fetch, VtxConstantWord2::from_word(0));
        let case = (data_format, num, signed, no_zero);
        assert_eq!(found, expected, "{case:?} of {bytes:x?}");
    }
}

#[test]
fn byte_orders_and_selects() {
    let fetch = |endian_swap, selects| {
        Vtx {
            use_const_fields: false,
            data_format: 29,
            num_format_all: NumFormat::Int,
            endian_swap,
            ..Vtx::new(2, 0, 161)
        }
        .with_selects(selects)
    };
    let bytes = [1, 2, 3, 4, 5, 6, 7, 8];
    let plain = [Select::X, Select::Y, Select::Zero, Select::One];
    let one = 1f32.to_bits();
    for (swap, x, y) in [
        (EndianSwap::None, 0x0403_0201, 0x0807_0605),
        (EndianSwap::Swap8In16, 0x0304_0102, 0x0708_0506),
        (EndianSwap::Swap8In32, 0x0102_0304, 0x0506_0708),
    ] {
        let found = fetched(
            &bytes,
            8,
            fetch(swap, plain),
            VtxConstantWord2::from_word(0),
        );
        assert_eq!(found, [x, y, 0, one], "{swap:?}");
    }
    let reversed = [Select::Y, Select::X, Select::Mask, Select::Y];
    let found = fetched(
        &bytes,
        8,
        fetch(EndianSwap::None, reversed),
        VtxConstantWord2::from_word(0),
    );
    assert_eq!(found, [0x0807_0605, 0x0403_0201, 0, 0x0807_0605]);
}

/// Elements may lie anywhere; one that ends beyond the buffer is zero.
#[test]
fn offsets_and_limits() {
    let fetch = |offset| Vtx {
        use_const_fields: false,
        data_format: 13,
        num_format_all: NumFormat::Int,
        offset,
        ..Vtx::new(2, 0, 161)
    };
    let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    let word2 = VtxConstantWord2::from_word(0);
    assert_eq!(fetched(&bytes, 9, fetch(3), word2), [0x0706_0504, 0, 0, 1]);
    assert_eq!(fetched(&bytes, 7, fetch(3), word2), [0x0706_0504, 0, 0, 1]);
    assert_eq!(fetched(&bytes, 6, fetch(3), word2), [0, 0, 0, 0]);
}

/// What is added to indices, by kind of data.
#[test]
fn base_vertex_and_first_instance() {
    let bytes: Vec<u8> = (0..64).collect();
    for (kind, expected) in [
        (FetchType::VertexData, 20),
        (FetchType::InstanceData, 12),
        (FetchType::NoIndexOffset, 0),
    ] {
        let fetch = Vtx {
            use_const_fields: true,
            fetch_type: kind,
            // The instance number, 0.
            src_sel_x: r600::isa::words::Elem::W,
            ..Vtx::new(2, 0, 161)
        };
        let word2 = VtxConstantWord2 {
            stride: 4,
            data_format: 1,
            num_format_all: 1,
            ..VtxConstantWord2::from_word(0)
        };
        let mut rig = rig(&bytes, 64, fetch, word2);
        // Positions are asked for with the base vertex in mind, which the vertex numbers take back.
        rig.set_all(SQ_VTX_BASE_VTX_LOC, &[5, 3]);
        rig.set(VGT_INDX_OFFSET, 5u32.wrapping_neg());
        rig.set(VGT_MAX_VTX_INDX, u32::MAX);
        rig.draw(4);
        rig.run().unwrap();
        assert_eq!(texel(&rig)[0], expected, "{kind:?}");
    }
}

/// The register of an attribute comes from the table of names.
#[test]
fn semantic_fetches() {
    let fetch = Vtx {
        op: VtxOp::SEMANTIC,
        dst: 77,
        use_const_fields: false,
        data_format: 26,
        num_format_all: NumFormat::Int,
        ..Vtx::new(2, 0, 161)
    };
    let mut rig = rig(&[4, 3, 2, 1], 4, fetch, VtxConstantWord2::from_word(0));
    // Entry 1 is register 2.
    rig.set_all(SQ_VTX_SEMANTIC_0, &[5, 77, 9]);
    rig.draw(4);
    rig.run().unwrap();
    assert_eq!(texel(&rig), [4, 3, 2, 1]);
    rig.set(SQ_VTX_SEMANTIC_0 + 4, 0);
    rig.draw(4);
    rig.run().unwrap();
    assert_eq!(texel(&rig), [0; 4]);
}
