//! The geometry path as an open driver sets it up: records of vectors in rings, an index for what is emitted, fetches of
//! four floats at places that count words.

use r600::isa::alu::Op2;
use r600::isa::export::{Memory, MemoryOp};
use r600::isa::fetch::{Fetch, Vtx};
use r600::isa::words::{Elem, ExportType, FetchType, MemoryType};
use r600::regs::*;
use r600::resource::{VertexResource, VtxConstantWord2};

use super::code;
use super::rig::*;

const EXPORT_CODE: u64 = 0x6000;
const GEOMETRY_CODE: u64 = 0x7000;
const ESGS: u64 = 0x200_0000;
const GSVS: u64 = 0x300_0000;
/// Resource of a ring.
const RING: u8 = 16;

/// Words of a vertex: position and colour.
const VERTEX: u32 = 8;
/// DATA_FORMAT of four floats.
const FLOATS: u8 = 35;

const BARRIER: u32 = 1 << 31;
const NOP_END: [u32; 2] = [0, BARRIER | 1 << 21];
/// By the numbers that the chip reads. [ERRATA 18]
const EMIT: [u32; 2] = [0, BARRIER | 21 << 23];
const EMIT_CUT: [u32; 2] = [0, BARRIER | 22 << 23];

/// MEM_RING of all elements of a register.
fn ring(kind: MemoryType, base: u16, register: u8, index: u8) -> [u32; 2] {
    let slot = Memory {
        index_gpr: index,
        ..Memory::new(MemoryOp::MEM_RING, kind, base, register)
    }
    .pack();
    [slot as u32, (slot >> 32) as u32]
}

/// A fetch of four words from a ring, so many bytes behind the place in an element of R0 or R1.
fn fetch(to: u8, (register, elem): (u8, Elem), offset: u16) -> [u32; 4] {
    let vtx = Vtx {
        use_const_fields: false,
        data_format: FLOATS,
        fetch_type: FetchType::NoIndexOffset,
        src_sel_x: elem,
        offset,
        ..Vtx::new(to, register, RING)
    };
    Fetch::Vtx(vtx).pack()
}

/// Fetches a vertex and writes it to the ring.
fn export() -> Vec<u32> {
    let mut out = Vec::new();
    out.extend(code::vtx_clause(4, 2));
    out.extend(ring(MemoryType::Write, 0, 1, 0));
    out.extend(ring(MemoryType::Write, 4, 2, 0));
    out.extend(NOP_END);
    out.extend(code::attributes());
    out
}

/// Emits the vertices of its triangle, the last at an index that it counts.
fn geometry() -> Vec<u32> {
    let mut out = Vec::new();
    out.extend(code::vtx_clause(12, 6));
    out.extend(ring(MemoryType::Write, 0, 2, 0));
    out.extend(ring(MemoryType::Write, 4, 3, 0));
    out.extend(EMIT);
    out.extend(ring(MemoryType::Write, 8, 4, 0));
    out.extend(ring(MemoryType::Write, 12, 5, 0));
    out.extend(EMIT);
    out.extend([24, 1 << 18 | 8 << 26 | BARRIER]);
    out.extend(ring(MemoryType::WriteInd, 0, 6, 8));
    out.extend(ring(MemoryType::WriteInd, 4, 7, 8));
    out.extend(EMIT_CUT);
    out.extend(NOP_END);
    for (n, place) in [(0, Elem::X), (0, Elem::Y), (0, Elem::W)]
        .into_iter()
        .enumerate()
    {
        let to = 2 + 2 * n as u8;
        out.extend(fetch(to, place, 0));
        out.extend(fetch(to + 1, place, 16));
    }
    // R8.x = 4 groups of four words: 250 is the integer 1.
    out.extend(code::alu(Op2::ADD_INT, (8, 0), [(250, 0), (250, 0)], true));
    out.extend(code::alu(Op2::ADD_INT, (8, 0), [(8, 0), (8, 0)], true));
    out
}

/// Fetches what was emitted and exports it.
fn copy() -> Vec<u32> {
    let mut out = Vec::new();
    out.extend(code::vtx_clause(4, 2));
    out.extend(code::export(ExportType::Pos, 60, 1, false));
    out.extend(code::export(ExportType::Param, 0, 2, true));
    out.extend([0, 0]);
    out.extend(fetch(1, (0, Elem::X), 0));
    out.extend(fetch(2, (0, Elem::X), 16));
    out
}

/// Separate triangles of many places and colours.
fn triangles(count: usize) -> Vec<Vertex> {
    let triangle = |n: usize| {
        let at = |k: usize| ((n * 7 + k * 37) % 41) as f32 / 20.0 - 1.0;
        let color = [n as f32 / count as f32, 0.3, (n % 9) as f32 / 9.0, 1.0];
        corners(
            &[(at(0), at(1)), (at(2), at(3)), (at(4), at(5))],
            0.5,
            color,
        )
    };
    (0..count).flat_map(triangle).collect()
}

