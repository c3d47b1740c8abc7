//! The command processor: streams to registers, uploads, draws, and 2D operations on memory.

#![allow(clippy::unwrap_used)]

use r5xx::cp::{CommandProcessor, Draw, Engine, IndexPart, Source, State, VertexArray};
use r5xx::packets::*;
use r5xx::regs::*;
use radeon::packets::Processor;
use silicon::fragment::bins::Threads;
use silicon::geometry::topology::Topology;
use silicon::geometry::vertices::Vertices;
use silicon::{Addr, Memory, Stats, Trap};

const STREAM: u64 = 0x1000;
const RING: u64 = 0x8000;
const DATA: u64 = 0x1_0000;

/// Keeps the draws, with the depth control at their trigger.
#[derive(Default)]
struct Recorder(Vec<(Draw, u32)>);

impl Engine for Recorder {
    fn draw(
        &mut self,
        _: &Memory,
        state: &mut State,
        draw: &Draw,
        totals: &mut Stats,
    ) -> Result<(), String> {
        totals.draws += 1;
        let word = ZB_CNTL.read(&state.registers, 0);
        self.0.push((draw.clone(), word));
        Ok(())
    }
}

struct Rig {
    memory: Memory,
    cp: CommandProcessor<Recorder>,
}

impl Rig {
    fn new() -> Rig {
        let memory = Memory::new(1 << 20);
        let cp = CommandProcessor::new(memory.clone(), Threads::new(1), Recorder::default());
        Rig { memory, cp }
    }

    fn put(&self, at: u64, words: &[u32]) {
        for (n, word) in words.iter().enumerate() {
            self.memory.store(at + 4 * n as u64, *word).unwrap();
        }
    }

    fn get(&self, at: u64, count: u64) -> Vec<u32> {
        (0..count)
            .map(|n| self.memory.load(at + 4 * n).unwrap())
            .collect()
    }

    fn run(&mut self, words: &[u32]) -> Result<Stats, Trap> {
        self.put(STREAM, words);
        let end = STREAM + 4 * words.len() as u64;
        self.cp.execute_stream(Addr(STREAM)..Addr(end))
    }

    fn draws(&self) -> Vec<Draw> {
        self.cp
            .engine()
            .0
            .iter()
            .map(|(draw, _)| draw.clone())
            .collect()
    }
}

fn set(register: Register, words: &[u32]) -> Vec<u32> {
    let mut out = vec![register_header(register.address, words.len() as u32)];
    out.extend(words);
    out
}

fn port(register: Register, words: &[u32]) -> Vec<u32> {
    let mut out = set(register, words);
    out[0] |= 0x8000;
    out
}

fn packet(opcode: u8, words: &[u32]) -> Vec<u32> {
    let mut out = vec![header(opcode, words.len() as u32)];
    out.extend(words);
    out
}

/// VAP_VF_CNTL.
fn control(kind: u32, walk: u32, count: u32) -> u32 {
    use VAP_VF_CNTL::*;
    PRIM_TYPE.bits(kind) | PRIM_WALK.bits(walk) | NUM_VERTICES.bits(count)
}

#[test]
fn registers_are_written_by_all_types_of_packets() {
    let mut rig = Rig::new();
    let [data, read] = [CP_RESYNC_DATA, CP_RB_RPTR_WR].map(|register| register.address / 4);
    let words = [
        set(VAP_VPORT_XSCALE, &[1, 2, 3]),
        vec![2 << 30, 1 << 30 | read << 11 | data, 5, 6],
        // The second address of the viewport's first register.
        vec![register_header(0x1d98, 1), 9],
        packet(NOP, &[1, 2]),
    ]
    .concat();
    let stats = rig.run(&words).unwrap();
    assert_eq!(stats, Stats::default());
    let registers = &rig.cp.state().registers;
    assert_eq!(VAP_VPORT_XSCALE.read(registers, 0), 9);
    assert_eq!(VAP_VPORT_YSCALE.read(registers, 0), 3);
    assert_eq!(CP_RESYNC_DATA.read(registers, 0), 5);
    assert_eq!(CP_RB_RPTR_WR.read(registers, 0), 6);
}

