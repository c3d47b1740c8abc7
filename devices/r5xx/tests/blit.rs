//! 2D packets on memory, against pixels that are computed apart from them.

#![allow(clippy::unwrap_used)]

use r5xx::cp::{CommandProcessor, Draw, Engine, State};
use r5xx::packets::settings::gui;
use r5xx::packets::*;
use r5xx::tiling::{Micro, Surface, Tiling};
use radeon::packets::Processor;
use silicon::fragment::bins::Threads;
use silicon::{Addr, Memory, Stats, Trap};

const IMAGE: u64 = 0x1_0000;
const OTHER: u64 = 0x2_0000;

struct None2d;

impl Engine for None2d {
    fn draw(&mut self, _: &Memory, _: &mut State, _: &Draw, _: &mut Stats) -> Result<(), String> {
        Err("a draw".into())
    }
}

struct Rig {
    memory: Memory,
    cp: CommandProcessor<None2d>,
}

impl Rig {
    fn new() -> Rig {
        let memory = Memory::new(1 << 20);
        let cp = CommandProcessor::new(memory.clone(), Threads::new(1), None2d);
        Rig { memory, cp }
    }

    fn run(&mut self, opcode: u8, body: &[u32]) -> Result<(), Trap> {
        let words = [&[header(opcode, body.len() as u32)], body].concat();
        for (n, word) in words.iter().enumerate() {
            self.memory.store(4 * n as u64, *word).unwrap();
        }
        let end = 4 * words.len() as u64;
        self.cp.execute_stream(Addr(0)..Addr(end)).map(|_| ())
    }

    /// A pixel of four bytes of a linear image with a pitch of 64 bytes.
    fn pixel(&self, base: u64, x: u64, y: u64) -> u32 {
        self.memory.load(base + 64 * y + 4 * x).unwrap()
    }

    fn paint(&self, base: u64, of: impl Fn(u64, u64) -> u32) {
        for (y, x) in (0..16).flat_map(|y| (0..16).map(move |x| (y, x))) {
            self.memory.store(base + 64 * y + 4 * x, of(x, y)).unwrap();
        }
    }
}

/// GUI_CONTROL of destination pixels `kind` and a brush, with a destination in the body.
fn gui_control(kind: u32, brush: u32, rop: u32) -> u32 {
    gui::DST_PITCH_OFF.bits(1)
        | gui::DST_TYPE.bits(kind)
        | gui::BRUSH_TYPE.bits(brush)
        | gui::ROP3.bits(rop)
        | gui::SRC_TYPE.bits(3)
}

/// PITCH_OFFSET of a pitch in bytes.
fn image(base: u64, pitch: u32) -> u32 {
    (base / 1024) as u32 | ((pitch / 64) << 22)
}

fn at(high: i32, low: i32) -> u32 {
    (high as u32) << 16 | low as u32 & 0xffff
}

#[test]
fn rectangles_are_filled() {
    let mut rig = Rig::new();
    let control = gui_control(6, 13, 0xf0);
    let body = [
        control,
        image(IMAGE, 64),
        0xabcd_ef01,
        at(2, 1),
        at(4, 5),
        at(-3, 9),
        at(1, 10),
    ];
    rig.run(PAINT, &body).unwrap();
    for (y, x) in (0..8).flat_map(|y| (0..16).map(move |x| (y, x))) {
        let inside = (1..5).contains(&x) && (2..4).contains(&y) || x == 9 && y < 1;
        let expected = if inside { 0xabcd_ef01 } else { 0 };
        assert_eq!(rig.pixel(IMAGE, x, y), expected, "{x} {y}");
    }
    // Width and height, x first; clipped.
    let clipped = control | gui::DST_CLIPPING.bits(1);
    let clip = [at(0, 0), at(1, 7)];
    let body = [
        clipped,
        image(IMAGE, 64),
        clip[0],
        clip[1],
        5,
        at(6, 0),
        at(3, 2),
    ];
    rig.run(PAINT_MULTI, &body).unwrap();
    let row = |y| (6..9).map(|x| rig.pixel(IMAGE, x, y)).collect::<Vec<_>>();
    assert_eq!((row(0), row(1)), (vec![5, 0, 0], vec![0; 3]));
}

