//! The table of packets equals the manual's list, and streams are printed with names and values.

use r5xx::packets::{self, TABLE, dump, has_settings, header, register_header};
use r5xx::regs::*;
use radeon::packets::Part;
use silicon::{Addr, Memory, Start};

const LIST: &str = include_str!("packets.csv");

/// The columns of a line; quotes keep commas.
fn columns(line: &str) -> Vec<String> {
    let (mut columns, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => columns.push(String::new()),
            c => columns.last_mut().expect("there is a first").push(c),
        }
    }
    columns
}

#[test]
fn the_table_is_the_manuals_list() {
    let lines: Vec<_> = LIST.lines().skip(1).map(columns).collect();
    assert_eq!(lines.len(), TABLE.len());
    for (row, listed) in TABLE.iter().zip(&lines) {
        let opcode = format!("0x{:02X}", row.opcode);
        let settings = if has_settings(row.opcode) {
            "yes"
        } else {
            "no"
        };
        let ours = [row.name, &opcode, settings, row.body];
        let theirs = [&listed[0], &listed[1], &listed[3], &listed[4]];
        assert_eq!(ours, theirs);
        assert_eq!(
            packets::find(row.opcode).map(|row| row.name),
            Some(row.name)
        );
        let starts = matches!(row.parts.first(), Some(Part::Own(_)));
        assert_eq!(starts, has_settings(row.opcode), "{}", row.name);
    }
}

#[track_caller]
fn check(words: &[u32], expected: &str) {
    assert_eq!(dump(words, 0x100, &|_| None), expected);
}

#[test]
fn registers_are_printed_with_their_fields() {
    let vport = VAP_VPORT_XSCALE.address;
    let words = [
        register_header(ZB_CNTL.address, 2),
        6,
        0x0000_0003,
        register_header(vport, 1),
        100f32.to_bits(),
        1 << 30 | (0x71c / 4) << 11 | (0x714 / 4),
        3,
        0,
        2 << 30,
        register_header(0x7000, 1),
        9,
    ];
    check(
        &words,
        "\
0x00000100 000113c0 type 0
    ZB_CNTL = 00000006: Z_ENABLE 1, ZWRITEENABLE 1
    ZB_ZSTENCILCNTL = 00000003: ZFUNC 3 (==)
0x0000010c 00000826 type 0
    VAP_VPORT_XSCALE = 42c80000: VPORT_XSCALE 100.0
0x00000114 400e39c5 type 1
    CP_RB_WPTR = 00000003: RB_WPTR 0x3
    CP_RB_RPTR_WR = 00000000
0x00000120 80000000 filler
0x00000124 00001c00 type 0
    unknown register 0x7000 = 00000009
",
    );
}

#[test]
fn ports_take_many_words() {
    let mut words = vec![register_header(VAP_PVS_VECTOR_DATA_REG.address, 9) | 0x8000];
    words.extend(0..9);
    check(
        &words,
        "\
0x00000100 00088881 type 0
    VAP_PVS_VECTOR_DATA_REG, 9 words
      00000000 00000001 00000002 00000003 00000004 00000005 00000006 00000007
      00000008
",
    );
}