#[test]
fn ports_fill_the_memories_behind_them() {
    let mut rig = Rig::new();
    let code: Vec<u32> = (0..8).collect();
    let words = [
        set(VAP_PVS_VECTOR_INDX_REG, &[1023]),
        port(VAP_PVS_VECTOR_DATA_REG, &code),
        set(VAP_PVS_VECTOR_INDX_REG, &[1536 + 5]),
        port(VAP_PVS_VECTOR_DATA_REG_128, &code),
        set(GA_US_VECTOR_INDEX, &[511]),
        port(GA_US_VECTOR_DATA, &[10, 11, 12, 13, 14, 15, 16, 17]),
        set(GA_US_VECTOR_INDEX, &[1 << 17 | 1 << 16 | 3]),
        port(GA_US_VECTOR_DATA, &[2f32, -2.0, 0.5, 1.0].map(f32::to_bits)),
        set(ZB_HIZ_WRINDEX, &[4 << 2]),
        port(ZB_HIZ_DWORD, &[7, 8]),
        packet(CLEAR_HIZ, &[0x100, 2, 0x55]),
    ];
    rig.run(&words.concat()).unwrap();
    let state = rig.cp.state();
    assert_eq!(
        (state.vectors[1023], state.vectors[0]),
        ([0, 1, 2, 3], [4, 5, 6, 7])
    );
    assert_eq!(state.vectors[1541], [0, 1, 2, 3]);
    assert_eq!(state.vectors[1536], [4, 5, 6, 7]);
    assert_eq!(state.us_code[511], [10, 11, 12, 13, 14, 15]);
    assert_eq!(state.us_code[0], [16, 17, 0, 0, 0, 0]);
    assert_eq!(
        state.us_constants[3].map(f32::from_bits),
        [1.0, -1.0, 0.5, 1.0]
    );
    assert_eq!(state.hi_z[4..7], [7, 8, 0]);
    assert_eq!(state.hi_z[0xff..0x103], [0, 0x55, 0x55, 0]);
    let over = [
        set(VAP_PVS_VECTOR_INDX_REG, &[1543]),
        port(VAP_PVS_VECTOR_DATA_REG, &code),
    ];
    let trap = rig.run(&over.concat()).unwrap_err();
    assert!(trap.reason.contains("vector 1544"), "{trap}");
}

#[test]
fn draws_of_arrays() {
    let mut rig = Rig::new();
    let arrays = [3, 0x0805_0403, 0x2000, 0x3000, 0x0202, 0x4000];
    let words = [
        set(ZB_CNTL, &[6]),
        packet(LOAD_VBPNTR, &arrays),
        set(VAP_INDEX_OFFSET, &[0x1ff_fffe]),
        set(VAP_VF_MAX_VTX_INDX, &[99, 1]),
        packet(DRAW_VBUF_2, &[control(4, 2, 7)]),
        set(ZB_CNTL, &[0]),
        packet(DRAW_VBUF, &[0xffff_ffff, control(6, 2, 5)]),
        set(VAP_ALT_NUM_VERTICES, &[0x12_3456]),
        set(
            VAP_VF_CNTL,
            &[VAP_VF_CNTL::USE_ALT_NUM_VERTS.bits(1) | control(1, 2, 0)],
        ),
        // No primitive.
        set(VAP_VF_CNTL, &[control(0, 2, 3)]),
    ];
    let stats = rig.run(&words.concat()).unwrap();
    assert_eq!(stats.draws, 3);
    let array = |address, words, stride| VertexArray {
        address,
        words,
        stride,
        index: IndexPart::Whole,
    };
    let expected = Draw {
        topology: Topology::Triangles,
        vertices: Vertices::Counted { first: 0, count: 7 },
        offset: -2,
        range: [1, 99],
        reuse: false,
        source: Source::Arrays(vec![
            array(0x2000, 3, 16),
            array(0x3000, 5, 32),
            array(0x4000, 2, 8),
        ]),
    };
    assert_eq!(rig.cp.engine().0[0], (expected, 6));
    let [_, second, third] = &rig.cp.engine().0[..] else {
        panic!("three draws")
    };
    assert_eq!((second.0.topology, second.1), (Topology::TriangleStrip, 0));
    let counted = Vertices::Counted {
        first: 0,
        count: 0x12_3456,
    };
    assert_eq!(
        (third.0.topology, &third.0.vertices),
        (Topology::Points, &counted)
    );
}