#[test]
fn narrow_and_tiled_pixels_are_filled() {
    let mut rig = Rig::new();
    // RGB565: pixels of two bytes in micro tiles of macro tiles.
    let tiled = image(IMAGE, 128) | 3 << 30;
    let body = [
        gui_control(4, 13, 0xf0),
        tiled,
        0x9_8765,
        at(3, 10),
        at(20, 40),
    ];
    rig.run(PAINT, &body).unwrap();
    let tiling = Tiling {
        macro_tiled: true,
        micro: Micro::Tiled,
    };
    let surface = Surface::new(tiling, 2, [64, 32], 1).unwrap();
    for (y, x) in (0..32).flat_map(|y| (0..64).map(move |x| (y, x))) {
        let inside = (10..40).contains(&x) && (3..20).contains(&y);
        let pixel = rig.memory.load_half(IMAGE + surface.offset(x, y, 0, 0));
        assert_eq!(pixel, Some(if inside { 0x8765 } else { 0 }), "{x} {y}");
    }
    let body = [
        gui_control(2, 13, 0xf0),
        image(OTHER, 64),
        0x1ff,
        at(0, 3),
        at(1, 4),
    ];
    rig.run(PAINT, &body).unwrap();
    assert_eq!(rig.memory.load(OTHER), Some(0xff00_0000));
}

#[test]
fn brushes_have_patterns() {
    let mut rig = Rig::new();
    rig.paint(IMAGE, |_, _| 9);
    // Row n of the pattern has bit n, and row 0 all.
    let bits = [0x0804_02ff, 0x8040_2010];
    let control = gui_control(6, 0, 0xf0) | gui::BRUSH_FLAG.bits(1);
    let area = [at(0, 0), at(16, 16)];
    let body = [
        control,
        image(IMAGE, 64),
        1,
        2,
        bits[0],
        bits[1],
        0x0002,
        area[0],
        area[1],
    ];
    rig.run(PAINT, &body).unwrap();
    for (y, x) in (0..16).flat_map(|y| (0..16).map(move |x| (y, x))) {
        let fore = y % 8 == 0 || (x + 6) % 8 == y % 8;
        assert_eq!(rig.pixel(IMAGE, x, y), if fore { 2 } else { 1 }, "{x} {y}");
    }
    rig.paint(IMAGE, |_, _| 9);
    let transparent = [
        gui_control(6, 1, 0xf0),
        image(IMAGE, 64),
        2,
        bits[0],
        bits[1],
    ];
    rig.run(PAINT, &[&transparent[..], &area].concat()).unwrap();
    assert_eq!((rig.pixel(IMAGE, 3, 3), rig.pixel(IMAGE, 4, 3)), (2, 9));
    // 8x8 pixels of one byte are 16 words.
    let pattern: Vec<u32> = (0..16).map(|n| 0x0302_0100 + 0x0404_0404 * n).collect();
    let colored = [gui_control(2, 10, 0xf0), image(OTHER, 64)];
    let body = [&colored[..], &pattern, &[at(0, 0), at(9, 12)]].concat();
    rig.run(PAINT, &body).unwrap();
    assert_eq!(rig.memory.load(OTHER + 64 * 8 + 8), Some(0x0302_0100));
    assert_eq!(rig.memory.load(OTHER + 64 * 2 + 4), Some(0x1716_1514));
}

#[test]
fn every_raster_operation_is_its_truth_table() {
    let mut rig = Rig::new();
    let (pattern, source, old) = (0xf0f0_f0f0, 0xcccc_cccc, 0xaaaa_aaaa);
    rig.paint(OTHER, |_, _| source);
    for rop in 0..=255 {
        rig.paint(IMAGE, |_, _| old);
        let control = gui_control(6, 14, rop) | gui::SRC_PITCH_OFF.bits(1);
        let places = [at(0, 0), at(0, 0), at(1, 1)];
        let settings = [control, image(OTHER, 64), image(IMAGE, 64), pattern];
        rig.run(BITBLT, &[&settings[..], &places].concat()).unwrap();
        // With these operands every byte of the result is the code itself.
        assert_eq!(rig.pixel(IMAGE, 0, 0), rop * 0x0101_0101);
        assert_eq!(rig.pixel(IMAGE, 1, 0), old);
    }
}