/// A rig with the path on; rings of these many waves.
fn rig(threads: usize, vertices: &[Vertex], waves: [u32; 2]) -> Rig {
    let mut rig = Rig::new(threads);
    rig.setup(vertices, &code::pixel());
    rig.words(VERTEX_CODE, &copy());
    rig.words(EXPORT_CODE, &export());
    rig.words(GEOMETRY_CODE, &geometry());
    let resources = SqPgmResources {
        num_gprs: 9,
        stack_size: 4,
        dx10_clamp: true,
        ..SqPgmResources::from_word(0)
    };
    for (start, code, registers) in [
        (SQ_PGM_START_ES, EXPORT_CODE, SQ_PGM_RESOURCES_ES),
        (SQ_PGM_START_GS, GEOMETRY_CODE, SQ_PGM_RESOURCES_GS),
    ] {
        rig.set(start, (code >> 8) as u32);
        rig.set(registers, resources.pack());
    }
    let items = [VERTEX, 3 * VERTEX];
    rig.set_all(SQ_ESGS_RING_ITEMSIZE, &items);
    rig.set(SQ_GS_VERT_ITEMSIZE, VERTEX);
    for (n, (base, register, first)) in [
        (ESGS, SQ_ESGS_RING_BASE, RESOURCES_GS),
        (GSVS, SQ_GSVS_RING_BASE, RESOURCES_VS),
    ]
    .into_iter()
    .enumerate()
    {
        let bytes = 256 * items[n] * waves[n];
        rig.set_all(register, &[(base >> 8) as u32, bytes >> 8]);
        let ring = VertexResource {
            base,
            size: bytes,
            word2: VtxConstantWord2 {
                stride: 4,
                ..VtxConstantWord2::from_word(0)
            },
        };
        rig.set_all(resource_at(first + u32::from(RING)), &ring.words());
    }
    // Scenario G, at most 128 vertices between two cuts, triangle strips.
    rig.set(VGT_GS_MODE, 3 | 3 << 3);
    rig.set(VGT_GS_OUT_PRIM_TYPE, 2);
    rig.set(VGT_VTX_CNT_EN, 1);
    rig
}

#[test]
fn triangles_come_through_the_rings() {
    let vertices = triangles(100);
    let mut plain = Rig::new(1);
    plain.setup(&vertices, &code::pixel());
    plain.draw(300);
    plain.run().unwrap();
    // Rings of one wave hold 21 triangles.
    for (threads, waves) in [(1, [8, 8]), (1, [1, 1]), (5, [2, 1]), (3, [7, 2])] {
        let mut rig = rig(threads, &vertices, waves);
        rig.draw(300);
        let stats = rig.run().unwrap();
        assert!(
            rig.picture() == plain.picture(),
            "{threads} threads, {waves:?}"
        );
        assert_eq!(
            (stats.geometry_lanes, stats.geometry_primitives),
            (100, 100)
        );
        // The path goes off again.
        rig.set(VGT_GS_MODE, 0);
        rig.words(VERTEX_CODE, &code::vertex());
        rig.draw(300);
        rig.run().unwrap();
        assert!(rig.picture() == plain.picture());
    }
}

#[test]
fn what_rings_do_not_hold_stops_the_draw() {
    let cases = [
        (
            SQ_ESGS_RING_SIZE,
            7,
            "SQ_ESGS_RING_SIZE is 1792 bytes; a wave of SQ_ESGS_RING_ITEMSIZE 8 needs 2048",
        ),
        (
            SQ_GSVS_RING_SIZE,
            0,
            "SQ_GSVS_RING_SIZE is 0 bytes; a wave of SQ_GSVS_RING_ITEMSIZE 24 needs 6144",
        ),
        (SQ_GSVS_RING_BASE, u32::MAX, "lies outside video memory"),
        (
            VGT_GS_OUT_PRIM_TYPE,
            3,
            "VGT_GS_OUT_PRIM_TYPE 3 is not drawn",
        ),
        (SQ_PGM_START_GS, 0, "SQ_PGM_START_GS is 0"),
        (SQ_PGM_START_ES, 0, "SQ_PGM_START_ES is 0"),
    ];
    for (register, value, reason) in cases {
        let mut rig = rig(1, &triangles(1), [1, 1]);
        rig.set(register, value);
        rig.draw(3);
        let trap = rig.run().unwrap_err();
        assert!(trap.reason.contains(reason), "{reason}: {trap}");
    }
}

/// A record has room for three vertices of eight words, or for one of more than twelve.
#[test]
fn vertices_beyond_the_record_are_dropped() {
    let vertices = triangles(2);
    let mut rig = rig(1, &vertices, [1, 1]);
    rig.set(SQ_GS_VERT_ITEMSIZE, 13);
    rig.draw(6);
    let stats = rig.run().unwrap();
    assert_eq!((stats.geometry_lanes, stats.geometry_primitives), (2, 0));
}

#[test]
fn a_vertex_program_emits_nothing() {
    let mut rig = rig(1, &triangles(1), [1, 1]);
    rig.words(EXPORT_CODE, &[EMIT, NOP_END].concat());
    rig.draw(3);
    let trap = rig.run().unwrap_err();
    let reason = "EMIT_VERTEX: outside a geometry program";
    assert!(trap.reason.contains(reason), "{trap}");
    assert_eq!(trap.address, EXPORT_CODE);
}