#[test]
fn draws_of_indices() {
    let mut rig = Rig::new();
    let wide = VAP_VF_CNTL::INDEX_SIZE.bits(1);
    rig.put(DATA, &[0x0001_0000, 0x0003_0002, 0x0005_0004]);
    let buffer = |control: u32| packet(INDX_BUFFER, &[control, DATA as u32, 3]);
    let words = [
        packet(DRAW_INDX_2, &[control(4, 1, 3), 0x0002_0001, 0xffff_0003]),
        packet(DRAW_INDX, &[0, control(4, 1, 2) | wide, 0x10_0001, 7]),
        packet(DRAW_INDX_2, &[control(4, 1, 5)]),
        buffer(1 << 31 | 0x810),
        packet(NOP, &[0]),
        // One dword is skipped.
        packet(DRAW_INDX_2, &[control(4, 1, 4)]),
        buffer(1 << 31 | 1 << 16 | 0x810),
        // To the ports one after the other.
        packet(DRAW_INDX_2, &[control(2, 1, 6)]),
        buffer(0x810),
        set(VAP_VF_CNTL, &[control(1, 1, 1)]),
        set(VAP_PORT_IDX, &[42]),
        packet(DRAW_128, &[control(1, 1, 1), 43]),
    ];
    rig.run(&words.concat()).unwrap();
    let indexed = |address, count| Vertices::Indexed {
        address,
        first: 0,
        count,
        limit: count,
        wide: false,
    };
    let expected = [
        Vertices::Listed(vec![1, 2, 3]),
        Vertices::Listed(vec![0x10_0001, 7]),
        indexed(DATA, 5),
        indexed(DATA + 4, 4),
        Vertices::Listed((0..6).collect()),
        Vertices::Listed(vec![42]),
        Vertices::Listed(vec![43]),
    ];
    let draws = rig.draws();
    assert_eq!(draws.len(), expected.len());
    for (draw, vertices) in draws.iter().zip(expected) {
        assert_eq!(draw.vertices, vertices);
        assert!(draw.reuse);
    }
}

#[test]
fn draws_of_vertices_in_the_stream() {
    let mut rig = Rig::new();
    let words = [
        set(VAP_VTX_SIZE, &[2]),
        packet(DRAW_IMMD_2, &[control(2, 3, 2), 1, 2, 3, 4]),
        packet(DRAW_IMMD, &[0, control(12, 3, 1), 5, 6]),
    ];
    rig.run(&words.concat()).unwrap();
    let stream = |words: &[u32]| Source::Stream {
        words: words.to_vec(),
        each: 2,
    };
    let draws = rig.draws();
    assert_eq!(draws[0].source, stream(&[1, 2, 3, 4]));
    assert_eq!(draws[0].range, [0, u32::MAX]);
    assert_eq!(draws[1].topology, Topology::LineLoop);
    assert_eq!(draws[1].source, stream(&[5, 6]));
}

#[test]
fn ring_and_indirect_buffers() {
    let mut rig = Rig::new();
    let inner = set(ZB_CNTL, &[3]);
    let middle = set(CP_IB2_BASE, &[DATA as u32 + 0x200, inner.len() as u32]);
    rig.put(DATA + 0x200, &inner);
    rig.put(DATA, &middle);
    let call = set(CP_IB_BASE, &[DATA as u32, middle.len() as u32]);
    // A ring of 16 dwords, read from dword 14 on.
    let packets = [call, packet(NOP, &[7])].concat();
    for (n, word) in packets.iter().enumerate() {
        rig.put(RING + 4 * ((14 + n as u64) % 16), &[*word]);
    }
    let words = [
        set(CP_RB_BASE, &[RING as u32, 3]),
        set(CP_RB_RPTR_ADDR, &[DATA as u32 + 0x100]),
        set(CP_RB_RPTR, &[14]),
        set(CP_RB_WPTR, &[(14 + packets.len() as u32) % 16]),
    ];
    rig.run(&words.concat()).unwrap();
    assert_eq!(ZB_CNTL.read(&rig.cp.state().registers, 0), 3);
    assert_eq!(CP_RB_RPTR.read(&rig.cp.state().registers, 0), 3);
    assert_eq!(rig.get(DATA + 0x100, 1), [3]);

    // A buffer that starts itself, and a start that is not the last register.
    rig.put(DATA, &set(CP_IB_BASE, &[DATA as u32, 3]));
    let trap = rig.run(&set(CP_IB_BASE, &[DATA as u32, 3])).unwrap_err();
    assert!(trap.reason.contains("inside indirect buffer 1"), "{trap}");
    let trap = rig.run(&set(CP_IB_BASE, &[DATA as u32, 3, 0])).unwrap_err();
    assert!(trap.reason.contains("not the last"), "{trap}");
    let again = set(CP_RB_WPTR, &[5]);
    rig.put(RING, &[again.clone(), vec![2 << 30; 14]].concat());
    let words = [set(CP_RB_RPTR, &[0]), set(CP_RB_WPTR, &[2])].concat();
    let trap = rig.run(&words).unwrap_err();
    assert!(trap.reason.contains("inside a ring"), "{trap}");
}