#[test]
fn rectangles_are_copied() {
    let mut rig = Rig::new();
    let pixel = |x: u64, y: u64| (100 * y + x) as u32;
    rig.paint(IMAGE, pixel);
    let control = gui_control(6, 15, 0xcc) | gui::SRC_PITCH_OFF.bits(1);
    let same = [control, image(IMAGE, 64), image(IMAGE, 64)];
    // Down and to the right over itself; the second copy follows the first.
    let places = [at(0, 0), at(2, 1), at(8, 8), at(2, 1), at(15, 15), at(1, 1)];
    rig.run(BITBLT_MULTI, &[&same[..], &places].concat())
        .unwrap();
    for (y, x) in (0..15).flat_map(|y| (0..15).map(move |x| (y, x))) {
        let moved = (2..10).contains(&x) && (1..9).contains(&y);
        let expected = if moved {
            pixel(x - 2, y - 1)
        } else {
            pixel(x, y)
        };
        assert_eq!(rig.pixel(IMAGE, x, y), expected, "{x} {y}");
    }
    assert_eq!(rig.pixel(IMAGE, 15, 15), 0);
    // The source ends before the rectangle does.
    rig.paint(OTHER, |_, _| 7);
    let ended = control | gui::SRC_CLIPPING.bits(1);
    let body = [
        ended,
        image(IMAGE, 64),
        image(OTHER, 64),
        at(16, 13),
        at(12, 0),
        at(0, 0),
        at(4, 1),
    ];
    rig.run(BITBLT, &body).unwrap();
    assert_eq!((rig.pixel(OTHER, 0, 0), rig.pixel(OTHER, 1, 0)), (12, 7));
}

#[test]
fn bitmaps_come_from_the_stream() {
    let mut rig = Rig::new();
    rig.paint(IMAGE, |_, _| 9);
    let mono = |kind: u32, load: u32, order: u32| {
        gui_control(6, 15, 0xcc) & !gui::SRC_TYPE.bits(3)
            | gui::SRC_TYPE.bits(kind)
            | gui::SRC_LOAD.bits(load)
            | gui::PIX_ORDER.bits(order)
    };
    let glyph = |y: i32, x: i32, bits: u32| [at(y, x), at(2, 3), 1, bits];
    // Rows of three bits, lowest first, next to each other: 101, 110.
    let words = [
        &[mono(0, 3, 1), image(IMAGE, 64), 2, 1][..],
        &glyph(1, 4, 0b011_101),
    ]
    .concat();
    rig.run(HOSTDATA_BLT, &words).unwrap();
    let row = |rig: &Rig, x: u64, y| {
        (x..x + 3)
            .map(|x| rig.pixel(IMAGE, x, y))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (row(&rig, 4, 1), row(&rig, 4, 2)),
        (vec![2, 1, 2], vec![2, 2, 1])
    );
    // Rows of bytes, highest bit first, transparent; two glyphs.
    let words = [
        &[mono(1, 4, 0), image(IMAGE, 64), 2, 1][..],
        &glyph(4, 4, 0b0100_0000_1010_0000),
        &glyph(4, 8, 0xe0),
    ];
    rig.run(HOSTDATA_BLT, &words.concat()).unwrap();
    assert_eq!(
        (row(&rig, 4, 4), row(&rig, 4, 5)),
        (vec![2, 9, 2], vec![9, 2, 9])
    );
    assert_eq!((row(&rig, 8, 4), row(&rig, 8, 5)), (vec![2; 3], vec![9; 3]));
    // Pixels.
    let control = gui_control(6, 15, 0xcc) | gui::SRC_LOAD.bits(3);
    let words = [
        control,
        image(IMAGE, 64),
        0,
        0,
        at(0, 0),
        at(2, 1),
        2,
        70,
        71,
    ];
    rig.run(HOSTDATA_BLT, &words).unwrap();
    assert_eq!((rig.pixel(IMAGE, 0, 0), rig.pixel(IMAGE, 0, 1)), (70, 71));
}