#[test]
fn packets_are_printed_by_their_bodies() {
    let words = [
        header(packets::DRAW_VBUF_2, 1),
        0x0003_0024,
        header(packets::LOAD_VBPNTR, 3),
        1,
        0x0000_0404,
        0x1000,
        header(packets::PAINT, 6),
        0x00f0_06d2,
        0x0400_0010,
        0xff00_ff00,
        0x0002_0001,
        0xffff_0009,
        5,
        header(0x55, 2),
        7,
        8,
        header(packets::INDX_BUFFER, 1),
        0,
        header(packets::NOP, 4),
        1,
    ];
    check(
        &words,
        "\
0x00000100 c0003400 3D_DRAW_VBUF_2
    VAP_VF_CNTL = 00030024: PRIM_TYPE 4 (triangles), PRIM_WALK 2 (vertex list (auto index)), NUM_VERTICES 0x3
0x00000108 c0022f00 3D_LOAD_VBPNTR
    VAP_VTX_NUM_ARRAYS = 00000001: VTX_NUM_ARRAYS 0x1
    VAP_VTX_AOS_ATTR01 = 00000404: VTX_AOS_COUNT0 0x4, VTX_AOS_STRIDE0 0x4
    VAP_VTX_AOS_ADDR0 = 00001000: VTX_AOS_ADDR0 0x400
0x00000118 c0059100 PAINT
    GUI_CONTROL = 00f006d2: DST_PITCH_OFF 1, BRUSH_TYPE 13 (solid), DST_TYPE 6 (ARGB8888), WIN31_ROP 0xf0
    DST_PITCH_OFFSET = 04000010
    FRGRD_COLOR = ff00ff00
    Y = 2, X = 1
    Y = -1, X = 9
    Y = 0, X = 5
0x00000134 c0015500 unknown packet 0x55
    body, 2 words
      00000007 00000008
0x00000140 c0003300 INDX_BUFFER
    ONE_REG_WR | SKIP | DEST = 00000000
    the packet ends here
    the packet ends here
0x00000148 c0031000 a packet of 4 words leaves the stream
",
    );
}

#[test]
fn words_are_cut_at_headers() {
    let words = [
        register_header(0x2080, 2),
        1,
        2,
        2 << 30,
        1 << 30 | 5,
        3,
        4,
        header(packets::NOP, 1),
        5,
        header(packets::NOP, 3),
        6,
    ];
    let found: Vec<_> = radeon::packets::cut("chip", &words, 0x100).collect();
    let packets: Vec<_> = found.iter().flatten().collect();
    let at = |n: usize| (packets[n].address, packets[n].kind(), packets[n].payload);
    assert_eq!(packets.len(), 4);
    assert_eq!(at(0), (0x100, 0, &words[1..3]));
    assert_eq!(at(1), (0x10c, 2, &[][..]));
    assert_eq!(at(2), (0x110, 1, &words[5..7]));
    assert_eq!(at(3), (0x11c, 3, &words[8..9]));
    let trap = found[4].as_ref().expect_err("the last is too long");
    assert_eq!((trap.address, trap.word), (0x124, words[9]));
    assert!(trap.reason.contains("3 words"), "{trap}");
}

#[test]
fn buffers_are_followed_where_there_is_memory() {
    let inner = [register_header(ZB_CNTL.address, 1), 2];
    let words = [register_header(CP_IB_BASE.address, 2), 0x1000, 2];
    let load = |address: u64| {
        inner
            .get((address.checked_sub(0x1000)? / 4) as usize)
            .copied()
    };
    let shown = "\
0x00000000 000101ce type 0
    CP_IB_BASE = 00001000: IB_BASE 0x400
    CP_IB_BUFSZ = 00000002: IB_BUFSZ 0x2
  0x00001000 000013c0 type 0
      ZB_CNTL = 00000002: Z_ENABLE 1
";
    assert_eq!(dump(&words, 0, &load), shown);
    let alone = shown.lines().take(3).map(|line| format!("{line}\n"));
    assert_eq!(dump(&words, 0, &|_| None), alone.collect::<String>());
}

#[test]
fn every_executed_packet_has_a_row() {
    for opcode in 0..=255 {
        let start = Start {
            threads: Some(1),
            ..Start::default()
        };
        let mut gpu = r5xx::R5xx::power_on(Memory::new(1 << 20), start);
        let mut words = vec![header(opcode, 8)];
        words.extend([0; 8]);
        let written = gpu.memory().write_words(Addr(0x100), &words);
        written.expect("the stream lies within memory");
        let done = gpu.execute(Addr(0x100)..Addr(0x100 + 4 * words.len() as u64));
        let unknown = done.is_err_and(|trap| trap.reason.starts_with("unknown packet"));
        assert_eq!(packets::find(opcode).is_none(), unknown, "{opcode:#04x}");
    }
}