/// The ring, indirect buffers and the copy of the read pointer have their bytes in another order.
#[test]
fn streams_lie_in_any_order() {
    let swapped = |words: &[u32]| {
        words
            .iter()
            .map(|word| word.swap_bytes())
            .collect::<Vec<_>>()
    };
    let mut rig = Rig::new();
    let inner = set(ZB_CNTL, &[3]);
    rig.put(DATA, &swapped(&inner));
    let call = set(CP_IB_BASE, &[DATA as u32, inner.len() as u32]);
    rig.put(RING, &swapped(&call));
    let words = [
        set(CP_RB_BASE, &[RING as u32, 3 | CP_RB_CNTL::BUF_SWAP.bits(2)]),
        set(CP_RB_RPTR_ADDR, &[DATA as u32 + 0x103]),
        set(CP_RB_RPTR, &[0]),
        set(CP_RB_WPTR, &[call.len() as u32]),
    ];
    rig.run(&words.concat()).unwrap();
    assert_eq!(ZB_CNTL.read(&rig.cp.state().registers, 0), 3);
    assert_eq!(rig.get(DATA + 0x100, 1), [3 << 16]);
}

/// Bytes of copies change places on their way in and out, and one of the addresses may stay.
#[test]
fn copies_swap_bytes() {
    use CP_GUI_COMMAND::*;
    let at = DATA as u32;
    let copy = |rig: &mut Rig, fields: &[(Field, u32)]| {
        rig.put(DATA, &[0x0102_0304, 0x0506_0708, 0, 0, 0]);
        let bits = fields.iter().map(|(field, value)| field.bits(*value));
        let command = bits.fold(BYTE_COUNT.bits(8), |a, b| a | b);
        rig.run(&set(CP_GUI_SRC_ADDR, &[at, at + 8, command]))
            .unwrap();
        rig.get(DATA + 8, 2)
    };
    let mut rig = Rig::new();
    assert_eq!(copy(&mut rig, &[(SRC_SWAP, 1)]), [0x0201_0403, 0x0605_0807]);
    assert_eq!(copy(&mut rig, &[(DST_SWAP, 2)]), [0x0403_0201, 0x0807_0605]);
    let both = [(SRC_SWAP, 2), (DST_SWAP, 3)];
    assert_eq!(copy(&mut rig, &both), [0x0201_0403, 0x0605_0807]);
    assert_eq!(copy(&mut rig, &[(SAIC, 1)]), [0x0102_0304; 2]);
    assert_eq!(copy(&mut rig, &[(DAIC, 1)]), [0x0506_0708, 0]);
    let odd = BYTE_COUNT.bits(7) | SRC_SWAP.bits(1);
    let trap = rig
        .run(&set(CP_GUI_SRC_ADDR, &[at, at + 8, odd]))
        .unwrap_err();
    assert!(trap.reason.contains("copies words"), "{trap}");
    let trap = rig
        .run(&set(CP_GUI_SRC_ADDR, &[at, at + 8, DAS.bits(1) | 4]))
        .unwrap_err();
    assert!(trap.reason.contains("CP_GUI_COMMAND.DAS"), "{trap}");
}