/// Pixels of every type go from each tiling to each other, and lie where the tiling says.
#[test]
fn copies_change_the_tiling() {
    let tilings = [0, 1, 2, 3];
    for (kind, bytes) in [
        (2, 1),
        (7, 1),
        (8, 1),
        (9, 1),
        (3, 2),
        (4, 2),
        (11, 2),
        (12, 2),
        (15, 2),
        (6, 4),
        (14, 4),
    ] {
        for (from, to) in tilings
            .iter()
            .flat_map(|from| tilings.map(|to| (*from, to)))
        {
            let mut rig = Rig::new();
            let [width, lines] = [256 / bytes, 64];
            let surface = |code: u32| {
                let tiling = Tiling::new(code & 1 == 1, code >> 1).unwrap();
                Surface::new(tiling, bytes, [width, lines], 1).unwrap()
            };
            let pixel = |x: u32, y: u32| x.wrapping_mul(0x0101_0305) ^ y.wrapping_mul(0x4703_0b1d);
            let mask = u32::MAX >> (32 - 8 * bytes);
            let all = || (0..lines).flat_map(move |y| (0..width).map(move |x| (x, y)));
            let place = |base: u64, code: u32, x, y| base + surface(code).offset(x, y, 0, 0);
            for (x, y) in all() {
                let at = place(IMAGE, from, x, y);
                let bytes = &pixel(x, y).to_le_bytes()[..bytes as usize];
                rig.memory.write(Addr(at), bytes).unwrap();
            }
            let control = gui_control(kind, 15, 0xcc) | gui::SRC_PITCH_OFF.bits(1);
            let [source, target] =
                [(IMAGE, from), (OTHER, to)].map(|(base, code)| image(base, 256) | code << 30);
            let body = [
                control,
                source,
                target,
                at(0, 0),
                at(0, 0),
                at(width as i32, lines as i32),
            ];
            rig.run(BITBLT, &body).unwrap();
            for (x, y) in all() {
                let mut found = [0; 4];
                let at = place(OTHER, to, x, y);
                rig.memory
                    .read(Addr(at), &mut found[..bytes as usize])
                    .unwrap();
                let found = u32::from_le_bytes(found);
                assert_eq!(
                    found,
                    pixel(x, y) & mask,
                    "type {kind} {from} {to}: {x} {y}"
                );
            }
        }
    }
}

/// Widths and heights have no signs; those of copies have 14 bits. [R5xx 6.2.2.7, 6.2.2.8]
#[test]
fn sizes_have_no_signs() {
    let mut rig = Rig::new();
    let clip = [at(2, 3), at(16, 16)];
    let control = gui_control(6, 13, 0xf0) | gui::DST_CLIPPING.bits(1);
    let settings = [control, image(IMAGE, 64), clip[0], clip[1], 5];
    let body = [&settings[..], &[at(-9, -9), at(0xffff, 0x8000)]].concat();
    rig.run(PAINT_MULTI, &body).unwrap();
    for (y, x) in (0..16).flat_map(|y| (0..16).map(move |x| (y, x))) {
        let inside = x >= 3 && y >= 2;
        assert_eq!(
            rig.pixel(IMAGE, x, y),
            if inside { 5 } else { 0 },
            "{x} {y}"
        );
    }
    let control = gui_control(6, 15, 0xcc) | gui::SRC_PITCH_OFF.bits(1) | gui::SRC_CLIPPING.bits(1);
    let settings = [control, image(IMAGE, 64), image(OTHER, 64), at(16, 16)];
    let body = [&settings[..], &[at(3, 2), at(0, 0), at(0xffff, 0xbfff)]].concat();
    rig.run(BITBLT, &body).unwrap();
    let corners = [(0, 0), (12, 13), (13, 13), (12, 14)].map(|(x, y)| rig.pixel(OTHER, x, y));
    assert_eq!(corners, [5, 5, 0, 0]);
}

#[test]
fn what_is_not_executed_is_a_trap() {
    let fill = |control: u32, target: u32| vec![control, target, 1, at(0, 0), at(1, 1)];
    let solid = gui_control(6, 13, 0xf0);
    let cases = [
        (
            PAINT,
            vec![solid & !2, 1, at(0, 0), at(1, 1)],
            "its destination",
        ),
        (PAINT, fill(gui_control(5, 13, 0xf0), 0), "reserved type 5"),
        (PAINT, fill(gui_control(6, 3, 0xf0), 0), "reserved type 3"),
        (
            PAINT,
            fill(gui_control(6, 7, 0xf0), image(IMAGE, 64)),
            "for lines",
        ),
        (
            PAINT,
            fill(solid, image(0xf_fc00, 64) + 1),
            "outside the 1048576 bytes of video memory",
        ),
        (PAINT, vec![solid], "ends too early"),
        (
            PAINT,
            vec![solid, image(IMAGE, 64), 1, 0, at(1, 17)],
            "pixel 16, 0",
        ),
        (PAINT, fill(solid, image(IMAGE, 64) | 1 << 30), "needs 64"),
        (
            BITBLT,
            vec![gui_control(6, 15, 0xcc), image(IMAGE, 64), 0, 0, 0],
            "its source",
        ),
        (
            HOSTDATA_BLT,
            vec![gui_control(6, 15, 0xcc), image(IMAGE, 64), 0, 0],
            "SRC_LOAD 0",
        ),
    ];
    for (opcode, body, reason) in cases {
        let trap = Rig::new().run(opcode, &body).unwrap_err();
        assert!(trap.reason.contains(reason), "{trap} and not {reason}");
    }
}