/// Some registers, and the four indices of each quadrilateral.
#[test]
fn quadrilaterals_of_films() {
    let mut rig = Rig::new();
    let mask = 1 << 1 | 1 << 3 | 1 << 11 | 1 << 19;
    let quads = control(13, 1, 8);
    let body = [mask, 0x11, 0x22, 0x33, 0x44, quads, 2, 40, 8, 0xdead];
    let wide = VAP_VF_CNTL::INDEX_SIZE.bits(1);
    let words = [
        packet(MPEG_INDEX, &body),
        packet(MPEG_INDEX, &[0, control(13, 1, 4) | wide, 1, 0x1_fffe]),
    ];
    rig.run(&words.concat()).unwrap();
    let registers = &rig.cp.state().registers;
    let written = [
        VAP_PVS_CODE_CNTL_1.read(registers, 0),
        VAP_PROG_STREAM_CNTL.read(registers, 1),
        TX_ENABLE.read(registers, 0),
        RB3D_COLORPITCH.read(registers, 0),
    ];
    assert_eq!(written, [0x11, 0x22, 0x33, 0x44]);
    let draws = rig.draws();
    assert_eq!(draws[0].topology, Topology::Quads);
    let indices = vec![40, 41, 42, 43, 8, 9, 10, 11];
    assert_eq!(draws[0].vertices, Vertices::Listed(indices));
    let indices = (0x1_fffe..0x2_0002).collect();
    assert_eq!(draws[1].vertices, Vertices::Listed(indices));
    for (body, reason) in [
        (vec![1 << 12, 0, quads, 1, 0], "MPEG_INDEX with bit 12"),
        (vec![0, control(13, 2, 4), 1, 0], "draws by indices"),
        (vec![0, quads, 1, 0], "has 2 dwords and needs 4"),
    ] {
        let trap = Rig::new().run(&packet(MPEG_INDEX, &body)).unwrap_err();
        assert!(trap.reason.contains(reason), "{trap} and not {reason}");
    }
}

#[test]
fn words_in_memory() {
    let mut rig = Rig::new();
    let at = DATA as u32;
    rig.put(DATA + 0x80, &[11, 12, 13]);
    let words = [
        set(SCRATCH_UMSK, &[0b1010]),
        set(SCRATCH_ADDR, &[at]),
        set(SCRATCH_REG, &[100, 101, 102]),
        set(CP_RESYNC_ADDR, &[3, 103]),
        set(RB3D_DSTCACHE_CTLSTAT, &[0x1a]),
        set(ZB_ZPASS_DATA, &[77]),
        set(ZB_ZPASS_ADDR, &[at + 0x40]),
        set(CP_GUI_SRC_ADDR, &[at + 0x80, at + 0x91, 9]),
    ];
    rig.run(&words.concat()).unwrap();
    assert_eq!(rig.get(DATA, 4), [0, 101, 0, 103]);
    assert_eq!(rig.get(DATA + 0x40, 1), [77]);
    assert_eq!(rig.get(DATA + 0x90, 3), [11 << 8, 12 << 8, 13 << 8]);
}

#[test]
fn conditions_leave_packets_out() {
    let write = |value| set(ZB_CNTL, &[value]);
    let at = DATA as u32;
    let runs = |words: Vec<Vec<u32>>| {
        let mut rig = Rig::new();
        rig.put(DATA, &[0, 1, 0, 2]);
        rig.run(&[vec![write(1)], words].concat().concat())
            .map(|_| ZB_CNTL.read(&rig.cp.state().registers, 0))
    };
    let cases = [
        (packet(PRED_EXEC, &[0x0100_0002]), 2),
        (packet(PRED_EXEC, &[0x0200_0002]), 1),
        (packet(COND_EXEC, &[at, 2, 2]), 1),
        (packet(COND_EXEC, &[at + 4, 2, 2]), 2),
        (packet(WAIT_MEM, &[at + 8, 2]), 2),
        (packet(WAIT_SEMAPHORE, &[0xfd, 9]), 2),
    ];
    for (condition, expected) in cases {
        assert_eq!(runs(vec![condition, write(2)]).ok(), Some(expected));
    }
    let traps = [
        (
            vec![packet(PRED_EXEC, &[0x0200_0001]), write(2)],
            "1 more dwords",
        ),
        (
            vec![packet(PRED_EXEC, &[0x0200_0003]), write(2)],
            "1 conditional",
        ),
        (vec![packet(COND_EXEC, &[2, 2])], "needs 3"),
        (vec![packet(WAIT_MEM, &[at + 4, 2])], "for ever"),
        (vec![packet(WAIT_MEM, &[at + 8, 3])], "lengths 3"),
        (vec![packet(WAIT_SEMAPHORE, &[0xfb])], "no semaphore"),
        (
            vec![
                packet(WAIT_SEMAPHORE, &[0xfd, 9]),
                packet(WAIT_SEMAPHORE, &[0xfd]),
            ],
            "for ever",
        ),
    ];
    for (words, reason) in traps {
        let trap = runs(words).unwrap_err();
        assert!(trap.reason.contains(reason), "{trap}");
    }
}