/// Two lines of segments, then one more with the same settings, inside other scissors.
#[test]
fn scan_lines_are_filled() {
    let mut rig = Rig::new();
    let body = [
        gui_control(6, 13, 0xf0),
        image(IMAGE, 64),
        7,
        2,
        2,
        at(2, 1),
        at(4, 1),
        at(9, 7),
        1,
        at(1, 5),
        at(16, 12),
    ];
    rig.run(POLYSCANLINES, &body).unwrap();
    rig.run(SET_SCISSORS, &[at(0, 0), at(9, 6)]).unwrap();
    rig.run(PLY_NEXTSCAN, &[at(3, 7), at(3, 0), at(9, 5)])
        .unwrap();
    for (y, x) in (0..12).flat_map(|y| (0..16).map(move |x| (y, x))) {
        let first = (1..3).contains(&y) && ((1..4).contains(&x) || (7..9).contains(&x));
        let second = y == 5 && x >= 12;
        let third = (7..9).contains(&y) && (x < 3 || x == 5);
        let expected = if first || second || third { 7 } else { 0 };
        assert_eq!(rig.pixel(IMAGE, x, y), expected, "{x} {y}");
    }
    let trap = Rig::new()
        .run(PLY_NEXTSCAN, &[at(1, 0), at(1, 0)])
        .unwrap_err();
    assert!(
        trap.reason.contains("no packet has brought settings"),
        "{trap}"
    );
}

/// Pixels of the source, or of the destination, that match a colour, or do not.
#[test]
fn copies_compare_colours() {
    let run = |control: u32| {
        let mut rig = Rig::new();
        rig.paint(OTHER, |x, _| x as u32);
        rig.paint(IMAGE, |_, y| 100 + y as u32);
        let body = [
            gui_control(6, 15, 0xcc) | gui::SRC_PITCH_OFF.bits(1),
            image(OTHER, 64),
            image(IMAGE, 64),
            control,
            2,
            101,
            at(0, 0),
            at(4, 0),
            at(4, 2),
        ];
        rig.run(TRANS_BITBLT, &body)
            .map(|()| [0, 1].map(|y| [4, 5, 6, 7].map(|x| rig.pixel(IMAGE, x, y))))
    };
    let (all, none) = ([[0, 1, 2, 3]; 2], [[100; 4], [101; 4]]);
    let source = |rule: u32| rule | 1 << 24;
    let target = |rule: u32| rule << 8;
    assert_eq!(run(source(0)).unwrap(), all);
    assert_eq!(run(source(1)).unwrap(), none);
    assert_eq!(
        run(source(4)).unwrap(),
        [[100, 100, 2, 100], [101, 101, 2, 101]]
    );
    assert_eq!(run(source(5)).unwrap(), [[0, 1, 100, 3], [0, 1, 101, 3]]);
    assert_eq!(run(target(0)).unwrap(), all);
    assert_eq!(run(target(1)).unwrap(), none);
    assert_eq!(run(target(4)).unwrap(), [all[0], none[1]]);
    assert_eq!(run(target(5)).unwrap(), [none[0], all[1]]);
    let both = 2 << 24 | 5 | 4 << 8;
    assert_eq!(run(both).unwrap(), [[0, 1, 100, 3], none[1]]);
    for (control, reason) in [
        (source(7), "CLR_CMP_SRC 7"),
        (target(6), "CLR_CMP_DST 6"),
        (3 << 24, "CMP_ENABLE 3"),
    ] {
        let trap = run(control).unwrap_err();
        assert!(trap.reason.contains(reason), "{trap} and not {reason}");
    }
}