#[test]
fn what_is_not_executed_is_a_trap() {
    let data = |words: &[u32]| packet(DRAW_IMMD_2, words);
    let cases = [
        (
            packet(0x55, &[1, 0xab]),
            "unknown packet 0x55 is not executed: 00000001 000000ab",
        ),
        (packet(POLYLINE, &[1]), "POLYLINE 0x95"),
        (packet(POLYLINE, &[1]), "POLYLINE 0x95"),
        (vec![register_header(0x7ffc, 1), 5], "no register 0x7ffc"),
        (set(VAP_PORT_DATA, &[5]), "without a draw"),
        (data(&[control(7, 2, 3)]), "PRIM_TYPE 7"),
        (data(&[control(4, 0, 3)]), "in registers"),
        (data(&[control(4, 2, 3) | 1 << 6]), "RSVD_PREV_USED"),
        (
            [set(VAP_VTX_SIZE, &[1]), data(&[control(1, 3, 2), 5])].concat(),
            "has 1 dwords and needs 2",
        ),
        (
            [set(VAP_VTX_SIZE, &[1]), data(&[control(1, 3, 1), 5, 6])].concat(),
            "without a draw",
        ),
        (
            [
                packet(DRAW_INDX_2, &[control(1, 1, 9)]),
                packet(DRAW_VBUF_2, &[0]),
            ]
            .concat(),
            "has 0 dwords and needs 5",
        ),
        (set(VAP_VTX_NUM_ARRAYS, &[17]), ""),
        (packet(CLEAR_HIZ, &[0xffff, 2, 0]), "2 dwords of Hi-Z"),
        (packet(INDX_BUFFER, &[0, 0xf_fffc, 2]), "leave video memory"),
        (vec![header(NOP, 2), 0], "leaves the stream"),
    ];
    for (words, reason) in cases {
        let mut rig = Rig::new();
        match (rig.run(&words), reason) {
            (Ok(_), "") => {
                let draw = packet(DRAW_VBUF_2, &[control(1, 2, 1)]);
                let trap = rig.run(&draw).unwrap_err();
                assert!(trap.reason.contains("is 17"), "{trap}");
            }
            (Err(trap), _) => assert!(trap.reason.contains(reason), "{trap}"),
            (Ok(_), _) => panic!("{reason}"),
        }
    }
}

/// A trap has the address and the header of the packet that is to blame.
#[test]
fn traps_name_their_packets() {
    let draw = packet(DRAW_INDX_2, &[control(4, 1, 6)]);
    let nop = packet(NOP, &[0, 0]);
    let unfinished = [&nop[..], &draw].concat();
    let start = set(CP_IB_BASE, &[0xfff0_0000, 16]);
    let beyond = [&nop[..], &start].concat();
    let mut starts = set(CP_IB_BASE, &[0, 3]);
    // An indirect buffer at the stream's own address starts itself.
    starts[1] = STREAM as u32;
    for (words, header, reason, at) in [
        (unfinished, draw[0], "has 0 dwords and needs 3", 12),
        (
            beyond,
            start[0],
            "from 0xfff00000 ends at 0xfff00040, beyond video memory",
            12,
        ),
        (
            starts.clone(),
            starts[0],
            "indirect buffer 1 is started inside indirect buffer 1",
            0,
        ),
    ] {
        let trap = Rig::new().run(&words).unwrap_err();
        assert!(trap.reason.contains(reason), "{trap}");
        assert_eq!((trap.word, trap.address), (header, STREAM + at), "{trap}");
    }
}
